//! The questions of the book and of the README, asked of the built program.
//!
//! The blocks are read by [`smoothish::cli::book::example`], as for the live book.
//!
//! `UPDATE=1 cargo test --test house book` writes what the program prints today into the chapters, to be reviewed by eye: a
//! wrong answer is no less wrong for being written there. `CHAPTER=plots,README` asks the questions of these alone.

use smoothish::cli::book::example::{ExampleKind, PageExample, drop_times, find_blocks, parse_examples, printed_lines};
use smoothish::cli::correspondence::correspondence_rows;
use smoothish::cli::evaluator::TheorySession;
use smoothish::cli::output::Streams;
use smoothish::cli::reference::describe_for_doc;
use smoothish::cli::repl::editor::InputLines;
use smoothish::cli::repl::prompt::Prompt;
use smoothish::cli::status::Status;
use smoothish::cli::theorem::ListedTheorem;
use smoothish::session::tolerance::{AccuracyGoal, Timeout};
use std::cmp::Reverse;
use std::collections::HashSet;
use std::panic::resume_unwind;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::sync::atomic::{AtomicUsize, Ordering};
use std::{fs, thread};

/// The text with other lines printed after its questions.
fn rewritten(text: &str, answers: &[(PageExample, Vec<String>)]) -> String {
    let lines: Vec<&str> = text.lines().collect();
    let (mut new, mut at) = (Vec::new(), 0);
    for (question, printed) in answers {
        new.extend_from_slice(&lines[at..question.printed.start]);
        new.extend(printed.iter().map(String::as_str));
        at = question.printed.end;
    }
    new.extend_from_slice(&lines[at..]);
    new.join("\n") + "\n"
}

fn ask(question: &PageExample) -> Vec<String> {
    let arguments = question.arguments().expect("sessions are asked by the prompt");
    let mut command = Command::new(env!("CARGO_BIN_EXE_smoothish"));
    command.args(arguments).env("NO_COLOR", "1").stdin(Stdio::null());
    let output = command.output().expect("the program starts");
    printed_lines(question.kind, &output.stdout, &output.stderr, output.status.code())
}

/// What the prompt prints for an input; its prompt must be the one in the chapter, and the input be complete where the
/// chapter says so.
fn enter(prompt: &mut Prompt<'_>, question: &PageExample) -> Vec<String> {
    let goal = question.goal.clone().unwrap_or_default();
    if goal != prompt.goal.to_string() {
        return vec![format!("the prompt is {}>", prompt.goal)];
    }
    let mut lines = InputLines::default();
    let parts: Vec<&str> = question.source.split('\n').collect();
    for (i, part) in parts.iter().enumerate() {
        if lines.push(part).is_empty() == (i + 1 == parts.len()) {
            return vec![format!("the input does not end where it is shown to: {part}")];
        }
    }
    let (mut out, mut err) = (Vec::new(), Vec::new());
    prompt
        .answer_input(&question.source, &mut Streams { out: &mut out, err: &mut err })
        .expect("memory can be written to");
    out.extend(err);
    String::from_utf8(out).expect("text").lines().map(|line| line.trim_end().to_owned()).collect()
}

fn root() -> &'static Path {
    Path::new(env!("CARGO_MANIFEST_DIR"))
}

/// The README and every chapter, the longest first: two lanes end together only if what takes longest is begun early.
pub(super) fn texts() -> Vec<PathBuf> {
    let chapters = fs::read_dir(root().join("book/src")).expect("the book is here");
    let mut texts: Vec<PathBuf> = chapters.map(|entry| entry.unwrap().path()).collect();
    texts.retain(|path| path.extension().is_some_and(|e| e == "md"));
    texts.push(root().join("README.md"));
    texts.sort_by_key(|path| (Reverse(fs::metadata(path).map_or(0, |file| file.len())), path.clone()));
    texts
}

