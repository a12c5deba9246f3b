//! Values of the language as two categories: presheaves, and diffeological spaces (S §5.1; H §4.1, §5.2).
//!
//! The objects of both are types, the arrows are functions of values at any stage, and the [structure](crate::presheaf::arrows)
//! is the same. They differ in equality. An arrow of [`Had`] is a natural transformation; two are equal if they are at every
//! stage, with all derivatives. An arrow of [`Diff`] sends plots to plots; two are equal if they are at every point of every
//! plot.

use super::sample;
use super::space::{ElementComparison, TypeSpace};
use crate::category::opposite::RelabelEnds;
use crate::category::{Cartesian, CartesianClosed, Category, Cocartesian, Lists, ObjectName, Setoid};
use crate::diffeology::open::OpenSet;
use crate::diffeology::real::rational_point;
use crate::diffeology::{Diffeology, DiffeologyError, DiffeologyVerdict};
use crate::presheaf::arrows;
use crate::presheaf::dynamic::{Element, StageFunction};
use crate::random::SplitMix64;
use crate::simple::{ListOf, One, Plus, Times, To, Zero};
use crate::smooth::map::MapTestConfig;
use crate::syntax::inductive::is_uninhabited;
use crate::syntax::ty::Ty;
use crate::terms::CategoryOfTypes;
use crate::verdict::Verdict;
use std::marker::PhantomData;

/// An equality of functions of values as arrows.
pub trait ArrowEquality: 'static {
    /// Compares two functions ⟦A⟧ → ⟦B⟧.
    ///
    /// # Errors
    /// Those of evaluation, and [`DiffeologyError::Shape`] for types without elements to draw.
    fn compare_functions(
        from: &Ty,
        to: &Ty,
        functions: [&StageFunction; 2],
        trial: &MapTestConfig,
    ) -> DiffeologyVerdict;
}

/// Categories with functions of values as arrows, by their equality.
#[derive(Debug)]
pub struct ElementCategory<E>(PhantomData<E>);

/// The values of the language as presheaves.
pub type Had = ElementCategory<StagewiseEquality>;
/// The values of the language as diffeological spaces.
pub type Diff = ElementCategory<PlotwiseEquality>;

/// Equality at a later stage.
#[derive(Clone, Copy, Debug)]
pub enum StagewiseEquality {}

/// Equality at points of plots.
#[derive(Clone, Copy, Debug)]
pub enum PlotwiseEquality {}

/// The stage at which natural transformations are compared, by the number of its coordinates; a choice.
const COMPARISON_STAGE: usize = 1;

impl ArrowEquality for StagewiseEquality {
    fn compare_functions(from: &Ty, to: &Ty, [f, g]: [&StageFunction; 2], trial: &MapTestConfig) -> DiffeologyVerdict {
        sample::check_drawable(from)?;
        let comparison = ElementComparison::at_stage(COMPARISON_STAGE, trial);
        Verdict::all_samples((0..u64::from(trial.sample_points)).map(|index| {
            let x = sample::draw_element(from, COMPARISON_STAGE, &mut SplitMix64::for_sample(trial.seed, index));
            comparison.compare_elements(to, &f.apply(&x)?, &g.apply(&x)?)
        }))
    }
}

impl ArrowEquality for PlotwiseEquality {
    fn compare_functions(
        from: &Ty,
        to: &Ty,
        functions: [&StageFunction; 2],
        trial: &MapTestConfig,
    ) -> DiffeologyVerdict {
        let (from, to) = (TypeSpace::new(from.clone())?, TypeSpace::new(to.clone())?);
        let mut all = Verdict::Vacuous;
        for index in 0..u64::from(trial.sample_points) {
            let mut random = SplitMix64::for_sample(trial.seed, index);
            // every second plot is on all of ℝ, the others on a random open: both are ways to fail
            let domain = if index % 2 == 0 { OpenSet::whole_space(1) } else { OpenSet::draw_set(&mut random) };
            let plot = from.draw_plot(&domain, &mut random);
            let image = |f: &StageFunction| plot.try_map_pieces(|x: &Element| Ok::<_, DiffeologyError>(f.apply(x)?));
            let (left, right) = (image(functions[0])?, image(functions[1])?);
            // an image that is no plot refutes that the arrow is one of spaces
            all = all.and(to.test_plot(&left, trial)?.and_part(to.test_plot(&right, trial)?));
            for u in domain.sample_points(&mut random, 2) {
                let u = rational_point(&u);
                all = all.and(to.compare_points(
                    &to.value_at(&left, &u, trial)?,
                    &to.value_at(&right, &u, trial)?,
                    trial,
                )?);
            }
            if all.is_refuted() {
                break;
            }
        }
        Ok(all)
    }
}

