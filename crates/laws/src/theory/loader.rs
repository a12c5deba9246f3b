//! A collection of theories with their statements, each loaded after those that it extends.

use super::elaborate::StatementScope;
use super::error::{StatementError, TheoryError};
use super::format::{ModelDraft, RefuteDraft, TheoryDocument, TheoryItem, parse_law};
use super::law::TypeSampler;
use super::texts::{TextError, TheoryText, TheoryTexts};
use super::{ModelLine, RefuteLine, Theory};
use crate::meaning;
use crate::syntax::library::Library;
use crate::syntax::name::Name;
use crate::syntax::source::SourceText;
use crate::syntax::surface::Identifier;
use crate::syntax::term::Definition;
use crate::syntax::type_error::TypeError;
use crate::wrong::Mutation;
use rustc_hash::FxHashSet;
use std::sync::{Arc, OnceLock};

/// A collection of theories, and the library of their definitions.
///
/// [Unread](TheoryCollection::from_lazy_sources) theories are lazy: their definitions are read at the first lookup of a name, and their
/// statements at the first call of [`theories`](TheoryCollection::theories). A program needs few definitions, and no statement.
#[derive(Clone, Debug, Default)]
pub struct TheoryCollection {
    texts: TheoryTexts,
    /// The statements of each text, in the order of the texts.
    entries: Vec<TheoryEntry>,
    /// The library that the statements of unread theories are typed over: the definitions as they were at the start,
    /// whatever was loaded later.
    base_library: Library,
    /// The theories with all their statements, once they have been asked for.
    elaborated: OnceLock<Vec<Theory>>,
}

/// The statements of one theory, as far as they are typed.
#[derive(Clone, Debug)]
enum TheoryEntry {
    /// The theory with all its statements.
    Typed(Box<Theory>),
    /// Statements that are not typed yet. The samplers, its own and inherited, are typed at the first use.
    Untyped(Arc<OnceLock<Vec<TypeSampler>>>),
}

impl TheoryCollection {
    /// Returns the empty collection.
    pub fn new() -> TheoryCollection {
        TheoryCollection::default()
    }

    /// Collects theories that are parsed and typed lazily, like [`TheoryTexts::from_lazy_sources`].
    ///
    /// # Panics
    /// Panics like [`TheoryTexts::from_lazy_sources`].
    pub fn from_lazy_sources(sources: impl IntoIterator<Item = SourceText>) -> TheoryCollection {
        let texts = TheoryTexts::from_lazy_sources(sources);
        let entries = texts.texts().iter().map(|_| TheoryEntry::Untyped(Arc::default())).collect();
        TheoryCollection { base_library: texts.library().clone(), texts, entries, elaborated: OnceLock::new() }
    }

    /// Returns the texts, with the library of their definitions.
    pub fn texts(&self) -> &TheoryTexts {
        &self.texts
    }

    /// Returns the library of the definitions.
    pub fn library(&self) -> &Library {
        self.texts.library()
    }

    /// Returns the theories with all their statements, each after those that it extends. The first call types what is
    /// not typed yet.
    ///
    /// # Panics
    /// Panics if an unread theory is wrong. A test reads all theories of the standard library.
    pub fn theories(&self) -> &[Theory] {
        self.elaborated.get_or_init(|| {
            // a loaded theory has its statements already; only the lazy ones are parsed a second time
            let said = |(text, entry): (&TheoryText, &TheoryEntry)| match entry {
                TheoryEntry::Typed(theory) => Theory::clone(theory),
                TheoryEntry::Untyped(_) => {
                    let document = expect_correct(text.parse_document().map_err(TheoryError::from));
                    expect_correct(elaborate_theory(
                        &self.base_library,
                        text,
                        document,
                        self.samplers_of(&text.extends),
                    ))
                }
            };
            self.texts.texts().iter().zip(&self.entries).map(said).collect()
        })
    }

    /// Returns `true` if the statements of all theories are typed.
    pub fn are_typed(&self) -> bool {
        self.elaborated.get().is_some() || !self.entries.iter().any(|entry| matches!(entry, TheoryEntry::Untyped(_)))
    }

    /// Returns the theory `name`. Returns `None` if there is no such theory. Types all statements at the first call.
    pub fn find_theory(&self, name: &str) -> Option<&Theory> {
        self.theories().iter().find(|theory| &*theory.name == name)
    }

