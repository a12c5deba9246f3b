//! The Taylor macro (H §2, §3, §5): representations of operations, of programs, and how large they are.
//!
//! | file | items |
//! |---|---|
//! | `agreement` | X1, X4: every model has the same derivatives; inductive types |
//! | `basis` | H3, H4: how many coordinates, in which order, and what is refused |
//! | `operations` | H5–H8, H12, E24–E26, E29: tables of derivatives, the product of jets, the formula of Faà di Bruno |
//! | `programs` | H9–H11, H14, H15, H25, E28, E31: types, substitution, what the macro refuses |
//! | `restricted` | H13, E30: the quotient (2,2)′ |
//! | `networks` | H1, H26, H27, E33: the examples of the paper |
//! | `command` | `smoothish derive`, `smoothish agree --at` |
//! | `compiled` | the same on `f64`, compiled and step by step |
//! | `sizes` | derived programs for growing R |
//! | `solvers` | roots, optima and kinks; programs in pieces |
//! | `mutants` | wrong rules, each refuted |

mod agreement;
mod basis;
mod command;
mod compiled;
mod mutants;
mod networks;
mod operations;
mod programs;
mod restricted;
mod sizes;
mod solvers;

use smoothish::law::agreement::derivatives::{DerivativePrograms, derivative_programs};
use smoothish::meaning;
use smoothish::meaning::taylor::derive::{DeriveError, DerivedProgram, derive_program};
use smoothish::meaning::taylor::jet::Basis;
use smoothish::model::answer::AnswerNumber;
use smoothish::number::budget::Budget;
use smoothish::number::{Enclosure, Rational, decimal};
use smoothish::syntax::term::Term;
use smoothish::syntax::ty::Ty;
use smoothish::theory::builtin;
use smoothish::theory::loader::TheoryCollection;
use smoothish::value::Value;
use std::sync::{Arc, LazyLock};
use std::time::Duration;

static THEORIES: LazyLock<TheoryCollection> = LazyLock::new(builtin::load_theories);

/// The term and the type of a program over the theories.
#[track_caller]
pub fn infer(program: &str) -> (Term, Ty) {
    THEORIES.library().infer_expression(program).unwrap_or_else(|e| panic!("{program}: {e}"))
}

/// The (k, R) basis.
#[track_caller]
pub fn basis(k: usize, order: usize) -> Basis {
    Basis::new(k, order).expect("a basis")
}

/// The derived program.
pub fn derived(program: &str, basis: &Basis) -> Result<DerivedProgram, DeriveError> {
    let (term, ty) = infer(program);
    derive_program(&term, &ty, basis)
}

/// The derived program at arguments that are programs themselves, as a program: `(derived) a b`.
#[track_caller]
pub fn derived_at(program: &str, basis: &Basis, arguments: &[&str]) -> String {
    let derived = derived(program, basis).unwrap_or_else(|e| panic!("{program}: {e}"));
    let text = derived.format_program().unwrap_or_else(|e| panic!("{program}: {e}"));
    let arguments: String = arguments.iter().map(|argument| format!(" ({argument})")).collect();
    format!("({text}){arguments}")
}

/// The numbers of an answer of the presheaf model, from left to right.
#[track_caller]
pub fn enclosures(term: &Term, ty: &Ty) -> Vec<Enclosure> {
    numbers("presheaf", term, ty)
        .into_iter()
        .map(|number| match number {
            AnswerNumber::Enclosure(answer) => answer.enclosure,
            AnswerNumber::Float { .. } => panic!("a floating-point number"),
        })
        .collect()
}

/// The numbers of an answer of the float model, from left to right.
#[track_caller]
pub fn floats(program: &str) -> Vec<f64> {
    let (term, ty) = infer(program);
    numbers("float", &term, &ty)
        .into_iter()
        .map(|number| match number {
            AnswerNumber::Float { value, .. } => value,
            AnswerNumber::Enclosure(_) => panic!("an enclosure"),
        })
        .collect()
}

#[track_caller]
fn numbers(model: &str, term: &Term, ty: &Ty) -> Vec<AnswerNumber> {
    let budget = Arc::new(Budget::with_time_limit(Duration::from_secs(60)));
    let eps = decimal::parse("1e-12").expect("a decimal");
    let answer = meaning::semantics_named(model).expect("a model").evaluate(term, ty, &eps, &budget);
    let mut found = Vec::new();
    collect(&answer.unwrap_or_else(|e| panic!("{term}: {e}")).value, &mut found);
    found
}

/// Collects the numbers of a value, from left to right.
pub fn collect(reply: &Value<AnswerNumber>, found: &mut Vec<AnswerNumber>) {
    match reply {
        Value::Real(number) => found.push(number.clone()),
        Value::Tuple(_) | Value::List(_) | Value::Variant(..) => {
            reply.direct_parts().for_each(|part| collect(part, found))
        }
        _ => {}
    }
}

/// The jet of a coordinate function at a point, to an order in one direction: its components, as text.
pub fn jet_text(point: &str, order: usize) -> String {
    format!("{point}, 1{}", ", 0".repeat(order - 1))
}

/// The enclosures of a program over the theories.
#[track_caller]
pub fn ask(program: &str) -> Vec<Enclosure> {
    let (term, ty) = infer(program);
    enclosures(&term, &ty)
}

/// Two lists of enclosures, all narrow, of the same numbers.
#[track_caller]
pub fn same(left: &[Enclosure], right: &[Enclosure], about: &str) {
    assert_eq!(left.len(), right.len(), "{about}");
    let eps = decimal::parse("1e-9").expect("a decimal");
    for (place, (a, b)) in left.iter().zip(right).enumerate() {
        assert!(a.is_defined() && b.is_defined(), "{about}: {place}: {a:?} {b:?}");
        assert!(a.overlaps(b), "{about}: {place}: {a:?} {b:?}");
        // numbers may be large
        let size = Rational::from(1) + a.lo().to_rational().expect("a bound").abs();
        assert!(
            a.has_width_at_most(&(size.clone() * &eps)) && b.has_width_at_most(&(size * &eps)),
            "{about}: {place}: {a:?} {b:?}"
        );
    }
}

/// The numbers of a program are these.
#[track_caller]
pub fn is(program: &str, expected: &str) {
    same(&ask(program), &ask(expected), program);
}

/// The derivatives of a program at a point, by `deriv` and by the macro.
#[track_caller]
pub fn both(program: &str, point: &[Rational], order: usize) -> [Vec<Enclosure>; 2] {
    let (term, ty) = infer(program);
    let DerivativePrograms { ty, nested, derived, .. } =
        derivative_programs(&term, &ty, point, order).unwrap_or_else(|e| panic!("{program}: {e}"));
    let (_, value) = derived.unwrap_or_else(|e| panic!("{program}: {e}"));
    [enclosures(&nested, &ty), enclosures(&value, &ty)]
}
