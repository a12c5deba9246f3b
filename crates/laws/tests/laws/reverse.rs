//! `rd` and `jvp` on random functions of vectors: reverse mode against forward mode, in one meaning and between meanings.

use smoothish_laws::law::generate::{TermGenerator, TermVocabulary, data_library};
use smoothish_laws::law::term::{TermHead, TestTerm, pair_type};
use smoothish_laws::meaning::presheaf::PresheafInterpreter;
use smoothish_laws::meaning::tower::TowerSemantics;
use smoothish_laws::model::answer::{AnswerNumber, Semantics};
use smoothish_laws::number::budget::Budget;
use smoothish_laws::number::{Enclosure, Rational, decimal};
use smoothish_laws::random::SplitMix64;
use smoothish_laws::syntax::constant::Constant;
use smoothish_laws::syntax::ty::Ty;
use smoothish_laws::value::{Value, ValueError};
use std::sync::Arc;
use std::time::Duration;

/// A function of vectors, a point of the one space and a cotangent of the other, as texts.
struct Sample {
    function: TestTerm,
    point: Vec<String>,
    cotangent: Vec<String>,
}

fn vector(dimension: usize) -> Ty {
    match dimension {
        1 => Ty::real(),
        2 => pair_type(Ty::real(), Ty::real()),
        _ => pair_type(pair_type(Ty::real(), Ty::real()), Ty::real()),
    }
}

/// Numbers in the shape of [`vector`].
fn written(numbers: &[String]) -> String {
    match numbers {
        [x] => format!("({x})"),
        [x, y] => format!("({x}, {y})"),
        numbers => format!("(({}, {}), {})", numbers[0], numbers[1], numbers[2]),
    }
}

fn unit(dimension: usize, place: usize) -> Vec<String> {
    (0..dimension).map(|i| String::from(if i == place { "1" } else { "0" })).collect()
}

impl Sample {
    fn draw(index: u64, vocabulary: TermVocabulary) -> Self {
        let mut random = SplitMix64::for_sample(77, index);
        let [n, m] = [(); 2].map(|()| 1 + random.next_below(3));
        let mut numbers =
            |count| (0..count).map(|_| random.pick(&["0", "1/2", "1", "-1", "0.3", "2"]).to_string()).collect();
        let (point, cotangent) = (numbers(n), numbers(m));
        let ty = Ty::function(vector(n), vector(m));
        let function = TermGenerator::with_vocabulary(SplitMix64::for_sample(78, index), vocabulary)
            .draw_term(&ty, 6 + index as usize % 24);
        Self { function, point, cotangent }
    }

    fn reverse(&self) -> String {
        format!("rd ({}) {} {}", self.function, written(&self.point), written(&self.cotangent))
    }

    /// The transpose, column by column.
    fn forward(&self) -> String {
        let column = |place| {
            let slope = format!("jvp f {} {}", written(&self.point), written(&unit(self.point.len(), place)));
            let names = ["a", "b", "c"].map(String::from);
            let names = &names[..self.cotangent.len()];
            let terms: Vec<_> = names.iter().zip(&self.cotangent).map(|(name, w)| format!("({w}) * {name}")).collect();
            format!("(let {} = {slope} in {})", written(names), terms.join(" + "))
        };
        let columns: Vec<_> = (0..self.point.len()).map(column).collect();
        format!("let f = {} in {}", self.function, written(&columns))
    }
}

fn enclosures(value: &Value<AnswerNumber>, found: &mut Vec<Enclosure>) {
    match value {
        Value::Real(AnswerNumber::Enclosure(answer)) => found.push(answer.enclosure.clone()),
        other => other.direct_parts().for_each(|part| enclosures(part, found)),
    }
}

