//! The questions of a command line: expressions and files of them, in their order, and the loop that asks them.

use super::arguments::OutputFormat;
use super::eval::{JSON_VERSION, diagnostic_to_json, undefined_to_json};
use super::output::Streams;
use super::read;
use super::status::Status;
use crate::session::{Diagnostic, Limits};
use crate::syntax::source::SourceText;
use clap::{Arg, ArgAction, ArgMatches, Args, Command, Error, FromArgMatches, value_parser};
use serde_json::json;
use std::io::{self, Read};
use std::path::{Path, PathBuf};
use std::sync::Arc;

/// The options of a command that answers a question for each expression.
#[derive(Debug, Args)]
pub struct QuestionArgs {
    /// Load the theories of a file first; may be repeated
    #[arg(long, value_name = "FILE")]
    pub load: Vec<PathBuf>,
    /// The output format
    #[command(flatten)]
    pub format: OutputFormat,
    /// The questions
    #[command(flatten)]
    pub questions: Questions,
}

impl QuestionArgs {
    /// Asks every question, in order, and prints its answer or its diagnostic. Ctrl-C ends the loop after the running
    /// one. JSON output has one line for each question, answered or not. The status is the worst of all.
    ///
    /// # Errors
    /// Errors of reading and of writing.
    pub fn ask_each<A>(
        &self,
        limits: &Limits,
        input: &mut dyn Read,
        streams: &mut Streams<'_>,
        mut ask: impl FnMut(&Arc<SourceText>) -> Result<A, Diagnostic>,
        mut print: impl FnMut(&Arc<SourceText>, A, &mut Streams<'_>) -> io::Result<Status>,
    ) -> io::Result<Status> {
        let (mut worst, mut is_refused) = (Status::default(), false);
        for question in &self.questions.0 {
            let source = question.read_source(input)?.map(Arc::new);
            let text = source.as_ref().ok().map(|source| source.text.clone());
            let answered = source.and_then(|source| Ok((ask(&source)?, source)));
            let status = match answered {
                Ok((answer, source)) => print(&source, answer, streams)?,
                Err(refusal) => {
                    is_refused |= Status::from(refusal.kind) == Status::Wrong;
                    // A forgotten `--file` is likelier than a file name that is meant as an expression.
                    let refusal = question.suggest_file(refusal);
                    let is_json = self.format.is_json();
                    if is_json {
                        let mut object = json!({ "version": JSON_VERSION, "question": text });
                        match &refusal.undefined {
                            Some(undefined) => object["undefined"] = undefined_to_json(undefined),
                            None => object["error"] = diagnostic_to_json(&refusal),
                        }
                        writeln!(streams.out, "{object}")?;
                    }
                    // In JSON the absence of a value is an answer already, and is not repeated as an error.
                    if !is_json || refusal.undefined.is_none() {
                        writeln!(streams.err, "{}", self.format.render_diagnostic(&refusal))?;
                    }
                    Status::from(refusal.kind)
                }
            };
            // Each answer is shown before the next question begins, which may take long.
            streams.out.flush()?;
            worst = Status::worst_of([worst, status]);
            if limits.is_interrupted() {
                break;
            }
        }
        if is_refused
            && !self.format.is_json()
            && !self.format.is_short()
            // Several wrong single words are most likely one expression that the shell has split.
            && let Some(whole) = self.questions.join_words()
        {
            writeln!(streams.err, "note: several arguments are several questions; put one in quotes: '{whole}'")?;
        }
        Ok(worst)
    }
}

/// The source of a question's text.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum QuestionText {
    /// On the command line.
    Text(String),
    /// On the standard input.
    Input,
    /// In a file.
    File(PathBuf),
}

impl QuestionText {
    /// Reads an argument of a command, where `-` means the standard input.
    #[must_use]
    pub fn from_argument(argument: &str) -> Self {
        match argument {
            "-" => Self::Input,
            text => Self::Text(text.to_owned()),
        }
    }

    /// Adds the help to use `--file` to the diagnostic of a text that is the name of a file.
    fn suggest_file(&self, refusal: Diagnostic) -> Diagnostic {
        match self {
            QuestionText::Text(text) if Status::from(refusal.kind) == Status::Wrong && Path::new(text).is_file() => {
                // The other help lines guess at a misspelt expression, and would mislead.
                let kept: Vec<&str> =
                    refusal.report().lines().filter(|line| !line.trim_start().starts_with("= help: ")).collect();
                let help = format!("`{text}` is a file; give it by --file {text}");
                Diagnostic::rendered(refusal.id, refusal.kind, kept.join("\n").trim_end_matches(" |")).with_help(&help)
            }
            _ => refusal,
        }
    }

