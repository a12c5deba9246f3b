//! The functors out of programs of H Lemma 4, in a category of one's own: sets and functions, with ℤ/7 for the real line.

use crate::sets::{Function, Set, Sets, Value, call, function, injection, pair, part};
use smoothish_laws::category::value::{
    ArrowError, ArrowResult, Typed, ValueCartesian, ValueCategory, ValueCocartesian, ValueLists,
};
use smoothish_laws::category::{Arrow, ObjectName};
use smoothish_laws::law::category::{DrawArrow, check_bicartesian_closed, functor_composition, functor_identity};
use smoothish_laws::law::functor::{
    check_preservation, draw_simple_type, keeps_operations, preserves, unique, well_defined,
};
use smoothish_laws::law::generate::{TermGenerator, TermVocabulary};
use smoothish_laws::meaning::taylor::derive::TaylorFunctor;
use smoothish_laws::meaning::taylor::functor::{DefaultTaylorHooks, Taylor, TaylorHooks};
use smoothish_laws::meaning::taylor::jet::Basis;
use smoothish_laws::meaning::taylor::partial::SmoothOperation;
use smoothish_laws::model::interpretation::{Comparison, Interpret, Interpretation, Operation, ProgramFunctor};
use smoothish_laws::number::Rational;
use smoothish_laws::random::SplitMix64;
use smoothish_laws::simple::{ListOf, One, Plus, RealLine, Terms, Times, To};
use smoothish_laws::syntax::constant::Constant;
use smoothish_laws::syntax::library::Library;
use smoothish_laws::syntax::term::{Term, TermKind};
use smoothish_laws::syntax::ty::{Ty, TyKind};
use smoothish_laws::verdict::Verdict;
use std::collections::BTreeSet;
use std::convert::Infallible;
use std::fmt;

/// ℤ/7 for the real line. x / 0 is 0, so that division is a function; no law of H Lemma 4 asks for more.
#[derive(Clone, Copy, Debug, Default)]
struct ModuloSeven;

/// a · b⁻¹ modulo 7, by Fermat: b⁻¹ = b⁵.
fn divide(a: u64, b: u64) -> u64 {
    (0..5).fold(a, |product, _| product * b % 7)
}

fn residue_of(q: &Rational) -> u64 {
    let residue = |n: &dyn fmt::Display| n.to_string().parse::<i64>().unwrap().rem_euclid(7) as u64;
    divide(residue(q.numer()), residue(q.denom()))
}

impl Interpretation<Sets> for ModuloSeven {
    const NAME: &'static str = "integers modulo 7";

    fn real(&self, _: &Sets) -> Set {
        Set::Modular
    }

    fn operation(&self, _: &Sets, operation: &Operation) -> ArrowResult<Sets> {
        let number = |x: &Value| match x {
            Value::Residue(n) => *n,
            _ => panic!("{x:?} is no number"),
        };
        let binary =
            |f: fn(u64, u64) -> u64| Ok(function(move |p| Value::Residue(f(number(part(p, 0)), number(part(p, 1))))));
        match operation {
            Operation::Number(q) => {
                let n = residue_of(q);
                Ok(function(move |_| Value::Residue(n)))
            }
            Operation::Constant(Constant::Add, _) => binary(|a, b| (a + b) % 7),
            Operation::Constant(Constant::Subtract, _) => binary(|a, b| (a + 7 - b) % 7),
            Operation::Constant(Constant::Multiply, _) => binary(|a, b| a * b % 7),
            Operation::Constant(Constant::Divide, _) => binary(divide),
            Operation::Constant(Constant::Negate, _) => Ok(function(move |x| Value::Residue((7 - number(x)) % 7))),
            // any other operation of one or two numbers is some function of them: the lemma asks nothing of it
            Operation::Constant(constant, _) if is_of_numbers(operation) => {
                let (seed, of) = (
                    SplitMix64::new(constant.name().bytes().fold(5, |n, b| n * 31 + u64::from(b))).next(),
                    product_of(operation.argument_types().len()),
                );
                Ok(function(move |x| Value::Residue((seed ^ of.observe(x)) % 7)))
            }
            Operation::Power(q) => {
                let seed = residue_of(q);
                Ok(function(move |x| Value::Residue((number(x) + seed) * (number(x) + 1) % 7)))
            }
            _ => Err(operation.no_image(Self::NAME)),
        }
    }
}

