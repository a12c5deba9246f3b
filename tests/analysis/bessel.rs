//! The Bessel functions J₀ and J₁ with their derivatives: values by their integral in mpmath, images of intervals against their power
//! series, their differential equation, their integral in the language, and jets at 0.

use crate::containment::sample::Random;
use crate::ends::{ask_within, number};
use rug::{Float, Integer};
use smoothish::function::SpecialId;
use smoothish::number::{Context, Double, Enclosure, Function, Mpfr, Rational};
use smoothish::smooth::algebra::{Algebra, AlgebraGenerator};
use smoothish::smooth::jet::{Jet, JetArithmetic};

/// The derivative of Jₙ of an order, for n = 0 or 1.
fn derivative(n: u32, order: u16) -> Function {
    Function::Special([SpecialId::BesselJ0, SpecialId::BesselJ1][n as usize], order)
}

/// Runs a check in both tiers.
macro_rules! in_both_tiers {
    ($check:ident) => {
        $check(&Double);
        $check(&Mpfr::new(64));
        $check(&Mpfr::new(200));
    };
}

/// n, the order of the derivative, x, and the value: `(1/2π) ∫ sinᵏ τ cos (nτ - x sin τ - kπ/2) dτ` over a period, by the trapezoidal
/// rule with 400 nodes and 60 digits in mpmath 1.4, whose error is far below the digits given. Of order up to 3 equal to
/// `mpmath.besselj` to 35 digits.
const VALUES: &[(u32, u16, &str, &str)] = &[
    (0, 0, "0", "1.0"),
    (0, 0, "0.5", "0.9384698072408129042284046735997126255689"),
    (0, 0, "-0.75", "0.8642422751666486235557311038209232106109"),
    (0, 0, "2.404825557695773", "-1.20119500736768612312549988108773073521e-16"),
    (0, 0, "3.8317059702075125", "-0.402759395702552972096002186427158356454"),
    (0, 0, "-7.5", "0.2663396578803783968660494372610748572944"),
    (0, 0, "20.25", "0.1454213938736776199419148278259122328899"),
    (0, 0, "100.5", "0.05443657381441359098961863479632061625369"),
    (0, 0, "1e-6", "0.9999999999997500000000000156249999999996"),
    (0, 1, "0", "0.0"),
    (0, 1, "0.5", "-0.2422684576748738863839545761415316408006"),
    (0, 1, "-0.75", "0.3492436021748621925232810164262513354762"),
    (0, 1, "2.404825557695773", "-0.5191474972894667381908413019736303774091"),
    (0, 1, "3.8317059702075125", "7.426301837870486067896214017196800901343e-17"),
    (0, 1, "-7.5", "0.1352484275797055051822404935552646289424"),
    (0, 1, "20.25", "-0.1050149686495336030935849561221320698965"),
    (0, 1, "100.5", "0.05779112399693202059303404971584560906147"),
    (0, 1, "1e-6", "-0.0000004999999999999375000000000026041666666666"),
    (0, 2, "0", "-0.5"),
    (0, 2, "0.5", "-0.4539328918910651314604955213166493439677"),
    (0, 2, "-0.75", "-0.3985841389334990335246897485859214299761"),
    (0, 2, "2.404825557695773", "0.2158774035098402600621707232408573149393"),
    (0, 2, "3.8317059702075125", "0.4027593957025529527148129834667282651851"),
    (0, 2, "-7.5", "-0.2483065342030843295084173714537062401021"),
    (0, 2, "20.25", "-0.1402354694959228741101328546840785504258"),
    (0, 2, "100.5", "-0.05501160987408455636865379947011012480156"),
    (0, 2, "1e-6", "-0.499999999999812500000000013020833333333"),
    (0, 3, "0", "0.0"),
    (0, 3, "0.5", "0.1810604107575086037691273142087037655335"),
    (0, 3, "-0.75", "-0.2598116057753281171814788742274775345977"),
    (0, 3, "2.404825557695773", "0.3396106466276773405454238488751155566379"),
    (0, 3, "3.8317059702075125", "-0.1051122917139545296199704693134828883572"),
    (0, 3, "-7.5", "-0.165951548983144206802345200974776311997"),
    (0, 3, "20.25", "0.1116840819887023995517751231118725572032"),
    (0, 3, "100.5", "-0.05723802304236728903335555256018491619232"),
    (0, 3, "1e-6", "0.0000003749999999999479166666666689453125"),
    (0, 7, "0", "0.0"),
    (0, 7, "0.5", "0.1316502195642043136314303942617967146539"),
    (0, 7, "-0.75", "-0.1882152557826967570649354347831440475409"),
    (0, 7, "2.404825557695773", "0.2203951313544958745531767090235044714318"),
    (0, 7, "3.8317059702075125", "-0.1257582893184868432161102571208815451976"),
    (0, 7, "-7.5", "-0.1852209459467649552762390673121253791123"),
    (0, 7, "20.25", "0.1219584927096275877557256744495646511609"),
    (0, 7, "100.5", "-0.05608316721639163802837916465935539237689"),
    (0, 7, "1e-6", "0.0000002734374999999589843750000018798828125"),
    (0, 12, "0", "0.2255859375"),
    (0, 12, "0.5", "0.1999092553767180369709390497308676369829"),
    (0, 12, "-0.75", "0.1692153431571328533139791908633734012675"),
    (0, 12, "2.404825557695773", "-0.1516812513757696305776314148295043076462"),
    (0, 12, "3.8317059702075125", "-0.189021239113547626207000229166620592801"),
    (0, 12, "-7.5", "0.1222441066722807782708462397229478336319"),
    (0, 12, "20.25", "0.1048585287085567202156455182833524539912"),
    (0, 12, "100.5", "0.05762364395982185830200727571129817983332"),
    (0, 12, "1e-6", "0.2255859374998952636718750081825256347654"),
    (1, 0, "0", "0.0"),
    (1, 0, "0.5", "0.2422684576748738863839545761415316408006"),
    (1, 0, "-0.75", "-0.3492436021748621925232810164262513354762"),
    (1, 0, "2.404825557695773", "0.5191474972894667381908413019736303774091"),
    (1, 0, "3.8317059702075125", "-7.426301837870486067896214017196800901343e-17"),
    (1, 0, "-7.5", "-0.1352484275797055051822404935552646289424"),
    (1, 0, "20.25", "0.1050149686495336030935849561221320698965"),
    (1, 0, "100.5", "-0.05779112399693202059303404971584560906147"),
    (1, 0, "1e-6", "0.0000004999999999999375000000000026041666666666"),
    (1, 1, "0", "0.5"),
    (1, 1, "0.5", "0.4539328918910651314604955213166493439677"),
    (1, 1, "-0.75", "0.3985841389334990335246897485859214299761"),
    (1, 1, "2.404825557695773", "-0.2158774035098402600621707232408573149393"),
    (1, 1, "3.8317059702075125", "-0.4027593957025529527148129834667282651851"),
    (1, 1, "-7.5", "0.2483065342030843295084173714537062401021"),
    (1, 1, "20.25", "0.1402354694959228741101328546840785504258"),
    (1, 1, "100.5", "0.05501160987408455636865379947011012480156"),
    (1, 1, "1e-6", "0.499999999999812500000000013020833333333"),
    (1, 2, "0", "0.0"),
    (1, 2, "0.5", "-0.1810604107575086037691273142087037655335"),
    (1, 2, "-0.75", "0.2598116057753281171814788742274775345977"),
    (1, 2, "2.404825557695773", "-0.3396106466276773405454238488751155566379"),
    (1, 2, "3.8317059702075125", "0.1051122917139545296199704693134828883572"),
    (1, 2, "-7.5", "0.165951548983144206802345200974776311997"),
    (1, 2, "20.25", "-0.1116840819887023995517751231118725572032"),
    (1, 2, "100.5", "0.05723802304236728903335555256018491619232"),
    (1, 2, "1e-6", "-0.0000003749999999999479166666666689453125"),
    (1, 3, "0", "-0.375"),
    (1, 3, "0.5", "-0.3366442580455090543815499406305533139695"),
    (1, 3, "-0.75", "-0.2906539882984857448608569621460148528548"),
    (1, 3, "2.404825557695773", "0.2077840702393179974048548391573593449083"),
    (1, 3, "3.8317059702075125", "0.3204626647963488318485918814599175492999"),
    (1, 3, "-7.5", "-0.2179921619644147815027434226785329496879"),
    (1, 3, "20.25", "-0.1340615283271801584326930790252462772497"),
    (1, 3, "100.5", "-0.0555701354574998581190418448258202096817"),
    (1, 3, "1e-6", "-0.3749999999998437500000000113932291666663"),
    (1, 7, "0", "-0.2734375"),
    (1, 7, "0.5", "-0.2432587177570979938116503573414978600492"),
    (1, 7, "-0.75", "-0.2071463708616294670101784707110453002203"),
    (1, 7, "2.404825557695773", "0.1749414759569893786190702154206128658614"),
    (1, 7, "3.8317059702075125", "0.2328918545391901877248830686884246580555"),
    (1, 7, "-7.5", "-0.1580122947628352924462299218611203696868"),
    (1, 7, "20.25", "-0.1197611147672651684046936657989699329668"),
    (1, 7, "100.5", "-0.05663443062545606716110256442753863730625"),
    (1, 7, "1e-6", "-0.2734374999998769531250000093994140624997"),
    (1, 12, "0", "0.0"),
    (1, 12, "0.5", "0.1006930927184580301254590464447876450053"),
    (1, 12, "-0.75", "-0.14365862356723161005742261430210626238"),
    (1, 12, "2.404825557695773", "0.1577860628244899607112522839939907475967"),
    (1, 12, "3.8317059702075125", "-0.1131495753532402048427978327126435400833"),
    (1, 12, "-7.5", "-0.1691051575103981477577223346622448142249"),
    (1, 12, "20.25", "0.1286911238213863802872629548075166320594"),
    (1, 12, "100.5", "-0.05424305529747969957785291053386552201474"),
    (1, 12, "1e-6", "0.0000002094726562499672698974609390455881754557"),
];

