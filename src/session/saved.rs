//! The definitions of a session as the text of a theory.
//!
//! The text has what a later session can see, and what that rests on. A definition that a later one hides, and `ans`,
//! are written under new names, `f_1`, where something still uses them; the uses are rewritten at their places.

use super::definitions::{ANSWER, Content, Definitions, Entry, MODULE};
use crate::syntax::lexer::Lexer;
use crate::syntax::library::Library;
use crate::syntax::name::Name;
use crate::syntax::parser::{Input, parse_input};
use crate::syntax::source::Span;
use crate::syntax::term::{Definition, Term, TermKind};
use crate::syntax::token::Token;
use rustc_hash::FxHashSet;
use std::sync::Arc;

/// The first line of every theory that is written here.
pub const FIRST_LINE: &str = "! The definitions of a session.";

/// The definitions of a session as a theory.
#[derive(Clone, Debug)]
pub struct Saved {
    /// The text.
    pub text: String,
    /// The definitions in it, each with the name that it has there.
    pub definitions: Vec<(Name, Entry)>,
}

/// What one definition uses.
struct Uses {
    /// The definitions of the session, by their place among them, and where they are used.
    own: Vec<(usize, Span)>,
    /// The modules of theories.
    modules: FxHashSet<Name>,
}

/// Writes the definitions as the theory of a name.
#[must_use]
pub fn theory(name: &str, definitions: &Definitions, library: &Library) -> Saved {
    let entries = definitions.entries();
    let uses: Vec<Uses> = (0..entries.len()).map(|index| uses(entries, index, library)).collect();
    let is_kept = |index: usize| !matches!(entries[index].content, Content::Answer(_)) && definitions.is_visible(index);
    let mut needed: Vec<bool> = (0..entries.len()).map(is_kept).collect();
    // Whatever is used was defined before.
    for index in (0..entries.len()).rev() {
        if needed[index] {
            uses[index].own.iter().for_each(|&(used, _)| needed[used] = true);
        }
    }
    let mut taken = words(entries);
    let names: Vec<Name> = (0..entries.len())
        .map(
            |index| {
                if is_kept(index) { entries[index].name().clone() } else { fresh(entries[index].name(), &mut taken) }
            },
        )
        .collect();
    let chosen: Vec<usize> = (0..entries.len()).filter(|&index| needed[index]).collect();
    let mut modules: Vec<&str> = library.modules().iter().map(|module| &**module.name()).collect();
    modules.retain(|module| chosen.iter().any(|&index| uses[index].modules.contains(*module)));
    let mut text = format!("{FIRST_LINE}\ntheory {name}");
    if !modules.is_empty() {
        text += &format!(" extends {}", modules.join(", "));
    }
    text.push('\n');
    for &index in &chosen {
        text.push('\n');
        text += &written(&entries[index], &names, index, &uses[index].own);
        text.push('\n');
    }
    let definitions = chosen.into_iter().map(|index| (names[index].clone(), entries[index].clone())).collect();
    Saved { text, definitions }
}

/// A definition under its new name, with the new names of what it uses.
fn written(entry: &Entry, names: &[Name], index: usize, own: &[(usize, Span)]) -> String {
    let text = entry.source.text.trim();
    let offset = entry.source.text.find(text).unwrap_or(0);
    let mut edits: Vec<(Span, &str)> = own.iter().map(|&(used, span)| (span, &*names[used])).collect();
    let head = match &entry.content {
        Content::Answer(_) => format!("let {} = ", names[index]),
        Content::Value(definition) => {
            edits.push((definition.span, &names[index]));
            String::new()
        }
        Content::Type(_) => {
            edits.extend(defined(&entry.source.text).map(|span| (span, &*names[index])));
            String::new()
        }
    };
    edits.sort_unstable();
    edits.dedup();
    let mut new = head;
    let mut at = offset;
    for (span, name) in edits {
        let (start, end) = (span.start as usize, span.end as usize);
        if let Some(before) = entry.source.text.get(at..start) {
            new += before;
            new += name;
            at = end;
        }
    }
    new + entry.source.text[at..].trim_end()
}

