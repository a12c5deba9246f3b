//! HAD: the category whose objects are presheaves on smoothish maps, and whose arrows are natural transformations (S §5.1).
//!
//! An object is a value, [`Arc<dyn ErasedPresheaf>`](ErasedPresheaf): a presheaf at the
//! [hidden stage](crate::presheaf::HiddenStage), with elements whose type is erased. So every presheaf is an object, those of
//! one's own included, and the interfaces of [`category`](crate::category) with their laws apply to it.
//!
//! | name of an object | presheaf |
//! |---|---|
//! | [`Of<F>`] | any [`Presheaf`] F that can be compared and drawn |
//! | [`Y<A>`] | the representable y A of an object A of AD |
//! | [`Means<A>`] | the values of the language of a type A |
//! | [`LanOf<T, A>`] | the extension T_!A, such as tangents to A |
//! | `RealLine`, `One`, `Times<A, B>`, `To<A, B>`, `Zero`, `Plus<A, B>`, `ListOf<A>` | [simple types](crate::simple): ℜ is y(ℝ), and the others are the structure of HAD |
//!
//! | functor | here |
//! |---|---|
//! | y : AD → HAD, full and faithful | [`Yoneda`], [`arrow_to_map`] |
//! | T_! : HAD → HAD | [`LanFunctor`]; `T_!(y A) ≅ y(T A)` is [`lan_of_representable`] |
//! | values of the language → HAD | [`Language`] |
//!
//! An arrow is a function of elements at every stage. Its ends are names, so that wrong composites do not compile; an
//! element of another presheaf, which the names exclude, is an error of the arrow and not a panic. That an arrow is natural
//! is not shown by its type: `law::category::arrow_naturality` tests it.
//!
//! ```
//! use smoothish_semantics::category::{Arrow, Functor};
//! use smoothish_semantics::diffeology::DiffeologyError;
//! use smoothish_semantics::meaning::had::{Had, Y, Yoneda, arrow_to_map};
//! use smoothish_semantics::smooth::dimension::RealObject;
//! use smoothish_semantics::smooth::map::Map;
//!
//! let sine = Map::<RealObject, RealObject>::id().sin();
//! let arrow: Arrow<Had, Y<RealObject>, Y<RealObject>> = Arrow(Yoneda::map::<RealObject, RealObject>(&sine));
//! let twice: Map<RealObject, RealObject> = arrow_to_map(&arrow.then(&arrow).0)?;
//! assert_eq!(twice.to_string(), "\\x => sin (sin x)");
//! # Ok::<(), DiffeologyError>(())
//! ```

use super::diffeology::space::{
    ElementCategory, ElementComparison, StagewiseEquality, check_drawable, draw_element, observe_number,
};
use crate::category::opposite::RelabelEnds;
use crate::category::{Cartesian, CartesianClosed, Category, Cocartesian, Functor, Iso, Lists, ObjectName, Setoid};
use crate::diffeology::{DiffeologyError, DiffeologyVerdict};
use crate::presheaf::coend::OnStages;
use crate::presheaf::dynamic::{Dynamic, Element, StageFunction};
use crate::presheaf::exponential::PresheafTransformation;
use crate::presheaf::observe::{Observe, SampleElements, draw_map, sum_components};
use crate::presheaf::{HiddenStage, Presheaf};
use crate::random::SplitMix64;
use crate::simple::{ListOf, One, Plus, SimpleTypes, Times, To, Zero};
use crate::smooth::dimension::{MapEnd, RealObject};
use crate::smooth::map::category::jets_agree;
use crate::smooth::map::{Ad, Map, MapTestConfig, Space};
use crate::syntax::data::is_uninhabited;
use crate::syntax::ty::Ty;
use crate::value::SharedList;
use crate::verdict::Verdict;
use std::any::Any;
use std::fmt;
use std::marker::PhantomData;
use std::sync::Arc;

/// An element of a presheaf at some stage, with its type erased. Clones are cheap.
pub type HadElement = Arc<dyn Any + Send + Sync>;
/// A stage as a value. Its number of coordinates is in no type.
pub type ErasedStage = Space<HiddenStage>;
/// A map of stages whose numbers of coordinates are in no type.
pub type ErasedMap = Map<HiddenStage, HiddenStage>;
/// An element, or the error that prevented it.
pub type HadResult = Result<HadElement, DiffeologyError>;
/// A number at a stage.
type ErasedNumber = Map<HiddenStage, RealObject>;

/// A presheaf as an object of HAD: its elements have no type, and its stages are hidden.
///
/// | law | equation |
/// |---|---|
/// | identity | `restrict(id, x) = x` |
/// | composition | `restrict(k.then(e), x) = restrict(k, restrict(e, x))` |
/// | observation | `observe(x·e) = e.then(observe(x))` |
///
/// Each method fails with [`DiffeologyError::Shape`] for an element of another presheaf.
pub trait ErasedPresheaf: Send + Sync {
    /// Returns a name of the presheaf, for messages.
    fn name(&self) -> String;

    /// Restricts an element along a map from a later stage.
    ///
    /// # Errors
    /// [`DiffeologyError::Shape`] for an element of another presheaf.
    fn restrict_element(&self, along: &ErasedMap, x: &HadElement) -> HadResult;

    /// Compares two elements at a stage.
    ///
    /// # Errors
    /// Errors of evaluation; [`DiffeologyError::Shape`] for an element of another presheaf.
    fn compare_elements(
        &self,
        space: &ErasedStage,
        left: &HadElement,
        right: &HadElement,
        trial: &MapTestConfig,
    ) -> DiffeologyVerdict;

