//! Real numbers that can be queried for any width, or for a stream of nested enclosures (S §6).
//!
//! A [`RefinableReal`] is computed by a source that runs at any precision and with any tolerance. A query for a width escalates: `f64`
//! first, then MPFR with the precision doubling. The tolerance of the solvers shrinks after each pass that left one of them open,
//! and a search that stopped at its limit of pieces gets more of them.
//!
//! Every query ends: when the budget is spent, or after two doublings in a row that narrowed nothing (up to eight where solvers
//! stop at a tolerance). While passes are cheap, it goes on to 2048 bits at least. The best enclosure so far is then the answer,
//! marked as not reached, with [the reason](WidthReason) if that is proved. Equality of reals is undecidable;
//! [overlap](Enclosure::overlaps) and [⊑](Enclosure::specializes) are decided.
//!
//! # The sign of a real number
//!
//! The sign of a real number, as far as it can be decided.
//!
//! A narrow enough enclosure shows that a number is positive, or that it is negative. It never shows that the number is 0, unless
//! the enclosure is the point 0. So a query may have no answer. It ends by its budget, or when enclosures get no narrower.
//!
//! # The reason for an enclosure wider than asked
//!
//! The reason for an enclosure wider than asked. A reason is given only if it is proved.
//!
//! | id | said only if |
//! |---|---|
//! | `set` | two numbers of the set are enclosed apart: the answer is no single number |
//! | `time` | a search ended at the limit of time, or at one on its pieces, where more would have narrowed it |
//! | `method` | a search is stuck: no more pieces narrow it, and it is seen why |
//! | `diverges` | an integral is shown to be infinite, or that of the absolute value is: there is no number |
//! | `unknown` | none of these is shown |
//!
//! That more digits do not narrow an answer proves nothing. They do not narrow a smooth integral over a thousand
//! waves either, until there are more panels.

use super::accuracy::{Accuracy, PassOptions, SolverOptions, UnfinishedWork};
use super::arithmetic::Sign;
use super::budget::{Budget, PassReport};
use super::decimal::DecimalWidth;
use super::enclosure::Enclosure;
use super::magnitude::Magnitude;
use super::{Rational, decimal};
use rug::Float;
use rug::float::Round;
use std::cell::RefCell;
use std::fmt;
use std::sync::{Arc, Mutex, PoisonError};
use std::time::Instant;

/// The arithmetic of one pass.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Precision {
    /// [`Double`](super::double::Double)
    Double,
    /// [`Mpfr`](super::mpfr::Mpfr) with this many bits.
    Mpfr(u32),
}

impl Precision {
    /// Returns the precision in bits.
    #[must_use]
    pub fn bits(self) -> u32 {
        match self {
            Self::Double => 53,
            Self::Mpfr(bits) => bits,
        }
    }
}

/// A source that computes a real number, pass by pass.
#[doc(alias("MarshallB", "λ_C"))]
pub trait ComputableReal: Send + Sync {
    /// The error of a pass. An undefined value is no error.
    type Error: From<DisjointEnclosures>;

    /// Computes one pass: an enclosure as narrow as the precision and the tolerance of the effort allow.
    ///
    /// A pass may [publish](PassOptions::publish_enclosure) enclosures before its end, at moments that do not depend on the budget. If the budget
    /// cuts the pass short, its result is not used.
    ///
    /// # Errors
    /// As the implementation says.
    fn enclose_in_pass(&self, tier: Precision, effort: &PassOptions) -> Result<Enclosure, Self::Error>;

    /// Returns a precision below which the answer may be worthless: the size of the largest constant, in bits.
    fn least_precision(&self) -> u32 {
        53
    }

    /// Returns `true` if the computation contains solvers, which stop at a tolerance. Without solvers a pass does not depend on
    /// the tolerance.
    fn contains_solver(&self) -> bool {
        true
    }
}

/// Two passes gave disjoint enclosures of one number: an enclosure is wrong.
#[derive(Clone, Debug, thiserror::Error)]
#[error(
    "two enclosures of one number are disjoint, {first} and {second}: a trusted primitive may be wrong, or this is a bug"
)]
pub struct DisjointEnclosures {
    /// The enclosure so far.
    pub first: Box<Enclosure>,
    /// The one that a later pass gave.
    pub second: Box<Enclosure>,
}

