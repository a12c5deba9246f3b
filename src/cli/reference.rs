//! The command `doc`: the meaning of names, with an example and its answer; and the chapter of the book that lists
//! them.
//!
//! # Examples of definitions
//!
//! A program of a claim that mentions the definition, as a question, and its answer.
//!
//! A claim states the value of a program and the reason, and is tested in every semantics. So an example is written
//! once, in the theory, and its answer is computed by the library.
//!
//! # Descriptions of names
//!
//! Descriptions of names, for `:info`, `:doc` and `:list`.

use super::correspondence;
use super::eval;
use super::evaluator::TheorySession;
use super::output::Streams;
use super::status::Status;
use crate::cli::evaluator::names_in_scope;
use crate::meaning;
use crate::session::compile::{DefinitionKind, SESSION_MODULE};
use crate::session::tolerance::{AccuracyClass, AccuracyGoal, Timeout};
use crate::session::{Diagnostic, Evaluate, Limits};
use crate::syntax::constant::{Constant, Topic};
use crate::syntax::library::{Module, NamedType};
use crate::syntax::name::{Name, nearest_name};
use crate::syntax::source::{SourceText, Span};
use crate::syntax::term::{Definition, Term, TermKind};
use crate::syntax::{constant, idiom};
use crate::theory::format::TheoryItem;
use crate::theory::{ClaimStatement, Theory, TheoryClaim, format};
use clap::Args;
use std::fmt::Write as _;
use std::sync::Arc;
use std::{fmt, io};

/// The options of `doc`.
#[derive(Debug, Args)]
pub struct DocOptions {
    /// Names of functions, words, theories, laws or claims to explain, or items and names of the papers, as S49, 'H
    /// Lemma 7' or coend; without any, list all functions by topic
    #[arg(value_name = "NAME", allow_hyphen_values = true)]
    pub names: Vec<String>,
}

/// Prints the meaning of each name. Without names, lists all.
///
/// # Errors
/// Errors of writing.
pub fn run_doc(options: &DocOptions, library: &mut TheorySession, streams: &mut Streams<'_>) -> io::Result<Status> {
    if options.names.is_empty() {
        write!(streams.out, "{}", list_names(library))?;
        return Ok(Status::Reached);
    }
    let mut worst = Status::default();
    for name in &options.names {
        match describe_for_doc(library, name) {
            Ok(text) => writeln!(streams.out, "{text}")?,
            Err(refusal) => {
                writeln!(streams.err, "{}", refusal.report())?;
                worst = Status::worst_of([worst, Status::from(refusal.kind)]);
            }
        }
    }
    Ok(worst)
}

/// Answers an example, and formats the answer as `eval` does by default.
///
/// # Errors
/// A [`Diagnostic`] if there is no answer to the default accuracy without notes but that of an exact number; every example should have one.
pub fn answer_example(library: &mut TheorySession, example: &str) -> Result<String, Diagnostic> {
    let to = AccuracyGoal::default().or_default(eval::DEFAULT_WIDTH_EXPONENT).accuracy();
    Ok(eval::format_value(&eval::printable_value(&ask_example(library, example)?), &to))
}

/// Asks an example. The only note that its answer may have is the exact number.
fn ask_example(library: &mut TheorySession, example: &str) -> Result<eval::Evaluated, Diagnostic> {
    let limits = Limits::within_time(Timeout::default().0);
    let answer = library.ask(&Evaluate::new(example), &limits)?;
    if answer.notes().iter().any(|note| note.id != "exact") || !answer.is_reached() {
        return Err(Diagnostic::invalid_input(format!("error: the example `{example}` has no plain answer")));
    }
    Ok(answer)
}

/// Returns the constants of a topic, in the order of the table.
fn constants_of_topic(topic: Topic) -> impl Iterator<Item = Constant> {
    Constant::ALL.iter().copied().filter(move |constant| constant.topic() == topic)
}

/// Returns the definitions of theories under a topic, each with the name of its theory.
fn definitions_of_topic(
    library: &TheorySession,
    topic: Topic,
) -> impl Iterator<Item = (&'static str, Arc<Definition>)> {
    let all =
        topic.library_definitions().iter().flat_map(|(theory, names)| names.iter().map(move |name| (*theory, *name)));
    all.filter_map(|(theory, name)| Some((theory, library.modules().module(theory)?.find_definition(name)?.clone())))
}

