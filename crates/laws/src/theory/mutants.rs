//! Mutation testing: mutants of a model, and the statements that refute them.
//!
//! A [mutant](wrong) is the presheaf model, or the macro, with one rule replaced. A statement *catches* a mutant if the
//! mutant refutes it and the model does not. A theory lists statements that must catch a mutant, `refute mutant : law,
//! …`. For a mutant that no theory lists, all statements are tried until one catches it. The mutant that always answers
//! ⊥ must not let any statement survive: each statement is refuted or vacuous in it.

use super::Theory;
use super::check::{Item, in_parallel, needs_a_model};
use super::trial::{Effort, Refuted, Standing, Trial};
use crate::meaning;
use crate::model::answer::Meaning;
use crate::syntax::library::Library;
use crate::wrong::{self, Mutant, Mutation};
use std::sync::{Arc, LazyLock};
use std::time::{Duration, Instant};

/// The mutants, made once.
static MUTANTS: LazyLock<Vec<Mutant>> = LazyLock::new(wrong::mutants);

/// Returns all mutants.
#[must_use]
pub fn all() -> &'static [Mutant] {
    &MUTANTS
}

/// A statement with its theory.
#[derive(Clone, Copy, Debug)]
pub struct Statement<'t> {
    /// The theory that makes the statement.
    pub theory: &'t Theory,
    /// The claim or law.
    pub item: Item<'t>,
}

impl Statement<'_> {
    /// Returns the full name, `Theory.name`.
    #[must_use]
    pub fn name(&self) -> String {
        format!("{}.{}", self.theory.name, self.item.name())
    }

    /// Returns the source text of the statement.
    fn text(&self) -> &str {
        self.item.span().of(&self.theory.source.text)
    }
}

/// The outcome of the test of one mutant.
#[derive(Clone, Debug)]
pub enum Fate<'t> {
    /// A statement refutes the mutant.
    Caught(Statement<'t>, Refuted),
    /// The mutant that always answers ⊥, in which no statement survives.
    Silent {
        /// The number of statements that it refutes.
        refuted: usize,
        /// The number of statements that are vacuous in it, open or not supported.
        vacuous: usize,
    },
    /// No statement refutes the mutant. For the mutant that always answers ⊥: the statements that survive.
    Alive(Vec<Statement<'t>>),
}

/// The report on one mutant.
pub struct Finding<'t> {
    /// The mutant that was tested.
    pub mutant: &'static Mutant,
    /// The outcome.
    pub fate: Fate<'t>,
    /// The statements that a theory lists for the mutant and that do not refute it.
    pub missed: Vec<Statement<'t>>,
    /// The number of statements that were tested.
    pub tried: usize,
    /// The time that the test took.
    pub elapsed: Duration,
}

impl Finding<'_> {
    /// Returns `true` if the mutant is caught, and by every statement that a theory lists for it.
    #[must_use]
    pub fn is_caught(&self) -> bool {
        !matches!(self.fate, Fate::Alive(_)) && self.missed.is_empty()
    }
}

/// Returns the statements that depend on the model and are true in the unmutated model.
fn statements<'t>(theories: &[&'t Theory]) -> Vec<Statement<'t>> {
    let of = |&theory: &&'t Theory| {
        let items = theory.laws.iter().map(Item::Law).chain(theory.claims.iter().map(Item::Claim));
        items.map(move |item| Statement { theory, item })
    };
    let all = theories.iter().flat_map(of);
    // a false law, or one that the model is excepted from, cannot tell the mutant from the model
    let is_said = |Statement { theory, item }: &Statement<'_>| {
        !item.is_refuted() && needs_a_model(*item) && !theory.excepts(meaning::DEFAULT, item.name())
    };
    all.filter(is_said).collect()
}

