//! Confinement: the files that a run for a page may name, and the limits of its process.
//!
//! A page of the book is edited by whoever has it open, and its questions come through a browser. So a run may name a file
//! only inside of the fresh folder that it is started in, and must not outgrow its memory or its time.
//! [`Command::files`] is the one list of the options that name files.

use crate::cli::arguments::{Command, TuningArgs};
use crate::cli::questions::{QuestionArgs, QuestionText};
use crate::cli::status::CommonArgs;
use crate::session::Diagnostic;
use std::fs;
use std::path::{Component, Path, PathBuf};

/// A file that a command line names.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum FileUse<'a> {
    /// The command reads it.
    Read(&'a Path),
    /// The command creates or replaces it.
    Write(&'a Path),
}

/// The reason why a command is not run for a page, as the end of a sentence.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct NotOnPages(pub &'static str);

/// The reason of commands that test the program itself.
const WORKS_FOR_MINUTES: NotOnPages = NotOnPages("it works for minutes");
/// The reason of commands that set up a shell or a manual.
const ANSWERS_NOTHING: NotOnPages = NotOnPages("it answers no question");

/// Returns the files that questions name: theories to load, and files with a question.
fn question_files(asked: &QuestionArgs) -> impl Iterator<Item = FileUse<'_>> {
    let questions = asked.questions.0.iter().filter_map(|question| match question {
        QuestionText::File(path) => Some(FileUse::Read(path)),
        QuestionText::Text(_) | QuestionText::Input => None,
    });
    read_uses(&asked.load).chain(questions)
}

/// Returns files that are read.
fn read_uses(paths: &[PathBuf]) -> impl Iterator<Item = FileUse<'_>> {
    paths.iter().map(|path| FileUse::Read(path))
}

impl Command {
    /// Returns the files that the command names.
    ///
    /// # Errors
    /// [`NotOnPages`] if the command is not run for a page at all.
    pub fn files(&self) -> Result<Vec<FileUse<'_>>, NotOnPages> {
        // Every command is named: a new one does not compile before it has told its files.
        Ok(match self {
            Command::Demo | Command::Doc(_) | Command::Features(_) => Vec::new(),
            Command::Eval(options) => question_files(&options.asked).chain(tuning_files(&options.search)).collect(),
            Command::Agree(options) => question_files(&options.asked).chain(tuning_files(&options.search)).collect(),
            Command::Tuning(options) => tuning_files(&options.search).collect(),
            Command::Derive(options) => question_files(&options.asked).collect(),
            Command::Trace(options) => question_files(&options.asked).collect(),
            Command::Audit(options) => {
                let own = options.claims_file.iter().chain(&options.rules).map(|path| FileUse::Read(path));
                question_files(&options.asked).chain(tuning_files(&options.search)).chain(own).collect()
            }
            Command::Fragment(options) => question_files(&options.asked).collect(),
            Command::Pieces(options) => {
                let written = options.output.iter().map(|path| FileUse::Write(path));
                question_files(&options.asked).chain(tuning_files(&options.search)).chain(written).collect()
            }
            Command::Plot(options) => {
                setting_files(&options.setting).chain(options.output.iter().map(|path| FileUse::Write(path))).collect()
            }
            Command::Render(options) => {
                setting_files(&options.setting).chain(options.output.iter().map(|path| FileUse::Write(path))).collect()
            }
            Command::Evidence(options) => setting_files(&options.measure.setting).collect(),
            Command::Expect(options) => setting_files(&options.measure.setting).collect(),
            Command::Estimators(options) => setting_files(&options.setting).collect(),
            Command::Pushforward(options) => setting_files(&options.setting).collect(),
            Command::Infer(options) => setting_files(&options.setting).collect(),
            Command::Table(options) => read_uses(&options.load).chain(tuning_files(&options.search)).collect(),
            Command::Theorem(options) => options.macro_file.iter().map(|path| FileUse::Read(path)).collect(),
            Command::Fmt(options) => read_uses(&options.files).collect(),
            Command::Check(options) if options.watch => return Err(NotOnPages("it waits for changes of files")),
            // The name of a theory that comes with the program is no file; `check` prefers a file of the same name.
            Command::Check(options) => options.theories.iter().map(|name| FileUse::Read(Path::new(name))).collect(),
            // A page has its own prompt, and speaks to it in JSON.
            Command::Repl(options) if options.json => {
                let loaded = read_uses(&options.load).chain(read_uses(&options.files));
                loaded.chain(tuning_files(&options.search)).collect()
            }
            Command::Repl(_) => return Err(NotOnPages("it needs a terminal")),
            Command::Book(_) => return Err(NotOnPages("this is a page of it")),
            Command::Mutants(_) | Command::Campaign(_) | Command::Adequacy(_) | Command::Fuzz(_) => {
                return Err(WORKS_FOR_MINUTES);
            }
            Command::Completions { .. } | Command::Man { .. } => return Err(ANSWERS_NOTHING),
        })
    }

    /// Checks that the command names files of the current folder only, and makes the folders of those it writes.
    ///
    /// # Errors
    /// A [`Diagnostic`] for the first file elsewhere, and for a command that is not run for a page.
    pub fn check_confined(&self, is_built_in: impl Fn(&str) -> bool) -> Result<(), Diagnostic> {
        let wrong = |what: String| Diagnostic::invalid_input(format!("error: {what}"));
        let files =
            self.files().map_err(|NotOnPages(why)| wrong(format!("a page does not run this command: {why}")))?;
        for file in files {
            match file {
                FileUse::Read(path) if matches!(self, Command::Check(_)) && is_built_in(&path.to_string_lossy()) => {}
                FileUse::Read(path) => check_readable(path)?,
                FileUse::Write(path) if is_inside(path) => {
                    // As in `-o pictures/kink.svg`, which the chapters write: the folder of the run is empty.
                    let folder = path.parent().unwrap_or(Path::new(""));
                    fs::create_dir_all(folder).map_err(|error| wrong(format!("{}: {error}", folder.display())))?;
                }
                FileUse::Write(path) => {
                    let path = path.display();
                    return Err(wrong(format!(
                        "a page writes no file elsewhere: {path}\n  = help: -o NAME shows it here"
                    )));
                }
            }
        }
        Ok(())
    }
}

