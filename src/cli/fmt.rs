//! The command `fmt`: lays out the texts of theories.

use super::arguments::FmtOptions;
use super::output;
use super::read;
use super::status::Status;
use crate::session::Diagnostic;
use crate::syntax::report;
use crate::syntax::source::Source;
use crate::theory::layout::layout;
use std::io::{self, Read, Write};
use std::path::Path;

/// Lays out every file. With `--check` names the files that are not laid out. `-` is the input, laid out on `out`.
///
/// # Errors
/// Errors of writing to `out` or `err`.
pub fn run(options: &FmtOptions, input: &mut dyn Read, out: &mut dyn Write, err: &mut dyn Write) -> io::Result<Status> {
    let mut worst = Status::default();
    for path in &options.files {
        let source = match &**path == Path::new("-") {
            true => read::text("the input", input)?.map(|text| Source::new("the input", text)),
            false => read::theory(path),
        };
        let status = match source.and_then(|source| laid_out(options, path, &source, out)) {
            Ok(written) => written?,
            Err(refusal) => {
                writeln!(err, "{}", refusal.report())?;
                Status::from(refusal.kind)
            }
        };
        worst = Status::worst([worst, status]);
    }
    out.flush()?;
    Ok(worst)
}

/// Lays out one theory. The outer error is that of the text or of its file, the inner one that of `out`.
fn laid_out(
    options: &FmtOptions,
    path: &Path,
    source: &Source,
    out: &mut dyn Write,
) -> Result<io::Result<Status>, Diagnostic> {
    // A text that does not parse is not touched.
    let text = layout(&source.text).map_err(|e| Diagnostic::wrong(report::render(source, &e.into()).trim_end()))?;
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
        let failed = |e: io::Error| Diagnostic::wrong(format!("error: {}: {}", source.name, read::reason(&e)));
        output::write(path, text.as_bytes()).map_err(failed)?;
    }
    Ok(Ok(Status::Reached))
}
