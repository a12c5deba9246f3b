//! Random terms that use the variables they bind.
//!
//! Most random terms ignore what they bind: functions are not applied, folds drop their state, matches ignore the
//! matched argument. Here every variable in scope becomes a number that depends on it, and these numbers are joined to
//! one. Functions, folds, matches and recursions over trees are put between the numbers on purpose. The terms are in
//! the language of H §5.

use super::TermGenerator;
use crate::function::{Function, Planar};
use crate::law::term::{BinderId, TermHead, TestTerm, branch_binder_types, pair_type};
use crate::number::Rational;
use crate::syntax::constant::Constant;
use crate::syntax::data::Constructor;
use crate::syntax::inductive::HeightCache;
use crate::syntax::ty::{Ty, TyKind};

/// The greatest number of variables that one term combines. A choice.
const MAX_COMBINED_VARIABLES: usize = 4;
/// The depth to which a variable is taken apart to a number. A choice.
const OBSERVATION_DEPTH: usize = 3;
/// The size from which on a binder is put between the numbers. A choice.
const MIN_SIZE_FOR_BINDER: usize = 5;
/// The greatest length of a list. A choice.
const MAX_ELEMENTS: usize = 3;

/// Makes a variable of type `ty`.
pub(super) fn variable_term(id: BinderId, ty: &Ty) -> TestTerm {
    TestTerm::new(TermHead::Variable(id), ty.clone(), Vec::new())
}

/// Applies a function to an argument.
pub(super) fn apply_term(function: TestTerm, argument: TestTerm) -> TestTerm {
    let ty = match function.ty.kind() {
        TyKind::Function(_, codomain) => codomain.clone(),
        _ => Ty::real(),
    };
    TestTerm::new(TermHead::Apply, ty, vec![function, argument])
}

/// Makes the λ-abstraction `\(id : domain) => body`.
pub(super) fn lambda_term(id: BinderId, domain: &Ty, body: TestTerm) -> TestTerm {
    let ty = Ty::function(domain.clone(), body.ty.clone());
    TestTerm::new(TermHead::Lambda(id, domain.clone()), ty, vec![body])
}

/// Makes `let id = value in body`.
pub(super) fn let_term(id: BinderId, value: TestTerm, body: TestTerm) -> TestTerm {
    TestTerm::new(TermHead::Let(id), body.ty.clone(), vec![value, body])
}

/// Makes an operation on two real numbers.
pub(super) fn binary_operation(constant: Constant, a: TestTerm, b: TestTerm) -> TestTerm {
    TestTerm::real_operation(constant, vec![a, b])
}

/// Makes the list of these elements, of type `of`.
pub(super) fn list_term(of: &Ty, elements: Vec<TestTerm>) -> TestTerm {
    let ty = Ty::list(of.clone());
    let nil = TestTerm::new(TermHead::Inject(Constructor::nil()), ty.clone(), Vec::new());
    let cons = |rest, element| TestTerm::new(TermHead::Inject(Constructor::cons()), ty.clone(), vec![element, rest]);
    elements.into_iter().rev().fold(nil, cons)
}

