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

use super::error::HostError;
use super::laziness;
use super::node::{Binder, Kind, Node};
use crate::stack::deep;
use crate::syntax::nesting::Nesting;
use crate::syntax::source::Span;
use crate::syntax::term::{Branch, Term, TermKind};
use rustc_hash::FxHashMap;
use std::collections::hash_map::Entry;
use std::sync::Arc;

/// The depth at which parts are bound. A choice: far below the 10,000 levels that the parser accepts.
const DEEPEST: u32 = 200;

/// Converts an expression to a closed term.
///
/// # Errors
/// [`HostError::Escaped`] if a variable is free; the errors of construction, such as those of
/// [`double`](super::double).
pub(super) fn close(root: &Node) -> Result<Term, HostError> {
    let plan = Plan::new(root)?;
    let mut closing = Closing {
        plan: &plan,
        variables: FxHashMap::default(),
        letters: FxHashMap::default(),
        lets: FxHashMap::default(),
        level: 0,
    };
    closing.scope(plan.root())
}

/// The nodes of an expression in an order where parts come before their users, and the places where shared nodes are
/// bound.
struct Plan {
    /// The nodes. The last one is the root.
    nodes: Vec<Node>,
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

impl Plan {
    /// Lists the nodes and decides which are bound.
    fn new(root: &Node) -> Result<Self, HostError> {
        let mut plan = Self {
            nodes: Vec::new(),
            parts: Vec::new(),
            ends: Vec::new(),
            bound: FxHashMap::default(),
            is_bound: Vec::new(),
            is_lazy: Vec::new(),
        };
        plan.list(root)?;
        plan.bind();
        Ok(plan)
    }

    /// Returns the index of the root.
    fn root(&self) -> usize {
        self.nodes.len() - 1
    }

