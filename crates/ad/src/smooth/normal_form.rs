//! Normal forms of maps: quotients of polynomials in variables and atoms, where atoms stand for irrational subterms.
//!
//! A map that is made by `+ - * /` and whole powers is a quotient of polynomials in its variables and in *atoms*: π, e,
//! and functions of normal forms. Common factors are not cancelled, so two quotients are compared by their difference. If it
//! is 0, the maps are equal where both are defined. The converse does not hold, since atoms may be related, as
//! `sqrt 2 * sqrt 3` and `sqrt 6` are: then normal forms do not decide. These relations are used:
//!
//! | a map | is rewritten to |
//! |---|---|
//! | sin² | 1 - cos² |
//! | the n-th power of an n-th root, or of a power p/n with p > 0, of a polynomial | the polynomial, or its p-th power |
//! | sin and cos of `qπ + a`, for rational q | ± the sine or cosine of `pπ + a` with 0 ≤ p < ½ |
//! | sin, cos and tan of `qπ` | those of a multiple of π in [0, π/4], or a number |
//! | arcsin, arccos and arctan of a sine, cosine or tangent of a multiple of π/12 | the angle |
//! | f (f⁻¹ a), where both are functions of the table | a |
//! | exp of a whole number from 1 to 64; the logarithm of a rational number times exponentials | a power of e; logarithms of primes, and the exponents |
//!
//! A normal form says nothing about the domain: those of `x / x` and `1` differ by 0. So a map whose slope is 0 by normal
//! forms is constant only on each connected part of its domain. An example with two values is `exp (log (x * x) / 2) / x`.

use crate::function::Function;
use crate::number::{Integer, Rational};
use crate::smooth::graph::{Binary, Derivative, Graph, NodeOperation, RationalExponent, Unary, Variable};
use crate::smooth::univariate::Univariate;
use crate::stack::with_stack;
use rustc_hash::FxHashMap;
use std::collections::BTreeMap;
use std::fmt::Write;

/// The largest integer power that is multiplied out. A choice, as the limits below: beyond them normal forms take too
/// long.
const LARGEST_POWER: i64 = 64;
/// The largest size of a polynomial whose roots are isolated: number of coefficients times bits of the largest.
const MAX_UNIVARIATE_SIZE: u64 = 4096;
/// The largest degree for which [`RationalNormalForm::as_polynomial`] returns coefficients.
pub const LARGEST_DEGREE: usize = 12;
/// The largest number of terms of a normal form that is written back as a map.
const MAX_WRITTEN_TERMS: usize = 8;

/// A quotient of polynomials. The denominator is not the zero polynomial.
#[derive(Clone, Debug)]
pub struct RationalFunction {
    /// The numerator.
    numerator: AtomPolynomial,
    /// The denominator.
    denominator: AtomPolynomial,
}

impl RationalFunction {
    fn from_polynomial(numerator: AtomPolynomial) -> Self {
        Self { numerator, denominator: AtomPolynomial::constant(1.into()) }
    }

    /// Returns `self + factor·other`. Like the other operations, returns `None` if a polynomial gets too large.
    fn add_multiple(&self, other: &Self, factor: i32) -> Option<Self> {
        if self.denominator == other.denominator {
            return Some(Self {
                numerator: self.numerator.add_multiple(&other.numerator, factor)?,
                denominator: self.denominator.clone(),
            });
        }
        let over = self
            .numerator
            .times(&other.denominator)?
            .add_multiple(&other.numerator.times(&self.denominator)?, factor)?;
        Some(Self { numerator: over, denominator: self.denominator.times(&other.denominator)? })
    }

    fn times(&self, other: &Self) -> Option<Self> {
        Some(Self {
            numerator: self.numerator.times(&other.numerator)?,
            denominator: self.denominator.times(&other.denominator)?,
        })
    }

    /// Returns 1 divided by the quotient. Returns `None` for 0.
    fn inverse(&self) -> Option<Self> {
        (!self.numerator.is_zero())
            .then(|| Self { numerator: self.denominator.clone(), denominator: self.numerator.clone() })
    }

    fn integer_power(&self, n: i64) -> Option<Self> {
        if n.abs() > LARGEST_POWER {
            return None;
        }
        let base = if n < 0 { self.inverse()? } else { self.clone() };
        (0..n.abs())
            .try_fold(Self::from_polynomial(AtomPolynomial::constant(1.into())), |product, _| product.times(&base))
    }

    /// Returns `true` if the numerator is the polynomial 0.
    #[must_use]
    pub fn is_zero(&self) -> bool {
        self.numerator.is_zero()
    }

    /// Returns the rational number if the numerator is a multiple of the denominator.
    #[must_use]
    pub fn as_rational(&self) -> Option<Rational> {
        let (powers, under) = self.denominator.0.first_key_value()?;
        let quotient = self.numerator.0.get(powers).map_or_else(Rational::new, |over| Rational::from(over / under));
        let is_multiple = |(powers, under): (&AtomMonomial, &Rational)| {
            self.numerator.0.get(powers).is_some_and(|over| *over == Rational::from(under * &quotient))
        };
        let has_same_terms = self.numerator.0.len() == self.denominator.0.len();
        (self.is_zero() || has_same_terms && self.denominator.0.iter().all(is_multiple)).then_some(quotient)
    }

