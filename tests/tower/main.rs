//! The literal towers (S §4): their laws, closed forms, wrong rules that the checks catch, and the jets against them.
//!
//! | file | items |
//! |---|---|
//! | `composition` | S28: the printed expansions, closed forms; E19; compositions that lack a term |
//! | `primitives` | S17, S18, S20, S21, S22; every primitive is the derivative of itself at every order |
//! | `kinks` | S16, S23, E6; wrong rules for max and relu |
//! | `derivative` | S19, S25, S26 |
//! | `category` | S27, S29, S30, S31, E42, E43 |
//! | `graphs` | towers of graphs: errors, primitives from outside, derivative nodes |
//! | `jets` | random graphs, at random points and on kinks: the jets against the towers |

mod category;
mod composition;
mod derivative;
mod graphs;
mod jets;
mod kinks;
mod primitives;
mod sample;
mod support;
