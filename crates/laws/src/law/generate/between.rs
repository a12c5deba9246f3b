//! Binders between the numbers of a term: functions, folds, matches and recursions over trees.

use super::using::{apply, lambda, list, operation, variable, within};
use super::{Generator, either, maybe, tree};
use crate::law::term::{Head, Id, Term, bound, pair};
use crate::syntax::constant::Constant;
use crate::syntax::data::{Constructor, Data};
use crate::syntax::inductive::Heights;
use crate::syntax::ty::{Ty, TyKind};

/// The depth to which a variable is taken apart to a number, as in `using`.
const DEPTH: usize = 3;
/// The greatest length of a list, as in `using`.
const ELEMENTS: usize = 3;

impl Generator {
    /// Draws a binder that uses some of the numbers, and returns a number that comes out of it. The weights are a
    /// choice.
    pub(super) fn between(&mut self, atoms: &[Term]) -> Term {
        match self.random.weighted(&[(8, 0), (5, 1), (5, 2), (4, 3)]) {
            0 => self.through_function(atoms),
            1 => self.through_fold(atoms),
            2 => self.through_match(atoms),
            _ => self.through_tree(atoms),
        }
    }

    /// Draws a bound function that is applied once or twice; in some cases a function of functions.
    fn through_function(&mut self, atoms: &[Term]) -> Term {
        let (id, x) = (self.id(), self.id());
        let real = Ty::real;
        let unary = Ty::function(real(), real());
        let (a, b) = (self.atom(atoms), self.atom(atoms));
        match self.random.below(6) {
            // a constant without its arguments, as a function of two numbers
            0 => {
                let ty = Ty::function(real(), unary);
                let constant =
                    *self.random.pick(&[Constant::Subtract, Constant::Multiply, Constant::Divide, Constant::Add]);
                let function = Term::call(constant, ty.clone(), Vec::new());
                let second = if constant == Constant::Divide { self.denominator(b) } else { b };
                within(id, function, apply(apply(variable(id, &ty), a), second))
            }
            // a functional, applied to a λ-abstraction
            1 => {
                let functional = Ty::function(unary.clone(), real());
                let f = variable(x, &unary);
                let (one, other) = (apply(f.clone(), a), apply(f, self.literal()));
                let body = self.joined(one, other);
                let y = self.id();
                let argument = self.joined(variable(y, &real()), b);
                let called = apply(variable(id, &functional), lambda(y, &real(), argument));
                within(id, lambda(x, &unary, body), called)
            }
            // a list of functions, applied one after another by a fold
            2 => {
                let functions: Vec<Term> = (0..2)
                    .map(|_| {
                        let (y, a) = (self.id(), self.atom(atoms));
                        lambda(y, &real(), self.joined(variable(y, &real()), a))
                    })
                    .collect();
                let state = self.id();
                let step =
                    lambda(id, &unary, lambda(state, &real(), apply(variable(id, &unary), variable(state, &real()))));
                Term::call(Constant::Fold, real(), vec![step, a, list(&unary, functions)])
            }
            // a function passed as an argument, and applied twice by its receiver
            3 => {
                let f = variable(id, &unary);
                let (once, b) = (apply(f.clone(), a), b);
                let user = lambda(id, &unary, operation(Constant::Multiply, once, apply(f, b)));
                let c = self.atom(atoms);
                apply(user, lambda(x, &real(), self.joined(variable(x, &real()), c)))
            }
            _ => {
                let body = self.joined(variable(x, &real()), a);
                let f = variable(id, &unary);
                let inner = apply(f.clone(), b);
                let body_of = if self.random.chance(50) { apply(f, inner) } else { inner };
                within(id, lambda(x, &real(), body), body_of)
            }
        }
    }

    /// Makes `join x y + c · x`. The term is asymmetric, so a wrong order of application changes the result.
    fn step(&mut self, x: Term, y: Term) -> Term {
        let own = operation(Constant::Multiply, self.literal(), x.clone());
        operation(Constant::Add, self.joined(x, y), own)
    }

    /// Makes a fold of a list with elements of type `of`, whose state is a number.
    pub(super) fn folded(&mut self, of: &Ty, over: Term, start: Term, depth: usize) -> Term {
        let (x, state) = (self.id(), self.id());
        let y = variable(state, &Ty::real());
        let body = match self.observed(variable(x, of), depth) {
            Some(seen) => self.step(seen, y),
            // the elements carry no number: the fold depends on the length of the list alone
            None => self.joined(y, Term::real(2)),
        };
        let step = lambda(x, of, lambda(state, &Ty::real(), body));
        Term::call(Constant::Fold, Ty::real(), vec![step, start, over])
    }

