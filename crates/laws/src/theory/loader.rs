//! Theories with all that they say, each loaded after those that it extends.

use super::elaborate::Place;
use super::error::{StatementError, TheoryError};
use super::format::statement::parse_law;
use super::format::{Document, Item, ModelDraft, RefuteDraft};
use super::law::Sample;
use super::texts::{Text, Texts};
use super::unreadable::TextError;
use super::{ModelLine, RefuteLine, Theory};
use crate::meaning;
use crate::syntax::library::Library;
use crate::syntax::name::Name;
use crate::syntax::source::Source;
use crate::syntax::surface::Identifier;
use crate::syntax::type_error::TypeError;
use crate::wrong::Mutation;
use rustc_hash::FxHashSet;
use std::sync::{Arc, OnceLock};

/// Theories, and the library of their definitions.
///
/// Those that are [unread](Theories::unread) are read when somebody asks: a program needs few of their definitions, and
/// none of what they say.
#[derive(Clone, Debug, Default)]
pub struct Theories {
    texts: Texts,
    /// What is known of each.
    entries: Vec<Entry>,
    /// What the unread theories say is typed over this: the definitions that came with them, whatever was loaded since.
    over: Library,
    /// The theories with all that they say.
    said: OnceLock<Vec<Theory>>,
}

/// What a theory says, as far as it has been typed.
#[derive(Clone, Debug)]
enum Entry {
    /// All of it.
    Typed(Box<Theory>),
    /// The samplers that it makes, or has from those that it extends, once somebody has asked.
    Untyped(Arc<OnceLock<Vec<Sample>>>),
}

impl Theories {
    /// No theories.
    pub fn new() -> Theories {
        Theories::default()
    }

    /// Theories of which each is read when somebody asks for one of its names, or for what it says; as [`Texts::unread`].
    ///
    /// # Panics
    /// As [`Texts::unread`].
    pub fn unread(sources: impl IntoIterator<Item = Source>) -> Theories {
        let texts = Texts::unread(sources);
        let entries = texts.texts().iter().map(|_| Entry::Untyped(Arc::default())).collect();
        Theories { over: texts.library().clone(), texts, entries, said: OnceLock::new() }
    }

    /// The texts, and the library of their definitions.
    pub fn texts(&self) -> &Texts {
        &self.texts
    }

    /// The definitions.
    pub fn library(&self) -> &Library {
        self.texts.library()
    }

    /// The theories, each after those that it extends.
    ///
    /// # Panics
    /// Where a theory that comes with the library is wrong; a test asks for all of these.
    pub fn theories(&self) -> &[Theory] {
        self.said.get_or_init(|| {
            let said = |(text, entry): (&Text, &Entry)| match entry {
                Entry::Typed(theory) => Theory::clone(theory),
                Entry::Untyped(_) => {
                    let document = right(text.document().map_err(TheoryError::from));
                    right(typed(&self.over, text, document, self.samples_of(&text.extends)))
                }
            };
            self.texts.texts().iter().zip(&self.entries).map(said).collect()
        })
    }

    /// Whether all that the theories say has been typed.
    pub fn are_typed(&self) -> bool {
        self.said.get().is_some() || !self.entries.iter().any(|entry| matches!(entry, Entry::Untyped(_)))
    }

    /// The theory of a name.
    pub fn theory(&self, name: &str) -> Option<&Theory> {
        self.theories().iter().find(|theory| &*theory.name == name)
    }

    /// The text of the theory of a name.
    pub fn source(&self, name: &str) -> Option<&Arc<Source>> {
        self.texts.source(name)
    }

    /// Loads theories, which may extend each other, in any order, and those already loaded.
    ///
    /// # Errors
    /// The first thing that is wrong, with its source; then nothing is loaded.
    pub fn load(&mut self, sources: impl IntoIterator<Item = Source>) -> Result<(), TheoryError> {
        let mut next = self.clone();
        for document in next.texts.define(sources.into_iter().map(Arc::new))? {
            let text = &next.texts.texts()[next.entries.len()];
            let theory = typed(next.library(), text, document, next.samples_of(&text.extends))?;
            next.entries.push(Entry::Typed(Box::new(theory)));
        }
        *self = Theories { said: OnceLock::new(), ..next };
        Ok(())
    }

    /// A law that stands alone, `(x : Real) : e ~ f where …`, over a library that may have more modules than these theories;
    /// names are those that are seen in `module`. It is the one law of a theory of that name.
    ///
    /// # Errors
    /// The first thing that is wrong with it.
    pub fn alone(&self, library: &Library, module: &str, source: Source) -> Result<Theory, TheoryError> {
        let source = Arc::new(source);
        let draft = parse_law("it", &source.text).map_err(|error| TextError::program(&source, error))?;
        let names: Vec<Name> = self.texts.texts().iter().map(|text| text.name.clone()).collect();
        let mut theory = Theory { samples: self.samples_of(&names), ..Theory::empty(module.into(), source.clone()) };
        let place = Place { library, module: &theory.name, source: &source, samples: &theory.samples };
        let law = place.law(draft).map_err(|error| TheoryError::statement(&source, error))?;
        theory.laws.push(law);
        Ok(theory)
    }

