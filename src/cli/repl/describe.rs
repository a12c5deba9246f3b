//! Descriptions of names, for `:describe_for_info`, `:describe_for_doc` and `:list`.

use crate::cli::evaluator::TheorySession;
use crate::cli::reference;
use crate::cli::reference::example::{self, Example};
use crate::cli::workspace::names_in_scope;
use crate::session::Diagnostic;
use crate::session::definitions::{DefinitionKind, SESSION_MODULE};
use crate::syntax::constant::{self, Constant};
use crate::syntax::idiom;
use crate::syntax::library::{Module, NamedType};
use crate::syntax::name::{Name, nearest_name};
use crate::syntax::term::Definition;
use crate::theory::Theory;
use crate::theory::format::{self, TheoryItem};
use std::sync::Arc;

/// The words of the language that have a meaning but no type: the words, the meaning, and its source.
pub const WORDS: &[(&[&str], &str, &str)] = &[
    (&["λ", "\\"], "A function: \\x => e, or λ x : ℜ ⇒ e.", "S §3, Fig. 5"),
    (
        &["let", "in"],
        "Names a value, let f x = e in e; at the prompt without `in`, for the rest of the session.",
        "S §3",
    ),
    (&["rec"], "let rec f (n : Nat) = e: a function that may use itself.", "S §8.1"),
    (
        &["if", "then", "else"],
        "if c then a else b: a choice by a truth value; one that compares real numbers is undefined on its border.",
        "S §8.1",
    ),
    (
        &["match", "with"],
        "match e with Nothing => a | Just x => b: a choice by the constructor; of a list, [] => a | x :: rest => b.",
        "H §5.1",
    ),
    (
        &["type"],
        "Names a type, type Surface A = A -> Real, or declares one by its constructors, type Maybe A = Nothing | Just A.",
        "S §6, H §5.1",
    ),
    (&["List"], "List A is the type of lists, [a, b] or a :: rest.", "H §5.1"),
    (&["tt", "ff"], "The truth values.", "S §8.1"),
    (&["Real", "ℜ", "ℝ"], "The type of real numbers, values with all their derivatives.", "S §3, §5.1"),
    (&["Nat", "ℕ"], "The type of natural numbers.", "S §8.1"),
    (&["Bool", "𝔅", "𝔹"], "The type of truth values.", "S §8.1"),
    (&["Tan"], "Tan A is the type of tangents to A: a point with a direction.", "S §5.3"),
    (&["to", "from"], "The two maps of an isomorphism: i.to e, i.from e.", "S Fig. 2"),
    (&["ans"], "At the prompt: the expression that was answered last, not its enclosure.", "smoothish"),
];

/// One meaning of a name.
enum NameMeaning<'l> {
    Word(&'static str, &'static str),
    Constant(Constant),
    Value(Arc<Definition>),
    Type(&'l Module, Arc<NamedType>),
}

/// The example that illustrates a meaning.
enum Illustration {
    /// A program, which is evaluated.
    Question(String),
    /// An example from its theory.
    Definition(Arc<Definition>),
    Nothing,
}

impl Illustration {
    /// Chooses the example of a meaning.
    fn from_meaning(found: &NameMeaning<'_>) -> Self {
        match found {
            NameMeaning::Constant(constant) => constant.example().map_or(Self::Nothing, Self::Question),
            NameMeaning::Value(definition) => Self::Definition(definition.clone()),
            NameMeaning::Word(..) | NameMeaning::Type(..) => Self::Nothing,
        }
    }
}

impl NameMeaning<'_> {
    /// Returns the module of the definition. `None` for words and primitives.
    fn defining_module(&self) -> Option<Name> {
        match self {
            Self::Value(definition) => Some(definition.module.clone()),
            Self::Type(module, _) => Some(module.name().clone()),
            Self::Word(..) | Self::Constant(_) => None,
        }
    }
}