/// The answer to a query of a real number.
#[derive(Clone, Debug)]
pub struct RefinedEnclosure {
    /// The enclosure.
    pub enclosure: Enclosure,
    /// `true` if the enclosure is certainly defined and as narrow as asked.
    pub reached: bool,
    /// The precision of the last pass, in bits.
    pub bits: u32,
    /// `true` if the budget ended the computation.
    pub exhausted: bool,
    /// The numbered places of the promises on which the answer rests.
    pub assumed: Vec<u32>,
    /// The reason for a width larger than asked; `None` if there is none, or if it was not looked for.
    pub reason: Option<WidthReason>,
    /// The number itself, if it is known to be rational. `None` says nothing.
    pub exact: Option<Rational>,
    /// The numbered place of an integral that converges conditionally as far as is shown; `None` if there is none.
    pub conditional: Option<u32>,
}

impl RefinedEnclosure {
    /// Returns the number, if it is known exactly: as a rational, or since both ends are it. Exponents beyond ±4,096 are left out.
    #[must_use]
    pub fn exact_value(&self) -> Option<Rational> {
        if self.exact.is_some() {
            return self.exact.clone();
        }
        let (lo, hi) = (self.enclosure.lo(), self.enclosure.hi());
        let is_short = lo.get_exp().is_none_or(|exponent| exponent.unsigned_abs() <= 4096);
        let is_point = self.enclosure.is_defined() && lo == hi && is_short;
        is_point.then(|| lo.to_rational()).flatten()
    }

    /// Returns ⊥, marked as exhausted: the answer if there was no time to compute.
    #[must_use]
    pub fn unknown() -> Self {
        Self {
            enclosure: Enclosure::bottom(),
            reached: false,
            bits: 0,
            exhausted: true,
            assumed: Vec::new(),
            reason: None,
            exact: None,
            conditional: None,
        }
    }
}

/// A real number that can be queried. It keeps what earlier queries found.
#[derive(Debug)]
pub struct RefinableReal<A> {
    source: Arc<A>,
    /// `true` if integrals that converge conditionally have a value.
    allows_conditional: bool,
    known: Mutex<KnownEnclosure>,
}

/// The combined result of all passes so far.
#[derive(Clone, Debug)]
struct KnownEnclosure {
    best: Enclosure,
    /// The numbered places of the promises on which `best` rests.
    assumed: Vec<u32>,
    /// The numbered place of an integral that converges conditionally.
    conditional: Option<u32>,
}

/// The doublings of the precision without gain after which a query gives up. The constants below are choices: time against width.
const STALL_LIMIT: u32 = 2;
/// The patience if solvers stop at a tolerance and the answer is far wider than asked, by more than [`FAR_BITS`] bits.
const LONG_STALL_LIMIT: u32 = 8;
/// The precision in bits below which no query gives up, unless its passes are dear.
const ENOUGH_BITS: u32 = 2048;
/// The cost of a dear pass, in work units.
const EXPENSIVE_PASS: u64 = 200_000;
/// The most passes at one precision with shrinking tolerance.
const PASSES_PER_PRECISION: u32 = 6;
/// The tolerance of the first pass, which demands nothing. Each solver evaluates ranges once, without derivatives, so that some
/// enclosure is known for all of them.
const FIRST_TOLERANCE: Magnitude = Magnitude::INFINITY;
/// The binary exponent of the tolerance of the second pass, if the goal is finer: it gives the rough size of the answer.
const COARSE_EXPONENT: i64 = -4;
/// The bits by which the tolerance of the solvers falls from pass to pass, at first.
const STEP: i64 = 6;
/// The missing bits of width beyond which the tolerance falls by all of them at once.
const FAR_BITS: i64 = 24;
/// The most bits by which the tolerance falls at once.
const LONGEST_STEP: i64 = 1 << 12;
/// The most times that the limits on the pieces of a search are raised.
const MAX_RAISES: u32 = 3;
/// The factor by which the next pass is assumed to take longer when the limits are raised.
const RAISE_TIME_FACTOR: u32 = 4;
/// The highest precision in bits.
const MAX_PRECISION: u32 = 1 << 22;

