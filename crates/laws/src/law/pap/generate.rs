//! Random piecewise rational programs of one real variable, with exact values and derivatives as an oracle.
//!
//! The oracle evaluates on dual numbers over ℚ. At a *border*, where a guard compares equal numbers, it takes the branch that
//! the program takes. It shares nothing with the [model](crate::meaning::pap) of piecewise analytic functions.

use crate::law::graphs::{rational_bits, smaller_rationals};
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
#[derive(Clone, PartialEq)]
pub struct PiecewiseProgram(PiecewiseExpression);

/// An expression in the variable x.
#[derive(Clone, Debug, PartialEq)]
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

impl PiecewiseProgram {
    /// Returns the cost of the program in shrinking: the number of its nodes, and the bits of its numbers.
    #[must_use]
    pub fn shrink_cost(&self) -> (usize, u64) {
        self.0.shrink_cost()
    }

    /// Returns programs with one part smaller. Guards still compare a line a·x + b, a ≠ 0, with a number, denominators are
    /// such lines, and recursions have c > 0: so every program ends, and its borders are rational.
    #[must_use]
    pub fn smaller_programs(&self) -> Vec<Self> {
        self.0.smaller_expressions().into_iter().map(Self).collect()
    }

    /// Returns `true` if the program has a guard or a recursion, and so a border.
    #[must_use]
    pub fn has_guard(&self) -> bool {
        self.0.contains_node(&|e| matches!(e, Abs(_) | MaxOrMin(..) | If(..) | Halving(..)))
    }

    /// Returns `true` if the program has a recursion.
    #[must_use]
    pub fn has_recursion(&self) -> bool {
        self.0.contains_node(&|e| matches!(e, Halving(..)))
    }
}

impl PiecewiseSample {
    /// Returns the cost of the sample in shrinking: that of its program, with the bits of its points.
    #[must_use]
    pub fn shrink_cost(&self) -> (usize, u64) {
        let (nodes, bits) = self.program.shrink_cost();
        (nodes, bits + self.points.iter().map(rational_bits).sum::<u64>())
    }

    /// Returns samples with a smaller program or with a simpler point. They have as many points, which need not be borders.
    #[must_use]
    pub fn smaller_samples(&self) -> Vec<Self> {
        let with_program = |program: PiecewiseProgram| Self {
            has_guard: program.has_guard(),
            has_recursion: program.has_recursion(),
            program,
            points: self.points.clone(),
        };
        let mut found: Vec<Self> = self.program.smaller_programs().into_iter().map(with_program).collect();
        for (place, point) in self.points.iter().enumerate() {
            found.extend(smaller_rationals(point).into_iter().map(|simpler| {
                let mut sample = self.clone();
                sample.points[place] = simpler;
                sample
            }));
        }
        found
    }
}

impl PiecewiseExpression {
    /// Returns the parts that are expressions.
    fn expression_parts(&self) -> &[PiecewiseExpression] {
        match self {
            Variable | Number(_) => &[],
            Arithmetic(_, parts) | MaxOrMin(_, parts) => &parts[..],
            Abs(part) | Halving(_, part) => std::slice::from_ref(part),
            If(_, parts) => &parts[..],
        }
    }

    fn contains_node(&self, wanted: &impl Fn(&Self) -> bool) -> bool {
        wanted(self) || self.expression_parts().iter().any(|part| part.contains_node(wanted))
    }

    fn shrink_cost(&self) -> (usize, u64) {
        let own = match self {
            // a choice: the variable weighs more than 0 and 1, which may replace it
            Variable => 3,
            Number(q) => rational_bits(q),
            Halving(numbers, _) => numbers.iter().map(rational_bits).sum(),
            _ => 0,
        };
        let parts = self.expression_parts().iter().map(Self::shrink_cost);
        parts.fold((1, own), |(nodes, bits), (n, b)| (nodes + n, bits + b))
    }

