//! The options of the command line, and their parsers.
//!
//! # Numbers and points
//!
//! Every command reads its ends and points by [`ClosedNumber`] and [`ClosedPoint`].
//!
//! # The commands `completions` and `man`
//!
//! The command line described for shells and manuals.

use super::adequacy::AdequacyOptions;
use super::agree::AgreeOptions;
use super::audit::AuditOptions;
use super::book::BookOptions;
use super::features::{FeaturesOptions, FragmentOptions};
use super::measure::{EstimatorsOptions, EvidenceOptions, ExpectOptions, InferOptions, PushforwardOptions};
use super::output::{output_columns, wrap_at_spaces};
use super::pieces::PiecesOptions;
use super::plot::PlotOptions;
use super::questions::QuestionArgs;
use super::read;
use super::reference::DocOptions;
use super::render::RenderOptions;
use super::table::TableOptions;
use super::trace::TraceOptions;
use crate::law::fuzz::FuzzTarget;
use crate::meaning;
use crate::model::answer::AnswerNumber;
use crate::model::answer::Semantics;
use crate::number::Rational;
use crate::number::decimal::Decimals;
use crate::number::tuning::{Tuning, TuningError};
use crate::plot::PlotError;
use crate::plot::axis::{format_exact, parse_coordinate, power_of_ten};
use crate::session::answer::{Note, NoteKind};
use crate::session::limits::tuning_message;
use crate::session::tolerance::{AccuracyGoal, Digits, Timeout, Tolerance};
use crate::session::{Diagnostic, Evaluate, Limits, Session};
use crate::value::Value;
use clap::builder::{PossibleValue, PossibleValuesParser, TypedValueParser};
use clap::{Args, CommandFactory, Parser, Subcommand, ValueEnum};
use clap_complete::Shell;
use clap_mangen::Man;
use std::convert::Infallible;
use std::ffi::OsString;
use std::io;
use std::io::Write;
use std::num::{NonZeroU64, NonZeroUsize};
use std::path::PathBuf;
use std::str::FromStr;
use std::sync::Arc;
use std::time::Duration;

/// Certified values and derivatives of programs.
#[derive(Debug, Parser)]
#[command(name = "smoothish", version, about, max_term_width = 100, help_template = help_template(), after_help = EXIT_STATUSES)]
pub struct Arguments {
    /// The command.
    #[command(subcommand)]
    pub command: Command,
}

/// A number of the command line: a decimal or a fraction, read exactly, or a closed expression such as `2*pi`, enclosed.
///
/// An expression sees the language and the standard library. It is enclosed to 20 digits at the least.
///
/// # Examples
/// ```standalone_crate
/// use smoothish::cli::arguments::ClosedNumber;
/// let third: ClosedNumber = "1/3".parse()?;
/// assert!(third.lower() == third.upper() && third.rounding_note("--to", third.upper()).is_none());
/// let turn: ClosedNumber = "2*pi".parse()?;
/// assert!(turn.lower() < turn.upper());
/// assert!("1/0".parse::<ClosedNumber>().is_err() && "sin".parse::<ClosedNumber>().is_err());
/// # Ok::<(), String>(())
/// ```
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ClosedNumber {
    text: String,
    ends: [Rational; 2],
}

/// The time in which an expression for a number is enclosed. A choice: longer than any that is written by hand takes.
const NUMBER_TIME: Duration = Duration::from_secs(10);
/// The number of digits to which an expression for a number is enclosed. A choice: beyond those of a double.
const NUMBER_DIGITS: u32 = 20;

impl ClosedNumber {
    /// Returns the greatest number known to be at most the value: the value itself if it is exact.
    #[must_use]
    pub fn lower(&self) -> &Rational {
        &self.ends[0]
    }

    /// Returns the least number known to be at least the value: the value itself if it is exact.
    #[must_use]
    pub fn upper(&self) -> &Rational {
        &self.ends[1]
    }

    /// Returns the number as it was written.
    #[must_use]
    pub fn text(&self) -> &str {
        &self.text
    }

    /// Returns the note that `used` was taken for this number, as the value of an option. `None` if it is exact.
    #[must_use]
    pub fn rounding_note(&self, option: &str, used: &Rational) -> Option<Note> {
        let text = || format!("{option} {} is rounded to {}", self.text, format_exact(used));
        (self.ends[0] != self.ends[1]).then(|| Note::new("rounded", NoteKind::Remark, text()))
    }

