//! Operation and predicate symbols (A §2, §3): arities, domains, and the reverse derivatives op_r.
//!
//! Every operation is smooth on an open set, and undefined elsewhere, also on the boundary of its domain: `sqrt 0`,
//! `cbrt 0` and `asin 1` have no value here. Slopes are those of the [rows](crate::function), as programs. So op_r is
//! no new symbol but a trace term made of operations, and the operations are closed under r. Its domain is
//! `Dom(op) × U`. If the slope alone has a larger domain, as 1/x has for `log`, op is evaluated beside it.

use super::term::{CoreTerm, CoreTy};
use crate::function::{Domain, DomainEnd, Formula, FormulaStep, Function, Monotonicity, Planar};
use crate::number::Rational;
use std::fmt;

/// An operation symbol op : T → U. T is unit, real or real², and U is real.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub enum OperationSymbol {
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
    BinaryFunction(Planar),
}

/// A predicate symbol pred : real².
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum PredicateSymbol {
    /// x < y, undefined for x = y.
    Less,
    /// x > y, undefined for x = y.
    Greater,
}

impl fmt::Display for PredicateSymbol {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            PredicateSymbol::Less => "<",
            PredicateSymbol::Greater => ">",
        })
    }
}

/// A subset of the real line in which an argument must lie.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ArgumentRange {
    /// The numbers above this one.
    Above(i8),
    /// The numbers below this one.
    Below(i8),
    /// The numbers other than 0.
    NonZero,
}

/// A condition on an argument. It also says whether other semantics have a value at the edge.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct DomainCondition {
    /// The index of the argument, from 0.
    pub argument: usize,
    /// The set in which the argument must lie.
    pub allowed_range: ArgumentRange,
    /// `true` if other semantics have a value at the edge.
    pub has_value_at_edge: bool,
}

impl OperationSymbol {
    /// Returns the number of reals in the argument: 0, 1 or 2.
    #[must_use]
    pub fn arity(&self) -> usize {
        match self {
            OperationSymbol::Pi => 0,
            OperationSymbol::Negate | OperationSymbol::Power(_) | OperationSymbol::Function(_) => 1,
            OperationSymbol::Subtract
            | OperationSymbol::Multiply
            | OperationSymbol::Divide
            | OperationSymbol::BinaryFunction(_) => 2,
        }
    }

    /// Returns T, in op : T → real.
    #[must_use]
    pub fn domain(&self) -> CoreTy {
        CoreTy::real_vector(self.arity())
    }

    /// Returns the conditions on the arguments. All of them are necessary; they are sufficient unless
    /// [`Numbers::apply_operation`](super::number::NumberSystem::apply_operation) fails, as it may for functions of two variables.
    #[must_use]
    pub fn domain_conditions(&self) -> Vec<DomainCondition> {
        let only = |argument, allowed_range, has_value_at_edge| {
            vec![DomainCondition { argument, allowed_range, has_value_at_edge }]
        };
        match self {
            OperationSymbol::Divide => only(1, ArgumentRange::NonZero, false),
            OperationSymbol::Power(q) if q.is_integer() && *q >= 0 => Vec::new(),
            OperationSymbol::Power(q) => {
                // Of positive exponents, real powers have a limit at 0, which other semantics take as the value.
                let closed = *q > 0;
                only(0, if q.denom().is_even() { ArgumentRange::Above(0) } else { ArgumentRange::NonZero }, closed)
            }
            OperationSymbol::Function(f) => {
                let Domain { left, right } = f.row().domain;
                let side = |edge: DomainEnd, side: fn(i8) -> ArgumentRange| match edge {
                    DomainEnd::None => None,
                    DomainEnd::Closed(e) => {
                        Some(DomainCondition { argument: 0, allowed_range: side(e), has_value_at_edge: true })
                    }
                    DomainEnd::Open(e) => {
                        Some(DomainCondition { argument: 0, allowed_range: side(e), has_value_at_edge: false })
                    }
                };
                // Roots of odd degree are defined at 0, but not smooth there.
                let root = matches!(f.row().monotonicity, Monotonicity::Root(_)).then_some(ArgumentRange::NonZero);
                let root =
                    root.map(|side| DomainCondition { argument: 0, allowed_range: side, has_value_at_edge: true });
                [side(left, ArgumentRange::Above), side(right, ArgumentRange::Below), root]
                    .into_iter()
                    .flatten()
                    .collect()
            }
            _ => Vec::new(),
        }
    }

    /// Returns `true` if the operation is defined on all of T.
    #[must_use]
    pub fn is_total(&self) -> bool {
        match self {
            OperationSymbol::Function(f) => f.is_total() && self.domain_conditions().is_empty(),
            OperationSymbol::BinaryFunction(_) => false,
            _ => self.domain_conditions().is_empty(),
        }
    }

    /// Returns `true` if the slopes, as programs, are defined only where the operation is.
    #[must_use]
    pub fn slopes_have_its_domain(&self) -> bool {
        self.is_total() || matches!(self, OperationSymbol::Divide | OperationSymbol::Power(_))
    }

