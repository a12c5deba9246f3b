//! Reverse mode under the logical relation of forward mode (H §8.2.3).
//!
//! H states that its proof applies to reverse mode with continuations. There a number becomes a pair: its value, and a
//! linear function ℝ → ℝᵏ that maps a cotangent to the cotangents of the k inputs. An operation uses only its own
//! pullback. A plot f is related to (f, z ↦ z·∇f). A linear function ℝ → ℝᵏ is determined by its value at 1. Such pairs
//! are therefore [mapped](super::transport) to jets of order 1 and back, at all types, and tested in the relation S
//! itself.
//!
//! | statement | |
//! |---|---|
//! | [`continuations`] | ⟦t⟧ and the program with continuations are related, at any types |
//! | [`cotangents`] | `rd t` of a program of real numbers, after a plot f: `Σ_j (rd t f(u) z)_j ∂_i f_j = z ∂_i (f;t)` |
//!
//! The continuations do not have the cost of reverse mode: a subterm used twice propagates its cotangents twice. `rd`
//! of the whole program has that cost.

use super::claim::{Claim, Claims};
use super::error::GlueError;
use super::interpretation::{at, is_of_h, is_smooth, operation_of};
use super::lemma::{Setting, applied, plots, point, random_type, related, with_plots};
use super::representation;
use super::scope::{self, Pair};
use super::stage::Stage;
use super::transport::{Numbers, Way, carried};
use super::trial::{Experiment, Range, Sample};
use crate::meaning::presheaf::Elements;
use crate::meaning::presheaf::constants::{self, Graphs};
use crate::model::environment::Environment;
use crate::model::interpret;
use crate::model::universe::{Arithmetic, Depth, Evaluator, Universe};
use crate::number::Rational;
use crate::number::budget::Budget;
use crate::presheaf::dynamic::{Element, Function};
use crate::presheaf::reverse::reverse_by;
use crate::random::Random;
use crate::smooth::graph::{Binary, Graph, Site};
use crate::smooth::reverse::Hooks;
use crate::syntax::constant::Constant;
use crate::syntax::term::Term;
use crate::syntax::ty::Ty;
use crate::value::ValueError;
use crate::verdict::Verdict;
use std::sync::Arc;

/// The rules of a reverse sweep: those of the library, or a mutant.
pub type Sweep = &'static (dyn Hooks + Send + Sync);

/// The universe whose numbers are (x, z ↦ x̄(z)).
#[derive(Debug)]
pub struct Continuations {
    inputs: usize,
    sweep: Sweep,
    elements: Arc<Elements>,
}

/// The budget of a program with continuations, in work units; each use of a number is a step. A choice.
const STEPS: u64 = 1 << 16;

/// Applies `op` to the components of `x` and `y`.
fn zip(op: Binary, x: &[Graph], y: &[Graph]) -> Vec<Graph> {
    x.iter().zip(y).map(|(x, y)| Graph::binary(op, x, y)).collect()
}

impl Continuations {
    /// Makes the universe over `inputs` inputs.
    #[must_use]
    pub fn new(inputs: usize, sweep: Sweep) -> Self {
        Self { inputs, sweep, elements: Arc::new(Elements::new(Arc::new(Budget::new(STEPS, None, None)))) }
    }

    /// Returns a number that depends on no input: its linear function is zero.
    fn still(&self, value: Graph) -> Element {
        let zero = representation::jet(vec![Graph::integer(0); self.inputs]);
        Element::tuple([Element::Real(value), Element::function(move |_| Ok(zero.clone()))])
    }

