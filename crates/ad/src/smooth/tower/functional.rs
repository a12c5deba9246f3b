//! The second-order primitives of S §5.2 as literal towers: for `f : Γ × ℝ ⇝ ℝ` a tower `Γ ⇝ ℝ`, each clause as it is printed.
//!
//! | primitive | value | derivative | S |
//! |---|---|---|---|
//! | [`integral`] | `∫₀¹ f(γ, x) dx` | order k: `∫₀¹ f⁽ᵏ⁾(γ, x; (dγ₁, 0), …, (dγ_k, 0)) dx` | §5.2.1 |
//! | [`cut_root`] | `[sup {x \| f(γ, x) > 0}, inf {x \| f(γ, x) < 0}]` | `−f′((γ, y), (dγ, 0)) / f′((γ, y), (0, 1))` at the root y | §5.2.2, E7 |
//! | [`first_root`] | `[sup {x \| f > 0 on [0, x]}, inf {x \| f(γ, q) < 0 for a q ≤ x}]` | the same for 0 < y < 1, and 0 where y is held at an end | §5.2.2, E8, E44 |
//! | [`maximiser`] | the hull of the points where `f(γ, ·)` is largest on [0, 1] | three cases, below | §5.2.3 |
//! | [`maximum`] | `max_x f(γ, x)` on [0, 1] | `(f ∘ ⟨id, argmax01 f⟩)′` | §5.2.3, E14 |
//!
//! The derivative of the maximiser y, with `f_y = f′((γ, y), (0, 1))`:
//!
//! | case | derivative |
//! |---|---|
//! | 0 < y < 1 | `−f″(((γ, y), (0, 1)), ((dγ, 0), (0, 0))) / f″(((γ, y), (0, 1)), ((0, 1), (0, 0)))` |
//! | y = 0 and f_y < 0, or y = 1 and f_y > 0 | 0 |
//! | otherwise | ⊥ |
//!
//! Each of the last four is `foldDer` of its value and its derivative, which refers to the primitive itself, as multiplication
//! does. So all orders follow from one clause.
//!
//! Values come from plain subdivision, with [limits](Subdivision): sums over panels, signs at points, and cells that cannot hold
//! a maximum. These share no code with the [solvers](crate::smooth::solve) of the jets, which they test. They are slow, and give
//! few digits of an integral. A search that reaches its limit gives a wider result, never a wrong one.

use super::graph::{TowerOperand, check_dimension};
use super::primitive::quotient;
use super::{EnclosureVector, LinearMap, Tower, TowerError, TowerRule, primitive};
use crate::number::Rational;
use crate::number::arithmetic::{Context, Sign};
use crate::smooth::graph::SecondOrder;

/// The largest number of panels, at any precision. A choice: a reference should end, and more digits need another rule.
const MAX_PANELS: u64 = 4096;

/// The limits of the subdivision of an interval. A result at the limit is wider, and still encloses.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Subdivision {
    /// The number of panels of an integral at 53 bits. It grows like the square of the precision, up to 4096.
    pub panels: u32,
    /// The number of evaluations of a search at 53 bits. It is proportional to the precision.
    pub evaluations: u32,
}

impl Default for Subdivision {
    /// Returns 256 panels and 2000 evaluations. A choice: five digits of a smooth integral, all digits of a simple root.
    fn default() -> Self {
        Self { panels: 256, evaluations: 2000 }
    }
}

impl Subdivision {
    /// Returns the number of panels at a precision: a power of two, so that the cuts are exact.
    fn panels_at(self, bits: u32) -> u64 {
        let scale = u64::from(bits).pow(2) / (53 * 53);
        (u64::from(self.panels) * scale).clamp(1, MAX_PANELS).next_power_of_two()
    }

    /// Returns the number of evaluations of a search at a precision.
    fn evaluations_at(self, bits: u32) -> u64 {
        u64::from(self.evaluations) * u64::from(bits) / 53
    }
}