    /// Returns the powers of atoms if the quotient is a product of them, without a factor.
    fn as_monomial(&self) -> Option<&[(u32, u32)]> {
        let (powers, q) = self.numerator.0.first_key_value()?;
        (self.numerator.0.len() == 1 && *q == 1 && self.denominator.as_constant()? == 1).then_some(&powers[..])
    }

    /// Returns the atom that the quotient is, if it is one.
    fn as_atom(&self) -> Option<u32> {
        match self.as_monomial()? {
            [(atom, 1)] => Some(*atom),
            _ => None,
        }
    }

    /// Cancels common factors that are never 0: powers of exponentials, of π and of e, and a number.
    fn cancel_units(&self, atoms: &[Graph]) -> Self {
        let is_never_zero = |atom: &u32| {
            let graph = &atoms[*atom as usize];
            matches!(
                graph.operation(),
                NodeOperation::Unary(Unary::Function(Function::Exp), _) | NodeOperation::Pi | NodeOperation::Euler
            )
        };
        let Some((powers, leading)) = self.denominator.0.first_key_value() else { return self.clone() };
        let mut common: FxHashMap<u32, u32> = powers.iter().filter(|(atom, _)| is_never_zero(atom)).copied().collect();
        for powers in self.numerator.0.keys().chain(self.denominator.0.keys()) {
            let power = |atom: u32| powers.iter().find(|(other, _)| *other == atom).map_or(0, |(_, power)| *power);
            common.iter_mut().for_each(|(atom, least)| *least = power(*atom).min(*least));
        }
        // (x + y)/3 is shorter than x/3 + y/3
        let scale = if self.numerator.0.len() == 1 { leading.clone() } else { Rational::from(1) };
        let [over, under] = [&self.numerator, &self.denominator].map(|p| p.divide_monomial(&common, &scale));
        Self { numerator: over, denominator: under }
    }

    /// Writes the quotient as a map, where `atoms[i]` is atom number i. Returns `None` if a power is too large.
    fn write_graph(&self, atoms: &[Graph]) -> Option<Graph> {
        if self.is_zero() {
            return Some(Graph::integer(0));
        }
        let Self { numerator: over, denominator: under } = self.cancel_units(atoms);
        let sum = |p: &AtomPolynomial| {
            let mut terms = p.0.iter().map(|(powers, q)| write_term(powers, q, atoms));
            terms.try_fold(None, |sum: Option<Graph>, term| {
                let term = term?;
                Some(Some(sum.map_or(term.clone(), |sum| &sum + &term)))
            })
        };
        let written = sum(&over)??;
        match under.as_constant() {
            Some(q) if q == 1 => Some(written),
            _ => Some(&written / sum(&under)??),
        }
    }

    /// Returns a key that is equal for rational multiples of one map, and `true` if it stands for a negative multiple.
    ///
    /// The map is the numerator, divided by the absolute value of its last coefficient and with the sign that makes that
    /// positive. Returns `None` for 0 and for denominators that vary. Atoms occur by number, so keys are comparable within
    /// one [`RationalNormalForm`] only.
    #[must_use]
    pub fn scale_free_key(&self) -> Option<(String, bool)> {
        self.denominator.as_constant()?;
        self.quotient_key()
    }

    /// Returns a key like [`scale_free_key`](Self::scale_free_key), for denominators that vary as well. Maps with one key are rational
    /// multiples of each other; multiples may have several keys. Returns `None` for 0.
    #[must_use]
    pub fn quotient_key(&self) -> Option<(String, bool)> {
        let (over, over_turned) = self.numerator.scale_free_key()?;
        let (under, under_turned) = self.denominator.scale_free_key()?;
        // a constant denominator is left out
        let key = if self.denominator.as_constant().is_some() { over } else { format!("{over}/{under}") };
        Some((key, over_turned != under_turned))
    }
}

/// Writes q times a product of powers of atoms.
fn write_term(powers: &AtomMonomial, q: &Rational, atoms: &[Graph]) -> Option<Graph> {
    let mut product = (*q != 1 || powers.is_empty()).then(|| Graph::rational(q.clone()));
    for (atom, n) in powers {
        let power = Graph::power(&atoms[*atom as usize], &Rational::from(*n))?;
        product = Some(product.map_or(power.clone(), |product| &product * &power));
    }
    product
}

/// An atom with a known power, a polynomial in other atoms: `atomⁿ = value`.
#[derive(Debug)]
struct KnownPower {
    atom: u32,
    exponent: u32,
    value: AtomPolynomial,
}

/// The builder of normal forms. An atom has the same number in all normal forms of one builder.
#[derive(Debug, Default)]
pub struct RationalNormalForm {
    /// The numbers of the atoms by their keys: texts that contain the normal forms of their arguments.
    atoms: FxHashMap<String, u32>,
    /// The atoms as maps, by number.
    graphs: Vec<Graph>,
    /// Atoms with a known power: sines and roots. The value contains no later atom with a known power.
    powers: Vec<KnownPower>,
    /// Finished normal forms by node address. The graphs are kept alive, so that no address is reused.
    memo: FxHashMap<usize, (Graph, Option<RationalFunction>)>,
}

