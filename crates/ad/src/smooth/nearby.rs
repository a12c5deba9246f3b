//! Definedness on a neighbourhood of the inputs: the condition for derivatives (S §4.1).
//!
//! A derivative at a point concerns a neighbourhood. `c ↦ max 1 √c` has a value at 0 and none to its left, so it has no
//! derivative there, though the branch that is taken has one. So a derivative, structural zeros included, is claimed
//! only if the function has a second enclosure, by the same operations, from a box of positive radius around the
//! varying inputs. An input varies if a generator moves it. Code that adjoins a generator checks this, by
//! [`JetEvaluator::eval_derivatives`].
//!
//! **Only domain boundaries need the check.** The operations are defined on open sets and continuous there, so a value
//! that is defined is defined nearby. The exceptions are closed ends of domains: 0 for even roots, ±1 for asin and
//! acos, 1 for acosh, and any point for a primitive from outside, whose domain is unknown. A run records the generators
//! that move an argument at such a boundary ([`DomainBoundary`]). If there are none, nothing else is needed.
//!
//! **The second run is one of values**, over ℝ. A number that was computed outside a binder and is captured has a
//! second enclosure by the same run, so the place of a computation makes no difference. A derivative inside gets a
//! neighbourhood of its own, so nested derivatives cost one run each. A bound variable of an integral or an optimum
//! stays in `[0, 1]`, the set on which these need the function: `∫√x` has no boundary at 0.
//!
//! **Other designs that fail.** A bit "inside the open domain" is too weak: `max 1 √(c²)` lies on an edge at 0 and
//! yet has values on both sides. To widen what a binder captures fails too: what was computed outside arrives as a
//! number, so the answer would depend on the place where something is written.
//!
//! The losing side of a `max` counts, since `max` is an operation of both. The branch of a choice that is not
//! taken does not.
//!
//! Diagnosis of an undefined number: the first operation without a value or a derivative whose operands have theirs.
//!
//! A run of a program can record it. An undefined operation inside a solver counts only if the solver's own result is undefined: it
//! may have met it on a panel that it split later. Of several runs of one block the last counts, which is the finest.

use crate::function::{BinaryShape, Domain, DomainEnd, Function, Planar};
use crate::number::arithmetic::Sign;
use crate::number::{Enclosure, Rational};
use crate::smooth::algebra::Algebra;
use crate::smooth::error::SmoothError;
use crate::smooth::graph::{Binary, RationalExponent, SecondOrder, SourceId, Unary};
use crate::smooth::hooks::HookedContext;
use crate::smooth::jet::{Jet, JetArithmetic};
use crate::smooth::machine::{BranchDecisions, EvalTarget, JetEvaluator};
use crate::smooth::program::{Block, BlockInstruction, BlockRegister};
pub use crate::undefined::UndefinedCause;
use rustc_hash::FxHashMap;
use std::cell::{Cell, RefCell};
use std::fmt;
use std::sync::Arc;

/// The domain boundaries that a run has met.
#[derive(Debug, Default)]
pub struct DomainBoundary(Cell<MetBoundaries>);

/// `any`: some argument lay at a boundary; `generators_of`: those that move such an argument.
#[derive(Clone, Copy, Debug, Default)]
struct MetBoundaries {
    any: bool,
    /// One bit each; all generators from the 63rd on share a bit.
    generators: u64,
}

fn generator_bit(generator: usize) -> u64 {
    1 << generator.min(63)
}

impl DomainBoundary {
    /// Records that a result of these inputs may be undefined next to them.
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

    /// Records that a result may be undefined next to its inputs, which are not known.
    pub fn record_unknown_boundary(&self) {
        self.0.set(MetBoundaries { any: true, ..self.0.get() });
    }

    /// Returns `true` if some argument lay at a boundary.
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

impl<C: HookedContext> JetEvaluator<'_, C> {
    /// Records the boundary if the elementary function `f` is computed at one.
    pub(super) fn record_function_boundary(&self, jets: &JetArithmetic<C>, f: Function, x: &Jet<C::Num>) {
        let met = match x.get(0) {
            Some(value) => self.context.meets_domain_end(f, value),
            None => self.context.meets_domain_end(f, &self.context.enclose_integer(0)),
        };
        if met {
            self.edges.record_boundary(jets, [x]);
        }
    }

