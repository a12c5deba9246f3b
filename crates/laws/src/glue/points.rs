//! Gluing along any functor into sets that keeps products: objects with a predicate on their points (H Prop. 5).
//!
//! Let G : C → Set keep finite products. An object of [`Glue<G>`](Glue) is a pair (A, P) of an object A of C and a
//! predicate P ⊆ G(A). An arrow (A, P) → (B, Q) is an arrow f of C such that G(f) maps P into Q. That is the subscone of
//! `Set ↓ G`. It has the structure that C has, and the projection to C keeps that strictly.
//!
//! | object | predicate | asks of C and G |
//! |---|---|---|
//! | 1 | all points | products |
//! | P × Q | both components are in P and in Q | products |
//! | P ⇒ Q | `{f ∈ G(A ⇒ B) \| x ∈ P implies ev(f, x) ∈ Q}` | exponentials, and that G keeps products |
//! | 0, P + Q | none; what an injection makes of P or of Q | sums, and [`SumPoints`] |
//! | List P | the least predicate with `nil`, and with `cons(x, l)` for x ∈ P and l in it | lists, and [`ListPoints`] |
//!
//! G need not keep sums and lists: their predicates are least ones, which makes them initial. [`SumPoints`] and
//! [`ListPoints`] only say how a point is taken apart.
//!
//! Gl_k is this construction over pairs of spaces, with G(X, X′) the pairs of plots ℝᵏ → X and ℝᵏ → X′. Its own modules draw
//! related plots as jets and claim derivatives, for the spaces of types. With [`PairsOfPlots`] it is for spaces and relations of
//! one's own. Other functors are (−)², for orders, and the identity, for subsets.
//!
//! A point is *tested*, as everything here: refuted, or not. Where the points of an object are
//! [listed](Points::list_points) all of them are tried, and a predicate that is [decided](PointPredicate::is_decided)
//! there gives the truth. Elsewhere points of P are drawn, and functions in P ⇒ Q only as constants.
//!
//! # Laws
//! | law | |
//! |---|---|
//! | [`check_points`] | G is a functor and keeps products |
//! | [`check_closed_arrows`] | projections, pairs, `curry` and `apply` preserve the predicates |
//! | [`check_sum_arrows`], [`check_list_arrows`] | injections and cases do, constructors and folds do |
//! | [`check_bicartesian_closed`](crate::law::category::check_bicartesian_closed) | β, η and the others, of `Typed<Glue<G>>` |
//!
//! A predicate P ⇒ Q that is too large is refuted by `apply`, one that is too small by `curry`.

use super::object::PaperClauses;
use crate::category::value::{
    ArrowError, ValueCartesian, ValueCategory, ValueClosed, ValueCocartesian, ValueLists, ValueSetoid,
};
use crate::diffeology::map::{AnyPlot, AnySpace, SpaceMap, Spaces};
use crate::diffeology::open::OpenSet;
use crate::diffeology::product::{CartesianDiffeology, ProductDiffeology};
use crate::diffeology::smoothness::{default_smoothness_test, rational_point};
use crate::diffeology::{Diffeology, DiffeologyError};
use crate::law::category::{DrawValue, NamedVerdicts};
use crate::random::SplitMix64;
use crate::smooth::graph::Graph;
use crate::smooth::map::MapTestConfig;
use crate::verdict::Verdict;
use std::cell::OnceCell;
use std::fmt;
use std::fmt::Debug;
use std::marker::PhantomData;
use std::rc::Rc;

/// The objects of C, for G : C → Set.
pub type PointsObject<G> = <<G as Points>::From as ValueCategory>::Object;
/// The arrows of C.
pub type PointsArrow<G> = <<G as Points>::From as ValueCategory>::Arrow;
/// The errors of arrows of C.
pub type PointsError<G> = ArrowError<<<G as Points>::From as ValueCategory>::Error>;
/// A value, or the error of an arrow of C.
pub type PointsResult<G, T> = Result<T, PointsError<G>>;

/// A functor G : C → Set that keeps finite products. [`check_points`] tests that it is one.
pub trait Points: Debug + Sized + 'static {
    /// C
    type From: ValueCartesian;
    /// Elements of the sets G(A).
    type Element: Clone + Debug;

    /// Returns C.
    fn category(&self) -> &Self::From;

    /// Returns `G(f)(x)`, for `f : A → B` and x ∈ G(A), with the objects A, B.
    ///
    /// # Errors
    /// Errors of evaluating the arrow.
    fn map_point(
        &self,
        ends: [&PointsObject<Self>; 2],
        f: &PointsArrow<Self>,
        x: &Self::Element,
    ) -> PointsResult<Self, Self::Element>;

    /// Returns the element of G(1).
    fn terminal_point(&self) -> Self::Element;

    /// Returns the element of G(A × B) with the components x ∈ G(A) and y ∈ G(B).
    ///
    /// # Errors
    /// Errors of C.
    fn pair_points(
        &self,
        parts: [&PointsObject<Self>; 2],
        x: &Self::Element,
        y: &Self::Element,
    ) -> PointsResult<Self, Self::Element>;

    /// Draws an element of G(A). Returns `None` if G(A) is empty.
    ///
    /// # Errors
    /// Errors of C.
    fn draw_point(&self, a: &PointsObject<Self>, random: &mut SplitMix64) -> PointsResult<Self, Option<Self::Element>>;

    /// Returns all elements of G(A), or `None` if they are too many to be tried.
    fn list_points(&self, _: &PointsObject<Self>) -> Option<Vec<Self::Element>> {
        None
    }

    /// Compares two elements of G(A).
    ///
    /// # Errors
    /// Errors of C.
    fn compare_points(
        &self,
        a: &PointsObject<Self>,
        x: &Self::Element,
        y: &Self::Element,
    ) -> PointsResult<Self, Verdict>;
}

/// Preimages of a point under constructors: a summand with its point, or the components of a list.
pub type PointPreimages<G, T> = PointsResult<G, Vec<T>>;