/// Whether an operation is one from numbers to a number.
fn is_of_numbers(operation: &Operation) -> bool {
    operation.argument_types().iter().chain([&operation.codomain()]).all(|ty| *ty == Ty::real())
}

fn product_of(count: usize) -> Set {
    match count {
        0 => Set::One,
        1 => Set::Modular,
        _ => Sets::Right.product_object(&Set::Modular, &product_of(count - 1)),
    }
}

type Modular = Interpret<Sets, ModuloSeven>;

const MODULAR: Modular = Interpret { category: Sets::Right, interpretation: ModuloSeven };

/// The value of a program without arguments.
fn value_of(text: &str) -> Value {
    let (program, ty) = Library::new().infer_expression(text).unwrap();
    let ty = ty.with_reals();
    let function = Ty::function(Ty::unit(), ty.clone());
    let constant = Term::lambda("u".into(), Ty::unit(), program, smoothish_laws::syntax::source::Span::default());
    let constant = Term::with_type(constant.kind().clone(), function, constant.span());
    MODULAR.arrow_of(&constant, &Ty::unit(), &ty).unwrap_or_else(|error| panic!("{text}: {error}"))(&Value::Star)
}

#[test]
fn programs_have_values_modulo_seven() {
    for (text, value) in [
        // 27 + 6 = 33 = 5; 125 + 10 = 135 = 2
        (r"(\f => f (f 3)) (\x => x*x*x + 2*x)", "2"),
        // 5·0 + 1 = 1, 3·1 + 1 = 4, 2·4 + 1 = 9 = 2
        (r"fold (\x s => x*s + 1) 0 [2,3,5]", "2"),
        // 2 · 4 = 8 = 1 modulo 7
        ("1/2", "4"),
        // from the end: 5 - 2 = 3, 3 - 6 = 4, 2 - 8 = 1; from the start it would be 6
        (r"fold (\x s => x - 2*s) 1.0 [2.0, 3.0, 5.0]", "1"),
        (r"let p = (1.0, 2.0, 4.0) in p[2] - p[0]", "3"),
        (r"match [4.0, 5.0] with [] => 1.0 | x :: xs => match xs with [] => 2.0 | y :: _ => x * y", "6"),
        (r"if 2 < 3 then 5.0 else 6.0", "5"),
        (r"if 3 < 2 then 5.0 else 6.0", "6"),
        (r"let n = 3 in toReal (n * n + 1)", "3"),
        (r"let twice = \f x => f (f x) in twice (twice (\x => 3 * x)) 1.0", "4"),
        (r"(1.0, 2.0) + (6.0, 6.0)", "(0, 1)"),
        (r"[1.0, 8.0]", "[1, 1]"),
        (r"(\(n : Nat) => n * 2 - 1) 3", "[*, *, *, *, *]"),
    ] {
        assert_eq!(format!("{:?}", value_of(text)), value, "{text}");
    }
}

/// The operations on natural numbers are programs on lists over 1, the truth values the sum 1 + 1.
#[test]
fn operations_on_natural_numbers_are_those_of_lists() {
    for m in 0_u64..4 {
        for n in 0_u64..4 {
            let at = |body: &str| format!("{:?}", value_of(&format!(r"(\(m : Nat) (n : Nat) => {body}) {m} {n}")));
            for (operator, truth) in
                [("<", m < n), ("<=", m <= n), (">", m > n), (">=", m >= n), ("==", m == n), ("/=", m != n)]
            {
                let [direct, negated] = [
                    at(&format!("if m {operator} n then 1.0 else 0.0")),
                    at(&format!("if not (m {operator} n) then 0.0 else 1.0")),
                ];
                let expected = u64::from(truth).to_string();
                assert_eq!([&direct, &negated], [&expected, &expected], "{m} {operator} {n}");
            }
            for (body, number) in [
                ("toReal (m + n)", m + n),
                ("toReal (m * n)", m * n),
                ("toReal (m - n)", m.saturating_sub(n)),
                // 0⁰ = 1, as a product of no factor
                ("toReal m ^ n", m.pow(n as u32)),
            ] {
                assert_eq!(at(body), (number % 7).to_string(), "{body} at {m}, {n}");
            }
        }
    }
}

