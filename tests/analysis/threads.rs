//! Answers do not depend on how many threads work on them.

use super::Counted;
use smoothish::model::answer::AnswerNumber;
use smoothish::number::accuracy::PassOptions;
use smoothish::number::budget::Budget;
use smoothish::number::{Double, Magnitude};
use smoothish::parallel::{available_threads, par_map};
use smoothish::session::{Evaluate, Limits, Session};
use smoothish::smooth::algebra::Algebra;
use smoothish::smooth::graph::{Graph, SourceId, Variable};
use smoothish::smooth::machine::switch::{BinderView, SolverEvents};
use smoothish::smooth::machine::{EvalTarget, JetEvaluator};
use smoothish::smooth::program::CompiledMap;
use smoothish::smooth::solve::SolverFunction;
use smoothish::value::Value;
use std::thread;

fn asked((question, eps): (&str, &str)) -> (String, u64) {
    let answer = Session::new().ask(&Counted(Evaluate::new(question).with_width(eps)), &Limits::none()).unwrap();
    let (Value::Real(AnswerNumber::Enclosure(found)), work) = answer.value() else { panic!("{question}") };
    assert!(found.reached, "{question}");
    (format!("{:?} {:?}", found.enclosure, answer.notes()), *work)
}

/// Integrals of integrals, roots and optima, with their derivatives, to the last bit and step, once with all cores and once as a part of something
/// that has taken the others.
#[test]
fn one_thread_and_all_have_the_same_answers() {
    for question in [
        (r"integral01 (\x => integral01 (\y => sqrt (max 0 (1 - x^2 - y^2))))", "1e-4"),
        (r"integral01 (\x => integral01 (\y => exp (x*y)))", "1e-40"),
        (r"deriv (\c => integral01 (\x => integral01 (\y => 1/(1 + c*(x + y))))) 1", "1e-15"),
        (r"deriv (\k => integral01 (\x => integral01 (\y => max 0 (x*y - k)))) 0.3", "1e-20"),
        (r"integral01 (\x => max01 (\y => y*sin (3*x*y)))", "1e-6"),
        (r"integral01 (\x => cutRoot (\m => 2 - exp (m*(1 + x))))", "1e-30"),
        (r"max01 (\c => integral01 (\x => abs (sin (5*x) - c*x)))", "1e-6"),
        // a promise, and a sum that is told in the meantime
        (r"integral01 (\x => integral01 (\y => abs (x^2 - y)))", "1e-12"),
    ] {
        let all = asked(question);
        let mut alone = par_map(2, vec![None, Some(question)], |part| {
            let one = |question: Option<_>| {
                assert_eq!(available_threads(), 1);
                question.map(asked)
            };
            part.into_iter().map(one).collect()
        });
        assert_eq!(Some(all), alone.pop().flatten(), "{}", question.0);
    }
}

/// What a place leaves open, assumes, meets and cannot decide is told to the solver, in the order of the places.
#[test]
fn what_other_threads_notice_is_told() {
    let x = Variable::fresh();
    let program = CompiledMap::compile(&[], &[Graph::integral(x, Graph::variable(x))]);
    let (block, budget, real) = (crate::integrand(&program), Budget::unlimited(), Algebra::real());
    let effort = PassOptions::new(Magnitude::power_of_two(-40), &budget);
    let machine = JetEvaluator::new(&Double, &effort, &real, &program);
    let events = SolverEvents::default();
    let f = SolverFunction::new(&machine, &block, &[], SourceId(0), &events);
    let own = thread::current().id();
    let made = f.map_places((0..9).collect(), Some(1 << 40), |f, place| {
        match place {
            2 => f.machine.effort.record_open(),
            3 | 7 => f.machine.effort.record_promise(10 - place),
            5 => f.machine.edges.record_unknown_boundary(),
            6 => f.events.record_undecided(BinderView::AtOne, EvalTarget::Outputs),
            8 => f.events.record_undecided(BinderView::AtZero, EvalTarget::Outputs),
            _ => {}
        }
        Ok((place, thread::current().id()))
    });
    let made = made.unwrap();
    assert!(made.iter().map(|(place, _)| *place).eq(0..9), "{made:?}");
    assert_eq!(made.iter().any(|(_, id)| *id != own), available_threads() > 1, "{made:?}");
    assert!(effort.is_open() && machine.edges.is_met());
    assert_eq!(effort.assumed_promises(), [7, 3]);
    let expected = SolverEvents::default();
    expected.record_undecided(BinderView::AtOne, EvalTarget::Outputs);
    expected.record_undecided(BinderView::AtZero, EvalTarget::Outputs);
    assert_eq!(format!("{events:?}"), format!("{expected:?}"));
    // under a limit of work there is one thread
    let budget = Budget::new(1 << 50, None, None);
    let effort = PassOptions::new(Magnitude::power_of_two(-40), &budget);
    let machine = JetEvaluator::new(&Double, &effort, &real, &program);
    let f = SolverFunction { machine: &machine, ..f };
    let made = f.map_places((0..9).collect(), Some(1 << 40), |_, _: u32| Ok(thread::current().id())).unwrap();
    assert!(made.iter().all(|id| *id == own));
}
