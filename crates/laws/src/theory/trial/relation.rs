//! The comparison of two answers, or of an answer and an interval.

use super::{Refuted, Standing};
use crate::law::agreement::{Mismatch, Part, parts};
use crate::model::answer::Answer;
use crate::number::{Enclosure, Rational, real};
use crate::theory::law::{Relation, Right};
use crate::verdict::Verdict;

/// The two sides of a relation, evaluated at a tolerance.
#[derive(Debug)]
pub struct Sides {
    /// The relation that is asserted.
    relation: Relation,
    /// The parts of the left answer.
    left: Vec<Part>,
    /// The parts of the right answer; empty for an interval.
    right: Vec<Part>,
    /// The ends of the interval on the right side, if there is one.
    interval: Option<(Rational, Rational)>,
}

/// The result of the comparison of one pair of parts.
enum Compared {
    /// The parts are related, as far as enclosures can show it.
    Related,
    /// The parts are certainly not related.
    Unrelated,
    /// The answers are too wide, or undefined.
    Unknown,
}

impl Sides {
    /// Collects the parts of both sides. `answer` is `None` for an interval, which is taken from `right`.
    #[must_use]
    pub fn new(relation: Relation, left: &Answer, answer: Option<&Answer>, right: &Right) -> Self {
        let interval = match right {
            Right::Interval(low, high) => Some((low.clone(), high.clone())),
            Right::Term(_) | Right::Derived => None,
        };
        Self { relation, left: parts(left), right: answer.map(parts).unwrap_or_default(), interval }
    }

    /// Returns the verdict on a sample of a law.
    pub fn law(&self, eps: &Rational) -> Verdict {
        match self.compare(eps) {
            Compared::Related => Verdict::Survived,
            Compared::Unrelated => Verdict::refuted("", self.shown_left(eps), self.shown_right(eps)),
            Compared::Unknown => Verdict::Vacuous,
        }
    }

    /// Returns the outcome of a claim.
    #[must_use]
    pub fn claim(&self, eps: &Rational) -> Standing {
        let (left, right) = (self.shown_left(eps), self.shown_right(eps));
        match self.compare(eps) {
            Compared::Related => Standing::Holds,
            Compared::Unrelated => Standing::Refuted(Refuted { program: None, left, right }),
            Compared::Unknown => {
                Standing::Open(format!("{left} and {right} may be related, but not both are as narrow as {eps}"))
            }
        }
    }

    /// Compares all parts. One unrelated pair decides; otherwise one unknown pair leaves the whole unknown.
    fn compare(&self, eps: &Rational) -> Compared {
        if let Some((low, high)) = &self.interval {
            return match &self.left[..] {
                [Part::Enclosure(left)] => larger(left, low, high, eps),
                _ => Compared::Unknown,
            };
        }
        let mut result = Compared::Related;
        for place in 0..self.left.len().max(self.right.len()) {
            // answers of different shapes are different values, whatever their numbers are
            if Mismatch::between(&self.left, &self.right, place).is_some() {
                return Compared::Unrelated;
            }
            let compared = match (&self.left[place], &self.right[place]) {
                // `left >= right` is decided against an interval, so the right side must be exact to within `eps`
                (Part::Enclosure(left), Part::Enclosure(right)) => match self.relation {
                    Relation::Larger => {
                        let found = &right.enclosure;
                        match (found.lo().to_rational(), found.hi().to_rational()) {
                            (Some(low), Some(high)) if found.is_defined() && right.reached => {
                                larger(left, &low, &high, eps)
                            }
                            _ => Compared::Unknown,
                        }
                    }
                    _ => overlap(left, right),
                },
                (Part::Word { text, .. }, Part::Word { text: other, .. }) if text == other => Compared::Related,
                (Part::Word { .. }, Part::Word { .. }) => Compared::Unrelated,
                _ => Compared::Unknown,
            };
            match compared {
                Compared::Unrelated => return Compared::Unrelated,
                Compared::Unknown => result = Compared::Unknown,
                Compared::Related => {}
            }
        }
        result
    }

    /// Prints the left side, to within `eps`.
    fn shown_left(&self, eps: &Rational) -> String {
        shown(&self.left, eps)
    }

    /// Prints the right side, to within `eps`.
    fn shown_right(&self, eps: &Rational) -> String {
        match &self.interval {
            Some((low, high)) => format!("{low} .. {high}"),
            None => shown(&self.right, eps),
        }
    }
}

/// Compares two enclosures of a number for overlap. Disjoint defined enclosures refute; overlap counts only if both are
/// narrow.
fn overlap(left: &real::Refined, right: &real::Refined) -> Compared {
    let both_defined = left.enclosure.is_defined() && right.enclosure.is_defined();
    match (both_defined, left.enclosure.overlaps(&right.enclosure)) {
        (true, false) => Compared::Unrelated,
        (true, true) if left.reached && right.reached => Compared::Related,
        _ => Compared::Unknown,
    }
}

