//! The command `pieces`: the pieces of a piecewise-analytic function on an interval, or on a box of ℝⁿ.
//!
//! Each piece comes from one path of the program through its guards. The parts of the domain for which no path was
//! followed to its end are listed as not unfolded, with the reason. In one variable the pieces are unions of intervals; in
//! several each is printed with a point, its dimension and its volume.

use super::arguments::{ClosedNumber, ClosedPoint, OutputFormat, TuningArgs};
use super::eval::JSON_VERSION;
use super::evaluator::TheorySession;
use super::output::Streams;
use super::plot::picture;
use super::questions::QuestionArgs;
use super::status::Status;
use crate::number::{Rational, decimal};
use crate::pieces::line::format_rational;
use crate::pieces::proof::SetPoints;
use crate::pieces::{IntervalUnion, StopReason};
use crate::plot::figure::{self, Figure};
use crate::plot::{PlotRequest, cells, pieces};
use crate::session::question::pieces::{PieceList, PrintedPiece, UnexploredParts};
use crate::session::tolerance::{Timeout, Tolerance};
use crate::session::{Diagnostic, Limits, ListPieces};
use crate::syntax::source::SourceText;
use clap::Args;
use serde_json::{Value as Json, json};
use std::cell::Cell;
use std::io::{self, Read};
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::time::Instant;

/// The options of `pieces`.
#[derive(Debug, Args)]
pub struct PiecesOptions {
    /// Left end: a decimal or a fraction, read exactly, or an expression such as -pi, rounded outwards; of a box, a corner such as (-1,-1)
    #[arg(long, value_name = "A", allow_hyphen_values = true)]
    pub from: ClosedPoint,
    /// Right end, greater than the left one; of a box, the opposite corner
    #[arg(long, value_name = "B", allow_hyphen_values = true)]
    pub to: ClosedPoint,
    /// Highest order of the derivatives printed for each piece; 1 at most for functions of several variables
    #[arg(long, value_name = "K", default_value_t = 1, value_parser = clap::value_parser!(u32).range(0..=8))]
    pub deriv: u32,
    /// Maximum number of pieces to unfold
    #[arg(long, value_name = "N", default_value_t = 100)]
    pub limit: usize,
    /// Maximum width of the printed volumes, for functions of several variables [default: 1e-6]
    #[arg(long, value_name = "EPS", allow_hyphen_values = true)]
    pub eps: Option<Tolerance>,
    /// A picture of the function and of its derivatives, or of the cells in the plane, to write, F.svg or F.png, besides what is printed; of one question only
    #[arg(short, long, value_name = "F")]
    pub output: Option<PathBuf>,
    /// Title above the picture [default: the function]
    #[arg(long, value_name = "TEXT", requires = "output")]
    pub title: Option<String>,
    /// The resolution and the background of a PNG file
    #[command(flatten)]
    pub sheet: picture::PngSheet,
    /// Time limit in seconds
    #[arg(long, value_name = "SECONDS", default_value_t, allow_hyphen_values = true)]
    pub timeout: Timeout,
    /// The limits of the searches
    #[command(flatten)]
    pub search: TuningArgs,
    /// The questions: functions of real numbers, as many as each end has
    #[command(flatten)]
    pub asked: QuestionArgs,
}

/// Draws the pieces and their derivatives, and writes the picture to `path`. Returns `false` if the limits left a part of it
/// unfinished.
///
/// # Errors
/// A [`Diagnostic`] if the plot is refused or the file cannot be written.
fn write_picture(
    found: &PieceList,
    options: &PiecesOptions,
    source: &Arc<SourceText>,
    path: &Path,
    limits: &Limits,
) -> Result<bool, Diagnostic> {
    let orders: Vec<u32> = (0..=options.deriv).collect();
    let [width, height] = [figure::DEFAULT_WIDTH, figure::default_height(orders.len()).min(figure::MAX_SIZE)];
    let ([from], [to]) = (&options.from.0[..], &options.to.0[..]) else {
        return write_cell_picture(found, options, source, path, limits);
    };
    let (from, to) = (from.lower().clone(), to.upper().clone());
    // The axis of values takes about a tenth of the width.
    let (columns, rows) = (width * 9 / 10, figure::rows_per_panel(height, orders.len()));
    let title = options.title.clone();
    let request = PlotRequest { columns, rows, orders, title, ..PlotRequest::new(from, to) };
    let budget = limits.start_budget();
    let plot = pieces::plot_pieces(&found.unfolded.pap, &source.text, &request, &budget);
    let plot = plot.map_err(|error| Diagnostic::invalid_input(format!("error: {error}")))?;
    picture::write_picture(path, &Figure::new(&plot, width, height), options.sheet)?;
    Ok(!plot.exhausted || plot.envelopes.iter().flat_map(|envelope| &envelope.columns).all(|column| column.settled))
}