    /// Encloses a closed expression.
    ///
    /// # Errors
    /// The reason why it is no number, as a sentence.
    fn enclose_expression(text: &str) -> Result<[Rational; 2], String> {
        let question = Evaluate::new(text).with_digits(NUMBER_DIGITS);
        let answer =
            Session::new().ask(&question, &Limits::within_time(NUMBER_TIME)).map_err(|refusal| refusal.message)?;
        let found = match answer.value() {
            Value::Natural(n) => return Ok([Rational::from(*n), Rational::from(*n)]),
            Value::Real(AnswerNumber::Enclosure(found)) => &found.enclosure,
            _ => return Err("it is of another type than Real".to_owned()),
        };
        if !found.is_defined() {
            return Err("it is not shown to have a value".to_owned());
        }
        if !answer.is_reached() {
            return Err(format!("its value is not known to {NUMBER_DIGITS} digits"));
        }
        let printed = Decimals::for_relative_width(found, &power_of_ten(-i64::from(NUMBER_DIGITS)));
        let end = |text: &str| parse_coordinate(text).map_err(|error| error.to_string());
        Ok([end(printed.lo())?, end(printed.hi())?])
    }
}

impl FromStr for ClosedNumber {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        let ends = match parse_coordinate(text) {
            Ok(exact) => [exact.clone(), exact],
            Err(PlotError::Number { .. }) => Self::enclose_expression(text).map_err(|why| {
                format!(
                    "`{text}` is not a number: expected a decimal or a fraction, such as -2.5, 1e-3 or 1/3, or an expression such as 2*pi ({why})"
                )
            })?,
            Err(error) => return Err(error.to_string()),
        };
        Ok(Self { text: text.to_owned(), ends })
    }
}

/// A point of the command line: one number, or several, written `1,2`, `(1,2)` or `1 2`.
///
/// # Examples
/// ```standalone_crate
/// use smoothish::cli::arguments::ClosedPoint;
/// let points = ["1,2", "(1,2)", "1 2"].map(|text| text.parse::<ClosedPoint>().map(|point| point.coordinates()));
/// assert!(points[0].is_ok() && points.iter().all(|point| *point == points[0]));
/// assert_eq!("max 1 2, 3".parse::<ClosedPoint>()?.coordinates().len(), 2);
/// # Ok::<(), String>(())
/// ```
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ClosedPoint(pub Vec<ClosedNumber>);

impl ClosedPoint {
    /// Returns the coordinates, those of expressions rounded down.
    #[must_use]
    pub fn coordinates(&self) -> Vec<Rational> {
        self.0.iter().map(|number| number.lower().clone()).collect()
    }

    /// Returns a note on each coordinate that is rounded.
    #[must_use]
    pub fn rounding_notes(&self, option: &str) -> Vec<Note> {
        self.0.iter().filter_map(|number| number.rounding_note(option, number.lower())).collect()
    }
}

impl FromStr for ClosedPoint {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        split_coordinates(text).into_iter().map(str::parse).collect::<Result<_, _>>().map(ClosedPoint)
    }
}

/// Splits a point into its coordinates, as they are written.
pub(super) fn split_coordinates(text: &str) -> Vec<&str> {
    let text = text.trim();
    let inner = text.strip_prefix('(').and_then(|rest| rest.strip_suffix(')'));
    // `(1, 2)` is a point, `(1 + 2)` and `(1)*(2, 3)` are not.
    let parts = match inner.map(split_at_commas) {
        Some(parts) if parts.len() > 1 => parts,
        _ => split_at_commas(text),
    };
    let is_number = |part: &&str| parse_coordinate(part).is_ok();
    match parts[..] {
        // Of words side by side only numbers are coordinates: others are a function and its arguments.
        [one] if one.split_whitespace().count() > 1 && one.split_whitespace().all(|part| is_number(&part)) => {
            one.split_whitespace().collect()
        }
        _ => parts,
    }
}

