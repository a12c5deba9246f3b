//! Taylor representations of roots and optima (S §5.2.2, §5.2.3, in the macro of H §3.2).
//!
//! Let f′ be the representation of f, a function on jets, and e₁ the first multi-index of degree 1. The root Y(u) of `f(u, ·)` is
//! differentiated through `f(u, Y(u)) = 0`. In coordinate α of `f′(Y)` the number `y_α` occurs once, with the factor
//! F_y = ∂f/∂y, and all others are of lower degree. So the coordinates follow one degree after the other:
//!
//! | | |
//! |---|---|
//! | `y₀` | the solver at `c ↦ f′⟨c, 0, …⟩₀` |
//! | F_y | `f′⟨y₀, 1 at e₁, 0, …⟩_{e₁} − f′⟨y₀, 0, …⟩_{e₁}` |
//! | `y_α` | `−f′(Y_{<α})_α / F_y`, where `Y_{<α}` has the coordinates of degree below that of α |
//!
//! A solver to order R uses f′ at R + 2 arguments: the first one is that of the solver itself. Where F_y may be 0 the
//! quotient is undefined, and so are all slopes. If slopes are sets, a difference of two is too wide, and F_y is taken by `deriv`.
//!
//! | solver | F | on [0, 1] |
//! |---|---|---|
//! | `cutRoot` | f | – |
//! | `firstRoot` | f | `t = y₀ + F(y₀)` |
//! | `argmax01` | ∂f/∂y, by `deriv` in the value of the argument | `t = y₀ + F(y₀)` |
//! | `argmin01` | the same | `t = y₀ − F(y₀)` |
//!
//! The solution stays at 0 if t < 0 and at 1 if t > 1: there F points out of the interval. In the interior F is 0, so that t is y₀.
//! If neither is decided, the slopes are undefined. `max01 f` is f at the maximiser. Its slopes of degree 1 need no slope
//! of the maximiser (the envelope theorem), and those of degree d need it to degree d − 1.

use super::block::{apply_constant_term, term_without_source, variable_term};
use super::functor::{TaylorHooks, conditional_term};
use super::jet::Basis;
use crate::function::Functional;
use crate::number::Rational;
use crate::syntax::constant::Constant;
use crate::syntax::name::Name;
use crate::syntax::source::Span;
use crate::syntax::term::{Term, TermKind};

/// A bound variable, by the number of binders around its own.
#[derive(Clone, Debug)]
struct BoundName {
    level: usize,
    name: Name,
}

/// Builds the function on jets for a root or an optimum, of type `(𝒟real → 𝒟real) → 𝒟real`.
///
/// `derivative` makes the image of `deriv`.
#[must_use]
pub fn lift_solver(basis: &Basis, rules: &dyn TaylorHooks, solver: Functional, derivative: &dyn Fn() -> Term) -> Term {
    let (locate, optimum) = match solver {
        // the integral is linear, and has a rule of its own
        Functional::CutRoot | Functional::FirstRoot | Functional::Integral => (solver, None),
        Functional::Maximiser | Functional::Maximum => (Functional::Maximiser, Some(derivative())),
        Functional::Minimiser | Functional::Minimum => (Functional::Minimiser, Some(derivative())),
    };
    let mut rule = SolverRule { basis, rules, locate, derivative: optimum, depth: 0 };
    rule.bind_lambda("f", |rule, f| match solver {
        Functional::Maximum | Functional::Minimum => rule.optimal_value(solver, f),
        _ => rule.build_solution(f),
    })
}

/// The state of building the term of one rule.
struct SolverRule<'r> {
    basis: &'r Basis,
    rules: &'r dyn TaylorHooks,
    /// The solver whose value is `y₀`.
    locate: Functional,
    /// The image of `deriv`, if F is ∂f/∂y and not f.
    derivative: Option<Term>,
    /// The number of binders around the term that is built.
    depth: usize,
}

