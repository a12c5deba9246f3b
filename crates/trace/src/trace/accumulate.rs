//! `W.R_V(x : T. C)` by one reverse sweep over the trace: the cotangents of a variable from all of its uses are added
//! up, and propagated once.
//!
//! The result is a trace term again, so derivatives nest, and its number of nodes is proportional to that of the trace.
//! First the trace is brought into straight-line form: a list of operations on real numbers, each bound to a variable,
//! with pairs split into their parts. The list holds everything that the trace computes, whether or not it depends on
//! x. The derivative is defined only where all of it is defined (A Thm 6.1). Then the list is traversed from its end.
//!
//! With two more clauses the same sweep differentiates programs ([`source`](super::source)). The derivative of a
//! conditional is a conditional of sweeps (A Prop. 4.3). The derivative of a call is a call of the derivative of the
//! function (A Prop. 4.4). These recompute the conditional or the call, so the forward part of the result omits it
//! unless its value is used.

use super::error::Obstacle;
use super::hooks::Hooks;
use super::source::Scope;
use super::straight::{Line, Step, Straight, Tree, Whole, WholeKind};
use super::term::{Term, TermKind, Variable};
use super::ty::Ty;
use rustc_hash::{FxHashMap, FxHashSet};

/// The largest number of nodes of a derivative by the [literal clauses](super::differentiate). A choice: it bounds
/// their exponential growth.
pub const LITERAL_NODES: u64 = 100_000;

/// The number of nodes that a sweep makes per node of the trace, roughly, temporary ones included. It prices the sweep
/// before it is run.
pub const PARTS: u64 = 4;

/// Returns `W.R_V(x : T. C)` for values V and W in which x is not free, as [`literal`](super::differentiate::literal)
/// does, but in linear size.
///
/// # Errors
/// [`Obstacle::Stuck`] if C is no trace term.
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

/// Differentiates a trace like [`accumulated`], or a program if there is a scope.
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

/// Straightens `program`, sweeps back from the cotangent w of its result, and returns the adjoints of the inputs as a
/// term of type T. The lines of `straight`, and those of `program`, are bound around it.
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
    // A line is swept after all of its uses, so that its adjoint is complete.
    for (place, line) in straight.lines.iter().enumerate().rev() {
        sweep.line(line, &straight.lines[..place], inputs)?;
    }

    let answer = sweep.answer(ty, &mut inputs.iter());
    let bound = |body: Term, line: Line| Term::bind(&line.variable, line.ty, line.value, body);
    let answer = sweep.back.lines.into_iter().rev().fold(answer, bound);
    // A line that the sweep runs again itself is bound in front of it only if its value is used. If a mutant drops
    // constant parts, this holds for every line; then the derivative may be defined where the trace is not (against A
    // Thm 6.1).
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
    // Uses stand behind the line that they use, so one pass from the end finds all lines that are needed.
    let lines = straight.lines.into_iter().rev().filter(|line| keeps(line));
    let answer = lines.fold(answer, bound);
    match straight.scope {
        Some(scope) => scope.around(straight.definitions, answer),
        None => Ok(answer),
    }
}

