//! Reverse mode under the logical relation of forward mode (H §8.2.3).
//!
//! H states that its proof applies to reverse mode with continuations. There a number becomes a pair: its value, and a
//! linear function ℝ → ℝᵏ that maps a cotangent to the cotangents of the k inputs. An operation uses only its own
//! pullback. A plot f is related to (f, z ↦ z·∇f). This is a [representation](Representation) like that of forward mode, with its
//! own macro: [`ReverseMode`].
//!
//! | statement | |
//! |---|---|
//! | [`continuations`] | ⟦t⟧ and the program with continuations are related, at any types |
//! | [`cotangents`] | `rd t` of a program of real numbers, after a plot f: `Σ_j (rd t f(u) z)_j ∂_i f_j = z ∂_i (f;t)` |
//!
//! The continuations do not have the cost of reverse mode: a subterm used twice propagates its cotangents twice. `rd`
//! of the whole program has that cost.

use super::claim::{ClaimSet, CoordinateSpace, DerivativeClaim, GlueError, PlotClaim};
use super::interpretation::apply_operation;
use super::lemma::{
    GluingSetup, apply_all, draw_point, draw_with_plots, fundamental_lemma_at, plots_of_programs, random_type,
};
use super::representation::{RealMap, Representation, RepresentationFamily};
use super::rows::{graph_program, operation_call};
use super::trial::{BasisRange, TheoremSample, TheoremTest};
use super::{evaluation, representation};
use crate::meaning::taylor::block::term_without_source;
use crate::meaning::taylor::functor::NumberRules;
use crate::meaning::taylor::jet::Basis;
use crate::meaning::taylor::partial::SmoothOperation;
use crate::number::Rational;
use crate::presheaf::dynamic::{Element, StageFunction, reverse_derivative_with};
use crate::random::SplitMix64;
use crate::smooth::graph::{Binary, Graph, Variable};
use crate::smooth::reverse::{CotangentContributions, ReverseHooks};
use crate::syntax::constant::Constant;
use crate::syntax::source::Span;
use crate::syntax::term::{Term, TermKind};
use crate::syntax::ty::{Ty, TyKind};
use crate::value::ValueError;
use crate::verdict::Verdict;
use rustc_hash::FxHashMap;
use std::sync::{Arc, Mutex, PoisonError};

/// The rules of a reverse sweep: those of the library, or a mutant.
pub type SweepHooks = &'static (dyn ReverseHooks + Send + Sync);

/// Makes an element of ℝᵏ.
fn cotangent_of(mut numbers: Vec<Graph>) -> Element {
    match (numbers.len(), numbers.pop()) {
        (1, Some(number)) => Element::Real(number),
        (_, last) => representation::jet_of(numbers.into_iter().chain(last)),
    }
}

/// Makes the number with this value and gradient.
fn number_of(value: Graph, gradient: Vec<Graph>) -> Element {
    let hand = Element::from_closure(move |z: &Element| {
        let z = z.as_real()?;
        Ok(cotangent_of(gradient.iter().map(|slope| Graph::binary(Binary::Multiply, z, slope)).collect()))
    });
    Element::tuple_of([Element::Real(value), hand])
}

/// A sweep without the terms that are undefined where an operation is not differentiable: 𝒟 has the operation itself beside it.
#[derive(Debug)]
struct SweepInside(SweepHooks);

impl ReverseHooks for SweepInside {
    fn operand_cotangents(
        &self,
        node: &Graph,
        w: &Graph,
        library: &mut dyn FnMut(&Graph) -> CotangentContributions,
    ) -> CotangentContributions {
        self.0.operand_cotangents(node, w, library)
    }
    fn sum_cotangents(&self, one: &Graph, another: &Graph) -> Graph {
        self.0.sum_cotangents(one, another)
    }
    fn definedness_term(&self, _: Graph) -> Graph {
        Graph::integer(0)
    }
}

/// Reverse mode with continuations: 𝒟(real) is real × (real → realᵏ), and S relates f to (f, z ↦ z·∇f).
///
/// The pullback of an operation is what a reverse sweep over this operation alone computes.
#[derive(Debug)]
#[doc(alias = "reverse mode")]
pub struct ReverseMode {
    basis: Arc<Basis>,
    sweep: SweepHooks,
    /// The rules made so far. Making a rule takes longer than using it.
    known: Mutex<FxHashMap<SmoothOperation, Option<Term>>>,
}

impl ReverseMode {
    /// Makes the representation for the k inputs of a basis.
    #[must_use]
    pub fn new(basis: &Arc<Basis>, sweep: SweepHooks) -> Self {
        Self { basis: basis.clone(), sweep, known: Mutex::default() }
    }

