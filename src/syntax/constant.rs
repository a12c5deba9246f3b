//! The constants of the language (S Fig. 2, and the elementary functions): names, types and one line on each.
//!
//! This is the one table that the resolver, "did you mean", the help and the evaluator read. `gradient`, `relu`,
//! `twice`, `der` are not here: they are definitions, in the theories.
//!
//! | here | in the paper |
//! |---|---|
//! | `a -> a -> a`, `a` additive, for `+ -` | ℜ→ℜ→ℜ; the paper's programs also use them on ℜ² |
//! | `Tan Real ~= Real * Real` | the record `(≅)` of the maps `to` and `from` |

mod citation;

use super::infer;
use super::name::Name;
use super::ty::{Class, Scheme};
use crate::number::context::Function;
use std::sync::LazyLock;

macro_rules! constants {
    ($($variant:ident $names:tt $arity:literal $class:ident $ty:literal $about:literal;)*) => {
        /// A constant of the language.
        #[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
        #[non_exhaustive]
        pub enum Constant {
            $(#[doc = $about] $variant,)*
        }

        impl Constant {
            /// Every constant, in the order of the help.
            pub const ALL: &'static [Constant] = &[$(Constant::$variant),*];

            fn row(self) -> Row {
                match self {
                    $(Constant::$variant => Row {
                        names: &$names, arity: $arity, class: Class::$class, ty: $ty, about: $about,
                    },)*
                }
            }
        }
    };
}

struct Row {
    names: &'static [&'static str],
    arity: usize,
    class: Class,
    ty: &'static str,
    about: &'static str,
}

