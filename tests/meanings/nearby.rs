//! A derivative is claimed only where the function is defined for all inputs nearby, and it makes no difference which
//! part of a program is written where.
//!
//! The expected values are read off the functions themselves: √c has no value for c < 0, and √(c²) = |c| has one on both
//! sides, whatever becomes of it.

use smoothish::meaning::presheaf::PresheafSemantics;
use smoothish::model::answer::{AnswerNumber, Semantics};
use smoothish::number::budget::Budget;
use smoothish::number::{Enclosure, Rational, decimal};
use smoothish::random::SplitMix64;
use smoothish::syntax::library::Library;
use smoothish::theory::builtin;
use smoothish::value::Value;
use std::sync::{Arc, LazyLock};

static THEORIES: LazyLock<Library> = LazyLock::new(builtin::library);

fn rational(text: &str) -> Rational {
    decimal::parse(text).unwrap_or_else(|e| panic!("{text}: {e:?}"))
}

fn ask(program: &str) -> Enclosure {
    let (term, ty) = THEORIES.infer_expression(program).unwrap_or_else(|e| panic!("{program}: {e}"));
    let budget = Arc::new(Budget::new(20_000_000, None, None));
    let answer =
        PresheafSemantics.evaluate(&term, &ty, &rational("1e-6"), &budget).unwrap_or_else(|e| panic!("{program}: {e}"));
    match answer.value {
        Value::Real(AnswerNumber::Enclosure(real)) => real.enclosure,
        other => panic!("{program}: {other:?}"),
    }
}

/// Whether the answer is this number, to the tolerance.
fn is(answer: &Enclosure, value: &str) -> bool {
    answer.is_defined() && answer.contains(&rational(value)) && answer.has_width_at_most(&rational("1e-6"))
}

/// Derivatives of functions that have no value on one side, and where they have none.
const UNDEFINED: &[(&str, &str)] = &[
    ("deriv (\\c => max 1 (sqrt c)) 0", "√c for c < 0"),
    ("deriv (\\c => max 5 (sqrt c)) 0", "√c for c < 0"),
    ("deriv (\\c => max (2*c) (sqrt c - 1)) 0", "√c for c < 0"),
    ("deriv (\\c => max 3 (asin c)) 1", "asin c for c > 1"),
    ("deriv (\\c => min (-1) (sqrt c)) 0", "√c for c < 0"),
    ("deriv (\\c => max 1 (c^(3/2))) 0", "√c³ for c < 0"),
    ("deriv (\\c => (sqrt c)^0) 0", "√c for c < 0"),
    ("deriv (\\c => signum (1 + sqrt c)) 0", "√c for c < 0"),
    ("deriv (\\c => deriv (\\x => x + sqrt c) 1) 0", "√c for c < 0"),
    ("deriv (\\c => deriv (\\x => max x (sqrt c)) 1) 0", "√c for c < 0"),
    ("deriv (\\c => deriv (\\x => max 1 (sqrt (x + c))) 0) 0", "√x for x < 0, in the inner derivative"),
    ("deriv (\\c => deriv (\\x => max 1 (sqrt x)) (c^2)) 0", "√x for x < 0, in the inner derivative at 0"),
    ("deriv (deriv (\\c => max 1 (sqrt c))) 0", "√c for c < 0"),
    ("nthDeriv 5 (\\c => max 1 (sqrt c)) 0", "√c for c < 0"),
    (
        "integral01 (\\x => deriv (\\y => max 1 (sqrt y)) x)",
        "the derivative has no value at 0, where √ has none on the left",
    ),
    ("deriv (\\c => integral01 (\\x => max 2 (sqrt (x - c)))) 0", "at x = 0 for c > 0"),
    ("deriv (\\c => integral01 (\\x => sqrt (x + c))) 0", "at x = 0 for c < 0"),
    ("deriv (\\c => max01 (\\x => max (x+1) (sqrt c))) 0", "√c for c < 0"),
    ("deriv (\\c => max01 (\\x => max (x+1) (sqrt (c*(1+x))))) 0", "√c for c < 0"),
    ("deriv (\\c => max01 (\\x => sqrt (x - c))) 0", "at x = 0 for c > 0"),
    ("deriv (\\c => argmax01 (\\x => x*(2 + sqrt c))) 0", "√c for c < 0"),
    ("deriv (\\c => firstRoot (\\x => 2 + sqrt c)) 0", "√c for c < 0"),
    ("deriv (\\c => firstRoot (\\x => 0 - 1 - sqrt c)) 0", "√c for c < 0"),
    ("deriv (\\c => firstRoot (\\x => 1/2 - x - 0 * sqrt (x - c))) 0", "at x = 0 for c > 0"),
    ("deriv (\\c => cutRoot (\\x => max 2 (sqrt c) - 2 - x)) 0", "√c for c < 0"),
    (
        "deriv (\\c => cutRoot (\\x => max 2 (sqrt (c + x^2)) - 2 - x)) 0",
        "for c < 0 round x = 0, where the root would be",
    ),
];

