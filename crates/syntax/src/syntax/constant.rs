//! The constants of the language (S Fig. 2, and the elementary functions): names, types and one line on each.
//!
//! This table, with that of the [elementary functions](crate::function), is the only source for name resolution,
//! spelling suggestions, the help and the evaluators. `gradient`, `relu`, `twice`, `der` are not here: they are
//! definitions of the library.
//!
//! | here | in the paper |
//! |---|---|
//! | `a -> a -> a`, `a`, `+ -` | ℜ→ℜ→ℜ; the paper's programs also use them on ℜ² |
//! | `Tan Real ~= Real * Real` | the record `(≅)` of the maps `to` and `from` |
//!
//! # The sources of the constants in the literature
//!
//! # The topics of the constants
//!
//! The topics of the constants, and a program that shows each: for `:doc`, and for the reference in the book.
//!
//! # Operations on natural numbers
//!
//! One table for reduction, normal forms and evaluators.

pub mod foreign;
pub mod vector;

use super::infer;
use super::name::{Name, nearest_name};
use super::ty::{Class, Scheme};
use crate::function::{Function, Functional, Planar, SpecialId};
use crate::number::Rational;
use foreign::ForeignId;
use rustc_hash::FxHashMap;
use std::fmt;
use std::sync::LazyLock;

macro_rules! constants {
    ($($first:ident $names:tt $arity:literal $class:ident $ty:literal $about:literal;)* [elementary functions]
        $($last:ident $last_names:tt $last_arity:literal $last_class:ident $last_ty:literal $last_about:literal;)*) => {
        /// A constant of the language.
        #[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
        #[non_exhaustive]
        pub enum Constant {
            $(#[doc = $about] $first,)*
            /// An elementary function.
            Elementary(Function),
            /// An elementary function of two variables.
            Planar(Planar),
            /// A second-order primitive.
            Functional(Functional),
            /// The derivatives of a special function, by their order.
            Special(SpecialId),
            /// A constant from outside, which a session defines. It is in no list of constants.
            Foreign(ForeignId),
            $(#[doc = $last_about] $last,)*
        }

        impl Constant {
            /// Every constant, in the order of the help.
            /// The rows of the table before the elementary functions and behind them, with these in between.
            pub const ALL: &'static [Constant] = &{
                const FIRST: &[Constant] = &[$(Constant::$first),*];
                const LAST: &[Constant] = &[$(Constant::$last),*];
                const ENDS: [usize; 5] = [
                    FIRST.len(),
                    FIRST.len() + Function::ALL.len(),
                    FIRST.len() + Function::ALL.len() + Planar::ALL.len(),
                    FIRST.len() + Function::ALL.len() + Planar::ALL.len() + Functional::ALL.len(),
                    FIRST.len() + Function::ALL.len() + Planar::ALL.len() + Functional::ALL.len() + SpecialId::ALL.len(),
                ];
                // A loop and indices, since neither iterators nor concatenation of slices are available in constants.
                let mut all = [Constant::Add; ENDS[4] + LAST.len()];
                let mut index = 0;
                while index < all.len() {
                    all[index] = if index < ENDS[0] {
                        FIRST[index]
                    } else if index < ENDS[1] {
                        Constant::Elementary(Function::ALL[index - ENDS[0]])
                    } else if index < ENDS[2] {
                        Constant::Planar(Planar::ALL[index - ENDS[1]])
                    } else if index < ENDS[3] {
                        Constant::Functional(Functional::ALL[index - ENDS[2]])
                    } else if index < ENDS[4] {
                        Constant::Special(SpecialId::ALL[index - ENDS[3]])
                    } else {
                        LAST[index - ENDS[4]]
                    };
                    index += 1;
                }
                all
            };

            fn row(self) -> ConstantSpec {
                match self {
                    $(Constant::$first => ConstantSpec {
                        names: &$names, arity: $arity, class: Class::$class, ty: $ty, summary: $about,
                    },)*
                    Constant::Elementary(function) => ConstantSpec {
                        names: std::slice::from_ref(&function.row().name),
                        arity: 1,
                        class: Class::ANY,
                        ty: "Real -> Real",
                        summary: function.row().summary,
                    },
                    Constant::Planar(function) => ConstantSpec {
                        names: std::slice::from_ref(&function.row().name),
                        arity: 2,
                        class: Class::ANY,
                        ty: "Real -> Real -> Real",
                        summary: function.row().summary,
                    },
                    Constant::Functional(functional) => ConstantSpec {
                        names: functional.names(),
                        arity: 1,
                        class: Class::ANY,
                        ty: "(Real -> Real) -> Real",
                        summary: functional.about(),
                    },
                    Constant::Special(id) => ConstantSpec {
                        names: std::slice::from_ref(&id.family().name),
                        arity: 2,
                        class: Class::ANY,
                        ty: "Nat -> Real -> Real",
                        summary: id.family().summary,
                    },
                    Constant::Foreign(id) => ConstantSpec {
                        names: id.names(),
                        arity: id.arity(),
                        class: Class::ANY,
                        // Its type is not one of the table: `scheme` returns that of the registry.
                        ty: "",
                        summary: id.summary(),
                    },
                    $(Constant::$last => ConstantSpec {
                        names: &$last_names, arity: $last_arity, class: Class::$last_class, ty: $last_ty, summary: $last_about,
                    },)*
                }
            }
        }
    };
}

struct ConstantSpec {
    names: &'static [&'static str],
    arity: usize,
    class: Class,
    ty: &'static str,
    summary: &'static str,
}

