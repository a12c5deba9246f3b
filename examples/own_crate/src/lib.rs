//! A crate outside of the library that extends it in four places, and runs the laws of each by `quickcheck!`.
//!
//! | it adds | that is | its laws |
//! |---|---|---|
//! | a constant | Lambert's W, the inverse of w ↦ w·eʷ | W(x)·e^W(x) is x; its slope is that of its enclosures |
//! | a presheaf | pairs of numbers without an order | restriction is a functor, and tangents do not depend on their stage |
//! | a relation | a number with a bound of its absolute value | the fundamental lemma of gluing |
//! | a category | relations between finite sets | identities, composition, products |
//!
//! Beside each stands a wrong version, which its laws refute.

use smoothish::category::prelude::*;
use smoothish::number::foreign::RationalExtension;
use smoothish::prelude::*;
use smoothish::presheaf::prelude::*;
use smoothish::session::ConstantError;
use std::convert::Infallible;

/// Encloses eʷ for a rational w in [0, 4].
fn enclose_exponential(w: &Rational) -> [Rational; 2] {
    let (mut term, mut sum) = (Rational::from(1), Rational::from(1));
    for k in 1..50_u32 {
        term = term * w / k;
        sum += &term;
    }
    // each further term is less than half of the one before
    [sum.clone(), sum + term]
}

/// Rounds to a multiple of 2⁻¹²⁸, so that powers stay short.
fn round_short(x: &Rational) -> Rational {
    let scale = Rational::from(1) << 128_u32;
    (Rational::from(x * &scale)).floor() / scale
}

/// Returns a number close to W(x), of which nothing is claimed: the best `f64`, and one step of Newton's method more.
fn approximate(x: &Rational) -> Rational {
    let target = x.to_f64();
    let newton = |w: f64| w - (w * w.exp() - target) / ((w + 1.0) * w.exp());
    let w = (0..40).fold(target.ln_1p(), |w, _| newton(w));
    let w = Rational::from_f64(w).unwrap_or_default();
    let [exponential, _] = enclose_exponential(&w);
    let step = (Rational::from(&w * &exponential) - x) / (Rational::from(&w + 1_u32) * exponential);
    round_short(&(w - step))
}

/// Lambert's W on [0, 100]. It increases, so its values at the ends enclose it between them.
fn lambert() -> RationalExtension {
    RationalExtension::new(|lo, hi| {
        if *lo < 0 || *hi > 100 {
            return Ok(None);
        }
        // w is a bound of W(x) as soon as w·eʷ is one of x: how w was found need not be trusted
        let gaps = || (10..91_u32).rev().map(|bits| Rational::from(1) >> bits);
        let (low, high) = (approximate(lo), approximate(hi));
        let is_below = |w: &Rational| *w <= 0 || Rational::from(w * &enclose_exponential(w)[1]) <= *lo;
        let is_above = |w: &Rational| *w >= 0 && Rational::from(w * &enclose_exponential(w)[0]) >= *hi;
        let below = gaps().map(|gap| &low - gap).find(is_below);
        let above = gaps().map(|gap| &high + gap).find(is_above);
        Ok(below.zip(above).map(|(below, above)| [below.max(Rational::new()), above]))
    })
}

/// Adds W to a session, with a slope as a program.
///
/// # Errors
/// [`ConstantError`] if the slope is not that of the enclosures.
pub fn define_lambert(session: &mut Session, slope: &str) -> Result<(), ConstantError> {
    let boxes = [(0, 1), (1, 10)];
    session.define_constant("lambert", lambert()).slope(slope).about("the inverse of w ↦ w·eʷ").boxes(boxes).add()?;
    Ok(())
}

/// W′ = 1/(x + e^W)
pub const SLOPE: &str = r"\x => 1 / (x + exp (lambert x))";

/// Two numbers that vary over a stage, in any order.
#[derive(Clone, Debug)]
pub struct TwoNumbers<G>([Map<G, U1>; 2]);

/// The presheaf of pairs of numbers without an order. A wrong one forgets a number when it restricts.
#[derive(Debug)]
pub enum UnorderedPairs<const WRONG: bool> {}

impl<const WRONG: bool> Presheaf for UnorderedPairs<WRONG> {
    type At<G: MapEnd> = TwoNumbers<G>;

    fn restrict<D: MapEnd, G: MapEnd>(along: &Map<D, G>, TwoNumbers([x, y]): &TwoNumbers<G>) -> TwoNumbers<D> {
        TwoNumbers([along.then(x), along.then(if WRONG { x } else { y })])
    }
}

