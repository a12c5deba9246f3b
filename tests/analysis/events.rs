//! Kinks and borders inside of solvers, which enter their intervals and leave them as the variable of an outer one moves.
//!
//! Every value is derived by hand, in closed form, and was computed a second time from the question as it stands: integrals over
//! the square by clipping polygons in rational arithmetic, the rest by mpmath.

use super::ends::{ask_within as ask, number};
use smoothish::number::real::RefinedEnclosure;

/// The first derivatives of a function at a point, to 1e-9, from the one of order `first` on.
fn derivatives(function: &str, at: &str, first: usize, values: &[&str]) {
    for (order, value) in (first..).zip(values) {
        let question = format!("nthDeriv {order} ({function}) {at}");
        let RefinedEnclosure { enclosure, reached, .. } = ask(400_000_000, &question, "1e-9");
        let slack = number("1e-20");
        let (low, high) = (number(value) - &slack, number(value) + &slack);
        assert!(*enclosure.lo() <= high && *enclosure.hi() >= low, "{question} is {value}, not in {enclosure:?}");
        assert!(reached, "{question}: {enclosure:?}");
    }
}

/// No derivative of this order is claimed.
fn no_derivative(function: &str, at: &str, order: usize) {
    let question = format!("nthDeriv {order} ({function}) {at}");
    let answer = ask(1_000_000, &question, "1e-6");
    assert!(!answer.enclosure.is_bounded(), "{question}: {:?}", answer.enclosure);
}

#[test]
fn kinks_leave_the_inner_integral() {
    // x + y > c on all of the square but a triangle with the legs c: -(1 - c²/2)
    derivatives(r"\c => integral01 (\x => integral01 (\y => max 0 (x + y - c)))", "0.4", 1, &["-0.92", "0.4", "1"]);
    // c/2 + 1/(6c), in either order
    for text in [
        r"\c => integral01 (\x => integral01 (\y => max x (c * y)))",
        r"\c => integral01 (\y => integral01 (\x => max x (c * y)))",
    ] {
        derivatives(text, "2", 1, &["0.458333333333333333333", "0.0416666666666666666667", "-0.0625"]);
    }
}

#[test]
fn borders_leave_the_inner_integral() {
    // the area c²/2, and c - c log c
    derivatives(
        r"\c => integral01 (\x => integral01 (\y => if x + y < c then 1 else 0))",
        "0.4",
        1,
        &["0.4", "1", "0"],
    );
    derivatives(
        r"\c => integral01 (\x => integral01 (\y => if x * y < c then 1 else 0))",
        "0.25",
        1,
        &["1.386294361119890618834464", "-4", "16"],
    );
}

#[test]
fn first_roots_leave_the_interval() {
    // ∫ min (1, cx) = 1 - 1/(2c)
    derivatives(r"\c => integral01 (\x => firstRoot (\t => x * c - t))", "2", 1, &["0.125", "-0.125", "0.1875"]);
    // ∫ max (0, min (1, x + c)) = 1/2 + c - c²/2
    derivatives(r"\c => integral01 (\x => firstRoot (\t => x + c - t))", "0.25", 1, &["0.75", "-1", "0"]);
    // 0 as long as x + c < 0: (1 + c)²/2
    derivatives(r"\c => integral01 (\x => firstRoot (\t => x + c - t))", "(-0.25)", 1, &["0.75", "1", "0"]);
}

#[test]
fn kinks_cross_inside() {
    // ∬ max (x, y, c) = (2 + c³)/3: c on a square, and the larger of the two beyond
    derivatives(r"\c => integral01 (\x => integral01 (\y => max (max x y) c))", "0.4", 1, &["0.16", "0.8", "2"]);
    // the smaller of two numbers, clamped to c: P (min > c) = (1 - c)²
    derivatives(r"\c => integral01 (\x => integral01 (\y => min (min x y) c))", "0.4", 1, &["0.36", "-1.2", "2"]);
}

#[test]
fn sums_of_three_have_densities() {
    // the density c²/2 of a sum of three below 1, and 3/4 - (c - 3/2)² beyond
    let sum = r"\c => integral01 (\x => integral01 (\y => integral01 (\z => max 0 (x + y + z - c))))";
    derivatives(sum, "0.5", 2, &["0.125"]);
}

