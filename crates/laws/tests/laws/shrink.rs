//! Of `law::shrink`.

use smoothish_laws::law::generate::program;
use smoothish_laws::law::shrink::*;
use smoothish_laws::law::term::{Head, Term};
use smoothish_laws::syntax::constant::Constant;

/// Shrinks the first programs that use a constant, and asks that they keep using it.
fn shrunk(constant: Constant) -> String {
    let uses = |t: &Term| t.core().is_some() && t.any(&mut |head| *head == Head::Call(constant));
    let term = (0..).map(|index| program(1, index).term).find(uses).unwrap();
    smallest(term, 100_000, uses).to_string()
}

#[test]
fn a_failure_is_shrunk_to_what_makes_it() {
    assert_eq!(shrunk(Constant::Elementary(smoothish_laws::function::Function::Sqrt)), "sqrt 0");
    assert_eq!(
        shrunk(Constant::Functional(smoothish_laws::function::Functional::Integral)),
        "integral01 (\\(v0 : Real) => 0)"
    );
    assert_eq!(shrunk(Constant::Equal), "if ((0 : Nat) == 0) then 0 else 0");
}

#[test]
fn numbers_lose_bits() {
    let wanted = |t: &Term| matches!(&t.head, Head::Real(q) if *q > 2);
    assert_eq!(smallest(Term::real((1001, 64)), 1000, wanted).to_string(), "3");
}

#[test]
fn shrinking_ends_when_everything_fails_and_when_nothing_does() {
    for index in 0..50 {
        let term = program(2, index).term;
        assert_eq!(smallest(term.clone(), 100_000, |_| false), term);
        assert_eq!(smallest(term, 100_000, |_| true).to_string(), "0");
    }
}
