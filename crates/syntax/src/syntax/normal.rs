//! βη-normal forms, and equality of programs: the relation `=` of a law.
//!
//! S Prop. 4.5 has β and η for products. Two terms are βη-equal here if the equations below turn one into the other, read in
//! either direction and inside any term.
//!
//! Equality is decided by normalisation by evaluation. A term is evaluated to weak head form, by need. Readback by types
//! then makes it β-normal and η-long.
//!
//! | equation | |
//! |---|---|
//! | `(\x => e) a` = e with a for x, and `let x = a in e` likewise | β |
//! | `f` = `\x => f x`, at a type `A -> B` | η |
//! | `(a, b)[0]` = a, `fst (a, b)` = a, and so on | β |
//! | `p` = `(p[0], p[1])`, at a type `A * B`, and tuples of any width | η, surjective pairing |
//! | `u` = `()`, at the type `unit` | η |
//! | `match Just a with Nothing => e \| Just x => f` = f with a for x, for every constructor | β |
//! | `fold f z []` = z, `fold f z (x :: xs)` = `f x (fold f z xs)` | β |
//! | `if tt then a else b` = a, `if ff then a else b` = b | β |
//! | a definition = its value | δ |
//! | `let rec f = e in f` = e with `let rec f = e in f` for f, if every condition before the next call is decided | |
//! | natural numbers and truth values are computed, as they decide conditions | |
//! | `p + q` = `(p[0] + q[0], p[1] + q[1])` on tuples, and likewise for `-` and negation | by definition |
//! | `dot`, `scale` and the other constants of linear algebra = their programs in coordinates, at a known type | by definition |
//! | `x ^ n` for a known natural number n, at most 100 000 = `x ^` with the literal n as exponent | by definition |
//!
//! Other equations may hold in every semantics, and yet their sides have different normal forms:
//!
//! - Real numbers are not computed: `1 + 1` and `2` are two normal forms, and so are `x + y` and `y + x`, and `toReal 1`
//!   and `1`.
//! - An open condition, one whose truth value is unknown, is kept, with the normal forms of both branches. Nothing moves
//!   into it or out of it: there is no η for truth values.
//! - A `match` on an unknown constructor is kept likewise. η of variants and lists is not decided.
//! - A recursion that an open condition stops is kept as `let rec`, with the normal form of its value. Equality of two
//!   such functions is not decided.
//! - Isomorphisms are constants: `tangent_R.from (tangent_R.to v)` = v is a law of the semantics, not a β-rule.
//!
//! | module | what it holds |
//! |---|---|
//! | `machine` | thunks, environments with the instances of type variables, call-by-need evaluation, unfolding of recursion |
//! | `readback` | η-long forms, by types |
//! | `types` | hash-consed types |
//! | `form` | hash-consed normal forms, and their conversion to terms and programs |
//!
//! All work is counted ([`NormaliseLimits`]), so every normalisation ends. [`NormalError`] lists the reasons why a program
//! has no normal form within these limits.

mod form;
#[doc(hidden)]
pub mod machine;
mod readback;
#[doc(hidden)]
pub mod types;

use super::error;
use super::library::{Library, ProgramError};
use super::name::Name;
use super::parser::parse_expression;
use super::source::Span;
use super::term::Term;
use super::ty::Ty;
use super::type_error::TypeError;
use crate::syntax::library;
use form::{FormShape, NormalGraph};
use std::fmt;
use std::sync::Arc;
use thiserror::Error;
use types::TypeShape;

/// The largest number of parts, written out, of a normal form that is printed as a program. A choice: a part may need
/// several syntax nodes.
const MAX_PROGRAM_PARTS: u32 = error::SYNTAX_NODES / 5;

/// A βη-normal form. Equality is α-equivalence and equality of the types.
///
/// A comparison takes time linear in the number of different parts and in the size of the type.
#[derive(Clone)]
pub struct BetaEtaNormalForm {
    /// The different parts, each after those that it contains; the root is the last.
    nodes: Arc<[FormShape]>,
    /// The names of the variables that the nodes bind; `None` for other nodes.
    names: Arc<[Option<Name>]>,
    /// The types that the nodes mention, in the order in which they are met.
    types: Arc<[TypeShape]>,
    /// The elements of `types` as [`Ty`]s, for conversion to terms.
    syntax_types: Arc<[Ty]>,
    /// The type of the whole.
    ty: Ty,
}

