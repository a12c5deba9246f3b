//! Derived programs: 𝒟_(k,R) of a program, to be read, pasted and run.

use super::basis::Basis;
use super::block::term;
use super::functor::Taylor;
use crate::model::fragment::{Fragment, FragmentError};
use crate::model::{InterpretError, interpret};
use crate::stack::deep;
use crate::syntax::data::Data;
use crate::syntax::limit;
use crate::syntax::printer::{Annotated, Of, broken};
use crate::syntax::source::Span;
use crate::syntax::substitution::{rebuilt, same_up_to};
use crate::syntax::term::{Definition, Term, TermKind};
use crate::syntax::ty::{Scheme, Ty, TyKind};
use crate::syntax::typing::{TypingError, typed, typed_or_told};
use rustc_hash::{FxHashMap, FxHashSet};
use std::sync::Arc;

/// How wide the lines of a derived program are, where it has places to break.
const WIDTH: usize = 100;

/// Why there is no derived program.
#[derive(Clone, Debug, thiserror::Error)]
#[non_exhaustive]
pub enum DeriveError {
    /// The program has a part that the macro has no rule for.
    #[error(transparent)]
    Fragment(#[from] FragmentError),
    /// The program could not be interpreted.
    #[error(transparent)]
    Interpretation(#[from] InterpretError),
    /// The derived program is too large.
    #[error("the derived program has more than {limit} parts; give a smaller order, or fewer directions")]
    TooLarge {
        /// The most parts.
        limit: usize,
    },
}

/// 𝒟_(k,R) of a program.
#[derive(Clone, Debug)]
pub struct Derived {
    /// The program. The functions that operations became, and the derived definitions, stand in it by name.
    pub term: Term,
    /// Its type, 𝒟 of the type of the program.
    pub ty: Ty,
    /// The definitions that were made, each after those that it uses.
    definitions: Vec<Arc<Definition>>,
    declared: Vec<Data>,
    size: usize,
}

/// The derived program of a closed program of a type.
///
/// # Errors
/// [`DeriveError`]
///
/// # Examples
/// ```
/// use smoothish_semantics::meaning::taylor::basis::Basis;
/// use smoothish_semantics::meaning::taylor::derive::derive;
/// use smoothish_semantics::syntax::library::Library;
/// let (term, ty) = Library::new().infer_expression("\\x => sin x")?;
/// let derived = derive(&term, &ty, &Basis::new(1, 1)?)?;
/// assert_eq!(derived.ty.to_string(), "Real^2 -> Real^2");
/// assert_eq!(derived.program()?, "let sin' = \\(x : Real^2) => (sin x[0], x[1] * cos x[0]) in\n\\x => sin' x");
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub fn derive(term: &Term, ty: &Ty, basis: &Basis) -> Result<Derived, DeriveError> {
    derive_with(&Taylor::new(basis.clone()), term, ty)
}

/// The derived program under a macro, which keeps what it has derived for the next.
///
/// # Errors
/// [`DeriveError`]
pub fn derive_with(taylor: &Taylor, source: &Term, ty: &Ty) -> Result<Derived, DeriveError> {
    if !taylor.has_pieces() {
        Fragment::Derivable.admits_term(source)?;
    }
    let term = interpret(taylor, &[], &taylor.source(source))?.term;
    let mut seen = FxHashSet::default();
    let (mut definitions, mut size) = (Vec::new(), 0);
    collect(&term, &mut seen, &mut definitions, &mut size);
    let limit = limit::SYNTAX_NODES as usize;
    if size > limit {
        return Err(DeriveError::TooLarge { limit });
    }
    definitions.retain(|definition| is_made(definition));
    Ok(Derived { term, ty: taylor.ty(ty), definitions, declared: taylor.declared(), size })
}

/// Whether the macro made a definition: it is then of no module.
fn is_made(definition: &Definition) -> bool {
    definition.module.is_empty()
}

/// The definitions that a term uses, each after those that it uses itself, and how many parts all of them have.
fn collect(term: &Term, seen: &mut FxHashSet<usize>, found: &mut Vec<Arc<Definition>>, size: &mut usize) {
    *size += 1;
    if let TermKind::Global(definition) = term.kind() {
        if seen.insert(Arc::as_ptr(definition) as usize) && is_made(definition) {
            deep(|| collect(&definition.term, seen, found, size));
            found.push(definition.clone());
        }
        return;
    }
    term.kind().children().for_each(|child| deep(|| collect(child, seen, found, size)));
}

impl Derived {
    /// How many parts the program has, those of the definitions that were made included.
    #[must_use]
    pub fn size(&self) -> usize {
        self.size
    }

    /// The definitions that were made, each after those that it uses.
    #[must_use]
    pub fn definitions(&self) -> &[Arc<Definition>] {
        &self.definitions
    }

    /// Whether another derived program is the same, its definitions included: then whatever is computed with one is with the other.
    #[must_use]
    pub fn is(&self, other: &Derived) -> bool {
        let one = |a: &Arc<Definition>, b: &Arc<Definition>| {
            Arc::ptr_eq(a, b) || (is_made(a) && is_made(b) && a.name == b.name)
        };
        let pairs = self.definitions.iter().zip(&other.definitions);
        self.definitions.len() == other.definitions.len()
            && same_up_to(&self.term, &other.term, &one)
            && pairs.into_iter().all(|(a, b)| a.name == b.name && same_up_to(&a.term, &b.term, &one))
    }

    /// Checks that the program and its definitions have their types (H Lemma 1).
    ///
    /// # Errors
    /// [`TypingError`]
    pub fn check(&self) -> Result<(), TypingError> {
        for definition in &self.definitions {
            typed(&definition.term, &definition.scheme)?;
        }
        typed(&self.term, &self.scheme()).map(drop)
    }

    fn scheme(&self) -> Scheme {
        Scheme { parameters: Vec::new(), ty: self.ty.clone() }
    }

    /// The types that were made: declarations to stand before the program, each after those that it mentions.
    #[must_use]
    pub fn declarations(&self) -> Vec<String> {
        self.declared.iter().map(Data::to_string).collect()
    }

    /// The program as one term without the definitions that were made: they are bound by `let`.
    #[must_use]
    pub fn closed(&self) -> Term {
        let place: FxHashMap<usize, usize> =
            self.definitions.iter().enumerate().map(|(place, d)| (Arc::as_ptr(d) as usize, place)).collect();
        let body = unfold(&self.term, self.definitions.len(), &place, 0);
        self.definitions.iter().enumerate().rev().fold(body, |body, (before, definition)| {
            let value = unfold(&definition.term, before, &place, 0);
            term(TermKind::Let { name: definition.name.clone(), value, body })
        })
    }

    /// The program as text that can be read back: definitions on lines of their own, which are broken where they are long.
    ///
    /// # Errors
    /// [`TypingError`]
    pub fn program(&self) -> Result<String, TypingError> {
        let mut text = String::new();
        for Definition { name, scheme, term, .. } in self.definitions.iter().map(|definition| &**definition) {
            text += &format!("let {name}");
            if !scheme.parameters.is_empty() {
                scheme.parameters.iter().for_each(|(parameter, _)| text += &format!(" {parameter}"));
                text += &format!(" : {}", scheme.ty);
            }
            let (term, needs) = typed_or_told(term, scheme)?;
            text += &format!(" = {} in\n", Annotated(&term, &|ty, of| is_told(ty, of, needs)));
        }
        let (term, needs) = typed_or_told(&self.term, &self.scheme())?;
        let told = |ty: &Ty, of| is_told(ty, of, needs) && ty.is_closed() && needs_types(&self.term);
        Ok(broken(&(text + &Annotated(&term, &told).to_string()), WIDTH))
    }
}

/// Whether a reader of the term may have to be told the types of its variables: where it takes components, and where a `let`
/// would decide what is added in it.
fn needs_types(term: &Term) -> bool {
    matches!(term.kind(), TermKind::Project { .. } | TermKind::Let { .. } | TermKind::LetRec { .. })
        || term.kind().children().any(|child| deep(|| needs_types(child)))
}

/// Whether a reader has to be told a type: functions that take components must know of what, and where nothing else says it a
/// constructor does.
fn is_told(ty: &Ty, of: Of, needs_constructors: bool) -> bool {
    let is_needed = of == Of::Function || (of == Of::Constructor && needs_constructors);
    is_needed && ty.is_known() && mentions_tuples(ty)
}

fn mentions_tuples(ty: &Ty) -> bool {
    deep(|| match ty.kind() {
        TyKind::Tuple(_) => true,
        kind => kind.parts().any(mentions_tuples),
    })
}

/// A term under so many `let`s of definitions and so many binders of its own, with variables for the definitions.
fn unfold(source: &Term, lets: usize, place: &FxHashMap<usize, usize>, own: usize) -> Term {
    match source.kind() {
        TermKind::Global(definition) => match place.get(&(Arc::as_ptr(definition) as usize)) {
            Some(place) => {
                let (index, name) = (own + lets - 1 - place, definition.name.clone());
                Term::new(TermKind::Variable { index, name }, Span::default())
            }
            None => source.clone(),
        },
        _ => rebuilt(source, &mut |part, binders| unfold(part, lets, place, own + binders)),
    }
}
