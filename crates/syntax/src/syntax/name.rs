//! Names, and the names that come near one that was mistyped.
//!
//! A name that begins with a capital letter is a type, a type parameter or a module (or, after `let`, a definition: the
//! paper's `R2Dist`); any other name is a variable, a definition or a constant.

use std::cmp::Reverse;
use std::sync::Arc;

/// An identifier, cheap to clone.
pub type Name = Arc<str>;

/// Whether a name is written with a capital initial, so that a dot after it selects from a module.
pub fn is_capital(name: &str) -> bool {
    name.chars().next().is_some_and(char::is_uppercase)
}

/// What a slip costs: a letter that is left out, added or exchanged with its neighbour, and a vowel for another.
const SLIP: usize = 2;
/// What another letter costs in place of one: it rather makes another word.
const OTHER_LETTER: usize = 3;
/// The most that slips may cost in a name of any length.
const MOST: usize = 8 * SLIP;

/// The candidate that `name` was most likely meant to be, if one is near enough to suggest.
///
/// Near means: the same up to letter case and underscores, or within one slip per three letters of the shorter name. A consonant for
/// another is more than a slip, so that of fewer than five letters none is replaced: `sort` is not `sqrt`. Ties go to the
/// longest candidate, since letters are rather left out than added, and of these to the first in the alphabet.
pub fn nearest<'a>(name: &str, candidates: impl Iterator<Item = &'a str>) -> Option<&'a str> {
    let wanted: Vec<char> = fold(name);
    if wanted.is_empty() || wanted.len() > 40 {
        return None;
    }
    let mut best: Option<(usize, Reverse<usize>, &str)> = None;
    for candidate in candidates {
        let folded = fold(candidate);
        // A single letter is near every other single letter; only its other case is a likely slip.
        let allowed = match wanted.len().min(folded.len()) {
            0 | 1 => 0,
            shorter => (shorter * SLIP / 3).clamp(SLIP, MOST),
        };
        if candidate == name || folded.len().abs_diff(wanted.len()) * SLIP > allowed {
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

/// Letter case and underscores are the commonest slips: `Tangent_r` for `tangent_R`.
fn fold(name: &str) -> Vec<char> {
    name.chars().filter(|&letter| letter != '_').flat_map(char::to_lowercase).collect()
}

/// What it costs to write one letter for another.
fn replacing(a: char, b: char) -> usize {
    let is_vowel = |letter: char| "aeiouy".contains(letter);
    match a == b {
        true => 0,
        false if is_vowel(a) && is_vowel(b) => SLIP,
        false => OTHER_LETTER,
    }
}

/// The optimal string alignment distance, weighted.
fn edit_distance(left: &[char], right: &[char]) -> usize {
    let mut before: Vec<usize> = Vec::new();
    let mut previous: Vec<usize> = (0..=right.len()).map(|j| j * SLIP).collect();
    for (i, &a) in left.iter().enumerate() {
        let mut current = vec![(i + 1) * SLIP];
        for (j, &b) in right.iter().enumerate() {
            let mut distance = (previous[j] + replacing(a, b)).min(previous[j + 1] + SLIP).min(current[j] + SLIP);
            if i > 0 && j > 0 && a == right[j - 1] && left[i - 1] == b {
                distance = distance.min(before[j - 1] + SLIP);
            }
            current.push(distance);
        }
        before = std::mem::replace(&mut previous, current);
    }
    previous[right.len()]
}
