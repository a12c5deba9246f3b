//! Gluing along a functor into sets that keeps products: relations with G = (−)ⁿ over sets.

use crate::sets::{Function, Set, Sets, Value};
use smoothish_laws::category::ObjectName;
use smoothish_laws::category::value::{Typed, ValueCartesian, ValueClosed, ValueCocartesian, ValueLists};
use smoothish_laws::glue::object::PaperClauses;
use smoothish_laws::glue::points::{
    Glue, GlueTrial, GluedObject, ListPoints, PointClauses, PointPreimages, Points, PointsResult, SumPoints,
    check_closed_arrows, check_list_arrows, check_points, check_sum_arrows,
};
use smoothish_laws::law::category::{DrawValue, NamedVerdicts, check_bicartesian_closed};
use smoothish_laws::random::SplitMix64;
use smoothish_laws::verdict::Verdict;

/// G = (−)ⁿ: n elements of one set.
#[derive(Clone, Copy, Debug, Default)]
struct Power<const N: usize>;

impl<const N: usize> Points for Power<N> {
    type From = Sets;
    type Element = Vec<Value>;

    fn category(&self) -> &Sets {
        &Sets::Right
    }
    fn map_point(&self, _: [&Set; 2], f: &Function, x: &Vec<Value>) -> PointsResult<Self, Vec<Value>> {
        Ok(x.iter().map(|x| f(x)).collect())
    }
    fn terminal_point(&self) -> Vec<Value> {
        vec![Value::Star; N]
    }
    fn pair_points(&self, _: [&Set; 2], x: &Vec<Value>, y: &Vec<Value>) -> PointsResult<Self, Vec<Value>> {
        Ok(x.iter().zip(y).map(|(x, y)| crate::sets::pair(x.clone(), y.clone())).collect())
    }
    fn draw_point(&self, a: &Set, random: &mut SplitMix64) -> PointsResult<Self, Option<Vec<Value>>> {
        Ok((0..N).map(|_| a.draw(random)).collect())
    }
    fn list_points(&self, a: &Set) -> Option<Vec<Vec<Value>>> {
        let size = a.size()?;
        let count = size.checked_pow(N as u32).filter(|count| *count <= 1 << 12)?;
        let element = |number: usize, place| a.numbered(number / size.pow(place) % size);
        Some((0..count).map(|number| (0..N as u32).map(|place| element(number, place)).collect()).collect())
    }
    fn compare_points(&self, a: &Set, x: &Vec<Value>, y: &Vec<Value>) -> PointsResult<Self, Verdict> {
        let random = &mut SplitMix64::new(1);
        Ok(match x.iter().zip(y).find_map(|(x, y)| a.difference(x, y, random)) {
            Some([left, right]) => Verdict::refuted("a component", left, right),
            None => Verdict::Survived,
        })
    }
}

impl<const N: usize> SumPoints for Power<N> {
    fn split_sum(&self, _: [&Set; 2], x: &Vec<Value>) -> PointPreimages<Self, (usize, Vec<Value>)> {
        let of_side = |wanted: usize| {
            let part = |x: &Value| match x {
                Value::In(side, x) if *side == wanted => Some((**x).clone()),
                _ => None,
            };
            Some((wanted, x.iter().map(part).collect::<Option<_>>()?))
        };
        Ok((0..2).filter_map(of_side).collect())
    }
}

impl<const N: usize> ListPoints for Power<N> {
    fn split_list(&self, _: &Set, x: &Vec<Value>) -> PointPreimages<Self, Option<(Vec<Value>, Vec<Value>)>> {
        let lists = x.iter().map(|x| match x {
            Value::List(list) => list.as_slice(),
            _ => panic!("{x:?} is no list"),
        });
        let split: Vec<_> = lists.map(<[_]>::split_first).collect();
        if split.iter().all(Option::is_none) {
            return Ok(vec![None]);
        }
        // lists of which one is empty and another is not are made by no constructor
        let cells: Option<Vec<_>> = split.into_iter().collect();
        let cells = cells.map(|cells| cells.into_iter().map(|(x, rest)| (x.clone(), Value::List(rest.to_vec()))));
        Ok(cells.map(|cells| Some(cells.unzip())).into_iter().collect())
    }
}

