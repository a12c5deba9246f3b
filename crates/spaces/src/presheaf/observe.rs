//! Tests of the equality of elements of presheaves (S §5), and random elements for such tests.
//!
//! Elements are compared on samples. The result is a [`Verdict`], as equality of real numbers can be refuted and never
//! confirmed.
//!
//! | presheaf | two elements are compared |
//! |---|---|
//! | [`Representable`] | as maps: the enclosures of values and derivatives at sample points overlap |
//! | [`ConstantPresheaf`] | by the equality of T, the set of its values |
//! | [`ProductPresheaf`], [`SumPresheaf`] | componentwise; in the same summand |
//! | [`ExponentialPresheaf`] | as functions: their values at sampled later stages and arguments |
//! | [`TanPresheaf`] | through isomorphisms, below; vacuous if none applies |
//! | [`Dynamic`] | by kind, below; functions, tangents and isomorphisms are vacuous |
//!
//! A stage is an object of AD, the category of smoothish maps. A stage Δ with a map Δ ⇝ Γ is *later* than Γ, as in Kripke
//! semantics: a function at Γ applies to arguments at Δ.
//!
//! | tangents to | are compared through |
//! |---|---|
//! | products | S Prop. 5.1 |
//! | representables | S Prop. 5.2 |
//! | functions | S Prop. 5.3, at each argument |
//! | constants, sums | `Tan T ≅ T` and `Tan (A + B) ≅ Tan A + Tan B`, as stages are connected |
//! | tangents | no isomorphism: vacuous |
//!
//! The elements of [`Dynamic`] are the values of the language. Tuples, variants of one constructor and lists of one length
//! are compared componentwise, real numbers as maps. Values of two kinds, constructors or lengths refute equality.
//!
//! # Random elements of presheaves for tests
//!
//! [`SampleElements`] draws small maps that are smooth everywhere, and structures made of these.

use super::coend::{
    CoendTangent, TanPresheaf, evaluate_tangent, tangent_prod, tangent_sum, tangent_value, value_with_slope,
};
use super::dynamic::{Dynamic, Element};
use super::exponential::{
    ExponentialElement, ExponentialPresheaf, Functional, NaturalFamily, ShiftedPresheaf, curry_representable,
};
use super::{
    ConstantPresheaf, Presheaf, ProductPresheaf, RealPresheaf, Representable, Stage, SumElement, SumPresheaf, dynamic,
    with_stage,
};
use crate::number::Rational;
use crate::random::SplitMix64;
use crate::smooth::dimension::{Dim, MapEnd, RealObject};
use crate::smooth::graph::Graph;
use crate::smooth::map::category::jets_agree;
use crate::smooth::map::{Map, MapError, MapTestConfig, Space};
use crate::stack::with_stack;
use crate::value::{StorageAddress, TruthType};
use crate::verdict::Verdict;
use rustc_hash::FxHashMap;
use std::fmt;

/// A verdict, or the error that prevented it.
pub type PresheafVerdict = Result<Verdict, MapError>;

/// A presheaf with a test of the equality of its elements.
///
/// | law | statement |
/// |---|---|
/// | reflexivity | an element compared with itself is never refuted |
/// | restriction | restrictions of equal elements along one map are never refuted |
pub trait Observe: Presheaf {
    /// Compares two elements at the stage `space`, with the samples of `trial`.
    ///
    /// # Errors
    /// The errors of evaluating maps.
    fn compare_elements<G: MapEnd>(
        space: &Space<G>,
        left: &Self::At<G>,
        right: &Self::At<G>,
        trial: &MapTestConfig,
    ) -> PresheafVerdict;

    /// Compares two tangents to the presheaf at the stage `space`, through an isomorphism.
    ///
    /// The verdict is vacuous by default, for presheaves without such an isomorphism.
    ///
    /// # Errors
    /// The errors of evaluating maps.
    fn compare_tangents<G: MapEnd>(
        _space: &Space<G>,
        _v: &CoendTangent<Self, G>,
        _w: &CoendTangent<Self, G>,
        _trial: &MapTestConfig,
    ) -> PresheafVerdict {
        Ok(Verdict::Vacuous)
    }
}

