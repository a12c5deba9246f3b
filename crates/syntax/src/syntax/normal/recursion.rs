//! The unfolding of recursive calls: only if every condition before the next call is decided.
//!
//! `let rec f n = if n == 0 then a else b (f (n - 1))` unfolds at 3. At a variable it is stuck, like a variable itself.
//! The body is traversed with the given arguments. An open condition prevents unfolding if one of its branches mentions
//! the function, directly or through a `let`. A recursion that passes this test and does not end, such as `let rec f n
//! = f (n + 1)`, uses up the steps.

use super::error::NormalError;
use super::machine::{HeapCell, HeapEnvironment, LazyMachine, WeakHead};
use super::types::{TypeKey, TypeTable};
use crate::stack::with_stack;
use crate::syntax::name::Name;
use crate::syntax::term::{MatchBranch, Term, TermKind};

/// A recursive function `let rec name = value`, in the environment `outside`.
#[derive(Clone, Debug)]
pub(super) struct Recursion {
    pub(super) name: Name,
    pub(super) value: Term,
    pub(super) ty: TypeKey,
    pub(super) outside: HeapEnvironment,
    /// The environment in which `name` is this recursion.
    pub(super) inside: HeapEnvironment,
    pub(super) marks: RecursionMarks,
}

/// The variables bound from the recursion inwards that lead to the recursive function.
#[derive(Clone, Debug)]
pub(super) struct RecursionMarks {
    /// The address of the recursive value, which identifies the recursion.
    owner: usize,
    leading: Vec<bool>,
}

impl RecursionMarks {
    /// Makes the marks in the recursive value: its one variable is the function itself.
    pub(super) fn at_recursion(value: &Term) -> RecursionMarks {
        RecursionMarks { owner: value.address(), leading: vec![true] }
    }

    fn leads_to_function(&self, index: usize, binders: usize) -> bool {
        index
            .checked_sub(binders)
            .and_then(|index| self.leading.len().checked_sub(index + 1))
            .is_some_and(|place| self.leading[place])
    }
}

impl LazyMachine {
    /// Unfolds a recursive function at these arguments. Returns its body, the environment of it, and the number of
    /// arguments used. `None` if the recursion is stuck.
    pub(super) fn unfold_recursion(
        &mut self,
        recursion: u32,
        arguments: &[HeapCell],
    ) -> Result<Option<(Term, HeapEnvironment, usize)>, NormalError> {
        let Recursion { value: mut term, inside: mut environment, mut marks, .. } =
            self.recursions[recursion as usize].clone();
        let mut used = 0;
        loop {
            self.count_step()?;
            match term.kind() {
                TermKind::Lambda { body, .. } if used < arguments.len() => {
                    // An argument is a value from outside: it does not lead to this recursion.
                    environment = self.extend(environment, arguments[used]);
                    marks.leading.push(false);
                    used += 1;
                    term = body.clone();
                }
                TermKind::Let { value, body, .. } => {
                    // A variable for a value that mentions the function leads to it as the function itself does.
                    marks.leading.push(self.mentions_function(value, &marks)?);
                    let value = self.let_cell(value, environment);
                    environment = self.extend(environment, value);
                    term = body.clone();
                }
                TermKind::If { condition, then, otherwise } => {
                    let condition = self.delay(condition, environment);
                    match self.force(condition)? {
                        WeakHead::Bool(decided) => term = if decided { then.clone() } else { otherwise.clone() },
                        // Open, and a branch calls: unfolding here would go on for ever.
                        _ if self.mentions_function(then, &marks)? || self.mentions_function(otherwise, &marks)? => {
                            return Ok(None);
                        }
                        _ => break,
                    }
                }
                TermKind::Match { scrutinee, branches, .. } => {
                    let leads = self.mentions_function(scrutinee, &marks)?;
                    let scrutinee = self.delay(scrutinee, environment);
                    marks.leading.push(leads);
                    match self.force(scrutinee)? {
                        WeakHead::Inject(constructor, argument) => {
                            let branch = branches.get(constructor.index()).ok_or(NormalError::IllScoped)?;
                            environment = self.extend(environment, argument);
                            term = branch.body.clone();
                        }
                        _ if self.any_branch_mentions(branches, &marks)? => return Ok(None),
                        _ => {
                            marks.leading.pop();
                            break;
                        }
                    }
                }
                _ => break,
            }
        }
        // What is left is no condition at the head, but there may be some inside.
        Ok(self.is_decided(&term, environment, &mut marks)?.then_some((term, environment, used)))
    }

