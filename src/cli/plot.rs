//! The command `plot`: certified envelopes of a function and its derivatives, as a picture, as text, or as numbers.

pub mod picture;
pub mod report;

use super::evaluator::Workbench;
use super::output::Streams;
use super::questions::Question;
use super::setting::{Ended, Setting};
use super::status::Status;
use crate::number::Rational;
use crate::plot::density;
use crate::plot::figure::{self, Figure};
use crate::plot::grid::coordinate;
use crate::plot::text::{self, Style};
use crate::plot::{MOST_ORDER, PlotError, Request};
use crate::session::{Density, Diagnostic, Envelope, Limits};
use clap::Args;
use clap::builder::RangedI64ValueParser;
use std::env;
use std::io::Read;
use std::path::{Path, PathBuf};
use std::str::FromStr;
use std::sync::Arc;

/// The options of `plot`.
#[derive(Debug, Args)]
pub struct PlotOptions {
    /// The left end: a decimal or a fraction, read exactly
    #[arg(long, value_name = "A", allow_hyphen_values = true)]
    pub from: Coordinate,
    /// The right end, greater than the left one
    #[arg(long, value_name = "B", allow_hyphen_values = true)]
    pub to: Coordinate,
    /// The order of a derivative to be plotted, 0 for the function itself; may be given several times
    #[arg(long = "deriv", value_name = "K", default_value = "0", allow_hyphen_values = true, value_parser = order())]
    pub orders: Vec<u32>,
    /// The picture to write, F.svg or F.png; without it, text is printed
    #[arg(short, long, value_name = "F")]
    pub output: Option<PathBuf>,
    /// The number of columns, each with an interval of its own; without it, as many as the
    /// picture shows, or 360 in JSON
    #[arg(long, value_name = "N")]
    pub columns: Option<u32>,
    /// The width of the picture in pixels, or of the text in letters
    #[arg(long, value_name = "W")]
    pub width: Option<u32>,
    /// The height of the picture in pixels, or of a panel of the text in lines
    #[arg(long, value_name = "H")]
    pub height: Option<u32>,
    /// The lower end of the vertical axis; without it, the values decide
    #[arg(long, value_name = "Y", allow_hyphen_values = true)]
    pub ymin: Option<Coordinate>,
    /// The upper end of the vertical axis
    #[arg(long, value_name = "Y", allow_hyphen_values = true)]
    pub ymax: Option<Coordinate>,
    /// What stands above the picture or the text; without it, the function
    #[arg(long, value_name = "TEXT")]
    pub title: Option<String>,
    /// Draw text with ASCII only, as is done where the locale is not UTF-8
    #[arg(long)]
    pub ascii: bool,
    /// How finely and on what ground a PNG file is drawn
    #[command(flatten)]
    pub sheet: picture::Sheet,
    /// How long it may take, which theories it needs, and how it prints
    #[command(flatten)]
    pub setting: Setting,
    /// Instead of a function, the density of what a program that samples gives, of type P Real: of each column the chance over its width
    #[arg(long, conflicts_with = "orders")]
    pub density: bool,
    /// The function, of type Real -> Real; `-` reads it from standard input
    #[arg(value_name = "EXPR", allow_negative_numbers = true)]
    pub expression: String,
}

/// Returns the parser of `--deriv`, which accepts the orders that a plot supports.
fn order() -> RangedI64ValueParser<u32> {
    RangedI64ValueParser::new().range(0..=i64::from(MOST_ORDER))
}

/// An exact number on an axis.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Coordinate(pub Rational);

impl FromStr for Coordinate {
    type Err = PlotError;

    fn from_str(text: &str) -> Result<Self, PlotError> {
        coordinate(text).map(Coordinate)
    }
}

/// The form of the result.
enum Target<'o> {
    Text(Style),
    Picture { path: &'o Path, size: [u32; 2] },
    Numbers,
}

/// The range of the letters of a line. A choice.
const LETTERS: [u32; 2] = [20, 1000];
/// The range of the lines of a panel. A choice.
const LINES: [u32; 2] = [4, 1000];

