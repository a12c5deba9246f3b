//! Conversion of expressions to terms: variables get names and indices, and parts that are used more than once get a
//! `let`.
//!
//! An expression is a graph, in which a variable is a node. A term is a tree, in which a variable is a de Bruijn index.
//! A node that is used twice is bound where all its uses meet. All its variables are in scope there, since a binder of
//! each of them lies on every path to the node. So the term is as large as the graph: a number that is doubled sixty
//! times takes sixty sums.
//!
//! The uses may meet outside of the branches and functions that contain them, and then perhaps none of them is reached.
//! A node that might not terminate is bound there as a function of the unit value, and computed at each use; see
//! `laziness`.
//!
//! Parts of a very deep expression are bound in the same way, so that the term is shallow.
//!
//! # Analysis of shared parts of a program
//!
//! Which must wait until they are used.
//!
//! A part that is used in branches of different conditionals is bound outside of them, where perhaps none of its uses
//! is reached. This is harmless unless the part might not terminate, as a recursive call. The uses of such a part are
//! traced outwards: a scope needs it if a use stands there, or if all branches of a conditional there need it. If it is
//! not needed where it is bound, it is bound as a function of the unit value.

use super::expr::{EdslError, ProgramNode, ProgramNodeKind, UniqueVariable};
use crate::stack::with_stack;
use crate::syntax::source::Span;
use crate::syntax::term::{MatchBranch, ScopeTree, Term, TermKind};
use rustc_hash::{FxHashMap, FxHashSet};
use std::collections::hash_map::Entry;
use std::sync::Arc;

/// The depth at which parts are bound. A choice: far below the 10,000 levels that the parser accepts.
const MAX_LET_DEPTH: u32 = 200;

/// Converts an expression to a closed term.
///
/// # Errors
/// [`EdslError::EscapedVariable`] if a variable is free; the errors of construction, such as those of
/// [`double`](super::double).
pub(super) fn to_closed_term(root: &ProgramNode) -> Result<Term, EdslError> {
    let plan = LetPlan::new(root)?;
    let mut closing = TermConversion {
        plan: &plan,
        variables: FxHashMap::default(),
        letters: FxHashMap::default(),
        lets: FxHashMap::default(),
        level: 0,
    };
    closing.write_scope(plan.root())
}

/// The nodes of an expression in an order where parts come before their users, and the places where shared nodes are
/// bound.
struct LetPlan {
    /// The nodes. The last one is the root.
    nodes: Vec<ProgramNode>,
    /// The indices of the parts of all nodes, one node after the other.
    parts: Vec<usize>,
    /// The end of each node's section in `parts`.
    ends: Vec<usize>,
    /// The nodes that are bound at a node, by its index. Each comes after the bound nodes that it uses.
    bound: FxHashMap<usize, Vec<usize>>,
    /// `true` for the nodes that are bound.
    is_bound: Vec<bool>,
    /// `true` for the nodes that are bound as functions of the unit value.
    is_lazy: Vec<bool>,
}

impl LetPlan {
    /// Lists the nodes and decides which are bound.
    fn new(root: &ProgramNode) -> Result<Self, EdslError> {
        let mut plan = Self {
            nodes: Vec::new(),
            parts: Vec::new(),
            ends: Vec::new(),
            bound: FxHashMap::default(),
            is_bound: Vec::new(),
            is_lazy: Vec::new(),
        };
        plan.list_nodes(root)?;
        plan.bind_shared();
        Ok(plan)
    }

    /// Returns the index of the root.
    fn root(&self) -> usize {
        self.nodes.len() - 1
    }

    /// Lists the nodes in postorder, each once.
    fn list_nodes(&mut self, root: &ProgramNode) -> Result<(), EdslError> {
        let mut places: FxHashMap<usize, usize> = FxHashMap::default();
        // An explicit path in place of recursion: expressions may be deeper than the stack.
        let mut path = vec![(root, 0)];
        while let Some((node, next)) = path.last_mut() {
            let node = *node;
            if let ProgramNodeKind::Invalid(error) = node.kind() {
                return Err(error.clone());
            }
            if let Some(child) = node.children().get(*next) {
                *next += 1;
                if !places.contains_key(&child.address()) {
                    path.push((child, 0));
                }
                continue;
            }
            path.pop();
            // All parts are listed by now, so that their indices are known.
            if let Entry::Vacant(place) = places.entry(node.address()) {
                place.insert(self.nodes.len());
                self.nodes.push(node.clone());
                self.parts.extend(node.children().iter().map(|child| places[&child.address()]));
                self.ends.push(self.parts.len());
            }
        }
        Ok(())
    }

