//! Every rule has a mutant, and for every mutant there is a program that shows it: the model encloses the true value, and
//! the mutant does not. Beside each value stands where it comes from.

mod calculus;
mod derivatives;
mod model;
mod reverse;
mod solvers;
mod values;

use smoothish::meaning::presheaf::PresheafSemantics;
use smoothish::model::answer::{AnswerNumber as Answered, Semantics};
use smoothish::number::budget::Budget;
use smoothish::number::{Enclosure, Rational, decimal};
use smoothish::syntax::library::Library;
use smoothish::theory::builtin;
use smoothish::value::Value;
use smoothish::wrong::{Mutation, all_mutants, named};
use std::collections::HashSet;
use std::sync::{Arc, LazyLock};
use std::time::Duration;

/// The name of a mutation, a program, and its true value.
pub type Row = (&'static str, &'static str, Truth);

/// What a program is in truth.
#[derive(Clone, Copy)]
pub enum Truth {
    /// A number, exactly or to twenty digits, and a closed form.
    Number(&'static str, &'static str),
    /// A set with these ends, and why.
    Set(&'static str, &'static str, &'static str),
    /// No number, and why.
    Bottom(&'static str),
}

fn rows() -> impl Iterator<Item = &'static Row> {
    [values::ROWS, derivatives::ROWS, calculus::ROWS, solvers::ROWS, model::ROWS, reverse::ROWS].into_iter().flatten()
}

static THEORIES: LazyLock<Library> = LazyLock::new(builtin::library);

fn rational(text: &str) -> Rational {
    decimal::parse(text).unwrap_or_else(|e| panic!("{text}: {e:?}"))
}

fn ask(meaning: &dyn Semantics, program: &str) -> Result<Enclosure, String> {
    let (term, ty) = THEORIES.infer_expression(program).unwrap_or_else(|e| panic!("{program}: {e}"));
    let budget = Arc::new(Budget::with_time_limit(Duration::from_secs(20)));
    match meaning.evaluate(&term, &ty, &rational("1e-6"), &budget) {
        Ok(answer) => match answer.value {
            Value::Real(Answered::Enclosure(real)) => Ok(real.enclosure),
            other => panic!("{}: {program}: {other:?}", meaning.name()),
        },
        Err(error) => Err(error.to_string()),
    }
}

impl std::fmt::Display for Truth {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self {
            Self::Number(value, form) => write!(f, "{value}, that is {form}"),
            Self::Set(lo, hi, why) => write!(f, "[{lo}, {hi}], since {why}"),
            Self::Bottom(why) => write!(f, "no number, since {why}"),
        }
    }
}

impl Truth {
    /// Whether an enclosure holds it, to twenty digits.
    fn lies_in(self, enclosure: &Enclosure) -> bool {
        let slack = rational("1e-19");
        match self {
            Self::Number(value, _) => {
                let value = rational(value);
                let near = [value.clone() - &slack, value.clone(), value + &slack];
                enclosure.is_defined() && near.iter().any(|q| enclosure.contains(q))
            }
            Self::Set(lo, hi, _) => {
                enclosure.is_defined() && enclosure.contains(&rational(lo)) && enclosure.contains(&rational(hi))
            }
            Self::Bottom(_) => !enclosure.is_defined(),
        }
    }

    /// Whether an enclosure is as narrow as the truth, up to a tolerance of 1e-6.
    fn is_all_of(self, enclosure: &Enclosure) -> bool {
        match self {
            Self::Number(..) => enclosure.has_width_at_most(&rational("1e-6")),
            Self::Set(lo, hi, _) => enclosure.has_width_at_most(&(rational(hi) - rational(lo) + rational("2e-6"))),
            Self::Bottom(_) => true,
        }
    }
}

