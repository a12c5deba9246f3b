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
use crate::number::effort::PassOptions;
use crate::number::{Enclosure, Magnitude, Mpfr, Rational};
use crate::smooth::algebra::Algebra;
use crate::smooth::error::SmoothError;
use crate::smooth::graph::{Binary, Derivative, Graph, NodeOperation, SourceId, Unary, Variable};
use crate::smooth::hooks::HookedContext;
use crate::smooth::jet::Jet;
use crate::smooth::jet::kinks::KinkBranch;
use crate::smooth::machine::switch::{BranchPoint, SolverEvents};
use crate::smooth::machine::{BranchDecisions, EvalTarget, JetEvaluator};
use crate::smooth::program::CompiledMap;
use crate::smooth::solve::SolverFunction;
use crate::stack::with_stack;
use rustc_hash::FxHashMap;
use std::collections::BTreeMap;

/// The precision of a run, in bits. A choice, as the following: …
const RUN_BITS: u32 = 256;
/// … the solvers' tolerance is 2^-100, …
const SOLVER_TOLERANCE: i64 = -100;
/// … and h is 2^-128, small enough that other branch points usually keep their sign.
const STEP_BITS: u32 = 128;
/// The largest number of rounds. Each finds the branch points that are met only with the signs of others fixed.
const MAX_ROUNDS: usize = 8;

impl Graph {
    /// Encloses two different numbers of the set that a closed graph denotes, in increasing order. Returns `None` if
    /// this fails.
    ///
    /// # Errors
    /// Errors of the program.
    pub fn separate_values(&self, budget: &Budget) -> Result<Option<[Enclosure; 2]>, SmoothError> {
        let Some(above) = self.one_sided_enclosure(1, budget)? else { return Ok(None) };
        let Some(below) = self.one_sided_enclosure(-1, budget)? else { return Ok(None) };
        Ok(match (below.hi() < above.lo(), above.hi() < below.lo()) {
            (true, _) => Some([below, above]),
            (_, true) => Some([above, below]),
            _ => None,
        })
    }

    /// Encloses a limit of values with all derivatives taken next to their points, on the side of `way`. Returns `None`
    /// if there is no derivative, or no bounded enclosure.
    fn one_sided_enclosure(&self, way: i64, budget: &Budget) -> Result<Option<Enclosure>, SmoothError> {
        let t = Variable::fresh();
        let distance = Graph::binary(Binary::Multiply, &Graph::integer(way), &Graph::variable(t));
        let moved = shift_derivatives(self, &distance, &mut FxHashMap::default());
        // no derivative outside binders: the graph is a number, or its set is not visible this way
        if !moved.depends_on(t) {
            return Ok(None);
        }
        let (program, unbound) = CompiledMap::compile_open(&[t], std::slice::from_ref(&moved));
        if !unbound.is_empty() {
            return Ok(None);
        }
        let (context, real) = (Mpfr::new(RUN_BITS), Algebra::real());
        let effort = PassOptions::new(Magnitude::power_of_two(SOLVER_TOLERANCE), budget);
        let machine = JetEvaluator::new(&context, &effort, &real, &program);
        let events = SolverEvents::default();
        let function = SolverFunction::new(&machine, &program.root, &[], SourceId::NOWHERE, &events);
        let piece =
            context.hull(&context.enclose_integer(0), &context.enclose_rational(&(Rational::from(1) >> STEP_BITS)));
        // signs that are fixed may make further branch points reachable, so the run is repeated until none is new
        let mut forced: Vec<(BranchPoint, KinkBranch)> = Vec::new();
        let mut round = 0;
        loop {
            let mut branches = BranchDecisions::with_forced(forced.clone());
            let found = function.value_over(&piece, &mut branches, EvalTarget::Outputs)?;
            let before = forced.len();
            for switch in branches.undecided {
                if forced.iter().any(|(known, _)| *known == switch) {
                    continue;
                }
                match sign_beyond_zero(&function, &piece, &forced, switch)? {
                    KinkBranch::Undecided => {}
                    side => forced.push((switch, side)),
                }
            }
            round += 1;
            if forced.len() == before || round == MAX_ROUNDS {
                let is_known = context.is_defined(&found) && context.is_bounded(&found) && !budget.is_exhausted();
                return Ok(is_known.then(|| context.to_enclosure(&found)));
            }
        }
    }
}

/// Returns the sign of a branch point on (0, h], if it is exactly 0 at 0 and strictly monotone on [0, h]; else
/// `Undecided`.
fn sign_beyond_zero<C: HookedContext>(
    f: &SolverFunction<C>,
    piece: &C::Num,
    forced: &[(BranchPoint, KinkBranch)],
    switch: BranchPoint,
) -> Result<KinkBranch, SmoothError> {
    let (context, target) = (f.context(), EvalTarget::BranchPoint(switch));
    let branches = || BranchDecisions::with_forced(forced.to_vec());
    let start = f.eval_jet(&f.machine.real, Jet::constant(context.enclose_integer(0)), &mut branches(), target)?;
    let is_zero = |c: &C::Num| context.is_defined(c) && context.is_point(c) && context.contains_zero(c);
    // a structural zero is exactly 0
    if !start.get(0).is_none_or(is_zero) {
        return Ok(KinkBranch::Undecided);
    }
    // strict monotonicity on the whole piece, endpoints included
    let slope = f.value_and_slope(piece, &mut branches(), target)?.slope;
    Ok(match context.sign(&slope) {
        Sign::Positive if context.is_bounded(&slope) => KinkBranch::Left,
        Sign::Negative if context.is_bounded(&slope) => KinkBranch::Right,
        _ => KinkBranch::Undecided,
    })
}

