//! The numbered statements of S, A, W and H that are tested by laws on samples of a seed, by name; and those that are
//! not tested, with the reason. The statements about the Taylor macro are in `glue::theorems`.
//!
//! A statement is tested with the right rules or with a wrong version of them. It holds only if no sample refutes it,
//! enough samples claim something, and the samples contain what the statement is about.

use super::diffeology::language;
use super::generate::{self, TermGenerator, TermVocabulary};
use super::graphs::random_dyadic;
use super::pap::{self, PiecesLaw};
use super::partial::{self, PartialMapLaw};
use super::property::{self, SampleSettings, SampledLaw};
use super::trace::{self, TraceLaw};
use crate::meaning::diffeology::{Dimensions, element_coordinates, evaluation_matrix, matrix_rank, space};
use crate::meaning::taylor::derive::derive_with;
use crate::meaning::taylor::functor::Taylor;
use crate::meaning::taylor::jet::Basis;
use crate::number::Rational;
use crate::random::SplitMix64;
use crate::smooth::map::MapTestConfig;
use crate::syntax::term::{Term, TermKind};
use crate::syntax::ty::{Ty, TyKind};
use crate::trace::evaluation::DefaultTraceHooks;
use crate::trace::term::{CoreTerm, zero_of_type};
use crate::verdict::Verdict;
use crate::wrong::{Pap, Partial, RuleSet, Trace, WrongRule};
use std::convert::Infallible;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};

pub mod presheaves;
pub mod smooth;

/// The verdict on one sample, with what the sample contains.
#[derive(Clone, Debug)]
#[must_use = "a verdict that nobody reads refutes nothing"]
pub struct JudgedSample {
    /// The verdict.
    pub verdict: Verdict,
    /// The kinds of contents of the sample, as `a kink`, each once.
    pub contents: Vec<&'static str>,
}

impl From<Verdict> for JudgedSample {
    fn from(verdict: Verdict) -> Self {
        Self { verdict, contents: Vec::new() }
    }
}

impl JudgedSample {
    /// Makes a sample that says nothing yet.
    pub fn vacuous() -> Self {
        Verdict::Vacuous.into()
    }

    /// Adds a kind of contents.
    pub fn contains(&mut self, what: &'static str) {
        if !self.contents.contains(&what) {
            self.contents.push(what);
        }
    }

    /// Combines the verdicts by [`Verdict::and`], and the contents.
    pub fn and(mut self, other: Self) -> Self {
        self.verdict = self.verdict.and(other.verdict);
        other.contents.into_iter().for_each(|what| self.contains(what));
        self
    }
}

/// A law on the sample of a seed, for the right rules or for the wrong version of an index.
pub type SeededLaw = fn(SplitMix64, Option<usize>) -> JudgedSample;

/// The method by which a statement is tested.
#[derive(Clone, Copy, Debug)]
pub enum TheoremMethod {
    /// A law with wrong versions of its own, each in words.
    Seeded(SeededLaw, &'static [&'static str]),
    /// Laws of traces, by name, with wrong rules that they refute.
    Traces(&'static [&'static str], &'static [Trace]),
    /// Laws of partial maps, by name, with wrong rules that they refute.
    PartialMaps(&'static [&'static str], &'static [Partial]),
    /// Laws of programs in pieces, by name, with wrong rules that they refute.
    Pieces(&'static [&'static str], &'static [Pap]),
    /// The reason why the statement is not tested.
    NotTested(&'static str),
}

/// A numbered statement of a paper.
#[derive(Clone, Copy, Debug)]
pub struct PaperTheorem {
    /// The name on the command line.
    pub name: &'static str,
    /// The letter of the paper.
    pub paper: &'static str,
    /// The place in the paper.
    pub source: &'static str,
    /// The item of the table of correspondence.
    pub item: &'static str,
    /// The statement in words.
    pub summary: &'static str,
    /// The default number of samples.
    pub samples: u64,
    /// The kinds of contents of which a test must have seen a sample.
    pub needs: &'static [&'static str],
    /// The method of the test.
    pub method: TheoremMethod,
}

/// The refutation of a statement by a sample.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct SampleRefutation {
    /// The index of the sample.
    pub index: u64,
    /// The sample at which the sides differ.
    pub witness: String,
    /// The left side.
    pub left: String,
    /// The right side.
    pub right: String,
}

/// The configuration of a test, shared with the one who watches it.
#[derive(Clone, Debug, Default)]
pub struct TheoremRun {
    /// The number of samples.
    pub samples: u64,
    /// The seed, on which the samples depend.
    pub seed: u64,
    /// The flag that stops the test when it is set.
    pub interrupted: Arc<AtomicBool>,
    /// The number of samples tested so far, for progress reports.
    pub done: Arc<AtomicU64>,
}

