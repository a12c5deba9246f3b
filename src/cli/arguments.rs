//! The options of the command line, and their parsers.
//!
//! # The commands `print_completions` and `print_man_page`
//!
//! The commands `print_completions` and `print_man_page`: the command line described for shells and manuals.

use super::adequacy::AdequacyOptions;
use super::agree::AgreeOptions;
use super::audit::AuditOptions;
use super::features::{FeaturesOptions, FragmentOptions};
use super::measure::{EstimatorsOptions, EvidenceOptions, ExpectOptions, InferOptions, PushforwardOptions};
use super::pieces::PiecesOptions;
use super::plot::PlotOptions;
use super::questions::QuestionArgs;
use super::reference::DocOptions;
use super::render::RenderOptions;
use super::table::TableOptions;
use super::trace::TraceOptions;
use crate::law::fuzz::FuzzTarget;
use crate::meaning;
use crate::model::answer::Semantics;
use crate::session::Diagnostic;
use crate::session::tolerance::{AccuracyGoal, Digits, Timeout, Tolerance};
use clap::builder::{PossibleValue, PossibleValuesParser, TypedValueParser};
use clap::{Args, CommandFactory, Parser, Subcommand, ValueEnum};
use clap_complete::Shell;
use clap_mangen::Man;
use std::io;
use std::io::Write;
use std::num::NonZeroU64;
use std::path::PathBuf;

/// Certified values and derivatives of programs.
#[derive(Debug, Parser)]
#[command(name = "smoothish", version, about, max_term_width = 100, after_help = EXIT_STATUSES)]
pub struct Arguments {
    /// What to do.
    #[command(subcommand)]
    pub command: Command,
}

/// The exit statuses, as `--help` lists them at its end.
const EXIT_STATUSES: &str = "\
Exit status:
  0  the tolerance is reached and the value is certainly defined
  1  something was refuted
  2  the question is wrong
  3  finite information was printed, the tolerance is not reached
  4  no information: undefined, or not shown to be defined within the budget";

/// The commands.
#[derive(Debug, Subcommand)]
pub enum Command {
    /// Run programs of the λ_S paper: true value, interval, width and time
    Demo,
    /// Print an interval that contains the value of an expression
    Eval(EvalOptions),
    /// Ask one question after another, at a prompt
    Repl(ReplOptions),
    /// Say what names mean, with their types and an example; without a name, list all
    Doc(DocOptions),
    /// Interpret an expression in every model that can, and compare
    Agree(AgreeOptions),
    /// Print the program of the derivatives of a program: the Taylor macro
    Derive(DeriveOptions),
    /// Print the straight program that a program is at a point, and where it stays that
    Trace(TraceOptions),
    /// List the pieces of a function: where it is which analytic map
    Pieces(PiecesOptions),
    /// Say whether a number is the derivative of a function at a point
    Audit(AuditOptions),
    /// Enclose the mass of a program that samples, its logarithm, or a derivative of it in a parameter
    #[command(alias = "normaliser")]
    Evidence(EvidenceOptions),
    /// Enclose the mean of a function of what a program that samples gives
    Expect(ExpectOptions),
    /// Enclose the gradient of a mean, and bias and variance of estimators of it
    Estimators(EstimatorsOptions),
    /// Enclose the density of what a map makes of a program's values
    #[command(alias = "change")]
    Pushforward(PushforwardOptions),
    /// Take a mean by samples, and say how far it is from the certified one
    Infer(InferOptions),
    /// Say of which papers' languages a program is: what their theorems are about
    Fragment(FragmentOptions),
    /// Say what each meaning and the language of each paper has
    Features(FeaturesOptions),
    /// Run the laws and claims of theories against the models
    Check(CheckOptions),
    /// Run the laws against models with one wrong rule: each must be refuted
    Mutants(MutantsOptions),
    /// Try theorems about the Taylor macro on random programs; without a name, list them
    Theorem(TheoremOptions),
    /// Lay out the texts of theories
    Fmt(FmtOptions),
    /// Evaluate random programs in several ways, and report where they disagree
    Campaign(CampaignOptions),
    /// Compare what random recursive programs are run to with what they denote
    Adequacy(AdequacyOptions),
    /// Give hostile texts to the parser, to type inference or to the evaluator
    Fuzz(FuzzOptions),
    /// Plot a function and its derivatives: a certain interval for every column
    Plot(PlotOptions),
    /// Draw a function of two variables: every pixel an enclosure
    Render(RenderOptions),
    /// Print a function and its derivatives at points of an interval, also as CSV
    Table(TableOptions),
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
    /// How accurate the answer is to be, and how long it may take
    #[command(flatten)]
    pub demand: AccuracyArgs,
    /// The meaning that is given to the expression
    #[arg(long, value_name = "MODEL", default_value = meaning::DEFAULT_SEMANTICS, value_parser = model_name_parser())]
    pub model: String,
    /// Unfold each recursive function at most N levels deep, in a model that has approximants of recursion
    #[arg(long, value_name = "N")]
    pub fuel: Option<u64>,
    /// What is asked
    #[command(flatten)]
    pub asked: QuestionArgs,
}

