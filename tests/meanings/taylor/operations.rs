//! Representations of operations (H §2, §3.2).

use crate::taylor::{ask, basis, both, derived_at, enclosures, is, same};
use smoothish::function::{Function, SpecialId};
use smoothish::law::agreement::derivatives::derivative_programs;
use smoothish::meaning;
use smoothish::meaning::taylor::functor::DefaultTaylorHooks;
use smoothish::meaning::taylor::jet;
use smoothish::meaning::taylor::jet::{Basis, JetBuilder};
use smoothish::meaning::taylor::partial::SmoothOperation;
use smoothish::model::answer::AnswerNumber;
use smoothish::number::Rational;
use smoothish::number::budget::Budget;
use smoothish::random::SplitMix64;
use smoothish::syntax::constant::Constant;
use smoothish::syntax::source::Span;
use smoothish::syntax::term::{Term, TermKind};
use smoothish::syntax::ty::{Ty, TyKind};
use smoothish::value::Value;
use std::collections::BTreeMap;
use std::sync::Arc;

/// A point in the domain of an operation, and the operation as a program.
fn sample(operation: &SmoothOperation) -> (String, Vec<Rational>) {
    let q = |p: i32, q: i32| Rational::from((p, q));
    match operation {
        SmoothOperation::Constant(constant) => match (constant.arity(), constant) {
            (2, Constant::RealPower) => ("\\x y => x ^ y".into(), vec![q(3, 2), q(-5, 4)]),
            (2, Constant::Divide) => ("\\x y => x / y".into(), vec![q(3, 2), q(-5, 4)]),
            (2, _) => (format!("\\x y => {} x y", constant.name()), vec![q(3, 2), q(-5, 4)]),
            (_, Constant::Elementary(Function::Acosh)) => ("\\x => acosh x".into(), vec![q(3, 2)]),
            _ => (format!("\\x => {} x", constant.name()), vec![q(3, 8)]),
        },
        SmoothOperation::Power(p) => (format!("\\x => x ^ ({p})"), vec![q(7, 4)]),
        SmoothOperation::Special(id) => (format!("\\x => {} 2 x", id.family().name), vec![q(3, 8)]),
    }
}

fn operations() -> Vec<SmoothOperation> {
    let powers = [(0, 1), (1, 1), (2, 1), (5, 1), (-1, 1), (-3, 1), (1, 2), (-3, 2), (2, 3), (7, 5)];
    let powers = powers.map(|(p, q)| SmoothOperation::Power(Rational::from((p, q))));
    SmoothOperation::all_constants().chain(powers).collect()
}

/// H12: the tables of `∂_β op`, generated to any order, are the derivatives that the presheaf model has.
#[test]
fn tables_of_derivatives_are_those_of_the_presheaf_model() {
    let mut all = operations();
    all.extend(SpecialId::ALL.iter().map(|id| SmoothOperation::Special(*id)));
    all.push(SmoothOperation::Constant(Constant::RealPower));
    assert!(all.len() > 30, "{}", all.len());
    for operation in all {
        let (program, point) = sample(&operation);
        let order = if point.len() == 1 { 7 } else { 4 };
        let [nested, derived] = both(&program, &point, order);
        same(&derived, &nested, &program);
    }
}

/// H12: and of the literal towers of S §4, which share no rule with the jets.
#[test]
fn tables_of_derivatives_are_those_of_the_towers() {
    let budget = Arc::new(Budget::unlimited());
    let eps = Rational::from((1, 1_000_000));
    for operation in operations().into_iter().chain(SpecialId::ALL.iter().map(|id| SmoothOperation::Special(*id))) {
        let (program, point) = sample(&operation);
        let (term, ty) = crate::taylor::infer(&program);
        let found = derivative_programs(&term, &ty, &point, 3).expect("derivatives");
        let tower =
            meaning::semantics_named("tower").expect("a model").evaluate(&found.nested, &found.ty, &eps, &budget);
        let Value::Tuple(parts) = tower.unwrap_or_else(|e| panic!("{program}: {e}")).value else { panic!("{program}") };
        let (_, value) = found.derived.expect("a derived program");
        for (part, derived) in parts.iter().zip(enclosures(&value, &found.ty)) {
            let Value::Real(AnswerNumber::Enclosure(tower)) = part else { panic!("{program}") };
            assert!(tower.enclosure.is_defined() && tower.enclosure.overlaps(&derived), "{program}");
        }
    }
}