    /// Draws two or three numbers that depend on the `atoms`.
    fn elements(&mut self, atoms: &[Term]) -> Vec<Term> {
        (0..2 + self.random.below(2)).map(|_| self.atom(atoms)).collect()
    }

    /// Draws a fold over numbers that depend on the `atoms`. The state is a number or a pair.
    fn through_fold(&mut self, atoms: &[Term]) -> Term {
        let over = list(&Ty::real(), self.elements(atoms));
        if self.random.chance(65) {
            let start = self.atom(atoms);
            return self.folded(&Ty::real(), over, start, DEPTH);
        }
        let plane = pair(Ty::real(), Ty::real());
        let (x, state) = (self.id(), self.id());
        let (element, pair) = (variable(x, &Ty::real()), variable(state, &plane));
        let part = |i| Term::new(Head::Project(i), Ty::real(), vec![pair.clone()]);
        // each component depends on the other, so that the pair cannot be split into two folds
        let first = self.step(element.clone(), part(1));
        let second = self.joined(part(0), element);
        let body = Term::new(Head::Tuple, plane.clone(), vec![first, second]);
        let step = lambda(x, &Ty::real(), lambda(state, &plane, body));
        let start = Term::new(Head::Tuple, plane.clone(), vec![self.atom(atoms), self.literal()]);
        let index = self.random.below(2);
        let fold = Term::call(Constant::Fold, plane, vec![step, start, over]);
        self.project(fold, 2, index)
    }

    /// Makes `match data with …`. Each case is `answer` of a number made from its binders, `None` if there is no such
    /// number.
    pub(super) fn matched(
        &mut self,
        data: &Data,
        arguments: &[Ty],
        scrutinee: Term,
        mut answer: impl FnMut(&mut Self, Option<Term>) -> Term,
    ) -> Term {
        let (mut parts, mut binders) = (vec![scrutinee], Vec::new());
        for constructor in data.constructors() {
            let ids: Vec<(Id, Ty)> = bound(&constructor, arguments).into_iter().map(|ty| (self.id(), ty)).collect();
            let part = self.under(&ids, |g| {
                let seen: Vec<Term> = ids.iter().filter_map(|(id, ty)| g.observed(variable(*id, ty), 1)).collect();
                let seen = if seen.is_empty() { None } else { Some(g.all_of(seen)) };
                answer(g, seen)
            });
            parts.push(part);
            binders.push(ids.into_iter().map(|(id, _)| id).collect());
        }
        Term::new(Head::Match(data.clone(), binders), Ty::real(), parts)
    }

    /// Draws a match on data that carry numbers made of the `atoms`.
    fn through_match(&mut self, atoms: &[Term]) -> Term {
        let real = Ty::real;
        let carried = match self.random.below(6) {
            0 | 1 => maybe(real()),
            2 => either(real(), real()),
            3 => either(real(), Ty::function(real(), real())),
            4 => maybe(pair(real(), real())),
            _ => Ty::list(real()),
        };
        let TyKind::Data(data, arguments) = carried.kind() else { return self.atom(atoms) };
        let scrutinee = self.carrying(&carried, atoms);
        let beside = self.atom(atoms);
        self.matched(data, arguments, scrutinee, |g, seen| match seen {
            Some(seen) => g.joined(seen, beside.clone()),
            None => beside.clone(),
        })
    }

    /// Draws a term of type `ty` that contains numbers made of the `atoms`.
    pub(super) fn carrying(&mut self, ty: &Ty, atoms: &[Term]) -> Term {
        match ty.kind() {
            TyKind::Real => self.atom(atoms),
            TyKind::Function(domain, codomain) => {
                let id = self.id();
                let body = match (self.observed(variable(id, domain), 1), codomain.kind()) {
                    (Some(seen), TyKind::Real) => {
                        let other = self.atom(atoms);
                        self.joined(seen, other)
                    }
                    _ => self.carrying(codomain, atoms),
                };
                lambda(id, domain, body)
            }
            TyKind::Tuple(parts) => {
                let parts = parts.iter().map(|part| self.carrying(part, atoms)).collect();
                Term::new(Head::Tuple, ty.clone(), parts)
            }
            TyKind::Data(data, arguments) if data.is_list() => {
                let length = 1 + self.random.below(ELEMENTS);
                let elements = (0..length).map(|_| self.carrying(&arguments[0], atoms)).collect();
                list(&arguments[0], elements)
            }
            TyKind::Data(data, _) if data.is_recursive() => self.grown(ty, atoms),
            TyKind::Data(data, arguments) => {
                let some: Vec<Constructor> = data.constructors().filter(|c| c.layer().is_some()).collect();
                // no constructor takes an argument, so the data cannot carry a number
                if some.is_empty() {
                    return self.term(ty, 1);
                }
                let constructor = self.random.pick(&some).clone();
                let parts = bound(&constructor, arguments).iter().map(|ty| self.carrying(ty, atoms)).collect();
                Term::new(Head::Inject(constructor), ty.clone(), parts)
            }
            _ => self.term(ty, 1),
        }
    }

