//! The layers of `DESIGN.md`, held to: a layer imports only layers listed before it. And a few habits of the house
//! that are as cheap to check.

mod source;

use source::{Token, paths, tokens};
use std::fs;
use std::path::{Path, PathBuf};

/// Every folder or file at the top of `src`, lowest first. `lib.rs` and `main.rs`, which only list the layers, are none.
const LAYERS: &[&str] = &[
    "refs",
    "random",
    "stack",
    "parallel",
    "verdict",
    "failure",
    "function",
    "category",
    "number",
    "value",
    "smooth",
    "pieces",
    "presheaf",
    "diffeology",
    "syntax",
    "model",
    "meaning",
    "measure",
    "sampler",
    "trace",
    "wrong",
    "host",
    "law",
    "glue",
    "theory",
    "session",
    "audit",
    "prelude",
    "plot",
    "cli",
    "book",
];

/// Crates that are named in some layers only.
const HOMES: &[(&str, &[&str])] = &[
    ("rug", &["number"]),
    ("gmp_mpfr_sys", &["number"]),
    ("core_math", &["number"]),
    ("stacker", &["stack"]),
    ("typenum", &["smooth", "presheaf", "prelude"]),
    ("petgraph", &["smooth", "syntax", "theory"]),
    ("frunk", &["host"]),
    ("libm", &["law"]),
    ("anstream", &["cli"]),
    ("clap", &["cli"]),
    ("noto_sans_mono_bitmap", &["plot"]),
    ("clap_complete", &["cli"]),
    ("clap_mangen", &["cli"]),
    ("rustyline", &["cli"]),
    ("serde_json", &["smooth", "audit", "cli"]),
    ("ctrlc", &["cli"]),
];

/// The longest file that still reads as one chapter.
const LONGEST: usize = 450;

/// What is wrong with a file of `src`, given its path in `src`.
fn faults(file: &str, source: &str) -> Vec<String> {
    let mut faults = Vec::new();
    let mut fault = |line: usize, what: String| faults.push(format!("src/{file}:{line}: {what}"));

    let mut module: Vec<&str> = file.trim_end_matches(".rs").split('/').collect();
    module.pop_if(|last| *last == "mod");
    let name = module[0];
    let root = matches!(file, "lib.rs" | "main.rs");
    let layer = LAYERS.iter().position(|l| *l == name);
    if layer.is_none() && !root {
        fault(1, format!("`{name}` is no layer; give it a place in the list of tests/house/layers.rs"));
    }
    for (line, path) in paths(if root { &[] } else { &module }, source) {
        let shown = path.join("::");
        let Some(here) = layer else { break };
        match path.first().map(|first| LAYERS.iter().position(|l| l == first)) {
            Some(Some(there)) if there <= here => {}
            Some(Some(_)) => fault(line, format!("`{name}` imports `{shown}`, which lies above it")),
            _ => fault(line, format!("`{name}` imports `crate::{shown}`, which names no layer")),
        }
    }

    let tokens = tokens(source);
    for (i, &(line, token)) in tokens.iter().enumerate() {
        let Token::Word(word) = token else { continue };
        if let Some((_, homes)) = HOMES.iter().find(|(crate_name, _)| *crate_name == word)
            && !homes.contains(&name)
        {
            fault(line, format!("`{word}` is named outside {}", homes.join(" and ")));
        }
        let is_attribute =
            i >= 2 && tokens[i - 2].1 == Token::Mark('#') && tokens.get(i + 1).is_some_and(|t| t.1 == Token::Mark(']'));
        if word == "test" && is_attribute {
            fault(line, "a test, which is never compiled here".to_owned());
        }
        if matches!(word, "todo" | "unimplemented") && tokens.get(i + 1).is_some_and(|t| t.1 == Token::Mark('!')) {
            fault(line, format!("`{word}!` is left in"));
        }
    }
    for (i, text) in source.lines().enumerate() {
        if let Some(mark) = ["TODO", "FIXME", "XXX"].iter().find(|mark| text.contains(*mark)) {
            fault(i + 1, format!("a {mark} is left in"));
        }
    }
    let lines = source.lines().count();
    if lines > LONGEST {
        fault(LONGEST + 1, format!("{lines} lines; a file is one chapter, of at most {LONGEST}"));
    }
    faults
}

fn rust_files(folder: &Path, into: &mut Vec<PathBuf>) {
    for entry in fs::read_dir(folder).unwrap_or_else(|e| panic!("{}: {e}", folder.display())) {
        let path = entry.unwrap().path();
        if path.is_dir() {
            rust_files(&path, into);
        } else if path.extension().is_some_and(|e| e == "rs") {
            into.push(path);
        }
    }
}

