//! Every operation encloses: random points and intervals, in both tiers, against MPFR at 300 bits.
//!
//! `SMOOTHISH_SAMPLES=1000000 cargo test --release --test analysis containment` draws a million samples for each operation and
//! tier; the default takes a few seconds. What is checked of each sample:
//!
//! - **containment**: the exact value at a random point of the inputs lies between the ends of the result;
//! - **definedness**: a result that calls itself defined is so at that point, and so were the inputs;
//! - **isotonicity**: a part of the inputs gives a part of the result (`mul_add`, only up to rounding, is left out);
//! - **exactness**: on points, a representable result of arithmetic is that point, and other ends are the exact ones
//!   rounded correctly (arithmetic, square roots) or lie within a few places of the value (the rest).

mod oracle;
pub mod sample;

use oracle::{Bounds, Operation};
use rug::Float;
use sample::{Random, Tier, interval, part_of, point_in};
use smoothish::number::{Double, Enclosure, Function, Mpfr, Planar};

fn samples() -> u64 {
    std::env::var("SMOOTHISH_SAMPLES").ok().and_then(|s| s.parse().ok()).unwrap_or(1500)
}

/// An angle that the oracle, too, would take too long to reduce.
fn is_costly(operation: Operation, point: &[Float]) -> bool {
    matches!(operation, Operation::Of(Function::Sin | Function::Cos | Function::Tan))
        && point[0].get_exp().is_some_and(|e| e > 4096)
}

/// The ends in a context of an exact value.
fn rounded<T: Tier>(tier: &T, (lo, hi): &Bounds) -> Enclosure {
    let enclosure = Enclosure::new(lo.clone(), hi.clone(), true).unwrap_or_else(|_| Enclosure::bottom());
    tier.to_enclosure(&tier.enclosure(&enclosure))
}

/// Now and then, inputs of which little is left: a + b with b near -a, acc + a·b with acc near -a·b, (a·b)/b.
fn cancel<T: Tier>(tier: &T, operation: Operation, inputs: &mut [Enclosure], random: &mut Random) {
    if !random.one_in(8) {
        return;
    }
    let numbers: Vec<T::Num> = inputs.iter().map(|e| tier.enclosure(e)).collect();
    let (index, near) = match operation {
        Operation::Add => (1, tier.neg(&numbers[0])),
        Operation::Sub => (1, numbers[0].clone()),
        Operation::MulAdd => (2, tier.neg(&tier.mul(&numbers[0], &numbers[1]))),
        Operation::Div => (0, tier.mul(&numbers[0], &numbers[1])),
        _ => return,
    };
    inputs[index] = part_of(tier, &tier.to_enclosure(&near), random);
}

fn check<T: Tier>(tier: &T, operation: Operation, random: &mut Random) {
    let mut inputs: Vec<Enclosure> = (0..operation.arity()).map(|_| interval(tier, random)).collect();
    cancel(tier, operation, &mut inputs, random);
    let point: Vec<Float> = inputs.iter().map(|e| point_in(e, random)).collect();
    let numbers: Vec<T::Num> = inputs.iter().map(|e| tier.enclosure(e)).collect();
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
    let part_numbers: Vec<T::Num> = parts.iter().map(|e| tier.enclosure(e)).collect();
    let part = tier.to_enclosure(&operation.apply(tier, &part_numbers));
    // a part wholly outside the domain encloses nothing
    let nothing = operation.has_domain() && part.is_bottom() && !part.is_defined();
    assert!(
        nothing || matches!(operation, Operation::MulAdd) || result.contains_enclosure(&part),
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
