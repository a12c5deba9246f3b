//! Many theories, each loaded after those that it extends.

mod unread;

use super::elaborate::Place;
use super::error::{StatementError, TheoryError};
use super::format::statement::parse_law;
use super::format::{self, Document, Item, ModelDraft, RefuteDraft};
use super::law::Sample;
use super::{Citation, ModelLine, RefuteLine, Theory};
use crate::meaning;
use crate::refs;
use crate::syntax::library::{Error, Library};
use crate::syntax::name::{Name, nearest};
use crate::syntax::source::{Source, Span};
use crate::syntax::surface::Identifier;
use crate::syntax::type_error::TypeError;
use crate::wrong::Mutation;
use petgraph::Direction;
use petgraph::graph::{DiGraph, NodeIndex};
use rustc_hash::FxHashSet;
use std::sync::{Arc, OnceLock};
use unread::Unread;

/// Theories, and the library of their definitions.
///
/// Those that come with the library are read when somebody asks: a program needs few of their definitions, and
/// none of what they say.
#[derive(Clone, Debug, Default)]
pub struct Theories {
    library: Library,
    entries: Vec<Entry>,
    /// What the unread theories say is typed over this: the definitions that came with them, whatever was loaded since.
    over: Library,
    /// The theories with all that they say.
    said: OnceLock<Vec<Theory>>,
}

/// A theory, as far as it has been read.
#[derive(Clone, Debug)]
enum Entry {
    Read(Box<Theory>),
    Unread(Arc<Unread>),
}

impl Entry {
    fn name(&self) -> &Name {
        match self {
            Entry::Read(theory) => &theory.name,
            Entry::Unread(unread) => &unread.name,
        }
    }

    fn source(&self) -> &Arc<Source> {
        match self {
            Entry::Read(theory) => &theory.source,
            Entry::Unread(unread) => &unread.source,
        }
    }

    /// The samplers that it makes, or has from those that it extends.
    fn samples(&self) -> &[Sample] {
        match self {
            Entry::Read(theory) => &theory.samples,
            Entry::Unread(unread) => &unread.defined().samples,
        }
    }
}

/// A theory that was parsed, and is still to be typed.
struct Draft {
    document: Document,
    source: Arc<Source>,
}

