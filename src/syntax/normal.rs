//! Normal forms: when two programs are the same program (S §4.4; `=` in a law).
//!
//! Two terms are βη-equal when one can be turned into the other by these equations, read in either direction and inside
//! any term. Here they are decided by evaluation: a term is evaluated to a value, by need; the value is read back as a
//! β-normal form; its parts get types; and with these it is made η-long.
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
//! | `machine`, `recursion`, `fold` | evaluation by need, and when a recursion or a `fold` unfolds |
//! | `beta` | reading β-normal forms back |
//! | `typing` | the types of their parts |
//! | `eta` | η-long forms |
//! | `form` | where these lie, each part once |
//!
//! Everything is counted ([`Limits`]), so that every question ends.

mod beta;
mod error;
mod eta;
mod fold;
mod form;
mod machine;
mod recursion;
mod typing;

pub use error::{Limits, NormalError};

use super::library::{Error as ProgramError, Library};
use super::limit;
use super::name::Name;
use super::parser::parse_expression;
use super::printer::Annotated;
use super::source::Span;
use super::term::{Branch, Term, TermKind};
use super::ty::{Ty, TyKind};
use super::type_error::TypeError;
use crate::stack::deep;
use form::{Form, Node, Shape, TypeShape};
use rustc_hash::{FxHashMap, FxHashSet};
use std::fmt;
use std::sync::Arc;

/// The most parts of a normal form that is written out as a program.
const LONGEST: u32 = limit::SYNTAX_NODES / 5;

/// A βη-normal form. Equality is that of terms up to the names of bound variables, and takes the time of a list.
#[derive(Clone)]
pub struct Normal {
    nodes: Arc<[Shape]>,
    types: Arc<[TypeShape]>,
    names: Arc<[Option<Name>]>,
    binders: Arc<[Option<Ty>]>,
    ty: Ty,
}

impl PartialEq for Normal {
    fn eq(&self, other: &Normal) -> bool {
        self.ty == other.ty && self.nodes == other.nodes && self.types == other.types
    }
}

impl Eq for Normal {}

/// The normal form of a closed term of a type, as the inference found both.
///
/// # Errors
/// [`NormalError`]: within the usual [`Limits`] there is none, or the term does not have the type.
///
/// # Examples
/// ```
/// use smoothish::syntax::library::Library;
/// use smoothish::syntax::normal::{NormalError, normalise};
///
/// let normal = |text: &str| {
///     let (term, ty) = Library::new().infer_expression(text).unwrap();
///     normalise(&term, &ty)
/// };
/// assert_eq!(normal("let twice f = \\x => f (f x) in twice sin 2")?.to_string(), "sin (sin 2)");
/// assert_eq!(normal("\\p => p + (1, 2)")?.to_string(), "\\(p : Real^2) => (p[0] + 1, p[1] + 2)");
/// assert_eq!(normal("sin")?, normal("\\y => sin y")?);
/// assert_ne!(normal("1 + 1")?, normal("2.0")?);
/// assert!(matches!(normal("let rec f n = f (n + 1) in f 0"), Err(NormalError::Steps { .. })));
/// # Ok::<(), NormalError>(())
/// ```
pub fn normalise(term: &Term, ty: &Ty) -> Result<Normal, NormalError> {
    normalise_within(term, ty, Limits::default())
}

/// The same within other limits.
///
/// # Errors
/// [`NormalError`]
pub fn normalise_within(term: &Term, ty: &Ty, limits: Limits) -> Result<Normal, NormalError> {
    let normal = beta::beta_normal(&mut machine::Machine::new(limits), term)?;
    let types = typing::types(&normal, ty, limits.nodes)?;
    let (form, root) = eta::eta_long(&normal, types, limits)?;
    let Form { nodes, names, types, .. } = &form.finished(root);
    let mut parameters = Vec::new();
    collect_parameters(ty, &mut parameters, &mut FxHashSet::default());
    let binders = form::exported(types, &parameters);
    let (nodes, types) = (nodes.as_slice().into(), types.as_slice().into());
    Ok(Normal { nodes, types, names: names.as_slice().into(), binders: binders.into(), ty: ty.clone() })
}

