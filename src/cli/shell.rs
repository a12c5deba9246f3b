//! The commands `print_completions` and `print_man_page`: the command line described for shells and manuals.

use super::arguments::Arguments;
use clap::CommandFactory;
use clap_complete::Shell;
use clap_mangen::Man;
use std::io::{self, Write};

/// The name of the program.
const NAME: &str = "smoothish";

/// Prints a script that completes command lines in a shell.
///
/// # Errors
/// Errors of writing to `out`.
pub fn print_completions(shell: Shell, out: &mut dyn Write) -> io::Result<()> {
    // Into memory first: clap's generator panics if the pipe is closed.
    let mut script = Vec::new();
    clap_complete::generate(shell, &mut Arguments::command(), NAME, &mut script);
    out.write_all(&script)
}

/// Prints the manual page of the program, or of one of its commands. Returns `None` if there is no such command.
///
/// # Errors
/// Errors of writing to `out`.
pub fn print_man_page(command: Option<&str>, out: &mut dyn Write) -> io::Result<Option<()>> {
    let mut program = Arguments::command();
    // clap fills in the derived help of subcommands only when it is built.
    program.build();
    let page = match command {
        None => program,
        Some(name) => match program.find_subcommand(name) {
            Some(found) => found.clone(),
            None => return Ok(None),
        },
    };
    let mut text = Vec::new();
    Man::new(page).render(&mut text)?;
    out.write_all(&text)?;
    Ok(Some(()))
}
