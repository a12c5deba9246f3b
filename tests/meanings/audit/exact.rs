//! Functions in pieces that are quotients of polynomials, and what is true of them, in exact arithmetic. Nothing of the library but
//! rational numbers is used.

use smoothish::number::Rational;
use smoothish::random::SplitMix64;
use std::cmp::Ordering;
use std::fmt;

/// A program.
pub enum Program {
    X,
    Number(i32, u32),
    Plus(Box<Program>, Box<Program>),
    Minus(Box<Program>, Box<Program>),
    Times(Box<Program>, Box<Program>),
    Over(Box<Program>, Box<Program>),
    Max(Box<Program>, Box<Program>),
    Min(Box<Program>, Box<Program>),
    Abs(Box<Program>),
    /// √(p²) = |p|
    RootOfSquare(Box<Program>),
    /// ∛(p³) = p
    RootOfCube(Box<Program>),
    /// By a comparison of two numbers.
    If(&'static str, [Box<Program>; 4]),
}

use Program::*;

impl fmt::Display for Program {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            X => f.write_str("x"),
            Number(p, q) => write!(f, "({p}/{q})"),
            Plus(a, b) => write!(f, "({a} + {b})"),
            Minus(a, b) => write!(f, "({a} - {b})"),
            Times(a, b) => write!(f, "({a} * {b})"),
            Over(a, b) => write!(f, "({a} / {b})"),
            Max(a, b) => write!(f, "(max {a} {b})"),
            Min(a, b) => write!(f, "(min {a} {b})"),
            Abs(a) => write!(f, "(abs {a})"),
            RootOfSquare(a) => write!(f, "(sqrt ({a}^2))"),
            RootOfCube(a) => write!(f, "(cbrt ({a}^3))"),
            If(test, [a, b, c, d]) => write!(f, "(if {a} {test} {b} then {c} else {d})"),
        }
    }
}

/// A random program of some depth, whose comparisons are often equal at a point.
pub fn program(random: &mut SplitMix64, depth: usize, at: &Rational) -> Program {
    if depth == 0 || random.random_bool(10) {
        let (p, q) = (at.numer().to_i32().unwrap(), at.denom().to_u32().unwrap());
        return match random.next_below(5) {
            0..=2 => X,
            3 => Number(p, q),
            _ => Number(random.next_below(7) as i32 - 3, 1 + random.next_below(2) as u32),
        };
    }
    // x - u, twice as often as it comes by itself
    if random.random_bool(15) {
        let (p, q) = (at.numer().to_i32().unwrap(), at.denom().to_u32().unwrap());
        return Minus(Box::new(X), Box::new(Number(p, q)));
    }
    let mut part = || Box::new(program(random, depth - 1, at));
    let (a, b, c, d) = (part(), part(), part(), part());
    match random.next_below(16) {
        0 | 1 => Plus(a, b),
        2 | 3 => Minus(a, b),
        4..=6 => Times(a, b),
        7 => Over(a, b),
        8 => Max(a, b),
        9 => Min(a, b),
        10 => Abs(a),
        11 => RootOfSquare(a),
        12 => RootOfCube(a),
        _ => If(["<", "<=", ">", ">=", "==", "/="][random.next_below(6)], [a, b, c, d]),
    }
}

/// A polynomial in t, from the constant term on.
type Polynomial = Vec<Rational>;

fn sum(a: &Polynomial, b: &Polynomial, sign: i32) -> Polynomial {
    let at = |p: &Polynomial, i: usize| p.get(i).cloned().unwrap_or_default();
    (0..a.len().max(b.len())).map(|i| at(a, i) + at(b, i) * sign).collect()
}

fn product(a: &Polynomial, b: &Polynomial) -> Polynomial {
    let mut c = vec![Rational::new(); (a.len() + b.len()).saturating_sub(1)];
    for (i, x) in a.iter().enumerate() {
        for (j, y) in b.iter().enumerate() {
            c[i + j] += Rational::from(x * y);
        }
    }
    c
}

fn first(p: &Polynomial) -> Option<(usize, &Rational)> {
    p.iter().enumerate().find(|(_, c)| **c != 0)
}

/// A quotient of polynomials in t, as it is for small t > 0; or the number that it is for t = 0.
#[derive(Clone)]
pub struct Quotient {
    over: Polynomial,
    under: Polynomial,
}

impl Quotient {
    fn sign(&self) -> Ordering {
        let sign = |p: &Polynomial| first(p).map_or(0, |(_, c)| if *c > 0 { 1 } else { -1 });
        (sign(&self.over) * sign(&self.under)).cmp(&0)
    }

    fn plus(&self, other: &Self, sign: i32) -> Self {
        let over = sum(&product(&self.over, &other.under), &product(&other.over, &self.under), sign);
        Self { over, under: product(&self.under, &other.under) }
    }

    fn times(&self, other: &Self) -> Self {
        Self { over: product(&self.over, &other.over), under: product(&self.under, &other.under) }
    }

    /// The coefficients of 1 and t, where the quotient is bounded.
    pub fn line(&self) -> Option<[Rational; 2]> {
        let (start, lead) = first(&self.under).unwrap();
        if self.over.iter().take(start).any(|c| *c != 0) {
            return None;
        }
        let at = |p: &Polynomial, i: usize| p.get(start + i).cloned().unwrap_or_default();
        let value = at(&self.over, 0) / lead;
        let slope = (at(&self.over, 1) - Rational::from(&value * &at(&self.under, 1))) / lead;
        Some([value, slope])
    }
}

/// The value at u + direction·t for small t > 0, or at u for the direction 0; none where there is none.
pub fn value(program: &Program, at: &Rational, direction: i32) -> Option<Quotient> {
    let of = |p: &Program| value(p, at, direction);
    let number = |c: Rational| Quotient { over: vec![c], under: vec![1.into()] };
    let choose = |holds: bool, a: Quotient, b: Quotient| Some(if holds { a } else { b });
    match program {
        X => Some(Quotient { over: vec![at.clone(), direction.into()], under: vec![1.into()] }),
        Number(p, q) => Some(number(Rational::from((*p, *q)))),
        Plus(a, b) => Some(of(a)?.plus(&of(b)?, 1)),
        Minus(a, b) => Some(of(a)?.plus(&of(b)?, -1)),
        Times(a, b) => Some(of(a)?.times(&of(b)?)),
        Over(a, b) => {
            let (a, b) = (of(a)?, of(b)?);
            (b.sign() != Ordering::Equal).then(|| a.times(&Quotient { over: b.under, under: b.over }))
        }
        Max(a, b) | Min(a, b) => {
            let (x, y) = (of(a)?, of(b)?);
            let greater = x.plus(&y, -1).sign() == Ordering::Greater;
            choose(greater == matches!(program, Max(..)), x, y)
        }
        Abs(a) | RootOfSquare(a) => {
            let x = of(a)?;
            choose(x.sign() == Ordering::Less, x.times(&number((-1).into())), x)
        }
        RootOfCube(a) => of(a),
        If(test, [a, b, c, d]) => {
            let sign = of(a)?.plus(&of(b)?, -1).sign();
            let holds = match *test {
                "<" => sign == Ordering::Less,
                "<=" => sign != Ordering::Greater,
                ">" => sign == Ordering::Greater,
                ">=" => sign != Ordering::Less,
                "==" => sign == Ordering::Equal,
                _ => sign != Ordering::Equal,
            };
            if holds { of(c) } else { of(d) }
        }
    }
}