/// Values and derivatives of functions that are defined nearby, or need not be; and how they are known.
const DEFINED: &[(&str, &str, &str)] = &[
    ("deriv (\\c => max 1 (sqrt (c^2))) 0", "0", "max(1, |c|) = 1"),
    ("deriv (\\c => c / max 1 (sqrt (c^2))) 0", "1", "c/1"),
    ("deriv (\\c => max 2 (sqrt (1 - cos c))) 0", "0", "1 - cos c ≥ 0"),
    ("deriv (\\c => max 1 (cbrt c)) 0", "0", "∛ has a value everywhere"),
    ("deriv (\\c => let y = sqrt c in 3) 0", "0", "what is not used is not asked"),
    ("deriv (\\c => fst (3, sqrt c)) 0", "0", "what is not used is not asked"),
    ("deriv (\\c => if 1 < 2 then 2 * c else sqrt c) 0", "2", "the branch that is not taken is not asked"),
    ("deriv (\\c => max 1 (sqrt c)) 1e-30", "0", "√c for c > 0"),
    ("deriv (\\c => max 1 (sqrt (c^2 * (1e-60 - c^2)))) 0", "0", "defined for |c| ≤ 10⁻³⁰"),
    ("deriv (\\c => max 2 (asin (1 - c^2))) 0", "0", "1 - c² ≤ 1"),
    ("deriv (\\c => max 2 (acos (cos c))) 0", "0", "acos cos c = |c|"),
    ("nthDeriv 6 (\\c => max 1 (sqrt (c^2))) 0", "0", "max(1, |c|) = 1"),
    ("deriv (\\c => deriv (\\x => max 1 (sqrt (x^2 + c^2))) 0) 0", "0", "max(1, ·) = 1 near (0, 0)"),
    ("deriv (\\c => deriv (\\x => x * c + max 1 (sqrt (c^2))) 1) 0", "1", "the inner derivative is c"),
    ("deriv (\\c => c + deriv (\\x => max 1 (sqrt (x^2))) 0) 0", "1", "the inner derivative is 0"),
    ("integral01 (\\x => sqrt x)", "0.666666666666666667", "2/3; x is a number of [0, 1]"),
    ("deriv (\\c => integral01 (\\x => c * sqrt x)) 2", "0.666666666666666667", "∫√x = 2/3"),
    ("deriv (\\c => integral01 (\\x => max 2 (sqrt (x + c^2)))) 0", "0", "∫2"),
    ("deriv (\\c => max01 (\\x => c + max (x+1) (sqrt (c^2)))) 0", "1", "c + 2"),
    ("deriv (\\c => max01 (\\x => sqrt x + c * x)) 2", "1", "1 + c, at x = 1"),
    ("deriv (\\c => argmax01 (\\x => x * (2 + max 1 (sqrt (c^2))))) 0", "0", "x = 1"),
    ("deriv (\\c => firstRoot (\\x => 2 + max 1 (sqrt (c^2)))) 0", "0", "positive throughout"),
    ("deriv (\\c => firstRoot (\\x => 1/2 - x + c + 0 * sqrt (1 - x))) 0", "1", "the root 1/2 + c"),
    ("deriv (\\c => cutRoot (\\x => max 2 (sqrt (c^2 + x^2)) - 2 - x + c)) 0", "1", "the root c"),
];

