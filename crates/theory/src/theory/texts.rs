//! A collection of theories, each after those that it extends, and the library of their definitions.
//!
//! # Lazy theories
//!
//! Each is parsed and typed when one of its names is first looked up.
//!
//! A program uses few theories of the standard library, and reading all of them takes longer than answering most
//! questions.
//!
//! # The errors of the text of a theory

use super::format::{TheoryDocument, TheoryItem};
use super::{Citation, format};
use crate::refs;
use crate::syntax::library::{Library, Module, ProgramError};
use crate::syntax::name::{Name, nearest_name};
use crate::syntax::source;
use crate::syntax::source::{SourceText, Span};
use crate::syntax::term::Definition;
use crate::theory::format::Header;
use petgraph::Direction;
use petgraph::graph::{DiGraph, NodeIndex};
use rustc_hash::FxHashSet;
use std::sync::{Arc, OnceLock};
use thiserror::Error;

/// A collection of theories, with the library of their definitions.
#[derive(Clone, Debug, Default)]
pub struct TheoryTexts {
    library: Library,
    texts: Vec<TheoryText>,
}

/// The text of a theory. Its definitions are the module of the library that has its name.
#[derive(Clone, Debug)]
pub struct TheoryText {
    /// The name of the theory.
    pub name: Name,
    /// The theories that this theory extends, as declared.
    pub extends: Vec<Name>,
    /// The source.
    pub source: Arc<SourceText>,
}

impl TheoryText {
    /// Parses the text again: the result of an earlier parse is not kept.
    ///
    /// # Errors
    /// A [`TextError`] at the first lexeme that does not fit.
    pub fn parse_document(&self) -> Result<TheoryDocument, TextError> {
        format::parse(&self.source.text).map_err(|error| TextError::from_program(&self.source, error))
    }
}

/// A theory that is parsed and not yet typed.
struct Draft {
    document: TheoryDocument,
    source: Arc<SourceText>,
}

impl TheoryTexts {
    /// Returns the empty collection.
    pub fn new() -> TheoryTexts {
        TheoryTexts::default()
    }

    /// Collects theories that are known to be right, such as those of the standard library. Each is parsed and typed
    /// when one of its names is first looked up. Every theory must come after those that it extends.
    ///
    /// # Panics
    /// Panics if the header of a theory is wrong. A lookup panics later if the rest is wrong.
    pub fn from_lazy_sources(sources: impl IntoIterator<Item = SourceText>) -> TheoryTexts {
        let mut texts = TheoryTexts::new();
        for source in sources {
            // the clone holds exactly the theories before this one, so a circle of lazy reads is impossible
            let unread = Arc::new(LazyTheory::new(source, texts.clone()));
            texts.library.insert_module(unread.lazy_module());
            texts.texts.push(unread.text.clone());
        }
        texts
    }

    /// Returns the library of the definitions.
    pub fn library(&self) -> &Library {
        &self.library
    }

    /// Returns the theories, each after those that it extends.
    pub fn texts(&self) -> &[TheoryText] {
        &self.texts
    }

    /// Returns the source of the theory `name`. Returns `None` if there is no such theory.
    pub fn source(&self, name: &str) -> Option<&Arc<SourceText>> {
        self.texts.iter().find(|text| &*text.name == name).map(|text| &text.source)
    }

    /// Adds a definition that no text has, such as that of a constant from outside, for theories that are defined later.
    pub fn insert_definition(&mut self, definition: Arc<Definition>) {
        self.library.insert_definition(definition);
    }

    /// Types the definitions of `sources`, which may extend each other, in any order, and the theories already here.
    /// Returns their documents in the order of dependence, without the definitions: only the statements remain in them.
    ///
    /// # Errors
    /// The first error, with its source. Some of the theories may then be defined and others not: define over a clone.
    pub fn define(
        &mut self,
        sources: impl IntoIterator<Item = Arc<SourceText>>,
    ) -> Result<Vec<TheoryDocument>, TextError> {
        let mut drafts: Vec<Draft> = Vec::new();
        for source in sources {
            let document = format::parse(&source.text).map_err(|error| TextError::from_program(&source, error))?;
            // a theory may neither repeat one that is here nor another one of the same call
            let name = &document.name;
            let loaded = self.source(&name.name);
            let drafted = drafts.iter().find(|draft| draft.document.name.name == name.name).map(|draft| &draft.source);
            if let Some(first) = loaded.or(drafted) {
                let first = first.name.clone();
                return Err(TextError::Twice { name: name.name.clone(), first, span: name.span, source_text: source });
            }
            drafts.push(Draft { document, source });
        }
        let order = self.dependency_order(&drafts)?;
        let mut drafts: Vec<Option<Draft>> = drafts.into_iter().map(Some).collect();
        order.into_iter().filter_map(|index| drafts[index].take()).map(|draft| self.add(draft)).collect()
    }

