//! Laws of enclosures and of interval arithmetic, and the edges that the random tests only graze.
use rug::float::{Constant, Special};
use rug::{Float, Rational};
use smoothish_number::number::{Context, Double, Enclosure, Function, Magnitude, Mpfr, NumberError, Sign, decimal};

fn end(x: f64) -> Float {
    Float::with_val(53, x)
}

fn enclosure(lo: f64, hi: f64) -> Enclosure {
    Enclosure::new(end(lo), end(hi), true).unwrap()
}

const INFINITY: f64 = f64::INFINITY;

/// Runs a check in both tiers.
macro_rules! in_both_tiers {
    ($check:ident) => {
        $check(&Double);
        $check(&Mpfr::new(53));
        $check(&Mpfr::new(200));
    };
}

fn interval<C: Context>(c: &C, lo: f64, hi: f64) -> C::Num {
    c.round_enclosure(&enclosure(lo, hi))
}

fn is<C: Context>(c: &C, x: &C::Num, lo: f64, hi: f64) -> bool {
    let e = c.to_enclosure(x);
    *e.lo() == lo && *e.hi() == hi
}

// ---- the order ⊑ of the interval domain (S §4.1)

fn samples() -> Vec<Enclosure> {
    let ends = [-INFINITY, -2.0, -0.5, 0.0, 5e-324, 1.0, 1e300, INFINITY];
    let mut all = vec![Enclosure::bottom()];
    for lo in ends {
        for hi in ends {
            for defined in [false, true] {
                all.extend(Enclosure::new(end(lo), end(hi), defined));
            }
        }
    }
    all
}

#[test]
fn reverse_inclusion_is_a_partial_order_with_bottom() {
    let all = samples();
    for x in &all {
        assert!(x.specializes(x) && Enclosure::bottom().specializes(x));
        for y in &all {
            assert!(!(x.specializes(y) && y.specializes(x)) || x == y);
            for z in &all {
                assert!(!(x.specializes(y) && y.specializes(z)) || x.specializes(z));
            }
        }
    }
    assert!(enclosure(0.0, 1.0).specializes(&enclosure(0.0, 0.0)));
    assert!(enclosure(0.0, 1.0).specializes(&enclosure(1.0, 1.0)));
    assert!(!enclosure(0.0, 0.0).specializes(&enclosure(0.0, 1.0)));
}

#[test]
fn intersection_is_the_supremum_and_hull_the_infimum() {
    let all = samples();
    for x in &all {
        for y in &all {
            let hull = x.hull(y);
            assert!(hull.specializes(x) && hull.specializes(y));
            assert_eq!(x.intersection(y).is_some(), x.overlaps(y));
            if let Some(both) = x.intersection(y) {
                assert!(x.specializes(&both) && y.specializes(&both));
            }
            for z in &all {
                assert!(!(z.specializes(x) && z.specializes(y)) || z.specializes(&hull));
                if x.specializes(z) && y.specializes(z) {
                    assert!(x.intersection(y).is_some_and(|both| both.specializes(z)));
                }
            }
        }
    }
}

#[test]
fn points_are_maximal() {
    let all = samples();
    let (points, others): (Vec<_>, Vec<_>) = all.iter().partition(|x| x.is_point() && x.is_defined());
    assert!(points.len() > 3);
    // nothing else is above a point, and above what is none there is another
    for point in points {
        assert!(all.iter().all(|x| point.specializes(x) == (x == point)), "{point}");
    }
    for other in others {
        assert!(all.iter().any(|x| other.specializes(x) && x != other), "{other}");
    }
}

#[test]
fn what_is_no_enclosure_is_refused() {
    let new = |lo, hi| Enclosure::new(end(lo), end(hi), true);
    assert!(matches!(new(f64::NAN, 1.0), Err(NumberError::NotANumber)));
    assert!(matches!(new(0.0, f64::NAN), Err(NumberError::NotANumber)));
    assert!(matches!(new(1.0, 0.0), Err(NumberError::Reversed { .. })));
    assert!(matches!(new(INFINITY, INFINITY), Err(NumberError::NoRealNumber { .. })));
    assert!(matches!(new(-INFINITY, -INFINITY), Err(NumberError::NoRealNumber { .. })));
    assert!(Enclosure::point(Float::with_val(53, Special::Infinity)).is_err());
}

