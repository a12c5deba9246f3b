//! Normal forms of maps: quotients of polynomials in variables and atoms, where atoms stand for irrational subterms.
//!
//! A map that is made by `+ - * /` and whole powers is a quotient of polynomials in its variables and in *atoms*: π, e,
//! and functions of normal forms. Two maps with one normal form are equal where both are defined. The converse does not
//! hold, since atoms may be related, as `sqrt 2 * sqrt 3` and `sqrt 6` are: then normal forms do not decide. Two
//! relations are used: sin² is rewritten to 1 - cos², and the square of a square root of a polynomial to that
//! polynomial.

mod polynomial;
mod root;

use super::univariate::Univariate;
use crate::function::Function;
use crate::number::Rational;
use crate::smooth::graph::{Binary, Derivative, Exponent, Graph, Operation, Unary, Variable};
use crate::stack::deep;
use polynomial::Monomial;
pub use polynomial::Polynomial;
use rustc_hash::FxHashMap;
use std::fmt::Write;

/// The largest integer power that is multiplied out. A choice, as the limits below: beyond them normal forms take too
/// long.
const LARGEST_POWER: i64 = 64;
/// The largest size of a polynomial whose roots are isolated: number of coefficients times bits of the largest.
const LARGEST_UNIVARIATE: u64 = 4096;
/// The largest degree for which [`Normaliser::polynomial`] returns coefficients.
pub const LARGEST_DEGREE: usize = 12;
/// The largest number of terms of a normal form that is written back as a map.
const MOST_WRITTEN: usize = 8;

/// A quotient of polynomials. The denominator is not the zero polynomial.
#[derive(Clone, Debug)]
pub struct Fraction {
    over: Polynomial,
    under: Polynomial,
}

impl Fraction {
    fn whole(over: Polynomial) -> Self {
        Self { over, under: Polynomial::constant(1.into()) }
    }

    fn plus(&self, other: &Self, factor: i32) -> Option<Self> {
        if self.under == other.under {
            return Some(Self { over: self.over.plus(&other.over, factor)?, under: self.under.clone() });
        }
        let over = self.over.times(&other.under)?.plus(&other.over.times(&self.under)?, factor)?;
        Some(Self { over, under: self.under.times(&other.under)? })
    }

    fn times(&self, other: &Self) -> Option<Self> {
        Some(Self { over: self.over.times(&other.over)?, under: self.under.times(&other.under)? })
    }

    fn inverse(&self) -> Option<Self> {
        (!self.over.is_zero()).then(|| Self { over: self.under.clone(), under: self.over.clone() })
    }

    fn power(&self, n: i64) -> Option<Self> {
        if n.abs() > LARGEST_POWER {
            return None;
        }
        let base = if n < 0 { self.inverse()? } else { self.clone() };
        (0..n.abs()).try_fold(Self::whole(Polynomial::constant(1.into())), |product, _| product.times(&base))
    }

    /// Returns `true` for 0.
    #[must_use]
    pub fn is_zero(&self) -> bool {
        self.over.is_zero()
    }

    /// Returns the rational number if both polynomials are constant.
    #[must_use]
    pub fn as_rational(&self) -> Option<Rational> {
        Some(self.over.as_constant()? / self.under.as_constant()?)
    }

    /// Cancels common factors that are never 0: powers of exponentials, of π and of e, and a number.
    fn cancelled(&self, atoms: &[Graph]) -> Self {
        let is_never_zero = |atom: &u32| {
            let graph = &atoms[*atom as usize];
            matches!(
                graph.operation(),
                Operation::Unary(Unary::Function(Function::Exp), _) | Operation::Pi | Operation::Euler
            )
        };
        let Some((powers, leading)) = self.under.0.first_key_value() else { return self.clone() };
        let mut common: FxHashMap<u32, u32> = powers.iter().filter(|(atom, _)| is_never_zero(atom)).copied().collect();
        for powers in self.over.0.keys().chain(self.under.0.keys()) {
            let power = |atom: u32| powers.iter().find(|(other, _)| *other == atom).map_or(0, |(_, power)| *power);
            common.iter_mut().for_each(|(atom, least)| *least = power(*atom).min(*least));
        }
        // (x + y)/3 is shorter than x/3 + y/3
        let scale = if self.over.0.len() == 1 { leading.clone() } else { Rational::from(1) };
        let [over, under] = [&self.over, &self.under].map(|p| p.divided(&common, &scale));
        Self { over, under }
    }

