//! The accuracy asked of a number: a width, a width relative to its size, or either of them.
//!
//! | accuracy | an enclosure `[lo, hi]` of x is accurate enough if |
//! |---|---|
//! | [`Accuracy::within`] eps | hi - lo ≤ eps |
//! | [`Accuracy::relative`] rel | hi - lo ≤ rel·min{\|y\| : y ∈ [lo, hi]}, which is rel·\|x\| at most |
//! | [`Accuracy::significant_digits`] n | the same for rel = 10⁻ⁿ: each number of it is x but for less than a unit of the n-th digit of x |
//! | both | one of them holds |
//!
//! The printed ends count. For 0 no positive relative width exists, so that a relative accuracy alone is reached for 0 only by
//! the enclosure `[0, 0]`. Narrowing never shows that a number is 0. So a number that is below 2⁻¹⁰²⁴ and may be 0 is not
//! narrowed any further for a relative width, nor is any number below 2^-2²¹. A number beyond 2^±2²¹ is judged as any other: by
//! the digits and the exponents of its printed ends.
//!
//! # The options and the state of one pass
//!
//! Tolerance, budget, and what the solvers leave open.

use super::decimal;
use super::decimal::{DecimalWidth, Decimals};
use super::enclosure::Enclosure;
use super::magnitude::Magnitude;
use crate::number::budget::Budget;
use rug::float::Round;
use rug::ops::Pow;
use rug::{Float, Integer, Rational};
use std::cell::{Cell, RefCell};
use std::fmt;

/// The accuracy asked of a number; see the [module](self).
///
/// ```
/// use smoothish_number::number::{Accuracy, Enclosure, Rational};
/// use rug::Float;
/// let found = Enclosure::new(Float::with_val(53, 1e30), Float::with_val(53, 1.0001e30), true).unwrap();
/// assert!(Accuracy::relative(Rational::from((1, 1000))).is_reached_by(&found));
/// assert!(Accuracy::significant_digits(3).is_reached_by(&found) && !Accuracy::significant_digits(5).is_reached_by(&found));
/// assert!(!Accuracy::from(Rational::from(1)).is_reached_by(&found));
/// ```
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Accuracy {
    absolute: Option<Rational>,
    relative: Option<Rational>,
}

/// The largest binary exponent of a size, and minus the least: beyond it a rational would be too long. A choice.
const SIZE_EXPONENT_LIMIT: i32 = 1 << 21;
/// The binary exponent of the size below which a number that may be 0 is not narrowed further. A choice: the range of a double.
const ZERO_EXPONENT: i64 = -1024;
/// The bits below its largest size to which a number is narrowed at least, while its size is unknown. A choice.
const UNKNOWN_SIZE_BITS: u32 = 20;

impl Accuracy {
    /// Asks for a width of `eps > 0`.
    #[must_use]
    pub fn within(eps: Rational) -> Self {
        Self { absolute: Some(eps), relative: None }
    }

    /// Asks for a width of `rel > 0` times the size of the number.
    #[must_use]
    pub fn relative(rel: Rational) -> Self {
        Self { absolute: None, relative: Some(rel) }
    }

    /// Asks for `n` significant digits.
    #[must_use]
    pub fn significant_digits(n: u32) -> Self {
        Self::relative(Rational::from((1, Integer::from(10).pow(n))))
    }

    /// Accepts a width of `eps > 0` as well.
    #[must_use]
    pub fn or_within(self, eps: Rational) -> Self {
        Self { absolute: Some(eps), ..self }
    }

    /// Returns the absolute width that is enough; `None` if there is none.
    #[must_use]
    pub fn eps(&self) -> Option<&Rational> {
        self.absolute.as_ref()
    }

    /// Returns `true` if there is a relative width, so that the size of the number matters.
    #[must_use]
    pub fn is_relative(&self) -> bool {
        self.relative.is_some()
    }

    /// Returns `true` if every tolerance is positive, and there is one.
    #[must_use]
    pub fn is_positive(&self) -> bool {
        self.smallest_tolerance() > 0
    }