constants! {
    Add ["(+)"] 2 ADDITIVE "A -> A -> A" "Addition, componentwise on tuples.";
    Subtract ["(-)"] 2 ADDITIVE "A -> A -> A" "Subtraction, componentwise on tuples; where a type Nat is written it stops at 0. Literals alone are real where they are subtracted.";
    NaturalDifference ["naturalDifference"] 2 ANY "Nat -> Nat -> Nat" "The difference of two natural numbers, refused below 0: what `-` stands for where no type Nat is written.";
    Negate ["negate"] 1 VECTOR "A -> A" "The opposite, componentwise on tuples; written -x.";
    Multiply ["(*)"] 2 NUMERIC "A -> A -> A" "Multiplication.";
    NaturalProduct ["(*)"] 2 ANY "Nat -> Nat -> Nat" "Multiplication of natural numbers: what `*` stands for between them.";
    Divide ["(/)"] 2 ANY "Real -> Real -> Real" "Division; undefined where the divisor is 0.";
    Power ["(^)"] 2 ANY "Real -> Real -> Real" "x^(p/q) for an exponent that is arithmetic of literals (q odd: every x; q even: x >= 0).";
    RealPower ["(^)"] 2 ANY "Real -> Real -> Real" "exp (y * log x), for x > 0: a power whose exponent is a real number that may vary.";
    NaturalPower ["(^)"] 2 ANY "Real -> Nat -> Real" "The product of n factors x: a power whose exponent is a natural number.";
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
    RealEqual ["(==)"] 2 ANY "Real -> Real -> Bool" "Whether two real numbers are equal: ff where they differ; where they are equal it is undefined, but in the models `pap` and `float`. Arithmetic of literals alone is compared exactly.";
    RealNotEqual ["(/=)"] 2 ANY "Real -> Real -> Bool" "Whether two real numbers differ: tt where they do; where they are equal it is undefined, but in the models `pap` and `float`.";
    Not ["not"] 1 ANY "Bool -> Bool" "The other truth value.";
    ToReal ["toReal"] 1 ANY "Nat -> Real" "A natural number as a real number.";
    Abs ["abs"] 1 ANY "Real -> Real" "The absolute value.";
    Signum ["signum"] 1 ANY "Real -> Real" "The sign, -1 or 1; at 0 the interval [-1, 1].";
    Max ["max"] 2 ANY "Real -> Real -> Real" "The greater of two numbers.";
    Min ["min"] 2 ANY "Real -> Real -> Real" "The smaller of two numbers.";
    [elementary functions]
    Sigmoid ["sigmoid"] 1 ANY "Real -> Real" "1 / (1 + exp (-x)).";
    Pi ["pi", "π"] 0 ANY "Real" "The circumference of a circle over its diameter.";
    E ["e"] 0 ANY "Real" "Euler's number, exp 1; a variable or a definition named e hides it.";
    Fst ["fst"] 1 ANY "A * B -> A" "The first component of a pair.";
    Snd ["snd"] 1 ANY "A * B -> B" "The second component of a pair.";
    Fold ["fold"] 3 ANY "(A -> B -> B) -> B -> List A -> B" "A list from its end: fold f z [a, b] is f a (f b z).";
    Zero ["zeros"] 0 VECTORS "A" "The vector whose numbers are all 0; the number 0, where nothing says of which type.";
    Scale ["scale"] 2 VECTORS "Real -> A -> A" "The product of a number with a vector.";
    Dot ["dot"] 2 VECTORS "A -> A -> Real" "The inner product: the sum of the products of coordinates.";
    Trace ["trace"] 1 VECTORS "(A -> A) -> Real" "The trace of a linear map of vectors: the sum of its diagonal.";
    Det ["det"] 1 VECTORS "(A -> A) -> Real" "The determinant of a linear map of vectors of up to 8 numbers.";
    LinearSolve ["linearSolve"] 2 VECTORS "(A -> A) -> A -> A" "The vector that a linear map of vectors of up to 8 numbers takes to a given one; undefined where its determinant is 0.";
    Deriv ["deriv"] 2 ANY "(Real -> Real) -> Real -> Real" "The derivative of a function of one real variable.";
    Jvp ["jvp"] 3 VECTORS "(A -> B) -> A -> A -> B" "Forward mode: the derivative of a function of vectors at a point, along a direction.";
    Rd ["rd"] 3 VECTORS "(A -> B) -> A -> B -> A" "Reverse mode: the transposed derivative of a function of vectors at a point, at a cotangent.";
    Tangent ["tangent"] 2 ANY "(A -> B) -> Tan A -> Tan B" "The derivative of any function, as a map of tangents.";
    TangentValue ["tangentValue"] 1 ANY "Tan A -> A" "The point at which a tangent is attached.";
    TangentR ["tangent_R"] 0 ANY "Tan Real ~= Real * Real" "A tangent to the reals is a value and a derivative.";
    TangentProd ["tangentProd"] 0 ANY "Tan (A * B) ~= Tan A * Tan B" "A tangent to a product is a pair of tangents.";
    TangentToR ["tangentTo_R"] 0 ANY "Tan (A -> Real) ~= (A -> Real) * (A -> Real)" "A tangent to a function into the reals is a function and its perturbation.";
}

