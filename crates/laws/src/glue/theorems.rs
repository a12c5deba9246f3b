//! The theorems of H §6 and §7, and of W §3.3, by name: their statements, and the tests.

use super::backwards::{continuations, cotangents};
use super::claim::GlueError;
use super::evaluation::{
    EvaluationDerivative, SortSlope, lemma_9, not_unique, proposition_10, sort_represents, tangents,
};
use super::jets::{bundle, functoriality, lemma_7, theorem_8};
use super::lemma::{GluingSetup, base_pairs, determination, fundamental_lemma, related_pairs, theorem_3};
use super::morphism::{operations_are_morphisms, projection_is_strict, structure};
use super::nested::iterated;
use super::representation::{diagram, first_order, initiality, multiplication};
use super::trial::{BasisRange, TheoremOutcome, TheoremSample, TheoremTest, TheoremTestConfig};
use crate::glue::dual::lemma as dual;
use crate::random::SplitMix64;
use crate::smooth::reverse::StandardReverseHooks;

/// A theorem with a name.
#[derive(Clone, Copy)]
pub struct Theorem {
    /// The name on the command line.
    pub name: &'static str,
    /// The place of the theorem in its paper.
    pub source: &'static str,
    /// The item of the table of correspondence.
    pub item: &'static str,
    /// The statement in words.
    pub summary: &'static str,
    /// The default number of samples: smaller for a theorem whose samples take long.
    pub samples: u64,
    make: fn(GluingSetup) -> TheoremTest<'static>,
}

/// The default number of samples of most theorems. A choice.
pub const SAMPLES: u64 = 200;

