//! Mutation testing: mutants of a model, and the statements that refute them.
//!
//! A [mutant](wrong) is the presheaf model, or the macro, with one rule replaced. A statement *catches* a mutant if the
//! mutant refutes it and the model does not. A theory lists statements that must catch a mutant, `refute mutant : law,
//! …`. For a mutant that no theory lists, all statements are tried until one catches it. The mutant that always answers
//! ⊥ must not let any statement survive: each statement is refuted or vacuous in it.

use super::Theory;
use super::check::{StatementRef, in_parallel, needs_a_model};
use super::trial::{StatementOutcome, StatementRefutation, StatementTest, StatementTestConfig};
use crate::meaning;
use crate::model::answer::Semantics;
use crate::syntax::library::Library;
use crate::wrong::{self, Mutant, Mutation};
use std::sync::{Arc, LazyLock};
use std::time::{Duration, Instant};

/// The mutants, made once.
static MUTANTS: LazyLock<Vec<Mutant>> = LazyLock::new(wrong::all_mutants);

/// Returns all mutants.
#[must_use]
pub fn all_mutants() -> &'static [Mutant] {
    &MUTANTS
}

/// A statement with its theory.
#[derive(Clone, Copy, Debug)]
pub struct TheoryStatement<'t> {
    /// The theory that makes the statement.
    pub theory: &'t Theory,
    /// The claim or law.
    pub item: StatementRef<'t>,
}

impl TheoryStatement<'_> {
    /// Returns the full name, `Theory.name`.
    #[must_use]
    pub fn full_name(&self) -> String {
        format!("{}.{}", self.theory.name, self.item.name())
    }

    /// Returns the source text of the statement.
    fn source_text(&self) -> &str {
        self.item.span().text_in(&self.theory.source.text)
    }
}

/// The outcome of the test of one mutant.
#[derive(Clone, Debug)]
pub enum MutantOutcome<'t> {
    /// A statement refutes the mutant.
    Caught(TheoryStatement<'t>, StatementRefutation),
    /// The mutant that always answers ⊥: statements are refuted, and none survives.
    NothingSurvives {
        /// The number of statements that it refutes.
        refuted: usize,
        /// The number of statements that are vacuous in it, open or not supported.
        vacuous: usize,
    },
    /// No statement refutes the mutant. For the mutant that always answers ⊥: the statements that survive, which are none if
    /// no statement was refuted.
    NotCaught(Vec<TheoryStatement<'t>>),
}

/// The report on one mutant.
pub struct MutantReport<'t> {
    /// The mutant that was tested.
    pub mutant: &'static Mutant,
    /// The outcome.
    pub outcome: MutantOutcome<'t>,
    /// The statements that a theory lists for the mutant and that do not refute it.
    pub missed: Vec<TheoryStatement<'t>>,
    /// The number of statements that were tested.
    pub tried: usize,
    /// The time that the test took.
    pub elapsed: Duration,
}

impl MutantReport<'_> {
    /// Returns `true` if the mutant is caught, and by every statement that a theory lists for it.
    #[must_use]
    pub fn is_caught(&self) -> bool {
        !matches!(self.outcome, MutantOutcome::NotCaught(_)) && self.missed.is_empty()
    }
}

/// Returns the statements that depend on the model and are true in the unmutated model.
fn testable_statements<'t>(theories: &[&'t Theory]) -> Vec<TheoryStatement<'t>> {
    let of = |&theory: &&'t Theory| {
        let items = theory.laws.iter().map(StatementRef::Law).chain(theory.claims.iter().map(StatementRef::Claim));
        items.map(move |item| TheoryStatement { theory, item })
    };
    let all = theories.iter().flat_map(of);
    // a false law, or one that the model is excepted from, cannot tell the mutant from the model
    let is_said = |TheoryStatement { theory, item }: &TheoryStatement<'_>| {
        !item.is_refuted() && needs_a_model(*item) && !theory.excepts_statement(meaning::DEFAULT_SEMANTICS, item.name())
    };
    all.filter(is_said).collect()
}