    /// Returns an order of the drafts in which each comes after those that it extends. Unrelated drafts keep the order
    /// in which they were given.
    fn dependency_order(&self, drafts: &[Draft]) -> Result<Vec<usize>, TextError> {
        let mut graph: DiGraph<usize, Span> = DiGraph::new();
        // petgraph's order of nodes without edges is the reverse of their insertion, hence `rev`
        let mut nodes: Vec<NodeIndex> = (0..drafts.len()).rev().map(|index| graph.add_node(index)).collect();
        nodes.reverse();
        for (index, draft) in drafts.iter().enumerate() {
            for above in &draft.document.extends {
                match drafts.iter().position(|other| other.document.name.name == above.name) {
                    Some(target) => drop(graph.add_edge(nodes[target], nodes[index], above.span)),
                    // a theory that is already typed puts no constraint on the order
                    None if self.source(&above.name).is_some() => {}
                    None => return Err(self.unknown_theory_error(drafts, draft, &above.name, above.span)),
                }
            }
        }
        match petgraph::algo::toposort(&graph, None) {
            Ok(order) => Ok(order.into_iter().map(|node| graph[node]).collect()),
            Err(cycle) => Err(cycle_error(&graph, drafts, cycle.node_id())),
        }
    }

    /// Makes the error for an extended theory that does not exist, with the nearest name as the suggestion.
    fn unknown_theory_error(&self, drafts: &[Draft], draft: &Draft, name: &Name, span: Span) -> TextError {
        let loaded = self.texts.iter().map(|text| &*text.name);
        let drafted = drafts.iter().map(|draft| &*draft.document.name.name);
        let suggestion = nearest_name(name, loaded.chain(drafted)).map(Name::from);
        TextError::Unknown { name: name.clone(), suggestion, source_text: draft.source.clone(), span }
    }

    /// Types the definitions of one theory and removes them from its document. The theories that it extends must be
    /// here.
    fn add(&mut self, draft: Draft) -> Result<TheoryDocument, TextError> {
        let Draft { mut document, source } = draft;
        // a theory extended twice counts once, or its names would be searched twice
        let mut seen: FxHashSet<Name> = FxHashSet::default();
        let above = document.extends.iter().map(|above| above.name.clone());
        let extends: Vec<Name> = above.filter(|name| seen.insert(name.clone())).collect();
        // checked before anything is defined, so that a wrong citation leaves the library as it was
        let unknown = |citation: &&Citation| refs::find_by_key(&citation.key).is_none();
        if let Some(Citation { key, span, .. }) = document.citations.iter().find(unknown) {
            return Err(TextError::Citation { key: key.clone(), source_text: source.clone(), span: *span });
        }
        let name = document.name.name.clone();
        self.library.add_module(name.clone(), extends.clone());
        let mut said = Vec::new();
        for item in document.items {
            match item {
                TheoryItem::Type(declaration) => self.library.define_type(&name, &source.text, &declaration),
                TheoryItem::Let(declaration, doc) => {
                    self.library.define(&name, &source.text, &declaration, &doc).map(drop)
                }
                TheoryItem::Sample(_)
                | TheoryItem::Claim(_)
                | TheoryItem::Law(_)
                | TheoryItem::Model(_)
                | TheoryItem::Refute(_) => {
                    said.push(item);
                    Ok(())
                }
            }
            .map_err(|error| TextError::from_program(&source, error))?;
        }
        document.items = said;
        self.texts.push(TheoryText { name, extends, source });
        Ok(document)
    }
}

