//! What is said beside answers and refusals to those who may have meant something else.

use super::cli::{file, run};
use clap::CommandFactory;
use smoothish::cli::arguments::{Arguments, COMMAND_GROUPS, expand_shorthand};
use smoothish::cli::book::example::split_command_line;
use std::ffi::OsString;

/// Without `rec`, the name of a function means an earlier one within its value: that is said, unless the module is written.
#[test]
fn a_function_that_may_be_meant_to_call_itself_is_told() {
    let note = |program: &str| {
        let run = run(&["eval", program]);
        assert_eq!(run.status, Some(0), "{program}: {run:?}");
        run.err
    };
    let sum = note("let sum xs = match xs with [] => 0 | x :: rest => x + sum rest in sum [1, 2]");
    let told = "note: in its own definition `sum` (1:55) is that of the theory Data; a function that calls itself is defined by \
                let rec sum\n";
    assert_eq!(sum, told);
    let sin = note("let sin x = sin (pi * x / 180) in sin 30");
    assert!(sin.contains("`sin` (1:13) is that of the language"), "{sin}");
    for program in [
        "let rec sum xs = match xs with [] => 0 | x :: rest => x + sum rest in sum [1, 2]",
        "let sum xs = Data.sum xs in sum [1, 2]",
        "let total xs = sum xs in total [1, 2]",
        // a number cannot be meant to call itself
        "let pi = pi / 2 in sin pi",
        "let f x = (let sum = x in sum + x) in f 1",
    ] {
        assert_eq!(note(program), "", "{program}");
    }
}

/// A first root at an end of [0, 1] may be none, which is said.
#[test]
fn a_first_root_at_an_end_is_told_to_be_one() {
    let note = |program: &str| run(&["eval", program]).err;
    assert!(note(r"firstRoot (\x => 1/4 - x^2)").is_empty() && note(r"firstRoot (\x => 1/2 - x)").is_empty());
    for (program, place) in
        [("firstRoot cos", "1:1"), (r"firstRoot (\x => 1)", "1:1"), (r"(\y => firstRoot (\x => y)) 2", "1:8")]
    {
        let told = format!("note: firstRoot ({place}) is 1 where its function does not fall through 0");
        assert!(note(program).contains(&told), "{program}");
    }
    assert!(
        note(r"firstRoot (\x => x - 1)").contains("note: firstRoot (1:1) is 0 where its function is negative at 0")
    );
}

/// What is undecided since both sides are one number is told so.
#[test]
fn equal_sides_are_told_to_be_equal() {
    let asked = run(&["eval", "0.1 < 0.1"]);
    assert_eq!((asked.status, &*asked.out), (Some(4), "undecided\n"), "{asked:?}");
    assert!(asked.err.contains("both sides of a comparison are equal"), "{asked:?}");
    assert!(run(&["eval", "pi - 3 < pi - 3"]).err.contains("where "), "as before");
}

/// A 0 that may be a difference of natural numbers which has been cut off is told; one that cannot be is not.
#[test]
fn a_difference_that_is_cut_off_is_told() {
    let told = |program: &str| run(&["eval", program]).err.contains("natural numbers are subtracted down to 0");
    assert!(told("nthDeriv (0 - 1 : Nat) sin 1") && told("range (2 - 3 : Nat)"));
    assert!(told("let k (x : Nat) = if x == 0 then 1 else x - 5 in k 2") && told("(length [1, 2] : Nat) - 3"));
    for program in ["length []", "length [1, 2] - 1", "2 - 5", "2 - 2", "toReal (length [1, 2]) - 2", "3 * 0"] {
        assert!(!told(program), "{program}");
    }
}

/// A function before a product without spaces is of the first factor alone, which is told; where there are spaces, it is meant.
#[test]
fn a_function_before_a_tight_product_is_told_what_it_is_of() {
    let told = |program: &str| run(&["eval", program]).err;
    assert!(told("sin pi/2").contains("note: sin pi/2 is (sin pi)/2; of all of it, it is sin (pi/2)"));
    assert!(told("1 + exp 2*3").contains("exp (2*3)"));
    for program in
        ["sin pi / 2", "sin (pi/2)", "sin(pi)/2", "sin 1 + pi/2", "1/sin 2", "let x = 2 in sin x/x", "max 1 2/3"]
    {
        assert!(!told(program).contains("of all of it"), "{program}");
    }
}

