//! `examples/circle.rs`: the circle as a presheaf, two ways.

use super::circle::*;
use smoothish::law::presheaf::suite::{self, Samples};
use smoothish::law::presheaf::tangent::isomorphism;
use smoothish::presheaf::coend::{Tan, Tangent};
use smoothish::presheaf::observe::Observe;
use smoothish::presheaf::product::Product;
use smoothish::presheaf::representable::Real;
use smoothish::presheaf::sample::Sample;
use smoothish::smooth::map::{Map, Space};
use smoothish::verdict::Verdict;
use typenum::{U0, U1};

#[track_caller]
fn holds(verdict: smoothish::law::presheaf::Tried) {
    assert_eq!(verdict.unwrap(), Verdict::Survived);
}

#[test]
fn the_circle_is_a_presheaf_two_ways() {
    let samples = Samples::default();
    holds(suite::presheaf::<Angles>(&samples));
    holds(suite::presheaf::<Circle>(&samples));
    holds(suite::tangents::<Angles>(&samples));
    holds(suite::tangents::<Circle>(&samples));
    holds(suite::isomorphism(&samples, &tangents_to_angles()));
    holds(suite::isomorphism(&samples, &tangents_to_the_circle()));
    // the tangent action of θ ↦ (cos θ, sin θ) keeps the speed
    holds(samples.at_stages(|random, space, trial| {
        let (angle, speed) = Product::<Angles, Real>::draw(random, space);
        let v = tangents_to_angles().from.at(space, &(angle.clone(), speed.clone()));
        let w = smoothish::presheaf::coend::tangent(&points().weakened(space), &v);
        let right = tangents_to_the_circle().from.at(space, &(Point::at(&angle), speed));
        Tan::<Circle>::agree(space, &w, &right, trial)
    }));
}

#[test]
fn the_exponential_map_walks_along_the_circle() {
    let samples = Samples::default();
    holds(samples.at_stages(|random, space, trial| length(space, &Circle::draw(random, space), trial)));
    holds(samples.at_stages(|random, space, trial| {
        one_circle(space, &Angles::draw(random, space), &Real::draw(random, space), trial)
    }));
    holds(samples.at_stages(|random, space, trial| {
        exponential_starts(space, &Circle::draw(random, space), &Real::draw(random, space), trial)
    }));
    // exp stays on the circle
    holds(samples.at_stages(|random, space, trial| {
        length(space, &exponential_map().at(space, &Product::<Circle, Real>::draw(random, space)), trial)
    }));
}

#[test]
fn a_full_turn_is_no_turn_and_half_of_one_is() {
    let point = Space::<U0>::new();
    let trial = Samples::default().trial;
    let angle = |turns: i64| Map::<U0, U1>::pi() * turns + 1;
    let agree = |turns| Angles::agree(&point, &angle(0), &angle(turns), &trial).unwrap();
    assert_eq!(agree(2), Verdict::Survived);
    assert_eq!(agree(-6), Verdict::Survived);
    assert!(agree(1).is_refuted());
    // as real numbers they are not the same
    assert!(Real::agree(&point, &angle(0), &angle(2), &trial).unwrap().is_refuted());
    // tangents: same angle up to turns, other speed
    let moving = |turns, speed: i64| tangents_to_angles().from.at(&point, &(angle(turns), point.constant(speed)));
    type Moving = Tangent<Angles, U0>;
    let same = |v: &Moving, w: &Moving| Tan::<Angles>::agree(&point, v, w, &trial).unwrap();
    assert_eq!(same(&moving(0, 3), &moving(4, 3)), Verdict::Survived);
    assert!(same(&moving(0, 3), &moving(0, 2)).is_refuted());
}

/// Tangents that go the other way round are told apart by the round trip.
#[test]
fn a_speed_with_the_wrong_sign_is_refuted() {
    use smoothish::presheaf::exponential::Transformation;
    use smoothish::presheaf::isomorphism::Iso;
    let right = tangents_to_the_circle();
    let to = right.to.clone();
    let wrong = Transformation::new(move |space, v| {
        let (p, speed) = to.at(space, v);
        (p, -speed)
    });
    let iso = Iso { to: wrong, from: right.from };
    let verdict = Samples::default().at_stages(|random, space, trial| {
        let (v, b) = (Tan::<Circle>::draw(random, space), Product::<Circle, Real>::draw(random, space));
        isomorphism(&iso, space, &v, &b, trial)
    });
    assert!(verdict.unwrap().is_refuted());
}
