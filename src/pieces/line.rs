//! Analytic sets in one variable: stretches of a line between roots.
//!
//! The ends of a stretch are roots of guards. They are exact where they are rational numbers that are found, and else known to
//! within a small part of the whole. What a guard splits is in three: where it holds, where it fails, and where neither was told. No two
//! have a common point, and together they are what was split.

use super::fraction::Normaliser;
use super::guard::Guard;
use super::sign::sign;
use crate::number::budget::Budget;
use crate::number::effort::Effort;
use crate::number::real::Tier;
use crate::number::{Enclosure, Magnitude, Rational};
use crate::smooth::algebra::Generator;
use crate::smooth::graph::{Graph, Variable};
use crate::smooth::map::probe::Probe;
use crate::smooth::map::untyped::Untyped;
use std::cell::Cell;
use std::cmp::Ordering;
use std::fmt;
use std::sync::Arc;

/// In how many parts the signs of a map are looked for; a map that is 0 on an interval, unseen, has no other end.
const MOST_LOOKED: u32 = 1 << 13;

/// A place on a line, between two numbers.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct End {
    /// It is not less than this…
    pub lo: Rational,
    /// …and not more than this.
    pub hi: Rational,
}

impl End {
    /// A place that is known.
    #[must_use]
    pub fn exact(at: &Rational) -> Self {
        Self { lo: at.clone(), hi: at.clone() }
    }

    /// The place, where it is known.
    #[must_use]
    pub fn as_exact(&self) -> Option<&Rational> {
        (self.lo == self.hi).then_some(&self.lo)
    }
}

/// The numbers between two places.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Stretch {
    /// Where it begins…
    pub left: End,
    /// …and ends.
    pub right: End,
    /// Whether these places belong to it.
    pub closed: [bool; 2],
}

impl Stretch {
    /// Both ends, and what lies between them.
    #[must_use]
    pub fn between(from: &Rational, to: &Rational) -> Self {
        Self { left: End::exact(from), right: End::exact(to), closed: [true; 2] }
    }

    /// Whether it is a single number.
    #[must_use]
    pub fn is_point(&self) -> bool {
        self.left == self.right && self.closed == [true; 2]
    }

    /// A number that certainly lies in it.
    #[must_use]
    pub fn inside(&self) -> Option<Rational> {
        match (self.is_point(), self.left.hi < self.right.lo) {
            (true, _) => self.left.as_exact().cloned(),
            (false, true) => Some(Rational::from(&self.left.hi + &self.right.lo) / 2),
            _ => None,
        }
    }
}

/// Stretches in their order, without common points: an analytic set in one variable.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Region(pub Vec<Stretch>);

impl Region {
    /// Whether it has no points.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.0.is_empty()
    }

    /// Its length: at least, and at most.
    #[must_use]
    pub fn length(&self) -> [Rational; 2] {
        let mut length = [Rational::new(), Rational::new()];
        for Stretch { left, right, .. } in self.0.iter().filter(|stretch| !stretch.is_point()) {
            let least = Rational::from(&right.lo - &left.hi);
            if least > 0 {
                length[0] += least;
            }
            length[1] += Rational::from(&right.hi - &left.lo);
        }
        length
    }

    /// The parts of a line on which a guard on a variable holds, on which it fails, and on which neither was told.
    #[must_use]
    pub fn split(&self, v: Variable, guard: &Guard, finest: &Rational, budget: &Budget) -> [Self; 3] {
        let searched = Search::of(v, &guard.graph, finest, budget);
        let mut sides = [Self::default(), Self::default(), Self::default()];
        for stretch in &self.0 {
            for (part, sign) in searched.parts(stretch) {
                sides[sign.map_or(2, |sign| usize::from(!guard.test.holds(sign)))].put(part);
            }
        }
        sides
    }

    /// Adds what lies right of it, joined to what it touches.
    fn put(&mut self, part: Stretch) {
        if let Some(last) = self.0.last_mut()
            && last.right == part.left
            && (last.closed[1] || part.closed[0])
        {
            last.right = part.right;
            last.closed[1] = part.closed[1];
            return;
        }
        self.0.push(part);
    }
}

