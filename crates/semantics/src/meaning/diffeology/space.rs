//! The diffeological space of a type (H §4.1, §5.2).
//!
//! | type | space |
//! |---|---|
//! | `Real` | ℝ, with smooth functions as plots |
//! | tuples | products |
//! | `A -> B` | Diff(⟦A⟧, ⟦B⟧), functional diffeology: tested at random reparametrisations and plots |
//! | types with constructors, `List A` | disjoint unions: the constructors are locally constant |
//! | `Nat`, `Bool`, `unit` | discrete: only locally constant functions are plots |
//!
//! `Tan A`, isomorphisms and type variables have no space here: H has no such types. Recursive types other than lists are
//! refused, since random elements of them are not drawn.

use super::sample;
use crate::diffeology::error::shown;
use crate::diffeology::open::Open;
use crate::diffeology::piecewise::Piecewise;
use crate::diffeology::real::{exactly, same, told};
use crate::diffeology::region::Region;
use crate::diffeology::reparametrisation::Reparametrisation;
use crate::diffeology::smoothness::{direction, on_line};
use crate::diffeology::{Diffeology, DiffeologyError, Tried};
use crate::number::Rational;
use crate::presheaf::dynamic::Element;
use crate::presheaf::stage::at_a_stage;
use crate::random::Random;
use crate::smooth::graph::Graph;
use crate::smooth::map::Trial;
use crate::smooth::map::trial::jets_agree;
use crate::smooth::map::untyped::variables;
use crate::stack::deep;
use crate::syntax::ty::{Ty, TyKind};
use crate::value::Truth;
use crate::verdict::Verdict;

/// The diffeological space ⟦τ⟧ of a type τ.
#[derive(Clone, Debug)]
pub struct Denotation(Ty);

/// Functions into ⟦τ⟧ on an open: piecewise elements at the stage of its coordinates.
pub type Plot = Piecewise<Element>;

/// The number of arguments at which functions are compared, and of pairs of a reparametrisation and a plot for tests; a choice.
const ARGUMENTS: u64 = 3;
/// The depth to which functions of functions are tested; a choice.
const MOST_DEPTH: u32 = 4;

impl Denotation {
    /// Builds the space of a type.
    ///
    /// # Errors
    /// [`DiffeologyError::Shape`] for a type without a space, and for one whose elements are too large to draw.
    pub fn new(ty: Ty) -> Result<Self, DiffeologyError> {
        sample::inhabited(&ty)?;
        Ok(Self(ty))
    }

    /// Returns τ.
    #[must_use]
    pub fn ty(&self) -> &Ty {
        &self.0
    }
}

/// Restricts an element at the stage ℝⁿ along graphs for its coordinates: to a point, or along a map.
pub fn at_stage(element: &Element, graphs: &[Graph]) -> Element {
    let bindings: Vec<_> = variables(graphs.len()).into_iter().zip(graphs.iter().cloned()).collect();
    element.restrict(&bindings)
}

impl Diffeology for Denotation {
    /// An element at the stage without coordinates.
    type Point = Element;
    type Plot = Plot;

    fn domain(&self, plot: &Plot) -> Open {
        plot.domain().clone()
    }

    fn constant(&self, domain: &Open, x: &Element) -> Plot {
        Piecewise::whole(domain, x.clone())
    }

    fn reparametrise(&self, along: &Reparametrisation, plot: &Plot) -> Plot {
        plot.along(along, |element| element.restrict(&along.bindings()))
    }

    fn piecewise(&self, domain: &Open, pieces: Vec<(Region, Plot)>) -> Plot {
        Piecewise::joined(domain, pieces)
    }

    fn at(&self, plot: &Plot, u: &[Graph], trial: &Trial) -> Result<Element, DiffeologyError> {
        Ok(at_stage(plot.at(u, trial)?, u))
    }

    fn same(&self, x: &Element, y: &Element, trial: &Trial) -> Tried {
        x.measure()?;
        y.measure()?;
        Comparison::at_stage(0, trial).agree(&self.0, x, y)
    }

