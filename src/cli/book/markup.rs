//! The pages of the live book: what becomes of a chapter before mdBook renders it.
//!
//! | in the chapter | on the page |
//! |---|---|
//! | a block of questions | `<pre class="live">`: each question a `<span class="question">`, each printed line a `<span class="answer">` |
//! | a name of the library in a question | the name with its type and meaning as its title |
//! | `` `deriv` `` in a sentence | a link to its place in the reference, with the same title |
//! | E42, S §4.1 in a sentence | a link to the row of the correspondence |
//! | `$…$`, `$$…$$` | MathML |
//!
//! Prompts are attributes, which the style sheet shows and nobody copies. Chapters stay Markdown that other programs show.

use super::example::{ExampleKind, PageExample, find_blocks, parse_examples};
use super::formula::{LinePart, split_line, to_mathml};
use crate::cli::correspondence::correspondence_rows;
use crate::cli::evaluator::TheorySession;
use crate::syntax::constant::Constant;
use std::collections::{HashMap, HashSet};
use std::fmt::Write;

/// The chapter with all names of the library.
const REFERENCE: &str = "reference";
/// The chapter with the items of the papers.
const CORRESPONDENCE: &str = "correspondence";
/// The letters of the papers, as places begin with them.
const PAPERS: [char; 4] = ['S', 'A', 'W', 'H'];
/// The greatest length of a title, in letters. A choice: a browser shows about so much.
const TITLE_LETTERS: usize = 200;

/// The place that explains a word, and its title.
#[derive(Clone, Debug, PartialEq, Eq)]
struct Explained {
    address: String,
    title: String,
}

/// The words that pages explain.
#[derive(Clone, Debug, Default)]
pub struct ExplainedWords {
    /// Names of the library.
    names: HashMap<String, Explained>,
    /// Ids of the correspondence, and places such as `S §4.1`.
    items: HashMap<String, Explained>,
}

/// Returns the anchor that mdBook gives a heading.
fn anchor_of(heading: &str) -> String {
    let letters = heading.chars().filter_map(|letter| match letter {
        _ if letter.is_alphanumeric() || letter == '_' || letter == '-' => Some(letter.to_ascii_lowercase()),
        _ if letter.is_whitespace() => Some('-'),
        _ => None,
    });
    letters.collect()
}

/// Returns the first sentence of a text, cut if it is very long.
fn first_sentence(text: &str) -> String {
    let text = text.split_whitespace().collect::<Vec<_>>().join(" ");
    let sentence = text.find(". ").map_or(text.as_str(), |end| &text[..=end]);
    if sentence.chars().count() <= TITLE_LETTERS {
        return sentence.to_owned();
    }
    sentence.chars().take(TITLE_LETTERS).chain(['…']).collect()
}

impl ExplainedWords {
    /// Collects the names of a library, and the items of the papers.
    #[must_use]
    pub fn of_library(library: &TheorySession) -> Self {
        let mut words = Self::default();
        let mut shared = HashSet::new();
        for theory in library.theories().theories() {
            let address = format!("{REFERENCE}.html#{}", theory.name.to_lowercase());
            let definitions =
                library.modules().module(&theory.name).into_iter().flat_map(|module| module.definitions());
            for definition in definitions.filter(|definition| definition.constructor.is_none()) {
                let (name, ty) = (definition.name.to_string(), &definition.scheme);
                let title = format!("{ty} — {} (of {})", first_sentence(&definition.doc), theory.name);
                let explained = Explained { address: address.clone(), title };
                words.names.insert(format!("{}.{name}", theory.name), explained.clone());
                // Two theories that define one name mean two things by it, and the page cannot tell which.
                if words.names.insert(name.clone(), explained).is_some() {
                    shared.insert(name);
                }
            }
        }
        words.names.retain(|name, _| !shared.contains(name));
        for constant in Constant::ALL {
            let title = format!("{} — {}", constant.scheme(), first_sentence(constant.summary()));
            let address = format!("{REFERENCE}.html#{}", anchor_of(&constant.topic().to_string()));
            // A constant wins: a definition of its name is reached by the name of the theory.
            let explained = Explained { address, title };
            words.names.extend(constant.names().iter().map(|name| ((*name).to_owned(), explained.clone())));
        }
        for row in correspondence_rows() {
            let Some(first) = row.ids.first() else { continue };
            let statement = row.statements.first().map_or("", |(_, statement)| statement).replace("\\|", "|");
            let title = format!("{}: {}", row.place.replace("\\|", "|"), first_sentence(&statement));
            let explained =
                |id: &str| Explained { address: format!("{CORRESPONDENCE}.html#{id}"), title: title.clone() };
            words.items.extend(row.ids.iter().map(|id| ((*id).to_owned(), explained(id))));
            let Some(paper) = row.place.chars().next().filter(|letter| PAPERS.contains(letter)) else { continue };
            for section in row.place.split('§').skip(1) {
                let number = section_number(section);
                // Of several rows on one section the first one leads to the others.
                words.items.entry(format!("{paper} §{number}")).or_insert_with(|| explained(first));
            }
        }
        words
    }
}

