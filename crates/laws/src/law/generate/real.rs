//! Random terms of type `Real`.
//!
//! A root of a random function is seldom one. So the argument of `cutRoot` is made from an increasing function, a
//! level and a steepness: programs keep their promises by construction, and a promise that is reported as broken
//! is a fault.

use super::{DERIVATIVE_DEPTH, SECOND_ORDER_DEPTH, TermGenerator, TermVocabulary};
use crate::function::Functional;
use crate::law::term::{IncreasingFunction, TermHead, TestTerm, pair_type, tangent_type};
use crate::number::Rational;
use crate::syntax::constant::Constant;
use crate::syntax::ty::{Ty, TyKind};

/// A production of the grammar for terms of type `Real`.
#[derive(Clone, Copy)]
enum RealProduction {
    Leaf,
    Arithmetic,
    Quotient,
    Power,
    Elementary,
    Kink,
    Let,
    Application,
    Component,
    Condition,
    Recursion,
    FromNatural,
    SecondOrder,
    CutRoot,
    Derivative,
    Tangent,
    Vector,
    Linear,
    Match,
    Fold,
}

impl TermGenerator {
    /// Draws a term of type `Real` by one of the weighted productions. The weights are a choice: arithmetic dominates,
    /// and binders need a size above 4.
    pub(super) fn draw_real(&mut self, size: usize) -> TestTerm {
        let full = usize::from(self.vocabulary == TermVocabulary::Full);
        let smooth = usize::from(matches!(self.vocabulary, TermVocabulary::Smooth | TermVocabulary::Derivable));
        let (data, has_solvers) = (
            usize::from(self.vocabulary.has_data()),
            self.vocabulary.allows_constant(Constant::Functional(Functional::Integral)),
        );
        let second = if has_solvers && self.solver_depth < SECOND_ORDER_DEPTH { 2 + 6 * full } else { 0 };
        // a derivative of a function with kinks need not be total, so `Total` gets none
        let derivative =
            if self.vocabulary.allows_constant(Constant::Tangent) && self.derivative_depth < DERIVATIVE_DEPTH {
                4 * full + 2 * smooth
            } else {
                0
            };
        let large = usize::from(size > 4);
        let choice = match size {
            0 | 1 => RealProduction::Leaf,
            _ => self.random.pick_weighted(&[
                (2, RealProduction::Leaf),
                (14, RealProduction::Arithmetic),
                (3, RealProduction::Quotient),
                (5, RealProduction::Power),
                (9, RealProduction::Elementary),
                (9 * (1 - smooth), RealProduction::Kink),
                (4 * large, RealProduction::Let),
                (4 * large, RealProduction::Application),
                (3 * large, RealProduction::Component),
                (2 * large, RealProduction::Condition),
                (2 * large, RealProduction::Recursion),
                (1, RealProduction::FromNatural),
                (2 * second * large, RealProduction::SecondOrder),
                (second / 2 * large * (1 - smooth), RealProduction::CutRoot),
                (derivative * large, RealProduction::Derivative),
                (derivative / 2 * large, RealProduction::Tangent),
                (derivative / 2 * large, RealProduction::Vector),
                (2 * large, RealProduction::Linear),
                (3 * large * data, RealProduction::Match),
                (3 * large * data, RealProduction::Fold),
            ]),
        };
        match choice {
            RealProduction::Leaf => self.draw_leaf(),
            RealProduction::Arithmetic => {
                let constant = *self.random.pick(&[Constant::Add, Constant::Subtract, Constant::Multiply]);
                self.draw_operation(constant, size)
            }
            RealProduction::Quotient => self.draw_quotient(size),
            RealProduction::Power => self.draw_power(size),
            RealProduction::Elementary => self.draw_elementary(size),
            // signum jumps at 0 and so is not total: the full vocabulary alone has it
            RealProduction::Kink => match self.random.pick_weighted(&[
                (4, Constant::Max),
                (3, Constant::Min),
                (3, Constant::Abs),
                (full, Constant::Signum),
                (1, Constant::Negate),
            ]) {
                two @ (Constant::Max | Constant::Min) => self.draw_operation(two, size),
                one => TestTerm::real_operation(one, vec![self.draw_real(size - 1)]),
            },
            RealProduction::Let => {
                let ty = self.draw_value_type();
                let [value, body] = self.split_size(size);
                let (id, value) = (self.fresh_id(), self.draw_term(&ty, value));
                let body = self.with_binders(&[(id, ty)], |g| g.draw_real(body));
                TestTerm::new(TermHead::Let(id), Ty::real(), vec![value, body])
            }
            RealProduction::Application => {
                let domain = self.draw_value_type();
                self.draw_application(&domain, &Ty::real(), size)
            }
            RealProduction::Component => self.draw_component(size),
            RealProduction::Condition => self.draw_conditional(&Ty::real(), size),
            RealProduction::Recursion => self.draw_recursion(size),
            RealProduction::FromNatural => {
                TestTerm::real_operation(Constant::ToReal, vec![self.draw_natural(size - 1)])
            }
            RealProduction::SecondOrder => {
                // a bare cut root would rarely meet its promise; `CutRoot` below is decreasing by construction
                let all = Functional::ALL.iter().copied().filter(|f| *f != Functional::CutRoot);
                // a choice: integrals weigh three times as much as each other functional
                let integrals = [Functional::Integral; 2];
                let all: Vec<_> = all.chain(integrals).map(Constant::Functional).collect();
                let constant = self.pick_constant(&all);
                self.solver_depth += 1;
                let function = self.draw_term(&Ty::function(Ty::real(), Ty::real()), size - 1);
                self.solver_depth -= 1;
                TestTerm::real_operation(constant, vec![function])
            }
            RealProduction::CutRoot => {
                let [level, steepness] = self.split_size(size);
                let (id, rise) = (self.fresh_id(), *self.random.pick(&IncreasingFunction::ALL));
                self.solver_depth += 1;
                let parts = vec![self.draw_real(level), self.draw_real(steepness)];
                self.solver_depth -= 1;
                TestTerm::new(TermHead::CutRoot(id, rise), Ty::real(), parts)
            }
            RealProduction::Match => self.draw_match(&Ty::real(), size),
            RealProduction::Fold => self.draw_fold(&Ty::real(), size),
            RealProduction::Derivative => self.draw_derivative(1, size),
            RealProduction::Vector => self.draw_vector_derivative(size),
            RealProduction::Linear => self.draw_linear_algebra(size),
            RealProduction::Tangent => {
                let tangent = self.draw_term(&tangent_type(Ty::real()), size - 2);
                if self.random.random_bool(20) {
                    return TestTerm::real_operation(Constant::TangentValue, vec![tangent]);
                }
                let parts = pair_type(Ty::real(), Ty::real());
                let parts = TestTerm::new(TermHead::IsoForward(Constant::TangentR), parts, vec![tangent]);
                self.project_component(parts, 2, 1)
            }
        }
    }