    /// Draws a value of a recursive type, two or three layers above its least value, that carries numbers made of the
    /// `atoms`.
    pub(super) fn grown(&mut self, ty: &Ty, atoms: &[Term]) -> Term {
        let mut grown = self.least(ty, &mut Heights::default());
        let TyKind::Data(data, arguments) = ty.kind() else { return grown };
        let recursive: Vec<Constructor> = data.constructors().filter(Constructor::is_recursive).collect();
        for _ in 0..2 + self.random.below(2) {
            let constructor = self.random.pick(&recursive).clone();
            let Some(domain) = bound(&constructor, arguments).pop() else { break };
            let parts: Vec<Ty> = match domain.kind() {
                TyKind::Tuple(parts) => parts.clone(),
                _ => vec![domain.clone()],
            };
            // one random recursive place gets the value made so far, the others the least value: depth grows, size
            // stays linear
            let places: Vec<usize> = (0..parts.len()).filter(|i| parts[*i] == *ty).collect();
            let place = if places.is_empty() { None } else { Some(*self.random.pick(&places)) };
            let below = grown;
            let mut made = Vec::with_capacity(parts.len());
            for (index, part) in parts.iter().enumerate() {
                made.push(if Some(index) == place {
                    below.clone()
                } else if *part == *ty {
                    self.least(ty, &mut Heights::default())
                } else {
                    self.carrying(part, atoms)
                });
            }
            let argument = match domain.kind() {
                TyKind::Tuple(_) => vec![Term::new(Head::Tuple, domain.clone(), made)],
                _ => made,
            };
            grown = Term::new(Head::Inject(constructor), ty.clone(), argument);
        }
        grown
    }

    /// Draws a tree of numbers that depend on the `atoms`, and a recursion over it.
    fn through_tree(&mut self, atoms: &[Term]) -> Term {
        let ty = tree(Ty::real());
        let grown = self.grown(&ty, atoms);
        self.climbed(&ty, grown, DEPTH)
    }

    /// Makes a recursion over a value of a recursive type: the results at the components are combined to a number.
    pub(super) fn climbed(&mut self, ty: &Ty, over: Term, depth: usize) -> Term {
        let TyKind::Data(data, arguments) = ty.kind() else { return self.literal() };
        let (function, argument) = (self.id(), self.id());
        let itself = variable(function, &Ty::function(ty.clone(), Ty::real()));
        let (mut parts, mut binders) = (vec![variable(argument, ty)], Vec::new());
        for (constructor, domain) in data.constructors().zip(data.domains(arguments)) {
            if constructor.layer().is_none() {
                parts.push(self.literal());
                binders.push(Vec::new());
                continue;
            }
            let id = self.id();
            let whole = variable(id, &domain);
            let components = match domain.kind() {
                TyKind::Tuple(types) => types
                    .iter()
                    .enumerate()
                    .map(|(i, ty)| Term::new(Head::Project(i), ty.clone(), vec![whole.clone()]))
                    .collect(),
                _ => vec![whole],
            };
            let mut found = self.literal();
            for component in components {
                let seen = if component.ty == *ty {
                    Some(apply(itself.clone(), component))
                } else {
                    self.observed(component, depth)
                };
                // asymmetric in its arguments, so that the order of the components matters
                if let Some(seen) = seen {
                    found = self.step(seen, found);
                }
            }
            parts.push(found);
            binders.push(vec![id]);
        }
        let body = Term::new(Head::Match(data.clone(), binders), Ty::real(), parts);
        let head = Head::Recurse { function, argument, of: ty.clone() };
        Term::new(head, Ty::real(), vec![body, apply(itself, over)])
    }
}
