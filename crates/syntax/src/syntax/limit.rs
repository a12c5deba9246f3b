//! Limits on the size of a program. Each has its own message, which states it.
//!
//! The limits bound time and memory on any input. All are choices: far above what is written by hand, and still quickly
//! refused. Within them, every recursion over the depth of a program runs under [`deep`](crate::stack::with_stack). It moves
//! to a new stack segment when the current one is nearly used up.

/// The largest depth of an expression or a type. Parentheses, operands, arguments and binders count one each.
pub const DEPTH: u32 = 10_000;
/// The largest source text, in bytes.
pub const SOURCE_BYTES: usize = 10_000_000;
/// The largest number of syntax nodes in one source text.
pub const SYNTAX_NODES: u32 = 1_000_000;
/// The largest number of type nodes that the inference of one definition may make, instances of polymorphic types
/// included. It also bounds the size of one type, written out without sharing.
pub const TYPE_NODES: usize = 1_000_000;
/// The largest number of components of a tuple.
pub const TUPLE_WIDTH: usize = 10_000;
/// The largest number of elements of a list literal.
pub const LIST_LENGTH: usize = 5_000;
/// The largest magnitude of the decimal exponent of a literal, and the largest number of its digits.
pub const LITERAL_DIGITS: usize = 100_000;
/// The largest number of bits of all long literals of one source text together, see [`LONG_LITERAL_BITS`].
pub const LITERAL_BITS: u32 = 2_000_000;
/// The number of bits from which a literal counts as long.
pub const LONG_LITERAL_BITS: u32 = 4096;
/// The largest magnitude of a literal exponent after `^`.
pub const POWER: u32 = 100_000;
