//! A second derivation of 𝒟_(k,R): nested 𝒟_(1,1) (H §2.2, Ex. 3.1; §7).
//!
//! 𝒟_(1,1) of a program is a program, so it has a 𝒟_(1,1) again. Nested N times, it turns a number into a tree of 2ᴺ
//! numbers, one for each set of levels. Take R levels for each of k directions, and put `∂^α f` at each set with α_i
//! levels of direction i. This is the tree of the derivatives of `f (x + Σ_j ε_j e_{i(j)})` with `ε_j² = 0`. So the
//! nested program at jets given as trees equals the derived program: a logical relation, which [`JetTrees::trees_of_jets`] and
//! [`JetTrees::jets_of_trees`] extend to all types.
//!
//! The nested side shares with the macro the treatment of variables, functions and data, and nothing of the operations.
//! Their first derivatives are programs that are written out. It uses no other table, no formula of Faà
//! di Bruno, and no arithmetic of truncated polynomials.
//!
//! # The dual numbers of every operation
//!
//! The dual numbers of every operation, as programs: value and first derivative, written out.
//!
//! Independent of the [rows](crate::function::FunctionSpec) from which the macro makes [its
//! table](crate::meaning::taylor::partial): these are textbook formulas, as text. `u` and `v` stand for the numbers,
//! `du` and `dv` for their slopes.
//!
//! # Maps between the derived types of two macros
//!
//! Maps between the derived types of two macros, given maps between their numbers.
//!
//! Two macros that keep variables, functions and data as they are differ only in the type that a number becomes. Maps
//! in both directions between these two types extend to all types: componentwise, and at functions with the argument
//! mapped in the opposite direction.

use super::claim::{CoordinateSpace, DerivativeClaim, GlueError, PlotClaim};
use super::equality::test_equal;
use super::evaluation::parse_program;
use super::lemma::{GluingSetup, random_type};
use super::representation::{RealMap, Representation, RepresentationFamily, derived_type};
use super::rows::operation_call;
use super::trial::{BasisRange, TheoremSample, TheoremTest};
use super::{evaluation, representation};
use crate::meaning::taylor::block::term_without_source;
use crate::meaning::taylor::derive::{DerivedProgram, derive_with};
use crate::meaning::taylor::functor::{NumberRules, Taylor, TaylorHooks};
use crate::meaning::taylor::jet::{Basis, MultiIndex};
use crate::meaning::taylor::partial::SmoothOperation;
use crate::number::Rational;
use crate::presheaf::dynamic::Element;
use crate::random::SplitMix64;
use crate::smooth::graph::Graph;
use crate::stack::with_stack;
use crate::syntax::constant::Constant;
use crate::syntax::term::{Term, TermKind};
use crate::syntax::ty::{Ty, TyKind};
use crate::value::ValueError;
use crate::verdict::Verdict;
use std::sync::Arc;

/// The spread of the sizes of random programs, in heads. A choice.
const PROGRAM: usize = 16;
/// The largest number of levels, k · R. A choice: trees and programs grow with 2ᴺ.
pub const MOST_NESTED_LEVELS: usize = 4;

/// Returns 𝒟_(1,1) of a program, nested `levels` times and at least once, under the given rules.
///
/// # Errors
/// [`GlueError::Macro`], for instance if the result is too large.
pub fn nest_dual_macro(
    term: &Term,
    ty: &Ty,
    levels: usize,
    rules: &'static dyn TaylorHooks,
) -> Result<DerivedProgram, GlueError> {
    let nest = |term: &Term, ty: &Ty| -> Result<DerivedProgram, GlueError> {
        Ok(derive_with(&Taylor::with_hooks(rules, Basis::new(1, 1)?), term, ty)?)
    };
    (1..levels).try_fold(nest(term, ty)?, |derived, _| nest(&derived.term, &derived.ty))
}

/// The translation of jets over a basis into trees: the numbers of nested dual numbers.
#[derive(Clone, Debug)]
pub struct JetTrees {
    basis: Arc<Basis>,
}

