//! Ctrl-C: the first one asks the running question for its best enclosure, the second one ends the program.

use std::io::{self, BufRead, Read};
use std::process;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

/// The exit status of a program that was ended by Ctrl-C, as shells expect it: 128 + SIGINT.
const INTERRUPTED_STATUS: i32 = 130;

/// `true` while the program waits for input, and no question runs that an interrupt could end.
static IS_READING: AtomicBool = AtomicBool::new(false);

/// A stream that may block. While it does, the first Ctrl-C ends the program.
#[derive(Debug)]
pub struct BlockingInput<R>(pub R);

/// Runs `read`, which may block, for instance on the other end of a pipe. Meanwhile the first Ctrl-C ends the program.
pub fn run_while_reading<T>(read: impl FnOnce() -> T) -> T {
    IS_READING.store(true, Ordering::Relaxed);
    let result = read();
    IS_READING.store(false, Ordering::Relaxed);
    result
}

impl<R: Read> Read for BlockingInput<R> {
    fn read(&mut self, into: &mut [u8]) -> io::Result<usize> {
        run_while_reading(|| self.0.read(into))
    }
}

impl<R: BufRead> BufRead for BlockingInput<R> {
    fn fill_buf(&mut self) -> io::Result<&[u8]> {
        run_while_reading(|| self.0.fill_buf())
    }

    fn consume(&mut self, count: usize) {
        self.0.consume(count);
    }
}

/// Returns a flag that the first Ctrl-C sets. If no handler can be installed, Ctrl-C ends the program as it does
/// without.
pub fn install_handler() -> Arc<AtomicBool> {
    let interrupted = Arc::new(AtomicBool::new(false));
    let flag = interrupted.clone();
    // An error means that another handler is installed already; then that one decides.
    let _ = ctrlc::set_handler(move || {
        // The second Ctrl-C, or one at an input: there is nothing to wait for.
        if flag.swap(true, Ordering::Relaxed) || IS_READING.load(Ordering::Relaxed) {
            process::exit(INTERRUPTED_STATUS);
        }
    });
    interrupted
}