    /// Draws a variable, a real component of one, or a constant.
    fn draw_leaf(&mut self) -> TestTerm {
        if self.random.random_bool(80)
            && let Some(variable) = self.draw_variable(&Ty::real()).or_else(|| self.draw_coordinate())
        {
            return variable;
        }
        match self.random.next_below(12) {
            0 => TestTerm::real_operation(Constant::Pi, Vec::new()),
            1 => TestTerm::real_operation(Constant::E, Vec::new()),
            _ => TestTerm::real_literal(self.draw_number()),
        }
    }

    /// Draws a real component of a tuple in scope, at any depth. Returns `None` if there is none.
    fn draw_coordinate(&mut self) -> Option<TestTerm> {
        let mut found = Vec::new();
        for (id, ty) in &self.scope {
            let variable = TestTerm::new(TermHead::Variable(*id), ty.clone(), Vec::new());
            collect_real_components(&variable, &mut found);
        }
        if found.is_empty() { None } else { Some(self.random.pick(&found).clone()) }
    }

    /// Draws an operation on two real numbers.
    fn draw_operation(&mut self, constant: Constant, size: usize) -> TestTerm {
        let [a, b] = self.split_size(size);
        TestTerm::real_operation(constant, vec![self.draw_real(a), self.draw_real(b)])
    }

    /// Returns `1 + part`.
    pub(super) fn one_plus(part: TestTerm) -> TestTerm {
        TestTerm::real_operation(Constant::Add, vec![TestTerm::real_literal(1), part])
    }

