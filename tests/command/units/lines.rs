//! Of `cli::repl::lines`.

use smoothish::cli::read::INPUT_LIMIT;
use smoothish::cli::repl::lines::*;

fn inputs(text: &str) -> Vec<(String, usize)> {
    let mut lines = Lines::default();
    let mut found: Vec<_> = text.lines().filter_map(|line| lines.push(line)).collect();
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

#[test]
fn lines_end_with_the_stream_and_are_kept_within_bounds() {
    let read = |mut bytes: &[u8]| {
        let mut found = Vec::new();
        while let Some(line) = next(&mut bytes, "input", found.len() + 1).unwrap() {
            found.push(line.map_err(|refusal| refusal.message));
        }
        found
    };
    assert_eq!(read(b"1\r\n\n2"), [Ok("1".into()), Ok(String::new()), Ok("2".into())]);
    assert_eq!(
        read(b"1\n\xff"),
        [Ok("1".into()), Err("error: input is not UTF-8: line 2, byte 0 of the whole".into())]
    );
    let long = [vec![b' '; INPUT_LIMIT as usize + 100], b"\n1".to_vec()].concat();
    let found = read(&long);
    assert_eq!((found[0].as_ref().map(String::len), found[1].clone()), (Ok(INPUT_LIMIT as usize), Ok("1".into())));
}