/// Returns the number with which a text begins, such as `4.3.1`.
fn section_number(text: &str) -> &str {
    let end = text.find(|letter: char| !letter.is_ascii_digit() && letter != '.').unwrap_or(text.len());
    text[..end].trim_end_matches('.')
}

/// Returns the source of a chapter, by its name and text, as mdBook is to render it.
///
/// A chapter with a block that is no block of questions keeps all its blocks: the tests of the book refuse it.
#[must_use]
pub fn to_live_page(chapter: &str, text: &str, words: &ExplainedWords) -> String {
    let examples = parse_examples(text).unwrap_or_default();
    let lines: Vec<&str> = text.lines().collect();
    let buffer = String::with_capacity(2 * text.len());
    let mut page = PageWriter { chapter, words, text: buffer, defined: HashSet::new(), open_links: 0 };
    let mut at = 0;
    for (_, start, end) in find_blocks(text) {
        let inside: Vec<&PageExample> =
            examples.iter().filter(|example| (start..end).contains(&example.line)).collect();
        // The fences around the block are lines as well.
        lines[at..start - 1].iter().for_each(|line| page.push_prose(line));
        at = (end + 1).min(lines.len());
        match inside.first() {
            None => lines[start - 1..at].iter().for_each(|line| page.push_line(line)),
            Some(first) => page.push_block(first.kind, &inside, &lines),
        }
    }
    lines[at..].iter().for_each(|line| page.push_prose(line));
    page.text
}

/// A page that is being written.
struct PageWriter<'p> {
    chapter: &'p str,
    words: &'p ExplainedWords,
    text: String,
    /// The names that the inputs of the page's session have defined.
    defined: HashSet<String>,
    /// The number of links of Markdown that are open at the end of a line: a link holds no link.
    open_links: usize,
}