/// Returns the definitions of a theory except for constructors, which the lines of their types show.
fn definitions_of_theory(library: &TheorySession, theory: &Theory) -> Vec<Arc<Definition>> {
    let module = library.modules().module(&theory.name);
    let all = module.into_iter().flat_map(|module| module.definitions().iter());
    all.filter(|definition| definition.constructor.is_none()).cloned().collect()
}

/// Lists all names with their types, by topic and by theory.
#[must_use]
pub fn list_names(library: &TheorySession) -> String {
    let mut text = String::new();
    for topic in Topic::ALL {
        // Writing to a string cannot fail, here and below.
        let _ = writeln!(text, "{topic}");
        for constant in constants_of_topic(topic) {
            let _ = writeln!(text, "  {} : {}", constant.name(), constant.scheme());
        }
        for (theory, definition) in definitions_of_topic(library, topic) {
            let _ = writeln!(text, "  {} : {}  (of {theory})", definition.name, definition.scheme);
        }
    }
    for theory in library.theories().theories() {
        let _ = writeln!(text, "{}", theory.name);
        for definition in definitions_of_theory(library, theory) {
            let _ = writeln!(text, "  {} : {}", definition.name, definition.scheme);
        }
    }
    text
}

/// Formats a text as one cell of a Markdown table.
fn escape_cell(text: &str) -> String {
    text.split_whitespace().collect::<Vec<_>>().join(" ").replace('|', "\\|")
}

/// Renders the chapter of the book: every name by topic, with its type, its meaning, and an example with its answer.
///
/// # Errors
/// The [`Diagnostic`] of an example without a plain answer.
pub fn render_chapter(library: &mut TheorySession) -> Result<String, Diagnostic> {
    let mut text = CHAPTER.to_owned();
    for topic in Topic::ALL {
        let _ = writeln!(text, "\n## {topic}");
        for constant in constants_of_topic(topic) {
            let others = constant.names().iter().skip(1).map(|name| format!(", `{name}`")).collect::<String>();
            let (name, ty) = (constant.name(), constant.scheme());
            let _ = write!(text, "\n`{name}`{others} : `{ty}`\n\n{} [{}]\n", constant.summary(), constant.source());
            if let Some(example) = constant.example() {
                let _ = write!(text, "\n```smoothish\n> {example}\n{}\n", answer_example(library, &example)?);
                // As `eval` prints it: the book's test asks the same question there.
                for note in ask_example(library, &example)?.notes() {
                    let _ = writeln!(text, "note: {}", note.text);
                }
                text += "```\n";
            }
        }
        let defined = definitions_of_topic(library, topic).map(|(theory, definition)| {
            format!("`{}` : `{}` of [{theory}](#{})", definition.name, definition.scheme, theory.to_lowercase())
        });
        let defined = defined.collect::<Vec<_>>();
        if !defined.is_empty() {
            let _ = write!(text, "\nDefined in the theories: {}.\n", defined.join("; "));
        }
    }
    let _ = write!(text, "{DEFINITIONS}");
    // A copy, since answering an example needs the library mutably.
    let theories: Vec<Theory> = library.theories().theories().to_vec();
    for theory in &theories {
        let (name, about) = (&theory.name, theory.summary.split_whitespace().collect::<Vec<_>>().join(" "));
        let _ = write!(text, "\n### {name}\n\n{about}\n");
        let rows = definitions_of_theory(library, theory);
        if rows.is_empty() {
            continue;
        }
        let _ = write!(text, "\n| name | type | meaning | for example | answer |\n|---|---|---|---|---|\n");
        for definition in rows {
            let Example { question, answer, model } = find_example(library, &theory.name, &definition.name)?;
            let (name, ty, doc) =
                (&definition.name, escape_cell(&definition.scheme.to_string()), escape_cell(&definition.doc));
            let model = model.map_or_else(String::new, |model| format!(", in the [model](models.md) `{model}`"));
            let _ = writeln!(
                text,
                "| `{name}` | `{ty}` | {doc} | `{}` | `{}`{model} |",
                escape_cell(&question),
                escape_cell(&answer)
            );
        }
    }
    let _ = write!(text, "{ELSEWHERE}");
    for (names, here) in constant::foreign_names().iter().chain(idiom::NAMES).chain(idiom::LIBRARIES) {
        let names = names.iter().map(|name| format!("`{name}`")).collect::<Vec<_>>().join(", ");
        let _ = writeln!(text, "| {names} | {} |", escape_cell(here));
    }
    Ok(text)
}