impl TheoremRun {
    /// Makes a configuration of `samples` samples from a seed.
    #[must_use]
    pub fn new(samples: u64, seed: u64) -> Self {
        Self { samples, seed, ..Self::default() }
    }
}

/// The outcome of a test.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct PaperOutcome {
    /// The number of samples that the statement survived.
    pub survived: u64,
    /// The number of vacuous samples.
    pub vacuous: u64,
    /// The kinds of contents of the samples that claim something, with their numbers.
    pub contents: Vec<(&'static str, u64)>,
    /// The first sample that refutes; `None` if none does.
    pub refutation: Option<SampleRefutation>,
    /// `true` if the test was interrupted.
    pub interrupted: bool,
    /// The kinds of contents that no sample had, although the statement is about them.
    pub missing: Vec<&'static str>,
}

impl PaperOutcome {
    /// Returns `true` if nothing refutes the statement, a third of the samples claim something, and they contain what
    /// the statement is about.
    #[must_use]
    pub fn has_passed(&self) -> bool {
        let tried = self.survived + self.vacuous;
        self.refutation.is_none()
            && !self.interrupted
            && self.missing.is_empty()
            && self.survived > 0
            && self.survived * LEAST_SHARE >= tried
    }
}

/// One of so many samples must claim something. A choice.
const LEAST_SHARE: u64 = 3;
/// The default number of samples. A choice.
const SAMPLES: u64 = 100;
/// The default number of samples of laws that take long. A choice: a test ends in seconds.
const FEW: u64 = 30;

/// The contents of samples of traces.
const OF_TRACES: &[&str] = &[trace::RECURS, trace::BRANCHES, trace::HAS_SLOPE];
/// The contents of samples of programs in pieces.
const OF_PIECES: &[&str] = &["a border", "a derivative that is not 0"];

/// Makes a row of the table.
const fn theorem(
    [name, paper, source, item, summary]: [&'static str; 5],
    samples: u64,
    needs: &'static [&'static str],
    method: TheoremMethod,
) -> PaperTheorem {
    PaperTheorem { name, paper, source, item, summary, samples, needs, method }
}

use TheoremMethod::{NotTested, PartialMaps, Pieces, Seeded, Traces};

