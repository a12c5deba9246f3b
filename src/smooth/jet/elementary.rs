//! Elementary functions of jets, one recurrence each.

use super::{Jet, Jets};
use crate::number::context::{Context, Function};

impl<C: Context> Jets<'_, C> {
    /// An elementary function of a jet.
    #[must_use]
    pub fn function(&self, f: Function, a: &Jet<C::Num>) -> Jet<C::Num> {
        let value = self.context.function(f, &self.value(a));
        if a.is_constant() {
            return Jet::constant(value);
        }
        let one = || Jet::constant(self.context.integer(1));
        let y = match f {
            Function::Exp => self.exponential(a, value),
            Function::Sin => self.sine_and_cosine(a, true).0,
            Function::Cos => self.sine_and_cosine(a, true).1,
            Function::Sinh => self.sine_and_cosine(a, false).0,
            Function::Cosh => self.sine_and_cosine(a, false).1,
            Function::Tan => self.tangent(a, value, true),
            Function::Tanh => self.tangent(a, value, false),
            Function::Sqrt => self.square_root(a, value),
            Function::Cbrt => self.power_beyond(a, value, 1, 3),
            Function::Log => self.antiderivative(a, &self.reciprocal(a), value),
            Function::Atan => {
                let slope = self.reciprocal(&self.add(&one(), &self.square(a)));
                self.antiderivative(a, &slope, value)
            }
            Function::Atanh => {
                let slope = self.reciprocal(&self.subtract(&one(), &self.square(a)));
                self.antiderivative(a, &slope, value)
            }
            Function::Asin | Function::Acos => {
                let root = self.function(Function::Sqrt, &self.subtract(&one(), &self.square(a)));
                let slope = self.reciprocal(&root);
                let slope = if f == Function::Acos { self.negate(&slope) } else { slope };
                self.antiderivative(a, &slope, value)
            }
            Function::Asinh => {
                let root = self.function(Function::Sqrt, &self.add(&one(), &self.square(a)));
                self.antiderivative(a, &self.reciprocal(&root), value)
            }
            Function::Acosh => {
                let root = self.function(Function::Sqrt, &self.subtract(&self.square(a), &one()));
                self.antiderivative(a, &self.reciprocal(&root), value)
            }
        };
        self.defined_as_its_value(y)
    }

    /// The y with E y = slope · E a and the given value.
    pub(in crate::smooth) fn antiderivative(&self, a: &Jet<C::Num>, slope: &Jet<C::Num>, value: C::Num) -> Jet<C::Num> {
        let mut y = Jet::constant(value);
        for monomial in 1..self.algebra.len() {
            y.set(monomial, self.euler_coefficient(a, slope, monomial));
        }
        y
    }

    /// The coefficient of E⁻¹(z·E a): `(1/|γ|) Σ |α| a_α z_β` over α + β = γ, α ≠ 0.
    fn euler_coefficient(&self, a: &Jet<C::Num>, z: &Jet<C::Num>, monomial: usize) -> Option<C::Num> {
        if self.is_cut_short(monomial) {
            return Some(self.context.bottom());
        }
        let mut sum: Option<C::Num> = None;
        for t in self.algebra.products(monomial) {
            let left = t.left as usize;
            if left == 0 {
                continue;
            }
            if let (Some(x), Some(y)) = (a.get(left), z.get(t.right as usize)) {
                let degree = i64::from(self.algebra.degree(left));
                let scaled;
                let x = if degree == 1 {
                    x
                } else {
                    scaled = self.context.scale(x, degree);
                    &scaled
                };
                self.accumulate(&mut sum, x, y);
            }
        }
        let degree = u64::from(self.algebra.degree(monomial));
        sum.map(|s| if degree == 1 { s } else { self.context.divide(&s, degree) })
    }

    fn exponential(&self, a: &Jet<C::Num>, value: C::Num) -> Jet<C::Num> {
        let mut y = Jet::constant(value);
        for monomial in 1..self.algebra.len() {
            let c = self.euler_coefficient(a, &y, monomial);
            y.set(monomial, c);
        }
        y
    }

    /// (sin, cos), or (sinh, cosh).
    fn sine_and_cosine(&self, a: &Jet<C::Num>, circular: bool) -> (Jet<C::Num>, Jet<C::Num>) {
        let x = self.value(a);
        let pair = if circular { (Function::Sin, Function::Cos) } else { (Function::Sinh, Function::Cosh) };
        let mut s = Jet::constant(self.context.function(pair.0, &x));
        let mut c = Jet::constant(self.context.function(pair.1, &x));
        for monomial in 1..self.algebra.len() {
            let from_c = self.euler_coefficient(a, &c, monomial);
            let from_s = self.euler_coefficient(a, &s, monomial);
            s.set(monomial, from_c);
            c.set(monomial, if circular { from_s.map(|v| self.context.neg(&v)) } else { from_s });
        }
        (s, c)
    }

    /// y′ = 1 + y², or 1 - y².
    fn tangent(&self, a: &Jet<C::Num>, value: C::Num, circular: bool) -> Jet<C::Num> {
        let sign = |v: C::Num| if circular { v } else { self.context.neg(&v) };
        let one = self.context.integer(1);
        let mut slope = Jet::constant(self.context.add(&one, &sign(self.context.square(&value))));
        let mut y = Jet::constant(value);
        for monomial in 1..self.algebra.len() {
            let c = self.euler_coefficient(a, &slope, monomial);
            y.set(monomial, c);
            let square = self.product(&y, &y, monomial);
            slope.set(monomial, square.map(sign));
        }
        y
    }

    fn square_root(&self, a: &Jet<C::Num>, value: C::Num) -> Jet<C::Num> {
        let twice = self.context.scale(&value, 2);
        let mut y = Jet::constant(value);
        for monomial in 1..self.algebra.len() {
            if self.is_cut_short(monomial) {
                y.set(monomial, Some(self.context.bottom()));
                continue;
            }
            let rest = self.residual(a, &y, &y, monomial);
            y.set(monomial, rest.map(|r| self.context.div(&r, &twice)));
        }
        y
    }
}
