//! The layers of `DESIGN.md`, held to: a layer imports only layers listed before it. And a few habits of the house
//! that are as cheap to check.

mod hooks;
mod source;

use source::{Token, paths, tokens};
use std::fs;
use std::path::{Path, PathBuf};

/// The crates of the workspace, lowest first, each with the folders and files at the top of its `src`, lowest first. `lib.rs` and `main.rs`,
/// which only list the layers, are none. That no crate needs one above it is held by Cargo.
const CRATES: &[(&str, &[&str])] = &[
    ("number", &["refs", "random", "stack", "parallel", "verdict", "failure", "function", "number", "prelude"]),
    ("syntax", &["syntax", "prelude"]),
    ("ad", &["undefined", "category", "smooth", "pieces", "prelude"]),
    ("spaces", &["value", "presheaf", "diffeology", "prelude"]),
    ("semantics", &["simple", "model", "meaning", "prelude"]),
    ("measure", &["measure", "sampler", "prelude"]),
    ("trace", &["trace", "prelude"]),
    ("theory", &["theory", "prelude"]),
    ("edsl", &["host"]),
    ("plot", &["plot"]),
    ("laws", &["wrong", "law", "arbitrary", "glue", "theory"]),
    ("smoothish", &["theory", "session", "audit", "prelude", "cli", "book"]),
];

/// Files that walked over the operations of maps, each in its own way. What they did is a domain of `smooth/fold.rs`, or a part of
/// `smooth/asymptotic`, so none of them comes back.
const WALKS: &[&str] = &[
    "crates/ad/src/pieces/proof/range.rs",
    "crates/ad/src/smooth/degree.rs",
    "crates/ad/src/smooth/end.rs",
    "crates/ad/src/smooth/exponential.rs",
    "crates/ad/src/smooth/growth.rs",
    "crates/ad/src/smooth/puiseux.rs",
    "crates/ad/src/smooth/solve/degree.rs",
    "crates/measure/src/measure/change/injective/slopes.rs",
    "crates/measure/src/measure/change/interior.rs",
    "crates/measure/src/measure/cubature/line.rs",
    "crates/measure/src/measure/eliminate/form.rs",
    "crates/measure/src/measure/powers.rs",
    "crates/measure/src/measure/sign.rs",
    "crates/measure/src/measure/slope.rs",
];

#[test]
fn walks_over_maps_are_domains_of_the_fold() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR"));
    let back: Vec<_> = WALKS.iter().filter(|walk| root.join(walk).exists()).collect();
    assert!(back.is_empty(), "a walk of its own: {back:?}");
    assert!(root.join("crates/ad/src/smooth/fold.rs").exists(), "the fold is there");
}

/// Where the sources of a crate are, from the root of the workspace.
fn sources_of(name: &str) -> String {
    if name == "smoothish" { "src".to_owned() } else { format!("crates/{name}/src") }
}

/// The place of a layer that a file of a crate names: one of its own, or one of a crate below.
fn layer(of: &str, name: &str) -> Option<usize> {
    let all = || CRATES.iter().flat_map(|(krate, layers)| layers.iter().map(move |layer| (*krate, *layer)));
    let own = all().position(|(krate, layer)| krate == of && layer == name);
    own.or_else(|| all().take_while(|(krate, _)| *krate != of).position(|(_, layer)| layer == name))
        .or_else(|| all().position(|(_, layer)| layer == name))
}

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

