//! Laws of the language on random terms, each beside a wrong one that must be refuted by a small witness.

use smoothish::law::property::{ProgramEquation, Property, TestConfig, TestOutcome};
use smoothish::law::term::{TermHead, TestTerm};
use smoothish::syntax::library::Library;
use smoothish::syntax::ty::Ty;
use smoothish::theory::builtin;
use smoothish::verdict::Verdict;
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Arc, LazyLock};

static LIBRARY: LazyLock<Arc<Library>> = LazyLock::new(|| Arc::new(builtin::library()));

fn tried(binders: usize, left: &str, right: &str, trials: TestConfig) -> TestOutcome {
    let law = ProgramEquation::new(&LIBRARY, binders, left, right).unwrap_or_else(|e| panic!("{e}"));
    law.as_property().run_tests(trials)
}

/// Trials enough that the wrong laws below are refuted.
const TRIALS: TestConfig = TestConfig { samples: 40, max_samples: 600, size: 8, seed: 4 };

#[track_caller]
fn holds(binders: usize, left: &str, right: &str) {
    assert_eq!(tried(binders, left, right, TRIALS), TestOutcome::Survived, "{left}\n{right}");
}

/// The law is refuted by terms of at most `heads` heads together.
#[track_caller]
fn fails(binders: usize, left: &str, right: &str, heads: usize) {
    match tried(binders, left, right, TRIALS) {
        TestOutcome::Refuted(found) => {
            let size: usize = found.witness.iter().map(TestTerm::size).sum();
            assert!(size <= heads, "{size}: {found}");
            assert!(!found.left.is_empty() && !found.right.is_empty(), "{found}");
        }
        other => panic!("{other:?}: {left}\n{right}"),
    }
}

#[test]
fn beta_and_eta() {
    holds(2, r"\(f : Real -> Real) (x : Real) => (\y => f y) x", r"\(f : Real -> Real) (x : Real) => f x");
    holds(1, r"\(p : Real * Real) => (fst p, snd p)", r"\(p : Real * Real) => p");
    let substituted = r"\(f : Real -> Real) (x : Real) => f (f x) * f x";
    holds(2, r"\(f : Real -> Real) (x : Real) => let y = f x in f y * y", substituted);
    fails(1, r"\(p : Real * Real) => (snd p, fst p)", r"\(p : Real * Real) => p", 5);
    fails(2, r"\(f : Real -> Real) (x : Real) => f (f x)", r"\(f : Real -> Real) (x : Real) => f x", 8);
}

/// The derivative of f at x along v.
const ALONG: &str = r"let along (f : Real -> Real) (x v : Real) : Real =
                          snd (tangent_R.to (tangent f (tangent_R.from (x, v)))) in ";

/// S30, S16: a derivative is linear in its direction.
#[test]
fn derivatives_are_linear() {
    let law = |text: &str| format!("{ALONG}{text}");
    let sum = law(r"\(f : Real -> Real) (x v w : Real) => along f x v + along f x w");
    holds(4, &law(r"\(f : Real -> Real) (x v w : Real) => along f x (v + w)"), &sum);
    let sum = law(r"\(f g : Real -> Real) (x v : Real) => along f x v + along g x v");
    holds(4, &law(r"\(f g : Real -> Real) (x v : Real) => along (\z => f z + g z) x v"), &sum);
    let rise = r"\(f : Real -> Real) (x v : Real) => f (x + v) - f x";
    fails(3, rise, &law(r"\(f : Real -> Real) (x v : Real) => along f x v"), 14);
}

#[test]
fn chain_and_product() {
    holds(
        3,
        r"\(f g : Real -> Real) (x : Real) => deriv (\z => g (f z)) x",
        r"\(f g : Real -> Real) (x : Real) => deriv g (f x) * deriv f x",
    );
    fails(
        3,
        r"\(f g : Real -> Real) (x : Real) => deriv (\z => g (f z)) x",
        r"\(f g : Real -> Real) (x : Real) => deriv g (f x)",
        14,
    );
    holds(
        3,
        r"\(f g : Real -> Real) (x : Real) => deriv (\z => f z * g z) x",
        r"\(f g : Real -> Real) (x : Real) => deriv f x * g x + f x * deriv g x",
    );
    fails(
        3,
        r"\(f g : Real -> Real) (x : Real) => deriv (\z => f z * g z) x",
        r"\(f g : Real -> Real) (x : Real) => deriv f x * g x + f x",
        14,
    );
}

/// S48: f ↦ (x, v) ↦ (f x, f′ x v) is a functor.
#[test]
fn value_with_derivative_is_a_functor() {
    let both = r"let both (f : Real -> Real) (p : Real * Real) : Real * Real =
                     tangent_R.to (tangent f (tangent_R.from p)) in ";
    let left = format!(r"{both}\(f g : Real -> Real) (p : Real * Real) => both (\z => g (f z)) p");
    let right = format!(r"{both}\(f g : Real -> Real) (p : Real * Real) => both g (both f p)");
    holds(3, &left, &right);
    holds(1, &format!(r"{both}\(p : Real * Real) => both (\z => z) p"), r"\(p : Real * Real) => p");
    // the direction is forgotten
    let wrong = r"let both (f : Real -> Real) (p : Real * Real) : Real * Real = (f (fst p), deriv f (fst p)) in ";
    fails(1, &format!(r"{wrong}\(p : Real * Real) => both (\z => z) p"), r"\(p : Real * Real) => p", 5);
}

