//! `smoothish features`: what each meaning has, and the language of each paper.

use super::arguments::Format;
use super::eval::JSON_VERSION;
use super::status::Status;
use crate::law::features::{Asked, FEATURES};
use clap::Args;
use serde_json::json;
use std::io::{self, Write};

/// What `features` is asked.
#[derive(Debug, Args)]
pub struct FeaturesOptions {
    /// Show the program of each feature, and its value
    #[arg(long, short)]
    pub verbose: bool,
    /// How results are printed
    #[command(flatten)]
    pub format: Format,
}

/// Asks for every feature, and prints a table.
///
/// # Errors
/// What writing to `out` fails with.
pub fn run(options: &FeaturesOptions, out: &mut dyn Write) -> io::Result<Status> {
    let all = Asked::all();
    let title = FEATURES.iter().map(|feature| feature.name.len()).max().unwrap_or_default();
    if !options.format.is_json() && !options.format.is_short() {
        let names: String = all.iter().map(|asked| format!("  {:9}", asked.name())).collect();
        writeln!(out, "{:title$}{}", "", names.trim_end())?;
    }
    for feature in FEATURES {
        let answers: Vec<_> = all.iter().map(|asked| (asked.name(), asked.has(feature))).collect();
        if options.format.is_json() {
            let answers: serde_json::Map<_, _> =
                answers.iter().map(|(name, answer)| ((*name).to_owned(), json!(answer.to_string()))).collect();
            let object = json!({
                "version": JSON_VERSION, "feature": feature.name, "program": feature.program, "answers": answers,
            });
            writeln!(out, "{object}")?;
            continue;
        }
        let cells: String = answers.iter().map(|(_, answer)| format!("  {answer:9}")).collect();
        writeln!(out, "{:title$}{}", feature.name, cells.trim_end())?;
        if options.verbose {
            let (over, under) = feature.value;
            let value = if under == 1 { over.to_string() } else { format!("{over}/{under}") };
            writeln!(out, "{:title$}  {value} = {}", "", feature.program)?;
        }
    }
    out.flush()?;
    Ok(Status::Reached)
}
