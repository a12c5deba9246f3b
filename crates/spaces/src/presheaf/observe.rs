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
//! | [`Lan`], with tangents and jets | through isomorphisms, below, or by observed numbers; vacuous if F has neither |
//! | [`Dynamic`] | by kind, below; functions, tangents and isomorphisms are vacuous |
//!
//! A stage is an object of AD, the category of smoothish maps. A stage Δ with a map Δ ⇝ Γ is *later* than Γ, as in Kripke
//! semantics: a function at Γ applies to arguments at Δ.
//!
//! | tangents, and other classes, of | are compared through |
//! |---|---|
//! | products | S Prop. 5.1 |
//! | representables | S Prop. 5.2 |
//! | functions | S Prop. 5.3, at each argument |
//! | constants, sums | `Tan T ≅ T` and `Tan (A + B) ≅ Tan A + Tan B`, as stages are connected |
//! | tangents | S_!(T_!F) ≅ (S ∘ T)_!F |
//!
//! The elements of [`Dynamic`] are the values of the language. Tuples, variants of one constructor and lists of one length
//! are compared componentwise, real numbers as maps. Values of two kinds, constructors or lengths refute equality.
//!
//! # Random elements of presheaves for tests
//!
//! [`SampleElements`] draws small maps that are smooth everywhere, and structures made of these.

use super::coend::{
    After, KeepsProducts, Lan, LanElement, OnStages, Pointed, constant_value, evaluate_lan, flatten_lan, lan_sum,
    lan_transformation, split_class,
};
use super::dynamic::{Dynamic, Element};
use super::exponential::{
    ExponentialElement, ExponentialPresheaf, Functional, NaturalFamily, PresheafTransformation, ShiftedPresheaf,
    curry_representable,
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
use typenum::U0;

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
    /// Without an implementation, [observed numbers](Observe::observe_number) are compared. The verdict is vacuous if there
    /// are none.
    ///
    /// # Errors
    /// The errors of evaluating maps.
    fn compare_elements<G: MapEnd>(
        space: &Space<G>,
        left: &Self::At<G>,
        right: &Self::At<G>,
        trial: &MapTestConfig,
    ) -> PresheafVerdict {
        Verdict::all_samples((0..SAMPLED_ARGUMENTS).map(|index| {
            let which = SplitMix64::for_sample(trial.seed, index).next();
            match (Self::observe_number(space, left, which), Self::observe_number(space, right, which)) {
                (Some(left), Some(right)) => jets_agree(left.as_dyn(), right.as_dyn(), trial),
                _ => Ok(Verdict::Vacuous),
            }
        }))
    }

    /// Compares two classes of elements, such as tangents or jets. So it says what the tangents to the presheaf are.
    ///
    /// Without an implementation, the classes of [observed numbers](Observe::observe_number) are compared. The verdict is
    /// vacuous if there are none.
    ///
    /// # Errors
    /// The errors of evaluating maps.
    fn compare_classes<T: Pointed + KeepsProducts, G: MapEnd>(
        _space: &Space<G>,
        v: &LanElement<T, Self, G>,
        w: &LanElement<T, Self, G>,
        trial: &MapTestConfig,
    ) -> PresheafVerdict {
        compare_observed_numbers(v, w, trial)
    }

    /// Returns a number that depends on the element, naturally in the stage. `which` selects it; for a function it also
    /// selects the argument. Returns `None` if no number is observed.
    ///
    /// | law | equation |
    /// |---|---|
    /// | naturality | `observe_number(x·e) = e.then(observe_number(x))` |
    #[must_use]
    fn observe_number<G: MapEnd>(_space: &Space<G>, _x: &Self::At<G>, _which: u64) -> Option<Map<G, RealObject>> {
        None
    }
}

/// Compares two classes of T_!F, for any T, by the numbers that are observed of their elements: o : F → ℜ is applied
/// as T_!o, and T_!ℜ is y(T ℝ). The verdict is vacuous if F has no such numbers.
///
/// # Errors
/// The errors of evaluating maps.
pub fn compare_observed_numbers<T: OnStages, F: Observe, G: MapEnd>(
    v: &LanElement<T, F, G>,
    w: &LanElement<T, F, G>,
    trial: &MapTestConfig,
) -> PresheafVerdict {
    Verdict::all_samples((0..SAMPLED_ARGUMENTS).map(|index| {
        let which = SplitMix64::for_sample(trial.seed, index).next();
        match (observe_class(v, which), observe_class(w, which)) {
            (Some(v), Some(w)) => jets_agree(v.as_dyn(), w.as_dyn(), trial),
            _ => Ok(Verdict::Vacuous),
        }
    }))
}