impl<N: MapEnd + 'static> Observe for Representable<N> {
    fn compare_elements<G: MapEnd>(
        _: &Space<G>,
        left: &Map<G, N>,
        right: &Map<G, N>,
        trial: &MapTestConfig,
    ) -> PresheafVerdict {
        jets_agree(left.as_dyn(), right.as_dyn(), trial)
    }

    /// Compares values and derivatives along the directions (S Prop. 5.2).
    fn compare_tangents<G: MapEnd>(
        space: &Space<G>,
        v: &CoendTangent<Self, G>,
        w: &CoendTangent<Self, G>,
        trial: &MapTestConfig,
    ) -> PresheafVerdict {
        Representable::compare_elements(space, &value_with_slope(v), &value_with_slope(w), trial)
    }
}

impl<T: Eq + fmt::Debug + Clone + Send + Sync + 'static> Observe for ConstantPresheaf<T> {
    fn compare_elements<G: MapEnd>(_: &Space<G>, left: &T, right: &T, _: &MapTestConfig) -> PresheafVerdict {
        Ok(if left == right {
            Verdict::Survived
        } else {
            Verdict::refuted("every stage", format!("{left:?}"), format!("{right:?}"))
        })
    }

    /// Compares the base points: stages are connected, so tangents to a constant are zero.
    fn compare_tangents<G: MapEnd>(
        space: &Space<G>,
        v: &CoendTangent<Self, G>,
        w: &CoendTangent<Self, G>,
        trial: &MapTestConfig,
    ) -> PresheafVerdict {
        Self::compare_elements(space, &tangent_value(v), &tangent_value(w), trial)
    }
}

impl<A: Observe, B: Observe> Observe for ProductPresheaf<A, B> {
    fn compare_elements<G: MapEnd>(
        space: &Space<G>,
        left: &Self::At<G>,
        right: &Self::At<G>,
        trial: &MapTestConfig,
    ) -> PresheafVerdict {
        let first = A::compare_elements(space, &left.0, &right.0, trial)?;
        Ok(first.and_part(B::compare_elements(space, &left.1, &right.1, trial)?))
    }

    /// Compares the tangents to both factors (S Prop. 5.1).
    fn compare_tangents<G: MapEnd>(
        space: &Space<G>,
        v: &CoendTangent<Self, G>,
        w: &CoendTangent<Self, G>,
        trial: &MapTestConfig,
    ) -> PresheafVerdict {
        let to = tangent_prod::<A, B>().to;
        ProductPresheaf::<TanPresheaf<A>, TanPresheaf<B>>::compare_elements(
            space,
            &to.component_at(space, v),
            &to.component_at(space, w),
            trial,
        )
    }
}

impl<A: Observe, B: Observe> Observe for SumPresheaf<A, B> {
    fn compare_elements<G: MapEnd>(
        space: &Space<G>,
        left: &Self::At<G>,
        right: &Self::At<G>,
        trial: &MapTestConfig,
    ) -> PresheafVerdict {
        match (left, right) {
            (SumElement::Left(x), SumElement::Left(y)) => A::compare_elements(space, x, y, trial),
            (SumElement::Right(x), SumElement::Right(y)) => B::compare_elements(space, x, y, trial),
            (SumElement::Left(_), SumElement::Right(_)) => Ok(Verdict::refuted("every stage", "Left", "Right")),
            (SumElement::Right(_), SumElement::Left(_)) => Ok(Verdict::refuted("every stage", "Right", "Left")),
        }
    }

    /// Compares as tangents to one summand: `Tan (A + B) ≅ Tan A + Tan B`.
    fn compare_tangents<G: MapEnd>(
        space: &Space<G>,
        v: &CoendTangent<Self, G>,
        w: &CoendTangent<Self, G>,
        trial: &MapTestConfig,
    ) -> PresheafVerdict {
        let to = tangent_sum::<A, B>().to;
        SumPresheaf::<TanPresheaf<A>, TanPresheaf<B>>::compare_elements(
            space,
            &to.component_at(space, v),
            &to.component_at(space, w),
            trial,
        )
    }
}