/// Splits a text at the commas outside of all brackets. A text whose brackets do not match is one part.
fn split_at_commas(text: &str) -> Vec<&str> {
    let (mut open, mut start, mut parts) = (0_usize, 0, Vec::new());
    for (at, letter) in text.char_indices() {
        match letter {
            '(' | '[' => open += 1,
            ')' | ']' => match open.checked_sub(1) {
                Some(rest) => open = rest,
                None => return vec![text],
            },
            ',' if open == 0 => {
                parts.push(text[start..at].trim());
                start = at + 1;
            }
            _ => {}
        }
    }
    parts.push(text[start..].trim());
    if open == 0 { parts } else { vec![text] }
}

/// Parses a point that is an expression, such as `(1, (2, 3))`. Numbers side by side, and commas without parentheses, make a
/// tuple as well.
///
/// # Errors
/// None: the question that asks at the point reports its errors.
pub(super) fn parse_point_expression(text: &str) -> Result<String, Infallible> {
    Ok(match split_coordinates(text)[..] {
        [_] => text.to_owned(),
        _ if text.trim_start().starts_with('(') && split_at_commas(text).len() == 1 => text.to_owned(),
        ref parts => format!("({})", parts.join(", ")),
    })
}

/// The commands as `--help` lists them: groups, with what one does there.
pub const COMMAND_GROUPS: &[(&str, &[&str])] = &[
    ("Ask", &["demo", "eval", "repl", "table", "derive", "doc", "tuning", "book", "help"]),
    ("Draw", &["plot", "render"]),
    ("Audit", &["audit", "agree", "trace", "pieces", "fragment", "features"]),
    ("Sample", &["expect", "evidence", "estimators", "pushforward", "infer"]),
    ("Theories", &["check", "mutants", "theorem", "fmt"]),
    ("Work on smoothish", &["campaign", "adequacy", "fuzz", "completions", "man"]),
];

/// The width of `--help` in columns, as of clap's own parts.
const HELP_COLUMNS: usize = 100;
/// The width of the names of commands in `--help`, with the space around them.
const NAME_COLUMNS: usize = 15;

/// Returns the template of `--help`, which lists the commands in groups instead of one by one.
fn help_template() -> String {
    let commands = Command::augment_subcommands(clap::Command::new(NAME));
    let header = clap::builder::Styles::styled();
    let (on, off) = (header.get_header().render(), header.get_header().render_reset());
    let mut text = "{about-with-newline}\n{usage-heading} {usage}\n".to_owned();
    let columns = output_columns().unwrap_or(HELP_COLUMNS).min(HELP_COLUMNS);
    for (group, names) in COMMAND_GROUPS {
        text += &format!("\n{on}{group}:{off}\n");
        for name in *names {
            let about = match commands.find_subcommand(name).and_then(clap::Command::get_about) {
                Some(about) => about.to_string(),
                // clap adds this command itself, as the last step.
                None => "Explain a command, or a name as doc does".to_owned(),
            };
            let indent = " ".repeat(NAME_COLUMNS);
            for line in wrap_at_spaces(&about, columns, &format!("  {name:<13}"), &indent) {
                text += &format!("{line}\n");
            }
        }
    }
    let hint = "`smoothish` alone shows how to begin; `smoothish tutorial` opens a story of twenty minutes.";
    format!("{text}\n{hint}\n\n{on}Options:{off}\n{{options}}{{after-help}}")
}

/// Replaces the words of a command line that stand for others.
///
/// `tutorial` opens a chapter of the book. `help NAME` explains a name of the language, unless it is a command.
#[must_use]
pub fn expand_shorthand(mut given: Vec<OsString>) -> Vec<OsString> {
    let word = |at: usize| given.get(at).and_then(|word| word.to_str());
    match (word(1), word(2)) {
        (Some("tutorial"), _) => drop(given.splice(1..2, ["book", "twenty-minutes"].map(OsString::from))),
        (Some("help"), Some(name)) if !name.starts_with('-') && !is_command(name) => given[1] = "doc".into(),
        _ => {}
    }
    given
}

/// Returns `true` if a command has this name, or had it once.
fn is_command(name: &str) -> bool {
    name == "help" || Command::augment_subcommands(clap::Command::new(NAME)).find_subcommand(name).is_some()
}

/// The exit statuses, as `--help` lists them at its end.
const EXIT_STATUSES: &str = "\
Exit status:
  0  the tolerance is reached, and the value is certainly defined
  1  a statement was refuted
  2  the input is invalid
  3  the answer is finite, but wider than the tolerance
  4  no answer: undefined, or not shown to be defined within the limits
  5  a derivative that audit judges is as near as rounding allows, and no nearer";

