//! Definedness on a neighbourhood of the inputs: the condition for derivatives (S §4.1).
//!
//! A derivative at a point concerns a neighbourhood. `c ↦ max 1 √c` has a value at 0 and none to its left, so it has no
//! derivative there, though the branch that is taken has one. An input varies if a generator of the algebra of jets moves
//! it. A derivative is claimed only if a second run shows the function to be defined on a box of positive radius around the
//! varying inputs. That holds for structural zeros too. Code that adjoins a generator checks this, by
//! [`eval_derivatives`](crate::smooth::machine::JetEvaluator::eval_derivatives).
//!
//! **Only domain boundaries need the check.** Most operations are defined on open sets and continuous there, so a value
//! that is defined is defined nearby. The exceptions are the closed ends of domains in the
//! [table of conditions](crate::function::OperationConditions). Any point may be a boundary of a primitive from outside, whose
//! domain is unknown. A solver that has only a limit or a power bound at an end of `[0, 1]` records a boundary too. A run
//! records the generators that move an argument at a boundary ([`DomainBoundary`]). If there are none, no second run is
//! needed.
//!
//! **The second run computes values**, not jets. A captured number that was computed outside of a binder has a second
//! enclosure by the same run. So the place of a computation makes no difference. A derivative inside gets a
//! neighbourhood of its own, so nested derivatives cost one run each. A bound variable of an integral or an optimum
//! stays in `[0, 1]`, the set on which these need the function: `∫√x` has no boundary at 0.
//!
//! **Other designs fail.** A bit "inside the open domain" would refuse too much: `max 1 √(c²)` has an argument on a
//! boundary at c = 0, and yet values on both sides. Widening what a binder captures fails too. What was computed outside
//! arrives as a number, so the answer would depend on the place where something is written.
//!
//! An argument of a `max` counts even if it is certainly the smaller one, since `max` needs both. The branch of a choice
//! that is not taken does not count.
//!
//! # Diagnosis of an undefined number
//!
//! A run of a program can record the first operation without a value or a derivative whose operands have theirs.
//!
//! An undefined operation inside a solver counts only if the solver's own result is undefined: the solver may have met it on
//! a panel that it split later. Of several runs of one block the last with a diagnosis counts, which is the finest.
//! The same record holds the candidates for a maximiser that an optimum does not separate.

use crate::number::{Enclosure, Rational};
use crate::smooth::graph::{SecondOrder, SourceId};
use crate::smooth::hooks::HookedContext;
use crate::smooth::jet::{Jet, JetArithmetic};
pub use crate::undefined::UndefinedCause;
use std::cell::{Cell, RefCell};
use std::fmt;

/// The domain boundaries that a run has met.
#[derive(Debug, Default)]
pub struct DomainBoundary(pub(crate) Cell<MetBoundaries>);

/// The state of a [`DomainBoundary`].
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct MetBoundaries {
    /// `true` if some argument lay at a boundary.
    any: bool,
    /// The generators that move such an argument, as a sum of their [bits](generator_bit).
    pub(crate) generators: u64,
}

/// Returns the bit of the generator with an index. All indices from 63 on share one, so a generator may count as another.
pub(crate) fn generator_bit(generator: usize) -> u64 {
    1 << generator.min(63)
}

impl DomainBoundary {
    /// Records that an operation on these inputs met a boundary: its result may be undefined next to them.
    pub fn record_boundary<'j, C: HookedContext + 'j>(
        &self,
        jets: &JetArithmetic<C>,
        inputs: impl IntoIterator<Item = &'j Jet<C::Num>>,
    ) {
        let moved = jets.generator_support(inputs);
        let moved = moved.iter().enumerate().filter(|(_, moved)| **moved);
        let generators = moved.fold(self.0.get().generators, |all, (g, _)| all | generator_bit(g));
        self.0.set(MetBoundaries { any: true, generators });
    }

    /// Records that an operation met a boundary, without the generators that move its inputs: these are not known.
    pub fn record_unknown_boundary(&self) {
        self.0.set(MetBoundaries { any: true, ..self.0.get() });
    }

    /// Returns `true` if a boundary was recorded.
    #[must_use]
    pub fn is_met(&self) -> bool {
        self.0.get().any
    }

    /// Records the boundaries of a run of another program, without its generators: they are of another algebra.
    pub fn adopt_boundaries(&self, other: &Self) {
        if other.0.get().any {
            self.record_unknown_boundary();
        }
    }

    /// Merges the boundaries that another thread met in a part of this run.
    pub fn merge_boundaries(&self, other: &Self) {
        let (own, other) = (self.0.get(), other.0.get());
        self.0.set(MetBoundaries { any: own.any || other.any, generators: own.generators | other.generators });
    }

    /// Runs a step that works over other algebras. A boundary met in it counts for all of its inputs.
    pub fn around_step<'j, C: HookedContext + 'j, T>(
        &self,
        jets: &JetArithmetic<C>,
        inputs: impl IntoIterator<Item = &'j Jet<C::Num>>,
        step: impl FnOnce() -> T,
    ) -> T {
        let before = self.0.take();
        let result = step();
        let met = self.0.replace(before).any;
        if met {
            self.record_boundary(jets, inputs);
        }
        result
    }
}

