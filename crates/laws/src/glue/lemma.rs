//! The fundamental lemma, Theorem 3 and their premises (H Thm 3 with its proof, §6.2), tested on random programs.
//!
//! | statement | H |
//! |---|---|
//! | [`theorem_3`] | for f : ℝᵏ → ℝⁿ and t of n real variables, ⟦𝒟t⟧ maps the jets of f to those of f;⟦t⟧ |
//! | [`fundamental_lemma`] | ⟦t⟧ and ⟦𝒟t⟧ map related plots to related ones, at any types |
//! | [`related_pairs`] | the pairs that serve as related arguments are related |
//!
//! In each, the relation and the macro may be replaced by [others](GluingSetup), to test that a wrong one is refuted.

use super::claim;
use super::connectives::{PaperClauses as Clauses, RelationClauses};
use super::error::GlueError;
use super::judged::VerdictWithValues;
use super::object::{GluingObject, PairSampler};
use super::representation;
use super::scope::{self, PlotPair, PlotScope};
use super::stage::{CompiledPlots, CoordinateSpace, TIERS, enclose_point};
use super::trial::{BasisRange, TheoremSample, TheoremTest};
use crate::law::generate::{either_type, maybe_type, tree_type};
use crate::law::term::{TestTerm, pair_type};
use crate::meaning::taylor::basis::Basis;
use crate::meaning::taylor::derive::{DerivedProgram, derive_with};
use crate::meaning::taylor::functor::Taylor;
use crate::meaning::taylor::hooks::{DefaultTaylorHooks, TaylorHooks};
use crate::meaning::taylor::types::TypeTranslation;
use crate::number::{Enclosure, Rational};
use crate::presheaf::dynamic::Element;
use crate::random::SplitMix64;
use crate::smooth::graph::{Graph, Variable};
use crate::syntax::term::Term as Core;
use crate::syntax::ty::{Ty, TyKind};
use crate::verdict::Verdict;
use std::sync::Arc;

/// The largest number of nested data types, none equal to one around it. A choice: a type that contains ever larger
/// ones never ends.
const DEEPEST: usize = 64;

/// The macro and the relation that a theorem is tested with.
#[derive(Clone, Copy, Debug, Default)]
pub struct GluingSetup {
    /// The rules of the macro; `None` for the right ones.
    pub hooks: Option<&'static dyn TaylorHooks>,
    /// The clauses of the relation; `None` for those of H.
    pub relation: Option<&'static dyn RelationClauses>,
}

impl GluingSetup {
    /// Returns 𝒟 of a program.
    ///
    /// # Errors
    /// [`GlueError::Macro`] if the macro has no rule for the program, or its result is too large.
    pub fn derive_program(&self, term: &Core, ty: &Ty, basis: &Basis) -> Result<DerivedProgram, GlueError> {
        Ok(derive_with(&Taylor::with_hooks(self.hooks.unwrap_or(&DefaultTaylorHooks), basis.clone()), term, ty)?)
    }

    /// Returns ⦇τ⦈.
    ///
    /// # Errors
    /// [`GlueError::Type`] for tangents, isomorphisms, and recursive types that contain ever larger instances of
    /// themselves.
    pub fn object_of_type(&self, ty: &Ty, basis: &Arc<Basis>) -> Result<GluingObject, GlueError> {
        let types = TypeTranslation::new(basis.len());
        self.object_of_type_in(ty, basis, &types, &mut Vec::new())
    }

    /// Returns ⦇τ⦈. `open` holds the data types around τ.
    fn object_of_type_in(
        &self,
        ty: &Ty,
        basis: &Arc<Basis>,
        types: &TypeTranslation,
        open: &mut Vec<Ty>,
    ) -> Result<GluingObject, GlueError> {
        let clauses = self.relation.unwrap_or(&Clauses);
        let none = || GlueError::Type { ty: ty.to_string() };
        Ok(match ty.kind() {
            TyKind::Real => GluingObject::real_by(clauses, basis),
            TyKind::Nat | TyKind::Bool => GluingObject::discrete(clauses, ty),
            TyKind::Unit => GluingObject::product(&[]),
            TyKind::Tuple(parts) => {
                let parts: Result<Vec<_>, _> =
                    parts.iter().map(|part| self.object_of_type_in(part, basis, types, open)).collect();
                GluingObject::product_by(clauses, &parts?)
            }
            TyKind::Function(a, b) => {
                let a = self.object_of_type_in(a, basis, types, open)?;
                GluingObject::exponential_by(clauses, &a, &self.object_of_type_in(b, basis, types, open)?)
            }
            TyKind::Data(data, arguments) if data.is_list() => {
                GluingObject::list_by(clauses, &self.object_of_type_in(&arguments[0], basis, types, open)?)
            }
            TyKind::Data(data, arguments) => {
                // a type inside itself is unfolded lazily, or its object would be infinite
                if open.contains(ty) {
                    let (setting, basis, inside) = (*self, basis.clone(), ty.clone());
                    let unfold = move || setting.object_of_type(&inside, &basis);
                    return Ok(GluingObject::recursive_occurrence(
                        clauses,
                        ty.clone(),
                        types.translate_type(ty),
                        unfold,
                    ));
                }
                if open.len() == DEEPEST {
                    return Err(none());
                }
                open.push(ty.clone());
                let domains = data.argument_types(arguments);
                let summands: Result<Vec<_>, _> =
                    domains.iter().map(|domain| self.object_of_type_in(domain, basis, types, open)).collect();
                open.pop();
                let names = data.constructors().map(|constructor| constructor.name().to_string()).collect();
                GluingObject::sum(clauses, ty.clone(), types.translate_type(ty), &summands?, names)
            }
            TyKind::Tangent(_) | TyKind::Iso(..) | TyKind::Variable(..) => return Err(none()),
        })
    }
}

