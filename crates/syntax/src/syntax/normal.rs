//! Normal forms: when two programs are the same program (S §4.4; `=` in a law).
//!
//! Two terms are βη-equal when one can be turned into the other by these equations, read in either direction and inside
//! any term. Here they are decided by evaluation: a term is evaluated as far as its head, by need, and the head is read back
//! by its type, as what is β-normal and η-long.
//!
//! | equation | |
//! |---|---|
//! | `(\x => e) a` = e with a for x, the same for `let x = a in e` | β |
//! | `f` = `\x => f x`, at a type `A -> B` | η |
//! | `(a, b)[0]` = a, `fst (a, b)` = a, and so on | β |
//! | `p` = `(p[0], p[1])`, at a type `A * B`, and tuples of any width | η, surjective pairing |
//! | `u` = `()`, at the type `unit` | η |
//! | `match Just a with Nothing => e \| Just x => f` = f with a for x, for every constructor | β |
//! | `fold f z []` = z, `fold f z (x :: xs)` = `f x (fold f z xs)` | β |
//! | `if tt then a else b` = a, `if ff then a else b` = b | β |
//! | a definition = its value | δ |
//! | `let rec f = e in f` = e with the same for f, where every condition on the way to the next call is decided | |
//! | natural numbers and truth values are computed, as they decide conditions | |
//! | `p + q` = `(p[0] + q[0], p[1] + q[1])` on tuples, the same for `-` and negation: what these mean there | |
//!
//! Real numbers are not computed: `1 + 1` and `2` are two normal forms, and so are `x + y` and `y + x`, and
//! `toReal 1` and `1`. A condition that stays open is kept, with the normal forms of both branches, and nothing is moved
//! into it or out of it: there is no η for truth values. The same holds for a `match` of which the constructor is not
//! known: it is kept as it stands, and η of variants and lists is not decided. A recursion at a number that is not known is kept as
//! `let rec`, with the normal form of its value; that two such compute the same is not decided. Isomorphisms are
//! constants: `tangent_R.from (tangent_R.to v)` = v is a law of the meaning, not a β-rule.
//!
//! | chapter | what it holds |
//! |---|---|
//! | `machine` | what waits to be evaluated, with what the variables in its types stand for |
//! | `evaluate`, `recursion` | evaluation by need, and when a recursion or a `fold` unfolds |
//! | `readback` | η-long forms, by types |
//! | `types`, `form` | where types and forms lie, each part once |
//! | `write` | terms and programs |
//!
//! Everything is counted ([`Limits`]), so that every question ends.

mod error;
#[doc(hidden)]
pub mod evaluate;
mod form;
#[doc(hidden)]
pub mod machine;
mod readback;
mod recursion;
#[doc(hidden)]
pub mod types;
mod write;

pub use error::{Limits, NormalError};

use super::library::{Error as ProgramError, Library};
use super::limit;
use super::name::Name;
use super::parser::parse_expression;
use super::source::Span;
use super::term::Term;
use super::ty::Ty;
use super::type_error::TypeError;
use form::{Form, Shape};
use std::fmt;
use std::sync::Arc;
use types::TypeShape;

/// The most parts of a normal form that is written out as a program.
const LONGEST: u32 = limit::SYNTAX_NODES / 5;

/// A βη-normal form. Equality is that of terms up to the names of bound variables, and takes the time of a list.
#[derive(Clone)]
pub struct Normal {
    nodes: Arc<[Shape]>,
    /// What the variables of binders are called.
    names: Arc<[Option<Name>]>,
    types: Arc<[TypeShape]>,
    /// The types, to be written down.
    written: Arc<[Ty]>,
    ty: Ty,
}

impl PartialEq for Normal {
    fn eq(&self, other: &Normal) -> bool {
        self.ty == other.ty && self.nodes == other.nodes && self.types == other.types
    }
}

impl Eq for Normal {}

/// The normal form of a closed term, with the types that inference gave it.
///
/// # Errors
/// [`NormalError`]: within the usual [`Limits`] there is none, or a part of the term does not have the type that it carries.
///
/// # Examples
/// ```
/// use smoothish_syntax::syntax::library::Library;
/// use smoothish_syntax::syntax::normal::{NormalError, normalise};
///
/// let normal = |text: &str| {
///     normalise(&Library::new().infer_expression(text).unwrap().0)
/// };
/// assert_eq!(normal("let twice f = \\x => f (f x) in twice sin 2")?.to_string(), "sin (sin 2)");
/// assert_eq!(normal("\\p => p + (1, 2)")?.to_string(), "\\(p : Real^2) => (p[0] + 1, p[1] + 2)");
/// assert_eq!(normal("sin")?, normal("\\y => sin y")?);
/// assert_ne!(normal("1 + 1")?, normal("2.0")?);
/// assert!(matches!(normal("let rec f n = f (n + 1) in f 0"), Err(NormalError::Steps { .. })));
/// # Ok::<(), NormalError>(())
/// ```
pub fn normalise(term: &Term) -> Result<Normal, NormalError> {
    normalise_within(term, Limits::default())
}