impl PartialEq for BetaEtaNormalForm {
    fn eq(&self, other: &BetaEtaNormalForm) -> bool {
        self.ty == other.ty && self.nodes == other.nodes && self.types == other.types
    }
}

impl Eq for BetaEtaNormalForm {}

/// Normalises a closed term, with the types that inference gave it.
///
/// # Errors
/// - [`NormalError::Steps`], [`NormalError::Size`] or [`NormalError::Depth`] if there is no normal form within the default
///   [`NormaliseLimits`];
/// - [`NormalError::IllTyped`] if a part of the term does not have the type that it carries;
/// - [`NormalError::IllScoped`] if the term has a free variable.
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
pub fn normalise(term: &Term) -> Result<BetaEtaNormalForm, NormalError> {
    normalise_within(term, NormaliseLimits::default())
}

/// Normalises a closed term like [`normalise`], within other limits.
///
/// # Errors
/// Those of [`normalise`], for these limits.
pub fn normalise_within(term: &Term, limits: NormaliseLimits) -> Result<BetaEtaNormalForm, NormalError> {
    let (form, types, root) = readback::normal_form(term, limits)?;
    let (NormalGraph { nodes, names, .. }, shapes) = form.renumber_from(root, &types);
    let (written, ty) = (types.to_types(&shapes).into(), term.ty().clone());
    Ok(BetaEtaNormalForm { nodes: nodes.into(), names: names.into(), types: shapes.into(), syntax_types: written, ty })
}

/// Returns `true` if two closed terms are βη-equal: of the same type and with the same normal form.
///
/// Terms with different normal forms may still be equal in every semantics: the [module](self) lists such equations.
///
/// # Errors
/// Those of [`normalise`], for either term.
///
/// # Examples
/// ```
/// use smoothish_syntax::syntax::library::Library;
/// use smoothish_syntax::syntax::normal::beta_eta_equal;
///
/// let library = Library::new();
/// let (left, _) = library.infer_expression("\\(p : Real * unit) => p").unwrap();
/// let (right, _) = library.infer_expression("\\(q : Real * unit) => (q[0], ())").unwrap();
/// assert!(beta_eta_equal(&left, &right)?);
/// # Ok::<(), smoothish_syntax::syntax::normal::NormalError>(())
/// ```
pub fn beta_eta_equal(left: &Term, right: &Term) -> Result<bool, NormalError> {
    Ok(normalise(left)? == normalise(right)?)
}

impl BetaEtaNormalForm {
    /// Returns the type of the normalised term.
    #[must_use]
    pub fn ty(&self) -> &Ty {
        &self.ty
    }

    /// Returns the number of different parts; a part that occurs twice is counted once.
    #[must_use]
    pub fn part_count(&self) -> usize {
        self.nodes.len()
    }

    /// Returns the number of parts written out, with shared parts repeated; at most `u64::MAX`.
    #[must_use]
    pub fn written_size(&self) -> u64 {
        form::written_size(&self.nodes)
    }

    /// Converts the normal form to a term with the same meaning as the normalised term. Equal parts in one scope are
    /// shared. A traversal that ignores this takes time in proportion to [`BetaEtaNormalForm::written_size`].
    ///
    /// # Errors
    /// [`NormalError::Size`] if the term has too many parts, counted once for each scope that they are in.
    pub fn to_term(&self) -> Result<Term, NormalError> {
        form::write_term(self).map(|(term, _)| term)
    }

    /// Returns a program that parses as this normal form, in a module of a library or without one.
    ///
    /// Types are written where inference needs them. The first choice that suffices is taken: no types, those of binders
    /// that are not real, that of the whole, those of all binders, or all together.
    ///
    /// # Errors
    /// - [`NormalError::TooLong`] if the normal form has too many parts, written out;
    /// - [`NormalError::Unreadable`] if the program is beyond another limit of programs;
    /// - [`NormalError::NotExpressible`] if a definition hides a constant or a constructor of the program, or no text parses back.
    pub fn to_program(&self, library: &Library, module: Option<&str>) -> Result<String, NormalError> {
        let size = self.written_size();
        // Checked before a text is made: written out, shared parts may be exponentially long.
        if size > u64::from(MAX_PROGRAM_PARTS) {
            return Err(NormalError::TooLong { size, limit: MAX_PROGRAM_PARTS });
        }
        let (term, written) = form::write_term(self)?;
        let unreadable = |error: ProgramError| NormalError::Unreadable { error: Box::new(error) };
        let too_large = |_| unreadable(TypeError::TooLarge { span: Span::default() }.into());
        let text = form::write_text(&term, written <= error::SYNTAX_NODES as usize).map_err(too_large)?;
        // The text is inferred again in its module: there are limits of programs, and names may mean something else.
        let read = |text: &str| -> Result<Ty, ProgramError> {
            let expression = parse_expression(text)?;
            Ok(match module {
                Some(module) => library.infer_in_module(module, text, &expression)?.1,
                None => library.infer_expression(text)?.1,
            })
        };
        match text.map(|text| (read(&text), text)) {
            // A text that parses to another type, or whose names mean something else there, is another program.
            Some((Ok(ty), text)) if ty == self.ty && form::is_visible(&term, library, module) => Ok(text),
            Some((Err(error @ (ProgramError::Syntax(_) | ProgramError::Type(TypeError::TooLarge { .. }))), _)) => {
                Err(unreadable(error))
            }
            _ => Err(NormalError::NotExpressible { text: super::lexer::message_excerpt(&term.to_string()) }),
        }
    }
}

