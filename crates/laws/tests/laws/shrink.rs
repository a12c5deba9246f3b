//! Of `law::shrink`.

use smoothish_laws::law::generate::random_program;
use smoothish_laws::law::term::{TermHead, TestTerm, *};
use smoothish_laws::syntax::constant::Constant;

/// Shrinks the first programs that use a constant, and asks that they keep using it.
fn shrunk(constant: Constant) -> String {
    let uses = |t: &TestTerm| t.to_core().is_some() && t.contains_head(&mut |head| *head == TermHead::Call(constant));
    let term = (0..).map(|index| random_program(1, index).term).find(uses).unwrap();
    shrink_term(term, 100_000, uses).to_string()
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
    let wanted = |t: &TestTerm| matches!(&t.head, TermHead::Real(q) if *q > 2);
    assert_eq!(shrink_term(TestTerm::real_literal((1001, 64)), 1000, wanted).to_string(), "3");
}

#[test]
fn shrinking_ends_when_everything_fails_and_when_nothing_does() {
    for index in 0..50 {
        let term = random_program(2, index).term;
        assert_eq!(shrink_term(term.clone(), 100_000, |_| false), term);
        assert_eq!(shrink_term(term, 100_000, |_| true).to_string(), "0");
    }
}
