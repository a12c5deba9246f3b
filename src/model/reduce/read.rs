//! What is left of a program, read back as a term: numbered variables become de Bruijn indices.

use super::{Block, Left, MOST_STEPS, OperationKind, ReduceError, SPAN};
use crate::stack::deep;
use crate::syntax::name::Name;
use crate::syntax::term::{Branch, Term, TermKind};
use crate::syntax::ty::Ty;
use rustc_hash::FxHashMap;

/// A block of `let`s under `depth` binders. `depths` has the number of binders around each variable's own.
pub(super) fn read_block(
    lets: &[(u32, Left)],
    result: &Left,
    depths: &mut FxHashMap<u32, usize>,
    depth: usize,
    steps: &mut u64,
) -> Result<Term, ReduceError> {
    let mut values = Vec::with_capacity(lets.len());
    for (i, (id, left)) in lets.iter().enumerate() {
        values.push(read(left, depths, depth + i, steps)?);
        depths.insert(*id, depth + i);
    }
    let result = read(result, depths, depth + lets.len(), steps)?;
    let bind = |body, value| Term::new(TermKind::Let { name: Name::from("x"), value, body }, SPAN);
    Ok(values.into_iter().rev().fold(result, bind))
}

/// What stands under the variable of a block.
fn under(
    block: &Block,
    depths: &mut FxHashMap<u32, usize>,
    depth: usize,
    steps: &mut u64,
) -> Result<Term, ReduceError> {
    depths.insert(block.variable, depth);
    read_block(&block.lets, &block.result, depths, depth + 1, steps)
}

/// Every part counts as a step: what is shared in the graph may be written more than once.
fn read(left: &Left, depths: &mut FxHashMap<u32, usize>, depth: usize, steps: &mut u64) -> Result<Term, ReduceError> {
    *steps += 1;
    if *steps > MOST_STEPS {
        return Err(ReduceError::Exhausted { most: MOST_STEPS });
    }
    let all = |parts: &[Left], depths: &mut FxHashMap<u32, usize>, steps: &mut u64| -> Result<Vec<Term>, ReduceError> {
        parts.iter().map(|part| read(part, depths, depth, steps)).collect()
    };
    deep(|| {
        Ok(match left {
            Left::Leaf(term) => term.clone(),
            Left::Variable(id) => {
                // every variable is read under its binder
                let index = depths.get(id).and_then(|own| depth.checked_sub(own + 1)).unwrap_or(usize::MAX);
                Term::new(TermKind::Variable { index, name: Name::from("x") }, SPAN)
            }
            Left::Operation(operation) => match &operation.kind {
                OperationKind::Apply(head, arguments) => {
                    let head = read(head, depths, depth, steps)?;
                    let span = head.span();
                    let arguments = all(arguments, depths, steps)?;
                    arguments.into_iter().fold(head, |f, argument| Term::apply(f, argument, span))
                }
                OperationKind::Tuple(parts) => Term::new(TermKind::Tuple(all(parts, depths, steps)?), SPAN),
                OperationKind::Project(tuple, index) => {
                    Term::new(TermKind::Project { tuple: read(tuple, depths, depth, steps)?, index: *index }, SPAN)
                }
                OperationKind::Lambda(block) => {
                    let body = under(block, depths, depth, steps)?;
                    Term::new(TermKind::Lambda { name: Name::from("x"), body }, SPAN)
                }
                OperationKind::Inject(constructor, argument) => {
                    Term::inject(constructor.clone(), read(argument, depths, depth, steps)?, Ty::unknown(), SPAN)
                }
                OperationKind::Match(data, scrutinee, blocks) => {
                    let scrutinee = read(scrutinee, depths, depth, steps)?;
                    let mut branches = Vec::with_capacity(blocks.len());
                    for block in blocks {
                        let body = under(block, depths, depth, steps)?;
                        branches.push(Branch { name: Name::from("x"), body });
                    }
                    Term::new(TermKind::Match { data: data.clone(), scrutinee, branches }, SPAN)
                }
            },
        })
    })
}
