//! The option `campaign --models`: random probabilistic programs, against samples and quadrature.

use super::super::arguments::CampaignOptions;
use super::super::eval::JSON_VERSION;
use super::super::status::Status;
use crate::law::measure::ModelTally;
use crate::session::Limits;
use crate::session::Session;
use serde_json::json;
use std::io::{self, IsTerminal, Write};

/// Tests the programs, and prints the counts.
///
/// # Errors
/// Errors of writing.
pub fn run_model_campaign(
    options: &CampaignOptions,
    limits: &Limits,
    out: &mut dyn Write,
    err: &mut dyn Write,
) -> io::Result<Status> {
    let session = Session::new();
    let read = |text: &str| session.infer(text).ok().map(|(term, _)| term);
    let mut tally = ModelTally::default();
    let shows = io::stderr().is_terminal();
    for index in options.from..options.from.saturating_add(options.programs) {
        if limits.is_interrupted() {
            break;
        }
        tally.add_model(options.seed, index, &read);
        if shows {
            write!(err, "\r\x1b[K{} of {}, {} refuted", tally.models, options.programs, tally.refuted.len())?;
            err.flush()?;
        }
    }
    if shows {
        write!(err, "\r\x1b[K")?;
    }
    let ModelTally { models, decided, refuted, features } = &tally;
    if options.format.is_json() {
        let told: Vec<_> =
            refuted.iter().map(|(index, verdict)| json!({ "index": index, "what": verdict.to_string() })).collect();
        let features: serde_json::Map<_, _> =
            ModelTally::FEATURES.iter().zip(features).map(|(what, count)| ((*what).to_owned(), json!(count))).collect();
        let whole = json!({
            "version": JSON_VERSION, "summary": "models", "seed": options.seed, "from": options.from, "models": models,
            "decided": decided, "refuted": told, "features": features,
        });
        writeln!(out, "{whole}")?;
    } else {
        for (index, verdict) in refuted {
            writeln!(out, "model {index}: {verdict}")?;
        }
        // An interrupted run may have counted no model; its shares are 0.
        let share = |n: u64| 100.0 * n as f64 / (*models).max(1) as f64;
        writeln!(out, "{models} models of seed {}: {} refuted", options.seed, refuted.len())?;
        writeln!(out, "{:>6.1} %  with a mass and a mean that are decided", share(*decided))?;
        for (what, count) in ModelTally::FEATURES.iter().zip(features) {
            writeln!(out, "{:>6.1} %  {what}", share(*count))?;
        }
    }
    out.flush()?;
    // Undecided programs alone are no success: nothing was compared.
    Ok(match (refuted.is_empty(), *decided) {
        (false, _) => Status::Refuted,
        (true, 0) => Status::Nothing,
        (true, _) => Status::Reached,
    })
}
