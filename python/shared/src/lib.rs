//! Builds nothing: its build dependency has the features that the Python package gives it, so that what `cargo test` builds
//! serves there too.