    /// Runs a block over an algebra whose generators from `first` on are adjoined here. Their coefficients are marked
    /// undefined unless the function is certainly defined on a neighbourhood of the inputs, in the directions they
    /// move.
    ///
    /// # Errors
    /// Errors of [`JetEvaluator::eval_block`].
    pub fn eval_derivatives(
        &self,
        block: &Block,
        algebra: &Arc<Algebra>,
        [parameters, captures]: [&[Jet<C::Num>]; 2],
        first: usize,
        branches: &mut BranchDecisions,
    ) -> Result<Vec<Jet<C::Num>>, SmoothError> {
        let mut outputs = self.eval_block(block, algebra, parameters, captures, branches, EvalTarget::Outputs)?;
        // several kinks with one linear form: narrowed, unless this run is itself a second one
        if !self.is_widened {
            outputs = self.sharpen_shared_kinks(block, algebra, [parameters, captures], branches, outputs)?;
        }
        let met = self.edges.0.get().generators;
        let moved = |generators: &[usize]| generators.iter().any(|&g| met & generator_bit(g) != 0);
        let own = |monomial: usize| algebra.generators_of(monomial).filter(|&g| g >= first).collect::<Vec<_>>();
        let all: Vec<_> = (first..algebra.generator_count()).collect();
        if self.is_widened || !moved(&all) {
            return Ok(outputs);
        }
        let jets = self.jets(algebra);
        let near = |generators: &[usize]| self.is_defined_near(block, &jets, parameters, captures, generators);
        // one run with all generators moved proves it for every subset of them
        let everywhere = near(&all)?;
        if everywhere.iter().all(|defined| *defined) {
            return Ok(outputs);
        }
        // otherwise by monomial: a coefficient needs only the generators that divide it
        let mut known = FxHashMap::default();
        known.insert(all, everywhere);
        let mut claimed = Vec::with_capacity(algebra.len());
        for monomial in 0..algebra.len() {
            let generators = own(monomial);
            claimed.push(if !moved(&generators) {
                vec![true; outputs.len()]
            } else if let Some(known) = known.get(&generators) {
                known.clone()
            } else {
                let found = near(&generators)?;
                known.insert(generators, found.clone());
                found
            });
        }
        for (i, output) in outputs.iter_mut().enumerate() {
            let inputs = parameters.iter().chain(captures);
            *output = jets.mark_undefined_where(output.clone(), inputs, |monomial| !claimed[monomial][i]);
        }
        Ok(outputs)
    }

    /// Returns for each output whether it is certainly defined on a neighbourhood of the inputs, moved by `generators_of`
    /// only.
    fn is_defined_near(
        &self,
        block: &Block,
        jets: &JetArithmetic<C>,
        parameters: &[Jet<C::Num>],
        captures: &[Jet<C::Num>],
        generators: &[usize],
    ) -> Result<Vec<bool>, SmoothError> {
        let moves = |x: &Jet<C::Num>, m: usize| {
            x.get(m).is_some() && jets.algebra.generators_of(m).all(|g| generators.contains(&g))
        };
        let near = |x: &Jet<C::Num>| {
            let base = Jet::constant(jets.value_of(x));
            if (1..x.len()).any(|m| moves(x, m)) { self.widen_to_neighbourhood(&base) } else { base }
        };
        let [parameters, captures] = [parameters, captures].map(|inputs| inputs.iter().map(near).collect::<Vec<_>>());
        let machine = self.on_widened_inputs();
        let (branches, target) = (&mut BranchDecisions::default(), EvalTarget::Outputs);
        let values = machine.eval_block(block, &self.real, &parameters, &captures, branches, target)?;
        Ok(values.iter().map(|y| self.context.is_defined(&jets.value_of(y))).collect())
    }

    /// Reduces inputs to numbers: a varying input becomes an enclosure of a neighbourhood, a constant one its value.
    pub(in crate::smooth) fn widen_inputs(&self, inputs: &[Jet<C::Num>]) -> Vec<Jet<C::Num>> {
        let near = |x: &Jet<C::Num>| {
            let value = Jet::constant(x.get(0).cloned().unwrap_or_else(|| self.context.enclose_integer(0)));
            if x.is_constant() { value } else { self.widen_to_neighbourhood(&value) }
        };
        inputs.iter().map(near).collect()
    }

    /// Widens the value of a jet to a neighbourhood. Any positive radius will do; the smallest is the easiest to prove
    /// a function defined on.
    pub(super) fn widen_to_neighbourhood(&self, x: &Jet<C::Num>) -> Jet<C::Num> {
        let value = x.get(0).cloned().unwrap_or_else(|| self.context.enclose_integer(0));
        let mut near = x.clone();
        near.set(0, Some(self.context.inflate_slightly(&value)));
        near
    }
}

/// The undefined operation and its position.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct UndefinedOperation {
    /// The reason.
    pub cause: UndefinedCause,
    /// The operation, as the language writes it; `None` if there is none to name.
    pub operation: Option<String>,
    /// Its position in the source.
    pub site: SourceId,
    /// The innermost integral that contains the operation and is undefined itself, if any.
    pub integral: Option<SourceId>,
}

impl UndefinedOperation {
    /// The budget ran out before a diagnosis.
    pub const FUEL: Self =
        Self { cause: UndefinedCause::Fuel, operation: None, site: SourceId::NOWHERE, integral: None };
}

