//! Symbolic evaluation, step by step, as text: the rule, the redex and its context, and the trace as far as it is known.

use super::context::{Frame, plug};
use super::embed::Program;
use super::evaluation::observer::{Observer, Rule};
use super::renaming::Renaming;
use super::term::{Term, Variable};
use crate::syntax::name::Name;
use rustc_hash::FxHashSet;
use std::cell::RefCell;

/// One rule that was applied.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Step {
    /// Which.
    pub rule: Rule,
    /// Within how many evaluations.
    pub level: usize,
    /// What it was applied to.
    pub redex: String,
    /// E, with `□` for its hole; `None` where it is trivial.
    pub context: Option<String>,
    /// The trace after it, `…` standing for what is not known yet; its end where it is long.
    pub trace: String,
}

/// The most steps that are kept.
const MOST: usize = 1_000;
/// The largest term that is written out.
const LARGEST: u64 = 1_000;
/// How many letters of a text are kept.
const LETTERS: usize = 160;

/// What an evaluation did. Variables that evaluation made have names of their own, so that no two are written alike.
#[derive(Debug)]
pub struct Record {
    /// The names of variables that were there before.
    taken: FxHashSet<Name>,
    state: RefCell<State>,
}

#[derive(Debug, Default)]
struct State {
    steps: Vec<Step>,
    further: u64,
    levels: Vec<Level>,
    /// What is bound now, outside of all levels.
    bindings: Vec<String>,
    names: FxHashSet<Name>,
    renaming: Renaming,
}

#[derive(Debug)]
struct Level {
    context: Vec<Frame>,
    /// How many bindings there were.
    before: usize,
}

impl Record {
    /// An empty record of a program with these parameters.
    #[must_use]
    pub fn of(program: &Program) -> Record {
        let taken = program.parameters.iter().map(|(x, _)| x.name().clone()).collect();
        Record { taken, state: RefCell::default() }
    }

    /// The steps, and how many there were after those.
    #[must_use]
    pub fn steps(&self) -> (Vec<Step>, u64) {
        let state = self.state.borrow();
        (state.steps.clone(), state.further)
    }

    /// Forgets everything, for an evaluation that begins anew.
    pub fn clear(&self) {
        self.state.replace(State::default());
    }
}

impl State {
    /// A term with the names that variables have here.
    fn text(&mut self, term: &Term) -> String {
        if term.size() > LARGEST {
            return format!("(a term of {} parts)", term.size());
        }
        shortened(&self.renaming.of(term).to_string())
    }

    fn trace(&self) -> String {
        let (mut parts, mut letters) = (vec!["…"], 0);
        for binding in self.bindings.iter().rev() {
            letters += binding.chars().count();
            if letters > LETTERS {
                parts.push("…");
                break;
            }
            parts.push(binding);
        }
        parts.reverse();
        parts.join(" ")
    }
}

/// A text on one line, and its beginning where it is long.
fn shortened(text: &str) -> String {
    let mut letters = text.chars().map(|letter| if letter == '\n' { ' ' } else { letter });
    let mut short: String = letters.by_ref().take(LETTERS).collect();
    if letters.next().is_some() {
        short.push('…');
    }
    short
}

impl Observer for Record {
    fn applied(&self, rule: Rule, redex: &Term, context: &[Frame]) {
        let mut state = self.state.borrow_mut();
        if state.steps.len() >= MOST {
            state.further += 1;
            return;
        }
        let inner = state.levels.last().map_or(&[][..], |level| &level.context);
        let context = if context.is_empty() { inner } else { context };
        let hole = Variable::fresh(&"□".into());
        let context = (!context.is_empty()).then(|| plug(context, Term::variable(&hole)));
        let context = context.map(|context| state.text(&context));
        let (level, redex, trace) = (state.levels.len(), state.text(redex), state.trace());
        state.steps.push(Step { rule, level, redex, context, trace });
    }

    fn entered(&self, context: &[Frame]) {
        let mut state = self.state.borrow_mut();
        let before = state.bindings.len();
        state.levels.push(Level { context: context.to_vec(), before });
    }

    fn left(&self) {
        let mut state = self.state.borrow_mut();
        if let Some(level) = state.levels.pop() {
            state.bindings.truncate(level.before);
        }
    }

    fn bound(&self, x: &Variable, value: &Term) {
        let mut state = self.state.borrow_mut();
        if state.steps.len() >= MOST {
            return;
        }
        let value = state.text(value);
        let numbered = (1..).map(|n| Name::from(format!("{}{n}", x.name())));
        let mut names = std::iter::once(x.name().clone()).chain(numbered);
        let Some(name) = names.find(|name| !state.names.contains(name) && !self.taken.contains(name)) else { return };
        state.names.insert(name.clone());
        let binding = format!("let {name} = {value} in");
        state.bindings.push(binding);
        state.renaming.insert(x, Term::variable(&Variable::fresh(&name)));
        let trace = state.trace();
        if let Some(last) = state.steps.last_mut() {
            last.trace = trace;
        }
    }
}
