//! Diagnosis of an undefined number: the first operation without a value or a derivative whose operands have theirs.
//!
//! A run of a program can record it. An undefined operation inside a solver counts only if the solver's own result is undefined: it
//! may have met it on a panel that it split later. Of several runs of one block the last counts, which is the finest.

use crate::function::{Domain, Edge, Function, Planar, Surface};
use crate::number::context::Sign;
use crate::number::{Enclosure, Rational};
use crate::smooth::graph::{Binary, Exponent, SecondOrder, Site, Unary};
use crate::smooth::hooks::Hooked;
use crate::smooth::jet::{Jet, Jets};
use crate::smooth::machine::Machine;
use crate::smooth::program::{Instruction, Register};
pub use crate::undefined::Cause;
use std::cell::{Cell, RefCell};
use std::fmt;

/// The undefined operation and its position.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Undefined {
    /// The reason.
    pub cause: Cause,
    /// The operation, as the language writes it; `None` if there is none to name.
    pub operation: Option<String>,
    /// Its position in the source.
    pub site: Site,
    /// The innermost integral that contains the operation and is undefined itself, if any.
    pub integral: Option<Site>,
}

impl Undefined {
    /// The budget ran out before a diagnosis.
    pub const FUEL: Self = Self { cause: Cause::Fuel, operation: None, site: Site::NOWHERE, integral: None };
}

impl fmt::Display for Undefined {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let operation = self.operation.as_deref().unwrap_or("the program");
        match self.cause {
            Cause::Boundary => write!(f, "`{operation}` is at the edge of where it is defined and smooth"),
            Cause::Domain => write!(f, "`{operation}` is outside of its domain"),
            Cause::Undecided => write!(f, "`{operation}` is not decided"),
            Cause::Fuel => f.write_str("the budget was used up"),
        }
    }
}

/// Candidates for the maximiser of a function that were not separated; or a single one of some width.
#[derive(Clone, Debug)]
pub struct Tie {
    /// The optimum that searched for them.
    pub site: Site,
    /// Enclosures of the candidates, from left to right, disjoint.
    pub places: Vec<Enclosure>,
}