/// A linear map is told how its matrix is had, and the matrix is had so.
#[test]
fn a_linear_map_is_told_how_its_matrix_is_had() {
    for (map, rows) in [
        (r"jacobian (\p => (p[0] * p[1], p[0])) (2, 3)", "rows2"),
        (r"hessian (\p => p[0]^2 * p[1]) (2, 3)", "rows2"),
        (r"jacobian (\p => (p[0] * p[1], p[0], p[2])) (2, 3, 4)", "rows3"),
    ] {
        let asked = run(&["eval", map]);
        assert!(
            asked.status == Some(2) && asked.err.contains(&format!("hessian f p are, are {rows} of it")),
            "{asked:?}"
        );
        let matrix = run(&["eval", &format!("{rows} ({map})")]);
        assert!(matrix.status == Some(0) && matrix.out.starts_with("(("), "{matrix:?}");
    }
    assert!(!run(&["eval", r"\x => (x, x)"]).err.contains("rows"));
}

/// An end that is an expression is enclosed, and a row of names that are no numbers is refused.
#[test]
fn ends_are_expressions() {
    for (arguments, note) in [
        (&["plot", "--from", "0", "--to", "pi", "sin"][..], "--to pi is rounded to 3.1415926535897932384627"),
        (&["plot", "--from", "-2*pi", "--to", "1", "sin"], "--from -2*pi is rounded to -6.2831853071795864769253"),
        (
            &["render", "--x", "0", "pi/2", "--y", "0", "1", r"\x y => x"],
            "--x pi/2 is rounded to 1.5707963267948966192314",
        ),
        (&["agree", "--at", "pi", "sin"], "--at pi is rounded to 3.1415926535897932384626"),
        (
            &["table", "--from", "0", "--to", "2*pi", "--steps", "4", "sin"],
            "--to 2*pi is rounded to 6.2831853071795864769253",
        ),
        (&["plot", "--from", "0", "--to", "sqrt 4", "sin"], ""),
    ] {
        let answer = run(arguments);
        let told = if note.is_empty() { answer.err.is_empty() } else { answer.err.contains(note) };
        assert!(matches!(answer.status, Some(0 | 3)) && told, "{arguments:?}: {}", answer.err);
    }
    for (end, reason) in [
        ("x", "the name `x` is not known here"),
        ("2π", "a space or an operator between `2` and `π`"),
        ("1/0", "it is not shown to have a value"),
        ("argmax01 (\\x => 0)", "its value is not known to 20 digits"),
        ("(1, 2)", "it is of another type than Real"),
    ] {
        let refused = run(&["plot", "--from", "0", "--to", end, "sin"]);
        let told = refused.err.contains(&format!("`{end}` is not a number")) && refused.err.contains(reason);
        assert!(refused.status == Some(2) && told, "{end}: {}", refused.err);
    }
}

/// Help is within the columns of a terminal.
#[test]
fn help_is_as_wide_as_a_terminal() {
    let commands =
        ["", "eval", "repl", "doc", "agree", "derive", "trace", "pieces", "audit", "expect", "table", "mutants"];
    for command in commands.into_iter().chain(["adequacy", "campaign", "pushforward", "estimators", "plot", "render"]) {
        let arguments: Vec<&str> = [command, "--help"].into_iter().filter(|word| !word.is_empty()).collect();
        let help = run(&arguments);
        let widest = help.out.lines().max_by_key(|line| line.chars().count()).unwrap_or_default();
        assert!(help.status == Some(0) && widest.chars().count() <= 100, "{command}: {widest}");
    }
}

/// What the shell takes apart is several questions, which is said where one of them is refused.
#[test]
fn words_that_stand_apart_are_told_to_be_several_questions() {
    let told = |arguments: &[&str]| {
        let run = run(arguments);
        (run.status, run.err.contains("note: several arguments are several questions; put one in quotes: 'sqrt 2'"))
    };
    assert_eq!(told(&["eval", "sqrt", "2"]), (Some(2), true));
    for (arguments, status) in [
        (&["eval", "sqrt 2", "2 +"][..], 2),
        (&["eval", "sqrt"], 2),
        (&["eval", "pi", "2"], 0),
        (&["eval", "--json", "sqrt", "2"], 2),
    ] {
        assert_eq!(told(arguments), (Some(status), false), "{arguments:?}");
    }
}

/// What decides equality is named last: most want to compare, or to be near.
#[test]
fn equations_of_real_numbers_are_told_what_is_compared() {
    let asked = run(&["eval", "--model", "tower", "if sqrt 2 == 1.4 then 1 else 0"]);
    let help = asked.err.lines().find(|line| line.contains("= help")).unwrap_or_default();
    let places: Vec<_> = ["x < y", "abs (x - y) < 1e-9", "within 1e-9 of", "--model pap", "--model partial"]
        .iter()
        .map(|words| help.find(words).unwrap_or_else(|| panic!("{words}: {asked:?}")))
        .collect();
    assert!(asked.status == Some(2) && places.is_sorted(), "{asked:?}");
    // what is advised is right
    assert_eq!(run(&["eval", "let (x, y) = (sqrt 2, 1.4142135623) in (x < y, abs (x - y) < 1e-9)"]).out, "(ff, tt)\n");
    // another construct that is lacking beside an equation is told as before
    let other = run(&["eval", "--model", "pap", r"(\x => integral01 (\y => if x == y then 0 else 1)) 2"]);
    assert!(other.status == Some(2) && !other.err.contains("abs (x - y)"), "{other:?}");
}

