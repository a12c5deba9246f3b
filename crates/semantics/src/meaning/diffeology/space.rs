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
//!
//! # Random elements of a type at a stage of n coordinates
//!
//! Random elements of a type at a stage of n coordinates, and the numbers observed in elements.
//!
//! A random function A → B is a random element of B at a stage with one coordinate more. A number observed in the argument is
//! substituted for that coordinate. All numbers are smooth functions of the coordinates.
//!
//! # Values of the language as two categories
//!
//! Presheaves, and diffeological spaces (S §5.1; H §4.1, §5.2).
//!
//! The objects of both are types, the arrows are functions of values at any stage, and the [structure](crate::presheaf::dynamic)
//! is the same. They differ in equality. With [`StagewiseEquality`] an arrow is a natural transformation; two are equal if they are at every
//! stage, with all derivatives. An arrow of [`Diff`] sends plots to plots; two are equal if they are at every point of every
//! plot.

use crate::category::opposite::RelabelEnds;
use crate::category::value::{
    ArrowError, ArrowResult, ValueCartesian, ValueCategory, ValueClosed, ValueCocartesian, ValueLists, ValueSetoid,
};
use crate::category::{Cartesian, CartesianClosed, Category, Cocartesian, Lists, ObjectName, Setoid};
use crate::diffeology::open::{OpenSet, Reparametrisation, draw_smooth_graph};
use crate::diffeology::piecewise::{PieceRegion, PiecewisePlot};
use crate::diffeology::smoothness::{
    compare_points, draw_direction, format_number, rational_point, test_smoothness_on_line,
};
use crate::diffeology::space::format_rational_point;
use crate::diffeology::{Diffeology, DiffeologyError, DiffeologyVerdict};
use crate::number::Rational;
use crate::presheaf::dynamic::{Element, StageFunction};
use crate::presheaf::{dynamic, with_stage};
use crate::random::SplitMix64;
use crate::simple::{CategoryOfTypes, ListOf, One, Plus, SimpleTypes, Times, To, Zero};
use crate::smooth::graph::{Binary, Graph};
use crate::smooth::map::category::jets_agree;
use crate::smooth::map::{MapTestConfig, coordinate_variables};
use crate::stack::with_stack;
use crate::syntax::data::is_uninhabited;
use crate::syntax::ty::{Ty, TyKind};
use crate::value::{SharedBox, SharedList, TruthType, ValueError};
use crate::verdict::Verdict;
use std::marker::PhantomData;

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
        check_drawable(&ty)?;
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
        draw_element(&self.0, 0, random)
    }

    fn draw_plot(&self, domain: &OpenSet, random: &mut SplitMix64) -> ElementPlot {
        PiecewisePlot::single_piece(domain, draw_element(&self.0, domain.dimension(), random))
    }

    fn observe_plot(&self, which: u64, plot: &ElementPlot) -> Vec<(PieceRegion, Graph)> {
        let observed = |element| observe_number(&self.0, element, which).unwrap_or_else(|_| Graph::integer(0));
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
pub(in crate::meaning) struct ElementComparison<'a> {
    /// The number of coordinates that elements and arguments mention.
    stage: usize,
    trial: &'a MapTestConfig,
}

