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
//! use smoothish_semantics::smooth::dimension::Line;
//! use smoothish_semantics::syntax::library::Library;
//! use std::sync::Arc;
//! let map = |text: &str| {
//!     let (term, ty) = Library::default().infer_expression(text).expect("a program");
//!     PartialMap::<Line, Line>::of_program(&term, &ty).expect("a function of a number")
//! };
//! let negative = map(r"\x => if x < 0 then 0 else 1 / 0");
//! let positive = map(r"\x => if x > 0 then x else log (-1)");
//! let at = |f: &PartialMap<Line, Line>, x| {
//!     f.run(Exact::default(), &[Some(Rational::from(x))], Arc::new(Budget::unlimited()))
//! };
//! let relu = negative.join(&positive);
//! assert_eq!((at(&relu, -3)?, at(&relu, 3)?), (vec![Some(0.into())], vec![Some(3.into())]));
//! assert!(at(&relu, 0).is_err());
//! assert!(at(&negative.join(&map(r"\(x : Real) => x")), -3).is_err());
//! # Ok::<(), smoothish_semantics::value::ValueError>(())
//! ```

use super::derivative::Run;
use super::{Element, NAME, Partial, Values};
use crate::model::answer::MeaningError;
use crate::model::universe::{Arithmetic, Evaluator};
use crate::number::budget::Budget;
use crate::number::context::Context;
use crate::smooth::dimension::Dim;
use crate::smooth::jet::Jet;
use crate::stack::deep;
use crate::syntax::constant::Constant;
use crate::syntax::term::Term;
use crate::syntax::ty::{Ty, TyKind};
use crate::value::{Cause, Undefined, Value, ValueError};
use std::marker::PhantomData;
use std::sync::Arc;

/// A partial map from ℝᴺ to ℝᴹ. Cheap to clone.
pub struct PartialMap<N, M> {
    node: Arc<Node>,
    shape: PhantomData<fn(N) -> M>,
}

impl<N, M> Clone for PartialMap<N, M> {
    fn clone(&self) -> Self {
        Self::new(self.node.clone())
    }
}

/// The construction of a map. All act on lists of coordinates.
#[derive(Debug)]
enum Node {
    /// A program, with the type of its argument.
    Program(Term, Ty),
    /// A map with recursions unfolded to a number of levels.
    Limited(u64, Arc<Node>),
    /// The coordinates from the first number up to the second, exclusive.
    Select(usize, usize),
    Then(Arc<Node>, Arc<Node>),
    Pair(Arc<Node>, Arc<Node>),
    Restriction(Arc<Node>),
    Join(Arc<Node>, Arc<Node>),
    /// 0, with the number of its coordinates.
    Zero(usize),
    Add(Arc<Node>, Arc<Node>),
    /// (x, v) ↦ f′(x) v, with the number of coordinates of x.
    Forward(usize, Arc<Node>),
    /// (x, w) ↦ f′(x)ᵗ w, with the number of coordinates of x.
    Reverse(usize, Arc<Node>),
}

/// Lists of coordinates.
type Elements<C> = Vec<Element<<C as Context>::Num>>;

/// Returns the number of coordinates of a vector type; `None` for any other type.
fn size(ty: &Ty) -> Option<usize> {
    match ty.kind() {
        TyKind::Real => Some(1),
        TyKind::Unit => Some(0),
        TyKind::Tuple(parts) => parts.iter().map(|part| deep(|| size(part))).sum(),
        _ => None,
    }
}

/// Builds a vector of a type from its coordinates; `None` if there are too few.
fn vector<R: crate::value::Carrier>(ty: &Ty, from: &mut impl Iterator<Item = R>) -> Option<Value<R>> {
    Some(match ty.kind() {
        TyKind::Real => Value::Real(from.next()?),
        TyKind::Tuple(parts) => {
            Value::tuple(parts.iter().map(|part| deep(|| vector(part, from))).collect::<Option<Vec<_>>>()?)
        }
        _ => Value::Unit,
    })
}

impl<N, M> PartialMap<N, M> {
    fn new(node: Arc<Node>) -> Self {
        Self { node, shape: PhantomData }
    }

