//! The examples on the pages of the book: questions, with what is printed for them.
//!
//! In a fenced block tagged `smoothish`, a line that starts with `> ` is a question for `smoothish eval`; the prompt
//! `eps=1e-3> ` adds `--eps=1e-3`, likewise with rel and digits; a line that starts with `| ` continues the question. The
//! lines after it are what is printed: the answer, then what goes to the error stream, then `exit status …` where that is
//! not 0.
//!
//! A block tagged `session` is a conversation with `smoothish repl`: its inputs are typed one after another, the blocks of
//! a chapter being one session. The prompt is the one that is shown, a line that starts with `| `, indented as the prompt
//! is long, continues an input.
//!
//! A block tagged `agree` asks `smoothish agree` in the same way. Its tables are printed without their times, also where a
//! block tagged `shell` asks for them.
//!
//! In a block tagged `shell` a question is a line that starts with `$ smoothish `, with any command. Blocks tagged
//! `theory NAME` are the files of these names that it may speak of.
//!
//! The tests of the book and the live book both read pages here: the examples that run on a page are those that are tested.

use std::ops::Range;

/// The commands that answer the examples of a block.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ExampleKind {
    /// `smoothish eval`
    Eval,
    /// `smoothish agree`
    Agree,
    /// The prompt of `smoothish repl`.
    Session,
    /// Any command.
    Shell,
}

impl ExampleKind {
    /// Returns the kind of the blocks with a tag. `None` for other languages, and sessions of other programs.
    #[must_use]
    pub fn of_tag(tag: &str) -> Option<Self> {
        let all = [Self::Eval, Self::Agree, Self::Session, Self::Shell];
        all.into_iter().find(|kind| kind.tag() == tag)
    }

    /// Returns the tag of its blocks.
    #[must_use]
    pub fn tag(self) -> &'static str {
        match self {
            Self::Eval => "smoothish",
            Self::Agree => "agree",
            Self::Session => "session",
            Self::Shell => "shell",
        }
    }
}

/// A question as a chapter shows it, with its answer.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct PageExample {
    /// The line of the prompt, counted from 0.
    pub line: usize,
    /// The accuracy that the prompt names, such as `eps=1e-3`.
    pub goal: Option<String>,
    /// The question, without its prompt.
    pub source: String,
    /// The command that answers it.
    pub kind: ExampleKind,
    /// The lines that are printed, by number.
    pub printed: Range<usize>,
}

impl PageExample {
    /// Returns the arguments of the program that answers the question. `None` for an input of a session.
    #[must_use]
    pub fn arguments(&self) -> Option<Vec<String>> {
        let command = match self.kind {
            ExampleKind::Shell => return Some(split_command_line(&self.source)),
            ExampleKind::Session => return None,
            ExampleKind::Agree => "agree",
            ExampleKind::Eval => "eval",
        };
        let goal = self.goal.iter().map(|goal| format!("--{goal}"));
        let question = ["--".to_owned(), self.source.clone()];
        Some([command.to_owned()].into_iter().chain(goal).chain(question).collect())
    }
}

/// Splits a line that starts with a prompt into `(goal, source)`.
fn split_prompt(line: &str) -> Option<(Option<String>, &str)> {
    match ["eps=", "rel=", "digits="].iter().any(|asked| line.starts_with(asked)) {
        true => {
            let (goal, source) = line.split_once("> ")?;
            // In `eps=1e-3 + a -> b` the arrow is no prompt: a goal has no spaces.
            (!goal.contains(' ')).then(|| (Some(goal.to_owned()), source))
        }
        false => line.strip_prefix("> ").map(|source| (None, source)),
    }
}

/// Splits a line of a block into `(goal, source)`. Returns `None` if it starts no question.
fn split_question(kind: ExampleKind, line: &str) -> Option<(Option<String>, &str)> {
    match kind {
        ExampleKind::Shell => line.strip_prefix("$ smoothish ").map(|command| (None, command)),
        _ => split_prompt(line),
    }
}