/// Whether two closed terms of a type are βη-equal: have the same normal form.
///
/// # Errors
/// [`NormalError`]
///
/// # Examples
/// ```
/// use smoothish::syntax::library::Library;
/// use smoothish::syntax::normal::equal;
///
/// let library = Library::new();
/// let (left, ty) = library.infer_expression("\\(p : Real * unit) => p").unwrap();
/// let (right, _) = library.infer_expression("\\(q : Real * unit) => (q[0], ())").unwrap();
/// assert!(equal(&left, &right, &ty)?);
/// # Ok::<(), smoothish::syntax::normal::NormalError>(())
/// ```
pub fn equal(left: &Term, right: &Term, ty: &Ty) -> Result<bool, NormalError> {
    Ok(normalise(left, ty)? == normalise(right, ty)?)
}

/// The names of the parameters of a type.
fn collect_parameters(ty: &Ty, names: &mut Vec<Name>, seen: &mut FxHashSet<usize>) {
    if !seen.insert(ty.address()) {
        return;
    }
    deep(|| match ty.kind() {
        TyKind::Variable(index, name) if *index < limit::TYPE_NODES => {
            if names.len() <= *index {
                names.resize(index + 1, name.clone());
            }
            names[*index] = name.clone();
        }
        TyKind::Tuple(parts) | TyKind::Data(_, parts) => {
            parts.iter().for_each(|part| collect_parameters(part, names, seen))
        }
        TyKind::Function(a, b) | TyKind::Iso(a, b) => {
            collect_parameters(a, names, seen);
            collect_parameters(b, names, seen);
        }
        TyKind::Tangent(a) => collect_parameters(a, names, seen),
        _ => {}
    });
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
        self.read().map(|(term, _)| term)
    }

    /// The term, and how long the types of its binders are together.
    fn read(&self) -> Result<(Term, usize), NormalError> {
        let root = self.nodes.len() as Node - 1;
        let mut reader = Terms { normal: self, known: FxHashMap::default(), names: Vec::new(), written: 0 };
        Ok((reader.term(root)?, reader.written))
    }

    /// A program that is read as this normal form, in a module of a library or without one. Types are written where
    /// inference needs them: the text is tried without any, with those of binders that are not real numbers, with that
    /// of the whole, with those of all binders, and with all together.
    ///
    /// # Errors
    /// [`NormalError::TooLong`]; [`NormalError::Unreadable`] beyond another limit of programs; [`NormalError::Hidden`]
    /// when a definition hides a constant that the program mentions.
    pub fn program(&self, library: &Library, module: Option<&str>) -> Result<String, NormalError> {
        let size = self.size();
        if size > u64::from(LONGEST) {
            return Err(NormalError::TooLong { size, limit: LONGEST });
        }
        let (term, written) = self.read()?;
        let read = |text: &str| -> Result<(Term, Ty), ProgramError> {
            let expression = parse_expression(text)?;
            Ok(match module {
                Some(module) => library.infer_in(module, text, &expression)?,
                None => library.infer_expression(text)?,
            })
        };
        let with = |told: &dyn Fn(&Ty) -> bool| {
            // annotations that are longer than any program are left out
            let short = written <= limit::SYNTAX_NODES as usize;
            let told = |ty: &Ty, _| short && ty.is_known() && told(ty);
            Annotated(&term, &told).to_string()
        };
        let attempts: [&dyn Fn() -> String; 5] = [
            &|| term.to_string(),
            &|| with(&|ty| !matches!(ty.kind(), TyKind::Real)),
            &|| format!("({term} : {})", self.ty),
            &|| with(&|_| true),
            &|| format!("({} : {})", with(&|_| true), self.ty),
        ];
        let mut too_large = None;
        for attempt in attempts {
            let text = attempt();
            match read(&text) {
                Ok((term, ty)) if ty == self.ty && normalise(&term, &ty).is_ok_and(|normal| normal == *self) => {
                    return Ok(text);
                }
                Err(error @ (ProgramError::Syntax(_) | ProgramError::Type(TypeError::TooLarge { .. }))) => {
                    too_large.get_or_insert(error);
                }
                _ => {}
            }
        }
        Err(match too_large {
            Some(error) => NormalError::Unreadable { error: Box::new(error) },
            None => NormalError::Hidden { text: super::lexer::excerpt(&term.to_string()) },
        })
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

/// Turns nodes into terms: levels into indices.
struct Terms<'n> {
    normal: &'n Normal,
    known: FxHashMap<(Node, usize), Term>,
    names: Vec<Name>,
    /// The size of the types of all binders.
    written: usize,
}

