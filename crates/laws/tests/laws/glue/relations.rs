//! Wrong clauses of S: at each type one that relates too much, and arguments that are drawn wrongly; each is noticed.

use crate::glue::lemma::holds;
use crate::glue::wrong::ValueOnly;
use smoothish_laws::glue::evaluation::PlotPair;
use smoothish_laws::glue::lemma::{GluingSetup, determination, determination_at};
use smoothish_laws::glue::object::{GluingObject, PairSampler, RelationClauses, WrongClause};
use smoothish_laws::glue::theorems::find_theorem;
use smoothish_laws::glue::trial::TheoremTestConfig;
use smoothish_laws::law::generate::{either_type, maybe_type, tree_type};
use smoothish_laws::law::term::pair_type;
use smoothish_laws::syntax::ty::Ty;
use smoothish_laws::value::ValueError;

/// A relation with one clause replaced.
macro_rules! wrong {
    ($(#[$about:meta] $name:ident { $($clause:item)* })*) => {
        $(
            #[$about]
            #[derive(Debug)]
            struct $name;

            impl RelationClauses for $name {
                $($clause)*
            }
        )*
    };
}

wrong! {
    /// Functions: at arguments that are not related, of which each side is drawn for itself.
    UnrelatedArguments {
        fn draw_argument(&self, domain: &GluingObject, sampler: &mut PairSampler<'_>) -> Result<PlotPair, ValueError> {
            let left = sampler.draw_pair(domain)?;
            let right = sampler.draw_pair(domain)?;
            Ok(PlotPair { plot: left.plot, representation: right.representation })
        }
    }
}

fn unary() -> Ty {
    Ty::function(Ty::real(), Ty::real())
}

fn by(relation: &'static dyn RelationClauses) -> GluingSetup {
    GluingSetup { relation: Some(relation), ..GluingSetup::STANDARD }
}

/// Each clause that relates too much, and a type at which a moved leaf shows it.
fn too_large() -> Vec<(&'static dyn RelationClauses, Ty)> {
    vec![
        (&ValueOnly, Ty::real()),
        (&WrongClause::FirstComponent, pair_type(Ty::real(), Ty::real())),
        (&WrongClause::NoComponent, pair_type(Ty::real(), unary())),
        (&WrongClause::LabelOnly, either_type(Ty::real(), Ty::real())),
        (&WrongClause::NoLabel, maybe_type(Ty::real())),
        (&WrongClause::LengthOnly, Ty::list(Ty::real())),
        (&WrongClause::Prefix, Ty::list(Ty::real())),
        (&WrongClause::HeadOnly, Ty::list(Ty::real())),
        (&WrongClause::RootOnly, tree_type(Ty::real())),
        (&WrongClause::AnyConstants, Ty::function(Ty::real(), Ty::nat())),
        (&WrongClause::NeverApplied, unary()),
        (&WrongClause::ConstantArguments, unary()),
    ]
}

#[test]
fn the_relation_determines_the_second_plot_at_every_type() {
    holds(&determination(GluingSetup::default()), 200);
}

/// Tests that take more than half a second: `cargo quick` passes them over.
mod slow {
    use super::*;

    #[test]
    fn a_clause_that_relates_too_much_is_refuted_where_a_leaf_is_moved() {
        for (relation, ty) in too_large() {
            let refuted =
                |setting| determination_at(setting, ty.clone()).refuted_at(&TheoremTestConfig::new(100, 1)).unwrap();
            let at = refuted(by(relation));
            println!("{relation:?} at {ty}: {at:?}");
            assert!(at.is_some(), "{relation:?} at {ty}");
            assert_eq!(refuted(GluingSetup::default()), None, "the right relation at {ty}");
        }
    }

    /// Arguments that are not related are noticed, and refute nothing.
    #[test]
    fn arguments_that_are_not_related_are_noticed() {
        for name in ["fundamental-lemma", "related-pairs", "proposition-5"] {
            let found = find_theorem(name)
                .unwrap()
                .make_test(by(&UnrelatedArguments))
                .run_test(&TheoremTestConfig::new(20, 1))
                .unwrap();
            println!("{name}: {} survived, {} vacuous, {:?}", found.survived, found.vacuous, found.untestable);
            assert_eq!(found.refutation, None, "{name}");
            if name == "proposition-5" {
                continue;
            }
            let because = found.untestable.map(|(_, because)| because).unwrap_or_default();
            assert!(because.starts_with("no pair can be drawn from this relation"), "{name}: {because}");
        }
    }

    /// Also without being told the type.
    #[test]
    fn wrong_clauses_are_refuted_at_random_types() {
        for (relation, _) in too_large() {
            let at = determination(by(relation)).refuted_at(&TheoremTestConfig::new(200, 1)).unwrap();
            println!("{relation:?}: {at:?}");
            assert!(at.is_some(), "{relation:?}");
        }
    }
}
