//! Quotients, powers and elementary functions of series.
//!
//! | of a series a + u, where u tends to 0 | expansion |
//! |---|---|
//! | 1/c·t^e·(1 + u), powers of it | (1 + u)^q by the binomial recurrence |
//! | f, of a number a in the interior of its domain | f(a) + ∫ f′(a + u)·u′ dt, where f′ is the derivative in the row of f |
//! | f, of an end a of its domain that belongs to it | likewise: the derivative is a series with negative powers |
//! | f, of an end a where it is unbounded | tan only: sin/cos |

use super::series::{Germ, LARGEST_RAMIFICATION, product, sum};
use super::{Germs, Obstacle, unknown};
use crate::function::{Course, Edge, Formula, Function, Planar, Step, Surface};
use crate::number::Rational;
use crate::smooth::graph::{Binary, Graph};
use std::cmp::Ordering;

/// The largest numerator of an exponent, in units of 1/m. A choice: longer series are useless.
const LARGEST_POWER: i64 = 1 << 24;

impl Germs<'_> {
    /// 1/a
    pub(super) fn inverse(&self, a: &Germ) -> Result<Germ, Obstacle> {
        self.power(a, &Rational::from(-1))
    }

    /// a^q
    pub(super) fn power(&self, a: &Germ, q: &Rational) -> Result<Germ, Obstacle> {
        let whole = (*q.denom() == 1).then(|| q.numer().to_u32()).flatten();
        // small powers by products, which keep finite series finite
        if let Some(n) = whole.filter(|n| *n <= 3) {
            let power = (0..n).try_fold(Germ::constant(Graph::integer(1)), |power, _| power.times(a));
            return Ok(power?.cut(self.terms));
        }
        let Some((a, _)) = self.trimmed(a)? else {
            return if *q > 0 { Ok(Germ::constant(Graph::integer(0))) } else { Err(unknown("a power of 0")) };
        };
        // the exponent of the first term, over the denominator m, or a multiple of it
        let exponent = Rational::from(q * a.first()) / a.ramification();
        let denominator = exponent.denom().to_u32().filter(|d| *d <= LARGEST_RAMIFICATION);
        let ramification = denominator.map_or(u32::MAX, |d| d.saturating_mul(a.ramification()));
        if ramification > LARGEST_RAMIFICATION {
            return Err(unknown("a root of such a high order"));
        }
        let a = a.over(ramification);
        let power = (exponent * ramification).to_f64();
        if power.abs() > LARGEST_POWER as f64 {
            return Err(unknown("a power of such a high order"));
        }
        let Some((lead, rest)) = a.coefficients().split_first() else { return Err(Obstacle::Terms) };
        let first = powered(lead, q)?;
        if rest.is_empty() && a.is_finite() {
            return Ok(Germ::monomial(power as i64, first, ramification));
        }
        // (1 + Σ aₙtⁿ)^q = Σ rₙtⁿ: n·rₙ = Σⱼ (q·j - (n - j))·aⱼ·rₙ₋ⱼ
        let known = if a.is_finite() { self.terms * ramification as usize } else { rest.len() + 1 };
        let relative: Vec<_> = rest.iter().map(|c| quotient(c, lead)).collect();
        let mut terms = vec![Graph::integer(1)];
        for n in 1..known {
            let mut total = Graph::integer(0);
            for j in 1..=n.min(relative.len()) {
                let factor = (Rational::from(q * (j as u64)) - ((n - j) as u64)) / (n as u64);
                let term = product(&product(&Graph::rational(factor), &relative[j - 1]), &terms[n - j]);
                total = sum(&total, &term, 1);
            }
            terms.push(total);
        }
        let terms = terms.iter().map(|r| product(&first, r)).collect();
        let found = Germ::from(power as i64, terms, ramification);
        Ok(found.as_root(&a, q).unwrap_or(found))
    }

    /// f(x)
    pub(super) fn function(&mut self, f: Function, x: &Germ) -> Result<Germ, Obstacle> {
        let end = self.terms as i64 * i64::from(x.ramification());
        self.function_below(f, x, end)
    }

    /// The powers of f(x) below one.
    fn function_below(&mut self, f: Function, x: &Germ, end: i64) -> Result<Germ, Obstacle> {
        match (f, f.row().course) {
            (_, Course::Root(n)) => return self.power(x, &Rational::from((1, u32::from(n)))),
            (_, Course::Poles) => {
                let [sine, cosine] = [Function::Sin, Function::Cos].map(|f| self.function_below(f, x, end));
                return Ok(sine?.times(&self.inverse(&cosine?)?)?.cut(self.terms));
            }
            _ => {}
        }
        // all other functions are analytic, or have a series at a closed end, for arguments that stay finite
        let x = self.without_poles(f, x)?;
        let a = x.coefficient(0).ok_or(Obstacle::Terms)?;
        self.is_inside(f, &a)?;
        let start = value(f, &a);
        let end = x.end().map_or(end, |known| known.min(end));
        // the first power with a coefficient that may vary
        let moving =
            (1..end).find(|k| x.coefficient(*k).and_then(|c| c.as_rational().cloned()) != Some(Rational::new()));
        let Some(moving) = moving else {
            let constant = Germ::constant(start);
            if x.is_finite() && x.coefficients().len() as i64 + x.first() <= 1 {
                return Ok(constant);
            }
            // at a closed end, where f is not analytic, f(a + O(tⁿ)) is not f(a) + O(tⁿ)
            if self.is_at_edge(f, &a)? {
                return Err(Obstacle::Terms);
            }
            return constant.plus(&Germ::from(end, Vec::new(), x.ramification()), 1);
        };
        let (slope, motion) = (f.slope(), x.below(end).derivative());
        // integration gains `moving` powers, so the derivative needs that many fewer; at a closed end it needs all
        let inner = if self.is_at_edge(f, &a)? { x.below(end) } else { x.below(end - moving) };
        // f′ may be a formula in f itself, as exp′ = exp: then iterate, since each turn makes more terms of y right
        let mut y = Germ::constant(start.clone()).plus(&Germ::from(moving, Vec::new(), x.ramification()), 1)?;
        loop {
            let slope = self.formula(slope, &[&inner], &y, (end - moving, x.ramification()))?;
            let rise = slope.times(&motion)?;
            let m = i64::from(rise.ramification());
            // 1/t is the derivative of a logarithm
            if self.sign(&rise.coefficient(-m).ok_or(Obstacle::Terms)?)? != Ordering::Equal {
                return Err(unknown(f.name()));
            }
            let next = Germ::constant(start.clone()).plus(&rise.integral(), 1)?.cut(self.terms);
            let known = |germ: &Germ| germ.end().map(|end| Rational::from((end, germ.ramification())));
            if !f.slope().mentions_value() || known(&next) <= known(&y) {
                return Ok(next);
            }
            y = next;
        }
    }

    /// Drops terms of negative powers. Fails unless their coefficients are decided to be 0.
    fn without_poles(&self, f: Function, x: &Germ) -> Result<Germ, Obstacle> {
        for power in x.first()..0 {
            if self.sign(&x.coefficient(power).ok_or(Obstacle::Terms)?)? != Ordering::Equal {
                return Err(unknown(f.name()));
            }
        }
        Ok(if x.first() < 0 {
            x.without(usize::try_from(-x.first()).unwrap_or(0).min(x.coefficients().len()))
        } else {
            x.clone()
        })
    }

    /// Returns `true` if `a` is an end of the domain that belongs to it.
    fn is_at_edge(&self, f: Function, a: &Graph) -> Result<bool, Obstacle> {
        for edge in [f.row().domain.left, f.row().domain.right] {
            let Edge::Closed(at) = edge else { continue };
            if self.sign(&Graph::binary(Binary::Subtract, a, &Graph::integer(at.into())))? == Ordering::Equal {
                return Ok(true);
            }
        }
        Ok(false)
    }

    /// Rejects numbers at which a function is unbounded.
    fn is_inside(&self, f: Function, a: &Graph) -> Result<(), Obstacle> {
        let row = f.row();
        for edge in [row.domain.left, row.domain.right] {
            let Edge::Open(at) = edge else { continue };
            if self.sign(&Graph::binary(Binary::Subtract, a, &Graph::integer(at.into())))? == Ordering::Equal {
                return Err(unknown(f.name()));
            }
        }
        // Γ and its relatives: only for positive numbers, where there are no poles
        if matches!(row.course, Course::RisingBranches | Course::ConvexBranches) && self.sign(a)? != Ordering::Greater {
            return Err(unknown(f.name()));
        }
        Ok(())
    }

    /// Evaluates a formula on series, with `y` for the value of the function; `end` is the first unneeded power, and
    /// its denominator.
    fn formula(&mut self, formula: Formula, x: &[&Germ], y: &Germ, end: (i64, u32)) -> Result<Germ, Obstacle> {
        let terms = self.terms;
        formula.evaluate(&mut |step: Step<Result<Germ, Obstacle>>| {
            let number = |q: Rational| Germ::constant(Graph::rational(q));
            let found = match step {
                Step::Argument(index) => {
                    x.get(index).map_or_else(|| Err(unknown("a function of two variables")), |x| Ok((*x).clone()))?
                }
                Step::Y => y.clone(),
                Step::Number(p, q) => number(Rational::from((p, q))),
                Step::Pi => Germ::constant(Graph::pi()),
                Step::Negate(a) => a?.times(&number(Rational::from(-1)))?,
                Step::Add(a, b) => a?.plus(&b?, 1)?,
                Step::Subtract(a, b) => a?.plus(&b?, -1)?,
                Step::Multiply(a, b) => a?.times(&b?)?,
                Step::Divide(a, b) => a?.times(&self.inverse(&b?)?)?,
                Step::Square(a) => self.power(&a?, &Rational::from(2))?,
                Step::Inverse(a) => self.inverse(&a?)?,
                Step::InverseRoot(a) => self.power(&a?, &Rational::from((-1, 2)))?,
                Step::Of(f, a) => {
                    let a = a?;
                    let end = end.0 * i64::from(a.ramification()) / i64::from(end.1);
                    self.function_below(f, &a, end)?
                }
            };
            Ok(found.cut(terms))
        })
    }

    /// Expands a function of two variables.
    pub(super) fn planar(&mut self, f: Planar, y: &Germ, x: &Germ) -> Result<Germ, Obstacle> {
        match f.row().surface {
            Surface::Angle => self.angle(y, x),
        }
    }

    /// Expands the angle of (x, y): arctan (y/x) plus a half turn, or a quarter turn minus arctan (x/y).
    fn angle(&mut self, y: &Germ, x: &Germ) -> Result<Germ, Obstacle> {
        let half = |n: i64, d: i64| {
            Germ::constant(Graph::binary(Binary::Multiply, &Graph::rational(Rational::from((n, d))), &Graph::pi()))
        };
        let order = |germ: &Germ| Rational::from((germ.first(), germ.ramification()));
        let (height, width) = (self.trimmed(y)?, self.trimmed(x)?);
        let (over, under, turn, sign) = match (height, width) {
            (None, None) => return Err(unknown("atan2")),
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
        let ratio = over.times(&self.inverse(&under)?)?.cut(self.terms);
        turn.plus(&self.function(Function::Atan, &ratio)?, sign)
    }
}