    /// Applies an operation to numbers. Its pullback gives one cotangent for each argument; the results of their
    /// continuations are summed.
    fn operated(self: &Arc<Self>, constant: Constant, numbers: &[Element]) -> Result<Element, ValueError> {
        let (operation, numbers) = operation_of(constant, numbers)?;
        let mut values = Vec::new();
        let mut continued = Vec::new();
        for number in numbers {
            let (value, hand) = number.as_pair()?;
            values.push(value.clone());
            continued.push(hand.as_function()?.clone());
        }
        let value = at(&operation, &values)?;
        let own = self.clone();
        let f = Function::new(move |x: &Element| at(&operation, x.as_tuple()?));
        let x = Element::tuple(values);
        // the pullback is computed by the rules of `rd`, for this operation alone
        let hand = Element::function(move |z: &Element| {
            // steps are counted here, since a shared subterm is propagated once for each use
            own.step()?;
            let cotangents = reverse_by(own.sweep, &f, &x, z)?;
            let mut sum: Option<Vec<Graph>> = None;
            for (hand, cotangent) in continued.iter().zip(cotangents.as_tuple()?.iter()) {
                let more = representation::coordinates(&hand.apply(cotangent)?)?;
                sum = Some(sum.map_or_else(|| more.clone(), |sum| zip(Binary::Add, &sum, &more)));
            }
            Ok(representation::jet(sum.unwrap_or_default()))
        });
        Ok(Element::tuple([value, hand]))
    }

    /// Applies `+`, `-` or negation to numbers, natural numbers, or tuples of these.
    fn linear(self: &Arc<Self>, constant: Constant, arguments: &[Element]) -> Result<Element, ValueError> {
        match arguments.first() {
            // a tuple is an element of a vector space, unless its first part is a number: then it is a pair (x, z ↦
            // x̄(z))
            Some(Element::Tuple(parts)) if !matches!(parts.first(), Some(Element::Real(_))) => {
                let tuples: Vec<&[Element]> =
                    arguments.iter().map(Element::as_tuple).collect::<Result<_, ValueError>>()?;
                let part = |index: usize| {
                    let parts: Option<Vec<Element>> = tuples.iter().map(|tuple| tuple.get(index).cloned()).collect();
                    self.linear(constant, &parts.unwrap_or_default())
                };
                Ok(Element::tuple((0..parts.len()).map(part).collect::<Result<Vec<_>, _>>()?))
            }
            Some(Element::Tuple(_)) => self.operated(constant, arguments),
            _ => constants::apply(constant, Site::default(), arguments),
        }
    }
}

impl Arithmetic for Continuations {
    type Real = Graph;

    fn rational(&self, value: &Rational) -> Graph {
        Graphs.rational(value)
    }
    fn real(&self, constant: Constant, arguments: &[&Graph]) -> Result<Graph, ValueError> {
        Graphs.real(constant, arguments)
    }
}

impl Universe for Continuations {
    type Mark = ();
    const NAME: &'static str = "continuations";

    fn step(&self) -> Result<(), ValueError> {
        self.elements.step()
    }
    fn depth(&self) -> Option<&Depth> {
        self.elements.depth()
    }
    fn number(&self, value: &Rational) -> Element {
        // a literal depends on no input
        self.still(Graph::rational(value.clone()))
    }
    fn has(&self, constant: Constant) -> bool {
        is_of_h(constant)
    }
    fn operation(self: &Arc<Self>, constant: Constant, (): (), arguments: &[Element]) -> Result<Element, ValueError> {
        match constant {
            Constant::Add | Constant::Subtract | Constant::Negate => self.linear(constant, arguments),
            Constant::ToReal | Constant::Pi | Constant::E => {
                Ok(self.still(constants::apply(constant, Site::default(), arguments)?.as_real()?.clone()))
            }
            _ if is_smooth(constant) => self.operated(constant, arguments),
            _ => constants::apply(constant, Site::default(), arguments),
        }
    }
}

/// Interprets a program with continuations, and maps the result to jets of order 1 in `inputs` inputs.
///
/// # Errors
/// [`GlueError::Interpretation`] if a construct has no smooth semantics; [`GlueError::Element`].
pub fn as_jets(term: &Term, ty: &Ty, inputs: usize, sweep: Sweep) -> Result<Element, GlueError> {
    let model = Evaluator::new(Continuations::new(inputs, sweep));
    let program = interpret(&model, &[], term)?.run(&model.0, &Environment::default())?;
    let numbers: Numbers = Arc::new(|way, x| match way {
        Way::There => {
            // a linear function is its value at 1
            let (value, hand) = x.as_pair()?;
            let slopes = hand.as_function()?.apply(&Element::Real(Graph::integer(1)))?;
            let mut jet = vec![value.as_real()?.clone()];
            jet.extend(representation::coordinates(&slopes)?);
            Ok(representation::jet(jet))
        }
        Way::Back => {
            let jet = representation::coordinates(x)?;
            let Some((value, slopes)) = jet.split_first() else { return Ok(x.clone()) };
            let slopes = slopes.to_vec();
            let hand = Element::function(move |z: &Element| {
                let z = z.as_real()?;
                Ok(representation::jet(slopes.iter().map(|slope| Graph::binary(Binary::Multiply, z, slope))))
            });
            Ok(Element::tuple([Element::Real(value.clone()), hand]))
        }
    });
    Ok(carried(ty, &program, Way::There, &numbers)?)
}