impl RationalNormalForm {
    /// Returns the normal form of a map. Returns `None` if it is too large, or if a denominator is 0.
    pub fn normal_form(&mut self, g: &Graph) -> Option<RationalFunction> {
        if let Some((_, done)) = self.memo.get(&g.address()) {
            return done.clone();
        }
        let found = with_stack(|| self.normalise_node(g)).and_then(|found| self.reduce_powers(found));
        self.memo.insert(g.address(), (g.clone(), found.clone()));
        found
    }

    /// Rewrites all powers of atoms that are known. Returns `None` if the result is too large, or its denominator is 0.
    fn reduce_powers(&self, found: RationalFunction) -> Option<RationalFunction> {
        // there may be many known powers, and most normal forms contain none
        if !found.numerator.has_power(None, 2) && !found.denominator.has_power(None, 2) {
            return Some(found);
        }
        // latest first: to rewrite a power may introduce powers of earlier atoms, never of later ones
        self.powers.iter().rev().try_fold(found, |RationalFunction { numerator: over, denominator: under }, known| {
            let under = under.reduce_power(known)?;
            (!under.is_zero()).then_some(())?;
            Some(RationalFunction { numerator: over.reduce_power(known)?, denominator: under })
        })
    }

    /// Returns numerator and denominator as polynomials in `v` over ℚ. Returns `None` if atoms other than `v` occur, for
    /// degrees above 64, and for polynomials whose roots would take too long to isolate.
    pub fn as_quotient(&mut self, g: &Graph, v: Variable) -> Option<[Univariate; 2]> {
        let RationalFunction { numerator: over, denominator: under } = self.normal_form(g)?;
        let own = self.atoms.get(&format!("{v:?}")).copied();
        let read = |p: &AtomPolynomial| {
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
            (size <= MAX_UNIVARIATE_SIZE).then(|| Univariate::new(coefficients))
        };
        Some([read(&over)?, read(&under)?])
    }

    /// Returns the coefficients of a polynomial in `v` over ℚ, that of vⁿ at index n. Returns `None` for other maps, and for
    /// degrees above [`LARGEST_DEGREE`].
    pub fn as_polynomial(&mut self, g: &Graph, v: Variable) -> Option<Vec<Rational>> {
        let [over, under] = self.as_quotient(g, v)?;
        let ([divisor], true) = (under.coefficients(), over.degree() <= LARGEST_DEGREE) else { return None };
        Some(over.coefficients().iter().map(|a| Rational::from(a / divisor)).collect())
    }

    /// Replaces a map by its normal form if that has fewer nodes: `x - t·1 - (x - t·0)` becomes `-t`.
    pub fn simplify_graph(&mut self, g: &Graph) -> Graph {
        let short = self.normal_form(g).filter(|f| f.numerator.0.len() + f.denominator.0.len() <= MAX_WRITTEN_TERMS);
        let size = |g: &Graph| Graph::all_nodes(std::slice::from_ref(g)).len();
        let written = short.and_then(|f| f.write_graph(&self.graphs)).filter(|written| size(written) < size(g));
        written.unwrap_or_else(|| g.clone())
    }

    /// Returns the atom with this key. It gets a new number, and `graph` as its map, if the key is new.
    fn intern_atom(&mut self, key: String, graph: &Graph) -> RationalFunction {
        let next = self.graphs.len() as u32;
        let number = *self.atoms.entry(key).or_insert(next);
        if number == next {
            self.graphs.push(graph.clone());
        }
        RationalFunction::from_polynomial(AtomPolynomial::from_atom(number))
    }

    /// Makes atoms of the sine and the cosine of an angle, and records sin² = 1 - cos².
    fn relate_sine_cosine(&mut self, angle: &str, a: &Graph) {
        for f in [Function::Sin, Function::Cos] {
            self.intern_atom(format!("{f}({angle})"), &Graph::function(f, a));
        }
        let both = [Function::Sin, Function::Cos].map(|f| self.atoms.get(&format!("{f}({angle})")).copied());
        // recorded once: by the first of the two functions that occurs
        if let [Some(sine), Some(cosine)] = both
            && self.powers.iter().all(|known| known.atom != sine)
        {
            let one = AtomPolynomial::constant(1.into());
            let value = one.add_multiple(&AtomPolynomial::square_of_atom(cosine), -1);
            self.powers.extend(value.map(|value| KnownPower { atom: sine, exponent: 2, value }));
        }
    }

    fn variable_atom(&mut self, v: Variable) -> RationalFunction {
        self.intern_atom(format!("{v:?}"), &Graph::variable(v))
    }

    /// Returns the normal form of a map as text, for the keys of atoms.
    fn text_key(&mut self, g: &Graph) -> Option<String> {
        let RationalFunction { numerator: over, denominator: under } = self.normal_form(g)?;
        // a constant denominator is divided out: π/4 and (1/4)·π are one angle
        match under.as_constant() {
            Some(q) => Some(format!("{:?}", over.times(&AtomPolynomial::constant(q.recip()))?.0)),
            None => Some(format!("{:?}/{:?}", over.0, under.0)),
        }
    }