constants! {
    Add ["(+)"] 2 ADDITIVE "A -> A -> A" "Addition, componentwise on tuples.";
    Subtract ["(-)"] 2 ADDITIVE "A -> A -> A" "Subtraction, componentwise on tuples; on Nat it stops at 0.";
    Negate ["negate"] 1 VECTOR "A -> A" "The opposite, componentwise on tuples; written -x.";
    Multiply ["(*)"] 2 NUMERIC "A -> A -> A" "Multiplication.";
    NaturalProduct ["(*)"] 2 ANY "Nat -> Nat -> Nat" "Multiplication of natural numbers: what `*` stands for between them.";
    Divide ["(/)"] 2 ANY "Real -> Real -> Real" "Division; undefined where the divisor is 0.";
    Power ["(^)"] 2 ANY "Real -> Real -> Real" "x^(p/q) for a constant rational exponent (q odd: every x; q even: x >= 0), otherwise exp (y * log x).";
    Equal ["(==)"] 2 ANY "Nat -> Nat -> Bool" "Whether two natural numbers are equal.";
    NotEqual ["(/=)"] 2 ANY "Nat -> Nat -> Bool" "Whether two natural numbers differ.";
    Less ["(<)"] 2 ANY "Nat -> Nat -> Bool" "Whether a number is smaller than another; undefined for real numbers that are equal.";
    LessEqual ["(<=)"] 2 ANY "Nat -> Nat -> Bool" "Whether a number is at most another; of real numbers the same as <.";
    Greater ["(>)"] 2 ANY "Nat -> Nat -> Bool" "Whether a number is greater than another; undefined for real numbers that are equal.";
    GreaterEqual ["(>=)"] 2 ANY "Nat -> Nat -> Bool" "Whether a number is at least another; of real numbers the same as >.";
    RealLess ["(<)"] 2 ANY "Real -> Real -> Bool" "Whether a real number is smaller than another; undefined where they are equal.";
    RealLessEqual ["(<=)"] 2 ANY "Real -> Real -> Bool" "The same as < between real numbers: undefined where they are equal.";
    RealGreater ["(>)"] 2 ANY "Real -> Real -> Bool" "Whether a real number is greater than another; undefined where they are equal.";
    RealGreaterEqual ["(>=)"] 2 ANY "Real -> Real -> Bool" "The same as > between real numbers: undefined where they are equal.";
    Not ["not"] 1 ANY "Bool -> Bool" "The other truth value.";
    ToReal ["toReal"] 1 ANY "Nat -> Real" "A natural number as a real number.";
    Abs ["abs"] 1 ANY "Real -> Real" "The absolute value.";
    Signum ["signum"] 1 ANY "Real -> Real" "The sign, -1 or 1; at 0 the interval [-1, 1].";
    Max ["max"] 2 ANY "Real -> Real -> Real" "The greater of two numbers.";
    Min ["min"] 2 ANY "Real -> Real -> Real" "The smaller of two numbers.";
    Sqrt ["sqrt"] 1 ANY "Real -> Real" "The square root, of x >= 0.";
    Cbrt ["cbrt"] 1 ANY "Real -> Real" "The cube root, of any number.";
    Exp ["exp"] 1 ANY "Real -> Real" "The exponential function.";
    Log ["log"] 1 ANY "Real -> Real" "The natural logarithm, of x > 0.";
    Sin ["sin"] 1 ANY "Real -> Real" "Sine, of an angle in radians.";
    Cos ["cos"] 1 ANY "Real -> Real" "Cosine, of an angle in radians.";
    Tan ["tan"] 1 ANY "Real -> Real" "Tangent of an angle in radians (the derivative is tangent).";
    Asin ["asin"] 1 ANY "Real -> Real" "Inverse sine, of -1 <= x <= 1.";
    Acos ["acos"] 1 ANY "Real -> Real" "Inverse cosine, of -1 <= x <= 1.";
    Atan ["atan"] 1 ANY "Real -> Real" "Inverse tangent.";
    Sinh ["sinh"] 1 ANY "Real -> Real" "Hyperbolic sine.";
    Cosh ["cosh"] 1 ANY "Real -> Real" "Hyperbolic cosine.";
    Tanh ["tanh"] 1 ANY "Real -> Real" "Hyperbolic tangent.";
    Asinh ["asinh"] 1 ANY "Real -> Real" "Inverse hyperbolic sine.";
    Acosh ["acosh"] 1 ANY "Real -> Real" "Inverse hyperbolic cosine, of x >= 1.";
    Atanh ["atanh"] 1 ANY "Real -> Real" "Inverse hyperbolic tangent, of -1 < x < 1.";
    Sigmoid ["sigmoid"] 1 ANY "Real -> Real" "1 / (1 + exp (-x)).";
    Pi ["pi", "π"] 0 ANY "Real" "The circumference of a circle over its diameter.";
    E ["e"] 0 ANY "Real" "Euler's number, exp 1; a variable or a definition named e hides it.";
    Fst ["fst"] 1 ANY "A * B -> A" "The first component of a pair.";
    Snd ["snd"] 1 ANY "A * B -> B" "The second component of a pair.";
    Fold ["fold"] 3 ANY "(A -> B -> B) -> B -> List A -> B" "A list from its end: fold f z [a, b] is f a (f b z).";
    Integral01 ["integral01"] 1 ANY "(Real -> Real) -> Real" "The integral of a function over [0, 1].";
    CutRoot ["cutRoot"] 1 ANY "(Real -> Real) -> Real" "The root of a function that is positive to the left of it and negative to the right.";
    FirstRoot ["firstRoot"] 1 ANY "(Real -> Real) -> Real" "Where a function first turns from positive to negative on [0, 1]; 0 if it is negative at 0, 1 if it is positive throughout.";
    Max01 ["max01"] 1 ANY "(Real -> Real) -> Real" "The greatest value of a function on [0, 1].";
    Argmax01 ["argmax01"] 1 ANY "(Real -> Real) -> Real" "Where a function on [0, 1] is greatest; the hull of these places where there are several.";
    Min01 ["min01"] 1 ANY "(Real -> Real) -> Real" "The smallest value of a function on [0, 1].";
    Argmin01 ["argmin01"] 1 ANY "(Real -> Real) -> Real" "Where a function on [0, 1] is smallest; the hull of these places where there are several.";
    Deriv ["deriv"] 2 ANY "(Real -> Real) -> Real -> Real" "The derivative of a function of one real variable.";
    Tangent ["tangent"] 2 ANY "(A -> B) -> Tan A -> Tan B" "The derivative of any function, as a map of tangents.";
    TangentValue ["tangentValue"] 1 ANY "Tan A -> A" "The point at which a tangent is attached.";
    TangentR ["tangent_R"] 0 ANY "Tan Real ~= Real * Real" "A tangent to the reals is a value and a derivative.";
    TangentProd ["tangentProd"] 0 ANY "Tan (A * B) ~= Tan A * Tan B" "A tangent to a product is a pair of tangents.";
    TangentToR ["tangentTo_R"] 0 ANY "Tan (A -> Real) ~= (A -> Real) * (A -> Real)" "A tangent to a function into the reals is a function and its perturbation.";
}

