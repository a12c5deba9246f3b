//! Random terms of type `Real`.

use super::{DERIVATIVE_DEPTH, Generator, SECOND_ORDER_DEPTH, Vocabulary};
use crate::function::Functional;
use crate::law::term::{Head, Rise, Term, pair, tangents};
use crate::number::Rational;
use crate::syntax::constant::Constant;
use crate::syntax::ty::{Ty, TyKind};

/// A production of the grammar for terms of type `Real`.
#[derive(Clone, Copy)]
enum Choice {
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

impl Generator {
    /// Draws a term of type `Real` by one of the weighted productions. The weights are a choice: arithmetic dominates,
    /// and binders need a size above 4.
    pub(super) fn real(&mut self, size: usize) -> Term {
        let full = usize::from(self.vocabulary == Vocabulary::Full);
        let smooth = usize::from(matches!(self.vocabulary, Vocabulary::Smooth | Vocabulary::Derivable));
        let (data, has_solvers) = (
            usize::from(self.vocabulary.has_data()),
            self.vocabulary.allows(Constant::Functional(Functional::Integral)),
        );
        let second = if has_solvers && self.second_order < SECOND_ORDER_DEPTH { 2 + 6 * full } else { 0 };
        // a derivative of a function with kinks need not be total, so `Total` gets none
        let derivative = if self.vocabulary.allows(Constant::Tangent) && self.derivatives < DERIVATIVE_DEPTH {
            4 * full + 2 * smooth
        } else {
            0
        };
        let large = usize::from(size > 4);
        let choice = match size {
            0 | 1 => Choice::Leaf,
            _ => self.random.weighted(&[
                (2, Choice::Leaf),
                (14, Choice::Arithmetic),
                (3, Choice::Quotient),
                (5, Choice::Power),
                (9, Choice::Elementary),
                (9 * (1 - smooth), Choice::Kink),
                (4 * large, Choice::Let),
                (4 * large, Choice::Application),
                (3 * large, Choice::Component),
                (2 * large, Choice::Condition),
                (2 * large, Choice::Recursion),
                (1, Choice::FromNatural),
                (2 * second * large, Choice::SecondOrder),
                (second / 2 * large * (1 - smooth), Choice::CutRoot),
                (derivative * large, Choice::Derivative),
                (derivative / 2 * large, Choice::Tangent),
                (derivative / 2 * large, Choice::Vector),
                (2 * large, Choice::Linear),
                (3 * large * data, Choice::Match),
                (3 * large * data, Choice::Fold),
            ]),
        };
        match choice {
            Choice::Leaf => self.leaf(),
            Choice::Arithmetic => {
                let constant = *self.random.pick(&[Constant::Add, Constant::Subtract, Constant::Multiply]);
                self.operation(constant, size)
            }
            Choice::Quotient => self.quotient(size),
            Choice::Power => self.power(size),
            Choice::Elementary => self.elementary(size),
            // signum jumps at 0 and so is not total: the full vocabulary alone has it
            Choice::Kink => match self.random.weighted(&[
                (4, Constant::Max),
                (3, Constant::Min),
                (3, Constant::Abs),
                (full, Constant::Signum),
                (1, Constant::Negate),
            ]) {
                two @ (Constant::Max | Constant::Min) => self.operation(two, size),
                one => Term::operation(one, vec![self.real(size - 1)]),
            },
            Choice::Let => {
                let ty = self.value_type();
                let [value, body] = self.split(size);
                let (id, value) = (self.id(), self.term(&ty, value));
                let body = self.under(&[(id, ty)], |g| g.real(body));
                Term::new(Head::Let(id), Ty::real(), vec![value, body])
            }
            Choice::Application => {
                let domain = self.value_type();
                self.application(&domain, &Ty::real(), size)
            }
            Choice::Component => self.component(size),
            Choice::Condition => self.conditional(&Ty::real(), size),
            Choice::Recursion => self.recursion(size),
            Choice::FromNatural => Term::operation(Constant::ToReal, vec![self.natural(size - 1)]),
            Choice::SecondOrder => {
                // a bare cut root would rarely meet its promise; `CutRoot` below is decreasing by construction
                let all = Functional::ALL.iter().copied().filter(|f| *f != Functional::CutRoot);
                // a choice: integrals weigh three times as much as each other functional
                let integrals = [Functional::Integral; 2];
                let all: Vec<_> = all.chain(integrals).map(Constant::Functional).collect();
                let constant = self.pick(&all);
                self.second_order += 1;
                let function = self.term(&Ty::function(Ty::real(), Ty::real()), size - 1);
                self.second_order -= 1;
                Term::operation(constant, vec![function])
            }
            Choice::CutRoot => {
                let [level, steepness] = self.split(size);
                let (id, rise) = (self.id(), *self.random.pick(&Rise::ALL));
                self.second_order += 1;
                let parts = vec![self.real(level), self.real(steepness)];
                self.second_order -= 1;
                Term::new(Head::CutRoot(id, rise), Ty::real(), parts)
            }
            Choice::Match => self.cases(&Ty::real(), size),
            Choice::Fold => self.fold(&Ty::real(), size),
            Choice::Derivative => self.derivative(1, size),
            Choice::Vector => self.vector_derivative(size),
            Choice::Linear => self.linear(size),
            Choice::Tangent => {
                let tangent = self.term(&tangents(Ty::real()), size - 2);
                if self.random.chance(20) {
                    return Term::operation(Constant::TangentValue, vec![tangent]);
                }
                let parts = pair(Ty::real(), Ty::real());
                let parts = Term::new(Head::To(Constant::TangentR), parts, vec![tangent]);
                self.project(parts, 2, 1)
            }
        }
    }