impl TermGenerator {
    /// Draws a term of type `ty` that uses the variables in scope.
    pub fn draw_using_scope(&mut self, ty: &Ty, size: usize) -> TestTerm {
        let less = size.saturating_sub(1).max(1);
        match ty.kind() {
            TyKind::Real => self.mix_scope(size),
            TyKind::Function(domain, codomain) => {
                let id = self.fresh_id();
                let body = self.with_binders(&[(id, domain.clone())], |g| g.draw_using_scope(codomain, less));
                lambda_term(id, domain, body)
            }
            TyKind::Tuple(parts) => {
                let each = (size / parts.len().max(1)).max(1);
                let parts = parts.iter().map(|part| self.draw_using_scope(part, each)).collect();
                TestTerm::new(TermHead::Tuple, ty.clone(), parts)
            }
            TyKind::Data(data, arguments) if data.is_list() => {
                let length = 1 + self.random.next_below(MAX_ELEMENTS);
                let elements =
                    (0..length).map(|_| self.draw_using_scope(&arguments[0], (size / length).max(1))).collect();
                list_term(&arguments[0], elements)
            }
            TyKind::Data(data, arguments) => {
                // no size is left for recursion: end with the value of least depth
                if data.is_recursive() && size <= 2 {
                    return self.least_value(ty, &mut HeightCache::default());
                }
                let all: Vec<Constructor> = data.constructors().collect();
                let some: Vec<Constructor> = all.iter().filter(|c| c.layer_type().is_some()).cloned().collect();
                // a choice: four of five constructors carry an argument, since others depend on no variable
                let among = if !some.is_empty() && self.random.random_bool(80) { some } else { all };
                let constructor = self.random.pick(&among).clone();
                let parts = branch_binder_types(&constructor, arguments)
                    .iter()
                    .map(|ty| self.draw_using_scope(ty, less))
                    .collect();
                TestTerm::new(TermHead::Inject(constructor), ty.clone(), parts)
            }
            _ => self.draw_term(ty, size),
        }
    }

    /// Draws a number that depends on the variables in scope.
    fn mix_scope(&mut self, size: usize) -> TestTerm {
        let mut atoms = self.observe_scope(OBSERVATION_DEPTH);
        while atoms.len() > MAX_COMBINED_VARIABLES {
            atoms.swap_remove(self.random.next_below(atoms.len()));
        }
        if size >= MIN_SIZE_FOR_BINDER && !atoms.is_empty() {
            for _ in 0..1 + self.random.next_below(2) {
                let between = self.draw_between(&atoms);
                atoms.push(between);
            }
        }
        if size >= MIN_SIZE_FOR_BINDER && self.random.random_bool(40) {
            atoms.push(self.draw_real(size / 3));
        }
        // one number alone would make many terms a bare variable, so it is joined with a literal
        match atoms.len() {
            0 => self.draw_real(1),
            1 if size > 2 => {
                let (atom, number) = (atoms.remove(0), self.draw_literal());
                self.join_two(atom, number)
            }
            _ => self.join_all(atoms),
        }
    }

    /// Joins several numbers to one, two at a time and in random order. Draws a literal if there are none.
    pub(super) fn join_all(&mut self, mut atoms: Vec<TestTerm>) -> TestTerm {
        while atoms.len() > 1 {
            let a = atoms.swap_remove(self.random.next_below(atoms.len()));
            let b = atoms.swap_remove(self.random.next_below(atoms.len()));
            let joined = self.join_two(a, b);
            atoms.push(joined);
        }
        atoms.pop().unwrap_or_else(|| self.draw_literal())
    }

