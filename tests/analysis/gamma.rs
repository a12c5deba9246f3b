//! log |Γ| and its derivatives: values by mpmath and by MPFR, the equations that they satisfy, poles, least values, and jets.

use crate::containment::sample::Random;
use rug::Float;
use smoothish::function::SpecialId;
use smoothish::number::{Context, Double, Enclosure, Function, Mpfr, Rational, decimal};
use smoothish::smooth::algebra::{Algebra, AlgebraGenerator};
use smoothish::smooth::jet::{Jet, JetArithmetic};

const INFINITY: f64 = f64::INFINITY;

/// The derivative of log |Γ| of an order.
fn derivative(order: u64) -> Function {
    order.checked_sub(1).map_or(Function::LOG_GAMMA, |n| SpecialId::Gamma.member(n).unwrap())
}

fn rational(text: &str) -> Rational {
    decimal::parse(text).unwrap_or_else(|e| panic!("{text}: {e:?}"))
}

fn interval<C: Context>(c: &C, lo: f64, hi: f64) -> C::Num {
    c.round_enclosure(&Enclosure::new(Float::with_val(53, lo), Float::with_val(53, hi), true).unwrap())
}

/// Runs a check in both tiers.
macro_rules! in_both_tiers {
    ($check:ident) => {
        $check(&Double);
        $check(&Mpfr::new(64));
        $check(&Mpfr::new(128));
    };
}

