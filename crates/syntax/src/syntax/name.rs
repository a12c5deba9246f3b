//! Names, and spelling suggestions for names that are not defined.
//!
//! A name that begins with a capital letter is a type, a type parameter or a module (or, after `let`, a definition: the
//! paper's `R2Dist`); any other name is a variable, a definition or a constant.

use std::cmp::Reverse;
use std::sync::Arc;

/// An identifier, cheap to clone.
pub type Name = Arc<str>;

/// Returns `true` if `name` begins with a capital letter, so that a dot after it selects from a module.
pub fn is_capital(name: &str) -> bool {
    name.chars().next().is_some_and(char::is_uppercase)
}

/// The largest edit distance that [`nearest_name`] accepts, whatever the length of the name. A choice.
const MAX_DISTANCE: usize = 8;

/// Returns the candidate that `name` was most likely meant to be. `None` if no candidate is near enough.
///
/// A candidate is near if it differs only in letter case and underscores, or by one slip per three letters of the shorter name. A slip
/// is a letter more, less or in place of another, or two neighbours swapped. In names of fewer than five letters another consonant
/// makes another word: `sort` is not `sqrt`. Ties go to the longest candidate, since letters are more often omitted than added. Further
/// ties go to the first in the alphabet.
pub fn nearest_name<'a>(name: &str, candidates: impl Iterator<Item = &'a str>) -> Option<&'a str> {
    let wanted = fold_case(name);
    let letters = wanted.chars().count();
    // A choice: longer names are not typed by hand, and the distance takes time in the product of the lengths.
    if letters == 0 || letters > 40 {
        return None;
    }
    let mut best: Option<(usize, Reverse<usize>, &str)> = None;
    for candidate in candidates {
        let folded = fold_case(candidate);
        let length = folded.chars().count();
        // A single letter is near every other single letter; only its other case is a likely slip.
        let shorter = letters.min(length);
        let allowed = if shorter < 2 { 0 } else { (shorter / 3).clamp(1, MAX_DISTANCE) };
        // Each letter of difference in length costs at least one slip: a lower bound that saves the distance.
        if candidate == name || length.abs_diff(letters) > allowed {
            continue;
        }
        let distance = strsim::osa_distance(&wanted, &folded);
        let is_near = distance <= allowed && !(shorter < 5 && is_other_consonant(&wanted, &folded));
        let rank = (distance, Reverse(length), candidate);
        if is_near && best.is_none_or(|found| rank < found) {
            best = Some(rank);
        }
    }
    best.map(|(_, _, candidate)| candidate)
}

/// Folds letter case and removes underscores, the commonest slips: `Tangent_r` for `tangent_R`.
fn fold_case(name: &str) -> String {
    name.chars().filter(|&letter| letter != '_').flat_map(char::to_lowercase).collect()
}

/// Returns `true` if the names differ in one letter, which is not a vowel for another vowel.
fn is_other_consonant(left: &str, right: &str) -> bool {
    let fold_vowels = |name: &str| name.replace(['e', 'i', 'o', 'u', 'y'], "a");
    strsim::hamming(left, right) == Ok(1) && strsim::hamming(&fold_vowels(left), &fold_vowels(right)) == Ok(1)
}
