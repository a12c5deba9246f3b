//! The interface of interval arithmetic: one trait, two precisions.
//!
//! A *context* computes with enclosures of real numbers at some precision. The context has the precision, the values have none.
//! Everything above this layer is written once, over `C: Context`. It runs in [`Double`](super::double::Double) first, and in
//! [`Mpfr`](super::mpfr::Mpfr) if that is not enough.
//!
//! A `Num` is an interval `[lo, hi]`, `-∞ ≤ lo ≤ hi ≤ +∞`, never empty, never NaN, together with one bit: *defined* says that the
//! expression it encloses is certainly defined, at every point of the inputs from which it was computed. A `Num` that is not
//! known to be defined may still carry a range: wherever the expression is defined, its value lies in the range.
//!
//! Laws (each is a test): every operation is outward (the true image of the inputs lies in the output) and isotone
//! (narrower inputs give an output inside the output of wider ones, up to rounding, and for elementary functions on
//! [thin](super::mpfr) intervals of many digits up to 2⁻²⁴ of its width); an operation applied to
//! anything not known to be defined is not known to be defined; operations whose exact result on points is
//! representable return that point (exactness on dyadics).

use super::enclosure::Enclosure;
use super::extension::Extension;
use super::magnitude::Magnitude;
use crate::function::{Formula, FormulaStep};
pub use crate::function::{Function, Planar};
use rug::Rational;
use std::fmt::Debug;

/// The certain knowledge about the sign of an enclosed number.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Sign {
    /// Certainly defined and > 0.
    Positive,
    /// Certainly defined and < 0.
    Negative,
    /// All other cases, an exact 0 included.
    Undecided,
}

