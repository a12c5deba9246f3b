//! Random terms that use the variables they bind.
//!
//! Most random terms ignore what they bind: functions are not applied, folds drop their state, matches ignore the
//! matched argument. Here every variable in scope becomes a number that depends on it, and these numbers are joined to
//! one. Functions, folds, matches and recursions over trees are put between the numbers on purpose. The terms are in
//! the language of H §5.
//!
//! # Binders between the numbers of a term
//!
//! Functions, folds, matches and recursions over trees.

use super::{TermGenerator, either_type, maybe_type, pick_function, tree_type};
use crate::function::{Function, Planar};
use crate::law::term::{BinderId, TermHead, TestTerm, branch_binder_types, pair_type};
use crate::number::Rational;
use crate::syntax::constant::Constant;
use crate::syntax::data::{Constructor, DataType, HeightCache};
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
        match pick_function(&mut self.random, &functions) {
            Constant::Elementary(f) => {
                let a = self.guard_argument(f, a);
                TestTerm::real_operation(f.into(), vec![a])
            }
            other => TestTerm::real_operation(other, vec![a]),
        }
    }

    /// Draws `\x y => x ∘ y` or `\x => f x`: one operation of the vocabulary at variables, with an `f` that is admitted.
    pub fn draw_single_operation(&mut self, admits: impl Fn(Function) -> bool) -> TestTerm {
        let (x, y) = (self.fresh_id(), self.fresh_id());
        let [a, b] = [x, y].map(|id| variable_term(id, &Ty::real()));
        let lambda = |id, body: TestTerm| {
            let ty = Ty::function(Ty::real(), body.ty.clone());
            TestTerm::new(TermHead::Lambda(id, Ty::real()), ty, vec![body])
        };
        let is_admitted = |f: &Function| self.vocabulary.allows_constant(Constant::Elementary(*f)) && admits(*f);
        let functions: Vec<Function> = Function::ALL.iter().copied().filter(is_admitted).collect();
        if functions.is_empty() || self.random.next_below(3) == 0 {
            let binary = [Constant::Add, Constant::Subtract, Constant::Multiply, Constant::Divide];
            let body = binary_operation(*self.random.pick(&binary), a, b);
            return lambda(x, lambda(y, body));
        }
        let f = *self.random.pick(&functions);
        // one exponential alone stays in range
        let a = if f.row().outgrows_powers { a } else { self.guard_argument(f, a) };
        lambda(x, TestTerm::real_operation(f.into(), vec![a]))
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

impl TermGenerator {
    /// Draws a binder that uses some of the numbers, and returns a number that comes out of it. The weights are a
    /// choice.
    pub(super) fn draw_between(&mut self, atoms: &[TestTerm]) -> TestTerm {
        match self.random.pick_weighted(&[(8, 0), (5, 1), (5, 2), (4, 3)]) {
            0 => self.through_function(atoms),
            1 => self.through_fold(atoms),
            2 => self.through_match(atoms),
            _ => self.through_tree(atoms),
        }
    }

    /// Draws a bound function that is applied once or twice; in some cases a function of functions.
    fn through_function(&mut self, atoms: &[TestTerm]) -> TestTerm {
        let (id, x) = (self.fresh_id(), self.fresh_id());
        let real = Ty::real;
        let unary = Ty::function(real(), real());
        let (a, b) = (self.draw_atom(atoms), self.draw_atom(atoms));
        match self.random.next_below(6) {
            // a constant without its arguments, as a function of two numbers
            0 => {
                let ty = Ty::function(real(), unary);
                let constant =
                    *self.random.pick(&[Constant::Subtract, Constant::Multiply, Constant::Divide, Constant::Add]);
                let function = TestTerm::apply_constant(constant, ty.clone(), Vec::new());
                let second = if constant == Constant::Divide { self.make_denominator(b) } else { b };
                let_term(id, function, apply_term(apply_term(variable_term(id, &ty), a), second))
            }
            // a functional, applied to a λ-abstraction
            1 => {
                let functional = Ty::function(unary.clone(), real());
                let f = variable_term(x, &unary);
                let (one, other) = (apply_term(f.clone(), a), apply_term(f, self.draw_literal()));
                let body = self.join_two(one, other);
                let y = self.fresh_id();
                let argument = self.join_two(variable_term(y, &real()), b);
                let called = apply_term(variable_term(id, &functional), lambda_term(y, &real(), argument));
                let_term(id, lambda_term(x, &unary, body), called)
            }
            // a list of functions, applied one after another by a fold
            2 => {
                let functions: Vec<TestTerm> = (0..2)
                    .map(|_| {
                        let (y, a) = (self.fresh_id(), self.draw_atom(atoms));
                        lambda_term(y, &real(), self.join_two(variable_term(y, &real()), a))
                    })
                    .collect();
                let state = self.fresh_id();
                let step = lambda_term(
                    id,
                    &unary,
                    lambda_term(state, &real(), apply_term(variable_term(id, &unary), variable_term(state, &real()))),
                );
                TestTerm::apply_constant(Constant::Fold, real(), vec![step, a, list_term(&unary, functions)])
            }
            // a function passed as an argument, and applied twice by its receiver
            3 => {
                let f = variable_term(id, &unary);
                let (once, b) = (apply_term(f.clone(), a), b);
                let user = lambda_term(id, &unary, binary_operation(Constant::Multiply, once, apply_term(f, b)));
                let c = self.draw_atom(atoms);
                apply_term(user, lambda_term(x, &real(), self.join_two(variable_term(x, &real()), c)))
            }
            _ => {
                let body = self.join_two(variable_term(x, &real()), a);
                let f = variable_term(id, &unary);
                let inner = apply_term(f.clone(), b);
                let body_of = if self.random.random_bool(50) { apply_term(f, inner) } else { inner };
                let_term(id, lambda_term(x, &real(), body), body_of)
            }
        }
    }

    /// Makes `join x y + c · x`. The term is asymmetric, so a wrong order of application changes the result.
    fn asymmetric_step(&mut self, x: TestTerm, y: TestTerm) -> TestTerm {
        let own = binary_operation(Constant::Multiply, self.draw_literal(), x.clone());
        binary_operation(Constant::Add, self.join_two(x, y), own)
    }

    /// Makes a fold of a list with elements of type `of`, whose state is a number.
    pub(super) fn fold_numbers(&mut self, of: &Ty, over: TestTerm, start: TestTerm, depth: usize) -> TestTerm {
        let (x, state) = (self.fresh_id(), self.fresh_id());
        let y = variable_term(state, &Ty::real());
        let body = match self.observe_term(variable_term(x, of), depth) {
            Some(seen) => self.asymmetric_step(seen, y),
            // the elements carry no number: the fold depends on the length of the list alone
            None => self.join_two(y, TestTerm::real_literal(2)),
        };
        let step = lambda_term(x, of, lambda_term(state, &Ty::real(), body));
        TestTerm::apply_constant(Constant::Fold, Ty::real(), vec![step, start, over])
    }

    /// Draws two or three numbers that depend on the `atoms`.
    fn draw_elements(&mut self, atoms: &[TestTerm]) -> Vec<TestTerm> {
        (0..2 + self.random.next_below(2)).map(|_| self.draw_atom(atoms)).collect()
    }

    /// Draws a fold over numbers that depend on the `atoms`. The state is a number or a pair.
    fn through_fold(&mut self, atoms: &[TestTerm]) -> TestTerm {
        let over = list_term(&Ty::real(), self.draw_elements(atoms));
        if self.random.random_bool(65) {
            let start = self.draw_atom(atoms);
            return self.fold_numbers(&Ty::real(), over, start, OBSERVATION_DEPTH);
        }
        let plane = pair_type(Ty::real(), Ty::real());
        let (x, state) = (self.fresh_id(), self.fresh_id());
        let (element, pair) = (variable_term(x, &Ty::real()), variable_term(state, &plane));
        let part = |i| TestTerm::new(TermHead::Project(i), Ty::real(), vec![pair.clone()]);
        // each component depends on the other, so that the pair cannot be split into two folds
        let first = self.asymmetric_step(element.clone(), part(1));
        let second = self.join_two(part(0), element);
        let body = TestTerm::new(TermHead::Tuple, plane.clone(), vec![first, second]);
        let step = lambda_term(x, &Ty::real(), lambda_term(state, &plane, body));
        let start = TestTerm::new(TermHead::Tuple, plane.clone(), vec![self.draw_atom(atoms), self.draw_literal()]);
        let index = self.random.next_below(2);
        let fold = TestTerm::apply_constant(Constant::Fold, plane, vec![step, start, over]);
        self.project_component(fold, 2, index)
    }

    /// Makes `match data with …`. Each case is `answer` of a number made from its binders, `None` if there is no such
    /// number.
    pub(super) fn match_data(
        &mut self,
        data: &DataType,
        arguments: &[Ty],
        scrutinee: TestTerm,
        mut answer: impl FnMut(&mut Self, Option<TestTerm>) -> TestTerm,
    ) -> TestTerm {
        let (mut parts, mut binders) = (vec![scrutinee], Vec::new());
        for constructor in data.constructors() {
            let ids: Vec<(BinderId, Ty)> =
                branch_binder_types(&constructor, arguments).into_iter().map(|ty| (self.fresh_id(), ty)).collect();
            let part = self.with_binders(&ids, |g| {
                let seen: Vec<TestTerm> =
                    ids.iter().filter_map(|(id, ty)| g.observe_term(variable_term(*id, ty), 1)).collect();
                let seen = if seen.is_empty() { None } else { Some(g.join_all(seen)) };
                answer(g, seen)
            });
            parts.push(part);
            binders.push(ids.into_iter().map(|(id, _)| id).collect());
        }
        TestTerm::new(TermHead::Match(data.clone(), binders), Ty::real(), parts)
    }

    /// Draws a match on data that carry numbers made of the `atoms`.
    fn through_match(&mut self, atoms: &[TestTerm]) -> TestTerm {
        let real = Ty::real;
        let carried = match self.random.next_below(6) {
            0 | 1 => maybe_type(real()),
            2 => either_type(real(), real()),
            3 => either_type(real(), Ty::function(real(), real())),
            4 => maybe_type(pair_type(real(), real())),
            _ => Ty::list(real()),
        };
        let TyKind::Data(data, arguments) = carried.kind() else { return self.draw_atom(atoms) };
        let scrutinee = self.carry_numbers(&carried, atoms);
        let beside = self.draw_atom(atoms);
        self.match_data(data, arguments, scrutinee, |g, seen| match seen {
            Some(seen) => g.join_two(seen, beside.clone()),
            None => beside.clone(),
        })
    }

    /// Draws a term of type `ty` that contains numbers made of the `atoms`.
    pub(super) fn carry_numbers(&mut self, ty: &Ty, atoms: &[TestTerm]) -> TestTerm {
        match ty.kind() {
            TyKind::Real => self.draw_atom(atoms),
            TyKind::Function(domain, codomain) => {
                let id = self.fresh_id();
                let body = match (self.observe_term(variable_term(id, domain), 1), codomain.kind()) {
                    (Some(seen), TyKind::Real) => {
                        let other = self.draw_atom(atoms);
                        self.join_two(seen, other)
                    }
                    _ => self.carry_numbers(codomain, atoms),
                };
                lambda_term(id, domain, body)
            }
            TyKind::Tuple(parts) => {
                let parts = parts.iter().map(|part| self.carry_numbers(part, atoms)).collect();
                TestTerm::new(TermHead::Tuple, ty.clone(), parts)
            }
            TyKind::Data(data, arguments) if data.is_list() => {
                let length = 1 + self.random.next_below(MAX_ELEMENTS);
                let elements = (0..length).map(|_| self.carry_numbers(&arguments[0], atoms)).collect();
                list_term(&arguments[0], elements)
            }
            TyKind::Data(data, _) if data.is_recursive() => self.grow_data(ty, atoms),
            TyKind::Data(data, arguments) => {
                let some: Vec<Constructor> = data.constructors().filter(|c| c.layer_type().is_some()).collect();
                // no constructor takes an argument, so the data cannot carry a number
                if some.is_empty() {
                    return self.draw_term(ty, 1);
                }
                let constructor = self.random.pick(&some).clone();
                let parts = branch_binder_types(&constructor, arguments)
                    .iter()
                    .map(|ty| self.carry_numbers(ty, atoms))
                    .collect();
                TestTerm::new(TermHead::Inject(constructor), ty.clone(), parts)
            }
            _ => self.draw_term(ty, 1),
        }
    }

    /// Draws a value of a recursive type, two or three layers above its least value, that carries numbers made of the
    /// `atoms`.
    pub(super) fn grow_data(&mut self, ty: &Ty, atoms: &[TestTerm]) -> TestTerm {
        let mut grown = self.least_value(ty, &mut HeightCache::default());
        let TyKind::Data(data, arguments) = ty.kind() else { return grown };
        let recursive: Vec<Constructor> = data.constructors().filter(Constructor::is_recursive).collect();
        for _ in 0..2 + self.random.next_below(2) {
            let constructor = self.random.pick(&recursive).clone();
            let Some(domain) = branch_binder_types(&constructor, arguments).pop() else { break };
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
                    self.least_value(ty, &mut HeightCache::default())
                } else {
                    self.carry_numbers(part, atoms)
                });
            }
            let argument = match domain.kind() {
                TyKind::Tuple(_) => vec![TestTerm::new(TermHead::Tuple, domain.clone(), made)],
                _ => made,
            };
            grown = TestTerm::new(TermHead::Inject(constructor), ty.clone(), argument);
        }
        grown
    }

    /// Draws a tree of numbers that depend on the `atoms`, and a recursion over it.
    fn through_tree(&mut self, atoms: &[TestTerm]) -> TestTerm {
        let ty = tree_type(Ty::real());
        let grown = self.grow_data(&ty, atoms);
        self.recurse_over(&ty, grown, OBSERVATION_DEPTH)
    }

    /// Makes a recursion over a value of a recursive type: the results at the components are combined to a number.
    pub(super) fn recurse_over(&mut self, ty: &Ty, over: TestTerm, depth: usize) -> TestTerm {
        let TyKind::Data(data, arguments) = ty.kind() else { return self.draw_literal() };
        let (function, argument) = (self.fresh_id(), self.fresh_id());
        let itself = variable_term(function, &Ty::function(ty.clone(), Ty::real()));
        let (mut parts, mut binders) = (vec![variable_term(argument, ty)], Vec::new());
        for (constructor, domain) in data.constructors().zip(data.argument_types(arguments)) {
            if constructor.layer_type().is_none() {
                parts.push(self.draw_literal());
                binders.push(Vec::new());
                continue;
            }
            let id = self.fresh_id();
            let whole = variable_term(id, &domain);
            let components = match domain.kind() {
                TyKind::Tuple(types) => types
                    .iter()
                    .enumerate()
                    .map(|(i, ty)| TestTerm::new(TermHead::Project(i), ty.clone(), vec![whole.clone()]))
                    .collect(),
                _ => vec![whole],
            };
            let mut found = self.draw_literal();
            for component in components {
                let seen = if component.ty == *ty {
                    Some(apply_term(itself.clone(), component))
                } else {
                    self.observe_term(component, depth)
                };
                // asymmetric in its arguments, so that the order of the components matters
                if let Some(seen) = seen {
                    found = self.asymmetric_step(seen, found);
                }
            }
            parts.push(found);
            binders.push(vec![id]);
        }
        let body = TestTerm::new(TermHead::Match(data.clone(), binders), Ty::real(), parts);
        let head = TermHead::LetRec { function, argument, of: ty.clone() };
        TestTerm::new(head, Ty::real(), vec![body, apply_term(itself, over)])
    }
}