    fn is_plot(&self, plot: &Plot, trial: &Trial) -> Tried {
        for piece in plot.pieces() {
            piece.value.measure()?;
        }
        // discrete parts first: they must be constant on each connected piece, which needs no derivatives
        let constant = plot.is_constant(trial, discrete)?;
        if constant.is_refuted() {
            return Ok(constant);
        }
        let pieces = plot.everywhere(
            trial,
            |piece, u, random| match plot.near(piece, u, trial)? {
                Some(near) => judged(&self.0, &piece.value, near.from(), u, random, trial, 0),
                None => Ok(Verdict::Vacuous),
            },
            |p, q, u| {
                let u = exactly(u);
                self.same(&at_stage(p, &u), &at_stage(q, &u), trial)
            },
        )?;
        Ok(constant.both(pieces))
    }

    fn draw_point(&self, random: &mut Random) -> Element {
        sample::element(&self.0, 0, random)
    }

    fn draw_plot(&self, domain: &Open, random: &mut Random) -> Plot {
        Piecewise::whole(domain, sample::element(&self.0, domain.dimension(), random))
    }

    fn observed(&self, which: u64, plot: &Plot) -> Vec<(Region, Graph)> {
        let observed = |element| sample::observed(&self.0, element, which).unwrap_or_else(|_| Graph::integer(0));
        plot.pieces().iter().map(|p| (p.region.clone(), observed(&p.value))).collect()
    }

    fn told(&self, x: &Element, trial: &Trial) -> String {
        match x {
            Element::Real(g) => told(g, trial),
            other => discrete(other),
        }
    }
}

/// Formats the parts of an element that do not vary smoothly: constructors, lengths, natural numbers and truth values.
fn discrete(element: &Element) -> String {
    let inside = |open: &str, close: &str| {
        let parts: Vec<String> = element.parts().map(|part| deep(|| discrete(part))).collect();
        format!("{open}{}{close}", parts.join(", "))
    };
    match element {
        Element::Natural(n) => n.to_string(),
        Element::Boolean(b) => b.to_string(),
        Element::Tuple(_) => inside("(", ")"),
        Element::Variant(index, _) => inside(&format!("constructor {index} of "), ""),
        Element::List(_) => inside("[", "]"),
        other => other.kind().to_string(),
    }
}

fn mismatch(ty: &Ty, x: &Element) -> DiffeologyError {
    DiffeologyError::Shape { expected: format!("an element of {ty}"), found: x.kind().to_string() }
}

/// Returns the types of the parts of an element.
fn parts(ty: &Ty, x: &Element) -> Result<Vec<Ty>, DiffeologyError> {
    let count = x.parts().count();
    let types = match (ty.kind(), x) {
        (TyKind::Tuple(types), Element::Tuple(_)) => types.clone(),
        (TyKind::Data(data, arguments), Element::List(_)) if data.is_list() => vec![arguments[0].clone(); count],
        (TyKind::Data(data, arguments), Element::Variant(index, _)) if *index < data.width() => {
            vec![data.domains(arguments)[*index].clone()]
        }
        _ => return Err(mismatch(ty, x)),
    };
    if types.len() == count { Ok(types) } else { Err(mismatch(ty, x)) }
}

/// A comparison of elements at a stage.
pub(super) struct Comparison<'a> {
    /// The number of coordinates that elements and arguments mention.
    stage: usize,
    trial: &'a Trial,
}

impl<'a> Comparison<'a> {
    /// Compares elements at the stage ℝⁿ: numbers with their derivatives there, or by value for n = 0.
    pub(super) fn at_stage(stage: usize, trial: &'a Trial) -> Self {
        Self { stage, trial }
    }

    fn numbers(&self, x: &Graph, y: &Graph) -> Tried {
        if self.stage == 0 {
            return same(std::slice::from_ref(x), std::slice::from_ref(y), self.trial);
        }
        Ok(at_a_stage(self.stage, |space| {
            jets_agree(space.component(x).untyped(), space.component(y).untyped(), self.trial)
        })?)
    }

    /// Compares two elements of a type, functions at a few arguments.
    ///
    /// # Errors
    /// Those of evaluation, and [`DiffeologyError::Shape`] for an element of another type.
    pub(super) fn agree(&self, ty: &Ty, x: &Element, y: &Element) -> Tried {
        self.agree_at(ty, x, y, 0)
    }

