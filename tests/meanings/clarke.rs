//! Clarke's derivative with recursion: the model `clarke`. True values are derived by hand, over the rationals.

use smoothish::meaning::clarke::ClarkeSemantics;
use smoothish::meaning::partial::PartialSemantics;
use smoothish::model::answer::{AnswerNumber, ProgramAnswer, Semantics, SemanticsError};
use smoothish::number::budget::Budget;
use smoothish::number::real::WidthReason;
use smoothish::number::{Enclosure, Rational};
use smoothish::session::Session;
use smoothish::value::Value;
use std::sync::Arc;

fn ratio(text: &str) -> Rational {
    smoothish::number::decimal::parse(text)
        .or_else(|_| text.parse().map_err(|_| ()))
        .unwrap_or_else(|()| panic!("{text}"))
}

fn answer_of(semantics: &dyn Semantics, text: &str) -> Result<ProgramAnswer, SemanticsError> {
    let (term, ty) = Session::new().infer(text).unwrap_or_else(|e| panic!("{text}: {e}"));
    semantics.evaluate(&term, &ty, &ratio("1e-12"), &Arc::new(Budget::new(3_000_000, None, None)))
}

fn answer(text: &str) -> Result<ProgramAnswer, SemanticsError> {
    answer_of(&ClarkeSemantics::default(), text)
}

fn numbers(value: &Value<AnswerNumber>) -> Vec<(Enclosure, Option<WidthReason>)> {
    match value {
        Value::Real(AnswerNumber::Enclosure(answer)) => vec![(answer.enclosure.clone(), answer.reason.clone())],
        other => other.direct_parts().flat_map(numbers).collect(),
    }
}

/// The numbers of a program are these sets, and a set of two numbers or more is said to be one.
#[track_caller]
fn is(text: &str, sets: &[[&str; 2]]) {
    let found = answer(text).unwrap_or_else(|e| panic!("{text}: {e}"));
    let found = numbers(&found.value);
    assert_eq!(found.len(), sets.len(), "{text}");
    let near = ratio("1e-11");
    for ((found, reason), [lo, hi]) in found.iter().zip(sets) {
        let (lo, hi) = (ratio(lo), ratio(hi));
        assert!(found.is_defined() && found.contains(&lo) && found.contains(&hi), "{text}: {found}");
        let widest = Rational::from(&hi - &lo) + &near;
        assert!(found.has_width_at_most(&widest), "{text}: {found}");
        assert_eq!(lo < hi, matches!(reason, Some(WidthReason::Set(_))), "{text}: {found} {reason:?}");
    }
}

/// The program has no value, for a reason with these words.
#[track_caller]
fn fails(text: &str, words: &str) {
    let error = match answer(text) {
        Err(error) => error.to_string(),
        Ok(found) => panic!("{text}: {:?}", numbers(&found.value)),
    };
    assert!(error.contains(words), "{text}: {error}");
}

/// `max 0 (x - 3/4)` below 1, continued by halving: kinks at 3/4·2ⁿ⁺¹, n ≥ 0, with slope 2⁻ⁿ⁻¹ on the right, and jumps at 2ⁿ⁺¹.
const HALVED: &str = "let rec f (x : Real) : Real = if x < 1 then max 0 (x - 3/4) else f (x/2) in f";

#[test]
fn kinks_and_jumps_behind_recursive_calls() {
    is(&format!("deriv ({HALVED}) (3/4)"), &[["0", "1"]]);
    is(&format!("deriv ({HALVED}) 1.5"), &[["0", "1/2"]]);
    is(&format!("deriv ({HALVED}) 3"), &[["0", "1/4"]]);
    is(&format!("deriv ({HALVED}) 1.75"), &[["1/2", "1/2"]]);
    is(&format!("deriv ({HALVED}) 1.25"), &[["0", "0"]]);
    fails(&format!("deriv ({HALVED}) 2"), "its limits are 1/4 on the left and 0 on the right");
    // continued without a jump: slope 1 below 1, and 1/2 above
    is("deriv (let rec f (x : Real) : Real = if x < 1 then x else f (x/2) + 1/2 in f) 1", &[["1/2", "1"]]);
    is("deriv (let rec g (x : Real) : Real = if x < 0 then g (-x) else x in g) 0", &[["-1", "1"]]);
    // infinitely many pieces on the right of 0
    let doubled = "let rec z (y : Real) : Real = if y > 1/2 then y else if y > 0 then z (2*y) / 2 else 0 in z";
    fails(&format!("deriv ({doubled}) 0"), "around the point its time was up");
    is(&format!("deriv ({doubled}) 0.3"), &[["1", "1"]]);
}