#[test]
fn values_are_enclosed_and_narrow() {
    fn check<C: Context>(c: &C) {
        for (n, order, x, y) in VALUES {
            let (x, y) = (number(x), number(y));
            let argument = c.enclose_rational(&x);
            let value = c.to_enclosure(&c.apply_function(derivative(*n, *order), &argument));
            let error = Rational::from(y.abs_ref()) * number("1e-38") + number("1e-50");
            let (least, greatest) = (Rational::from(&y - &error), Rational::from(&y + &error));
            assert!(
                value.is_defined() && *value.lo() <= greatest && *value.hi() >= least,
                "{n} {order} {x}: {value:?}"
            );
            // slopes are at most 1, so that the width of the argument counts once
            let width = (x.abs() + Rational::from(2)) >> (c.precision().min(120) - 3);
            assert!(value.has_width_at_most(&width), "{n} {order}: {value:?}");
        }
        // far out, for J₀ 10⁸ and J₁ 10⁸ by mpmath
        for (n, y) in [(0, "0.0000320602953404120780371696255176"), (1, "0.0000730639118155185485925666729234")] {
            let value = c.to_enclosure(&c.apply_function(derivative(n, 0), &c.enclose_integer(100_000_000)));
            let (least, greatest) = (number(y) - number("1e-32"), number(y) + number("1e-32"));
            assert!(*value.lo() <= greatest && *value.hi() >= least && value.has_width_at_most(&number("1e-17")));
        }
    }
    in_both_tiers!(check);
}