impl Terms<'_> {
    fn term(&mut self, node: Node) -> Result<Term, NormalError> {
        let key = (node, self.names.len());
        if let Some(known) = self.known.get(&key) {
            return Ok(known.clone());
        }
        if self.known.len() > 4 * limit::SYNTAX_NODES as usize {
            return Err(NormalError::Size { limit: 4 * limit::SYNTAX_NODES as usize });
        }
        let term = deep(|| self.term_of(node))?;
        self.known.insert(key, term.clone());
        Ok(term)
    }

    fn under(&mut self, name: &Name, node: Node) -> Result<Term, NormalError> {
        self.names.push(name.clone());
        let body = self.term(node);
        self.names.pop();
        body
    }

    fn term_of(&mut self, node: Node) -> Result<Term, NormalError> {
        let normal = self.normal;
        let name = || normal.names[node as usize].clone().unwrap_or_else(|| "x".into());
        let kind = match &normal.nodes[node as usize] {
            Shape::Variable(level) => {
                let name = self.names[*level as usize].clone();
                TermKind::Variable { index: self.names.len() - 1 - *level as usize, name }
            }
            Shape::Constant(constant) => TermKind::Constant(*constant),
            Shape::Real(value) => TermKind::Real(value.clone()),
            Shape::Nat(value) => TermKind::Nat(*value),
            Shape::Bool(value) => TermKind::Bool(*value),
            Shape::Unit => TermKind::Unit,
            Shape::Lambda(ty, body) => {
                let domain = normal.binders[*ty as usize].clone().unwrap_or_else(Ty::unknown);
                self.written = self.written.saturating_add(domain.size());
                return Ok(Term::lambda(name(), domain, self.under(&name(), *body)?, Span::default()));
            }
            Shape::LetRec(ty, value) => {
                let ty = normal.binders[*ty as usize].clone().unwrap_or_else(Ty::unknown);
                self.written = self.written.saturating_add(ty.size());
                let value = self.under(&name(), *value)?;
                let value = Term::typed(value.kind().clone(), ty.clone(), Span::default());
                let body = Term::variable(0, name(), ty, Span::default());
                TermKind::LetRec { name: name(), value, body }
            }
            Shape::Apply(function, argument) => {
                TermKind::Apply { function: self.term(*function)?, argument: self.term(*argument)? }
            }
            Shape::Tuple(parts) => {
                TermKind::Tuple(parts.iter().map(|part| self.term(*part)).collect::<Result<_, _>>()?)
            }
            Shape::Project(tuple, index) => TermKind::Project { tuple: self.term(*tuple)?, index: *index as usize },
            Shape::If(condition, then, otherwise) => TermKind::If {
                condition: self.term(*condition)?,
                then: self.term(*then)?,
                otherwise: self.term(*otherwise)?,
            },
            Shape::Inject(constructor, argument) => {
                TermKind::Inject { constructor: constructor.clone(), argument: self.term(*argument)? }
            }
            Shape::Match(data, scrutinee, bodies) => {
                let scrutinee = self.term(*scrutinee)?;
                let mut branches = Vec::with_capacity(bodies.len());
                for (constructor, body) in data.constructors().zip(bodies) {
                    // the variable of `[]` and its like stands for ()
                    let name = if constructor.layer().is_some() { name() } else { "_".into() };
                    branches.push(Branch { body: self.under(&name, *body)?, name });
                }
                TermKind::Match { data: data.clone(), scrutinee, branches }
            }
            Shape::To(iso) => TermKind::To(self.term(*iso)?),
            Shape::From(iso) => TermKind::From(self.term(*iso)?),
        };
        Ok(Term::new(kind, Span::default()))
    }
}