#[test]
fn orders_above_the_first_need_one_number_below() {
    let square = r"(\x => if x < 0 then -x*x else x*x)";
    is(&format!("deriv {square} 0"), &[["0", "0"]]);
    is(&format!("deriv (deriv {square}) 0"), &[["-2", "2"]]);
    fails(&format!("deriv (deriv (deriv {square})) 0"), "not shown to be the value");
    fails("deriv (deriv abs) 0", "not shown to be the value");
    is(r"deriv (\x => x^(4/3)) 0", &[["0", "0"]]);
    fails(r"deriv (deriv (\x => x^(4/3))) 0", "the slope is unbounded");
    is(r"deriv (\x => abs x * abs x) 0", &[["0", "0"]]);
    // d/dx of x·∂|y·x|/∂y at y = 1 is the derivative of x·|x|
    is(r"deriv (\x => x * deriv (\y => abs (x*y)) 1) 2", &[["4", "4"]]);
}

#[test]
fn the_value_at_the_point_counts() {
    fails(r"deriv (\x => if x < 0 then x else if x > 0 then x else 5) 0", "it is 5 at the point, and tends to 0");
    is(r"deriv (\x => if x < 0 then x else if x > 0 then x else 0) 0", &[["1", "1"]]);
    fails(r"deriv floor 1", "its limits are 0 on the left and 1 on the right");
    fails("deriv sqrt 0", "on the left of the point `sqrt` has no value");
    fails(r"deriv (\x => if x > 0 then 1/x else 0) 0", "unbounded beside the point");
    fails(r"deriv (\x => if x > 0 then x * sin (1/x) else 0) 0", "no expansion in powers");
    // limits that are equal by an identity, at a point that is not rational
    is(r"deriv (\x => abs (x - sqrt 2)) (sqrt 2)", &[["-1", "1"]]);
    is(r"deriv (\x => if x < sqrt 2 then x*x else 2) (sqrt 2)", &[["0", "2.8284271247461900976"]]);
}

#[test]
fn sets_are_numbers_of_further_programs() {
    is("2 * deriv abs 0 + 1", &[["-1", "3"]]);
    is(r"rd (\x => (abs x, x)) 0 (1, 1)", &[["0", "2"]]);
    // one function, x ↦ |x| - |x|: the parts of a weighted sum move together
    is(r"rd (\x => (abs x, abs x)) 0 (1, -1)", &[["0", "0"]]);
    is(r"jvp abs 0 (-3)", &[["-3", "3"]]);
    is("exp (deriv abs 0)", &[["0.36787944117144232160", "2.71828182845904523536"]]);
}

#[test]
fn several_variables_have_the_hull_over_all_cells() {
    is(r"jvp (\(x, y) => max x y) (1, 1) (1, 2)", &[["1", "2"]]);
    is(r"rd (\(x, y) => max x y) (1, 1) 1", &[["0", "1"], ["0", "1"]]);
    is(r"rd (\(x, y) => max x (max y (x + y))) (0, 0) 1", &[["0", "1"], ["0", "1"]]);
    is(r"rd (\(x, y) => abs (abs x - abs y)) (0, 0) 1", &[["-1", "1"], ["-1", "1"]]);
    // along (1, 1) the function |x| - |y| is 0, and yet its gradients are (±1, ±1)
    is(r"jvp (\(x, y) => abs x - abs y) (0, 0) (1, 1)", &[["-2", "2"]]);
    is(r"rd (\(x, y) => if x < y then x else y) (1, 1) 1", &[["0", "1"], ["0", "1"]]);
    is(r"rd (\(x, y) => x*y + sin x) (0, 1) 1", &[["2", "2"], ["0", "0"]]);
    is(r"rd (\(x, y) => (max x y, x + y)) (0, 0) (2, 1)", &[["1", "3"], ["1", "3"]]);
    is(r"rd (\(x, y, z) => max x (max y z)) (2, 2, 1) 1", &[["0", "1"], ["0", "1"], ["0", "0"]]);
    let recursive =
        r"let rec f (x : Real) (y : Real) : Real = if x < 1 then max x y else f (x/2) (y/2) in \(x, y) => f x y";
    is(&format!("rd ({recursive}) (3, 3) 1"), &[["0", "1/4"], ["0", "1/4"]]);
}

