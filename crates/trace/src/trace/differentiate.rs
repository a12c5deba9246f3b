//! `W.R_V(x : T. C)`, the symbolic derivative of a trace term, by the nine clauses of A Fig. 6.
//!
//! The bound variables of the trace are first renamed apart, which the figure takes for granted. The clause of
//! `let y = D in E` has two variables that look alike in the printed text: y, and ȳ for its cotangent (E22). It
//! differentiates E twice, so the result has exponential size (E23).
//!
//! Nodes are counted before they are made, so that a derivative that would be too large is refused early. The
//! derivatives of E in y and in x bind y differently. These renamings are applied where parts of E are written into the
//! result, so E itself is not copied.
//!
//! # Simplification of traces
//!
//! The same partial function, with fewer `let`s.
//!
//! Symbolic evaluation binds every redex, and every value of a variable. Here the trace is brought into straight-line
//! form. A line that is used once is inlined, a line without use that is defined everywhere is removed, and `1 * x`,
//! `x + 0` and their like become x. All of this preserves definedness, as everything that may be undefined is kept.
//! Programs are simplified in each branch and each function body.

use super::accumulate::{LITERAL_NODES, LineForm, SplitValue, StraightLineBuilder, TraceLine};
use super::evaluation;
use super::evaluation::{TraceError, TraceHooks};
use super::operation::OperationSymbol;
use super::source::TransformationScope;
use super::term::{
    CoreDefinition, CoreTerm, CoreTermKind, CoreTy, CoreVariable, Renaming, let_pair, separate_functions, sum_of_type,
    zero_of_type,
};
use crate::number::Rational;
use crate::stack::with_stack;
use rustc_hash::FxHashMap;
use std::cell::Cell;
use std::sync::Arc;

/// Returns `W.R_V(x : T. C)`, by the clauses, for values V and W in which x is not free.
///
/// # Errors
/// [`TraceError::LiteralTooLarge`] for more than [`LITERAL_NODES`] nodes; [`TraceError::Stuck`] if C is no trace term.
#[doc(alias("R_V", "W.R_V(x. C)"))]
pub fn literal_derivative(
    hooks: &dyn TraceHooks,
    w: &CoreTerm,
    point: &CoreTerm,
    x: &CoreVariable,
    ty: &CoreTy,
    trace: &CoreTerm,
) -> Result<CoreTerm, TraceError> {
    // Each clause makes at least as many nodes as its part of the trace has, unless constant parts are left out.
    if hooks.runs_constants() && trace.size() > LITERAL_NODES {
        return Err(TraceError::LiteralTooLarge);
    }
    let made = Cell::new(0);
    let found = DerivativePoint { hooks, point, x, ty, made: &made }.differentiate_part(
        w,
        &hooks.rename_apart(trace),
        &mut Renaming::default(),
    )?;
    if found.size() > LITERAL_NODES { Err(TraceError::LiteralTooLarge) } else { Ok(found) }
}

/// Returns `operation_pullback⟨V, W⟩` as a trace term, for values V and W. It is defined where op is defined at V.
#[must_use]
#[doc(alias = "op_r")]
pub fn operation_pullback(
    hooks: &dyn TraceHooks,
    operation: &OperationSymbol,
    point: &CoreTerm,
    w: &CoreTerm,
) -> CoreTerm {
    let x: Vec<CoreTerm> = match (operation.arity(), point.kind()) {
        (0, _) => Vec::new(),
        (2, CoreTermKind::Pair(_, _, left, right)) => vec![left.clone(), right.clone()],
        (2, _) => vec![
            CoreTermKind::First(CoreTy::Real, CoreTy::Real, point.clone()).into(),
            CoreTermKind::Second(CoreTy::Real, CoreTy::Real, point.clone()).into(),
        ],
        _ => vec![point.clone()],
    };
    let y = CoreVariable::fresh(&"y".into());
    let pulled = hooks.operation_pullback(operation, &x, &CoreTerm::variable(&y), w);
    let answer = match <[CoreTerm; 2]>::try_from(pulled) {
        Ok([first, second]) => CoreTerm::pair(CoreTy::Real, CoreTy::Real, first, second),
        Err(fewer) => fewer.into_iter().next().unwrap_or_else(CoreTerm::unit),
    };
    // op is evaluated for its domain, or because the derivative uses its value y; else the `let` of y is left out.
    let needs_domain = hooks.keeps_operation_domain() && !operation.slopes_have_its_domain();
    if needs_domain || answer.free_variables().contains(&y) {
        return CoreTerm::bind(&y, CoreTy::Real, CoreTerm::operation(operation.clone(), point.clone()), answer);
    }
    answer
}

/// The arguments of a symbolic derivative that its clauses share: V, x and T.
struct DerivativePoint<'p> {
    hooks: &'p dyn TraceHooks,
    point: &'p CoreTerm,
    x: &'p CoreVariable,
    ty: &'p CoreTy,
    /// A lower bound on the number of nodes of the derivative, counted so far.
    made: &'p Cell<u64>,
}

