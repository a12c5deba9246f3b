//! The options common to several commands, and the errors that end a command.

use super::arguments::OutputFormat;
use crate::session::Diagnostic;
use crate::session::tolerance::Timeout;
use clap::Args;
use std::io;
use std::path::PathBuf;

/// Common options: the limit of time, the theories to load, and the output format.
#[derive(Debug, Args)]
pub struct CommonArgs {
    /// How many seconds it may take
    #[arg(long, value_name = "SECONDS", default_value_t, allow_hyphen_values = true)]
    pub timeout: Timeout,
    /// Load the theories of a file first; may be repeated
    #[arg(long, value_name = "FILE")]
    pub load: Vec<PathBuf>,
    /// How the answer is printed
    #[command(flatten)]
    pub format: OutputFormat,
}

/// An error that ended a command before it had printed its answer.
#[derive(Debug, thiserror::Error)]
pub enum CommandError {
    /// The question is wrong, or has no answer.
    #[error("{}", .0.report())]
    Refused(#[from] Diagnostic),
    /// Reading or writing failed.
    #[error(transparent)]
    Stream(#[from] io::Error),
}
