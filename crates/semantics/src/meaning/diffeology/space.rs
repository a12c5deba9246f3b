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
use crate::diffeology::error::format_rational_point;
use crate::diffeology::open::OpenSet;
use crate::diffeology::piecewise::PiecewisePlot;
use crate::diffeology::real::{compare_points, format_number, rational_point};
use crate::diffeology::region::PieceRegion;
use crate::diffeology::reparametrisation::Reparametrisation;
use crate::diffeology::smoothness::{draw_direction, test_smoothness_on_line};
use crate::diffeology::{Diffeology, DiffeologyError, DiffeologyVerdict};
use crate::number::Rational;
use crate::presheaf::dynamic::Element;
use crate::presheaf::stage::with_stage;
use crate::random::SplitMix64;
use crate::smooth::graph::Graph;
use crate::smooth::map::MapTestConfig;
use crate::smooth::map::trial::jets_agree;
use crate::smooth::map::untyped::coordinate_variables;
use crate::stack::with_stack;
use crate::syntax::ty::{Ty, TyKind};
use crate::value::TruthType;
use crate::verdict::Verdict;

/// The diffeological space ⟦τ⟧ of a type τ.
#[derive(Clone, Debug)]
pub struct TypeSpace(Ty);

/// Functions into ⟦τ⟧ on an open: piecewise elements at the stage of its coordinates.
pub type ElementPlot = PiecewisePlot<Element>;

/// The number of arguments at which functions are compared, and of pairs of a reparametrisation and a plot for tests; a choice.
const TEST_ARGUMENTS: u64 = 3;
/// The depth to which functions of functions are tested; a choice.
const MAX_FUNCTION_DEPTH: u32 = 4;

impl TypeSpace {
    /// Builds the space of a type.
    ///
    /// # Errors
    /// [`DiffeologyError::Shape`] for a type without a space, and for one whose elements are too large to draw.
    pub fn new(ty: Ty) -> Result<Self, DiffeologyError> {
        sample::check_drawable(&ty)?;
        Ok(Self(ty))
    }

    /// Returns τ.
    #[must_use]
    pub fn ty(&self) -> &Ty {
        &self.0
    }
}

/// Restricts an element at the stage ℝⁿ along graphs for its coordinates: to a point, or along a map.
pub fn restrict_to(element: &Element, graphs: &[Graph]) -> Element {
    let bindings: Vec<_> = coordinate_variables(graphs.len()).into_iter().zip(graphs.iter().cloned()).collect();
    element.restrict(&bindings)
}

impl Diffeology for TypeSpace {
    /// An element at the stage without coordinates.
    type Point = Element;
    type Plot = ElementPlot;

    fn plot_domain(&self, plot: &ElementPlot) -> OpenSet {
        plot.domain().clone()
    }

    fn constant_plot(&self, domain: &OpenSet, x: &Element) -> ElementPlot {
        PiecewisePlot::single_piece(domain, x.clone())
    }

    fn reparametrise(&self, along: &Reparametrisation, plot: &ElementPlot) -> ElementPlot {
        plot.pull_back(along, |element| element.restrict(&along.coordinate_bindings()))
    }

    fn glue_pieces(&self, domain: &OpenSet, pieces: Vec<(PieceRegion, ElementPlot)>) -> ElementPlot {
        PiecewisePlot::join_pieces(domain, pieces)
    }

    fn value_at(&self, plot: &ElementPlot, u: &[Graph], trial: &MapTestConfig) -> Result<Element, DiffeologyError> {
        Ok(restrict_to(plot.description_at(u, trial)?, u))
    }

    fn compare_points(&self, x: &Element, y: &Element, trial: &MapTestConfig) -> DiffeologyVerdict {
        x.check_size()?;
        y.check_size()?;
        ElementComparison::at_stage(0, trial).compare_elements(&self.0, x, y)
    }

