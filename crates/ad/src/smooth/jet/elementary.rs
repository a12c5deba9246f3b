//! Elementary functions of jets, by the differential equation in the row of each function.
//!
//! | derivative | recurrence |
//! |---|---|
//! | a formula in x | the formula first, then E y = slope · E a |
//! | a polynomial in y, or in functions with such derivatives: exp, tan, sin with cos | all of them together, degree by degree |
//! | of a root | y^n = a, which has half as many products |
//! | of log Γ and its derivatives | each is the next function at x: those that contribute to the result, from the last one down |
//! | two formulas, of two arguments | E y = slope · E a + slope · E b |
//! | any other formula in x and y | the first method, once per degree: each round makes one more degree right |

use super::kinks::KinkBranch;
use super::{Jet, JetArithmetic};
use crate::function::{BinaryShape, Formula, FormulaStep, Function, Monotonicity, Planar};
use crate::number::context::{Context, Sign};
use crate::number::work;
use smallvec::{SmallVec, smallvec};

/// One of several functions that are each other's derivatives, computed up to some degree.
struct CoupledFunction<N> {
    function: Function,
    value: Jet<N>,
    /// The derivative, unless it is one of the unknowns itself.
    slope: Jet<N>,
}

/// Returns `true` if a derivative is a polynomial, of degree at most 2 in each variable, in the functions found; adds
/// them to `found`.
fn is_polynomial_system(slope: &Formula, found: &mut SmallVec<[Function; 2]>) -> bool {
    match slope {
        Formula::Y | Formula::Number(_, 1) => true,
        Formula::Apply(f, Formula::X) => {
            found.contains(f) || {
                found.push(*f);
                // two functions at most: sine and cosine
                found.len() <= 2 && is_polynomial_system(&f.slope_formula(), found)
            }
        }
        Formula::Negate(a) => is_polynomial_system(a, found),
        Formula::Square(a) => matches!(a, Formula::Y) && is_polynomial_system(a, found),
        Formula::Add(a, b) | Formula::Subtract(a, b) => {
            is_polynomial_system(a, found) && is_polynomial_system(b, found)
        }
        _ => false,
    }
}

