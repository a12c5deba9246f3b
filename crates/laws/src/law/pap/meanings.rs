//! What the other meanings say of programs in pieces (X1–X3), and many programs of which that is asked.

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

/// What a meaning says.
enum Heard {
    /// Where the number lies.
    Enclosure(Enclosure),
    /// A floating-point number, and how far off it may be.
    Float(f64, f64),
    /// Certainly no number.
    Undefined,
    /// Nothing.
    Nothing,
}

fn heard(meaning: &dyn Meaning, term: &Term) -> Heard {
    match meaning.answer(term, &Ty::real(), &eps(), &budget()).map(|answer| answer.value) {
        Ok(Value::Real(Number::Enclosure(found))) if found.enclosure.is_defined() => Heard::Enclosure(found.enclosure),
        Ok(Value::Real(Number::Float { value, error })) if value.is_finite() => Heard::Float(value, error),
        Err(MeaningError::Undefined(found)) if found.cause == Cause::Domain => Heard::Undefined,
        _ => Heard::Nothing,
    }
}

/// What is asked of a program at a point: its value, or its derivative.
struct Question<'p> {
    program: &'p Program,
    point: &'p Rational,
    is_slope: bool,
}

impl Question<'_> {
    fn text(&self) -> String {
        let word = if self.is_slope { "deriv " } else { "" };
        format!("{word}({}) ({})", self.program, self.point)
    }

    fn known(&self) -> Option<Rational> {
        let dual = self.program.at(self.point)?;
        Some(if self.is_slope { dual.slope } else { dual.value })
    }

    /// Off borders all meanings have one number; on them partial maps have none, and the derivative of presheaves is a set, of
    /// which the one of the piece need not be an element.
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
        all = all.and(match (heard(&Partially::default(), &term), &known) {
            (Heard::Enclosure(found), _) if touches => {
                Verdict::refuted(said("partial, on a border"), found, "no value")
            }
            (Heard::Enclosure(found), _) => inside("partial", &found),
            (Heard::Undefined, Some(q)) if !touches => Verdict::refuted(said("partial"), "no value", q),
            _ => Verdict::Vacuous,
        });
        all = all.and(match heard(&Presheaf, &term) {
            Heard::Enclosure(found) if !(touches && self.is_slope) => inside("presheaf", &found),
            _ => Verdict::Vacuous,
        });
        all.and(match (heard(&FloatingPoint, &term), &known) {
            (Heard::Float(value, error), Some(q)) if !touches => {
                let (q, slack) = (q.to_f64(), 16.0 * error + 1e-6);
                match (value - q).abs() <= slack + 1e-6 * q.abs() {
                    true => Verdict::Survived,
                    false => Verdict::refuted(said("float"), value, q),
                }
            }
            _ => Verdict::Vacuous,
        })
    }

    /// Whether presheaves have a set that is no number, with the number of the piece in it.
    fn is_in_a_set(&self) -> bool {
        let found = term(&self.text()).map(|term| heard(&Presheaf, &term));
        match (found, self.known()) {
            (Some(Heard::Enclosure(found)), Some(q)) => found.contains(&q) && !found.is_within(&eps()),
            _ => false,
        }
    }
}

/// X1–X3.
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

/// X3, and that its converse is wrong: on a border at which nothing changes, partial maps have no value, and the piece has the slope of the
/// function; beside it both have that.
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

/// What was found of a number of programs with borders.
#[derive(Clone, Debug, Default)]
pub struct Tally {
    /// How many there were.
    pub programs: u64,
    /// How many agreed in something that was asked.
    pub survived: u64,
    /// Of how many nothing was found out.
    pub vacuous: u64,
    /// The others.
    pub refuted: Vec<(u64, Verdict)>,
    /// How many have a border.
    pub branching: u64,
    /// How many have a recursion.
    pub recursive: u64,
    /// How many have, at one of their points, a derivative that is not 0.
    pub moving: u64,
    /// At how many points they were asked.
    pub points: u64,
    /// How many of these lie on a border.
    pub on_borders: u64,
    /// At how many of these presheaves have more than one number for the derivative, of which that of the piece is one.
    pub sets: u64,
}

impl Tally {
    /// Asks all meanings of one more program, and unfolds it.
    pub fn add(&mut self, seed: u64, index: u64) {
        let rules: Arc<dyn Hooks> = Arc::new(Library);
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
