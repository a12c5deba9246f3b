//! Integrals over borders that lie anywhere, also at an end or where they only touch: what is searched for over such integrals.
//!
//! Every value is derived by hand, in closed form, and was computed a second time by mpmath from the question as it stands.

use super::ends::{ask_within as ask, number};

fn is(question: &str, value: &str) {
    let answer = ask(400_000_000, question, crate::in_tiers("1e-6", "1e-9"));
    let slack = number("1e-19");
    let (low, high) = (number(value) - &slack, number(value) + &slack);
    let enclosure = &answer.enclosure;
    assert!(*enclosure.lo() <= high && *enclosure.hi() >= low, "{question} is {value}, not in {enclosure:?}");
    assert!(answer.reached, "{question}: {enclosure:?}");
}

fn is_unknown(question: &str) {
    let answer = ask(400_000, question, "1e-3");
    assert!(!answer.enclosure.is_bounded(), "{question}: {:?}", answer.enclosure);
}

#[test]
fn an_optimum_or_root_of_an_integral_over_a_border() {
    let questions = [
        // 0.1 m² + 0.4 (1 - m)²
        (r"argmin01 (\m => integral01 (\x => if x < m then 0.2 * (m - x) else 0.8 * (x - m)))", "0.8"),
        (r"min01 (\m => integral01 (\x => if x < m then 0.2 * (m - x) else 0.8 * (x - m)))", "0.08"),
        // 3m/2 - m²
        (r"max01 (\m => integral01 (\x => if x < m then 1 - x else x - 0.5))", "0.5625"),
        (r"argmax01 (\m => integral01 (\x => if x < m then 1 - x else x - 0.5))", "0.75"),
        // m - m², the second border known on one side of the first only
        (r"max01 (\m => integral01 (\x => if x < m && x > m * m then 1 else 0))", "0.25"),
        // √m
        (r"firstRoot (\m => 1/3 - integral01 (\x => if x^2 < m then 1 else 0))", "0.111111111111111111111"),
        // Huber's place: ∫ of x² - m between √(m - 1/5) and √(m + 1/5), and 1/5 beside these
        (
            r"argmin01 (\m => integral01 (\x => (let r = abs (x^2 - m) in if r < 0.2 then r^2/2 else 0.2 * (r - 0.1))))",
            "0.264195373173165748695",
        ),
        // two borders, of which one leaves: 3m/2 - 3m²/8 up to 1/2, then 1/2 + m/2 - 3m²/8
        (
            r"max01 (\m => integral01 (\x => if x < m then 1 else if x < 2 * m then 1/2 else 0) - 3/8 * m^2)",
            "0.666666666666666666667",
        ),
    ];
    for (question, value) in questions {
        is(question, value);
    }
}

#[test]
fn a_border_may_touch() {
    let questions = [
        // at 0, which is an end: x⁴/2 up to √(2/5), then (x² - 3/10)/5
        (
            r"integral01 (\x => if abs (x^2 - 0.2) < 0.2 then (x^2 - 0.2)^2/2 else 0.2 * (abs (x^2 - 0.2) - 0.1))",
            "0.0336514360334368369664",
        ),
        (r"integral01 (\x => if (x - 1/3)^2 > 0 then x else 9)", "0.5"),
        (r"integral01 (\x => if x^3 * (1 - x) > 0 then 1 else 5)", "1"),
        // the border of a disc, upright at the end of each chord
        (r"integral01 (\y => integral01 (\x => if x^2 + y^2 < 1 then 1 else 0))", "0.785398163397448309616"),
        // and the part of it above the diagonal
        (r"integral01 (\y => integral01 (\x => if x^2 + y^2 < 1 && x < y then 1 else 0))", "0.392699081698724154808"),
    ];
    for (question, value) in questions {
        is(question, value);
    }
}

