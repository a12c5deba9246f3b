//! A presheaf of one's own: polynomials of any degree, whose coefficients vary (S §5).
//!
//! An element at Γ is a list of maps Γ ⇝ ℝ. How long the list is does not vary with the stage, as for lists in the paper;
//! but zeros at its end do not count, so the degree is not seen.
//!
//! `cargo run --example polynomials`

use smoothish::number::Rational;
use smoothish::number::budget::Budget;
use smoothish::presheaf::coend::{
    CoendTangent, KeepsProducts, LanElement, Pointed, PresheafIso, TanPresheaf, tangent_r,
};
use smoothish::presheaf::exponential::{ExponentialElement, ExponentialPresheaf, PresheafTransformation};
use smoothish::presheaf::observe::{Observe, SampleElements};
use smoothish::presheaf::{ElementAt, Presheaf, ProductPresheaf, RealPresheaf, observe};
use smoothish::random::SplitMix64;
use smoothish::smooth::dimension::MapEnd;
use smoothish::smooth::map::{Map, MapError, MapTestConfig, Space};
use smoothish::verdict::Verdict;
use typenum::{U0, U1};

/// Polynomials.
pub enum Polynomials {}

/// Coefficients, the constant one first.
pub type Coefficients<G> = Vec<Map<G, U1>>;

impl Presheaf for Polynomials {
    type At<G: MapEnd> = Coefficients<G>;

    fn restrict<D: MapEnd, G: MapEnd>(along: &Map<D, G>, p: &Coefficients<G>) -> Coefficients<D> {
        p.iter().map(|c| along.then(c)).collect()
    }
}

/// A verdict, or why there is none.
type Tried = Result<Verdict, MapError>;

/// Coefficient number i, which is 0 beyond the end.
fn coefficient<G: MapEnd>(space: &Space<G>, p: &[Map<G, U1>], i: usize) -> Map<G, U1> {
    p.get(i).cloned().unwrap_or_else(|| space.constant(0))
}

impl Observe for Polynomials {
    fn compare_elements<G: MapEnd>(
        space: &Space<G>,
        p: &Coefficients<G>,
        q: &Coefficients<G>,
        trial: &MapTestConfig,
    ) -> Tried {
        let pairs = (0..p.len().max(q.len()).max(1)).map(|i| (coefficient(space, p, i), coefficient(space, q, i)));
        Verdict::all_samples(pairs.map(|(a, b)| RealPresheaf::compare_elements(space, &a, &b, trial)))
    }

    /// Tangents, jets and the like are compared as those of functions.
    fn compare_classes<T: Pointed + KeepsProducts, G: MapEnd>(
        space: &Space<G>,
        v: &LanElement<T, Self, G>,
        w: &LanElement<T, Self, G>,
        trial: &MapTestConfig,
    ) -> Tried {
        observe::compare_through(&evaluate(), space, v, w, trial)
    }
}

impl SampleElements for Polynomials {
    fn draw_element<G: MapEnd>(random: &mut SplitMix64, space: &Space<G>) -> Coefficients<G> {
        (0..random.next_below(4)).map(|_| observe::draw_real_map(random, space)).collect()
    }
}

/// A tangent to polynomials is two polynomials: the coefficients, and how they move.
pub fn tangents_to_polynomials() -> PresheafIso<TanPresheaf<Polynomials>, ProductPresheaf<Polynomials, Polynomials>> {
    let to = PresheafTransformation::new(|space, v: &CoendTangent<Polynomials, _>| {
        let coefficients: Vec<CoendTangent<RealPresheaf, _>> =
            v.with_representative(|v| v.element.iter().map(|c| CoendTangent::new(&v.along, c)).collect());
        let to = tangent_r().to;
        coefficients.iter().map(|c| to.component_at(space, c)).unzip()
    });
    // the curve p + s·q at s = 0
    let from = PresheafTransformation::new(|space, (p, q): &(Coefficients<_>, Coefficients<_>)| {
        let line = Space::<U1>::new();
        let (rest, s) = (space.first(&line), space.second(&line));
        let step: Coefficients<_> = Polynomials::restrict(&rest, q).iter().map(|c| c * &s).collect();
        let curve = sum(&space.product_with(&line), &Polynomials::restrict(&rest, p), &step);
        let point = space.id().pair(&space.constant(0));
        CoendTangent::new(&point.pair(&space.zero(space).pair(&space.constant(1))), &curve)
    });
    PresheafIso { to, from }
}