/// The undefined operation and its position.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct UndefinedOperation {
    /// The reason why the operation is undefined.
    pub cause: UndefinedCause,
    /// The operation, as the language writes it; `None` if there is none to name.
    pub operation: Option<String>,
    /// Its position in the source.
    pub site: SourceId,
    /// The innermost integral that contains the operation and is undefined itself, if any.
    pub integral: Option<SourceId>,
    /// For an integral that diverges, where and how.
    pub divergence: Option<Box<DivergentIntegral>>,
}

/// A proof that an integral over [0, 1] has no value: beside a place the integrand keeps a sign, and its integral is infinite.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct DivergentIntegral {
    /// An enclosure of the place by its ends.
    pub place: [Rational; 2],
    /// The bounds of the integrand on the left of the place and on its right, at least one of them.
    pub sides: [Option<DivergenceBound>; 2],
}

impl DivergentIntegral {
    /// Returns the index of the end of [0, 1] at which the integral diverges. Returns `None` for a place inside.
    #[must_use]
    pub fn end_index(&self) -> Option<usize> {
        [0, 1].into_iter().find(|end| self.place.iter().all(|bound| *bound == *end as u32))
    }
}

/// A lower bound of the absolute value of an integrand on one side of a place, by the distance d from it.
///
/// For every number c below the coefficient the absolute value is at least `c·dᵖ·(log (1/d))ᵠ` for all d that are small enough.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct DivergenceBound {
    /// `true` if the integrand is positive.
    pub is_positive: bool,
    /// The coefficient, a positive number.
    pub coefficient: Rational,
    /// The exponent p of d.
    pub power: Rational,
    /// The exponent q of the logarithm.
    pub log_power: Rational,
}

impl UndefinedOperation {
    /// The diagnosis if the budget ran out before any other.
    pub const FUEL: Self = Self {
        cause: UndefinedCause::Fuel,
        operation: None,
        site: SourceId::NOWHERE,
        integral: None,
        divergence: None,
    };
}

impl fmt::Display for UndefinedOperation {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let operation = self.operation.as_deref().unwrap_or("the program");
        match self.cause {
            UndefinedCause::Boundary => write!(f, "`{operation}` is at the edge of where it is defined and smooth"),
            UndefinedCause::Domain => write!(f, "`{operation}` is outside of its domain"),
            UndefinedCause::Undecided => write!(f, "`{operation}` is not decided"),
            UndefinedCause::Oscillation => {
                write!(
                    f,
                    "`{operation}` has no value that is shown: its integrand oscillates at an end of its interval"
                )
            }
            UndefinedCause::Divergence => f.write_str("the integral diverges"),
            UndefinedCause::Method => {
                write!(f, "no method here bounds `{operation}` where its argument is unbounded")
            }
            UndefinedCause::Fuel => f.write_str("the budget was used up"),
        }
    }
}

/// Several candidates for the maximiser of a function that were not separated, or a single one of positive width.
#[derive(Clone, Debug)]
pub struct NonuniqueMaximiser {
    /// The optimum that searched for them.
    pub site: SourceId,
    /// Enclosures of the candidates, from left to right, disjoint.
    pub places: Vec<Enclosure>,
}

impl NonuniqueMaximiser {
    /// Merges touching enclosures: a search may cut one candidate in several. Returns `None` if a single number is
    /// left, or nothing.
    fn merge_touching(site: SourceId, mut found: Vec<Enclosure>) -> Option<Self> {
        found.sort_by(|a, b| a.lo().total_cmp(b.lo()));
        let mut places: Vec<Enclosure> = Vec::new();
        for place in found {
            match places.last_mut() {
                Some(last) if place.lo() <= last.hi() => *last = last.hull(&place),
                _ => places.push(place),
            }
        }
        let is_told = matches!(&places[..], [] | [_]) && places.iter().all(Enclosure::is_point);
        (!is_told).then_some(Self { site, places })
    }

    /// Returns the note for the user, as the text before and after the source position.
    #[must_use]
    pub fn note_texts(&self) -> [String; 2] {
        match self.places.len() {
            1 => ["the place is not distinguished:".to_owned(), format!(", within {self}")],
            2 => ["two places tie, or are not distinguished:".to_owned(), format!(", at {self}")],
            count => [format!("{count} places tie, or are not distinguished:"), format!(", at {self}")],
        }
    }
}

/// The accuracy of printed places, as a fraction. A choice.
const SHOWN: (u32, u32) = (1, 1_000_000);
/// The largest number of printed places; further ones are counted. A choice.
const MOST_SHOWN: usize = 4;

impl fmt::Display for NonuniqueMaximiser {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let shown = |place: &Enclosure| {
            let ends = place.print_decimals(&Rational::from(SHOWN));
            if ends.lo() == ends.hi() { ends.lo().to_owned() } else { ends.to_string() }
        };
        let mut places: Vec<String> = self.places.iter().take(MOST_SHOWN).map(shown).collect();
        if self.places.len() > MOST_SHOWN {
            places.push(format!("{} more", self.places.len() - MOST_SHOWN));
        }
        let last = places.pop().unwrap_or_default();
        if places.is_empty() { f.write_str(&last) } else { write!(f, "{} and {last}", places.join(", ")) }
    }
}