    /// The samplers of the theories of these names.
    fn samples_of(&self, names: &[Name]) -> Vec<Sample> {
        let mut found: Vec<Sample> = Vec::new();
        let named = self.texts.texts().iter().zip(&self.entries).filter(|(text, _)| names.contains(&text.name));
        for sample in named.flat_map(|(text, entry)| self.samples(text, entry)) {
            if !found.iter().any(|other| Arc::ptr_eq(&other.sampler, &sample.sampler)) {
                found.push(sample.clone());
            }
        }
        found
    }

    /// The samplers that a theory makes, or has from those that it extends.
    fn samples<'t>(&'t self, text: &Text, entry: &'t Entry) -> &'t [Sample] {
        match entry {
            Entry::Typed(theory) => &theory.samples,
            Entry::Untyped(samples) => samples.get_or_init(|| {
                let document = right(text.document().map_err(TheoryError::from));
                let made = document.items.into_iter().filter(|item| matches!(item, Item::Sample(_))).collect();
                let document = Document { items: made, ..document };
                right(typed(&self.over, text, document, self.samples_of(&text.extends))).samples
            }),
        }
    }
}

/// What came of a text that is compiled in, and that a test has read.
fn right<T>(result: Result<T, TheoryError>) -> T {
    result.unwrap_or_else(|error| unreachable!("{}", error.render()))
}

/// Types what a theory says, given the samplers of those that it extends.
fn typed(library: &Library, text: &Text, document: Document, samples: Vec<Sample>) -> Result<Theory, TheoryError> {
    let mut theory = Theory {
        samples,
        extends: text.extends.clone(),
        citations: document.citations,
        about: document.about,
        ..Theory::empty(text.name.clone(), text.source.clone())
    };
    let statement = |error| TheoryError::statement(&text.source, error);
    let mut items = Vec::new();
    // what is sampled so is known in all that the theory says
    for item in document.items {
        match item {
            Item::Sample(sample) => {
                let sample = Place::of(library, &theory).sample(sample).map_err(statement)?;
                theory.samples.push(sample);
            }
            other => items.push(other),
        }
    }
    let mut seen: FxHashSet<Name> = FxHashSet::default();
    let mut lines = Vec::new();
    for item in items {
        say_item(library, item, &mut theory, &mut seen, &mut lines).map_err(statement)?;
    }
    // these may speak of what comes after them
    for line in lines {
        say_line(line, &mut theory, &seen).map_err(statement)?;
    }
    Ok(theory)
}

fn say_item(
    library: &Library,
    item: Item,
    theory: &mut Theory,
    seen: &mut FxHashSet<Name>,
    lines: &mut Vec<Item>,
) -> Result<(), StatementError> {
    let module = theory.name.clone();
    let mut fresh = |name: &Identifier| {
        if seen.insert(name.name.clone()) {
            return Ok(());
        }
        let (name, span) = (name.name.to_string(), name.span);
        Err(TypeError::DefinedTwice { name, module: module.clone(), span })
    };
    match item {
        Item::Claim(claim) => {
            fresh(&claim.name)?;
            let claim = Place::of(library, theory).claim(claim)?;
            theory.claims.push(claim);
        }
        Item::Law(law) => {
            fresh(&law.name)?;
            let law = Place::of(library, theory).law(law)?;
            theory.laws.push(law);
        }
        Item::Model(_) | Item::Refute(_) => lines.push(item),
        Item::Type(_) | Item::Let(..) | Item::Sample(_) => {}
    }
    Ok(())
}

fn say_line(line: Item, theory: &mut Theory, seen: &FxHashSet<Name>) -> Result<(), StatementError> {
    let all = |names: Vec<Identifier>| -> Result<Vec<Name>, StatementError> {
        if let Some(Identifier { name, span }) = names.iter().find(|name| !seen.contains(&name.name)) {
            let known = seen.iter().map(ToString::to_string).collect();
            return Err(StatementError::Missing { name: name.clone(), known, span: *span });
        }
        Ok(names.into_iter().map(|name| name.name).collect())
    };
    match line {
        Item::Model(ModelDraft { model, except, because }) => {
            if meaning::named(&model.name).is_none_or(|meaning| !meaning.encloses()) {
                let enclosing = meaning::all().iter().filter(|meaning| meaning.encloses());
                let known = enclosing.map(|meaning| meaning.name().to_owned()).collect();
                return Err(StatementError::Model { name: model.name, known, span: model.span });
            }
            theory.models.push(ModelLine { model: model.name, except: all(except)?, because });
        }
        Item::Refute(RefuteDraft { mutant, by }) => {
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