impl Constant {
    /// Returns the name under which the constant is shown; an operator's is in parentheses, `(+)`.
    pub fn name(self) -> &'static str {
        self.row().names[0]
    }

    /// Returns every name under which the constant can be written.
    pub fn names(self) -> &'static [&'static str] {
        self.row().names
    }

    /// Returns the number of arguments that the constant needs before it computes; 0 for numbers and isomorphisms.
    pub fn arity(self) -> usize {
        self.row().arity
    }

    /// Returns a description of the constant, in one line.
    pub fn summary(self) -> &'static str {
        self.row().summary
    }

    /// Returns the elementary function that the constant is, `None` if it is none.
    pub fn as_elementary(self) -> Option<Function> {
        if let Constant::Elementary(function) = self { Some(function) } else { None }
    }

    /// Returns the elementary function of two variables that the constant is, `None` if it is none.
    pub fn as_binary_function(self) -> Option<Planar> {
        if let Constant::Planar(function) = self { Some(function) } else { None }
    }

    /// Returns the id of a constant from outside, `None` for a constant of the language.
    pub fn as_foreign(self) -> Option<ForeignId> {
        if let Constant::Foreign(id) = self { Some(id) } else { None }
    }

    /// Returns the second-order primitive that the constant is, `None` if it is none.
    pub fn as_functional(self) -> Option<Functional> {
        if let Constant::Functional(functional) = self { Some(functional) } else { None }
    }

    /// Returns the constant of this name, `None` if there is none. Operators are found by their name in parentheses.
    pub fn from_name(name: &str) -> Option<Constant> {
        static NAMED: LazyLock<FxHashMap<&str, Constant>> = LazyLock::new(|| {
            let names = |constant: Constant| constant.names().iter().map(move |name| (*name, constant));
            // Later entries win, so in reverse order the first of several constants of one name has it.
            Constant::ALL.iter().rev().copied().flat_map(names).collect()
        });
        NAMED.get(name).copied()
    }

    /// Returns the type scheme of the constant.
    pub fn scheme(self) -> &'static Scheme {
        if let Constant::Foreign(id) = self {
            return id.scheme();
        }
        // Parsed from the table once; a mistake in it would be a type that no use fits.
        static SCHEMES: LazyLock<FxHashMap<Constant, Scheme>> = LazyLock::new(|| {
            let scheme = |constant: Constant| infer::constant_scheme(constant.row().ty, constant.row().class);
            Constant::ALL.iter().map(|constant| (*constant, scheme(*constant))).collect()
        });
        &SCHEMES[&self]
    }

    /// Returns the comparison of real numbers with the operator of this comparison of natural numbers. `None` for other
    /// constants.
    #[doc(hidden)]
    pub fn real_comparison(self) -> Option<Constant> {
        Some(match self {
            Constant::Less => Constant::RealLess,
            Constant::LessEqual => Constant::RealLessEqual,
            Constant::Greater => Constant::RealGreater,
            Constant::GreaterEqual => Constant::RealGreaterEqual,
            Constant::Equal => Constant::RealEqual,
            Constant::NotEqual => Constant::RealNotEqual,
            _ => return None,
        })
    }

    /// Returns `true` for comparisons of real numbers.
    pub fn compares_reals(self) -> bool {
        use Constant::{RealGreater, RealGreaterEqual, RealLess, RealLessEqual};
        self.equates_reals() || matches!(self, RealLess | RealLessEqual | RealGreater | RealGreaterEqual)
    }

    /// Returns `true` for tests of real numbers for equality, which hold on the boundary alone, or fail there alone.
    pub fn equates_reals(self) -> bool {
        matches!(self, Constant::RealEqual | Constant::RealNotEqual)
    }

    /// Returns `true` for tests of natural numbers for equality.
    pub(crate) fn equates_naturals(self) -> bool {
        matches!(self, Constant::Equal | Constant::NotEqual)
    }

    /// Returns `true` for operations of analysis on functions: derivatives, integrals, roots and optima.
    pub fn is_analytic(self) -> bool {
        use Constant::{Deriv, Functional, Jvp, Rd, Tangent};
        matches!(self, Deriv | Jvp | Rd | Tangent | Functional(_))
    }

    /// Names the constant in the message of a model that lacks it. The type is added if an operator has several.
    pub fn describe_missing(self) -> String {
        let of = match self {
            _ if self.compares_reals() => " of real numbers",
            Constant::NaturalProduct | Constant::NaturalPower => " of natural numbers",
            Constant::RealPower => " with an exponent that may vary",
            Constant::Foreign(_) => ", a constant from outside",
            _ if self.real_comparison().is_some() => " of natural numbers",
            _ => "",
        };
        format!("`{}`{of}", self.operator_sign().unwrap_or(self.name()))
    }

    /// Returns the sign of an operator: `+` for `(+)`. `None` for other constants.
    pub fn operator_sign(self) -> Option<&'static str> {
        self.name().strip_prefix('(')?.strip_suffix(')')
    }
}

