//! Models of the language: interpretations of types as objects and of terms as arrows, each an instance of [`Model`].
//!
//! A judgment `x₁ : A₁, …, xₙ : Aₙ ⊢ e : B` becomes an arrow `⟦A₁⟧, …, ⟦Aₙ⟧ → ⟦B⟧` out of a list of objects. So a model is a
//! Cartesian closed multicategory with numbers: contexts are lists, and no product of them has to be built and taken
//! apart again. A model without exponentials, or without natural numbers, returns [`Unsupported`] for them.
//!
//! | here | in S Fig. 6 |
//! |---|---|
//! | [`Model::real`], [`Model::product`], [`Model::exponential`] | ⟦ℜ⟧, ⟦A * B⟧, ⟦A → B⟧ |
//! | [`Model::variable`], [`Model::compose`] | projections out of the environment; composition |
//! | [`Model::tuple`], [`Model::component`] | `⟨⟦e₁⟧, ⟦e₂⟧⟩`, `fst ∘ ⟦e⟧` |
//! | [`Model::curry`], [`Model::apply`] | `abstract(⟦e⟧)`, `⟦e₁⟧(id, ⟦e₂⟧)` |
//! | [`Model::bind`] | `let`, that is `⟦e₂⟧ ∘ ⟨id, ⟦e₁⟧⟩` |
//! | [`Model::case`], [`Model::recursion`], [`Model::natural_number`] | 𝔅 and ℕ, §8.1 |
//! | [`Model::sum`], [`Model::inject`], [`Model::cases`] | variants, H §5.1 |
//! | [`Model::list`], [`Model::roll`], [`Model::unroll`] | lists, H §5.1: the iso `1 + A × L ≅ L`; `fold` is a constant |
//! | [`Model::constant`] | Fig. 2, §5.1–5.3 |
//! | [`Model::tangent`] | Tan, §5.3 |
//!
//! | chapter | contents |
//! |---|---|
//! | [`mod@interpret`] | the functor from terms to arrows, generic in the model |
//! | [`mod@reduce`] | β-reduction, for models without exponentials |
//! | [`application`] | arguments of the methods that bind, choose or apply |
//! | [`universe`] | models in which every type is the same object: evaluators |
//! | [`environment`] | the values of variables |
//! | [`fragment`] | the languages of the papers, as parts of the language: the programs to which their theorems apply |
//! | [`answer`] | [`Meaning`](answer::Meaning): an object-safe interface that evaluates programs by a model |

pub mod answer;
pub mod application;
pub mod below;
pub mod culprit;
pub mod environment;
pub mod fragment;
pub mod interpret;
pub mod place;
pub mod reduce;
pub mod universe;

pub use application::{Application, Argument, Bound, Choice, Operator};
pub use interpret::{InterpretError, interpret};
pub use place::Place;

use crate::number::Rational;
use crate::syntax::constant::Constant;
use crate::syntax::data::{Constructor, Data};
use crate::syntax::term::Definition;
use crate::syntax::ty::{Ty, TyKind};
use std::sync::Arc;

/// A construct of the language that a model has no interpretation for.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("the model `{model}` has no meaning for {construct}")]
pub struct Unsupported {
    /// The name of the model.
    pub model: &'static str,
    /// The missing construct, as a noun phrase.
    pub construct: String,
}

/// A model of the language: objects for types, arrows for terms. See the [module](self).
///
/// Arrows go from a list of objects, the context Γ, to one object. The methods fail only with [`Unsupported`]; every other
/// failure occurs when an arrow is run.
pub trait Model {
    /// Interpretations of types.
    type Object: Clone;
    /// Interpretations of terms.
    type Arrow: Clone;
    /// The name by which users select the model.
    const NAME: &'static str;

    /// Returns the one object that every type denotes; `None`, the default, if types denote different objects.
    ///
    /// A model with such an object is called universal. Its methods get neither the objects of `parts` nor the types of
    /// constants.
    fn universal(&self) -> Option<Self::Object> {
        None
    }

    // ---- objects

