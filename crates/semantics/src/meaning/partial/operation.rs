//! Operations on jets (A §4): smooth on an open set and undefined everywhere else, including the edges.
//!
//! | operation | defined for | although |
//! |---|---|---|
//! | `x / y` | y ≠ 0 | |
//! | `x ^ q`, q a natural number as it is written | all x | |
//! | `x ^ q`, q another fraction as it is written | x > 0, or x ≠ 0 where the denominator is odd | q > 0 has a value at 0 |
//! | `x ^ y` | x > 0 | |
//! | `abs x`, `signum x` | x ≠ 0 | they have values at 0 |
//! | `max x y`, `min x y` | x ≠ y | they have values there |
//! | `sqrt`, `cbrt`, `asin`, … | the interior of the domain, without 0 for roots | they have values at the edge |
//! | `atan2 y x` | off the ray y = 0, x ≤ 0 | it has values on the ray |
//!
//! Only exact numbers tell a point on an edge from one beside it. If an enclosure meets an edge, the operation is undecided, and
//! is repeated at a higher precision.

use super::{Element, Partial};
use crate::function::{Course, Domain, Edge, Surface};
use crate::model::universe::Arithmetic;
use crate::number::context::{Context, Function, Planar, Sign};
use crate::number::{Rational, work};
use crate::smooth::algebra::Algebra;
use crate::smooth::graph::LARGEST_EXPONENT;
use crate::smooth::jet::{Jet, Jets};
use crate::syntax::constant::Constant;
use crate::value::{Cause, Undefined, ValueError};
use std::cmp::Ordering;

/// The side of a number on which an argument must lie; [`Ordering::Equal`] stands for either side.
type Side = Ordering;

impl<C: Context> Partial<C> {
    /// Compares two numbers.
    ///
    /// # Errors
    /// If undecided: the exponent of a power of 2 that bounds their difference, if it is finite.
    pub(super) fn compared(&self, a: &C::Num, b: &C::Num) -> Result<Ordering, Option<i64>> {
        let c = &self.context;
        let difference = c.sub(a, b);
        match c.sign(&difference) {
            Sign::Positive => Ok(Ordering::Greater),
            Sign::Negative => Ok(Ordering::Less),
            // equality is certain only between points whose difference is exact
            Sign::Undecided if [a, b, &difference].iter().all(|x| c.is_point(x)) => Ok(Ordering::Equal),
            Sign::Undecided => {
                let magnitude = c.magnitude(&difference);
                Err(magnitude.is_finite().then(|| magnitude.log2()))
            }
        }
    }

    /// Returns the error of an undecided operation, with the precision and the agreement of both sides.
    pub(super) fn undecided(&self, operation: &str, agreement: Option<i64>) -> ValueError {
        // cut short numbers may be undecided only because time ran out: report that instead
        if self.budget.is_cut() {
            return self.out_of_time();
        }
        let bits = Some(self.context.precision());
        ValueError::undefined(Undefined { agreement, bits, ..Undefined::of(Cause::Undecided, operation) })
    }

    /// Fails unless `x` is certainly on a side of `edge`. If `closed`, other semantics have a value at the edge itself.
    fn demand(&self, operation: &str, x: &C::Num, side: Side, edge: &C::Num, closed: bool) -> Result<(), ValueError> {
        match self.compared(x, edge) {
            Ok(Ordering::Equal) if closed && self.hooks.closes_domains() => Ok(()),
            Ok(Ordering::Equal) => {
                let cause = if closed { Cause::Boundary } else { Cause::Domain };
                Err(ValueError::undefined(Undefined::of(cause, operation)))
            }
            Ok(found) if side == Ordering::Equal || found == side => Ok(()),
            Ok(_) => Err(ValueError::undefined(Undefined::of(Cause::Domain, operation))),
            Err(agreement) => Err(self.undecided(operation, agreement)),
        }
    }

    /// Fails unless `x` is certainly in the interior of the domain of an elementary function.
    fn demand_function(&self, f: Function, x: &C::Num) -> Result<(), ValueError> {
        let at =
            |edge: i8, side: Side, closed| self.demand(f.name(), x, side, &self.context.integer(edge.into()), closed);
        let Domain { left, right } = f.row().domain;
        for (end, side) in [(left, Ordering::Greater), (right, Ordering::Less)] {
            match end {
                Edge::None => {}
                Edge::Closed(edge) => at(edge, side, true)?,
                Edge::Open(edge) => at(edge, side, false)?,
            }
        }
        match f.row().course {
            // a root has no slope at 0
            Course::Root(_) => at(0, Ordering::Equal, true),
            Course::RisingBranches | Course::ConvexBranches if self.is_pole(x) => {
                Err(ValueError::undefined(Undefined::of(Cause::Domain, f.name())))
            }
            _ => Ok(()),
        }
    }

