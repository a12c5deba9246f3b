//! Descriptions of names, for `:info`, `:doc` and `:list`.

use crate::cli::evaluator::Workbench;
use crate::cli::reference;
use crate::cli::reference::example::{self, Example};
use crate::cli::workspace::names_in_scope;
use crate::session::Diagnostic;
use crate::session::definitions::{Content, MODULE};
use crate::syntax::constant::{self, Constant};
use crate::syntax::idiom;
use crate::syntax::library::{Alias, Module};
use crate::syntax::name::{Name, nearest};
use crate::syntax::term::Definition;
use crate::theory::Theory;
use crate::theory::format::{self, Item};
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
enum Found<'l> {
    Word(&'static str, &'static str),
    Constant(Constant),
    Value(Arc<Definition>),
    Type(&'l Module, Arc<Alias>),
}

/// The example that illustrates a meaning.
enum Shown {
    /// A program, which is evaluated.
    Question(String),
    /// An example from its theory.
    Definition(Arc<Definition>),
    Nothing,
}

impl Shown {
    /// Chooses the example of a meaning.
    fn of(found: &Found<'_>) -> Self {
        match found {
            Found::Constant(constant) => constant.example().map_or(Self::Nothing, Self::Question),
            Found::Value(definition) => Self::Definition(definition.clone()),
            Found::Word(..) | Found::Type(..) => Self::Nothing,
        }
    }
}

impl Found<'_> {
    /// Returns the module of the definition. `None` for words and primitives.
    fn module(&self) -> Option<Name> {
        match self {
            Self::Value(definition) => Some(definition.module.clone()),
            Self::Type(module, _) => Some(module.name().clone()),
            Self::Word(..) | Self::Constant(_) => None,
        }
    }
}

/// Finds all meanings of `name` or `Module.name`, the nearest scope first.
fn find<'l>(library: &'l Workbench, name: &str) -> Vec<Found<'l>> {
    let modules = library.modules().modules();
    let (wanted, short) = match name.split_once('.') {
        Some((module, short)) if !short.is_empty() => (Some(module), short),
        _ => (None, name),
    };
    let mut found = Vec::new();
    // The session is the nearest scope.
    let own_first = modules.iter().filter(|m| &**m.name() == MODULE);
    for module in own_first.chain(modules.iter().filter(|m| &**m.name() != MODULE)) {
        if wanted.is_none_or(|wanted| wanted == &**module.name()) {
            found.extend(module.definition(short).cloned().map(Found::Value));
            found.extend(module.alias(short).cloned().map(|alias| Found::Type(module, alias)));
        }
    }
    if wanted.is_none() {
        // Operators are listed in parentheses, but typed without.
        let constant = Constant::named(name).or_else(|| Constant::named(&format!("({name})")));
        found.extend(constant.map(Found::Constant));
        let word = WORDS.iter().find(|(names, ..)| names.contains(&name));
        found.extend(word.map(|&(_, about, source)| Found::Word(about, source)));
    }
    found
}

/// Returns the help for a name from another language. `None` if there is none.
fn help_for(name: &str) -> Option<String> {
    let help = idiom::called(name).map(str::to_owned);
    help.or_else(|| constant::elsewhere(name).map(|here| format!("did you mean {here}?")))
}