/// Jₙ⁽ᵏ⁾(x) to about 2⁻²⁰⁰ by the power series, `Jₙ(x) = Σ (-1)ᵐ (x/2)²ᵐ⁺ⁿ/(m! (m + n)!)`, derived term by term.
fn by_power_series(n: u32, order: u16, x: &Float) -> Float {
    const BITS: u32 = 640;
    let order = u32::from(order);
    // the first m whose power xᵖ, p = 2m + n, has a derivative of this order other than 0
    let first = (order.saturating_sub(n)).div_ceil(2);
    let power = 2 * first + n;
    let falling = (power - order + 1..=power).fold(Integer::from(1), |product, k| product * k);
    let below = (Integer::from(Integer::factorial(first)) * Integer::from(Integer::factorial(first + n))) << power;
    let mut term = Float::with_val(BITS, rug::ops::Pow::pow(Float::with_val(BITS, x), power - order)) * falling / below;
    if first % 2 == 1 {
        term = -term;
    }
    let square = Float::with_val(BITS, x * x);
    let mut sum = Float::with_val(BITS, 0);
    // from term to term: -x²/4 over (m+1)(m+n+1), and the two factors that the derivatives take from the power
    for m in u64::from(first)..400 {
        sum += &term;
        let (n, order) = (u64::from(n), u64::from(order));
        let power = 2 * m + n;
        let rest = power - order;
        term *= &square;
        term *= -Float::with_val(BITS, (power + 1) * (power + 2));
        term /= Float::with_val(BITS, 4 * (m + 1) * (m + n + 1) * (rest + 1) * (rest + 2));
    }
    sum
}

