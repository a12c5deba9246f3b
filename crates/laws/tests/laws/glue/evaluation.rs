//! Derivatives of evaluation: which are related to it, and which is not.

use crate::glue::lemma::{RIGHT, holds, tried};
use smoothish_laws::glue::claim::{enclose_point, format_enclosure};
use smoothish_laws::glue::evaluation;
use smoothish_laws::glue::evaluation::{
    EvaluationDerivative, SortMap, SortSlope, lemma_9, lemma_9_of, not_unique, proposition_10, sort_represents,
    tangents,
};
use smoothish_laws::glue::lemma::draw_point;
use smoothish_laws::glue::trial::{TheoremTest, TheoremTestConfig};
use smoothish_laws::law::term::TestTerm;
use smoothish_laws::number::Rational;
use smoothish_laws::number::real::Precision;
use smoothish_laws::presheaf::dynamic::{Element, StageFunction};
use smoothish_laws::random::SplitMix64;
use smoothish_laws::smooth::graph::{Binary, Graph, Variable};
use smoothish_laws::syntax::constant::Constant;
use smoothish_laws::value::ValueError;
use smoothish_laws::verdict::Verdict;

#[test]
fn the_macros_derivative_of_evaluation_is_related_to_it() {
    holds(&proposition_10(EvaluationDerivative::Macro), 100);
}

#[test]
fn proposition_10_as_printed_is_refuted() {
    let refutation = tried(&proposition_10(EvaluationDerivative::Printed), 100).refutation.expect("a counterexample");
    println!("{refutation}");
}

#[test]
fn the_mended_witness_is_related_to_evaluation() {
    holds(&proposition_10(EvaluationDerivative::Corrected), 100);
}

#[test]
fn the_two_witnesses_differ_at_swap() {
    holds(&not_unique(), 50);
}

#[test]
fn sort_is_smooth_and_idempotent() {
    holds(&lemma_9(), 100);
}

/// Maps that are not sort: the slope by a quotient of differences, the opposite slope, the slope at r′ in place of 0, and the slope of
/// the second component.
#[test]
fn maps_that_do_not_sort_are_refuted() {
    fn slope(f: &StageFunction, at: &Element, beside: Graph, component: usize) -> Result<[Graph; 2], ValueError> {
        let r = at.as_pair()?.0.as_real()?.clone();
        let s = Variable::fresh();
        let here = |r: Graph, beside: Graph, component: usize| {
            let pair = f.apply(&Element::tuple_of([Element::Real(r), Element::Real(beside)]))?;
            let (first, second) = pair.as_pair()?;
            if component == 0 { first } else { second }.as_real().cloned()
        };
        let body = here(Graph::variable(s), beside, component)?;
        let value = here(r.clone(), Graph::integer(0), 0)?;
        Ok([value, Graph::derivative(vec![s], body, vec![r], vec![Graph::integer(1)])])
    }
    fn made([value, slope]: [Graph; 2]) -> Element {
        Element::tuple_of([Element::Real(value), Element::Real(slope)])
    }
    let quotient: SortMap = |f, at| {
        let (h, r) = (Graph::rational((1, 64).into()), at.as_pair()?.0.as_real()?.clone());
        let first = |r: Graph| {
            let at = Element::tuple_of([Element::Real(r), Element::Real(Graph::integer(0))]);
            f.apply(&at)?.as_pair()?.0.as_real().cloned()
        };
        let rise = Graph::binary(Binary::Subtract, &first(Graph::binary(Binary::Add, &r, &h))?, &first(r.clone())?);
        Ok(made([first(r)?, Graph::binary(Binary::Divide, &rise, &h)]))
    };
    let opposite: SortMap = |f, at| {
        let [value, slope] = slope(f, at, Graph::integer(0), 0)?;
        Ok(made([value, Graph::binary(Binary::Subtract, &Graph::integer(0), &slope)]))
    };
    let elsewhere: SortMap = |f, at| Ok(made(slope(f, at, at.as_pair()?.1.as_real()?.clone(), 0)?));
    let second: SortMap = |f, at| Ok(made(slope(f, at, Graph::integer(0), 1)?));
    for (name, wrong) in [("quotient", quotient), ("opposite", opposite), ("elsewhere", elsewhere), ("second", second)]
    {
        let refutation = tried(&lemma_9_of(wrong), 100).refutation;
        println!("{name}\n{}", refutation.expect(name));
    }
}

#[test]
fn sort_must_scale_by_the_second_component() {
    holds(&sort_represents(SortSlope::Scaled), 100);
    println!("{}", tried(&sort_represents(SortSlope::Printed), 100).refutation.expect("a counterexample"));
}

#[test]
fn tangents_of_functionals_agree_with_the_macro_on_curves() {
    holds(&tangents(RIGHT), 100);
}

/// E37: γ(x)(y) = x y has γ(x)(x) = x² with derivative 2x; what is printed gives x.
#[test]
fn the_product_refutes_proposition_10() {
    let statement = |witness| TheoremTest {
        draw: Box::new(|_| {
            let product = evaluation::parse_program("\\(x : Real) (y : Real) => x * y").unwrap().1;
            vec![TestTerm::apply_constant(Constant::Multiply, product, Vec::new())]
        }),
        ..proposition_10(witness)
    };
    for witness in [EvaluationDerivative::Macro, EvaluationDerivative::Corrected] {
        holds(&statement(witness), 20);
    }
    let refuted = statement(EvaluationDerivative::Printed);
    let trials = TheoremTestConfig::new(1, 1);
    let sample = refuted.draw_sample(&trials, 0).unwrap();
    let x = draw_point(&mut SplitMix64::new(sample.seed), 1).remove(0);
    let Verdict::Refuted { left, right, .. } = (refuted.judge)(&sample).unwrap().verdict else {
        panic!("it survives at {x}")
    };
    let exactly =
        |value: &Rational| format_enclosure(&enclose_point(std::slice::from_ref(value), Precision::Double)[0]);
    assert_eq!((left, right), (exactly(&(x.clone() * 2u32)), exactly(&x)));
}