impl Constant {
    /// The name under which the constant is shown; an operator's is in parentheses, `(+)`.
    pub fn name(self) -> &'static str {
        self.row().names[0]
    }

    /// Every name under which the constant can be written.
    pub fn names(self) -> &'static [&'static str] {
        self.row().names
    }

    /// How many arguments the constant waits for before it computes; 0 for numbers and isomorphisms.
    pub fn arity(self) -> usize {
        self.row().arity
    }

    /// What the constant is, in one line.
    pub fn about(self) -> &'static str {
        self.row().about
    }

    /// The elementary function that the constant is.
    pub fn elementary(self) -> Option<Function> {
        Some(match self {
            Constant::Sqrt => Function::Sqrt,
            Constant::Cbrt => Function::Cbrt,
            Constant::Exp => Function::Exp,
            Constant::Log => Function::Log,
            Constant::Sin => Function::Sin,
            Constant::Cos => Function::Cos,
            Constant::Tan => Function::Tan,
            Constant::Asin => Function::Asin,
            Constant::Acos => Function::Acos,
            Constant::Atan => Function::Atan,
            Constant::Sinh => Function::Sinh,
            Constant::Cosh => Function::Cosh,
            Constant::Tanh => Function::Tanh,
            Constant::Asinh => Function::Asinh,
            Constant::Acosh => Function::Acosh,
            Constant::Atanh => Function::Atanh,
            _ => return None,
        })
    }

    /// The constant of this name, if there is one. Operators are found by their name in parentheses.
    pub fn named(name: &str) -> Option<Constant> {
        Constant::ALL.iter().copied().find(|constant| constant.names().contains(&name))
    }

    /// The type of the constant.
    pub fn scheme(self) -> &'static Scheme {
        static SCHEMES: LazyLock<Vec<Scheme>> = LazyLock::new(|| {
            Constant::ALL
                .iter()
                .map(|constant| infer::constant_scheme(constant.row().ty, constant.row().class))
                .collect()
        });
        &SCHEMES[self as usize]
    }

    /// The comparison of real numbers that is written like this comparison of natural numbers.
    pub(crate) fn of_reals(self) -> Option<Constant> {
        Some(match self {
            Constant::Less => Constant::RealLess,
            Constant::LessEqual => Constant::RealLessEqual,
            Constant::Greater => Constant::RealGreater,
            Constant::GreaterEqual => Constant::RealGreaterEqual,
            _ => return None,
        })
    }

    /// Whether this is a comparison of real numbers.
    pub fn compares_reals(self) -> bool {
        use Constant::{RealGreater, RealGreaterEqual, RealLess, RealLessEqual};
        matches!(self, RealLess | RealLessEqual | RealGreater | RealGreaterEqual)
    }

    /// The constant, as a model names it that lacks it: an operator that is written the same for two types says for which.
    pub fn lacking(self) -> String {
        let of = if self.compares_reals() { " of real numbers" } else { "" };
        format!("`{}`{of}", self.operator().unwrap_or(self.name()))
    }

    /// The tokens between the parentheses of an operator's name: `+` for `(+)`.
    pub fn operator(self) -> Option<&'static str> {
        self.name().strip_prefix('(')?.strip_suffix(')')
    }
}

/// The names of all constants, for suggestions.
pub fn names() -> impl Iterator<Item = &'static str> {
    Constant::ALL.iter().flat_map(|constant| constant.names().iter().copied()).filter(|name| !name.starts_with('('))
}

/// The name of a constant as a [`Name`].
impl From<Constant> for Name {
    fn from(constant: Constant) -> Name {
        Name::from(constant.name())
    }
}

/// What a name from other languages is called here.
pub(crate) fn elsewhere(name: &str) -> Option<&'static str> {
    Some(match name {
        "ln" => "`log`, the natural logarithm",
        "arcsin" => "`asin`",
        "arccos" => "`acos`",
        "arctan" => "`atan`",
        "sign" | "sgn" => "`signum`",
        "pow" => "`x ^ y`",
        "true" | "True" => "`tt`",
        "false" | "False" => "`ff`",
        "case" | "switch" => "`match e with Just x => a | Nothing => b`",
        "foldr" | "reduce" => "`fold`, from the end of a list",
        "nil" | "Nil" => "`[]`",
        "cons" | "Cons" => "`x :: rest`",
        "fun" | "lambda" | "fn" => "`\\x => e`, or `λ x ⇒ e`",
        "diff" | "derivative" | "grad" => "`deriv`, or `gradient`",
        "integral" | "integrate" => "`integral01`",
        "root" | "findRoot" => "`cutRoot`, or `firstRoot`",
        _ => return None,
    })
}