/// Tests mutants on several threads. Calls `tell` with the report on each, in the order of `mutants`. With `search`,
/// the lists in the theories are ignored, and all statements are tried.
pub fn run<'t>(
    library: &Arc<Library>,
    theories: &[&'t Theory],
    mutants: &[&'static Mutant],
    effort: &Effort,
    threads: usize,
    search: bool,
    tell: impl FnMut(Finding<'t>),
) {
    let statements = statements(theories);
    let tried = |mutant: &&'static Mutant| {
        let start = Instant::now();
        let verdict = |statement: &Statement<'t>| {
            let meaning: &'static dyn Meaning = *mutant;
            let trial = Trial::new(library, statement.theory, meaning, effort);
            // a mutant of the macro replaces its rules alone, and leaves the model as it is
            statement.item.tried(&Trial { rules: mutant.0.of_macro().unwrap_or(trial.rules), ..trial })
        };
        let mut finding = match mutant.0 {
            // the mutant ⊥ has no content to refute: it is judged by the statements that survive in it
            Mutation::Bottom => silent(mutant, &statements, verdict),
            _ => hunted(mutant, &statements, &named(mutant, &statements, search), verdict),
        };
        finding.elapsed = start.elapsed();
        finding
    };
    in_parallel(mutants, &effort.interrupted, threads, tried, tell);
}

/// Returns the statements that a theory lists for the mutant. Empty with `search`.
fn named<'t>(mutant: &Mutant, statements: &[Statement<'t>], search: bool) -> Vec<Statement<'t>> {
    let catches = |statement: &&Statement<'t>| {
        let mut lines = statement.theory.refutes.iter().filter(|line| *line.mutant == *mutant.name());
        lines.any(|line| line.by.iter().any(|name| **name == *statement.item.name()))
    };
    if search { Vec::new() } else { statements.iter().filter(catches).copied().collect() }
}

/// Tests the mutant with the listed statements, all of them; without a list, with every statement until one refutes it.
fn hunted<'t>(
    mutant: &'static Mutant,
    statements: &[Statement<'t>],
    named: &[Statement<'t>],
    verdict: impl Fn(&Statement<'t>) -> Standing,
) -> Finding<'t> {
    let (mut fate, mut missed, mut tried) = (Fate::Alive(Vec::new()), Vec::new(), 0);
    // A statement whose text contains the first word of the mutant's name is likely to catch it, so such statements go
    // first.
    let word = mutant.name().split('_').next().unwrap_or_default();
    let mentions = |statement: &&Statement<'t>| statement.text().to_lowercase().contains(word);
    let (likely, others): (Vec<_>, Vec<_>) = statements.iter().partition(mentions);
    let candidates: Vec<&Statement<'t>> =
        if named.is_empty() { likely.into_iter().chain(others).collect() } else { named.iter().collect() };
    for statement in candidates {
        tried += 1;
        match verdict(statement) {
            Standing::Refuted(refuted) => {
                if !matches!(fate, Fate::Caught(..)) {
                    fate = Fate::Caught(*statement, refuted);
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
    Finding { mutant, fate, missed, tried, elapsed: Duration::ZERO }
}

/// Tests the mutant that always answers ⊥: a statement that holds or survives in it has no content.
fn silent<'t>(
    mutant: &'static Mutant,
    statements: &[Statement<'t>],
    verdict: impl Fn(&Statement<'t>) -> Standing,
) -> Finding<'t> {
    let (mut refuted, mut vacuous, mut survived) = (0, 0, Vec::new());
    // `e undefined` is true of ⊥, so it may hold
    let says_bottom = |statement: &&Statement<'t>| matches!(statement.item, Item::Claim(claim) if matches!(claim.statement, super::Statement::Undefined(_)));
    for statement in statements.iter().filter(|statement| !says_bottom(statement)) {
        match verdict(statement) {
            Standing::Refuted(_) => refuted += 1,
            Standing::Holds | Standing::Survived(_) => survived.push(*statement),
            Standing::Vacuous(_) | Standing::Open(_) | Standing::Lacks(_) => vacuous += 1,
        }
    }
    let fate = if survived.is_empty() { Fate::Silent { refuted, vacuous } } else { Fate::Alive(survived) };
    Finding { mutant, fate, missed: Vec::new(), tried: statements.len(), elapsed: Duration::ZERO }
}