/// Finds all meanings of `name` or `Module.name`, the nearest scope first.
fn find_meanings<'l>(library: &'l TheorySession, name: &str) -> Vec<NameMeaning<'l>> {
    let modules = library.modules().modules();
    let (wanted, short) = match name.split_once('.') {
        Some((module, short)) if !short.is_empty() => (Some(module), short),
        _ => (None, name),
    };
    let mut found = Vec::new();
    // The session is the nearest scope.
    let own_first = modules.iter().filter(|m| &**m.name() == SESSION_MODULE);
    for module in own_first.chain(modules.iter().filter(|m| &**m.name() != SESSION_MODULE)) {
        if wanted.is_none_or(|wanted| wanted == &**module.name()) {
            found.extend(module.find_definition(short).cloned().map(NameMeaning::Value));
            found.extend(module.find_named_type(short).cloned().map(|alias| NameMeaning::Type(module, alias)));
        }
    }
    if wanted.is_none() {
        // Operators are listed in parentheses, but typed without.
        let constant = Constant::from_name(name).or_else(|| Constant::from_name(&format!("({name})")));
        found.extend(constant.map(NameMeaning::Constant));
        let word = WORDS.iter().find(|(names, ..)| names.contains(&name));
        found.extend(word.map(|&(_, about, source)| NameMeaning::Word(about, source)));
    }
    found
}

/// Returns the help for a name from another language. `None` if there is none.
fn foreign_name_help(name: &str) -> Option<String> {
    let help = idiom::advise_name(name).map(str::to_owned);
    help.or_else(|| constant::foreign_counterpart(name).map(|here| format!("did you mean {here}?")))
}

/// Returns the diagnostic of an unknown name. The help is the most specific that applies.
fn unknown_name(library: &TheorySession, name: &str) -> Diagnostic {
    let names = names_in_scope(library.modules());
    let words = WORDS.iter().flat_map(|(names, ..)| names.iter().copied());
    let modules = library.modules().modules().iter().map(|module| &**module.name());
    let near = || nearest_name(name, names.iter().map(|name| &**name).chain(words).chain(modules));
    let help = foreign_name_help(name);
    let help = help.or_else(|| {
        let (_, short) = name.rsplit_once('.')?;
        let is_known = !short.is_empty() && !find_meanings(library, short).is_empty();
        // Other languages prefix names with a module, as in `Math.sin`.
        is_known.then(|| format!("names stand without a prefix: did you mean `{short}`?"))
    });
    let help = help.or_else(|| near().map(|near| format!("did you mean `{near}`?")));
    // A free variable has no similar name worth suggesting.
    let is_letter = name.chars().count() == 1 && name.starts_with(char::is_alphabetic);
    let help = help.unwrap_or_else(|| match is_letter {
        true => format!("a letter means what a function binds it to, \\{name} => …, or let {name} = 2 in …"),
        false => "`smoothish doc` lists the names there are, :list NAME those of a theory at the prompt".to_owned(),
    });
    let help = format!("\n  = help: {help}");
    Diagnostic::invalid_input(format!("error: `{name}` is not known here{help}"))
}

/// Describes a name for `:describe_for_info`: type, module, and definition or origin. A name with several meanings has several
/// blocks.
///
/// # Errors
/// A [`Diagnostic`] for an unknown name, with the nearest known one.
pub fn describe_for_info(library: &TheorySession, name: &str) -> Result<String, Diagnostic> {
    if let Some(theory) = library.theories().find_theory(name) {
        return Ok(format_theory(theory));
    }
    let blocks: Vec<String> = find_meanings(library, name).iter().map(|found| format_info(library, found)).collect();
    if blocks.is_empty() { Err(unknown_name(library, name)) } else { Ok(blocks.join("\n")) }
}