    fn made(node: Node) -> Self {
        Self::new(Arc::new(node))
    }

    /// Builds the projection to the coordinates from..to.
    pub(super) fn select(from: usize, to: usize) -> Self {
        Self::made(Node::Select(from, to))
    }

    /// Composes: returns g ∘ self.
    #[must_use]
    pub fn then<P>(&self, g: &PartialMap<M, P>) -> PartialMap<N, P> {
        PartialMap::made(Node::Then(self.node.clone(), g.node.clone()))
    }

    /// Returns `⟨self, g⟩`, defined where both are.
    #[must_use]
    pub fn pair<P>(&self, g: &PartialMap<N, P>) -> PartialMap<N, (M, P)> {
        PartialMap::made(Node::Pair(self.node.clone(), g.node.clone()))
    }

    /// Returns the identity, restricted to where self is defined.
    #[must_use]
    pub fn restriction(&self) -> PartialMap<N, N> {
        PartialMap::made(Node::Restriction(self.node.clone()))
    }

    /// Joins two maps: the result is whichever is defined, and undefined with a certain error where both are and differ.
    #[must_use]
    pub fn join(&self, g: &Self) -> Self {
        Self::made(Node::Join(self.node.clone(), g.node.clone()))
    }

    /// Returns self + g, defined where both are.
    #[must_use]
    pub fn add(&self, g: &Self) -> Self {
        Self::made(Node::Add(self.node.clone(), g.node.clone()))
    }

    /// Returns the map 0 with `size` coordinates.
    pub(super) fn zeros(size: usize) -> Self {
        Self::made(Node::Zero(size))
    }

    /// Returns (x, v) ↦ f′(x) v, for a map f with `size` coordinates of x.
    pub(super) fn forward_from(&self, size: usize) -> PartialMap<(N, N), M> {
        PartialMap::made(Node::Forward(size, self.node.clone()))
    }

    /// Returns (x, w) ↦ f′(x)ᵗ w, for a map f with `size` coordinates of x.
    pub(super) fn reverse_from(&self, size: usize) -> PartialMap<(N, M), N> {
        PartialMap::made(Node::Reverse(size, self.node.clone()))
    }

    /// Returns the map with every recursion of a program unfolded at most n levels deep.
    #[must_use]
    pub fn limited(&self, n: u64) -> Self {
        Self::made(Node::Limited(n, self.node.clone()))
    }

    /// Evaluates at a point, in [numbers](Context) of one precision.
    ///
    /// # Errors
    /// [`ValueError::Undefined`] if there is no value, or none was found within the budget.
    pub fn run<C: Context>(
        &self,
        context: C,
        point: &[C::Num],
        budget: Arc<Budget>,
    ) -> Result<Vec<C::Num>, ValueError> {
        self.run_in(Partial::new(context, budget), point)
    }

    /// Like `run`, in a universe that may have other clauses.
    pub(super) fn run_in<C: Context>(&self, universe: Partial<C>, point: &[C::Num]) -> Result<Vec<C::Num>, ValueError> {
        let context = universe.context().clone();
        let inputs = point.iter().map(|x| Element::new(Jet::constant(x.clone()))).collect();
        let outputs = self.node.run(&Evaluator::new(universe), inputs)?;
        Ok(outputs.iter().map(|y| y.value(&context)).collect())
    }
}

impl<N: Dim, M: Dim> PartialMap<N, M> {
    /// Builds the map of a closed program; `None` if its type is not one of functions from N to M.
    #[must_use]
    pub fn of_program(program: &Term, ty: &Ty) -> Option<Self> {
        let TyKind::Function(domain, codomain) = ty.kind() else { return None };
        let fits = size(domain) == Some(N::SIZE) && size(codomain) == Some(M::SIZE);
        fits.then(|| Self::made(Node::Program(program.clone(), domain.clone())))
    }
}

impl Node {
    fn run<C: Context>(&self, model: &Evaluator<Partial<C>>, inputs: Elements<C>) -> Result<Elements<C>, ValueError> {
        deep(|| self.clause(model, inputs))
    }

