//! Traces as a person would write them: the same function, with definedness, in fewer words.
//!
//! Symbolic evaluation names every redex, and every value that a variable is bound to. Here the trace is made straight; what
//! is used once stands where it is used, what is not used and defined everywhere is left out, and `1 * x`, `x + 0` and their like are x.
//! All of that holds by value, for everything that may be undefined is kept. Of a program the same is done in each branch and in each
//! function.

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

/// The largest part that is written where it is used.
const INLINE: u64 = 40;

/// A trace in fewer words.
///
/// # Errors
/// [`Obstacle::Stuck`] for what is no trace term.
pub fn tidy(trace: &Term) -> Result<Term, Obstacle> {
    within(None, trace)
}

/// A program without `rd` in fewer words, with the types of its parameters.
///
/// # Errors
/// [`Obstacle::Stuck`] for what has an `rd`.
pub fn tidy_program(parameters: &[(Variable, Ty)], program: &Term) -> Result<Term, Obstacle> {
    within(Some(&Scope::new(&hooks::Library, parameters)), program)
}

fn within(scope: Option<&Scope>, term: &Term) -> Result<Term, Obstacle> {
    let mut straight = Straight::within(scope);
    let result = straight.straighten(term)?;
    let mut tidied = Tidied::default();
    let mut lines = Vec::new();
    for line in straight.lines {
        tidied.simplify(line, &mut lines);
    }
    let answer = tidied.tree(&result);

    // who is used how often, from the end; what is not used and total is not written
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
    // what stands for a line where it is used
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
        // what is done last stays the last thing that is done
        let is_last = matches!(answer.kind(), TermKind::Variable(x) if *x == line.variable);
        let once = uses.get(&line.variable) == Some(&1) && (value.size() <= INLINE || is_last);
        if once || matches!(line.step, Step::Part) {
            known.insert(line.variable, value);
            continue;
        }
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
    /// Whether it is defined whatever its parts are.
    fn is_total(&self) -> bool {
        match &self.step {
            Step::Operation(operation, _) => operation.is_total(),
            Step::Add(_) | Step::Part => true,
            Step::Whole(_) => false,
        }
    }

    /// Counts what it uses.
    fn count(&self, uses: &mut FxHashMap<Variable, usize>) {
        match &self.step {
            Step::Add(parts) => parts.iter().for_each(|part| count(part, uses)),
            Step::Operation(_, parts) => parts.iter().for_each(|part| count(part, uses)),
            Step::Part | Step::Whole(_) => count(&self.value, uses),
        }
        // what is evaluated before a conditional is not evaluated in a branch
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

/// A term with terms for variables that it does not bind, and in which nothing is that it binds.
fn put(term: &Term, known: &FxHashMap<Variable, Term>) -> Term {
    match term.kind() {
        TermKind::Variable(x) => known.get(x).unwrap_or(term).clone(),
        kind => Term::from(kind.map(&mut |part| deep(|| put(part, known)))).at(term.site()),
    }
}

/// What is known of the variables of lines: other atoms.
#[derive(Default)]
struct Tidied {
    atoms: FxHashMap<Variable, Term>,
    /// The parts of pairs that have variables: whether it is the first, of which pair.
    parts: FxHashMap<(bool, Variable), Term>,
}

impl Tidied {
    fn atom(&self, atom: &Term) -> Term {
        match atom.kind() {
            TermKind::Variable(x) => self.atoms.get(x).unwrap_or(atom).clone(),
            _ => atom.clone(),
        }
    }

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

/// Which part of what a projection is.
fn part(value: &Term) -> Option<(bool, Variable)> {
    match value.kind() {
        TermKind::First(_, _, pair) | TermKind::Second(_, _, pair) => match pair.kind() {
            TermKind::Variable(x) => Some((matches!(value.kind(), TermKind::First(..)), x.clone())),
            _ => None,
        },
        _ => None,
    }
}

fn number(atom: &Term) -> Option<&Rational> {
    match atom.kind() {
        TermKind::Number(q) => Some(q),
        _ => None,
    }
}

/// An operation that is one of its arguments, or a number.
fn simpler(operation: &Operation, arguments: &[Term]) -> Option<Term> {
    let is = |atom: &Term, n: i64| number(atom).is_some_and(|q| *q == n);
    match (operation, arguments) {
        (Operation::Negate, [a]) => Some(Term::number(Rational::from(-number(a)?))),
        (Operation::Multiply, [a, b]) => match (number(a), number(b)) {
            (Some(p), Some(q)) => Some(Term::number(Rational::from(p * q))),
            _ if is(a, 1) => Some(b.clone()),
            _ if is(b, 1) => Some(a.clone()),
            // both have values here
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