/// Claims are of the exact value: a decimal that is cut off is none, however near.
#[test]
fn a_decimal_that_is_cut_off_is_told() {
    let theory = r#"theory Cut extends Prelude
        about "Decimals that are cut off."
        claim near  : sqrt 2 within 1e-9 of 1.4142135623 because "its first digits"
        claim far   : sqrt 2 within 1e-9 of 1.5 because "a mistake"
        claim whole : sqrt 2 within 1 of 1 because "its whole part"
        claim exact : sqrt 2 within 1e-9 of 1.4142135623730950488016887242096980785696 because "1.414…² = 2""#;
    let run = run(&["check", &file("cut-off.theory", theory)]);
    assert_eq!(run.status, Some(1), "{run:?}");
    let claimed: Vec<_> =
        run.out.lines().filter_map(|line| line.trim().strip_prefix("claimed")).map(str::trim).collect();
    let about = "within 1/1000000000 of 14142135623/10000000000, reached; the value is that near, but the claim is of the exact \
                 value: give more than 10 decimal places, or write e ~ and an expression";
    let whole = "within 1 of 1, reached; the value is that near, but the claim is of the exact value: give decimal places, or \
                 write e ~ and an expression";
    assert_eq!(claimed, [about, "within 1/1000000000 of 3/2, reached", whole], "{run:?}");
    assert!(run.out.lines().any(|line| line.trim() == "claim exact  holds"), "{run:?}");
}

/// What a command line is told that has an option which there is not, or an expression that looks like one.
#[test]
fn options_that_there_are_not_are_told_what_is_meant() {
    let model = "do { x <- sample (normal 0 1); return x }";
    for (arguments, told) in [
        (&["eval", "pi", "--esp", "1e-9"][..], "a similar option exists: --eps"),
        (&["eval", "-pi"], "parentheses, '(-pi)', or last, behind --: -- '-pi'"),
        (&["eval", "-1/2"], "parentheses, '(-1/2)', or last, behind --: -- '-1/2'"),
        (&["plot", "-x^2", "--from", "0", "--to", "1"], "parentheses, '(-x^2)'"),
        (&["table", "sin", "--from", "0", "--to", "1", "--csv", "-o"], "--csv > table.csv"),
        (&["plot", "sin", "--from", "0", "--to", "1", "--deriv", "-1"], "-1 is not in 0..="),
        (&["plot", model, "--from", "0", "--to", "1"], "is plotted by --density"),
        (&["check", "nosuch"], "one that comes with the program: Prelude"),
        (&["doc", "sinus"], "did you mean `sin`?"),
        (&["eval", "pi", "--precision", "3"], "a similar option exists: --digits"),
        (&["eval", "pi", "--tol=3"], "a similar option exists: --eps"),
        (&["sqrt 2"], "to evaluate an expression, write smoothish eval 'sqrt 2'"),
        (&["evl", "2"], "'eval'"),
        (&["audit", "--at", "0", "--claim", "1", "relu(x) - relu(-x)"], r"a function of x is written \x => …"),
        (
            &["eval", "let rec f n = if n < 2 then n else f (n - 1) in f 3"],
            "annotate a parameter that counts, (n : Nat)",
        ),
        (&["eval", "beta 1 2"], "the beta function exp (lgamma a + lgamma b - lgamma (a + b))"),
        (&["eval", "gamma 5"], "the gamma function of x is exp (lgamma x)"),
        (&["eval", "inf"], "it is the infimum of a function on a set; numbers are finite"),
        (&["expect", "do { x <- sample (uniform 0 1); return x }", r"\x => x"], "is uniformOn a b"),
        (&["expect", "do { x <- normal 0 1; return x }", r"\x => x"], "a draw is written x <- sample (normal 0 1)"),
        (&["expect", "do { x <- sample (normal 0 1); x }", r"\x => x"], "a block ends with its value"),
        (&["infer", "do { x <- normal 0 1 }", r"\x => x"], "a block ends with its value"),
    ] {
        let run = run(arguments);
        assert_eq!(run.status, Some(2), "{arguments:?}: {run:?}");
        assert!(run.err.contains(told), "{arguments:?}: {run:?}");
    }
    // what is recommended is understood
    assert_eq!(run(&["eval", "(-1/2)", "--", "-1/2"]).out, "-0.5\n-0.5\n");
}

/// The name of a file is no expression, and is told how the file is asked.
#[test]
fn the_name_of_a_file_is_told_to_be_one() {
    let name = file("five", "2 + 3");
    let asked = run(&["eval", &name]);
    assert!(asked.status == Some(2) && asked.err.contains("is a file; give it by --file"), "{asked:?}");
    assert_eq!(run(&["eval", "--file", &name]).out, "5\n");
}