impl fmt::Display for UndefinedOperation {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let operation = self.operation.as_deref().unwrap_or("the program");
        match self.cause {
            UndefinedCause::Boundary => write!(f, "`{operation}` is at the edge of where it is defined and smooth"),
            UndefinedCause::Domain => write!(f, "`{operation}` is outside of its domain"),
            UndefinedCause::Undecided => write!(f, "`{operation}` is not decided"),
            UndefinedCause::Fuel => f.write_str("the budget was used up"),
        }
    }
}

/// Candidates for the maximiser of a function that were not separated; or a single one of some width.
#[derive(Clone, Debug)]
pub struct NonuniqueMaximiser {
    /// The optimum that searched for them.
    pub site: SourceId,
    /// Enclosures of the candidates, from left to right, disjoint.
    pub places: Vec<Enclosure>,
}

impl NonuniqueMaximiser {
    /// Merges touching enclosures: a search may cut one candidate in several. Returns `None` if a single number is
    /// left.
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
            1 => ["the place is not told apart:".to_owned(), format!(", within {self}")],
            2 => ["two places tie, or are not told apart:".to_owned(), format!(", at {self}")],
            count => [format!("{count} places tie, or are not told apart:"), format!(", at {self}")],
        }
    }
}

/// The accuracy of printed places: 10⁻⁶.
const SHOWN: (u32, u32) = (1, 1_000_000);
/// The largest number of printed places; further ones are counted.
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
    undefined: RefCell<Option<UndefinedOperation>>,
    tie: RefCell<Option<NonuniqueMaximiser>>,
    /// The nesting depth of the solvers that are running.
    depth: Cell<u32>,
}

impl Diagnosis {
    /// Returns the diagnosis.
    #[must_use]
    pub fn into_found(self) -> Option<UndefinedOperation> {
        self.undefined.into_inner()
    }

    /// Returns the candidates of the last optimum that was not inside another solver, if they were not separated.
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

    /// Begins a run of a block. The run ends when the returned value is dropped.
    pub(super) fn begin_block(&self) -> DiagnosedBlock<'_> {
        DiagnosedBlock { before: self.undefined.take(), witness: self }
    }

    /// Returns the diagnosis before a step.
    pub(super) fn current_diagnosis(&self) -> Option<UndefinedOperation> {
        self.undefined.borrow().clone()
    }
}

/// A run of a block: its diagnosis replaces that of an earlier run; no diagnosis replaces nothing.
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

impl<'m, C: HookedContext> JetEvaluator<'m, C> {
    /// Attaches a witness, which records the diagnosis of each run.
    #[must_use]
    pub fn with_diagnosis(mut self, witness: &'m Diagnosis) -> Self {
        self.witness = Some(witness);
        self
    }