    fn test_plot(&self, plot: &ElementPlot, trial: &MapTestConfig) -> DiffeologyVerdict {
        for piece in plot.pieces() {
            piece.value.check_size()?;
        }
        // discrete parts first: they must be constant on each connected piece, which needs no derivatives
        let constant = plot.test_locally_constant(trial, format_discrete)?;
        if constant.is_refuted() {
            return Ok(constant);
        }
        let pieces = plot.test_everywhere(
            trial,
            |piece, u, random| match plot.inclusion_near(piece, u, trial)? {
                Some(near) => test_plot_near(&self.0, &piece.value, near.domain(), u, random, trial, 0),
                None => Ok(Verdict::Vacuous),
            },
            |p, q, u| {
                let u = rational_point(u);
                self.compare_points(&restrict_to(p, &u), &restrict_to(q, &u), trial)
            },
        )?;
        Ok(constant.and_part(pieces))
    }

    fn draw_point(&self, random: &mut SplitMix64) -> Element {
        sample::draw_element(&self.0, 0, random)
    }

    fn draw_plot(&self, domain: &OpenSet, random: &mut SplitMix64) -> ElementPlot {
        PiecewisePlot::single_piece(domain, sample::draw_element(&self.0, domain.dimension(), random))
    }

    fn observe_plot(&self, which: u64, plot: &ElementPlot) -> Vec<(PieceRegion, Graph)> {
        let observed = |element| sample::observe_number(&self.0, element, which).unwrap_or_else(|_| Graph::integer(0));
        plot.pieces().iter().map(|p| (p.region.clone(), observed(&p.value))).collect()
    }

    fn describe_point(&self, x: &Element, trial: &MapTestConfig) -> String {
        match x {
            Element::Real(g) => format_number(g, trial),
            other => format_discrete(other),
        }
    }
}

