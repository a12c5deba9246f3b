//! Programs that sample: `do`, the types of distributions, and where their names are found.

use super::bad::Row;
use super::{answer, library};
use smoothish::syntax::parser::parse_input;

const PROGRAMS: &[(&str, &str)] = &[
    ("do { x <- sample (normal 0 1); observe (normal x 1) 3; return x }", "P Real"),
    ("do { return 1; }", "P Real"),
    ("do { sample (bernoulli 0.3) }", "P Bool"),
    ("do { n <- sample (poisson 2); k <- sample (geometric 0.5); return (n + k) }", "P Nat"),
    ("do { (a, (b, _)) <- return (1, (tt, 2)); () <- score a; return b }", "P Bool"),
    ("do { let y = 2; let (a, b) = (y, tt); let _ = a; if b then return a else sample (uniformOn 0 a) }", "P Real"),
    ("do { let y = 2 in score y; return y }", "P Real"),
    ("do { do { score 1; score 2 }; x <- do { return 3 }; return x }", "P Real"),
    ("do { b <- return (match [1] with [] => tt | x :: _ => x<-1); return b }", "P Bool"),
    ("\\p => do { b <- sample (bernoulli p); return b }", "Real -> P Bool"),
    (
        "let rec walk x = do { u <- sample (uniformOn 0 1); if u < x then return u else walk (x + u) } in walk",
        "Real -> P Real",
    ),
    // a minus behind a comparison, with a space or without
    ("\\x => x<-1", "Real -> Bool"),
    ("do { x<-return 1; y <- return (x<-1.5); return y }", "P Bool"),
    // names where a program or a distribution is expected, and where none is
    ("sample (normal 0 1)", "P Real"),
    ("observe (bernoulli 0.5) tt", "P unit"),
    ("(uniformOn 0 1 : Trace.Dist Real)", "Dist Real"),
    ("normal 0 1", "(Real -> Real) -> Real"),
    ("bernoulli 0.3", "(Bool -> Real) -> Real"),
    ("Trace.normal 0 1", "Dist Real"),
    ("let normal (m s : Real) = Trace.uniformOn m s in do { sample (normal 0 1) }", "P Real"),
    ("do { sample (if tt then exponential 1 else gamma 2 1) }", "P Real"),
    // as functions of the trace
    ("run (sample (beta 1 2))", "List Real -> Maybe Real * Real * List Real"),
    ("density (sample (beta 1 2))", "List Real -> Real"),
];

#[test]
fn programs_have_their_types() {
    let library = library();
    for (program, ty) in PROGRAMS {
        assert_eq!(&answer(&library, program), ty, "{program}");
    }
}

const WRONG: &[Row] = &[
    ("do { x <- 3; return x }", "1:11", "expected P _, found Real", "argument 1 of `do`"),
    ("do { return 1; 2 }", "1:16", "expected P _, found Real", ""),
    ("do { x <- return 1 }", "1:20", "expected `;` and one more program, as a block ends with a program", ""),
    ("do", "1:3", "expected `{` and the statements", ""),
    ("do {}", "1:5", "expected an expression, found `}`", ""),
    ("do { return 1", "1:14", "expected `}`, found the end", "opened here"),
    ("do { return 1; let x = 2 }", "1:26", "expected `;` and the next statement, or `in` after the value of `x`", ""),
    ("do { (x, x) <- return (1, 2); return x }", "1:10", "`x` is bound twice here", ""),
    ("do { X <- return 1; return X }", "1:6", "the name `X` is not known here", ""),
    ("do { sample 3 }", "1:13", "expected Dist _, found Real", "argument 1 of `sample`"),
    ("do { observe (poisson 2) 0.5; return 1 }", "1:26", "expected Nat, found Real", ""),
    ("do { return 1 } }", "1:17", "the character `}` (U+007D) has no meaning here", ""),
    ("(1; 2)", "1:3", "the character `;` (U+003B) has no meaning here", "a program is one expression"),
    ("do (1)", "1:4", "expected `{` and the statements", ""),
];

#[test]
fn what_is_wrong_is_refused_in_its_place() {
    let library = library();
    for (program, place, message, help) in WRONG {
        let found = answer(&library, program);
        assert!(found.contains(&format!("question:{place}")) && found.contains(message), "{program}\n{found}");
        assert!(found.contains(help), "{program}\n{found}");
    }
}

/// At a prompt such an input goes on in the next line.
#[test]
fn a_block_may_be_unfinished() {
    for text in ["do", "do {", "do { x <- return 1;", "do { let x = 1"] {
        assert!(parse_input(text, &[]).is_err_and(|error| error.is_unfinished()), "{text}");
    }
    parse_input("do { return 1 }", &[]).expect("a whole input");
}

/// What is printed reads back as the same program.
#[test]
fn blocks_are_printed_as_what_they_are() {
    let library = library();
    let (term, ty) = library.infer_expression("do { x <- sample (normal 0 1); return x }").expect("it has a type");
    let printed = term.to_string();
    assert_eq!(printed, "Trace.bind (Trace.sample (Trace.normal 0 1)) (\\x => Trace.return x)");
    assert_eq!(answer(&library, &printed), ty.to_string());
}