type Square = Power<2>;

fn number(x: &Value) -> usize {
    match x {
        Value::Residue(n) => *n as usize,
        _ => panic!("{x:?} is no number"),
    }
}

/// {0 < 1 < … < n − 1} with the relation ≤.
fn chain(n: usize) -> GluedObject<Square> {
    GluedObject::decided_by(Set::Finite(n), |x: &Vec<Value>| number(&x[0]) <= number(&x[1]))
}

/// The points of an object that are related, and those that are related to themselves.
fn counted(of: &GluedObject<Square>) -> [usize; 2] {
    let members = of.list_members(&Power).unwrap().expect("so few points are listed");
    let set = of.underlying_object();
    let itself = members.iter().filter(|x| set.number_of(&x[0]) == set.number_of(&x[1])).count();
    [members.len(), itself]
}

/// Whether a function {0, 1}ⁿ → {0, 1} that is given by its bits sends related arguments to related values.
fn related(f: usize, g: usize, arguments: &[(usize, usize)]) -> bool {
    arguments.iter().all(|(x, y)| (f >> x) & 1 <= (g >> y) & 1)
}

/// The pairs of numbers below n with a property, in a second way that shares no code with the first.
fn pairs_below(n: usize, holds: impl Fn(usize, usize) -> bool) -> Vec<(usize, usize)> {
    let all = (0..n).flat_map(|f| (0..n).map(move |g| (f, g)));
    all.filter(|(f, g)| holds(*f, *g)).collect()
}

#[test]
fn related_functions_are_as_many_as_enumeration_says() {
    let glue: Glue<Square> = Glue::default();
    let p = chain(2);
    let functions = glue.exponential_object(&p, &p);
    let functionals = glue.exponential_object(&functions, &p);
    let order = pairs_below(2, |x, y| x <= y);
    let of_functions = pairs_below(4, |f, g| related(f, g, &order));
    let of_functionals = pairs_below(16, |f, g| related(f, g, &of_functions));
    assert_eq!([of_functions.len(), of_functionals.len()], [8, 64]);
    assert_eq!(of_functionals.iter().filter(|(f, g)| f == g).count(), 6);
    // 8 of 16, of which the constants and the identity are related to themselves; 64 of 256, and 6 of 16
    assert_eq!(counted(&functions), [8, 3]);
    assert_eq!(counted(&functionals), [64, 6]);
}

#[test]
fn powers_are_functors_that_keep_products() {
    fn survives<const N: usize>(seed: u64) {
        let random = &mut SplitMix64::new(seed);
        let [a, b, c] = [Set::Modular, Sets::Right.list_object(&Set::Finite(2)), Set::Finite(3)];
        let (f, g) =
            (Sets::Right.draw_value([&a, &b], random).unwrap(), Sets::Right.draw_value([&b, &c], random).unwrap());
        for (law, verdict) in check_points(&Power::<N>, [&a, &b, &c], [&f, &g], random).unwrap() {
            assert_eq!(verdict, Verdict::Survived, "{law}");
        }
    }
    for seed in 0..20 {
        survives::<1>(seed);
        survives::<2>(seed);
        survives::<3>(seed);
    }
}

/// Functors that are none, and one that keeps no products: A ↦ A + 1.
#[derive(Clone, Copy, Debug, PartialEq)]
enum Unkept {
    Maybe,
    Swapped,
    PairedAcross,
}

impl Points for Unkept {
    type From = Sets;
    type Element = Vec<Value>;

