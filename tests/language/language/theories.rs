//! The theories that come with the library, and theories that are wrong.

use smoothish::syntax::source::SourceText;
use smoothish::theory::builtin::{self, SOURCES};
use smoothish::theory::loader::TheoryCollection;
use smoothish::theory::{ClaimStatement, Theory};
use std::collections::BTreeSet;

/// No file of the folder is forgotten, none is missing.
#[test]
fn every_theory_of_the_folder_is_built_in() {
    let folder = concat!(env!("CARGO_MANIFEST_DIR"), "/theories");
    let files = std::fs::read_dir(folder).unwrap_or_else(|error| panic!("{folder}: {error}"));
    let found: BTreeSet<String> =
        files.flatten().map(|file| format!("theories/{}", file.file_name().to_string_lossy())).collect();
    let known: BTreeSet<String> = SOURCES.iter().map(|(name, _)| (*name).to_owned()).collect();
    assert_eq!(found, known);
}

#[test]
fn the_built_in_theories_load() {
    let theories = builtin::load_theories();
    assert_eq!(theories.theories().len(), SOURCES.len());
    for theory in theories.theories() {
        assert!(!theory.summary.is_empty() && !theory.citations.is_empty(), "{}", theory.name);
        assert!(theory.claims.len() + theory.laws.len() >= 15, "{}", theory.name);
        for claim in &theory.claims {
            assert!(!claim.because.is_empty(), "{}.{}", theory.name, claim.name);
        }
        for law in &theory.laws {
            assert!(law.because.as_ref().is_some_and(|why| !why.is_empty()), "{}.{}", theory.name, law.name);
        }
    }
    let names: Vec<&str> = theories.theories().iter().map(|theory| &*theory.name).collect();
    assert_eq!(names, smoothish::syntax::library::STANDARD);
}

/// Theories are read when one of their names is asked for, so they have to be found by every one: over the language alone,
/// in the order in which each sees those before it.
#[test]
fn every_definition_of_a_theory_is_found_by_its_name() {
    let mut eager = TheoryCollection::new();
    for (number, (file, text)) in SOURCES.iter().enumerate() {
        eager.load([SourceText::new(*file, *text)]).unwrap_or_else(|error| panic!("{}", error.render()));
        let module = &eager.library().modules()[number];
        let lazy = || builtin::library().module(module.name()).unwrap_or_else(|| panic!("{file}")).clone();
        assert!(text.contains(&format!("theory {}", module.name())), "{file}");
        assert_eq!(lazy().extends(), module.extends(), "{file}");
        for definition in module.definitions() {
            let found = lazy().find_definition(&definition.name).cloned();
            let found = found.unwrap_or_else(|| panic!("{file}: {}", definition.name));
            assert_eq!(found.term.to_string(), definition.term.to_string(), "{file}: {}", definition.name);
            assert_eq!(found.scheme.to_string(), definition.scheme.to_string(), "{file}: {}", definition.name);
        }
        for alias in module.named_types() {
            let found = lazy().find_named_type(&alias.name).map(ToString::to_string);
            assert_eq!(found, Some(alias.to_string()), "{file}: {}", alias.name);
        }
        assert_eq!(lazy().definitions().len(), module.definitions().len(), "{file}");
        assert_eq!(lazy().named_types().len(), module.named_types().len(), "{file}");
    }
}

/// The numbers that the paper prints for the ray tracer are claimed nowhere: they are wrong.
#[test]
fn the_printed_values_of_the_ray_tracer_are_not_claimed() {
    let theories = builtin::load_theories();
    let surface = theories.find_theory("Surface").map(|theory| theory.claims.as_slice()).unwrap_or_default();
    let claimed = surface.iter().filter_map(|claim| match &claim.statement {
        ClaimStatement::Within { low, .. } => Some(low.to_f64()),
        _ => None,
    });
    let claimed: Vec<f64> = claimed.collect();
    assert!(claimed.iter().any(|value| (value - 1.581_835_714_138_775_4).abs() < 1e-15));
    assert!(claimed.iter().any(|value| (value + 4.535_011_756_492_353).abs() < 1e-15));
    assert!(claimed.iter().all(|value| (value - 2.5873).abs() > 0.01 && (value - 1.348).abs() > 0.01));
}

fn load(texts: &[&str]) -> Result<Vec<Theory>, String> {
    let mut theories = TheoryCollection::new();
    let sources = texts.iter().enumerate().map(|(number, text)| SourceText::new(format!("file{number}"), *text));
    theories.load(sources).map_err(|error| error.render())?;
    Ok(theories.theories().to_vec())
}

#[test]
fn theories_are_loaded_after_those_that_they_extend() {
    let loaded = load(&[
        "theory Third extends Second let z = y + Second.y",
        "theory First let x = 1",
        "theory Second extends First let y = x + 1 claim c : y ~ 2 because \"1 + 1\"",
    ]);
    let names: Vec<String> = loaded.unwrap_or_default().iter().map(|theory| theory.name.to_string()).collect();
    assert_eq!(names, ["First", "Second", "Third"]);
}

#[test]
fn a_comment_just_before_a_definition_is_its_documentation() {
    let mut theories = TheoryCollection::new();
    let text = "theory A\n! Not this.\n\n! The first.\n! Line two.\nlet x = 1 ! nor this\nlet y = 2\n";
    assert_eq!(theories.load([SourceText::new("a", text)]), Ok(()));
    let docs: Vec<&str> =
        theories.library().modules()[0].definitions().iter().map(|definition| &*definition.doc).collect();
    assert_eq!(docs, ["The first.\nLine two.", ""]);
}

#[test]
fn a_theory_that_fails_leaves_nothing_behind() {
    let mut theories = TheoryCollection::new();
    assert!(theories.load([SourceText::new("a", "theory A let x = 1 let y = tt + 1")]).is_err());
    assert!(theories.library().modules().is_empty() && theories.theories().is_empty());
}
