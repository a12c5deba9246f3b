//! Analysis of shared parts of a program: which must wait until they are used.
//!
//! A part that is used in branches of different conditionals is bound outside of them, where perhaps none of its uses
//! is reached. This is harmless unless the part might not terminate, as a recursive call. The uses of such a part are
//! traced outwards: a scope needs it if a use stands there, or if all branches of a conditional there need it. If it is
//! not needed where it is bound, it is bound as a function of the unit value.

use super::node::{ProgramNode, ProgramNodeKind};
use rustc_hash::{FxHashMap, FxHashSet};

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