/// How many questions a text asks, and those that are not answered as it says.
fn checked(path: &Path, update: bool) -> (usize, Vec<String>) {
    let name = path.strip_prefix(root()).unwrap().display().to_string();
    let text = fs::read_to_string(path).unwrap();
    let questions = parse_examples(&text).unwrap_or_else(|e| panic!("{name}, {e}"));
    let lines: Vec<&str> = text.lines().collect();
    for (tag, start, end) in find_blocks(&text) {
        if let Some(file) = tag.strip_prefix("theory ") {
            fs::write(file, lines[start..end].join("\n") + "\n").unwrap();
        }
    }
    let (mut answers, mut faults) = (Vec::new(), Vec::new());
    let mut library = TheorySession::load();
    let mut session = Prompt {
        library: &mut library,
        goal: AccuracyGoal::of_absolute_width("1e-3".parse().unwrap()),
        timeout: Timeout::default(),
        tuning: None,
        shows_time: false,
        interrupted: Default::default(),
        name: "prompt".to_owned(),
        line: 1,
    };
    for question in questions {
        let printed =
            if question.kind == ExampleKind::Session { enter(&mut session, &question) } else { ask(&question) };
        let expected = &lines[question.printed.clone()];
        if printed != expected {
            faults.push(format!(
                "{name}, line {}: {}\n--- the book says\n{}\n--- the program says\n{}\n",
                question.line + 1,
                question.source,
                expected.join("\n"),
                printed.join("\n"),
            ));
        }
        answers.push((question, printed));
    }
    if update {
        fs::write(path, rewritten(&text, &answers)).unwrap();
    }
    (answers.len(), faults)
}

#[test]
fn every_chapter_is_listed_and_its_rust_is_run() {
    let summary = fs::read_to_string(root().join("book/src/SUMMARY.md")).unwrap();
    let run = fs::read_to_string(root().join("src/book.rs")).unwrap();
    for path in texts() {
        let name = path.strip_prefix(root()).unwrap().display().to_string();
        if name.ends_with("SUMMARY.md") {
            continue;
        }
        assert!(run.contains(&format!("include_str!(\"../{name}\")")), "{name} is not in src/book.rs");
        if let Some(chapter) = name.strip_prefix("book/src/") {
            assert!(summary.contains(&format!("({chapter})")), "{chapter} is not in SUMMARY.md");
        }
    }
}

/// The parts of the book, in their order.
const PARTS: [&str; 6] = ["Start", "Use", "Understand", "Theory", "Reference", "Appendix"];

/// The chapters of a table of contents in their order, with what is wrong with its parts.
fn chapters_in_parts(summary: &str) -> (Vec<String>, Vec<String>) {
    let (mut chapters, mut parts, mut faults) = (Vec::new(), Vec::new(), Vec::new());
    for line in summary.lines().skip(1) {
        if let Some(part) = line.strip_prefix("# ") {
            parts.push(part);
        } else if let Some((_, file)) = line.strip_prefix("- [").and_then(|entry| entry.split_once("](")) {
            if parts.is_empty() {
                faults.push(format!("{file} stands in no part"));
            }
            chapters.push(file.trim_end_matches(')').to_owned());
        }
    }
    if parts != PARTS {
        faults.push(format!("the parts are {parts:?}"));
    }
    (chapters, faults)
}

/// Checks the line below the title of a chapter. Returns what is wrong with it, and `None` if it says for whom the chapter is, and
/// after which of the `earlier` ones.
fn opening_fault(text: &str, earlier: &[String]) -> Option<String> {
    let line = text.lines().nth(2).unwrap_or_default();
    let Some(said) = line.strip_prefix("*For ").and_then(|rest| rest.strip_suffix(".*")) else {
        return Some(format!("it does not say for whom it is: {line}"));
    };
    let links: Vec<&str> = said.split("](").skip(1).filter_map(|rest| rest.split(')').next()).collect();
    if said.chars().count() > 160 {
        return Some("its opening is longer than 160 letters".to_owned());
    }
    if links.is_empty() && !earlier.is_empty() {
        return Some("it does not say after which chapter it is read".to_owned());
    }
    let later = links.into_iter().find(|link| !earlier.iter().any(|file| file == link))?;
    Some(format!("{later} does not come before it"))
}

#[test]
fn a_chapter_says_for_whom_it_is_and_after_what() {
    let read = |file: &str| fs::read_to_string(root().join("book/src").join(file)).unwrap();
    let (chapters, mut faults) = chapters_in_parts(&read("SUMMARY.md"));
    for (at, file) in chapters.iter().enumerate() {
        faults.extend(opening_fault(&read(file), &chapters[..at]).map(|fault| format!("{file}: {fault}")));
    }
    assert!(chapters.len() > 40, "{} chapters", chapters.len());
    assert!(faults.is_empty(), "{}", faults.join("\n"));
}