#[test]
fn several_variables_claim_nothing_without_continuity_or_cells() {
    let border = "continuous across a border";
    fails(r"rd (\(x, y) => if x < y then x else 2*y) (1, 1) 1", border);
    // the value on the diagonal alone is another one
    fails(r"rd (\(x, y) => if x == y then x else 0) (0, 0) 1", border);
    fails(r"rd (\(x, y) => let m = max x y in if x == y then 5 else m) (0, 0) 1", border);
    // the derivative of a maximum jumps where the maximum has its kink
    fails(r"rd (\(x, y) => y * deriv (\z => max z y) x) (0, 0) 1", border);
    fails(r"rd (\(x, y) => where x y) (0, 0) 1".replace("where x y", "if x > 0 then y else 0").as_str(), border);
    fails(r"rd (\(x, y) => sqrt (x*x + y*y)) (0, 0) 1", "on its border");
    // x² > 0 beside a wall on which the gradient is 0
    fails(r"rd (\(x, y) => max (x*x) 0 + y) (0, 0) 1", "interior");
}

#[test]
fn what_the_model_lacks_is_refused_by_name() {
    let error = answer(r"deriv (\x => integral01 (\y => x*y)) 0").expect_err("no integrals").to_string();
    assert!(error.contains("integral01"), "{error}");
}

/// Wherever the model `partial` has a derivative of a program, this one has the same.
#[test]
fn derivatives_of_partial_maps_are_kept() {
    let functions = [
        HALVED,
        r"\x => max x (1 - x) * abs (x - 2)",
        r"\x => if x < 1 then x*x else 2*x - 1",
        r"\x => sqrt (1 + x) / (2 - x)",
        r"let rec newton (n : Nat) (y : Real) (a : Real) : Real = if n == 0 then y else newton (n - 1) ((y + a/y)/2) a in newton 4 1",
        r"\x => deriv (\y => max (x*y) (y*y)) 1",
    ];
    let (mut compared, mut kinks) = (0, 0);
    for function in functions {
        for point in ["1/4", "1/2", "3/4", "1", "3/2", "2", "5/2", "3"] {
            let text = format!("deriv ({function}) ({point})");
            let both = [answer_of(&PartialSemantics::default(), &text), answer(&text)];
            match both.map(|found| found.map(|found| numbers(&found.value))) {
                [Ok(partial), Ok(clarke)] => {
                    let near = partial.iter().zip(&clarke).all(|((a, _), (b, _))| a.is_defined() && a.overlaps(b));
                    assert!(near && clarke.iter().all(|(b, _)| b.has_width_at_most(&ratio("1e-11"))), "{text}");
                    compared += 1;
                }
                [Ok(partial), Err(error)] => assert!(!partial[0].0.is_defined(), "{text}: {error}"),
                [Err(_), Ok(_)] => kinks += 1,
                [Err(_), Err(_)] => {}
            }
        }
    }
    // the shares that the comparison has to have
    assert!(compared >= 30 && kinks >= 5, "{compared} compared, {kinks} with a set only");
}

/// Random programs of one variable, judged by exact polynomials on both sides of the point.
mod random {
    use super::*;
    use smoothish::random::SplitMix64;
    use std::fmt;

    /// A polynomial in ε at most cubic, `c₀ + c₁·ε + …`, ordered by its first term that is not 0: a number beside a point.
    #[derive(Clone)]
    struct Germ([Rational; TERMS]);

    /// The number of terms of a germ. A choice: the programs below hardly tie to a higher order.
    const TERMS: usize = 4;

    impl Germ {
        fn of(point: &Rational, step: i32) -> Self {
            Self([point.clone(), Rational::from(step), Rational::new(), Rational::new()])
        }

        fn zip(&self, other: &Self, f: impl Fn(&Rational, &Rational) -> Rational) -> Self {
            Self(std::array::from_fn(|i| f(&self.0[i], &other.0[i])))
        }

        fn minus(&self, other: &Self) -> Self {
            self.zip(other, |a, b| Rational::from(a - b))
        }

        fn times(&self, other: &Self) -> Self {
            let term =
                |i: usize| (0..=i).fold(Rational::new(), |sum, k| sum + Rational::from(&self.0[k] * &other.0[i - k]));
            Self(std::array::from_fn(term))
        }

