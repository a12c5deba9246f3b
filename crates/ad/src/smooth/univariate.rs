//! Polynomials in one variable over ℚ, and their real roots, isolated by Sturm's theorem.
//!
//! Exact: on (a, b], a square-free polynomial has as many roots as its Sturm chain has more sign changes at a than at
//! b. So an irrational root is known as exactly as a rational one: by an interval that isolates it, and by the side of
//! it on which any given number lies.

use crate::number::Rational;
use std::cmp::Ordering;

/// A polynomial in one variable: the coefficient of xⁿ stands at n, and the last one is not 0.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Univariate(Vec<Rational>);

impl Univariate {
    /// Creates the polynomial with these coefficients. Zeros at the end are dropped.
    #[must_use]
    pub fn new(mut coefficients: Vec<Rational>) -> Self {
        while coefficients.last().is_some_and(|last| *last == 0) {
            coefficients.pop();
        }
        Self(coefficients)
    }

    /// Returns the coefficients, that of xⁿ at n.
    #[must_use]
    pub fn coefficients(&self) -> &[Rational] {
        &self.0
    }

    /// Returns `true` for the zero polynomial.
    #[must_use]
    pub fn is_zero(&self) -> bool {
        self.0.is_empty()
    }

    /// Returns the degree; 0 for the zero polynomial.
    #[must_use]
    pub fn degree(&self) -> usize {
        self.0.len().saturating_sub(1)
    }

    /// Returns the sign of the value at `x`.
    #[must_use]
    pub fn sign_at(&self, x: &Rational) -> Ordering {
        // qⁿ f(p/q) = Σ aₖ pᵏ qⁿ⁻ᵏ: products of integers, for which no common divisors are sought
        let [p, q] = [x.numer(), x.denom()].map(|part| Rational::from(part.clone()));
        let (mut sum, mut power) = (Rational::new(), Rational::from(1));
        for a in self.0.iter().rev() {
            sum = sum * &p + Rational::from(a * &power);
            power *= &q;
        }
        sum.cmp0()
    }

    /// Returns Cauchy's bound: no root has a larger absolute value.
    #[must_use]
    pub fn root_bound(&self) -> Rational {
        let Some((last, rest)) = self.0.split_last() else { return Rational::from(1) };
        let largest = rest.iter().map(|a| Rational::from(a / last).abs()).max().unwrap_or_default();
        largest + 1u32
    }

    fn derivative(&self) -> Self {
        Self::new(self.0.iter().enumerate().skip(1).map(|(n, a)| Rational::from(a * n as u64)).collect())
    }

    /// Returns the primitive part: the positive multiple with integer coefficients that have no common divisor.
    fn primitive_part(mut self) -> Self {
        let mut content: Option<Rational> = None;
        for a in self.0.iter().filter(|a| **a != 0) {
            let content = content.get_or_insert_with(|| a.clone().abs());
            // the gcd of two fractions in lowest terms: the gcd of the numerators over the lcm of the denominators
            let over = content.numer().clone().gcd(a.numer());
            let under = content.denom().clone().lcm(a.denom());
            *content = Rational::from((over, under));
        }
        if let Some(content) = content {
            self.0.iter_mut().for_each(|a| *a /= &content);
        }
        self
    }

    /// Returns quotient and remainder.
    fn div_rem(&self, by: &Self) -> (Self, Self) {
        let (mut rest, n) = (self.0.clone(), by.0.len());
        let mut quotient = vec![Rational::new(); (rest.len() + 1).saturating_sub(n)];
        while rest.len() >= n {
            let (Some(last), Some(leading)) = (rest.pop(), by.0.last()) else { break };
            let factor = last / leading;
            let shift = rest.len() + 1 - n;
            for (a, b) in rest[shift..].iter_mut().zip(&by.0) {
                *a -= Rational::from(&factor * b);
            }
            quotient[shift] = factor;
        }
        (Self::new(quotient), Self::new(rest))
    }

    /// Returns the primitive part of a greatest common divisor.
    #[must_use]
    pub fn greatest_common_divisor(&self, other: &Self) -> Self {
        let (mut a, mut b) = (self.clone().primitive_part(), other.clone().primitive_part());
        while !b.is_zero() {
            // primitive parts keep the coefficients of Euclid's remainders small
            let rest = a.div_rem(&b).1.primitive_part();
            (a, b) = (b, rest);
        }
        a
    }

    /// Cancels the common divisor of numerator and denominator.
    #[must_use]
    pub fn cancel_common(over: &Self, under: &Self) -> [Self; 2] {
        if under.degree() == 0 {
            return [over.clone(), under.clone()];
        }
        let common = over.greatest_common_divisor(under);
        [over, under].map(|p| p.div_rem(&common).0)
    }

    /// Returns the square-free part: the polynomial with the same roots, each once.
    fn square_free(&self) -> Self {
        match self.degree() {
            0 | 1 => self.clone(),
            _ => self.div_rem(&self.greatest_common_divisor(&self.derivative())).0.primitive_part(),
        }
    }
}

/// The real roots of a polynomial that is not 0, with a Sturm chain to count them.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct IsolatedRoots {
    /// The square-free part, and after it the negated remainders of Sturm.
    chain: Vec<Univariate>,
    /// The leading coefficient: the denominator of a rational root divides it.
    leading: Rational,
}

