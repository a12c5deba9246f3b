//! The dual numbers of every operation, as programs: value and first derivative, written out.
//!
//! Independent of the [rows](crate::function::FunctionSpec) from which the macro makes [its
//! table](crate::meaning::taylor::partial): these are textbook formulas, as text. `u` and `v` stand for the numbers,
//! `du` and `dv` for their slopes.

use super::super::scope::parse_program;
use crate::meaning::taylor::hooks::TaylorHooks;
use crate::meaning::taylor::partial::SmoothOperation;
use crate::syntax::constant::Constant;
use crate::syntax::term::Term;

/// The derivatives of functions of one number, by the name of the constant.
const SLOPES: &[(&str, &str)] = &[
    ("sqrt", "1 / (2 * sqrt u)"),
    ("cbrt", "cbrt u / (3 * u)"),
    ("exp", "exp u"),
    ("log", "1 / u"),
    ("sin", "cos u"),
    ("cos", "0 - sin u"),
    ("tan", "1 / (cos u)^2"),
    ("asin", "1 / sqrt ((1 - u) * (1 + u))"),
    ("acos", "0 - 1 / sqrt ((1 - u) * (1 + u))"),
    ("atan", "1 / (1 + u^2)"),
    ("sinh", "cosh u"),
    ("cosh", "sinh u"),
    ("tanh", "1 / (cosh u)^2"),
    ("asinh", "1 / sqrt (u^2 + 1)"),
    ("acosh", "1 / (sqrt (u - 1) * sqrt (u + 1))"),
    ("atanh", "1 / ((1 - u) * (1 + u))"),
    ("erf", "2 * exp (0 - u^2) / sqrt pi"),
    ("erfc", "0 - 2 * exp (0 - u^2) / sqrt pi"),
    ("expm1", "exp u"),
    ("log1p", "1 / (1 + u)"),
    ("lgamma", "digamma u"),
    ("digamma", "polygamma 1 u"),
    ("sigmoid", "sigmoid u * sigmoid (0 - u)"),
];

/// The value and slope of functions of two numbers.
const OF_TWO: &[(Constant, &str, &str)] = &[
    (Constant::Multiply, "u * v", "du * v + u * dv"),
    (Constant::Divide, "u / v", "(du * v - u * dv) / v^2"),
    (Constant::RealPower, "u ^ v", "v * u ^ (v - 1) * du + u ^ v * log u * dv"),
];

/// The macro with these formulas for the operations.
#[derive(Clone, Copy, Debug)]
pub struct WrittenDerivatives;

impl TaylorHooks for WrittenDerivatives {
    fn lifted_operation(&self, operation: &SmoothOperation) -> Option<Term> {
        let text = operation_text(operation)?;
        // a test parses all texts, so a text with a mistake is found there and not here
        parse_program(&text).ok().map(|(term, _)| term)
    }
}

/// Returns the program on dual numbers. Returns `None` for an operation that is not listed.
fn operation_text(operation: &SmoothOperation) -> Option<String> {
    Some(match operation {
        SmoothOperation::Power(q) => {
            let (q, less) = (format!("({q})"), format!("({})", q.clone() - 1));
            // x⁻¹ would make the slope undefined at 0, where the constant 1 has slope 0
            let slope = if q == "(0)" { "0".to_owned() } else { format!("{q} * u ^ {less} * du") };
            unary_program(&format!("u ^ {q}"), &slope)
        }
        SmoothOperation::Polygamma => {
            format!("\\(n : Nat) => {}", unary_program("polygamma n u", "polygamma (n + 1) u * du"))
        }
        SmoothOperation::Constant(Constant::Planar(f)) if f.row().name == "atan2" => {
            binary_program("atan2 u v", "(v * du - u * dv) / (u^2 + v^2)")
        }
        SmoothOperation::Constant(constant) => match OF_TWO.iter().find(|(of, ..)| of == constant) {
            Some((_, value, slope)) => binary_program(value, slope),
            None => {
                let (name, slope) = SLOPES.iter().find(|(name, _)| *name == constant.name())?;
                unary_program(&format!("{name} u"), &format!("({slope}) * du"))
            }
        },
    })
}

/// Returns the program of a function of one dual number.
fn unary_program(value: &str, slope: &str) -> String {
    format!("\\(x : Real^2) => let u = x[0] in let du = x[1] in ({value}, {slope})")
}

/// Returns the program of a function of two dual numbers.
fn binary_program(value: &str, slope: &str) -> String {
    let numbers = "let u = x[0] in let du = x[1] in let v = y[0] in let dv = y[1] in";
    format!("\\(x : Real^2) (y : Real^2) => {numbers} ({value}, {slope})")
}