/// Describes a name for `:describe_for_doc`: its type, its meaning with the source, and an example.
///
/// # Errors
/// A [`Diagnostic`] for an unknown name, with the nearest known one or its counterpart here.
pub fn describe_for_doc(library: &mut TheorySession, name: &str) -> Result<String, Diagnostic> {
    if let Some(theory) = library.theories().find_theory(name) {
        let about = if theory.summary.is_empty() { format!("theory {}", theory.name) } else { theory.summary.clone() };
        return Ok(format!("{about} [{}]", theory_origin(theory)));
    }
    let mut lines = Vec::new();
    let found = find_meanings(library, name);
    let homes: Vec<Name> = found.iter().filter_map(NameMeaning::defining_module).collect();
    let told: Vec<(String, Illustration)> =
        found.iter().map(|found| (format_doc(library, found), Illustration::from_meaning(found))).collect();
    for (text, shown) in told {
        lines.push(text);
        let example = match shown {
            Illustration::Question(question) => {
                let answer = reference::answer_example(library, &question)?;
                Some(Example { question, answer, model: None })
            }
            Illustration::Definition(definition) => {
                example::find_example(library, &definition.module, &definition.name).ok()
            }
            Illustration::Nothing => None,
        };
        lines.extend(example.map(|example| format!("for example, {example}")));
    }
    // A defined name has the laws of its own theories only. A name from another language has none.
    let is_defined = !lines.is_empty();
    if is_defined || foreign_name_help(name).is_none() {
        lines.extend(list_statements(library, name, |theory| {
            !is_defined || homes.iter().any(|home| **home == *theory.name)
        }));
    }
    if lines.is_empty() { Err(unknown_name(library, name)) } else { Ok(lines.join("\n")) }
}

/// Lists the laws and claims of this name, in the theories that `is_meant` accepts: statement, reason and source.
fn list_statements(library: &TheorySession, name: &str, is_meant: impl Fn(&Theory) -> bool) -> Vec<String> {
    let (wanted, short) = match name.split_once('.') {
        Some((theory, short)) => (Some(theory), short),
        None => (None, name),
    };
    let theories = library.theories().theories().iter();
    let of = |theory: &Theory| {
        let claims = theory.claims.iter().map(|claim| ("claim", &claim.name, claim.span, Some(&claim.because)));
        let laws = theory.laws.iter().map(|law| ("law", &law.name, law.span, law.because.as_ref()));
        let found = claims.chain(laws).filter(|(_, name, ..)| ***name == *short);
        let told = found.map(|(kind, name, span, because)| {
            let text: Vec<&str> = span.text_in(&theory.source.text).split_whitespace().collect();
            let because = because.map_or_else(String::new, |because| format!(", because {because}"));
            format!("{kind} {name} : {}{because} [{}, {}]", text.join(" "), theory.name, theory_origin(theory))
        });
        told.collect::<Vec<_>>()
    };
    theories
        .filter(|theory| wanted.is_none_or(|wanted| wanted == &*theory.name))
        .filter(|theory| is_meant(theory))
        .flat_map(of)
        .collect()
}

/// Formats one meaning for `:describe_for_doc`.
fn format_doc(library: &TheorySession, found: &NameMeaning<'_>) -> String {
    match found {
        NameMeaning::Word(about, source) => format!("{about} [{source}]"),
        NameMeaning::Constant(constant) => {
            let (name, ty) = (constant.name(), constant.scheme());
            format!("{name} : {ty}\n{} [{}]", constant.summary(), constant.source())
        }
        NameMeaning::Value(definition) => {
            let place = module_origin(library, &definition.module);
            match definition.doc.split_whitespace().collect::<Vec<_>>().join(" ") {
                none if none.is_empty() => format!("{} [{place}]", format_definition(definition)),
                doc => format!("{}\n{doc} [{place}]", format_definition(definition)),
            }
        }
        NameMeaning::Type(module, alias) => format!("{} [{}]", alias, module_origin(library, module.name())),
    }
}

/// Formats one meaning for `:describe_for_info`.
fn format_info(library: &TheorySession, found: &NameMeaning<'_>) -> String {
    match found {
        NameMeaning::Word(about, source) => format!("a word of the language, {source}\n{about}"),
        NameMeaning::Constant(constant) => format!(
            "{} : {}\na primitive of the language, {}\n{}",
            constant.name(),
            constant.scheme(),
            constant.source(),
            constant.summary()
        ),
        NameMeaning::Value(definition) => {
            let head = format_definition(definition);
            let text = item_text(library, &definition.module, |item| match item {
                TheoryItem::Let(declaration, _) if declaration.name.span == definition.span => {
                    Some((definition.span.start, declaration.value.span.end, "let"))
                }
                _ => None,
            });
            // A constructor is shown by the declaration of its type. A definition of the session keeps its own text.
            let text = match (&definition.constructor, library.definitions().source_of(definition)) {
                (Some(constructor), _) => Some(constructor.data().to_string()),
                (None, Some(source)) => Some(source.text.trim().to_owned()),
                (None, None) => text,
            };
            [Some(head), Some(module_origin(library, &definition.module)), text]
                .into_iter()
                .flatten()
                .collect::<Vec<_>>()
                .join("\n")
        }
        NameMeaning::Type(module, alias) => format!("{}\n{}", alias, module_origin(library, module.name())),
    }
}