/// The beginning of the chapter.
const CHAPTER: &str = "\
# Reference

*For those who look up a name; after [On one page](cheat-sheet.md).*

What the language has, by topic, and what the theories define. `:doc NAME` at [the prompt](the-prompt.md) and `smoothish doc NAME` on
the command line say the same of one name, `smoothish doc` lists all. This chapter is written by a test from the table of the
constants and from the theories; in brackets stands where a constant is from, S being the λ_S paper. A function has a value for all arguments
of its type, unless its meaning says for which.
";

/// The introduction to the definitions of theories.
const DEFINITIONS: &str = "
## Definitions

What follows is defined in the language itself, in [the theories](the-theories.md). An example is the program of a claim of the theory, which
says what it is and why; the claims are tried whenever the tests run, and the answers are those of this library.
";

/// The head of the table of names that other systems use.
const ELSEWHERE: &str = "
## What is called something else here

| elsewhere | here |
|---|---|
";

/// A question, as it is asked at the prompt, with its answer.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Example {
    /// The program.
    pub question: String,
    /// The answer. A set of numbers if the value is one, as at a kink.
    pub answer: String,
    /// The semantics that answers. `None` for the default one.
    pub model: Option<&'static str>,
}

/// The semantics to try, in this order.
const TRIED_MODELS: [&str; 3] = [meaning::DEFAULT_SEMANTICS, meaning::partial::NAME, meaning::pap::NAME];

impl fmt::Display for Example {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{} is {}", self.question, self.answer)?;
        self.model.map_or(Ok(()), |model| write!(f, " in the model {model}"))
    }
}

/// Finds the example of a definition, among the programs of the theory's claims that mention it and have an answer. The
/// order of preference: a number before a set, the default semantics before others, an application of the definition
/// before other programs, then the shortest. An example with the answer 0 is the last resort.
///
/// # Errors
/// A [`Diagnostic`] that names the definition, if no claim has such a program.
pub fn find_example(library: &mut TheorySession, theory: &str, name: &str) -> Result<Example, Diagnostic> {
    let none = || {
        let help = "a claim of the theory is to have a program with a plain answer in which it stands";
        Diagnostic::invalid_input(format!("error: `{theory}.{name}` has no example\n  = help: {help}"))
    };
    let source = library.theories().find_theory(theory).ok_or_else(none)?;
    let mut candidates: Vec<ExampleCandidate> =
        source.claims.iter().filter_map(|claim| ExampleCandidate::new(library, source, claim, name)).collect();
    candidates.sort_by(|one, other| one.sort_key().cmp(&other.sort_key()));
    let (sets, numbers): (Vec<ExampleCandidate>, Vec<ExampleCandidate>) =
        candidates.into_iter().partition(|each| each.is_set);
    let mut of_zero = None;
    for (candidates, model) in [numbers, sets].iter().flat_map(|some| TRIED_MODELS.map(|model| (some, model))) {
        for example in candidates.iter().filter_map(|candidate| candidate.answer_in(library, model)) {
            if example.answer != "0" {
                return Ok(example);
            }
            // A value of 0 tells a reader less than any other number.
            of_zero = of_zero.or(Some(example));
        }
    }
    of_zero.ok_or_else(none)
}

/// A program that may be the example of a definition.
struct ExampleCandidate {
    question: String,
    /// `true` if the program is an application of the definition, not a larger program.
    applies: bool,
    /// `true` if the value is a set, as that of a derivative at a kink is.
    is_set: bool,
}

