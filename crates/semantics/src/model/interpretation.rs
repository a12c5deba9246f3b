//! The interpretation of programs in any bicartesian closed category with lists (H §5.1, Lemma 4).
//!
//! Lemma 4: for each choice of an object F(real) and of an arrow F(op) for each operation, there is one functor F from
//! programs modulo βη that preserves ×, +, ⇒ and lists. [`Interpretation`] is the choice, [`Interpret`] the functor. It
//! has one clause for each form of the language. Nothing is reduced before, so β and η are laws that it has to satisfy.
//!
//! | form | its arrow out of Γ = (1 × A₁) × … × Aₙ |
//! |---|---|
//! | `x`, `\x => t`, `t s`, `let` | projections; `curry`; `⟨t, s⟩.then(apply)`; `⟨id, t⟩.then(s)` |
//! | `()`, `(t, s)`, `t[i]` | `!`; pairs, a tuple of more being nested to the right; projections |
//! | `Inᵢ t`, `match` | injections, a sum of more being nested to the right; cases into Γ ⇒ B, by currying |
//! | `[]`, `t :: s`, `fold` | `nil`, `cons`; a fold into (parameters ⇒ B), by currying |
//! | 𝔅, `tt`, `ff`, `if` | 1 + 1, its injections and cases |
//! | ℕ and its operations | List 1, and programs on these |
//! | a number, `x ^ q`, a constant | [`Interpretation::operation`] |
//!
//! Recursion, isomorphisms, tangents and recursive types other than lists are not in H §5.1: they have no image.
//!
//! A [`ProgramFunctor`] is any functor out of programs, with the inverses that it claims for its [`Comparison`]s. That it
//! preserves the structure, and that there is one such functor, are laws of `law::category`.

use crate::category::value::{ArrowError, ArrowResult, Typed, ValueBicartesianClosed, ValueCategory};
use crate::category::{Functor, Hom, ObjectName};
use crate::model::interpret::inline_polymorphic_let;
use crate::model::reduce::fold_constant;
use crate::number::Rational;
use crate::simple::{Terms, arrow_from_body, bound_variable, lambda, project};
use crate::stack::with_stack;
use crate::syntax::constant::Constant;
use crate::syntax::data::{Constructor, DataType};
use crate::syntax::library::Library;
use crate::syntax::name::Name;
use crate::syntax::source::Span;
use crate::syntax::term::{Definition, MatchBranch, Term, TermKind};
use crate::syntax::ty::{Ty, TyKind};
use rustc_hash::FxHashMap;
use std::error::Error;
use std::marker::PhantomData;
use std::sync::{Arc, LazyLock};

/// An operation of the language: all that an interpretation has to choose besides F(real).
#[derive(Clone, Debug, PartialEq)]
#[non_exhaustive]
pub enum Operation {
    /// A number `q : 1 → real`.
    Number(Rational),
    /// A power `x ↦ x ^ q : real → real` with a known exponent.
    Power(Rational),
    /// A constant at an instance of its type. Its arguments are one product, the type `A -> B -> C` becomes A × B → C.
    Constant(Constant, Ty),
}

impl Operation {
    /// Returns the types of the arguments.
    #[must_use]
    pub fn argument_types(&self) -> Vec<Ty> {
        match self {
            Self::Number(_) => Vec::new(),
            Self::Power(_) => vec![Ty::real()],
            Self::Constant(constant, ty) => split_type(ty, constant.arity()).0,
        }
    }

    /// Returns the type of the source: 1 for no argument, a type, or a tuple.
    #[must_use]
    pub fn domain(&self) -> Ty {
        tuple_type(self.argument_types())
    }

    /// Returns the type of the result.
    #[must_use]
    pub fn codomain(&self) -> Ty {
        match self {
            Self::Number(_) | Self::Power(_) => Ty::real(),
            Self::Constant(constant, ty) => split_type(ty, constant.arity()).1,
        }
    }

    /// Returns the operation as a closed program from [`Operation::domain`] to [`Operation::codomain`].
    #[must_use]
    pub fn to_program(&self) -> Term {
        let domain = self.domain();
        arrow_from_body(&domain, |x| match self {
            Self::Number(q) => make(TermKind::Real(q.clone())),
            Self::Power(q) => {
                let power = make(TermKind::Constant(Constant::Power));
                apply_all(power, [x, make(TermKind::Real(q.clone()))])
            }
            Self::Constant(constant, ty) => {
                let function = Term::with_type(TermKind::Constant(*constant), ty.clone(), Span::default());
                match constant.arity() {
                    0 => function,
                    1 => apply_all(function, [x]),
                    n => apply_all(function, (0..n).map(|i| project(x.clone(), i))),
                }
            }
        })
    }

    /// Returns the error of an interpretation that has no arrow for the operation.
    #[must_use]
    pub fn no_image<E: Error>(&self, interpretation: &str) -> ArrowError<E> {
        let construct = match self {
            Self::Number(q) => format!("the number {q}"),
            Self::Power(q) => format!("the power with exponent {q}"),
            Self::Constant(constant, ty) => format!("{} : {ty}", constant.describe_missing()),
        };
        ArrowError::NoImage { functor: interpretation.into(), construct }
    }
}

/// Splits the type of a function of `count` arguments.
fn split_type(ty: &Ty, count: usize) -> (Vec<Ty>, Ty) {
    let (mut arguments, mut rest) = (Vec::new(), ty.clone());
    while arguments.len() < count {
        let TyKind::Function(a, b) = rest.kind() else { break };
        let (a, b) = (a.clone(), b.clone());
        arguments.push(a);
        rest = b;
    }
    (arguments, rest)
}

