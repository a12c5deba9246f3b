//! Reverse mode under the logical relation of forward mode (H §8.2.3).
//!
//! H states that its proof applies to reverse mode with continuations. There a number becomes a pair: its value, and a
//! linear function ℝ → ℝᵏ that maps a cotangent to the cotangents of the k inputs. An operation uses only its own
//! pullback. A plot f is related to (f, z ↦ z·∇f). A linear function ℝ → ℝᵏ is determined by its value at 1. Such pairs
//! are therefore [mapped](super::nested) to jets of order 1 and back, at all types, and tested in the relation S
//! itself.
//!
//! | statement | |
//! |---|---|
//! | [`continuations`] | ⟦t⟧ and the program with continuations are related, at any types |
//! | [`cotangents`] | `rd t` of a program of real numbers, after a plot f: `Σ_j (rd t f(u) z)_j ∂_i f_j = z ∂_i (f;t)` |
//!
//! The continuations do not have the cost of reverse mode: a subterm used twice propagates its cotangents twice. `rd`
//! of the whole program has that cost.

use super::claim::{ClaimSet, CoordinateSpace, DerivativeClaim, GlueError};
use super::evaluation::PlotPair;
use super::interpretation::{apply_operation, is_operation_of_h, is_smooth, operation_of};
use super::lemma::{GluingSetup, apply_all, draw_point, draw_with_plots, plots_of_programs, random_type, test_related};
use super::nested::{NumberMaps, TransportDirection, transport_element};
use super::trial::{BasisRange, TheoremSample, TheoremTest};
use super::{evaluation, representation};
use crate::meaning::presheaf;
use crate::meaning::presheaf::{GraphArithmetic, PresheafUniverse};
use crate::model::interpret;
use crate::model::universe::{EvaluatorModel, RealArithmetic, RecursionDepth, ValueEnvironment, ValueSemantics};
use crate::number::Rational;
use crate::number::budget::Budget;
use crate::presheaf::dynamic::{Element, StageFunction, reverse_derivative_with};
use crate::random::SplitMix64;
use crate::smooth::graph::{Binary, Graph, SourceId};
use crate::smooth::reverse::ReverseHooks;
use crate::syntax::constant::Constant;
use crate::syntax::term::Term;
use crate::syntax::ty::Ty;
use crate::value::ValueError;
use crate::verdict::Verdict;
use std::sync::Arc;

/// The rules of a reverse sweep: those of the library, or a mutant.
pub type SweepHooks = &'static (dyn ReverseHooks + Send + Sync);

/// The universe whose numbers are (x, z ↦ x̄(z)).
#[derive(Debug)]
#[doc(alias = "reverse mode")]
pub struct Continuations {
    inputs: usize,
    sweep: SweepHooks,
    elements: Arc<PresheafUniverse>,
}

/// The budget of a program with continuations, in work units; each use of a number is a step. A choice.
const STEPS: u64 = 1 << 16;

/// Applies `op` to the components of `x` and `y`.
fn zip_with_op(op: Binary, x: &[Graph], y: &[Graph]) -> Vec<Graph> {
    x.iter().zip(y).map(|(x, y)| Graph::binary(op, x, y)).collect()
}

impl Continuations {
    /// Makes the universe over `inputs` inputs.
    #[must_use]
    pub fn new(inputs: usize, sweep: SweepHooks) -> Self {
        Self { inputs, sweep, elements: Arc::new(PresheafUniverse::new(Arc::new(Budget::new(STEPS, None, None)))) }
    }

    /// Returns a number that depends on no input: its linear function is zero.
    fn constant_number(&self, value: Graph) -> Element {
        let zero = representation::jet_of(vec![Graph::integer(0); self.inputs]);
        Element::tuple_of([Element::Real(value), Element::from_closure(move |_| Ok(zero.clone()))])
    }

