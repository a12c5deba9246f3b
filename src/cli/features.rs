//! The command `features`: the features of each semantics, and of the language of each paper.

use super::arguments::OutputFormat;
use super::eval::JSON_VERSION;
use super::evaluator::TheorySession;
use super::status::Status;
use crate::law::features::{FEATURES, Feature, FeatureSubject};
use clap::Args;
use serde_json::json;
use std::io::{self, Write};

/// The options of `features`.
#[derive(Debug, Args)]
pub struct FeaturesOptions {
    /// Show the program of each feature, and its value
    #[arg(long, short)]
    pub verbose: bool,
    /// How results are printed
    #[command(flatten)]
    pub format: OutputFormat,
}

/// The least width of a column, in letters. A choice: short names stay apart.
const MIN_COLUMN_WIDTH: usize = 9;

/// Tests every feature in every semantics and language, and prints a table.
///
/// # Errors
/// Errors of writing to `out`.
pub fn run_features(options: &FeaturesOptions, library: &TheorySession, out: &mut dyn Write) -> io::Result<Status> {
    let all = FeatureSubject::all_subjects();
    let answers = |feature: &Feature| -> Vec<String> {
        all.iter().map(|asked| asked.support_of(feature, library.theories.library()).to_string()).collect()
    };
    // All answers come first: the width of a column depends on them.
    let table: Vec<Vec<String>> = FEATURES.iter().map(answers).collect();
    let width =
        |column: usize| table.iter().map(|row| row[column].chars().count()).max().unwrap_or(0).max(MIN_COLUMN_WIDTH);
    let widths: Vec<usize> = (0..all.len()).map(width).collect();
    let title = FEATURES.iter().map(|feature| feature.name.len()).max().unwrap_or_default();
    if !options.format.is_json() && !options.format.is_short() {
        let names: String =
            all.iter().zip(&widths).map(|(asked, width)| format!("  {:width$}", asked.name())).collect();
        writeln!(out, "{:title$}{}", "", names.trim_end())?;
    }
    for (feature, answers) in FEATURES.iter().zip(&table) {
        if options.format.is_json() {
            let answers: serde_json::Map<_, _> =
                all.iter().zip(answers).map(|(asked, answer)| (asked.name().to_owned(), json!(answer))).collect();
            let mut object = json!({
                "version": JSON_VERSION, "feature": feature.name, "program": feature.program, "answers": answers,
            });
            if let Some(program) = feature.language_program {
                object["of_language"] = json!(program);
            }
            writeln!(out, "{object}")?;
            continue;
        }
        let cells: String = answers.iter().zip(&widths).map(|(answer, width)| format!("  {answer:width$}")).collect();
        writeln!(out, "{:title$}{}", feature.name, cells.trim_end())?;
        if options.verbose {
            let (over, under) = feature.value;
            // The value is a fraction; a whole number is written without its denominator.
            let value = if under == 1 { over.to_string() } else { format!("{over}/{under}") };
            writeln!(out, "{:title$}  {value} = {}", "", feature.program)?;
            if let Some(program) = feature.language_program {
                writeln!(out, "{:title$}  of a language: {program}", "")?;
            }
        }
    }
    out.flush()?;
    Ok(Status::Reached)
}