    /// Draws an element at a stage.
    ///
    /// # Errors
    /// [`DiffeologyError::Shape`] if there is none, or none that can be drawn.
    fn draw_element(&self, random: &mut SplitMix64, space: &ErasedStage) -> HadResult;

    /// Returns a number that depends on an element, naturally in the stage. `which` selects it. Returns `None` if no number
    /// is observed.
    ///
    /// # Errors
    /// [`DiffeologyError::Shape`] for an element of another presheaf.
    fn observe_number(
        &self,
        space: &ErasedStage,
        x: &HadElement,
        which: u64,
    ) -> Result<Option<ErasedNumber>, DiffeologyError>;

    /// Returns `true` if the presheaf is known to have no elements at any stage.
    fn has_no_elements(&self) -> bool {
        false
    }
}

/// Returns the error for an element of another presheaf.
fn another_presheaf(expected: String) -> DiffeologyError {
    DiffeologyError::Shape {
        expected: format!("an element of {expected}"),
        found: "one of another presheaf".to_owned(),
    }
}

/// Returns an element with its type.
fn cast_element<'a, E: Any>(object: &dyn ErasedPresheaf, x: &'a HadElement) -> Result<&'a E, DiffeologyError> {
    x.downcast_ref().ok_or_else(|| another_presheaf(object.name()))
}

/// A presheaf of Rust types, as an object.
struct TypedPresheaf<F>(PhantomData<fn() -> F>);

impl<F: Observe + SampleElements> ErasedPresheaf for TypedPresheaf<F>
where
    F::At<HiddenStage>: 'static,
{
    fn name(&self) -> String {
        std::any::type_name::<F>().to_owned()
    }

    fn restrict_element(&self, along: &ErasedMap, x: &HadElement) -> HadResult {
        Ok(Arc::new(F::restrict(along, cast_element::<F::At<HiddenStage>>(self, x)?)))
    }

    fn compare_elements(
        &self,
        space: &ErasedStage,
        left: &HadElement,
        right: &HadElement,
        trial: &MapTestConfig,
    ) -> DiffeologyVerdict {
        Ok(F::compare_elements(space, cast_element(self, left)?, cast_element(self, right)?, trial)?)
    }

    fn draw_element(&self, random: &mut SplitMix64, space: &ErasedStage) -> HadResult {
        Ok(Arc::new(F::draw_element(random, space)))
    }

    fn observe_number(
        &self,
        space: &ErasedStage,
        x: &HadElement,
        which: u64,
    ) -> Result<Option<ErasedNumber>, DiffeologyError> {
        Ok(F::observe_number(space, cast_element(self, x)?, which))
    }

    fn has_no_elements(&self) -> bool {
        // stages are connected to the point: without elements there, there are none anywhere
        F::few_elements(&Space::<HiddenStage>::of_size(0)).is_some_and(|few| few.is_empty())
    }
}

/// The representable presheaf of ℝⁿ. Its elements are maps from a stage.
struct RepresentableOfSize(usize);

impl ErasedPresheaf for RepresentableOfSize {
    fn name(&self) -> String {
        format!("y(ℝ^{})", self.0)
    }

    fn restrict_element(&self, along: &ErasedMap, x: &HadElement) -> HadResult {
        Ok(Arc::new(along.then(cast_element::<ErasedMap>(self, x)?)))
    }

    fn compare_elements(
        &self,
        _: &ErasedStage,
        left: &HadElement,
        right: &HadElement,
        trial: &MapTestConfig,
    ) -> DiffeologyVerdict {
        let (left, right) = (cast_element::<ErasedMap>(self, left)?, cast_element::<ErasedMap>(self, right)?);
        Ok(jets_agree(left.as_dyn(), right.as_dyn(), trial)?)
    }

    fn draw_element(&self, random: &mut SplitMix64, space: &ErasedStage) -> HadResult {
        Ok(Arc::new(draw_map(random, space, &ErasedStage::of_size(self.0))))
    }

    fn observe_number(
        &self,
        _: &ErasedStage,
        x: &HadElement,
        which: u64,
    ) -> Result<Option<ErasedNumber>, DiffeologyError> {
        Ok(Some(sum_components(cast_element::<ErasedMap>(self, x)?, which)))
    }
}

/// The terminal presheaf.
struct TerminalObject;

impl ErasedPresheaf for TerminalObject {
    fn name(&self) -> String {
        "1".to_owned()
    }

    fn restrict_element(&self, _: &ErasedMap, x: &HadElement) -> HadResult {
        cast_element::<()>(self, x)?;
        Ok(x.clone())
    }

    fn compare_elements(
        &self,
        _: &ErasedStage,
        left: &HadElement,
        right: &HadElement,
        _: &MapTestConfig,
    ) -> DiffeologyVerdict {
        cast_element::<()>(self, left)?;
        cast_element::<()>(self, right)?;
        Ok(Verdict::Survived)
    }

    fn draw_element(&self, _: &mut SplitMix64, _: &ErasedStage) -> HadResult {
        Ok(Arc::new(()))
    }

    fn observe_number(
        &self,
        space: &ErasedStage,
        x: &HadElement,
        which: u64,
    ) -> Result<Option<ErasedNumber>, DiffeologyError> {
        cast_element::<()>(self, x)?;
        Ok(Some(space.constant((which % 5) as i64)))
    }
}

/// The initial presheaf, without elements.
struct InitialObject;

