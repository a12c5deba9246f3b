//! Of `cli::repl::lines`.

use smoothish::cli::read::READ_LIMIT;
use smoothish::cli::repl::editor::*;

fn inputs(text: &str) -> Vec<(String, usize)> {
    let mut lines = InputLines::default();
    let mut found: Vec<_> = text.lines().flat_map(|line| lines.push(line)).collect();
    found.extend(lines.take());
    found
}

#[test]
fn an_unfinished_line_goes_on() {
    assert_eq!(inputs("1 +\n2\n3"), [("1 +\n2".into(), 2), ("3".into(), 1)]);
    assert_eq!(inputs("let f x =\n  x\nf 1"), [("let f x =\n  x".into(), 2), ("f 1".into(), 1)]);
    assert_eq!(inputs("(1\n\n2"), [("(1\n".into(), 2), ("2".into(), 1)]);
    assert_eq!(inputs(":help (\n1"), [(":help (".into(), 1), ("1".into(), 1)]);
    assert_eq!(inputs("(1"), [("(1".into(), 1)]);
    assert_eq!(inputs("\n)\n"), [(String::new(), 1), (")".into(), 1)]);
}

/// Whoever forgets the `else` has the next line answered by itself; whoever does not, may write it there.
#[test]
fn a_choice_without_its_else_ends_at_the_next_input() {
    let [forgotten, next] = ["if 1 > 0 then 2", "1 + 1"];
    assert_eq!(inputs(&format!("{forgotten}\n{next}")), [(forgotten.into(), 1), (next.into(), 1)]);
    assert_eq!(
        inputs(&format!("{forgotten}\n:help\n3")),
        [(forgotten.into(), 1), (":help".into(), 1), ("3".into(), 1)]
    );
    assert_eq!(inputs(&format!("{forgotten}\n(1 +\n2)")), [(forgotten.into(), 1), ("(1 +\n2)".into(), 2)]);
    for whole in [
        "if 1 > 0 then 2\nelse 3",
        "if 1 > 0 then sin\n  1\nelse 2",
        "if 1 > 0\nthen 2\nelse 3",
        "(if 1 > 0 then 2\nelse 3)",
    ] {
        assert_eq!(inputs(whole), [(whole.into(), whole.lines().count())], "{whole}");
    }
}

#[test]
fn lines_end_with_the_stream_and_are_kept_within_bounds() {
    let read = |mut bytes: &[u8]| {
        let mut found = Vec::new();
        while let Some(line) = read_line(&mut bytes, "input", found.len() + 1).unwrap() {
            found.push(line.map_err(|refusal| refusal.report().to_owned()));
        }
        found
    };
    assert_eq!(read(b"1\r\n\n2"), [Ok("1".into()), Ok(String::new()), Ok("2".into())]);
    assert_eq!(
        read(b"1\n\xff"),
        [Ok("1".into()), Err("error: input is not UTF-8: line 2, byte 0 of the whole".into())]
    );
    let long = [vec![b' '; READ_LIMIT as usize + 100], b"\n1".to_vec()].concat();
    let found = read(&long);
    assert_eq!((found[0].as_ref().map(String::len), found[1].clone()), (Ok(READ_LIMIT as usize), Ok("1".into())));
}