/// All theorems.
pub const ALL: &[Theorem] = &[
    Theorem {
        name: "theorem-3",
        source: "Thm 3",
        item: "H22",
        summary: "𝒟 of a program of real numbers sends the jets of f to the jets of the composite",
        samples: SAMPLES,
        make: theorem_3,
    },
    Theorem {
        name: "fundamental-lemma",
        source: "proof of Thm 3",
        item: "H23",
        summary: "a program and its derived program send related plots to related plots, at any types",
        samples: SAMPLES,
        make: fundamental_lemma,
    },
    Theorem {
        name: "base-pairs",
        source: "proof of Thm 3",
        item: "H23",
        summary: "constants and coordinates are related to their representations",
        samples: SAMPLES,
        make: base_pairs,
    },
    Theorem {
        name: "related-pairs",
        source: "proof of Thm 3",
        item: "H23",
        summary: "the pairs of plots that are drawn as related are related",
        samples: SAMPLES,
        make: related_pairs,
    },
    Theorem {
        name: "determination",
        source: "proof of Thm 3",
        item: "H23",
        summary: "at every type the relation determines the second plot: with a leaf moved a pair is not related",
        samples: SAMPLES,
        make: determination,
    },
    Theorem {
        name: "initiality",
        source: "Lemma 4",
        item: "H30",
        summary: "𝒟 is a functor on programs modulo βη, preserves ×, +, → and lists, and is the one with its operations",
        samples: SAMPLES,
        make: initiality,
    },
    Theorem {
        name: "proposition-5",
        source: "Prop. 5",
        item: "H31",
        summary: "Gl_k is bicartesian closed with lists: its constructions preserve the relation",
        samples: SAMPLES,
        make: structure,
    },
    Theorem {
        name: "projection",
        source: "Prop. 5",
        item: "H31",
        summary: "the projection Gl_k → Diff × Diff is strict",
        samples: SAMPLES,
        make: projection_is_strict,
    },
    Theorem {
        name: "operations",
        source: "§6.2",
        item: "H32",
        summary: "operations with their Taylor representations are morphisms of Gl_k",
        samples: SAMPLES,
        make: operations_are_morphisms,
    },
    Theorem {
        name: "multiplication",
        source: "§6.2",
        item: "E34",
        summary: "the multiplication of (2, 2)-jets is as printed, symmetric and associative, with unit ⟨1, 0, 0, 0, 0, 0⟩",
        samples: SAMPLES,
        make: |_| multiplication(),
    },
    Theorem {
        name: "diagram-4",
        source: "(4)",
        item: "H33",
        summary: "the meaning of a derived program is the second component of its meaning in Gl_k",
        samples: SAMPLES,
        make: diagram,
    },
    Theorem {
        name: "jets",
        source: "§6.3",
        item: "H35",
        summary: "jets are a functor, which in coordinates is the formula of Faà di Bruno",
        samples: SAMPLES,
        make: |_| functoriality(),
    },
    Theorem {
        name: "lemma-7",
        source: "Lemma 7",
        item: "H36",
        summary: "jets of products are products of jets, and jets of sums are sums of jets",
        samples: SAMPLES,
        make: |_| lemma_7(),
    },
    Theorem {
        name: "jets-of-manifolds",
        source: "§6.3",
        item: "H35",
        summary: "jets of manifolds by atlases are a functor, in each chart the formula of Faà di Bruno",
        samples: SAMPLES,
        make: |_| bundle::functoriality(),
    },
    Theorem {
        name: "lemma-7-manifolds",
        source: "Lemma 7",
        item: "H36",
        summary: "jets of products and disjoint unions of manifolds by atlases are those of the parts",
        samples: SAMPLES,
        make: |_| bundle::lemma_7(),
    },
    Theorem {
        name: "theorem-8",
        source: "Thm 8",
        item: "H37",
        summary: "at first-order types 𝒟 is the jet functor",
        samples: SAMPLES,
        make: theorem_8,
    },
    Theorem {
        name: "evaluation",
        source: "Prop. 10",
        item: "H38",
        summary: "ev′₁(a)(f) = f(a, 1) is a derivative of evaluation",
        samples: SAMPLES,
        make: |_| proposition_10(EvaluationDerivative::Macro),
    },
    Theorem {
        name: "proposition-10",
        source: "Prop. 10",
        item: "E37",
        summary: "as printed: ev′₂(a)(f) = (sort f)(a, 1) is a derivative of evaluation",
        samples: SAMPLES,
        make: |_| proposition_10(EvaluationDerivative::Printed),
    },
    Theorem {
        name: "proposition-10-mended",
        source: "Prop. 10",
        item: "E37",
        summary: "ev″₂(a)(f) = (π₁ f(a, 0), π₂ f(a, 1)) is a derivative of evaluation",
        samples: SAMPLES,
        make: |_| proposition_10(EvaluationDerivative::Corrected),
    },
    Theorem {
        name: "not-unique",
        source: "§7.1",
        item: "H38",
        summary: "the two derivatives of evaluation differ at swap: (1, a) and (0, a)",
        samples: SAMPLES,
        make: |_| not_unique(),
    },
    Theorem {
        name: "lemma-9",
        source: "Lemma 9",
        item: "H39",
        summary: "sort is smooth and idempotent, and sends swap to the constant (0, 0)",
        samples: SAMPLES,
        make: |_| lemma_9(),
    },
    Theorem {
        name: "sort",
        source: "§7.1",
        item: "E38",
        summary: "as printed: sort f is the dual-number representation of the first component of f",
        samples: SAMPLES,
        make: |_| sort_represents(SortSlope::Printed),
    },
    Theorem {
        name: "sort-mended",
        source: "§7.1",
        item: "E38",
        summary: "sort f, its slope times r′, is the dual-number representation of the first component of f",
        samples: SAMPLES,
        make: |_| sort_represents(SortSlope::Scaled),
    },
    Theorem {
        name: "uniqueness",
        source: "§7",
        item: "H40",
        summary: "at first-order types derivatives are unique: two valid macros agree",
        samples: SAMPLES,
        make: first_order,
    },
    Theorem {
        name: "nested",
        source: "§2.2, §7",
        item: "H40",
        summary: "𝒟 is 𝒟 of k = R = 1, nested, at what jets are in it: a macro whose derivatives are written out agrees",
        samples: SAMPLES,
        make: iterated,
    },
    Theorem {
        name: "continuations",
        source: "§8.2.3",
        item: "H41",
        summary: "a program with continuations, which hand cotangents on, is related to the program, at any types",
        samples: SAMPLES,
        make: |setting| continuations(setting, &StandardReverseHooks),
    },
    Theorem {
        name: "cotangents",
        source: "§8.2.3",
        item: "H41",
        summary: "rd of a program, after a plot, hands on what makes the derivatives of the composite",
        samples: SAMPLES,
        make: |_| cotangents(&StandardReverseHooks),
    },
    Theorem {
        name: "tangents",
        source: "§7",
        item: "X5",
        summary: "the tangents of λ_S at (ℜ → ℜ) → ℜ and 𝒟 agree after evaluation on curves",
        samples: SAMPLES,
        make: tangents,
    },
    Theorem {
        name: "pieces-lemma",
        source: "§3.3",
        item: "W20",
        summary: "a program in pieces and its dual numbers are related, at any type",
        // a quarter: a sample explores the pieces of a program and of its dual
        samples: SAMPLES / 4,
        make: |setting| piecewise_test(setting, dual::fundamental_lemma),
    },
    Theorem {
        name: "pieces-higher-orders",
        source: "§3.3",
        item: "W20",
        summary: "beyond dual numbers each coordinate in pieces is an intensional derivative of one below it",
        samples: SAMPLES / 4,
        make: |setting| piecewise_test(setting, dual::higher_orders),
    },
    Theorem {
        name: "pieces-related",
        source: "§3.3",
        item: "W20",
        summary: "the plots and dual numbers in pieces that are drawn as related are related",
        samples: SAMPLES,
        make: |setting| piecewise_test(setting, dual::related_pairs),
    },
    Theorem {
        name: "pieces-determination",
        source: "§3.3",
        item: "W20",
        summary: "at every type the relation determines dual numbers, but for slopes at borders",
        samples: SAMPLES,
        make: |setting| piecewise_test(setting, dual::determination),
    },
    Theorem {
        name: "pieces-freedom",
        source: "§3.3",
        item: "W6",
        summary: "a slope at a point may be any number",
        samples: SAMPLES,
        make: |setting| piecewise_test(setting, dual::freedom),
    },
];

