//! The rules of the library, and for each a plausible wrong one.
//!
//! A law that no wrong model fails says nothing. So every rule stands here with a [*mutant*](Mutant): the presheaf model with
//! exactly that rule replaced. No layer below knows of that: they offer [`smooth::hooks`](crate::smooth::hooks), universes that may be put in
//! the place of that of the [model](crate::meaning::presheaf), and the
//! [hooks of the macro](crate::meaning::taylor::hooks) to whoever wants to replace some. Each list says what is right, what is
//! done instead, and does it.
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
//! | [`Reverse`] | what a sweep of reverse mode hands on (A §3.1, §4.1) |
//! | [`Tangent`] | Tan and its isomorphisms (S §5.3) |
//! | [`Language`] | variables, binders, data and the constants that are defined by others (S Fig. 6, §8.1) |
//! | [`Taylor`] | the Taylor macro (H §3.2, §5.1), of which theories speak by `derives`; and the model stays as it is |
//!
//! [`Partial`] lists the rules of [partial maps](crate::meaning::partial), which are models of
//! their own, as [`Pap`] those of [programs in pieces](crate::meaning::pap), [`Measure`] those of [sums over paths and changes of variables](crate::measure), which is none,
//! [`Sampler`] those of [samplers](crate::sampler) and [`Trace`] those of the [operational semantics](crate::trace), which is none.
//!
//! ```
//! use smoothish_laws::wrong::{Kink, Mutation};
//! let relu = Mutation::named("max_tie_left").unwrap();
//! assert_eq!(relu, Kink::MaxLeft.into());
//! assert_eq!(relu.instead(), "that of the left argument");
//! ```

use crate::meaning::taylor::hooks::Hooks;

/// A list of rules, each with its name, what is right, and what the mutant does instead.
macro_rules! rules {
    ($(#[$about:meta])* $list:ident { $($rule:ident $name:literal, $right:literal => $wrong:literal;)* }) => {
        $(#[$about])*
        #[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
        pub enum $list {
            $(#[doc = concat!($right, "; instead: ", $wrong, ".")] $rule,)*
        }

        impl $list {
            /// All of them.
            pub const ALL: &[Self] = &[$(Self::$rule),*];

            /// The name of the mutation.
            #[must_use]
            pub fn name(self) -> &'static str {
                match self { $(Self::$rule => $name),* }
            }

            /// The rule as it is right.
            #[must_use]
            pub fn rule(self) -> &'static str {
                match self { $(Self::$rule => $right),* }
            }

            /// What the mutant does instead.
            #[must_use]
            pub fn instead(self) -> &'static str {
                match self { $(Self::$rule => $wrong),* }
            }
        }
    };
}

mod calculus;
mod dual;
mod function;
mod language;
mod measure;
mod mutant;
mod nested;
mod operation;
mod pap;
mod partial;
mod planar;
mod reverse;
mod rows;
mod sampler;
mod solver;
mod source;
mod step;
mod tangent;
mod taylor;
mod trace;

pub use calculus::{Chain, Definedness, Kink};
pub use dual::Dual;
pub use function::{FunctionDerivative, FunctionValue};
pub use language::Language;
pub use measure::{Measure, MeasureRules};
pub use mutant::{Mutant, mutants, named};
pub use nested::Nested;
pub use operation::{Derivative, Value};
pub use pap::Pap;
pub use partial::Partial;
pub use planar::{PlanarDerivative, PlanarValue};
pub use reverse::Reverse;
pub use sampler::Sampler;
pub use solver::{Integral, Optimum, Root};
pub use tangent::Tangent;
pub use taylor::{Taylor, TaylorEntry, WrongMacro};
pub use trace::{Compared, Trace, TraceRules};

macro_rules! mutation {
    ($($list:ident)*) => {
        /// One rule replaced by a wrong one.
        #[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
        pub enum Mutation {
            /// Every real number is ⊥. It claims nothing, so no law refutes it: every law must be vacuous.
            Bottom,
            $(#[doc = concat!("One of [`", stringify!($list), "`].")] $list($list),)*
        }

        impl Mutation {
            /// All of them.
            #[must_use]
            pub fn all() -> Vec<Self> {
                let mut all = vec![Self::Bottom];
                $(all.extend($list::ALL.iter().copied().map(Self::$list));)*
                all
            }

            /// The name, which no other mutation has.
            #[must_use]
            pub fn name(self) -> &'static str {
                match self { Self::Bottom => "bottom", $(Self::$list(rule) => rule.name()),* }
            }

            /// The rule as it is right.
            #[must_use]
            pub fn rule(self) -> &'static str {
                match self { Self::Bottom => "a number is enclosed as narrowly as asked", $(Self::$list(rule) => rule.rule()),* }
            }

            /// What the mutant does instead.
            #[must_use]
            pub fn instead(self) -> &'static str {
                match self { Self::Bottom => "it is ⊥", $(Self::$list(rule) => rule.instead()),* }
            }

            /// The mutation of a name.
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
    /// The rules of the macro with this one replaced, if it is one of them. The presheaf model is then as it is.
    #[must_use]
    pub fn of_macro(self) -> Option<&'static dyn Hooks> {
        match self {
            Self::Taylor(rule) => Taylor::ALL.iter().find(|known| **known == rule).map(|rule| rule as &dyn Hooks),
            _ => None,
        }
    }
}