/// The commands.
#[derive(Debug, Subcommand)]
pub enum Command {
    /// Run programs of the λ_S paper; print their true values, intervals, widths and times
    Demo,
    /// Enclose the value of an expression in an interval
    Eval(EvalOptions),
    /// Answer questions at a prompt
    Repl(ReplOptions),
    /// Explain names, with their types and an example; without a name, list all
    Doc(DocOptions),
    /// Evaluate an expression in every semantics that supports it, and compare the answers
    Agree(AgreeOptions),
    /// Print the derivative program (forward mode, any order)
    Derive(DeriveOptions),
    /// Print the straight-line trace at a point and where it is valid
    Trace(TraceOptions),
    /// List the pieces of a piecewise-analytic function
    Pieces(PiecesOptions),
    /// Test a claimed derivative of a function at a point
    Audit(AuditOptions),
    /// Enclose the normalising constant of a probabilistic program, its logarithm, or a derivative in a parameter
    #[command(alias = "normaliser")]
    Evidence(EvidenceOptions),
    /// Enclose E[f(X)], or a derivative of it, for a probabilistic program X
    Expect(ExpectOptions),
    /// Enclose the gradient of E[f(X)], and the bias and variance of its estimators
    Estimators(EstimatorsOptions),
    /// Enclose the density of f(X) at a point, for a probabilistic program X
    #[command(alias = "change")]
    Pushforward(PushforwardOptions),
    /// Estimate E[f(X)] by Monte Carlo; compare with the certified value
    Infer(InferOptions),
    /// Print the limits of the searches, as TOML for `--tuning`
    Tuning(TuningOptions),
    /// Say which papers' calculi contain a program
    Fragment(FragmentOptions),
    /// List the features each semantics supports
    Features(FeaturesOptions),
    /// Test the laws and claims of theories in the semantics
    Check(CheckOptions),
    /// Mutation testing: every wrong rule must be caught
    Mutants(MutantsOptions),
    /// Test theorems about the Taylor macro on random programs; without a name, list them
    Theorem(TheoremOptions),
    /// Format theory files
    Fmt(FmtOptions),
    /// Evaluate random programs in several ways, and report disagreements
    Campaign(CampaignOptions),
    /// Test operational against denotational semantics on random programs
    Adequacy(AdequacyOptions),
    /// Test the parser, type inference or the evaluator on hostile texts
    Fuzz(FuzzOptions),
    /// Plot a function and its derivatives: a certified interval for every column
    Plot(PlotOptions),
    /// Draw a function of two variables: a certified enclosure for every pixel
    Render(RenderOptions),
    /// Print a function and its derivatives at points of an interval, also as CSV
    Table(TableOptions),
    /// Serve the book: pages whose examples can be edited and run
    Book(BookOptions),
    /// Print a script that completes command lines in a shell
    Completions {
        /// The shell
        #[arg(value_enum)]
        shell: Shell,
    },
    /// Print the manual page of the program, or of a command
    Man {
        /// The command
        #[arg(value_name = "COMMAND")]
        command: Option<String>,
    },
}

/// The options of `eval`.
#[derive(Debug, Args)]
pub struct EvalOptions {
    /// The requested accuracy, and the time limit
    #[command(flatten)]
    pub demand: AccuracyArgs,
    /// Semantics of the expression
    #[arg(long, value_name = "MODEL", default_value = meaning::DEFAULT_SEMANTICS, value_parser = model_name_parser())]
    pub model: String,
    /// Unfold each recursive function at most N levels deep, in a semantics with approximants of recursion
    #[arg(long, value_name = "N")]
    pub fuel: Option<u64>,
    /// The limits of the searches
    #[command(flatten)]
    pub search: TuningArgs,
    /// The questions
    #[command(flatten)]
    pub asked: QuestionArgs,
}