    /// Returns the normal form of a node from those of its children, before squares are rewritten.
    fn normalise_node(&mut self, g: &Graph) -> Option<RationalFunction> {
        Some(match g.operation() {
            NodeOperation::Rational(q) => RationalFunction::from_polynomial(AtomPolynomial::constant((**q).clone())),
            NodeOperation::Variable(v) => self.variable_atom(*v),
            NodeOperation::Pi => self.intern_atom("pi".into(), g),
            NodeOperation::Euler => self.intern_atom("e".into(), g),
            NodeOperation::Unary(Unary::Negate, a) => {
                let zero = RationalFunction::from_polynomial(AtomPolynomial::default());
                zero.add_multiple(&self.normal_form(a)?, -1)?
            }
            NodeOperation::Unary(Unary::Function(f), a) => match exact_function_value(*f, &self.normal_form(a)?) {
                Some(value) => RationalFunction::from_polynomial(AtomPolynomial::constant(value)),
                None if *f == Function::Sqrt => self.square_root(a, g)?,
                None if *f == Function::Cbrt => self.root_power(a, (1, 3), g)?,
                None => match self.related_value(*f, a) {
                    Some(value) => value,
                    None => self.function_atom(*f, a, g)?,
                },
            },
            NodeOperation::Binary(operation, a, b) => {
                let (x, y) = (self.normal_form(a)?, self.normal_form(b)?);
                match operation {
                    Binary::Add => x.add_multiple(&y, 1)?,
                    Binary::Subtract => x.add_multiple(&y, -1)?,
                    Binary::Multiply => x.times(&y)?,
                    Binary::Divide => x.times(&y.inverse()?)?,
                    Binary::Maximum | Binary::Minimum | Binary::Planar(_) => {
                        let key = format!("{operation:?}({}, {})", self.text_key(a)?, self.text_key(b)?);
                        self.intern_atom(key, g)
                    }
                }
            }
            NodeOperation::Power(a, RationalExponent { numerator, denominator: 1 }) => {
                self.normal_form(a)?.integer_power(*numerator)?
            }
            NodeOperation::Power(a, RationalExponent { numerator: 1, denominator: 2 }) => self.square_root(a, g)?,
            NodeOperation::Power(a, exponent) => self.root_power(a, (exponent.numerator, exponent.denominator), g)?,
            NodeOperation::Derivative(derivative) => match self.differentiate_form(derivative) {
                Some(slope) => slope,
                None => self.opaque_atom(g),
            },
            _ => self.opaque_atom(g),
        })
    }

    /// Returns the atom of a function of `a`, which is the graph `g`.
    fn function_atom(&mut self, f: Function, a: &Graph, g: &Graph) -> Option<RationalFunction> {
        let of = self.text_key(a)?;
        let found = self.intern_atom(format!("{f}({of})"), g);
        if matches!(f, Function::Sin | Function::Cos) {
            self.relate_sine_cosine(&of, a);
        }
        Some(found)
    }

    /// Returns an atom that is equal to this node only.
    fn opaque_atom(&mut self, g: &Graph) -> RationalFunction {
        self.intern_atom(format!("@{}", g.address()), g)
    }

    /// Returns the normal form of a derivative, by the quotient rule. Returns `None` if an atom that is a function of a bound
    /// variable occurs: its derivative is unknown here.
    fn differentiate_form(
        &mut self,
        Derivative { variables, body, at, along, .. }: &Derivative,
    ) -> Option<RationalFunction> {
        let body = self.normal_form(body)?;
        let mut bound = FxHashMap::default();
        for (v, at) in variables.iter().zip(at) {
            let number = match &self.variable_atom(*v).numerator.0.first_key_value()?.0[..] {
                [(number, _)] => *number,
                _ => return None,
            };
            bound.insert(number, self.normal_form(at)?);
        }
        // such an atom varies with the bound variables, but is not one of them
        let moves = |number: u32| {
            !bound.contains_key(&number) && variables.iter().any(|v| self.graphs[number as usize].depends_on(*v))
        };
        let mentioned = || [&body.numerator, &body.denominator].into_iter().flat_map(|p| p.0.keys().flatten());
        if mentioned().any(|(number, _)| moves(*number)) {
            return None;
        }
        let mut sum = RationalFunction::from_polynomial(AtomPolynomial::default());
        for (v, along) in variables.iter().zip(along) {
            let number = *self.atoms.get(&format!("{v:?}"))?;
            let (over, under) = (&body.numerator, &body.denominator);
            // the quotient rule; each partial derivative is weighted with its coordinate of the direction
            let rise =
                over.derivative(number)?.times(under)?.add_multiple(&over.times(&under.derivative(number)?)?, -1)?;
            let slope = RationalFunction { numerator: rise, denominator: under.times(under)? };
            let here = RationalFunction {
                numerator: AtomPolynomial::default(),
                denominator: AtomPolynomial::constant(1.into()),
            };
            let over = substitute_fractions(&slope.numerator, &bound, here.clone())?;
            let under = substitute_fractions(&slope.denominator, &bound, here)?;
            sum = sum.add_multiple(&over.times(&under.inverse()?)?.times(&self.normal_form(along)?)?, 1)?;
        }
        Some(sum)
    }
}

