//! Partial maps with their dimensions as types (A §4): smooth functions on open subsets of ℝⁿ.
//!
//! A map is a program, or is built from others by the operations of a [differential restriction
//! category](crate::category::restriction) with joins. It can be run over any arithmetic, on numbers or on boxes. Where it is
//! undefined, the error says why.
//!
//! ```
//! use smoothish_semantics::meaning::partial::map::PartialMap;
//! use smoothish_semantics::number::budget::Budget;
//! use smoothish_semantics::number::{Exact, Rational};
//! use smoothish_semantics::smooth::dimension::RealObject;
//! use smoothish_semantics::syntax::library::Library;
//! use std::sync::Arc;
//! let map = |text: &str| {
//!     let (term, ty) = Library::default().infer_expression(text).expect("a program");
//!     PartialMap::<RealObject, RealObject>::of_program(&term, &ty).expect("a function of a number")
//! };
//! let negative = map(r"\x => if x < 0 then 0 else 1 / 0");
//! let positive = map(r"\x => if x > 0 then x else log (-1)");
//! let at = |f: &PartialMap<RealObject, RealObject>, x| {
//!     f.evaluate_at(Exact::default(), &[Some(Rational::from(x))], Arc::new(Budget::unlimited()))
//! };
//! let relu = negative.join(&positive);
//! assert_eq!((at(&relu, -3)?, at(&relu, 3)?), (vec![Some(0.into())], vec![Some(3.into())]));
//! assert!(at(&relu, 0).is_err());
//! assert!(at(&negative.join(&map(r"\(x : Real) => x")), -3).is_err());
//! # Ok::<(), smoothish_semantics::value::ValueError>(())
//! ```
//!
//! [`Map`](crate::smooth::map::Map) is composed by substitution. There an unused part need not be defined, and
//! products are products. Partial maps are composed by value: a pair is undefined where a part is. Their interface
//! is therefore that of restriction categories.
//!
//! A join is checked at the point where it is evaluated. Whether two maps are compatible everywhere is not
//! decided.
//!
//! # The category of partial maps
//!
//! A reverse differential restriction category with joins, and with chains of approximants.
//!
//! It is no instance of [`Cartesian`](crate::category::Cartesian), since a pair is undefined where one of its parts is. Smoothish
//! maps, which are composed by substitution, are no instance of the restriction structure here.

use super::{JetElement, NAME, PartialHooks, PartialUniverse, PartialValue, VectorFunction};
use crate::category::cartesian::Chains;
use crate::category::restriction::{
    DifferentialRestriction, Joins, LeftAdditive, RestrictionCategory, RestrictionProducts, ReverseDifferential,
};
use crate::category::{Category, ObjectName, Setoid};
use crate::meaning::partial;
use crate::model::answer::SemanticsError;
use crate::model::universe::{EvaluatorModel, RealArithmetic};
use crate::number::arithmetic::Context;
use crate::number::budget::Budget;
use crate::number::{Exact, Rational};
use crate::random::SplitMix64;
use crate::smooth::dimension::{Dim, EuclideanObject, ZeroSpace};
use crate::smooth::jet::Jet;
use crate::stack::with_stack;
use crate::syntax::constant::Constant;
use crate::syntax::term::Term;
use crate::syntax::ty::{Ty, TyKind};
use crate::value::{UndefinedCause, UndefinedValue, Value, ValueError};
use crate::verdict::Verdict;
use std::marker::PhantomData;
use std::sync::Arc;

/// A partial map from ℝᴺ to ℝᴹ. Cheap to clone.
pub struct PartialMap<N, M> {
    node: Arc<PartialMapExpr>,
    shape: PhantomData<fn(N) -> M>,
}

impl<N, M> Clone for PartialMap<N, M> {
    fn clone(&self) -> Self {
        Self::new(self.node.clone())
    }
}

/// The construction of a map. All act on lists of coordinates.
#[derive(Debug)]
enum PartialMapExpr {
    /// A program, with the type of its argument.
    Program(Term, Ty),
    /// A map with recursions unfolded to a number of levels.
    Limited(u64, Arc<PartialMapExpr>),
    /// The coordinates from the first number up to the second, exclusive.
    Select(usize, usize),
    Then(Arc<PartialMapExpr>, Arc<PartialMapExpr>),
    Pair(Arc<PartialMapExpr>, Arc<PartialMapExpr>),
    Restriction(Arc<PartialMapExpr>),
    Join(Arc<PartialMapExpr>, Arc<PartialMapExpr>),
    /// 0, with the number of its coordinates.
    Zero(usize),
    Add(Arc<PartialMapExpr>, Arc<PartialMapExpr>),
    /// (x, v) ↦ f′(x) v, with the number of coordinates of x.
    Forward(usize, Arc<PartialMapExpr>),
    /// (x, w) ↦ f′(x)ᵗ w, with the number of coordinates of x.
    Reverse(usize, Arc<PartialMapExpr>),
}