impl ErasedPresheaf for InitialObject {
    fn name(&self) -> String {
        "0".to_owned()
    }

    fn restrict_element(&self, _: &ErasedMap, _: &HadElement) -> HadResult {
        Err(another_presheaf(self.name()))
    }

    fn compare_elements(
        &self,
        _: &ErasedStage,
        _: &HadElement,
        _: &HadElement,
        _: &MapTestConfig,
    ) -> DiffeologyVerdict {
        Err(another_presheaf(self.name()))
    }

    fn draw_element(&self, _: &mut SplitMix64, _: &ErasedStage) -> HadResult {
        Err(DiffeologyError::Shape { expected: "a presheaf with elements".to_owned(), found: self.name() })
    }

    fn observe_number(&self, _: &ErasedStage, _: &HadElement, _: u64) -> Result<Option<ErasedNumber>, DiffeologyError> {
        Err(another_presheaf(self.name()))
    }

    fn has_no_elements(&self) -> bool {
        true
    }
}

/// An object of HAD.
type HadObject = Arc<dyn ErasedPresheaf>;
/// An element of a product.
type HadPair = (HadElement, HadElement);

/// The product of two presheaves, stage by stage.
struct ProductObject(HadObject, HadObject);

impl ErasedPresheaf for ProductObject {
    fn name(&self) -> String {
        format!("({} × {})", self.0.name(), self.1.name())
    }

    fn restrict_element(&self, along: &ErasedMap, x: &HadElement) -> HadResult {
        let (a, b) = cast_element::<HadPair>(self, x)?;
        Ok(Arc::new((self.0.restrict_element(along, a)?, self.1.restrict_element(along, b)?)))
    }

    fn compare_elements(
        &self,
        space: &ErasedStage,
        left: &HadElement,
        right: &HadElement,
        trial: &MapTestConfig,
    ) -> DiffeologyVerdict {
        let ((a, b), (c, d)) = (cast_element::<HadPair>(self, left)?, cast_element::<HadPair>(self, right)?);
        let first = self.0.compare_elements(space, a, c, trial)?;
        Ok(first.and_part(self.1.compare_elements(space, b, d, trial)?))
    }

    fn draw_element(&self, random: &mut SplitMix64, space: &ErasedStage) -> HadResult {
        Ok(Arc::new((self.0.draw_element(random, space)?, self.1.draw_element(random, space)?)))
    }

    fn observe_number(
        &self,
        space: &ErasedStage,
        x: &HadElement,
        which: u64,
    ) -> Result<Option<ErasedNumber>, DiffeologyError> {
        let (a, b) = cast_element::<HadPair>(self, x)?;
        let first = self.0.observe_number(space, a, which)?;
        let second = self.1.observe_number(space, b, which.rotate_left(11))?;
        Ok(match (first, second) {
            (Some(a), Some(b)) => Some(sum_components(&a.pair(&b), which)),
            (first, second) => first.or(second),
        })
    }

    fn has_no_elements(&self) -> bool {
        self.0.has_no_elements() || self.1.has_no_elements()
    }
}

/// An element of a sum: `false` for the first summand.
struct HadVariant(bool, HadElement);

/// The sum of two presheaves, stage by stage.
struct SumObject(HadObject, HadObject);

impl SumObject {
    /// Returns a summand.
    fn summand(&self, second: bool) -> &HadObject {
        if second { &self.1 } else { &self.0 }
    }
}

impl ErasedPresheaf for SumObject {
    fn name(&self) -> String {
        format!("({} + {})", self.0.name(), self.1.name())
    }

    fn restrict_element(&self, along: &ErasedMap, x: &HadElement) -> HadResult {
        let HadVariant(second, x) = cast_element(self, x)?;
        Ok(Arc::new(HadVariant(*second, self.summand(*second).restrict_element(along, x)?)))
    }

    fn compare_elements(
        &self,
        space: &ErasedStage,
        left: &HadElement,
        right: &HadElement,
        trial: &MapTestConfig,
    ) -> DiffeologyVerdict {
        let (HadVariant(i, x), HadVariant(j, y)) = (cast_element(self, left)?, cast_element(self, right)?);
        if i != j {
            let summand = |second: bool| if second { "Right" } else { "Left" };
            return Ok(Verdict::refuted("every stage", summand(*i), summand(*j)));
        }
        self.summand(*i).compare_elements(space, x, y, trial)
    }

    fn draw_element(&self, random: &mut SplitMix64, space: &ErasedStage) -> HadResult {
        let drawn = random.random_bool(50);
        // a summand without elements is never the one that is drawn
        let second = if self.summand(drawn).has_no_elements() { !drawn } else { drawn };
        Ok(Arc::new(HadVariant(second, self.summand(second).draw_element(random, space)?)))
    }

    fn observe_number(
        &self,
        space: &ErasedStage,
        x: &HadElement,
        which: u64,
    ) -> Result<Option<ErasedNumber>, DiffeologyError> {
        let HadVariant(second, x) = cast_element(self, x)?;
        let inner = self.summand(*second).observe_number(space, x, which)?;
        Ok(inner.map(|number| if *second { number + 1 } else { number }))
    }

    fn has_no_elements(&self) -> bool {
        self.0.has_no_elements() && self.1.has_no_elements()
    }
}

/// The action of a function at a stage, along a map to the stage where the function was made.
type HadRule = dyn Fn(&ErasedMap, &HadElement) -> HadResult + Send + Sync;