/// The signs of a map of one variable.
struct Search<'a> {
    graph: &'a Graph,
    variable: Variable,
    map: Option<Arc<Untyped>>,
    /// a·x + b
    affine: Option<(Rational, Rational)>,
    /// Its sign, where it does not vary.
    constant: Option<Ordering>,
    finest: &'a Rational,
    budget: &'a Budget,
    /// How many intervals were looked at.
    looked: Cell<u32>,
}

/// A part of a line, and the sign of a map there, where that is known.
type Part = (Stretch, Option<Ordering>);

impl<'a> Search<'a> {
    fn of(variable: Variable, graph: &'a Graph, finest: &'a Rational, budget: &'a Budget) -> Self {
        let fraction = Normaliser::default().fraction(graph);
        let affine = fraction.as_ref().filter(|_| is_rational_in(graph, variable)).and_then(|f| f.as_affine());
        let constant = match fraction.and_then(|f| f.as_rational()) {
            Some(q) => Some(q.cmp0()),
            None if !graph.depends_on(variable) => sign(graph, budget).ok(),
            None => None,
        };
        let map = Untyped::of_graphs(&[variable], std::slice::from_ref(graph)).ok().map(Arc::new);
        Self { graph, variable, map, affine, constant, finest, budget, looked: Cell::new(0) }
    }

    fn at(&self, x: &Rational) -> Option<Ordering> {
        if let Some((a, b)) = &self.affine {
            return Some((Rational::from(a * x) + b).cmp0());
        }
        sign(&self.graph.substitute(&[(self.variable, Graph::rational(x.clone()))]), self.budget).ok()
    }

    /// Enclosures of the map and of its slope between two numbers.
    fn over(&self, a: &Rational, b: &Rational) -> Option<[Enclosure; 2]> {
        let map = self.map.as_ref()?;
        let width = Rational::from(b - a);
        let tier = if width < Rational::from((1, 1 << 20)) { Tier::Mpfr(160) } else { Tier::Double };
        let effort = Effort::new(Magnitude::power_of_two(-i64::from(tier.bits())), self.budget);
        let probe = Probe {
            directions: vec![(Generator::Taylor(1), vec![Rational::from(1)])],
            wanted: vec![vec![], vec![1]],
            ..Probe::value(map, vec![[a.clone(), b.clone()]])
        };
        let found = probe.run(tier, &effort).ok()?;
        <[Enclosure; 2]>::try_from(found).ok()
    }

    /// A stretch in parts, on each of which the sign is one, or not known.
    fn parts(&self, stretch: &Stretch) -> Vec<Part> {
        let whole = |sign| vec![(stretch.clone(), sign)];
        if self.constant.is_some() {
            return whole(self.constant);
        }
        let (a, b) = (&stretch.left.hi, &stretch.right.lo);
        if stretch.is_point() || a > b {
            return whole(match stretch.left.as_exact().filter(|_| stretch.is_point()) {
                Some(x) => self.at(x),
                None => self.settled(&stretch.left.lo, &stretch.right.hi),
            });
        }
        let mut cuts = Vec::new();
        self.cuts(a, b, &mut cuts);
        // beside an end that is not exact there is a little more
        let beside = |end: &End, run: Option<&(End, Option<Ordering>, Kind)>| {
            let sign = end.as_exact().map_or_else(|| self.settled(&end.lo, &end.hi), |_| None);
            let goes_on = end.as_exact().is_some() || run.is_some_and(|run| run.2 == Kind::Run && run.1 == sign);
            (!goes_on).then_some(sign)
        };
        let (mut main, mut parts) = (stretch.clone(), Vec::new());
        if let Some(sign) = beside(&stretch.left, cuts.first()) {
            main = Stretch { left: End::exact(a), closed: [true, main.closed[1]], ..main };
            parts.push((
                Stretch { right: main.left.clone(), closed: [stretch.closed[0], false], ..stretch.clone() },
                sign,
            ));
        }
        let right = beside(&stretch.right, cuts.last()).map(|sign| {
            main = Stretch { right: End::exact(b), closed: [main.closed[0], true], ..main.clone() };
            (Stretch { left: main.right.clone(), closed: [false, stretch.closed[1]], ..stretch.clone() }, sign)
        });
        parts.extend(Self::pieces(&main, &cuts));
        parts.extend(right);
        parts
    }