/// Returns `true` if an enclosure is certainly defined and no wider than `eps` when its ends are printed.
fn is_within(enclosure: &Enclosure, eps: &Rational) -> bool {
    enclosure.is_defined() && decimal::is_printed_within(enclosure, eps)
}

impl<A: ComputableReal> RefinableReal<A> {
    /// Creates the number that `source` computes.
    #[must_use]
    pub fn new(source: A) -> Self {
        let known = KnownEnclosure { best: Enclosure::bottom(), assumed: Vec::new(), conditional: None };
        Self { source: Arc::new(source), allows_conditional: false, known: Mutex::new(known) }
    }

    /// Gives integrals that converge conditionally a value: the limit of integrals.
    ///
    /// Only the value of a program may rest on such an integral. Means, masses and densities may not: for them the order in which
    /// parts are added must not matter.
    #[must_use]
    pub fn with_conditional_integrals(self) -> Self {
        Self { allows_conditional: true, ..self }
    }

    /// Returns the best enclosure known so far.
    #[must_use]
    pub fn best_enclosure(&self) -> Enclosure {
        self.known.lock().unwrap_or_else(PoisonError::into_inner).best.clone()
    }

    /// Intersects the known enclosure with one of a pass, adds the promises on which that rests, and returns the intersection.
    ///
    /// At its end a pass has met every promise again, and its promises replace the known ones; before its end they are added to
    /// those of the earlier passes.
    fn add_enclosure(&self, found: &Enclosure, assumed: &[u32], at_end: bool) -> Result<Enclosure, DisjointEnclosures> {
        let mut known = self.known.lock().unwrap_or_else(PoisonError::into_inner);
        // Both enclose the same number, so that disjoint enclosures show an error.
        let Some(both) = known.best.intersection(found) else {
            return Err(DisjointEnclosures { first: Box::new(known.best.clone()), second: Box::new(found.clone()) });
        };
        if at_end {
            known.assumed.clear();
        }
        for site in assumed {
            if !known.assumed.contains(site) {
                known.assumed.push(*site);
            }
        }
        known.best = both.clone();
        Ok(both)
    }

    /// Runs one pass and returns what it left undone.
    ///
    /// Published enclosures count at once; the result counts only if the budget did not cut the pass short. The point of the cut
    /// decides how many enclosures are known, and changes none of them. So more work never gives less.
    fn run_pass(
        &self,
        tier: Precision,
        tolerance: Magnitude,
        raised: u32,
        budget: &Budget,
    ) -> Result<UnfinishedWork, A::Error> {
        let work_before = budget.work_done();
        // The observer cannot return an error, so that a contradiction is kept until the pass ends.
        let contradiction = RefCell::new(None);
        let hear = |found: &Enclosure, assumed: &[u32]| match self.add_enclosure(found, assumed, false) {
            Ok(best) => budget.report_improvement(&best),
            Err(error) => drop(contradiction.replace(Some(error))),
        };
        let is_glance = tolerance >= FIRST_TOLERANCE;
        let shortcuts = SolverOptions { expansions: !is_glance, ..SolverOptions::ALL };
        let effort = PassOptions::new(tolerance, budget)
            .with_solver_options(shortcuts)
            .with_observer(&hear)
            .with_conditional_integrals(self.allows_conditional)
            .with_raised_limits(raised);
        let found = self.source.enclose_in_pass(tier, &effort)?;
        if let Some(site) = effort.unfinished().conditional_at {
            self.known.lock().unwrap_or_else(PoisonError::into_inner).conditional = Some(site);
        }
        if let Some(error) = contradiction.take() {
            return Err(error.into());
        }
        if !budget.was_exhausted() {
            budget.report_improvement(&self.add_enclosure(&found, &effort.assumed_promises(), true)?);
        }
        let unfinished = effort.unfinished();
        budget.report_pass(&PassReport {
            precision: tier,
            tolerance,
            raised,
            best: self.best_enclosure(),
            unfinished,
            work: budget.work_done().saturating_sub(work_before),
        });
        Ok(unfinished)
    }

