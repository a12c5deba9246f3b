//! Small parts of the library by themselves.

mod data;
mod inductive;
mod input;
mod literal;
mod name;
mod nesting;
mod random;
mod refs;
mod report;
mod source;
