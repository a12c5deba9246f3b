//! Adjoints of nodes that bind variables, with respect to their captures.
//!
//! A *capture* of a binder is a maximal subterm of its body that mentions no variable bound there, and depends on the
//! inputs. The body becomes a map of its own variables and of one more for each capture. The adjoint of that map, or a
//! forward derivative of it, gives the cotangents. For an integral these are its partial derivatives: if the boundary
//! of a choice moves, they are not the integrals of the slopes on both sides. This is decided when they are
//! [run](super::integrand).

use super::Handed;
use super::rule::times;
use crate::smooth::graph::{Binary, Derivative, Graph, Mentions, Operation, SecondOrder, Unary, Variable};
use crate::smooth::substitution::Substitution;
use crate::stack::deep;
use rustc_hash::FxHashSet;

/// A function that computes the adjoint of a map of some variables, one graph for each of them that occurs.
pub(super) type Adjoint<'a> = dyn Fn(&[Variable], &Graph) -> Vec<Option<Graph>> + 'a;

/// A body with variables for its captures.
pub(super) struct Opened {
    /// The variables, with the subterms that they replace.
    pub(super) captures: Vec<(Variable, Graph)>,
    body: Graph,
}

impl Opened {
    /// Opens the body of a binder of the variables `bound`.
    pub(super) fn new(moving: &mut Mentions, bound: &[Variable], body: &Graph) -> Self {
        let opened = Self::at(captures(moving, bound, body), body);
        if !moving.elsewhere().occur_in(&opened.body) {
            return opened;
        }
        // an inner binder hides a variable of the same name; then each free variable is a capture, and no larger term
        // is
        let moves = |v: &Variable| moving.contains(*v) && !bound.contains(v);
        Self::at(body.free().into_iter().filter(moves).map(Graph::variable).collect(), body)
    }

    /// Replaces the subterms `parts` of the body by variables.
    fn at(parts: Vec<Graph>, body: &Graph) -> Self {
        let captures: Vec<_> = parts.into_iter().map(|part| (Variable::fresh(), part)).collect();
        let is_variable = |g: &Graph| match g.operation() {
            Operation::Variable(v) => Some(*v),
            _ => None,
        };
        let renamed = captures.iter().filter_map(|(v, part)| Some((is_variable(part)?, Graph::variable(*v))));
        let renamed: Vec<_> = renamed.collect();
        let mut opening = Substitution::new(&renamed);
        for (v, part) in captures.iter().filter(|(_, part)| is_variable(part).is_none()) {
            opening.replace(part, Graph::variable(*v));
        }
        let body = opening.apply(body);
        Self { captures, body }
    }

    /// Returns the cotangents of the operands and captures of the node.
    pub(super) fn pull(&self, adjoint: &Adjoint, node: &Graph, w: &Graph) -> Handed {
        let handed = match node.operation() {
            Operation::Derivative(d) => self.derivative(adjoint, d, w),
            Operation::Second(SecondOrder::CutRoot, v, _) => self.root(adjoint, *v, node, w),
            Operation::Second(primitive, v, _) => self.locally(*primitive, *v, w),
            _ => Vec::new(),
        };
        handed.into_iter().map(|(part, cotangent)| (part, cotangent.at(node.site()))).collect()
    }

    fn variables(&self) -> Vec<Variable> {
        self.captures.iter().map(|(v, _)| *v).collect()
    }

    /// Pairs the captures with the cotangents of their variables.
    fn handed(&self, found: impl Iterator<Item = Option<Graph>>) -> Handed {
        let found = self.captures.iter().zip(found);
        found.filter_map(|((_, capture), cotangent)| Some((capture.clone(), cotangent?))).collect()
    }