/// The number of later stages at which two functions are compared. A choice: two of each kind.
const SAMPLED_ARGUMENTS: u64 = 4;

/// Returns the configuration of the test at one later stage, with half the sample points, rounded up, and a new seed.
fn argument_config(trial: &MapTestConfig, random: &mut SplitMix64) -> MapTestConfig {
    MapTestConfig { seed: random.next(), sample_points: trial.sample_points.div_ceil(2), ..trial.clone() }
}

/// Tests a statement about functions on F at four stages later than `space`, of two kinds.
///
/// A stage of the first kind has one more coordinate than `space`, so that restriction to it is weakening. One of the second
/// kind has one or two coordinates, and a random map to `space`. The argument at each stage is random, or all arguments are
/// used if there are few.
///
/// `statement` gets the later stage, its map to `space`, an argument, and the configuration of its comparisons.
///
/// # Errors
/// The first error of `statement`, unless a sample before it refutes.
pub fn test_at_later_stages<F: SampleElements, G: MapEnd>(
    space: &Space<G>,
    trial: &MapTestConfig,
    statement: impl for<'d> Fn(&Space<Stage<'d>>, &Map<Stage<'d>, G>, &F::At<Stage<'d>>, &MapTestConfig) -> PresheafVerdict,
) -> PresheafVerdict {
    Verdict::all_samples((0..SAMPLED_ARGUMENTS).map(|index| {
        let mut random = SplitMix64::for_sample(trial.seed, index);
        let trial = argument_config(trial, &mut random);
        let line = Space::<RealObject>::new();
        // Weakening leaves the graphs of maps unchanged, so it tests no substitution of variables.
        if index % 2 == 0 {
            with_stage(space.size() + 1, |later| {
                let along = later.relabelling(&space.product_with(&line)).then(&space.first(&line));
                test_at_arguments::<F, _>(later, &mut random, |x| statement(later, &along, x, &trial))
            })
        } else {
            // Restriction along a random map substitutes for the coordinates.
            with_stage(1 + random.next_below(2), |later| {
                let along = draw_map(&mut random, later, space);
                test_at_arguments::<F, _>(later, &mut random, |x| statement(later, &along, x, &trial))
            })
        }
    }))
}

/// Tests a statement about all elements at a stage if they are few, otherwise about a random element.
fn test_at_arguments<F: SampleElements, G: MapEnd>(
    space: &Space<G>,
    random: &mut SplitMix64,
    statement: impl Fn(&F::At<G>) -> PresheafVerdict,
) -> PresheafVerdict {
    match F::few_elements(space) {
        Some(elements) => Verdict::all_samples(elements.iter().map(statement)),
        None => statement(&F::draw_element(random, space)),
    }
}

impl<F: SampleElements, H: Observe> Observe for ExponentialPresheaf<F, H> {
    fn compare_elements<G: MapEnd>(
        space: &Space<G>,
        left: &ExponentialElement<F, H, G>,
        right: &ExponentialElement<F, H, G>,
        trial: &MapTestConfig,
    ) -> PresheafVerdict {
        test_at_later_stages::<F, G>(space, trial, |later, along, x, trial| {
            H::compare_elements(later, &left.apply(along, x), &right.apply(along, x), trial)
        })
    }

    /// Compares the tangents to the values at each argument: S Prop. 5.3 for functions into ℜ, the real numbers.
    ///
    /// For other codomains it follows by `A ⇒ (B ⇒ ℜ) ≅ A × B ⇒ ℜ` and `A ⇒ B × C ≅ (A ⇒ B) × (A ⇒ C)`.
    fn compare_tangents<G: MapEnd>(
        space: &Space<G>,
        v: &CoendTangent<Self, G>,
        w: &CoendTangent<Self, G>,
        trial: &MapTestConfig,
    ) -> PresheafVerdict {
        test_at_later_stages::<F, G>(space, trial, |later, along, x, trial| {
            let at = |tangent: &CoendTangent<Self, G>| evaluate_tangent(&TanPresheaf::restrict(along, tangent), x);
            H::compare_tangents(later, &at(v), &at(w), trial)
        })
    }
}

