//! Smoothish maps with their dimensions as types: closed forms, laws, errors, printing, and the tower against the jets.

mod closed_forms;
mod laws;
mod printing;
mod support;
