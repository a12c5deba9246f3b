//! Small parts of the library by themselves.

mod campaign;
mod depth;
mod fraction;
mod generate;
mod graphs;
mod nested;
mod sequence;
mod shrink;