    fn agree_at(&self, ty: &Ty, x: &Element, y: &Element, depth: u32) -> Tried {
        let discretely = |equal: bool| {
            let refuted = || Verdict::refuted("what does not vary", discrete(x), discrete(y));
            if equal { Verdict::Survived } else { refuted() }
        };
        Ok(match (ty.kind(), x, y) {
            (TyKind::Real, Element::Real(x), Element::Real(y)) => self.numbers(x, y)?,
            (TyKind::Nat, Element::Natural(x), Element::Natural(y)) => discretely(x == y),
            (TyKind::Bool, Element::Boolean(x), Element::Boolean(y)) => discretely(x.known() == y.known()),
            (TyKind::Unit, Element::Unit, Element::Unit) => Verdict::Survived,
            // beyond this depth each level would multiply the work by the number of arguments
            (TyKind::Function(..), Element::Function(_), Element::Function(_)) if depth >= MOST_DEPTH => {
                Verdict::Vacuous
            }
            (TyKind::Function(domain, codomain), Element::Function(f), Element::Function(g)) => {
                Verdict::all((0..ARGUMENTS).map(|index| {
                    let argument = sample::element(domain, self.stage, &mut Random::of(self.trial.seed, index));
                    self.agree_at(codomain, &f.apply(&argument)?, &g.apply(&argument)?, depth + 1)
                }))?
            }
            (TyKind::Tuple(_) | TyKind::Data(..), _, _) => {
                let (types, others) = (parts(ty, x)?, parts(ty, y)?);
                // other constructors or lengths are a discrete difference; their parts cannot be compared
                let labels = match (x, y) {
                    (Element::Variant(i, _), Element::Variant(j, _)) => i == j,
                    _ => types.len() == others.len(),
                };
                let mut all = discretely(labels);
                if labels {
                    for ((ty, x), y) in types.iter().zip(x.parts()).zip(y.parts()) {
                        all = all.both(deep(|| self.agree_at(ty, x, y, depth))?);
                    }
                }
                all
            }
            _ => return Err(mismatch(ty, x)),
        })
    }
}

/// Tests near a point whether an element over the coordinates is a plot on an open set.
fn judged(
    ty: &Ty,
    x: &Element,
    domain: &Open,
    u: &[Rational],
    random: &mut Random,
    trial: &Trial,
    depth: u32,
) -> Tried {
    Ok(match (ty.kind(), x) {
        (TyKind::Real, Element::Real(g)) => {
            on_line(std::slice::from_ref(g), u, &direction(random, u.len()), trial, |x| Ok(domain.contains(x)))?
        }
        (TyKind::Nat, Element::Natural(_)) | (TyKind::Bool, Element::Boolean(_)) | (TyKind::Unit, Element::Unit) => {
            Verdict::Survived
        }
        (TyKind::Function(..), Element::Function(_)) if depth >= MOST_DEPTH => Verdict::Vacuous,
        (TyKind::Function(from, to), Element::Function(_)) => {
            let mut all = Verdict::Survived;
            for index in 0..ARGUMENTS {
                // the first test is at the identity, the others at random reparametrisations
                let v = if index == 0 { domain.clone() } else { Open::whole(1 + random.below(2)) };
                let drawn = if index == 0 { None } else { Reparametrisation::draw(random, &v, domain) };
                let along = drawn.unwrap_or_else(|| Reparametrisation::identity(domain));
                let argument = sample::element(from, along.from().dimension(), random);
                let function = x.restrict(&along.bindings());
                let value = function.as_function()?.apply(&argument)?;
                value.measure()?;
                for point in along.from().samples(random, 2) {
                    let here = judged(to, &value, along.from(), &point, random, trial, depth + 1)?;
                    all = all.both(match here {
                        // the witness names both points: that of the function and that of the argument
                        Verdict::Refuted { witness, left, right } => {
                            Verdict::Refuted { witness: format!("{}, applied: {witness}", shown(u)), left, right }
                        }
                        other => other,
                    });
                }
                if all.is_refuted() {
                    break;
                }
            }
            all
        }
        (TyKind::Tuple(_) | TyKind::Data(..), _) => {
            let mut all = Verdict::Survived;
            for (ty, part) in parts(ty, x)?.iter().zip(x.parts()) {
                all = all.both(deep(|| judged(ty, part, domain, u, random, trial, depth))?);
            }
            all
        }
        _ => return Err(mismatch(ty, x)),
    })
}
