//! Values of the language as two categories: presheaves, and diffeological spaces (S §5.1; H §4.1, §5.2).
//!
//! The objects of both are types, the arrows are functions of values at any stage, and the [structure](crate::presheaf::arrows)
//! is the same. They differ in equality. An arrow of [`Had`] is a natural transformation; two are equal if they are at every
//! stage, with all derivatives. An arrow of [`Diff`] sends plots to plots; two are equal if they are at every point of every
//! plot.

use super::sample;
use super::space::{Comparison, Denotation};
use crate::category::opposite::Renamed;
use crate::category::{Cartesian, Category, Closed, Cocartesian, Lists, Names, Setoid};
use crate::diffeology::open::Open;
use crate::diffeology::real::exactly;
use crate::diffeology::{Diffeology, DiffeologyError, Tried};
use crate::presheaf::arrows;
use crate::presheaf::dynamic::{Element, Function};
use crate::random::Random;
use crate::simple::{ListOf, One, Plus, Times, To, Zero};
use crate::smooth::map::Trial;
use crate::syntax::inductive::is_empty;
use crate::syntax::ty::Ty;
use crate::terms::OfTypes;
use crate::verdict::Verdict;
use std::marker::PhantomData;

/// An equality of functions of values as arrows.
pub trait Equality: 'static {
    /// Compares two functions ⟦A⟧ → ⟦B⟧.
    ///
    /// # Errors
    /// Those of evaluation, and [`DiffeologyError::Shape`] for types without elements to draw.
    fn agree(from: &Ty, to: &Ty, functions: [&Function; 2], trial: &Trial) -> Tried;
}

/// Categories with functions of values as arrows, by their equality.
#[derive(Debug)]
pub struct Values<E>(PhantomData<E>);

/// The values of the language as presheaves.
pub type Had = Values<AtStages>;
/// The values of the language as diffeological spaces.
pub type Diff = Values<OnPlots>;

/// Equality at a later stage.
#[derive(Clone, Copy, Debug)]
pub enum AtStages {}

/// Equality at points of plots.
#[derive(Clone, Copy, Debug)]
pub enum OnPlots {}

/// The stage at which natural transformations are compared, by the number of its coordinates; a choice.
const STAGE: usize = 1;

impl Equality for AtStages {
    fn agree(from: &Ty, to: &Ty, [f, g]: [&Function; 2], trial: &Trial) -> Tried {
        sample::inhabited(from)?;
        let comparison = Comparison::at_stage(STAGE, trial);
        Verdict::all((0..u64::from(trial.samples)).map(|index| {
            let x = sample::element(from, STAGE, &mut Random::of(trial.seed, index));
            comparison.agree(to, &f.apply(&x)?, &g.apply(&x)?)
        }))
    }
}

impl Equality for OnPlots {
    fn agree(from: &Ty, to: &Ty, functions: [&Function; 2], trial: &Trial) -> Tried {
        let (from, to) = (Denotation::new(from.clone())?, Denotation::new(to.clone())?);
        let mut all = Verdict::Vacuous;
        for index in 0..u64::from(trial.samples) {
            let mut random = Random::of(trial.seed, index);
            // every second plot is on all of ℝ, the others on a random open: both are ways to fail
            let domain = if index % 2 == 0 { Open::whole(1) } else { Open::draw(&mut random) };
            let plot = from.draw_plot(&domain, &mut random);
            let image = |f: &Function| plot.try_each(|x: &Element| Ok::<_, DiffeologyError>(f.apply(x)?));
            let (left, right) = (image(functions[0])?, image(functions[1])?);
            // an image that is no plot refutes that the arrow is one of spaces
            all = all.and(to.is_plot(&left, trial)?.both(to.is_plot(&right, trial)?));
            for u in domain.samples(&mut random, 2) {
                let u = exactly(&u);
                all = all.and(to.same(&to.at(&left, &u, trial)?, &to.at(&right, &u, trial)?, trial)?);
            }
            if all.is_refuted() {
                break;
            }
        }
        Ok(all)
    }
}

impl<E: Equality> OfTypes for Values<E> {}

impl<E: Equality> Category for Values<E> {
    type Object = Ty;
    type Hom<A: Names<Self>, B: Names<Self>> = Function;

    fn identity<A: Names<Self>>() -> Function {
        arrows::identity()
    }

    fn then<A: Names<Self>, B: Names<Self>, C: Names<Self>>(f: &Function, g: &Function) -> Function {
        arrows::composite([f, g])
    }
}

impl<E: Equality> Cartesian for Values<E> {
    type Terminal = One;
    type Product<A: Names<Self>, B: Names<Self>> = Times<A, B>;

    fn terminal<A: Names<Self>>() -> Function {
        arrows::terminal()
    }

    fn pair<X: Names<Self>, A: Names<Self>, B: Names<Self>>(f: &Function, g: &Function) -> Function {
        arrows::pair([f, g])
    }

    fn first<A: Names<Self>, B: Names<Self>>() -> Function {
        arrows::projection(0)
    }

    fn second<A: Names<Self>, B: Names<Self>>() -> Function {
        arrows::projection(1)
    }
}

impl<E: Equality> Closed for Values<E> {
    type Exponential<A: Names<Self>, B: Names<Self>> = To<A, B>;

    fn curry<X: Names<Self>, A: Names<Self>, B: Names<Self>>(f: &Function) -> Function {
        arrows::curried([f])
    }

    fn apply<A: Names<Self>, B: Names<Self>>() -> Function {
        arrows::evaluation()
    }
}

impl<E: Equality> Cocartesian for Values<E> {
    type Initial = Zero;

    fn initial<A: Names<Self>>() -> Function {
        arrows::initial()
    }

    type Sum<A: Names<Self>, B: Names<Self>> = Plus<A, B>;

    fn left<A: Names<Self>, B: Names<Self>>() -> Function {
        arrows::injection(0)
    }

    fn right<A: Names<Self>, B: Names<Self>>() -> Function {
        arrows::injection(1)
    }

    fn case<A: Names<Self>, B: Names<Self>, X: Names<Self>>(f: &Function, g: &Function) -> Function {
        arrows::case([f, g])
    }
}

impl<E: Equality> Lists for Values<E> {
    type List<A: Names<Self>> = ListOf<A>;

    fn nil<A: Names<Self>>() -> Function {
        arrows::nil()
    }

    fn cons<A: Names<Self>>() -> Function {
        arrows::cons()
    }

    fn fold<A: Names<Self>, B: Names<Self>>(start: &Function, step: &Function) -> Function {
        arrows::fold([start, step])
    }
}

impl<E: Equality> Renamed for Values<E> {
    fn renamed<A: Names<Self>, B: Names<Self>, X: Names<Self>, Y: Names<Self>>(f: &Function) -> Function {
        f.clone()
    }
}

impl<E: Equality> Setoid for Values<E> {
    type Trial = Trial;
    type Error = DiffeologyError;

    fn agree<A: Names<Self>, B: Names<Self>>(left: &Function, right: &Function, trial: &Trial) -> Tried {
        // functions out of the empty set: there is one, and nothing to draw
        if is_empty(&A::object()) {
            return Ok(Verdict::Survived);
        }
        E::agree(&A::object(), &B::object(), [left, right], trial)
    }
}
