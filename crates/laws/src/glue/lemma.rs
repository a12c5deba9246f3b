//! The fundamental lemma, Theorem 3 and their premises (H Thm 3 with its proof, §6.2), tested on random programs.
//!
//! | statement | H |
//! |---|---|
//! | [`theorem_3`] | for f : ℝᵏ → ℝⁿ and t of n real variables, ⟦𝒟t⟧ maps the jets of f to those of f;⟦t⟧ |
//! | [`fundamental_lemma`] | ⟦t⟧ and ⟦𝒟t⟧ map related plots to related ones, at any types |
//! | [`generator`] | the pairs that serve as related arguments are related |
//!
//! In each, the relation and the macro may be replaced by [others](Setting), to test that a wrong one is refuted.

use super::claim;
use super::connectives::{Connectives, Paper as Clauses};
use super::error::GlueError;
use super::judged::Judged;
use super::object::{Object, Sampler};
use super::representation;
use super::scope::{self, Pair, Scope};
use super::stage::{Plots, Stage, TIERS, exact};
use super::trial::{Experiment, Range, Sample};
use crate::law::generate::{either, maybe, tree};
use crate::law::term::{Term, pair};
use crate::meaning::taylor::basis::Basis;
use crate::meaning::taylor::derive::{Derived, derive_with};
use crate::meaning::taylor::functor::Taylor;
use crate::meaning::taylor::hooks::{Hooks, Library};
use crate::meaning::taylor::types::Types;
use crate::number::{Enclosure, Rational};
use crate::presheaf::dynamic::Element;
use crate::random::Random;
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
pub struct Setting {
    /// The rules of the macro; `None` for the right ones.
    pub rules: Option<&'static dyn Hooks>,
    /// The clauses of the relation; `None` for those of H.
    pub relation: Option<&'static dyn Connectives>,
}

impl Setting {
    /// Returns 𝒟 of a program.
    ///
    /// # Errors
    /// [`GlueError::Macro`] if the macro has no rule for the program, or its result is too large.
    pub fn derived(&self, term: &Core, ty: &Ty, basis: &Basis) -> Result<Derived, GlueError> {
        Ok(derive_with(&Taylor::under(self.rules.unwrap_or(&Library), basis.clone()), term, ty)?)
    }

    /// Returns ⦇τ⦈.
    ///
    /// # Errors
    /// [`GlueError::Type`] for tangents, isomorphisms, and recursive types that contain ever larger instances of
    /// themselves.
    pub fn object(&self, ty: &Ty, basis: &Arc<Basis>) -> Result<Object, GlueError> {
        let types = Types::new(basis.len());
        self.object_in(ty, basis, &types, &mut Vec::new())
    }

    /// Returns ⦇τ⦈. `open` holds the data types around τ.
    fn object_in(&self, ty: &Ty, basis: &Arc<Basis>, types: &Types, open: &mut Vec<Ty>) -> Result<Object, GlueError> {
        let clauses = self.relation.unwrap_or(&Clauses);
        let none = || GlueError::Type { ty: ty.to_string() };
        Ok(match ty.kind() {
            TyKind::Real => Object::real_by(clauses, basis),
            TyKind::Nat | TyKind::Bool => Object::discrete(clauses, ty),
            TyKind::Unit => Object::product(&[]),
            TyKind::Tuple(parts) => {
                let parts: Result<Vec<_>, _> =
                    parts.iter().map(|part| self.object_in(part, basis, types, open)).collect();
                Object::product_by(clauses, &parts?)
            }
            TyKind::Function(a, b) => {
                let a = self.object_in(a, basis, types, open)?;
                Object::exponential_by(clauses, &a, &self.object_in(b, basis, types, open)?)
            }
            TyKind::Data(data, arguments) if data.is_list() => {
                Object::list_by(clauses, &self.object_in(&arguments[0], basis, types, open)?)
            }
            TyKind::Data(data, arguments) => {
                // a type inside itself is unfolded lazily, or its object would be infinite
                if open.contains(ty) {
                    let (setting, basis, inside) = (*self, basis.clone(), ty.clone());
                    let unfold = move || setting.object(&inside, &basis);
                    return Ok(Object::inside(clauses, ty.clone(), types.ty(ty), unfold));
                }
                if open.len() == DEEPEST {
                    return Err(none());
                }
                open.push(ty.clone());
                let domains = data.domains(arguments);
                let summands: Result<Vec<_>, _> =
                    domains.iter().map(|domain| self.object_in(domain, basis, types, open)).collect();
                open.pop();
                let names = data.constructors().map(|constructor| constructor.name().to_string()).collect();
                Object::sum(clauses, ty.clone(), types.ty(ty), &summands?, names)
            }
            TyKind::Tangent(_) | TyKind::Iso(..) | TyKind::Variable(..) => return Err(none()),
        })
    }
}

