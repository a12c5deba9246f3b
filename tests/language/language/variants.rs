//! Types given by their constructors, `match` and lists: what is accepted (H24), and what is refused with which words.

use super::{answer, library};
use smoothish::syntax::library::Library;
use smoothish::syntax::source::SourceText;
use smoothish::theory::builtin;
use smoothish::theory::loader::TheoryCollection;

/// The built-in theories and one more.
fn with(text: &str) -> Result<TheoryCollection, String> {
    let mut theories = builtin::load_theories();
    theories.load([SourceText::new("more", text)]).map_err(|error| error.render())?;
    Ok(theories)
}

fn shapes() -> Library {
    let text = "theory Forms type Shape = Disc Real | Box (Real * Real) | Empty type Wrap A = | Wrap A
                type Pair A B = Both (A * B) | Neither type Turn = Clockwise | Counterclockwise";
    with(text).unwrap_or_else(|report| panic!("{report}")).library().clone()
}

/// H24: the typing rules of variants and lists.
#[test]
fn programs_have_their_types() {
    let library = shapes();
    for (program, ty) in [
        ("Just 2", "Maybe Real"),
        ("Nothing", "Maybe A"),
        ("Just", "A -> Maybe A"),
        ("(Just : Nat -> Maybe Nat) 2", "Maybe Nat"),
        ("Box", "Real^2 -> Shape"),
        ("Both (1, tt)", "Pair Real Bool"),
        ("Wrap Clockwise", "Wrap Turn"),
        ("Data.Just (Forms.Disc 1)", "Maybe Shape"),
        ("\\s => match s with Disc r => r | Box (w, h) => w * h | Empty => 0", "Shape -> Real"),
        ("\\s => match s with Empty => 0 | Box (_, h) => h | Disc _ => 1", "Shape -> Real"),
        ("\\s => match s with | Forms.Disc r => r | Box p => p[0] | Empty => 0", "Shape -> Real"),
        ("\\m => match m with Nothing => ff | Just _ => tt", "Maybe A -> Bool"),
        ("\\m => match m with Nothing => Nothing | Just (f, x) => Just (f x)", "Maybe ((A -> B) * A) -> Maybe B"),
        ("\\w => match w with Wrap x => x", "Wrap A -> A"),
        ("[]", "List A"),
        ("[1, 2]", "List Real"),
        ("([1, 2] : List Nat)", "List Nat"),
        ("[[1], []]", "List (List Real)"),
        ("1 + 1 :: [2]", "List Real"),
        ("\\n => n < 2 :: []", "error"),
        ("\\n => (n < 2) :: []", "Real -> List Bool"),
        ("(::)", "A -> List A -> List A"),
        ("sin :: [cos, \\x => x]", "List (Real -> Real)"),
        ("fold", "(A -> B -> B) -> B -> List A -> B"),
        ("\\xs => match xs with [] => 0 | x :: rest => x", "List Real -> Real"),
        ("\\xs => match xs with x :: _ => [x] | [] => []", "List A -> List A"),
        ("\\xs => match xs with [] => 0 | (a, b) :: rest => a * b", "List (Real^2) -> Real"),
        ("let rec f n = if n == 0 then [] else n :: f (n - 1) in f", "Nat -> List Nat"),
        ("let rec f xs = match xs with [] => 0 | x :: rest => x + f rest in f", "List Real -> Real"),
        ("match Just 1 with Nothing => 2 | Just x => match [x] with [] => 3 | y :: _ => y", "Real"),
        ("match (match [1] with [] => Nothing | x :: _ => Just x) with Nothing => 0 | Just x => x", "Real"),
        ("let id x = x in match Just id with Nothing => 0 | Just f => f 1", "Real"),
        ("(\\x => x[0]) (1, 2) + (fold (+) 0 [1] : Real)", "Real"),
        (
            "\\(m : Maybe (List Real)) (t : Tan (Maybe Real)) => (m, t)",
            "Maybe (List Real) -> Tan (Maybe Real) -> Maybe (List Real) * Tan (Maybe Real)",
        ),
    ] {
        match library.infer_expression(program) {
            Ok((_, found)) => assert_eq!(found.to_string(), ty, "{program}"),
            Err(error) => assert_eq!(ty, "error", "{program}: {error}"),
        }
    }
}