/// An element of an exponential at a stage.
#[derive(Clone)]
struct HadFunction {
    rule: Arc<HadRule>,
    /// The map to the stage where the rule was made.
    along: ErasedMap,
}

impl HadFunction {
    /// Applies the function at the stage from which `along` leads to its own.
    fn apply_at(&self, along: &ErasedMap, x: &HadElement) -> HadResult {
        (self.rule)(&along.then(&self.along), x)
    }
}

/// The exponential of two presheaves.
struct FunctionObject(HadObject, HadObject);

/// The number of arguments at which functions are compared, and of numbers by which classes are; a choice.
const TEST_ARGUMENTS: u64 = 3;

impl ErasedPresheaf for FunctionObject {
    fn name(&self) -> String {
        format!("({} ⇒ {})", self.0.name(), self.1.name())
    }

    fn restrict_element(&self, along: &ErasedMap, x: &HadElement) -> HadResult {
        // restriction is composition with the map; the rule stays as it is
        let f = cast_element::<HadFunction>(self, x)?;
        Ok(Arc::new(HadFunction { rule: f.rule.clone(), along: along.then(&f.along) }))
    }

    fn compare_elements(
        &self,
        space: &ErasedStage,
        left: &HadElement,
        right: &HadElement,
        trial: &MapTestConfig,
    ) -> DiffeologyVerdict {
        let (f, g) = (cast_element::<HadFunction>(self, left)?, cast_element::<HadFunction>(self, right)?);
        if self.0.has_no_elements() {
            return Ok(Verdict::Survived);
        }
        Verdict::all_samples((0..TEST_ARGUMENTS).map(|index| {
            let mut random = SplitMix64::for_sample(trial.seed, index);
            let trial =
                MapTestConfig { seed: random.next(), sample_points: 1 + trial.sample_points / 2, ..trial.clone() };
            // at every second stage the function is weakened, at the others substituted in
            let (later, along) = if index % 2 == 0 {
                let later = ErasedStage::of_size(space.size() + 1);
                let line = Space::<RealObject>::new();
                let along = later.relabelling(&space.product_with(&line)).then(&space.first(&line));
                (later, along)
            } else {
                let later = ErasedStage::of_size(1 + random.next_below(2));
                let along = draw_map(&mut random, &later, space);
                (later, along)
            };
            let x = self.0.draw_element(&mut random, &later)?;
            self.1.compare_elements(&later, &f.apply_at(&along, &x)?, &g.apply_at(&along, &x)?, &trial)
        }))
    }

    fn draw_element(&self, random: &mut SplitMix64, space: &ErasedStage) -> HadResult {
        let (from, to, which) = (self.0.clone(), self.1.clone(), random.next());
        // an element with one coordinate more, for the number that is observed of the argument
        let body = self.1.draw_element(random, &ErasedStage::of_size(space.size() + 1))?;
        let rule = move |along: &ErasedMap, x: &HadElement| {
            let number = from.observe_number(&along.domain(), x, which)?;
            let number = number.unwrap_or_else(|| along.domain().constant((1, 3)));
            to.restrict_element(&along.pair(&number).cast_types(), &body)
        };
        Ok(Arc::new(HadFunction { rule: Arc::new(rule), along: space.id() }))
    }

    fn observe_number(
        &self,
        space: &ErasedStage,
        x: &HadElement,
        which: u64,
    ) -> Result<Option<ErasedNumber>, DiffeologyError> {
        let f = cast_element::<HadFunction>(self, x)?;
        if self.0.has_no_elements() {
            return Ok(Some(space.constant(0)));
        }
        // an argument over ℝ⁰ is the same at all stages, so the number is natural
        let argument = self.0.draw_element(&mut SplitMix64::new(which), &ErasedStage::of_size(0))?;
        let argument = self.0.restrict_element(&space.terminal().cast_types(), &argument)?;
        self.1.observe_number(space, &f.apply_at(&space.id(), &argument)?, which.rotate_left(7))
    }

    fn has_no_elements(&self) -> bool {
        self.1.has_no_elements() && !self.0.has_no_elements()
    }
}

/// A list of elements.
type HadList = SharedList<HadElement>;

/// The presheaf of lists: the length does not vary over a stage.
struct ListPresheaf(HadObject);

/// The greatest length of a random list; a choice.
const MAX_LIST_LENGTH: usize = 2;

impl ErasedPresheaf for ListPresheaf {
    fn name(&self) -> String {
        format!("List {}", self.0.name())
    }

    fn restrict_element(&self, along: &ErasedMap, x: &HadElement) -> HadResult {
        let parts = cast_element::<HadList>(self, x)?.iter().map(|x| self.0.restrict_element(along, x));
        Ok(Arc::new(parts.collect::<Result<Vec<_>, _>>()?.into_iter().collect::<HadList>()))
    }

    fn compare_elements(
        &self,
        space: &ErasedStage,
        left: &HadElement,
        right: &HadElement,
        trial: &MapTestConfig,
    ) -> DiffeologyVerdict {
        let (left, right) = (cast_element::<HadList>(self, left)?, cast_element::<HadList>(self, right)?);
        let (n, m) = (left.iter().count(), right.iter().count());
        if n != m {
            return Ok(Verdict::refuted("every stage", format!("a list of {n}"), format!("a list of {m}")));
        }
        let mut all = Verdict::Survived;
        for (x, y) in left.iter().zip(right.iter()) {
            all = all.and_part(self.0.compare_elements(space, x, y, trial)?);
        }
        Ok(all)
    }

