//! The reference of the book, which is written from the constants and the theories.
//!
//! `UPDATE=1 cargo test --test house reference` writes it; read the difference before you keep it.

use smoothish::cli::evaluator::TheorySession;
use smoothish::cli::reference;
use smoothish::cli::reference::render_chapter;
use smoothish::syntax::constant::{Constant, Topic};
use smoothish::theory::check;
use smoothish::theory::format::RESERVED;
use smoothish::theory::trial::{StatementOutcome, StatementTestConfig};
use std::collections::HashSet;
use std::fs;
use std::path::PathBuf;
use std::sync::Arc;

const PATH: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/book/src/reference.md");

#[test]
fn the_reference_is_what_the_tables_say() {
    let written = render_chapter(&mut TheorySession::load()).expect("every example has an answer");
    if std::env::var_os("UPDATE").is_some_and(|v| v == "1") {
        fs::write(PATH, &written).unwrap();
    }
    let kept = fs::read_to_string(PATH).unwrap();
    let changed = kept.lines().zip(written.lines()).find(|(kept, written)| kept != written);
    assert_eq!(changed, None, "UPDATE=1 writes the chapter anew");
    assert_eq!(kept.len(), written.len(), "UPDATE=1 writes the chapter anew");
}

/// What a topic names of the theories is there, so that none is left out of the lists.
#[test]
fn what_a_topic_names_is_defined() {
    let library = TheorySession::load();
    for (theory, names) in Topic::ALL.iter().flat_map(|topic| topic.library_definitions()) {
        let module = library.modules().module(theory).expect(theory);
        assert!(names.iter().all(|name| module.find_definition(name).is_some()), "{theory}: {names:?}");
    }
}

/// Each definition of a theory says what it means, in words of its own, and shows it.
#[test]
fn a_definition_says_what_it_means() {
    let written = render_chapter(&mut TheorySession::load()).expect("every definition has an example");
    let (mut rows, mut meanings) = (0, HashSet::new());
    for line in written.lines() {
        if line.starts_with("### ") {
            meanings.clear();
        }
        let line = line.replace("\\|", "¦");
        let cells: Vec<&str> = line.trim_matches('|').split('|').map(str::trim).collect();
        if let [name, _, meaning, question, answer] = cells[..]
            && name.starts_with('`')
        {
            rows += 1;
            assert!(meaning.chars().count() >= 9 && meanings.insert(meaning.to_owned()), "{name}: {meaning}");
            let leans = ["That of", "The same", "Their", "It ", "On ", "With ", "And ", "One "];
            assert!(!leans.iter().any(|opening| meaning.starts_with(opening)), "{name} leans on another: {meaning}");
            assert!(question.contains(name.trim_matches('`')), "{name}: {question}");
            assert!(!answer.contains("inf") && !answer.contains('⊥'), "{name}: {answer}");
        }
    }
    assert!(rows > 280, "{rows} definitions");
}

/// A library of the usual theories and of one more.
fn with(name: &str, theory: &str) -> TheorySession {
    let file = PathBuf::from(env!("CARGO_TARGET_TMPDIR")).join(format!("{name}.theory"));
    fs::write(&file, theory).unwrap();
    let mut library = TheorySession::load();
    library.load_files(&[file]).expect("it can be read");
    library
}

/// What is shown of a name that several theories have is asked at the prompt as that of its own.
#[test]
fn an_example_is_of_its_own_theory() {
    let mut library = TheorySession::load();
    for (theory, name, question) in [
        ("Trace", "product", "Trace.product [Prior (Normal (0, 1), λ _ ⇒ 0.5), Score 3]"),
        ("Maximizer", "union", "Maximizer.union (point 1) (point 3) square"),
        ("Category", "identity", "Category.identity 3"),
    ] {
        assert_eq!(reference::find_example(&mut library, theory, name).unwrap().question, question);
    }
    // an example of Pap has a value in a model of partial functions only
    let example = reference::find_example(&mut library, "Pap", "reluClosed").unwrap();
    assert_eq!(example.to_string(), "deriv reluClosed 0 is 1 in the model pap");
    // and a set is one
    let example = reference::find_example(&mut library, "Clarke", "somewhere").unwrap();
    assert_eq!(example.to_string(), "somewhere is [0, 1]");
}