    /// Reads the text of the question, with its name in messages.
    ///
    /// # Errors
    /// Errors of reading `input`; the inner [`Diagnostic`] if the text cannot be read or is not UTF-8.
    pub fn read_source(&self, input: &mut dyn Read) -> io::Result<Result<SourceText, Diagnostic>> {
        Ok(match self {
            QuestionText::Text(text) => Ok(SourceText::new("question", text.as_str())),
            QuestionText::Input => {
                read::read_text("standard input", input)?.map(|text| SourceText::new("standard input", text))
            }
            QuestionText::File(path) => read::read_theory(path),
        })
    }
}

/// Questions, in order.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Questions(pub Vec<QuestionText>);

impl Questions {
    /// The name of the positional arguments.
    pub const NAMES: &str = EXPRESSIONS;

    /// Joins the words of one question that the shell has split. Returns `None` if an argument is no single word.
    fn join_words(&self) -> Option<String> {
        let word = |question: &QuestionText| match question {
            QuestionText::Text(text) if !text.contains(char::is_whitespace) && !text.contains('\'') => {
                Some(text.clone())
            }
            _ => None,
        };
        let words: Vec<String> = self.0.iter().map(word).collect::<Option<_>>()?;
        (words.len() > 1).then(|| words.join(" "))
    }
}

const EXPRESSIONS: &str = "expressions";
const OPTIONS: &str = "expression";
const FILES: &str = "file";

impl Args for Questions {
    fn augment_args(command: Command) -> Command {
        let expressions = Arg::new(EXPRESSIONS)
            .value_name("EXPR")
            .help("Expressions, after `--` if one starts with a minus; `-` reads one from standard input")
            .action(ArgAction::Append)
            .num_args(1..)
            .allow_negative_numbers(true)
            .required_unless_present_any([OPTIONS, FILES]);
        let option = Arg::new(OPTIONS)
            .short('e')
            .long("expression")
            .value_name("EXPR")
            .help("Expression, which may start with a minus; may be repeated")
            .action(ArgAction::Append)
            .allow_hyphen_values(true);
        let file = Arg::new(FILES)
            .short('f')
            .long("file")
            .value_name("FILE")
            .help("File with one expression, `-` for standard input; may be repeated")
            .action(ArgAction::Append)
            .allow_hyphen_values(true)
            .value_parser(value_parser!(PathBuf));
        command.arg(option).arg(file).arg(expressions)
    }

    fn augment_args_for_update(command: Command) -> Command {
        Self::augment_args(command)
    }
}

impl FromArgMatches for Questions {
    fn from_arg_matches(matches: &ArgMatches) -> Result<Self, Error> {
        let mut found: Vec<(usize, QuestionText)> = Vec::new();
        let text = |text: &String| QuestionText::Text(text.clone());
        let or_input = |text: &String| if text == "-" { QuestionText::Input } else { QuestionText::Text(text.clone()) };
        let file = |path: &PathBuf| match path.as_os_str() == "-" {
            true => QuestionText::Input,
            false => QuestionText::File(path.clone()),
        };
        let places = |id: &str| matches.indices_of(id).into_iter().flatten().collect::<Vec<_>>();
        let texts = |id: &str| matches.get_many::<String>(id).into_iter().flatten();
        found.extend(places(EXPRESSIONS).into_iter().zip(texts(EXPRESSIONS).map(or_input)));
        found.extend(places(OPTIONS).into_iter().zip(texts(OPTIONS).map(text)));
        found.extend(places(FILES).into_iter().zip(matches.get_many::<PathBuf>(FILES).into_iter().flatten().map(file)));
        // clap groups arguments by option; their indices restore the order of the command line.
        found.sort_by_key(|(place, _)| *place);
        Ok(Questions(found.into_iter().map(|(_, question)| question).collect()))
    }

    fn update_from_arg_matches(&mut self, matches: &ArgMatches) -> Result<(), Error> {
        *self = Self::from_arg_matches(matches)?;
        Ok(())
    }
}