impl IsolatedRoots {
    /// Prepares the roots of a polynomial that is not 0.
    #[must_use]
    pub fn of_polynomial(p: &Univariate) -> Self {
        let simple = p.square_free().primitive_part();
        let leading = simple.0.last().map_or_else(|| Rational::from(1), |a| a.clone().abs());
        // Sturm: each further term is the negative of a remainder; positive multiples change no sign
        let mut chain = vec![simple.derivative(), simple];
        chain.reverse();
        while let [.., a, b] = &chain[..]
            && !b.is_zero()
        {
            let Univariate(mut rest) = a.div_rem(b).1.primitive_part();
            rest.iter_mut().for_each(|a| *a = Rational::from(-&*a));
            chain.push(Univariate(rest));
        }
        chain.pop();
        Self { chain, leading }
    }

    fn square_free_part(&self) -> &Univariate {
        &self.chain[0]
    }

    /// Returns `true` if `x` is a root.
    #[must_use]
    pub fn is_root(&self, x: &Rational) -> bool {
        self.square_free_part().sign_at(x) == Ordering::Equal
    }

    fn sign_changes(&self, x: &Rational) -> usize {
        let signs: Vec<_> = self.chain.iter().map(|p| p.sign_at(x)).filter(|sign| sign.is_ne()).collect();
        signs.windows(2).filter(|pair| pair[0] != pair[1]).count()
    }

    /// Returns the number of roots on [a, b], a ≤ b.
    #[must_use]
    pub fn count_in(&self, a: &Rational, b: &Rational) -> usize {
        self.sign_changes(a) - self.sign_changes(b) + usize::from(self.is_root(a))
    }

    /// Returns `true` if both polynomials have a common root on [a, b].
    #[must_use]
    pub fn have_common_root(&self, other: &Self, a: &Rational, b: &Rational) -> bool {
        let common = self.square_free_part().greatest_common_divisor(other.square_free_part());
        common.degree() > 0 && Self::of_polynomial(&common).count_in(a, b) > 0
    }

    /// Isolates the roots on the open interval (a, b), in increasing order. A rational root is given as `[x, x]`. For
    /// others neither end is a root, no other root lies between the ends, and the width is at most `finest`.
    #[must_use]
    pub fn isolate_between(&self, a: &Rational, b: &Rational, finest: &Rational) -> Vec<[Rational; 2]> {
        let mut found = Vec::new();
        if a < b && self.square_free_part().degree() > 0 {
            self.isolate_into(a, b, finest, &mut found);
        }
        found
    }

    fn isolate_into(&self, a: &Rational, b: &Rational, finest: &Rational, found: &mut Vec<[Rational; 2]>) {
        let [ends @ .., line] = &self.square_free_part().0[..] else { return };
        if let [constant] = ends {
            let root = -Rational::from(constant / line);
            if *a < root && root < *b {
                found.push([root.clone(), root]);
            }
            return;
        }
        // the chain counts on (a, b]; the open interval is asked for
        let count = self.sign_changes(a) - self.sign_changes(b) - usize::from(self.is_root(b));
        match count {
            0 => {}
            1 if !self.is_root(a) && !self.is_root(b) => found.push(self.narrow_single(a, b, finest)),
            _ => {
                let middle = Rational::from(a + b) / 2u32;
                self.isolate_into(a, &middle, finest, found);
                if self.is_root(&middle) {
                    found.push([middle.clone(), middle.clone()]);
                }
                self.isolate_into(&middle, b, finest, found);
            }
        }
    }

    /// Narrows an interval around one root, whose ends are no roots. The root is simple: the sign of the polynomial says on which side it lies, and
    /// the other polynomials of the chain are not asked.
    fn narrow_single(&self, a: &Rational, b: &Rational, finest: &Rational) -> [Rational; 2] {
        let [mut a, mut b] = [a.clone(), b.clone()];
        while Rational::from(&b - &a) > *finest || !self.has_single_candidate(&a, &b) {
            [a, b] = self.halve_isolating(&[a, b]);
            if a == b {
                return [a, b];
            }
        }
        // at most one rational number with a possible denominator remains, so it is tested directly
        self.rational_root(&a, &b).map_or([a, b], |x| [x.clone(), x])
    }

    /// Returns `true` if at most one number between `a` and `b` has a denominator that a rational root may have.
    fn has_single_candidate(&self, a: &Rational, b: &Rational) -> bool {
        Rational::from(b - a) * &self.leading < 1
    }

    /// Returns the rational root between two numbers for which [`has_single_candidate`](Self::has_single_candidate) holds, if there is one.
    fn rational_root(&self, a: &Rational, b: &Rational) -> Option<Rational> {
        let least = Rational::from(a * &self.leading).ceil() / &self.leading;
        (least <= *b && self.is_root(&least)).then_some(least)
    }

    /// Halves an interval around one root, whose ends are no roots. Returns `[x, x]` if the middle x is the root.
    #[must_use]
    pub fn halve_isolating(&self, [a, b]: &[Rational; 2]) -> [Rational; 2] {
        let middle = Rational::from(a + b) / 2u32;
        match self.square_free_part().sign_at(&middle) {
            Ordering::Equal => [middle.clone(), middle],
            sign if sign == self.square_free_part().sign_at(a) => [middle, b.clone()],
            _ => [a.clone(), middle],
        }
    }
}