/// Lists of coordinates.
type JetElements<C> = Vec<JetElement<<C as Context>::Num>>;

/// Returns the number of coordinates of a vector type; `None` for any other type.
fn vector_dimension(ty: &Ty) -> Option<usize> {
    match ty.kind() {
        TyKind::Real => Some(1),
        TyKind::Unit => Some(0),
        TyKind::Tuple(parts) => parts.iter().map(|part| with_stack(|| vector_dimension(part))).sum(),
        _ => None,
    }
}

/// Builds a vector of a type from its coordinates; `None` if there are too few.
fn vector_of_type<R: crate::value::Carrier>(ty: &Ty, from: &mut impl Iterator<Item = R>) -> Option<Value<R>> {
    Some(match ty.kind() {
        TyKind::Real => Value::Real(from.next()?),
        TyKind::Tuple(parts) => Value::tuple_of(
            parts.iter().map(|part| with_stack(|| vector_of_type(part, from))).collect::<Option<Vec<_>>>()?,
        ),
        _ => Value::Unit,
    })
}

impl<N, M> PartialMap<N, M> {
    fn new(node: Arc<PartialMapExpr>) -> Self {
        Self { node, shape: PhantomData }
    }

    fn from_expr(node: PartialMapExpr) -> Self {
        Self::new(Arc::new(node))
    }

    /// Builds the projection to the coordinates from..to.
    pub(super) fn select_range(from: usize, to: usize) -> Self {
        Self::from_expr(PartialMapExpr::Select(from, to))
    }

    /// Composes: returns g ∘ self.
    #[must_use]
    pub fn then<P>(&self, g: &PartialMap<M, P>) -> PartialMap<N, P> {
        PartialMap::from_expr(PartialMapExpr::Then(self.node.clone(), g.node.clone()))
    }

    /// Returns `⟨self, g⟩`, defined where both are.
    #[must_use]
    pub fn pair<P>(&self, g: &PartialMap<N, P>) -> PartialMap<N, (M, P)> {
        PartialMap::from_expr(PartialMapExpr::Pair(self.node.clone(), g.node.clone()))
    }

    /// Returns the identity, restricted to where self is defined.
    #[must_use]
    pub fn restriction(&self) -> PartialMap<N, N> {
        PartialMap::from_expr(PartialMapExpr::Restriction(self.node.clone()))
    }

    /// Joins two maps: the result is whichever is defined, and undefined with a certain error where both are and differ.
    #[must_use]
    pub fn join(&self, g: &Self) -> Self {
        Self::from_expr(PartialMapExpr::Join(self.node.clone(), g.node.clone()))
    }

    /// Returns self + g, defined where both are.
    #[must_use]
    pub fn add(&self, g: &Self) -> Self {
        Self::from_expr(PartialMapExpr::Add(self.node.clone(), g.node.clone()))
    }

    /// Returns the map 0 with `size` coordinates.
    pub(super) fn zero_map(size: usize) -> Self {
        Self::from_expr(PartialMapExpr::Zero(size))
    }

    /// Returns (x, v) ↦ f′(x) v, for a map f with `size` coordinates of x.
    pub(super) fn forward_from(&self, size: usize) -> PartialMap<(N, N), M> {
        PartialMap::from_expr(PartialMapExpr::Forward(size, self.node.clone()))
    }

    /// Returns (x, w) ↦ f′(x)ᵗ w, for a map f with `size` coordinates of x.
    pub(super) fn reverse_from(&self, size: usize) -> PartialMap<(N, M), N> {
        PartialMap::from_expr(PartialMapExpr::Reverse(size, self.node.clone()))
    }

    /// Returns the map with every recursion of a program unfolded at most n levels deep.
    #[must_use]
    pub fn with_unfolding_limit(&self, n: u64) -> Self {
        Self::from_expr(PartialMapExpr::Limited(n, self.node.clone()))
    }

    /// Evaluates at a point, in [numbers](Context) of one precision.
    ///
    /// # Errors
    /// [`ValueError::Undefined`] if there is no value, or none was found within the budget.
    pub fn evaluate_at<C: Context>(
        &self,
        context: C,
        point: &[C::Num],
        budget: Arc<Budget>,
    ) -> Result<Vec<C::Num>, ValueError> {
        self.evaluate_in(PartialUniverse::new(context, budget), point)
    }