/// The order, x, and the derivative of that order at x. Computed by mpmath 1.4 with 120 digits, for x < 0 by π cot πx and its
/// derivatives; 39 digits are right.
const VALUES: &[(u64, &str, &str)] = &[
    (0, "0.5", "0.5723649429247000870717136756765293558236"),
    (0, "2.75", "0.4752146669149371303131024663954288617422"),
    (0, "37.125", "96.16957626746485486167772918315818044329"),
    (0, "10000000000", "2.202585092888105814700419231234601265564e+11"),
    (0, "9.094947017729282379150390625e-13", "27.72588722239728740210027725654557894130"),
    (0, "-0.5", "1.265512123484645396488945797134705923899"),
    (0, "-2.75", "4.487897535955773311461610637941970272096e-3"),
    (0, "-1000000.0009765625", "-1.281551146667650531095405493730330952410e+7"),
    (0, "-4.9999999999990905052982270717620849609375", "22.93839547961731808742162511350094294655"),
    (0, "-3.000000000931322574615478515625", "19.00265594640045354202425417265750568828"),
    (1, "0.5", "-1.963510026021423479440976332998755567193"),
    (1, "2.75", "0.8189010249754325922778751419447240687347"),
    (1, "37.125", "3.600762125577928732384419918594894966696"),
    (1, "10000000000", "23.02585092989045684017908121351030874268"),
    (1, "9.094947017729282379150390625e-13", "-1.099511627776577215664900036801787948827e+12"),
    (1, "-0.5", "0.03648997397857652055902366700124443280684"),
    (1, "-2.75", "-1.959055264977997009821131877698415179099"),
    (1, "-1000000.0009765625", "1037.812298295075453911419934168697036826"),
    (1, "-4.9999999999990905052982270717620849609375", "-1.099511627774293882331565372321903602968e+12"),
    (1, "-3.000000000931322574615478515625", "1.073741825256117665632202738144575004692e+9"),
    (2, "0.5", "4.934802200544679309417245499938075567657"),
    (2, "2.75", "0.4375712576489307614362116332515453693019"),
    (2, "37.125", "0.02730205847418746759243864421546934582987"),
    (2, "10000000000", "1.000000000050000000001666666666666666667e-10"),
    (2, "9.094947017729282379150390625e-13", "1.208925819614629174706177644934066846040e+24"),
    (2, "-0.5", "8.934802200544679309417245499938075567657"),
    (2, "-2.75", "19.43386894948846416218318358964125276909"),
    (2, "-1000000.0009765625", "1.048579289873326809426783209900451553385e+6"),
    (2, "-4.9999999999990905052982270717620849609375", "1.208925819614629174706179108545177959308e+24"),
    (2, "-3.000000000931322574615478515625", "1.152921504606846979006045178033880362703e+18"),
    (3, "0.5", "-16.82879664423431999559633426116029987071"),
    (3, "2.75", "-0.1887146330313012230534822046830910781727"),
    (3, "37.125", "-7.453561167036481039367478915681166968602e-4"),
    (3, "10000000000", "-1.000000000100000000005000000000000000000e-20"),
    (3, "9.094947017729282379150390625e-13", "-2.658455991569831745807614120560689154404e+36"),
    (3, "-0.5", "-0.8287966442343199955963342611602998707098"),
    (3, "-2.75", "-124.1176530597151799715402601289864930742"),
    (3, "-1000000.0009765625", "2.147483647987316486704890298829452778948e+9"),
    (3, "-4.9999999999990905052982270717620849609375", "-2.658455991569831745807614120560689152033e+36"),
    (3, "-3.000000000931322574615478515625", "2.475880078570760549798248447919960255701e+27"),
    (6, "0.5", "7691.113548602435496241755549219359190938"),
    (6, "2.75", "0.3368086815502771948918181188063823672710"),
    (6, "37.125", "3.638468950430985860533167248394506518616e-7"),
    (6, "10000000000", "2.400000000600000000059999999999999999999e-49"),
    (6, "9.094947017729282379150390625e-13", "2.120216477734061195499957000891502218993e+74"),
    (6, "-0.5", "15371.11354860243549624175554921935919094"),
    (6, "-2.75", "492231.2077521004215149605038820338951109"),
    (6, "-1000000.0009765625", "1.383505805528216373641671610202412704185e+20"),
    (6, "-4.9999999999990905052982270717620849609375", "2.120216477734061195499957000891502218993e+74"),
    (6, "-3.000000000931322574615478515625", "1.838994649039066630030016432580371020342e+56"),
    (9, "0.5", "-2.064489996176004142640251788793538653646e+7"),
    (9, "2.75", "-4.798136583819957391948908815066976252227"),
    (9, "37.125", "-1.553243017405612607309101445502952960698e-9"),
    (9, "10000000000", "-5.040000002016000000302399999999999999994e-77"),
    (9, "9.094947017729282379150390625e-13", "-9.469323693744095574850385766254606894379e+112"),
    (9, "-0.5", "-1059.961760041426402517887935386536456390"),
    (9, "-2.75", "-1.056911425998226366272945987059014977724e+10"),
    (9, "-1000000.0009765625", "4.991374238398653268393268871097053269993e+31"),
    (9, "-4.9999999999990905052982270717620849609375", "-9.469323693744095574850385766254606894379e+112"),
    (9, "-3.000000000931322574615478515625", "7.649258763138808216745381258117605694904e+85"),
    (51, "0.5", "-6.848644940502395249649289758994340760892e+79"),
    (51, "2.75", "-1.194283812258517965189692330404257857755e+42"),
    (51, "37.125", "-3.643298679628965719936294608627545776956e-16"),
    (51, "10000000000", "-6.082818655549722222505200265747443514506e-438"),
    (51, "9.094947017729282379150390625e-13", "-3.839423572864023714326962188246182450865e+678"),
    (51, "-0.5", "-3.179952703565868200585250885190819231606e+55"),
    (51, "-2.75", "-1.542177740101970999740173001368413733661e+95"),
    (51, "-1000000.0009765625", "1.019465800029864656391581843355697137777e+218"),
    (51, "-4.9999999999990905052982270717620849609375", "-3.839423572864023714326962188246182450865e+678"),
    (51, "-3.000000000931322574615478515625", "1.145429168712878915310094352035510430618e+525"),
];

#[test]
fn values_are_enclosed_and_narrow() {
    fn check<C: Context>(c: &C) {
        for (order, x, y) in VALUES {
            let (x, y) = (c.enclose_rational(&rational(x)), rational(y));
            assert!(c.is_point(&x));
            let value = c.to_enclosure(&c.apply_function(derivative(*order), &x));
            let error = Rational::from(y.abs_ref()) * rational("1e-38");
            let (least, greatest) = (Rational::from(&y - &error), Rational::from(&y + &error));
            assert!(value.is_defined() && *value.lo() <= greatest && *value.hi() >= least, "{order} {x:?}: {value:?}");
            // doubles lose what cancels; nothing else does
            let places = if c.precision() == 53 { 40 } else { c.precision() - 2 };
            let width = Rational::from(y.abs_ref()) >> places;
            // and so small a number leaves their range on the way
            let lost = c.precision() == 53 && value.has_width_at_most(&rational("1e-200"));
            assert!(value.has_width_at_most(&width) || lost || !value.is_bounded(), "{order} {x:?}: {value:?}");
        }
    }
    in_both_tiers!(check);
}

