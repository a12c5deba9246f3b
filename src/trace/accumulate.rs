//! `W.R_V(x : T. C)` by one sweep back through the trace: what a variable is handed by its uses is added up, and handed on once.
//!
//! The result is a trace term again, so derivatives nest, and it has a number of nodes that is proportional to the trace.
//! First the trace is made straight: a list of operations on real numbers, each under a variable, pairs being known part by
//! part. Everything that the trace computes is in it, whether or not x is, since the derivative is defined only where all of
//! it is (A Thm 6.1). Then the list is run through from its end.

use super::error::Obstacle;
use super::rules::Rules;
use super::straight::{Line, Step, Straight, Tree};
use super::term::{Term, TermKind, Variable};
use super::ty::Ty;
use rustc_hash::{FxHashMap, FxHashSet};

/// The most nodes of a derivative by the [literal clauses](super::differentiate).
pub const LITERAL_NODES: u64 = 100_000;

/// `W.R_V(x : T. C)`, for values V and W in which x is not free. The function is that of the literal clauses.
///
/// # Errors
/// [`Obstacle::Stuck`] where C is no trace term.
pub fn accumulated(
    rules: &dyn Rules,
    w: &Term,
    point: &Term,
    x: &Variable,
    ty: &Ty,
    trace: &Term,
) -> Result<Term, Obstacle> {
    let mut straight = Straight::default();
    let mut inputs = Vec::new();
    let at = straight.value(point)?;
    let at = straight.inputs(x, ty, at, &mut inputs);
    straight.known.insert(x.clone(), at);
    let result = straight.straighten(&rules.apart(trace))?;

    let mut moving: FxHashSet<Variable> = inputs.iter().cloned().collect();
    for line in &straight.lines {
        let moves = |atom: &Term| matches!(atom.kind(), TermKind::Variable(y) if moving.contains(y));
        let moved = match &line.step {
            Step::Add(parts) => parts.iter().any(moves),
            Step::Operation(_, parts) => parts.iter().any(moves),
            Step::Part => false,
        };
        if moved {
            moving.insert(line.variable.clone());
        }
    }
    let forward = straight.lines.len();
    let cotangent = straight.value(w)?;
    let mut sweep = Sweep { rules, moving, handed: FxHashMap::default() };
    sweep.hand_tree(&mut straight, &result, cotangent);
    let mut back = Vec::new();
    for line in straight.lines[..forward].iter().rev() {
        sweep.line(line, &inputs, &mut back);
    }

    let answer = sweep.answer(ty, &mut inputs.iter());
    let answer = back.into_iter().rev().fold(answer, |body, (x, value)| Term::bind(&x, Ty::Real, value, body));
    let mut needed = if rules.runs_constants() { FxHashSet::default() } else { answer.free_variables() };
    let mut keeps = |line: &Line| {
        let keeps = rules.runs_constants() || needed.contains(&line.variable);
        if keeps && !rules.runs_constants() {
            needed.extend(line.value.free_variables());
        }
        keeps
    };
    let lines = straight.lines.into_iter().rev().filter(|line| keeps(line));
    Ok(lines.fold(answer, |body, line| Term::bind(&line.variable, line.ty, line.value, body)))
}

struct Sweep<'r> {
    rules: &'r dyn Rules,
    /// The variables that depend on x.
    moving: FxHashSet<Variable>,
    /// What they have been handed.
    handed: FxHashMap<Variable, Term>,
}

impl Sweep<'_> {
    /// Hands to an atom what its use has for it.
    fn hand(&mut self, atom: &Term, cotangent: Term) {
        let TermKind::Variable(y) = atom.kind() else { return };
        if !self.moving.contains(y) {
            return;
        }
        let sum = match self.handed.remove(y) {
            Some(so_far) => self.rules.together(so_far, cotangent),
            None => cotangent,
        };
        self.handed.insert(y.clone(), sum);
    }

    fn hand_tree(&mut self, straight: &mut Straight, result: &Tree, cotangent: Tree) {
        match (result, cotangent) {
            (Tree::Atom(atom), Tree::Atom(cotangent)) => self.hand(atom, cotangent),
            (Tree::Pair(parts), cotangent) => {
                let [(first, t), (second, u)] = &**parts;
                let [left, right] = straight.parts([t, u], cotangent);
                self.hand_tree(straight, first, left);
                self.hand_tree(straight, second, right);
            }
            // of what comes from outside nothing moves
            (Tree::Unit, _) | (Tree::Atom(_), Tree::Pair(_) | Tree::Unit) => {}
        }
    }

    /// What a line hands on, once all of its uses have been met.
    fn line(&mut self, line: &Line, inputs: &[Variable], back: &mut Vec<(Variable, Term)>) {
        if inputs.contains(&line.variable) {
            return;
        }
        let Some(sum) = self.handed.remove(&line.variable) else { return };
        let adjoint = Variable::fresh(&format!("{}_bar", line.variable.name()).into());
        back.push((adjoint.clone(), sum));
        let adjoint = Term::variable(&adjoint);
        match &line.step {
            Step::Add(parts) => parts.iter().for_each(|part| self.hand(part, adjoint.clone())),
            Step::Operation(operation, arguments) => {
                let y = Term::variable(&line.variable);
                let pulled = self.rules.pullback(operation, arguments, &y, &adjoint);
                arguments.iter().zip(pulled).for_each(|(part, cotangent)| self.hand(part, cotangent));
            }
            Step::Part => {}
        }
    }

    /// What the inputs were handed, as a value of type T.
    fn answer<'i>(&mut self, ty: &Ty, inputs: &mut impl Iterator<Item = &'i Variable>) -> Term {
        match ty {
            Ty::Unit => Term::unit(),
            Ty::Real => inputs.next().and_then(|x| self.handed.remove(x)).unwrap_or_else(|| Term::number(0)),
            Ty::Product(parts) => {
                let left = self.answer(&parts.0, inputs);
                let right = self.answer(&parts.1, inputs);
                Term::pair(parts.0.clone(), parts.1.clone(), left, right)
            }
        }
    }
}
