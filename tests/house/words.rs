//! Counts of words in the sources, which say whether somebody from the field can skim them. `cargo test --test house words -- --nocapture` prints them.

use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::path::{Path, PathBuf};

/// At most this share of function names is a single word, in per cent: methods of the standard library's traits are not counted.
const MOST_SINGLE_WORDS: f64 = 21.5;
/// At most this many doc comments begin with a relative that has no antecedent.
const MOST_HEADLESS: usize = 0;
/// At least this many lines of comments stand in 1,000 lines of code.
const LEAST_COMMENTS: f64 = 27.0;
/// At most this many files are in the sources of the crates.
const MOST_FILES: usize = 475;
/// At most this many names are given to two types or more.
const MOST_SHARED_NAMES: usize = 3;
/// The inherent `impl` blocks of one type are in at most this many files.
const MOST_FILES_OF_A_TYPE: usize = 3;

/// Traits of the standard library, and of its neighbours, whose methods nobody here has named.
const TRAITS_OF_OTHERS: &[&str] = &[
    "Add",
    "AddAssign",
    "Arbitrary",
    "AsRef",
    "BitAnd",
    "BitOr",
    "Borrow",
    "Clone",
    "Debug",
    "Default",
    "Deref",
    "DerefMut",
    "Display",
    "Div",
    "DivAssign",
    "Drop",
    "Eq",
    "Error",
    "Extend",
    "From",
    "FromIterator",
    "FromStr",
    "Future",
    "Hash",
    "Hasher",
    "Helper",
    "Highlighter",
    "Hinter",
    "Index",
    "IndexMut",
    "IntoIterator",
    "Iterator",
    "DoubleEndedIterator",
    "ExactSizeIterator",
    "Mul",
    "MulAssign",
    "Neg",
    "Not",
    "Ord",
    "PartialEq",
    "PartialOrd",
    "Read",
    "Rem",
    "Shl",
    "Shr",
    "Sub",
    "SubAssign",
    "Sum",
    "Product",
    "Completer",
    "Validator",
    "TryFrom",
    "Write",
    "ValueEnum",
    "TypedValueParser",
];

/// Words with which a sentence begins that has lost its subject.
const HEADLESS: &[&str] = &[
    "What",
    "Whatever",
    "The same",
    "Who",
    "Whoever",
    "Whom",
    "Whose",
    "Whether",
    "Where",
    "How",
    "Nothing",
    "That which",
    "Those",
    "As",
    "It",
    "They",
    "Of whom",
    "Of what",
    "By what",
    "By how",
    "For whom",
    "In which",
    "With what",
    "To what",
    "From what",
    "At which",
    "Which",
    "When",
    "If",
];

/// Functions, types, comments and `impl` blocks of one file.
#[derive(Default)]
struct Counts {
    functions: usize,
    single_words: usize,
    headless: Vec<String>,
    comments: usize,
    code: usize,
    /// Names of the structures, enumerations and traits.
    types: Vec<String>,
    /// Names of the types with an inherent `impl` block here.
    inherent: BTreeSet<String>,
}

/// The identifier with which a text begins.
fn identifier(text: &str) -> &str {
    let end = text.find(|c: char| !c.is_alphanumeric() && c != '_').unwrap_or(text.len());
    &text[..end]
}

/// A line without its visibility.
fn without_visibility(line: &str) -> &str {
    let Some(rest) = line.strip_prefix("pub") else { return line };
    match rest.strip_prefix('(') {
        Some(inner) => inner.split_once(") ").map_or(line, |(_, rest)| rest),
        None => rest.strip_prefix(' ').unwrap_or(line),
    }
}

/// The name that a line defines, if the line is an item of that kind.
fn defined<'a>(line: &'a str, keyword: &str) -> Option<&'a str> {
    let mut line = without_visibility(line);
    while let Some(rest) = ["const ", "unsafe ", "async ", "extern \"C\" "].iter().find_map(|m| line.strip_prefix(m)) {
        line = rest;
    }
    let name = identifier(line.strip_prefix(keyword)?.strip_prefix(' ')?);
    (!name.is_empty()).then_some(name)
}