fn tuple_type(mut parts: Vec<Ty>) -> Ty {
    match parts.len() {
        0 => Ty::unit(),
        1 => parts.remove(0),
        _ => Ty::new(TyKind::Tuple(parts)),
    }
}

fn make(kind: TermKind) -> Term {
    Term::new(kind, Span::default())
}

fn apply_all(function: Term, arguments: impl IntoIterator<Item = Term>) -> Term {
    arguments.into_iter().fold(function, |f, x| Term::apply(f, x, Span::default()))
}

/// A choice of F(real) and of F(op) for each operation, in a category.
pub trait Interpretation<C: ValueCategory> {
    /// The name in messages.
    const NAME: &'static str;

    /// F(real)
    fn real(&self, category: &C) -> C::Object;

    /// F(op), from the product of the images of the arguments to that of the result.
    ///
    /// # Errors
    /// [`Operation::no_image`] for an operation that the interpretation lacks; errors of the category.
    fn operation(&self, category: &C, operation: &Operation) -> ArrowResult<C>;
}

/// A comparison of the structure of programs with that of the target of a functor F.
///
/// F preserves the structure if each comparison is an isomorphism.
#[derive(Clone, Debug)]
pub enum Comparison {
    /// `! : F1 → 1`
    Terminal,
    /// `⟨F fst, F snd⟩ : F(A × B) → FA × FB`
    Product(Ty, Ty),
    /// `curry(F apply) : F(A ⇒ B) → (FA ⇒ FB)`, after the inverse of the comparison of (A ⇒ B) × A.
    Exponential(Ty, Ty),
    /// `? : 0 → F0`
    Initial,
    /// `[F left, F right] : FA + FB → F(A + B)`
    Sum(Ty, Ty),
    /// `fold(F nil, F cons) : List FA → F(List A)`, after the inverses of the comparisons of 1 and of A × List A.
    List(Ty),
}

impl Comparison {
    /// Returns the type of programs that is compared: 1, A × B, A ⇒ B, 0, A + B or List A.
    #[must_use]
    pub fn composite_type(&self) -> Ty {
        match self {
            Self::Terminal => Ty::unit(),
            Self::Product(a, b) => tuple_type(vec![a.clone(), b.clone()]),
            Self::Exponential(a, b) => Ty::function(a.clone(), b.clone()),
            Self::Initial => Ty::new(TyKind::Data(DataType::sum(0), Vec::new())),
            Self::Sum(a, b) => Ty::new(TyKind::Data(DataType::sum(2), vec![a.clone(), b.clone()])),
            Self::List(a) => Ty::list(a.clone()),
        }
    }
}

/// A functor from programs modulo βη to a category of values, with inverses for its comparisons.
pub trait ProgramFunctor {
    /// The target category.
    type Target: ValueBicartesianClosed;

    /// Returns the target category.
    fn target(&self) -> &Self::Target;

    /// Returns the image of a type.
    ///
    /// # Errors
    /// [`ArrowError::NoImage`] for a type that the functor lacks.
    fn object_of(&self, ty: &Ty) -> Result<TargetObject<Self>, TargetError<Self>>;

    /// Returns the image of a closed program of type `from -> to`.
    ///
    /// # Errors
    /// [`ArrowError::NoImage`] for a construct that the functor lacks; errors of the category.
    fn arrow_of(&self, program: &Term, from: &Ty, to: &Ty) -> ArrowResult<Self::Target>;

    /// Returns the arrow that the functor gives as the inverse of a comparison. Laws test that it is one.
    ///
    /// The default is for strict functors, for which `F(A × B)` is FA × FB and so on: an identity.
    ///
    /// # Errors
    /// As for [`ProgramFunctor::arrow_of`].
    fn inverse_of(&self, comparison: &Comparison) -> ArrowResult<Self::Target> {
        self.target().identity(&self.object_of(&comparison.composite_type())?)
    }
}

/// The objects of the target of a functor.
pub type TargetObject<F> = <<F as ProgramFunctor>::Target as ValueCategory>::Object;
/// The errors of the target of a functor.
pub type TargetError<F> = ArrowError<<<F as ProgramFunctor>::Target as ValueCategory>::Error>;

/// The structure-preserving functor from programs that an interpretation determines (H Lemma 4).
///
/// # Examples
/// Programs modulo βη interpret themselves. An operation that the interpretation lacks is an error, not a panic.
/// ```
/// use smoothish_semantics::category::value::ArrowResult;
/// use smoothish_semantics::simple::Terms;
/// use smoothish_semantics::model::interpretation::{Interpret, Interpretation, Operation, ProgramFunctor};
/// use smoothish_semantics::syntax::constant::Constant;
/// use smoothish_semantics::syntax::library::Library;
/// use smoothish_semantics::syntax::normal::normalise;
/// use smoothish_semantics::syntax::ty::Ty;
///
/// struct Itself;
/// impl Interpretation<Terms> for Itself {
///     const NAME: &'static str = "itself";
///     fn real(&self, _: &Terms) -> Ty { Ty::real() }
///     fn operation(&self, _: &Terms, operation: &Operation) -> ArrowResult<Terms> {
///         match operation {
///             Operation::Constant(Constant::Divide, _) => Err(operation.no_image(Self::NAME)),
///             _ => Ok(operation.to_program()),
///         }
///     }
/// }
///
/// let functor = Interpret { category: Terms, interpretation: Itself };
/// let (square, _) = Library::new().infer_expression(r"\x => let y = sin x in y * y")?;
/// let image = functor.arrow_of(&square, &Ty::real(), &Ty::real())?;
/// assert_eq!(normalise(&image)?, normalise(&square)?);
///
/// let (half, _) = Library::new().infer_expression(r"\x => x / 2")?;
/// let error = functor.arrow_of(&half, &Ty::real(), &Ty::real()).unwrap_err();
/// assert_eq!(error.to_string(), "`itself` has no image for `/` : Real -> Real -> Real");
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Copy, Debug, Default)]
pub struct Interpret<C, I> {
    /// The target.
    pub category: C,
    /// F(real) and F(op).
    pub interpretation: I,
}

