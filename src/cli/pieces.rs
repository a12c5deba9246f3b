//! The command `pieces`: the pieces of a piecewise-analytic function of one variable, and the parts not unfolded.

use super::arguments::Format;
use super::eval::JSON_VERSION;
use super::evaluator::Workbench;
use super::output::Streams;
use super::plot::{Coordinate, picture};
use super::questions::Asked;
use super::status::Status;
use crate::number::budget::Budget;
use crate::number::{Rational, decimal};
use crate::pieces::line::told;
use crate::pieces::{Region, Rest};
use crate::plot::figure::{self, Figure};
use crate::plot::{Request, pieces};
use crate::session::question::pieces::{Left, Piece, PiecesFound};
use crate::session::tolerance::Timeout;
use crate::session::{Answer, Diagnostic, Limits, Pieces};
use crate::syntax::source::Source;
use clap::Args;
use serde_json::{Value as Json, json};
use std::io::{self, Read};
use std::path::{Path, PathBuf};
use std::sync::Arc;

/// The options of `pieces`.
#[derive(Debug, Args)]
pub struct PiecesOptions {
    /// The left end: a decimal or a fraction, read exactly
    #[arg(long, value_name = "A", allow_hyphen_values = true)]
    pub from: Coordinate,
    /// The right end, greater than the left one
    #[arg(long, value_name = "B", allow_hyphen_values = true)]
    pub to: Coordinate,
    /// Up to which order the derivatives on each piece are printed
    #[arg(long, value_name = "K", default_value_t = 1, value_parser = clap::value_parser!(u32).range(0..=8))]
    pub deriv: u32,
    /// How many pieces to unfold
    #[arg(long, value_name = "N", default_value_t = 100)]
    pub limit: usize,
    /// A picture of the function and of its derivatives to write, F.svg or F.png, besides what is printed; of one question only
    #[arg(short, long, value_name = "F")]
    pub output: Option<PathBuf>,
    /// What stands above the picture; without it, the function
    #[arg(long, value_name = "TEXT", requires = "output")]
    pub title: Option<String>,
    /// How finely and on what ground a PNG file is drawn
    #[command(flatten)]
    pub sheet: picture::Sheet,
    /// How many seconds it may take
    #[arg(long, value_name = "SECONDS", default_value_t, allow_hyphen_values = true)]
    pub timeout: Timeout,
    /// What is asked: functions of type Real -> Real
    #[command(flatten)]
    pub asked: Asked,
}

/// Draws the pieces and their derivatives, and writes the picture.
fn draw(found: &PiecesFound, options: &PiecesOptions, source: &Arc<Source>, path: &Path) -> Result<(), Diagnostic> {
    let orders: Vec<u32> = (0..=options.deriv).collect();
    let [width, height] = [figure::USUAL_WIDTH, figure::usual_height(orders.len()).min(figure::MOST)];
    let (from, to) = (options.from.0.clone(), options.to.0.clone());
    // The axis of values takes about a tenth of the width.
    let (columns, rows) = (width * 9 / 10, figure::rows(height, orders.len()));
    let title = options.title.clone();
    let request = Request { columns, rows, orders, title, ..Request::new(from, to) };
    // The picture has the limit of time for itself: the pieces have used theirs.
    let budget = Budget::new(u64::MAX, Some(options.timeout.0), None);
    let plot = pieces::envelopes(&found.unfolded.pap, &source.text, &request, &budget);
    let plot = plot.map_err(|error| Diagnostic::wrong(format!("error: {error}")))?;
    picture::write(path, &Figure::new(&plot, width, height), options.sheet)
}

/// Prints the pieces of every function.
///
/// # Errors
/// As [`Asked::each`].
pub fn run(
    options: &PiecesOptions,
    library: &Workbench,
    limits: &Limits,
    input: &mut dyn Read,
    streams: &mut Streams<'_>,
) -> io::Result<Status> {
    let (from, to) = (&options.from.0, &options.to.0);
    if from >= to {
        let refusal = Diagnostic::wrong("error: --from must be less than --to");
        writeln!(streams.err, "{}", options.asked.format.refusal(&refusal))?;
        return Ok(Status::from(refusal.kind));
    }
    // Before any question is asked: an unwritable picture must not cost the time of an answer.
    if let Some(refusal) = options.output.as_deref().and_then(|path| picture::kind_at(path, options.sheet).err()) {
        writeln!(streams.err, "{}", options.asked.format.refusal(&refusal))?;
        return Ok(Status::from(refusal.kind));
    }
    // A second question would overwrite the picture of the first.
    let mut is_drawn = false;
    let ask = |source: &Arc<Source>| {
        let question = Pieces::of(source.clone(), from.clone(), to.clone());
        let question = question.derivatives(options.deriv).limit(options.limit);
        library.ask(&question, limits).map(Answer::into_value)
    };
    options.asked.each(limits, input, streams, ask, |source, found, streams| {
        if options.asked.format.is_json() {
            writeln!(streams.out, "{}", to_json(source, &found))?;
        } else {
            write!(streams.out, "{}", table(&found, &options.asked.format))?;
        }
        if let Some(path) = options.output.as_deref() {
            let drawn = match std::mem::replace(&mut is_drawn, true) {
                true => Err(Diagnostic::wrong("error: -o writes one picture; ask one question")),
                false => draw(&found, options, source, path),
            };
            if let Err(refusal) = drawn {
                writeln!(streams.err, "{}", options.asked.format.refusal(&refusal))?;
                return Ok(Status::from(refusal.kind));
            }
        }
        Ok(if found.rest.is_empty() { Status::Reached } else { Status::Wide })
    })
}