    /// Lists the nodes in postorder, each once.
    fn list(&mut self, root: &Node) -> Result<(), HostError> {
        let mut places: FxHashMap<usize, usize> = FxHashMap::default();
        // An explicit path in place of recursion: expressions may be deeper than the stack.
        let mut path = vec![(root, 0)];
        while let Some((node, next)) = path.last_mut() {
            let node = *node;
            if let Kind::Wrong(error) = node.kind() {
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
    fn is_small(node: &Node) -> bool {
        let mut node = node;
        while let Kind::Project(inner, _) | Kind::Side(inner, _) = node.kind() {
            node = inner;
        }
        match node.kind() {
            Kind::Variable(_) | Kind::Leaf(_) => true,
            Kind::Closed(term) => matches!(term.kind(), TermKind::Global(_)),
            _ => false,
        }
    }

    /// Returns for every node the innermost scope that contains all uses. A scope is denoted by its top node: the root,
    /// the body of a function, or a branch. A body or branch that is used elsewhere as well is no scope.
    fn scopes(&self, uses: &[u32]) -> Vec<usize> {
        const NONE: usize = usize::MAX;
        let mut scopes = vec![NONE; self.nodes.len()];
        let mut nesting = Nesting::new(self.nodes.len());
        scopes[self.root()] = self.root();
        // Indices descend from users to their parts, so all scopes of users are known.
        for node in (0..self.nodes.len()).rev() {
            // Parts from this index on are computed only if a function is called or a branch is taken.
            let inner = match self.nodes[node].kind() {
                Kind::Lambda(..) => 0,
                Kind::If(_) | Kind::Match(..) => 1,
                _ => NONE,
            };
            for (index, &part) in self.children(node).iter().enumerate() {
                if index >= inner && uses[part] == 1 {
                    scopes[part] = part;
                    nesting.put(part, scopes[node]);
                } else if scopes[part] == NONE {
                    scopes[part] = scopes[node];
                } else {
                    scopes[part] = nesting.meet(scopes[part], scopes[node]);
                }
            }
        }
        scopes
    }

    /// Decides which nodes are bound, and where.
    fn bind(&mut self) {
        let count = self.nodes.len();
        let mut uses = vec![0_u32; count];
        for &part in &self.parts {
            uses[part] += 1;
        }
        let scopes = self.scopes(&uses);
        self.is_lazy = laziness::lazy(&self.nodes, |node| self.children(node), &scopes);
        // The depth of a term is counted from the nearest `let`, since a bound part is written elsewhere.
        self.is_bound = vec![false; count];
        let mut depths = vec![0_u32; count];
        for node in 0..self.root() {
            let depth = |&part: &usize| if self.is_bound[part] { 0 } else { depths[part] };
            let below = self.children(node).iter().map(depth).max();
            depths[node] = below.map_or(0, |depth| depth + 1);
            // Nothing is gained by a `let` around the whole of a scope.
            let deep = depths[node] >= DEEPEST && scopes[node] != node && self.is_value(node);
            if deep || uses[node] > 1 && !Self::is_small(&self.nodes[node]) {
                self.is_bound[node] = true;
                self.bound.entry(scopes[node]).or_default().push(node);
            }
        }
    }

    /// Returns `true` if a node may be replaced by a variable. The function of a recursion may not.
    fn is_value(&self, node: usize) -> bool {
        !matches!(self.nodes[node].kind(), Kind::Lambda(..))
    }
}

/// The state of the conversion.
struct Closing<'p> {
    plan: &'p Plan,
    /// The levels and names of the variables in scope.
    variables: FxHashMap<Binder, (usize, Arc<str>)>,
    /// The number of variables in scope with each letter.
    letters: FxHashMap<char, usize>,
    /// The levels and names of the bound nodes in scope.
    lets: FxHashMap<usize, (usize, Arc<str>)>,
    /// The number of variables in scope.
    level: usize,
}

/// Creates a term without a place in a source.
fn term(kind: TermKind) -> Term {
    Term::new(kind, Span::new(0, 0))
}

impl Closing<'_> {
    /// Refers to a variable: its de Bruijn index counts binders from the inside.
    fn variable(&self, (level, name): &(usize, Arc<str>)) -> Term {
        term(TermKind::Variable { index: self.level - 1 - level, name: name.clone() })
    }

    /// Writes a node at the top of a scope, with the `let`s of the nodes that are bound there.
    fn scope(&mut self, node: usize) -> Result<Term, HostError> {
        let plan = self.plan;
        let Some(bound) = plan.bound.get(&node) else { return self.node(node) };
        let mut values = Vec::with_capacity(bound.len());
        for &value in bound {
            let name: Arc<str> = format!("t{}", self.lets.len()).into();
            let written = if plan.is_lazy[value] { self.delayed(value)? } else { self.node(value)? };
            values.push((name.clone(), written));
            // From here on the value is a variable, for the later values as well.
            self.lets.insert(value, (self.level, name));
            self.level += 1;
        }
        let mut result = self.node(node)?;
        for (&value, (name, written)) in bound.iter().zip(values).rev() {
            self.level -= 1;
            self.lets.remove(&value);
            result = term(TermKind::Let { name, value: written, body: result });
        }
        Ok(result)
    }

    /// Writes a node as a function of the unit value: `\u => node`.
    fn delayed(&mut self, node: usize) -> Result<Term, HostError> {
        let (name, body) = self.under(Binder::fresh('u'), |it| it.node(node))?;
        Ok(term(TermKind::Lambda { name, body }))
    }

    /// Writes a part of a node: a reference if it is bound, otherwise the part itself.
    fn part(&mut self, part: usize) -> Result<Term, HostError> {
        if let Some(bound) = self.lets.get(&part) {
            let variable = self.variable(bound);
            let nothing = || term(TermKind::Unit);
            let is_lazy = self.plan.is_lazy[part];
            return Ok(if is_lazy { Term::apply(variable, nothing(), Span::new(0, 0)) } else { variable });
        }
        deep(|| self.scope(part))
    }

    /// Runs `write` with one more variable in scope. Returns the name of the variable and the result.
    fn under(
        &mut self,
        binder: Binder,
        write: impl FnOnce(&mut Self) -> Result<Term, HostError>,
    ) -> Result<(Arc<str>, Term), HostError> {
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
    fn node(&mut self, node: usize) -> Result<Term, HostError> {
        let plan = self.plan;
        let parts = plan.children(node);
        Ok(match plan.nodes[node].kind() {
            Kind::Variable(binder) => match self.variables.get(binder) {
                Some(variable) => self.variable(variable),
                None => return Err(HostError::Escaped { letter: binder.letter }),
            },
            Kind::Leaf(kind) => term(kind.clone()),
            Kind::Closed(closed) => closed.clone(),
            Kind::Wrong(error) => return Err(error.clone()),
            Kind::Lambda(binder, _) => {
                let (name, body) = self.under(*binder, |it| it.part(parts[0]))?;
                term(TermKind::Lambda { name, body })
            }
            Kind::Recursion(binder, _) => {
                let (name, value) = self.under(*binder, |it| it.part(parts[0]))?;
                let body = term(TermKind::Variable { index: 0, name: name.clone() });
                term(TermKind::LetRec { name, value, body })
            }
            Kind::Apply(_) => {
                let (function, argument) = (self.part(parts[0])?, self.part(parts[1])?);
                term(TermKind::Apply { function, argument })
            }
            Kind::Tuple(_) => {
                term(TermKind::Tuple(parts.iter().map(|&part| self.part(part)).collect::<Result<_, _>>()?))
            }
            Kind::Project(_, index) => term(TermKind::Project { tuple: self.part(parts[0])?, index: *index }),
            Kind::If(_) => {
                let condition = self.part(parts[0])?;
                let (then, otherwise) = (self.part(parts[1])?, self.part(parts[2])?);
                term(TermKind::If { condition, then, otherwise })
            }
            Kind::Inject(constructor, _) => {
                term(TermKind::Inject { constructor: constructor.clone(), argument: self.part(parts[0])? })
            }
            Kind::Match(data, binders, _) => {
                let scrutinee = self.part(parts[0])?;
                let mut branches = Vec::with_capacity(binders.len());
                for (binder, &body) in binders.iter().zip(&parts[1..]) {
                    let (name, body) = self.under(*binder, |it| it.part(body))?;
                    branches.push(Branch { name, body });
                }
                term(TermKind::Match { data: data.clone(), scrutinee, branches })
            }
            Kind::Side(_, true) => term(TermKind::To(self.part(parts[0])?)),
            Kind::Side(_, false) => term(TermKind::From(self.part(parts[0])?)),
        })
    }
}
