//! The macro on programs (H §3.2, §5.1, Lemma 1).

use crate::taylor::{THEORIES, basis, derived, derived_at, infer, is};
use smoothish::law::theorem::{TheoremRun, find_theorem};
use smoothish::meaning::taylor::derive::{DeriveError, derive_program};
use smoothish::meaning::taylor::functor::Taylor;
use smoothish::model::{InterpretError, interpret};
use smoothish::syntax::lexer::{Lexer, Token};
use smoothish::syntax::printer::break_lines;
use smoothish::syntax::source::Span;
use smoothish::syntax::term::Term;
use smoothish::syntax::ty::{Ty, TyKind};

fn ty(program: &str, k: usize, order: usize) -> String {
    derived(program, &basis(k, order)).unwrap_or_else(|e| panic!("{program}: {e}")).ty.to_string()
}

/// H11: 𝒟 on types.
#[test]
fn types_are_translated() {
    assert_eq!(ty("\\(x : Real) => x", 1, 1), "Real^2 -> Real^2");
    assert_eq!(ty("\\(x : Real) => x", 2, 3), "Real^10 -> Real^10");
    assert_eq!(
        ty("\\(f : Real -> Real) (x : Real * Nat) => f x[0]", 1, 1),
        "(Real^2 -> Real^2) -> Real^2 * Nat -> Real^2"
    );
    assert_eq!(ty("\\(m : Maybe (List Real)) => m", 1, 2), "Maybe (List (Real^3)) -> Maybe (List (Real^3))");
    assert_eq!(ty("\\n => n == 3", 1, 1), "Nat -> Bool");
}

/// H9–H11, H25: 𝒟 commutes with every construct, and numbers become tuples (E28).
#[test]
fn structure_is_kept() {
    let program =
        |source: &str, k, order| derived(source, &basis(k, order)).expect("derived").format_program().expect("typed");
    assert_eq!(program("2", 1, 1), "(2, 0)");
    assert_eq!(program("2", 2, 2), "(2, 0, 0, 0, 0, 0)");
    assert_eq!(program("\\f => f 2", 1, 1), "\\f => f (2, 0)");
    assert_eq!(program("\\x => (x, 1)", 1, 1), "\\x => (x, (1, 0))");
    assert_eq!(program("\\(p : Real * Real) => p[1]", 1, 1), "\\(p : (Real^2)^2) => p[1]");
    assert_eq!(program("\\x => let y = x + x in y", 1, 1), "\\(x : Real^2) => let y = x + x in y");
    assert_eq!(program("\\b x y => if b then x + 0 else y", 1, 1), "\\b => \\x => \\y => if b then x + (0, 0) else y");
    assert_eq!(program("\\x => [x, 1]", 1, 1), "\\x => [x, (1, 0)]");
    assert_eq!(
        program("\\m => match m with Nothing => 0 | Just x => x", 1, 1),
        "\\m => match m with Nothing => (0, 0) | Just x => x"
    );
    assert_eq!(program("\\xs => fold (\\x y => x + y) 0 xs", 1, 1), "\\xs => fold (\\x => \\y => x + y) (0, 0) xs");
    assert_eq!(program("\\n => toReal (n * n)", 1, 1), "\\n => (toReal (n * n), 0)");
}

/// A program with types, recursion, integrals and derivatives: at the jet of the identity, its derivatives.
#[test]
fn programs_of_every_kind() {
    let table = [
        // power x 4 at 2: 16, 32, 48
        ("\\x => power x 4", "(2, 1, 0)", "(16, 32, 48)"),
        // ∫ exp (t x) dt at 1: e − 1, then ∫ t eᵗ = 1, ∫ t² eᵗ = e − 2
        ("\\x => integral01 (\\t => exp (t * x))", "(1, 1, 0)", "(exp 1 - 1, 1, exp 1 - 2)"),
        // the derivative of y ↦ x y³ at y = x, that is 3x³: 24, 36, 36 at 2
        ("\\x => deriv (\\y => x * y^3) x", "(2, 1, 0)", "(24, 36, 36)"),
        // nested derivatives do not take each other's perturbation: x · d/dy (x + y) = x
        ("\\x => x * deriv (\\y => x + y) 1", "(5, 1, 0)", "(5, 1, 0)"),
        // (x − 1)² + (x − 2)² at 4: 13, 2·3 + 2·2, 4
        ("\\x => fold (\\y rest => (x - y)^2 + rest) 0 [1, 2]", "(4, 1, 0)", "(13, 10, 4)"),
        ("\\x => twice (\\y => y * y) x", "(3, 1, 0)", "(81, 108, 108)"),
        ("\\x => (\\(f : Real -> Real) => f (f x)) (\\y => y * y)", "(3, 1, 0)", "(81, 108, 108)"),
        ("\\x => x ^ x", "(1, 1, 0)", "(1, 1, 2)"),
        // exponents that are known have their own tables, also for x < 0
        ("\\x => let n = 3 in x ^ n", "(-2, 1, 0)", "(-8, 12, -12)"),
        ("\\x => let n = 1 + 2 in let m = n - 1 in x ^ m", "(-2, 1, 0)", "(4, -4, 2)"),
        ("\\x => let n = 5 in (\\n => x ^ 2 * n) 3", "(-2, 1, 0)", "(12, -12, 6)"),
        ("\\x => sqrt x * sqrt x", "(4, 1, 0)", "(4, 1, 0)"),
        ("\\x => pi + 0 * x", "(4, 1, 0)", "(pi, 0, 0)"),
    ];
    for (program, jet, expected) in table {
        is(&derived_at(program, &basis(1, 2), &[jet]), expected);
    }
}

