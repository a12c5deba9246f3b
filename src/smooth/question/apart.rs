//! Numbers of the set that a closed graph denotes, enclosed apart: a set is shown to be one.
//!
//! A derivative at a kink is a set in the sense of Clarke: the limits of derivatives at points nearby lie in it. So do those of its
//! derivatives at `p + t·v` for t → 0 from above, v being the direction in which it is taken, and those from below. What is computed from derivatives
//! holds what follows from these numbers of theirs.
//!
//! On `0 < t ≤ h` a switch that is exactly 0 at t = 0, and strictly monotone on `0 ≤ t ≤ h`, has one sign. With these signs given, a run
//! over all of `0 ≤ t ≤ h` encloses every derivative there, and so their limits: it encloses a number of the set, whatever remains undecided in
//! it. Two such runs whose results are disjoint enclose two numbers.

use crate::number::budget::Budget;
use crate::number::context::{Context, Sign};
use crate::number::effort::Effort;
use crate::number::{Enclosure, Magnitude, Mpfr, Rational};
use crate::smooth::algebra::Algebra;
use crate::smooth::error::SmoothError;
use crate::smooth::graph::{Binary, Derivative, Graph, Operation, Site, Variable};
use crate::smooth::jet::Jet;
use crate::smooth::jet::kinks::Branch;
use crate::smooth::machine::switch::{Events, Switch};
use crate::smooth::machine::{Branches, Machine, Target};
use crate::smooth::program::Program;
use crate::smooth::solve::Function;
use crate::stack::deep;
use rustc_hash::FxHashMap;

/// The precision of a run.
const BITS: u32 = 256;
/// The tolerance of its solvers is 2 to this power.
const FINE: i64 = -100;
/// h is 2 to the power of minus this.
const NEAR: u32 = 128;
/// So many rounds of switches are looked at, those that are met only with the signs of others given.
const ROUNDS: usize = 8;

impl Graph {
    /// A number of the set that a closed graph denotes, and a greater one, enclosed apart; `None` where that is not shown.
    ///
    /// # Errors
    /// Those of the program.
    pub fn apart(&self, budget: &Budget) -> Result<Option<[Enclosure; 2]>, SmoothError> {
        let Some(above) = self.beside(1, budget)? else { return Ok(None) };
        let Some(below) = self.beside(-1, budget)? else { return Ok(None) };
        Ok(match (below.hi() < above.lo(), above.hi() < below.lo()) {
            (true, _) => Some([below, above]),
            (_, true) => Some([above, below]),
            _ => None,
        })
    }

    /// A limit of its values where its derivatives are taken at places beside their points.
    fn beside(&self, way: i64, budget: &Budget) -> Result<Option<Enclosure>, SmoothError> {
        let t = Variable::fresh();
        let distance = Graph::binary(Binary::Multiply, &Graph::integer(way), &Graph::variable(t));
        let moved = moved(self, &distance, &mut FxHashMap::default());
        if !moved.depends_on(t) {
            return Ok(None);
        }
        let (program, unbound) = Program::of(&[t], std::slice::from_ref(&moved));
        if !unbound.is_empty() {
            return Ok(None);
        }
        let (context, real) = (Mpfr::new(BITS), Algebra::real());
        let effort = Effort::new(Magnitude::power_of_two(FINE), budget);
        let machine = Machine::new(&context, &effort, &real, &program);
        let events = Events::default();
        let function = Function::new(&machine, &program.root, &[], Site::NOWHERE, &events);
        let piece = context.hull(&context.integer(0), &context.rational(&(Rational::from(1) >> NEAR)));
        let mut forced: Vec<(Switch, Branch)> = Vec::new();
        let mut round = 0;
        loop {
            let mut branches = Branches::forced(forced.clone());
            let found = function.value(&piece, &mut branches, Target::Outputs)?;
            let before = forced.len();
            for switch in branches.undecided {
                if forced.iter().any(|(known, _)| *known == switch) {
                    continue;
                }
                match side(&function, &piece, &forced, switch)? {
                    Branch::Undecided => {}
                    side => forced.push((switch, side)),
                }
            }
            round += 1;
            if forced.len() == before || round == ROUNDS {
                let is_known = context.is_defined(&found) && context.is_bounded(&found) && !budget.is_exhausted();
                return Ok(is_known.then(|| context.to_enclosure(&found)));
            }
        }
    }
}

/// The sign that a switch has on the rest of a piece that begins at 0, where it is exactly 0 and strictly monotone.
fn side<C: Context>(
    f: &Function<C>,
    piece: &C::Num,
    forced: &[(Switch, Branch)],
    switch: Switch,
) -> Result<Branch, SmoothError> {
    let (context, target) = (f.context(), Target::Switch(switch));
    let branches = || Branches::forced(forced.to_vec());
    let start = f.at(&f.machine.real, Jet::constant(context.integer(0)), &mut branches(), target)?;
    let is_zero = |c: &C::Num| context.is_defined(c) && context.is_point(c) && context.contains_zero(c);
    if !start.get(0).is_none_or(is_zero) {
        return Ok(Branch::Undecided);
    }
    let slope = f.line(piece, &mut branches(), target)?.slope;
    Ok(match context.sign(&slope) {
        Sign::Positive if context.is_bounded(&slope) => Branch::Left,
        Sign::Negative if context.is_bounded(&slope) => Branch::Right,
        _ => Branch::Undecided,
    })
}

/// A graph with its derivatives, those outside of what binds a variable, taken at a distance from their points, each in its direction.
fn moved(g: &Graph, distance: &Graph, memo: &mut FxHashMap<usize, Graph>) -> Graph {
    if let Some(known) = memo.get(&g.address()) {
        return known.clone();
    }
    let mut part = |g: &Graph| deep(|| moved(g, distance, memo));
    let result = match g.operation() {
        Operation::Unary(f, a) => Graph::unary(*f, &part(a)),
        Operation::Binary(f, a, b) => Graph::binary(*f, &part(a), &part(b)),
        Operation::Power(a, e) => Graph::new(Operation::Power(part(a), *e)),
        Operation::Select(guard, a, b) => Graph::new(Operation::Select(part(guard), part(a), part(b))),
        Operation::Primitive(p, xs) => Graph::primitive(p, xs.iter().map(part).collect()),
        Operation::Derivative(d) => {
            let away = |(at, along): (&Graph, &Graph)| match along.as_rational() {
                Some(zero) if zero.is_zero() => at.clone(),
                _ => Graph::binary(Binary::Add, at, &Graph::binary(Binary::Multiply, along, distance)),
            };
            let at = d.at.iter().zip(&d.along).map(away).collect();
            Graph::slope(Derivative { at, ..Derivative::clone(d) })
        }
        _ => g.clone(),
    };
    let result = result.at(g.site());
    memo.insert(g.address(), result.clone());
    result
}