/// Draws a point of ℝᵏ, mostly away from the numbers at which operations are undefined.
#[must_use]
pub fn draw_point(random: &mut SplitMix64, dimension: usize) -> Vec<Rational> {
    let number =
        |random: &mut SplitMix64| Rational::from((random.next_below(33) as i64 - 16, *random.pick(&[1, 2, 4, 8, 16])));
    (0..dimension).map(|_| number(random)).collect()
}

/// Returns the type `Real -> … -> Real` with this number of arguments.
#[must_use]
pub fn curried_reals(arguments: usize) -> Ty {
    (0..arguments).fold(Ty::real(), |ty, _| Ty::function(Ty::real(), ty))
}

/// Applies a function to arguments, one after another.
///
/// # Errors
/// Those of the function; [`GlueError::Element`] if a value is not a function.
pub fn apply_all(function: &Element, arguments: impl IntoIterator<Item = Element>) -> Result<Element, GlueError> {
    let mut value = function.clone();
    for argument in arguments {
        value = value.as_function()?.apply(&argument)?;
    }
    Ok(value)
}

/// The number of coordinates of the programs of plots. If k is smaller, coordinates are repeated. A choice.
const COORDINATES: usize = 3;

/// Returns the plots ℝᵏ → ℝ of programs of three numbers.
pub(super) fn plots_of_programs(terms: &[TestTerm], stage: &CoordinateSpace) -> Result<Vec<Graph>, GlueError> {
    let coordinates: Vec<Graph> = stage.coordinate_plots().collect();
    let at = |i: usize| Element::Real(coordinates[i % coordinates.len()].clone());
    let mut graphs = Vec::with_capacity(terms.len());
    for term in terms {
        let function = scope::run_program(&scope::core_term(term)?)?;
        graphs.push(apply_all(&function, (0..COORDINATES).map(at))?.as_real()?.clone());
    }
    Ok(graphs)
}

/// The spread of the sizes of random programs, in heads. A choice.
const PROGRAM: usize = 24;
/// The size of the random programs of plots beyond their coordinates, in heads. A choice.
const PLOT: usize = 6;

/// Theorem 3 (H): compares the derived program at the jets of f with the jets of the composite.
#[must_use]
pub fn theorem_3(setting: GluingSetup) -> TheoremTest<'static> {
    let judge = move |sample: &TheoremSample| theorem_3_at(&setting, sample);
    TheoremTest { range: BasisRange::UpTo(3, 4), draw: Box::new(draw_with_plots), judge: Box::new(judge) }
}

/// Draws a program of some numbers, and for each number a program of a plot.
pub(super) fn draw_with_plots(random: &mut SplitMix64) -> Vec<TestTerm> {
    let arguments = 1 + random.next_below(3);
    let size = 4 + random.next_below(PROGRAM);
    let mut terms = vec![scope::draw_program(random, &curried_reals(arguments), size + arguments)];
    let plot = curried_reals(COORDINATES);
    terms.extend((0..arguments).map(|_| scope::draw_smooth_program(random, &plot, COORDINATES + PLOT)));
    terms
}

