//! Limited recursion (A §6.2).

use super::*;
use smoothish::trace::term::approximant;

fn at(text: &str, n: u64) -> String {
    shown(&run_term(&approximant(&program(text).term, n), Strategy::Accumulated))
}

/// That a limited recursion has no value is certain, where that of an endless one is not known.
#[test]
fn a_limit_is_certain() {
    let omega = program("let rec f (x : Real) : Real = f (x + 1) in f 0");
    let undefined =
        |term: &CoreTerm| run_term(term, Strategy::Accumulated).unwrap_err().as_undefined().cloned().unwrap();
    assert!(undefined(&approximant(&omega.term, 50)).certain);
    assert!(!undefined(&omega.term).certain);
}

/// Derivatives of limited recursions are those of the approximants.
#[test]
fn derivatives_take_as_much_fuel() {
    let f = r"let rec f (x : Real) : Real = if 10 < x then x else f (x * x) in rd f 2 1";
    assert_eq!([at(f, 2), at(f, 3)], ["fuel", "32"]);
}
