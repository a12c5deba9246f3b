//! Representations of real numbers: what a macro makes of them, and the relation that it keeps (H §6, §8.2).
//!
//! A macro that keeps everything but numbers is given by a type 𝒟(real), and by programs for constants and operations:
//! [`NumberRules`]. What it computes is said by a relation S between plots ℝᵏ → ℝ and plots ℝᵏ → 𝒟(real). A [`Representation`] is
//! both. The relation extends to all types, and the *fundamental lemma* of the macro is that every program is related to its
//! derived program.
//!
//! # Related pairs
//!
//! S at functions is tested at related arguments. These are made in two ways:
//!
//! | way | a related pair | independent of the macro |
//! |---|---|---|
//! | base pairs | a constant or a coordinate, with its representation | yes, by the law [`base_pairs`](super::lemma::base_pairs) |
//! | by definition | `f` at plots, and [`Representation::lifted`] at their representations | yes |
//! | by programs | ⟦t⟧ at base pairs, and ⟦𝒟t⟧ at their representations; at functions by λx.t | no |
//!
//! By programs no true macro is refuted: 𝒟 is compositional, so a program s that fails at the pair of t is the program `s[t]` that
//! fails at base pairs. By definition the arguments are right even if the macro is wrong, so a wrong macro is noticed sooner.
//!
//! # Taylor representations by their definition
//!
//! Taylor representations by their definition (H (3), §6.2), independent of the macro.
//!
//! The (k, R)-Taylor representation h of a smooth map `g : ℝⁿ → ℝ` is determined by `h(jets of f) = jets of g ∘ f` for all
//! `f : ℝᵏ → ℝⁿ`. Any n tuples (x_α) of numbers are the jets at 0 of the polynomials `t ↦ Σ_β x_β t^β/β!`, so
//!
//! `h_α(x) = ∂^α_t g(Σ_β x¹_β t^β/β!, …, Σ_β xⁿ_β t^β/β!)` at t = 0.
//!
//! It is computed in this way, as a graph with derivative nodes. No rule of differentiation is written here.
//!
//! # The macro as a functor
//!
//! Diagram (4), uniqueness, and the multiplication of (2, 2)-jets (H §6.1, §6.2).
//!
//! | statement | H |
//! |---|---|
//! | [`diagram`] | (4): ⟦𝒟t⟧ is the second component of ⦇t⦈, at every argument, related or not |
//! | [`initiality`] | Lemma 4: 𝒟 is a functor on programs modulo βη, preserves ×, +, → and lists, and is unique |
//! | [`first_order`] | §7: derivatives at first-order types are unique: two valid macros agree there |
//! | [`multiplication`] | §6.2: ⦇*⦈₁ for (2, 2) is as printed; it is symmetric and associative, with unit ⟨1, 0, 0, 0, 0, 0⟩ |

use super::claim::{CoordinateSpace, DerivativeClaim, GlueError, PlotClaim};
use super::equality::test_equal;
use super::evaluation;
use super::interpretation::{JetInterpretation, RepresentationMethod, second_component};
use super::lemma::{GluingSetup, apply_all, random_type};
use super::trial::{BasisRange, TheoremSample, TheoremTest, VerdictWithValues};
use crate::category::value::{ArrowError, ArrowResult};
use crate::diffeology::DiffeologyError;
use crate::law::functor::{comparison, draw_simple_type};
use crate::law::generate::{either_type, maybe_type, tree_type};
use crate::law::term::{TestTerm, pair_type};
use crate::meaning::diffeology::space::Diff;
use crate::meaning::presheaf;
use crate::meaning::taylor::block::term_without_source;
use crate::meaning::taylor::functor;
use crate::meaning::taylor::functor::{DefaultTaylorHooks, NumberRules, TaylorHooks, TypeTranslation};
use crate::meaning::taylor::jet::{Basis, JetBuilder, MultiIndex};
use crate::meaning::taylor::partial::SmoothOperation;
use crate::model::interpretation::{Comparison, Interpret, ProgramFunctor};
use crate::number::Rational;
use crate::presheaf::dynamic;
use crate::presheaf::dynamic::Element;
use crate::random::SplitMix64;
use crate::smooth::graph::{Binary, Graph, SourceId, Variable};
use crate::syntax::constant::Constant;
use crate::syntax::normal::normalise;
use crate::syntax::source::Span;
use crate::syntax::term::{Term as Core, TermKind};
use crate::syntax::ty::{Ty, TyKind};
use crate::value::ValueError;
use crate::verdict::Verdict;
use std::fmt;
use std::fmt::Debug;
use std::sync::Arc;