/// The theorems about every [representation](super::representation::Representation). The others are about jets, or about no macro.
pub const OF_REPRESENTATIONS: [&str; 4] = ["base-pairs", "related-pairs", "fundamental-lemma", "proposition-5"];

/// Makes the test of a law of W, whose macro has rules for piecewise functions. A sample consists of a seed alone.
fn piecewise_test(setting: GluingSetup, law: dual::DualLaw) -> TheoremTest<'static> {
    // a macro without such rules is not about W, so the right one is tested in its place
    let rules = setting.hooks.filter(|rules| rules.has_pieces());
    let setting =
        rules.map_or_else(dual::DualSetup::default, |rules| dual::DualSetup { hooks: rules, ..Default::default() });
    let judge = move |sample: &TheoremSample| Ok(law(SplitMix64::new(sample.seed), &setting));
    TheoremTest { range: BasisRange::Only(1, 1), draw: Box::new(|_| Vec::new()), judge: Box::new(judge) }
}

/// Returns the theorem `name`. Returns `None` if there is no such theorem.
#[must_use]
pub fn find_theorem(name: &str) -> Option<&'static Theorem> {
    ALL.iter().find(|theorem| theorem.name == name)
}

impl Theorem {
    /// Returns the letter of the paper, by the item: `"W"` or `"H"`.
    #[must_use]
    pub fn paper(&self) -> &'static str {
        if self.item.starts_with('W') { "W" } else { "H" }
    }

    /// Returns the test of the theorem for a macro and a relation.
    #[must_use]
    pub fn make_test(&self, setting: GluingSetup) -> TheoremTest<'static> {
        (self.make)(setting)
    }

    /// Tests the theorem with the right macro and the right relation.
    ///
    /// # Errors
    /// Those of [`TheoremTest::run_test`].
    pub fn run_test(&self, trials: &TheoremTestConfig) -> Result<TheoremOutcome, GlueError> {
        self.make_test(GluingSetup::default()).run_test(trials)
    }
}