/// Substitutes quotients for the atoms in `bound`, and adds the result to `zero`. Returns `None` if it is too large.
fn substitute_fractions(
    p: &AtomPolynomial,
    bound: &FxHashMap<u32, RationalFunction>,
    zero: RationalFunction,
) -> Option<RationalFunction> {
    let mut sum = zero;
    for (powers, q) in &p.0 {
        let mut term = RationalFunction::from_polynomial(AtomPolynomial::constant(q.clone()));
        for (number, power) in powers {
            let factor = match bound.get(number) {
                Some(found) => found.integer_power(i64::from(*power))?,
                None => RationalFunction::from_polynomial(AtomPolynomial(
                    [(vec![(*number, *power)], Rational::from(1))].into(),
                )),
            };
            term = term.times(&factor)?;
        }
        sum = sum.add_multiple(&term, 1)?;
    }
    Some(sum)
}

/// Returns f(q) if q and f(q) are rational and the value is known exactly.
fn exact_function_value(f: Function, at: &RationalFunction) -> Option<Rational> {
    let q = at.as_rational()?;
    if f == Function::Sqrt && q >= 0 && q.numer().is_perfect_square() && q.denom().is_perfect_square() {
        return Some(Rational::from((q.numer().clone().sqrt(), q.denom().clone().sqrt())));
    }
    // the table of exact values is in `f64`, so q itself has to be one
    let x = q.to_f64();
    let value = f.exact_value(x).filter(|_| Rational::from_f64(x) == Some(q))?;
    Rational::from_f64(value)
}

/// The largest number of terms of a polynomial. A choice, as the next: there is no normal form rather than a slow one.
const MAX_TERMS: usize = 400;
/// The largest number of bits of the numerator or denominator of a coefficient.
const MAX_COEFFICIENT_BITS: u32 = 1 << 14;

/// A monomial: pairs (number of an atom, power), in increasing order of atoms.
type AtomMonomial = Vec<(u32, u32)>;

/// A polynomial over ℚ in atoms. No stored coefficient is 0.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct AtomPolynomial(BTreeMap<AtomMonomial, Rational>);

impl AtomPolynomial {
    fn constant(q: Rational) -> Self {
        let mut terms = BTreeMap::new();
        if q != 0 {
            terms.insert(AtomMonomial::new(), q);
        }
        Self(terms)
    }

    fn from_atom(number: u32) -> Self {
        Self(BTreeMap::from([(vec![(number, 1)], Rational::from(1))]))
    }

    fn square_of_atom(number: u32) -> Self {
        Self(BTreeMap::from([(vec![(number, 2)], Rational::from(1))]))
    }

    fn is_zero(&self) -> bool {
        self.0.is_empty()
    }

    fn as_constant(&self) -> Option<Rational> {
        match self.0.first_key_value() {
            None => Some(Rational::new()),
            Some((powers, q)) => (self.0.len() == 1 && powers.is_empty()).then(|| q.clone()),
        }
    }

    /// Adds a term. Returns `None` if its coefficient or the polynomial is too large.
    fn add_term(&mut self, powers: AtomMonomial, q: &Rational) -> Option<()> {
        // products of coefficients get longer and longer
        if q.numer().significant_bits().max(q.denom().significant_bits()) > MAX_COEFFICIENT_BITS {
            return None;
        }
        let sum = self.0.remove(&powers).unwrap_or_default() + q;
        if sum != 0 {
            self.0.insert(powers, sum);
        }
        (self.0.len() <= MAX_TERMS).then_some(())
    }

    fn add_multiple(&self, other: &Self, factor: i32) -> Option<Self> {
        let mut sum = self.clone();
        for (powers, q) in &other.0 {
            sum.add_term(powers.clone(), &Rational::from(q * factor))?;
        }
        Some(sum)
    }

    fn times(&self, other: &Self) -> Option<Self> {
        // at most 16 products per remaining term are worth multiplying out
        if self.0.len().saturating_mul(other.0.len()) > MAX_TERMS * 16 {
            return None;
        }
        let mut product = Self::default();
        for (a, p) in &self.0 {
            for (b, q) in &other.0 {
                product.add_term(multiply_monomials(a, b)?, &Rational::from(p * q))?;
            }
        }
        Some(product)
    }

    /// Divides by the number `scale`, and by the powers `common` of atoms, which must divide every term.
    fn divide_monomial(&self, common: &FxHashMap<u32, u32>, scale: &Rational) -> Self {
        let less = |powers: &AtomMonomial| {
            let rest = powers.iter().map(|(atom, power)| (*atom, power - common.get(atom).unwrap_or(&0)));
            rest.filter(|(_, power)| *power > 0).collect()
        };
        Self(self.0.iter().map(|(powers, q)| (less(powers), Rational::from(q / scale))).collect())
    }

    /// Returns `true` if this power of `atom`, or of any atom for `None`, divides some term.
    fn has_power(&self, atom: Option<u32>, exponent: u32) -> bool {
        let is_high = |(a, power): &(u32, u32)| *power >= exponent && atom.is_none_or(|atom| *a == atom);
        self.0.keys().any(|powers| powers.iter().any(is_high))
    }

