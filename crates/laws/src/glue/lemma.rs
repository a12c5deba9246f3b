//! The fundamental lemma, Theorem 3 and their premises (H Thm 3 with its proof, §6.2), tested on random programs.
//!
//! | statement | H |
//! |---|---|
//! | [`theorem_3`] | for f : ℝᵏ → ℝⁿ and t of n real variables, ⟦𝒟t⟧ maps the jets of f to those of f;⟦t⟧ |
//! | [`fundamental_lemma`] | ⟦t⟧ and ⟦𝒟t⟧ map related plots to related ones, at any types |
//! | [`related_pairs`] | the pairs that serve as related arguments are related |
//!
//! In each, the relation and the macro may be replaced by [others](GluingSetup), to test that a wrong one is refuted.
//!
//! # Tests that S determines the second plot at every type
//!
//! Tests that S determines the second plot at every type, so it is not too large (H, proof of Thm 3).
//!
//! One leaf of the second plot of a related pair is changed: a coordinate of a jet, a label, a list that loses an
//! element, a number. The resulting pair must be refuted. In a function, the leaf is one of its results. In half of the
//! cases it changes by the slope of an argument, so that a relation that tests constant arguments only would miss it.

use super::claim::{CompiledPlots, CoordinateSpace, GlueError, enclose_point};
use super::evaluation::{PlotPair, PlotScope};
use super::object::{GluingObject, PairSampler, PaperClauses as Clauses, RelationClauses};
use super::representation::{Representation, RepresentationFamily};
use super::trial::{BasisRange, TheoremSample, TheoremTest, VerdictWithValues};
use super::{claim, evaluation, representation};
use crate::law::generate::{either_type, maybe_type, tree_type};
use crate::law::term::{TestTerm, pair_type};
use crate::meaning::taylor::derive::{DerivedProgram, derive_with};
use crate::meaning::taylor::functor::NumberRules;
use crate::meaning::taylor::functor::{DefaultTaylorHooks, Taylor, TaylorHooks, TypeTranslation};
use crate::meaning::taylor::jet::Basis;
use crate::number::{Enclosure, Rational};
use crate::presheaf::dynamic::Element;
use crate::random::SplitMix64;
use crate::smooth::graph::{Binary, Graph, Variable};
use crate::syntax::term::Term as Core;
use crate::syntax::ty::{Ty, TyKind};
use crate::value::{SharedBox, ValueError};
use crate::verdict::Verdict;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

/// The largest number of nested data types, none equal to one around it. A choice: a type that contains ever larger
/// ones never ends.
const DEEPEST: usize = 64;

/// The macro and the relation that a theorem is tested with.
#[derive(Clone, Debug, Default)]
pub struct GluingSetup {
    /// The rules of the Taylor macro; `None` for the right ones. They are for jets: a representation has rules of its own.
    pub hooks: Option<&'static dyn TaylorHooks>,
    /// The clauses of the relation; `None` for those of H.
    pub relation: Option<&'static dyn RelationClauses>,
    /// The representation of numbers, with its macro; `None` for jets and the Taylor macro.
    pub representation: Option<RepresentationFamily>,
}

impl GluingSetup {
    /// The Taylor macro, jets, and the relation of H.
    pub const STANDARD: Self = Self { hooks: None, relation: None, representation: None };

    /// Makes the setup of a representation and its macro.
    ///
    /// | argument | meaning |
    /// |---|---|
    /// | `representation` | 𝒟(real) with the rules of the macro, and S at real numbers |
    #[must_use]
    pub fn of_representation(representation: RepresentationFamily) -> Self {
        Self { representation: Some(representation), ..Self::STANDARD }
    }

    /// Returns the representation of numbers over a basis.
    #[must_use]
    pub fn representation_over(&self, basis: &Arc<Basis>) -> Arc<dyn Representation> {
        self.representation.as_ref().map_or_else(|| representation::jets_over(basis), |family| family.over(basis))
    }

