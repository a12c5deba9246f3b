//! Ctrl-C: the first asks the running question for the best it has, the second ends the program.

use std::process;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

/// What a shell expects of a program that was ended by Ctrl-C.
const ENDED: i32 = 130;

/// A flag that the first Ctrl-C sets. Where no handler can be installed, Ctrl-C ends the program, as it does without.
pub fn watch() -> Arc<AtomicBool> {
    let interrupted = Arc::new(AtomicBool::new(false));
    let flag = interrupted.clone();
    // The error says that another handler is installed already: then that one decides.
    let _ = ctrlc::set_handler(move || {
        if flag.swap(true, Ordering::Relaxed) {
            process::exit(ENDED);
        }
    });
    interrupted
}
