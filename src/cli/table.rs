//! The command `table`: enclosures of a function and its derivatives at points of an interval, as text, CSV or JSON.

use super::arguments::ClosedNumber;
use super::arguments::{AccuracyArgs, OutputFormat, TuningArgs, model_name_parser};
use super::eval;
use super::eval::{Evaluated, JSON_VERSION};
use super::evaluator::TheorySession;
use super::output::Streams;
use super::plot::end_notes;
use super::questions::QuestionText;
use super::status::{CommandError, Status};
use crate::cli::value::{PrintableValue, replace_undefined};
use crate::meaning;
use crate::number::{Accuracy, Rational};
use crate::plot::axis::format_exact;
use crate::session::tolerance::{AccuracyClass, AccuracyGoal};
use crate::session::{Diagnostic, Evaluate, Limits, UndefinedNumber, tolerance};
use crate::syntax::source::{SourceText, Span};
use crate::syntax::term::{Term, TermKind};
use crate::syntax::ty::{Ty, TyKind};
use clap::Args;
use serde_json::{Map, Value as Json, json};
use std::io;
use std::io::Read;
use std::path::PathBuf;
use std::sync::Arc;
use std::time::{Duration, Instant};

/// The highest order of a derivative in a table. A choice: each order nests the program in another derivative.
const MOST_ORDER: u64 = 8;
/// The greatest number of steps of a table. A choice.
const MOST_STEPS: i64 = 100_000;

/// The number of lines that are collected before printing, so that their columns are aligned. A choice.
const BLOCK_LINES: usize = 100;
/// The time after which collected lines are printed in any case. A choice: a reader should not wait longer.
const BLOCK_WAIT: Duration = Duration::from_secs(2);

/// An upper bound on the type parameters of a function. A choice: far more than are written.
const MOST_PARAMETERS: usize = 64;

/// The options of `table`.
#[derive(Debug, Args)]
#[command(mut_arg("timeout", |timeout| timeout.help("Time limit of one number, in seconds")))]
pub struct TableOptions {
    /// First point: a decimal or a fraction, read exactly, or an expression such as -pi, rounded outwards
    #[arg(long, value_name = "A", allow_hyphen_values = true)]
    pub from: ClosedNumber,
    /// Last point, greater than the first one
    #[arg(long, value_name = "B", allow_hyphen_values = true)]
    pub to: ClosedNumber,
    /// Number of steps from the first point to the last; all points are exact
    #[arg(long, value_name = "N", default_value_t = 10, value_parser = clap::value_parser!(u32).range(1..=MOST_STEPS))]
    pub steps: u32,
    /// Order of a derivative with its own column, 0 for the function itself; may be repeated
    #[arg(long = "deriv", value_name = "K", default_value = "0", value_parser = clap::value_parser!(u32).range(0..=MOST_ORDER as i64))]
    pub orders: Vec<u32>,
    /// The requested accuracy, and the time limit of each answer
    #[command(flatten)]
    pub demand: AccuracyArgs,
    /// The limits of the searches
    #[command(flatten)]
    pub search: TuningArgs,
    /// Semantics of the function
    #[arg(long, value_name = "MODEL", default_value = meaning::DEFAULT_SEMANTICS, value_parser = model_name_parser())]
    pub model: String,
    /// Load the theories of a file first; may be repeated
    #[arg(long, value_name = "FILE")]
    pub load: Vec<PathBuf>,
    /// Print comma-separated values, with a header: the ends of each number, empty if there is none
    #[arg(long, conflicts_with_all = ["json", "message_format"])]
    pub csv: bool,
    /// The output format
    #[command(flatten)]
    pub format: OutputFormat,
    /// Function of a Real, with numbers or tuples of numbers as values; `-` reads it from standard input
    #[arg(value_name = "EXPR", allow_negative_numbers = true)]
    pub expression: String,
}

/// A column: a function of one real number, with its name.
struct FunctionColumn {
    name: String,
    term: Term,
    value: Ty,
}