#[test]
fn constructs_without_an_image_are_named() {
    let error = |text: &str| {
        let (program, ty) = Library::new().infer_expression(text).unwrap();
        let (TyKind::Function(from, to), ty) = (ty.kind(), &ty) else { panic!("{text} : {ty}") };
        MODULAR.arrow_of(&program, from, to).err().unwrap_or_else(|| panic!("{text} : {ty} has an image")).to_string()
    };
    let of = "`integers modulo 7` has no image for";
    assert_eq!(error(r"\x => deriv sin x"), format!("{of} `deriv` : (Real -> Real) -> Real -> Real"));
    assert_eq!(error(r"\(x : Real) => let rec f (n : Nat) : Real = f n in f 1"), format!("{of} recursion"));
    assert_eq!(error(r"\(x : Tan Real) => x"), format!("{of} the type Tan Real"));
    assert_eq!(
        error(r"\x => x + toReal 1000000000"),
        format!("{of} the natural number 1000000000: as a list it may have at most 1000 elements")
    );
}

/// The names of objects of sets for the typed laws.
enum Numbers {}
enum NumbersOrOne {}

impl ObjectName<Typed<Sets>> for Numbers {
    fn object() -> Set {
        Set::Modular
    }
}

impl ObjectName<Typed<Sets>> for NumbersOrOne {
    fn object() -> Set {
        Sets::Right.sum_object(&Set::Modular, &Set::One)
    }
}

#[test]
fn a_category_of_values_has_the_typed_laws() {
    for seed in 0..20 {
        let random = &mut SplitMix64::new(seed);
        let laws = check_bicartesian_closed::<Typed<Sets>, Numbers, NumbersOrOne, Numbers>(random, &seed);
        // the one law with an arrow into 1 and out of 0 that is drawn has such arrows here
        let laws = laws.unwrap();
        assert_eq!(laws.len(), 16);
        for (name, verdict) in laws {
            assert_eq!(verdict, Verdict::Survived, "{name}");
        }
    }
}

/// Draws a program between two types.
fn draw_program(from: &Ty, to: &Ty, random: &mut SplitMix64) -> Term {
    let mut generator = TermGenerator::with_vocabulary(SplitMix64::new(random.next()), TermVocabulary::Derivable);
    generator.draw_using_scope(&Ty::function(from.clone(), to.clone()), 10).to_core().unwrap()
}

/// An identity at real.
fn same() -> [Function; 2] {
    [function(Value::clone), function(Value::clone)]
}

/// Functors out of programs, made of the one to sets.
#[derive(Clone, Copy, Debug, PartialEq)]
enum Altered {
    /// The functor itself.
    Itself,
    /// A ↦ A × A
    Square,
    /// A ↦ List A
    Lists,
    /// A ↦ 1
    Constant,
    /// `Left` and `Right` the other way round, and the branches of a `match` as well.
    Swapped,
}

const SWAPPED: Modular = Interpret { category: Sets::Swapped, interpretation: ModuloSeven };

/// The elements of a list.
fn items(list: &Value) -> &[Value] {
    let Value::List(list) = list else { panic!("{list:?} is no list") };
    list
}

fn zip(pair: &Value) -> Value {
    let [left, right] = [items(part(pair, 0)), items(part(pair, 1))];
    Value::List(left.iter().zip(right).map(|(x, y)| self::pair(x.clone(), y.clone())).collect())
}

impl ProgramFunctor for Altered {
    type Target = Sets;

    fn target(&self) -> &Sets {
        &Sets::Right
    }

    fn object_of(&self, ty: &Ty) -> Result<Set, ArrowError<Infallible>> {
        let set = MODULAR.object_of(ty)?;
        Ok(match self {
            Self::Itself => set,
            Self::Square => Sets::Right.product_object(&set, &set),
            Self::Lists => Sets::Right.list_object(&set),
            Self::Constant => Set::One,
            Self::Swapped => SWAPPED.object_of(ty)?,
        })
    }

