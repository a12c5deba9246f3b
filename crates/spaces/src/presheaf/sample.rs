//! Random elements of presheaves for tests: small maps that are smooth everywhere, and structures made of these.

use super::Presheaf;
use super::coend::{CoendTangent, TanPresheaf};
use super::discrete::ConstantPresheaf;
use super::exponential::{ExponentialElement, ExponentialPresheaf};
use super::product::ProductPresheaf;
use super::representable::{RealPresheaf, Representable};
use super::second_order::{Functional, NaturalFamily};
use super::stage::with_stage;
use super::sum::{SumElement, SumPresheaf};
use super::yoneda::{ShiftedPresheaf, curry_representable};
use crate::number::Rational;
use crate::random::SplitMix64;
use crate::smooth::dimension::{Dim, MapEnd, RealObject};
use crate::smooth::map::{Map, Space};

/// A presheaf with random elements.
pub trait SampleElements: Presheaf {
    /// Draws an element at a stage.
    fn draw_element<G: MapEnd>(random: &mut SplitMix64, space: &Space<G>) -> Self::At<G>;

    /// Returns all elements at a stage if there are few. A function is then tested on all of them. Returns `None`
    /// otherwise.
    fn few_elements<G: MapEnd>(_space: &Space<G>) -> Option<Vec<Self::At<G>>> {
        None
    }
}

/// The largest number of elements that are few. A choice: 𝔅⁴ has 16 elements.
const MAX_FEW_ELEMENTS: usize = 16;