    fn draw_element(&self, random: &mut SplitMix64, space: &ErasedStage) -> HadResult {
        let length = if self.0.has_no_elements() { 0 } else { random.next_below(MAX_LIST_LENGTH + 1) };
        let parts = (0..length).map(|_| self.0.draw_element(random, space));
        Ok(Arc::new(parts.collect::<Result<Vec<_>, _>>()?.into_iter().collect::<HadList>()))
    }

    fn observe_number(
        &self,
        space: &ErasedStage,
        x: &HadElement,
        which: u64,
    ) -> Result<Option<ErasedNumber>, DiffeologyError> {
        let mut sum = space.constant(0);
        for (i, x) in cast_element::<HadList>(self, x)?.iter().enumerate() {
            // the places have different weights, so that the order of the list shows
            let number = self.0.observe_number(space, x, which)?.unwrap_or_else(|| space.constant(0));
            sum = sum + number * (1 + i as i64) + 1;
        }
        Ok(Some(sum))
    }
}

/// An element of T_!F: a map to the image of a stage, and an element over the stage.
struct HadClass {
    along: ErasedMap,
    element: HadElement,
}

/// The extension T_!F of a presheaf; see [`Lan`](crate::presheaf::coend::Lan).
struct LanObject<T> {
    of: HadObject,
    functor: PhantomData<fn() -> T>,
}

/// Returns the stage over which the element of a class lives.
fn stage_of_class<T: OnStages>(class: &HadClass) -> ErasedStage {
    ErasedStage::of_size(T::stage_size(class.along.codomain().size()))
}

impl<T: OnStages> LanObject<T> {
    /// Returns a number that is observed of a class, as a map to T ℝ.
    fn observe_class(&self, class: &HadClass, which: u64) -> Result<Option<ErasedMap>, DiffeologyError> {
        let number = self.of.observe_number(&stage_of_class::<T>(class), &class.element, which)?;
        Ok(number.map(|number| class.along.then(&T::map_at(&number).cast_types())))
    }
}

impl<T: OnStages> ErasedPresheaf for LanObject<T> {
    fn name(&self) -> String {
        format!("Lan<{}> {}", std::any::type_name::<T>(), self.of.name())
    }

    fn restrict_element(&self, along: &ErasedMap, x: &HadElement) -> HadResult {
        let class = cast_element::<HadClass>(self, x)?;
        Ok(Arc::new(HadClass { along: along.then(&class.along), element: class.element.clone() }))
    }

    /// Compares the classes of observed numbers: o : F → ℜ is applied as T_!o, and T_!ℜ is y(T ℝ). Vacuous if F has none.
    fn compare_elements(
        &self,
        _: &ErasedStage,
        left: &HadElement,
        right: &HadElement,
        trial: &MapTestConfig,
    ) -> DiffeologyVerdict {
        let (left, right) = (cast_element::<HadClass>(self, left)?, cast_element::<HadClass>(self, right)?);
        Verdict::all_samples((0..TEST_ARGUMENTS).map(|index| {
            let which = SplitMix64::for_sample(trial.seed, index).next();
            match (self.observe_class(left, which)?, self.observe_class(right, which)?) {
                (Some(left), Some(right)) => Ok(jets_agree(left.as_dyn(), right.as_dyn(), trial)?),
                _ => Ok(Verdict::Vacuous),
            }
        }))
    }

    fn draw_element(&self, random: &mut SplitMix64, space: &ErasedStage) -> HadResult {
        let stage = ErasedStage::of_size(1 + random.next_below(2));
        let along = draw_map(random, space, &T::image_space(&stage)).cast_types();
        Ok(Arc::new(HadClass { along, element: self.of.draw_element(random, &stage)? }))
    }

    fn observe_number(
        &self,
        _: &ErasedStage,
        x: &HadElement,
        which: u64,
    ) -> Result<Option<ErasedNumber>, DiffeologyError> {
        let number = self.observe_class(cast_element(self, x)?, which)?;
        Ok(number.map(|number| sum_components(&number, which.rotate_left(9))))
    }

    fn has_no_elements(&self) -> bool {
        self.of.has_no_elements()
    }
}

/// The presheaf of the values of a type of the language.
struct MeaningObject(Ty);

impl ErasedPresheaf for MeaningObject {
    fn name(&self) -> String {
        self.0.to_string()
    }

    fn restrict_element(&self, along: &ErasedMap, x: &HadElement) -> HadResult {
        Ok(Arc::new(Dynamic::restrict(along, cast_element::<Element>(self, x)?)))
    }

    fn compare_elements(
        &self,
        space: &ErasedStage,
        left: &HadElement,
        right: &HadElement,
        trial: &MapTestConfig,
    ) -> DiffeologyVerdict {
        let comparison = ElementComparison::at_stage(space.size(), trial);
        comparison.compare_elements(&self.0, cast_element(self, left)?, cast_element(self, right)?)
    }

    fn draw_element(&self, random: &mut SplitMix64, space: &ErasedStage) -> HadResult {
        check_drawable(&self.0)?;
        Ok(Arc::new(draw_element(&self.0, space.size(), random)))
    }

    fn observe_number(
        &self,
        space: &ErasedStage,
        x: &HadElement,
        which: u64,
    ) -> Result<Option<ErasedNumber>, DiffeologyError> {
        let graph = observe_number(&self.0, cast_element::<Element>(self, x)?, which)?;
        Ok(Some(space.component_map(&graph)))
    }

    fn has_no_elements(&self) -> bool {
        is_uninhabited(&self.0)
    }
}