    /// Replaces a known power of an atom as often as it occurs. Returns `None` if the result is too large.
    fn reduce_power(&self, KnownPower { atom: root, exponent, value }: &KnownPower) -> Option<Self> {
        if !self.has_power(Some(*root), *exponent) {
            return Some(self.clone());
        }
        let mut found = Self::default();
        for (powers, q) in &self.0 {
            let times = powers.iter().find(|(atom, _)| atom == root).map_or(0, |(_, power)| power / exponent);
            let rest = powers.iter().filter_map(|&(atom, power)| {
                let left = if atom == *root { power % exponent } else { power };
                (left > 0).then_some((atom, left))
            });
            let mut term = Self(BTreeMap::from([(rest.collect::<AtomMonomial>(), q.clone())]));
            for _ in 0..times {
                term = term.times(value)?;
            }
            found = found.add_multiple(&term, 1)?;
        }
        Some(found)
    }

    /// Returns a key that is equal for rational multiples of one polynomial, and `true` if it stands for a negative multiple. Returns
    /// `None` for 0.
    fn scale_free_key(&self) -> Option<(String, bool)> {
        let (_, leading) = self.0.last_key_value()?;
        let scale = leading.clone();
        let mut key = String::new();
        for (powers, q) in &self.0 {
            let _ = write!(key, "{powers:?}{};", Rational::from(q / &scale));
        }
        Some((key, *leading < 0))
    }

    /// Returns the formal derivative along an atom, with the other atoms constant.
    fn derivative(&self, atom: u32) -> Option<Self> {
        let mut slope = Self::default();
        for (powers, q) in &self.0 {
            let Some(place) = powers.iter().position(|(a, _)| *a == atom) else { continue };
            let (mut lower, power) = (powers.clone(), powers[place].1);
            match power {
                1 => drop(lower.remove(place)),
                _ => lower[place].1 -= 1,
            }
            slope.add_term(lower, &Rational::from(q * power))?;
        }
        Some(slope)
    }
}

/// Multiplies two monomials. Returns `None` if a power overflows.
fn multiply_monomials(a: &[(u32, u32)], b: &[(u32, u32)]) -> Option<AtomMonomial> {
    let mut powers: BTreeMap<u32, u32> = a.iter().copied().collect();
    for (atom, power) in b {
        let sum = powers.entry(*atom).or_default();
        *sum = sum.checked_add(*power)?;
    }
    Some(powers.into_iter().collect())
}

/// The bound below which numbers p are tried to extract square factors p² from under a square root. A choice: trial
/// division, not factorisation.
const SMALL: u32 = 100;

impl RationalNormalForm {
    /// Returns the normal form of `g`, the square root of `of`. The absolute value of the leading coefficient is extracted, so
    /// that positive multiples share one atom.
    fn square_root(&mut self, of: &Graph, g: &Graph) -> Option<RationalFunction> {
        let RationalFunction { numerator: over, denominator: under } = self.normal_form(of)?;
        let under = under.as_constant().map(|divisor| over.times(&AtomPolynomial::constant(divisor.recip())));
        let whole = match under {
            Some(whole) => whole?,
            // the denominator varies, so its sign is unknown: √(a/b) is not √a/√b in general
            None => {
                let key = format!("{}({})", Function::Sqrt, self.text_key(of)?);
                return Some(self.intern_atom(key, g));
            }
        };
        let leading = whole.0.last_key_value().map(|(_, leading)| leading.clone().abs()).unwrap_or_default();
        if let Some(q) = whole.as_constant().filter(|q| *q >= 0) {
            return self.square_root_of_number(&q);
        }
        let own = whole.times(&AtomPolynomial::constant(leading.clone().recip()))?;
        let graph = match leading == 1 {
            true => g.clone(),
            false => Graph::function(
                Function::Sqrt,
                &RationalFunction::from_polynomial(own.clone()).write_graph(&self.graphs)?,
            ),
        };
        let root = self.atom_of_square(own, &graph);
        self.square_root_of_number(&leading)?.times(&root)
    }

    /// Returns the atom of the square root of `square`. If it is new, records its square, and `graph` as its map.
    fn atom_of_square(&mut self, square: AtomPolynomial, graph: &Graph) -> RationalFunction {
        let known = self.graphs.len();
        let found = self.intern_atom(format!("{}({:?})", Function::Sqrt, square.0), graph);
        if self.graphs.len() > known {
            self.powers.push(KnownPower { atom: known as u32, exponent: 2, value: square });
        }
        found
    }