/// Returns the names of all constants but operators, for suggestions.
pub fn constant_names() -> impl Iterator<Item = &'static str> {
    // Operators have no names that could be misspelt.
    Constant::ALL.iter().flat_map(|constant| constant.names().iter().copied()).filter(|name| !name.starts_with('('))
}

impl From<Function> for Constant {
    fn from(function: Function) -> Constant {
        Constant::Elementary(function)
    }
}

impl From<Planar> for Constant {
    fn from(function: Planar) -> Constant {
        Constant::Planar(function)
    }
}

/// Returns the name of a constant as a [`Name`].
impl From<Constant> for Name {
    fn from(constant: Constant) -> Name {
        Name::from(constant.name())
    }
}

/// Names of other languages, with their counterparts here. Those of special functions are in their files.
const FOREIGN_NAMES: &[(&[&str], &str)] = &[
    (&["ln"], "`log`, the natural logarithm"),
    (&["sinus", "sine"], "`sin`"),
    (&["cosinus", "cosine", "cosin"], "`cos`"),
    (&["tangens", "tg"], "`tan`"),
    (&["arcsin"], "`asin`"),
    (&["arccos"], "`acos`"),
    (&["arctan", "arctg"], "`atan`"),
    (&["arctan2"], "`atan2 y x`"),
    (&["arcsinh", "arsinh"], "`asinh`"),
    (&["arccosh", "arcosh"], "`acosh`"),
    (&["arctanh", "artanh"], "`atanh`"),
    (&["gammaln", "loggamma", "logGamma", "lnGamma", "lngamma"], "`lgamma`"),
    (&["psi", "ψ"], "`digamma`, or `polygamma n`"),
    (&["trigamma"], "`polygamma 1`"),
    (&["sign", "sgn"], "`signum`"),
    (&["pow"], "`x ^ y`"),
    (&["true", "True"], "`tt`"),
    (&["false", "False"], "`ff`"),
    (&["case", "switch"], "`match e with Just x => a | Nothing => b`"),
    (&["foldr", "reduce"], "`fold`, from the end of a list"),
    (&["nil", "Nil"], "`[]`"),
    (&["cons", "Cons"], "`x :: rest`"),
    (&["fun", "lambda", "fn"], "`\\x => e`, or `λ x ⇒ e`"),
    (&["diff", "derivative", "grad"], "`deriv`, or `gradient`"),
    (&["root", "findRoot"], "`cutRoot`, or `firstRoot`"),
];

