//! `examples/polynomials.rs`: polynomials of any degree as a presheaf.

use super::polynomials::*;
use smoothish::law::presheaf;
use smoothish::law::presheaf::SampleSettings;
use smoothish::presheaf::RealPresheaf;
use smoothish::presheaf::observe::{Observe, SampleElements};
use smoothish::smooth::map::Space;
use smoothish::verdict::Verdict;
use typenum::U1;

#[track_caller]
fn holds(verdict: smoothish::law::presheaf::PresheafVerdict) {
    assert_eq!(verdict.unwrap(), Verdict::Survived);
}

#[test]
fn polynomials_are_a_presheaf() {
    let samples = SampleSettings::default();
    holds(presheaf::check_presheaf::<Polynomials>(&samples));
    holds(presheaf::check_tangents::<Polynomials>(&samples));
    holds(presheaf::check_isomorphism(&samples, &tangents_to_polynomials()));
}

#[test]
fn evaluation_keeps_sums_products_and_derivatives() {
    let samples = SampleSettings::default();
    holds(samples.check_at_stages(move |random, space, trial| {
        let both = [Polynomials::draw_element(random, space), Polynomials::draw_element(random, space)];
        evaluation_is_a_homomorphism(space, &both, &RealPresheaf::draw_element(random, space), trial)
    }));
    holds(samples.check_at_stages(move |random, space, trial| {
        evaluation_keeps_derivatives(
            space,
            &Polynomials::draw_element(random, space),
            &RealPresheaf::draw_element(random, space),
            trial,
        )
    }));
}

/// The degree is not seen, coefficients are.
#[test]
fn zeros_at_the_end_do_not_count() {
    let line = Space::<U1>::new();
    let trial = SampleSettings::default().trial;
    let agree =
        |p: &Coefficients<U1>, q: &Coefficients<U1>| Polynomials::compare_elements(&line, p, q, &trial).unwrap();
    let (x, zero) = (line.id(), line.constant(0));
    assert_eq!(agree(&vec![x.clone()], &vec![x.clone(), zero.clone()]), Verdict::Survived);
    assert_eq!(agree(&Vec::new(), &vec![zero.clone(), zero.clone()]), Verdict::Survived);
    assert!(agree(&vec![x.clone()], &vec![zero, x]).is_refuted());
}

/// A derivative that forgets the exponents is refuted.
#[test]
fn a_wrong_derivative_is_refuted() {
    let verdict = SampleSettings::default().check_at_stages(move |random, space, trial| {
        let (p, x) = (Polynomials::draw_element(random, space), RealPresheaf::draw_element(random, space));
        let wrong: Coefficients<_> = p.iter().skip(1).cloned().collect();
        let at = |p: &Coefficients<_>| evaluate().component_at(space, p).apply(&space.id(), &x);
        RealPresheaf::compare_elements(space, &at(&wrong), &at(&derivative(&p)), trial)
    });
    assert!(verdict.unwrap().is_refuted());
}
