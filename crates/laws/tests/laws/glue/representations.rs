//! Macros other than that of Taylor are right by relations of their own, and what is wrong in them is noticed.

use crate::glue::lemma::tried;
use smoothish_laws::glue::GlueError;
use smoothish_laws::glue::backwards::ReverseMode;
use smoothish_laws::glue::claim::{ClaimSet, CoordinateSpace, PlotClaim};
use smoothish_laws::glue::evaluation::{derive_by_rules, parse_program, run_program};
use smoothish_laws::glue::instances::{ComplexStep, ErrorBounds, Intervals, Signs};
use smoothish_laws::glue::lemma::{GluingSetup, apply_all, base_pairs, fundamental_lemma, related_pairs};
use smoothish_laws::glue::nested::{NestedDuals, WrittenDerivatives};
use smoothish_laws::glue::representation::{
    RealMap, Representation, RepresentationFamily, TaylorJets, jet_coordinates, jets_over,
};
use smoothish_laws::glue::rows::RowRepresentation;
use smoothish_laws::glue::trial::{BasisRange, TheoremTest, TheoremTestConfig, UsedConstruct};
use smoothish_laws::law::generate::data_library;
use smoothish_laws::law::term::TestTerm;
use smoothish_laws::meaning::taylor::functor::{NumberRules, TaylorHooks};
use smoothish_laws::meaning::taylor::jet::Basis;
use smoothish_laws::meaning::taylor::partial::SmoothOperation;
use smoothish_laws::number::{Function, Rational};
use smoothish_laws::presheaf::dynamic::Element;
use smoothish_laws::random::SplitMix64;
use smoothish_laws::smooth::graph::{Binary, Graph, Variable};
use smoothish_laws::smooth::reverse::StandardReverseHooks;
use smoothish_laws::syntax::constant::Constant;
use smoothish_laws::syntax::term::Term as Core;
use smoothish_laws::syntax::ty::Ty;
use smoothish_laws::value::ValueError;
use smoothish_laws::verdict::Verdict;
use smoothish_laws::wrong::{Reverse, Taylor};
use std::sync::Arc;

/// A theorem, for a setup.
type MakeTest = fn(GluingSetup) -> TheoremTest<'static>;

fn complex_step() -> ComplexStep {
    ComplexStep::of_size(Rational::from(1)).unwrap()
}

fn setup(family: RepresentationFamily) -> GluingSetup {
    GluingSetup::of_representation(family)
}

fn rational(p: i64, q: i64) -> Graph {
    Graph::rational(Rational::from((p, q)))
}

fn pair(a: Graph, b: Graph) -> Element {
    Element::tuple_of([Element::Real(a), Element::Real(b)])
}

/// Runs the derived program at arguments.
fn derived_at(representation: impl Representation + 'static, program: &str, arguments: &[Element]) -> Element {
    let (term, ty) = parse_program(program).unwrap();
    let representation: Arc<dyn Representation> = Arc::new(representation);
    let derived = derive_by_rules(&representation, &term, &ty).unwrap();
    derived.check_types().unwrap();
    apply_all(&run_program(&derived.term).unwrap(), arguments.iter().cloned()).unwrap()
}

/// Tests the claims that a representation makes of a number.
fn verdict_of(representation: &impl Representation, plot: &Graph, element: &Element) -> Verdict {
    let stage = CoordinateSpace::new(1);
    let mut claims = ClaimSet::default();
    for claim in representation.claims(plot, element, &stage).unwrap() {
        claims.push_claim("the number", claim);
    }
    claims.test_at(&stage, &Basis::new(1, 1).unwrap(), &[Rational::new()]).unwrap().verdict
}

