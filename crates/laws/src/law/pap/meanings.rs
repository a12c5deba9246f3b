//! Comparison of the semantics on programs in pieces (X1–X3), and counts over many programs.

use super::generate::{PiecesSample, PiecewiseProgram, draw_sample, draw_seamless};
use super::{ask_pieces, infer_term, judge_answer, law_tolerance, pieces_are_the_program, work_budget};
use crate::meaning::float::FloatSemantics;
use crate::meaning::pap::hooks::{DefaultPiecewiseHooks, PiecewiseHooks};
use crate::meaning::partial::PartialSemantics;
use crate::meaning::presheaf::PresheafSemantics;
use crate::model::answer::{AnswerNumber, Semantics, SemanticsError, UndefinedCause};
use crate::number::{Enclosure, Rational};
use crate::random::SplitMix64;
use crate::syntax::term::Term;
use crate::syntax::ty::Ty;
use crate::value::Value;
use crate::verdict::Verdict;
use std::sync::Arc;

/// The answer of a semantics to a question about a number.
enum SemanticsAnswer {
    /// An enclosure of a number that certainly exists.
    Enclosure(Enclosure),
    /// A floating-point number with its estimated error.
    Float(f64, f64),
    /// The number certainly does not exist.
    Undefined,
    /// No information.
    Unknown,
}

/// Evaluates a closed real program in a semantics.
fn ask_semantics(meaning: &dyn Semantics, term: &Term) -> SemanticsAnswer {
    match meaning.evaluate(term, &Ty::real(), &law_tolerance(), &work_budget()).map(|answer| answer.value) {
        Ok(Value::Real(AnswerNumber::Enclosure(found))) if found.enclosure.is_defined() => {
            SemanticsAnswer::Enclosure(found.enclosure)
        }
        Ok(Value::Real(AnswerNumber::Float { value, error })) if value.is_finite() => {
            SemanticsAnswer::Float(value, error)
        }
        Err(SemanticsError::Undefined(found)) if found.cause == UndefinedCause::Domain => SemanticsAnswer::Undefined,
        _ => SemanticsAnswer::Unknown,
    }
}

/// A question about a program at a point: its value, or its derivative.
struct PointQuestion<'p> {
    program: &'p PiecewiseProgram,
    point: &'p Rational,
    is_slope: bool,
}

