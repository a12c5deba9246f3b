//! The file of the inputs of earlier sessions.

use std::ffi::OsString;
use std::path::PathBuf;

/// Returns the file of the history. `None` if no history is kept.
///
/// `SMOOTHISH_HISTORY` names the file; an empty value switches the history off. Otherwise it is `smoothish/history` in
/// the folder for the state of programs: `XDG_STATE_HOME`, or `.local/state` in `HOME`, or `LOCALAPPDATA`. If none of
/// these is set, there is no history.
#[must_use]
pub fn history_path(variable: impl Fn(&str) -> Option<OsString>) -> Option<PathBuf> {
    if let Some(file) = variable("SMOOTHISH_HISTORY") {
        return (!file.is_empty()).then(|| file.into());
    }
    // The XDG base directory specification ignores relative paths.
    let folder = |name: &str| variable(name).map(PathBuf::from).filter(|path| path.is_absolute());
    let state = folder("XDG_STATE_HOME")
        .or_else(|| folder("HOME").map(|home| home.join(".local").join("state")))
        .or_else(|| folder("LOCALAPPDATA"))?;
    Some(state.join("smoothish").join("history"))
}