#[test]
fn widths_are_exact_where_they_fit_and_rounded_up_elsewhere() {
    assert_eq!(enclosure(-1.0, 1e-300).exact_width().unwrap(), Float::with_val(2000, 1) + end(1e-300));
    assert!(enclosure(0.0, INFINITY).exact_width().is_none());
    assert_eq!(enclosure(0.0, INFINITY).width(), Magnitude::INFINITY);
    let huge = Float::with_val(53, Float::i_exp(1, 1 << 29));
    let tiny = Float::with_val(53, Float::i_exp(1, -(1 << 29)));
    let wide = Enclosure::new(tiny, huge.clone(), true).unwrap();
    assert!(wide.exact_width().is_none());
    assert_eq!(wide.width(), Magnitude::power_of_two(1 << 29));
    assert!(!wide.has_width_at_most(&Rational::from(1)));
    assert!(enclosure(0.25, 0.5).has_width_at_most(&Rational::from((1, 4))));
    assert!(!enclosure(0.25, 0.5f64.next_up()).has_width_at_most(&Rational::from((1, 4))));
}

// ---- arithmetic

#[test]
fn zero_times_no_information_is_no_information() {
    fn check<C: Context>(c: &C) {
        let (zero, line, bottom) = (c.enclose_integer(0), interval(c, -INFINITY, INFINITY), c.bottom());
        for product in [c.mul(&zero, &bottom), c.mul(&bottom, &zero)] {
            assert!(is(c, &product, -INFINITY, INFINITY) && !c.is_defined(&product));
        }
        assert!(is(c, &c.mul(&zero, &line), -INFINITY, INFINITY));
        assert!(c.is_defined(&c.mul(&zero, &line)));
        let mut acc = c.enclose_integer(1);
        c.mul_add(&mut acc, &zero, &line);
        assert!(is(c, &acc, -INFINITY, INFINITY) && c.is_defined(&acc));
        assert!(is(c, &c.mul_integer(&line, 0), -INFINITY, INFINITY));
        let half_lines = [(0.0, INFINITY), (-INFINITY, 0.0), (1.0, INFINITY), (-INFINITY, -1.0), (-1.0, INFINITY)];
        for (lo, hi) in half_lines {
            let unbounded = interval(c, lo, hi);
            for (lo, hi) in [(0.0, 0.0), (0.0, 1.0), (-1.0, 0.0), (-1.0, 1.0), (0.0, INFINITY), (-INFINITY, 0.0)] {
                let with_zero = interval(c, lo, hi);
                assert!(is(c, &c.mul(&unbounded, &with_zero), -INFINITY, INFINITY));
                assert!(is(c, &c.mul(&with_zero, &unbounded), -INFINITY, INFINITY));
                let mut acc = c.enclose_integer(1);
                c.mul_add(&mut acc, &unbounded, &with_zero);
                assert!(is(c, &acc, -INFINITY, INFINITY), "{acc:?} += {unbounded:?} * {with_zero:?}");
                let mut acc = c.enclose_integer(1);
                c.mul_add(&mut acc, &with_zero, &unbounded);
                assert!(is(c, &acc, -INFINITY, INFINITY));
            }
        }
        assert!(is(c, &c.mul(&interval(c, 1.0, INFINITY), &interval(c, -3.0, -2.0)), -INFINITY, -2.0));
    }
    in_both_tiers!(check);
}

#[test]
fn a_quotient_by_what_may_be_zero_is_bottom() {
    fn check<C: Context>(c: &C) {
        for (lo, hi) in [(-1.0, 1.0), (0.0, 1.0), (-1.0, 0.0), (0.0, 0.0), (-INFINITY, INFINITY)] {
            let quotient = c.div(&c.enclose_integer(1), &interval(c, lo, hi));
            assert!(is(c, &quotient, -INFINITY, INFINITY) && !c.is_defined(&quotient));
        }
        assert!(is(c, &c.div(&c.enclose_integer(1), &interval(c, 2.0, INFINITY)), 0.0, 0.5));
        assert!(is(c, &c.div(&interval(c, 1.0, INFINITY), &interval(c, 2.0, INFINITY)), 0.0, INFINITY));
        assert!(is(c, &c.div_integer(&c.enclose_integer(1), 0), -INFINITY, INFINITY));
    }
    in_both_tiers!(check);
}

