//! Which shared parts of a program must wait until they are used.
//!
//! A part that is used in two branches of different conditions is bound outside of both, where perhaps neither of its uses
//! is reached. That does no harm, unless the part is one that need not come to an end: a recursive call, say. The uses of
//! such a part are traced outwards: it is needed in a scope if a use stands there, or if a choice there needs it whichever
//! way it goes. If it is not needed where it is bound, it is bound as a function of nothing.

use super::node::{Kind, Node};
use rustc_hash::{FxHashMap, FxHashSet};

/// The first of the parts of a node that are not always computed when the node is.
fn first_conditional(node: &Node) -> usize {
    match node.kind() {
        Kind::Lambda(..) => 0,
        Kind::If(_) | Kind::Match(..) => 1,
        _ => usize::MAX,
    }
}

/// Whether a function, as it stands at the head of an application, is known to come to an end if its parts do.
fn is_known(function: &Node) -> bool {
    let mut head = function;
    while let Kind::Apply([inner, _]) | Kind::Side(inner, _) = head.kind() {
        head = inner;
    }
    matches!(head.kind(), Kind::Leaf(_) | Kind::Lambda(..))
}

/// For every node, whether it is to be bound as a function of nothing, if it is bound at its scope.
pub(super) fn lazy<'a>(nodes: &[Node], children: impl Fn(usize) -> &'a [usize], scopes: &[usize]) -> Vec<bool> {
    let count = nodes.len();
    let mut lazy = vec![false; count];
    let mut may_hang = vec![false; count];
    for node in 0..count {
        let unknown = matches!(nodes[node].kind(), Kind::Apply([function, _]) if !is_known(function));
        may_hang[node] = unknown || children(node).iter().any(|&part| may_hang[part]);
    }
    if !may_hang[count - 1] {
        return lazy;
    }
    let mut users: Vec<Vec<(usize, usize)>> = vec![Vec::new(); count];
    for node in 0..count {
        for (index, &part) in children(node).iter().enumerate() {
            users[part].push((node, index));
        }
    }
    // whether a node stands in nothing but what waits; users come before what they use
    let mut waits = vec![false; count];
    for node in (0..count - 1).rev() {
        let is_value = matches!(nodes[node].kind(), Kind::Lambda(..) | Kind::Recursion(..));
        waits[node] = users[node].iter().all(|&(user, _)| waits[user]);
        if may_hang[node] && !is_value {
            let is_shared = users[node].len() > 1;
            lazy[node] = waits[node] || is_shared && !is_needed(node, nodes, &users, scopes, &waits);
            waits[node] |= lazy[node];
        }
    }
    lazy
}

/// Whether a node is computed whenever its scope is.
fn is_needed(node: usize, nodes: &[Node], users: &[Vec<(usize, usize)>], scopes: &[usize], waits: &[bool]) -> bool {
    let mut uses: Vec<(usize, usize)> = users[node].clone();
    let mut branches: FxHashMap<usize, FxHashSet<usize>> = FxHashMap::default();
    while let Some((user, index)) = uses.pop() {
        if waits[user] {
            continue;
        }
        if index >= first_conditional(&nodes[user]) {
            if matches!(nodes[user].kind(), Kind::Lambda(..)) {
                continue;
            }
            let taken = branches.entry(user).or_default();
            let is_first = taken.insert(index);
            if !is_first || taken.len() + 1 < nodes[user].children().len() {
                continue;
            }
        }
        if scopes[user] == scopes[node] {
            return true;
        }
        // the scope of the user starts at a node with one user
        uses.extend(&users[scopes[user]]);
    }
    false
}
