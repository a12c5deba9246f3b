//! Types that occur in their own constructors (H §5): which are accepted, what their declarations bring, and what is said
//! of the others.

use super::{answer, library};
use smoothish::syntax::library::Library;
use smoothish::syntax::parser::{PromptInput, parse_input};
use smoothish::syntax::source;
use smoothish::syntax::source::SourceText;
use smoothish::syntax::type_error::TypeError;

/// Declares types, one after another, over the built-in theories.
fn declared(texts: &[&str]) -> Result<Library, Box<(String, TypeError)>> {
    let mut library = library();
    library.add_module("Own".into(), vec!["Data".into()]);
    for &text in texts {
        let Ok(PromptInput::Type(declaration)) = parse_input(text, &[]) else { panic!("{text}") };
        library.define_type("Own", text, &declaration).map_err(|error| {
            let source = SourceText::new("own", text);
            Box::new((source::render_error(&source, &error.clone().into()), error))
        })?;
    }
    Ok(library)
}

fn types() -> Library {
    let texts = [
        "type Bin A = Tip | Fork (Bin A * A * Bin A)",
        "type Many A = | Many (A * List (Many A))",
        "type Term A = Var A | App ((Term A)^2) | Lit (Real * Maybe (Term A)) | Both (Either (Term A) (Bin (Term A)))",
        "type Chain = End | Link ((Chain * Real) * Nat)",
        "type Family A B = None | Child ((A -> B) * Family A B)",
        "type Box A = | Box A",
        "type Boxed = Empty | Boxed (Box (Box Boxed) * Many Boxed)",
    ];
    declared(&texts).unwrap_or_else(|wrong| panic!("{}", wrong.0))
}

/// Every declaration brings its fold, with a handler for each constructor.
#[test]
fn folds_have_their_types() {
    let library = types();
    for (program, ty) in [
        ("foldBin", "A -> (A * B * A -> A) -> Bin B -> A"),
        ("foldMany", "(A * List B -> B) -> Many A -> B"),
        ("foldTerm", "(A -> B) -> (B^2 -> B) -> (Real * Maybe B -> B) -> (Either B (Bin B) -> B) -> Term A -> B"),
        ("foldChain", "A -> ((A * Real) * Nat -> A) -> Chain -> A"),
        ("foldFamily", "A -> ((B -> C) * A -> A) -> Family B C -> A"),
        ("foldBoxed", "A -> (Box (Box A) * Many A -> A) -> Boxed -> A"),
        ("Fork (Tip, 1, Tip)", "Bin Real"),
        ("Tip", "Bin A"),
        ("\\t => match t with Tip => 0 | Fork (l, x, r) => x", "Bin Real -> Real"),
        ("let rec size t = (match t with Tip => 0 | Fork (l, _, r) => size l + 1 + size r) in size", "Bin A -> Real"),
        ("foldBin Tip (\\(l, x, r) => Fork (r, x, l))", "Bin A -> Bin A"),
        ("foldMany (\\(x, xs) => x + fold (+) 0 xs) (Many (1, [Many (2, [])]))", "Real"),
    ] {
        let (_, found) = library.infer_expression(program).unwrap_or_else(|error| panic!("{program}: {error}"));
        assert_eq!(found.to_string(), ty, "{program}");
    }
    let module = library.module("Own").unwrap();
    assert!(module.find_definition("foldBox").is_none(), "a type that is not recursive has no fold");
    assert!(module.find_definition("foldBin").unwrap().doc.starts_with("The fold of Bin"));
    let shown: Vec<String> = module.named_types().iter().map(|alias| alias.to_string()).collect();
    assert_eq!(shown[1], "type Many A = | Many (A * List (Many A))");
    assert!(shown[2].contains("App ((Term A)^2)"), "{shown:?}");
}

#[test]
fn wrong_declarations_are_refused() {
    for (texts, place, message, help) in [
        (
            &["type Nest A = Nil | Cons (A * Nest (A * A))"][..],
            "1:31",
            "expected `Nest A`, found `Nest (A * A)`",
            "write `Nest A`",
        ),
        (&["type P A B = E | P (P B A)"], "1:20", "expected `P A B`, found", "write `P A B`"),
        (&["type P A = E | P (List P)"], "1:24", "the type `P` takes 1 argument, not 0", ""),
        (
            &["type F = Z | F (F -> Real)"],
            "1:16",
            "`F` occurs in its own constructors, in F -> Real",
            "a list of its values",
        ),
        (&["type F A = Z | F (A * (Real -> List (F A)))"], "1:18", "in Real -> List (F A)", "a list of its values"),
        (&["type F = Z | F (Tan F)"], "1:16", "in Tan F: it may stand in tuples", "a pair of both"),
        (&["type F = Z | F (F ~= Real)"], "1:16", "in F ~= Real", "isomorphism"),
        (&["type F = Z | F (Surface F)"], "1:16", "in F -> Real", "a list of its values"),
        (&["type G A = | G (Real -> A)", "type F = Z | F (Maybe (G F))"], "1:16", "in G F", "without functions"),
        (
            &["type G A = | G (A -> Real)", "type H B = E | H (List (G B))", "type F A = Z | F (H (F A))"],
            "1:18",
            "in H (F A)",
            "without functions",
        ),
        (
            &["type Stream A = | Cons (A * Stream A)"],
            "1:6",
            "no value has the type `Stream`: `Cons` needs a value",
            "a List or a Maybe",
        ),
        (
            &["type T = | One T | Two (Real * T)"],
            "1:6",
            "`One` and `Two` need a value of it first",
            "add a constructor",
        ),
        (&["type W A = | W A", "type T = | T (W (W T))"], "1:6", "no value has the type `T`", "add a constructor"),
        (&["type Odd = One | More Even"], "1:23", "the type `Even` is not known here", "goes into the other"),
        (&["type Bush = Z | S Bush", "type Bush = Z | S Bush"], "1:6", "`Bush` is defined twice", ""),
    ] {
        let (report, error) = *declared(texts).err().unwrap_or_else(|| panic!("{texts:?} was accepted"));
        let line = report.lines().find(|line| line.contains(" --> ")).unwrap_or_default();
        assert!(line.ends_with(&format!(":{place}")), "{texts:?}: {place}\n{report}");
        assert!(error.to_string().contains(message), "{texts:?}\n{report}");
        assert!(error.help().unwrap_or_default().contains(help), "{texts:?}\n{report}");
    }
    // a type under a function that is not its own is none of its business
    declared(&["type T = Z | S (T * (Real -> Real))"]).unwrap();
    declared(&["type G A = | G (Real -> A)", "type T A = Z | S (T A * G A)"]).unwrap();
}