/// Interval arithmetic at one precision. See the [module](self) for the laws.
pub trait Context: Clone + Debug + Send + Sync + 'static {
    /// The type of enclosures with their definedness.
    type Num: Clone + Debug + Send + Sync + 'static;

    /// Returns the precision in bits: 53 for `f64`.
    fn precision(&self) -> u32;

    /// Returns the arithmetic of twice the precision; `None` if there is none.
    fn finer_context(&self) -> Option<Self>
    where
        Self: Sized;

    // ---- constants

    /// Returns the integer `n`: a point if it is representable, else the tightest enclosure.
    fn enclose_integer(&self, n: i64) -> Self::Num;
    /// Returns the rational `q`: a point if it is representable, else the tightest enclosure.
    fn enclose_rational(&self, q: &Rational) -> Self::Num;
    /// Encloses π.
    fn pi(&self) -> Self::Num;
    /// Encloses e, Euler's number.
    fn enclose_euler(&self) -> Self::Num;
    /// Returns ⊥: the whole line, not known to be defined.
    fn bottom(&self) -> Self::Num;
    /// Rounds `e` outward to this precision.
    fn round_enclosure(&self, e: &Enclosure) -> Self::Num;

    // ---- queries

    /// Converts `x` to an enclosure with exact dyadic (or infinite) ends.
    fn to_enclosure(&self, x: &Self::Num) -> Enclosure;
    /// Returns `true` if the value is certainly defined.
    fn is_defined(&self, x: &Self::Num) -> bool;
    /// Marks `x` as not known to be defined.
    fn mark_undefined(&self, x: Self::Num) -> Self::Num;
    /// Marks `x` as certainly defined. The caller must have proved it.
    fn mark_defined(&self, x: Self::Num) -> Self::Num;
    /// Returns the certain knowledge about the sign.
    fn sign(&self, x: &Self::Num) -> Sign;
    /// Returns `true` if 0 lies in the range.
    fn contains_zero(&self, x: &Self::Num) -> bool;
    /// Returns `true` if every point of the range is ≥ 0 (definedness aside).
    fn is_nonnegative(&self, x: &Self::Num) -> bool;
    /// Returns `true` if both ends are finite (definedness aside).
    fn is_bounded(&self, x: &Self::Num) -> bool;
    /// Returns `true` if the range is a single number (definedness aside).
    fn is_point(&self, x: &Self::Num) -> bool;
    /// Returns hi - lo, rounded up; +∞ if the range is unbounded.
    fn width(&self, x: &Self::Num) -> Magnitude;
    /// Returns the largest absolute value in the range, rounded up.
    fn magnitude(&self, x: &Self::Num) -> Magnitude;
    /// Returns the lower end as a point (defined); `None` if it is -∞.
    fn lower(&self, x: &Self::Num) -> Option<Self::Num>;
    /// Returns the upper end as a point (defined); `None` if it is +∞.
    fn upper(&self, x: &Self::Num) -> Option<Self::Num>;
    /// Returns a finite point (defined) inside the range, near the middle if the range is bounded.
    fn midpoint(&self, x: &Self::Num) -> Self::Num;
    /// Widens the range by a positive distance on both sides, about the least that the precision allows.
    fn inflate_slightly(&self, x: &Self::Num) -> Self::Num {
        // Far below a unit in the last place of a usual number: outward rounding then adds about one unit.
        let radius = self.enclose_rational(&(Rational::from(1) >> (16 * self.precision())));
        self.hull(&self.sub(x, &radius), &self.add(x, &radius))
    }
    /// Returns `true` if `a ⊇ b` as sets (definedness aside).
    fn contains(&self, a: &Self::Num, b: &Self::Num) -> bool;
    /// Returns `true` if every point of `a` is < every point of `b` (definedness aside).
    fn is_strictly_below(&self, a: &Self::Num, b: &Self::Num) -> bool;

    // ---- lattice

    /// Returns the smallest interval that contains both; defined if both are.
    fn hull(&self, a: &Self::Num, b: &Self::Num) -> Self::Num;
    /// Returns the intersection of two enclosures of the same number; defined if either is. `None` if they are disjoint: a
    /// contradiction, never a result.
    fn intersect(&self, a: &Self::Num, b: &Self::Num) -> Option<Self::Num>;

    // ---- arithmetic

    /// Encloses a + b.
    fn add(&self, a: &Self::Num, b: &Self::Num) -> Self::Num;
    /// Encloses a - b.
    fn sub(&self, a: &Self::Num, b: &Self::Num) -> Self::Num;
    /// Encloses a · b. An interval that contains 0 times one with an infinite end is the whole line, defined if both are (E42):
    /// 0·⊥ is ⊥. Structural zeros are left to the layers above.
    fn mul(&self, a: &Self::Num, b: &Self::Num) -> Self::Num;
    /// Sets acc := acc + a·b, the hot operation of jets; may round a little less tightly than `add` of `mul`.
    fn mul_add(&self, acc: &mut Self::Num, a: &Self::Num, b: &Self::Num) {
        *acc = self.add(acc, &self.mul(a, b));
    }
    /// Encloses a / b; the whole line, not defined, if b may be 0.
    fn div(&self, a: &Self::Num, b: &Self::Num) -> Self::Num;
    /// Returns -a, exactly.
    fn neg(&self, a: &Self::Num) -> Self::Num;
    /// Encloses n·a.
    fn mul_integer(&self, a: &Self::Num, n: i64) -> Self::Num;
    /// Encloses a/n, n > 0.
    fn div_integer(&self, a: &Self::Num, n: u64) -> Self::Num;
    /// Encloses a², as a function of one variable: never below 0.
    fn square(&self, a: &Self::Num) -> Self::Num;
    /// Encloses aⁿ for n ≥ 0, as a function of one variable (tight); a⁰ = 1.
    fn power(&self, a: &Self::Num, n: u32) -> Self::Num;
    /// Encloses the n-th root, n ≥ 1: for odd n on all of ℝ, for even n like [`Function::Sqrt`].
    fn root(&self, a: &Self::Num, n: u32) -> Self::Num;
    /// Encloses an elementary function of `a`. Certainly defined if `a` is and lies inside the domain.
    fn apply_function(&self, f: Function, a: &Self::Num) -> Self::Num;
    /// Returns `true` if the range, inside the domain of a function, has a closed end of the domain: then the function is defined
    /// on the range, and on no neighbourhood of it.
    fn meets_domain_end(&self, f: Function, a: &Self::Num) -> bool;
    /// Encloses an elementary function of two variables.
    fn apply_binary_function(&self, f: Planar, a: &Self::Num, b: &Self::Num) -> Self::Num;
    /// Returns `true` if a function of two variables is smooth near every point of the ranges (definedness aside).
    fn is_smooth_near(&self, f: Planar, a: &Self::Num, b: &Self::Num) -> bool;
    /// Evaluates a formula at the arguments x, where the function whose slope it is has the value y. A missing argument is ⊥.
    fn eval_formula(&self, formula: &Formula, x: &[&Self::Num], y: &Self::Num) -> Self::Num {
        formula.eval_with(&mut |step| match step {
            FormulaStep::Argument(index) => x.get(index).map_or_else(|| self.bottom(), |x| (*x).clone()),
            FormulaStep::Y => y.clone(),
            FormulaStep::Number(p, 1) => self.enclose_integer(p.into()),
            FormulaStep::Number(p, q) => self.div_integer(&self.enclose_integer(p.into()), q.into()),
            FormulaStep::Pi => self.pi(),
            FormulaStep::Negate(a) => self.neg(&a),
            FormulaStep::Add(a, b) => self.add(&a, &b),
            FormulaStep::Subtract(a, b) => self.sub(&a, &b),
            FormulaStep::Multiply(a, b) => self.mul(&a, &b),
            FormulaStep::Divide(a, b) => self.div(&a, &b),
            FormulaStep::Square(a) => self.square(&a),
            FormulaStep::Inverse(a) => self.div(&self.enclose_integer(1), &a),
            FormulaStep::InverseRoot(a) => self.div(&self.enclose_integer(1), &self.apply_function(Function::Sqrt, &a)),
            FormulaStep::Apply(f, a) => self.apply_function(f, &a),
        })
    }
    /// Encloses |a|.
    fn abs(&self, a: &Self::Num) -> Self::Num;
    /// Encloses max(a, b).
    fn max(&self, a: &Self::Num, b: &Self::Num) -> Self::Num;
    /// Encloses min(a, b).
    fn min(&self, a: &Self::Num, b: &Self::Num) -> Self::Num;
    /// Evaluates a function given from outside.
    fn apply_extension(&self, f: &dyn Extension, inputs: &[Self::Num]) -> Self::Num;
    /// Encloses the sign: 1, -1, and [-1, 1] at 0 (the set-valued extension, defined).
    fn signum(&self, a: &Self::Num) -> Self::Num;
}
