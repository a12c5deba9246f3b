//! Mutants of the operations: each has a value and a slope that may be wrong.

use super::step::{Done, moving, still};
use crate::smooth::graph::{Binary, Unary};
use crate::smooth::hooks::Hooked;
use crate::smooth::jet::Jet;
use crate::smooth::jet::kinks::Branch;
use crate::smooth::program::Instruction;

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

impl<C: Hooked> Done<'_, C> {
    /// Returns the wrong value of the operation of the rule; `None` at another step.
    pub(super) fn value(&self, rule: Value) -> Option<Jet<C::Num>> {
        let Self { jets, right, .. } = self;
        Some(match *self.step.instruction {
            Instruction::Unary(f, x) => match (rule, f) {
                (Value::Negate, Unary::Negate) | (Value::Abs, Unary::Abs) => self.operand(x).clone(),
                // |sign x| is 1 on both sides of 0
                (Value::Signum, Unary::Signum) => jets.map(right, |c| jets.context.abs(c)),
                _ => return None,
            },
            Instruction::Binary(f, x, y) => {
                let (a, b) = (self.operand(x), self.operand(y));
                match (rule, f) {
                    (Value::Add, Binary::Add) => jets.subtract(a, b),
                    (Value::Subtract, Binary::Subtract) => jets.subtract(b, a),
                    (Value::Multiply, Binary::Multiply) => jets.add(a, b),
                    (Value::Divide, Binary::Divide) => jets.divide(b, a),
                    // the branch tells which argument is larger; the other one is taken
                    (Value::Max, Binary::Maximum) | (Value::Min, Binary::Minimum) => match (self.step.branch, f) {
                        (Branch::Left, _) => b.clone(),
                        (Branch::Right, _) => a.clone(),
                        (Branch::Undecided, Binary::Maximum) => jets.undecided_minimum(a, b),
                        (Branch::Undecided, _) => jets.undecided_maximum(a, b),
                    },
                    _ => return None,
                }
            }
            Instruction::Power(x, e) => match (rule, e.denominator) {
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
    pub(super) fn derivative(&self, rule: Derivative) -> Option<Jet<C::Num>> {
        let Self { jets, right, .. } = self;
        // the argument with the sign of its derivatives changed
        let backwards = |a: &Jet<C::Num>| jets.subtract(&still(jets, a), &moving(jets, a));
        Some(match *self.step.instruction {
            Instruction::Unary(f, x) => match (rule, f) {
                (Derivative::Negate, Unary::Negate) | (Derivative::Signum, Unary::Signum) => self.operand(x).clone(),
                (Derivative::Abs, Unary::Abs) if self.step.branch != Branch::Undecided => self.operand(x).clone(),
                _ => return None,
            },
            Instruction::Binary(f, x, y) => {
                let (a, b) = (self.operand(x), self.operand(y));
                match (rule, f) {
                    // `still` drops the derivatives of one argument, and with them one term of the rule
                    (Derivative::Add, Binary::Add) => jets.add(a, &still(jets, b)),
                    (Derivative::Subtract, Binary::Subtract) => jets.add(a, b),
                    (Derivative::Multiply, Binary::Multiply) => jets.multiply(a, &still(jets, b)),
                    (Derivative::Divide, Binary::Divide) => jets.multiply(right, &still(jets, b)),
                    (Derivative::DivideSign, Binary::Divide) => jets.divide(a, &backwards(b)),
                    (Derivative::Max, Binary::Maximum) | (Derivative::Min, Binary::Minimum) => match self.step.branch {
                        Branch::Left => b.clone(),
                        Branch::Right => a.clone(),
                        // at a tie no argument is larger: the mutants of kinks change that case
                        Branch::Undecided => return None,
                    },
                    _ => return None,
                }
            }
            Instruction::Power(x, e) => match (rule, e.denominator) {
                (Derivative::Power, 1) => jets.multiply(right, &still(jets, self.operand(x))),
                (Derivative::Root, q) if q != 1 => {
                    // the right derivative divided by the exponent p/q
                    let inverse = |c: &C::Num| {
                        jets.context.divide(&jets.context.scale(c, i64::from(q)), e.numerator.unsigned_abs())
                    };
                    let scaled = jets.map(right, inverse);
                    if e.numerator < 0 { jets.negate(&scaled) } else { scaled }
                }
                _ => return None,
            },
            _ => return None,
        })
    }
}
