//! Presheaves and natural families of the caller's own as values of the language (S Fig. 5, §5).
//!
//! A value of the language has no type of Rust for its presheaf, and an element of a presheaf of one's own has one. This module
//! converts between them.
//!
//! | here | of the caller | in the language |
//! |---|---|---|
//! | [`BaseType`], [`LanguagePart`] | elements of a presheaf F at Γ | a map Γ ⇝ Δ and an element of F at Δ, restricted like a [tangent](super::dynamic::TangentElement) |
//! | [`apply_transformation`] | F → H, natural, between products of ℜ and base types | a function |
//! | [`apply_functional`] | (ℜ ⇒ ℜ) → ℜ, natural | a function of functions |
//!
//! A value of a base type is stored as a function that cannot be applied. Its type keeps programs from trying: no rule of the
//! language has such a type but its constants.

use super::dynamic::{Element, StageFunction, peel_restriction};
use super::exponential::{ExponentialElement, ExponentialPresheaf, PresheafTransformation};
use super::observe::{Observe, SampleElements};
use super::{ConstantPresheaf, HiddenStage, Presheaf, ProductPresheaf, RealPresheaf, Terminal};
use crate::smooth::dimension::MapEnd;
use crate::smooth::graph::{Binary, Graph, Variable};
use crate::smooth::map::{Map, Space, coordinate_variables};
use crate::value::{Apply, Value, ValueError};
use std::any::{Any, TypeId};
use std::sync::{Arc, Mutex, PoisonError};

/// A presheaf that can be a type of the language. Its elements can be compared and drawn, so that its laws are tested.
pub trait BaseType: Presheaf + Observe + SampleElements {}

/// The functions ℜ → ℜ.
pub type RealFunctions = ExponentialPresheaf<RealPresheaf, RealPresheaf>;

/// A value of a base type: an element over hidden coordinates, and a map to these.
struct ForeignElement {
    /// The components of the map.
    at: Vec<Graph>,
    /// The element, of the type `F::At<HiddenStage>`.
    element: Arc<dyn Any + Send + Sync>,
}

impl Apply<Graph> for ForeignElement {
    fn apply(&self, _: &Element) -> Result<Element, ValueError> {
        Err(ValueError::Mismatch { expected: "a function", found: "a value of a type from outside" })
    }
}

/// Returns the parts of a value of a base type, after all its restrictions.
fn foreign_parts(x: &StageFunction) -> Option<(Vec<Graph>, Arc<dyn Any + Send + Sync>)> {
    if let Some(own) = x.downcast_action::<ForeignElement>() {
        return Some((own.at.clone(), own.element.clone()));
    }
    let (inner, bindings) = peel_restriction(x)?;
    let (at, element) = crate::stack::with_stack(|| foreign_parts(inner))?;
    Some((at.iter().map(|g| g.substitute(bindings)).collect(), element))
}

/// The shape of a product of ℜ and base types.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum PartShape {
    /// ℜ
    Real,
    /// 1
    Unit,
    /// A base type, by its type of Rust.
    Base(TypeId),
    /// A product.
    Pair(Box<PartShape>, Box<PartShape>),
}

impl PartShape {
    /// Returns the factors other than 1, from left to right: the arguments of a function that takes the product.
    #[must_use]
    pub fn factors(&self) -> Vec<&PartShape> {
        match self {
            Self::Unit => Vec::new(),
            Self::Pair(a, b) => [a.factors(), b.factors()].concat(),
            Self::Real | Self::Base(_) => vec![self],
        }
    }
}

/// A product of ℜ and base types: the domain or the codomain of a transformation that becomes a constant.
///
/// A domain has as many arguments as the product has factors; a codomain that is a product is a tuple.
pub trait LanguagePart: Presheaf {
    /// The elements of the arguments over their own coordinates.
    type Gathered;

    /// Returns the shape of the type in the language.
    fn shape() -> PartShape;
    /// Takes the arguments of the factors, and appends the maps to their coordinates to `at`.
    ///
    /// # Errors
    /// [`ValueError::Mismatch`] for an argument of another kind.
    fn gather_arguments(
        arguments: &mut std::slice::Iter<'_, Element>,
        at: &mut Vec<Graph>,
    ) -> Result<Self::Gathered, ValueError>;
    /// Restricts the elements to a stage whose coordinates from `from` on are theirs. Moves `from` behind them.
    fn restrict_arguments<G: MapEnd>(space: &Space<G>, gathered: &Self::Gathered, from: &mut usize) -> Self::At<G>;
    /// Converts an element at a hidden stage to a value at the stage of the maps `at`.
    fn to_value(x: &Self::At<HiddenStage>, at: &[Graph]) -> Element;
}