/// The same within other limits.
///
/// # Errors
/// [`NormalError`]
pub fn normalise_within(term: &Term, limits: Limits) -> Result<Normal, NormalError> {
    let (form, types, root) = readback::normal_form(term, limits)?;
    let (Form { nodes, names, .. }, shapes) = form.finished(root, &types);
    let (written, ty) = (types.written(&shapes).into(), term.ty().clone());
    Ok(Normal { nodes: nodes.into(), names: names.into(), types: shapes.into(), written, ty })
}

/// Whether two closed terms are βη-equal: have the same type and the same normal form.
///
/// # Errors
/// [`NormalError`]
///
/// # Examples
/// ```
/// use smoothish_syntax::syntax::library::Library;
/// use smoothish_syntax::syntax::normal::equal;
///
/// let library = Library::new();
/// let (left, _) = library.infer_expression("\\(p : Real * unit) => p").unwrap();
/// let (right, _) = library.infer_expression("\\(q : Real * unit) => (q[0], ())").unwrap();
/// assert!(equal(&left, &right)?);
/// # Ok::<(), smoothish_syntax::syntax::normal::NormalError>(())
/// ```
pub fn equal(left: &Term, right: &Term) -> Result<bool, NormalError> {
    Ok(normalise(left)? == normalise(right)?)
}

impl Normal {
    /// The type.
    #[must_use]
    pub fn ty(&self) -> &Ty {
        &self.ty
    }

    /// The number of different parts.
    #[must_use]
    pub fn parts(&self) -> usize {
        self.nodes.len()
    }

    /// The number of parts when it is written out, with shared parts repeated; at most `u64::MAX`.
    #[must_use]
    pub fn size(&self) -> u64 {
        form::size(&self.nodes)
    }

    /// The normal form as a term, which means what the normalised term means. Equal parts are shared; what walks the
    /// term without looking for that takes as long as [`Normal::size`] says.
    ///
    /// # Errors
    /// [`NormalError::Size`] when it has too many parts, counted once for each number of binders around them.
    pub fn to_term(&self) -> Result<Term, NormalError> {
        write::term(self).map(|(term, _)| term)
    }

    /// A program that is read as this normal form, in a module of a library or without one. Types are written where
    /// inference needs them: none, those of binders that are not real numbers, that of the whole, those of all binders, or
    /// all together.
    ///
    /// # Errors
    /// [`NormalError::TooLong`]; [`NormalError::Unreadable`] beyond another limit of programs; [`NormalError::Hidden`]
    /// when a definition hides a constant that the program mentions.
    pub fn program(&self, library: &Library, module: Option<&str>) -> Result<String, NormalError> {
        let size = self.size();
        if size > u64::from(LONGEST) {
            return Err(NormalError::TooLong { size, limit: LONGEST });
        }
        let (term, written) = write::term(self)?;
        let unreadable = |error: ProgramError| NormalError::Unreadable { error: Box::new(error) };
        let too_large = |_| unreadable(TypeError::TooLarge { span: Span::default() }.into());
        let text = write::text(&term, written <= limit::SYNTAX_NODES as usize).map_err(too_large)?;
        // limits and names are those of whoever reads it
        let read = |text: &str| -> Result<Ty, ProgramError> {
            let expression = parse_expression(text)?;
            Ok(match module {
                Some(module) => library.infer_in(module, text, &expression)?.1,
                None => library.infer_expression(text)?.1,
            })
        };
        match text.map(|text| (read(&text), text)) {
            Some((Ok(ty), text)) if ty == self.ty && write::is_visible(&term, library, module) => Ok(text),
            Some((Err(error @ (ProgramError::Syntax(_) | ProgramError::Type(TypeError::TooLarge { .. }))), _)) => {
                Err(unreadable(error))
            }
            _ => Err(NormalError::Hidden { text: super::lexer::excerpt(&term.to_string()) }),
        }
    }
}

/// A program without definitions, if it is not too long.
impl fmt::Display for Normal {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.program(&Library::new(), None) {
            Ok(text) => f.write_str(&text),
            Err(_) => write!(f, "a normal form of {} parts and of type {}", self.size(), self.ty),
        }
    }
}

impl fmt::Debug for Normal {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Display::fmt(self, f)
    }
}
