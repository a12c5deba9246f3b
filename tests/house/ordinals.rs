//! Which answer a sentence speaks of is said by the question, its value or its label, not by counting lines: a line more, and the count is wrong.
//! A label is a comment in front of the question, `! (a)`.

use super::book::texts;
use smoothish::cli::book::example::find_blocks;
use std::fs;

/// What counts lines; nobody miscounts the first, the second and the last.
const ORDINALS: [&str; 10] =
    ["third", "fourth", "fifth", "sixth", "seventh", "eighth", "ninth", "tenth", "eleventh", "twelfth"];

/// Fractions, orders, powers and intervals of time, which count nothing on the page.
const EXEMPT: [&str; 11] = [
    "a third",
    "a fourth",
    "a fifth",
    "an eighth",
    "a tenth",
    "one tenth",
    "third derivative",
    "third order",
    "fourth power",
    "fourth run",
    "fourth proposal",
];

/// The words of a text outside of its blocks and its code, in small letters, with the numbers of their lines.
fn prose(text: &str) -> Vec<(usize, String)> {
    let blocks = find_blocks(text);
    let is_inside = |line: usize| blocks.iter().any(|(_, start, end)| (start - 1..=*end).contains(&line));
    let mut words = Vec::new();
    for (number, line) in text.lines().enumerate().filter(|(number, _)| !is_inside(*number)) {
        let outside = line.split('`').step_by(2).collect::<Vec<_>>().join(" ");
        let word = |word: &str| word.trim_matches(|c: char| !c.is_alphanumeric()).to_lowercase();
        words.extend(outside.split_whitespace().map(|part| (number + 1, word(part))));
    }
    words
}

/// Ordinals that count something, with the numbers of their lines.
fn counted(text: &str) -> Vec<(usize, String)> {
    let words = prose(text);
    let is_number = |word: &str| {
        let digits = word.trim_end_matches(|c: char| c.is_ascii_alphabetic());
        !digits.is_empty()
            && digits.bytes().all(|c| c.is_ascii_digit())
            && ["st", "nd", "rd", "th"].contains(&&word[digits.len()..])
    };
    let mut found = Vec::new();
    for (i, (line, word)) in words.iter().enumerate() {
        if !(ORDINALS.contains(&word.as_str()) || is_number(word)) {
            continue;
        }
        let beside = |at: Option<usize>| at.and_then(|at| words.get(at)).map_or("", |(_, word)| word);
        let (before, after) = (beside(i.checked_sub(1)), beside(Some(i + 1)));
        if !EXEMPT.contains(&&*format!("{before} {word}")) && !EXEMPT.contains(&&*format!("{word} {after}")) {
            found.push((*line, format!("{before} {word} {after}")));
        }
    }
    found
}

/// Checks the labels of a page, `! (a)` in front of a question. Returns what is wrong with them: a block has them in the order of the
/// letters, and the text speaks of each.
fn label_faults(text: &str) -> Vec<String> {
    let lines: Vec<&str> = text.lines().collect();
    let blocks = find_blocks(text);
    let is_inside = |line: usize| blocks.iter().any(|(_, start, end)| (start - 1..=*end).contains(&line));
    let speaks_of = |label: &str| {
        let outside = lines.iter().enumerate().filter(|(line, _)| !is_inside(*line));
        outside.map(|(_, line)| line).any(|line| line.contains(&format!("({label})")))
    };
    let mut faults = Vec::new();
    for (_, start, end) in blocks.iter().cloned() {
        let labels = lines[start..end].iter().filter_map(|line| line.split_once("> ! (")?.1.strip_suffix(')'));
        for (letter, label) in ('a'..='z').zip(labels) {
            if label != letter.to_string() {
                faults.push(format!("({label}) stands where ({letter}) is expected"));
            }
            if !speaks_of(label) {
                faults.push(format!("the text does not speak of ({label})"));
            }
        }
    }
    faults
}

#[test]
fn labels_are_in_order_and_spoken_of() {
    for path in texts() {
        let faults = label_faults(&fs::read_to_string(&path).unwrap());
        assert!(faults.is_empty(), "{}: {}", path.display(), faults.join("; "));
    }
    let page = "```smoothish\n> ! (a)\n| 1\n1\n> ! (c)\n| 2\n2\n```\n\n(a) is 1.\n";
    assert_eq!(label_faults(page), ["(c) stands where (b) is expected", "the text does not speak of (c)"]);
}

#[test]
fn no_page_with_questions_counts_its_lines() {
    let (mut pages, mut faults) = (0, Vec::new());
    for path in texts() {
        let text = fs::read_to_string(&path).unwrap();
        let asks = |tag: &str| ["smoothish", "agree", "session", "shell"].contains(&tag);
        if !find_blocks(&text).iter().any(|(tag, ..)| asks(tag)) {
            continue;
        }
        pages += 1;
        let name = path.file_name().unwrap().to_string_lossy();
        faults.extend(counted(&text).into_iter().map(|(line, words)| format!("{name}, line {line}: {words}")));
    }
    assert!(pages > 25, "{pages} pages ask questions");
    assert!(faults.is_empty(), "say the question or its value instead:\n{}", faults.join("\n"));
}

#[test]
fn counting_is_seen() {
    let page = "The fourth is a third of it, and\n`the fifth` is code.\n\n```smoothish\n> 1\nthe sixth\n```\n\nThe seventh, the 8th (a tenth): of third order.\n";
    let found = counted(page);
    let words: Vec<_> = found.iter().map(|(line, words)| (*line, words.as_str())).collect();
    assert_eq!(words, [(1, "the fourth is"), (9, "the seventh the"), (9, "the 8th a")]);
}