    fn category(&self) -> &Sets {
        &Sets::Right
    }
    fn map_point(&self, ends: [&Set; 2], f: &Function, x: &Vec<Value>) -> PointsResult<Self, Vec<Value>> {
        // what is no identity at identities
        let image = Power::<2>.map_point(ends, f, x).unwrap();
        Ok(if *self == Self::Swapped { image.into_iter().rev().collect() } else { image })
    }
    fn terminal_point(&self) -> Vec<Value> {
        vec![Value::Star; 2]
    }
    fn pair_points(&self, parts: [&Set; 2], x: &Vec<Value>, y: &Vec<Value>) -> PointsResult<Self, Vec<Value>> {
        let y: Vec<Value> = if *self == Self::PairedAcross { y.iter().rev().cloned().collect() } else { y.clone() };
        Power::<2>.pair_points(parts, x, &y).map_err(|_| unreachable!())
    }
    fn draw_point(&self, a: &Set, random: &mut SplitMix64) -> PointsResult<Self, Option<Vec<Value>>> {
        // no element is one of A + 1
        let count = if *self == Self::Maybe { random.next_below(2) } else { 2 };
        Ok((0..count).map(|_| a.draw(random)).collect())
    }
    fn compare_points(&self, a: &Set, x: &Vec<Value>, y: &Vec<Value>) -> PointsResult<Self, Verdict> {
        if x.len() != y.len() {
            return Ok(Verdict::refuted("the numbers of elements", x.len(), y.len()));
        }
        Power::<2>.compare_points(a, x, y).map_err(|_| unreachable!())
    }
}

#[test]
fn functors_that_keep_no_products_are_refuted() {
    for (functor, laws) in [
        (Unkept::Maybe, vec!["components of points", "the point of 1"]),
        (Unkept::Swapped, vec!["identity of functors", "composition of functors"]),
        (Unkept::PairedAcross, vec!["components of points"]),
    ] {
        for seed in 0..20 {
            let random = &mut SplitMix64::new(seed);
            let a = Set::Modular;
            let f = Sets::Right.draw_value([&a, &a], random).unwrap();
            let verdicts = check_points(&functor, [&a, &a, &a], [&f, &f], random).unwrap();
            for law in &laws {
                let found = verdicts.iter().find(|(name, _)| name == law).unwrap();
                assert!(found.1.is_refuted(), "{functor:?}, {law}, seed {seed}");
            }
        }
    }
}

/// Names of objects of the glued category.
enum Two {}
enum Three {}

impl<K: PointClauses<Square>> ObjectName<Typed<Glue<Square, K>>> for Two {
    fn object() -> GluedObject<Square> {
        chain(2)
    }
}

/// {0, 1, 2} with 0 and 1 below 2, which is no chain.
impl<K: PointClauses<Square>> ObjectName<Typed<Glue<Square, K>>> for Three {
    fn object() -> GluedObject<Square> {
        GluedObject::decided_by(Set::Finite(3), |x: &Vec<Value>| {
            let (x, y) = (number(&x[0]), number(&x[1]));
            x == y || y == 2
        })
    }
}

fn chain_of_three<K: PointClauses<Square>>() -> GluedObject<Square> {
    <Three as ObjectName<Typed<Glue<Square, K>>>>::object()
}

/// All laws about arrows that preserve relations, with some clauses.
fn preserved<K: PointClauses<Square>>(seed: u64) -> NamedVerdicts {
    let (glue, random) = (Glue::<Square, K>::default(), &mut SplitMix64::new(seed));
    let (a, b, d) = (chain(2), chain_of_three::<K>(), chain(3));
    let mut verdicts = check_closed_arrows(&glue, [&a, &b, &d], random).unwrap();
    verdicts.extend(check_sum_arrows(&glue, [&a, &b, &d], random).unwrap());
    verdicts.extend(check_list_arrows(&glue, [&a, &a], random).unwrap());
    verdicts
}

#[test]
fn the_structure_of_the_glued_category_preserves_the_predicates() {
    for seed in 0..20 {
        for (name, verdict) in preserved::<PaperClauses>(seed) {
            assert_eq!(verdict, Verdict::Survived, "{name}, seed {seed}");
        }
    }
}