    /// Replaces the operations without a rule of the representation, in most programs.
    fn restrict_program(&self, program: TestTerm, random: &mut SplitMix64) -> TestTerm {
        let restrict = |rules: &dyn NumberRules| evaluation::restrict_to_rules(&program, rules, random);
        self.with_rules(restrict).unwrap_or(program)
    }

    /// Draws a program of one operation in a third of the cases, for a representation alone: a rule that is wrong by little
    /// shows where its operation stands alone, seldom within a long program.
    fn draw_single_operation(&self, random: &mut SplitMix64) -> Option<TestTerm> {
        if self.representation.is_none() || random.next_below(3) > 0 {
            return None;
        }
        self.with_rules(|rules| evaluation::draw_single_operation(random, rules))
    }

    /// Applies a function to the rules of a representation that does not lift every map.
    fn with_rules<T>(&self, apply: impl FnOnce(&dyn NumberRules) -> T) -> Option<T> {
        let (family, basis) = (self.representation.as_ref()?, Basis::new(1, 1).ok()?);
        let apply = || {
            let representation = family.over(&Arc::new(basis));
            (!representation.lifts_every_map()).then(|| apply(representation.rules()))
        };
        // a panic comes again when the sample is judged, and is reported there
        std::panic::catch_unwind(std::panic::AssertUnwindSafe(apply)).ok().flatten()
    }

    /// Runs a test, and turns a panic in a method of the representation into an error.
    pub(super) fn catch_panic(
        &self,
        test: impl FnOnce() -> Result<VerdictWithValues, GlueError>,
    ) -> Result<VerdictWithValues, GlueError> {
        if self.representation.is_none() {
            return test();
        }
        // what the test shares with others is immutable, or a table that a panic leaves as it was
        std::panic::catch_unwind(std::panic::AssertUnwindSafe(test)).unwrap_or_else(|panic| {
            let text = panic.downcast_ref::<&str>().map(|text| (*text).to_owned());
            let message = text.or_else(|| panic.downcast_ref::<String>().cloned());
            Err(GlueError::Panic { message: message.unwrap_or_else(|| "no message".to_owned()) })
        })
    }

    /// Returns the k and R that a theorem is tested with: those of the representation, or else these.
    pub(super) fn range_or(&self, range: BasisRange) -> BasisRange {
        self.representation.as_ref().map_or(range, |family| family.range)
    }

    /// Returns 𝒟 of a program.
    ///
    /// # Errors
    /// [`GlueError::Macro`] if the macro has no rule for the program, or its result is too large.
    pub fn derive_program(&self, term: &Core, ty: &Ty, basis: &Arc<Basis>) -> Result<DerivedProgram, GlueError> {
        match &self.representation {
            Some(family) => evaluation::derive_by_rules(&family.over(basis), term, ty),
            None => {
                let hooks = self.hooks.unwrap_or(&DefaultTaylorHooks);
                Ok(derive_with(&Taylor::with_hooks(hooks, Basis::clone(basis)), term, ty)?)
            }
        }
    }

    /// Returns ⦇τ⦈.
    ///
    /// # Errors
    /// [`GlueError::Type`] for tangents, isomorphisms, and recursive types that contain ever larger instances of
    /// themselves.
    pub fn object_of_type(&self, ty: &Ty, basis: &Arc<Basis>) -> Result<GluingObject, GlueError> {
        let representation = self.representation_over(basis);
        let types = TypeTranslation::of_numbers(representation.rules().carrier());
        self.object_of_type_in(ty, (basis, &representation), &types, &mut Vec::new())
    }

