//! Random rational programs in pieces, with their own exact evaluation as an oracle.

use crate::number::Rational;
use crate::random::Random;
use std::cmp::Ordering;
use std::fmt;

/// A number with its derivative in one variable.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Dual {
    /// The number.
    pub value: Rational,
    /// Its derivative.
    pub slope: Rational,
}

/// A program that is a function of one real number, x.
#[derive(Clone, Debug)]
pub struct Program(Expression);

/// An expression in the variable x.
#[derive(Clone, Debug)]
enum Expression {
    X,
    Number(Rational),
    Arithmetic(char, Box<[Expression; 2]>),
    Abs(Box<Expression>),
    /// `max` if `true`, `min` otherwise.
    Extreme(bool, Box<[Expression; 2]>),
    If(&'static str, Box<[Expression; 4]>),
    /// `let rec f y = if y < c then a * y else f (y / 2) + k in f e`, c > 0
    Halving([Rational; 3], Box<Expression>),
}

use Expression::{Abs, Arithmetic, Extreme, Halving, If, Number, X};

/// A program with points, half of which lie on its known borders, if it has any.
#[derive(Clone, Debug)]
pub struct Sample {
    /// The program.
    pub program: Program,
    /// The points.
    pub points: Vec<Rational>,
    /// `true` if the program has a border.
    pub branches: bool,
    /// `true` if the program has a recursion.
    pub recurs: bool,
}

/// A generator of programs in pieces, which also collects their borders.
struct Maker {
    random: Random,
    borders: Vec<Rational>,
    branches: bool,
    recurs: bool,
}

/// Draws the sample of a stream of random numbers.
#[must_use]
pub fn sample(random: Random) -> Sample {
    let mut maker = Maker { random, borders: Vec::new(), branches: false, recurs: false };
    let program = Program(maker.expression(4));
    // programs are unfolded on [−4, 4], so other borders are left out
    let inside: Vec<_> = maker.borders.iter().filter(|q| (*q).clone().abs() < 4).cloned().collect();
    let mut points = Vec::new();
    for index in 0..4 {
        points.push(match index % 2 == 0 && !inside.is_empty() {
            true => maker.random.pick(&inside).clone(),
            false => maker.number(),
        });
    }
    Sample { program, points, branches: maker.branches, recurs: maker.recurs }
}

impl Maker {
    /// Draws a rational number in [−3, 3] with a denominator of at most 4.
    fn number(&mut self) -> Rational {
        let denominator = 1 + self.random.below(4) as i64;
        Rational::from((self.random.below(6 * denominator as usize + 1) as i64 - 3 * denominator, denominator))
    }

    /// Draws a line a·x + b with a ≠ 0, and returns it with a and b. Its root is −b/a.
    fn line(&mut self) -> (Expression, Rational, Rational) {
        let (a, b) = (Rational::from(1 + self.random.below(3) as i64), self.number());
        let a = if self.random.chance(30) { -a } else { a };
        let product = Arithmetic('*', Box::new([Number(a.clone()), X]));
        (Arithmetic('+', Box::new([product, Number(b.clone())])), a, b)
    }

    /// Draws a line and a constant, to be compared. They are equal at a border, which is recorded.
    fn border(&mut self) -> [Expression; 2] {
        let ((line, a, b), c) = (self.line(), self.number());
        self.borders.push(Rational::from(&c - &b) / a);
        self.branches = true;
        [line, Number(c)]
    }

    /// Draws a polynomial of this depth.
    fn polynomial(&mut self, depth: u32) -> Expression {
        match depth {
            0 if self.random.chance(60) => X,
            0 => Number(self.number()),
            _ => {
                let sign = *self.random.pick(&['+', '-', '*']);
                Arithmetic(sign, Box::new([self.polynomial(depth - 1), self.polynomial(depth - 1)]))
            }
        }
    }

    /// Draws an expression of this depth. Guards compare a line in x with a number, so their borders are rational.
    fn expression(&mut self, depth: u32) -> Expression {
        if depth == 0 {
            return if self.random.chance(60) { X } else { Number(self.number()) };
        }
        let two = |maker: &mut Self| Box::new([maker.expression(depth - 1), maker.expression(depth - 1)]);
        match self.random.below(10) {
            0 | 1 => Arithmetic('+', two(self)),
            2 => Arithmetic('*', two(self)),
            3 => Arithmetic('/', Box::new([self.expression(depth - 1), self.line().0])),
            4 => {
                let [line, c] = self.border();
                Abs(Box::new(Arithmetic('-', Box::new([line, c]))))
            }
            5 => Extreme(self.random.chance(50), Box::new(self.border())),
            6 => {
                self.recurs = true;
                let (c, a) = (Rational::from(1 + self.random.below(2) as i64), self.number());
                let (line, slope, b) = self.line();
                // the recursion ends after one step where the line is below 2c; at c it changes as well, but one border
                // is enough
                self.borders.push((c.clone() * 2u32 - b) / slope);
                self.branches = true;
                Halving([c, a, self.number()], Box::new(line))
            }
            _ => {
                let sign = *self.random.pick(&["<", "<=", ">", ">=", "==", "/="]);
                let [line, c] = self.border();
                let [then, otherwise] = *two(self);
                If(sign, Box::new([line, c, then, otherwise]))
            }
        }
    }
}

impl Program {
    /// Returns value and derivative at a point. Returns `None` if something is divided by 0.
    #[must_use]
    pub fn at(&self, x: &Rational) -> Option<Dual> {
        self.0.at(&Dual { value: x.clone(), slope: Rational::from(1) }, &mut false)
    }