    /// Encloses the number to a width of at most `eps > 0`, or as well as the budget and the number itself allow.
    ///
    /// # Errors
    /// Those of the approximation; [`DisjointEnclosures`].
    pub fn enclose(&self, eps: &Rational, budget: &Budget) -> Result<RefinedEnclosure, A::Error> {
        self.refine_to(eps, None, budget)
    }

    /// Encloses the number as accurately as asked, or as well as the budget and the number itself allow.
    ///
    /// # Errors
    /// As [`RefinableReal::enclose`].
    pub fn enclose_to(&self, accuracy: &Accuracy, budget: &Budget) -> Result<RefinedEnclosure, A::Error> {
        if !accuracy.is_relative() {
            return self.enclose(&accuracy.next_width(&Enclosure::bottom()), budget);
        }
        // A relative accuracy needs the size of the number before it becomes a width.
        self.run_pass(Precision::Double, FIRST_TOLERANCE, 0, budget)?;
        let mut eps = accuracy.next_width(&self.best_enclosure());
        loop {
            let answer = self.refine_to(&eps, Some(accuracy), budget)?;
            let next = accuracy.next_width(&answer.enclosure);
            // The new target width is smaller only if the number turned out smaller than known before.
            let ends = answer.reached || answer.exhausted || accuracy.should_give_up(&answer.enclosure, answer.bits);
            if ends || next >= eps || !is_within(&answer.enclosure, &eps) {
                return Ok(answer);
            }
            eps = next;
        }
    }