    /// Returns the components of `operation_pullback⟨⟨x₁, …, xₖ⟩, w⟩`. The arguments x, the value y of the operation and w are
    /// values: variables or numbers.
    #[must_use]
    pub fn pullback(&self, x: &[CoreTerm], y: &CoreTerm, w: &CoreTerm) -> Vec<CoreTerm> {
        let binary =
            |op: OperationSymbol, a: &CoreTerm, b: &CoreTerm| CoreTerm::binary_operation(op, a.clone(), b.clone());
        let negative = |a: CoreTerm| CoreTerm::operation(OperationSymbol::Negate, a);
        match (self, x) {
            (OperationSymbol::Negate, _) => vec![negative(w.clone())],
            (OperationSymbol::Subtract, _) => vec![w.clone(), negative(w.clone())],
            (OperationSymbol::Multiply, [a, b]) => {
                vec![binary(OperationSymbol::Multiply, w, b), binary(OperationSymbol::Multiply, w, a)]
            }
            (OperationSymbol::Divide, [_, b]) => {
                // w/b and -(w/b)·y need one division, since y = a/b is given.
                let first = binary(OperationSymbol::Divide, w, b);
                let second = negative(CoreTerm::binary_operation(OperationSymbol::Multiply, first.clone(), y.clone()));
                vec![first, second]
            }
            // Without this row, x⁰ would have the slope 0·x⁻¹, which is undefined at 0.
            (OperationSymbol::Power(q), _) if *q == 0 => vec![CoreTerm::number(0)],
            (OperationSymbol::Power(q), [a]) => {
                let power = CoreTerm::operation(OperationSymbol::Power(Rational::from(q - 1)), a.clone());
                let slope = CoreTerm::binary_operation(OperationSymbol::Multiply, CoreTerm::number(q.clone()), power);
                vec![CoreTerm::binary_operation(OperationSymbol::Multiply, w.clone(), slope)]
            }
            (OperationSymbol::Function(f), _) => vec![times_slope(w, formula_term(&f.slope_formula(), x, y))],
            (OperationSymbol::BinaryFunction(f), _) => {
                f.slope_formulas().iter().map(|slope| times_slope(w, formula_term(slope, x, y))).collect()
            }
            _ => Vec::new(),
        }
    }
}

/// Returns w times a slope.
fn times_slope(w: &CoreTerm, slope: CoreTerm) -> CoreTerm {
    CoreTerm::binary_operation(OperationSymbol::Multiply, w.clone(), slope)
}

/// Returns a formula as a term. Its arguments are values; y is the value of the function whose slope it is.
#[must_use]
pub fn formula_term(formula: &Formula, arguments: &[CoreTerm], y: &CoreTerm) -> CoreTerm {
    let square = OperationSymbol::Power(Rational::from(2));
    let inverse = |a: CoreTerm| CoreTerm::binary_operation(OperationSymbol::Divide, CoreTerm::number(1), a);
    formula.eval_with(&mut |step| match step {
        FormulaStep::Argument(index) => arguments.get(index).cloned().unwrap_or_else(CoreTerm::unit),
        FormulaStep::Y => y.clone(),
        FormulaStep::Number(p, q) => CoreTerm::number(Rational::from((p, q))),
        FormulaStep::Pi => CoreTerm::operation(OperationSymbol::Pi, CoreTerm::unit()),
        FormulaStep::Negate(a) => CoreTerm::operation(OperationSymbol::Negate, a),
        FormulaStep::Add(a, b) => CoreTerm::sum(a, b),
        FormulaStep::Subtract(a, b) => CoreTerm::binary_operation(OperationSymbol::Subtract, a, b),
        FormulaStep::Multiply(a, b) => CoreTerm::binary_operation(OperationSymbol::Multiply, a, b),
        FormulaStep::Divide(a, b) => CoreTerm::binary_operation(OperationSymbol::Divide, a, b),
        FormulaStep::Square(a) => CoreTerm::operation(square.clone(), a),
        FormulaStep::Inverse(a) => inverse(a),
        FormulaStep::InverseRoot(a) => inverse(CoreTerm::operation(OperationSymbol::Function(Function::Sqrt), a)),
        FormulaStep::Apply(f, a) => CoreTerm::operation(OperationSymbol::Function(f), a),
    })
}

impl fmt::Display for OperationSymbol {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            OperationSymbol::Pi => f.write_str("pi"),
            OperationSymbol::Negate | OperationSymbol::Subtract => f.write_str("-"),
            OperationSymbol::Multiply => f.write_str("*"),
            OperationSymbol::Divide => f.write_str("/"),
            OperationSymbol::Power(_) => f.write_str("^"),
            OperationSymbol::Function(function) => write!(f, "{function}"),
            OperationSymbol::BinaryFunction(function) => f.write_str(function.name()),
        }
    }
}