/// A representation of real numbers: the images of a macro, and the relation S at real numbers that the macro keeps.
///
/// Its methods may be called on several threads. A panic in them becomes [`GlueError::Panic`].
///
/// *Theorems to keep*: constants and coordinates are related to their representations
/// ([`base_pairs`](super::lemma::base_pairs)), and so is every program to its derived program
/// ([`fundamental_lemma`](super::lemma::fundamental_lemma)).
pub trait Representation: Debug + Send + Sync {
    /// Returns the macro: 𝒟(real), and 𝒟 of constants and operations.
    fn rules(&self) -> &dyn NumberRules;

    /// Returns an element that is related to a coordinate of a stage, near its [center](CoordinateSpace::center). It may be drawn.
    ///
    /// # Errors
    /// [`ValueError`], which makes the sample vacuous.
    fn coordinate(
        &self,
        stage: &CoordinateSpace,
        direction: usize,
        random: &mut SplitMix64,
    ) -> Result<Element, ValueError>;

    /// Returns the claims that hold if a plot ℝᵏ → ℝ is related to a plot ℝᵏ → 𝒟(real). Without a claim, all are related.
    ///
    /// # Errors
    /// [`GlueError::Element`] if the second plot is of another type.
    fn claims(
        &self,
        plot: &Graph,
        representation: &Element,
        stage: &CoordinateSpace,
    ) -> Result<Vec<PlotClaim>, GlueError>;

    /// Returns 𝒟(q) as an element.
    ///
    /// # Errors
    /// [`ValueError`] if the program cannot be run.
    fn constant_element(&self, value: &Rational) -> Result<Element, ValueError> {
        evaluation::interpret_term(&self.rules().constant(term_without_source(TermKind::Real(value.clone()))))
    }

    /// Returns the representation of a map ℝⁿ → ℝ at representations of n plots, by definition and not by the macro. Returns
    /// `None` if there is no such definition.
    fn lifted(&self, _map: &RealMap<'_>, _arguments: &[Element]) -> Option<Result<Element, ValueError>> {
        None
    }

    /// Returns `true` if [`lifted`](Self::lifted) is never `None`.
    fn lifts_every_map(&self) -> bool {
        false
    }
}

/// A map ℝⁿ → ℝ at n plots.
pub type RealMap<'f> = dyn Fn(&[Element]) -> Result<Element, ValueError> + 'f;

/// The function that makes a representation for a basis.
type MakeRepresentation = dyn Fn(&Arc<Basis>) -> Arc<dyn Representation> + Send + Sync;

/// The representation with which a theorem is tested, for each basis of multi-indices. Cheap to clone.
#[derive(Clone)]
pub struct RepresentationFamily {
    /// The k and R that the theorem is tested with.
    pub range: BasisRange,
    make: Arc<MakeRepresentation>,
}

impl fmt::Debug for RepresentationFamily {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("RepresentationFamily").field("range", &self.range).finish_non_exhaustive()
    }
}

impl RepresentationFamily {
    /// Makes the family of one representation, over stages of dimension at most 2.
    pub fn fixed(representation: impl Representation + 'static) -> Self {
        let representation: Arc<dyn Representation> = Arc::new(representation);
        Self::depending_on_basis(BasisRange::UpTo(2, 1), move |_| representation.clone())
    }

    /// Makes a family with one representation for each basis.
    pub fn depending_on_basis(
        range: BasisRange,
        make: impl Fn(&Arc<Basis>) -> Arc<dyn Representation> + Send + Sync + 'static,
    ) -> Self {
        Self { range, make: Arc::new(make) }
    }

    /// Returns the family with the k and R of another range.
    #[must_use]
    pub fn in_range(self, range: BasisRange) -> Self {
        Self { range, ..self }
    }

