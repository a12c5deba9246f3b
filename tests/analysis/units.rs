//! Small parts of the library by themselves.

mod algebra;
mod budget;
mod curve;
mod digits;
mod double;
mod exact;
mod partitions;
mod width;
mod work;
