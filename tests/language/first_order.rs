//! The first-order language of S Figs. 3 and 4: its typing rules, its clauses, and its agreement with λ_S.

mod agreement;
mod clauses;
#[expect(dead_code, reason = "an example, of which some parts are tried")]
#[path = "../../examples/first_order/main.rs"]
mod example;
mod typing;

use crate::first_order::example::language::meaning::tower;
use crate::first_order::example::language::{Context, Term};
use smoothish::number::{Context as _, Enclosure, Mpfr, Rational};

fn variable(name: &str) -> Term {
    Term::variable(name)
}

fn number(value: i64) -> Term {
    Term::number(value)
}

/// The coordinates of the value of a term.
fn values(term: &Term, context: &Context, at: &[i64]) -> Vec<Enclosure> {
    let arithmetic = Mpfr::new(128);
    let point: Vec<_> = at.iter().map(|x| arithmetic.enclose_rational(&Rational::from(*x))).collect();
    let tower = tower::<Mpfr>(term, context).unwrap_or_else(|error| panic!("{term}: {error}"));
    let value = tower.value_at(&point, &arithmetic).unwrap_or_else(|error| panic!("{term}: {error}"));
    value.iter().map(|x| arithmetic.to_enclosure(x)).collect()
}

/// The value of a term that is exactly a rational number in each coordinate.
fn exactly(term: &Term, context: &Context, at: &[i64], expected: &[i64]) {
    let found = values(term, context, at);
    assert_eq!(found.len(), expected.len(), "{term}");
    for (found, expected) in found.iter().zip(expected) {
        assert!(found.is_point() && found.contains(&Rational::from(*expected)), "{term}: {found:?}, not {expected}");
    }
}