/// H12: the eleven entries that are printed, and the sigmoid at 0: ¼, 0, −⅛, 0, ¼ (its Taylor series is that of
/// ½ + ½ tanh (x/2) = ½ + x/4 − x³/48 + x⁵/480 − …).
#[test]
fn printed_tables() {
    let sigmoid = derived_at("\\x => sigmoid x", &basis(1, 5), &["(0, 1, 0, 0, 0, 0)"]);
    is(&sigmoid, "(1/2, 1/4, 0, 0 - 1/8, 0, 1/4)");
    // coordinates 00 01 02 10 11 20, at x1 = 3 and x2 = 5
    let jets = ["(3, 0, 0, 1, 0, 0)", "(5, 1, 0, 0, 0, 0)"];
    is(&derived_at("\\x y => x + y", &basis(2, 2), &jets), "(8, 1, 0, 1, 0, 0)");
    is(&derived_at("\\x y => x * y", &basis(2, 2), &jets), "(15, 3, 0, 5, 1, 0)");
}

/// H32, E34: the product for (2, 2), as the six formulas of H §6.2.
#[test]
fn product_of_second_order() {
    let (x, y) = (["2", "3", "5", "7", "11", "13"], ["17", "19", "23", "29", "31", "37"]);
    let product =
        derived_at("\\x y => x * y", &basis(2, 2), &[&format!("({})", x.join(", ")), &format!("({})", y.join(", "))]);
    let formulas = "\\(x00, x01, x02, x10, x11, x20) (y00, y01, y02, y10, y11, y20) => \
        (x00*y00, x00*y01 + x01*y00, x02*y00 + 2*x01*y01 + x00*y02, x00*y10 + x10*y00, \
         x11*y00 + x01*y10 + x10*y01 + x00*y11, x20*y00 + 2*x10*y10 + x00*y20)";
    is(&product, &format!("({formulas}) ({}) ({})", x.join(", "), y.join(", ")));
}

/// H8, E24, E25: (1,2) on g(x₁, x₂) = x₁² x₂. Stored numbers are derivatives: x″y + 2x′y′ + xy″.
#[test]
fn one_direction_second_order() {
    let g = "\\x y => x^2 * y";
    let at = |x: &str, y: &str| derived_at(g, &basis(1, 2), &[x, y]);
    // at (3, 5): ∂₁g = 30, ∂₂g = 9, ∂₁₁g = 10, ∂₁₂g = 6, ∂₂₂g = 0
    is(&at("(3, 1, 0)", "(5, 0, 0)"), "(45, 30, 10)");
    is(&at("(3, 0, 0)", "(5, 1, 0)"), "(45, 9, 0)");
    // E24: the middle component is the sum of both partial derivatives
    is(&at("(3, 1, 0)", "(5, 1, 0)"), "(45, 39, 22)");
    // E26: the mixed derivative, from the last components only
    let half = "(\\(a, b, c) => (c - b - a) / 2)";
    let last = |x, y| format!("({})[2]", at(x, y));
    let recovered = format!(
        "{half} ({}, {}, {})",
        last("(3, 1, 0)", "(5, 0, 0)"),
        last("(3, 0, 0)", "(5, 1, 0)"),
        last("(3, 1, 0)", "(5, 1, 0)")
    );
    is(&recovered, "6");
    // the general formula for l arguments: Σ ∂ᵢg xᵢ′ and Σ ∂ᵢⱼg xᵢ′ xⱼ′, here along (2, −1)
    is(&at("(3, 2, 0)", "(5, -1, 0)"), "(45, 30*2 - 9, 10*4 - 2*6*2)");
    // E25: of coefficients, ε³ = 0, the last is half of the derivative
    is("(\\(x, d, h) (y, e, k) => (x*y, x*e + d*y, h*y + 2*d*e + x*k)) (3, 4, 5) (6, 7, 8)", "(18, 45, 110)");
    is(&derived_at("\\x y => x * y", &basis(1, 2), &["(3, 4, 5)", "(6, 7, 8)"]), "(18, 45, 110)");
}

