//! `W.R_V(x : T. C)` by one sweep back through the trace: what a variable is handed by its uses is added up, and handed on once.
//!
//! The result is a trace term again, so derivatives nest, and it has a number of nodes that is proportional to the trace.
//! First the trace is made straight: a list of operations on real numbers, each under a variable, pairs being known part by
//! part. Everything that the trace computes is in it, whether or not x is, since the derivative is defined only where all of
//! it is (A Thm 6.1). Then the list is run through from its end.
//!
//! With two clauses more the same sweep differentiates programs ([`source`](super::source)): that of a conditional is a conditional of
//! sweeps (A Prop. 4.3), and that of a call is a call of the derivative of the function (A Prop. 4.4). What these run
//! again is not run before, unless its value is needed.

use super::error::Obstacle;
use super::hooks::Hooks;
use super::source::Scope;
use super::straight::{Line, Step, Straight, Tree, Whole, WholeKind};
use super::term::{Term, TermKind, Variable};
use super::ty::Ty;
use rustc_hash::{FxHashMap, FxHashSet};

/// The most nodes of a derivative by the [literal clauses](super::differentiate).
pub const LITERAL_NODES: u64 = 100_000;

/// How many parts are made, about, for each of the trace, with those that are not kept.
pub const PARTS: u64 = 4;

/// `W.R_V(x : T. C)`, for values V and W in which x is not free. The function is that of the literal clauses.
///
/// # Errors
/// [`Obstacle::Stuck`] where C is no trace term.
pub fn accumulated(
    hooks: &dyn Hooks,
    w: &Term,
    point: &Term,
    x: &Variable,
    ty: &Ty,
    trace: &Term,
) -> Result<Term, Obstacle> {
    in_scope(hooks, None, w, point, x, ty, trace)
}

/// The same, of a program where there is a scope.
pub(super) fn in_scope(
    hooks: &dyn Hooks,
    scope: Option<&Scope>,
    w: &Term,
    point: &Term,
    x: &Variable,
    ty: &Ty,
    program: &Term,
) -> Result<Term, Obstacle> {
    let mut straight = Straight::within(scope);
    let mut inputs = Vec::new();
    let at = straight.value(point)?;
    let at = straight.inputs(x, ty, at, &mut inputs);
    straight.known.insert(x.clone(), at);
    let cotangent = straight.value(w)?;
    swept(hooks, straight, &inputs, ty, cotangent, program)
}

/// What the inputs are handed by a program, as a value of type T, after what stands before it.
fn swept(
    hooks: &dyn Hooks,
    mut straight: Straight,
    inputs: &[Variable],
    ty: &Ty,
    w: Tree,
    program: &Term,
) -> Result<Term, Obstacle> {
    let result = straight.straighten(&hooks.apart(program))?;
    let back = Straight::within(straight.scope);
    let (handed, settled) = (FxHashMap::default(), FxHashSet::default());
    let mut sweep = Sweep { hooks, moving: moving(&straight.lines, inputs), handed, settled, back };
    sweep.hand_tree(&result, w);
    for (place, line) in straight.lines.iter().enumerate().rev() {
        sweep.line(line, &straight.lines[..place], inputs)?;
    }

    let answer = sweep.answer(ty, &mut inputs.iter());
    let bound = |body: Term, line: Line| Term::bind(&line.variable, line.ty, line.value, body);
    let answer = sweep.back.lines.into_iter().rev().fold(answer, bound);
    // what is defined everywhere, or run by the sweep, stands before it only where it is needed
    let skips = |line: &Line| !hooks.runs_constants() || sweep.settled.contains(&line.variable);
    let skipped = straight.lines.iter().any(skips);
    let mut needed = if skipped { answer.free_variables() } else { FxHashSet::default() };
    let mut keeps = |line: &Line| {
        let keeps = !skips(line) || needed.contains(&line.variable);
        if keeps && skipped {
            needed.extend(line.value.free_variables());
        }
        keeps
    };
    let lines = straight.lines.into_iter().rev().filter(|line| keeps(line));
    let answer = lines.fold(answer, bound);
    match straight.scope {
        Some(scope) => scope.around(straight.definitions, answer),
        None => Ok(answer),
    }
}

/// The variables that depend on x.
fn moving(lines: &[Line], inputs: &[Variable]) -> FxHashSet<Variable> {
    let mut moving: FxHashSet<Variable> = inputs.iter().cloned().collect();
    for line in lines {
        let moves = |atom: &Term| matches!(atom.kind(), TermKind::Variable(y) if moving.contains(y));
        let (moved, outputs) = match &line.step {
            Step::Add(parts) => (parts.iter().any(moves), std::slice::from_ref(&line.variable)),
            Step::Operation(_, parts) => (parts.iter().any(moves), std::slice::from_ref(&line.variable)),
            Step::Part => (false, &[][..]),
            Step::Whole(whole) => {
                let mut moved = false;
                match &whole.kind {
                    WholeKind::Call(_, argument) => argument.atoms(&mut |atom| moved |= moves(atom)),
                    WholeKind::If(_, branches) => {
                        moved =
                            branches.iter().any(|branch| branch.free_variables().iter().any(|x| moving.contains(x)));
                    }
                }
                (moved, &whole.outputs[..])
            }
        };
        if moved {
            moving.extend(outputs.iter().cloned());
        }
    }
    moving
}

struct Sweep<'r, 's> {
    hooks: &'r dyn Hooks,
    /// The variables that depend on x.
    moving: FxHashSet<Variable>,
    /// What they have been handed.
    handed: FxHashMap<Variable, Term>,
    /// Lines that are undefined nowhere where the sweep is defined.
    settled: FxHashSet<Variable>,
    /// What the sweep does.
    back: Straight<'s>,
}