#[test]
fn an_opening_that_points_ahead_is_seen() {
    let earlier = ["a.md".to_owned()];
    let of = |line: &str| opening_fault(&format!("# T\n\n{line}\n\nText.\n"), &earlier);
    assert_eq!(of("*For all; after [A](a.md).*"), None);
    assert_eq!(of("*For all; after [B](b.md).*").unwrap(), "b.md does not come before it");
    assert!(of("*For all.*").unwrap().contains("after which"));
    assert!(of("A number is no string.").unwrap().contains("for whom"));
    assert_eq!(opening_fault("# T\n\n*For all.*\n", &[]), None);
    let (chapters, faults) = chapters_in_parts("# Summary\n\n- [A](a.md)\n\n# Start\n\n- [B](b.md)\n");
    assert_eq!((chapters.len(), faults.len()), (2, 2), "{faults:?}");
}

/// The README is read in a minute: what is longer is in the book. Its first words need no knowledge of the papers.
#[test]
fn the_readme_is_a_page() {
    let text = fs::read_to_string(root().join("README.md")).unwrap();
    assert!(text.lines().count() <= 120, "{} lines", text.lines().count());
    let first = text.split("\n\n").nth(1).unwrap();
    assert_eq!(first.matches(". ").count() + first.matches(".\n").count() + 1, 2, "two sentences: {first}");
    assert!(!first.contains('λ') && text.contains("](book/src/pictures/"), "{first}");
}

// ---- the reader itself

const CHAPTER: &str = "\
# Title
> no question, a quotation
```smoothish
> 1 +
| 1
2
eps=1e-3> 1/0
[-inf, inf]
note: undefined
exit status 4
> a -> b
```
```text
> no question
```
";

#[test]
fn questions_are_read_with_their_answers() {
    let questions = parse_examples(CHAPTER).unwrap();
    let shown: Vec<_> = questions.iter().map(|q| (q.line, q.goal.as_deref(), &*q.source, q.printed.clone())).collect();
    assert_eq!(shown, [(3, None, "1 +\n1", 5..6), (6, Some("eps=1e-3"), "1/0", 7..10), (10, None, "a -> b", 11..11)],);
}

#[test]
fn the_inputs_of_a_session_go_on_under_the_prompt() {
    let text = "```session\neps=1> (1,\n     | 2)\n(1, 2)\n| 3\neps=1> 4\n```\n";
    let questions = parse_examples(text).unwrap();
    let shown: Vec<_> = questions.iter().map(|q| (q.kind, &*q.source, q.printed.clone())).collect();
    assert_eq!(shown, [(ExampleKind::Session, "(1,\n2)", 3..5), (ExampleKind::Session, "4", 6..6)]);
    let mut library = TheorySession::load();
    let (name, interrupted) = ("prompt".to_owned(), Default::default());
    let (goal, timeout) = (AccuracyGoal::of_absolute_width("1".parse().unwrap()), Timeout::default());
    let mut prompt =
        Prompt { library: &mut library, goal, timeout, tuning: None, shows_time: false, interrupted, name, line: 1 };
    assert_eq!(enter(&mut prompt, &questions[0]), ["(1, 2)"]);
    prompt.goal = AccuracyGoal::of_absolute_width("2".parse().unwrap());
    assert_eq!(enter(&mut prompt, &questions[1]), ["the prompt is eps=2>"]);
}

#[test]
fn tables_are_shown_drop_times() {
    let table = ["model  time    verdict", "a      12 µs   x", "b      1.2 ms"].map(str::to_owned);
    assert_eq!(drop_times(&table), ["model  verdict", "a      x", "b"]);
    assert_eq!(drop_times(&["error: no".to_owned()]), ["error: no"]);
    let questions = parse_examples("```agree\n> 1\n```\n").unwrap();
    assert_eq!(questions[0].kind, ExampleKind::Agree);
}

