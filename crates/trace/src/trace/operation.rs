//! Operation and predicate symbols (A §2, §3): arities, domains, and the reverse derivatives op_r.
//!
//! Every operation is smooth on an open set, and undefined elsewhere, also on the boundary of its domain: `sqrt 0`,
//! `cbrt 0` and `asin 1` have no value here. Slopes are those of the [rows](crate::function), as programs. So op_r is
//! no new symbol but a trace term made of operations, and the operations are closed under r. Its domain is
//! `Dom(op) × U`. If the slope alone has a larger domain, as 1/x has for `log`, op is evaluated beside it.

use super::term::Term;
use super::ty::Ty;
use crate::function::{Course, Domain, Edge, Formula, Function, Planar, Step};
use crate::number::Rational;
use std::fmt;

/// An operation symbol op : T → U. T is unit, real or real², and U is real.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub enum Operation {
    /// The number π, as an operation of `∗`.
    Pi,
    /// -x
    Negate,
    /// x - y
    Subtract,
    /// x · y
    Multiply,
    /// x / y, for y ≠ 0.
    Divide,
    /// x^q. If q is an integer ≥ 0, for all x; for other q with odd denominator, for x ≠ 0; else for x > 0.
    Power(Rational),
    /// An elementary function, on the interior of its domain.
    Function(Function),
    /// An elementary function of two variables, on the set where it is smooth.
    Planar(Planar),
}

/// A predicate symbol pred : real².
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Predicate {
    /// x < y, undefined for x = y.
    Less,
    /// x > y, undefined for x = y.
    Greater,
}

impl fmt::Display for Predicate {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Predicate::Less => "<",
            Predicate::Greater => ">",
        })
    }
}

/// A subset of the real line in which an argument must lie.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Side {
    /// The numbers above this one.
    Above(i8),
    /// The numbers below this one.
    Below(i8),
    /// The numbers other than 0.
    Apart,
}

/// A condition on an argument. It also says whether other semantics have a value at the edge.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Bound {
    /// The index of the argument, from 0.
    pub argument: usize,
    /// The set in which the argument must lie.
    pub side: Side,
    /// `true` if other semantics have a value at the edge.
    pub closed: bool,
}

impl Operation {
    /// Returns the number of reals in the argument: 0, 1 or 2.
    #[must_use]
    pub fn arity(&self) -> usize {
        match self {
            Operation::Pi => 0,
            Operation::Negate | Operation::Power(_) | Operation::Function(_) => 1,
            Operation::Subtract | Operation::Multiply | Operation::Divide | Operation::Planar(_) => 2,
        }
    }

    /// Returns T, in op : T → real.
    #[must_use]
    pub fn domain(&self) -> Ty {
        Ty::reals(self.arity())
    }

    /// Returns the conditions on the arguments. All of them are necessary; they are sufficient unless
    /// [`Numbers::apply`](super::number::Numbers::apply) fails, as it may for functions of two variables.
    #[must_use]
    pub fn bounds(&self) -> Vec<Bound> {
        let only = |argument, side, closed| vec![Bound { argument, side, closed }];
        match self {
            Operation::Divide => only(1, Side::Apart, false),
            Operation::Power(q) if q.is_integer() && *q >= 0 => Vec::new(),
            Operation::Power(q) => {
                // Of positive exponents, real powers have a limit at 0, which other semantics take as the value.
                let closed = *q > 0;
                only(0, if q.denom().is_even() { Side::Above(0) } else { Side::Apart }, closed)
            }
            Operation::Function(f) => {
                let Domain { left, right } = f.row().domain;
                let side = |edge: Edge, side: fn(i8) -> Side| match edge {
                    Edge::None => None,
                    Edge::Closed(e) => Some(Bound { argument: 0, side: side(e), closed: true }),
                    Edge::Open(e) => Some(Bound { argument: 0, side: side(e), closed: false }),
                };
                // Roots of odd degree are defined at 0, but not smooth there.
                let root = matches!(f.row().course, Course::Root(_)).then_some(Side::Apart);
                let root = root.map(|side| Bound { argument: 0, side, closed: true });
                [side(left, Side::Above), side(right, Side::Below), root].into_iter().flatten().collect()
            }
            _ => Vec::new(),
        }
    }

