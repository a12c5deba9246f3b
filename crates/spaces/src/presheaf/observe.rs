//! Equality of elements, as far as it can be observed.
//!
//! Elements are compared by what can be seen of them. The answer is a [`Verdict`], never `==`.
//!
//! | presheaf | two elements are compared |
//! |---|---|
//! | [`Representable`] | as maps: values and derivatives at sample points overlap |
//! | [`Discrete`] | by equality of T |
//! | [`Product`], [`Sum`] | componentwise; in the same summand |
//! | [`Exponential`] | at sampled later stages and arguments |
//! | [`Tan`] | through the isomorphisms of S Props. 5.1 to 5.3; where none applies the answer is vacuous |
//! | [`Dynamic`] | as their kind says: variants with one constructor and lists of one length by what is in them; functions and tangents of the language have no type here, and are vacuous |

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

/// A verdict, or why there is none.
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
    /// Those of evaluating maps.
    fn agree<G: Shape>(space: &Space<G>, left: &Self::At<G>, right: &Self::At<G>, trial: &Trial) -> Tried;

    /// Compares two tangents to the presheaf, through an isomorphism that says what they are. Vacuous unless there is one.
    ///
    /// # Errors
    /// Those of evaluating maps.
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

    /// Prop. 5.2.
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

    /// Prop. 5.1.
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

/// How many arguments a function is tried at.
const ARGUMENTS: u64 = 4;

/// What is tried at each argument of a function.
fn at_argument(trial: &Trial, random: &mut Random) -> Trial {
    Trial { seed: random.next(), samples: trial.samples.div_ceil(2), ..trial.clone() }
}

/// A statement of two kinds of later stages, with a random argument at each, or with every one where there are few: a stage with one coordinate more, where restriction is
/// weakening, and another with a random map from it.
pub fn at_later_stages<F: Sample, G: Shape>(
    space: &Space<G>,
    trial: &Trial,
    statement: impl for<'d> Fn(&Space<Stage<'d>>, &Map<Stage<'d>, G>, &F::At<Stage<'d>>, &Trial) -> Tried,
) -> Tried {
    Verdict::all((0..ARGUMENTS).map(|index| {
        let mut random = Random::of(trial.seed, index);
        let trial = at_argument(trial, &mut random);
        let line = Space::<Line>::new();
        if index % 2 == 0 {
            at_a_stage(space.size() + 1, |later| {
                let along = later.renaming(&space.times(&line)).then(&space.first(&line));
                at_arguments::<F, _>(later, &mut random, |x| statement(later, &along, x, &trial))
            })
        } else {
            at_a_stage(1 + random.below(2), |later| {
                let along = sample::map(&mut random, later, space);
                at_arguments::<F, _>(later, &mut random, |x| statement(later, &along, x, &trial))
            })
        }
    }))
}

/// A statement of every element at a stage, where there are few; otherwise of a random one.
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

    /// Prop. 5.3, and what it gives by `A ⇒ (B ⇒ ℜ) ≅ A × B ⇒ ℜ` and `A ⇒ B × C ≅ (A ⇒ B) × (A ⇒ C)`: tangents of the
    /// value at every argument.
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

    /// Props. 5.1 and 5.2, and sums; tangents to functions of the language have no type here, and are vacuous.
    fn tangents_agree<G: Shape>(space: &Space<G>, v: &Tangent<Self, G>, w: &Tangent<Self, G>, trial: &Trial) -> Tried {
        match (language::shown(v), language::shown(w)) {
            (Some(v), Some(w)) => Self::agree(space, &v, &w, trial),
            _ => Ok(Verdict::Vacuous),
        }
    }
}

/// A comparison of two values of the language. What both share is compared once.
struct Comparison<'a, G: Shape> {
    space: &'a Space<G>,
    trial: &'a Trial,
    done: FxHashMap<(Address, Address), Verdict>,
}

impl<G: Shape> Comparison<'_, G> {
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

    fn agree_here(&mut self, left: &Element, right: &Element) -> Tried {
        let discrete = |equal: bool| if equal { Verdict::Survived } else { apart(left, right) };
        match (left, right) {
            (Element::Real(x), Element::Real(y)) => {
                let map = |g: &Graph| self.space.component(g);
                Representable::agree(self.space, &map(x), &map(y), self.trial)
            }
            (Element::Natural(x), Element::Natural(y)) => Ok(discrete(x == y)),
            (Element::Boolean(x), Element::Boolean(y)) => {
                let both = x.known().zip(y.known());
                Ok(both.map_or(Verdict::Vacuous, |(x, y)| discrete(x == y)))
            }
            (Element::Unit, Element::Unit) => Ok(Verdict::Survived),
            (Element::Tuple(x), Element::Tuple(y)) if x.len() == y.len() => self.all(x.iter().zip(y.iter())),
            (Element::Variant(i, x), Element::Variant(j, y)) if i == j => deep(|| self.agree(x, y)),
            (Element::List(x), Element::List(y)) if x.iter().count() == y.iter().count() => {
                self.all(x.iter().zip(y.iter()))
            }
            (Element::Tuple(_), Element::Tuple(_))
            | (Element::Variant(..), Element::Variant(..))
            | (Element::List(_), Element::List(_)) => Ok(apart(left, right)),
            _ if left.kind() != right.kind() => Ok(apart(left, right)),
            _ => Ok(Verdict::Vacuous),
        }
    }

    /// Of no parts it survives: there is nothing else to see.
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

/// The refutation of two values that are apart in what does not vary.
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