/// The options of `derive`.
#[derive(Debug, Args)]
pub struct DeriveOptions {
    /// In how many directions to differentiate
    #[arg(long, value_name = "K", default_value_t = 1)]
    pub k: usize,
    /// Up to which order to differentiate
    #[arg(long, value_name = "R", default_value_t = 1)]
    pub order: usize,
    /// Two directions and mixed derivatives only: the coordinates 00, 01, 10, 11
    #[arg(long, conflicts_with_all = ["k", "order"])]
    pub restricted: bool,
    /// The transposed derivative of a function of one vector instead, with the loops and conditionals of the program; of what is no function, the program without its derivatives
    #[arg(long, conflicts_with_all = ["k", "order", "restricted"])]
    pub reverse: bool,
    /// What is derived
    #[command(flatten)]
    pub asked: QuestionArgs,
}

/// The options of `repl`.
#[derive(Debug, Args)]
pub struct ReplOptions {
    /// How accurate the answers are to be, and how long each may take
    #[command(flatten)]
    pub demand: AccuracyArgs,
    /// For another program, which holds it open: a JSON object on every line, a request in, a reply out
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
    /// How many samples of a law must survive
    #[arg(long, value_name = "N", default_value_t = 100, value_parser = clap::value_parser!(u64).range(1..=1_000_000))]
    pub samples: u64,
    /// What the samples depend on: the same seed gives the same samples
    #[arg(long, value_name = "S", default_value_t = 0)]
    pub seed: u64,
    /// The models to try; without any, presheaf and those that a theory names
    #[arg(long, value_name = "MODEL")]
    pub model: Vec<String>,
    /// The laws and claims to try; without any, all
    #[arg(long, value_name = "NAME")]
    pub law: Vec<String>,
    /// How many seconds one claim may take, or one law with all its samples
    #[arg(long, value_name = "SECONDS", default_value_t, allow_hyphen_values = true)]
    pub timeout: Timeout,
    /// Check again whenever a file changes, until Ctrl-C
    #[arg(long)]
    pub watch: bool,
    /// How results are printed
    #[command(flatten)]
    pub format: OutputFormat,
    /// Files of theories, or names of those that come with the program; without any, all of these
    #[arg(value_name = "THEORY")]
    pub theories: Vec<String>,
}

/// The options of `mutants`.
#[derive(Debug, Args)]
pub struct MutantsOptions {
    /// Only list them: the rule that is replaced, and what stands in its place
    #[arg(long)]
    pub list: bool,
    /// Wrong rules of the Taylor macro, on the theorems about it: for each, the median of the samples until it is refuted
    #[arg(long = "macro", conflicts_with_all = ["theories", "search", "verbose", "seed"])]
    pub of_macro: bool,
    /// With how many seeds a wrong macro is tried
    #[arg(long, value_name = "N", default_value_t = 20, requires = "of_macro", value_parser = clap::value_parser!(u64).range(1..=1000))]
    pub seeds: u64,
    /// The mutants to try; without any, all
    #[arg(long, value_name = "NAME")]
    pub mutant: Vec<String>,
    /// Try all statements until one refutes, whatever the theories say of the mutant
    #[arg(long)]
    pub search: bool,
    /// Show the rule, and the program that catches the mutant
    #[arg(long, short)]
    pub verbose: bool,
    /// How many samples of a law must survive: 100 where nothing is said; with `--macro` how many there are, 200
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u64).range(1..=1_000_000))]
    pub samples: Option<u64>,
    /// What the samples depend on: the same seed gives the same samples
    #[arg(long, value_name = "S", default_value_t = 0)]
    pub seed: u64,
    /// How many seconds one claim may take, or one law with all its samples
    #[arg(long, value_name = "SECONDS", default_value = "5", allow_hyphen_values = true)]
    pub timeout: Timeout,
    /// How results are printed
    #[command(flatten)]
    pub format: OutputFormat,
    /// Files of theories, or names of those that come with the program; without any, all of these
    #[arg(value_name = "THEORY")]
    pub theories: Vec<String>,
}