/// Returns the diagnostic of an unknown name. The help is the most specific that applies.
fn unknown(library: &Workbench, name: &str) -> Diagnostic {
    let names = names_in_scope(library.modules());
    let words = WORDS.iter().flat_map(|(names, ..)| names.iter().copied());
    let modules = library.modules().modules().iter().map(|module| &**module.name());
    let near = || nearest(name, names.iter().map(|name| &**name).chain(words).chain(modules));
    let help = help_for(name);
    let help = help.or_else(|| {
        let (_, short) = name.rsplit_once('.')?;
        let is_known = !short.is_empty() && !find(library, short).is_empty();
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
    Diagnostic::wrong(format!("error: `{name}` is not known here{help}"))
}

/// Describes a name for `:info`: type, module, and definition or origin. A name with several meanings has several
/// blocks.
///
/// # Errors
/// A [`Diagnostic`] for an unknown name, with the nearest known one.
pub fn info(library: &Workbench, name: &str) -> Result<String, Diagnostic> {
    if let Some(theory) = library.theories().theory(name) {
        return Ok(about_theory(theory));
    }
    let blocks: Vec<String> = find(library, name).iter().map(|found| info_of(library, found)).collect();
    if blocks.is_empty() { Err(unknown(library, name)) } else { Ok(blocks.join("\n")) }
}

/// Describes a name for `:doc`: its type, its meaning with the source, and an example.
///
/// # Errors
/// A [`Diagnostic`] for an unknown name, with the nearest known one or its counterpart here.
pub fn doc(library: &mut Workbench, name: &str) -> Result<String, Diagnostic> {
    if let Some(theory) = library.theories().theory(name) {
        let about = if theory.about.is_empty() { format!("theory {}", theory.name) } else { theory.about.clone() };
        return Ok(format!("{about} [{}]", origin(theory)));
    }
    let mut lines = Vec::new();
    let found = find(library, name);
    let homes: Vec<Name> = found.iter().filter_map(Found::module).collect();
    let told: Vec<(String, Shown)> = found.iter().map(|found| (doc_of(library, found), Shown::of(found))).collect();
    for (text, shown) in told {
        lines.push(text);
        let example = match shown {
            Shown::Question(question) => {
                let answer = reference::answered(library, &question)?;
                Some(Example { question, answer, model: None })
            }
            Shown::Definition(definition) => example::of(library, &definition.module, &definition.name).ok(),
            Shown::Nothing => None,
        };
        lines.extend(example.map(|example| format!("for example, {example}")));
    }
    // A defined name has the laws of its own theories only. A name from another language has none.
    let is_defined = !lines.is_empty();
    if is_defined || help_for(name).is_none() {
        lines
            .extend(statements(library, name, |theory| !is_defined || homes.iter().any(|home| **home == *theory.name)));
    }
    if lines.is_empty() { Err(unknown(library, name)) } else { Ok(lines.join("\n")) }
}

/// Lists the laws and claims of this name, in the theories that `is_meant` accepts: statement, reason and source.
fn statements(library: &Workbench, name: &str, is_meant: impl Fn(&Theory) -> bool) -> Vec<String> {
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
            let text: Vec<&str> = span.of(&theory.source.text).split_whitespace().collect();
            let because = because.map_or_else(String::new, |because| format!(", because {because}"));
            format!("{kind} {name} : {}{because} [{}, {}]", text.join(" "), theory.name, origin(theory))
        });
        told.collect::<Vec<_>>()
    };
    theories
        .filter(|theory| wanted.is_none_or(|wanted| wanted == &*theory.name))
        .filter(|theory| is_meant(theory))
        .flat_map(of)
        .collect()
}

/// Formats one meaning for `:doc`.
fn doc_of(library: &Workbench, found: &Found<'_>) -> String {
    match found {
        Found::Word(about, source) => format!("{about} [{source}]"),
        Found::Constant(constant) => {
            let (name, ty) = (constant.name(), constant.scheme());
            format!("{name} : {ty}\n{} [{}]", constant.about(), constant.source())
        }
        Found::Value(definition) => {
            let place = place(library, &definition.module);
            match definition.doc.split_whitespace().collect::<Vec<_>>().join(" ") {
                none if none.is_empty() => format!("{} [{place}]", value_line(definition)),
                doc => format!("{}\n{doc} [{place}]", value_line(definition)),
            }
        }
        Found::Type(module, alias) => format!("{} [{}]", alias, place(library, module.name())),
    }
}