        fn sign(&self) -> i32 {
            self.0.iter().map(|c| c.cmp0() as i32).find(|sign| *sign != 0).unwrap_or(0)
        }
    }

    /// A program of one variable.
    enum Program {
        Variable,
        Constant(i64),
        Binary(&'static str, Box<[Program; 2]>),
        Absolute(Box<Program>),
        /// `if a < b then c else d`, or with `<=`.
        Choice(&'static str, Box<[Program; 4]>),
    }

    impl Program {
        fn draw(random: &mut SplitMix64, depth: u64) -> Self {
            if depth == 0 || random.next_below(5) == 0 {
                return match random.next_below(2) {
                    0 => Self::Variable,
                    _ => Self::Constant(random.next_below(3) as i64 - 1),
                };
            }
            let index = random.next_below(9);
            let mut next = || Self::draw(random, depth - 1);
            match index {
                0..5 => Self::Binary(["+", "-", "*", "max", "min"][index], Box::new([next(), next()])),
                5 => Self::Absolute(Box::new(next())),
                _ => Self::Choice(["<", "<="][index % 2], Box::new([next(), next(), next(), next()])),
            }
        }

        fn at(&self, x: &Germ) -> Germ {
            match self {
                Self::Variable => x.clone(),
                Self::Constant(c) => {
                    Germ(std::array::from_fn(|i| if i == 0 { Rational::from(*c) } else { Rational::new() }))
                }
                Self::Absolute(a) => {
                    let a = a.at(x);
                    if a.sign() < 0 { a.minus(&a).minus(&a) } else { a }
                }
                Self::Binary(name, parts) => {
                    let [a, b] = [parts[0].at(x), parts[1].at(x)];
                    match *name {
                        "+" => a.zip(&b, |a, b| Rational::from(a + b)),
                        "-" => a.minus(&b),
                        "*" => a.times(&b),
                        "max" => {
                            if a.minus(&b).sign() >= 0 {
                                a
                            } else {
                                b
                            }
                        }
                        _ => {
                            if a.minus(&b).sign() <= 0 {
                                a
                            } else {
                                b
                            }
                        }
                    }
                }
                Self::Choice(test, parts) => {
                    let sign = parts[0].at(x).minus(&parts[1].at(x)).sign();
                    parts[if sign < 0 || (sign == 0 && *test == "<=") { 2 } else { 3 }].at(x)
                }
            }
        }
    }

    impl fmt::Display for Program {
        fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
            match self {
                Self::Variable => f.write_str("x"),
                Self::Constant(c) => write!(f, "({c})"),
                Self::Absolute(a) => write!(f, "(abs {a})"),
                Self::Binary(name @ ("max" | "min"), parts) => write!(f, "({name} {} {})", parts[0], parts[1]),
                Self::Binary(name, parts) => write!(f, "({} {name} {})", parts[0], parts[1]),
                Self::Choice(test, parts) => {
                    write!(f, "(if {} {test} {} then {} else {})", parts[0], parts[1], parts[2], parts[3])
                }
            }
        }
    }

    /// The derivative is the hull of both slopes where both limits are the value at the point, and is nothing elsewhere.
    #[test]
    fn derivatives_are_the_hull_of_both_slopes() {
        let mut random = SplitMix64::new(11);
        let (mut sets, mut jumps, mut isolated) = (0, 0, 0);
        for _ in 0..1_000 {
            let program = Program::draw(&mut random, 4);
            let point = Rational::from(random.next_below(3) as i64 - 1);
            let text = format!("deriv (\\x => {program}) ({point})");
            let [here, right, left] = [0, 1, -1].map(|step| program.at(&Germ::of(&point, step)));
            let (right_slope, left_slope) = (right.0[1].clone(), -left.0[1].clone());
            if here.0[0] != right.0[0] || here.0[0] != left.0[0] {
                jumps += 1;
                isolated += usize::from(left.0[0] == right.0[0]);
                fails(&text, "the function jumps");
                continue;
            }
            let [lo, hi] =
                if left_slope <= right_slope { [left_slope, right_slope] } else { [right_slope, left_slope] };
            sets += usize::from(lo != hi);
            is(&text, &[[&lo.to_string(), &hi.to_string()]]);
        }
        println!("{sets} sets, {jumps} jumps, {isolated} of them at the point alone");
        assert!(sets > 60 && jumps > 30 && isolated > 3, "{sets} sets, {jumps} jumps, {isolated} at the point alone");
    }
}