/// Compares the enclosure of a set with an interval that is known to within `eps`. The set is unrelated if it certainly
/// does not contain it.
fn larger(left: &real::Refined, low: &Rational, high: &Rational, eps: &Rational) -> Compared {
    let found = &left.enclosure;
    // ⊥ contains every interval, which carries no information
    if !found.is_defined() || !found.is_bounded() {
        return Compared::Unknown;
    }
    let inside = *found.lo() <= Rational::from(low + eps) && *found.hi() >= Rational::from(high - eps);
    match (inside, left.exhausted) {
        (false, _) => Compared::Unrelated,
        (true, false) => Compared::Related,
        // the enclosure is wider than the set might be: more work may leave the interval outside
        (true, true) => Compared::Unknown,
    }
}

/// Returns the enclosure of an answer that is a single real number. Returns `None` for every other answer.
pub(super) fn only_enclosure(answer: &Answer) -> Option<Enclosure> {
    match &parts(answer)[..] {
        [Part::Enclosure(answer)] => Some(answer.enclosure.clone()),
        _ => None,
    }
}

/// Returns `true` if every part is a number that stayed wider than the tolerance although work was left. Such sets do
/// not become narrower at a finer tolerance.
pub(super) fn has_no_more(answer: &Answer) -> bool {
    let parts = parts(answer);
    let stayed = |part: &Part| matches!(part, Part::Enclosure(found) if !found.reached && !found.exhausted);
    !parts.is_empty() && parts.iter().all(stayed)
}

/// Prints the parts of an answer on one line.
fn shown(parts: &[Part], eps: &Rational) -> String {
    let shown: Vec<String> = parts
        .iter()
        .map(|part| match part {
            Part::Enclosure(answer) if !answer.enclosure.is_defined() => "undefined".to_owned(),
            Part::Enclosure(answer) => answer.enclosure.decimals(eps).to_string(),
            Part::Float { value, .. } => value.to_string(),
            Part::Word { text, .. } => text.clone(),
            Part::Undecided => "undefined".to_owned(),
        })
        .collect();
    match &shown[..] {
        [one] => one.clone(),
        several => format!("({})", several.join(", ")),
    }
}

/// Returns the outcome of `e undefined` for this answer.
pub(super) fn undefined(answer: &Answer, eps: &Rational) -> Standing {
    let answers = parts(answer);
    if let [Part::Undecided] = &answers[..] {
        return Standing::Holds;
    }
    let [Part::Enclosure(answer)] = &answers[..] else { return Standing::Open("not a real number".to_owned()) };
    let found = &answer.enclosure;
    // ⊥ by exhaustion is no proof: more work might define the value
    match (found.is_bottom() || !found.is_defined(), answer.exhausted) {
        (true, false) => Standing::Holds,
        (true, true) => Standing::Open("nothing was found out in the time".to_owned()),
        (false, _) => {
            let (left, right) = (found.decimals(eps).to_string(), "undefined".to_owned());
            Standing::Refuted(Refuted { program: None, left, right })
        }
    }
}

/// The value that `within` asserts.
#[derive(Clone, Copy, Debug)]
pub(super) struct Claimed<'c> {
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
pub(super) fn within(answer: &Answer, claimed: Claimed<'_>, eps: &Rational) -> Standing {
    let Claimed { tolerance, low, high, reached } = claimed;
    let answers = parts(answer);
    let [Part::Enclosure(answer)] = &answers[..] else { return Standing::Open("not a real number".to_owned()) };
    let found = &answer.enclosure;
    let inside = *found.lo() >= Rational::from(low - tolerance) && *found.hi() <= Rational::from(high + tolerance);
    let encloses = found.contains(low) && found.contains(high);
    if found.is_defined() && inside && encloses && answer.reached == reached {
        return Standing::Holds;
    }
    // more work might narrow the answer into the tolerance; an answer that misses an end is wrong already
    if encloses && answer.exhausted {
        return Standing::Open(format!("only {} was found in the time", found.decimals(eps)));
    }
    let ends = if low == high { low.to_string() } else { format!("{low} .. {high}") };
    let word = |reached: bool| if reached { "reached" } else { "not reached" };
    Standing::Refuted(Refuted {
        program: None,
        left: format!("{}, {}", found.decimals(eps), word(answer.reached)),
        right: format!(
            "within {tolerance} of {ends}, {}{}",
            word(reached),
            // a decimal that is near and not exact is the usual mistake, so the message names it
            if low == high && inside && !encloses { about(low) } else { String::new() }
        ),
    })
}

/// The largest number of decimals that a message states. A choice.
const MOST_DIGITS: usize = 1000;

/// Returns the advice for a claimed number that is near the value and not equal to it: more digits, or an expression.
fn about(claimed: &Rational) -> String {
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
