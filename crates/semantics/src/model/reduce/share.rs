//! Conversion of the residual graph to a term in which shared computations are bound by `let`.
//!
//! A node is bound in the innermost scope that contains all its uses, or further outside, where the program computes it.
//! Otherwise a function that only uses it would compute it at every call. Functions are written at every use, since a model
//! without exponentials has no variables for them. Operations on deep operands are bound as well, so that terms stay shallow.

use super::residue::{Node, Residue, Shape, Variable};
use super::{MOST_STEPS, ReduceError};
use crate::stack::deep;
use crate::syntax::name::Name;
use crate::syntax::nesting::Nesting;
use crate::syntax::normal::types::Key;
use crate::syntax::source::Span;
use crate::syntax::term::{Branch, Term, TermKind};
use crate::syntax::ty::{Ty, TyKind};
use rustc_hash::FxHashMap;

/// An operation with operands at least this deep is bound to a variable; a choice: shallow terms against many variables.
const DEEPEST: u32 = 32;

/// The span of parts that the program does not contain.
const SPAN: Span = Span { start: 0, end: 0 };

/// Converts a graph to a term over variables of the types of `context`.
pub(super) fn term(residue: &Residue, context: &[Ty]) -> Result<Term, ReduceError> {
    let plan = Plan::new(residue);
    let variables = (1..).zip(context.iter().cloned().enumerate()).collect();
    let types = residue.types.all();
    let mut writer =
        Writer { residue, plan: &plan, types, variables, bound: FxHashMap::default(), level: context.len(), steps: 0 };
    writer.scope(residue.nodes.len() - 1)
}

/// The plan of sharing: the nodes to bind, and the scope for each. A scope is the root, or the body of a function or branch.
struct Plan {
    /// The nodes that each scope binds, each after the nodes that it uses.
    bound_at: FxHashMap<Node, Vec<Node>>,
    /// For each node, `true` if it is bound.
    is_bound: Vec<bool>,
}

impl Plan {
    fn new(residue: &Residue) -> Plan {
        const NOWHERE: usize = usize::MAX;
        let nodes = &residue.nodes;
        let (count, root) = (nodes.len(), nodes.len() - 1);
        let mut uses = vec![0_u32; count];
        uses[root] = 1;
        // in reverse order users come before the nodes that they use
        for node in (0..count).rev() {
            if uses[node] > 0 {
                nodes[node].shape.parts().iter().for_each(|&(part, _)| uses[part] += 1);
            }
        }
        // functions have no variables in such a model, and variables and leaves cost nothing to repeat
        let functional = residue.types.functional();
        let can_be_bound =
            |node: Node| node != root && !functional[nodes[node].ty as usize] && !is_small(residue, node);
        let mut is_bound = vec![false; count];
        let (mut scopes, mut nesting) = (vec![NOWHERE; count], Nesting::new(count));
        let mut tops: FxHashMap<Variable, Node> = FxHashMap::default();
        scopes[root] = root;
        tops.insert(0, root);
        // From the root down: the scope of a node is the meet of the scopes of its uses.
        for node in (0..count).rev().filter(|&node| uses[node] > 0) {
            if can_be_bound(node) {
                let scope = scopes[node];
                // hoist to the scope where the program computes the node, if that lies around all its uses
                let home = tops.get(&nodes[node].home).filter(|&&home| nesting.meet(home, scope) == home);
                scopes[node] = home.copied().unwrap_or(scope);
                is_bound[node] = uses[node] > 1 || scopes[node] != scope;
            }
            for (part, variable) in nodes[node].shape.parts() {
                match variable {
                    // a body used once opens a scope; one with other uses is an ordinary node
                    Some(variable) if uses[part] == 1 => {
                        scopes[part] = part;
                        nesting.put(part, scopes[node]);
                        tops.insert(variable, part);
                    }
                    _ if scopes[part] == NOWHERE => scopes[part] = scopes[node],
                    _ => scopes[part] = nesting.meet(scopes[part], scopes[node]),
                }
            }
        }
        // From the leaves up: bind the operations whose operands have become this deep.
        let (mut depths, mut bound_at) = (vec![0_u32; count], FxHashMap::default());
        for node in (0..count).filter(|&node| uses[node] > 0) {
            let depth = |&(part, variable): &(Node, Option<Variable>)| match variable {
                None if !is_bound[part] => depths[part],
                _ => 0,
            };
            let below = nodes[node].shape.parts().iter().map(depth).max().unwrap_or(0);
            depths[node] = below + u32::from(!functional[nodes[node].ty as usize]);
            is_bound[node] |= below >= DEEPEST && scopes[node] != node && can_be_bound(node);
            if is_bound[node] {
                bound_at.entry(scopes[node]).or_insert_with(Vec::new).push(node);
            }
        }
        Plan { bound_at, is_bound }
    }
}

/// Returns `true` if a node is a variable, a leaf or a projection of one, and so is written out at every use.
fn is_small(residue: &Residue, mut node: Node) -> bool {
    while let Shape::Project(tuple, _) = residue.nodes[node].shape {
        node = tuple;
    }
    matches!(residue.nodes[node].shape, Shape::Variable(_) | Shape::Leaf(..))
}

