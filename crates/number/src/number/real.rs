//! Real numbers that can be asked: any width, or a stream of nested enclosures (S §6).
//!
//! A [`Real`] is computed by something that can be run at any precision and with any tolerance. Asking it for a width
//! escalates: `f64` first, then MPFR with the precision doubling, the tolerance of the solvers shrinking whenever a pass
//! left one of them open. A search that stopped at its limit of pieces gets more of them. Asking always ends: when the budget is
//! spent, or when two doublings in a row have narrowed nothing (up to eight where solvers stop at a tolerance), the best enclosure so far is the answer, marked as not reached, with
//! [why](Why) as far as that is shown. Equality of reals does not exist;
//! [overlap](Enclosure::overlaps) and [⊑](Enclosure::specializes) do.

use super::Rational;
use super::accuracy::Accuracy;
use super::budget::Budget;
use super::decimal;
use super::effort::{Effort, Left, Shortcuts};
use super::enclosure::Enclosure;
use super::magnitude::Magnitude;
use super::why::{Stuck, Why};
use std::cell::RefCell;
use std::sync::{Arc, Mutex, PoisonError};
use std::time::Instant;

/// The arithmetic of one pass.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Tier {
    /// [`Double`](super::double::Double)
    Double,
    /// [`Mpfr`](super::mpfr::Mpfr) with this many bits.
    Mpfr(u32),
}

impl Tier {
    /// The precision in bits.
    #[must_use]
    pub fn bits(self) -> u32 {
        match self {
            Self::Double => 53,
            Self::Mpfr(bits) => bits,
        }
    }
}

/// What computes a real number.
pub trait Approximation: Send + Sync {
    /// What can go wrong. Being undefined is not an error.
    type Error: From<Contradiction>;

    /// One pass: an enclosure, as narrow as the tier and the tolerance of the effort allow. On its way it may
    /// [tell](Effort::tell) others, at moments that do not depend on the budget. What it gives when the budget cuts it short
    /// is not used.
    ///
    /// # Errors
    /// As the implementation says.
    fn approximate(&self, tier: Tier, effort: &Effort) -> Result<Enclosure, Self::Error>;

    /// A precision below which the answer may be worthless: the size of the largest constant, in bits.
    fn least_precision(&self) -> u32 {
        53
    }

    /// Whether solvers have a part in it, which a tolerance stops. Without them a pass is the same with every tolerance.
    fn has_solver(&self) -> bool {
        true
    }
}

/// Two passes gave disjoint enclosures of one number: an enclosure is wrong.
#[derive(Clone, Debug, thiserror::Error)]
#[error(
    "two enclosures of one number are disjoint, {first} and {second}: a trusted primitive may be wrong, or this is a bug"
)]
pub struct Contradiction {
    /// The enclosure so far.
    pub first: Box<Enclosure>,
    /// The one that a later pass gave.
    pub second: Box<Enclosure>,
}

/// What asking a real number gives.
#[derive(Clone, Debug)]
pub struct Refined {
    /// The enclosure.
    pub enclosure: Enclosure,
    /// Whether it is certainly defined and as narrow as was asked.
    pub reached: bool,
    /// The precision of the last pass, in bits.
    pub bits: u32,
    /// Whether the budget ended the computation.
    pub exhausted: bool,
    /// The numbered places whose promise the answer rests on.
    pub assumed: Vec<u32>,
    /// Why it is wider than was asked; `None` where it is not, and where nobody has looked.
    pub why: Option<Why>,
}

impl Refined {
    /// ⊥, where there was no time to ask.
    #[must_use]
    pub fn unknown() -> Self {
        Self {
            enclosure: Enclosure::bottom(),
            reached: false,
            bits: 0,
            exhausted: true,
            assumed: Vec::new(),
            why: None,
        }
    }
}

/// A real number that can be asked. What it has learnt it keeps.
#[derive(Debug)]
pub struct Real<A> {
    source: Arc<A>,
    known: Mutex<Known>,
}

/// What all passes so far have given.
#[derive(Clone, Debug)]
struct Known {
    best: Enclosure,
    /// The numbered places whose promise `best` rests on.
    assumed: Vec<u32>,
}

/// Doublings without gain before giving up.
const PATIENCE: u32 = 2;
/// The same where solvers stop at a tolerance and the answer is far wider…
const LONG_PATIENCE: u32 = 8;
/// …but not below this precision, unless the passes are dear.
const ENOUGH_BITS: u32 = 2048;
/// A pass that costs more than this many coefficient operations is dear.
const DEAR: u64 = 200_000;
/// Passes at one precision with shrinking tolerance.
const PASSES: u32 = 6;
/// The first pass asks for nothing: one look by each solver, at ranges and no derivatives of them, so that something is known
/// of all of them.
const GLANCE: Magnitude = Magnitude::INFINITY;
/// The tolerance of the second is 2 to this power, where less is asked: it shows the shape of the answer.
const COARSE: i64 = -4;
/// By so many bits the tolerance of the solvers falls from pass to pass, at first.
const STEP: i64 = 6;
/// What is wider than asked by more bits than this lets it fall by all of them at once.
const FAR: i64 = 24;
/// More bits at once it never falls.
const LONGEST_STEP: i64 = 1 << 12;
/// The limits on the pieces of a search are raised this often at most.
const MOST_RAISED: u32 = 3;
/// The next pass takes so many times as long, when they are.
const RAISED_TAKES: u32 = 4;
/// The highest precision.
const MOST_BITS: u32 = 1 << 22;