#[test]
fn the_glued_category_is_bicartesian_closed() {
    for seed in 0..5 {
        let trial = GlueTrial { seed, arrows: seed };
        let random = &mut SplitMix64::new(seed);
        let laws = check_bicartesian_closed::<Typed<Glue<Square>>, Two, Three, Two>(random, &trial).unwrap();
        assert_eq!(laws.len(), 16);
        for (name, verdict) in laws {
            assert_eq!(verdict, Verdict::Survived, "{name}, seed {seed}");
        }
    }
}

/// Defines clauses of which one is wrong.
macro_rules! wrong_clauses {
    ($($name:ident: $clause:item)*) => {
        $(
            #[derive(Clone, Copy, Debug, Default)]
            struct $name;

            impl PointClauses<Square> for $name {
                $clause
            }
        )*
    };
}

wrong_clauses! {
    EqualArguments: fn asks_argument(&self, _: &Square, a: &Set, x: &Vec<Value>) -> bool {
        a.number_of(&x[0]) == a.number_of(&x[1])
    }
    FirstComponent: fn asks_component(&self, index: usize) -> bool {
        index == 0
    }
    AnySummand: fn asks_summand(&self, _: usize) -> bool {
        false
    }
    HeadOnly: fn asks_element(&self, index: usize) -> bool {
        index == 0
    }
}

#[test]
fn functions_that_are_related_at_equal_arguments_are_too_many() {
    let glue: Glue<Square, EqualArguments> = Glue::default();
    let p = chain(2);
    // f ≤ g at 0 and at 1: 3 · 3 pairs. The ninth is `not` and itself, which is related at 0 and 0, and not at 0 and 1
    let functions = glue.exponential_object(&p, &p);
    assert_eq!(counted(&functions), [9, 4]);
    let both = glue.product_object(&functions, &p);
    for seed in 0..20 {
        let apply = glue.apply([&p, &p]).unwrap();
        let verdict = both.test_preserves(&Power, &p, &apply, &mut SplitMix64::new(seed)).unwrap();
        assert!(verdict.is_refuted(), "{verdict}, seed {seed}");
    }
}

#[test]
fn wrong_clauses_are_refuted_by_the_arrow_that_needs_them() {
    fn refuted<K: PointClauses<Square>>(law: &str) {
        for seed in 0..20 {
            // most folds do not depend on the second element: of each seed several are drawn
            let found = (0..32).any(|round| {
                let verdicts = preserved::<K>(32 * seed + round);
                verdicts.iter().any(|(name, verdict)| *name == law && verdict.is_refuted())
            });
            assert!(found, "{law}, seed {seed}");
        }
    }
    refuted::<EqualArguments>("apply");
    refuted::<FirstComponent>("snd");
    refuted::<AnySummand>("cases");
    refuted::<HeadOnly>("folds");
}

/// `curry` is no arrow into an exponential with too few points, here one with equal functions alone.
#[test]
fn an_exponential_that_is_too_small_is_refuted_by_curry() {
    let glue: Glue<Square> = Glue::default();
    let p = chain(2);
    let set = glue.exponential_object(&p, &p).underlying_object().clone();
    let of = set.clone();
    let equal = GluedObject::<Square>::decided_by(set, move |f| of.number_of(&f[0]) == of.number_of(&f[1]));
    let random = &mut SplitMix64::new(1);
    let first = glue.curry([&p, &p, &p], &glue.first([&p, &p]).unwrap()).unwrap();
    let right = glue.exponential_object(&p, &p);
    assert_eq!(p.test_preserves(&Power, &right, &first, random).unwrap(), Verdict::Survived);
    assert!(p.test_preserves(&Power, &equal, &first, random).unwrap().is_refuted());
}