#[test]
fn rewriting_changes_the_answers_only() {
    let answers = |printed: [&[&str]; 3]| -> Vec<(PageExample, Vec<String>)> {
        let printed = printed.iter().map(|lines| lines.iter().map(|&l| l.to_owned()).collect());
        parse_examples(CHAPTER).unwrap().into_iter().zip(printed).collect()
    };
    let same = answers([&["2"], &["[-inf, inf]", "note: undefined", "exit status 4"], &[]]);
    assert_eq!(rewritten(CHAPTER, &same), CHAPTER);
    let other = rewritten(CHAPTER, &answers([&["3"], &["x"], &["y", "z"]]));
    assert_eq!(
        other,
        CHAPTER
            .replace("\n2\n", "\n3\n")
            .replace("[-inf, inf]\nnote: undefined\nexit status 4", "x")
            .replace("> a -> b\n", "> a -> b\ny\nz\n"),
    );
    assert_eq!(parse_examples(&other).unwrap().len(), 3);
}

#[test]
fn a_block_without_a_question_is_refused() {
    assert!(parse_examples("```smoothish\n```\n").unwrap_err().contains("without a question"));
    assert!(parse_examples("```smoothish\n[1, 1]\n```\n").unwrap_err().contains("line 2: not a question"));
    parse_examples("```smoothish\neps=> 1\n").unwrap();
    assert!(parse_examples("```smoothish\n>1\n```\n").unwrap_err().contains("not a question"));
    assert!(parse_examples("```\nlet x = 1;\n```\n").unwrap_err().contains("without a tag"));
}

/// The folders of the test programs, those of the crates included.
fn suites() -> Vec<PathBuf> {
    let inside = |folder: PathBuf| fs::read_dir(folder).into_iter().flatten().map(|entry| entry.unwrap().path());
    let crates = inside(root().join("crates")).flat_map(|krate| inside(krate.join("tests")));
    inside(root().join("tests")).chain(crates).collect()
}

fn is_there(witness: &str) -> bool {
    if let Some((file, function)) = witness.split_once("::") {
        let mut texts = suites().into_iter().filter_map(|s| fs::read_to_string(s.join(format!("{file}.rs"))).ok());
        texts.any(|text| text.contains(&format!("fn {function}()")))
    } else if let Some((theory, claim)) = witness.split_once('.') {
        let files = fs::read_dir(root().join("theories")).expect("the theories are here");
        let texts = files.map(|f| fs::read_to_string(f.unwrap().path()).unwrap());
        let mut own =
            texts.filter(|t| t.contains(&format!("theory {theory}\n")) || t.contains(&format!("theory {theory} ")));
        own.any(|t| t.contains(&format!("claim {claim} ")) || t.contains(&format!("law {claim} ")))
    } else {
        false
    }
}

/// What the correspondence says is tested somewhere is tested there.
#[test]
fn every_witness_of_the_correspondence_is_there() {
    let witnesses: Vec<&str> = correspondence_rows().iter().flat_map(|row| row.witnesses.iter().copied()).collect();
    assert!(witnesses.len() > 500, "only {} witnesses were found", witnesses.len());
    let missing: Vec<_> = witnesses.iter().filter(|w| !is_there(w)).collect();
    assert!(missing.is_empty(), "{missing:?}");
    assert!(!is_there("paper::no_such_test") && !is_there("Prelude.no_such_claim") && !is_there("nothing"));
    // E11 is about a word of a proof, of which nothing here depends
    let bare: Vec<_> =
        correspondence_rows().iter().filter(|row| row.witnesses.is_empty()).map(|row| &row.ids).collect();
    assert_eq!(bare, [&["E11"]], "rows without a test");
}

/// What a file declares, and beside implementations of what.
struct Declarations {
    path: String,
    declared: HashSet<String>,
    implemented: HashSet<String>,
}

impl Declarations {
    fn of(path: String, text: &str) -> Self {
        let (mut declared, mut implemented) = (HashSet::new(), HashSet::new());
        let is_letter = |c: char| c.is_alphanumeric() || c == '_';
        for line in text.lines() {
            for keyword in ["fn", "struct", "enum", "trait", "type", "mod"] {
                for (at, _) in line.match_indices(&format!("{keyword} ")) {
                    let rest = &line[at + keyword.len() + 1..];
                    let end = rest.find(|c: char| !is_letter(c)).unwrap_or(rest.len());
                    // after a name stands one of these
                    if rest[end..].is_empty() || rest[end..].starts_with(['(', '<', ' ', ';', ':']) {
                        declared.insert(rest[..end].to_owned());
                    }
                }
            }
            // a variant, by its own line
            if let Some(variant) = line.strip_prefix("    ").filter(|rest| !rest.starts_with(' ')) {
                let end = variant.find(',').unwrap_or(variant.len());
                declared.insert(variant[..end].to_owned());
            }
            let line = line.trim_start();
            let line = line.strip_prefix("pub ").unwrap_or(line);
            if ["impl", "trait", "enum"].iter().any(|keyword| line.starts_with(keyword)) {
                implemented.extend(line.split(|c: char| !c.is_alphanumeric()).map(str::to_owned));
            }
        }
        Self { path, declared, implemented }
    }

