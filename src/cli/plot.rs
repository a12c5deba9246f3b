//! The command `plot`: certified envelopes of a function and its derivatives, as a picture, as text, or as numbers.
//!
//! # The report on a plot
//!
//! Its status, and its numbers as JSON.

pub mod picture;

use super::arguments::ClosedNumber;
use super::evaluator::TheorySession;
use super::output::Streams;
use super::questions::QuestionText;
use super::status::{CommandError, CommonArgs, Status};
use crate::cli::eval::{JSON_VERSION, notes_to_json};
use crate::number::Rational;
use crate::plot::axis::format_exact;
use crate::plot::figure::Figure;
use crate::plot::text::TextStyle;
use crate::plot::{CertifiedPlot, ColumnValues, Envelope, MOST_ORDER, PlotColumn, PlotRequest, density, figure, text};
use crate::session::answer::Note;
use crate::session::{Answer, Diagnostic, Limits, PlotDensity, PlotEnvelopes};
use clap::Args;
use clap::builder::RangedI64ValueParser;
use serde_json::{Value as Json, json};
use std::env;
use std::io::Read;
use std::path::{Path, PathBuf};
use std::sync::Arc;

/// The options of `plot`.
#[derive(Debug, Args)]
pub struct PlotOptions {
    /// Left end: a decimal or a fraction, read exactly, or an expression such as -pi, rounded outwards
    #[arg(long, value_name = "A", allow_hyphen_values = true)]
    pub from: ClosedNumber,
    /// Right end, greater than the left one
    #[arg(long, value_name = "B", allow_hyphen_values = true)]
    pub to: ClosedNumber,
    /// Order of a derivative to plot, 0 for the function itself; may be repeated
    #[arg(long = "deriv", value_name = "K", default_value = "0", allow_hyphen_values = true, value_parser = order_parser())]
    pub orders: Vec<u32>,
    /// Picture file to write, F.svg or F.png [default: print text]
    #[arg(short, long, value_name = "F")]
    pub output: Option<PathBuf>,
    /// Number of columns, each with its own interval [default: one for each pixel or letter; 360 in JSON]
    #[arg(long, value_name = "N")]
    pub columns: Option<u32>,
    /// Width of the picture in pixels, or of the text in letters
    #[arg(long, value_name = "W")]
    pub width: Option<u32>,
    /// Height of the picture in pixels, or of a panel of text in lines
    #[arg(long, value_name = "H")]
    pub height: Option<u32>,
    /// Lower end of the vertical axis [default: from the values]
    #[arg(long, value_name = "Y", allow_hyphen_values = true)]
    pub ymin: Option<ClosedNumber>,
    /// Upper end of the vertical axis [default: from the values]
    #[arg(long, value_name = "Y", allow_hyphen_values = true)]
    pub ymax: Option<ClosedNumber>,
    /// Title above the picture or the text [default: the function]
    #[arg(long, value_name = "TEXT")]
    pub title: Option<String>,
    /// Draw text in ASCII only; the default for locales other than UTF-8
    #[arg(long)]
    pub ascii: bool,
    /// The resolution and the background of a PNG file
    #[command(flatten)]
    pub sheet: picture::PngSheet,
    /// The time limit, the theories to load, and the output format
    #[command(flatten)]
    pub setting: CommonArgs,
    /// Plot the density of a probabilistic program of type P Real: the probability of each column, over its width
    #[arg(long, conflicts_with = "orders")]
    pub density: bool,
    /// Function of type Real -> Real; `-` reads it from standard input
    #[arg(value_name = "EXPR", allow_negative_numbers = true)]
    pub expression: String,
}

/// Returns the parser of `--deriv`, which accepts the orders that a plot supports.
fn order_parser() -> RangedI64ValueParser<u32> {
    RangedI64ValueParser::new().range(0..=i64::from(MOST_ORDER))
}

/// The form of the result.
enum PlotOutput<'o> {
    Text(TextStyle),
    Picture { path: &'o Path, size: [u32; 2] },
    Numbers,
}

/// The range of the letters of a line. A choice.
const LETTER_RANGE: [u32; 2] = [20, 1000];
/// The range of the lines of a panel. A choice.
const LINE_RANGE: [u32; 2] = [4, 1000];