/// Names of other languages that have one counterpart here, with it.
type ForeignNames = (&'static [&'static str], &'static str);

/// Returns names of other languages, with their counterparts here.
#[doc(hidden)]
pub fn foreign_names() -> &'static [ForeignNames] {
    static ALL: LazyLock<Vec<ForeignNames>> = LazyLock::new(|| {
        let special = SpecialId::ALL.iter().filter(|id| !id.names_elsewhere().is_empty()).map(|id| {
            // A text lives as long as the program, like those of the table.
            let here: &'static str = Box::leak(format!("`{}`", Function::Special(*id, 0)).into_boxed_str());
            (id.names_elsewhere(), here)
        });
        FOREIGN_NAMES.iter().copied().chain(special).collect()
    });
    &ALL
}

/// Returns the counterpart of a name of another language. `None` if none is known.
#[doc(hidden)]
pub fn foreign_counterpart(name: &str) -> Option<&'static str> {
    foreign_names().iter().find(|(names, _)| names.contains(&name)).map(|(_, here)| *here)
}

/// Like [`foreign_counterpart`], for a misspelt name.
pub(crate) fn nearest_foreign_counterpart(name: &str) -> Option<&'static str> {
    let names = foreign_names().iter().flat_map(|(names, _)| names.iter().copied());
    // A short name that ends with a digit, such as `k0`, is one slip away from names of variables.
    let names = names.filter(|name| name.len() > 3 || !name.ends_with(|c: char| c.is_ascii_digit()));
    nearest_name(name, names).and_then(foreign_counterpart)
}

