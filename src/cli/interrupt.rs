//! Ctrl-C: the first asks the running question for the best it has, the second ends the program.

use std::io::{self, BufRead, Read};
use std::process;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

/// What a shell expects of a program that was ended by Ctrl-C.
const ENDED: i32 = 130;

/// Whether the program waits for input, and nothing else is to be ended.
static IS_READING: AtomicBool = AtomicBool::new(false);

/// A stream that may be waited for. While it is, the first Ctrl-C ends the program.
#[derive(Debug)]
pub struct Awaited<R>(pub R);

/// What may have to be waited for, such as the other end of a pipe.
pub fn awaited<T>(read: impl FnOnce() -> T) -> T {
    IS_READING.store(true, Ordering::Relaxed);
    let result = read();
    IS_READING.store(false, Ordering::Relaxed);
    result
}

impl<R: Read> Read for Awaited<R> {
    fn read(&mut self, into: &mut [u8]) -> io::Result<usize> {
        awaited(|| self.0.read(into))
    }
}

impl<R: BufRead> BufRead for Awaited<R> {
    fn fill_buf(&mut self) -> io::Result<&[u8]> {
        awaited(|| self.0.fill_buf())
    }

    fn consume(&mut self, count: usize) {
        self.0.consume(count);
    }
}

/// A flag that the first Ctrl-C sets. Where no handler can be installed, Ctrl-C ends the program, as it does without.
pub fn watch() -> Arc<AtomicBool> {
    let interrupted = Arc::new(AtomicBool::new(false));
    let flag = interrupted.clone();
    // The error says that another handler is installed already: then that one decides.
    let _ = ctrlc::set_handler(move || {
        if flag.swap(true, Ordering::Relaxed) || IS_READING.load(Ordering::Relaxed) {
            process::exit(ENDED);
        }
    });
    interrupted
}
