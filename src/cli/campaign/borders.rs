//! The option `campaign --borders`: random programs with borders and recursions, in all semantics that support them.

use super::super::arguments::CampaignOptions;
use super::super::eval::JSON_VERSION;
use super::super::status::Status;
use crate::law::pap::meanings::PiecesTally;
use crate::session::Limits;
use serde_json::json;
use std::io::{self, Write};

/// Tests the programs, and prints the counts.
///
/// # Errors
/// Errors of writing to `out`.
pub fn run_border_campaign(options: &CampaignOptions, limits: &Limits, out: &mut dyn Write) -> io::Result<Status> {
    let mut tally = PiecesTally::default();
    for index in options.from..options.from.saturating_add(options.programs) {
        if limits.is_interrupted() {
            break;
        }
        tally.add_program(options.seed, index);
    }
    let PiecesTally {
        programs,
        survived,
        vacuous,
        refuted,
        branching,
        recursive,
        nonconstant: moving,
        points,
        on_borders,
        set_derivatives: sets,
    } = &tally;
    if options.format.is_json() {
        let told: Vec<_> =
            refuted.iter().map(|(index, verdict)| json!({ "index": index, "what": verdict.to_string() })).collect();
        let whole = json!({
            "version": JSON_VERSION, "summary": "borders", "seed": options.seed, "from": options.from, "programs": programs,
            "survived": survived, "vacuous": vacuous, "refuted": told, "branching": branching, "recursive": recursive,
            "moving": moving, "points": points, "on_borders": on_borders, "sets": sets,
        });
        writeln!(out, "{whole}")?;
    } else {
        for (index, verdict) in refuted {
            writeln!(out, "program {index}: {verdict}")?;
        }
        // A run without points on borders divides by 1: its share is 0.
        let share = |n: u64, of: u64| 100.0 * n as f64 / of.max(1) as f64;
        writeln!(out, "{programs} programs of seed {}: {} refuted", options.seed, refuted.len())?;
        for (what, count, of) in [
            ("survived", survived, programs),
            ("vacuous", vacuous, programs),
            ("with a border", branching, programs),
            ("recursive", recursive, programs),
            ("with a derivative that is not 0, at a point", moving, programs),
            ("of the points on a border", on_borders, points),
            ("of these with a derivative for which presheaves have a set, and it is in it", sets, on_borders),
        ] {
            writeln!(out, "{:>6.1} %  {what}", share(*count, *of))?;
        }
    }
    out.flush()?;
    // Vacuous tests alone are no success: nothing was compared.
    Ok(match (refuted.is_empty(), *survived) {
        (false, _) => Status::Refuted,
        (true, 0) => Status::Nothing,
        (true, _) => Status::Reached,
    })
}