/// What an `impl` line is for: the trait, if there is one, and the type.
fn implementation(line: &str) -> Option<(Option<&str>, &str)> {
    let line = line.strip_prefix("unsafe ").unwrap_or(line);
    let mut rest = line.strip_prefix("impl")?;
    if rest.starts_with('<') {
        let mut depth = 0;
        let end = rest.char_indices().find_map(|(i, c)| {
            depth += i32::from(c == '<') - i32::from(c == '>' && !rest[..i].ends_with('-'));
            (depth == 0).then_some(i + 1)
        })?;
        rest = &rest[end..];
    }
    let rest = rest.strip_prefix(' ')?;
    let name = |path: &'_ str| -> usize { path.find(['<', ' ', '{']).unwrap_or(path.len()) };
    let last = |path: &str| path.rfind("::").map_or(0, |i| i + 2);
    let first = &rest[..name(rest)];
    let first = &first[last(first)..];
    match rest.split_once(" for ") {
        Some((_, of)) => Some((Some(first), identifier(of))),
        None => Some((None, first)),
    }
}

fn counts(file: &Path, source: &str) -> Counts {
    let mut counts = Counts::default();
    // the indentation of the `impl` block of somebody else's trait that we are in
    let mut foreign: Option<usize> = None;
    let mut after_doc = false;
    for (number, line) in source.lines().enumerate() {
        let text = line.trim_start();
        let indent = line.len() - text.len();
        if let Some(doc) = text.strip_prefix("///").or_else(|| text.strip_prefix("//!")) {
            let doc = doc.trim_start();
            let begins = |word: &&&str| {
                doc.strip_prefix(**word)
                    .is_some_and(|rest| !rest.starts_with(|c: char| c.is_alphanumeric() || c == '_'))
            };
            if !after_doc && HEADLESS.iter().find(begins).is_some() {
                counts.headless.push(format!("{}:{}: {text}", file.display(), number + 1));
            }
            after_doc = true;
            continue;
        }
        after_doc = false;
        counts.code += 1;
        counts.comments += usize::from(text.starts_with("// ") || line.contains(" // "));
        if foreign == Some(indent) && text.starts_with('}') {
            foreign = None;
        }
        match implementation(text) {
            Some((Some(of), _)) if TRAITS_OF_OTHERS.contains(&of) && !text.ends_with('}') => foreign = Some(indent),
            Some((None, of)) => drop(counts.inherent.insert(of.to_owned())),
            _ => {}
        }
        if foreign.is_none()
            && let Some(name) = defined(text, "fn")
        {
            counts.functions += 1;
            counts.single_words += usize::from(!name.trim_matches('_').contains('_'));
        }
        for keyword in ["struct", "enum", "trait", "union"] {
            if let Some(name) = defined(text, keyword) {
                counts.types.push(name.to_owned());
            }
        }
    }
    counts
}

fn sources() -> Vec<PathBuf> {
    super::layers::all_sources()
}

#[test]
fn sources_are_in_the_words_of_the_field() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR"));
    let files = sources();
    let (mut functions, mut single, mut comments, mut code) = (0, 0, 0, 0);
    let mut headless = Vec::new();
    let mut types: BTreeMap<String, Vec<String>> = BTreeMap::new();
    let mut inherent: BTreeMap<(String, String), usize> = BTreeMap::new();
    for file in &files {
        let short = file.strip_prefix(root).unwrap();
        let found = counts(short, &fs::read_to_string(file).unwrap());
        functions += found.functions;
        single += found.single_words;
        comments += found.comments;
        code += found.code;
        headless.extend(found.headless);
        let krate: PathBuf = short.iter().take(2).collect();
        for name in found.inherent {
            *inherent.entry((krate.display().to_string(), name)).or_default() += 1;
        }
        for name in found.types {
            types.entry(name).or_default().push(short.display().to_string());
        }
    }
    let shared: Vec<_> = types.iter().filter(|(_, places)| places.len() > 1).collect();
    let (widest, in_files) = inherent.iter().max_by_key(|(_, count)| **count).unwrap();
    let share = 100.0 * single as f64 / functions as f64;
    let density = 1000.0 * comments as f64 / code as f64;
    println!("files {}, functions {functions}, of a single word {share:.1} %", files.len());
    println!("doc comments without a head {}, comments in 1,000 lines of code {density:.1}", headless.len());
    println!("names of two types or more {}, files of `{}` {in_files}", shared.len(), widest.1);

    let mut faults = Vec::new();
    let mut fault = |is: bool, what: String| {
        if is {
            faults.push(what)
        }
    };
    fault(
        share > MOST_SINGLE_WORDS,
        format!("{share:.1} % of the functions have a name of one word, above {MOST_SINGLE_WORDS}"),
    );
    fault(
        headless.len() > MOST_HEADLESS,
        format!(
            "{} doc comments have lost their subject, above {MOST_HEADLESS}:\n{}",
            headless.len(),
            headless.join("\n")
        ),
    );
    fault(density < LEAST_COMMENTS, format!("{density:.1} comments in 1,000 lines of code, below {LEAST_COMMENTS}"));
    fault(files.len() > MOST_FILES, format!("{} files, above {MOST_FILES}", files.len()));
    fault(
        shared.len() > MOST_SHARED_NAMES,
        format!("{} names are of two types, above {MOST_SHARED_NAMES}: {shared:#?}", shared.len()),
    );
    fault(*in_files > MOST_FILES_OF_A_TYPE, format!("`{}` has inherent blocks in {in_files} files", widest.1));
    assert!(faults.is_empty(), "{}", faults.join("\n"));
}

#[test]
fn what_is_counted() {
    let source = "/// Whether it is.\npub fn at(x: u8) -> bool {\n    // an odd one\n    x == 1\n}\n\nimpl<T: Into<u8>> fmt::Display for A<T> {\n    \
                  fn fmt(&self) {}\n}\n\nimpl<T> A<T> {\n    /// Returns 1.\n    fn first_of(&self) {}\n}\n\npub(crate) struct A<T>(T);\n";
    let found = counts(Path::new("a.rs"), source);
    assert_eq!((found.functions, found.single_words, found.headless.len(), found.comments), (2, 1, 1, 1));
    assert_eq!(
        (found.types, found.inherent.into_iter().collect::<Vec<_>>()),
        (vec!["A".to_owned()], vec!["A".to_owned()])
    );
    assert_eq!(implementation("impl Code {"), Some((None, "Code")));
    assert_eq!(implementation("impl<'a, F: Fn(u8) -> u8> Code for B<'a, F> {"), Some((Some("Code"), "B")));
}
