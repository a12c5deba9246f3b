//! The links of the documents lead somewhere: on this page, to a file that is here, and from the book only to its own chapters, since a
//! rendered book has nothing else.

use std::fs;
use std::path::{Path, PathBuf};

fn root() -> &'static Path {
    Path::new(env!("CARGO_MANIFEST_DIR"))
}

fn documents() -> Vec<PathBuf> {
    let chapters = fs::read_dir(root().join("book/src")).expect("the book is here").map(|entry| entry.unwrap().path());
    let documents =
        ["README.md", "DESIGN.md", "CONTRIBUTING.md", "CHANGELOG.md", "python/README.md"].map(|name| root().join(name));
    let lists =
        fs::read_dir(root().join("docs/adding")).expect("the lists are here").map(|entry| entry.unwrap().path());
    documents
        .into_iter()
        .chain(lists)
        .chain(chapters.filter(|path| path.extension().is_some_and(|e| e == "md")))
        .collect()
}

/// The targets of the links of a text, those in examples aside.
fn links(text: &str) -> Vec<&str> {
    let prose = text.split("```").step_by(2);
    prose
        .flat_map(|part| part.split("](").skip(1))
        .filter_map(|behind| behind.split_once(')').map(|(to, _)| to))
        .collect()
}

/// The name by which a heading is linked to.
fn anchor(heading: &str) -> String {
    let kept = heading.trim_matches(['#', ' ']).chars().filter(|c| c.is_alphanumeric() || matches!(c, ' ' | '-' | '_'));
    kept.collect::<String>().to_lowercase().replace(' ', "-")
}

/// What is wrong with a link of a document.
fn fault(document: &Path, to: &str) -> Option<String> {
    if to.starts_with("https://") {
        return None;
    }
    let (path, part) = to.split_once('#').unwrap_or((to, ""));
    let folder = document.parent().expect("a document is in a folder");
    let target = if path.is_empty() { document.to_owned() } else { folder.join(path) };
    let is_chapter = folder.ends_with("book/src");
    if is_chapter && path.starts_with("..") {
        return Some("a rendered book has its chapters only".to_owned());
    }
    let Ok(target) = target.canonicalize() else { return Some("there is no such file".to_owned()) };
    let text = if part.is_empty() { String::new() } else { fs::read_to_string(target).unwrap_or_default() };
    let has_part = part.is_empty() || text.lines().any(|line| line.starts_with('#') && anchor(line) == part);
    (!has_part).then(|| "there is no such heading".to_owned())
}

#[test]
fn every_link_leads_somewhere() {
    let mut seen = 0;
    for document in documents() {
        let text = fs::read_to_string(&document).unwrap();
        for to in links(&text) {
            seen += 1;
            assert_eq!(fault(&document, to), None, "{}: {to}", document.display());
        }
    }
    assert!(seen > 200, "only {seen} links were found");
}

#[test]
fn a_link_to_nothing_is_seen() {
    let chapter = root().join("book/src/gluing.md");
    assert_eq!(links("[a](b.md), `x`\n```\n[c](d)\n```\n[e](f#g)"), ["b.md", "f#g"]);
    for wrong in ["nowhere.md", "../../README.md", "gluing.md#nowhere", "#nowhere"] {
        assert!(fault(&chapter, wrong).is_some(), "{wrong}");
    }
    assert_eq!(fault(&chapter, "gluing.md#theorem-3"), None);
    assert_eq!(fault(&root().join("README.md"), "book/src/gluing.md"), None);
}