    /// Returns the source of the theory `name`. Returns `None` if there is no such theory.
    pub fn source(&self, name: &str) -> Option<&Arc<SourceText>> {
        self.texts.source(name)
    }

    /// Adds a definition that no text has, such as that of a constant from outside, for theories that are loaded later.
    pub fn insert_definition(&mut self, definition: Arc<Definition>) {
        self.texts.insert_definition(definition);
    }

    /// Loads theories, which may extend each other, in any order, and those already loaded.
    ///
    /// # Errors
    /// The first error, with its source; then nothing is loaded.
    pub fn load(&mut self, sources: impl IntoIterator<Item = SourceText>) -> Result<(), TheoryError> {
        // an error may come after some definitions were made, so all is done on a clone and taken over at the end
        let mut next = self.clone();
        for document in next.texts.define(sources.into_iter().map(Arc::new))? {
            // `define` has put the texts of the documents behind those that have entries, in the same order
            let text = &next.texts.texts()[next.entries.len()];
            let theory = elaborate_theory(next.library(), text, document, next.samplers_of(&text.extends))?;
            next.entries.push(TheoryEntry::Typed(Box::new(theory)));
        }
        // the typed theories are collected again at the next call of `theories`
        *self = TheoryCollection { elaborated: OnceLock::new(), ..next };
        Ok(())
    }

    /// Types a single law, `(x : Real) : e ~ f where …`, which belongs to no theory file. Names are resolved in
    /// `module` of `library`, which may have more modules than this collection. Returns a theory of the name `module`
    /// whose only statement is the law, named `it`.
    ///
    /// # Errors
    /// The first error, with `source`.
    pub fn elaborate_single_law(
        &self,
        library: &Library,
        module: &str,
        source: SourceText,
    ) -> Result<Theory, TheoryError> {
        let source = Arc::new(source);
        let draft = parse_law("it", &source.text).map_err(|error| TextError::from_program(&source, error))?;
        // the samplers of all theories are in scope, since the law does not say which theories it extends
        let names: Vec<Name> = self.texts.texts().iter().map(|text| text.name.clone()).collect();
        let mut theory = Theory { samples: self.samplers_of(&names), ..Theory::empty(module.into(), source.clone()) };
        let place = StatementScope { library, module: &theory.name, source: &source, samples: &theory.samples };
        let law = place.elaborate_law(draft).map_err(|error| TheoryError::from_statement(&source, error))?;
        theory.laws.push(law);
        Ok(theory)
    }

    /// Returns the samplers of the theories `names`, each once.
    fn samplers_of(&self, names: &[Name]) -> Vec<TypeSampler> {
        let mut found: Vec<TypeSampler> = Vec::new();
        let named = self.texts.texts().iter().zip(&self.entries).filter(|(text, _)| names.contains(&text.name));
        for sample in named.flat_map(|(text, entry)| self.theory_samplers(text, entry)) {
            // a sampler that is inherited along two ways is one sampler
            if !found.iter().any(|other| Arc::ptr_eq(&other.sampler, &sample.sampler)) {
                found.push(sample.clone());
            }
        }
        found
    }

    /// Returns the samplers of one theory, its own and those that it inherits.
    fn theory_samplers<'t>(&'t self, text: &TheoryText, entry: &'t TheoryEntry) -> &'t [TypeSampler] {
        match entry {
            TheoryEntry::Typed(theory) => &theory.samples,
            // only the `sample` items are typed, so that a draw does not type every law of every theory
            TheoryEntry::Untyped(samples) => samples.get_or_init(|| {
                let document = expect_correct(text.parse_document().map_err(TheoryError::from));
                let made = document.items.into_iter().filter(|item| matches!(item, TheoryItem::Sample(_))).collect();
                let document = TheoryDocument { items: made, ..document };
                expect_correct(elaborate_theory(&self.base_library, text, document, self.samplers_of(&text.extends)))
                    .samples
            }),
        }
    }
}

/// Unwraps the result for a theory that is compiled in, which a test has read. Panics with the rendered error
/// otherwise.
fn expect_correct<T>(result: Result<T, TheoryError>) -> T {
    result.unwrap_or_else(|error| unreachable!("{}", error.render()))
}