impl JetTrees {
    /// Makes the translation for a basis.
    #[must_use]
    pub fn new(basis: &Arc<Basis>) -> Self {
        Self { basis: basis.clone() }
    }

    /// Returns the number of levels: R for each of k directions.
    #[must_use]
    pub fn level_count(&self) -> usize {
        self.basis.directions() * self.basis.order()
    }

    /// Returns the direction of a level.
    fn level_direction(&self, level: usize) -> usize {
        level / self.basis.order()
    }

    /// Maps an element of 𝒟_(k,R)(τ) to the nested type. A number becomes the tree of its jet, with 0 above order R.
    ///
    /// # Errors
    /// [`ValueError::Mismatch`] if the element is of another type.
    pub fn trees_of_jets(&self, ty: &Ty, jets: &Element) -> Result<Element, ValueError> {
        self.transport_by_trees(ty, jets, TransportDirection::Forward)
    }

    /// Maps an element of the nested type to 𝒟_(k,R)(τ). A number becomes the jet that is read off from its tree. This
    /// is a left inverse of [`of`](Self::trees_of_jets).
    ///
    /// # Errors
    /// [`ValueError::Mismatch`] if the element is of another type.
    pub fn jets_of_trees(&self, ty: &Ty, tree: &Element) -> Result<Element, ValueError> {
        self.transport_by_trees(ty, tree, TransportDirection::Backward)
    }

    /// Maps an element at all types, by the maps of numbers.
    fn transport_by_trees(&self, ty: &Ty, x: &Element, way: TransportDirection) -> Result<Element, ValueError> {
        let own = self.clone();
        let numbers: NumberMaps = Arc::new(move |way, x| match way {
            TransportDirection::Forward => {
                Ok(own.grow_tree(0, &vec![0; own.basis.directions()], &representation::jet_coordinates(x)?))
            }
            TransportDirection::Backward => {
                let jet: Result<Vec<Graph>, _> = own.basis.indices().iter().map(|index| own.read(x, index)).collect();
                Ok(representation::jet_of(jet?))
            }
        });
        transport_element(ty, x, way, &numbers)
    }

    /// Returns the tree from a level on. `index` counts the levels of each direction chosen so far.
    fn grow_tree(&self, level: usize, index: &MultiIndex, jet: &[Graph]) -> Element {
        if level == self.level_count() {
            // above order R a number is 0: the jet does not have it
            let number = self.basis.position_of(index).map_or_else(|| Graph::integer(0), |place| jet[place].clone());
            return Element::Real(number);
        }
        let mut next = index.clone();
        next[self.level_direction(level)] += 1;
        Element::tuple_of([self.grow_tree(level + 1, index, jet), self.grow_tree(level + 1, &next, jet)])
    }

    /// Returns the number of a tree at a set with `index` levels of each direction: the first ones.
    fn read(&self, tree: &Element, index: &MultiIndex) -> Result<Graph, ValueError> {
        let mut left = index.clone();
        let mut tree = tree.clone();
        for level in 0..self.level_count() {
            let left = &mut left[self.level_direction(level)];
            let (value, slope) = tree.as_pair()?;
            // derivatives do not depend on the order of levels, so the first levels of each direction serve
            let next = if *left > 0 { slope.clone() } else { value.clone() };
            *left = left.saturating_sub(1);
            tree = next;
        }
        tree.as_real().cloned()
    }
}

/// Dual numbers of dual numbers as a representation: 𝒟(real) is a tree of 2ᴺ numbers, and S relates f to its derivatives in it.
///
/// The rule of an operation is its program, [nested](nest_dual_macro).
#[derive(Debug)]
pub struct NestedDuals {
    trees: JetTrees,
    rules: &'static dyn TaylorHooks,
}

impl NestedDuals {
    /// Makes the representation with R levels for each of k directions, under the given rules of dual numbers.
    #[must_use]
    pub fn new(basis: &Arc<Basis>, rules: &'static dyn TaylorHooks) -> Self {
        Self { trees: JetTrees::new(basis), rules }
    }

