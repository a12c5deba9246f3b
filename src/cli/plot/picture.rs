//! Pictures as SVG and PNG files.

use crate::cli::{output, read};
use crate::plot::figure::Figure;
use crate::plot::png::{self, PngPage};
use crate::plot::svg;
use crate::session::Diagnostic;
use clap::builder::RangedI64ValueParser;
use clap::{Args, ValueEnum};
use std::io;
use std::path::Path;

/// Returns `true` for PNG, `false` for SVG, by the extension. Returns `None` for any other.
fn png_by_extension(path: &Path) -> Option<bool> {
    let extension = path.extension().and_then(|e| e.to_str()).map(str::to_ascii_lowercase);
    match extension.as_deref() {
        Some("svg") => Some(false),
        Some("png") => Some(true),
        _ => None,
    }
}

/// Returns the diagnostic of a picture that cannot be written.
fn unwritable_picture(path: &Path, error: &io::Error) -> Diagnostic {
    Diagnostic::invalid_input(format!(
        "error: {}: the picture cannot be written: {}",
        path.display(),
        read::io_reason(error)
    ))
}

/// Returns `true` if a file is to be PNG, `false` if SVG. Checks that it can be written.
///
/// # Errors
/// A [`Diagnostic`] for another extension, and for a place that cannot be written to.
pub fn check_path(path: &Path) -> Result<bool, Diagnostic> {
    let Some(is_png) = png_by_extension(path) else {
        let name = path.display();
        return Err(Diagnostic::invalid_input(format!("error: {name}: a picture is a file that ends in .svg or .png")));
    };
    output::check_writable(path).map_err(|e| unwritable_picture(path, &e))?;
    Ok(is_png)
}

/// The resolution and the background of a PNG file. An SVG file is scaled by its viewer, and has the ground of its
/// page.
#[derive(Clone, Copy, Debug, Args)]
pub struct PngSheet {
    /// PNG resolution, dots per inch: at 192, everything is twice as large as at 96
    #[arg(long, value_name = "N", requires = "output", value_parser = RangedI64ValueParser::<u32>::new().range(24..=1200))]
    dpi: Option<u32>,
    /// Background of a PNG file [default: white]
    #[arg(long, value_enum, value_name = "COLOUR", requires = "output")]
    background: Option<Background>,
}

/// The values of `--background`.
#[derive(Clone, Copy, Debug, ValueEnum)]
enum Background {
    /// For light pages
    White,
    /// For dark pages
    Black,
}

impl PngSheet {
    /// Returns the length in points, at the requested resolution, of a length at the usual one. Rounded up.
    #[must_use]
    pub fn points_of_length(self, length: u32) -> u32 {
        (f64::from(length) * f64::from(self.png_page().dpi) / f64::from(png::DEFAULT_DPI)).ceil() as u32
    }

    /// Returns the resolution and the background, with the defaults for those not given.
    fn png_page(self) -> PngPage {
        let ground = match self.background {
            None | Some(Background::White) => png::WHITE,
            Some(Background::Black) => png::BLACK,
        };
        PngPage { dpi: self.dpi.unwrap_or(png::DEFAULT_DPI), ground }
    }
}

/// Like [`check_path`], but also refuses options that the format does not have.
///
/// # Errors
/// As [`check_path`]; a [`Diagnostic`] for an SVG file with `--dpi` or `--background`.
pub fn check_path_and_sheet(path: &Path, sheet: PngSheet) -> Result<bool, Diagnostic> {
    let is_png = check_path(path)?;
    let option = sheet.dpi.map(|_| "dpi").or(sheet.background.map(|_| "background"));
    match option.filter(|_| !is_png) {
        None => Ok(is_png),
        Some(option) => Err(Diagnostic::invalid_input(format!(
            "error: --{option} is of PNG files; an SVG file is as sharp at every size, and has the ground of the page it is on"
        ))),
    }
}

/// Writes a picture.
///
/// # Errors
/// A [`Diagnostic`] if the picture cannot be drawn or written.
pub fn write_picture(path: &Path, figure: &Figure, sheet: PngSheet) -> Result<(), Diagnostic> {
    // The extension was checked by [`check_path_and_sheet`] before the work began.
    let bytes = if png_by_extension(path) == Some(true) {
        png::render_png_on(figure, sheet.png_page()).map_err(|e| unwritable_picture(path, &io::Error::other(e)))?
    } else {
        svg::render_svg(figure).into_bytes()
    };
    output::write_atomically(path, &bytes).map_err(|e| unwritable_picture(path, &e))
}