/// Returns the variables that depend on x: the inputs, and the outputs of lines with a dependent argument.
fn moving(lines: &[Line], inputs: &[Variable]) -> FxHashSet<Variable> {
    let mut moving: FxHashSet<Variable> = inputs.iter().cloned().collect();
    for line in lines {
        let moves = |atom: &Term| matches!(atom.kind(), TermKind::Variable(y) if moving.contains(y));
        let (moved, outputs) = match &line.step {
            Step::Add(parts) => (parts.iter().any(moves), std::slice::from_ref(&line.variable)),
            Step::Operation(_, parts) => (parts.iter().any(moves), std::slice::from_ref(&line.variable)),
            // Projections occur only of values from outside and of results; the first are constant, the second are
            // outputs of their line.
            Step::Part => (false, &[][..]),
            Step::Whole(whole) => {
                let mut moved = false;
                match &whole.kind {
                    WholeKind::Call(_, argument) => argument.atoms(&mut |atom| moved |= moves(atom)),
                    // The condition has no derivative, so only the branches count. They use variables directly.
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
    /// The sums of the cotangents of each variable so far.
    handed: FxHashMap<Variable, Term>,
    /// Lines that the sweep runs again: wherever the sweep is defined, they are.
    settled: FxHashSet<Variable>,
    /// The lines of the sweep itself.
    back: Straight<'s>,
}

impl Sweep<'_, '_> {
    /// Adds a cotangent to an atom, unless it does not depend on x.
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

    /// Adds the parts of a cotangent to the atoms of a value.
    fn hand_tree(&mut self, result: &Tree, cotangent: Tree) {
        match (result, cotangent) {
            (Tree::Atom(atom), Tree::Atom(cotangent)) => self.hand(atom, cotangent),
            (Tree::Pair(parts), cotangent) => {
                let [(first, t), (second, u)] = &**parts;
                let [left, right] = self.back.parts([t, u], cotangent);
                self.hand_tree(first, left);
                self.hand_tree(second, right);
            }
            // Atoms of a type other than real come from outside, and do not depend on x.
            (Tree::Unit, _) | (Tree::Atom(_), Tree::Pair(_) | Tree::Unit) => {}
        }
    }

    /// Removes the adjoint of a variable and binds it to a name of its own, so that it is computed once. Returns 0 if
    /// the variable has no use.
    fn adjoint(&mut self, y: &Variable) -> Term {
        match self.handed.remove(y) {
            Some(sum) => self.back.line(&format!("{}_bar", y.name()), Ty::Real, sum, Step::Part),
            None => Term::number(0),
        }
    }

    /// Propagates the adjoint of a line to its arguments; all of its uses have been swept.
    fn line(&mut self, line: &Line, before: &[Line], inputs: &[Variable]) -> Result<(), Obstacle> {
        // A line without adjoint contributes nothing. It is not pulled back by 0, which would make useless nodes.
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

    /// Propagates the adjoints of a conditional (A Prop. 4.3) or a call (A Prop. 4.4).
    fn whole(&mut self, line: &Line, whole: &Whole, before: &[Line], inputs: &[Variable]) -> Result<(), Obstacle> {
        let Some(scope) = self.back.scope else { return Ok(()) };
        let adjoints: FxHashMap<&Variable, Term> = whole.outputs.iter().map(|y| (y, self.adjoint(y))).collect();
        let w = value(&line.ty, &mut whole.outputs.iter().map(|y| adjoints[y].clone()));
        let site = line.value.site();
        match &whole.kind {
            WholeKind::Call(f, argument) => {
                // `f_r⟨V, W⟩`, whose value is the cotangent of V.
                let (derivative, domain) = scope.derivative(f)?;
                let at = Term::pair(domain.clone(), line.ty.clone(), argument.term(), w.term());
                let call = self.hooks.call(Term::from(TermKind::Call(derivative, at)).at(site), &domain);
                let handed = self.back.line("d", domain.clone(), call, Step::Part);
                self.hand_tree(argument, Tree::Atom(handed));
            }
            WholeKind::If(condition, branches) => {
                // The branches are swept back to the variables that occur in one of them, in the order of the program.
                let free: Vec<_> = branches.iter().map(Term::free_variables).collect();
                let all = inputs.iter().chain(before.iter().map(|line| &line.variable));
                let mut moving: Vec<Variable> = Vec::new();
                for x in all.filter(|x| self.moving.contains(x) && free.iter().any(|free| free.contains(x))) {
                    // The inputs of the outermost sweep are lines, too.
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
        // The derivative runs the branch or the function again, at the same arguments.
        self.settled.insert(line.variable.clone());
        self.settled.extend(whole.outputs.iter().cloned());
        Ok(())
    }

    /// Returns the adjoints of the inputs as a value of type T; 0 for inputs without use.
    fn answer<'i>(&mut self, ty: &Ty, inputs: &mut impl Iterator<Item = &'i Variable>) -> Term {
        let mut handed = inputs.map(|x| self.handed.remove(x).unwrap_or_else(|| Term::number(0)));
        value(ty, &mut handed).term()
    }
}

/// Makes a value of a type from real numbers, from left to right.
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
