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
use super::error::Obstacle;
use super::hooks::Hooks;
use super::operation::Operation;
use super::renaming::Renaming;
use super::sugar::{let_pair, sum, zero};
use super::term::{Term, TermKind, Variable};
use super::ty::Ty;
use crate::stack::deep;
use std::cell::Cell;

/// Returns `W.R_V(x : T. C)`, by the clauses, for values V and W in which x is not free.
///
/// # Errors
/// [`Obstacle::TooLarge`] for more than [`LITERAL_NODES`] nodes; [`Obstacle::Stuck`] if C is no trace term.
pub fn literal(
    hooks: &dyn Hooks,
    w: &Term,
    point: &Term,
    x: &Variable,
    ty: &Ty,
    trace: &Term,
) -> Result<Term, Obstacle> {
    // Each clause makes at least as many nodes as its part of the trace has, unless constant parts are left out.
    if hooks.runs_constants() && trace.size() > LITERAL_NODES {
        return Err(Obstacle::TooLarge);
    }
    let made = Cell::new(0);
    let found = Place { hooks, point, x, ty, made: &made }.reverse(w, &hooks.apart(trace), &mut Renaming::default())?;
    if found.size() > LITERAL_NODES { Err(Obstacle::TooLarge) } else { Ok(found) }
}

/// Returns `op_r⟨V, W⟩` as a trace term, for values V and W. It is defined where op is defined at V.
#[must_use]
pub fn op_r(hooks: &dyn Hooks, operation: &Operation, point: &Term, w: &Term) -> Term {
    let x: Vec<Term> = match (operation.arity(), point.kind()) {
        (0, _) => Vec::new(),
        (2, TermKind::Pair(_, _, left, right)) => vec![left.clone(), right.clone()],
        (2, _) => vec![
            TermKind::First(Ty::Real, Ty::Real, point.clone()).into(),
            TermKind::Second(Ty::Real, Ty::Real, point.clone()).into(),
        ],
        _ => vec![point.clone()],
    };
    let y = Variable::fresh(&"y".into());
    let pulled = hooks.pullback(operation, &x, &Term::variable(&y), w);
    let answer = match <[Term; 2]>::try_from(pulled) {
        Ok([first, second]) => Term::pair(Ty::Real, Ty::Real, first, second),
        Err(fewer) => fewer.into_iter().next().unwrap_or_else(Term::unit),
    };
    // op is evaluated for its domain, or because the derivative uses its value y; else the `let` of y is left out.
    let needs_domain = hooks.whole_domain() && !operation.slopes_have_its_domain();
    if needs_domain || answer.free_variables().contains(&y) {
        return Term::bind(&y, Ty::Real, Term::operation(operation.clone(), point.clone()), answer);
    }
    answer
}

/// The arguments of a symbolic derivative that its clauses share: V, x and T.
struct Place<'p> {
    hooks: &'p dyn Hooks,
    point: &'p Term,
    x: &'p Variable,
    ty: &'p Ty,
    /// A lower bound on the number of nodes of the derivative, counted so far.
    made: &'p Cell<u64>,
}