/// The options of `derive`.
#[derive(Debug, Args)]
pub struct DeriveOptions {
    /// Number of directions of differentiation
    #[arg(long, value_name = "K", default_value_t = 1)]
    pub k: usize,
    /// Highest order of the derivatives
    #[arg(long, value_name = "R", default_value_t = 1)]
    pub order: usize,
    /// Differentiate in two directions, mixed derivatives only: the coordinates 00, 01, 10, 11
    #[arg(long, conflicts_with_all = ["k", "order"])]
    pub restricted: bool,
    /// Differentiate through comparisons of real numbers and edges of domains: branches follow the value, and on a border its own branch has the slope
    #[arg(long)]
    pub pieces: bool,
    /// Differentiate through `abs`, `max` and `min`: at a kink the first derivative is the set of Clarke, and higher ones are undefined
    #[arg(long, conflicts_with = "pieces")]
    pub clarke: bool,
    /// Print the transposed derivative of a function of one vector, with its loops and conditionals. Of a program that is no function, remove the derivatives
    #[arg(long, conflicts_with_all = ["k", "order", "restricted", "pieces", "clarke"])]
    pub reverse: bool,
    /// The programs to differentiate
    #[command(flatten)]
    pub asked: QuestionArgs,
}

/// The options of `repl`.
#[derive(Debug, Args)]
pub struct ReplOptions {
    /// The requested accuracy, and the time limit of each answer
    #[command(flatten)]
    pub demand: AccuracyArgs,
    /// The limits of the searches
    #[command(flatten)]
    pub search: TuningArgs,
    /// Serve another program: one JSON object a line, requests in, replies out
    #[arg(long)]
    pub json: bool,
    /// Load the theories of a file first; may be repeated
    #[arg(long, value_name = "FILE")]
    pub load: Vec<PathBuf>,
    /// Files of theories to load
    #[arg(value_name = "FILE")]
    pub files: Vec<PathBuf>,
}

/// The options of `check`.
#[derive(Debug, Args)]
pub struct CheckOptions {
    /// Number of samples that a law must survive
    #[arg(long, value_name = "N", default_value_t = 100, value_parser = clap::value_parser!(u64).range(1..=1_000_000))]
    pub samples: u64,
    /// Seed of the random samples: the same seed gives the same samples
    #[arg(long, value_name = "S", default_value_t = 0)]
    pub seed: u64,
    /// Semantics to test [default: presheaf, and those that a theory names]
    #[arg(long, value_name = "MODEL")]
    pub model: Vec<String>,
    /// Laws and claims to test [default: all]
    #[arg(long, value_name = "NAME")]
    pub law: Vec<String>,
    /// Time limit in seconds for one claim, or for one law with all its samples
    #[arg(long, value_name = "SECONDS", default_value_t, allow_hyphen_values = true)]
    pub timeout: Timeout,
    /// Check again whenever a file changes, until Ctrl-C
    #[arg(long)]
    pub watch: bool,
    /// The output format
    #[command(flatten)]
    pub format: OutputFormat,
    /// Theory files, or names of built-in theories [default: all built-in theories]
    #[arg(value_name = "THEORY")]
    pub theories: Vec<String>,
}

/// The kinds of rules that have mutants, by what refutes them.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, ValueEnum)]
pub enum MutantKind {
    /// Rules of the language and of its meanings, on the statements of theories
    #[default]
    Theory,
    /// Rules of the Taylor macro, on its theorems
    Macro,
    /// Rules of A and W on all laws of random programs: each law with its wrong rules
    Law,
    /// Rules of traces, on the theorems of A on evaluation
    Trace,
    /// Clauses of partial maps, on the theorems of A on meanings
    Partial,
    /// Clauses of programs in pieces, on the theorems of W
    Pieces,
    /// Rules of the Taylor macro for roots, optima, kinks and integrals of them
    Solver,
    /// Rules for masses and means of programs that sample
    Measure,
    /// Clauses of the relation of H, on the law that it determines the second plot
    Relation,
    /// Wrong versions of the numbered statements of `smoothish theorem`
    Statement,
}

