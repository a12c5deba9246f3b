//! The command `fragment`: the papers' calculi that contain a program.

use super::eval::JSON_VERSION;
use super::evaluator::TheorySession;
use super::output::Streams;
use super::questions::QuestionArgs;
use super::status::Status;
use crate::model::fragment::{Fragment, FragmentError};
use crate::session::{Diagnostic, Limits};
use crate::syntax::source::SourceText;
use crate::trace::embed::check_fragment;
use clap::Args;
use clap::builder::{PossibleValuesParser, TypedValueParser};
use serde_json::json;
use std::io;
use std::io::Read;
use std::sync::Arc;

/// The options of `fragment`.
#[derive(Debug, Args)]
pub struct FragmentOptions {
    /// Refuse what is not in this fragment, with the place that stands in the way; without it, all are listed
    #[arg(long = "in", value_name = "FRAGMENT", value_parser = fragment_parser())]
    pub within: Option<Fragment>,
    /// What is asked
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
        let position = |error: &FragmentError| library.locate(source, error.location());
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
