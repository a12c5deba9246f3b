//! `W.R_V(x : T. C)`, the symbolic derivative of a trace term, by the nine clauses of A Fig. 6.
//!
//! The bound variables of the trace are first renamed apart, which the figure takes for granted. The clause of
//! `let y = D in E` has two variables that look alike in the printed text: y, and ȳ for its cotangent (E22). It
//! differentiates E twice, so the result has exponential size (E23).
//!
//! Nodes are counted before they are made, so that a derivative that would be too large is refused early. The
//! derivatives of E in y and in x bind y differently. These renamings are applied where parts of E are written into the
//! result, so E itself is not copied.

use super::accumulate::LITERAL_NODES;
use super::error::TraceError;
use super::hooks::TraceHooks;
use super::operation::OperationSymbol;
use super::renaming::Renaming;
use super::sugar::{let_pair, sum_of_type, zero_of_type};
use super::term::{CoreTerm, CoreTermKind, CoreVariable};
use super::ty::CoreTy;
use crate::stack::with_stack;
use std::cell::Cell;

/// Returns `W.R_V(x : T. C)`, by the clauses, for values V and W in which x is not free.
///
/// # Errors
/// [`TraceError::LiteralTooLarge`] for more than [`LITERAL_NODES`] nodes; [`TraceError::Stuck`] if C is no trace term.
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
            _ => return Err(TraceError::Stuck { construct: "what is no trace term" }),
        })
    }
}