    /// Writes the quotient as a map, with `atoms` for the numbers of atoms. Returns `None` if a power is too large.
    fn written(&self, atoms: &[Graph]) -> Option<Graph> {
        if self.is_zero() {
            return Some(Graph::integer(0));
        }
        let Self { over, under } = self.cancelled(atoms);
        let sum = |p: &Polynomial| {
            let mut terms = p.0.iter().map(|(powers, q)| term(powers, q, atoms));
            terms.try_fold(None, |sum: Option<Graph>, term| {
                let term = term?;
                Some(Some(sum.map_or(term.clone(), |sum| Graph::binary(Binary::Add, &sum, &term))))
            })
        };
        let written = sum(&over)??;
        match under.as_constant() {
            Some(q) if q == 1 => Some(written),
            _ => Some(Graph::binary(Binary::Divide, &written, &sum(&under)??)),
        }
    }

    /// Returns a key that is equal for maps which are nonzero multiples of each other, and `true` if the key belongs to
    /// the negative. Returns `None` for 0 and for denominators that vary. Atoms occur by number, so keys are comparable
    /// within one [`Normaliser`] only.
    #[must_use]
    pub fn up_to_scale(&self) -> Option<(String, bool)> {
        let under = self.under.as_constant()?;
        let (_, leading) = self.over.0.last_key_value()?;
        let scale = leading.clone().abs();
        let turned = (*leading < 0) != (under < 0);
        let mut key = String::new();
        let sign = if *leading < 0 { -1 } else { 1 };
        for (powers, q) in &self.over.0 {
            let q = Rational::from(q / &scale) * sign;
            let _ = write!(key, "{powers:?}{q};");
        }
        Some((key, turned))
    }
}

/// Writes q times a product of powers of atoms.
fn term(powers: &Monomial, q: &Rational, atoms: &[Graph]) -> Option<Graph> {
    let mut product = (*q != 1 || powers.is_empty()).then(|| Graph::rational(q.clone()));
    for (atom, n) in powers {
        let power = Graph::power(&atoms[*atom as usize], &Rational::from(*n))?;
        product = Some(product.map_or(power.clone(), |product| Graph::binary(Binary::Multiply, &product, &power)));
    }
    product
}

/// Builder of normal forms. An atom has the same number in all of them.
#[derive(Debug, Default)]
pub struct Normaliser {
    atoms: FxHashMap<String, u32>,
    graphs: Vec<Graph>,
    /// Atoms with a known square, a polynomial in other atoms: sines and square roots. A square contains no later atom
    /// with a square.
    squares: Vec<(u32, Polynomial)>,
    /// Finished normal forms by node address. The graphs are kept alive, so that no address is reused.
    done: FxHashMap<usize, (Graph, Option<Fraction>)>,
}

impl Normaliser {
    /// Returns the normal form. Returns `None` if it is too large, or if a denominator is 0.
    pub fn fraction(&mut self, g: &Graph) -> Option<Fraction> {
        if let Some((_, done)) = self.done.get(&g.address()) {
            return done.clone();
        }
        let found = deep(|| self.of(g)).and_then(|found| self.reduced(found));
        self.done.insert(g.address(), (g.clone(), found.clone()));
        found
    }

    fn reduced(&self, found: Fraction) -> Option<Fraction> {
        // there may be many squares, and most normal forms contain none
        if !found.over.has_square(None) && !found.under.has_square(None) {
            return Some(found);
        }
        // latest first: a square may introduce squares of atoms before it, never of later ones
        self.squares.iter().rev().try_fold(found, |Fraction { over, under }, (atom, square)| {
            let under = under.reduced(*atom, square)?;
            (!under.is_zero()).then_some(())?;
            Some(Fraction { over: over.reduced(*atom, square)?, under })
        })
    }

    /// Returns numerator and denominator as polynomials in `v` over ℚ. Returns `None` if other atoms occur, for degrees
    /// above 64, and for polynomials that are too large to isolate roots of.
    pub fn quotient(&mut self, g: &Graph, v: Variable) -> Option<[Univariate; 2]> {
        let Fraction { over, under } = self.fraction(g)?;
        let own = self.atoms.get(&format!("{v:?}")).copied();
        let read = |p: &Polynomial| {
            let mut coefficients = Vec::new();
            for (powers, q) in &p.0 {
                let degree = match &powers[..] {
                    [] => 0,
                    [(atom, power)] if Some(*atom) == own && i64::from(*power) <= LARGEST_POWER => *power as usize,
                    _ => return None,
                };
                coefficients.resize(coefficients.len().max(degree + 1), Rational::new());
                coefficients[degree].clone_from(q);
            }
            let bits = coefficients.iter().map(|a| a.numer().significant_bits() + a.denom().significant_bits()).max();
            let size = coefficients.len() as u64 * u64::from(bits.unwrap_or_default());
            (size <= LARGEST_UNIVARIATE).then(|| Univariate::new(coefficients))
        };
        Some([read(&over)?, read(&under)?])
    }

