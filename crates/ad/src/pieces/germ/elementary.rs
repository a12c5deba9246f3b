//! Quotients, powers and elementary functions of series.
//!
//! | of a series a + u, where u tends to 0 | expansion |
//! |---|---|
//! | 1/c·t^e·(1 + u), powers of it | (1 + u)^q by the binomial recurrence |
//! | f, of a number a in the interior of its domain | f(a) + ∫ f′(a + u)·u′ dt, where f′ is the derivative in the row of f |
//! | f, of an end a of its domain that belongs to it | likewise: the derivative is a series with negative powers |
//! | f, of an end a where it is unbounded | tan only: sin/cos |

use super::series::{Germ, LARGEST_RAMIFICATION, add_coefficients, multiply_coefficients};
use super::{GermError, OneSidedGerms, no_expansion};
use crate::function::{BinaryShape, DomainEnd, Formula, FormulaStep, Function, Monotonicity, Planar};
use crate::number::Rational;
use crate::smooth::graph::{Binary, Graph};
use std::cmp::Ordering;

/// The largest numerator of an exponent, in units of 1/m. A choice: longer series are useless.
const LARGEST_POWER: i64 = 1 << 24;

impl OneSidedGerms<'_> {
    /// 1/a
    pub(super) fn invert_series(&self, a: &Germ) -> Result<Germ, GermError> {
        self.power_of_series(a, &Rational::from(-1))
    }

    /// a^q
    pub(super) fn power_of_series(&self, a: &Germ, q: &Rational) -> Result<Germ, GermError> {
        let whole = (*q.denom() == 1).then(|| q.numer().to_u32()).flatten();
        // small powers by products, which keep finite series finite
        if let Some(n) = whole.filter(|n| *n <= 3) {
            let power = (0..n).try_fold(Germ::constant(Graph::integer(1)), |power, _| power.times(a));
            return Ok(power?.truncate_terms(self.terms));
        }
        let Some((a, _)) = self.trim_zeros(a)? else {
            return if *q > 0 { Ok(Germ::constant(Graph::integer(0))) } else { Err(no_expansion("a power of 0")) };
        };
        // the exponent of the first term, over the denominator m, or a multiple of it
        let exponent = Rational::from(q * a.first_power()) / a.ramification();
        let denominator = exponent.denom().to_u32().filter(|d| *d <= LARGEST_RAMIFICATION);
        let ramification = denominator.map_or(u32::MAX, |d| d.saturating_mul(a.ramification()));
        if ramification > LARGEST_RAMIFICATION {
            return Err(no_expansion("a root of such a high order"));
        }
        let a = a.with_ramification(ramification);
        let power = (exponent * ramification).to_f64();
        if power.abs() > LARGEST_POWER as f64 {
            return Err(no_expansion("a power of such a high order"));
        }
        let Some((lead, rest)) = a.coefficients().split_first() else { return Err(GermError::AllTermsZero) };
        let first = power_of_coefficient(lead, q)?;
        if rest.is_empty() && a.is_finite() {
            return Ok(Germ::monomial(power as i64, first, ramification));
        }
        // (1 + Σ aₙtⁿ)^q = Σ rₙtⁿ: n·rₙ = Σⱼ (q·j - (n - j))·aⱼ·rₙ₋ⱼ
        let known = if a.is_finite() { self.terms * ramification as usize } else { rest.len() + 1 };
        let relative: Vec<_> = rest.iter().map(|c| divide_coefficients(c, lead)).collect();
        let mut terms = vec![Graph::integer(1)];
        for n in 1..known {
            let mut total = Graph::integer(0);
            for j in 1..=n.min(relative.len()) {
                let factor = (Rational::from(q * (j as u64)) - ((n - j) as u64)) / (n as u64);
                let term = multiply_coefficients(
                    &multiply_coefficients(&Graph::rational(factor), &relative[j - 1]),
                    &terms[n - j],
                );
                total = add_coefficients(&total, &term, 1);
            }
            terms.push(total);
        }
        let terms = terms.iter().map(|r| multiply_coefficients(&first, r)).collect();
        let found = Germ::from(power as i64, terms, ramification);
        Ok(found.as_finite_power(&a, q).unwrap_or(found))
    }

    /// f(x)
    pub(super) fn apply_function(&mut self, f: Function, x: &Germ) -> Result<Germ, GermError> {
        let end = self.terms as i64 * i64::from(x.ramification());
        self.function_below(f, x, end)
    }

    /// The powers of f(x) below one.
    fn function_below(&mut self, f: Function, x: &Germ, end: i64) -> Result<Germ, GermError> {
        match (f, f.row().monotonicity) {
            (_, Monotonicity::Root(n)) => return self.power_of_series(x, &Rational::from((1, u32::from(n)))),
            (_, Monotonicity::Poles) => {
                let [sine, cosine] = [Function::Sin, Function::Cos].map(|f| self.function_below(f, x, end));
                return Ok(sine?.times(&self.invert_series(&cosine?)?)?.truncate_terms(self.terms));
            }
            _ => {}
        }
        // all other functions are analytic, or have a series at a closed end, for arguments that stay finite
        let x = self.without_poles(f, x)?;
        let a = x.coefficient(0).ok_or(GermError::AllTermsZero)?;
        self.check_interior(f, &a)?;
        let start = function_value(f, &a);
        let end = x.first_unknown_power().map_or(end, |known| known.min(end));
        // the first power with a coefficient that may vary
        let moving =
            (1..end).find(|k| x.coefficient(*k).and_then(|c| c.as_rational().cloned()) != Some(Rational::new()));
        let Some(moving) = moving else {
            let constant = Germ::constant(start);
            if x.is_finite() && x.coefficients().len() as i64 + x.first_power() <= 1 {
                return Ok(constant);
            }
            // at a closed end, where f is not analytic, f(a + O(tⁿ)) is not f(a) + O(tⁿ)
            if self.is_at_domain_end(f, &a)? {
                return Err(GermError::AllTermsZero);
            }
            return constant.add_signed(&Germ::from(end, Vec::new(), x.ramification()), 1);
        };
        let (slope, motion) = (f.slope_formula(), x.truncate_below(end).derivative());
        // integration gains `moving` powers, so the derivative needs that many fewer; at a closed end it needs all
        let inner = if self.is_at_domain_end(f, &a)? { x.truncate_below(end) } else { x.truncate_below(end - moving) };
        // f′ may be a formula in f itself, as exp′ = exp: then iterate, since each turn makes more terms of y right
        let mut y = Germ::constant(start.clone()).add_signed(&Germ::from(moving, Vec::new(), x.ramification()), 1)?;
        loop {
            let slope = self.evaluate_formula(slope, &[&inner], &y, (end - moving, x.ramification()))?;
            let rise = slope.times(&motion)?;
            let m = i64::from(rise.ramification());
            // 1/t is the derivative of a logarithm
            if self.coefficient_sign(&rise.coefficient(-m).ok_or(GermError::AllTermsZero)?)? != Ordering::Equal {
                return Err(no_expansion(f.name()));
            }
            let next = Germ::constant(start.clone()).add_signed(&rise.integrate_terms(), 1)?.truncate_terms(self.terms);
            let known = |germ: &Germ| germ.first_unknown_power().map(|end| Rational::from((end, germ.ramification())));
            if !f.slope_formula().mentions_value() || known(&next) <= known(&y) {
                return Ok(next);
            }
            y = next;
        }
    }

    /// Drops terms of negative powers. Fails unless their coefficients are decided to be 0.
    fn without_poles(&self, f: Function, x: &Germ) -> Result<Germ, GermError> {
        for power in x.first_power()..0 {
            if self.coefficient_sign(&x.coefficient(power).ok_or(GermError::AllTermsZero)?)? != Ordering::Equal {
                return Err(no_expansion(f.name()));
            }
        }
        Ok(if x.first_power() < 0 {
            x.drop_leading(usize::try_from(-x.first_power()).unwrap_or(0).min(x.coefficients().len()))
        } else {
            x.clone()
        })
    }

    /// Returns `true` if `a` is an end of the domain that belongs to it.
    fn is_at_domain_end(&self, f: Function, a: &Graph) -> Result<bool, GermError> {
        for edge in [f.row().domain.left, f.row().domain.right] {
            let DomainEnd::Closed(at) = edge else { continue };
            if self.coefficient_sign(&Graph::binary(Binary::Subtract, a, &Graph::integer(at.into())))?
                == Ordering::Equal
            {
                return Ok(true);
            }
        }
        Ok(false)
    }

    /// Rejects numbers at which a function is unbounded.
    fn check_interior(&self, f: Function, a: &Graph) -> Result<(), GermError> {
        let row = f.row();
        for edge in [row.domain.left, row.domain.right] {
            let DomainEnd::Open(at) = edge else { continue };
            if self.coefficient_sign(&Graph::binary(Binary::Subtract, a, &Graph::integer(at.into())))?
                == Ordering::Equal
            {
                return Err(no_expansion(f.name()));
            }
        }
        // Γ and its relatives: only for positive numbers, where there are no poles
        if matches!(row.monotonicity, Monotonicity::IncreasingBranches | Monotonicity::ConvexBranches)
            && self.coefficient_sign(a)? != Ordering::Greater
        {
            return Err(no_expansion(f.name()));
        }
        Ok(())
    }

    /// Evaluates a formula on series, with `y` for the value of the function; `end` is the first unneeded power, and
    /// its denominator.
    fn evaluate_formula(
        &mut self,
        formula: Formula,
        x: &[&Germ],
        y: &Germ,
        end: (i64, u32),
    ) -> Result<Germ, GermError> {
        let terms = self.terms;
        formula.eval_with(&mut |step: FormulaStep<Result<Germ, GermError>>| {
            let number = |q: Rational| Germ::constant(Graph::rational(q));
            let found = match step {
                FormulaStep::Argument(index) => x
                    .get(index)
                    .map_or_else(|| Err(no_expansion("a function of two variables")), |x| Ok((*x).clone()))?,
                FormulaStep::Y => y.clone(),
                FormulaStep::Number(p, q) => number(Rational::from((p, q))),
                FormulaStep::Pi => Germ::constant(Graph::pi()),
                FormulaStep::Negate(a) => a?.times(&number(Rational::from(-1)))?,
                FormulaStep::Add(a, b) => a?.add_signed(&b?, 1)?,
                FormulaStep::Subtract(a, b) => a?.add_signed(&b?, -1)?,
                FormulaStep::Multiply(a, b) => a?.times(&b?)?,
                FormulaStep::Divide(a, b) => a?.times(&self.invert_series(&b?)?)?,
                FormulaStep::Square(a) => self.power_of_series(&a?, &Rational::from(2))?,
                FormulaStep::Inverse(a) => self.invert_series(&a?)?,
                FormulaStep::InverseRoot(a) => self.power_of_series(&a?, &Rational::from((-1, 2)))?,
                FormulaStep::Apply(f, a) => {
                    let a = a?;
                    let end = end.0 * i64::from(a.ramification()) / i64::from(end.1);
                    self.function_below(f, &a, end)?
                }
            };
            Ok(found.truncate_terms(terms))
        })
    }

    /// Expands a function of two variables.
    pub(super) fn apply_binary(&mut self, f: Planar, y: &Germ, x: &Germ) -> Result<Germ, GermError> {
        match f.row().shape {
            BinaryShape::Angle => self.expand_angle(y, x),
        }
    }

    /// Expands the angle of (x, y): arctan (y/x) plus a half turn, or a quarter turn minus arctan (x/y).
    fn expand_angle(&mut self, y: &Germ, x: &Germ) -> Result<Germ, GermError> {
        let half = |n: i64, d: i64| {
            Germ::constant(Graph::binary(Binary::Multiply, &Graph::rational(Rational::from((n, d))), &Graph::pi()))
        };
        let order = |germ: &Germ| Rational::from((germ.first_power(), germ.ramification()));
        let (height, width) = (self.trim_zeros(y)?, self.trim_zeros(x)?);
        let (over, under, turn, sign) = match (height, width) {
            (None, None) => return Err(no_expansion("atan2")),
            // divide by the larger of the two: the quotient tends to a finite number
            (Some((y, above)), Some((x, _))) if order(&y) < order(&x) => {
                (x, y, half(if above == Ordering::Less { -1 } else { 1 }, 2), -1)
            }
            (Some((_, above)), None) => return Ok(half(if above == Ordering::Less { -1 } else { 1 }, 2)),
            (None, Some((_, Ordering::Less))) => return Ok(half(1, 1)),
            (None, Some(_)) => return Ok(Germ::constant(Graph::integer(0))),
            (Some((y, above)), Some((x, right))) => {
                let turn = match (right, above) {
                    // on the negative half axis the angle jumps; y = 0 belongs to the upper side
                    (Ordering::Less, Ordering::Less) => half(-1, 1),
                    (Ordering::Less, _) => half(1, 1),
                    _ => Germ::constant(Graph::integer(0)),
                };
                (y, x, turn, 1)
            }
        };
        let ratio = over.times(&self.invert_series(&under)?)?.truncate_terms(self.terms);
        turn.add_signed(&self.apply_function(Function::Atan, &ratio)?, sign)
    }
}