    /// Draws a variable, a real component of one, or a constant.
    fn leaf(&mut self) -> Term {
        if self.random.chance(80)
            && let Some(variable) = self.variable(&Ty::real()).or_else(|| self.coordinate())
        {
            return variable;
        }
        match self.random.below(12) {
            0 => Term::operation(Constant::Pi, Vec::new()),
            1 => Term::operation(Constant::E, Vec::new()),
            _ => Term::real(self.number()),
        }
    }

    /// Draws a real component of a tuple in scope, at any depth. Returns `None` if there is none.
    fn coordinate(&mut self) -> Option<Term> {
        let mut found = Vec::new();
        for (id, ty) in &self.scope {
            let variable = Term::new(Head::Variable(*id), ty.clone(), Vec::new());
            components(&variable, &mut found);
        }
        if found.is_empty() { None } else { Some(self.random.pick(&found).clone()) }
    }

    /// Draws an operation on two real numbers.
    fn operation(&mut self, constant: Constant, size: usize) -> Term {
        let [a, b] = self.split(size);
        Term::operation(constant, vec![self.real(a), self.real(b)])
    }

    /// Returns `1 + part`.
    pub(super) fn one_plus(part: Term) -> Term {
        Term::operation(Constant::Add, vec![Term::real(1), part])
    }

    /// Returns `part²`.
    pub(super) fn squared(part: Term) -> Term {
        Term::new(Head::Power(Rational::from(2)), Ty::real(), vec![part])
    }

    /// Draws a type for a `let`, an argument or a component.
    fn value_type(&mut self) -> Ty {
        let real = Ty::real;
        let data = usize::from(self.vocabulary.has_data());
        match self.random.weighted(&[(8, 0), (4, 1), (2, 2), (1, 3), (1, 4), (1, 5), (1, 6), (1, 7), (2 * data, 8)]) {
            0 => real(),
            1 => Ty::function(real(), real()),
            2 => pair(real(), real()),
            3 => Ty::function(real(), Ty::function(real(), real())),
            4 => Ty::function(Ty::function(real(), real()), real()),
            5 => Ty::new(TyKind::Nat),
            6 => Ty::new(TyKind::Bool),
            8 => self.data_type(),
            _ => pair(Ty::function(real(), real()), real()),
        }
    }

    /// Applies a function to an argument: mostly a function variable with this codomain, if there is one.
    fn application(&mut self, domain: &Ty, codomain: &Ty, size: usize) -> Term {
        let [f, x] = self.split(size);
        let known: Vec<_> = self
            .scope
            .iter()
            .filter(|(_, ty)| matches!(ty.kind(), TyKind::Function(_, c) if c == codomain))
            .cloned()
            .collect();
        let function = if !known.is_empty() && self.random.chance(70) {
            let (id, ty) = self.random.pick(&known).clone();
            Term::new(Head::Variable(id), ty, Vec::new())
        } else {
            self.term(&Ty::function(domain.clone(), codomain.clone()), f)
        };
        // a variable that fits may have another domain than the one asked for
        let TyKind::Function(domain, _) = function.ty.kind() else { return self.leaf() };
        let domain = domain.clone();
        let argument = self.term(&domain, x);
        Term::new(Head::Apply, codomain.clone(), vec![function, argument])
    }

    /// Draws a real component of a pair.
    fn component(&mut self, size: usize) -> Term {
        let other = self.value_type();
        let index = self.random.below(2);
        let ty = if index == 0 { pair(Ty::real(), other) } else { pair(other, Ty::real()) };
        let tuple = self.term(&ty, size - 1);
        self.project(tuple, 2, index)
    }

    /// Projects a tuple of `width` components to the real one at `index`; a pair also by `fst` and `snd`.
    pub(super) fn project(&mut self, tuple: Term, width: usize, index: usize) -> Term {
        if width == 2 && self.random.chance(40) {
            let name = if index == 0 { Constant::Fst } else { Constant::Snd };
            return Term::operation(name, vec![tuple]);
        }
        Term::new(Head::Project(index), Ty::real(), vec![tuple])
    }