    /// Applies an operation to numbers. Its pullback gives one cotangent for each argument; the results of their
    /// continuations are summed.
    fn apply_operation(self: &Arc<Self>, constant: Constant, numbers: &[Element]) -> Result<Element, ValueError> {
        let (operation, numbers) = operation_of(constant, numbers)?;
        let mut values = Vec::new();
        let mut continued = Vec::new();
        for number in numbers {
            let (value, hand) = number.as_pair()?;
            values.push(value.clone());
            continued.push(hand.as_function()?.clone());
        }
        let value = apply_operation(&operation, &values)?;
        let own = self.clone();
        let f = StageFunction::new(move |x: &Element| apply_operation(&operation, x.as_tuple()?));
        let x = Element::tuple_of(values);
        // the pullback is computed by the rules of `rd`, for this operation alone
        let hand = Element::from_closure(move |z: &Element| {
            // steps are counted here, since a shared subterm is propagated once for each use
            own.charge_step()?;
            let cotangents = reverse_derivative_with(own.sweep, &f, &x, z)?;
            let mut sum: Option<Vec<Graph>> = None;
            for (hand, cotangent) in continued.iter().zip(cotangents.as_tuple()?.iter()) {
                let more = representation::jet_coordinates(&hand.apply(cotangent)?)?;
                sum = Some(sum.map_or_else(|| more.clone(), |sum| zip_with_op(Binary::Add, &sum, &more)));
            }
            Ok(representation::jet_of(sum.unwrap_or_default()))
        });
        Ok(Element::tuple_of([value, hand]))
    }

    /// Applies `+`, `-` or negation to numbers, natural numbers, or tuples of these.
    fn apply_linear(self: &Arc<Self>, constant: Constant, arguments: &[Element]) -> Result<Element, ValueError> {
        match arguments.first() {
            // a tuple is an element of a vector space, unless its first part is a number: then it is a pair (x, z ↦
            // x̄(z))
            Some(Element::Tuple(parts)) if !matches!(parts.first(), Some(Element::Real(_))) => {
                let tuples: Vec<&[Element]> =
                    arguments.iter().map(Element::as_tuple).collect::<Result<_, ValueError>>()?;
                let part = |index: usize| {
                    let parts: Option<Vec<Element>> = tuples.iter().map(|tuple| tuple.get(index).cloned()).collect();
                    self.apply_linear(constant, &parts.unwrap_or_default())
                };
                Ok(Element::tuple_of((0..parts.len()).map(part).collect::<Result<Vec<_>, _>>()?))
            }
            Some(Element::Tuple(_)) => self.apply_operation(constant, arguments),
            _ => presheaf::apply_to_elements(constant, SourceId::default(), arguments),
        }
    }
}

impl RealArithmetic for Continuations {
    type Real = Graph;

    fn rational_constant(&self, value: &Rational) -> Graph {
        GraphArithmetic.rational_constant(value)
    }
    fn apply_real_constant(&self, constant: Constant, arguments: &[&Graph]) -> Result<Graph, ValueError> {
        GraphArithmetic.apply_real_constant(constant, arguments)
    }
}

impl ValueSemantics for Continuations {
    type Mark = ();
    const NAME: &'static str = "continuations";

    fn charge_step(&self) -> Result<(), ValueError> {
        self.elements.charge_step()
    }
    fn recursion_depth(&self) -> Option<&RecursionDepth> {
        self.elements.recursion_depth()
    }
    fn real_literal(&self, value: &Rational) -> Element {
        // a literal depends on no input
        self.constant_number(Graph::rational(value.clone()))
    }
    fn has_operation(&self, constant: Constant) -> bool {
        is_operation_of_h(constant)
    }
    fn apply_constant(
        self: &Arc<Self>,
        constant: Constant,
        (): (),
        arguments: &[Element],
    ) -> Result<Element, ValueError> {
        match constant {
            Constant::Add | Constant::Subtract | Constant::Negate => self.apply_linear(constant, arguments),
            Constant::ToReal | Constant::Pi | Constant::E => Ok(self.constant_number(
                presheaf::apply_to_elements(constant, SourceId::default(), arguments)?.as_real()?.clone(),
            )),
            _ if is_smooth(constant) => self.apply_operation(constant, arguments),
            _ => presheaf::apply_to_elements(constant, SourceId::default(), arguments),
        }
    }
}

/// Interprets a program with continuations, and maps the result to jets of order 1 in `inputs` inputs.
///
/// # Errors
/// [`GlueError::Interpretation`] if a construct has no smooth semantics; [`GlueError::Element`].
pub fn as_jets(term: &Term, ty: &Ty, inputs: usize, sweep: SweepHooks) -> Result<Element, GlueError> {
    let model = EvaluatorModel::new(Continuations::new(inputs, sweep));
    let program = interpret(&model, &[], term)?.evaluate_in(&model.0, &ValueEnvironment::default())?;
    let numbers: NumberMaps = Arc::new(|way, x| match way {
        TransportDirection::Forward => {
            // a linear function is its value at 1
            let (value, hand) = x.as_pair()?;
            let slopes = hand.as_function()?.apply(&Element::Real(Graph::integer(1)))?;
            let mut jet = vec![value.as_real()?.clone()];
            jet.extend(representation::jet_coordinates(&slopes)?);
            Ok(representation::jet_of(jet))
        }
        TransportDirection::Backward => {
            let jet = representation::jet_coordinates(x)?;
            let Some((value, slopes)) = jet.split_first() else { return Ok(x.clone()) };
            let slopes = slopes.to_vec();
            let hand = Element::from_closure(move |z: &Element| {
                let z = z.as_real()?;
                Ok(representation::jet_of(slopes.iter().map(|slope| Graph::binary(Binary::Multiply, z, slope))))
            });
            Ok(Element::tuple_of([Element::Real(value.clone()), hand]))
        }
    });
    Ok(transport_element(ty, &program, TransportDirection::Forward, &numbers)?)
}