impl<C: Context> JetArithmetic<'_, C> {
    /// Applies an elementary function to a jet.
    #[must_use]
    pub fn apply_function(&self, f: Function, a: &Jet<C::Num>) -> Jet<C::Num> {
        let value = self.context.apply_function(f, &self.value_of(a));
        if a.is_constant() {
            return Jet::constant(value);
        }
        let slope = f.slope_formula();
        let y = match f.row().monotonicity {
            Monotonicity::Root(2) => self.square_root(a, value),
            Monotonicity::Root(n) => self.power_beyond(a, value, 1, n.into()),
            _ if f.derivative_function().is_some() => self.derivative_sequence(f, a, value),
            _ => {
                let mut found = smallvec![f];
                if is_polynomial_system(&slope, &mut found) {
                    self.solve_coupled(a, value, &found)
                } else {
                    // a slope that mentions y is right up to the degree to which y is
                    let rounds = if slope.mentions_value() { self.algebra.max_degree() } else { 1 };
                    (0..rounds).fold(Jet::constant(value.clone()), |y, _| {
                        self.antiderivative(a, &self.evaluate_formula(&slope, &[a], &y), value.clone())
                    })
                }
            }
        };
        self.defined_as_its_value(y)
    }

    /// Applies a function of two variables. If it may not be smooth at the arguments, only its value is known.
    #[must_use]
    pub fn apply_binary(&self, f: Planar, a: &Jet<C::Num>, b: &Jet<C::Num>) -> Jet<C::Num> {
        let (at, beside) = (self.value_of(a), self.value_of(b));
        let value = self.context.apply_binary_function(f, &at, &beside);
        if a.is_constant() && b.is_constant() {
            return Jet::constant(value);
        }
        if !self.context.is_smooth_near(f, &at, &beside) {
            return self.bottom_beyond(value, &[a, b]);
        }
        self.integrate_slopes(f.slope_formulas(), a, b, value)
    }

    /// Returns `true` if the arguments may lie on either side of a jump of the function, by the sign of the first one,
    /// and where the function is defined.
    #[must_use]
    pub fn may_jump(&self, f: Planar, a: &Jet<C::Num>, b: &Jet<C::Num>) -> bool {
        let (at, beside) = (self.value_of(a), self.value_of(b));
        match f.row().shape {
            BinaryShape::Angle => {
                !self.context.is_smooth_near(f, &at, &beside) && self.context.sign(&beside) == Sign::Negative
            }
        }
    }

    /// Applies a function on one side of a jump, continued smoothly to the other side.
    #[must_use]
    pub fn beside_jump(&self, f: Planar, side: KinkBranch, a: &Jet<C::Num>, b: &Jet<C::Num>) -> Jet<C::Num> {
        match f.row().shape {
            BinaryShape::Angle => {
                let angle = || self.apply_function(Function::Atan, &self.divide(a, b));
                let half_turn = Jet::constant(self.context.pi());
                match side {
                    KinkBranch::Left => self.add(&angle(), &half_turn),
                    KinkBranch::Right => self.subtract(&angle(), &half_turn),
                    KinkBranch::Undecided => self.apply_binary(f, a, b),
                }
            }
        }
    }

    /// Returns the function of two jets with these partial derivatives and the given value.
    #[must_use]
    pub fn integrate_slopes(
        &self,
        slopes: &[Formula; 2],
        a: &Jet<C::Num>,
        b: &Jet<C::Num>,
        value: C::Num,
    ) -> Jet<C::Num> {
        let value = Jet::constant(value);
        let along = |slope: &Formula, x: &Jet<C::Num>| {
            if x.is_constant() {
                return Jet::zero();
            }
            let y =
                self.antiderivative(x, &self.evaluate_formula(slope, &[a, b], &value), self.context.enclose_integer(0));
            self.nilpotent_part(&y)
        };
        let y = self.add(&along(&slopes[0], a), &along(&slopes[1], b));
        self.defined_as_its_value(self.add(&value, &y))
    }

    /// Evaluates the formula of a derivative at jets; y is the value of the function.
    #[must_use]
    pub fn evaluate_formula(&self, formula: &Formula, x: &[&Jet<C::Num>], y: &Jet<C::Num>) -> Jet<C::Num> {
        formula.eval_with(&mut |step| match step {
            FormulaStep::Argument(index) => x[index].clone(),
            FormulaStep::Y => y.clone(),
            FormulaStep::Number(p, 1) => Jet::constant(self.context.enclose_integer(p.into())),
            FormulaStep::Number(p, q) => {
                Jet::constant(self.context.div_integer(&self.context.enclose_integer(p.into()), q.into()))
            }
            FormulaStep::Pi => Jet::constant(self.context.pi()),
            FormulaStep::Negate(a) => self.negate(&a),
            FormulaStep::Add(a, b) => self.add(&a, &b),
            FormulaStep::Subtract(a, b) => self.subtract(&a, &b),
            FormulaStep::Multiply(a, b) => self.multiply(&a, &b),
            FormulaStep::Divide(a, b) => self.divide(&a, &b),
            FormulaStep::Square(a) => self.square(&a),
            FormulaStep::Inverse(a) => self.reciprocal(&a),
            FormulaStep::InverseRoot(a) => self.reciprocal(&self.apply_function(Function::Sqrt, &a)),
            FormulaStep::Apply(f, a) => self.apply_function(f, &a),
        })
    }

    /// Computes the first of a sequence of functions, each the derivative of the one before. From the last one that
    /// contributes to the result, each is found up to one degree more.
    fn derivative_sequence(&self, f: Function, a: &Jet<C::Num>, value: C::Num) -> Jet<C::Num> {
        let at = self.value_of(a);
        let slopes = std::iter::successors(f.derivative_function(), |f| f.derivative_function())
            .take(self.algebra.max_degree() as usize);
        let value_of = |f| if self.can_afford(f) { self.context.apply_function(f, &at) } else { self.context.bottom() };
        let slopes: Vec<_> = slopes.map(value_of).collect();
        let values = std::iter::once(value).chain(slopes).rev();
        values.fold(Jet::zero(), |slope, value| self.antiderivative(a, &slope, value))
    }

    /// Charges the budget for an additional function. Returns `false` if it should not be computed.
    fn can_afford(&self, f: Function) -> bool {
        let bits = self.context.precision();
        // in `f64` a function is fast, so only the end of the budget is checked
        self.budget.is_none_or(|budget| match bits {
            0..=64 => !budget.is_exhausted(),
            _ => budget.spend(work::function_units(f, work::limb_count(bits), 0)),
        })
    }

    /// Computes the first of several functions that are each other's derivatives.
    fn solve_coupled(&self, a: &Jet<C::Num>, value: C::Num, functions: &[Function]) -> Jet<C::Num> {
        let (at, change) = (self.value_of(a), self.euler_derivation(a));
        let mut unknowns: SmallVec<[CoupledFunction<C::Num>; 2]> = SmallVec::new();
        for f in functions {
            let value = if unknowns.is_empty() { value.clone() } else { self.context.apply_function(*f, &at) };
            unknowns.push(CoupledFunction { function: *f, value: Jet::constant(value), slope: Jet::zero() });
        }
        for monomial in 0..self.algebra.len() {
            if monomial > 0 {
                let next: SmallVec<[_; 2]> = (0..unknowns.len())
                    .map(|i| {
                        // all next coefficients before any is stored: they use the unknowns up to the same degree
                        let slope = slope_index(&unknowns, i).map_or(&unknowns[i].slope, |j| &unknowns[j].value);
                        self.euler_coefficient(&change, slope, monomial)
                    })
                    .collect();
                for (unknown, next) in unknowns.iter_mut().zip(next) {
                    unknown.value.set(monomial, next);
                }
            }
            for i in 0..unknowns.len() {
                if slope_index(&unknowns, i).is_none() {
                    let slope = self.formula_coefficient(&unknowns[i].function.slope_formula(), &unknowns, i, monomial);
                    unknowns[i].slope.set(monomial, slope);
                }
            }
        }
        unknowns.swap_remove(0).value
    }

    /// Returns a coefficient of a polynomial in the unknowns, where y is the one at index `own`.
    fn formula_coefficient(
        &self,
        formula: &Formula,
        unknowns: &[CoupledFunction<C::Num>],
        own: usize,
        monomial: usize,
    ) -> Option<C::Num> {
        let of = |formula| self.formula_coefficient(formula, unknowns, own, monomial);
        match formula {
            Formula::Number(p, _) => (monomial == 0).then(|| self.context.enclose_integer((*p).into())),
            Formula::Negate(a) => of(a).map(|a| self.context.neg(&a)),
            // the value is a square, so it is not negative; the other coefficients are those of a product
            Formula::Square(_) if monomial == 0 => Some(self.context.square(&self.value_of(&unknowns[own].value))),
            Formula::Square(_) => self.product_coefficient(&unknowns[own].value, &unknowns[own].value, monomial),
            Formula::Add(a, b) => match (of(a), of(b)) {
                (Some(a), Some(b)) => Some(self.context.add(&a, &b)),
                (a, b) => a.or(b),
            },
            Formula::Subtract(a, b) => match (of(a), of(b)) {
                (Some(a), Some(b)) => Some(self.context.sub(&a, &b)),
                (a, b) => a.or_else(|| b.map(|b| self.context.neg(&b))),
            },
            Formula::Apply(f, _) => unknowns.iter().find(|u| u.function == *f)?.value.get(monomial).cloned(),
            _ => unknowns[own].value.get(monomial).cloned(),
        }
    }

    /// Returns the y with E y = slope · E a and the given value.
    #[must_use]
    pub fn antiderivative(&self, a: &Jet<C::Num>, slope: &Jet<C::Num>, value: C::Num) -> Jet<C::Num> {
        let (mut y, change) = (Jet::constant(value), self.euler_derivation(a));
        for monomial in 1..self.algebra.len() {
            y.set(monomial, self.euler_coefficient(&change, slope, monomial));
        }
        y
    }

    /// Returns E a: every coefficient times its degree.
    fn euler_derivation(&self, a: &Jet<C::Num>) -> Jet<C::Num> {
        Jet::new(a.coefficients().enumerate().map(|(monomial, c)| match (self.algebra.degree(monomial), c) {
            (0, _) | (_, None) => None,
            (1, Some(c)) => Some(c.clone()),
            (degree, Some(c)) => Some(self.context.mul_integer(c, degree.into())),
        }))
    }

    /// Returns a coefficient of E⁻¹(z·w), for w = E a: `(1/|γ|) Σ w_α z_β` over α + β = γ.
    fn euler_coefficient(&self, w: &Jet<C::Num>, z: &Jet<C::Num>, monomial: usize) -> Option<C::Num> {
        if self.is_cut_short(monomial) {
            return Some(self.context.bottom());
        }
        let mut sum: Option<C::Num> = None;
        for t in self.algebra.factor_pairs(monomial) {
            if let (Some(x), Some(y)) = (w.get(t.left as usize), z.get(t.right as usize)) {
                self.add_product(&mut sum, x, y);
            }
        }
        let degree = u64::from(self.algebra.degree(monomial));
        sum.map(|s| if degree == 1 { s } else { self.context.div_integer(&s, degree) })
    }

    fn square_root(&self, a: &Jet<C::Num>, value: C::Num) -> Jet<C::Num> {
        // 2·y₀·y_γ = a_γ - Σ y_α·y_β over α, β ≠ 0, γ
        let twice = self.context.mul_integer(&value, 2);
        let mut opposite = Jet::constant(self.context.neg(&value));
        let mut y = Jet::constant(value);
        for monomial in 1..self.algebra.len() {
            let next = if self.is_cut_short(monomial) {
                Some(self.context.bottom())
            } else {
                self.recurrence_residual(a, &y, &opposite, monomial).map(|r| self.context.div(&r, &twice))
            };
            opposite.set(monomial, next.as_ref().map(|c| self.context.neg(c)));
            y.set(monomial, next);
        }
        y
    }
}

/// Returns the index of the unknown that is the derivative of the one at `own`, if any.
fn slope_index<N>(unknowns: &[CoupledFunction<N>], own: usize) -> Option<usize> {
    match unknowns[own].function.slope_formula() {
        Formula::Y => Some(own),
        Formula::Apply(f, _) => unknowns.iter().position(|u| u.function == f),
        _ => None,
    }
}