/// Compares two classes of T_!A through a natural transformation f : A → B, as classes of T_!B. Two classes of A that
/// differ may have equal images, unless T_!f tells them apart.
///
/// # Errors
/// The errors of evaluating maps.
pub fn compare_through<T: Pointed + KeepsProducts, A: Presheaf, B: Observe, G: MapEnd>(
    f: &PresheafTransformation<A, B>,
    space: &Space<G>,
    v: &LanElement<T, A, G>,
    w: &LanElement<T, A, G>,
    trial: &MapTestConfig,
) -> PresheafVerdict {
    let image = lan_transformation::<T, A, B>(f);
    B::compare_classes(space, &image.component_at(space, v), &image.component_at(space, w), trial)
}

/// Returns the number observed of a class, a map to T ℝ.
fn observe_class<T: OnStages, F: Observe, G: MapEnd>(
    v: &LanElement<T, F, G>,
    which: u64,
) -> Option<Map<G, T::At<RealObject>>> {
    v.with_representative(|v| {
        let number = F::observe_number(&v.stage(), &v.element, which)?;
        Some(v.along.then(&T::map_at(&number)))
    })
}

/// Returns a number that depends naturally on a class, for any T: a sum of coordinates of T ℝ, for a number that is observed of
/// its element. Returns `None` if no number is observed.
#[must_use]
pub fn observe_class_number<T: OnStages, F: Observe, G: MapEnd>(
    v: &LanElement<T, F, G>,
    which: u64,
) -> Option<Map<G, RealObject>> {
    Some(sum_components(&observe_class(v, which)?, which.rotate_left(9)))
}

/// Returns a weighted sum of the components of a map, as a number. The weights depend on `which`.
#[must_use]
pub fn sum_components<G: MapEnd, N: MapEnd>(x: &Map<G, N>, which: u64) -> Map<G, RealObject> {
    let space = x.domain();
    let terms = x.components().iter().enumerate();
    let weighted = terms.map(|(i, g)| space.component_map(g) * observation_weight(which, i as u64));
    weighted.reduce(|sum, term| sum + term).unwrap_or_else(|| space.constant(0))
}