/// Draws a map to ℝ from a few operations that are smooth everywhere.
pub fn draw_real_map<G: MapEnd>(random: &mut SplitMix64, space: &Space<G>) -> Map<G, RealObject> {
    // An odd number of sixteenths: constants are never 0, and no integer.
    let mut known = space.coordinates();
    known.push(space.constant((2 * random.next_below(32) as i64 - 31, 16)));
    // The factors 1/2, 1/3 and 1/4 keep values small, and so the enclosures narrow.
    for _ in 0..3 {
        let pick = |random: &mut SplitMix64| known[random.next_below(known.len())].clone();
        let (a, b) = (pick(random), pick(random));
        known.push(match random.next_below(7) {
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
pub fn draw_map<G: MapEnd, N: MapEnd>(random: &mut SplitMix64, space: &Space<G>, to: &Space<N>) -> Map<G, N> {
    space.tuple(to, |_| draw_real_map(random, space))
}

impl<N: Dim + 'static> SampleElements for Representable<N> {
    fn draw_element<G: MapEnd>(random: &mut SplitMix64, space: &Space<G>) -> Map<G, N> {
        draw_map(random, space, &Space::new())
    }
}

impl SampleElements for ConstantPresheaf<()> {
    fn draw_element<G: MapEnd>(_: &mut SplitMix64, _: &Space<G>) {}

    fn few_elements<G: MapEnd>(_: &Space<G>) -> Option<Vec<()>> {
        Some(vec![()])
    }
}

impl SampleElements for ConstantPresheaf<bool> {
    fn draw_element<G: MapEnd>(random: &mut SplitMix64, _: &Space<G>) -> bool {
        random.random_bool(50)
    }

    fn few_elements<G: MapEnd>(_: &Space<G>) -> Option<Vec<bool>> {
        Some(vec![false, true])
    }
}

impl SampleElements for ConstantPresheaf<u64> {
    fn draw_element<G: MapEnd>(random: &mut SplitMix64, _: &Space<G>) -> u64 {
        random.next_below(10) as u64
    }
}

impl<A: SampleElements, B: SampleElements> SampleElements for ProductPresheaf<A, B> {
    fn draw_element<G: MapEnd>(random: &mut SplitMix64, space: &Space<G>) -> Self::At<G> {
        (A::draw_element(random, space), B::draw_element(random, space))
    }

    fn few_elements<G: MapEnd>(space: &Space<G>) -> Option<Vec<Self::At<G>>> {
        let (first, second) = (A::few_elements(space)?, B::few_elements(space)?);
        let pairs = || first.iter().flat_map(|a| second.iter().map(|b| (a.clone(), b.clone())));
        (first.len() * second.len() <= MAX_FEW_ELEMENTS).then(|| pairs().collect())
    }
}

impl<A: SampleElements, B: SampleElements> SampleElements for SumPresheaf<A, B> {
    fn draw_element<G: MapEnd>(random: &mut SplitMix64, space: &Space<G>) -> Self::At<G> {
        if random.random_bool(50) {
            SumElement::Left(A::draw_element(random, space))
        } else {
            SumElement::Right(B::draw_element(random, space))
        }
    }

    fn few_elements<G: MapEnd>(space: &Space<G>) -> Option<Vec<Self::At<G>>> {
        let (first, second) = (A::few_elements(space)?, B::few_elements(space)?);
        let all = || first.into_iter().map(SumElement::Left).chain(second.into_iter().map(SumElement::Right));
        Some(all().collect::<Vec<_>>()).filter(|all| all.len() <= MAX_FEW_ELEMENTS)
    }
}

/// Elements with additional coordinates as functions of real numbers, by the Yoneda lemma.
impl<N: Dim + 'static, H: SampleElements> SampleElements for ExponentialPresheaf<Representable<N>, H> {
    fn draw_element<G: MapEnd>(
        random: &mut SplitMix64,
        space: &Space<G>,
    ) -> ExponentialElement<Representable<N>, H, G> {
        curry_representable(space, &H::draw_element(random, &space.product_with(&Space::<N>::new())))
    }
}

/// Functionals that evaluate their argument at two places, which may depend on each other, or integrate it.
impl SampleElements for ExponentialPresheaf<ExponentialPresheaf<RealPresheaf, RealPresheaf>, RealPresheaf> {
    fn draw_element<G: MapEnd>(
        random: &mut SplitMix64,
        space: &Space<G>,
    ) -> ExponentialElement<ExponentialPresheaf<RealPresheaf, RealPresheaf>, RealPresheaf, G> {
        type Places =
            ProductPresheaf<RealPresheaf, ProductPresheaf<RealPresheaf, ShiftedPresheaf<RealPresheaf, RealObject>>>;
        let weight = draw_real_map(random, &space.product_with(&Space::<RealObject>::new()));
        let context = (draw_real_map(random, space), (draw_real_map(random, space), weight));
        let shape = random.next_below(4);
        ExponentialElement::curry::<Places>(space, &context, move |space, (a, (b, weight)), f| {
            let id = space.id();
            let at = |x: &Map<_, RealObject>| ExponentialElement::apply(f, &id, x);
            match shape {
                0 => at(&at(a)) + b,
                1 => at(a) * at(b),
                2 => at(&(at(a) + at(b))).sin(),
                _ => at(a) * Functional::Integral.apply_at(&weight_function(space, f, weight)),
            }
        })
    }
}

/// Returns the function `t ↦ w(t)·f(t)`.
fn weight_function<G: MapEnd>(
    space: &Space<G>,
    f: &ExponentialElement<RealPresheaf, RealPresheaf, G>,
    w: &Map<(G, RealObject), RealObject>,
) -> ExponentialElement<RealPresheaf, RealPresheaf, G> {
    type Factors =
        ProductPresheaf<ExponentialPresheaf<RealPresheaf, RealPresheaf>, ShiftedPresheaf<RealPresheaf, RealObject>>;
    ExponentialElement::curry::<Factors>(space, &(f.clone(), w.clone()), |space, (f, w), t| {
        let id = space.id();
        id.pair(t).then(w) * f.apply(&id, t)
    })
}

/// Tangents over a stage of one or two coordinates.
impl<F: SampleElements> SampleElements for TanPresheaf<F> {
    fn draw_element<G: MapEnd>(random: &mut SplitMix64, space: &Space<G>) -> CoendTangent<F, G> {
        with_stage(1 + random.next_below(2), |stage| {
            let direction = draw_map(random, space, &stage.product_with(stage));
            CoendTangent::new(&direction, &F::draw_element(random, stage))
        })
    }
}
