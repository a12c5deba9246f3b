//! Names of primitives.
//!
//! A printed map is a program of the language, so the name of a primitive must have no other meaning there. This layer
//! does not depend on the language; a test compares the list with it.

use super::PrimitiveError;
use crate::function::{Function, Planar};

const RESERVED: &str = "abs argmax01 argmin01 cutRoot deriv det dot e else ff firstRoot fold foldDer fst if in integral01 jvp let linearSolve \
    match max max01 min min01 naturalDifference negate not pi polygamma rd rec scale sigmoid signum snd tangent tangentProd tangentTo_R tangentValue \
    tangent_R then toReal trace tt with zeros π";

/// Returns the words that no primitive may have as its name: keywords, constants of the language, and `foldDer`, the
/// printed name of a map made of value and derivative.
pub fn reserved_words() -> impl Iterator<Item = &'static str> {
    let functions = Function::ALL.iter().map(|f| f.name()).chain(Planar::ALL.iter().map(|f| f.name()));
    RESERVED.split_whitespace().chain(functions)
}

/// Checks the name of a primitive.
///
/// # Errors
/// [`PrimitiveError::Name`] and [`PrimitiveError::Reserved`].
pub(super) fn check_name(name: &str) -> Result<(), PrimitiveError> {
    // λ begins a function wherever it stands, and raised digits are a power
    let may_follow = |c: char| c.is_alphabetic() || c.is_ascii_digit() || c == '_';
    let is_name = name.starts_with(|c: char| c.is_lowercase() && c != 'λ') && name.chars().all(may_follow);
    if !is_name {
        return Err(PrimitiveError::Name { name: name.to_owned() });
    }
    if reserved_words().any(|word| word == name) {
        return Err(PrimitiveError::Reserved { name: name.to_owned() });
    }
    Ok(())
}
