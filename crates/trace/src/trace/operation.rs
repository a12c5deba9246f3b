//! Operation and predicate symbols (A §2, §3): arities, domains, and the reverse derivatives op_r.
//!
//! Every operation is smooth on an open set, and undefined elsewhere, also on the boundary of its domain: `sqrt 0`,
//! `cbrt 0` and `asin 1` have no value here. Slopes are those of the [rows](crate::function), as programs. So op_r is
//! no new symbol but a trace term made of operations, and the operations are closed under r. Its domain is
//! `Dom(op) × U`. If the slope alone has a larger domain, as 1/x has for `log`, op is evaluated beside it.
//!
//! A function [from outside](crate::meaning::foreign) is an operation, too. Its op_r has the slope that its caller gives: a program
//! without conditionals and definitions, which may mention the function.

use super::embed::slope_program;
use super::term::{CoreTerm, CoreTy};
use crate::function::{
    ArgumentCondition, Formula, FormulaStep, Function, NumberSet, OperationConditions, Planar, PowerKind,
    RealOperation, TestedQuantity,
};
use crate::number::Rational;
use crate::syntax::constant::Constant;
use crate::syntax::constant::foreign::ForeignId;
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
    /// A function ℝ → ℝ from outside, where it is defined. That it is smooth there is a promise of the caller.
    Foreign(ForeignId),
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

/// A condition on an argument. It also says whether other semantics have a value at the edge.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct DomainCondition {
    /// The index of the argument, from 0.
    pub argument: usize,
    /// The set in which the argument must lie.
    pub allowed_range: NumberSet,
    /// `true` if other semantics have a value at the edge.
    pub has_value_at_edge: bool,
}

impl OperationSymbol {
    /// Returns the number of reals in the argument: 0, 1 or 2.
    #[must_use]
    pub fn arity(&self) -> usize {
        match self {
            OperationSymbol::Pi => 0,
            OperationSymbol::Negate
            | OperationSymbol::Power(_)
            | OperationSymbol::Function(_)
            | OperationSymbol::Foreign(_) => 1,
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
        let conditions = self.conditions();
        let bound = |condition: ArgumentCondition| {
            let argument = match condition.quantity {
                TestedQuantity::First => 0,
                TestedQuantity::Second => 1,
                TestedQuantity::Difference => return None,
            };
            // the values of other semantics at the border, as √0, are none of a smooth operation
            let has_value_at_edge = conditions.has_value_at(condition.set.border()?);
            Some(DomainCondition { argument, allowed_range: condition.set, has_value_at_edge })
        };
        conditions.analytic.single_conditions().filter_map(bound).collect()
    }

    /// Returns the row of the [table of conditions](OperationConditions). Dom(op) is where the operation is analytic.
    fn conditions(&self) -> &'static OperationConditions {
        let operation = match self {
            // the domain of a function from outside is not known before it is evaluated
            OperationSymbol::Pi
            | OperationSymbol::Negate
            | OperationSymbol::Subtract
            | OperationSymbol::Multiply
            | OperationSymbol::Foreign(_) => RealOperation::Arithmetic,
            OperationSymbol::Divide => RealOperation::Divide,
            OperationSymbol::Power(q) => RealOperation::Power(PowerKind::of_exponent(q)),
            OperationSymbol::Function(f) => RealOperation::Function(*f),
            OperationSymbol::BinaryFunction(f) => RealOperation::Binary(*f),
        };
        operation.conditions()
    }

    /// Returns `true` if the operation is defined on all of T.
    #[must_use]
    pub fn is_total(&self) -> bool {
        !matches!(self, OperationSymbol::Foreign(_)) && self.conditions().is_analytic_everywhere()
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
            (OperationSymbol::Foreign(id), [a]) => vec![times_slope(w, foreign_slope(*id, a))],
            _ => Vec::new(),
        }
    }
}

/// Returns w times a slope.
fn times_slope(w: &CoreTerm, slope: CoreTerm) -> CoreTerm {
    CoreTerm::binary_operation(OperationSymbol::Multiply, w.clone(), slope)
}

/// Returns the slope of a function from outside at a value, as a term.
fn foreign_slope(id: ForeignId, at: &CoreTerm) -> CoreTerm {
    match slope_program(id) {
        Ok((x, slope)) => CoreTerm::bind(&x, CoreTy::Real, at.clone(), slope),
        // The slope was translated when the program was. It is missing only if the session was dropped since: then ⊥ is safe.
        Err(_) => CoreTerm::binary_operation(OperationSymbol::Divide, CoreTerm::number(1), CoreTerm::number(0)),
    }
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
            OperationSymbol::Foreign(id) => f.write_str(Constant::Foreign(*id).name()),
        }
    }
}