    /// Returns the family of these representations, with at most [`MOST_NESTED_LEVELS`] levels.
    #[must_use]
    pub fn family(rules: &'static dyn TaylorHooks) -> RepresentationFamily {
        let range = BasisRange::Levels(MOST_NESTED_LEVELS);
        RepresentationFamily::depending_on_basis(range, move |basis| Arc::new(Self::new(basis, rules)))
    }

    /// Returns the tree of a jet.
    fn tree_of_jet(&self, jet: &[Graph]) -> Element {
        self.trees.grow_tree(0, &vec![0; self.trees.basis.directions()], jet)
    }

    /// Collects the numbers of a tree, each with the number of levels of each direction above it.
    fn collect_leaves(
        &self,
        tree: &Element,
        level: usize,
        index: &MultiIndex,
        into: &mut Vec<(MultiIndex, Graph)>,
    ) -> Result<(), ValueError> {
        if level == self.trees.level_count() {
            into.push((index.clone(), tree.as_real()?.clone()));
            return Ok(());
        }
        let (value, slope) = tree.as_pair()?;
        let mut next = index.clone();
        next[self.trees.level_direction(level)] += 1;
        self.collect_leaves(value, level + 1, index, into)?;
        self.collect_leaves(slope, level + 1, &next, into)
    }
}

impl NumberRules for NestedDuals {
    fn carrier(&self) -> Ty {
        (0..self.trees.level_count()).fold(Ty::real(), |ty, _| Ty::new(TyKind::Tuple(vec![ty.clone(), ty])))
    }

    fn constant(&self, value: Term) -> Term {
        let zero = term_without_source(TermKind::Real(Rational::new()));
        let pair = |(value, zero): (Term, Term)| {
            let both = |a: &Term, b: &Term| term_without_source(TermKind::Tuple(vec![a.clone(), b.clone()]));
            (both(&value, &zero), both(&zero, &zero))
        };
        (0..self.trees.level_count()).fold((value, zero), |number, _| pair(number)).0
    }

    fn operation(&self, operation: &SmoothOperation) -> Option<Term> {
        let call = operation_call(operation, "x", "y");
        let binders = match operation {
            SmoothOperation::Special(_) => "\\(n : Nat) (x : Real) =>",
            operation if operation.arity() == 2 => "\\(x : Real) (y : Real) =>",
            _ => "\\(x : Real) =>",
        };
        let (term, ty) = parse_program(&format!("{binders} {call}")).ok()?;
        // an operation without a dual number has no rule, whatever the reason
        Some(nest_dual_macro(&term, &ty, self.trees.level_count(), self.rules).ok()?.to_closed_term())
    }
}

impl Representation for NestedDuals {
    fn rules(&self) -> &dyn NumberRules {
        self
    }

    fn coordinate(&self, stage: &CoordinateSpace, direction: usize, _: &mut SplitMix64) -> Result<Element, ValueError> {
        let u = Graph::variable(stage.variables()[direction]);
        let jet = representation::coordinate_jet(&self.trees.basis, &u, direction);
        Ok(self.tree_of_jet(&representation::jet_coordinates(&jet)?))
    }

    fn claims(&self, plot: &Graph, tree: &Element, _: &CoordinateSpace) -> Result<Vec<PlotClaim>, GlueError> {
        let mut leaves = Vec::new();
        self.collect_leaves(tree, 0, &vec![0; self.trees.basis.directions()], &mut leaves)?;
        // leaves above order R are right as well, but the plot is not differentiated so often
        let stated = leaves.into_iter().filter_map(|(index, g)| Some((self.trees.basis.position_of(&index)?, g)));
        Ok(vec![PlotClaim::Jet(DerivativeClaim {
            path: String::new(),
            plot: plot.clone(),
            derivatives: stated.collect(),
            is_slope: false,
        })])
    }

    fn lifted(&self, map: &RealMap<'_>, arguments: &[Element]) -> Option<Result<Element, ValueError>> {
        let real = Ty::real();
        let jets: Result<Vec<Element>, ValueError> =
            arguments.iter().map(|tree| self.trees.jets_of_trees(&real, tree)).collect();
        let lifted = jets.and_then(|jets| representation::taylor_representation(&self.trees.basis, map, &jets));
        Some(lifted.and_then(|jet| Ok(self.tree_of_jet(&representation::jet_coordinates(&jet)?))))
    }