    /// Returns the indices of the parts of a node.
    fn children(&self, node: usize) -> &[usize] {
        let start = if node == 0 { 0 } else { self.ends[node - 1] };
        &self.parts[start..self.ends[node]]
    }

    /// Returns `true` if a node is so small that it is repeated at every use.
    fn is_small(node: &ProgramNode) -> bool {
        let mut node = node;
        while let ProgramNodeKind::Project(inner, _) | ProgramNodeKind::IsoDirection(inner, _) = node.kind() {
            node = inner;
        }
        match node.kind() {
            ProgramNodeKind::Variable(_) | ProgramNodeKind::Leaf(_) => true,
            ProgramNodeKind::Closed(term) => matches!(term.kind(), TermKind::Global(_)),
            _ => false,
        }
    }

    /// Returns for every node the innermost scope that contains all uses. A scope is denoted by its top node: the root,
    /// the body of a function, or a branch. A body or branch that is used elsewhere as well is no scope.
    fn innermost_scopes(&self, uses: &[u32]) -> Vec<usize> {
        const NONE: usize = usize::MAX;
        let mut scopes = vec![NONE; self.nodes.len()];
        let mut nesting = ScopeTree::new(self.nodes.len());
        scopes[self.root()] = self.root();
        // Indices descend from users to their parts, so all scopes of users are known.
        for node in (0..self.nodes.len()).rev() {
            // Parts from this index on are computed only if a function is called or a branch is taken.
            let inner = match self.nodes[node].kind() {
                ProgramNodeKind::Lambda(..) => 0,
                ProgramNodeKind::If(_) | ProgramNodeKind::Match(..) => 1,
                _ => NONE,
            };
            for (index, &part) in self.children(node).iter().enumerate() {
                if index >= inner && uses[part] == 1 {
                    scopes[part] = part;
                    nesting.attach_child(part, scopes[node]);
                } else if scopes[part] == NONE {
                    scopes[part] = scopes[node];
                } else {
                    scopes[part] = nesting.lowest_common_ancestor(scopes[part], scopes[node]);
                }
            }
        }
        scopes
    }

    /// Decides which nodes are bound, and where.
    fn bind_shared(&mut self) {
        let count = self.nodes.len();
        let mut uses = vec![0_u32; count];
        for &part in &self.parts {
            uses[part] += 1;
        }
        let scopes = self.innermost_scopes(&uses);
        self.is_lazy = find_delayed_nodes(&self.nodes, |node| self.children(node), &scopes);
        // The depth of a term is counted from the nearest `let`, since a bound part is written elsewhere.
        self.is_bound = vec![false; count];
        let mut depths = vec![0_u32; count];
        for node in 0..self.root() {
            let depth = |&part: &usize| if self.is_bound[part] { 0 } else { depths[part] };
            let below = self.children(node).iter().map(depth).max();
            depths[node] = below.map_or(0, |depth| depth + 1);
            // Nothing is gained by a `let` around the whole of a scope.
            let deep = depths[node] >= MAX_LET_DEPTH && scopes[node] != node && self.is_value(node);
            if deep || uses[node] > 1 && !Self::is_small(&self.nodes[node]) {
                self.is_bound[node] = true;
                self.bound.entry(scopes[node]).or_default().push(node);
            }
        }
    }

    /// Returns `true` if a node may be replaced by a variable. The function of a recursion may not.
    fn is_value(&self, node: usize) -> bool {
        !matches!(self.nodes[node].kind(), ProgramNodeKind::Lambda(..))
    }
}

/// The state of the conversion.
struct TermConversion<'p> {
    plan: &'p LetPlan,
    /// The levels and names of the variables in scope.
    variables: FxHashMap<UniqueVariable, (usize, Arc<str>)>,
    /// The number of variables in scope with each letter.
    letters: FxHashMap<char, usize>,
    /// The levels and names of the bound nodes in scope.
    lets: FxHashMap<usize, (usize, Arc<str>)>,
    /// The number of variables in scope.
    level: usize,
}

/// Creates a term without a place in a source.
fn make_term(kind: TermKind) -> Term {
    Term::new(kind, Span::new(0, 0))
}