    /// Returns `-w/f′(r)·∂f/∂c` at x = r, the root, for each capture c (implicit function theorem).
    fn root(&self, adjoint: &Adjoint, v: Variable, root: &Graph, w: &Graph) -> Handed {
        let (at, along) = (vec![root.clone()], vec![Graph::integer(1)]);
        let slope = Graph::derivative(vec![v], self.body.clone(), at, along).substitute(&self.captures);
        let factor = Graph::unary(Unary::Negate, &Graph::binary(Binary::Divide, w, &slope));
        let bindings: Vec<_> = self.captures.iter().cloned().chain([(v, root.clone())]).collect();
        let mut there = Substitution::new(&bindings);
        let mut at_root = |slope: Graph| times(&factor, &there.apply(&slope));
        self.handed(adjoint(&self.variables(), &self.body).into_iter().map(|slope| slope.map(&mut at_root)))
    }

    /// Returns w times the derivative of the node in each capture, by forward mode.
    fn locally(&self, primitive: SecondOrder, v: Variable, w: &Graph) -> Handed {
        let node = Graph::second_order(primitive, v, self.body.clone());
        let (variables, at): (Vec<_>, Vec<_>) = self.captures.iter().cloned().unzip();
        let column = |(place, capture): (usize, &Graph)| {
            let slope = Graph::partial(variables.clone(), node.clone(), at.clone(), place);
            (capture.clone(), times(w, &slope))
        };
        at.iter().enumerate().map(column).collect()
    }

    /// Uses the symmetry of second derivatives. With a the adjoint of the body, the direction gets a; the point and the
    /// captures get the derivative of a along the direction.
    fn derivative(&self, adjoint: &Adjoint, d: &Derivative, w: &Graph) -> Handed {
        let all: Vec<_> = d.variables.iter().copied().chain(self.variables()).collect();
        let found = adjoint(&all, &self.body);
        let point: Vec<_> = d.variables.iter().copied().zip(d.at.iter().cloned()).collect();
        let bindings: Vec<_> = point.iter().chain(&self.captures).cloned().collect();
        let (mut there, mut back) = (Substitution::new(&bindings), Substitution::new(&self.captures));
        let places = d.at.iter().zip(&d.along).map(|(at, along)| (at, Some(along)));
        let places = places.chain(self.captures.iter().map(|(_, capture)| (capture, None)));
        let mut handed = Vec::new();
        for ((place, along), adjoint) in places.zip(found) {
            let Some(adjoint) = adjoint else { continue };
            let slope = Graph::slope(Derivative { body: adjoint.clone(), ..d.clone() });
            handed.push((place.clone(), times(w, &back.apply(&slope))));
            if let Some(along) = along {
                handed.push((along.clone(), times(w, &there.apply(&adjoint))));
            }
        }
        handed
    }
}

/// Returns the maximal subterms of the body of a binder that mention no variable bound there, and depend on the inputs.
/// Each variable occurs once.
fn captures(moving: &mut Mentions, bound: &[Variable], body: &Graph) -> Vec<Graph> {
    let mut found = Captures {
        moving,
        bound: Mentions::new(bound),
        seen: FxHashSet::default(),
        variables: FxHashSet::default(),
        parts: Vec::new(),
    };
    found.visit(body);
    found.parts
}

struct Captures<'m> {
    moving: &'m mut Mentions,
    bound: Mentions,
    seen: FxHashSet<usize>,
    variables: FxHashSet<Variable>,
    parts: Vec<Graph>,
}

impl Captures<'_> {
    fn visit(&mut self, g: &Graph) {
        if !self.moving.occur_in(g) || !self.seen.insert(g.address()) {
            return;
        }
        if self.bound.occur_in(g) {
            return deep(|| {
                g.operation().parts().into_iter().for_each(|part| self.visit(part));
                // the captures of an inner binder may mention variables bound here, so they are split further
                if let Some((inner, body)) = g.operation().binder() {
                    captures(self.moving, inner, body).iter().for_each(|capture| self.visit(capture));
                }
            });
        }
        let is_known = matches!(g.operation(), Operation::Variable(v) if !self.variables.insert(*v));
        if !is_known {
            self.parts.push(g.clone());
        }
    }
}