/// Prints the pieces of every function, and writes the picture of the only one if `--output` is given.
///
/// The status is [`Status::Wide`] if a part is not unfolded, or the picture is unfinished.
///
/// # Errors
/// Those of [`QuestionArgs::ask_each`].
pub fn run_pieces(
    options: &PiecesOptions,
    library: &TheorySession,
    limits: &Limits,
    input: &mut dyn Read,
    streams: &mut Streams<'_>,
) -> io::Result<Status> {
    let from: Vec<Rational> = options.from.0.iter().map(|end| end.lower().clone()).collect();
    let to: Vec<Rational> = options.to.0.iter().map(|end| end.upper().clone()).collect();
    if let Some(refusal) = check_corners(&from, &to) {
        writeln!(streams.err, "{}", options.asked.format.render_diagnostic(&refusal))?;
        return Ok(Status::from(refusal.kind));
    }
    // Before any question is asked: an unwritable picture must not cost the time of an answer.
    if let Some(refusal) =
        options.output.as_deref().and_then(|path| picture::check_path_and_sheet(path, options.sheet).err())
    {
        writeln!(streams.err, "{}", options.asked.format.render_diagnostic(&refusal))?;
        return Ok(Status::from(refusal.kind));
    }
    // A second question would overwrite the picture of the first.
    let mut is_drawn = false;
    let begun = Cell::new(Instant::now());
    let ask = |source: &Arc<SourceText>| {
        begun.set(Instant::now());
        let question = ListPieces::on_box(source.clone(), from.clone(), to.clone());
        let question = question.with_derivatives(options.deriv).with_limit(options.limit);
        let question = match &options.eps {
            Some(eps) => question.with_width(eps.value().clone()),
            None => question,
        };
        library.ask(&question, limits)
    };
    let end_notes = |option: &str, ends: &[ClosedNumber], used: &[Rational]| -> Vec<_> {
        ends.iter().zip(used).filter_map(|(end, used)| end.rounding_note(option, used)).collect()
    };
    streams.print_notes(&end_notes("--from", &options.from.0, &from))?;
    streams.print_notes(&end_notes("--to", &options.to.0, &to))?;
    options.asked.ask_each(limits, input, streams, ask, |source, found, streams| {
        let (notes, found) = (found.notes().to_vec(), found.into_value());
        if options.asked.format.is_json() {
            writeln!(streams.out, "{}", to_json(source, &found))?;
        } else {
            write!(streams.out, "{}", format_table(&found, &options.asked.format))?;
        }
        // The parts that are not unfolded stand in the table; the notes are about volumes and points.
        let of_cells = if found.variables > 1 { &notes[..] } else { &[] };
        streams.print_notes(of_cells)?;
        let mut is_whole = found.unexplored.is_empty() && of_cells.is_empty();
        if let Some(path) = options.output.as_deref() {
            let drawn = match std::mem::replace(&mut is_drawn, true) {
                true => Err(Diagnostic::invalid_input("error: -o writes one picture; ask one question")),
                // The pieces and their picture share the limit of time.
                false => write_picture(&found, options, source, path, &limits.after(begun.get().elapsed())),
            };
            match drawn {
                Ok(true) => {}
                Ok(false) => {
                    let end = limits.reached_limit(0).describe_end(limits);
                    writeln!(streams.err, "note: the picture was not finished{end}")?;
                    is_whole = false;
                }
                Err(refusal) => {
                    writeln!(streams.err, "{}", options.asked.format.render_diagnostic(&refusal))?;
                    return Ok(Status::from(refusal.kind));
                }
            }
        }
        Ok(if is_whole { Status::Reached } else { Status::Wide })
    })
}