/// Describes the reason for a part that was not unfolded.
fn why(rest: Rest) -> &'static str {
    match rest {
        Rest::Limit => "as many pieces as were wanted, or as many paths as may be",
        Rest::Fuel => "not within its steps or its time",
        Rest::Undecided => "not told on which side of a guard",
    }
}

/// Formats a length: exactly if it is known, otherwise as an interval of decimals.
fn length([least, most]: &[Rational; 2]) -> String {
    if least == most {
        return told(least);
    }
    // A choice: 12 decimals, rounded outwards, so that the interval contains the length.
    let unit = Rational::from(1_000_000_000_000u64);
    let told = |q: Rational| decimal::exact(&q).unwrap_or_else(|| q.to_string());
    let (least, most) = (Rational::from(least * &unit).floor(), Rational::from(most * &unit).ceil());
    format!("[{}, {}]", told(least / &unit), told(most / &unit))
}

/// Formats the pieces as a table for people, or without its head for short output.
fn table(found: &PiecesFound, format: &Format) -> String {
    let mut lines = Vec::new();
    if !format.is_short() {
        let mut head = vec!["on".to_owned(), "length".to_owned(), "function".to_owned()];
        let orders = found.rows.iter().filter_map(|row| row.maps.as_ref().ok()).map(Vec::len).max().unwrap_or(1);
        head.extend((1..orders).map(|k| if k == 1 { "derivative".to_owned() } else { format!("derivative {k}") }));
        head.push("where".to_owned());
        lines.push(head);
    }
    let columns = lines.first().map_or(0, Vec::len);
    for Piece { region, maps, guards } in &found.rows {
        let mut line = vec![region.to_string(), length(&region.length())];
        match maps {
            Ok(maps) => line.extend(maps.iter().cloned()),
            Err(why) => line.push(why.clone()),
        }
        // The guards stand in the last column, also on lines with fewer maps.
        line.resize(columns.saturating_sub(1).max(line.len()), String::new());
        line.push(guards.join(", "));
        lines.push(line);
    }
    let width = |column: usize| lines.iter().filter_map(|line| line.get(column)).map(|t| t.chars().count()).max();
    let mut shown = String::new();
    for line in &lines {
        let mut row = String::new();
        for (column, text) in line.iter().enumerate() {
            // A choice: padding stops at 48 letters. A longer text moves only its own line.
            let room = width(column).unwrap_or_default().min(48) - text.chars().count().min(48);
            row.push_str(text);
            row.push_str(&" ".repeat(room + 2));
        }
        shown.push_str(row.trim_end());
        shown.push('\n');
    }
    for Left { why: rest, parts: count, length: all, .. } in &found.rest {
        let parts = if *count == 1 { "part" } else { "parts" };
        shown.push_str(&format!("not unfolded: {count} {parts} of length {} ({})\n", length(all), why(*rest)));
    }
    shown
}

/// Writes the pieces and the parts not unfolded as a JSON object, with exact lengths.
fn to_json(source: &Arc<Source>, found: &PiecesFound) -> Json {
    let ends = |[least, most]: &[Rational; 2]| json!({ "lo": least.to_string(), "hi": most.to_string() });
    let stretches = |region: &Region| -> Vec<Json> {
        let stretch = |s: &crate::pieces::Stretch| {
            json!({
                "from": ends(&[s.left.lo.clone(), s.left.hi.clone()]), "to": ends(&[s.right.lo.clone(), s.right.hi.clone()]),
                "closed": s.closed,
            })
        };
        region.0.iter().map(stretch).collect()
    };
    let piece = |Piece { region, maps, guards }: &Piece| {
        let (maps, undefined) = match maps {
            Ok(maps) => (json!(maps), Json::Null),
            Err(why) => (Json::Null, json!(why)),
        };
        json!({
            "on": stretches(region), "length": ends(&region.length()), "maps": maps, "undefined": undefined, "guards": guards,
        })
    };
    let rest = |left: &Left| {
        let at: Vec<Json> =
            left.places.iter().map(|(place, parts)| json!({ "place": place, "parts": parts })).collect();
        json!({ "why": why(left.why), "parts": left.parts, "length": ends(&left.length), "at": at })
    };
    json!({
        "version": JSON_VERSION, "question": source.text,
        "pieces": found.rows.iter().map(piece).collect::<Vec<_>>(),
        "frontier": found.rest.iter().map(rest).collect::<Vec<_>>(),
        "runs": found.unfolded.runs,
    })
}
