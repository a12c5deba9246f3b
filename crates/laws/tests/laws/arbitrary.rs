//! Tests of `arbitrary`: shrinking ends, makes smaller and keeps samples well formed; false properties have small witnesses.

use quickcheck::{Gen, QuickCheck, TestResult, Testable, quickcheck};
use smoothish_laws::arbitrary::{
    ElementSample, EnclosureSample, GraphSample, LawVerdict, MapSample, PiecewiseMapSample, PlotSample, ProgramSample,
    RationalSample, RealSpaceName, ShrinkingSample, SpaceName, TypeSample,
};
use smoothish_laws::diffeology::Diffeology;
use smoothish_laws::diffeology::smoothness::default_smoothness_test;
use smoothish_laws::diffeology::space::{OpenSetSite, Site};
use smoothish_laws::function::Function;
use smoothish_laws::law::category::product_suite;
use smoothish_laws::law::diffeology::{default_samples, space_suite};
use smoothish_laws::law::generate::data_library;
use smoothish_laws::law::generate::program::{DrawnProgram, TraceSample};
use smoothish_laws::law::pap::pieces_suite;
use smoothish_laws::law::presheaf::presheaf_suite;
use smoothish_laws::law::property::{LawSuite, SampleSettings, SampleTally, SampledLaw, check_suite};
use smoothish_laws::law::term::{TermHead, TestTerm};
use smoothish_laws::law::trace::trace_suite;

use smoothish_laws::number::budget::Budget;
use smoothish_laws::number::{Enclosure, Float, Rational};
use smoothish_laws::presheaf::observe::Observe;
use smoothish_laws::presheaf::{ProductPresheaf, RealPresheaf};
use smoothish_laws::random::SplitMix64;
use smoothish_laws::simple::{ListOf, RealLine, Terms, To};
use smoothish_laws::smooth::dimension::typenum::{U0, U1, U2};
use smoothish_laws::smooth::graph::{Binary, Graph, NodeOperation, Unary};
use smoothish_laws::smooth::map::Space;
use smoothish_laws::syntax::constant::Constant;
use smoothish_laws::syntax::ty::{Ty, TyKind};
use smoothish_laws::trace::evaluation::DefaultTraceHooks;
use smoothish_laws::trace::term::{CoreTerm, CoreTermKind};
use smoothish_laws::trace::typing::{CoreVariableTypes, FunctionTypes, type_of};
use smoothish_laws::verdict::Verdict;
use smoothish_laws::wrong::{Pap, RuleSet, TraceMutationHooks, WrongRule};
use std::fmt::Debug;
use std::sync::Arc;

/// Shrinks samples at random until nothing is smaller. `check` looks at each, and at candidates beside the way.
fn shrinks<A: ShrinkingSample + Debug>(samples: u64, check: impl Fn(&A)) {
    let mut steps = 0;
    for seed in 0..samples {
        let mut random = SplitMix64::new(seed);
        let mut sample = A::arbitrary(&mut Gen::from_size_and_seed(30, seed));
        check(&sample);
        loop {
            let candidates: Vec<A> = sample.shrink().take(200).collect();
            let own = sample.shrink_cost();
            for candidate in &candidates {
                assert!(candidate.shrink_cost() < own, "{candidate:?} is not smaller than {sample:?}");
            }
            if candidates.is_empty() {
                break;
            }
            for _ in 0..3 {
                check(&candidates[random.next_below(candidates.len())]);
            }
            // the last candidates are the largest, so most ways to the end are long ones
            sample = candidates[candidates.len() - 1 - random.next_below(candidates.len().min(5))].clone();
            steps += 1;
            assert!(steps < 1000 * samples, "shrinking does not end: {sample:?}");
        }
    }
    assert!(steps >= samples / 2, "{steps} steps for {samples} samples");
}