    /// Whether an item of this name is here: in the module, or beside an implementation of the type.
    fn have(&self, name: &str) -> bool {
        let Some((parent, item)) = name.rsplit_once("::") else { return self.declared.contains(name) };
        let is_inside = if parent.starts_with(|c: char| c.is_uppercase()) {
            self.implemented.contains(parent)
        } else {
            self.path.ends_with(&format!("/{parent}.rs")) || self.path.contains(&format!("/{parent}/"))
        };
        is_inside && self.declared.contains(item)
    }
}

fn sources(folder: &Path, into: &mut Vec<(String, String)>) {
    for entry in fs::read_dir(folder).unwrap() {
        let path = entry.unwrap().path();
        if path.is_dir() {
            sources(&path, into);
        } else {
            into.push((path.display().to_string().replace('\\', "/"), fs::read_to_string(&path).unwrap()));
        }
    }
}

/// The sources of the library, and those of the first-order language.
fn library_sources() -> Vec<(String, String)> {
    let mut all = Vec::new();
    ["src", "crates"].iter().for_each(|folder| sources(&root().join(folder), &mut all));
    all
}

/// What the correspondence says is an item of the library is one.
#[test]
fn every_item_of_the_correspondence_is_there() {
    let rows = correspondence_rows();
    let mut items: Vec<&str> = rows.iter().flat_map(|row| row.items.iter().copied()).collect();
    items.extend(rows.iter().flat_map(|row| row.names.iter().filter_map(|name| name.bearer)));
    assert!(items.len() > 350, "only {} items were found", items.len());
    let all: Vec<_> = library_sources().into_iter().map(|(path, text)| Declarations::of(path, &text)).collect();
    let library = TheorySession::load();
    let is_declared = |name: &str| match name.split_once('.') {
        Some((theory, name)) if theory.starts_with(|c: char| c.is_uppercase()) => {
            library.modules().module(theory).is_some_and(|module| module.find_definition(name).is_some())
        }
        Some((path, "theory")) => root().join(format!("{path}.theory")).exists(),
        _ => all.iter().any(|file| file.have(name)),
    };
    let missing: Vec<_> = items.iter().filter(|item| !is_declared(item)).collect();
    assert!(missing.is_empty(), "{missing:?}");
    assert!(!is_declared("Map::no_such_item") && !is_declared("NoSuchType::then") && !is_declared("Pap.nothing"));
    assert!(!is_declared("kink::then") && !is_declared("Binary::Nothing") && !is_declared("no_such_item"));
}

/// The `doc(alias)` attributes of a text: the alias, and the item below it.
fn aliases(text: &str) -> Vec<(String, String)> {
    let (mut waiting, mut found) = (Vec::new(), Vec::new());
    for line in text.lines().map(str::trim) {
        if line.starts_with("#[doc(alias") {
            waiting.extend(line.split('"').skip(1).step_by(2).map(str::to_owned));
        } else if !waiting.is_empty() && !line.starts_with("#[") && !line.starts_with("//") {
            let words: Vec<&str> = line.split(|c: char| !c.is_alphanumeric() && c != '_').collect();
            let keyword = words.iter().position(|w| ["fn", "struct", "enum", "trait", "type", "mod"].contains(w));
            let item = keyword.and_then(|at| words.get(at + 1)).copied().unwrap_or_default();
            found.extend(waiting.drain(..).map(|alias| (alias, item.to_owned())));
        }
    }
    found
}