/// Points of sums. G need not keep sums.
pub trait SumPoints: Points<From: ValueCocartesian> {
    /// Returns all (0, p) with `G(left)(p) = x` and all (1, q) with `G(right)(q) = x`, for x ∈ G(A + B).
    ///
    /// # Errors
    /// Errors of C.
    fn split_sum(
        &self,
        parts: [&PointsObject<Self>; 2],
        x: &Self::Element,
    ) -> PointPreimages<Self, (usize, Self::Element)>;
}

/// A list taken apart: its first element and the rest, or `None` if it is empty.
pub type ListCell<G> = Option<(<G as Points>::Element, <G as Points>::Element)>;

/// Points of lists. G need not keep lists.
pub trait ListPoints: Points<From: ValueLists> {
    /// Returns all (p, l) with `G(cons)(p, l) = x`, and `None` if x is `G(nil)`, for x ∈ G(List A).
    ///
    /// Lists are finite: taking l apart again must end.
    ///
    /// # Errors
    /// Errors of C.
    fn split_list(&self, a: &PointsObject<Self>, x: &Self::Element) -> PointPreimages<Self, ListCell<Self>>;
}

/// A predicate P ⊆ G(A).
pub trait PointPredicate<G: Points>: Debug {
    /// Tests whether a point of G(A) is in P.
    ///
    /// # Errors
    /// Errors of C.
    fn test_point(&self, points: &G, x: &G::Element, random: &mut SplitMix64) -> PointsResult<G, Verdict>;

    /// Draws a point that is certainly in P. Returns `None` if none was found.
    ///
    /// It is called only where the points of A are not [listed](Points::list_points).
    ///
    /// # Errors
    /// Errors of C.
    fn draw_point(&self, points: &G, random: &mut SplitMix64) -> PointsResult<G, Option<G::Element>>;

    /// Returns `true` if a point that is not refuted is in P.
    fn is_decided(&self, _: &G) -> bool {
        true
    }
}

/// The points of a predicate, or `None` if they are not listed.
pub type MemberList<G> = Option<Rc<[<G as Points>::Element]>>;

/// An object (A, P). Cheap to clone.
pub struct GluedObject<G: Points> {
    object: PointsObject<G>,
    predicate: Rc<dyn PointPredicate<G>>,
    /// The points of P, once they were listed.
    members: Rc<OnceCell<MemberList<G>>>,
}

impl<G: Points> Clone for GluedObject<G> {
    fn clone(&self) -> Self {
        Self { object: self.object.clone(), predicate: self.predicate.clone(), members: self.members.clone() }
    }
}

impl<G: Points> Debug for GluedObject<G> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "({:?}, {:?})", self.object, self.predicate)
    }
}

/// The number of points at which an arrow is tried where they are not listed. A choice.
const DRAWN_POINTS: usize = 64;
/// The number of arguments at which a function is tried where they are not listed, and of points of the laws of functors. A
/// choice: each may be a function as well.
const DRAWN_ARGUMENTS: usize = 8;

impl<G: Points> GluedObject<G> {
    /// Makes (A, P).
    pub fn new(object: PointsObject<G>, predicate: impl PointPredicate<G> + 'static) -> Self {
        Self { object, predicate: Rc::new(predicate), members: Rc::default() }
    }

    /// Makes (A, P) for a P that is decided by a function. Its points are drawn from G(A), and kept if they are in P.
    pub fn decided_by(object: PointsObject<G>, holds: impl Fn(&G::Element) -> bool + 'static) -> Self {
        let of = object.clone();
        Self::new(object, DecidedPredicate::<G> { of, holds: Rc::new(holds) })
    }

    /// Returns A.
    #[must_use]
    pub fn underlying_object(&self) -> &PointsObject<G> {
        &self.object
    }

    /// Tests whether a point of G(A) is in P.
    ///
    /// # Errors
    /// Errors of C, here and in all functions of this type.
    pub fn test_point(&self, points: &G, x: &G::Element, random: &mut SplitMix64) -> PointsResult<G, Verdict> {
        self.predicate.test_point(points, x, random)
    }

    /// Returns all points of P, or `None` if those of A are not listed, or P is not decided.
    pub fn list_members(&self, points: &G) -> PointsResult<G, MemberList<G>> {
        if let Some(known) = self.members.get() {
            return Ok(known.clone());
        }
        let listed = if self.predicate.is_decided(points) { points.list_points(&self.object) } else { None };
        let members = match listed {
            None => None,
            Some(all) => {
                let mut members = Vec::new();
                // a decided predicate tries all arguments, so that random numbers decide nothing
                let random = &mut SplitMix64::new(0);
                for x in all {
                    if !self.test_point(points, &x, random)?.is_refuted() {
                        members.push(x);
                    }
                }
                Some(members.into())
            }
        };
        // tests of members may have listed them in between, with the same result
        Ok(self.members.get_or_init(|| members).clone())
    }

    /// Draws a point of P. Returns `None` if there is none, or none was found.
    pub fn draw_member(&self, points: &G, random: &mut SplitMix64) -> PointsResult<G, Option<G::Element>> {
        match self.list_members(points)? {
            Some(members) if members.is_empty() => Ok(None),
            Some(members) => Ok(Some(random.pick(&members).clone())),
            None => self.predicate.draw_point(points, random),
        }
    }

    /// Draws a point of P, or any point of G(A) if a clause does not ask for P.
    fn draw_asked(&self, points: &G, asked: bool, random: &mut SplitMix64) -> PointsResult<G, Option<G::Element>> {
        if asked { self.draw_member(points, random) } else { points.draw_point(&self.object, random) }
    }

    /// Returns all points of P where they are listed, and `count` drawn ones elsewhere.
    pub fn sample_members(
        &self,
        points: &G,
        count: usize,
        random: &mut SplitMix64,
    ) -> PointsResult<G, Rc<[G::Element]>> {
        if let Some(members) = self.list_members(points)? {
            return Ok(members);
        }
        let mut drawn = Vec::new();
        for _ in 0..count {
            drawn.extend(self.predicate.draw_point(points, random)?);
        }
        Ok(drawn.into())
    }