impl<const WRONG: bool> Observe for UnorderedPairs<WRONG> {
    /// The sum and the product determine two numbers up to their order.
    fn observe_number<G: MapEnd>(_: &Space<G>, TwoNumbers([x, y]): &TwoNumbers<G>, which: u64) -> Option<Map<G, U1>> {
        Some(if which.is_multiple_of(2) { x + y } else { x * y })
    }
}

impl<const WRONG: bool> SampleElements for UnorderedPairs<WRONG> {
    fn draw_element<G: MapEnd>(random: &mut SplitMix64, space: &Space<G>) -> TwoNumbers<G> {
        TwoNumbers([(); 2].map(|()| draw_real_map(random, space)))
    }
}

/// A number with a bound of its absolute value beside it, as rows. The last row is that of products.
pub fn magnitude(product: &str) -> String {
    format!(
        "representation Magnitude = Real * Real
constant c = (c, abs c)
coordinate u = (u, 1 + abs u)
x + y = (x[0] + y[0], x[1] + y[1])
x - y = (x[0] - y[0], x[1] + y[1])
- x = (- x[0], x[1])
sin x = (sin x[0], 1)
relates f r at u : abs (f u) <= r[1]
relates f r at u : f u = r[0]
x * y = {product}"
    )
}

/// The category of relations between finite sets. In a wrong one pairs are the wrong way round.
#[derive(Debug, Default)]
pub struct Relations<const WRONG: bool>;

/// A relation n → m: for each of the m elements, the elements that it is related to.
pub type Related = Vec<Vec<bool>>;

/// Relates the elements of a part of n to themselves.
fn embed<const WRONG: bool>(part: std::ops::Range<usize>, n: usize) -> ArrowResult<Relations<WRONG>> {
    Ok(part.map(|i| (0..n).map(|j| i == j).collect()).collect())
}

impl<const WRONG: bool> ValueCategory for Relations<WRONG> {
    type Object = usize;
    type Arrow = Related;
    type Error = Infallible;

    fn identity(&self, n: &usize) -> ArrowResult<Self> {
        embed::<WRONG>(0..*n, *n)
    }
    fn then(&self, [n, ..]: [&usize; 3], f: &Related, g: &Related) -> ArrowResult<Self> {
        let through = |row: &[bool], j: usize| row.iter().zip(f).any(|(related, f)| *related && f[j]);
        Ok(g.iter().map(|row| (0..*n).map(|j| through(row, j)).collect()).collect())
    }
}

impl<const WRONG: bool> ValueCartesian for Relations<WRONG> {
    fn terminal_object(&self) -> usize {
        0
    }
    fn product_object(&self, a: &usize, b: &usize) -> usize {
        a + b
    }
    fn terminal(&self, _: &usize) -> ArrowResult<Self> {
        Ok(Vec::new())
    }
    fn pair(&self, _: [&usize; 3], f: &Related, g: &Related) -> ArrowResult<Self> {
        Ok(if WRONG { [&g[..], f].concat() } else { [&f[..], g].concat() })
    }
    fn first(&self, [a, b]: [&usize; 2]) -> ArrowResult<Self> {
        embed::<WRONG>(0..*a, a + b)
    }
    fn second(&self, [a, b]: [&usize; 2]) -> ArrowResult<Self> {
        embed::<WRONG>(*a..a + b, a + b)
    }
}

impl<const WRONG: bool> DecidableArrows for Relations<WRONG> {}

impl<const WRONG: bool> DrawValue for Relations<WRONG> {
    fn draw_value(&self, [n, m]: [&usize; 2], random: &mut SplitMix64) -> ArrowResult<Self> {
        Ok((0..*m).map(|_| (0..*n).map(|_| random.random_bool(50)).collect()).collect())
    }
}

#[cfg(test)]
mod laws {
    use super::*;
    use smoothish::glue::prelude::*;
    use smoothish::law::property::{judge_all, to_test_result};
    use smoothish::law::quickcheck::{TestResult, quickcheck};
    use std::sync::{LazyLock, Mutex};

    /// One sample of the laws of presheaves.
    fn one_sample(seed: u64) -> SampleSettings {
        SampleSettings { drawn: 1, least: 1, seed, ..SampleSettings::default() }
    }