/// Returns the tower of a second-order primitive applied to `f : Γ × ℝ ⇝ ℝ`, by its clause in S §5.2.
///
/// # Errors
/// [`TowerError::Dimension`] unless f goes from at least one number to one.
///
/// # Examples
/// ```
/// use smoothish_ad::number::{Context, Double, Rational};
/// use smoothish_ad::smooth::graph::SecondOrder;
/// use smoothish_ad::smooth::tower::functional::{Subdivision, tower_of_functional};
/// use smoothish_ad::smooth::tower::{LinearMap, Tower, primitive};
///
/// // f(c, x) = c − x³ has the root ∛c, with the slope 1/12 at c = 8
/// let cube: Tower<Double> = primitive::power(3, 1).after_linear(&LinearMap::select(2, [1]))?;
/// let f = Tower::first(1, 1).pair(&cube)?.then(&primitive::difference())?;
/// let root = tower_of_functional(SecondOrder::CutRoot, &f, Subdivision::default())?;
/// let slope = root.derivative(&[Double.enclose_integer(8)], &[vec![Double.enclose_integer(1)]], &Double)?;
/// let slope = Double.to_enclosure(&slope[0]);
/// let twelfth = Rational::from((1, 12));
/// assert!(*slope.lo() <= twelfth && *slope.hi() >= twelfth && slope.hi().to_f64() - slope.lo().to_f64() < 1e-9);
/// # Ok::<(), smoothish_ad::smooth::tower::TowerError>(())
/// ```
pub fn tower_of_functional<C: Context>(
    functional: SecondOrder,
    f: &Tower<C>,
    limits: Subdivision,
) -> Result<Tower<C>, TowerError> {
    match functional {
        SecondOrder::Integral => integral(f, limits),
        SecondOrder::CutRoot => cut_root(f, limits),
        SecondOrder::FirstRoot => first_root(f, limits),
        SecondOrder::Maximum => maximum(f, limits),
        SecondOrder::Maximiser => maximiser(f, limits),
    }
}

/// Returns the dimension of Γ for `f : Γ × ℝ ⇝ ℝ`.
fn parameter_dimension<C: Context>(f: &Tower<C>) -> Result<usize, TowerError> {
    check_dimension(TowerOperand::Codomains, 1, f.outputs())?;
    f.inputs().checked_sub(1).ok_or(TowerError::Dimension { part: TowerOperand::Domains, expected: 1, found: 0 })
}

/// The rule of the integral: every order integrates that order of f.
struct Integral<C: Context> {
    f: Tower<C>,
    limits: Subdivision,
}

impl<C: Context> Integral<C> {
    /// Encloses the mean of `f⁽ᵏ⁾(γ, ·; directions)` on a panel of length `length`.
    ///
    /// It lies in the range. With m the middle and slopes in [a, b] it also lies in f(m) ± (b − a)·length/8: the slopes of the
    /// secants through m differ from (a + b)/2 by at most (b − a)/2, and the mean of |x − m| is length/4.
    fn mean_over(
        &self,
        context: &C,
        x: &[C::Num],
        lifted: &[&[C::Num]],
        panel: &C::Num,
        length: &Rational,
    ) -> Result<C::Num, TowerError> {
        let at = |x_last: &C::Num| [x, std::slice::from_ref(x_last)].concat();
        let range = self.f.evaluate(context, &at(panel), lifted)?.swap_remove(0);
        if !context.is_defined(&range) || context.is_point(&range) {
            return Ok(range);
        }
        let mut upwards = vec![context.enclose_integer(0); x.len()];
        upwards.push(context.enclose_integer(1));
        let slope = self.f.evaluate(context, &at(panel), &[lifted, &[&upwards]].concat())?.swap_remove(0);
        if !context.is_defined(&slope) || !context.is_bounded(&slope) {
            return Ok(range);
        }
        let at_middle = self.f.evaluate(context, &at(&context.midpoint(panel)), lifted)?.swap_remove(0);
        // b − a as the upper end of [a, b] − [a, b], which is symmetric
        let spread = context.sub(&slope, &slope);
        let error = context.mul(&spread, &context.enclose_rational(&Rational::from(length / 8)));
        Ok(context.intersect(&range, &context.add(&at_middle, &error)).unwrap_or(range))
    }
}

impl<C: Context> TowerRule<C> for Integral<C> {
    fn derivative_along(
        &self,
        context: &C,
        x: &[C::Num],
        directions: &[&[C::Num]],
    ) -> Result<EnclosureVector<C>, TowerError> {
        let zero = [context.enclose_integer(0)];
        let lifted: Vec<_> = directions.iter().map(|v| [*v, &zero].concat()).collect();
        let lifted: Vec<_> = lifted.iter().map(Vec::as_slice).collect();
        let panels = self.limits.panels_at(context.precision());
        let (cut, length) =
            (|j: u64| context.enclose_rational(&Rational::from((j, panels))), Rational::from((1, panels)));
        let mut sum = context.enclose_integer(0);
        for j in 0..panels {
            let panel = context.hull(&cut(j), &cut(j + 1));
            sum = context.add(&sum, &self.mean_over(context, x, &lifted, &panel, &length)?);
        }
        Ok(vec![context.div_integer(&sum, panels)])
    }
}