    /// Tests whether an arrow to another object maps P into its predicate. Vacuous if P should have points and none was found.
    pub fn test_preserves(
        &self,
        points: &G,
        to: &Self,
        f: &PointsArrow<G>,
        random: &mut SplitMix64,
    ) -> PointsResult<G, Verdict> {
        let members = self.sample_members(points, DRAWN_POINTS, random)?;
        if members.is_empty() && self.list_members(points)?.is_some() {
            // of no point nothing is asked
            return Ok(Verdict::Survived);
        }
        Verdict::all_samples(members.iter().map(|x| {
            let image = points.map_point([&self.object, &to.object], f, x)?;
            let verdict = to.test_point(points, &image, random)?;
            Ok(match verdict {
                Verdict::Refuted { witness, left, right } => {
                    Verdict::refuted(format!("the image of {x:?}, {witness}"), left, right)
                }
                other => other,
            })
        }))
    }
}

/// A function that decides whether a point is in a predicate.
type DecisionFunction<G> = Rc<dyn Fn(&<G as Points>::Element) -> bool>;

/// A predicate given by a function.
struct DecidedPredicate<G: Points> {
    of: PointsObject<G>,
    holds: DecisionFunction<G>,
}

impl<G: Points> Debug for DecidedPredicate<G> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("P")
    }
}

/// The number of points among which one of P is looked for, and of arrows among which one that preserves predicates is. A
/// choice: most arrows are refuted at once.
const ATTEMPTS: usize = 2000;

impl<G: Points> PointPredicate<G> for DecidedPredicate<G> {
    fn test_point(&self, _: &G, x: &G::Element, _: &mut SplitMix64) -> PointsResult<G, Verdict> {
        Ok(if (self.holds)(x) { Verdict::Survived } else { outside(x, "a point of P") })
    }
    fn draw_point(&self, points: &G, random: &mut SplitMix64) -> PointsResult<G, Option<G::Element>> {
        for _ in 0..ATTEMPTS {
            match points.draw_point(&self.of, random)? {
                Some(x) if (self.holds)(&x) => return Ok(Some(x)),
                Some(_) => {}
                None => break,
            }
        }
        Ok(None)
    }
}

/// Returns the refutation that a point is in a predicate.
fn outside(x: &impl Debug, expected: &str) -> Verdict {
    Verdict::refuted("a point", format!("{x:?}"), expected)
}

/// The clauses of the predicates of composite objects. Each can be replaced, to test that the laws refute its absence.
pub trait PointClauses<G: Points>: Copy + Debug + Default + 'static {
    /// Returns `true` if P × Q asks about component 0 or 1.
    fn asks_component(&self, _: usize) -> bool {
        true
    }
    /// Returns `true` if P ⇒ Q asks about the argument x ∈ P, a point of G(A).
    fn asks_argument(&self, _: &G, _: &PointsObject<G>, _: &G::Element) -> bool {
        true
    }
    /// Returns `true` if P + Q asks about the point of a summand, 0 or 1.
    fn asks_summand(&self, _: usize) -> bool {
        true
    }
    /// Returns `true` if List P asks about the element with this index.
    fn asks_element(&self, _: usize) -> bool {
        true
    }
}

impl<G: Points> PointClauses<G> for PaperClauses {}

/// P × Q; 1 has no parts.
#[derive(Debug)]
struct ComponentPredicate<G: Points, K> {
    parts: Option<[GluedObject<G>; 2]>,
    clauses: K,
}

impl<G: Points, K: PointClauses<G>> PointPredicate<G> for ComponentPredicate<G, K> {
    fn test_point(&self, points: &G, x: &G::Element, random: &mut SplitMix64) -> PointsResult<G, Verdict> {
        // G(1) has one point, which is in the predicate of 1
        let Some([a, b]) = &self.parts else { return Ok(Verdict::Survived) };
        let (c, of) = (points.category(), [&a.object, &b.object]);
        let whole = c.product_object(of[0], of[1]);
        let mut all = Verdict::Survived;
        for (index, part) in [a, b].into_iter().enumerate().filter(|(index, _)| self.clauses.asks_component(*index)) {
            let projection = if index == 0 { c.first(of)? } else { c.second(of)? };
            let component = points.map_point([&whole, &part.object], &projection, x)?;
            // a vacuous component leaves the pair untested
            all = all.and_part(part.test_point(points, &component, random)?);
        }
        Ok(all)
    }
    fn draw_point(&self, points: &G, random: &mut SplitMix64) -> PointsResult<G, Option<G::Element>> {
        let Some([a, b]) = &self.parts else { return Ok(Some(points.terminal_point())) };
        let asked = [0, 1].map(|index| self.clauses.asks_component(index));
        let (x, y) = (a.draw_asked(points, asked[0], random)?, b.draw_asked(points, asked[1], random)?);
        let (Some(x), Some(y)) = (x, y) else { return Ok(None) };
        Ok(Some(points.pair_points([&a.object, &b.object], &x, &y)?))
    }
    fn is_decided(&self, points: &G) -> bool {
        self.parts.iter().flatten().all(|part| part.predicate.is_decided(points))
    }
}

/// P ⇒ Q
#[derive(Debug)]
struct FunctionPredicate<G: Points, K> {
    ends: [GluedObject<G>; 2],
    clauses: K,
}

