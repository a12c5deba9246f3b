//! Their derivatives.

use super::Row;
use super::Truth::Number;

pub const ROWS: &[Row] = &[
    ("negate_derivative", "deriv (\\x => -(x^2)) 3", Number("-6", "-6")),
    ("add_derivative", "deriv (\\x => x^2 + x^3) 1", Number("5", "5")),
    ("subtract_derivative", "deriv (\\x => x^3 - x^2) 2", Number("8", "8")),
    ("multiply_derivative", "deriv (\\x => x * sin x) 1", Number("1.38177329067603622405", "sin(1)+cos(1)")),
    ("divide_derivative", "deriv (\\x => 1 / x) 2", Number("-0.25", "-0.25")),
    ("divide_derivative_sign", "deriv (\\x => 1 / x) 2", Number("-0.25", "-0.25")),
    ("power_derivative", "deriv (\\x => x^3) 2", Number("12", "12")),
    ("root_derivative", "deriv (\\x => x^(3/2)) 4", Number("3", "3")),
    ("abs_derivative", "deriv (\\x => abs x) (-2)", Number("-1", "-1")),
    ("signum_derivative", "deriv (\\x => signum x) 2", Number("0", "0")),
    ("max_derivative", "deriv (\\x => max (x^2) (3 * x)) 1", Number("3", "3")),
    ("min_derivative", "deriv (\\x => min (x^2) (3 * x)) 1", Number("2", "2")),
    ("sqrt_derivative", "deriv sqrt 4", Number("0.25", "0.25")),
    ("cbrt_derivative", "deriv cbrt 8", Number("0.0833333333333333333333", "1/12")),
    ("exp_derivative", "deriv exp 2", Number("7.38905609893065022723", "e^2")),
    ("log_derivative", "deriv log 2", Number("0.5", "0.5")),
    ("sin_derivative", "deriv sin 1", Number("0.540302305868139717401", "cos(1)")),
    ("cos_derivative", "deriv cos 1", Number("-0.841470984807896506653", "-sin(1)")),
    ("tan_derivative", "deriv tan 1", Number("3.42551882081475976094", "1/cos(1)^2")),
    ("asin_derivative", "deriv asin (1/2)", Number("1.15470053837925152902", "2/sqrt(3)")),
    ("acos_derivative", "deriv acos (1/2)", Number("-1.15470053837925152902", "-2/sqrt(3)")),
    ("atan_derivative", "deriv atan 1", Number("0.5", "0.5")),
    ("sinh_derivative", "deriv sinh 1", Number("1.54308063481524377848", "(e+1/e)/2")),
    ("cosh_derivative", "deriv cosh 1", Number("1.17520119364380145688", "(e-1/e)/2")),
    ("tanh_derivative", "deriv tanh (1/2)", Number("0.786447732965927410150", "1 - ((e - 1)/(e + 1))^2")),
    ("asinh_derivative", "deriv asinh 1", Number("0.707106781186547524401", "1/sqrt(2)")),
    ("acosh_derivative", "deriv acosh 2", Number("0.577350269189625764509", "1/sqrt(3)")),
    ("atanh_derivative", "deriv atanh (1/2)", Number("1.33333333333333333333", "4/3")),
    ("erf_derivative", "deriv erf (1/2)", Number("0.878782578935444794094", "2/sqrt(pi)*exp(-1/4)")),
    ("erfc_derivative", "deriv erfc (1/2)", Number("-0.878782578935444794094", "-2/sqrt(pi)*exp(-1/4)")),
    ("expm1_derivative", "deriv expm1 (1/2)", Number("1.64872127070012814685", "exp(1/2)")),
    ("log1p_derivative", "deriv log1p (1/2)", Number("0.666666666666666666667", "2/3")),
];
