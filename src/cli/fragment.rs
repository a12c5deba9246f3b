//! The command `fragment`: the papers' calculi that contain a program.

use super::eval::JSON_VERSION;
use super::evaluator::Workbench;
use super::output::Streams;
use super::questions::Asked;
use super::status::Status;
use crate::model::fragment::{Fragment, FragmentError};
use crate::session::{Diagnostic, Limits};
use crate::syntax::source::Source;
use crate::trace::fragment::check;
use clap::Args;
use clap::builder::{PossibleValuesParser, TypedValueParser};
use serde_json::json;
use std::io::{self, Read};
use std::sync::Arc;

/// The options of `fragment`.
#[derive(Debug, Args)]
pub struct FragmentOptions {
    /// Refuse what is not in this fragment, with the place that stands in the way; without it, all are listed
    #[arg(long = "in", value_name = "FRAGMENT", value_parser = fragments())]
    pub within: Option<Fragment>,
    /// What is asked
    #[command(flatten)]
    pub asked: Asked,
}

/// Returns the parser of `--in`, which accepts the names of all fragments.
fn fragments() -> impl TypedValueParser<Value = Fragment> {
    PossibleValuesParser::new(Fragment::ALL.iter().map(|fragment| fragment.name())).map(|name| {
        let named = Fragment::ALL.iter().copied().find(|fragment| fragment.name() == name);
        named.expect("one of the possible values")
    })
}

/// The requested fragments. An error is the construct that keeps the program out of a fragment.
type Found = Vec<(Fragment, Result<(), FragmentError>)>;

/// Prints the fragments to which each expression belongs.
///
/// # Errors
/// As [`Asked::each`].
pub fn run(
    options: &FragmentOptions,
    library: &Workbench,
    limits: &Limits,
    input: &mut dyn Read,
    streams: &mut Streams<'_>,
) -> io::Result<Status> {
    let ask = |source: &Arc<Source>| found(options, library, source);
    options.asked.each(limits, input, streams, ask, |source, found, streams| {
        let position = |error: &FragmentError| library.position(source, error.place());
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
fn found(options: &FragmentOptions, library: &Workbench, source: &Arc<Source>) -> Result<Found, Diagnostic> {
    let (term, _) = library.infer(source)?;
    match options.within {
        None => Ok(Fragment::ALL.iter().map(|fragment| (*fragment, check(*fragment, &term))).collect()),
        // With `--in` a program outside of the fragment is a wrong question, not an answer.
        Some(fragment) => {
            check(fragment, &term).map_err(|e| library.refusal_at(source, &e.to_string(), e.place()))?;
            Ok(vec![(fragment, Ok(()))])
        }
    }
}