impl Tie {
    /// Merges touching enclosures: a search may cut one candidate in several. Returns `None` if a single number is
    /// left.
    fn between(site: Site, mut found: Vec<Enclosure>) -> Option<Self> {
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
    pub fn remark(&self) -> [String; 2] {
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

impl fmt::Display for Tie {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let shown = |place: &Enclosure| {
            let ends = place.decimals(&Rational::from(SHOWN));
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
pub struct Witness {
    undefined: RefCell<Option<Undefined>>,
    tie: RefCell<Option<Tie>>,
    /// The nesting depth of the solvers that are running.
    depth: Cell<u32>,
}

impl Witness {
    /// Returns the diagnosis.
    #[must_use]
    pub fn into_found(self) -> Option<Undefined> {
        self.undefined.into_inner()
    }

    /// Returns the candidates of the last optimum that was not inside another solver, if they were not separated.
    #[must_use]
    pub fn into_tie(self) -> Option<Tie> {
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
    pub(super) fn note_tie(&self, site: Site, places: Vec<Enclosure>) {
        if self.depth.get() == 1 {
            self.tie.replace(Tie::between(site, places));
        }
    }

    /// Begins a run of a block. The run ends when the returned value is dropped.
    pub(super) fn begin(&self) -> Seen<'_> {
        Seen { before: self.undefined.take(), witness: self }
    }

    /// Returns the diagnosis before a step.
    pub(super) fn mark(&self) -> Option<Undefined> {
        self.undefined.borrow().clone()
    }
}

/// A run of a block: its diagnosis replaces that of an earlier run; no diagnosis replaces nothing.
pub(super) struct Seen<'w> {
    witness: &'w Witness,
    before: Option<Undefined>,
}

impl Drop for Seen<'_> {
    fn drop(&mut self) {
        let mut found = self.witness.undefined.borrow_mut();
        if found.is_none() {
            *found = self.before.take();
        }
    }
}

impl<'m, C: Hooked> Machine<'m, C> {
    /// Attaches a witness, which records the diagnosis of each run.
    #[must_use]
    pub fn seen_by(mut self, witness: &'m Witness) -> Self {
        self.witness = Some(witness);
        self
    }

    /// Updates the diagnosis after one step. `before` is the diagnosis before the step, in this run of the block.
    pub(super) fn attest<'j>(
        &self,
        witness: &Witness,
        before: Option<Undefined>,
        jets: &Jets<C>,
        (instruction, site): (&Instruction, Site),
        get: impl Fn(Register) -> &'j Jet<C::Num>,
        result: &Jet<C::Num>,
    ) where
        C::Num: 'j,
    {
        let has_all = |jet: &Jet<C::Num>| jet.coefficients().flatten().all(|c| self.context.is_defined(c));
        let mut found = witness.undefined.borrow_mut();
        // a branch counts only where it is taken: an undecided guard is reported before an undefined branch
        if let Instruction::Select { guard, then, otherwise } = instruction
            && has_all(get(*guard))
            && self.context.contains_zero(&jets.value(get(*guard)))
            && !(has_all(result) || has_all(get(*then)) && has_all(get(*otherwise)))
        {
            *found =
                Some(Undefined { cause: Cause::Undecided, operation: Some("if".to_owned()), site, integral: None });
            return;
        }
        // the first undefined operation of a block counts; a solver with a result has not failed
        if before.is_some() || has_all(result) {
            *found = before;
            return;
        }
        // recorded inside the solver of this step; the innermost integral around it is noted on the way out
        if let Some(found) = &mut *found {
            if matches!(instruction, Instruction::Second { primitive: SecondOrder::Integral, .. }) {
                found.integral.get_or_insert(site);
            }
            return;
        }
        // an undefined operand is to blame; it was recorded when it was computed, or comes from outside the block
        let mut operands_have = true;
        instruction.reads(|register, _| operands_have &= has_all(get(register)));
        if !operands_have {
            return;
        }
        let value = |register: &Register| jets.value(get(*register));
        // at a pole of its derivative the operation itself may have a value
        let cause_at_zero = |x: &C::Num| if site.is_slope() { Cause::Boundary } else { self.cause_at_zero(x) };
        let (cause, operation) = match instruction {
            Instruction::Unary(Unary::Function(f), x) if f.raised().is_some() => {
                (self.cause_at_pole(&value(x)), f.to_string())
            }
            Instruction::Unary(Unary::Function(f), x) => {
                (self.cause_in(f.row().domain, &value(x)), f.name().to_owned())
            }
            Instruction::Unary(Unary::Signum, _) => (Cause::Undecided, "signum".to_owned()),
            Instruction::Unary(Unary::Abs, _) => (Cause::Undecided, "abs".to_owned()),
            Instruction::Binary(Binary::Divide, _, y) => (cause_at_zero(&value(y)), "/".to_owned()),
            Instruction::Binary(Binary::Maximum, ..) => (Cause::Undecided, "max".to_owned()),
            Instruction::Binary(Binary::Minimum, ..) => (Cause::Undecided, "min".to_owned()),
            Instruction::Binary(Binary::Planar(f), x, y) => {
                (self.cause_in_plane(*f, &value(x), &value(y)), f.name().to_owned())
            }
            Instruction::Power(x, e) if e.numerator < 0 && !e.denominator.is_multiple_of(2) => {
                (cause_at_zero(&value(x)), "^".to_owned())
            }
            Instruction::Power(x, e) => (self.cause_of_power(*e, &value(x)), "^".to_owned()),
            Instruction::Primitive(p, _) => (Cause::Boundary, p.name.clone()),
            Instruction::Derivative { .. } => (Cause::Boundary, "deriv".to_owned()),
            Instruction::Second { primitive, .. } => (Cause::Undecided, primitive.functional().name().to_owned()),
            Instruction::Guard(_) | Instruction::Select { .. } => (Cause::Undecided, "if".to_owned()),
            // arithmetic on defined operands fails only in an algebra that is too large
            Instruction::Constant(_) | Instruction::Unary(..) | Instruction::Binary(..) => return,
        };
        *found = Some(Undefined { cause, operation: Some(operation), site, integral: None });
    }

    /// Returns `Domain` if the argument certainly lies outside the domain, else `Boundary`.
    fn cause_in(&self, domain: Domain, x: &C::Num) -> Cause {
        let context = self.context;
        let side = |edge: i8| context.sign(&context.sub(x, &context.integer(edge.into())));
        let is_beyond = |edge: Edge, outside: Sign| match edge {
            Edge::None => false,
            Edge::Closed(e) => side(e) == outside,
            Edge::Open(e) => side(e) == outside || self.is_point(x, e),
        };
        if is_beyond(domain.left, Sign::Negative) || is_beyond(domain.right, Sign::Positive) {
            Cause::Domain
        } else {
            Cause::Boundary
        }
    }

    fn is_point(&self, x: &C::Num, at: i8) -> bool {
        let x = self.context.to_enclosure(x);
        x.is_point() && x.contains(&Rational::from(at))
    }

    /// Returns `Domain` if the argument is certainly a pole, one of 0, -1, -2, …; else `Boundary`.
    fn cause_at_pole(&self, x: &C::Num) -> Cause {
        let x = self.context.to_enclosure(x);
        if x.is_point() && x.lo().is_integer() && *x.lo() <= 0 { Cause::Domain } else { Cause::Boundary }
    }

    fn cause_at_zero(&self, x: &C::Num) -> Cause {
        if self.is_point(x, 0) { Cause::Domain } else { Cause::Boundary }
    }

    /// Returns the cause for a function of two variables.
    fn cause_in_plane(&self, f: Planar, x: &C::Num, y: &C::Num) -> Cause {
        match f.row().surface {
            Surface::Angle if self.is_point(x, 0) && self.is_point(y, 0) => Cause::Domain,
            Surface::Angle if self.context.contains_zero(x) && self.context.contains_zero(y) => Cause::Boundary,
            // on the cut of the angle, the negative half axis, the side is not decided
            Surface::Angle => Cause::Undecided,
        }
    }

    fn cause_of_power(&self, e: Exponent, x: &C::Num) -> Cause {
        if e.denominator.is_multiple_of(2) { self.cause_in(Function::Sqrt.row().domain, x) } else { Cause::Boundary }
    }
}