impl<G: Points<From: ValueClosed>, K: PointClauses<G>> PointPredicate<G> for FunctionPredicate<G, K> {
    fn test_point(&self, points: &G, f: &G::Element, random: &mut SplitMix64) -> PointsResult<G, Verdict> {
        let ([a, b], c) = (&self.ends, points.category());
        let functions = c.exponential_object(&a.object, &b.object);
        let (both, apply) = (c.product_object(&functions, &a.object), c.apply([&a.object, &b.object])?);
        let arguments = a.sample_members(points, DRAWN_ARGUMENTS, random)?;
        if arguments.is_empty() && a.list_members(points)?.is_some() {
            // out of the empty predicate every function is related
            return Ok(Verdict::Survived);
        }
        let asked = arguments.iter().filter(|x| self.clauses.asks_argument(points, &a.object, x));
        Verdict::all_samples(asked.map(|x| {
            // ev(f, x) is G(apply) of the pair, since G keeps products
            let pair = points.pair_points([&functions, &a.object], f, x)?;
            let value = points.map_point([&both, &b.object], &apply, &pair)?;
            b.test_point(points, &value, random)
        }))
    }
    /// Draws a constant function, the value of which is in Q.
    fn draw_point(&self, points: &G, random: &mut SplitMix64) -> PointsResult<G, Option<G::Element>> {
        let ([a, b], c) = (&self.ends, points.category());
        // a function that is drawn any other way might not be in P ⇒ Q, and then refute what is right
        let Some(value) = b.draw_member(points, random)? else { return Ok(None) };
        let constant = c.curry([&b.object, &a.object, &b.object], &c.first([&b.object, &a.object])?)?;
        let functions = c.exponential_object(&a.object, &b.object);
        Ok(Some(points.map_point([&b.object, &functions], &constant, &value)?))
    }
    fn is_decided(&self, points: &G) -> bool {
        // an error would come again where the points are asked for
        matches!(self.ends[0].list_members(points), Ok(Some(_))) && self.ends[1].predicate.is_decided(points)
    }
}

/// P + Q; 0 has no parts.
#[derive(Debug)]
struct SummandPredicate<G: Points, K> {
    parts: Option<[GluedObject<G>; 2]>,
    clauses: K,
}

/// Returns the verdict that one of several points is in a predicate: refuted if all are.
fn any_of<E>(verdicts: impl Iterator<Item = Result<Verdict, E>>, none: Verdict) -> Result<Verdict, E> {
    let mut best = none;
    for verdict in verdicts {
        match verdict? {
            Verdict::Survived => return Ok(Verdict::Survived),
            Verdict::Vacuous => best = Verdict::Vacuous,
            refuted @ Verdict::Refuted { .. } if best.is_refuted() => best = refuted,
            Verdict::Refuted { .. } => {}
        }
    }
    Ok(best)
}

impl<G: SumPoints, K: PointClauses<G>> PointPredicate<G> for SummandPredicate<G, K> {
    fn test_point(&self, points: &G, x: &G::Element, random: &mut SplitMix64) -> PointsResult<G, Verdict> {
        let Some(parts) = &self.parts else { return Ok(outside(x, "a point of 0")) };
        // an injection need not be injective under G: one preimage in its predicate is enough
        let split = points.split_sum([&parts[0].object, &parts[1].object], x)?;
        let verdicts = split.into_iter().filter_map(|(side, x)| {
            let part = parts.get(side)?;
            let asked = self.clauses.asks_summand(side);
            Some(if asked { part.test_point(points, &x, random) } else { Ok(Verdict::Survived) })
        });
        any_of(verdicts, outside(x, "the image of an injection"))
    }
    fn draw_point(&self, points: &G, random: &mut SplitMix64) -> PointsResult<G, Option<G::Element>> {
        let Some([a, b]) = &self.parts else { return Ok(None) };
        let (c, of) = (points.category(), [&a.object, &b.object]);
        let whole = c.sum_object(of[0], of[1]);
        // one of the summands may have no point
        let first = random.next_below(2);
        for side in [first, 1 - first] {
            let (part, injection) = if side == 0 { (a, c.left(of)?) } else { (b, c.right(of)?) };
            if let Some(x) = part.draw_asked(points, self.clauses.asks_summand(side), random)? {
                return Ok(Some(points.map_point([&part.object, &whole], &injection, &x)?));
            }
        }
        Ok(None)
    }
    fn is_decided(&self, points: &G) -> bool {
        self.parts.iter().flatten().all(|part| part.predicate.is_decided(points))
    }
}

/// List P
#[derive(Debug)]
struct ElementPredicate<G: Points, K> {
    element: GluedObject<G>,
    clauses: K,
}

impl<G: ListPoints, K: PointClauses<G>> ElementPredicate<G, K> {
    /// Tests a list whose first element has an index in a longer one.
    fn test_from(
        &self,
        points: &G,
        list: &G::Element,
        index: usize,
        random: &mut SplitMix64,
    ) -> PointsResult<G, Verdict> {
        let split = points.split_list(&self.element.object, list)?;
        let verdicts = split.into_iter().map(|parts| {
            let Some((x, rest)) = parts else { return Ok(Verdict::Survived) };
            let asked = self.clauses.asks_element(index);
            let head = if asked { self.element.test_point(points, &x, random)? } else { Verdict::Survived };
            // a list that its head refutes is not looked at further
            if head.is_refuted() {
                return Ok(head);
            }
            Ok(head.and_part(crate::stack::with_stack(|| self.test_from(points, &rest, index + 1, random))?))
        });
        any_of(verdicts, outside(list, "a list made by `nil` and `cons`"))
    }
}

/// The longest list that is drawn. A choice.
const LONGEST: usize = 3;

impl<G: ListPoints, K: PointClauses<G>> PointPredicate<G> for ElementPredicate<G, K> {
    fn test_point(&self, points: &G, x: &G::Element, random: &mut SplitMix64) -> PointsResult<G, Verdict> {
        self.test_from(points, x, 0, random)
    }
    fn draw_point(&self, points: &G, random: &mut SplitMix64) -> PointsResult<G, Option<G::Element>> {
        let (c, a) = (points.category(), &self.element.object);
        let list = c.list_object(a);
        let cell = c.product_object(a, &list);
        let mut drawn = points.map_point([&c.terminal_object(), &list], &c.nil(a)?, &points.terminal_point())?;
        // the last element first: the list grows at its head
        for index in (0..random.next_below(LONGEST + 1)).rev() {
            let asked = self.clauses.asks_element(index);
            let Some(x) = self.element.draw_asked(points, asked, random)? else { break };
            drawn = points.map_point([&cell, &list], &c.cons(a)?, &points.pair_points([a, &list], &x, &drawn)?)?;
        }
        Ok(Some(drawn))
    }
    fn is_decided(&self, points: &G) -> bool {
        self.element.predicate.is_decided(points)
    }
}