impl<C: ValueBicartesianClosed, I: Interpretation<C>> Interpret<C, I> {
    fn no_image(&self, construct: impl Into<String>) -> ArrowError<C::Error> {
        ArrowError::NoImage { functor: I::NAME.into(), construct: construct.into() }
    }

    fn objects_of(&self, types: &[Ty]) -> Result<Vec<C::Object>, ArrowError<C::Error>> {
        types.iter().map(|ty| self.object_of(ty)).collect()
    }

    /// Returns A₁ × (A₂ × …), 1 for no part.
    fn product_of(&self, parts: &[C::Object]) -> C::Object {
        match parts {
            [] => self.category.terminal_object(),
            [one] => one.clone(),
            [first, rest @ ..] => self.category.product_object(first, &self.product_of(rest)),
        }
    }

    /// Returns A₁ + (A₂ + …), 0 for no part.
    fn sum_of(&self, parts: &[C::Object]) -> C::Object {
        match parts {
            [] => self.category.initial_object(),
            [one] => one.clone(),
            [first, rest @ ..] => self.category.sum_object(first, &self.sum_of(rest)),
        }
    }

    /// Returns 1 + A × List A, one layer of a list.
    fn layer_of(&self, element: &C::Object) -> C::Object {
        let c = &self.category;
        c.sum_object(&c.terminal_object(), &c.product_object(element, &c.list_object(element)))
    }

    /// Returns the summands of a type with constructors; for lists, those of a layer.
    fn summands_of(&self, data: &DataType, arguments: &[Ty]) -> Result<Vec<C::Object>, ArrowError<C::Error>> {
        if data.is_recursive() && !data.is_list() {
            return Err(self.no_image(format!("`{}`, a recursive type", data.name())));
        }
        self.objects_of(&data.argument_types(arguments))
    }

    /// Returns the injection of the summand `index`.
    fn injection(&self, parts: &[C::Object], index: usize) -> ArrowResult<C> {
        let c = &self.category;
        match parts {
            [] => Err(self.no_image("an injection into the empty sum")),
            [one] => c.identity(one),
            [first, rest @ ..] => {
                let sum = self.sum_of(rest);
                if index == 0 {
                    return c.left([first, &sum]);
                }
                let inner = self.injection(rest, index - 1)?;
                let part = rest.get(index - 1).ok_or_else(|| self.no_image("a constructor of another type"))?;
                c.then([part, &sum, &self.sum_of(parts)], &inner, &c.right([first, &sum])?)
            }
        }
    }

    /// Returns `[f₁, …, fₙ] : A₁ + (A₂ + …) → X`.
    fn cases(&self, parts: &[C::Object], to: &C::Object, arrows: &[C::Arrow]) -> ArrowResult<C> {
        match (parts, arrows) {
            ([], []) => self.category.initial(to),
            ([_], [one]) => Ok(one.clone()),
            ([first, parts @ ..], [arrow, arrows @ ..]) => {
                let rest = self.cases(parts, to, arrows)?;
                self.category.case([first, &self.sum_of(parts), to], arrow, &rest)
            }
            _ => Err(self.no_image("a `match` with another number of branches than constructors")),
        }
    }

    /// Returns `List A → 1 + A × List A`, the inverse of `[nil, cons]` (Lambek's lemma).
    fn unroll(&self, element: &C::Object) -> ArrowResult<C> {
        let c = &self.category;
        let (one, list, layer) = (c.terminal_object(), c.list_object(element), self.layer_of(element));
        let cell = c.product_object(element, &list);
        let roll = c.case([&one, &cell, &list], &c.nil(element)?, &c.cons(element)?)?;
        // a fold into the layer: the layer of the rest is rolled up, and becomes the tail of the next layer
        let from = c.product_object(element, &layer);
        let tail = c.then([&from, &layer, &list], &c.second([element, &layer])?, &roll)?;
        let step = c.pair([&from, element, &list], &c.first([element, &layer])?, &tail)?;
        let step = c.then([&from, &cell, &layer], &step, &c.right([&one, &cell])?)?;
        c.fold([element, &layer], &c.left([&one, &cell])?, &step)
    }