/// The options of `mutants`.
#[derive(Debug, Args)]
pub struct MutantsOptions {
    /// List the mutants without running them: the rule, and its replacement
    #[arg(long)]
    pub list: bool,
    /// Kind of rules that are replaced
    #[arg(long, value_name = "KIND", value_enum, default_value_t)]
    pub of: MutantKind,
    /// An earlier spelling of `--of macro`
    #[arg(long = "macro", hide = true, conflicts_with = "of")]
    pub of_macro: bool,
    /// Number of seeds for each mutant, but not of theories [default: 20 for macro and relation, otherwise 3]
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u64).range(1..=1000))]
    pub seeds: Option<u64>,
    /// Mutants to test [default: all]
    #[arg(long, value_name = "NAME")]
    pub mutant: Vec<String>,
    /// Test every statement until one refutes, not only those that the theories name
    #[arg(long)]
    pub search: bool,
    /// Print the rule, and the program that catches the mutant
    #[arg(long, short)]
    pub verbose: bool,
    /// Number of samples that a law must survive [default: 100], or that a mutant may survive [default: 200]
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u64).range(1..=1_000_000))]
    pub samples: Option<u64>,
    /// Seed of the random samples: the same seed gives the same samples
    #[arg(long, value_name = "S", default_value_t = 0)]
    pub seed: u64,
    /// Time limit in seconds for one claim, or for one law with all its samples
    #[arg(long, value_name = "SECONDS", default_value = "5", allow_hyphen_values = true)]
    pub timeout: Timeout,
    /// The output format
    #[command(flatten)]
    pub format: OutputFormat,
    /// Theory files, or names of built-in theories [default: all built-in theories]
    #[arg(value_name = "THEORY")]
    pub theories: Vec<String>,
}

/// The options of `theorem`.
#[derive(Debug, Args)]
pub struct TheoremOptions {
    /// Theorems to test; without any, list all, or test those about every macro
    #[arg(value_name = "NAME")]
    pub names: Vec<String>,
    /// File with a macro and a relation of your own, to test in place of the Taylor macro and jets
    #[arg(long = "macro", value_name = "FILE")]
    pub macro_file: Option<PathBuf>,
    /// Number of samples [default: 200, or fewer for slow theorems]
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u64).range(1..=1_000_000))]
    pub samples: Option<u64>,
    /// Seed of the random samples: the same seed gives the same samples
    #[arg(long, value_name = "S", default_value_t = 0)]
    pub seed: u64,
    /// Number of directions of differentiation [default: one k for each sample]
    #[arg(long = "k", value_name = "K")]
    pub directions: Option<usize>,
    /// Order of differentiation [default: one R for each sample]
    #[arg(long, value_name = "R")]
    pub order: Option<usize>,
    /// Time limit in seconds for each theorem [default: no limit]
    #[arg(long, value_name = "SECONDS", allow_hyphen_values = true)]
    pub timeout: Option<Timeout>,
    /// The output format
    #[command(flatten)]
    pub format: OutputFormat,
}

/// The options of `fmt`.
#[derive(Debug, Args)]
pub struct FmtOptions {
    /// List the files that are not formatted, with exit status 1 if there are any; change no file
    #[arg(long)]
    pub check: bool,
    /// Theory files; `-` formats standard input to standard output
    #[arg(value_name = "FILE", required = true)]
    pub files: Vec<PathBuf>,
}

/// The options of `campaign`.
#[derive(Debug, Args)]
pub struct CampaignOptions {
    /// Number of programs
    #[arg(long, value_name = "N", default_value_t = 1000)]
    pub programs: u64,
    /// Seed of the programs: the same seed gives the same programs
    #[arg(long, value_name = "S", default_value_t = 1)]
    pub seed: u64,
    /// Time limit in milliseconds for one way of evaluating one program
    #[arg(long, value_name = "M", default_value = "50")]
    pub millis: NonZeroU64,
    /// Number of the first program
    #[arg(long, value_name = "K", default_value_t = 0)]
    pub from: u64,
    /// Keep the counts in a file; continue from it if it exists
    #[arg(long, value_name = "FILE")]
    pub resume: Option<PathBuf>,
    /// Test programs with guards and recursion instead, half of the points on guards, in all semantics that support them
    #[arg(long, alias = "borders", conflicts_with_all = ["resume", "millis"])]
    pub piecewise: bool,
    /// Test probabilistic programs instead: certified constants and means against samples (six standard errors) and quadrature
    #[arg(long, alias = "models", conflicts_with_all = ["resume", "millis", "piecewise"])]
    pub probabilistic: bool,
    /// Record instead the answer to each program and all passes over it, within counted work: the same file on every machine
    #[arg(long, value_name = "FILE", conflicts_with_all = ["resume", "millis", "piecewise", "probabilistic"])]
    pub record: Option<PathBuf>,
    /// Answer the programs of a record again, and report each answer that is worse than there
    #[arg(long, value_name = "FILE", conflicts_with_all = ["resume", "millis", "piecewise", "probabilistic", "programs", "seed", "from"])]
    pub against: Option<PathBuf>,
    /// Limit on the counted work for one program of a record [default: 1000000]
    #[arg(long, value_name = "UNITS", requires = "record", conflicts_with = "against")]
    pub work: Option<NonZeroU64>,
    /// Record the questions of a file instead of random programs: one a line, or with lines `----` between them
    #[arg(long, value_name = "FILE", conflicts_with_all = ["against", "programs", "seed", "from"])]
    pub questions: Option<PathBuf>,
    /// Number of threads that answer the programs of a record; it changes no record
    #[arg(long, value_name = "T")]
    pub threads: Option<NonZeroUsize>,
    /// The output format
    #[command(flatten)]
    pub format: OutputFormat,
}