/// A name of the papers that an item bears is an alias of the item, which rustdoc finds; and each alias is in the table.
#[test]
fn names_of_the_papers_are_aliases_of_the_items() {
    let rows = correspondence_rows();
    let named: Vec<_> = rows.iter().flat_map(|row| &row.names).collect();
    let (mut attributes, mut unknown) = (Vec::new(), Vec::new());
    for (path, text) in library_sources() {
        let file = Declarations::of(path, &text);
        for (alias, item) in aliases(&text) {
            let is_meant = |bearer: &str| bearer.rsplit("::").next() == Some(&item) && file.have(bearer);
            let bearers: Vec<&str> =
                named.iter().filter(|n| n.name == alias).filter_map(|n| n.bearer).filter(|b| is_meant(b)).collect();
            if bearers.is_empty() {
                unknown.push((file.path.clone(), alias.clone(), item.clone()));
            }
            attributes.extend(bearers.into_iter().map(|bearer| (alias.clone(), bearer)));
        }
    }
    assert!(unknown.is_empty(), "not in the correspondence: {unknown:?}");
    let in_rust = named.iter().filter_map(|n| Some((n.name, n.bearer?))).filter(|(_, bearer)| bearer.contains("::"));
    let is_alias = |&(name, bearer): &(&str, &str)| attributes.iter().any(|(alias, of)| alias == name && *of == bearer);
    let missing: Vec<_> = in_rust.filter(|pair| !is_alias(pair)).collect();
    assert!(missing.is_empty(), "without #[doc(alias)]: {missing:?}");
    assert!(!is_alias(&("coend", "Map::then")) && attributes.len() > 80, "{}", attributes.len());
    let text =
        "#[doc(alias(\"a\", \"b c\"))]\n#[must_use]\npub fn named() {\n#[doc(alias = \"d\")]\n// why\npub struct S;";
    let read = aliases(text);
    let read: Vec<_> = read.iter().map(|(alias, item)| (alias.as_str(), item.as_str())).collect();
    assert_eq!(read, [("a", "named"), ("b c", "named"), ("d", "S")]);
}

/// `smoothish doc` answers each id and each name of the correspondence, and each theorem; an id has one place.
#[test]
fn every_row_of_the_correspondence_is_found() {
    let mut library = TheorySession::load();
    let rows = correspondence_rows();
    assert!(rows.len() > 230, "{}", rows.len());
    for row in rows {
        for id in &row.ids {
            let told = describe_for_doc(&mut library, id).unwrap();
            assert!(told.contains(&row.describe()), "{id}: {told}");
        }
        for name in &row.names {
            let told = describe_for_doc(&mut library, name.name).unwrap();
            let refers = row.ids.first().is_none_or(|id| told.contains(id));
            assert!(told.contains(&row.describe()) || refers, "{}: {told}", name.name);
        }
    }
    for theorem in ListedTheorem::all() {
        let (name, item) = (theorem.name(), theorem.item());
        assert!(rows.iter().any(|row| row.ids.contains(&item)), "{name}: no {item}");
        let told = describe_for_doc(&mut library, name).unwrap();
        assert!(told.contains(item) || told.contains("in the papers"), "{name}: {told}");
    }
}

