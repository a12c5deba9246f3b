//! Models of the language: interpretations of types as objects and of terms as arrows, each an instance of [`Model`].
//!
//! A judgment `x₁ : A₁, …, xₙ : Aₙ ⊢ e : B` becomes an arrow `⟦A₁⟧, …, ⟦Aₙ⟧ → ⟦B⟧` out of a list of objects. So a model is a
//! Cartesian closed multicategory with numbers: contexts are lists, and no product of them has to be built and taken
//! apart again. A model without exponentials, or without natural numbers, returns [`Unsupported`] for them.
//!
//! | here | in S Fig. 6 |
//! |---|---|
//! | [`Model::real_object`], [`Model::product_object`], [`Model::exponential_object`] | ⟦ℜ⟧, ⟦A * B⟧, ⟦A → B⟧ |
//! | [`Model::project_variable`], [`Model::compose`] | projections out of the environment; composition |
//! | [`Model::tuple`], [`Model::project_component`] | `⟨⟦e₁⟧, ⟦e₂⟧⟩`, `fst ∘ ⟦e⟧` |
//! | [`Model::curry`], [`Model::apply`] | `abstract(⟦e⟧)`, `⟦e₁⟧(id, ⟦e₂⟧)` |
//! | [`Model::bind`] | `let`, that is `⟦e₂⟧ ∘ ⟨id, ⟦e₁⟧⟩` |
//! | [`Model::case_boolean`], [`Model::fixed_point`], [`Model::natural_number`] | 𝔅 and ℕ, §8.1 |
//! | [`Model::sum_object`], [`Model::inject`], [`Model::case_sum`] | variants, H §5.1 |
//! | [`Model::list_object`], [`Model::roll_list`], [`Model::unroll_list`] | lists, H §5.1: the iso `1 + A × L ≅ L`; `fold` is a constant |
//! | [`Model::interpret_constant`] | Fig. 2, §5.1–5.3 |
//! | [`Model::tangent_object`] | Tan, §5.3 |
//!
//! | chapter | contents |
//! |---|---|
//! | [`mod@interpret`] | the functor from terms to arrows, generic in the model; arguments of the methods that bind, choose or apply |
//! | [`mod@reduce`] | β-reduction, for models without exponentials |
//! | [`universe`] | models in which every type is the same object: evaluators; the values of variables |
//! | [`fragment`] | the languages of the papers, as parts of the language: the programs to which their theorems apply |
//! | [`answer`] | [`Semantics`](answer::Semantics): an object-safe interface that evaluates programs by a model |

pub mod answer;
pub mod fragment;
pub mod interpret;
pub mod interpretation;
pub mod reduce;
pub mod universe;

use crate::number::Rational;
use crate::syntax::constant::Constant;
use crate::syntax::data::{Constructor, DataType};
use crate::syntax::term::Definition;
use crate::syntax::ty::{Ty, TyKind};
pub use answer::SourceLocation;
pub use interpret::{
    AppliedOperator, BoundArrow, ConditionalInfo, InterpretError, OperatorApplication, OperatorArgument, interpret,
};
use std::sync::Arc;