/// The category of objects with a predicate on their points, for a functor G and the clauses of composite predicates.
///
/// An arrow is one of C. Whether it preserves the predicates is a claim, which [`GluedObject::test_preserves`] and the
/// equality of arrows test.
///
/// # Examples
/// Subsets of finite sets: G is the identity, and a set of size n has the elements 0, …, n − 1. The successor maps even
/// numbers to odd ones, and does not map them to even ones.
/// ```
/// use smoothish_laws::category::value::{ArrowError, ArrowResult, ValueCartesian, ValueCategory};
/// use smoothish_laws::glue::points::{GluedObject, Points, PointsResult};
/// use smoothish_laws::random::SplitMix64;
/// use smoothish_laws::verdict::Verdict;
/// use std::convert::Infallible;
///
/// #[derive(Debug)]
/// struct FiniteSets;
///
/// impl ValueCategory for FiniteSets {
///     type Object = usize;
///     type Arrow = Vec<usize>;
///     type Error = Infallible;
///     fn identity(&self, n: &usize) -> ArrowResult<Self> {
///         Ok((0..*n).collect())
///     }
///     fn then(&self, _: [&usize; 3], f: &Vec<usize>, g: &Vec<usize>) -> ArrowResult<Self> {
///         Ok(f.iter().map(|x| g[*x]).collect())
///     }
/// }
///
/// impl ValueCartesian for FiniteSets {
///     // (x, y) is the number x b + y
///     fn terminal_object(&self) -> usize { 1 }
///     fn product_object(&self, a: &usize, b: &usize) -> usize { a * b }
///     fn terminal(&self, a: &usize) -> ArrowResult<Self> { Ok(vec![0; *a]) }
///     fn pair(&self, [_, _, b]: [&usize; 3], f: &Vec<usize>, g: &Vec<usize>) -> ArrowResult<Self> {
///         Ok(f.iter().zip(g).map(|(x, y)| x * b + y).collect())
///     }
///     fn first(&self, [a, b]: [&usize; 2]) -> ArrowResult<Self> { Ok((0..a * b).map(|p| p / b).collect()) }
///     fn second(&self, [a, b]: [&usize; 2]) -> ArrowResult<Self> { Ok((0..a * b).map(|p| p % b).collect()) }
/// }
///
/// #[derive(Debug)]
/// struct Elements;
///
/// impl Points for Elements {
///     type From = FiniteSets;
///     type Element = usize;
///     fn category(&self) -> &FiniteSets { &FiniteSets }
///     fn map_point(&self, _: [&usize; 2], f: &Vec<usize>, x: &usize) -> PointsResult<Self, usize> { Ok(f[*x]) }
///     fn terminal_point(&self) -> usize { 0 }
///     fn pair_points(&self, [_, b]: [&usize; 2], x: &usize, y: &usize) -> PointsResult<Self, usize> { Ok(x * b + y) }
///     fn draw_point(&self, n: &usize, random: &mut SplitMix64) -> PointsResult<Self, Option<usize>> {
///         Ok((*n > 0).then(|| random.next_below(*n)))
///     }
///     fn list_points(&self, n: &usize) -> Option<Vec<usize>> { Some((0..*n).collect()) }
///     fn compare_points(&self, _: &usize, x: &usize, y: &usize) -> PointsResult<Self, Verdict> {
///         Ok(if x == y { Verdict::Survived } else { Verdict::refuted("elements", x, y) })
///     }
/// }
///
/// let even = GluedObject::<Elements>::decided_by(6, |x| x % 2 == 0);
/// let odd = GluedObject::<Elements>::decided_by(7, |x| x % 2 == 1);
/// let (successor, random) = (vec![1, 2, 3, 4, 5, 6], &mut SplitMix64::new(1));
/// assert_eq!(even.test_preserves(&Elements, &odd, &successor, random)?, Verdict::Survived);
/// let refuted = even.test_preserves(&Elements, &even, &vec![1, 2, 3, 4, 5, 0], random)?;
/// assert_eq!(refuted.to_string(), "refuted at the image of 0, a point: 1 is not a point of P");
/// # Ok::<(), ArrowError<Infallible>>(())
/// ```
#[doc(alias("gluing along a functor", "sconing"))]
pub struct Glue<G, K = PaperClauses> {
    points: G,
    clauses: PhantomData<fn() -> K>,
}

impl<G: Debug, K> Debug for Glue<G, K> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_tuple("Glue").field(&self.points).finish()
    }
}

impl<G: Default, K> Default for Glue<G, K> {
    fn default() -> Self {
        Self::new(G::default())
    }
}

impl<G, K> Glue<G, K> {
    /// Makes the category of a functor.
    pub fn new(points: G) -> Self {
        Self { points, clauses: PhantomData }
    }

    /// Returns G.
    pub fn functor(&self) -> &G {
        &self.points
    }
}

/// Returns the objects of C below objects of the glued category.
fn underlying<G: Points, const N: usize>(objects: [&GluedObject<G>; N]) -> [&PointsObject<G>; N] {
    objects.map(|object| &object.object)
}

impl<G: Points, K: PointClauses<G>> ValueCategory for Glue<G, K> {
    type Object = GluedObject<G>;
    type Arrow = PointsArrow<G>;
    type Error = <G::From as ValueCategory>::Error;

    fn identity(&self, a: &GluedObject<G>) -> PointsResult<G, PointsArrow<G>> {
        self.points.category().identity(&a.object)
    }
    fn then(
        &self,
        objects: [&GluedObject<G>; 3],
        f: &PointsArrow<G>,
        g: &PointsArrow<G>,
    ) -> PointsResult<G, PointsArrow<G>> {
        self.points.category().then(underlying(objects), f, g)
    }
}