    /// Returns the fold of the language, `(A ⇒ (B ⇒ B)) × (B × List A) → B`.
    fn fold_constant(&self, a: &C::Object, b: &C::Object) -> ArrowResult<C> {
        let c = &self.category;
        let (one, list) = (c.terminal_object(), c.list_object(a));
        let of_state = c.exponential_object(b, b);
        let of_element = c.exponential_object(a, &of_state);
        // K = (A ⇒ (B ⇒ B)) × B, the parameters; the fold is one into G = K ⇒ B
        let parameters = c.product_object(&of_element, b);
        let to = c.exponential_object(&parameters, b);
        let start = c.curry([&one, &parameters, b], &{
            let from = c.product_object(&one, &parameters);
            c.then([&from, &parameters, b], &c.second([&one, &parameters])?, &c.second([&of_element, b])?)?
        })?;
        let cell = c.product_object(a, &to);
        // out of (A × G) × K: f a (g k), for k = (f, z)
        let all = c.product_object(&cell, &parameters);
        let (left, k) = (c.first([&cell, &parameters])?, c.second([&cell, &parameters])?);
        let element = c.then([&all, &cell, a], &left, &c.first([a, &to])?)?;
        let rest = c.then([&all, &cell, &to], &left, &c.second([a, &to])?)?;
        let function = c.then([&all, &parameters, &of_element], &k, &c.first([&of_element, b])?)?;
        let state = self.applied(&all, [&parameters, b], &rest, &k)?;
        let step = self.applied(&all, [a, &of_state], &function, &element)?;
        let step = c.curry([&cell, &parameters, b], &self.applied(&all, [b, b], &step, &state)?)?;
        let fold = c.fold([a, &to], &start, &step)?;
        // out of F × (B × List A): the list's function at (f, z)
        let rest = c.product_object(b, &list);
        let from = c.product_object(&of_element, &rest);
        let (f, rest_of) = (c.first([&of_element, &rest])?, c.second([&of_element, &rest])?);
        let z = c.then([&from, &rest, b], &rest_of, &c.first([b, &list])?)?;
        let xs = c.then([&from, &rest, &list], &rest_of, &c.second([b, &list])?)?;
        let xs = c.then([&from, &list, &to], &xs, &fold)?;
        self.applied(&from, [&parameters, b], &xs, &c.pair([&from, &of_element, b], &f, &z)?)
    }

    /// Returns `⟨f, x⟩.then(apply) : X → B` for `f : X → (A ⇒ B)` and `x : X → A`.
    fn applied(
        &self,
        from: &C::Object,
        [a, b]: [&C::Object; 2],
        function: &C::Arrow,
        argument: &C::Arrow,
    ) -> ArrowResult<C> {
        let c = &self.category;
        let exponential = c.exponential_object(a, b);
        let both = c.pair([from, &exponential, a], function, argument)?;
        c.then([from, &c.product_object(&exponential, a), b], &both, &c.apply([a, b])?)
    }

    /// Returns the image of a constant at all its arguments, a product.
    fn operation(&self, constant: Constant, ty: &Ty) -> ArrowResult<C> {
        let c = &self.category;
        let (arguments, _) = split_type(ty, constant.arity());
        match (constant, arguments.as_slice()) {
            (Constant::Fold, [step, state, _]) => {
                let (element, _) = split_type(step, 1);
                let [element] = element.as_slice() else { return Err(self.no_image("a fold of another type")) };
                self.fold_constant(&self.object_of(element)?, &self.object_of(state)?)
            }
            (Constant::Fst | Constant::Snd, [pair]) => {
                let TyKind::Tuple(parts) = pair.kind() else { return Err(self.no_image("a pair of another type")) };
                let parts = self.objects_of(parts)?;
                let [a, b] = parts.as_slice() else { return Err(self.no_image("a pair of another type")) };
                if constant == Constant::Fst { c.first([a, b]) } else { c.second([a, b]) }
            }
            _ => self.interpretation.operation(c, &Operation::Constant(constant, ty.clone())),
        }
    }
}

impl<C: ValueBicartesianClosed, I: Interpretation<C>> ProgramFunctor for Interpret<C, I> {
    type Target = C;

    fn target(&self) -> &C {
        &self.category
    }

    fn object_of(&self, ty: &Ty) -> Result<C::Object, ArrowError<C::Error>> {
        let c = &self.category;
        with_stack(|| match ty.kind() {
            TyKind::Real => Ok(self.interpretation.real(c)),
            TyKind::Nat => Ok(c.list_object(&c.terminal_object())),
            TyKind::Bool => Ok(c.sum_object(&c.terminal_object(), &c.terminal_object())),
            TyKind::Unit => Ok(c.terminal_object()),
            TyKind::Tuple(parts) => Ok(self.product_of(&self.objects_of(parts)?)),
            TyKind::Function(a, b) => Ok(c.exponential_object(&self.object_of(a)?, &self.object_of(b)?)),
            TyKind::Data(data, arguments) if data.is_list() => match arguments.as_slice() {
                [element] => Ok(c.list_object(&self.object_of(element)?)),
                _ => Err(self.no_image("lists of another kind")),
            },
            TyKind::Data(data, arguments) => Ok(self.sum_of(&self.summands_of(data, arguments)?)),
            TyKind::Tangent(_) | TyKind::Iso(..) | TyKind::Variable(..) => Err(self.no_image(format!("the type {ty}"))),
        })
    }

    fn arrow_of(&self, program: &Term, from: &Ty, to: &Ty) -> ArrowResult<C> {
        let c = &self.category;
        let (one, a, b) = (c.terminal_object(), self.object_of(from)?, self.object_of(to)?);
        let mut clauses = Clauses::new(self);
        let through = c.product_object(&one, &a);
        let alone = c.pair([&a, &one, &a], &c.terminal(&a)?, &c.identity(&a)?)?;
        // of a function as written its body is the arrow: no exponential is made to be taken apart again
        if let TermKind::Lambda { body, .. } = program.kind() {
            let body = clauses.under(a.clone(), |clauses| clauses.arrow(body))?;
            return c.then([&a, &through, &b], &alone, &body);
        }
        let function = clauses.arrow(program)?;
        let function = c.then([&a, &one, &c.exponential_object(&a, &b)], &c.terminal(&a)?, &function)?;
        self.applied(&a, [&a, &b], &function, &c.identity(&a)?)
    }
}