/// What an example shows is what its theory claims: a wrong claim is shown with the right answer, and refuted.
#[test]
fn a_wrong_claim_is_refuted_by_the_answer_it_would_show() {
    let wrong = "theory Own extends Prelude\n! Half of x.\nlet half (x : ℜ) : ℜ = x / 2\n\
        claim halved : half 3 within 1e-9 of 1.6 because \"not so\"\n";
    let mut library = with("wrong", wrong);
    assert_eq!(reference::find_example(&mut library, "Own", "half").unwrap().to_string(), "half 3 is 1.5");
    let own = library.theories().find_theory("Own").unwrap();
    let (tasks, mut found) = (check::list_tasks(&[own], &[]), Vec::new());
    let shared = Arc::new(library.theories().library().clone());
    check::run_tasks(&shared, &tasks, &StatementTestConfig::default(), 1, |finding| found.push(finding.outcome));
    assert!(matches!(found[..], [StatementOutcome::Refuted(_)]), "{found:?}");
}

/// An example is one of its own constant, in the words of the language.
#[test]
fn an_example_uses_its_constant() {
    let mut library = TheorySession::load();
    for constant in Constant::ALL {
        let Some(example) = constant.example() else { continue };
        let word = constant.operator_sign().unwrap_or(constant.name());
        let word = if *constant == Constant::Negate { "-" } else { word };
        assert!(example.contains(word), "{word}: {example}");
        assert!(
            !smoothish::cli::reference::answer_example(&mut library, &example).unwrap().contains("inf"),
            "{example}"
        );
    }
    let without = Constant::ALL.iter().filter(|constant| constant.example().is_none());
    assert_eq!(without.count(), 0);
}

/// An example without an answer would not get into the book.
#[test]
fn what_has_no_plain_answer_is_no_example() {
    let mut library = TheorySession::load();
    for example in ["deriv abs 0", "1 / 0", "\\x => x", "nothing"] {
        assert!(smoothish::cli::reference::answer_example(&mut library, example).is_err(), "{example}");
    }
}

/// What people look for by its name in NumPy, SciPy, JAX, MATLAB, Mathematica or Julia leads to what the library has.
#[test]
fn names_of_other_libraries_lead_to_what_is_here() {
    let mut library = TheorySession::load();
    let sought = [
        (
            "integral quad integrate integration nintegrate NIntegrate Integrate quadgk quad_vec romberg trapz simpson",
            "integral a b f",
        ),
        ("dblquad integral2 hcubature", "integral 0 1"),
        ("derivative grad value_and_grad ForwardDiff jacrev D diff", "deriv"),
        ("gradient autograd Grad", "gradient"),
        ("jacobian jacfwd Jacobian", "jacobian"),
        ("vjp pullback", "rd f x w"),
        ("hessian hvp Hessian", "hessian"),
        ("brentq bisect fzero find_zero root_scalar fsolve FindRoot Solve", "root a b f"),
        ("minimize fminbnd NMinimize argmin", "argminOn a b f"),
        ("maximize NMaximize argmax", "argmaxOn a b f"),
        ("norm Norm hypot", "norm"),
        ("inner vdot dot Dot", "dot"),
        ("matmul mm matrix eye", "matrix2"),
        ("inv inverse Inverse pinv", "inverse"),
        ("linsolve lstsq LinearSolve", "linearSolve"),
        ("vmap arrayfun Table map", "map"),
        ("arange linspace", "linspace a b n"),
        ("prod Product", "fold"),
        ("polyval evalpoly", "horner"),
        ("logsumexp softmax", "mapList"),
        ("Sin sine", "`sin`"),
        ("fmax", "max a b"),
        ("maximum", "The greatest number of a list"),
        ("cdf pnorm normcdf", "normalCdf"),
        ("series maclaurin", "coefficients n f a"),
        ("fact Factorial", "factorial n"),
    ];
    for (names, wanted) in sought {
        for name in names.split(' ') {
            let told =
                reference::describe_for_doc(&mut library, name).unwrap_or_else(|refusal| refusal.report().to_owned());
            assert!(told.contains(wanted), "{name} is to lead to {wanted}: {told}");
        }
    }
    // and none of these names is in two tables, or has a meaning of its own
    let chapter = render_chapter(&mut library).unwrap();
    let (_, elsewhere) = chapter.split_once("| elsewhere | here |").unwrap();
    let mut seen = HashSet::new();
    for row in elsewhere.lines().filter(|row| row.starts_with("| `")) {
        let names = row.trim_start_matches("| ").split(" | ").next().unwrap();
        for name in names.split(", ") {
            assert!(seen.insert(name.to_owned()), "{name} is there twice");
        }
    }
}

