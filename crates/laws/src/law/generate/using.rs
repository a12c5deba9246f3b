//! Random terms that use the variables they bind.
//!
//! Most random terms ignore what they bind: functions are not applied, folds drop their state, matches ignore the
//! matched argument. Here every variable in scope becomes a number that depends on it, and these numbers are joined to
//! one. Functions, folds, matches and recursions over trees are put between the numbers on purpose. The terms are in
//! the language of H §5.

use super::Generator;
use crate::function::{Function, Planar};
use crate::law::term::{Head, Id, Term, bound, pair};
use crate::number::Rational;
use crate::syntax::constant::Constant;
use crate::syntax::data::Constructor;
use crate::syntax::inductive::Heights;
use crate::syntax::ty::{Ty, TyKind};

/// The greatest number of variables that one term combines. A choice.
const MOST: usize = 4;
/// The depth to which a variable is taken apart to a number. A choice.
const DEPTH: usize = 3;
/// The size from which on a binder is put between the numbers. A choice.
const LARGE: usize = 5;
/// The greatest length of a list. A choice.
const ELEMENTS: usize = 3;

/// Makes a variable of type `ty`.
pub(super) fn variable(id: Id, ty: &Ty) -> Term {
    Term::new(Head::Variable(id), ty.clone(), Vec::new())
}

/// Applies a function to an argument.
pub(super) fn apply(function: Term, argument: Term) -> Term {
    let ty = match function.ty.kind() {
        TyKind::Function(_, codomain) => codomain.clone(),
        _ => Ty::real(),
    };
    Term::new(Head::Apply, ty, vec![function, argument])
}

/// Makes the λ-abstraction `\(id : domain) => body`.
pub(super) fn lambda(id: Id, domain: &Ty, body: Term) -> Term {
    let ty = Ty::function(domain.clone(), body.ty.clone());
    Term::new(Head::Lambda(id, domain.clone()), ty, vec![body])
}

/// Makes `let id = value in body`.
pub(super) fn within(id: Id, value: Term, body: Term) -> Term {
    Term::new(Head::Let(id), body.ty.clone(), vec![value, body])
}

/// Makes an operation on two real numbers.
pub(super) fn operation(constant: Constant, a: Term, b: Term) -> Term {
    Term::operation(constant, vec![a, b])
}

/// Makes the list of these elements, of type `of`.
pub(super) fn list(of: &Ty, elements: Vec<Term>) -> Term {
    let ty = Ty::list(of.clone());
    let nil = Term::new(Head::Inject(Constructor::nil()), ty.clone(), Vec::new());
    let cons = |rest, element| Term::new(Head::Inject(Constructor::cons()), ty.clone(), vec![element, rest]);
    elements.into_iter().rev().fold(nil, cons)
}

impl Generator {
    /// Draws a term of type `ty` that uses the variables in scope.
    pub fn using(&mut self, ty: &Ty, size: usize) -> Term {
        let less = size.saturating_sub(1).max(1);
        match ty.kind() {
            TyKind::Real => self.mixture(size),
            TyKind::Function(domain, codomain) => {
                let id = self.id();
                let body = self.under(&[(id, domain.clone())], |g| g.using(codomain, less));
                lambda(id, domain, body)
            }
            TyKind::Tuple(parts) => {
                let each = (size / parts.len().max(1)).max(1);
                let parts = parts.iter().map(|part| self.using(part, each)).collect();
                Term::new(Head::Tuple, ty.clone(), parts)
            }
            TyKind::Data(data, arguments) if data.is_list() => {
                let length = 1 + self.random.below(ELEMENTS);
                let elements = (0..length).map(|_| self.using(&arguments[0], (size / length).max(1))).collect();
                list(&arguments[0], elements)
            }
            TyKind::Data(data, arguments) => {
                // no size is left for recursion: end with the value of least depth
                if data.is_recursive() && size <= 2 {
                    return self.least(ty, &mut Heights::default());
                }
                let all: Vec<Constructor> = data.constructors().collect();
                let some: Vec<Constructor> = all.iter().filter(|c| c.layer().is_some()).cloned().collect();
                // a choice: four of five constructors carry an argument, since others depend on no variable
                let among = if !some.is_empty() && self.random.chance(80) { some } else { all };
                let constructor = self.random.pick(&among).clone();
                let parts = bound(&constructor, arguments).iter().map(|ty| self.using(ty, less)).collect();
                Term::new(Head::Inject(constructor), ty.clone(), parts)
            }
            _ => self.term(ty, size),
        }
    }