#[test]
fn every_mutation_has_a_program_that_shows_it() {
    let mut faults = Vec::new();
    for &(name, program, truth) in rows() {
        match ask(&PresheafSemantics, program) {
            Ok(right) if truth.lies_in(&right) && truth.is_all_of(&right) => {}
            other => faults.push(format!("{name}: {program}: {truth} in the model: {other:?}")),
        }
        let Some(mutant) = named(name) else {
            faults.push(format!("{name} is the name of no mutation"));
            continue;
        };
        match ask(&mutant, program) {
            Ok(wrong) if !truth.lies_in(&wrong) => {}
            // what it found first was right, and what it found then is not
            Err(error) if error.contains("two enclosures of ") && error.contains("disjoint") => {}
            other => faults.push(format!("{name}: {program}: {truth} in the mutant: {other:?}")),
        }
    }
    let shown: HashSet<_> = rows().map(|(name, ..)| *name).collect();
    // rules of the macro change no answer: `taylor/mutants` and `theory/derives` show them
    let answers = |m: &Mutation| *m != Mutation::Bottom && m.of_macro().is_none();
    let hidden = Mutation::all().into_iter().filter(|m| answers(m) && !shown.contains(m.name()));
    faults.extend(hidden.map(|m| format!("{} has no program", m.name())));
    assert!(faults.is_empty(), "{} faults\n{}", faults.len(), faults.join("\n"));
}

#[test]
fn names_are_unique_and_every_rule_is_described() {
    let all = all_mutants();
    assert!(all.len() >= 140, "{} mutants", all.len());
    let names: HashSet<_> = all.iter().map(|mutant| mutant.name()).collect();
    assert_eq!(names.len(), all.len(), "two mutations have one name");
    let models: HashSet<_> = smoothish::meaning::all_semantics().iter().map(|meaning| meaning.name()).collect();
    for mutant in all {
        let (name, rule, instead) = (mutant.name(), mutant.0.rule(), mutant.0.instead());
        assert!(name.bytes().all(|b| b.is_ascii_lowercase() || b.is_ascii_digit() || b == b'_'), "{name}");
        assert!(!rule.is_empty() && !instead.is_empty() && rule != instead, "{name}");
        assert!(!models.contains(name) && mutant.is_certified(), "{name}");
        assert_eq!(named(name), Some(mutant));
        assert!(smoothish::meaning::semantics_named(name).is_none(), "{name}");
    }
    assert!(named("presheaf").is_none());
}

/// The mutant without information: every number is ⊥, and everything else is as it was.
#[test]
fn bottom_knows_no_number() {
    let bottom = named("bottom").expect("a mutant");
    for &(_, program, _) in rows() {
        assert!(ask(&bottom, program).expect(program).is_bottom(), "{program}");
    }
}

/// The mutant of weakening hides the variable next to the one that is bound, and no other: those further out keep their values.
#[test]
fn forgotten_weakening_hides_one_variable() {
    let mutant = named("weakening_forgotten").expect("a mutant");
    for (body, value) in [("w", "11"), ("z", "7"), ("x", "3"), ("y", "3")] {
        let program = format!("(\\w => \\z => \\x => let y = 3 in {body}) 11 7 5");
        let found = ask(&mutant, &program).expect(&program);
        assert!(found.contains(&rational(value)) && found.has_width_at_most(&rational("1e-6")), "{program}: {found}");
    }
}

/// Programs of every kind. A mutant is wrong in what its rule concerns, and equal to the model elsewhere.
const CONTROLS: &[&str] = &[
    "deriv (\\x => sin x * exp x) 1",
    "integral01 (\\x => max 0 (x - 0.3))",
    "let rec f n = if n == 0 then 0 else f (n - 1) + 0.5 in f 3",
    "snd (tangent_R.to (tangent (\\x => x^3) (tangent_R.from (2, 1))))",
    "cutRoot (\\x => 2 - x^3)",
    "deriv (\\c => firstRoot (\\x => c - x)) 0.5",
    "deriv (\\c => max01 (\\x => c * x - x^2)) 1",
    "log (1 + atan (tanh 0.5)) / cosh 1",
    "fold (\\x => \\s => x + 2 * s) 0 [1, 2, 3]",
    "deriv (\\x => abs x) 1 + deriv (deriv cbrt) 8",
];

#[test]
fn mutants_are_right_where_their_rule_is_not_used() {
    let right: Vec<_> = CONTROLS.iter().map(|program| ask(&PresheafSemantics, program).expect(program)).collect();
    for mutant in all_mutants().into_iter().filter(|mutant| mutant.0 != Mutation::Bottom) {
        let same = |(program, right): (&&str, &Enclosure)| {
            let found = ask(&mutant, program);
            let ends = |x: &Enclosure| (x.lo().clone(), x.hi().clone(), x.is_defined());
            found.is_ok_and(|found| ends(&found) == ends(right))
        };
        let equal = CONTROLS.iter().zip(&right).filter(|pair| same(*pair)).count();
        assert!(equal >= 4, "{} agrees with the model on {equal} of {} programs", mutant.name(), CONTROLS.len());
    }
}
