//! Every operation encloses: random points and intervals, in both tiers, against MPFR at 300 bits.
//!
//! `SMOOTHISH_SAMPLES=1000000 cargo test --release --test analysis containment` draws a million samples for each operation and
//! tier; the default takes a few seconds. What is checked of each sample:
//!
//! - **containment**: the exact value at a random point of the inputs lies between the ends of the result;
//! - **definedness**: a result that calls itself defined is so at that point, and so were the inputs;
//! - **isotonicity**: a part of the inputs gives a part of the result (elementary functions in many digits nearly; `mul_add`, only
//!   up to rounding, is left out);
//! - **exactness**: on points, a representable result of arithmetic is that point, and other ends are the exact ones
//!   rounded correctly (arithmetic, square roots) or lie within a few places of the value (the rest).

mod oracle;
pub mod sample;

use oracle::{Bounds, Operation};
use rug::Float;
use rug::float::Round;
use sample::{Random, Tier, interval, part_of, point_in};
use smoothish::function::Monotonicity;
use smoothish::number::{Context, Double, Enclosure, Function, Mpfr, Planar, Rational};

fn samples() -> u64 {
    std::env::var("SMOOTHISH_SAMPLES").ok().and_then(|s| s.parse().ok()).unwrap_or(crate::in_tiers(400, 1500))
}

/// An angle that the oracle, too, would take too long to reduce.
fn is_costly(operation: Operation, point: &[Float]) -> bool {
    matches!(operation, Operation::Of(Function::Sin | Function::Cos | Function::Tan))
        && point[0].get_exp().is_some_and(|e| e > 4096)
}

/// The ends in a context of an exact value.
fn rounded<T: Tier>(tier: &T, (lo, hi): &Bounds) -> Enclosure {
    let enclosure = Enclosure::new(lo.clone(), hi.clone(), true).unwrap_or_else(|_| Enclosure::bottom());
    tier.to_enclosure(&tier.round_enclosure(&enclosure))
}

/// Now and then, inputs of which little is left: a + b with b near -a, acc + a·b with acc near -a·b, (a·b)/b.
fn cancel<T: Tier>(tier: &T, operation: Operation, inputs: &mut [Enclosure], random: &mut Random) {
    if !random.one_in(8) {
        return;
    }
    let numbers: Vec<T::Num> = inputs.iter().map(|e| tier.round_enclosure(e)).collect();
    let (index, near) = match operation {
        Operation::Add => (1, tier.neg(&numbers[0])),
        Operation::Sub => (1, numbers[0].clone()),
        Operation::MulAdd => (2, tier.neg(&tier.mul(&numbers[0], &numbers[1]))),
        Operation::Div => (0, tier.mul(&numbers[0], &numbers[1])),
        _ => return,
    };
    inputs[index] = part_of(tier, &tier.to_enclosure(&near), random);
}

/// An enclosure with three places more at each end, and a part of the width of another one.
fn around<T: Tier>(tier: &T, e: &Enclosure, other: &Enclosure) -> Enclosure {
    let more = Float::with_val(tier.precision(), other.hi() - other.lo()) >> 20u32;
    if !more.is_finite() {
        return e.clone();
    }
    let end = |end: Float| match end.is_finite() {
        true => Float::with_val_round(tier.precision(), tier.after(&end, 3) + &more, Round::Up).0,
        false => end,
    };
    let [below, hi] = [Float::with_val(tier.precision(), -e.lo()), Float::with_val(tier.precision(), e.hi())];
    Enclosure::new(-end(below), end(hi), e.is_defined()).expect("a longer interval")
}