/// The exact products and quotients of the ends, by rational numbers, lie inside; where they fit they are the ends.
#[test]
fn multiples_and_parts_by_whole_numbers_hold_the_exact_ones() {
    fn check<C: Context>(c: &C) {
        let exact = |x: f64| Rational::from_f64(x).unwrap();
        let ends = [-INFINITY, -3.0, -0.3, 0.0, 5e-324, 0.7, 1e300, INFINITY];
        let words = [i64::MIN, -(1 << 53) - 1, -7, -1, 1, 2, 3, 10, (1 << 53) + 1, i64::MAX];
        let (mut sharp, mut loose) = (0, 0);
        for (lo, hi) in ends.iter().enumerate().flat_map(|(i, &lo)| ends[i..].iter().map(move |&hi| (lo, hi))) {
            let Ok(a) = Enclosure::new(end(lo), end(hi), lo != -3.0) else { continue };
            let a = c.round_enclosure(&a);
            for n in words {
                let mut results = vec![(c.mul_integer(&a, n), n, Rational::from(n))];
                if n > 0 {
                    results.push((c.div_integer(&a, n as u64), n, Rational::from((1, n))));
                }
                for (found, n, factor) in results {
                    assert_eq!(c.is_defined(&found), c.is_defined(&a));
                    let found = c.to_enclosure(&found);
                    for x in [lo, hi] {
                        if x.is_finite() {
                            let product = exact(x) * &factor;
                            assert!(*found.lo() <= product && product <= *found.hi(), "{x}, {n}: {found}");
                            let is_end = *found.lo() == product || *found.hi() == product;
                            (sharp, loose) = (sharp + u32::from(is_end), loose + u32::from(!is_end));
                        } else {
                            let side = if (x > 0.0) == (n > 0) { found.hi() } else { found.lo() };
                            assert!(side.is_infinite(), "{x}, {n}: {found}");
                        }
                    }
                }
            }
        }
        assert!(sharp > 200 && loose > 40, "{sharp} exact, {loose} rounded");
    }
    in_both_tiers!(check);
    // a part by 0, and by more than fits into a signed word
    let c = Mpfr::new(128);
    let part = c.to_enclosure(&c.div_integer(&c.enclose_integer(1), u64::MAX));
    let exact = Rational::from((1, u64::MAX));
    assert!(*part.lo() <= exact && exact <= *part.hi() && part.width() < Magnitude::power_of_two(-180));
    assert!(is(&c, &c.div_integer(&c.enclose_integer(1), 0), -INFINITY, INFINITY));
}

#[test]
fn roots_know_their_domain() {
    fn check<C: Context>(c: &C) {
        let sqrt = |lo, hi| c.apply_function(Function::Sqrt, &interval(c, lo, hi));
        assert!(is(c, &sqrt(0.0, 0.0), 0.0, 0.0) && c.is_defined(&sqrt(0.0, 0.0)));
        assert!(is(c, &sqrt(-1.0, 4.0), 0.0, 2.0) && !c.is_defined(&sqrt(-1.0, 4.0)));
        assert!(is(c, &sqrt(-2.0, -1.0), -INFINITY, INFINITY) && !c.is_defined(&sqrt(-2.0, -1.0)));
        assert!(is(c, &c.root(&c.enclose_integer(-8), 3), -2.0, -2.0));
        assert!(is(c, &c.root(&c.enclose_integer(1 << 40), 8), 32.0, 32.0));
        assert!(is(c, &c.root(&c.enclose_integer(-16), 4), -INFINITY, INFINITY));
        assert!(is(c, &c.root(&c.enclose_integer(5), 0), -INFINITY, INFINITY));
        assert!(is(c, &c.power(&c.enclose_integer(0), 0), 1.0, 1.0));
        assert!(is(c, &c.power(&interval(c, -2.0, 1.0), 4), 0.0, 16.0));
        assert!(is(c, &c.power(&interval(c, -2.0, 1.0), 5), -32.0, 1.0));
        assert!(is(c, &c.square(&interval(c, -INFINITY, 1.0)), 0.0, INFINITY));
    }
    in_both_tiers!(check);
}

#[test]
fn the_sign_at_zero_is_every_sign() {
    fn check<C: Context>(c: &C) {
        for (lo, hi) in [(0.0, 0.0), (0.0, 1.0), (-1.0, 0.0), (-1.0, 1.0)] {
            let sign = c.signum(&interval(c, lo, hi));
            assert!(is(c, &sign, -1.0, 1.0) && c.is_defined(&sign));
            assert_eq!(c.sign(&interval(c, lo, hi)), Sign::Undecided);
        }
        assert!(is(c, &c.signum(&interval(c, 5e-324, 1.0)), 1.0, 1.0));
        assert!(is(c, &c.signum(&interval(c, -INFINITY, -5e-324)), -1.0, -1.0));
        assert_eq!(c.sign(&c.mark_undefined(c.enclose_integer(1))), Sign::Undecided);
    }
    in_both_tiers!(check);
}