    /// Returns `true` if every condition before a recursive call is decided.
    fn is_decided(
        &mut self,
        term: &Term,
        environment: HeapEnvironment,
        marks: &mut RecursionMarks,
    ) -> Result<bool, NormalError> {
        if !self.mentions_function(term, marks)? {
            return Ok(true);
        }
        self.count_step()?;
        let under = |machine: &mut LazyMachine, body: &Term, environment, leads, marks: &mut RecursionMarks| {
            marks.leading.push(leads);
            let result = machine.one_level_deeper(|machine| machine.is_decided(body, environment, marks));
            marks.leading.pop();
            result
        };
        match term.kind() {
            TermKind::Lambda { body, .. } => {
                // The argument of an inner function is unknown: conditions on it stay open.
                let variable = self.new_value_cell(WeakHead::Variable(0, TypeTable::UNKNOWN));
                let environment = self.extend(environment, variable);
                under(self, body, environment, false, marks)
            }
            TermKind::Let { value, body, .. } => {
                if !self.one_level_deeper(|machine| machine.is_decided(value, environment, marks))? {
                    return Ok(false);
                }
                let leads = self.mentions_function(value, marks)?;
                let value = self.let_cell(value, environment);
                let environment = self.extend(environment, value);
                under(self, body, environment, leads, marks)
            }
            TermKind::LetRec { name, value, body } => {
                // The inner recursion's own variable is not the outer function.
                marks.leading.push(false);
                let leads = self.mentions_function(value, marks);
                marks.leading.pop();
                let (environment, leads) = (self.recursive_environment(name, value, environment), leads?);
                under(self, body, environment, leads, marks)
            }
            TermKind::If { condition, then, otherwise } => {
                let condition = self.delay(condition, environment);
                match self.force(condition)? {
                    WeakHead::Bool(decided) => {
                        let branch = if decided { then } else { otherwise };
                        self.one_level_deeper(|machine| machine.is_decided(branch, environment, marks))
                    }
                    _ => Ok(!self.mentions_function(then, marks)? && !self.mentions_function(otherwise, marks)?),
                }
            }
            TermKind::Match { scrutinee, branches, .. } => {
                let leads = self.mentions_function(scrutinee, marks)?;
                let scrutinee = self.delay(scrutinee, environment);
                match self.force(scrutinee)? {
                    WeakHead::Inject(constructor, argument) => {
                        let branch = branches.get(constructor.index()).ok_or(NormalError::IllScoped)?;
                        let environment = self.extend(environment, argument);
                        under(self, &branch.body, environment, leads, marks)
                    }
                    _ => {
                        marks.leading.push(leads);
                        let mentions = self.any_branch_mentions(branches, marks);
                        marks.leading.pop();
                        Ok(!mentions?)
                    }
                }
            }
            kind => {
                for child in kind.children() {
                    if !self.one_level_deeper(|machine| machine.is_decided(child, environment, marks))? {
                        return Ok(false);
                    }
                }
                Ok(true)
            }
        }
    }

    /// Returns `true` if a term mentions the recursive function. In one recursion a subterm always has the same marks,
    /// so the answer is cached by address.
    fn mentions_function(&mut self, term: &Term, marks: &RecursionMarks) -> Result<bool, NormalError> {
        let key = (marks.owner, term.address());
        if let Some(&known) = self.mentions.get(&key) {
            return Ok(known);
        }
        let found = self.search_for_function(term, marks, 0)?;
        self.mentions.insert(key, found);
        Ok(found)
    }

    /// Returns `true` if a branch mentions the function; the marks are those inside the branch.
    fn any_branch_mentions(&mut self, branches: &[MatchBranch], marks: &RecursionMarks) -> Result<bool, NormalError> {
        for branch in branches {
            if self.mentions_function(&branch.body, marks)? {
                return Ok(true);
            }
        }
        Ok(false)
    }

    fn search_for_function(
        &mut self,
        term: &Term,
        marks: &RecursionMarks,
        binders: usize,
    ) -> Result<bool, NormalError> {
        self.count_step()?;
        let mut inside = |part: &Term, binders| with_stack(|| self.search_for_function(part, marks, binders));
        Ok(match term.kind() {
            TermKind::Variable { index, .. } => marks.leads_to_function(*index, binders),
            TermKind::Lambda { body, .. } => inside(body, binders + 1)?,
            TermKind::Let { value, body, .. } => inside(value, binders)? || inside(body, binders + 1)?,
            TermKind::LetRec { value, body, .. } => inside(value, binders + 1)? || inside(body, binders + 1)?,
            TermKind::Match { scrutinee, branches, .. } => {
                if inside(scrutinee, binders)? {
                    return Ok(true);
                }
                for branch in branches {
                    if inside(&branch.body, binders + 1)? {
                        return Ok(true);
                    }
                }
                false
            }
            kind => {
                for child in kind.children() {
                    if inside(child, binders)? {
                        return Ok(true);
                    }
                }
                false
            }
        })
    }
}
