//! Binders between the numbers of a term: functions, folds, matches and recursions over trees.

use super::using::{apply_term, binary_operation, lambda_term, let_term, list_term, variable_term};
use super::{TermGenerator, either_type, maybe_type, tree_type};
use crate::law::term::{BinderId, TermHead, TestTerm, branch_binder_types, pair_type};
use crate::syntax::constant::Constant;
use crate::syntax::data::{Constructor, DataType};
use crate::syntax::inductive::HeightCache;
use crate::syntax::ty::{Ty, TyKind};

/// The depth to which a variable is taken apart to a number, as in `using`.
const OBSERVATION_DEPTH: usize = 3;
/// The greatest length of a list, as in `using`.
const MAX_ELEMENTS: usize = 3;

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