fn presheaf(text: &str) -> Option<Vec<Enclosure>> {
    let (term, _) = data_library().infer_expression(text).unwrap_or_else(|error| panic!("{text}: {error}"));
    let budget = Arc::new(Budget::with_time_limit(Duration::from_millis(400)));
    let found = PresheafInterpreter::new(budget.clone())
        .enclose_program(&term, &Rational::from((1, 1_000_000)).into(), &budget)
        .ok()?;
    let mut numbers = Vec::new();
    enclosures(&found.into_answer().value, &mut numbers);
    Some(numbers)
}

fn tower(text: &str) -> Option<Vec<Enclosure>> {
    let (term, ty) = data_library().infer_expression(text).ok()?;
    let budget = Arc::new(Budget::with_time_limit(Duration::from_millis(400)));
    let answer = TowerSemantics.evaluate(&term, &ty, &Rational::from((1, 1_000_000)), &budget).ok()?;
    let mut numbers = Vec::new();
    enclosures(&answer.value, &mut numbers);
    Some(numbers)
}

fn uses(term: &TestTerm, wanted: impl Fn(&Constant) -> bool) -> bool {
    term.contains_head(&mut |head| match head {
        TermHead::Call(constant) => wanted(constant),
        TermHead::CutRoot(..) => wanted(&Constant::Functional(smoothish_laws::function::Functional::CutRoot)),
        _ => false,
    })
}

/// What the samples had in them.
#[derive(Debug, Default)]
struct Shares {
    compared: usize,
    not_zero: usize,
    kinks: usize,
    solvers: usize,
    derivatives: usize,
    towers: usize,
    only_forward: usize,
    only_reverse: usize,
}

fn transposed(range: std::ops::Range<u64>) -> Shares {
    let mut shares = Shares::default();
    for index in range {
        let sample = Sample::draw(index, TermVocabulary::Full);
        let (reverse, forward) = (sample.reverse(), sample.forward());
        let (Some(left), Some(right)) = (presheaf(&reverse), presheaf(&forward)) else { continue };
        assert_eq!(left.len(), right.len(), "{reverse}");
        let towers = tower(&reverse);
        for (i, (a, b)) in left.iter().zip(&right).enumerate() {
            let meet = |a: &Enclosure, b: &Enclosure| !a.is_defined() || !b.is_defined() || a.overlaps(b);
            assert!(meet(a, b), "{index}: component {i} of {reverse}: {a:?}, forward {b:?}");
            if let Some(c) = towers.as_ref().and_then(|towers| towers.get(i)) {
                assert!(meet(a, c), "{index}: component {i} of {reverse}: {a:?}, tower {c:?}");
                shares.towers += usize::from(a.is_defined() && c.is_defined());
            }
            match (a.is_defined(), b.is_defined()) {
                (true, true) => {
                    let f = &sample.function;
                    shares.compared += 1;
                    shares.not_zero += usize::from(!a.contains(&Rational::new()));
                    let kinked = |c: &Constant| matches!(c, Constant::Max | Constant::Min | Constant::Abs);
                    shares.kinks += usize::from(uses(f, kinked));
                    shares.solvers += usize::from(uses(f, |c| matches!(c, Constant::Functional(_))));
                    shares.derivatives +=
                        usize::from(uses(f, |c| matches!(c, Constant::Deriv | Constant::Rd | Constant::Jvp)));
                }
                (false, true) => shares.only_forward += 1,
                (true, false) => shares.only_reverse += 1,
                (false, false) => {}
            }
        }
    }
    shares
}