impl SolverRule<'_> {
    fn bind_variable(&mut self, name: &str, body: impl FnOnce(&mut Self, &BoundName) -> Term) -> (Name, Term) {
        let bound = BoundName { level: self.depth, name: name.into() };
        self.depth += 1;
        let body = body(self, &bound);
        self.depth -= 1;
        (bound.name, body)
    }

    fn bind_lambda(&mut self, name: &str, body: impl FnOnce(&mut Self, &BoundName) -> Term) -> Term {
        let (name, body) = self.bind_variable(name, body);
        term_without_source(TermKind::Lambda { name, body })
    }

    fn bind_let(&mut self, name: &str, value: Term, body: impl FnOnce(&mut Self, &BoundName) -> Term) -> Term {
        let (name, body) = self.bind_variable(name, body);
        term_without_source(TermKind::Let { name, value, body })
    }

    fn use_variable(&self, bound: &BoundName) -> Term {
        variable_term(self.depth - 1 - bound.level, &bound.name)
    }

    fn project_coordinate(&self, tuple: &BoundName, index: usize) -> Term {
        term_without_source(TermKind::Project { tuple: self.use_variable(tuple), index })
    }

    /// Returns the degree |α| of a coordinate.
    fn degree_of(&self, index: usize) -> usize {
        self.basis.indices()[index].iter().sum()
    }

    /// Returns the coordinates of a degree.
    fn coordinates_of_degree(&self, degree: usize) -> Vec<usize> {
        (0..self.basis.len()).filter(|index| self.degree_of(*index) == degree).collect()
    }

    /// Returns the jet with these coordinates; where one is `None` it is 0.
    fn build_jet(&self, coordinate: impl Fn(usize) -> Option<Term>) -> Term {
        let parts = (0..self.basis.len()).map(|index| coordinate(index).unwrap_or_else(|| real_literal(0)));
        term_without_source(TermKind::Tuple(parts.collect()))
    }

    /// Returns the jet `⟨value, 0, …⟩`.
    fn constant_jet(&self, value: Term) -> Term {
        self.build_jet(|index| (index == 0).then(|| value.clone()))
    }

    /// Returns f′ of a jet.
    fn apply_function(&self, f: &BoundName, jet: Term) -> Term {
        Term::apply(self.use_variable(f), jet, Span::default())
    }

    /// Returns F of a jet.
    fn apply_equation(&self, f: &BoundName, jet: Term) -> Term {
        match &self.derivative {
            None => self.apply_function(f, jet),
            Some(derivative) => {
                let slope = Term::apply(derivative.clone(), self.use_variable(f), Span::default());
                Term::apply(slope, jet, Span::default())
            }
        }
    }

    /// Returns a functional at `c ↦ f′⟨c, 0, …⟩₀`.
    fn solve_values(&mut self, functional: Functional, f: &BoundName) -> Term {
        let values = self.bind_lambda("c", |rule, c| {
            let value = rule.apply_function(f, rule.constant_jet(rule.use_variable(c)));
            term_without_source(TermKind::Project { tuple: value, index: 0 })
        });
        apply_constant_term(Constant::Functional(functional), [values])
    }

    /// Returns the jet of the solution.
    fn build_solution(&mut self, f: &BoundName) -> Term {
        let y = self.solve_values(self.locate, f);
        let order = self.basis.indices().iter().map(|index| index.iter().sum()).max().unwrap_or(0);
        self.bind_let("y", y, |rule, y| rule.solution_from(f, y, order))
    }

    /// Returns the jet of the solution with the value y, to an order; coordinates of a higher degree are 0.
    fn solution_from(&mut self, f: &BoundName, y: &BoundName, order: usize) -> Term {
        let residual = self.apply_equation(f, self.constant_jet(self.use_variable(y)));
        self.bind_let("v", residual, |rule, v| {
            if rule.locate == Functional::CutRoot {
                return rule.interior_solution(f, y, v, order);
            }
            let away = if rule.locate == Functional::Minimiser { Constant::Subtract } else { Constant::Add };
            let t = apply_constant_term(away, [rule.use_variable(y), rule.project_coordinate(v, 0)]);
            let jet = rule.bind_let("t", t, |rule, t| {
                let stays = rule.constant_jet(rule.use_variable(y));
                let before = apply_constant_term(Constant::RealLess, [rule.use_variable(t), real_literal(0)]);
                let behind = apply_constant_term(Constant::RealLess, [real_literal(1), rule.use_variable(t)]);
                let inside = rule.interior_solution(f, y, v, order);
                if !rule.rules.solution_has_ends() {
                    return inside;
                }
                let inside = conditional_term(behind, stays.clone(), inside);
                conditional_term(before, stays, inside)
            });
            // an undecided end leaves the slopes undefined, and not the value
            rule.bind_let("z", jet, |rule, z| {
                rule.build_jet(|index| {
                    Some(if index == 0 { rule.use_variable(y) } else { rule.project_coordinate(z, index) })
                })
            })
        })
    }

    /// Returns the jet of a solution in the interior, from its value y and v = F⟨y, 0, …⟩.
    fn interior_solution(&mut self, f: &BoundName, y: &BoundName, v: &BoundName, order: usize) -> Term {
        let slope = if self.rules.has_sets() { self.slope_by_derivative(f, y) } else { self.slope_by_jets(f, y, v) };
        let slope = self.rules.solution_slope(slope);
        self.bind_let("d", slope, |rule, d| {
            let mut known = vec![None; rule.basis.len()];
            known[0] = Some(y.clone());
            rule.coordinates_from(1, order, known, (f, v, d))
        })
    }

    /// Returns F_y from two values of F on jets, of which one moves y.
    fn slope_by_jets(&self, f: &BoundName, y: &BoundName, v: &BoundName) -> Term {
        // a basis has a coordinate of degree 1, since its order is at least 1
        let first = self.coordinates_of_degree(1).first().copied().unwrap_or(0);
        let unit = self.build_jet(|index| match index {
            0 => Some(self.use_variable(y)),
            _ => (index == first).then(|| real_literal(1)),
        });
        let moved = term_without_source(TermKind::Project { tuple: self.apply_equation(f, unit), index: first });
        apply_constant_term(Constant::Subtract, [moved, self.project_coordinate(v, first)])
    }

    /// Returns F_y by `deriv`, in the value of the argument.
    fn slope_by_derivative(&mut self, f: &BoundName, y: &BoundName) -> Term {
        let values = self.bind_lambda("s", |rule, s| {
            let moved = apply_constant_term(Constant::Add, [rule.use_variable(y), rule.use_variable(s)]);
            let value = rule.apply_equation(f, rule.constant_jet(moved));
            term_without_source(TermKind::Project { tuple: value, index: 0 })
        });
        apply_constant_term(Constant::Deriv, [values, real_literal(0)])
    }

    /// Binds the coordinates of a degree and of the higher ones up to an order, and returns the jet of all. `known` are those of
    /// lower degree, v is F at them, and d is F_y.
    fn coordinates_from(
        &mut self,
        degree: usize,
        order: usize,
        known: Vec<Option<BoundName>>,
        (f, v, d): (&BoundName, &BoundName, &BoundName),
    ) -> Term {
        if degree > order {
            return self.build_jet(|index| known[index].as_ref().map(|bound| self.use_variable(bound)));
        }
        self.bind_coordinates(&self.coordinates_of_degree(degree), known, (v, d), &mut |rule, known| {
            if degree == order {
                return rule.coordinates_from(degree + 1, order, known, (f, v, d));
            }
            let jet = rule.build_jet(|index| {
                let coordinate = rule.use_variable(known[index].as_ref()?);
                Some(if index == 0 { coordinate } else { rule.rules.known_coordinate(coordinate) })
            });
            let residual = rule.apply_equation(f, jet);
            rule.bind_let(&format!("v{degree}"), residual, |rule, v| {
                rule.coordinates_from(degree + 1, order, known, (f, v, d))
            })
        })
    }

    /// Binds the coordinates of one degree, `−v_α / d`.
    fn bind_coordinates(
        &mut self,
        open: &[usize],
        mut known: Vec<Option<BoundName>>,
        (v, d): (&BoundName, &BoundName),
        rest: &mut dyn FnMut(&mut Self, Vec<Option<BoundName>>) -> Term,
    ) -> Term {
        let [index, open @ ..] = open else { return rest(self, known) };
        let quotient =
            apply_constant_term(Constant::Divide, [self.project_coordinate(v, *index), self.use_variable(d)]);
        let value = apply_constant_term(Constant::Negate, [quotient]);
        let name = format!("y{}", self.basis.names()[*index]);
        self.bind_let(&name, value, |rule, bound| {
            known[*index] = Some(bound.clone());
            rule.bind_coordinates(open, known, (v, d), rest)
        })
    }

    /// Returns the jet of the greatest or the smallest value.
    fn optimal_value(&mut self, optimum: Functional, f: &BoundName) -> Term {
        let order = self.basis.indices().iter().map(|index| index.iter().sum()).max().unwrap_or(0);
        let y = self.solve_values(self.locate, f);
        self.bind_let("y", y, |rule, y| {
            let fixed = rule.apply_function(f, rule.constant_jet(rule.use_variable(y)));
            rule.bind_let("w", fixed, |rule, w| {
                if order == 1 {
                    let value = rule.solve_values(optimum, f);
                    return rule.build_jet(|index| {
                        Some(if index == 0 { value.clone() } else { rule.project_coordinate(w, index) })
                    });
                }
                // a slope of the solution of degree d has the factor ∂f/∂y in a value of degree d: 0 inside, and 0 itself at an end
                let solution = rule.solution_from(f, y, order - 1);
                let moved = rule.apply_function(f, solution);
                rule.bind_let("w2", moved, |rule, higher| {
                    let value = rule.solve_values(optimum, f);
                    rule.build_jet(|index| {
                        Some(match rule.degree_of(index) {
                            0 => value.clone(),
                            1 => rule.project_coordinate(w, index),
                            _ => rule.project_coordinate(higher, index),
                        })
                    })
                })
            })
        })
    }
}

fn real_literal(q: i64) -> Term {
    term_without_source(TermKind::Real(Rational::from(q)))
}