    fn arrow_of(&self, program: &Term, from: &Ty, to: &Ty) -> ArrowResult<Sets> {
        let f = MODULAR.arrow_of(program, from, to)?;
        Ok(match self {
            Self::Itself => f,
            Self::Square => function(move |p| pair(f(part(p, 0)), f(part(p, 1)))),
            Self::Lists => function(move |list| Value::List(items(list).iter().map(|x| f(x)).collect())),
            Self::Constant => function(Value::clone),
            Self::Swapped => SWAPPED.arrow_of(program, from, to)?,
        })
    }

    fn inverse_of(&self, comparison: &Comparison) -> ArrowResult<Sets> {
        let constant = |value: Value| function(move |_| value.clone());
        let empty = || ArrowError::NoImage { functor: "sets".into(), construct: "an element of the empty set".into() };
        Ok(match (self, comparison) {
            (Self::Swapped, Comparison::Sum(..)) => function(|x| match x {
                Value::In(side, x) => Value::In(1 - side, x.clone()),
                _ => panic!("{x:?} is in no sum"),
            }),
            (Self::Itself | Self::Swapped, _) => function(Value::clone),
            (Self::Square, Comparison::Terminal) => constant(pair(Value::Star, Value::Star)),
            (Self::Square, Comparison::Product(..)) => function(|p| {
                let of = |i, j| part(part(p, i), j).clone();
                pair(pair(of(0, 0), of(1, 0)), pair(of(0, 1), of(1, 1)))
            }),
            // the two results at equal arguments are all that two functions could be made of
            (Self::Square, Comparison::Exponential(..)) => function(|h| {
                let side = |h: Value, i| {
                    Value::Function(function(move |a| part(&call(&h, &pair(a.clone(), a.clone())), i).clone()))
                };
                pair(side(h.clone(), 0), side(h.clone(), 1))
            }),
            (Self::Square, Comparison::Initial) => function(|p| part(p, 0).clone()),
            (Self::Square, Comparison::Sum(..)) => function(|p| match (part(p, 0), part(p, 1)) {
                (Value::In(i, x), Value::In(j, y)) => {
                    Value::In(*i, Box::new(pair((**x).clone(), if i == j { (**y).clone() } else { (**x).clone() })))
                }
                _ => panic!("{p:?} is in no sum"),
            }),
            (Self::Square, Comparison::List(_)) => function(zip),
            (Self::Lists, Comparison::Terminal) => constant(Value::List(vec![Value::Star])),
            (Self::Lists, Comparison::Product(..)) => function(zip),
            (Self::Lists, Comparison::Exponential(..)) => constant(Value::List(Vec::new())),
            (Self::Lists, Comparison::Sum(..)) => function(|list| {
                let list: Vec<(usize, Value)> = items(list)
                    .iter()
                    .map(|x| match x {
                        Value::In(side, x) => (*side, (**x).clone()),
                        _ => panic!("{x:?} is in no sum"),
                    })
                    .collect();
                let side = list.first().map_or(0, |(side, _)| *side);
                Value::In(side, Box::new(Value::List(list.into_iter().filter(|x| x.0 == side).map(|x| x.1).collect())))
            }),
            (Self::Lists, Comparison::List(_)) => function(Value::clone),
            (Self::Lists | Self::Constant, Comparison::Initial) => return Err(empty()),
            (Self::Constant, Comparison::Exponential(..)) => constant(Value::Function(function(Value::clone))),
            (Self::Constant, Comparison::Sum(..)) => injection(0),
            (Self::Constant, Comparison::List(_)) => constant(Value::List(Vec::new())),
            (Self::Constant, _) => constant(pair(Value::Star, Value::Star)),
        })
    }
}

/// The parts of the structure that a functor is refuted to preserve, at four pairs of types.
fn not_preserved(functor: Altered, seed: u64) -> BTreeSet<&'static str> {
    let random = &mut SplitMix64::new(seed);
    let mut refuted = BTreeSet::new();
    for round in 0..4 {
        let depth = usize::from(round > 0);
        let (a, b) = (draw_simple_type(random, depth), draw_simple_type(random, depth));
        for (name, verdict) in check_preservation(&functor, [&a, &b], &(4 * seed + round)) {
            if verdict.is_ok_and(|verdict| verdict.is_refuted()) {
                refuted.insert(name);
            }
        }
    }
    refuted
}