#[test]
fn every_layer_imports_only_layers_below_it() {
    let src = Path::new(env!("CARGO_MANIFEST_DIR")).join("src");
    let mut files = Vec::new();
    rust_files(&src, &mut files);
    assert!(files.len() > 5, "src was not read");
    files.sort();
    let mut all = Vec::new();
    for path in files {
        let name = path.strip_prefix(&src).unwrap().to_str().unwrap().replace('\\', "/");
        all.extend(faults(&name, &fs::read_to_string(&path).unwrap()));
    }
    assert!(all.is_empty(), "{}", all.join("\n"));
}

#[test]
fn the_table_of_the_layers_lists_them() {
    let text = fs::read_to_string(Path::new(env!("CARGO_MANIFEST_DIR")).join("DESIGN.md")).unwrap();
    let (_, behind) = text.split_once("## Layers\n").expect("the section is there");
    let section = behind.split("\n## ").next().unwrap();
    let rows = section.lines().filter_map(|line| line.strip_prefix("| `")?.split_once('`').map(|(name, _)| name));
    // `book` is compiled for documentation tests only
    assert!(rows.eq(LAYERS.iter().copied().filter(|layer| *layer != "book")));
}

/// The files of `src` that a section of CONTRIBUTING.md lists.
fn listed(section: &str) -> Vec<String> {
    let text = fs::read_to_string(Path::new(env!("CARGO_MANIFEST_DIR")).join("CONTRIBUTING.md")).unwrap();
    let start = text.find(&format!("### {section}\n")).unwrap_or_else(|| panic!("no list for: {section}"));
    let list = text[start..].split("\n### ").next().unwrap();
    list.split('`').filter(|word| word.starts_with("src/") && word.ends_with(".rs")).map(str::to_owned).collect()
}

/// The files of `src` in which a word stands, comments aside.
fn files_with(word: &str) -> Vec<String> {
    let root = Path::new(env!("CARGO_MANIFEST_DIR"));
    let mut files = Vec::new();
    rust_files(&root.join("src"), &mut files);
    let mentions = |path: &PathBuf| {
        let source = fs::read_to_string(path).unwrap();
        tokens(&source).iter().any(|(_, token)| *token == Token::Word(word))
    };
    files.retain(mentions);
    files.iter().map(|path| path.strip_prefix(root).unwrap().to_str().unwrap().replace('\\', "/")).collect()
}

/// Names that no other part of the library has a use for: what they touch is what a new one touches.
#[test]
fn a_new_function_or_primitive_touches_what_contributing_lists() {
    for (section, least, most, names) in [
        ("An elementary function", 2, 8, &["Asinh", "Atanh", "Expm1", "Log1p"][..]),
        ("An elementary function of two variables", 3, 7, &["Atan2"]),
        ("A second-order primitive", 5, 10, &["FirstRoot"]),
    ] {
        let listed = listed(section);
        assert!(listed.len() <= most, "{section}: {listed:?}");
        for name in names {
            let files = files_with(name);
            assert!(files.len() >= least && files.iter().all(|file| listed.contains(file)), "{name}: {files:?}");
        }
    }
}

/// The enumerations of kinds of types: written, found, shared, and being found.
const KINDS_OF_TYPES: [&str; 4] = ["TyKind", "TypeExpressionKind", "TypeShape", "Node"];

#[test]
fn a_new_type_former_touches_what_contributing_lists() {
    let listed = listed("A type former");
    assert!(listed.len() <= 23, "{listed:?}");
    let root = Path::new(env!("CARGO_MANIFEST_DIR"));
    let mut met = Vec::new();
    for file in files_with("Iso") {
        let source = fs::read_to_string(root.join(&file)).unwrap();
        let words: Vec<_> = tokens(&source).into_iter().map(|(_, token)| token).collect();
        let is_named = words.windows(3).any(
            |w| matches!(w, [Token::Word(kind), Token::Separator, Token::Word("Iso")] if KINDS_OF_TYPES.contains(kind)),
        );
        let is_declared =
            words.windows(3).any(|w| matches!(w, [Token::Mark(','), Token::Word("Iso"), Token::Mark('(')]));
        if is_named || (is_declared && file.starts_with("src/syntax/")) {
            met.push(file);
        }
    }
    let missing: Vec<_> = met.iter().filter(|file| !listed.contains(file)).collect();
    assert!(met.len() >= 15 && missing.is_empty(), "{missing:?} of {met:?}");
    let needless: Vec<_> = listed.iter().filter(|file| !met.contains(file)).collect();
    assert!(needless.is_empty(), "{needless:?}");
}

#[test]
fn both_licences_are_here() {
    for (file, phrase) in [("LICENSE-MIT", "THE SOFTWARE IS PROVIDED \"AS IS\""), ("LICENSE-APACHE", "Apache License")]
    {
        let text = fs::read_to_string(Path::new(env!("CARGO_MANIFEST_DIR")).join(file)).unwrap_or_default();
        assert!(text.contains(phrase), "{file} does not hold its licence");
    }
}

// ---- the checker itself, on planted sources

