//! The command `render`: a certified picture of a function of two variables, its values or a level set.

use super::arguments::ClosedNumber;
use super::eval::{JSON_VERSION, notes_to_json};
use super::evaluator::TheorySession;
use super::output::Streams;
use super::plot::{default_style, picture};
use super::questions::QuestionText;
use super::status::{CommandError, CommonArgs, Status};
use crate::number::Rational;
use crate::plot::axis::format_exact;
use crate::plot::figure::MAX_SIZE;
use crate::plot::plane::figure::{Palette, figure_with_axes, figure_without_axes};
use crate::plot::plane::{LevelSide, PictureRequest, PictureSubject, Pixel, PixelState, PlanePicture, figure};
use crate::session::{Answer, Diagnostic, Limits, PlotPlane};
use clap::{Args, ValueEnum};
use serde_json::{Value as Json, json};
use std::io::Read;
use std::path::PathBuf;
use std::sync::Arc;

/// The default number of columns. A choice.
const DEFAULT_COLUMNS: u32 = 256;

/// The options of `render`.
#[derive(Debug, Args)]
pub struct RenderOptions {
    /// Left and right side: two decimals or fractions, read exactly, or expressions such as -pi, rounded outwards
    #[arg(long, num_args = 2, value_names = ["A", "B"], required = true, allow_hyphen_values = true)]
    pub x: Vec<ClosedNumber>,
    /// Lower and upper side: two decimals or fractions, read exactly, or expressions such as -pi, rounded outwards
    #[arg(long, num_args = 2, value_names = ["C", "D"], required = true, allow_hyphen_values = true)]
    pub y: Vec<ClosedNumber>,
    /// Draw the set where the function exceeds a number, not its values
    #[arg(long, value_name = "L", allow_hyphen_values = true, conflicts_with_all = ["low", "high", "palette"])]
    pub level: Option<ClosedNumber>,
    /// Lower end of the colour scale [default: from the values]
    #[arg(long, value_name = "V", allow_hyphen_values = true)]
    pub low: Option<ClosedNumber>,
    /// Upper end of the colour scale [default: from the values]
    #[arg(long, value_name = "V", allow_hyphen_values = true)]
    pub high: Option<ClosedNumber>,
    /// Colours of the values
    #[arg(long, value_enum, default_value_t)]
    pub palette: Colours,
    /// Number of columns of pixels, each with its own enclosure [default: 256, or the width of the text]
    #[arg(long, value_name = "N")]
    pub columns: Option<u32>,
    /// Number of rows of pixels [default: square pixels]
    #[arg(long, value_name = "N")]
    pub rows: Option<u32>,
    /// Width and height of a pixel, in points of the picture, 1 to 16
    #[arg(long, value_name = "N", default_value_t = 2, value_parser = clap::value_parser!(u32).range(1..=16))]
    pub size: u32,
    /// The resolution and the background of a PNG file
    #[command(flatten)]
    pub sheet: picture::PngSheet,
    /// Title above the picture [default: the function]
    #[arg(long, value_name = "TEXT", requires = "output", conflicts_with = "bare")]
    pub title: Option<String>,
    /// Draw the pixels only, without axes and legend
    #[arg(long, requires = "output")]
    pub bare: bool,
    /// Picture file to write, F.png or F.svg [default: print text]
    #[arg(short, long, value_name = "F")]
    pub output: Option<PathBuf>,
    /// The time limit, the theories to load, and the output format
    #[command(flatten)]
    pub setting: CommonArgs,
    /// Function of type Real -> Real -> Real or Real * Real -> Real; `-` reads it from standard input
    #[arg(value_name = "EXPR", allow_negative_numbers = true)]
    pub expression: String,
}

/// Colours of the values.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, ValueEnum)]
pub enum Colours {
    /// From dark blue over green to yellow
    #[default]
    Viridis,
    /// From black to white
    Grey,
    /// Blue below 0, white at 0, red above
    Signed,
}

impl From<Colours> for Palette {
    fn from(colours: Colours) -> Self {
        match colours {
            Colours::Viridis => Self::Viridis,
            Colours::Grey => Self::Grey,
            Colours::Signed => Self::Signed,
        }
    }
}

/// Draws one picture.
///
/// # Errors
/// Errors of the question, of the picture, of reading `input` and of writing.
pub fn run_render(
    options: &RenderOptions,
    library: &TheorySession,
    limits: &Limits,
    input: &mut dyn Read,
    streams: &mut Streams<'_>,
) -> Result<Status, CommandError> {
    if let Some(path) = options.output.as_deref() {
        picture::check_path_and_sheet(path, options.sheet)?;
    }
    // The path and the sizes are checked before the evaluation, which may take long.
    let request = build_request(options)?;
    for (option, sides) in [("--x", &options.x), ("--y", &options.y)] {
        if let [from, to] = &sides[..] {
            let notes = [from.rounding_note(option, from.lower()), to.rounding_note(option, to.upper())];
            streams.print_notes(&notes.into_iter().flatten().collect::<Vec<_>>())?;
        }
    }
    let source = Arc::new(QuestionText::from_argument(&options.expression).read_source(input)??);
    let drawn = library.ask_with_progress(
        "drawing",
        Some(&Rational::from(1)),
        &PlotPlane::from_source(source, request),
        limits,
    )?;
    if let Some(path) = options.output.as_deref() {
        let draw = if options.bare { figure_without_axes } else { figure_with_axes };
        picture::write_picture(path, &draw(drawn.value(), options.palette.into(), options.size), options.sheet)?;
    }
    if options.setting.format.is_json() {
        writeln!(streams.out, "{}", to_json(&drawn))?;
    } else if options.output.is_none() {
        for line in figure::draw_rows(drawn.value()).into_iter().chain(figure::legend_lines(drawn.value())) {
            writeln!(streams.out, "{line}")?;
        }
    }
    streams.out.flush()?;
    streams.print_notes(drawn.notes())?;
    Ok(picture_status(drawn.value()))
}

