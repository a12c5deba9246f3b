//! Simplification of traces: the same partial function, with fewer `let`s.
//!
//! Symbolic evaluation binds every redex, and every value of a variable. Here the trace is brought into straight-line
//! form. A line that is used once is inlined, a line without use that is defined everywhere is removed, and `1 * x`,
//! `x + 0` and their like become x. All of this preserves definedness, as everything that may be undefined is kept.
//! Programs are simplified in each branch and each function body.

use super::error::TraceError;
use super::hooks;
use super::operation::OperationSymbol;
use super::source::TransformationScope;
use super::straight::{LineForm, SplitValue, StraightLineBuilder, TraceLine};
use super::term::{CoreDefinition, CoreTerm, CoreTermKind, CoreVariable};
use super::ty::CoreTy;
use crate::number::Rational;
use crate::stack::with_stack;
use rustc_hash::FxHashMap;
use std::sync::Arc;

/// The largest size of a term that is inlined. A choice: longer expressions read worse than a name.
const MAX_INLINED_SIZE: u64 = 40;

/// Simplifies a trace.
///
/// # Errors
/// [`TraceError::Stuck`] if the term is no trace term.
pub fn simplify_trace(trace: &CoreTerm) -> Result<CoreTerm, TraceError> {
    simplify_in_scope(None, trace)
}

/// Simplifies a program without `rd`. The parameters are its free variables, with their types.
///
/// # Errors
/// [`TraceError::Stuck`] if the program contains an `rd`.
pub fn simplify_program(parameters: &[(CoreVariable, CoreTy)], program: &CoreTerm) -> Result<CoreTerm, TraceError> {
    simplify_in_scope(Some(&TransformationScope::new(&hooks::DefaultTraceHooks, parameters)), program)
}

/// Simplifies a term; a trace if there is no scope.
fn simplify_in_scope(scope: Option<&TransformationScope>, term: &CoreTerm) -> Result<CoreTerm, TraceError> {
    let mut straight = StraightLineBuilder::with_scope(scope);
    let result = straight.straighten_term(term)?;
    let mut tidied = LineSimplifier::default();
    let mut lines = Vec::new();
    for line in straight.lines {
        tidied.simplify_line(line, &mut lines);
    }
    let answer = tidied.resolve_value(&result);

    // Uses are counted from the end, so that uses by removed lines do not count.
    let mut uses = FxHashMap::default();
    count_variables(&answer, &mut uses);
    let mut written = Vec::new();
    for line in lines.into_iter().rev() {
        let used = uses.get(&line.variable).copied().unwrap_or(0);
        if used > 0 || !line.is_total() {
            line.count_uses(&mut uses);
            written.push(line);
        }
    }
    // Lines are inlined from the front, so that an inlined term contains the terms inlined before.
    let mut known: FxHashMap<CoreVariable, CoreTerm> = FxHashMap::default();
    let mut kept = Vec::new();
    for line in written.into_iter().rev() {
        let value = replace_variables(&line.value, &known);
        let value = match value.kind() {
            CoreTermKind::If(condition, then, otherwise) => {
                let [then, otherwise] = [then, otherwise].map(|branch| with_stack(|| simplify_in_scope(scope, branch)));
                CoreTerm::from(CoreTermKind::If(condition.clone(), then?, otherwise?)).with_site(value.site())
            }
            _ => value,
        };
        // The last line is always inlined, however large: a tail call must stay in tail position.
        let is_last = matches!(answer.kind(), CoreTermKind::Variable(x) if *x == line.variable);
        let once = uses.get(&line.variable) == Some(&1) && (value.size() <= MAX_INLINED_SIZE || is_last);
        if once || matches!(line.step, LineForm::Opaque) {
            known.insert(line.variable, value);
            continue;
        }
        // Bound variables are named a, …, z, t26, … in the order of the trace.
        let name = match u8::try_from(kept.len()) {
            Ok(letter @ 0..26) => char::from(b'a' + letter).to_string(),
            _ => format!("t{}", kept.len()),
        };
        let variable = CoreVariable::fresh(&name.as_str().into());
        known.insert(line.variable, CoreTerm::variable(&variable));
        kept.push((variable, line.ty, value));
    }
    let answer = replace_variables(&answer, &known);
    let mut answer = kept.into_iter().rev().fold(answer, |body, (x, ty, value)| CoreTerm::bind(&x, ty, value, body));
    for definition in straight.definitions.into_iter().rev() {
        let body = with_stack(|| simplify_in_scope(scope, &definition.body))?;
        answer = CoreTermKind::LetRec(Arc::new(CoreDefinition { body, ..(*definition).clone() }), answer).into();
    }
    Ok(answer)
}

