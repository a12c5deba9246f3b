//! Of `cli::repl::history`, where paths are those of Unix.
#![cfg(unix)]

use smoothish::cli::repl::editor::history_path;
use std::ffi::OsString;

#[test]
fn the_history_is_where_the_environment_says() {
    let path = |set: &[(&str, &str)]| {
        let variable = |name: &str| set.iter().find(|(n, _)| *n == name).map(|(_, value)| OsString::from(value));
        history_path(variable).map(|path| path.display().to_string())
    };
    assert_eq!(path(&[]), None);
    assert_eq!(path(&[("HOME", "")]), None);
    assert_eq!(path(&[("HOME", "/h")]).as_deref(), Some("/h/.local/state/smoothish/history"));
    assert_eq!(path(&[("HOME", "/h"), ("XDG_STATE_HOME", "/s")]).as_deref(), Some("/s/smoothish/history"));
    assert_eq!(path(&[("HOME", "/h"), ("XDG_STATE_HOME", "s")]).as_deref(), Some("/h/.local/state/smoothish/history"));
    assert_eq!(path(&[("HOME", "/h"), ("SMOOTHISH_HISTORY", "f")]).as_deref(), Some("f"));
    assert_eq!(path(&[("HOME", "/h"), ("SMOOTHISH_HISTORY", "")]), None);
}
