//! The macro as a functor: diagram (4), uniqueness, and the multiplication of (2, 2)-jets (H §6.1, §6.2).
//!
//! | statement | H |
//! |---|---|
//! | [`diagram`] | (4): ⟦𝒟t⟧ is the second component of ⦇t⦈, at every argument, related or not |
//! | [`initiality`] | Lemma 4: 𝒟 is a functor on programs modulo βη, and preserves application |
//! | [`first_order`] | §7: derivatives at first-order types are unique: two valid macros agree there |
//! | [`multiplication`] | §6.2: ⦇*⦈₁ for (2, 2) is as printed; it is symmetric and associative, with unit ⟨1, 0, 0, 0, 0, 0⟩ |

use super::equality::test_equal;
use super::error::GlueError;
use super::interpretation::{RepresentationMethod, second_component};
use super::judged::VerdictWithValues;
use super::lemma::{GluingSetup, apply_all, random_type};
use super::representation;
use super::scope;
use super::trial::{BasisRange, TheoremSample, TheoremTest};
use crate::law::generate::{either_type, maybe_type, tree_type};
use crate::law::term::pair_type;
use crate::meaning::presheaf::constants;
use crate::meaning::taylor::types::{self, TypeTranslation};
use crate::number::Rational;
use crate::presheaf::dynamic::Element;
use crate::random::SplitMix64;
use crate::smooth::graph::{Binary, Graph, SourceId};
use crate::syntax::constant::Constant;
use crate::syntax::normal::normalise;
use crate::syntax::source::Span;
use crate::syntax::term::Term as Core;
use crate::syntax::ty::{Ty, TyKind};
use crate::verdict::Verdict;

/// The spread of the sizes of random programs, in heads. A choice.
const PROGRAM: usize = 20;

/// Returns 𝒟(τ).
pub(super) fn derived_type(sample: &TheoremSample, ty: &Ty) -> Ty {
    TypeTranslation::new(sample.basis.len()).translate_type(ty)
}

/// Diagram (4) (H): the macro followed by the semantics in Diff equals ⦇−⦈ followed by the second projection.
#[must_use]
pub fn diagram(setting: GluingSetup) -> TheoremTest<'static> {
    let draw = |random: &mut SplitMix64| {
        let ty = random_type(random, 3);
        let size = 4 + random.next_below(PROGRAM);
        vec![scope::draw_program(random, &ty, size)]
    };
    let judge = move |sample: &TheoremSample| {
        let (core, ty) = (scope::core_term(&sample.terms[0])?, &sample.terms[0].ty);
        let derived = setting.derive_program(&core, ty, &sample.basis)?;
        if let Err(error) = derived.check_types() {
            return Ok(Verdict::refuted("the type of the derived program", derived.ty, error).into());
        }
        let right = second_component(&core, &sample.basis, RepresentationMethod::Definition)?;
        test_equal(
            &derived_type(sample, &sample.terms[0].ty),
            &scope::run_program(&derived.term)?,
            &right,
            &mut SplitMix64::new(sample.seed),
        )
    };
    TheoremTest { range: BasisRange::UpTo(2, 2), draw: Box::new(draw), judge: Box::new(judge) }
}

/// 𝒟 is well-defined on programs modulo βη and preserves application: 𝒟 of the normal form of `t s` equals 𝒟t at 𝒟s (H
/// Lemma 4, Ex. 6.1).
#[must_use]
pub fn initiality(setting: GluingSetup) -> TheoremTest<'static> {
    let draw = |random: &mut SplitMix64| {
        let (domain, codomain) = (random_type(random, 2), random_type(random, 2));
        let (t, s) = (4 + random.next_below(PROGRAM), 1 + random.next_below(PROGRAM / 2));
        let function = scope::draw_program(random, &Ty::function(domain.clone(), codomain), t);
        vec![function, scope::draw_smooth_program(random, &domain, s)]
    };
    let judge = move |sample: &TheoremSample| {
        let (function, argument) = (&sample.terms[0], &sample.terms[1]);
        let TyKind::Function(_, ty) = function.ty.kind() else { return Ok(Verdict::Vacuous.into()) };
        let (f, x) = (scope::core_term(function)?, scope::core_term(argument)?);
        // the normal form is another program of the same class modulo βη
        let whole = Core::apply(f.clone(), x.clone(), Span::default());
        let normal = normalise(&whole)
            .and_then(|normal| normal.to_term())
            .map_err(|error| GlueError::Program { program: whole.to_string(), because: error.to_string() })?;
        let derived = |term, ty: &Ty| scope::run_program(&setting.derive_program(term, ty, &sample.basis)?.term);
        let (f, x, normal) = (derived(&f, &function.ty)?, derived(&x, &argument.ty)?, derived(&normal, ty)?);
        test_equal(&derived_type(sample, ty), &apply_all(&f, [x])?, &normal, &mut SplitMix64::new(sample.seed))
    };
    TheoremTest { range: BasisRange::UpTo(2, 2), draw: Box::new(draw), judge: Box::new(judge) }
}

