//! The macro as a functor: diagram (4), uniqueness, and the multiplication of (2, 2)-jets (H §6.1, §6.2).
//!
//! | statement | H |
//! |---|---|
//! | [`diagram`] | (4): ⟦𝒟t⟧ is the second component of ⦇t⦈, at every argument, related or not |
//! | [`initiality`] | Lemma 4: 𝒟 is a functor on programs modulo βη, and preserves application |
//! | [`first_order`] | §7: derivatives at first-order types are unique: two valid macros agree there |
//! | [`multiplication`] | §6.2: ⦇*⦈₁ for (2, 2) is as printed; it is symmetric and associative, with unit ⟨1, 0, 0, 0, 0, 0⟩ |

use super::equality::equal;
use super::error::GlueError;
use super::interpretation::{By, second};
use super::judged::Judged;
use super::lemma::{Setting, applied, random_type};
use super::representation;
use super::scope;
use super::trial::{Experiment, Range, Sample};
use crate::law::generate::{either, maybe, tree};
use crate::law::term::pair;
use crate::meaning::presheaf::constants;
use crate::meaning::taylor::types::{self, Types};
use crate::number::Rational;
use crate::presheaf::dynamic::Element;
use crate::random::Random;
use crate::smooth::graph::{Binary, Graph, Site};
use crate::syntax::constant::Constant;
use crate::syntax::normal::normalise;
use crate::syntax::source::Span;
use crate::syntax::term::Term as Core;
use crate::syntax::ty::{Ty, TyKind};
use crate::verdict::Verdict;

/// The spread of the sizes of random programs, in heads. A choice.
const PROGRAM: usize = 20;

/// Returns 𝒟(τ).
pub(super) fn image(sample: &Sample, ty: &Ty) -> Ty {
    Types::new(sample.basis.len()).ty(ty)
}

/// Diagram (4) (H): the macro followed by the semantics in Diff equals ⦇−⦈ followed by the second projection.
#[must_use]
pub fn diagram(setting: Setting) -> Experiment<'static> {
    let draw = |random: &mut Random| {
        let ty = random_type(random, 3);
        let size = 4 + random.below(PROGRAM);
        vec![scope::program(random, &ty, size)]
    };
    let judge = move |sample: &Sample| {
        let (core, ty) = (scope::core(&sample.terms[0])?, &sample.terms[0].ty);
        let derived = setting.derived(&core, ty, &sample.basis)?;
        if let Err(error) = derived.check() {
            return Ok(Verdict::refuted("the type of the derived program", derived.ty, error).into());
        }
        let right = second(&core, &sample.basis, By::Definition)?;
        equal(&image(sample, &sample.terms[0].ty), &scope::run(&derived.term)?, &right, &mut Random::new(sample.seed))
    };
    Experiment { range: Range::UpTo(2, 2), draw: Box::new(draw), judge: Box::new(judge) }
}

/// 𝒟 is well-defined on programs modulo βη and preserves application: 𝒟 of the normal form of `t s` equals 𝒟t at 𝒟s (H
/// Lemma 4, Ex. 6.1).
#[must_use]
pub fn initiality(setting: Setting) -> Experiment<'static> {
    let draw = |random: &mut Random| {
        let (domain, codomain) = (random_type(random, 2), random_type(random, 2));
        let (t, s) = (4 + random.below(PROGRAM), 1 + random.below(PROGRAM / 2));
        let function = scope::program(random, &Ty::function(domain.clone(), codomain), t);
        vec![function, scope::smooth(random, &domain, s)]
    };
    let judge = move |sample: &Sample| {
        let (function, argument) = (&sample.terms[0], &sample.terms[1]);
        let TyKind::Function(_, ty) = function.ty.kind() else { return Ok(Verdict::Vacuous.into()) };
        let (f, x) = (scope::core(function)?, scope::core(argument)?);
        // the normal form is another program of the same class modulo βη
        let whole = Core::apply(f.clone(), x.clone(), Span::default());
        let normal = normalise(&whole)
            .and_then(|normal| normal.to_term())
            .map_err(|error| GlueError::Program { program: whole.to_string(), because: error.to_string() })?;
        let derived = |term, ty: &Ty| scope::run(&setting.derived(term, ty, &sample.basis)?.term);
        let (f, x, normal) = (derived(&f, &function.ty)?, derived(&x, &argument.ty)?, derived(&normal, ty)?);
        equal(&image(sample, ty), &applied(&f, [x])?, &normal, &mut Random::new(sample.seed))
    };
    Experiment { range: Range::UpTo(2, 2), draw: Box::new(draw), judge: Box::new(judge) }
}