/// A §3, §4.1, and what follows by hand. The values of the second column are exact.
#[test]
fn programs_of_the_paper() {
    for (text, expected) in [
        (r"rd (\x => x * rd (\y => x + y) 1 1) 1 1", &["1"][..]),
        (r"let rec f x = rd (\y => x + y) 1 1 in rd (\x => x + f x) 1 1", &["1"]),
        (r"rd (\x => let y = x*x in y*y + y) 3 1", &["114"]),
        (r"jvp (\(x, y) => (x*y, x*x)) (2, 3) (5, 7)", &["29", "20"]),
        (r"rd (\x => rd (\x => rd (\x => x^4) x 1) x 1) 2 1", &["48"]),
        (r"rd (\q => let (a, b) = rd (\(x, y) => x*x*y) q 1 in a + b) (2, 3) 1", &["10", "4"]),
        (r"rd (\(x, y) => ()) (2, 3) ()", &["0", "0"]),
        (r"rd (\u => 3) () 5", &[]),
        (r"rd (\x => 1/x) 2 0", &["0"]),
        (r"rd (\x => let y = log x in 3) 1 1", &["0"]),
        // S's primitives: slopes of ∫ (a x + b x²) dx, of the cube root, of (c + d)²/4 and of c/(2d)
        (r"rd (\(a, b) => integral01 (\x => a*x + b*x^2)) (5, 7) 1", &["1/2", "1/3"]),
        (r"rd (\c => cutRoot (\x => c - x^3)) 8 1", &["1/12"]),
        (r"rd (\c => rd (\c => cutRoot (\x => c - x^3)) c 1) 8 1", &["-1/144"]),
        (r"rd (\(c, d) => max01 (\x => (c + d)*x - x^2)) (1/4, 3/4) 1", &["1/2", "1/2"]),
        (r"rd (\(c, d) => argmax01 (\x => c*x - d*x^2)) (1, 1) 1", &["1/2", "-1/2"]),
        (r"rd (\(p, q) => firstRoot (\x => p - q*x^2)) (1/4, 1) 1", &["1", "-1/4"]),
        // a derivative of a derivative: slopes of a b cos (a x) at x = 0, of a x² y
        (r"rd (\(a, b) => deriv (\x => b * sin (a*x)) 0) (2, 3) 1", &["3", "2"]),
        (r"rd (\(a, x, y) => jvp (\(x, y) => a*x^2*y) (x, y) (y, x)) (2, 3, 5) 1", &["177", "154", "120"]),
        (r"rd (\t => integral01 (\u => if u < t then 1 else 0)) 0.5 1", &["1"]),
        // jumps that move under an integral: of 2 - t, and of 1 - 2t
        (r"rd (\t => integral01 (\x => deriv (\y => if y < t then y else 2*y) x)) 0.5 1", &["-1"]),
        (r"rd (\t => integral01 (\x => signum (x - t))) 0.5 1", &["-2"]),
        (r"rd (\(y, x) => atan2 y x) (3, -4) 25", &["-4", "-3"]),
        (r"rd (\x => if x > 0 then x^2 else 0 - x) 3 1", &["6"]),
        // nothing is asked of the side that is not taken, whatever it is made of
        (r"rd (\x => if x > 0 then sqrt x else 0 - x) (-1) 1", &["-1"]),
        (r"rd (\x => if x > 0 then let y = log x in y * sqrt y + exp y else 3 * x) (-1) 1", &["3"]),
        (r"rd (\x => if x > 0 then (if x > 1 then sqrt (x - 1) else x) * log x else x^2) (-2) 1", &["-4"]),
        (r"rd (\x => if x > 0 then integral01 (\t => sqrt (x * t)) else 5 * x) (-1) 1", &["5"]),
    ] {
        let found = presheaf(text).unwrap_or_else(|| panic!("{text}"));
        assert_eq!(found.len(), expected.len(), "{text}");
        for (enclosure, expected) in found.iter().zip(expected) {
            let expected = expected.parse::<Rational>().unwrap();
            assert!(enclosure.is_defined() && enclosure.contains(&expected), "{text}: {enclosure:?}, not {expected}");
        }
    }
}