    /// Returns the family whose related pairs are made by programs alone.
    #[must_use]
    pub fn by_programs(self) -> Self {
        let make = self.make;
        Self { range: self.range, make: Arc::new(move |basis| Arc::new(ByPrograms(make(basis)))) }
    }

    /// Returns the representation for a basis.
    #[must_use]
    pub fn over(&self, basis: &Arc<Basis>) -> Arc<dyn Representation> {
        (self.make)(basis)
    }
}

/// A representation without its definition of lifted maps.
#[derive(Debug)]
struct ByPrograms(Arc<dyn Representation>);

impl Representation for ByPrograms {
    fn rules(&self) -> &dyn NumberRules {
        self.0.rules()
    }
    fn coordinate(
        &self,
        stage: &CoordinateSpace,
        direction: usize,
        random: &mut SplitMix64,
    ) -> Result<Element, ValueError> {
        self.0.coordinate(stage, direction, random)
    }
    fn claims(
        &self,
        plot: &Graph,
        representation: &Element,
        stage: &CoordinateSpace,
    ) -> Result<Vec<PlotClaim>, GlueError> {
        self.0.claims(plot, representation, stage)
    }
    fn constant_element(&self, value: &Rational) -> Result<Element, ValueError> {
        self.0.constant_element(value)
    }
}

/// The macro of a representation, for the [model](functor::Taylor) that derives programs.
#[derive(Debug)]
pub(super) struct RulesOf(pub Arc<dyn Representation>);

impl NumberRules for RulesOf {
    fn carrier(&self) -> Ty {
        self.0.rules().carrier()
    }
    fn constant(&self, value: Core) -> Core {
        self.0.rules().constant(value)
    }
    fn operation(&self, operation: &SmoothOperation) -> Option<Core> {
        self.0.rules().operation(operation)
    }
}

/// The jets over a basis: 𝒟(real) is real^N, and S relates f to (∂^α f)_α.
#[derive(Clone, Debug)]
pub struct TaylorJets {
    basis: Arc<Basis>,
    hooks: &'static dyn TaylorHooks,
}

impl TaylorJets {
    /// Makes the jets over a basis.
    #[must_use]
    pub fn new(basis: &Arc<Basis>) -> Self {
        Self::with_hooks(basis, &DefaultTaylorHooks)
    }

    /// Makes the jets over a basis with other rules of the operations.
    #[must_use]
    pub fn with_hooks(basis: &Arc<Basis>, hooks: &'static dyn TaylorHooks) -> Self {
        Self { basis: basis.clone(), hooks }
    }
}

/// Returns the jets over a basis as a representation.
#[must_use]
pub fn jets_over(basis: &Arc<Basis>) -> Arc<dyn Representation> {
    Arc::new(TaylorJets::new(basis))
}

impl NumberRules for TaylorJets {
    fn carrier(&self) -> Ty {
        functor::jet_type(self.basis.len())
    }
    fn constant(&self, value: Core) -> Core {
        self.hooks.constant_jet(value, self.basis.len())
    }
    fn operation(&self, operation: &SmoothOperation) -> Option<Core> {
        // an operation that is not smooth has no derivatives to be lifted by
        let is_smooth = match operation {
            SmoothOperation::Constant(Constant::RealPower) => true,
            SmoothOperation::Constant(constant) => SmoothOperation::of_constant(*constant).is_some(),
            SmoothOperation::Power(_) | SmoothOperation::Special(_) => true,
        };
        let given = || self.hooks.lifted_operation(operation);
        is_smooth.then(|| given().unwrap_or_else(|| JetBuilder::lift_operation(&self.basis, operation, self.hooks)))
    }
}