impl<G: Points, K: PointClauses<G>> ValueCartesian for Glue<G, K> {
    fn terminal_object(&self) -> GluedObject<G> {
        let object = self.points.category().terminal_object();
        GluedObject::new(object, ComponentPredicate { parts: None, clauses: K::default() })
    }
    fn product_object(&self, a: &GluedObject<G>, b: &GluedObject<G>) -> GluedObject<G> {
        let object = self.points.category().product_object(&a.object, &b.object);
        GluedObject::new(object, ComponentPredicate { parts: Some([a.clone(), b.clone()]), clauses: K::default() })
    }
    fn terminal(&self, a: &GluedObject<G>) -> PointsResult<G, PointsArrow<G>> {
        self.points.category().terminal(&a.object)
    }
    fn pair(
        &self,
        objects: [&GluedObject<G>; 3],
        f: &PointsArrow<G>,
        g: &PointsArrow<G>,
    ) -> PointsResult<G, PointsArrow<G>> {
        self.points.category().pair(underlying(objects), f, g)
    }
    fn first(&self, objects: [&GluedObject<G>; 2]) -> PointsResult<G, PointsArrow<G>> {
        self.points.category().first(underlying(objects))
    }
    fn second(&self, objects: [&GluedObject<G>; 2]) -> PointsResult<G, PointsArrow<G>> {
        self.points.category().second(underlying(objects))
    }
}

impl<G: Points<From: ValueClosed>, K: PointClauses<G>> ValueClosed for Glue<G, K> {
    fn exponential_object(&self, a: &GluedObject<G>, b: &GluedObject<G>) -> GluedObject<G> {
        let object = self.points.category().exponential_object(&a.object, &b.object);
        GluedObject::new(object, FunctionPredicate { ends: [a.clone(), b.clone()], clauses: K::default() })
    }
    fn curry(&self, objects: [&GluedObject<G>; 3], f: &PointsArrow<G>) -> PointsResult<G, PointsArrow<G>> {
        self.points.category().curry(underlying(objects), f)
    }
    fn apply(&self, objects: [&GluedObject<G>; 2]) -> PointsResult<G, PointsArrow<G>> {
        self.points.category().apply(underlying(objects))
    }
}

impl<G: SumPoints, K: PointClauses<G>> ValueCocartesian for Glue<G, K> {
    fn initial_object(&self) -> GluedObject<G> {
        let object = self.points.category().initial_object();
        GluedObject::new(object, SummandPredicate { parts: None, clauses: K::default() })
    }
    fn sum_object(&self, a: &GluedObject<G>, b: &GluedObject<G>) -> GluedObject<G> {
        let object = self.points.category().sum_object(&a.object, &b.object);
        GluedObject::new(object, SummandPredicate { parts: Some([a.clone(), b.clone()]), clauses: K::default() })
    }
    fn initial(&self, a: &GluedObject<G>) -> PointsResult<G, PointsArrow<G>> {
        self.points.category().initial(&a.object)
    }
    fn left(&self, objects: [&GluedObject<G>; 2]) -> PointsResult<G, PointsArrow<G>> {
        self.points.category().left(underlying(objects))
    }
    fn right(&self, objects: [&GluedObject<G>; 2]) -> PointsResult<G, PointsArrow<G>> {
        self.points.category().right(underlying(objects))
    }
    fn case(
        &self,
        objects: [&GluedObject<G>; 3],
        f: &PointsArrow<G>,
        g: &PointsArrow<G>,
    ) -> PointsResult<G, PointsArrow<G>> {
        self.points.category().case(underlying(objects), f, g)
    }
}

impl<G: ListPoints, K: PointClauses<G>> ValueLists for Glue<G, K> {
    fn list_object(&self, a: &GluedObject<G>) -> GluedObject<G> {
        let object = self.points.category().list_object(&a.object);
        GluedObject::new(object, ElementPredicate { element: a.clone(), clauses: K::default() })
    }
    fn nil(&self, a: &GluedObject<G>) -> PointsResult<G, PointsArrow<G>> {
        self.points.category().nil(&a.object)
    }
    fn cons(&self, a: &GluedObject<G>) -> PointsResult<G, PointsArrow<G>> {
        self.points.category().cons(&a.object)
    }
    fn fold(
        &self,
        objects: [&GluedObject<G>; 2],
        start: &PointsArrow<G>,
        step: &PointsArrow<G>,
    ) -> PointsResult<G, PointsArrow<G>> {
        self.points.category().fold(underlying(objects), start, step)
    }
}

/// The configuration of a test of equality: the seed of points, and the configuration of C.
#[derive(Clone, Debug, Default)]
pub struct GlueTrial<T> {
    /// The seed of the points at which preservation is tested.
    pub seed: u64,
    /// The configuration of C.
    pub arrows: T,
}

/// Arrows are equal if they are in C, and both preserve the predicates.
impl<G: Points<From: ValueSetoid>, K: PointClauses<G>> ValueSetoid for Glue<G, K> {
    type Trial = GlueTrial<<G::From as ValueSetoid>::Trial>;

    fn agree(
        &self,
        ends: [&GluedObject<G>; 2],
        left: &PointsArrow<G>,
        right: &PointsArrow<G>,
        trial: &Self::Trial,
    ) -> PointsResult<G, Verdict> {
        let random = &mut SplitMix64::new(trial.seed);
        let mut all = self.points.category().agree(underlying(ends), left, right, &trial.arrows)?;
        // an arrow that is none is equal to nothing, so that it refutes each law in which it occurs
        for f in [left, right] {
            all = all.and_part(ends[0].test_preserves(&self.points, ends[1], f, random)?);
        }
        Ok(all)
    }
}