/// Returns the next argument.
fn next_argument<'a>(arguments: &mut std::slice::Iter<'a, Element>) -> Result<&'a Element, ValueError> {
    arguments.next().ok_or(ValueError::Mismatch { expected: "one more argument", found: "none" })
}

impl LanguagePart for RealPresheaf {
    type Gathered = ();

    fn shape() -> PartShape {
        PartShape::Real
    }
    fn gather_arguments(arguments: &mut std::slice::Iter<'_, Element>, at: &mut Vec<Graph>) -> Result<(), ValueError> {
        at.push(next_argument(arguments)?.as_real()?.clone());
        Ok(())
    }
    fn restrict_arguments<G: MapEnd>(space: &Space<G>, (): &(), from: &mut usize) -> Self::At<G> {
        let own = space.coordinates()[*from].clone();
        *from += 1;
        own
    }
    fn to_value(x: &Self::At<HiddenStage>, at: &[Graph]) -> Element {
        Value::Real(x.as_dyn().outputs_at(at).pop().unwrap_or_else(undefined_graph))
    }
}

impl<F: BaseType> LanguagePart for F {
    type Gathered = (usize, Arc<dyn Any + Send + Sync>);

    fn shape() -> PartShape {
        PartShape::Base(TypeId::of::<F>())
    }
    fn gather_arguments(
        arguments: &mut std::slice::Iter<'_, Element>,
        at: &mut Vec<Graph>,
    ) -> Result<Self::Gathered, ValueError> {
        let wrong = ValueError::Mismatch { expected: "a value of a type from outside", found: "another value" };
        let (own, element) = foreign_parts(next_argument(arguments)?.as_function()?).ok_or(wrong.clone())?;
        if !element.is::<F::At<HiddenStage>>() {
            return Err(wrong);
        }
        let size = own.len();
        at.extend(own);
        Ok((size, element))
    }
    fn restrict_arguments<G: MapEnd>(
        space: &Space<G>,
        (size, element): &Self::Gathered,
        from: &mut usize,
    ) -> Self::At<G> {
        let coordinates = space.coordinates();
        let hidden = Space::<HiddenStage>::of_size(*size);
        let along = space.tuple(&hidden, |i| coordinates[*from + i].clone());
        *from += size;
        match element.downcast_ref::<F::At<HiddenStage>>() {
            Some(element) => F::restrict(&along, element),
            None => unreachable!("its type was checked when it was gathered"),
        }
    }
    fn to_value(x: &Self::At<HiddenStage>, at: &[Graph]) -> Element {
        Value::Function(StageFunction::new(ForeignElement { at: at.to_vec(), element: Arc::new(x.clone()) }))
    }
}

impl LanguagePart for Terminal {
    type Gathered = ();

    fn shape() -> PartShape {
        PartShape::Unit
    }
    fn gather_arguments(_: &mut std::slice::Iter<'_, Element>, _: &mut Vec<Graph>) -> Result<(), ValueError> {
        Ok(())
    }
    fn restrict_arguments<G: MapEnd>(_: &Space<G>, (): &(), _: &mut usize) -> Self::At<G> {}
    fn to_value((): &(), _: &[Graph]) -> Element {
        Value::Unit
    }
}

impl<A: LanguagePart, B: LanguagePart> LanguagePart for ProductPresheaf<A, B> {
    type Gathered = (A::Gathered, B::Gathered);

    fn shape() -> PartShape {
        PartShape::Pair(Box::new(A::shape()), Box::new(B::shape()))
    }
    fn gather_arguments(
        arguments: &mut std::slice::Iter<'_, Element>,
        at: &mut Vec<Graph>,
    ) -> Result<Self::Gathered, ValueError> {
        let first = A::gather_arguments(arguments, at)?;
        Ok((first, B::gather_arguments(arguments, at)?))
    }
    fn restrict_arguments<G: MapEnd>(space: &Space<G>, (a, b): &Self::Gathered, from: &mut usize) -> Self::At<G> {
        let first = A::restrict_arguments(space, a, from);
        (first, B::restrict_arguments(space, b, from))
    }
    fn to_value((a, b): &Self::At<HiddenStage>, at: &[Graph]) -> Element {
        Element::tuple_of([A::to_value(a, at), B::to_value(b, at)])
    }
}

/// Builds ⊥.
fn undefined_graph() -> Graph {
    Graph::binary(Binary::Divide, &Graph::integer(1), &Graph::integer(0))
}

