//! Integrals, roots and optima.

use super::Row;
use super::Truth::{Bottom, Number, Set};

pub const ROWS: &[Row] = &[
    ("integral_stops_early", "integral01 (\\x => x)", Number("0.5", "0.5")),
    ("integral_panel_length", "integral01 (\\x => x)", Number("0.5", "0.5")),
    ("integral_without_remainder", "integral01 (\\x => x^2)", Number("0.333333333333333333333", "1/3")),
    ("integral_parameters_fixed", "deriv (\\c => integral01 (\\x => c * x)) 1", Number("0.5", "0.5")),
    ("integral_kink_fixed", "deriv (deriv (\\c => integral01 (\\x => max 0 (x - c)))) 0.6", Number("1", "1")),
    ("integral_kink_sides", "integral01 (\\x => max 0 (x - 0.6))", Number("0.08", "0.08")),
    ("cut_root_sign", "deriv (\\c => cutRoot (\\x => c - x^3)) 8", Number("0.0833333333333333333333", "1/12")),
    ("cut_root_upside_down", "deriv (\\c => cutRoot (\\x => c - x^3)) 8", Number("0.0833333333333333333333", "1/12")),
    (
        "cut_root_second_order",
        "deriv (deriv (\\c => cutRoot (\\x => c - x^3))) 8",
        Number("-0.00694444444444444444444", "-1/144"),
    ),
    ("cut_root_flat_slope", "deriv (\\c => cutRoot (\\x => c - x^3)) 0", Bottom("a vertical tangent")),
    ("cut_root_plateau", "cutRoot (\\x => max 0 (1 - x) - max 0 (x - 2))", Set("1", "2", "0 on [1, 2]")),
    ("first_root_sign", "deriv (\\c => firstRoot (\\x => c - x^3)) (1/8)", Number("1.33333333333333333333", "4/3")),
    ("first_root_of_many", "firstRoot (\\x => (0.3 - x) * (0.4 - x) * (0.8 - x))", Number("0.3", "3/10")),
    ("first_root_touched", "firstRoot (\\x => (x - 1/2)^2)", Set("0.5", "1", "no sign change")),
    ("first_root_formula_at_end", "deriv (\\c => firstRoot (\\x => c - x)) 2", Number("0", "0")),
    ("first_root_end_tie", "deriv (\\c => firstRoot (\\x => c - x)) 0", Set("0", "1", "the slopes 0 and 1")),
    (
        "cut_root_undefined_nearby",
        "deriv (\\c => cutRoot (\\x => max 2 (sqrt (c + x^2)) - 2 - x)) 0",
        Bottom("undefined round the root for c < 0"),
    ),
    ("max01_ends_only", "max01 (\\x => x - x^2)", Number("0.25", "0.25")),
    ("max01_envelope", "deriv (\\c => max01 (\\x => c * x - x^2)) 1", Number("0.5", "0.5")),
    ("max01_place_fixed", "deriv (deriv (\\c => max01 (\\x => c * x - x^2))) 1", Number("0.5", "0.5")),
    (
        "max01_one_maximiser",
        "deriv (\\c => max01 (\\x => (x - 1/2)^2 + c * x)) 0",
        Set("0", "1", "the maximisers 0 and 1"),
    ),
    (
        "max01_end_second",
        "deriv (deriv (\\c => max01 (\\x => c * x - x^2))) 0",
        Set("0", "0.5", "0 for c < 0, c²/4 for c > 0"),
    ),
    ("argmax01_slope_dropped", "deriv (\\c => argmax01 (\\x => c * x - x^2)) 1", Number("0.5", "0.5")),
    ("argmax01_sign", "deriv (\\c => argmax01 (\\x => c * x - x^2)) 1", Number("0.5", "0.5")),
    ("argmax01_tie", "argmax01 (\\x => (x - 1/2)^2)", Set("0", "1", "the maximisers 0 and 1")),
    ("argmax01_formula_at_end", "deriv (\\c => argmax01 (\\x => c * x - x^2)) (-1)", Number("0", "0")),
    (
        "argmax01_end_tie",
        "deriv (\\c => argmax01 (\\x => c * x - x^2)) 0",
        Set("0", "0.5", "0 for c < 0, c/2 for c > 0"),
    ),
    ("min01_sign", "min01 (\\x => x^2 - x)", Number("-0.25", "-0.25")),
    ("argmin01_sign", "argmin01 (\\x => (x - 0.3)^2)", Number("0.3", "3/10")),
];
