//! Comparison of the semantics on programs in pieces (X1–X3), and counts over many programs.

use super::generate::{Program, Sample, sample, seamless};
use super::{asked, budget, eps, judged, pieces_are_the_program, term};
use crate::meaning::float::FloatingPoint;
use crate::meaning::pap::hooks::{Hooks, Library};
use crate::meaning::partial::Partially;
use crate::meaning::presheaf::Presheaf;
use crate::model::answer::{Cause, Meaning, MeaningError, Number};
use crate::number::{Enclosure, Rational};
use crate::random::Random;
use crate::syntax::term::Term;
use crate::syntax::ty::Ty;
use crate::value::Value;
use crate::verdict::Verdict;
use std::sync::Arc;

/// The answer of a semantics to a question about a number.
enum Heard {
    /// An enclosure of a number that certainly exists.
    Enclosure(Enclosure),
    /// A floating-point number with its estimated error.
    Float(f64, f64),
    /// The number certainly does not exist.
    Undefined,
    /// No information.
    Nothing,
}

/// Evaluates a closed real program in a semantics.
fn heard(meaning: &dyn Meaning, term: &Term) -> Heard {
    match meaning.answer(term, &Ty::real(), &eps(), &budget()).map(|answer| answer.value) {
        Ok(Value::Real(Number::Enclosure(found))) if found.enclosure.is_defined() => Heard::Enclosure(found.enclosure),
        Ok(Value::Real(Number::Float { value, error })) if value.is_finite() => Heard::Float(value, error),
        Err(MeaningError::Undefined(found)) if found.cause == Cause::Domain => Heard::Undefined,
        _ => Heard::Nothing,
    }
}

/// A question about a program at a point: its value, or its derivative.
struct Question<'p> {
    program: &'p Program,
    point: &'p Rational,
    is_slope: bool,
}

impl Question<'_> {
    /// Returns the text of the closed program that answers the question.
    fn text(&self) -> String {
        let word = if self.is_slope { "deriv " } else { "" };
        format!("{word}({}) ({})", self.program, self.point)
    }

    /// Returns the exact answer. Returns `None` if something is divided by 0.
    fn known(&self) -> Option<Rational> {
        let dual = self.program.at(self.point)?;
        Some(if self.is_slope { dual.slope } else { dual.value })
    }

    /// Compares all semantics. Off borders they have one number. On borders partial maps have none, and the derivative
    /// of presheaves is a set, which need not contain that of the piece.
    fn tried(&self, rules: &Arc<dyn Hooks>) -> Verdict {
        let text = self.text();
        let Some(term) = term(&text) else { return Verdict::refuted(text, "a program", "none") };
        let (known, touches) = (self.known(), self.program.touches(self.point));
        let mut all = judged(&|| text.clone(), known.as_ref(), asked(rules, None, &term));
        let said = |who: &str| format!("{who}: {text}");
        let inside = |who: &str, found: &Enclosure| match &known {
            Some(q) if found.contains(q) => Verdict::Survived,
            known => Verdict::refuted(said(who), found, format!("{known:?}")),
        };
        // X3: partial maps are defined off borders only, and agree there
        all = all.and(match (heard(&Partially::default(), &term), &known) {
            (Heard::Enclosure(found), _) if touches => {
                Verdict::refuted(said("partial, on a border"), found, "no value")
            }
            (Heard::Enclosure(found), _) => inside("partial", &found),
            (Heard::Undefined, Some(q)) if !touches => Verdict::refuted(said("partial"), "no value", q),
            _ => Verdict::Vacuous,
        });
        all = all.and(match heard(&Presheaf, &term) {
            // on a border the derivative of presheaves is a set that need not contain that of the piece (X2)
            Heard::Enclosure(found) if !(touches && self.is_slope) => inside("presheaf", &found),
            _ => Verdict::Vacuous,
        });
        all.and(match (heard(&FloatingPoint, &term), &known) {
            (Heard::Float(value, error), Some(q)) if !touches => {
                // a choice: 16 estimated errors, and a little for an estimate that is 0 by chance
                let (q, slack) = (q.to_f64(), 16.0 * error + 1e-6);
                match (value - q).abs() <= slack + 1e-6 * q.abs() {
                    true => Verdict::Survived,
                    false => Verdict::refuted(said("float"), value, q),
                }
            }
            _ => Verdict::Vacuous,
        })
    }

    /// Returns `true` if presheaves have a proper set of values that contains the number of the piece.
    fn is_in_a_set(&self) -> bool {
        let found = term(&self.text()).map(|term| heard(&Presheaf, &term));
        match (found, self.known()) {
            (Some(Heard::Enclosure(found)), Some(q)) => found.contains(&q) && !found.is_within(&eps()),
            _ => false,
        }
    }
}

