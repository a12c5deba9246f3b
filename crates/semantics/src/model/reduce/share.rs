//! Conversion of the residual graph to a term in which shared computations are bound by `let`.
//!
//! A node is bound in the innermost scope that contains all its uses, or further outside, where the program computes it.
//! Otherwise a function that only uses it would compute it at every call. Functions are written at every use, since a model
//! without exponentials has no variables for them. Operations on deep operands are bound as well, so that terms stay shallow.

use super::residue::{ResidualNodeIndex, ResidualProgram, ResidualShape, ResidualVariable};
use super::{MAX_REDUCTION_STEPS, ReduceError};
use crate::stack::with_stack;
use crate::syntax::name::Name;
use crate::syntax::nesting::ScopeTree;
use crate::syntax::normal::types::TypeKey;
use crate::syntax::source::Span;
use crate::syntax::term::{MatchBranch, Term, TermKind};
use crate::syntax::ty::{Ty, TyKind};
use rustc_hash::FxHashMap;

/// An operation with operands at least this deep is bound to a variable; a choice: shallow terms against many variables.
const MAX_OPERAND_DEPTH: u32 = 32;

/// The span of parts that the program does not contain.
const NO_SPAN: Span = Span { start: 0, end: 0 };

/// Converts a graph to a term over variables of the types of `context`.
pub(super) fn write_term(residue: &ResidualProgram, context: &[Ty]) -> Result<Term, ReduceError> {
    let plan = SharingPlan::new(residue);
    let variables = (1..).zip(context.iter().cloned().enumerate()).collect();
    let types = residue.types.all_types();
    let mut writer = SharedTermWriter {
        residue,
        plan: &plan,
        types,
        variables,
        bound: FxHashMap::default(),
        level: context.len(),
        steps: 0,
    };
    writer.write_scope(residue.nodes.len() - 1)
}

/// The plan of sharing: the nodes to bind, and the scope for each. A scope is the root, or the body of a function or branch.
struct SharingPlan {
    /// The nodes that each scope binds, each after the nodes that it uses.
    bound_at: FxHashMap<ResidualNodeIndex, Vec<ResidualNodeIndex>>,
    /// For each node, `true` if it is bound.
    is_bound: Vec<bool>,
}

impl SharingPlan {
    fn new(residue: &ResidualProgram) -> SharingPlan {
        const NOWHERE: usize = usize::MAX;
        let nodes = &residue.nodes;
        let (count, root) = (nodes.len(), nodes.len() - 1);
        let mut uses = vec![0_u32; count];
        uses[root] = 1;
        // in reverse order users come before the nodes that they use
        for node in (0..count).rev() {
            if uses[node] > 0 {
                nodes[node].shape.child_nodes().iter().for_each(|&(part, _)| uses[part] += 1);
            }
        }
        // functions have no variables in such a model, and variables and leaves cost nothing to repeat
        let functional = residue.types.functional_types();
        let can_be_bound = |node: ResidualNodeIndex| {
            node != root && !functional[nodes[node].ty as usize] && !is_written_inline(residue, node)
        };
        let mut is_bound = vec![false; count];
        let (mut scopes, mut nesting) = (vec![NOWHERE; count], ScopeTree::new(count));
        let mut tops: FxHashMap<ResidualVariable, ResidualNodeIndex> = FxHashMap::default();
        scopes[root] = root;
        tops.insert(0, root);
        // From the root down: the scope of a node is the meet of the scopes of its uses.
        for node in (0..count).rev().filter(|&node| uses[node] > 0) {
            if can_be_bound(node) {
                let scope = scopes[node];
                // hoist to the scope where the program computes the node, if that lies around all its uses
                let home = tops
                    .get(&nodes[node].innermost_binder)
                    .filter(|&&home| nesting.lowest_common_ancestor(home, scope) == home);
                scopes[node] = home.copied().unwrap_or(scope);
                is_bound[node] = uses[node] > 1 || scopes[node] != scope;
            }
            for (part, variable) in nodes[node].shape.child_nodes() {
                match variable {
                    // a body used once opens a scope; one with other uses is an ordinary node
                    Some(variable) if uses[part] == 1 => {
                        scopes[part] = part;
                        nesting.attach_child(part, scopes[node]);
                        tops.insert(variable, part);
                    }
                    _ if scopes[part] == NOWHERE => scopes[part] = scopes[node],
                    _ => scopes[part] = nesting.lowest_common_ancestor(scopes[part], scopes[node]),
                }
            }
        }
        // From the leaves up: bind the operations whose operands have become this deep.
        let (mut depths, mut bound_at) = (vec![0_u32; count], FxHashMap::default());
        for node in (0..count).filter(|&node| uses[node] > 0) {
            let depth = |&(part, variable): &(ResidualNodeIndex, Option<ResidualVariable>)| match variable {
                None if !is_bound[part] => depths[part],
                _ => 0,
            };
            let below = nodes[node].shape.child_nodes().iter().map(depth).max().unwrap_or(0);
            depths[node] = below + u32::from(!functional[nodes[node].ty as usize]);
            is_bound[node] |= below >= MAX_OPERAND_DEPTH && scopes[node] != node && can_be_bound(node);
            if is_bound[node] {
                bound_at.entry(scopes[node]).or_insert_with(Vec::new).push(node);
            }
        }
        SharingPlan { bound_at, is_bound }
    }
}

/// Returns `true` if a node is a variable, a leaf or a projection of one, and so is written out at every use.
fn is_written_inline(residue: &ResidualProgram, mut node: ResidualNodeIndex) -> bool {
    while let ResidualShape::Project(tuple, _) = residue.nodes[node].shape {
        node = tuple;
    }
    matches!(residue.nodes[node].shape, ResidualShape::Variable(_) | ResidualShape::Leaf(..))
}