impl<F: Observe> Observe for TanPresheaf<F> {
    fn compare_elements<G: MapEnd>(
        space: &Space<G>,
        left: &CoendTangent<F, G>,
        right: &CoendTangent<F, G>,
        trial: &MapTestConfig,
    ) -> PresheafVerdict {
        F::compare_tangents(space, left, right, trial)
    }
}

impl Observe for Dynamic {
    fn compare_elements<G: MapEnd>(
        space: &Space<G>,
        left: &Element,
        right: &Element,
        trial: &MapTestConfig,
    ) -> PresheafVerdict {
        ElementComparer { space, trial, done: FxHashMap::default() }.compare_parts(left, right)
    }

    /// Compares through S Props. 5.1 and 5.2, and through the isomorphism for sums.
    ///
    /// The verdict is vacuous if an element contains a function, a tangent or an isomorphism, whose types are not known.
    fn compare_tangents<G: MapEnd>(
        space: &Space<G>,
        v: &CoendTangent<Self, G>,
        w: &CoendTangent<Self, G>,
        trial: &MapTestConfig,
    ) -> PresheafVerdict {
        match (dynamic::apply_tangent_isos(v), dynamic::apply_tangent_isos(w)) {
            (Some(v), Some(w)) => Self::compare_elements(space, &v, &w, trial),
            _ => Ok(Verdict::Vacuous),
        }
    }
}

/// A comparison of two values of the language. A pair of parts that occurs again is compared once.
struct ElementComparer<'a, G: MapEnd> {
    space: &'a Space<G>,
    trial: &'a MapTestConfig,
    /// The verdicts on pairs of parts, by their addresses.
    done: FxHashMap<(StorageAddress, StorageAddress), Verdict>,
}

impl<G: MapEnd> ElementComparer<'_, G> {
    /// Compares two parts, unless the verdict is known.
    fn compare_parts(&mut self, left: &Element, right: &Element) -> PresheafVerdict {
        let addresses = left.storage_address().zip(right.storage_address());
        if let Some(done) = addresses.and_then(|addresses| self.done.get(&addresses)) {
            return Ok(done.clone());
        }
        let verdict = with_stack(|| self.compare_constructors(left, right))?;
        if let Some(addresses) = addresses {
            self.done.insert(addresses, verdict.clone());
        }
        Ok(verdict)
    }

    /// Compares the outermost constructors of two values, and their parts.
    fn compare_constructors(&mut self, left: &Element, right: &Element) -> PresheafVerdict {
        let discrete = |equal: bool| if equal { Verdict::Survived } else { refute_equality(left, right) };
        match (left, right) {
            (Element::Real(x), Element::Real(y)) => {
                let map = |g: &Graph| self.space.component_map(g);
                Representable::compare_elements(self.space, &map(x), &map(y), self.trial)
            }
            (Element::Natural(x), Element::Natural(y)) => Ok(discrete(x == y)),
            (Element::Boolean(x), Element::Boolean(y)) => {
                // A guard that real numbers decide has no value to compare.
                let both = x.decided_value().zip(y.decided_value());
                Ok(both.map_or(Verdict::Vacuous, |(x, y)| discrete(x == y)))
            }
            (Element::Unit, Element::Unit) => Ok(Verdict::Survived),
            (Element::Tuple(x), Element::Tuple(y)) if x.len() == y.len() => {
                self.compare_pairwise(x.iter().zip(y.iter()))
            }
            (Element::Variant(i, x), Element::Variant(j, y)) if i == j => with_stack(|| self.compare_parts(x, y)),
            (Element::List(x), Element::List(y)) if x.iter().count() == y.iter().count() => {
                self.compare_pairwise(x.iter().zip(y.iter()))
            }
            // Lengths and constructors are constant over a connected stage, so a difference refutes.
            (Element::Tuple(_), Element::Tuple(_))
            | (Element::Variant(..), Element::Variant(..))
            | (Element::List(_), Element::List(_)) => Ok(refute_equality(left, right)),
            _ if left.kind() != right.kind() => Ok(refute_equality(left, right)),
            _ => Ok(Verdict::Vacuous),
        }
    }

    /// Compares parts pairwise, up to the first refutation. Without parts the verdict is `Survived`: the values are equal.
    fn compare_pairwise<'e>(&mut self, parts: impl Iterator<Item = (&'e Element, &'e Element)>) -> PresheafVerdict {
        let mut all = Verdict::Survived;
        for (x, y) in parts {
            all = all.and_part(self.compare_parts(x, y)?);
            if all.is_refuted() {
                break;
            }
        }
        Ok(all)
    }
}

