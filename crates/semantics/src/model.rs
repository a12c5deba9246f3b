//! What a meaning of the language is: a structure-preserving functor out of it, that is one instance of [`Model`].
//!
//! A judgment `x₁ : A₁, …, xₙ : Aₙ ⊢ e : B` becomes an arrow `⟦A₁⟧, …, ⟦Aₙ⟧ → ⟦B⟧` out of a list of objects. So a model is a
//! Cartesian closed multicategory with numbers: contexts are lists, and no product of them has to be built and taken
//! apart again. A model that has no exponentials, or no natural numbers, says so where one is asked for: [`Unsupported`].
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
//! | chapter | what it holds |
//! |---|---|
//! | [`mod@interpret`] | the functor: terms to arrows, the same for every model |
//! | [`mod@reduce`] | β-reduction, for models without exponentials |
//! | [`application`] | what an arrow is given where it binds, chooses or is applied |
//! | [`universe`] | models in which every type is the same object: evaluators |
//! | [`environment`] | the values of variables |
//! | [`fragment`] | the languages of the papers, as parts of the language: which programs their theorems are about |
//! | [`answer`] | [`Meaning`](answer::Meaning): a model as something that answers questions |

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
    /// What it lacks, as a noun phrase.
    pub construct: String,
}

/// A meaning of the language: objects for types, arrows for terms. See the [module](self).
///
/// Arrows go from a list of objects, the context Γ, to one object. A construct that the model lacks is an error; whatever
/// else may go wrong, goes wrong when the arrow is run.
pub trait Model {
    /// What types become.
    type Object: Clone;
    /// What terms become.
    type Arrow: Clone;
    /// The name under which the model can be asked for.
    const NAME: &'static str;

    /// The object that every type denotes, where that is one and the same. Types are then not looked at.
    fn universal(&self) -> Option<Self::Object> {
        None
    }

    // ---- objects

    /// ℝ
    fn real(&self) -> Self::Object;
    /// ℕ
    ///
    /// # Errors
    /// [`Unsupported`]
    fn natural(&self) -> Result<Self::Object, Unsupported>;
    /// 𝔅
    ///
    /// # Errors
    /// [`Unsupported`]
    fn boolean(&self) -> Result<Self::Object, Unsupported>;
    /// A₁ × … × Aₙ; the terminal object for n = 0.
    fn product(&self, parts: &[Self::Object]) -> Self::Object;
    /// A₁ + … + Aₙ, with the names of a type for the injections.
    ///
    /// # Errors
    /// [`Unsupported`], unless the model says otherwise.
    fn sum(&self, data: &Data, parts: &[Self::Object]) -> Result<Self::Object, Unsupported> {
        let _ = (data, parts);
        Err(self.lacks("variants"))
    }
    /// List A, the initial algebra L of 1 + A × L.
    ///
    /// # Errors
    /// [`Unsupported`], unless the model says otherwise.
    fn list(&self, of: &Self::Object) -> Result<Self::Object, Unsupported> {
        let _ = of;
        Err(self.lacks("lists"))
    }
    /// A → B
    ///
    /// # Errors
    /// [`Unsupported`]
    fn exponential(&self, domain: &Self::Object, codomain: &Self::Object) -> Result<Self::Object, Unsupported>;
    /// Tan A
    ///
    /// # Errors
    /// [`Unsupported`]
    fn tangent(&self, of: &Self::Object) -> Result<Self::Object, Unsupported>;

