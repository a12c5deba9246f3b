//! The words that people type in their first hour, from `words.tsv`: values, notes, and advice where the words are others here.
//!
//! A row has the kind of question, the question, how the answer is compared, the exit status, and what is expected.
//!
//! | how | the row holds if |
//! |---|---|
//! | `contains` | the printed interval is at most as wide as asked, and contains the number |
//! | `numbers` | the printed intervals contain the numbers, one after the other |
//! | `printed` | the output is the text |
//! | `begins` | the output begins with the text |
//! | `note` | a note has the text |
//! | `error` | the message of the refusal has the text |
//! | `help` | the help of the refusal has the text |
//!
//! Values are those of mpmath with 34 digits, of closed forms, and of arithmetic in integers.

use super::cli::{Run, run};
use smoothish::number::Rational;
use smoothish::plot::axis::{parse_coordinate, power_of_ten};

/// A row of the table.
struct Word<'t> {
    kind: &'t str,
    input: &'t str,
    how: &'t str,
    status: i32,
    expected: &'t str,
}

/// The rows of the table.
fn rows() -> Vec<Word<'static>> {
    let lines = include_str!("words.tsv").lines().skip(1);
    let row = |line: &'static str| match line.split('\t').collect::<Vec<_>>()[..] {
        [kind, input, how, status, expected] => Word { kind, input, how, status: status.parse().unwrap(), expected },
        _ => panic!("five columns: {line}"),
    };
    lines.map(row).collect()
}

/// The words of a command line. Single quotes hold a word together.
fn split_words(line: &str) -> Vec<String> {
    let (mut words, mut inside, mut word) = (Vec::new(), false, String::new());
    for letter in line.chars() {
        match letter {
            '\'' => inside = !inside,
            ' ' if !inside => words.extend(Some(std::mem::take(&mut word)).filter(|word| !word.is_empty())),
            _ => word.push(letter),
        }
    }
    words.extend(Some(word).filter(|word| !word.is_empty()));
    words
}

/// The numbers of an answer: those in brackets are the ends of one, the others are exact. The brackets of a list, which has a type, are none.
fn intervals(text: &str) -> Vec<[Rational; 2]> {
    let mut found = Vec::new();
    for line in text.lines() {
        let list = line.split_once(" : ").and_then(|(value, _)| value.strip_prefix('[')?.strip_suffix(']'));
        for (place, part) in list.unwrap_or(line).split(['[', ']']).enumerate() {
            let numbers = part.split([',', ' ', '(', ')']).filter_map(|word| parse_coordinate(word).ok());
            let numbers: Vec<Rational> = numbers.collect();
            match (&numbers[..], place % 2) {
                ([lo, hi], 1) => found.push([lo.clone(), hi.clone()]),
                (numbers, 0) => found.extend(numbers.iter().map(|number| [number.clone(), number.clone()])),
                _ => {}
            }
        }
    }
    found
}

/// The half of a unit in the last place of a decimal that is rounded: 0 for an integer and for a fraction.
fn last_place(number: &str) -> Rational {
    let decimals = number.split_once('.').map_or(0, |(_, decimals)| decimals.len());
    if decimals < 15 { Rational::new() } else { power_of_ten(-(decimals as i64)) }
}

/// Says what is wrong with the answer to a row.
fn fault(word: &Word<'_>, answer: &Run) -> Option<String> {
    let Word { how, status, expected, .. } = word;
    if answer.status != Some(*status) {
        return Some(format!("status {:?}, not {status}", answer.status));
    }
    let line = |start: &str| {
        answer.err.lines().filter(|line| line.trim_start().starts_with(start)).any(|line| line.contains(expected))
    };
    let holds = match *how {
        "contains" => {
            let Some([lo, hi]) = intervals(&answer.out).into_iter().next() else {
                return Some("an interval".to_owned());
            };
            let (number, unit) = (parse_coordinate(expected).unwrap(), last_place(expected));
            let width = power_of_ten(if word.kind == "eval" { -8 } else { -6 });
            lo <= Rational::from(&number + &unit)
                && hi >= Rational::from(&number - &unit)
                && Rational::from(&hi - &lo) <= width
        }
        "numbers" => {
            let numbers: Vec<Rational> = expected.split(' ').map(|number| parse_coordinate(number).unwrap()).collect();
            let found = intervals(&answer.out);
            found.len() == numbers.len()
                && found.iter().zip(&numbers).all(|([lo, hi], number)| lo <= number && number <= hi)
        }
        "printed" => answer.out.trim_end() == *expected,
        "begins" => answer.out.starts_with(expected),
        "note" => line("note: "),
        "error" => line("error: "),
        "help" => line("= help: "),
        other => panic!("no way to compare: {other}"),
    };
    (!holds).then(|| format!("{how} {expected}"))
}

