//! Wrong ways to run a program on its trace (W §4.1): each is refuted by the statements of the theory that say so.

use super::effort;
use smoothish::syntax::source::SourceText;
use smoothish::theory::builtin::SOURCES;
use smoothish::theory::check::{self, CheckReport};
use smoothish::theory::loader::TheoryCollection;
use smoothish::theory::trial::{StatementOutcome, StatementTestConfig};
use std::collections::BTreeSet;
use std::sync::Arc;

/// The theory of traces with one line of it replaced, and which of its statements are refuted.
fn refuted([right, wrong]: [&str; 2]) -> BTreeSet<String> {
    let mut theories = TheoryCollection::new();
    let source = |(name, text): (&str, &str)| {
        let changed = text.replacen(right, wrong, 1);
        let is_trace = text.contains("theory Trace ");
        assert!(!is_trace || right.is_empty() || changed != text, "{right} does not occur");
        SourceText::new(name, if is_trace && !right.is_empty() { changed } else { text.to_owned() })
    };
    theories.load(SOURCES.map(source)).unwrap_or_else(|error| panic!("{}", error.render()));
    let tasks = check::list_tasks(&[theories.find_theory("Trace").expect("it is there")], &[]);
    let mut found = BTreeSet::new();
    let effort = StatementTestConfig { samples: 12, ..effort() };
    check::run_tasks(
        &Arc::new(theories.library().clone()),
        &tasks,
        &effort,
        2,
        |CheckReport { task, outcome, .. }| {
            if matches!(outcome, StatementOutcome::Refuted(_)) {
                found.insert(task.item.name().to_owned());
            }
        },
    );
    found
}

/// What is wrong, in place of what, and a statement that refutes it.
const WRONG: &[(&str, [&str; 2], &str)] = &[
    (
        "leftover_accepted",
        ["[] ⇒ product factors | _ :: _ ⇒ 0", "[] ⇒ product factors | _ :: _ ⇒ product factors"],
        "too_long",
    ),
    ("too_short_accepted", ["| Wanted _ ⇒ 0\n", "| Wanted _ ⇒ product factors\n"], "too_short"),
    // what comes second reads what the first has read
    ("bind_reorders", ["= replay (k x) rest in", "= replay (k x) trace in"], "independent"),
    ("first_factors_dropped", ["append factors more", "more"], "independent"),
    ("second_factors_dropped", ["append factors more", "factors"], "left_unit"),
    ("weights_added", ["weightOf f * rest", "weightOf f + rest"], "scores_multiply"),
    (
        "draw_not_consumed",
        ["[Prior (source, λ _ ⇒ density x)], rest)", "[Prior (source, λ _ ⇒ density x)], trace)"],
        "density_at",
    ),
    (
        "draw_unweighed",
        ["Just x ⇒ (Given x, [Prior (source, λ _ ⇒ density x)], rest)", "Just x ⇒ (Given x, [], rest)"],
        "density_of_normal",
    ),
    ("observed_is_drawn", ["[Seen (source, λ _ ⇒ density x)]", "[Seen (source, λ _ ⇒ 1)]"], "observed_is_scored"),
    (
        "draw_not_admitted",
        ["| Prior (source, density) ⇒ admitted source * density ()", "| Prior (source, density) ⇒ density ()"],
        "no_sample",
    ),
    (
        "seen_not_admitted",
        ["| Seen (source, density) ⇒ admitted source * density ()", "| Seen (source, density) ⇒ density ()"],
        "no_observation",
    ),
    ("negative_scores", ["| Score w ⇒ w + weightOfScore w", "| Score w ⇒ w"], "no_score"),
    ("end_of_gamma_lost", ["atEnd shape rate", "0 * constant"], "gamma_is_exponential"),
    ("left_end_of_beta_lost", ["atEnd a b", "0 * constant"], "beta_is_uniform"),
    ("right_end_of_beta_lost", ["atEnd b a", "0 * constant"], "beta_is_uniform"),
];

/// Tests that take more than half a second: `cargo quick` passes them over.
mod slow {
    use super::*;

    #[test]
    fn every_wrong_way_to_run_a_trace_is_refuted() {
        // these are conjectures, which are false
        let conjectures = ["log_normal_without_slope", "scores_add", "student_falls_by_nu"];
        assert_eq!(refuted(["", ""]), BTreeSet::from(conjectures.map(str::to_owned)));
        for (name, change, by) in WRONG {
            let found = refuted(*change);
            println!("{name}: {found:?}");
            assert!(found.contains(*by), "{name}: {found:?}");
        }
    }
}