/// The answer of a column at a point, with its status. `None` in place of an answer if there is none.
struct ValueAtPoint {
    answer: Option<(Evaluated, PrintableValue)>,
    status: Status,
    /// The reason why a number in the cell is undefined, if known.
    undefined: Option<UndefinedNumber>,
}

impl ValueAtPoint {
    /// Returns the reason why a number in the cell is undefined, as JSON. `None` if all numbers are defined.
    fn undefined_reason(&self) -> Option<Json> {
        match (&self.undefined, &self.answer) {
            (Some(undefined), _) => Some(eval::undefined_to_json(undefined)),
            (None, Some((answer, _))) if tolerance::is_defined(answer.value()) => None,
            // Not every semantics reports a cause.
            (None, _) => {
                Some(json!({ "cause": null, "message": "not defined, or not shown to be defined", "place": null }))
            }
        }
    }
}

/// Prints a line for every point.
///
/// # Errors
/// Errors of the question, of reading `input` and of writing.
pub fn run_table(
    options: &TableOptions,
    library: &mut TheorySession,
    limits: &Limits,
    input: &mut dyn Read,
    streams: &mut Streams<'_>,
) -> Result<Status, CommandError> {
    let question = QuestionText::from_argument(&options.expression);
    let source = Arc::new(question.read_source(input)??);
    let columns = build_columns(options, library, &source)?;
    streams.print_notes(&end_notes(&options.from, &options.to))?;
    FunctionTable { options, library, limits, source, columns }.print_table(streams)
}

/// Checks the options and the type of the function, and returns a column for each order.
fn build_columns(
    options: &TableOptions,
    library: &TheorySession,
    source: &Arc<SourceText>,
) -> Result<Vec<FunctionColumn>, Diagnostic> {
    if options.from.lower() >= options.to.upper() {
        return Err(Diagnostic::invalid_input("error: --from must be less than --to"));
    }
    let of_real = Ty::function(Ty::real(), Ty::real());
    let (function, value) = match library.session.infer_at(&source.text, &of_real) {
        Ok(term) => (term, Ty::real()),
        // No function to numbers: its own type decides, and an error is that of the expression alone.
        Err(_) => {
            let (term, ty) = library.infer(source)?;
            match ty.kind() {
                TyKind::Function(domain, value)
                    if matches!(domain.kind(), TyKind::Real) && !matches!(value.kind(), TyKind::Function(..)) =>
                {
                    (term, value.clone())
                }
                // A polymorphic function, as `\x => (x, x)`, is taken at real numbers.
                TyKind::Function(domain, value) if matches!(domain.kind(), TyKind::Variable(..)) => {
                    let value = value.with_arguments(&vec![Ty::real(); MOST_PARAMETERS]);
                    (library.session.check_source(source, &Ty::function(Ty::real(), value.clone()))?, value)
                }
                _ => {
                    return Err(Diagnostic::invalid_input(format!(
                        "error: expected a function of one Real, found {ty}\n  = help: write \\x => e; all other numbers are fixed"
                    )));
                }
            }
        }
    };
    if !matches!(value.kind(), TyKind::Real) && options.orders.iter().any(|order| *order > 0) {
        return Err(Diagnostic::invalid_input(format!(
            "error: --deriv needs a function of type Real -> Real, found one with values in {value}\n  = help: take a component, \
             \\x => (f x)[0]"
        )));
    }
    options.orders.iter().map(|order| derivative_column(library, &function, &value, *order)).collect()
}