#[test]
fn what_is_wrong_with_a_match_is_said_where_it_is() {
    let library = shapes();
    for (program, place, message, help) in [
        ("match Just 2 with Nothing => 1", "1:1", "this match has no case for `Just x`", "add | Just x => …"),
        (
            "match Empty with Disc r => r",
            "1:1",
            "no case for `Box (x, y)` and `Empty`",
            "| Box (x, y) => … | Empty => …",
        ),
        ("match [1] with [] => 0", "1:1", "this match has no case for `x :: rest`", "| x :: rest => …"),
        (
            "match Just 2 with Nothing => 1 | Just x => x | Just y => 2",
            "1:48",
            "`Just` has two cases",
            "in parentheses",
        ),
        (
            "match Just 2 with Nothing => 1 | Jst x => x",
            "1:34",
            "there is no constructor `Jst`",
            "did you mean `Just`?",
        ),
        ("match Just 2 with Nothing => 1 | Data.Jst x => x", "1:34", "no constructor `Data.Jst`", "`Just`"),
        ("match Just 2 with Nothing => 1 | Daata.Just x => x", "1:34", "there is no module `Daata`", "`Data`"),
        (
            "match 2 with Nothing => 1 | Just x => x",
            "1:14",
            "`Nothing` is a constructor of Maybe, but `2` is of type Real",
            "max, min",
        ),
        ("match tt with Nothing => 1 | Just x => x", "1:15", "but `tt` is of type Bool", "if"),
        (
            "match Just 2 with Disc x => 1",
            "1:19",
            "`Disc` is a constructor of Shape, but `Just 2` is of type Maybe Real",
            "`Nothing`, `Just`",
        ),
        (
            "match Just 2 with Nothing => 0 | _ => 1",
            "1:34",
            "`_` is no case: a match names every constructor, and has no case for all others; missing here: `Just x`",
            "write Just x => … in its place",
        ),
        ("match Just 2 with x => 1", "1:19", "missing here: `Nothing` and `Just x`", "Nothing => … | Just x => …"),
        ("\\s => match s with other => 1 | Disc r => r", "1:20", "`Box (x, y)` and `Empty`", "in its place"),
        ("match [1] with [] => 0 | _ => 1", "1:26", "missing here: `x :: rest`", ""),
        ("match Just 2 with Nothing => 1 | Just x => x | rest => 2", "1:48", "no case for all others", ""),
        ("\\m => match m with x => 1", "1:20", "no case for all others", ""),
        ("match Just 1 with Nothing => 1 | x :: _ => x", "1:34", "`::` is a constructor of List", "`Nothing`, `Just`"),
        ("\\m => match m with Nothing => 1 | Empty => 2", "1:35", "`Empty` is a constructor of Shape", ""),
        ("match Just 2 with Nothing => 1 | Just => 2", "1:34", "takes an argument: its case is `Just x`", ""),
        ("match Just 2 with Nothing x => 1 | Just y => 2", "1:19", "takes no argument: its case is `Nothing`", ""),
        ("match Just 2 with Nothing => 1 | Just x => tt", "1:44", "expected Real, found Bool", ""),
        (
            "match Empty with Box (w, h, d) => 1 | Disc _ => 2 | Empty => 3",
            "1:22",
            "expected Real^2, found _ * _ * _",
            "",
        ),
        ("Nothing 2", "1:1", "`Nothing` is not a function: it has the type Maybe _", ""),
        ("Just 1 2", "1:8", "`Just` takes 1 argument, and is given 2", ""),
        ("Disc tt", "1:6", "expected Real, found Bool", "argument 1 of `Disc` : Real -> Shape"),
        ("[1, tt]", "1:5", "expected Real, found Bool", ""),
        ("1 :: 2", "1:6", "expected List Real, found Real", ""),
        ("fold (\\x y => x) 0 [tt]", "1:21", "expected Real, found Bool", ""),
        ("fold (\\x => x) 0 [1]", "1:19", "expected Real -> Real, found Real", ""),
        ("\\xs => xs :: xs", "1:14", "no finite type", ""),
        ("Jus 1", "1:1", "the name `Jus` is not known here", "`Just`"),
        ("\\(m : Maybe) => m", "1:7", "the type `Maybe` takes 1 argument, not 0", ""),
        ("\\(m : List) => m", "1:7", "the type `List` takes 1 argument, not 0", ""),
        ("1 + Just 1", "1:5", "works on a number", ""),
        ("cons 1 []", "1:1", "the name `cons` is not known here", "`x :: rest`"),
    ] {
        let report = answer(&library, program);
        let line = report.lines().find(|line| line.contains(" --> ")).unwrap_or_default();
        assert!(report.starts_with("error: ") && line.ends_with(&format!(":{place}")), "{program}: {place}\n{report}");
        assert!(report.lines().next().unwrap_or_default().contains(message), "{program}\n{report}");
        assert!(report.contains(help), "{program}\n{report}");
    }
}