/// A name that has a meaning is not explained by a law that happens to be called so; a law is, where it is asked for.
#[test]
fn a_law_is_told_of_where_nothing_else_has_its_name() {
    let mut library = TheorySession::load();
    let inverse = reference::describe_for_doc(&mut library, "inverse").unwrap();
    assert!(inverse.starts_with("inverse : (A -> A) -> A -> A\n") && !inverse.contains("law"), "{inverse}");
    assert!(inverse.ends_with("for example, inverse (matrix2 ((2, -1), (1, 3))) (1, 11) is (2, 3)"), "{inverse}");
    let law = reference::describe_for_doc(&mut library, "Clarke.inverse").unwrap();
    assert!(law.starts_with("law inverse : straightened a b (bent a b x) ~ x, because"), "{law}");
}

/// The words that `book/language.js` colours, of a list with this name.
fn coloured(name: &str) -> Vec<String> {
    let script = fs::read_to_string(concat!(env!("CARGO_MANIFEST_DIR"), "/book/language.js")).unwrap();
    let (_, behind) = script.split_once(&format!("const {name} =")).expect("the list is there");
    behind.split('"').nth(1).expect("a text in quotation marks").split(' ').map(str::to_owned).collect()
}

/// The rendered book colours the words of the language, all of them and no others.
#[test]
fn the_book_colours_the_words_of_the_language() {
    let tokens = fs::read_to_string(concat!(env!("CARGO_MANIFEST_DIR"), "/crates/syntax/src/syntax/lexer.rs")).unwrap();
    let (_, table) = tokens.split_once("fn keyword_token(").expect("the table of words is there");
    let (table, _) = table.split_once("=> return None").expect("its last row is there");
    let words: Vec<&str> = table.lines().filter_map(|line| line.trim().strip_prefix('"')?.split('"').next()).collect();
    assert!(words.contains(&"let") && words.contains(&"ff"), "{words:?}");
    assert_eq!(coloured("programs"), words);
    assert_eq!(coloured("theories"), RESERVED);
}

/// The grammars for editors colour the same words.
#[test]
fn editors_colour_the_words_of_the_language() {
    let read = |path: &str| fs::read_to_string(format!("{}/editors/{path}", env!("CARGO_MANIFEST_DIR"))).unwrap();
    let grammar: serde_json::Value = serde_json::from_str(&read("vscode/smoothish.tmLanguage.json")).unwrap();
    let syntax = read("vim/syntax/smoothish.vim");
    for (list, rule, group) in [("programs", "program", "smoothishProgram"), ("theories", "theory", "smoothishTheory")]
    {
        let pattern = grammar["repository"][rule]["match"].as_str().expect("a pattern");
        let words = pattern.strip_prefix(r"(?<![\w'])(?:").and_then(|rest| rest.strip_suffix(r")(?![\w'])"));
        assert_eq!(words.expect("whole words").split('|').collect::<Vec<_>>(), coloured(list));
        let keywords = syntax.lines().find_map(|line| line.strip_prefix(&format!("syntax keyword {group} ")));
        assert_eq!(keywords.expect("the words of Vim").split(' ').collect::<Vec<_>>(), coloured(list));
    }
}

/// Tests that take more than half a second: `cargo quick` passes them over.
mod slow {
    use super::*;

    /// A definition that nothing shows does not get into the book; what has no answer, or is about another of its name, shows nothing.
    #[test]
    fn a_definition_without_an_example_is_refused() {
        let shown = "theory Own extends Prelude\n! Half of x.\nlet half (x : ℜ) : ℜ = x / 2\n";
        let good = "claim halved : half 3 within 1e-9 of 1.5 because \"3/2\"\n";
        let example = reference::find_example(&mut with("shown", &format!("{shown}{good}")), "Own", "half").unwrap();
        assert_eq!((example.question.as_str(), example.answer.as_str()), ("half 3", "1.5"));
        for wrong in [
            "",
            "claim no_value : half (1 / 0) undefined because \"1 / 0 is\"\n",
            "claim no_type : half tt rejects \"Real\" because \"tt is no number\"\n",
            "claim local : (let half = sqrt in half 4) within 1e-9 of 2 because \"√4\"\n",
            "claim function : half = (λ x ⇒ x / 2) because \"by definition\"\n",
        ] {
            let mut library = with("not-shown", &format!("{shown}{wrong}"));
            let refusal = reference::find_example(&mut library, "Own", "half").unwrap_err();
            assert!(refusal.to_string().contains("`Own.half` has no example"), "{wrong}: {refusal}");
        }
        assert!(render_chapter(&mut with("without", shown)).is_err());
    }
}
