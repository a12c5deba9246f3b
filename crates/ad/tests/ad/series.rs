//! The law of asymptotic series: an operation on functions that lie in series gives a function that lies in the result.
//!
//! A function lies in a series with its derivatives in an input. Both are checked at points s of (0, 1], at high precision.

use smoothish_ad::function::SpecialId;
use smoothish_ad::number::accuracy::PassOptions;
use smoothish_ad::number::arithmetic::{Context, Function};
use smoothish_ad::number::budget::Budget;

use smoothish_ad::number::{Magnitude, Mpfr, Rational};
use smoothish_ad::random::SplitMix64;
use smoothish_ad::smooth::algebra::Algebra;
use smoothish_ad::smooth::asymptotic::edges::AsymptoticOperand;
use smoothish_ad::smooth::asymptotic::scale::ScaleMonomial;
use smoothish_ad::smooth::asymptotic::series::{AsymptoticSeries, AsymptoticTerm, EndIntegral, SeriesArithmetic};
use smoothish_ad::smooth::graph::{Graph, Variable};
use smoothish_ad::smooth::jet::{Jet, JetArithmetic};
use smoothish_ad::smooth::machine::JetEvaluator;
use smoothish_ad::smooth::program::CompiledMap;

type Number = <Mpfr as Context>::Num;
type Series = AsymptoticSeries<Number>;

fn q(n: i64, d: i64) -> Rational {
    Rational::from((n, d))
}

/// A function of s and of an input, built like the series that it has to lie in.
enum Sample {
    Sum(Vec<(ScaleMonomial, Jet<Number>)>),
    Function(Function, Box<Sample>),
    Power(i64, u32, Box<Sample>),
    Binary(usize, Box<Sample>, Box<Sample>),
}

/// `sᵖ·Lᵠ`
fn monomial_at(context: &Mpfr, first: &Number, monomial: &ScaleMonomial, s: &Rational) -> Number {
    let log = |x: &Number| context.apply_function(Function::Log, x);
    let log_s = log(&context.enclose_rational(s));
    let log_l = log(&context.sub(first, &log_s));
    let part = |e: &Rational, log: &Number| context.mul(&context.enclose_rational(e), log);
    let exponent = context.add(&part(&monomial.power, &log_s), &part(&monomial.log_power, &log_l));
    context.apply_function(Function::Exp, &exponent)
}

impl Sample {
    /// The jet of the function at s.
    fn at(&self, context: &Mpfr, jets: &JetArithmetic<'_, Mpfr>, first: &Number, s: &Rational) -> Jet<Number> {
        let of = |sample: &Self| sample.at(context, jets, first, s);
        match self {
            Self::Sum(terms) => terms.iter().fold(Jet::zero(), |sum, (monomial, factor)| {
                jets.add(&sum, &jets.scale(factor, &monomial_at(context, first, monomial, s)))
            }),
            Self::Function(f, a) => jets.apply_function(*f, &of(a)),
            Self::Power(p, q, a) => jets.power(&of(a), *p, *q),
            Self::Binary(0, a, b) => jets.add(&of(a), &of(b)),
            Self::Binary(1, a, b) => jets.subtract(&of(a), &of(b)),
            Self::Binary(2, a, b) => jets.multiply(&of(a), &of(b)),
            Self::Binary(_, a, b) => jets.divide(&of(a), &of(b)),
        }
    }
}

const FUNCTIONS: &[Function] = &[
    Function::Exp,
    Function::Exp,
    Function::Log,
    Function::Sqrt,
    Function::Cbrt,
    Function::Tanh,
    Function::Sinh,
    Function::Cosh,
    Function::Cos,
    Function::Atan,
    Function::Erf,
    Function::Erfc,
    Function::Asinh,
    Function::Acosh,
    Function::Expm1,
    Function::Log1p,
    Function::Sin,
    Function::LOG_GAMMA,
    Function::DIGAMMA,
    Function::Special(SpecialId::Gamma, 2),
];

struct Generator<'r, 'm> {
    random: SplitMix64,
    arithmetic: SeriesArithmetic<'r, 'm, Mpfr>,
    context: &'m Mpfr,
}

impl Generator<'_, '_> {
    /// A small number, often an integer.
    fn number(&mut self) -> Rational {
        let d = [1, 1, 2, 3][self.random.next_below(4)];
        q(self.random.next_below(13) as i64 - 6, d)
    }

