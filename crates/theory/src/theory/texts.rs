//! Many texts of theories, each after those that it extends.

mod unread;

use super::Citation;
use super::format::{self, Document, Item};
use super::unreadable::TextError;
use crate::refs;
use crate::syntax::library::Library;
use crate::syntax::name::{Name, nearest};
use crate::syntax::source::{Source, Span};
use petgraph::Direction;
use petgraph::graph::{DiGraph, NodeIndex};
use rustc_hash::FxHashSet;
use std::sync::Arc;
use unread::Unread;

/// The texts of theories, and the library of their definitions.
#[derive(Clone, Debug, Default)]
pub struct Texts {
    library: Library,
    texts: Vec<Text>,
}

/// The text of a theory. Its definitions are a module of the library under its name.
#[derive(Clone, Debug)]
pub struct Text {
    /// The name.
    pub name: Name,
    /// The theories that it extends, as declared.
    pub extends: Vec<Name>,
    /// The text itself.
    pub source: Arc<Source>,
}

impl Text {
    /// The text, read again: what was read of it before is not kept.
    ///
    /// # Errors
    /// The first place that is wrong.
    pub fn document(&self) -> Result<Document, TextError> {
        format::parse(&self.source.text).map_err(|error| TextError::program(&self.source, error))
    }
}

/// A theory that was parsed, and is still to be typed.
struct Draft {
    document: Document,
    source: Arc<Source>,
}

impl Texts {
    /// No theories.
    pub fn new() -> Texts {
        Texts::default()
    }

    /// Theories of which each is read when one of its names is asked for, given after those that it extends: theories that are known
    /// to be right, such as those that come with the library.
    ///
    /// # Panics
    /// Where the header of one is wrong; and later, where the rest of one is.
    pub fn unread(sources: impl IntoIterator<Item = Source>) -> Texts {
        let mut texts = Texts::new();
        for source in sources {
            let unread = Arc::new(Unread::new(source, texts.clone()));
            texts.library.put_module(unread.module());
            texts.texts.push(unread.text.clone());
        }
        texts
    }

    /// The definitions.
    pub fn library(&self) -> &Library {
        &self.library
    }

    /// The texts, each after those that it extends.
    pub fn texts(&self) -> &[Text] {
        &self.texts
    }

    /// The text of the theory of a name.
    pub fn source(&self, name: &str) -> Option<&Arc<Source>> {
        self.texts.iter().find(|text| &*text.name == name).map(|text| &text.source)
    }

    /// Types the definitions of theories, which may extend each other, in any order, and those already here. What else the theories say
    /// is handed back as it is written: documents without definitions, in the order of their texts here.
    ///
    /// # Errors
    /// The first thing that is wrong, with its source. Then some may be defined and others not: define over a clone.
    pub fn define(&mut self, sources: impl IntoIterator<Item = Arc<Source>>) -> Result<Vec<Document>, TextError> {
        let mut drafts: Vec<Draft> = Vec::new();
        for source in sources {
            let document = format::parse(&source.text).map_err(|error| TextError::program(&source, error))?;
            let name = &document.name;
            let loaded = self.source(&name.name);
            let drafted = drafts.iter().find(|draft| draft.document.name.name == name.name).map(|draft| &draft.source);
            if let Some(first) = loaded.or(drafted) {
                let first = first.name.clone();
                return Err(TextError::Twice { name: name.name.clone(), first, span: name.span, source_text: source });
            }
            drafts.push(Draft { document, source });
        }
        let order = self.order(&drafts)?;
        let mut drafts: Vec<Option<Draft>> = drafts.into_iter().map(Some).collect();
        order.into_iter().filter_map(|index| drafts[index].take()).map(|draft| self.add(draft)).collect()
    }

    /// An order in which each theory comes after those that it extends, and otherwise as they were given.
    fn order(&self, drafts: &[Draft]) -> Result<Vec<usize>, TextError> {
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

    fn unknown(&self, drafts: &[Draft], draft: &Draft, name: &Name, span: Span) -> TextError {
        let loaded = self.texts.iter().map(|text| &*text.name);
        let drafted = drafts.iter().map(|draft| &*draft.document.name.name);
        let suggestion = nearest(name, loaded.chain(drafted)).map(Name::from);
        TextError::Unknown { name: name.clone(), suggestion, source_text: draft.source.clone(), span }
    }

    /// Types the definitions of one theory; those that it extends are here. They are taken out of its document.
    fn add(&mut self, draft: Draft) -> Result<Document, TextError> {
        let Draft { mut document, source } = draft;
        let mut seen: FxHashSet<Name> = FxHashSet::default();
        let above = document.extends.iter().map(|above| above.name.clone());
        let extends: Vec<Name> = above.filter(|name| seen.insert(name.clone())).collect();
        let unknown = |citation: &&Citation| refs::lookup(&citation.key).is_none();
        if let Some(Citation { key, span, .. }) = document.citations.iter().find(unknown) {
            return Err(TextError::Citation { key: key.clone(), source_text: source.clone(), span: *span });
        }
        let name = document.name.name.clone();
        self.library.add_module(name.clone(), extends.clone());
        let mut said = Vec::new();
        for item in document.items {
            match item {
                Item::Type(declaration) => self.library.define_type(&name, &source.text, &declaration),
                Item::Let(declaration, doc) => self.library.define(&name, &source.text, &declaration, &doc).map(drop),
                Item::Sample(_) | Item::Claim(_) | Item::Law(_) | Item::Model(_) | Item::Refute(_) => {
                    said.push(item);
                    Ok(())
                }
            }
            .map_err(|error| TextError::program(&source, error))?;
        }
        document.items = said;
        self.texts.push(Text { name, extends, source });
        Ok(document)
    }
}

/// A circle through theories that one belongs to, from each to one that it extends, the first of them first.
fn circle(graph: &DiGraph<usize, Span>, drafts: &[Draft], member: NodeIndex) -> TextError {
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
    TextError::Cycle { path: names, source_text: drafts[graph[last]].source.clone(), span }
}