impl Representation for TaylorJets {
    fn rules(&self) -> &dyn NumberRules {
        self
    }
    fn coordinate(&self, stage: &CoordinateSpace, direction: usize, _: &mut SplitMix64) -> Result<Element, ValueError> {
        let u = Graph::variable(stage.variables()[direction]);
        Ok(coordinate_jet(&self.basis, &u, direction))
    }
    fn claims(&self, plot: &Graph, representation: &Element, _: &CoordinateSpace) -> Result<Vec<PlotClaim>, GlueError> {
        let stated = jet_coordinates(representation)?;
        if stated.len() != self.basis.len() {
            let (expected, found) = (format!("{} coordinates", self.basis.len()), stated.len().to_string());
            return Ok(vec![PlotClaim::Same(expected, found)]);
        }
        Ok(vec![PlotClaim::Jet(DerivativeClaim {
            path: String::new(),
            plot: plot.clone(),
            derivatives: stated.into_iter().enumerate().collect(),
            is_slope: false,
        })])
    }
    fn constant_element(&self, value: &Rational) -> Result<Element, ValueError> {
        Ok(constant_jet(&self.basis, Graph::rational(value.clone())))
    }
    fn lifted(&self, map: &RealMap<'_>, arguments: &[Element]) -> Option<Result<Element, ValueError>> {
        Some(taylor_representation(&self.basis, map, arguments))
    }
    fn lifts_every_map(&self) -> bool {
        true
    }
}

/// Checks that an element has the type of the carrier, as far as this is seen without applying functions.
///
/// # Errors
/// [`GlueError::Carrier`]
pub(super) fn check_carrier(
    representation: &dyn Representation,
    what: &str,
    element: &Element,
) -> Result<(), GlueError> {
    let carrier = representation.rules().carrier();
    let refuse = |because: String| {
        let (what, carrier) = (what.to_owned(), carrier.to_string());
        Err(GlueError::Carrier { what, carrier, because })
    };
    match describe_mismatch(&carrier, element) {
        Some(because) => refuse(because),
        None => Ok(()),
    }
}

/// Returns how an element differs from those of a type. Returns `None` if no difference is seen.
fn describe_mismatch(ty: &Ty, element: &Element) -> Option<String> {
    let fits = match (ty.kind(), element) {
        (TyKind::Tuple(types), Element::Tuple(parts)) if types.len() == parts.len() => {
            return types.iter().zip(parts.iter()).find_map(|(ty, part)| describe_mismatch(ty, part));
        }
        (TyKind::Data(data, arguments), Element::Variant(place, argument)) => {
            return match data.argument_types(arguments).get(*place) {
                Some(ty) => describe_mismatch(ty, argument),
                None => Some(format!("a constructor with the number {place}, of {}", data.constructor_count())),
            };
        }
        (TyKind::Data(data, _), Element::List(_)) => data.is_list(),
        (TyKind::Real, Element::Real(_))
        | (TyKind::Nat, Element::Natural(_))
        | (TyKind::Bool, Element::Boolean(_))
        | (TyKind::Unit, Element::Unit)
        | (TyKind::Function(..), Element::Function(_)) => true,
        _ => false,
    };
    (!fits).then(|| format!("{} in the place of `{ty}`", element.kind().noun_phrase()))
}

/// Returns the jet of a coordinate: its value, 1 in its own direction, and 0 elsewhere.
#[must_use]
pub fn coordinate_jet(basis: &Basis, u: &Graph, direction: usize) -> Element {
    let unit = |index: &MultiIndex| index.iter().enumerate().all(|(i, entry)| *entry == usize::from(i == direction));
    jet_of(basis.indices().iter().enumerate().map(|(place, index)| match place {
        0 => u.clone(),
        _ => Graph::integer(i64::from(unit(index))),
    }))
}

/// Returns the numbers of a jet.
///
/// # Errors
/// [`ValueError::Mismatch`] if `jet` is not a tuple of numbers.
pub fn jet_coordinates(jet: &Element) -> Result<Vec<Graph>, ValueError> {
    jet.as_tuple()?.iter().map(|part| part.as_real().cloned()).collect()
}

/// Makes the jet of these numbers.
#[must_use]
pub fn jet_of(coordinates: impl IntoIterator<Item = Graph>) -> Element {
    Element::tuple_of(coordinates.into_iter().map(Element::Real))
}

/// Returns ⟨c, 0, …, 0⟩, the jet of a constant plot.
#[must_use]
pub fn constant_jet(basis: &Basis, value: Graph) -> Element {
    jet_of(std::iter::once(value).chain((1..basis.len()).map(|_| Graph::integer(0))))
}