impl Sweep<'_, '_> {
    /// Hands to an atom what its use has for it.
    fn hand(&mut self, atom: &Term, cotangent: Term) {
        let TermKind::Variable(y) = atom.kind() else { return };
        if !self.moving.contains(y) {
            return;
        }
        let sum = match self.handed.remove(y) {
            Some(so_far) => self.hooks.together(so_far, cotangent),
            None => cotangent,
        };
        self.handed.insert(y.clone(), sum);
    }

    fn hand_tree(&mut self, result: &Tree, cotangent: Tree) {
        match (result, cotangent) {
            (Tree::Atom(atom), Tree::Atom(cotangent)) => self.hand(atom, cotangent),
            (Tree::Pair(parts), cotangent) => {
                let [(first, t), (second, u)] = &**parts;
                let [left, right] = self.back.parts([t, u], cotangent);
                self.hand_tree(first, left);
                self.hand_tree(second, right);
            }
            // of what comes from outside nothing moves
            (Tree::Unit, _) | (Tree::Atom(_), Tree::Pair(_) | Tree::Unit) => {}
        }
    }

    /// What a variable was handed, under a name; 0 where that is nothing.
    fn adjoint(&mut self, y: &Variable) -> Term {
        match self.handed.remove(y) {
            Some(sum) => self.back.line(&format!("{}_bar", y.name()), Ty::Real, sum, Step::Part),
            None => Term::number(0),
        }
    }

    /// What a line hands on, once all of its uses have been met.
    fn line(&mut self, line: &Line, before: &[Line], inputs: &[Variable]) -> Result<(), Obstacle> {
        let handed = self.handed.contains_key(&line.variable);
        match &line.step {
            Step::Add(parts) if handed => {
                let adjoint = self.adjoint(&line.variable);
                parts.iter().for_each(|part| self.hand(part, adjoint.clone()));
            }
            Step::Operation(operation, arguments) if handed => {
                let adjoint = self.adjoint(&line.variable);
                let y = Term::variable(&line.variable);
                let pulled = self.hooks.pullback(operation, arguments, &y, &adjoint);
                arguments.iter().zip(pulled).for_each(|(part, cotangent)| self.hand(part, cotangent));
            }
            Step::Whole(whole) if whole.outputs.iter().any(|y| self.handed.contains_key(y)) => {
                self.whole(line, whole, before, inputs)?;
            }
            _ => {}
        }
        Ok(())
    }

    /// Props. 4.3 and 4.4
    fn whole(&mut self, line: &Line, whole: &Whole, before: &[Line], inputs: &[Variable]) -> Result<(), Obstacle> {
        let Some(scope) = self.back.scope else { return Ok(()) };
        let adjoints: FxHashMap<&Variable, Term> = whole.outputs.iter().map(|y| (y, self.adjoint(y))).collect();
        let w = value(&line.ty, &mut whole.outputs.iter().map(|y| adjoints[y].clone()));
        let site = line.value.site();
        match &whole.kind {
            WholeKind::Call(f, argument) => {
                let (derivative, domain) = scope.derivative(f)?;
                let at = Term::pair(domain.clone(), line.ty.clone(), argument.term(), w.term());
                let call = self.hooks.call(Term::from(TermKind::Call(derivative, at)).at(site), &domain);
                let handed = self.back.line("d", domain.clone(), call, Step::Part);
                self.hand_tree(argument, Tree::Atom(handed));
            }
            WholeKind::If(condition, branches) => {
                let free: Vec<_> = branches.iter().map(Term::free_variables).collect();
                let all = inputs.iter().chain(before.iter().map(|line| &line.variable));
                let mut moving: Vec<Variable> = Vec::new();
                for x in all.filter(|x| self.moving.contains(x) && free.iter().any(|free| free.contains(x))) {
                    if !moving.contains(x) {
                        moving.push(x.clone());
                    }
                }
                let ty = Ty::reals(moving.len());
                let [then, otherwise] = branches;
                let swept = |branch| {
                    let inside = Straight::within(self.back.scope);
                    crate::stack::deep(|| swept(self.hooks, inside, &moving, &ty, w.clone(), branch))
                };
                let [then, otherwise] = self.hooks.branches(swept(then)?, swept(otherwise)?);
                let choice = Term::from(TermKind::If(condition.clone(), then, otherwise)).at(site);
                let handed = self.back.line("d", ty.clone(), choice, Step::Part);
                let parts = value(&ty, &mut moving.iter().map(Term::variable));
                self.hand_tree(&parts, Tree::Atom(handed));
            }
        }
        self.settled.insert(line.variable.clone());
        self.settled.extend(whole.outputs.iter().cloned());
        Ok(())
    }

    /// What the inputs were handed, as a value of type T.
    fn answer<'i>(&mut self, ty: &Ty, inputs: &mut impl Iterator<Item = &'i Variable>) -> Term {
        let mut handed = inputs.map(|x| self.handed.remove(x).unwrap_or_else(|| Term::number(0)));
        value(ty, &mut handed).term()
    }
}

/// A value of a type, of real numbers.
fn value(ty: &Ty, numbers: &mut impl Iterator<Item = Term>) -> Tree {
    match ty {
        Ty::Unit => Tree::Unit,
        Ty::Real => Tree::Atom(numbers.next().unwrap_or_else(|| Term::number(0))),
        Ty::Product(parts) => {
            let left = (value(&parts.0, numbers), parts.0.clone());
            Tree::Pair(Box::new([left, (value(&parts.1, numbers), parts.1.clone())]))
        }
    }
}