#[test]
fn exact_values_stay_points() {
    use Function::*;
    fn check<C: Context>(c: &C) {
        for (f, x, y) in [
            (Exp, 0, 1),
            (Log, 1, 0),
            (Sin, 0, 0),
            (Cos, 0, 1),
            (Tan, 0, 0),
            (Asin, 0, 0),
            (Acos, 1, 0),
            (Atan, 0, 0),
            (Sinh, 0, 0),
            (Cosh, 0, 1),
            (Tanh, 0, 0),
            (Asinh, 0, 0),
            (Acosh, 1, 0),
            (Atanh, 0, 0),
            (Sqrt, 144, 12),
            (Cbrt, -1000, -10),
            (Erf, 0, 0),
            (Log1p, 0, 0),
            (Expm1, 0, 0),
            (Erfc, 0, 1),
            (Function::LOG_GAMMA, 2, 0),
            (Function::BESSEL_J0, 0, 1),
            (Function::BESSEL_J1, 0, 0),
            (Function::SIN_INTEGRAL, 0, 0),
        ] {
            let value = c.apply_function(f, &c.enclose_integer(x));
            assert!(is(c, &value, y as f64, y as f64) && c.is_defined(&value), "{f:?} {x}: {value:?}");
        }
    }
    in_both_tiers!(check);
}

/// Where differences would cancel, and where values are close to a limit. Computed by mpmath 1.4 with 500 digits, from the
/// definitions; 25 digits are right.
const DIFFICULT: &[(Function, &str, &str)] = &[
    (Function::Erf, "1e-300", "1.128379167095512573896159e-300"),
    (Function::Erf, "-3e-20", "-3.385137501286537721688477e-20"),
    (Function::Erf, "0.5", "5.204998778130465376827467e-1"),
    (Function::Erf, "2.5", "9.995930479825550410604358e-1"),
    (Function::Erf, "-6", "-9.999999999999999784802633e-1"),
    (Function::Erf, "12", "1"),
    (Function::Erfc, "1e-20", "9.999999999999999999887162e-1"),
    (Function::Erfc, "0.5", "4.795001221869534623172533e-1"),
    (Function::Erfc, "6", "2.151973671249891311659335e-17"),
    (Function::Erfc, "30", "2.564656203756111600033397e-393"),
    (Function::Erfc, "-6", "1.999999999999999978480263"),
    (Function::Erfc, "100", "6.405961424921732039021339e-4346"),
    (Function::Expm1, "1e-300", "1e-300"),
    (Function::Expm1, "-1e-20", "-9.99999999999999999995e-21"),
    (Function::Expm1, "0.5", "6.487212707001281468486508e-1"),
    (Function::Expm1, "-40", "-9.999999999999999957516457e-1"),
    (Function::Expm1, "700", "1.01423205473500450945533e304"),
    (Function::Log1p, "1e-300", "1e-300"),
    (Function::Log1p, "-1e-20", "-1.000000000000000000005e-20"),
    (Function::Log1p, "0.5", "4.054651081081643819780131e-1"),
    (Function::Log1p, "-0.99999999999999999999", "-4.605170185988091368035983e1"),
    (Function::Log1p, "1e300", "6.907755278982137052053974e2"),
];

#[test]
fn difficult_values_are_enclosed_and_narrow() {
    fn check<C: Context>(c: &C) {
        for (f, x, y) in DIFFICULT {
            let y = decimal::parse(y).unwrap();
            let within = |digits: &str| {
                let error = Rational::from(y.abs_ref()) * decimal::parse(digits).unwrap();
                (Rational::from(&y - &error), Rational::from(&y + &error))
            };
            let value = c.to_enclosure(&c.apply_function(*f, &c.enclose_rational(&decimal::parse(x).unwrap())));
            let (least, greatest) = within("1e-24");
            assert!(value.is_defined() || c.precision() < 100, "{f} {x}: {value:?}");
            assert!(*value.lo() <= greatest && *value.hi() >= least, "{f} {x}: {value:?}");
            let (least, greatest) = within("2e-24");
            assert!(c.precision() < 100 || *value.lo() >= least && *value.hi() <= greatest, "{f} {x}: {value:?}");
        }
    }
    in_both_tiers!(check);
}