impl Constant {
    /// Returns the definition of the constant in a paper, or the reason for it if no paper has it. S is [Sherman et al.
    /// 2021](crate::refs::SHERMAN_2021).
    pub fn source(self) -> &'static str {
        match self {
            Constant::Add | Constant::Subtract | Constant::Multiply | Constant::NaturalProduct | Constant::Divide => {
                "S Fig. 2, §4.3.1"
            }
            Constant::NaturalDifference => "not in S; a difference that is no natural number is none",
            Constant::Negate => "S Fig. 1, where -x is written; 0 - x",
            Constant::Power => "S Fig. 1 for x²; other exponents by exp and log",
            Constant::RealPower => "not in S; exp and log of S §4.3",
            Constant::NaturalPower => "S Fig. 1 for x²",
            Constant::Equal
            | Constant::NotEqual
            | Constant::Less
            | Constant::LessEqual
            | Constant::Greater
            | Constant::GreaterEqual
            | Constant::Not
            | Constant::ToReal => "S §8.1: data without derivatives may decide",
            Constant::RealLess | Constant::RealLessEqual | Constant::RealGreater | Constant::RealGreaterEqual => {
                "not in S; a truth value that is undefined on its border extends §8.1"
            }
            Constant::RealEqual | Constant::RealNotEqual => "W §2.1; no other paper has it",
            Constant::Max => "S Fig. 2, §4.3.2",
            Constant::Min | Constant::Abs | Constant::Signum => "S §4.3.2, as max",
            Constant::Elementary(function) => function.row().source,
            Constant::Planar(function) => function.row().source,
            Constant::Pi => "S Fig. 2, §4.3",
            Constant::E | Constant::Sigmoid | Constant::Special(_) => "not in S; a primitive as in S §4.3",
            Constant::Foreign(_) => "S Fig. 5, ⌊k⌋: given from outside",
            Constant::Fst | Constant::Snd => "S §3, Fig. 5",
            Constant::Fold => "H §5.1",
            Constant::Functional(functional) => functional.source(),
            Constant::Deriv => "S §2.1, §4.3.3",
            Constant::Scale | Constant::Dot => "S Fig. 1b, in the plane",
            Constant::Zero => "A §2, (6): the 0 of a space of vectors",
            Constant::Trace => "not in S; by it a divergence is one of any number of coordinates",
            Constant::Det | Constant::LinearSolve => "not in S; sums and products of coordinates, as Fig. 1b",
            Constant::Jvp => "A §2, fd; by reverse mode its equation (6)",
            Constant::Rd => "A §3.1, M.rd_L(x.N)",
            Constant::Tangent | Constant::TangentValue => "S Fig. 2, §5.3",
            Constant::TangentProd => "S Fig. 2, §5.3, Proposition 5.1",
            Constant::TangentR => "S Fig. 2, §5.3, Proposition 5.2",
            Constant::TangentToR => "S Fig. 2, §5.3, Proposition 5.3",
        }
    }
}

/// The topic of a constant in the reference.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Topic {
    /// Sums, products, powers, and the numbers that have a name.
    Arithmetic,
    /// Functions of numbers.
    Functions,
    /// Integrals, roots and optima.
    Analysis,
    /// Derivatives, of functions and as tangents.
    Derivatives,
    /// Vectors and linear maps.
    Vectors,
    /// Comparisons and truth values.
    Comparisons,
    /// Pairs and lists.
    Data,
}

impl Topic {
    /// All topics, in the order in which a reader needs them.
    pub const ALL: [Topic; 7] = {
        use Topic::{Analysis, Arithmetic, Comparisons, Data, Derivatives, Functions, Vectors};
        [Arithmetic, Functions, Derivatives, Analysis, Vectors, Comparisons, Data]
    };