    /// Returns the object ℝ.
    fn real(&self) -> Self::Object;
    /// Returns the object ℕ.
    ///
    /// # Errors
    /// [`Unsupported`]
    fn natural(&self) -> Result<Self::Object, Unsupported>;
    /// Returns the object 𝔅 of truth values.
    ///
    /// # Errors
    /// [`Unsupported`]
    fn boolean(&self) -> Result<Self::Object, Unsupported>;
    /// Returns A₁ × … × Aₙ; the terminal object for n = 0.
    fn product(&self, parts: &[Self::Object]) -> Self::Object;
    /// Returns A₁ + … + Aₙ; `data` names the injections.
    ///
    /// # Errors
    /// [`Unsupported`], unless the model overrides the method.
    fn sum(&self, data: &Data, parts: &[Self::Object]) -> Result<Self::Object, Unsupported> {
        let _ = (data, parts);
        Err(self.lacks("variants"))
    }
    /// Returns List A, the initial algebra L of 1 + A × L.
    ///
    /// # Errors
    /// [`Unsupported`], unless the model overrides the method.
    fn list(&self, of: &Self::Object) -> Result<Self::Object, Unsupported> {
        let _ = of;
        Err(self.lacks("lists"))
    }
    /// Returns the exponential A → B.
    ///
    /// # Errors
    /// [`Unsupported`]
    fn exponential(&self, domain: &Self::Object, codomain: &Self::Object) -> Result<Self::Object, Unsupported>;
    /// Returns the tangent object Tan A.
    ///
    /// # Errors
    /// [`Unsupported`]
    fn tangent(&self, of: &Self::Object) -> Result<Self::Object, Unsupported>;

    /// Returns the object that a type denotes.
    ///
    /// # Errors
    /// [`Unsupported`]
    fn object(&self, ty: &Ty) -> Result<Self::Object, Unsupported> {
        if let Some(universal) = self.universal() {
            return Ok(universal);
        }
        crate::stack::deep(|| match ty.kind() {
            TyKind::Real => Ok(self.real()),
            TyKind::Nat => self.natural(),
            TyKind::Bool => self.boolean(),
            TyKind::Unit => Ok(self.product(&[])),
            TyKind::Tuple(parts) => {
                let parts: Vec<_> = parts.iter().map(|part| self.object(part)).collect::<Result<_, _>>()?;
                Ok(self.product(&parts))
            }
            TyKind::Function(a, b) => {
                // Probe with ℝ first: a model without exponentials must report that, not a construct of the domain.
                self.exponential(&self.real(), &self.real())?;
                self.exponential(&self.object(a)?, &self.object(b)?)
            }
            TyKind::Tangent(of) => self.tangent(&self.object(of)?),
            TyKind::Iso(a, b) => {
                let (a, b) = (self.object(a)?, self.object(b)?);
                Ok(self.product(&[self.exponential(&a, &b)?, self.exponential(&b, &a)?]))
            }
            TyKind::Data(data, arguments) if data.is_list() => {
                // Probe with ℝ first, for the same reason: report the missing lists, not a construct of the elements.
                self.list(&self.real())?;
                self.list(&self.object(&arguments[0])?)
            }
            // Lists are the only initial algebra in the interface of models.
            TyKind::Data(data, _) if data.is_recursive() => Err(self.lacks("recursive types")),
            TyKind::Data(data, arguments) => {
                // Probe with no summands first: report the missing variants, not a construct of a summand.
                self.sum(data, &[])?;
                self.sum(data, &self.summands(data, arguments)?)
            }
            TyKind::Variable(..) => Err(self.lacks("a type that is not known")),
        })
    }

    /// Returns the objects of the constructors' arguments, the summands of the type. For `List A` they are 1 and A × List A.
    ///
    /// # Errors
    /// [`Unsupported`]
    fn summands(&self, data: &Data, arguments: &[Ty]) -> Result<Vec<Self::Object>, Unsupported> {
        data.domains(arguments).iter().map(|domain| self.object(domain)).collect()
    }

    /// Returns the object of a variable that is bound to a value: `object`, that of the value's type, unless the model knows
    /// more.
    fn of_value(&self, object: Self::Object, value: &Self::Arrow) -> Self::Object {
        let _ = value;
        object
    }

    // ---- structure