    /// Like `run`, in a universe that may have other clauses.
    pub(super) fn evaluate_in<C: Context>(
        &self,
        universe: PartialUniverse<C>,
        point: &[C::Num],
    ) -> Result<Vec<C::Num>, ValueError> {
        let context = universe.context().clone();
        let inputs = point.iter().map(|x| JetElement::new(Jet::constant(x.clone()))).collect();
        let outputs = self.node.run_at(&EvaluatorModel::new(universe), inputs)?;
        Ok(outputs.iter().map(|y| y.value_in(&context)).collect())
    }
}

impl<N: Dim, M: Dim> PartialMap<N, M> {
    /// Builds the map of a closed program; `None` if its type is not one of functions from N to M.
    #[must_use]
    pub fn of_program(program: &Term, ty: &Ty) -> Option<Self> {
        let TyKind::Function(domain, codomain) = ty.kind() else { return None };
        let fits = vector_dimension(domain) == Some(N::SIZE) && vector_dimension(codomain) == Some(M::SIZE);
        fits.then(|| Self::from_expr(PartialMapExpr::Program(program.clone(), domain.clone())))
    }
}

impl PartialMapExpr {
    fn run_at<C: Context>(
        &self,
        model: &EvaluatorModel<PartialUniverse<C>>,
        inputs: JetElements<C>,
    ) -> Result<JetElements<C>, ValueError> {
        with_stack(|| self.run_clause(model, inputs))
    }

    fn run_clause<C: Context>(
        &self,
        model: &EvaluatorModel<PartialUniverse<C>>,
        inputs: JetElements<C>,
    ) -> Result<JetElements<C>, ValueError> {
        let universe = &model.0;
        let coordinates = |value: &PartialValue<C>| Ok(value.coordinates()?.into_iter().cloned().collect());
        Ok(match self {
            PartialMapExpr::Program(program, domain) => {
                // a construct that the model lacks becomes an error of the run, so that all maps have one error type
                let function = model.evaluate_closed(program).map_err(|error| match error {
                    SemanticsError::Run(error) => error,
                    other => ValueError::Unsupported { model: NAME, construct: other.to_string() },
                })?;
                let argument = vector_of_type(domain, &mut inputs.into_iter()).unwrap_or(Value::Unit);
                return coordinates(&function.as_function()?.apply(&argument)?);
            }
            PartialMapExpr::Limited(n, f) => {
                // a universe of its own, since the limit belongs to the universe
                let limited = EvaluatorModel::new(universe.nested_universe().with_unfolding_limit(Some(*n)));
                return f.run_at(&limited, inputs);
            }
            PartialMapExpr::Select(from, to) => inputs.get(*from..*to).map(<[_]>::to_vec).unwrap_or_default(),
            PartialMapExpr::Then(f, g) => {
                let between = f.run_at(model, inputs)?;
                return g.run_at(model, between);
            }
            PartialMapExpr::Pair(f, g) => {
                let mut both = f.run_at(model, inputs.clone())?;
                both.extend(g.run_at(model, inputs)?);
                both
            }
            PartialMapExpr::Restriction(f) => {
                // run for its domain alone; the value is dropped
                if universe.hooks().restricts_domain() {
                    f.run_at(model, inputs.clone())?;
                }
                inputs
            }
            PartialMapExpr::Join(f, g) => {
                let left = f.run_at(model, inputs.clone());
                if !universe.hooks().joins_both_sides() {
                    return left;
                }
                return join_results(universe, left, g.run_at(model, inputs));
            }
            PartialMapExpr::Zero(n) => vec![universe.rational_constant(&0.into()); *n],
            PartialMapExpr::Add(f, g) => {
                let (left, right) = (f.run_at(model, inputs.clone())?, g.run_at(model, inputs)?);
                let sum = |(a, b)| universe.apply_real_constant(Constant::Add, &[a, b]);
                left.iter().zip(&right).map(sum).collect::<Result<_, _>>()?
            }
            PartialMapExpr::Forward(n, f) | PartialMapExpr::Reverse(n, f) => {
                let run: &VectorFunction<C> = &|x| {
                    let inputs = coordinates(x)?;
                    Ok(Value::tuple_of(f.run_at(model, inputs)?.into_iter().map(Value::Real)))
                };
                let tuple = |part: &[JetElement<C::Num>]| Value::tuple_of(part.iter().cloned().map(Value::Real));
                let (x, along) = inputs.split_at((*n).min(inputs.len()));
                let (x, along) = (tuple(x), tuple(along));
                return coordinates(&match self {
                    PartialMapExpr::Forward(..) => universe.derivative_along(run, &x, &along)?,
                    _ => universe.transposed_derivative(run, &x, &along)?,
                });
            }
        })
    }
}