    /// Returns the family of these representations, one for each k.
    pub fn family(sweep: SweepHooks) -> RepresentationFamily {
        // one for each basis, so that rules are made once
        let made: Mutex<FxHashMap<(usize, usize), Arc<Self>>> = Mutex::default();
        RepresentationFamily::depending_on_basis(BasisRange::UpTo(3, 1), move |basis| {
            let mut made = made.lock().unwrap_or_else(PoisonError::into_inner);
            let key = (basis.directions(), basis.order());
            made.entry(key).or_insert_with(|| Arc::new(Self::new(basis, sweep))).clone()
        })
    }

    /// Returns k.
    fn input_count(&self) -> usize {
        self.basis.directions()
    }

    /// Returns the type of cotangents, ℝᵏ.
    fn cotangent_type(&self) -> Ty {
        match self.input_count() {
            1 => Ty::real(),
            inputs => Ty::new(TyKind::Tuple(vec![Ty::real(); inputs])),
        }
    }

    /// Returns the value, and the cotangents of z.
    fn open_number(&self, number: &Element, z: &Graph) -> Result<(Graph, Vec<Graph>), ValueError> {
        let (value, hand) = number.as_pair()?;
        let cotangent = hand.as_function()?.apply(&Element::Real(z.clone()))?;
        let cotangents = match self.input_count() {
            1 => vec![cotangent.as_real()?.clone()],
            _ => representation::jet_coordinates(&cotangent)?,
        };
        Ok((value.as_real()?.clone(), cotangents))
    }

    /// Returns the place of ∂_i in the basis.
    fn slope_place(&self, direction: usize) -> Option<usize> {
        let unit: Vec<usize> = (0..self.input_count()).map(|i| usize::from(i == direction)).collect();
        self.basis.position_of(&unit)
    }

    /// Returns the rule of an operation as text. Returns `None` if its cotangents are no program.
    fn rule_text(&self, operation: &SmoothOperation) -> Option<String> {
        let carrier = self.carrier();
        let call = operation_call(operation, "u", "v");
        if let SmoothOperation::Special(id) = operation {
            let slope = format!("{} (n + 1) u", Constant::Special(*id).name());
            let pair = format!("({call}, \\(z : Real) => (x[1]) (z * {slope}))");
            return Some(format!("\\(n : Nat) (x : {carrier}) => let u = x[0] in {pair}"));
        }
        let arity = operation.arity();
        let (names, z) = (["u", "v"], Variable::fresh());
        let variables: Vec<Variable> = (0..arity).map(|_| Variable::fresh()).collect();
        let at: Vec<Graph> = variables.iter().map(|v| Graph::variable(*v)).collect();
        let arguments: Vec<Element> = at.iter().cloned().map(Element::Real).collect();
        let value = apply_operation(operation, &arguments).ok()?.as_real().ok()?.clone();
        let seed = [Graph::variable(z)];
        let adjoints = Graph::reverse_mode_with(&SweepInside(self.sweep), &variables, &[value], &at, &seed);
        let known: Vec<(Variable, &str)> = variables.iter().copied().zip(names).chain([(z, "z")]).collect();
        let cotangents: Option<Vec<String>> = ["x", "y"]
            .into_iter()
            .zip(&adjoints)
            .map(|(of, adjoint)| Some(format!("({of}[1]) ({})", graph_program(adjoint, &known)?)))
            .collect();
        // a sweep with a node that is no program is left to the language's own
        let by_language = || {
            let call = operation_call(operation, "p[0]", "p[1]");
            format!("let p = rd (\\(p : Real^2) => {call}) (u, v) z in (x[1]) p[0] + (y[1]) p[1]")
        };
        let sum = match cotangents {
            Some(cotangents) => cotangents.join(" + "),
            None if arity == 2 => by_language(),
            None => return None,
        };
        Some(match arity {
            1 => format!("\\(x : {carrier}) => let u = x[0] in ({call}, \\(z : Real) => {sum})"),
            _ => format!(
                "\\(x : {carrier}) (y : {carrier}) => let u = x[0] in let v = y[0] in ({call}, \\(z : Real) => {sum})"
            ),
        })
    }
}

impl NumberRules for ReverseMode {
    fn carrier(&self) -> Ty {
        Ty::new(TyKind::Tuple(vec![Ty::real(), Ty::function(Ty::real(), self.cotangent_type())]))
    }

