//! The derivation of a symbolic evaluation as text: at each step the rule, its redex and context, and the trace so far.

use super::context::{Frame, plug};
use super::embed::Program;
use super::evaluation::observer::{Observer, Rule};
use super::renaming::Renaming;
use super::term::{Term, Variable};
use crate::syntax::name::Name;
use rustc_hash::FxHashSet;
use std::cell::RefCell;

/// The application of a rule.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Step {
    /// The rule.
    pub rule: Rule,
    /// The number of evaluations that contain this one.
    pub level: usize,
    /// The redex.
    pub redex: String,
    /// The context E, with `□` for its hole; `None` if it is trivial.
    pub context: Option<String>,
    /// The trace after the step, with `…` for the unknown rest. Only its last part is kept if it is long.
    pub trace: String,
}

/// The largest number of steps that are kept. A choice, as those below: more are not read.
const MOST: usize = 1_000;
/// The largest size of a term that is printed.
const LARGEST: u64 = 1_000;
/// The largest number of characters of a text.
const LETTERS: usize = 160;

/// A record of an evaluation. Variables that the evaluation makes are numbered, so that no two are printed alike.
#[derive(Debug)]
pub struct Record {
    /// The names of the parameters, which are not given to other variables.
    taken: FxHashSet<Name>,
    state: RefCell<State>,
}

#[derive(Debug, Default)]
/// The state of a recording.
struct State {
    steps: Vec<Step>,
    further: u64,
    levels: Vec<Level>,
    /// The printed bindings of the trace so far, at all levels.
    bindings: Vec<String>,
    names: FxHashSet<Name>,
    renaming: Renaming,
}

/// A nested evaluation in progress.
#[derive(Debug)]
struct Level {
    context: Vec<Frame>,
    /// The number of bindings when it began.
    before: usize,
}

impl Record {
    /// Creates an empty record for a program.
    #[must_use]
    pub fn of(program: &Program) -> Record {
        let taken = program.parameters.iter().map(|(x, _)| x.name().clone()).collect();
        Record { taken, state: RefCell::default() }
    }

    /// Returns the steps that were kept, and the number of later ones.
    #[must_use]
    pub fn steps(&self) -> (Vec<Step>, u64) {
        let state = self.state.borrow();
        (state.steps.clone(), state.further)
    }

    /// Removes all steps, for an evaluation that starts again.
    pub fn clear(&self) {
        self.state.replace(State::default());
    }
}

impl State {
    /// Returns a term as text, with the names that its variables have in this record.
    fn text(&mut self, term: &Term) -> String {
        if term.size() > LARGEST {
            return format!("(a term of {} parts)", term.size());
        }
        shortened(&self.renaming.of(term).to_string())
    }

    /// Returns the last bindings of the trace as text.
    fn trace(&self) -> String {
        let (mut parts, mut letters) = (vec!["…"], 0);
        // From the end, as the newest bindings are of interest.
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

/// Returns a text on one line, cut at [`LETTERS`] characters.
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
        // A rule at the root of a nested evaluation is shown in the context in which that was entered.
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
        // The binding belongs to the step that was applied last, whose trace grows by it.
        state.renaming.insert(x, Term::variable(&Variable::fresh(&name)));
        let trace = state.trace();
        if let Some(last) = state.steps.last_mut() {
            last.trace = trace;
        }
    }
}