/// The arguments to which quickcheck shrinks the failure of a property.
fn witness(property: impl Testable + Copy) -> String {
    let find = |seed| {
        let rng = Gen::from_size_and_seed(30, seed);
        let found = QuickCheck::new().tests(2000).max_tests(2000).rng(rng).quicktest(property);
        // the arguments are private; they are in the debug format, as a list of strings
        let text = format!("{:?}", found.expect_err("the property is false"));
        let (_, rest) = text.split_once("arguments: Some([\"")?;
        let (arguments, _) = rest.split_once("\"]), err")?;
        Some(arguments.replace("\\\\", "\\").replace("\\\"", "\""))
    };
    // quickcheck keeps no arguments of a failure that it cannot shrink, so another one is looked for
    (5..50).find_map(find).expect("a failure that shrinks")
}

#[test]
fn numbers() {
    shrinks::<RationalSample>(100, |_| {});
    let root_of_two = |x: RationalSample| x.0.clone() * &x.0 < 2;
    assert_eq!(witness(root_of_two as fn(_) -> _), "RationalSample(2)");
    // a number that is no integer keeps its denominator, and comes near to 0
    let integers = |x: RationalSample| x.0.is_integer();
    assert_eq!(witness(integers as fn(_) -> _), "RationalSample(1/2)");
    let below = |x: RationalSample| x.0 > Rational::from((-3, 2));
    assert_eq!(witness(below as fn(_) -> _), "RationalSample(-2)");
}

#[test]
fn enclosures() {
    let is_interval = |e: &EnclosureSample| {
        let again = Enclosure::new(e.0.lo().clone(), e.0.hi().clone(), e.0.is_defined());
        assert_eq!(again.as_ref(), Ok(&e.0));
    };
    shrinks(200, is_interval);
    let expected = |lo: i32, hi: i32, defined| {
        let [lo, hi] = [lo, hi].map(|end| Float::with_val(53, end));
        format!("{:?}", EnclosureSample(Enclosure::new(lo, hi, defined).unwrap()))
    };
    let without_one = |e: EnclosureSample| !e.0.contains(&Rational::from(1));
    assert_eq!(witness(without_one as fn(_) -> _), expected(0, 1, true));
    let defined = |e: EnclosureSample| e.0.is_defined();
    assert_eq!(witness(defined as fn(_) -> _), expected(0, 0, false));
    let bounded = |e: EnclosureSample| e.0.is_bounded();
    let ray = witness(bounded as fn(_) -> _);
    assert!(ray.contains("inf") && ray.contains("0"), "{ray}");
}

fn uses(graph: &Graph, wanted: &dyn Fn(&NodeOperation) -> bool) -> bool {
    Graph::all_nodes([graph]).into_iter().any(|node| wanted(node.operation()))
}

#[test]
fn graphs() {
    shrinks::<GraphSample>(25, |sample| {
        assert!(sample.graph.free_variables().iter().all(|v| sample.variables.contains(v)), "{sample:?}");
    });
    let no_maximum = |sample: GraphSample| {
        !uses(&sample.graph, &|operation| matches!(operation, NodeOperation::Binary(Binary::Maximum, ..)))
    };
    // the other variables stay, since they are the variables of the sample
    assert_eq!(witness(no_maximum as fn(_) -> _), "\\x => max 0 0");
}

#[test]
fn maps() {
    shrinks::<MapSample<U2, U2>>(10, |map| {
        let variables = smoothish_laws::smooth::map::coordinate_variables(2);
        assert_eq!((map.0.components().len(), map.0.as_dyn().input_count()), (2, 2));
        assert!(map.0.components().iter().all(|g| g.free_variables().iter().all(|v| variables.contains(v))));
    });
    // a map of no variables is a point
    shrinks::<MapSample<U0, U1>>(10, |map| assert!(map.0.components()[0].free_variables().is_empty()));
    let smooth = |f: MapSample<U1, U2>| {
        !uses(&f.0.components()[1], &|operation| matches!(operation, NodeOperation::Unary(Unary::Abs, _)))
    };
    assert_eq!(witness(smooth as fn(_) -> _), "\\x => (0, abs 0)");
}