/// A type with its parameters replaced by ℝ: those that nothing determines.
fn closed_type(ty: &Ty) -> Ty {
    if ty.is_closed() { ty.clone() } else { ty.with_reals() }
}

/// Returns the program of an operation on ℕ or 𝔅, on List 1 and 1 + 1. `None` for other constants.
fn discrete_program(constant: Constant, ty: &Ty) -> Option<Term> {
    // `before` takes an element off; `less` takes off as many as the second list has, which is a difference from 0 on
    const LESS: &str = r"let before = \(s : List Unit) => match s with [] => [] | _ :: r => r in
        let less = \(m : List Unit) (n : List Unit) => fold (\u s => before s) m n in
        let empty = \(m : List Unit) => match m with [] => tt | _ :: _ => ff in ";
    static PROGRAMS: LazyLock<FxHashMap<Constant, Term>> = LazyLock::new(|| {
        let comparison = |body: &str| format!(r"{LESS} \(m : List Unit) (n : List Unit) => {body}");
        let texts = [
            (Constant::Add, r"\(m : List Unit) (n : List Unit) => fold (\u s => u :: s) n m".into()),
            (Constant::Subtract, comparison("less m n")),
            (
                Constant::NaturalProduct,
                r"\(m : List Unit) (n : List Unit) => fold (\u s => fold (\v r => v :: r) s n) [] m".into(),
            ),
            (Constant::LessEqual, comparison("empty (less m n)")),
            (Constant::GreaterEqual, comparison("empty (less n m)")),
            (Constant::Less, comparison("if empty (less n m) then ff else tt")),
            (Constant::Greater, comparison("if empty (less m n) then ff else tt")),
            (Constant::Equal, comparison("if empty (less m n) then empty (less n m) else ff")),
            (Constant::NotEqual, comparison("if empty (less m n) then (if empty (less n m) then ff else tt) else tt")),
            (Constant::Not, r"\b => if b then ff else tt".into()),
            (Constant::ToReal, r"\(m : List Unit) => fold (\u s => s + 1.0) 0.0 m".into()),
            (Constant::NaturalPower, r"\(x : Real) (n : List Unit) => fold (\u s => x * s) 1.0 n".into()),
        ];
        let library = Library::new();
        let program = |(constant, text): (Constant, String)| {
            // a text that is no program would leave the constant without an image, which the laws notice
            Some((constant, library.infer_expression(&text).ok()?.0))
        };
        texts.into_iter().filter_map(program).collect()
    });
    let (arguments, _) = split_type(ty, 1);
    let is_overloaded = matches!(constant, Constant::Add | Constant::Subtract);
    if is_overloaded && !arguments.first().is_some_and(|ty| matches!(ty.kind(), TyKind::Nat)) {
        return None;
    }
    PROGRAMS.get(&constant).cloned()
}

/// An operation on tuples as a program of the operations on their components; `None` at other types.
fn componentwise_program(constant: Constant, ty: &Ty) -> Option<Term> {
    let (arguments, _) = split_type(ty, constant.arity());
    let linear = matches!(constant, Constant::Add | Constant::Subtract | Constant::Negate);
    let TyKind::Tuple(parts) = arguments.first().filter(|_| linear)?.kind() else { return None };
    let count = arguments.len();
    let component = |(place, part): (usize, &Ty)| {
        let ty = arguments.iter().fold(part.clone(), |ty, _| Ty::function(part.clone(), ty));
        let function = Term::with_type(TermKind::Constant(constant), ty, Span::default());
        let argument = |i| project(bound_variable(count - 1 - i, &arguments[i]), place);
        apply_all(function, (0..count).map(argument))
    };
    let body = make(TermKind::Tuple(parts.iter().enumerate().map(component).collect()));
    Some(arguments.iter().rev().fold(body, |body, ty| lambda(ty, body)))
}

/// Returns the value of a term that is arithmetic of literals: an exponent.
fn literal_value(term: &Term) -> Option<Rational> {
    match term.kind() {
        TermKind::Real(q) => Some(q.clone()),
        TermKind::Nat(n) => Some((*n).into()),
        _ => {
            let (head, arguments) = application_spine(term);
            let TermKind::Constant(constant) = head.kind() else { return None };
            let arguments: Option<Vec<_>> = arguments.into_iter().map(|x| with_stack(|| literal_value(x))).collect();
            fold_constant(*constant, &arguments?.iter().collect::<Vec<_>>())
        }
    }
}

/// Returns f and the arguments of `f e₁ … eₙ`.
fn application_spine(term: &Term) -> (&Term, Vec<&Term>) {
    let (mut head, mut arguments) = (term, Vec::new());
    while let TermKind::Apply { function, argument } = head.kind() {
        arguments.push(argument);
        head = function;
    }
    arguments.reverse();
    (head, arguments)
}

/// The largest natural number that is written as a list. A choice: each element is an arrow around the rest.
const MAX_NATURAL: u64 = 1_000;

/// The clauses of a functor, in a context.
struct Clauses<'f, C: ValueCategory, I> {
    functor: &'f Interpret<C, I>,
    /// A₁, …, Aₙ, the objects of the variables.
    variables: Vec<C::Object>,
    /// 1, 1 × A₁, (1 × A₁) × A₂, …, Γ: the last is the source of all arrows.
    contexts: Vec<C::Object>,
    /// The arrows out of 1 of definitions, by address, each with its type.
    definitions: FxHashMap<usize, Vec<(Ty, C::Arrow)>>,
}