/// Where the logarithm, and the derivatives of order 2 and 4, are least between their poles, with the least value: by bisection of
/// the slope, in mpmath.
const LEAST: &[(u64, f64, f64, &str)] = &[
    (0, 1.0, 2.0, "-0.1214862905358496080955145571776915821514"),
    (0, 1e-3, 1e300, "-0.1214862905358496080955145571776915821514"),
    (0, -0.99, -0.001, "1.265437622110865613382035911165473992185"),
    (0, -1.75, -1.25, "0.833955209656282147500907786165651459369"),
    (0, -4.75, -4.5, "-2.941629776514597523419836270015194799721"),
    (2, -0.75, -0.125, "8.933026591184719840730602614884750421371"),
    (2, -2.75, -2.25, "9.539216585370537960819600198731124223355"),
    (4, -1.625, -1.25, "194.5942730191786464094207952315346504819"),
];

#[test]
fn least_values_between_poles_are_found() {
    fn check<C: Context>(c: &C) {
        for (order, lo, hi, least) in LEAST {
            let value = c.to_enclosure(&c.apply_function(derivative(*order), &interval(c, *lo, *hi)));
            let least = rational(least);
            let places = if c.precision() == 53 { 42 } else { c.precision() - 8 };
            let below = &least - (Rational::from(least.abs_ref()) >> places);
            let above = &least + rational("1e-36");
            assert!(value.is_defined() && *value.lo() <= above && *value.lo() >= below, "{order} {lo} {hi}: {value:?}");
            for end in [lo, hi] {
                let end = c.to_enclosure(&c.apply_function(derivative(*order), &interval(c, *end, *end)));
                assert!(value.contains_enclosure(&end), "{order} {lo} {hi}: {value:?}");
            }
        }
        // the branch above 0 has its least value where the bounds in the source say
        let sign = |x: f64| c.sign(&c.apply_function(Function::DIGAMMA, &interval(c, x, x)));
        assert_ne!(sign(1.461_632_144_968_36), sign(1.461_632_144_968_37));
    }
    in_both_tiers!(check);
}

#[test]
fn boxes_that_meet_a_pole_have_no_value() {
    fn check<C: Context>(c: &C) {
        for order in [0, 1, 2, 3, 6, 50] {
            let at = |lo, hi| c.apply_function(derivative(order), &interval(c, lo, hi));
            for (lo, hi) in [
                (0.0, 0.0),
                (-3.0, -3.0),
                (0.0, 1.0),
                (-1.0, -0.5),
                (-0.5, 0.0),
                (-0.5, 0.5),
                (-2.5, -1.5),
                (-INFINITY, -0.5),
                (-INFINITY, INFINITY),
                (-1e300, -1e300),
                (-1e16, -1e16),
            ] {
                let value = c.to_enclosure(&at(lo, hi));
                assert!(value.is_bottom() && !value.is_defined(), "{order} [{lo}, {hi}]: {value:?}");
            }
            for (lo, hi) in [(5e-324, 1.0), (-0.75, -0.25), (-1e15 - 0.75, -1e15 - 0.25), (1.0, INFINITY)] {
                assert!(c.is_defined(&at(lo, hi)), "{order} [{lo}, {hi}]");
            }
        }
        let beyond = c.to_enclosure(&c.apply_function(Function::DIGAMMA, &interval(c, 1.0, INFINITY)));
        assert!(*beyond.lo() > -0.5773 && *beyond.lo() < -0.5772 && beyond.hi().is_infinite());
        let second = c.to_enclosure(&c.apply_function(derivative(3), &interval(c, 1.0, INFINITY)));
        assert!(*second.lo() > -2.41 && *second.lo() < -2.40 && *second.hi() >= 0 && *second.hi() < 1e-300);
        assert!(c.is_point(&c.apply_function(Function::LOG_GAMMA, &c.enclose_integer(1))));
        assert!(c.is_point(&c.apply_function(Function::LOG_GAMMA, &c.enclose_integer(2))));
    }
    in_both_tiers!(check);
}

