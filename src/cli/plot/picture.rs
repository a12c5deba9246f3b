//! Pictures as files.

use crate::cli::ask::Refusal;
use crate::cli::{output, read};
use crate::plot::figure::Figure;
use crate::plot::{png, svg};
use clap::builder::RangedI64ValueParser;
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
    Refusal::wrong(format!("error: {}: the picture cannot be written: {}", path.display(), read::reason(error)))
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

/// The same for a picture of so many points to an inch, which one of lines and letters has none of.
///
/// # Errors
/// As for [`kind`]; a number of points for an SVG file.
pub fn kind_at(path: &Path, dpi: Option<u32>) -> Result<bool, Refusal> {
    let is_png = kind(path)?;
    if dpi.is_some() && !is_png {
        return Err(Refusal::wrong(
            "error: --dpi is of PNG files, and this is an SVG file, which is as sharp at every size",
        ));
    }
    Ok(is_png)
}

/// The values of `--dpi`.
pub fn density() -> RangedI64ValueParser<u32> {
    RangedI64ValueParser::new().range(24..=1200)
}

/// How many points a length has that is so many at the usual number to an inch.
#[must_use]
pub fn points(length: u32, dpi: Option<u32>) -> u32 {
    (f64::from(length) * f64::from(dpi.unwrap_or(png::USUAL_DPI)) / f64::from(png::USUAL_DPI)).ceil() as u32
}

/// Writes a picture.
///
/// # Errors
/// As for [`kind`].
pub fn write(path: &Path, figure: &Figure, dpi: Option<u32>) -> Result<(), Refusal> {
    let bytes = if is_png(path) == Some(true) {
        png::render_at(figure, dpi.unwrap_or(png::USUAL_DPI)).map_err(|e| unwritable(path, &io::Error::other(e)))?
    } else {
        svg::render(figure).into_bytes()
    };
    output::write(path, &bytes).map_err(|e| unwritable(path, &e))
}
