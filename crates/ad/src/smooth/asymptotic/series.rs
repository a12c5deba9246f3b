//! Asymptotic series: sums of few terms `m·N` with comparison functions m, which hold for all 0 < s ≤ 1.
//!
//! A term is a [monomial](super::scale) m and a jet N in the inputs. A function f lies in a series if for every s there is an
//! element n of each N with `f = Σ m·n`, as a jet in the inputs. So every Taylor coefficient of f in the inputs is bounded, and
//! not the value alone. There is no other remainder: a rest is a term whose N is wide.
//!
//! Terms with different monomials stay apart, so that the 1 of `1 - tanh x` cancels. A term vanishes only if its N is the exact
//! number 0 and does not depend on an input: a zero for these inputs alone would give another power for those nearby.
//!
//! For a sign, an inverse, a root or a logarithm the terms are put together under the greatest monomial: `m₀·(N₀ + Σ (m/m₀)·N)`,
//! with `m/m₀` in [0, S]. For these the bounds of [`scale`](super::scale) are used.
//!
//! # Exponentials
//!
//! The exponent is put together in two ways: as a sum of its terms, and of one bound for each atom, of which a square is not
//! negative. `exp (y·(N + n))`, where y is its greatest monomial, N < 0 a number and n nilpotent, is
//! `exp (y·N)·Σ yʲnʲ/j!`. With r the least of -N, `yʲ·exp (-r·y)` is bounded by a power of y as low as is wanted. If y is a
//! monomial with atoms itself, it varies with the inputs: `y = y₀·exp n′`, with n′ the nilpotent part of its own exponent.
//!
//! | y | exp (-r·y) is bounded by |
//! |---|---|
//! | `s⁻ᵃ·Lᵇ`, a > 0 | a power of s |
//! | `Lᵇ`, b > 1 | a power of s |
//! | L | `e^(-r·A)·sʳ`; for an N that varies with the inputs, a lower power |
//! | `Lᵇ`, b < 1 | a power of L |
//! | `exp (Σ a·g)·sᵖ·Lᵠ` | 1/y₀, which decays like the exponential of an exponent again |

use super::scale::{AtomId, ScaleMonomial, bound_decay, bound_log_decay, bound_powers, integrate_powers, raise_to};
use crate::number::Rational;
use crate::number::arithmetic::{Function, Sign};
use crate::smooth::hooks::HookedContext;
use crate::smooth::jet::{Jet, JetArithmetic};
use crate::smooth::machine::JetEvaluator;
use crate::smooth::program::BlockRegister;
use std::cell::{Cell, RefCell};
use std::cmp::Ordering;
use std::collections::BTreeMap;

/// The number of terms of a series, at most. A choice: the least of them are put together.
const MOST_TERMS: usize = 4;
/// The greatest power of an exponent that bounds an exponential from below. A choice.
const MOST_STEPS: u32 = 64;
/// The power of s by which a faster decay is replaced. A choice: higher powers make the factors greater.
pub(super) const DECAY: i64 = 12;

/// One term `m·N` of a series; see the [module](self).
#[derive(Clone, Debug)]
pub struct AsymptoticTerm<N> {
    /// The monomial m.
    pub monomial: ScaleMonomial,
    /// The factor N: a bounded jet in the inputs.
    pub factor: Jet<N>,
}

/// A sum of terms with different monomials; without terms it is 0. See the [module](self).
#[derive(Clone, Debug)]
pub struct AsymptoticSeries<N> {
    /// The terms.
    pub terms: Vec<AsymptoticTerm<N>>,
}

/// An unbounded value that stands in exponents.
#[derive(Debug)]
pub(super) struct ExponentAtom<N> {
    /// Its series.
    pub(super) series: AsymptoticSeries<N>,
    /// A bound by one term, which may be narrower than that of the series.
    leading: Option<AsymptoticTerm<N>>,
}

/// The integral of a series over the piece.
#[derive(Clone, Debug)]
pub enum EndIntegral<N> {
    /// An enclosure of `∫₀¹ f ds`, with its derivatives in the inputs.
    Value(Jet<N>),
    /// The integral is infinite: the function has a sign, and its absolute value is at least that of this term without
    /// exponentials, which has no integral.
    Diverges(AsymptoticTerm<N>),
    /// Neither of these is shown.
    Unknown,
}