/// At 0 and at infinity all is exact or bounded by the range; a huge order or argument takes no time.
#[test]
fn edges_are_met() {
    fn check<C: Context>(c: &C) {
        let zero = c.enclose_integer(0);
        for (n, order, y) in
            [(0, 0, (1, 1)), (0, 1, (0, 1)), (0, 2, (-1, 2)), (0, 4, (3, 8)), (1, 1, (1, 2)), (1, 3, (-3, 8))]
        {
            let value = c.to_enclosure(&c.apply_function(derivative(n, order), &zero));
            let y = Rational::from(y);
            assert!(*value.lo() == y && *value.hi() == y && value.is_defined(), "{n} {order}: {value:?}");
        }
        for n in [0, 1] {
            for order in [0, 1, 5, 1000, 5000, u16::MAX] {
                for x in ["1e300", "-1e15", "1e-300", "4095", "5000.5"] {
                    let f = derivative(n, order);
                    let value = c.to_enclosure(&c.apply_function(f, &c.enclose_rational(&number(x))));
                    assert!(value.is_defined() && *value.lo() >= -1 && *value.hi() <= 1, "{f} {x}: {value:?}");
                }
                let line = c.round_enclosure(
                    &Enclosure::new(Float::with_val(53, 3), Float::with_val(53, f64::INFINITY), true).unwrap(),
                );
                let value = c.to_enclosure(&c.apply_function(derivative(n, order), &line));
                assert!(value.is_defined() && value.is_bounded());
            }
        }
    }
    in_both_tiers!(check);
}

/// x² y″ + x y′ + (x² - n²) y = 0, and 2 Jₙ′ = Jₙ₋₁ - Jₙ₊₁ as J₀′ = -J₁, at points and on boxes.
#[test]
fn the_differential_equation_holds() {
    fn check<C: Context>(c: &C) {
        let mut random = Random::new(31);
        for round in 0..200 {
            let x = c.enclose_rational(&Rational::from_f64(60.0 * random.unit() - 30.0).unwrap());
            let small =
                c.div(&c.hull(&c.enclose_integer(0), &c.enclose_integer(1)), &c.enclose_integer(1 << (round % 25)));
            let x = if round % 3 == 0 { c.add(&x, &small) } else { x };
            for n in [0, 1] {
                let y = |order| c.apply_function(derivative(n, order), &x);
                let square = c.square(&x);
                let factor = c.sub(&square, &c.enclose_integer(n.into()));
                let sum = c.add(&c.add(&c.mul(&square, &y(2)), &c.mul(&x, &y(1))), &c.mul(&factor, &y(0)));
                let sum = c.to_enclosure(&sum);
                assert!(sum.is_defined() && *sum.lo() <= 0 && *sum.hi() >= 0, "{n} {x:?}: {sum:?}");
                let narrow = Rational::from(1) >> (c.precision() / 2);
                assert!(round % 3 == 0 || sum.has_width_at_most(&narrow), "{n} {x:?}: {sum:?}");
            }
            for order in 0..5 {
                let [left, right] = [derivative(0, order + 1), derivative(1, order)].map(|f| c.apply_function(f, &x));
                assert!(c.intersect(&left, &c.neg(&right)).is_some());
            }
        }
    }
    in_both_tiers!(check);
}

#[test]
fn jets_have_all_derivatives() {
    let c = Mpfr::new(200);
    let line = Algebra::real().adjoin(AlgebraGenerator::Direction(12)).expect("a small algebra");
    let jets = JetArithmetic { context: &c, algebra: &line, budget: None };
    for n in [0, 1] {
        let found =
            jets.apply_function(derivative(n, 0), &Jet::new([Some(c.enclose_integer(0)), Some(c.enclose_integer(1))]));
        for power in 0..=12_u32 {
            // the coefficients of the power series at 0, exactly
            let expected = match power.checked_sub(n) {
                Some(twice) if twice % 2 == 0 => {
                    let m = twice / 2;
                    let below =
                        (Integer::from(Integer::factorial(m)) * Integer::from(Integer::factorial(m + n))) << power;
                    Rational::from((if m % 2 == 0 { 1 } else { -1 }, below))
                }
                _ => Rational::new(),
            };
            let found = found.get(power as usize).map_or_else(|| c.enclose_integer(0), Clone::clone);
            let found = c.to_enclosure(&found);
            assert!(found.is_defined() && *found.lo() <= expected && *found.hi() >= expected, "{n} {power}: {found:?}");
            assert!(found.has_width_at_most(&(Rational::from(1) >> 180)), "{n} {power}: {found:?}");
        }
    }
}