#[test]
fn wrong_declarations_are_refused() {
    for (text, message) in [
        ("theory A type T = B | B Real", "`B` is bound twice here"),
        ("theory A type T = B | C type U = C | D", "`C` is defined twice in the module `A`"),
        ("theory A let C = 1 type T = B | C", "`C` is defined twice in the module `A`"),
        ("theory A type T = B | C let C = 1", "`C` is defined twice in the module `A`"),
        ("theory A type T = B | C type T = Real", "`T` is defined twice in the module `A`"),
        ("theory A type T = Real | C", "`Real` is defined twice in the module `the language`"),
        ("theory A type T = B Real Real | C", "expected a constructor"),
        ("theory A type T = Real -> Real | C", "expected a constructor"),
        ("theory A type T = (B Real) | C Real^2", "`C Real^2` can be read in two ways"),
        ("theory A type T = B | c", "expected a constructor, with a capital initial, found `c`"),
        ("theory A type T = B X | C", "the type `X` is not known here"),
        ("theory A type List A = B | C", "`List` is defined twice"),
        ("theory A type T = B let f (t : T) = match t with Data.Nothing => 1", "the type `B` is not known here"),
    ] {
        let report = with(text).err().unwrap_or_else(|| panic!("{text} was loaded"));
        assert!(report.contains(message), "{text}\n{report}");
    }
}

/// A constructor is found as a definition is: in its own module first, and by the module's name always.
#[test]
fn constructors_are_found_as_definitions_are() {
    let mut theories = with("theory One type T = Yes | No let a = match Yes with Yes => 1 | No => 2").unwrap();
    theories
        .load([SourceText::new("two", "theory Two type T = Yes | Never let b = match Yes with Yes => 1 | Never => 2")])
        .unwrap();
    let library = theories.library();
    let report = answer(library, "match One.Yes with Yes => 1 | No => 2");
    assert!(
        report.contains("`Yes` is defined in several modules") && report.contains("One.Yes or Two.Yes"),
        "{report}"
    );
    let (_, ty) = library.infer_expression("match One.Yes with One.Yes => 1 | No => 2").unwrap();
    assert_eq!(ty.to_string(), "Real");
    let report = answer(library, "match One.Yes with Two.Yes => 1 | Never => 2");
    assert!(report.contains("`Yes` is a constructor of T, but `One.Yes` is of type T"), "{report}");
    let report = answer(library, "(\\(x : One.T) => x) Two.Yes");
    assert!(report.contains("these are two types called T: those of One and of Two"), "{report}");
    let theory = "theory Three extends Two let c = match Yes with Yes => 1 | Never => 2";
    let loaded = with("theory Two type T = Yes | Never").unwrap().load([SourceText::new("three", theory)]);
    assert!(loaded.is_ok(), "{:?}", loaded.err());
}