/// A construct of the language that a model has no interpretation for.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("the model `{model}` does not define {construct}")]
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
    fn universal_object(&self) -> Option<Self::Object> {
        None
    }

    // ---- objects

    /// Returns the object ℝ.
    fn real_object(&self) -> Self::Object;
    /// Returns the object ℕ.
    ///
    /// # Errors
    /// [`Unsupported`]
    fn natural_object(&self) -> Result<Self::Object, Unsupported>;
    /// Returns the object 𝔅 of truth values.
    ///
    /// # Errors
    /// [`Unsupported`]
    fn boolean_object(&self) -> Result<Self::Object, Unsupported>;
    /// Returns A₁ × … × Aₙ; the terminal object for n = 0.
    fn product_object(&self, parts: &[Self::Object]) -> Self::Object;
    /// Returns A₁ + … + Aₙ; `data` names the injections.
    ///
    /// # Errors
    /// [`Unsupported`], unless the model overrides the method.
    fn sum_object(&self, data: &DataType, parts: &[Self::Object]) -> Result<Self::Object, Unsupported> {
        let _ = (data, parts);
        Err(self.unsupported_error("variants"))
    }
    /// Returns List A, the initial algebra L of 1 + A × L.
    ///
    /// # Errors
    /// [`Unsupported`], unless the model overrides the method.
    fn list_object(&self, of: &Self::Object) -> Result<Self::Object, Unsupported> {
        let _ = of;
        Err(self.unsupported_error("lists"))
    }
    /// Returns the exponential A → B.
    ///
    /// # Errors
    /// [`Unsupported`]
    fn exponential_object(&self, domain: &Self::Object, codomain: &Self::Object) -> Result<Self::Object, Unsupported>;
    /// Returns the tangent object Tan A.
    ///
    /// # Errors
    /// [`Unsupported`]
    fn tangent_object(&self, of: &Self::Object) -> Result<Self::Object, Unsupported>;

    /// Returns the object that a type denotes.
    ///
    /// # Errors
    /// [`Unsupported`]
    fn interpret_type(&self, ty: &Ty) -> Result<Self::Object, Unsupported> {
        if let Some(universal) = self.universal_object() {
            return Ok(universal);
        }
        crate::stack::with_stack(|| match ty.kind() {
            TyKind::Real => Ok(self.real_object()),
            TyKind::Nat => self.natural_object(),
            TyKind::Bool => self.boolean_object(),
            TyKind::Unit => Ok(self.product_object(&[])),
            TyKind::Tuple(parts) => {
                let parts: Vec<_> = parts.iter().map(|part| self.interpret_type(part)).collect::<Result<_, _>>()?;
                Ok(self.product_object(&parts))
            }
            TyKind::Function(a, b) => {
                // Probe with ℝ first: a model without exponentials must report that, not a construct of the domain.
                self.exponential_object(&self.real_object(), &self.real_object())?;
                self.exponential_object(&self.interpret_type(a)?, &self.interpret_type(b)?)
            }
            TyKind::Tangent(of) => self.tangent_object(&self.interpret_type(of)?),
            TyKind::Iso(a, b) => {
                let (a, b) = (self.interpret_type(a)?, self.interpret_type(b)?);
                Ok(self.product_object(&[self.exponential_object(&a, &b)?, self.exponential_object(&b, &a)?]))
            }
            TyKind::Data(data, arguments) if data.is_list() => {
                // Probe with ℝ first, for the same reason: report the missing lists, not a construct of the elements.
                self.list_object(&self.real_object())?;
                self.list_object(&self.interpret_type(&arguments[0])?)
            }
            // Lists are the only initial algebra in the interface of models.
            TyKind::Data(data, _) if data.is_recursive() => Err(self.unsupported_error("recursive types")),
            TyKind::Data(data, arguments) => {
                // Probe with no summands first: report the missing variants, not a construct of a summand.
                self.sum_object(data, &[])?;
                self.sum_object(data, &self.summand_objects(data, arguments)?)
            }
            TyKind::Variable(..) => Err(self.unsupported_error("a type that is not known")),
        })
    }

    /// Returns the objects of the constructors' arguments, the summands of the type. For `List A` they are 1 and A × List A.
    ///
    /// # Errors
    /// [`Unsupported`]
    fn summand_objects(&self, data: &DataType, arguments: &[Ty]) -> Result<Vec<Self::Object>, Unsupported> {
        data.argument_types(arguments).iter().map(|domain| self.interpret_type(domain)).collect()
    }

    /// Returns the object of a variable that is bound to a value: `object`, that of the value's type, unless the model knows
    /// more.
    fn object_of_value(&self, object: Self::Object, value: &Self::Arrow) -> Self::Object {
        let _ = value;
        object
    }

    // ---- structure

    /// Returns the projection `x_i : Γ → Aᵢ`. Variables of Γ are numbered from the left; if Γ has one variable it is the
    /// identity.
    fn project_variable(&self, context: &[Self::Object], index: usize) -> Self::Arrow;
    /// Returns `g ∘ ⟨f₁, …, fₙ⟩ : Γ → B` for `fᵢ : Γ → Aᵢ` and `g : A₁, …, Aₙ → B`; for n = 0, weakening.
    fn compose(&self, context: &[Self::Object], parts: &[Self::Arrow], outer: &Self::Arrow) -> Self::Arrow;
    /// Returns `g ∘ ⟨id, f⟩ : Γ → B` for `f : Γ → A` and `g : Γ, A → B`.
    fn bind(&self, context: &[Self::Object], value: &Self::Arrow, body: &BoundArrow<Self::Arrow>) -> Self::Arrow {
        let mut parts: Vec<_> = (0..context.len()).map(|index| self.project_variable(context, index)).collect();
        parts.push(value.clone());
        self.compose(context, &parts, &body.body)
    }
    /// Returns `⟨f₁, …, fₙ⟩ : Γ → A₁ × … × Aₙ`.
    fn tuple(&self, context: &[Self::Object], parts: &[Self::Arrow]) -> Self::Arrow;
    /// Returns `πᵢ ∘ f : Γ → Aᵢ` for `f : Γ → A₁ × … × Aₙ`, counted from 0. A universal model gets no `parts`.
    fn project_component(&self, parts: &[Self::Object], tuple: &Self::Arrow, index: usize) -> Self::Arrow;
    /// Returns `Γ → (A → B)` for `f : Γ, A → B`.
    ///
    /// # Errors
    /// [`Unsupported`]
    fn curry(
        &self,
        context: &[Self::Object],
        domain: &Self::Object,
        codomain: &Self::Object,
        body: &BoundArrow<Self::Arrow>,
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
    fn case_boolean(
        &self,
        condition: &Self::Arrow,
        then: &Self::Arrow,
        otherwise: &Self::Arrow,
        choice: &ConditionalInfo,
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
        Err(self.unsupported_error("variants"))
    }
    /// Interprets `match`: returns `Γ → B` for `f : Γ → A₁ + … + Aₙ` and arrows `Γ, Aᵢ → B`.
    ///
    /// # Errors
    /// [`Unsupported`], unless the model overrides the method.
    fn case_sum(
        &self,
        context: &[Self::Object],
        parts: &[Self::Object],
        data: &DataType,
        scrutinee: &Self::Arrow,
        branches: &[BoundArrow<Self::Arrow>],
    ) -> Result<Self::Arrow, Unsupported> {
        let _ = (context, parts, data, scrutinee, branches);
        Err(self.unsupported_error("variants"))
    }
    /// Interprets `[]` and `::`: returns `Γ → List A` for `f : Γ → 1 + A × List A`.
    ///
    /// # Errors
    /// [`Unsupported`], unless the model overrides the method.
    fn roll_list(&self, context: &[Self::Object], layer: &Self::Arrow) -> Result<Self::Arrow, Unsupported> {
        let _ = (context, layer);
        Err(self.unsupported_error("lists"))
    }
    /// Returns `Γ → 1 + A × List A`, the scrutinee of a `match`, for `f : Γ → List A`. The inverse of [`Model::roll_list`].
    ///
    /// # Errors
    /// [`Unsupported`], unless the model overrides the method.
    fn unroll_list(&self, context: &[Self::Object], list: &Self::Arrow) -> Result<Self::Arrow, Unsupported> {
        let _ = (context, list);
        Err(self.unsupported_error("lists"))
    }
    /// Interprets `let rec` at `place`: returns the `f : Γ → (A → B)` with `f = value ∘ ⟨id, f⟩`, for `value : Γ, (A → B) → (A →
    /// B)`.
    ///
    /// # Errors
    /// [`Unsupported`]
    fn fixed_point(
        &self,
        context: &[Self::Object],
        value: &BoundArrow<Self::Arrow>,
        place: &SourceLocation,
    ) -> Result<Self::Arrow, Unsupported>;
    /// Interprets `i.to` (`forward`) or `i.from`: returns `Γ → (A → B)` for `i : Γ → (A ≅ B)`.
    ///
    /// # Errors
    /// [`Unsupported`]
    fn isomorphism_side(&self, isomorphism: &Self::Arrow, forward: bool) -> Result<Self::Arrow, Unsupported>;

    // ---- numbers and constants

    /// Returns the constant arrow of a real number.
    fn real_number(&self, context: &[Self::Object], value: &Rational) -> Self::Arrow;
    /// Returns the constant arrow of a natural number.
    ///
    /// # Errors
    /// [`Unsupported`]
    fn natural_number(&self, context: &[Self::Object], value: u64) -> Result<Self::Arrow, Unsupported>;
    /// Returns the constant arrow of a truth value.
    ///
    /// # Errors
    /// [`Unsupported`]
    fn truth_value(&self, context: &[Self::Object], value: bool) -> Result<Self::Arrow, Unsupported>;
    /// Interprets a constant of the language at a type. A universal model gets no type.
    ///
    /// # Errors
    /// [`Unsupported`]
    fn interpret_constant(
        &self,
        context: &[Self::Object],
        constant: Constant,
        ty: Option<&Ty>,
        place: &SourceLocation,
    ) -> Result<Self::Arrow, Unsupported>;
    /// Interprets a constant, `i.to` or `i.from` at all its arguments.
    ///
    /// The default combines [`Model::interpret_constant`] and [`Model::apply`]. A model without exponentials interprets constants here.
    ///
    /// # Errors
    /// [`Unsupported`]
    fn interpret_operation(&self, application: &OperatorApplication<'_, Self>) -> Result<Self::Arrow, Unsupported> {
        let OperatorApplication { context, operator, ty, arguments, place } = *application;
        let constant = |c| self.interpret_constant(context, c, ty, place);
        let mut function = match operator {
            AppliedOperator::Constant(c) => constant(c)?,
            AppliedOperator::To(c) => self.isomorphism_side(&constant(c)?, true)?,
            AppliedOperator::From(c) => self.isomorphism_side(&constant(c)?, false)?,
        };
        for argument in arguments {
            let argument = match argument {
                OperatorArgument::Value(value) => value.clone(),
                OperatorArgument::Function { domain, codomain, body } => self.curry(context, domain, codomain, body)?,
            };
            function = self.apply(context, &function, &argument)?;
        }
        Ok(function)
    }
    /// Returns the arrow of a definition for use at many places. `closed` has the empty context, so a model may cache its value.
    fn share_definition(&self, definition: &Arc<Definition>, closed: &Self::Arrow) -> Self::Arrow {
        let _ = definition;
        closed.clone()
    }

    /// Returns `true` if the interpreter has to replace a constant by its [definition](Constant::expand_in_coordinates) at the type of use.
    ///
    /// The default covers only the constants that no evaluator can interpret without that type.
    fn expands_constant(&self, constant: Constant) -> bool {
        constant.is_determined_by_type()
    }

    /// Returns `true` if the model interprets a constant by its type, also if it is universal.
    ///
    /// A definition with type parameters that contains the constant then gets an arrow for each type at which it is used.
    fn depends_on_type(&self, _: Constant) -> bool {
        false
    }

    /// `true` if the model looks at the types of conditionals.
    ///
    /// A definition with type parameters that contains a conditional then gets an arrow for each type at which it is used.
    const SPECIALISES_CONDITIONALS: bool = false;

    /// Returns the error for a construct that the model lacks.
    fn unsupported_error(&self, construct: impl Into<String>) -> Unsupported {
        Unsupported { model: Self::NAME, construct: construct.into() }
    }
}