impl PageWriter<'_> {
    /// Appends a line as it is.
    fn push_line(&mut self, line: &str) {
        self.text.push_str(line);
        self.text.push('\n');
    }

    /// Appends a block of questions.
    fn push_block(&mut self, kind: ExampleKind, examples: &[&PageExample], lines: &[&str]) {
        let (chapter, tag) = (escape(self.chapter), kind.tag());
        // `pre` without `code` inside: mdBook's script colours every `code`, and would remove the questions.
        let _ = write!(self.text, "<pre class=\"live\" data-page=\"{chapter}\" data-kind=\"{tag}\">");
        for example in examples {
            self.push_question(example, lines[example.line]);
            lines[example.printed.clone()].iter().for_each(|line| self.push_answer(line));
        }
        self.text.push_str("</pre>\n");
    }

    /// Appends a question. `line` is its first line, with the prompt.
    fn push_question(&mut self, example: &PageExample, line: &str) {
        let first = example.source.split('\n').next().unwrap_or_default();
        let prompt = escape(line.strip_suffix(first).unwrap_or("> "));
        let goal = escape(example.goal.as_deref().unwrap_or_default());
        let _ = write!(
            self.text,
            "<span class=\"question\"><span class=\"prompt\" data-prompt=\"{prompt}\"></span>\
             <span class=\"text\" data-goal=\"{goal}\">"
        );
        let mut bound = bound_names(&example.source);
        if example.kind == ExampleKind::Session {
            bound.extend(self.defined.iter().cloned());
            self.defined.extend(defined_names(&example.source));
        }
        let mut before = ' ';
        for (word, is_name) in split_words(&example.source) {
            // `--deriv` is an option, and `x.deriv` a part of another name.
            let known = self.words.names.get(word).filter(|_| is_name && !bound.contains(word) && before != '-');
            match known {
                Some(known) => {
                    let (title, word) = (escape(&known.title), escape(word));
                    let _ = write!(self.text, "<span class=\"name\" title=\"{title}\">{word}</span>");
                }
                None => self.text.push_str(&escape(word)),
            }
            before = word.chars().next_back().unwrap_or(' ');
        }
        self.text.push_str("</span></span>");
    }

    /// Appends a printed line.
    fn push_answer(&mut self, line: &str) {
        let class = match line {
            _ if line.starts_with("note") || line.starts_with("  = ") => " note",
            _ if line.starts_with("error") || line.starts_with("exit status") => " error",
            _ => "",
        };
        // A blank line of a table would have no height.
        let text = if line.is_empty() { "&nbsp;".to_owned() } else { escape(line) };
        let _ = write!(self.text, "<span class=\"answer{class}\">{text}</span>");
    }

    /// Appends a line outside of blocks.
    fn push_prose(&mut self, line: &str) {
        if line.trim().is_empty() {
            self.open_links = 0;
        }
        // The anchor of a heading is made of its text, and must stay what other pages link to.
        if line.starts_with('#') {
            return self.push_line(line);
        }
        let line = if self.chapter == CORRESPONDENCE { self.push_row_anchors(line) } else { line };
        for part in split_line(line) {
            match part {
                LinePart::Text(text) => self.push_text(text),
                LinePart::Code(code) => self.push_code(code),
                LinePart::Formula(formula, is_display) => match to_mathml(formula, is_display) {
                    // Wider than the page, it is scrolled by itself.
                    Some(mathml) if is_display => {
                        let _ = write!(self.text, "<span class=\"formula\">{mathml}</span>");
                    }
                    Some(mathml) => self.text.push_str(&mathml),
                    None => {
                        let signs = if is_display { "$$" } else { "$" };
                        let _ = write!(self.text, "{signs}{formula}{signs}");
                    }
                },
            }
        }
        self.text.push('\n');
    }

    /// Appends the first cell of a row of the correspondence with an anchor for each id. Returns the rest of the line.
    fn push_row_anchors<'l>(&mut self, line: &'l str) -> &'l str {
        let Some((ids, rest)) = line.strip_prefix("| ").and_then(|row| row.split_once(" |")) else { return line };
        if !ids.split(", ").all(|id| self.words.items.contains_key(id)) {
            return line;
        }
        let anchors: Vec<String> = ids.split(", ").map(|id| format!("<a id=\"{id}\"></a>{id}")).collect();
        let _ = write!(self.text, "| {} |", anchors.join(", "));
        rest
    }

    /// Appends code of a sentence: a link if it is a name of the library.
    fn push_code(&mut self, code: &str) {
        let known = self.words.names.get(code.trim_matches('`'));
        match known.filter(|_| self.open_links == 0 && self.chapter != REFERENCE) {
            Some(Explained { address, title }) => {
                let title = escape(title);
                let _ = write!(self.text, "<a class=\"name\" href=\"{address}\" title=\"{title}\">{code}</a>");
            }
            None => self.text.push_str(code),
        }
    }

    /// Appends text of a sentence, in which the items of the papers are links.
    fn push_text(&mut self, text: &str) {
        let mut at = 0;
        while let Some(letter) = text[at..].chars().next() {
            let rest = &text[at..];
            let is_start =
                !text[..at].chars().next_back().is_some_and(|before| before.is_alphanumeric() || before == '#');
            if letter == '[' && is_link(rest) {
                self.open_links += 1;
            } else if letter == ']' {
                self.open_links = self.open_links.saturating_sub(1);
            } else if is_start
                && self.open_links == 0
                && let Some((length, explained)) = self.find_item(rest)
            {
                let Explained { address, title } = explained;
                let (word, title) = (&rest[..length], escape(title));
                let link = format!("<a class=\"item\" href=\"{address}\" title=\"{title}\">{word}</a>");
                self.text.push_str(&link);
                at += length;
                continue;
            }
            self.text.push(letter);
            at += letter.len_utf8();
        }
    }

    /// Finds the item of a paper with which a text begins: its length and its explanation.
    fn find_item(&self, text: &str) -> Option<(usize, &Explained)> {
        let mut letters = text.chars();
        let paper = letters.next().filter(char::is_ascii_uppercase)?;
        let length = match text[1..].strip_prefix(" §") {
            Some(number) if PAPERS.contains(&paper) => text.len() - number.len() + section_number(number).len(),
            _ => 1 + text[1..].bytes().take_while(u8::is_ascii_digit).count(),
        };
        let ends = !text[length..].chars().next().is_some_and(char::is_alphanumeric);
        self.words.items.get(&text[..length]).filter(|_| ends).map(|explained| (length, explained))
    }
}

