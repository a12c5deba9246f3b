//! Programs on which widely used systems answer wrongly, and what they answer.
//!
//! The wrong answers were measured on jax 0.10, torch 2.15, autograd 1.9, num-dual 0.15, autodiff 0.7, ad_trait 0.3,
//! reverse 0.2, candle 0.11 and the Haskell library that accompanies the λ_S paper. Every program here is answered by an
//! enclosure of the truth, or as undefined.

use smoothish::model::answer;
use smoothish::number::{Enclosure, Rational, decimal};
use smoothish::session::{Evaluate, Limits, Session};
use smoothish::theory::builtin;
use smoothish::value::Value;

/// What is known to be true.
enum Truth {
    /// One number, cut off after its last digit, and it is reached.
    Number(&'static str),
    /// The answer holds this interval, and lies in the second: what the rules for max, min and abs allow.
    Between([&'static str; 2], [&'static str; 2]),
    /// There is none, and the answer says so.
    Undefined,
    /// This interval, enclosed, or no information.
    Within([&'static str; 2]),
}
use Truth::{Between, Number, Undefined, Within};

struct Trap {
    name: &'static str,
    program: &'static str,
    truth: Truth,
    /// What others say.
    wrong: &'static [&'static str],
}

const fn trap(name: &'static str, program: &'static str, truth: Truth, wrong: &'static [&'static str]) -> Trap {
    Trap { name, program, truth, wrong }
}

const TRAPS: &[Trap] = &[
    trap("T1", r"deriv (\x => max x 0 + min x 0) 0", Number("1"), &["0", "2"]),
    trap("T1", r"deriv (\x => max 0 x + min 0 x) 0", Number("1"), &["0", "2"]),
    trap("T1", r"deriv (\x => max x 0 + min x 0) 1e-9", Number("1"), &[]),
    trap("T2", r"deriv (\x => relu x - relu (-x)) 0", Number("1"), &["0", "2"]),
    trap("T3", r"deriv (\x => relu x - 1/2 * (x + abs x)) 0", Number("0"), &["-1", "-0.5"]),
    trap("T1", r"rd (\x => max x 0 + min x 0) 0 1", Number("1"), &["0", "2"]),
    trap("T2", r"rd (\x => relu x - relu (-x)) 0 1", Number("1"), &["0", "2"]),
    trap("T3", r"rd (\x => relu x - 1/2 * (x + abs x)) 0 1", Number("0"), &["-1", "-0.5"]),
    trap("T4", r"deriv (\x => if x < 0 then x else if x > 0 then x else 0) 0", Within(["1", "1"]), &["0"]),
    trap("T4", r"deriv (\x => if x < 0 then x else if x > 0 then x else 0) 1e-9", Number("1"), &[]),
    trap("T5", r"deriv (\x => sqrt x * sqrt x) 0", Undefined, &["NaN", "0"]),
    trap("T5", r"deriv (\x => exp (log x)) 0", Undefined, &["NaN", "0"]),
    trap("T5", r"deriv (\x => sqrt x * sqrt x) 1e-12", Number("1"), &[]),
    trap("T5", r"deriv (\x => exp (log x)) 1e-12", Number("1"), &[]),
    trap("T6", r"deriv (\x => sqrt (x^4)) 0", Within(["0", "0"]), &["NaN"]),
    trap("T7", r"nthDeriv 2 (\x => abs x * abs x) 0", Within(["2", "2"]), &["0"]),
    trap("T8", r"deriv (\x => x^2 * sin (1 / x)) 0", Within(["-1", "1"]), &["NaN"]),
    trap("T9", r"deriv (\t => integral01 (\u => if u < t then 1 else 0)) (1/2)", Number("1"), &["0"]),
    trap("T9", r"deriv (\t => integral01 (\u => (1 + signum (t - u)) / 2)) (1/2)", Number("1"), &["0"]),
    trap(
        "T10",
        r"deriv (\a => cutRoot (\x => max (-x) (a - x^2))) 2",
        Number("0.353553390593273762200422181052424519642417968844237018294169934497683119615526759712596883581910393"),
        &["0", "0.70710678"],
    ),
    trap("T11", r"deriv (\a => argmax01 (\x => -(x - a)^2)) (1/2)", Number("1"), &["0"]),
    trap("T11", r"deriv (\a => argmax01 (\x => -(x - a)^2)) 1", Between(["0", "1"], ["0", "1"]), &["0"]),
    trap("T11", r"deriv (\a => argmax01 (\x => -(x - a)^2)) 2", Number("0"), &[]),
    trap(
        "T12",
        r"let step a x = (x + a / x) / 2 in deriv (\a => step a (step a 1)) 2",
        Number("0.361111111111111111111111111111111111111111111111111111111111"),
        &[],
    ),
    trap("T13", r"deriv (\x => x * deriv (\y => x + y) 1) 1", Number("1"), &["2"]),
    trap("T13", r"deriv (\x => x * deriv (\y => x * y^2) 1) 3", Number("12"), &["6"]),
    trap("T14", r"deriv abs 0", Between(["-1", "1"], ["-1", "1"]), &["-1", "0", "1", "NaN"]),
    trap("T14", r"deriv relu 0", Between(["0", "1"], ["0", "1"]), &["0", "0.5", "1", "NaN"]),
    trap("T14", r"deriv (\x => max x 0) 0", Between(["0", "1"], ["0", "1"]), &["0", "0.5", "1", "NaN"]),
    trap("T15", r"deriv (\x => x * sin (1 / x)) 0", Undefined, &["0", "NaN"]),
    trap(
        "T16",
        r"nthDeriv 2 (\x => exp (sin x * cos x) / (1 + x^2)) 0.3",
        Number("-3.1458855213908898630546043846342937076350162234817"),
        &[],
    ),
    trap(
        "T16",
        r"nthDeriv 5 (\x => exp (sin x * cos x) / (1 + x^2)) 0.3",
        Number("37.380037551391264325782284678810535497930766037116"),
        &[],
    ),
    trap(
        "T16",
        r"nthDeriv 10 (\x => exp (sin x * cos x) / (1 + x^2)) 0.3",
        Number("-360155.64265059197912315556226489333827910775303855"),
        &[],
    ),
    trap(
        "T16",
        r"nthDeriv 20 (\x => exp (sin x * cos x) / (1 + x^2)) 0.3",
        Number("-389146316817524635.18902001885691317629806490587812"),
        &["does not finish"],
    ),
    trap("E18", "acos (1/2) - pi / 3", Number("0"), &["-0.17"]),
    trap("E18", "asin (1/2) - pi / 6", Number("0"), &[]),
    trap("E18", "4 * atan 1 - pi", Number("0"), &[]),
    trap("E18", "sinh 1 - (e - 1 / e) / 2", Number("0"), &[]),
    trap("E18", "deriv acos 0", Number("-1"), &["0"]),
    trap("E18", "signum 0", Between(["-1", "1"], ["-1", "1"]), &["0"]),
    trap("E18", "deriv signum 0", Undefined, &["0"]),
    trap("E18", "complement (Surface.circle (0, 0) 1) (0, 0)", Number("-1"), &["1"]),
    trap("E18", "complement (complement (Surface.circle (0, 0) 1)) (0, 0)", Number("1"), &[]),
    trap("artifact", r"firstRoot (\x => 0.6 + x - 2 * x)", Number("0.6"), &[]),
    trap(
        "artifact",
        r"firstRoot (\t => t^2 - 2 * t + 0.9)",
        Number("0.683772233983162066800110645556728146111139402"),
        &[],
    ),
    trap("artifact", r"integral01 (\c => firstRoot (\x => c - x))", Number("0.5"), &[]),
    trap("artifact", r"deriv (\c => firstRoot (\x => c - x)) 2", Number("0"), &[]),
    trap(
        "artifact",
        r"max01 (\x => log (x^2 - x + 0.3))",
        Number("-1.20397280432593599262274621776183850295361"),
        &["crash"],
    ),
    trap("artifact", r"deriv (\c => max01 (\x => c - (x - 1/2)^4)) 0.3", Number("1"), &["NaN"]),
    trap("artifact", r"deriv (\c => max01 (\x => c + 4 * x * (1 - x) * (x - 1/2)^2)) 0.3", Number("1"), &["NaN"]),
    trap("artifact", r"deriv (\c => max01 (\x => c)) 0.3", Number("1"), &["NaN"]),
    trap(
        "artifact",
        r"integral01 (\x => (x + 1)^(-1))",
        Number("0.69314718055994530941723212145817656807550013436"),
        &[],
    ),
];

fn number(text: &str) -> Rational {
    decimal::parse(text).unwrap_or_else(|e| panic!("{text}: {e:?}"))
}

fn inside(found: &Enclosure, [low, high]: [&str; 2], slack: &Rational) -> bool {
    *found.lo() >= number(low) - slack && *found.hi() <= number(high) + slack
}

#[test]
fn every_trap_is_answered_truly_or_as_undefined() {
    let theories = builtin::load_theories();
    let session = Session::with_library(theories.library().clone());
    let eps = number("1e-9");
    for Trap { name, program, truth, wrong } in TRAPS {
        let limits = Limits { work: Some(20_000_000), ..Limits::none() };
        let answer = session.ask(&Evaluate::new(program).with_width(eps.clone()), &limits);
        let answer = answer.unwrap_or_else(|e| panic!("{program}: {e}")).into_value();
        let Value::Real(answer::AnswerNumber::Enclosure(answer)) = answer else { panic!("{program} is not a number") };
        let found = &answer.enclosure;
        let case = format!("{name}: {program} gave {found:?}");
        assert!(found.lo() <= found.hi(), "{case}");
        let holds = |low: &str, high: &str| found.contains(&number(low)) && found.contains(&number(high));
        match truth {
            Number(digits) => {
                let unit = number(&format!("1e-{}", digits.split_once('.').map_or(30, |(_, d)| d.len())));
                let (low, high) = (number(digits) - &unit, number(digits) + &unit);
                assert!(answer.reached && *found.lo() <= high && *found.hi() >= low, "{case}");
                for other in wrong.iter().filter_map(|w| decimal::parse(w).ok()) {
                    assert!(!found.contains(&other), "{case}, as others say");
                }
            }
            Between(least, most) => {
                assert!(found.is_defined() && holds(least[0], least[1]) && inside(found, *most, &eps), "{case}");
            }
            Within([low, high]) => assert!(holds(low, high), "{case}"),
            Undefined => assert!(!found.is_defined(), "{case}"),
        }
    }
}