/// Returns `Σ_β x_β t^β/β!`.
#[must_use]
pub fn taylor_polynomial(basis: &Basis, coefficients: &[Graph], at: &[Graph]) -> Graph {
    // terms with coefficient 0 are left out, which keeps the graphs of constant jets small
    let zero = |g: &Graph| g.as_rational().is_some_and(Rational::is_zero);
    let mut sum: Option<Graph> = None;
    for (index, coefficient) in basis.indices().iter().zip(coefficients).filter(|(_, c)| !zero(c)) {
        let mut term = coefficient.clone();
        let mut factorial = Rational::from(1);
        for (entry, t) in index.iter().zip(at) {
            for power in 1..=*entry {
                term = Graph::binary(Binary::Multiply, &term, t);
                factorial *= power as u64;
            }
        }
        if factorial != 1 {
            term = Graph::binary(Binary::Divide, &term, &Graph::rational(factorial));
        }
        sum = Some(sum.map_or_else(|| term.clone(), |sum| Graph::binary(Binary::Add, &sum, &term)));
    }
    sum.unwrap_or_else(|| Graph::integer(0))
}

/// Returns `∂^α body` in these variables, at a point, with one derivative node for each order.
#[must_use]
pub fn partial_derivative(variables: &[Variable], body: &Graph, index: &MultiIndex, at: &[Graph]) -> Graph {
    let mut body = body.clone();
    for (direction, entry) in index.iter().enumerate() {
        for _ in 0..*entry {
            let here = vec![Graph::variable(variables[direction])];
            body = Graph::derivative(vec![variables[direction]], body, here, vec![Graph::integer(1)]);
        }
    }
    // the point is substituted at the end, after all derivatives are taken in the variables
    let bindings: Vec<_> = variables.iter().copied().zip(at.iter().cloned()).collect();
    body.substitute(&bindings)
}

/// Returns the Taylor representation of a map at jets.
///
/// | argument | meaning |
/// |---|---|
/// | `map` | g : ℝⁿ → ℝ, at graphs in any variables |
/// | `arguments` | n jets over the basis |
///
/// # Errors
/// Those of the map; [`ValueError::Mismatch`] for an argument that is no jet.
pub fn taylor_representation(
    basis: &Basis,
    map: impl FnOnce(&[Element]) -> Result<Element, ValueError>,
    arguments: &[Element],
) -> Result<Element, ValueError> {
    // fresh variables, so that the curves do not capture variables of the jets
    let variables: Vec<Variable> = (0..basis.directions()).map(|_| Variable::fresh()).collect();
    let t: Vec<Graph> = variables.iter().map(|v| Graph::variable(*v)).collect();
    let curve = |argument: &Element| Ok(Element::Real(taylor_polynomial(basis, &jet_coordinates(argument)?, &t)));
    let curves: Vec<Element> = arguments.iter().map(curve).collect::<Result<_, ValueError>>()?;
    let body = map(&curves)?;
    let origin = vec![Graph::integer(0); variables.len()];
    let body = body.as_real()?;
    Ok(jet_of(basis.indices().iter().map(|index| partial_derivative(&variables, body, index, &origin))))
}

/// The spread of the sizes of random programs, in heads. A choice.
const PROGRAM: usize = 20;

/// Returns 𝒟(τ).
pub(super) fn derived_type(sample: &TheoremSample, ty: &Ty) -> Ty {
    TypeTranslation::new(sample.basis.len()).translate_type(ty)
}

/// Diagram (4) (H): the macro followed by the semantics in Diff equals ⦇−⦈ followed by the second projection.
#[must_use]
pub fn diagram(setting: GluingSetup) -> TheoremTest<'static> {
    let draw = |random: &mut SplitMix64| {
        let ty = random_type(random, 3);
        let size = 4 + random.next_below(PROGRAM);
        vec![evaluation::draw_program(random, &ty, size)]
    };
    let judge = move |sample: &TheoremSample| {
        let (core, ty) = (evaluation::core_term(&sample.terms[0])?, &sample.terms[0].ty);
        let derived = setting.derive_program(&core, ty, &sample.basis)?;
        if let Err(error) = derived.check_types() {
            return Ok(Verdict::refuted("the type of the derived program", derived.ty, error).into());
        }
        let right = second_component(&core, &sample.basis, RepresentationMethod::Definition)?;
        test_equal(
            &derived_type(sample, &sample.terms[0].ty),
            &evaluation::run_program(&derived.term)?,
            &right,
            &mut SplitMix64::new(sample.seed),
        )
    };
    TheoremTest { range: BasisRange::UpTo(2, 2), draw: Box::new(draw), judge: Box::new(judge) }
}