/// Finds the fenced blocks of a text: tag, first line inside, one past the last.
#[must_use]
pub fn find_blocks(text: &str) -> Vec<(String, usize, usize)> {
    let (mut found, mut open) = (Vec::new(), None);
    for (i, line) in text.lines().enumerate() {
        if let Some(tag) = line.trim_start().strip_prefix("```") {
            match open.take() {
                None => open = Some((tag.trim().to_owned(), i + 1)),
                Some((tag, start)) => found.push((tag, start, i)),
            }
        }
    }
    // A fence that is not closed holds the rest of the text, as in every Markdown.
    if let Some((tag, start)) = open {
        found.push((tag, start, text.lines().count()));
    }
    found
}

/// Finds the examples of a text.
///
/// # Errors
/// A sentence with its line: a block has no tag, or is not made of questions.
pub fn parse_examples(text: &str) -> Result<Vec<PageExample>, String> {
    let lines: Vec<&str> = text.lines().collect();
    let mut found = Vec::new();
    for (tag, start, end) in find_blocks(text) {
        if tag.is_empty() {
            return Err(format!("line {start}: a block without a tag, which rustdoc would read as Rust"));
        }
        let Some(kind) = ExampleKind::of_tag(&tag) else { continue };
        let mut at = start;
        if start == end {
            return Err(format!("line {start}: a block without a question"));
        }
        while at < end {
            let line = at;
            let Some((goal, first)) = split_question(kind, lines[at]) else {
                return Err(format!("line {}: not a question: {}", at + 1, lines[at]));
            };
            let mut source = first.to_owned();
            // The bar stands below the end of the prompt, as the terminal shows it.
            let length = lines[at].chars().count() - first.chars().count();
            let goes_on = if kind == ExampleKind::Session { format!("{:>length$}", "| ") } else { "| ".to_owned() };
            at += 1;
            while let Some(more) = lines[at..end].first().and_then(|line| line.strip_prefix(&*goes_on)) {
                source += "\n";
                source += more;
                at += 1;
            }
            let printed = at;
            while at < end && split_question(kind, lines[at]).is_none() {
                at += 1;
            }
            found.push(PageExample { line, goal, source, kind, printed: printed..at });
        }
    }
    Ok(found)
}

/// Splits a command line into words. A text in quotation marks is one word.
#[must_use]
pub fn split_command_line(line: &str) -> Vec<String> {
    // Every second part is inside of quotation marks. Other rules of a shell are not needed on a page.
    let parts = line.split('\'').enumerate();
    let words = parts.flat_map(|(index, part)| match index % 2 {
        0 => part.split_whitespace().map(str::to_owned).collect::<Vec<_>>(),
        _ => vec![part.to_owned()],
    });
    words.collect()
}

/// Returns the lines that a page shows of a command's output: those of its streams, and its exit status where that is not 0.
///
/// `status` is `None` if a signal has ended the command.
#[must_use]
pub fn printed_lines(kind: ExampleKind, out: &[u8], err: &[u8], status: Option<i32>) -> Vec<String> {
    let text =
        |bytes: &[u8]| String::from_utf8_lossy(bytes).lines().map(|l| l.trim_end().to_owned()).collect::<Vec<_>>();
    let mut printed = text(out);
    if matches!(kind, ExampleKind::Agree | ExampleKind::Shell) {
        printed = drop_times(&printed);
    }
    printed.extend(text(err));
    match status {
        Some(0) => {}
        Some(code) => printed.push(format!("exit status {code}")),
        None => printed.push("ended by a signal".to_owned()),
    }
    printed
}

/// Returns tables without their columns of times; a table ends at a blank line.
#[must_use]
pub fn drop_times(printed: &[String]) -> Vec<String> {
    let mut column = None;
    let mut cut = |line: &String| {
        let place = |heading: &str| line.find(heading);
        match (place("model"), place("time"), place("verdict")) {
            // A time differs from run to run, and would make every comparison fail.
            (Some(0), Some(from), Some(to)) => column = Some((from, to)),
            _ if line.is_empty() => column = None,
            _ => {}
        }
        let Some((from, to)) = column else { return line.clone() };
        let kept = line.chars().enumerate().filter(|(i, _)| *i < from || *i >= to).map(|(_, c)| c);
        kept.collect::<String>().trim_end().to_owned()
    };
    printed.iter().map(&mut cut).collect()
}
