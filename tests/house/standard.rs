//! Which theories come with the library is said twice, since messages are made where theories are not known.

use smoothish::syntax::library::{STANDARD, is_standard};
use smoothish::theory::builtin;

#[test]
fn the_standard_modules_are_the_theories_that_come_with_the_library() {
    let theories = builtin::load_theories();
    let names: Vec<&str> = theories.library().modules().iter().map(|module| &**module.name()).collect();
    assert_eq!(names, STANDARD);
    assert!(is_standard("Rounding") && !is_standard("Own"));
}