/// Makes the error for a circle of theories. Its path begins at the first of them in the order given, and leads from
/// each theory to one that it extends.
fn cycle_error(graph: &DiGraph<usize, Span>, drafts: &[Draft], member: NodeIndex) -> TextError {
    // the circle lies in the strongly connected component of `member`; starting at its first theory makes the message
    // deterministic
    let circles = petgraph::algo::tarjan_scc(graph);
    let of_member = circles.iter().find(|nodes| nodes.contains(&member));
    let start = of_member.and_then(|nodes| nodes.iter().copied().min_by_key(|node| graph[*node])).unwrap_or(member);
    let mut path = vec![start];
    loop {
        let last = path[path.len() - 1];
        let extended = graph.neighbors_directed(last, Direction::Incoming);
        // edges point from the extended theory to the extending one, so a path from `start` to `next` is a way back
        let leads_back = |next: &NodeIndex| petgraph::algo::has_path_connecting(graph, start, *next, None);
        let mut fitting: Vec<NodeIndex> = extended.filter(leads_back).collect();
        // closing the circle comes first: the path stays short
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
    TextError::Cycle { path: names, source_text: drafts[graph[last]].source.clone(), span }
}

/// A theory of which only the header is parsed.
struct LazyTheory {
    /// The name, the source and the extended theories.
    text: TheoryText,
    /// The theories before this one, which are those that it may extend.
    before: TheoryTexts,
    /// The module, once the theory is read.
    lazy_module: OnceLock<Module>,
}

impl LazyTheory {
    /// Parses the header of a theory that is known to be right.
    fn new(source: SourceText, before: TheoryTexts) -> LazyTheory {
        let source = Arc::new(source);
        let header = format::parse_header(&source.text).map_err(|error| TextError::from_program(&source, error));
        let Header { name, extends } = expect_correct(header);
        let extends = extends.into_iter().map(|above| above.name).collect();
        LazyTheory { text: TheoryText { name: name.name, source, extends }, before, lazy_module: OnceLock::new() }
    }

    /// Returns the lazy module of the theory. The first lookup of one of its names reads the theory.
    fn lazy_module(self: &Arc<LazyTheory>) -> Module {
        let unread = self.clone();
        let TheoryText { name, extends, source } = &self.text;
        Module::new_lazy(name.clone(), extends.clone(), format::announced_names(&source.text), move || {
            unread.read().clone()
        })
    }

    /// Parses and types the theory at the first call. Returns its module.
    fn read(&self) -> &Module {
        self.lazy_module.get_or_init(|| {
            // defined over a clone: readers on other threads keep the collection that they have
            let mut texts = self.before.clone();
            expect_correct(texts.define([self.text.source.clone()]));
            let module = texts.library.module(&self.text.name);
            module.unwrap_or_else(|| unreachable!("`{}` was read just now", self.text.name)).clone()
        })
    }
}

/// Unwraps the result of reading a theory that is known to be right. Panics with the rendered error otherwise.
fn expect_correct<T>(result: Result<T, TextError>) -> T {
    result.unwrap_or_else(|error| unreachable!("{}", error.render()))
}

/// An error in the text of a theory: its syntax, names, types, citations or extended theories.
#[derive(Clone, Debug, Error, PartialEq, Eq)]
#[non_exhaustive]
pub enum TextError {
    /// An error of syntax, scope or type.
    #[error("{error}")]
    Program {
        /// The source of the theory.
        source_text: Arc<SourceText>,
        /// The error inside it.
        error: Box<ProgramError>,
    },
    /// A citation of a key that is not in the bibliography.
    #[error("the bibliography has no text `{key}`")]
    Citation {
        /// The key that is cited.
        key: Name,
        /// The source of the theory.
        source_text: Arc<SourceText>,
        /// The place of the key.
        span: Span,
    },
    /// An extended theory that does not exist.
    #[error("there is no theory `{name}`")]
    Unknown {
        /// The name that is unknown.
        name: Name,
        /// The theory of the nearest name; `None` if no name is near.
        suggestion: Option<Name>,
        /// The source of the theory that extends it.
        source_text: Arc<SourceText>,
        /// The place of the unknown name.
        span: Span,
    },
    /// Two theories of the same name.
    #[error("the theory `{name}` is defined twice, in {first} and here")]
    Twice {
        /// The name that they share.
        name: Name,
        /// The file name of the first source.
        first: String,
        /// The source of the second theory.
        source_text: Arc<SourceText>,
        /// The place of the name in the second source.
        span: Span,
    },
    /// Theories that extend each other in a circle.
    #[error("theories extend each other in a circle: {}", path.join(" extends "))]
    Cycle {
        /// The names along the circle, with the first one repeated at the end.
        path: Vec<Name>,
        /// The source of the last theory before the repeated one, which closes the circle.
        source_text: Arc<SourceText>,
        /// The place where this theory extends the first one.
        span: Span,
    },
}

impl TextError {
    /// Makes the error of a program in the text of a theory.
    pub fn from_program(source: &Arc<SourceText>, error: impl Into<ProgramError>) -> Self {
        Self::Program { source_text: source.clone(), error: Box::new(error.into()) }
    }

    /// Renders the error with its place in the source.
    pub fn render(&self) -> String {
        match self {
            TextError::Program { source_text, error } => source::render_error(source_text, error),
            TextError::Citation { key, source_text, span } => {
                // the nearest key is the likely meaning; without one, the help states the form of a key
                let near = nearest_name(key, refs::ALL.iter().map(|reference| reference.key));
                let near = near.map(|near| format!("did you mean `{near}`?"));
                let help = near.unwrap_or_else(|| "texts are cited by authors and year, as in Sherman2021".to_owned());
                source::render_message(source_text, &self.to_string(), *span, Some(help))
            }
            TextError::Unknown { suggestion, source_text, span, .. } => {
                let help = suggestion.as_ref().map(|name| format!("did you mean `{name}`?"));
                source::render_message(source_text, &self.to_string(), *span, help)
            }
            TextError::Twice { source_text, span, .. } | TextError::Cycle { source_text, span, .. } => {
                source::render_message(source_text, &self.to_string(), *span, None)
            }
        }
    }
}