#[test]
fn values_far_out_are_between_their_limits() {
    fn check<C: Context>(c: &C) {
        for (f, x, lo, hi) in [
            (Function::Erf, 1.0, 1.0 - 1e-15, 1.0),
            (Function::Erf, -1.0, -1.0, 1e-15 - 1.0),
            (Function::Erfc, 1.0, 0.0, 5e-324),
            (Function::Erfc, -1.0, 2.0 - 1e-15, 2.0),
            (Function::Expm1, -1.0, -1.0, 1e-15 - 1.0),
        ] {
            for size in [1e9, 1e300] {
                let value = c.to_enclosure(&c.apply_function(f, &interval(c, x * size, x * size)));
                assert!(value.is_defined() && *value.lo() >= lo && *value.hi() <= hi, "{f} {x}: {value:?}");
            }
        }
    }
    in_both_tiers!(check);
}

#[test]
fn bounds_of_waves_are_found_wherever_they_lie() {
    fn check<C: Context>(c: &C) {
        let range = |f, lo, hi| c.to_enclosure(&c.apply_function(f, &interval(c, lo, hi)));
        assert!(*range(Function::Sin, 1.5, 1.6).hi() == 1 && *range(Function::Sin, 1.5, 1.6).lo() > 0.99);
        assert!(*range(Function::Cos, -0.1, 0.2).hi() == 1 && *range(Function::Cos, 3.0, 3.2).lo() == -1);
        for f in [Function::Sin, Function::Cos] {
            let all = enclosure(-1.0, 1.0);
            for (lo, hi) in [(0.0, 6.3), (-100.0, 100.0), (-INFINITY, 0.0), (1e300, INFINITY), (4.0, 10.25)] {
                assert!(range(f, lo, hi).contains_enclosure(&all) && all.contains_enclosure(&range(f, lo, hi)));
            }
            // 2π - 1.3 is the width of what lies between two zeros of the derivative, less a little on both sides
            assert!(!range(f, 0.3, 1.2).contains_enclosure(&all) && !range(f, 1e15, 1e15 + 0.5).is_point());
        }
        for (lo, hi) in [(1.5, 1.6), (-2.0, -1.0), (0.0, 3.2), (1e15, 1e15 + 4.0), (-INFINITY, 1.0)] {
            let tangent = c.apply_function(Function::Tan, &interval(c, lo, hi));
            assert!(is(c, &tangent, -INFINITY, INFINITY) && !c.is_defined(&tangent), "tan [{lo}, {hi}]");
        }
        let tangent = c.apply_function(Function::Tan, &interval(c, 1.6, 4.7));
        assert!(c.is_defined(&tangent) && c.is_bounded(&tangent));
    }
    in_both_tiers!(check);
}

#[test]
fn computed_numbers_overlap_where_they_are_equal() {
    fn check<C: Context>(c: &C) {
        let q = |n: i64, d: i64| c.enclose_rational(&Rational::from((n, d)));
        let overlap = |a: &C::Num, b: &C::Num| c.intersect(a, b).is_some();
        assert!(overlap(&c.add(&q(1, 10), &q(2, 10)), &q(3, 10)));
        let root = c.apply_function(Function::Sqrt, &c.enclose_integer(2));
        assert!(
            overlap(&c.square(&root), &c.enclose_integer(2)) && overlap(&c.mul(&root, &root), &c.enclose_integer(2))
        );
        assert!(overlap(&c.apply_function(Function::Log, &c.enclose_euler()), &c.enclose_integer(1)));
        assert!(c.contains_zero(&c.apply_function(Function::Sin, &c.pi())));
        assert!(c.intersect(&c.enclose_integer(1), &c.enclose_integer(2)).is_none());
    }
    in_both_tiers!(check);
    let (double, fine) = (Double, Mpfr::new(300));
    assert!(double.to_enclosure(&double.pi()).contains_enclosure(&fine.to_enclosure(&fine.pi())));
}