/// Draws the pieces of a function of two variables, and writes the picture to `path`. Returns `false` if the limits left a part
/// of it unfinished.
fn write_cell_picture(
    found: &PieceList,
    options: &PiecesOptions,
    source: &Arc<SourceText>,
    path: &Path,
    limits: &Limits,
) -> Result<bool, Diagnostic> {
    if found.variables != 2 {
        let n = found.variables;
        let text = format!("error: pieces of functions of one or two variables have a picture, and this one takes {n}");
        return Err(Diagnostic::invalid_input(text));
    }
    let budget = limits.start_budget();
    let plot = cells::plot_cells(&found.unfolded.pap, &budget);
    let plot = plot.map_err(|error| Diagnostic::invalid_input(format!("error: {error}")))?;
    // In the order of the map: the rows of cells are not sorted.
    let name = |row: &PrintedPiece| {
        let value = row.maps.as_ref().ok().and_then(|maps| maps.first().cloned());
        let value = value.unwrap_or_else(|| "no value".to_owned());
        if row.guards.is_empty() { value } else { format!("{value} where {}", row.guards.join(", ")) }
    };
    let names: Vec<String> = found.rows.iter().map(name).collect();
    let title = options.title.as_deref().unwrap_or(&source.text);
    picture::write_picture(path, &plot.to_figure(title, &names), options.sheet)?;
    Ok(!budget.is_exhausted())
}

/// Returns the error for corners that are no box: of different dimensions, or not in order.
fn check_corners(from: &[Rational], to: &[Rational]) -> Option<Diagnostic> {
    let numbers = |n: usize| if n == 1 { "1 number".to_owned() } else { format!("{n} numbers") };
    let text = if from.len() != to.len() {
        format!(
            "error: --from has {}, and --to has {}: both are corners of one box",
            numbers(from.len()),
            numbers(to.len())
        )
    } else {
        let axis = from.iter().zip(to).position(|(from, to)| from >= to)?;
        let place = if from.len() == 1 { String::new() } else { format!(" in coordinate {}", axis + 1) };
        format!("error: --from must be less than --to{place}")
    };
    Some(Diagnostic::invalid_input(text))
}

/// Describes the reason why a part was not unfolded.
fn stop_reason_text(rest: StopReason) -> &'static str {
    match rest {
        StopReason::Limit => "as many pieces as were wanted, or as many paths as may be",
        StopReason::Fuel => "not within its steps or its time",
        StopReason::Undecided => "undecided on which side of a guard",
        StopReason::Outside => "values outside of the domain of the next function",
    }
}

/// Formats a length or a volume: exactly if it is known, otherwise as an interval of decimals.
fn format_length([least, most]: &[Rational; 2]) -> String {
    if least == most {
        return format_rational(least);
    }
    // A choice: 12 decimals, or two more than the width has, rounded outwards, so that the interval contains the length.
    let width = Rational::from(most - least);
    let mut unit = Rational::from(100);
    while unit < 1_000_000_000_000u64 && Rational::from(&unit * &width) < 10 {
        unit *= 10;
    }
    let told = |q: Rational| decimal::print_exactly(&q).unwrap_or_else(|| q.to_string());
    let (least, most) = (Rational::from(least * &unit).floor(), Rational::from(most * &unit).ceil());
    format!("[{}, {}]", told(least / &unit), told(most / &unit))
}

/// Formats the point of a cell, or what is known of its points.
fn format_points(points: &SetPoints) -> String {
    match points {
        SetPoints::Unknown => "not known".to_owned(),
        SetPoints::At(point) => {
            let shown: Vec<String> = point.iter().map(format_rational).collect();
            format!("({})", shown.join(", "))
        }
        known => known.to_string(),
    }
}