/// Returns f(a), as a rational number if it is known to be one.
fn value(f: Function, a: &Graph) -> Graph {
    let exact = a.as_rational().and_then(|q| {
        let x = q.to_f64();
        let known = f.exact(x).filter(|_| Rational::from_f64(x).as_ref() == Some(q))?;
        Rational::from_f64(known)
    });
    exact.map_or_else(|| Graph::function(f, a), Graph::rational)
}

fn quotient(a: &Graph, b: &Graph) -> Graph {
    if b.as_rational().is_some_and(|q| *q == 1) { a.clone() } else { Graph::binary(Binary::Divide, a, b) }
}

/// Returns c^q, as a rational number if roots and powers are exact. Fails for exponents that are too large.
fn powered(c: &Graph, q: &Rational) -> Result<Graph, Obstacle> {
    if let (Some(c), Some(n), Some(d)) = (c.as_rational(), q.numer().to_i32(), q.denom().to_u32())
        && n.unsigned_abs() <= 64
        && let Some(root) = root(c, d)
    {
        let power = |q: &Rational| (0..n.unsigned_abs()).fold(Rational::from(1), |power, _| power * q);
        return Ok(Graph::rational(if n < 0 { power(&root.recip()) } else { power(&root) }));
    }
    Graph::power(c, q).ok_or_else(|| unknown("a power of such a high order"))
}

/// Returns the rational root of this order. Returns `None` if there is none.
fn root(q: &Rational, order: u32) -> Option<Rational> {
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
