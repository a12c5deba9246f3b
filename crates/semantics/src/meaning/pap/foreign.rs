//! Primitives given from Rust, with their pieces and their derivatives (W §3.3).
//!
//! A primitive is a pair of c : τ → ℝ and c_𝒟 : 𝒟τ → ℝ × ℝ, over guards that the semantics decides, at a point or by replay. τ is
//! made of numbers, tuples, and functions between such. W's condition that c_𝒟 belongs to c is tested, not proved. Programs are
//! applied to primitives as their first arguments:
//!
//! ```
//! use smoothish_semantics::meaning::pap::PiecewiseSemantics;
//! use smoothish_semantics::meaning::pap::foreign::{ForeignPrimitive, PrimitivePiece, PiecewisePrimitive};
//! use smoothish_semantics::model::answer::{Semantics, AnswerNumber};
//! use smoothish_semantics::number::{Rational, budget::Budget};
//! use smoothish_semantics::pieces::SignTest;
//! use smoothish_semantics::smooth::graph::{Graph, Variable};
//! use smoothish_semantics::syntax::library::Library;
//! use smoothish_semantics::value::Value;
//! // relu, with the slope -7 at 0
//! let v = Variable::fresh();
//! let (x, number) = (Graph::variable(v), Graph::integer);
//! let part = |test, holds, value: &Graph, slope| PrimitivePiece::new(vec![(x.clone(), test, holds)], value, vec![number(slope)]);
//! let parts = vec![
//!     part(SignTest::Positive, true, &x, 1),
//!     part(SignTest::Zero, true, &number(0), -7),
//!     part(SignTest::NonNegative, false, &number(0), 0),
//! ];
//! let relu: ForeignPrimitive = PiecewisePrimitive::new("relu7", vec![v], parts)?.into();
//! let (term, ty) = Library::default().infer_expression(r"\(relu : Real -> Real) => (deriv relu 0, deriv relu 2)")?;
//! let pap = PiecewiseSemantics { primitives: vec![relu], ..PiecewiseSemantics::default() };
//! let answer = pap.evaluate(&term, &ty, &Rational::from((1, 1000)), &Budget::unlimited().into())?;
//! let is = |place: usize, n: i64| match answer.value.direct_parts().nth(place) {
//!     Some(Value::Real(AnswerNumber::Enclosure(found))) => found.enclosure.contains(&Rational::from(n)),
//!     _ => false,
//! };
//! assert!(is(0, -7) && is(1, 1));
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```
//!
//! # Errors of primitives given from Rust
//!
//! # Primitives of numbers
//!
//! Primitives of numbers, given by pieces. That they are pieces is proven.

use super::{GuardRole, NAME, Oracle, PiecewiseUniverse, lock};
use crate::failure::{ErrorKind, ErrorWithKind};
use crate::model::answer::SemanticsError;
use crate::model::universe::{EvaluatorModel, ValueSemantics};
use crate::pieces::analytic::analyticity_conditions;
use crate::pieces::proof::{SetPoints, find_points};
use crate::pieces::{GuardCondition, SignGuard, SignTest};
use crate::presheaf::dynamic::{Element, StageFunction};
use crate::smooth::graph::{Binary, Graph, Variable};
use crate::smooth::normal_form::RationalNormalForm;
use crate::smooth::primitive::{Primitive as Node, ValueRule};
use crate::smooth::program::CompiledMap;
use crate::syntax::term::Term;
use crate::syntax::ty::{Ty, TyKind};
use crate::value::{SourceId, UndefinedCause, UndefinedValue, Value, ValueError};
use rustc_hash::FxHashSet;
use std::fmt;
use std::sync::Arc;

/// The decision of a primitive's guards.
pub trait PrimitiveGuards {
    /// Decides whether a number passes a test. Its border becomes one of the program.
    ///
    /// # Errors
    /// The guard is undecided.
    fn decide_test(&self, graph: &Graph, test: SignTest) -> Result<bool, ValueError>;
}

/// A primitive: c : τ → ℝ, and c_𝒟 : 𝒟τ → ℝ × ℝ.
pub trait ForeignFunction: fmt::Debug + Send + Sync + 'static {
    /// Returns the name, for messages.
    fn name(&self) -> &str;
    /// Returns τ.
    fn domain_type(&self) -> Ty;
    /// Returns c(x) on the piece of x, as an analytic map of the numbers of x.
    ///
    /// The map may have operations that are not analytic at some points of a piece. [What they need](crate::pieces::analytic)
    /// becomes a condition of the piece, without which c has no value. An operation that never is analytic, such as a choice by a
    /// guard, is refused.
    ///
    /// # Errors
    /// An undecided guard, an error of a function that is applied, or [`undefined_primitive`] if c has no value at x.
    fn value_on_piece(&self, world: &dyn PrimitiveGuards, x: &Element) -> Result<Graph, ValueError>;
    /// Returns c_𝒟(x′). Each number of x′ is a pair of a value and its derivative.
    ///
    /// # Errors
    /// Those of [`ForeignFunction::value_on_piece`].
    fn dual_on_piece(&self, world: &dyn PrimitiveGuards, x: &Element) -> Result<[Graph; 2], ValueError>;
}

/// Returns the error of a primitive without a value.
#[must_use]
pub fn undefined_primitive(name: &str) -> ValueError {
    ValueError::from_undefined(UndefinedValue::of_operation(UndefinedCause::Domain, name))
}

/// A primitive. Cheap to clone.
#[derive(Clone, Debug)]
pub struct ForeignPrimitive(pub Arc<dyn ForeignFunction>);

impl<F: ForeignFunction> From<F> for ForeignPrimitive {
    fn from(foreign: F) -> Self {
        Self(Arc::new(foreign))
    }
}

impl<O: Oracle> PrimitiveGuards for PiecewiseUniverse<O> {
    fn decide_test(&self, graph: &Graph, test: SignTest) -> Result<bool, ValueError> {
        self.ask_oracle(SignGuard::new(graph, test, SourceId::NOWHERE), GuardRole::Choice)
    }
}

/// Applies a program to primitives as its first arguments.
///
/// # Errors
/// [`ForeignError::Type`] if the program does not take them; those of the program.
pub fn apply_to_primitives<O: Oracle>(
    model: &EvaluatorModel<PiecewiseUniverse<O>>,
    primitives: &[ForeignPrimitive],
    program: &Term,
) -> Result<Element, SemanticsError> {
    let mut ty = program.ty().clone();
    // the types are checked here: inference has not seen the primitives
    for c in primitives {
        let found = Ty::function(c.0.domain_type(), Ty::real());
        ty = match ty.kind() {
            TyKind::Function(expected, rest) if *expected == found => rest.clone(),
            other => {
                let expected = match other {
                    TyKind::Function(expected, _) => expected.to_string(),
                    _ => "nothing".to_owned(),
                };
                let (name, found) = (c.0.name().to_owned(), found.to_string());
                return Err(SemanticsError::from_failure(ForeignError::Type { name, expected, found }));
            }
        };
    }
    let of = |f: Element, c: &ForeignPrimitive| f.as_function()?.apply(&model.0.wrap_primitive(c));
    Ok(primitives.iter().try_fold(model.evaluate_closed(program)?, of)?)
}

/// Returns the addresses of the nodes of the numbers in x; empty for a function, whose numbers are unknown.
fn nodes_of(x: &Element) -> FxHashSet<usize> {
    let numbers: Vec<&Graph> = x.coordinates().map(|all| all.into_iter().collect()).unwrap_or_default();
    Graph::all_nodes(numbers).into_iter().map(Graph::address).collect()
}

impl<O: Oracle> PiecewiseUniverse<O> {
    /// Returns c(x) on the piece of x. The conditions under which its operations are analytic become conditions of the piece.
    ///
    /// # Errors
    /// Those of [`ForeignFunction::value_on_piece`]; an operation of which it is unknown where it is analytic.
    pub fn checked_value(&self, c: &ForeignPrimitive, x: &Element) -> Result<Graph, ValueError> {
        let value = c.0.value_on_piece(self, x)?;
        self.require_analytic(c, &value, &nodes_of(x))?;
        Ok(value)
    }

    /// Returns c_𝒟(x′), under the same conditions.
    ///
    /// # Errors
    /// Those of [`PiecewiseUniverse::checked_value`].
    pub fn checked_dual(&self, c: &ForeignPrimitive, x: &Element) -> Result<[Graph; 2], ValueError> {
        let dual = c.0.dual_on_piece(self, x)?;
        let known = nodes_of(x);
        dual.iter().try_for_each(|part| self.require_analytic(c, part, &known))?;
        Ok(dual)
    }

    /// Asks the conditions under which a map of the primitive is analytic. The nodes in `known` are those of the argument.
    fn require_analytic(&self, c: &ForeignPrimitive, g: &Graph, known: &FxHashSet<usize>) -> Result<(), ValueError> {
        let opaque = |what: String| ValueError::Unsupported {
            model: NAME,
            construct: format!("{what} in the primitive `{}`, whose domain of analyticity is not known", c.0.name()),
        };
        for need in analyticity_conditions(g, known).map_err(opaque)? {
            // one of the alternatives suffices; the later ones are not asked once it holds
            let mut is_met = false;
            for decided in &need.any {
                is_met = is_met || self.ask_oracle(decided.guard.clone(), GuardRole::Condition)? == decided.holds;
            }
            if !is_met {
                return Err(undefined_primitive(c.0.name()));
            }
        }
        Ok(())
    }

    /// Wraps a primitive as a value: c, with c_𝒟 for its derivative.
    pub fn wrap_primitive(self: &Arc<Self>, c: &ForeignPrimitive) -> Element {
        let (universe, c) = (self.clone(), c.clone());
        Value::Function(StageFunction::new(move |x: &Element| universe.apply_primitive(&c, x).map(Value::Real)))
    }

    /// Applies a primitive. The result is the map c(x), with c_𝒟 attached unless it is the derivative of that map.
    fn apply_primitive(self: &Arc<Self>, c: &ForeignPrimitive, x: &Element) -> Result<Graph, ValueError> {
        self.charge_step()?;
        let value = self.checked_value(c, x)?;
        let primal = lock(&self.primal).clone();
        let live = self.oracle.run_variables().iter().copied().chain(primal.iter().map(|(v, _)| *v));
        let varies = |v: &Variable| match x.coordinates() {
            Ok(numbers) => numbers.iter().any(|g| g.depends_on(*v)),
            // a function may depend on all variables
            Err(_) => true,
        };
        let varying: Vec<Variable> = live.filter(varies).collect();
        if varying.is_empty() {
            return Ok(value);
        }
        let along: Vec<Variable> = varying.iter().map(|_| Variable::fresh()).collect();
        let tangent = DualDirection { varying: varying.clone(), derivative_along: along.clone() };
        let [_, slope] = self.checked_dual(c, &tangent.dual_argument(self, &c.0.domain_type(), x)?)?;
        // if c_𝒟 is the derivative of the map, the map alone says everything
        let own = tangent.derivative_along(&[], &value, &[], &[]);
        let difference = Graph::binary(Binary::Subtract, &slope, &own);
        if RationalNormalForm::default().normal_form(&difference).is_some_and(|fraction| fraction.is_zero()) {
            return Ok(value);
        }
        let arguments = varying.iter().map(|v| Graph::variable(*v)).collect();
        let program = Box::new(CompiledMap::compile(&varying, std::slice::from_ref(&value)));
        let rule = ValueRule::Map { variables: varying.clone(), graph: value, program };
        let node = Node::with_self(c.0.name(), varying.len(), rule, move |_, x, v| {
            let at = varying.iter().copied().zip(x.iter().cloned());
            let bindings: Vec<_> = at.chain(along.iter().copied().zip(v.iter().cloned())).collect();
            slope.substitute(&bindings)
        });
        Ok(Graph::primitive(&node, arguments))
    }
}

/// Derivatives of maps along a direction, in the variables of a run.
#[derive(Clone, Debug)]
struct DualDirection {
    /// The variables.
    varying: Vec<Variable>,
    /// The direction, one variable for each.
    derivative_along: Vec<Variable>,
}

impl DualDirection {
    /// Returns the derivative of a map along the direction, and in `variables` at `at` along `more`.
    fn derivative_along(&self, variables: &[Variable], g: &Graph, at: &[Graph], more: &[Graph]) -> Graph {
        let graphs = |all: &[Variable]| all.iter().map(|v| Graph::variable(*v)).collect::<Vec<_>>();
        let variables = [variables, &self.varying].concat();
        let (at, along) = ([at, &graphs(&self.varying)].concat(), [more, &graphs(&self.derivative_along)].concat());
        Graph::derivative(variables, g.clone(), at, along)
    }

    /// Replaces each number of an argument by the pair of it and its derivative.
    fn dual_argument<O: Oracle>(
        &self,
        universe: &Arc<PiecewiseUniverse<O>>,
        ty: &Ty,
        x: &Element,
    ) -> Result<Element, ValueError> {
        Ok(match (ty.kind(), x) {
            (TyKind::Real, _) => {
                let g = x.as_real()?;
                dual_pair(g.clone(), self.derivative_along(&[], g, &[], &[]))
            }
            (TyKind::Tuple(types), _) => {
                let parts = types.iter().zip(x.as_tuple()?).map(|(ty, part)| self.dual_argument(universe, ty, part));
                Element::tuple_of(parts.collect::<Result<Vec<_>, _>>()?)
            }
            (TyKind::Function(domain, codomain), Element::Function(_)) => {
                let (this, universe, f) = (self.clone(), universe.clone(), x.clone());
                let (domain, codomain) = (domain.clone(), codomain.clone());
                Value::Function(StageFunction::new(move |y: &Element| {
                    // the argument is a vector of pairs: even positions are values, odd ones slopes
                    let numbers: Vec<Graph> = y.coordinates()?.into_iter().cloned().collect();
                    let [values, slopes] =
                        [0, 1].map(|k| numbers.iter().skip(k).step_by(2).cloned().collect::<Vec<Graph>>());
                    let point = assemble_value(&domain, &mut values.iter().map(|g| Value::Real(g.clone())))?;
                    let super::LocalEvaluation { variables, at, value } =
                        universe.run_at_fresh_variables(&f, &point)?;
                    let bindings: Vec<_> = variables.iter().copied().zip(at.iter().cloned()).collect();
                    let outputs: Vec<Graph> = value.coordinates()?.into_iter().cloned().collect();
                    let duals = outputs.iter().map(|g| {
                        dual_pair(g.substitute(&bindings), this.derivative_along(&variables, g, &at, &slopes))
                    });
                    assemble_value(&codomain, &mut duals.collect::<Vec<_>>().into_iter())
                }))
            }
            _ => {
                return Err(ValueError::Mismatch {
                    expected: "numbers, tuples, and functions between such, as arguments of a primitive",
                    found: x.kind().noun_phrase(),
                });
            }
        })
    }
}

fn dual_pair(value: Graph, slope: Graph) -> Element {
    Element::tuple_of([Value::Real(value), Value::Real(slope)])
}

/// Builds a value of a type of numbers and tuples from its numbers, or from pairs in their place.
fn assemble_value(ty: &Ty, numbers: &mut dyn Iterator<Item = Element>) -> Result<Element, ValueError> {
    match ty.kind() {
        TyKind::Tuple(types) => {
            let parts = types.iter().map(|ty| assemble_value(ty, numbers));
            Ok(Element::tuple_of(parts.collect::<Result<Vec<_>, _>>()?))
        }
        _ => numbers.next().ok_or(ValueError::Mismatch { expected: "a number", found: "nothing" }),
    }
}

/// The reason why a primitive is refused.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum ForeignError {
    /// The primitive has no pieces.
    #[error(
        "the primitive `{name}` has no pieces; give the guards of each piece, its analytic map, and its derivatives"
    )]
    NoPieces {
        /// The name of the primitive.
        name: String,
    },
    /// A piece lacks partial derivatives.
    #[error(
        "the primitive `{name}` gives no derivative on one of its pieces: of {expected} variables there are {found} partial derivatives"
    )]
    NoDerivative {
        /// The name of the primitive.
        name: String,
        /// The number of partial derivatives required.
        expected: usize,
        /// The number found.
        found: usize,
    },
    /// A map on a piece, or a guard of it, is not analytic at a point where it is used.
    #[error("the primitive `{name}` has {what} in a piece, which is not analytic at {point}; cut the piece there")]
    NotAnalytic {
        /// The name of the primitive.
        name: String,
        /// The operation that is not analytic.
        what: String,
        /// The point, or the numbers between which it lies.
        point: String,
    },
    /// A map on a piece, or a guard of it, has an operation of which it is unknown where it is analytic.
    #[error("the primitive `{name}` has {what} in a piece, whose domain of analyticity is not known")]
    Opaque {
        /// The name of the primitive.
        name: String,
        /// The operation.
        what: String,
    },
    /// A map on a piece has a variable that is not one of the primitive's.
    #[error("the primitive `{name}` has a piece with a variable that is none of its arguments")]
    Variable {
        /// The name of the primitive.
        name: String,
    },
    /// Two pieces have a point in common.
    #[error("the primitive `{name}` has two pieces at {point}; pieces have no points in common")]
    Overlap {
        /// The name of the primitive.
        name: String,
        /// The point, or the numbers between which it lies.
        point: String,
    },
    /// Some points lie on no piece.
    #[error("the primitive `{name}` has no piece at {point}")]
    Gap {
        /// The name of the primitive.
        name: String,
        /// Such a point, or the numbers between which it lies.
        point: String,
    },
    /// A required property of the pieces was not proven.
    #[error(
        "it is not proved for the primitive `{name}` that {what}; add guards that imply it, or that bound the pieces"
    )]
    Unproven {
        /// The name of the primitive.
        name: String,
        /// The property.
        what: String,
    },
    /// A program expects another type.
    #[error("the primitive `{name}` is of type {found}, where a program takes {expected}")]
    Type {
        /// The name of the primitive.
        name: String,
        /// The type that the program expects.
        expected: String,
        /// The type of the primitive.
        found: String,
    },
    /// The given derivative is not one of the primitive.
    #[error(
        "the primitive `{name}` is not differentiated by its derivative: at {witness} that is {left}, where {right} is right"
    )]
    NotDual {
        /// The name of the primitive.
        name: String,
        /// The counterexample.
        witness: String,
        /// The derivative given there.
        left: String,
        /// The correct derivative there.
        right: String,
    },
    /// No test was possible.
    #[error("the primitive `{name}` was not tested: it has no value at any argument that was drawn")]
    Untried {
        /// The name of the primitive.
        name: String,
    },
}

impl ErrorWithKind for ForeignError {
    fn kind(&self) -> ErrorKind {
        ErrorKind::InvalidInput
    }
}

/// A piece of a primitive of numbers.
#[derive(Clone, Debug)]
pub struct PrimitivePiece {
    guards: Vec<GuardCondition>,
    value: Graph,
    slopes: Vec<Graph>,
}

impl PrimitivePiece {
    /// Builds a piece: the points where tests of maps hold or fail, with an analytic map and its partial derivatives there.
    ///
    /// All maps are over the variables of the primitive.
    #[must_use]
    pub fn new(guards: Vec<(Graph, SignTest, bool)>, value: &Graph, slopes: Vec<Graph>) -> Self {
        let decided = |(graph, test, holds): (Graph, SignTest, bool)| GuardCondition {
            guard: SignGuard::new(&graph, test, SourceId::NOWHERE),
            holds,
            is_condition: false,
        };
        Self { guards: guards.into_iter().map(decided).collect(), value: value.clone(), slopes }
    }
}

/// A primitive ℝⁿ → ℝ, given by its pieces. It has no value outside them.
#[derive(Clone, Debug)]
pub struct PiecewisePrimitive {
    name: String,
    variables: Vec<Variable>,
    parts: Vec<PrimitivePiece>,
}

/// Substitutions of graphs for variables.
type Bindings = Vec<(Variable, Graph)>;

/// The most combinations of failing guards that are examined for a gap; a choice.
const MAX_COVER_CASES: usize = 500;

impl PiecewisePrimitive {
    /// Builds the primitive of these pieces.
    ///
    /// It proves, by [roots of guards and enclosures](crate::pieces::proof), that no two pieces have a common point. It also
    /// proves that the maps, their derivatives and the guards are analytic where they are used; a guard is used only after those
    /// before it. That the derivatives are those of the map is tested, not proven.
    ///
    /// # Errors
    /// [`ForeignError::NoPieces`], [`ForeignError::NoDerivative`], [`ForeignError::Variable`], [`ForeignError::Opaque`];
    /// [`ForeignError::NotAnalytic`] and [`ForeignError::Overlap`] with a point; [`ForeignError::Unproven`] if neither a proof
    /// nor such a point was found.
    pub fn new(name: &str, variables: Vec<Variable>, parts: Vec<PrimitivePiece>) -> Result<Self, ForeignError> {
        let own = || name.to_owned();
        if parts.is_empty() {
            return Err(ForeignError::NoPieces { name: own() });
        }
        let found = Self { name: own(), variables, parts };
        for part in &found.parts {
            let (expected, count) = (found.variables.len(), part.slopes.len());
            if expected != count {
                return Err(ForeignError::NoDerivative { name: own(), expected, found: count });
            }
            // a guard is used only where all guards before it were answered as on the piece
            for (place, decided) in part.guards.iter().enumerate() {
                found.require_analytic(&decided.guard.graph, &part.guards[..place])?;
            }
            for map in part.slopes.iter().chain([&part.value]) {
                found.require_analytic(map, &part.guards)?;
            }
        }
        for (place, part) in found.parts.iter().enumerate() {
            for other in &found.parts[..place] {
                match find_points(&[&other.guards[..], &part.guards].concat(), &found.variables) {
                    SetPoints::None => {}
                    SetPoints::Unknown => return Err(found.unproven_error("no two pieces have a point in common")),
                    known => return Err(ForeignError::Overlap { name: own(), point: known.to_string() }),
                }
            }
        }
        Ok(found)
    }

    /// Checks that the pieces cover ℝⁿ, and returns the primitive.
    ///
    /// # Errors
    /// [`ForeignError::Gap`], with a point on no piece; [`ForeignError::Unproven`].
    pub fn require_cover(self) -> Result<Self, ForeignError> {
        let mut ways: Vec<(usize, Vec<GuardCondition>)> = vec![(0, Vec::new())];
        let mut looked = 0;
        while let Some((place, way)) = ways.pop() {
            looked += 1;
            let found = find_points(&way, &self.variables);
            if found == SetPoints::None {
                continue;
            }
            match self.parts.get(place) {
                None if found == SetPoints::Unknown => return Err(self.unproven_error("its pieces cover the space")),
                None => return Err(ForeignError::Gap { name: self.name, point: found.to_string() }),
                Some(_) if looked > MAX_COVER_CASES => return Err(self.unproven_error("its pieces cover the space")),
                // a point off the piece fails one of its guards first: branch over which one
                Some(part) => ways.extend((0..part.guards.len()).map(|first| {
                    let mut next = [&way[..], &part.guards[..=first]].concat();
                    if let Some(last) = next.last_mut() {
                        last.holds = !last.holds;
                    }
                    (place + 1, next)
                })),
            }
        }
        Ok(self)
    }

    fn unproven_error(&self, what: &str) -> ForeignError {
        ForeignError::Unproven { name: self.name.clone(), what: what.to_owned() }
    }

    /// Fails unless it is proven that a map is analytic wherever the guards `on` are answered as they say.
    fn require_analytic(&self, g: &Graph, on: &[GuardCondition]) -> Result<(), ForeignError> {
        let own = || self.name.clone();
        if g.free_variables().iter().any(|v| !self.variables.contains(v)) {
            return Err(ForeignError::Variable { name: own() });
        }
        for need in analyticity_conditions(g, &FxHashSet::default())
            .map_err(|what| ForeignError::Opaque { name: own(), what })?
        {
            // a counterexample satisfies the guards and fails every alternative of the need
            let what = format!("`{}`", need.operation);
            let fails = need.any.iter().map(|decided| GuardCondition { holds: !decided.holds, ..decided.clone() });
            let all: Vec<GuardCondition> = on.iter().cloned().chain(fails).collect();
            match find_points(&all, &self.variables) {
                SetPoints::None => {}
                SetPoints::Unknown => return Err(self.unproven_error(&format!("{what} is analytic where it is asked"))),
                found => return Err(ForeignError::NotAnalytic { name: own(), what, point: found.to_string() }),
            }
        }
        Ok(())
    }

    /// Returns the piece on which numbers lie, with the numbers bound to the variables.
    fn find_piece(
        &self,
        world: &dyn PrimitiveGuards,
        numbers: &[Graph],
    ) -> Result<(&PrimitivePiece, Bindings), ValueError> {
        let bindings: Vec<_> = self.variables.iter().copied().zip(numbers.iter().cloned()).collect();
        for part in &self.parts {
            let mut all = true;
            for GuardCondition { guard, holds, .. } in &part.guards {
                // a guard is asked only if those before it were answered as on the piece: elsewhere it need not be analytic
                all = all && world.decide_test(&guard.graph.substitute(&bindings), guard.test)? == *holds;
            }
            if all {
                return Ok((part, bindings));
            }
        }
        Err(undefined_primitive(&self.name))
    }
}

impl ForeignFunction for PiecewisePrimitive {
    fn name(&self) -> &str {
        &self.name
    }
    fn domain_type(&self) -> Ty {
        match &self.variables[..] {
            [_] => Ty::real(),
            all => Ty::new(TyKind::Tuple(vec![Ty::real(); all.len()])),
        }
    }
    fn value_on_piece(&self, world: &dyn PrimitiveGuards, x: &Element) -> Result<Graph, ValueError> {
        let numbers: Vec<Graph> = x.coordinates()?.into_iter().cloned().collect();
        let (part, bindings) = self.find_piece(world, &numbers)?;
        Ok(part.value.substitute(&bindings))
    }
    fn dual_on_piece(&self, world: &dyn PrimitiveGuards, x: &Element) -> Result<[Graph; 2], ValueError> {
        let numbers: Vec<Graph> = x.coordinates()?.into_iter().cloned().collect();
        let values: Vec<Graph> = numbers.iter().step_by(2).cloned().collect();
        let (part, bindings) = self.find_piece(world, &values)?;
        let terms = part.slopes.iter().zip(numbers.iter().skip(1).step_by(2));
        let terms = terms.map(|(slope, v)| Graph::binary(Binary::Multiply, &slope.substitute(&bindings), v));
        // the chain rule: the sum of ∂ᵢc · xᵢ′
        let slope = terms.reduce(|a, b| Graph::binary(Binary::Add, &a, &b)).unwrap_or_else(|| Graph::integer(0));
        Ok([part.value.substitute(&bindings), slope])
    }
}