/// The diagnosis of a run, updated while it runs.
#[derive(Debug, Default)]
pub struct Diagnosis {
    /// The undefined operation, if one was found.
    pub(crate) undefined: RefCell<Option<UndefinedOperation>>,
    /// The candidates of the last optimum with a tie. Ties of earlier optima are lost.
    tie: RefCell<Option<NonuniqueMaximiser>>,
    /// The nesting depth of the solvers that are running.
    depth: Cell<u32>,
    /// The first operation, with its position, that the last run beside an end did not bound though it bounds its operands.
    unbounded: RefCell<Option<(String, SourceId)>>,
}

impl Diagnosis {
    /// Returns the undefined operation, if one was found.
    #[must_use]
    pub fn into_found(self) -> Option<UndefinedOperation> {
        self.undefined.into_inner()
    }

    /// Returns the candidates that were not separated, of the last such optimum that was not inside another solver.
    #[must_use]
    pub fn into_nonunique_maximiser(self) -> Option<NonuniqueMaximiser> {
        self.tie.into_inner()
    }

    /// Runs a solver, and counts it in the nesting depth.
    pub(super) fn around_solver<T>(&self, solve: impl FnOnce() -> T) -> T {
        self.depth.set(self.depth.get() + 1);
        let result = solve();
        self.depth.set(self.depth.get() - 1);
        result
    }

    /// Records that an optimum did not separate its candidates. Ignored inside another solver, which evaluates the
    /// inner optimum at points of its own.
    pub(super) fn record_nonunique_maximiser(&self, site: SourceId, places: Vec<Enclosure>) {
        if self.depth.get() == 1 {
            self.tie.replace(NonuniqueMaximiser::merge_touching(site, places));
        }
    }

    /// Records that the integral at a site has no value that is shown, since its integrand oscillates at an end.
    pub(super) fn record_oscillation(&self, site: SourceId) {
        let operation = Some(SecondOrder::Integral.functional().name().to_owned());
        let cause = UndefinedCause::Oscillation;
        let found = UndefinedOperation { cause, operation, site, integral: None, divergence: None };
        self.undefined.replace(Some(found));
    }

    /// Returns `true` if the solver that is running is not inside of another one. That of an outer one may also look at points that
    /// the answer does not depend on.
    pub(super) fn is_outermost_solver(&self) -> bool {
        self.depth.get() == 1
    }

    /// Records that the integral at a site has no value.
    pub(super) fn record_divergence(&self, site: SourceId, found: DivergentIntegral) {
        let operation = Some(SecondOrder::Integral.functional().name().to_owned());
        let (cause, divergence) = (UndefinedCause::Divergence, Some(Box::new(found)));
        self.undefined.replace(Some(UndefinedOperation { cause, operation, site, integral: None, divergence }));
    }

    /// Runs a search beside an end, and returns its result with the first operation that it does not bound.
    pub(super) fn watch_end<T>(&self, run: impl FnOnce() -> T) -> (T, Option<(String, SourceId)>) {
        self.unbounded.take();
        let result = run();
        (result, self.unbounded.take())
    }

    /// Records that a run beside an end does not bound an operation. The first one counts.
    pub(super) fn record_unbounded(&self, operation: impl fmt::Display, site: SourceId) {
        self.unbounded.borrow_mut().get_or_insert_with(|| (operation.to_string(), site));
    }

    /// Records that no method bounds an operation beside an end of an integral, unless an operation is known to be outside of its domain.
    pub(super) fn record_method(&self, (operation, site): (String, SourceId)) {
        let mut found = self.undefined.borrow_mut();
        if found
            .as_ref()
            .is_none_or(|found| !matches!(found.cause, UndefinedCause::Domain | UndefinedCause::Divergence))
        {
            let (cause, operation) = (UndefinedCause::Method, Some(operation));
            *found = Some(UndefinedOperation { cause, operation, site, integral: None, divergence: None });
        }
    }

    /// Begins a run of a block, without an undefined operation. The run ends when the returned value is dropped.
    pub(super) fn begin_block(&self) -> DiagnosedBlock<'_> {
        DiagnosedBlock { before: self.undefined.take(), witness: self }
    }

    /// Returns the undefined operation that has been found so far.
    pub(super) fn current_diagnosis(&self) -> Option<UndefinedOperation> {
        self.undefined.borrow().clone()
    }
}

/// A run of a block. Its diagnosis replaces the earlier one; without a diagnosis the earlier one is restored.
pub(super) struct DiagnosedBlock<'w> {
    witness: &'w Diagnosis,
    before: Option<UndefinedOperation>,
}

impl Drop for DiagnosedBlock<'_> {
    fn drop(&mut self) {
        let mut found = self.witness.undefined.borrow_mut();
        if found.is_none() {
            *found = self.before.take();
        }
    }
}