/// `erf x`, by its power series with 4,000 bits.
fn erf_by_series(x: &Float) -> Float {
    let square = Float::with_val(4000, -Float::with_val(4000, x.square_ref()));
    let (mut power, mut sum) = (Float::with_val(4000, x), Float::new(4000));
    for k in 0..1000_u32 {
        sum += Float::with_val(4000, &power / (2 * k + 1));
        power *= Float::with_val(4000, &square / (k + 1));
    }
    2 * sum / Float::with_val(4000, Constant::Pi).sqrt()
}

/// MPFR's sum for erf meets an exact 0 where x² rounds to 3, and a number below the least double where x² is nearer still; either ends
/// the process.
#[test]
fn the_error_function_has_values_at_the_root_of_three() {
    for bits in [53_u32, 64, 256, 1200] {
        for more in [0, 10, 11, 17, 18, 40, 200, 1000] {
            let root = Float::with_val(bits + more, 3).sqrt();
            let (mut below, mut above) = (root.clone(), root.clone());
            below.next_down();
            above.next_up();
            for x in [&root, &below, &above].into_iter().flat_map(|x| [x.clone(), -x.clone()]) {
                let erf = erf_by_series(&x);
                // the argument has more bits than the context
                let argument = Mpfr::new(bits + more).round_enclosure(&Enclosure::point(x).unwrap());
                let c = Mpfr::new(bits);
                for (f, truth) in [(Function::Erf, erf.clone()), (Function::Erfc, 1 - erf)] {
                    let found = c.to_enclosure(&c.apply_function(f, &argument));
                    assert!(*found.lo() <= truth && *found.hi() >= truth, "{f:?} {bits} {more}: {found:?}");
                    let narrow = Rational::from(1) >> (bits - 4);
                    assert!(found.is_defined() && found.has_width_at_most(&narrow), "{f:?} {bits} {more}: {found:?}");
                }
            }
        }
    }
}

#[test]
fn a_lower_bound_that_overflows_stays_finite() {
    fn check<C: Context>(c: &C) {
        let mut x = c.enclose_integer(10);
        for _ in 0..40 {
            x = c.square(&x);
        }
        let e = c.to_enclosure(&x);
        assert!(e.lo().is_finite() && e.hi().is_infinite() && e.is_defined());
        let e = c.to_enclosure(&c.apply_function(Function::Exp, &x));
        assert!(e.lo().is_finite() && e.hi().is_infinite() && e.is_defined());
        let e = c.to_enclosure(&c.apply_function(Function::Exp, &c.neg(&x)));
        assert!(*e.lo() == 0 && *e.hi() > 0 && e.hi().is_finite());
        let middle = c.to_enclosure(&c.midpoint(&x));
        assert!(middle.is_point() && c.contains(&x, &c.midpoint(&x)));
    }
    in_both_tiers!(check);
}

/// Every function at every scale takes a moment: huge angles, huge and tiny exponents.
#[test]
fn no_argument_takes_long() {
    let c = Mpfr::new(128);
    let start = std::time::Instant::now();
    for &f in Function::ALL {
        for exponent in [-(1 << 29), -100_000, -1000, 0, 1000, 60_000, 70_000, 1 << 29] {
            for mantissa in [-3, -1, 1, 3] {
                let x = Float::with_val(128, Float::i_exp(mantissa, exponent));
                let y = Float::with_val(128, &x + 1.5f64);
                for end in [&x, &y] {
                    let value = c.apply_function(f, &c.round_enclosure(&Enclosure::point(end.clone()).unwrap()));
                    let _ = c.to_enclosure(&value).to_string();
                }
                let (lo, hi) = if x <= y { (x, y) } else { (y, x) };
                if lo < hi {
                    let _ = c.apply_function(f, &c.round_enclosure(&Enclosure::new(lo, hi, true).unwrap()));
                }
            }
        }
    }
    assert!(start.elapsed().as_secs() < 20, "{:?}", start.elapsed());
}

#[test]
fn hulls_and_intersections_know_what_is_defined() {
    fn check<C: Context>(c: &C) {
        let (a, b) = (c.enclose_integer(1), c.mark_undefined(interval(c, 0.0, 2.0)));
        assert!(!c.is_defined(&c.hull(&a, &b)) && c.is_defined(&c.intersect(&a, &b).unwrap()));
        assert!(c.is_defined(&c.mark_defined(b.clone())) && !c.is_defined(&c.add(&a, &b)));
        assert!(is(c, &c.hull(&a, &b), 0.0, 2.0) && is(c, &c.intersect(&a, &b).unwrap(), 1.0, 1.0));
        assert!(c.lower(&c.bottom()).is_none() && c.upper(&c.bottom()).is_none());
        assert!(is(c, &c.midpoint(&c.bottom()), 0.0, 0.0) && c.is_defined(&c.midpoint(&c.bottom())));
        assert!(c.is_strictly_below(&a, &c.enclose_integer(2)) && !c.is_strictly_below(&a, &b));
    }
    in_both_tiers!(check);
}

