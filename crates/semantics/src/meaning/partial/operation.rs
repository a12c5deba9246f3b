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

use super::{JetElement, PartialUniverse};
use crate::function::{BinaryShape, Domain, DomainEnd, Monotonicity};
use crate::model::universe::RealArithmetic;
use crate::number::context::{Context, Function, Planar, Sign};
use crate::number::{Rational, work};
use crate::smooth::algebra::Algebra;
use crate::smooth::graph::LARGEST_EXPONENT;
use crate::smooth::jet::{Jet, JetArithmetic};
use crate::syntax::constant::Constant;
use crate::value::{UndefinedCause, UndefinedValue, ValueError};
use std::cmp::Ordering;

/// The side of a number on which an argument must lie; [`Ordering::Equal`] stands for either side.
type RequiredSide = Ordering;

impl<C: Context> PartialUniverse<C> {
    /// Compares two numbers.
    ///
    /// # Errors
    /// If undecided: the exponent of a power of 2 that bounds their difference, if it is finite.
    pub(super) fn compare_numbers(&self, a: &C::Num, b: &C::Num) -> Result<Ordering, Option<i64>> {
        let c = &self.context;
        let difference = c.sub(a, b);
        match c.sign(&difference) {
            Sign::Positive => Ok(Ordering::Greater),
            Sign::Negative => Ok(Ordering::Less),
            // equality is certain only between points whose difference is exact
            Sign::Undecided if [a, b, &difference].iter().all(|x| c.is_point(x)) => Ok(Ordering::Equal),
            Sign::Undecided => {
                let magnitude = c.magnitude(&difference);
                Err(magnitude.is_finite().then(|| magnitude.floor_log2()))
            }
        }
    }

    /// Returns the error of an undecided operation, with the precision and the agreement of both sides.
    pub(super) fn undecided_error(&self, operation: &str, agreement: Option<i64>) -> ValueError {
        // cut short numbers may be undecided only because time ran out: report that instead
        if self.budget.was_exhausted() {
            return self.out_of_budget_error();
        }
        let bits = Some(self.context.precision());
        ValueError::from_undefined(UndefinedValue {
            agreement,
            bits,
            ..UndefinedValue::of_operation(UndefinedCause::Undecided, operation)
        })
    }

    /// Fails unless `x` is certainly on a side of `edge`. If `closed`, other semantics have a value at the edge itself.
    fn require_side(
        &self,
        operation: &str,
        x: &C::Num,
        side: RequiredSide,
        edge: &C::Num,
        closed: bool,
    ) -> Result<(), ValueError> {
        match self.compare_numbers(x, edge) {
            Ok(Ordering::Equal) if closed && self.hooks.closes_domains() => Ok(()),
            Ok(Ordering::Equal) => {
                let cause = if closed { UndefinedCause::Boundary } else { UndefinedCause::Domain };
                Err(ValueError::from_undefined(UndefinedValue::of_operation(cause, operation)))
            }
            Ok(found) if side == Ordering::Equal || found == side => Ok(()),
            Ok(_) => Err(ValueError::from_undefined(UndefinedValue::of_operation(UndefinedCause::Domain, operation))),
            Err(agreement) => Err(self.undecided_error(operation, agreement)),
        }
    }