/// Names and numbers of S and H that researchers asked for, and rows that are to answer.
#[test]
fn names_and_numbers_of_the_papers_lead_to_their_rows() {
    let mut library = TheorySession::load();
    for (asked, told) in [
        ("S49", "S49: S §5.3"),
        ("H22", "H22: H Thm 3"),
        ("Theorem 3", "H22: H Thm 3"),
        ("theorem-3", "H22: H Thm 3"),
        ("coend", "coend::CoendTangent"),
        ("Kan extension", "S49:"),
        ("foldDer", "S18:"),
        ("fold_der", "S18:"),
        ("Cons", "S15:"),
        ("presheaf", "S34:"),
        ("Yoneda", "S35:"),
        ("valueWithDer", "S48:"),
        ("plots", "H19:"),
        ("Gl_k", "H31:"),
        ("jets", "H35:"),
        ("jet", "H35:"),
        ("sort", "H39:"),
        ("ev", "H38:"),
        ("swap", "H38:"),
        ("Proposition 10", "E37:"),
        ("Proposition 5.3", "S52:"),
        ("Prop. 5.3", "S52:"),
        ("H Lemma 7", "H36:"),
        ("Lemma 4", "H30:"),
        ("Thm 8", "H37:"),
        ("Def. 4.1", "S15:"),
        ("H Def. 4.1", "H19:"),
        ("S Fig. 3", "S32:"),
        ("Example 3.1", "H15:"),
        ("Prop 4.10", "S33:"),
        ("§4.3.2", "S23:"),
        ("S §5.2", "S43:"),
        ("H (4)", "H33:"),
        ("A Fact 1", "A29:"),
        ("W §3.2", "W13:"),
        ("neuron", "neuron2"),
        ("layer", "layer3"),
        ("fromMaybe", "fromMaybe2"),
        ("Mat_k", "S16:"),
        ("HAD", "S34:"),
        ("CartSp", "H16:"),
        ("Man", "manifold::Manifold"),
        ("Syn", "H30:"),
        ("AD", "S16:"),
        ("Q_τ", "H18:"),
        ("V_τ", "W20:"),
        ("ωPAP", "W13:"),
        ("E37", "what is printed: "),
        ("T9", "elsewhere: "),
        ("der", "der : "),
        ("tangent", "tangent : "),
        ("Tan", "Tan A"),
        ("tangentProd", "tangentProd : "),
        ("tangentTo_R", "tangentTo_R : "),
        ("Integral", "in the papers: S55"),
        ("Maximizer", "in the papers: S66"),
        ("hausdorffDist", "hausdorffDist : "),
        ("lShape", "lShape : "),
        ("R2Dist", "R2Dist : "),
        ("comp", "comp : "),
        ("raytrace", "raytrace : "),
        ("Clarke", "kink"),
    ] {
        let found = describe_for_doc(&mut library, asked).unwrap_or_else(|refusal| panic!("{asked}: {refusal}"));
        assert!(found.contains(told), "{asked} is to lead to {told}: {found}");
    }
    // a number of one paper is not that of another
    let found = describe_for_doc(&mut library, "S Prop. 5.1").unwrap();
    assert!(found.contains("S51:") && !found.contains("H31:") && !found.contains("A32:"), "{found}");
    for (asked, told) in [
        ("S99", "there is no S99: S ends at S75"),
        ("H0", "there is no H0: H ends at H41"),
        ("Theorem 12", "is not known here"),
        ("Prop. 9.9", "is not known here"),
        ("foldDerr", "did you mean `foldDer`?"),
        ("gl_k", "did you mean `Gl_k`?"),
        ("fundamental-lema", "did you mean `fundamental-lemma`?"),
    ] {
        let refusal = describe_for_doc(&mut library, asked).unwrap_err();
        assert!(refusal.report().contains(told) && Status::from(refusal.kind) == Status::Wrong, "{asked}: {refusal}");
    }
}

/// Tests that take more than half a second: `cargo quick` passes them over.
mod slow {
    use super::*;

    #[test]
    fn every_question_of_the_book_is_answered_as_printed() {
        let update = std::env::var_os("UPDATE").is_some_and(|v| v == "1");
        // A chapter may save its session: not into the repository.
        std::env::set_current_dir(env!("CARGO_TARGET_TMPDIR")).unwrap();
        let chapter = std::env::var("CHAPTER").ok();
        let is_wanted = |path: &PathBuf| {
            let stem = path.file_stem().expect("a file").to_string_lossy();
            chapter.as_ref().is_none_or(|names| names.split(',').any(|name| name == stem))
        };
        let (texts, next) = (texts().into_iter().filter(is_wanted).collect::<Vec<_>>(), AtomicUsize::new(0));
        let lane = || {
            let own = std::iter::from_fn(|| texts.get(next.fetch_add(1, Ordering::Relaxed)));
            own.map(|path| checked(path, update)).collect::<Vec<_>>()
        };
        let found: Vec<_> = thread::scope(|scope| {
            let lanes = [scope.spawn(lane), scope.spawn(lane)];
            lanes.into_iter().flat_map(|lane| lane.join().unwrap_or_else(|panic| resume_unwind(panic))).collect()
        });
        let asked: usize = found.iter().map(|(asked, _)| asked).sum();
        let faults: Vec<String> = found.into_iter().flat_map(|(_, faults)| faults).collect();
        assert!(asked > if chapter.is_some() { 0 } else { 20 }, "only {asked} questions were found");
        if update {
            eprintln!("{} answers rewritten", faults.len());
        } else {
            assert!(faults.is_empty(), "\n{}", faults.join("\n"));
        }
    }
}