/// Returns `⟦integral01⟧(f)` (S §5.2.1). Every order is a sum over panels. The width falls like the square of their number where
/// that order of f is Lipschitz, and like their number where it jumps.
///
/// # Errors
/// As for [`tower_of_functional`].
pub fn integral<C: Context>(f: &Tower<C>, limits: Subdivision) -> Result<Tower<C>, TowerError> {
    Ok(Tower::new(parameter_dimension(f)?, 1, Integral { f: f.clone(), limits }))
}

/// A function `f(γ, ·)` for one γ, which may be a box, with the number of evaluations that are left.
struct Section<'f, C: Context> {
    context: &'f C,
    f: &'f Tower<C>,
    parameters: &'f [C::Num],
    evaluations_left: u64,
}

impl<'f, C: Context> Section<'f, C> {
    fn new(context: &'f C, f: &'f Tower<C>, parameters: &'f [C::Num], limits: Subdivision) -> Self {
        let evaluations_left = limits.evaluations_at(context.precision());
        Self { context, f, parameters, evaluations_left }
    }

    /// Encloses the values on an interval.
    fn value_over(&mut self, x: &C::Num) -> Result<C::Num, TowerError> {
        self.evaluations_left = self.evaluations_left.saturating_sub(1);
        let point = [self.parameters, std::slice::from_ref(x)].concat();
        Ok(self.f.evaluate(self.context, &point, &[])?.swap_remove(0))
    }

    /// Encloses the Clarke slopes on an interval.
    fn slope_over(&mut self, x: &C::Num) -> Result<C::Num, TowerError> {
        self.evaluations_left = self.evaluations_left.saturating_sub(1);
        let point = [self.parameters, std::slice::from_ref(x)].concat();
        let mut along = vec![self.context.enclose_integer(0); self.parameters.len()];
        along.push(self.context.enclose_integer(1));
        Ok(self.f.evaluate(self.context, &point, &[&along])?.swap_remove(0))
    }

    /// Returns the sign of all values on an interval.
    fn sign_over(&mut self, x: &C::Num) -> Result<Sign, TowerError> {
        let value = self.value_over(x)?;
        Ok(self.context.sign(&value))
    }

    fn number(&self, n: i64) -> C::Num {
        self.context.enclose_integer(n)
    }

    /// Returns a point between two others. Returns `None` if there is none at this precision.
    fn point_between(&self, a: &C::Num, b: &C::Num) -> Option<C::Num> {
        let middle = self.context.midpoint(&self.context.hull(a, b));
        (self.context.is_strictly_below(a, &middle) && self.context.is_strictly_below(&middle, b)).then_some(middle)
    }

    /// Moves `from` towards `to`, over points where the function certainly has a sign, as long as bisection finds such points.
    fn bisect_sign(&mut self, from: C::Num, to: C::Num, sign: Sign) -> Result<C::Num, TowerError> {
        let (mut holds, mut open) = (from, to);
        while self.evaluations_left > 0 {
            let (low, high) =
                if self.context.is_strictly_below(&holds, &open) { (&holds, &open) } else { (&open, &holds) };
            let Some(middle) = self.point_between(low, high) else { break };
            if self.sign_over(&middle)? == sign { holds = middle } else { open = middle }
        }
        Ok(holds)
    }

    /// Returns the hull of two ends, marked as undefined unless the function is defined between them.
    fn interval_of_roots(&mut self, lower: &C::Num, upper: &C::Num) -> Result<C::Num, TowerError> {
        let interval = self.context.hull(lower, upper);
        let between = self.value_over(&interval)?;
        Ok(if self.context.is_defined(&between) { interval } else { self.context.mark_undefined(interval) })
    }

