//! Deep programs, large ones, and recursions without end: an answer or an error that says why, and soon.

use super::{normal, normal_in};
use smoothish::syntax::error;
use smoothish::syntax::library::Library;
use smoothish::syntax::normal::{NormalError, NormaliseLimits, beta_eta_equal, normalise, normalise_within};
use smoothish::syntax::source::Span;
use smoothish::syntax::term::{Term, TermKind};
use smoothish::syntax::ty::{Ty, TyKind};

fn refused(text: &str) -> NormalError {
    normal_in(&Library::new(), text).expect_err(text)
}

/// By need: what is not used may be without end.
#[test]
fn what_is_not_needed_is_not_evaluated() {
    assert_eq!(normal("let rec f n = f (n + 1) in (\\x => 3) (f 0)"), normal("3"));
    assert_eq!(normal("let rec f n = f (n + 1) in fst (1, f 0)"), normal("1"));
    assert_eq!(normal("let rec f n = f (n + 1) in if tt then 1 else f 0"), normal("1"));
}

#[test]
fn sharing_survives() {
    let doubled = |count: usize, last: &str| {
        let mut text = "\\x => ".to_owned();
        for i in 0..count {
            let before = if i == 0 { "x".to_owned() } else { format!("x{}", i - 1) };
            text += &format!("let x{i} = {before} + {before} in ");
        }
        text + last
    };
    let form = normal(&doubled(60, "x59"));
    assert!(form.part_count() < 250, "{}", form.part_count());
    assert!(form.written_size() > 1 << 60);
    assert_ne!(form, normal(&doubled(60, "x58")));
    let written = form.to_program(&Library::new(), None);
    assert!(matches!(written, Err(NormalError::TooLong { .. })), "{written:?}");
    assert!(form.to_string().contains("parts"));
    let term = form.to_term().unwrap();
    assert_eq!(normalise(&term).unwrap(), form);
    // through binders
    let form = normal(&doubled(60, "integral01 (\\y => y * x59)"));
    assert!(form.part_count() < 260, "{}", form.part_count());
}

/// Functions are unfolded where they are applied, so this one has no small normal form.
#[test]
fn a_tower_of_functions_is_refused() {
    let mut text = "let f0 = \\x => sin (sin x) in ".to_owned();
    for i in 1..40 {
        text += &format!("let f{i} = \\x => f{} (f{} x) in ", i - 1, i - 1);
    }
    let error = refused(&(text + "f39"));
    let refused = |error: &NormalError| {
        matches!(error, NormalError::Steps { .. } | NormalError::Size { .. } | NormalError::Depth { .. })
    };
    assert!(refused(&error), "{error}");
    let wide = "\\(p : (((Real^100)^100)^100)^100) => p";
    let error = refused_or_untyped(wide);
    assert!(error.as_ref().is_none_or(refused), "{error:?}");
    assert!(matches!(super::normal_in(&Library::new(), "\\(p : (Real^600)^600) => p"), Err(NormalError::Size { .. })));
}

fn refused_or_untyped(text: &str) -> Option<NormalError> {
    let (term, _) = Library::new().infer_expression(text).ok()?;
    Some(normalise(&term).expect_err(text))
}

#[test]
fn deep_programs_are_normalised() {
    let depth = error::DEPTH as usize - 20;
    let sums = vec!["1"; depth].join(" + ");
    assert!(normal(&sums).to_string() == sums);
    let calls = "sin (".repeat(3000) + "1" + &")".repeat(3000);
    assert_eq!(normal(&calls).part_count(), 3002);
    let lets = (0..2000).map(|i| format!("let x{} = x{i} + 1 in ", i + 1)).collect::<String>();
    assert_eq!(normal(&format!("\\x0 => {lets}x2000")).part_count(), 4004);
    let wide = normal("\\(p : Real^9999) => p + p").to_program(&Library::new(), None);
    assert!(matches!(wide, Err(NormalError::Unreadable { .. })), "{wide:?}");
    let nested = "(\\x => ".repeat(2000) + "sin 1" + &") 2".repeat(2000);
    assert_eq!(normal(&nested), normal("sin 1"));
    let lambdas = format!("{}x", "\\x => ".repeat(3000));
    assert_eq!(normal(&lambdas).part_count(), 3001);
}

/// A recursion of many steps has a deep normal form, and one that is too deep is refused.
#[test]
fn long_recursions() {
    let iterate = |n: u64| format!("let rec f n = if n == 0 then 1 else sin (f (n - 1)) in f {n}");
    assert_eq!(normal(&iterate(4000)).part_count(), 4002);
    let error = refused(&iterate(50_000));
    assert!(matches!(error, NormalError::Depth { .. } | NormalError::Steps { .. }), "{error}");
    let long = normal(&iterate(12_000));
    assert_eq!(long.part_count(), 12_002);
    let unwritten = long.to_program(&Library::new(), None);
    assert!(matches!(unwritten, Err(NormalError::Unreadable { .. })), "{unwritten:?}");
    // in tail position a call takes no stack
    let tail = normal("let rec f n x = if n == 0 then x else f (n - 1) x in f 20000 1");
    assert_eq!(tail, normal("1"));
}