/// The arithmetic of series beside one end.
#[derive(Debug)]
pub struct SeriesArithmetic<'r, 'm, C: HookedContext> {
    /// The evaluator, which knows the budget and the domain boundaries.
    pub machine: &'r JetEvaluator<'m, C>,
    /// The arithmetic of jets in the inputs.
    pub outer: JetArithmetic<'r, C>,
    /// A, the value of L at s = 1.
    pub log_at_one: C::Num,
    /// The atoms of exponents, each a series of atoms before it.
    pub(super) atoms: RefCell<Vec<ExponentAtom<C::Num>>>,
    /// The atoms that are registers of the block.
    register_atoms: RefCell<BTreeMap<BlockRegister, AtomId>>,
    /// `true` once some step was a bounded function of an unbounded value, or had only a bound: then a limit is not certain.
    pub(super) may_oscillate: Cell<bool>,
}

impl<N: Clone> AsymptoticSeries<N> {
    /// Creates the series of one term.
    #[must_use]
    pub fn of_term(monomial: ScaleMonomial, factor: Jet<N>) -> Self {
        Self { terms: vec![AsymptoticTerm { monomial, factor }] }
    }
}

impl<'r, 'm, C: HookedContext> SeriesArithmetic<'r, 'm, C> {
    /// Creates the arithmetic for a piece whose length has this absolute value.
    #[must_use]
    pub fn new(machine: &'r JetEvaluator<'m, C>, outer: JetArithmetic<'r, C>, length: &C::Num) -> Self {
        let context = machine.context;
        let one = context.enclose_integer(1);
        // Any number of at least 1 is right. This one makes the logarithm of the distance from the end -L.
        let own = context.midpoint(&context.neg(&context.apply_function(Function::Log, length)));
        let log_at_one = if context.is_bounded(&own) && context.is_strictly_below(&one, &own) { own } else { one };
        Self {
            machine,
            outer,
            log_at_one: context.mark_defined(log_at_one),
            atoms: RefCell::default(),
            register_atoms: RefCell::default(),
            may_oscillate: Cell::new(false),
        }
    }

    /// Returns an arithmetic for the same piece, without the atoms of this run.
    pub(super) fn without_atoms_of_run(&self) -> Self {
        Self {
            machine: self.machine,
            outer: JetArithmetic {
                context: self.outer.context,
                algebra: self.outer.algebra,
                budget: self.outer.budget,
            },
            log_at_one: self.log_at_one.clone(),
            atoms: RefCell::default(),
            register_atoms: RefCell::default(),
            may_oscillate: Cell::new(false),
        }
    }