    /// Returns the lines a·x + b with a simpler a ≠ 0 or a simpler b. Empty if the expression is no line.
    fn simpler_lines(&self) -> Vec<Self> {
        let Arithmetic('+', sum) = self else { return Vec::new() };
        let [Arithmetic('*', product), Number(b)] = &**sum else { return Vec::new() };
        let [Number(a), Variable] = &**product else { return Vec::new() };
        let line = |a: &Rational, b: &Rational| {
            let product = Arithmetic('*', Box::new([Number(a.clone()), Variable]));
            Arithmetic('+', Box::new([product, Number(b.clone())]))
        };
        // a line without a slope would make a border of no point, or of all
        let slopes = smaller_rationals(a).into_iter().filter(|a| *a != 0).map(|a| line(&a, b));
        slopes.chain(smaller_rationals(b).iter().map(|b| line(a, b))).collect()
    }

    /// Returns the comparisons of a line with a number that are simpler in one of both.
    fn simpler_borders([line, c]: [&Self; 2]) -> Vec<[Self; 2]> {
        let lines = line.simpler_lines().into_iter().map(|line| [line, c.clone()]);
        let numbers = match c {
            Number(c) => smaller_rationals(c),
            _ => Vec::new(),
        };
        lines.chain(numbers.into_iter().map(|c| [line.clone(), Number(c)])).collect()
    }

    /// Returns expressions with one part smaller. A part that is drawn as a line stays one.
    fn smaller_expressions(&self) -> Vec<Self> {
        let mut found = match self {
            Number(_) => Vec::new(),
            _ => vec![Number(Rational::new()), Number(Rational::from(1)), Variable],
        };
        // a part of a comparison is an expression by itself, and loses its border
        found.extend(self.expression_parts().iter().cloned());
        match self {
            Variable => {}
            Number(q) => found.extend(smaller_rationals(q).into_iter().map(Number)),
            // another denominator could be 0 everywhere
            Arithmetic('/', parts) => {
                let [above, below] = &**parts;
                found.extend(above.smaller_expressions().into_iter().map(|a| [a, below.clone()]).map(quotient));
                found.extend(below.simpler_lines().into_iter().map(|b| [above.clone(), b]).map(quotient));
            }
            Arithmetic(sign, parts) => {
                let [a, b] = &**parts;
                let with = |parts: [Self; 2]| Arithmetic(*sign, Box::new(parts));
                found.extend(a.smaller_expressions().into_iter().map(|a| with([a, b.clone()])));
                found.extend(b.smaller_expressions().into_iter().map(|b| with([a.clone(), b])));
            }
            Abs(of) => {
                if let Arithmetic('-', border) = &**of {
                    let [line, c] = &**border;
                    let made = Self::simpler_borders([line, c]).into_iter();
                    found.extend(made.map(|border| Abs(Box::new(Arithmetic('-', Box::new(border))))));
                }
            }
            MaxOrMin(is_max, border) => {
                let [line, c] = &**border;
                found.extend(Self::simpler_borders([line, c]).into_iter().map(|b| MaxOrMin(*is_max, Box::new(b))));
            }
            If(sign, parts) => {
                let [line, c, then, otherwise] = &**parts;
                let with = |[line, c]: [&Self; 2], [then, otherwise]: [&Self; 2]| {
                    If(sign, Box::new([line, c, then, otherwise].map(Clone::clone)))
                };
                found.extend(Self::simpler_borders([line, c]).iter().map(|[l, c]| with([l, c], [then, otherwise])));
                found.extend(then.smaller_expressions().iter().map(|then| with([line, c], [then, otherwise])));
                found.extend(otherwise.smaller_expressions().iter().map(|other| with([line, c], [then, other])));
            }
            Halving(numbers, line) => {
                for (place, q) in numbers.iter().enumerate() {
                    // the recursion ends only if its border c is above 0
                    let simpler = smaller_rationals(q).into_iter().filter(|q| place > 0 || *q > 0);
                    found.extend(simpler.map(|q| {
                        let mut numbers = numbers.clone();
                        numbers[place] = q;
                        Halving(numbers, line.clone())
                    }));
                }
                found.extend(line.simpler_lines().into_iter().map(|l| Halving(numbers.clone(), Box::new(l))));
            }
        }
        found
    }
}

fn quotient(parts: [PiecewiseExpression; 2]) -> PiecewiseExpression {
    Arithmetic('/', Box::new(parts))
}

/// Prints the program.
impl fmt::Debug for PiecewiseProgram {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Display::fmt(self, f)
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
