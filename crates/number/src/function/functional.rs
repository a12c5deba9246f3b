//! The second-order primitives `(ℝ → ℝ) → ℝ`: one row each.

/// Hands the rows to a macro: the variant, the name in Rust and that in the language, the line of help, the source, whether
/// it is defined for every function that is and keeps the promise, where the bound variable runs, what is promised, and a
/// program that shows it.
#[doc(hidden)]
#[macro_export]
macro_rules! functionals {
    ($then:ident) => {
        $then! {
            Integral integral01 "integral01" "The integral of a function over [0, 1]."
                "S Fig. 2, §5.2.1" true "[0, 1]" "" "integral01 (\\x => x^2)";
            CutRoot cut_root "cutRoot" "The root of a function that is positive to the left of it and negative to the right."
                "S Fig. 2, §5.2.2" true "ℝ" "positive left of the root and negative right of it" "cutRoot (\\x => 2 - x^3)";
            FirstRoot first_root "firstRoot" "Where a function first turns from positive to negative on [0, 1]; 0 if it is negative at 0, 1 if it is positive throughout."
                "S Fig. 2, §5.2.2" false "[0, 1]" "" "firstRoot (\\x => cos (3 * x))";
            Maximum max01 "max01" "The greatest value of a function on [0, 1]."
                "S Fig. 2, §5.2.3" true "[0, 1]" "" "max01 (\\x => x * (1 - x))";
            Maximiser argmax01 "argmax01" "Where a function on [0, 1] is greatest; the hull of these places where there are several."
                "S Fig. 2, §5.2.3" false "[0, 1]" "" "argmax01 (\\x => x * (1 - x))";
            Minimum min01 "min01" "The smallest value of a function on [0, 1]."
                "S §5.2.3, of the opposite function" true "[0, 1]" "" "min01 (\\x => x^2 - x)";
            Minimiser argmin01 "argmin01" "Where a function on [0, 1] is smallest; the hull of these places where there are several."
                "S §5.2.3, of the opposite function" false "[0, 1]" "" "argmin01 (\\x => x^2 - x)";
        }
    };
}
pub use functionals;

macro_rules! declare {
    ($($variant:ident $rust:ident $name:literal $about:literal $source:literal $total:ident $over:literal $promise:literal
        $example:literal;)*) => {
        /// A second-order primitive.
        #[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
        pub enum Functional {
            $(#[doc = $about] $variant,)*
        }

        impl Functional {
            /// All of them, in the order of the help.
            pub const ALL: &'static [Self] = &[$(Self::$variant),*];

            /// Its name in the language, as a place to borrow it from.
            pub fn names(self) -> &'static [&'static str] {
                match self { $(Self::$variant => &[$name]),* }
            }

            /// Returns a description, in one line.
            #[must_use]
            pub fn about(self) -> &'static str {
                match self { $(Self::$variant => $about),* }
            }

            /// Returns the source in the papers.
            #[must_use]
            pub fn source(self) -> &'static str {
                match self { $(Self::$variant => $source),* }
            }

            /// Returns `true` if it is a number for every function that is defined and keeps the promise.
            #[must_use]
            pub fn is_total(self) -> bool {
                match self { $(Self::$variant => $total),* }
            }

            /// Returns the domain of the variable that it binds.
            #[must_use]
            pub fn over(self) -> &'static str {
                match self { $(Self::$variant => $over),* }
            }

            /// Returns the promise about the function; mostly empty.
            #[must_use]
            pub fn promise(self) -> &'static str {
                match self { $(Self::$variant => $promise),* }
            }

            /// A program that shows it.
            #[must_use]
            pub fn example(self) -> &'static str {
                match self { $(Self::$variant => $example),* }
            }
        }
    };
}

functionals!(declare);

impl Functional {
    /// Its name in the language.
    #[must_use]
    pub fn name(self) -> &'static str {
        self.names()[0]
    }
}