/// The spread of the sizes of random programs, in heads. A choice.
const PROGRAM: usize = 14;

/// The fundamental lemma for programs with continuations: ⟦t⟧ and its continuations are related.
#[must_use]
pub fn continuations(setting: Setting, sweep: Sweep) -> Experiment<'static> {
    let draw = |random: &mut Random| {
        let ty = Ty::function(random_type(random, 2), random_type(random, 2));
        let size = 4 + random.below(PROGRAM);
        vec![scope::program(random, &ty, size)]
    };
    let judge = move |sample: &Sample| {
        let (core, ty) = (scope::core(&sample.terms[0])?, &sample.terms[0].ty);
        let representation = as_jets(&core, ty, sample.basis.directions(), sweep)?;
        let pair = Pair { plot: scope::run(&core)?, representation };
        related(&setting.object(ty, &sample.basis)?, sample, |_| Ok(pair))
    };
    Experiment { range: Range::UpTo(3, 1), draw: Box::new(draw), judge: Box::new(judge) }
}

/// Compares `rd t` of a program of real numbers, at the values of a plot, with the forward derivatives of the
/// composite.
#[must_use]
pub fn cotangents(sweep: Sweep) -> Experiment<'static> {
    let judge = move |sample: &Sample| {
        let stage = Stage::new(sample.basis.directions());
        let mut random = Random::new(sample.seed);
        let point = point(&mut random, sample.basis.directions());
        // a positive cotangent other than 1, so that a rule that ignores it is refuted
        let z = Graph::rational(Rational::from((1 + random.below(7) as i64, 4)));
        let [program, plots_of @ ..] = &sample.terms[..] else { return Ok(Verdict::Vacuous.into()) };
        let t = scope::run(&scope::core(program)?)?;
        let f = plots(plots_of, &stage)?;
        // `rd` differentiates functions of a tuple, and programs take their numbers one by one
        let composite = applied(&t, f.iter().cloned().map(Element::Real))?.as_real()?.clone();
        let of_vector = Function::new(move |x: &Element| {
            x.as_tuple()?.iter().try_fold(t.clone(), |f, x| f.as_function()?.apply(x))
        });
        let at = Element::tuple(f.iter().cloned().map(Element::Real));
        let handed = representation::coordinates(&reverse_by(sweep, &of_vector, &at, &Element::Real(z.clone()))?)?;
        let coordinates: Vec<Graph> = stage.coordinates().collect();
        let mut derivatives = Vec::new();
        // the coordinate 0 is the value, about which `rd` says nothing
        for (place, index) in sample.basis.indices().iter().enumerate().skip(1) {
            let slopes: Vec<Graph> =
                f.iter().map(|f| representation::derivative(stage.variables(), f, index, &coordinates)).collect();
            let sum = zip(Binary::Multiply, &handed, &slopes);
            let sum = sum.into_iter().reduce(|sum, term| Graph::binary(Binary::Add, &sum, &term));
            derivatives.push((place, sum.unwrap_or_else(|| Graph::integer(0))));
        }
        let plot = Graph::binary(Binary::Multiply, &z, &composite);
        let mut claims = Claims::default();
        claims.push(Claim { path: "z (f;t)".to_owned(), plot, derivatives, is_slope: false });
        claims.tried(&stage, &sample.basis, &point)
    };
    Experiment { range: Range::UpTo(3, 1), draw: Box::new(with_plots), judge: Box::new(judge) }
}