    /// Returns ⦇τ⦈. `open` holds the data types around τ.
    fn object_of_type_in(
        &self,
        ty: &Ty,
        basis: (&Arc<Basis>, &Arc<dyn Representation>),
        types: &TypeTranslation,
        open: &mut Vec<Ty>,
    ) -> Result<GluingObject, GlueError> {
        let clauses = self.relation.unwrap_or(&Clauses);
        let none = || GlueError::Type { ty: ty.to_string() };
        Ok(match ty.kind() {
            TyKind::Real => GluingObject::real_of(clauses, basis.1),
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
                    let (setting, basis, inside) = (self.clone(), basis.0.clone(), ty.clone());
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
        let function = evaluation::run_program(&evaluation::core_term(term)?)?;
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
#[doc(alias = "correctness of AD")]
pub fn theorem_3(setting: GluingSetup) -> TheoremTest<'static> {
    let judge = move |sample: &TheoremSample| theorem_3_at(&setting, sample);
    TheoremTest { range: BasisRange::UpTo(3, 4), draw: Box::new(draw_with_plots), judge: Box::new(judge) }
}

/// Draws a program of some numbers, and for each number a program of a plot.
pub(super) fn draw_with_plots(random: &mut SplitMix64) -> Vec<TestTerm> {
    let arguments = 1 + random.next_below(3);
    let size = 4 + random.next_below(PROGRAM);
    let mut terms = vec![evaluation::draw_program(random, &curried_reals(arguments), size + arguments)];
    let plot = curried_reals(COORDINATES);
    terms.extend((0..arguments).map(|_| evaluation::draw_smooth_program(random, &plot, COORDINATES + PLOT)));
    terms
}

/// Tests Theorem 3 at a sample.
fn theorem_3_at(setting: &GluingSetup, sample: &TheoremSample) -> Result<VerdictWithValues, GlueError> {
    let basis = &sample.basis;
    let stage = CoordinateSpace::new(basis.directions());
    let point = draw_point(&mut SplitMix64::new(sample.seed), basis.directions());
    let [program, plots_of @ ..] = &sample.terms[..] else { return Ok(Verdict::Vacuous.into()) };
    let core = evaluation::core_term(program)?;
    let derived = setting.derive_program(&core, &program.ty, basis)?;
    if let Err(error) = derived.check_types() {
        return Ok(Verdict::refuted("the type of the derived program", derived.ty, error).into());
    }
    let f = plots_of_programs(plots_of, &stage)?;
    let composite = apply_all(&evaluation::run_program(&core)?, f.iter().cloned().map(Element::Real))?;
    // the derived program gets one variable for each coordinate, so that the enclosures of the jets of f can be
    // supplied
    let inputs: Vec<Variable> = (0..f.len() * basis.len()).map(|_| Variable::fresh()).collect();
    let jets = inputs.chunks(basis.len()).map(|jet| representation::jet_of(jet.iter().map(|v| Graph::variable(*v))));
    let answer = representation::jet_coordinates(&apply_all(&evaluation::run_program(&derived.term)?, jets)?)?;
    let (f, composite) = (
        CompiledPlots::new(stage.variables(), &f)?,
        CompiledPlots::new(stage.variables(), &[composite.as_real()?.clone()])?,
    );
    let answer = CompiledPlots::new(&inputs, &answer)?;
    claim::judge_in_tiers(|tier| {
        let at = enclose_point(&point, tier);
        let jets: Vec<Enclosure> = f.enclose_derivatives(&at, basis, tier)?.concat();
        let (left, right) =
            (answer.enclose_values(&jets, tier)?, composite.enclose_derivatives(&at, basis, tier)?.concat());
        let name = |place| format!("{}, at u = {}", claim::coordinate_name(basis, place), claim::format_point(&point));
        Ok((claim::compare_jets(basis, &left, &right, name), true))
    })
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
    let range = setting.range_or(BasisRange::UpTo(2, 2));
    let setting = Arc::new(setting);
    let of_draw = setting.clone();
    let draw = move |random: &mut SplitMix64| {
        if let Some(operation) = of_draw.draw_single_operation(random) {
            return vec![operation];
        }
        let ty = Ty::function(random_type(random, 2), random_type(random, 2));
        let size = 4 + random.next_below(PROGRAM);
        let program = evaluation::draw_program(random, &ty, size);
        vec![of_draw.restrict_program(program, random)]
    };
    let judge = move |sample: &TheoremSample| setting.catch_panic(|| fundamental_lemma_at(&setting, sample));
    TheoremTest { range, draw: Box::new(draw), judge: Box::new(judge) }
}

/// Tests the fundamental lemma at a sample.
pub(super) fn fundamental_lemma_at(
    setting: &GluingSetup,
    sample: &TheoremSample,
) -> Result<VerdictWithValues, GlueError> {
    let basis = &sample.basis;
    let (core, ty) = (evaluation::core_term(&sample.terms[0])?, &sample.terms[0].ty);
    let derived = setting.derive_program(&core, ty, basis)?;
    if let Err(error) = derived.check_types() {
        return Ok(Verdict::refuted("the type of the derived program", derived.ty, error).into());
    }
    let representation = match setting.representation {
        Some(_) => evaluation::run_derived(&derived)?,
        None => evaluation::run_program(&derived.term)?,
    };
    let pair = PlotPair { plot: evaluation::run_program(&core)?, representation };
    test_related(setting, &setting.object_of_type(ty, basis)?, sample, |_| Ok(pair))
}

/// Tests whether an object relates the pair that `make` makes from the scope of the sample.
pub(super) fn test_related(
    setting: &GluingSetup,
    object: &GluingObject,
    sample: &TheoremSample,
    make: impl FnOnce(&mut PairSampler<'_>) -> Result<PlotPair, GlueError>,
) -> Result<VerdictWithValues, GlueError> {
    let mut random = SplitMix64::new(sample.seed);
    let point = draw_point(&mut random, sample.basis.directions());
    let stage = CoordinateSpace::near_point(&point);
    let representation = setting.representation_over(&sample.basis);
    let (plots, representations) =
        PlotScope::represented_over(&representation, &stage, &sample.basis, &mut random, sample.size)?;
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
    let range = setting.range_or(BasisRange::UpTo(2, 3));
    let judge = move |sample: &TheoremSample| {
        setting.catch_panic(|| {
            let ty = random_type(&mut SplitMix64::new(sample.seed), 3);
            let object = setting.object_of_type(&ty, &sample.basis)?;
            test_related(&setting, &object, sample, |sampler| Ok(sampler.draw_pair(&object)?))
        })
    };
    TheoremTest { range, draw: Box::new(|_| Vec::new()), judge: Box::new(judge) }
}

/// Tests that constants and coordinates are related to their representations. Pairs made by programs rest on these.
#[must_use]
pub fn base_pairs(setting: GluingSetup) -> TheoremTest<'static> {
    let range = setting.range_or(BasisRange::UpTo(2, 3));
    let judge = move |sample: &TheoremSample| setting.catch_panic(|| base_pairs_at(&setting, sample));
    TheoremTest { range, draw: Box::new(|_| Vec::new()), judge: Box::new(judge) }
}

/// The number of constants of a sample of base pairs. A choice.
const CONSTANTS: usize = 3;

/// Tests some constants, and every coordinate.
fn base_pairs_at(setting: &GluingSetup, sample: &TheoremSample) -> Result<VerdictWithValues, GlueError> {
    let object = setting.object_of_type(&Ty::real(), &sample.basis)?;
    let own = setting.representation_over(&sample.basis);
    let mut random = SplitMix64::new(sample.seed ^ 1);
    let mut judged: Option<VerdictWithValues> = None;
    for place in 0..CONSTANTS + sample.basis.directions() {
        let found = test_related(setting, &object, sample, |sampler| {
            let (plot, representation) = match place.checked_sub(CONSTANTS) {
                None => {
                    let value = draw_point(&mut random, 1).remove(0);
                    (sampler.plots.constant_value(&value)?, sampler.representations.constant_value(&value)?)
                }
                Some(direction) => {
                    let stage = sampler.plots.stage();
                    let u = Element::Real(Graph::variable(stage.variables()[direction]));
                    (u, own.coordinate(stage, direction, &mut random)?)
                }
            };
            representation::check_carrier(&*own, "a base pair", &representation)?;
            Ok(PlotPair { plot, representation })
        })?;
        judged = Some(match judged {
            Some(before) => before.and(found),
            None => found,
        });
    }
    Ok(judged.unwrap_or_else(|| Verdict::Vacuous.into()))
}

/// The depth of random types. A choice.
const TYPE: usize = 3;
/// The number of tests of a changed pair, each with other arguments and at another point. A choice.
const TRIES: usize = 6;

/// Returns `a + b`.
fn sum(a: &Graph, b: &Graph) -> Graph {
    Graph::binary(Binary::Add, a, b)
}

/// Returns `a · b`.
fn product(a: &Graph, b: &Graph) -> Graph {
    Graph::binary(Binary::Multiply, a, b)
}

/// The change of one leaf of a second plot.
#[derive(Clone, Debug)]
struct LeafChange {
    /// The seed that determines the leaf and the change.
    seed: u64,
    /// The graph that scales the change; `None` if the leaf changes in any case.
    by: Option<Graph>,
    /// `true` once a leaf was found.
    found: Arc<AtomicBool>,
}

impl LeafChange {
    /// Returns the representation with one leaf changed.
    fn change_leaf(&self, ty: &Ty, element: &Element) -> Result<Element, ValueError> {
        let mut random = SplitMix64::new(self.seed);
        let next = Self { seed: random.next(), ..self.clone() };
        Ok(match ty.kind() {
            TyKind::Real => {
                self.found.store(true, Ordering::Relaxed);
                let mut coordinates = representation::jet_coordinates(element)?;
                let place = random.next_below(coordinates.len());
                // c² + 1 is at least as large as |c|, so that the change exceeds the width of a narrow enclosure of c
                let c = coordinates[place].clone();
                let step = sum(&product(&c, &c), &Graph::integer(1));
                let step = self.by.as_ref().map_or_else(|| step.clone(), |by| product(&step, by));
                coordinates[place] = sum(&c, &step);
                representation::jet_of(coordinates)
            }
            TyKind::Nat if self.by.is_none() => {
                self.found.store(true, Ordering::Relaxed);
                Element::Natural(element.as_natural()? + 1)
            }
            TyKind::Tuple(types) => {
                let place = random.next_below(types.len());
                let parts = element.as_tuple()?.iter().zip(types).enumerate();
                let parts =
                    parts.map(|(i, (part, ty))| if i == place { next.change_leaf(ty, part) } else { Ok(part.clone()) });
                Element::tuple_of(parts.collect::<Result<Vec<_>, _>>()?)
            }
            TyKind::Data(data, arguments) if data.is_list() => {
                let mut elements: Vec<Element> = element.as_list()?.iter().cloned().collect();
                if !elements.is_empty() {
                    let place = random.next_below(elements.len());
                    if self.by.is_none() && random.random_bool(30) {
                        self.found.store(true, Ordering::Relaxed);
                        elements.pop();
                    } else {
                        elements[place] = next.change_leaf(&arguments[0], &elements[place])?;
                    }
                }
                Element::List(elements.into_iter().collect())
            }
            TyKind::Data(data, arguments) => {
                let (index, argument) = element.as_variant()?;
                // a constructor without arguments can stand in for any other; a label that varies by a slope would not
                // be constant
                let constant = data.constructors().position(|c| c.layer_type().is_none()).filter(|i| *i != index);
                match constant {
                    Some(other) if self.by.is_none() && random.random_bool(30) => {
                        self.found.store(true, Ordering::Relaxed);
                        Element::Variant(other, SharedBox::new(Element::Unit))
                    }
                    _ => Element::Variant(
                        index,
                        SharedBox::new(next.change_leaf(&data.argument_types(arguments)[index], argument)?),
                    ),
                }
            }
            TyKind::Function(domain, codomain) => {
                let function = element.as_function()?.clone();
                let (domain, codomain, by_argument) = (domain.clone(), codomain.clone(), random.random_bool(50));
                Element::from_closure(move |argument| {
                    let mut next = next.clone();
                    // only where the argument is a number, whose slope over the stage is known
                    if by_argument && let Some(slope) = argument_slope(&domain, argument)? {
                        next.by = Some(slope);
                    }
                    next.change_leaf(&codomain, &function.apply(argument)?)
                })
            }
            _ => element.clone(),
        })
    }
}

/// Returns the sum of the squares of the derivatives of an argument, which is 0 if the argument is constant. Returns
/// `None` for an argument that is not a number.
fn argument_slope(domain: &Ty, argument: &Element) -> Result<Option<Graph>, ValueError> {
    let TyKind::Real = domain.kind() else { return Ok(None) };
    let coordinates = representation::jet_coordinates(argument)?;
    Ok(coordinates[1..].iter().map(|c| product(c, c)).reduce(|a, b| sum(&a, &b)))
}

/// Tests that S determines the second plot at every type: of a related pair, changing one leaf gives an unrelated one.
/// The verdict is *survived* if the wrong pair was refuted.
#[must_use]
pub fn determination(setting: GluingSetup) -> TheoremTest<'static> {
    let judge = move |sample: &TheoremSample| {
        let ty = random_type(&mut SplitMix64::new(sample.seed), TYPE);
        test_determination(&setting, &ty, sample)
    };
    TheoremTest { range: BasisRange::UpTo(2, 3), draw: Box::new(|_| Vec::new()), judge: Box::new(judge) }
}

/// Like [`determination`], at one type.
#[must_use]
pub fn determination_at(setting: GluingSetup, ty: Ty) -> TheoremTest<'static> {
    let judge = move |sample: &TheoremSample| test_determination(&setting, &ty, sample);
    TheoremTest { range: BasisRange::UpTo(2, 3), draw: Box::new(|_| Vec::new()), judge: Box::new(judge) }
}

/// Tests the statement at one type.
fn test_determination(setting: &GluingSetup, ty: &Ty, sample: &TheoremSample) -> Result<VerdictWithValues, GlueError> {
    let basis = &sample.basis;
    let object = setting.object_of_type(ty, basis)?;
    let stage = CoordinateSpace::new(basis.directions());
    let mut random = SplitMix64::new(sample.seed ^ 1);
    let (plots, representations) = PlotScope::over_stage(&stage, basis, &mut random, sample.size)?;
    let mover = LeafChange { seed: random.next(), by: None, found: Arc::default() };
    let mut sampler = PairSampler { plots, representations, random: &mut random, size: DEPTH };
    let right = sampler.draw_pair(&object)?;
    // for another relation a drawn pair may be unrelated, and then its change shows nothing
    if setting.relation.is_some_and(|relation| !relation.relates_drawn_pairs()) {
        let at = draw_point(sampler.random, basis.directions());
        if let refuted @ Verdict::Refuted { .. } = object.test_related(&right, &stage, &mut sampler, &at)?.verdict {
            return Err(GlueError::UnrelatedDraw { because: refuted.to_string() });
        }
    }
    let wrong = PlotPair { representation: mover.change_leaf(ty, &right.representation)?, ..right };
    let mut all = VerdictWithValues::from(Verdict::Vacuous);
    for _ in 0..TRIES {
        let at = draw_point(sampler.random, basis.directions());
        let found = object.test_related(&wrong, &stage, &mut sampler, &at)?;
        if found.is_refuted() {
            return Ok(VerdictWithValues { verdict: Verdict::Survived, ..found });
        }
        all = all.and(found);
    }
    if let TyKind::Function(domain, _) = ty.kind()
        && !mover.found.load(Ordering::Relaxed)
    {
        // a relation that never applies functions has not reached the leaf, so the function is applied here
        let argument = sampler.draw_pair(&setting.object_of_type(domain, basis)?)?;
        wrong.representation.as_function()?.apply(&argument.representation)?;
    }
    // if a leaf was changed and no claim refutes, S admits the wrong pair; a relation that claims nothing of it admits
    // it too
    if !mover.found.load(Ordering::Relaxed) || (all.verdict == Verdict::Vacuous && !all.values.is_empty()) {
        return Ok(Verdict::Vacuous.into());
    }
    Ok(Verdict::refuted(
        format!("a related pair at {ty}"),
        "a plot and its representation",
        "another, with a leaf moved",
    )
    .into())
}