impl ExampleCandidate {
    /// Takes the program of a claim. Returns `None` if the program does not mention the definition.
    fn new(library: &TheorySession, theory: &Theory, claim: &TheoryClaim, name: &str) -> Option<Self> {
        let programs = claim.statement.typed_programs();
        // Of a claim about two programs, the first one is shown.
        let (term, _) = programs.first()?;
        let is_it = |definition: &Definition| *definition.module == *theory.name && *definition.name == *name;
        let mentioned = mentioned_definitions(term);
        if !mentioned.iter().any(|(definition, _)| is_it(definition)) {
            return None;
        }
        let question = text_at_prompt(library, &theory.source.text, claim.program, &mentioned)?;
        let applies = matches!(applied_function(term).kind(), TermKind::Global(definition) if is_it(definition));
        let is_set = matches!(claim.statement, ClaimStatement::Within { reached: false, .. });
        Some(Self { question, applies, is_set })
    }

    /// Returns the sort key of the candidate; the least is the best example.
    fn sort_key(&self) -> (bool, usize, &str) {
        (!self.applies, self.question.chars().count(), &self.question)
    }

    /// Answers the example in a semantics. Returns `None` unless the value is defined and as narrow as requested; a set
    /// must be bounded and wider.
    fn answer_in(&self, library: &mut TheorySession, model: &'static str) -> Option<Example> {
        let to = AccuracyGoal::default().or_default(eval::DEFAULT_WIDTH_EXPONENT).accuracy();
        let limits = Limits::within_time(Timeout::default().0);
        let source = Arc::new(SourceText::new("example", self.question.as_str()));
        let wanted = if self.is_set { AccuracyClass::Wide } else { AccuracyClass::Reached };
        let found = library.ask(&Evaluate::from_source(source).with_model(model), &limits).ok()?;
        let shown = || eval::format_value(&eval::printable_value(&found), &to);
        let answer = (AccuracyClass::of_value(found.value(), &to) == wanted).then(shown)?;
        let model = (model != meaning::DEFAULT_SEMANTICS).then_some(model);
        Some(Example { question: self.question.clone(), answer, model })
    }
}

/// Returns the function of an application of any number of arguments.
fn applied_function(mut term: &Term) -> &Term {
    while let TermKind::Apply { function, .. } = term.kind() {
        term = function;
    }
    term
}

/// Returns the definitions that a program mentions in its own text, from left to right.
fn mentioned_definitions(term: &Term) -> Vec<(Arc<Definition>, Span)> {
    let (mut waiting, mut found) = (vec![term], Vec::new());
    while let Some(term) = waiting.pop() {
        match term.kind() {
            TermKind::Global(definition) => found.push((definition.clone(), term.span())),
            kind => waiting.extend(kind.children()),
        }
    }
    found.sort_by_key(|(_, span)| (span.start, span.end));
    found
}

/// Returns the text of a theory's program as it is written at the prompt. A name that several theories define is
/// qualified. Returns `None` if even then the text means another program.
fn text_at_prompt(
    library: &TheorySession,
    text: &str,
    program: Span,
    mentioned: &[(Arc<Definition>, Span)],
) -> Option<String> {
    let same = |question: &String| {
        let Ok((term, _)) = library.session.infer(question) else { return false };
        let found = mentioned_definitions(&term);
        found.len() == mentioned.len()
            && found
                .iter()
                .zip(mentioned)
                .all(|((one, _), (other, _))| one.name == other.name && one.module == other.module)
    };
    let plain = program.text_in(text).split_whitespace().collect::<Vec<_>>().join(" ");
    // Qualified names are longer: they are written only if the plain text does not mean the same.
    if same(&plain) {
        return Some(plain);
    }
    let mut whole = String::new();
    let mut at = program.start as usize;
    for (definition, span) in mentioned {
        let ambiguous =
            library.modules().modules().iter().filter(|module| module.find_definition(&definition.name).is_some());
        if span.text_in(text) == &*definition.name && ambiguous.count() > 1 {
            whole.push_str(text.get(at..span.start as usize)?);
            whole.push_str(&definition.module);
            whole.push('.');
            at = span.start as usize;
        }
    }
    whole.push_str(text.get(at..program.end as usize)?);
    Some(whole.split_whitespace().collect::<Vec<_>>().join(" ")).filter(same)
}

