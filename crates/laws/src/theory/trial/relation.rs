//! The comparison of two answers, or of an answer and an interval.
//!
//! For `~`, a side that is undefined, a set, or wider than asked decides nothing. For `>=` the larger side must be
//! bounded, and the smaller one narrow, or an interval. So the model that always answers ⊥ lets no law survive.

use super::{StatementOutcome, StatementRefutation};
use crate::law::agreement::{AnswerPart, Mismatch, answer_parts};
use crate::model::answer::ProgramAnswer;
use crate::number::{Enclosure, Rational, real};
use crate::theory::law::{RightSide, StatementRelation};
use crate::verdict::Verdict;

/// The two sides of a relation, evaluated at a tolerance.
#[derive(Debug)]
pub struct ComparedSides {
    /// The relation that is asserted.
    relation: StatementRelation,
    /// The parts of the left answer.
    left: Vec<AnswerPart>,
    /// The parts of the right answer; empty for an interval.
    right: Vec<AnswerPart>,
    /// The ends of the interval on the right side, if there is one.
    interval: Option<(Rational, Rational)>,
}

/// The result of the comparison of one pair of parts.
enum PairComparison {
    /// The parts are related, as far as enclosures can show it.
    Related,
    /// The parts are certainly not related.
    Unrelated,
    /// The answers are too wide, or undefined.
    Unknown,
}

impl ComparedSides {
    /// Collects the parts of both sides. `answer` is `None` for an interval, which is taken from `right`.
    #[must_use]
    pub fn new(
        relation: StatementRelation,
        left: &ProgramAnswer,
        answer: Option<&ProgramAnswer>,
        right: &RightSide,
    ) -> Self {
        let interval = match right {
            RightSide::Interval(low, high) => Some((low.clone(), high.clone())),
            RightSide::Term(_) | RightSide::Derived => None,
        };
        Self { relation, left: answer_parts(left), right: answer.map(answer_parts).unwrap_or_default(), interval }
    }

    /// Returns the verdict on a sample of a law.
    pub fn law_verdict(&self, eps: &Rational) -> Verdict {
        match self.compare_parts(eps) {
            PairComparison::Related => Verdict::Survived,
            PairComparison::Unrelated => Verdict::refuted("", self.shown_left(eps), self.shown_right(eps)),
            PairComparison::Unknown => Verdict::Vacuous,
        }
    }

    /// Returns the outcome of a claim.
    #[must_use]
    pub fn claim_outcome(&self, eps: &Rational) -> StatementOutcome {
        let (left, right) = (self.shown_left(eps), self.shown_right(eps));
        match self.compare_parts(eps) {
            PairComparison::Related => StatementOutcome::Holds,
            PairComparison::Unrelated => StatementOutcome::Refuted(StatementRefutation { program: None, left, right }),
            PairComparison::Unknown => StatementOutcome::Undecided(format!(
                "{left} and {right} may be related, but not both are as narrow as {eps}"
            )),
        }
    }

    /// Compares all parts. One unrelated pair decides; otherwise one unknown pair leaves the whole unknown.
    fn compare_parts(&self, eps: &Rational) -> PairComparison {
        if let Some((low, high)) = &self.interval {
            return match &self.left[..] {
                [AnswerPart::Enclosure(left)] => compare_containment(left, low, high, eps),
                _ => PairComparison::Unknown,
            };
        }
        let mut result = PairComparison::Related;
        for place in 0..self.left.len().max(self.right.len()) {
            // answers of different shapes are different values, whatever their numbers are
            if Mismatch::find_mismatch(&self.left, &self.right, place).is_some() {
                return PairComparison::Unrelated;
            }
            let compared = match (&self.left[place], &self.right[place]) {
                // `left >= right` is decided against an interval, so the right side must be exact to within `eps`
                (AnswerPart::Enclosure(left), AnswerPart::Enclosure(right)) => match self.relation {
                    StatementRelation::Contains => {
                        let found = &right.enclosure;
                        match (found.lo().to_rational(), found.hi().to_rational()) {
                            (Some(low), Some(high)) if found.is_defined() && right.reached => {
                                compare_containment(left, &low, &high, eps)
                            }
                            _ => PairComparison::Unknown,
                        }
                    }
                    _ => compare_overlap(left, right),
                },
                (AnswerPart::Word { text, .. }, AnswerPart::Word { text: other, .. }) if text == other => {
                    PairComparison::Related
                }
                (AnswerPart::Word { .. }, AnswerPart::Word { .. }) => PairComparison::Unrelated,
                _ => PairComparison::Unknown,
            };
            match compared {
                PairComparison::Unrelated => return PairComparison::Unrelated,
                PairComparison::Unknown => result = PairComparison::Unknown,
                PairComparison::Related => {}
            }
        }
        result
    }