    /// Encloses the number to a width of at most `eps > 0`, or as well as the budget and the number itself allow.
    ///
    /// If `accuracy` is given, it is the final goal: it decides whether the answer is reached, and an enclosure that reaches it
    /// ends the query.
    fn refine_to(
        &self,
        eps: &Rational,
        accuracy: Option<&Accuracy>,
        budget: &Budget,
    ) -> Result<RefinedEnclosure, A::Error> {
        let in_the_end =
            |found: &Enclosure| accuracy.is_some_and(|accuracy| found.is_defined() && accuracy.is_reached_by(found));
        let goal = Magnitude::from_rational(eps);
        let wanted = u32::try_from((-goal.floor_log2()).clamp(0, i64::from(MAX_PRECISION))).unwrap_or(MAX_PRECISION);
        // A width of 2⁻⁶⁰ is out of reach in doubles for a number of size 1; else 32 guard bits or more, rounded to whole limbs.
        let first = if wanted < 60 { Precision::Double } else { Precision::Mpfr(wanted.saturating_add(95) / 64 * 64) };
        // Cheap passes first, so that there is an answer even under a small budget.
        let mut tier = Precision::Double;
        // An eighth of the goal: the widths of several solvers and of the rounding add up.
        let fine = goal.mul_exp2(-3);
        let coarse = fine.max(Magnitude::power_of_two(COARSE_EXPONENT));
        let mut tolerance = FIRST_TOLERANCE;
        let mut width = Magnitude::INFINITY;
        let (mut passes, mut stale, mut doublings) = (0, 0, 1);
        let (mut raised, mut step) = (0, STEP);
        loop {
            let before = budget.work_done();
            let started = Instant::now();
            let known = self.best_enclosure();
            let left = self.run_pass(tier, tolerance, raised, budget)?;
            let open = left.is_open;
            let KnownEnclosure { best: enclosure, assumed, conditional } =
                self.known.lock().unwrap_or_else(PoisonError::into_inner).clone();
            let near = is_within(&enclosure, eps);
            let reached = if accuracy.is_some() { in_the_end(&enclosure) } else { near };
            let exhausted = budget.is_exhausted();
            let bits = tier.bits();
            let answer = |enclosure: Enclosure, exhausted| {
                let has_no_value = !enclosure.is_defined() && left.diverges_at.is_some();
                let why = (!reached && (enclosure.is_defined() || has_no_value)).then(|| match left {
                    _ if has_no_value => WidthReason::Diverges,
                    _ if exhausted => WidthReason::Time { pieces: left.cut_at, is_capped: false },
                    UnfinishedWork { capped_at: pieces @ Some(_), .. } => WidthReason::Time { pieces, is_capped: true },
                    UnfinishedWork { stuck_at: Some(site), .. } => {
                        WidthReason::Method { stuck: UndecidedSearch::KinkSide, site }
                    }
                    UnfinishedWork { set_at: Some(site), .. } => {
                        WidthReason::Method { stuck: UndecidedSearch::SlopeSets, site }
                    }
                    _ => WidthReason::Unknown,
                });
                RefinedEnclosure { enclosure, reached, bits, exhausted, assumed, reason: why, exact: None, conditional }
            };
            // What has no value gets none by more work.
            let has_no_value = !enclosure.is_defined() && left.diverges_at.is_some();
            if near || reached || exhausted || has_no_value {
                return Ok(answer(enclosure, exhausted));
            }
            // A gain is a width smaller by more than a ninth, or an end or the definedness that became known.
            let now = enclosure.width();
            let gained = now + now.mul_exp2(-3) < width
                || known.is_defined() != enclosure.is_defined()
                || known.lo().is_finite() != enclosure.lo().is_finite()
                || known.hi().is_finite() != enclosure.hi().is_finite();
            width = now;
            passes += 1;
            if tolerance > coarse && coarse > fine && open {
                tolerance = coarse;
                continue;
            }
            // Without solvers the next pass at the same precision would repeat this one, and a repetition gains nothing.
            let is_over = tolerance > fine && tier == first && !self.source.contains_solver();
            if tolerance > fine {
                (tier, tolerance) = (first, fine);
                passes = 0;
                width = now;
                if !is_over {
                    continue;
                }
            }
            let gained = gained && !is_over;
            let is_late = |times| budget.remaining_time().is_some_and(|left| left < started.elapsed() * times);
            if left.capped_at.is_some() && tolerance <= fine && raised < MAX_RAISES {
                // More pieces would narrow the search.
                if is_late(RAISE_TIME_FACTOR) {
                    return Ok(answer(enclosure, true));
                }
                raised += 1;
                continue;
            }
            // The bits by which the tolerance must fall, if the answer is wider than the solvers' results by a constant factor.
            let missing =
                if now.is_finite() { now.floor_log2().saturating_sub(goal.floor_log2()).saturating_add(3) } else { 0 };
            let far = if missing > FAR_BITS { missing.min(LONGEST_STEP) } else { STEP };
            step = if gained || !now.is_finite() { far } else { step.saturating_mul(2).clamp(far, LONGEST_STEP) };
            if open && !enclosure.is_defined() && tolerance > Magnitude::power_of_two(COARSE_EXPONENT) {
                // A wide answer should be proved to exist too, and that needs no fine tolerance.
                tolerance = Magnitude::power_of_two(COARSE_EXPONENT);
                continue;
            }
            if open && gained && passes < PASSES_PER_PRECISION {
                stale = 0;
                // The solvers stopped at the tolerance, so that a smaller one narrows the answer at the same precision.
                tolerance = tolerance.mul_exp2(-step);
                continue;
            }
            stale = if gained { 0 } else { stale + doublings };
            if left.set_at.is_some() && !gained && enclosure.is_defined() {
                // A set gets no narrower; its ends are known to the tolerance.
                return Ok(answer(enclosure, false));
            }
            let dear = budget.work_done() - before > EXPENSIVE_PASS;
            let enough_bits = ENOUGH_BITS.max(self.source.least_precision().saturating_mul(2));
            // If many bits are missing, the tolerance must fall several times before the answer narrows at all.
            let patience = if open && missing > FAR_BITS { LONG_STALL_LIMIT } else { STALL_LIMIT };
            if (stale > patience && (tier.bits() >= enough_bits || dear)) || tier.bits() >= MAX_PRECISION {
                return Ok(answer(enclosure, false));
            }
            // A choice: the next pass is assumed to take three times the last one, and is not begun if that exceeds the time
            // left.
            if is_late(3) {
                return Ok(answer(enclosure, true));
            }
            if open {
                tolerance = tolerance.mul_exp2(-step);
            }
            passes = 0;
            // Below the bits that are required anyway, one doubling is skipped if the last ones gained nothing and cost little.
            doublings = if stale > 1 && !dear && tier.bits().saturating_mul(4) <= enough_bits { 2 } else { 1 };
            tier = Precision::Mpfr(match tier {
                Precision::Double => 128.max(wanted.saturating_add(95) / 64 * 64),
                Precision::Mpfr(bits) => bits.saturating_mul(1 << doublings).min(MAX_PRECISION),
            });
        }
    }