    /// Encloses `[sup {x | f(x) > 0}, inf {x | f(x) < 0}]`. The result is ⊥ if no sign is found within 2⁶⁴ of 0, and if the
    /// two ends are in the wrong order: the function is then not positive to the left of one point and negative to the right.
    fn cut_root(&mut self) -> Result<C::Num, TowerError> {
        let (mut positive, mut negative) = (None, None);
        for exponent in 0..=64 {
            let far = self.context.power(&self.number(2), exponent);
            if positive.is_none() {
                let left = self.context.neg(&far);
                positive = (self.sign_over(&left)? == Sign::Positive).then_some(left);
            }
            if negative.is_none() {
                negative = (self.sign_over(&far)? == Sign::Negative).then_some(far);
            }
        }
        let (Some(positive), Some(negative)) = (positive, negative) else { return Ok(self.context.bottom()) };
        let lower = self.bisect_sign(positive.clone(), negative.clone(), Sign::Positive)?;
        let upper = self.bisect_sign(negative, positive, Sign::Negative)?;
        if self.context.is_strictly_below(&upper, &lower) {
            return Ok(self.context.bottom());
        }
        self.interval_of_roots(&lower, &upper)
    }

    /// Returns the largest x found with f > 0 on [0, x], or 0: cells are taken from left to right, and halved where the sign is
    /// undecided.
    fn positive_until(&mut self) -> Result<C::Num, TowerError> {
        let mut reached = self.number(0);
        let mut pending = vec![(self.number(0), self.number(1))];
        while let Some((a, b)) = pending.pop() {
            match self.sign_over(&self.context.hull(&a, &b))? {
                Sign::Positive => reached = b,
                Sign::Negative => break,
                Sign::Undecided => {
                    let Some(middle) = self.point_between(&a, &b).filter(|_| self.evaluations_left > 0) else { break };
                    pending.push((middle.clone(), b));
                    pending.push((a, middle));
                }
            }
        }
        Ok(reached)
    }

    /// Returns the least q found in [from, 1] with f(q) < 0. Returns 1 if none is found: inf ∅ in [0, 1].
    fn negative_from(&mut self, from: &C::Num) -> Result<C::Num, TowerError> {
        /// A choice: the number of points of one round.
        const POINTS: i64 = 64;
        if !self.context.is_strictly_below(from, &self.number(1)) {
            return Ok(from.clone());
        }
        if self.sign_over(from)? == Sign::Negative {
            return Ok(from.clone());
        }
        let mut least: Option<C::Num> = None;
        // each round looks among equally distant points left of the least so far
        loop {
            let end = least.clone().unwrap_or_else(|| self.number(1));
            let step = self.context.div_integer(&self.context.sub(&end, from), POINTS as u64);
            let mut found = None;
            for j in 1..=POINTS {
                let point = self.context.midpoint(&self.context.add(from, &self.context.mul_integer(&step, j)));
                let is_left = least.as_ref().map_or(j < POINTS, |least| self.context.is_strictly_below(&point, least));
                let point = if is_left { point } else { end.clone() };
                if self.evaluations_left == 0 || (!is_left && least.is_some()) {
                    break;
                }
                if self.sign_over(&point)? == Sign::Negative {
                    found = Some(point);
                    break;
                }
            }
            match found {
                Some(point) => least = Some(point),
                None => return Ok(end),
            }
        }
    }

    /// Encloses the first root in [0, 1] from positive to negative, by the formula of S §5.2.2 (E8).
    fn first_root(&mut self) -> Result<C::Num, TowerError> {
        let lower = self.positive_until()?;
        // the search for a sign has a limit of its own: the first may be spent on a root that is touched only
        self.evaluations_left = self.evaluations_left.max(500);
        let upper = self.negative_from(&lower)?;
        self.interval_of_roots(&lower, &upper)
    }