/// Returns f(a), as a rational number if it is known to be one.
fn function_value(f: Function, a: &Graph) -> Graph {
    let exact = a.as_rational().and_then(|q| {
        let x = q.to_f64();
        let known = f.exact_value(x).filter(|_| Rational::from_f64(x).as_ref() == Some(q))?;
        Rational::from_f64(known)
    });
    exact.map_or_else(|| Graph::function(f, a), Graph::rational)
}

fn divide_coefficients(a: &Graph, b: &Graph) -> Graph {
    if b.as_rational().is_some_and(|q| *q == 1) { a.clone() } else { Graph::binary(Binary::Divide, a, b) }
}

/// Returns c^q, as a rational number if roots and powers are exact. Fails for exponents that are too large.
fn power_of_coefficient(c: &Graph, q: &Rational) -> Result<Graph, GermError> {
    if let (Some(c), Some(n), Some(d)) = (c.as_rational(), q.numer().to_i32(), q.denom().to_u32())
        && n.unsigned_abs() <= 64
        && let Some(root) = rational_root(c, d)
    {
        let power = |q: &Rational| (0..n.unsigned_abs()).fold(Rational::from(1), |power, _| power * q);
        return Ok(Graph::rational(if n < 0 { power(&root.recip()) } else { power(&root) }));
    }
    Graph::power(c, q).ok_or_else(|| no_expansion("a power of such a high order"))
}

/// Returns the rational root of this order. Returns `None` if there is none.
fn rational_root(q: &Rational, order: u32) -> Option<Rational> {
    if order == 1 {
        return Some(q.clone());
    }
    if *q < 0 && order.is_multiple_of(2) {
        return None;
    }
    let root = Rational::from((q.numer().clone().root(order), q.denom().clone().root(order)));
    let power = (0..order).fold(Rational::from(1), |power, _| power * &root);
    (power == *q).then_some(root)
}