    /// Returns the projection `x_i : Γ → Aᵢ`. Variables of Γ are numbered from the left; if Γ has one variable it is the
    /// identity.
    fn variable(&self, context: &[Self::Object], index: usize) -> Self::Arrow;
    /// Returns `g ∘ ⟨f₁, …, fₙ⟩ : Γ → B` for `fᵢ : Γ → Aᵢ` and `g : A₁, …, Aₙ → B`; for n = 0, weakening.
    fn compose(&self, context: &[Self::Object], parts: &[Self::Arrow], outer: &Self::Arrow) -> Self::Arrow;
    /// Returns `g ∘ ⟨id, f⟩ : Γ → B` for `f : Γ → A` and `g : Γ, A → B`.
    fn bind(&self, context: &[Self::Object], value: &Self::Arrow, body: &Bound<Self::Arrow>) -> Self::Arrow {
        let mut parts: Vec<_> = (0..context.len()).map(|index| self.variable(context, index)).collect();
        parts.push(value.clone());
        self.compose(context, &parts, &body.body)
    }
    /// Returns `⟨f₁, …, fₙ⟩ : Γ → A₁ × … × Aₙ`.
    fn tuple(&self, context: &[Self::Object], parts: &[Self::Arrow]) -> Self::Arrow;
    /// Returns `πᵢ ∘ f : Γ → Aᵢ` for `f : Γ → A₁ × … × Aₙ`, counted from 0. A universal model gets no `parts`.
    fn component(&self, parts: &[Self::Object], tuple: &Self::Arrow, index: usize) -> Self::Arrow;
    /// Returns `Γ → (A → B)` for `f : Γ, A → B`.
    ///
    /// # Errors
    /// [`Unsupported`]
    fn curry(
        &self,
        context: &[Self::Object],
        domain: &Self::Object,
        codomain: &Self::Object,
        body: &Bound<Self::Arrow>,
    ) -> Result<Self::Arrow, Unsupported>;
    /// Returns `Γ → B` for `f : Γ → (A → B)` and `x : Γ → A`.
    ///
    /// # Errors
    /// [`Unsupported`]
    fn apply(
        &self,
        context: &[Self::Object],
        function: &Self::Arrow,
        argument: &Self::Arrow,
    ) -> Result<Self::Arrow, Unsupported>;
    /// Interprets `if`: returns `Γ → A` for `c : Γ → 𝔅` and two arrows `Γ → A`.
    ///
    /// # Errors
    /// [`Unsupported`]
    fn case(
        &self,
        condition: &Self::Arrow,
        then: &Self::Arrow,
        otherwise: &Self::Arrow,
        choice: &Choice,
    ) -> Result<Self::Arrow, Unsupported>;
    /// Returns `inᵢ ∘ f : Γ → A₁ + … + Aₙ` for `f : Γ → Aᵢ`. The sum is written as the type `ty`.
    /// A universal model gets no `parts`, here and below.
    ///
    /// # Errors
    /// [`Unsupported`], unless the model overrides the method.
    fn inject(
        &self,
        context: &[Self::Object],
        parts: &[Self::Object],
        (constructor, ty): (&Constructor, &Ty),
        argument: &Self::Arrow,
    ) -> Result<Self::Arrow, Unsupported> {
        let _ = (context, parts, constructor, ty, argument);
        Err(self.lacks("variants"))
    }
    /// Interprets `match`: returns `Γ → B` for `f : Γ → A₁ + … + Aₙ` and arrows `Γ, Aᵢ → B`.
    ///
    /// # Errors
    /// [`Unsupported`], unless the model overrides the method.
    fn cases(
        &self,
        context: &[Self::Object],
        parts: &[Self::Object],
        data: &Data,
        scrutinee: &Self::Arrow,
        branches: &[Bound<Self::Arrow>],
    ) -> Result<Self::Arrow, Unsupported> {
        let _ = (context, parts, data, scrutinee, branches);
        Err(self.lacks("variants"))
    }
    /// Interprets `[]` and `::`: returns `Γ → List A` for `f : Γ → 1 + A × List A`.
    ///
    /// # Errors
    /// [`Unsupported`], unless the model overrides the method.
    fn roll(&self, context: &[Self::Object], layer: &Self::Arrow) -> Result<Self::Arrow, Unsupported> {
        let _ = (context, layer);
        Err(self.lacks("lists"))
    }
    /// Returns `Γ → 1 + A × List A`, the scrutinee of a `match`, for `f : Γ → List A`. The inverse of [`Model::roll`].
    ///
    /// # Errors
    /// [`Unsupported`], unless the model overrides the method.
    fn unroll(&self, context: &[Self::Object], list: &Self::Arrow) -> Result<Self::Arrow, Unsupported> {
        let _ = (context, list);
        Err(self.lacks("lists"))
    }
    /// Interprets `let rec` at `place`: returns the `f : Γ → (A → B)` with `f = value ∘ ⟨id, f⟩`, for `value : Γ, (A → B) → (A →
    /// B)`.
    ///
    /// # Errors
    /// [`Unsupported`]
    fn recursion(
        &self,
        context: &[Self::Object],
        value: &Bound<Self::Arrow>,
        place: &Place,
    ) -> Result<Self::Arrow, Unsupported>;
    /// Interprets `i.to` (`forward`) or `i.from`: returns `Γ → (A → B)` for `i : Γ → (A ≅ B)`.
    ///
    /// # Errors
    /// [`Unsupported`]
    fn side(&self, isomorphism: &Self::Arrow, forward: bool) -> Result<Self::Arrow, Unsupported>;

