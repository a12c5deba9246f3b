//! The laws of bicartesian closed categories with lists, the same functions for each instance: programs modulo βη, presheaves,
//! diffeological spaces, the gluing category; and instances that are wrong.

use smoothish_laws::category::opposite::{Op, Opposite, Renamed};
use smoothish_laws::category::{Arrow, Cartesian, Category, Closed, Cocartesian, Lists, Names, Setoid};
use smoothish_laws::diffeology::DiffeologyError;
use smoothish_laws::glue::instance::{Gluing, Interpretation, Meaning, Plots, Representations};
use smoothish_laws::law::category::{self as law, Draw, Laws, bicartesian_closed, products};
use smoothish_laws::meaning::diffeology::category::{Diff, Had};
use smoothish_laws::presheaf::arrows;
use smoothish_laws::presheaf::dynamic::{Element, Function};
use smoothish_laws::random::Random;
use smoothish_laws::simple::{ListOf, One, Plus, Real, Simple, Times, To};
use smoothish_laws::smooth::map::Trial;
use smoothish_laws::syntax::inductive::is_empty;
use smoothish_laws::syntax::ty::Ty;
use smoothish_laws::terms::{OfTypes, Terms};
use smoothish_laws::verdict::Verdict;
use std::cell::Cell;
use std::collections::BTreeMap;
use std::fmt::Debug;

/// How often each law survives, and how often it says nothing.
type Shares = BTreeMap<&'static str, (u32, u32)>;