/// H2: dual numbers; every h with (2) is a linear combination of partial derivatives.
#[test]
fn dual_numbers() {
    let g = "\\x y => exp x * sin y";
    let at = |x: &str, y: &str| derived_at(g, &basis(1, 1), &[x, y]);
    is(&at("(1/2, 1)", "(2, 0)"), "(exp (1/2) * sin 2, exp (1/2) * sin 2)");
    is(&at("(1/2, 0)", "(2, 1)"), "(exp (1/2) * sin 2, exp (1/2) * cos 2)");
    is(&at("(1/2, 3)", "(2, -7)"), "(exp (1/2) * sin 2, exp (1/2) * (3 * sin 2 - 7 * cos 2))");
}

fn call(function: Term, arguments: &[Term]) -> Term {
    arguments.iter().fold(function, |f, x| Term::apply(f, x.clone(), Span::default()))
}

fn random_jet(basis: &Basis, around: &Rational, random: &mut SplitMix64) -> Term {
    let parts = (0..basis.len()).map(|place| {
        let q = if place == 0 { around.clone() } else { Rational::from((random.next_below(17) as i32 - 8, 4)) };
        Term::new(TermKind::Real(q), Span::default())
    });
    Term::new(TermKind::Tuple(parts.collect()), Span::default())
}

/// H6, E29: arithmetic on truncated polynomials, and the formula of Faà di Bruno, term by term, are the same functions of
/// all jets.
#[test]
fn truncated_polynomials_are_faa_di_bruno() {
    let mut random = SplitMix64::new(6);
    for (k, order) in [(1, 1), (1, 4), (2, 2), (2, 3), (3, 2)] {
        let basis = basis(k, order);
        let ty = Ty::new(TyKind::Tuple(vec![Ty::real(); basis.len()]));
        for operation in operations().into_iter().chain([SmoothOperation::Constant(Constant::RealPower)]) {
            let (name, point) = sample(&operation);
            let jets: Vec<Term> = point.iter().map(|x| random_jet(&basis, x, &mut random)).collect();
            let efficient = call(JetBuilder::lift_operation(&basis, &operation, &DefaultTaylorHooks), &jets);
            let literal = call(jet::lift_operation(&basis, &operation), &jets);
            same(&enclosures(&efficient, &ty), &enclosures(&literal, &ty), &format!("{name} at ({k}, {order})"));
        }
    }
}

/// H6: the terms of the formula are the ways to write α as a sum, each summand with one of n colours: for k = 1 and one
/// colour these are the partitions of R.
#[test]
fn terms_of_faa_di_bruno_are_partitions() {
    for (order, partitions) in [(1, 1), (2, 2), (3, 3), (4, 5), (5, 7), (6, 11), (10, 42)] {
        assert_eq!(jet::count_terms(&basis(1, order), &[order], 1), partitions);
    }
    // in two colours: 2, 5, 10, 20, 36
    for (order, partitions) in [(1, 2), (2, 5), (3, 10), (4, 20), (5, 36)] {
        assert_eq!(jet::count_terms(&basis(1, order), &[order], 2), partitions);
    }
    // (1, 1) as a sum of vectors: itself, and (1, 0) + (0, 1); of (1, 1, 1) there are as many as partitions of a set of 3
    assert_eq!(jet::count_terms(&basis(2, 2), &[1, 1], 1), 2);
    assert_eq!(jet::count_terms(&basis(3, 3), &[1, 1, 1], 1), 5);
}

/// A polynomial with rational coefficients, by exponents.
type Polynomial = BTreeMap<Vec<usize>, Rational>;