    /// Returns the definitions of the library that belong to a topic: for each module, the names.
    #[must_use]
    pub fn library_definitions(self) -> &'static [(&'static str, &'static [&'static str])] {
        match self {
            Topic::Functions => {
                &[("Prelude", &["relu", "square", "power"]), ("Rounding", &["floor", "ceil", "round", "mod"])]
            }
            Topic::Derivatives => &[("Prelude", &["nthDeriv", "gradient"]), ("Reverse", &["jacobian", "hessian"])],
            Topic::Analysis => {
                &[("SecondOrder", &["integral"]), ("Integral", &["between", "beyond"]), ("Distributions", &["line"])]
            }
            Topic::Vectors => &[
                ("Prelude", &["norm2", "normalize", "compose"]),
                (
                    "Matrix",
                    &[
                        "norm",
                        "distance",
                        "crossProduct",
                        "matrix2",
                        "matrix3",
                        "matrix4",
                        "rows2",
                        "rows3",
                        "rows4",
                        "transpose",
                        "inverse",
                    ],
                ),
            ],
            Topic::Data => {
                &[("Data", &["length", "sum", "mapList", "append", "reverse", "range", "linspace", "horner"])]
            }
            Topic::Arithmetic | Topic::Comparisons => &[],
        }
    }
}

impl fmt::Display for Topic {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Topic::Arithmetic => "Arithmetic",
            Topic::Functions => "Functions of numbers",
            Topic::Analysis => "Integrals, roots and optima",
            Topic::Derivatives => "Derivatives",
            Topic::Vectors => "Vectors and linear maps",
            Topic::Comparisons => "Comparisons and truth values",
            Topic::Data => "Pairs and lists",
        })
    }
}

impl Constant {
    /// Returns the topic of the constant.
    #[must_use]
    pub fn topic(self) -> Topic {
        use Constant as C;
        match self {
            C::Add | C::Subtract | C::NaturalDifference | C::Negate | C::Multiply | C::NaturalProduct | C::Divide => {
                Topic::Arithmetic
            }
            C::Power | C::RealPower | C::NaturalPower | C::ToReal => Topic::Arithmetic,
            C::Pi | C::E => Topic::Arithmetic,
            C::Abs | C::Signum | C::Max | C::Min | C::Special(_) | C::Sigmoid | C::Elementary(_) | C::Planar(_) => {
                Topic::Functions
            }
            C::Foreign(_) => Topic::Functions,
            C::Functional(_) => Topic::Analysis,
            C::Deriv | C::Jvp | C::Rd => Topic::Derivatives,
            C::Tangent | C::TangentValue | C::TangentR | C::TangentProd | C::TangentToR => Topic::Derivatives,
            C::Zero | C::Scale | C::Dot | C::Trace | C::Det | C::LinearSolve => Topic::Vectors,
            C::Equal | C::NotEqual | C::Less | C::LessEqual | C::Greater | C::GreaterEqual | C::Not => {
                Topic::Comparisons
            }
            C::RealLess | C::RealLessEqual | C::RealGreater | C::RealGreaterEqual => Topic::Comparisons,
            C::RealEqual | C::RealNotEqual => Topic::Comparisons,
            C::Fst | C::Snd | C::Fold => Topic::Data,
        }
    }