    /// Returns a stream of nested enclosures for the widths 1, 2⁻ˢ, 2⁻²ˢ, …, s = `step`. Each lies inside the one before. The
    /// stream ends with the first answer that does not reach its width.
    pub fn nested_enclosures<'r>(
        &'r self,
        step: u32,
        budget: &'r Budget,
    ) -> impl Iterator<Item = Result<Enclosure, A::Error>> + 'r {
        let mut next = Some(Rational::from(1));
        std::iter::from_fn(move || {
            let eps = next.take()?;
            match self.enclose(&eps, budget) {
                Ok(answer) => {
                    if answer.reached {
                        next = Some(eps >> step);
                    }
                    Some(Ok(answer.enclosure))
                }
                Err(e) => Some(Err(e)),
            }
        })
    }
}

/// The answer to a query for a sign.
#[derive(Clone, Debug)]
pub struct SignAnswer {
    /// The sign; undecided for 0, for a set that contains 0, and if nothing is known.
    pub sign: Sign,
    /// The enclosure that decides the sign, or the last one.
    pub answer: RefinedEnclosure,
}

/// The largest exponent of the widths 2⁻⁴, 2⁻¹⁶, …, 2⁻⁴⁰⁹⁶ that are tried. A choice.
const FINEST: u32 = 1 << 12;

impl SignAnswer {
    /// Returns an undecided answer, if there was no time to compute.
    #[must_use]
    pub fn undecided() -> Self {
        Self { sign: Sign::Undecided, answer: RefinedEnclosure::unknown() }
    }
}

impl Enclosure {
    /// Returns the sign of every number in the enclosure, if it is certainly defined and they have the same sign; else undecided.
    #[must_use]
    pub fn sign(&self) -> Sign {
        match self.is_defined() {
            true if *self.lo() > 0 => Sign::Positive,
            true if *self.hi() < 0 => Sign::Negative,
            _ => Sign::Undecided,
        }
    }
}

impl<A: ComputableReal> RefinableReal<A> {
    /// Returns the sign, by enclosures of smaller and smaller width.
    ///
    /// # Errors
    /// Those of [`RefinableReal::enclose`].
    pub fn decide_sign(&self, budget: &Budget) -> Result<SignAnswer, A::Error> {
        let mut exponent = 4;
        loop {
            let answer = self.enclose(&(Rational::from(1) >> exponent), budget)?;
            let sign = answer.enclosure.sign();
            let is_zero = answer.enclosure.is_point();
            if sign != Sign::Undecided || is_zero || !answer.reached || exponent >= FINEST {
                return Ok(SignAnswer { sign, answer });
            }
            // The digits quadruple: the last query takes most of the time, and little is lost if an early one decides.
            exponent *= 4;
        }
    }
}

/// The reason for an enclosure wider than asked.
#[derive(Clone, Debug, PartialEq)]
#[non_exhaustive]
pub enum WidthReason {
    /// The answer encloses a set of several numbers. One of its numbers lies in the first of these enclosures, another one in the
    /// second, which lies above the first. The ends of the set lie between these and the ends of the answer.
    Set(Box<[Enclosure; 2]>),
    /// A search was ended by the clock, or at a limit of pieces, although more work would have narrowed it.
    Time {
        /// The number of pieces that it had, if that is known.
        pieces: Option<u64>,
        /// `true` if that was the limit, and the clock was not.
        is_capped: bool,
    },
    /// A search at a numbered place is stuck.
    Method {
        /// The decision that the search cannot make.
        stuck: UndecidedSearch,
        /// The place.
        site: u32,
    },
    /// An integral has no value: it is infinite, or that of the absolute value is.
    Diverges,
    /// None of these is shown.
    Unknown,
}

