//! Taylor representations by their definition (H (3), §6.2), independent of the macro.
//!
//! The (k, R)-Taylor representation h of a smooth map `g : ℝⁿ → ℝ` is determined by `h(jets of f) = jets of g ∘ f` for all
//! `f : ℝᵏ → ℝⁿ`. Any n tuples (x_α) of numbers are the jets at 0 of the polynomials `t ↦ Σ_β x_β t^β/β!`, so
//!
//! `h_α(x) = ∂^α_t g(Σ_β x¹_β t^β/β!, …, Σ_β xⁿ_β t^β/β!)` at t = 0.
//!
//! It is computed in this way, as a graph with derivative nodes. No rule of differentiation is written here.
//!
//! # The macro as a functor
//!
//! Diagram (4), uniqueness, and the multiplication of (2, 2)-jets (H §6.1, §6.2).
//!
//! | statement | H |
//! |---|---|
//! | [`diagram`] | (4): ⟦𝒟t⟧ is the second component of ⦇t⦈, at every argument, related or not |
//! | [`initiality`] | Lemma 4: 𝒟 is a functor on programs modulo βη, and preserves application |
//! | [`first_order`] | §7: derivatives at first-order types are unique: two valid macros agree there |
//! | [`multiplication`] | §6.2: ⦇*⦈₁ for (2, 2) is as printed; it is symmetric and associative, with unit ⟨1, 0, 0, 0, 0, 0⟩ |

use super::claim::GlueError;
use super::equality::test_equal;
use super::evaluation;
use super::interpretation::{RepresentationMethod, second_component};
use super::lemma::{GluingSetup, apply_all, random_type};
use super::trial::{BasisRange, TheoremSample, TheoremTest, VerdictWithValues};
use crate::law::generate::{either_type, maybe_type, tree_type};
use crate::law::term::pair_type;
use crate::meaning::presheaf;
use crate::meaning::taylor::functor;
use crate::meaning::taylor::functor::TypeTranslation;
use crate::meaning::taylor::jet::{Basis, MultiIndex};
use crate::number::Rational;
use crate::presheaf::dynamic::Element;
use crate::random::SplitMix64;
use crate::smooth::graph::{Binary, Graph, SourceId, Variable};
use crate::syntax::constant::Constant;
use crate::syntax::normal::normalise;
use crate::syntax::source::Span;
use crate::syntax::term::Term as Core;
use crate::syntax::ty::{Ty, TyKind};
use crate::value::ValueError;
use crate::verdict::Verdict;

/// Returns the numbers of a jet.
///
/// # Errors
/// [`ValueError::Mismatch`] if `jet` is not a tuple of numbers.
pub fn jet_coordinates(jet: &Element) -> Result<Vec<Graph>, ValueError> {
    jet.as_tuple()?.iter().map(|part| part.as_real().cloned()).collect()
}

/// Makes the jet of these numbers.
#[must_use]
pub fn jet_of(coordinates: impl IntoIterator<Item = Graph>) -> Element {
    Element::tuple_of(coordinates.into_iter().map(Element::Real))
}

/// Returns ⟨c, 0, …, 0⟩, the jet of a constant plot.
#[must_use]
pub fn constant_jet(basis: &Basis, value: Graph) -> Element {
    jet_of(std::iter::once(value).chain((1..basis.len()).map(|_| Graph::integer(0))))
}

/// Returns `Σ_β x_β t^β/β!`.
#[must_use]
pub fn taylor_polynomial(basis: &Basis, coefficients: &[Graph], at: &[Graph]) -> Graph {
    // terms with coefficient 0 are left out, which keeps the graphs of constant jets small
    let zero = |g: &Graph| g.as_rational().is_some_and(Rational::is_zero);
    let mut sum: Option<Graph> = None;
    for (index, coefficient) in basis.indices().iter().zip(coefficients).filter(|(_, c)| !zero(c)) {
        let mut term = coefficient.clone();
        let mut factorial = Rational::from(1);
        for (entry, t) in index.iter().zip(at) {
            for power in 1..=*entry {
                term = Graph::binary(Binary::Multiply, &term, t);
                factorial *= power as u64;
            }
        }
        if factorial != 1 {
            term = Graph::binary(Binary::Divide, &term, &Graph::rational(factorial));
        }
        sum = Some(sum.map_or_else(|| term.clone(), |sum| Graph::binary(Binary::Add, &sum, &term)));
    }
    sum.unwrap_or_else(|| Graph::integer(0))
}

/// Returns `∂^α body` in these variables, at a point, with one derivative node for each order.
#[must_use]
pub fn partial_derivative(variables: &[Variable], body: &Graph, index: &MultiIndex, at: &[Graph]) -> Graph {
    let mut body = body.clone();
    for (direction, entry) in index.iter().enumerate() {
        for _ in 0..*entry {
            let here = vec![Graph::variable(variables[direction])];
            body = Graph::derivative(vec![variables[direction]], body, here, vec![Graph::integer(1)]);
        }
    }
    // the point is substituted at the end, after all derivatives are taken in the variables
    let bindings: Vec<_> = variables.iter().copied().zip(at.iter().cloned()).collect();
    body.substitute(&bindings)
}

