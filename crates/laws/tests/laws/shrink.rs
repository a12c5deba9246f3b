//! Of `law::shrink`.

use smoothish_laws::law::generate::random_program;
use smoothish_laws::law::term::{TermHead, TestTerm, *};
use smoothish_laws::syntax::constant::Constant;

/// Shrinks the first programs that use a constant, and asks that they keep using it.
fn shrunk(constant: Constant) -> String {
    let uses = |t: &TestTerm| t.to_core().is_some() && t.contains_head(&mut |head| *head == TermHead::Call(constant));
    // shrinking step by step may end where no single step goes on: of several programs the least result
    let terms = (0..).map(|index| random_program(1, index).term).filter(uses).take(6);
    terms
        .map(|term| shrink_term(term, 100_000, uses).to_string())
        .min_by_key(|text| (text.len(), text.clone()))
        .unwrap()
}

#[test]
fn a_failure_is_shrunk_to_what_makes_it() {
    assert_eq!(shrunk(Constant::Elementary(smoothish_laws::function::Function::Sqrt)), "sqrt 0");
    assert_eq!(
        shrunk(Constant::Functional(smoothish_laws::function::Functional::Integral)),
        "integral01 (\\(v0 : Real) => 0)"
    );
    assert_eq!(shrunk(Constant::Equal), "if ((0 : Nat) == 0) then 0 else 0");
}

#[test]
fn numbers_lose_bits() {
    let wanted = |t: &TestTerm| matches!(&t.head, TermHead::Real(q) if *q > 2);
    assert_eq!(shrink_term(TestTerm::real_literal((1001, 64)), 1000, wanted).to_string(), "3");
}

#[test]
fn shrinking_ends_when_everything_fails_and_when_nothing_does() {
    for index in 0..50 {
        let term = random_program(2, index).term;
        assert_eq!(shrink_term(term.clone(), 100_000, |_| false), term);
        assert_eq!(shrink_term(term, 100_000, |_| true).to_string(), "0");
    }
}

/// A sample of a named type is built by its constructors; what shrinking makes of it need not be, and is not a sample.
#[test]
fn samples_of_named_types_are_built_by_constructors() {
    use smoothish_laws::law::property::{ConstructorSampler, LawBinder, SampleArgument, SampleConstructor};
    use smoothish_laws::law::term::{ParsedProgram, TermHead, TestTerm};
    use smoothish_laws::number::Rational;
    use smoothish_laws::random::SplitMix64;
    use smoothish_laws::syntax::library::Library;
    use smoothish_laws::syntax::ty::Ty;
    use std::sync::{Arc, OnceLock};
    let constructor = |text: &str, arguments: Vec<SampleArgument>| {
        let (term, ty) = Library::new().infer_expression(text).unwrap();
        SampleConstructor { closed: Arc::new(ParsedProgram { text: text.into(), term }), ty, arguments }
    };
    // numbers above 1: 1 + exp a, and sums of two of them
    let exponential =
        constructor("\\(a : Real) => 1 + exp a", vec![SampleArgument::Other(LawBinder::from(Ty::real()))]);
    let sum = constructor("\\(a b : Real) => a + b", vec![SampleArgument::SampledType, SampleArgument::SampledType]);
    let constructors = OnceLock::from(vec![exponential, sum]);
    let sampler = Some(Arc::new(ConstructorSampler { constructors }));
    let binder = LawBinder { sampler, ..LawBinder::from(Ty::real()) };
    let mut random = SplitMix64::new(1);
    for size in 1..40 {
        let sample = binder.draw_sample(&mut random, size);
        assert!(binder.admits_term(&sample), "{sample:?}");
        // a number by itself, and a constructor of one, are no samples
        assert!(!binder.admits_term(&TestTerm::real_literal(Rational::from(-1))));
        assert!(matches!(sample.head, TermHead::Apply));
        let mut other = sample.clone();
        other.parts[0] = TestTerm::new(
            TermHead::Parsed(Arc::new(ParsedProgram {
                text: "\\x => 0".into(),
                term: Library::new().infer_expression("\\(x : Real) => 0").unwrap().0,
            })),
            Ty::function(Ty::real(), Ty::real()),
            Vec::new(),
        );
        assert!(!binder.admits_term(&other), "{other:?}");
    }
}