/// ⟦𝒟−⟧, the macro followed by the meaning of programs, as a functor from programs.
struct MacroMeaning<'s> {
    setting: &'s GluingSetup,
    basis: &'s Arc<Basis>,
    target: Diff,
}

impl ProgramFunctor for MacroMeaning<'_> {
    type Target = Diff;

    fn target(&self) -> &Diff {
        &self.target
    }

    fn object_of(&self, ty: &Ty) -> Result<Ty, ArrowError<DiffeologyError>> {
        Ok(TypeTranslation::new(self.basis.len()).translate_type(ty))
    }

    fn arrow_of(&self, program: &Core, from: &Ty, to: &Ty) -> ArrowResult<Diff> {
        let ty = Ty::function(from.clone(), to.clone());
        let derived = self.setting.derive_program(program, &ty, self.basis);
        let function = derived.and_then(|derived| evaluation::run_program(&derived.term));
        let function = function.map_err(|error| ArrowError::NoImage {
            functor: "the meaning of derived programs".into(),
            construct: error.to_string(),
        })?;
        Ok(function.as_function().map_err(DiffeologyError::from)?.clone())
    }
}

/// Tests that a comparison of ⟦𝒟−⟧ is the identity, which is the inverse that a strict functor gives.
fn preserves_structure(functor: &MacroMeaning, of: &Comparison, seed: u64) -> Result<VerdictWithValues, GlueError> {
    let no_arrow = |error: ArrowError<DiffeologyError>| GlueError::Program {
        program: format!("{of:?}"),
        because: error.to_string(),
    };
    let ty = functor.object_of(&of.composite_type()).map_err(no_arrow)?;
    let arrow = comparison(functor, of).map_err(no_arrow)?;
    let [arrow, identity] = [arrow, dynamic::identity_arrow()].map(Element::Function);
    test_equal(&Ty::function(ty.clone(), ty), &arrow, &identity, &mut SplitMix64::new(seed))
}

/// Tests that 𝒟 is well-defined on programs modulo βη and preserves application: 𝒟 of the normal form of `t s` equals
/// 𝒟t at 𝒟s.
fn preserves_application(
    setting: &GluingSetup,
    [function, argument]: [&TestTerm; 2],
    sample: &TheoremSample,
) -> Result<VerdictWithValues, GlueError> {
    let TyKind::Function(_, ty) = function.ty.kind() else { return Ok(Verdict::Vacuous.into()) };
    let (f, x) = (evaluation::core_term(function)?, evaluation::core_term(argument)?);
    // the normal form is another program of the same class modulo βη
    let whole = Core::apply(f.clone(), x.clone(), Span::default());
    let normal = normalise(&whole)
        .and_then(|normal| normal.to_term())
        .map_err(|error| GlueError::Program { program: whole.to_string(), because: error.to_string() })?;
    let derived = |term, ty: &Ty| evaluation::run_program(&setting.derive_program(term, ty, &sample.basis)?.term);
    let (f, x, normal) = (derived(&f, &function.ty)?, derived(&x, &argument.ty)?, derived(&normal, ty)?);
    test_equal(&derived_type(sample, ty), &apply_all(&f, [x])?, &normal, &mut SplitMix64::new(sample.seed))
}