#[test]
fn what_is_printed_is_read_back() {
    let library = shapes();
    for (program, printed) in [
        ("[1, 2]", "[1, 2]"),
        ("1 :: [2]", "[1, 2]"),
        ("\\xs => 1 :: 2 :: xs", "\\xs => 1 :: 2 :: xs"),
        ("\\xs => (1 :: xs) :: []", "\\xs => [1 :: xs]"),
        ("Just (Just 1)", "Just (Just 1)"),
        ("Just (-1)", "Just (-1)"),
        ("Just", "\\x => Just x"),
        ("\\m => match m with Just x => x | Nothing => 0", "\\m => match m with Nothing => 0 | Just x => x"),
        (
            "\\s => match s with Disc _ => 1 | Box (w, h) => w + h | Empty => 0",
            "\\s => match s with Disc _ => 1 | Box pair => (let w = pair[0] in let h = pair[1] in w + h) | Empty => 0",
        ),
        ("\\xs => match xs with [] => 0 | x :: xs => x", "\\xs => match xs with [] => 0 | x :: xs' => x"),
        (
            "\\xs => match xs with [] => 0 | _ :: r => fold (+) 0 r",
            "\\xs => match xs with [] => 0 | x :: rest => let r = rest in fold (+) 0 r",
        ),
        (
            "\\m => match m with Nothing => (\\x => x) | Just y => \\x => x + y",
            "\\m => match m with Nothing => (\\x => x) | Just y => \\x => x + y",
        ),
        ("(match Just 1 with Nothing => 0 | Just x => x) + 1", "(match Just 1 with Nothing => 0 | Just x => x) + 1"),
        (
            "match (match [1] with [] => Nothing | x :: _ => Just x) with Nothing => 0 | Just x => x",
            "match (match [1] with [] => Nothing | x :: rest => let x' = x in Just x') with Nothing => 0 | Just x => x",
        ),
    ] {
        let (term, ty) = library.infer_expression(program).unwrap_or_else(|error| panic!("{program}: {error}"));
        assert_eq!(term.to_string(), printed, "{program}");
        let (again, same) = library.infer_expression(printed).unwrap_or_else(|error| panic!("{printed}: {error}"));
        assert_eq!(again.to_string(), printed);
        assert_eq!(same, ty);
    }
}

#[test]
fn limits_have_messages() {
    let library = library();
    let list = |n: usize| format!("[{}]", vec!["1"; n].join(", "));
    assert!(answer(&library, &list(5_001)).contains("at most 5000 elements are allowed"));
    assert!(answer(&library, &list(5_000)).contains("List Real"));
    let many = 100_000;
    for program in [
        format!("{}[]", "1 :: ".repeat(many)),
        format!("{}1{}", "[".repeat(many), "]".repeat(many)),
        format!("{}1", "match [] with x :: _ => 1 | [] => ".repeat(many)),
        format!("{}1{}", "match ".repeat(many), " with [] => 1 | x :: _ => 2".repeat(many)),
        format!("{}1{}", "Just (".repeat(many), ")".repeat(many)),
        format!("\\(x : {}Real{}) => x", "List (".repeat(many), ")".repeat(many)),
    ] {
        let report = answer(&library, &program);
        assert!(
            report.contains("nested more than 10000 levels deep"),
            "{}",
            report.chars().take(300).collect::<String>()
        );
    }
    assert!(answer(&library, &format!("{}[]", "1 :: ".repeat(9_000))).contains("List Real"));
    assert!(answer(&library, &format!("{}1{}", "[".repeat(4_000), "]".repeat(4_000))).contains("List"));
}