/// sin((1/2 + i)²) = sin(-3/4) cosh 1 + i cos(3/4) sinh 1, to 40 digits by mpmath; both parts also as that closed form.
#[test]
fn the_complex_step_of_a_sine_of_a_square_is_the_complex_number() {
    let found = derived_at(complex_step(), "\\x => sin (x * x)", &[pair(rational(1, 2), rational(1, 1))]);
    let within = |digits: i64, element: &Element| {
        // ± 1e-15 around the digits printed
        let below = PlotClaim::AtMost(rational(digits - 1, 1_000_000_000_000_000), element.as_real().unwrap().clone());
        let above = PlotClaim::AtMost(element.as_real().unwrap().clone(), rational(digits + 1, 1_000_000_000_000_000));
        let mut claims = ClaimSet::default();
        claims.push_claim("the part", below);
        claims.push_claim("the part", above);
        let stage = CoordinateSpace::new(1);
        claims.test_at(&stage, &Basis::new(1, 1).unwrap(), &[Rational::new()]).unwrap().verdict
    };
    let (re, im) = found.as_pair().unwrap();
    assert_eq!(within(-1_051_823_570_531_482, re), Verdict::Survived);
    assert_eq!(within(859_881_632_076_397, im), Verdict::Survived);
    assert!(within(-1_051_823_570_531_400, re).is_refuted() && within(859_881_632_076_300, im).is_refuted());
    let closed = parse_program("(sin (-3/4) * cosh 1, cos (3/4) * sinh 1)").unwrap();
    let closed = run_program(&closed.0).unwrap();
    let equal = |a: &Element, b: &Element| {
        let mut claims = ClaimSet::default();
        claims.push_claim("both", PlotClaim::Equal(a.as_real().unwrap().clone(), b.as_real().unwrap().clone()));
        claims.test_at(&CoordinateSpace::new(1), &Basis::new(1, 1).unwrap(), &[Rational::new()]).unwrap().verdict
    };
    assert_eq!(equal(re, closed.as_pair().unwrap().0), Verdict::Survived);
    assert_eq!(equal(im, closed.as_pair().unwrap().1), Verdict::Survived);
}

/// x = x′ ± 1 and y in (y − 1, y + 3): the upper end of x − y is that of x less the lower end of y.
#[test]
fn a_difference_of_intervals_by_the_same_ends_is_refuted() {
    let (x, y) = (Graph::integer(5), Graph::integer(2));
    let arguments = [pair(Graph::integer(4), Graph::integer(6)), pair(Graph::integer(1), Graph::integer(5))];
    // 5 − 2 = 3 lies in [4 − 5, 6 − 1] = [−1, 5], and not in [4 − 1, 6 − 5] = [3, 1]
    let difference = Graph::binary(Binary::Subtract, &x, &y);
    let right = derived_at(intervals(), "\\x y => x - y", &arguments);
    assert_eq!(verdict_of(&intervals(), &difference, &right), Verdict::Survived);
    let wrong = intervals().with_rows("x - y = (x[0] - y[0], x[1] - y[1])").unwrap();
    let found = verdict_of(&wrong, &difference, &derived_at(wrong.clone(), "\\x y => x - y", &arguments));
    assert_eq!(found.to_string(), "refuted at the number, at u = (0): 3 is not at most 1");
    assert!(tried(&fundamental_lemma(setup(RepresentationFamily::fixed(wrong))), 200).refutation.is_some());
}

/// The error of a product is |x| e′ + |y| e + e e′: of (0 ± 1)², 1, and without the last term 0.
#[test]
fn an_error_bound_of_products_without_the_product_of_the_bounds_is_refuted() {
    let number = [pair(Graph::integer(0), Graph::integer(1))];
    let square = Graph::integer(1);
    let right = derived_at(bounds(), "\\x => x * x", &number);
    assert_eq!(verdict_of(&bounds(), &square, &right), Verdict::Survived);
    let wrong = bounds().with_rows("x * y = (x[0] * y[0], abs x[0] * y[1] + abs y[0] * x[1])").unwrap();
    let found = verdict_of(&wrong, &square, &derived_at(wrong.clone(), "\\x => x * x", &number));
    assert_eq!(found.to_string(), "refuted at the number, at u = (0): 1 is not at most 0");
    assert!(tried(&fundamental_lemma(setup(RepresentationFamily::fixed(wrong))), 200).refutation.is_some());
}