/// Constructors with numbers in them get a type of their own.
#[test]
fn declared_types_are_translated() {
    let source = "theory Forms extends Data\n\
        type Shape = Circle Real | Box (Real * Real) | Empty\n\
        let area (s : Shape) : Real =\n  match s with Circle r => pi * r^2 | Box (a, b) => a * b | Empty => 0\n";
    let mut theories = smoothish::theory::builtin::load_theories();
    theories.load([smoothish::syntax::source::SourceText::new("shapes.theory", source)]).expect("a theory");
    let (term, ty) = theories.library().infer_expression("\\x => area (Box (x, 3)) + area (Circle x)").expect("typed");
    let derived = derive_program(&term, &ty, &basis(1, 1)).expect("derived");
    assert_eq!(derived.check_types(), Ok(()));
    assert_eq!(derived.declarations(), ["type Shape' = Circle' (Real^2) | Box' ((Real^2)^2) | Empty'"]);
    let applied = Term::apply(derived.to_closed_term(), jet(&["2", "1"]), Span::default());
    let pair = Ty::new(TyKind::Tuple(vec![Ty::real(); 2]));
    crate::taylor::same(
        &crate::taylor::enclosures(&applied, &pair),
        &crate::taylor::ask("(6 + 4*pi, 3 + 4*pi)"),
        "area",
    );
}

fn jet(parts: &[&str]) -> Term {
    infer(&format!("({})", parts.join(", "))).0
}

/// What the macro has no rule for is refused, with a hint to nothing but the reason.
#[test]
fn what_is_not_smooth_is_refused() {
    for program in ["abs", "\\x => max x 0", "signum", "\\x => if x < 0 then 1 else 2", "tangent_R", "\\f => tangent f"]
    {
        let (term, ty) = infer(program);
        let error = derive_program(&term, &ty, &basis(1, 1)).expect_err(program);
        assert!(matches!(error, DeriveError::Fragment(_)), "{program}: {error}");
        // the functor says so too, where nobody has asked before
        let error = interpret(&Taylor::new(basis(1, 1)), &[], &term).expect_err(program);
        assert!(matches!(&error, InterpretError::Unsupported(lacks) if lacks.model == "taylor"), "{program}: {error}");
    }
}

/// H14: derived programs print as programs that read back, with the same type.
#[test]
fn derived_programs_read_back() {
    let programs = [
        "horner",
        "squaredError",
        "\\x y => atan x / y",
        "\\f x => f (f x)",
        "\\x => deriv sin x",
        "compose",
        "mapList",
        "withDefaults",
        "layer3",
        "comp",
        "batch",
        "foldTree",
        "network234",
        "\\xs => sum (mapList (\\x => x^2) xs)",
        "\\m => orElse 3 m",
        "\\x => integral01 (\\t => x * t)",
        "cutRoot",
        "\\f => firstRoot f",
        "\\x => argmax01 (\\t => x * t - t^2)",
        "\\x => max01 (\\t => x * t - t^2) + integral01 (\\t => argmin01 (\\s => (s - t * x)^2))",
        "min01",
        "\\(x, y) => let f z = z * x in f (f y)",
        "\\x => power x 3",
        "\\e => choose sin (\\x => x) e",
        // nothing but the types of the program says of what components are taken
        "\\(x : Real) => match (Left x : Either Real (Real * Real)) with Left y => y * y | Right p => p[0]",
        "\\(x : Real) => match (Nothing : Maybe (Real * Real)) with Nothing => x | Just p => p[1] * x",
        "\\(x : Real) => let m = (Nothing : Maybe (Real * Real)) in match m with Nothing => x | Just p => p[1] * x",
        "\\(x : Real) => let f = \\(p : Real * Real) => p[0] in x",
        "\\(x : Real) => fold (\\(p : Real * Real) s => p[0] * s) x []",
        "\\(x : Real) => match ([] : List (Real * Real)) with [] => x | p :: _ => p[0]",
    ];
    for program in programs {
        for (k, order) in [(1, 1), (2, 1), (1, 3)] {
            let derived = derived(program, &basis(k, order)).unwrap_or_else(|e| panic!("{program}: {e}"));
            let text = derived.format_program().unwrap_or_else(|e| panic!("{program}: {e}"));
            let (_, found) =
                THEORIES.library().infer_expression(&text).unwrap_or_else(|e| panic!("{program}\n{text}\n{e}"));
            assert_eq!(found.to_string(), derived.ty.to_string(), "{text}");
        }
    }
}

