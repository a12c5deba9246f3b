//! Random piecewise rational programs of one real variable, with exact values and derivatives as an oracle.
//!
//! The oracle evaluates on dual numbers over ℚ. At a *border*, where a guard compares equal numbers, it takes the branch that
//! the program takes. It shares nothing with the [model](crate::meaning::pap) of piecewise analytic functions.

use crate::number::Rational;
use crate::random::SplitMix64;
use std::cmp::Ordering;
use std::fmt;

/// A number with its derivative in one variable.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct RationalDualNumber {
    /// The number.
    pub value: Rational,
    /// Its derivative.
    pub slope: Rational,
}

/// A function of one real number x. It prints as a program.
#[derive(Clone, Debug)]
pub struct PiecewiseProgram(PiecewiseExpression);

/// An expression in the variable x.
#[derive(Clone, Debug)]
enum PiecewiseExpression {
    Variable,
    Number(Rational),
    /// One of `+`, `-`, `*`, `/`, and its operands.
    Arithmetic(char, Box<[PiecewiseExpression; 2]>),
    Abs(Box<PiecewiseExpression>),
    /// `max` if `true`, `min` otherwise.
    MaxOrMin(bool, Box<[PiecewiseExpression; 2]>),
    /// A comparison sign, its two sides, and the branches for `true` and `false`.
    If(&'static str, Box<[PiecewiseExpression; 4]>),
    /// `let rec f y = if y < c then a * y else f (y / 2) + k in f e`, for `[c, a, k]` with c > 0, and e.
    Halving([Rational; 3], Box<PiecewiseExpression>),
}

use PiecewiseExpression::{Abs, Arithmetic, Halving, If, MaxOrMin, Number, Variable};

/// A program with four points. Two of them are recorded borders, if there are any in (−4, 4).
#[derive(Clone, Debug)]
pub struct PiecewiseSample {
    /// The program.
    pub program: PiecewiseProgram,
    /// The points.
    pub points: Vec<Rational>,
    /// `true` if the program has a guard, and so a border.
    pub has_guard: bool,
    /// `true` if the program has a recursion.
    pub has_recursion: bool,
}

/// A generator of piecewise programs, which also records their borders and features.
struct PiecewiseGenerator {
    random: SplitMix64,
    /// The points at which a guard compares equal numbers; one for each guard or recursion.
    borders: Vec<Rational>,
    has_guard: bool,
    has_recursion: bool,
}

/// Draws a program and its points from a stream of random numbers.
#[must_use]
pub fn draw_sample(random: SplitMix64) -> PiecewiseSample {
    let mut maker = PiecewiseGenerator { random, borders: Vec::new(), has_guard: false, has_recursion: false };
    let program = PiecewiseProgram(maker.draw_expression(4));
    // the laws explore programs on [−4, 4], so other borders are left out
    let inside: Vec<_> = maker.borders.iter().filter(|q| (*q).clone().abs() < 4).cloned().collect();
    let mut points = Vec::new();
    for index in 0..4 {
        points.push(match index % 2 == 0 && !inside.is_empty() {
            true => maker.random.pick(&inside).clone(),
            false => maker.draw_number(),
        });
    }
    PiecewiseSample { program, points, has_guard: maker.has_guard, has_recursion: maker.has_recursion }
}

impl PiecewiseGenerator {
    /// Draws a rational number in [−3, 3] with a denominator of at most 4.
    fn draw_number(&mut self) -> Rational {
        let denominator = 1 + self.random.next_below(4) as i64;
        Rational::from((self.random.next_below(6 * denominator as usize + 1) as i64 - 3 * denominator, denominator))
    }

    /// Draws a line a·x + b with a ≠ 0, and returns it with a and b. Its root is −b/a.
    fn draw_line(&mut self) -> (PiecewiseExpression, Rational, Rational) {
        let (a, b) = (Rational::from(1 + self.random.next_below(3) as i64), self.draw_number());
        let a = if self.random.random_bool(30) { -a } else { a };
        let product = Arithmetic('*', Box::new([Number(a.clone()), Variable]));
        (Arithmetic('+', Box::new([product, Number(b.clone())])), a, b)
    }

