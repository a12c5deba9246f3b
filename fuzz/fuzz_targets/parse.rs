//! Any bytes for the parser.
#![no_main]

use libfuzzer_sys::fuzz_target;
use smoothish::law::fuzz::FuzzTarget;
use smoothish::syntax::library::Library;

fuzz_target!(|bytes: &[u8]| {
    FuzzTarget::Parse.run_input(&Library::new(), bytes);
});