/// The category of presheaves.
#[derive(Clone, Copy, Debug)]
pub enum Had {}

/// The object of a presheaf F.
#[derive(Debug)]
pub struct Of<F>(PhantomData<fn() -> F>);

impl<F: Observe + SampleElements> ObjectName<Had> for Of<F>
where
    F::At<HiddenStage>: 'static,
{
    fn object() -> HadObject {
        Arc::new(TypedPresheaf::<F>(PhantomData))
    }
}

/// The representable presheaf of an object of AD.
#[derive(Debug)]
pub struct Y<A>(PhantomData<fn() -> A>);

impl<A: ObjectName<Ad>> ObjectName<Had> for Y<A> {
    fn object() -> HadObject {
        Arc::new(RepresentableOfSize(<A as ObjectName<Ad>>::object().size()))
    }
}

/// The values of the language, as a category: objects are types, and two arrows are equal if they are at every stage.
pub type LanguageValues = ElementCategory<StagewiseEquality>;

/// The presheaf of the values of a type of the language.
#[derive(Debug)]
pub struct Means<A>(PhantomData<fn() -> A>);

impl<A: ObjectName<LanguageValues>> ObjectName<Had> for Means<A> {
    fn object() -> HadObject {
        Arc::new(MeaningObject(A::object()))
    }
}

/// The extension T_!A of an object A of HAD.
#[derive(Debug)]
pub struct LanOf<T, A>(PhantomData<fn() -> (T, A)>);

impl<T: OnStages, A: ObjectName<Had>> ObjectName<Had> for LanOf<T, A> {
    fn object() -> HadObject {
        Arc::new(LanObject::<T> { of: A::object(), functor: PhantomData })
    }
}

impl SimpleTypes for Had {
    fn real_object() -> HadObject {
        Arc::new(RepresentableOfSize(1))
    }
    fn terminal_object() -> HadObject {
        Arc::new(TerminalObject)
    }
    fn initial_object() -> HadObject {
        Arc::new(InitialObject)
    }
    fn product_object(a: HadObject, b: HadObject) -> HadObject {
        Arc::new(ProductObject(a, b))
    }
    fn sum_object(a: HadObject, b: HadObject) -> HadObject {
        Arc::new(SumObject(a, b))
    }
    fn exponential_object(a: HadObject, b: HadObject) -> HadObject {
        Arc::new(FunctionObject(a, b))
    }
    fn list_object(a: HadObject) -> HadObject {
        Arc::new(ListPresheaf(a))
    }
}

/// The component of an arrow at each stage.
type HadComponent = dyn Fn(&ErasedStage, &HadElement) -> HadResult + Send + Sync;

/// An arrow of HAD: a function of elements at every stage, which should be natural. Cheap to clone.
#[derive(Clone)]
pub struct HadArrow(Arc<HadComponent>);

impl fmt::Debug for HadArrow {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("<arrow of presheaves>")
    }
}

impl HadArrow {
    /// Creates the arrow with the given components.
    pub fn new(component: impl Fn(&ErasedStage, &HadElement) -> HadResult + Send + Sync + 'static) -> Self {
        Self(Arc::new(component))
    }

    /// Returns the natural transformation as an arrow from [`Of<F>`](Of) to [`Of<H>`](Of).
    #[must_use]
    pub fn from_transformation<F: Presheaf, H: Presheaf>(t: &PresheafTransformation<F, H>) -> Self
    where
        F::At<HiddenStage>: 'static,
        H::At<HiddenStage>: 'static,
    {
        let t = t.clone();
        Self::new(move |space, x| {
            let expected = std::any::type_name::<F>();
            let x = x.downcast_ref().ok_or_else(|| another_presheaf(expected.to_owned()))?;
            Ok(Arc::new(t.component_at(space, x)))
        })
    }

    /// Applies the arrow to an element at a stage.
    ///
    /// # Errors
    /// [`DiffeologyError::Shape`] for an element of another presheaf; the errors of the arrow.
    pub fn apply_at(&self, space: &ErasedStage, x: &HadElement) -> HadResult {
        (self.0)(space, x)
    }

    /// Applies an arrow from [`Of<F>`](Of) to [`Of<H>`](Of) to an element of F at a stage with a type.
    ///
    /// # Errors
    /// [`DiffeologyError::Shape`] if the arrow is between other presheaves; the errors of the arrow.
    pub fn apply_typed<F: Presheaf, H: Presheaf, G: MapEnd>(
        &self,
        space: &Space<G>,
        x: &F::At<G>,
    ) -> Result<H::At<G>, DiffeologyError>
    where
        F::At<HiddenStage>: 'static,
        H::At<HiddenStage>: 'static,
    {
        let (hidden, id) = (ErasedStage::of_size(space.size()), space.id());
        let x: HadElement = Arc::new(F::restrict(&id.cast_types::<HiddenStage, G>(), x));
        let y = self.apply_at(&hidden, &x)?;
        let expected = std::any::type_name::<H>();
        let y = y.downcast_ref().ok_or_else(|| another_presheaf(expected.to_owned()))?;
        Ok(H::restrict(&id.cast_types::<G, HiddenStage>(), y))
    }
}

/// Returns an element with its type, for an arrow between known objects.
fn expect_element<'a, E: Any>(kind: &str, x: &'a HadElement) -> Result<&'a E, DiffeologyError> {
    x.downcast_ref().ok_or_else(|| another_presheaf(kind.to_owned()))
}