/// Returns the files of common options.
fn setting_files(setting: &CommonArgs) -> impl Iterator<Item = FileUse<'_>> {
    read_uses(&setting.load).chain(tuning_files(&setting.search))
}

/// Returns the file with limits of the searches.
fn tuning_files(search: &TuningArgs) -> impl Iterator<Item = FileUse<'_>> {
    search.tuning.iter().map(|path| FileUse::Read(path))
}

/// Checks that a confined process may read a file: one of the page's theories, which lie in its folder.
///
/// # Errors
/// A [`Diagnostic`] if the path leads out of the current folder, or there is no such file in it.
pub fn check_readable(path: &Path) -> Result<(), Diagnostic> {
    // A link could lead elsewhere, so what it points to does not count.
    let is_file = is_inside(path) && fs::symlink_metadata(path).is_ok_and(|data| data.is_file());
    if is_file {
        return Ok(());
    }
    let shown = path.display();
    Err(Diagnostic::invalid_input(format!("error: a page reads no files but its own theories: {shown}")))
}

/// The names of the longest path that a page may write. A choice: folders in folders take time to remove.
const LONGEST_PATH: usize = 8;

/// Returns `true` if a path leads into the current folder by its names alone, of which there are few.
#[must_use]
pub fn is_inside(path: &Path) -> bool {
    (1..=LONGEST_PATH).contains(&path.components().count())
        && path.components().all(|part| matches!(part, Component::Normal(_)))
}

/// The memory that a confined process may map, in bytes. A choice: four times of what messages promise, for stacks and caches.
#[cfg(all(feature = "book", target_os = "linux"))]
const ADDRESS_SPACE: u64 = 4 << 30;
/// The greatest file that a confined process may write, in bytes. A choice: beyond every picture of the book.
#[cfg(all(feature = "book", unix))]
const FILE_BYTES: u64 = 64 << 20;

/// Limits this process: its time on the processor in seconds, and the size of its files; on Linux its memory as well, and there it
/// ends with the server that has started it.
///
/// # Errors
/// A [`Diagnostic`] if the system refuses a limit: then nothing may be run.
#[cfg(all(feature = "book", unix))]
pub fn limit_process(cpu_seconds: u64) -> Result<(), Diagnostic> {
    use nix::sys::resource::{Resource, setrlimit};
    let limits = [
        // Elsewhere every process maps more than that from its beginning, or the limit has another meaning.
        #[cfg(target_os = "linux")]
        (Resource::RLIMIT_AS, ADDRESS_SPACE),
        (Resource::RLIMIT_CPU, cpu_seconds),
        (Resource::RLIMIT_FSIZE, FILE_BYTES),
        // A core file would hold the memory of the process, beside the answers.
        (Resource::RLIMIT_CORE, 0),
    ];
    let refused =
        |error| Diagnostic::invalid_input(format!("error: the system sets no limit for this process: {error}"));
    for (resource, limit) in limits {
        setrlimit(resource, limit, limit).map_err(refused)?;
    }
    #[cfg(target_os = "linux")]
    nix::sys::prctl::set_pdeathsig(nix::sys::signal::Signal::SIGKILL).map_err(refused)?;
    Ok(())
}

/// Limits nothing: without the feature `book` nothing starts confined processes, and elsewhere the system has no such limits.
///
/// # Errors
/// None.
#[cfg(not(all(feature = "book", unix)))]
pub fn limit_process(_cpu_seconds: u64) -> Result<(), Diagnostic> {
    Ok(())
}
