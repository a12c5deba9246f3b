//! Reverse mode.

use super::Row;
use super::Truth::{Bottom, Number};

pub const ROWS: &[Row] = &[
    ("uses_last_only", "rd (\\x => let y = x * x in y * y + y) 3 1", Number("114", "4*27 + 2*3")),
    ("reverse_undefined_nearby", "rd (\\c => (sqrt c)^0) 0 1", Bottom("sqrt is not defined to the left of 0")),
    ("cotangents_in_reverse", "rd (\\x => (x, 10 * x)) 1 (1, 2)", Number("21", "1 + 2*10")),
    ("difference_handed_on", "rd (\\x => 5 - x^2) 3 1", Number("-6", "-2*3")),
    ("product_handed_on", "fst (rd (\\(x, y) => x * y) (2, 5) 1)", Number("5", "5")),
    ("quotient_handed_on", "rd (\\x => 6 / x) 2 1", Number("-1.5", "-6/4")),
    ("slope_not_handed_on", "rd sin 1 2", Number("1.08060461173627943480", "2*cos(1)")),
    ("exponent_not_handed_on", "rd (\\x => x^3) 2 1", Number("12", "3*4")),
    ("kink_handed_on", "rd (\\x => max x (2 * x)) 1 1", Number("2", "2")),
    ("choice_handed_on", "rd (\\x => if x > 0 then x^2 else 3 * x) 2 1", Number("4", "2*2")),
    ("root_handed_on", "rd (\\c => cutRoot (\\x => c - x)) 0.5 1", Number("1", "1")),
    ("optimum_handed_on", "rd (\\c => 3 * max01 (\\x => c * x)) 1 1", Number("3", "3")),
    ("direction_not_handed_on", "rd (\\v => jvp (\\x => x^3) 2 v) 1 1", Number("12", "3*4")),
    ("point_not_handed_on", "rd (\\x => deriv (\\y => y^3) x) 2 1", Number("12", "6*2")),
];