/// Writes the term, by de Bruijn levels.
struct SharedTermWriter<'r> {
    residue: &'r ResidualProgram,
    plan: &'r SharingPlan,
    types: Vec<Ty>,
    /// The de Bruijn levels of the variables in scope, with their types.
    variables: FxHashMap<ResidualVariable, (usize, Ty)>,
    /// The de Bruijn levels of the bound nodes in scope, with their types.
    bound: FxHashMap<ResidualNodeIndex, (usize, Ty)>,
    /// The number of variables in scope.
    level: usize,
    steps: u64,
}

fn variable_name() -> Name {
    Name::from("x")
}

impl SharedTermWriter<'_> {
    fn type_of_key(&self, key: TypeKey) -> Ty {
        self.types[key as usize].clone()
    }

    fn bound_variable(&self, (level, ty): &(usize, Ty)) -> Term {
        Term::variable(self.level - 1 - level, variable_name(), ty.clone(), NO_SPAN)
    }

    /// Writes a node at the top of a scope, inside the `let`s of that scope.
    fn write_scope(&mut self, node: ResidualNodeIndex) -> Result<Term, ReduceError> {
        let plan = self.plan;
        let Some(bound) = plan.bound_at.get(&node) else { return self.write_node(node) };
        let mut values = Vec::with_capacity(bound.len());
        for &value in bound {
            let written = self.write_node(value)?;
            self.bound.insert(value, (self.level, written.ty().clone()));
            self.level += 1;
            values.push(written);
        }
        let result = if plan.is_bound[node] { self.write_part(node) } else { self.write_node(node) };
        self.level -= bound.len();
        // outside of its scope the node would be unbound: two uses of a function write it twice
        bound.iter().for_each(|value| drop(self.bound.remove(value)));
        let bind = |body, value| Term::new(TermKind::Let { name: variable_name(), value, body }, NO_SPAN);
        Ok(values.into_iter().rev().fold(result?, bind))
    }

    fn write_part(&mut self, part: ResidualNodeIndex) -> Result<Term, ReduceError> {
        if self.plan.is_bound[part] {
            let bound = self.bound.get(&part).ok_or(ReduceError::Unknown { what: "a part" })?;
            return Ok(self.bound_variable(bound));
        }
        with_stack(|| self.write_scope(part))
    }

    fn write_under_binder(
        &mut self,
        variable: ResidualVariable,
        ty: Ty,
        body: ResidualNodeIndex,
    ) -> Result<Term, ReduceError> {
        self.variables.insert(variable, (self.level, ty));
        self.level += 1;
        let written = self.write_part(body);
        self.level -= 1;
        written
    }

    /// Writes a node. Every node written counts as a step, since functions are written more than once.
    fn write_node(&mut self, node: ResidualNodeIndex) -> Result<Term, ReduceError> {
        self.steps += 1;
        if self.steps > MAX_REDUCTION_STEPS {
            return Err(ReduceError::Exhausted { most: MAX_REDUCTION_STEPS });
        }
        let residue = self.residue;
        let ty = residue.nodes[node].ty;
        let kind = match &residue.nodes[node].shape {
            ResidualShape::Variable(variable) => {
                let known = self.variables.get(variable).ok_or(ReduceError::Unknown { what: "a variable" })?;
                return Ok(self.bound_variable(known));
            }
            ResidualShape::Leaf(kind @ TermKind::Constant(_), span) => {
                return Ok(Term::with_type(kind.clone(), self.type_of_key(ty), *span));
            }
            ResidualShape::Leaf(kind, span) => return Ok(Term::new(kind.clone(), *span)),
            ResidualShape::Apply(function, argument) => {
                let (function, argument) = (self.write_part(*function)?, self.write_part(*argument)?);
                let span = function.span();
                return Ok(Term::apply(function, argument, span));
            }
            ResidualShape::Lambda(variable, body) => {
                let TyKind::Function(domain, _) = self.type_of_key(ty).kind().clone() else {
                    return Err(ReduceError::Unknown { what: "a function" });
                };
                let body = self.write_under_binder(*variable, domain.clone(), *body)?;
                return Ok(Term::lambda(variable_name(), domain, body, NO_SPAN));
            }
            ResidualShape::Inject(constructor, argument) => {
                let argument = self.write_part(*argument)?;
                return Ok(Term::inject(constructor.clone(), argument, self.type_of_key(ty), NO_SPAN));
            }
            ResidualShape::Tuple(parts) => {
                TermKind::Tuple(parts.iter().map(|&part| self.write_part(part)).collect::<Result<_, _>>()?)
            }
            ResidualShape::Project(tuple, index) => {
                TermKind::Project { tuple: self.write_part(*tuple)?, index: *index }
            }
            ResidualShape::To(iso) => TermKind::To(self.write_part(*iso)?),
            ResidualShape::From(iso) => TermKind::From(self.write_part(*iso)?),
            ResidualShape::Match(data, scrutinee, branches) => {
                let domains = match self.type_of_key(residue.nodes[*scrutinee].ty).kind() {
                    TyKind::Data(data, arguments) => data.argument_types(arguments),
                    _ => Vec::new(),
                };
                let scrutinee = self.write_part(*scrutinee)?;
                let branches = branches.iter().zip(domains).map(|(&(variable, body), domain)| {
                    Ok(MatchBranch { name: variable_name(), body: self.write_under_binder(variable, domain, body)? })
                });
                let branches = branches.collect::<Result<_, ReduceError>>()?;
                TermKind::Match { data: data.clone(), scrutinee, branches }
            }
        };
        Ok(Term::new(kind, NO_SPAN))
    }
}