    /// Draws a line and a constant, to be compared. They are equal at one point, which is recorded as a border.
    fn draw_border(&mut self) -> [PiecewiseExpression; 2] {
        let ((line, a, b), c) = (self.draw_line(), self.draw_number());
        self.borders.push(Rational::from(&c - &b) / a);
        self.has_guard = true;
        [line, Number(c)]
    }

    /// Draws a polynomial, as a full tree of sums, differences and products of this depth.
    fn draw_polynomial(&mut self, depth: u32) -> PiecewiseExpression {
        match depth {
            0 if self.random.random_bool(60) => Variable,
            0 => Number(self.draw_number()),
            _ => {
                let sign = *self.random.pick(&['+', '-', '*']);
                Arithmetic(sign, Box::new([self.draw_polynomial(depth - 1), self.draw_polynomial(depth - 1)]))
            }
        }
    }

    /// Draws an expression nested at most `depth` deep, not counting lines. Guards compare a line in x with a number, so their
    /// borders are rational.
    fn draw_expression(&mut self, depth: u32) -> PiecewiseExpression {
        if depth == 0 {
            return if self.random.random_bool(60) { Variable } else { Number(self.draw_number()) };
        }
        let two = |maker: &mut Self| Box::new([maker.draw_expression(depth - 1), maker.draw_expression(depth - 1)]);
        match self.random.next_below(10) {
            0 | 1 => Arithmetic('+', two(self)),
            2 => Arithmetic('*', two(self)),
            3 => Arithmetic('/', Box::new([self.draw_expression(depth - 1), self.draw_line().0])),
            4 => {
                let [line, c] = self.draw_border();
                Abs(Box::new(Arithmetic('-', Box::new([line, c]))))
            }
            5 => MaxOrMin(self.random.random_bool(50), Box::new(self.draw_border())),
            6 => {
                self.has_recursion = true;
                let (c, a) = (Rational::from(1 + self.random.next_below(2) as i64), self.draw_number());
                let (line, slope, b) = self.draw_line();
                // at line = 2c the number of unfoldings changes; it does so at c, 4c, 8c … as well, but one border is enough
                self.borders.push((c.clone() * 2u32 - b) / slope);
                self.has_guard = true;
                Halving([c, a, self.draw_number()], Box::new(line))
            }
            _ => {
                let sign = *self.random.pick(&["<", "<=", ">", ">=", "==", "/="]);
                let [line, c] = self.draw_border();
                let [then, otherwise] = *two(self);
                If(sign, Box::new([line, c, then, otherwise]))
            }
        }
    }
}

impl PiecewiseProgram {
    /// Returns value and derivative at a point. Returns `None` if the evaluation divides by 0.
    #[must_use]
    pub fn eval_dual(&self, x: &Rational) -> Option<RationalDualNumber> {
        self.0.eval_dual(&RationalDualNumber { value: x.clone(), slope: Rational::from(1) }, &mut false)
    }