/// Tests Theorem 3 at a sample.
fn theorem_3_at(setting: &GluingSetup, sample: &TheoremSample) -> Result<VerdictWithValues, GlueError> {
    let basis = &sample.basis;
    let stage = CoordinateSpace::new(basis.directions());
    let point = draw_point(&mut SplitMix64::new(sample.seed), basis.directions());
    let [program, plots_of @ ..] = &sample.terms[..] else { return Ok(Verdict::Vacuous.into()) };
    let core = scope::core_term(program)?;
    let derived = setting.derive_program(&core, &program.ty, basis)?;
    if let Err(error) = derived.check_types() {
        return Ok(Verdict::refuted("the type of the derived program", derived.ty, error).into());
    }
    let f = plots_of_programs(plots_of, &stage)?;
    let composite = apply_all(&scope::run_program(&core)?, f.iter().cloned().map(Element::Real))?;
    // the derived program gets one variable for each coordinate, so that the enclosures of the jets of f can be
    // supplied
    let inputs: Vec<Variable> = (0..f.len() * basis.len()).map(|_| Variable::fresh()).collect();
    let jets = inputs.chunks(basis.len()).map(|jet| representation::jet_of(jet.iter().map(|v| Graph::variable(*v))));
    let answer = representation::jet_coordinates(&apply_all(&scope::run_program(&derived.term)?, jets)?)?;
    let (f, composite) = (
        CompiledPlots::new(stage.variables(), &f)?,
        CompiledPlots::new(stage.variables(), &[composite.as_real()?.clone()])?,
    );
    let answer = CompiledPlots::new(&inputs, &answer)?;
    // wider arithmetics until the enclosures are narrow
    let mut judged = VerdictWithValues::from(Verdict::Vacuous);
    for tier in TIERS {
        let at = enclose_point(&point, tier);
        let jets: Vec<Enclosure> = f.enclose_derivatives(&at, basis, tier)?.concat();
        let (left, right) =
            (answer.enclose_values(&jets, tier)?, composite.enclose_derivatives(&at, basis, tier)?.concat());
        let name = |place| format!("{}, at u = {}", claim::coordinate_name(basis, place), claim::format_point(&point));
        judged = claim::compare_jets(basis, &left, &right, name);
        if judged.verdict != Verdict::Vacuous {
            break;
        }
    }
    Ok(judged)
}

/// Draws a type; functions and real numbers are the most frequent.
pub fn random_type(random: &mut SplitMix64, depth: usize) -> Ty {
    let part = |random: &mut SplitMix64| random_type(random, depth - 1);
    match random.pick_weighted(if depth == 0 {
        &[(1, 0)][..]
    } else {
        &[(4, 0), (4, 1), (2, 2), (1, 3), (1, 4), (1, 5), (1, 6), (1, 7)]
    }) {
        0 => Ty::real(),
        1 => {
            let domain = part(random);
            Ty::function(domain, part(random))
        }
        2 => {
            let first = part(random);
            pair_type(first, part(random))
        }
        3 => Ty::list(part(random)),
        4 => maybe_type(part(random)),
        5 => {
            let left = part(random);
            either_type(left, part(random))
        }
        6 => tree_type(part(random)),
        _ => Ty::new(TyKind::Nat),
    }
}

/// The fundamental lemma (H, proof of Thm 3): closed programs of function types map related plots to related plots.
#[must_use]
pub fn fundamental_lemma(setting: GluingSetup) -> TheoremTest<'static> {
    let draw = |random: &mut SplitMix64| {
        let ty = Ty::function(random_type(random, 2), random_type(random, 2));
        let size = 4 + random.next_below(PROGRAM);
        vec![scope::draw_program(random, &ty, size)]
    };
    let judge = move |sample: &TheoremSample| {
        let basis = &sample.basis;
        let (core, ty) = (scope::core_term(&sample.terms[0])?, &sample.terms[0].ty);
        let derived = setting.derive_program(&core, ty, basis)?;
        if let Err(error) = derived.check_types() {
            return Ok(Verdict::refuted("the type of the derived program", derived.ty, error).into());
        }
        let pair = PlotPair { plot: scope::run_program(&core)?, representation: scope::run_program(&derived.term)? };
        test_related(&setting.object_of_type(ty, basis)?, sample, |_| Ok(pair))
    };
    TheoremTest { range: BasisRange::UpTo(2, 2), draw: Box::new(draw), judge: Box::new(judge) }
}

/// Tests whether an object relates the pair that `make` makes from the scope of the sample.
pub(super) fn test_related(
    object: &GluingObject,
    sample: &TheoremSample,
    make: impl FnOnce(&mut PairSampler<'_>) -> Result<PlotPair, GlueError>,
) -> Result<VerdictWithValues, GlueError> {
    let stage = CoordinateSpace::new(sample.basis.directions());
    let mut random = SplitMix64::new(sample.seed);
    let point = draw_point(&mut random, sample.basis.directions());
    let (plots, representations) = PlotScope::over_stage(&stage, &sample.basis, &mut random, sample.size)?;
    let mut sampler = PairSampler { plots, representations, random: &mut random, size: DEPTH };
    let pair = make(&mut sampler)?;
    object.test_related(&pair, &stage, &mut sampler, &point)
}

/// The observation depth of functions in random arguments. A choice.
const DEPTH: usize = 2;

/// Tests that the drawn pairs are related, at random types. It checks the generator and the relation against each
/// other.
#[must_use]
pub fn related_pairs(setting: GluingSetup) -> TheoremTest<'static> {
    let judge = move |sample: &TheoremSample| {
        let ty = random_type(&mut SplitMix64::new(sample.seed), 3);
        let object = setting.object_of_type(&ty, &sample.basis)?;
        test_related(&object, sample, |sampler| Ok(sampler.draw_pair(&object)?))
    };
    TheoremTest { range: BasisRange::UpTo(2, 3), draw: Box::new(|_| Vec::new()), judge: Box::new(judge) }
}