#[test]
fn two_ends_of_an_interval_play_against_each_other() {
    // the greater of m and c - m is least at m = c/2
    derivatives(r"\c => min01 (\m => max01 (\x => abs (c * x^2 - m)))", "1", 0, &["0.5", "0.5", "0"]);
    derivatives(r"\c => argmin01 (\m => max01 (\x => abs (c * x^2 - m)))", "1", 0, &["0.5", "0.5", "0"]);
    // ∫ max (cu, 1 - cu) = c/2 + 1/(4c)
    derivatives(r"\c => integral01 (\u => max01 (\x => abs (x - c * u)))", "0.8", 1, &["0.109375", "0.9765625"]);
    // [[a, -1], [-1, 2]] has the value (2a - 1)/(a + 4) at p = 3/(a + 4): at 3, 5/7, 9/49, -18/343
    let game = r"max01 (\p => min01 (\q => a * p * q - p * (1 - q) - (1 - p) * q + 2 * (1 - p) * (1 - q)))";
    derivatives(
        &format!(r"\a => {game}"),
        "3",
        0,
        &["0.714285714285714285714286", "0.183673469387755102040816", "-0.0524781341107871720116618"],
    );
    derivatives(
        &format!(r"\a => arg{game}"),
        "3",
        0,
        &["0.428571428571428571428571", "-0.0612244897959183673469388", "0.0174927113702623906705539"],
    );
}

#[test]
fn nothing_is_claimed_where_an_event_enters_or_leaves() {
    // the corner of the square: the third derivative is 1 below and -1 beyond
    no_derivative(r"\c => integral01 (\x => integral01 (\y => max 0 (x + y - c)))", "1", 3);
    // at 0 the second derivative is 0 below, and rises from 0; the third jumps from 0 to 1
    no_derivative(r"\c => integral01 (\x => integral01 (\y => max 0 (x + y - c)))", "0", 3);
    // the slope 1 enters at x = 1: the third derivative of c/2 + 1/(6c), -1, that of 1/2 + c²/6, 0
    no_derivative(r"\c => integral01 (\x => integral01 (\y => max x (c * y)))", "1", 3);
    // the border touches the end y = 0 in x = 1/2: the area 4/3·c^(3/2)
    no_derivative(r"\c => integral01 (\x => integral01 (\y => if (x - 1/2)^2 + y < c then 1 else 0))", "0", 2);
    no_derivative(r"\c => integral01 (\x => integral01 (\y => max 0 (c - (x - 1/2)^2 - y)))", "0", 3);
    // two events in one place, which part with c: log (-1) lies between them
    no_derivative(
        r"\c => integral01 (\x => integral01 (\y => if x - 1/2 + y - 2 * c * y > 0 then y else (if x - 1/2 + c + y > 0 then log (-1) else 0)))",
        "0",
        1,
    );
    // a border of the outer integral and an event, which part with c²: log (-1) lies between them
    no_derivative(
        r"\c => integral01 (\x => if x > 1/2 + c then 0 else integral01 (\y => if y < x - 1/2 - c + c^2 then log (-1) else 0))",
        "0",
        1,
    );
    no_derivative(
        r"\c => integral01 (\x => if x > 1/2 then 0 else integral01 (\y => if y < x - 1/2 + c then log (-1) else 0))",
        "0",
        1,
    );
}

/// Where a tie of two ends makes the place of a maximum jump from 0 to 1, what depends on the place jumps as at a border.
#[test]
fn a_place_jumps_where_two_ends_tie() {
    let jump = "(if argmax01 (\\y => (x - c) * y) < 1/2 then 1 else x - 1/2)";
    for (text, at) in [
        // c + 1/8 on the left of 1/2, less (c - 1/2)²/2 on the right
        (format!("integral01 (\\x => max 0 {jump})"), "(1/2)"),
        // 5c + 5/2 on the left, 5 on the right
        (format!("integral01 (\\x => if {jump} > 0 then 5 else 0)"), "(1/2)"),
        (format!("integral01 (\\x => if {jump} > 0 then 5 else log (-1))"), "(1/2)"),
    ] {
        for order in [2, 3] {
            no_derivative(&format!("\\c => {text}"), at, order);
        }
    }
    let jump =
        "\\c => integral01 (\\x => if (if argmax01 (\\y => (x - c) * y) < 1/2 then 1 else x - 1/2) > 0 then 5 else 0)";
    no_derivative(jump, "(1/2)", 1);
    // two jumps that meet for c = 0 alone, and no value between them
    for text in [
        "if argmax01 (\\y => (x - 1/2 - c^4) * y) * (1 - argmax01 (\\y => (x - 1/2 - c^2) * y)) > 1/2 then log (-1) else 0",
        "if argmax01 (\\y => (x - 1/2 - c) * y) * (1 - argmax01 (\\y => (x - 1/2 - c - c^2) * y)) > 1/2 then log (-1) else 0",
        "if x < 1/2 + c then 0 else (if argmax01 (\\y => (x - 1/2 - c - c^2) * y) < 1/2 then log (-1) else 0)",
    ] {
        no_derivative(&format!("\\c => integral01 (\\x => {text})"), "0", 1);
    }
    // the supremum is c, which is not attained for certain
    for below in ["c/2", "(c - 1/2)"] {
        let function =
            format!("let a : Real = argmax01 (\\y => (c - x) * y) in a * x + (1 - a) * ({below} - 2 * (x - c))");
        for order in [1, 2] {
            no_derivative(&format!("\\c => max01 (\\x => {function})"), "0.4", order);
            no_derivative(&format!("\\c => argmax01 (\\x => {function})"), "0.4", order);
        }
        let highest = ask(1_000_000, &format!("(\\c => max01 (\\x => {function})) 0.4"), "1e-6").enclosure;
        assert!(*highest.lo() <= number("0.4") && *highest.hi() >= number("0.4"), "{highest:?}");
    }
    let total = ask(
        1_000_000,
        "integral01 (\\c => max01 (\\x => let a : Real = argmax01 (\\y => (1/4 + c/2 - x) * y) in \
         a * x + (1 - a) * (c/8 - 2 * (x - 1/4 - c/2))))",
        "1e-6",
    );
    assert!(*total.enclosure.lo() <= number("0.5") && *total.enclosure.hi() >= number("0.5"), "{total:?}");
}

