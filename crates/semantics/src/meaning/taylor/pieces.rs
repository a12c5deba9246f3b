//! 𝒟 of piecewise programs (W §3.3): the rules of the macro for operations analytic only on pieces.
//!
//! | term | 𝒟, with one direction and of order 1: dual numbers | W §3.3 |
//! |---|---|---|
//! | `x < y`, `x == y`, … | the comparison of the values: branches follow the primal point | 𝒟(if) |
//! | `abs x`, `max x y`, `min x y` | that of the piece, the border on the side of `>=`, or `<=` for `min` | `c_𝒟` |
//! | `signum x` | 1, 0 or -1, with the slope 0 | `c_𝒟` |
//! | `sqrt x`, `cbrt x`, `x ^ (p/q)` | at 0 the number 0 with the slope 0; else the operation | `c_𝒟`, total where c is (W18) |
//! | `asin x`, `acos x`, `acosh x` | at the edges their values with the slope 0; else the operation | the same |
//! | `atan2 y x` | for y = 0 > x the number π with the slope 0; else the operation | the same |
//!
//! Everything else is as in the [macro](super): functions of functions and recursions are kept. It shares only the language with
//! the model [`pap`](crate::meaning::pap), where a derivative is that of the map of a path.

use super::block::{apply_constant_term, term_without_source, variable_term};
use super::hooks::TaylorHooks;
use crate::function::{BinaryShape, DomainEnd, Monotonicity};
use crate::number::Rational;
use crate::syntax::constant::Constant;
use crate::syntax::source::Span;
use crate::syntax::substitution::weaken_from;
use crate::syntax::term::{Term, TermKind};

/// The macro of W: the rules of the [macro](super), extended to pieces.
#[derive(Clone, Copy, Debug)]
pub struct PiecewiseTaylorHooks;

impl TaylorHooks for PiecewiseTaylorHooks {
    fn lift_piecewise(
        &self,
        constant: Constant,
        arguments: &[Term],
        length: usize,
        smooth: Option<&Term>,
    ) -> Option<Term> {
        lift_piecewise_constant(constant, arguments, length, smooth)
    }
    fn has_pieces(&self) -> bool {
        true
    }
}

/// Returns a coordinate of a jet; that of index 0 is the value.
#[must_use]
pub fn jet_coordinate(jet: &Term, index: usize) -> Term {
    term_without_source(TermKind::Project { tuple: jet.clone(), index })
}

/// Returns the jet ⟨q, 0, …, 0⟩.
fn constant_jet(q: i64, length: usize) -> Term {
    let number = |q: i64| term_without_source(TermKind::Real(Rational::from(q)));
    term_without_source(TermKind::Tuple((0..length).map(|place| number(if place == 0 { q } else { 0 })).collect()))
}

/// Builds a conditional.
fn conditional_term(condition: Term, then: Term, otherwise: Term) -> Term {
    term_without_source(TermKind::If { condition, then, otherwise })
}

/// Builds a comparison of the value of a jet with a number.
fn compare_value(constant: Constant, x: &Term, q: i64) -> Term {
    apply_constant_term(constant, [jet_coordinate(x, 0), term_without_source(TermKind::Real(Rational::from(q)))])
}

/// Binds jets to variables by `let`s, the last one innermost.
fn bind_arguments(arguments: &[Term], body: Term) -> Term {
    arguments.iter().enumerate().rev().fold(body, |body, (before, value)| {
        term_without_source(TermKind::Let { name: "x".into(), value: weaken_from(value, 0, before), body })
    })
}

/// Returns the image of a constant analytic only on pieces; see [`TaylorHooks::lift_piecewise`].
#[must_use]
pub fn lift_piecewise_constant(
    constant: Constant,
    arguments: &[Term],
    length: usize,
    smooth: Option<&Term>,
) -> Option<Term> {
    // Arguments are bound first, so that a rule may use them twice; `x` is the first of them.
    let x = variable_term(arguments.len().checked_sub(1)?, &"x".into());
    let smooth_at =
        |jets: &[Term]| Some(jets.iter().fold(smooth?.clone(), |f, jet| Term::apply(f, jet.clone(), Span::default())));
    let smooth = || smooth_at(std::slice::from_ref(&x));
    let at = |q: i64, value: Term, otherwise: Term| {
        conditional_term(compare_value(Constant::RealEqual, &x, q), value, otherwise)
    };
    let body = match (constant, arguments) {
        // a truth value has no derivatives: compare the values alone
        (_, [a, b]) if constant.compares_reals() => {
            return Some(apply_constant_term(constant, [jet_coordinate(a, 0), jet_coordinate(b, 0)]));
        }
        (Constant::Abs, [_]) => conditional_term(
            compare_value(Constant::RealGreaterEqual, &x, 0),
            x.clone(),
            apply_constant_term(Constant::Negate, [x.clone()]),
        ),
        (Constant::Signum, [_]) => conditional_term(
            compare_value(Constant::RealGreater, &x, 0),
            constant_jet(1, length),
            at(0, constant_jet(0, length), constant_jet(-1, length)),
        ),
        (Constant::Max | Constant::Min, [_, _]) => {
            let test = if constant == Constant::Max { Constant::RealGreaterEqual } else { Constant::RealLessEqual };
            let y = variable_term(0, &"x".into());
            conditional_term(apply_constant_term(test, [jet_coordinate(&x, 0), jet_coordinate(&y, 0)]), x.clone(), y)
        }
        // at 0 the operation has no derivative; W's c_𝒟 is total there, with the slope 0
        (Constant::Power, [_]) => at(0, constant_jet(0, length), smooth()?),
        (Constant::Planar(f), [_, _]) => match f.row().shape {
            BinaryShape::Angle => {
                let (y, x) = (x.clone(), variable_term(0, &"x".into()));
                let whole = || smooth_at(&[y.clone(), x.clone()]);
                let mut half_turn = vec![term_without_source(TermKind::Real(Rational::new())); length];
                half_turn[0] = apply_constant_term(Constant::Pi, []);
                let cut = conditional_term(
                    compare_value(Constant::RealLess, &x, 0),
                    term_without_source(TermKind::Tuple(half_turn)),
                    whole()?,
                );
                conditional_term(compare_value(Constant::RealEqual, &y, 0), cut, whole()?)
            }
        },
        (Constant::Elementary(f), [_]) => {
            let row = f.row();
            let closed = [row.domain.left, row.domain.right].into_iter().filter_map(|edge| match edge {
                DomainEnd::Closed(at) => Some(at),
                DomainEnd::None | DomainEnd::Open(_) => None,
            });
            // an odd root is defined on both sides of 0, but has no slope at 0
            let root =
                (matches!(row.monotonicity, Monotonicity::Root(_)) && row.domain.left == DomainEnd::None).then_some(0);
            let mut edges = closed.chain(root).map(i64::from).peekable();
            edges.peek()?;
            let value = |q: i64| {
                let mut jet = constant_jet(0, length);
                if let TermKind::Tuple(parts) = jet.kind() {
                    let mut parts = parts.clone();
                    parts[0] = apply_constant_term(constant, [term_without_source(TermKind::Real(Rational::from(q)))]);
                    jet = term_without_source(TermKind::Tuple(parts));
                }
                jet
            };
            // nested: one test for each edge, and the smooth rule inside
            edges.try_fold(smooth()?, |rest, q| Some(at(q, value(q), rest)))?
        }
        _ => return None,
    };
    Some(bind_arguments(arguments, body))
}