/// Points of all sizes and signs, near poles among them, with 40 bits.
fn point(random: &mut Random) -> Float {
    let mantissa = i64::try_from(random.below(1 << 40)).unwrap() + 1;
    let sign = if random.below(2) == 0 { 1 } else { -1 };
    let fraction = Float::with_val(53, Float::i_exp(1, -40)) * (sign * mantissa);
    match random.below(4) {
        0 => fraction,
        1 => fraction << random.below(12) as u32,
        2 => Float::with_val(53, (fraction >> (random.below(10) as u32)) >> 4_u32) + 4 * (sign as i32),
        _ => Float::with_val(53, fraction.abs() << random.below(60) as u32),
    }
}

/// MPFR has two of the functions, by other means.
#[test]
fn values_of_mpfr_lie_in_the_bounds() {
    fn check<C: Context>(c: &C) {
        let mut random = Random::new(73);
        for _ in 0..1500 {
            let x = point(&mut random);
            let at = c.round_enclosure(&Enclosure::point(x.clone()).unwrap());
            for (f, exact) in [
                (Function::LOG_GAMMA, Float::with_val(300, &x).ln_abs_gamma().0),
                (Function::DIGAMMA, Float::with_val(300, x.digamma_ref())),
            ] {
                let bounds = c.to_enclosure(&c.apply_function(f, &at));
                assert!(bounds.is_defined() == exact.is_finite(), "{f} {x}: {bounds:?}");
                let [below, above] = {
                    let mut ends = [exact.clone(), exact.clone()];
                    ends[0].next_down();
                    ends[1].next_up();
                    ends
                };
                assert!(!exact.is_finite() || (*bounds.lo() <= above && *bounds.hi() >= below), "{f} {x}: {bounds:?}");
            }
        }
    }
    in_both_tiers!(check);
}

/// The derivative of log Γ of an order at 3/2, by mpmath.
const AT_THREE_HALVES: &[(usize, &str)] = &[
    (1, "0.03648997397857652055902366700124443280684"),
    (2, "0.9348022005446793094172454999380755676568"),
    (3, "-0.8287966442343199955963342611602998707098"),
    (5, "-3.474249826667225190535921924033421034468"),
    (10, "6332.385097427223707826653759963483640688"),
    (15, "-199179648.1470833807159097089043686102054"),
    (20, "36583507131115.95679555294447768727076973"),
];

#[test]
fn jets_have_all_derivatives() {
    let c = Mpfr::new(200);
    let line = Algebra::real().adjoin(AlgebraGenerator::Direction(20)).expect("a small algebra");
    let jets = JetArithmetic { context: &c, algebra: &line, budget: None };
    let x = |x: &str| Jet::new([Some(c.enclose_rational(&rational(x))), Some(c.enclose_integer(1))]);
    let found = jets.apply_function(Function::LOG_GAMMA, &x("1.5"));
    for (order, expected) in AT_THREE_HALVES {
        let factorial = (1..=*order as i64).fold(c.enclose_integer(1), |p, k| c.mul_integer(&p, k));
        let found = c.to_enclosure(&c.mul(found.get(*order).unwrap(), &factorial));
        let (expected, error) = (rational(expected), rational(expected).abs() * rational("1e-38"));
        let narrow = found.has_width_at_most(&(expected.clone().abs() >> 180));
        let (least, greatest) = (Rational::from(&expected - &error), Rational::from(&expected + &error));
        assert!(found.is_defined() && narrow && *found.lo() <= greatest && *found.hi() >= least, "{order}: {found:?}");
    }
    // lgamma (x + 1) = lgamma x + log |x|, in every order, also where x is a jet with a second derivative
    for at in ["0.75", "-0.625", "-7.5"] {
        let square = jets.multiply(&x(at), &x(at));
        for x in [x(at), jets.add(&x("0.125"), &square)] {
            let one = Jet::constant(c.enclose_integer(1));
            let size = if at.starts_with('-') && x.get(2).is_none() { jets.negate(&x) } else { x.clone() };
            let left = jets.apply_function(Function::LOG_GAMMA, &jets.add(&x, &one));
            let right =
                jets.add(&jets.apply_function(Function::LOG_GAMMA, &x), &jets.apply_function(Function::Log, &size));
            for order in 0..=20 {
                let [left, right] = [&left, &right].map(|jet| c.to_enclosure(jet.get(order).unwrap()));
                assert!(left.is_defined() && left.overlaps(&right), "{order} at {at}: {left:?} {right:?}");
            }
        }
    }
}