/// The product of two negative numbers is positive: x² at u = −2 is 4.
#[test]
fn a_product_of_negative_signs_that_is_negative_is_refuted() {
    let negative = [Element::variant_of(0, Element::Unit)];
    let square = Graph::integer(4);
    let right = derived_at(signs(), "\\x => x * x", &negative);
    assert_eq!(verdict_of(&signs(), &square, &right), Verdict::Survived);
    let wrong = signs().with_rows(NEGATIVE_PRODUCT).unwrap();
    let found = verdict_of(&wrong, &square, &derived_at(wrong.clone(), "\\x => x * x", &negative));
    assert_eq!(found.to_string(), "refuted at the sign of the number, at u = (0): 4 is not negative");
    assert!(tried(&fundamental_lemma(setup(RepresentationFamily::fixed(wrong))), 200).refutation.is_some());
}

/// The sign of a relation is where the parser finds it, so that a definition in front changes nothing.
#[test]
fn relations_may_begin_with_definitions() {
    let rows = |relation: &str, slope: &str| {
        format!(
            "representation Dual = Real * Real\nconstant c = (c, 0)\ncoordinate u = (u, 1)\n\
             x + y = (x[0] + y[0], x[1] + y[1])\nx * y = (x[0] * y[0], {slope})\n{relation}\nrelates f r at u : let g = deriv f in r[1] = g u\n"
        )
    };
    let verdict = |relation: &str, slope: &str| {
        let family = RowRepresentation::read_in(&rows(relation, slope), data_library()).unwrap().into_family();
        tried(&fundamental_lemma(setup(family)), 40).refutation.is_some()
    };
    for relation in ["relates f r at u : r[0] = f u", "relates f r at u : let c = r[0] in c = f u"] {
        assert!(!verdict(relation, "x[0] * y[1] + x[1] * y[0]"), "{relation}");
        assert!(verdict(relation, "x[0] * y[1]"), "{relation}");
    }
}