/// Formats the parts of an element that do not vary smoothly: constructors, lengths, natural numbers and truth values.
fn format_discrete(element: &Element) -> String {
    let inside = |open: &str, close: &str| {
        let parts: Vec<String> = element.direct_parts().map(|part| with_stack(|| format_discrete(part))).collect();
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

fn shape_mismatch(ty: &Ty, x: &Element) -> DiffeologyError {
    DiffeologyError::Shape { expected: format!("an element of {ty}"), found: x.kind().to_string() }
}

/// Returns the types of the parts of an element.
fn part_types(ty: &Ty, x: &Element) -> Result<Vec<Ty>, DiffeologyError> {
    let count = x.direct_parts().count();
    let types = match (ty.kind(), x) {
        (TyKind::Tuple(types), Element::Tuple(_)) => types.clone(),
        (TyKind::Data(data, arguments), Element::List(_)) if data.is_list() => vec![arguments[0].clone(); count],
        (TyKind::Data(data, arguments), Element::Variant(index, _)) if *index < data.constructor_count() => {
            vec![data.argument_types(arguments)[*index].clone()]
        }
        _ => return Err(shape_mismatch(ty, x)),
    };
    if types.len() == count { Ok(types) } else { Err(shape_mismatch(ty, x)) }
}

/// A comparison of elements at a stage.
pub(super) struct ElementComparison<'a> {
    /// The number of coordinates that elements and arguments mention.
    stage: usize,
    trial: &'a MapTestConfig,
}

impl<'a> ElementComparison<'a> {
    /// Compares elements at the stage ℝⁿ: numbers with their derivatives there, or by value for n = 0.
    pub(super) fn at_stage(stage: usize, trial: &'a MapTestConfig) -> Self {
        Self { stage, trial }
    }

    fn compare_numbers(&self, x: &Graph, y: &Graph) -> DiffeologyVerdict {
        if self.stage == 0 {
            return compare_points(std::slice::from_ref(x), std::slice::from_ref(y), self.trial);
        }
        Ok(with_stage(self.stage, |space| {
            jets_agree(space.component_map(x).as_dyn(), space.component_map(y).as_dyn(), self.trial)
        })?)
    }

    /// Compares two elements of a type, functions at a few arguments.
    ///
    /// # Errors
    /// Those of evaluation, and [`DiffeologyError::Shape`] for an element of another type.
    pub(super) fn compare_elements(&self, ty: &Ty, x: &Element, y: &Element) -> DiffeologyVerdict {
        self.compare_at_depth(ty, x, y, 0)
    }

    fn compare_at_depth(&self, ty: &Ty, x: &Element, y: &Element, depth: u32) -> DiffeologyVerdict {
        let discretely = |equal: bool| {
            let refuted = || Verdict::refuted("what does not vary", format_discrete(x), format_discrete(y));
            if equal { Verdict::Survived } else { refuted() }
        };
        Ok(match (ty.kind(), x, y) {
            (TyKind::Real, Element::Real(x), Element::Real(y)) => self.compare_numbers(x, y)?,
            (TyKind::Nat, Element::Natural(x), Element::Natural(y)) => discretely(x == y),
            (TyKind::Bool, Element::Boolean(x), Element::Boolean(y)) => {
                discretely(x.decided_value() == y.decided_value())
            }
            (TyKind::Unit, Element::Unit, Element::Unit) => Verdict::Survived,
            // beyond this depth each level would multiply the work by the number of arguments
            (TyKind::Function(..), Element::Function(_), Element::Function(_)) if depth >= MAX_FUNCTION_DEPTH => {
                Verdict::Vacuous
            }
            (TyKind::Function(domain, codomain), Element::Function(f), Element::Function(g)) => {
                Verdict::all_samples((0..TEST_ARGUMENTS).map(|index| {
                    let argument =
                        sample::draw_element(domain, self.stage, &mut SplitMix64::for_sample(self.trial.seed, index));
                    self.compare_at_depth(codomain, &f.apply(&argument)?, &g.apply(&argument)?, depth + 1)
                }))?
            }
            (TyKind::Tuple(_) | TyKind::Data(..), _, _) => {
                let (types, others) = (part_types(ty, x)?, part_types(ty, y)?);
                // other constructors or lengths are a discrete difference; their parts cannot be compared
                let labels = match (x, y) {
                    (Element::Variant(i, _), Element::Variant(j, _)) => i == j,
                    _ => types.len() == others.len(),
                };
                let mut all = discretely(labels);
                if labels {
                    for ((ty, x), y) in types.iter().zip(x.direct_parts()).zip(y.direct_parts()) {
                        all = all.and_part(with_stack(|| self.compare_at_depth(ty, x, y, depth))?);
                    }
                }
                all
            }
            _ => return Err(shape_mismatch(ty, x)),
        })
    }
}

/// Tests near a point whether an element over the coordinates is a plot on an open set.
fn test_plot_near(
    ty: &Ty,
    x: &Element,
    domain: &OpenSet,
    u: &[Rational],
    random: &mut SplitMix64,
    trial: &MapTestConfig,
    depth: u32,
) -> DiffeologyVerdict {
    Ok(match (ty.kind(), x) {
        (TyKind::Real, Element::Real(g)) => {
            test_smoothness_on_line(std::slice::from_ref(g), u, &draw_direction(random, u.len()), trial, |x| {
                Ok(domain.contains(x))
            })?
        }
        (TyKind::Nat, Element::Natural(_)) | (TyKind::Bool, Element::Boolean(_)) | (TyKind::Unit, Element::Unit) => {
            Verdict::Survived
        }
        (TyKind::Function(..), Element::Function(_)) if depth >= MAX_FUNCTION_DEPTH => Verdict::Vacuous,
        (TyKind::Function(from, to), Element::Function(_)) => {
            let mut all = Verdict::Survived;
            for index in 0..TEST_ARGUMENTS {
                // the first test is at the identity, the others at random reparametrisations
                let v = if index == 0 { domain.clone() } else { OpenSet::whole_space(1 + random.next_below(2)) };
                let drawn = if index == 0 { None } else { Reparametrisation::draw_map(random, &v, domain) };
                let along = drawn.unwrap_or_else(|| Reparametrisation::identity(domain));
                let argument = sample::draw_element(from, along.domain().dimension(), random);
                let function = x.restrict(&along.coordinate_bindings());
                let value = function.as_function()?.apply(&argument)?;
                value.check_size()?;
                for point in along.domain().sample_points(random, 2) {
                    let here = test_plot_near(to, &value, along.domain(), &point, random, trial, depth + 1)?;
                    all = all.and_part(match here {
                        // the witness names both points: that of the function and that of the argument
                        Verdict::Refuted { witness, left, right } => Verdict::Refuted {
                            witness: format!("{}, applied: {witness}", format_rational_point(u)),
                            left,
                            right,
                        },
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
            for (ty, part) in part_types(ty, x)?.iter().zip(x.direct_parts()) {
                all = all.and_part(with_stack(|| test_plot_near(ty, part, domain, u, random, trial, depth))?);
            }
            all
        }
        _ => return Err(shape_mismatch(ty, x)),
    })
}