/// Returns `true` if the bracket with which a text begins may be that of a link: an address follows, or the line ends before it.
fn is_link(text: &str) -> bool {
    let mut depth = 0_usize;
    for (at, letter) in text.char_indices() {
        match letter {
            '[' => depth += 1,
            ']' if depth == 1 => return text[at + 1..].starts_with(['(', '[']),
            ']' => depth -= 1,
            _ => {}
        }
    }
    true
}

/// Splits a program into names and what stands between them.
fn split_words(text: &str) -> impl Iterator<Item = (&str, bool)> {
    let is_letter = |letter: char| letter.is_alphanumeric() || matches!(letter, '_' | '\'' | '.');
    let mut rest = text;
    std::iter::from_fn(move || {
        let is_name = rest.chars().next()?.is_alphabetic();
        let end = if is_name {
            rest.find(|letter| !is_letter(letter)).unwrap_or(rest.len())
        } else {
            rest.find(char::is_alphabetic).unwrap_or(rest.len())
        };
        let (mut word, mut left) = rest.split_at(end);
        // The quotation mark of a command line, and the end of a sentence, are not parts of a name.
        if is_name {
            let kept = word.trim_end_matches(['\'', '.']).len();
            (word, left) = rest.split_at(kept.max(1));
        }
        rest = left;
        Some((word, is_name))
    })
}

/// Returns the names that a program binds somewhere: a page does not know where, and explains them nowhere.
fn bound_names(text: &str) -> HashSet<String> {
    let mut bound: HashSet<String> = defined_names(text).collect();
    for (at, _) in text.match_indices('\\') {
        let parameters = text[at..].split("=>").next().unwrap_or_default();
        bound.extend(split_words(parameters).filter(|(_, is_name)| *is_name).map(|(name, _)| name.to_owned()));
    }
    let drawn = text.match_indices("<-").filter_map(|(at, _)| text[..at].split_whitespace().next_back());
    bound.extend(drawn.map(|name| name.trim_matches(['(', ')', '{', ';']).to_owned()));
    bound
}

/// Returns the names that a program defines by `let`, with the parameters of the definitions.
fn defined_names(text: &str) -> impl Iterator<Item = String> {
    let heads =
        text.match_indices("let ").map(|(at, word)| text[at + word.len()..].split('=').next().unwrap_or_default());
    heads.flat_map(|head| split_words(head).filter(|(_, is_name)| *is_name).map(|(name, _)| name.to_owned()))
}

/// Returns a text with the signs that HTML or a table of Markdown has a use for written as entities.
#[must_use]
pub fn escape(text: &str) -> String {
    let mut escaped = String::with_capacity(text.len());
    for letter in text.chars() {
        match letter {
            '&' => escaped.push_str("&amp;"),
            '<' => escaped.push_str("&lt;"),
            '>' => escaped.push_str("&gt;"),
            '"' => escaped.push_str("&quot;"),
            '|' => escaped.push_str("&#124;"),
            letter => escaped.push(letter),
        }
    }
    escaped
}