    /// Prints the left side, to within `eps`.
    fn shown_left(&self, eps: &Rational) -> String {
        format_parts(&self.left, eps)
    }

    /// Prints the right side, to within `eps`.
    fn shown_right(&self, eps: &Rational) -> String {
        match &self.interval {
            Some((low, high)) => format!("{low} .. {high}"),
            None => format_parts(&self.right, eps),
        }
    }
}

/// Compares two enclosures of a number for overlap. Disjoint defined enclosures refute; overlap counts only if both are
/// narrow.
fn compare_overlap(left: &real::RefinedEnclosure, right: &real::RefinedEnclosure) -> PairComparison {
    let both_defined = left.enclosure.is_defined() && right.enclosure.is_defined();
    match (both_defined, left.enclosure.overlaps(&right.enclosure)) {
        (true, false) => PairComparison::Unrelated,
        (true, true) if left.reached && right.reached => PairComparison::Related,
        _ => PairComparison::Unknown,
    }
}

/// Compares the enclosure of a set with an interval that is known to within `eps`. The set is unrelated if it certainly
/// does not contain it.
fn compare_containment(
    left: &real::RefinedEnclosure,
    low: &Rational,
    high: &Rational,
    eps: &Rational,
) -> PairComparison {
    let found = &left.enclosure;
    // ⊥ contains every interval, which carries no information
    if !found.is_defined() || !found.is_bounded() {
        return PairComparison::Unknown;
    }
    let inside = *found.lo() <= Rational::from(low + eps) && *found.hi() >= Rational::from(high - eps);
    match (inside, left.exhausted) {
        (false, _) => PairComparison::Unrelated,
        (true, false) => PairComparison::Related,
        // the enclosure is wider than the set might be: more work may leave the interval outside
        (true, true) => PairComparison::Unknown,
    }
}

/// Returns the enclosure of an answer that is a single real number. Returns `None` for every other answer.
pub(super) fn only_enclosure(answer: &ProgramAnswer) -> Option<Enclosure> {
    match &answer_parts(answer)[..] {
        [AnswerPart::Enclosure(answer)] => Some(answer.enclosure.clone()),
        _ => None,
    }
}

/// Returns `true` if every part is a number that stayed wider than the tolerance although work was left. Such sets do
/// not become narrower at a finer tolerance.
pub(super) fn stays_wide(answer: &ProgramAnswer) -> bool {
    let parts = answer_parts(answer);
    let stayed = |part: &AnswerPart| matches!(part, AnswerPart::Enclosure(found) if !found.reached && !found.exhausted);
    !parts.is_empty() && parts.iter().all(stayed)
}

/// Prints the parts of an answer on one line.
fn format_parts(parts: &[AnswerPart], eps: &Rational) -> String {
    let shown: Vec<String> = parts
        .iter()
        .map(|part| match part {
            AnswerPart::Enclosure(answer) if !answer.enclosure.is_defined() => "undefined".to_owned(),
            AnswerPart::Enclosure(answer) => answer.enclosure.print_decimals(eps).to_string(),
            AnswerPart::Float { value, .. } => value.to_string(),
            AnswerPart::Word { text, .. } => text.clone(),
            AnswerPart::Undecided => "undefined".to_owned(),
        })
        .collect();
    match &shown[..] {
        [one] => one.clone(),
        several => format!("({})", several.join(", ")),
    }
}

