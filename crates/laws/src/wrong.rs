//! Mutants: for each rule of the library, a plausible wrong one.
//!
//! A law that no wrong model fails has no content. So every rule has a [*mutant*](Mutant): the presheaf model with
//! exactly that rule replaced. The layers below do not depend on mutants. They offer
//! [`smooth::hooks`](crate::smooth::hooks), universes that may replace that of the [model](crate::meaning::presheaf),
//! and the [hooks of the macro](crate::meaning::taylor::functor). Each list gives the right rule in words and the wrong
//! one, and implements the wrong one.
//!
//! | list | rules of |
//! |---|---|
//! | [`Value`], [`Derivative`] | each operation: its number, and its slope |
//! | [`FunctionValue`], [`FunctionDerivative`] | each elementary function: its value, and its slope |
//! | [`PlanarValue`], [`PlanarDerivative`] | each elementary function of two variables: its value, and its slopes |
//! | [`Chain`] | products and composites of higher order (S §4.3.1, §4.4) |
//! | [`Kink`] | Clarke's derivative where branches meet (S §4.1, §4.3.2) |
//! | [`Definedness`] | what is ⊥ (S §6, E42) |
//! | [`Nested`] | derivatives inside programs (S Fig. 4) |
//! | [`Integral`], [`Root`], [`Optimum`] | the second-order primitives (S §5.2) |
//! | [`Reverse`] | the pullbacks of a reverse sweep (A §3.1, §4.1) |
//! | [`Tangent`] | Tan and its isomorphisms (S §5.3) |
//! | [`Language`] | variables, binders, data and derived constants (S Fig. 6, §8.1) |
//! | [`Taylor`] | the Taylor macro (H §3.2, §5.1), which theories test by `derives`; the model itself is unchanged |
//!
//! Further lists are not part of [`Mutation`], since they concern no presheaf model.
//!
//! | list | rules of |
//! |---|---|
//! | [`Partial`] | [partial maps](crate::meaning::partial), which are models of their own |
//! | [`Pap`] | [piecewise programs](crate::meaning::pap), which are models of their own |
//! | [`Dual`] | the [dual numbers of piecewise programs](crate::meaning::taylor::functor) |
//! | [`Solver`] | [roots, optima](crate::meaning::taylor::functional) and [kinks](crate::meaning::taylor::functor::lift_kink) in the macro |
//! | [`Measure`] | [sums over paths and pushforwards](crate::measure) |
//! | [`Sampler`] | [samplers](crate::sampler) |
//! | [`Trace`] | the [operational semantics](crate::trace) |
//!
//! ```
//! use smoothish_laws::wrong::{Kink, Mutation};
//! let relu = Mutation::named("max_tie_left").unwrap();
//! assert_eq!(relu, Kink::MaxLeft.into());
//! assert_eq!(relu.instead(), "that of the left argument");
//! ```
//!
//! A mutant is a value if something wrong can be handed over: another universe, another program, another kind of
//! number. 𝒟 preserves the structure of programs, so a wrong rule for a conditional or a fold is the right rule
//! for another program (`source`). Only numbers and operations need hooks.
//!
//! A rule never looks at the precision, and ties are wrong only where branches meet exactly. In searches for roots
//! and maxima a wrong derivative may be found out by a contradiction, which the solver reports.

use crate::meaning::taylor::functor::TaylorHooks;
pub use function::{FunctionDerivative, FunctionValue, PlanarDerivative, PlanarValue};
pub use language::Language;
pub use mutant::{Mutant, all_mutants, named};
pub use reverse::Reverse;
pub use step::{Chain, Definedness, Derivative, Integral, Kink, Nested, Optimum, Root, Value};
pub use tangent::Tangent;
pub use taylor::{Dual, MacroMutant, Solver, Taylor, WrongTableEntry};
pub use trace::{
    HookedNumbers, Measure, MeasureMutationHooks, Pap, Partial, PartialMutationHooks, PiecewiseMutationHooks, RuleSet,
    Sampler, Trace, TraceMutationHooks, WrongRule,
};

/// Defines a list of rules, each with its name, the right rule, and the wrong one.
macro_rules! rules {
    ($(#[$about:meta])* $list:ident { $($rule:ident $name:literal, $right:literal => $wrong:literal;)* }) => {
        $(#[$about])*
        #[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
        pub enum $list {
            $(#[doc = concat!($right, "; instead: ", $wrong, ".")] $rule,)*
        }

        impl $list {
            /// All rules of the list.
            pub const ALL: &[Self] = &[$(Self::$rule),*];

            /// Returns the name of the mutation.
            #[must_use]
            pub fn name(self) -> &'static str {
                match self { $(Self::$rule => $name),* }
            }

            /// Returns the right rule in words.
            #[must_use]
            pub fn rule(self) -> &'static str {
                match self { $(Self::$rule => $right),* }
            }

            /// Returns the wrong rule in words.
            #[must_use]
            pub fn instead(self) -> &'static str {
                match self { $(Self::$rule => $wrong),* }
            }
        }
    };
}

pub(crate) use rules;

mod function;
mod language;
mod mutant;
mod reverse;
mod rows;
mod step;
mod tangent;
mod taylor;
mod trace;

macro_rules! mutation {
    ($($list:ident)*) => {
        /// A mutation: one rule replaced by a wrong one.
        #[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
        pub enum Mutation {
            /// Every real number is ⊥. It asserts nothing, so no law refutes it: every law must be vacuous.
            Bottom,
            $(#[doc = concat!("One of [`", stringify!($list), "`].")] $list($list),)*
        }

        impl Mutation {
            /// Returns all mutations.
            #[must_use]
            pub fn all() -> Vec<Self> {
                let mut all = vec![Self::Bottom];
                $(all.extend($list::ALL.iter().copied().map(Self::$list));)*
                all
            }

            /// Returns the name, which no other mutation has.
            #[must_use]
            pub fn name(self) -> &'static str {
                match self { Self::Bottom => "bottom", $(Self::$list(rule) => rule.name()),* }
            }

            /// Returns the right rule in words.
            #[must_use]
            pub fn rule(self) -> &'static str {
                match self { Self::Bottom => "a number is enclosed as narrowly as asked", $(Self::$list(rule) => rule.rule()),* }
            }

            /// Returns the wrong rule in words.
            #[must_use]
            pub fn instead(self) -> &'static str {
                match self { Self::Bottom => "it is ⊥", $(Self::$list(rule) => rule.instead()),* }
            }

            /// Returns the mutation `name`. Returns `None` if there is no such mutation.
            #[must_use]
            pub fn named(name: &str) -> Option<Self> {
                Self::all().into_iter().find(|mutation| mutation.name() == name)
            }
        }

        $(impl From<$list> for Mutation {
            fn from(rule: $list) -> Self {
                Self::$list(rule)
            }
        })*
    };
}

mutation! { Value FunctionValue PlanarValue Derivative FunctionDerivative PlanarDerivative Chain Kink Definedness Nested Integral Root Optimum Tangent Reverse Language Taylor }

impl Mutation {
    /// Returns the rules of the macro with this one replaced. Returns `None` if it is no rule of the macro; the
    /// presheaf model is then the mutant.
    #[must_use]
    pub fn of_macro(self) -> Option<&'static dyn TaylorHooks> {
        match self {
            // through `ALL`, whose elements are static
            Self::Taylor(rule) => Taylor::ALL.iter().find(|known| **known == rule).map(|rule| rule as &dyn TaylorHooks),
            _ => None,
        }
    }
}