/// Returns the column of one derivative, of order 0 for the function itself.
fn derivative_column(
    library: &TheorySession,
    function: &Term,
    value: &Ty,
    order: u32,
) -> Result<FunctionColumn, Diagnostic> {
    let name = match order {
        0..=3 => format!("f{}", "'".repeat(order as usize)),
        _ => format!("f^({order})"),
    };
    if order == 0 {
        return Ok(FunctionColumn { name, term: function.clone(), value: value.clone() });
    }
    let of_real = Ty::function(Ty::real(), Ty::real());
    // The derivative is a program of the language, so every semantics can evaluate it.
    let operator = format!("\\f => {}f{}", "deriv (".repeat(order as usize), ")".repeat(order as usize));
    let derivative = library
        .session
        .infer_at(&operator, &Ty::function(of_real.clone(), of_real))
        .map_err(|error| Diagnostic::invalid_input(format!("error: {error}")))?;
    Ok(FunctionColumn { name, term: Term::apply(derivative, function.clone(), function.span()), value: value.clone() })
}

/// The table of one function, with all that its lines need.
struct FunctionTable<'t> {
    options: &'t TableOptions,
    library: &'t TheorySession,
    limits: &'t Limits,
    source: Arc<SourceText>,
    columns: Vec<FunctionColumn>,
}