/// Tests X1 to X3.
pub(super) fn meanings_agree(random: Random, rules: &Arc<dyn Hooks>) -> Verdict {
    let Sample { program, points, .. } = sample(random);
    let mut all = Verdict::Vacuous;
    for point in &points {
        for is_slope in [false, true] {
            all = all.and(Question { program: &program, point, is_slope }.tried(rules));
        }
    }
    all
}

/// Tests X3, and that its converse fails. On a border at which nothing changes partial maps have no value, and the
/// piece has the slope of the function. Beside the border both have that slope.
pub(super) fn borders_without_a_seam(random: Random, rules: &Arc<dyn Hooks>) -> Verdict {
    let (program, smooth, border) = seamless(random);
    let step = Rational::from((1, 1000));
    let mut all = Verdict::Vacuous;
    for (point, is_border) in
        [(border.clone(), true), (Rational::from(&border - &step), false), (Rational::from(&border + &step), false)]
    {
        let text = format!("deriv ({program}) ({point})");
        let (Some(term), Some(known)) = (term(&text), smooth.at(&point)) else {
            return Verdict::refuted(text, "a program with a value", "none");
        };
        all = all.and(judged(&|| text.clone(), Some(&known.slope), asked(rules, None, &term)));
        all = all.and(match (heard(&Partially::default(), &term), is_border) {
            (Heard::Undefined, true) => Verdict::Survived,
            (Heard::Enclosure(found), false) if found.contains(&known.slope) => Verdict::Survived,
            (Heard::Enclosure(found), _) => Verdict::refuted(format!("partial: {text}"), found, known.slope),
            (_, true) => Verdict::Vacuous,
            (_, false) => Verdict::refuted(format!("partial: {text}"), "no value", known.slope),
        });
    }
    all
}

/// The counts over a number of programs with borders.
#[derive(Clone, Debug, Default)]
pub struct Tally {
    /// The number of programs.
    pub programs: u64,
    /// The number of programs on which the semantics agreed in some answer.
    pub survived: u64,
    /// The number of programs without a claim.
    pub vacuous: u64,
    /// The refuted programs, by index, with their verdicts.
    pub refuted: Vec<(u64, Verdict)>,
    /// The number of programs with a border.
    pub branching: u64,
    /// The number of programs with a recursion.
    pub recursive: u64,
    /// The number of programs with a derivative other than 0 at one of their points.
    pub moving: u64,
    /// The number of points.
    pub points: u64,
    /// The number of points on a border.
    pub on_borders: u64,
    /// The number of these at which presheaves have several numbers for the derivative, that of the piece among them.
    pub sets: u64,
}

impl Tally {
    /// Compares all semantics on program number `index`, unfolds it, and counts it.
    pub fn add(&mut self, seed: u64, index: u64) {
        let rules: Arc<dyn Hooks> = Arc::new(Library);
        // one stream for all, so that both laws see the program that is counted
        let random = || Random::of(seed, index);
        let Sample { program, points, branches, recurs } = sample(random());
        let verdict = meanings_agree(random(), &rules).and(pieces_are_the_program(random(), &rules));
        self.programs += 1;
        match verdict {
            Verdict::Survived => self.survived += 1,
            Verdict::Vacuous => self.vacuous += 1,
            refuted => self.refuted.push((index, refuted)),
        }
        self.branching += u64::from(branches);
        self.recursive += u64::from(recurs);
        let moves = |point: &Rational| program.at(point).is_some_and(|dual| dual.slope != 0);
        self.moving += u64::from(points.iter().any(moves));
        self.points += points.len() as u64;
        for point in points.iter().filter(|point| program.touches(point)) {
            self.on_borders += 1;
            self.sets += u64::from(Question { program: &program, point, is_slope: true }.is_in_a_set());
        }
    }
}
