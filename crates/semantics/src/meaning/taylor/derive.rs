//! Derived programs: 𝒟_(k,R) of a program, for printing, pasting and running.

use super::block::term_without_source;
use super::functor::Taylor;
use super::jet::Basis;
use crate::category::value::{ArrowError, ArrowResult, Typed};
use crate::category::{Functor, ObjectName};
use crate::model::fragment::FragmentError;
use crate::model::interpretation::{Interpretation, Operation, ProgramFunctor};
use crate::model::{InterpretError, Unsupported, interpret};
use crate::simple::Terms;
use crate::stack::with_stack;
use crate::syntax::data::DataType;
use crate::syntax::error;
use crate::syntax::normal::NormalError;
use crate::syntax::printer::{AnnotatedTerm, TypePosition, break_lines};
use crate::syntax::source::Span;
use crate::syntax::substitution::{alpha_equal_with, map_subterms};
use crate::syntax::term::{Definition, Term, TermKind};
use crate::syntax::ty::{Scheme, Ty, TyKind};
use crate::syntax::typing::{TypingError, check_term, check_term_with_hints};
use rustc_hash::{FxHashMap, FxHashSet};
use std::marker::PhantomData;
use std::sync::Arc;

/// The width to which the lines of a derived program are broken, in characters; a choice.
const LINE_WIDTH: usize = 100;