    /// A sum of few powers, each with an interval and a number of it as a factor.
    fn leaf(&mut self) -> Option<(Series, Sample)> {
        let (mut terms, mut sample) = (Vec::new(), Vec::new());
        for _ in 0..=self.random.next_below(3) {
            let powers = [q(-2, 1), q(-1, 1), q(-1, 2), q(0, 1), q(0, 1), q(1, 2), q(1, 1), q(2, 1)];
            let logs = [q(0, 1), q(0, 1), q(0, 1), q(1, 1), q(1, 2), q(-1, 1), q(2, 1)];
            let monomial = ScaleMonomial::of_powers(self.random.pick(&powers).clone(), self.random.pick(&logs).clone());
            let (mut all, mut one) = (Jet::zero(), Jet::zero());
            for coefficient in 0..=self.random.next_below(self.arithmetic.outer.algebra.len().min(2)) {
                let own = self.number();
                let wide = if self.random.random_bool(40) { q(1, 16) } else { q(0, 1) };
                let [low, high] = [Rational::from(&own - &wide), Rational::from(&own + &wide)];
                let [low, high, own] = [low, high, own].map(|number| self.context.enclose_rational(&number));
                all.set(coefficient, Some(self.context.hull(&low, &high)));
                one.set(coefficient, Some(own));
            }
            terms.push(AsymptoticTerm { monomial: monomial.clone(), factor: all });
            sample.push((monomial, one));
        }
        Some((self.arithmetic.collect_terms(terms)?, Sample::Sum(sample)))
    }

    fn node(&mut self, depth: usize) -> Option<(Series, Sample)> {
        if depth == 0 {
            return self.leaf();
        }
        let (a, of_a) = self.node(depth - 1)?;
        match self.random.next_below(10) {
            0..=4 => {
                let f = *self.random.pick(FUNCTIONS);
                let leading = self.arithmetic.leading_term(&a)?;
                let operand = AsymptoticOperand { series: &a, leading: &leading, form: None };
                Some((self.arithmetic.apply_function(f, &operand)?, Sample::Function(f, Box::new(of_a))))
            }
            5 => {
                let (p, d) = *self.random.pick(&[(2, 1), (3, 1), (-1, 1), (-2, 1), (1, 3), (-1, 2), (3, 2)]);
                let leading = self.arithmetic.leading_term(&a)?;
                Some((self.arithmetic.raise_series(&a, &leading, (p, d))?, Sample::Power(p, d, Box::new(of_a))))
            }
            kind => {
                let (b, of_b) = self.node(self.random.clone().next_below(depth))?;
                let kind = kind - 6;
                let found = match kind {
                    0 => self.arithmetic.add_series(&a, &b),
                    1 => self.arithmetic.subtract_series(&a, &b),
                    2 => self.arithmetic.multiply_series(&a, &b),
                    _ => self.arithmetic.divide_series(&a, &b, &self.arithmetic.leading_term(&b)?),
                };
                Some((found?, Sample::Binary(kind, Box::new(of_a), Box::new(of_b))))
            }
        }
    }
}

#[test]
fn a_function_of_members_is_a_member_of_the_result() {
    let (context, budget, real) = (Mpfr::new(400), Budget::unlimited(), Algebra::real());
    let effort = PassOptions::new(Magnitude::power_of_two(-100), &budget);
    let x = Variable::fresh();
    let program = CompiledMap::compile(&[x], &[Graph::variable(x)]);
    let machine = JetEvaluator::new(&context, &effort, &real, &program);
    let (mut checked, mut varying, mut sums) = (0, 0, 0);
    for index in 0..6000_u64 {
        let (algebra, _) = crate::moving(&context, &q(0, 1), (index % 3) as u32);
        let jets = machine.jets(&algebra);
        let length = context.enclose_rational(&q(1, 1 + (index % 5) as i64 * 30));
        let arithmetic = SeriesArithmetic::new(&machine, machine.jets(&algebra), &length);
        let mut generator = Generator { random: SplitMix64::for_sample(7, index), arithmetic, context: &context };
        let Some((series, sample)) = generator.node(1 + (index / 3 % 3) as usize) else { continue };
        let arithmetic = generator.arithmetic;
        let first = arithmetic.log_at_one.clone();
        let leading = arithmetic.leading_term(&series).and_then(|term| arithmetic.as_pure_term(&term));
        sums += usize::from(series.terms.len() > 1);
        for s in [q(1, 1), q(2, 3), q(1, 4), q(1, 15), q(1, 300), q(1, 1_000_000)] {
            let value = sample.at(&context, &jets, &first, &s);
            let mut meets = |all: &Jet<Number>, own: &Jet<Number>| {
                for monomial in 0..algebra.len() {
                    let nought = || context.enclose_integer(0);
                    let [own, all] = [own, all].map(|jet| jet.get(monomial).cloned().unwrap_or_else(nought));
                    // A claim is one about defined numbers.
                    if !context.is_bounded(&own) || !context.is_bounded(&all) || !context.is_defined(&all) {
                        continue;
                    }
                    let [own, all] = [own, all].map(|number| context.to_enclosure(&number));
                    assert!(
                        own.is_defined() && own.lo() <= all.hi() && own.hi() >= all.lo(),
                        "sample {index}, s = {s}, coefficient {monomial}: {own} and {all} of {series:?}"
                    );
                    checked += 1;
                    varying += usize::from(monomial > 0);
                }
            };
            if let Some(leading) = &leading {
                let size = monomial_at(&context, &first, &leading.monomial, &s);
                meets(&leading.factor, &jets.map_coefficients(&value, |c| context.div(c, &size)));
            }
            if series.terms.iter().all(|term| term.monomial.is_pure()) {
                let all = series.terms.iter().fold(Jet::zero(), |sum, term| {
                    jets.add(&sum, &jets.scale(&term.factor, &monomial_at(&context, &first, &term.monomial, &s)))
                });
                meets(&all, &value);
            }
        }
    }
    assert!(checked > 20_000 && varying > 8000 && sums > 800, "{checked}, {varying}, {sums}");
}