/// Arrows of C that preserve the predicates, where that is decided.
impl<G: Points<From: DrawValue>, K: PointClauses<G>> DrawValue for Glue<G, K> {
    /// # Errors
    /// [`ArrowError::NoImage`] if the points of A are not listed, the predicate on B is not decided, or no arrow was found.
    fn draw_value(&self, ends: [&GluedObject<G>; 2], random: &mut SplitMix64) -> PointsResult<G, PointsArrow<G>> {
        let [a, b] = ends;
        let missing = |construct: String| Err(ArrowError::NoImage { functor: format!("{self:?}"), construct });
        if a.list_members(&self.points)?.is_none() {
            return missing(format!("arrows out of {:?}, whose points are not listed", a.object));
        }
        if !b.predicate.is_decided(&self.points) {
            return missing(format!("arrows into {:?}, whose predicate is not decided", b.object));
        }
        for _ in 0..ATTEMPTS {
            let f = self.points.category().draw_value(underlying(ends), random)?;
            // both predicates are decided: what is not refuted preserves them
            if !a.test_preserves(&self.points, b, &f, random)?.is_refuted() {
                return Ok(f);
            }
        }
        missing(format!("an arrow {a:?} → {b:?}: {ATTEMPTS} arrows do not preserve the predicates"))
    }
}

/// G(X, X′) = plots ℝᵏ → X × plots ℝᵏ → X′, over pairs of diffeological spaces: the functor of Gl_k, for spaces of one's own.
///
/// A predicate on its points is a relation between plots (H Thm 3, §6.2). Plots are compared at the points of a test.
#[derive(Clone, Debug)]
pub struct PairsOfPlots {
    /// k
    pub dimension: usize,
    /// The test by which plots are compared.
    pub trial: MapTestConfig,
}

impl PairsOfPlots {
    /// Returns the functor for plots ℝᵏ → X, with the default test.
    #[must_use]
    pub fn of_dimension(k: usize) -> Self {
        Self { dimension: k, trial: default_smoothness_test() }
    }

    /// Returns the points of ℝᵏ at which plots are compared.
    #[must_use]
    pub fn sample_points(&self) -> Vec<Vec<Graph>> {
        let (whole, random) = (OpenSet::whole_space(self.dimension), &mut SplitMix64::new(self.trial.seed));
        let points = whole.sample_points(random, self.trial.sample_points as usize);
        points.iter().map(|u| rational_point(u)).collect()
    }
}

impl Points for PairsOfPlots {
    type From = (Spaces, Spaces);
    type Element = [AnyPlot; 2];

    fn category(&self) -> &(Spaces, Spaces) {
        &(Spaces, Spaces)
    }
    fn map_point(
        &self,
        _: [&(AnySpace, AnySpace); 2],
        f: &(SpaceMap, SpaceMap),
        x: &[AnyPlot; 2],
    ) -> PointsResult<Self, [AnyPlot; 2]> {
        Ok([f.0.compose_plot(&x[0])?, f.1.compose_plot(&x[1])?])
    }
    fn terminal_point(&self) -> [AnyPlot; 2] {
        let one = CartesianDiffeology::whole_space(0);
        let constant = one.constant_plot(&OpenSet::whole_space(self.dimension), &Vec::new());
        [constant.clone(), constant].map(|plot| AnySpace::forget_plot(&one, plot))
    }
    fn pair_points(
        &self,
        [a, b]: [&(AnySpace, AnySpace); 2],
        x: &[AnyPlot; 2],
        y: &[AnyPlot; 2],
    ) -> PointsResult<Self, [AnyPlot; 2]> {
        let pair = |a: &AnySpace, b: &AnySpace, i: usize| {
            // a plot of a product is a pair of plots with one domain
            AnySpace::forget_plot(&ProductDiffeology(a.clone(), b.clone()), (x[i].clone(), y[i].clone()))
        };
        Ok([pair(&a.0, &b.0, 0), pair(&a.1, &b.1, 1)])
    }
    fn draw_point(
        &self,
        a: &(AnySpace, AnySpace),
        random: &mut SplitMix64,
    ) -> PointsResult<Self, Option<[AnyPlot; 2]>> {
        let whole = OpenSet::whole_space(self.dimension);
        Ok(Some([a.0.draw_plot(&whole, random), a.1.draw_plot(&whole, random)]))
    }
    fn compare_points(
        &self,
        a: &(AnySpace, AnySpace),
        x: &[AnyPlot; 2],
        y: &[AnyPlot; 2],
    ) -> PointsResult<Self, Verdict> {
        let at = |space: &AnySpace, i: usize, u: &[Graph]| {
            let (left, right) = (space.value_at(&x[i], u, &self.trial)?, space.value_at(&y[i], u, &self.trial)?);
            space.compare_points(&left, &right, &self.trial)
        };
        let samples = self.sample_points();
        // both components at one point are one statement
        let compared = samples.iter().map(|u| Ok::<_, DiffeologyError>(at(&a.0, 0, u)?.and_part(at(&a.1, 1, u)?)));
        Ok(Verdict::all_samples(compared)?)
    }
}