#[test]
fn types() {
    shrinks::<TypeSample>(100, |_| {});
    fn first_order(sample: TypeSample) -> bool {
        fn look(ty: &Ty) -> bool {
            match ty.kind() {
                TyKind::Tuple(parts) | TyKind::Data(_, parts) => parts.iter().all(look),
                TyKind::Function(..) => false,
                _ => true,
            }
        }
        look(&sample.0)
    }
    assert_eq!(witness(first_order as fn(_) -> _), format!("{:?}", TypeSample(Ty::function(Ty::real(), Ty::real()))));
}

/// The type that inference gives to the text of a program.
fn has_its_type(term: &TestTerm) {
    let text = format!("(\\(x : {}) => x) ({term})", term.ty);
    let core = term.to_core().unwrap_or_else(|| panic!("not closed: {text}"));
    assert_eq!(*core.ty(), term.ty);
    // sums are printed with constructors that only a library declares
    if !term.ty.to_string().contains("Sum") {
        let (_, found) = data_library().infer_expression(&text).unwrap_or_else(|e| panic!("{text}: {e}"));
        assert_eq!(found, term.ty, "{text}");
    }
}

#[test]
fn programs() {
    shrinks::<TestTerm>(20, has_its_type);
    shrinks::<ProgramSample<To<RealLine, ListOf<RealLine>>>>(10, |sample| has_its_type(sample.term()));
    let no_root = |program: ProgramSample<RealLine>| {
        !program.term().contains_head(&mut |head| *head == TermHead::Call(Constant::Elementary(Function::Sqrt)))
    };
    assert_eq!(witness(no_root as fn(_) -> _), "sqrt 0");
    // an open term, and one of another type, are no samples
    let free = TestTerm::new(TermHead::Variable(7), Ty::real(), Vec::new());
    assert!(ProgramSample::<RealLine>::of_term(free).is_none());
    assert!(ProgramSample::<To<RealLine, RealLine>>::of_term(TestTerm::real_literal(1)).is_none());
}

type Pairs = ProductPresheaf<RealPresheaf, RealPresheaf>;

#[test]
fn elements() {
    shrinks::<ElementSample<Pairs, U2>>(20, |sample| {
        // an element varies with no coordinate that was fixed
        let variables = smoothish_laws::smooth::map::coordinate_variables(2);
        for map in [&sample.element().0, &sample.element().1] {
            for (index, v) in variables.iter().enumerate() {
                assert!(sample.coordinates().contains(&index) || !map.components()[0].depends_on(*v), "{sample:?}");
            }
        }
    });
    let fixed = |sample: ElementSample<RealPresheaf, U2>| {
        let number = RealPresheaf::observe_number(&Space::<U2>::new(), sample.element(), 0).unwrap();
        !number.components()[0].depends_on(smoothish_laws::smooth::map::coordinate_variables(2)[1])
    };
    let found = witness(fixed as fn(_) -> _);
    assert!(found.starts_with("an element over the coordinates [1],"), "{found}");
}

#[test]
fn plots() {
    let trial = default_smoothness_test();
    shrinks::<PlotSample<RealSpaceName<2>>>(20, |sample| {
        assert!(!sample.space.test_plot(&sample.plot, &trial).unwrap().is_refuted(), "{sample:?}");
    });
    // a plot with a value above 1/4 at a point shrinks to that value, as a plot on a point
    fn is_below(sample: PlotSample<RealSpaceName<1>>) -> bool {
        let points = OpenSetSite::sample_points(&sample.domain(), &mut SplitMix64::new(0), 1);
        let at: Vec<Graph> = points[0].iter().cloned().map(Graph::rational).collect();
        let Ok(value) = sample.space.value_at(&sample.plot, &at, &default_smoothness_test()) else { return true };
        let found = value[0].to_real().unwrap().enclose(&Rational::from((1, 1000)), &Budget::unlimited()).unwrap();
        *found.enclosure.lo() < 0.25
    }
    assert_eq!(witness(is_below as fn(_) -> _), "a plot on ℝ^0, () ↦ (1)");
}

