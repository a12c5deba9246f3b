//! The derivation of a symbolic evaluation as text: at each step the rule, its redex and context, and the trace so far.

use super::embed::CoreProgram;
use super::evaluation::{ContextFrame, EvaluationObserver, SymbolicRule, plug_context};
use super::term::{CoreTerm, CoreVariable, Renaming};
use crate::syntax::name::Name;
use rustc_hash::FxHashSet;
use std::cell::RefCell;

/// The application of a rule.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct DerivationStep {
    /// The rule.
    pub rule: SymbolicRule,
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
const MAX_STEPS: usize = 1_000;
/// The largest size of a term that is printed.
const MAX_PRINTED_SIZE: u64 = 1_000;
/// The largest number of characters of a text.
const MAX_CHARACTERS: usize = 160;

/// A record of an evaluation. Variables that the evaluation makes are numbered, so that no two are printed alike.
#[derive(Debug)]
pub struct DerivationRecord {
    /// The names of the parameters, which are not given to other variables.
    reserved_names: FxHashSet<Name>,
    state: RefCell<DerivationState>,
}

#[derive(Debug, Default)]
/// The state of a recording.
struct DerivationState {
    steps: Vec<DerivationStep>,
    dropped_steps: u64,
    levels: Vec<NestedEvaluation>,
    /// The printed bindings of the trace so far, at all levels.
    bindings: Vec<String>,
    names: FxHashSet<Name>,
    renaming: Renaming,
}

/// A nested evaluation in progress.
#[derive(Debug)]
struct NestedEvaluation {
    context: Vec<ContextFrame>,
    /// The number of bindings when it began.
    before: usize,
}

impl DerivationRecord {
    /// Creates an empty record for a program.
    #[must_use]
    pub fn for_program(program: &CoreProgram) -> DerivationRecord {
        let reserved_names = program.parameters.iter().map(|(x, _)| x.name().clone()).collect();
        DerivationRecord { reserved_names, state: RefCell::default() }
    }

    /// Returns the steps that were kept, and the number of later ones.
    #[must_use]
    pub fn kept_steps(&self) -> (Vec<DerivationStep>, u64) {
        let state = self.state.borrow();
        (state.steps.clone(), state.dropped_steps)
    }

    /// Removes all steps, for an evaluation that starts again.
    pub fn clear(&self) {
        self.state.replace(DerivationState::default());
    }
}

impl DerivationState {
    /// Returns a term as text, with the names that its variables have in this record.
    fn term_text(&mut self, term: &CoreTerm) -> String {
        if term.size() > MAX_PRINTED_SIZE {
            return format!("(a term of {} parts)", term.size());
        }
        shorten_line(&self.renaming.apply_to(term).to_string())
    }

    /// Returns the last bindings of the trace as text.
    fn trace_text(&self) -> String {
        let (mut parts, mut letters) = (vec!["…"], 0);
        // From the end, as the newest bindings are of interest.
        for binding in self.bindings.iter().rev() {
            letters += binding.chars().count();
            if letters > MAX_CHARACTERS {
                parts.push("…");
                break;
            }
            parts.push(binding);
        }
        parts.reverse();
        parts.join(" ")
    }
}

/// Returns a text on one line, cut at [`MAX_CHARACTERS`] characters.
fn shorten_line(text: &str) -> String {
    let mut letters = text.chars().map(|letter| if letter == '\n' { ' ' } else { letter });
    let mut short: String = letters.by_ref().take(MAX_CHARACTERS).collect();
    if letters.next().is_some() {
        short.push('…');
    }
    short
}

impl EvaluationObserver for DerivationRecord {
    fn rule_applied(&self, rule: SymbolicRule, redex: &CoreTerm, context: &[ContextFrame]) {
        let mut state = self.state.borrow_mut();
        if state.steps.len() >= MAX_STEPS {
            state.dropped_steps += 1;
            return;
        }
        // A rule at the root of a nested evaluation is shown in the context in which that was entered.
        let inner = state.levels.last().map_or(&[][..], |level| &level.context);
        let context = if context.is_empty() { inner } else { context };
        let hole = CoreVariable::fresh(&"□".into());
        let context = (!context.is_empty()).then(|| plug_context(context, CoreTerm::variable(&hole)));
        let context = context.map(|context| state.term_text(&context));
        let (level, redex, trace) = (state.levels.len(), state.term_text(redex), state.trace_text());
        state.steps.push(DerivationStep { rule, level, redex, context, trace });
    }

    fn evaluation_entered(&self, context: &[ContextFrame]) {
        let mut state = self.state.borrow_mut();
        let before = state.bindings.len();
        state.levels.push(NestedEvaluation { context: context.to_vec(), before });
    }

    fn evaluation_left(&self) {
        let mut state = self.state.borrow_mut();
        if let Some(level) = state.levels.pop() {
            state.bindings.truncate(level.before);
        }
    }

    fn binding_added(&self, x: &CoreVariable, value: &CoreTerm) {
        let mut state = self.state.borrow_mut();
        if state.steps.len() >= MAX_STEPS {
            return;
        }
        let value = state.term_text(value);
        let numbered = (1..).map(|n| Name::from(format!("{}{n}", x.name())));
        let mut names = std::iter::once(x.name().clone()).chain(numbered);
        let Some(name) = names.find(|name| !state.names.contains(name) && !self.reserved_names.contains(name)) else {
            return;
        };
        state.names.insert(name.clone());
        let binding = format!("let {name} = {value} in");
        state.bindings.push(binding);
        // The binding belongs to the step that was applied last, whose trace grows by it.
        state.renaming.insert(x, CoreTerm::variable(&CoreVariable::fresh(&name)));
        let trace = state.trace_text();
        if let Some(last) = state.steps.last_mut() {
            last.trace = trace;
        }
    }
}