/// A decision that a stuck search cannot make.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum UndecidedSearch {
    /// The side of a kink on which the integrand of an integral lies.
    KinkSide,
    /// The slopes of an integrand, which are known as sets only, so that the derivative of its integral is.
    SlopeSets,
    /// The place, among several, at which the function of an optimum is largest.
    MaximiserPlace,
}

impl WidthReason {
    /// Returns the name of the reason for programs.
    #[must_use]
    pub fn id(&self) -> &'static str {
        match self {
            Self::Set(_) => "set",
            Self::Time { .. } => "time",
            Self::Method { .. } => "method",
            Self::Diverges => "diverges",
            Self::Unknown => "unknown",
        }
    }

    /// Returns an upper bound of the error of the ends of the set, given the answer that encloses it.
    ///
    /// Returns `None` unless the reason is a set, or if an end of the answer is infinite.
    #[must_use]
    pub fn error_of_ends(&self, answer: &Enclosure) -> Option<DecimalWidth> {
        let Self::Set(within) = self else { return None };
        let [low, high] = &**within;
        // Rounded up at 64 bits, more than the four digits that are printed; never below 0.
        let up = |a: &Float, b: &Float| Float::with_val_round(64, a - b, Round::Up).0.max(&Float::new(64));
        let gap = up(low.hi(), answer.lo()).max(&up(answer.hi(), high.lo()));
        gap.is_finite().then(|| DecimalWidth::between_decimals("0", &gap.to_string_radix_round(10, Some(4), Round::Up)))
    }

    /// Returns the reason as a sentence about an answer.
    #[must_use]
    pub fn to_sentence(&self, answer: &Enclosure) -> String {
        match self {
            Self::Set(_) => match self.error_of_ends(answer) {
                Some(width) if width.is_zero() => "this is a set, not one number: its ends are exact".to_owned(),
                Some(width) => format!("this is a set, not one number: its ends are known to {width}"),
                None => "this is a set, not one number: its ends are not known".to_owned(),
            },
            other => other.to_string(),
        }
    }
}

/// Writes a number with its digits in groups of three: `41,210`.
fn group_digits(number: u64) -> String {
    let digits = number.to_string();
    let first = (digits.len() - 1) % 3 + 1;
    let rest = digits.as_bytes()[first..].chunks(3).map(String::from_utf8_lossy);
    std::iter::once(digits[..first].into()).chain(rest).collect::<Vec<_>>().join(",")
}

/// Writes a number of pieces: `1 piece`, `41,210 pieces`.
fn count_pieces(pieces: u64) -> String {
    format!("{} piece{}", group_digits(pieces), if pieces == 1 { "" } else { "s" })
}

/// Prints the reason without the numbers that depend on the answer.
impl fmt::Display for WidthReason {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Set(_) => f.write_str("this is a set, not one number"),
            Self::Time { pieces: None, .. } => f.write_str("given up when its time was over"),
            Self::Time { pieces: Some(pieces), is_capped: false } => {
                write!(f, "given up after {}; --timeout or --effort helps", count_pieces(*pieces))
            }
            Self::Time { pieces: Some(pieces), is_capped: true } => {
                write!(f, "given up at the limit of {}; --effort helps", count_pieces(*pieces))
            }
            Self::Method { stuck: UndecidedSearch::KinkSide, .. } => f.write_str(
                "no method finds the side of a kink that the integrand is on, and the ends are not shown to be those of a set",
            ),
            Self::Method { stuck: UndecidedSearch::SlopeSets, .. } => {
                f.write_str("the derivative of an integral in it is known as a set only")
            }
            Self::Method { stuck: UndecidedSearch::MaximiserPlace, .. } => f.write_str("no method here tells the places apart"),
            Self::Diverges => f.write_str("the integral diverges"),
            Self::Unknown => f.write_str("wider than asked; the cause is not known"),
        }
    }
}
