//! Equality of elements, as far as it can be observed.
//!
//! Elements are compared by their observable properties. The result is a [`Verdict`], never `==`.
//!
//! | presheaf | two elements are compared |
//! |---|---|
//! | [`Representable`] | as maps: values and derivatives at sample points overlap |
//! | [`Discrete`] | by the equality of T |
//! | [`Product`], [`Sum`] | componentwise; in the same summand |
//! | [`Exponential`] | at sampled later stages and arguments |
//! | [`Tan`] | through the isomorphisms of S Props. 5.1 to 5.3; vacuous if none applies |
//! | [`Dynamic`] | by kind: variants of one constructor and lists of one length componentwise; functions and tangents: vacuous |

use super::Presheaf;
use super::coend::{Tan, Tangent, tangent_value};
use super::discrete::Discrete;
use super::dynamic::Element;
use super::exponential::{Exponential, Natural};
use super::isomorphism::{evaluated, tangent_prod, tangent_sum, value_with_slope};
use super::language::{self, Dynamic};
use super::product::Product;
use super::representable::Representable;
use super::sample::{self, Sample};
use super::stage::{Stage, at_a_stage};
use super::sum::{Either, Sum};
use crate::random::Random;
use crate::smooth::dimension::{Line, Shape};
use crate::smooth::graph::Graph;
use crate::smooth::map::trial::jets_agree;
use crate::smooth::map::{Map, MapError, Space, Trial};
use crate::stack::deep;
use crate::value::{Address, Truth};
use crate::verdict::Verdict;
use rustc_hash::FxHashMap;
use std::fmt;

/// A verdict, or the error that prevented it.
pub type Tried = Result<Verdict, MapError>;

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
    fn agree<G: Shape>(space: &Space<G>, left: &Self::At<G>, right: &Self::At<G>, trial: &Trial) -> Tried;

    /// Compares two tangents to the presheaf through an isomorphism. The verdict is vacuous if there is none.
    ///
    /// # Errors
    /// The errors of evaluating maps.
    fn tangents_agree<G: Shape>(
        _space: &Space<G>,
        _v: &Tangent<Self, G>,
        _w: &Tangent<Self, G>,
        _trial: &Trial,
    ) -> Tried {
        Ok(Verdict::Vacuous)
    }
}

impl<N: Shape + 'static> Observe for Representable<N> {
    fn agree<G: Shape>(_: &Space<G>, left: &Map<G, N>, right: &Map<G, N>, trial: &Trial) -> Tried {
        jets_agree(left.untyped(), right.untyped(), trial)
    }

    /// Compares through Prop. 5.2.
    fn tangents_agree<G: Shape>(space: &Space<G>, v: &Tangent<Self, G>, w: &Tangent<Self, G>, trial: &Trial) -> Tried {
        Representable::agree(space, &value_with_slope(v), &value_with_slope(w), trial)
    }
}

impl<T: Eq + fmt::Debug + Clone + Send + Sync + 'static> Observe for Discrete<T> {
    fn agree<G: Shape>(_: &Space<G>, left: &T, right: &T, _: &Trial) -> Tried {
        Ok(if left == right {
            Verdict::Survived
        } else {
            Verdict::refuted("every stage", format!("{left:?}"), format!("{right:?}"))
        })
    }

    fn tangents_agree<G: Shape>(space: &Space<G>, v: &Tangent<Self, G>, w: &Tangent<Self, G>, trial: &Trial) -> Tried {
        Self::agree(space, &tangent_value(v), &tangent_value(w), trial)
    }
}

impl<A: Observe, B: Observe> Observe for Product<A, B> {
    fn agree<G: Shape>(space: &Space<G>, left: &Self::At<G>, right: &Self::At<G>, trial: &Trial) -> Tried {
        let first = A::agree(space, &left.0, &right.0, trial)?;
        Ok(first.both(B::agree(space, &left.1, &right.1, trial)?))
    }

    /// Compares through Prop. 5.1.
    fn tangents_agree<G: Shape>(space: &Space<G>, v: &Tangent<Self, G>, w: &Tangent<Self, G>, trial: &Trial) -> Tried {
        let to = tangent_prod::<A, B>().to;
        Product::<Tan<A>, Tan<B>>::agree(space, &to.at(space, v), &to.at(space, w), trial)
    }
}

