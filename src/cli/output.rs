//! Atomic writing of files, so that a reader finds the old contents or the new ones; and streams without readers.

use crate::session::Note;
use std::fs::{self, File, OpenOptions};
use std::io::{self, Write};
use std::path::{Path, PathBuf};
use std::process;

/// The exit status of a program that writes to a pipe without a reader, as shells expect it: 128 + SIGPIPE.
pub const BROKEN_PIPE_STATUS: u8 = 141;

/// The output streams of a command.
pub struct Streams<'s> {
    /// Answers.
    pub out: &'s mut dyn Write,
    /// Diagnostics and notes.
    pub err: &'s mut dyn Write,
}

impl Streams<'_> {
    /// Prints the notes on an answer, one line each.
    ///
    /// # Errors
    /// Errors of writing.
    pub fn print_notes(&mut self, notes: &[Note]) -> io::Result<()> {
        notes.iter().try_for_each(|note| writeln!(self.err, "note: {note}"))
    }
}

/// A stream whose reader may go away. Bytes written after that are lost, without an error.
#[derive(Debug)]
pub struct IgnoreBrokenPipe<W>(pub W);

impl<W: Write> Write for IgnoreBrokenPipe<W> {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        match self.0.write(bytes) {
            Err(e) if e.kind() == io::ErrorKind::BrokenPipe => Ok(bytes.len()),
            other => other,
        }
    }

    fn flush(&mut self) -> io::Result<()> {
        match self.0.flush() {
            Err(e) if e.kind() == io::ErrorKind::BrokenPipe => Ok(()),
            other => other,
        }
    }
}

/// Checks that [`write_atomically()`] can succeed, before the work is done: the folder exists, and the name is not that of a
/// folder.
///
/// # Errors
/// [`io::ErrorKind::NotFound`], [`io::ErrorKind::IsADirectory`].
pub fn check_writable(path: &Path) -> io::Result<()> {
    if path.is_dir() {
        return Err(io::Error::new(io::ErrorKind::IsADirectory, "this is a folder"));
    }
    let folder = parent_folder(path);
    if folder.is_dir() {
        return Ok(());
    }
    Err(io::Error::new(io::ErrorKind::NotFound, format!("there is no folder {}", folder.display())))
}

/// Returns the folder of a file, `.` for a bare name.
fn parent_folder(path: &Path) -> PathBuf {
    match path.parent() {
        Some(folder) if folder != Path::new("") => folder.to_owned(),
        _ => PathBuf::from("."),
    }
}

/// Writes a file beside its place, and moves it there when it is complete. A path that is no ordinary file, such as a
/// pipe, is written directly.
///
/// # Errors
/// Errors of the file system; then no partial file is left behind.
pub fn write_atomically(path: &Path, bytes: &[u8]) -> io::Result<()> {
    // A symbolic link is resolved first: renaming over it would replace the link instead of the file.
    let path = fs::canonicalize(path).unwrap_or_else(|_| path.to_owned());
    if path.exists() && !path.is_file() {
        return OpenOptions::new().write(true).open(&path)?.write_all(bytes);
    }
    let name = path.file_name().unwrap_or_default().to_string_lossy().into_owned();
    let part = parent_folder(&path).join(format!(".{name}.{}.part", process::id()));
    let written =
        File::create_new(&part).and_then(|mut file| file.write_all(bytes)).and_then(|()| fs::rename(&part, &path));
    if written.is_err() {
        // An error here means that the file was not created, and there is nothing to remove.
        let _ = fs::remove_file(&part);
    }
    written
}
