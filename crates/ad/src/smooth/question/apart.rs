//! Proofs that a closed graph denotes a set with several numbers, by two disjoint enclosures.
//!
//! A derivative at a kink is a set in the sense of Clarke. It contains the limits of derivatives at points nearby: in
//! particular those at `p + t·v` for t → 0 from above, v being the direction of the derivative, and those from below. A
//! graph with derivatives contains the values computed from such limits.
//!
//! On `0 < t ≤ h` a branch point has one sign if its number is exactly 0 at t = 0 and strictly monotone on `0 ≤ t ≤ h`.
//! With these signs fixed, a run over `0 ≤ t ≤ h` encloses every derivative there, and so their limits. So it encloses
//! a number of the set, even if other branch points remain undecided. Two such runs with disjoint results enclose two
//! numbers.
//!
//! Binary arithmetic does not show that a number is exactly 0 at t = 0 if the point is 1/3. So terms that are affine in
//! the point, with rational coefficients, are rewritten as affine functions of the distance: `x - 1/3` at 1/3 + t is t.

use crate::number::budget::Budget;
use crate::number::context::{Context, Sign};
use crate::number::effort::Effort;
use crate::number::{Enclosure, Magnitude, Mpfr, Rational};
use crate::smooth::algebra::Algebra;
use crate::smooth::error::SmoothError;
use crate::smooth::graph::{Binary, Derivative, Graph, Operation, Site, Unary, Variable};
use crate::smooth::hooks::Hooked;
use crate::smooth::jet::Jet;
use crate::smooth::jet::kinks::Branch;
use crate::smooth::machine::switch::{Events, Switch};
use crate::smooth::machine::{Branches, Machine, Target};
use crate::smooth::program::Program;
use crate::smooth::solve::Function;
use crate::stack::deep;
use rustc_hash::FxHashMap;
use std::collections::BTreeMap;

/// The precision of a run, in bits. A choice, as the following: …
const BITS: u32 = 256;
/// … the solvers' tolerance is 2^-100, …
const FINE: i64 = -100;
/// … and h is 2^-128, small enough that other branch points usually keep their sign.
const NEAR: u32 = 128;
/// The largest number of rounds. Each finds the branch points that are met only with the signs of others fixed.
const ROUNDS: usize = 8;

impl Graph {
    /// Encloses two different numbers of the set that a closed graph denotes, in increasing order. Returns `None` if
    /// this fails.
    ///
    /// # Errors
    /// Errors of the program.
    pub fn apart(&self, budget: &Budget) -> Result<Option<[Enclosure; 2]>, SmoothError> {
        let Some(above) = self.beside(1, budget)? else { return Ok(None) };
        let Some(below) = self.beside(-1, budget)? else { return Ok(None) };
        Ok(match (below.hi() < above.lo(), above.hi() < below.lo()) {
            (true, _) => Some([below, above]),
            (_, true) => Some([above, below]),
            _ => None,
        })
    }

    /// Encloses a limit of values with all derivatives taken next to their points, on the side of `way`. Returns `None`
    /// if there is no derivative, or no bounded enclosure.
    fn beside(&self, way: i64, budget: &Budget) -> Result<Option<Enclosure>, SmoothError> {
        let t = Variable::fresh();
        let distance = Graph::binary(Binary::Multiply, &Graph::integer(way), &Graph::variable(t));
        let moved = moved(self, &distance, &mut FxHashMap::default());
        // no derivative outside binders: the graph is a number, or its set is not visible this way
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
        // signs that are fixed may make further branch points reachable, so the run is repeated until none is new
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

/// Returns the sign of a branch point on (0, h], if it is exactly 0 at 0 and strictly monotone on [0, h]; else
/// `Undecided`.
fn side<C: Hooked>(
    f: &Function<C>,
    piece: &C::Num,
    forced: &[(Switch, Branch)],
    switch: Switch,
) -> Result<Branch, SmoothError> {
    let (context, target) = (f.context(), Target::Switch(switch));
    let branches = || Branches::forced(forced.to_vec());
    let start = f.at(&f.machine.real, Jet::constant(context.integer(0)), &mut branches(), target)?;
    let is_zero = |c: &C::Num| context.is_defined(c) && context.is_point(c) && context.contains_zero(c);
    // a structural zero is exactly 0
    if !start.get(0).is_none_or(is_zero) {
        return Ok(Branch::Undecided);
    }
    // strict monotonicity on the whole piece, endpoints included
    let slope = f.line(piece, &mut branches(), target)?.slope;
    Ok(match context.sign(&slope) {
        Sign::Positive if context.is_bounded(&slope) => Branch::Left,
        Sign::Negative if context.is_bounded(&slope) => Branch::Right,
        _ => Branch::Undecided,
    })
}

/// Moves the point of each derivative that is not under a binder by `distance` along its direction.
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
            // t times the direction: both sides of the point are reached by the sign of `distance`
            let steps = d.along.iter().map(|along| Graph::binary(Binary::Multiply, along, distance));
            // the body as a function of the displacement, so that affine terms can be expanded around the point
            let variables: Vec<Variable> = d.variables.iter().map(|_| Variable::fresh()).collect();
            let places = d.at.iter().zip(&variables);
            let places = places.map(|(at, v)| Graph::binary(Binary::Add, at, &Graph::variable(*v)));
            let bindings: Vec<_> = d.variables.iter().copied().zip(places).collect();
            let body = centred(&d.body.substitute(&bindings), &mut FxHashMap::default()).0;
            Graph::slope(Derivative { variables, body, at: steps.collect(), along: d.along.clone(), place: d.place })
        }
        _ => g.clone(),
    };
    let result = result.at(g.site());
    memo.insert(g.address(), result.clone());
    result
}