/// Returns the Taylor representation of a map at jets.
///
/// | argument | meaning |
/// |---|---|
/// | `map` | g : ℝⁿ → ℝ, at graphs in any variables |
/// | `arguments` | n jets over the basis |
///
/// # Errors
/// Those of the map; [`ValueError::Mismatch`] for an argument that is no jet.
pub fn taylor_representation(
    basis: &Basis,
    map: impl FnOnce(&[Element]) -> Result<Element, ValueError>,
    arguments: &[Element],
) -> Result<Element, ValueError> {
    // fresh variables, so that the curves do not capture variables of the jets
    let variables: Vec<Variable> = (0..basis.directions()).map(|_| Variable::fresh()).collect();
    let t: Vec<Graph> = variables.iter().map(|v| Graph::variable(*v)).collect();
    let curve = |argument: &Element| Ok(Element::Real(taylor_polynomial(basis, &jet_coordinates(argument)?, &t)));
    let curves: Vec<Element> = arguments.iter().map(curve).collect::<Result<_, ValueError>>()?;
    let body = map(&curves)?;
    let origin = vec![Graph::integer(0); variables.len()];
    let body = body.as_real()?;
    Ok(jet_of(basis.indices().iter().map(|index| partial_derivative(&variables, body, index, &origin))))
}

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
        vec![evaluation::draw_program(random, &ty, size)]
    };
    let judge = move |sample: &TheoremSample| {
        let (core, ty) = (evaluation::core_term(&sample.terms[0])?, &sample.terms[0].ty);
        let derived = setting.derive_program(&core, ty, &sample.basis)?;
        if let Err(error) = derived.check_types() {
            return Ok(Verdict::refuted("the type of the derived program", derived.ty, error).into());
        }
        let right = second_component(&core, &sample.basis, RepresentationMethod::Definition)?;
        test_equal(
            &derived_type(sample, &sample.terms[0].ty),
            &evaluation::run_program(&derived.term)?,
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
        let function = evaluation::draw_program(random, &Ty::function(domain.clone(), codomain), t);
        vec![function, evaluation::draw_smooth_program(random, &domain, s)]
    };
    let judge = move |sample: &TheoremSample| {
        let (function, argument) = (&sample.terms[0], &sample.terms[1]);
        let TyKind::Function(_, ty) = function.ty.kind() else { return Ok(Verdict::Vacuous.into()) };
        let (f, x) = (evaluation::core_term(function)?, evaluation::core_term(argument)?);
        // the normal form is another program of the same class modulo βη
        let whole = Core::apply(f.clone(), x.clone(), Span::default());
        let normal = normalise(&whole)
            .and_then(|normal| normal.to_term())
            .map_err(|error| GlueError::Program { program: whole.to_string(), because: error.to_string() })?;
        let derived = |term, ty: &Ty| evaluation::run_program(&setting.derive_program(term, ty, &sample.basis)?.term);
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
        vec![evaluation::draw_program(random, &ty, size)]
    };
    let judge = move |sample: &TheoremSample| {
        let (core, ty) = (evaluation::core_term(&sample.terms[0])?, &sample.terms[0].ty);
        let derived = setting.derive_program(&core, ty, &sample.basis)?;
        let right = second_component(&core, &sample.basis, RepresentationMethod::FaaDiBruno)?;
        test_equal(
            &derived_type(sample, &sample.terms[0].ty),
            &evaluation::run_program(&derived.term)?,
            &right,
            &mut SplitMix64::new(sample.seed),
        )
    };
    TheoremTest { range: BasisRange::UpTo(2, 3), draw: Box::new(draw), judge: Box::new(judge) }
}

/// Returns ⦇*⦈₁ of two jets, by the definition of representations.
fn multiply_jets(sample: &TheoremSample, x: &Element, y: &Element) -> Result<Element, GlueError> {
    let multiply = |curves: &[Element]| presheaf::apply_to_elements(Constant::Multiply, SourceId::default(), curves);
    Ok(taylor_representation(&sample.basis, multiply, &[x.clone(), y.clone()])?)
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
        let jet = |coordinates: &[Graph]| jet_of(coordinates.iter().cloned());
        let ty = functor::jet_type(6);
        let same = |left: &Element, right: &Element| test_equal(&ty, left, right, &mut SplitMix64::new(0));
        let (a, b, c) = (jet(&x), jet(&y), jet(&z));
        let ab = multiply_jets(sample, &a, &b)?;
        let unit = constant_jet(&sample.basis, Graph::integer(1));
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
