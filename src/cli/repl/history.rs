//! Where the inputs of earlier sessions are kept.

use std::ffi::OsString;
use std::path::PathBuf;

/// The file of the history, `None` where none is to be kept.
///
/// `SMOOTHISH_HISTORY` names it; set to nothing, there is none. Otherwise it is `smoothish/history` in the folder for
/// the state of programs: `XDG_STATE_HOME`, or `.local/state` in `HOME`, or `LOCALAPPDATA`. Where none of these is set,
/// there is no history.
#[must_use]
pub fn path(variable: impl Fn(&str) -> Option<OsString>) -> Option<PathBuf> {
    if let Some(file) = variable("SMOOTHISH_HISTORY") {
        return (!file.is_empty()).then(|| file.into());
    }
    // The standard says that a relative path is to be ignored.
    let folder = |name: &str| variable(name).map(PathBuf::from).filter(|path| path.is_absolute());
    let state = folder("XDG_STATE_HOME")
        .or_else(|| folder("HOME").map(|home| home.join(".local").join("state")))
        .or_else(|| folder("LOCALAPPDATA"))?;
    Some(state.join("smoothish").join("history"))
}
