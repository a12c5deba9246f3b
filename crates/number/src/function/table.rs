//! The rows.
//!
//! A new function is a row here. The identifiers before the braces are the variant of [`Function`](super::Function), its name,
//! which is its name in CORE-MATH as well, and the function of MPFR; then its line of help.

pub(super) use super::condition::{
    BEYOND_MINUS_ONE, CLOSED_UNIT, COSINE_NOT_ZERO, ENTIRE, EVEN_ROOT, FROM_ONE, ODD_ROOT, OFF_THE_LINE, OPEN_UNIT,
    POSITIVE,
};
use super::{EdgeForm, EdgeTail, Formula};

/// No bound.
pub(super) const INF: f64 = f64::INFINITY;
pub(super) const ONE: Formula = Formula::Number(1, 1);

pub(super) const ALL_NUMBERS: (f64, f64) = (-INF, INF);
pub(super) const FROM_ZERO_ON: (f64, f64) = (0.0, INF);
pub(super) const UNIT: (f64, f64) = (-1.0, 1.0);

/// 0 at 0, and no limits but those of the row.
pub(super) const AT_ZERO: &[(f64, f64)] = &[(0.0, 0.0)];
/// 0 at 0, and unbounded on both sides.
pub(super) const UNBOUNDED: &[(f64, f64)] = &[(0.0, 0.0), (-INF, -INF), (INF, INF)];

/// √π
pub(super) const ROOT_PI: Formula = Formula::Apply(Sqrt, &Formula::Pi);

/// ½
pub(super) const HALF: Formula = Formula::Number(1, 2);
/// eˣ
pub(super) const EXP: Formula = Formula::Apply(Exp, &Formula::X);
/// e⁻ˣ
pub(super) const EXP_DOWN: Formula = Formula::Apply(Exp, &Formula::Negate(&Formula::X));
/// The mirror of an odd function.
pub(super) const MINUS_Y: Formula = Formula::Negate(&Formula::Y);
/// `erfc x = exp (-x²)·r`, where `2/√π/(x + √(x² + 2)) ≤ r ≤ 2/√π/(x + √(x² + 4/π))` for x > 0 (Abramowitz and Stegun, 7.1.13).
///
/// From `r = 2/√π·∫₀^∞ exp (-t² - 2xt) dt` follows `|r⁽ᵏ⁾| ≤ 2/√π·∫₀^∞ (2t)ᵏ exp (-2xt) dt = k!/√π·x⁻ᵏ⁻¹`.
pub(super) const ERFC_TAIL: EdgeTail = EdgeTail {
    weight: Formula::Negate(&Formula::Square(&Formula::X)),
    bounds: {
        use Formula::{Add, Apply, Divide, Multiply, Number, Pi, Square, X};
        [
            Divide(
                &Number(2, 1),
                &Multiply(&ROOT_PI, &Add(&ONE, &Apply(Sqrt, &Add(&ONE, &Divide(&Number(2, 1), &Square(&X)))))),
            ),
            Divide(
                &Number(2, 1),
                &Multiply(
                    &ROOT_PI,
                    &Add(&ONE, &Apply(Sqrt, &Add(&ONE, &Divide(&Number(4, 1), &Multiply(&Pi, &Square(&X)))))),
                ),
            ),
        ]
    },
    coefficient: Formula::Inverse(&ROOT_PI),
    falls: true,
    ratio: 1,
};

/// Returns the form with a formula alone.
pub(super) const fn edge(formula: Formula) -> EdgeForm {
    EdgeForm { formula, tail: None, mirror: None }
}

/// A constant of λ_S.
pub(super) const IN_S: &str = "S Fig. 2, §4.3";
/// A constant that no paper has.
pub(super) const AS_IN_S: &str = "not in S; a primitive as in S §4.3";

pub(super) use super::Function::{
    Acos, Acosh, Asin, Asinh, Atan, Atanh, Cos, Cosh, Erfc, Exp, Expm1, Log, Log1p, Sin, Sinh, Sqrt, Tanh,
};
pub(super) use super::Monotonicity::{Decreasing, Even, Increasing, Poles, Root, Sinusoidal};