/// The place of the name that a `type` defines.
fn defined(text: &str) -> Option<Span> {
    match parse_input(text, &[]) {
        Ok(Input::Alias(declaration)) => Some(declaration.name.span),
        _ => None,
    }
}

/// What a definition uses: of values, by its term; of types and modules, by its words.
fn uses(entries: &[Entry], index: usize, library: &Library) -> Uses {
    let entry = &entries[index];
    let mut uses = Uses { own: Vec::new(), modules: FxHashSet::default() };
    if let Some(definition) = entry.definition() {
        globals(&definition.term, &mut |global, span| {
            let is_it = |other: &Entry| other.definition().is_some_and(|other| Arc::ptr_eq(other, global));
            if &*global.module != MODULE {
                uses.modules.insert(global.module.clone());
            } else if let Some(used) = entries[..index].iter().rposition(is_it) {
                uses.own.push((used, span));
            }
        });
    }
    let text = &entry.source.text;
    let bound: Vec<Name> = match parse_input(text, &[]) {
        Ok(Input::Definition(declaration)) => declaration.type_parameters.into_iter().map(|p| p.name).collect(),
        Ok(Input::Alias(declaration)) => {
            declaration.parameters.into_iter().chain([declaration.name]).map(|p| p.name).collect()
        }
        _ => Vec::new(),
    };
    for (word, span) in capitals(text).filter(|(word, _)| !bound.iter().any(|name| **name == **word)) {
        let is_it = |other: &Entry| matches!(&other.content, Content::Type(alias) if *alias.name == *word);
        if let Some(used) = entries[..index].iter().rposition(is_it) {
            uses.own.push((used, span));
            continue;
        }
        let theories = || library.modules().iter().filter(|module| &**module.name() != MODULE);
        let mut having = theories().filter(|module| module.alias(word).is_some());
        match (theories().find(|module| &**module.name() == word), having.next(), having.next()) {
            (Some(module), ..) | (None, Some(module), None) => drop(uses.modules.insert(module.name().clone())),
            _ => {}
        }
    }
    uses
}

/// The words of a text with a capital initial.
fn capitals(text: &str) -> impl Iterator<Item = (&str, Span)> {
    lexemes(text).filter(|(token, _)| *token == Token::Upper).map(|(_, span)| (span.of(text), span))
}

fn lexemes(text: &str) -> impl Iterator<Item = (Token, Span)> {
    let mut lexer = Lexer::new(text);
    std::iter::from_fn(move || lexer.next().ok())
        .map(|lexeme| (lexeme.token, lexeme.span))
        .take_while(|(token, _)| *token != Token::End)
}

/// Every name that some text mentions.
fn words(entries: &[Entry]) -> FxHashSet<String> {
    let mut words = FxHashSet::default();
    words.insert(ANSWER.to_owned());
    for entry in entries {
        let text = &entry.source.text;
        let names = lexemes(text).filter(|(token, _)| matches!(token, Token::Upper | Token::Lower));
        words.extend(names.map(|(_, span)| span.of(text).to_owned()));
    }
    words
}

/// A name like this one that nothing has.
fn fresh(name: &str, taken: &mut FxHashSet<String>) -> Name {
    let mut number = 1;
    loop {
        let candidate = format!("{name}_{number}");
        if taken.insert(candidate.clone()) {
            return candidate.into();
        }
        number += 1;
    }
}

/// Visits every use of a definition in a term. A term may share parts: each is visited once.
fn globals(term: &Term, visit: &mut impl FnMut(&Arc<Definition>, Span)) {
    let mut seen: FxHashSet<usize> = FxHashSet::default();
    let mut pending = vec![term];
    while let Some(term) = pending.pop() {
        if !seen.insert(term.address()) {
            continue;
        }
        if let TermKind::Global(definition) = term.kind() {
            visit(definition, term.span());
        }
        pending.extend(term.kind().children());
    }
}