    /// Returns `part²`.
    pub(super) fn square_of(part: TestTerm) -> TestTerm {
        TestTerm::new(TermHead::Power(Rational::from(2)), Ty::real(), vec![part])
    }

    /// Draws a type for a `let`, an argument or a component.
    fn draw_value_type(&mut self) -> Ty {
        let real = Ty::real;
        let data = usize::from(self.vocabulary.has_data());
        match self.random.pick_weighted(&[
            (8, 0),
            (4, 1),
            (2, 2),
            (1, 3),
            (1, 4),
            (1, 5),
            (1, 6),
            (1, 7),
            (2 * data, 8),
        ]) {
            0 => real(),
            1 => Ty::function(real(), real()),
            2 => pair_type(real(), real()),
            3 => Ty::function(real(), Ty::function(real(), real())),
            4 => Ty::function(Ty::function(real(), real()), real()),
            5 => Ty::new(TyKind::Nat),
            6 => Ty::new(TyKind::Bool),
            8 => self.data_type(),
            _ => pair_type(Ty::function(real(), real()), real()),
        }
    }

    /// Applies a function to an argument: mostly a function variable with this codomain, if there is one.
    fn draw_application(&mut self, domain: &Ty, codomain: &Ty, size: usize) -> TestTerm {
        let [f, x] = self.split_size(size);
        let known: Vec<_> = self
            .scope
            .iter()
            .filter(|(_, ty)| matches!(ty.kind(), TyKind::Function(_, c) if c == codomain))
            .cloned()
            .collect();
        let function = if !known.is_empty() && self.random.random_bool(70) {
            let (id, ty) = self.random.pick(&known).clone();
            TestTerm::new(TermHead::Variable(id), ty, Vec::new())
        } else {
            self.draw_term(&Ty::function(domain.clone(), codomain.clone()), f)
        };
        // a variable that fits may have another domain than the one asked for
        let TyKind::Function(domain, _) = function.ty.kind() else { return self.draw_leaf() };
        let domain = domain.clone();
        let argument = self.draw_term(&domain, x);
        TestTerm::new(TermHead::Apply, codomain.clone(), vec![function, argument])
    }

    /// Draws a real component of a pair.
    fn draw_component(&mut self, size: usize) -> TestTerm {
        let other = self.draw_value_type();
        let index = self.random.next_below(2);
        let ty = if index == 0 { pair_type(Ty::real(), other) } else { pair_type(other, Ty::real()) };
        let tuple = self.draw_term(&ty, size - 1);
        self.project_component(tuple, 2, index)
    }

    /// Projects a tuple of `width` components to the real one at `index`; a pair also by `fst` and `snd`.
    pub(super) fn project_component(&mut self, tuple: TestTerm, width: usize, index: usize) -> TestTerm {
        if width == 2 && self.random.random_bool(40) {
            let name = if index == 0 { Constant::Fst } else { Constant::Snd };
            return TestTerm::real_operation(name, vec![tuple]);
        }
        TestTerm::new(TermHead::Project(index), Ty::real(), vec![tuple])
    }

    /// Draws an iteration of a random step.
    fn draw_recursion(&mut self, size: usize) -> TestTerm {
        let (function, counter, state) = (self.fresh_id(), self.fresh_id(), self.fresh_id());
        let [step, count, start] = self.split_size(size);
        let binders = [(counter, Ty::new(TyKind::Nat)), (state, Ty::real())];
        let step = self.with_binders(&binders, |g| g.draw_real(step));
        let parts = vec![step, self.draw_natural(count), self.draw_real(start)];
        TestTerm::new(TermHead::Iterate { function, counter, state }, Ty::real(), parts)
    }

