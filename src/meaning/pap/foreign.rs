//! Primitives given from Rust, with their pieces and their derivatives (W §3.3).
//!
//! A primitive is a pair of c : τ → ℝ and c_𝒟 : 𝒟τ → ℝ × ℝ, over guards that the meaning decides: at a point, or by replay. τ is made of
//! numbers, tuples, and functions between such. That c_𝒟 belongs to c, W's condition, is
//! [tried](crate::glue::dual::primitive) and not proved. A program has primitives for its first arguments:
//!
//! ```
//! use smoothish::meaning::pap::InPieces;
//! use smoothish::meaning::pap::foreign::{Primitive, Part, Piecewise};
//! use smoothish::model::answer::{Meaning, Number};
//! use smoothish::number::{Rational, budget::Budget};
//! use smoothish::pieces::Test;
//! use smoothish::session::Session;
//! use smoothish::smooth::graph::{Graph, Variable};
//! use smoothish::value::Value;
//! // relu, with the slope -7 at 0
//! let v = Variable::fresh();
//! let (x, number) = (Graph::variable(v), Graph::integer);
//! let part = |test, holds, value: &Graph, slope| Part::new(vec![(x.clone(), test, holds)], value, vec![number(slope)]);
//! let parts = vec![
//!     part(Test::Positive, true, &x, 1),
//!     part(Test::Zero, true, &number(0), -7),
//!     part(Test::NonNegative, false, &number(0), 0),
//! ];
//! let relu: Primitive = Piecewise::new("relu7", vec![v], parts)?.into();
//! let (term, ty) = Session::new().infer(r"\(relu : Real -> Real) => (deriv relu 0, deriv relu 2)")?;
//! let pap = InPieces { primitives: vec![relu], ..InPieces::default() };
//! let answer = pap.answer(&term, &ty, &Rational::from((1, 1000)), &Budget::unlimited().into())?;
//! let is = |place: usize, n: i64| match answer.value.parts().nth(place) {
//!     Some(Value::Real(Number::Enclosure(found))) => found.enclosure.contains(&Rational::from(n)),
//!     _ => false,
//! };
//! assert!(is(0, -7) && is(1, 1));
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```

use super::oracle::Oracle;
use super::{Pieces, locked};
use crate::model::universe::{Evaluator, Universe};
use crate::number::Rational;
use crate::number::budget::Budget;
use crate::pieces::fraction::Normaliser;
use crate::pieces::function::{holds_at, kink};
use crate::pieces::{Decided, Guard, Test};
use crate::presheaf::dynamic::{Element, Function};
use crate::smooth::graph::{Binary, Graph, Variable};
use crate::smooth::primitive::{Primitive as Node, ValueRule};
use crate::smooth::program::Program;
use crate::syntax::ty::{Ty, TyKind};
use crate::value::{Cause, Site, Undefined, Value, ValueError};
use std::fmt;
use std::sync::Arc;

/// Why a primitive is refused.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum ForeignError {
    /// It has no pieces.
    #[error(
        "the primitive `{name}` gives no pieces; say by which guards it is which analytic map, and its derivatives there"
    )]
    NoPieces {
        /// Its name.
        name: String,
    },
    /// It has no derivative.
    #[error(
        "the primitive `{name}` gives no derivative on one of its pieces: of {expected} variables there are {found} partial derivatives"
    )]
    NoDerivative {
        /// Its name.
        name: String,
        /// How many partial derivatives there must be.
        expected: usize,
        /// How many there are.
        found: usize,
    },
    /// A map on a piece is not analytic, or not known to be.
    #[error("the primitive `{name}` has {what} in a piece; cut the piece where that is not analytic")]
    NotAnalytic {
        /// Its name.
        name: String,
        /// What is not analytic.
        what: String,
    },
    /// Two pieces have a point in common.
    #[error("the primitive `{name}` has two pieces at {point}; pieces have no points in common")]
    Overlap {
        /// Its name.
        name: String,
        /// The point.
        point: String,
    },
    /// The derivative is none.
    #[error(
        "the primitive `{name}` is not differentiated by its derivative: at {witness} that is {left}, where {right} is right"
    )]
    NotDual {
        /// Its name.
        name: String,
        /// Where.
        witness: String,
        /// What it gives.
        left: String,
        /// What it should.
        right: String,
    },
    /// Nothing could be tried.
    #[error("of the primitive `{name}` nothing could be tried: it has no value at any argument that was drawn")]
    Untried {
        /// Its name.
        name: String,
    },
}

/// Who decides the guards of a primitive.
pub trait World {
    /// Whether a number passes a test. Its border is one of the program.
    ///
    /// # Errors
    /// That it was not decided.
    fn holds(&self, graph: &Graph, test: Test) -> Result<bool, ValueError>;
}

/// c : τ → ℝ, and c_𝒟 : 𝒟τ → ℝ × ℝ.
pub trait Foreign: fmt::Debug + Send + Sync + 'static {
    /// The name, for messages.
    fn name(&self) -> &str;
    /// τ
    fn domain(&self) -> Ty;
    /// c(x), on the piece on which x lies: an analytic map of the numbers of x.
    ///
    /// # Errors
    /// Those of the world, and of functions that are applied; [`undefined`] where it has no value.
    fn value(&self, world: &dyn World, x: &Element) -> Result<Graph, ValueError>;
    /// c_𝒟(x′), in which each number is a pair of it and its derivative.
    ///
    /// # Errors
    /// As for [`Foreign::value`].
    fn dual(&self, world: &dyn World, x: &Element) -> Result<[Graph; 2], ValueError>;
}

/// That a primitive has no value.
#[must_use]
pub fn undefined(name: &str) -> ValueError {
    ValueError::undefined(Undefined::of(Cause::Domain, name))
}

/// A primitive. Cheap to clone.
#[derive(Clone, Debug)]
pub struct Primitive(pub Arc<dyn Foreign>);

impl<F: Foreign> From<F> for Primitive {
    fn from(foreign: F) -> Self {
        Self(Arc::new(foreign))
    }
}

/// A piece of a primitive of numbers.
#[derive(Clone, Debug)]
pub struct Part {
    guards: Vec<Decided>,
    value: Graph,
    slopes: Vec<Graph>,
}

impl Part {
    /// Where tests of maps hold, or fail, an analytic map and its partial derivatives, all over the variables of the primitive.
    #[must_use]
    pub fn new(guards: Vec<(Graph, Test, bool)>, value: &Graph, slopes: Vec<Graph>) -> Self {
        let decided = |(graph, test, holds): (Graph, Test, bool)| Decided {
            guard: Guard::new(&graph, test, Site::NOWHERE),
            holds,
            is_condition: false,
        };
        Self { guards: guards.into_iter().map(decided).collect(), value: value.clone(), slopes }
    }
}

/// A primitive ℝⁿ → ℝ by its pieces; where no piece is, it has no value.
#[derive(Clone, Debug)]
pub struct Piecewise {
    name: String,
    variables: Vec<Variable>,
    parts: Vec<Part>,
}

/// Graphs for variables.
type Bindings = Vec<(Variable, Graph)>;

/// At how many numbers each coordinate is looked at, from -4 in steps of a half.
const LOOKED: i64 = 17;
/// At how many points.
const MOST_LOOKED: i64 = 4_913;

impl Piecewise {
    /// The primitive of these pieces.
    ///
    /// # Errors
    /// [`ForeignError::NoPieces`], [`ForeignError::NoDerivative`], [`ForeignError::NotAnalytic`]; [`ForeignError::Overlap`] where that is
    /// so at one of some points.
    pub fn new(name: &str, variables: Vec<Variable>, parts: Vec<Part>) -> Result<Self, ForeignError> {
        let own = || name.to_owned();
        if parts.is_empty() {
            return Err(ForeignError::NoPieces { name: own() });
        }
        for part in &parts {
            let (expected, found) = (variables.len(), part.slopes.len());
            if expected != found {
                return Err(ForeignError::NoDerivative { name: own(), expected, found });
            }
            let maps = part.slopes.iter().chain([&part.value]).chain(part.guards.iter().map(|d| &d.guard.graph));
            if let Some(what) = maps.into_iter().find_map(kink) {
                return Err(ForeignError::NotAnalytic { name: own(), what });
            }
        }
        let found = Self { name: own(), variables, parts };
        match found.overlap() {
            Some(point) => Err(ForeignError::Overlap { name: own(), point }),
            None => Ok(found),
        }
    }

    /// A point of two pieces.
    fn overlap(&self) -> Option<String> {
        let budget = Budget::new(1_000_000, None, None);
        let n = self.variables.len() as u32;
        (0..LOOKED.saturating_pow(n).min(MOST_LOOKED)).find_map(|index| {
            let at = |k: u32| Rational::from((index / LOOKED.saturating_pow(k) % LOOKED - 8, 2));
            let point: Vec<Rational> = (0..n).map(at).collect();
            let bindings: Vec<_> =
                self.variables.iter().copied().zip(point.iter().cloned().map(Graph::rational)).collect();
            let on = |part: &&Part| holds_at(&part.guards, &bindings, &budget) == Some(true);
            let shown = || point.iter().map(Rational::to_string).collect::<Vec<_>>().join(", ");
            (self.parts.iter().filter(on).count() > 1).then(|| format!("({})", shown()))
        })
    }

    /// The piece on which numbers lie.
    fn part(&self, world: &dyn World, numbers: &[Graph]) -> Result<(&Part, Bindings), ValueError> {
        let bindings: Vec<_> = self.variables.iter().copied().zip(numbers.iter().cloned()).collect();
        for part in &self.parts {
            let mut all = true;
            for Decided { guard, holds, .. } in &part.guards {
                all = all && world.holds(&guard.graph.substitute(&bindings), guard.test)? == *holds;
            }
            if all {
                return Ok((part, bindings));
            }
        }
        Err(undefined(&self.name))
    }
}

impl Foreign for Piecewise {
    fn name(&self) -> &str {
        &self.name
    }
    fn domain(&self) -> Ty {
        match &self.variables[..] {
            [_] => Ty::real(),
            all => Ty::new(TyKind::Tuple(vec![Ty::real(); all.len()])),
        }
    }
    fn value(&self, world: &dyn World, x: &Element) -> Result<Graph, ValueError> {
        let numbers: Vec<Graph> = x.coordinates()?.into_iter().cloned().collect();
        let (part, bindings) = self.part(world, &numbers)?;
        Ok(part.value.substitute(&bindings))
    }
    fn dual(&self, world: &dyn World, x: &Element) -> Result<[Graph; 2], ValueError> {
        let numbers: Vec<Graph> = x.coordinates()?.into_iter().cloned().collect();
        let values: Vec<Graph> = numbers.iter().step_by(2).cloned().collect();
        let (part, bindings) = self.part(world, &values)?;
        let terms = part.slopes.iter().zip(numbers.iter().skip(1).step_by(2));
        let terms = terms.map(|(slope, v)| Graph::binary(Binary::Multiply, &slope.substitute(&bindings), v));
        let slope = terms.reduce(|a, b| Graph::binary(Binary::Add, &a, &b)).unwrap_or_else(|| Graph::integer(0));
        Ok([part.value.substitute(&bindings), slope])
    }
}

impl<O: Oracle> World for Pieces<O> {
    fn holds(&self, graph: &Graph, test: Test) -> Result<bool, ValueError> {
        self.asks(Guard::new(graph, test, Site::NOWHERE), false)
    }
}

/// A program at primitives, in the place of its first arguments.
///
/// # Errors
/// Those of the program.
pub fn given<O: Oracle>(
    model: &Evaluator<Pieces<O>>,
    primitives: &[Primitive],
    program: Element,
) -> Result<Element, ValueError> {
    primitives.iter().try_fold(program, |f, c| f.as_function()?.apply(&model.0.primitive(c)))
}

impl<O: Oracle> Pieces<O> {
    /// A primitive as a value: c, with c_𝒟 for its derivative.
    pub fn primitive(self: &Arc<Self>, c: &Primitive) -> Element {
        let (universe, c) = (self.clone(), c.clone());
        Value::Function(Function::new(move |x: &Element| universe.applied(&c, x).map(Value::Real)))
    }

    fn applied(self: &Arc<Self>, c: &Primitive, x: &Element) -> Result<Graph, ValueError> {
        self.step()?;
        let value = c.0.value(&**self, x)?;
        let primal = locked(&self.primal).clone();
        let live = self.oracle.variables().iter().copied().chain(primal.iter().map(|(v, _)| *v));
        let varies = |v: &Variable| match x.coordinates() {
            Ok(numbers) => numbers.iter().any(|g| g.depends_on(*v)),
            // a function may depend on all
            Err(_) => true,
        };
        let varying: Vec<Variable> = live.filter(varies).collect();
        if varying.is_empty() {
            return Ok(value);
        }
        let along: Vec<Variable> = varying.iter().map(|_| Variable::fresh()).collect();
        let tangent = Tangent { varying: varying.clone(), along: along.clone() };
        let [_, slope] = c.0.dual(&**self, &tangent.of(self, &c.0.domain(), x)?)?;
        // what is the derivative of the value needs no mention
        let own = tangent.along(&[], &value, &[], &[]);
        let difference = Graph::binary(Binary::Subtract, &slope, &own);
        if Normaliser::default().fraction(&difference).is_some_and(|fraction| fraction.is_zero()) {
            return Ok(value);
        }
        let arguments = varying.iter().map(|v| Graph::variable(*v)).collect();
        let program = Program::compile(&varying, std::slice::from_ref(&value));
        let rule = ValueRule::Map { variables: varying.clone(), graph: value, program };
        let node = Node::with_self(c.0.name(), varying.len(), rule, move |_, x, v| {
            let at = varying.iter().copied().zip(x.iter().cloned());
            let bindings: Vec<_> = at.chain(along.iter().copied().zip(v.iter().cloned())).collect();
            slope.substitute(&bindings)
        });
        Ok(Graph::primitive(&node, arguments))
    }
}

/// Derivatives along directions of the variables of a run.
#[derive(Clone, Debug)]
struct Tangent {
    varying: Vec<Variable>,
    along: Vec<Variable>,
}

impl Tangent {
    /// The derivative of a map along the directions, and of further variables, at points, along others.
    fn along(&self, variables: &[Variable], g: &Graph, at: &[Graph], more: &[Graph]) -> Graph {
        let graphs = |all: &[Variable]| all.iter().map(|v| Graph::variable(*v)).collect::<Vec<_>>();
        let variables = [variables, &self.varying].concat();
        let (at, along) = ([at, &graphs(&self.varying)].concat(), [more, &graphs(&self.along)].concat());
        Graph::derivative(variables, g.clone(), at, along)
    }

    /// The dual numbers of an argument.
    fn of<O: Oracle>(&self, universe: &Arc<Pieces<O>>, ty: &Ty, x: &Element) -> Result<Element, ValueError> {
        Ok(match (ty.kind(), x) {
            (TyKind::Real, _) => {
                let g = x.as_real()?;
                pair(g.clone(), self.along(&[], g, &[], &[]))
            }
            (TyKind::Tuple(types), _) => {
                let parts = types.iter().zip(x.as_tuple()?).map(|(ty, part)| self.of(universe, ty, part));
                Element::tuple(parts.collect::<Result<Vec<_>, _>>()?)
            }
            (TyKind::Function(domain, codomain), Element::Function(_)) => {
                let (this, universe, f) = (self.clone(), universe.clone(), x.clone());
                let (domain, codomain) = (domain.clone(), codomain.clone());
                Value::Function(Function::new(move |y: &Element| {
                    let numbers: Vec<Graph> = y.coordinates()?.into_iter().cloned().collect();
                    let [values, slopes] =
                        [0, 1].map(|k| numbers.iter().skip(k).step_by(2).cloned().collect::<Vec<Graph>>());
                    let point = assembled(&domain, &mut values.iter().map(|g| Value::Real(g.clone())))?;
                    let super::Local { variables, at, value } = universe.local(&f, &point)?;
                    let bindings: Vec<_> = variables.iter().copied().zip(at.iter().cloned()).collect();
                    let outputs: Vec<Graph> = value.coordinates()?.into_iter().cloned().collect();
                    let duals =
                        outputs.iter().map(|g| pair(g.substitute(&bindings), this.along(&variables, g, &at, &slopes)));
                    assembled(&codomain, &mut duals.collect::<Vec<_>>().into_iter())
                }))
            }
            _ => {
                return Err(ValueError::Mismatch {
                    expected: "numbers, tuples, and functions between such, as arguments of a primitive",
                    found: x.kind().name(),
                });
            }
        })
    }
}

fn pair(value: Graph, slope: Graph) -> Element {
    Element::tuple([Value::Real(value), Value::Real(slope)])
}

/// A value of a type of numbers and tuples, from what stands for its numbers.
fn assembled(ty: &Ty, numbers: &mut dyn Iterator<Item = Element>) -> Result<Element, ValueError> {
    match ty.kind() {
        TyKind::Tuple(types) => {
            let parts = types.iter().map(|ty| assembled(ty, numbers));
            Ok(Element::tuple(parts.collect::<Result<Vec<_>, _>>()?))
        }
        _ => numbers.next().ok_or(ValueError::Mismatch { expected: "a number", found: "nothing" }),
    }
}