    /// Returns the coefficients of a polynomial in `v` over ℚ, that of xⁿ at n. Returns `None` for other maps, and for
    /// degrees above [`LARGEST_DEGREE`].
    pub fn polynomial(&mut self, g: &Graph, v: Variable) -> Option<Vec<Rational>> {
        let [over, under] = self.quotient(g, v)?;
        let ([divisor], true) = (under.coefficients(), over.degree() <= LARGEST_DEGREE) else { return None };
        Some(over.coefficients().iter().map(|a| Rational::from(a / divisor)).collect())
    }

    /// Replaces a map by its normal form if that has fewer nodes: `x - t·1 - (x - t·0)` becomes `-t`.
    pub fn simplest(&mut self, g: &Graph) -> Graph {
        let short = self.fraction(g).filter(|f| f.over.0.len() + f.under.0.len() <= MOST_WRITTEN);
        let size = |g: &Graph| Graph::nodes(std::slice::from_ref(g)).len();
        let written = short.and_then(|f| f.written(&self.graphs)).filter(|written| size(written) < size(g));
        written.unwrap_or_else(|| g.clone())
    }

    fn atom(&mut self, key: String, graph: &Graph) -> Fraction {
        let next = self.graphs.len() as u32;
        let number = *self.atoms.entry(key).or_insert(next);
        if number == next {
            self.graphs.push(graph.clone());
        }
        Fraction::whole(Polynomial::atom(number))
    }

    /// Numbers the sine and the cosine of an angle, and records sin² = 1 - cos².
    fn circle(&mut self, angle: &str, a: &Graph) {
        for f in [Function::Sin, Function::Cos] {
            self.atom(format!("{f}({angle})"), &Graph::function(f, a));
        }
        let both = [Function::Sin, Function::Cos].map(|f| self.atoms.get(&format!("{f}({angle})")).copied());
        // recorded once: by the first of the two functions that occurs
        if let [Some(sine), Some(cosine)] = both
            && self.squares.iter().all(|(atom, _)| *atom != sine)
        {
            let one = Polynomial::constant(1.into());
            self.squares.extend(one.plus(&Polynomial::square(cosine), -1).map(|square| (sine, square)));
        }
    }

    fn variable(&mut self, v: Variable) -> Fraction {
        self.atom(format!("{v:?}"), &Graph::variable(v))
    }

    fn key(&mut self, g: &Graph) -> Option<String> {
        let Fraction { over, under } = self.fraction(g)?;
        // a constant denominator is divided out: π/4 and (1/4)·π are one angle
        match under.as_constant() {
            Some(q) => Some(format!("{:?}", over.times(&Polynomial::constant(q.recip()))?.0)),
            None => Some(format!("{:?}/{:?}", over.0, under.0)),
        }
    }

    fn of(&mut self, g: &Graph) -> Option<Fraction> {
        Some(match g.operation() {
            Operation::Rational(q) => Fraction::whole(Polynomial::constant((**q).clone())),
            Operation::Variable(v) => self.variable(*v),
            Operation::Pi => self.atom("pi".into(), g),
            Operation::Euler => self.atom("e".into(), g),
            Operation::Unary(Unary::Negate, a) => {
                let zero = Fraction::whole(Polynomial::default());
                zero.plus(&self.fraction(a)?, -1)?
            }
            Operation::Unary(Unary::Function(f), a) => match known(*f, &self.fraction(a)?) {
                Some(value) => Fraction::whole(Polynomial::constant(value)),
                None if *f == Function::Sqrt => self.root(a, g)?,
                None => {
                    let of = self.key(a)?;
                    let found = self.atom(format!("{f}({of})"), g);
                    if matches!(f, Function::Sin | Function::Cos) {
                        self.circle(&of, a);
                    }
                    found
                }
            },
            Operation::Binary(operation, a, b) => {
                let (x, y) = (self.fraction(a)?, self.fraction(b)?);
                match operation {
                    Binary::Add => x.plus(&y, 1)?,
                    Binary::Subtract => x.plus(&y, -1)?,
                    Binary::Multiply => x.times(&y)?,
                    Binary::Divide => x.times(&y.inverse()?)?,
                    Binary::Maximum | Binary::Minimum | Binary::Planar(_) => {
                        let key = format!("{operation:?}({}, {})", self.key(a)?, self.key(b)?);
                        self.atom(key, g)
                    }
                }
            }
            Operation::Power(a, Exponent { numerator, denominator: 1 }) => self.fraction(a)?.power(*numerator)?,
            Operation::Power(a, Exponent { numerator: 1, denominator: 2 }) => self.root(a, g)?,
            Operation::Power(a, exponent) => {
                let key = format!("{exponent:?}({})", self.key(a)?);
                self.atom(key, g)
            }
            Operation::Derivative(derivative) => match self.slope(derivative) {
                Some(slope) => slope,
                None => self.opaque(g),
            },
            _ => self.opaque(g),
        })
    }

