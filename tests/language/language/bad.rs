//! Rows of programs that are refused, which other modules check; the plain ones are in `messages.txt`. A row is: the program; what is marked in it, after the line and
//! column; what the message must contain; what the help or note must contain, if anything.

use super::{answer, library};
use smoothish::syntax::source::decode_utf8;

pub(super) type Row = (&'static str, &'static str, &'static str, &'static str);

pub(super) fn check(rows: &[Row]) {
    let library = library();
    let mut wrong = Vec::new();
    for &(program, place, message, help) in rows {
        let report = answer(&library, program);
        let good = match place {
            "" => !report.starts_with("error"),
            _ => {
                let first = report.lines().next().unwrap_or("");
                let rest = report.lines().skip(1).collect::<Vec<_>>().join("\n");
                first.starts_with("error: ")
                    && (first.contains(message) || message.starts_with('`') && rest.contains(message.trim_matches('`')))
                    && report.contains(&format!("question:{place}\n"))
                    && rest.contains(help)
            }
        };
        if !good {
            wrong.push(format!("{program}\n  wanted: {place} {message} [{help}]\n{report}"));
        }
    }
    assert!(wrong.is_empty(), "{} of {} rows:\n{}", wrong.len(), rows.len(), wrong.join("\n"));
}

/// What people are told to write is right.
#[track_caller]
pub(super) fn are_programs(programs: &[&str]) {
    let library = library();
    for program in programs {
        assert!(library.infer_expression(program).is_ok(), "{}", answer(&library, program));
    }
}

#[test]
fn a_type_parameter_and_a_long_exponent_are_no_mistakes() {
    are_programs(&["let f X = 1 in f", "1e400"]);
}

#[test]
fn bytes_that_are_not_text_are_refused() {
    let error = decode_utf8(b"sin \xc3(").map_err(|error| error.to_string());
    assert_eq!(
        error,
        Err("the input is not UTF-8 text: the byte at offset 4 does not belong to a character".to_owned())
    );
}