/// Tests that ⟦𝒟t⟧ is the arrow of t under the functor that the Taylor representations determine, for a program of a
/// function type. `None` if that functor has no arrow for the program.
fn is_determined(
    functor: &MacroMeaning,
    program: &TestTerm,
    seed: u64,
) -> Option<Result<VerdictWithValues, GlueError>> {
    let TyKind::Function(from, to) = program.ty.kind() else { return None };
    let core = evaluation::core_term(program).ok()?;
    let jets = JetInterpretation::new(functor.basis);
    let unique = Interpret { category: Diff::default(), interpretation: jets }.arrow_of(&core, from, to).ok()?;
    let left = functor.arrow_of(&core, from, to).ok()?;
    let ty = functor.object_of(&program.ty).ok()?;
    let [left, right] = [left, unique].map(Element::Function);
    Some(test_equal(&ty, &left, &right, &mut SplitMix64::new(seed)))
}

/// Lemma 4 (H) for the macro (Ex. 6.1): 𝒟 is a functor on programs modulo βη, preserves ×, +, → and lists, and is the one
/// such functor with its values at operations.
///
/// The functor that these determine is [`Interpret`], with the Taylor representations by definition. The two are compared
/// by their meanings in Diff, since normal forms do not decide all equations of programs.
#[must_use]
pub fn initiality(setting: GluingSetup) -> TheoremTest<'static> {
    let draw = |random: &mut SplitMix64| {
        let (domain, codomain) = (random_type(random, 2), random_type(random, 2));
        let (t, s) = (4 + random.next_below(PROGRAM), 1 + random.next_below(PROGRAM / 2));
        let function = evaluation::draw_program(random, &Ty::function(domain.clone(), codomain), t);
        let argument = evaluation::draw_smooth_program(random, &domain, s);
        // types of the form that the lemma speaks of, for which no isomorphism has to be written
        let (from, to) = (draw_simple_type(random, 2), draw_simple_type(random, 2));
        let program = evaluation::draw_smooth_program(random, &Ty::function(from, to), t);
        vec![function, argument, program]
    };
    let judge = move |sample: &TheoremSample| {
        let [function, argument, program] = &sample.terms[..] else { return Ok(Verdict::Vacuous.into()) };
        let functor = MacroMeaning { setting: &setting, basis: &sample.basis, target: Diff::default() };
        let TyKind::Function(a, b) = program.ty.kind() else { return Ok(Verdict::Vacuous.into()) };
        // one part of the structure for each sample, since each takes as long as a program
        let of = match sample.seed % 5 {
            0 => Comparison::Terminal,
            1 => Comparison::Product(a.clone(), b.clone()),
            2 => Comparison::Exponential(a.clone(), b.clone()),
            3 => Comparison::Sum(a.clone(), b.clone()),
            _ => Comparison::List(a.clone()),
        };
        let mut judged = preserves_application(&setting, [function, argument], sample)?;
        // numbers are those of the first program alone: by them it is seen what the program uses
        judged.verdict = judged.verdict.and_part(preserves_structure(&functor, &of, sample.seed)?.verdict);
        if let Some(unique) = is_determined(&functor, program, sample.seed) {
            judged.verdict = judged.verdict.and_part(unique?.verdict);
        }
        Ok(judged)
    };
    TheoremTest { range: BasisRange::UpTo(2, 2), draw: Box::new(draw), judge: Box::new(judge) }
}

/// Draws a first-order type: made of reals, products, variants, lists and trees.
pub fn first_order_type(random: &mut SplitMix64, depth: usize) -> Ty {
    let part = |random: &mut SplitMix64| first_order_type(random, depth - 1);
    let choices = [(3, 0), (3, 1), (2, 2), (2, 3), (1, 4), (1, 5)];
    match random.pick_weighted(if depth == 0 { &choices[..1] } else { &choices }) {
        0 => Ty::real(),
        1 => {
            let first = part(random);
            pair_type(first, part(random))
        }
        2 => Ty::list(part(random)),
        3 => maybe_type(part(random)),
        4 => tree_type(part(random)),
        _ => {
            let left = part(random);
            either_type(left, part(random))
        }
    }
}

