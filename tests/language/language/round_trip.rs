//! What is printed can be read back, and means the same.

use super::library;
use smoothish::syntax::library::Library;
use smoothish::syntax::parser::{parse_expression, parse_type};
use smoothish::syntax::source::SourceText;
use smoothish::syntax::term::Term;
use smoothish::syntax::ty::Ty;
use smoothish::theory::builtin;
use smoothish::theory::loader::TheoryCollection;

/// Reads a printed program back, with its type, and prints it again. A program whose types were annotated inside cannot
/// always be inferred once the annotations are gone; it must be of good form all the same.
fn again(library: &Library, printed: &str, ty: &str) -> Option<String> {
    if let Err(error) = parse_expression(printed) {
        panic!("{printed}\n{error}");
    }
    let closed = !ty.split(|letter: char| !letter.is_alphanumeric()).any(|word| word.len() == 1 && word != "2");
    let text = if closed { format!("({printed} : {ty})") } else { printed.to_owned() };
    library.infer_expression(&text).ok().map(|(term, _)| term.to_string())
}

#[test]
fn definitions_are_printed_as_programs() {
    let library = library();
    let mut read = 0;
    for definition in library.modules().iter().flat_map(|module| module.definitions()) {
        let printed = definition.term.to_string();
        if let Some(second) = again(&library, &printed, &definition.scheme.to_string()) {
            assert_eq!(second, printed, "{definition:?}");
            read += 1;
        }
    }
    assert!(read > 35, "only {read} definitions could be read back");
}

/// What literals are compared as is read back: natural numbers, unless they are subtracted.
#[test]
fn comparisons_of_literals_are_printed_as_programs() {
    let library = library();
    for (program, printed) in [
        ("1 < 2", "1 < 2"),
        ("(1 : Real) < 2", "(1 : Real) < 2"),
        ("2 - 3 < 0", "(2 - 3 : Real) < 0"),
        ("(2 - 3 : Nat) < 0", "(2 - 3 : Nat) < 0"),
        ("(5 - 7 : Nat) == 0", "(5 - 7 : Nat) == 0"),
    ] {
        let (term, _) = library.infer_expression(program).unwrap_or_else(|error| panic!("{program}: {error}"));
        assert_eq!(term.to_string(), printed, "{program}");
        assert_eq!(again(&library, printed, "Bool").as_deref(), Some(printed), "{program}");
    }
}

#[test]
fn claims_are_printed_as_programs() {
    let theories: TheoryCollection = builtin::load_theories();
    let check = |term: &Term| {
        let printed = term.to_string();
        assert_eq!(again(theories.library(), &printed, "Real").as_deref(), Some(&*printed));
    };
    for claim in theories.theories().iter().flat_map(|theory| &theory.claims) {
        claim
            .statement
            .typed_programs()
            .into_iter()
            .filter(|(_, ty)| *ty == Ty::real())
            .for_each(|(term, _)| check(term));
    }
}

#[test]
fn types_are_printed_as_types() {
    let library = Library::new();
    for ty in [
        "Real",
        "unit",
        "Real -> Nat -> Bool",
        "(Real -> Nat) -> Bool",
        "Real^3",
        "(Real^2)^3",
        "Real^2 * Real",
        "Real * (Real * Bool)",
        "(Real -> Real)^2 -> Real",
        "Tan (Real * Bool) -> Tan Real",
        "Tan (Tan Real)",
        "(Tan Real)^2",
        "Tan (Real^2)",
        "(Real -> Nat) ~= Bool * Nat",
        "(Real ~= Nat) -> Bool",
        "Real -> (Real ~= Nat)",
        "(Real ~= Nat)^2 * unit",
    ] {
        assert!(parse_type(ty).is_ok(), "{ty}");
        match library.infer_expression(&format!("\\(x : {ty}) => ()")) {
            Ok((_, found)) => {
                let text = found.to_string();
                let domain = text.strip_suffix(" -> unit").unwrap_or(&text);
                match library.infer_expression(&format!("\\(x : {domain}) => ()")) {
                    Ok((_, second)) => assert_eq!(second, found, "{ty} → {domain}"),
                    Err(error) => panic!("{ty} → {domain}: {error}"),
                }
            }
            Err(error) => panic!("{ty}: {error}"),
        }
    }
}

#[test]
fn numbers_are_printed_as_literals() {
    let library = Library::new();
    for (literal, printed) in [
        ("0", "0"),
        ("0.10", "0.1"),
        ("1e-3", "0.001"),
        ("12.5e1", "125"),
        ("1e20", "100000000000000000000"),
        ("1e21", "1e21"),
        ("3e-50", "3e-50"),
        ("0.0", "0"),
        ("1e100000", "1e100000"),
        ("7e-100000", "7e-100000"),
    ] {
        let text = library.infer_expression(literal).map(|(term, _)| term.to_string());
        assert_eq!(text.as_deref(), Ok(printed));
        assert_eq!(again(&library, printed, "Real").as_deref(), Some(printed));
    }
}

/// Random programs, built from a seed, survive printing and reading.
#[test]
fn random_programs_survive() {
    let library = Library::new();
    let mut random = super::corpus::Random::new(7);
    let mut read = 0;
    for _ in 0..2_000 {
        let program = random_program(&mut random, 5, &mut Vec::new());
        if let Ok((term, ty)) = library.infer_expression(&program) {
            let printed = term.to_string();
            let second = again(&library, &printed, &ty.to_string());
            assert_eq!(second.as_deref(), Some(&*printed), "{program}");
            read += 1;
        }
    }
    assert!(read > 300, "only {read} programs had a type");
    let source = SourceText::new("here", "");
    assert_eq!(source.line_and_column(0), (1, 1));
}

fn random_program(random: &mut super::corpus::Random, depth: usize, scope: &mut Vec<String>) -> String {
    let names = ["x", "y", "x", "sin", "p"];
    let kind = if depth == 0 { random.below(3) } else { random.below(14) };
    let part = |random: &mut super::corpus::Random, scope: &mut Vec<String>| random_program(random, depth - 1, scope);
    match kind {
        0 => ["1", "0.5", "2", "tt", "pi"][random.below(5)].to_owned(),
        1 | 2 => match scope.is_empty() {
            true => "3".to_owned(),
            false => scope[random.below(scope.len())].clone(),
        },
        3..=6 => {
            let sign = ["+", "-", "*", "/", "^", "<", "&&"][random.below(7)];
            format!("({} {sign} {})", part(random, scope), part(random, scope))
        }
        7 => format!("(-{})", part(random, scope)),
        8 => format!("({}, {})", part(random, scope), part(random, scope)),
        9 | 10 => {
            let name = names[random.below(names.len())];
            scope.push(name.to_owned());
            let body = part(random, scope);
            scope.pop();
            format!("(\\{name} => {body})")
        }
        11 => format!("({} {})", part(random, scope), part(random, scope)),
        12 => {
            let name = names[random.below(names.len())];
            let value = part(random, scope);
            scope.push(name.to_owned());
            let body = part(random, scope);
            scope.pop();
            format!("(let {name} = {value} in {body})")
        }
        _ => format!("(if {} then {} else {})", part(random, scope), part(random, scope), part(random, scope)),
    }
}
