//! `examples/circle.rs`: the circle as a presheaf, two ways.

use super::circle::*;
use smoothish::law::presheaf;
use smoothish::law::presheaf::{SampleSettings, isomorphism};
use smoothish::presheaf::coend::{CoendTangent, TanPresheaf};
use smoothish::presheaf::observe::{Observe, SampleElements};
use smoothish::presheaf::{ProductPresheaf, RealPresheaf};
use smoothish::smooth::map::{Map, Space};
use smoothish::verdict::Verdict;
use typenum::{U0, U1};

#[track_caller]
fn holds(verdict: smoothish::law::presheaf::PresheafVerdict) {
    assert_eq!(verdict.unwrap(), Verdict::Survived);
}

#[test]
fn the_circle_is_a_presheaf_two_ways() {
    let samples = SampleSettings::default();
    holds(presheaf::check_presheaf::<Angles>(&samples));
    holds(presheaf::check_presheaf::<Circle>(&samples));
    holds(presheaf::check_tangents::<Angles>(&samples));
    holds(presheaf::check_tangents::<Circle>(&samples));
    holds(presheaf::check_isomorphism(&samples, &tangents_to_angles()));
    holds(presheaf::check_isomorphism(&samples, &tangents_to_the_circle()));
    // the tangent action of θ ↦ (cos θ, sin θ) keeps the speed
    holds(samples.check_at_stages(move |random, space, trial| {
        let (angle, speed) = ProductPresheaf::<Angles, RealPresheaf>::draw_element(random, space);
        let v = tangents_to_angles().from.component_at(space, &(angle.clone(), speed.clone()));
        let w = smoothish::presheaf::coend::tangent_map(&points().weaken_to(space), &v);
        let right = tangents_to_the_circle().from.component_at(space, &(Point::at(&angle), speed));
        TanPresheaf::<Circle>::compare_elements(space, &w, &right, trial)
    }));
}

#[test]
fn the_exponential_map_walks_along_the_circle() {
    let samples = SampleSettings::default();
    holds(
        samples.check_at_stages(move |random, space, trial| length(space, &Circle::draw_element(random, space), trial)),
    );
    holds(samples.check_at_stages(move |random, space, trial| {
        one_circle(space, &Angles::draw_element(random, space), &RealPresheaf::draw_element(random, space), trial)
    }));
    holds(samples.check_at_stages(move |random, space, trial| {
        exponential_starts(
            space,
            &Circle::draw_element(random, space),
            &RealPresheaf::draw_element(random, space),
            trial,
        )
    }));
    // exp stays on the circle
    holds(samples.check_at_stages(move |random, space, trial| {
        length(
            space,
            &exponential_map()
                .component_at(space, &ProductPresheaf::<Circle, RealPresheaf>::draw_element(random, space)),
            trial,
        )
    }));
}

#[test]
fn a_full_turn_is_no_turn_and_half_of_one_is() {
    let point = Space::<U0>::new();
    let trial = SampleSettings::default().trial;
    let angle = |turns: i64| Map::<U0, U1>::pi() * turns + 1;
    let agree = |turns| Angles::compare_elements(&point, &angle(0), &angle(turns), &trial).unwrap();
    assert_eq!(agree(2), Verdict::Survived);
    assert_eq!(agree(-6), Verdict::Survived);
    assert!(agree(1).is_refuted());
    // as real numbers they are not the same
    assert!(RealPresheaf::compare_elements(&point, &angle(0), &angle(2), &trial).unwrap().is_refuted());
    // tangents: same angle up to turns, other speed
    let moving =
        |turns, speed: i64| tangents_to_angles().from.component_at(&point, &(angle(turns), point.constant(speed)));
    type Moving = CoendTangent<Angles, U0>;
    let same = |v: &Moving, w: &Moving| TanPresheaf::<Angles>::compare_elements(&point, v, w, &trial).unwrap();
    assert_eq!(same(&moving(0, 3), &moving(4, 3)), Verdict::Survived);
    assert!(same(&moving(0, 3), &moving(0, 2)).is_refuted());
}

/// Tangents that go the other way round are told apart by the round trip.
#[test]
fn a_speed_with_the_wrong_sign_is_refuted() {
    use smoothish::presheaf::coend::PresheafIso;
    use smoothish::presheaf::exponential::PresheafTransformation;
    let right = tangents_to_the_circle();
    let to = right.to.clone();
    let wrong = PresheafTransformation::new(move |space, v| {
        let (p, speed) = to.component_at(space, v);
        (p, -speed)
    });
    let iso = PresheafIso { to: wrong, from: right.from };
    let verdict = SampleSettings::default().check_at_stages(move |random, space, trial| {
        let (v, b) = (
            TanPresheaf::<Circle>::draw_element(random, space),
            ProductPresheaf::<Circle, RealPresheaf>::draw_element(random, space),
        );
        isomorphism(&iso, space, &v, &b, trial)
    });
    assert!(verdict.unwrap().is_refuted());
}
