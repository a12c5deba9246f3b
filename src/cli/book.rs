//! The command `book`: the book as pages whose examples can be edited and run.
//!
//! | module | contents |
//! |---|---|
//! | [`example`] | questions in the chapters, with what is printed for them |
//! | [`confine`] | files and limits of a process that answers for a page |
//! | `pages` | the chapters inside of the program, rendered by mdBook |
//! | `markup` | live questions, names, and links to items of the papers |
//! | `formula` | formulas of LaTeX as MathML |
//! | `gate` | who may ask: hosts, cookies, tokens, and the content policy |
//! | `child` | the processes that answer, their queue and their ends |
//! | `server` | HTTP |
//!
//! The last six need the feature `book`, since mdBook brings a hundred crates. Without it the command says how to build it.

#[cfg(feature = "book")]
pub mod child;
pub mod confine;
pub mod example;
#[cfg(feature = "book")]
pub mod formula;
#[cfg(feature = "book")]
pub mod gate;
#[cfg(feature = "book")]
pub mod markup;
#[cfg(feature = "book")]
pub mod pages;
#[cfg(feature = "book")]
pub mod server;

use super::evaluator::TheorySession;
use super::status::{CommandError, Status};
use clap::Args;
use std::io::Write;
use std::path::PathBuf;
use std::sync::atomic::AtomicBool;

/// The options of `book`.
#[derive(Debug, Args)]
pub struct BookOptions {
    /// Chapter to open, by its name in addresses, such as plots [default: the first page]
    #[arg(value_name = "CHAPTER")]
    pub chapter: Option<String>,
    /// Port on this machine [default: a free one]
    #[arg(long, value_name = "N", default_value_t = 0, hide_default_value = true)]
    pub port: u16,
    /// Print the address only, and open no browser
    #[arg(long)]
    pub no_browser: bool,
    /// Write the pages to an empty folder instead, without run buttons, for any web server
    #[arg(long, value_name = "FOLDER", conflicts_with_all = ["chapter", "port", "no_browser"])]
    pub write: Option<PathBuf>,
}

/// Serves the book until Ctrl-C, or writes its pages.
///
/// # Errors
/// A refusal: the chapter is unknown, the port is taken, the folder is not empty or cannot be written. Errors of writing.
#[cfg(feature = "book")]
pub fn run_book(
    options: &BookOptions,
    library: &TheorySession,
    interrupted: &AtomicBool,
    out: &mut dyn Write,
    err: &mut dyn Write,
) -> Result<Status, CommandError> {
    use crate::session::Diagnostic;
    use crate::syntax::name::nearest_name;
    use gate::GateKeys;
    use pages::RenderedBook;
    use server::{BookServer, IDLE};

    let wrong = |what: String| Diagnostic::invalid_input(format!("error: {what}"));
    if let Some(folder) = &options.write {
        // mdBook empties the folder that it writes to, so files of somebody else must not be there.
        if std::fs::read_dir(folder).is_ok_and(|mut files| files.next().is_some()) || folder.is_file() {
            let message = format!("{} is not an empty folder", folder.display());
            return Err(wrong(message)
                .with_help("the pages are written to a folder that is empty or not there")
                .into());
        }
        pages::render_into(folder, library).map_err(|error| wrong(format!("{}: {error}", folder.display())))?;
        writeln!(out, "{}", folder.join("index.html").display())?;
        return Ok(Status::Reached);
    }
    let book = RenderedBook::render(library).map_err(|error| wrong(error.to_string()))?;
    let path = match &options.chapter {
        None => String::new(),
        Some(chapter) => match book.chapters().find(|known| known == chapter) {
            Some(known) => format!("{known}.html"),
            None => {
                let refusal = wrong(format!("the book has no chapter `{chapter}`"));
                let help = match nearest_name(chapter, book.chapters()) {
                    Some(near) => format!("did you mean `{near}`?"),
                    None => format!("the chapters are {}", book.chapters().collect::<Vec<_>>().join(", ")),
                };
                return Err(refusal.with_help(&help).into());
            }
        },
    };
    let listener = std::net::TcpListener::bind((std::net::Ipv4Addr::LOCALHOST, options.port))
        .map_err(|error| wrong(format!("port {}: {}", options.port, super::read::io_reason(&error))))?;
    let keys = GateKeys::new(listener.local_addr()?.port())
        .map_err(|error| wrong(format!("the system has no random numbers: {error}")))?;
    let server = BookServer::new(book, keys, std::env::current_exe()?, IDLE);
    let address = server.address(&path);
    writeln!(out, "{address}")?;
    out.flush()?;
    writeln!(err, "note: this address is for you alone; Ctrl-C ends the book")?;
    err.flush()?;
    if !options.no_browser {
        open_browser(&server.browser_address(&path));
    }
    server.serve(listener, interrupted)?;
    Ok(Status::Reached)
}

/// Opens an address in the browser, if the system knows how; the address is printed in any case.
#[cfg(feature = "book")]
fn open_browser(address: &str) {
    use std::process::{Command, Stdio};
    let program = match std::env::consts::OS {
        "macos" => "open",
        "windows" => "explorer",
        _ => "xdg-open",
    };
    let mut command = Command::new(program);
    command.arg(address).stdin(Stdio::null()).stdout(Stdio::null()).stderr(Stdio::null());
    // Without a browser the printed address is what there is.
    let _ = command.spawn();
}

/// Says how the program is built with the book.
///
/// # Errors
/// Always: this program has no pages.
#[cfg(not(feature = "book"))]
pub fn run_book(
    _options: &BookOptions,
    _library: &TheorySession,
    _interrupted: &AtomicBool,
    _out: &mut dyn Write,
    _err: &mut dyn Write,
) -> Result<Status, CommandError> {
    use crate::session::Diagnostic;
    let refusal = Diagnostic::invalid_input("error: this program is built without the pages of the book");
    let help = "build it with them: cargo run --release --features book -- book";
    Err(refusal.with_help(help).into())
}