#[test]
fn limits_are_kept() {
    let (term, _) = Library::new().infer_expression("sin (sin (sin 1))").unwrap();
    let within = |steps, nodes| normalise_within(&term, NormaliseLimits { steps, nodes });
    assert_eq!(within(5, 100).unwrap_err(), NormalError::Steps { limit: 5 });
    assert_eq!(within(100, 3).unwrap_err(), NormalError::Size { limit: 3 });
    within(100, 100).expect("enough of both");
}

/// Every reference to a variable far outside costs the way to it.
#[test]
fn far_variables_are_counted() {
    let lets = (0..4000).map(|i| format!("let y{i} = x in ")).collect::<String>();
    let loops = format!("\\x => {lets} let rec f n = if n == 0 then x else f (n - 1) in f 9000");
    assert_eq!(normal(&loops), normal("\\x => x"));
}

/// Terms that no inference made: an error, whatever they are.
#[test]
fn wrong_terms_and_types_are_refused() {
    let new = |kind, ty: &Ty| Term::with_type(kind, ty.clone(), Span::default());
    let (real, arrow) = (Ty::real(), Ty::function(Ty::real(), Ty::real()));
    let variable = |index, ty| new(TermKind::Variable { index, name: "x".into() }, ty);
    assert_eq!(normalise(&variable(0, &real)).unwrap_err(), NormalError::IllScoped);
    let (sine, _) = Library::new().infer_expression("sin").unwrap();
    let error = normalise(&new(sine.kind().clone(), &real)).unwrap_err();
    assert_eq!(error, NormalError::IllTyped);
    assert!(error.to_string().contains("the types that it carries"), "{error}");
    let apply = |function: &Term, argument: &Term, ty| {
        new(TermKind::Apply { function: function.clone(), argument: argument.clone() }, ty)
    };
    // neither without types nor with these
    let bare = |index| Term::new(TermKind::Variable { index, name: "x".into() }, Span::default());
    let untyped = Term::new(
        TermKind::Lambda { name: "x".into(), body: Term::apply(bare(0), bare(0), Span::default()) },
        Span::default(),
    );
    assert_eq!(normalise(&untyped).unwrap_err(), NormalError::IllTyped);
    let x = variable(0, &arrow);
    let itself = new(TermKind::Lambda { name: "x".into(), body: apply(&x, &x, &real) }, &arrow);
    assert_eq!(normalise(&itself).unwrap_err(), NormalError::IllTyped);
    let omega = apply(&itself, &itself, &real);
    assert!(matches!(normalise(&omega), Err(NormalError::Steps { .. })));
    let pair = Term::new(TermKind::Tuple(vec![sine.clone(), sine.clone()]), Span::default());
    let third = new(TermKind::Project { tuple: pair, index: 2 }, &arrow);
    assert_eq!(normalise(&third).unwrap_err(), NormalError::IllScoped);
    let nat = Ty::new(TyKind::Nat);
    let on_naturals = new(sine.kind().clone(), &Ty::function(nat.clone(), nat));
    assert_eq!(beta_eta_equal(&on_naturals, &on_naturals), Err(NormalError::IllTyped));
}

/// Tests that take more than half a second: `cargo quick` passes them over.
mod slow {
    use super::*;

    #[test]
    fn endless_recursions_use_up_the_steps() {
        for text in [
            "let rec f n = f (n + 1) in f 0",
            "let rec f n = 1 + f (n + 1) in f 0",
            "let rec f n = f n in \\x => f x + 1",
            "let rec f n = \\x => f (n + 1) x in f 0",
            "let rec f n = let rec g m = f (n + m) in g n in f 1",
            "let rec f n = if f (n + 1) == 0 then 1 else 2.0 in f 0",
            "let rec f n = if n == 0 then 1 else f (n + 1) in f 1",
            "let rec f n = (f (n + 1), f (n + 2)) [0] in f 1",
            "let rec f n = integral01 (\\x => x * f (n + 1)) in f 0",
        ] {
            let text = text.replace(" [0]", "[0]");
            let Ok((term, _)) = Library::new().infer_expression(&text) else { continue };
            let error = normalise(&term).expect_err(&text);
            assert!(matches!(error, NormalError::Steps { .. } | NormalError::Depth { .. }), "{text}: {error}");
        }
    }

    /// Types without numbers have no parts to be counted, and end all the same.
    #[test]
    fn large_types_of_little_are_bounded() {
        let copies = vec!["g (f x)"; 400].join(" + ");
        let ty = "(unit^400)^400";
        let error = refused(&format!("\\(f : Real -> {ty}) (g : {ty} -> Real) (x : Real) => {copies}"));
        assert!(matches!(error, NormalError::Steps { .. }), "{error}");
    }
}