impl Place<'_> {
    /// Makes `let x : T = V in M`.
    fn with_point(&self, body: Term) -> Term {
        Term::bind(self.x, self.ty.clone(), self.point.clone(), body)
    }

    /// Counts nodes that are about to be made. Fails if there are more than [`LITERAL_NODES`].
    fn count(&self, nodes: u64) -> Result<(), Obstacle> {
        self.made.set(self.made.get().saturating_add(nodes));
        if self.made.get() > LITERAL_NODES { Err(Obstacle::TooLarge) } else { Ok(()) }
    }

    /// Returns a part of the trace to be bound under `let x = V`. Its nodes are counted, with those of the `let`s
    /// around it.
    fn written(&self, part: &Term, names: &mut Renaming) -> Result<Term, Obstacle> {
        self.count(part.size().saturating_add(self.point.size()).saturating_add(2))?;
        Ok(if names.is_identity() { part.clone() } else { names.of(part) })
    }

    /// Returns `true` if a part of the trace depends on x.
    fn moves(&self, part: &Term, names: &Renaming) -> bool {
        let is_x = |y: &Variable| matches!(names.get(y).kind(), TermKind::Variable(y) if y == self.x);
        part.free_variables().iter().any(is_x)
    }

    /// Returns the derivative of a part of the trace, whose variables are renamed by `names`.
    fn reverse(&self, w: &Term, trace: &Term, names: &mut Renaming) -> Result<Term, Obstacle> {
        self.count(1)?;
        deep(|| self.clause(w, trace, names))
    }

    /// Applies the clause of the form of the part.
    fn clause(&self, w: &Term, trace: &Term, names: &mut Renaming) -> Result<Term, Obstacle> {
        if !self.hooks.runs_constants() && !self.moves(trace, names) {
            return Ok(zero(self.ty));
        }
        Ok(match trace.kind() {
            TermKind::Variable(_) if self.moves(trace, names) => w.clone(),
            TermKind::Variable(_) | TermKind::Number(_) | TermKind::Unit => zero(self.ty),
            TermKind::Add(d, e) => sum(self.ty, self.reverse(w, d, names)?, self.reverse(w, e, names)?),
            TermKind::Operation(operation, d) => {
                let [at, y] = ["d", "y"].map(|name| Variable::fresh(&name.into()));
                let domain = operation.domain();
                let pulled = op_r(self.hooks, operation, &Term::variable(&at), w);
                let pulled = Term::bind(&at, domain.clone(), self.written(d, names)?, pulled);
                let rest = self.reverse(&Term::variable(&y), d, names)?;
                self.with_point(Term::bind(&y, domain, pulled, rest))
            }
            TermKind::Let(y, s, d, e) => {
                let value = self.written(d, names)?;
                let (inner, bar) = (y.renamed(), Variable::fresh(&format!("{}_bar", y.name()).into()));
                // Under a renaming the part is a copy, whose bound variables must be new again.
                let outer = if names.is_identity() { y.clone() } else { y.renamed() };
                let at = self.hooks.let_point(Term::variable(&outer), &Term::variable(self.x), s == self.ty);
                let under = Place { point: &at, x: &inner, ty: s, ..*self };
                // E in y, at the value of y: its cotangent ȳ then goes back through D. E in x follows, with y bound to
                // its value.
                let of_y = names.with(y, Term::variable(&inner), |names| under.reverse(w, e, names))?;
                let through = Term::bind(&bar, s.clone(), of_y, self.reverse(&Term::variable(&bar), d, names)?);
                let of_x = match outer == *y {
                    true => self.reverse(w, e, names)?,
                    false => names.with(y, Term::variable(&outer), |names| self.reverse(w, e, names))?,
                };
                self.with_point(Term::bind(&outer, s.clone(), value, sum(self.ty, of_x, through)))
            }
            TermKind::Pair(u, s, d, e) => {
                let [y, z] = ["y", "z"].map(|name| Variable::fresh(&name.into()));
                let mut cotangents = [Term::variable(&y), Term::variable(&z)];
                if u == s {
                    let [y, z] = cotangents;
                    cotangents = self.hooks.pair(y, z);
                }
                let [first, second] = &cotangents;
                let both = sum(self.ty, self.reverse(first, d, names)?, self.reverse(second, e, names)?);
                let_pair([&y, &z], [u, s], w.clone(), both)
            }
            TermKind::First(u, s, d) | TermKind::Second(u, s, d) => {
                let y = Variable::fresh(&"y".into());
                let first = matches!(trace.kind(), TermKind::First(..));
                let [left, right] = match first {
                    true if u == s => self.hooks.first(w.clone(), zero(s)),
                    true => [w.clone(), zero(s)],
                    false => [zero(u), w.clone()],
                };
                let cotangent = Term::pair(u.clone(), s.clone(), left, right);
                let value = self.written(d, names)?;
                let rest = self.reverse(&cotangent, d, names)?;
                self.with_point(Term::bind(&y, Ty::product(u.clone(), s.clone()), value, rest))
            }
            _ => return Err(Obstacle::Stuck { construct: "what is no trace term" }),
        })
    }
}