/// What is wrong with a file of a crate, given its path in `src`.
fn faults(krate: &str, file: &str, source: &str) -> Vec<String> {
    let mut faults = Vec::new();
    let folder = sources_of(krate);
    let mut fault = |line: usize, what: String| faults.push(format!("{folder}/{file}:{line}: {what}"));

    let mut module: Vec<&str> = file.trim_end_matches(".rs").split('/').collect();
    module.pop_if(|last| *last == "mod");
    let name = module[0];
    let root = matches!(file, "lib.rs" | "main.rs");
    let own = CRATES.iter().any(|(other, layers)| *other == krate && layers.contains(&name));
    let place = if own { layer(krate, name) } else { None };
    if place.is_none() && !root {
        fault(1, format!("`{name}` is no layer; give it a place in the list of tests/house/layers.rs"));
    }
    for (line, path) in paths(if root { &[] } else { &module }, source) {
        let shown = path.join("::");
        let Some(here) = place else { break };
        match path.first().map(|first| layer(krate, first)) {
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

fn root() -> &'static Path {
    Path::new(env!("CARGO_MANIFEST_DIR"))
}

/// The sources of all crates.
pub fn all_sources() -> Vec<PathBuf> {
    CRATES.iter().flat_map(|(krate, _)| files_of(krate)).collect()
}

/// The sources of a crate.
fn files_of(krate: &str) -> Vec<PathBuf> {
    let mut files = Vec::new();
    rust_files(&root().join(sources_of(krate)), &mut files);
    files.sort();
    files
}

#[test]
fn every_layer_imports_only_layers_below_it() {
    let mut all = Vec::new();
    for (krate, layers) in CRATES {
        let files = files_of(krate);
        assert!(files.len() >= layers.len(), "{krate} was not read");
        let src = root().join(sources_of(krate));
        for path in files {
            let name = path.strip_prefix(&src).unwrap().to_str().unwrap().replace('\\', "/");
            all.extend(faults(krate, &name, &fs::read_to_string(&path).unwrap()));
        }
    }
    assert!(all.is_empty(), "{}", all.join("\n"));
}

/// The crates that a crate needs: all lie below it, as the table says, and every crate of the workspace is in the table.
#[test]
fn every_crate_needs_only_crates_below_it() {
    let mut folders: Vec<String> = fs::read_dir(root().join("crates"))
        .unwrap()
        .map(|entry| entry.unwrap().file_name().to_str().unwrap().to_owned())
        .collect();
    folders.sort();
    let mut listed: Vec<&str> = CRATES.iter().map(|(krate, _)| *krate).filter(|krate| *krate != "smoothish").collect();
    listed.sort_unstable();
    assert_eq!(folders, listed);
    for (place, (krate, _)) in CRATES.iter().enumerate() {
        let folder = if *krate == "smoothish" { root().to_owned() } else { root().join("crates").join(krate) };
        let manifest = fs::read_to_string(folder.join("Cargo.toml")).unwrap();
        let (_, behind) = manifest.split_once("\n[dependencies]\n").expect("its dependencies");
        let needed = behind.split("\n[").next().unwrap();
        for name in needed.lines().filter_map(|line| line.strip_prefix("smoothish-")?.split(['.', ' ']).next()) {
            let below = CRATES.iter().position(|(other, _)| *other == name);
            assert!(below.is_some_and(|below| below < place), "{krate} needs {name}");
        }
        // what nothing names is not needed; the one exception says which parts of a library of C are built
        let text: String = files_of(krate).iter().map(|path| fs::read_to_string(path).unwrap()).collect();
        for name in needed.lines().filter_map(|line| line.split(['.', ' ']).next().filter(|_| !line.starts_with('#'))) {
            let named = text.contains(&name.replace('-', "_"));
            assert!(named || name.is_empty() || name == "gmp-mpfr-sys", "{krate} does not need {name}");
        }
    }
}

#[test]
fn the_table_of_the_layers_lists_them() {
    let text = fs::read_to_string(root().join("DESIGN.md")).unwrap();
    let (_, behind) = text.split_once("## Layers\n").expect("the section is there");
    let section = behind.split("\n## ").next().unwrap();
    let cells = |line: &str| -> Vec<String> {
        line.split('|').map(|cell| cell.trim().trim_matches('`').to_owned()).skip(1).take(2).collect()
    };
    let rows: Vec<Vec<String>> = section.lines().filter(|line| line.starts_with("| `")).map(cells).collect();
    // `book` is compiled for documentation tests only; what most programs begin with is in every crate
    let is_shown = |krate: &str, layer: &str| layer != "book" && (layer != "prelude" || krate == "smoothish");
    let all = CRATES.iter().flat_map(|(krate, layers)| layers.iter().map(move |layer| (*krate, *layer)));
    let expected: Vec<Vec<String>> = all
        .filter(|(krate, layer)| is_shown(krate, layer))
        .map(|(krate, layer)| vec![krate.into(), layer.into()])
        .collect();
    assert_eq!(rows, expected);
}

/// The walks of DESIGN.md are walked: each of their stations is a function of its file, and they are as many as is said.
#[test]
fn every_station_of_the_walks_is_there() {
    let text = fs::read_to_string(root().join("DESIGN.md")).unwrap();
    let (_, behind) = text.split_once("## One door, and four walks\n").expect("the section is there");
    let section = behind.split("\n## ").next().unwrap();
    let mut walks = 0;
    for walk in section.lines().filter(|line| line.starts_with("- **")) {
        let (title, stations) = walk.split_once("): ").expect("a number and stations");
        let stations: Vec<&str> = stations.split('`').filter(|word| word.contains("::")).collect();
        assert_eq!(title.rsplit('(').next(), Some(&*stations.len().to_string()), "{title}");
        for station in stations {
            let (file, function) = station.rsplit_once("::").unwrap();
            let source = fs::read_to_string(root().join(file)).unwrap_or_else(|e| panic!("{station}: {e}"));
            let tokens: Vec<_> = tokens(&source).into_iter().map(|(_, token)| token).collect();
            let is_it = |w: &[Token<'_>]| matches!(w, [Token::Word("fn"), Token::Word(name)] if *name == function);
            assert!(tokens.windows(2).any(is_it), "{station} is not there");
        }
        walks += 1;
    }
    assert_eq!(walks, 4);
}

/// Returns the sources that a section of a file of `docs/adding` lists.
fn listed(file: &str, section: &str) -> Vec<String> {
    let text = fs::read_to_string(root().join("docs/adding").join(file)).unwrap();
    let start = text.find(&format!("# {section}\n")).unwrap_or_else(|| panic!("no list for: {section}"));
    let list = text[start..].split("\n### ").next().unwrap();
    list.split('`').filter(|word| word.contains("src/") && word.ends_with(".rs")).map(str::to_owned).collect()
}

/// The sources in which a word stands, comments aside.
fn files_with(word: &str) -> Vec<String> {
    let mut files: Vec<PathBuf> = CRATES.iter().flat_map(|(krate, _)| files_of(krate)).collect();
    let mentions = |path: &PathBuf| {
        let source = fs::read_to_string(path).unwrap();
        tokens(&source).iter().any(|(_, token)| *token == Token::Word(word))
    };
    files.retain(mentions);
    files.iter().map(|path| path.strip_prefix(root()).unwrap().to_str().unwrap().replace('\\', "/")).collect()
}

/// Modules that a better piece has replaced, and names of theirs, each with that piece. A second one would be a second place for a fact.
const REPLACED: [(&str, &str); 4] = [
    ("smooth/machine/growth", "smooth/asymptotic.rs"),
    ("smooth/machine/puiseux", "smooth/asymptotic/puiseux.rs"),
    ("blurred_for", "MidpointKink of smooth/solve/panel.rs"),
    ("BLURRED_AFTER", "MidpointKink of smooth/solve/panel.rs"),
];

/// Returns those of the replaced modules and names that are in a source.
fn replaced_names(file: &str, source: &str) -> Vec<&'static str> {
    let words = tokens(source);
    let is_back = |name: &str| match name.contains('/') {
        true => format!("/{}/", file.trim_end_matches(".rs")).contains(&format!("/{name}/")),
        false => words.iter().any(|(_, token)| *token == Token::Word(name)),
    };
    REPLACED.iter().map(|(name, _)| *name).filter(|name| is_back(name)).collect()
}

#[test]
fn what_was_replaced_stays_gone() {
    let back = |file: &str, source: &str| replaced_names(&format!("crates/ad/src/{file}"), source);
    assert_eq!(back("smooth/machine/growth/logarithmic.rs", "fn f() {}"), ["smooth/machine/growth"]);
    assert_eq!(
        back("smooth/machine/puiseux.rs", "fn f() { a.blurred_for() }"),
        ["smooth/machine/puiseux", "blurred_for"]
    );
    assert_eq!(back("smooth/asymptotic/puiseux.rs", "// blurred_for\nlet growth = \"BLURRED_AFTER\";"), [""; 0]);
    for path in all_sources() {
        let file = path.strip_prefix(root()).unwrap().to_str().unwrap().replace('\\', "/");
        let back = replaced_names(&file, &fs::read_to_string(&path).unwrap());
        assert!(back.is_empty(), "{file} has {back:?}, which were replaced: {REPLACED:?}");
    }
}

/// Names that no other part of the library has a use for: what they touch is what a new one touches.
#[test]
fn a_new_function_or_primitive_touches_what_contributing_lists() {
    for (file, section, least, most, names) in [
        ("special-function.md", "An elementary function", 2, 8, &["Asinh", "Atanh", "Expm1", "Log1p"][..]),
        ("special-function.md", "An elementary function of two variables", 3, 7, &["Atan2"]),
        ("second-order-primitive.md", "A second-order primitive", 5, 11, &["FirstRoot"]),
    ] {
        let listed = listed(file, section);
        assert!(listed.len() <= most, "{section}: {listed:?}");
        for name in names {
            let files = files_with(name);
            assert!(files.len() >= least && files.iter().all(|file| listed.contains(file)), "{name}: {files:?}");
        }
    }
}

/// The enumerations of kinds of types: written, found, shared, and being found.
const KINDS_OF_TYPES: [&str; 4] = ["TyKind", "TypeExpressionKind", "TypeShape", "ArenaNode"];

#[test]
fn a_new_type_former_touches_what_contributing_lists() {
    let listed = listed("type-former.md", "A type former");
    assert!(listed.len() <= 23, "{listed:?}");
    let mut met = Vec::new();
    for file in files_with("Iso") {
        let source = fs::read_to_string(root().join(&file)).unwrap();
        let words: Vec<_> = tokens(&source).into_iter().map(|(_, token)| token).collect();
        let is_named = words.windows(3).any(
            |w| matches!(w, [Token::Word(kind), Token::Separator, Token::Word("Iso")] if KINDS_OF_TYPES.contains(kind)),
        );
        let is_declared =
            words.windows(3).any(|w| matches!(w, [Token::Mark(','), Token::Word("Iso"), Token::Mark('(')]));
        if is_named || (is_declared && file.starts_with("crates/syntax/")) {
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
        let text = fs::read_to_string(root().join(file)).unwrap_or_default();
        assert!(text.contains(phrase), "{file} does not hold its licence");
    }
}

// ---- the checker itself, on planted sources

/// The crate in which a planted source lies: the first that has a layer of this name.
fn crate_of(file: &str) -> String {
    let name = file.split(['/', '.']).next().unwrap();
    CRATES.iter().find(|(_, layers)| layers.contains(&name)).map_or("smoothish", |(krate, _)| krate).to_owned()
}

#[track_caller]
fn is_refused(file: &str, source: &str, because: &str) {
    let faults = faults(&crate_of(file), file, source);
    assert!(!faults.is_empty() && faults.iter().all(|f| f.contains(because)), "{source}\n{faults:#?}");
}

#[track_caller]
fn is_accepted(file: &str, source: &str) {
    assert_eq!(faults(&crate_of(file), file, source), [""; 0], "{source}");
}

#[test]
fn an_import_that_goes_up_is_refused() {
    for source in [
        "use crate::model::Term;",
        "pub use crate::model::Term;",
        "pub(crate) use crate::{number::Real, model::{self as s, Term}};",
        "use crate::{\n    number,\n    model,\n};",
        "use super::super::model::Term;",
        "use super::{super::model, tower};",
        "use smoothish::model::*;",
        "fn f() -> crate::model::Term { panic!() }",
        "fn f() { let t = super::super::model::Term::<u8>::new(); }",
        "mod tests { use super::super::super::model::Term; }",
        "mod tests { mod deep {} use super::super::super::model::Term; }",
        "macro_rules! m { () => { $crate::model::Term } }",
        "pub(in crate::model) fn f() {}",
        "fn f() { g(\"//\", '\"', crate::model::X, '\"') }",
        "fn f<'a>(x: &'a str) -> crate::model::Term { r#\"\"#; }",
        "/* a /* nested */ comment */ use crate::model;",
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
    assert_eq!(faults("number", "number.rs", source).len(), 4, "a, c, d and host go up; number does not");
    assert_eq!(faults("number", "number.rs", "use crate::model;\n\nuse crate::host;")[1].split(':').nth(1), Some("3"));
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
        "/// As [`crate::model::Term`].\n// use crate::model;\n/* use crate::model; */ fn f() {}",
        "const S: &str = \"crate::model \\\" crate::model\"; const R: &[u8] = br##\"crate::model\"# crate::model\"##;",
        "use std::fmt::{self, Debug};\nuse ::std::io;\nfn f(&self) { self.x; smoothish_syntax::x(); a::crate_::b() }",
        "use crate::smooth;",
    ] {
        is_accepted("smooth/jet.rs", source);
    }
    is_accepted("lib.rs", "pub mod number;\npub use crate::model::Term;");
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
    is_accepted("number.rs", "fn todo() { todo(); }");
}

/// The uses of streams of samples in `law` outside of `property.rs`. They draw one program by its number, or the points of one
/// sample from a stream that goes on. The list may only shrink.
const STREAMS_OUTSIDE_THE_RUNNER: &[(&str, usize)] = &[
    ("adequacy.rs", 2),
    ("category.rs", 2),
    ("fuzz.rs", 1),
    ("generate.rs", 1),
    ("measure.rs", 1),
    ("pap.rs", 1),
    ("theorem.rs", 1),
];

/// Returns how often a source makes the streams of samples by their index, or goes through samples.
fn sample_streams(source: &str) -> usize {
    let names = ["for_sample", "all_samples"];
    tokens(source).into_iter().filter(|(_, token)| matches!(token, Token::Word(word) if names.contains(word))).count()
}

#[test]
fn laws_loop_over_samples_in_property_alone() {
    let folder = root().join("crates/laws/src/law");
    let mut files = vec![];
    rust_files(&folder, &mut files);
    let mut found: Vec<(String, usize)> = files
        .iter()
        .map(|path| {
            let name = path.strip_prefix(&folder).unwrap().to_str().unwrap().replace('\\', "/");
            (name, sample_streams(&fs::read_to_string(path).unwrap()))
        })
        .filter(|(name, count)| name != "property.rs" && *count > 0)
        .collect();
    found.sort();
    let listed: Vec<(String, usize)> = STREAMS_OUTSIDE_THE_RUNNER.iter().map(|(f, n)| ((*f).to_owned(), *n)).collect();
    assert_eq!(found, listed, "a law gives its samples to a runner of law/property.rs; what is gone leaves the list");
    // the runner itself, and a loop that a law would write
    assert!(sample_streams(&fs::read_to_string(folder.join("property.rs")).unwrap()) > 2);
    let own_loop = "for index in 0..9 { let random = SplitMix64::for_sample(seed, index); }";
    assert_eq!(sample_streams(own_loop), 1);
}