/// There is no derivative where the function is not defined for all inputs nearby, nor at a jump.
#[test]
fn nothing_is_claimed_at_the_edge_of_a_domain() {
    for text in [
        r"rd (\c => max 1 (sqrt c)) 0 1",
        r"rd (\c => (sqrt c)^0) 0 1",
        r"rd (\x => 1/x) 0 0",
        r"rd (\c => max01 (\x => max (x + 1) (sqrt c))) 0 1",
        r"rd (\c => argmax01 (\x => x*(2 + sqrt c))) 0 1",
        r"rd (\c => firstRoot (\x => 2 + sqrt c)) 0 1",
        r"rd (\x => if x > 0 then 1 else 0) 0 1",
        r"rd signum 0 1",
        r"rd (\(y, x) => atan2 y x) (0, -1) 1",
        r"rd (\(y, x) => atan2 y x) (0, 0) 1",
    ] {
        let found = presheaf(text).unwrap_or_else(|| panic!("{text}"));
        assert!(!found.is_empty() && found.iter().all(|enclosure| !enclosure.is_defined()), "{text}: {found:?}");
    }
}

/// The derivative along 0 is 0 where the function is defined nearby: a border in a branch that is not taken is none of the
/// function, and one that is met is.
#[test]
fn a_cotangent_of_zero_asks_no_guard_of_another_branch() {
    let program = r"(\(y : Real) => if y < -5/3 then y else if -2 < y then y else 4)";
    let [found] = &presheaf(&format!("rd {program} (-2) 0")).unwrap()[..] else { panic!("one number") };
    assert!(found.is_defined() && found.contains(&Rational::new()) && found.is_point(), "{found}");
    for at in ["-5/3", "(1/0)"] {
        let [found] = &presheaf(&format!("rd {program} ({at}) 0")).unwrap()[..] else { panic!("one number") };
        assert!(!found.is_defined(), "{at}: {found}");
    }
}

#[test]
fn what_is_no_vector_is_refused() {
    for (text, construct, found) in [
        (r"rd (\xs => xs) [1.0] [2.0]", "rd", "List _"),
        (r"rd (\n => n) (1 : Nat) (1 : Nat)", "rd", "Nat"),
        (r"rd (\x => (x, sin)) 1 (1, cos)", "rd", "_ * (Real -> Real)"),
        (r"jvp (\f => f 1) sin cos", "jvp", "_ -> _"),
    ] {
        let error = data_library().infer_expression(text).map(|(term, _)| term.to_string()).unwrap_err().to_string();
        let expected = format!("`{construct}` works on vectors (Real, () and tuples of such), not on {found}");
        assert_eq!(error, expected, "{text}");
    }
}

/// The numbers of a program to within 10⁻⁶, and the work that they took.
fn counted(text: &str, most: u64) -> (Vec<Enclosure>, u64) {
    let (term, _) = data_library().infer_expression(text).unwrap_or_else(|error| panic!("{text}: {error}"));
    let budget = Arc::new(Budget::new(most, None, None));
    let found = PresheafInterpreter::new(budget.clone()).enclose_program(
        &term,
        &Rational::from((1, 1_000_000)).into(),
        &budget,
    );
    let found = found.unwrap_or_else(|error| panic!("{text}: {error}"));
    let mut numbers = Vec::new();
    enclosures(&found.into_answer().value, &mut numbers);
    (numbers, budget.work_done())
}

/// A tuple of eight numbers, in pairs of pairs; and one of them.
fn eight(names: [&str; 8]) -> String {
    let [a, b, c, d, e, f, g, h] = names;
    format!("((({a}, {b}), ({c}, {d})), (({e}, {f}), ({g}, {h})))")
}