/// The words of the language that have a meaning but no type: the words, the meaning, and its source.
pub const WORDS: &[(&[&str], &str, &str)] = &[
    (&["λ", "\\"], "A function: \\x => e, or λ x : ℜ ⇒ e.", "S §3, Fig. 5"),
    (
        &["let", "in"],
        "Names a value, let f x = e in e; at the prompt without `in`, for the rest of the session.",
        "S §3",
    ),
    (&["rec"], "let rec f (n : Nat) = e: a function that may use itself.", "S §8.1"),
    (
        &["if", "then", "else"],
        "if c then a else b: a choice by a truth value; one that compares real numbers is undefined on its border.",
        "S §8.1",
    ),
    (
        &["match", "with"],
        "match e with Nothing => a | Just x => b: a choice by the constructor; of a list, [] => a | x :: rest => b.",
        "H §5.1",
    ),
    (
        &["type"],
        "Names a type, type Surface A = A -> Real, or declares one by its constructors, type Maybe A = Nothing | Just A.",
        "S §6, H §5.1",
    ),
    (&["List"], "List A is the type of lists, [a, b] or a :: rest.", "H §5.1"),
    (&["tt", "ff"], "The truth values.", "S §8.1"),
    (&["Real", "ℜ", "ℝ"], "The type of real numbers, values with all their derivatives.", "S §3, §5.1"),
    (&["Nat", "ℕ"], "The type of natural numbers.", "S §8.1"),
    (&["Bool", "𝔅", "𝔹"], "The type of truth values.", "S §8.1"),
    (&["Tan"], "Tan A is the type of tangents to A: a point with a direction.", "S §5.3"),
    (&["to", "from"], "The two maps of an isomorphism: i.to e, i.from e.", "S Fig. 2"),
    (&["ans"], "At the prompt: the expression that was answered last, not its enclosure.", "smoothish"),
];

/// One meaning of a name.
enum NameMeaning<'l> {
    Word(&'static str, &'static str),
    Constant(Constant),
    Value(Arc<Definition>),
    Type(&'l Module, Arc<NamedType>),
}

/// The example that illustrates a meaning.
enum Illustration {
    /// A program, which is evaluated.
    Question(String),
    /// An example from its theory.
    Definition(Arc<Definition>),
    Nothing,
}

impl Illustration {
    /// Chooses the example of a meaning.
    fn from_meaning(found: &NameMeaning<'_>) -> Self {
        match found {
            NameMeaning::Constant(constant) => constant.example().map_or(Self::Nothing, Self::Question),
            NameMeaning::Value(definition) => Self::Definition(definition.clone()),
            NameMeaning::Word(..) | NameMeaning::Type(..) => Self::Nothing,
        }
    }
}

impl NameMeaning<'_> {
    /// Returns the module of the definition. `None` for words and primitives.
    fn defining_module(&self) -> Option<Name> {
        match self {
            Self::Value(definition) => Some(definition.module.clone()),
            Self::Type(module, _) => Some(module.name().clone()),
            Self::Word(..) | Self::Constant(_) => None,
        }
    }
}

/// Finds all meanings of `name` or `Module.name`, the nearest scope first.
fn find_meanings<'l>(library: &'l TheorySession, name: &str) -> Vec<NameMeaning<'l>> {
    let modules = library.modules().modules();
    let (wanted, short) = match name.split_once('.') {
        Some((module, short)) if !short.is_empty() => (Some(module), short),
        _ => (None, name),
    };
    let mut found = Vec::new();
    // The session is the nearest scope.
    let own_first = modules.iter().filter(|m| &**m.name() == SESSION_MODULE);
    for module in own_first.chain(modules.iter().filter(|m| &**m.name() != SESSION_MODULE)) {
        if wanted.is_none_or(|wanted| wanted == &**module.name()) {
            found.extend(module.find_definition(short).cloned().map(NameMeaning::Value));
            found.extend(module.find_named_type(short).cloned().map(|alias| NameMeaning::Type(module, alias)));
        }
    }
    if wanted.is_none() {
        // Operators are listed in parentheses, but typed without.
        let constant = Constant::from_name(name).or_else(|| Constant::from_name(&format!("({name})")));
        found.extend(constant.map(NameMeaning::Constant));
        let word = WORDS.iter().find(|(names, ..)| names.contains(&name));
        found.extend(word.map(|&(_, about, source)| NameMeaning::Word(about, source)));
    }
    found
}

