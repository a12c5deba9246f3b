//! Traces made straight: lists of operations on real numbers, each under a variable, pairs being known part by part.

use super::error::Obstacle;
use super::operation::Operation;
use super::term::{Term, TermKind, Variable};
use super::ty::Ty;
use crate::stack::deep;
use rustc_hash::FxHashMap;

/// A value whose pairs are known.
#[derive(Clone)]
pub(super) enum Tree {
    /// A variable or a number. It is a real number unless it is a variable from outside.
    Atom(Term),
    Unit,
    Pair(Box<[(Tree, Ty); 2]>),
}

/// What a variable stands for: a sum, an operation at atoms, or a part of a pair from outside.
pub(super) enum Step {
    Add([Term; 2]),
    Operation(Operation, Vec<Term>),
    Part,
}

/// A variable, and what it stands for.
pub(super) struct Line {
    pub(super) variable: Variable,
    pub(super) ty: Ty,
    pub(super) value: Term,
    pub(super) step: Step,
}

/// The lines of a trace, and what its variables stand for.
#[derive(Default)]
pub(super) struct Straight {
    pub(super) lines: Vec<Line>,
    pub(super) known: FxHashMap<Variable, Tree>,
}

impl Straight {
    fn line(&mut self, name: &str, ty: Ty, value: Term, step: Step) -> Term {
        let variable = Variable::fresh(&name.into());
        let atom = Term::variable(&variable);
        self.lines.push(Line { variable, ty, value, step });
        atom
    }

    /// A value of pairs, variables and numbers.
    pub(super) fn value(&self, value: &Term) -> Result<Tree, Obstacle> {
        Ok(match value.kind() {
            TermKind::Unit => Tree::Unit,
            TermKind::Pair(t, u, left, right) => {
                Tree::Pair(Box::new([(self.value(left)?, t.clone()), (self.value(right)?, u.clone())]))
            }
            TermKind::Variable(x) => self.known.get(x).cloned().unwrap_or_else(|| Tree::Atom(value.clone())),
            TermKind::Number(_) => Tree::Atom(value.clone()),
            _ => return Err(Obstacle::Stuck { construct: "a value" }),
        })
    }

    /// A variable for each real number of V.
    pub(super) fn inputs(&mut self, x: &Variable, ty: &Ty, at: Tree, inputs: &mut Vec<Variable>) -> Tree {
        match ty {
            Ty::Unit => Tree::Unit,
            Ty::Real => {
                let value = match at {
                    Tree::Atom(atom) => atom,
                    _ => Term::unit(),
                };
                let atom = self.line(x.name(), Ty::Real, value, Step::Part);
                if let TermKind::Variable(x) = atom.kind() {
                    inputs.push(x.clone());
                }
                Tree::Atom(atom)
            }
            Ty::Product(parts) => {
                let [left, right] = self.parts([&parts.0, &parts.1], at);
                let left = (self.inputs(x, &parts.0, left, inputs), parts.0.clone());
                Tree::Pair(Box::new([left, (self.inputs(x, &parts.1, right, inputs), parts.1.clone())]))
            }
        }
    }

    /// Both parts of a pair.
    pub(super) fn parts(&mut self, [t, u]: [&Ty; 2], pair: Tree) -> [Tree; 2] {
        match pair {
            Tree::Pair(parts) => {
                let [(left, _), (right, _)] = *parts;
                [left, right]
            }
            Tree::Atom(atom) => {
                let left = TermKind::First(t.clone(), u.clone(), atom.clone()).into();
                let right = TermKind::Second(t.clone(), u.clone(), atom).into();
                [(t, left), (u, right)].map(|(ty, part)| Tree::Atom(self.line("p", ty.clone(), part, Step::Part)))
            }
            Tree::Unit => [Tree::Unit, Tree::Unit],
        }
    }

    fn real(&mut self, term: &Term) -> Result<Term, Obstacle> {
        match self.straighten(term)? {
            Tree::Atom(atom) => Ok(atom),
            _ => Err(Obstacle::Stuck { construct: "a real number" }),
        }
    }

    pub(super) fn straighten(&mut self, term: &Term) -> Result<Tree, Obstacle> {
        let mut term = term;
        while let TermKind::Let(x, _, value, body) = term.kind() {
            let value = deep(|| self.straighten(value))?;
            self.known.insert(x.clone(), value);
            term = body;
        }
        deep(|| self.clause(term))
    }

    fn clause(&mut self, term: &Term) -> Result<Tree, Obstacle> {
        Ok(match term.kind() {
            TermKind::Add(left, right) => {
                let parts = [self.real(left)?, self.real(right)?];
                let value = Term::sum(parts[0].clone(), parts[1].clone());
                Tree::Atom(self.line("s", Ty::Real, value, Step::Add(parts)))
            }
            TermKind::Operation(operation, argument) => {
                let arguments: Vec<Term> = match (operation.arity(), self.straighten(argument)?) {
                    (0, _) => Vec::new(),
                    (2, pair) => {
                        let atoms = self.parts([&Ty::Real, &Ty::Real], pair).map(|part| match part {
                            Tree::Atom(atom) => Ok(atom),
                            _ => Err(Obstacle::Stuck { construct: "an operation" }),
                        });
                        atoms.into_iter().collect::<Result<_, _>>()?
                    }
                    (_, Tree::Atom(atom)) => vec![atom],
                    _ => return Err(Obstacle::Stuck { construct: "an operation" }),
                };
                let value = match &arguments[..] {
                    [] => Term::operation(operation.clone(), Term::unit()),
                    [x] => Term::operation(operation.clone(), x.clone()),
                    [x, y, ..] => Term::binary(operation.clone(), x.clone(), y.clone()),
                };
                let step = Step::Operation(operation.clone(), arguments);
                Tree::Atom(self.line("t", Ty::Real, value.at(term.site()), step))
            }
            TermKind::Pair(t, u, left, right) => {
                let left = (self.straighten(left)?, t.clone());
                Tree::Pair(Box::new([left, (self.straighten(right)?, u.clone())]))
            }
            TermKind::First(t, u, pair) | TermKind::Second(t, u, pair) => {
                let pair = self.straighten(pair)?;
                let [left, right] = self.parts([t, u], pair);
                if matches!(term.kind(), TermKind::First(..)) { left } else { right }
            }
            _ => self.value(term)?,
        })
    }
}
