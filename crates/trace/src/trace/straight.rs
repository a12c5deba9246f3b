//! Straight-line form: lists of operations on real numbers, each bound to a variable, with pairs split into their
//! parts. In programs, conditionals and calls are lines, too; their values are split afterwards.

use super::error::Obstacle;
use super::operation::Operation;
use super::renaming::Renaming;
use super::source::Scope;
use super::term::{Boolean, Definition, Term, TermKind, Variable};
use super::ty::Ty;
use crate::stack::deep;
use rustc_hash::FxHashMap;
use std::sync::Arc;

/// A value whose pairs are split as far as they are known.
#[derive(Clone)]
pub(super) enum Tree {
    /// A variable or a number. It is a real number, unless it is a variable from outside.
    Atom(Term),
    Unit,
    Pair(Box<[(Tree, Ty); 2]>),
}

impl Tree {
    /// Returns the value as a term.
    pub(super) fn term(&self) -> Term {
        match self {
            Tree::Atom(atom) => atom.clone(),
            Tree::Unit => Term::unit(),
            Tree::Pair(parts) => {
                let [(left, t), (right, u)] = &**parts;
                Term::pair(t.clone(), u.clone(), left.term(), right.term())
            }
        }
    }

    /// Calls `each` with the atoms, from left to right.
    pub(super) fn atoms<'t>(&'t self, each: &mut dyn FnMut(&'t Term)) {
        match self {
            Tree::Atom(atom) => each(atom),
            Tree::Unit => {}
            Tree::Pair(parts) => parts.iter().for_each(|(part, _)| part.atoms(each)),
        }
    }
}

/// The form of a line.
pub(super) enum Step {
    /// A sum of two atoms.
    Add([Term; 2]),
    /// An operation at atoms.
    Operation(Operation, Vec<Term>),
    /// A part of a pair, an input, or a line of a sweep: no derivative passes through it.
    Part,
    /// A conditional or a call, in programs alone.
    Whole(Box<Whole>),
}

/// A conditional or a call, with variables for the real numbers in its value.
pub(super) struct Whole {
    pub(super) kind: WholeKind,
    pub(super) outputs: Vec<Variable>,
}

/// The two kinds of composite lines.
pub(super) enum WholeKind {
    /// A conditional. Its branches mention lines and variables from outside, and no others.
    If(Boolean, [Term; 2]),
    /// A call of a function with an argument.
    Call(Variable, Tree),
}

/// A line `let variable : ty = value`, and the form of its value.
pub(super) struct Line {
    pub(super) variable: Variable,
    pub(super) ty: Ty,
    pub(super) value: Term,
    pub(super) step: Step,
}

/// A straight-line program under construction: its lines, and the values of the variables of the trace.
#[derive(Default)]
pub(super) struct Straight<'s> {
    pub(super) lines: Vec<Line>,
    pub(super) known: FxHashMap<Variable, Tree>,
    /// The functions that the program defines.
    pub(super) definitions: Vec<Arc<Definition>>,
    /// The scope of a program; `None` for a trace.
    pub(super) scope: Option<&'s Scope<'s>>,
}

impl<'s> Straight<'s> {
    /// Creates an empty list of lines in a scope.
    pub(super) fn within(scope: Option<&'s Scope<'s>>) -> Self {
        Straight { scope, ..Straight::default() }
    }

    /// Adds a line with a new variable, and returns the variable.
    pub(super) fn line(&mut self, name: &str, ty: Ty, value: Term, step: Step) -> Term {
        let variable = Variable::fresh(&name.into());
        let atom = Term::variable(&variable);
        self.lines.push(Line { variable, ty, value, step });
        atom
    }

    /// Returns a value made of pairs, variables and numbers, with its variables replaced by their values.
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