/// All statements, in the order of the papers.
pub const PAPER_THEOREMS: &[PaperTheorem] = &[
    theorem(
        ["s-proposition-4.2", "S", "Prop. 4.2", "S30", "a linear map after a tower is applied to its derivatives"],
        SAMPLES,
        &["a derivative that is not 0", "a set or ⊥"],
        Seeded(smooth::outer_linear_map, &["a composition without the term g′(f″)"]),
    ),
    theorem(
        [
            "s-proposition-4.3",
            "S",
            "Prop. 4.3",
            "S30",
            "a tower after a linear map is taken along the images of the directions",
        ],
        SAMPLES,
        &["a derivative that is not 0", "a set or ⊥"],
        Seeded(smooth::inner_linear_map, &["a composition without the term g″(f′, f′)"]),
    ),
    theorem(
        [
            "s-proposition-4.4",
            "S",
            "Prop. 4.4",
            "S12",
            "the product of the derivatives, as sets, contains the slopes of a composite",
        ],
        SAMPLES,
        &["a kink", "a set"],
        Seeded(smooth::chain_rule, &["one end of the set"]),
    ),
    theorem(
        ["s-proposition-4.5", "S", "Prop. 4.5", "S31", "towers are a Cartesian category where both sides are known"],
        FEW,
        &["a derivative that is not 0", "a set or ⊥"],
        Seeded(
            smooth::cartesian_category,
            &["a composition without the term g′(f″)", "a composition without the term g″(f′, f′)", "pairs in reverse"],
        ),
    ),
    theorem(
        ["s-lemma-4.6", "S", "Lemma 4.6", "S17", "the tower of a linear map is consistent"],
        SAMPLES,
        &["a matrix that is not 0"],
        Seeded(smooth::linear_maps_are_consistent, &["the derivative of another matrix"]),
    ),
    theorem(
        [
            "s-proposition-4.7",
            "S",
            "Prop. 4.7",
            "S13",
            "the pair of the derivatives, as sets, contains the slopes of a pair",
        ],
        SAMPLES,
        &["a kink", "a set"],
        Seeded(smooth::pairing_rule, &["one end of each set"]),
    ),
    theorem(
        ["s-proposition-4.8", "S", "Prop. 4.8", "S14", "the product rule, as sets, contains the slopes of a product"],
        SAMPLES,
        &["a kink", "a set"],
        Seeded(smooth::product_rule, &["the term f·g′ is left out"]),
    ),
    theorem(
        ["s-proposition-4.9", "S", "Prop. 4.9", "S33", "the tower of a first-order term is successively consistent"],
        FEW,
        &["a kink", "a derivative inside", "an input that is used"],
        Seeded(smooth::terms_are_consistent, &["a sine whose derivative is the sine"]),
    ),
    theorem(
        [
            "s-proposition-4.10",
            "S",
            "Prop. 4.10",
            "S33",
            "k-th differences of the values of a term lie in its k-th derivative",
        ],
        SAMPLES,
        &["a kink", "a derivative inside", "a derivative that is not 0"],
        Seeded(smooth::differences_are_derivatives, &["a sine whose derivative is the sine"]),
    ),
    theorem(
        ["s-proposition-5.1", "S", "Prop. 5.1", "S51", "a tangent to a product is a pair of tangents"],
        FEW,
        &["numbers", "functions"],
        Seeded(presheaves::tangents_to_products, &["(f(x), g(x)), as printed (E10)"]),
    ),
    theorem(
        ["s-proposition-5.2", "S", "Prop. 5.2", "S50", "a tangent to a representable is a map to pairs"],
        FEW,
        &["numbers", "points of the plane"],
        Seeded(presheaves::tangents_to_representables, &["value and derivative exchanged"]),
    ),
    theorem(
        [
            "s-proposition-5.3",
            "S",
            "Prop. 5.3",
            "S52",
            "a tangent to functions into ℝ is a function and its perturbation",
        ],
        FEW,
        &["functions of numbers", "functions of functions"],
        Seeded(presheaves::tangents_to_functions, &["the base point for the direction", "the slope 0"]),
    ),
    theorem(
        ["s-proposition-5.4", "S", "Prop. 5.4", "S53", "a higher-order program of ground type has a consistent tower"],
        FEW,
        &["a value that depends on the input"],
        Seeded(presheaves::programs_are_consistent, &["a sine whose derivative is the sine"]),
    ),
    theorem(
        ["a-lemma-3.1", "A", "Lemma 3.1", "A11", "a term that is no value is E[R] in one way"],
        SAMPLES,
        OF_TRACES,
        Traces(&["unique_decomposition"], &[Trace::RightFirst]),
    ),
    theorem(
        ["a-lemma-3.2", "A", "Lemma 3.2", "A12", "a term of the type of the hole may replace it"],
        SAMPLES,
        OF_TRACES,
        Seeded(replacements, &["a pair of them"]),
    ),
    theorem(
        ["a-proposition-3.3", "A", "Prop. 3.3", "A18", "the derivative of a trace has the type of the point"],
        SAMPLES,
        OF_TRACES,
        Seeded(derivative_types, &["it has the type of the value"]),
    ),
    theorem(
        [
            "a-proposition-3.4",
            "A",
            "Prop. 3.4",
            "A21",
            "a program has one value and one trace, by big steps and by small ones",
        ],
        SAMPLES,
        OF_TRACES,
        Traces(&["determinacy"], &[Trace::TwoAnswers, Trace::Diagonal, Trace::BothBranches]),
    ),
    theorem(
        ["a-proposition-3.5", "A", "Prop. 3.5", "A22", "M ⇒ V if and only if M ⇝ C and C ⇒ V"],
        SAMPLES,
        OF_TRACES,
        Traces(&["interpolation"], &[Trace::BothBranches, Trace::OtherBranch]),
    ),
    theorem(
        ["a-proposition-3.6", "A", "Prop. 3.6", "A23", "values and traces have the type of the program"],
        SAMPLES,
        OF_TRACES,
        Seeded(value_types, &["they have the type of the point"]),
    ),
    theorem(
        [
            "a-fact-1",
            "A",
            "§4.1, Fact 1",
            "A29",
            "the derivative of a function that is constant on its domain is 0 there",
        ],
        SAMPLES,
        OF_TRACES,
        Seeded(constants_have_slope_zero, &["a function that is not constant"]),
    ),
    theorem(
        ["a-proposition-4.1", "A", "Prop. 4.1", "A32", "derivatives commute with restrictions and with suprema"],
        FEW,
        &[],
        PartialMaps(&["joins_are_least", "differential_axioms"], &[Partial::JoinLeft, Partial::Unrestricted]),
    ),
    theorem(
        ["a-proposition-4.2", "A", "Prop. 4.2", "A32", "restrictions and suprema of smooth functions are smooth"],
        0,
        &[],
        NotTested(
            "smoothness is about all orders and all points; its step from one order to the next is a-proposition-4.1",
        ),
    ),
    theorem(
        [
            "a-proposition-4.3",
            "A",
            "Prop. 4.3",
            "A33",
            "the derivative of a conditional is the conditional of the derivatives",
        ],
        FEW,
        OF_TRACES,
        Traces(&["source_is_accumulated"], &[Trace::OtherSlope]),
    ),
    theorem(
        [
            "a-proposition-4.4",
            "A",
            "Prop. 4.4",
            "A34",
            "the derivative of a recursion is the recursion of the derivatives",
        ],
        FEW,
        OF_TRACES,
        Traces(&["source_is_accumulated"], &[Trace::ConstantCall]),
    ),
    theorem(
        ["a-lemma-5.1", "A", "Lemma 5.1", "A37", "values and elements of types correspond"],
        SAMPLES,
        &[],
        PartialMaps(&["values_are_vectors"], &[Partial::PartsReversed]),
    ),
    theorem(
        ["a-lemma-5.2", "A", "Lemma 5.2", "A37", "terms of one denotation may replace each other in a context"],
        FEW,
        OF_TRACES,
        PartialMaps(&["contexts_compose"], &[Partial::LazyLet]),
    ),
    theorem(
        ["a-lemma-5.3", "A", "Lemma 5.3", "A37", "a context has a value only if what stands in it has one"],
        FEW,
        OF_TRACES,
        PartialMaps(&["contexts_compose"], &[Partial::LazyLet, Partial::LazyPair]),
    ),
    theorem(
        [
            "a-theorem-6.1",
            "A",
            "Thm 6.1",
            "A38",
            "the literal reverse derivative is the transposed derivative, with its domain",
        ],
        FEW,
        OF_TRACES,
        Traces(
            &["reverse_is_transposed", "reverse_has_the_domain", "reverse_captures_nothing"],
            &[Trace::OwnFactor, Trace::LastUse, Trace::PairSwapped, Trace::LargerDomain, Trace::Captured],
        ),
    ),
    theorem(
        ["a-theorem-6.2.1", "A", "Thm 6.2 (1)", "A39", "what a program runs to, it denotes"],
        FEW,
        OF_TRACES,
        PartialMaps(&["adequate", "traces_adequate"], &[Partial::Diagonal, Partial::LazyLet, Partial::BothBranches]),
    ),
    theorem(
        ["a-theorem-6.2.2", "A", "Thm 6.2 (2)", "A40", "a trace is valid near its point"],
        FEW,
        OF_TRACES,
        Traces(
            &["trace_is_local", "printed_box_holds_the_point", "printed_box_holds"],
            &[Trace::Inlined, Trace::BoxByWidth, Trace::BoxDoubled],
        ),
    ),
    theorem(
        ["a-corollary-6.3", "A", "Cor. 6.3", "A41", "to trace and then to differentiate is to differentiate"],
        FEW,
        OF_TRACES,
        PartialMaps(&["traced_derivatives"], &[Partial::OneDirection]),
    ),
    theorem(
        ["a-lemma-6.4", "A", "Lemma 6.4", "A43", "terms of the approximation language are computable"],
        0,
        &[],
        NotTested("computability is a predicate by induction on types, a step of the proof of a-theorem-6.7"),
    ),
    theorem(
        ["a-lemma-6.5", "A", "Lemma 6.5", "A42", "a recursion denotes the supremum of its approximants"],
        FEW,
        &[],
        PartialMaps(&["approximants_increase", "chains_increase"], &[Partial::BottomAnswers]),
    ),
    theorem(
        ["a-lemma-6.6", "A", "Lemma 6.6", "A42", "what an approximant runs to, the program runs to"],
        FEW,
        OF_TRACES,
        Traces(&["approximants_increase", "limited_is_unrolled"], &[Trace::LimitOff, Trace::LimitAnswers]),
    ),
    theorem(
        ["a-theorem-6.7", "A", "Thm 6.7", "A43", "a program that denotes a value runs to it"],
        FEW,
        OF_TRACES,
        PartialMaps(&["adequate", "traces_adequate"], &[Partial::BottomAnswers, Partial::LevelsOff]),
    ),
    theorem(
        ["w-closure", "W", "§2.1, Lee et al.", "W5", "composites of functions in pieces are in pieces, by preimages"],
        FEW,
        OF_PIECES,
        Pieces(&["composites_are_preimages", "pieces_are_the_program"], &[Pap::TestBorder]),
    ),
    theorem(
        ["w-chain-rule", "W", "§2.1", "W7", "intensional derivatives compose by the chain rule"],
        FEW,
        OF_PIECES,
        Pieces(&["claims_compose"], &[Pap::InnerSlopeLost, Pap::OuterSlopeLost, Pap::SlopesAdded, Pap::OuterAtInner]),
    ),
    theorem(
        [
            "w-programs-are-pap",
            "W",
            "§3.2",
            "W17",
            "a program denotes the partial function of the pieces that it unfolds to",
        ],
        FEW,
        OF_PIECES,
        Pieces(&["pieces_are_the_program", "lengths_sum_up"], &[Pap::ReplayForgets, Pap::FrontierDropped]),
    ),
    theorem(
        ["w-correctness", "W", "§3.3", "W20", "the derivative is that of the path, defined on the same inputs"],
        FEW,
        OF_PIECES,
        Pieces(&["derivative_of_the_path", "derivatives_are_intensional"], &[Pap::BranchByTangent, Pap::AbsSmooth]),
    ),
    theorem(
        ["w-almost-everywhere", "W", "§3.3", "W21", "off the guards it is the derivative"],
        FEW,
        OF_PIECES,
        Pieces(&["almost_everywhere"], &[Pap::BranchByTangent]),
    ),
    theorem(
        ["w-approximants", "W", "§3.1", "W11", "more unfoldings keep a value, and too few say nothing"],
        FEW,
        OF_PIECES,
        Pieces(&["fuel_says_nothing"], &[Pap::FuelIsUndefined]),
    ),
    theorem(
        ["lemma-1", "H", "Lemma 1", "H14", "𝒟t has the type 𝒟τ, and 𝒟 commutes with substitution"],
        SAMPLES,
        &["a function", "a variant or a list"],
        Seeded(macro_substitution, &["the value is substituted as it is"]),
    ),
    theorem(
        ["proposition-2", "H", "Prop. 2", "H18", "definable functions are smooth, at any types"],
        FEW,
        &["a function", "numbers"],
        Seeded(definable_functions_are_smooth, &["the language has abs"]),
    ),
    theorem(
        ["proposition-6", "H", "Prop. 6", "H34", "a first-order type is a sum of spaces ℝᵈ"],
        SAMPLES,
        &["numbers", "a variant or a list"],
        Seeded(first_order_types_are_sums, &["the summands of lists of one element alone"]),
    ),
    theorem(
        ["lemma-11", "H", "Lemma 11", "H17", "evaluation at n + 1 points needs n + 1 dimensions"],
        FEW,
        &["a polynomial of degree above 1"],
        Seeded(evaluation_has_full_rank, &["n dimensions"]),
    ),
    theorem(
        ["theorem-12", "H", "Thm 12", "H17", "Cartesian spaces are not Cartesian closed"],
        0,
        &[],
        NotTested("that there is no space is no statement about samples; it follows from lemma-11"),
    ),
    theorem(
        ["theorem-13", "H", "Thm 13", "H17", "manifolds are not Cartesian closed"],
        0,
        &[],
        NotTested("that there is no manifold is no statement about samples; it follows from lemma-11"),
    ),
    theorem(
        ["x-branches", "A, W", "§3, §3.3", "X3", "the meanings of a program in pieces agree off its borders"],
        FEW,
        OF_PIECES,
        Pieces(&["meanings_agree"], &[Pap::AbsSmooth]),
    ),
    theorem(
        ["x-below-presheaves", "A, S", "§4, §5", "X10", "what has a value as a partial map has it in presheaves"],
        FEW,
        &[],
        PartialMaps(&["below_presheaves", "language_below_presheaves"], &[Partial::Diagonal]),
    ),
    theorem(
        ["x-jets-and-towers", "S, H", "§4.2, §3", "X4", "truncated jets are the derivatives of the tower"],
        SAMPLES,
        &["a derivative that is not 0", "a kink"],
        Seeded(smooth::jets_are_towers, &["a composition without the term g″(f′, f′)"]),
    ),
];