fn check<T: Tier>(tier: &T, operation: Operation, random: &mut Random) {
    let mut inputs: Vec<Enclosure> = (0..operation.arity()).map(|_| interval(tier, random)).collect();
    cancel(tier, operation, &mut inputs, random);
    let point: Vec<Float> = inputs.iter().map(|e| point_in(e, random)).collect();
    let numbers: Vec<T::Num> = inputs.iter().map(|e| tier.round_enclosure(e)).collect();
    let result = tier.to_enclosure(&operation.apply(tier, &numbers));
    let shown = || format!("{operation:?} of {inputs:?} in {tier:?} at {point:?}: {result:?}");

    assert!(!result.is_defined() || inputs.iter().all(Enclosure::is_defined), "defined: {}", shown());
    if !is_costly(operation, &point) {
        match operation.at(&point) {
            Some((lo, hi)) => assert!(*result.lo() <= lo && hi <= *result.hi(), "{lo} {hi} not in {}", shown()),
            None => assert!(!result.is_defined(), "outside the domain: {}", shown()),
        }
    }
    if inputs.iter().all(|e| e.is_point() && e.is_defined()) {
        let ends: Vec<Float> = inputs.iter().map(|e| Float::with_val(300, e.lo())).collect();
        if !is_costly(operation, &ends) {
            tightness(tier, operation, &ends, &result, &shown);
        }
    }

    let parts: Vec<Enclosure> = inputs.iter().map(|e| part_of(tier, e, random)).collect();
    let part_numbers: Vec<T::Num> = parts.iter().map(|e| tier.round_enclosure(e)).collect();
    let part = tier.to_enclosure(&operation.apply(tier, &part_numbers));
    // a part wholly outside the domain encloses nothing
    let nothing = operation.has_domain() && part.is_bottom() && !part.is_defined();
    // an elementary function on a thin interval of many digits is enclosed by one value and the slope
    let is_thin = matches!(operation, Operation::Of(_)) && tier.precision() >= 96;
    let around = if is_thin { around(tier, &result, &part) } else { result.clone() };
    assert!(
        nothing || matches!(operation, Operation::MulAdd) || around.contains_enclosure(&part),
        "isotone: {parts:?} gives {part:?}; {}",
        shown()
    );
    if inputs.iter().all(Enclosure::is_defined) {
        assert!(part.is_defined() || !result.is_defined(), "isotone: {parts:?} gives {part:?}; {}", shown());
    }
}

fn tightness<T: Tier>(tier: &T, operation: Operation, point: &[Float], result: &Enclosure, shown: &dyn Fn() -> String) {
    let Some(exact) = operation.at(point) else {
        assert!(result.is_bottom(), "outside the domain: {}", shown());
        return;
    };
    if matches!(operation, Operation::Signum) && point[0].is_zero() {
        assert!(*result.lo() == -1 && *result.hi() == 1, "{}", shown());
        return;
    }
    assert!(result.is_defined(), "undefined: {}", shown());
    let best = rounded(tier, &exact);
    if operation.is_exact_on_dyadics() && exact.0 == exact.1 && best.is_point() {
        assert!(result.is_point(), "exact: {}", shown());
    }
    if operation.is_rounded_correctly() {
        assert!(result.contains_enclosure(&best) && best.contains_enclosure(result), "{best:?}: {}", shown());
    } else if best.is_bounded() {
        let places = match operation {
            Operation::Power(n) => 3 * u64::from(n),
            Operation::MulAdd => return,
            _ => 4,
        };
        let near = |x: &Float, y: &Float| places > 50 || *y <= tier.after(x, places);
        assert!(near(result.lo(), best.lo()) && near(best.hi(), result.hi()), "{best:?}: {}", shown());
    }
}

/// What an elementary function makes of a thin interval is not much more than what it makes of the ends; `None` where it is not thin, or
/// something else than the slope decides.
fn is_kept_thin(tier: &Mpfr, f: Function, random: &mut Random) -> Option<()> {
    let lo = tier.end(random);
    let most = 1 << random.below(12);
    let hi = tier.after(&lo, 1 + random.below(most));
    let hi = if random.one_in(2) {
        hi
    } else {
        Float::with_val(tier.precision(), &lo + Float::with_val(53, lo.abs_ref()) * (random.unit() * 2f64.powi(-41)))
    };
    let thin = Enclosure::new(lo.clone(), hi.clone(), true).ok()?;
    let middle = Float::with_val(tier.precision() + 2, &lo + &hi) >> 1u32;
    let [image, left, right, between] = [(&lo, &hi), (&lo, &lo), (&hi, &hi), (&middle, &middle)].map(|(lo, hi)| {
        let finer = Mpfr::new(tier.precision() + 80);
        let place = Enclosure::new(lo.clone(), hi.clone(), true).expect("ends in order");
        let context = if lo == hi { &finer } else { tier };
        context.to_enclosure(&context.apply_function(f, &context.round_enclosure(&place)))
    });
    let is_known =
        [&image, &left, &right].iter().all(|e| e.is_defined() && e.is_bounded() && !e.contains(&Rational::new()));
    let least = Float::with_val(53, &hi - &lo) / Float::with_val(53, &lo).abs();
    let is_top =
        matches!(f.row().monotonicity, Monotonicity::Sinusoidal { .. }) && (*image.hi() == 1 || *image.lo() == -1);
    if !is_known || !thin.is_bounded() || least > 2f64.powi(-40) || is_top {
        return None;
    }
    for part in [&left, &right, &between] {
        assert!(image.lo() <= part.lo() && part.hi() <= image.hi(), "{f:?} at {thin:?}: {part:?} not in {image:?}");
    }
    let hull = Enclosure::new(left.lo().clone().min(right.lo()), left.hi().clone().max(right.hi()), true).ok()?;
    let wide = Float::with_val(53, image.hi() - image.lo());
    let needed = Float::with_val(53, hull.hi() - hull.lo());
    let end = Float::with_val(tier.precision(), hull.hi().abs_ref());
    let place = Float::with_val(53, tier.after(&end, 1) - &end);
    let most: Float = needed * (1.0 + 2f64.powi(-20)) + place * 5;
    assert!(wide <= most, "{f:?} at {thin:?}: 2^{:?} wide, 2^{:?} at most", wide.get_exp(), most.get_exp());
    Some(())
}

