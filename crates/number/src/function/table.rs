//! The rows.
//!
//! A new function is a row here. The identifiers before the braces are the variant of [`Function`](super::Function), its name,
//! which is its name in CORE-MATH as well, and the function of MPFR; then its line of help.

use super::{Domain, Edge, Formula, Row};
use std::num::NonZeroU16;

/// No bound.
pub(super) const INF: f64 = f64::INFINITY;
pub(super) const ONE: Formula = Formula::Number(1, 1);

pub(super) const LINE: Domain = Domain::LINE;
pub(super) const POSITIVE: Domain = Domain { left: Edge::Open(0), right: Edge::None };
pub(super) const BEYOND_MINUS_ONE: Domain = Domain { left: Edge::Open(-1), right: Edge::None };
pub(super) const FROM_ZERO: Domain = Domain { left: Edge::Closed(0), right: Edge::None };
pub(super) const FROM_ONE: Domain = Domain { left: Edge::Closed(1), right: Edge::None };
pub(super) const CLOSED_UNIT: Domain = Domain { left: Edge::Closed(-1), right: Edge::Closed(1) };
pub(super) const OPEN_UNIT: Domain = Domain { left: Edge::Open(-1), right: Edge::Open(1) };

pub(super) const ALL_NUMBERS: (f64, f64) = (-INF, INF);
pub(super) const FROM_ZERO_ON: (f64, f64) = (0.0, INF);
pub(super) const UNIT: (f64, f64) = (-1.0, 1.0);

/// 0 at 0, and no limits but those of the row.
pub(super) const AT_ZERO: &[(f64, f64)] = &[(0.0, 0.0)];
/// 0 at 0, and unbounded on both sides.
pub(super) const UNBOUNDED: &[(f64, f64)] = &[(0.0, 0.0), (-INF, -INF), (INF, INF)];

/// √π
pub(super) const ROOT_PI: Formula = Formula::Of(Sqrt, &Formula::Pi);

/// A constant of λ_S.
pub(super) const IN_S: &str = "S Fig. 2, §4.3";
/// A constant that no paper has.
pub(super) const AS_IN_S: &str = "not in S; a primitive as in S §4.3";

pub(super) use super::Course::{ConvexBranches, Even, Falling, Poles, Rising, RisingBranches, Root, Wave};
pub(super) use super::Function::{Atan, Cos, Cosh, Digamma, Exp, Log, Sin, Sinh, Sqrt};

/// `1/(1 + e⁻ˣ)`, which the language has as a constant and the layers below as this formula.
pub static SIGMOID: Formula = Formula::Inverse(&Formula::Add(&ONE, &Formula::Of(Exp, &Formula::Negate(&Formula::X))));

/// The slope of the sigmoid where it has the value y.
pub static SIGMOID_SLOPE: Formula = Formula::Subtract(&Formula::Y, &Formula::Square(&Formula::Y));

/// ψ⁽ⁿ⁾ of x, for n from 1 on.
pub(super) const fn polygamma_at(n: u16) -> Formula {
    Formula::Of(super::Function::Polygamma(NonZeroU16::MIN.saturating_add(n - 1)), &Formula::X)
}

/// ψ⁽ⁿ⁾ but for its slope: for odd n, and for even n. The slope is that of the least n.
pub(super) static POLYGAMMA: [Row; 2] = {
    const ODD: Row = Row {
        name: "polygamma",
        about: "The derivative of digamma of an order, a natural number up to 1000; polygamma 0 is digamma. Undefined at 0, -1, -2, ...",
        text: "ψ⁽ⁿ⁾(x)",
        source: AS_IN_S,
        domain: LINE,
        course: ConvexBranches,
        grows: false,
        exact: &[(INF, 0.0)],
        range: FROM_ZERO_ON,
        slope: polygamma_at(2),
        by: None,
    };
    [ODD, Row { course: RisingBranches, range: ALL_NUMBERS, slope: polygamma_at(3), ..ODD }]
};