/// Returns the statement `name`. Returns `None` if there is no such statement.
#[must_use]
pub fn find_theorem(name: &str) -> Option<&'static PaperTheorem> {
    PAPER_THEOREMS.iter().find(|theorem| theorem.name == name)
}

/// Returns the laws of these names. A name without a law is left out; a test holds the names to the laws.
fn laws_named<L: Copy>(all: &'static [(&'static str, L)], names: &'static [&'static str]) -> impl Iterator<Item = L> {
    names.iter().filter_map(|name| all.iter().find(|(known, _)| known == name).map(|(_, law)| *law))
}

/// Returns the verdict of laws at one sample, each with its own copy of the random numbers.
fn judge_laws<L>(laws: impl Iterator<Item = L>, judge: impl Fn(L) -> Verdict) -> Verdict {
    laws.map(judge).fold(Verdict::Vacuous, Verdict::and)
}

impl PaperTheorem {
    /// Returns the wrong versions: in words, or the names of mutants.
    #[must_use]
    pub fn wrong_versions(&self) -> Vec<&'static str> {
        match self.method {
            Seeded(_, wrong) => wrong.to_vec(),
            Traces(_, wrong) => wrong.iter().map(|rule| rule.name()).collect(),
            PartialMaps(_, wrong) => wrong.iter().map(|rule| rule.name()).collect(),
            Pieces(_, wrong) => wrong.iter().map(|rule| rule.name()).collect(),
            NotTested(_) => Vec::new(),
        }
    }

    /// Judges one sample, with the right rules or the wrong version of an index.
    pub fn judge_sample(&self, random: SplitMix64, wrong: Option<usize>) -> JudgedSample {
        match self.method {
            Seeded(law, _) => law(random, wrong),
            Traces(names, mutants) => {
                let laws = laws_named::<TraceLaw>(trace::LAWS, names);
                let verdict = judge_laws(laws, |law| match wrong {
                    None => law(random.clone(), &DefaultTraceHooks),
                    Some(index) => law(random.clone(), &mutants[index]),
                });
                JudgedSample { verdict, contents: trace::sample_contents(random) }
            }
            PartialMaps(names, mutants) => {
                let rules = wrong.map_or_else(RuleSet::default, |index| WrongRule::Partial(mutants[index]).into());
                let laws = laws_named::<PartialMapLaw>(partial::LAWS, names);
                let verdict = judge_laws(laws, |law| law(random.clone(), &rules));
                // the laws of random maps draw other programs, of whose contents nothing is claimed
                let contents = if self.needs.is_empty() { Vec::new() } else { trace::sample_contents(random) };
                JudgedSample { verdict, contents }
            }
            Pieces(names, mutants) => {
                let rules = wrong.map_or_else(RuleSet::default, |index| WrongRule::Pieces(mutants[index]).into());
                let laws = laws_named::<PiecesLaw>(pap::LAWS, names);
                let verdict = judge_laws(laws, |law| law(random.clone(), &rules));
                JudgedSample { verdict, contents: pap::sample_contents(random) }
            }
            NotTested(_) => JudgedSample::vacuous(),
        }
    }

    /// Returns the statement as a law for quickcheck. Unlike [`PaperTheorem::run_test`], it does not ask what its samples
    /// contain. A statement that is not tested is vacuous.
    #[must_use]
    pub fn sampled_law(self, samples: &SampleSettings) -> SampledLaw<Infallible> {
        SampledLaw::new(samples, move |random| Ok(self.judge_sample(random.clone(), None).verdict))
    }

    /// Tests the statement on samples, on several threads, up to the first that refutes. The samples depend on the seed
    /// alone.
    #[must_use]
    pub fn run_test(&self, trials: &TheoremRun, wrong: Option<usize>) -> PaperOutcome {
        let judge = |index| self.judge_sample(SplitMix64::for_sample(trials.seed, index), wrong);
        let refutes = |judged: &JudgedSample| judged.verdict.is_refuted();
        let (found, _) =
            property::judge_in_parallel(trials.samples, (&trials.interrupted, &trials.done), judge, refutes);
        let interrupted = trials.interrupted.load(Ordering::Relaxed);
        let mut outcome = PaperOutcome { interrupted, ..PaperOutcome::default() };
        for (index, judged) in found {
            match judged.verdict {
                Verdict::Survived => outcome.survived += 1,
                Verdict::Vacuous => {
                    outcome.vacuous += 1;
                    continue;
                }
                Verdict::Refuted { witness, left, right } => {
                    outcome.refutation = Some(SampleRefutation { index, witness, left, right });
                    break;
                }
            }
            for what in judged.contents {
                match outcome.contents.iter_mut().find(|(known, _)| *known == what) {
                    Some((_, count)) => *count += 1,
                    None => outcome.contents.push((what, 1)),
                }
            }
        }
        let is_seen = |what: &&str| outcome.contents.iter().any(|(known, _)| known == what);
        outcome.missing = self.needs.iter().copied().filter(|what| !is_seen(what)).collect();
        outcome
    }
}