impl<'f, C: ValueBicartesianClosed, I: Interpretation<C>> Clauses<'f, C, I> {
    fn new(functor: &'f Interpret<C, I>) -> Self {
        let one = functor.category.terminal_object();
        Self { functor, variables: Vec::new(), contexts: vec![one], definitions: FxHashMap::default() }
    }

    /// Runs a function with one more variable in the context.
    fn under<R>(&mut self, object: C::Object, run: impl FnOnce(&mut Self) -> R) -> R {
        let extended = self.functor.category.product_object(&self.context(), &object);
        self.variables.push(object);
        self.contexts.push(extended);
        let result = run(self);
        self.variables.pop();
        self.contexts.pop();
        result
    }

    /// Γ
    fn context(&self) -> C::Object {
        self.contexts.last().cloned().unwrap_or_else(|| self.functor.category.terminal_object())
    }

    fn object(&self, ty: &Ty) -> Result<C::Object, ArrowError<C::Error>> {
        self.functor.object_of(&closed_type(ty))
    }

    /// Returns the arrow Γ → A of an arrow 1 → A.
    fn weakened(&self, to: &C::Object, closed: &C::Arrow) -> ArrowResult<C> {
        let (c, context) = (&self.functor.category, self.context());
        c.then([&context, &c.terminal_object(), to], &c.terminal(&context)?, closed)
    }

    /// Returns the arrow of a closed term, out of 1.
    fn closed_arrow(&mut self, term: &Term) -> ArrowResult<C> {
        let (variables, context) = (std::mem::take(&mut self.variables), self.contexts.split_off(1));
        let arrow = self.arrow(term);
        self.variables = variables;
        self.contexts.extend(context);
        arrow
    }

    /// Returns the arrow of a term, `Γ → A`.
    fn arrow(&mut self, term: &Term) -> ArrowResult<C> {
        with_stack(|| self.clause(term))
    }

    fn clause(&mut self, term: &Term) -> ArrowResult<C> {
        let functor = self.functor;
        let (c, context) = (&functor.category, self.context());
        match term.kind() {
            TermKind::Variable { index, name } => self.projection(*index, name),
            TermKind::Real(q) => {
                let number = functor.interpretation.operation(c, &Operation::Number(q.clone()))?;
                self.weakened(&functor.interpretation.real(c), &number)
            }
            TermKind::Nat(n) if *n > MAX_NATURAL => Err(functor
                .no_image(format!("the natural number {n}: as a list it may have at most {MAX_NATURAL} elements"))),
            TermKind::Nat(n) => {
                let (one, naturals) = (c.terminal_object(), c.list_object(&c.terminal_object()));
                let (mut number, star) = (c.nil(&one)?, c.identity(&one)?);
                // each successor is an arrow around the one before
                for _ in 0..*n {
                    let cell = c.pair([&one, &one, &naturals], &star, &number)?;
                    number = c.then([&one, &c.product_object(&one, &naturals), &naturals], &cell, &c.cons(&one)?)?;
                }
                self.weakened(&naturals, &number)
            }
            TermKind::Bool(b) => {
                let one = c.terminal_object();
                let value = if *b { c.left([&one, &one]) } else { c.right([&one, &one]) };
                self.weakened(&c.sum_object(&one, &one), &value?)
            }
            TermKind::Unit => c.terminal(&context),
            TermKind::Constant(constant) => self.constant(*constant, &closed_type(term.ty())),
            TermKind::Global(definition) => self.definition(definition, &closed_type(term.ty())),
            TermKind::Lambda { body, .. } => {
                let (a, b) = (self.object(&term.domain())?, self.object(body.ty())?);
                let body = self.under(a.clone(), |clauses| clauses.arrow(body))?;
                c.curry([&context, &a, &b], &body)
            }
            TermKind::Apply { function, argument } => {
                if let Some(power) = self.known_power(term)? {
                    return Ok(power);
                }
                let (a, b) = (self.object(argument.ty())?, self.object(term.ty())?);
                let (function, argument) = (self.arrow(function)?, self.arrow(argument)?);
                functor.applied(&context, [&a, &b], &function, &argument)
            }
            TermKind::Let { value, body, .. } => {
                // a polymorphic `let` stands for its instances
                if !value.ty().is_closed() {
                    let inlined = inline_polymorphic_let(term)
                        .ok_or_else(|| functor.no_image("a local definition that is used at so many types"))?;
                    return self.arrow(&inlined);
                }
                let (a, b) = (self.object(value.ty())?, self.object(body.ty())?);
                let value = self.arrow(value)?;
                let body = self.under(a.clone(), |clauses| clauses.arrow(body))?;
                let extended = c.product_object(&context, &a);
                c.then(
                    [&context, &extended, &b],
                    &c.pair([&context, &context, &a], &c.identity(&context)?, &value)?,
                    &body,
                )
            }
            TermKind::Tuple(parts) => {
                let objects: Result<Vec<_>, _> = parts.iter().map(|part| self.object(part.ty())).collect();
                let arrows: Result<Vec<_>, _> = parts.iter().map(|part| self.arrow(part)).collect();
                self.tuple(&objects?, &arrows?)
            }
            TermKind::Project { tuple, index } => {
                let TyKind::Tuple(parts) = closed_type(tuple.ty()).kind().clone() else {
                    return Err(functor.no_image("a component of something that is no tuple"));
                };
                let tuple = self.arrow(tuple)?;
                self.component(&functor.objects_of(&parts)?, *index, &tuple)
            }
            TermKind::If { condition, then, otherwise } => {
                let (one, to) = (c.terminal_object(), self.object(term.ty())?);
                let condition = self.arrow(condition)?;
                let branch = |clauses: &mut Self, branch| {
                    let arrow = clauses.arrow(branch)?;
                    // a branch as one of `match`, with the variable of its constructor
                    let extended = c.product_object(&context, &one);
                    c.then([&extended, &context, &to], &c.first([&context, &one])?, &arrow)
                };
                let branches = [branch(self, then)?, branch(self, otherwise)?];
                self.distinguish(&[one.clone(), one.clone()], &to, &condition, &branches)
            }
            TermKind::Inject { constructor, argument } => {
                self.injection(constructor, argument, &closed_type(term.ty()))
            }
            TermKind::Match { data, scrutinee, branches } => self.match_arrow(data, scrutinee, branches, term.ty()),
            TermKind::LetRec { .. } => Err(functor.no_image("recursion")),
            TermKind::To(_) | TermKind::From(_) => Err(functor.no_image("isomorphisms")),
        }
    }