impl Category for Had {
    type Object = HadObject;
    type Hom<A: ObjectName<Self>, B: ObjectName<Self>> = HadArrow;

    fn identity<A: ObjectName<Self>>() -> HadArrow {
        HadArrow::new(|_, x| Ok(x.clone()))
    }

    fn then<A: ObjectName<Self>, B: ObjectName<Self>, C: ObjectName<Self>>(f: &HadArrow, g: &HadArrow) -> HadArrow {
        let (f, g) = (f.clone(), g.clone());
        HadArrow::new(move |space, x| g.apply_at(space, &f.apply_at(space, x)?))
    }
}

impl Cartesian for Had {
    type Terminal = One;
    type Product<A: ObjectName<Self>, B: ObjectName<Self>> = Times<A, B>;

    fn terminal<A: ObjectName<Self>>() -> HadArrow {
        HadArrow::new(|_, _| Ok(Arc::new(())))
    }

    fn pair<X: ObjectName<Self>, A: ObjectName<Self>, B: ObjectName<Self>>(f: &HadArrow, g: &HadArrow) -> HadArrow {
        let (f, g) = (f.clone(), g.clone());
        HadArrow::new(move |space, x| Ok(Arc::new((f.apply_at(space, x)?, g.apply_at(space, x)?))))
    }

    fn first<A: ObjectName<Self>, B: ObjectName<Self>>() -> HadArrow {
        HadArrow::new(|_, x| Ok(expect_element::<HadPair>("a product", x)?.0.clone()))
    }

    fn second<A: ObjectName<Self>, B: ObjectName<Self>>() -> HadArrow {
        HadArrow::new(|_, x| Ok(expect_element::<HadPair>("a product", x)?.1.clone()))
    }
}

impl CartesianClosed for Had {
    type Exponential<A: ObjectName<Self>, B: ObjectName<Self>> = To<A, B>;

    fn curry<X: ObjectName<Self>, A: ObjectName<Self>, B: ObjectName<Self>>(f: &HadArrow) -> HadArrow {
        let (f, context) = (f.clone(), X::object());
        HadArrow::new(move |space, x| {
            let (f, context, x) = (f.clone(), context.clone(), x.clone());
            // at a later stage, the context is what it is there
            let rule = move |along: &ErasedMap, a: &HadElement| {
                let both: HadElement = Arc::new((context.restrict_element(along, &x)?, a.clone()));
                f.apply_at(&along.domain(), &both)
            };
            Ok(Arc::new(HadFunction { rule: Arc::new(rule), along: space.id() }))
        })
    }

    fn apply<A: ObjectName<Self>, B: ObjectName<Self>>() -> HadArrow {
        HadArrow::new(|space, x| {
            let (f, a) = expect_element::<HadPair>("a product", x)?;
            expect_element::<HadFunction>("an exponential", f)?.apply_at(&space.id(), a)
        })
    }
}

impl Cocartesian for Had {
    type Initial = Zero;

    fn initial<A: ObjectName<Self>>() -> HadArrow {
        HadArrow::new(|_, _| Err(another_presheaf("0".to_owned())))
    }

    type Sum<A: ObjectName<Self>, B: ObjectName<Self>> = Plus<A, B>;

    fn left<A: ObjectName<Self>, B: ObjectName<Self>>() -> HadArrow {
        HadArrow::new(|_, x| Ok(Arc::new(HadVariant(false, x.clone()))))
    }

    fn right<A: ObjectName<Self>, B: ObjectName<Self>>() -> HadArrow {
        HadArrow::new(|_, x| Ok(Arc::new(HadVariant(true, x.clone()))))
    }

    fn case<A: ObjectName<Self>, B: ObjectName<Self>, X: ObjectName<Self>>(f: &HadArrow, g: &HadArrow) -> HadArrow {
        let (f, g) = (f.clone(), g.clone());
        HadArrow::new(move |space, x| {
            let HadVariant(second, x) = expect_element("a sum", x)?;
            if *second { &g } else { &f }.apply_at(space, x)
        })
    }
}

impl Lists for Had {
    type List<A: ObjectName<Self>> = ListOf<A>;

    fn nil<A: ObjectName<Self>>() -> HadArrow {
        HadArrow::new(|_, _| Ok(Arc::new(HadList::default())))
    }

    fn cons<A: ObjectName<Self>>() -> HadArrow {
        HadArrow::new(|_, x| {
            let (head, rest) = expect_element::<HadPair>("a product", x)?;
            Ok(Arc::new(expect_element::<HadList>("lists", rest)?.with_head(head.clone())))
        })
    }

    fn fold<A: ObjectName<Self>, B: ObjectName<Self>>(start: &HadArrow, step: &HadArrow) -> HadArrow {
        let (start, step) = (start.clone(), step.clone());
        HadArrow::new(move |space, x| {
            let start = start.apply_at(space, &(Arc::new(()) as HadElement))?;
            expect_element::<HadList>("lists", x)?.try_fold_right(start, |x, rest| {
                let both: HadElement = Arc::new((x.clone(), rest));
                step.apply_at(space, &both)
            })
        })
    }
}

impl RelabelEnds for Had {
    fn relabel_ends<A: ObjectName<Self>, B: ObjectName<Self>, X: ObjectName<Self>, Y: ObjectName<Self>>(
        f: &HadArrow,
    ) -> HadArrow {
        f.clone()
    }
}

impl Setoid for Had {
    type Trial = MapTestConfig;
    type Error = DiffeologyError;