impl DerivativePoint<'_> {
    /// Makes `let x : T = V in M`.
    fn with_point(&self, body: CoreTerm) -> CoreTerm {
        CoreTerm::bind(self.x, self.ty.clone(), self.point.clone(), body)
    }

    /// Counts nodes that are about to be made. Fails if there are more than [`LITERAL_NODES`].
    fn count_nodes(&self, nodes: u64) -> Result<(), TraceError> {
        self.made.set(self.made.get().saturating_add(nodes));
        if self.made.get() > LITERAL_NODES { Err(TraceError::LiteralTooLarge) } else { Ok(()) }
    }

    /// Returns a part of the trace to be bound under `let x = V`. Its nodes are counted, with those of the `let`s
    /// around it.
    fn write_part(&self, part: &CoreTerm, names: &mut Renaming) -> Result<CoreTerm, TraceError> {
        self.count_nodes(part.size().saturating_add(self.point.size()).saturating_add(2))?;
        Ok(if names.is_identity() { part.clone() } else { names.apply_to(part) })
    }

    /// Returns `true` if a part of the trace depends on x.
    fn depends_on_variable(&self, part: &CoreTerm, names: &Renaming) -> bool {
        let is_x = |y: &CoreVariable| matches!(names.get(y).kind(), CoreTermKind::Variable(y) if y == self.x);
        part.free_variables().iter().any(is_x)
    }

    /// Returns the derivative of a part of the trace, whose variables are renamed by `names`.
    fn differentiate_part(&self, w: &CoreTerm, trace: &CoreTerm, names: &mut Renaming) -> Result<CoreTerm, TraceError> {
        self.count_nodes(1)?;
        with_stack(|| self.apply_clause(w, trace, names))
    }

    /// Applies the clause of the form of the part.
    fn apply_clause(&self, w: &CoreTerm, trace: &CoreTerm, names: &mut Renaming) -> Result<CoreTerm, TraceError> {
        if !self.hooks.runs_constants() && !self.depends_on_variable(trace, names) {
            return Ok(zero_of_type(self.ty));
        }
        Ok(match trace.kind() {
            CoreTermKind::Variable(_) if self.depends_on_variable(trace, names) => w.clone(),
            CoreTermKind::Variable(_) | CoreTermKind::Number(_) | CoreTermKind::Unit => zero_of_type(self.ty),
            CoreTermKind::Add(d, e) => {
                sum_of_type(self.ty, self.differentiate_part(w, d, names)?, self.differentiate_part(w, e, names)?)
            }
            CoreTermKind::Operation(operation, d) => {
                let [at, y] = ["d", "y"].map(|name| CoreVariable::fresh(&name.into()));
                let domain = operation.domain();
                let pulled = operation_pullback(self.hooks, operation, &CoreTerm::variable(&at), w);
                let pulled = CoreTerm::bind(&at, domain.clone(), self.write_part(d, names)?, pulled);
                let rest = self.differentiate_part(&CoreTerm::variable(&y), d, names)?;
                self.with_point(CoreTerm::bind(&y, domain, pulled, rest))
            }
            CoreTermKind::Let(y, s, d, e) => {
                let value = self.write_part(d, names)?;
                let (inner, bar) = (y.renamed(), CoreVariable::fresh(&format!("{}_bar", y.name()).into()));
                // Under a renaming the part is a copy, whose bound variables must be new again.
                let outer = if names.is_identity() { y.clone() } else { y.renamed() };
                let at = self.hooks.let_point(CoreTerm::variable(&outer), &CoreTerm::variable(self.x), s == self.ty);
                let under = DerivativePoint { point: &at, x: &inner, ty: s, ..*self };
                // E in y, at the value of y: its cotangent ȳ then goes back through D. E in x follows, with y bound to
                // its value.
                let of_y =
                    names.with_binding(y, CoreTerm::variable(&inner), |names| under.differentiate_part(w, e, names))?;
                let through = CoreTerm::bind(
                    &bar,
                    s.clone(),
                    of_y,
                    self.differentiate_part(&CoreTerm::variable(&bar), d, names)?,
                );
                let of_x = match outer == *y {
                    true => self.differentiate_part(w, e, names)?,
                    false => names
                        .with_binding(y, CoreTerm::variable(&outer), |names| self.differentiate_part(w, e, names))?,
                };
                self.with_point(CoreTerm::bind(&outer, s.clone(), value, sum_of_type(self.ty, of_x, through)))
            }
            CoreTermKind::Pair(u, s, d, e) => {
                let [y, z] = ["y", "z"].map(|name| CoreVariable::fresh(&name.into()));
                let mut cotangents = [CoreTerm::variable(&y), CoreTerm::variable(&z)];
                if u == s {
                    let [y, z] = cotangents;
                    cotangents = self.hooks.pair_cotangents(y, z);
                }
                let [first, second] = &cotangents;
                let both = sum_of_type(
                    self.ty,
                    self.differentiate_part(first, d, names)?,
                    self.differentiate_part(second, e, names)?,
                );
                let_pair([&y, &z], [u, s], w.clone(), both)
            }
            CoreTermKind::First(u, s, d) | CoreTermKind::Second(u, s, d) => {
                let y = CoreVariable::fresh(&"y".into());
                let first = matches!(trace.kind(), CoreTermKind::First(..));
                let [left, right] = match first {
                    true if u == s => self.hooks.first_cotangents(w.clone(), zero_of_type(s)),
                    true => [w.clone(), zero_of_type(s)],
                    false => [zero_of_type(u), w.clone()],
                };
                let cotangent = CoreTerm::pair(u.clone(), s.clone(), left, right);
                let value = self.write_part(d, names)?;
                let rest = self.differentiate_part(&cotangent, d, names)?;
                self.with_point(CoreTerm::bind(&y, CoreTy::product(u.clone(), s.clone()), value, rest))
            }
            _ => return Err(TraceError::Stuck { construct: "a term that is no trace" }),
        })
    }
}

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
    // Definitions move outward past each other, so none must take the name of another one.
    let apart = separate_functions(program, &FxHashMap::default());
    simplify_in_scope(Some(&TransformationScope::new(&evaluation::DefaultTraceHooks, parameters)), &apart)
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
