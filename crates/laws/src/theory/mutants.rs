//! Wrong models, and the statements that catch them.
//!
//! A [mutant](wrong) is the presheaf model, or the macro, with one rule replaced. It is *caught* by a statement that it
//! refutes and the model does not. A theory says which of its statements catch which mutants, `refute mutant : law, …`, and
//! is held to it; for a mutant that no theory names, all statements are tried until one catches it. The mutant that
//! always answers ⊥ must not let anything survive: what is never refuted by it must be vacuous.

use super::Theory;
use super::check::{Item, in_parallel, needs_a_model};
use super::trial::{Effort, Refuted, Standing, Trial};
use crate::meaning;
use crate::model::answer::Meaning;
use crate::syntax::library::Library;
use crate::wrong::{self, Mutant, Mutation};
use std::sync::{Arc, LazyLock};
use std::time::{Duration, Instant};

static MUTANTS: LazyLock<Vec<Mutant>> = LazyLock::new(wrong::mutants);

/// All mutants.
#[must_use]
pub fn all() -> &'static [Mutant] {
    &MUTANTS
}

/// A statement of a theory.
#[derive(Clone, Copy, Debug)]
pub struct Statement<'t> {
    /// The theory.
    pub theory: &'t Theory,
    /// What it says.
    pub item: Item<'t>,
}

impl Statement<'_> {
    /// `Theory.name`
    #[must_use]
    pub fn name(&self) -> String {
        format!("{}.{}", self.theory.name, self.item.name())
    }

    /// What it says, as written.
    fn text(&self) -> &str {
        self.item.span().of(&self.theory.source.text)
    }
}

/// What became of a mutant.
#[derive(Clone, Debug)]
pub enum Fate<'t> {
    /// A statement refutes it.
    Caught(Statement<'t>, Refuted),
    /// It says nothing, and no statement takes that for an answer.
    Silent {
        /// How many statements it refutes.
        refuted: usize,
        /// How many are vacuous.
        vacuous: usize,
    },
    /// No statement refutes it; or, of the mutant that says nothing, these survive.
    Alive(Vec<Statement<'t>>),
}

/// What was found out about a mutant.
pub struct Finding<'t> {
    /// The mutant.
    pub mutant: &'static Mutant,
    /// What became of it.
    pub fate: Fate<'t>,
    /// The statements that were said to catch it, and do not.
    pub missed: Vec<Statement<'t>>,
    /// How many statements were tried.
    pub tried: usize,
    /// How long it took.
    pub elapsed: Duration,
}

impl Finding<'_> {
    /// Whether it is caught, by every statement that was said to.
    #[must_use]
    pub fn is_caught(&self) -> bool {
        !matches!(self.fate, Fate::Alive(_)) && self.missed.is_empty()
    }
}

/// The statements that depend on the model and are true in the one whose rules are replaced.
fn statements<'t>(theories: &[&'t Theory]) -> Vec<Statement<'t>> {
    let of = |&theory: &&'t Theory| {
        let items = theory.laws.iter().map(Item::Law).chain(theory.claims.iter().map(Item::Claim));
        items.map(move |item| Statement { theory, item })
    };
    let all = theories.iter().flat_map(of);
    let is_said = |Statement { theory, item }: &Statement<'_>| {
        !item.is_refuted() && needs_a_model(*item) && !theory.excepts(meaning::DEFAULT, item.name())
    };
    all.filter(is_said).collect()
}

/// Tries mutants on several threads, and tells what is found in their order. With `search`, what theories say of them is
/// not looked at.
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
            statement.item.tried(&Trial { rules: mutant.0.of_macro().unwrap_or(trial.rules), ..trial })
        };
        let mut finding = match mutant.0 {
            Mutation::Bottom => silent(mutant, &statements, verdict),
            _ => hunted(mutant, &statements, &named(mutant, &statements, search), verdict),
        };
        finding.elapsed = start.elapsed();
        finding
    };
    in_parallel(mutants, &effort.interrupted, threads, tried, tell);
}

/// The statements that are said to catch a mutant.
fn named<'t>(mutant: &Mutant, statements: &[Statement<'t>], search: bool) -> Vec<Statement<'t>> {
    let catches = |statement: &&Statement<'t>| {
        let mut lines = statement.theory.refutes.iter().filter(|line| *line.mutant == *mutant.name());
        lines.any(|line| line.by.iter().any(|name| **name == *statement.item.name()))
    };
    if search { Vec::new() } else { statements.iter().filter(catches).copied().collect() }
}

fn hunted<'t>(
    mutant: &'static Mutant,
    statements: &[Statement<'t>],
    named: &[Statement<'t>],
    verdict: impl Fn(&Statement<'t>) -> Standing,
) -> Finding<'t> {
    let (mut fate, mut missed, mut tried) = (Fate::Alive(Vec::new()), Vec::new(), 0);
    // what speaks of the rule is likely to catch it
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

fn silent<'t>(
    mutant: &'static Mutant,
    statements: &[Statement<'t>],
    verdict: impl Fn(&Statement<'t>) -> Standing,
) -> Finding<'t> {
    let (mut refuted, mut vacuous, mut survived) = (0, 0, Vec::new());
    // that something is ⊥ is true of it
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
