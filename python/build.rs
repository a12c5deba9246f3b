//! Builds nothing. Its dependency has the features that the library's own build gives it, so that what is built there serves here too.

fn main() {}
