//! Tangents, binders and data.

use super::Row;
use super::Truth::Number;

pub const ROWS: &[Row] = &[
    ("tangent_r_to_swapped", "fst (tangent_R.to (tangent_R.from (2, 3)))", Number("2", "2")),
    ("tangent_r_to_doubled", "snd (tangent_R.to (tangent_R.from (2, 3)))", Number("3", "3")),
    ("tangent_r_from_swapped", "fst (tangent_R.to (tangent_R.from (2, 3)))", Number("2", "2")),
    ("tangent_r_from_fixed", "snd (tangent_R.to (tangent_R.from (2, 3)))", Number("3", "3")),
    (
        "tangent_prod_to_swapped",
        "fst (tangent_R.to (fst (tangentProd.to (tangentProd.from (tangent_R.from (2, 3), tangent_R.from (5, 7))))))",
        Number("2", "2"),
    ),
    (
        "tangent_prod_from_points",
        "fst (tangent_R.to (fst (tangentProd.to (tangentProd.from (tangent_R.from (2, 3), tangent_R.from (5, 7))))))",
        Number("2", "2"),
    ),
    (
        "tangent_prod_from_directions",
        "snd (tangent_R.to (fst (tangentProd.to (tangentProd.from (tangent_R.from (2, 3), tangent_R.from (5, 7))))))",
        Number("3", "3"),
    ),
    (
        "tangent_prod_from_printed",
        "fst (tangent_R.to (snd (tangentProd.to (tangentProd.from (tangent_R.from (2, 3), tangent_R.from (5, 7))))))",
        Number("5", "5"),
    ),
    ("tangent_to_r_to_value", "(snd (tangentTo_R.to (tangentTo_R.from (\\x => x^2, \\x => x)))) 3", Number("3", "3")),
    ("tangent_to_r_to_stage", "(snd (tangentTo_R.to (tangentTo_R.from (\\x => x^2, \\x => x)))) 3", Number("3", "3")),
    (
        "tangent_to_r_to_argument",
        "(snd (tangentTo_R.to (tangentTo_R.from (\\x => x^2, \\x => x)))) 3",
        Number("3", "3"),
    ),
    (
        "tangent_to_r_from_swapped",
        "(snd (tangentTo_R.to (tangentTo_R.from (\\x => x^2, \\x => x)))) 3",
        Number("3", "3"),
    ),
    ("tangent_to_r_from_point", "(fst (tangentTo_R.to (tangentTo_R.from (\\x => x^2, \\x => x)))) 3", Number("9", "9")),
    ("tangent_value_moved", "tangentValue (tangent_R.from (2, 3))", Number("2", "2")),
    ("tangent_without_direction", "snd (tangent_R.to (tangent sin (tangent_R.from (0, 1))))", Number("1", "1")),
    (
        "tangent_not_renamed",
        "let s = \\u => \\p => (fst p) (snd p + u) in let d = snd (tangentTo_R.to (tangent s (tangent_R.from (0, 1)))) in d (\\x => d (\\y => y^3, x), 2)",
        Number("12", "12"),
    ),
    ("deriv_variable_not_fresh", "deriv (\\x => x * deriv (\\y => x + y) 1) 1", Number("1", "1")),
    ("primitive_variable_not_fresh", "integral01 (\\x => integral01 (\\y => x * y))", Number("0.25", "0.25")),
    ("variables_off_by_one", "(\\x => \\y => x - y) 5 (sqrt 2)", Number("3.58578643762690495120", "5-sqrt(2)")),
    ("weakening_forgotten", "let x = 5 in let y = sqrt 2 in x - y", Number("3.58578643762690495120", "5-sqrt(2)")),
    ("if_swapped", "if tt then 1 else 2", Number("1", "1")),
    ("match_case_before", "orElse 3 (Just 5)", Number("5", "5")),
    ("fold_from_left", "fold (\\x => \\s => x + 2 * s) 0 [1, 2, 3]", Number("17", "17")),
    ("cons_at_the_end", "match 1 :: [5] with [] => 0 | x :: rest => x", Number("1", "1")),
    ("recursion_too_short", "let rec f n = if n == 0 then 0 else f (n - 1) + 0.5 in f 3", Number("1.5", "1.5")),
    ("natural_subtract_not_truncated", "toReal (2 - 5)", Number("0", "0")),
    ("natural_add_one_more", "toReal (2 + 3)", Number("5", "5")),
    ("natural_multiply_adds", "toReal (2 * 5)", Number("10", "10")),
    ("equal_or_one_less", "if 1 == 2 then 1 else 0.5", Number("0.5", "0.5")),
    ("less_or_equal", "if 2 < 2 then 1 else 0.5", Number("0.5", "0.5")),
    ("real_less_swapped", "if pi < 3 then 1 else 0.5", Number("0.5", "0.5")),
    ("not_forgotten", "if not tt then 1 else 0.5", Number("0.5", "0.5")),
    ("to_real_one_more", "toReal 3", Number("3", "3")),
    ("fst_second", "fst (2, 3)", Number("2", "2")),
    ("tuple_sum_first_only", "snd ((1, 2) + (3, 5))", Number("7", "7")),
    ("tuple_negate_first_only", "snd (-(1, 2))", Number("-2", "-2")),
    ("power_of_reals", "2 ^ sqrt 2", Number("2.66514414269022518865", "exp(sqrt(2) log 2)")),
    ("polygamma_order", "polygamma 3 1", Number("6.49393940226682914910", "pi^4/15")),
    ("sigmoid_sign", "sigmoid 1", Number("0.731058578630004879251", "e/(1+e)")),
];