/// Lines of derived programs are short, and broken where a program is put together; what is read is what it was in one line.
#[test]
fn long_programs_have_short_lines() {
    let words = |text: &str| {
        let (mut lexer, mut words) = (Lexer::new(text), Vec::new());
        loop {
            let lexeme = lexer.next_lexeme().expect("a program");
            words.push(lexeme.span.text_in(text).to_owned());
            if lexeme.token == Token::End {
                return words;
            }
        }
    };
    let lambda = "\\(first : Real) => \\(second : Real) => let third = first + second in third * third - first";
    let expected = "\\(first : Real) => \\(second : Real) =>\n  let third = first + second in\n  third * third - first";
    assert_eq!(break_lines(lambda, 40), expected);
    let cases = "match some with Nothing => (1000000, 2000000, 3000000) | Just x => (x + 1, f x (x - 2), -x)";
    let expected = "match some with\n  Nothing => (1000000, 2000000, 3000000)\n  | Just x => (x + 1, f x (x - 2), -x)";
    assert_eq!(break_lines(cases, 40), expected);
    for (program, k, order) in
        [("network234", 1, 1), ("foldTree", 2, 1), ("\\x y => x / y + x ^ y", 2, 3), ("batch", 1, 3)]
    {
        let text = derived(program, &basis(k, order)).expect("derived").format_program().expect("typed");
        assert!(text.lines().all(|line| line.chars().count() <= 100), "{program}\n{text}");
        let in_one = text.lines().map(str::trim).collect::<Vec<_>>().join(" ");
        for width in [1, 20, 60] {
            assert_eq!(words(&break_lines(&in_one, width)), words(&text), "{program}, {width}");
        }
    }
}

/// H15, E31: the inner product, (1,1) as printed and (2,2)′ with its mixed terms of both vectors.
#[test]
fn inner_products() {
    let product = "\\(z1, z2) (y1, y2) => z1*y1 + z2*y2";
    let at = derived_at(product, &basis(1, 1), &["((2, 3), (5, 7))", "((11, 13), (17, 19))"]);
    is(&at, "(2*11 + 5*17, 2*13 + 3*11 + 5*19 + 7*17)");
    let restricted = smoothish::meaning::taylor::jet::Basis::without_unmixed();
    let at =
        derived_at(product, &restricted, &["((2, 3, 4, 5), (6, 7, 8, 9))", "((10, 11, 12, 13), (14, 15, 16, 17))"]);
    // the last component: z″y + zy″ + z′₁y′₂ + z′₂y′₁, for both coordinates
    let last = "5*10 + 2*13 + 3*12 + 4*11 + 9*14 + 6*17 + 7*16 + 8*15";
    is(&at, &format!("(2*10 + 6*14, 2*11 + 3*10 + 6*15 + 7*14, 2*12 + 4*10 + 6*16 + 8*14, {last})"));
    // as printed it would be y′₁y′₂ + z′₁z′₂ for the mixed terms: another number
    let printed = "5*10 + 2*13 + 11*12 + 3*4 + 9*14 + 6*17 + 15*16 + 7*8";
    let [right, wrong] = [last, printed].map(|text| crate::taylor::ask(text).remove(0));
    assert!(!right.overlaps(&wrong));
}