/// Tests **A Lemma 3.2**. Wrong: a pair of terms of the type is put in the place of one.
fn replacements(random: SplitMix64, wrong: Option<usize>) -> JudgedSample {
    let verdict = trace::check_replacement(random.clone(), &|ty| match wrong {
        None => zero_of_type(ty),
        Some(_) => CoreTerm::pair(ty.clone(), ty.clone(), zero_of_type(ty), zero_of_type(ty)),
    });
    JudgedSample { verdict, contents: trace::sample_contents(random) }
}

/// Tests **A Prop. 3.3**. Wrong: the derivative is claimed to have the type of the value.
fn derivative_types(random: SplitMix64, wrong: Option<usize>) -> JudgedSample {
    let verdict = trace::check_derivative_type(random.clone(), &DefaultTraceHooks, |sample| match wrong {
        None => sample.ty.clone(),
        Some(_) => sample.codomain.clone(),
    });
    JudgedSample { verdict, contents: trace::sample_contents(random) }
}

/// Tests **A Prop. 3.6**. Wrong: values and traces are claimed to have the type of the point.
fn value_types(random: SplitMix64, wrong: Option<usize>) -> JudgedSample {
    let verdict = trace::check_value_types(random.clone(), &DefaultTraceHooks, |sample| match wrong {
        None => sample.codomain.clone(),
        Some(_) => sample.ty.clone(),
    });
    JudgedSample { verdict, contents: trace::sample_contents(random) }
}

