//! Many theories, each loaded after those that it extends.

use super::format::{self, ClaimDraft, Document, Item, StatementDraft};
use super::{Claim, Statement, Theory};
use crate::syntax::library::{Error, Library};
use crate::syntax::name::{Name, nearest};
use crate::syntax::report;
use crate::syntax::source::{Source, Span};
use crate::syntax::surface::Expression;
use crate::syntax::term::Term;
use crate::syntax::ty::Ty;
use crate::syntax::type_error::TypeError;
use rustc_hash::FxHashSet;
use std::sync::Arc;
use thiserror::Error;

/// A theory that cannot be loaded.
#[derive(Clone, Debug, Error, PartialEq, Eq)]
#[non_exhaustive]
pub enum TheoryError {
    /// Its form, its names or its types.
    #[error("{error}")]
    Program {
        /// The text.
        source_text: Arc<Source>,
        /// What is wrong with it.
        error: Box<Error>,
    },
    /// It extends a theory that does not exist.
    #[error("there is no theory `{name}`")]
    Unknown {
        /// The theory that does not exist.
        name: Name,
        /// A theory of a similar name.
        suggestion: Option<Name>,
        /// The text.
        source_text: Arc<Source>,
        /// Where.
        span: Span,
    },
    /// Two theories have the same name.
    #[error("the theory `{name}` is defined twice, in {first} and here")]
    Twice {
        /// The name.
        name: Name,
        /// The name of the first text.
        first: String,
        /// The second text.
        source_text: Arc<Source>,
        /// Where in it.
        span: Span,
    },
    /// Theories extend each other in a circle.
    #[error("theories extend each other in a circle: {}", path.join(" extends "))]
    Cycle {
        /// The circle, its first theory also at the end.
        path: Vec<Name>,
        /// The text of the first.
        source_text: Arc<Source>,
        /// Where.
        span: Span,
    },
}

impl TheoryError {
    /// The error as it is shown, with its place in the source.
    pub fn render(&self) -> String {
        match self {
            TheoryError::Program { source_text, error } => report::render(source_text, error),
            TheoryError::Unknown { suggestion, source_text, span, .. } => {
                let help = suggestion.as_ref().map(|name| format!("did you mean `{name}`?"));
                report::render_message(source_text, &self.to_string(), *span, help)
            }
            TheoryError::Twice { source_text, span, .. } | TheoryError::Cycle { source_text, span, .. } => {
                report::render_message(source_text, &self.to_string(), *span, None)
            }
        }
    }
}

/// Theories, and the library of their definitions.
#[derive(Clone, Debug, Default)]
pub struct Theories {
    library: Library,
    theories: Vec<Theory>,
}

/// A theory that was read, and is still to be typed.
struct Draft {
    document: Document,
    source: Arc<Source>,
}

impl Theories {
    /// No theories.
    pub fn new() -> Theories {
        Theories::default()
    }

    /// The definitions.
    pub fn library(&self) -> &Library {
        &self.library
    }

    /// The theories, each after those that it extends.
    pub fn theories(&self) -> &[Theory] {
        &self.theories
    }

    /// The theory of a name.
    pub fn theory(&self, name: &str) -> Option<&Theory> {
        self.theories.iter().find(|theory| &*theory.name == name)
    }

    /// Loads theories, which may extend each other, in any order, and those already loaded.
    ///
    /// # Errors
    /// The first thing that is wrong, with its source; then nothing is loaded.
    pub fn load(&mut self, sources: impl IntoIterator<Item = Source>) -> Result<(), TheoryError> {
        let mut next = self.clone();
        next.load_here(sources)?;
        *self = next;
        Ok(())
    }

    fn load_here(&mut self, sources: impl IntoIterator<Item = Source>) -> Result<(), TheoryError> {
        let mut drafts: Vec<Draft> = Vec::new();
        for source in sources {
            let source = Arc::new(source);
            let document = format::parse(&source.text).map_err(|error| program(&source, error))?;
            let name = &document.name;
            let loaded = self.theory(&name.name).map(|theory| &theory.source);
            let drafted = drafts.iter().find(|draft| draft.document.name.name == name.name).map(|draft| &draft.source);
            if let Some(first) = loaded.or(drafted) {
                let first = first.name.clone();
                return Err(TheoryError::Twice {
                    name: name.name.clone(),
                    first,
                    span: name.span,
                    source_text: source,
                });
            }
            drafts.push(Draft { document, source });
        }
        for index in self.order(&drafts)? {
            self.add(&drafts[index])?;
        }
        Ok(())
    }