/// Tests that take more than half a second: `cargo quick` passes them over.
mod slow {
    use super::*;

    /// Both sides of the recurrence and of the duplication formula overlap, at points and on boxes.
    #[test]
    fn recurrence_and_duplication_hold() {
        fn check<C: Context>(c: &C) {
            let mut random = Random::new(19);
            let half = c.enclose_rational(&Rational::from((1, 2)));
            for round in 0..300 {
                let x = point(&mut random);
                let point = c.round_enclosure(&Enclosure::point(x).unwrap());
                let small = c.div(&c.hull(&c.enclose_integer(0), &c.enclose_integer(1)), &c.enclose_integer(1 << 20));
                let x = if round % 3 == 0 { c.add(&point, &small) } else { point };
                for order in [0_u32, 1, 2, 3, 4, 7, 12] {
                    let f = |x: &C::Num| c.apply_function(derivative(order.into()), x);
                    let next = f(&c.add(&x, &c.enclose_integer(1)));
                    let rise = match order {
                        0 => c.apply_function(Function::Log, &c.abs(&x)),
                        _ => {
                            let factorial =
                                (1..i64::from(order)).fold(c.enclose_integer(1), |p, k| c.mul_integer(&p, k));
                            let rise = c.div(&factorial, &c.power(&x, order));
                            if order % 2 == 0 { c.neg(&rise) } else { rise }
                        }
                    };
                    assert!(c.intersect(&next, &c.add(&f(&x), &rise)).is_some(), "{order} {x:?}");
                    let twice = f(&c.mul_integer(&x, 2));
                    let sum = c.add(&f(&x), &f(&c.add(&x, &half)));
                    let log = c.apply_function(Function::Log, &c.enclose_integer(2));
                    let duplicated = match order {
                        0 => {
                            let less = c.div_integer(&c.apply_function(Function::Log, &c.pi()), 2);
                            let more = c.mul(&log, &c.sub(&c.mul_integer(&x, 2), &c.enclose_integer(1)));
                            c.sub(&c.add(&sum, &more), &less)
                        }
                        1 => c.add(&c.div_integer(&sum, 2), &log),
                        _ => c.div_integer(&sum, 1 << order),
                    };
                    assert!(c.intersect(&twice, &duplicated).is_some(), "{order} {x:?}");
                }
            }
        }
        in_both_tiers!(check);
    }

    /// Huge, tiny and far arguments, and those beside a zero, take a moment each.
    #[test]
    fn no_argument_takes_long() {
        let start = std::time::Instant::now();
        for bits in [128, 1000, 4000].into_iter().take(crate::in_tiers(2, 3)) {
            for order in [0, 1, 4, 51, 1000] {
                let (c, f) = (Mpfr::new(bits), derivative(order));
                for x in ["1e300", "-1e15", "1e-300", "2.3", "-1000000.3", "1.0000000001", "-0.3"] {
                    let value = c.apply_function(f, &c.enclose_rational(&rational(x)));
                    assert!(c.is_bounded(&value) || !c.is_defined(&value), "{f} {x}");
                }
            }
        }
        // beyond a precision bounds are no narrower, so that nothing takes for ever
        let c = Mpfr::new(1 << 20);
        let value = c.to_enclosure(&c.apply_function(Function::DIGAMMA, &c.enclose_rational(&rational("2.5"))));
        assert!(
            value.has_width_at_most(&(Rational::from(1) >> 8_000))
                && !value.has_width_at_most(&(Rational::from(1) >> 9_000))
        );
        assert!(start.elapsed().as_secs() < 120, "{:?}", start.elapsed());
    }
}
