//! The correspondence with the papers: their items, numbers and names, and where each of them is here.
//!
//! The table is the chapter of the book, `book/src/correspondence.md`. `smoothish doc` answers from it, and
//! `tests/house/book.rs` holds it to the sources: to the tests, the items, the theorems and the `doc(alias)` attributes.

use super::theorem::ListedTheorem;
use crate::session::Diagnostic;
use std::collections::BTreeSet;
use std::fmt::Write as _;
use std::sync::LazyLock;

/// The chapter.
const CHAPTER: &str = include_str!("../../book/src/correspondence.md");

/// The letters of the ids, with their meaning: the papers, comparisons of papers, errata, and traps.
const LETTERS: &str = "SAWHXET";

/// A row of the correspondence.
#[derive(Clone, Debug, Default)]
pub struct CorrespondenceRow {
    /// The ids, as `S49`; empty for a row without one.
    pub ids: Vec<&'static str>,
    /// The heading of the section of the chapter.
    pub section: &'static str,
    /// The paper and the place in it; empty for a trap.
    pub place: &'static str,
    /// The cells that state something, each with the heading of its column.
    pub statements: Vec<(&'static str, &'static str)>,
    /// The items of the library, as `Map::then`.
    pub items: Vec<&'static str>,
    /// The papers' own names.
    pub names: Vec<PaperName>,
    /// The tests as `file::function`, and the claims and laws of theories as `Theory.name`.
    pub witnesses: Vec<&'static str>,
}

/// A name that a paper uses.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct PaperName {
    /// The name.
    pub name: &'static str,
    /// The item in Rust that has the name as an alias, or a definition as `Theory.name`. `None` if it is a name of the row
    /// alone.
    pub bearer: Option<&'static str>,
}

