//! Pictures as files.

use crate::cli::ask::Refusal;
use crate::cli::output;
use crate::plot::figure::Figure;
use crate::plot::{png, svg};
use std::io;
use std::path::Path;

fn is_png(path: &Path) -> Option<bool> {
    let extension = path.extension().and_then(|e| e.to_str()).map(str::to_ascii_lowercase);
    match extension.as_deref() {
        Some("svg") => Some(false),
        Some("png") => Some(true),
        _ => None,
    }
}

fn unwritable(path: &Path, error: &io::Error) -> Refusal {
    Refusal::wrong(format!("error: {}: the picture cannot be written: {error}", path.display()))
}

/// Whether a file is to be PNG; else it is SVG.
///
/// # Errors
/// What a user is told of another name, and of a place that cannot be written to.
pub fn kind(path: &Path) -> Result<bool, Refusal> {
    let Some(is_png) = is_png(path) else {
        let name = path.display();
        return Err(Refusal::wrong(format!("error: {name}: a picture is a file that ends in .svg or .png")));
    };
    output::check(path).map_err(|e| unwritable(path, &e))?;
    Ok(is_png)
}

/// Writes a picture.
///
/// # Errors
/// As for [`kind`].
pub fn write(path: &Path, figure: &Figure) -> Result<(), Refusal> {
    let bytes = if is_png(path) == Some(true) {
        png::render(figure).map_err(|e| unwritable(path, &io::Error::other(e)))?
    } else {
        svg::render(figure).into_bytes()
    };
    output::write(path, &bytes).map_err(|e| unwritable(path, &e))
}
