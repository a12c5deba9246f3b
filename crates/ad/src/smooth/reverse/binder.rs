//! Adjoints of nodes that bind variables, with respect to their captures.
//!
//! A *capture* of a binder is a maximal subterm of its body that mentions no variable bound there, and depends on the
//! inputs. The body becomes a map of its own variables and of one more for each capture. The adjoint of that map, or a
//! forward derivative of it, gives the cotangents. For an integral these are its partial derivatives: if the boundary
//! of a choice moves, they are not the integrals of the slopes on both sides. This is decided when they are
//! [run](super::integrand).

use super::CotangentContributions;
use super::rule::multiply_simplified;
use crate::smooth::graph::{Binary, Derivative, FreeOccurrences, Graph, NodeOperation, SecondOrder, Unary, Variable};
use crate::smooth::substitution::Substitution;
use crate::stack::with_stack;
use rustc_hash::FxHashSet;

/// A function that computes the adjoint of a map of some variables, one graph for each of them that occurs.
pub(super) type Adjoint<'a> = dyn Fn(&[Variable], &Graph) -> Vec<Option<Graph>> + 'a;

/// A body with variables for its captures.
pub(super) struct OpenedBody {
    /// The variables, with the subterms that they replace.
    pub(super) captures: Vec<(Variable, Graph)>,
    body: Graph,
}

impl OpenedBody {
    /// Opens the body of a binder of the variables `bound`.
    pub(super) fn new(moving: &mut FreeOccurrences, bound: &[Variable], body: &Graph) -> Self {
        let opened = Self::open_at(find_captures(moving, bound, body), body);
        if !moving.without_cache().occur_in(&opened.body) {
            return opened;
        }
        // an inner binder hides a variable of the same name; then each free variable is a capture, and no larger term
        // is
        let moves = |v: &Variable| moving.contains(*v) && !bound.contains(v);
        Self::open_at(body.free_variables().into_iter().filter(moves).map(Graph::variable).collect(), body)
    }

    /// Replaces the subterms `parts` of the body by variables.
    fn open_at(parts: Vec<Graph>, body: &Graph) -> Self {
        let captures: Vec<_> = parts.into_iter().map(|part| (Variable::fresh(), part)).collect();
        let is_variable = |g: &Graph| match g.operation() {
            NodeOperation::Variable(v) => Some(*v),
            _ => None,
        };
        let renamed = captures.iter().filter_map(|(v, part)| Some((is_variable(part)?, Graph::variable(*v))));
        let renamed: Vec<_> = renamed.collect();
        let mut opening = Substitution::new(&renamed);
        for (v, part) in captures.iter().filter(|(_, part)| is_variable(part).is_none()) {
            opening.replace_node(part, Graph::variable(*v));
        }
        let body = opening.apply(body);
        Self { captures, body }
    }

    /// Returns the cotangents of the operands and captures of the node.
    pub(super) fn pull_back(&self, adjoint: &Adjoint, node: &Graph, w: &Graph) -> CotangentContributions {
        let handed = match node.operation() {
            NodeOperation::Derivative(d) => self.derivative_adjoint(adjoint, d, w),
            NodeOperation::Second(SecondOrder::CutRoot, v, _) => self.root_adjoint(adjoint, *v, node, w),
            NodeOperation::Second(primitive, v, _) => self.local_jacobian(*primitive, *v, w),
            _ => Vec::new(),
        };
        handed.into_iter().map(|(part, cotangent)| (part, cotangent.at_site(node.site()))).collect()
    }

    fn capture_variables(&self) -> Vec<Variable> {
        self.captures.iter().map(|(v, _)| *v).collect()
    }

    /// Pairs the captures with the cotangents of their variables.
    fn to_captures(&self, found: impl Iterator<Item = Option<Graph>>) -> CotangentContributions {
        let found = self.captures.iter().zip(found);
        found.filter_map(|((_, capture), cotangent)| Some((capture.clone(), cotangent?))).collect()
    }