/// Derivatives at first-order types are unique (H §7): the macro agrees with the formula of Faà di Bruno at every
/// operation, for every program between first-order types.
#[must_use]
pub fn first_order(setting: GluingSetup) -> TheoremTest<'static> {
    let draw = |random: &mut SplitMix64| {
        let ty = Ty::function(first_order_type(random, 2), first_order_type(random, 2));
        let size = 4 + random.next_below(PROGRAM);
        vec![evaluation::draw_program(random, &ty, size)]
    };
    let judge = move |sample: &TheoremSample| {
        let (core, ty) = (evaluation::core_term(&sample.terms[0])?, &sample.terms[0].ty);
        let derived = setting.derive_program(&core, ty, &sample.basis)?;
        let right = second_component(&core, &sample.basis, RepresentationMethod::FaaDiBruno)?;
        test_equal(
            &derived_type(sample, &sample.terms[0].ty),
            &evaluation::run_program(&derived.term)?,
            &right,
            &mut SplitMix64::new(sample.seed),
        )
    };
    TheoremTest { range: BasisRange::UpTo(2, 3), draw: Box::new(draw), judge: Box::new(judge) }
}

/// Returns ⦇*⦈₁ of two jets, by the definition of representations.
fn multiply_jets(sample: &TheoremSample, x: &Element, y: &Element) -> Result<Element, GlueError> {
    let multiply = |curves: &[Element]| presheaf::apply_to_elements(Constant::Multiply, SourceId::default(), curves);
    Ok(taylor_representation(&sample.basis, multiply, &[x.clone(), y.clone()])?)
}

/// Returns the six formulas as printed (H §6.2), at (x₀₀, x₀₁, x₀₂, x₁₀, x₁₁, x₂₀) and the same coordinates of y.
fn printed_product(x: &[Graph], y: &[Graph]) -> Vec<Graph> {
    // (c, i, j) is the term c · xᵢ · yⱼ, with coordinates numbered in the order above
    let terms: [&[(i64, usize, usize)]; 6] = [
        &[(1, 0, 0)],
        &[(1, 0, 1), (1, 1, 0)],
        &[(1, 2, 0), (2, 1, 1), (1, 0, 2)],
        &[(1, 0, 3), (1, 3, 0)],
        &[(1, 4, 0), (1, 1, 3), (1, 3, 1), (1, 0, 4)],
        &[(1, 5, 0), (2, 3, 3), (1, 0, 5)],
    ];
    let times = |a: &Graph, b: &Graph| Graph::binary(Binary::Multiply, a, b);
    let sum = |terms: &&[(i64, usize, usize)]| {
        let each = terms.iter().map(|&(c, i, j)| times(&Graph::integer(c), &times(&x[i], &y[j])));
        each.reduce(|sum, term| Graph::binary(Binary::Add, &sum, &term)).unwrap_or_else(|| Graph::integer(0))
    };
    terms.iter().map(sum).collect()
}

/// The multiplication of (2, 2)-jets is as printed in H §6.2. It is symmetric and associative, with unit ⟨1, 0, 0, 0,
/// 0, 0⟩.
#[must_use]
pub fn multiplication() -> TheoremTest<'static> {
    let judge = |sample: &TheoremSample| {
        let mut random = SplitMix64::new(sample.seed);
        let mut number =
            || Graph::rational(Rational::from((random.next_below(41) as i64 - 20, 1 + random.next_below(8) as i64)));
        let [x, y, z] = [(); 3].map(|()| (0..6).map(|_| number()).collect::<Vec<_>>());
        let jet = |coordinates: &[Graph]| jet_of(coordinates.iter().cloned());
        let ty = functor::jet_type(6);
        let same = |left: &Element, right: &Element| test_equal(&ty, left, right, &mut SplitMix64::new(0));
        let (a, b, c) = (jet(&x), jet(&y), jet(&z));
        let ab = multiply_jets(sample, &a, &b)?;
        let unit = constant_jet(&sample.basis, Graph::integer(1));
        let laws = [
            same(&ab, &jet(&printed_product(&x, &y)))?,
            same(&ab, &multiply_jets(sample, &b, &a)?)?,
            same(&multiply_jets(sample, &ab, &c)?, &multiply_jets(sample, &a, &multiply_jets(sample, &b, &c)?)?)?,
            same(&multiply_jets(sample, &unit, &a)?, &a)?,
        ];
        Ok(laws.into_iter().fold(Verdict::Survived.into(), VerdictWithValues::both))
    };
    TheoremTest { range: BasisRange::Only(2, 2), draw: Box::new(|_| Vec::new()), judge: Box::new(judge) }
}