    /// Returns the projection to a variable.
    fn projection(&self, index: usize, name: &Name) -> ArrowResult<C> {
        let c = &self.functor.category;
        let count = self.variables.len();
        let place = count.checked_sub(index.saturating_add(1));
        let place = place.ok_or_else(|| self.functor.no_image(format!("`{name}`, a variable that is not bound")))?;
        let last = c.second([&self.contexts[place], &self.variables[place]])?;
        let (mut arrow, to) = (last, &self.variables[place]);
        // from the inside out: each variable bound later is projected away
        for later in place + 1..count {
            let away = c.first([&self.contexts[later], &self.variables[later]])?;
            arrow = c.then([&self.contexts[later + 1], &self.contexts[later], to], &away, &arrow)?;
        }
        Ok(arrow)
    }

    /// Returns `⟨f₁, ⟨f₂, …⟩⟩`.
    fn tuple(&self, objects: &[C::Object], arrows: &[C::Arrow]) -> ArrowResult<C> {
        let (c, context) = (&self.functor.category, self.context());
        match (objects, arrows) {
            ([_], [one]) => Ok(one.clone()),
            ([object, objects @ ..], [arrow, arrows @ ..]) => {
                let rest = self.tuple(objects, arrows)?;
                c.pair([&context, object, &self.functor.product_of(objects)], arrow, &rest)
            }
            _ => c.terminal(&context),
        }
    }

    /// Returns a component of a tuple.
    fn component(&self, parts: &[C::Object], index: usize, tuple: &C::Arrow) -> ArrowResult<C> {
        let (c, context) = (&self.functor.category, self.context());
        match parts {
            [_] if index == 0 => Ok(tuple.clone()),
            [first, rest @ ..] if !rest.is_empty() => {
                let (all, others) = (self.functor.product_of(parts), self.functor.product_of(rest));
                if index == 0 {
                    return c.then([&context, &all, first], tuple, &c.first([first, &others])?);
                }
                let rest_of = c.then([&context, &all, &others], tuple, &c.second([first, &others])?)?;
                self.component(rest, index - 1, &rest_of)
            }
            _ => Err(self.functor.no_image("a component that the tuple does not have")),
        }
    }

    /// Returns the arrow of a constant, a function of its arguments one by one.
    fn constant(&mut self, constant: Constant, ty: &Ty) -> ArrowResult<C> {
        let functor = self.functor;
        let expanded = constant.is_expandable().then(|| constant.expand_in_coordinates(ty)).flatten();
        let program = expanded.or_else(|| componentwise_program(constant, ty));
        if let Some(program) = program.or_else(|| discrete_program(constant, ty)) {
            let closed = self.closed_arrow(&program)?;
            return self.weakened(&self.object(ty)?, &closed);
        }
        let operation = functor.operation(constant, ty)?;
        let (types, result) = split_type(ty, constant.arity());
        let (objects, result) = (functor.objects_of(&types)?, functor.object_of(&result)?);
        self.curried(&objects, &objects, &result, &operation)
    }

    /// Returns the arrow `Γ → (A₁ ⇒ (A₂ ⇒ …))` of an operation `A₁ × (A₂ × …) → B`. `left` are the arguments that are not
    /// yet in the context.
    fn curried(
        &mut self,
        all: &[C::Object],
        left: &[C::Object],
        to: &C::Object,
        operation: &C::Arrow,
    ) -> ArrowResult<C> {
        let (c, context) = (&self.functor.category, self.context());
        let [first, rest @ ..] = left else {
            let count = all.len();
            let arguments: Result<Vec<_>, _> =
                (0..count).map(|i| self.projection(count - 1 - i, &"x".into())).collect();
            return c.then([&context, &self.functor.product_of(all), to], &self.tuple(all, &arguments?)?, operation);
        };
        let body = self.under(first.clone(), |clauses| clauses.curried(all, rest, to, operation))?;
        let codomain = rest.iter().rev().fold(to.clone(), |to, a| c.exponential_object(a, &to));
        c.curry([&context, first, &codomain], &body)
    }

    /// Returns the arrow of `x ^ q` for a q that is arithmetic of literals, `None` for other terms.
    fn known_power(&mut self, term: &Term) -> Result<Option<C::Arrow>, ArrowError<C::Error>> {
        let (head, arguments) = application_spine(term);
        let (TermKind::Constant(Constant::Power | Constant::NaturalPower), [base, exponent]) =
            (head.kind(), arguments.as_slice())
        else {
            return Ok(None);
        };
        let Some(exponent) = literal_value(exponent) else { return Ok(None) };
        let (functor, context) = (self.functor, self.context());
        let (c, real) = (&functor.category, functor.interpretation.real(&functor.category));
        let power = functor.interpretation.operation(c, &Operation::Power(exponent))?;
        let base = self.arrow(base)?;
        c.then([&context, &real, &real], &base, &power).map(Some)
    }