/// Plots one function.
///
/// # Errors
/// Errors of the question, of the picture, of reading `input` and of writing.
pub fn run(
    options: &PlotOptions,
    library: &Workbench,
    limits: &Limits,
    input: &mut dyn Read,
    streams: &mut Streams<'_>,
) -> Result<Status, Ended> {
    let target = target(options)?;
    let request = request(options, &target);
    let source = Arc::new(Question::of(&options.expression).source(input)??);
    // The width to which progress is shown; the accuracy of a plot is that of its pixels.
    let one = Rational::from(1);
    let drawn = match options.density {
        true => library.ask_shown("drawing", Some(&one), &Density::of(source, request).ascii(!is_utf8()), limits)?,
        false => library.ask_shown("drawing", Some(&one), &Envelope::of(source, request).ascii(!is_utf8()), limits)?,
    };
    match target {
        Target::Picture { path, size: [width, height] } => {
            picture::write(path, &Figure::new(drawn.value(), width, height), options.sheet)?;
        }
        Target::Text(style) => {
            for line in text::draw(drawn.value(), style) {
                writeln!(streams.out, "{line}")?;
            }
        }
        Target::Numbers => {}
    }
    if options.setting.format.is_json() {
        writeln!(streams.out, "{}", report::to_json(&drawn))?;
    }
    streams.out.flush()?;
    streams.notes(drawn.notes())?;
    Ok(report::status(&drawn.value().envelopes))
}

/// Chooses the form and the size of the result, and checks the size before anything is evaluated.
fn target(options: &PlotOptions) -> Result<Target<'_>, Diagnostic> {
    let within = |what: &str, asked: Option<u32>, usual: u32, [least, most]: [u32; 2]| match asked {
        Some(n) if !(least..=most).contains(&n) => {
            Err(Diagnostic::wrong(format!("error: {what} must lie between {least} and {most}, not {n}")))
        }
        asked => Ok(asked.unwrap_or(usual)),
    };
    let Some(path) = options.output.as_deref() else {
        if options.setting.format.is_json() {
            return Ok(Target::Numbers);
        }
        let usual = usual_style();
        let width = within("the width of a text, in letters,", options.width, usual.width, LETTERS)?;
        let height = within("the height of a panel, in lines,", options.height, usual.height, LINES)?;
        return Ok(Target::Text(Style { width, height, ascii: options.ascii || usual.ascii }));
    };
    picture::kind_at(path, options.sheet)?;
    let pixels = [figure::LEAST, figure::MOST];
    let width = within("the width of a picture, in pixels,", options.width, figure::USUAL_WIDTH, pixels)?;
    let usual = figure::usual_height(options.orders.len()).min(figure::MOST);
    let height = within("the height of a picture, in pixels,", options.height, usual, pixels)?;
    // The points of a PNG file grow with `--dpi`, which the bounds on the pixels do not see.
    let largest = options.sheet.points(width.max(height));
    if largest > figure::MOST {
        return Err(Diagnostic::wrong(format!(
            "error: the picture would have a side of {largest} points, and {} are possible\n  = help: ask for a smaller --width, --height or --dpi",
            figure::MOST
        )));
    }
    Ok(Target::Picture { path, size: [width, height] })
}

/// Returns the grid to evaluate: its resolution follows the form of the result, unless `--columns` is given.
fn request(options: &PlotOptions, target: &Target) -> Request {
    let ends = [&options.from, &options.to].map(|c| c.0.clone());
    let [from, to] = ends;
    let mut request = match target {
        Target::Text(style) => style.request(from, to),
        Target::Picture { size: [width, height], .. } => {
            let rows = figure::rows(*height, options.orders.len());
            // The axis of values takes about a tenth of the width.
            Request { columns: width * 9 / 10, rows, ..Request::new(from, to) }
        }
        Target::Numbers => Request::new(from, to),
    };
    let usual = if options.density { density::COLUMNS } else { request.columns };
    request.columns = options.columns.unwrap_or(usual);
    request.orders = options.orders.clone();
    request.title = options.title.clone();
    request.low = options.ymin.as_ref().map(|c| c.0.clone());
    request.high = options.ymax.as_ref().map(|c| c.0.clone());
    request
}

/// Returns the default style of text: the width of the terminal, in the letters of the locale.
#[must_use]
pub fn usual_style() -> Style {
    // A choice: 80 letters if the terminal does not tell, and at most 200, since each column costs time.
    let width = env::var("COLUMNS").ok().and_then(|n| n.parse().ok()).unwrap_or(80).clamp(LETTERS[0], 200);
    Style { width, ascii: !is_utf8(), ..Style::default() }
}

/// Returns `true` if the locale supports letters beyond ASCII.
pub(super) fn is_utf8() -> bool {
    // The first variable that is set wins, as POSIX has it.
    let locale = ["LC_ALL", "LC_CTYPE", "LANG"].into_iter().filter_map(|name| env::var(name).ok());
    let locale = locale.into_iter().find(|value| !value.is_empty());
    cfg!(windows) || locale.is_some_and(|l| l.to_ascii_lowercase().replace('-', "").contains("utf8"))
}
