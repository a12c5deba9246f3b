//! Names, and the names that come near one that was mistyped.
//!
//! A name that begins with a capital letter is a type, a type parameter or a module (or, after `let`, a definition: the
//! paper's `R2Dist`); any other name is a variable, a definition or a constant.

use std::sync::Arc;

/// An identifier, cheap to clone.
pub type Name = Arc<str>;

/// Whether a name is written with a capital initial, so that a dot after it selects from a module.
pub fn is_capital(name: &str) -> bool {
    name.chars().next().is_some_and(char::is_uppercase)
}

/// The candidate that `name` was most likely meant to be, if one is near enough to suggest.
///
/// Near means: the same up to letter case and underscores, or within one edit per three letters (insertion, deletion,
/// substitution, or exchange of neighbours). Ties go to the candidate that comes first in the alphabet.
pub fn nearest<'a>(name: &str, candidates: impl Iterator<Item = &'a str>) -> Option<&'a str> {
    let wanted: Vec<char> = fold(name);
    if wanted.is_empty() || wanted.len() > 40 {
        return None;
    }
    let allowed = (wanted.len() / 3).max(1);
    let mut best: Option<(usize, &str)> = None;
    for candidate in candidates {
        let folded = fold(candidate);
        if candidate == name || folded.len().abs_diff(wanted.len()) > allowed {
            continue;
        }
        let distance = edit_distance(&wanted, &folded);
        // A single letter is near every other single letter; only its other case is a likely slip.
        let near = distance == 0 || (distance <= allowed && distance < wanted.len().max(folded.len()).min(9));
        if near && (wanted.len() > 1 || distance == 0) && best.is_none_or(|found| (distance, candidate) < found) {
            best = Some((distance, candidate));
        }
    }
    best.map(|(_, candidate)| candidate)
}

/// Letter case and underscores are the commonest slips: `Tangent_r` for `tangent_R`.
fn fold(name: &str) -> Vec<char> {
    name.chars().filter(|&letter| letter != '_').flat_map(char::to_lowercase).collect()
}

/// The optimal string alignment distance.
fn edit_distance(left: &[char], right: &[char]) -> usize {
    let mut before: Vec<usize> = Vec::new();
    let mut previous: Vec<usize> = (0..=right.len()).collect();
    for (i, &a) in left.iter().enumerate() {
        let mut current = vec![i + 1];
        for (j, &b) in right.iter().enumerate() {
            let mut distance = (previous[j] + usize::from(a != b)).min(previous[j + 1] + 1).min(current[j] + 1);
            if i > 0 && j > 0 && a == right[j - 1] && left[i - 1] == b {
                distance = distance.min(before[j - 1] + 1);
            }
            current.push(distance);
        }
        before = std::mem::replace(&mut previous, current);
    }
    previous[right.len()]
}