/// An affine form `Σ aᵢ·vᵢ + c`, with all aᵢ ≠ 0.
#[derive(Clone, Debug, Default)]
struct Affine {
    factors: BTreeMap<Variable, Rational>,
    constant: Rational,
}

impl Affine {
    /// Returns `self + factor·other`.
    fn plus(mut self, other: &Self, factor: &Rational) -> Self {
        for (v, a) in &other.factors {
            *self.factors.entry(*v).or_default() += Rational::from(a * factor);
        }
        self.factors.retain(|_, a| !a.is_zero());
        self.constant += Rational::from(&other.constant * factor);
        self
    }

    fn times(&self, factor: &Rational) -> Self {
        Self::default().plus(self, factor)
    }

    fn as_constant(&self) -> Option<&Rational> {
        self.factors.is_empty().then_some(&self.constant)
    }

    fn graph(&self) -> Graph {
        let constant = Graph::rational(self.constant.clone());
        let term = |(v, a): (&Variable, &Rational)| {
            Graph::binary(Binary::Multiply, &Graph::rational(a.clone()), &Graph::variable(*v))
        };
        let terms = self.factors.iter().map(term).reduce(|sum, term| Graph::binary(Binary::Add, &sum, &term));
        match terms {
            None => constant,
            Some(terms) if self.constant.is_zero() => terms,
            Some(terms) => Graph::binary(Binary::Add, &terms, &constant),
        }
    }
}

/// The largest number of variables of an affine form. A choice: longer sums gain nothing.
const MOST_VARIABLES: usize = 4;

/// Rewrites terms outside binders that are affine over ℚ in a normal form. Returns the graph with its form, if it has
/// one.
fn centred(g: &Graph, memo: &mut FxHashMap<usize, (Graph, Option<Affine>)>) -> (Graph, Option<Affine>) {
    if let Some(known) = memo.get(&g.address()) {
        return known.clone();
    }
    let mut part = |g: &Graph| deep(|| centred(g, memo));
    let one = Rational::from(1);
    let (plain, form) = match g.operation() {
        Operation::Variable(v) => {
            let factors = BTreeMap::from([(*v, one)]);
            (g.clone(), Some(Affine { factors, constant: Rational::new() }))
        }
        Operation::Rational(q) => (g.clone(), Some(Affine { constant: Rational::clone(q), ..Affine::default() })),
        Operation::Unary(f, a) => {
            let (a, form) = part(a);
            let form = form.filter(|_| *f == Unary::Negate).map(|form| form.times(&Rational::from(-1)));
            (Graph::unary(*f, &a), form)
        }
        Operation::Binary(f, a, b) => {
            let ((a, left), (b, right)) = (part(a), part(b));
            let form = left.zip(right).and_then(|(left, right)| match f {
                Binary::Add => Some(left.plus(&right, &one)),
                Binary::Subtract => Some(left.plus(&right, &Rational::from(-1))),
                Binary::Multiply => match (left.as_constant(), right.as_constant()) {
                    (Some(factor), _) => Some(right.times(factor)),
                    (_, Some(factor)) => Some(left.times(factor)),
                    _ => None,
                },
                Binary::Divide => {
                    let divisor = right.as_constant().filter(|divisor| !divisor.is_zero())?;
                    Some(left.times(&Rational::from(divisor.recip_ref())))
                }
                _ => None,
            });
            (Graph::binary(*f, &a, &b), form)
        }
        Operation::Power(a, e) => (Graph::new(Operation::Power(part(a).0, *e)), None),
        Operation::Select(guard, a, b) => (Graph::new(Operation::Select(part(guard).0, part(a).0, part(b).0)), None),
        Operation::Primitive(p, xs) => (Graph::primitive(p, xs.iter().map(|x| part(x).0).collect()), None),
        _ => (g.clone(), None),
    };
    let form = form.filter(|form| form.factors.len() <= MOST_VARIABLES);
    let result = form.as_ref().map_or(plain, Affine::graph).at(g.site());
    memo.insert(g.address(), (result.clone(), form.clone()));
    (result, form)
}