/// All laws, on four choices of objects.
fn tried<C>(rounds: u64, trial: impl Fn(u64) -> C::Trial) -> Result<Shares, (&'static str, String)>
where
    C: Draw + Setoid<Error: Debug> + Simple + Closed + Cocartesian + Lists,
{
    let mut shares = Shares::new();
    let mut count = |laws: Laws| {
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
        let random = &mut Random::of(7, round);
        let trial = trial(round);
        count(bicartesian_closed::<C, Real, Real, Real>(random, &trial).unwrap())?;
        count(bicartesian_closed::<C, Real, Times<Real, Real>, Real>(random, &trial).unwrap())?;
        count(bicartesian_closed::<C, To<Real, Real>, Real, Times<Real, To<Real, Real>>>(random, &trial).unwrap())?;
        count(bicartesian_closed::<C, Plus<Real, One>, ListOf<Real>, Real>(random, &trial).unwrap())?;
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
fn few(seed: u64) -> Trial {
    Trial { seed, samples: 3, ..Trial::default() }
}

/// What normal forms of programs do not decide.
const UNDECIDED: [&str; 5] = ["η of sums", "fusion of sums", "η of lists", "uniqueness of lists", "fusion of lists"];

/// What normal forms do not decide says nothing, and is said by the other instances.
#[test]
fn programs_modulo_beta_and_eta_are_a_bicartesian_closed_category() {
    all_survive(tried::<Terms>(8, |_| ()), &UNDECIDED);
}

#[test]
fn presheaves_are_a_bicartesian_closed_category() {
    all_survive(tried::<Had>(4, few), &[]);
}

#[test]
fn the_gluing_category_is_bicartesian_closed_over_spaces() {
    // two arrows into 1 have no number at which they could differ
    all_survive(tried::<Gluing<1, 2>>(3, |seed| seed), &["uniqueness into 1"]);
    all_survive(tried::<Gluing<2, 1>>(1, |seed| seed), &["uniqueness into 1"]);
}

/// Sums are products in the opposite category, and 0 is 1: the laws of products, on arrows the other way round.
fn opposite<C>(rounds: u64, trial: impl Fn(u64) -> C::Trial, undecided: &[&str])
where
    C: Draw + Setoid<Error: Debug> + Simple + Cocartesian + Renamed,
{
    let mut shares = Shares::new();
    for round in 0..rounds {
        let (random, trial) = (&mut Random::of(11, round), trial(round));
        let mut laws =
            products::<Opposite<C>, Op<Real>, Op<Times<Real, Real>>, Op<ListOf<Real>>>(random, &trial).unwrap();
        laws.extend(
            products::<Opposite<C>, Op<Plus<Real, One>>, Op<Real>, Op<To<Real, Real>>>(random, &trial).unwrap(),
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
    opposite::<Diff>(3, few, &[]);
    opposite::<Gluing<1, 2>>(2, |seed| seed, &[]);
}

/// An arrow that satisfies the equations of a fold is the fold, and one that does not is another: the fold from the left.
#[test]
fn folds_of_the_gluing_category_are_unique() {
    type C = Gluing<1, 2>;
    let mut told_apart = 0;
    for round in 0..6 {
        let random = &mut Random::of(13, round);
        let start: Arrow<C, One, Real> = Arrow(C::draw::<One, Real>(random));
        let step: Arrow<C, Times<Real, Real>, Real> = Arrow(C::draw::<Times<Real, Real>, Real>(random));
        let [right, left] = [false, true].map(|left| law::folded_by_functions::<C, Real, Real>(&start, &step, left));
        let fold = law::folded::<C, Real, Real>(&start, &step);
        assert_eq!(
            law::uniqueness_of_folds::<C, Real, Real>(&right, &start, &step, &round).unwrap(),
            Verdict::Survived
        );
        let equations = law::equations_of_folds::<C, Real, Real>(&left, &start, &step, &round).unwrap();
        let is_another = left.agrees(&fold, &round).unwrap().is_refuted();
        told_apart += u32::from(equations.is_refuted() && is_another);
        let said = law::uniqueness_of_folds::<C, Real, Real>(&left, &start, &step, &round).unwrap();
        assert!(said == Verdict::Vacuous || !equations.is_refuted(), "{said}");
    }
    assert!(told_apart >= 4, "{told_apart} of 6");
}

/// Presheaves with one construction in another's place: which, is a matter of the thread. As a parameter of the type it would have all
/// laws compiled six times.
enum Wrong {}

/// What is wrong.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Rule {
    /// Nothing.
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

/// What stands for 0.
enum Nothing {}

impl Names<Wrong> for Nothing {
    fn object() -> Ty {
        if is(Rule::Initial) { Ty::unit() } else { Wrong::zero() }
    }
}

impl OfTypes for Wrong {}

impl Category for Wrong {
    type Object = Ty;
    type Hom<A: Names<Self>, B: Names<Self>> = Function;

    fn identity<A: Names<Self>>() -> Function {
        arrows::identity()
    }

    fn then<A: Names<Self>, B: Names<Self>, C: Names<Self>>(f: &Function, g: &Function) -> Function {
        arrows::composite([f, g])
    }
}

impl Cartesian for Wrong {
    type Terminal = One;
    type Product<A: Names<Self>, B: Names<Self>> = Times<A, B>;

    fn terminal<A: Names<Self>>() -> Function {
        arrows::terminal()
    }

    fn pair<X: Names<Self>, A: Names<Self>, B: Names<Self>>(f: &Function, g: &Function) -> Function {
        arrows::pair(if is(Rule::Pair) && A::object() == B::object() { [g, f] } else { [f, g] })
    }

    fn first<A: Names<Self>, B: Names<Self>>() -> Function {
        arrows::projection(0)
    }

    fn second<A: Names<Self>, B: Names<Self>>() -> Function {
        arrows::projection(1)
    }
}

impl Closed for Wrong {
    type Exponential<A: Names<Self>, B: Names<Self>> = To<A, B>;

    fn curry<X: Names<Self>, A: Names<Self>, B: Names<Self>>(f: &Function) -> Function {
        if !is(Rule::Curry) {
            return arrows::curried([f]);
        }
        let (f, of_real) = (f.clone(), A::object() == Ty::real());
        Function::new(move |x: &Element| {
            let (f, x) = (f.clone(), x.clone());
            let zero = Element::Real(smoothish_laws::smooth::graph::Graph::integer(0));
            let y = move |y: &Element| if of_real { zero.clone() } else { y.clone() };
            Ok(Element::function(move |argument| f.apply(&Element::tuple([x.clone(), y(argument)]))))
        })
    }

    fn apply<A: Names<Self>, B: Names<Self>>() -> Function {
        arrows::evaluation()
    }
}

impl Cocartesian for Wrong {
    type Initial = Nothing;

    fn initial<A: Names<Self>>() -> Function {
        if !is(Rule::Initial) {
            return arrows::initial();
        }
        let value = smoothish_laws::meaning::diffeology::sample::element(&A::object(), 0, &mut Random::new(1));
        Function::new(move |_: &Element| Ok(value.clone()))
    }

    type Sum<A: Names<Self>, B: Names<Self>> = Plus<A, B>;

    fn left<A: Names<Self>, B: Names<Self>>() -> Function {
        arrows::injection(0)
    }

    fn right<A: Names<Self>, B: Names<Self>>() -> Function {
        arrows::injection(1)
    }

    fn case<A: Names<Self>, B: Names<Self>, X: Names<Self>>(f: &Function, g: &Function) -> Function {
        arrows::case(if is(Rule::Case) && A::object() == B::object() { [f, f] } else { [f, g] })
    }
}

impl Lists for Wrong {
    type List<A: Names<Self>> = ListOf<A>;

    fn nil<A: Names<Self>>() -> Function {
        arrows::nil()
    }

    fn cons<A: Names<Self>>() -> Function {
        arrows::cons()
    }

    fn fold<A: Names<Self>, B: Names<Self>>(start: &Function, step: &Function) -> Function {
        if !is(Rule::Left) {
            return arrows::fold([start, step]);
        }
        let (start, step) = (start.clone(), step.clone());
        Function::new(move |list: &Element| {
            let start = start.apply(&Element::Unit)?;
            list.as_list()?.iter().try_fold(start, |state, x| step.apply(&Element::tuple([x.clone(), state])))
        })
    }
}

impl Setoid for Wrong {
    type Trial = Trial;
    type Error = DiffeologyError;

    fn agree<A: Names<Self>, B: Names<Self>>(
        left: &Function,
        right: &Function,
        trial: &Trial,
    ) -> Result<Verdict, DiffeologyError> {
        use smoothish_laws::meaning::diffeology::category::{AtStages, Equality};
        if is_empty(&A::object()) {
            return Ok(Verdict::Survived);
        }
        AtStages::agree(&A::object(), &B::object(), [left, right], trial)
    }
}

impl Draw for Wrong {
    fn draw<A: Names<Self>, B: Names<Self>>(random: &mut Random) -> Function {
        let ty = Ty::function(A::object(), B::object());
        smoothish_laws::meaning::diffeology::sample::element(&ty, 0, random).as_function().unwrap().clone()
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
        all_survive(tried::<Diff>(4, few), &[]);
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
        type A = Times<Real, To<Real, Real>>;
        type B = ListOf<Real>;
        let random = &mut Random::new(3);
        let mut found = Vec::new();
        for round in 0..4 {
            let trial = few(round);
            let f: Arrow<Terms, A, B> = Arrow(Terms::draw::<A, B>(random));
            let g: Arrow<Terms, B, A> = Arrow(Terms::draw::<B, A>(random));
            found.push(law::functor_identity::<Meaning, A>(&trial).unwrap());
            found.push(law::functor_composition::<Meaning, A, B, A>(&f, &g, &trial).unwrap());
            type Jets = Interpretation<1, 2>;
            found.push(law::functor_identity::<Jets, A>(&round).unwrap());
            found.push(law::functor_composition::<Jets, A, B, A>(&f, &g, &round).unwrap());
            let (f, g) = (f.under::<Jets>(), g.under::<Jets>());
            found.push(law::functor_composition::<Plots<1, 2>, _, _, _>(&f, &g, &trial).unwrap());
            found.push(law::functor_composition::<Representations<1, 2>, _, _, _>(&f, &g, &trial).unwrap());
        }
        let survived = found.iter().filter(|verdict| **verdict == Verdict::Survived).count();
        let refuted: Vec<&Verdict> = found.iter().filter(|verdict| verdict.is_refuted()).collect();
        assert!(refuted.is_empty() && survived * 4 > found.len() * 3, "{refuted:?}, {survived} of {}", found.len());
    }
}
