//! The laws of bicartesian closed categories with lists, the same functions for each instance: programs modulo βη, presheaves,
//! diffeological spaces, the gluing category; and instances that are wrong.

use smoothish_laws::category::opposite::{Op, Opposite, RelabelEnds};
use smoothish_laws::category::{Arrow, Cartesian, CartesianClosed, Category, Cocartesian, Lists, ObjectName, Setoid};
use smoothish_laws::diffeology::DiffeologyError;
use smoothish_laws::glue::morphism::{
    GluingCategory, InterpretationFunctor, JetsOf, Plots, Representations, SemanticsFunctor,
};
use smoothish_laws::law::category as law;
use smoothish_laws::law::category::{DrawArrow, NamedVerdicts, check_bicartesian_closed, check_products};
use smoothish_laws::meaning::diffeology::space::Diff;
use smoothish_laws::meaning::had::{Had, LanguageValues};
use smoothish_laws::presheaf::dynamic;
use smoothish_laws::presheaf::dynamic::{Element, StageFunction};
use smoothish_laws::random::SplitMix64;
use smoothish_laws::simple::{CategoryOfTypes, ListOf, One, Plus, RealLine, SimpleTypes, Terms, Times, To};
use smoothish_laws::smooth::map::MapTestConfig;
use smoothish_laws::syntax::data::is_uninhabited;
use smoothish_laws::syntax::ty::Ty;
use smoothish_laws::verdict::Verdict;
use std::cell::Cell;
use std::collections::BTreeMap;
use std::fmt::Debug;

/// How often each law survives, and how often it says nothing.
type Shares = BTreeMap<&'static str, (u32, u32)>;