/// Tests **A Fact 1** on `let y = M in c`. Wrong: on M itself.
fn constants_have_slope_zero(random: SplitMix64, wrong: Option<usize>) -> JudgedSample {
    let verdict = trace::constants_have_slope_zero(random.clone(), wrong.is_some());
    JudgedSample { verdict, contents: trace::sample_contents(random) }
}

/// Adds the kinds of types in `ty` to the contents of a sample.
fn add_type(judged: &mut JudgedSample, ty: &Ty) {
    match ty.kind() {
        TyKind::Function(domain, codomain) => {
            judged.contains("a function");
            add_type(judged, domain);
            add_type(judged, codomain);
        }
        TyKind::Tuple(parts) => parts.iter().for_each(|part| add_type(judged, part)),
        TyKind::Data(_, arguments) => {
            judged.contains("a variant or a list");
            arguments.iter().for_each(|argument| add_type(judged, argument));
        }
        _ if *ty == Ty::real() => judged.contains("numbers"),
        _ => {}
    }
}

/// Returns `true` if two terms are the same up to names once no function is applied to an argument in them.
fn are_equal_up_to_beta(left: &Term, right: &Term) -> bool {
    use crate::syntax::substitution::{alpha_equal, map_subterms, substitute_innermost};
    // it ends, since the terms of the macro have simple types and no recursion
    fn contract(term: &Term) -> Term {
        let term = map_subterms(term, &mut |part, _| contract(part));
        match term.kind() {
            TermKind::Apply { function, argument } => match function.kind() {
                TermKind::Lambda { body, .. } => contract(&substitute_innermost(body, argument)),
                _ => term,
            },
            _ => term,
        }
    }
    alpha_equal(&contract(left), &contract(right))
}

