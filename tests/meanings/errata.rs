//! Statements of the papers that are not so, found by asking. True values by hand.

use smoothish::model::answer::AnswerNumber;
use smoothish::number::decimal;
use smoothish::session::{Evaluate, Limits, Session};
use smoothish::value::Value;

/// E47: S → SS with probability p, and else a. That it has ended after n levels is q ↦ 1 - p + p q² from 0 on, and the average number
/// of rules m ↦ 1 + 2pm. At p = ½ what is missing of 1 is at most 2/(n + 2), and the average is n; at 3/5 the limit is 2/3.
#[test]
fn a_grammar_ends_almost_surely_and_is_long() {
    let ended = "let rec ended (p : Real) (n : Nat) : Real = if n == 0 then 0 else 1 - p + p * (ended p (n - 1))^2 in";
    let rules = "let rec rules (p : Real) (n : Nat) : Real = if n == 0 then 0 else 1 + 2 * p * rules p (n - 1) in";
    for (question, low, high) in [
        (format!("{ended} 1 - ended (1/2) 498"), "0.0039526197", "0.004"),
        (format!("{ended} ended (3/5) 200"), "0.6666666666", "0.6666666667"),
        (format!("{ended} deriv (\\p => ended p 200) (3/5)"), "-2.7777777778", "-2.7777777777"),
        (format!("{rules} rules (1/2) 498"), "498", "498"),
    ] {
        let answer = Session::new().ask(&Evaluate::new(&question).with_width("1e-12"), &Limits::none()).unwrap();
        let Value::Real(AnswerNumber::Enclosure(found)) = answer.value() else { panic!("{question}") };
        let [low, high] = [low, high].map(|end| decimal::parse(end).unwrap());
        assert!(*found.enclosure.lo() >= low && *found.enclosure.hi() <= high, "{question}: {}", found.enclosure);
    }
}
