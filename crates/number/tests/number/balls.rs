//! Sums of products of balls contain the sums of products of what is in the balls.

use smoothish_number::number::balls::{BallVector, MidpointArithmetic, ProductTerms};
use smoothish_number::number::{Context, Double, Enclosure, Interval, Magnitude, Mpfr, Rational};
use smoothish_number::random::SplitMix64;

/// A number of one of many sizes.
fn number(random: &mut SplitMix64, bits: u32) -> Rational {
    let digits = random.next_below(1 << 20) as i64 - (1 << 19);
    let tail = Rational::from((random.next_below(1 << 30) as i64, 1i64 << 30));
    let shift = random.next_below(60) as u32;
    match random.next_below(8) {
        0 => Rational::from(digits.signum()),
        _ => (Rational::from(digits) + tail) << shift >> bits.min(40),
    }
}

/// An interval, and a number in it: at an end, or between.
fn ball<T: MidpointArithmetic>(random: &mut SplitMix64, tier: &T) -> (Interval<T::End>, Rational) {
    let middle = number(random, 40);
    let radius = match random.next_below(3) {
        0 => Rational::new(),
        _ => number(random, 60).abs() >> (10 + random.next_below(40) as u32),
    };
    let ends = [Rational::from(&middle - &radius), Rational::from(&middle + &radius)];
    let interval = tier.hull(&tier.enclose_rational(&ends[0]), &tier.enclose_rational(&ends[1]));
    let inside = match random.next_below(3) {
        0 => ends[0].clone(),
        1 => ends[1].clone(),
        _ => middle,
    };
    (interval, inside)
}

fn sums<T: MidpointArithmetic>(tier: &T, samples: u64) {
    let (mut inexact, mut wide, mut tight) = (0, 0, 0);
    for seed in 0..samples {
        let mut random = SplitMix64::new(seed);
        let count = 1 + random.next_below(40);
        let mut balls = BallVector::new(tier.clone(), 3 * count + 2);
        let mut inside = Vec::new();
        for place in 0..3 * count {
            let (interval, number) = ball(&mut random, tier);
            assert!(balls.set_interval(place, &interval));
            let kept = tier.to_enclosure(&balls.get(place));
            assert!(kept.contains(&number), "{seed}: {number} is not in {kept:?}");
            inside.push(number);
        }
        let terms: Vec<_> = (0..random.next_below(4)).map(|_| random.next_below(3 * count) as u32).collect();
        let pairs: Vec<_> = (0..count as u32).map(|i| (i, i + count as u32)).collect();
        let product = |(x, y): &(u32, u32)| Rational::from(&inside[*x as usize] * &inside[*y as usize]);
        let exact: Rational = pairs.iter().map(product).chain(terms.iter().map(|t| inside[*t as usize].clone())).sum();
        let holds = |found: Enclosure, exact: &Rational| {
            assert!(found.is_defined() && found.contains(exact), "{seed}: {exact} is not in {found:?}");
            found
        };
        for (place, products) in
            [(3 * count, ProductTerms::Rows(0, count, count)), (3 * count + 1, ProductTerms::Pairs(&pairs))]
        {
            balls.set_sum_of_products(place, &terms, products);
            let found = holds(tier.to_enclosure(&balls.get(place)), &exact);
            // what interval arithmetic finds with one rounding for each operation
            let slow = pairs.iter().fold(tier.enclose_integer(0), |sum, (x, y)| {
                tier.add(&sum, &tier.mul(&balls.get(*x as usize), &balls.get(*y as usize)))
            });
            let slow = terms.iter().fold(slow, |sum, t| tier.add(&sum, &balls.get(*t as usize)));
            tight += usize::from(found.width() <= tier.width(&slow) * Magnitude::power_of_two(6));
            wide += usize::from(!found.is_point());
        }
        // a row of them and w times another row
        let (w, factor) = ball(&mut random, tier);
        balls.set_interval(3 * count, &w);
        let w = balls.clone_ball(3 * count);
        let others = balls.clone();
        if seed % 2 == 0 {
            balls.add_multiple(count, &w, &others, 2 * count, count);
        } else {
            balls.add_multiples(&w, &others, (0..count).map(|i| ((count + i) as u32, (2 * count + i) as u32)));
        }
        balls.add(0, &w);
        for (place, exact) in (count..2 * count)
            .map(|i| (i, &inside[i] + Rational::from(&factor * &inside[i + count])))
            .chain([(0, Rational::from(&inside[0] + &factor))])
        {
            let found = holds(tier.to_enclosure(&balls.get(place)), &exact);
            let middle = tier.to_enclosure(&tier.midpoint(&balls.get(place)));
            inexact += usize::from(!middle.contains(&exact));
            wide += usize::from(!found.is_point());
        }
    }
    println!(
        "{inexact} sums that are not their midpoints, {wide} that are no points, {tight} as narrow as 64 intervals"
    );
    assert!(inexact as u64 > samples && tight as u64 > samples);
}

#[test]
fn sums_of_products_contain_what_is_in_the_balls() {
    sums(&Double, 4_000);
    sums(&Mpfr::new(64), 1_000);
    sums(&Mpfr::new(1_200), 300);
}

#[test]
fn rounding_alone_is_covered() {
    // points only: the radius is what rounding may have lost, and the sum is not the exact one
    let mut lost = 0;
    for seed in 0..4_000 {
        let mut random = SplitMix64::new(seed);
        let count = 2 + random.next_below(200);
        let mut balls = BallVector::new(Double, 2 * count + 1);
        let mut exact = Rational::new();
        for i in 0..count {
            let [x, y] = [(); 2].map(|()| {
                let x = (random.next_below(1 << 53) as f64 / (1u64 << 52) as f64 - 1.0)
                    * f64::from(random.next_below(40) as i32 - 20).exp2();
                // now and then what underflows
                if seed % 5 == 0 { x * 2f64.powi(-530) } else { x }
            });
            let [a, b] = [x, y].map(|x| Rational::from_f64(x).unwrap());
            assert!(
                balls.set_interval(i, &Double.enclose_rational(&a))
                    && balls.set_interval(count + i, &Double.enclose_rational(&b))
            );
            exact += a * b;
        }
        balls.set_sum_of_products(2 * count, &[], ProductTerms::Rows(0, count, count));
        let found = Double.to_enclosure(&balls.get(2 * count));
        assert!(found.contains(&exact), "{seed}: {exact} is not in {found:?}");
        let middle = Double.to_enclosure(&Double.midpoint(&balls.get(2 * count)));
        lost += usize::from(!middle.contains(&exact));
    }
    assert!(lost > 3_900, "{lost}");
}

#[test]
fn what_is_not_bounded_is_not_known() {
    let mut balls = BallVector::new(Double, 3);
    let huge = Double.enclose_rational(&Rational::from_f64(1e300).unwrap());
    assert!(balls.set_interval(0, &huge) && balls.set_interval(1, &huge));
    balls.set_sum_of_products(2, &[], ProductTerms::Rows(0, 1, 1));
    assert!(!balls.is_known(2) && !balls.get(2).is_defined());
    // two of them with opposite signs are no number either
    assert!(balls.set_interval(1, &Double.neg(&huge)));
    balls.set_sum_of_products(2, &[], ProductTerms::Pairs(&[(0, 0), (0, 1)]));
    assert!(!balls.is_known(2));
    assert!(!balls.set_interval(0, &Double.bottom()));
    assert!(!balls.set_interval(0, &Double.mark_undefined(Double.enclose_integer(1))));
}
