//! Of `syntax::parser::input`.

use smoothish_syntax::syntax::parser::{PromptInput, parse_input};
use smoothish_syntax::syntax::surface::TypeDeclaration;

#[test]
fn definitions_are_told_from_expressions() {
    let kind = |text: &str| match parse_input(text, &["of"]) {
        Ok(PromptInput::Empty) => "nothing".to_owned(),
        Ok(PromptInput::Expression(_)) => "expression".to_owned(),
        Ok(PromptInput::Definition(_)) => "definition".to_owned(),
        Ok(PromptInput::Type(TypeDeclaration::Alias(_))) => "alias".to_owned(),
        Ok(PromptInput::Type(TypeDeclaration::Data(_))) => "constructors".to_owned(),
        Err(error) if error.is_unfinished() => "unfinished".to_owned(),
        Err(error) => error.to_string(),
    };
    for (text, expected) in [
        ("", "nothing"),
        (" ! a comment", "nothing"),
        ("1 + 2", "expression"),
        ("let rec f (n : Nat) : Real = f n", "definition"),
        ("let f x =\n  x", "definition"),
        ("let f x = x in f 2", "expression"),
        ("let (x, y) = (1, 2) in x", "expression"),
        ("let _ = 1 in 2", "expression"),
        ("type Surface A = A -> Real", "alias"),
        ("type Maybe A = Nothing | Just A", "constructors"),
        ("type Shape =\n  | Disc Real\n  | Box (Real * Real)", "constructors"),
        ("type Wrap = | Wrap Real", "constructors"),
        ("\\type => type", "expression"),
        ("match m with Nothing => 0 | Just x => x", "expression"),
        ("1 +", "unfinished"),
        ("(1", "unfinished"),
        ("\\x =>", "unfinished"),
        ("let", "unfinished"),
        ("let x", "unfinished"),
        ("let x = 1 in", "unfinished"),
        ("let (x, y) = (1, 2)", "unfinished"),
        ("type", "unfinished"),
        ("type A =", "unfinished"),
        ("type A = B |", "unfinished"),
        ("type A = |", "unfinished"),
        ("match", "unfinished"),
        ("match m with", "unfinished"),
        ("match m with |", "unfinished"),
        ("match m with Just", "unfinished"),
        ("match m with Just x =>", "unfinished"),
        ("match m with Just x => x |", "unfinished"),
        ("match m with [", "unfinished"),
        ("match m with x", "unfinished"),
        ("match m with x ::", "unfinished"),
        ("[1,", "unfinished"),
        ("[", "unfinished"),
        ("1 ::", "unfinished"),
        ("if tt then", "unfinished"),
        ("let x = 1)", "expected an opening bracket before `)`, found none"),
        ("let of = 1", "expected the name that is defined, found `of`"),
        ("let x = 1, 2", "expected `in`, or the end of the definition, found `,`"),
    ] {
        assert_eq!(kind(text), expected, "{text}");
    }
}