impl<A: Observe, B: Observe> Observe for Sum<A, B> {
    fn agree<G: Shape>(space: &Space<G>, left: &Self::At<G>, right: &Self::At<G>, trial: &Trial) -> Tried {
        match (left, right) {
            (Either::Left(x), Either::Left(y)) => A::agree(space, x, y, trial),
            (Either::Right(x), Either::Right(y)) => B::agree(space, x, y, trial),
            (Either::Left(_), Either::Right(_)) => Ok(Verdict::refuted("every stage", "Left", "Right")),
            (Either::Right(_), Either::Left(_)) => Ok(Verdict::refuted("every stage", "Right", "Left")),
        }
    }

    fn tangents_agree<G: Shape>(space: &Space<G>, v: &Tangent<Self, G>, w: &Tangent<Self, G>, trial: &Trial) -> Tried {
        let to = tangent_sum::<A, B>().to;
        Sum::<Tan<A>, Tan<B>>::agree(space, &to.at(space, v), &to.at(space, w), trial)
    }
}

/// The number of arguments at which two functions are compared. A choice: two of each kind of stage.
const ARGUMENTS: u64 = 4;

/// Returns the test for a single argument of a function, with half the samples and a seed of its own.
fn at_argument(trial: &Trial, random: &mut Random) -> Trial {
    Trial { seed: random.next(), samples: trial.samples.div_ceil(2), ..trial.clone() }
}

/// Tests a statement at later stages of two kinds. One has an additional coordinate, so that restriction is weakening;
/// the other has a random map to `space`. The argument at each stage is random, or all arguments are used if there are
/// few.
pub fn at_later_stages<F: Sample, G: Shape>(
    space: &Space<G>,
    trial: &Trial,
    statement: impl for<'d> Fn(&Space<Stage<'d>>, &Map<Stage<'d>, G>, &F::At<Stage<'d>>, &Trial) -> Tried,
) -> Tried {
    Verdict::all((0..ARGUMENTS).map(|index| {
        let mut random = Random::of(trial.seed, index);
        let trial = at_argument(trial, &mut random);
        let line = Space::<Line>::new();
        // Weakening leaves graphs unchanged, so it tests the types and not the substitution.
        if index % 2 == 0 {
            at_a_stage(space.size() + 1, |later| {
                let along = later.renaming(&space.times(&line)).then(&space.first(&line));
                at_arguments::<F, _>(later, &mut random, |x| statement(later, &along, x, &trial))
            })
        } else {
            // A random map tests naturality along a substitution.
            at_a_stage(1 + random.below(2), |later| {
                let along = sample::map(&mut random, later, space);
                at_arguments::<F, _>(later, &mut random, |x| statement(later, &along, x, &trial))
            })
        }
    }))
}

/// Tests a statement of all elements at a stage if they are few, otherwise of a random element.
fn at_arguments<F: Sample, G: Shape>(
    space: &Space<G>,
    random: &mut Random,
    statement: impl Fn(&F::At<G>) -> Tried,
) -> Tried {
    match F::elements(space) {
        Some(elements) => Verdict::all(elements.iter().map(statement)),
        None => statement(&F::draw(random, space)),
    }
}

impl<F: Sample, H: Observe> Observe for Exponential<F, H> {
    fn agree<G: Shape>(space: &Space<G>, left: &Natural<F, H, G>, right: &Natural<F, H, G>, trial: &Trial) -> Tried {
        at_later_stages::<F, G>(space, trial, |later, along, x, trial| {
            H::agree(later, &left.apply(along, x), &right.apply(along, x), trial)
        })
    }

    /// Compares the tangents of the values at each argument. This uses Prop. 5.3, and its consequences by `A ⇒ (B ⇒ ℜ)
    /// ≅ A × B ⇒ ℜ` and `A ⇒ B × C ≅ (A ⇒ B) × (A ⇒ C)`.
    fn tangents_agree<G: Shape>(space: &Space<G>, v: &Tangent<Self, G>, w: &Tangent<Self, G>, trial: &Trial) -> Tried {
        at_later_stages::<F, G>(space, trial, |later, along, x, trial| {
            let at = |tangent: &Tangent<Self, G>| evaluated(&Tan::restrict(along, tangent), x);
            H::tangents_agree(later, &at(v), &at(w), trial)
        })
    }
}