/// X6, T13: a derivative inside a derivative has a direction of its own (Manzyuk and others 2019).
#[test]
fn perturbations_are_not_confused() {
    let shifted = r"let shift (u : Real) (f : Real -> Real) : Real -> Real = \x => f (x + u) in
                    let slope (f : Real -> Real) : Real -> Real = \x => deriv (\u => shift u f x) 0 in ";
    let twice = format!(r"{shifted}\(h : Real -> Real) (y : Real) => slope (slope h) y");
    holds(2, &twice, r"\(h : Real -> Real) (y : Real) => deriv (deriv h) y");
    // the inner derivative taken along the outer direction would give 0
    fails(2, &twice, r"\(h : Real -> Real) (y : Real) => 0 * h y", 14);
    holds(
        2,
        r"\(f : Real -> Real) (x : Real) => deriv (\y => y * deriv (\z => y + f z) x) x",
        r"\(f : Real -> Real) (x : Real) => deriv f x",
    );
    fails(
        2,
        r"\(f : Real -> Real) (x : Real) => deriv (\y => y * deriv (\z => y + f z) x) x",
        r"\(f : Real -> Real) (x : Real) => deriv f x + 1",
        8,
    );
}

#[test]
fn samples_that_say_nothing_do_not_count() {
    let bottom = r"\(x : Real) => 1 / (x - x)";
    // one in 15 is wanted, and ten times as many without any are enough
    assert_eq!(tried(1, bottom, bottom, TRIALS), TestOutcome::Vacuous { drawn: 150 });
    assert_eq!(tried(1, bottom, r"\(x : Real) => x", TRIALS), TestOutcome::Vacuous { drawn: 150 });
    let none = Property::new(vec![Ty::real()], |_| Verdict::Vacuous);
    assert_eq!(none.run_tests(TestConfig::default()), TestOutcome::Vacuous { drawn: 100 });
    // who asks for more samples has more of them looked at
    let more = TestConfig { samples: 300, max_samples: 3000, ..TestConfig::default() };
    assert_eq!(none.run_tests(more), TestOutcome::Vacuous { drawn: 300 });
    let rare = |share: u64| {
        let asked = AtomicU64::new(0);
        let says = move |_: &[TestTerm]| match asked.fetch_add(1, Ordering::Relaxed) % share {
            0 => Verdict::Survived,
            _ => Verdict::Vacuous,
        };
        Property::new(vec![Ty::real()], says).run_tests(TestConfig::default())
    };
    assert_eq!(rare(10), TestOutcome::Survived);
    assert_eq!(rare(11), TestOutcome::Vacuous { drawn: 1000 });
}

#[test]
fn a_witness_depends_on_the_seed_alone_and_is_small() {
    let law = Property::new(vec![Ty::real(), Ty::real()], |terms| {
        let mentions = |term: &TestTerm| term.contains_head(&mut |head| matches!(head, TermHead::Real(q) if *q > 2));
        let both = mentions(&terms[0]) && mentions(&terms[1]);
        if both { Verdict::refuted("", &terms[0], &terms[1]) } else { Verdict::Survived }
    });
    let trials = TestConfig { samples: 500, max_samples: 500, ..TestConfig::default() };
    let TestOutcome::Refuted(found) = law.run_tests(trials) else { panic!("not refuted") };
    assert_eq!(found.to_string(), "at 3 and 3: 3 is not 3");
    assert_eq!(law.run_tests(trials), TestOutcome::Refuted(found));
}

#[test]
fn equations_are_typed() {
    let error = |binders, left, right| ProgramEquation::new(&LIBRARY, binders, left, right).unwrap_err();
    assert!(error(1, "1", "2").contains("expected 1 arguments, found the type Real"));
    assert!(error(0, "1", "sin").contains("different types: Real, and Real -> Real"));
    assert!(error(0, "sine 1", "1").contains("did you mean") || error(0, "sine 1", "1").contains("not known"));
}

/// Tests that take more than half a second: `cargo quick` passes them over.
mod slow {
    use super::*;

    /// S39, X5: an integral is linear, and its derivative is the integral of the derivative.
    #[test]
    fn integrals_are_linear_and_commute_with_derivatives() {
        let apart = r"\(f : Real -> Real) (c : Real) => integral01 f + c";
        holds(2, r"\(f : Real -> Real) (c : Real) => integral01 (\x => f x + c)", apart);
        fails(2, r"\(f : Real -> Real) (c : Real) => integral01 (\x => f x * c)", apart, 8);
        holds(
            2,
            r"\(f : Real -> Real) (c : Real) => deriv (\c => integral01 (\x => c * f x)) c",
            r"\(f : Real -> Real) (c : Real) => integral01 f",
        );
    }
}