/// The limits of the searches: `--effort`, `--tuning`.
#[derive(Clone, Debug, Default, PartialEq, Args)]
pub struct TuningArgs {
    /// Factor of 1 or more on the pieces that each search may take: more work and memory, narrower answers
    #[arg(long, value_name = "E", allow_hyphen_values = true)]
    pub effort: Option<f64>,
    /// File with limits of the searches, in the format that `smoothish tuning` prints
    #[arg(long, value_name = "FILE")]
    pub tuning: Option<PathBuf>,
}

impl TuningArgs {
    /// Reads the limits. Returns `None` if neither option is given.
    ///
    /// # Errors
    /// A [`Diagnostic`] if the file cannot be read or is no TOML, has an unknown key or a value out of range, or if the effort is
    /// below 1.
    pub fn load_tuning(&self) -> Result<Option<Arc<Tuning>>, Diagnostic> {
        if self.effort.is_none() && self.tuning.is_none() {
            return Ok(None);
        }
        let mut tuning = Tuning::default();
        if let Some(file) = &self.tuning {
            let wrong = |message: String| Diagnostic::invalid_input(format!("error: {}: {message}", file.display()));
            let text = read::read_file(file)?;
            let table: toml::Table = text.parse().map_err(|error: toml::de::Error| {
                let line = error.span().map_or(1, |span| 1 + text[..span.start].matches('\n').count());
                wrong(format!("line {line}: {}", error.message()))
            })?;
            for (key, value) in &table {
                let Some(value) = value.as_integer() else {
                    // An unknown key is the likelier mistake, whatever its value.
                    let known = tuning.value_of(key).map(|_| format!("{key} is a whole number, not {value}"));
                    let unknown = || tuning_message(&TuningError::UnknownKey(key.clone()));
                    return Err(wrong(known.unwrap_or_else(unknown)));
                };
                tuning.change_key(key, value.into()).map_err(|error| wrong(tuning_message(&error)))?;
            }
        }
        let tuning = tuning.with_effort(self.effort.unwrap_or(1.0));
        tuning
            .map(|tuning| Some(Arc::new(tuning)))
            .map_err(|error| Diagnostic::invalid_input(format!("error: {error}")))
    }
}

/// The options of `tuning`.
#[derive(Debug, Args)]
pub struct TuningOptions {
    /// The limits of the searches
    #[command(flatten)]
    pub search: TuningArgs,
}

/// The options of `fuzz`.
#[derive(Debug, Args)]
pub struct FuzzOptions {
    /// Part under test: parse, check or evaluate
    #[arg(long, value_name = "TARGET")]
    pub target: FuzzTarget,
    /// Number of texts
    #[arg(long, value_name = "N", default_value_t = 100_000)]
    pub executions: u64,
    /// Seed of the texts: the same seed and corpus give the same texts
    #[arg(long, value_name = "S", default_value_t = 1)]
    pub seed: u64,
    /// Number of the first text
    #[arg(long, value_name = "K", default_value_t = 0)]
    pub from: u64,
    /// Folder of more texts to start from: files *.txt, with a line ---- between texts
    #[arg(long, value_name = "FOLDER")]
    pub corpus: Option<PathBuf>,
    /// The output format
    #[command(flatten)]
    pub format: OutputFormat,
}