#[track_caller]
fn is_refused(file: &str, source: &str, because: &str) {
    let faults = faults(file, source);
    assert!(!faults.is_empty() && faults.iter().all(|f| f.contains(because)), "{source}\n{faults:#?}");
}

#[track_caller]
fn is_accepted(file: &str, source: &str) {
    assert_eq!(faults(file, source), [""; 0], "{source}");
}

#[test]
fn an_import_that_goes_up_is_refused() {
    for source in [
        "use crate::syntax::Term;",
        "pub use crate::syntax::Term;",
        "pub(crate) use crate::{number::Real, syntax::{self as s, Term}};",
        "use crate::{\n    number,\n    syntax,\n};",
        "use super::super::syntax::Term;",
        "use super::{super::syntax, tower};",
        "use smoothish::syntax::*;",
        "fn f() -> crate::syntax::Term { panic!() }",
        "fn f() { let t = super::super::syntax::Term::<u8>::new(); }",
        "mod tests { use super::super::super::syntax::Term; }",
        "mod tests { mod deep {} use super::super::super::syntax::Term; }",
        "macro_rules! m { () => { $crate::syntax::Term } }",
        "pub(in crate::syntax) fn f() {}",
        "fn f() { g(\"//\", '\"', crate::syntax::X, '\"') }",
        "fn f<'a>(x: &'a str) -> crate::syntax::Term { r#\"\"#; }",
        "/* a /* nested */ comment */ use crate::syntax;",
    ] {
        is_refused("smooth/jet.rs", source, "lies above it");
    }
    is_refused("number.rs", "use super::smooth::Map;", "lies above it");
    is_refused("number/mod.rs", "use super::smooth::Map;", "lies above it");
    is_refused("smooth/solve/root.rs", "use super::super::super::presheaf::Stage;", "lies above it");
}

#[test]
fn every_leaf_of_a_use_is_read() {
    let source = "use crate::{syntax::{a, b::{c, d}}, number, host::*};";
    assert_eq!(faults("number.rs", source).len(), 4, "a, c, d and host go up; number does not");
    assert_eq!(faults("smooth.rs", "use crate::syntax;\n\nuse crate::host;")[1].split(':').nth(1), Some("3"));
}

#[test]
fn what_names_no_layer_is_refused() {
    is_refused("utils.rs", "", "is no layer");
    is_refused("smooth.rs", "use crate::utils::f;", "names no layer");
    is_refused("smooth.rs", "use crate::*;", "names no layer");
    is_refused("smooth.rs", "use crate as everything;", "names no layer");
    is_refused("smooth/jet.rs", "use super::super::*;", "names no layer");
}

#[test]
fn an_import_that_goes_down_or_stays_is_accepted() {
    for source in [
        "use crate::number::{Real, enclosure::Enclosure};\nuse super::tower::Tower;\nuse super::super::number;",
        "mod tests { use super::*; use super::super::tower::Tower; }",
        "/// As [`crate::syntax::Term`].\n// use crate::syntax;\n/* use crate::syntax; */ fn f() {}",
        "const S: &str = \"crate::syntax \\\" crate::syntax\"; const R: &[u8] = br##\"crate::syntax\"# crate::syntax\"##;",
        "use std::fmt::{self, Debug};\nuse ::std::io;\nfn f(&self) { self.x; smoothish_syntax::x(); a::crate_::b() }",
        "use crate::smooth;",
    ] {
        is_accepted("smooth/jet.rs", source);
    }
    is_accepted("lib.rs", "pub mod number;\npub use crate::syntax::Term;");
}

#[test]
fn a_crate_outside_its_home_is_refused() {
    is_refused("smooth/jet.rs", "use rug::Float;", "outside number");
    is_refused("number.rs", "fn f(x: typenum::U3) {}", "outside smooth and presheaf");
    is_refused("lib.rs", "pub use rug::Float;", "outside number");
    is_refused("syntax.rs", "use frunk::hlist as h;", "outside host");
    is_accepted("number/mpfr.rs", "use rug::{Float, float::Round};");
    is_accepted("smooth/jet.rs", "// not rug\nconst R: &str = \"rug\"; fn rugged() {}");
}

#[test]
fn what_should_not_be_left_in_is_refused() {
    is_refused("number.rs", "fn f() { todo!() }", "`todo!`");
    is_refused("number.rs", "#[test]\nfn f() {}", "never compiled");
    is_accepted("number.rs", "#[cfg(test)]\nfn test() { test[0]; }");
    is_refused("number.rs", "fn f() { unimplemented! {} }", "`unimplemented!`");
    is_refused("number.rs", &["// TO", "DO: later"].concat(), "is left in");
    is_refused("number.rs", &"\n".repeat(LONGEST + 1), "at most");
    is_accepted("number.rs", &"\n".repeat(LONGEST));
    is_accepted("number.rs", "fn todo() { todo(); }");
}
