//! `smoothish pieces`: the pieces of a function of one variable, and what of it was not unfolded.

use super::arguments::Format;
use super::ask::{Limits, Refusal};
use super::eval::JSON_VERSION;
use super::evaluator::Workbench;
use super::output::Streams;
use super::plot::{Coordinate, picture};
use super::questions::Asked;
use super::status::Status;
use super::tolerance::Timeout;
use crate::meaning;
use crate::meaning::pap::NAME;
use crate::meaning::pap::replay::{MOST_STEPS, Unfolded, Unfolding};
use crate::meaning::pap::rules::Paper;
use crate::model::answer::{self, MeaningError};
use crate::number::budget::Budget;
use crate::number::{Rational, decimal};
use crate::pieces::fraction::Normaliser;
use crate::pieces::intensional::gradient;
use crate::pieces::line::told;
use crate::pieces::{Decided, Outcome, Region, Rest};
use crate::plot::figure::{self, Figure};
use crate::plot::{Request, pieces};
use crate::session::SessionError;
use crate::smooth::graph::{Binary, Graph, Operation, Variable};
use crate::smooth::map::untyped::Untyped;
use crate::syntax::source::Source;
use crate::syntax::ty::Ty;
use clap::Args;
use rustc_hash::FxHashMap;
use serde_json::{Value as Json, json};
use std::io::{self, Read};
use std::path::{Path, PathBuf};
use std::sync::Arc;

/// What `pieces` is asked.
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

/// A piece, as it is printed.
struct Row {
    region: Region,
    /// The function and its derivatives; or why it has no value.
    maps: Result<Vec<String>, String>,
    guards: Vec<String>,
}

/// Parts that were not unfolded for one reason.
struct Left {
    why: Rest,
    parts: usize,
    length: [Rational; 2],
    /// Where the program stood, and at how many of the parts.
    places: Vec<(Option<String>, usize)>,
}

/// What is found of one function.
struct Found {
    rows: Vec<Row>,
    rest: Vec<Left>,
    unfolded: Unfolded,
}

impl Found {
    /// Writes a picture.
    fn draw(&self, options: &PiecesOptions, source: &Source, path: &Path) -> Result<(), Refusal> {
        let orders: Vec<u32> = (0..=options.deriv).collect();
        let [width, height] = [figure::USUAL_WIDTH, figure::usual_height(orders.len()).min(figure::MOST)];
        let (from, to) = (options.from.0.clone(), options.to.0.clone());
        let (columns, rows) = (width * 9 / 10, figure::rows(height, orders.len()));
        let title = options.title.clone();
        let request = Request { columns, rows, orders, title, ..Request::new(from, to) };
        let budget = Budget::new(u64::MAX, Some(options.timeout.0), None);
        let plot = pieces::envelopes(&self.unfolded.pap, &source.text, &request, &budget);
        let plot = plot.map_err(|error| Refusal::wrong(format!("error: {error}")))?;
        picture::write(path, &Figure::new(&plot, width, height), options.sheet)
    }
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
        let refusal = Refusal::wrong("error: --from must be less than --to");
        writeln!(streams.err, "{}", options.asked.format.refusal(&refusal))?;
        return Ok(refusal.status);
    }
    if let Some(refusal) = options.output.as_deref().and_then(|path| picture::kind_at(path, options.sheet).err()) {
        writeln!(streams.err, "{}", options.asked.format.refusal(&refusal))?;
        return Ok(refusal.status);
    }
    let mut is_drawn = false;
    let ask = |source: &Source| found(options, library, limits, source);
    options.asked.each(&limits.interrupted, input, streams, ask, |source, found, streams| {
        if options.asked.format.is_json() {
            writeln!(streams.out, "{}", to_json(source, &found))?;
        } else {
            write!(streams.out, "{}", table(&found, &options.asked.format))?;
        }
        if let Some(path) = options.output.as_deref() {
            let drawn = match std::mem::replace(&mut is_drawn, true) {
                true => Err(Refusal::wrong("error: -o writes one picture; ask one question")),
                false => found.draw(options, source, path),
            };
            if let Err(refusal) = drawn {
                writeln!(streams.err, "{}", options.asked.format.refusal(&refusal))?;
                return Ok(refusal.status);
            }
        }
        Ok(if found.rest.is_empty() { Status::Reached } else { Status::Wide })
    })
}

