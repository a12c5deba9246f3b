//! Of `refs`.

use smoothish_number::refs::*;

#[test]
fn every_item_is_found_by_its_key() {
    for reference in ALL {
        assert_eq!(find_by_key(reference.key), Some(*reference));
    }
}

#[test]
fn every_item_is_listed() {
    let declared = include_str!("../../src/refs.rs")
        .lines()
        .filter(|line| line.starts_with("pub const ") && line.contains(": BibliographyEntry = "))
        .count();
    assert_eq!(declared, ALL.len());
}

#[test]
fn a_reference_prints_as_a_citation() {
    assert_eq!(
        CLARKE_1990.to_string(),
        "Frank H. Clarke. Optimization and Nonsmooth Analysis. Classics in Applied Mathematics 5, SIAM, 1990. \
         doi:10.1137/1.9781611971309"
    );
    assert!(ELLIOTT_2008.to_string().ends_with("conal.net/blog, 2008."));
}