impl FunctionTable<'_> {
    /// Prints a line for each point, then the notes. Returns the worst status.
    fn print_table(&self, streams: &mut Streams<'_>) -> Result<Status, CommandError> {
        let encloses = self.library.session.find_semantics(&self.options.model)?.is_certified();
        let goal = self.options.demand.goal.goal().or_default(eval::DEFAULT_WIDTH_EXPONENT);
        let (to, mut worst, mut widths, mut notes) = (goal.accuracy(), Status::default(), Vec::new(), Vec::new());
        let mut reasons: Vec<UndefinedNumber> = Vec::new();
        let mut wide: Vec<(&'static str, String)> = Vec::new();
        let (mut waiting, mut since) = (Vec::new(), Instant::now());
        let mut points = self.points().peekable();
        while let Some(x) = points.next() {
            let mut cells = Vec::new();
            for column in &self.columns {
                match self.evaluate_at(column, &x, &goal, &mut notes) {
                    Ok(cell) => cells.push(cell),
                    Err(refusal) => {
                        // The lines before the error are answers, and are not lost with it.
                        self.print_lines(&mut waiting, &mut widths, streams)?;
                        return Err(refusal.into());
                    }
                }
            }
            for (cell, column) in cells.iter().zip(&self.columns) {
                for (number, why) in cell.answer.iter().flat_map(|(answer, _)| eval::wide_enclosures(answer, &to)) {
                    // One example for each reason: a note for every wide number would bury the table.
                    if wide.iter().all(|(id, _)| *id != why.id()) {
                        let said = format!(
                            "{} at {} is wider: {}",
                            column.name,
                            format_exact(&x),
                            why.to_sentence(&number.enclosure)
                        );
                        wide.push((why.id(), said));
                    }
                }
            }
            reasons.extend(cells.iter().filter_map(|cell| cell.undefined.clone()));
            // Only the first reason is printed; the JSON has one in each line.
            reasons.truncate(1);
            worst = cells.iter().fold(worst, |worst, cell| Status::worst_of([worst, cell.status]));
            if self.options.csv {
                if widths.is_empty() {
                    writeln!(streams.out, "{}", self.column_names().join(","))?;
                }
                let ends =
                    cells.iter().zip(&self.columns).flat_map(|(cell, column)| csv_ends(cell, &column.value, &to));
                writeln!(
                    streams.out,
                    "{}",
                    std::iter::once(format_exact(&x)).chain(ends).collect::<Vec<_>>().join(",")
                )?;
                // Not empty: the names of the columns have been printed.
                widths = vec![0];
            } else if self.options.format.is_json() {
                writeln!(streams.out, "{}", self.to_json(&x, &cells, &to))?;
            } else {
                waiting.push(self.format_cells(&x, &cells, &to));
                if waiting.len() >= BLOCK_LINES || since.elapsed() >= BLOCK_WAIT {
                    self.print_lines(&mut waiting, &mut widths, streams)?;
                    since = Instant::now();
                }
            }
            streams.out.flush()?;
            if self.limits.is_interrupted() && points.peek().is_some() {
                notes.push("interrupted: the last points are missing".to_owned());
                break;
            }
        }
        self.print_lines(&mut waiting, &mut widths, streams)?;
        streams.out.flush()?;
        if encloses {
            notes.extend(match worst {
                Status::Wide => Some("some numbers are wider than asked".to_owned()),
                Status::Nothing => Some(match reasons.first() {
                    Some(why) => format!("some numbers are not defined, or not shown to be: {why}"),
                    None => "some numbers are not defined, or not shown to be".to_owned(),
                }),
                _ => None,
            });
        } else {
            notes.push("floating-point: no digit is certified, and both ends are one number".to_owned());
        }
        for note in notes.into_iter().chain(wide.into_iter().map(|(_, said)| said)) {
            writeln!(streams.err, "note: {note}")?;
        }
        Ok(worst)
    }

    /// Returns the points, which are exact.
    fn points(&self) -> impl Iterator<Item = Rational> {
        let TableOptions { from, to, steps, .. } = self.options;
        let (from, to) = (from.lower(), to.upper());
        let step = Rational::from(to - from) / *steps;
        (0..=*steps).map(move |i| Rational::from(&step * i) + from)
    }

    /// Evaluates a column at a point. Notes that are new are added to `notes`. Errors only if the question itself is
    /// wrong.
    fn evaluate_at(
        &self,
        column: &FunctionColumn,
        x: &Rational,
        goal: &AccuracyGoal,
        notes: &mut Vec<String>,
    ) -> Result<ValueAtPoint, Diagnostic> {
        let point = Term::new(TermKind::Real(x.clone()), Span::default());
        let term = Term::apply(column.term.clone(), point, column.term.span());
        let question = Evaluate::from_term(self.source.clone(), term, column.value.clone());
        let question = question.with_model(&self.options.model).with_goal(goal.clone());
        match self.library.ask_with_progress("nothing yet", goal.accuracy().eps(), &question, self.limits) {
            Ok(answer) => {
                for note in eval::notes_to_json(answer.notes()) {
                    if !notes.iter().any(|other| other == note) {
                        notes.push(note.to_owned());
                    }
                }
                let status = AccuracyClass::of_value(answer.value(), &goal.accuracy()).into();
                let undefined = answer.undefined().cloned();
                let value = replace_undefined(eval::printable_value(&answer));
                Ok(ValueAtPoint { answer: Some((answer, value)), status, undefined })
            }
            // A point without an answer leaves its cell empty; the other points may have one.
            Err(refusal) if Status::from(&refusal) == Status::Nothing => {
                if refusal.undefined.is_none() && !notes.iter().any(|note| note == refusal.report()) {
                    notes.push(refusal.report().to_owned());
                }
                Ok(ValueAtPoint {
                    answer: None,
                    status: Status::Nothing,
                    undefined: refusal.undefined.map(|found| *found),
                })
            }
            Err(refusal) => Err(refusal),
        }
    }

    /// Returns the names of the CSV columns: a lower and an upper end for each number.
    fn column_names(&self) -> Vec<String> {
        let both = |name: &str| [format!("{name} lo"), format!("{name} hi")];
        let of = |column: &FunctionColumn| match number_count(&column.value) {
            1 => both(&column.name).to_vec(),
            n => (0..n).flat_map(|i| both(&format!("{}[{i}]", column.name))).collect(),
        };
        std::iter::once("x".to_owned()).chain(self.columns.iter().flat_map(of)).collect()
    }

    /// Formats one line: the point, and the value of each column there.
    fn format_cells(&self, x: &Rational, cells: &[ValueAtPoint], to: &Accuracy) -> Vec<String> {
        let shown = |cell: &ValueAtPoint| {
            cell.answer.as_ref().map_or_else(|| "undefined".to_owned(), |(_, value)| eval::format_value(value, to))
        };
        std::iter::once(format_exact(x)).chain(cells.iter().map(shown)).collect()
    }

    /// Prints the collected lines, the first time below the names of the columns. A column is as wide as its widest
    /// text so far.
    fn print_lines(
        &self,
        waiting: &mut Vec<Vec<String>>,
        widths: &mut Vec<usize>,
        streams: &mut Streams<'_>,
    ) -> io::Result<()> {
        let (is_first, names) =
            (widths.is_empty(), std::iter::once("x").chain(self.columns.iter().map(|column| &*column.name)));
        if waiting.is_empty() {
            return Ok(());
        }
        // Widths only grow: later blocks stay aligned with each other as far as possible.
        widths.resize(1 + self.columns.len(), 0);
        for texts in waiting.iter() {
            for (width, text) in widths.iter_mut().zip(texts) {
                *width = (*width).max(text.chars().count());
            }
        }
        if is_first {
            writeln!(streams.out, "{}", pad_line(names, widths))?;
        }
        for texts in waiting.drain(..) {
            writeln!(streams.out, "{}", pad_line(texts.iter().map(|text| &**text), widths))?;
        }
        Ok(())
    }

    /// Writes the line of one point as a JSON object.
    fn to_json(&self, x: &Rational, cells: &[ValueAtPoint], to: &Accuracy) -> Json {
        let mut object = Map::new();
        object.insert("version".into(), json!(JSON_VERSION));
        object.insert("x".into(), json!(format_exact(x)));
        for (column, cell) in self.columns.iter().zip(cells) {
            let value =
                cell.answer.as_ref().map_or(Json::Null, |(answer, value)| eval::value_to_json(answer, value, to));
            object.insert(column.name.clone(), value);
        }
        let reasons = self.columns.iter().zip(cells);
        let reasons = reasons.filter_map(|(column, cell)| Some((column.name.clone(), cell.undefined_reason()?)));
        let reasons: Map<String, Json> = reasons.collect();
        if !reasons.is_empty() {
            object.insert("undefined".into(), Json::Object(reasons));
        }
        object.insert("reached".into(), json!(cells.iter().all(|cell| cell.status == Status::Reached)));
        Json::Object(object)
    }
}