/// Returns a weight between 1/2 and 2 of a number in an observed sum. A choice: sums of few numbers stay narrow.
fn observation_weight(which: u64, place: u64) -> Rational {
    Rational::from((4 + SplitMix64::for_sample(which, place).next_below(13) as i64, 8))
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

    /// Compares through Prop. 5.2.
    fn compare_classes<T: Pointed + KeepsProducts, G: MapEnd>(
        _: &Space<G>,
        v: &LanElement<T, Self, G>,
        w: &LanElement<T, Self, G>,
        trial: &MapTestConfig,
    ) -> PresheafVerdict {
        jets_agree(v.to_map().as_dyn(), w.to_map().as_dyn(), trial)
    }

    fn observe_number<G: MapEnd>(_: &Space<G>, x: &Map<G, N>, which: u64) -> Option<Map<G, RealObject>> {
        Some(sum_components(x, which))
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

    fn compare_classes<K: Pointed + KeepsProducts, G: MapEnd>(
        space: &Space<G>,
        v: &LanElement<K, Self, G>,
        w: &LanElement<K, Self, G>,
        trial: &MapTestConfig,
    ) -> PresheafVerdict {
        Self::compare_elements(space, &constant_value(v), &constant_value(w), trial)
    }

    fn observe_number<G: MapEnd>(space: &Space<G>, x: &T, which: u64) -> Option<Map<G, RealObject>> {
        // discrete values do not vary, so every function of them is natural: here a small hash of their text
        let hash = format!("{x:?}").bytes().fold(which, |hash, byte| SplitMix64::new(hash ^ u64::from(byte)).next());
        Some(space.constant((hash % 7) as i64))
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

    /// Compares through Prop. 5.1.
    fn compare_classes<T: Pointed + KeepsProducts, G: MapEnd>(
        space: &Space<G>,
        v: &LanElement<T, Self, G>,
        w: &LanElement<T, Self, G>,
        trial: &MapTestConfig,
    ) -> PresheafVerdict {
        ProductPresheaf::<Lan<T, A>, Lan<T, B>>::compare_elements(space, &split_class(v), &split_class(w), trial)
    }

    fn observe_number<G: MapEnd>(space: &Space<G>, x: &Self::At<G>, which: u64) -> Option<Map<G, RealObject>> {
        // the weights vary with `which`, so that several numbers together depend on both components
        let (first, second) =
            (A::observe_number(space, &x.0, which), B::observe_number(space, &x.1, which.rotate_left(11)));
        match (first, second) {
            (Some(a), Some(b)) => Some(a + b * observation_weight(which, 1)),
            (first, second) => first.or(second),
        }
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

    fn compare_classes<T: Pointed + KeepsProducts, G: MapEnd>(
        space: &Space<G>,
        v: &LanElement<T, Self, G>,
        w: &LanElement<T, Self, G>,
        trial: &MapTestConfig,
    ) -> PresheafVerdict {
        let to = lan_sum::<T, A, B>().to;
        SumPresheaf::<Lan<T, A>, Lan<T, B>>::compare_elements(
            space,
            &to.component_at(space, v),
            &to.component_at(space, w),
            trial,
        )
    }

    fn observe_number<G: MapEnd>(space: &Space<G>, x: &Self::At<G>, which: u64) -> Option<Map<G, RealObject>> {
        match x {
            SumElement::Left(a) => A::observe_number(space, a, which),
            SumElement::Right(b) => Some(B::observe_number(space, b, which)? + 1),
        }
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

    /// Compares the classes of the values at each argument. This uses Prop. 5.3, and its consequences by `A ⇒ (B ⇒ ℜ) ≅
    /// A × B ⇒ ℜ` and `A ⇒ B × C ≅ (A ⇒ B) × (A ⇒ C)`.
    fn compare_classes<T: Pointed + KeepsProducts, G: MapEnd>(
        space: &Space<G>,
        v: &LanElement<T, Self, G>,
        w: &LanElement<T, Self, G>,
        trial: &MapTestConfig,
    ) -> PresheafVerdict {
        test_at_later_stages::<F, G>(space, trial, |later, along, x, trial| {
            let at = |class: &LanElement<T, Self, G>| evaluate_lan(&Lan::restrict(along, class), x);
            H::compare_classes(later, &at(v), &at(w), trial)
        })
    }

    fn observe_number<G: MapEnd>(
        space: &Space<G>,
        f: &ExponentialElement<F, H, G>,
        which: u64,
    ) -> Option<Map<G, RealObject>> {
        // an argument over ℝ⁰ is the same at all stages, so the number is natural
        let argument = F::draw_element(&mut SplitMix64::new(which), &Space::<U0>::new());
        let value = f.apply(&space.id(), &F::restrict(&space.terminal(), &argument));
        H::observe_number(space, &value, which.rotate_left(7))
    }
}

impl<T: Pointed + KeepsProducts, F: Observe> Observe for Lan<T, F> {
    fn compare_elements<G: MapEnd>(
        space: &Space<G>,
        left: &LanElement<T, F, G>,
        right: &LanElement<T, F, G>,
        trial: &MapTestConfig,
    ) -> PresheafVerdict {
        F::compare_classes(space, left, right, trial)
    }

    /// Compares through S_!(T_!F) ≅ (S ∘ T)_!F.
    fn compare_classes<S: Pointed + KeepsProducts, G: MapEnd>(
        space: &Space<G>,
        v: &LanElement<S, Self, G>,
        w: &LanElement<S, Self, G>,
        trial: &MapTestConfig,
    ) -> PresheafVerdict {
        F::compare_classes::<After<S, T>, G>(space, &flatten_lan(v), &flatten_lan(w), trial)
    }

    fn observe_number<G: MapEnd>(_: &Space<G>, v: &LanElement<T, F, G>, which: u64) -> Option<Map<G, RealObject>> {
        observe_class_number(v, which)
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

    /// Compares through Props. 5.1 and 5.2, and sums. Classes of functions of the language are untyped, so they are
    /// vacuous.
    fn compare_classes<T: Pointed + KeepsProducts, G: MapEnd>(
        space: &Space<G>,
        v: &LanElement<T, Self, G>,
        w: &LanElement<T, Self, G>,
        trial: &MapTestConfig,
    ) -> PresheafVerdict {
        match (dynamic::apply_lan_isos(v), dynamic::apply_lan_isos(w)) {
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

/// Classes over a stage of one or two coordinates.
impl<T: OnStages, F: SampleElements> SampleElements for Lan<T, F> {
    fn draw_element<G: MapEnd>(random: &mut SplitMix64, space: &Space<G>) -> LanElement<T, F, G> {
        with_stage(1 + random.next_below(2), |stage: &Space<Stage<'_>>| {
            let along = draw_map(random, space, &T::image_space(stage));
            LanElement::new::<Stage<'_>>(&along, &F::draw_element(random, stage))
        })
    }
}
