//! The strategy `tape`: the same values and derivatives, of loops of any length in little memory.

use super::*;
use smoothish::meaning::float::nearest_double;
use smoothish::number::Rational;
use smoothish::number::{Context, Double, Mpfr};
use smoothish::random::SplitMix64;
use smoothish::trace::number::{BoundedDoubles, CertifiedReals, Doubles, NumberSystem, Rationals};

/// Newton's method for √a, counted.
const NEWTON: &str = "let rec newton (n : Real) (x : Real) (a : Real) : Real = \
     if n < 1/2 then x else newton (n - 1) ((x + a / x) / 2) a in";

/// A loop in a loop, neither the last thing that is done: Σ of the i-th iterates of x ↦ x · a - x².
const NESTED: &str = "let rec step (k : Real) (x : Real) (a : Real) : Real = \
     if k < 1/2 then x else step (k - 1) (x * a - x^2) a in \
     let rec sum (i : Real) (s : Real) (a : Real) : Real = \
     if i < 1/2 then s * a else sum (i - 1) (s + 1 / (1 + step i (1/10) a)) a in";

/// Two numbers that change places, both sides of a condition, and a function that is no arithmetic.
const TURNING: &str = "let rec turn (n : Real) (x : Real) (y : Real) : Real = \
     if n < 1/2 then x - 2 * y else \
     if x < y then turn (n - 1) y (x + sin y / 8) else turn (n - 1) (y + x / 16) (x / 2 - y) in";

fn compiled(text: &str) -> CompiledProgram {
    CompiledProgram::from_program(&program(text)).unwrap()
}

fn in_doubles(compiled: &CompiledProgram, at: f64) -> [f64; 2] {
    let [value, slope] = compiled.pull_back_at(&Doubles, &Budget::unlimited(), &[at], &[1.0]).unwrap();
    [value[0], slope[0]]
}

/// Where a tape becomes a loop is no matter, but for the order of some sums.
#[test]
fn loops_are_what_they_are_without_checkpoints() {
    for text in [
        format!("{NEWTON} newton 1000 1"),
        format!(r"{NEWTON} \a => 3 * newton 40 1 (a * newton 300 1 a) + a"),
        format!("{NESTED} sum 60 0"),
        format!(r"{TURNING} \a => turn 9 a (a^2 / 3)"),
        format!(r"{TURNING} \a => rd (turn 7 a) (a / 2) a"),
        format!(r"{NEWTON} \a => rd (newton 200 1) a 1"),
        format!(r"{NEWTON} \a => rd (newton 200 1) (a * newton 50 1 a) 1"),
    ] {
        let compiled = compiled(&text);
        let whole = in_doubles(&compiled.clone().with_tape_limit(u32::MAX), 1.3);
        for nodes in [0, 1, 10, 100, 1000] {
            let [value, slope] = in_doubles(&compiled.clone().with_tape_limit(nodes), 1.3);
            assert!(value == whole[0] && (slope - whole[1]).abs() <= 1e-12 * slope.abs(), "{nodes} nodes: {text}");
        }
        // by differences
        let value = |a: f64| compiled.value_at(&Doubles, &Budget::unlimited(), &[a]).unwrap()[0];
        let slope = (value(1.3 + 1e-5) - value(1.3 - 1e-5)) / 2e-5;
        assert!((slope - whole[1]).abs() < 1e-6 * (1.0 + slope.abs()), "{slope} and {}: {text}", whole[1]);
        assert!(slope.abs() > 1e-3, "{text} shows little");
    }
}

/// What is computed where it goes is computed in time: the same by hand.
#[test]
fn numbers_change_places_after_they_were_read() {
    for turns in [1, 2, 3, 9, 40] {
        let (mut x, mut y) = (1.3, 1.3 * 1.3 / 3.0);
        for _ in 0..turns {
            (x, y) = if x < y { (y, x + f64::sin(y) / 8.0) } else { (y + x / 16.0, x / 2.0 - y) };
        }
        let [value, _] = in_doubles(&compiled(&format!(r"{TURNING} \a => turn {turns} a (a^2 / 3)")), 1.3);
        assert!((value - (x - 2.0 * y)).abs() < 1e-14, "{turns} turns: {value}");
    }
}

/// (1 + r)ᵀ x at T = 200,000 and r = 10⁻⁵: e^(T log (1 + r)) and its slopes (1 + r)ᵀ, T (1 + r)ᵀ⁻¹ x.
#[test]
fn long_loops_are_swept() {
    let growth = "let rec grown (n : Real) (x : Real) (r : Real) : Real = \
         if n < 1/2 then x else grown (n - 1) (x * (1 + r)) r in grown 200000";
    let compiled = compiled(growth);
    let (x, r) = (3.0, 1e-5_f64);
    let expected = (200_000.0 * r.ln_1p()).exp();
    let [value, slopes] = compiled.pull_back_at(&Doubles, &Budget::unlimited(), &[x, r], &[1.0]).unwrap();
    for (found, expected) in
        [(value[0], x * expected), (slopes[0], expected), (slopes[1], 200_000.0 * x * expected / (1.0 + r))]
    {
        assert!((found / expected - 1.0).abs() < 1e-10, "{found}, {expected}");
    }
}