    /// Compares two arrows at random elements of A, at stages with one or two coordinates.
    fn agree<A: ObjectName<Self>, B: ObjectName<Self>>(
        left: &HadArrow,
        right: &HadArrow,
        trial: &MapTestConfig,
    ) -> DiffeologyVerdict {
        let (from, to) = (A::object(), B::object());
        // functions out of the empty presheaf: there is one, and nothing to draw
        if from.has_no_elements() {
            return Ok(Verdict::Survived);
        }
        Verdict::all_samples((0..u64::from(trial.sample_points)).map(|index| {
            let mut random = SplitMix64::for_sample(trial.seed, index);
            let space = ErasedStage::of_size(1 + random.next_below(2));
            let x = from.draw_element(&mut random, &space)?;
            to.compare_elements(&space, &left.apply_at(&space, &x)?, &right.apply_at(&space, &x)?, trial)
        }))
    }
}

/// Draws an arrow A → B: an element of B over ℝ, at a number that is observed of the argument. By the Yoneda lemma it is
/// natural.
#[must_use]
pub fn draw_arrow<A: ObjectName<Had>, B: ObjectName<Had>>(random: &mut SplitMix64) -> HadArrow {
    let (from, to) = (A::object(), B::object());
    let (which, body) = (random.next(), to.draw_element(random, &ErasedStage::of_size(1)));
    HadArrow::new(move |space, x| {
        // an arrow into a presheaf without elements fails where it is applied: its source has none either
        let body = body.clone()?;
        let number = from.observe_number(space, x, which)?.unwrap_or_else(|| space.constant((1, 3)));
        to.restrict_element(&number.cast_types(), &body)
    })
}

/// The Yoneda embedding y : AD → HAD (S §5.1).
#[derive(Clone, Copy, Debug)]
pub enum Yoneda {}

impl Functor for Yoneda {
    type From = Ad;
    type To = Had;
    type On<A: ObjectName<Ad>> = Y<A>;

    fn map<A: ObjectName<Ad>, B: ObjectName<Ad>>(f: &Map<A, B>) -> HadArrow {
        let f: ErasedMap = f.cast_types();
        HadArrow::new(move |_, x| Ok(Arc::new(expect_element::<ErasedMap>("a representable presheaf", x)?.then(&f))))
    }
}

/// Returns the map of an arrow between representable presheaves: its value at the identity. So [`Yoneda`] is full.
///
/// # Errors
/// [`DiffeologyError::Shape`] for an arrow between other presheaves; the errors of the arrow.
pub fn arrow_to_map<A: ObjectName<Ad>, B: ObjectName<Ad>>(t: &HadArrow) -> Result<Map<A, B>, DiffeologyError> {
    let stage = ErasedStage::of_size(<A as ObjectName<Ad>>::object().size());
    let generic: HadElement = Arc::new(stage.id());
    let value = t.apply_at(&stage, &generic)?;
    Ok(expect_element::<ErasedMap>("a representable presheaf", &value)?.cast_types())
}

/// The functor T_! : HAD → HAD (S §5.3). For the tangent functor it is Tan.
#[derive(Clone, Copy, Debug)]
pub struct LanFunctor<T>(PhantomData<fn() -> T>);

impl<T: OnStages> Functor for LanFunctor<T> {
    type From = Had;
    type To = Had;
    type On<A: ObjectName<Had>> = LanOf<T, A>;

    fn map<A: ObjectName<Had>, B: ObjectName<Had>>(f: &HadArrow) -> HadArrow {
        let f = f.clone();
        HadArrow::new(move |_, x| {
            let class = expect_element::<HadClass>("an extension", x)?;
            let element = f.apply_at(&stage_of_class::<T>(class), &class.element)?;
            Ok(Arc::new(HadClass { along: class.along.clone(), element }))
        })
    }
}

/// Returns the isomorphism `T_!(y A) ≅ y(T A)` (S Prop. 5.2).
#[must_use]
pub fn lan_of_representable<T: OnStages, A: ObjectName<Ad>>() -> LanYonedaIso<T, A> {
    let to = HadArrow::new(|_, x| {
        let class = expect_element::<HadClass>("an extension", x)?;
        let map = expect_element::<ErasedMap>("a representable presheaf", &class.element)?;
        Ok(Arc::new(class.along.then(&T::map_at(map).cast_types::<HiddenStage, HiddenStage>())))
    });
    let from = HadArrow::new(|_, x| {
        let along = expect_element::<ErasedMap>("a representable presheaf", x)?.clone();
        let stage = ErasedStage::of_size(<A as ObjectName<Ad>>::object().size());
        Ok(Arc::new(HadClass { along, element: Arc::new(stage.id()) }))
    });
    Iso { to, from }
}

/// The type of the isomorphism `T_!(y A) ≅ y(T A)`.
pub type LanYonedaIso<T, A> = Iso<Had, LanOf<T, Y<A>>, Y<<T as Functor>::On<A>>>;

/// The functor from the values of the language to presheaves. It sends a type to the presheaf of its values.
#[derive(Clone, Copy, Debug)]
pub enum Language {}

impl Functor for Language {
    type From = LanguageValues;
    type To = Had;
    type On<A: ObjectName<LanguageValues>> = Means<A>;

    fn map<A: ObjectName<LanguageValues>, B: ObjectName<LanguageValues>>(f: &StageFunction) -> HadArrow {
        let f = f.clone();
        HadArrow::new(move |_, x| Ok(Arc::new(f.apply(expect_element::<Element>("the language", x)?)?)))
    }
}