#[test]
fn arrows_that_cannot_be_drawn_are_named() {
    let glue: Glue<Square> = Glue::default();
    let lists = glue.list_object(&chain(2));
    let random = &mut SplitMix64::new(1);
    let error = |ends: [&GluedObject<Square>; 2], random: &mut SplitMix64| {
        glue.draw_value(ends, random).map(|_| ()).unwrap_err().to_string()
    };
    let of = "`Glue(Power)` has no image for";
    assert_eq!(
        error([&lists, &chain(2)], random),
        format!("{of} arrows out of Lists(Finite(2)), whose points are not listed")
    );
    let functions = glue.exponential_object(&lists, &chain(2));
    assert_eq!(
        error([&chain(2), &functions], random),
        format!("{of} arrows into Functions([Lists(Finite(2)), Finite(2)]), whose predicate is not decided")
    );
    // no arrow 1 → (2, ∅)
    let none = GluedObject::decided_by(Set::Finite(2), |_| false);
    let message = error([&glue.terminal_object(), &none], random);
    assert!(message.ends_with("2000 arrows do not preserve the predicates"), "{message}");
    // points of an exponential of lists are drawn as constants
    let constant = functions.draw_member(&Power, random).unwrap().unwrap();
    let verdict = functions.test_point(&Power, &constant, random).unwrap();
    assert_eq!(verdict, Verdict::Survived);
    assert_eq!(glue.initial_object().draw_member(&Power, random).unwrap().map(|_| ()), None);
}

/// Gl_k with spaces of one's own: the line up to sign, an orbifold, and what its squares are.
mod spaces {
    use smoothish_laws::category::value::{ValueCartesian, ValueCategory, ValueClosed};
    use smoothish_laws::diffeology::map::{AnyPlot, AnySpace, SmoothMap, SpaceMap, Spaces};
    use smoothish_laws::diffeology::open::OpenSet;
    use smoothish_laws::diffeology::piecewise::PieceRegion;
    use smoothish_laws::diffeology::product::{CartesianDiffeology, CartesianPlot};
    use smoothish_laws::diffeology::quotient::{EquivalenceRelation, QuotientDiffeology};
    use smoothish_laws::diffeology::{Diffeology, DiffeologyVerdict};
    use smoothish_laws::glue::points::{Glue, GluedObject, PairsOfPlots, PointPredicate, PointsResult, check_points};
    use smoothish_laws::law::diffeology::{check_space, default_samples};
    use smoothish_laws::random::SplitMix64;
    use smoothish_laws::smooth::graph::Graph;
    use smoothish_laws::smooth::map::MapTestConfig;
    use smoothish_laws::verdict::Verdict;

    /// x ∼ y if x = ±y.
    #[derive(Clone, Copy, Debug)]
    struct UpToSign;

    fn line() -> CartesianDiffeology {
        CartesianDiffeology::whole_space(1)
    }

    fn orbifold() -> QuotientDiffeology<CartesianDiffeology, UpToSign> {
        QuotientDiffeology { space: line(), relation: UpToSign }
    }

    /// A plot after a function of the line.
    fn after(plot: &CartesianPlot, f: impl Fn(&Graph) -> Graph) -> CartesianPlot {
        plot.map_pieces(|graphs| [f(&graphs[0])].into())
    }

    impl EquivalenceRelation<CartesianDiffeology> for UpToSign {
        fn test_related(
            &self,
            of: &CartesianDiffeology,
            x: &Vec<Graph>,
            y: &Vec<Graph>,
            trial: &MapTestConfig,
        ) -> DiffeologyVerdict {
            of.compare_points(&vec![&x[0] * &x[0]], &vec![&y[0] * &y[0]], trial)
        }
        fn draw_related_plot(
            &self,
            _: &CartesianDiffeology,
            plot: &CartesianPlot,
            random: &mut SplitMix64,
        ) -> CartesianPlot {
            if random.random_bool(50) { after(plot, |x| -x) } else { plot.clone() }
        }
        fn observe_class_function(
            &self,
            of: &CartesianDiffeology,
            which: u64,
            plot: &CartesianPlot,
        ) -> Vec<(PieceRegion, Graph)> {
            of.observe_plot(which, &after(plot, |x| x * x))
        }
    }