/// Returns f ∨ g at a point from the values of both.
fn join_results<C: Context>(
    universe: &PartialUniverse<C>,
    left: Result<JetElements<C>, ValueError>,
    right: Result<JetElements<C>, ValueError>,
) -> Result<JetElements<C>, ValueError> {
    let is_certain = |error: &ValueError| matches!(error, ValueError::Undefined(undefined) if undefined.certain);
    match (left, right) {
        (Ok(left), Ok(right)) => {
            let c = universe.context();
            // numbers are different only if their difference certainly is not 0
            let same = |(a, b): (&JetElement<C::Num>, &JetElement<C::Num>)| {
                c.contains_zero(&c.sub(&a.value_in(c), &b.value_in(c)))
            };
            if left.iter().zip(&right).all(same) {
                return Ok(left);
            }
            let what = "two maps that are joined are both defined, and differ";
            Err(ValueError::from_undefined(UndefinedValue {
                certain: true,
                ..UndefinedValue::of_operation(UndefinedCause::Domain, what)
            }))
        }
        (Ok(found), Err(ValueError::Undefined(_))) | (Err(ValueError::Undefined(_)), Ok(found)) => Ok(found),
        // that there is no value is certain only if both errors are certain, so the uncertain one is passed on
        (Err(left), Err(right)) => Err(if is_certain(&left) { right } else { left }),
        (Err(error), Ok(_)) | (Ok(_), Err(error)) => Err(error),
    }
}

/// The category of partial maps: objects are [dimensions](crate::smooth::dimension), arrows are [`PartialMap`]s.
#[derive(Clone, Copy, Debug)]
pub enum PartialMapCategory {}

crate::smooth::map::category::objects!(PartialMapCategory);

/// Returns the dimension of an object.
fn dimension_of<A: ObjectName<PartialMapCategory>>() -> usize {
    <A as ObjectName<PartialMapCategory>>::object().size()
}

impl Category for PartialMapCategory {
    type Object = EuclideanObject;
    type Hom<A: ObjectName<Self>, B: ObjectName<Self>> = PartialMap<A, B>;

    fn identity<A: ObjectName<Self>>() -> PartialMap<A, A> {
        PartialMap::select_range(0, dimension_of::<A>())
    }

    fn then<A: ObjectName<Self>, B: ObjectName<Self>, C: ObjectName<Self>>(
        f: &PartialMap<A, B>,
        g: &PartialMap<B, C>,
    ) -> PartialMap<A, C> {
        f.then(g)
    }
}

impl RestrictionCategory for PartialMapCategory {
    fn restriction<A: ObjectName<Self>, B: ObjectName<Self>>(f: &PartialMap<A, B>) -> PartialMap<A, A> {
        f.restriction()
    }
}

impl RestrictionProducts for PartialMapCategory {
    type Terminal = ZeroSpace;
    type Product<A: ObjectName<Self>, B: ObjectName<Self>> = (A, B);

    fn terminal<A: ObjectName<Self>>() -> PartialMap<A, ZeroSpace> {
        PartialMap::select_range(0, 0)
    }

    fn pair<X: ObjectName<Self>, A: ObjectName<Self>, B: ObjectName<Self>>(
        f: &PartialMap<X, A>,
        g: &PartialMap<X, B>,
    ) -> PartialMap<X, (A, B)> {
        f.pair(g)
    }

    fn first<A: ObjectName<Self>, B: ObjectName<Self>>() -> PartialMap<(A, B), A> {
        PartialMap::select_range(0, dimension_of::<A>())
    }

    fn second<A: ObjectName<Self>, B: ObjectName<Self>>() -> PartialMap<(A, B), B> {
        PartialMap::select_range(dimension_of::<A>(), dimension_of::<A>() + dimension_of::<B>())
    }
}

impl Joins for PartialMapCategory {
    fn join<A: ObjectName<Self>, B: ObjectName<Self>>(f: &PartialMap<A, B>, g: &PartialMap<A, B>) -> PartialMap<A, B> {
        f.join(g)
    }
}

impl LeftAdditive for PartialMapCategory {
    fn zero<A: ObjectName<Self>, B: ObjectName<Self>>() -> PartialMap<A, B> {
        PartialMap::zero_map(dimension_of::<B>())
    }

