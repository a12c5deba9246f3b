//! What each meaning has, and the language of each paper (W Table 1): the table by hand, from the papers.

use smoothish::law::features::{FEATURES, FeatureSubject, FeatureSupport};
use smoothish::theory::builtin;

/// Feature by feature: presheaf, tower, partial, pap, clarke, float; λ_S, the language of A, what the macro has rules for, ωPAP. `y` is yes, `s` a
/// set, `u` no value, `v` in the language without a value, `-` lacking.
const TABLE: &[(&str, &str)] = &[
    ("kinks", "yyyyyyyy-y"),
    ("piecewise", "y-yyyy-y-y"),
    // S and A have no value on a border, W and doubles have
    ("border", "u-uyyy-v-y"),
    ("equality", "y-yyyy---y"),
    ("recursion", "--yyyy-y-y"),
    // A is first-order: W Table 1 has no tick there
    ("higher-order", "yyyyyyy-yy"),
    ("data", "yyyyyy--yy"),
    // the density is x² / 2 at 3/2
    ("PPL", "y-yyyy---y"),
    ("AD", "yyyyyyyyyy"),
    ("reverse", "yyyyyy-yyy"),
    // Clarke's set, no value, and one number
    ("AD at kinks", "ssuysysv-y"),
    ("integrals", "yy---yy-y-"),
    ("roots", "yy---yy-y-"),
];

/// W30: the table is what is answered, and no answer is wrong.
#[test]
fn the_table_of_features_is_answered() {
    assert_eq!(FEATURES.len(), TABLE.len());
    let theories = builtin::load_theories();
    for (feature, (name, row)) in FEATURES.iter().zip(TABLE) {
        let found: String = FeatureSubject::all_subjects()
            .iter()
            .map(|asked| letter(asked.support_of(feature, theories.library())))
            .collect();
        assert_eq!((feature.name, &*found), (*name, *row));
    }
}

/// The row of W in its Table 1: piecewise, recursion, higher-order, AD, and of the languages PPL alone in that of W.
#[test]
fn programs_in_pieces_have_what_the_paper_says() {
    let theories = builtin::load_theories();
    let asked = |of: &str, name: &str| {
        let asked = FeatureSubject::all_subjects().into_iter().find(|asked| asked.name() == of).unwrap();
        asked.support_of(FEATURES.iter().find(|feature| feature.name == name).unwrap(), theories.library())
    };
    for name in ["piecewise", "recursion", "higher-order", "PPL", "AD"] {
        assert_eq!(asked("pap", name), FeatureSupport::Supported, "{name}");
        assert_eq!(asked("omega-pap", name), FeatureSupport::Supported, "{name}");
    }
    for of in ["lambda-s", "abadi", "derivable"] {
        assert_eq!(asked(of, "PPL"), FeatureSupport::Unsupported, "{of}");
    }
}

fn letter(answer: FeatureSupport) -> char {
    match answer {
        FeatureSupport::Supported => 'y',
        FeatureSupport::SupportedInSets => 's',
        FeatureSupport::Undefined => 'u',
        FeatureSupport::InLanguageOnly => 'v',
        FeatureSupport::Unsupported => '-',
        FeatureSupport::WrongValue => '!',
    }
}
