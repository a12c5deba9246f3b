//! The chapter that sets other tools beside this library.

/// What the table says of this library is what the questions below it are answered, which the tests of the book ask.
#[test]
fn the_column_of_this_library_is_what_it_answers() {
    let chapter = include_str!("../../book/src/beside-other-tools.md");
    let (table, behind) = chapter.split_once("```smoothish\n").expect("the questions are there");
    let (questions, _) = behind.split_once("```").expect("they end");
    let answers: Vec<&str> = questions.lines().filter(|line| !line.contains("> ")).collect();
    let rows = table.lines().filter(|line| line.starts_with("| ")).skip(1);
    let said: Vec<&str> = rows.map(|row| row.split('|').nth(2).unwrap().trim().trim_matches('`')).collect();
    assert_eq!(said, answers);
    assert!(table.contains(concat!("| smoothish ", env!("CARGO_PKG_VERSION"), " |")));
    for tool in ["python-flint", "FLINT", "mpmath", "SymPy", "Numbat", "Typst"] {
        assert!(table.contains(&format!("{tool} ")), "{tool} has a version");
    }
}
