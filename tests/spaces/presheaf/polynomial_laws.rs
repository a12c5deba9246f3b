//! `examples/polynomials.rs`: polynomials of any degree as a presheaf.

use super::polynomials::*;
use smoothish::law::presheaf::suite::{self, Samples};
use smoothish::presheaf::observe::Observe;
use smoothish::presheaf::representable::Real;
use smoothish::presheaf::sample::Sample;
use smoothish::smooth::map::Space;
use smoothish::verdict::Verdict;
use typenum::U1;

#[track_caller]
fn holds(verdict: smoothish::law::presheaf::Tried) {
    assert_eq!(verdict.unwrap(), Verdict::Survived);
}

#[test]
fn polynomials_are_a_presheaf() {
    let samples = Samples::default();
    holds(suite::presheaf::<Polynomials>(&samples));
    holds(suite::tangents::<Polynomials>(&samples));
    holds(suite::isomorphism(&samples, &tangents_to_polynomials()));
}

#[test]
fn evaluation_keeps_sums_products_and_derivatives() {
    let samples = Samples::default();
    holds(samples.at_stages(|random, space, trial| {
        let both = [Polynomials::draw(random, space), Polynomials::draw(random, space)];
        evaluation_is_a_homomorphism(space, &both, &Real::draw(random, space), trial)
    }));
    holds(samples.at_stages(|random, space, trial| {
        evaluation_keeps_derivatives(space, &Polynomials::draw(random, space), &Real::draw(random, space), trial)
    }));
}

/// The degree is not seen, coefficients are.
#[test]
fn zeros_at_the_end_do_not_count() {
    let line = Space::<U1>::new();
    let trial = Samples::default().trial;
    let agree = |p: &Coefficients<U1>, q: &Coefficients<U1>| Polynomials::agree(&line, p, q, &trial).unwrap();
    let (x, zero) = (line.id(), line.constant(0));
    assert_eq!(agree(&vec![x.clone()], &vec![x.clone(), zero.clone()]), Verdict::Survived);
    assert_eq!(agree(&Vec::new(), &vec![zero.clone(), zero.clone()]), Verdict::Survived);
    assert!(agree(&vec![x.clone()], &vec![zero, x]).is_refuted());
}

/// A derivative that forgets the exponents is refuted.
#[test]
fn a_wrong_derivative_is_refuted() {
    let verdict = Samples::default().at_stages(|random, space, trial| {
        let (p, x) = (Polynomials::draw(random, space), Real::draw(random, space));
        let wrong: Coefficients<_> = p.iter().skip(1).cloned().collect();
        let at = |p: &Coefficients<_>| evaluate().at(space, p).apply(&space.id(), &x);
        Real::agree(space, &at(&wrong), &at(&derivative(&p)), trial)
    });
    assert!(verdict.unwrap().is_refuted());
}