#[test]
fn a_border_that_is_no_null_set_leaves_no_value() {
    for question in [
        r"integral01 (\x => if x - x > 0 then 1 else 5)",
        r"integral01 (\x => if max 0 (x - 0.5) > 0 then 1 else 5)",
        // for one input only
        r"max01 (\m => integral01 (\x => if (m - 0.3) * x > 0 then 1 else 0))",
        r"max01 (\m => integral01 (\x => if max m x > 1/3 + m - m then 1 else 0))",
        // what a side needs has to be there up to the border
        r"max01 (\m => integral01 (\x => if x < m then 1 else sqrt (x - 0.4)))",
    ] {
        is_unknown(question);
    }
}

#[test]
fn a_border_that_touches_has_no_slope() {
    // √m or m up to 0, and 1 - 2√m from 0 on
    for question in [
        r"deriv (\m => integral01 (\x => if x^2 < m then 1 else 0)) 0",
        r"deriv (\m => integral01 (\x => if x < m then 1 else 0)) 0",
        r"deriv (\m => integral01 (\x => if (x - 0.3)^2 > m then 1 else 0)) 0",
    ] {
        is_unknown(question);
    }
}

#[test]
fn a_guard_that_is_another_one_on_either_side() {
    // its number jumps at the border of the first guard, and has a zero on both sides
    let choice = r"if (if x < m * y + 0.1 then x < m - y else x < 3 * m * y - 0.2) then 1 else 0";
    let question = format!(r"deriv (\m => integral01 (\y => integral01 (\x => {choice}))) 0.5");
    let enclosure = ask(4_000_000, &question, "1e-3").enclosure;
    assert!(enclosure.contains(&number("0.638888888888888888889")), "{enclosure:?}");
}

#[test]
fn a_border_that_stays_has_no_part_in_slopes() {
    let questions = [
        // it touches, and the slope is that beside it
        (r"deriv (\m => integral01 (\x => if (x - 0.3)^2 > 0 then x * m else m^2)) 0.5", "0.5"),
        (r"nthDeriv 2 (\m => integral01 (\x => if (x - 0.3)^2 > 0 then x * m^2 else exp m)) 0.5", "1"),
        // one that stays and one that moves: m (1 - m²)/2 + m³
        (r"deriv (\m => integral01 (\x => if x^2 > 0 && x > m then x * m else m^2)) 0.5", "0.875"),
        // x in the disc, y cos (y c) beside it
        (
            r"deriv (\c => integral01 (\y => integral01 (\x => if x^2 + y^2 < 1 then x * c else sin (y * c)))) 0.5",
            "0.4856506774596827564253",
        ),
    ];
    for (question, value) in questions {
        is(question, value);
    }
}

// At x = 0 the first border reaches the corner of the square with a slope of 0, so that it is seen to move there; it does not with m,
// and neither has what is chosen a slope in m.
#[test]
fn a_border_that_ends_in_a_corner() {
    let area = |guard: &str| format!(r"(\m => integral01 (\x => integral01 (\y => if {guard} then 1 else 0))) 1");
    let [disc, parabola] = ["x^2 + y^2 < 1 && y < m * x", "x^2 + y < 1 && y < m * x"].map(area);
    // atan(m)/2
    is(&format!("deriv {disc}"), "0.25");
    is(&format!("nthDeriv 2 {disc}"), "-0.25");
    // half the square of the golden ratio less 1
    is(&format!("deriv {parabola}"), "0.190983005625052575897706582");
    // what is chosen has no slope in m by its structure, and there is none where it is defined on one side of m alone
    is(r"deriv (\m => integral01 (\x => if (x - 0.3)^2 > 0 then max 1 (sqrt m) else 2)) 0.5", "0");
    is_unknown(r"deriv (\m => integral01 (\x => if (x - 0.3)^2 > 0 then max 1 (sqrt m) else 2)) 0");
}

/// `[x² + y² < r²]`
const DISC: &str = "if x^2 + y^2 < r^2 then 1 else 0";

// A circle is no graph over x where it is upright, and one over y there.