/// Samples of 1/x say nothing of a mean that there is not.
#[test]
fn a_mean_that_is_not_known_is_not_taken_for_one() {
    let asked = run(&["infer", "do { x <- sample (normal 0 1); return x }", r"\x => 1/x", "--samples", "1000"]);
    assert_eq!(asked.status, Some(3), "{asked:?}");
    assert!(asked.err.contains("note: no certified mean is known, and there may be none"), "{asked:?}");
}

/// The bare command shows how to begin: in ten lines, of which three are questions that are answered.
#[test]
fn the_bare_command_shows_how_to_begin() {
    let bare = run(&[]);
    assert_eq!((bare.status, bare.out.lines().count(), &*bare.err), (Some(0), 10, ""), "{bare:?}");
    // The program under test lies in a target folder.
    let examples: Vec<&str> = bare
        .out
        .lines()
        .filter_map(|line| line.trim().strip_prefix("cargo run -- "))
        .filter(|line| line.contains('\''))
        .collect();
    assert_eq!(examples.len(), 3, "{}", bare.out);
    for (example, begin) in examples.iter().zip(["12\n", "[1.41421356, 1.41421357]\n", "\\x => abs (sin x)\n"]) {
        let asked = run(&split_command_line(example).iter().map(String::as_str).collect::<Vec<_>>());
        assert!(asked.status == Some(0) && asked.out.starts_with(begin), "{example}: {asked:?}");
    }
}

/// Every command stands in one group of `--help`, with what it does.
#[test]
fn help_lists_every_command_in_one_group() {
    let program = Arguments::command();
    let mut listed: Vec<&str> = COMMAND_GROUPS.iter().flat_map(|(_, names)| names.iter().copied()).collect();
    let count = listed.len();
    listed.sort_unstable();
    listed.dedup();
    assert_eq!(listed.len(), count, "a command stands in two groups");
    let mut known: Vec<&str> = program.get_subcommands().map(|command| command.get_name()).chain(["help"]).collect();
    known.sort_unstable();
    assert_eq!(listed, known);
    let help = run(&["--help"]);
    for (group, names) in COMMAND_GROUPS {
        let (_, below) = help.out.split_once(&format!("{group}:\n")).expect(group);
        let (here, _) = below.split_once("\n\n").unwrap();
        let found: Vec<&str> = here
            .lines()
            .filter_map(|line| line.strip_prefix("  ").filter(|line| !line.starts_with(' ')))
            .filter_map(|line| line.split_whitespace().next())
            .collect();
        assert_eq!(found, *names, "{group}");
    }
    assert!(help.out.contains("Exit status:") && help.out.contains("--version"), "{}", help.out);
    assert_eq!(run(&["help"]).out, help.out);
}

/// `help` explains a command as clap does, and any other name as `doc` does.
#[test]
fn help_explains_names_of_the_language() {
    for names in [&["integral"][..], &["integral", "sin"]] {
        let (help, doc) = (run(&[&["help"], names].concat()), run(&[&["doc"], names].concat()));
        assert!(help.status == Some(0) && help.out == doc.out && help.out.contains("integral"), "{help:?}");
    }
    // a command, also by an older name, and not the law of that name
    assert_eq!(run(&["help", "plot"]).out, run(&["plot", "--help"]).out);
    assert!(run(&["help", "normaliser"]).out.contains("Usage: smoothish evidence"));
    let unknown = run(&["help", "integrall"]);
    assert!(unknown.status == Some(2) && unknown.err.contains("did you mean `Integral`?"), "{unknown:?}");
}

/// `tutorial` is a chapter of the book; a program without the book says how to get it.
#[test]
fn the_tutorial_is_a_chapter_of_the_book() {
    let expanded = |words: &[&str]| {
        let given = ["smoothish"].iter().chain(words).map(OsString::from).collect();
        expand_shorthand(given)
            .into_iter()
            .skip(1)
            .map(|word| word.into_string().unwrap())
            .collect::<Vec<_>>()
            .join(" ")
    };
    assert_eq!(expanded(&["tutorial"]), "book twenty-minutes");
    assert_eq!(expanded(&["tutorial", "--port", "8000"]), "book twenty-minutes --port 8000");
    assert_eq!(expanded(&["eval", "tutorial"]), "eval tutorial");
    assert!(std::path::Path::new(env!("CARGO_MANIFEST_DIR")).join("book/src/twenty-minutes.md").is_file());
    #[cfg(not(feature = "book"))]
    {
        let asked = run(&["tutorial"]);
        let told = "cargo run --release --features book -- book";
        assert!(asked.status == Some(2) && asked.err.contains(told), "{asked:?}");
    }
}