/// The reason why there is no derived program.
#[derive(Clone, Debug, thiserror::Error)]
#[non_exhaustive]
pub enum DeriveError {
    /// The program has a part without a rule in the macro.
    #[error(transparent)]
    Fragment(#[from] FragmentError),
    /// The program could not be interpreted.
    #[error(transparent)]
    Interpretation(#[from] InterpretError),
    /// The program has an operation for which the [rules](super::functor::NumberRules) of a macro have no image.
    #[error("the macro has no rule for {construct}; give one, or a program without it")]
    NoRule {
        /// The operation, as a noun phrase.
        construct: String,
    },
    /// The derived program is too large.
    #[error("the derived program has more than {limit} parts; give a smaller order, or fewer directions")]
    TooLarge {
        /// The most parts.
        limit: usize,
    },
}

/// The image 𝒟_(k,R) of a program.
#[derive(Clone, Debug)]
pub struct DerivedProgram {
    /// The program. It refers by name to the functions that operations became, and to the derived definitions.
    pub term: Term,
    /// Its type, 𝒟 of the type of the program.
    pub ty: Ty,
    /// The definitions made by the macro, each after those that it uses.
    definitions: Vec<Arc<Definition>>,
    /// The types made by the macro.
    declared: Vec<DataType>,
    /// The number of nodes of the term and its definitions.
    node_count: usize,
}

/// Derives a closed program of a type.
///
/// # Errors
/// [`DeriveError`]
///
/// # Examples
/// ```
/// use smoothish_semantics::meaning::taylor::jet::Basis;
/// use smoothish_semantics::meaning::taylor::derive::derive_program;
/// use smoothish_semantics::syntax::library::Library;
/// let (term, ty) = Library::new().infer_expression("\\x => sin x")?;
/// let derived = derive_program(&term, &ty, &Basis::new(1, 1)?)?;
/// assert_eq!(derived.ty.to_string(), "Real^2 -> Real^2");
/// assert_eq!(derived.format_program()?, "let sin' = \\(x : Real^2) => (sin x[0], x[1] * cos x[0]) in\n\\x => sin' x");
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[doc(alias = "Taylor representation")]
pub fn derive_program(term: &Term, ty: &Ty, basis: &Basis) -> Result<DerivedProgram, DeriveError> {
    derive_with(&Taylor::new(basis.clone()), term, ty)
}

/// Derives a program by a given macro, which caches derived definitions for further programs.
///
/// # Errors
/// [`DeriveError`]
pub fn derive_with(taylor: &Taylor, source: &Term, ty: &Ty) -> Result<DerivedProgram, DeriveError> {
    // before the macro runs, since only this error has a place in the source
    taylor.check_rules(source)?;
    let term = interpret(taylor, &[], &taylor.source_program(source)).map_err(|error| match error {
        InterpretError::Unsupported(Unsupported { construct, .. }) if taylor.has_own_rules() => {
            DeriveError::NoRule { construct }
        }
        error => error.into(),
    })?;
    let term = term.term;
    let mut seen = FxHashSet::default();
    let (mut definitions, mut size) = (Vec::new(), 0);
    collect_definitions(&term, &mut seen, &mut definitions, &mut size);
    let limit = error::SYNTAX_NODES as usize;
    if size > limit {
        return Err(DeriveError::TooLarge { limit });
    }
    definitions.retain(|definition| is_made_by_macro(definition));
    Ok(DerivedProgram {
        term,
        ty: taylor.derive_type(ty),
        definitions,
        declared: taylor.made_types(),
        node_count: size,
    })
}

/// Returns `true` if the macro made a definition: only such definitions have no module.
fn is_made_by_macro(definition: &Definition) -> bool {
    definition.module.is_empty()
}

/// Collects the definitions made by the macro that a term uses, each after those that it uses, and adds the number of nodes to
/// `size`.
fn collect_definitions(term: &Term, seen: &mut FxHashSet<usize>, found: &mut Vec<Arc<Definition>>, size: &mut usize) {
    *size += 1;
    if let TermKind::Global(definition) = term.kind() {
        if seen.insert(Arc::as_ptr(definition) as usize) && is_made_by_macro(definition) {
            with_stack(|| collect_definitions(&definition.term, seen, found, size));
            found.push(definition.clone());
        }
        return;
    }
    term.kind().children().for_each(|child| with_stack(|| collect_definitions(child, seen, found, size)));
}

impl DerivedProgram {
    /// Returns the number of nodes of the program, with those of the definitions made by the macro.
    #[must_use]
    pub fn node_count(&self) -> usize {
        self.node_count
    }

    /// Returns the definitions made by the macro, each after those that it uses.
    #[must_use]
    pub fn definitions(&self) -> &[Arc<Definition>] {
        &self.definitions
    }

    /// Returns `true` if another derived program is the same, including its definitions. Both then compute the same.
    #[must_use]
    pub fn is_same_program(&self, other: &DerivedProgram) -> bool {
        // definitions made by two runs of the macro are different objects: compare them by name here and by term below
        let one = |a: &Arc<Definition>, b: &Arc<Definition>| {
            Arc::ptr_eq(a, b) || (is_made_by_macro(a) && is_made_by_macro(b) && a.name == b.name)
        };
        let pairs = self.definitions.iter().zip(&other.definitions);
        self.definitions.len() == other.definitions.len()
            && alpha_equal_with(&self.term, &other.term, &one)
            && pairs.into_iter().all(|(a, b)| a.name == b.name && alpha_equal_with(&a.term, &b.term, &one))
    }

    /// Checks that the program and its definitions are well-typed (H Lemma 1).
    ///
    /// # Errors
    /// [`TypingError`]
    pub fn check_types(&self) -> Result<(), TypingError> {
        for definition in &self.definitions {
            check_term(&definition.term, &definition.scheme)?;
        }
        check_term(&self.term, &self.closed_scheme()).map(drop)
    }

    fn closed_scheme(&self) -> Scheme {
        Scheme { parameters: Vec::new(), ty: self.ty.clone() }
    }

    /// Returns the declarations of the types made by the macro, each after those that it mentions. They stand before the program.
    #[must_use]
    pub fn declarations(&self) -> Vec<String> {
        self.declared.iter().map(DataType::to_string).collect()
    }

    /// Returns the program as one term in which `let`s bind the definitions made by the macro.
    #[must_use]
    pub fn to_closed_term(&self) -> Term {
        let place: FxHashMap<usize, usize> =
            self.definitions.iter().enumerate().map(|(place, d)| (Arc::as_ptr(d) as usize, place)).collect();
        let body = replace_definitions(&self.term, self.definitions.len(), &place, 0);
        // each definition is in scope of the earlier ones only
        self.definitions.iter().enumerate().rev().fold(body, |body, (before, definition)| {
            let value = replace_definitions(&definition.term, before, &place, 0);
            term_without_source(TermKind::Let { name: definition.name.clone(), value, body })
        })
    }

    /// Formats the program as text that can be read back, with each definition on lines of its own and long lines broken.
    ///
    /// # Errors
    /// [`TypingError`]
    pub fn format_program(&self) -> Result<String, TypingError> {
        let mut text = String::new();
        for Definition { name, scheme, term, .. } in self.definitions.iter().map(|definition| &**definition) {
            text += &format!("let {name}");
            if !scheme.parameters.is_empty() {
                scheme.parameters.iter().for_each(|(parameter, _)| text += &format!(" {parameter}"));
                text += &format!(" : {}", scheme.ty);
            }
            let (term, needs) = check_term_with_hints(term, scheme)?;
            text += &format!(" = {} in\n", AnnotatedTerm(&term, &|ty, of| is_annotated(ty, of, needs)));
        }
        // the program itself is annotated only if inference needs it
        let (term, needs) = check_term_with_hints(&self.term, &self.closed_scheme())?;
        let told = |ty: &Ty, of| is_annotated(ty, of, needs) && ty.is_closed() && needs_types(&self.term);
        Ok(break_lines(&(text + &AnnotatedTerm(&term, &told).to_string()), LINE_WIDTH))
    }
}

/// The macro as a functor from programs to programs (H Ex. 6.1).
///
/// It is `Interpret<Terms, Taylor>` up to βη, of the [interpretation](Interpretation) below.
impl ProgramFunctor for Taylor {
    type Target = Terms;

    fn target(&self) -> &Terms {
        &Terms
    }

    fn object_of(&self, ty: &Ty) -> Result<Ty, ArrowError<NormalError>> {
        Ok(self.derive_type(ty))
    }

    fn arrow_of(&self, program: &Term, from: &Ty, to: &Ty) -> ArrowResult<Terms> {
        let no_image = |error: &dyn std::error::Error| ArrowError::NoImage {
            functor: <Self as Interpretation<Terms>>::NAME.into(),
            construct: error.to_string(),
        };
        let derived = derive_with(self, program, &Ty::function(from.clone(), to.clone())).map_err(|e| no_image(&e))?;
        // the macro leaves out types: they are inferred again, since normal forms are η-long
        check_term(&derived.to_closed_term(), &derived.closed_scheme()).map_err(|e| no_image(&e))
    }
}

/// The choice that determines the macro: jets for ℝ, and for each operation its Taylor representation.
impl Interpretation<Terms> for Taylor {
    const NAME: &'static str = "the Taylor macro";

    fn real(&self, _: &Terms) -> Ty {
        self.derive_type(&Ty::real())
    }

    fn operation(&self, _: &Terms, operation: &Operation) -> ArrowResult<Terms> {
        self.arrow_of(&operation.to_program(), &operation.domain(), &operation.codomain())
    }
}

/// The functor 𝒟_(K,R) of the typed interfaces.
#[derive(Clone, Copy, Debug)]
pub enum TaylorFunctor<const K: usize, const R: usize> {}

impl<const K: usize, const R: usize> TaylorFunctor<K, R> {
    /// Returns the macro. Panics if there is no such basis: K and R are constants of the program that uses the functor.
    fn taylor() -> Taylor {
        match Basis::new(K, R) {
            Ok(basis) => Taylor::new(basis),
            Err(error) => unreachable!("the parameters of the functor are a basis: {error}"),
        }
    }
}

/// Names 𝒟A.
#[derive(Debug)]
pub struct DerivedName<const K: usize, const R: usize, A>(PhantomData<fn() -> A>);

impl<const K: usize, const R: usize, A: ObjectName<Terms>> ObjectName<Typed<Terms>> for DerivedName<K, R, A> {
    fn object() -> Ty {
        TaylorFunctor::<K, R>::taylor().derive_type(&A::object())
    }
}

impl<const K: usize, const R: usize> Functor for TaylorFunctor<K, R> {
    type From = Terms;
    type To = Typed<Terms>;
    type On<A: ObjectName<Terms>> = DerivedName<K, R, A>;

    fn map<A: ObjectName<Terms>, B: ObjectName<Terms>>(f: &Term) -> ArrowResult<Terms> {
        Self::taylor().arrow_of(f, &A::object(), &B::object())
    }
}

/// Returns `true` if inference may need the types of a term's variables: if it takes components, or has a `let`, which would
/// decide the type of an addition in it.
fn needs_types(term: &Term) -> bool {
    matches!(term.kind(), TermKind::Project { .. } | TermKind::Let { .. } | TermKind::LetRec { .. })
        || term.kind().children().any(|child| with_stack(|| needs_types(child)))
}

/// Returns `true` if the text must state a type. Functions that take components must state those of their parameters.
/// Constructors state them only if nothing else does.
fn is_annotated(ty: &Ty, of: TypePosition, needs_constructors: bool) -> bool {
    let is_needed = of == TypePosition::Function || (of == TypePosition::Constructor && needs_constructors);
    is_needed && ty.is_known() && mentions_tuples(ty)
}

fn mentions_tuples(ty: &Ty) -> bool {
    with_stack(|| match ty.kind() {
        TyKind::Tuple(_) => true,
        kind => kind.parts().any(mentions_tuples),
    })
}

/// Replaces definitions by variables, in a term under `lets` binders of definitions and `own` binders of its own.
fn replace_definitions(source: &Term, lets: usize, place: &FxHashMap<usize, usize>, own: usize) -> Term {
    match source.kind() {
        TermKind::Global(definition) => match place.get(&(Arc::as_ptr(definition) as usize)) {
            Some(place) => {
                let (index, name) = (own + lets - 1 - place, definition.name.clone());
                Term::new(TermKind::Variable { index, name }, Span::default())
            }
            None => source.clone(),
        },
        _ => map_subterms(source, &mut |part, binders| replace_definitions(part, lets, place, own + binders)),
    }
}