    fn constant(&self, value: Term) -> Term {
        let zero = || term_without_source(TermKind::Real(Rational::new()));
        let zeros = match self.input_count() {
            1 => zero(),
            inputs => term_without_source(TermKind::Tuple((0..inputs).map(|_| zero()).collect())),
        };
        // a number that depends on no input hands nothing on
        let hand = Term::lambda("z".into(), Ty::real(), zeros, Span::default());
        term_without_source(TermKind::Tuple(vec![value, hand]))
    }

    fn operation(&self, operation: &SmoothOperation) -> Option<Term> {
        let mut known = self.known.lock().unwrap_or_else(PoisonError::into_inner);
        let made = known.entry(operation.clone()).or_insert_with(|| {
            // a text that is no program is found by a test of every operation
            evaluation::parse_program(&self.rule_text(operation)?).ok().map(|(term, _)| term)
        });
        made.clone()
    }
}

/// A cotangent other than 1, at which a hand that is not linear shows.
const OTHER_COTANGENT: (i64, i64) = (-3, 2);

impl Representation for ReverseMode {
    fn rules(&self) -> &dyn NumberRules {
        self
    }

    fn coordinate(&self, stage: &CoordinateSpace, direction: usize, _: &mut SplitMix64) -> Result<Element, ValueError> {
        let gradient = (0..self.input_count()).map(|i| Graph::integer(i64::from(i == direction))).collect();
        Ok(number_of(Graph::variable(stage.variables()[direction]), gradient))
    }

    fn claims(&self, plot: &Graph, number: &Element, _: &CoordinateSpace) -> Result<Vec<PlotClaim>, GlueError> {
        let (value, gradient) = self.open_number(number, &Graph::integer(1))?;
        let other = Graph::rational(Rational::from(OTHER_COTANGENT));
        let (_, scaled) = self.open_number(number, &other)?;
        let places = gradient.iter().enumerate().filter_map(|(i, slope)| Some((self.slope_place(i)?, slope.clone())));
        let jet = DerivativeClaim {
            path: String::new(),
            plot: plot.clone(),
            derivatives: std::iter::once((0, value)).chain(places).collect(),
            is_slope: false,
        };
        // a linear function is its value at 1
        let linear = gradient
            .iter()
            .zip(scaled)
            .map(|(slope, scaled)| PlotClaim::Equal(scaled, Graph::binary(Binary::Multiply, &other, slope)));
        Ok(std::iter::once(PlotClaim::Jet(jet)).chain(linear).collect())
    }

    fn lifted(&self, map: &RealMap<'_>, arguments: &[Element]) -> Option<Result<Element, ValueError>> {
        Some(self.lift_map(map, arguments))
    }

    fn lifts_every_map(&self) -> bool {
        true
    }
}

impl ReverseMode {
    /// Lifts a map by its derivatives along the lines of the gradients of its arguments.
    fn lift_map(&self, map: &RealMap<'_>, arguments: &[Element]) -> Result<Element, ValueError> {
        let one = Graph::integer(1);
        let numbers: Vec<_> = arguments.iter().map(|x| self.open_number(x, &one)).collect::<Result<_, _>>()?;
        let t: Vec<Variable> = (0..self.input_count()).map(|_| Variable::fresh()).collect();
        let lines = numbers.into_iter().map(|(value, gradient)| {
            let terms =
                gradient.iter().zip(&t).map(|(slope, t)| Graph::binary(Binary::Multiply, slope, &Graph::variable(*t)));
            Element::Real(terms.fold(value, |sum, term| Graph::binary(Binary::Add, &sum, &term)))
        });
        let body = map(&lines.collect::<Vec<_>>())?.as_real()?.clone();
        let origin = vec![Graph::integer(0); t.len()];
        let bindings: Vec<_> = t.iter().copied().zip(origin.iter().cloned()).collect();
        let slope = |i: usize| {
            let unit: Vec<usize> = (0..t.len()).map(|j| usize::from(i == j)).collect();
            representation::partial_derivative(&t, &body, &unit, &origin)
        };
        Ok(number_of(body.substitute(&bindings), (0..t.len()).map(slope).collect()))
    }
}

/// Applies `op` to the components of `x` and `y`.
fn zip_with_op(op: Binary, x: &[Graph], y: &[Graph]) -> Vec<Graph> {
    x.iter().zip(y).map(|(x, y)| Graph::binary(op, x, y)).collect()
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
    let setting = GluingSetup { representation: Some(ReverseMode::family(sweep)), ..setting };
    let judge = move |sample: &TheoremSample| fundamental_lemma_at(&setting, sample);
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
