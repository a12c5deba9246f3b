//! The completions that Tab offers: commands, names, members of modules, and the signs of the language by their LaTeX
//! names.

use super::command::{self, ArgumentKind, COMMANDS};
use crate::cli::evaluator::TheorySession;
use crate::cli::workspace::names_in_scope;

/// The signs that the language reads, by their LaTeX names. Greek letters are names.
pub const LATEX: &[(&str, &str)] = &[
    ("lambda", "λ"),
    ("Rightarrow", "⇒"),
    ("rightarrow", "→"),
    ("to", "→"),
    ("times", "×"),
    ("cdot", "·"),
    ("Re", "ℜ"),
    ("R", "ℝ"),
    ("N", "ℕ"),
    ("B", "𝔹"),
    ("pi", "π"),
    ("ne", "≠"),
    ("neq", "≠"),
    ("le", "≤"),
    ("leq", "≤"),
    ("ge", "≥"),
    ("geq", "≥"),
    ("wedge", "∧"),
    ("land", "∧"),
    ("vee", "∨"),
    ("lor", "∨"),
    ("cong", "≅"),
    ("alpha", "α"),
    ("beta", "β"),
    ("gamma", "γ"),
    ("delta", "δ"),
    ("epsilon", "ε"),
    ("zeta", "ζ"),
    ("eta", "η"),
    ("theta", "θ"),
    ("kappa", "κ"),
    ("mu", "μ"),
    ("nu", "ν"),
    ("xi", "ξ"),
    ("rho", "ρ"),
    ("sigma", "σ"),
    ("tau", "τ"),
    ("phi", "φ"),
    ("chi", "χ"),
    ("psi", "ψ"),
    ("omega", "ω"),
    ("^2", "²"),
    ("^3", "³"),
    ("^4", "⁴"),
    ("_0", "₀"),
    ("_1", "₁"),
    ("_2", "₂"),
];

/// The words of the language, which are no names.
const LANGUAGE_WORDS: [&str; 16] = [
    "let", "rec", "in", "if", "then", "else", "match", "with", "type", "tt", "ff", "Real", "Nat", "Bool", "List", "Tan",
];

/// The names in scope at a prompt.
#[derive(Clone, Debug, Default)]
pub struct PromptVocabulary {
    names: Vec<String>,
    modules: Vec<(String, Vec<String>)>,
}

impl PromptVocabulary {
    /// Collects the names of a library, and the words of the language.
    #[must_use]
    pub fn from_library(library: &TheorySession) -> Self {
        let mut names: Vec<String> = names_in_scope(library.modules()).iter().map(|name| name.to_string()).collect();
        names.extend(LANGUAGE_WORDS.map(str::to_owned));
        names.sort_unstable();
        let modules = library.theories().theories().iter().filter_map(|theory| {
            let module = library.modules().module(&theory.name)?;
            let values = module.definitions().iter().map(|definition| definition.name.to_string());
            let members = values.chain(module.named_types().iter().map(|alias| alias.name.to_string()));
            Some((theory.name.to_string(), members.collect()))
        });
        Self { names, modules: modules.collect() }
    }
}

/// The completions at a position of a line.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum CompletionList {
    /// Words that replace the text from this byte on, each as displayed and as inserted.
    Words(usize, Vec<(String, String)>),
    /// File names, which the editor completes.
    File,
}

/// Completes the word that ends at byte `end` of a line.
#[must_use]
pub fn complete_word(line: &str, end: usize, vocabulary: &PromptVocabulary) -> CompletionList {
    let before = line.get(..end).unwrap_or(line);
    let same = |start: usize, words: Vec<String>| {
        CompletionList::Words(start, words.into_iter().map(|word| (word.clone(), word)).collect())
    };
    let mut completes = ArgumentKind::Names;
    if let Some(rest) = before.trim_start().strip_prefix(':') {
        // Before the first space the command itself is completed, after it its argument.
        let Some((word, _)) = rest.split_once(char::is_whitespace) else {
            let fitting = COMMANDS.iter().filter(|command| command.name.starts_with(rest));
            return same(before.len() - rest.len(), fitting.map(|command| command.name.to_owned()).collect());
        };
        // A command may be abbreviated here too.
        completes = command::find_command(word).map_or(ArgumentKind::Nothing, |command| command.completes);
    }
    match completes {
        ArgumentKind::Files => return CompletionList::File,
        ArgumentKind::Nothing => return CompletionList::Words(end, Vec::new()),
        ArgumentKind::Names | ArgumentKind::Modules => {}
    }
    // Signs come before names: after a `\` the letters would otherwise complete as a name.
    let signs = complete_latex(before);
    if let Some((start, signs)) = signs.filter(|(_, signs)| !signs.is_empty()) {
        return CompletionList::Words(start, signs);
    }
    let is_part = |letter: char| letter.is_alphanumeric() || matches!(letter, '_' | '\'' | '’' | '′' | '.');
    let start = before.char_indices().rev().take_while(|&(_, letter)| is_part(letter)).last();
    let start = start.map_or(before.len(), |(at, _)| at);
    let word = &before[start..];
    let fitting = |words: &[String], beginning: &str| -> Vec<String> {
        words.iter().filter(|word| word.starts_with(beginning)).cloned().collect()
    };
    if completes == ArgumentKind::Modules {
        let modules: Vec<String> = vocabulary.modules.iter().map(|(name, _)| name.clone()).collect();
        return same(start, fitting(&[modules, vec!["language".to_owned()]].concat(), word));
    }
    if let Some((module, beginning)) = word.split_once('.') {
        let members = vocabulary.modules.iter().find(|(name, _)| name == module).map(|(_, members)| members.as_slice());
        return same(start + module.len() + 1, fitting(members.unwrap_or_default(), beginning));
    }
    // All names at once would be no help.
    if word.is_empty() {
        return CompletionList::Words(end, Vec::new());
    }
    let mut words = fitting(&vocabulary.names, word);
    words.extend(
        vocabulary.modules.iter().filter(|(name, _)| name.starts_with(word)).map(|(name, _)| format!("{name}.")),
    );
    same(start, words)
}

/// Returns the signs whose LaTeX names begin with the text after the last `\`, or only the sign of exactly that name.
/// Returns `None` if that text is no LaTeX name.
fn complete_latex(before: &str) -> Option<(usize, Vec<(String, String)>)> {
    let start = before.rfind('\\')?;
    let word = &before[start + 1..];
    if word.is_empty() || !word.chars().all(|letter| letter.is_ascii_alphanumeric() || matches!(letter, '^' | '_')) {
        return None;
    }
    let shown = |&(name, sign): &(&str, &str)| (format!("\\{name} {sign}"), sign.to_owned());
    // Otherwise `\R` could never be inserted by one key, since other names may begin with the same letters.
    if let Some(exact) = LATEX.iter().find(|(name, _)| *name == word) {
        return Some((start, vec![shown(exact)]));
    }
    Some((start, LATEX.iter().filter(|(name, _)| name.starts_with(word)).map(shown).collect()))
}