    // ---- numbers and constants

    /// Returns the constant arrow of a real number.
    fn number(&self, context: &[Self::Object], value: &Rational) -> Self::Arrow;
    /// Returns the constant arrow of a natural number.
    ///
    /// # Errors
    /// [`Unsupported`]
    fn natural_number(&self, context: &[Self::Object], value: u64) -> Result<Self::Arrow, Unsupported>;
    /// Returns the constant arrow of a truth value.
    ///
    /// # Errors
    /// [`Unsupported`]
    fn truth(&self, context: &[Self::Object], value: bool) -> Result<Self::Arrow, Unsupported>;
    /// Interprets a constant of the language at a type. A universal model gets no type.
    ///
    /// # Errors
    /// [`Unsupported`]
    fn constant(
        &self,
        context: &[Self::Object],
        constant: Constant,
        ty: Option<&Ty>,
        place: &Place,
    ) -> Result<Self::Arrow, Unsupported>;
    /// Interprets a constant, `i.to` or `i.from` at all its arguments.
    ///
    /// The default combines [`Model::constant`] and [`Model::apply`]. A model without exponentials interprets constants here.
    ///
    /// # Errors
    /// [`Unsupported`]
    fn operation(&self, application: &Application<'_, Self>) -> Result<Self::Arrow, Unsupported> {
        let Application { context, operator, ty, arguments, place } = *application;
        let constant = |c| self.constant(context, c, ty, place);
        let mut function = match operator {
            Operator::Constant(c) => constant(c)?,
            Operator::To(c) => self.side(&constant(c)?, true)?,
            Operator::From(c) => self.side(&constant(c)?, false)?,
        };
        for argument in arguments {
            let argument = match argument {
                Argument::Value(value) => value.clone(),
                Argument::Function { domain, codomain, body } => self.curry(context, domain, codomain, body)?,
            };
            function = self.apply(context, &function, &argument)?;
        }
        Ok(function)
    }
    /// Returns the arrow of a definition for use at many places. `closed` has the empty context, so a model may cache its value.
    fn shared(&self, definition: &Arc<Definition>, closed: &Self::Arrow) -> Self::Arrow {
        let _ = definition;
        closed.clone()
    }

    /// Returns `true` if the interpreter has to replace a constant by its [definition](Constant::written_out) at the type of use.
    ///
    /// The default covers only the constants that no evaluator can interpret without that type.
    fn writes_out(&self, constant: Constant) -> bool {
        constant.follows_from_type()
    }

    /// `true` if the model looks at the types of conditionals.
    ///
    /// A definition with type parameters that contains a conditional then gets an arrow for each type at which it is used.
    const CHOOSES_BY_TYPE: bool = false;

    /// Returns the error for a construct that the model lacks.
    fn lacks(&self, construct: impl Into<String>) -> Unsupported {
        Unsupported { model: Self::NAME, construct: construct.into() }
    }
}
