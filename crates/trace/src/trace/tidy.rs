//! Simplification of traces: the same partial function, with fewer `let`s.
//!
//! Symbolic evaluation binds every redex, and every value of a variable. Here the trace is brought into straight-line
//! form. A line that is used once is inlined, a line without use that is defined everywhere is removed, and `1 * x`,
//! `x + 0` and their like become x. All of this preserves definedness, as everything that may be undefined is kept.
//! Programs are simplified in each branch and each function body.

use super::error::Obstacle;
use super::hooks;
use super::operation::Operation;
use super::source::Scope;
use super::straight::{Line, Step, Straight, Tree};
use super::term::{Definition, Term, TermKind, Variable};
use super::ty::Ty;
use crate::number::Rational;
use crate::stack::deep;
use rustc_hash::FxHashMap;
use std::sync::Arc;

/// The largest size of a term that is inlined. A choice: longer expressions read worse than a name.
const INLINE: u64 = 40;

/// Simplifies a trace.
///
/// # Errors
/// [`Obstacle::Stuck`] if the term is no trace term.
pub fn tidy(trace: &Term) -> Result<Term, Obstacle> {
    within(None, trace)
}

/// Simplifies a program without `rd`. The parameters are its free variables, with their types.
///
/// # Errors
/// [`Obstacle::Stuck`] if the program contains an `rd`.
pub fn tidy_program(parameters: &[(Variable, Ty)], program: &Term) -> Result<Term, Obstacle> {
    within(Some(&Scope::new(&hooks::Library, parameters)), program)
}

/// Simplifies a term; a trace if there is no scope.
fn within(scope: Option<&Scope>, term: &Term) -> Result<Term, Obstacle> {
    let mut straight = Straight::within(scope);
    let result = straight.straighten(term)?;
    let mut tidied = Tidied::default();
    let mut lines = Vec::new();
    for line in straight.lines {
        tidied.simplify(line, &mut lines);
    }
    let answer = tidied.tree(&result);

    // Uses are counted from the end, so that uses by removed lines do not count.
    let mut uses = FxHashMap::default();
    count(&answer, &mut uses);
    let mut written = Vec::new();
    for line in lines.into_iter().rev() {
        let used = uses.get(&line.variable).copied().unwrap_or(0);
        if used > 0 || !line.is_total() {
            line.count(&mut uses);
            written.push(line);
        }
    }
    // Lines are inlined from the front, so that an inlined term contains the terms inlined before.
    let mut known: FxHashMap<Variable, Term> = FxHashMap::default();
    let mut kept = Vec::new();
    for line in written.into_iter().rev() {
        let value = put(&line.value, &known);
        let value = match value.kind() {
            TermKind::If(condition, then, otherwise) => {
                let [then, otherwise] = [then, otherwise].map(|branch| deep(|| within(scope, branch)));
                Term::from(TermKind::If(condition.clone(), then?, otherwise?)).at(value.site())
            }
            _ => value,
        };
        // The last line is always inlined, however large: a tail call must stay in tail position.
        let is_last = matches!(answer.kind(), TermKind::Variable(x) if *x == line.variable);
        let once = uses.get(&line.variable) == Some(&1) && (value.size() <= INLINE || is_last);
        if once || matches!(line.step, Step::Part) {
            known.insert(line.variable, value);
            continue;
        }
        // Bound variables are named a, …, z, t26, … in the order of the trace.
        let name = match u8::try_from(kept.len()) {
            Ok(letter @ 0..26) => char::from(b'a' + letter).to_string(),
            _ => format!("t{}", kept.len()),
        };
        let variable = Variable::fresh(&name.as_str().into());
        known.insert(line.variable, Term::variable(&variable));
        kept.push((variable, line.ty, value));
    }
    let answer = put(&answer, &known);
    let mut answer = kept.into_iter().rev().fold(answer, |body, (x, ty, value)| Term::bind(&x, ty, value, body));
    for definition in straight.definitions.into_iter().rev() {
        let body = deep(|| within(scope, &definition.body))?;
        answer = TermKind::LetRec(Arc::new(Definition { body, ..(*definition).clone() }), answer).into();
    }
    Ok(answer)
}

impl Line {
    /// Returns `true` if the line is defined for all values of its arguments.
    fn is_total(&self) -> bool {
        match &self.step {
            Step::Operation(operation, _) => operation.is_total(),
            Step::Add(_) | Step::Part => true,
            Step::Whole(_) => false,
        }
    }

    /// Counts the variables that the line uses.
    fn count(&self, uses: &mut FxHashMap<Variable, usize>) {
        match &self.step {
            Step::Add(parts) => parts.iter().for_each(|part| count(part, uses)),
            Step::Operation(_, parts) => parts.iter().for_each(|part| count(part, uses)),
            Step::Part | Step::Whole(_) => count(&self.value, uses),
        }
        // Variables in branches count twice: a line must not move into a branch, where it might not be evaluated.
        if let TermKind::If(_, then, otherwise) = self.value.kind() {
            count(then, uses);
            count(otherwise, uses);
        }
    }
}

/// Counts the variables of a term.
fn count(term: &Term, uses: &mut FxHashMap<Variable, usize>) {
    match term.kind() {
        TermKind::Variable(x) => *uses.entry(x.clone()).or_default() += 1,
        kind => kind.children(|part| deep(|| count(part, uses))),
    }
}

