//! The operations, and what they are at a point, by MPFR at 300 bits.
use rug::Float;
use rug::float::{Constant, Round};
use rug::ops::{AssignRound, Pow};
use smoothish::number::{Context, Function, Planar};
use std::cmp::Ordering;

/// An operation of [`Context`].
#[derive(Clone, Copy, Debug)]
pub enum Operation {
    Add,
    Sub,
    Mul,
    MulAdd,
    Div,
    Neg,
    Scale(i64),
    Divide(u64),
    Square,
    Power(u32),
    Root(u32),
    Abs,
    Max,
    Min,
    Signum,
    Of(Function),
    OfTwo(Planar),
}

/// Bounds of an exact value, at most one place of 300 bits apart.
pub type Bounds = (Float, Float);

fn bounds<V>(value: V) -> Bounds
where
    Float: AssignRound<V, Round = Round, Ordering = Ordering>,
{
    let (lo, order) = Float::with_val_round(300, value, Round::Down);
    let mut hi = lo.clone();
    if order != Ordering::Equal {
        hi.next_up();
    }
    (lo, hi)
}

impl Operation {
    /// The number of arguments.
    pub fn arity(self) -> usize {
        match self {
            Operation::Add | Operation::Sub | Operation::Mul => 2,
            Operation::Div | Operation::Max | Operation::Min | Operation::OfTwo(_) => 2,
            Operation::MulAdd => 3,
            _ => 1,
        }
    }

    /// Whether there are numbers outside the domain, for which the result is the whole line.
    pub fn has_domain(self) -> bool {
        use Function::{Acos, Acosh, Asin, Atanh, Log, Log1p, Sqrt};
        matches!(self, Operation::Root(n) if n % 2 == 0)
            || matches!(self, Operation::OfTwo(_))
            || matches!(self, Operation::Of(Log | Log1p | Sqrt | Asin | Acos | Acosh | Atanh))
    }

    /// Whether the result is rounded correctly, so that it is exactly the value where that is representable.
    pub fn is_exact_on_dyadics(self) -> bool {
        !matches!(self, Operation::Of(_) | Operation::OfTwo(_) | Operation::Signum | Operation::MulAdd)
            || matches!(self, Operation::Of(Function::Sqrt | Function::Cbrt))
    }

    /// Whether the ends are the exact ones, rounded correctly.
    pub fn is_rounded_correctly(self) -> bool {
        self.is_exact_on_dyadics()
            && !matches!(self, Operation::Power(3..) | Operation::Root(3..))
            && !matches!(self, Operation::Of(Function::Cbrt))
    }

    /// The operation in a context.
    pub fn apply<C: Context>(self, c: &C, x: &[C::Num]) -> C::Num {
        match self {
            Operation::Add => c.add(&x[0], &x[1]),
            Operation::Sub => c.sub(&x[0], &x[1]),
            Operation::Mul => c.mul(&x[0], &x[1]),
            Operation::MulAdd => {
                let mut acc = x[2].clone();
                c.mul_add(&mut acc, &x[0], &x[1]);
                acc
            }
            Operation::Div => c.div(&x[0], &x[1]),
            Operation::Neg => c.neg(&x[0]),
            Operation::Scale(n) => c.mul_integer(&x[0], n),
            Operation::Divide(n) => c.div_integer(&x[0], n),
            Operation::Square => c.square(&x[0]),
            Operation::Power(n) => c.power(&x[0], n),
            Operation::Root(n) => c.root(&x[0], n),
            Operation::Abs => c.abs(&x[0]),
            Operation::Max => c.max(&x[0], &x[1]),
            Operation::Min => c.min(&x[0], &x[1]),
            Operation::Signum => c.signum(&x[0]),
            Operation::Of(f) => c.apply_function(f, &x[0]),
            Operation::OfTwo(f) => c.apply_binary_function(f, &x[0], &x[1]),
        }
    }

    /// The exact value at a point; `None` outside the domain.
    pub fn at(self, p: &[Float]) -> Option<Bounds> {
        let x = &p[0];
        Some(match self {
            Operation::Add => bounds(x + &p[1]),
            Operation::Sub => bounds(x - &p[1]),
            Operation::Mul => bounds(x * &p[1]),
            Operation::MulAdd => bounds(x.mul_add_ref(&p[1], &p[2])),
            Operation::Div if p[1].is_zero() => return None,
            Operation::Div => bounds(x / &p[1]),
            Operation::Neg => bounds(-x),
            Operation::Scale(n) => bounds(x * n),
            Operation::Divide(n) => bounds(x / n),
            Operation::Square => bounds(x.square_ref()),
            Operation::Power(n) => bounds(x.pow(n)),
            Operation::Root(n) if n % 2 == 0 && *x < 0 => return None,
            Operation::Root(n) => bounds(x.root_ref(n)),
            Operation::Abs => bounds(x.abs_ref()),
            Operation::Max => bounds(x.max_ref(&p[1])),
            Operation::Min => bounds(x.min_ref(&p[1])),
            Operation::Signum => bounds(x.signum_ref()),
            Operation::Of(f) => return function(f, x),
            Operation::OfTwo(f) => return planar(f, x, &p[1]),
        })
    }
}

fn planar(f: Planar, y: &Float, x: &Float) -> Option<Bounds> {
    match f {
        Planar::Atan2 if y.is_zero() && x.is_zero() => None,
        Planar::Atan2 if y.is_zero() && *x < 0 => {
            let turn = bounds(Constant::Pi).1;
            Some((-turn.clone(), turn))
        }
        Planar::Atan2 => Some(bounds(y.atan2_ref(x))),
    }
}

fn function(f: Function, x: &Float) -> Option<Bounds> {
    let inside = match f {
        Function::Log => *x > 0,
        Function::Log1p => *x > -1,
        Function::Sqrt => *x >= 0,
        Function::Asin | Function::Acos => *x >= -1 && *x <= 1,
        Function::Acosh => *x >= 1,
        Function::Atanh => *x > -1 && *x < 1,
        _ => true,
    };
    inside.then(|| match f {
        Function::Exp => bounds(x.exp_ref()),
        Function::Log => bounds(x.ln_ref()),
        Function::Sin => bounds(x.sin_ref()),
        Function::Cos => bounds(x.cos_ref()),
        Function::Tan => bounds(x.tan_ref()),
        Function::Asin => bounds(x.asin_ref()),
        Function::Acos => bounds(x.acos_ref()),
        Function::Atan => bounds(x.atan_ref()),
        Function::Sinh => bounds(x.sinh_ref()),
        Function::Cosh => bounds(x.cosh_ref()),
        Function::Tanh => bounds(x.tanh_ref()),
        Function::Asinh => bounds(x.asinh_ref()),
        Function::Acosh => bounds(x.acosh_ref()),
        Function::Atanh => bounds(x.atanh_ref()),
        Function::Sqrt => bounds(x.sqrt_ref()),
        Function::Cbrt => bounds(x.cbrt_ref()),
        Function::Log1p => bounds(x.ln_1p_ref()),
        Function::Expm1 => bounds(x.exp_m1_ref()),
        Function::Erfc => bounds(x.erfc_ref()),
        Function::Erf => bounds(x.erf_ref()),
        Function::Special(..) => {
            unreachable!("tried in tests/analysis/gamma.rs and tests/analysis/bessel.rs")
        }
    })
}