impl<F: Observe> Observe for Tan<F> {
    fn agree<G: Shape>(space: &Space<G>, left: &Tangent<F, G>, right: &Tangent<F, G>, trial: &Trial) -> Tried {
        F::tangents_agree(space, left, right, trial)
    }
}

impl Observe for Dynamic {
    fn agree<G: Shape>(space: &Space<G>, left: &Element, right: &Element, trial: &Trial) -> Tried {
        Comparison { space, trial, done: FxHashMap::default() }.agree(left, right)
    }

    /// Compares through Props. 5.1 and 5.2, and sums. Tangents to functions of the language are untyped, so they are
    /// vacuous.
    fn tangents_agree<G: Shape>(space: &Space<G>, v: &Tangent<Self, G>, w: &Tangent<Self, G>, trial: &Trial) -> Tried {
        match (language::shown(v), language::shown(w)) {
            (Some(v), Some(w)) => Self::agree(space, &v, &w, trial),
            _ => Ok(Verdict::Vacuous),
        }
    }
}

/// A comparison of two values of the language. Parts that both share are compared once.
struct Comparison<'a, G: Shape> {
    space: &'a Space<G>,
    trial: &'a Trial,
    done: FxHashMap<(Address, Address), Verdict>,
}

impl<G: Shape> Comparison<'_, G> {
    /// Compares two parts, with the memo.
    fn agree(&mut self, left: &Element, right: &Element) -> Tried {
        let addresses = left.address().zip(right.address());
        if let Some(done) = addresses.and_then(|addresses| self.done.get(&addresses)) {
            return Ok(done.clone());
        }
        let verdict = deep(|| self.agree_here(left, right))?;
        if let Some(addresses) = addresses {
            self.done.insert(addresses, verdict.clone());
        }
        Ok(verdict)
    }

    /// Compares the outermost constructors of two values, and their parts.
    fn agree_here(&mut self, left: &Element, right: &Element) -> Tried {
        let discrete = |equal: bool| if equal { Verdict::Survived } else { apart(left, right) };
        match (left, right) {
            (Element::Real(x), Element::Real(y)) => {
                let map = |g: &Graph| self.space.component(g);
                Representable::agree(self.space, &map(x), &map(y), self.trial)
            }
            (Element::Natural(x), Element::Natural(y)) => Ok(discrete(x == y)),
            (Element::Boolean(x), Element::Boolean(y)) => {
                // A guard that real numbers decide has no value to compare.
                let both = x.known().zip(y.known());
                Ok(both.map_or(Verdict::Vacuous, |(x, y)| discrete(x == y)))
            }
            (Element::Unit, Element::Unit) => Ok(Verdict::Survived),
            (Element::Tuple(x), Element::Tuple(y)) if x.len() == y.len() => self.all(x.iter().zip(y.iter())),
            (Element::Variant(i, x), Element::Variant(j, y)) if i == j => deep(|| self.agree(x, y)),
            (Element::List(x), Element::List(y)) if x.iter().count() == y.iter().count() => {
                self.all(x.iter().zip(y.iter()))
            }
            // Different lengths and constructors do not vary over a stage, so they refute.
            (Element::Tuple(_), Element::Tuple(_))
            | (Element::Variant(..), Element::Variant(..))
            | (Element::List(_), Element::List(_)) => Ok(apart(left, right)),
            _ if left.kind() != right.kind() => Ok(apart(left, right)),
            _ => Ok(Verdict::Vacuous),
        }
    }

    /// Compares parts pairwise. Without parts the verdict is `Survived`, because there is nothing else to observe.
    fn all<'e>(&mut self, parts: impl Iterator<Item = (&'e Element, &'e Element)>) -> Tried {
        let mut all = Verdict::Survived;
        for (x, y) in parts {
            all = all.both(self.agree(x, y)?);
            if all.is_refuted() {
                break;
            }
        }
        Ok(all)
    }
}

/// Returns the refutation of two values that differ in a constant property.
fn apart(left: &Element, right: &Element) -> Verdict {
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