#[test]
fn programs_in_pieces() {
    shrinks::<DrawnProgram>(crate::drawn(20), |sample| {
        let text = sample.program.to_string();
        let (_, ty) = data_library().infer_expression(&text).unwrap_or_else(|e| panic!("{text}: {e}"));
        assert_eq!(ty, Ty::function(Ty::real(), Ty::real()), "{text}");
        assert_eq!(sample.points.len(), 4);
        // the oracle ends, whatever the program does
        sample.points.iter().for_each(|x| drop(sample.program.observe(x)));
    });
    let not_recursive = |sample: DrawnProgram| !sample.program.features().recursion;
    let found = witness(not_recursive as fn(_) -> _);
    // nothing is left but a definition that calls itself
    assert_eq!(found, r"\(v1 : Real) => let rec v2 (v3 : Real) : Real = v2 0 in 0 at [[0], [0], [0], [0]]");
    let one_piece = |sample: PiecewiseMapSample| sample.map.pieces.len() < 2;
    let found = witness(one_piece as fn(_) -> _);
    // definitions keep their types
    let definition = "let rec v2 (v3 : Real) : Real^2 = if (v3 >= 0) then (0, 0) else (0, 0) in (v2 v1)[1]";
    assert_eq!(found, format!("\\(v1 : Real) => {definition} with 2 pieces"));
}

#[test]
fn trace_programs() {
    shrinks::<TraceSample>(crate::drawn(20), |sample| {
        let scope = CoreVariableTypes::default().with_entry(&sample.x, sample.ty.clone());
        assert_eq!(type_of(&FunctionTypes::default(), &scope, &sample.term), Ok(sample.codomain.clone()));
        assert_eq!(sample.points.len(), 4);
    });
    fn no_recursion(sample: TraceSample) -> bool {
        fn look(term: &CoreTerm) -> bool {
            let mut all = !matches!(term.kind(), CoreTermKind::Call(..));
            term.kind().for_each_child(|child| all = all && look(child));
            all
        }
        look(&sample.term)
    }
    // so does the program
    let definition = r"let rec v2 : Real -> Real = \(v3 : Real) => 0 in v2 0";
    let points = "[⟨0, 0⟩, ⟨0, 0⟩, ⟨0, 0⟩, ⟨0, 0⟩]";
    assert_eq!(witness(no_recursion as fn(_) -> _), format!(r"\(v1 : Real^2) => {definition} at {points}"));
}

#[test]
fn a_vacuous_verdict_is_discarded_and_a_refuted_one_fails() {
    let run = |verdict: Verdict| {
        QuickCheck::new().tests(3).max_tests(9).quicktest(LawVerdict(verdict)).map_err(|e: TestResult| e.is_error())
    };
    assert_eq!(run(Verdict::Survived), Ok(3));
    assert_eq!(run(Verdict::Vacuous), Ok(0));
    assert_eq!(run(Verdict::refuted("here", 0, 1)), Err(true));
}

/// A statement about the number 0, 1, 2 … of its sample, told from the seed of the stream.
fn law_of_index(
    samples: SampleSettings,
    judge: impl Fn(u64) -> Result<Verdict, String> + 'static,
) -> SampledLaw<String> {
    let seed = samples.seed;
    SampledLaw::new(&samples, move |random| {
        let first = random.next();
        let index = (0..1000).find(|index| SplitMix64::for_sample(seed, *index).next() == first);
        judge(index.ok_or("a stream of another seed")?)
    })
}

