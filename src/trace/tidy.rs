//! Traces as a person would write them: the same function, with definedness, in fewer words.
//!
//! Symbolic evaluation names every redex, and every value that a variable is bound to. Here the trace is made straight; what
//! is used once stands where it is used, what is not used and defined everywhere is left out, and `1 * x`, `x + 0` and their like are x.
//! All of that holds by value, for everything that may be undefined is kept.

use super::error::Obstacle;
use super::operation::Operation;
use super::straight::{Line, Step, Straight, Tree};
use super::term::{Term, TermKind, Variable};
use crate::number::Rational;
use rustc_hash::FxHashMap;

/// The largest part that is written where it is used.
const INLINE: u64 = 40;

/// A trace in fewer words.
///
/// # Errors
/// [`Obstacle::Stuck`] for what is no trace term.
pub fn tidy(trace: &Term) -> Result<Term, Obstacle> {
    let mut straight = Straight::default();
    let result = straight.straighten(trace)?;
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
            line.atoms().for_each(|atom| count(atom, &mut uses));
            written.push(line);
        }
    }
    // what stands for a line where it is used
    let mut known: FxHashMap<Variable, Term> = FxHashMap::default();
    let mut kept = Vec::new();
    for line in written.into_iter().rev() {
        let value = put(&line.value, &known);
        let once = uses.get(&line.variable) == Some(&1) && value.size() <= INLINE;
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
    Ok(kept.into_iter().rev().fold(answer, |body, (x, ty, value)| Term::bind(&x, ty, value, body)))
}

impl Line {
    /// Whether it is defined whatever its parts are.
    fn is_total(&self) -> bool {
        match &self.step {
            Step::Operation(operation, _) => operation.is_total(),
            Step::Add(_) | Step::Part => true,
        }
    }

    fn atoms(&self) -> impl Iterator<Item = &Term> {
        let (some, part): (&[Term], _) = match &self.step {
            Step::Add(parts) => (parts, None),
            Step::Operation(_, parts) => (parts, None),
            Step::Part => (&[], Some(&self.value)),
        };
        some.iter().chain(part)
    }
}

/// Counts the variables of a term without binders.
fn count(term: &Term, uses: &mut FxHashMap<Variable, usize>) {
    match term.kind() {
        TermKind::Variable(x) => *uses.entry(x.clone()).or_default() += 1,
        kind => kind.children(|part| count(part, uses)),
    }
}

/// A term without binders, with terms for variables.
fn put(term: &Term, known: &FxHashMap<Variable, Term>) -> Term {
    match term.kind() {
        TermKind::Variable(x) => known.get(x).unwrap_or(term).clone(),
        kind => Term::from(kind.map(&mut |part| put(part, known))).at(term.site()),
    }
}

/// What is known of the variables of lines: other atoms.
#[derive(Default)]
struct Tidied {
    atoms: FxHashMap<Variable, Term>,
    parts: Vec<(Term, Term)>,
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
                    let same = |(other, _): &&(Term, Term)| other.to_string() == value.to_string();
                    let before = self.parts.iter().find(same).map(|(_, atom)| atom.clone());
                    if before.is_none() {
                        self.parts.push((value.clone(), Term::variable(&line.variable)));
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