#[test]
fn functors_that_forget_structure_are_refuted_by_what_they_forget() {
    for seed in 0..20 {
        let [square, lists, constant] =
            [Altered::Square, Altered::Lists, Altered::Constant].map(|f| not_preserved(f, seed));
        assert!(square.contains("exponentials") && !square.contains("products"), "{square:?}, seed {seed}");
        assert!(lists.contains("products"), "{lists:?}, seed {seed}");
        assert!(constant.contains("sums") && !constant.contains("exponentials"), "{constant:?}, seed {seed}");
        // an isomorphism of functors is none that a law could tell
        for functor in [Altered::Itself, Altered::Swapped] {
            assert_eq!(not_preserved(functor, seed), BTreeSet::new(), "{functor:?}, seed {seed}");
        }
    }
}

#[test]
fn a_comparison_without_its_inverse_is_refuted() {
    // (Real ⇒ Real)² against the functions of two numbers: 7¹⁴ of 7⁹⁸
    let real = Ty::real();
    let of = Comparison::Exponential(real.clone(), real);
    assert!(preserves(&Altered::Square, &of, &1).unwrap().is_refuted());
    assert_eq!(preserves(&Altered::Itself, &of, &1).unwrap(), Verdict::Survived);
}

/// The functor that another choice of sums gives is the first one through the comparisons, on programs with variants as well.
#[test]
fn two_functors_that_preserve_the_structure_agree_on_programs() {
    let (mut survived, mut missing) = (0, 0);
    for seed in 0..100 {
        let random = &mut SplitMix64::new(seed);
        let (from, to) = (draw_simple_type(random, 2), draw_simple_type(random, 2));
        let program = draw_program(&from, &to, random);
        let ends = [&from, &to];
        let laws = [
            unique(&MODULAR, &Altered::Swapped, &same(), (&program, ends), &seed),
            unique(&Altered::Swapped, &MODULAR, &same(), (&program, ends), &seed),
            well_defined(&MODULAR, &program, ends, &seed),
        ];
        for verdict in laws {
            match verdict {
                Ok(Verdict::Survived) => survived += 1,
                Ok(Verdict::Vacuous) | Err(_) => missing += 1,
                Ok(refuted) => panic!("{program}: {refuted}, seed {seed}"),
            }
        }
    }
    assert!(survived > 2 * missing, "{survived} survived, {missing} do not apply");
}

#[test]
fn a_category_without_lists_is_refuted_by_a_normal_form() {
    let (program, _) = Library::new().infer_expression(r"\z => fold (\x s => x - 2*s) z [2.0, 3.0, 5.0]").unwrap();
    let real = Ty::real();
    let wrong = Interpret { category: Sets::FromTheStart, interpretation: ModuloSeven };
    assert!(well_defined(&wrong, &program, [&real, &real], &1).unwrap().is_refuted());
    assert_eq!(well_defined(&MODULAR, &program, [&real, &real], &1).unwrap(), Verdict::Survived);
}

/// The laws of functors in the typed interfaces, of the interpretation and of the macro.
#[test]
fn interpretations_are_functors_of_the_typed_interfaces() {
    type A = Times<RealLine, To<RealLine, RealLine>>;
    type B = Plus<ListOf<RealLine>, One>;
    let random = &mut SplitMix64::new(5);
    let mut survived = 0;
    for seed in 0..20 {
        let f: Arrow<Terms, A, B> = Arrow(Terms::draw_hom::<A, B>(random));
        let g: Arrow<Terms, B, A> = Arrow(Terms::draw_hom::<B, A>(random));
        let laws = [functor_identity::<Modular, A>(&seed), functor_composition::<Modular, A, B, A>(&f, &g, &seed)];
        for verdict in laws.into_iter().flatten() {
            assert_eq!(verdict, Verdict::Survived);
            survived += 1;
        }
        let macros = [
            functor_identity::<TaylorFunctor<1, 2>, A>(&()),
            functor_composition::<TaylorFunctor<1, 2>, A, B, A>(&f, &g, &()),
        ];
        for verdict in macros.into_iter().flatten() {
            assert!(!verdict.is_refuted(), "{verdict}");
        }
    }
    assert!(survived > 25, "{survived} of 40");
}

/// The macro with the sign of the sine wrong in the second derivative of the sine.
#[derive(Debug)]
struct OtherSine;