// ---- magnitudes

#[test]
fn magnitudes_are_upper_bounds() {
    let values = [0.0, 5e-324, 1e-310, f64::MIN_POSITIVE, 0.1, 0.3, 1.0, 3.0, 1e16, 1e200, f64::MAX];
    let exact = |m: Magnitude| m.to_rational().unwrap();
    for x in values {
        let m = Magnitude::from_f64(-x);
        assert_eq!(exact(m), Rational::from_f64(x).unwrap());
        assert_eq!(m.to_f64(), x);
        assert_eq!(m, Magnitude::from_float(&end(x)));
        assert_eq!(m, Magnitude::from_rational(&Rational::from_f64(x).unwrap()));
        assert!(exact(m.half()) * 2 == exact(m));
        for n in [1, 3, 7, 1 << 53, u64::MAX] {
            assert!(exact(m.div_integer(n)) * n >= exact(m));
        }
        for y in values {
            let k = Magnitude::from_f64(y);
            assert!(exact(m + k) >= exact(m) + exact(k) && exact(m * k) >= exact(m) * exact(k));
            assert!(exact(m + k) <= (exact(m) + exact(k)) * Rational::from((1_000_001, 1_000_000)));
            assert!(exact(m * k) <= (exact(m) * exact(k)) * Rational::from((1_000_001, 1_000_000)));
            assert_eq!(m.cmp(&k), x.total_cmp(&y));
        }
    }
    let third = Rational::from((1, 3));
    assert!(exact(Magnitude::from_rational(&third)) >= third);
}

#[test]
fn magnitudes_reach_beyond_doubles() {
    let tiny = Magnitude::power_of_two(-16_609_640);
    assert!(tiny > Magnitude::ZERO && tiny < Magnitude::from_f64(5e-324) && tiny.to_f64() == 5e-324);
    assert_eq!(tiny.floor_log2(), -16_609_640);
    assert_eq!((tiny * tiny).floor_log2(), -33_219_280);
    assert_eq!(Magnitude::power_of_two(2000).to_f64(), INFINITY);
    let greatest = Magnitude::power_of_two(i64::MAX);
    assert_eq!(greatest * greatest, Magnitude::INFINITY);
    assert_eq!(greatest + greatest, Magnitude::INFINITY);
    assert!(Magnitude::power_of_two(i64::MIN).half() > Magnitude::ZERO);
    assert!(Magnitude::power_of_two(i64::MIN) * tiny > Magnitude::ZERO);
    assert!(greatest + tiny > greatest && Magnitude::INFINITY > greatest);
    assert_eq!(Magnitude::ZERO * Magnitude::INFINITY, Magnitude::INFINITY);
    assert_eq!(Magnitude::ONE.div_integer(0), Magnitude::INFINITY);
    assert_eq!(Magnitude::from_f64(f64::NAN), Magnitude::INFINITY);
    assert_eq!(Magnitude::from(3).to_string(), "3.00e0");
    assert_eq!(Magnitude::ZERO.to_string(), "0");
    assert_eq!(Magnitude::INFINITY.to_string(), "inf");
    assert_eq!(tiny.to_string(), "2^-16609639");
}

/// An end near the limit of MPFR is large if its exponent is: 2^1050000000 is, and 2^-1050000000 is near 0.
#[test]
fn what_is_near_zero_is_not_near_overflow() {
    use smoothish_number::number::{Enclosure, Float};
    let infinity = || Float::with_val(53, f64::INFINITY);
    for (exponent, is_large) in [(1_050_000_000i32, true), (999_999_000, false), (0, false), (-1_050_000_000, false)] {
        let end = Float::with_val(53, 1) << exponent;
        let above = Enclosure::new(end.clone(), infinity(), true).unwrap();
        let below = Enclosure::new(-infinity(), -end.clone(), true).unwrap();
        assert_eq!([above, below].map(|found| found.is_near_overflow()), [is_large; 2], "{exponent}");
        assert!(!Enclosure::new(end.clone(), end, true).unwrap().is_near_overflow());
    }
}