/// Tests that G is a functor and keeps products: identity, composition, components and pairs, and one point of G(1).
///
/// | argument | meaning |
/// |---|---|
/// | `objects` | A, B, C |
/// | `f`, `g` | arrows A → B and B → C |
///
/// # Errors
/// Errors of C, here and in the other laws.
pub fn check_points<G: Points>(
    points: &G,
    objects: [&PointsObject<G>; 3],
    [f, g]: [&PointsArrow<G>; 2],
    random: &mut SplitMix64,
) -> PointsResult<G, NamedVerdicts> {
    let (category, [a, b, c]) = (points.category(), objects);
    let (whole, one) = (category.product_object(a, b), category.terminal_object());
    let (first, second) = (category.first([a, b])?, category.second([a, b])?);
    let [mut identity, mut composition, mut components, mut pairs, mut terminal] = [const { Verdict::Vacuous }; 5];
    for _ in 0..DRAWN_ARGUMENTS {
        let (Some(x), Some(y)) = (points.draw_point(a, random)?, points.draw_point(b, random)?) else { continue };
        let same = points.map_point([a, a], &category.identity(a)?, &x)?;
        identity = identity.and(points.compare_points(a, &same, &x)?);
        let in_two_steps = points.map_point([b, c], g, &points.map_point([a, b], f, &x)?)?;
        let at_once = points.map_point([a, c], &category.then(objects, f, g)?, &x)?;
        composition = composition.and(points.compare_points(c, &at_once, &in_two_steps)?);
        let pair = points.pair_points([a, b], &x, &y)?;
        let x_again = points.compare_points(a, &points.map_point([&whole, a], &first, &pair)?, &x)?;
        let y_again = points.compare_points(b, &points.map_point([&whole, b], &second, &pair)?, &y)?;
        components = components.and(x_again.and_part(y_again));
        // a point that is no pair shows that products are not kept
        if let Some(drawn) = points.draw_point(&whole, random)? {
            let parts =
                [points.map_point([&whole, a], &first, &drawn)?, points.map_point([&whole, b], &second, &drawn)?];
            let paired = points.pair_points([a, b], &parts[0], &parts[1])?;
            pairs = pairs.and(points.compare_points(&whole, &paired, &drawn)?);
        }
        // G(1) has one point
        if let Some(drawn) = points.draw_point(&one, random)? {
            terminal = terminal.and(points.compare_points(&one, &drawn, &points.terminal_point())?);
        }
    }
    Ok(vec![
        ("identity of functors", identity),
        ("composition of functors", composition),
        ("components of points", components),
        ("pairs of points", pairs),
        ("the point of 1", terminal),
    ])
}

/// Tests that an arrow preserves the predicates of its ends, and names the test.
struct PreservationTests<'r, G: Points, K> {
    glue: &'r Glue<G, K>,
    random: &'r mut SplitMix64,
    verdicts: NamedVerdicts,
}

impl<G: Points, K> PreservationTests<'_, G, K> {
    fn add_arrow(
        &mut self,
        name: &'static str,
        [a, b]: [&GluedObject<G>; 2],
        f: &PointsArrow<G>,
    ) -> PointsResult<G, ()> {
        self.verdicts.push((name, a.test_preserves(&self.glue.points, b, f, self.random)?));
        Ok(())
    }
}

/// Tests that the arrows of a closed category preserve the predicates: !, pairs, projections, `curry` and `apply`.
///
/// The objects are A, B and D. Arrows A → B, A → D and A × B → D that preserve the predicates are drawn.
///
/// # Errors
/// Those of drawing such arrows, and errors of C.
pub fn check_closed_arrows<G: Points<From: ValueClosed + DrawValue>, K: PointClauses<G>>(
    glue: &Glue<G, K>,
    [a, b, d]: [&GluedObject<G>; 3],
    random: &mut SplitMix64,
) -> PointsResult<G, NamedVerdicts> {
    let (f, g) = (glue.draw_value([a, b], random)?, glue.draw_value([a, d], random)?);
    let (ab, bd) = (glue.product_object(a, b), glue.product_object(b, d));
    let of_two = glue.draw_value([&ab, d], random)?;
    // `apply` sees a predicate that is too large, `curry` one that is too small
    let functions = glue.exponential_object(b, d);
    let both = glue.product_object(&functions, b);
    let mut tests = PreservationTests { glue, random, verdicts: Vec::new() };
    tests.add_arrow("!", [a, &glue.terminal_object()], &glue.terminal(a)?)?;
    tests.add_arrow("pairs", [a, &bd], &glue.pair([a, b, d], &f, &g)?)?;
    tests.add_arrow("fst", [&ab, a], &glue.first([a, b])?)?;
    tests.add_arrow("snd", [&ab, b], &glue.second([a, b])?)?;
    tests.add_arrow("curry", [a, &functions], &glue.curry([a, b, d], &of_two)?)?;
    tests.add_arrow("apply", [&both, d], &glue.apply([b, d])?)?;
    Ok(tests.verdicts)
}

/// Tests that the arrows of sums preserve the predicates: `?`, injections and cases.
///
/// # Errors
/// As for [`check_closed_arrows`].
pub fn check_sum_arrows<G: SumPoints<From: DrawValue>, K: PointClauses<G>>(
    glue: &Glue<G, K>,
    [a, b, d]: [&GluedObject<G>; 3],
    random: &mut SplitMix64,
) -> PointsResult<G, NamedVerdicts> {
    let (f, g) = (glue.draw_value([a, d], random)?, glue.draw_value([b, d], random)?);
    let sum = glue.sum_object(a, b);
    let mut tests = PreservationTests { glue, random, verdicts: Vec::new() };
    tests.add_arrow("?", [&glue.initial_object(), a], &glue.initial(a)?)?;
    tests.add_arrow("left", [a, &sum], &glue.left([a, b])?)?;
    tests.add_arrow("right", [b, &sum], &glue.right([a, b])?)?;
    tests.add_arrow("cases", [&sum, d], &glue.case([a, b, d], &f, &g)?)?;
    Ok(tests.verdicts)
}

/// Tests that the arrows of lists preserve the predicates: `nil`, `cons` and folds List A → B.
///
/// # Errors
/// As for [`check_closed_arrows`].
pub fn check_list_arrows<G: ListPoints<From: DrawValue>, K: PointClauses<G>>(
    glue: &Glue<G, K>,
    [a, b]: [&GluedObject<G>; 2],
    random: &mut SplitMix64,
) -> PointsResult<G, NamedVerdicts> {
    let (one, list) = (glue.terminal_object(), glue.list_object(a));
    let start = glue.draw_value([&one, b], random)?;
    let step = glue.draw_value([&glue.product_object(a, b), b], random)?;
    let mut tests = PreservationTests { glue, random, verdicts: Vec::new() };
    tests.add_arrow("nil", [&one, &list], &glue.nil(a)?)?;
    tests.add_arrow("cons", [&glue.product_object(a, &list), &list], &glue.cons(a)?)?;
    tests.add_arrow("folds", [&list, b], &glue.fold([a, b], &start, &step)?)?;
    Ok(tests.verdicts)
}
