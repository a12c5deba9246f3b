//! Export of the definitions of a session as the text of a theory.
//!
//! The text has the definitions that a later session can see, and those that they use. A definition that a later one
//! hides, and `ans`, are written under new names, `f_1`, if a kept definition uses them. Their uses are renamed at
//! their positions.

use super::compile::{ANSWER_NAME, DefinitionKind, Definitions, SESSION_MODULE, SessionDefinition};
use crate::syntax::data::fold_name;
use crate::syntax::lexer::{Lexer, Token};
use crate::syntax::library::Library;
use crate::syntax::name::Name;
use crate::syntax::parser::{PromptInput, parse_input};
use crate::syntax::source::Span;
use crate::syntax::surface::TypeDeclaration;
use crate::syntax::term::{Definition, Term, TermKind};
use rustc_hash::FxHashSet;
use std::sync::Arc;

/// The first line of every exported theory.
pub const FIRST_LINE: &str = "! The definitions of a session.";

/// The definitions of a session as a theory.
#[derive(Clone, Debug)]
pub struct SavedTheory {
    /// The text.
    pub text: String,
    /// The definitions in it, each with its name there.
    pub definitions: Vec<(Name, SessionDefinition)>,
}

/// The names that one definition uses.
struct DefinitionUses {
    /// Uses of the session's definitions: the index of the definition, the index of the name in it, and the range of
    /// the use.
    own: Vec<(usize, usize, Span)>,
    /// The modules of theories that it uses.
    modules: FxHashSet<Name>,
}

/// Writes the definitions of a session as a theory named `name`.
#[must_use]
pub fn export_theory(name: &str, definitions: &Definitions, library: &Library) -> SavedTheory {
    let entries = definitions.entries();
    let uses: Vec<DefinitionUses> = (0..entries.len()).map(|index| find_uses(entries, index, library)).collect();
    let kept: Vec<Vec<bool>> = (0..entries.len())
        .map(|index| match entries[index].content {
            DefinitionKind::Answer(_) => vec![false],
            _ => {
                let mut visible = definitions.visible_names(index);
                // A fold has the name that its type gives it, so both are kept or both renamed.
                if let Some((_, place)) = entries[index].fold() {
                    visible[0] &= visible[place];
                }
                visible
            }
        })
        .collect();
    let mut needed: Vec<bool> = kept.iter().map(|kept| kept.contains(&true)).collect();
    // Backwards: a definition uses only earlier ones, so one pass marks all that is needed.
    for index in (0..entries.len()).rev() {
        if needed[index] {
            uses[index].own.iter().for_each(|&(used, _, _)| needed[used] = true);
        }
    }
    // New names avoid every word of every text, bound variables included: a new name cannot be captured.
    let mut taken = collect_words(entries);
    let mut named = |(name, &is_kept): ((&Name, bool), &bool)| {
        if is_kept { name.0.clone() } else { fresh_name(name.0, &mut taken) }
    };
    let mut names: Vec<Vec<Name>> = entries
        .iter()
        .zip(&kept)
        .map(|(entry, kept)| entry.defined_names().zip(kept).map(&mut named).collect())
        .collect();
    for (entry, names) in entries.iter().zip(&mut names) {
        if let Some((_, place)) = entry.fold() {
            names[place] = fold_name(&names[0]).into();
        }
    }
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
        text += &write_definition(&entries[index], &names, index, &uses[index].own);
        text.push('\n');
    }
    let definitions = chosen.into_iter().map(|index| (names[index][0].clone(), entries[index].clone())).collect();
    SavedTheory { text, definitions }
}