/// Draws a point of ℝᵏ, mostly away from the numbers at which operations are undefined.
#[must_use]
pub fn point(random: &mut Random, dimension: usize) -> Vec<Rational> {
    let number = |random: &mut Random| Rational::from((random.below(33) as i64 - 16, *random.pick(&[1, 2, 4, 8, 16])));
    (0..dimension).map(|_| number(random)).collect()
}

/// Returns the type `Real -> … -> Real` with this number of arguments.
#[must_use]
pub fn curried(arguments: usize) -> Ty {
    (0..arguments).fold(Ty::real(), |ty, _| Ty::function(Ty::real(), ty))
}

/// Applies a function to arguments, one after another.
///
/// # Errors
/// Those of the function; [`GlueError::Element`] if a value is not a function.
pub fn applied(function: &Element, arguments: impl IntoIterator<Item = Element>) -> Result<Element, GlueError> {
    let mut value = function.clone();
    for argument in arguments {
        value = value.as_function()?.apply(&argument)?;
    }
    Ok(value)
}

/// The number of coordinates of the programs of plots. If k is smaller, coordinates are repeated. A choice.
const COORDINATES: usize = 3;

/// Returns the plots ℝᵏ → ℝ of programs of three numbers.
pub(super) fn plots(terms: &[Term], stage: &Stage) -> Result<Vec<Graph>, GlueError> {
    let coordinates: Vec<Graph> = stage.coordinates().collect();
    let at = |i: usize| Element::Real(coordinates[i % coordinates.len()].clone());
    let mut graphs = Vec::with_capacity(terms.len());
    for term in terms {
        let function = scope::run(&scope::core(term)?)?;
        graphs.push(applied(&function, (0..COORDINATES).map(at))?.as_real()?.clone());
    }
    Ok(graphs)
}

/// The spread of the sizes of random programs, in heads. A choice.
const PROGRAM: usize = 24;
/// The size of the random programs of plots beyond their coordinates, in heads. A choice.
const PLOT: usize = 6;

/// Theorem 3 (H): compares the derived program at the jets of f with the jets of the composite.
#[must_use]
pub fn theorem_3(setting: Setting) -> Experiment<'static> {
    let judge = move |sample: &Sample| theorem_3_at(&setting, sample);
    Experiment { range: Range::UpTo(3, 4), draw: Box::new(with_plots), judge: Box::new(judge) }
}

/// Draws a program of some numbers, and for each number a program of a plot.
pub(super) fn with_plots(random: &mut Random) -> Vec<Term> {
    let arguments = 1 + random.below(3);
    let size = 4 + random.below(PROGRAM);
    let mut terms = vec![scope::program(random, &curried(arguments), size + arguments)];
    let plot = curried(COORDINATES);
    terms.extend((0..arguments).map(|_| scope::smooth(random, &plot, COORDINATES + PLOT)));
    terms
}