/// Returns the outcome of `e undefined` for this answer.
pub(super) fn undefined_outcome(answer: &ProgramAnswer, eps: &Rational) -> StatementOutcome {
    let answers = answer_parts(answer);
    if let [AnswerPart::Undecided] = &answers[..] {
        return StatementOutcome::Holds;
    }
    let [AnswerPart::Enclosure(answer)] = &answers[..] else {
        return StatementOutcome::Undecided("not a real number".to_owned());
    };
    let found = &answer.enclosure;
    // ⊥ by exhaustion is no proof: more work might define the value
    match (found.is_bottom() || !found.is_defined(), answer.exhausted) {
        (true, false) => StatementOutcome::Holds,
        (true, true) => StatementOutcome::Undecided("nothing was found out in the time".to_owned()),
        (false, _) => {
            let (left, right) = (found.print_decimals(eps).to_string(), "undefined".to_owned());
            StatementOutcome::Refuted(StatementRefutation { program: None, left, right })
        }
    }
}

/// The value that `within` asserts.
#[derive(Clone, Copy, Debug)]
pub(super) struct WithinClaim<'c> {
    /// The distance by which the answer may extend beyond the ends.
    pub(super) tolerance: &'c Rational,
    /// The lower end.
    pub(super) low: &'c Rational,
    /// The upper end.
    pub(super) high: &'c Rational,
    /// `true` if the tolerance must be reached.
    pub(super) reached: bool,
}

/// Returns the outcome of `e within d of a .. b` for this answer.
pub(super) fn within_outcome(answer: &ProgramAnswer, claimed: WithinClaim<'_>, eps: &Rational) -> StatementOutcome {
    let WithinClaim { tolerance, low, high, reached } = claimed;
    let answers = answer_parts(answer);
    let [AnswerPart::Enclosure(answer)] = &answers[..] else {
        return StatementOutcome::Undecided("not a real number".to_owned());
    };
    let found = &answer.enclosure;
    let inside = *found.lo() >= Rational::from(low - tolerance) && *found.hi() <= Rational::from(high + tolerance);
    let encloses = found.contains(low) && found.contains(high);
    if found.is_defined() && inside && encloses && answer.reached == reached {
        return StatementOutcome::Holds;
    }
    // more work might narrow the answer into the tolerance; an answer that misses an end is wrong already
    if encloses && answer.exhausted {
        return StatementOutcome::Undecided(format!("only {} was found in the time", found.print_decimals(eps)));
    }
    let ends = if low == high { low.to_string() } else { format!("{low} .. {high}") };
    let word = |reached: bool| if reached { "reached" } else { "not reached" };
    StatementOutcome::Refuted(StatementRefutation {
        program: None,
        left: format!("{}, {}", found.print_decimals(eps), word(answer.reached)),
        right: format!(
            "within {tolerance} of {ends}, {}{}",
            word(reached),
            // a decimal that is near and not exact is the usual mistake, so the message names it
            if low == high && inside && !encloses { more_digits_advice(low) } else { String::new() }
        ),
    })
}

/// The largest number of decimals that a message states. A choice.
const MOST_DIGITS: usize = 1000;

/// Returns the advice for a claimed number that is near the value and not equal to it: more digits, or an expression.
fn more_digits_advice(claimed: &Rational) -> String {
    let mut rest = Rational::from(claimed.abs_ref());
    let digits = (0..=MOST_DIGITS).find(|_| {
        let is_whole = rest.is_integer();
        rest *= 10;
        is_whole
    });
    let stated = match digits {
        Some(1) => "more than the 1 digit behind the point".to_owned(),
        Some(digits) => format!("more than the {digits} digits behind the point"),
        None => "more digits".to_owned(),
    };
    format!("; it is as near as that, but the claim is of the exact value: state {stated}, or e ~ an expression for it")
}
