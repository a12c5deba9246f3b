//! The command line, the prompt and the pictures, as processes.

mod cli;
mod endless;
mod plot;
mod repl;
mod table;
mod units;