impl PointQuestion<'_> {
    /// Returns the text of the closed program that answers the question.
    fn program_text(&self) -> String {
        let word = if self.is_slope { "deriv " } else { "" };
        format!("{word}({}) ({})", self.program, self.point)
    }

    /// Returns the exact answer. Returns `None` if something is divided by 0.
    fn exact_answer(&self) -> Option<Rational> {
        let dual = self.program.eval_dual(self.point)?;
        Some(if self.is_slope { dual.slope } else { dual.value })
    }

    /// Compares all semantics. Off borders they have one number. On borders partial maps have none, and the derivative
    /// of presheaves is a set, which need not contain that of the piece.
    fn check_semantics(&self, rules: &Arc<dyn PiecewiseHooks>) -> Verdict {
        let text = self.program_text();
        let Some(term) = infer_term(&text) else { return Verdict::refuted(text, "a program", "none") };
        let (known, touches) = (self.exact_answer(), self.program.is_on_border(self.point));
        let mut all = judge_answer(&|| text.clone(), known.as_ref(), ask_pieces(rules, None, &term));
        let said = |who: &str| format!("{who}: {text}");
        let inside = |who: &str, found: &Enclosure| match &known {
            Some(q) if found.contains(q) => Verdict::Survived,
            known => Verdict::refuted(said(who), found, format!("{known:?}")),
        };
        // X3: partial maps are defined off borders only, and agree there
        all = all.and(match (ask_semantics(&PartialSemantics::default(), &term), &known) {
            (SemanticsAnswer::Enclosure(found), _) if touches => {
                Verdict::refuted(said("partial, on a border"), found, "no value")
            }
            (SemanticsAnswer::Enclosure(found), _) => inside("partial", &found),
            (SemanticsAnswer::Undefined, Some(q)) if !touches => Verdict::refuted(said("partial"), "no value", q),
            _ => Verdict::Vacuous,
        });
        all = all.and(match ask_semantics(&PresheafSemantics, &term) {
            // on a border the derivative of presheaves is a set that need not contain that of the piece (X2)
            SemanticsAnswer::Enclosure(found) if !(touches && self.is_slope) => inside("presheaf", &found),
            _ => Verdict::Vacuous,
        });
        all.and(match (ask_semantics(&FloatSemantics, &term), &known) {
            (SemanticsAnswer::Float(value, error), Some(q)) if !touches => {
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
        let found = infer_term(&self.program_text()).map(|term| ask_semantics(&PresheafSemantics, &term));
        match (found, self.exact_answer()) {
            (Some(SemanticsAnswer::Enclosure(found)), Some(q)) => {
                found.contains(&q) && !found.has_width_at_most(&law_tolerance())
            }
            _ => false,
        }
    }
}

/// Tests X1 to X3.
pub(super) fn meanings_agree(random: SplitMix64, rules: &Arc<dyn PiecewiseHooks>) -> Verdict {
    let PiecesSample { program, points, .. } = draw_sample(random);
    let mut all = Verdict::Vacuous;
    for point in &points {
        for is_slope in [false, true] {
            all = all.and(PointQuestion { program: &program, point, is_slope }.check_semantics(rules));
        }
    }
    all
}

/// Tests X3, and that its converse fails. On a border at which nothing changes partial maps have no value, and the
/// piece has the slope of the function. Beside the border both have that slope.
pub(super) fn borders_without_a_seam(random: SplitMix64, rules: &Arc<dyn PiecewiseHooks>) -> Verdict {
    let (program, smooth, border) = draw_seamless(random);
    let step = Rational::from((1, 1000));
    let mut all = Verdict::Vacuous;
    for (point, is_border) in
        [(border.clone(), true), (Rational::from(&border - &step), false), (Rational::from(&border + &step), false)]
    {
        let text = format!("deriv ({program}) ({point})");
        let (Some(term), Some(known)) = (infer_term(&text), smooth.eval_dual(&point)) else {
            return Verdict::refuted(text, "a program with a value", "none");
        };
        all = all.and(judge_answer(&|| text.clone(), Some(&known.slope), ask_pieces(rules, None, &term)));
        all = all.and(match (ask_semantics(&PartialSemantics::default(), &term), is_border) {
            (SemanticsAnswer::Undefined, true) => Verdict::Survived,
            (SemanticsAnswer::Enclosure(found), false) if found.contains(&known.slope) => Verdict::Survived,
            (SemanticsAnswer::Enclosure(found), _) => Verdict::refuted(format!("partial: {text}"), found, known.slope),
            (_, true) => Verdict::Vacuous,
            (_, false) => Verdict::refuted(format!("partial: {text}"), "no value", known.slope),
        });
    }
    all
}

/// The counts over a number of programs with borders.
#[derive(Clone, Debug, Default)]
pub struct PiecesTally {
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
    pub nonconstant: u64,
    /// The number of points.
    pub points: u64,
    /// The number of points on a border.
    pub on_borders: u64,
    /// The number of these at which presheaves have several numbers for the derivative, that of the piece among them.
    pub set_derivatives: u64,
}

impl PiecesTally {
    /// Compares all semantics on program number `index`, unfolds it, and counts it.
    pub fn add_program(&mut self, seed: u64, index: u64) {
        let rules: Arc<dyn PiecewiseHooks> = Arc::new(DefaultPiecewiseHooks);
        // one stream for all, so that both laws see the program that is counted
        let random = || SplitMix64::for_sample(seed, index);
        let PiecesSample { program, points, branches, recurs } = draw_sample(random());
        let verdict = meanings_agree(random(), &rules).and(pieces_are_the_program(random(), &rules));
        self.programs += 1;
        match verdict {
            Verdict::Survived => self.survived += 1,
            Verdict::Vacuous => self.vacuous += 1,
            refuted => self.refuted.push((index, refuted)),
        }
        self.branching += u64::from(branches);
        self.recursive += u64::from(recurs);
        let moves = |point: &Rational| program.eval_dual(point).is_some_and(|dual| dual.slope != 0);
        self.nonconstant += u64::from(points.iter().any(moves));
        self.points += points.len() as u64;
        for point in points.iter().filter(|point| program.is_on_border(point)) {
            self.on_borders += 1;
            self.set_derivatives += u64::from(PointQuestion { program: &program, point, is_slope: true }.is_in_a_set());
        }
    }
}