/// Formats one meaning for `:info`.
fn info_of(library: &Workbench, found: &Found<'_>) -> String {
    match found {
        Found::Word(about, source) => format!("a word of the language, {source}\n{about}"),
        Found::Constant(constant) => format!(
            "{} : {}\na primitive of the language, {}\n{}",
            constant.name(),
            constant.scheme(),
            constant.source(),
            constant.about()
        ),
        Found::Value(definition) => {
            let head = value_line(definition);
            let text = text_of(library, &definition.module, |item| match item {
                Item::Let(declaration, _) if declaration.name.span == definition.span => {
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
            [Some(head), Some(place(library, &definition.module)), text]
                .into_iter()
                .flatten()
                .collect::<Vec<_>>()
                .join("\n")
        }
        Found::Type(module, alias) => format!("{}\n{}", alias, place(library, module.name())),
    }
}

/// Returns the text of an item of a theory: from the keyword before its name to its end. `None` if the item is not
/// found.
fn text_of(
    library: &Workbench,
    module: &str,
    find: impl Fn(&Item) -> Option<(u32, u32, &'static str)>,
) -> Option<String> {
    let text = &library.theories().theory(module)?.source.text;
    let document = format::parse(text).ok()?;
    let (start, end, word) = document.items.iter().find_map(find)?;
    // The span begins at the name; the keyword is the nearest one before it.
    let start = text.get(..start as usize)?.rfind(word)?;
    Some(text.get(start..end as usize)?.to_owned())
}

/// Returns the name and the origin of a module.
fn place(library: &Workbench, module: &str) -> String {
    match library.theories().theory(module) {
        Some(theory) => format!("{module}, {}", origin(theory)),
        None => "this session".to_owned(),
    }
}

/// Returns the file of a theory, and the works that it cites.
fn origin(theory: &Theory) -> String {
    let cited: Vec<String> = theory.citations.iter().map(|cited| format!("{} {}", cited.key, cited.place)).collect();
    if cited.is_empty() { theory.source.name.clone() } else { format!("{}; {}", theory.source.name, cited.join("; ")) }
}

/// Formats a theory for `:info`.
fn about_theory(theory: &Theory) -> String {
    let extends = match theory.extends.as_slice() {
        [] => String::new(),
        names => format!(" extends {}", names.join(", ")),
    };
    let claims = theory.claims.len();
    [format!("theory {}{extends}, {claims} claims", theory.name), origin(theory), theory.about.clone()]
        .into_iter()
        .filter(|line| !line.is_empty())
        .collect::<Vec<_>>()
        .join("\n")
}

/// Formats a definition with its type.
fn value_line(definition: &Definition) -> String {
    format!("{} : {}", definition.name, definition.scheme)
}

/// Lists the definitions of the session and all modules, for `:list`; or the definitions of one module, with their
/// types.
///
/// # Errors
/// A [`Diagnostic`] for an unknown module, with the nearest known one.
pub fn list(library: &Workbench, module: Option<&str>) -> Result<String, Diagnostic> {
    let modules = library.modules();
    let lines: Vec<String> = match module {
        None => {
            let definitions = library.definitions();
            let own = definitions.entries().iter().enumerate().filter(|&(index, _)| definitions.is_visible(index));
            let own = own.map(|(_, entry)| match &entry.content {
                Content::Value(definition) | Content::Answer(definition) => value_line(definition),
                Content::Type(alias) => alias.to_string(),
            });
            let theories = library.theories().theories().iter().map(|theory| {
                let count = modules.module(&theory.name).map_or(0, |m| m.definitions().len() + m.aliases().len());
                format!("{}: {count} definitions, {}", theory.name, theory.source.name)
            });
            own.chain(theories).chain([format!("language: {} primitives", Constant::ALL.len())]).collect()
        }
        Some("language") => Constant::ALL.iter().map(|c| format!("{} : {}", c.name(), c.scheme())).collect(),
        Some(name) => match modules.module(name) {
            Some(module) => {
                let types = module.aliases().iter().map(|alias| alias.to_string());
                // The lines of types show their constructors.
                let values = module.definitions().iter().filter(|definition| definition.constructor.is_none());
                types.chain(values.map(|definition| value_line(definition))).collect()
            }
            None => {
                let names = modules.modules().iter().map(|module| &**module.name()).chain(["language"]);
                return Err(Diagnostic::unknown(format!("there is no module `{name}`"), name, names));
            }
        },
    };
    Ok(lines.join("\n"))
}
