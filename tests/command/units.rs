//! Small parts of the library by themselves.

mod arguments;
mod axis;
mod colour;
mod command;
mod completion;
mod demo;
mod eval;
mod grid;
mod history;
mod lines;
mod progress;
mod status;
mod tolerance;
mod value;
mod window;
mod wrapped;
