//! The command `features`: the features of each semantics, and of the language of each paper.
//!
//! # The command `fragment`
//!
//! The papers' calculi that contain a program.

use super::arguments::OutputFormat;
use super::eval::JSON_VERSION;
use super::evaluator::TheorySession;
use super::output::Streams;
use super::questions::QuestionArgs;
use super::status::Status;
use crate::law::features::{FEATURES, Feature, FeatureSubject};
use crate::model::fragment::{Fragment, FragmentError};
use crate::session::{Diagnostic, Limits};
use crate::syntax::source::SourceText;
use crate::trace::embed::check_fragment;
use clap::Args;
use clap::builder::{PossibleValuesParser, TypedValueParser};
use serde_json::json;
use std::io;
use std::io::{Read, Write};
use std::sync::Arc;

/// The options of `features`.
#[derive(Debug, Args)]
pub struct FeaturesOptions {
    /// Print the program of each feature, and its value
    #[arg(long, short)]
    pub verbose: bool,
    /// The output format
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

/// The options of `fragment`.
#[derive(Debug, Args)]
pub struct FragmentOptions {
    /// Test membership in one fragment, and report the first construct outside of it; without it, list all
    #[arg(long = "in", value_name = "FRAGMENT", value_parser = fragment_parser())]
    pub within: Option<Fragment>,
    /// The questions
    #[command(flatten)]
    pub asked: QuestionArgs,
}

/// Returns the parser of `--in`, which accepts the names of all fragments.
fn fragment_parser() -> impl TypedValueParser<Value = Fragment> {
    PossibleValuesParser::new(Fragment::ALL.iter().map(|fragment| fragment.name())).map(|name| {
        let named = Fragment::ALL.iter().copied().find(|fragment| fragment.name() == name);
        named.expect("one of the possible values")
    })
}

/// The requested fragments. An error is the construct that keeps the program out of a fragment.
type FragmentResults = Vec<(Fragment, Result<(), FragmentError>)>;

/// Prints the fragments to which each expression belongs.
///
/// # Errors
/// As [`QuestionArgs::ask_each`].
pub fn run_fragment(
    options: &FragmentOptions,
    library: &TheorySession,
    limits: &Limits,
    input: &mut dyn Read,
    streams: &mut Streams<'_>,
) -> io::Result<Status> {
    let ask = |source: &Arc<SourceText>| check_fragments(options, library, source);
    options.asked.ask_each(limits, input, streams, ask, |source, found, streams| {
        let position = |error: &FragmentError| library.format_position(source, error.location());
        if options.asked.format.is_json() {
            let object = |(fragment, found): &(Fragment, Result<(), FragmentError>)| {
                let (message, place) =
                    found.as_ref().err().map_or((None, None), |e| (Some(e.to_string()), position(e)));
                json!({ "fragment": fragment.name(), "holds": found.is_ok(), "message": message, "place": place })
            };
            let fragments: Vec<_> = found.iter().map(object).collect();
            let whole = json!({ "version": JSON_VERSION, "question": source.text, "fragments": fragments });
            writeln!(streams.out, "{whole}")?;
            return Ok(Status::Reached);
        }
        let width = found.iter().map(|(fragment, _)| fragment.name().len()).max().unwrap_or_default();
        for (fragment, found) in &found {
            let answer = match found {
                Ok(()) => "yes".to_owned(),
                Err(error) => {
                    let place = position(error).map(|place| format!("{place}: ")).unwrap_or_default();
                    format!("no   {place}{error}")
                }
            };
            writeln!(streams.out, "{:<width$}  {answer}", fragment.name())?;
        }
        Ok(Status::Reached)
    })
}

/// Checks one expression against the fragment of `--in`, or against all.
fn check_fragments(
    options: &FragmentOptions,
    library: &TheorySession,
    source: &Arc<SourceText>,
) -> Result<FragmentResults, Diagnostic> {
    let (term, _) = library.infer(source)?;
    match options.within {
        None => Ok(Fragment::ALL.iter().map(|fragment| (*fragment, check_fragment(*fragment, &term))).collect()),
        // With `--in` a program outside of the fragment is a wrong question, not an answer.
        Some(fragment) => {
            check_fragment(fragment, &term).map_err(|e| library.diagnose_at(source, &e.to_string(), e.location()))?;
            Ok(vec![(fragment, Ok(()))])
        }
    }
}
