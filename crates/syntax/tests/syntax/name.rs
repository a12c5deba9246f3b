//! Of `syntax::name`.

use smoothish_syntax::syntax::name::*;

#[test]
fn near_misses_are_found_and_far_ones_are_not() {
    let names = ["relu", "deriv", "integral01", "tangent_R", "twice", "x"];
    let near = |name: &str| nearest_name(name, names.into_iter());
    assert_eq!(near("rleu"), Some("relu"));
    assert_eq!(near("dervi"), Some("deriv"));
    assert_eq!(near("integral"), Some("integral01"));
    assert_eq!(near("tangentR"), Some("tangent_R"));
    assert_eq!(near("Twice"), Some("twice"));
    assert_eq!(near("X"), Some("x"));
    assert_eq!(near("y"), None);
    assert_eq!(near("ex"), None);
    assert_eq!(near("hausdorff"), None);
    assert_eq!(near(&"a".repeat(1000)), None);
}

/// Of short names a letter more, less or elsewhere is a slip, and so is a vowel for another; another consonant makes another word.
#[test]
fn another_word_is_not_taken_for_a_slip() {
    let names = [
        "sqrt", "sin", "cos", "abs", "exp", "min", "max", "sum", "fold", "dot", "bind", "case", "less", "least",
        "time", "help", "steps", "scale", "norm", "lgamma", "variance", "gradient", "jacobian", "integral", "cutRoot",
        "length", "reverse",
    ];
    let near = |name: &str| nearest_name(name, names.into_iter());
    for (slip, meant) in [
        ("sqr", "sqrt"),
        ("srqt", "sqrt"),
        ("sqrrt", "sqrt"),
        ("sine", "sin"),
        ("coss", "cos"),
        ("halp", "help"),
        ("tyme", "time"),
        ("lgama", "lgamma"),
        ("variannce", "variance"),
        ("varianse", "variance"),
        ("gradiant", "gradient"),
        ("jacobain", "jacobian"),
        ("lenght", "length"),
        ("revers", "reverse"),
        ("cutroott", "cutRoot"),
        ("intergal", "integral"),
        ("stebs", "steps"),
    ] {
        assert_eq!(near(slip), Some(meant), "{slip}");
    }
    for word in [
        "sort",
        "kind",
        "lot",
        "cast",
        "cut",
        "lap",
        "tan",
        "map",
        "sup",
        "path",
        "mod",
        "size",
        "mask",
        "state",
        "run",
        "derivative",
        "hash",
    ] {
        assert_eq!(near(word), None, "{word}");
    }
}
