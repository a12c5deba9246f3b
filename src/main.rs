//! The command line of `smoothish`.
fn main() {}