    /// Returns the smallest of the tolerances; 0 if there is none.
    #[must_use]
    pub fn smallest_tolerance(&self) -> Rational {
        self.absolute.iter().chain(&self.relative).min().cloned().unwrap_or_default()
    }

    /// Returns `true` if an enclosure, as it is printed, is accurate enough. Definedness is not checked.
    #[must_use]
    pub fn is_reached_by(&self, found: &Enclosure) -> bool {
        // The width relative to a number that may be 0 is unbounded.
        let may_be_zero = self.absolute.is_none() && found.contains(&Rational::new()) && !found.is_point();
        if may_be_zero {
            return false;
        }
        match self.relative.as_ref().filter(|_| is_extreme(found)) {
            None => decimal::is_printed_within(found, &self.width_for(found)),
            Some(rel) => {
                let printed = self.print_decimals(found);
                self.is_reached_absolutely(found)
                    || DecimalWidth::is_relative_width_within(printed.lo(), printed.hi(), rel)
            }
        }
    }

    /// Returns `true` if an absolute width is asked for and the enclosure, printed for it, is no wider.
    fn is_reached_absolutely(&self, found: &Enclosure) -> bool {
        self.absolute.as_ref().is_some_and(|eps| decimal::is_printed_within(found, eps))
    }

    /// Returns the [short decimal](decimal::print_short) of an exact number, if it is printed in place of an interval. Where significant digits alone are asked for, it has no more than these.
    ///
    /// ```
    /// use smoothish_number::number::{Accuracy, Rational, decimal};
    /// let within = Accuracy::within(Rational::from((1, 1000)));
    /// let number = decimal::parse("0.123456789").unwrap();
    /// assert_eq!(within.print_exact(&number).as_deref(), Some("0.123456789"));
    /// assert_eq!(within.print_exact(&Rational::from((1, 3))), None);
    /// assert_eq!(Accuracy::significant_digits(5).print_exact(&number), None);
    /// ```
    #[must_use]
    pub fn print_exact(&self, number: &Rational) -> Option<String> {
        let text = decimal::print_short(number)?;
        let mantissa = text.split('e').next().unwrap_or_default();
        let digits: String = mantissa.chars().filter(char::is_ascii_digit).collect();
        let significant = digits.trim_matches('0').len().max(1);
        let asked = self.relative.as_ref().filter(|_| self.absolute.is_none());
        // n digits are asked for by a relative width of 10⁻ⁿ
        let is_asked =
            || asked.is_none_or(|rel| Rational::from((1, Integer::from(10).pow(significant as u32))) >= *rel);
        is_asked().then_some(text)
    }

    /// Returns the ends of an enclosure as they are printed for this accuracy.
    #[must_use]
    pub fn print_decimals(&self, found: &Enclosure) -> Decimals {
        match (&self.absolute, self.relative.as_ref().filter(|_| is_extreme(found))) {
            (Some(eps), Some(_)) if self.is_reached_absolutely(found) => found.print_decimals(eps),
            (_, Some(rel)) => Decimals::for_relative_width(found, rel),
            (_, None) => found.print_decimals(&self.width_for(found)),
        }
    }

    /// Returns the width > 0 that an enclosure of this number may have.
    ///
    /// If a relative width is not determined, as for a number that may be 0 or is below 2^-2²¹, returns a width for printing.
    /// Beyond 2^2²¹ the enclosure may be wider.
    #[must_use]
    pub fn width_for(&self, found: &Enclosure) -> Rational {
        let relative = self.relative.as_ref().map(|rel| rel * least_magnitude(found)).filter(|width| *width > 0);
        match (self.absolute.clone(), relative) {
            (Some(eps), Some(width)) => eps.max(width),
            (Some(eps), None) => eps,
            (None, Some(width)) => width,
            (None, None) => self
                .relative
                .as_ref()
                .map(|rel| rel * greatest_magnitude(found))
                .filter(|width| *width > 0)
                .unwrap_or_else(default_width),
        }
    }