/// p + q
pub fn sum<G: MapEnd>(space: &Space<G>, p: &[Map<G, U1>], q: &[Map<G, U1>]) -> Coefficients<G> {
    (0..p.len().max(q.len())).map(|i| coefficient(space, p, i) + coefficient(space, q, i)).collect()
}

/// p·q
pub fn product<G: MapEnd>(space: &Space<G>, p: &[Map<G, U1>], q: &[Map<G, U1>]) -> Coefficients<G> {
    let mut found = vec![space.constant(0); (p.len() + q.len()).saturating_sub(1)];
    for (i, a) in p.iter().enumerate() {
        for (j, b) in q.iter().enumerate() {
            found[i + j] = &found[i + j] + &(a * b);
        }
    }
    found
}

/// p′
pub fn derivative<G: MapEnd>(p: &[Map<G, U1>]) -> Coefficients<G> {
    p.iter().enumerate().skip(1).map(|(i, c)| c * i as i64).collect()
}

/// `evaluate : Polynomials → (ℜ ⇒ ℜ)`, by Horner's rule.
pub fn evaluate() -> PresheafTransformation<Polynomials, ExponentialPresheaf<RealPresheaf, RealPresheaf>> {
    PresheafTransformation::new(|space, p| {
        ExponentialElement::curry::<Polynomials>(space, p, |space, p, x| {
            p.iter().rev().fold(space.constant(0), |value, c| value * x + c)
        })
    })
}

/// **Evaluation keeps products and sums.** `(p·q)(x) = p(x)·q(x)` and `(p + q)(x) = p(x) + q(x)`
pub fn evaluation_is_a_homomorphism<G: MapEnd>(
    space: &Space<G>,
    [p, q]: &[ElementAt<Polynomials, G>; 2],
    x: &Map<G, U1>,
    trial: &MapTestConfig,
) -> Tried {
    let at = |p: &Coefficients<G>| evaluate().component_at(space, p).apply(&space.id(), x);
    let products = RealPresheaf::compare_elements(space, &at(&product(space, p, q)), &(at(p) * at(q)), trial)?;
    Ok(products.and(RealPresheaf::compare_elements(space, &at(&sum(space, p, q)), &(at(p) + at(q)), trial)?))
}

/// **Derivatives.** `p′(x)` is the slope of evaluation at x: `tangent (evaluate p) (x, 1)`.
pub fn evaluation_keeps_derivatives<G: MapEnd>(
    space: &Space<G>,
    p: &ElementAt<Polynomials, G>,
    x: &Map<G, U1>,
    trial: &MapTestConfig,
) -> Tried {
    let v = tangent_r().from.component_at(space, &(x.clone(), space.constant(1)));
    let moved = smoothish::presheaf::coend::tangent_map(&evaluate().component_at(space, p), &v);
    let slope = tangent_r().to.component_at(space, &moved).1;
    let right = evaluate().component_at(space, &derivative(p)).apply(&space.id(), x);
    RealPresheaf::compare_elements(space, &slope, &right, trial)
}

fn main() -> Result<(), MapError> {
    // (1 + x)², three times
    let point = Space::<U0>::new();
    let binomial = vec![point.constant(1), point.constant(1)];
    let square = product(&point, &binomial, &binomial);
    let sixth = product(&point, &product(&point, &square, &square), &square);
    let at_one = evaluate().component_at(&point, &sixth).component_at(&point, &point.constant(1));
    let slope = evaluate().component_at(&point, &derivative(&sixth)).component_at(&point, &point.constant(1));
    for (name, number) in [("(1 + x)^6 at 1", at_one), ("its slope", slope)] {
        let answer = number.at([]).enclose(&Rational::from((1, 1000)), &Budget::unlimited())?;
        println!("{name} ∈ {}", answer.components[0].enclosure);
    }
    Ok(())
}