    /// Draws a number that depends on the variables in scope.
    fn mixture(&mut self, size: usize) -> Term {
        let mut atoms = self.atoms(DEPTH);
        while atoms.len() > MOST {
            atoms.swap_remove(self.random.below(atoms.len()));
        }
        if size >= LARGE && !atoms.is_empty() {
            for _ in 0..1 + self.random.below(2) {
                let between = self.between(&atoms);
                atoms.push(between);
            }
        }
        if size >= LARGE && self.random.chance(40) {
            atoms.push(self.real(size / 3));
        }
        // one number alone would make many terms a bare variable, so it is joined with a literal
        match atoms.len() {
            0 => self.real(1),
            1 if size > 2 => {
                let (atom, number) = (atoms.remove(0), self.literal());
                self.joined(atom, number)
            }
            _ => self.all_of(atoms),
        }
    }

    /// Joins several numbers to one, two at a time and in random order. Draws a literal if there are none.
    pub(super) fn all_of(&mut self, mut atoms: Vec<Term>) -> Term {
        while atoms.len() > 1 {
            let a = atoms.swap_remove(self.random.below(atoms.len()));
            let b = atoms.swap_remove(self.random.below(atoms.len()));
            let joined = self.joined(a, b);
            atoms.push(joined);
        }
        atoms.pop().unwrap_or_else(|| self.literal())
    }

    /// Draws a short rational number that is not 0.
    pub(super) fn literal(&mut self) -> Term {
        Term::real(Rational::from(*self.random.pick(&[
            (1, 2),
            (1, 1),
            (3, 2),
            (2, 1),
            (-1, 1),
            (-1, 2),
            (3, 1),
            (3, 4),
        ])))
    }

    /// Returns a number for each variable in scope that has one within `depth`.
    fn atoms(&mut self, depth: usize) -> Vec<Term> {
        let scope: Vec<(Id, Ty)> = self.scope.clone();
        scope.iter().filter_map(|(id, ty)| self.observed(variable(*id, ty), depth)).collect()
    }

    /// Draws one of the `atoms`, or a linear function of one. There must be at least one.
    pub(super) fn atom(&mut self, atoms: &[Term]) -> Term {
        let atom = self.random.pick(atoms).clone();
        match self.random.below(3) {
            0 => operation(Constant::Add, atom, self.literal()),
            1 => operation(Constant::Multiply, self.literal(), atom),
            _ => atom,
        }
    }

    /// Makes a number that depends on `term`. Returns `None` if none is found within `depth`.
    pub(super) fn observed(&mut self, term: Term, depth: usize) -> Option<Term> {
        let ty = term.ty.clone();
        if depth == 0 && !matches!(ty.kind(), TyKind::Real) {
            return None;
        }
        match ty.kind() {
            TyKind::Real => Some(term),
            TyKind::Nat => Some(Term::operation(Constant::ToReal, vec![term])),
            TyKind::Bool => {
                let parts = vec![term, self.literal(), self.literal()];
                Some(Term::new(Head::If, Ty::real(), parts))
            }
            TyKind::Tuple(types) => {
                let part = |(i, ty): (usize, &Ty)| Term::new(Head::Project(i), ty.clone(), vec![term.clone()]);
                let parts: Vec<Term> = types.iter().enumerate().map(part).collect();
                let mut seen: Vec<Term> = parts.into_iter().filter_map(|part| self.observed(part, depth)).collect();
                // a choice: two components at most, so that nested tuples do not multiply the size
                while seen.len() > 2 {
                    seen.swap_remove(self.random.below(seen.len()));
                }
                if seen.is_empty() { None } else { Some(self.all_of(seen)) }
            }
            TyKind::Function(domain, _) => {
                let argument = self.handed(domain, depth - 1);
                self.observed(apply(term, argument), depth)
            }
            TyKind::Data(data, arguments) if data.is_list() => {
                let start = self.literal();
                Some(self.folded(&arguments[0], term, start, depth - 1))
            }
            TyKind::Data(data, _) if data.is_recursive() => Some(self.climbed(&ty, term, depth - 1)),
            TyKind::Data(data, arguments) => {
                let number = self.literal();
                let (data, arguments) = (data.clone(), arguments.clone());
                Some(self.matched(&data, &arguments, term, |g, seen| match seen {
                    Some(seen) => g.joined(seen, number.clone()),
                    None => g.literal(),
                }))
            }
            _ => None,
        }
    }

    /// Draws an argument for a function that is applied; it depends on the variables in scope.
    fn handed(&mut self, ty: &Ty, depth: usize) -> Term {
        // functions are left out: those in scope would be applied to each other without end
        let scope: Vec<(Id, Ty)> =
            self.scope.iter().filter(|(_, ty)| !matches!(ty.kind(), TyKind::Function(..))).cloned().collect();
        let mut known: Vec<Term> =
            scope.iter().filter_map(|(id, ty)| self.observed(variable(*id, ty), depth.min(1))).collect();
        if known.is_empty() {
            known.push(self.literal());
        }
        self.carrying(ty, &known)
    }