/// Returns the help for a name from another language. `None` if there is none.
fn foreign_name_help(name: &str) -> Option<String> {
    let help = idiom::advise_name(name).map(str::to_owned);
    help.or_else(|| constant::foreign_counterpart(name).map(|here| format!("did you mean {here}?")))
}

/// Returns the diagnostic of an unknown name. The help is the most specific that applies.
fn unknown_name(library: &TheorySession, name: &str) -> Diagnostic {
    let names = names_in_scope(library.modules());
    let words = WORDS.iter().flat_map(|(names, ..)| names.iter().copied());
    let modules = library.modules().modules().iter().map(|module| &**module.name());
    let of_papers = correspondence::paper_names().map(|name| -> &str { name });
    let near = || nearest_name(name, names.iter().map(|name| &**name).chain(words).chain(modules).chain(of_papers));
    let help = foreign_name_help(name);
    let help = help.or_else(|| {
        let (_, short) = name.rsplit_once('.')?;
        let is_known = !short.is_empty() && !find_meanings(library, short).is_empty();
        // Other languages prefix names with a module, as in `Math.sin`.
        is_known.then(|| format!("names stand without a prefix: did you mean `{short}`?"))
    });
    let help = help.or_else(|| near().map(|near| format!("did you mean `{near}`?")));
    // A free variable has no similar name worth suggesting.
    let is_letter = name.chars().count() == 1 && name.starts_with(char::is_alphabetic);
    let help = help.unwrap_or_else(|| match is_letter {
        true => format!("bind a letter by a function, \\{name} => …, or by let {name} = 2 in …"),
        false => "`smoothish doc` lists the names there are, :list NAME those of a theory at the prompt".to_owned(),
    });
    let help = format!("\n  = help: {help}");
    Diagnostic::invalid_input(format!("error: `{name}` is not known here{help}"))
}

/// Describes a name for `:info`: type, module, and definition or origin. A name with several meanings has several
/// blocks.
///
/// # Errors
/// A [`Diagnostic`] for an unknown name, with the nearest known one.
pub fn describe_for_info(library: &TheorySession, name: &str) -> Result<String, Diagnostic> {
    if let Some(theory) = library.theories().find_theory(name) {
        return Ok(format_theory(theory));
    }
    let blocks: Vec<String> = find_meanings(library, name).iter().map(|found| format_info(library, found)).collect();
    if blocks.is_empty() { Err(unknown_name(library, name)) } else { Ok(blocks.join("\n")) }
}

/// Describes a name for `:doc`: its type, its meaning with the source, and an example. A name or an item of the papers
/// that has no meaning in the language is described by its rows of the correspondence.
///
/// # Errors
/// A [`Diagnostic`] for an unknown name, with the nearest known one or its counterpart here; for an id that there is
/// not, with the last one.
pub fn describe_for_doc(library: &mut TheorySession, name: &str) -> Result<String, Diagnostic> {
    if let Some(theory) = library.theories().find_theory(name) {
        let about = if theory.summary.is_empty() { format!("theory {}", theory.name) } else { theory.summary.clone() };
        let told = format!("{about} [{}]", theory_origin(theory));
        return Ok([Some(told), correspondence::refer_to_rows(name)]
            .into_iter()
            .flatten()
            .collect::<Vec<_>>()
            .join("\n"));
    }
    let mut lines = Vec::new();
    let found = find_meanings(library, name);
    let homes: Vec<Name> = found.iter().filter_map(NameMeaning::defining_module).collect();
    let told: Vec<(String, Illustration)> =
        found.iter().map(|found| (format_doc(library, found), Illustration::from_meaning(found))).collect();
    for (text, shown) in told {
        lines.push(text);
        let example = match shown {
            Illustration::Question(question) => {
                let answer = answer_example(library, &question)?;
                Some(Example { question, answer, model: None })
            }
            Illustration::Definition(definition) => find_example(library, &definition.module, &definition.name).ok(),
            Illustration::Nothing => None,
        };
        lines.extend(example.map(|example| format!("for example, {example}")));
    }
    // A defined name has the laws of its own theories only. A name from another language has none.
    let is_defined = !lines.is_empty();
    if is_defined {
        lines.extend(correspondence::refer_to_rows(name));
    } else if let Some(text) = correspondence::describe_rows(name)? {
        return Ok(text);
    }
    if is_defined || foreign_name_help(name).is_none() {
        lines.extend(list_statements(library, name, |theory| {
            !is_defined || homes.iter().any(|home| **home == *theory.name)
        }));
    }
    if lines.is_empty() { Err(unknown_name(library, name)) } else { Ok(lines.join("\n")) }
}

