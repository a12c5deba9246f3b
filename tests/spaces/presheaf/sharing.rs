//! What the elements of the language share stays shared: small programs whose values are large when written out.

use smoothish::model::answer::AnswerNumber;
use smoothish::session::{Answer, Diagnostic, Evaluate, Limits, Session};
use smoothish::value::Value;

fn ask(program: &str) -> Result<Value<AnswerNumber>, Diagnostic> {
    Session::default().ask(&Evaluate::new(program).with_width("1e-6"), &Limits::none()).map(Answer::into_value)
}

/// `[[… [t, t] …], …]`, a list of 2ⁿ copies of t in n nested lists.
fn doubled(levels: usize) -> String {
    let steps: Vec<String> = (1..=levels).map(|n| format!("let d{n} = [d{}, d{}] in ", n - 1, n - 1)).collect();
    format!("let d0 = [t] in {}d{levels}", steps.concat())
}

/// Restriction along the point of the tangent looks at each list once.
#[test]
fn tangents_of_shared_lists_are_restricted_once() {
    let program = format!(
        "let g t = ({}) in match tangentValue (tangent g (tangent_R.from (1, 1))) with [] => 0 | x :: r => 5.0",
        doubled(40)
    );
    let value = ask(&program).unwrap_or_else(|error| panic!("{error}"));
    assert!(matches!(value, Value::Real(AnswerNumber::Enclosure(found)) if found.enclosure.contains(&5.into())));
}

#[test]
fn an_answer_has_a_largest_size() {
    let error = ask(&format!("let t = 1 in {}", doubled(40))).expect_err("2⁴⁰ parts");
    assert_eq!(error.to_string(), "the answer has more than 100000 parts; take some of them");
    assert!(ask(&format!("let t = 1.0 in {}", doubled(5))).is_ok());
}
