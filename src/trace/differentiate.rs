//! `W.R_V(x : T. C)`, the symbolic derivative of a trace term, by the nine clauses of A Fig. 6.
//!
//! The trace is first given bound variables of its own, which the figure takes for granted. In the clause of `let y = D in E`
//! two variables must be told apart that look alike in the printed text: y, and ȳ for its cotangent (E22). E is
//! differentiated twice there, so that the result is of exponential size (E23).

use super::accumulate::LITERAL_NODES;
use super::error::Obstacle;
use super::operation::Operation;
use super::renaming::Renaming;
use super::rules::Rules;
use super::sugar::{let_pair, sum, zero};
use super::term::{Term, TermKind, Variable};
use super::ty::Ty;
use crate::stack::deep;

/// `W.R_V(x : T. C)`, for values V and W in which x is not free.
///
/// # Errors
/// [`Obstacle::TooLarge`]
pub fn literal(
    rules: &dyn Rules,
    w: &Term,
    point: &Term,
    x: &Variable,
    ty: &Ty,
    trace: &Term,
) -> Result<Term, Obstacle> {
    Place { rules, point, x, ty }.reverse(w, &rules.apart(trace))
}

/// `op_r⟨V, W⟩` as a trace term, for values V and W: defined where op is defined at V.
#[must_use]
pub fn op_r(rules: &dyn Rules, operation: &Operation, point: &Term, w: &Term) -> Term {
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
    let pulled = rules.pullback(operation, &x, &Term::variable(&y), w);
    let answer = match <[Term; 2]>::try_from(pulled) {
        Ok([first, second]) => Term::pair(Ty::Real, Ty::Real, first, second),
        Err(fewer) => fewer.into_iter().next().unwrap_or_else(Term::unit),
    };
    let needs_domain = rules.whole_domain() && !operation.slopes_have_its_domain();
    if needs_domain || answer.free_variables().contains(&y) {
        return Term::bind(&y, Ty::Real, Term::operation(operation.clone(), point.clone()), answer);
    }
    answer
}

/// Where a trace is differentiated: V, x and T.
struct Place<'p> {
    rules: &'p dyn Rules,
    point: &'p Term,
    x: &'p Variable,
    ty: &'p Ty,
}

impl Place<'_> {
    /// `let x : T = V in M`
    fn with_point(&self, body: Term) -> Term {
        Term::bind(self.x, self.ty.clone(), self.point.clone(), body)
    }

    fn reverse(&self, w: &Term, trace: &Term) -> Result<Term, Obstacle> {
        let found = deep(|| self.clause(w, trace))?;
        if found.size() > LITERAL_NODES { Err(Obstacle::TooLarge) } else { Ok(found) }
    }

    fn clause(&self, w: &Term, trace: &Term) -> Result<Term, Obstacle> {
        if !self.rules.runs_constants() && !trace.free_variables().contains(self.x) {
            return Ok(zero(self.ty));
        }
        Ok(match trace.kind() {
            TermKind::Variable(y) if y == self.x => w.clone(),
            TermKind::Variable(_) | TermKind::Number(_) | TermKind::Unit => zero(self.ty),
            TermKind::Add(d, e) => sum(self.ty, self.reverse(w, d)?, self.reverse(w, e)?),
            TermKind::Operation(operation, d) => {
                let [at, y] = ["d", "y"].map(|name| Variable::fresh(&name.into()));
                let domain = operation.domain();
                let pulled = op_r(self.rules, operation, &Term::variable(&at), w);
                let pulled = Term::bind(&at, domain.clone(), d.clone(), pulled);
                let rest = self.reverse(&Term::variable(&y), d)?;
                self.with_point(Term::bind(&y, domain, pulled, rest))
            }
            TermKind::Let(y, s, d, e) => {
                let (inner, bar) = (y.renamed(), Variable::fresh(&format!("{}_bar", y.name()).into()));
                let at = self.rules.let_point(Term::variable(y), &Term::variable(self.x), s == self.ty);
                let body = Renaming::substitute(e, y, Term::variable(&inner));
                let of_y = Place { rules: self.rules, point: &at, x: &inner, ty: s }.reverse(w, &body)?;
                let through = Term::bind(&bar, s.clone(), of_y, self.reverse(&Term::variable(&bar), d)?);
                let both = sum(self.ty, self.reverse(w, e)?, through);
                self.with_point(Term::bind(y, s.clone(), d.clone(), both))
            }
            TermKind::Pair(u, s, d, e) => {
                let [y, z] = ["y", "z"].map(|name| Variable::fresh(&name.into()));
                let mut cotangents = [Term::variable(&y), Term::variable(&z)];
                if u == s {
                    let [y, z] = cotangents;
                    cotangents = self.rules.pair(y, z);
                }
                let both = sum(self.ty, self.reverse(&cotangents[0], d)?, self.reverse(&cotangents[1], e)?);
                let_pair([&y, &z], [u, s], w.clone(), both)
            }
            TermKind::First(u, s, d) | TermKind::Second(u, s, d) => {
                let y = Variable::fresh(&"y".into());
                let first = matches!(trace.kind(), TermKind::First(..));
                let [left, right] = match first {
                    true if u == s => self.rules.first(w.clone(), zero(s)),
                    true => [w.clone(), zero(s)],
                    false => [zero(u), w.clone()],
                };
                let cotangent = Term::pair(u.clone(), s.clone(), left, right);
                let rest = self.reverse(&cotangent, d)?;
                self.with_point(Term::bind(&y, Ty::product(u.clone(), s.clone()), d.clone(), rest))
            }
            _ => return Err(Obstacle::Stuck { construct: "what is no trace term" }),
        })
    }
}