    /// Draws a short rational number that is not 0.
    pub(super) fn draw_literal(&mut self) -> TestTerm {
        TestTerm::real_literal(Rational::from(*self.random.pick(&[
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
    fn observe_scope(&mut self, depth: usize) -> Vec<TestTerm> {
        let scope: Vec<(BinderId, Ty)> = self.scope.clone();
        scope.iter().filter_map(|(id, ty)| self.observe_term(variable_term(*id, ty), depth)).collect()
    }

    /// Draws one of the `observe_scope`, or a linear function of one. There must be at least one.
    pub(super) fn draw_atom(&mut self, atoms: &[TestTerm]) -> TestTerm {
        let atom = self.random.pick(atoms).clone();
        match self.random.next_below(3) {
            0 => binary_operation(Constant::Add, atom, self.draw_literal()),
            1 => binary_operation(Constant::Multiply, self.draw_literal(), atom),
            _ => atom,
        }
    }

    /// Makes a number that depends on `term`. Returns `None` if none is found within `depth`.
    pub(super) fn observe_term(&mut self, term: TestTerm, depth: usize) -> Option<TestTerm> {
        let ty = term.ty.clone();
        if depth == 0 && !matches!(ty.kind(), TyKind::Real) {
            return None;
        }
        match ty.kind() {
            TyKind::Real => Some(term),
            TyKind::Nat => Some(TestTerm::real_operation(Constant::ToReal, vec![term])),
            TyKind::Bool => {
                let parts = vec![term, self.draw_literal(), self.draw_literal()];
                Some(TestTerm::new(TermHead::If, Ty::real(), parts))
            }
            TyKind::Tuple(types) => {
                let part = |(i, ty): (usize, &Ty)| TestTerm::new(TermHead::Project(i), ty.clone(), vec![term.clone()]);
                let parts: Vec<TestTerm> = types.iter().enumerate().map(part).collect();
                let mut seen: Vec<TestTerm> =
                    parts.into_iter().filter_map(|part| self.observe_term(part, depth)).collect();
                // a choice: two components at most, so that nested tuples do not multiply the size
                while seen.len() > 2 {
                    seen.swap_remove(self.random.next_below(seen.len()));
                }
                if seen.is_empty() { None } else { Some(self.join_all(seen)) }
            }
            TyKind::Function(domain, _) => {
                let argument = self.draw_argument(domain, depth - 1);
                self.observe_term(apply_term(term, argument), depth)
            }
            TyKind::Data(data, arguments) if data.is_list() => {
                let start = self.draw_literal();
                Some(self.fold_numbers(&arguments[0], term, start, depth - 1))
            }
            TyKind::Data(data, _) if data.is_recursive() => Some(self.recurse_over(&ty, term, depth - 1)),
            TyKind::Data(data, arguments) => {
                let number = self.draw_literal();
                let (data, arguments) = (data.clone(), arguments.clone());
                Some(self.match_data(&data, &arguments, term, |g, seen| match seen {
                    Some(seen) => g.join_two(seen, number.clone()),
                    None => g.draw_literal(),
                }))
            }
            _ => None,
        }
    }

    /// Draws an argument for a function that is applied; it depends on the variables in scope.
    fn draw_argument(&mut self, ty: &Ty, depth: usize) -> TestTerm {
        // functions are left out: those in scope would be applied to each other without end
        let scope: Vec<(BinderId, Ty)> =
            self.scope.iter().filter(|(_, ty)| !matches!(ty.kind(), TyKind::Function(..))).cloned().collect();
        let mut known: Vec<TestTerm> =
            scope.iter().filter_map(|(id, ty)| self.observe_term(variable_term(*id, ty), depth.min(1))).collect();
        if known.is_empty() {
            known.push(self.draw_literal());
        }
        self.carry_numbers(ty, &known)
    }

    /// Draws a number that depends on two others.
    pub(super) fn join_two(&mut self, a: TestTerm, b: TestTerm) -> TestTerm {
        let (a, b) = if self.random.random_bool(50) { (a, b) } else { (b, a) };
        match self.random.pick_weighted(&[
            (5, 0),
            (3, 1),
            (3, 2),
            (4, 3),
            (3, 4),
            (4, 5),
            (1, 6),
            (2, 7),
            (1, 8),
            (2, 9),
        ]) {
            0 => binary_operation(Constant::Multiply, a, b),
            1 => binary_operation(Constant::Add, a, self.apply_smooth(b)),
            2 => binary_operation(Constant::Subtract, self.apply_smooth(a), b),
            3 => binary_operation(Constant::Multiply, a, self.apply_smooth(b)),
            4 => binary_operation(Constant::Divide, a, self.make_denominator(b)),
            5 => binary_operation(Constant::Multiply, self.draw_power_of(a), b),
            // 1 + b² keeps the angle on the right half-plane, where it is smooth
            6 => {
                let b = Self::one_plus(Self::square_of(b));
                TestTerm::real_operation((*self.random.pick(Planar::ALL)).into(), vec![a, b])
            }
            // a `let` whose variable occurs twice: its derivatives add up
            7 => {
                let id = self.fresh_id();
                let shared = variable_term(id, &Ty::real());
                let twice = binary_operation(Constant::Multiply, shared.clone(), self.apply_smooth(shared));
                let_term(id, a, binary_operation(Constant::Subtract, twice, b))
            }
            8 => {
                let plane = pair_type(Ty::real(), Ty::real());
                let vector = |a: &TestTerm, b: &TestTerm| {
                    TestTerm::new(TermHead::Tuple, plane.clone(), vec![a.clone(), b.clone()])
                };
                let (left, right) = (vector(&a, &b), vector(&b, &self.draw_literal()));
                if self.random.random_bool(50) {
                    return binary_operation(Constant::Dot, left, right);
                }
                let scaled = TestTerm::apply_constant(Constant::Scale, plane, vec![a, right]);
                self.project_component(scaled, 2, 0)
            }
            _ => {
                let parts = vec![
                    self.draw_comparison([1, 1]),
                    binary_operation(Constant::Multiply, a.clone(), b.clone()),
                    self.apply_smooth(a),
                ];
                binary_operation(Constant::Add, TestTerm::new(TermHead::If, Ty::real(), parts), b)
            }
        }
    }

    /// Applies a random smooth function of the vocabulary, with the argument put into its domain.
    fn apply_smooth(&mut self, a: TestTerm) -> TestTerm {
        let functions = Function::ALL.iter().copied().map(Constant::Elementary).chain([Constant::Sigmoid]);
        let functions: Vec<Constant> =
            functions.filter(|constant| self.vocabulary.allows_constant(*constant)).collect();
        match *self.random.pick(&functions) {
            Constant::Elementary(f) => {
                let a = self.guard_argument(f, a);
                TestTerm::real_operation(f.into(), vec![a])
            }
            other => TestTerm::real_operation(other, vec![a]),
        }
    }

    /// Makes a denominator of `b`: mostly one without zeros; in one case of four `37/8 + b`, which may vanish.
    pub(super) fn make_denominator(&mut self, b: TestTerm) -> TestTerm {
        match self.random.next_below(4) {
            0 => Self::one_plus(Self::square_of(b)),
            1 => TestTerm::real_operation(Function::Exp.into(), vec![self.guard_argument(Function::Exp, b)]),
            2 => binary_operation(
                Constant::Add,
                TestTerm::real_literal(2),
                TestTerm::real_operation(Function::Sin.into(), vec![b]),
            ),
            _ => binary_operation(Constant::Add, TestTerm::real_literal(Rational::from((37, 8))), b),
        }
    }

    /// Draws a power of `a`: natural, negative, fractional, or with an exponent that is not constant.
    fn draw_power_of(&mut self, a: TestTerm) -> TestTerm {
        let of = |a, q: (i64, i64)| TestTerm::new(TermHead::Power(Rational::from(q)), Ty::real(), vec![a]);
        match self.random.next_below(5) {
            0 | 1 => of(a, (*self.random.pick(&[2, 3, 4]), 1)),
            2 => of(self.make_denominator(a), (*self.random.pick(&[-1, -2, -3]), 1)),
            3 => {
                let q = *self.random.pick(&[(1, 2), (1, 3), (2, 3), (3, 2), (-1, 2), (-2, 3)]);
                // the base is at least 1, inside the domain of every fractional power
                of(Self::one_plus(Self::square_of(a)), q)
            }
            _ => {
                let exponent = binary_operation(Constant::Multiply, self.draw_literal(), self.apply_smooth(a.clone()));
                // again at least 1; its minimum at a = 2 keeps it from being even in a
                let base =
                    Self::one_plus(Self::square_of(binary_operation(Constant::Subtract, a, TestTerm::real_literal(2))));
                binary_operation(Constant::RealPower, base, exponent)
            }
        }
    }
}