/// Lists the laws and claims of this name, in the theories that `is_meant` accepts: statement, reason and source.
fn list_statements(library: &TheorySession, name: &str, is_meant: impl Fn(&Theory) -> bool) -> Vec<String> {
    let (wanted, short) = match name.split_once('.') {
        Some((theory, short)) => (Some(theory), short),
        None => (None, name),
    };
    let theories = library.theories().theories().iter();
    let of = |theory: &Theory| {
        let claims = theory.claims.iter().map(|claim| ("claim", &claim.name, claim.span, Some(&claim.because)));
        let laws = theory.laws.iter().map(|law| ("law", &law.name, law.span, law.because.as_ref()));
        let found = claims.chain(laws).filter(|(_, name, ..)| ***name == *short);
        let told = found.map(|(kind, name, span, because)| {
            let text: Vec<&str> = span.text_in(&theory.source.text).split_whitespace().collect();
            let because = because.map_or_else(String::new, |because| format!(", because {because}"));
            format!("{kind} {name} : {}{because} [{}, {}]", text.join(" "), theory.name, theory_origin(theory))
        });
        told.collect::<Vec<_>>()
    };
    theories
        .filter(|theory| wanted.is_none_or(|wanted| wanted == &*theory.name))
        .filter(|theory| is_meant(theory))
        .flat_map(of)
        .collect()
}

/// Formats one meaning for `:doc`.
fn format_doc(library: &TheorySession, found: &NameMeaning<'_>) -> String {
    match found {
        NameMeaning::Word(about, source) => format!("{about} [{source}]"),
        NameMeaning::Constant(constant) => {
            let (name, ty) = (constant.name(), constant.scheme());
            format!("{name} : {ty}\n{} [{}]", constant.summary(), constant.source())
        }
        NameMeaning::Value(definition) => {
            let place = module_origin(library, &definition.module);
            match definition.doc.split_whitespace().collect::<Vec<_>>().join(" ") {
                none if none.is_empty() => format!("{} [{place}]", format_definition(definition)),
                doc => format!("{}\n{doc} [{place}]", format_definition(definition)),
            }
        }
        NameMeaning::Type(module, alias) => format!("{} [{}]", alias, module_origin(library, module.name())),
    }
}

/// Formats one meaning for `:info`.
fn format_info(library: &TheorySession, found: &NameMeaning<'_>) -> String {
    match found {
        NameMeaning::Word(about, source) => format!("a word of the language, {source}\n{about}"),
        NameMeaning::Constant(constant) => format!(
            "{} : {}\na primitive of the language, {}\n{}",
            constant.name(),
            constant.scheme(),
            constant.source(),
            constant.summary()
        ),
        NameMeaning::Value(definition) => {
            let head = format_definition(definition);
            let text = item_text(library, &definition.module, |item| match item {
                TheoryItem::Let(declaration, _) if declaration.name.span == definition.span => {
                    Some((definition.span.start, declaration.value.span.end, "let"))
                }
                _ => None,
            });
            // A constructor is shown by the declaration of its type. A definition of the session keeps its own text.
            let text = match (&definition.constructor, library.definitions().source_of(definition)) {
                (Some(constructor), _) => Some(constructor.data().to_string()),
                (None, Some(source)) => Some(source.text.trim().to_owned()),
                (None, None) => text,
            };
            [Some(head), Some(module_origin(library, &definition.module)), text]
                .into_iter()
                .flatten()
                .collect::<Vec<_>>()
                .join("\n")
        }
        NameMeaning::Type(module, alias) => format!("{}\n{}", alias, module_origin(library, module.name())),
    }
}