/// Rows of a representation, and what is said of each.
#[test]
fn rows_that_cannot_be_read_are_refused() {
    let good = "representation Interval = Real * Real\nconstant c = (c, c)\ncoordinate u = (u - 1, u + 2)\n\
                x + y = (x[0] + y[0], x[1] + y[1])\nrelates f r at u : r[0] <= f u\nrelates f r at u : f u <= r[1]\n";
    let read = |text: &str| RowRepresentation::read_in(text, data_library()).map(drop).map_err(|e| e.to_string());
    assert_eq!(read(good), Ok(()));
    let with = |row: &str| read(&format!("{good}{row}\n")).unwrap_err();
    assert_eq!(
        with("relates f r at u : r[0] < f u"),
        "line 7: `relates f r at u : r[0] < f u`: say <=: no number tells < from <="
    );
    assert_eq!(
        with("relates f r at u : f u > r[0]"),
        "line 7: `relates f r at u : f u > r[0]`: say >=: no number tells > from >="
    );
    assert_eq!(
        with("relates f r : r[0] <= f 0"),
        "line 7: `relates f r : r[0] <= f 0` is no row: a relation is `relates f r at u : a <= b`"
    );
    assert_eq!(
        with("relates f r at u : r[0] == f u"),
        "line 7: `relates f r at u : r[0] == f u` is no row: `==` is no relation of numbers; say <=, >= or ="
    );
    assert_eq!(
        with("relates f r at u : let c = r[0] in c"),
        "line 7: `relates f r at u : let c = r[0] in c` is no row: between both sides is <=, >= or ="
    );
    // the signs of definitions and conditions are none of the relation
    for row in [
        "relates f r at u : let c = r[0] in c <= f u",
        "relates f r at u : let c = r[0] in let d = f u in c <= d",
        "relates f r at u : let (c, d) = r in c - d <= c - d + 0 * f u",
        "relates f r at u : (let c = r[0] in c) <= f u",
        "relates f r at u : f u >= (let c = r[0] in c)",
        "relates f r at u : if u < 0 then f u else f u = f u",
        "relates f r at u : let c = 1 in c * f u = f u * c",
        "relates f r at u : (\\x => if x < 0 then x else x) u = u",
    ] {
        assert_eq!(read(&format!("{good}{row}\n")), Ok(()), "{row}");
    }
    let outside = with("relates f r at u : (let c = r[0] in c) = c");
    assert!(outside.contains("the name `c` is not known here"), "{outside}");
    let chain = with("relates f r at u : r[0] <= f u <= r[1]");
    assert!(chain.ends_with("`<=` cannot be chained"), "{chain}");
    assert_eq!(with("x + y = x"), "line 7: `x + y = x`: line 4 has such a row");
    assert_eq!(
        with("sin x = sin x[0]"),
        "line 7: `sin x = sin x[0]`: the right side has type `Real`, and not `Real^2`"
    );
    assert_eq!(with("foo x = x"), "line 7: `foo x = x` is no row: there is no operation `foo` of 1 numbers");
    assert_eq!(with("sin x y = x"), "line 7: `sin x y = x` is no row: there is no operation `sin` of 2 numbers");
    assert_eq!(with("fold x y z = x"), "line 7: `fold x y z = x` is no row: there is no operation `fold` of 3 numbers");
    assert!(with("cos x = (cos x[0]").starts_with("line 7: `cos x = (cos x[0]`: "), "{}", with("cos x = (cos x[0]"));
    assert!(with("x ^ k/2 = x").contains("`k/2` is no exponent"), "{}", with("x ^ k/2 = x"));
    let without = |row: &str| {
        let rest: Vec<&str> = good.lines().filter(|line| !line.starts_with(row)).collect();
        read(&rest.join("\n")).unwrap_err()
    };
    assert_eq!(without("constant"), "there is no row `constant c = …`");
    assert_eq!(without("coordinate"), "there is no row `coordinate u = …`");
    assert_eq!(without("relates"), "there is no row `relates f r at u : …`");
    assert_eq!(
        without("representation"),
        "line 1: the first row is `representation Name = Type`, not `constant c = (c, c)`"
    );
    assert_eq!(read(""), Err("there is no row `representation Name = Type`".to_owned()));
}

/// The language does not tell `x ^ 2` from `x * x`: a whole power has the rule of products, unless it has its own.
#[test]
fn a_whole_power_without_a_rule_is_a_product() {
    let negative = [Element::variant_of(0, Element::Unit)];
    for (power, place) in [(2, 2), (3, 0), (0, 2)] {
        let found = derived_at(signs(), &format!("\\x => x ^ {power}"), &negative);
        // x⁰ is 1, whose sign is that of the literal
        assert_eq!(found.as_variant().unwrap().0, place, "{power}");
    }
    let wrong = signs().with_rows("x ^ 2 = Neg").unwrap();
    assert_eq!(derived_at(wrong, "\\x => x ^ 2", &negative).as_variant().unwrap().0, 0);
}

/// `+` and `-` act by rules on numbers, and part by part on tuples, also in a definition at several types.
#[test]
fn sums_of_tuples_are_sums_of_their_parts() {
    let (x, y) = (pair(Graph::integer(4), Graph::integer(6)), pair(Graph::integer(1), Graph::integer(5)));
    let program = "\\x y => let twice A (a : A) = a + a in ((x, y) - (y, x), (twice (x, 1), twice 2, twice x))";
    let found = derived_at(intervals(), program, &[x, y]);
    let exact = |element: &Element| {
        let numbers: Vec<i64> = jet_coordinates(element)
            .unwrap()
            .iter()
            .map(|g| g.as_rational().and_then(|q| q.numer().to_i64()).unwrap())
            .collect();
        (numbers[0], numbers[1])
    };
    let (differences, sums) = found.as_pair().unwrap();
    let (first, second) = differences.as_pair().unwrap();
    assert_eq!((exact(first), exact(second)), ((-1, 5), (-5, 1)));
    let sums = sums.as_tuple().unwrap();
    let (left, right) = sums[0].as_pair().unwrap();
    assert_eq!((exact(left), exact(right)), ((8, 12), (2, 2)));
    assert_eq!((exact(&sums[1]), exact(&sums[2])), ((4, 4), (8, 12)));
}

