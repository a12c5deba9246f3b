//! A presheaf of one's own: polynomials of any degree, whose coefficients vary (S §5).
//!
//! An element at Γ is a list of maps Γ ⇝ ℝ. How long the list is does not vary with the stage, as for lists in the paper;
//! but zeros at its end do not count, so the degree is not seen.
//!
//! `cargo run --example polynomials`

use smoothish::number::{Rational, budget::Budget};
use smoothish::presheaf::coend::{Tan, Tangent};
use smoothish::presheaf::exponential::{Exponential, Natural, Transformation};
use smoothish::presheaf::isomorphism::{Iso, tangent_r};
use smoothish::presheaf::observe::Observe;
use smoothish::presheaf::product::Product;
use smoothish::presheaf::representable::Real;
use smoothish::presheaf::sample::{self, Sample};
use smoothish::presheaf::{At, Presheaf};
use smoothish::random::Random;
use smoothish::smooth::dimension::Shape;
use smoothish::smooth::map::{Map, MapError, Space, Trial};
use smoothish::verdict::Verdict;
use typenum::{U0, U1};

/// Polynomials.
pub enum Polynomials {}

/// Coefficients, the constant one first.
pub type Coefficients<G> = Vec<Map<G, U1>>;

impl Presheaf for Polynomials {
    type At<G: Shape> = Coefficients<G>;

    fn restrict<D: Shape, G: Shape>(along: &Map<D, G>, p: &Coefficients<G>) -> Coefficients<D> {
        p.iter().map(|c| along.then(c)).collect()
    }
}

/// A verdict, or why there is none.
type Tried = Result<Verdict, MapError>;

/// Coefficient number i, which is 0 beyond the end.
fn coefficient<G: Shape>(space: &Space<G>, p: &[Map<G, U1>], i: usize) -> Map<G, U1> {
    p.get(i).cloned().unwrap_or_else(|| space.constant(0))
}

impl Observe for Polynomials {
    fn agree<G: Shape>(space: &Space<G>, p: &Coefficients<G>, q: &Coefficients<G>, trial: &Trial) -> Tried {
        let pairs = (0..p.len().max(q.len()).max(1)).map(|i| (coefficient(space, p, i), coefficient(space, q, i)));
        Verdict::all(pairs.map(|(a, b)| Real::agree(space, &a, &b, trial)))
    }

    /// Through [`tangents_to_polynomials`].
    fn tangents_agree<G: Shape>(space: &Space<G>, v: &Tangent<Self, G>, w: &Tangent<Self, G>, trial: &Trial) -> Tried {
        let to = tangents_to_polynomials().to;
        Product::<Polynomials, Polynomials>::agree(space, &to.at(space, v), &to.at(space, w), trial)
    }
}

impl Sample for Polynomials {
    fn draw<G: Shape>(random: &mut Random, space: &Space<G>) -> Coefficients<G> {
        (0..random.below(4)).map(|_| sample::real(random, space)).collect()
    }
}

/// A tangent to polynomials is two polynomials: the coefficients, and how they move.
pub fn tangents_to_polynomials() -> Iso<Tan<Polynomials>, Product<Polynomials, Polynomials>> {
    let to = Transformation::new(|space, v: &Tangent<Polynomials, _>| {
        let coefficients: Vec<Tangent<Real, _>> =
            v.open(|v| v.element.iter().map(|c| Tangent::new(&v.direction, c)).collect());
        let to = tangent_r().to;
        coefficients.iter().map(|c| to.at(space, c)).unzip()
    });
    // the curve p + s·q at s = 0
    let from = Transformation::new(|space, (p, q): &(Coefficients<_>, Coefficients<_>)| {
        let line = Space::<U1>::new();
        let (rest, s) = (space.first(&line), space.second(&line));
        let step: Coefficients<_> = Polynomials::restrict(&rest, q).iter().map(|c| c * &s).collect();
        let curve = sum(&space.times(&line), &Polynomials::restrict(&rest, p), &step);
        let point = space.id().pair(&space.constant(0));
        Tangent::new(&point.pair(&space.zero(space).pair(&space.constant(1))), &curve)
    });
    Iso { to, from }
}