/// Writes the term, by de Bruijn levels.
struct Writer<'r> {
    residue: &'r Residue,
    plan: &'r Plan,
    types: Vec<Ty>,
    /// The de Bruijn levels of the variables in scope, with their types.
    variables: FxHashMap<Variable, (usize, Ty)>,
    /// The de Bruijn levels of the bound nodes in scope, with their types.
    bound: FxHashMap<Node, (usize, Ty)>,
    /// The number of variables in scope.
    level: usize,
    steps: u64,
}

fn name() -> Name {
    Name::from("x")
}

impl Writer<'_> {
    fn ty(&self, key: Key) -> Ty {
        self.types[key as usize].clone()
    }

    fn variable(&self, (level, ty): &(usize, Ty)) -> Term {
        Term::variable(self.level - 1 - level, name(), ty.clone(), SPAN)
    }

    /// Writes a node at the top of a scope, inside the `let`s of that scope.
    fn scope(&mut self, node: Node) -> Result<Term, ReduceError> {
        let plan = self.plan;
        let Some(bound) = plan.bound_at.get(&node) else { return self.node(node) };
        let mut values = Vec::with_capacity(bound.len());
        for &value in bound {
            let written = self.node(value)?;
            self.bound.insert(value, (self.level, written.ty().clone()));
            self.level += 1;
            values.push(written);
        }
        let result = if plan.is_bound[node] { self.part(node) } else { self.node(node) };
        self.level -= bound.len();
        // outside of its scope the node would be unbound: two uses of a function write it twice
        bound.iter().for_each(|value| drop(self.bound.remove(value)));
        let bind = |body, value| Term::new(TermKind::Let { name: name(), value, body }, SPAN);
        Ok(values.into_iter().rev().fold(result?, bind))
    }

    fn part(&mut self, part: Node) -> Result<Term, ReduceError> {
        if self.plan.is_bound[part] {
            let bound = self.bound.get(&part).ok_or(ReduceError::Unknown { what: "a part" })?;
            return Ok(self.variable(bound));
        }
        deep(|| self.scope(part))
    }

    fn under(&mut self, variable: Variable, ty: Ty, body: Node) -> Result<Term, ReduceError> {
        self.variables.insert(variable, (self.level, ty));
        self.level += 1;
        let written = self.part(body);
        self.level -= 1;
        written
    }

    /// Writes a node. Every node written counts as a step, since functions are written more than once.
    fn node(&mut self, node: Node) -> Result<Term, ReduceError> {
        self.steps += 1;
        if self.steps > MOST_STEPS {
            return Err(ReduceError::Exhausted { most: MOST_STEPS });
        }
        let residue = self.residue;
        let ty = residue.nodes[node].ty;
        let kind = match &residue.nodes[node].shape {
            Shape::Variable(variable) => {
                let known = self.variables.get(variable).ok_or(ReduceError::Unknown { what: "a variable" })?;
                return Ok(self.variable(known));
            }
            Shape::Leaf(kind @ TermKind::Constant(_), span) => {
                return Ok(Term::typed(kind.clone(), self.ty(ty), *span));
            }
            Shape::Leaf(kind, span) => return Ok(Term::new(kind.clone(), *span)),
            Shape::Apply(function, argument) => {
                let (function, argument) = (self.part(*function)?, self.part(*argument)?);
                let span = function.span();
                return Ok(Term::apply(function, argument, span));
            }
            Shape::Lambda(variable, body) => {
                let TyKind::Function(domain, _) = self.ty(ty).kind().clone() else {
                    return Err(ReduceError::Unknown { what: "a function" });
                };
                let body = self.under(*variable, domain.clone(), *body)?;
                return Ok(Term::lambda(name(), domain, body, SPAN));
            }
            Shape::Inject(constructor, argument) => {
                let argument = self.part(*argument)?;
                return Ok(Term::inject(constructor.clone(), argument, self.ty(ty), SPAN));
            }
            Shape::Tuple(parts) => {
                TermKind::Tuple(parts.iter().map(|&part| self.part(part)).collect::<Result<_, _>>()?)
            }
            Shape::Project(tuple, index) => TermKind::Project { tuple: self.part(*tuple)?, index: *index },
            Shape::To(iso) => TermKind::To(self.part(*iso)?),
            Shape::From(iso) => TermKind::From(self.part(*iso)?),
            Shape::Match(data, scrutinee, branches) => {
                let domains = match self.ty(residue.nodes[*scrutinee].ty).kind() {
                    TyKind::Data(data, arguments) => data.domains(arguments),
                    _ => Vec::new(),
                };
                let scrutinee = self.part(*scrutinee)?;
                let branches = branches.iter().zip(domains).map(|(&(variable, body), domain)| {
                    Ok(Branch { name: name(), body: self.under(variable, domain, body)? })
                });
                let branches = branches.collect::<Result<_, ReduceError>>()?;
                TermKind::Match { data: data.clone(), scrutinee, branches }
            }
        };
        Ok(Term::new(kind, SPAN))
    }
}