/// Tests **H Lemma 1**: the derived program has the derived type, and `𝒟(t[s/x]) = 𝒟(t)[𝒟(s)/x]` up to names. An operation that
/// has fewer arguments than it takes, which H does not have, becomes a function; where the substitution completes its arguments, the
/// programs are the same up to β. Wrong: s is substituted in 𝒟(t) as it is.
fn macro_substitution(mut random: SplitMix64, wrong: Option<usize>) -> JudgedSample {
    use crate::syntax::substitution::{alpha_equal, substitute_innermost};
    let mut judged = JudgedSample::vacuous();
    let (sigma, tau) = (random_type(&mut random, 2), random_type(&mut random, 2));
    let (order, is_plain) = (1 + random.next_below(2), random.next_below(2) == 0);
    let vocabulary = if is_plain { TermVocabulary::Smooth } else { TermVocabulary::Derivable };
    let mut generator = TermGenerator::with_vocabulary(random, vocabulary);
    let mut draw = |ty: &Ty, size| {
        if is_plain { generator.draw_term(ty, size) } else { generator.draw_using_scope(ty, size) }
    };
    let function_ty = Ty::function(sigma.clone(), tau.clone());
    let (function, value) = (draw(&function_ty, 14), draw(&sigma, 6));
    let library = generate::data_library();
    let read = |text: String| library.infer_expression(&text);
    let (Ok((function, _)), Ok((value, _))) =
        (read(format!("({function} : {function_ty})")), read(format!("({value} : {sigma})")))
    else {
        return judged;
    };
    let (TermKind::Lambda { body, .. }, Ok(basis)) = (function.kind(), Basis::new(order, 2)) else { return judged };
    let taylor = Taylor::new(basis);
    let derive = |term, ty: &Ty| derive_with(&taylor, term, ty);
    let (Ok(whole), Ok(of_function), Ok(of_value)) =
        (derive(&substitute_innermost(body, &value), &tau), derive(&function, &function_ty), derive(&value, &sigma))
    else {
        return judged;
    };
    add_type(&mut judged, &sigma);
    add_type(&mut judged, &tau);
    for derived in [&whole, &of_function, &of_value] {
        if let Err(error) = derived.check_types() {
            judged.verdict = Verdict::refuted(&function, "a derived program of the derived type", error);
            return judged;
        }
    }
    let TermKind::Lambda { body, .. } = of_function.term.kind() else {
        judged.verdict = Verdict::refuted(&function, "a function", &of_function.term);
        return judged;
    };
    let put_in = if wrong.is_some() { &value } else { &of_value.term };
    let substituted = substitute_innermost(body, put_in);
    let is_equal = alpha_equal(&whole.term, &substituted) || are_equal_up_to_beta(&whole.term, &substituted);
    judged.verdict = match is_equal {
        true => Verdict::Survived,
        false => Verdict::refuted(format!("{function} at {value}"), &whole.term, substituted),
    };
    judged
}