fn campaign(name: &str, operations: &[Operation]) {
    for (index, &operation) in operations.iter().enumerate() {
        let mut random = Random::new(name.len() as u64 * 1000 + index as u64);
        for _ in 0..samples() {
            check(&Double, operation, &mut random);
        }
        for _ in 0..samples() {
            let bits = [53, 64, 80, 113, 200][random.below(5) as usize];
            check(&Mpfr::new(bits), operation, &mut random);
        }
    }
}

#[test]
fn sums_and_products_enclose() {
    use Operation::*;
    campaign("arithmetic", &[Add, Sub, Mul, MulAdd, Neg, Abs, Max, Min, Signum, Square]);
}

#[test]
fn quotients_enclose() {
    use Operation::*;
    campaign("quotients", &[Div, Divide(3), Divide(7), Divide(u64::MAX), Divide(1 << 40)]);
    campaign("multiples", &[Scale(0), Scale(-1), Scale(3), Scale(i64::MAX), Scale(i64::MIN)]);
}

#[test]
fn powers_enclose() {
    use Operation::Power;
    campaign("powers", &[Power(1), Power(2), Power(3), Power(4), Power(5), Power(10), Power(17), Power(1000)]);
}

#[test]
fn roots_enclose() {
    use Operation::Root;
    campaign("roots", &[Root(1), Root(2), Root(3), Root(4), Root(5), Root(7), Root(12), Root(1001)]);
}

#[test]
fn exponentials_enclose() {
    use Function::*;
    campaign("exponentials", &[Exp, Log, Sqrt, Cbrt, Erf, Erfc, Expm1, Log1p].map(Operation::Of));
}

#[test]
fn waves_enclose() {
    use Function::*;
    campaign("waves", &[Sin, Cos, Tan].map(Operation::Of));
}

#[test]
fn inverse_waves_enclose() {
    use Function::*;
    campaign("inverse waves", &[Asin, Acos, Atan].map(Operation::Of));
}

#[test]
fn functions_of_two_numbers_enclose() {
    campaign("angles", &[Planar::Atan2].map(Operation::OfTwo));
}

#[test]
fn hyperbolic_functions_enclose() {
    use Function::*;
    campaign("hyperbolic", &[Sinh, Cosh, Tanh].map(Operation::Of));
}

#[test]
fn inverse_hyperbolic_functions_enclose() {
    use Function::*;
    campaign("inverse hyperbolic", &[Asinh, Acosh, Atanh].map(Operation::Of));
}

/// Tests that take more than half a second: `cargo quick` passes them over.
mod slow {
    use super::*;

    #[test]
    fn thin_intervals_of_many_digits_stay_thin() {
        // special functions have rules of their own
        let has_branches = |f: &Function| f.row().monotonicity == Monotonicity::Own;
        for f in Function::ALL.iter().copied().filter(|f| !has_branches(f)) {
            let mut random = Random::new(f.row().name.len() as u64);
            let mut met = 0;
            for _ in 0..samples() / 4 {
                let bits = [128, 192, 384, 1088][random.below(4) as usize];
                met += u64::from(is_kept_thin(&Mpfr::new(bits), f, &mut random).is_some());
            }
            assert!(20 * met >= samples(), "{f:?}: only {met} of {} were looked at", samples() / 4);
        }
    }
}