/// Pads texts to the widths of their columns.
fn pad_line<'t>(texts: impl Iterator<Item = &'t str>, widths: &[usize]) -> String {
    let padded: String = texts.zip(widths).map(|(text, width)| format!("{text:width$}  ")).collect();
    padded.trim_end().to_owned()
}

/// Returns the number of numbers in a value of a type, as far as the type determines it. A list counts as one.
fn number_count(ty: &Ty) -> usize {
    match ty.kind() {
        TyKind::Tuple(parts) => parts.iter().map(number_count).sum(),
        _ => 1,
    }
}

/// Returns both ends of each number of a cell, as CSV fields. They are empty if there is no number.
fn csv_ends(cell: &ValueAtPoint, ty: &Ty, to: &Accuracy) -> Vec<String> {
    let mut found = Vec::new();
    match &cell.answer {
        Some((_, value)) => append_ends(value, to, &mut found),
        None => found.resize(2 * number_count(ty), String::new()),
    }
    found
}

/// Appends the ends of each number of a value.
fn append_ends(value: &PrintableValue, to: &Accuracy, into: &mut Vec<String>) {
    match value {
        // Bounds on a number that need not exist would be read as an answer.
        PrintableValue::Real { enclosure, .. } if !enclosure.is_defined() => {
            into.extend([String::new(), String::new()])
        }
        PrintableValue::Real { enclosure, .. } => {
            let ends = eval::round_to_decimals(enclosure, to);
            into.extend([ends.lo().to_owned(), ends.hi().to_owned()]);
        }
        PrintableValue::Tuple(parts) => parts.iter().for_each(|part| append_ends(part, to, into)),
        PrintableValue::Typed(value, _) => append_ends(value, to, into),
        // A value without ends is one text. Quotation marks protect its commas (RFC 4180).
        other => {
            let text = eval::format_value(other, to);
            let text = if text.contains([',', '"']) { format!("\"{}\"", text.replace('"', "\"\"")) } else { text };
            into.extend([text.clone(), text]);
        }
    }
}