    /// Returns the normal form of √q for q ≥ 0: a rational multiple of the square root of an integer without small
    /// square factors.
    fn square_root_of_number(&mut self, q: &Rational) -> Option<RationalFunction> {
        // √(n/d) = √(n·d)/d
        let mut rest = q.numer().clone() * q.denom();
        let mut outside = Rational::from(1) / q.denom();
        for p in 2..SMALL {
            while rest != 0 && rest.is_divisible_u(p * p) {
                rest.div_exact_u_mut(p * p);
                outside *= p;
            }
        }
        if rest.is_perfect_square() {
            return Some(RationalFunction::from_polynomial(AtomPolynomial::constant(outside * rest.sqrt())));
        }
        let whole = Rational::from(rest);
        let graph = Graph::function(Function::Sqrt, &Graph::rational(whole.clone()));
        let root = self.atom_of_square(AtomPolynomial::constant(whole), &graph);
        root.times(&RationalFunction::from_polynomial(AtomPolynomial::constant(outside)))
    }
    /// Returns the normal form of `g`, a power p/n of `of` with n > 1, and records its n-th power for p > 0.
    fn root_power(&mut self, of: &Graph, (p, n): (i64, u32), g: &Graph) -> Option<RationalFunction> {
        let inner = self.normal_form(of)?;
        if let Some(root) = inner.as_rational().and_then(|q| rational_root(&q, n)) {
            return RationalFunction::from_polynomial(AtomPolynomial::constant(root)).integer_power(p);
        }
        let known = self.graphs.len();
        let key = format!("^{p}/{n}({})", self.text_key(of)?);
        let found = self.intern_atom(key, g);
        let whole = inner.denominator.as_constant().map(|divisor| AtomPolynomial::constant(divisor.recip()));
        if self.graphs.len() > known
            && (1..=LARGEST_POWER).contains(&p)
            && let Some(base) = whole.and_then(|over| inner.numerator.times(&over))
            && let Some(power) = RationalFunction::from_polynomial(base).integer_power(p)
            && let Some(RationalFunction { numerator: value, .. }) = self.reduce_powers(power)
        {
            self.powers.push(KnownPower { atom: known as u32, exponent: n, value });
        }
        Some(found)
    }
}

/// Returns the n-th root of a rational number if it is rational. Even roots of negative numbers do not exist.
fn rational_root(q: &Rational, n: u32) -> Option<Rational> {
    if *q < 0 && n.is_multiple_of(2) {
        return None;
    }
    let root = |whole: &Integer| {
        let (root, rest) = whole.clone().root_rem(Integer::new(), n);
        (rest == 0).then_some(root)
    };
    Some(Rational::from((root(q.numer())?, root(q.denom())?)))
}

impl RationalNormalForm {
    /// Returns f(a) by a relation between functions; see the [module](self). Returns `None` if none applies.
    fn related_value(&mut self, f: Function, a: &Graph) -> Option<RationalFunction> {
        let inner = self.normal_form(a)?;
        if let Some(atom) = inner.as_atom()
            && let NodeOperation::Unary(Unary::Function(g), y) = self.graphs[atom as usize].operation()
            && f.row().left_inverse_of == Some(*g)
        {
            let y = y.clone();
            return self.normal_form(&y);
        }
        match f {
            Function::Sin | Function::Cos | Function::Tan => self.function_of_angle(f, &inner),
            Function::Asin | Function::Acos | Function::Atan => self.angle_of_value(f, &inner),
            Function::Exp => {
                let n = inner.as_rational().filter(|q| *q.denom() == 1)?.numer().to_i64().filter(|n| *n >= 1)?;
                self.normal_form(&Graph::euler())?.integer_power(n)
            }
            Function::Log => self.logarithm_of_number(&inner),
            _ => None,
        }
    }

    /// Returns the logarithm of a number above 0: of a rational number by those of primes, times powers of e and exponentials.
    fn logarithm_of_number(&mut self, of: &RationalFunction) -> Option<RationalFunction> {
        let mut sum = RationalFunction::from_polynomial(AtomPolynomial::default());
        let mut q = Rational::from(1);
        for (polynomial, sign) in [(&of.numerator, 1), (&of.denominator, -1)] {
            let (powers, factor) = polynomial.0.first_key_value().filter(|_| polynomial.0.len() == 1)?;
            q = if sign == 1 { q * factor } else { q / factor };
            for &(atom, power) in powers {
                let exponent = match self.graphs[atom as usize].operation() {
                    NodeOperation::Euler => Graph::integer(1),
                    NodeOperation::Unary(Unary::Function(Function::Exp), y) => y.clone(),
                    _ => return None,
                };
                sum = sum.add_multiple(&self.normal_form(&exponent)?, sign * i32::try_from(power).ok()?)?;
            }
        }
        if q <= 0 {
            return None;
        }
        for (whole, sign) in [(q.numer(), 1), (q.denom(), -1)] {
            let mut rest = whole.clone();
            let mut add = |own: &mut Self, n: &Integer| {
                let graph = Graph::function(Function::Log, &Graph::rational(Rational::from(n)));
                let atom = own.intern_atom(format!("{}({n})", Function::Log), &graph);
                sum = sum.add_multiple(&atom, sign)?;
                Some(())
            };
            for p in 2..SMALL {
                while rest.is_divisible_u(p) {
                    rest.div_exact_u_mut(p);
                    add(self, &Integer::from(p))?;
                }
            }
            if rest != 1 {
                add(self, &rest)?;
            }
        }
        Some(sum)
    }

    /// Returns the sine, cosine or tangent of an angle that has a rational multiple of π in it or a negative leading
    /// coefficient. Returns `None` for any other, and if nothing is simpler.
    fn function_of_angle(&mut self, f: Function, angle: &RationalFunction) -> Option<RationalFunction> {
        let divisor = angle.denominator.as_constant()?;
        let angle = angle.numerator.times(&AtomPolynomial::constant(divisor.recip()))?;
        let mut rest = angle;
        let turn = self.atoms.get("pi").map(|pi| vec![(*pi, 1)]);
        let q = turn.and_then(|turn| rest.0.remove(&turn)).unwrap_or_default();
        if q == 0 && rest.0.last_key_value().is_none_or(|(_, leading)| *leading > 0) {
            return None;
        }
        if f == Function::Tan {
            // the tangent of a number alone: with a rest it stays an atom
            rest.is_zero().then_some(())?;
            let [sine, cosine] = [Function::Sin, Function::Cos].map(|f| self.sinusoid(f, &q, &rest));
            return sine?.times(&cosine?.inverse()?);
        }
        self.sinusoid(f, &q, &rest)
    }