#[test]
fn a_sampled_law_counts_its_samples() {
    let samples = SampleSettings { drawn: 30, least: 20, seed: 5, ..SampleSettings::default() };
    let third = |index: u64| Ok(if index.is_multiple_of(3) { Verdict::Vacuous } else { Verdict::Survived });
    let law = law_of_index(samples.clone(), third);
    let expected = SampleTally { survived: 20, vacuous: 10, refutation: None };
    assert_eq!(law.tally_samples(), Ok(expected.clone()));
    // each run begins at sample 0, also after quickcheck has run a clone
    assert_eq!(QuickCheck::new().tests(4).max_tests(5).quicktest(law.clone()).map_err(|e| e.is_failure()), Ok(3));
    assert_eq!(law.tally_samples(), Ok(expected));
    assert_eq!(law.check_samples(), Ok(Verdict::Survived));
    assert_eq!(
        law_of_index(SampleSettings { least: 21, ..samples.clone() }, third).check_samples(),
        Ok(Verdict::Vacuous)
    );
    // no sample after the one that refutes, or that has an error
    let at_seven = |index: u64| match index {
        7 => Ok(Verdict::refuted("7", 0, 1)),
        8.. => panic!("sample {index}"),
        _ => Ok(Verdict::Survived),
    };
    let found = law_of_index(samples.clone(), at_seven).tally_samples().unwrap();
    assert_eq!((found.survived, found.vacuous, found.refutation), (7, 0, Some(Verdict::refuted("7", 0, 1))));
    let fails = |index: u64| if index == 3 { Err("no map".to_owned()) } else { Ok(Verdict::Vacuous) };
    assert_eq!(law_of_index(samples.clone(), fails).check_samples(), Err("no map".to_owned()));
    // quickcheck by itself: as many samples as it asks for, and the same message
    let law = law_of_index(samples, at_seven);
    let mut quickcheck = QuickCheck::new().tests(20).max_tests(20);
    let message = format!("{:?}", quickcheck.quicktest(law).unwrap_err());
    assert!(message.contains("sample 7 of seed 5: refuted at 7: 0 is not 1"), "{message}");
}

/// The laws of a suite by their verdicts, one by one under quickcheck, with a least number of informative samples.
fn runs<E: std::fmt::Display + 'static>(suite: LawSuite<E>, tests: u64) {
    assert!(suite.len() > 2);
    for (name, law) in suite {
        let passed = QuickCheck::new().tests(tests).max_tests(8 * tests).quicktest(law);
        assert_eq!(passed.map_err(|failure| format!("{failure:?}")), Ok(tests), "{name}");
    }
}

#[test]
fn suites_run_in_quickcheck() {
    let samples = SampleSettings::default();
    runs(presheaf_suite::<Pairs>(&samples), 6);
    runs(space_suite::<OpenSetSite, _>(&RealSpaceName::<2>::space(), &default_samples()), 3);
    let trial = |_: &mut SplitMix64| ();
    runs(product_suite::<Terms, RealLine, RealLine, RealLine>(&samples, trial), 3);
    runs(pieces_suite(&RuleSet::default(), &samples), 3);
    runs(trace_suite(&(Arc::new(DefaultTraceHooks) as Arc<dyn TraceMutationHooks>), &samples), 3);
}

/// A wrong rule is refuted by the suite that its law is in, and by that law alone.
#[test]
fn a_wrong_rule_is_refuted_by_its_law_of_a_suite() {
    let rules = RuleSet::from(WrongRule::Pieces(Pap::AbsSmooth));
    let samples = SampleSettings { drawn: 40, least: 1, ..SampleSettings::default() };
    let suite: LawSuite<_> =
        pieces_suite(&rules, &samples).into_iter().filter(|(name, _)| *name == "meanings_agree").collect();
    let Ok(verdicts) = check_suite(&suite);
    assert!(matches!(&verdicts[..], [("meanings_agree", Verdict::Refuted { .. })]), "{verdicts:?}");
}

quickcheck! {
    fn properties_are_written_with_the_macro(q: RationalSample, graph: GraphSample) -> bool {
        let sum = Graph::binary(Binary::Add, &Graph::rational(q.0.clone()), &graph.graph);
        sum.free_variables().iter().all(|v| graph.variables.contains(v))
    }
}
