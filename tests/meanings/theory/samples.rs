//! Samples: what they are made of, and that a seed decides them.

use super::{effort, tried, tried_in};
use smoothish::law::generate::TermVocabulary;
use smoothish::law::property::{LawBinder, SampleCondition};
use smoothish::random::SplitMix64;
use smoothish::syntax::library::Library;
use smoothish::syntax::ty::Ty;
use smoothish::theory::trial::{StatementOutcome, StatementTestConfig};

#[test]
fn a_seed_decides_what_is_found() {
    let text = r"theory Own extends Prelude
        law even (f : Real -> Real) (x : Real) : f x ~ f (-x)
        law commuting (f g : Real -> Real) (x : Real) : f (g x) ~ g (f x)";
    let [first, again, other] = [1, 1, 2].map(|seed| tried_in(text, &[], &StatementTestConfig { seed, ..effort() }));
    assert_eq!(first, again);
    assert_ne!(first, other);
    assert!(first.iter().all(|(_, outcome)| matches!(outcome, StatementOutcome::Refuted(_))));
}

/// Elements of a named type are made by its constructors, and by nothing else: of a functional not all of this holds.
#[test]
fn named_types_are_sampled_by_constructors() {
    let text = r"theory Own extends Integral
        sample Integral Real = uniform | \(x : Real) => dirac x | \(mu nu : Integral Real) => add mu nu
          | \(c : Real) (mu : Integral Real) => times c mu | \(f : Real -> Real) (mu : Integral Real) => map f mu
        law additive (mu : Integral Real) (f g : Real -> Real) : mu (\x => f x + g x) ~ mu f + mu g
        law of_any A (mu : Integral A) : mu (\x => 0) ~ 0
        refuted law not_positive (mu : Integral Real) (f : Real -> Real) : max 0 (-mu (\x => (f x)^2)) ~ 0";
    let found = tried(text);
    assert!(matches!(&found[0].1, StatementOutcome::Survived(100)), "{found:?}");
    // at types without constructors an element is any functional
    assert!(matches!(&found[1].1, StatementOutcome::Refuted(_)), "{found:?}");
    let StatementOutcome::Refuted(refuted) = &found[2].1 else { panic!("{found:?}") };
    assert!(refuted.program.as_ref().is_some_and(|program| program.contains("times")), "{refuted:?}");
}

/// Constructors may be inherited.
#[test]
fn constructors_are_seen_by_theories_that_extend() {
    let mut theories = super::with("theory Own extends Integral sample Integral Real = uniform").unwrap();
    let next = "theory Next extends Own law unit (mu : Integral Real) : mu (\\x => 1) ~ 1";
    theories.load([smoothish::syntax::source::SourceText::new("next", next)]).unwrap();
    let law = &theories.find_theory("Next").unwrap().laws[0];
    assert_eq!(law.variables[0].sort.as_ref().map(|sort| sort.name.to_string()).as_deref(), Some("Integral"));
}

#[test]
fn demands_are_met_and_decided() {
    let map = Ty::function(Ty::real(), Ty::real());
    let binder = |demand, ty: &Ty| LawBinder { condition: demand, ..ty.clone().into() };
    let mut random = SplitMix64::new(5);
    for index in 0..300 {
        for (demand, ty) in [
            (SampleCondition::Smooth, &map),
            (SampleCondition::Increasing, &map),
            (SampleCondition::Positive, &Ty::real()),
            (SampleCondition::Total, &map),
        ] {
            let binder = binder(demand, ty);
            let term = binder.draw_sample(&mut random, 1 + index % 12);
            assert!(binder.admits_term(&term), "{demand:?}: {term}");
            let (_, found) =
                Library::new().infer_expression(&term.to_string()).unwrap_or_else(|e| panic!("{term}: {e}"));
            assert_eq!(found, *ty, "{term}");
        }
    }
    let term = LawBinder { vocabulary: TermVocabulary::Full, ..map.clone().into() };
    let kinks = (0..200).map(|_| term.draw_sample(&mut random, 10)).filter(|t| t.to_string().contains("abs"));
    assert!(kinks.count() > 10);
    // an increasing function does not fall, at numbers that are sampled otherwise
    let found = tried(
        r"theory Own
        law rises (f : Real -> Real) (x d : Real) : max (f x) (f (x + d)) ~ f (x + d) where increasing f, positive d
        law kinkless (f : Real -> Real) (x : Real) : deriv f x ~ deriv f x where smooth f",
    );
    assert!(found.iter().all(|(_, outcome)| matches!(outcome, StatementOutcome::Survived(100))), "{found:?}");
}

/// Tests that take more than half a second: `cargo quick` passes them over.
mod slow {
    use super::*;

    /// A maximum of minima is no minimum of maxima where two numbers meet: among functions that look at one of them, or at each alone, hardly
    /// any shows it.
    #[test]
    fn functions_of_several_numbers_let_these_meet() {
        let text = "theory Own extends Prelude \
        law curried (f : Real -> Real -> Real) : max01 (\\x => min01 (\\y => f x y)) ~ min01 (\\y => max01 (\\x => f x y)) \
        law paired (f : Real * Real -> Real) : max01 (\\x => min01 (\\y => f (x, y))) ~ min01 (\\y => max01 (\\x => f (x, y)))";
        for seed in 0..12 {
            for (name, standing) in super::tried_in(text, &[], &StatementTestConfig { seed, ..super::effort() }) {
                assert!(matches!(standing, StatementOutcome::Refuted(_)), "{name} with seed {seed}: {standing:?}");
            }
        }
    }
}
