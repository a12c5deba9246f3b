//! Of `cli::colour`.

use smoothish::cli::output::*;
use std::io::Write;

fn coloured(text: &str) -> String {
    let mut bytes = Vec::new();
    {
        let mut stream = Coloured::new(&mut bytes);
        // in pieces, as `writeln!` writes
        for piece in text.as_bytes().chunks(3) {
            stream.write_all(piece).unwrap();
        }
    }
    String::from_utf8(bytes).unwrap()
}

#[test]
fn diagnostics_are_coloured_and_nothing_is_lost() {
    let report =
        "error: expected Real\n --> question:1:1\n  |\n1 | x | ^\n  |     ^ here\n  = help: y\nnote: z\nplain λ";
    let shown = coloured(report);
    assert!(shown.starts_with("\x1b[1;31merror:\x1b[0m expected Real\n"), "{shown:?}");
    assert!(shown.contains("\n  | \x1b[1;31m    ^ here\x1b[0m\n"), "{shown:?}");
    assert!(shown.contains("\n1 | x | ^\n") && shown.ends_with("note:\x1b[0m z\nplain λ"), "{shown:?}");
    assert_eq!(anstream::adapter::strip_str(&shown).to_string(), report);
}
