//! How large a program may be. Each limit has its own message, which states it.
//!
//! The limits keep time and memory bounded on any input. Within them every recursion over a program's depth runs under
//! [`deep`](crate::stack::deep), which moves to a new stack segment when the current one is nearly used up.

/// The largest depth of an expression or a type: parentheses, operands, arguments and binders each count one.
pub const DEPTH: u32 = 10_000;
/// The largest source text, in bytes.
pub const SOURCE_BYTES: usize = 10_000_000;
/// The largest number of syntax nodes in one source text.
pub const SYNTAX_NODES: u32 = 1_000_000;
/// The largest number of nodes of types that the inference of one definition may make, instances of polymorphic
/// types included, and the largest size of one type, written out.
pub const TYPE_NODES: usize = 1_000_000;
/// The largest number of components of a tuple.
pub const TUPLE_WIDTH: usize = 10_000;
/// The most elements of a list that is written out.
pub const LIST_LENGTH: usize = 5_000;
/// The largest magnitude of the decimal exponent of a literal, and the largest number of its digits.
pub const LITERAL_DIGITS: usize = 100_000;
/// The most bits that the long literals of one source text may have together, and how long a long one is.
pub const LITERAL_BITS: u32 = 2_000_000;
/// See [`LITERAL_BITS`].
pub const LONG_LITERAL: u32 = 4096;
/// The largest magnitude of a literal exponent after `^`.
pub const POWER: u32 = 100_000;
