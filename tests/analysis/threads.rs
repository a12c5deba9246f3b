//! Answers do not depend on how many threads work on them.

use super::Counted;
use smoothish::model::answer::Number;
use smoothish::number::budget::Budget;
use smoothish::number::effort::Effort;
use smoothish::number::{Double, Magnitude};
use smoothish::parallel::{cores, in_order};
use smoothish::session::{Evaluate, Limits, Session};
use smoothish::smooth::algebra::Algebra;
use smoothish::smooth::graph::{Graph, Site, Variable};
use smoothish::smooth::machine::switch::{Events, Look};
use smoothish::smooth::machine::{Machine, Target};
use smoothish::smooth::program::Program;
use smoothish::smooth::solve::Function;
use smoothish::value::Value;
use std::thread;

fn asked((question, eps): (&str, &str)) -> (String, u64) {
    let answer = Session::new().ask(&Counted(Evaluate::new(question).within(eps)), &Limits::none()).unwrap();
    let (Value::Real(Number::Enclosure(found)), work) = answer.value() else { panic!("{question}") };
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
        let mut alone = in_order(2, vec![None, Some(question)], |part| {
            let one = |question: Option<_>| {
                assert_eq!(cores(), 1);
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
    let program = Program::compile(&[], &[Graph::integral(x, Graph::variable(x))]);
    let (block, budget, real) = (crate::integrand(&program), Budget::unlimited(), Algebra::real());
    let effort = Effort::new(Magnitude::power_of_two(-40), &budget);
    let machine = Machine::new(&Double, &effort, &real, &program);
    let events = Events::default();
    let f = Function::new(&machine, &block, &[], Site(0), &events);
    let own = thread::current().id();
    let made = f.each((0..9).collect(), Some(1 << 40), |f, place| {
        match place {
            2 => f.machine.effort.leave_open(),
            3 | 7 => f.machine.effort.assume_promise(10 - place),
            5 => f.machine.edges.note_any(),
            6 => f.events.note(Look::Finish, Target::Outputs),
            8 => f.events.note(Look::Start, Target::Outputs),
            _ => {}
        }
        Ok((place, thread::current().id()))
    });
    let made = made.unwrap();
    assert!(made.iter().map(|(place, _)| *place).eq(0..9), "{made:?}");
    assert_eq!(made.iter().any(|(_, id)| *id != own), cores() > 1, "{made:?}");
    assert!(effort.is_open() && machine.edges.are_met());
    assert_eq!(effort.assumed(), [7, 3]);
    let expected = Events::default();
    expected.note(Look::Finish, Target::Outputs);
    expected.note(Look::Start, Target::Outputs);
    assert_eq!(format!("{events:?}"), format!("{expected:?}"));
    // under a limit of work there is one thread
    let budget = Budget::new(1 << 50, None, None);
    let effort = Effort::new(Magnitude::power_of_two(-40), &budget);
    let machine = Machine::new(&Double, &effort, &real, &program);
    let f = Function { machine: &machine, ..f };
    let made = f.each((0..9).collect(), Some(1 << 40), |_, _: u32| Ok(thread::current().id())).unwrap();
    assert!(made.iter().all(|id| *id == own));
}