/// Asks the question of a row.
fn ask(word: &Word<'_>) -> Run {
    match word.kind {
        "eval" if word.how == "contains" => run(&["eval", "--eps", "1e-8", word.input]),
        "eval" => run(&["eval", word.input]),
        _ => {
            let words = split_words(word.input);
            run(&words.iter().map(String::as_str).collect::<Vec<_>>())
        }
    }
}

/// A table with an empty interval, or with one that is not printed, would hold of everything.
#[test]
fn a_row_can_fail() {
    let word = |how, expected| Word { kind: "eval", input: "", how, status: 0, expected };
    let answer = |out: &str, err: &str| Run { status: Some(0), out: out.to_owned(), err: err.to_owned() };
    assert!(fault(&word("contains", "1.5"), &answer("1.5\n", "")).is_none());
    assert!(fault(&word("contains", "1.5"), &answer("[1.4, 1.6]\n", "")).is_some(), "wide");
    assert!(fault(&word("contains", "1.5"), &answer("1.6\n", "")).is_some(), "beside");
    assert!(fault(&word("contains", "1.5"), &answer("tt\n", "")).is_some(), "no number");
    assert!(fault(&word("numbers", "1 2"), &answer("1\n", "")).is_some(), "one missing");
    assert!(fault(&word("help", "root"), &answer("", "error: root\n")).is_some(), "an error is no help");
    assert!(fault(&Word { status: 2, ..word("help", "root") }, &answer("", "  = help: root")).is_some(), "the status");
}

/// A theory of one's own may have these names, and its own come first.
#[test]
fn own_names_hide_the_everyday_ones() {
    let text = "! Own.\ntheory Own\nabout \"Own names.\"\n! Seven.\nlet root (x : Real) : Real = 7 * x\n";
    let path = super::cli::file("own-root.theory", text);
    let own = run(&["eval", "root 2", "--load", &path]);
    assert!(own.status == Some(0) && own.out == "14\n", "{own:?}");
    let both = run(&["eval", "Everyday.root 0 2 (\\x => x - 1)", "--load", &path]);
    assert!(both.status == Some(0) && both.out == "1\n", "{both:?}");
    let bound = run(&["eval", "let log2 x = x in log2 8 + (\\factorial => factorial) 1"]);
    assert!(bound.status == Some(0) && bound.out == "9\n", "{bound:?}");
}

/// A tail of the normal distribution has a quantile, without a promise that a user would have to keep.
#[test]
fn a_quantile_promises_nothing() {
    let far = run(&["eval", "normalQuantile 0 1 1e-300"]);
    assert!(far.status == Some(0) && far.err.is_empty() && far.out.starts_with("[-37.0470963,"), "{far:?}");
}

/// Tests that take more than half a second: `cargo quick` passes them over.
mod slow {
    use super::*;

    #[test]
    fn every_word_is_answered_as_expected() {
        let rows = rows();
        assert!(rows.len() > 100);
        let faults: Vec<String> = rows
            .iter()
            .filter_map(|word| {
                let answer = ask(word);
                let fault = fault(word, &answer)?;
                Some(format!("{}\n  wanted {fault}\n{}{}", word.input, answer.out, answer.err))
            })
            .collect();
        assert!(faults.is_empty(), "{} of {}:\n{}", faults.len(), rows.len(), faults.join("\n"));
    }
}