/// Returns the raster to evaluate, with the default numbers of columns and rows.
fn build_request(options: &RenderOptions) -> Result<PictureRequest, Diagnostic> {
    let ends = |given: &[ClosedNumber], name: &str| match given {
        [from, to] if from.lower() < to.upper() => Ok([from.lower().clone(), to.upper().clone()]),
        _ => {
            Err(Diagnostic::invalid_input(format!("error: of --{name}, the first number must be less than the second")))
        }
    };
    let (x, y) = (ends(&options.x, "x")?, ends(&options.y, "y")?);
    let is_text = options.output.is_none() && !options.setting.format.is_json();
    let columns = options.columns.unwrap_or(if is_text { default_style().width - 1 } else { DEFAULT_COLUMNS });
    let rows = options.rows.unwrap_or_else(|| {
        let shape = Rational::from(&y[1] - &y[0]) / Rational::from(&x[1] - &x[0]);
        // A letter of a terminal is about twice as high as wide.
        let rows = shape.to_f64() * f64::from(columns) / if is_text { 2.0 } else { 1.0 };
        rows.round().clamp(1.0, f64::from(crate::plot::MOST_ROWS)) as u32
    });
    let low = options.low.as_ref().map(|end| end.lower().clone());
    let high = options.high.as_ref().map(|end| end.upper().clone());
    let subject = match &options.level {
        Some(level) => PictureSubject::Level(level.lower().clone()),
        None => PictureSubject::Values([low, high]),
    };
    let largest = options.sheet.points_of_length(columns.max(rows).saturating_mul(options.size));
    if options.output.is_some() && largest > MAX_SIZE {
        return Err(Diagnostic::invalid_input(format!(
            "error: the picture would have a side of {largest} points, and {MAX_SIZE} are possible\n  = help: ask for fewer columns, for --size 1 or a smaller --dpi"
        )));
    }
    Ok(PictureRequest { x, y, columns, rows, subject, thread_count: None, title: options.title.clone() })
}

/// Returns the status of a picture: reached if every pixel is settled.
fn picture_status(picture: &PlanePicture) -> Status {
    if picture.pixels.iter().all(|pixel| pixel.settled) {
        Status::Reached
    } else if picture.count_pixels(|pixel| matches!(pixel.state, PixelState::Within(_))) > 0 {
        Status::Wide
    } else {
        Status::Nothing
    }
}

/// Writes
/// `{"version":1,"question":…,"x":[…],"y":[…],"pixels":[[lo,hi,state,settled],…],"area":[…],"reached":…,"ms":…}`. `x`
/// and `y` are the exact borders between columns, and between rows from the lowest. Pixels come row by row from the
/// uppermost. The ends of a pixel that is not shown to be defined are null.
fn to_json(drawn: &Answer<PlanePicture>) -> Json {
    let picture = drawn.value();
    let request = &picture.request;
    let side = |side| match side {
        LevelSide::Inside => "inside",
        LevelSide::Outside => "outside",
        LevelSide::Border => "border",
        LevelSide::Undecided => "undecided",
    };
    let is_level = matches!(request.subject, PictureSubject::Level(_));
    let pixel = |pixel: &Pixel| {
        let (state, ends) = match pixel.state {
            PixelState::Within(ends) if is_level => (side(pixel.side), Some(ends)),
            PixelState::Within(ends) => ("enclosed", Some(ends)),
            PixelState::Undefined => ("undefined", None),
            PixelState::Unknown => ("unknown", None),
        };
        let [lo, hi] = ends.map_or([None; 2], |ends| ends.map(Some));
        json!([lo, hi, state, pixel.settled])
    };
    let mut object = json!({ "version": JSON_VERSION, "question": picture.source });
    for (name, borders) in ["x", "y"].into_iter().zip(request.pixel_borders()) {
        object[name] = json!(borders.iter().map(format_exact).collect::<Vec<_>>());
    }
    if let PictureSubject::Level(level) = &request.subject {
        object["level"] = json!(format_exact(level));
    }
    object["pixels"] = picture.pixels.iter().map(pixel).collect();
    if let Some(area) = picture.area_bounds() {
        object["area"] = json!(area.each_ref().map(format_exact));
    }
    object["reached"] = json!(picture_status(picture) == Status::Reached);
    let notes = notes_to_json(drawn.notes());
    if !notes.is_empty() {
        object["notes"] = json!(notes);
    }
    object["ms"] = json!((drawn.elapsed().as_secs_f64() * 1e6).round() / 1e3);
    object
}