/// Replaces variables by terms. The term must bind no variable that occurs in these, and none that is replaced.
fn put(term: &Term, known: &FxHashMap<Variable, Term>) -> Term {
    match term.kind() {
        TermKind::Variable(x) => known.get(x).unwrap_or(term).clone(),
        kind => Term::from(kind.map(&mut |part| deep(|| put(part, known)))).at(term.site()),
    }
}

/// The simplifications of the lines so far: atoms for which their variables stand.
#[derive(Default)]
struct Tidied {
    atoms: FxHashMap<Variable, Term>,
    /// The projections of variables so far, by `true` for `fst` and the variable; repeated ones are shared.
    parts: FxHashMap<(bool, Variable), Term>,
}

impl Tidied {
    /// Returns the atom for which an atom stands.
    fn atom(&self, atom: &Term) -> Term {
        match atom.kind() {
            TermKind::Variable(x) => self.atoms.get(x).unwrap_or(atom).clone(),
            _ => atom.clone(),
        }
    }

    /// Returns a value as a term, with known variables replaced.
    fn tree(&self, tree: &Tree) -> Term {
        match tree {
            Tree::Unit => Term::unit(),
            Tree::Atom(atom) => self.atom(atom),
            Tree::Pair(parts) => {
                let [(left, t), (right, u)] = &**parts;
                Term::pair(t.clone(), u.clone(), self.tree(left), self.tree(right))
            }
        }
    }

    /// Adds a line, unless its variable stands for another atom.
    fn simplify(&mut self, line: Line, lines: &mut Vec<Line>) {
        let known = match &line.step {
            Step::Part => match line.value.kind() {
                TermKind::Variable(_) | TermKind::Number(_) => Some(self.atom(&line.value)),
                _ => {
                    let value = put(&line.value, &self.atoms);
                    let before = part(&value).and_then(|part| self.parts.get(&part).cloned());
                    if before.is_none() {
                        let atom = Term::variable(&line.variable);
                        self.parts.extend(part(&value).map(|part| (part, atom)));
                        lines.push(Line { value, ..line });
                        return;
                    }
                    before
                }
            },
            Step::Add([a, b]) => {
                let [a, b] = [self.atom(a), self.atom(b)];
                let sum = match (number(&a), number(&b)) {
                    (Some(p), Some(q)) => Some(Term::number(Rational::from(p + q))),
                    (Some(p), _) if *p == 0 => Some(b.clone()),
                    (_, Some(q)) if *q == 0 => Some(a.clone()),
                    _ => None,
                };
                if sum.is_none() {
                    lines.push(Line { value: Term::sum(a.clone(), b.clone()), step: Step::Add([a, b]), ..line });
                    return;
                }
                sum
            }
            Step::Whole(_) => {
                let value = put(&line.value, &self.atoms);
                lines.push(Line { value, ..line });
                return;
            }
            Step::Operation(operation, arguments) => {
                let arguments: Vec<_> = arguments.iter().map(|atom| self.atom(atom)).collect();
                let found = simpler(operation, &arguments);
                if found.is_none() {
                    let value = put(&line.value, &self.atoms);
                    let step = Step::Operation(operation.clone(), arguments);
                    lines.push(Line { value, step, ..line });
                    return;
                }
                found
            }
        };
        if let Some(atom) = known {
            self.atoms.insert(line.variable, atom);
        }
    }
}

/// Returns the form of a projection of a variable: `true` for `fst`, and the variable.
fn part(value: &Term) -> Option<(bool, Variable)> {
    match value.kind() {
        TermKind::First(_, _, pair) | TermKind::Second(_, _, pair) => match pair.kind() {
            TermKind::Variable(x) => Some((matches!(value.kind(), TermKind::First(..)), x.clone())),
            _ => None,
        },
        _ => None,
    }
}

/// Returns the number that an atom is.
fn number(atom: &Term) -> Option<&Rational> {
    match atom.kind() {
        TermKind::Number(q) => Some(q),
        _ => None,
    }
}

/// Returns the argument, or the number, that an operation equals. `None` if it equals neither.
fn simpler(operation: &Operation, arguments: &[Term]) -> Option<Term> {
    let is = |atom: &Term, n: i64| number(atom).is_some_and(|q| *q == n);
    match (operation, arguments) {
        (Operation::Negate, [a]) => Some(Term::number(Rational::from(-number(a)?))),
        (Operation::Multiply, [a, b]) => match (number(a), number(b)) {
            (Some(p), Some(q)) => Some(Term::number(Rational::from(p * q))),
            _ if is(a, 1) => Some(b.clone()),
            _ if is(b, 1) => Some(a.clone()),
            // 0·x = 0 also drops x, which is an atom and so has a value.
            _ if is(a, 0) || is(b, 0) => Some(Term::number(0)),
            _ => None,
        },
        (Operation::Subtract, [a, b]) if is(b, 0) => Some(a.clone()),
        (Operation::Divide, [a, b]) if is(b, 1) => Some(a.clone()),
        (Operation::Power(q), [a]) if *q == 1 => Some(a.clone()),
        (Operation::Power(q), [_]) if *q == 0 => Some(Term::number(1)),
        _ => None,
    }
}