/// Draws a first-order type: made of reals, products, variants, lists and trees.
pub fn first_order_type(random: &mut SplitMix64, depth: usize) -> Ty {
    let part = |random: &mut SplitMix64| first_order_type(random, depth - 1);
    let choices = [(3, 0), (3, 1), (2, 2), (2, 3), (1, 4), (1, 5)];
    match random.pick_weighted(if depth == 0 { &choices[..1] } else { &choices }) {
        0 => Ty::real(),
        1 => {
            let first = part(random);
            pair_type(first, part(random))
        }
        2 => Ty::list(part(random)),
        3 => maybe_type(part(random)),
        4 => tree_type(part(random)),
        _ => {
            let left = part(random);
            either_type(left, part(random))
        }
    }
}

/// Derivatives at first-order types are unique (H §7): the macro agrees with the formula of Faà di Bruno at every
/// operation, for every program between first-order types.
#[must_use]
pub fn first_order(setting: GluingSetup) -> TheoremTest<'static> {
    let draw = |random: &mut SplitMix64| {
        let ty = Ty::function(first_order_type(random, 2), first_order_type(random, 2));
        let size = 4 + random.next_below(PROGRAM);
        vec![scope::draw_program(random, &ty, size)]
    };
    let judge = move |sample: &TheoremSample| {
        let (core, ty) = (scope::core_term(&sample.terms[0])?, &sample.terms[0].ty);
        let derived = setting.derive_program(&core, ty, &sample.basis)?;
        let right = second_component(&core, &sample.basis, RepresentationMethod::FaaDiBruno)?;
        test_equal(
            &derived_type(sample, &sample.terms[0].ty),
            &scope::run_program(&derived.term)?,
            &right,
            &mut SplitMix64::new(sample.seed),
        )
    };
    TheoremTest { range: BasisRange::UpTo(2, 3), draw: Box::new(draw), judge: Box::new(judge) }
}

/// Returns ⦇*⦈₁ of two jets, by the definition of representations.
fn multiply_jets(sample: &TheoremSample, x: &Element, y: &Element) -> Result<Element, GlueError> {
    let multiply = |curves: &[Element]| constants::apply_to_elements(Constant::Multiply, SourceId::default(), curves);
    Ok(representation::taylor_representation(&sample.basis, multiply, &[x.clone(), y.clone()])?)
}

/// Returns the six formulas as printed (H §6.2), at (x₀₀, x₀₁, x₀₂, x₁₀, x₁₁, x₂₀) and the same coordinates of y.
fn printed_product(x: &[Graph], y: &[Graph]) -> Vec<Graph> {
    // (c, i, j) is the term c · xᵢ · yⱼ, with coordinates numbered in the order above
    let terms: [&[(i64, usize, usize)]; 6] = [
        &[(1, 0, 0)],
        &[(1, 0, 1), (1, 1, 0)],
        &[(1, 2, 0), (2, 1, 1), (1, 0, 2)],
        &[(1, 0, 3), (1, 3, 0)],
        &[(1, 4, 0), (1, 1, 3), (1, 3, 1), (1, 0, 4)],
        &[(1, 5, 0), (2, 3, 3), (1, 0, 5)],
    ];
    let times = |a: &Graph, b: &Graph| Graph::binary(Binary::Multiply, a, b);
    let sum = |terms: &&[(i64, usize, usize)]| {
        let each = terms.iter().map(|&(c, i, j)| times(&Graph::integer(c), &times(&x[i], &y[j])));
        each.reduce(|sum, term| Graph::binary(Binary::Add, &sum, &term)).unwrap_or_else(|| Graph::integer(0))
    };
    terms.iter().map(sum).collect()
}

/// The multiplication of (2, 2)-jets is as printed in H §6.2. It is symmetric and associative, with unit ⟨1, 0, 0, 0,
/// 0, 0⟩.
#[must_use]
pub fn multiplication() -> TheoremTest<'static> {
    let judge = |sample: &TheoremSample| {
        let mut random = SplitMix64::new(sample.seed);
        let mut number =
            || Graph::rational(Rational::from((random.next_below(41) as i64 - 20, 1 + random.next_below(8) as i64)));
        let [x, y, z] = [(); 3].map(|()| (0..6).map(|_| number()).collect::<Vec<_>>());
        let jet = |coordinates: &[Graph]| representation::jet_of(coordinates.iter().cloned());
        let ty = types::jet_type(6);
        let same = |left: &Element, right: &Element| test_equal(&ty, left, right, &mut SplitMix64::new(0));
        let (a, b, c) = (jet(&x), jet(&y), jet(&z));
        let ab = multiply_jets(sample, &a, &b)?;
        let unit = representation::constant_jet(&sample.basis, Graph::integer(1));
        let laws = [
            same(&ab, &jet(&printed_product(&x, &y)))?,
            same(&ab, &multiply_jets(sample, &b, &a)?)?,
            same(&multiply_jets(sample, &ab, &c)?, &multiply_jets(sample, &a, &multiply_jets(sample, &b, &c)?)?)?,
            same(&multiply_jets(sample, &unit, &a)?, &a)?,
        ];
        Ok(laws.into_iter().fold(Verdict::Survived.into(), VerdictWithValues::both))
    };
    TheoremTest { range: BasisRange::Only(2, 2), draw: Box::new(|_| Vec::new()), judge: Box::new(judge) }
}
