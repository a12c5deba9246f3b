//! The interface of interval arithmetic: one trait, two tiers.
//!
//! A *context* computes with enclosures of real numbers at some precision. Values carry no precision; the context
//! does. Everything above this layer is written once, over `C: Context`, and runs in the [`Double`](super::double::Double)
//! tier first and in the [`Mpfr`](super::mpfr::Mpfr) tier when that is not enough.
//!
//! A `Num` is an interval `[lo, hi]`, `-∞ ≤ lo ≤ hi ≤ +∞`, never empty, never NaN, together with one bit:
//! *defined* says that the expression it encloses is certainly defined, for every point of the inputs it was
//! computed from. A `Num` that is not known to be defined may still carry a range: wherever the expression is
//! defined, its value lies in the range.
//!
//! Laws (each is a test): every operation is outward (the true image of the inputs lies in the output) and isotone
//! (narrower inputs give an output inside the output of wider ones, up to rounding, and for elementary functions on
//! [thin](super::mpfr) intervals of many digits up to 2⁻²⁴ of its width); an operation applied to
//! anything not known to be defined is not known to be defined; operations whose exact result on points is
//! representable return that point (exactness on dyadics).

use super::enclosure::Enclosure;
use super::extension::Extension;
use super::magnitude::Magnitude;
use crate::function::{Formula, Step};
pub use crate::function::{Function, Planar};
use rug::Rational;
use std::fmt::Debug;

/// What is certain about the sign of an enclosed number.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Sign {
    /// Certainly defined and > 0.
    Positive,
    /// Certainly defined and < 0.
    Negative,
    /// Anything else, an exact 0 included.
    Undecided,
}