/// The spread of the sizes of random programs, in heads. A choice.
const PROGRAM: usize = 14;

/// The fundamental lemma for programs with continuations: ⟦t⟧ and its continuations are related.
#[must_use]
pub fn continuations(setting: GluingSetup, sweep: SweepHooks) -> TheoremTest<'static> {
    let draw = |random: &mut SplitMix64| {
        let ty = Ty::function(random_type(random, 2), random_type(random, 2));
        let size = 4 + random.next_below(PROGRAM);
        vec![evaluation::draw_program(random, &ty, size)]
    };
    let judge = move |sample: &TheoremSample| {
        let (core, ty) = (evaluation::core_term(&sample.terms[0])?, &sample.terms[0].ty);
        let representation = as_jets(&core, ty, sample.basis.directions(), sweep)?;
        let pair = PlotPair { plot: evaluation::run_program(&core)?, representation };
        test_related(&setting.object_of_type(ty, &sample.basis)?, sample, |_| Ok(pair))
    };
    TheoremTest { range: BasisRange::UpTo(3, 1), draw: Box::new(draw), judge: Box::new(judge) }
}

/// Compares `rd t` of a program of real numbers, at the values of a plot, with the forward derivatives of the
/// composite.
#[must_use]
pub fn cotangents(sweep: SweepHooks) -> TheoremTest<'static> {
    let judge = move |sample: &TheoremSample| {
        let stage = CoordinateSpace::new(sample.basis.directions());
        let mut random = SplitMix64::new(sample.seed);
        let point = draw_point(&mut random, sample.basis.directions());
        // a positive cotangent other than 1, so that a rule that ignores it is refuted
        let z = Graph::rational(Rational::from((1 + random.next_below(7) as i64, 4)));
        let [program, plots_of @ ..] = &sample.terms[..] else { return Ok(Verdict::Vacuous.into()) };
        let t = evaluation::run_program(&evaluation::core_term(program)?)?;
        let f = plots_of_programs(plots_of, &stage)?;
        // `rd` differentiates functions of a tuple, and programs take their numbers one by one
        let composite = apply_all(&t, f.iter().cloned().map(Element::Real))?.as_real()?.clone();
        let of_vector = StageFunction::new(move |x: &Element| {
            x.as_tuple()?.iter().try_fold(t.clone(), |f, x| f.as_function()?.apply(x))
        });
        let at = Element::tuple_of(f.iter().cloned().map(Element::Real));
        let handed = representation::jet_coordinates(&reverse_derivative_with(
            sweep,
            &of_vector,
            &at,
            &Element::Real(z.clone()),
        )?)?;
        let coordinates: Vec<Graph> = stage.coordinate_plots().collect();
        let mut derivatives = Vec::new();
        // the coordinate 0 is the value, about which `rd` says nothing
        for (place, index) in sample.basis.indices().iter().enumerate().skip(1) {
            let slopes: Vec<Graph> = f
                .iter()
                .map(|f| representation::partial_derivative(stage.variables(), f, index, &coordinates))
                .collect();
            let sum = zip_with_op(Binary::Multiply, &handed, &slopes);
            let sum = sum.into_iter().reduce(|sum, term| Graph::binary(Binary::Add, &sum, &term));
            derivatives.push((place, sum.unwrap_or_else(|| Graph::integer(0))));
        }
        let plot = Graph::binary(Binary::Multiply, &z, &composite);
        let mut claims = ClaimSet::default();
        claims.push(DerivativeClaim { path: "z (f;t)".to_owned(), plot, derivatives, is_slope: false });
        claims.test_at(&stage, &sample.basis, &point)
    };
    TheoremTest { range: BasisRange::UpTo(3, 1), draw: Box::new(draw_with_plots), judge: Box::new(judge) }
}