/// p + q
pub fn sum<G: Shape>(space: &Space<G>, p: &[Map<G, U1>], q: &[Map<G, U1>]) -> Coefficients<G> {
    (0..p.len().max(q.len())).map(|i| coefficient(space, p, i) + coefficient(space, q, i)).collect()
}

/// p·q
pub fn product<G: Shape>(space: &Space<G>, p: &[Map<G, U1>], q: &[Map<G, U1>]) -> Coefficients<G> {
    let mut found = vec![space.constant(0); (p.len() + q.len()).saturating_sub(1)];
    for (i, a) in p.iter().enumerate() {
        for (j, b) in q.iter().enumerate() {
            found[i + j] = &found[i + j] + &(a * b);
        }
    }
    found
}

/// p′
pub fn derivative<G: Shape>(p: &[Map<G, U1>]) -> Coefficients<G> {
    p.iter().enumerate().skip(1).map(|(i, c)| c * i as i64).collect()
}

/// `evaluate : Polynomials → (ℜ ⇒ ℜ)`, by Horner's rule.
pub fn evaluate() -> Transformation<Polynomials, Exponential<Real, Real>> {
    Transformation::new(|space, p| {
        Natural::curry::<Polynomials>(space, p, |space, p, x| {
            p.iter().rev().fold(space.constant(0), |value, c| value * x + c)
        })
    })
}

/// **Evaluation keeps products and sums.** `(p·q)(x) = p(x)·q(x)` and `(p + q)(x) = p(x) + q(x)`
pub fn evaluation_is_a_homomorphism<G: Shape>(
    space: &Space<G>,
    [p, q]: &[At<Polynomials, G>; 2],
    x: &Map<G, U1>,
    trial: &Trial,
) -> Tried {
    let at = |p: &Coefficients<G>| evaluate().at(space, p).apply(&space.id(), x);
    let products = Real::agree(space, &at(&product(space, p, q)), &(at(p) * at(q)), trial)?;
    Ok(products.and(Real::agree(space, &at(&sum(space, p, q)), &(at(p) + at(q)), trial)?))
}

/// **Derivatives.** `p′(x)` is the slope of evaluation at x: `tangent (evaluate p) (x, 1)`.
pub fn evaluation_keeps_derivatives<G: Shape>(
    space: &Space<G>,
    p: &At<Polynomials, G>,
    x: &Map<G, U1>,
    trial: &Trial,
) -> Tried {
    let v = tangent_r().from.at(space, &(x.clone(), space.constant(1)));
    let moved = smoothish::presheaf::coend::tangent(&evaluate().at(space, p), &v);
    let slope = tangent_r().to.at(space, &moved).1;
    let right = evaluate().at(space, &derivative(p)).apply(&space.id(), x);
    Real::agree(space, &slope, &right, trial)
}

fn main() -> Result<(), MapError> {
    // (1 + x)², three times
    let point = Space::<U0>::new();
    let binomial = vec![point.constant(1), point.constant(1)];
    let square = product(&point, &binomial, &binomial);
    let sixth = product(&point, &product(&point, &square, &square), &square);
    let at_one = evaluate().at(&point, &sixth).at(&point, &point.constant(1));
    let slope = evaluate().at(&point, &derivative(&sixth)).at(&point, &point.constant(1));
    for (name, number) in [("(1 + x)^6 at 1", at_one), ("its slope", slope)] {
        let answer = number.at([]).enclose(&Rational::from((1, 1000)), &Budget::unlimited())?;
        println!("{name} ∈ {}", answer.components[0].enclosure);
    }
    Ok(())
}