/// Which theory, and what it says, still to be typed.
type Unsaid = (usize, Vec<Item>);

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
    ///
    /// # Panics
    /// Where a theory that comes with the library is wrong; a test asks for all of these.
    pub fn theories(&self) -> &[Theory] {
        self.said.get_or_init(|| {
            let said = |entry: &Entry| match entry {
                Entry::Read(theory) => Theory::clone(theory),
                Entry::Unread(unread) => unread.said(&self.over),
            };
            self.entries.iter().map(said).collect()
        })
    }

    /// Whether all that the theories say has been typed.
    pub fn are_typed(&self) -> bool {
        self.said.get().is_some() || !self.entries.iter().any(|entry| matches!(entry, Entry::Unread(_)))
    }

    /// The theory of a name.
    pub fn theory(&self, name: &str) -> Option<&Theory> {
        self.theories().iter().find(|theory| &*theory.name == name)
    }

    /// The text of the theory of a name.
    pub fn source(&self, name: &str) -> Option<&Arc<Source>> {
        self.entries.iter().find(|entry| &**entry.name() == name).map(Entry::source)
    }

    /// Loads theories, which may extend each other, in any order, and those already loaded.
    ///
    /// # Errors
    /// The first thing that is wrong, with its source; then nothing is loaded.
    pub fn load(&mut self, sources: impl IntoIterator<Item = Source>) -> Result<(), TheoryError> {
        let mut next = self.clone();
        for (index, items) in next.define(sources.into_iter().map(Arc::new))? {
            if let Entry::Read(theory) = &mut next.entries[index] {
                say(&next.library, theory, items)?;
            }
        }
        *self = Theories { said: OnceLock::new(), ..next };
        Ok(())
    }

    /// Theories that come with the library, each after those that it extends.
    ///
    /// # Panics
    /// Where the header of one is wrong.
    pub(super) fn unread(sources: impl IntoIterator<Item = Source>) -> Theories {
        let mut theories = Theories::new();
        for source in sources {
            let unread = Arc::new(Unread::new(source, theories.clone()));
            theories.library.put_module(unread.module());
            theories.entries.push(Entry::Unread(unread));
        }
        theories.over = theories.library.clone();
        theories
    }

    /// Types the definitions of theories, which may extend each other, in any order; what they say is handed back.
    fn define(&mut self, sources: impl IntoIterator<Item = Arc<Source>>) -> Result<Vec<Unsaid>, TheoryError> {
        let mut drafts: Vec<Draft> = Vec::new();
        for source in sources {
            let document = format::parse(&source.text).map_err(|error| program(&source, error))?;
            let name = &document.name;
            let loaded = self.source(&name.name);
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
        let order = self.order(&drafts)?;
        let mut drafts: Vec<Option<Draft>> = drafts.into_iter().map(Some).collect();
        order.into_iter().filter_map(|index| drafts[index].take()).map(|draft| self.add(draft)).collect()
    }

    /// An order in which each theory comes after those that it extends, and otherwise as they were given.
    fn order(&self, drafts: &[Draft]) -> Result<Vec<usize>, TheoryError> {
        let mut graph: DiGraph<usize, Span> = DiGraph::new();
        // the order that is found for nodes without edges is the reverse of theirs
        let mut nodes: Vec<NodeIndex> = (0..drafts.len()).rev().map(|index| graph.add_node(index)).collect();
        nodes.reverse();
        for (index, draft) in drafts.iter().enumerate() {
            for above in &draft.document.extends {
                match drafts.iter().position(|other| other.document.name.name == above.name) {
                    Some(target) => drop(graph.add_edge(nodes[target], nodes[index], above.span)),
                    None if self.source(&above.name).is_some() => {}
                    None => return Err(self.unknown(drafts, draft, &above.name, above.span)),
                }
            }
        }
        match petgraph::algo::toposort(&graph, None) {
            Ok(order) => Ok(order.into_iter().map(|node| graph[node]).collect()),
            Err(cycle) => Err(circle(&graph, drafts, cycle.node_id())),
        }
    }

    fn unknown(&self, drafts: &[Draft], draft: &Draft, name: &Name, span: Span) -> TheoryError {
        let loaded = self.entries.iter().map(|entry| &**entry.name());
        let drafted = drafts.iter().map(|draft| &*draft.document.name.name);
        let suggestion = nearest(name, loaded.chain(drafted)).map(Name::from);
        TheoryError::Unknown { name: name.clone(), suggestion, source_text: draft.source.clone(), span }
    }

    /// Types the definitions of one theory; those that it extends are loaded.
    fn add(&mut self, draft: Draft) -> Result<Unsaid, TheoryError> {
        let Draft { document, source } = draft;
        let mut seen: FxHashSet<Name> = FxHashSet::default();
        let above = document.extends.iter().map(|above| above.name.clone());
        let extends: Vec<Name> = above.filter(|name| seen.insert(name.clone())).collect();
        let known = |citation: &&Citation| refs::lookup(&citation.key).is_none();
        if let Some(Citation { key, span, .. }) = document.citations.iter().find(known) {
            return Err(statement(&source, StatementError::Citation { key: key.clone(), span: *span }));
        }
        self.library.add_module(document.name.name.clone(), extends.clone());
        let mut theory = Theory {
            samples: self.samples_of(&extends),
            extends,
            citations: document.citations,
            about: document.about,
            ..Theory::empty(document.name.name, source.clone())
        };
        let mut items = Vec::new();
        for item in document.items {
            let unsaid = self.defined(item, &mut theory).map_err(|error| statement(&source, error))?;
            items.extend(unsaid);
        }
        let index = self.entries.len();
        self.entries.push(Entry::Read(Box::new(theory)));
        Ok((index, items))
    }

    /// Types a definition; what is none is handed back.
    fn defined(&mut self, item: Item, theory: &mut Theory) -> Result<Option<Item>, StatementError> {
        let text = &theory.source.text;
        match item {
            Item::Type(declaration) => self.library.define_type(&theory.name, text, &declaration)?,
            Item::Let(declaration, doc) => drop(self.library.define(&theory.name, text, &declaration, &doc)?),
            Item::Sample(sample) => {
                let sample = place(&self.library, theory).sample(sample)?;
                theory.samples.push(sample);
            }
            Item::Claim(_) | Item::Law(_) | Item::Model(_) | Item::Refute(_) => return Ok(Some(item)),
        }
        Ok(None)
    }

    /// A law that stands alone, `(x : Real) : e ~ f where …`, over a library that may have more modules than these theories;
    /// names are those that are seen in `module`. It is the one law of a theory of that name.
    ///
    /// # Errors
    /// The first thing that is wrong with it.
    pub fn alone(&self, library: &Library, module: &str, source: Source) -> Result<Theory, TheoryError> {
        let source = Arc::new(source);
        let draft = parse_law("it", &source.text).map_err(|error| program(&source, error))?;
        let names: Vec<Name> = self.entries.iter().map(|entry| entry.name().clone()).collect();
        let mut theory = Theory { samples: self.samples_of(&names), ..Theory::empty(module.into(), source.clone()) };
        let place = Place { library, module: &theory.name, source: &source, samples: &theory.samples };
        let law = place.law(draft).map_err(|error| statement(&source, error))?;
        theory.laws.push(law);
        Ok(theory)
    }

    /// The samplers of the theories of these names.
    fn samples_of(&self, names: &[Name]) -> Vec<Sample> {
        let mut found: Vec<Sample> = Vec::new();
        let named = self.entries.iter().filter(|entry| names.contains(entry.name()));
        for sample in named.flat_map(Entry::samples) {
            if !found.iter().any(|other| Arc::ptr_eq(&other.sampler, &sample.sampler)) {
                found.push(sample.clone());
            }
        }
        found
    }
}