impl TermConversion<'_> {
    /// Refers to a variable: its de Bruijn index counts binders from the inside.
    fn write_variable(&self, (level, name): &(usize, Arc<str>)) -> Term {
        make_term(TermKind::Variable { index: self.level - 1 - level, name: name.clone() })
    }

    /// Writes a node at the top of a scope, with the `let`s of the nodes that are bound there.
    fn write_scope(&mut self, node: usize) -> Result<Term, EdslError> {
        let plan = self.plan;
        let Some(bound) = plan.bound.get(&node) else { return self.write_node(node) };
        let mut values = Vec::with_capacity(bound.len());
        for &value in bound {
            let name: Arc<str> = format!("t{}", self.lets.len()).into();
            let written = if plan.is_lazy[value] { self.write_delayed(value)? } else { self.write_node(value)? };
            values.push((name.clone(), written));
            // From here on the value is a variable, for the later values as well.
            self.lets.insert(value, (self.level, name));
            self.level += 1;
        }
        let mut result = self.write_node(node)?;
        for (&value, (name, written)) in bound.iter().zip(values).rev() {
            self.level -= 1;
            self.lets.remove(&value);
            result = make_term(TermKind::Let { name, value: written, body: result });
        }
        Ok(result)
    }

    /// Writes a node as a function of the unit value: `\u => node`.
    fn write_delayed(&mut self, node: usize) -> Result<Term, EdslError> {
        let (name, body) = self.with_binder(UniqueVariable::fresh('u'), |it| it.write_node(node))?;
        Ok(make_term(TermKind::Lambda { name, body }))
    }

    /// Writes a part of a node: a reference if it is bound, otherwise the part itself.
    fn write_part(&mut self, part: usize) -> Result<Term, EdslError> {
        if let Some(bound) = self.lets.get(&part) {
            let variable = self.write_variable(bound);
            let nothing = || make_term(TermKind::Unit);
            let is_lazy = self.plan.is_lazy[part];
            return Ok(if is_lazy { Term::apply(variable, nothing(), Span::new(0, 0)) } else { variable });
        }
        with_stack(|| self.write_scope(part))
    }

    /// Runs `write` with one more variable in scope. Returns the name of the variable and the result.
    fn with_binder(
        &mut self,
        binder: UniqueVariable,
        write: impl FnOnce(&mut Self) -> Result<Term, EdslError>,
    ) -> Result<(Arc<str>, Term), EdslError> {
        // The number of variables with the same letter makes the name unique in its scope: x, x1, x2, ….
        let same = self.letters.entry(binder.letter).or_default();
        let name: Arc<str> =
            if *same == 0 { binder.letter.to_string() } else { format!("{}{same}", binder.letter) }.into();
        *same += 1;
        self.variables.insert(binder, (self.level, name.clone()));
        self.level += 1;
        let result = write(self)?;
        self.level -= 1;
        self.variables.remove(&binder);
        self.letters.entry(binder.letter).and_modify(|same| *same -= 1);
        Ok((name, result))
    }

    /// Writes a node, without the `let`s of its scope.
    fn write_node(&mut self, node: usize) -> Result<Term, EdslError> {
        let plan = self.plan;
        let parts = plan.children(node);
        Ok(match plan.nodes[node].kind() {
            ProgramNodeKind::Variable(binder) => match self.variables.get(binder) {
                Some(variable) => self.write_variable(variable),
                None => return Err(EdslError::EscapedVariable { letter: binder.letter }),
            },
            ProgramNodeKind::Leaf(kind) => make_term(kind.clone()),
            ProgramNodeKind::Closed(closed) => closed.clone(),
            ProgramNodeKind::Invalid(error) => return Err(error.clone()),
            ProgramNodeKind::Lambda(binder, _) => {
                let (name, body) = self.with_binder(*binder, |it| it.write_part(parts[0]))?;
                make_term(TermKind::Lambda { name, body })
            }
            ProgramNodeKind::Recursion(binder, _) => {
                let (name, value) = self.with_binder(*binder, |it| it.write_part(parts[0]))?;
                let body = make_term(TermKind::Variable { index: 0, name: name.clone() });
                make_term(TermKind::LetRec { name, value, body })
            }
            ProgramNodeKind::Apply(_) => {
                let (function, argument) = (self.write_part(parts[0])?, self.write_part(parts[1])?);
                make_term(TermKind::Apply { function, argument })
            }
            ProgramNodeKind::Tuple(_) => {
                make_term(TermKind::Tuple(parts.iter().map(|&part| self.write_part(part)).collect::<Result<_, _>>()?))
            }
            ProgramNodeKind::Project(_, index) => {
                make_term(TermKind::Project { tuple: self.write_part(parts[0])?, index: *index })
            }
            ProgramNodeKind::If(_) => {
                let condition = self.write_part(parts[0])?;
                let (then, otherwise) = (self.write_part(parts[1])?, self.write_part(parts[2])?);
                make_term(TermKind::If { condition, then, otherwise })
            }
            ProgramNodeKind::Inject(constructor, _) => {
                make_term(TermKind::Inject { constructor: constructor.clone(), argument: self.write_part(parts[0])? })
            }
            ProgramNodeKind::Match(data, binders, _) => {
                let scrutinee = self.write_part(parts[0])?;
                let mut branches = Vec::with_capacity(binders.len());
                for (binder, &body) in binders.iter().zip(&parts[1..]) {
                    let (name, body) = self.with_binder(*binder, |it| it.write_part(body))?;
                    branches.push(MatchBranch { name, body });
                }
                make_term(TermKind::Match { data: data.clone(), scrutinee, branches })
            }
            ProgramNodeKind::IsoDirection(_, true) => make_term(TermKind::To(self.write_part(parts[0])?)),
            ProgramNodeKind::IsoDirection(_, false) => make_term(TermKind::From(self.write_part(parts[0])?)),
        })
    }
}