    /// Returns the width to ask for next, given the known enclosure of the number. It is not much below the width needed.
    pub fn next_width(&self, known: &Enclosure) -> Rational {
        let relative = self.relative.as_ref().map(|rel| {
            if !known.is_bounded() {
                return rel.clone().min(Rational::from(1));
            }
            let (least, most) = (least_magnitude(known), greatest_magnitude(known));
            // The size is known up to a factor of 2, so that the relative width is determined well enough.
            if Rational::from(&least * 2) >= most {
                return rel * least;
            }
            // The size is not known yet; this width is needed at least.
            rel.clone().min(Rational::from((1, 1u32 << UNKNOWN_SIZE_BITS))) * most
        });
        let width = self.absolute.iter().chain(&relative).max().cloned().unwrap_or_else(default_width);
        if width > 0 { width } else { default_width() }
    }

    /// Returns `true` if the query should stop at an enclosure found with `bits` bits, since the number seems to be 0.
    #[must_use]
    pub fn should_give_up(&self, found: &Enclosure, bits: u32) -> bool {
        let small =
            || Magnitude::from_float(found.lo()).max(Magnitude::from_float(found.hi())).floor_log2() < ZERO_EXPONENT;
        self.absolute.is_none() && bits > 53 && found.contains(&Rational::new()) && small()
    }

    /// Returns the number of bits with which a number about 1 is accurate enough, rounding aside.
    #[must_use]
    pub fn bits_needed(&self) -> u32 {
        let size = Magnitude::from_rational(&self.smallest_tolerance()).floor_log2();
        // a tolerance above 1 needs no bits
        u32::try_from(size.saturating_neg()).unwrap_or(0)
    }
}

/// Returns the width of an enclosure relative to the least size in it, rounded up; `None` if the number may be 0, or the
/// enclosure is unbounded.
#[must_use]
pub fn relative_width(found: &Enclosure) -> Option<DecimalWidth> {
    if found.is_point() {
        return Some(DecimalWidth::between_decimals("0", "0"));
    }
    let nearest = nearest_to_zero(found).filter(|_| found.is_bounded())?;
    let width = Float::with_val_round(64, found.hi() - found.lo(), Round::Up).0;
    let size = Float::with_val_round(64, nearest, Round::Zero).0.abs();
    let part = Float::with_val_round(64, &width / &size, Round::Up).0;
    Some(DecimalWidth::between_decimals("0", &part.to_string_radix_round(10, Some(4), Round::Up)))
}

/// Returns the width for printing if no other is given, 10⁻¹⁵. A choice: about the digits of a double.
fn default_width() -> Rational {
    Rational::from((1, 1_000_000_000_000_000u64))
}

/// Returns the number of an enclosure nearest to 0; `None` if that is 0.
fn nearest_to_zero(e: &Enclosure) -> Option<&Float> {
    if *e.lo() > 0 { Some(e.lo()) } else { Some(e.hi()).filter(|end| **end < 0) }
}

/// Returns `true` if the number of an enclosure nearest to 0 is not 0 and beyond 2^±2²¹: too long to compute with as a rational.
fn is_extreme(e: &Enclosure) -> bool {
    nearest_to_zero(e)
        .and_then(Float::get_exp)
        .is_some_and(|exponent| !(-SIZE_EXPONENT_LIMIT..=SIZE_EXPONENT_LIMIT).contains(&exponent))
}

/// Returns a lower bound, nearly exact, of min{|y| : y ∈ e}.
fn least_magnitude(e: &Enclosure) -> Rational {
    nearest_to_zero(e).map(|end| clamped_magnitude(end, Round::Zero)).unwrap_or_default()
}

/// Returns an upper bound, nearly exact, of max{|y| : y ∈ e}; 0 if the enclosure is unbounded.
fn greatest_magnitude(e: &Enclosure) -> Rational {
    if e.is_bounded() {
        clamped_magnitude(e.lo(), Round::AwayZero).max(clamped_magnitude(e.hi(), Round::AwayZero))
    } else {
        Rational::new()
    }
}

/// Returns |x| of a finite number, rounded to 64 bits and clamped: 2^2²¹ above, 0 below 2^-2²¹.
fn clamped_magnitude(x: &Float, round: Round) -> Rational {
    match x.get_exp() {
        Some(exponent) if exponent > SIZE_EXPONENT_LIMIT => Rational::from(1) << SIZE_EXPONENT_LIMIT as u32,
        Some(exponent) if exponent < -SIZE_EXPONENT_LIMIT => Rational::new(),
        _ => Float::with_val_round(64, x, round).0.to_rational().unwrap_or_default().abs(),
    }
}