/// Moves the point of each derivative that is not under a binder by `distance` along its direction.
fn shift_derivatives(g: &Graph, distance: &Graph, memo: &mut FxHashMap<usize, Graph>) -> Graph {
    if let Some(known) = memo.get(&g.address()) {
        return known.clone();
    }
    let mut part = |g: &Graph| with_stack(|| shift_derivatives(g, distance, memo));
    let result = match g.operation() {
        NodeOperation::Unary(f, a) => Graph::unary(*f, &part(a)),
        NodeOperation::Binary(f, a, b) => Graph::binary(*f, &part(a), &part(b)),
        NodeOperation::Power(a, e) => Graph::new(NodeOperation::Power(part(a), *e)),
        NodeOperation::Select(guard, a, b) => Graph::new(NodeOperation::Select(part(guard), part(a), part(b))),
        NodeOperation::Primitive(p, xs) => Graph::primitive(p, xs.iter().map(part).collect()),
        NodeOperation::Derivative(d) => {
            // t times the direction: both sides of the point are reached by the sign of `distance`
            let steps = d.along.iter().map(|along| Graph::binary(Binary::Multiply, along, distance));
            // the body as a function of the displacement, so that affine terms can be expanded around the point
            let variables: Vec<Variable> = d.variables.iter().map(|_| Variable::fresh()).collect();
            let places = d.at.iter().zip(&variables);
            let places = places.map(|(at, v)| Graph::binary(Binary::Add, at, &Graph::variable(*v)));
            let bindings: Vec<_> = d.variables.iter().copied().zip(places).collect();
            let body = expand_affine(&d.body.substitute(&bindings), &mut FxHashMap::default()).0;
            Graph::derivative_node(Derivative {
                variables,
                body,
                at: steps.collect(),
                along: d.along.clone(),
                coordinate_index: d.coordinate_index,
            })
        }
        _ => g.clone(),
    };
    let result = result.at_site(g.site());
    memo.insert(g.address(), result.clone());
    result
}

/// An affine form `Σ aᵢ·vᵢ + c`, with all aᵢ ≠ 0.
#[derive(Clone, Debug, Default)]
struct AffineForm {
    factors: BTreeMap<Variable, Rational>,
    constant: Rational,
}

impl AffineForm {
    /// Returns `self + factor·other`.
    fn add_multiple(mut self, other: &Self, factor: &Rational) -> Self {
        for (v, a) in &other.factors {
            *self.factors.entry(*v).or_default() += Rational::from(a * factor);
        }
        self.factors.retain(|_, a| !a.is_zero());
        self.constant += Rational::from(&other.constant * factor);
        self
    }

    fn scale_by(&self, factor: &Rational) -> Self {
        Self::default().add_multiple(self, factor)
    }

    fn as_constant(&self) -> Option<&Rational> {
        self.factors.is_empty().then_some(&self.constant)
    }

    fn to_graph(&self) -> Graph {
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
fn expand_affine(g: &Graph, memo: &mut FxHashMap<usize, (Graph, Option<AffineForm>)>) -> (Graph, Option<AffineForm>) {
    if let Some(known) = memo.get(&g.address()) {
        return known.clone();
    }
    let mut part = |g: &Graph| with_stack(|| expand_affine(g, memo));
    let one = Rational::from(1);
    let (plain, form) = match g.operation() {
        NodeOperation::Variable(v) => {
            let factors = BTreeMap::from([(*v, one)]);
            (g.clone(), Some(AffineForm { factors, constant: Rational::new() }))
        }
        NodeOperation::Rational(q) => {
            (g.clone(), Some(AffineForm { constant: Rational::clone(q), ..AffineForm::default() }))
        }
        NodeOperation::Unary(f, a) => {
            let (a, form) = part(a);
            let form = form.filter(|_| *f == Unary::Negate).map(|form| form.scale_by(&Rational::from(-1)));
            (Graph::unary(*f, &a), form)
        }
        NodeOperation::Binary(f, a, b) => {
            let ((a, left), (b, right)) = (part(a), part(b));
            let form = left.zip(right).and_then(|(left, right)| match f {
                Binary::Add => Some(left.add_multiple(&right, &one)),
                Binary::Subtract => Some(left.add_multiple(&right, &Rational::from(-1))),
                Binary::Multiply => match (left.as_constant(), right.as_constant()) {
                    (Some(factor), _) => Some(right.scale_by(factor)),
                    (_, Some(factor)) => Some(left.scale_by(factor)),
                    _ => None,
                },
                Binary::Divide => {
                    let divisor = right.as_constant().filter(|divisor| !divisor.is_zero())?;
                    Some(left.scale_by(&Rational::from(divisor.recip_ref())))
                }
                _ => None,
            });
            (Graph::binary(*f, &a, &b), form)
        }
        NodeOperation::Power(a, e) => (Graph::new(NodeOperation::Power(part(a).0, *e)), None),
        NodeOperation::Select(guard, a, b) => {
            (Graph::new(NodeOperation::Select(part(guard).0, part(a).0, part(b).0)), None)
        }
        NodeOperation::Primitive(p, xs) => (Graph::primitive(p, xs.iter().map(|x| part(x).0).collect()), None),
        _ => (g.clone(), None),
    };
    let form = form.filter(|form| form.factors.len() <= MOST_VARIABLES);
    let result = form.as_ref().map_or(plain, AffineForm::to_graph).at_site(g.site());
    memo.insert(g.address(), (result.clone(), form.clone()));
    (result, form)
}