/// Splits a row of a table in Markdown into its cells. An escaped bar does not separate.
fn split_cells(line: &'static str) -> Vec<&'static str> {
    let inner = line.trim().trim_start_matches('|').trim_end_matches('|');
    let (mut cells, mut start, mut last) = (Vec::new(), 0, ' ');
    for (at, sign) in inner.char_indices() {
        if sign == '|' && last != '\\' {
            cells.push(inner[start..at].trim());
            start = at + 1;
        }
        last = sign;
    }
    cells.push(inner[start..].trim());
    cells
}

/// Returns the texts in backticks of a cell. A name may have a comma inside.
fn quoted_texts(cell: &'static str) -> Vec<&'static str> {
    cell.split('`').skip(1).step_by(2).collect()
}

/// Reads the names of a cell: groups, separated by `;`, of names with what has them here behind `at`.
fn read_names(cell: &'static str) -> Vec<PaperName> {
    let groups = cell.split("; ").flat_map(|group| {
        let (names, bearer) = match group.split_once("` at `") {
            // The backtick that ends the last name was taken by the separator.
            Some((names, bearer)) => (names, Some(bearer.trim_end_matches('`'))),
            None => (group, None),
        };
        quoted_texts(names).into_iter().map(move |name| PaperName { name, bearer })
    });
    groups.collect()
}

/// Reads the tables of the chapter.
fn read_chapter(text: &'static str) -> Vec<CorrespondenceRow> {
    let (mut section, mut headings, mut rows) = ("", Vec::new(), Vec::new());
    for line in text.lines() {
        if let Some(heading) = line.strip_prefix("## ") {
            section = heading;
        } else if line.starts_with("| id |") {
            headings = split_cells(line);
        } else if line.starts_with("| ") {
            let mut row = CorrespondenceRow { section, ..CorrespondenceRow::default() };
            for (heading, cell) in headings.iter().copied().zip(split_cells(line)) {
                match heading {
                    "id" => row.ids = cell.split(", ").filter(|id| *id != "–").collect(),
                    "paper, place" => row.place = cell,
                    "in Rust" | "here" => row.items = quoted_texts(cell),
                    "names" => row.names = read_names(cell),
                    "tested in" => row.witnesses = quoted_texts(cell),
                    statement => row.statements.push((statement, cell)),
                }
            }
            rows.push(row);
        }
    }
    rows
}

/// Returns the rows of the correspondence, in the order of the chapter.
#[must_use]
pub fn correspondence_rows() -> &'static [CorrespondenceRow] {
    static ROWS: LazyLock<Vec<CorrespondenceRow>> = LazyLock::new(|| read_chapter(CHAPTER));
    &ROWS
}

/// A numbered item of a paper, as `Prop. 5.3` of S.
#[derive(Clone, Debug, PartialEq, Eq)]
struct NumberedItem {
    /// The letter of the paper. `None` if it is not given.
    paper: Option<char>,
    kind: &'static str,
    number: String,
}

/// The kinds of numbered items, each with the words for it, in lower case and without a dot.
const KINDS: [(&str, &[&str]); 13] = [
    ("theorem", &["theorem", "theorems", "thm", "thms"]),
    ("proposition", &["proposition", "propositions", "prop", "props"]),
    ("lemma", &["lemma", "lemmas", "lem"]),
    ("definition", &["definition", "definitions", "def", "defs"]),
    ("corollary", &["corollary", "cor"]),
    ("figure", &["figure", "figures", "fig", "figs"]),
    ("table", &["table", "tables"]),
    ("example", &["example", "examples", "ex"]),
    ("fact", &["fact"]),
    ("section", &["section", "sections", "sec", "§"]),
    ("appendix", &["appendix", "app"]),
    ("footnote", &["footnote", "fn"]),
    ("equation", &["equation", "equations", "eq", "eqs"]),
];

/// Reads the numbered items of a place, as of `S §4.2, H §3` or `Proposition 5.3`. A number without a kind has that
/// of the number before it.
fn read_place(place: &str) -> Vec<NumberedItem> {
    let (mut paper, mut kind, mut found) = (None, None, Vec::new());
    let spaced = place.replace('§', "§ ");
    for word in spaced.split([' ', ',', '-']).filter(|word| !word.is_empty()) {
        let bare = word.trim_end_matches(['.', ';', ':']).to_lowercase();
        let letter = word.chars().next().filter(|letter| word.len() == 1 && "SAWH".contains(*letter));
        if let Some((name, _)) = KINDS.iter().find(|(_, words)| words.contains(&bare.as_str())) {
            kind = Some(*name);
        } else if let Some(letter) = letter.filter(|_| kind != Some("appendix")) {
            (paper, kind) = (Some(letter), None);
        } else if let Some(inside) = word.strip_prefix('(').and_then(|rest| rest.strip_suffix(')')) {
            found.push(NumberedItem { paper, kind: "equation", number: inside.to_owned() });
        } else if let Some(kind) = kind
            && (bare.starts_with(|c: char| c.is_ascii_digit()) || kind == "appendix")
        {
            found.push(NumberedItem { paper, kind, number: bare });
        }
    }
    found
}

impl NumberedItem {
    /// Returns `true` if `other`, of a row, is this item, or a section inside of it.
    fn includes(&self, other: &Self) -> bool {
        let is_inside = || {
            let rest = other.number.strip_prefix(&self.number);
            self.kind == "section" && rest.is_some_and(|rest| rest.starts_with('.'))
        };
        self.paper.is_none_or(|paper| other.paper == Some(paper))
            && self.kind == other.kind
            && (self.number == other.number || is_inside())
    }
}

/// Splits an id into its letter and its number: `S49`. Returns `None` for a text that is no id.
fn split_id(text: &str) -> Option<(char, u32)> {
    let mut signs = text.chars();
    let letter = signs.next().filter(|letter| LETTERS.contains(*letter))?;
    let digits = signs.as_str().trim_end_matches(|c: char| c.is_ascii_lowercase());
    let is_number = !digits.is_empty() && digits.len() < 5 && digits.bytes().all(|byte| byte.is_ascii_digit());
    Some((letter, digits.parse().ok().filter(|_| is_number)?))
}

/// Finds the rows of an id, of one of the papers' names, of a theorem, or of a numbered item as `H Lemma 7`. Returns
/// no rows for a text that is none of these.
///
/// # Errors
/// A [`Diagnostic`] for an id that no row has, with the last id of its letter.
pub fn find_rows(query: &str) -> Result<Vec<&'static CorrespondenceRow>, Diagnostic> {
    let rows = correspondence_rows();
    let of =
        |is_meant: &dyn Fn(&CorrespondenceRow) -> bool| rows.iter().filter(|row| is_meant(row)).collect::<Vec<_>>();
    let query = query.trim();
    if let Some((letter, _)) = split_id(query) {
        let found = of(&|row| row.ids.contains(&query));
        let last = || {
            let numbers = rows.iter().flat_map(|row| &row.ids).filter_map(|id| split_id(id));
            numbers.filter(|(of, _)| *of == letter).map(|(_, number)| number).max().unwrap_or(0)
        };
        return match found.is_empty() {
            true => Err(Diagnostic::invalid_input(format!(
                "error: there is no {query}: {letter} ends at {letter}{}",
                last()
            ))),
            false => Ok(found),
        };
    }
    let theorem = ListedTheorem::find_name(query);
    let found = of(&|row| {
        row.names.iter().any(|name| name.name == query)
            || theorem.is_some_and(|theorem| row.ids.contains(&theorem.item()))
    });
    if !found.is_empty() {
        return Ok(found);
    }
    let wanted = read_place(query);
    Ok(of(&|row| {
        let items = read_place(row.place);
        wanted.iter().any(|wanted| items.iter().any(|item| wanted.includes(item)))
    }))
}

