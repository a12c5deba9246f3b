//! The topics of the constants, and a program that shows each: for `:doc`, and for the reference in the book.

use super::Constant;
use crate::function::DomainEnd;
use std::fmt;

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
            C::Abs | C::Signum | C::Max | C::Min | C::Polygamma | C::Sigmoid | C::Elementary(_) | C::Planar(_) => {
                Topic::Functions
            }
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
                    let from_one = matches!(function.row().domain.left, DomainEnd::Closed(1) | DomainEnd::Open(1));
                    return Some(format!("{} {}", self.name(), if from_one { "1.5" } else { "0.5" }));
                }
                C::Planar(_) => return Some(format!("{} 1 2", self.name())),
                C::Functional(functional) => functional.example(),
                C::Polygamma => "polygamma 1 1",
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