impl TraceLine {
    /// Returns `true` if the line is defined for all values of its arguments.
    fn is_total(&self) -> bool {
        match &self.step {
            LineForm::Operation(operation, _) => operation.is_total(),
            LineForm::Add(_) | LineForm::Opaque => true,
            LineForm::Composite(_) => false,
        }
    }

    /// Counts the variables that the line uses.
    fn count_uses(&self, uses: &mut FxHashMap<CoreVariable, usize>) {
        match &self.step {
            LineForm::Add(parts) => parts.iter().for_each(|part| count_variables(part, uses)),
            LineForm::Operation(_, parts) => parts.iter().for_each(|part| count_variables(part, uses)),
            LineForm::Opaque | LineForm::Composite(_) => count_variables(&self.value, uses),
        }
        // Variables in branches count twice: a line must not move into a branch, where it might not be evaluated.
        if let CoreTermKind::If(_, then, otherwise) = self.value.kind() {
            count_variables(then, uses);
            count_variables(otherwise, uses);
        }
    }
}

/// Counts the variables of a term.
fn count_variables(term: &CoreTerm, uses: &mut FxHashMap<CoreVariable, usize>) {
    match term.kind() {
        CoreTermKind::Variable(x) => *uses.entry(x.clone()).or_default() += 1,
        kind => kind.for_each_child(|part| with_stack(|| count_variables(part, uses))),
    }
}

/// Replaces variables by terms. The term must bind no variable that occurs in these, and none that is replaced.
fn replace_variables(term: &CoreTerm, known: &FxHashMap<CoreVariable, CoreTerm>) -> CoreTerm {
    match term.kind() {
        CoreTermKind::Variable(x) => known.get(x).unwrap_or(term).clone(),
        kind => CoreTerm::from(kind.map_children(&mut |part| with_stack(|| replace_variables(part, known))))
            .with_site(term.site()),
    }
}

/// The simplifications of the lines so far: atoms for which their variables stand.
#[derive(Default)]
struct LineSimplifier {
    atoms: FxHashMap<CoreVariable, CoreTerm>,
    /// The projections of variables so far, by `true` for `fst` and the variable; repeated ones are shared.
    parts: FxHashMap<(bool, CoreVariable), CoreTerm>,
}

impl LineSimplifier {
    /// Returns the atom for which an atom stands.
    fn resolve_atom(&self, atom: &CoreTerm) -> CoreTerm {
        match atom.kind() {
            CoreTermKind::Variable(x) => self.atoms.get(x).unwrap_or(atom).clone(),
            _ => atom.clone(),
        }
    }

    /// Returns a value as a term, with known variables replaced.
    fn resolve_value(&self, tree: &SplitValue) -> CoreTerm {
        match tree {
            SplitValue::Unit => CoreTerm::unit(),
            SplitValue::Atom(atom) => self.resolve_atom(atom),
            SplitValue::Pair(parts) => {
                let [(left, t), (right, u)] = &**parts;
                CoreTerm::pair(t.clone(), u.clone(), self.resolve_value(left), self.resolve_value(right))
            }
        }
    }