/// Returns the text of an item of a theory: from the keyword before its name to its end. `None` if the item is not
/// found.
fn item_text(
    library: &TheorySession,
    module: &str,
    find: impl Fn(&TheoryItem) -> Option<(u32, u32, &'static str)>,
) -> Option<String> {
    let text = &library.theories().find_theory(module)?.source.text;
    let document = format::parse(text).ok()?;
    let (start, end, word) = document.items.iter().find_map(find)?;
    // The span begins at the name; the keyword is the nearest one before it.
    let start = text.get(..start as usize)?.rfind(word)?;
    Some(text.get(start..end as usize)?.to_owned())
}

/// Returns the name and the origin of a module.
fn module_origin(library: &TheorySession, module: &str) -> String {
    match library.theories().find_theory(module) {
        Some(theory) => format!("{module}, {}", theory_origin(theory)),
        None => "this session".to_owned(),
    }
}

/// Returns the file of a theory, and the works that it cites.
fn theory_origin(theory: &Theory) -> String {
    let cited: Vec<String> = theory.citations.iter().map(|cited| format!("{} {}", cited.key, cited.place)).collect();
    if cited.is_empty() { theory.source.name.clone() } else { format!("{}; {}", theory.source.name, cited.join("; ")) }
}

/// Formats a theory for `:describe_for_info`.
fn format_theory(theory: &Theory) -> String {
    let extends = match theory.extends.as_slice() {
        [] => String::new(),
        names => format!(" extends {}", names.join(", ")),
    };
    let claims = theory.claims.len();
    [format!("theory {}{extends}, {claims} claims", theory.name), theory_origin(theory), theory.summary.clone()]
        .into_iter()
        .filter(|line| !line.is_empty())
        .collect::<Vec<_>>()
        .join("\n")
}

/// Formats a definition with its type.
fn format_definition(definition: &Definition) -> String {
    format!("{} : {}", definition.name, definition.scheme)
}

/// Lists the definitions of the session and all modules, for `:list`; or the definitions of one module, with their
/// types.
///
/// # Errors
/// A [`Diagnostic`] for an unknown module, with the nearest known one.
pub fn list_definitions(library: &TheorySession, module: Option<&str>) -> Result<String, Diagnostic> {
    let modules = library.modules();
    let lines: Vec<String> = match module {
        None => {
            let definitions = library.definitions();
            let own = definitions.entries().iter().enumerate().filter(|&(index, _)| definitions.is_visible(index));
            let own = own.map(|(_, entry)| match &entry.content {
                DefinitionKind::Value(definition) | DefinitionKind::Answer(definition) => format_definition(definition),
                DefinitionKind::Type(alias) => alias.to_string(),
            });
            let theories = library.theories().theories().iter().map(|theory| {
                let count = modules.module(&theory.name).map_or(0, |m| m.definitions().len() + m.named_types().len());
                format!("{}: {count} definitions, {}", theory.name, theory.source.name)
            });
            own.chain(theories).chain([format!("language: {} primitives", Constant::ALL.len())]).collect()
        }
        Some("language") => Constant::ALL.iter().map(|c| format!("{} : {}", c.name(), c.scheme())).collect(),
        Some(name) => match modules.module(name) {
            Some(module) => {
                let types = module.named_types().iter().map(|alias| alias.to_string());
                // The lines of types show their constructors.
                let values = module.definitions().iter().filter(|definition| definition.constructor.is_none());
                types.chain(values.map(|definition| format_definition(definition))).collect()
            }
            None => {
                let names = modules.modules().iter().map(|module| &**module.name()).chain(["language"]);
                return Err(Diagnostic::unknown_name(format!("there is no module `{name}`"), name, names));
            }
        },
    };
    Ok(lines.join("\n"))
}