fn found(options: &PiecesOptions, library: &Workbench, limits: &Limits, source: &Source) -> Result<Found, Refusal> {
    let ty = Ty::function(Ty::real(), Ty::real());
    let term = library.infer_at(source, &ty)?;
    let unfolding = Unfolding {
        rules: Arc::new(Paper),
        unfoldings: None,
        limit: options.limit,
        steps: MOST_STEPS,
        budget: Arc::new(limits.budget()),
    };
    let unfolded = unfolding.on(&term, &options.from.0, &options.to.0);
    let refused = |error: MeaningError| match error.lacks() {
        Some(lacking) => {
            let others = meaning::that_have(&term, &ty, NAME);
            let help = match &*others {
                [] => String::new(),
                _ => format!(
                    "\n  = help: of its values at points ask smoothish eval --model {}",
                    others.join(", or --model ")
                ),
            };
            Refusal::wrong(format!("error: {lacking}{help}"))
        }
        None => library.refusal(source, &SessionError::Meaning(error)),
    };
    let unfolded = unfolded.map_err(refused)?;
    let pap = &unfolded.pap;
    let mut texts = Texts { variable: pap.variables[0], forms: Normaliser::default(), guards: FxHashMap::default() };
    let mut rows: Vec<Row> = pap
        .pieces
        .iter()
        .map(|piece| Row {
            region: piece.region.clone().unwrap_or_default(),
            maps: match &piece.outcome {
                Outcome::Value(value) => Ok(texts.maps(value, options.deriv)),
                Outcome::Undefined(found) => {
                    let place = unfolded.place(found.site);
                    Err(answer::Undefined::of_value(found, place, &term, ToString::to_string).message)
                }
            },
            guards: piece.guards.iter().map(|decided| texts.written(decided)).collect(),
        })
        .collect();
    rows.sort_by_cached_key(|row| row.region.0.first().map(|first| (first.left.lo.clone(), first.right.hi.clone())));
    let mut rest: Vec<Left> = Vec::new();
    for part in &pap.frontier {
        let [least, most] = part.region.as_ref().map(Region::length).unwrap_or_default();
        let place = unfolded.place(part.site).and_then(|place| library.position(source, &place));
        if !rest.iter().any(|left| left.why == part.why) {
            rest.push(Left { why: part.why, parts: 0, length: Default::default(), places: Vec::new() });
        }
        let Some(left) = rest.iter_mut().find(|left| left.why == part.why) else { continue };
        left.parts += 1;
        left.length[0] += least;
        left.length[1] += most;
        match left.places.iter_mut().find(|(known, _)| *known == place) {
            Some((_, count)) => *count += 1,
            None => left.places.push((place, 1)),
        }
    }
    Ok(Found { rows, rest, unfolded })
}

/// Maps as text, with what was written of guards that several pieces have.
struct Texts {
    variable: Variable,
    forms: Normaliser,
    /// By the addresses of the guards, which the pieces keep, and the answers.
    guards: FxHashMap<(usize, &'static str), String>,
}

impl Texts {
    /// The function and its derivatives.
    fn maps(&mut self, value: &Graph, orders: u32) -> Vec<String> {
        let mut graph = value.clone();
        let mut all = vec![self.text(&graph)];
        for _ in 0..orders {
            graph = gradient(&[self.variable], &graph).swap_remove(0);
            all.push(self.text(&graph));
        }
        all
    }

    /// A map of one variable: as a polynomial, if it is one.
    fn text(&mut self, g: &Graph) -> String {
        let polynomial = self.forms.polynomial(g, self.variable);
        let graph = polynomial.map_or_else(|| g.clone(), |coefficients| expanded(self.variable, &coefficients));
        if let Some(q) = graph.as_rational() {
            return q.to_string();
        }
        let shown = Untyped::of_graphs(&[self.variable], &[graph]).map(|map| map.to_string());
        shown.map_or_else(|_| "…".to_owned(), |text| text.strip_prefix("\\x => ").unwrap_or(&text).to_owned())
    }