/// Types the statements of a theory. `samples` are the samplers that it inherits.
fn elaborate_theory(
    library: &Library,
    text: &TheoryText,
    document: TheoryDocument,
    samples: Vec<TypeSampler>,
) -> Result<Theory, TheoryError> {
    let mut theory = Theory {
        samples,
        extends: text.extends.clone(),
        citations: document.citations,
        summary: document.summary,
        ..Theory::empty(text.name.clone(), text.source.clone())
    };
    let statement = |error| TheoryError::from_statement(&text.source, error);
    let mut items = Vec::new();
    // samplers first: the statements before a `sample` item see it too
    for item in document.items {
        match item {
            TheoryItem::Sample(sample) => {
                let sample =
                    StatementScope::of_theory(library, &theory).elaborate_sampler(sample).map_err(statement)?;
                theory.samples.push(sample);
            }
            other => items.push(other),
        }
    }
    let mut seen: FxHashSet<Name> = FxHashSet::default();
    let mut lines = Vec::new();
    for item in items {
        elaborate_item(library, item, &mut theory, &mut seen, &mut lines).map_err(statement)?;
    }
    // `model` and `refute` lines last: they may name statements that come after them
    for line in lines {
        elaborate_line(line, &mut theory, &seen).map_err(statement)?;
    }
    Ok(theory)
}

/// Types a claim or law into `theory`. Collects `model` and `refute` items in `lines`, for after all names are known.
fn elaborate_item(
    library: &Library,
    item: TheoryItem,
    theory: &mut Theory,
    seen: &mut FxHashSet<Name>,
    lines: &mut Vec<TheoryItem>,
) -> Result<(), StatementError> {
    let module = theory.name.clone();
    // laws and claims share one name space: `refute` and `except` name both
    let mut fresh = |name: &Identifier| {
        if seen.insert(name.name.clone()) {
            return Ok(());
        }
        let (name, span) = (name.name.to_string(), name.span);
        Err(TypeError::DefinedTwice { name, module: module.clone(), span })
    };
    match item {
        TheoryItem::Claim(claim) => {
            fresh(&claim.name)?;
            let claim = StatementScope::of_theory(library, theory).elaborate_claim(claim)?;
            theory.claims.push(claim);
        }
        TheoryItem::Law(law) => {
            fresh(&law.name)?;
            let law = StatementScope::of_theory(library, theory).elaborate_law(law)?;
            theory.laws.push(law);
        }
        TheoryItem::Model(_) | TheoryItem::Refute(_) => lines.push(item),
        TheoryItem::Type(_) | TheoryItem::Let(..) | TheoryItem::Sample(_) => {}
    }
    Ok(())
}

/// Checks the names in a `model` or `refute` item, and adds the item to `theory`.
fn elaborate_line(line: TheoryItem, theory: &mut Theory, seen: &FxHashSet<Name>) -> Result<(), StatementError> {
    let all = |names: Vec<Identifier>| -> Result<Vec<Name>, StatementError> {
        if let Some(Identifier { name, span }) = names.iter().find(|name| !seen.contains(&name.name)) {
            let known = seen.iter().map(ToString::to_string).collect();
            return Err(StatementError::Missing { name: name.clone(), known, span: *span });
        }
        Ok(names.into_iter().map(|name| name.name).collect())
    };
    match line {
        TheoryItem::Model(ModelDraft { model, except, because }) => {
            // only an enclosing semantics can refute: floating-point numbers are no bounds
            if meaning::semantics_named(&model.name).is_none_or(|meaning| !meaning.is_certified()) {
                let enclosing = meaning::all_semantics().iter().filter(|meaning| meaning.is_certified());
                let known = enclosing.map(|meaning| meaning.name().to_owned()).collect();
                return Err(StatementError::Model { name: model.name, known, span: model.span });
            }
            theory.models.push(ModelLine { model: model.name, except: all(except)?, because });
        }
        TheoryItem::Refute(RefuteDraft { mutant, by }) => {
            if Mutation::named(&mutant.name).is_none() {
                let known = Mutation::all().into_iter().map(|mutation| mutation.name().to_owned()).collect();
                return Err(StatementError::Mutant { name: mutant.name, known, span: mutant.span });
            }
            theory.refutes.push(RefuteLine { mutant: mutant.name, by: all(by)? });
        }
        _ => {}
    }
    Ok(())
}