/// `∫₀¹ sᵖ·Lᵠ ds` by mpmath: the quadrature of `exp ((p + 1)(A - L))·Lᵠ` from A to ∞ at 30 digits.
#[test]
fn powers_and_logarithms_have_their_integrals() {
    let (context, budget, real) = (Mpfr::new(200), Budget::unlimited(), Algebra::real());
    let effort = PassOptions::new(Magnitude::power_of_two(-100), &budget);
    let x = Variable::fresh();
    let program = CompiledMap::compile(&[x], &[Graph::variable(x)]);
    let machine = JetEvaluator::new(&context, &effort, &real, &program);
    let one = || Jet::constant(context.enclose_integer(1));
    let integral = |a: i64, p: Rational, q: Rational| {
        let length = context.apply_function(Function::Exp, &context.enclose_integer(-a));
        let arithmetic = SeriesArithmetic::new(&machine, machine.jets(&real), &length);
        arithmetic.integrate_series(&AsymptoticSeries::of_term(ScaleMonomial::of_powers(p, q), one()))
    };
    for (a, p, q, expected, width) in [
        (1, q(0, 1), q(1, 2), 1.378_936_078_070_656, 0.2),
        (1, q(0, 1), q(2, 1), 5.0, 1e-15),
        (3, q(1, 2), q(-3, 2), 0.099_568_792_662_291_57, 0.04),
        (5, q(-1, 2), q(5, 2), 302.299_296_979_005_5, 4.0),
        (2, q(-1, 1), q(-2, 1), 0.5, 1e-15),
        (2, q(-1, 1), q(-5, 2), 0.235_702_260_395_515_84, 1e-15),
        (1, q(2, 1), q(-1, 1), 0.262_083_740_255_318_5, 0.1),
    ] {
        let EndIntegral::Value(found) = integral(a, p.clone(), q.clone()) else { panic!("{p}, {q}: nothing") };
        let found = context.to_enclosure(found.get(0).unwrap());
        let [low, high] = [found.lo().to_f64(), found.hi().to_f64()];
        assert!(low <= expected * (1.0 + 1e-15) && high >= expected * (1.0 - 1e-15), "{p}, {q}: {found}");
        assert!(high - low <= width, "{p}, {q}: {found}");
    }
    // 1/(x log x) has no integral beside ∞, nor has 1/x.
    for (p, q) in [(q(-1, 1), q(-1, 1)), (q(-1, 1), q(0, 1)), (q(-3, 2), q(-9, 1))] {
        assert!(matches!(integral(4, p, q), EndIntegral::Diverges(_)));
    }
}

/// `∫₀¹ exp (9/10·L) ds = 10·exp (9/10)` for L = 1 - log s, though 9/10 is no binary number: an exponent of which only the last
/// digits are unknown costs only the last digits.
#[test]
fn an_exponential_of_a_logarithm_is_a_power_to_all_digits() {
    let (context, budget, real) = (Mpfr::new(200), Budget::unlimited(), Algebra::real());
    let effort = PassOptions::new(Magnitude::power_of_two(-100), &budget);
    let x = Variable::fresh();
    let program = CompiledMap::compile(&[x], &[Graph::variable(x)]);
    let machine = JetEvaluator::new(&context, &effort, &real, &program);
    let arithmetic = SeriesArithmetic::new(&machine, machine.jets(&real), &context.enclose_integer(1));
    let exponent = Jet::constant(context.enclose_rational(&q(9, 10)));
    let logarithm = AsymptoticSeries::of_term(ScaleMonomial::of_powers(0, 1), exponent);
    let leading = arithmetic.leading_term(&logarithm).unwrap();
    let operand = AsymptoticOperand { series: &logarithm, leading: &leading, form: None };
    let power = arithmetic.apply_function(Function::Exp, &operand).unwrap();
    let EndIntegral::Value(found) = arithmetic.integrate_series(&power) else { panic!("{power:?}") };
    let exact = context.apply_function(Function::Exp, &context.enclose_rational(&q(9, 10)));
    let [found, exact] =
        [found.get(0).unwrap(), &context.mul_integer(&exact, 10)].map(|number| context.to_enclosure(number));
    assert!(found.lo() <= exact.hi() && found.hi() >= exact.lo(), "{found} and {exact}");
    assert!(found.has_width_at_most(&(Rational::from(1) >> 180_u32)), "{found}");
}
