//! Equality of elements, as far as it can be observed.
//!
//! Elements are compared by their observable properties. The result is a [`Verdict`], never `==`.
//!
//! | presheaf | two elements are compared |
//! |---|---|
//! | [`Representable`] | as maps: values and derivatives at sample points overlap |
//! | [`ConstantPresheaf`] | by the equality of T |
//! | [`ProductPresheaf`], [`SumPresheaf`] | componentwise; in the same summand |
//! | [`ExponentialPresheaf`] | at sampled later stages and arguments |
//! | [`TanPresheaf`] | through the isomorphisms of S Props. 5.1 to 5.3; vacuous if none applies |
//! | [`Dynamic`] | by kind: variants of one constructor and lists of one length componentwise; functions and tangents: vacuous |

use super::Presheaf;
use super::coend::{CoendTangent, TanPresheaf, tangent_value};
use super::discrete::ConstantPresheaf;
use super::dynamic::Element;
use super::exponential::{ExponentialElement, ExponentialPresheaf};
use super::isomorphism::{evaluate_tangent, tangent_prod, tangent_sum, value_with_slope};
use super::language::{self, Dynamic};
use super::product::ProductPresheaf;
use super::representable::Representable;
use super::sample::{self, SampleElements};
use super::stage::{Stage, with_stage};
use super::sum::{SumElement, SumPresheaf};
use crate::random::SplitMix64;
use crate::smooth::dimension::{MapEnd, RealObject};
use crate::smooth::graph::Graph;
use crate::smooth::map::trial::jets_agree;
use crate::smooth::map::{Map, MapError, MapTestConfig, Space};
use crate::stack::with_stack;
use crate::value::{StorageAddress, TruthType};
use crate::verdict::Verdict;
use rustc_hash::FxHashMap;
use std::fmt;

/// A verdict, or the error that prevented it.
pub type PresheafVerdict = Result<Verdict, MapError>;

/// A presheaf whose elements can be compared.
///
/// | law | equation |
/// |---|---|
/// | reflexivity | `agree(x, x)` is never refuted |
/// | restriction | restrictions of elements that are equal are not refuted |
pub trait Observe: Presheaf {
    /// Compares two elements at a stage.
    ///
    /// # Errors
    /// The errors of evaluating maps.
    fn compare_elements<G: MapEnd>(
        space: &Space<G>,
        left: &Self::At<G>,
        right: &Self::At<G>,
        trial: &MapTestConfig,
    ) -> PresheafVerdict;

    /// Compares two tangents to the presheaf through an isomorphism. The verdict is vacuous if there is none.
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

    /// Compares through Prop. 5.2.
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

    /// Compares through Prop. 5.1.
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

/// The number of arguments at which two functions are compared. A choice: two of each kind of stage.
const SAMPLED_ARGUMENTS: u64 = 4;

/// Returns the test for a single argument of a function, with half the samples and a seed of its own.
fn argument_config(trial: &MapTestConfig, random: &mut SplitMix64) -> MapTestConfig {
    MapTestConfig { seed: random.next(), sample_points: trial.sample_points.div_ceil(2), ..trial.clone() }
}

/// Tests a statement at later stages of two kinds. One has an additional coordinate, so that restriction is weakening;
/// the other has a random map to `space`. The argument at each stage is random, or all arguments are used if there are
/// few.
pub fn test_at_later_stages<F: SampleElements, G: MapEnd>(
    space: &Space<G>,
    trial: &MapTestConfig,
    statement: impl for<'d> Fn(&Space<Stage<'d>>, &Map<Stage<'d>, G>, &F::At<Stage<'d>>, &MapTestConfig) -> PresheafVerdict,
) -> PresheafVerdict {
    Verdict::all_samples((0..SAMPLED_ARGUMENTS).map(|index| {
        let mut random = SplitMix64::for_sample(trial.seed, index);
        let trial = argument_config(trial, &mut random);
        let line = Space::<RealObject>::new();
        // Weakening leaves graphs unchanged, so it tests the types and not the substitution.
        if index % 2 == 0 {
            with_stage(space.size() + 1, |later| {
                let along = later.relabelling(&space.product_with(&line)).then(&space.first(&line));
                test_at_arguments::<F, _>(later, &mut random, |x| statement(later, &along, x, &trial))
            })
        } else {
            // A random map tests naturality along a substitution.
            with_stage(1 + random.next_below(2), |later| {
                let along = sample::draw_map(&mut random, later, space);
                test_at_arguments::<F, _>(later, &mut random, |x| statement(later, &along, x, &trial))
            })
        }
    }))
}

/// Tests a statement of all elements at a stage if they are few, otherwise of a random element.
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

    /// Compares the tangents of the values at each argument. This uses Prop. 5.3, and its consequences by `A ⇒ (B ⇒ ℜ)
    /// ≅ A × B ⇒ ℜ` and `A ⇒ B × C ≅ (A ⇒ B) × (A ⇒ C)`.
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

    /// Compares through Props. 5.1 and 5.2, and sums. Tangents to functions of the language are untyped, so they are
    /// vacuous.
    fn compare_tangents<G: MapEnd>(
        space: &Space<G>,
        v: &CoendTangent<Self, G>,
        w: &CoendTangent<Self, G>,
        trial: &MapTestConfig,
    ) -> PresheafVerdict {
        match (language::apply_tangent_isos(v), language::apply_tangent_isos(w)) {
            (Some(v), Some(w)) => Self::compare_elements(space, &v, &w, trial),
            _ => Ok(Verdict::Vacuous),
        }
    }
}

/// A comparison of two values of the language. Parts that both share are compared once.
struct ElementComparer<'a, G: MapEnd> {
    space: &'a Space<G>,
    trial: &'a MapTestConfig,
    done: FxHashMap<(StorageAddress, StorageAddress), Verdict>,
}

impl<G: MapEnd> ElementComparer<'_, G> {
    /// Compares two parts, with the memo.
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
            // Different lengths and constructors do not vary over a stage, so they refute.
            (Element::Tuple(_), Element::Tuple(_))
            | (Element::Variant(..), Element::Variant(..))
            | (Element::List(_), Element::List(_)) => Ok(refute_equality(left, right)),
            _ if left.kind() != right.kind() => Ok(refute_equality(left, right)),
            _ => Ok(Verdict::Vacuous),
        }
    }

    /// Compares parts pairwise. Without parts the verdict is `Survived`, because there is nothing else to observe.
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

/// Returns the refutation of two values that differ in a constant property.
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