/// All laws, on four choices of objects.
fn tried<C>(rounds: u64, trial: impl Fn(u64) -> C::Trial) -> Result<Shares, (&'static str, String)>
where
    C: DrawArrow + Setoid<Error: Debug> + SimpleTypes + CartesianClosed + Cocartesian + Lists,
{
    let mut shares = Shares::new();
    let mut count = |laws: NamedVerdicts| {
        for (name, verdict) in laws {
            let (survived, vacuous) = shares.entry(name).or_default();
            match verdict {
                Verdict::Survived => *survived += 1,
                Verdict::Vacuous => *vacuous += 1,
                refuted => return Err((name, refuted.to_string())),
            }
        }
        Ok(())
    };
    for round in 0..rounds {
        let random = &mut SplitMix64::for_sample(7, round);
        let trial = trial(round);
        count(check_bicartesian_closed::<C, RealLine, RealLine, RealLine>(random, &trial).unwrap())?;
        count(check_bicartesian_closed::<C, RealLine, Times<RealLine, RealLine>, RealLine>(random, &trial).unwrap())?;
        count(
            check_bicartesian_closed::<C, To<RealLine, RealLine>, RealLine, Times<RealLine, To<RealLine, RealLine>>>(
                random, &trial,
            )
            .unwrap(),
        )?;
        count(check_bicartesian_closed::<C, Plus<RealLine, One>, ListOf<RealLine>, RealLine>(random, &trial).unwrap())?;
    }
    Ok(shares)
}

/// Each law survives most of its rounds.
#[track_caller]
fn all_survive(found: Result<Shares, (&'static str, String)>, undecided: &[&str]) {
    let shares = found.unwrap();
    assert_eq!(shares.len(), 16);
    for (name, (survived, vacuous)) in shares {
        println!("{name}: {survived} survived, {vacuous} vacuous");
        assert!(survived > 2 * vacuous || undecided.contains(&name), "{name}: {survived}, {vacuous}");
    }
}

/// Few points: a law is tried on many arrows.
fn few(seed: u64) -> MapTestConfig {
    MapTestConfig { seed, sample_points: 3, ..MapTestConfig::default() }
}

/// The laws that normal forms of programs do not decide.
const UNDECIDED: [&str; 5] = ["η of sums", "fusion of sums", "η of lists", "uniqueness of lists", "fusion of lists"];

/// Laws that normal forms do not decide are vacuous here; the other instances test them.
#[test]
fn programs_modulo_beta_and_eta_are_a_bicartesian_closed_category() {
    all_survive(tried::<Terms>(8, |_| ()), &UNDECIDED);
}

#[test]
fn presheaves_are_a_bicartesian_closed_category() {
    all_survive(tried::<Had>(crate::drawn(4), few), &[]);
}

#[test]
fn values_of_the_language_are_a_bicartesian_closed_category() {
    all_survive(tried::<LanguageValues>(crate::drawn(4), few), &[]);
}

#[test]
fn the_gluing_category_is_bicartesian_closed_over_spaces() {
    // two arrows into 1 have no number at which they could differ
    all_survive(tried::<GluingCategory<JetsOf<1, 2>>>(crate::drawn(4), |seed| seed), &["uniqueness into 1"]);
    all_survive(tried::<GluingCategory<JetsOf<2, 1>>>(1, |seed| seed), &["uniqueness into 1"]);
}

/// Sums are products in the opposite category, and 0 is 1: the laws of products, on arrows the other way round.
fn opposite<C>(rounds: u64, trial: impl Fn(u64) -> C::Trial, undecided: &[&str])
where
    C: DrawArrow + Setoid<Error: Debug> + SimpleTypes + Cocartesian + RelabelEnds,
{
    let mut shares = Shares::new();
    for round in 0..rounds {
        let (random, trial) = (&mut SplitMix64::for_sample(11, round), trial(round));
        let mut laws =
            check_products::<Opposite<C>, Op<RealLine>, Op<Times<RealLine, RealLine>>, Op<ListOf<RealLine>>>(
                random, &trial,
            )
            .unwrap();
        laws.extend(
            check_products::<Opposite<C>, Op<Plus<RealLine, One>>, Op<RealLine>, Op<To<RealLine, RealLine>>>(
                random, &trial,
            )
            .unwrap(),
        );
        for (name, verdict) in laws {
            assert!(!verdict.is_refuted(), "{name}: {verdict}");
            let (survived, vacuous) = shares.entry(name).or_default();
            *if verdict == Verdict::Survived { survived } else { vacuous } += 1;
        }
    }
    assert_eq!(shares.len(), 6);
    for (name, (survived, vacuous)) in shares {
        println!("{name}: {survived} survived, {vacuous} vacuous");
        assert!(survived > 2 * vacuous || undecided.contains(&name), "{name}: {survived}, {vacuous}");
    }
}

#[test]
fn the_opposites_are_cartesian() {
    opposite::<Terms>(8, |_| (), &["β of products", "η of products", "fusion of products"]);
    opposite::<Had>(4, few, &[]);
    opposite::<LanguageValues>(4, few, &[]);
    opposite::<Diff>(3, few, &[]);
    opposite::<GluingCategory<JetsOf<1, 2>>>(2, |seed| seed, &[]);
}

/// An arrow that satisfies the equations of a fold is the fold, and one that does not is another: the fold from the left.
#[test]
fn folds_of_the_gluing_category_are_unique() {
    type C = GluingCategory<JetsOf<1, 2>>;
    let mut told_apart = 0;
    for round in 0..6 {
        let random = &mut SplitMix64::for_sample(13, round);
        let start: Arrow<C, One, RealLine> = Arrow(C::draw_hom::<One, RealLine>(random));
        let step: Arrow<C, Times<RealLine, RealLine>, RealLine> =
            Arrow(C::draw_hom::<Times<RealLine, RealLine>, RealLine>(random));
        let [right, left] =
            [false, true].map(|left| law::fold_by_functions::<C, RealLine, RealLine>(&start, &step, left));
        let fold = law::fold_arrow::<C, RealLine, RealLine>(&start, &step);
        assert_eq!(
            law::uniqueness_of_folds::<C, RealLine, RealLine>(&right, &start, &step, &round).unwrap(),
            Verdict::Survived
        );
        let equations = law::equations_of_folds::<C, RealLine, RealLine>(&left, &start, &step, &round).unwrap();
        let is_another = left.agrees(&fold, &round).unwrap().is_refuted();
        told_apart += u32::from(equations.is_refuted() && is_another);
        let said = law::uniqueness_of_folds::<C, RealLine, RealLine>(&left, &start, &step, &round).unwrap();
        assert!(said == Verdict::Vacuous || !equations.is_refuted(), "{said}");
    }
    assert!(told_apart >= 4, "{told_apart} of 6");
}

/// Presheaves with one construction in another's place: which, is a matter of the thread. As a parameter of the type it would have all
/// laws compiled six times.
enum Wrong {}

/// The wrong rule of an instance.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Rule {
    /// No rule is wrong.
    Right,
    /// The argument of a function is forgotten.
    Curry,
    /// A fold from the left.
    Left,
    /// Both cases are the first.
    Case,
    /// Pairs the wrong way round.
    Pair,
    /// 1 in the place of 0.
    Initial,
}

thread_local! {
    static RULE: Cell<Rule> = const { Cell::new(Rule::Right) };
}

fn is(rule: Rule) -> bool {
    RULE.get() == rule
}

/// The object in the place of 0.
enum Nothing {}

impl ObjectName<Wrong> for Nothing {
    fn object() -> Ty {
        if is(Rule::Initial) { Ty::unit() } else { Wrong::initial_object() }
    }
}

impl CategoryOfTypes for Wrong {}

impl Category for Wrong {
    type Object = Ty;
    type Hom<A: ObjectName<Self>, B: ObjectName<Self>> = StageFunction;

    fn identity<A: ObjectName<Self>>() -> StageFunction {
        dynamic::identity_arrow()
    }

    fn then<A: ObjectName<Self>, B: ObjectName<Self>, C: ObjectName<Self>>(
        f: &StageFunction,
        g: &StageFunction,
    ) -> StageFunction {
        dynamic::compose_arrows([f, g])
    }
}

impl Cartesian for Wrong {
    type Terminal = One;
    type Product<A: ObjectName<Self>, B: ObjectName<Self>> = Times<A, B>;

    fn terminal<A: ObjectName<Self>>() -> StageFunction {
        dynamic::terminal_arrow()
    }

    fn pair<X: ObjectName<Self>, A: ObjectName<Self>, B: ObjectName<Self>>(
        f: &StageFunction,
        g: &StageFunction,
    ) -> StageFunction {
        dynamic::pair_arrows(if is(Rule::Pair) && A::object() == B::object() { [g, f] } else { [f, g] })
    }

    fn first<A: ObjectName<Self>, B: ObjectName<Self>>() -> StageFunction {
        dynamic::projection_arrow(0)
    }

    fn second<A: ObjectName<Self>, B: ObjectName<Self>>() -> StageFunction {
        dynamic::projection_arrow(1)
    }
}

impl CartesianClosed for Wrong {
    type Exponential<A: ObjectName<Self>, B: ObjectName<Self>> = To<A, B>;

    fn curry<X: ObjectName<Self>, A: ObjectName<Self>, B: ObjectName<Self>>(f: &StageFunction) -> StageFunction {
        if !is(Rule::Curry) {
            return dynamic::curry_arrow([f]);
        }
        let (f, of_real) = (f.clone(), A::object() == Ty::real());
        StageFunction::new(move |x: &Element| {
            let (f, x) = (f.clone(), x.clone());
            let zero = Element::Real(smoothish_laws::smooth::graph::Graph::integer(0));
            let y = move |y: &Element| if of_real { zero.clone() } else { y.clone() };
            Ok(Element::from_closure(move |argument| f.apply(&Element::tuple_of([x.clone(), y(argument)]))))
        })
    }

    fn apply<A: ObjectName<Self>, B: ObjectName<Self>>() -> StageFunction {
        dynamic::evaluation_arrow()
    }
}

impl Cocartesian for Wrong {
    type Initial = Nothing;

    fn initial<A: ObjectName<Self>>() -> StageFunction {
        if !is(Rule::Initial) {
            return dynamic::initial_arrow();
        }
        let value = smoothish_laws::meaning::diffeology::space::draw_element(&A::object(), 0, &mut SplitMix64::new(1));
        StageFunction::new(move |_: &Element| Ok(value.clone()))
    }

    type Sum<A: ObjectName<Self>, B: ObjectName<Self>> = Plus<A, B>;

    fn left<A: ObjectName<Self>, B: ObjectName<Self>>() -> StageFunction {
        dynamic::injection_arrow(0)
    }

    fn right<A: ObjectName<Self>, B: ObjectName<Self>>() -> StageFunction {
        dynamic::injection_arrow(1)
    }

    fn case<A: ObjectName<Self>, B: ObjectName<Self>, X: ObjectName<Self>>(
        f: &StageFunction,
        g: &StageFunction,
    ) -> StageFunction {
        dynamic::copair_arrows(if is(Rule::Case) && A::object() == B::object() { [f, f] } else { [f, g] })
    }
}

impl Lists for Wrong {
    type List<A: ObjectName<Self>> = ListOf<A>;

    fn nil<A: ObjectName<Self>>() -> StageFunction {
        dynamic::nil_arrow()
    }

    fn cons<A: ObjectName<Self>>() -> StageFunction {
        dynamic::cons_arrow()
    }

    fn fold<A: ObjectName<Self>, B: ObjectName<Self>>(start: &StageFunction, step: &StageFunction) -> StageFunction {
        if !is(Rule::Left) {
            return dynamic::fold_list([start, step]);
        }
        let (start, step) = (start.clone(), step.clone());
        StageFunction::new(move |list: &Element| {
            let start = start.apply(&Element::Unit)?;
            list.as_list()?.iter().try_fold(start, |state, x| step.apply(&Element::tuple_of([x.clone(), state])))
        })
    }
}

impl Setoid for Wrong {
    type Trial = MapTestConfig;
    type Error = DiffeologyError;

    fn agree<A: ObjectName<Self>, B: ObjectName<Self>>(
        left: &StageFunction,
        right: &StageFunction,
        trial: &MapTestConfig,
    ) -> Result<Verdict, DiffeologyError> {
        use smoothish_laws::meaning::diffeology::space::ArrowEquality;
        use smoothish_laws::meaning::diffeology::space::StagewiseEquality;
        if is_uninhabited(&A::object()) {
            return Ok(Verdict::Survived);
        }
        StagewiseEquality::compare_functions(&A::object(), &B::object(), [left, right], trial)
    }
}

impl DrawArrow for Wrong {
    fn draw_hom<A: ObjectName<Self>, B: ObjectName<Self>>(random: &mut SplitMix64) -> StageFunction {
        let ty = Ty::function(A::object(), B::object());
        smoothish_laws::meaning::diffeology::space::draw_element(&ty, 0, random).as_function().unwrap().clone()
    }
}

/// The law that refutes a wrong instance.
fn refuted_by(rule: Rule) -> Option<&'static str> {
    RULE.set(rule);
    tried::<Wrong>(6, few).err().map(|(name, _)| name)
}