    /// Plots p of the line up to sign and q of the line with q = p².
    #[derive(Debug)]
    struct Squares;

    impl PointPredicate<PairsOfPlots> for Squares {
        fn test_point(
            &self,
            points: &PairsOfPlots,
            x: &[AnyPlot; 2],
            _: &mut SplitMix64,
        ) -> PointsResult<PairsOfPlots, Verdict> {
            let p =
                x[0].as_plot::<QuotientDiffeology<CartesianDiffeology, UpToSign>>().expect("a plot of the orbifold");
            let q = x[1].as_plot::<CartesianDiffeology>().expect("a plot of the line");
            let samples = points.sample_points();
            let at = |u: &Vec<Graph>| {
                let (x, y) = (orbifold().value_at(p, u, &points.trial)?, line().value_at(q, u, &points.trial)?);
                line().compare_points(&vec![&x[0] * &x[0]], &y, &points.trial)
            };
            Ok(Verdict::all_samples(samples.iter().map(at))?)
        }
        fn draw_point(
            &self,
            points: &PairsOfPlots,
            random: &mut SplitMix64,
        ) -> PointsResult<PairsOfPlots, Option<[AnyPlot; 2]>> {
            let lift = line().draw_plot(&OpenSet::whole_space(points.dimension), random);
            let p = AnySpace::forget_plot(&orbifold(), orbifold().project_plot(&lift));
            Ok(Some([p, AnySpace::forget_plot(&line(), after(&lift, |x| x * x))]))
        }
        fn is_decided(&self, _: &PairsOfPlots) -> bool {
            false
        }
    }

    fn spaces() -> (AnySpace, AnySpace) {
        (AnySpace::new(orbifold(), "ℝ/±"), AnySpace::new(line(), "ℝ"))
    }

    /// The object (ℝ/±, ℝ, q = p²).
    fn squares() -> GluedObject<PairsOfPlots> {
        GluedObject::new(spaces(), Squares)
    }

    /// A function of the line that is odd or even, between classes, and another one, between squares.
    fn arrow(f: fn(&Graph) -> Graph, on_squares: fn(&Graph) -> Graph) -> (SpaceMap, SpaceMap) {
        let (x, y) = spaces();
        let of_classes = SmoothMap::new(&orbifold(), &orbifold(), move |p| Ok(p.map_pieces(|lift| after(lift, f))));
        let of_squares = SmoothMap::new(&line(), &line(), move |q| Ok(after(q, on_squares)));
        (AnySpace::forget_types(&x, &x, &of_classes), AnySpace::forget_types(&y, &y, &of_squares))
    }

    fn cube(x: &Graph) -> Graph {
        x * x * x
    }

    fn twice(x: &Graph) -> Graph {
        x + x
    }

    #[test]
    fn the_line_up_to_sign_is_a_space() {
        assert_eq!(check_space(&orbifold(), &default_samples()).unwrap().verdict(), Verdict::Survived);
        // with its type forgotten as well
        assert_eq!(check_space(&spaces().0, &default_samples()).unwrap().verdict(), Verdict::Survived);
        // a plot of another space is an error where it is evaluated
        let (orbifold, line_value) = spaces();
        let of_line = line_value.draw_plot(&OpenSet::whole_space(1), &mut SplitMix64::new(1));
        let error = orbifold.value_at(&of_line, &[Graph::integer(0)], &MapTestConfig::default());
        let message = error.err().expect("an error").to_string();
        assert!(
            message.starts_with("expected a plot of ") && message.ends_with("found a plot of another space"),
            "{message}"
        );
    }

    #[test]
    fn plots_of_pairs_of_spaces_are_a_functor_that_keeps_products() {
        let (x, (f, g)) = (spaces(), (arrow(cube, cube), arrow(twice, twice)));
        for seed in 0..5 {
            let points = PairsOfPlots::of_dimension(1 + seed as usize % 2);
            let laws = check_points(&points, [&x, &x, &x], [&f, &g], &mut SplitMix64::new(seed)).unwrap();
            for (law, verdict) in laws {
                assert_eq!(verdict, Verdict::Survived, "{law}, seed {seed}");
            }
        }
    }