    /// Returns `true` if evaluation at the point compares two equal numbers, up to a division by 0 if there is one.
    #[must_use]
    pub fn is_on_border(&self, x: &Rational) -> bool {
        let mut touches = false;
        self.0.eval_dual(&RationalDualNumber { value: x.clone(), slope: Rational::from(1) }, &mut touches);
        touches
    }
}

/// Draws a polynomial, and a conditional with that polynomial in both branches. Returns the conditional, the polynomial
/// and the border.
#[must_use]
pub fn draw_removable_border(random: SplitMix64) -> (PiecewiseProgram, PiecewiseProgram, Rational) {
    let mut maker = PiecewiseGenerator { random, borders: Vec::new(), has_guard: false, has_recursion: false };
    let smooth = maker.draw_polynomial(3);
    let sign = *maker.random.pick(&["<", "<=", ">", ">="]);
    let [line, c] = maker.draw_border();
    let border = maker.borders.swap_remove(0);
    let whole = If(sign, Box::new([line, c, smooth.clone(), smooth.clone()]));
    (PiecewiseProgram(whole), PiecewiseProgram(smooth), border)
}

impl PiecewiseExpression {
    /// Evaluates on dual numbers, and sets `touches` if equal numbers are compared. Returns `None` at a division by 0.
    fn eval_dual(&self, x: &RationalDualNumber, touches: &mut bool) -> Option<RationalDualNumber> {
        let constant = |q: &Rational| RationalDualNumber { value: q.clone(), slope: Rational::new() };
        Some(match self {
            Variable => x.clone(),
            Number(q) => constant(q),
            Arithmetic(sign, parts) => {
                let (a, b) = (parts[0].eval_dual(x, touches)?, parts[1].eval_dual(x, touches)?);
                match sign {
                    '+' => RationalDualNumber { value: a.value + b.value, slope: a.slope + b.slope },
                    '-' => RationalDualNumber { value: a.value - b.value, slope: a.slope - b.slope },
                    '*' => RationalDualNumber {
                        slope: Rational::from(&a.slope * &b.value) + Rational::from(&b.slope * &a.value),
                        value: a.value * b.value,
                    },
                    _ if b.value == 0 => return None,
                    _ => {
                        let value = Rational::from(&a.value / &b.value);
                        RationalDualNumber { slope: (a.slope - Rational::from(&value * &b.slope)) / b.value, value }
                    }
                }
            }
            Abs(a) => {
                let a = a.eval_dual(x, touches)?;
                *touches |= a.value == 0;
                // at 0 the branch of non-negative numbers is taken, as in the library's definition by pieces
                if a.value >= 0 { a } else { RationalDualNumber { value: -a.value, slope: -a.slope } }
            }
            MaxOrMin(is_max, parts) => {
                let (a, b) = (parts[0].eval_dual(x, touches)?, parts[1].eval_dual(x, touches)?);
                let order = if *is_max { a.value.cmp(&b.value) } else { b.value.cmp(&a.value) };
                *touches |= order == Ordering::Equal;
                if order == Ordering::Less { b } else { a }
            }
            If(sign, parts) => {
                let order = parts[0].eval_dual(x, touches)?.value.cmp(&parts[1].eval_dual(x, touches)?.value);
                *touches |= order == Ordering::Equal;
                let holds = match *sign {
                    "<" => order == Ordering::Less,
                    "<=" => order != Ordering::Greater,
                    ">" => order == Ordering::Greater,
                    ">=" => order != Ordering::Less,
                    "==" => order == Ordering::Equal,
                    _ => order != Ordering::Equal,
                };
                parts[if holds { 2 } else { 3 }].eval_dual(x, touches)?
            }
            Halving([c, a, k], of) => {
                let RationalDualNumber { mut value, mut slope } = of.eval_dual(x, touches)?;
                let mut more = Rational::new();
                // each test of the recursion may compare equal numbers, as the first does here
                *touches |= value == *c;
                while value >= *c {
                    value /= 2;
                    slope /= 2;
                    more += k;
                    *touches |= value == *c;
                }
                RationalDualNumber { value: value * a + more, slope: slope * a }
            }
        })
    }
}

impl fmt::Display for PiecewiseProgram {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "\\(x : Real) => {}", self.0)
    }
}

impl fmt::Display for PiecewiseExpression {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Variable => f.write_str("x"),
            Number(q) => write!(f, "({q} : Real)"),
            Arithmetic(sign, parts) => write!(f, "({} {sign} {})", parts[0], parts[1]),
            Abs(a) => write!(f, "(abs {a})"),
            MaxOrMin(is_max, parts) => {
                write!(f, "({} {} {})", if *is_max { "max" } else { "min" }, parts[0], parts[1])
            }
            If(sign, parts) => {
                write!(f, "(if {} {sign} {} then {} else {})", parts[0], parts[1], parts[2], parts[3])
            }
            Halving([c, a, k], of) => write!(
                f,
                "(let rec f (y : Real) : Real = if y < ({c}) then ({a}) * y else f (y / 2) + ({k}) in f {of})"
            ),
        }
    }
}
