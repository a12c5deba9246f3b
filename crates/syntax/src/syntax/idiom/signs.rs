//! Mathematical signs without a meaning here, and their counterparts.

/// The signs with the advice for them. The first that has the sign is used.
const SIGNS: &[(&[&str], &str)] = &[
    (&["½"], "a half is 1/2"),
    (&["⅓", "⅔", "¼", "¾", "⅕", "⅙", "⅛"], "a fraction is a quotient: 1/3"),
    (&["∛"], "the cube root is cbrt"),
    (&["↑"], "a power is written x^2"),
    (&["¬"], "not is written not: not (x > 0)"),
    (&["∘"], "functions are composed as \\x => f (g x)"),
    (&["≈", "±", "∓"], "near is abs (a - b) < d; every answer is an interval"),
    (&["~="], "not equal, on Nat, is /=; real numbers are near where abs (a - b) < d"),
    (&["↦"], "a function is written \\x => e"),
    (&["∈", "∉"], "the type of a parameter is written \\(x : Real) => e; a list is searched by fold"),
    (&["∀", "∃"], "a law is written in a theory, law name (x : Real) : x ~ x, and tried by smoothish check FILE"),
    (&["∅"], "the empty list is []"),
    (&["⌊", "⌋", "⌈", "⌉"], super::names::ROUNDED),
    (&["⟨", "⟩"], "a tuple is written (1, 2), and an inner product dot v w"),
    (&["⊤"], "true is written tt"),
    (&["⊥"], "what is false is ff; a value that there is not, as 1/0, is answered as undefined"),
    (&["‰"], "a thousandth is a quotient: 5/1000"),
    (&["∑", "Σ", "∏"], "the numbers of a list are added by sum: sum [1, 2, 3]"),
    (&["°"], "angles are in radians: sin (pi / 2)"),
    (&["…"], "a list is written out, [1, 2, 3], or range 10"),
    (&["€", "£", "¥"], "a number has no unit"),
];

/// Returns the advice for a sign. `None` if none is known.
pub(super) fn advise_sign(sign: &str) -> Option<&'static str> {
    SIGNS.iter().find(|(signs, _)| signs.contains(&sign)).map(|(_, says)| *says)
}
