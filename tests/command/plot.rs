//! Certified plots: every value lies in the envelope of its column, kinks are filled, and what is not defined is said.

mod book;
mod command;
mod envelope;
mod kinks;
mod pictures;
mod pieces;
mod requests;
mod speed;
mod support;
mod text;