    /// Adds a line for each real number of V, collects their variables in `inputs`, and returns the value made of them.
    pub(super) fn inputs(&mut self, x: &Variable, ty: &Ty, at: Tree, inputs: &mut Vec<Variable>) -> Tree {
        match ty {
            Ty::Unit => Tree::Unit,
            Ty::Real => {
                // V has type T, so that only an ill-typed V is no atom here.
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

    /// Returns both parts of a pair. Adds lines for the projections of an atom.
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

    /// Splits a value of type T into real numbers. Adds lines for them, and collects their variables.
    pub(super) fn spread(&mut self, value: Term, ty: &Ty, numbers: &mut Vec<Variable>) -> Tree {
        match (ty, value.kind()) {
            (Ty::Unit, _) => Tree::Unit,
            (Ty::Real, TermKind::Variable(x)) => {
                numbers.push(x.clone());
                Tree::Atom(value)
            }
            (Ty::Real, _) => Tree::Atom(value),
            (Ty::Product(parts), _) => {
                let (t, u) = &**parts;
                let parts = self.parts([t, u], Tree::Atom(value)).map(|part| part.term());
                let [left, right] = parts;
                let left = (self.spread(left, t, numbers), t.clone());
                Tree::Pair(Box::new([left, (self.spread(right, u, numbers), u.clone())]))
            }
        }
    }

    /// Adds a line for a conditional or a call, and lines for the real numbers in its value.
    fn whole(&mut self, ty: Ty, value: Term, kind: WholeKind) -> Tree {
        // The outputs are not known before the line has its variable, so they are filled in afterwards.
        let place = self.lines.len();
        let step = Step::Whole(Box::new(Whole { kind, outputs: Vec::new() }));
        let atom = self.line("r", ty.clone(), value, step);
        let mut numbers = Vec::new();
        let tree = self.spread(atom, &ty, &mut numbers);
        if let Some(Line { step: Step::Whole(whole), .. }) = self.lines.get_mut(place) {
            whole.outputs = numbers;
        }
        tree
    }

    /// Substitutes the known values of variables in a part of a program that stays as it is.
    fn closed(&self, term: &Term) -> Term {
        let mut renaming = Renaming::default();
        for x in term.free_variables() {
            if let Some(tree) = self.known.get(&x) {
                renaming.insert(&x, tree.term());
            }
        }
        renaming.of(term)
    }

    /// Straightens a term of type real.
    fn real(&mut self, term: &Term) -> Result<Term, Obstacle> {
        match self.straighten(term)? {
            Tree::Atom(atom) => Ok(atom),
            _ => Err(Obstacle::Stuck { construct: "a real number" }),
        }
    }

    /// Adds the lines of a term, and returns its value.
    pub(super) fn straighten(&mut self, term: &Term) -> Result<Tree, Obstacle> {
        let mut term = term;
        loop {
            // Bodies of `let`s are iterated: traces are long chains of them.
            match (term.kind(), self.scope) {
                (TermKind::Let(x, ty, value, body), scope) => {
                    let value = deep(|| self.straighten(value))?;
                    self.known.insert(x.clone(), value);
                    if let Some(scope) = scope {
                        scope.has(x, ty);
                    }
                    term = body;
                }
                (TermKind::LetRec(definition, rest), Some(scope)) => {
                    scope.defines(definition);
                    self.definitions.push(definition.clone());
                    term = rest;
                }
                // A condition that is constant leaves one branch.
                (TermKind::If(Boolean::Value(holds), then, otherwise), Some(_)) => {
                    term = if *holds { then } else { otherwise };
                }
                _ => return deep(|| self.clause(term)),
            }
        }
    }

    /// Returns the type of a term of a program; traces have no scope to know it from.
    fn type_of(&self, term: &Term) -> Result<Ty, Obstacle> {
        self.scope.map_or(Err(Obstacle::Stuck { construct: "a trace" }), |scope| scope.type_of(term))
    }

    /// Straightens a term that is no `let` or `letrec`.
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
                    // An operation of two reals takes a pair, which may be a variable.
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
            // Branches are not straightened here: the sweep does it, for each on its own, since only one of them may be
            // defined.
            TermKind::If(Boolean::Predicate(predicate, argument), then, otherwise) if self.scope.is_some() => {
                let condition = Boolean::Predicate(*predicate, self.straighten(argument)?.term());
                let ty = self.type_of(then)?;
                let [then, otherwise] = [then, otherwise].map(|branch| self.closed(branch));
                let value = Term::from(TermKind::If(condition.clone(), then.clone(), otherwise.clone()));
                self.whole(ty, value.at(term.site()), WholeKind::If(condition, [then, otherwise]))
            }
            TermKind::Call(f, argument) if self.scope.is_some() => {
                let (argument, ty) = (self.straighten(argument)?, self.type_of(term)?);
                let value = Term::from(TermKind::Call(f.clone(), argument.term()));
                self.whole(ty, value.at(term.site()), WholeKind::Call(f.clone(), argument))
            }
            _ => self.value(term)?,
        })
    }
}