    /// Encloses the maximum on [0, 1], and the hull of the points where it is attained, in this order.
    ///
    /// A cell is dropped if its values are below a value that is attained, or if the function is strictly monotone on it, unless
    /// its higher end is an end of [0, 1]. The others are halved.
    fn maximum_and_maximiser(&mut self) -> Result<[C::Num; 2], TowerError> {
        /// A choice: more cells than this are a plateau, or a box of parameters.
        const CELLS: usize = 64;
        let context = self.context;
        let ends = [self.number(0), self.number(1)];
        let mut attained: Option<C::Num> = None;
        // a value that is attained for all parameters: the lower end
        let mut attain = |value: &C::Num| {
            if let Some(lower) = context.lower(value).filter(|_| context.is_defined(value)) {
                attained = Some(attained.as_ref().map_or(lower.clone(), |best| context.max(best, &lower)));
            }
            attained.clone()
        };
        for end in &ends {
            attain(&self.value_over(end)?);
        }
        let mut cells = vec![context.hull(&ends[0], &ends[1])];
        let mut values = Vec::new();
        loop {
            let mut kept = Vec::new();
            values.clear();
            for cell in cells {
                let mut value = self.value_over(&cell)?;
                let mut cell = cell;
                if !context.is_point(&cell) {
                    let middle = context.midpoint(&cell);
                    let at_middle = self.value_over(&middle)?;
                    attain(&at_middle);
                    let slope = self.slope_over(&cell)?;
                    if context.is_defined(&slope) && context.is_bounded(&slope) && context.is_defined(&value) {
                        // Lebourg's mean value theorem
                        let offset = context.mul(&slope, &context.sub(&cell, &middle));
                        value = context.intersect(&value, &context.add(&at_middle, &offset)).unwrap_or(value);
                        let end = match context.sign(&slope) {
                            Sign::Positive => Some(&ends[1]),
                            Sign::Negative => Some(&ends[0]),
                            Sign::Undecided => None,
                        };
                        if let Some(end) = end {
                            if !context.contains(&cell, end) {
                                continue;
                            }
                            cell = end.clone();
                            value = self.value_over(end)?;
                        }
                    }
                }
                kept.push((cell, value));
            }
            let best = attain(&context.bottom());
            kept.retain(|(_, value)| {
                let upper = context.upper(value).filter(|_| context.is_defined(value));
                !matches!((&best, upper), (Some(best), Some(upper)) if context.is_strictly_below(&upper, best))
            });
            let halves = kept.iter().filter_map(|(cell, _)| {
                let (low, high) = (context.lower(cell)?, context.upper(cell)?);
                let middle = self.point_between(&low, &high)?;
                Some([context.hull(&low, &middle), context.hull(&middle, &high)])
            });
            let halves: Vec<_> = halves.collect();
            // points are kept as they are: the ends of [0, 1] where the function rises or falls
            let points = kept.iter().filter(|(cell, _)| context.is_point(cell)).map(|(cell, _)| cell.clone());
            let done = halves.is_empty() || kept.len() > CELLS || self.evaluations_left == 0;
            let next: Vec<_> = points.chain(halves.into_iter().flatten()).collect();
            if done {
                values.extend(kept);
                break;
            }
            cells = next;
        }
        let hull = |parts: &mut dyn Iterator<Item = C::Num>| {
            parts.reduce(|a, b| context.hull(&a, &b)).unwrap_or_else(|| context.bottom())
        };
        let places = hull(&mut values.iter().map(|(cell, _)| cell.clone()));
        let range = hull(&mut values.iter().map(|(_, value)| value.clone()));
        let is_defined = context.is_defined(&range);
        // the maximum is at least what is attained
        let maximum = match attain(&context.bottom()) {
            Some(best) if is_defined => context.max(&range, &best),
            _ => context.mark_undefined(range),
        };
        Ok([maximum, if is_defined { places } else { context.mark_undefined(places) }])
    }
}

/// Returns the selection ((γ, dγ, y), 1) ↦ the given components, for a γ of n numbers. `None` is a 0.
fn select_or_zero(inputs: usize, components: &[Option<usize>]) -> LinearMap {
    LinearMap::from_sparse_rows(inputs, components.iter().map(|c| c.iter().map(|c| (*c, 1)).collect()))
}

/// Returns `γ, dγ ⊢ −f′((γ, y), (dγ, 0)) / f′((γ, y), (0, 1))`, where y is the value of a tower at γ: the implicit function
/// theorem of S §5.2.2. Its derivatives contain those of y of the same order, so the tower of a root may refer to itself.
///
/// # Errors
/// As for [`tower_of_functional`], and [`TowerError::Dimension`] unless y goes from Γ to ℝ.
pub fn implicit_slope<C: Context>(f: &Tower<C>, y: &Tower<C>) -> Result<Tower<C>, TowerError> {
    let n = parameter_dimension(f)?;
    let (gamma, tangent, y_index, one) = ((0..n).map(Some), (n..2 * n).map(Some), Some(2 * n), Some(2 * n + 1));
    let zeros = std::iter::repeat_n(None, n);
    let point: Vec<_> = gamma.chain([y_index]).collect();
    let along = |direction: Vec<Option<usize>>| {
        f.prime().after_linear(&select_or_zero(2 * n + 2, &[point.clone(), direction].concat()))
    };
    let numerator = along(tangent.chain([None]).collect())?;
    let denominator = along(zeros.chain([one]).collect())?;
    point_with_value(n, y)?.then(&numerator.pair(&denominator)?.then(&quotient())?)?.then_linear(&negation())
}