impl<'a> ElementComparison<'a> {
    /// Compares elements at the stage ℝⁿ: numbers with their derivatives there, or by value for n = 0.
    pub(in crate::meaning) fn at_stage(stage: usize, trial: &'a MapTestConfig) -> Self {
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
    pub(in crate::meaning) fn compare_elements(&self, ty: &Ty, x: &Element, y: &Element) -> DiffeologyVerdict {
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
                        draw_element(domain, self.stage, &mut SplitMix64::for_sample(self.trial.seed, index));
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
                let argument = draw_element(from, along.domain().dimension(), random);
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

/// The greatest length of a random list; a choice.
const MAX_LIST_LENGTH: usize = 2;
/// The most parts of a random element; a choice.
const MAX_ELEMENT_PARTS: usize = 2_000;

/// Fails unless a type has a space whose elements can be drawn. Such a type is made of `Real`, `Nat`, `Bool`, `unit`, tuples,
/// functions and types with constructors, and its elements are not too large to draw.
///
/// # Errors
/// [`DiffeologyError::Shape`], with the part at fault.
pub fn check_drawable(ty: &Ty) -> Result<(), DiffeologyError> {
    let mut size = 0;
    add_parts(ty, &mut size)
}

/// Adds to `size` the parts that a random element of a type may have.
fn add_parts(ty: &Ty, size: &mut usize) -> Result<(), DiffeologyError> {
    *size += 1;
    if *size > MAX_ELEMENT_PARTS {
        let expected = format!("a type whose elements have at most {MAX_ELEMENT_PARTS} parts");
        return Err(DiffeologyError::Shape { expected, found: "a larger one".to_owned() });
    }
    let mut all = |parts: &[Ty]| parts.iter().try_for_each(|part| with_stack(|| add_parts(part, size)));
    match ty.kind() {
        TyKind::Real | TyKind::Nat | TyKind::Bool | TyKind::Unit => Ok(()),
        TyKind::Tuple(parts) => all(parts),
        TyKind::Function(a, b) => all(&[a.clone(), b.clone()]),
        TyKind::Data(data, arguments) if data.is_list() => (0..MAX_LIST_LENGTH).try_for_each(|_| all(arguments)),
        TyKind::Data(data, arguments) => all(&data.argument_types(arguments)),
        _ => {
            let expected = "a type of numbers, tuples, functions and constructors".to_owned();
            Err(DiffeologyError::Shape { expected, found: ty.to_string() })
        }
    }
}

/// Draws a random element at the stage of n coordinates.
#[must_use]
pub fn draw_element(ty: &Ty, dimension: usize, random: &mut SplitMix64) -> Element {
    match ty.kind() {
        TyKind::Nat => Element::Natural(random.next_below(4) as u64),
        TyKind::Bool => Element::from_bool(random.random_bool(50)),
        TyKind::Unit => Element::Unit,
        TyKind::Tuple(parts) => {
            Element::tuple_of(parts.iter().map(|part| with_stack(|| draw_element(part, dimension, random))))
        }
        TyKind::Data(data, arguments) if data.is_list() => {
            let mut one = || with_stack(|| draw_element(&arguments[0], dimension, random));
            // all elements are drawn, whatever the length: later draws do not depend on it
            let list: Vec<Element> = (0..MAX_LIST_LENGTH).map(|_| one()).collect();
            let length = random.next_below(MAX_LIST_LENGTH + 1);
            Element::List(list.into_iter().take(length).collect::<SharedList<_>>())
        }
        TyKind::Data(data, arguments) if data.constructor_count() > 0 => {
            let index = random.next_below(data.constructor_count());
            let argument = with_stack(|| draw_element(&data.argument_types(arguments)[index], dimension, random));
            Element::Variant(index, SharedBox::new(argument))
        }
        TyKind::Function(from, to) => {
            let body = with_stack(|| draw_element(to, dimension + 1, random));
            // the last coordinate is the hole for the number observed in the argument
            let (from, which, hole) = (from.clone(), random.next(), coordinate_variables(dimension + 1)[dimension]);
            Element::from_closure(move |argument| Ok(body.restrict(&[(hole, observe_number(&from, argument, which)?)])))
        }
        _ => Element::Real(draw_smooth_graph(random, dimension)),
    }
}

fn add_graphs(a: &Graph, b: &Graph) -> Graph {
    Graph::binary(Binary::Add, a, b)
}

/// Returns a number that depends smoothly on an element. `which` selects the arguments at which functions are observed.
///
/// # Errors
/// [`ValueError`] of a function that is applied.
pub fn observe_number(ty: &Ty, x: &Element, which: u64) -> Result<Graph, ValueError> {
    Ok(match (ty.kind(), x) {
        (TyKind::Real, Element::Real(g)) => g.clone(),
        (_, Element::Natural(n)) => Graph::rational((*n).into()),
        (_, Element::Boolean(b)) => Graph::integer(i64::from(b.decided_value() == Some(true))),
        (TyKind::Tuple(types), Element::Tuple(parts)) => {
            let mut sum = Graph::integer(0);
            for (ty, part) in types.iter().zip(parts.iter()) {
                sum = add_graphs(&sum, &with_stack(|| observe_number(ty, part, which))?);
            }
            sum
        }
        (TyKind::Data(data, arguments), Element::Variant(index, argument)) if *index < data.constructor_count() => {
            let inner = with_stack(|| observe_number(&data.argument_types(arguments)[*index], argument, which))?;
            add_graphs(&inner, &Graph::integer(*index as i64))
        }
        (TyKind::Data(data, arguments), Element::List(list)) if data.is_list() => {
            let mut sum = Graph::integer(0);
            for part in list.iter() {
                sum = add_graphs(&sum, &with_stack(|| observe_number(&arguments[0], part, which))?);
            }
            sum
        }
        (TyKind::Function(from, to), Element::Function(f)) => {
            let argument = draw_element(from, 0, &mut SplitMix64::new(which));
            with_stack(|| observe_number(to, &f.apply(&argument)?, which.rotate_left(7)))?
        }
        _ => Graph::integer(0),
    })
}

/// An equality of functions of values as arrows.
pub trait ArrowEquality: 'static {
    /// Compares two functions ⟦A⟧ → ⟦B⟧.
    ///
    /// # Errors
    /// Those of evaluation, and [`DiffeologyError::Shape`] for types without elements to draw.
    fn compare_functions(
        from: &Ty,
        to: &Ty,
        functions: [&StageFunction; 2],
        trial: &MapTestConfig,
    ) -> DiffeologyVerdict;
}

/// Categories with functions of values as arrows, by their equality.
#[derive(Debug)]
pub struct ElementCategory<E>(PhantomData<E>);

/// The values of the language as diffeological spaces.
pub type Diff = ElementCategory<PlotwiseEquality>;

/// Equality at a later stage.
#[derive(Clone, Copy, Debug)]
pub enum StagewiseEquality {}

/// Equality at points of plots.
#[derive(Clone, Copy, Debug)]
pub enum PlotwiseEquality {}

/// The stage at which natural transformations are compared, by the number of its coordinates; a choice.
const COMPARISON_STAGE: usize = 1;

impl ArrowEquality for StagewiseEquality {
    fn compare_functions(from: &Ty, to: &Ty, [f, g]: [&StageFunction; 2], trial: &MapTestConfig) -> DiffeologyVerdict {
        check_drawable(from)?;
        let comparison = ElementComparison::at_stage(COMPARISON_STAGE, trial);
        Verdict::all_samples((0..u64::from(trial.sample_points)).map(|index| {
            let x = draw_element(from, COMPARISON_STAGE, &mut SplitMix64::for_sample(trial.seed, index));
            comparison.compare_elements(to, &f.apply(&x)?, &g.apply(&x)?)
        }))
    }
}

impl ArrowEquality for PlotwiseEquality {
    fn compare_functions(
        from: &Ty,
        to: &Ty,
        functions: [&StageFunction; 2],
        trial: &MapTestConfig,
    ) -> DiffeologyVerdict {
        let (from, to) = (TypeSpace::new(from.clone())?, TypeSpace::new(to.clone())?);
        let mut all = Verdict::Vacuous;
        for index in 0..u64::from(trial.sample_points) {
            let mut random = SplitMix64::for_sample(trial.seed, index);
            // every second plot is on all of ℝ, the others on a random open: both are ways to fail
            let domain = if index % 2 == 0 { OpenSet::whole_space(1) } else { OpenSet::draw_set(&mut random) };
            let plot = from.draw_plot(&domain, &mut random);
            let image = |f: &StageFunction| plot.try_map_pieces(|x: &Element| Ok::<_, DiffeologyError>(f.apply(x)?));
            let (left, right) = (image(functions[0])?, image(functions[1])?);
            // an image that is no plot refutes that the arrow is one of spaces
            all = all.and(to.test_plot(&left, trial)?.and_part(to.test_plot(&right, trial)?));
            for u in domain.sample_points(&mut random, 2) {
                let u = rational_point(&u);
                all = all.and(to.compare_points(
                    &to.value_at(&left, &u, trial)?,
                    &to.value_at(&right, &u, trial)?,
                    trial,
                )?);
            }
            if all.is_refuted() {
                break;
            }
        }
        Ok(all)
    }
}

impl<E: ArrowEquality> CategoryOfTypes for ElementCategory<E> {}

impl<E: ArrowEquality> Category for ElementCategory<E> {
    type Object = Ty;
    type Hom<A: ObjectName<Self>, B: ObjectName<Self>> = StageFunction;

    fn identity<A: ObjectName<Self>>() -> StageFunction {
        dynamic::identity_arrow()
    }

    fn then<A: ObjectName<Self>, B: ObjectName<Self>, C: ObjectName<Self>>(
        f: &StageFunction,
        g: &StageFunction,
    ) -> StageFunction {
        dynamic::compose_arrows([f, g])
    }
}

impl<E: ArrowEquality> Cartesian for ElementCategory<E> {
    type Terminal = One;
    type Product<A: ObjectName<Self>, B: ObjectName<Self>> = Times<A, B>;

    fn terminal<A: ObjectName<Self>>() -> StageFunction {
        dynamic::terminal_arrow()
    }

    fn pair<X: ObjectName<Self>, A: ObjectName<Self>, B: ObjectName<Self>>(
        f: &StageFunction,
        g: &StageFunction,
    ) -> StageFunction {
        dynamic::pair_arrows([f, g])
    }

    fn first<A: ObjectName<Self>, B: ObjectName<Self>>() -> StageFunction {
        dynamic::projection_arrow(0)
    }

    fn second<A: ObjectName<Self>, B: ObjectName<Self>>() -> StageFunction {
        dynamic::projection_arrow(1)
    }
}

impl<E: ArrowEquality> CartesianClosed for ElementCategory<E> {
    type Exponential<A: ObjectName<Self>, B: ObjectName<Self>> = To<A, B>;

    fn curry<X: ObjectName<Self>, A: ObjectName<Self>, B: ObjectName<Self>>(f: &StageFunction) -> StageFunction {
        dynamic::curry_arrow([f])
    }

    fn apply<A: ObjectName<Self>, B: ObjectName<Self>>() -> StageFunction {
        dynamic::evaluation_arrow()
    }
}

impl<E: ArrowEquality> Cocartesian for ElementCategory<E> {
    type Initial = Zero;

    fn initial<A: ObjectName<Self>>() -> StageFunction {
        dynamic::initial_arrow()
    }

    type Sum<A: ObjectName<Self>, B: ObjectName<Self>> = Plus<A, B>;

    fn left<A: ObjectName<Self>, B: ObjectName<Self>>() -> StageFunction {
        dynamic::injection_arrow(0)
    }

    fn right<A: ObjectName<Self>, B: ObjectName<Self>>() -> StageFunction {
        dynamic::injection_arrow(1)
    }

    fn case<A: ObjectName<Self>, B: ObjectName<Self>, X: ObjectName<Self>>(
        f: &StageFunction,
        g: &StageFunction,
    ) -> StageFunction {
        dynamic::copair_arrows([f, g])
    }
}

impl<E: ArrowEquality> Lists for ElementCategory<E> {
    type List<A: ObjectName<Self>> = ListOf<A>;

    fn nil<A: ObjectName<Self>>() -> StageFunction {
        dynamic::nil_arrow()
    }

    fn cons<A: ObjectName<Self>>() -> StageFunction {
        dynamic::cons_arrow()
    }

    fn fold<A: ObjectName<Self>, B: ObjectName<Self>>(start: &StageFunction, step: &StageFunction) -> StageFunction {
        dynamic::fold_list([start, step])
    }
}

impl<E: ArrowEquality> RelabelEnds for ElementCategory<E> {
    fn relabel_ends<A: ObjectName<Self>, B: ObjectName<Self>, X: ObjectName<Self>, Y: ObjectName<Self>>(
        f: &StageFunction,
    ) -> StageFunction {
        f.clone()
    }
}

impl<E: ArrowEquality> Setoid for ElementCategory<E> {
    type Trial = MapTestConfig;
    type Error = DiffeologyError;

    fn agree<A: ObjectName<Self>, B: ObjectName<Self>>(
        left: &StageFunction,
        right: &StageFunction,
        trial: &MapTestConfig,
    ) -> DiffeologyVerdict {
        // functions out of the empty set: there is one, and nothing to draw
        if is_uninhabited(&A::object()) {
            return Ok(Verdict::Survived);
        }
        E::compare_functions(&A::object(), &B::object(), [left, right], trial)
    }
}

impl<E> Default for ElementCategory<E> {
    fn default() -> Self {
        Self(PhantomData)
    }
}

// Functions of values know their ends, so the objects are not looked at.
impl<E: ArrowEquality> ValueCategory for ElementCategory<E> {
    type Object = Ty;
    type Arrow = StageFunction;
    type Error = DiffeologyError;

    fn identity(&self, _: &Ty) -> ArrowResult<Self> {
        Ok(dynamic::identity_arrow())
    }
    fn then(&self, _: [&Ty; 3], f: &StageFunction, g: &StageFunction) -> ArrowResult<Self> {
        Ok(dynamic::compose_arrows([f, g]))
    }
}

impl<E: ArrowEquality> ValueCartesian for ElementCategory<E> {
    fn terminal_object(&self) -> Ty {
        <Self as SimpleTypes>::terminal_object()
    }
    fn product_object(&self, a: &Ty, b: &Ty) -> Ty {
        <Self as SimpleTypes>::product_object(a.clone(), b.clone())
    }
    fn terminal(&self, _: &Ty) -> ArrowResult<Self> {
        Ok(dynamic::terminal_arrow())
    }
    fn pair(&self, _: [&Ty; 3], f: &StageFunction, g: &StageFunction) -> ArrowResult<Self> {
        Ok(dynamic::pair_arrows([f, g]))
    }
    fn first(&self, _: [&Ty; 2]) -> ArrowResult<Self> {
        Ok(dynamic::projection_arrow(0))
    }
    fn second(&self, _: [&Ty; 2]) -> ArrowResult<Self> {
        Ok(dynamic::projection_arrow(1))
    }
}

impl<E: ArrowEquality> ValueClosed for ElementCategory<E> {
    fn exponential_object(&self, a: &Ty, b: &Ty) -> Ty {
        <Self as SimpleTypes>::exponential_object(a.clone(), b.clone())
    }
    fn curry(&self, _: [&Ty; 3], f: &StageFunction) -> ArrowResult<Self> {
        Ok(dynamic::curry_arrow([f]))
    }
    fn apply(&self, _: [&Ty; 2]) -> ArrowResult<Self> {
        Ok(dynamic::evaluation_arrow())
    }
}

impl<E: ArrowEquality> ValueCocartesian for ElementCategory<E> {
    fn initial_object(&self) -> Ty {
        <Self as SimpleTypes>::initial_object()
    }
    fn sum_object(&self, a: &Ty, b: &Ty) -> Ty {
        <Self as SimpleTypes>::sum_object(a.clone(), b.clone())
    }
    fn initial(&self, _: &Ty) -> ArrowResult<Self> {
        Ok(dynamic::initial_arrow())
    }
    fn left(&self, _: [&Ty; 2]) -> ArrowResult<Self> {
        Ok(dynamic::injection_arrow(0))
    }
    fn right(&self, _: [&Ty; 2]) -> ArrowResult<Self> {
        Ok(dynamic::injection_arrow(1))
    }
    fn case(&self, _: [&Ty; 3], f: &StageFunction, g: &StageFunction) -> ArrowResult<Self> {
        Ok(dynamic::copair_arrows([f, g]))
    }
}

impl<E: ArrowEquality> ValueLists for ElementCategory<E> {
    fn list_object(&self, a: &Ty) -> Ty {
        <Self as SimpleTypes>::list_object(a.clone())
    }
    fn nil(&self, _: &Ty) -> ArrowResult<Self> {
        Ok(dynamic::nil_arrow())
    }
    fn cons(&self, _: &Ty) -> ArrowResult<Self> {
        Ok(dynamic::cons_arrow())
    }
    fn fold(&self, _: [&Ty; 2], start: &StageFunction, step: &StageFunction) -> ArrowResult<Self> {
        Ok(dynamic::fold_list([start, step]))
    }
}

impl<E: ArrowEquality> ValueSetoid for ElementCategory<E> {
    type Trial = MapTestConfig;

    fn agree(
        &self,
        [from, to]: [&Ty; 2],
        left: &StageFunction,
        right: &StageFunction,
        trial: &MapTestConfig,
    ) -> Result<Verdict, ArrowError<DiffeologyError>> {
        if is_uninhabited(from) {
            return Ok(Verdict::Survived);
        }
        Ok(E::compare_functions(from, to, [left, right], trial)?)
    }
}