/// `1/(1 + e⁻ˣ)`, which the language has as a constant and the layers below as this formula.
pub static SIGMOID: Formula =
    Formula::Inverse(&Formula::Add(&ONE, &Formula::Apply(Exp, &Formula::Negate(&Formula::X))));

/// The slope of the sigmoid where it has the value y.
pub static SIGMOID_SLOPE: Formula = Formula::Subtract(&Formula::Y, &Formula::Square(&Formula::Y));

/// Hands the rows to a macro.
#[doc(hidden)]
#[macro_export]
macro_rules! functions {
    ($then:ident) => {
        $then! {
            Sqrt sqrt sqrt_ref "The square root, of x >= 0." {
                notation: "√x", source: IN_S, conditions: &EVEN_ROOT, monotonicity: Root(2), outgrows_powers: false,
                exact_values: &[(INF, INF)], range: FROM_ZERO_ON, slope: Some(Divide(&Number(1, 2), &Y)),
                left_inverse_of: None,
                complex_formula: None,
                edge: None,
            }
            Cbrt cbrt cbrt_ref "The cube root, of any number." {
                notation: "∛x", source: AS_IN_S, conditions: &ODD_ROOT, monotonicity: Root(3), outgrows_powers: false,
                exact_values: &[(INF, INF), (-INF, -INF)], range: ALL_NUMBERS,
                slope: Some(Inverse(&Multiply(&Number(3, 1), &Square(&Y)))),
                left_inverse_of: None,
                complex_formula: None,
                edge: None,
            }
            Exp exp exp_ref "The exponential function." {
                notation: "eˣ", source: IN_S, conditions: &ENTIRE, monotonicity: Increasing, outgrows_powers: true,
                exact_values: &[(0.0, 1.0), (-INF, 0.0), (INF, INF)], range: FROM_ZERO_ON, slope: Some(Y),
                left_inverse_of: Some(Log),
                complex_formula: None,
                edge: None,
            }
            Log log ln_ref "The natural logarithm, of x > 0." {
                notation: "log x", source: IN_S, conditions: &POSITIVE, monotonicity: Increasing, outgrows_powers: false,
                exact_values: &[(1.0, 0.0), (INF, INF)], range: ALL_NUMBERS, slope: Some(Inverse(&X)),
                left_inverse_of: Some(Exp),
                complex_formula: None,
                edge: None,
            }
            Sin sin sin_ref "Sine, of an angle in radians." {
                notation: "sin x", source: IN_S, conditions: &ENTIRE, monotonicity: Sinusoidal { top: 1 }, outgrows_powers: false,
                exact_values: AT_ZERO, range: UNIT, slope: Some(Apply(Cos, &X)),
                left_inverse_of: Some(Asin),
                complex_formula: None,
                edge: None,
            }
            Cos cos cos_ref "Cosine, of an angle in radians." {
                notation: "cos x", source: IN_S, conditions: &ENTIRE, monotonicity: Sinusoidal { top: 0 }, outgrows_powers: false,
                exact_values: &[(0.0, 1.0)], range: UNIT, slope: Some(Negate(&Apply(Sin, &X))),
                left_inverse_of: Some(Acos),
                complex_formula: None,
                edge: None,
            }
            Tan tan tan_ref "Tangent of an angle in radians, undefined at pi/2 and every pi from there (the derivative is tangent)." {
                notation: "tan x", source: AS_IN_S, conditions: &COSINE_NOT_ZERO, monotonicity: Poles, outgrows_powers: false,
                exact_values: AT_ZERO, range: ALL_NUMBERS, slope: Some(Add(&ONE, &Square(&Y))),
                left_inverse_of: Some(Atan),
                complex_formula: Some(Divide(&Apply(Sin, &X), &Apply(Cos, &X))),
                edge: None,
            }
            Asin asin asin_ref "Inverse sine, of -1 <= x <= 1." {
                notation: "arcsin x", source: AS_IN_S, conditions: &CLOSED_UNIT, monotonicity: Increasing, outgrows_powers: false,
                exact_values: AT_ZERO, range: ALL_NUMBERS, slope: Some(InverseRoot(&Subtract(&ONE, &Square(&X)))),
                left_inverse_of: None,
                complex_formula: Some(Apply(Atan, &Divide(&X, &Apply(Sqrt, &Subtract(&ONE, &Square(&X)))))),
                edge: None,
            }
            Acos acos acos_ref "Inverse cosine, of -1 <= x <= 1." {
                notation: "arccos x", source: AS_IN_S, conditions: &CLOSED_UNIT, monotonicity: Decreasing, outgrows_powers: false,
                exact_values: &[(1.0, 0.0)], range: FROM_ZERO_ON,
                slope: Some(Negate(&InverseRoot(&Subtract(&ONE, &Square(&X))))),
                left_inverse_of: None,
                complex_formula: Some(Subtract(&Divide(&Pi, &Number(2, 1)), &Apply(Atan, &Divide(&X, &Apply(Sqrt, &Subtract(&ONE, &Square(&X))))))),
                edge: None,
            }
            Atan atan atan_ref "Inverse tangent." {
                notation: "arctan x", source: AS_IN_S, conditions: &OFF_THE_LINE, monotonicity: Increasing, outgrows_powers: false,
                exact_values: AT_ZERO, range: ALL_NUMBERS, slope: Some(Inverse(&Add(&ONE, &Square(&X)))),
                left_inverse_of: None,
                complex_formula: None,
                edge: Some(EdgeForm { mirror: Some(MINUS_Y), ..edge(Subtract(&Divide(&Pi, &Number(2, 1)), &Apply(Atan, &Inverse(&X)))) }),
            }
            Sinh sinh sinh_ref "Hyperbolic sine." {
                notation: "sinh x", source: AS_IN_S, conditions: &ENTIRE, monotonicity: Increasing, outgrows_powers: true,
                exact_values: UNBOUNDED, range: ALL_NUMBERS, slope: Some(Apply(Cosh, &X)),
                left_inverse_of: Some(Asinh),
                complex_formula: None,
                edge: Some(EdgeForm { mirror: Some(MINUS_Y), ..edge(Multiply(&HALF, &Subtract(&EXP, &EXP_DOWN))) }),
            }
            Cosh cosh cosh_ref "Hyperbolic cosine." {
                notation: "cosh x", source: AS_IN_S, conditions: &ENTIRE, monotonicity: Even, outgrows_powers: true,
                exact_values: &[(0.0, 1.0), (INF, INF)], range: (1.0, INF), slope: Some(Apply(Sinh, &X)),
                left_inverse_of: Some(Acosh),
                complex_formula: None,
                edge: Some(EdgeForm { mirror: Some(Y), ..edge(Multiply(&HALF, &Add(&EXP, &EXP_DOWN))) }),
            }
            Tanh tanh tanh_ref "Hyperbolic tangent." {
                notation: "tanh x", source: AS_IN_S, conditions: &OFF_THE_LINE, monotonicity: Increasing, outgrows_powers: false,
                exact_values: &[(0.0, 0.0), (-INF, -1.0), (INF, 1.0)], range: UNIT, slope: Some(Subtract(&ONE, &Square(&Y))),
                left_inverse_of: Some(Atanh),
                complex_formula: Some(Divide(&Apply(Sinh, &X), &Apply(Cosh, &X))),
                edge: Some(EdgeForm { mirror: Some(MINUS_Y), ..edge(Divide(&Subtract(&EXP, &EXP_DOWN), &Add(&EXP, &EXP_DOWN))) }),
            }
            Asinh asinh asinh_ref "Inverse hyperbolic sine." {
                notation: "arsinh x", source: AS_IN_S, conditions: &OFF_THE_LINE, monotonicity: Increasing, outgrows_powers: false,
                exact_values: UNBOUNDED, range: ALL_NUMBERS, slope: Some(InverseRoot(&Add(&ONE, &Square(&X)))),
                left_inverse_of: Some(Sinh),
                complex_formula: Some(Apply(Log, &Add(&X, &Apply(Sqrt, &Add(&Square(&X), &ONE))))),
                edge: Some(EdgeForm { mirror: Some(MINUS_Y), ..edge(Apply(Log, &Add(&X, &Apply(Sqrt, &Add(&Square(&X), &ONE))))) }),
            }
            Acosh acosh acosh_ref "Inverse hyperbolic cosine, of x >= 1." {
                notation: "arcosh x", source: AS_IN_S, conditions: &FROM_ONE, monotonicity: Increasing, outgrows_powers: false,
                exact_values: &[(1.0, 0.0), (INF, INF)], range: FROM_ZERO_ON,
                slope: Some(InverseRoot(&Add(&Number(-1, 1), &Square(&X)))),
                left_inverse_of: None,
                complex_formula: Some(Apply(Log, &Add(&X, &Multiply(&Apply(Sqrt, &Subtract(&X, &ONE)), &Apply(Sqrt, &Add(&X, &ONE)))))),
                edge: Some(edge(Apply(Log, &Add(&X, &Apply(Sqrt, &Subtract(&Square(&X), &ONE)))))),
            }
            Atanh atanh atanh_ref "Inverse hyperbolic tangent, of -1 < x < 1." {
                notation: "artanh x", source: AS_IN_S, conditions: &OPEN_UNIT, monotonicity: Increasing, outgrows_powers: false,
                exact_values: AT_ZERO, range: ALL_NUMBERS, slope: Some(Inverse(&Subtract(&ONE, &Square(&X)))),
                left_inverse_of: Some(Tanh),
                complex_formula: Some(Divide(&Subtract(&Apply(Log, &Add(&ONE, &X)), &Apply(Log, &Subtract(&ONE, &X))), &Number(2, 1))),
                edge: None,
            }
            Erf erf erf_ref "The error function, 2 / sqrt pi times the integral of exp (-t^2) from 0 to x." {
                notation: "erf x", source: AS_IN_S, conditions: &ENTIRE, monotonicity: Increasing, outgrows_powers: false,
                exact_values: &[(0.0, 0.0), (-INF, -1.0), (INF, 1.0)], range: UNIT,
                slope: Some(Multiply(&Divide(&Number(2, 1), &ROOT_PI), &Apply(Exp, &Negate(&Square(&X))))),
                left_inverse_of: None,
                complex_formula: None,
                edge: Some(EdgeForm { mirror: Some(MINUS_Y), ..edge(Subtract(&ONE, &Apply(Erfc, &X))) }),
            }
            Erfc erfc erfc_ref "The complementary error function, 1 - erf x." {
                notation: "erfc x", source: AS_IN_S, conditions: &ENTIRE, monotonicity: Decreasing, outgrows_powers: false,
                exact_values: &[(0.0, 1.0), (-INF, 2.0), (INF, 0.0)], range: (0.0, 2.0),
                slope: Some(Multiply(&Divide(&Number(-2, 1), &ROOT_PI), &Apply(Exp, &Negate(&Square(&X))))),
                left_inverse_of: None,
                complex_formula: None,
                edge: Some(EdgeForm { mirror: Some(Subtract(&Number(2, 1), &Y)), tail: Some(ERFC_TAIL), ..edge(Number(0, 1)) }),
            }
            Expm1 expm1 exp_m1_ref "The exponential function less 1, exp x - 1." {
                notation: "eˣ - 1", source: AS_IN_S, conditions: &ENTIRE, monotonicity: Increasing, outgrows_powers: true,
                exact_values: &[(0.0, 0.0), (-INF, -1.0), (INF, INF)], range: (-1.0, INF), slope: Some(Apply(Exp, &X)),
                left_inverse_of: Some(Log1p),
                complex_formula: Some(Subtract(&Apply(Exp, &X), &ONE)),
                edge: Some(edge(Subtract(&EXP, &ONE))),
            }
            Log1p log1p ln_1p_ref "The natural logarithm of 1 + x, of x > -1." {
                notation: "log (1 + x)", source: AS_IN_S, conditions: &BEYOND_MINUS_ONE, monotonicity: Increasing, outgrows_powers: false,
                exact_values: &[(0.0, 0.0), (INF, INF)], range: ALL_NUMBERS, slope: Some(Inverse(&Add(&ONE, &X))),
                left_inverse_of: Some(Expm1),
                complex_formula: Some(Apply(Log, &Add(&ONE, &X))),
                edge: Some(edge(Apply(Log, &Add(&ONE, &X)))),
            }
        }
    };
}
pub use functions;