/// Applies a transformation between products of ℜ and base types to values of the language.
///
/// The arguments together are one element over all their coordinates. The transformation acts there, and the result is restricted
/// to the stage of the arguments. That it is natural makes this the same as acting at that stage.
///
/// # Errors
/// [`ValueError::Mismatch`] for arguments of another kind.
pub fn apply_transformation<F: LanguagePart, H: LanguagePart>(
    transformation: &PresheafTransformation<F, H>,
    arguments: &[Element],
) -> Result<Element, ValueError> {
    let (mut at, mut arguments) = (Vec::new(), arguments.iter());
    let gathered = F::gather_arguments(&mut arguments, &mut at)?;
    let space = Space::<HiddenStage>::of_size(at.len());
    let x = F::restrict_arguments(&space, &gathered, &mut 0);
    Ok(H::to_value(&transformation.component_at(&space, &x), &at))
}

/// Functions of the language as elements of ℜ ⇒ ℜ at a stage without coordinates, where they may mention variables.
///
/// Coordinates have the same names at all stages. So those of a later stage are renamed while a function runs, and those that the
/// function itself mentions are set aside.
#[derive(Clone, Default)]
struct FunctionBridge {
    /// The first error of a function.
    failure: Arc<Mutex<Option<ValueError>>>,
    /// The names under which coordinates that functions mention are set aside.
    aside: Arc<Mutex<Vec<Variable>>>,
}

impl FunctionBridge {
    fn to_element(&self, f: &StageFunction) -> ExponentialElement<RealPresheaf, RealPresheaf, HiddenStage> {
        let bridge = self.clone();
        let space = Space::<HiddenStage>::of_size(0);
        ExponentialElement::curry::<ConstantPresheaf<StageFunction>>(&space, f, move |space, f, x: &Map<_, _>| {
            let value = bridge.apply_renamed(space.size(), f, &x.components()[0]);
            space.component_map(&value)
        })
    }

    /// Returns coordinates and the variables under which they are set aside.
    fn aside_names(&self, size: usize) -> Vec<(Variable, Variable)> {
        let mut aside = self.aside.lock().unwrap_or_else(PoisonError::into_inner);
        while aside.len() < size {
            aside.push(Variable::fresh());
        }
        coordinate_variables(size).into_iter().zip(aside.iter().copied()).collect()
    }

    fn apply_renamed(&self, size: usize, f: &StageFunction, x: &Graph) -> Graph {
        let renaming: Vec<_> = coordinate_variables(size).into_iter().map(|v| (v, Variable::fresh())).collect();
        let graphs = |pairs: &[(Variable, Variable)]| -> Vec<(Variable, Graph)> {
            pairs.iter().map(|(from, to)| (*from, Graph::variable(*to))).collect()
        };
        let back: Vec<_> = renaming.iter().map(|(v, t)| (*t, *v)).collect();
        let applied = f.apply(&Value::Real(x.substitute(&graphs(&renaming))));
        match applied.and_then(|y| y.as_real().cloned()) {
            Ok(y) => y.substitute(&graphs(&self.aside_names(size))).substitute(&graphs(&back)),
            Err(error) => {
                self.failure.lock().unwrap_or_else(PoisonError::into_inner).get_or_insert(error);
                undefined_graph()
            }
        }
    }

    /// Returns the number of a family at the stage without coordinates, with all names restored.
    fn finish(&self, y: &Map<HiddenStage, crate::smooth::dimension::RealObject>) -> Result<Graph, ValueError> {
        if let Some(error) = self.failure.lock().unwrap_or_else(PoisonError::into_inner).take() {
            return Err(error);
        }
        let size = self.aside.lock().unwrap_or_else(PoisonError::into_inner).len();
        let restored: Vec<_> =
            self.aside_names(size).into_iter().map(|(v, marker)| (marker, Graph::variable(v))).collect();
        Ok(y.components()[0].substitute(&restored))
    }
}

/// Applies a natural family (ℜ ⇒ ℜ) → ℜ to a function of the language.
///
/// # Errors
/// Those of the function.
pub fn apply_functional(
    family: &PresheafTransformation<RealFunctions, RealPresheaf>,
    f: &StageFunction,
) -> Result<Graph, ValueError> {
    let bridge = FunctionBridge::default();
    let y = family.component_at(&Space::<HiddenStage>::of_size(0), &bridge.to_element(f));
    bridge.finish(&y)
}

/// Applies a natural family (ℜ ⇒ ℜ) × (ℜ ⇒ ℜ) → ℜ to two functions of the language.
///
/// # Errors
/// Those of the functions.
pub fn apply_functional_pair(
    family: &PresheafTransformation<ProductPresheaf<RealFunctions, RealFunctions>, RealPresheaf>,
    f: &StageFunction,
    g: &StageFunction,
) -> Result<Graph, ValueError> {
    let bridge = FunctionBridge::default();
    let pair = (bridge.to_element(f), bridge.to_element(g));
    bridge.finish(&family.component_at(&Space::<HiddenStage>::of_size(0), &pair))
}