    /// Returns `true` if the operation is defined on all of T.
    #[must_use]
    pub fn is_total(&self) -> bool {
        match self {
            Operation::Function(f) => f.is_total() && self.bounds().is_empty(),
            Operation::Planar(_) => false,
            _ => self.bounds().is_empty(),
        }
    }

    /// Returns `true` if the slopes, as programs, are defined only where the operation is.
    #[must_use]
    pub fn slopes_have_its_domain(&self) -> bool {
        self.is_total() || matches!(self, Operation::Divide | Operation::Power(_))
    }

    /// Returns the components of `op_r⟨⟨x₁, …, xₖ⟩, w⟩`. The arguments x, the value y of the operation and w are
    /// values: variables or numbers.
    #[must_use]
    pub fn pullback(&self, x: &[Term], y: &Term, w: &Term) -> Vec<Term> {
        let binary = |op: Operation, a: &Term, b: &Term| Term::binary(op, a.clone(), b.clone());
        let negative = |a: Term| Term::operation(Operation::Negate, a);
        match (self, x) {
            (Operation::Negate, _) => vec![negative(w.clone())],
            (Operation::Subtract, _) => vec![w.clone(), negative(w.clone())],
            (Operation::Multiply, [a, b]) => {
                vec![binary(Operation::Multiply, w, b), binary(Operation::Multiply, w, a)]
            }
            (Operation::Divide, [_, b]) => {
                // w/b and -(w/b)·y need one division, since y = a/b is given.
                let first = binary(Operation::Divide, w, b);
                let second = negative(Term::binary(Operation::Multiply, first.clone(), y.clone()));
                vec![first, second]
            }
            // Without this row, x⁰ would have the slope 0·x⁻¹, which is undefined at 0.
            (Operation::Power(q), _) if *q == 0 => vec![Term::number(0)],
            (Operation::Power(q), [a]) => {
                let power = Term::operation(Operation::Power(Rational::from(q - 1)), a.clone());
                let slope = Term::binary(Operation::Multiply, Term::number(q.clone()), power);
                vec![Term::binary(Operation::Multiply, w.clone(), slope)]
            }
            (Operation::Function(f), _) => vec![times(w, formula(&f.slope(), x, y))],
            (Operation::Planar(f), _) => f.slopes().iter().map(|slope| times(w, formula(slope, x, y))).collect(),
            _ => Vec::new(),
        }
    }
}

/// Returns w times a slope.
fn times(w: &Term, slope: Term) -> Term {
    Term::binary(Operation::Multiply, w.clone(), slope)
}

/// Returns a formula as a term. Its arguments are values; y is the value of the function whose slope it is.
#[must_use]
pub fn formula(formula: &Formula, arguments: &[Term], y: &Term) -> Term {
    let square = Operation::Power(Rational::from(2));
    let inverse = |a: Term| Term::binary(Operation::Divide, Term::number(1), a);
    formula.evaluate(&mut |step| match step {
        Step::Argument(index) => arguments.get(index).cloned().unwrap_or_else(Term::unit),
        Step::Y => y.clone(),
        Step::Number(p, q) => Term::number(Rational::from((p, q))),
        Step::Pi => Term::operation(Operation::Pi, Term::unit()),
        Step::Negate(a) => Term::operation(Operation::Negate, a),
        Step::Add(a, b) => Term::sum(a, b),
        Step::Subtract(a, b) => Term::binary(Operation::Subtract, a, b),
        Step::Multiply(a, b) => Term::binary(Operation::Multiply, a, b),
        Step::Divide(a, b) => Term::binary(Operation::Divide, a, b),
        Step::Square(a) => Term::operation(square.clone(), a),
        Step::Inverse(a) => inverse(a),
        Step::InverseRoot(a) => inverse(Term::operation(Operation::Function(Function::Sqrt), a)),
        Step::Of(f, a) => Term::operation(Operation::Function(f), a),
    })
}

impl fmt::Display for Operation {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Operation::Pi => f.write_str("pi"),
            Operation::Negate | Operation::Subtract => f.write_str("-"),
            Operation::Multiply => f.write_str("*"),
            Operation::Divide => f.write_str("/"),
            Operation::Power(_) => f.write_str("^"),
            Operation::Function(function) => write!(f, "{function}"),
            Operation::Planar(function) => f.write_str(function.name()),
        }
    }
}
