//! The first-order language of S Figs. 3 and 4: its typing rules, its clauses, and its agreement with λ_S.

mod agreement;
mod clauses;
mod typing;

use smoothish::meaning::first_order::denotation::tower_of_term;
use smoothish::meaning::first_order::{FirstOrderContext, FirstOrderTerm};
use smoothish::number::{Context as _, Enclosure, Mpfr, Rational};

fn variable(name: &str) -> FirstOrderTerm {
    FirstOrderTerm::variable(name)
}

fn number(value: i64) -> FirstOrderTerm {
    FirstOrderTerm::number(value)
}

/// The coordinates of the value of a term.
fn values(term: &FirstOrderTerm, context: &FirstOrderContext, at: &[i64]) -> Vec<Enclosure> {
    let arithmetic = Mpfr::new(128);
    let point: Vec<_> = at.iter().map(|x| arithmetic.enclose_rational(&Rational::from(*x))).collect();
    let tower = tower_of_term::<Mpfr>(term, context).unwrap_or_else(|error| panic!("{term}: {error}"));
    let value = tower.value_at(&point, &arithmetic).unwrap_or_else(|error| panic!("{term}: {error}"));
    value.iter().map(|x| arithmetic.to_enclosure(x)).collect()
}

/// The value of a term that is exactly a rational number in each coordinate.
fn exactly(term: &FirstOrderTerm, context: &FirstOrderContext, at: &[i64], expected: &[i64]) {
    let found = values(term, context, at);
    assert_eq!(found.len(), expected.len(), "{term}");
    for (found, expected) in found.iter().zip(expected) {
        assert!(found.is_point() && found.contains(&Rational::from(*expected)), "{term}: {found:?}, not {expected}");
    }
}