/// Hands the rows to a macro.
#[doc(hidden)]
#[macro_export]
macro_rules! functions {
    ($then:ident) => {
        $then! {
            Sqrt sqrt sqrt_ref "The square root, of x >= 0." {
                text: "√x", source: IN_S, domain: FROM_ZERO, course: Root(2), grows: false,
                exact: &[(INF, INF)], range: FROM_ZERO_ON, slope: Divide(&Number(1, 2), &Y),
                by: None,
            }
            Cbrt cbrt cbrt_ref "The cube root, of any number." {
                text: "∛x", source: AS_IN_S, domain: LINE, course: Root(3), grows: false,
                exact: &[(INF, INF), (-INF, -INF)], range: ALL_NUMBERS,
                slope: Inverse(&Multiply(&Number(3, 1), &Square(&Y))),
                by: None,
            }
            Exp exp exp_ref "The exponential function." {
                text: "eˣ", source: IN_S, domain: LINE, course: Rising, grows: true,
                exact: &[(0.0, 1.0), (-INF, 0.0), (INF, INF)], range: FROM_ZERO_ON, slope: Y,
                by: None,
            }
            Log log ln_ref "The natural logarithm, of x > 0." {
                text: "log x", source: IN_S, domain: POSITIVE, course: Rising, grows: false,
                exact: &[(1.0, 0.0), (INF, INF)], range: ALL_NUMBERS, slope: Inverse(&X),
                by: None,
            }
            Sin sin sin_ref "Sine, of an angle in radians." {
                text: "sin x", source: IN_S, domain: LINE, course: Wave { top: 1 }, grows: false,
                exact: AT_ZERO, range: UNIT, slope: Of(Cos, &X),
                by: None,
            }
            Cos cos cos_ref "Cosine, of an angle in radians." {
                text: "cos x", source: IN_S, domain: LINE, course: Wave { top: 0 }, grows: false,
                exact: &[(0.0, 1.0)], range: UNIT, slope: Negate(&Of(Sin, &X)),
                by: None,
            }
            Tan tan tan_ref "Tangent of an angle in radians, undefined at pi/2 and every pi from there (the derivative is tangent)." {
                text: "tan x", source: AS_IN_S, domain: LINE, course: Poles, grows: false,
                exact: AT_ZERO, range: ALL_NUMBERS, slope: Add(&ONE, &Square(&Y)),
                by: Some(Divide(&Of(Sin, &X), &Of(Cos, &X))),
            }
            Asin asin asin_ref "Inverse sine, of -1 <= x <= 1." {
                text: "arcsin x", source: AS_IN_S, domain: CLOSED_UNIT, course: Rising, grows: false,
                exact: AT_ZERO, range: ALL_NUMBERS, slope: InverseRoot(&Subtract(&ONE, &Square(&X))),
                by: Some(Of(Atan, &Divide(&X, &Of(Sqrt, &Subtract(&ONE, &Square(&X)))))),
            }
            Acos acos acos_ref "Inverse cosine, of -1 <= x <= 1." {
                text: "arccos x", source: AS_IN_S, domain: CLOSED_UNIT, course: Falling, grows: false,
                exact: &[(1.0, 0.0)], range: FROM_ZERO_ON,
                slope: Negate(&InverseRoot(&Subtract(&ONE, &Square(&X)))),
                by: Some(Subtract(&Divide(&Pi, &Number(2, 1)), &Of(Atan, &Divide(&X, &Of(Sqrt, &Subtract(&ONE, &Square(&X))))))),
            }
            Atan atan atan_ref "Inverse tangent." {
                text: "arctan x", source: AS_IN_S, domain: LINE, course: Rising, grows: false,
                exact: AT_ZERO, range: ALL_NUMBERS, slope: Inverse(&Add(&ONE, &Square(&X))),
                by: None,
            }
            Sinh sinh sinh_ref "Hyperbolic sine." {
                text: "sinh x", source: AS_IN_S, domain: LINE, course: Rising, grows: true,
                exact: UNBOUNDED, range: ALL_NUMBERS, slope: Of(Cosh, &X),
                by: None,
            }
            Cosh cosh cosh_ref "Hyperbolic cosine." {
                text: "cosh x", source: AS_IN_S, domain: LINE, course: Even, grows: true,
                exact: &[(0.0, 1.0), (INF, INF)], range: (1.0, INF), slope: Of(Sinh, &X),
                by: None,
            }
            Tanh tanh tanh_ref "Hyperbolic tangent." {
                text: "tanh x", source: AS_IN_S, domain: LINE, course: Rising, grows: false,
                exact: &[(0.0, 0.0), (-INF, -1.0), (INF, 1.0)], range: UNIT, slope: Subtract(&ONE, &Square(&Y)),
                by: Some(Divide(&Of(Sinh, &X), &Of(Cosh, &X))),
            }
            Asinh asinh asinh_ref "Inverse hyperbolic sine." {
                text: "arsinh x", source: AS_IN_S, domain: LINE, course: Rising, grows: false,
                exact: UNBOUNDED, range: ALL_NUMBERS, slope: InverseRoot(&Add(&ONE, &Square(&X))),
                by: Some(Of(Log, &Add(&X, &Of(Sqrt, &Add(&Square(&X), &ONE))))),
            }
            Acosh acosh acosh_ref "Inverse hyperbolic cosine, of x >= 1." {
                text: "arcosh x", source: AS_IN_S, domain: FROM_ONE, course: Rising, grows: false,
                exact: &[(1.0, 0.0), (INF, INF)], range: FROM_ZERO_ON,
                slope: InverseRoot(&Add(&Number(-1, 1), &Square(&X))),
                by: Some(Of(Log, &Add(&X, &Multiply(&Of(Sqrt, &Subtract(&X, &ONE)), &Of(Sqrt, &Add(&X, &ONE)))))),
            }
            Atanh atanh atanh_ref "Inverse hyperbolic tangent, of -1 < x < 1." {
                text: "artanh x", source: AS_IN_S, domain: OPEN_UNIT, course: Rising, grows: false,
                exact: AT_ZERO, range: ALL_NUMBERS, slope: Inverse(&Subtract(&ONE, &Square(&X))),
                by: Some(Divide(&Subtract(&Of(Log, &Add(&ONE, &X)), &Of(Log, &Subtract(&ONE, &X))), &Number(2, 1))),
            }
            Erf erf erf_ref "The error function, 2 / sqrt pi times the integral of exp (-t^2) from 0 to x." {
                text: "erf x", source: AS_IN_S, domain: LINE, course: Rising, grows: false,
                exact: &[(0.0, 0.0), (-INF, -1.0), (INF, 1.0)], range: UNIT,
                slope: Multiply(&Divide(&Number(2, 1), &ROOT_PI), &Of(Exp, &Negate(&Square(&X)))),
                by: None,
            }
            Erfc erfc erfc_ref "The complementary error function, 1 - erf x." {
                text: "erfc x", source: AS_IN_S, domain: LINE, course: Falling, grows: false,
                exact: &[(0.0, 1.0), (-INF, 2.0), (INF, 0.0)], range: (0.0, 2.0),
                slope: Multiply(&Divide(&Number(-2, 1), &ROOT_PI), &Of(Exp, &Negate(&Square(&X)))),
                by: None,
            }
            Expm1 expm1 exp_m1_ref "The exponential function less 1, exp x - 1." {
                text: "eˣ - 1", source: AS_IN_S, domain: LINE, course: Rising, grows: true,
                exact: &[(0.0, 0.0), (-INF, -1.0), (INF, INF)], range: (-1.0, INF), slope: Of(Exp, &X),
                by: Some(Subtract(&Of(Exp, &X), &ONE)),
            }
            Log1p log1p ln_1p_ref "The natural logarithm of 1 + x, of x > -1." {
                text: "log (1 + x)", source: AS_IN_S, domain: BEYOND_MINUS_ONE, course: Rising, grows: false,
                exact: &[(0.0, 0.0), (INF, INF)], range: ALL_NUMBERS, slope: Inverse(&Add(&ONE, &X)),
                by: Some(Of(Log, &Add(&ONE, &X))),
            }
            LogGamma lgamma ln_gamma_ref "The logarithm of |Gamma x|; undefined at 0, -1, -2, ..." {
                text: "log |Γ(x)|", source: AS_IN_S, domain: LINE, course: ConvexBranches, grows: false,
                exact: &[(1.0, 0.0), (2.0, 0.0), (INF, INF)], range: ALL_NUMBERS, slope: Of(Digamma, &X),
                by: None,
            }
            Digamma digamma digamma_ref "The derivative of lgamma, Gamma' x / Gamma x; undefined at 0, -1, -2, ..." {
                text: "ψ(x)", source: AS_IN_S, domain: LINE, course: RisingBranches, grows: false,
                exact: &[(INF, INF)], range: ALL_NUMBERS, slope: polygamma_at(1),
                by: None,
            }
        }
    };
}
pub use functions;