/// Returns the index of the first part that may stay uncomputed when the node is computed.
fn first_conditional(node: &ProgramNode) -> usize {
    match node.kind() {
        ProgramNodeKind::Lambda(..) => 0,
        ProgramNodeKind::If(_) | ProgramNodeKind::Match(..) => 1,
        _ => usize::MAX,
    }
}

/// Returns `true` if an application of `function` certainly terminates when its parts do.
fn is_known_to_terminate(function: &ProgramNode) -> bool {
    // Constants terminate. A literal function does so if its body does, and the body is a part.
    let mut head = function;
    while let ProgramNodeKind::Apply([inner, _]) | ProgramNodeKind::IsoDirection(inner, _) = head.kind() {
        head = inner;
    }
    matches!(head.kind(), ProgramNodeKind::Leaf(_) | ProgramNodeKind::Lambda(..))
}

/// Decides for every node whether it must be bound as a function of the unit value, if it is bound at its scope.
pub(super) fn find_delayed_nodes<'a>(
    nodes: &[ProgramNode],
    children: impl Fn(usize) -> &'a [usize],
    scopes: &[usize],
) -> Vec<bool> {
    let count = nodes.len();
    let mut lazy = vec![false; count];
    let mut may_hang = vec![false; count];
    for node in 0..count {
        let unknown =
            matches!(nodes[node].kind(), ProgramNodeKind::Apply([function, _]) if !is_known_to_terminate(function));
        may_hang[node] = unknown || children(node).iter().any(|&part| may_hang[part]);
    }
    // Nothing can hang, the common case: no users are collected.
    if !may_hang[count - 1] {
        return lazy;
    }
    let mut users: Vec<Vec<(usize, usize)>> = vec![Vec::new(); count];
    for node in 0..count {
        for (index, &part) in children(node).iter().enumerate() {
            users[part].push((node, index));
        }
    }
    // A node waits if all of its users wait. Indices descend from users to their parts.
    let mut waits = vec![false; count];
    for node in (0..count - 1).rev() {
        // A function is a value: it is computed without running its body.
        let is_value = matches!(nodes[node].kind(), ProgramNodeKind::Lambda(..) | ProgramNodeKind::Recursion(..));
        waits[node] = users[node].iter().all(|&(user, _)| waits[user]);
        if may_hang[node] && !is_value {
            let is_shared = users[node].len() > 1;
            lazy[node] = waits[node] || is_shared && !is_needed(node, nodes, &users, scopes, &waits);
            waits[node] |= lazy[node];
        }
    }
    lazy
}

/// Returns `true` if a node is computed whenever its scope is.
fn is_needed(
    node: usize,
    nodes: &[ProgramNode],
    users: &[Vec<(usize, usize)>],
    scopes: &[usize],
    waits: &[bool],
) -> bool {
    let mut uses: Vec<(usize, usize)> = users[node].clone();
    let mut branches: FxHashMap<usize, FxHashSet<usize>> = FxHashMap::default();
    while let Some((user, index)) = uses.pop() {
        if waits[user] {
            continue;
        }
        if index >= first_conditional(&nodes[user]) {
            // The body of a function might never run.
            if matches!(nodes[user].kind(), ProgramNodeKind::Lambda(..)) {
                continue;
            }
            // A conditional needs the part only if all of its branches do; the first part is the condition.
            let taken = branches.entry(user).or_default();
            let is_first = taken.insert(index);
            if !is_first || taken.len() + 1 < nodes[user].children().len() {
                continue;
            }
        }
        if scopes[user] == scopes[node] {
            return true;
        }
        // A scope starts at a node with a single user.
        uses.extend(&users[scopes[user]]);
    }
    false
}