// The other order is looked for in time linear in the nodes, however often they are shared.
#[test]
fn the_other_order_is_looked_for_once() {
    let lets: String = (1..24).map(|i| format!("let a{i} = a{0}*a{0}/2 + a{0}/4 in ", i - 1)).collect();
    let answer = ask(400_000, &format!(r"integral01 (\x => let a0 = x in {lets} a23)"), "1e-3");
    assert!(answer.reached);
}

/// Tests that take more than half a second: `cargo quick` passes them over.
mod slow {
    use super::*;

    #[test]
    fn borders_cross_inside_of_an_inner_integral() {
        // the area below three lines, of which the first two cross at y = (m - 1/10)/(1 + m), the first and the third at 1/(20m)
        let below = r"if x < m * y + 0.1 && x < m - y && x < 3 * m * y then 1 else 0";
        let turned = r"if not (x > m * y + 0.1 || x > m - y || x > 3 * m * y) then 1 else 0";
        let nested = r"if x < m * y + 0.1 then (if x < m - y then (if x < 3 * m * y then 1 else 0) else 0) else 0";
        for area in [below, turned, nested] {
            let area = format!(r"(\m => integral01 (\y => integral01 (\x => {area}))) 0.5");
            is(&format!("deriv {area}"), "0.278888888888888888889");
            is(&format!("nthDeriv 2 {area}"), "0.601481481481481481481");
        }
        // something on either side
        let weighted =
            r"if x < m * y + 0.1 then (if x < m - y then 1 else 0) else (if x < 3 * m * y - 0.2 then 3 else 0)";
        is(&format!(r"deriv (\m => integral01 (\y => integral01 (\x => {weighted}))) 0.5"), "1.37888888888888888889");
        // a disc, of which the border has no slope at x = 0: y²/2 at the crossing, which is 4/5 high squared
        let disc = r"if x^2 + y^2 < 1 then (if x < m * y then 1 else 0) else 2";
        is(&format!(r"deriv (\m => integral01 (\y => integral01 (\x => {disc}))) 0.5"), "0.4");
    }

    #[test]
    fn a_border_may_turn() {
        let double = |integrand: &str| format!(r"(\r => integral01 (\x => integral01 (\y => {integrand})))");
        let disc = double(DISC);
        let questions = [
            // πr²/4, in the last at a place where panels meet
            (format!("deriv {disc} 0.8"), "1.25663706143591729538506"),
            (format!("nthDeriv 2 {disc} 0.8"), "1.57079632679489661923"),
            (format!("deriv {disc} 0.75"), "1.17809724509617246442"),
            // πr², which turns at the least x and at the greatest one
            (
                format!("deriv {} 0.4", double("if (x - 1/2)^2 + (y - 1/2)^2 < r^2 then 1 else 0")),
                "2.51327412287183459077",
            ),
            // r⁴/8
            (format!("deriv {} 0.8", double("if x^2 + y^2 < r^2 then x * y else 0")), "0.256"),
            // πr⁴/8, a kink
            (format!("nthDeriv 2 {} 0.8", double("max 0 (r^2 - x^2 - y^2)")), "3.01592894744620150892"),
            // how wide the line is in the disc: 2x² + 2rx + r² = 81/100
            (
                format!("deriv {} 0.1", double("if x^2 + y^2 < 0.81 && y < x + r then 1 else 0")),
                "0.584428877022476019010",
            ),
            // what is affine in the inner integral: 2 - r³/3
            (format!(r"deriv (\r => integral01 (\x => 2 - x * integral01 (\y => {DISC}))) 0.8"), "-0.64"),
        ];
        for (question, value) in &questions {
            is(question, value);
        }
        // the disc reaches the sides of the square: its slope jumps there
        is_unknown(&format!("deriv {disc} 1"));
        // what is not affine is no double integral: ∫ r² - x²
        is_unknown(&format!(r"deriv (\r => integral01 (\x => (integral01 (\y => {DISC}))^2)) 0.8"));
        // over each variable it has an integral in the other, and these are π/4 and -π/4
        is_unknown(r"deriv (\c => integral01 (\x => integral01 (\y => c*(x^2-y^2)/(x^2+y^2)^2 + max 0 (x-y)))) 0");
    }
}
