//! What samples contain, and what a statement says that holds of samples which contain little.

use crate::glue::lemma::RIGHT;
use smoothish_laws::glue::lemma::fundamental_lemma;
use smoothish_laws::glue::theorems::find_theorem;
use smoothish_laws::glue::trial::{TheoremTest, TheoremTestConfig, UsedConstruct};
use smoothish_laws::law::term::{TermHead, TestTerm};
use smoothish_laws::number::Rational;
use smoothish_laws::random::SplitMix64;
use smoothish_laws::syntax::constant::Constant;
use smoothish_laws::syntax::data::Constructor;
use smoothish_laws::syntax::ty::Ty;

/// The least share of the programs, in percent, of each use.
fn least(of: UsedConstruct) -> f64 {
    match of {
        UsedConstruct::Function => 20.0,
        UsedConstruct::Fold | UsedConstruct::Match => 10.0,
        UsedConstruct::Inductive => 5.0,
    }
}

/// How many programs of each theorem are looked into.
fn programs() -> u64 {
    crate::in_tiers(40, 80)
}

fn x() -> TestTerm {
    TestTerm::new(TermHead::Variable(1), Ty::real(), Vec::new())
}

/// `\x => body`
fn of_x(body: TestTerm) -> TestTerm {
    let ty = Ty::function(Ty::real(), body.ty.clone());
    TestTerm::new(TermHead::Lambda(1, Ty::real()), ty, vec![body])
}

/// The fundamental lemma of one program.
fn about(program: TestTerm) -> TheoremTest<'static> {
    TheoremTest { draw: Box::new(move |_: &mut SplitMix64| vec![program.clone()]), ..fundamental_lemma(RIGHT) }
}

fn uses(program: TestTerm) -> [bool; 4] {
    let statement = about(program);
    let sample = statement.draw_sample(&TheoremTestConfig::new(1, 1), 0).unwrap();
    statement.used_constructs(&sample).unwrap()
}

/// `let f = \y => body in rest`
fn with_function(body: TestTerm, rest: impl FnOnce(TestTerm) -> TestTerm) -> TestTerm {
    let unary = Ty::function(Ty::real(), Ty::real());
    let function = TestTerm::new(TermHead::Lambda(2, Ty::real()), unary.clone(), vec![body]);
    let rest = rest(TestTerm::new(TermHead::Variable(3), unary, Vec::new()));
    TestTerm::new(TermHead::Let(3), rest.ty.clone(), vec![function, rest])
}

fn apply(function: TestTerm, argument: TestTerm) -> TestTerm {
    TestTerm::new(TermHead::Apply, Ty::real(), vec![function, argument])
}

fn operation(constant: Constant, a: TestTerm, b: TestTerm) -> TestTerm {
    TestTerm::real_operation(constant, vec![a, b])
}

#[test]
fn a_function_is_used_where_another_one_would_show() {
    let y = || TestTerm::new(TermHead::Variable(2), Ty::real(), Vec::new());
    let applied = with_function(y(), |f| apply(f, x()));
    assert_eq!(uses(of_x(applied)), [true, false, false, false]);
    let thrown_away = |f: TestTerm| operation(Constant::Multiply, TestTerm::real_literal(0), apply(f, x()));
    let ignored = with_function(y(), |f| operation(Constant::Add, x(), thrown_away(f)));
    assert_eq!(uses(of_x(ignored)), [false; 4]);
    // at a number that does not move only the value would be another
    let at_a_number = with_function(y(), |f| operation(Constant::Add, x(), apply(f, TestTerm::real_literal(2))));
    assert_eq!(uses(of_x(at_a_number)), [false; 4]);
}

/// `fold (\y s => body) 1 [x, 2]`
fn fold(body: fn(TestTerm, TestTerm) -> TestTerm) -> TestTerm {
    let real = Ty::real;
    let [y, s] = [2, 3].map(|id| TestTerm::new(TermHead::Variable(id), real(), Vec::new()));
    let unary = Ty::function(real(), real());
    let inner = TestTerm::new(TermHead::Lambda(3, real()), unary.clone(), vec![body(y, s)]);
    let step = TestTerm::new(TermHead::Lambda(2, real()), Ty::function(real(), unary), vec![inner]);
    let list = Ty::list(real());
    let nil = TestTerm::new(TermHead::Inject(Constructor::nil()), list.clone(), Vec::new());
    let cons = |x, rest| TestTerm::new(TermHead::Inject(Constructor::cons()), list.clone(), vec![x, rest]);
    TestTerm::apply_constant(
        Constant::Fold,
        real(),
        vec![step, TestTerm::real_literal(1), cons(x(), cons(TestTerm::real_literal(2), nil))],
    )
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
    let constant = about(of_x(TestTerm::real_literal(Rational::from(3))));
    let tally = constant.run_test(&TheoremTestConfig::new(20, 1)).unwrap();
    assert_eq!((tally.survived, tally.with_nonzero_slope, tally.has_passed()), (20, 0, false));
}

#[test]
fn without_a_claim_on_a_number_nothing_is_said() {
    let natural = TestTerm::new(TermHead::Nat(3), Ty::nat(), Vec::new());
    let tally = about(of_x(natural)).run_test(&TheoremTestConfig::new(20, 1)).unwrap();
    assert_eq!((tally.survived, tally.vacuous, tally.has_passed()), (0, 20, false));
}

/// Tests that take more than half a second: `cargo quick` passes them over.
mod slow {
    use super::*;

    /// A theorem about programs is tried on programs that have what it is about.
    #[test]
    fn programs_use_what_they_bind() {
        for name in ["theorem-3", "fundamental-lemma", "theorem-8", "diagram-4", "initiality", "uniqueness"] {
            let trials = TheoremTestConfig { counts_uses: true, ..TheoremTestConfig::new(programs(), 1) };
            let tally = find_theorem(name).unwrap().make_test(RIGHT).run_test(&trials).unwrap();
            println!("{name}: {} of {} move; {}", tally.with_nonzero_slope, tally.survived, tally.contents);
            assert_eq!(tally.contents.programs, programs(), "{name}");
            for of in UsedConstruct::ALL {
                assert!(tally.contents.percent_using(of) >= least(of), "{name}: {}", tally.contents);
            }
            let moving = tally.with_nonzero_slope;
            assert!(
                moving * 10 >= programs() * 9,
                "{name}: {moving} of {} have a derivative that is not 0",
                programs()
            );
        }
    }
}