/// Returns `γ, dγ ⊢ ((γ, dγ), y(γ), 1)`.
fn point_with_value<C: Context>(n: usize, y: &Tower<C>) -> Result<Tower<C>, TowerError> {
    let y = y.after_linear(&LinearMap::select(2 * n, 0..n))?;
    Tower::identity(2 * n).pair(&y)?.pair(&primitive::constant(2 * n, |context: &C| context.enclose_integer(1)))
}

/// Returns x ↦ −x on ℝ.
fn negation() -> LinearMap {
    LinearMap::scalar_multiple(1, &Rational::from(-1))
}

/// Returns `⟦cutRoot⟧(f)` (S §5.2.2, E7): foldDer of the value and the implicit slope at the root, which is this tower again.
///
/// # Errors
/// As for [`tower_of_functional`].
pub fn cut_root<C: Context>(f: &Tower<C>, limits: Subdivision) -> Result<Tower<C>, TowerError> {
    let n = parameter_dimension(f)?;
    let again = f.clone();
    let derivative = Tower::lazy(2 * n, 1, move || implicit_slope(&again, &cut_root(&again, limits)?));
    let f = f.clone();
    let value = move |context: &C, x: &[C::Num]| Ok(vec![Section::new(context, &f, x, limits).cut_root()?]);
    Tower::fold_der(value, &derivative)
}

/// The derivative of an optimum or of a first root, at a γ with the value y: which clause applies.
enum OptimumCase {
    /// The implicit function theorem.
    Implicit,
    /// 0: the value is held at an end of [0, 1].
    Held,
    /// At order 1 the hull of both, ⊥ beyond: the root is at an end, and moves to one side only (E44).
    HeldOrImplicit,
    /// ⊥
    Undefined,
}

/// The rule of a derivative by cases, on Γ × Γ.
struct DerivativeByCases<C: Context, F> {
    implicit: Tower<C>,
    /// The case at a γ.
    clause: F,
}

impl<C: Context, F: Fn(&C, &[C::Num]) -> Result<OptimumCase, TowerError> + Send + Sync> TowerRule<C>
    for DerivativeByCases<C, F>
{
    fn derivative_along(
        &self,
        context: &C,
        x: &[C::Num],
        directions: &[&[C::Num]],
    ) -> Result<EnclosureVector<C>, TowerError> {
        let zero = context.enclose_integer(0);
        Ok(vec![match (self.clause)(context, &x[..x.len() / 2])? {
            // the conditions hold nearby too, so every order is that of the case
            OptimumCase::Held => zero,
            OptimumCase::Implicit => self.implicit.evaluate(context, x, directions)?.swap_remove(0),
            OptimumCase::HeldOrImplicit if directions.is_empty() => {
                context.hull(&zero, &self.implicit.evaluate(context, x, &[])?[0])
            }
            OptimumCase::HeldOrImplicit | OptimumCase::Undefined => context.bottom(),
        }])
    }
}

/// Returns `true` if 0 < y < 1.
fn is_inside<C: Context>(context: &C, y: &C::Num) -> bool {
    let above = context.sub(&context.enclose_integer(1), y);
    context.sign(y) == Sign::Positive && context.sign(&above) == Sign::Positive
}

/// Returns `true` if y is the integer n.
fn is_integer<C: Context>(context: &C, y: &C::Num, n: i64) -> bool {
    context.is_defined(y) && context.is_point(y) && context.contains(&context.enclose_integer(n), y)
}