/// Enclosures contain √2 and 1/(2 √2), which the method reaches.
#[test]
fn certified_loops() {
    fn at<C: Context>(context: C, width: f64) {
        let numbers = CertifiedReals(context);
        let compiled = compiled(&format!("{NEWTON} newton 3000 1"));
        let [two, one] = [2, 1].map(|n| numbers.0.enclose_integer(n));
        let [value, slope] = compiled.pull_back_at(&numbers, &Budget::unlimited(), &[two], &[one]).unwrap();
        let squares = |x: &smoothish::number::Enclosure, times: i64| {
            let [lo, hi] = [x.lo(), x.hi()].map(|end| end.to_rational().unwrap());
            assert!(lo > 0 && lo.clone() * &lo * times <= 2 && hi.clone() * &hi * times >= 2);
            assert!((hi - lo).to_f64() < width);
        };
        squares(&numbers.0.to_enclosure(&value[0]), 1);
        // (1/(2 √2))² is 1/8
        squares(&numbers.0.to_enclosure(&slope[0]), 16);
    }
    at(Double, 1e-7);
    at(Mpfr::new(128), 1e-30);
}

/// Loops of arithmetic at random fractions have the number and the slope of doubles, bit by bit, and their distance to the
/// exact ones is at most the bound, which is at most 100 times that distance on half of the samples where there is any.
#[test]
fn bounds_of_errors_hold_and_are_near() {
    let mut random = SplitMix64::for_sample(1, 0);
    let (mut inexact, mut near) = (0, 0);
    for (text, most_turns) in [
        ("let rec f (n : Real) (x : Real) : Real = if n < 1/2 then x else f (n - 1) (x + 1/10) in f", 40),
        ("let rec f (n : Real) (x : Real) : Real = if n < 1/2 then x else f (n - 1) (7/2 * x * (1 - x)) in f", 6),
        (
            "let rec f (n : Real) (x : Real) : Real = if n < 1/2 then x else f (n - 1) ((x + (1 + x) / (3 + x * x)) / 2) in f",
            5,
        ),
        (
            r"\n x => let rec f (n : Real) (y : Real) (x : Real) : Real = if n < 1/2 then y else f (n - 1) (y * x - 1/3) x in f n (x^3 - x) x",
            9,
        ),
    ] {
        for _ in 0..30 {
            let turns = 1 + random.next_below(most_turns) as i64;
            let x = Rational::from((random.next_below(194) as i64 - 97, 97));
            let compiled = compiled(&format!(r"\x => ({text}) {turns} x"));
            let budget = Budget::unlimited();
            let (rationals, numbers) = (Rationals { max_bits: 1 << 20 }, BoundedDoubles);
            let one = Rational::from(1);
            let exact = compiled
                .pull_back_at(&rationals, &budget, std::slice::from_ref(&x), std::slice::from_ref(&one))
                .unwrap();
            let at = numbers.represent_rational(&x);
            let found = compiled.pull_back_at(&numbers, &budget, &[at], &[numbers.represent_rational(&one)]).unwrap();
            let plain = compiled.pull_back_at(&Doubles, &budget, &[nearest_double(&x)], &[1.0]).unwrap();
            for ((exact, found), plain) in
                exact.iter().flatten().zip(found.iter().flatten()).zip(plain.iter().flatten())
            {
                assert_eq!(found.value().to_bits(), plain.to_bits(), "{text}: {turns} turns at {x}");
                let error = (Rational::from_f64(found.value()).unwrap() - exact).abs();
                let bound = Rational::from_f64(found.error_bound()).unwrap();
                assert!(error <= bound, "{text}: {turns} turns at {x}: {} and {found}", exact.to_f64());
                if error > 0 {
                    inexact += 1;
                    near += u32::from(bound <= error * 100);
                }
            }
        }
    }
    assert!(inexact >= 150 && near * 2 >= inexact, "{near} of {inexact}");
}

/// A limit is for other strategies; a point of another dimension is refused.
#[test]
fn what_does_not_fit_is_refused() {
    let mut limited = program(&format!("{NEWTON} newton 3 1"));
    limited.term = smoothish::trace::term::approximant(&limited.term, 3);
    assert_eq!(CompiledProgram::from_program(&limited).unwrap_err(), TraceError::LimitedRecursion);
    let compiled = compiled(r"\(x, y) => x * y");
    assert_eq!((compiled.input_count(), compiled.output_count()), (2, 1));
    assert!(matches!(compiled.value_at(&Doubles, &Budget::unlimited(), &[1.0]), Err(TraceError::Stuck { .. })));
    let wrong = compiled.pull_back_at(&Doubles, &Budget::unlimited(), &[1.0, 2.0], &[1.0, 1.0]);
    assert!(matches!(wrong, Err(TraceError::Stuck { .. })));
}

/// Tests that take more than half a second: `cargo quick` passes them over.
mod slow {
    use super::*;

    /// Whatever is asked, it ends.
    #[test]
    fn memory_and_time_are_bounded() {
        let fuel = |text: &str, budget: Budget, part: &str| {
            let error = compiled(text).value_at(&Doubles, &budget, &[]).unwrap_err();
            let undefined = error.as_undefined().unwrap_or_else(|| panic!("{error}"));
            assert!(undefined.cause == UndefinedCause::Fuel && error.to_string().contains(part), "{text}: {error}");
        };
        let second = || Budget::new(u64::MAX, Some(std::time::Duration::from_secs(60)), None);
        let sum = "let rec sum (n : Real) : Real = if n < 1/2 then 0 else n + sum (n - 1) in";
        fuel(&format!("{sum} sum 10000000"), second(), "nested calls take more than");
        fuel(&format!("{sum} rd sum 10000000 1"), second(), "megabytes");
        fuel("let rec f (x : Real) : Real = f (x + 1) in f 0", Budget::new(100_000, None, None), "time was up");
        fuel("let rec f (x : Real) : Real = rd f x 1 in f 0", second(), "derivatives are nested more than");
        assert_eq!(compiled(&format!("{sum} sum 1000")).value_at(&Doubles, &second(), &[]).unwrap(), [500_500.0]);
    }
}