    /// Adds a line, unless its variable stands for another atom.
    fn simplify_line(&mut self, line: TraceLine, lines: &mut Vec<TraceLine>) {
        let known = match &line.step {
            LineForm::Opaque => match line.value.kind() {
                CoreTermKind::Variable(_) | CoreTermKind::Number(_) => Some(self.resolve_atom(&line.value)),
                _ => {
                    let value = replace_variables(&line.value, &self.atoms);
                    let before = projection_key(&value).and_then(|part| self.parts.get(&part).cloned());
                    if before.is_none() {
                        let atom = CoreTerm::variable(&line.variable);
                        self.parts.extend(projection_key(&value).map(|part| (part, atom)));
                        lines.push(TraceLine { value, ..line });
                        return;
                    }
                    before
                }
            },
            LineForm::Add([a, b]) => {
                let [a, b] = [self.resolve_atom(a), self.resolve_atom(b)];
                let sum = match (literal_number(&a), literal_number(&b)) {
                    (Some(p), Some(q)) => Some(CoreTerm::number(Rational::from(p + q))),
                    (Some(p), _) if *p == 0 => Some(b.clone()),
                    (_, Some(q)) if *q == 0 => Some(a.clone()),
                    _ => None,
                };
                if sum.is_none() {
                    lines.push(TraceLine {
                        value: CoreTerm::sum(a.clone(), b.clone()),
                        step: LineForm::Add([a, b]),
                        ..line
                    });
                    return;
                }
                sum
            }
            LineForm::Composite(_) => {
                let value = replace_variables(&line.value, &self.atoms);
                lines.push(TraceLine { value, ..line });
                return;
            }
            LineForm::Operation(operation, arguments) => {
                let arguments: Vec<_> = arguments.iter().map(|atom| self.resolve_atom(atom)).collect();
                let found = simplify_operation(operation, &arguments);
                if found.is_none() {
                    let value = replace_variables(&line.value, &self.atoms);
                    let step = LineForm::Operation(operation.clone(), arguments);
                    lines.push(TraceLine { value, step, ..line });
                    return;
                }
                found
            }
        };
        if let Some(atom) = known {
            self.atoms.insert(line.variable, atom);
        }
    }
}

/// Returns the form of a projection of a variable: `true` for `fst`, and the variable.
fn projection_key(value: &CoreTerm) -> Option<(bool, CoreVariable)> {
    match value.kind() {
        CoreTermKind::First(_, _, pair) | CoreTermKind::Second(_, _, pair) => match pair.kind() {
            CoreTermKind::Variable(x) => Some((matches!(value.kind(), CoreTermKind::First(..)), x.clone())),
            _ => None,
        },
        _ => None,
    }
}

/// Returns the number that an atom is.
fn literal_number(atom: &CoreTerm) -> Option<&Rational> {
    match atom.kind() {
        CoreTermKind::Number(q) => Some(q),
        _ => None,
    }
}

/// Returns the argument, or the number, that an operation equals. `None` if it equals neither.
fn simplify_operation(operation: &OperationSymbol, arguments: &[CoreTerm]) -> Option<CoreTerm> {
    let is = |atom: &CoreTerm, n: i64| literal_number(atom).is_some_and(|q| *q == n);
    match (operation, arguments) {
        (OperationSymbol::Negate, [a]) => Some(CoreTerm::number(Rational::from(-literal_number(a)?))),
        (OperationSymbol::Multiply, [a, b]) => match (literal_number(a), literal_number(b)) {
            (Some(p), Some(q)) => Some(CoreTerm::number(Rational::from(p * q))),
            _ if is(a, 1) => Some(b.clone()),
            _ if is(b, 1) => Some(a.clone()),
            // 0·x = 0 also drops x, which is an atom and so has a value.
            _ if is(a, 0) || is(b, 0) => Some(CoreTerm::number(0)),
            _ => None,
        },
        (OperationSymbol::Subtract, [a, b]) if is(b, 0) => Some(a.clone()),
        (OperationSymbol::Divide, [a, b]) if is(b, 1) => Some(a.clone()),
        (OperationSymbol::Power(q), [a]) if *q == 1 => Some(a.clone()),
        (OperationSymbol::Power(q), [_]) if *q == 0 => Some(CoreTerm::number(1)),
        _ => None,
    }
}