/// Returns the text of an item of a theory: from the keyword before its name to its end. `None` if the item is not
/// found.
fn item_text(
    library: &TheorySession,
    module: &str,
    find: impl Fn(&TheoryItem) -> Option<(u32, u32, &'static str)>,
) -> Option<String> {
    let text = &library.theories().find_theory(module)?.source.text;
    let document = format::parse(text).ok()?;
    let (start, end, word) = document.items.iter().find_map(find)?;
    // The span begins at the name; the keyword is the nearest one before it.
    let start = text.get(..start as usize)?.rfind(word)?;
    Some(text.get(start..end as usize)?.to_owned())
}

/// Returns the name and the origin of a module.
fn module_origin(library: &TheorySession, module: &str) -> String {
    match library.theories().find_theory(module) {
        Some(theory) => format!("{module}, {}", theory_origin(theory)),
        None => "this session".to_owned(),
    }
}

/// Returns the file of a theory, and the works that it cites.
fn theory_origin(theory: &Theory) -> String {
    let cited: Vec<String> = theory.citations.iter().map(|cited| format!("{} {}", cited.key, cited.place)).collect();
    if cited.is_empty() { theory.source.name.clone() } else { format!("{}; {}", theory.source.name, cited.join("; ")) }
}

/// Formats a theory for `:info`.
fn format_theory(theory: &Theory) -> String {
    let extends = match theory.extends.as_slice() {
        [] => String::new(),
        names => format!(" extends {}", names.join(", ")),
    };
    let claims = theory.claims.len();
    [format!("theory {}{extends}, {claims} claims", theory.name), theory_origin(theory), theory.summary.clone()]
        .into_iter()
        .filter(|line| !line.is_empty())
        .collect::<Vec<_>>()
        .join("\n")
}

/// Formats a definition with its type.
fn format_definition(definition: &Definition) -> String {
    format!("{} : {}", definition.name, definition.scheme)
}

/// Lists the definitions of the session and all modules, for `:list`; or the definitions of one module, with their
/// types.
///
/// # Errors
/// A [`Diagnostic`] for an unknown module, with the nearest known one.
pub fn list_definitions(library: &TheorySession, module: Option<&str>) -> Result<String, Diagnostic> {
    let modules = library.modules();
    let lines: Vec<String> = match module {
        None => {
            let definitions = library.definitions();
            let own = definitions.entries().iter().enumerate().filter(|&(index, _)| definitions.is_visible(index));
            let own = own.map(|(_, entry)| match &entry.content {
                DefinitionKind::Value(definition)
                | DefinitionKind::Answer(definition)
                | DefinitionKind::Foreign(definition) => format_definition(definition),
                DefinitionKind::Type(alias) => alias.to_string(),
            });
            let theories = library.theories().theories().iter().map(|theory| {
                let count = modules.module(&theory.name).map_or(0, |m| m.definitions().len() + m.named_types().len());
                format!("{}: {count} definitions, {}", theory.name, theory.source.name)
            });
            own.chain(theories).chain([format!("language: {} primitives", Constant::ALL.len())]).collect()
        }
        Some("language") => Constant::ALL.iter().map(|c| format!("{} : {}", c.name(), c.scheme())).collect(),
        Some(name) => match modules.module(name) {
            Some(module) => {
                let types = module.named_types().iter().map(|alias| alias.to_string());
                // The lines of types show their constructors.
                let values = module.definitions().iter().filter(|definition| definition.constructor.is_none());
                types.chain(values.map(|definition| format_definition(definition))).collect()
            }
            None => {
                let names = modules.modules().iter().map(|module| &**module.name()).chain(["language"]);
                return Err(Diagnostic::unknown_name(format!("there is no module `{name}`"), name, names));
            }
        },
    };
    Ok(lines.join("\n"))
}
