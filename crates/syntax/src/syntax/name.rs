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

/// The cost of a slip: of inserting or deleting a letter, of swapping two neighbours, or of one vowel for another. A
/// unit: only ratios matter.
const SLIP_COST: usize = 2;
/// The cost of any other letter in place of one. A choice: above [`SLIP_COST`], since a changed consonant rather makes
/// another word.
const SUBSTITUTION_COST: usize = 3;
/// The largest edit distance that [`nearest_name`] accepts, whatever the length of the name: eight slips. A choice.
const MAX_DISTANCE: usize = 8 * SLIP_COST;

/// Returns the candidate that `name` was most likely meant to be. `None` if no candidate is near enough.
///
/// A candidate is near if it differs only in letter case and underscores, or by one slip per three letters of the
/// shorter name. Another consonant costs more than one slip, so names of fewer than five letters admit none: `sort` is
/// not `sqrt`. Ties go to the longest candidate, since letters are more often omitted than added. Further ties go to
/// the first in the alphabet.
pub fn nearest_name<'a>(name: &str, candidates: impl Iterator<Item = &'a str>) -> Option<&'a str> {
    let wanted: Vec<char> = fold_case(name);
    // A choice: longer names are not typed by hand, and the distance takes time in the product of the lengths.
    if wanted.is_empty() || wanted.len() > 40 {
        return None;
    }
    let mut best: Option<(usize, Reverse<usize>, &str)> = None;
    for candidate in candidates {
        let folded = fold_case(candidate);
        // A single letter is near every other single letter; only its other case is a likely slip.
        let allowed = match wanted.len().min(folded.len()) {
            0 | 1 => 0,
            shorter => (shorter * SLIP_COST / 3).clamp(SLIP_COST, MAX_DISTANCE),
        };
        // Each letter of difference in length costs at least one insertion: a lower bound that saves the distance.
        if candidate == name || folded.len().abs_diff(wanted.len()) * SLIP_COST > allowed {
            continue;
        }
        let distance = edit_distance(&wanted, &folded);
        let rank = (distance, Reverse(folded.len()), candidate);
        if distance <= allowed && best.is_none_or(|found| rank < found) {
            best = Some(rank);
        }
    }
    best.map(|(_, _, candidate)| candidate)
}

/// Folds letter case and removes underscores, the commonest slips: `Tangent_r` for `tangent_R`.
fn fold_case(name: &str) -> Vec<char> {
    name.chars().filter(|&letter| letter != '_').flat_map(char::to_lowercase).collect()
}

/// Returns the cost of writing `b` for `a`; 0 if they are equal.
fn substitution_cost(a: char, b: char) -> usize {
    let is_vowel = |letter: char| "aeiouy".contains(letter);
    match a == b {
        true => 0,
        false if is_vowel(a) && is_vowel(b) => SLIP_COST,
        false => SUBSTITUTION_COST,
    }
}

/// Returns the optimal string alignment distance, with the costs above.
fn edit_distance(left: &[char], right: &[char]) -> usize {
    // Three rows of the table suffice: a swap of neighbours looks back two rows, everything else one.
    let mut before: Vec<usize> = Vec::new();
    let mut previous: Vec<usize> = (0..=right.len()).map(|j| j * SLIP_COST).collect();
    for (i, &a) in left.iter().enumerate() {
        let mut current = vec![(i + 1) * SLIP_COST];
        for (j, &b) in right.iter().enumerate() {
            let mut distance =
                (previous[j] + substitution_cost(a, b)).min(previous[j + 1] + SLIP_COST).min(current[j] + SLIP_COST);
            if i > 0 && j > 0 && a == right[j - 1] && left[i - 1] == b {
                distance = distance.min(before[j - 1] + SLIP_COST);
            }
            current.push(distance);
        }
        before = std::mem::replace(&mut previous, current);
    }
    previous[right.len()]
}
