//! Earlier names of commands and options are understood, and no longer listed.

use super::cli::run;

/// A command line in earlier words, and the same line today.
const RENAMED: &[(&[&str], &[&str])] = &[
    (&["normaliser", "do { score 2; return 1 }"], &["evidence", "do { score 2; return 1 }"]),
    (
        &["change", r"\x => x^3", "--of", "sample (normal 0 1)", "--at", "8"],
        &["pushforward", r"\x => x^3", "--of", "sample (normal 0 1)", "--at", "8"],
    ),
    (
        &["campaign", "--borders", "--programs", "3", "--json"],
        &["campaign", "--piecewise", "--programs", "3", "--json"],
    ),
    (
        &["campaign", "--models", "--programs", "1", "--json"],
        &["campaign", "--probabilistic", "--programs", "1", "--json"],
    ),
    (
        &["adequacy", "--wrong", "--rule", "test_border", "--json"],
        &["adequacy", "--mutants", "--rule", "test_border", "--json"],
    ),
];

#[test]
fn names_of_before_are_understood() {
    for (before, today) in RENAMED {
        let [before, today] = [before, today].map(|line| run(line));
        assert_eq!(today.status, Some(0), "{today:?}");
        assert_eq!((before.out, before.status), (today.out, today.status), "{:?}", before.err);
    }
}

#[test]
fn names_of_before_are_not_listed() {
    let help = ["--help", "campaign --help", "adequacy --help", "mutants --help"]
        .map(|line| run(&line.split(' ').collect::<Vec<_>>()).out);
    let listed = |word: &str| help.iter().any(|help| help.split_whitespace().any(|listed| listed == word));
    for (before, today) in [
        ("normaliser", "evidence"),
        ("change", "pushforward"),
        ("--borders", "--piecewise"),
        ("--models", "--probabilistic"),
    ] {
        assert!(listed(today) && !listed(before), "{before}: {help:?}");
    }
    // `mutants --of` is the one door: those of `adequacy` and of the macro are not listed
    assert!(listed("--of") && !["--mutants", "--wrong", "--macro"].iter().any(|word| listed(word)), "{help:?}");
}

/// A mistake behind an old name has the same advice, and the manual has its page.
#[test]
fn names_of_before_have_advice() {
    let refused = run(&["change", "exp", "--of", "sample (normal 0 1)", "--at", "1", "--tolerance", "1e-3"]);
    assert!(refused.status == Some(2) && refused.err.contains("a similar option exists: --eps"), "{refused:?}");
    let page = run(&["man", "normaliser"]);
    assert!(page.status == Some(0) && page.out.contains("smoothish-evidence"), "{page:?}");
}