/// The integral of Bessel, computed by the library itself, and values of programs with closed forms or by mpmath.
#[test]
fn programs_agree_with_the_integral() {
    let eps = "1e-12";
    for x in ["0", "0.75", "-3", "7.5"] {
        for n in [0, 1] {
            let integral = format!(r"integral01 (\t => cos ({n} * pi * t - {x} * sin (pi * t)))");
            let [named, integral] =
                [format!("besselJ{n} ({x})"), integral].map(|program| ask_within(4_000_000_000, &program, eps));
            assert!(named.enclosure.overlaps(&integral.enclosure), "{n} {x}");
            for found in [named, integral] {
                assert!(found.enclosure.has_width_at_most(&number("1e-11")), "{n} {x}: {found:?}");
            }
        }
    }
    for (program, value) in [
        // the slope of J₁ at 0, and those after it
        ("deriv besselJ1 0", "0.5"),
        ("deriv (deriv besselJ1) 0", "0"),
        ("deriv (deriv (deriv besselJ1)) 0", "-0.375"),
        ("deriv besselJ0 0.5", "-0.2422684576748738863839545761415316408006"),
        ("deriv (besselJ0Derivative 2) 0", "0"),
        // ∫₀¹ J₁ = 1 - J₀(1); ∫₀¹ J₀ by mpmath
        ("integral01 besselJ1 - (1 - besselJ0 1)", "0"),
        ("integral01 besselJ0", "0.919730410089760239314421194081"),
        // where J₁ is greatest, by mpmath
        (r"argmax01 (\x => besselJ1 (1 + 2 * x))", "0.4205918906703296513218147568222"),
        // its first minimum
        (r"min01 (\x => besselJ0 (3 + 2 * x))", "-0.402759395702552972096002186427"),
    ] {
        let found = ask_within(4_000_000_000, program, "1e-9").enclosure;
        let (least, greatest) = (number(value) - number("1e-28"), number(value) + number("1e-28"));
        assert!(*found.lo() <= greatest && *found.hi() >= least, "{program}: {found:?}");
        assert!(found.has_width_at_most(&number("1e-8")), "{program}: {found:?}");
    }
}

/// Tests that take more than half a second: `cargo quick` passes them over.
mod slow {
    use super::*;

    /// The image of an interval contains all values, and little else.
    #[test]
    fn images_of_intervals_contain_the_values() {
        fn check<C: Context>(c: &C) {
            let mut random = Random::new(7);
            for _ in 0..40 {
                let lo = 50.0 * random.unit() - 25.0;
                let width = 7.5 * 0.5_f64.powi(random.below(40) as i32);
                let (n, order) = (random.below(2) as u32, [0, 0, 1, 2, 5][random.below(5) as usize]);
                let ends = [lo, lo + width].map(|x| Float::with_val(53, x));
                let step = (ends[1].to_f64() - lo) / 64.0;
                let box_ = c.round_enclosure(&Enclosure::new(ends[0].clone(), ends[1].clone(), true).unwrap());
                let image = c.to_enclosure(&c.apply_function(derivative(n, order), &box_));
                let mut values = Vec::new();
                for i in 0..=64 {
                    let x = Float::with_val(53, lo + step * f64::from(i)).min(&ends[1]);
                    values.push(by_power_series(n, order, &x));
                }
                for y in &values {
                    let slack = Float::with_val(600, 1) >> 190;
                    let (above, below) = (Float::with_val(600, y + &slack), Float::with_val(600, y - &slack));
                    assert!(*image.lo() <= above && *image.hi() >= below, "{n} {order} {ends:?}: {y} {image:?}");
                }
                // between two samples a value is greater by at most step²/8, as |f″| ≤ 1
                let greatest = values.iter().fold(Float::with_val(600, -2), |a, y| a.max(y));
                let least = values.iter().fold(Float::with_val(600, 2), |a, y| a.min(y));
                let slack = Float::with_val(600, step * step / 8.0 + 2f64.powi(-48));
                assert!(
                    *image.hi() <= greatest + &slack && *image.lo() >= least - &slack,
                    "{n} {order} {ends:?}: {image:?}"
                );
            }
        }
        in_both_tiers!(check);
    }
}
