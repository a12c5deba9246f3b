//! `smoothish change`: the density of what a map makes of a program's values.

use super::ask::{Limits, Refusal};
use super::eval::{JSON_VERSION, USUAL};
use super::evaluator::Workbench;
use super::measure::{self, Read};
use super::output::Streams;
use super::setting::{Ended, Setting};
use super::status::Status;
use super::tolerance::{Goal, Tolerance};
use crate::measure::change::{ChangeFault, Changed, Part, change};
use crate::number::{Accuracy, Enclosure};
use crate::syntax::source::Source;
use crate::syntax::ty::{Ty, TyKind};
use clap::Args;
use serde_json::{Value as Json, json};
use std::io;
use std::sync::Arc;

/// What is asked of a change of variables.
#[derive(Debug, Args)]
pub struct ChangeOptions {
    /// The map: a function A -> B of the values of the program, injective on each chart of its support or forgetting draws there
    #[arg(value_name = "F", allow_hyphen_values = true)]
    pub map: String,
    /// The program: of type P A, where A is Real or a tuple of these
    #[arg(long, value_name = "MODEL", allow_hyphen_values = true)]
    pub of: String,
    /// The point: an expression of type B, where B is Real or a tuple of these
    #[arg(long, value_name = "POINT", allow_hyphen_values = true)]
    pub at: String,
    /// How wide the printed intervals may be: a positive decimal or fraction, read exactly; 1e-6 where nothing is asked
    #[arg(long, value_name = "EPS", allow_hyphen_values = true)]
    pub eps: Option<Tolerance>,
    /// Assume that the map is injective on the support, where that is not proved
    #[arg(long)]
    pub assume_injective: bool,
    /// How long it may take, which theories it needs, and how it prints
    #[command(flatten)]
    pub setting: Setting,
}

/// Prints the density at the point, and what it is made of.
///
/// # Errors
/// A refusal, and what writing fails with.
pub fn run(
    options: &ChangeOptions,
    library: &Workbench,
    limits: &Limits,
    streams: &mut Streams<'_>,
) -> Result<Status, Ended> {
    let accuracy = Goal::of_width(options.eps.as_ref(), USUAL).accuracy();
    let found = changed(options, &accuracy, library, limits)?;
    let shown = Shown { options, accuracy: &accuracy };
    let status = shown.status(&found);
    if options.setting.format.is_json() {
        writeln!(streams.out, "{}", shown.json(&found, status))?;
        return Ok(status);
    }
    shown.rows(&found, streams)?;
    if let Some(proved) = found.proved {
        let but_for = found.but_for.map_or_else(String::new, |what| format!(", but for {what}"));
        writeln!(streams.out, "injective{but_for}: {proved}")?;
    }
    for assumed in &found.assumed {
        writeln!(streams.err, "note: assumed: {assumed}")?;
    }
    if let Some(why) = found.why.filter(|_| status != Status::Reached) {
        writeln!(streams.err, "note: {why}")?;
    }
    Ok(status)
}

fn changed(
    options: &ChangeOptions,
    accuracy: &Accuracy,
    library: &Workbench,
    limits: &Limits,
) -> Result<Changed, Refusal> {
    let program = Source::new("model", options.of.as_str());
    let Read { term, gives, .. } = measure::read(false, &program, library)?;
    let [map, point] =
        [("function", &options.map), ("point", &options.at)].map(|(name, text)| Source::new(name, text.as_str()));
    let (_, ty) = library.infer(&point)?;
    let ty = ty.with_real();
    for (what, ty) in [("the program gives", &gives), ("the point is", &ty)] {
        if !is_vector(ty) {
            return Err(Refusal::wrong(format!(
                "error: {what} of type {ty}, and a change of variables is for Real and for tuples of these"
            )));
        }
    }
    let map = library.infer_at(&map, &Ty::function(gives, ty.clone()))?;
    let point = library.infer_at(&point, &ty)?;
    let budget = Arc::new(limits.budget());
    let eps = accuracy.eps().cloned().unwrap_or_default();
    change(&term, &map, &point, &eps, &budget).map_err(|fault| match fault {
        ChangeFault::Measure(fault) => measure::refused(fault, &program, library),
        fault if fault.has_no_answer() => Refusal::nothing(format!("error: {fault}")),
        fault => Refusal::wrong(format!("error: {fault}")),
    })
}

