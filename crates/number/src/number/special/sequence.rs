//! Sequences of numbers at the points that were asked for last.
//!
//! All derivatives of a special function at a point follow from one sequence, as Bessel functions of all orders or the solutions of a
//! recurrence. A jet asks for them one after another, and at the same few points.

use super::super::arithmetic::Interval;
use rug::Float;
use std::cell::RefCell;

/// The greatest number of sequences that a thread keeps. A choice: those of the ends of an interval and of its bisections.
const MOST_SEQUENCES: usize = 32;

/// The greatest size of a sequence that is kept, in bits of its numbers. A choice: 32 kB.
const MOST_BITS: usize = 1 << 18;

/// The beginning of a sequence at a point.
struct KeptSequence {
    name: &'static str,
    bits: u32,
    point: Float,
    values: Vec<Interval<Float>>,
}

thread_local! {
    /// The sequences of this thread, the one asked for last at the end.
    static KEPT: RefCell<Vec<KeptSequence>> = const { RefCell::new(Vec::new()) };
}

/// Reads a sequence, which has a name and a precision, at a point. `extend` appends what is missing to the beginning that is known.
pub(super) fn read_sequence<T>(
    (name, bits): (&'static str, u32),
    point: &Float,
    extend: impl FnOnce(&mut Vec<Interval<Float>>),
    read: impl FnOnce(&[Interval<Float>]) -> T,
) -> T {
    // It is taken out meanwhile: `extend` may read other sequences.
    let known = KEPT.with_borrow_mut(|kept| {
        let is_asked = |known: &KeptSequence| known.name == name && known.bits == bits && known.point == *point;
        kept.iter().rposition(is_asked).map(|at| kept.remove(at))
    });
    let mut sequence = known.unwrap_or_else(|| KeptSequence { name, bits, point: point.clone(), values: Vec::new() });
    extend(&mut sequence.values);
    let found = read(&sequence.values);
    if sequence.values.len().saturating_mul(bits as usize) <= MOST_BITS {
        KEPT.with_borrow_mut(|kept| {
            if kept.len() >= MOST_SEQUENCES {
                kept.remove(0);
            }
            kept.push(sequence);
        });
    }
    found
}