/// A program with an operation that has no rule is refused alone, and not counted among others.
#[test]
fn a_program_without_a_rule_is_not_asked() {
    let (term, ty) = parse_program("\\x => erf x").unwrap();
    let representation: Arc<dyn Representation> = Arc::new(complex_step());
    let error = derive_by_rules(&representation, &term, &ty).unwrap_err();
    assert!(matches!(error, GlueError::Macro(_)), "{error:?}");
    assert_eq!(error.to_string(), "the macro has no rule for `erf`; give one, or a program without it");
    let program = TestTerm::real_operation(Constant::Elementary(Function::Erf), vec![TestTerm::real_literal(1)]);
    let only = |programs: Vec<TestTerm>| TheoremTest {
        draw: Box::new(move |random: &mut SplitMix64| vec![random.pick(&programs).clone()]),
        ..fundamental_lemma(setup(RepresentationFamily::fixed(complex_step())))
    };
    let alone = only(vec![program.clone()]).run_test(&TheoremTestConfig::new(5, 1)).unwrap_err();
    assert_eq!(alone.to_string(), error.to_string());
    let sine = TestTerm::real_operation(Constant::Elementary(Function::Sin), vec![TestTerm::real_literal(1)]);
    let some = only(vec![program, sine]).run_test(&TheoremTestConfig::new(20, 1)).unwrap();
    assert!(some.not_asked > 0 && some.survived + some.vacuous > 0, "{some:?}");
    assert_eq!(some.without_rule.iter().collect::<Vec<_>>(), ["`erf`"]);
}

/// Methods of a representation that are wrong, one for each kind of fault.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Fault {
    PanicInClaims,
    PanicInCoordinate,
    PanicInRule,
    PanicInLifted,
    CoordinateOfAnotherType,
    CoordinateOfAnotherLength,
    RuleOfAnotherType,
    LiftedOfAnotherType,
    LowerEndAboveUpperEnd,
    ClaimOnAForeignVariable,
}

#[derive(Debug)]
struct Faulty(Fault, Intervals);

impl NumberRules for Faulty {
    fn carrier(&self) -> Ty {
        self.1.rules().carrier()
    }
    fn constant(&self, value: Core) -> Core {
        self.1.rules().constant(value)
    }
    fn operation(&self, operation: &SmoothOperation) -> Option<Core> {
        match self.0 {
            Fault::PanicInRule => panic!("no rule today"),
            Fault::RuleOfAnotherType => Some(parse_program("\\(x : Real) => x").unwrap().0),
            _ => self.1.rules().operation(operation),
        }
    }
}

impl Representation for Faulty {
    fn rules(&self) -> &dyn NumberRules {
        self
    }
    fn coordinate(
        &self,
        stage: &CoordinateSpace,
        direction: usize,
        random: &mut SplitMix64,
    ) -> Result<Element, ValueError> {
        let u = Graph::variable(stage.variables()[direction]);
        match self.0 {
            Fault::PanicInCoordinate => panic!("no coordinate today"),
            Fault::CoordinateOfAnotherType => Ok(Element::Natural(3)),
            Fault::CoordinateOfAnotherLength => Ok(Element::tuple_of([(); 3].map(|()| Element::Real(u.clone())))),
            Fault::LowerEndAboveUpperEnd => {
                let moved = |by| Graph::binary(Binary::Add, &u, &Graph::integer(by));
                Ok(pair(moved(1), moved(-1)))
            }
            _ => self.1.coordinate(stage, direction, random),
        }
    }
    fn claims(&self, plot: &Graph, number: &Element, stage: &CoordinateSpace) -> Result<Vec<PlotClaim>, GlueError> {
        match self.0 {
            Fault::PanicInClaims => panic!("no claim today"),
            Fault::ClaimOnAForeignVariable => {
                Ok(vec![PlotClaim::Equal(plot.clone(), Graph::variable(Variable::fresh()))])
            }
            _ => self.1.claims(plot, number, stage),
        }
    }
    fn lifted(&self, _: &RealMap<'_>, _: &[Element]) -> Option<Result<Element, ValueError>> {
        match self.0 {
            Fault::PanicInLifted => panic!("no definition today"),
            Fault::LiftedOfAnotherType => Some(Ok(Element::Unit)),
            _ => None,
        }
    }
}