    fn lifts_every_map(&self) -> bool {
        true
    }
}

/// Compares the macro with itself in the smallest case, nested, with independent first derivatives.
#[must_use]
pub fn iterated(setting: GluingSetup) -> TheoremTest<'static> {
    iterated_against(setting, &WrittenDerivatives)
}

/// Compares the macro with the nested one under other rules.
#[must_use]
pub fn iterated_against(setting: GluingSetup, rules: &'static dyn TaylorHooks) -> TheoremTest<'static> {
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
        let trees = JetTrees::new(&sample.basis);
        let other = nest_dual_macro(&core, ty, trees.level_count(), rules)?;
        let other = trees.jets_of_trees(ty, &evaluation::run_program(&other.term)?)?;
        test_equal(
            &derived_type(sample, ty),
            &evaluation::run_program(&derived.term)?,
            &other,
            &mut SplitMix64::new(sample.seed),
        )
    };
    TheoremTest { range: BasisRange::Levels(MOST_NESTED_LEVELS), draw: Box::new(draw), judge: Box::new(judge) }
}

/// The derivatives of functions of one number, by the name of the constant.
const SLOPES: &[(&str, &str)] = &[
    ("sqrt", "1 / (2 * sqrt u)"),
    ("cbrt", "cbrt u / (3 * u)"),
    ("exp", "exp u"),
    ("log", "1 / u"),
    ("sin", "cos u"),
    ("cos", "0 - sin u"),
    ("tan", "1 / (cos u)^2"),
    ("asin", "1 / sqrt ((1 - u) * (1 + u))"),
    ("acos", "0 - 1 / sqrt ((1 - u) * (1 + u))"),
    ("atan", "1 / (1 + u^2)"),
    ("sinh", "cosh u"),
    ("cosh", "sinh u"),
    ("tanh", "1 / (cosh u)^2"),
    ("asinh", "1 / sqrt (u^2 + 1)"),
    ("acosh", "1 / (sqrt (u - 1) * sqrt (u + 1))"),
    ("atanh", "1 / ((1 - u) * (1 + u))"),
    ("erf", "2 * exp (0 - u^2) / sqrt pi"),
    ("erfc", "0 - 2 * exp (0 - u^2) / sqrt pi"),
    ("expm1", "exp u"),
    ("log1p", "1 / (1 + u)"),
    ("lgamma", "digamma u"),
    ("digamma", "polygamma 1 u"),
    ("besselJ0", "0 - besselJ1 u"),
    ("besselJ1", "besselJ1Derivative 1 u"),
    ("besselK0", "besselK0Derivative 1 u"),
    ("airyAi", "airyAiDerivative 1 u"),
    ("lambertW", "1 / (u + exp (lambertW u))"),
    ("sinIntegral", "sinIntegralDerivative 1 u"),
    ("expIntegralE1", "0 - exp (0 - u) / u"),
    ("sigmoid", "sigmoid u * sigmoid (0 - u)"),
];

/// The value and slope of functions of two numbers.
const OF_TWO: &[(Constant, &str, &str)] = &[
    (Constant::Multiply, "u * v", "du * v + u * dv"),
    (Constant::Divide, "u / v", "(du * v - u * dv) / v^2"),
    (Constant::RealPower, "u ^ v", "v * u ^ (v - 1) * du + u ^ v * log u * dv"),
];

/// The macro with these formulas for the operations.
#[derive(Clone, Copy, Debug)]
pub struct WrittenDerivatives;

impl TaylorHooks for WrittenDerivatives {
    fn lifted_operation(&self, operation: &SmoothOperation) -> Option<Term> {
        let text = operation_text(operation)?;
        // a test parses all texts, so a text with a mistake is found there and not here
        parse_program(&text).ok().map(|(term, _)| term)
    }
}