/// Tests **H Prop. 2** at drawn types. Wrong: the argument goes through the absolute value.
fn definable_functions_are_smooth(mut random: SplitMix64, wrong: Option<usize>) -> JudgedSample {
    let mut judged = JudgedSample::vacuous();
    let trial = MapTestConfig { sample_points: 4, seed: random.next(), ..MapTestConfig::default() };
    if wrong.is_some() {
        // a kink that a plot hits: at 0, where half of the plots pass
        let (program, _) = match generate::data_library().infer_expression(r"\x => abs (x : Real)") {
            Ok(found) => found,
            Err(_) => return judged,
        };
        judged.verdict = language::check_program(&program, &trial);
        return judged;
    }
    let (from, to) = (random_type(&mut random, 2), random_type(&mut random, 2));
    let ty = Ty::function(from.clone(), to.clone());
    let mut generator = TermGenerator::with_vocabulary(random, TermVocabulary::Smooth);
    let Some(term) = generator.draw_term(&ty, 8).to_core() else { return judged };
    add_type(&mut judged, &from);
    add_type(&mut judged, &to);
    judged.verdict = language::check_program(&term, &trial).with_witness(|| term.to_string());
    judged
}

/// Draws a type: real numbers, functions, pairs, lists and variants.
fn random_type(random: &mut SplitMix64, depth: usize) -> Ty {
    let of = |random: &mut SplitMix64| random_type(random, depth.saturating_sub(1));
    match if depth == 0 { 0 } else { random.next_below(7) } {
        0 | 1 => Ty::real(),
        2 => Ty::new(TyKind::Tuple(vec![of(random), of(random)])),
        3 => Ty::list(of(random)),
        4 => generate::maybe_type(of(random)),
        5 => generate::either_type(of(random), of(random)),
        _ => Ty::function(of(random), of(random)),
    }
}

/// Draws a first-order type.
fn draw_first_order_type(random: &mut SplitMix64, depth: usize) -> Ty {
    match random.next_below(if depth == 0 { 2 } else { 5 }) {
        0 => Ty::real(),
        1 => Ty::new(TyKind::Bool),
        2 => Ty::list(draw_first_order_type(random, depth - 1)),
        3 => generate::maybe_type(draw_first_order_type(random, depth - 1)),
        _ => Ty::new(TyKind::Tuple(vec![
            draw_first_order_type(random, depth - 1),
            draw_first_order_type(random, depth - 1),
        ])),
    }
}

/// Tests **H Prop. 6**: the number of coordinates of a random element is the dimension of a summand of its type. Wrong:
/// only the summands of the least weight are taken.
fn first_order_types_are_sums(mut random: SplitMix64, wrong: Option<usize>) -> JudgedSample {
    let mut judged = JudgedSample::vacuous();
    let ty = draw_first_order_type(&mut random, 2);
    let element = space::draw_element(&ty, 0, &mut random);
    let mut dimensions = Dimensions::of_type(&ty);
    // a choice: the weight of an element that is drawn is far below
    let weight = if wrong.is_some() { 1 } else { 60 };
    let (Ok(coordinates), Ok(summands)) = (element_coordinates(&element), dimensions.up_to(weight)) else {
        return judged;
    };
    add_type(&mut judged, &ty);
    let found = coordinates.len();
    let known: Vec<usize> = summands.into_keys().collect();
    judged.verdict = match known.contains(&found) {
        true => Verdict::Survived,
        false => Verdict::refuted(format!("an element of {ty}"), format!("ℝ^{found}"), format!("{known:?}")),
    };
    judged
}

/// Tests **H Lemma 11**: at n + 1 different points the polynomials tₙ have a matrix of rank n + 1. Wrong: of rank n.
fn evaluation_has_full_rank(mut random: SplitMix64, wrong: Option<usize>) -> JudgedSample {
    let mut judged = JudgedSample::vacuous();
    let n = random.next_below(8);
    let mut points: Vec<Rational> = Vec::new();
    while points.len() < n + 1 {
        let point = random_dyadic(&mut random);
        if !points.contains(&point) {
            points.push(point);
        }
    }
    let Ok(matrix) = evaluation_matrix(n, &points) else { return judged };
    if n > 1 {
        judged.contains("a polynomial of degree above 1");
    }
    let (rank, claimed) = (matrix_rank(matrix), if wrong.is_some() { n } else { n + 1 });
    judged.verdict = match rank == claimed {
        true => Verdict::Survived,
        false => Verdict::refuted(format!("degree {n} at {points:?}"), rank, claimed),
    };
    judged
}