/// Returns the names that [`find_rows`] knows, for suggestions.
pub fn paper_names() -> impl Iterator<Item = &'static str> {
    let names = correspondence_rows().iter().flat_map(|row| row.names.iter().map(|name| name.name));
    names.chain(ListedTheorem::all().map(ListedTheorem::name))
}

/// Describes the rows of `query`, each with its theorems. Returns `None` if there are none.
///
/// # Errors
/// Those of [`find_rows`].
pub fn describe_rows(query: &str) -> Result<Option<String>, Diagnostic> {
    let rows = find_rows(query)?;
    // A theorem about an item that no row has is still described.
    let mut told: Vec<String> = rows.iter().map(|row| row.describe()).collect();
    if rows.is_empty() {
        told.extend(ListedTheorem::find_name(query).map(describe_theorem));
    }
    Ok((!told.is_empty()).then(|| told.join("\n\n")))
}

/// Names the rows of one of the papers' names, for a name that has a meaning of its own: `S54 (S §5.3)`. Returns
/// `None` if there are none.
#[must_use]
pub fn refer_to_rows(name: &str) -> Option<String> {
    let rows = correspondence_rows().iter().filter(|row| row.names.iter().any(|known| known.name == name));
    let ids: BTreeSet<&str> = rows.flat_map(|row| row.ids.iter().copied()).collect();
    (!ids.is_empty()).then(|| {
        let ids = ids.into_iter().collect::<Vec<_>>();
        format!("in the papers: {}; `smoothish doc {}` says more", ids.join(", "), ids[0])
    })
}

/// Describes a theorem: its name, its statement, and its place.
fn describe_theorem(theorem: ListedTheorem) -> String {
    format!("smoothish theorem {}: {} ({})", theorem.name(), theorem.summary(), theorem.place())
}

impl CorrespondenceRow {
    /// Returns the theorems about the items of the row.
    pub fn theorems(&self) -> impl Iterator<Item = ListedTheorem> {
        ListedTheorem::all().filter(|theorem| self.ids.contains(&theorem.item()))
    }

    /// Describes the row in lines: id and place, statements, items, names, theorems, tests.
    #[must_use]
    pub fn describe(&self) -> String {
        let plain = |text: &str| text.replace("\\|", "|");
        let ids = self.ids.join(", ");
        let place = if self.place == "–" { "" } else { self.place };
        let heads = [ids, plain(place)].into_iter().filter(|head| !head.is_empty()).collect::<Vec<_>>();
        let mut text = format!("{} ({})", heads.join(": "), self.section);
        // Writing to a string cannot fail, here and below.
        for (heading, cell) in &self.statements {
            let heading = if self.statements.len() == 1 { String::new() } else { format!("{heading}: ") };
            let _ = write!(text, "\n{heading}{}", plain(cell));
        }
        // Names that one item bears stand together, as in the chapter.
        let groups = self.names.chunk_by(|one, other| one.bearer == other.bearer).map(|group| {
            let names = group.iter().map(|name| name.name).collect::<Vec<_>>().join(", ");
            group[0].bearer.map_or(names.clone(), |bearer| format!("{names} at {bearer}"))
        });
        let lists = [("in Rust", self.items.join(", ")), ("names", groups.collect::<Vec<_>>().join("; "))];
        for (heading, list) in lists.iter().filter(|(_, list)| !list.is_empty()) {
            let _ = write!(text, "\n{heading}: {list}");
        }
        for theorem in self.theorems() {
            let _ = write!(text, "\n{}", describe_theorem(theorem));
        }
        if !self.witnesses.is_empty() {
            let _ = write!(text, "\ntested in: {}", self.witnesses.join(", "));
        }
        text
    }
}