/// Prints a program over the constants of the language, or a summary if there is none.
///
/// A normal form with a constructor of a declared data type has no such program, lists aside.
impl fmt::Display for BetaEtaNormalForm {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.to_program(&Library::new(), None) {
            Ok(text) => f.write_str(&text),
            Err(_) => write!(f, "a normal form of {} parts and of type {}", self.written_size(), self.ty),
        }
    }
}

impl fmt::Debug for BetaEtaNormalForm {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Display::fmt(self, f)
    }
}

/// The work and memory that a normalisation may use.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct NormaliseLimits {
    /// The steps of evaluation: β-steps, projections, unfoldings, visits of nodes. Readback may look up 20 parts for
    /// each of them.
    pub steps: u64,
    /// The nodes made for the normal form and its types, with the components of tuples and the branches of `match`. Shared
    /// nodes are counted once.
    pub nodes: usize,
}

impl Default for NormaliseLimits {
    /// A million steps and 300 000 nodes. A choice, meant to keep a normalisation below a second and a gigabyte.
    fn default() -> Self {
        Self { steps: 1_000_000, nodes: 300_000 }
    }
}

/// The reason why a term has no normal form within the limits, or why its normal form cannot be written as a program.
#[derive(Clone, Debug, Error, PartialEq, Eq)]
#[non_exhaustive]
pub enum NormalError {
    /// The steps are used up: a recursion does not end, or is long.
    #[error(
        "no normal form after {limit} steps: a recursion may not end, or take long; try a smaller number, or leave it a variable"
    )]
    Steps {
        /// The number of steps.
        limit: u64,
    },
    /// The normal form with its types, or the term made of it, has too many parts.
    #[error("the normal form has more than {limit} different parts; normalise a smaller part of the program")]
    Size {
        /// The largest number allowed.
        limit: usize,
    },
    /// The normal form, or the evaluation on the way to it, is nested too deeply.
    #[error("the normal form is deeper than {limit} levels, or the way to it is; a recursion may be too long")]
    Depth {
        /// The largest depth of a normal form. Evaluation has a limit of its own, which is larger.
        limit: u32,
    },
    /// A part of the term does not have the type that it carries, or carries none.
    #[error("the term does not have the types that it carries; normalise what inference found")]
    IllTyped,
    /// The term has a free variable, a projection beyond its tuple, or a `match` without a branch for a constructor.
    #[error("the term mentions a variable that it does not bind, or a component that a tuple does not have")]
    IllScoped,
    /// Written out, with shared parts repeated, the normal form is too long.
    #[error("the normal form has {size} parts when it is written out, more than the {limit} of a program")]
    TooLong {
        /// The number of parts; at most `u64::MAX`.
        size: u64,
        /// The largest number of parts of a program.
        limit: u32,
    },
    /// Written out, the normal form is beyond a limit of programs.
    #[error("the normal form cannot be written as a program: {error}")]
    Unreadable {
        /// The error of the parser or of inference.
        error: Box<library::ProgramError>,
    },
    /// The text of the normal form would be read as another program, or as none.
    #[error(
        "the normal form `{text}` would be read as another program: its type cannot be written, or a definition hides a constant"
    )]
    NotExpressible {
        /// The text, cut short.
        text: String,
    },
}

impl NormalError {
    /// Returns the error of a normal form, or of an evaluation on the way to it, that is nested too deeply.
    fn too_deep() -> NormalError {
        NormalError::Depth { limit: readback::MAX_FORM_DEPTH }
    }
}