    /// Returns the arithmetic of coefficients.
    pub(super) fn context(&self) -> &'m C {
        self.machine.context
    }

    /// Returns `true` if a number is certainly defined and bounded.
    pub(super) fn is_known(&self, c: &C::Num) -> bool {
        self.context().is_defined(c) && self.context().is_bounded(c)
    }

    /// Returns whether a jet is 0, for the given inputs and for all near them. `None` if that is not known.
    #[must_use]
    pub fn is_zero(&self, a: &Jet<C::Num>) -> Option<bool> {
        let value = self.outer.value_of(a);
        if !self.context().contains_zero(&value) {
            return Some(false);
        }
        // c² has the value 0 at c = 0 and varies: it is not 0 nearby, even if all coefficients at hand are.
        let is_exact = self.context().is_defined(&value) && self.context().is_point(&value) && a.is_constant();
        is_exact.then_some(true)
    }

    /// Returns the sign of the value of a jet.
    pub(super) fn sign(&self, a: &Jet<C::Num>) -> Sign {
        self.context().sign(&self.outer.value_of(a))
    }

    /// Returns the jet times [0, 1].
    pub(super) fn times_unit_interval(&self, a: &Jet<C::Num>) -> Jet<C::Num> {
        self.outer.scale(a, &self.hull_with_zero(&self.context().enclose_integer(1)))
    }

    /// Returns [0, most].
    pub(super) fn hull_with_zero(&self, most: &C::Num) -> C::Num {
        self.context().hull(&self.context().enclose_integer(0), most)
    }

    /// Returns `Σ cⱼ·nʲ` for a nilpotent n. Returns `None` if a coefficient that counts is unknown.
    pub(super) fn compose_nilpotent(
        &self,
        n: &Jet<C::Num>,
        coefficient: impl FnMut(u32) -> Option<C::Num>,
    ) -> Option<Jet<C::Num>> {
        let coefficients: Option<Vec<_>> = (0..self.outer.nilpotency_bound(n)).map(coefficient).collect();
        let coefficients: Vec<_> = coefficients?.into_iter().map(Some).collect();
        Some(self.outer.compose(&coefficients, n))
    }

    /// Returns `Σ cⱼ·nʲ/j!` for a nilpotent n, with cⱼ between 0 and `most(j)`. Returns `None` if one of these is unknown.
    fn compose_exponential(&self, n: &Jet<C::Num>, most: impl Fn(u32) -> Option<C::Num>) -> Option<Jet<C::Num>> {
        let mut factorial = self.context().enclose_integer(1);
        self.compose_nilpotent(n, |j| {
            factorial = self.context().mul_integer(&factorial, i64::from(j.max(1)));
            Some(self.context().div(&self.hull_with_zero(&most(j)?), &factorial))
        })
    }

    /// Returns the number 1 as a jet.
    pub(super) fn one(&self) -> Jet<C::Num> {
        Jet::constant(self.context().enclose_integer(1))
    }

    /// Returns the term if its value is defined and bounded.
    pub(super) fn bounded_term(&self, monomial: ScaleMonomial, factor: Jet<C::Num>) -> Option<AsymptoticTerm<C::Num>> {
        self.is_known(&self.outer.value_of(&factor)).then_some(AsymptoticTerm { monomial, factor })
    }

    /// Creates the series of one term. Returns `None` if its value is undefined or unbounded.
    pub fn series_of_term(&self, monomial: ScaleMonomial, factor: Jet<C::Num>) -> Option<AsymptoticSeries<C::Num>> {
        self.collect_terms(vec![AsymptoticTerm { monomial, factor }])
    }

    /// Creates the series of a number or an input.
    pub fn series_of_constant(&self, value: Jet<C::Num>) -> Option<AsymptoticSeries<C::Num>> {
        self.series_of_term(ScaleMonomial::of_one(), value)
    }

    /// Adds terms. Returns `None` if a sum is unknown, or there are too many terms and two of them cannot be compared.
    pub fn collect_terms(&self, terms: Vec<AsymptoticTerm<C::Num>>) -> Option<AsymptoticSeries<C::Num>> {
        let mut merged: Vec<AsymptoticTerm<C::Num>> = Vec::with_capacity(terms.len());
        for term in terms {
            match merged.iter_mut().find(|own| own.monomial == term.monomial) {
                Some(own) => own.factor = self.outer.add(&own.factor, &term.factor),
                None => merged.push(term),
            }
        }
        merged.retain(|term| self.is_zero(&term.factor) != Some(true));
        if !merged.iter().all(|term| self.is_known(&self.outer.value_of(&term.factor))) {
            return None;
        }
        if merged.len() > MOST_TERMS {
            // Where terms cannot be compared, all are kept: each may still be integrated.
            merged = match self.shorten(merged.clone()) {
                Some(shorter) => shorter,
                None if merged.len() <= MOST_TERMS * MOST_TERMS => merged,
                None => return None,
            };
        }
        Some(AsymptoticSeries { terms: merged })
    }

    /// Puts the least terms together, so that [`MOST_TERMS`] remain.
    fn shorten(&self, mut terms: Vec<AsymptoticTerm<C::Num>>) -> Option<Vec<AsymptoticTerm<C::Num>>> {
        let mut greatest = Vec::with_capacity(MOST_TERMS);
        while greatest.len() + 1 < MOST_TERMS {
            greatest.push(terms.swap_remove(self.greatest_of(&terms)?));
        }
        greatest.push(self.leading_of(&terms)?);
        Some(greatest)
    }

    /// Returns the index of the greatest monomial for small s. Returns `None` if two of them cannot be compared.
    fn greatest_of(&self, terms: &[AsymptoticTerm<C::Num>]) -> Option<usize> {
        let mut best = 0;
        for (index, term) in terms.iter().enumerate().skip(1) {
            if self.compare_monomials(&term.monomial, &terms[best].monomial)? == Ordering::Greater {
                best = index;
            }
        }
        Some(best)
    }

    /// Compares two monomials for small s.
    pub(super) fn compare_monomials(&self, a: &ScaleMonomial, b: &ScaleMonomial) -> Option<Ordering> {
        let quotient = a.quotient_by(b);
        if quotient.is_pure() {
            return Some(quotient.compare_powers());
        }
        // sᵖ = exp (p·(A - L)) decides together with the exponential: exp (√L)·s vanishes.
        let leading = self.leading_exponent(&quotient, &quotient.power)?;
        match self.range_of_monomial(&leading.monomial) {
            Some(_) => Some(quotient.log_power.cmp0()),
            None => match self.sign(&leading.factor) {
                Sign::Positive => Some(Ordering::Greater),
                Sign::Negative => Some(Ordering::Less),
                _ => None,
            },
        }
    }

    /// Returns `Σ a·g + p·log s` as one term, for the atoms in a monomial's exponent.
    fn leading_exponent(&self, monomial: &ScaleMonomial, p: &Rational) -> Option<AsymptoticTerm<C::Num>> {
        let whole =
            |exponent: AsymptoticSeries<C::Num>| self.leading_term(&self.add_series(&exponent, &self.log_of_s(p)?)?);
        // The bounds of the atoms may say more than their series: of `(x - 40)²` that it is not negative.
        let by_atoms = || {
            let atoms = self.atoms.borrow();
            let bound = |(atom, a): (&AtomId, &Rational)| {
                let AsymptoticTerm { monomial, factor } = atoms[*atom].leading.clone()?;
                Some(AsymptoticTerm {
                    monomial,
                    factor: self.outer.scale(&factor, &self.context().enclose_rational(a)),
                })
            };
            let terms: Option<Vec<_>> = monomial.exponent.iter().map(bound).collect();
            drop(atoms);
            whole(self.collect_terms(terms?)?)
        };
        self.narrower_term(self.exponent_of(monomial).and_then(whole), by_atoms())
    }

    /// Returns one of two bounds of one value, or what both say together if their monomials are the same.
    pub(super) fn narrower_term(
        &self,
        a: Option<AsymptoticTerm<C::Num>>,
        b: Option<AsymptoticTerm<C::Num>>,
    ) -> Option<AsymptoticTerm<C::Num>> {
        let (Some(a), Some(b)) = (&a, &b) else { return a.or(b) };
        if a.monomial != b.monomial {
            return Some(a.clone());
        }
        let factor = self.intersect_jets(&a.factor, &b.factor)?;
        Some(AsymptoticTerm { monomial: a.monomial.clone(), factor })
    }

    /// Returns what two enclosures of one jet say together. Returns `None` if they contradict each other.
    pub(super) fn intersect_jets(&self, a: &Jet<C::Num>, b: &Jet<C::Num>) -> Option<Jet<C::Num>> {
        let mut both = Jet::zero();
        for m in 0..a.len().max(b.len()) {
            let coefficient = match [a, b].map(|jet| jet.get(m)) {
                [None, None] => None,
                // A coefficient that only one of them knows is taken from that one.
                [own, Some(other)] if !self.is_known(other) => own.cloned(),
                [Some(own), other] if !self.is_known(own) => other.cloned(),
                coefficients => {
                    let [own, other] =
                        coefficients.map(|c| c.cloned().unwrap_or_else(|| self.context().enclose_integer(0)));
                    Some(self.context().intersect(&own, &other)?)
                }
            };
            both.set(m, coefficient);
        }
        Some(both)
    }

    /// Returns `p·log s = p·A - p·L`.
    pub(super) fn log_of_s(&self, p: &Rational) -> Option<AsymptoticSeries<C::Num>> {
        let p = self.context().enclose_rational(p);
        let terms = [
            (ScaleMonomial::of_powers(0, 1), self.context().neg(&p)),
            (ScaleMonomial::of_one(), self.context().mul(&p, &self.log_at_one)),
        ];
        self.collect_terms(terms.map(|(monomial, c)| AsymptoticTerm { monomial, factor: Jet::constant(c) }).into())
    }

    /// Returns the sum of the atoms in a monomial's exponent.
    pub(super) fn exponent_of(&self, monomial: &ScaleMonomial) -> Option<AsymptoticSeries<C::Num>> {
        let atoms = self.atoms.borrow();
        let mut terms = Vec::new();
        for (atom, a) in &monomial.exponent {
            terms.extend(self.scale_factors(&atoms[*atom].series, &self.context().enclose_rational(a)).terms);
        }
        // Collecting may compare monomials, which reads the atoms again.
        drop(atoms);
        self.collect_terms(terms)
    }

    /// Returns a pure term of another run in this one. An exponent that moves there is one of its own here.
    pub(super) fn adopt_pure_term(&self, mut term: AsymptoticTerm<C::Num>) -> AsymptoticTerm<C::Num> {
        if !term.monomial.moving.is_empty() {
            let own = self.add_atom(AsymptoticSeries { terms: Vec::new() }, None);
            term.monomial.moving = BTreeMap::from([(own, Rational::from(1))]);
        }
        term
    }

    /// Returns a new atom.
    pub(super) fn add_atom(&self, series: AsymptoticSeries<C::Num>, leading: Option<AsymptoticTerm<C::Num>>) -> AtomId {
        let mut atoms = self.atoms.borrow_mut();
        atoms.push(ExponentAtom { series, leading });
        atoms.len() - 1
    }

    /// Makes the bounds of a register known, as an atom.
    pub(super) fn add_register(
        &self,
        register: BlockRegister,
        series: &AsymptoticSeries<C::Num>,
        leading: Option<&AsymptoticTerm<C::Num>>,
    ) {
        let atom = self.add_atom(series.clone(), leading.cloned());
        self.register_atoms.borrow_mut().insert(register, atom);
    }

    /// Returns the series of a register, and its atom. Returns `None` if it is not known.
    pub(super) fn register_series(&self, register: BlockRegister) -> Option<(AsymptoticSeries<C::Num>, AtomId)> {
        let atom = *self.register_atoms.borrow().get(&register)?;
        Some((self.atoms.borrow()[atom].series.clone(), atom))
    }

    /// Returns the series as one term: the greatest monomial, times the sum of all. Returns `None` if there is no greatest one.
    pub fn leading_term(&self, a: &AsymptoticSeries<C::Num>) -> Option<AsymptoticTerm<C::Num>> {
        self.leading_of(&a.terms)
    }

    fn leading_of(&self, terms: &[AsymptoticTerm<C::Num>]) -> Option<AsymptoticTerm<C::Num>> {
        match terms {
            [] => self.bounded_term(ScaleMonomial::of_one(), Jet::constant(self.context().enclose_integer(0))),
            [term] => Some(term.clone()),
            _ => {
                let best = self.greatest_of(terms)?;
                let mut factor = terms[best].factor.clone();
                // The other terms are m₀ times a ratio that is bounded on all of the piece.
                for (_, term) in terms.iter().enumerate().filter(|(index, _)| *index != best) {
                    let ratio = self.range_of_monomial(&term.monomial.quotient_by(&terms[best].monomial))?;
                    factor = self.outer.add(&factor, &self.outer.multiply(&ratio, &term.factor));
                }
                self.bounded_term(terms[best].monomial.clone(), factor)
            }
        }
    }

    /// Encloses a monomial for all 0 < s ≤ 1. Returns `None` if it is not seen to be bounded.
    pub fn range_of_monomial(&self, monomial: &ScaleMonomial) -> Option<Jet<C::Num>> {
        if monomial.is_one() {
            return Some(self.one());
        }
        // An exponential may be bounded while its parts are not.
        let AsymptoticTerm { monomial, factor } = self.without_atoms(monomial)?;
        if monomial.is_one() {
            return Some(factor);
        }
        let most = bound_powers(self.context(), &self.log_at_one, &monomial)?;
        Some(self.outer.scale(&factor, &self.hull_with_zero(&most)))
    }

    /// Encloses a term by one without atoms. Returns `None` if its exponent may go to ∞.
    pub fn as_pure_term(&self, term: &AsymptoticTerm<C::Num>) -> Option<AsymptoticTerm<C::Num>> {
        if term.monomial.is_pure() {
            return Some(term.clone());
        }
        let pure = self.without_atoms(&term.monomial)?;
        self.bounded_term(pure.monomial, self.outer.multiply(&pure.factor, &term.factor))
    }

    /// Encloses a monomial by a pure one. Returns `None` if its exponent may go to ∞.
    fn without_atoms(&self, monomial: &ScaleMonomial) -> Option<AsymptoticTerm<C::Num>> {
        if monomial.is_pure() {
            return self.bounded_term(monomial.clone(), self.one());
        }
        let own = ScaleMonomial { exponent: Default::default(), ..monomial.clone() };
        // The decay makes up for a negative power beside it.
        let wanted = Rational::from(DECAY) - own.power.clone().min(Rational::new());
        let exponent = self.leading_exponent(monomial, &Rational::new());
        if let Some(found) = exponent.and_then(|exponent| self.bound_exp(exponent, &wanted)) {
            return self.bounded_term(found.monomial.times_monomial(&own), found.factor);
        }
        // An exponential that grows more slowly than the power decays.
        let found = self.bound_exp(self.leading_exponent(monomial, &monomial.power)?, &wanted)?;
        self.bounded_term(found.monomial.times_monomial(&ScaleMonomial { power: Rational::new(), ..own }), found.factor)
    }

    /// Returns `exp e` as a pure term, of about the power `wanted` of s if the exponent goes to -∞. Returns `None` unless the
    /// exponent is bounded, or certainly goes to -∞.
    fn bound_exp(
        &self,
        AsymptoticTerm { monomial: y, factor }: AsymptoticTerm<C::Num>,
        wanted: &Rational,
    ) -> Option<AsymptoticTerm<C::Num>> {
        let (context, outer) = (self.context(), &self.outer);
        if let Some(range) = self.range_of_monomial(&y) {
            let range = outer.multiply(&range, &factor);
            return self.bounded_term(ScaleMonomial::of_one(), outer.apply_function(Function::Exp, &range));
        }
        // The slowest decay: -N at its least.
        let rate = context.neg(&context.upper(&outer.value_of(&factor))?);
        if context.sign(&rate) != Sign::Positive {
            return None;
        }
        if !y.is_pure() {
            return self.bound_double_exp(&y, (&factor, &rate), wanted);
        }
        let nilpotent = outer.nilpotent_part(&factor);
        let terms = outer.nilpotency_bound(&nilpotent);
        let first = &self.log_at_one;
        let (a, b) = (Rational::from(-&y.power), &y.log_power);
        let series = |bound: &dyn Fn(u32) -> C::Num| self.compose_exponential(&nilpotent, |j| Some(bound(j)));
        if a == 0 && *b == 1 {
            // A power of s, rounded down where that leaves one.
            let exact = context.to_enclosure(&rate).lo().to_rational()?;
            let rounded = Rational::from((Rational::from(&exact * 64).floor().numer().clone(), 64));
            let mut power = if rounded > 0 { rounded } else { exact.clone() };
            // An exponent that moves with an input has a power that is less for some inputs nearby.
            if power == exact && !factor.is_constant() {
                power *= Rational::from((63, 64));
            }
            let decay = context.neg(&context.mul(&context.enclose_rational(&power), first));
            let decay = context.apply_function(Function::Exp, &decay);
            let highest = Rational::from(terms - 1);
            // All terms get the power of L of the last one.
            let bound = |j: u32| context.mul(&decay, &raise_to(context, first, &(Rational::from(j) - &highest)));
            return self.bounded_term(ScaleMonomial::of_powers(power, highest.clone()), series(&bound)?);
        }
        if a == 0 && *b > 1 {
            let half = context.div_integer(&rate, 2);
            let bound = |j: u32| {
                if j == 0 {
                    return bound_log_decay(context, [&rate, first], b, wanted);
                }
                let least = raise_to(context, first, b);
                let power = bound_decay(context, &Rational::from(j), &half, Some(&least));
                context.mul(&power, &bound_log_decay(context, [&half, first], b, wanted))
            };
            return self.bounded_term(ScaleMonomial::of_powers(wanted.clone(), 0), series(&bound)?);
        }
        // y ≥ Aᵇ where both exponents let y grow.
        let least = (*b >= 0).then(|| raise_to(context, first, b));
        // A power of L has no power of s to bound it, so that four of L's own are taken. A choice.
        let k = if a > 0 { Rational::from(wanted / &a) } else { Rational::from(4) / b };
        let bound = |j: u32| bound_decay(context, &Rational::from(&k + j), &rate, least.as_ref());
        self.bounded_term(y.raised_to(&Rational::from(-&k)), series(&bound)?)
    }

    /// Bounds `exp (y·N)` for a monomial y with atoms; N is below -rate.
    fn bound_double_exp(
        &self,
        y: &ScaleMonomial,
        (factor, rate): (&Jet<C::Num>, &C::Num),
        wanted: &Rational,
    ) -> Option<AsymptoticTerm<C::Num>> {
        let (context, outer) = (self.context(), &self.outer);
        let relative = self.variation_of(y)?;
        // y·N = y₀·(N₀ + g·ν), where g is the growth of the variation and ν is nilpotent.
        let nilpotent = outer.nilpotent_part(&outer.multiply(factor, &relative.factor));
        let highest = Rational::from(outer.nilpotency_bound(&nilpotent) - 1);
        let series = self.compose_exponential(&nilpotent, |j| {
            // y₀ʲ·exp (-r·y₀) is at most a constant times 1/y₀, and gʲ is at most a constant times its highest power.
            let most = bound_decay(context, &Rational::from(j + 1), rate, None);
            let spare = relative.monomial.raised_to(&(Rational::from(j) - &highest));
            Some(context.mul(&most, &bound_powers(context, &self.log_at_one, &spare)?))
        })?;
        let growth = relative.monomial.raised_to(&highest);
        let own =
            ScaleMonomial { exponent: Default::default(), ..y.raised_to(&Rational::from(-1)) }.times_monomial(&growth);
        let needed = Rational::from(wanted - &own.power).max(wanted.clone());
        let mut exponent = self.leading_exponent(&y.raised_to(&Rational::from(-1)), &Rational::new())?;
        exponent.factor = Jet::constant(outer.value_of(&exponent.factor));
        let decay = self.bound_exp(exponent, &needed)?;
        self.bounded_term(decay.monomial.times_monomial(&own), outer.multiply(&decay.factor, &series))
    }

    /// Returns `y/y₀` for a monomial y that varies with the inputs by its atoms, y₀ being its value: a pure term.
    pub(super) fn variation_of(&self, y: &ScaleMonomial) -> Option<AsymptoticTerm<C::Num>> {
        let (context, outer) = (self.context(), &self.outer);
        if y.is_pure() {
            return self.bounded_term(ScaleMonomial::of_one(), self.one());
        }
        let exponent = self.leading_exponent(y, &Rational::new())?;
        // A doubly exponential y varies with y itself, and no pure term bounds that.
        let nilpotent = outer.nilpotent_part(&exponent.factor);
        let terms = outer.nilpotency_bound(&nilpotent);
        if terms == 1 {
            return self.bounded_term(ScaleMonomial::of_one(), self.one());
        }
        if !exponent.monomial.is_pure() {
            return None;
        }
        if let Some(range) = self.range_of_monomial(&exponent.monomial) {
            let varying = outer.nilpotent_part(&outer.multiply(&range, &nilpotent));
            return self.bounded_term(ScaleMonomial::of_one(), outer.apply_function(Function::Exp, &varying));
        }
        let highest = Rational::from(terms - 1);
        let relative = self.compose_exponential(&nilpotent, |j| {
            bound_powers(context, &self.log_at_one, &exponent.monomial.raised_to(&(Rational::from(j) - &highest)))
        })?;
        self.bounded_term(exponent.monomial.raised_to(&highest), relative)
    }

    /// Encloses a bounded series for all 0 < s ≤ 1. Returns `None` if it is not seen to be bounded.
    pub fn range_of(&self, a: &AsymptoticSeries<C::Num>) -> Option<Jet<C::Num>> {
        let mut sum = Jet::constant(self.context().enclose_integer(0));
        for term in &a.terms {
            let range = self.range_of_monomial(&term.monomial)?;
            sum = self.outer.add(&sum, &self.outer.multiply(&range, &term.factor));
        }
        Some(sum)
    }

    /// Returns c·a for a number c.
    fn scale_factors(&self, a: &AsymptoticSeries<C::Num>, c: &C::Num) -> AsymptoticSeries<C::Num> {
        self.map_factors(a, |factor| self.outer.scale(factor, c))
    }

    /// Applies a linear map to all factors.
    pub(super) fn map_factors(
        &self,
        a: &AsymptoticSeries<C::Num>,
        f: impl Fn(&Jet<C::Num>) -> Jet<C::Num>,
    ) -> AsymptoticSeries<C::Num> {
        let map =
            |term: &AsymptoticTerm<C::Num>| AsymptoticTerm { monomial: term.monomial.clone(), factor: f(&term.factor) };
        AsymptoticSeries { terms: a.terms.iter().map(map).collect() }
    }

    /// Returns -a.
    pub fn negate_series(&self, a: &AsymptoticSeries<C::Num>) -> AsymptoticSeries<C::Num> {
        self.map_factors(a, |factor| self.outer.negate(factor))
    }

    /// Returns a + b.
    pub fn add_series(
        &self,
        a: &AsymptoticSeries<C::Num>,
        b: &AsymptoticSeries<C::Num>,
    ) -> Option<AsymptoticSeries<C::Num>> {
        self.collect_terms(a.terms.iter().chain(&b.terms).cloned().collect())
    }

    /// Returns a - b.
    pub fn subtract_series(
        &self,
        a: &AsymptoticSeries<C::Num>,
        b: &AsymptoticSeries<C::Num>,
    ) -> Option<AsymptoticSeries<C::Num>> {
        self.add_series(a, &self.negate_series(b))
    }

    /// Returns a·b.
    pub fn multiply_series(
        &self,
        a: &AsymptoticSeries<C::Num>,
        b: &AsymptoticSeries<C::Num>,
    ) -> Option<AsymptoticSeries<C::Num>> {
        let product = |(a, b): (&AsymptoticTerm<C::Num>, &AsymptoticTerm<C::Num>)| AsymptoticTerm {
            monomial: a.monomial.times_monomial(&b.monomial),
            factor: self.outer.multiply(&a.factor, &b.factor),
        };
        let pairs = a.terms.iter().flat_map(|a| b.terms.iter().map(move |b| (a, b)));
        self.collect_terms(pairs.map(product).collect())
    }

    /// Returns a². The squares of its terms are never negative.
    pub fn square_series(&self, a: &AsymptoticSeries<C::Num>) -> Option<AsymptoticSeries<C::Num>> {
        let mut terms = Vec::new();
        for (index, one) in a.terms.iter().enumerate() {
            let factor = self.outer.square(&one.factor);
            terms.push(AsymptoticTerm { monomial: one.monomial.times_monomial(&one.monomial), factor });
            for other in &a.terms[index + 1..] {
                let product = self.outer.multiply(&one.factor, &other.factor);
                let factor = self.outer.scale(&product, &self.context().enclose_integer(2));
                terms.push(AsymptoticTerm { monomial: one.monomial.times_monomial(&other.monomial), factor });
            }
        }
        self.collect_terms(terms)
    }

    /// Returns `m₀`, and the series divided by it. Returns `None` if there is no greatest monomial, or all is 0.
    pub(super) fn factor_out(&self, a: &AsymptoticSeries<C::Num>) -> Option<(ScaleMonomial, AsymptoticSeries<C::Num>)> {
        if a.terms.is_empty() {
            return None;
        }
        let greatest = a.terms[self.greatest_of(&a.terms)?].monomial.clone();
        let over = |term: &AsymptoticTerm<C::Num>| AsymptoticTerm {
            monomial: term.monomial.quotient_by(&greatest),
            factor: term.factor.clone(),
        };
        let rest = AsymptoticSeries { terms: a.terms.iter().map(over).collect() };
        Some((greatest, rest))
    }

    /// Returns the series times a monomial.
    pub(super) fn times_monomial(
        &self,
        a: &AsymptoticSeries<C::Num>,
        monomial: &ScaleMonomial,
    ) -> AsymptoticSeries<C::Num> {
        let times = |term: &AsymptoticTerm<C::Num>| AsymptoticTerm {
            monomial: term.monomial.times_monomial(monomial),
            factor: term.factor.clone(),
        };
        AsymptoticSeries { terms: a.terms.iter().map(times).collect() }
    }

    /// Encloses `∫₀¹ f ds` for a function f in the series.
    pub fn integrate_series(&self, a: &AsymptoticSeries<C::Num>) -> EndIntegral<C::Num> {
        match self.sum_of_integrals(&a.terms) {
            Some(sum) => EndIntegral::Value(sum),
            None => self.divergent_term(a).map_or(EndIntegral::Unknown, EndIntegral::Diverges),
        }
    }

    /// Returns a term of power at most -2 that a term with an exponential exceeds, by `exp u ≥ uᵏ/k!` for u > 0. Returns `None` unless
    /// the exponent certainly goes to ∞ like a power of s.
    fn term_below_exponential(&self, term: &AsymptoticTerm<C::Num>) -> Option<AsymptoticTerm<C::Num>> {
        let (context, own) = (self.context(), &term.monomial);
        let exponent = self.leading_exponent(own, &Rational::new())?;
        let least = context.lower(&self.outer.value_of(&exponent.factor))?;
        let y = exponent.monomial;
        if !y.is_pure() || y.power >= 0 || context.sign(&least) != Sign::Positive {
            return None;
        }
        // p + k·power of y is at most -2.
        let steps = (Rational::from(&own.power + 2) / Rational::from(-&y.power)).ceil();
        let k = steps.numer().to_u32().filter(|k| *k <= MOST_STEPS).unwrap_or(0);
        let factorial = (1..=k).fold(context.enclose_integer(1), |all, j| context.mul_integer(&all, i64::from(j)));
        let scale = context.div(&context.power(&least, k), &factorial);
        let plain = ScaleMonomial { exponent: Default::default(), ..own.clone() };
        self.bounded_term(plain.times_power(&y, &Rational::from(k)), self.outer.scale(&term.factor, &scale))
    }

    fn sum_of_integrals(&self, terms: &[AsymptoticTerm<C::Num>]) -> Option<Jet<C::Num>> {
        let mut sum = Jet::constant(self.context().enclose_integer(0));
        for term in terms {
            let pure = self.without_atoms(&term.monomial)?;
            // A mean with the weight of the pure monomial lies where its factor does.
            let weight = integrate_powers(self.context(), &self.log_at_one, &pure.monomial)?;
            let mean = self.outer.scale(&pure.factor, &weight);
            sum = self.outer.add(&sum, &self.outer.multiply(&mean, &term.factor));
        }
        Some(sum)
    }

    /// Returns a term that has a sign for all 0 < s ≤ 1 and an infinite integral, and that the series exceeds. Returns `None` if none
    /// is found.
    fn divergent_term(&self, a: &AsymptoticSeries<C::Num>) -> Option<AsymptoticTerm<C::Num>> {
        let mut leading = self.leading_term(a)?;
        if !leading.monomial.is_pure() {
            leading = self.term_below_exponential(&leading)?;
        }
        // At the border an exponent that moves says nothing: s⁻¹·L⁻⁴ has an integral for the inputs given.
        let is_on_border = leading.monomial.power == -1 && !leading.monomial.moving.is_empty();
        let is_signed = matches!(self.sign(&leading.factor), Sign::Positive | Sign::Negative);
        let is_infinite = integrate_powers(self.context(), &self.log_at_one, &leading.monomial).is_none();
        (is_signed && is_infinite && !is_on_border).then_some(leading)
    }
}