    /// Draws an iteration of a random step.
    fn recursion(&mut self, size: usize) -> Term {
        let (function, counter, state) = (self.id(), self.id(), self.id());
        let [step, count, start] = self.split(size);
        let binders = [(counter, Ty::new(TyKind::Nat)), (state, Ty::real())];
        let step = self.under(&binders, |g| g.real(step));
        let parts = vec![step, self.natural(count), self.real(start)];
        Term::new(Head::Iterate { function, counter, state }, Ty::real(), parts)
    }

    /// Draws a component of `jvp f x v` or of `rd f x w`, for numbers and pairs of numbers.
    fn vector_derivative(&mut self, size: usize) -> Term {
        let vectors = [Ty::real(), pair(Ty::real(), Ty::real())];
        let [domain, codomain] = [(); 2].map(|()| self.random.pick(&vectors).clone());
        let is_forward = self.random.chance(30);
        // forward mode pushes a tangent of the domain, reverse mode pulls a covector of the codomain back
        let (constant, along, ty) =
            if is_forward { (Constant::Jvp, &domain, &codomain) } else { (Constant::Rd, &codomain, &domain) };
        let [function, rest] = self.split(size);
        self.derivatives += 1;
        let function = self.term(&Ty::function(domain.clone(), codomain.clone()), function.max(size / 2));
        self.derivatives -= 1;
        let [point, along] = [self.term(&domain, rest.min(5)), self.term(along, rest.min(4))];
        let slope = Term::call(constant, ty.clone(), vec![function, point, along]);
        if matches!(ty.kind(), TyKind::Real) {
            return slope;
        }
        let index = self.random.below(2);
        self.project(slope, 2, index)
    }

    /// Draws a number from linear algebra: an inner product, a trace, a determinant, or a component. Components are
    /// taken of a scaled vector, of the solution of a linear system, or of a sum with 0.
    fn linear(&mut self, size: usize) -> Term {
        let plane = pair(Ty::real(), Ty::real());
        let ty = self.random.pick(&[Ty::real(), plane.clone(), pair(plane.clone(), Ty::real())]).clone();
        let [first, second] = self.split(size);
        match self.random.below(4) {
            0 => {
                let map = self.term(&Ty::function(ty.clone(), ty), size - 1);
                Term::operation(if size.is_multiple_of(2) { Constant::Trace } else { Constant::Det }, vec![map])
            }
            1 => {
                // a determinant may be 0, so solutions occur in the full vocabulary alone
                let (constant, of) = match size % 3 {
                    0 if self.vocabulary == Vocabulary::Full => {
                        (Constant::LinearSolve, Ty::function(plane.clone(), plane.clone()))
                    }
                    _ => (Constant::Scale, Ty::real()),
                };
                let parts = vec![self.term(&of, first), self.term(&plane, second)];
                let product = Term::call(constant, plane, parts);
                let index = self.random.below(2);
                self.project(product, 2, index)
            }
            2 => {
                let zeros = Term::call(Constant::Zero, plane.clone(), Vec::new());
                let parts = vec![self.term(&plane, size - 1), zeros];
                let index = self.random.below(2);
                self.project(Term::call(Constant::Add, plane, parts), 2, index)
            }
            _ => Term::operation(Constant::Dot, vec![self.term(&ty, first), self.term(&ty, second)]),
        }
    }

    /// Draws `deriv f x`; for `order > 1` the derivatives are nested: `deriv (\x => deriv f x) x`.
    pub(in crate::law) fn derivative(&mut self, order: u32, size: usize) -> Term {
        let [body, point] = self.split(size);
        // counted while the body is drawn, so that the body nests fewer derivatives of its own
        self.derivatives += order;
        let mut function = self.term(&Ty::function(Ty::real(), Ty::real()), body.max(size / 2));
        for _ in 1..order {
            let id = self.id();
            let variable = Term::new(Head::Variable(id), Ty::real(), Vec::new());
            let slope = Term::operation(Constant::Deriv, vec![function, variable]);
            function = Term::new(Head::Lambda(id, Ty::real()), Ty::function(Ty::real(), Ty::real()), vec![slope]);
        }
        self.derivatives -= order;
        let point = if self.random.chance(70) { self.leaf() } else { self.real(point) };
        Term::operation(Constant::Deriv, vec![function, point])
    }
}

/// Collects the real components of a tuple, at any depth.
fn components(tuple: &Term, found: &mut Vec<Term>) {
    let TyKind::Tuple(parts) = tuple.ty.kind() else { return };
    for (index, part) in parts.iter().enumerate() {
        let component = Term::new(Head::Project(index), part.clone(), vec![tuple.clone()]);
        match part.kind() {
            TyKind::Real => found.push(component),
            _ => components(&component, found),
        }
    }
}