/// Interval arithmetic at one precision. See the [module](self) for the laws.
pub trait Context: Clone + Debug + Send + Sync + 'static {
    /// An enclosure with its definedness.
    type Num: Clone + Debug + Send + Sync + 'static;

    /// The precision in bits: 53 for `f64`.
    fn precision(&self) -> u32;

    /// The same arithmetic at twice the precision, where it has one.
    fn finer(&self) -> Option<Self>
    where
        Self: Sized;

    // ---- constants

    /// The integer `n`: a point where it is representable, the tightest enclosure elsewhere.
    fn integer(&self, n: i64) -> Self::Num;
    /// The rational `q`: a point where it is representable, the tightest enclosure elsewhere.
    fn rational(&self, q: &Rational) -> Self::Num;
    /// An enclosure of π.
    fn pi(&self) -> Self::Num;
    /// An enclosure of e, Euler's number.
    fn euler(&self) -> Self::Num;
    /// ⊥: the whole line, not known to be defined.
    fn bottom(&self) -> Self::Num;
    /// `e` rounded outward to this precision.
    fn enclosure(&self, e: &Enclosure) -> Self::Num;

    // ---- what an enclosure says

    /// The enclosure with exact dyadic (or infinite) ends.
    fn to_enclosure(&self, x: &Self::Num) -> Enclosure;
    /// Whether the value is certainly defined.
    fn is_defined(&self, x: &Self::Num) -> bool;
    /// The same range, not known to be defined.
    fn undefined(&self, x: Self::Num) -> Self::Num;
    /// The same range, known to be defined: for a caller that has proved it.
    fn assert_defined(&self, x: Self::Num) -> Self::Num;
    /// What is certain about the sign.
    fn sign(&self, x: &Self::Num) -> Sign;
    /// Whether 0 lies in the range.
    fn contains_zero(&self, x: &Self::Num) -> bool;
    /// Whether every point of the range is ≥ 0 (definedness aside).
    fn is_nonnegative(&self, x: &Self::Num) -> bool;
    /// Whether both ends are finite (definedness aside).
    fn is_bounded(&self, x: &Self::Num) -> bool;
    /// Whether the range is a single number (definedness aside).
    fn is_point(&self, x: &Self::Num) -> bool;
    /// hi - lo, rounded up; infinite when unbounded.
    fn width(&self, x: &Self::Num) -> Magnitude;
    /// The largest absolute value in the range, rounded up.
    fn magnitude(&self, x: &Self::Num) -> Magnitude;
    /// The lower end as a point (defined), `None` when it is -∞.
    fn lower(&self, x: &Self::Num) -> Option<Self::Num>;
    /// The upper end as a point (defined), `None` when it is +∞.
    fn upper(&self, x: &Self::Num) -> Option<Self::Num>;
    /// Some finite point (defined) inside the range, near the middle where the range is bounded.
    fn midpoint(&self, x: &Self::Num) -> Self::Num;
    /// The range and every number within a positive distance of it, the least that can be had at the precision.
    fn widened(&self, x: &Self::Num) -> Self::Num {
        let radius = self.rational(&(Rational::from(1) >> (16 * self.precision())));
        self.hull(&self.sub(x, &radius), &self.add(x, &radius))
    }
    /// Whether `a ⊇ b` as sets (definedness aside).
    fn contains(&self, a: &Self::Num, b: &Self::Num) -> bool;
    /// Whether every point of `a` is < every point of `b` (definedness aside).
    fn strictly_below(&self, a: &Self::Num, b: &Self::Num) -> bool;

    // ---- lattice

    /// The smallest interval that contains both; defined when both are.
    fn hull(&self, a: &Self::Num, b: &Self::Num) -> Self::Num;
    /// The intersection of two enclosures of the same number; defined when either is. `None` when they are
    /// disjoint: a contradiction, never a result.
    fn intersect(&self, a: &Self::Num, b: &Self::Num) -> Option<Self::Num>;

    // ---- arithmetic

    /// a + b
    fn add(&self, a: &Self::Num, b: &Self::Num) -> Self::Num;
    /// a - b
    fn sub(&self, a: &Self::Num, b: &Self::Num) -> Self::Num;
    /// a · b. An interval that contains 0 times one with an infinite end is the whole line, defined when both are
    /// (E42): 0·⊥ is ⊥. Structural zeros are the business of the layers above.
    fn mul(&self, a: &Self::Num, b: &Self::Num) -> Self::Num;
    /// acc := acc + a·b, the hot operation of jets; may round a little less tightly than `add` of `mul`.
    fn mul_add(&self, acc: &mut Self::Num, a: &Self::Num, b: &Self::Num) {
        *acc = self.add(acc, &self.mul(a, b));
    }
    /// a / b; the whole line, not defined, when b may be 0.
    fn div(&self, a: &Self::Num, b: &Self::Num) -> Self::Num;
    /// -a
    fn neg(&self, a: &Self::Num) -> Self::Num;
    /// n·a
    fn scale(&self, a: &Self::Num, n: i64) -> Self::Num;
    /// a/n, n > 0
    fn divide(&self, a: &Self::Num, n: u64) -> Self::Num;
    /// a², as a function of one variable: never below 0.
    fn square(&self, a: &Self::Num) -> Self::Num;
    /// aⁿ for n ≥ 0, as a function of one variable (tight); a⁰ = 1.
    fn power(&self, a: &Self::Num, n: u32) -> Self::Num;
    /// The n-th root, n ≥ 1: for odd n on all of ℝ, for even n like [`Function::Sqrt`].
    fn root(&self, a: &Self::Num, n: u32) -> Self::Num;
    /// An elementary function.
    fn function(&self, f: Function, a: &Self::Num) -> Self::Num;
    /// Whether the range, if inside the domain of a function, ends at an edge of it: then the function is defined on the
    /// range, and on nothing larger.
    fn meets_edge(&self, f: Function, a: &Self::Num) -> bool;
    /// An elementary function of two variables.
    fn planar(&self, f: Planar, a: &Self::Num, b: &Self::Num) -> Self::Num;
    /// Whether a function of two variables is smooth near every point of the ranges (definedness aside).
    fn is_smooth(&self, f: Planar, a: &Self::Num, b: &Self::Num) -> bool;
    /// A formula at the arguments x, where the function whose slope it is has the value y. An argument that is not given is
    /// not defined.
    fn formula(&self, formula: &Formula, x: &[&Self::Num], y: &Self::Num) -> Self::Num {
        formula.evaluate(&mut |step| match step {
            Step::Argument(index) => x.get(index).map_or_else(|| self.bottom(), |x| (*x).clone()),
            Step::Y => y.clone(),
            Step::Number(p, 1) => self.integer(p.into()),
            Step::Number(p, q) => self.divide(&self.integer(p.into()), q.into()),
            Step::Pi => self.pi(),
            Step::Negate(a) => self.neg(&a),
            Step::Add(a, b) => self.add(&a, &b),
            Step::Subtract(a, b) => self.sub(&a, &b),
            Step::Multiply(a, b) => self.mul(&a, &b),
            Step::Divide(a, b) => self.div(&a, &b),
            Step::Square(a) => self.square(&a),
            Step::Inverse(a) => self.div(&self.integer(1), &a),
            Step::InverseRoot(a) => self.div(&self.integer(1), &self.function(Function::Sqrt, &a)),
            Step::Of(f, a) => self.function(f, &a),
        })
    }
    /// |a|
    fn abs(&self, a: &Self::Num) -> Self::Num;
    /// max(a, b)
    fn max(&self, a: &Self::Num, b: &Self::Num) -> Self::Num;
    /// min(a, b)
    fn min(&self, a: &Self::Num, b: &Self::Num) -> Self::Num;
    /// A function given from outside.
    fn extension(&self, f: &dyn Extension, inputs: &[Self::Num]) -> Self::Num;
    /// The sign: 1, -1, and [-1, 1] at 0 (the set-valued extension, defined).
    fn signum(&self, a: &Self::Num) -> Self::Num;
}