/// Formats the pieces and the parts not unfolded as a table; without its head for short output.
fn format_table(found: &PieceList, format: &OutputFormat) -> String {
    let mut lines = Vec::new();
    let (is_line, size) = (found.variables == 1, if found.variables == 1 { "length" } else { "volume" });
    if !format.is_short() {
        let mut head: Vec<String> = match is_line {
            true => vec!["on".to_owned()],
            false => vec!["a point".to_owned(), "dimension".to_owned()],
        };
        head.extend([size.to_owned(), "function".to_owned()]);
        let orders = found.rows.iter().filter_map(|row| row.maps.as_ref().ok()).map(Vec::len).max().unwrap_or(1);
        head.extend((1..orders).map(|k| if k == 1 { "derivative".to_owned() } else { format!("derivative {k}") }));
        head.push("where".to_owned());
        lines.push(head);
    }
    let columns = lines.first().map_or(0, Vec::len);
    for PrintedPiece { region, points, dimension, size, maps, guards } in &found.rows {
        let mut line = match region {
            Some(region) => vec![region.to_string()],
            None => vec![format_points(points), dimension.to_string()],
        };
        line.push(format_length(size));
        match maps {
            Ok(maps) => line.extend(maps.iter().cloned()),
            Err(why) => line.push(why.clone()),
        }
        // The guards stand in the last column, also on lines with fewer maps.
        line.resize(columns.saturating_sub(1).max(line.len()), String::new());
        line.push(guards.join(", "));
        lines.push(line);
    }
    let mut widths = Vec::new();
    for line in &lines {
        widths.resize(line.len().max(widths.len()), 0);
        for (width, text) in widths.iter_mut().zip(line) {
            *width = text.chars().count().max(*width);
        }
    }
    let mut shown = String::new();
    for line in &lines {
        let mut row = String::new();
        for (width, text) in widths.iter().zip(line) {
            // A choice: columns are padded to at most 48 characters. A longer text moves only the rest of its own line.
            let room = (*width).min(48) - text.chars().count().min(48);
            row.push_str(text);
            row.push_str(&" ".repeat(room + 2));
        }
        shown.push_str(row.trim_end());
        shown.push('\n');
    }
    for UnexploredParts { reason: rest, parts: count, size: all, .. } in &found.unexplored {
        let parts = if *count == 1 { "part" } else { "parts" };
        let told = format_length(all);
        shown.push_str(&format!("not unfolded: {count} {parts} of {size} {told} ({})\n", stop_reason_text(*rest)));
    }
    shown
}

/// Returns the pieces and the parts not unfolded as a JSON object. Ends and lengths are exact lower and upper bounds.
fn to_json(source: &Arc<SourceText>, found: &PieceList) -> Json {
    let ends = |[least, most]: &[Rational; 2]| json!({ "lo": least.to_string(), "hi": most.to_string() });
    let stretches = |region: &IntervalUnion| -> Vec<Json> {
        let stretch = |s: &crate::pieces::LineInterval| {
            json!({
                "from": ends(&[s.left.lo.clone(), s.left.hi.clone()]), "to": ends(&[s.right.lo.clone(), s.right.hi.clone()]),
                "closed": s.closed,
            })
        };
        region.0.iter().map(stretch).collect()
    };
    let size_key = if found.variables == 1 { "length" } else { "volume" };
    let piece = |PrintedPiece { region, points, dimension, size, maps, guards }: &PrintedPiece| {
        let (maps, undefined) = match maps {
            Ok(maps) => (json!(maps), Json::Null),
            Err(why) => (Json::Null, json!(why)),
        };
        let sample: Option<Vec<String>> = match points {
            SetPoints::At(point) => Some(point.iter().map(Rational::to_string).collect()),
            _ => None,
        };
        let mut piece = json!({
            size_key: ends(size), "maps": maps, "undefined": undefined, "guards": guards, "sample": sample,
            "not_empty": *points != SetPoints::Unknown,
            "dimension": { "at_least": dimension.at_least, "at_most": dimension.at_most },
        });
        if let Some(region) = region {
            piece["on"] = json!(stretches(region));
        }
        piece
    };
    let rest = |left: &UnexploredParts| {
        let at: Vec<Json> =
            left.places.iter().map(|(place, parts)| json!({ "place": place, "parts": parts })).collect();
        json!({ "why": stop_reason_text(left.reason), "parts": left.parts, size_key: ends(&left.size), "at": at })
    };
    json!({
        "version": JSON_VERSION, "question": source.text, "variables": found.variables,
        "pieces": found.rows.iter().map(piece).collect::<Vec<_>>(),
        "frontier": found.unexplored.iter().map(rest).collect::<Vec<_>>(),
        "runs": found.unfolded.runs,
    })
}
