//! Of `cli::repl::command`.

use smoothish::cli::repl::prompt::*;

#[test]
fn commands_are_found_by_name_and_by_beginning() {
    let found = |word: &str| find_command(word).map(|c| c.name).map_err(|refusal| refusal.report().to_owned());
    for command in COMMANDS {
        assert_eq!(found(command.name), Ok(command.name));
    }
    assert_eq!(found("q"), Ok("quit"));
    assert_eq!(found("ti"), Err("error: `:ti` can be :timeout or :time".to_owned()));
    assert!(found("halp").unwrap_err().contains("did you mean :help?"));
    assert!(found("").unwrap_err().contains(":help lists"));
    assert!(found("zzz").unwrap_err().contains(":help lists"));
}

#[test]
fn arguments_are_split_into_words() {
    assert_eq!(split_words(r#" a  "b c"d e\ f "" g\h "#), ["a", "b cd", "e f", "", r"g\h"]);
    assert!(split_words("  ").is_empty());
}