/// The options of `theorem`.
#[derive(Debug, Args)]
pub struct TheoremOptions {
    /// The theorems to try; without any, all are listed
    #[arg(value_name = "NAME")]
    pub names: Vec<String>,
    /// How many samples are drawn; without it 200, or fewer where each takes long
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u64).range(1..=1_000_000))]
    pub samples: Option<u64>,
    /// What the samples depend on: the same seed gives the same samples
    #[arg(long, value_name = "S", default_value_t = 0)]
    pub seed: u64,
    /// In how many directions is differentiated; without it, each sample has its own k
    #[arg(long = "k", value_name = "K")]
    pub directions: Option<usize>,
    /// To which order; without it, each sample has its own R
    #[arg(long, value_name = "R")]
    pub order: Option<usize>,
    /// How many seconds each theorem may take; without it, as long as the samples take
    #[arg(long, value_name = "SECONDS", allow_hyphen_values = true)]
    pub timeout: Option<Timeout>,
    /// How results are printed
    #[command(flatten)]
    pub format: OutputFormat,
}

/// The options of `fmt`.
#[derive(Debug, Args)]
pub struct FmtOptions {
    /// Change nothing: name the files that are not laid out, and end with status 1 if there are any
    #[arg(long)]
    pub check: bool,
    /// Files of theories; `-` is the input, and is laid out on the output
    #[arg(value_name = "FILE", required = true)]
    pub files: Vec<PathBuf>,
}

/// The options of `campaign`.
#[derive(Debug, Args)]
pub struct CampaignOptions {
    /// How many programs to try
    #[arg(long, value_name = "N", default_value_t = 1000)]
    pub programs: u64,
    /// The seed of the programs: the same seed gives the same programs
    #[arg(long, value_name = "S", default_value_t = 1)]
    pub seed: u64,
    /// How many milliseconds one way of evaluating may take on one program
    #[arg(long, value_name = "M", default_value = "50")]
    pub millis: NonZeroU64,
    /// The number of the first program
    #[arg(long, value_name = "K", default_value_t = 0)]
    pub from: u64,
    /// A file in which the counts are kept: where it exists, go on from there
    #[arg(long, value_name = "FILE")]
    pub resume: Option<PathBuf>,
    /// Instead, programs with borders and recursions, at points of which half lie on borders, in all models that have them, and in pieces
    #[arg(long, alias = "borders", conflicts_with_all = ["resume", "millis"])]
    pub piecewise: bool,
    /// Instead, programs that sample: their certified masses and means against samples, within six standard errors, and against quadrature
    #[arg(long, alias = "models", conflicts_with_all = ["resume", "millis", "piecewise"])]
    pub probabilistic: bool,
    /// How results are printed
    #[command(flatten)]
    pub format: OutputFormat,
}

/// The options of `fuzz`.
#[derive(Debug, Args)]
pub struct FuzzOptions {
    /// What the texts are given to: parse, check or evaluate
    #[arg(long, value_name = "TARGET")]
    pub target: FuzzTarget,
    /// How many texts to try
    #[arg(long, value_name = "N", default_value_t = 100_000)]
    pub executions: u64,
    /// The seed of the texts: the same seed, and the same corpus, give the same texts
    #[arg(long, value_name = "S", default_value_t = 1)]
    pub seed: u64,
    /// The number of the first text
    #[arg(long, value_name = "K", default_value_t = 0)]
    pub from: u64,
    /// A folder of more texts to start from: files *.txt, with a line ---- between texts
    #[arg(long, value_name = "FOLDER")]
    pub corpus: Option<PathBuf>,
    /// How results are printed
    #[command(flatten)]
    pub format: OutputFormat,
}

/// The output format: for people, or for programs.
#[derive(Clone, Copy, Debug, Default, Args)]
pub struct OutputFormat {
    /// The same as --message-format json
    #[arg(long)]
    json: bool,
    /// For a person; `lo hi` and diagnostics of one line; or one JSON object to a line
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
        // `--json` wins over `--message-format one_line`.
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
    /// The greatest width that the printed interval may have, such as 1e-9 or 1/3. The default is 1e-6, at the prompt 1e-3; of large
    /// numbers 16 significant digits are enough, at the prompt 9
    #[arg(long, value_name = "EPS", allow_hyphen_values = true)]
    pub eps: Option<Tolerance>,
    /// The same, relative to the number: 1e-12 allows a width of 1e-12 times its size. With --eps, one of both is enough
    #[arg(long, value_name = "REL", allow_hyphen_values = true)]
    pub rel: Option<Tolerance>,
    /// How many significant digits are to be certain: N is --rel 1e-N
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
    /// How accurate the answers are to be
    #[command(flatten)]
    pub goal: GoalOptions,
    /// How many seconds one question may take
    #[arg(long, value_name = "SECONDS", default_value_t, allow_hyphen_values = true)]
    pub timeout: Timeout,
}

/// The values of `--message-format`.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, ValueEnum)]
pub enum MessageFormat {
    /// Text.
    #[default]
    Human,
    /// Numbers without brackets, diagnostics of one line.
    Short,
    /// One object to a line.
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