/// The columns of a gradient are one question: what is searched for is searched for once. One after the other they give the same
/// numbers for a multiple of the work.
#[test]
fn the_columns_of_a_tuple_are_one_question() {
    const NAMES: [&str; 8] = ["a", "b", "c", "d", "e", "f", "g", "h"];
    let at = eight(["1/4", "0.3", "-1/2", "0.1", "1/8", "-0.2", "0.4", "1/16"]);
    let waves = (1..).zip(NAMES).map(|(k, name)| format!("{name} * sin (t + {k})")).collect::<Vec<_>>().join(" + ");
    for (name, map, times) in [
        ("integral", format!("integral01 (\\t => exp ({waves}))"), 5.0),
        ("root", format!("firstRoot (\\t => 1/2 - 2*t^2 + {waves})"), 4.0),
        ("root anywhere", format!("cutRoot (\\t => 1/2 - t^3 - 3*t + {waves})"), 7.0),
        // eight directions side by side take more than one
        ("maximum", format!("max01 (\\t => t - t^2 + ({waves})/8)"), 1.7),
    ] {
        let gradient = format!("rd (\\{} => {map}) {at} 1", eight(NAMES));
        let (all, work) = counted(&gradient, u64::MAX);
        let mut one_by_one = 0;
        for (i, column) in NAMES.into_iter().enumerate() {
            let (found, work) = counted(&format!("let {} = {gradient} in {column}", eight(NAMES)), u64::MAX);
            assert!(all[i].is_defined() && found[0].is_defined() && all[i].overlaps(&found[0]), "{name}: {column}");
            assert!(all[i].has_width_at_most(&Rational::from((1, 1_000_000))), "{name}: {:?}", all[i]);
            one_by_one += work;
        }
        println!("{name}: {work} together, {one_by_one} one by one");
        assert!(work as f64 * times < one_by_one as f64, "{name}: {work} together, {one_by_one} one by one");
    }
}

/// Numbers that have nothing to do with each other are asked one after another: a hard one behind an easy one takes nothing from it.
#[test]
fn strangers_are_asked_one_after_another() {
    let hard = r"integral01 (\t => signum (sin (1/(t + 1/1000000))))";
    let most = 20_000;
    let (both, _) = counted(&format!(r"(integral01 (\t => exp t), {hard})"), most);
    let (alone, _) = counted(r"integral01 (\t => exp t)", most);
    assert_eq!(both[0], alone[0]);
    assert!(
        both[0].has_width_at_most(&Rational::from((1, 1_000_000)))
            && !both[1].has_width_at_most(&Rational::from((1, 1_000_000)))
    );
}

/// Tests that take more than half a second: `cargo quick` passes them over.
mod slow {
    use super::*;

    /// An adjoint is a few times as large as the function, so adjoints of adjoints grow like a power, and are limited.
    #[test]
    fn adjoints_of_adjoints_are_limited() {
        let nested = |depth: u32| {
            format!(
                r"let g = \x => exp (sin x * cos x) / (1 + x^2) in
              let rec f (n : Nat) : Real -> Real = if n == 0 then g else \x => rd (f (n - 1)) x 1 in f {depth} 0.3"
            )
        };
        // the fourth derivative, by numerical differentiation at 60 digits
        let expected = decimal::parse("33.91649620994277825951406325730235").unwrap();
        let found = presheaf(&nested(4)).unwrap();
        assert!(found[0].is_defined() && found[0].contains(&expected), "{found:?}");
        let (term, _) = data_library().infer_expression(&nested(30)).unwrap();
        let error = PresheafInterpreter::new(Arc::new(Budget::unlimited())).interpret_program(&term).unwrap_err();
        assert!(matches!(error, ValueError::TooManySteps { .. }), "{error}");
    }

    /// Where reverse mode has an answer, forward mode has, and they meet; the towers meet both.
    #[test]
    fn reverse_is_the_transpose_of_forward() {
        let shares = transposed(0..crate::drawn(250));
        assert_eq!(shares.only_reverse, 0);
        // where a part is shown to be a number only in forward mode, as the slope of a slope that is 0 is
        assert!(shares.only_forward * 50 < shares.compared, "{shares:?}");
        let least = |share| crate::drawn(share) as usize;
        assert!(
            shares.compared > least(300) && shares.not_zero > least(150) && shares.towers > least(200),
            "{shares:?}"
        );
        assert!(
            shares.kinks > least(120) && shares.solvers > least(80) && shares.derivatives > least(30),
            "{shares:?}"
        );
    }
}