    /// Returns `true` if evaluation at the point compares two equal numbers.
    #[must_use]
    pub fn touches(&self, x: &Rational) -> bool {
        let mut touches = false;
        self.0.at(&Dual { value: x.clone(), slope: Rational::from(1) }, &mut touches);
        touches
    }
}

/// Draws a polynomial twice: with a border at which it does not change, and without. Returns both and the border.
#[must_use]
pub fn seamless(random: Random) -> (Program, Program, Rational) {
    let mut maker = Maker { random, borders: Vec::new(), branches: false, recurs: false };
    let smooth = maker.polynomial(3);
    let sign = *maker.random.pick(&["<", "<=", ">", ">="]);
    let [line, c] = maker.border();
    let border = maker.borders.swap_remove(0);
    let whole = If(sign, Box::new([line, c, smooth.clone(), smooth.clone()]));
    (Program(whole), Program(smooth), border)
}

impl Expression {
    /// Evaluates on dual numbers, and records if equal numbers were compared. Returns `None` if something is divided by
    /// 0.
    fn at(&self, x: &Dual, touches: &mut bool) -> Option<Dual> {
        let constant = |q: &Rational| Dual { value: q.clone(), slope: Rational::new() };
        Some(match self {
            X => x.clone(),
            Number(q) => constant(q),
            Arithmetic(sign, parts) => {
                let (a, b) = (parts[0].at(x, touches)?, parts[1].at(x, touches)?);
                match sign {
                    '+' => Dual { value: a.value + b.value, slope: a.slope + b.slope },
                    '-' => Dual { value: a.value - b.value, slope: a.slope - b.slope },
                    '*' => Dual {
                        slope: Rational::from(&a.slope * &b.value) + Rational::from(&b.slope * &a.value),
                        value: a.value * b.value,
                    },
                    _ if b.value == 0 => return None,
                    _ => {
                        let value = Rational::from(&a.value / &b.value);
                        Dual { slope: (a.slope - Rational::from(&value * &b.slope)) / b.value, value }
                    }
                }
            }
            Abs(a) => {
                let a = a.at(x, touches)?;
                *touches |= a.value == 0;
                // at 0 the branch of non-negative numbers is taken, as in the library's definition by pieces
                if a.value >= 0 { a } else { Dual { value: -a.value, slope: -a.slope } }
            }
            Extreme(is_max, parts) => {
                let (a, b) = (parts[0].at(x, touches)?, parts[1].at(x, touches)?);
                let order = if *is_max { a.value.cmp(&b.value) } else { b.value.cmp(&a.value) };
                *touches |= order == Ordering::Equal;
                if order == Ordering::Less { b } else { a }
            }
            If(sign, parts) => {
                let order = parts[0].at(x, touches)?.value.cmp(&parts[1].at(x, touches)?.value);
                *touches |= order == Ordering::Equal;
                let holds = match *sign {
                    "<" => order == Ordering::Less,
                    "<=" => order != Ordering::Greater,
                    ">" => order == Ordering::Greater,
                    ">=" => order != Ordering::Less,
                    "==" => order == Ordering::Equal,
                    _ => order != Ordering::Equal,
                };
                parts[if holds { 2 } else { 3 }].at(x, touches)?
            }
            Halving([c, a, k], of) => {
                let Dual { mut value, mut slope } = of.at(x, touches)?;
                let mut more = Rational::new();
                // every test of the loop may lie on its border
                *touches |= value == *c;
                while value >= *c {
                    value /= 2;
                    slope /= 2;
                    more += k;
                    *touches |= value == *c;
                }
                Dual { value: value * a + more, slope: slope * a }
            }
        })
    }
}

impl fmt::Display for Program {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "\\(x : Real) => {}", self.0)
    }
}

impl fmt::Display for Expression {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            X => f.write_str("x"),
            Number(q) => write!(f, "({q} : Real)"),
            Arithmetic(sign, parts) => write!(f, "({} {sign} {})", parts[0], parts[1]),
            Abs(a) => write!(f, "(abs {a})"),
            Extreme(is_max, parts) => {
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