/// Tests Theorem 3 at a sample.
fn theorem_3_at(setting: &Setting, sample: &Sample) -> Result<Judged, GlueError> {
    let basis = &sample.basis;
    let stage = Stage::new(basis.directions());
    let point = point(&mut Random::new(sample.seed), basis.directions());
    let [program, plots_of @ ..] = &sample.terms[..] else { return Ok(Verdict::Vacuous.into()) };
    let core = scope::core(program)?;
    let derived = setting.derived(&core, &program.ty, basis)?;
    if let Err(error) = derived.check() {
        return Ok(Verdict::refuted("the type of the derived program", derived.ty, error).into());
    }
    let f = plots(plots_of, &stage)?;
    let composite = applied(&scope::run(&core)?, f.iter().cloned().map(Element::Real))?;
    // the derived program gets one variable for each coordinate, so that the enclosures of the jets of f can be
    // supplied
    let inputs: Vec<Variable> = (0..f.len() * basis.len()).map(|_| Variable::fresh()).collect();
    let jets = inputs.chunks(basis.len()).map(|jet| representation::jet(jet.iter().map(|v| Graph::variable(*v))));
    let answer = representation::coordinates(&applied(&scope::run(&derived.term)?, jets)?)?;
    let (f, composite) =
        (Plots::new(stage.variables(), &f)?, Plots::new(stage.variables(), &[composite.as_real()?.clone()])?);
    let answer = Plots::new(&inputs, &answer)?;
    // wider arithmetics until the enclosures are narrow
    let mut judged = Judged::from(Verdict::Vacuous);
    for tier in TIERS {
        let at = exact(&point, tier);
        let jets: Vec<Enclosure> = f.derivatives(&at, basis, tier)?.concat();
        let (left, right) = (answer.values(&jets, tier)?, composite.derivatives(&at, basis, tier)?.concat());
        let name = |place| format!("{}, at u = {}", claim::name(basis, place), claim::tuple(&point));
        judged = claim::compared(basis, &left, &right, name);
        if judged.verdict != Verdict::Vacuous {
            break;
        }
    }
    Ok(judged)
}

/// Draws a type; functions and real numbers are the most frequent.
pub fn random_type(random: &mut Random, depth: usize) -> Ty {
    let part = |random: &mut Random| random_type(random, depth - 1);
    match random.weighted(if depth == 0 {
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
            pair(first, part(random))
        }
        3 => Ty::list(part(random)),
        4 => maybe(part(random)),
        5 => {
            let left = part(random);
            either(left, part(random))
        }
        6 => tree(part(random)),
        _ => Ty::new(TyKind::Nat),
    }
}

/// The fundamental lemma (H, proof of Thm 3): closed programs of function types map related plots to related plots.
#[must_use]
pub fn fundamental_lemma(setting: Setting) -> Experiment<'static> {
    let draw = |random: &mut Random| {
        let ty = Ty::function(random_type(random, 2), random_type(random, 2));
        let size = 4 + random.below(PROGRAM);
        vec![scope::program(random, &ty, size)]
    };
    let judge = move |sample: &Sample| {
        let basis = &sample.basis;
        let (core, ty) = (scope::core(&sample.terms[0])?, &sample.terms[0].ty);
        let derived = setting.derived(&core, ty, basis)?;
        if let Err(error) = derived.check() {
            return Ok(Verdict::refuted("the type of the derived program", derived.ty, error).into());
        }
        let pair = Pair { plot: scope::run(&core)?, representation: scope::run(&derived.term)? };
        related(&setting.object(ty, basis)?, sample, |_| Ok(pair))
    };
    Experiment { range: Range::UpTo(2, 2), draw: Box::new(draw), judge: Box::new(judge) }
}

/// Tests whether an object relates the pair that `make` makes from the scope of the sample.
pub(super) fn related(
    object: &Object,
    sample: &Sample,
    make: impl FnOnce(&mut Sampler<'_>) -> Result<Pair, GlueError>,
) -> Result<Judged, GlueError> {
    let stage = Stage::new(sample.basis.directions());
    let mut random = Random::new(sample.seed);
    let point = point(&mut random, sample.basis.directions());
    let (plots, representations) = Scope::over(&stage, &sample.basis, &mut random, sample.size)?;
    let mut sampler = Sampler { plots, representations, random: &mut random, size: DEPTH };
    let pair = make(&mut sampler)?;
    object.relates(&pair, &stage, &mut sampler, &point)
}

/// The observation depth of functions in random arguments. A choice.
const DEPTH: usize = 2;

/// Tests that the drawn pairs are related, at random types. It checks the generator and the relation against each
/// other.
#[must_use]
pub fn generator(setting: Setting) -> Experiment<'static> {
    let judge = move |sample: &Sample| {
        let ty = random_type(&mut Random::new(sample.seed), 3);
        let object = setting.object(&ty, &sample.basis)?;
        related(&object, sample, |sampler| Ok(sampler.draw(&object)?))
    };
    Experiment { range: Range::UpTo(2, 3), draw: Box::new(|_| Vec::new()), judge: Box::new(judge) }
}