    fn add<A: ObjectName<Self>, B: ObjectName<Self>>(f: &PartialMap<A, B>, g: &PartialMap<A, B>) -> PartialMap<A, B> {
        f.add(g)
    }
}

impl DifferentialRestriction for PartialMapCategory {
    fn forward_derivative<A: ObjectName<Self>, B: ObjectName<Self>>(f: &PartialMap<A, B>) -> PartialMap<(A, A), B> {
        f.forward_from(dimension_of::<A>())
    }
}

impl ReverseDifferential for PartialMapCategory {
    fn reverse_derivative<A: ObjectName<Self>, B: ObjectName<Self>>(f: &PartialMap<A, B>) -> PartialMap<(A, B), A> {
        f.reverse_from(dimension_of::<A>())
    }
}

impl Chains for PartialMapCategory {
    /// The chain of a map made of recursive programs, represented by the map itself.
    type Chain<A: ObjectName<Self>, B: ObjectName<Self>> = PartialMap<A, B>;

    fn approximant<A: ObjectName<Self>, B: ObjectName<Self>>(chain: &PartialMap<A, B>, n: u64) -> PartialMap<A, B> {
        chain.with_unfolding_limit(n)
    }

    fn supremum<A: ObjectName<Self>, B: ObjectName<Self>>(chain: &PartialMap<A, B>) -> PartialMap<A, B> {
        chain.clone()
    }
}

/// The configuration of a comparison of two maps, at points over the rational numbers, where everything is decided.
#[derive(Clone, Debug)]
pub struct PartialTestConfig {
    /// The seed of the samples: the same seed gives the same samples.
    pub seed: u64,
    /// The number of points.
    pub samples: u32,
    /// Numbers from which coordinates are often taken, such as those at which a guard changes.
    pub borders: Vec<Rational>,
    /// The budget of each run, in work units.
    pub budget_units: u64,
    /// The clauses of the semantics.
    pub hooks: Arc<dyn PartialHooks>,
}

impl Default for PartialTestConfig {
    fn default() -> Self {
        Self {
            seed: 1,
            samples: 12,
            borders: Vec::new(),
            budget_units: 400_000,
            hooks: Arc::new(partial::DefaultPartialHooks),
        }
    }
}

/// The most bits of rational numbers in a comparison; a choice.
const MAX_RATIONAL_BITS: u32 = 2_000;

impl PartialTestConfig {
    fn draw_coordinate(&self, random: &mut SplitMix64) -> Rational {
        // the borders are where two maps differ if anywhere: 60 % of the coordinates, a choice
        if !self.borders.is_empty() && random.random_bool(60) {
            return random.pick(&self.borders).clone();
        }
        Rational::from((random.next_below(13) as i64 - 6, 1 + random.next_below(3) as i64))
    }
}

impl Setoid for PartialMapCategory {
    type Trial = PartialTestConfig;
    type Error = ValueError;

    /// Compares by Kleene equality at points: each map is defined where the other is, with the same value. A point is skipped if
    /// it is not certain that a value is missing there.
    fn agree<A: ObjectName<Self>, B: ObjectName<Self>>(
        left: &PartialMap<A, B>,
        right: &PartialMap<A, B>,
        trial: &PartialTestConfig,
    ) -> Result<Verdict, ValueError> {
        let mut random = SplitMix64::new(trial.seed);
        let mut all = Verdict::Vacuous;
        let universe = || {
            let budget = Arc::new(Budget::new(trial.budget_units, None, None));
            PartialUniverse::new(Exact { bits: MAX_RATIONAL_BITS }, budget).with_hooks(trial.hooks.clone())
        };
        for _ in 0..trial.samples {
            let point: Vec<_> = (0..dimension_of::<A>()).map(|_| Some(trial.draw_coordinate(&mut random))).collect();
            let of = |f: &PartialMap<A, B>| match f.evaluate_in(universe(), &point) {
                Ok(found) => Ok(found.into_iter().collect::<Option<Vec<Rational>>>().map(Some)),
                Err(ValueError::Undefined(undefined)) => Ok(undefined.certain.then_some(None)),
                // derivatives nested too deeply
                Err(ValueError::Unsupported { .. }) => Ok(None),
                Err(other) => Err(other),
            };
            // a point at which either side is unknown proves nothing
            let (Some(a), Some(b)) = (of(left)?, of(right)?) else { continue };
            all = all.and(match a == b {
                true => Verdict::Survived,
                false => Verdict::refuted(format!("{point:?}"), format!("{a:?}"), format!("{b:?}")),
            });
        }
        Ok(all)
    }
}