    /// Returns `-w/f′(r)·∂f/∂c` at x = r, the root, for each capture c (implicit function theorem).
    fn root_adjoint(&self, adjoint: &Adjoint, v: Variable, root: &Graph, w: &Graph) -> CotangentContributions {
        let (at, along) = (vec![root.clone()], vec![Graph::integer(1)]);
        let slope = Graph::derivative(vec![v], self.body.clone(), at, along).substitute(&self.captures);
        let factor = Graph::unary(Unary::Negate, &Graph::binary(Binary::Divide, w, &slope));
        let bindings: Vec<_> = self.captures.iter().cloned().chain([(v, root.clone())]).collect();
        let mut there = Substitution::new(&bindings);
        let mut at_root = |slope: Graph| multiply_simplified(&factor, &there.apply(&slope));
        self.to_captures(
            adjoint(&self.capture_variables(), &self.body).into_iter().map(|slope| slope.map(&mut at_root)),
        )
    }

    /// Returns w times the derivative of the node in each capture, by forward mode.
    fn local_jacobian(&self, primitive: SecondOrder, v: Variable, w: &Graph) -> CotangentContributions {
        let node = Graph::second_order(primitive, v, self.body.clone());
        let (variables, at): (Vec<_>, Vec<_>) = self.captures.iter().cloned().unzip();
        let column = |(place, capture): (usize, &Graph)| {
            let slope = Graph::partial(variables.clone(), node.clone(), at.clone(), place);
            (capture.clone(), multiply_simplified(w, &slope))
        };
        at.iter().enumerate().map(column).collect()
    }

    /// Uses the symmetry of second derivatives. With a the adjoint of the body, the direction gets a; the point and the
    /// captures get the derivative of a along the direction.
    fn derivative_adjoint(&self, adjoint: &Adjoint, d: &Derivative, w: &Graph) -> CotangentContributions {
        let all: Vec<_> = d.variables.iter().copied().chain(self.capture_variables()).collect();
        let found = adjoint(&all, &self.body);
        let point: Vec<_> = d.variables.iter().copied().zip(d.at.iter().cloned()).collect();
        let bindings: Vec<_> = point.iter().chain(&self.captures).cloned().collect();
        let (mut there, mut back) = (Substitution::new(&bindings), Substitution::new(&self.captures));
        let places = d.at.iter().zip(&d.along).map(|(at, along)| (at, Some(along)));
        let places = places.chain(self.captures.iter().map(|(_, capture)| (capture, None)));
        let mut handed = Vec::new();
        for ((place, along), adjoint) in places.zip(found) {
            let Some(adjoint) = adjoint else { continue };
            let slope = Graph::derivative_node(Derivative { body: adjoint.clone(), ..d.clone() });
            handed.push((place.clone(), multiply_simplified(w, &back.apply(&slope))));
            if let Some(along) = along {
                handed.push((along.clone(), multiply_simplified(w, &there.apply(&adjoint))));
            }
        }
        handed
    }
}

/// Returns the maximal subterms of the body of a binder that mention no variable bound there, and depend on the inputs.
/// Each variable occurs once.
fn find_captures(moving: &mut FreeOccurrences, bound: &[Variable], body: &Graph) -> Vec<Graph> {
    let mut found = CaptureSearch {
        moving,
        bound: FreeOccurrences::new(bound),
        seen: FxHashSet::default(),
        variables: FxHashSet::default(),
        parts: Vec::new(),
    };
    found.visit_node(body);
    found.parts
}

struct CaptureSearch<'m> {
    moving: &'m mut FreeOccurrences,
    bound: FreeOccurrences,
    seen: FxHashSet<usize>,
    variables: FxHashSet<Variable>,
    parts: Vec<Graph>,
}

impl CaptureSearch<'_> {
    fn visit_node(&mut self, g: &Graph) {
        if !self.moving.occur_in(g) || !self.seen.insert(g.address()) {
            return;
        }
        if self.bound.occur_in(g) {
            return with_stack(|| {
                g.operation().operands().into_iter().for_each(|part| self.visit_node(part));
                // the captures of an inner binder may mention variables bound here, so they are split further
                if let Some((inner, body)) = g.operation().binder() {
                    find_captures(self.moving, inner, body).iter().for_each(|capture| self.visit_node(capture));
                }
            });
        }
        let is_known = matches!(g.operation(), NodeOperation::Variable(v) if !self.variables.insert(*v));
        if !is_known {
            self.parts.push(g.clone());
        }
    }
}