    /// An order in which each theory comes after those that it extends.
    fn order(&self, drafts: &[Draft]) -> Result<Vec<usize>, TheoryError> {
        #[derive(Clone, Copy, PartialEq)]
        enum Visit {
            New,
            Open,
            Done,
        }
        let mut visits = vec![Visit::New; drafts.len()];
        let mut order = Vec::new();
        for start in 0..drafts.len() {
            let mut path: Vec<(usize, usize)> = Vec::new();
            if visits[start] == Visit::New {
                visits[start] = Visit::Open;
                path.push((start, 0));
            }
            while let Some((index, next)) = path.last_mut() {
                let (draft, current) = (&drafts[*index], *index);
                let Some(above) = draft.document.extends.get(*next) else {
                    visits[current] = Visit::Done;
                    order.push(current);
                    path.pop();
                    continue;
                };
                *next += 1;
                let Some(target) = drafts.iter().position(|other| other.document.name.name == above.name) else {
                    if self.theory(&above.name).is_some() {
                        continue;
                    }
                    return Err(self.unknown(drafts, draft, &above.name, above.span));
                };
                match visits[target] {
                    Visit::Done => {}
                    Visit::New => {
                        visits[target] = Visit::Open;
                        path.push((target, 0));
                    }
                    Visit::Open => {
                        let circle = path.iter().map(|&(index, _)| index).skip_while(|&index| index != target);
                        let mut names: Vec<Name> = circle.map(|i| drafts[i].document.name.name.clone()).collect();
                        names.push(above.name.clone());
                        let source_text = draft.source.clone();
                        return Err(TheoryError::Cycle { path: names, source_text, span: above.span });
                    }
                }
            }
        }
        Ok(order)
    }

    fn unknown(&self, drafts: &[Draft], draft: &Draft, name: &Name, span: Span) -> TheoryError {
        let loaded = self.theories.iter().map(|theory| &*theory.name);
        let drafted = drafts.iter().map(|draft| &*draft.document.name.name);
        let suggestion = nearest(name, loaded.chain(drafted)).map(Name::from);
        TheoryError::Unknown { name: name.clone(), suggestion, source_text: draft.source.clone(), span }
    }

    /// Types one theory; those that it extends are loaded.
    fn add(&mut self, draft: &Draft) -> Result<(), TheoryError> {
        let Draft { document, source } = draft;
        let name = document.name.name.clone();
        let mut seen: FxHashSet<Name> = FxHashSet::default();
        let above = document.extends.iter().map(|above| above.name.clone());
        let extends: Vec<Name> = above.filter(|name| seen.insert(name.clone())).collect();
        seen.clear();
        self.library.add_module(name.clone(), extends.clone());
        let mut claims: Vec<Claim> = Vec::new();
        for item in &document.items {
            self.add_item(item, &name, &source.text, &mut seen, &mut claims).map_err(|error| program(source, error))?;
        }
        self.theories.push(Theory {
            name,
            extends,
            citations: document.citations.clone(),
            about: document.about.clone(),
            claims,
            source: source.clone(),
        });
        Ok(())
    }

    fn add_item(
        &mut self,
        item: &Item,
        module: &Name,
        text: &str,
        seen: &mut FxHashSet<Name>,
        claims: &mut Vec<Claim>,
    ) -> Result<(), TypeError> {
        match item {
            Item::Type(declaration) => self.library.define_type(module, text, declaration),
            Item::Let(declaration, doc) => self.library.define(module, text, declaration, doc).map(|_| ()),
            Item::Claim(claim) => {
                let name = &claim.name;
                if !seen.insert(name.name.clone()) {
                    let (name, span) = (name.name.to_string(), name.span);
                    return Err(TypeError::DefinedTwice { name, module: module.clone(), span });
                }
                claims.push(self.typed_claim(claim, module, text)?);
                Ok(())
            }
        }
    }

    fn typed_claim(&self, claim: &ClaimDraft, module: &str, text: &str) -> Result<Claim, TypeError> {
        let statement = match &claim.statement {
            StatementDraft::Within { expression, tolerance, low, high, reached } => Statement::Within {
                term: self.real(expression, module, text)?,
                tolerance: tolerance.clone(),
                low: low.clone(),
                high: high.clone(),
                reached: *reached,
            },
            StatementDraft::Agree(left, right) => {
                Statement::Agree { left: self.real(left, module, text)?, right: self.real(right, module, text)? }
            }
        };
        Ok(Claim { name: claim.name.name.clone(), statement, because: claim.because.clone(), span: claim.span })
    }

    /// A program in a claim, which must be of type `Real`.
    fn real(&self, expression: &Expression, module: &str, text: &str) -> Result<Term, TypeError> {
        let (term, ty) = self.library.infer_in(module, text, expression)?;
        if ty == Ty::real() {
            return Ok(term);
        }
        Err(TypeError::Mismatch {
            expected: Ty::real(),
            before_expected: None,
            found: ty,
            before_found: None,
            argument: None,
            span: expression.span,
        })
    }
}

fn program(source: &Arc<Source>, error: impl Into<Error>) -> TheoryError {
    TheoryError::Program { source_text: source.clone(), error: Box::new(error.into()) }
}