/// Returns the program on dual numbers. Returns `None` for an operation that is not listed.
fn operation_text(operation: &SmoothOperation) -> Option<String> {
    Some(match operation {
        SmoothOperation::Power(q) => {
            let (q, less) = (format!("({q})"), format!("({})", q.clone() - 1));
            // x⁻¹ would make the slope undefined at 0, where the constant 1 has slope 0
            let slope = if q == "(0)" { "0".to_owned() } else { format!("{q} * u ^ {less} * du") };
            unary_program(&format!("u ^ {q}"), &slope)
        }
        SmoothOperation::Special(id) => {
            let name = id.family().name;
            let slope = format!("{name} (n + 1) u * du");
            format!("\\(n : Nat) => {}", unary_program(&format!("{name} n u"), &slope))
        }
        SmoothOperation::Constant(Constant::Planar(f)) if f.row().name == "atan2" => {
            binary_program("atan2 u v", "(v * du - u * dv) / (u^2 + v^2)")
        }
        SmoothOperation::Constant(constant) => match OF_TWO.iter().find(|(of, ..)| of == constant) {
            Some((_, value, slope)) => binary_program(value, slope),
            None => {
                let (name, slope) = SLOPES.iter().find(|(name, _)| *name == constant.name())?;
                unary_program(&format!("{name} u"), &format!("({slope}) * du"))
            }
        },
    })
}

/// Returns the program of a function of one dual number.
fn unary_program(value: &str, slope: &str) -> String {
    format!("\\(x : Real^2) => let u = x[0] in let du = x[1] in ({value}, {slope})")
}

/// Returns the program of a function of two dual numbers.
fn binary_program(value: &str, slope: &str) -> String {
    let numbers = "let u = x[0] in let du = x[1] in let v = y[0] in let dv = y[1] in";
    format!("\\(x : Real^2) (y : Real^2) => {numbers} ({value}, {slope})")
}

/// The direction of a map.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum TransportDirection {
    /// From the first macro to the second.
    Forward,
    /// From the second to the first.
    Backward,
}

/// Returns the opposite direction.
impl TransportDirection {
    fn opposite_direction(self) -> Self {
        match self {
            Self::Forward => Self::Backward,
            Self::Backward => Self::Forward,
        }
    }
}

/// The maps between the numbers of the two macros, in both directions.
pub type NumberMaps = Arc<dyn Fn(TransportDirection, &Element) -> Result<Element, ValueError> + Send + Sync>;

/// Maps an element of the derived type of one macro to that of the other.
///
/// # Errors
/// [`ValueError::Mismatch`] for an element of another type; the errors of `numbers`.
pub fn transport_element(
    ty: &Ty,
    x: &Element,
    way: TransportDirection,
    numbers: &NumberMaps,
) -> Result<Element, ValueError> {
    Ok(match ty.kind() {
        TyKind::Real => numbers(way, x)?,
        TyKind::Tuple(parts) => {
            let parts = parts.iter().zip(x.as_tuple()?.iter());
            let parts: Result<Vec<_>, _> = parts.map(|(ty, x)| transport_element(ty, x, way, numbers)).collect();
            Element::tuple_of(parts?)
        }
        TyKind::Function(domain, codomain) => {
            let (numbers, domain, codomain, f) =
                (numbers.clone(), domain.clone(), codomain.clone(), x.as_function()?.clone());
            Element::from_closure(move |argument: &Element| {
                // functions are contravariant in their argument
                let there = transport_element(&domain, argument, way.opposite_direction(), &numbers)?;
                transport_element(&codomain, &f.apply(&there)?, way, &numbers)
            })
        }
        TyKind::Data(data, arguments) if data.is_list() => {
            let elements = x.as_list()?.iter().map(|element| transport_element(&arguments[0], element, way, numbers));
            Element::List(elements.collect::<Result<_, _>>()?)
        }
        TyKind::Data(data, arguments) => {
            let (index, argument) = x.as_variant()?;
            let domain = data.argument_types(arguments).swap_remove(index);
            Element::variant_of(index, with_stack(|| transport_element(&domain, argument, way, numbers))?)
        }
        // truth values, natural numbers and the unit are the same for both macros
        _ => x.clone(),
    })
}