    /// The object that a type denotes.
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
                // a model without functions says so before it looks at their types
                self.exponential(&self.real(), &self.real())?;
                self.exponential(&self.object(a)?, &self.object(b)?)
            }
            TyKind::Tangent(of) => self.tangent(&self.object(of)?),
            TyKind::Iso(a, b) => {
                let (a, b) = (self.object(a)?, self.object(b)?);
                Ok(self.product(&[self.exponential(&a, &b)?, self.exponential(&b, &a)?]))
            }
            TyKind::Data(data, arguments) if data.is_list() => {
                // what is missing is said before the types of the parts are looked at
                self.list(&self.real())?;
                self.list(&self.object(&arguments[0])?)
            }
            TyKind::Data(data, _) if data.is_recursive() => Err(self.lacks("recursive types")),
            TyKind::Data(data, arguments) => {
                self.sum(data, &[])?;
                self.sum(data, &self.summands(data, arguments)?)
            }
            TyKind::Variable(..) => Err(self.lacks("a type that is not known")),
        })
    }

    /// The objects of the arguments of constructors: those of which a type is the sum. Of `List A`, 1 and A × List A.
    ///
    /// # Errors
    /// [`Unsupported`]
    fn summands(&self, data: &Data, arguments: &[Ty]) -> Result<Vec<Self::Object>, Unsupported> {
        data.domains(arguments).iter().map(|domain| self.object(domain)).collect()
    }

    /// The object of a variable that is bound to a value: that of the value's type, unless the model knows more.
    fn of_value(&self, object: Self::Object, value: &Self::Arrow) -> Self::Object {
        let _ = value;
        object
    }

    // ---- structure

    /// `x_i : Γ → Aᵢ`, the variables of Γ numbered from the left; with one variable it is the identity.
    fn variable(&self, context: &[Self::Object], index: usize) -> Self::Arrow;
    /// `g ∘ ⟨f₁, …, fₙ⟩ : Γ → B` for `fᵢ : Γ → Aᵢ` and `g : A₁, …, Aₙ → B`; for n = 0, weakening.
    fn compose(&self, context: &[Self::Object], parts: &[Self::Arrow], outer: &Self::Arrow) -> Self::Arrow;
    /// `g ∘ ⟨id, f⟩ : Γ → B` for `f : Γ → A` and `g : Γ, A → B`.
    fn bind(&self, context: &[Self::Object], value: &Self::Arrow, body: &Bound<Self::Arrow>) -> Self::Arrow {
        let mut parts: Vec<_> = (0..context.len()).map(|index| self.variable(context, index)).collect();
        parts.push(value.clone());
        self.compose(context, &parts, &body.body)
    }
    /// `⟨f₁, …, fₙ⟩ : Γ → A₁ × … × Aₙ`
    fn tuple(&self, context: &[Self::Object], parts: &[Self::Arrow]) -> Self::Arrow;
    /// `πᵢ ∘ f : Γ → Aᵢ` for `f : Γ → A₁ × … × Aₙ`, counted from 0. A universal model is given no `parts`.
    fn component(&self, parts: &[Self::Object], tuple: &Self::Arrow, index: usize) -> Self::Arrow;
    /// `Γ → (A → B)` for `f : Γ, A → B`
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
    /// `Γ → B` for `f : Γ → (A → B)` and `x : Γ → A`
    ///
    /// # Errors
    /// [`Unsupported`]
    fn apply(
        &self,
        context: &[Self::Object],
        function: &Self::Arrow,
        argument: &Self::Arrow,
    ) -> Result<Self::Arrow, Unsupported>;
    /// `if`: `Γ → A` for `c : Γ → 𝔅` and two arrows `Γ → A`
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
    /// `inᵢ ∘ f : Γ → A₁ + … + Aₙ` for `f : Γ → Aᵢ`, of a sum that is written as the type
    /// `ty`. A universal model is given no `parts`, here and below.
    ///
    /// # Errors
    /// [`Unsupported`], unless the model says otherwise.
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
    /// `match`: `Γ → B` for `f : Γ → A₁ + … + Aₙ` and arrows `Γ, Aᵢ → B`
    ///
    /// # Errors
    /// [`Unsupported`], unless the model says otherwise.
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
    /// `Γ → List A` for `f : Γ → 1 + A × List A`: `[]` and `::`
    ///
    /// # Errors
    /// [`Unsupported`], unless the model says otherwise.
    fn roll(&self, context: &[Self::Object], layer: &Self::Arrow) -> Result<Self::Arrow, Unsupported> {
        let _ = (context, layer);
        Err(self.lacks("lists"))
    }
    /// `Γ → 1 + A × List A` for `f : Γ → List A`: what a `match` looks at; the inverse of [`Model::roll`]
    ///
    /// # Errors
    /// [`Unsupported`], unless the model says otherwise.
    fn unroll(&self, context: &[Self::Object], list: &Self::Arrow) -> Result<Self::Arrow, Unsupported> {
        let _ = (context, list);
        Err(self.lacks("lists"))
    }
    /// `let rec`: the function `f : Γ → (A → B)` with `f = value ∘ ⟨id, f⟩`, for `value : Γ, (A → B) → (A → B)`, from a place
    ///
    /// # Errors
    /// [`Unsupported`]
    fn recursion(
        &self,
        context: &[Self::Object],
        value: &Bound<Self::Arrow>,
        place: &Place,
    ) -> Result<Self::Arrow, Unsupported>;
    /// `i.to`, for forward, or `i.from`: `Γ → (A → B)` for `i : Γ → (A ≅ B)`
    ///
    /// # Errors
    /// [`Unsupported`]
    fn side(&self, isomorphism: &Self::Arrow, forward: bool) -> Result<Self::Arrow, Unsupported>;

    // ---- numbers and constants

    /// A real number.
    fn number(&self, context: &[Self::Object], value: &Rational) -> Self::Arrow;
    /// A natural number.
    ///
    /// # Errors
    /// [`Unsupported`]
    fn natural_number(&self, context: &[Self::Object], value: u64) -> Result<Self::Arrow, Unsupported>;
    /// A truth value.
    ///
    /// # Errors
    /// [`Unsupported`]
    fn truth(&self, context: &[Self::Object], value: bool) -> Result<Self::Arrow, Unsupported>;
    /// A constant of the language at a type; a universal model is given no type.
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
    /// A constant, or `i.to` or `i.from`, at all its arguments. By default what [`Model::constant`] and [`Model::apply`]
    /// give; a model without exponentials interprets constants here.
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
    /// The arrow of a definition, out of the empty context, to be used at many places: a model may keep its value.
    fn shared(&self, definition: &Arc<Definition>, closed: &Self::Arrow) -> Self::Arrow {
        let _ = definition;
        closed.clone()
    }

    /// Whether a constant is [written out](Constant::written_out) at the type at which it is used, since the model has no rule for
    /// it: only where no evaluator can know what it is, unless the model says otherwise.
    fn writes_out(&self, constant: Constant) -> bool {
        constant.follows_from_type()
    }

    /// Whether the types of conditionals are looked at: then a definition with parameters that has one has an arrow for each
    /// of the types for which it is used.
    const CHOOSES_BY_TYPE: bool = false;

    /// The error for a construct that the model lacks.
    fn lacks(&self, construct: impl Into<String>) -> Unsupported {
        Unsupported { model: Self::NAME, construct: construct.into() }
    }
}