/// Plots one function.
///
/// # Errors
/// Errors of the question, of the picture, of reading `input` and of writing.
pub fn run_plot(
    options: &PlotOptions,
    library: &TheorySession,
    limits: &Limits,
    input: &mut dyn Read,
    streams: &mut Streams<'_>,
) -> Result<Status, CommandError> {
    let target = choose_output(options)?;
    let request = build_request(options, &target);
    let source = Arc::new(QuestionText::from_argument(&options.expression).read_source(input)??);
    // The width to which progress is shown; the accuracy of a plot is that of its pixels.
    let one = Rational::from(1);
    let drawn = match options.density {
        true => library.ask_with_progress(
            "drawing",
            Some(&one),
            &PlotDensity::of(source, request).ascii(!is_utf8_locale()),
            limits,
        )?,
        false => library.ask_with_progress(
            "drawing",
            Some(&one),
            &PlotEnvelopes::of(source, request).ascii(!is_utf8_locale()),
            limits,
        )?,
    };
    match target {
        PlotOutput::Picture { path, size: [width, height] } => {
            picture::write_picture(path, &Figure::new(drawn.value(), width, height), options.sheet)?;
        }
        PlotOutput::Text(style) => {
            for line in text::draw_lines(drawn.value(), style) {
                writeln!(streams.out, "{line}")?;
            }
        }
        PlotOutput::Numbers => {}
    }
    if options.setting.format.is_json() {
        writeln!(streams.out, "{}", to_json(&drawn))?;
    }
    streams.out.flush()?;
    streams.print_notes(&end_notes(&options.from, &options.to))?;
    streams.print_notes(drawn.notes())?;
    Ok(plot_status(&drawn.value().envelopes))
}

/// Returns a note on each end of an interval that is rounded outwards.
pub(in crate::cli) fn end_notes(from: &ClosedNumber, to: &ClosedNumber) -> Vec<Note> {
    let from = from.rounding_note("--from", from.lower());
    from.into_iter().chain(to.rounding_note("--to", to.upper())).collect()
}

/// Chooses the form and the size of the result, and checks the size before anything is evaluated.
fn choose_output(options: &PlotOptions) -> Result<PlotOutput<'_>, Diagnostic> {
    let within = |what: &str, asked: Option<u32>, usual: u32, [least, most]: [u32; 2]| match asked {
        Some(n) if !(least..=most).contains(&n) => {
            Err(Diagnostic::invalid_input(format!("error: {what} must lie between {least} and {most}, not {n}")))
        }
        asked => Ok(asked.unwrap_or(usual)),
    };
    let Some(path) = options.output.as_deref() else {
        if options.setting.format.is_json() {
            return Ok(PlotOutput::Numbers);
        }
        let usual = default_style();
        let width = within("the width of a text, in letters,", options.width, usual.width, LETTER_RANGE)?;
        let height = within("the height of a panel, in lines,", options.height, usual.height, LINE_RANGE)?;
        return Ok(PlotOutput::Text(TextStyle { width, height, ascii: options.ascii || usual.ascii }));
    };
    picture::check_path_and_sheet(path, options.sheet)?;
    let pixels = [figure::MIN_SIZE, figure::MAX_SIZE];
    let width = within("the width of a picture, in pixels,", options.width, figure::DEFAULT_WIDTH, pixels)?;
    let usual = figure::default_height(options.orders.len()).min(figure::MAX_SIZE);
    let height = within("the height of a picture, in pixels,", options.height, usual, pixels)?;
    // The points of a PNG file grow with `--dpi`, which the bounds on the pixels do not see.
    let largest = options.sheet.points_of_length(width.max(height));
    if largest > figure::MAX_SIZE {
        return Err(Diagnostic::invalid_input(format!(
            "error: the picture would have a side of {largest} points, and {} are possible\n  = help: ask for a smaller --width, --height or --dpi",
            figure::MAX_SIZE
        )));
    }
    Ok(PlotOutput::Picture { path, size: [width, height] })
}

/// Returns the grid to evaluate: its resolution follows the form of the result, unless `--columns` is given.
fn build_request(options: &PlotOptions, target: &PlotOutput) -> PlotRequest {
    let (from, to) = (options.from.lower().clone(), options.to.upper().clone());
    let mut request = match target {
        PlotOutput::Text(style) => style.plot_request(from, to),
        PlotOutput::Picture { size: [width, height], .. } => {
            let rows = figure::rows_per_panel(*height, options.orders.len());
            // The axis of values takes about a tenth of the width.
            PlotRequest { columns: width * 9 / 10, rows, ..PlotRequest::new(from, to) }
        }
        PlotOutput::Numbers => PlotRequest::new(from, to),
    };
    let usual = if options.density { density::DEFAULT_COLUMNS } else { request.columns };
    request.columns = options.columns.unwrap_or(usual);
    request.orders = options.orders.clone();
    request.title = options.title.clone();
    request.low = options.ymin.as_ref().map(|end| end.lower().clone());
    request.high = options.ymax.as_ref().map(|end| end.upper().clone());
    request
}