#[test]
fn no_derivative_where_the_function_is_undefined_nearby() {
    let faults = UNDEFINED.iter().map(|(program, because)| (program, because, ask(program)));
    let faults: Vec<_> = faults.filter(|(_, _, answer)| answer.is_defined()).collect();
    assert!(faults.is_empty(), "{faults:#?}");
}

#[test]
fn derivatives_stay_where_the_function_is_defined_nearby() {
    let faults = DEFINED.iter().map(|(program, value, because)| (program, value, because, ask(program)));
    let faults: Vec<_> = faults.filter(|(_, value, _, answer)| !is(answer, value)).collect();
    assert!(faults.is_empty(), "{faults:#?}");
}

/// A function, an argument that lies at the edge of its domain where @ is 0, and whether it stays inside on both sides.
const PARTS: &[(&str, &str, bool)] = &[
    ("sqrt", "@", false),
    ("sqrt", "sin @", false),
    ("sqrt", "0 - exp @ * @", false),
    ("asin", "1 + @", false),
    ("acos", "1 - @", false),
    ("acosh", "1 + @", false),
    ("sqrt", "@^2", true),
    ("sqrt", "1 - cos @", true),
    ("asin", "1 - @^2", true),
    ("acos", "cos @", true),
    ("acosh", "1 + @^2", true),
    ("sqrt", "sinh @ * sinh @", true),
];

/// A random function of c near 0 that is s·c plus a constant where it is defined, in which edges are met.
struct Sample {
    /// The parts, as indices.
    parts: Vec<usize>,
    /// The function with a place for each part.
    body: Vec<Piece>,
    slope: usize,
}

enum Piece {
    Text(String),
    Part(usize),
}

impl Sample {
    fn draw(random: &mut SplitMix64) -> Self {
        let mut sample = Self { parts: Vec::new(), body: Vec::new(), slope: random.next_below(4) };
        sample.text(&format!("{} * c + ", sample.slope));
        let depth = 1 + random.next_below(3) as u32;
        sample.context(random, depth);
        sample
    }

    fn text(&mut self, text: &str) {
        self.body.push(Piece::Text(text.to_owned()));
    }

    /// Something that is constant near c = 0 wherever what is in it has a value.
    fn context(&mut self, random: &mut SplitMix64, depth: u32) {
        // more than anything that stands inside, of which there are at most 3 at each depth
        let k = 20 * 10u32.pow(depth);
        let (before, after) = match random.next_below(10) {
            0 => (format!("max {k} ("), ")".to_owned()),
            1 => (format!("min (-{k}) ("), ")".to_owned()),
            2 => (format!("signum ({k} + "), ")".to_owned()),
            3 => ("(".to_owned(), ")^0".to_owned()),
            4 => (format!("integral01 (\\x => max {k} ("), "))".to_owned()),
            5 => (format!("max01 (\\x => max (x + {k}) ("), "))".to_owned()),
            6 => (format!("argmax01 (\\x => x * ({k} + max 0 ({k} + "), ")))".to_owned()),
            7 => (format!("firstRoot (\\x => {k} + "), ")".to_owned()),
            8 => (format!("deriv (\\x => x * x + max {k} ("), ")) 1".to_owned()),
            _ => (format!("cutRoot (\\x => max {k} ("), ") - x)".to_owned()),
        };
        self.text(&format!("({before}"));
        for i in 0..1 + random.next_below(3) {
            if i > 0 {
                self.text(" + ");
            }
            if depth > 1 && random.next_below(2) == 0 {
                self.context(random, depth - 1);
            } else {
                // half of all parts once more, so that there is something to share
                let again = !self.parts.is_empty() && random.next_below(2) == 0;
                let part = if again { self.parts[0] } else { random.next_below(PARTS.len()) };
                self.parts.push(part);
                self.body.push(Piece::Part(part));
            }
        }
        self.text(&format!("{after})"));
    }