/// Whether an enclosure is certainly defined and no wider than `eps` when its ends are printed.
fn is_within(enclosure: &Enclosure, eps: &Rational) -> bool {
    enclosure.is_defined() && decimal::is_printed_within(enclosure, eps)
}

impl<A: Approximation> Real<A> {
    /// The number that `source` computes.
    #[must_use]
    pub fn new(source: A) -> Self {
        let known = Known { best: Enclosure::bottom(), assumed: Vec::new() };
        Self { source: Arc::new(source), known: Mutex::new(known) }
    }

    /// The best enclosure known so far.
    #[must_use]
    pub fn best(&self) -> Enclosure {
        self.known.lock().unwrap_or_else(PoisonError::into_inner).best.clone()
    }

    /// Adds what a pass found, and the promises that it rests on. At its end it has met every promise again, and says which
    /// of them are needed still; before, it can only add to those of the passes before.
    fn learn(&self, found: &Enclosure, assumed: &[u32], at_end: bool) -> Result<Enclosure, Contradiction> {
        let mut known = self.known.lock().unwrap_or_else(PoisonError::into_inner);
        let Some(both) = known.best.intersection(found) else {
            return Err(Contradiction { first: Box::new(known.best.clone()), second: Box::new(found.clone()) });
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

    /// One pass. Enclosures that it meets on its way count when they are met, its result only if the budget did not cut it
    /// short: where a pass was cut decides how many enclosures are known, and none of them. So more work never gives less.
    fn pass(&self, tier: Tier, tolerance: Magnitude, raised: u32, budget: &Budget) -> Result<Left, A::Error> {
        let contradiction = RefCell::new(None);
        let hear = |found: &Enclosure, assumed: &[u32]| match self.learn(found, assumed, false) {
            Ok(best) => budget.improved(&best),
            Err(error) => drop(contradiction.replace(Some(error))),
        };
        let is_glance = tolerance >= GLANCE;
        let shortcuts = Shortcuts { expansions: !is_glance, ..Shortcuts::ALL };
        let effort = Effort::new(tolerance, budget).with_shortcuts(shortcuts).heard_by(&hear).raised(raised);
        let found = self.source.approximate(tier, &effort)?;
        if let Some(error) = contradiction.take() {
            return Err(error.into());
        }
        if !budget.is_cut() {
            budget.improved(&self.learn(&found, &effort.assumed(), true)?);
        }
        Ok(effort.left())
    }

    /// An enclosure of width at most `eps > 0`, or the best that the budget and the number itself allow.
    ///
    /// # Errors
    /// Those of the approximation; [`Contradiction`].
    pub fn enclose(&self, eps: &Rational, budget: &Budget) -> Result<Refined, A::Error> {
        self.refine(eps, None, budget)
    }

    /// An enclosure that is as accurate as asked, or the best that the budget and the number itself allow.
    ///
    /// # Errors
    /// As [`Real::enclose`].
    pub fn enclose_to(&self, accuracy: &Accuracy, budget: &Budget) -> Result<Refined, A::Error> {
        if !accuracy.is_relative() {
            return self.enclose(&accuracy.aim(&Enclosure::bottom()), budget);
        }
        // how large the number may be says to which width it is to be asked for
        self.pass(Tier::Double, GLANCE, 0, budget)?;
        let mut eps = accuracy.aim(&self.best());
        loop {
            let answer = self.refine(&eps, Some(accuracy), budget)?;
            let next = accuracy.aim(&answer.enclosure);
            let ends = answer.reached || answer.exhausted || accuracy.gives_up(&answer.enclosure, answer.bits);
            if ends || next >= eps || !is_within(&answer.enclosure, &eps) {
                return Ok(answer);
            }
            eps = next;
        }
    }

    /// An enclosure of width at most `eps > 0`, or the best that the budget and the number itself allow. Where another accuracy is
    /// what is wanted in the end, that one is reached or not, and one that reaches it is enough.
    fn refine(&self, eps: &Rational, accuracy: Option<&Accuracy>, budget: &Budget) -> Result<Refined, A::Error> {
        let in_the_end =
            |found: &Enclosure| accuracy.is_some_and(|accuracy| found.is_defined() && accuracy.admits(found));
        let goal = Magnitude::from_rational(eps);
        let wanted = u32::try_from((-goal.log2()).clamp(0, i64::from(MOST_BITS))).unwrap_or(MOST_BITS);
        let first = if wanted < 60 { Tier::Double } else { Tier::Mpfr(wanted.saturating_add(95) / 64 * 64) };
        // cheap passes first, so that there is an answer when the budget is small
        let mut tier = Tier::Double;
        let fine = goal.shifted(-3);
        let coarse = fine.max(Magnitude::power_of_two(COARSE));
        let mut tolerance = GLANCE;
        let mut width = Magnitude::INFINITY;
        let (mut passes, mut stale, mut doublings) = (0, 0, 1);
        let (mut raised, mut step) = (0, STEP);
        loop {
            let before = budget.work_done();
            let started = Instant::now();
            let known = self.best();
            let left = self.pass(tier, tolerance, raised, budget)?;
            let open = left.is_open;
            let Known { best: enclosure, assumed } = self.known.lock().unwrap_or_else(PoisonError::into_inner).clone();
            let near = is_within(&enclosure, eps);
            let reached = if accuracy.is_some() { in_the_end(&enclosure) } else { near };
            let exhausted = budget.is_exhausted();
            let bits = tier.bits();
            let answer = |enclosure: Enclosure, exhausted| {
                let why = (!reached && enclosure.is_defined()).then(|| match left {
                    _ if exhausted => Why::Time { pieces: None },
                    Left { capped_at: Some(pieces), .. } => Why::Time { pieces: Some(pieces) },
                    Left { stuck_at: Some(site), .. } => Why::Method { stuck: Stuck::Kink, site },
                    _ => Why::Unknown,
                });
                Refined { enclosure, reached, bits, exhausted, assumed, why }
            };
            if near || reached || exhausted {
                return Ok(answer(enclosure, exhausted));
            }
            let now = enclosure.width();
            let gained = now + now.shifted(-3) < width
                || known.is_defined() != enclosure.is_defined()
                || known.lo().is_finite() != enclosure.lo().is_finite()
                || known.hi().is_finite() != enclosure.hi().is_finite();
            width = now;
            passes += 1;
            if tolerance > coarse && coarse > fine && open {
                tolerance = coarse;
                continue;
            }
            // without a solver this pass was the next one too, and that gains nothing
            let is_over = tolerance > fine && tier == first && !self.source.has_solver();
            if tolerance > fine {
                (tier, tolerance) = (first, fine);
                passes = 0;
                width = now;
                if !is_over {
                    continue;
                }
            }
            let gained = gained && !is_over;
            let is_late = |times| budget.remaining().is_some_and(|left| left < started.elapsed() * times);
            if left.capped_at.is_some() && tolerance <= fine && raised < MOST_RAISED {
                // more pieces would have narrowed it
                if is_late(RAISED_TAKES) {
                    return Ok(answer(enclosure, true));
                }
                raised += 1;
                continue;
            }
            // how much less has to be asked of the solvers, if the answer is as many times as wide as what they find
            let missing = if now.is_finite() { now.log2().saturating_sub(goal.log2()).saturating_add(3) } else { 0 };
            let far = if missing > FAR { missing.min(LONGEST_STEP) } else { STEP };
            step = if gained || !now.is_finite() { far } else { step.saturating_mul(2).clamp(far, LONGEST_STEP) };
            if open && !enclosure.is_defined() && tolerance > Magnitude::power_of_two(COARSE) {
                // of a wide answer too it is to be shown that there is one
                tolerance = Magnitude::power_of_two(COARSE);
                continue;
            }
            if open && gained && passes < PASSES {
                stale = 0;
                // the solvers stopped at the tolerance: ask them for as much less as is missing
                tolerance = tolerance.shifted(-step);
                continue;
            }
            stale = if gained { 0 } else { stale + doublings };
            let dear = budget.work_done() - before > DEAR;
            let enough_bits = ENOUGH_BITS.max(self.source.least_precision().saturating_mul(2));
            // so much is missing that a tolerance has to fall several times before any of it is seen
            let patience = if open && missing > FAR { LONG_PATIENCE } else { PATIENCE };
            if (stale > patience && (tier.bits() >= enough_bits || dear)) || tier.bits() >= MOST_BITS {
                return Ok(answer(enclosure, false));
            }
            // the next pass costs a few times the last one
            if is_late(3) {
                return Ok(answer(enclosure, true));
            }
            if open {
                tolerance = tolerance.shifted(-step);
            }
            passes = 0;
            // on the way to the bits that are enough anyway, twice as many are passed over where the last ones gave nothing and cost little
            doublings = if stale > 1 && !dear && tier.bits().saturating_mul(4) <= enough_bits { 2 } else { 1 };
            tier = Tier::Mpfr(match tier {
                Tier::Double => 128.max(wanted.saturating_add(95) / 64 * 64),
                Tier::Mpfr(bits) => bits.saturating_mul(1 << doublings).min(MOST_BITS),
            });
        }
    }

    /// The stream of nested enclosures for the widths 1, 2⁻ˢ, 2⁻²ˢ, …: each lies inside the one before. It ends when an
    /// answer is not reached.
    pub fn stages<'r>(
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