    /// Draws a number that depends on two others.
    pub(super) fn joined(&mut self, a: Term, b: Term) -> Term {
        let (a, b) = if self.random.chance(50) { (a, b) } else { (b, a) };
        match self.random.weighted(&[(5, 0), (3, 1), (3, 2), (4, 3), (3, 4), (4, 5), (1, 6), (2, 7), (1, 8), (2, 9)]) {
            0 => operation(Constant::Multiply, a, b),
            1 => operation(Constant::Add, a, self.changed(b)),
            2 => operation(Constant::Subtract, self.changed(a), b),
            3 => operation(Constant::Multiply, a, self.changed(b)),
            4 => operation(Constant::Divide, a, self.denominator(b)),
            5 => operation(Constant::Multiply, self.powered(a), b),
            // 1 + b² keeps the angle on the right half-plane, where it is smooth
            6 => {
                let b = Self::one_plus(Self::squared(b));
                Term::operation((*self.random.pick(Planar::ALL)).into(), vec![a, b])
            }
            // a `let` whose variable occurs twice: its derivatives add up
            7 => {
                let id = self.id();
                let shared = variable(id, &Ty::real());
                let twice = operation(Constant::Multiply, shared.clone(), self.changed(shared));
                within(id, a, operation(Constant::Subtract, twice, b))
            }
            8 => {
                let plane = pair(Ty::real(), Ty::real());
                let vector = |a: &Term, b: &Term| Term::new(Head::Tuple, plane.clone(), vec![a.clone(), b.clone()]);
                let (left, right) = (vector(&a, &b), vector(&b, &self.literal()));
                if self.random.chance(50) {
                    return operation(Constant::Dot, left, right);
                }
                let scaled = Term::call(Constant::Scale, plane, vec![a, right]);
                self.project(scaled, 2, 0)
            }
            _ => {
                let parts =
                    vec![self.comparison([1, 1]), operation(Constant::Multiply, a.clone(), b.clone()), self.changed(a)];
                operation(Constant::Add, Term::new(Head::If, Ty::real(), parts), b)
            }
        }
    }

    /// Applies a random smooth function of the vocabulary, with the argument put into its domain.
    fn changed(&mut self, a: Term) -> Term {
        let functions = Function::ALL.iter().copied().map(Constant::Elementary).chain([Constant::Sigmoid]);
        let functions: Vec<Constant> = functions.filter(|constant| self.vocabulary.allows(*constant)).collect();
        match *self.random.pick(&functions) {
            Constant::Elementary(f) => {
                let a = self.guarded(f, a);
                Term::operation(f.into(), vec![a])
            }
            other => Term::operation(other, vec![a]),
        }
    }

    /// Makes a denominator of `b`: mostly one without zeros; in one case of four `37/8 + b`, which may vanish.
    pub(super) fn denominator(&mut self, b: Term) -> Term {
        match self.random.below(4) {
            0 => Self::one_plus(Self::squared(b)),
            1 => Term::operation(Function::Exp.into(), vec![self.guarded(Function::Exp, b)]),
            2 => operation(Constant::Add, Term::real(2), Term::operation(Function::Sin.into(), vec![b])),
            _ => operation(Constant::Add, Term::real(Rational::from((37, 8))), b),
        }
    }

    /// Draws a power of `a`: natural, negative, fractional, or with an exponent that is not constant.
    fn powered(&mut self, a: Term) -> Term {
        let of = |a, q: (i64, i64)| Term::new(Head::Power(Rational::from(q)), Ty::real(), vec![a]);
        match self.random.below(5) {
            0 | 1 => of(a, (*self.random.pick(&[2, 3, 4]), 1)),
            2 => of(self.denominator(a), (*self.random.pick(&[-1, -2, -3]), 1)),
            3 => {
                let q = *self.random.pick(&[(1, 2), (1, 3), (2, 3), (3, 2), (-1, 2), (-2, 3)]);
                // the base is at least 1, inside the domain of every fractional power
                of(Self::one_plus(Self::squared(a)), q)
            }
            _ => {
                let exponent = operation(Constant::Multiply, self.literal(), self.changed(a.clone()));
                // again at least 1; its minimum at a = 2 keeps it from being even in a
                let base = Self::one_plus(Self::squared(operation(Constant::Subtract, a, Term::real(2))));
                operation(Constant::RealPower, base, exponent)
            }
        }
    }
}