fn random_polynomial(variables: usize, degree: usize, random: &mut SplitMix64) -> Polynomial {
    let mut polynomial = Polynomial::new();
    for _ in 0..4 {
        let mut exponents = vec![0; variables];
        for _ in 0..random.next_below(degree + 1) {
            exponents[random.next_below(variables)] += 1;
        }
        polynomial.insert(exponents, Rational::from((random.next_below(13) as i32 - 6, 2)));
    }
    polynomial
}

fn multiply(a: &Polynomial, b: &Polynomial) -> Polynomial {
    let mut product = Polynomial::new();
    for (i, p) in a {
        for (j, q) in b {
            let exponents = i.iter().zip(j).map(|(i, j)| i + j).collect();
            *product.entry(exponents).or_default() += Rational::from(p * q);
        }
    }
    product
}

/// g(f₁, …, fₙ)
fn compose(g: &Polynomial, f: &[Polynomial], variables: usize) -> Polynomial {
    let mut sum = Polynomial::new();
    for (exponents, c) in g {
        let mut term = Polynomial::from([(vec![0; variables], c.clone())]);
        for (factor, times) in f.iter().zip(exponents) {
            for _ in 0..*times {
                term = multiply(&term, factor);
            }
        }
        for (exponents, c) in term {
            *sum.entry(exponents).or_default() += c;
        }
    }
    sum
}

/// ∂^α p (a)
fn derivative(p: &Polynomial, alpha: &[usize], a: &[Rational]) -> Rational {
    p.iter().fold(Rational::new(), |sum, (exponents, c)| {
        let mut term = c.clone();
        for ((&e, &order), x) in exponents.iter().zip(alpha).zip(a) {
            for i in 0..order {
                term *= Rational::from(e as i64 - i as i64);
            }
            for _ in order..e {
                term *= x;
            }
        }
        sum + term
    })
}

fn text(p: &Polynomial) -> String {
    let monomials = p.iter().map(|(exponents, c)| {
        let powers: String = exponents.iter().enumerate().map(|(i, e)| format!(" * x{i}^{e}")).collect();
        format!("({c}){powers}")
    });
    monomials.collect::<Vec<_>>().join(" + ")
}

/// H5, (3): the derived program sends the derivatives of random polynomials f to those of g ∘ f, in exact rationals.
#[test]
fn taylor_representations_of_polynomials() {
    let mut random = SplitMix64::new(5);
    for (k, order) in [(1, 1), (1, 4), (2, 2), (2, 4), (3, 1), (3, 3), (3, 4)] {
        let basis = basis(k, order);
        for n in 1..=3 {
            let g = random_polynomial(n, 3, &mut random);
            let f: Vec<Polynomial> = (0..n).map(|_| random_polynomial(k, 3, &mut random)).collect();
            let a: Vec<Rational> = (0..k).map(|_| Rational::from((random.next_below(9) as i32 - 4, 2))).collect();
            let jet = |p: &Polynomial| {
                let parts: Vec<String> =
                    basis.indices().iter().map(|alpha| format!("({})", derivative(p, alpha, &a))).collect();
                format!("({})", parts.join(", "))
            };
            let parameters: Vec<String> = (0..n).map(|i| format!("x{i}")).collect();
            let program = format!("\\{} => {}", parameters.join(" "), text(&g));
            let jets: Vec<String> = f.iter().map(&jet).collect();
            let arguments: Vec<&str> = jets.iter().map(String::as_str).collect();
            let composed = compose(&g, &f, k);
            let found = ask(&derived_at(&program, &basis, &arguments));
            assert_eq!(found.len(), basis.len());
            for (alpha, number) in basis.indices().iter().zip(found) {
                let expected = derivative(&composed, alpha, &a);
                assert!(
                    number.is_defined() && number.contains(&expected),
                    "{program} {alpha:?}: {number:?} {expected}"
                );
                assert!(number.has_width_at_most(&Rational::from((1, 1_000_000))), "{program} {alpha:?}: {number:?}");
            }
        }
    }
}
