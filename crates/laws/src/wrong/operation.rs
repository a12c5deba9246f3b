//! Mutants of the operations: each has a value and a slope that may be wrong.

use super::step::{CompletedStep, drop_derivatives, drop_value};
use crate::smooth::graph::{Binary, Unary};
use crate::smooth::hooks::HookedContext;
use crate::smooth::jet::Jet;
use crate::smooth::jet::kinks::KinkBranch;
use crate::smooth::program::BlockInstruction;

rules! {
    /// The value of an operation; its derivatives stay right (S2, S22).
    Value {
        Negate "negate_value", "-x" => "x";
        Add "add_value", "x + y" => "x - y";
        Subtract "subtract_value", "x - y" => "y - x";
        Multiply "multiply_value", "x · y" => "x + y";
        Divide "divide_value", "x / y" => "y / x";
        Power "power_value", "xⁿ" => "xⁿ⁺¹";
        Root "root_value", "x^(p/q) (S74)" => "x^(q/p)";
        Abs "abs_value", "|x| is -x for x < 0" => "x";
        Signum "signum_value", "sign x is -1 for x < 0" => "1";
        Max "max_value", "max(x, y) is the larger" => "the smaller";
        Min "min_value", "min(x, y) is the smaller" => "the larger";
        Pi "pi_value", "π" => "22/7";
        Euler "euler_value", "e" => "2.71828";
    }
}

rules! {
    /// The derivative of an operation; its value stays right (S18, S20, S21, S23).
    Derivative {
        Negate "negate_derivative", "(-x)′ = -x′" => "x′";
        Add "add_derivative", "(x + y)′ = x′ + y′ (S20)" => "x′";
        Subtract "subtract_derivative", "(x - y)′ = x′ - y′ (S20)" => "x′ + y′";
        Multiply "multiply_derivative", "(x y)′ = x′ y + x y′ (S20)" => "x′ y";
        Divide "divide_derivative", "(x/y)′ = (x′ y - x y′)/y² (S21)" => "(x′ y - x y′)/y";
        DivideSign "divide_derivative_sign", "(x/y)′ = (x′ y - x y′)/y² (S21)" => "(x′ y + x y′)/y²";
        Power "power_derivative", "(xⁿ)′ = n xⁿ⁻¹ x′" => "n xⁿ x′";
        Root "root_derivative", "(xʳ)′ = r xʳ⁻¹ x′ (S74)" => "xʳ⁻¹ x′";
        Abs "abs_derivative", "|x|′ = -x′ for x < 0 (S24)" => "x′";
        Signum "signum_derivative", "(sign x)′ = 0 for x ≠ 0" => "x′";
        Max "max_derivative", "max has the derivative of the larger argument (S23)" => "that of the smaller";
        Min "min_derivative", "min has the derivative of the smaller argument (S24)" => "that of the larger";
    }
}

impl<C: HookedContext> CompletedStep<'_, C> {
    /// Returns the wrong value of the operation of the rule; `None` at another step.
    pub(super) fn wrong_value(&self, rule: Value) -> Option<Jet<C::Num>> {
        let Self { jets, right, .. } = self;
        Some(match *self.step.instruction {
            BlockInstruction::Unary(f, x) => match (rule, f) {
                (Value::Negate, Unary::Negate) | (Value::Abs, Unary::Abs) => self.operand(x).clone(),
                // |sign x| is 1 on both sides of 0
                (Value::Signum, Unary::Signum) => jets.map_coefficients(right, |c| jets.context.abs(c)),
                _ => return None,
            },
            BlockInstruction::Binary(f, x, y) => {
                let (a, b) = (self.operand(x), self.operand(y));
                match (rule, f) {
                    (Value::Add, Binary::Add) => jets.subtract(a, b),
                    (Value::Subtract, Binary::Subtract) => jets.subtract(b, a),
                    (Value::Multiply, Binary::Multiply) => jets.add(a, b),
                    (Value::Divide, Binary::Divide) => jets.divide(b, a),
                    // the branch tells which argument is larger; the other one is taken
                    (Value::Max, Binary::Maximum) | (Value::Min, Binary::Minimum) => match (self.step.branch, f) {
                        (KinkBranch::Left, _) => b.clone(),
                        (KinkBranch::Right, _) => a.clone(),
                        (KinkBranch::Undecided, Binary::Maximum) => jets.undecided_minimum(a, b),
                        (KinkBranch::Undecided, _) => jets.undecided_maximum(a, b),
                    },
                    _ => return None,
                }
            }
            BlockInstruction::Power(x, e) => match (rule, e.denominator) {
                (Value::Power, 1) => jets.multiply(right, self.operand(x)),
                // p/q becomes q/p, with its sign in the numerator
                (Value::Root, q) if q != 1 => {
                    let denominator = u32::try_from(e.numerator.unsigned_abs()).ok()?;
                    jets.power(self.operand(x), i64::from(q) * e.numerator.signum(), denominator)
                }
                _ => return None,
            },
            _ => return None,
        })
    }

    /// Returns a jet with the wrong slope of the operation of the rule; `None` at another step.
    pub(super) fn wrong_derivative(&self, rule: Derivative) -> Option<Jet<C::Num>> {
        let Self { jets, right, .. } = self;
        // the argument with the sign of its derivatives changed
        let backwards = |a: &Jet<C::Num>| jets.subtract(&drop_derivatives(jets, a), &drop_value(jets, a));
        Some(match *self.step.instruction {
            BlockInstruction::Unary(f, x) => match (rule, f) {
                (Derivative::Negate, Unary::Negate) | (Derivative::Signum, Unary::Signum) => self.operand(x).clone(),
                (Derivative::Abs, Unary::Abs) if self.step.branch != KinkBranch::Undecided => self.operand(x).clone(),
                _ => return None,
            },
            BlockInstruction::Binary(f, x, y) => {
                let (a, b) = (self.operand(x), self.operand(y));
                match (rule, f) {
                    // `drop_derivatives` drops the derivatives of one argument, and with them one term of the rule
                    (Derivative::Add, Binary::Add) => jets.add(a, &drop_derivatives(jets, b)),
                    (Derivative::Subtract, Binary::Subtract) => jets.add(a, b),
                    (Derivative::Multiply, Binary::Multiply) => jets.multiply(a, &drop_derivatives(jets, b)),
                    (Derivative::Divide, Binary::Divide) => jets.multiply(right, &drop_derivatives(jets, b)),
                    (Derivative::DivideSign, Binary::Divide) => jets.divide(a, &backwards(b)),
                    (Derivative::Max, Binary::Maximum) | (Derivative::Min, Binary::Minimum) => match self.step.branch {
                        KinkBranch::Left => b.clone(),
                        KinkBranch::Right => a.clone(),
                        // at a tie no argument is larger: the mutants of kinks change that case
                        KinkBranch::Undecided => return None,
                    },
                    _ => return None,
                }
            }
            BlockInstruction::Power(x, e) => match (rule, e.denominator) {
                (Derivative::Power, 1) => jets.multiply(right, &drop_derivatives(jets, self.operand(x))),
                (Derivative::Root, q) if q != 1 => {
                    // the right derivative divided by the exponent p/q
                    let inverse = |c: &C::Num| {
                        jets.context.div_integer(&jets.context.mul_integer(c, i64::from(q)), e.numerator.unsigned_abs())
                    };
                    let scaled = jets.map_coefficients(right, inverse);
                    if e.numerator < 0 { jets.negate(&scaled) } else { scaled }
                }
                _ => return None,
            },
            _ => return None,
        })
    }
}
