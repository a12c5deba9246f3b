//! Random elements of presheaves for tests: small maps that are smooth everywhere, and structures made of these.

use super::Presheaf;
use super::coend::{Tan, Tangent};
use super::discrete::Discrete;
use super::exponential::{Exponential, Natural};
use super::product::Product;
use super::representable::{Real, Representable};
use super::second_order::{Functional, NaturalFamily};
use super::stage::at_a_stage;
use super::sum::{Either, Sum};
use super::yoneda::{Shifted, curried};
use crate::number::Rational;
use crate::random::Random;
use crate::smooth::dimension::{Dim, Line, Shape};
use crate::smooth::map::{Map, Space};

/// A presheaf with random elements.
pub trait Sample: Presheaf {
    /// Draws an element at a stage.
    fn draw<G: Shape>(random: &mut Random, space: &Space<G>) -> Self::At<G>;

    /// Returns all elements at a stage if there are few. A function is then tested on all of them. Returns `None`
    /// otherwise.
    fn elements<G: Shape>(_space: &Space<G>) -> Option<Vec<Self::At<G>>> {
        None
    }
}

/// The largest number of elements that are few. A choice: 𝔅⁴ has 16 elements.
const FEW: usize = 16;

/// Draws a map to ℝ from a few operations that are smooth everywhere.
pub fn real<G: Shape>(random: &mut Random, space: &Space<G>) -> Map<G, Line> {
    // An odd number of sixteenths: constants are never 0, and no integer.
    let mut known = space.coordinates();
    known.push(space.constant((2 * random.below(32) as i64 - 31, 16)));
    // The factors 1/2, 1/3 and 1/4 keep values small, and so the enclosures narrow.
    for _ in 0..3 {
        let pick = |random: &mut Random| known[random.below(known.len())].clone();
        let (a, b) = (pick(random), pick(random));
        known.push(match random.below(7) {
            0 => a + b,
            1 => &a * &b / 2,
            2 => a - b * Rational::from((1, 3)),
            3 => a.sin(),
            4 => a.atan() + b,
            5 => a.cos() * b,
            _ => a.powi(2) / 4,
        });
    }
    // The last results depend on many of the others.
    let [a, b] = [known.len() - 1, known.len() - 2].map(|i| known[i].clone());
    a + b / 2
}

/// Draws a map between objects, with random components.
pub fn map<G: Shape, N: Shape>(random: &mut Random, space: &Space<G>, to: &Space<N>) -> Map<G, N> {
    space.tuple(to, |_| real(random, space))
}

impl<N: Dim + 'static> Sample for Representable<N> {
    fn draw<G: Shape>(random: &mut Random, space: &Space<G>) -> Map<G, N> {
        map(random, space, &Space::new())
    }
}

impl Sample for Discrete<()> {
    fn draw<G: Shape>(_: &mut Random, _: &Space<G>) {}

    fn elements<G: Shape>(_: &Space<G>) -> Option<Vec<()>> {
        Some(vec![()])
    }
}

impl Sample for Discrete<bool> {
    fn draw<G: Shape>(random: &mut Random, _: &Space<G>) -> bool {
        random.chance(50)
    }

    fn elements<G: Shape>(_: &Space<G>) -> Option<Vec<bool>> {
        Some(vec![false, true])
    }
}

impl Sample for Discrete<u64> {
    fn draw<G: Shape>(random: &mut Random, _: &Space<G>) -> u64 {
        random.below(10) as u64
    }
}

impl<A: Sample, B: Sample> Sample for Product<A, B> {
    fn draw<G: Shape>(random: &mut Random, space: &Space<G>) -> Self::At<G> {
        (A::draw(random, space), B::draw(random, space))
    }

    fn elements<G: Shape>(space: &Space<G>) -> Option<Vec<Self::At<G>>> {
        let (first, second) = (A::elements(space)?, B::elements(space)?);
        let pairs = || first.iter().flat_map(|a| second.iter().map(|b| (a.clone(), b.clone())));
        (first.len() * second.len() <= FEW).then(|| pairs().collect())
    }
}

impl<A: Sample, B: Sample> Sample for Sum<A, B> {
    fn draw<G: Shape>(random: &mut Random, space: &Space<G>) -> Self::At<G> {
        if random.chance(50) { Either::Left(A::draw(random, space)) } else { Either::Right(B::draw(random, space)) }
    }

    fn elements<G: Shape>(space: &Space<G>) -> Option<Vec<Self::At<G>>> {
        let (first, second) = (A::elements(space)?, B::elements(space)?);
        let all = || first.into_iter().map(Either::Left).chain(second.into_iter().map(Either::Right));
        Some(all().collect::<Vec<_>>()).filter(|all| all.len() <= FEW)
    }
}

/// Elements with additional coordinates as functions of real numbers, by the Yoneda lemma.
impl<N: Dim + 'static, H: Sample> Sample for Exponential<Representable<N>, H> {
    fn draw<G: Shape>(random: &mut Random, space: &Space<G>) -> Natural<Representable<N>, H, G> {
        curried(space, &H::draw(random, &space.times(&Space::<N>::new())))
    }
}

/// Functionals that evaluate their argument at two places, which may depend on each other, or integrate it.
impl Sample for Exponential<Exponential<Real, Real>, Real> {
    fn draw<G: Shape>(random: &mut Random, space: &Space<G>) -> Natural<Exponential<Real, Real>, Real, G> {
        type Places = Product<Real, Product<Real, Shifted<Real, Line>>>;
        let weight = real(random, &space.times(&Space::<Line>::new()));
        let context = (real(random, space), (real(random, space), weight));
        let shape = random.below(4);
        Natural::curry::<Places>(space, &context, move |space, (a, (b, weight)), f| {
            let id = space.id();
            let at = |x: &Map<_, Line>| Natural::apply(f, &id, x);
            match shape {
                0 => at(&at(a)) + b,
                1 => at(a) * at(b),
                2 => at(&(at(a) + at(b))).sin(),
                _ => at(a) * Functional::Integral.at(&weighted(space, f, weight)),
            }
        })
    }
}

/// Returns the function `t ↦ w(t)·f(t)`.
fn weighted<G: Shape>(
    space: &Space<G>,
    f: &Natural<Real, Real, G>,
    w: &Map<(G, Line), Line>,
) -> Natural<Real, Real, G> {
    type Factors = Product<Exponential<Real, Real>, Shifted<Real, Line>>;
    Natural::curry::<Factors>(space, &(f.clone(), w.clone()), |space, (f, w), t| {
        let id = space.id();
        id.pair(t).then(w) * f.apply(&id, t)
    })
}

/// Tangents over a stage of one or two coordinates.
impl<F: Sample> Sample for Tan<F> {
    fn draw<G: Shape>(random: &mut Random, space: &Space<G>) -> Tangent<F, G> {
        at_a_stage(1 + random.below(2), |stage| {
            let direction = map(random, space, &stage.times(stage));
            Tangent::new(&direction, &F::draw(random, stage))
        })
    }
}