/// Returns the default style of text: the width of the terminal, in the letters of the locale.
#[must_use]
pub fn default_style() -> TextStyle {
    // A choice: 80 letters if the terminal does not tell, and at most 200, since each column costs time.
    let width = env::var("COLUMNS").ok().and_then(|n| n.parse().ok()).unwrap_or(80).clamp(LETTER_RANGE[0], 200);
    TextStyle { width, ascii: !is_utf8_locale(), ..TextStyle::default() }
}

/// Returns `true` if the locale supports letters beyond ASCII.
pub(super) fn is_utf8_locale() -> bool {
    // The first variable that is set wins, as POSIX has it.
    let locale = ["LC_ALL", "LC_CTYPE", "LANG"].into_iter().filter_map(|name| env::var(name).ok());
    let locale = locale.into_iter().find(|value| !value.is_empty());
    cfg!(windows) || locale.is_some_and(|l| l.to_ascii_lowercase().replace('-', "").contains("utf8"))
}

/// Returns the status of a plot. Its tolerance is a pixel, to be reached in every column.
#[must_use]
pub fn plot_status(envelopes: &[Envelope]) -> Status {
    let mut columns = envelopes.iter().flat_map(|e| &e.columns);
    if columns.clone().all(|c| c.settled) {
        Status::Reached
    } else if columns.any(|c| c.enclosure().is_some_and(|range| !range.is_bottom())) {
        Status::Wide
    } else {
        Status::Nothing
    }
}

/// Writes
/// `{"version":1,"question":…,"from":…,"to":…,"plots":[{"deriv":0,"columns":[{"x_lo":…,"x_hi":…,"y_lo":…,"y_hi":…,
/// "state":…,"settled":…,"kink":{"lo":…,"hi":…}},…]},…],"reached":…,"ms":…}`. The ends of a column are exact, those of
/// its values are rounded outwards. `kink` is present if the column has one.
#[must_use]
pub fn to_json(drawn: &Answer<CertifiedPlot>) -> Json {
    let plot = drawn.value();
    let column = |c: &PlotColumn, eps: &Rational| {
        let [x_lo, x_hi] = c.x.each_ref().map(format_exact);
        let (state, ends) = match &c.values {
            ColumnValues::Within(range) => {
                let ends = range.print_decimals(eps);
                ("enclosed", [ends.lo().to_owned(), ends.hi().to_owned()])
            }
            ColumnValues::Undefined => ("undefined", ["-inf", "inf"].map(str::to_owned)),
            ColumnValues::Unknown => ("unknown", ["-inf", "inf"].map(str::to_owned)),
        };
        let [y_lo, y_hi] = ends;
        let mut column =
            json!({ "x_lo": x_lo, "x_hi": x_hi, "y_lo": y_lo, "y_hi": y_hi, "state": state, "settled": c.settled });
        if let Some(set) = &c.kink {
            let ends = set.print_decimals(eps);
            column["kink"] = json!({ "lo": ends.lo(), "hi": ends.hi() });
        }
        column
    };
    let envelope = |e: &Envelope| {
        // A choice: a sixteenth of a pixel, so that rounding is not visible in a picture drawn from the numbers.
        let eps = e.window.height() / plot.request.rows / 16u32;
        json!({ "deriv": e.order, "columns": e.columns.iter().map(|c| column(c, &eps)).collect::<Vec<_>>() })
    };
    let mut object = json!({ "version": JSON_VERSION, "question": plot.source });
    object["from"] = json!(format_exact(&plot.request.from));
    object["to"] = json!(format_exact(&plot.request.to));
    object["plots"] = plot.envelopes.iter().map(envelope).collect();
    object["reached"] = json!(plot_status(&plot.envelopes) == Status::Reached);
    let notes = notes_to_json(drawn.notes());
    if !notes.is_empty() {
        object["notes"] = json!(notes);
    }
    object["ms"] = json!((drawn.elapsed().as_secs_f64() * 1e6).round() / 1e3);
    object
}