impl From<Rational> for Accuracy {
    fn from(eps: Rational) -> Self {
        Self::within(eps)
    }
}

impl From<&Rational> for Accuracy {
    fn from(eps: &Rational) -> Self {
        Self::within(eps.clone())
    }
}

impl From<&Accuracy> for Accuracy {
    fn from(accuracy: &Accuracy) -> Self {
        accuracy.clone()
    }
}

/// The optimisations that solvers may use beyond the plain definition of their result.
///
/// Without optimisations a solver is slower and correct for simpler reasons. These reference paths are kept as oracles for the
/// fast ones.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct SolverOptions {
    /// Taylor expansions over the panels of an integral; without them its enclosures are sums of range times length.
    pub expansions: bool,
    /// Splitting a panel at the place of a kink; without it a kink is approached by halving.
    pub kinks: bool,
    /// Integrals of analytic functions by quadrature nodes alone, with bounds over complex arguments; without it they use panels
    /// too.
    pub complex: bool,
    /// Bounding an optimum only as closely as its user needs (`Window`); without it each is enclosed as narrowly as any.
    pub windows: bool,
}

impl SolverOptions {
    /// All optimisations.
    pub const ALL: Self = Self { expansions: true, kinks: true, complex: true, windows: true };
}

impl Default for SolverOptions {
    /// Returns all optimisations.
    fn default() -> Self {
        Self::ALL
    }
}

/// An observer of enclosures of the answer while a pass goes on, with the promises on which each rests.
#[derive(Clone, Copy)]
struct EnclosureObserver<'b>(&'b (dyn Fn(&Enclosure, &[u32]) + 'b));

impl fmt::Debug for EnclosureObserver<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("EnclosureObserver")
    }
}

/// The unfinished work of the solvers of a pass.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct UnfinishedWork {
    /// `true` if some solver stopped although a smaller tolerance or a larger budget would help.
    pub is_open: bool,
    /// The number of pieces at which a search stopped at its limit, although more would have narrowed it.
    pub capped_at: Option<u64>,
    /// The number of pieces of a search when the budget ended it.
    pub cut_at: Option<u64>,
    /// The numbered place of an integral that no more pieces narrow: the side of a kink on which its integrand lies is undecided.
    pub stuck_at: Option<u32>,
    /// The numbered place of an integral whose derivative is known as a set only, since the slopes of its integrand are.
    pub set_at: Option<u32>,
    /// The numbered place of an integral that is not shown to converge absolutely: its value is a limit of integrals.
    pub conditional_at: Option<u32>,
    /// The numbered place of an integral that has no value: it is infinite, or that of the absolute value is.
    pub diverges_at: Option<u32>,
}

impl UnfinishedWork {
    /// Combines the unfinished work of two parts of a pass.
    #[must_use]
    pub fn and(self, other: Self) -> Self {
        Self {
            is_open: self.is_open || other.is_open,
            capped_at: self.capped_at.max(other.capped_at),
            cut_at: self.cut_at.max(other.cut_at),
            stuck_at: self.stuck_at.or(other.stuck_at),
            set_at: self.set_at.or(other.set_at),
            conditional_at: self.conditional_at.or(other.conditional_at),
            diverges_at: self.diverges_at.or(other.diverges_at),
        }
    }
}

/// The options of one pass over a program, and the record of what it left undone.
#[derive(Debug)]
pub struct PassOptions<'b> {
    /// The width that a solver aims at, in its own result.
    tolerance: Cell<Magnitude>,
    /// The budget of the whole question.
    pub budget: &'b Budget,
    /// The optimisations that solvers may use.
    pub solver_options: SolverOptions,
    /// The number of times that the limits on the pieces of a search were raised.
    with_raised_limits: u32,
    observer: Option<EnclosureObserver<'b>>,
    unfinished: Cell<UnfinishedWork>,
    while_splitting: Cell<bool>,
    allows_conditional: Cell<bool>,
    assumed_promises: RefCell<Vec<u32>>,
}