    /// Updates the diagnosis after one step. `before` is the diagnosis before the step, in this run of the block.
    pub(super) fn diagnose_step<'j>(
        &self,
        witness: &Diagnosis,
        before: Option<UndefinedOperation>,
        jets: &JetArithmetic<C>,
        (instruction, site): (&BlockInstruction, SourceId),
        get: impl Fn(BlockRegister) -> &'j Jet<C::Num>,
        result: &Jet<C::Num>,
    ) where
        C::Num: 'j,
    {
        let has_all = |jet: &Jet<C::Num>| jet.coefficients().flatten().all(|c| self.context.is_defined(c));
        let mut found = witness.undefined.borrow_mut();
        // a branch counts only where it is taken: an undecided guard is reported before an undefined branch
        if let BlockInstruction::Select { guard, then, otherwise } = instruction
            && has_all(get(*guard))
            && self.context.contains_zero(&jets.value_of(get(*guard)))
            && !(has_all(result) || has_all(get(*then)) && has_all(get(*otherwise)))
        {
            *found = Some(UndefinedOperation {
                cause: UndefinedCause::Undecided,
                operation: Some("if".to_owned()),
                site,
                integral: None,
            });
            return;
        }
        // the first undefined operation of a block counts; a solver with a result has not failed
        if before.is_some() || has_all(result) {
            *found = before;
            return;
        }
        // recorded inside the solver of this step; the innermost integral around it is noted on the way out
        if let Some(found) = &mut *found {
            if matches!(instruction, BlockInstruction::Second { primitive: SecondOrder::Integral, .. }) {
                found.integral.get_or_insert(site);
            }
            return;
        }
        // an undefined operand is to blame; it was recorded when it was computed, or comes from outside the block
        let mut operands_have = true;
        instruction.for_each_read(|register, _| operands_have &= has_all(get(register)));
        if !operands_have {
            return;
        }
        let value = |register: &BlockRegister| jets.value_of(get(*register));
        // at a pole of its derivative the operation itself may have a value
        let cause_at_zero = |x: &C::Num| if site.is_slope() { UndefinedCause::Boundary } else { self.cause_at_zero(x) };
        let (cause, operation) = match instruction {
            BlockInstruction::Unary(Unary::Function(f), x) if f.derivative_function().is_some() => {
                (self.cause_at_pole(&value(x)), f.to_string())
            }
            BlockInstruction::Unary(Unary::Function(f), x) => {
                (self.cause_in(f.row().domain, &value(x)), f.name().to_owned())
            }
            BlockInstruction::Unary(Unary::Signum, _) => (UndefinedCause::Undecided, "signum".to_owned()),
            BlockInstruction::Unary(Unary::Abs, _) => (UndefinedCause::Undecided, "abs".to_owned()),
            BlockInstruction::Binary(Binary::Divide, _, y) => (cause_at_zero(&value(y)), "/".to_owned()),
            BlockInstruction::Binary(Binary::Maximum, ..) => (UndefinedCause::Undecided, "max".to_owned()),
            BlockInstruction::Binary(Binary::Minimum, ..) => (UndefinedCause::Undecided, "min".to_owned()),
            BlockInstruction::Binary(Binary::Planar(f), x, y) => {
                (self.cause_in_plane(*f, &value(x), &value(y)), f.name().to_owned())
            }
            BlockInstruction::Power(x, e) if e.numerator < 0 && !e.denominator.is_multiple_of(2) => {
                (cause_at_zero(&value(x)), "^".to_owned())
            }
            BlockInstruction::Power(x, e) => (self.cause_of_power(*e, &value(x)), "^".to_owned()),
            BlockInstruction::Primitive(p, _) => (UndefinedCause::Boundary, p.name.clone()),
            BlockInstruction::Derivative { .. } => (UndefinedCause::Boundary, "deriv".to_owned()),
            BlockInstruction::Second { primitive, .. } => {
                (UndefinedCause::Undecided, primitive.functional().name().to_owned())
            }
            BlockInstruction::Guard(_) | BlockInstruction::Select { .. } => {
                (UndefinedCause::Undecided, "if".to_owned())
            }
            // arithmetic on defined operands fails only in an algebra that is too large
            BlockInstruction::Constant(_) | BlockInstruction::Unary(..) | BlockInstruction::Binary(..) => return,
        };
        *found = Some(UndefinedOperation { cause, operation: Some(operation), site, integral: None });
    }

    /// Returns `Domain` if the argument certainly lies outside the domain, else `Boundary`.
    fn cause_in(&self, domain: Domain, x: &C::Num) -> UndefinedCause {
        let context = self.context;
        let side = |edge: i8| context.sign(&context.sub(x, &context.enclose_integer(edge.into())));
        let is_beyond = |edge: DomainEnd, outside: Sign| match edge {
            DomainEnd::None => false,
            DomainEnd::Closed(e) => side(e) == outside,
            DomainEnd::Open(e) => side(e) == outside || self.is_point(x, e),
        };
        if is_beyond(domain.left, Sign::Negative) || is_beyond(domain.right, Sign::Positive) {
            UndefinedCause::Domain
        } else {
            UndefinedCause::Boundary
        }
    }

    fn is_point(&self, x: &C::Num, at: i8) -> bool {
        let x = self.context.to_enclosure(x);
        x.is_point() && x.contains(&Rational::from(at))
    }

    /// Returns `Domain` if the argument is certainly a pole, one of 0, -1, -2, …; else `Boundary`.
    fn cause_at_pole(&self, x: &C::Num) -> UndefinedCause {
        let x = self.context.to_enclosure(x);
        if x.is_point() && x.lo().is_integer() && *x.lo() <= 0 {
            UndefinedCause::Domain
        } else {
            UndefinedCause::Boundary
        }
    }

    fn cause_at_zero(&self, x: &C::Num) -> UndefinedCause {
        if self.is_point(x, 0) { UndefinedCause::Domain } else { UndefinedCause::Boundary }
    }

    /// Returns the cause for a function of two variables.
    fn cause_in_plane(&self, f: Planar, x: &C::Num, y: &C::Num) -> UndefinedCause {
        match f.row().shape {
            BinaryShape::Angle if self.is_point(x, 0) && self.is_point(y, 0) => UndefinedCause::Domain,
            BinaryShape::Angle if self.context.contains_zero(x) && self.context.contains_zero(y) => {
                UndefinedCause::Boundary
            }
            // on the cut of the angle, the negative half axis, the side is not decided
            BinaryShape::Angle => UndefinedCause::Undecided,
        }
    }

    fn cause_of_power(&self, e: RationalExponent, x: &C::Num) -> UndefinedCause {
        if e.denominator.is_multiple_of(2) {
            self.cause_in(Function::Sqrt.row().domain, x)
        } else {
            UndefinedCause::Boundary
        }
    }
}