fn place<'t>(library: &'t Library, theory: &'t Theory) -> Place<'t> {
    let Theory { name, source, samples, .. } = theory;
    Place { library, module: name, source, samples }
}

/// Types what a theory says.
fn say(library: &Library, theory: &mut Theory, items: Vec<Item>) -> Result<(), TheoryError> {
    let source = theory.source.clone();
    let mut seen: FxHashSet<Name> = FxHashSet::default();
    let mut lines = Vec::new();
    for item in items {
        say_item(library, item, theory, &mut seen, &mut lines).map_err(|error| statement(&source, error))?;
    }
    // these may speak of what comes after them
    for line in lines {
        say_line(line, theory, &seen).map_err(|error| statement(&source, error))?;
    }
    Ok(())
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
            let claim = place(library, theory).claim(claim)?;
            theory.claims.push(claim);
        }
        Item::Law(law) => {
            fresh(&law.name)?;
            let law = place(library, theory).law(law)?;
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

/// A circle through theories that one belongs to, from each to one that it extends, the first of them first.
fn circle(graph: &DiGraph<usize, Span>, drafts: &[Draft], member: NodeIndex) -> TheoryError {
    let circles = petgraph::algo::tarjan_scc(graph);
    let of_member = circles.iter().find(|nodes| nodes.contains(&member));
    let start = of_member.and_then(|nodes| nodes.iter().copied().min_by_key(|node| graph[*node])).unwrap_or(member);
    let mut path = vec![start];
    loop {
        let last = path[path.len() - 1];
        let extended = graph.neighbors_directed(last, Direction::Incoming);
        let leads_back = |next: &NodeIndex| petgraph::algo::has_path_connecting(graph, start, *next, None);
        let mut fitting: Vec<NodeIndex> = extended.filter(leads_back).collect();
        fitting.sort_unstable_by_key(|node| (*node != start, graph[*node]));
        match fitting.into_iter().find(|next| *next == start || !path.contains(next)) {
            Some(next) if next != start => path.push(next),
            _ => break,
        }
    }
    let last = path[path.len() - 1];
    path.push(start);
    let span = graph.find_edge(start, last).and_then(|edge| graph.edge_weight(edge)).copied().unwrap_or_default();
    let names = path.iter().map(|&node| drafts[graph[node]].document.name.name.clone()).collect();
    TheoryError::Cycle { path: names, source_text: drafts[graph[last]].source.clone(), span }
}

fn statement(source: &Arc<Source>, error: StatementError) -> TheoryError {
    match error {
        StatementError::Program(error) => program(source, error),
        error => TheoryError::Statement { source_text: source.clone(), error: Box::new(error) },
    }
}

fn program(source: &Arc<Source>, error: impl Into<Error>) -> TheoryError {
    TheoryError::Program { source_text: source.clone(), error: Box::new(error.into()) }
}