    /// Returns a program that shows the constant. `None` if the default model does not support it.
    #[must_use]
    pub fn example(self) -> Option<String> {
        use Constant as C;
        Some(
            match self {
                C::Add => "(1, 2) + (3, 4)",
                C::Subtract => "5 - 7.5",
                C::NaturalDifference => "naturalDifference 5 3",
                C::Negate => "-(1, 2)",
                C::Multiply => "2.5 * 3",
                C::NaturalProduct => "toReal (2 * 3)",
                C::Divide => "1 / 3",
                C::Power => "2^(1/2)",
                C::RealPower => "(\\y => 2^y) pi",
                C::NaturalPower => "(\\(n : Nat) => (-2)^n) 3",
                C::Equal => "2 + 2 == 4",
                C::NotEqual => "2 + 2 /= 5",
                C::Less => "1 < 2",
                C::LessEqual => "2 <= 2",
                C::Greater => "2 > 1",
                C::GreaterEqual => "2 >= 2",
                C::RealLess => "if pi < 3.2 then 1 else 0",
                C::RealLessEqual => "if pi <= 3.2 then 1 else 0",
                C::RealGreater => "if pi > 3.1 then 1 else 0",
                C::RealGreaterEqual => "if pi >= 3.1 then 1 else 0",
                C::RealEqual => "sin 1 == 0",
                C::RealNotEqual => "sin 1 /= 0",
                C::Not => "not (1 == 2)",
                C::ToReal => "toReal 3 / 2",
                C::Abs => "abs (-3)",
                C::Signum => "signum (-3)",
                C::Max => "max 1 2",
                C::Min => "min 1 2",
                C::Elementary(function) => {
                    // `acosh` and its like are defined from 1 on; all others are defined at 0.5.
                    let at_half = function.row().conditions.value.contains_rationals(&[&Rational::from((1, 2))]);
                    return Some(format!("{} {}", self.name(), if at_half { "0.5" } else { "1.5" }));
                }
                C::Planar(_) => return Some(format!("{} 1 2", self.name())),
                C::Functional(functional) => functional.example(),
                C::Special(_) => return Some(format!("{} 1 1", self.name())),
                // Where it is defined is known to its caller alone.
                C::Foreign(_) => return None,
                C::Sigmoid => "sigmoid 2",
                C::Pi => "2 * pi",
                C::E => "e",
                C::Fst => "fst (1, 2)",
                C::Snd => "snd (1, 2)",
                C::Fold => "fold (\\x rest => x - rest) 0 [10, 3, 2]",
                C::Zero => "zeros + (1, 2)",
                C::Scale => "scale 2 (1, 2)",
                C::Dot => "dot (1, 2) (3, 4)",
                C::Trace => "trace (matrix2 ((1, 2), (3, 4)))",
                C::Det => "det (matrix2 ((1, 2), (3, 4)))",
                C::LinearSolve => "linearSolve (matrix2 ((2, -1), (1, 3))) (1, 11)",
                C::Deriv => "deriv (\\x => x^3) 2",
                C::Jvp => "jvp (\\(x, y) => (x * y, x)) (2, 3) (1, 0)",
                C::Rd => "rd (\\(x, y) => (x * y, x)) (2, 3) (1, 0)",
                C::Tangent => "tangent_R.to (tangent exp (tangent_R.from (0, 1)))",
                C::TangentValue => "tangentValue (tangent_R.from (2, 3))",
                C::TangentR => "tangent_R.to (tangent_R.from (2, 3))",
                C::TangentProd => {
                    "tangent_R.to (snd (tangentProd.to (tangent (\\x => (x, x^2)) (tangent_R.from (3, 1)))))"
                }
                C::TangentToR => "snd (tangentTo_R.to (tangent (\\c x => c * x) (tangent_R.from (2, 1)))) 5",
            }
            .to_owned(),
        )
    }
}

/// A natural number or a truth value.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum DiscreteValue {
    /// A natural number.
    Natural(u64),
    /// A truth value.
    Truth(bool),
}

impl Constant {
    /// Returns the operation of the constant on two natural numbers, `None` if it has none. The operation itself
    /// returns `None` if the result is negative or does not fit into `u64`.
    #[must_use]
    pub fn natural_operation(self) -> Option<fn(u64, u64) -> Option<DiscreteValue>> {
        use DiscreteValue::{Natural, Truth};
        Some(match self {
            Constant::Add => |x, y| x.checked_add(y).map(Natural),
            // A difference with `Nat` written somewhere stops at 0; the other one, below, is refused there.
            Constant::Subtract => |x, y| Some(Natural(x.saturating_sub(y))),
            Constant::NaturalDifference => |x, y| x.checked_sub(y).map(Natural),
            Constant::NaturalProduct => |x, y| x.checked_mul(y).map(Natural),
            Constant::Equal => |x, y| Some(Truth(x == y)),
            Constant::NotEqual => |x, y| Some(Truth(x != y)),
            Constant::Less => |x, y| Some(Truth(x < y)),
            Constant::LessEqual => |x, y| Some(Truth(x <= y)),
            Constant::Greater => |x, y| Some(Truth(x > y)),
            Constant::GreaterEqual => |x, y| Some(Truth(x >= y)),
            _ => return None,
        })
    }
}
