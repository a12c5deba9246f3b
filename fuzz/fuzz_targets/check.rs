//! Any bytes for type inference, with the definitions of the theories.
#![no_main]

use libfuzzer_sys::fuzz_target;
use smoothish::law::fuzz::FuzzTarget;
use smoothish::syntax::library::Library;
use smoothish::theory::builtin;
use std::sync::LazyLock;

static LIBRARY: LazyLock<Library> = LazyLock::new(builtin::library);

fuzz_target!(|bytes: &[u8]| {
    FuzzTarget::Check.run_input(&LIBRARY, bytes);
});
