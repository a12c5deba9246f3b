//! What each meaning has, and the language of each paper (W Table 1): the table by hand, from the papers.

use smoothish::law::features::{Answer, Asked, FEATURES};

/// Feature by feature: presheaf, tower, partial, pap, float; λ_S, the language of A, what the macro has rules for. `y` is yes, `s` a
/// set, `u` no value, `-` lacking.
const TABLE: &[(&str, &str)] = &[
    ("kinks", "yyyyyyy-y"),
    ("piecewise", "y-yyy-y-y"),
    // S and A have no value on a border, W and doubles have
    ("border", "u-uyy-y-y"),
    ("equality", "--yyy---y"),
    ("recursion", "--yyy-y-y"),
    ("higher-order", "yyyyyyyyy"),
    ("data", "yyyyy--yy"),
    ("AD", "yyyyyyyyy"),
    ("reverse", "yyyyy-yyy"),
    // Clarke's set, no value, and one number
    ("AD at kinks", "ssuyyyy-y"),
    ("integrals", "y---yy-y-"),
    ("roots", "y---yy---"),
];

/// W30: the table is what is answered, and no answer is wrong.
#[test]
fn the_table_of_features_is_answered() {
    assert_eq!(FEATURES.len(), TABLE.len());
    for (feature, (name, row)) in FEATURES.iter().zip(TABLE) {
        let found: String = Asked::all().iter().map(|asked| letter(asked.has(feature))).collect();
        assert_eq!((feature.name, &*found), (*name, *row));
    }
}

/// The row of W in its Table 1: piecewise, recursion, higher-order, AD.
#[test]
fn programs_in_pieces_have_what_the_paper_says() {
    let pap = Asked::all().into_iter().find(|asked| asked.name() == "pap").unwrap();
    for name in ["piecewise", "recursion", "higher-order", "AD"] {
        let feature = FEATURES.iter().find(|feature| feature.name == name).unwrap();
        assert_eq!(pap.has(feature), Answer::Has, "{name}");
    }
}

fn letter(answer: Answer) -> char {
    match answer {
        Answer::Has => 'y',
        Answer::Set => 's',
        Answer::Undefined => 'u',
        Answer::Lacks => '-',
        Answer::Other => '!',
    }
}
