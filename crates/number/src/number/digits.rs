//! The digits that are certain in a printed enclosure.

/// Returns the digits with which every number between two printed ends begins, followed by `…`.
///
/// Equal ends are returned as they are. Returns `None` if an end is infinite, if the signs or the exponents differ, or if no
/// digit is certain.
#[must_use]
pub fn common_digits(lo: &str, hi: &str) -> Option<String> {
    if lo.ends_with("inf") || hi.ends_with("inf") {
        return None;
    }
    if lo == hi {
        return Some(lo.to_owned());
    }
    let sign = if lo.starts_with('-') { "-" } else { "" };
    // Compared after the case of equal ends: 0 and a negative number have no common digit.
    if lo.starts_with('-') != hi.starts_with('-') {
        return None;
    }
    let scientific = |text: &str| match text.trim_start_matches('-').split_once('e') {
        Some((digits, exponent)) => (digits.to_owned(), Some(exponent.to_owned())),
        None => (text.trim_start_matches('-').to_owned(), None),
    };
    let ((lo, exponent), (hi, other)) = (scientific(lo), scientific(hi));
    // No carry is looked for: 9.99e20 and 1.00e21 count as having no common digit.
    if exponent != other {
        return None;
    }
    let split = |text: &str| match text.split_once('.') {
        Some((whole, rest)) => (whole.to_owned(), rest.to_owned()),
        None => (text.to_owned(), String::new()),
    };
    let ((whole, rest), (other_whole, other_rest)) = (split(&lo), split(&hi));
    let tail = |exponent: Option<String>| exponent.map_or_else(String::new, |exponent| format!("e{exponent}"));
    if whole == other_whole {
        // Printed numbers lack trailing zeros, so that the shorter fraction is padded.
        let zeros = std::iter::repeat('0');
        let longest = rest.len().max(other_rest.len());
        let common: String = (rest.chars().chain(zeros.clone()))
            .zip(other_rest.chars().chain(zeros))
            .take(longest)
            .take_while(|(left, right)| left == right)
            .map(|(digit, _)| digit)
            .collect();
        return match common.as_str() {
            // A leading 0 is no digit of the number.
            "" if whole == "0" => None,
            "" => Some(format!("{sign}{whole}…{}", tail(exponent))),
            common => Some(format!("{sign}{whole}.{common}…{}", tail(exponent))),
        };
    }
    // With an exponent the whole part is one digit, and a different one is no common digit.
    if exponent.is_some() || whole.len() != other_whole.len() {
        return None;
    }
    let common: String = whole
        .chars()
        .zip(other_whole.chars())
        .take_while(|(left, right)| left == right)
        .map(|(digit, _)| digit)
        .collect();
    // Digits before the point that differ are shown by the exponent: 1250 and 1260 are `1.2…e3`.
    let top = whole.len() - 1;
    match common.split_at_checked(1)? {
        (first, "") => Some(format!("{sign}{first}…e{top}")),
        (first, rest) => Some(format!("{sign}{first}.{rest}…e{top}")),
    }
}
