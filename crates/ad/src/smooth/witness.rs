//! Why a number is undefined: the first operation without a value or a derivative whose operands have theirs.
//!
//! A run over a program may look for it beside its work. What a solver met on its way counts only where the solver's own
//! result is undefined, for it may have met it on a panel that it split; of several runs of one block the last tells, which
//! is the finest.

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

/// What is undefined, and where it stands.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Undefined {
    /// Why.
    pub cause: Cause,
    /// The operation, as the language writes it; nothing where there is none to name.
    pub operation: Option<String>,
    /// Where it stands.
    pub site: Site,
    /// The innermost integral that met it and has no value either, if one did.
    pub integral: Option<Site>,
}

impl Undefined {
    /// Nothing was found out.
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

/// Places at which a function may be largest, where they are not told apart; or one of some width, of which no part is left out.
#[derive(Clone, Debug)]
pub struct Tie {
    /// The optimum that looked for them.
    pub site: Site,
    /// The places, from left to right, of which no two touch.
    pub places: Vec<Enclosure>,
}

impl Tie {
    /// Of places in any order: a search may cut one place in several, which touch. Nothing where a single number is left.
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

    /// What it says, before and after where it stands.
    #[must_use]
    pub fn remark(&self) -> [String; 2] {
        match self.places.len() {
            1 => ["the place is not told apart:".to_owned(), format!(", within {self}")],
            2 => ["two places tie, or are not told apart:".to_owned(), format!(", at {self}")],
            count => [format!("{count} places tie, or are not told apart:"), format!(", at {self}")],
        }
    }
}

/// The decimals of the places of a tie.
const SHOWN: (u32, u32) = (1, 1_000_000);
/// More places of a tie than this are counted.
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

/// What a run has found so far.
#[derive(Debug, Default)]
pub struct Witness {
    undefined: RefCell<Option<Undefined>>,
    tie: RefCell<Option<Tie>>,
    /// How many solvers are at work inside of each other.
    depth: Cell<u32>,
}

impl Witness {
    /// What was found.
    #[must_use]
    pub fn into_found(self) -> Option<Undefined> {
        self.undefined.into_inner()
    }

    /// The tie of an optimum that no other solver runs, the last of them.
    #[must_use]
    pub fn into_tie(self) -> Option<Tie> {
        self.tie.into_inner()
    }

    /// Runs a solver.
    pub(super) fn around_solver<T>(&self, solve: impl FnOnce() -> T) -> T {
        self.depth.set(self.depth.get() + 1);
        let result = solve();
        self.depth.set(self.depth.get() - 1);
        result
    }

    /// Notes that an optimum does not tell places apart. What one inside of another solver does not tell apart, that solver may: it
    /// is run at places of its own.
    pub(super) fn note_tie(&self, site: Site, places: Vec<Enclosure>) {
        if self.depth.get() == 1 {
            self.tie.replace(Tie::between(site, places));
        }
    }

    /// Begins a run of a block, which ends when what is given is dropped.
    pub(super) fn begin(&self) -> Seen<'_> {
        Seen { before: self.undefined.take(), witness: self }
    }

    /// What was found before a step.
    pub(super) fn mark(&self) -> Option<Undefined> {
        self.undefined.borrow().clone()
    }
}

/// A run of a block: what it finds replaces what was found in an earlier one, and finding nothing replaces nothing.
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
    /// The same machine, for a run in which a witness looks for what is undefined.
    #[must_use]
    pub fn seen_by(mut self, witness: &'m Witness) -> Self {
        self.witness = Some(witness);
        self
    }

    /// Looks at the result of a step. `before` is what was found before it, in this run of the block.
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
        // a side counts only where it is chosen, so what is not decided tells before what a side lacks
        if let Instruction::Select { guard, then, otherwise } = instruction
            && has_all(get(*guard))
            && self.context.contains_zero(&jets.value(get(*guard)))
            && !(has_all(result) || has_all(get(*then)) && has_all(get(*otherwise)))
        {
            *found =
                Some(Undefined { cause: Cause::Undecided, operation: Some("if".to_owned()), site, integral: None });
            return;
        }
        // the first of a block tells, and a solver that has a result has not failed
        if before.is_some() || has_all(result) {
            *found = before;
            return;
        }
        if let Some(found) = &mut *found {
            if matches!(instruction, Instruction::Second { primitive: SecondOrder::Integral, .. }) {
                found.integral.get_or_insert(site);
            }
            return;
        }
        let mut operands_have = true;
        instruction.reads(|register, _| operands_have &= has_all(get(register)));
        if !operands_have {
            return;
        }
        let value = |register: &Register| jets.value(get(*register));
        // where its slope has a pole, an operation may have a value
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
            // what is too large for its algebra
            Instruction::Constant(_) | Instruction::Unary(..) | Instruction::Binary(..) => return,
        };
        *found = Some(Undefined { cause, operation: Some(operation), site, integral: None });
    }

    /// Where an argument of a function with a domain lies.
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

    /// Where an argument of a function with the poles 0, -1, -2, … lies.
    fn cause_at_pole(&self, x: &C::Num) -> Cause {
        let x = self.context.to_enclosure(x);
        if x.is_point() && x.lo().is_integer() && *x.lo() <= 0 { Cause::Domain } else { Cause::Boundary }
    }

    fn cause_at_zero(&self, x: &C::Num) -> Cause {
        if self.is_point(x, 0) { Cause::Domain } else { Cause::Boundary }
    }

    /// Where the arguments of a function of two variables lie.
    fn cause_in_plane(&self, f: Planar, x: &C::Num, y: &C::Num) -> Cause {
        match f.row().surface {
            Surface::Angle if self.is_point(x, 0) && self.is_point(y, 0) => Cause::Domain,
            Surface::Angle if self.context.contains_zero(x) && self.context.contains_zero(y) => Cause::Boundary,
            // on which side of the ray
            Surface::Angle => Cause::Undecided,
        }
    }

    fn cause_of_power(&self, e: Exponent, x: &C::Num) -> Cause {
        if e.denominator.is_multiple_of(2) { self.cause_in(Function::Sqrt.row().domain, x) } else { Cause::Boundary }
    }
}
