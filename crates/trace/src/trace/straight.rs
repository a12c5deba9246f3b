//! Straight-line form: lists of operations on real numbers, each bound to a variable, with pairs split into their
//! parts. In programs, conditionals and calls are lines, too; their values are split afterwards.

use super::error::TraceError;
use super::operation::OperationSymbol;
use super::renaming::Renaming;
use super::source::TransformationScope;
use super::term::{BooleanTerm, CoreDefinition, CoreTerm, CoreTermKind, CoreVariable};
use super::ty::CoreTy;
use crate::stack::with_stack;
use rustc_hash::FxHashMap;
use std::sync::Arc;

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