    #[test]
    fn maps_of_an_orbifold_preserve_a_relation_of_ones_own() {
        let (points, p) = (PairsOfPlots::of_dimension(1), squares());
        for seed in 0..20 {
            let test = |f: fn(&Graph) -> Graph, on_squares: fn(&Graph) -> Graph| {
                p.test_preserves(&points, &p, &arrow(f, on_squares), &mut SplitMix64::new(seed)).unwrap()
            };
            // (x³)² = (x²)³, and (2x)² is not 2x²
            assert_eq!(test(cube, cube), Verdict::Survived);
            assert!(test(twice, twice).is_refuted(), "seed {seed}");
        }
    }

    #[test]
    fn functions_of_an_orbifold_are_related_if_they_preserve_the_relation() {
        let glue: Glue<PairsOfPlots> = Glue::new(PairsOfPlots::of_dimension(1));
        let (points, p) = (glue.functor(), squares());
        let functions = glue.exponential_object(&p, &p);
        let both = glue.product_object(&functions, &p);
        let apply = glue.apply([&p, &p]).unwrap();
        for seed in 0..5 {
            let random = &mut SplitMix64::new(seed);
            assert_eq!(both.test_preserves(points, &p, &apply, random).unwrap(), Verdict::Survived);
            let curried = |f: &(SpaceMap, SpaceMap)| {
                let second = glue.second([&p, &p]).unwrap();
                let of_two = glue.then([&glue.product_object(&p, &p), &p, &p], &second, f).unwrap();
                glue.curry([&p, &p, &p], &of_two).unwrap()
            };
            let right = p.test_preserves(points, &functions, &curried(&arrow(cube, cube)), random);
            assert_eq!(right.unwrap(), Verdict::Survived);
            let wrong = p.test_preserves(points, &functions, &curried(&arrow(twice, twice)), random);
            assert!(wrong.unwrap().is_refuted(), "seed {seed}");
        }
    }

    /// β and η of the category of spaces as values, at drawn points.
    #[test]
    fn spaces_as_values_are_cartesian_closed() {
        use smoothish_laws::category::value::ValueSetoid;
        let (x, y) = spaces();
        let trial = MapTestConfig { sample_points: 4, ..MapTestConfig::default() };
        let (xy, functions) = (Spaces.product_object(&x, &y), Spaces.exponential_object(&y, &y));
        let both = Spaces.product_object(&functions, &y);
        // (x, y) ↦ y³
        let f = Spaces.then([&xy, &y, &y], &Spaces.second([&x, &y]).unwrap(), &arrow(cube, cube).1).unwrap();
        let uncurried = |g: &SpaceMap| {
            let function = Spaces.then([&xy, &x, &functions], &Spaces.first([&x, &y]).unwrap(), g).unwrap();
            let pair = Spaces.pair([&xy, &functions, &y], &function, &Spaces.second([&x, &y]).unwrap()).unwrap();
            Spaces.then([&xy, &both, &y], &pair, &Spaces.apply([&y, &y]).unwrap()).unwrap()
        };
        let g = Spaces.curry([&x, &y, &y], &f).unwrap();
        assert_eq!(Spaces.agree([&xy, &y], &uncurried(&g), &f, &trial).unwrap(), Verdict::Survived);
        let again = Spaces.curry([&x, &y, &y], &uncurried(&g)).unwrap();
        assert_eq!(Spaces.agree([&x, &functions], &again, &g, &trial).unwrap(), Verdict::Survived);
        // another map is told from it
        let other = Spaces.then([&xy, &y, &y], &Spaces.second([&x, &y]).unwrap(), &arrow(cube, twice).1).unwrap();
        assert!(Spaces.agree([&xy, &y], &other, &f, &trial).unwrap().is_refuted());
    }
}