/// A method that panics or returns what is of another type gives an error or a refutation, and the process goes on.
#[test]
fn a_faulty_method_of_a_representation_is_an_error() {
    let family = |fault| RepresentationFamily::fixed(Faulty(fault, intervals()));
    let run = |fault, theorem: MakeTest| theorem(setup(family(fault))).run_test(&TheoremTestConfig::new(20, 1));
    for (fault, message) in [
        (Fault::PanicInClaims, "the representation panicked: no claim today"),
        (Fault::PanicInCoordinate, "the representation panicked: no coordinate today"),
        (Fault::PanicInRule, "the representation panicked: no rule today"),
        (Fault::PanicInLifted, "the representation panicked: no definition today"),
        (
            Fault::CoordinateOfAnotherType,
            "a coordinate of the representation is no element of its carrier, `Real^2`: a natural number in the place of `Real^2`",
        ),
        (Fault::CoordinateOfAnotherLength, "a coordinate of the representation is no element of its carrier"),
        (Fault::LiftedOfAnotherType, "a lifted map of the representation is no element of its carrier"),
    ] {
        let error = run(fault, fundamental_lemma).unwrap_err();
        assert!(error.is_of_representation(), "{fault:?}: {error}");
        assert!(error.to_string().starts_with(message), "{fault:?}: {error}");
    }
    // a type error in a rule is a refutation of the macro, and a wrong base pair one of the law of base pairs
    let typed = run(Fault::RuleOfAnotherType, fundamental_lemma).unwrap().refutation.unwrap();
    assert_eq!(typed.witness, "the type of the derived program");
    assert!(run(Fault::LowerEndAboveUpperEnd, base_pairs).unwrap().refutation.is_some());
    // a graph with a variable of nowhere cannot be tested
    let foreign = run(Fault::ClaimOnAForeignVariable, fundamental_lemma).unwrap();
    assert_eq!((foreign.survived, foreign.refutation.is_some()), (0, false));
    assert!(foreign.untestable.is_some());
}

fn intervals() -> Intervals {
    Intervals::from_rows().unwrap()
}

fn bounds() -> ErrorBounds {
    ErrorBounds::from_rows().unwrap()
}

fn signs() -> Signs {
    Signs::from_rows().unwrap()
}

/// The product of signs with Neg · Neg = Neg.
const NEGATIVE_PRODUCT: &str = "x * y = match x with
    Neg => (match y with Neg => Neg | Zero => Zero | Pos => Neg | Any => Any)
  | Zero => Zero
  | Pos => (match y with Neg => Neg | Zero => Zero | Pos => Pos | Any => Any)
  | Any => (match y with Neg => Any | Zero => Zero | Pos => Any | Any => Any)";

/// Tests that take more than half a second: `cargo quick` passes them over.
mod slow {
    use super::*;