impl<'b> PassOptions<'b> {
    /// Creates the options of a pass with a tolerance and a budget.
    #[must_use]
    pub fn new(tolerance: Magnitude, budget: &'b Budget) -> Self {
        Self {
            tolerance: Cell::new(tolerance),
            budget,
            solver_options: SolverOptions::ALL,
            with_raised_limits: 0,
            observer: None,
            unfinished: Cell::default(),
            while_splitting: Cell::default(),
            allows_conditional: Cell::default(),
            assumed_promises: RefCell::default(),
        }
    }

    /// Returns the width that a solver aims at, in its own result.
    #[must_use]
    pub fn tolerance(&self) -> Magnitude {
        self.tolerance.get()
    }

    /// Runs `work` with the tolerance raised to `width`, if that is larger.
    ///
    /// Solvers that stop at the raised tolerance leave nothing open: a caller that needs a narrower result asks again.
    pub fn with_looser_tolerance<T>(&self, width: Magnitude, work: impl FnOnce() -> T) -> T {
        if width <= self.tolerance.get() {
            return work();
        }
        // The unfinished work is restored as well, so that a raised tolerance does not count as open.
        let (before, left) = (self.tolerance.replace(width), self.unfinished.get());
        let result = work();
        self.tolerance.set(before);
        // Whether and how an integral converges is no matter of tolerance.
        let UnfinishedWork { conditional_at, diverges_at, .. } = self.unfinished.get();
        self.unfinished.set(UnfinishedWork { conditional_at, diverges_at, ..left });
        result
    }

    /// Runs `work`, for which an interval is split into parts, and marks the pass as splitting meanwhile.
    pub fn while_splitting<T>(&self, work: impl FnOnce() -> T) -> T {
        let before = self.while_splitting.replace(true);
        let result = work();
        self.while_splitting.set(before);
        result
    }

    /// Returns `true` if inputs that are intervals may be parts of a split one, so that the caller may evaluate on smaller ones.
    #[must_use]
    pub fn is_splitting(&self) -> bool {
        self.while_splitting.get()
    }

    /// Sets whether integrals that converge conditionally have a value, as limits of integrals, where they do not stand inside of
    /// a binder.
    #[must_use]
    pub fn with_conditional_integrals(self, allows: bool) -> Self {
        Self { allows_conditional: Cell::new(allows), ..self }
    }

    /// Runs the solver of a binder. It hears whether an integral that converges conditionally has a value; inside of the binder
    /// none has.
    pub fn inside_binder<T>(&self, work: impl FnOnce(bool) -> T) -> T {
        let before = self.allows_conditional.replace(false);
        let result = work(before);
        self.allows_conditional.set(before);
        result
    }

    /// Runs `work` that may find nothing; if it returns `None`, it leaves nothing open.
    ///
    /// # Errors
    /// Those of the work.
    pub fn run_attempt<T, E>(&self, work: impl FnOnce() -> Result<Option<T>, E>) -> Result<Option<T>, E> {
        let left = self.unfinished.get();
        let found = work()?;
        if found.is_none() {
            self.unfinished.set(left);
        }
        Ok(found)
    }