/// Whether values are numbers, or tuples of numbers.
fn is_vector(ty: &Ty) -> bool {
    match ty.kind() {
        TyKind::Tuple(parts) => parts.iter().all(is_vector),
        _ => *ty == Ty::real(),
    }
}

struct Shown<'a> {
    options: &'a ChangeOptions,
    accuracy: &'a Accuracy,
}

impl Shown<'_> {
    fn status(&self, found: &Changed) -> Status {
        let own = found.densities.iter().map(|(_, density)| Status::of(density, self.accuracy));
        let nothing = (found.densities.is_empty() && found.why.is_some()).then_some(Status::Nothing);
        // what rests on something that was neither shown nor asked for is not reached
        let asked = usize::from(found.proved.is_none() && self.options.assume_injective);
        let unproved = (found.assumed.len() > asked).then_some(Status::Wide);
        Status::worst(own.chain(nothing).chain(unproved))
    }

    fn text(&self, found: &Enclosure) -> String {
        self.accuracy.decimals(found).to_string()
    }

    fn tuple(&self, numbers: &[Enclosure]) -> String {
        let all: Vec<String> = numbers.iter().map(|number| self.text(number)).collect();
        if all.len() == 1 { all[0].clone() } else { format!("({})", all.join(", ")) }
    }

    fn rows(&self, found: &Changed, streams: &mut Streams<'_>) -> io::Result<()> {
        if found.densities.is_empty() {
            let said = if found.why.is_some() { "not known" } else { "[0, 0]: the point lies outside of the support" };
            writeln!(streams.out, "density: {said}")?;
        }
        for (dimension, density) in &found.densities {
            writeln!(streams.out, "density: {} with respect to H^{dimension}", self.text(density))?;
        }
        for Part { dimension, from, before, factor, density } in &found.parts {
            let density = self.text(density);
            match (from, before, factor) {
                (Some(from), Some(before), Some(factor)) if *dimension > 0 => {
                    let (from, before, factor) = (self.tuple(from), self.text(before), self.text(factor));
                    writeln!(streams.out, "  from {from}, with the density {before} and the factor {factor}")?;
                }
                (Some(from), ..) => {
                    writeln!(streams.out, "  from the atom {}, with the mass {density}", self.tuple(from))?
                }
                _ if *dimension == 0 => {
                    writeln!(streams.out, "  from what is taken to one point, with the mass {density}")?
                }
                _ => writeln!(streams.out, "  {density} from what is partly forgotten, which is integrated over")?,
            }
        }
        Ok(())
    }

    fn json(&self, found: &Changed, status: Status) -> Json {
        let ends = |e: &Enclosure| {
            let ends = self.accuracy.decimals(e);
            json!({ "lo": ends.lo(), "hi": ends.hi() })
        };
        let densities = found.densities.iter().map(|(dimension, density)| {
            let mut object = ends(density);
            object["dimension"] = (*dimension).into();
            object
        });
        let parts = found.parts.iter().map(|part| {
            json!({
                "dimension": part.dimension, "density": ends(&part.density), "before": part.before.as_ref().map(ends),
                "factor": part.factor.as_ref().map(ends),
                "from": part.from.as_ref().map(|from| from.iter().map(ends).collect::<Vec<_>>()),
            })
        });
        json!({
            "version": JSON_VERSION, "question": self.options.map, "of": self.options.of, "at": self.options.at,
            "densities": densities.collect::<Vec<_>>(), "parts": parts.collect::<Vec<_>>(), "charts": found.charts,
            "injective": found.proved, "but_for": found.but_for, "assumed": found.assumed, "reached": status == Status::Reached, "why": found.why.filter(|_| status != Status::Reached),
        })
    }
}