/// Between a place that moves and the zero of a switch that is beside it for other inputs, the function is unbounded, or has no
/// value: F(c) tends to ∞ though F(0) is 0, or it is undefined but for c = 0.
#[test]
fn a_strip_beside_a_moving_place_is_unbounded() {
    for text in [
        "if x < 1/2 + c then 0 else max 0 (1/2 + c + c^2 - x) / (x - 1/2 - c + c^4)^2",
        "if x < 1/2 + c then 0 else max 0 (1/2 + c + c^3 - x) / (x - 1/2 - c + c^6)^2",
        "if x < 1/2 + c then 0 else max 0 (1/2 + c + c^2 - x) / (x - 1/2 - c)",
        "if x < 1/2 + c then 0 else max 0 (1/2 + c + c^2 - x) / (x - 1/2 - c)^2",
        "if x < 1/2 - c then max 0 (x - 1/2 + c + c^2) / (1/2 - c - x + c^4)^2 else 0",
        "max 0 (x - 1/2 - c) * max 0 (1/2 + c + c^2 - x) / (x - 1/2 - c + c^4)^4",
    ] {
        for order in [1, 2] {
            no_derivative(&format!("\\c => integral01 (\\x => {text})"), "0", order);
        }
    }
}

/// The sides of a shape share its corners: two maxima that are attained there are one function, with all derivatives.
#[test]
fn sides_share_their_corners() {
    // √(1 + (1 - y)²) - 1, from the corner (1, 1) to the circle round (0, y)
    let distance = r"\y => hausdorffDist R2Dist lShape (quarterCircle y)";
    derivatives(distance, "0", 2, &["0.353553390593273762200422181052", "0.530330085889910643300633271579"]);
    derivatives(r"\y => sup lShape (\p => p[0] * p[1] * exp y)", "0", 0, &["1", "1", "1"]);
    // c², at a corner that moves, and of three sides
    let sides = "Maximizer.union (segment (0, 0) (c, 0)) (segment (c, 0) (c, c))";
    derivatives(&format!(r"\c => sup ({sides}) (\p => p[0]^2 - p[1])"), "1.5", 1, &["3", "2", "0"]);
    let three = format!("Maximizer.union (segment (0, 1) (0, 0)) ({sides})");
    derivatives(&format!(r"\c => sup ({three}) (\p => p[0]^2 - p[1])"), "1.5", 1, &["3", "2", "0"]);
    let e = "2.71828182845904523536028747135";
    derivatives(r"\y => max (max01 (\x => exp (y * x))) (max01 (\x => exp (y * x^2)))", "1", 0, &[e, e, e]);
    // e^y and e^2y, which meet at 0, and are the same function of y only at the other ends
    let ties = r"\y => max (max01 (\x => x * exp y)) (max01 (\x => x * exp (2 * y)))";
    no_derivative(ties, "0", 2);
    no_derivative(r"\y => max (max01 (\x => x * exp y)) (max01 (\x => (1 - x) * exp (2 * y)))", "0", 2);
    // one of them has no value in between
    no_derivative(r"\y => max (max01 (\x => x * exp y)) (max01 (\x => x * exp y + 0 * sqrt (x - 1/2)))", "0", 0);
}

/// An end that is counted by its limit is no place that two maxima share, though both functions are `0 · (1/0)` there, term by term.
#[test]
fn ends_that_are_limits_are_not_shared() {
    let sides = [r"max01 (\x => exp y * (x^2 * (1/x)) - 2*x)", r"max01 (\x => exp y * (x * (1/x)) - x)"];
    for [a, b] in [sides, [sides[1], sides[0]]] {
        let RefinedEnclosure { enclosure, .. } = ask(1_000_000, &format!(r"(\y => max ({a}) ({b})) 0"), "1e-6");
        assert!(enclosure.contains(&1.into()), "{enclosure:?}");
        no_derivative(&format!(r"\y => max ({a}) ({b})"), "0", 1);
    }
}
