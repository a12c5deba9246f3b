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
//!
//! The nine clauses copy the trace at every `let`, and Fig. 5 makes a `let` of every redex. So they grow
//! exponentially, and are cut at [`LITERAL_NODES`]. They are the reference, and this sweep is the default.
//!
//! # Straight-line form
//!
//! Lists of operations on real numbers, each bound to a variable, with pairs split into their
//! parts. In programs, conditionals and calls are lines, too; their values are split afterwards.

use super::evaluation::{TraceError, TraceHooks};
use super::operation::OperationSymbol;
use super::source::TransformationScope;
use super::term::{BooleanTerm, CoreDefinition, CoreTerm, CoreTermKind, CoreTy, CoreVariable, Renaming};
use crate::stack::with_stack;
use rustc_hash::{FxHashMap, FxHashSet};
use std::sync::Arc;

/// The largest number of nodes of a derivative by the [literal clauses](super::differentiate). A choice: it bounds
/// their exponential growth.
pub const LITERAL_NODES: u64 = 100_000;

/// The number of nodes that a sweep makes per node of the trace, roughly, temporary ones included. It prices the sweep
/// before it is run.
pub const SWEEP_NODES_PER_NODE: u64 = 4;

/// Returns `W.R_V(x : T. C)` for values V and W in which x is not free, as [`literal`](super::differentiate::literal_derivative)
/// does, but in linear size.
///
/// # Errors
/// [`TraceError::Stuck`] if C is no trace term.
pub fn accumulated_derivative(
    hooks: &dyn TraceHooks,
    w: &CoreTerm,
    point: &CoreTerm,
    x: &CoreVariable,
    ty: &CoreTy,
    trace: &CoreTerm,
) -> Result<CoreTerm, TraceError> {
    derivative_in_scope(hooks, None, w, point, x, ty, trace)
}

/// Differentiates a trace like [`accumulated_derivative`], or a program if there is a scope.
pub(super) fn derivative_in_scope(
    hooks: &dyn TraceHooks,
    scope: Option<&TransformationScope>,
    w: &CoreTerm,
    point: &CoreTerm,
    x: &CoreVariable,
    ty: &CoreTy,
    program: &CoreTerm,
) -> Result<CoreTerm, TraceError> {
    let mut straight = StraightLineBuilder::with_scope(scope);
    let mut inputs = Vec::new();
    let at = straight.split_value(point)?;
    let at = straight.add_inputs(x, ty, at, &mut inputs);
    straight.split_values.insert(x.clone(), at);
    let cotangent = straight.split_value(w)?;
    sweep_program(hooks, straight, &inputs, ty, cotangent, program)
}

/// Straightens `program`, sweeps back from the cotangent w of its result, and returns the adjoints of the inputs as a
/// term of type T. The lines of `straight`, and those of `program`, are bound around it.
fn sweep_program(
    hooks: &dyn TraceHooks,
    mut straight: StraightLineBuilder,
    inputs: &[CoreVariable],
    ty: &CoreTy,
    w: SplitValue,
    program: &CoreTerm,
) -> Result<CoreTerm, TraceError> {
    let result = straight.straighten_term(&hooks.rename_apart(program))?;
    let back = StraightLineBuilder::with_scope(straight.scope);
    let (handed, settled) = (FxHashMap::default(), FxHashSet::default());
    let mut sweep = SymbolicSweep {
        hooks,
        dependent: dependent_variables(&straight.lines, inputs),
        adjoints: handed,
        recomputed: settled,
        backward: back,
    };
    sweep.add_cotangents(&result, w);
    // A line is swept after all of its uses, so that its adjoint is complete.
    for (place, line) in straight.lines.iter().enumerate().rev() {
        sweep.sweep_line(line, &straight.lines[..place], inputs)?;
    }

    let answer = sweep.input_adjoints(ty, &mut inputs.iter());
    let bound = |body: CoreTerm, line: TraceLine| CoreTerm::bind(&line.variable, line.ty, line.value, body);
    let answer = sweep.backward.lines.into_iter().rev().fold(answer, bound);
    // A line that the sweep runs again itself is bound in front of it only if its value is used. If a mutant drops
    // constant parts, this holds for every line; then the derivative may be defined where the trace is not (against A
    // Thm 6.1).
    let skips = |line: &TraceLine| !hooks.runs_constants() || sweep.recomputed.contains(&line.variable);
    let skipped = straight.lines.iter().any(skips);
    let mut needed = if skipped { answer.free_variables() } else { FxHashSet::default() };
    let mut keeps = |line: &TraceLine| {
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
        Some(scope) => scope.bind_definitions(straight.definitions, answer),
        None => Ok(answer),
    }
}