    fn clause<C: Context>(
        &self,
        model: &Evaluator<Partial<C>>,
        inputs: Elements<C>,
    ) -> Result<Elements<C>, ValueError> {
        let universe = &model.0;
        let coordinates = |value: &Values<C>| Ok(value.coordinates()?.into_iter().cloned().collect());
        Ok(match self {
            Node::Program(program, domain) => {
                // a construct that the model lacks becomes an error of the run, so that all maps have one error type
                let function = model.value(program).map_err(|error| match error {
                    MeaningError::Run(error) => error,
                    other => ValueError::Lacks { model: NAME, construct: other.to_string() },
                })?;
                let argument = vector(domain, &mut inputs.into_iter()).unwrap_or(Value::Unit);
                return coordinates(&function.as_function()?.apply(&argument)?);
            }
            Node::Limited(n, f) => {
                // a universe of its own, since the limit belongs to the universe
                let limited = Evaluator::new(universe.within(*n));
                return f.run(&limited, inputs);
            }
            Node::Select(from, to) => inputs.get(*from..*to).map(<[_]>::to_vec).unwrap_or_default(),
            Node::Then(f, g) => {
                let between = f.run(model, inputs)?;
                return g.run(model, between);
            }
            Node::Pair(f, g) => {
                let mut both = f.run(model, inputs.clone())?;
                both.extend(g.run(model, inputs)?);
                both
            }
            Node::Restriction(f) => {
                // run for its domain alone; the value is dropped
                if universe.hooks().restricts() {
                    f.run(model, inputs.clone())?;
                }
                inputs
            }
            Node::Join(f, g) => {
                let left = f.run(model, inputs.clone());
                if !universe.hooks().joins_both() {
                    return left;
                }
                return joined(universe, left, g.run(model, inputs));
            }
            Node::Zero(n) => vec![universe.rational(&0.into()); *n],
            Node::Add(f, g) => {
                let (left, right) = (f.run(model, inputs.clone())?, g.run(model, inputs)?);
                let sum = |(a, b)| universe.real(Constant::Add, &[a, b]);
                left.iter().zip(&right).map(sum).collect::<Result<_, _>>()?
            }
            Node::Forward(n, f) | Node::Reverse(n, f) => {
                let run: &Run<C> = &|x| {
                    let inputs = coordinates(x)?;
                    Ok(Value::tuple(f.run(model, inputs)?.into_iter().map(Value::Real)))
                };
                let tuple = |part: &[Element<C::Num>]| Value::tuple(part.iter().cloned().map(Value::Real));
                let (x, along) = inputs.split_at((*n).min(inputs.len()));
                let (x, along) = (tuple(x), tuple(along));
                return coordinates(&match self {
                    Node::Forward(..) => universe.along(run, &x, &along)?,
                    _ => universe.transposed(run, &x, &along)?,
                });
            }
        })
    }
}

/// Returns f ∨ g at a point from the values of both.
fn joined<C: Context>(
    universe: &Partial<C>,
    left: Result<Elements<C>, ValueError>,
    right: Result<Elements<C>, ValueError>,
) -> Result<Elements<C>, ValueError> {
    let is_certain = |error: &ValueError| matches!(error, ValueError::Undefined(undefined) if undefined.certain);
    match (left, right) {
        (Ok(left), Ok(right)) => {
            let c = universe.context();
            // numbers are different only if their difference certainly is not 0
            let same = |(a, b): (&Element<C::Num>, &Element<C::Num>)| c.contains_zero(&c.sub(&a.value(c), &b.value(c)));
            if left.iter().zip(&right).all(same) {
                return Ok(left);
            }
            let what = "two maps that are joined are both defined, and differ";
            Err(ValueError::undefined(Undefined { certain: true, ..Undefined::of(Cause::Domain, what) }))
        }
        (Ok(found), Err(ValueError::Undefined(_))) | (Err(ValueError::Undefined(_)), Ok(found)) => Ok(found),
        // that there is no value is certain only if both errors are certain, so the uncertain one is passed on
        (Err(left), Err(right)) => Err(if is_certain(&left) { right } else { left }),
        (Err(error), Ok(_)) | (Ok(_), Err(error)) => Err(error),
    }
}
