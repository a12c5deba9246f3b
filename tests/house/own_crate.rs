//! The crate of the chapter on Rust: its `Cargo.toml` and its `main.rs`, as they stand there, beside this checkout.
//!
//! It is built without a network, with the versions and the profiles of this checkout and in its target folder, so that what
//! is built there of the dependencies, GMP above all, serves here too.

use std::fs;
use std::path::Path;
use std::process::Command;

/// The first block with this tag of the part of a text that begins with a heading.
fn block<'t>(text: &'t str, part: &str, tag: &str) -> &'t str {
    let (_, behind) = text.split_once(part).expect("the part is there");
    let (_, behind) = behind.split_once(&format!("```{tag}\n")).expect("the block is there");
    behind.split_once("```").expect("the block ends").0
}

/// What cargo says of a crate with this manifest and this program.
fn checked(name: &str, manifest: &str, program: &str) -> Result<(), String> {
    let root = Path::new(env!("CARGO_MANIFEST_DIR"));
    // of target/debug/deps/house-…
    let tests = std::env::current_exe().unwrap();
    let target = tests.ancestors().nth(3).expect("a target folder");
    let own = root.join("target").join("own-crate");
    let krate = own.join(name);
    fs::create_dir_all(krate.join("src")).unwrap();
    // `../smoothish`, as the manifest says
    let here = own.join("smoothish");
    if !here.exists() {
        #[cfg(unix)]
        std::os::unix::fs::symlink(root, &here).unwrap();
    }
    let (_, profile) =
        include_str!("../../Cargo.toml").split_once("[profile.dev.package.").expect("the profile is there");
    let (profile, _) = profile.split_once("[profile.test]").expect("the profile ends");
    let manifest = format!("{manifest}\n[workspace]\n\n[profile.dev.package.{profile}");
    fs::write(krate.join("Cargo.toml"), manifest).unwrap();
    fs::write(krate.join("src/main.rs"), program).unwrap();
    fs::copy(root.join("Cargo.lock"), krate.join("Cargo.lock")).unwrap();
    let mut cargo = Command::new(env!("CARGO"));
    cargo.args(["check", "--offline", "--quiet"]).current_dir(&krate).env("CARGO_TARGET_DIR", target);
    let done = cargo.output().expect("cargo runs");
    if done.status.success() { Ok(()) } else { Err(String::from_utf8_lossy(&done.stderr).into_owned()) }
}

/// Whoever wants certified derivatives compiles no law, no command line and no language.
#[test]
fn derivatives_alone_need_neither_laws_nor_a_terminal() {
    let mut cargo = Command::new(env!("CARGO"));
    cargo.args(["tree", "--offline", "--package", "smoothish-ad", "--edges", "normal", "--prefix", "none"]);
    let done = cargo.current_dir(env!("CARGO_MANIFEST_DIR")).output().expect("cargo runs");
    let tree = String::from_utf8(done.stdout).unwrap();
    let needs = |name: &str| tree.lines().any(|line| line.split(' ').next() == Some(name));
    assert!(needs("smoothish-ad") && needs("smoothish-number") && needs("rug"), "{tree}");
    for name in ["quickcheck", "clap", "rustyline", "frunk", "png", "smoothish-syntax", "smoothish-laws"] {
        assert!(!needs(name), "{name} is needed");
    }
}

/// Tests that take more than half a second: `cargo quick` passes them over.
mod slow {
    use super::*;

    #[cfg(unix)]
    #[test]
    fn the_crate_of_the_book_builds() {
        let chapter = include_str!("../../book/src/from-rust.md");
        let part = "## In a crate of your own";
        let (manifest, program) = (block(chapter, part, "toml"), block(chapter, part, "rust"));
        assert_eq!(checked("mine", manifest, program), Ok(()));
        // a feature that is not there, and a name that the library has not, are noticed
        let wrong = manifest.replace("default-features", "features = [\"gpu\"], default-features");
        assert!(checked("mine", &wrong, program).unwrap_err().contains("gpu"));
        let wrong = program.replace("gradient_enclosures", "gradient_of_old");
        assert!(checked("mine", manifest, &wrong).unwrap_err().contains("gradient_of_old"));
    }
}