    /// Returns `true` if a number is certainly a pole of log Γ: 0, -1, -2, …
    fn is_pole(&self, x: &C::Num) -> bool {
        let x = self.context.to_enclosure(x);
        x.is_point() && x.lo().is_integer() && *x.lo() <= 0
    }

    /// Fails unless (y, x) is certainly a point where a function of two variables is smooth.
    fn demand_planar(&self, f: Planar, y: &C::Num, x: &C::Num) -> Result<(), ValueError> {
        let c = &self.context;
        // the test by enclosures; the comparisons below only explain its failure
        if c.is_smooth(f, y, x) {
            return Ok(());
        }
        let sign = |n: &C::Num| self.compared(n, &c.integer(0)).ok();
        let cause = match (f.row().surface, sign(y), sign(x)) {
            (Surface::Angle, Some(Ordering::Equal), Some(Ordering::Equal)) => Cause::Domain,
            (Surface::Angle, Some(Ordering::Equal), Some(Ordering::Less)) => Cause::Boundary,
            (Surface::Angle, ..) => return Err(self.undecided(f.name(), None)),
        };
        Err(ValueError::undefined(Undefined::of(cause, f.name())))
    }

    /// Orders two numbers. Fails if they are equal, or not certainly different.
    fn apart(&self, operation: &str, a: &C::Num, b: &C::Num) -> Result<Ordering, ValueError> {
        match self.compared(a, b) {
            Ok(Ordering::Equal) if !self.hooks.closes_domains() => {
                Err(ValueError::undefined(Undefined::of(Cause::Boundary, operation)))
            }
            Ok(order) => Ok(order),
            Err(agreement) => Err(self.undecided(operation, agreement)),
        }
    }

    /// Returns `x ^ q` for a literal exponent.
    ///
    /// # Errors
    /// [`ValueError::Undefined`]
    pub(super) fn power(&self, x: &Element<C::Num>, q: &Rational) -> Result<Element<C::Num>, ValueError> {
        let small = |n: u64| n <= LARGEST_EXPONENT;
        let p = q.numer().to_i64().filter(|p| small(p.unsigned_abs()));
        let root = q.denom().to_u32().filter(|n| small(u64::from(*n)));
        let (Some(p), Some(root)) = (p, root) else {
            // beyond the rational powers of the jets only exp(q·log x) is left, for certainly positive x
            if self.compared(&x.value(&self.context), &self.context.integer(0)) == Ok(Ordering::Greater) {
                return self.real(Constant::Power, &[x, &self.rational(q)]);
            }
            let construct = format!("powers beyond {LARGEST_EXPONENT} of what is not certainly positive");
            return Err(ValueError::Lacks { model: super::NAME, construct });
        };
        // p > 0: the edge 0 has a value (a root), so it is a boundary; p < 0: it is outside the domain
        if root > 1 || p < 0 {
            let side = if root.is_multiple_of(2) { Ordering::Greater } else { Ordering::Equal };
            self.demand("^", &x.value(&self.context), side, &self.context.integer(0), p > 0)?;
        }
        let limbs = work::limbs(self.context.precision());
        let units = work::power(limbs, p.unsigned_abs()).saturating_add(work::root(limbs, root));
        self.computed("^", units, &[x], |jets| jets.power(x.jet(), p, root))
    }

    /// Computes an operation that is defined at its arguments, at the cost of `units` work units.
    fn computed(
        &self,
        operation: &str,
        units: u64,
        arguments: &[&Element<C::Num>],
        compute: impl FnOnce(&Jets<'_, C>) -> Jet<C::Num>,
    ) -> Result<Element<C::Num>, ValueError> {
        if !self.budget.spend(units) {
            return Err(self.out_of_time());
        }
        // constants have no derivatives: the algebra ℝ saves the work of all directions
        let are_numbers = arguments.iter().all(|x| x.jet().number().is_some());
        let algebra = if are_numbers { Algebra::real() } else { self.algebra() };
        let jets = Jets { context: &self.context, algebra: &algebra, budget: Some(&self.budget) };
        let jet = compute(&jets);
        // an undefined coefficient means that the precision does not suffice near an edge
        if jet.coefficients().flatten().all(|c| self.context.is_defined(c)) {
            return Ok(Element::new(jet));
        }
        Err(self.undecided(operation, None))
    }
}

impl<C: Context> Arithmetic for Partial<C> {
    type Real = Element<C::Num>;