    /// Returns the sine or cosine of `qπ + rest`.
    fn sinusoid(&mut self, f: Function, q: &Rational, rest: &AtomPolynomial) -> Option<RationalFunction> {
        // in quarters of a turn: q = k/2 + p with 0 ≤ p < 1/2
        let quarters = Rational::from(q * 2).floor().numer().clone();
        let mut part = q - Rational::from((quarters.clone(), 2));
        // sin (kπ/2 + b) is sin b, cos b, -sin b, -cos b
        let phase = (quarters.mod_u(4) + u32::from(f == Function::Cos)) % 4;
        let mut sign = if phase >= 2 { -1 } else { 1 };
        let mut is_cosine = phase % 2 == 1;
        if rest.is_zero() && part > Rational::from((1, 4)) {
            // sin b = cos (π/2 - b)
            part = Rational::from((1, 2)) - part;
            is_cosine = !is_cosine;
        }
        let mut rest = rest.clone();
        if part == 0 && rest.0.last_key_value().is_some_and(|(_, leading)| *leading < 0) {
            // sin (-b) = -sin b, cos (-b) = cos b
            rest = AtomPolynomial::default().add_multiple(&rest, -1)?;
            sign = if is_cosine { sign } else { -sign };
        }
        let value = if rest.is_zero()
            && let Some(value) = self.sinusoid_of_twelfths(is_cosine, &part)
        {
            value
        } else {
            let pi = self.normal_form(&Graph::pi())?.numerator.times(&AtomPolynomial::constant(part))?;
            let angle = RationalFunction::from_polynomial(rest.add_multiple(&pi, 1)?).write_graph(&self.graphs)?;
            let f = if is_cosine { Function::Cos } else { Function::Sin };
            self.function_atom(f, &angle, &Graph::function(f, &angle))?
        };
        RationalFunction::from_polynomial(AtomPolynomial::default()).add_multiple(&value, sign)
    }

    /// Returns the sine or cosine of 0, π/12, π/6 and π/4.
    fn sinusoid_of_twelfths(&mut self, is_cosine: bool, part: &Rational) -> Option<RationalFunction> {
        let twelfths = Rational::from(part * 12);
        let root = |own: &mut Self, n: i64| own.square_root_of_number(&n.into());
        let over = |value: RationalFunction, n: i64| {
            value.times(&RationalFunction::from_polynomial(AtomPolynomial::constant(Rational::from((1, n)))))
        };
        match (twelfths.to_f64() as u32, is_cosine) {
            _ if *twelfths.denom() != 1 => None,
            (0, _) => Some(RationalFunction::from_polynomial(AtomPolynomial::constant(i32::from(is_cosine).into()))),
            (1, _) => over(root(self, 6)?.add_multiple(&root(self, 2)?, if is_cosine { 1 } else { -1 })?, 4),
            (2, false) => over(root(self, 1)?, 2),
            (2, true) => over(root(self, 3)?, 2),
            (3, _) => over(root(self, 2)?, 2),
            _ => None,
        }
    }

    /// Returns the arcsine, arccosine or arctangent of a value of the sine, cosine or tangent at a multiple of π/12.
    fn angle_of_value(&mut self, f: Function, value: &RationalFunction) -> Option<RationalFunction> {
        let (inverse, twelfths) = match f {
            Function::Asin => (Function::Sin, -6..=6),
            Function::Acos => (Function::Cos, 0..=12),
            _ => (Function::Tan, -5..=5),
        };
        // a number made of roots of integers: any other value equals none of these
        let is_root = |atom: &u32| {
            matches!(self.graphs[*atom as usize].operation(),
                NodeOperation::Unary(Unary::Function(Function::Sqrt), a) if a.as_rational().is_some())
        };
        let all = [&value.numerator, &value.denominator];
        all.into_iter().all(|p| p.0.keys().flatten().all(|(atom, _)| is_root(atom))).then_some(())?;
        let pi = self.normal_form(&Graph::pi())?;
        let nothing = AtomPolynomial::default();
        for twelfth in twelfths {
            let q = Rational::from((twelfth, 12));
            let [sine, cosine] = [Function::Sin, Function::Cos].map(|f| self.sinusoid(f, &q, &nothing));
            let (sine, cosine) = (sine?, cosine?);
            // tan b = t where sin b = t·cos b
            let difference = match inverse {
                Function::Sin => value.add_multiple(&sine, -1),
                Function::Cos => value.add_multiple(&cosine, -1),
                _ => value.times(&cosine)?.add_multiple(&sine, -1),
            };
            if self.reduce_powers(difference?)?.is_zero() {
                return pi.times(&RationalFunction::from_polynomial(AtomPolynomial::constant(q)));
            }
        }
        None
    }
}