/// Tests mutants on several threads. Calls `tell` with the report on each, in the order of `mutants`. With `search`,
/// the lists in the theories are ignored, and all statements are tried.
pub fn test_mutants<'t>(
    library: &Arc<Library>,
    theories: &[&'t Theory],
    mutants: &[&'static Mutant],
    effort: &StatementTestConfig,
    threads: usize,
    search: bool,
    tell: impl FnMut(MutantReport<'t>),
) {
    let statements = testable_statements(theories);
    let tried = |mutant: &&'static Mutant| {
        let start = Instant::now();
        let verdict = |statement: &TheoryStatement<'t>| {
            let meaning: &'static dyn Semantics = *mutant;
            let trial = StatementTest::new(library, statement.theory, meaning, effort);
            // a mutant of the macro replaces its rules alone, and leaves the model as it is
            statement.item.test_in(&StatementTest { hooks: mutant.0.of_macro().unwrap_or(trial.hooks), ..trial })
        };
        let mut finding = match mutant.0 {
            // the mutant ⊥ has no content to refute: it is judged by the statements that survive in it
            Mutation::Bottom => test_bottom_mutant(mutant, &statements, verdict),
            _ => test_by_refutation(mutant, &statements, &listed_statements(mutant, &statements, search), verdict),
        };
        finding.elapsed = start.elapsed();
        finding
    };
    in_parallel(mutants, &effort.interrupted, threads, tried, tell);
}

/// Returns the statements that a theory lists for the mutant. Empty with `search`.
fn listed_statements<'t>(
    mutant: &Mutant,
    statements: &[TheoryStatement<'t>],
    search: bool,
) -> Vec<TheoryStatement<'t>> {
    let catches = |statement: &&TheoryStatement<'t>| {
        let mut lines = statement.theory.refutes.iter().filter(|line| *line.mutant == *mutant.name());
        lines.any(|line| line.by.iter().any(|name| **name == *statement.item.name()))
    };
    if search { Vec::new() } else { statements.iter().filter(catches).copied().collect() }
}

/// Tests the mutant with the listed statements, all of them; without a list, with every statement until one refutes it.
fn test_by_refutation<'t>(
    mutant: &'static Mutant,
    statements: &[TheoryStatement<'t>],
    named: &[TheoryStatement<'t>],
    verdict: impl Fn(&TheoryStatement<'t>) -> StatementOutcome,
) -> MutantReport<'t> {
    let (mut fate, mut missed, mut tried) = (MutantOutcome::NotCaught(Vec::new()), Vec::new(), 0);
    // A statement whose text contains the first word of the mutant's name is likely to catch it, so such statements go
    // first.
    let word = mutant.name().split('_').next().unwrap_or_default();
    let mentions = |statement: &&TheoryStatement<'t>| statement.source_text().to_lowercase().contains(word);
    let (likely, others): (Vec<_>, Vec<_>) = statements.iter().partition(mentions);
    let candidates: Vec<&TheoryStatement<'t>> =
        if named.is_empty() { likely.into_iter().chain(others).collect() } else { named.iter().collect() };
    for statement in candidates {
        tried += 1;
        match verdict(statement) {
            StatementOutcome::Refuted(refuted) => {
                if !matches!(fate, MutantOutcome::Caught(..)) {
                    fate = MutantOutcome::Caught(*statement, refuted);
                }
                // one refutation is enough for a search; listed statements must all refute
                if named.is_empty() {
                    break;
                }
            }
            _ if named.is_empty() => {}
            _ => missed.push(*statement),
        }
    }
    MutantReport { mutant, outcome: fate, missed, tried, elapsed: Duration::ZERO }
}

/// Tests the mutant that always answers ⊥: a statement that holds or survives in it has no content.
fn test_bottom_mutant<'t>(
    mutant: &'static Mutant,
    statements: &[TheoryStatement<'t>],
    verdict: impl Fn(&TheoryStatement<'t>) -> StatementOutcome,
) -> MutantReport<'t> {
    let (mut refuted, mut vacuous, mut survived, mut tried) = (0, 0, Vec::new(), 0);
    // `e undefined` is true of ⊥, so it may hold
    let says_bottom = |statement: &&TheoryStatement<'t>| matches!(statement.item, StatementRef::Claim(claim) if matches!(claim.statement, super::ClaimStatement::Undefined(_)));
    for statement in statements.iter().filter(|statement| !says_bottom(statement)) {
        tried += 1;
        match verdict(statement) {
            StatementOutcome::Refuted(_) => refuted += 1,
            StatementOutcome::Holds | StatementOutcome::Survived(_) => survived.push(*statement),
            StatementOutcome::Vacuous(_) | StatementOutcome::Undecided(_) | StatementOutcome::Unsupported(_) => {
                vacuous += 1
            }
        }
    }
    // Without a refutation there was no statement with content, and nothing is shown.
    let fate = if survived.is_empty() && refuted > 0 {
        MutantOutcome::NothingSurvives { refuted, vacuous }
    } else {
        MutantOutcome::NotCaught(survived)
    };
    MutantReport { mutant, outcome: fate, missed: Vec::new(), tried, elapsed: Duration::ZERO }
}