/// The fold is a name of the module, as the constructors are.
#[test]
fn the_name_of_a_fold_is_taken_once() {
    let mut theories = smoothish::theory::builtin::load_theories();
    for (text, taken) in [
        ("theory A let foldT = 1 type T = Z | S T", "`foldT` is defined twice in the module `A`"),
        ("theory A type T = Z | S T let foldT = 1", "`foldT` is defined twice in the module `A`"),
    ] {
        let report = theories.load([SourceText::new("a", text)]).unwrap_err().render();
        assert!(report.contains(taken), "{text}\n{report}");
    }
    let text = "theory A type Wrap B = | Wrap B let foldWrap = 1";
    assert!(theories.load([SourceText::new("a", text)]).is_ok(), "a type without a fold takes no name");
}

#[test]
fn what_is_wrong_with_a_match_is_said_where_it_is() {
    let library = types();
    for (program, place, message, help) in [
        ("match Fork (Tip, 1, Tip) with Tip => 0", "1:1", "no case for `Fork (x, y, z)`", "| Fork (x, y, z) => …"),
        ("match Tip with Tip => 0 | Fork _ => 1 | Tip => 2", "1:41", "`Tip` has two cases", ""),
        ("match Tip with Tip => 0 | Fork => 1", "1:27", "its case is `Fork (x, y, z)`", ""),
        (
            "match End with Tip => 0 | Fork _ => 1",
            "1:16",
            "`Tip` is a constructor of Bin, but `End` is of type Chain",
            "`End`, `Link`",
        ),
        ("Fork (Tip, 1, 2)", "1:15", "expected Bin Real, found Real", ""),
        ("Fork (Tip, 1, Fork (Tip, tt, Tip))", "1:15", "expected Bin Real, found Bin Bool", ""),
        ("foldBin 0 (\\(l, x, r) => tt) Tip", "1:26", "expected Real, found Bool", ""),
        ("foldBn 0", "1:1", "the name `foldBn` is not known here", "`foldBin`"),
    ] {
        let report = answer(&library, program);
        let line = report.lines().find(|line| line.contains(" --> ")).unwrap_or_default();
        assert!(line.ends_with(&format!(":{place}")), "{program}: {place}\n{report}");
        assert!(report.contains(message) && report.contains(help), "{program}\n{report}");
    }
}

#[test]
fn what_is_printed_is_read_back() {
    let library = types();
    for (program, printed) in [
        ("Fork (Tip, 1, Fork (Tip, 2, Tip))", "Fork (Tip, 1, Fork (Tip, 2, Tip))"),
        ("\\t => foldBin 0 (\\p => p[0] + p[1] + p[2]) t", "\\t => Own.foldBin 0 (\\p => p[0] + p[1] + p[2]) t"),
        (
            "let rec f t = (match t with Fork (l, x, r) => f l + x | Tip => 0) in f",
            "let rec f = \\t => match t with Tip => 0 | Fork tuple => let l = tuple[0] in let x = tuple[1] in let r = tuple[2] in f l + x in f",
        ),
        ("Many (1, [Many (2, [])])", "Many (1, [Many (2, [])])"),
    ] {
        let (term, ty) = library.infer_expression(program).unwrap_or_else(|error| panic!("{program}: {error}"));
        let text = term.to_string();
        assert_eq!(text.replace(['(', ')'], ""), printed.replace(['(', ')'], ""), "{program}");
        let (again, same) = library.infer_expression(&text).unwrap_or_else(|error| panic!("{text}: {error}"));
        assert_eq!((again.to_string(), same), (text, ty));
    }
}

/// Declarations as large as a text may have them are read in time, and wrong ones refused in time.
#[test]
fn large_declarations_end() {
    let start = std::time::Instant::now();
    let deep = |n: usize| format!("type T = Z | S ({}T{})", "(".repeat(n), " * Real)".repeat(n));
    let wide = format!("type T = Z | {}", (0..3_000).map(|n| format!("S{n} (T * T)")).collect::<Vec<_>>().join(" | "));
    for text in [deep(900), wide.clone()] {
        declared(&[&text]).unwrap_or_else(|wrong| panic!("{}", wrong.0.chars().take(300).collect::<String>()));
    }
    assert!(start.elapsed() < std::time::Duration::from_secs(30), "{:?}", start.elapsed());
}