    /// The derivative at 0, with the parts written in a way of one's choice and perhaps named before.
    fn program(&self, named: &str, part: impl Fn(usize) -> String) -> String {
        let piece = |p: &Piece| match p {
            Piece::Text(text) => text.clone(),
            Piece::Part(i) => part(*i),
        };
        let body: String = self.body.iter().map(piece).collect();
        format!("deriv (\\c => {named}{body}) 0")
    }

    fn stays(&self) -> bool {
        self.parts.iter().all(|&i| PARTS[i].2)
    }
}

/// A part at a number.
fn part(i: usize, at: &str) -> String {
    let (f, argument, _) = PARTS[i];
    format!("({f} ({}))", argument.replace('@', at))
}

/// The samples meet edges: each argument lies at the end of a domain, and beside it the part has a value or none.
#[test]
fn the_parts_of_the_samples_lie_at_edges() {
    for (i, &(f, argument, stays)) in PARTS.iter().enumerate() {
        let edge = if f == "sqrt" { "0" } else { "1" };
        assert!(is(&ask(&argument.replace('@', "0")), edge), "{f} ({argument})");
        let beyond = if f == "sqrt" || f == "acosh" { "- 1e-9" } else { "+ 1e-9" };
        assert!(!ask(&format!("{f} ({edge} {beyond})")).is_defined(), "{f} beyond {edge}");
        let [left, here, right] = ["(-1e-9)", "0", "1e-9"].map(|c| ask(&part(i, c)).is_defined());
        assert!(here && if stays { left && right } else { left != right }, "{f} ({argument}): {left}, {here}, {right}");
    }
}

/// Tests that take more than half a second: `cargo quick` passes them over.
mod slow {
    use super::*;

    /// What is computed inside of a binder, outside of it, or once for several places has the same derivative, or none.
    #[test]
    fn a_program_answers_as_its_inlined_hoisted_and_shared_forms_do() {
        let mut random = SplitMix64::new(14);
        let (mut staying, mut leaving, mut several) = (0, 0, 0);
        for index in 0..crate::drawn(70) {
            let sample = Sample::draw(&mut random);
            let mut distinct = sample.parts.clone();
            distinct.sort_unstable();
            distinct.dedup();
            let named = |what: &dyn Fn(usize) -> String| -> String {
                distinct.iter().map(|&i| format!("let p{i} = {} in ", what(i))).collect()
            };
            let argument = |i: usize| PARTS[i].1.replace('@', "c");
            let forms = [
                sample.program("", |i| part(i, "c")),
                // computed once, outside of all binders
                sample.program(&named(&|i| part(i, "c")), |i| format!("p{i}")),
                // the argument alone is computed outside
                sample.program(&named(&argument), |i| format!("({} p{i})", PARTS[i].0)),
                // computed inside of a binder, which it cannot leave
                sample.program("", |i| format!("integral01 (\\h => {})", part(i, "(c + 0 * h)"))),
            ];
            // that there is no derivative of an integral takes long to find
            let asked = if sample.stays() || index % 5 == 0 { &forms[..] } else { &forms[..3] };
            for form in asked {
                let answer = ask(form);
                if sample.stays() {
                    assert!(is(&answer, &sample.slope.to_string()), "{form}: {answer:?}");
                } else {
                    assert!(!answer.is_defined(), "{form}: {answer:?}, where a part has no value on one side");
                }
            }
            *(if sample.stays() { &mut staying } else { &mut leaving }) += 1;
            several += usize::from(distinct.len() < sample.parts.len());
        }
        let least = |share| crate::drawn(share) as usize;
        assert!(
            staying >= least(10) && leaving >= least(20) && several >= least(10),
            "{staying} stay, {leaving} leave, {several} share"
        );
    }
}