    /// Returns an atom that is equal to this node only.
    fn opaque(&mut self, g: &Graph) -> Fraction {
        self.atom(format!("@{}", g.address()), g)
    }

    /// Differentiates a normal form. Returns `None` if an atom that is a function of a bound variable occurs: its
    /// derivative is unknown here.
    fn slope(&mut self, Derivative { variables, body, at, along, .. }: &Derivative) -> Option<Fraction> {
        let body = self.fraction(body)?;
        let mut bound = FxHashMap::default();
        for (v, at) in variables.iter().zip(at) {
            let number = match &self.variable(*v).over.0.first_key_value()?.0[..] {
                [(number, _)] => *number,
                _ => return None,
            };
            bound.insert(number, self.fraction(at)?);
        }
        // such an atom varies with the bound variables, but is not one of them
        let moves = |number: u32| {
            !bound.contains_key(&number) && variables.iter().any(|v| self.graphs[number as usize].depends_on(*v))
        };
        let mentioned = || [&body.over, &body.under].into_iter().flat_map(|p| p.0.keys().flatten());
        if mentioned().any(|(number, _)| moves(*number)) {
            return None;
        }
        let mut sum = Fraction::whole(Polynomial::default());
        for (v, along) in variables.iter().zip(along) {
            let number = *self.atoms.get(&format!("{v:?}"))?;
            let (over, under) = (&body.over, &body.under);
            // the quotient rule; each partial derivative is weighted with its coordinate of the direction
            let rise = over.derivative(number)?.times(under)?.plus(&over.times(&under.derivative(number)?)?, -1)?;
            let slope = Fraction { over: rise, under: under.times(under)? };
            let here = Fraction { over: Polynomial::default(), under: Polynomial::constant(1.into()) };
            let over = substituted(&slope.over, &bound, here.clone())?;
            let under = substituted(&slope.under, &bound, here)?;
            sum = sum.plus(&over.times(&under.inverse()?)?.times(&self.fraction(along)?)?, 1)?;
        }
        Some(sum)
    }
}

/// Substitutes fractions for the atoms in `bound`, and adds the result to `zero`.
fn substituted(p: &Polynomial, bound: &FxHashMap<u32, Fraction>, zero: Fraction) -> Option<Fraction> {
    let mut sum = zero;
    for (powers, q) in &p.0 {
        let mut term = Fraction::whole(Polynomial::constant(q.clone()));
        for (number, power) in powers {
            let factor = match bound.get(number) {
                Some(found) => found.power(i64::from(*power))?,
                None => Fraction::whole(Polynomial([(vec![(*number, *power)], Rational::from(1))].into())),
            };
            term = term.times(&factor)?;
        }
        sum = sum.plus(&term, 1)?;
    }
    Some(sum)
}

/// Returns f(q) if q and f(q) are rational and the value is known exactly.
fn known(f: Function, at: &Fraction) -> Option<Rational> {
    let q = at.as_rational()?;
    if f == Function::Sqrt && q >= 0 && q.numer().is_perfect_square() && q.denom().is_perfect_square() {
        return Some(Rational::from((q.numer().clone().sqrt(), q.denom().clone().sqrt())));
    }
    // the table of exact values is in `f64`, so q itself has to be one
    let x = q.to_f64();
    let value = f.exact(x).filter(|_| Rational::from_f64(x) == Some(q))?;
    Rational::from_f64(value)
}