    /// Returns the arrow of a definition: its program at the type of use, out of 1, made once.
    fn definition(&mut self, definition: &Arc<Definition>, used: &Ty) -> ArrowResult<C> {
        let key = Arc::as_ptr(definition) as usize;
        let known = self.definitions.get(&key).and_then(|made| made.iter().find(|(ty, _)| ty == used));
        let arrow = match known {
            Some((_, arrow)) => arrow.clone(),
            None => {
                let arrow = self.closed_arrow(&definition.instantiate_at(used).term)?;
                self.definitions.entry(key).or_default().push((used.clone(), arrow.clone()));
                arrow
            }
        };
        self.weakened(&self.object(used)?, &arrow)
    }

    /// Returns the arrow of a constructor at its argument.
    fn injection(&mut self, constructor: &Constructor, argument: &Term, ty: &Ty) -> ArrowResult<C> {
        let functor = self.functor;
        let (c, context) = (&functor.category, self.context());
        let TyKind::Data(data, arguments) = ty.kind() else {
            return Err(functor.no_image("a constructor of another type"));
        };
        let (parts, to) = (functor.summands_of(data, arguments)?, functor.object_of(ty)?);
        let index = data.constructors().position(|other| other == *constructor);
        let part = index.and_then(|index| Some((index, parts.get(index)?)));
        let (index, part) = part.ok_or_else(|| functor.no_image("a constructor of another type"))?;
        let arrow = self.arrow(argument)?;
        let injection = match arguments.as_slice() {
            [element] if data.is_list() => {
                let element = functor.object_of(element)?;
                if index == 0 { c.nil(&element) } else { c.cons(&element) }
            }
            _ => functor.injection(&parts, index),
        };
        c.then([&context, part, &to], &arrow, &injection?)
    }

    /// Returns the arrow of a `match`.
    fn match_arrow(&mut self, data: &DataType, scrutinee: &Term, branches: &[MatchBranch], to: &Ty) -> ArrowResult<C> {
        let functor = self.functor;
        let (c, context) = (&functor.category, self.context());
        let ty = closed_type(scrutinee.ty());
        let TyKind::Data(_, arguments) = ty.kind() else { return Err(functor.no_image("a `match` of another type")) };
        let (parts, to) = (functor.summands_of(data, arguments)?, self.object(to)?);
        let mut value = self.arrow(scrutinee)?;
        if let ([element], true) = (arguments.as_slice(), data.is_list()) {
            // a list is no sum: the branches are those of one layer
            let element = functor.object_of(element)?;
            let (list, layer) = (c.list_object(&element), functor.layer_of(&element));
            value = c.then([&context, &list, &layer], &value, &functor.unroll(&element)?)?;
        }
        let mut arrows = Vec::with_capacity(branches.len());
        for (branch, part) in branches.iter().zip(&parts) {
            arrows.push(self.under(part.clone(), |clauses| clauses.arrow(&branch.body))?);
        }
        self.distinguish(&parts, &to, &value, &arrows)
    }

    /// Returns `Γ → B` for a value `Γ → A₁ + …` and branches `Γ × Aᵢ → B`. Cases alone have no context, so each branch is
    /// curried to `Aᵢ → (Γ ⇒ B)`.
    fn distinguish(
        &self,
        parts: &[C::Object],
        to: &C::Object,
        value: &C::Arrow,
        branches: &[C::Arrow],
    ) -> ArrowResult<C> {
        let (c, context) = (&self.functor.category, self.context());
        let function = c.exponential_object(&context, to);
        let mut curried = Vec::with_capacity(branches.len());
        for (branch, part) in branches.iter().zip(parts) {
            let (from, swapped) = (c.product_object(part, &context), c.product_object(&context, part));
            let swap = c.pair([&from, &context, part], &c.second([part, &context])?, &c.first([part, &context])?)?;
            curried.push(c.curry([part, &context, to], &c.then([&from, &swapped, to], &swap, branch)?)?);
        }
        let cases = self.functor.cases(parts, &function, &curried)?;
        let chosen = c.then([&context, &self.functor.sum_of(parts), &function], value, &cases)?;
        self.functor.applied(&context, [&context, to], &chosen, &c.identity(&context)?)
    }
}

/// Names the image of an object of programs under an interpretation.
///
/// It is 1 for a type without an image. No arrow goes there: the functor answers with the error for the type.
#[derive(Debug)]
pub struct ImageName<C, I, A>(PhantomData<(C, I, A)>);

impl<C, I, A> ObjectName<Typed<C>> for ImageName<C, I, A>
where
    C: ValueBicartesianClosed + Default,
    I: Interpretation<C> + Default,
    A: ObjectName<Terms>,
{
    fn object() -> C::Object {
        let functor = Interpret::<C, I>::default();
        functor.object_of(&A::object()).unwrap_or_else(|_| functor.category.terminal_object())
    }
}

impl<C, I> Functor for Interpret<C, I>
where
    C: ValueBicartesianClosed + Default,
    I: Interpretation<C> + Default,
{
    type From = Terms;
    type To = Typed<C>;
    type On<A: ObjectName<Terms>> = ImageName<C, I, A>;

    fn map<A: ObjectName<Terms>, B: ObjectName<Terms>>(f: &Term) -> Hom<Typed<C>, Self::On<A>, Self::On<B>> {
        Self::default().arrow_of(f, &A::object(), &B::object())
    }
}