/// The output format: for people, or for programs.
#[derive(Clone, Copy, Debug, Default, Args)]
pub struct OutputFormat {
    /// Print JSON: short for --message-format json
    #[arg(long)]
    json: bool,
    /// Output format: text; `lo hi` with one-line diagnostics; or one JSON object a line
    #[arg(long, value_name = "FORMAT", value_enum, default_value_t)]
    message_format: MessageFormat,
}

impl OutputFormat {
    /// Returns `true` if the output is JSON.
    #[must_use]
    pub fn is_json(self) -> bool {
        self.json || self.message_format == MessageFormat::Json
    }

    /// Returns `true` if an answer is printed as two numbers, and a diagnostic on one line.
    #[must_use]
    pub fn is_short(self) -> bool {
        // `--json` wins over `--message-format short`.
        !self.is_json() && self.message_format == MessageFormat::Short
    }

    /// Renders a diagnostic in this format.
    #[must_use]
    pub fn render_diagnostic(self, refusal: &Diagnostic) -> String {
        if self.is_short() { refusal.one_line() } else { refusal.report().to_owned() }
    }
}

/// The requested accuracy, as a command line gives it.
#[derive(Clone, Debug, Default, PartialEq, Eq, Args)]
pub struct GoalOptions {
    /// Maximum width of the interval, such as 1e-9 or 1/3. The default is 1e-6 or 16 significant digits; at the prompt, 1e-3 or 9
    /// digits
    #[arg(long, value_name = "EPS", allow_hyphen_values = true)]
    pub eps: Option<Tolerance>,
    /// Maximum width relative to the number: 1e-12 allows 1e-12 times its size. With --eps, either is enough
    #[arg(long, value_name = "REL", allow_hyphen_values = true)]
    pub rel: Option<Tolerance>,
    /// Number of certain significant digits: N is --rel 1e-N
    #[arg(long, value_name = "N", allow_hyphen_values = true, conflicts_with = "rel")]
    pub digits: Option<Digits>,
}

impl GoalOptions {
    /// Returns the requested accuracy.
    #[must_use]
    pub fn goal(&self) -> AccuracyGoal {
        let Self { eps, rel, digits } = self.clone();
        AccuracyGoal { eps, rel, of_digits: digits, default_digits: None }
    }
}

/// The requested accuracy and the limit of time: `--eps`, `--rel`, `--digits`, `--timeout`.
#[derive(Clone, Debug, Default, PartialEq, Eq, Args)]
pub struct AccuracyArgs {
    /// The requested accuracy
    #[command(flatten)]
    pub goal: GoalOptions,
    /// Time limit of one question, in seconds
    #[arg(long, value_name = "SECONDS", default_value_t, allow_hyphen_values = true)]
    pub timeout: Timeout,
}

/// The values of `--message-format`.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, ValueEnum)]
pub enum MessageFormat {
    /// Text
    #[default]
    Human,
    /// Numbers without brackets, diagnostics of one line
    Short,
    /// One JSON object a line
    Json,
}

/// Parses the values of `--model`: the names of all semantics.
pub(super) fn model_name_parser() -> impl TypedValueParser<Value = String> {
    let value = |meaning: &&dyn Semantics| PossibleValue::new(meaning.name()).help(meaning.summary());
    PossibleValuesParser::new(meaning::all_semantics().iter().map(value))
}

/// The name of the program.
const NAME: &str = "smoothish";

/// Prints a script that completes command lines in a shell.
///
/// # Errors
/// Errors of writing to `out`.
pub fn print_completions(shell: Shell, out: &mut dyn Write) -> io::Result<()> {
    // Into memory first: clap's generator panics if the pipe is closed.
    let mut script = Vec::new();
    clap_complete::generate(shell, &mut Arguments::command(), NAME, &mut script);
    out.write_all(&script)
}

/// Prints the manual page of the program, or of one of its commands. Returns `None` if there is no such command.
///
/// # Errors
/// Errors of writing to `out`.
pub fn print_man_page(command: Option<&str>, out: &mut dyn Write) -> io::Result<Option<()>> {
    let mut program = Arguments::command();
    // clap fills in the derived help of subcommands only when it is built.
    program.build();
    let page = match command {
        None => program,
        Some(name) => match program.find_subcommand(name) {
            Some(found) => found.clone(),
            None => return Ok(None),
        },
    };
    let mut text = Vec::new();
    Man::new(page).render(&mut text)?;
    out.write_all(&text)?;
    Ok(Some(()))
}
