//! The literal towers (S §4): their laws, closed forms, wrong rules that the checks catch, and the jets against them.
//!
//! | file | items |
//! |---|---|
//! | `composition` | S28: the printed expansions, closed forms; E19; compositions that lack a term |
//! | `consistency` | S12–S15, S33, S47 |
//! | `refuting` | S15: the refuter in boxes, and what it calls a fault |
//! | `primitives` | S17, S18, S20, S21 |
//! | `elementary` | S22: powers and elementary functions |
//! | `kinks` | S16, S23, E6; a refuter that every primitive survives, and wrong rules for max and relu do not |
//! | `derivative` | S19, S25, S26 |
//! | `category` | S27, S29, S30, S31, E42, E43 |
//! | `graphs` | towers of graphs: errors, primitives from outside, derivative nodes |
//! | `jets`, `comparison` | random graphs, at random points and on kinks: the jets against the towers |
//! | `corners` | where jets and towers differ |

mod category;
mod comparison;
mod composition;
mod consistency;
mod corners;
mod derivative;
mod elementary;
mod graphs;
mod jets;
mod kinks;
mod primitives;
mod refuting;
mod sample;
mod support;