    /// Fails unless `x` is certainly in the interior of the domain of an elementary function.
    fn require_interior(&self, f: Function, x: &C::Num) -> Result<(), ValueError> {
        let at = |edge: i8, side: RequiredSide, closed| {
            self.require_side(f.name(), x, side, &self.context.enclose_integer(edge.into()), closed)
        };
        let Domain { left, right } = f.row().domain;
        for (end, side) in [(left, Ordering::Greater), (right, Ordering::Less)] {
            match end {
                DomainEnd::None => {}
                DomainEnd::Closed(edge) => at(edge, side, true)?,
                DomainEnd::Open(edge) => at(edge, side, false)?,
            }
        }
        match f.row().monotonicity {
            // a root has no slope at 0
            Monotonicity::Root(_) => at(0, Ordering::Equal, true),
            Monotonicity::IncreasingBranches | Monotonicity::ConvexBranches if self.is_pole(x) => {
                Err(ValueError::from_undefined(UndefinedValue::of_operation(UndefinedCause::Domain, f.name())))
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
    fn require_smooth_planar(&self, f: Planar, y: &C::Num, x: &C::Num) -> Result<(), ValueError> {
        let c = &self.context;
        // the test by enclosures; the comparisons below only explain its failure
        if c.is_smooth_near(f, y, x) {
            return Ok(());
        }
        let sign = |n: &C::Num| self.compare_numbers(n, &c.enclose_integer(0)).ok();
        let cause = match (f.row().shape, sign(y), sign(x)) {
            (BinaryShape::Angle, Some(Ordering::Equal), Some(Ordering::Equal)) => UndefinedCause::Domain,
            (BinaryShape::Angle, Some(Ordering::Equal), Some(Ordering::Less)) => UndefinedCause::Boundary,
            (BinaryShape::Angle, ..) => return Err(self.undecided_error(f.name(), None)),
        };
        Err(ValueError::from_undefined(UndefinedValue::of_operation(cause, f.name())))
    }

    /// Orders two numbers. Fails if they are equal, or not certainly different.
    fn order_of_distinct(&self, operation: &str, a: &C::Num, b: &C::Num) -> Result<Ordering, ValueError> {
        match self.compare_numbers(a, b) {
            Ok(Ordering::Equal) if !self.hooks.closes_domains() => {
                Err(ValueError::from_undefined(UndefinedValue::of_operation(UndefinedCause::Boundary, operation)))
            }
            Ok(order) => Ok(order),
            Err(agreement) => Err(self.undecided_error(operation, agreement)),
        }
    }

    /// Returns `x ^ q` for a literal exponent.
    ///
    /// # Errors
    /// [`ValueError::Undefined`]
    pub(super) fn literal_power_of(
        &self,
        x: &JetElement<C::Num>,
        q: &Rational,
    ) -> Result<JetElement<C::Num>, ValueError> {
        let small = |n: u64| n <= LARGEST_EXPONENT;
        let p = q.numer().to_i64().filter(|p| small(p.unsigned_abs()));
        let root = q.denom().to_u32().filter(|n| small(u64::from(*n)));
        let (Some(p), Some(root)) = (p, root) else {
            // beyond the rational powers of the jets only exp(q·log x) is left, for certainly positive x
            if self.compare_numbers(&x.value_in(&self.context), &self.context.enclose_integer(0))
                == Ok(Ordering::Greater)
            {
                return self.apply_real_constant(Constant::Power, &[x, &self.rational_constant(q)]);
            }
            let construct = format!("powers beyond {LARGEST_EXPONENT} of what is not certainly positive");
            return Err(ValueError::Unsupported { model: super::NAME, construct });
        };
        // p > 0: the edge 0 has a value (a root), so it is a boundary; p < 0: it is outside the domain
        if root > 1 || p < 0 {
            let side = if root.is_multiple_of(2) { Ordering::Greater } else { Ordering::Equal };
            self.require_side("^", &x.value_in(&self.context), side, &self.context.enclose_integer(0), p > 0)?;
        }
        let limbs = work::limb_count(self.context.precision());
        let units = work::power_units(limbs, p.unsigned_abs()).saturating_add(work::root_units(limbs, root));
        self.compute_jet("^", units, &[x], |jets| jets.power(x.as_jet(), p, root))
    }

    /// Computes an operation that is defined at its arguments, at the cost of `units` work units.
    fn compute_jet(
        &self,
        operation: &str,
        units: u64,
        arguments: &[&JetElement<C::Num>],
        compute: impl FnOnce(&JetArithmetic<'_, C>) -> Jet<C::Num>,
    ) -> Result<JetElement<C::Num>, ValueError> {
        if !self.budget.spend(units) {
            return Err(self.out_of_budget_error());
        }
        // constants have no derivatives: the algebra ℝ saves the work of all directions
        let are_numbers = arguments.iter().all(|x| x.as_jet().as_number().is_some());
        let algebra = if are_numbers { Algebra::real() } else { self.current_algebra() };
        let jets = JetArithmetic { context: &self.context, algebra: &algebra, budget: Some(&self.budget) };
        let jet = compute(&jets);
        // an undefined coefficient means that the precision does not suffice near an edge
        if jet.coefficients().flatten().all(|c| self.context.is_defined(c)) {
            return Ok(JetElement::new(jet));
        }
        Err(self.undecided_error(operation, None))
    }
}

impl<C: Context> RealArithmetic for PartialUniverse<C> {
    type Real = JetElement<C::Num>;

    fn rational_constant(&self, value: &Rational) -> JetElement<C::Num> {
        JetElement::new(Jet::constant(self.context.enclose_rational(value)))
    }

    fn literal_power(&self, x: &Self::Real, exponent: &Rational) -> Result<Self::Real, ValueError> {
        self.literal_power_of(x, exponent)
    }

    fn compare_reals(&self, constant: Constant, x: &Self::Real, y: &Self::Real) -> Result<bool, ValueError> {
        let [less, greater] = match constant {
            // strict and non-strict comparisons agree off the diagonal, and on it neither is defined
            Constant::RealLess | Constant::RealLessEqual => [true, false],
            Constant::RealEqual => [false; 2],
            Constant::RealNotEqual => [true; 2],
            _ => [false, true],
        };
        let sign = constant.operator_sign().unwrap_or(constant.name());
        match self.compare_numbers(&x.value_in(&self.context), &y.value_in(&self.context)) {
            Ok(Ordering::Less) => Ok(less),
            Ok(Ordering::Greater) => Ok(greater),
            Ok(Ordering::Equal) => {
                let none = || ValueError::from_undefined(UndefinedValue::of_operation(UndefinedCause::Boundary, sign));
                self.hooks.comparison_on_diagonal().ok_or_else(none)
            }
            Err(agreement) => Err(self.undecided_error(sign, agreement)),
        }
    }

    fn apply_real_constant(&self, constant: Constant, arguments: &[&Self::Real]) -> Result<Self::Real, ValueError> {
        let c = &self.context;
        let value = |x: &Self::Real| x.value_in(c);
        let limbs = work::limb_count(c.precision());
        let name = constant.operator_sign().unwrap_or(constant.name());
        let computed = |units: u64, compute: &dyn Fn(&JetArithmetic<'_, C>) -> Jet<C::Num>| {
            self.compute_jet(name, units, arguments, compute)
        };
        match (constant, arguments) {
            (Constant::Pi, []) => computed(limbs, &|_| Jet::constant(c.pi())),
            (Constant::E, []) => computed(limbs, &|_| Jet::constant(c.enclose_euler())),
            (Constant::Negate, [x]) => computed(limbs, &|jets| jets.negate(x.as_jet())),
            (Constant::Add, [x, y]) => computed(limbs, &|jets| jets.add(x.as_jet(), y.as_jet())),
            (Constant::Subtract, [x, y]) => computed(limbs, &|jets| jets.subtract(x.as_jet(), y.as_jet())),
            (Constant::Multiply, [x, y]) => {
                computed(2 * work::product_units(limbs), &|jets| jets.multiply(x.as_jet(), y.as_jet()))
            }
            (Constant::Divide, [x, y]) => {
                self.require_side(name, &value(y), Ordering::Equal, &c.enclose_integer(0), false)?;
                computed(2 * work::quotient_units(limbs), &|jets| jets.divide(x.as_jet(), y.as_jet()))
            }
            (Constant::Power | Constant::RealPower, [x, y]) => {
                self.require_side(name, &value(x), Ordering::Greater, &c.enclose_integer(0), false)?;
                let logarithm = self.apply_real_constant(Function::Log.into(), &[x])?;
                self.apply_real_constant(
                    Function::Exp.into(),
                    &[&self.apply_real_constant(Constant::Multiply, &[y, &logarithm])?],
                )
            }
            (Constant::Abs, [x]) => match self.order_of_distinct(name, &value(x), &c.enclose_integer(0))? {
                Ordering::Less => computed(limbs, &|jets| jets.negate(x.as_jet())),
                _ => Ok((*x).clone()),
            },
            (Constant::Signum, [x]) => {
                let order = self.order_of_distinct(name, &value(x), &c.enclose_integer(0))?;
                Ok(self.rational_constant(&Rational::from(order as i8)))
            }
            (Constant::Max | Constant::Min, [x, y]) => {
                let order = self.order_of_distinct(name, &value(x), &value(y))?;
                Ok(if (order == Ordering::Greater) == (constant == Constant::Max) { *x } else { *y }.clone())
            }
            (Constant::Elementary(f), [x]) => {
                let at = value(x);
                self.require_interior(f, &at)?;
                let size = c.magnitude(&at);
                let units = work::function_units(f, limbs, if size.is_finite() { size.floor_log2() } else { 0 });
                computed(units, &|jets| jets.apply_function(f, x.as_jet()))
            }
            (Constant::Planar(f), [y, x]) => {
                self.require_smooth_planar(f, &value(y), &value(x))?;
                computed(work::binary_function_units(limbs), &|jets| jets.apply_binary(f, y.as_jet(), x.as_jet()))
            }
            _ => self.missing_rule(constant),
        }
    }
}