    /// Sets the observer of the enclosures of the answer that the pass finds on its way.
    #[must_use]
    pub fn with_observer(self, observer: &'b (dyn Fn(&Enclosure, &[u32]) + 'b)) -> Self {
        Self { observer: Some(EnclosureObserver(observer)), ..self }
    }

    /// Publishes an enclosure of the answer, unless the budget has cut a computation short on which it might rest.
    pub fn publish_enclosure(&self, found: &Enclosure) {
        if let Some(EnclosureObserver(hear)) = self.observer.filter(|_| !self.budget.was_exhausted()) {
            hear(found, &self.assumed_promises());
        }
    }

    /// Publishes an enclosure of the answer that earlier passes found, and the promises on which it rests. No computation behind
    /// it was cut short, so that the budget is not checked.
    pub fn republish_enclosure(&self, found: &Enclosure, assumed: &[u32]) {
        if let Some(EnclosureObserver(hear)) = self.observer {
            hear(found, assumed);
        }
    }

    /// Replaces the set of solver optimisations.
    #[must_use]
    pub fn with_solver_options(self, shortcuts: SolverOptions) -> Self {
        Self { solver_options: shortcuts, ..self }
    }

    /// Sets whether the inputs may be [parts of an interval](Self::is_splitting).
    #[must_use]
    pub fn with_splitting(self, is_splitting: bool) -> Self {
        Self { while_splitting: Cell::new(is_splitting), ..self }
    }

    /// Sets the number of times that the limits on the pieces of a search were raised.
    #[must_use]
    pub fn with_raised_limits(self, times: u32) -> Self {
        Self { with_raised_limits: times, ..self }
    }

    /// Returns the number of times that the limits on the pieces of a search were raised.
    #[must_use]
    pub fn times_raised(&self) -> u32 {
        self.with_raised_limits
    }

    /// Records that a solver stopped although a smaller tolerance or a larger budget would help.
    pub fn record_open(&self) {
        self.record_unfinished(UnfinishedWork { is_open: true, ..UnfinishedWork::default() });
    }

    /// Records that a search stopped at its limit of pieces, although more would narrow it.
    pub fn record_capped(&self, pieces: u64) {
        self.record_unfinished(UnfinishedWork { is_open: true, capped_at: Some(pieces), ..UnfinishedWork::default() });
    }

    /// Records that the budget ended a search that had this number of pieces.
    pub fn record_cut(&self, pieces: u64) {
        self.record_unfinished(UnfinishedWork { is_open: true, cut_at: Some(pieces), ..UnfinishedWork::default() });
    }

    /// Records that no more pieces narrow the integral at a numbered place, since the side of a kink of its integrand is
    /// undecided.
    pub fn record_stuck(&self, site: u32) {
        self.record_unfinished(UnfinishedWork { stuck_at: Some(site), ..UnfinishedWork::default() });
    }

    /// Records that the derivative of the integral at a numbered place is known as a set only, since the slopes of its integrand
    /// are.
    pub fn record_set(&self, site: u32) {
        self.record_unfinished(UnfinishedWork { set_at: Some(site), ..UnfinishedWork::default() });
    }

    /// Records that the integral at a numbered place is not shown to converge absolutely.
    pub fn record_conditional(&self, site: u32) {
        self.record_unfinished(UnfinishedWork { conditional_at: Some(site), ..UnfinishedWork::default() });
    }

    /// Records that the integral at a numbered place has no value, so that more work is in vain. It must not stand inside of another
    /// solver, which may look at points that the answer does not depend on.
    pub fn record_divergent(&self, site: u32) {
        self.record_unfinished(UnfinishedWork { diverges_at: Some(site), ..UnfinishedWork::default() });
    }

    /// Forgets that an integral has no value: the answer need not depend on it.
    pub fn forget_divergence(&self) {
        self.unfinished.set(UnfinishedWork { diverges_at: None, ..self.unfinished.get() });
    }

    /// Adds to the record of unfinished work.
    fn record_unfinished(&self, left: UnfinishedWork) {
        self.unfinished.set(self.unfinished.get().and(left));
    }

    /// Returns the unfinished work of the solvers.
    #[must_use]
    pub fn unfinished(&self) -> UnfinishedWork {
        self.unfinished.get()
    }

    /// Returns `true` if some solver stopped although it could have gone on.
    #[must_use]
    pub fn is_open(&self) -> bool {
        self.unfinished.get().is_open
    }

    /// Records that the answer rests on a promise of the caller at a numbered place.
    pub fn record_promise(&self, site: u32) {
        let mut assumed = self.assumed_promises.borrow_mut();
        if !assumed.contains(&site) {
            assumed.push(site);
        }
    }

    /// Adds the unfinished work and the promises of a part of this pass.
    pub fn absorb_part(&self, left: UnfinishedWork, assumed: &[u32]) {
        self.record_unfinished(left);
        assumed.iter().for_each(|site| self.record_promise(*site));
    }

    /// Returns the numbered places of the promises on which the answer rests.
    #[must_use]
    pub fn assumed_promises(&self) -> Vec<u32> {
        self.assumed_promises.borrow().clone()
    }
}
