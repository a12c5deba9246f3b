//! Of `cli::repl::completion`.

use smoothish::cli::evaluator::TheorySession;
use smoothish::cli::repl::editor::*;
use smoothish::syntax::lexer::Lexer;

fn offered(line: &str) -> (usize, Vec<String>) {
    match complete_word(line, line.len(), &PromptVocabulary::from_library(&TheorySession::load())) {
        CompletionList::Words(start, words) => (start, words.into_iter().map(|(_, word)| word).collect()),
        CompletionList::File => (0, vec!["a file".into()]),
    }
}

#[track_caller]
fn offers(line: &str, start: usize, words: &[&str]) {
    assert_eq!(offered(line), (start, words.iter().map(|&word| word.to_owned()).collect()), "{line}");
}

#[test]
fn tab_completes_what_the_place_wants() {
    offers(":t", 1, &["timeout", "type", "time"]);
    offers(":q", 1, &["quit"]);
    offers("1 + integral0", 4, &["integral01"]);
    offers(":type vari", 6, &["variance", "varianceByMoments"]);
    offers("deriv (brightn", 7, &["brightness"]);
    offers("Integral.var", 9, &["variance", "varianceByMoments"]);
    offers("Maximi", 0, &["Maximizer", "Maximizer."]);
    offers(":list Sur", 6, &["Surface"]);
    offers(":load th", 0, &["a file"]);
    offers(":save ", 0, &["a file"]);
    offers(":eps 1", 6, &[]);
    offers(":nothing x", 10, &[]);
    offers("", 0, &[]);
    offers("λ x ⇒ relu", 9, &["relu", "reluClosed", "reluOpen"]);
}

#[test]
fn signs_have_their_latex_names() {
    offers("\\lambda", 0, &["λ"]);
    offers("f (\\lam", 3, &["λ"]);
    offers("\\Re", 0, &["ℜ"]);
    offers("λ x \\Right", 5, &["⇒"]);
    offers("\\to", 0, &["→"]);
    offers("x\\^2", 1, &["²"]);
    offers("\\le", 0, &["≤"]);
    // the sign of a function before its variable
    offers("\\brightn", 1, &["brightness"]);
}

#[test]
fn every_sign_is_read_by_the_language() {
    for (name, sign) in LATEX {
        let text = format!("x{sign}");
        let mut lexer = Lexer::new(&text);
        assert!(lexer.next_lexeme().is_ok() && lexer.next_lexeme().is_ok(), "\\{name} {sign}");
        assert_eq!(LATEX.iter().filter(|(other, _)| other == name).count(), 1, "\\{name}");
    }
}