    /// The stretches between cuts.
    fn pieces(stretch: &Stretch, cuts: &[(End, Option<Ordering>, Kind)]) -> Vec<Part> {
        let mut parts: Vec<Part> = Vec::new();
        let mut left = (stretch.left.clone(), stretch.closed[0]);
        for (index, (end, sign, kind)) in cuts.iter().enumerate() {
            let is_last = index + 1 == cuts.len();
            let (right, closed) = match (kind, is_last) {
                (Kind::Root, _) if *end == stretch.right => (end.clone(), stretch.closed[1]),
                (Kind::Root, _) => (end.clone(), true),
                (_, true) => (stretch.right.clone(), stretch.closed[1]),
                (Kind::Run, false) => (end.clone(), false),
                (Kind::Open, false) => (End::exact(&end.hi), true),
            };
            let from = if *kind == Kind::Root { (end.clone(), *end != left.0 || left.1) } else { left.clone() };
            if from.0 != right || (from.1 && closed) {
                parts.push((Stretch { left: from.0, right: right.clone(), closed: [from.1, closed] }, *sign));
            }
            left = (right, *kind == Kind::Run && !closed);
        }
        parts
    }

    /// The sign on a closed interval, where it is one and that is seen at once.
    fn settled(&self, a: &Rational, b: &Rational) -> Option<Ordering> {
        if let Some((slope, _)) = &self.affine {
            let (x, y) = (self.at(a)?, self.at(b)?);
            return (x == y && (x != Ordering::Equal || *slope == 0)).then_some(x);
        }
        let [value, _] = self.over(a, b)?;
        of_enclosure(&value)
    }

    /// The runs of one sign between two numbers, the roots between them, and what is not told apart. A run says where it ends.
    fn cuts(&self, a: &Rational, b: &Rational, cuts: &mut Vec<(End, Option<Ordering>, Kind)>) {
        let mut run = |to: &End, sign: Ordering| {
            if let Some((end, Some(last), Kind::Run)) = cuts.last_mut()
                && *last == sign
            {
                *end = to.clone();
            } else {
                cuts.push((to.clone(), Some(sign), Kind::Run));
            }
        };
        if let Some(sign) = self.settled(a, b) {
            return run(&End::exact(b), sign);
        }
        if let Some(rises) = self.slope(a, b)
            && let (Some(left), Some(right)) = (self.at(a), self.at(b))
        {
            if let Some(root) = self.root(a, b, left, right) {
                if root.as_exact() != Some(a) {
                    run(&root, rises.reverse());
                }
                let beyond = root.as_exact() != Some(b);
                cuts.push((root, Some(Ordering::Equal), Kind::Root));
                if beyond {
                    cuts.push((End::exact(b), Some(rises), Kind::Run));
                }
            } else {
                run(&End::exact(b), if left == Ordering::Equal { right } else { left });
            }
            return;
        }
        self.looked.set(self.looked.get() + 1);
        if Rational::from(b - a) <= *self.finest || self.looked.get() > MOST_LOOKED || self.budget.is_exhausted() {
            cuts.push((End { lo: a.clone(), hi: b.clone() }, None, Kind::Open));
            return;
        }
        // not the middle, where what is symmetric has its roots
        let middle = Rational::from(a * 33u32) + Rational::from(b * 31u32);
        let middle = middle / 64u32;
        self.cuts(a, &middle, cuts);
        self.cuts(&middle, b, cuts);
    }

    /// Whether the map certainly rises or falls.
    fn slope(&self, a: &Rational, b: &Rational) -> Option<Ordering> {
        match &self.affine {
            Some((slope, _)) => Some(slope.cmp0()).filter(|sign| *sign != Ordering::Equal),
            None => of_enclosure(&self.over(a, b)?[1]).filter(|sign| *sign != Ordering::Equal),
        }
    }

    /// The root between two numbers, between which the map rises or falls.
    fn root(&self, a: &Rational, b: &Rational, left: Ordering, right: Ordering) -> Option<End> {
        match (left, right) {
            (Ordering::Equal, _) => return Some(End::exact(a)),
            (_, Ordering::Equal) => return Some(End::exact(b)),
            _ if left == right => return None,
            _ => {}
        }
        if let Some((slope, constant)) = &self.affine {
            return Some(End::exact(&-Rational::from(constant / slope)));
        }
        let (mut lo, mut hi) = (a.clone(), b.clone());
        while Rational::from(&hi - &lo) > *self.finest {
            let middle = Rational::from(&lo + &hi) / 2;
            match self.at(&middle) {
                Some(Ordering::Equal) => return Some(End::exact(&middle)),
                Some(sign) if sign == left => lo = middle,
                Some(_) => hi = middle,
                None => break,
            }
        }
        let simple = simplest(&lo, &hi);
        if self.at(&simple) == Some(Ordering::Equal) {
            return Some(End::exact(&simple));
        }
        Some(End { lo, hi })
    }
}