/// Draws a first-order type: made of reals, products, variants, lists and trees.
pub fn first_order_type(random: &mut Random, depth: usize) -> Ty {
    let part = |random: &mut Random| first_order_type(random, depth - 1);
    let choices = [(3, 0), (3, 1), (2, 2), (2, 3), (1, 4), (1, 5)];
    match random.weighted(if depth == 0 { &choices[..1] } else { &choices }) {
        0 => Ty::real(),
        1 => {
            let first = part(random);
            pair(first, part(random))
        }
        2 => Ty::list(part(random)),
        3 => maybe(part(random)),
        4 => tree(part(random)),
        _ => {
            let left = part(random);
            either(left, part(random))
        }
    }
}

/// Derivatives at first-order types are unique (H §7): the macro agrees with the formula of Faà di Bruno at every
/// operation, for every program between first-order types.
#[must_use]
pub fn first_order(setting: Setting) -> Experiment<'static> {
    let draw = |random: &mut Random| {
        let ty = Ty::function(first_order_type(random, 2), first_order_type(random, 2));
        let size = 4 + random.below(PROGRAM);
        vec![scope::program(random, &ty, size)]
    };
    let judge = move |sample: &Sample| {
        let (core, ty) = (scope::core(&sample.terms[0])?, &sample.terms[0].ty);
        let derived = setting.derived(&core, ty, &sample.basis)?;
        let right = second(&core, &sample.basis, By::FaaDiBruno)?;
        equal(&image(sample, &sample.terms[0].ty), &scope::run(&derived.term)?, &right, &mut Random::new(sample.seed))
    };
    Experiment { range: Range::UpTo(2, 3), draw: Box::new(draw), judge: Box::new(judge) }
}

/// Returns ⦇*⦈₁ of two jets, by the definition of representations.
fn product(sample: &Sample, x: &Element, y: &Element) -> Result<Element, GlueError> {
    let multiply = |curves: &[Element]| constants::apply(Constant::Multiply, Site::default(), curves);
    Ok(representation::lifted(&sample.basis, multiply, &[x.clone(), y.clone()])?)
}

/// Returns the six formulas as printed (H §6.2), at (x₀₀, x₀₁, x₀₂, x₁₀, x₁₁, x₂₀) and the same coordinates of y.
fn printed(x: &[Graph], y: &[Graph]) -> Vec<Graph> {
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
pub fn multiplication() -> Experiment<'static> {
    let judge = |sample: &Sample| {
        let mut random = Random::new(sample.seed);
        let mut number = || Graph::rational(Rational::from((random.below(41) as i64 - 20, 1 + random.below(8) as i64)));
        let [x, y, z] = [(); 3].map(|()| (0..6).map(|_| number()).collect::<Vec<_>>());
        let jet = |coordinates: &[Graph]| representation::jet(coordinates.iter().cloned());
        let ty = types::jet(6);
        let same = |left: &Element, right: &Element| equal(&ty, left, right, &mut Random::new(0));
        let (a, b, c) = (jet(&x), jet(&y), jet(&z));
        let ab = product(sample, &a, &b)?;
        let unit = representation::still(&sample.basis, Graph::integer(1));
        let laws = [
            same(&ab, &jet(&printed(&x, &y)))?,
            same(&ab, &product(sample, &b, &a)?)?,
            same(&product(sample, &ab, &c)?, &product(sample, &a, &product(sample, &b, &c)?)?)?,
            same(&product(sample, &unit, &a)?, &a)?,
        ];
        Ok(laws.into_iter().fold(Verdict::Survived.into(), Judged::both))
    };
    Experiment { range: Range::Only(2, 2), draw: Box::new(|_| Vec::new()), judge: Box::new(judge) }
}
