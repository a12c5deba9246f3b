//! The reference of the book, which is written from the constants and the theories.
//!
//! `UPDATE=1 cargo test --test house reference` writes it; read the difference before you keep it.

use smoothish::cli::evaluator::Workbench;
use smoothish::cli::reference::chapter;
use smoothish::syntax::constant::Constant;
use smoothish::theory::format::RESERVED;
use std::fs;

const PATH: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/book/src/reference.md");

#[test]
fn the_reference_is_what_the_tables_say() {
    let written = chapter(&mut Workbench::load()).expect("every example has an answer");
    if std::env::var_os("UPDATE").is_some_and(|v| v == "1") {
        fs::write(PATH, &written).unwrap();
    }
    let kept = fs::read_to_string(PATH).unwrap();
    let changed = kept.lines().zip(written.lines()).find(|(kept, written)| kept != written);
    assert_eq!(changed, None, "UPDATE=1 writes the chapter anew");
    assert_eq!(kept.len(), written.len(), "UPDATE=1 writes the chapter anew");
}

/// Each definition of a theory says what it means.
#[test]
fn a_definition_says_what_it_means() {
    let written = chapter(&mut Workbench::load()).expect("every example has an answer");
    let (mut rows, mut shown) = (0, 0);
    for line in written.lines().filter(|line| line.starts_with("| `")) {
        let line = line.replace("\\|", "¦");
        let cells: Vec<&str> = line.trim_matches('|').split('|').map(str::trim).collect();
        if let [name, _, meaning, example] = cells[..] {
            assert!(!meaning.is_empty(), "{name}");
            rows += 1;
            shown += u32::from(!example.is_empty());
        }
    }
    assert!(rows > 280 && shown > rows / 2, "{rows} definitions, {shown} with an example");
}

/// An example is one of its own constant, in the words of the language.
#[test]
fn an_example_uses_its_constant() {
    let mut library = Workbench::load();
    for constant in Constant::ALL {
        let Some(example) = constant.example() else { continue };
        let word = constant.operator().unwrap_or(constant.name());
        let word = if *constant == Constant::Negate { "-" } else { word };
        assert!(example.contains(word), "{word}: {example}");
        assert!(!smoothish::cli::reference::answered(&mut library, &example).unwrap().contains("inf"), "{example}");
    }
    let without = Constant::ALL.iter().filter(|constant| constant.example().is_none());
    assert_eq!(without.collect::<Vec<_>>(), [&Constant::RealEqual, &Constant::RealNotEqual]);
}

/// An example without an answer would not get into the book.
#[test]
fn what_has_no_plain_answer_is_no_example() {
    let mut library = Workbench::load();
    for example in ["deriv abs 0", "1 / 0", "\\x => x", "nothing"] {
        assert!(smoothish::cli::reference::answered(&mut library, example).is_err(), "{example}");
    }
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
    let tokens = fs::read_to_string(concat!(env!("CARGO_MANIFEST_DIR"), "/src/syntax/token.rs")).unwrap();
    let (_, table) = tokens.split_once("fn keyword(").expect("the table of words is there");
    let (table, _) = table.split_once("=> return None").expect("its last row is there");
    let words: Vec<&str> = table.lines().filter_map(|line| line.trim().strip_prefix('"')?.split('"').next()).collect();
    assert!(words.contains(&"let") && words.contains(&"ff"), "{words:?}");
    assert_eq!(coloured("programs"), words);
    assert_eq!(coloured("theories"), RESERVED);
}
