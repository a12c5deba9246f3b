//! The values of operations and elementary functions.

use super::Row;
use super::Truth::Number;

pub const ROWS: &[Row] = &[
    ("negate_value", "-(sqrt 2)", Number("-1.41421356237309504880", "-sqrt(2)")),
    ("add_value", "sqrt 2 + 1", Number("2.41421356237309504880", "sqrt(2)+1")),
    ("subtract_value", "sqrt 2 - 1", Number("0.414213562373095048802", "sqrt(2)-1")),
    ("multiply_value", "sqrt 2 * 3", Number("4.24264068711928514641", "3*sqrt(2)")),
    ("divide_value", "sqrt 2 / 3", Number("0.471404520791031682934", "sqrt(2)/3")),
    ("power_value", "(sqrt 2)^3", Number("2.82842712474619009760", "2*sqrt(2)")),
    ("root_value", "2^(3/2)", Number("2.82842712474619009760", "2*sqrt(2)")),
    ("abs_value", "abs (1 - sqrt 2)", Number("0.414213562373095048802", "sqrt(2)-1")),
    ("signum_value", "signum (1 - sqrt 2)", Number("-1", "-1")),
    ("max_value", "max (sqrt 2) 1", Number("1.41421356237309504880", "sqrt(2)")),
    ("min_value", "min (sqrt 2) 1", Number("1", "1")),
    ("pi_value", "pi", Number("3.14159265358979323846", "pi")),
    ("euler_value", "e", Number("2.71828182845904523536", "e")),
    ("sqrt_value", "sqrt 3", Number("1.73205080756887729353", "3^(1/2)")),
    ("cbrt_value", "cbrt 3", Number("1.44224957030740838232", "3^(1/3)")),
    ("exp_value", "exp 1", Number("2.71828182845904523536", "e")),
    ("log_value", "log 2", Number("0.693147180559945309417", "log 2")),
    ("sin_value", "sin 1", Number("0.841470984807896506653", "sin(1)")),
    ("cos_value", "cos 1", Number("0.540302305868139717401", "cos(1)")),
    ("tan_value", "tan 1", Number("1.55740772465490223051", "sin(1)/cos(1)")),
    ("asin_value", "asin (1/4)", Number("0.252680255142078653486", "atan(1/sqrt(15))")),
    ("acos_value", "acos (1/4)", Number("1.31811607165281796575", "pi/2-atan(1/sqrt(15))")),
    ("atan_value", "atan (1/2)", Number("0.463647609000806116214", "atan(1/2)")),
    ("sinh_value", "sinh 1", Number("1.17520119364380145688", "(e-1/e)/2")),
    ("cosh_value", "cosh 1", Number("1.54308063481524377848", "(e+1/e)/2")),
    ("tanh_value", "tanh 1", Number("0.761594155955764888119", "(e*e-1)/(e*e+1)")),
    ("asinh_value", "asinh 2", Number("1.44363547517881034249", "log(2+sqrt(5))")),
    ("acosh_value", "acosh 2", Number("1.31695789692481670863", "log(2+sqrt(3))")),
    ("atanh_value", "atanh (1/2)", Number("0.549306144334054845698", "log(3)/2")),
    ("erf_value", "erf (1/2)", Number("0.520499877813046537683", "2/sqrt(pi) times the integral of exp(-t^2) to 1/2")),
    ("erfc_value", "erfc (1/2)", Number("0.479500122186953462317", "1 - erf(1/2)")),
    ("expm1_value", "expm1 (1/2)", Number("0.648721270700128146849", "exp(1/2) - 1")),
];