/// Tests that take more than half a second: `cargo quick` passes them over.
mod slow {
    use super::*;

    #[test]
    fn diffeological_spaces_are_a_bicartesian_closed_category() {
        all_survive(tried::<Diff>(crate::drawn(4), few), &[]);
    }

    #[test]
    fn wrong_instances_are_refuted() {
        assert_eq!(refuted_by(Rule::Curry), Some("β of exponentials"));
        assert_eq!(refuted_by(Rule::Left), Some("β of lists"));
        assert_eq!(refuted_by(Rule::Case), Some("β of sums"));
        assert_eq!(refuted_by(Rule::Pair), Some("β of products"));
        assert_eq!(refuted_by(Rule::Initial), Some("uniqueness out of 0"));
        // and what is not wrong is not refuted
        assert_eq!(refuted_by(Rule::Right), None);
    }

    /// The laws of functors, on programs `A → B → A`.
    #[test]
    fn meanings_and_projections_are_functors() {
        type A = Times<RealLine, To<RealLine, RealLine>>;
        type B = ListOf<RealLine>;
        let random = &mut SplitMix64::new(3);
        let mut found = Vec::new();
        for round in 0..crate::drawn(4) {
            let trial = few(round);
            let f: Arrow<Terms, A, B> = Arrow(Terms::draw_hom::<A, B>(random));
            let g: Arrow<Terms, B, A> = Arrow(Terms::draw_hom::<B, A>(random));
            found.push(law::functor_identity::<SemanticsFunctor, A>(&trial).unwrap());
            found.push(law::functor_composition::<SemanticsFunctor, A, B, A>(&f, &g, &trial).unwrap());
            type Jets = InterpretationFunctor<JetsOf<1, 2>>;
            found.push(law::functor_identity::<Jets, A>(&round).unwrap());
            found.push(law::functor_composition::<Jets, A, B, A>(&f, &g, &round).unwrap());
            let (f, g) = (f.map_functor::<Jets>(), g.map_functor::<Jets>());
            found.push(law::functor_composition::<Plots<JetsOf<1, 2>>, _, _, _>(&f, &g, &trial).unwrap());
            found.push(law::functor_composition::<Representations<JetsOf<1, 2>>, _, _, _>(&f, &g, &trial).unwrap());
        }
        let survived = found.iter().filter(|verdict| **verdict == Verdict::Survived).count();
        let refuted: Vec<&Verdict> = found.iter().filter(|verdict| verdict.is_refuted()).collect();
        assert!(refuted.is_empty() && survived * 4 > found.len() * 3, "{refuted:?}, {survived} of {}", found.len());
    }
}