    fn rational(&self, value: &Rational) -> Element<C::Num> {
        Element::new(Jet::constant(self.context.rational(value)))
    }

    fn literal_power(&self, x: &Self::Real, exponent: &Rational) -> Result<Self::Real, ValueError> {
        self.power(x, exponent)
    }

    fn compare(&self, constant: Constant, x: &Self::Real, y: &Self::Real) -> Result<bool, ValueError> {
        let [less, greater] = match constant {
            // strict and non-strict comparisons agree off the diagonal, and on it neither is defined
            Constant::RealLess | Constant::RealLessEqual => [true, false],
            Constant::RealEqual => [false; 2],
            Constant::RealNotEqual => [true; 2],
            _ => [false, true],
        };
        let sign = constant.operator().unwrap_or(constant.name());
        match self.compared(&x.value(&self.context), &y.value(&self.context)) {
            Ok(Ordering::Less) => Ok(less),
            Ok(Ordering::Greater) => Ok(greater),
            Ok(Ordering::Equal) => {
                let none = || ValueError::undefined(Undefined::of(Cause::Boundary, sign));
                self.hooks.on_the_diagonal().ok_or_else(none)
            }
            Err(agreement) => Err(self.undecided(sign, agreement)),
        }
    }

    fn real(&self, constant: Constant, arguments: &[&Self::Real]) -> Result<Self::Real, ValueError> {
        let c = &self.context;
        let value = |x: &Self::Real| x.value(c);
        let limbs = work::limbs(c.precision());
        let name = constant.operator().unwrap_or(constant.name());
        let computed =
            |units: u64, compute: &dyn Fn(&Jets<'_, C>) -> Jet<C::Num>| self.computed(name, units, arguments, compute);
        match (constant, arguments) {
            (Constant::Pi, []) => computed(limbs, &|_| Jet::constant(c.pi())),
            (Constant::E, []) => computed(limbs, &|_| Jet::constant(c.euler())),
            (Constant::Negate, [x]) => computed(limbs, &|jets| jets.negate(x.jet())),
            (Constant::Add, [x, y]) => computed(limbs, &|jets| jets.add(x.jet(), y.jet())),
            (Constant::Subtract, [x, y]) => computed(limbs, &|jets| jets.subtract(x.jet(), y.jet())),
            (Constant::Multiply, [x, y]) => computed(2 * work::product(limbs), &|jets| jets.multiply(x.jet(), y.jet())),
            (Constant::Divide, [x, y]) => {
                self.demand(name, &value(y), Ordering::Equal, &c.integer(0), false)?;
                computed(2 * work::quotient(limbs), &|jets| jets.divide(x.jet(), y.jet()))
            }
            (Constant::Power | Constant::RealPower, [x, y]) => {
                self.demand(name, &value(x), Ordering::Greater, &c.integer(0), false)?;
                let logarithm = self.real(Function::Log.into(), &[x])?;
                self.real(Function::Exp.into(), &[&self.real(Constant::Multiply, &[y, &logarithm])?])
            }
            (Constant::Abs, [x]) => match self.apart(name, &value(x), &c.integer(0))? {
                Ordering::Less => computed(limbs, &|jets| jets.negate(x.jet())),
                _ => Ok((*x).clone()),
            },
            (Constant::Signum, [x]) => {
                let order = self.apart(name, &value(x), &c.integer(0))?;
                Ok(self.rational(&Rational::from(order as i8)))
            }
            (Constant::Max | Constant::Min, [x, y]) => {
                let order = self.apart(name, &value(x), &value(y))?;
                Ok(if (order == Ordering::Greater) == (constant == Constant::Max) { *x } else { *y }.clone())
            }
            (Constant::Elementary(f), [x]) => {
                let at = value(x);
                self.demand_function(f, &at)?;
                let size = c.magnitude(&at);
                let units = work::function(f, limbs, if size.is_finite() { size.log2() } else { 0 });
                computed(units, &|jets| jets.function(f, x.jet()))
            }
            (Constant::Planar(f), [y, x]) => {
                self.demand_planar(f, &value(y), &value(x))?;
                computed(work::planar(limbs), &|jets| jets.planar(f, y.jet(), x.jet()))
            }
            _ => self.missing(constant),
        }
    }
}