/// What ends a part of a line.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Kind {
    /// A run of one sign.
    Run,
    /// A root.
    Root,
    /// What is not told apart.
    Open,
}

fn of_enclosure(x: &Enclosure) -> Option<Ordering> {
    match x.is_defined() {
        true if *x.lo() > 0 => Some(Ordering::Greater),
        true if *x.hi() < 0 => Some(Ordering::Less),
        true if x.is_point() && *x.lo() == 0 => Some(Ordering::Equal),
        _ => None,
    }
}

/// Whether a map is a quotient of polynomials with rational coefficients in one variable.
fn is_rational_in(g: &Graph, v: Variable) -> bool {
    use crate::smooth::graph::{Binary, Exponent, Operation, Unary};
    Graph::nodes([g]).into_iter().all(|node| match node.operation() {
        Operation::Variable(w) => *w == v,
        Operation::Rational(_)
        | Operation::Unary(Unary::Negate, _)
        | Operation::Power(_, Exponent { denominator: 1, .. })
        | Operation::Binary(Binary::Add | Binary::Subtract | Binary::Multiply | Binary::Divide, ..) => true,
        _ => false,
    })
}

/// The number of smallest denominator between two, by continued fractions.
fn simplest(lo: &Rational, hi: &Rational) -> Rational {
    let floor = lo.clone().floor();
    if floor == *lo {
        return floor;
    }
    if Rational::from(&floor + 1u32) <= *hi {
        return floor + 1u32;
    }
    let (inner, outer) = (Rational::from(hi - &floor).recip(), Rational::from(lo - &floor).recip());
    floor + simplest(&inner, &outer).recip()
}

/// How many decimals of a place are told.
const MOST_DECIMALS: u32 = 12;

impl End {
    /// The digits that all numbers between the two have.
    fn digits(&self) -> Option<String> {
        if self.lo < 0 && self.hi >= 0 {
            return None;
        }
        let told = |q: &Rational, decimals: u32| {
            let unit = Rational::from(10u64.pow(decimals));
            let digits = Rational::from(q * &unit).abs().trunc().into_numer_denom().0.to_string();
            let digits = format!("{digits:0>width$}", width = decimals as usize + 1);
            let (whole, rest) = digits.split_at(digits.len() - decimals as usize);
            let sign = if *q < 0 { "-" } else { "" };
            format!("{sign}{whole}{}{rest}", if decimals == 0 { "" } else { "." })
        };
        let mut all = (0..=MOST_DECIMALS).rev().map(|k| (told(&self.lo, k), told(&self.hi, k)));
        all.find_map(|(lo, hi)| (lo == hi).then_some(lo))
    }
}

/// A number to so many decimals, rounded down or up.
fn decimal(q: &Rational, up: bool) -> String {
    let unit = Rational::from(10u64.pow(MOST_DECIMALS));
    let scaled = Rational::from(q * &unit);
    let rounded = if up { scaled.ceil() } else { scaled.floor() } / unit;
    crate::number::decimal::exact(&rounded).unwrap_or_else(|| rounded.to_string())
}

impl fmt::Display for End {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.as_exact() {
            Some(q) => q.fmt(f),
            None => match self.digits() {
                Some(digits) => write!(f, "{digits}…"),
                None => write!(f, "[{}, {}]", decimal(&self.lo, false), decimal(&self.hi, true)),
            },
        }
    }
}

impl fmt::Display for Stretch {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if self.is_point() {
            return write!(f, "{{{}}}", self.left);
        }
        let (open, close) = (if self.closed[0] { '[' } else { '(' }, if self.closed[1] { ']' } else { ')' });
        write!(f, "{open}{}, {}{close}", self.left, self.right)
    }
}

impl fmt::Display for Region {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for (index, stretch) in self.0.iter().enumerate() {
            write!(f, "{}{stretch}", if index == 0 { "" } else { " ∪ " })?;
        }
        Ok(())
    }
}