/// Writes a definition under its new name, with the new names of the definitions that it uses.
fn write_definition(
    entry: &SessionDefinition,
    names: &[Vec<Name>],
    index: usize,
    own: &[(usize, usize, Span)],
) -> String {
    let text = entry.source.text.trim();
    let offset = entry.source.text.find(text).unwrap_or(0);
    let mut edits: Vec<(Span, &str)> = own.iter().map(|&(used, which, span)| (span, &*names[used][which])).collect();
    // An `ans` was a bare expression: it becomes a `let`.
    let head = match &entry.content {
        DefinitionKind::Answer(_) => format!("let {} = ", names[index][0]),
        DefinitionKind::Value(definition) => {
            edits.push((definition.span, &names[index][0]));
            String::new()
        }
        // Its text is a comment: the reader of the theory has to define it.
        DefinitionKind::Foreign(_) => String::new(),
        DefinitionKind::Type(_) => {
            edits.extend(
                defined_name_spans(&entry.source.text).into_iter().zip(names[index].iter().map(|name| &**name)),
            );
            String::new()
        }
    };
    // Sorted and distinct, since a use may be found both in the term and among the words.
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

/// Returns the ranges of the names that a `type` defines: the type, then its constructors.
fn defined_name_spans(text: &str) -> Vec<Span> {
    let Ok(PromptInput::Type(declaration)) = parse_input(text, &[]) else { return Vec::new() };
    let constructors = match &declaration {
        TypeDeclaration::Alias(_) => &[],
        TypeDeclaration::Data(declaration) => &declaration.constructors[..],
    };
    [declaration.name().span].into_iter().chain(constructors.iter().map(|(name, _)| name.span)).collect()
}

/// Lists the names that a definition uses: values by its term; types, constructors and modules by its words.
fn find_uses(entries: &[SessionDefinition], index: usize, library: &Library) -> DefinitionUses {
    let entry = &entries[index];
    let mut uses = DefinitionUses { own: Vec::new(), modules: FxHashSet::default() };
    if let Some(definition) = entry.definition() {
        visit_globals(&definition.term, &mut |global, span| {
            let is_it = |other: &SessionDefinition| other.definition().is_some_and(|other| Arc::ptr_eq(other, global));
            if &*global.module != SESSION_MODULE {
                uses.modules.insert(global.module.clone());
            } else if let Some(used) = entries[..index].iter().rposition(is_it) {
                uses.own.push((used, 0, span));
            } else {
                // The fold of a type is not a definition of an entry of its own: it is found through its type.
                let place = |other: &SessionDefinition| {
                    other.fold().filter(|(fold, _)| Arc::ptr_eq(fold, global)).map(|(_, at)| at)
                };
                let used = entries[..index].iter().enumerate().find_map(|(used, other)| Some((used, place(other)?)));
                uses.own.extend(used.map(|(used, place)| (used, place, span)));
            }
        });
    }
    let text = &entry.source.text;
    let bound: Vec<Name> = match parse_input(text, &[]) {
        Ok(PromptInput::Definition(declaration)) => declaration.type_parameters.into_iter().map(|p| p.name).collect(),
        Ok(PromptInput::Type(declaration)) => declaration.parameters().iter().map(|p| p.name.clone()).collect(),
        _ => Vec::new(),
    };
    let own = if entry.definition().is_none() { defined_name_spans(text) } else { Vec::new() };
    let free = |(word, span): &(&str, Span)| !bound.iter().any(|name| **name == **word) && !own.contains(span);
    for (word, span) in capital_words(text).filter(free) {
        // The term has a use of a value at this range already.
        if uses.own.iter().any(|&(_, _, known)| known == span) {
            continue;
        }
        // A type that mentions itself.
        if matches!(&entry.content, DefinitionKind::Type(alias) if alias.fold.is_some() && *alias.name == *word) {
            uses.own.push((index, 0, span));
            continue;
        }
        let which = |other: &SessionDefinition| match &other.content {
            DefinitionKind::Type(_) => other.defined_names().position(|(name, _)| **name == *word),
            _ => None,
        };
        let used = entries[..index].iter().enumerate().rev().find_map(|(used, other)| Some((used, which(other)?)));
        if let Some((used, which)) = used {
            uses.own.push((used, which, span));
            continue;
        }
        let theories = || library.modules().iter().filter(|module| &**module.name() != SESSION_MODULE);
        let constructs = |definition: &Arc<Definition>| definition.constructor.is_some();
        // A word that two theories define needs no module here: its text has the module before it, which is a word of
        // its own.
        let mut having = theories().filter(|module| {
            module.find_named_type(word).is_some() || module.find_definition(word).is_some_and(constructs)
        });
        match (theories().find(|module| &**module.name() == word), having.next(), having.next()) {
            (Some(module), ..) | (None, Some(module), None) => drop(uses.modules.insert(module.name().clone())),
            _ => {}
        }
    }
    uses
}

/// Lists the words of a text with a capital initial.
fn capital_words(text: &str) -> impl Iterator<Item = (&str, Span)> {
    list_lexemes(text).filter(|(token, _)| *token == Token::Upper).map(|(_, span)| (span.text_in(text), span))
}

fn list_lexemes(text: &str) -> impl Iterator<Item = (Token, Span)> {
    let mut lexer = Lexer::new(text);
    std::iter::from_fn(move || lexer.next_lexeme().ok())
        .map(|lexeme| (lexeme.token, lexeme.span))
        .take_while(|(token, _)| *token != Token::End)
}

/// Collects every name that occurs in some text.
fn collect_words(entries: &[SessionDefinition]) -> FxHashSet<String> {
    let mut words = FxHashSet::default();
    words.insert(ANSWER_NAME.to_owned());
    for entry in entries {
        let text = &entry.source.text;
        let names = list_lexemes(text).filter(|(token, _)| matches!(token, Token::Upper | Token::Lower));
        words.extend(names.map(|(_, span)| span.text_in(text).to_owned()));
    }
    words
}

/// Returns a new name like `name`, and marks it as taken.
fn fresh_name(name: &str, taken: &mut FxHashSet<String>) -> Name {
    let mut number = 1;
    loop {
        let candidate = format!("{name}_{number}");
        // The new name may be that of a type with a fold, whose name must be free too.
        if !taken.contains(&fold_name(&candidate)) && taken.insert(candidate.clone()) {
            return candidate.into();
        }
        number += 1;
    }
}

/// Visits every use of a definition in a term. Shared subterms are visited once.
fn visit_globals(term: &Term, visit: &mut impl FnMut(&Arc<Definition>, Span)) {
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