impl<E: ArrowEquality> CategoryOfTypes for ElementCategory<E> {}

impl<E: ArrowEquality> Category for ElementCategory<E> {
    type Object = Ty;
    type Hom<A: ObjectName<Self>, B: ObjectName<Self>> = StageFunction;

    fn identity<A: ObjectName<Self>>() -> StageFunction {
        arrows::identity_arrow()
    }

    fn then<A: ObjectName<Self>, B: ObjectName<Self>, C: ObjectName<Self>>(
        f: &StageFunction,
        g: &StageFunction,
    ) -> StageFunction {
        arrows::compose_arrows([f, g])
    }
}

impl<E: ArrowEquality> Cartesian for ElementCategory<E> {
    type Terminal = One;
    type Product<A: ObjectName<Self>, B: ObjectName<Self>> = Times<A, B>;

    fn terminal<A: ObjectName<Self>>() -> StageFunction {
        arrows::terminal_arrow()
    }

    fn pair<X: ObjectName<Self>, A: ObjectName<Self>, B: ObjectName<Self>>(
        f: &StageFunction,
        g: &StageFunction,
    ) -> StageFunction {
        arrows::pair_arrows([f, g])
    }

    fn first<A: ObjectName<Self>, B: ObjectName<Self>>() -> StageFunction {
        arrows::projection_arrow(0)
    }

    fn second<A: ObjectName<Self>, B: ObjectName<Self>>() -> StageFunction {
        arrows::projection_arrow(1)
    }
}

impl<E: ArrowEquality> CartesianClosed for ElementCategory<E> {
    type Exponential<A: ObjectName<Self>, B: ObjectName<Self>> = To<A, B>;

    fn curry<X: ObjectName<Self>, A: ObjectName<Self>, B: ObjectName<Self>>(f: &StageFunction) -> StageFunction {
        arrows::curry_arrow([f])
    }

    fn apply<A: ObjectName<Self>, B: ObjectName<Self>>() -> StageFunction {
        arrows::evaluation_arrow()
    }
}

impl<E: ArrowEquality> Cocartesian for ElementCategory<E> {
    type Initial = Zero;

    fn initial<A: ObjectName<Self>>() -> StageFunction {
        arrows::initial_arrow()
    }

    type Sum<A: ObjectName<Self>, B: ObjectName<Self>> = Plus<A, B>;

    fn left<A: ObjectName<Self>, B: ObjectName<Self>>() -> StageFunction {
        arrows::injection_arrow(0)
    }

    fn right<A: ObjectName<Self>, B: ObjectName<Self>>() -> StageFunction {
        arrows::injection_arrow(1)
    }

    fn case<A: ObjectName<Self>, B: ObjectName<Self>, X: ObjectName<Self>>(
        f: &StageFunction,
        g: &StageFunction,
    ) -> StageFunction {
        arrows::copair_arrows([f, g])
    }
}

impl<E: ArrowEquality> Lists for ElementCategory<E> {
    type List<A: ObjectName<Self>> = ListOf<A>;

    fn nil<A: ObjectName<Self>>() -> StageFunction {
        arrows::nil_arrow()
    }

    fn cons<A: ObjectName<Self>>() -> StageFunction {
        arrows::cons_arrow()
    }

    fn fold<A: ObjectName<Self>, B: ObjectName<Self>>(start: &StageFunction, step: &StageFunction) -> StageFunction {
        arrows::fold_list([start, step])
    }
}

impl<E: ArrowEquality> RelabelEnds for ElementCategory<E> {
    fn relabel_ends<A: ObjectName<Self>, B: ObjectName<Self>, X: ObjectName<Self>, Y: ObjectName<Self>>(
        f: &StageFunction,
    ) -> StageFunction {
        f.clone()
    }
}

impl<E: ArrowEquality> Setoid for ElementCategory<E> {
    type Trial = MapTestConfig;
    type Error = DiffeologyError;

    fn agree<A: ObjectName<Self>, B: ObjectName<Self>>(
        left: &StageFunction,
        right: &StageFunction,
        trial: &MapTestConfig,
    ) -> DiffeologyVerdict {
        // functions out of the empty set: there is one, and nothing to draw
        if is_uninhabited(&A::object()) {
            return Ok(Verdict::Survived);
        }
        E::compare_functions(&A::object(), &B::object(), [left, right], trial)
    }
}