    /// Draws a component of `jvp f x v` or of `rd f x w`, for numbers and pairs of numbers.
    fn draw_vector_derivative(&mut self, size: usize) -> TestTerm {
        let vectors = [Ty::real(), pair_type(Ty::real(), Ty::real())];
        let [domain, codomain] = [(); 2].map(|()| self.random.pick(&vectors).clone());
        let is_forward = self.random.random_bool(30);
        // forward mode pushes a tangent of the domain, reverse mode pulls a covector of the codomain back
        let (constant, along, ty) =
            if is_forward { (Constant::Jvp, &domain, &codomain) } else { (Constant::Rd, &codomain, &domain) };
        let [function, rest] = self.split_size(size);
        self.derivative_depth += 1;
        let function = self.draw_term(&Ty::function(domain.clone(), codomain.clone()), function.max(size / 2));
        self.derivative_depth -= 1;
        let [point, along] = [self.draw_term(&domain, rest.min(5)), self.draw_term(along, rest.min(4))];
        let slope = TestTerm::apply_constant(constant, ty.clone(), vec![function, point, along]);
        if matches!(ty.kind(), TyKind::Real) {
            return slope;
        }
        let index = self.random.next_below(2);
        self.project_component(slope, 2, index)
    }

    /// Draws a number from linear algebra: an inner product, a trace, a determinant, or a component. Components are
    /// taken of a scaled vector, of the solution of a linear system, or of a sum with 0.
    fn draw_linear_algebra(&mut self, size: usize) -> TestTerm {
        let plane = pair_type(Ty::real(), Ty::real());
        let ty = self.random.pick(&[Ty::real(), plane.clone(), pair_type(plane.clone(), Ty::real())]).clone();
        let [first, second] = self.split_size(size);
        match self.random.next_below(4) {
            0 => {
                let map = self.draw_term(&Ty::function(ty.clone(), ty), size - 1);
                TestTerm::real_operation(
                    if size.is_multiple_of(2) { Constant::Trace } else { Constant::Det },
                    vec![map],
                )
            }
            1 => {
                // a determinant may be 0, so solutions occur in the full vocabulary alone
                let (constant, of) = match size % 3 {
                    0 if self.vocabulary == TermVocabulary::Full => {
                        (Constant::LinearSolve, Ty::function(plane.clone(), plane.clone()))
                    }
                    _ => (Constant::Scale, Ty::real()),
                };
                let parts = vec![self.draw_term(&of, first), self.draw_term(&plane, second)];
                let product = TestTerm::apply_constant(constant, plane, parts);
                let index = self.random.next_below(2);
                self.project_component(product, 2, index)
            }
            2 => {
                let zeros = TestTerm::apply_constant(Constant::Zero, plane.clone(), Vec::new());
                let parts = vec![self.draw_term(&plane, size - 1), zeros];
                let index = self.random.next_below(2);
                self.project_component(TestTerm::apply_constant(Constant::Add, plane, parts), 2, index)
            }
            _ => TestTerm::real_operation(Constant::Dot, vec![self.draw_term(&ty, first), self.draw_term(&ty, second)]),
        }
    }

    /// Draws `deriv f x`; for `order > 1` the derivatives are nested: `deriv (\x => deriv f x) x`.
    pub(in crate::law) fn draw_derivative(&mut self, order: u32, size: usize) -> TestTerm {
        let [body, point] = self.split_size(size);
        // counted while the body is drawn, so that the body nests fewer derivatives of its own
        self.derivative_depth += order;
        let mut function = self.draw_term(&Ty::function(Ty::real(), Ty::real()), body.max(size / 2));
        for _ in 1..order {
            let id = self.fresh_id();
            let variable = TestTerm::new(TermHead::Variable(id), Ty::real(), Vec::new());
            let slope = TestTerm::real_operation(Constant::Deriv, vec![function, variable]);
            function =
                TestTerm::new(TermHead::Lambda(id, Ty::real()), Ty::function(Ty::real(), Ty::real()), vec![slope]);
        }
        self.derivative_depth -= order;
        let point = if self.random.random_bool(70) { self.draw_leaf() } else { self.draw_real(point) };
        TestTerm::real_operation(Constant::Deriv, vec![function, point])
    }
}

/// Collects the real components of a tuple, at any depth.
fn collect_real_components(tuple: &TestTerm, found: &mut Vec<TestTerm>) {
    let TyKind::Tuple(parts) = tuple.ty.kind() else { return };
    for (index, part) in parts.iter().enumerate() {
        let component = TestTerm::new(TermHead::Project(index), part.clone(), vec![tuple.clone()]);
        match part.kind() {
            TyKind::Real => found.push(component),
            _ => collect_real_components(&component, found),
        }
    }
}