    /// The fundamental lemma, at random programs.
    fn lemma(product: &str, samples: u64, seed: u64) -> Result<Verdict, GlueError> {
        let rows = RowRepresentation::read_in(&magnitude(product), &Library::new())?;
        let test = fundamental_lemma(GluingSetup::of_representation(rows.into_family()));
        let outcome = test.run_test(&TheoremTestConfig::new(samples, seed))?;
        Ok(match outcome.refutation {
            Some(refutation) => Verdict::refuted(format!("seed {seed}"), refutation, "related"),
            None if outcome.survived == 0 => Verdict::Vacuous,
            None => Verdict::Survived,
        })
    }

    const PRODUCT: &str = "(x[0] * y[0], x[1] * y[1])";

    /// The laws of products of relations, between random objects.
    fn products<const WRONG: bool>(seed: u64) -> Result<Verdict, ArrowError<Infallible>> {
        type Of<const WRONG: bool> = Typed<Relations<WRONG>>;
        let random = &mut SplitMix64::new(seed);
        Ok(judge_all(check_products::<Of<WRONG>, Size<2>, Size<3>, Size<4>>(random, &())?))
    }

    /// A session with W.
    static WITH_LAMBERT: LazyLock<Mutex<Session>> = LazyLock::new(|| {
        let mut session = Session::new();
        define_lambert(&mut session, SLOPE).expect("the slope is right");
        Mutex::new(session)
    });

    fn enclose(program: &str) -> Enclosure {
        let session = WITH_LAMBERT.lock().expect("no test panics in a session");
        let found = session.enclose(program, 1e-9).expect("the program has a value");
        assert!(found.reached, "{program}");
        found.enclosure
    }

    quickcheck! {
        fn unordered_pairs_are_a_presheaf(seed: u64) -> TestResult {
            to_test_result(check_presheaf::<UnorderedPairs<false>>(&one_sample(seed)))
        }

        fn relations_have_products(seed: u64) -> TestResult {
            to_test_result(products::<false>(seed))
        }
    }

    #[test]
    fn a_wrong_slope_is_refused() {
        let wrong = define_lambert(&mut Session::new(), r"\x => 1 / (1 + exp (lambert x))");
        assert!(matches!(wrong, Err(ConstantError::Refuted { .. })), "{wrong:?}");
    }

    #[test]
    fn a_wrong_presheaf_and_a_wrong_category_are_refuted() {
        for seed in 0..20 {
            assert!(check_presheaf::<UnorderedPairs<true>>(&one_sample(seed)).unwrap().is_refuted(), "seed {seed}");
            // two random relations may be equal
            assert!((0..8).any(|i| products::<true>(8 * seed + i).unwrap().is_refuted()), "seed {seed}");
        }
    }

    /// Tests that take more than half a second.
    mod slow {
        use super::*;

        quickcheck! {
            fn lambert_is_the_inverse(numerator: u8) -> bool {
                let x = Rational::from((numerator, 16));
                enclose(&format!("lambert ({x}) * exp (lambert ({x}))")).contains(&x)
            }

            fn tangents_of_unordered_pairs_are_a_coend(seed: u64) -> TestResult {
                to_test_result(check_tangents::<UnorderedPairs<false>>(&one_sample(seed)))
            }

            fn programs_keep_bounds_of_absolute_values(seed: u64) -> TestResult {
                to_test_result(lemma(PRODUCT, 1, seed))
            }
        }

        #[test]
        fn lambert_has_derivatives_and_an_integral() {
            // Ω and Ω/(1 + Ω), for Ω·e^Ω = 1; the integral is Ω - 2 + 1/Ω, by parts
            for (program, value) in [
                ("lambert 1", 0.567_143_290_409_783_8),
                ("deriv lambert 1", 0.361_896_256_634_889_2),
                ("integral01 lambert", 0.330_366_124_761_680_6),
            ] {
                let found = enclose(program);
                assert!((found.lo().to_f64() - value).abs() < 2e-9, "{program}: {found}");
            }
        }

        /// A vacuous sample is discarded, so that a law without any other would pass.
        #[test]
        fn most_programs_say_something() {
            let survived = (0..40).filter(|seed| lemma(PRODUCT, 1, *seed).unwrap() == Verdict::Survived).count();
            assert!(survived > 20, "{survived} of 40");
        }

        #[test]
        fn a_wrong_bound_of_products_is_refuted() {
            for seed in 0..5 {
                assert!(lemma("(x[0] * y[0], x[1] + y[1])", 100, seed).unwrap().is_refuted(), "seed {seed}");
            }
        }
    }
}