    /// All representations, each with the theorems that are about every representation.
    #[test]
    fn every_program_is_related_to_its_derived_program_by_every_representation() {
        let families = [
            ("complex step", RepresentationFamily::fixed(complex_step())),
            ("intervals", RepresentationFamily::fixed(intervals())),
            ("error bounds", RepresentationFamily::fixed(bounds())),
            ("signs", RepresentationFamily::fixed(signs())),
            ("jets", RepresentationFamily::depending_on_basis(BasisRange::UpTo(2, 2), jets_over)),
            ("nested", NestedDuals::family(&WrittenDerivatives)),
            ("reverse", ReverseMode::family(&StandardReverseHooks)),
        ];
        for (name, family) in families {
            for (way, family) in [("by definition", family.clone()), ("by programs", family.by_programs())] {
                let theorems: [(&str, MakeTest, u64); 3] =
                    [("base", base_pairs, 40), ("pairs", related_pairs, 60), ("lemma", fundamental_lemma, 60)];
                for (theorem, make, samples) in theorems {
                    // 16 numbers for each number take their time
                    let samples = if name == "nested" { samples / 3 } else { samples };
                    println!("{name} {way}, {theorem}:");
                    let found = tried(&make(setup(family.clone())), samples);
                    if let Some(refutation) = &found.refutation {
                        panic!("{name} {way}, {theorem}\n{refutation}");
                    }
                    assert!(found.has_passed(), "{name} {way}, {theorem}: {found:?}");
                }
            }
        }
    }

    /// The true macro, whose pairs were drawn as Taylor jets before, and which was refuted by them.
    #[test]
    fn the_complex_step_is_related_to_the_analytic_extension_at_programs_with_match() {
        let family = RepresentationFamily::fixed(complex_step());
        for family in [family.clone(), family.by_programs()] {
            let config = TheoremTestConfig { counts_uses: true, ..TheoremTestConfig::new(200, 1) };
            let found = fundamental_lemma(setup(family)).run_test(&config).unwrap();
            println!("{found:?}");
            assert_eq!(found.refutation, None);
            assert!(found.has_passed() && found.survived >= 150, "{found:?}");
            assert!(found.contents.percent_using(UsedConstruct::Match) >= 20.0, "{}", found.contents);
        }
        let wrong = complex_step().with_rows(DUAL_SINE).unwrap();
        let family = RepresentationFamily::fixed(wrong);
        assert_eq!(refuting_seeds(&family), crate::seeds().end);
        assert_eq!(refuting_seeds(&family.by_programs()), crate::seeds().end);
    }

    const DUAL_SINE: &str = "sin x = (sin x[0], x[1] * cos x[0])";

    /// Returns how many seeds refute the fundamental lemma within 200 samples.
    fn refuting_seeds(family: &RepresentationFamily) -> u64 {
        let refutes = |seed: &u64| {
            let test = fundamental_lemma(setup(family.clone()));
            test.refuted_at(&TheoremTestConfig::new(200, *seed)).unwrap().is_some()
        };
        crate::seeds().filter(refutes).count() as u64
    }