    /// An answer: of what is affine, where the variable is.
    fn written(&mut self, decided: &Decided) -> String {
        let (graph, sign) = (&decided.guard.graph, decided.sign());
        if let Some(known) = self.guards.get(&(graph.address(), sign)) {
            return known.clone();
        }
        let coefficients = self.forms.polynomial(graph, self.variable);
        let written = match (coefficients.as_deref(), graph.operation()) {
            (Some([b, a]), _) if *a != 0 => {
                let turned = match sign {
                    ">" => "<",
                    ">=" => "<=",
                    "<" => ">",
                    "<=" => ">=",
                    same => same,
                };
                format!("x {} {}", if *a > 0 { sign } else { turned }, told(&-Rational::from(b / a)))
            }
            // a difference as its two sides
            (_, Operation::Binary(Binary::Subtract, left, right)) => {
                format!("{} {sign} {}", self.text(left), self.text(right))
            }
            _ => format!("{} {sign} 0", self.text(graph)),
        };
        self.guards.insert((graph.address(), sign), written.clone());
        written
    }
}

/// Σ aₙ·xⁿ
fn expanded(v: Variable, coefficients: &[Rational]) -> Graph {
    let x = Graph::variable(v);
    let mut sum: Option<Graph> = None;
    for (n, a) in coefficients.iter().enumerate().rev().filter(|(_, a)| **a != 0) {
        let power = |a: &Rational| {
            let power = (n > 0).then(|| Graph::power(&x, &Rational::from(n))).flatten();
            match power {
                None => Graph::rational(a.clone()),
                Some(power) if *a == 1 => power,
                Some(power) => Graph::binary(Binary::Multiply, &Graph::rational(a.clone()), &power),
            }
        };
        sum = Some(match sum {
            None => power(a),
            Some(sum) if *a < 0 => Graph::binary(Binary::Subtract, &sum, &power(&Rational::from(-a))),
            Some(sum) => Graph::binary(Binary::Add, &sum, &power(a)),
        });
    }
    sum.unwrap_or_else(|| Graph::integer(0))
}

fn why(rest: Rest) -> &'static str {
    match rest {
        Rest::Limit => "as many pieces as were wanted, or as many paths as may be",
        Rest::Fuel => "not within its steps or its time",
        Rest::Undecided => "not told on which side of a guard",
    }
}

/// A length: exactly, or as decimals.
fn length([least, most]: &[Rational; 2]) -> String {
    if least == most {
        return told(least);
    }
    let unit = Rational::from(1_000_000_000_000u64);
    let told = |q: Rational| decimal::exact(&q).unwrap_or_else(|| q.to_string());
    let (least, most) = (Rational::from(least * &unit).floor(), Rational::from(most * &unit).ceil());
    format!("[{}, {}]", told(least / &unit), told(most / &unit))
}

fn table(found: &Found, format: &Format) -> String {
    let mut lines = Vec::new();
    if !format.is_short() {
        let mut head = vec!["on".to_owned(), "length".to_owned(), "function".to_owned()];
        let orders = found.rows.iter().filter_map(|row| row.maps.as_ref().ok()).map(Vec::len).max().unwrap_or(1);
        head.extend((1..orders).map(|k| if k == 1 { "derivative".to_owned() } else { format!("derivative {k}") }));
        head.push("where".to_owned());
        lines.push(head);
    }
    let columns = lines.first().map_or(0, Vec::len);
    for Row { region, maps, guards } in &found.rows {
        let mut line = vec![region.to_string(), length(&region.length())];
        match maps {
            Ok(maps) => line.extend(maps.iter().cloned()),
            Err(why) => line.push(why.clone()),
        }
        line.resize(columns.saturating_sub(1).max(line.len()), String::new());
        line.push(guards.join(", "));
        lines.push(line);
    }
    let width = |column: usize| lines.iter().filter_map(|line| line.get(column)).map(|t| t.chars().count()).max();
    let mut shown = String::new();
    for line in &lines {
        let mut row = String::new();
        for (column, text) in line.iter().enumerate() {
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

fn to_json(source: &Source, found: &Found) -> Json {
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
    let piece = |Row { region, maps, guards }: &Row| {
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