impl TaylorHooks for OtherSine {
    fn lifted_operation(&self, operation: &SmoothOperation) -> Option<Term> {
        let is_sine = *operation == SmoothOperation::Constant(Constant::from_name("sin")?);
        let wrong = r"\(x : Real^3) => (sin x[0], cos x[0] * x[1], cos x[0] * x[2] + sin x[0] * x[1] * x[1])";
        is_sine.then(|| Library::new().infer_expression(wrong).unwrap().0)
    }
}

/// The macro with some rules, and the functor that the right Taylor representations determine.
fn macro_and_functor(hooks: &'static dyn TaylorHooks) -> (Taylor, Interpret<Terms, Taylor>) {
    let basis = Basis::new(1, 2).unwrap();
    (Taylor::with_hooks(hooks, basis.clone()), Interpret { category: Terms, interpretation: Taylor::new(basis) })
}

fn jets_themselves() -> [Term; 2] {
    let jet = Taylor::new(Basis::new(1, 2).unwrap()).derive_type(&Ty::real());
    [Terms.identity(&jet).unwrap(), Terms.identity(&jet).unwrap()]
}

/// The verdicts on the macro by its operations, and by up to twelve programs.
fn judged(hooks: &'static dyn TaylorHooks, seed: u64) -> [Vec<Verdict>; 2] {
    let (functor, interpret) = macro_and_functor(hooks);
    let jets = jets_themselves();
    let operations = SmoothOperation::all_constants().filter_map(|operation| match operation {
        SmoothOperation::Constant(constant) => Some(Operation::Constant(constant, constant.scheme().ty.with_reals())),
        _ => None,
    });
    let operations = operations.chain([Operation::Number(Rational::from(3)), Operation::Power(Rational::from(3))]);
    let operations = operations.filter_map(|op| keeps_operations(&functor, &interpret, &jets, &op, &()).ok());
    let random = &mut SplitMix64::new(seed);
    let programs = (0..12).filter_map(|_| {
        let (from, to) = (draw_simple_type(random, 1), Ty::real());
        let program = draw_program(&from, &to, random);
        if uses_discrete_types(&program) {
            return None;
        }
        // half of the programs end in a sine, which few drawn ones use
        let sine = Library::new().infer_expression(r"\y => sin y").unwrap().0;
        let program =
            if random.next_below(2) == 0 { Terms.then([&from, &to, &to], &program, &sine).unwrap() } else { program };
        unique(&functor, &interpret, &jets, (&program, [&from, &to]), &()).ok()
    });
    [operations.collect(), programs.collect()]
}

/// Whether a program uses ℕ or 𝔅 other than as a known exponent. H's language has neither: the macro keeps them, and the
/// functor makes lists and sums of them.
fn uses_discrete_types(term: &Term) -> bool {
    if let TermKind::Apply { function, argument } = term.kind() {
        let is_power = |c: &TermKind| matches!(c, TermKind::Constant(Constant::Power | Constant::NaturalPower));
        if let TermKind::Apply { function: head, argument: base } = function.kind()
            && is_power(head.kind())
            && matches!(argument.kind(), TermKind::Nat(_) | TermKind::Real(_))
        {
            return uses_discrete_types(base);
        }
    }
    matches!(term.ty().kind(), TyKind::Nat | TyKind::Bool) || term.kind().children().any(uses_discrete_types)
}

/// Tests that take more than half a second: `cargo quick` passes them over.
mod slow {
    use super::*;

    #[test]
    fn the_macro_is_the_functor_that_its_operations_determine() {
        for seed in 0..5 {
            for (verdicts, least) in judged(&DefaultTaylorHooks, seed).into_iter().zip([20, 4]) {
                assert!(verdicts.iter().all(|verdict| !verdict.is_refuted()), "{verdicts:?}");
                let survived = verdicts.iter().filter(|verdict| **verdict == Verdict::Survived).count();
                assert!(survived >= least, "{survived} of {}", verdicts.len());
            }
        }
    }

    #[test]
    fn a_macro_with_another_sine_is_refuted_by_operations_and_by_uniqueness() {
        for seed in crate::seeds() {
            for verdicts in judged(&OtherSine, seed) {
                assert!(verdicts.iter().any(Verdict::is_refuted), "seed {seed}");
            }
        }
    }
}