    /// A wrong rule: its name, whether its representation has pairs by definition, the representation.
    type WrongRule = (&'static str, bool, RepresentationFamily);

    /// Tests with pairs by definition and by programs: the number of seeds that refute a rule. A representation without
    /// definition has pairs by programs alone. With pairs by programs three quarters of the seeds suffice.
    fn assert_refuted_with_every_seed(table: &[WrongRule]) {
        let (seeds, mut wrong) = (crate::seeds().end, Vec::new());
        println!("{:42} {:>12} {:>12}", format!("seeds of {seeds} that refute"), "definition", "programs");
        for (name, is_lifted, family) in table {
            let by_definition = is_lifted.then(|| refuting_seeds(family));
            let by_programs = refuting_seeds(&family.clone().by_programs());
            let first = by_definition.map_or("-".to_owned(), |refuting| refuting.to_string());
            println!("{name:42} {first:>12} {by_programs:>12}");
            if by_definition.is_some_and(|refuting| refuting < seeds) || by_programs * 4 < seeds * 3 {
                wrong.push((name, by_definition, by_programs));
            }
        }
        assert!(wrong.is_empty(), "{wrong:?}");
    }

    #[test]
    fn wrong_rules_of_complex_numbers_and_intervals_are_refuted_with_every_seed() {
        let complex = |rows: &str| RepresentationFamily::fixed(complex_step().with_rows(rows).unwrap());
        let interval = |rows: &str| RepresentationFamily::fixed(intervals().with_rows(rows).unwrap());
        assert_refuted_with_every_seed(&[
            ("complex: the dual sine", true, complex(DUAL_SINE)),
            ("complex: + in products", true, complex("x * y = (x[0] * y[0] + x[1] * y[1], x[0] * y[1] + x[1] * y[0])")),
            (
                "complex: cosine of the other sign",
                true,
                complex("cos x = (cos x[0] * cosh x[1], sin x[0] * sinh x[1])"),
            ),
            ("complex: exponential without a rotation", true, complex("exp x = (exp x[0], exp x[0] * x[1])")),
            ("complex: quotient without conjugate", true, complex("x / y = (x[0] / y[0], x[1] / y[0])")),
            ("intervals: difference by the same ends", false, interval("x - y = (x[0] - y[0], x[1] - y[1])")),
            ("intervals: exponential with its ends exchanged", false, interval("exp x = (exp x[1], exp x[0])")),
            ("intervals: product of the ends", false, interval("x * y = (x[0] * y[0], x[1] * y[1])")),
            ("intervals: sine of the ends", false, interval("sin x = (sin x[0], sin x[1])")),
        ]);
    }

    #[test]
    fn wrong_rules_of_error_bounds_are_refuted_with_every_seed() {
        let bound = |rows: &str| RepresentationFamily::fixed(bounds().with_rows(rows).unwrap());
        assert_refuted_with_every_seed(&[
            (
                "errors: product of bounds left out",
                false,
                bound("x * y = (x[0] * y[0], abs x[0] * y[1] + abs y[0] * x[1])"),
            ),
            ("errors: difference of bounds", false, bound("x - y = (x[0] - y[0], x[1] - y[1])")),
            ("errors: sine of first order", false, bound("sin x = (sin x[0], abs (cos x[0]) * x[1])")),
            ("errors: exponential of first order", false, bound("exp x = (exp x[0], exp x[0] * x[1])")),
        ]);
    }

    #[test]
    fn wrong_rules_of_signs_and_of_derivatives_are_refuted_with_every_seed() {
        let sign = |rows: &str| RepresentationFamily::fixed(signs().with_rows(rows).unwrap());
        let jets = |hooks: &'static Taylor| {
            RepresentationFamily::depending_on_basis(BasisRange::UpTo(2, 2), move |basis| {
                Arc::new(TaylorJets::with_hooks(basis, hooks))
            })
        };
        let reverse = |rule: Reverse| {
            let rule: &'static Reverse = Reverse::ALL.iter().find(|known| **known == rule).unwrap();
            ReverseMode::family(rule)
        };
        assert_refuted_with_every_seed(&[
            ("signs: negative product", false, sign(NEGATIVE_PRODUCT)),
            ("signs: cosine that is positive", false, sign("cos x = Pos")),
            ("signs: sum like its first part", false, sign("x + y = x")),
            ("jets: cross term", true, jets(&Taylor::CrossTerm)),
            ("jets: factorials", true, jets(&Taylor::Factorial)),
            // two levels show it as well as four, in a quarter of the numbers
            ("nested: the other sine", true, NestedDuals::family(&OtherSine).in_range(BasisRange::Levels(2))),
            ("reverse: product", true, reverse(Reverse::Multiply)),
            ("reverse: quotient", true, reverse(Reverse::Divide)),
            ("reverse: functions", true, reverse(Reverse::Function)),
        ]);
    }

    /// `sin (x, x′) = (sin x, −x′ cos x)`
    #[derive(Debug)]
    struct OtherSine;

    impl TaylorHooks for OtherSine {
        fn lifted_operation(&self, operation: &SmoothOperation) -> Option<Core> {
            match operation {
                SmoothOperation::Constant(Constant::Elementary(Function::Sin)) => {
                    Some(parse_program("\\(x : Real^2) => (sin x[0], 0 - cos x[0] * x[1])").unwrap().0)
                }
                operation => WrittenDerivatives.lifted_operation(operation),
            }
        }
    }
}