/// Returns the variables that depend on x: the inputs, and the outputs of lines with a dependent argument.
fn dependent_variables(lines: &[TraceLine], inputs: &[CoreVariable]) -> FxHashSet<CoreVariable> {
    let mut moving: FxHashSet<CoreVariable> = inputs.iter().cloned().collect();
    for line in lines {
        let moves = |atom: &CoreTerm| matches!(atom.kind(), CoreTermKind::Variable(y) if moving.contains(y));
        let (moved, outputs) = match &line.step {
            LineForm::Add(parts) => (parts.iter().any(moves), std::slice::from_ref(&line.variable)),
            LineForm::Operation(_, parts) => (parts.iter().any(moves), std::slice::from_ref(&line.variable)),
            // Projections occur only of values from outside and of results; the first are constant, the second are
            // outputs of their line.
            LineForm::Opaque => (false, &[][..]),
            LineForm::Composite(whole) => {
                let mut moved = false;
                match &whole.kind {
                    CompositeKind::Call(_, argument) => argument.for_each_atom(&mut |atom| moved |= moves(atom)),
                    // The condition has no derivative, so only the branches count. They use variables directly.
                    CompositeKind::If(_, branches) => {
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

struct SymbolicSweep<'r, 's> {
    hooks: &'r dyn TraceHooks,
    /// The variables that depend on x.
    dependent: FxHashSet<CoreVariable>,
    /// The sums of the cotangents of each variable so far.
    adjoints: FxHashMap<CoreVariable, CoreTerm>,
    /// Lines that the sweep runs again: wherever the sweep is defined, they are.
    recomputed: FxHashSet<CoreVariable>,
    /// The lines of the sweep itself.
    backward: StraightLineBuilder<'s>,
}

impl SymbolicSweep<'_, '_> {
    /// Adds a cotangent to an atom, unless it does not depend on x.
    fn add_cotangent(&mut self, atom: &CoreTerm, cotangent: CoreTerm) {
        let CoreTermKind::Variable(y) = atom.kind() else { return };
        if !self.dependent.contains(y) {
            return;
        }
        let sum = match self.adjoints.remove(y) {
            Some(so_far) => self.hooks.add_cotangents(so_far, cotangent),
            None => cotangent,
        };
        self.adjoints.insert(y.clone(), sum);
    }

    /// Adds the parts of a cotangent to the atoms of a value.
    fn add_cotangents(&mut self, result: &SplitValue, cotangent: SplitValue) {
        match (result, cotangent) {
            (SplitValue::Atom(atom), SplitValue::Atom(cotangent)) => self.add_cotangent(atom, cotangent),
            (SplitValue::Pair(parts), cotangent) => {
                let [(first, t), (second, u)] = &**parts;
                let [left, right] = self.backward.split_pair([t, u], cotangent);
                self.add_cotangents(first, left);
                self.add_cotangents(second, right);
            }
            // Atoms of a type other than real come from outside, and do not depend on x.
            (SplitValue::Unit, _) | (SplitValue::Atom(_), SplitValue::Pair(_) | SplitValue::Unit) => {}
        }
    }

    /// Removes the adjoint of a variable and binds it to a name of its own, so that it is computed once. Returns 0 if
    /// the variable has no use.
    fn take_adjoint(&mut self, y: &CoreVariable) -> CoreTerm {
        match self.adjoints.remove(y) {
            Some(sum) => self.backward.add_line(&format!("{}_bar", y.name()), CoreTy::Real, sum, LineForm::Opaque),
            None => CoreTerm::number(0),
        }
    }

    /// Propagates the adjoint of a line to its arguments; all of its uses have been swept.
    fn sweep_line(
        &mut self,
        line: &TraceLine,
        before: &[TraceLine],
        inputs: &[CoreVariable],
    ) -> Result<(), TraceError> {
        // A line without adjoint contributes nothing. It is not pulled back by 0, which would make useless nodes.
        let handed = self.adjoints.contains_key(&line.variable);
        match &line.step {
            LineForm::Add(parts) if handed => {
                let adjoint = self.take_adjoint(&line.variable);
                parts.iter().for_each(|part| self.add_cotangent(part, adjoint.clone()));
            }
            LineForm::Operation(operation, arguments) if handed => {
                let adjoint = self.take_adjoint(&line.variable);
                let y = CoreTerm::variable(&line.variable);
                let pulled = self.hooks.operation_pullback(operation, arguments, &y, &adjoint);
                arguments.iter().zip(pulled).for_each(|(part, cotangent)| self.add_cotangent(part, cotangent));
            }
            LineForm::Composite(whole) if whole.outputs.iter().any(|y| self.adjoints.contains_key(y)) => {
                self.sweep_composite(line, whole, before, inputs)?;
            }
            _ => {}
        }
        Ok(())
    }

    /// Propagates the adjoints of a conditional (A Prop. 4.3) or a call (A Prop. 4.4).
    fn sweep_composite(
        &mut self,
        line: &TraceLine,
        whole: &CompositeLine,
        before: &[TraceLine],
        inputs: &[CoreVariable],
    ) -> Result<(), TraceError> {
        let Some(scope) = self.backward.scope else { return Ok(()) };
        let adjoints: FxHashMap<&CoreVariable, CoreTerm> =
            whole.outputs.iter().map(|y| (y, self.take_adjoint(y))).collect();
        let w = value_from_reals(&line.ty, &mut whole.outputs.iter().map(|y| adjoints[y].clone()));
        let site = line.value.site();
        match &whole.kind {
            CompositeKind::Call(f, argument) => {
                // `f_r⟨V, W⟩`, whose value is the cotangent of V.
                let (derivative, domain) = scope.derivative_function(f)?;
                let at = CoreTerm::pair(domain.clone(), line.ty.clone(), argument.to_term(), w.to_term());
                let call = self
                    .hooks
                    .call_cotangent(CoreTerm::from(CoreTermKind::Call(derivative, at)).with_site(site), &domain);
                let handed = self.backward.add_line("d", domain.clone(), call, LineForm::Opaque);
                self.add_cotangents(argument, SplitValue::Atom(handed));
            }
            CompositeKind::If(condition, branches) => {
                // The branches are swept back to the variables that occur in one of them, in the order of the program.
                let free: Vec<_> = branches.iter().map(CoreTerm::free_variables).collect();
                let all = inputs.iter().chain(before.iter().map(|line| &line.variable));
                let mut moving: Vec<CoreVariable> = Vec::new();
                for x in all.filter(|x| self.dependent.contains(x) && free.iter().any(|free| free.contains(x))) {
                    // The inputs of the outermost sweep are lines, too.
                    if !moving.contains(x) {
                        moving.push(x.clone());
                    }
                }
                let ty = CoreTy::real_vector(moving.len());
                let [then, otherwise] = branches;
                let swept = |branch| {
                    let inside = StraightLineBuilder::with_scope(self.backward.scope);
                    crate::stack::with_stack(|| sweep_program(self.hooks, inside, &moving, &ty, w.clone(), branch))
                };
                let [then, otherwise] = self.hooks.derivative_branches(swept(then)?, swept(otherwise)?);
                let choice = CoreTerm::from(CoreTermKind::If(condition.clone(), then, otherwise)).with_site(site);
                let handed = self.backward.add_line("d", ty.clone(), choice, LineForm::Opaque);
                let parts = value_from_reals(&ty, &mut moving.iter().map(CoreTerm::variable));
                self.add_cotangents(&parts, SplitValue::Atom(handed));
            }
        }
        // The derivative runs the branch or the function again, at the same arguments.
        self.recomputed.insert(line.variable.clone());
        self.recomputed.extend(whole.outputs.iter().cloned());
        Ok(())
    }

    /// Returns the adjoints of the inputs as a value of type T; 0 for inputs without use.
    fn input_adjoints<'i>(&mut self, ty: &CoreTy, inputs: &mut impl Iterator<Item = &'i CoreVariable>) -> CoreTerm {
        let mut handed = inputs.map(|x| self.adjoints.remove(x).unwrap_or_else(|| CoreTerm::number(0)));
        value_from_reals(ty, &mut handed).to_term()
    }
}

/// Makes a value of a type from real numbers, from left to right.
fn value_from_reals(ty: &CoreTy, numbers: &mut impl Iterator<Item = CoreTerm>) -> SplitValue {
    match ty {
        CoreTy::Unit => SplitValue::Unit,
        CoreTy::Real => SplitValue::Atom(numbers.next().unwrap_or_else(|| CoreTerm::number(0))),
        CoreTy::Product(parts) => {
            let left = (value_from_reals(&parts.0, numbers), parts.0.clone());
            SplitValue::Pair(Box::new([left, (value_from_reals(&parts.1, numbers), parts.1.clone())]))
        }
    }
}

/// A value whose pairs are split as far as they are known.
#[derive(Clone)]
pub(super) enum SplitValue {
    /// A variable or a number. It is a real number, unless it is a variable from outside.
    Atom(CoreTerm),
    Unit,
    Pair(Box<[(SplitValue, CoreTy); 2]>),
}

impl SplitValue {
    /// Returns the value as a term.
    pub(super) fn to_term(&self) -> CoreTerm {
        match self {
            SplitValue::Atom(atom) => atom.clone(),
            SplitValue::Unit => CoreTerm::unit(),
            SplitValue::Pair(parts) => {
                let [(left, t), (right, u)] = &**parts;
                CoreTerm::pair(t.clone(), u.clone(), left.to_term(), right.to_term())
            }
        }
    }

    /// Calls `each` with the atoms, from left to right.
    pub(super) fn for_each_atom<'t>(&'t self, each: &mut dyn FnMut(&'t CoreTerm)) {
        match self {
            SplitValue::Atom(atom) => each(atom),
            SplitValue::Unit => {}
            SplitValue::Pair(parts) => parts.iter().for_each(|(part, _)| part.for_each_atom(each)),
        }
    }
}

/// The form of a line.
pub(super) enum LineForm {
    /// A sum of two atoms.
    Add([CoreTerm; 2]),
    /// An operation at atoms.
    Operation(OperationSymbol, Vec<CoreTerm>),
    /// A part of a pair, an input, or a line of a sweep: no derivative passes through it.
    Opaque,
    /// A conditional or a call, in programs alone.
    Composite(Box<CompositeLine>),
}

/// A conditional or a call, with variables for the real numbers in its value.
pub(super) struct CompositeLine {
    pub(super) kind: CompositeKind,
    pub(super) outputs: Vec<CoreVariable>,
}

/// The two kinds of composite lines.
pub(super) enum CompositeKind {
    /// A conditional. Its branches mention lines and variables from outside, and no others.
    If(BooleanTerm, [CoreTerm; 2]),
    /// A call of a function with an argument.
    Call(CoreVariable, SplitValue),
}

/// A line `let variable : ty = value`, and the form of its value.
pub(super) struct TraceLine {
    pub(super) variable: CoreVariable,
    pub(super) ty: CoreTy,
    pub(super) value: CoreTerm,
    pub(super) step: LineForm,
}

/// A straight-line program under construction: its lines, and the values of the variables of the trace.
#[derive(Default)]
pub(super) struct StraightLineBuilder<'s> {
    pub(super) lines: Vec<TraceLine>,
    pub(super) split_values: FxHashMap<CoreVariable, SplitValue>,
    /// The functions that the program defines.
    pub(super) definitions: Vec<Arc<CoreDefinition>>,
    /// The scope of a program; `None` for a trace.
    pub(super) scope: Option<&'s TransformationScope<'s>>,
}

impl<'s> StraightLineBuilder<'s> {
    /// Creates an empty list of lines in a scope.
    pub(super) fn with_scope(scope: Option<&'s TransformationScope<'s>>) -> Self {
        StraightLineBuilder { scope, ..StraightLineBuilder::default() }
    }

    /// Adds a line with a new variable, and returns the variable.
    pub(super) fn add_line(&mut self, name: &str, ty: CoreTy, value: CoreTerm, step: LineForm) -> CoreTerm {
        let variable = CoreVariable::fresh(&name.into());
        let atom = CoreTerm::variable(&variable);
        self.lines.push(TraceLine { variable, ty, value, step });
        atom
    }

    /// Returns a value made of pairs, variables and numbers, with its variables replaced by their values.
    pub(super) fn split_value(&self, value: &CoreTerm) -> Result<SplitValue, TraceError> {
        Ok(match value.kind() {
            CoreTermKind::Unit => SplitValue::Unit,
            CoreTermKind::Pair(t, u, left, right) => SplitValue::Pair(Box::new([
                (self.split_value(left)?, t.clone()),
                (self.split_value(right)?, u.clone()),
            ])),
            CoreTermKind::Variable(x) => {
                self.split_values.get(x).cloned().unwrap_or_else(|| SplitValue::Atom(value.clone()))
            }
            CoreTermKind::Number(_) => SplitValue::Atom(value.clone()),
            _ => return Err(TraceError::Stuck { construct: "a value" }),
        })
    }

    /// Adds a line for each real number of V, collects their variables in `inputs`, and returns the value made of them.
    pub(super) fn add_inputs(
        &mut self,
        x: &CoreVariable,
        ty: &CoreTy,
        at: SplitValue,
        inputs: &mut Vec<CoreVariable>,
    ) -> SplitValue {
        match ty {
            CoreTy::Unit => SplitValue::Unit,
            CoreTy::Real => {
                // V has type T, so that only an ill-typed V is no atom here.
                let value = match at {
                    SplitValue::Atom(atom) => atom,
                    _ => CoreTerm::unit(),
                };
                let atom = self.add_line(x.name(), CoreTy::Real, value, LineForm::Opaque);
                if let CoreTermKind::Variable(x) = atom.kind() {
                    inputs.push(x.clone());
                }
                SplitValue::Atom(atom)
            }
            CoreTy::Product(parts) => {
                let [left, right] = self.split_pair([&parts.0, &parts.1], at);
                let left = (self.add_inputs(x, &parts.0, left, inputs), parts.0.clone());
                SplitValue::Pair(Box::new([left, (self.add_inputs(x, &parts.1, right, inputs), parts.1.clone())]))
            }
        }
    }

    /// Returns both parts of a pair. Adds lines for the projections of an atom.
    pub(super) fn split_pair(&mut self, [t, u]: [&CoreTy; 2], pair: SplitValue) -> [SplitValue; 2] {
        match pair {
            SplitValue::Pair(parts) => {
                let [(left, _), (right, _)] = *parts;
                [left, right]
            }
            SplitValue::Atom(atom) => {
                let left = CoreTermKind::First(t.clone(), u.clone(), atom.clone()).into();
                let right = CoreTermKind::Second(t.clone(), u.clone(), atom).into();
                [(t, left), (u, right)]
                    .map(|(ty, part)| SplitValue::Atom(self.add_line("p", ty.clone(), part, LineForm::Opaque)))
            }
            SplitValue::Unit => [SplitValue::Unit, SplitValue::Unit],
        }
    }

    /// Splits a value of type T into real numbers. Adds lines for them, and collects their variables.
    pub(super) fn split_reals(&mut self, value: CoreTerm, ty: &CoreTy, numbers: &mut Vec<CoreVariable>) -> SplitValue {
        match (ty, value.kind()) {
            (CoreTy::Unit, _) => SplitValue::Unit,
            (CoreTy::Real, CoreTermKind::Variable(x)) => {
                numbers.push(x.clone());
                SplitValue::Atom(value)
            }
            (CoreTy::Real, _) => SplitValue::Atom(value),
            (CoreTy::Product(parts), _) => {
                let (t, u) = &**parts;
                let parts = self.split_pair([t, u], SplitValue::Atom(value)).map(|part| part.to_term());
                let [left, right] = parts;
                let left = (self.split_reals(left, t, numbers), t.clone());
                SplitValue::Pair(Box::new([left, (self.split_reals(right, u, numbers), u.clone())]))
            }
        }
    }

    /// Adds a line for a conditional or a call, and lines for the real numbers in its value.
    fn add_composite(&mut self, ty: CoreTy, value: CoreTerm, kind: CompositeKind) -> SplitValue {
        // The outputs are not known before the line has its variable, so they are filled in afterwards.
        let place = self.lines.len();
        let step = LineForm::Composite(Box::new(CompositeLine { kind, outputs: Vec::new() }));
        let atom = self.add_line("r", ty.clone(), value, step);
        let mut numbers = Vec::new();
        let tree = self.split_reals(atom, &ty, &mut numbers);
        if let Some(TraceLine { step: LineForm::Composite(whole), .. }) = self.lines.get_mut(place) {
            whole.outputs = numbers;
        }
        tree
    }

    /// Substitutes the known values of variables in a part of a program that stays as it is.
    fn substitute_known(&self, term: &CoreTerm) -> CoreTerm {
        let mut renaming = Renaming::default();
        for x in term.free_variables() {
            if let Some(tree) = self.split_values.get(&x) {
                renaming.insert(&x, tree.to_term());
            }
        }
        renaming.apply_to(term)
    }

    /// Straightens a term of type real.
    fn straighten_real(&mut self, term: &CoreTerm) -> Result<CoreTerm, TraceError> {
        match self.straighten_term(term)? {
            SplitValue::Atom(atom) => Ok(atom),
            _ => Err(TraceError::Stuck { construct: "a real number" }),
        }
    }

    /// Adds the lines of a term, and returns its value.
    pub(super) fn straighten_term(&mut self, term: &CoreTerm) -> Result<SplitValue, TraceError> {
        let mut term = term;
        loop {
            // Bodies of `let`s are iterated: traces are long chains of them.
            match (term.kind(), self.scope) {
                (CoreTermKind::Let(x, ty, value, body), scope) => {
                    let value = with_stack(|| self.straighten_term(value))?;
                    self.split_values.insert(x.clone(), value);
                    if let Some(scope) = scope {
                        scope.declare_variable(x, ty);
                    }
                    term = body;
                }
                (CoreTermKind::LetRec(definition, rest), Some(scope)) => {
                    scope.declare_function(definition);
                    self.definitions.push(definition.clone());
                    term = rest;
                }
                // A condition that is constant leaves one branch.
                (CoreTermKind::If(BooleanTerm::Value(holds), then, otherwise), Some(_)) => {
                    term = if *holds { then } else { otherwise };
                }
                _ => return with_stack(|| self.straighten_form(term)),
            }
        }
    }

    /// Returns the type of a term of a program; traces have no scope to know it from.
    fn type_of(&self, term: &CoreTerm) -> Result<CoreTy, TraceError> {
        self.scope.map_or(Err(TraceError::Stuck { construct: "a trace" }), |scope| scope.type_of(term))
    }

    /// Straightens a term that is no `let` or `letrec`.
    fn straighten_form(&mut self, term: &CoreTerm) -> Result<SplitValue, TraceError> {
        Ok(match term.kind() {
            CoreTermKind::Add(left, right) => {
                let parts = [self.straighten_real(left)?, self.straighten_real(right)?];
                let value = CoreTerm::sum(parts[0].clone(), parts[1].clone());
                SplitValue::Atom(self.add_line("s", CoreTy::Real, value, LineForm::Add(parts)))
            }
            CoreTermKind::Operation(operation, argument) => {
                let arguments: Vec<CoreTerm> = match (operation.arity(), self.straighten_term(argument)?) {
                    (0, _) => Vec::new(),
                    // An operation of two reals takes a pair, which may be a variable.
                    (2, pair) => {
                        let atoms = self.split_pair([&CoreTy::Real, &CoreTy::Real], pair).map(|part| match part {
                            SplitValue::Atom(atom) => Ok(atom),
                            _ => Err(TraceError::Stuck { construct: "an operation" }),
                        });
                        atoms.into_iter().collect::<Result<_, _>>()?
                    }
                    (_, SplitValue::Atom(atom)) => vec![atom],
                    _ => return Err(TraceError::Stuck { construct: "an operation" }),
                };
                let value = match &arguments[..] {
                    [] => CoreTerm::operation(operation.clone(), CoreTerm::unit()),
                    [x] => CoreTerm::operation(operation.clone(), x.clone()),
                    [x, y, ..] => CoreTerm::binary_operation(operation.clone(), x.clone(), y.clone()),
                };
                let step = LineForm::Operation(operation.clone(), arguments);
                SplitValue::Atom(self.add_line("t", CoreTy::Real, value.with_site(term.site()), step))
            }
            CoreTermKind::Pair(t, u, left, right) => {
                let left = (self.straighten_term(left)?, t.clone());
                SplitValue::Pair(Box::new([left, (self.straighten_term(right)?, u.clone())]))
            }
            CoreTermKind::First(t, u, pair) | CoreTermKind::Second(t, u, pair) => {
                let pair = self.straighten_term(pair)?;
                let [left, right] = self.split_pair([t, u], pair);
                if matches!(term.kind(), CoreTermKind::First(..)) { left } else { right }
            }
            // Branches are not straightened here: the sweep does it, for each on its own, since only one of them may be
            // defined.
            CoreTermKind::If(BooleanTerm::Predicate(predicate, argument), then, otherwise) if self.scope.is_some() => {
                let condition = BooleanTerm::Predicate(*predicate, self.straighten_term(argument)?.to_term());
                let ty = self.type_of(then)?;
                let [then, otherwise] = [then, otherwise].map(|branch| self.substitute_known(branch));
                let value = CoreTerm::from(CoreTermKind::If(condition.clone(), then.clone(), otherwise.clone()));
                self.add_composite(ty, value.with_site(term.site()), CompositeKind::If(condition, [then, otherwise]))
            }
            CoreTermKind::Call(f, argument) if self.scope.is_some() => {
                let (argument, ty) = (self.straighten_term(argument)?, self.type_of(term)?);
                let value = CoreTerm::from(CoreTermKind::Call(f.clone(), argument.to_term()));
                self.add_composite(ty, value.with_site(term.site()), CompositeKind::Call(f.clone(), argument))
            }
            _ => self.split_value(term)?,
        })
    }
}