/// A definition with parameters is printed with them, and may be used at several types.
#[test]
fn polymorphic_definitions_are_used_at_several_types() {
    let program = "\\x => withDefaults (batch neuron2) ([(Just x, Nothing)], ((x, 1), ((x, -1), x))) \
        + withDefaults (\\(l, u) => u) ([(Just x, Nothing)], ((x, 1), x))";
    let text = derived(program, &basis(1, 1)).expect("derived").format_program().expect("typed");
    assert!(text.contains("\nlet withDefaults' P : "), "{text}");
    let (_, ty) = infer(&text);
    assert_eq!(ty.to_string(), "Real^2 -> Real^2");
    let [nested, derived] = crate::taylor::both(program, &[smoothish::number::Rational::from((1, 2))], 2);
    crate::taylor::same(&derived, &nested, program);
}

/// Declarations come after those that they need, are there for types that no constructor shows, and have free names.
#[test]
fn declarations_can_be_pasted() {
    let source = "theory Own extends Prelude\n\
        type B = MkB Real | NoB\n\
        type A = MkA (B * Real) | NoA\n\
        type T = End | Step (Real * T)\n\
        type T' = End' | Step' Nat\n\
        let unA (a : A) : Real = match a with MkA (b, x) => x | NoA => 0\n";
    let mut theories = smoothish::theory::builtin::load_theories();
    theories.load([smoothish::syntax::source::SourceText::new("own.theory", source)]).expect("a theory");
    for (program, made) in [
        ("\\x => unA (MkA (MkB x, x * x))", 2),
        ("\\(x : Real) => (\\(a : A) => x * x) NoA", 2),
        ("\\(q : T * Real) => q[1]", 1),
        ("\\(q : T' * Real) => match q[0] with End' => q[1] | Step' _ => 0", 0),
        (
            "\\(q : T * T' * Real) => match q[1] with End' => q[2] | Step' _ => match q[0] with End => 1 | Step _ => 2",
            2,
        ),
        (
            "\\(q : T' * T * Real) => match q[0] with End' => q[2] | Step' _ => match q[1] with End => 1 | Step _ => 2",
            2,
        ),
    ] {
        let (term, ty) = theories.library().infer_expression(program).unwrap_or_else(|e| panic!("{program}: {e}"));
        let derived = derive_program(&term, &ty, &basis(1, 1)).unwrap_or_else(|e| panic!("{program}: {e}"));
        let declarations = derived.declarations();
        assert_eq!(declarations.len(), made, "{program}: {declarations:?}");
        let text = derived.format_program().expect("typed").replace('\n', "\n  ");
        let pasted = format!("theory Pasted extends Own\n{}\nlet pasted =\n  {text}\n", declarations.join("\n"));
        let mut theories = smoothish::theory::builtin::load_theories();
        let sources = [("own.theory", source.to_owned()), ("pasted.theory", pasted.clone())];
        let sources = sources.map(|(name, text)| smoothish::syntax::source::SourceText::new(name, text));
        theories.load(sources).unwrap_or_else(|e| panic!("{pasted}\n{}", e.render()));
    }
}

/// Tests that take more than half a second: `cargo quick` passes them over.
mod slow {
    use super::*;

    /// H14, Lemma 1: the derived program has the derived type; substitution may be done before or after, and the programs are
    /// the same up to names. On terms at random, and on terms of the whole language that use what they bind.
    #[test]
    fn typing_and_substitution() {
        let lemma = find_theorem("lemma-1").unwrap();
        let outcome = lemma.run_test(&TheoremRun::new(1200, 14), None);
        assert!(outcome.has_passed() && outcome.survived > 900, "{outcome:?}");
        // a value that is put into the derived program as it is
        assert!(lemma.run_test(&TheoremRun::new(100, 14), Some(0)).refutation.is_some());
    }
}

/// Threads that translate a declared type at the same time get one image of it, which is made once.
#[test]
fn threads_share_the_image_of_a_declared_type() {
    use smoothish::meaning::taylor::functor::TypeTranslation;
    use smoothish::syntax::data::DataType;
    // wide enough that all threads are within its translation at once
    let wide = Ty::new(TyKind::Tuple(vec![Ty::real(); 2000]));
    let data = DataType::new("Test".into(), "T".into(), Vec::new(), vec![("J".into(), Some(wide))]);
    for _ in 0..50 {
        let types = TypeTranslation::new(3);
        let start = std::sync::Barrier::new(4);
        let images: Vec<DataType> = std::thread::scope(|scope| {
            let translate = || {
                start.wait();
                types.translate_data(&data)
            };
            let running: Vec<_> = (0..4).map(|_| scope.spawn(translate)).collect();
            running.into_iter().map(|thread| thread.join().unwrap()).collect()
        });
        assert_eq!(types.made_types().len(), 1);
        assert!(images.iter().all(|image| *image == images[0] && &**image.name() == "T'"), "{images:?}");
    }
}