/// Returns `⟦firstRoot⟧(f)` (S §5.2.2, E8). The printed derivative is that of a root inside (0, 1); E44 says what it is at the ends.
///
/// # Errors
/// As for [`tower_of_functional`].
pub fn first_root<C: Context>(f: &Tower<C>, limits: Subdivision) -> Result<Tower<C>, TowerError> {
    let n = parameter_dimension(f)?;
    let again = f.clone();
    let derivative = Tower::lazy(2 * n, 1, move || {
        let implicit = implicit_slope(&again, &first_root(&again, limits)?)?;
        let f = again.clone();
        let clause = move |context: &C, gamma: &[C::Num]| {
            let mut section = Section::new(context, &f, gamma, limits);
            let y = section.first_root()?;
            Ok(if is_inside(context, &y) {
                OptimumCase::Implicit
            } else if section.sign_over(&section.number(0))? == Sign::Negative {
                OptimumCase::Held
            } else if is_integer(context, &y, 1) && section.sign_over(&y)? == Sign::Positive {
                // positive on all of [0, 1], the end included
                OptimumCase::Held
            } else {
                OptimumCase::HeldOrImplicit
            })
        };
        Ok(Tower::new(2 * n, 1, DerivativeByCases { implicit, clause }))
    });
    let f = f.clone();
    let value = move |context: &C, x: &[C::Num]| Ok(vec![Section::new(context, &f, x, limits).first_root()?]);
    Tower::fold_der(value, &derivative)
}

/// Returns `γ, dγ ⊢ −f″(((γ, y), (0, 1)), ((dγ, 0), (0, 0))) / f″(((γ, y), (0, 1)), ((0, 1), (0, 0)))`: the first case of S
/// §5.2.3.
///
/// # Errors
/// As for [`implicit_slope`].
pub fn implicit_slope_of_maximiser<C: Context>(f: &Tower<C>, y: &Tower<C>) -> Result<Tower<C>, TowerError> {
    let n = parameter_dimension(f)?;
    let (y_index, one) = (Some(2 * n), Some(2 * n + 1));
    let zeros = vec![None; n];
    let second = f.prime().prime();
    let along = |direction: Vec<Option<usize>>| {
        let mut components: Vec<_> = (0..n).map(Some).chain([y_index]).collect();
        components.extend(zeros.iter().copied().chain([one]));
        components.extend(direction);
        components.extend(std::iter::repeat_n(None, n + 1));
        second.after_linear(&select_or_zero(2 * n + 2, &components))
    };
    let numerator = along((n..2 * n).map(Some).chain([None]).collect())?;
    let denominator = along(zeros.iter().copied().chain([one]).collect())?;
    point_with_value(n, y)?.then(&numerator.pair(&denominator)?.then(&quotient())?)?.then_linear(&negation())
}

/// Returns `⟦argmax01⟧(f)` (S §5.2.3): the hull of the maximisers, and its derivative by three cases.
///
/// # Errors
/// As for [`tower_of_functional`].
pub fn maximiser<C: Context>(f: &Tower<C>, limits: Subdivision) -> Result<Tower<C>, TowerError> {
    let n = parameter_dimension(f)?;
    let again = f.clone();
    let derivative = Tower::lazy(2 * n, 1, move || {
        let implicit = implicit_slope_of_maximiser(&again, &maximiser(&again, limits)?)?;
        let f = again.clone();
        let clause = move |context: &C, gamma: &[C::Num]| {
            let mut section = Section::new(context, &f, gamma, limits);
            let [_, y] = section.maximum_and_maximiser()?;
            if is_inside(context, &y) {
                return Ok(OptimumCase::Implicit);
            }
            let slope = section.slope_over(&y)?;
            let falls = is_integer(context, &y, 0) && context.sign(&slope) == Sign::Negative;
            let rises = is_integer(context, &y, 1) && context.sign(&slope) == Sign::Positive;
            Ok(if falls || rises { OptimumCase::Held } else { OptimumCase::Undefined })
        };
        Ok(Tower::new(2 * n, 1, DerivativeByCases { implicit, clause }))
    });
    let f = f.clone();
    let value = move |context: &C, x: &[C::Num]| {
        let [_, y] = Section::new(context, &f, x, limits).maximum_and_maximiser()?;
        Ok(vec![y])
    };
    Tower::fold_der(value, &derivative)
}

/// Returns `⟦max01⟧(f)` (S §5.2.3): the maximum, and `(f ∘ ⟨id, argmax01 f⟩)′` (E14).
///
/// # Errors
/// As for [`tower_of_functional`].
pub fn maximum<C: Context>(f: &Tower<C>, limits: Subdivision) -> Result<Tower<C>, TowerError> {
    let n = parameter_dimension(f)?;
    let derivative = Tower::identity(n).pair(&maximiser(f, limits)?)?.then(f)?.prime();
    let f = f.clone();
    let value = move |context: &C, x: &[C::Num]| {
        let [maximum, _] = Section::new(context, &f, x, limits).maximum_and_maximiser()?;
        Ok(vec![maximum])
    };
    Tower::fold_der(value, &derivative)
}
