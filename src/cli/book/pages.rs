//! The pages of the book, as mdBook renders them.
//!
//! The chapters are part of the program, so that it shows them wherever it is installed. mdBook reads and writes folders: the
//! sources are written to a temporary one, which is removed as soon as the pages are in memory.

use super::example::find_blocks;
use super::markup::{ExplainedWords, to_live_page};
use crate::cli::evaluator::TheorySession;
use include_dir::{Dir, include_dir};
use mdbook_driver::MDBook;
use mdbook_driver::config::Config;
use std::collections::BTreeMap;
use std::path::Path;
use std::{fs, io};

/// The chapters, their pictures and the table of contents.
static CHAPTERS: Dir<'_> = include_dir!("$CARGO_MANIFEST_DIR/book/src");

/// The files beside the chapters, by their paths in the folder of the book. `book.toml` says where pages find them.
const BESIDE_CHAPTERS: &[(&str, &[u8])] = &[
    ("book.toml", include_bytes!("../../../book/book.toml")),
    ("language.js", include_bytes!("../../../book/language.js")),
    ("live.css", include_bytes!("../../../book/live.css")),
    ("live.js", include_bytes!("../../../book/live.js")),
];

/// An error of loading, rendering or writing the book.
#[derive(Debug, thiserror::Error)]
pub enum BookError {
    /// mdBook cannot load or render the sources.
    #[error("the book cannot be rendered: {0:#}")]
    Renderer(mdbook_driver::errors::Error),
    /// A folder cannot be read or written.
    #[error("{0}")]
    Folder(#[from] io::Error),
}

/// Returns the sources of the book, by their paths in its folder.
#[must_use]
pub fn embedded_sources() -> BTreeMap<String, &'static [u8]> {
    let mut sources: BTreeMap<String, &[u8]> =
        BESIDE_CHAPTERS.iter().map(|(path, bytes)| ((*path).to_owned(), *bytes)).collect();
    let mut folders = vec![&CHAPTERS];
    while let Some(folder) = folders.pop() {
        folders.extend(folder.dirs());
        // mdBook's paths have slashes on every system, as those of the embedded folder have.
        sources.extend(folder.files().map(|file| (format!("src/{}", file.path().to_string_lossy()), file.contents())));
    }
    sources
}

/// Renders the book into a folder, which is made if it is not there.
///
/// # Errors
/// [`BookError`]: the temporary folder or `into` cannot be written, or mdBook refuses the sources.
pub fn render_into(into: &Path, library: &TheorySession) -> Result<(), BookError> {
    let root = tempfile::Builder::new().prefix("smoothish-book-").tempdir()?;
    for (path, bytes) in embedded_sources() {
        let path = root.path().join(path);
        fs::create_dir_all(path.parent().unwrap_or(root.path()))?;
        fs::write(path, bytes)?;
    }
    fs::create_dir_all(into)?;
    let settings = fs::read_to_string(root.path().join("book.toml"))?;
    // Read from the text alone: mdBook's own loader would also take settings from the environment.
    let mut config: Config = settings.parse().map_err(BookError::Renderer)?;
    config.build.build_dir = std::path::absolute(into)?;
    let mut book = MDBook::load_with_config(root.path(), config).map_err(BookError::Renderer)?;
    let words = ExplainedWords::of_library(library);
    book.book.for_each_chapter_mut(|chapter| {
        let name = chapter.path.as_deref().and_then(Path::file_stem).unwrap_or_default().to_string_lossy();
        chapter.content = to_live_page(&name, &chapter.content, &words);
    });
    book.build().map_err(BookError::Renderer)
}

/// A file of the rendered book.
#[derive(Clone, Debug)]
pub struct BookFile {
    /// The media type.
    pub media_type: &'static str,
    /// The contents.
    pub bytes: Vec<u8>,
}

/// The rendered book in memory.
#[derive(Debug)]
pub struct RenderedBook {
    /// The files, by their paths with slashes, such as `plots.html`.
    pub files: BTreeMap<String, BookFile>,
    /// The theories that the pages define, by the names of the chapters: names and texts of files.
    pub theories: BTreeMap<String, Vec<(String, String)>>,
}

impl RenderedBook {
    /// Renders the book, and reads it back.
    ///
    /// # Errors
    /// As [`render_into`].
    pub fn render(library: &TheorySession) -> Result<Self, BookError> {
        let folder = tempfile::Builder::new().prefix("smoothish-pages-").tempdir()?;
        render_into(folder.path(), library)?;
        let mut files = BTreeMap::new();
        read_folder(folder.path(), "", &mut files)?;
        Ok(Self { files, theories: page_theories() })
    }

    /// Returns the names of the chapters, as they stand in addresses.
    pub fn chapters(&self) -> impl Iterator<Item = &str> {
        self.theories.keys().map(String::as_str)
    }
}

/// Returns the blocks `theory NAME` of every chapter.
fn page_theories() -> BTreeMap<String, Vec<(String, String)>> {
    let chapters = embedded_sources().into_iter().filter_map(|(path, bytes)| {
        let name = path.strip_prefix("src/")?.strip_suffix(".md")?.to_owned();
        let text = std::str::from_utf8(bytes).ok()?;
        let lines: Vec<&str> = text.lines().collect();
        let blocks = find_blocks(text).into_iter().filter_map(|(tag, start, end)| {
            Some((tag.strip_prefix("theory ")?.to_owned(), lines[start..end].join("\n") + "\n"))
        });
        (name != "SUMMARY").then(|| (name, blocks.collect()))
    });
    chapters.collect()
}

/// Reads all files below a folder. `prefix` is its path in the book.
fn read_folder(folder: &Path, prefix: &str, files: &mut BTreeMap<String, BookFile>) -> io::Result<()> {
    for entry in fs::read_dir(folder)? {
        let entry = entry?;
        let path = format!("{prefix}{}", entry.file_name().to_string_lossy());
        if entry.file_type()?.is_dir() {
            read_folder(&entry.path(), &format!("{path}/"), files)?;
        } else {
            files.insert(path.clone(), BookFile { media_type: media_type(&path), bytes: fs::read(entry.path())? });
        }
    }
    Ok(())
}

/// Returns the media type of a file by its name. Browsers are told not to guess another one.
#[must_use]
pub fn media_type(path: &str) -> &'static str {
    match path.rsplit('.').next().unwrap_or_default() {
        "html" => "text/html; charset=utf-8",
        "css" => "text/css; charset=utf-8",
        "js" => "text/javascript; charset=utf-8",
        "json" => "application/json",
        "svg" => "image/svg+xml",
        "png" => "image/png",
        "ico" => "image/x-icon",
        "woff2" => "font/woff2",
        "woff" => "font/woff",
        "csv" | "txt" => "text/plain; charset=utf-8",
        _ => "application/octet-stream",
    }
}
