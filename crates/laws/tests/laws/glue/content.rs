//! What samples contain, and what a statement says that holds of samples which contain little.

use crate::glue::lemma::RIGHT;
use smoothish_laws::glue::change::Use;
use smoothish_laws::glue::lemma::fundamental_lemma;
use smoothish_laws::glue::theorems::named;
use smoothish_laws::glue::trial::{Experiment, Trials};
use smoothish_laws::law::term::{Head, Term};
use smoothish_laws::number::Rational;
use smoothish_laws::random::Random;
use smoothish_laws::syntax::constant::Constant;
use smoothish_laws::syntax::data::Constructor;
use smoothish_laws::syntax::ty::Ty;

/// The least share of the programs, in percent, of each use.
fn least(of: Use) -> f64 {
    match of {
        Use::Function => 20.0,
        Use::Fold | Use::Match => 10.0,
        Use::Inductive => 5.0,
    }
}

/// How many programs of each theorem are looked into.
const PROGRAMS: u64 = 40;

fn x() -> Term {
    Term::new(Head::Variable(1), Ty::real(), Vec::new())
}

/// `\x => body`
fn of_x(body: Term) -> Term {
    let ty = Ty::function(Ty::real(), body.ty.clone());
    Term::new(Head::Lambda(1, Ty::real()), ty, vec![body])
}

/// The fundamental lemma of one program.
fn about(program: Term) -> Experiment<'static> {
    Experiment { draw: Box::new(move |_: &mut Random| vec![program.clone()]), ..fundamental_lemma(RIGHT) }
}

fn uses(program: Term) -> [bool; 4] {
    let statement = about(program);
    let sample = statement.sample(&Trials::new(1, 1), 0).unwrap();
    statement.uses(&sample).unwrap()
}

/// `let f = \y => body in rest`
fn with_function(body: Term, rest: impl FnOnce(Term) -> Term) -> Term {
    let unary = Ty::function(Ty::real(), Ty::real());
    let function = Term::new(Head::Lambda(2, Ty::real()), unary.clone(), vec![body]);
    let rest = rest(Term::new(Head::Variable(3), unary, Vec::new()));
    Term::new(Head::Let(3), rest.ty.clone(), vec![function, rest])
}

fn apply(function: Term, argument: Term) -> Term {
    Term::new(Head::Apply, Ty::real(), vec![function, argument])
}

fn operation(constant: Constant, a: Term, b: Term) -> Term {
    Term::operation(constant, vec![a, b])
}

#[test]
fn a_function_is_used_where_another_one_would_show() {
    let y = || Term::new(Head::Variable(2), Ty::real(), Vec::new());
    let applied = with_function(y(), |f| apply(f, x()));
    assert_eq!(uses(of_x(applied)), [true, false, false, false]);
    let thrown_away = |f: Term| operation(Constant::Multiply, Term::real(0), apply(f, x()));
    let ignored = with_function(y(), |f| operation(Constant::Add, x(), thrown_away(f)));
    assert_eq!(uses(of_x(ignored)), [false; 4]);
    // at a number that does not move only the value would be another
    let at_a_number = with_function(y(), |f| operation(Constant::Add, x(), apply(f, Term::real(2))));
    assert_eq!(uses(of_x(at_a_number)), [false; 4]);
}

/// `fold (\y s => body) 1 [x, 2]`
fn fold(body: fn(Term, Term) -> Term) -> Term {
    let real = Ty::real;
    let [y, s] = [2, 3].map(|id| Term::new(Head::Variable(id), real(), Vec::new()));
    let unary = Ty::function(real(), real());
    let inner = Term::new(Head::Lambda(3, real()), unary.clone(), vec![body(y, s)]);
    let step = Term::new(Head::Lambda(2, real()), Ty::function(real(), unary), vec![inner]);
    let list = Ty::list(real());
    let nil = Term::new(Head::Inject(Constructor::nil()), list.clone(), Vec::new());
    let cons = |x, rest| Term::new(Head::Inject(Constructor::cons()), list.clone(), vec![x, rest]);
    Term::call(Constant::Fold, real(), vec![step, Term::real(1), cons(x(), cons(Term::real(2), nil))])
}

#[test]
fn a_fold_is_used_where_its_state_and_its_elements_show() {
    assert_eq!(uses(of_x(fold(|y, s| operation(Constant::Multiply, y, s)))), [false, true, false, false]);
    // the elements alone, and the state alone
    assert_eq!(uses(of_x(fold(|y, _| y))), [false; 4]);
    let state = operation(Constant::Multiply, x(), fold(|_, s| s));
    assert_eq!(uses(of_x(state)), [false; 4]);
}

#[test]
fn what_ignores_its_inputs_survives_and_does_not_hold() {
    let constant = about(of_x(Term::real(Rational::from(3))));
    let tally = constant.tried(&Trials::new(20, 1)).unwrap();
    assert_eq!((tally.survived, tally.moving, tally.holds()), (20, 0, false));
}

#[test]
fn without_a_claim_on_a_number_nothing_is_said() {
    let natural = Term::new(Head::Nat(3), Ty::nat(), Vec::new());
    let tally = about(of_x(natural)).tried(&Trials::new(20, 1)).unwrap();
    assert_eq!((tally.survived, tally.vacuous, tally.holds()), (0, 20, false));
}

/// Tests that take more than half a second: `cargo quick` passes them over.
mod slow {
    use super::*;

    /// A theorem about programs is tried on programs that have what it is about.
    #[test]
    fn programs_use_what_they_bind() {
        for name in ["theorem-3", "fundamental-lemma", "theorem-8", "diagram-4", "initiality", "uniqueness"] {
            let trials = Trials { looks: true, ..Trials::new(PROGRAMS, 1) };
            let tally = named(name).unwrap().statement(RIGHT).tried(&trials).unwrap();
            println!("{name}: {} of {} move; {}", tally.moving, tally.survived, tally.contents);
            assert_eq!(tally.contents.programs, PROGRAMS, "{name}");
            for of in Use::ALL {
                assert!(tally.contents.percent(of) >= least(of), "{name}: {}", tally.contents);
            }
            let moving = tally.moving;
            assert!(moving * 10 >= PROGRAMS * 9, "{name}: {moving} of {PROGRAMS} have a derivative that is not 0");
        }
    }
}