/// Returns the refutation for two values that differ in a number, a truth value, a length, a constructor or their kind.
fn refute_equality(left: &Element, right: &Element) -> Verdict {
    let told = |element: &Element| match element {
        Element::Natural(n) => n.to_string(),
        Element::Boolean(b) => b.to_string(),
        Element::Tuple(parts) => format!("a tuple of {}", parts.len()),
        Element::Variant(index, _) => format!("constructor {index}"),
        Element::List(list) => format!("a list of {}", list.iter().count()),
        other => other.kind().to_string(),
    };
    Verdict::refuted("every stage", told(left), told(right))
}

/// A presheaf with random elements.
pub trait SampleElements: Presheaf {
    /// Draws an element at a stage.
    fn draw_element<G: MapEnd>(random: &mut SplitMix64, space: &Space<G>) -> Self::At<G>;

    /// Returns all elements at a stage, so that a function is tested on all of them. Returns `None`, the default, unless they
    /// are few: at most 16.
    fn few_elements<G: MapEnd>(_space: &Space<G>) -> Option<Vec<Self::At<G>>> {
        None
    }
}

/// The largest number of elements on which a function is tested exhaustively. A choice: four truth values have 16 states.
const MAX_FEW_ELEMENTS: usize = 16;

/// Draws a map to ℝ that is smooth everywhere, from sums, differences, products, squares, sin, cos and atan.
pub fn draw_real_map<G: MapEnd>(random: &mut SplitMix64, space: &Space<G>) -> Map<G, RealObject> {
    // An odd number of sixteenths between -31/16 and 31/16: no constant is 0 or another integer.
    let mut known = space.coordinates();
    known.push(space.constant((2 * random.next_below(32) as i64 - 31, 16)));
    // The factors 1/2, 1/3 and 1/4 keep values small, so that enclosures stay narrow.
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
    // The last results are likely to depend on the others.
    let [a, b] = [known.len() - 1, known.len() - 2].map(|i| known[i].clone());
    a + b / 2
}

/// Draws a map from `space` to `to`, with independent random components.
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

/// Functions of N real numbers at the stage Γ: the elements of H at Γ × N, by the Yoneda lemma.
impl<N: Dim + 'static, H: SampleElements> SampleElements for ExponentialPresheaf<Representable<N>, H> {
    fn draw_element<G: MapEnd>(
        random: &mut SplitMix64,
        space: &Space<G>,
    ) -> ExponentialElement<Representable<N>, H, G> {
        curry_representable(space, &H::draw_element(random, &space.product_with(&Space::<N>::new())))
    }
}

/// Functionals that evaluate their argument f at points, which may depend on values of f, or integrate it with a weight.
impl SampleElements for ExponentialPresheaf<ExponentialPresheaf<RealPresheaf, RealPresheaf>, RealPresheaf> {
    fn draw_element<G: MapEnd>(
        random: &mut SplitMix64,
        space: &Space<G>,
    ) -> ExponentialElement<ExponentialPresheaf<RealPresheaf, RealPresheaf>, RealPresheaf, G> {
        // The context: two points and the weight, which has one more coordinate.
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

/// Returns the product `t ↦ w(t)·f(t)` of a function and a weight.
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

/// Tangents that are represented over a stage of one or two coordinates.
impl<F: SampleElements> SampleElements for TanPresheaf<F> {
    fn draw_element<G: MapEnd>(random: &mut SplitMix64, space: &Space<G>) -> CoendTangent<F, G> {
        with_stage(1 + random.next_below(2), |stage| {
            let direction = draw_map(random, space, &stage.product_with(stage));
            CoendTangent::new(&direction, &F::draw_element(random, stage))
        })
    }
}
