//! The command `fmt`: lays out the texts of theories.

use super::arguments::FmtOptions;
use super::status::Status;
use super::{output, read};
use crate::session::Diagnostic;
use crate::syntax::source;
use crate::syntax::source::SourceText;
use crate::theory::layout::layout;
use std::io;
use std::io::{Read, Write};
use std::path::Path;

/// Lays out every file. With `--check` names the files that are not laid out. `-` is the input, laid out on `out`.
///
/// # Errors
/// Errors of writing to `out` or `err`.
pub fn run_fmt(
    options: &FmtOptions,
    input: &mut dyn Read,
    out: &mut dyn Write,
    err: &mut dyn Write,
) -> io::Result<Status> {
    let mut worst = Status::default();
    for path in &options.files {
        let source = match &**path == Path::new("-") {
            true => read::read_text("the input", input)?.map(|text| SourceText::new("the input", text)),
            false => read::read_theory(path),
        };
        let status = match source.and_then(|source| lay_out_theory(options, path, &source, out)) {
            Ok(written) => written?,
            Err(refusal) => {
                writeln!(err, "{}", refusal.report())?;
                Status::from(refusal.kind)
            }
        };
        worst = Status::worst_of([worst, status]);
    }
    out.flush()?;
    Ok(worst)
}

/// Lays out one theory. The outer error is that of the text or of its file, the inner one that of `out`.
fn lay_out_theory(
    options: &FmtOptions,
    path: &Path,
    source: &SourceText,
    out: &mut dyn Write,
) -> Result<io::Result<Status>, Diagnostic> {
    // A text that does not parse is not touched.
    let text = layout(&source.text)
        .map_err(|e| Diagnostic::invalid_input(source::render_error(source, &e.into()).trim_end()))?;
    let same = *text == *source.text;
    if options.check {
        let status = if same { Status::Reached } else { Status::Refuted };
        let told = if same { Ok(()) } else { writeln!(out, "{} is not laid out", source.name) };
        return Ok(told.map(|()| status));
    }
    if path == Path::new("-") {
        return Ok(write!(out, "{text}").map(|()| Status::Reached));
    }
    // A file that is laid out already keeps its time of modification.
    if !same {
        let failed =
            |e: io::Error| Diagnostic::invalid_input(format!("error: {}: {}", source.name, read::io_reason(&e)));
        output::write_atomically(path, text.as_bytes()).map_err(failed)?;
    }
    Ok(Ok(Status::Reached))
}
