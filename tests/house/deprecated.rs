//! Earlier public names are aliases of those of today, for one release.

#![allow(deprecated)]

use std::any::type_name;

#[test]
fn names_of_before_are_those_of_today() {
    let same = [
        (type_name::<smoothish_number::prelude::Real<u8>>(), type_name::<smoothish::number::real::RefinableReal<u8>>()),
        (type_name::<smoothish_semantics::prelude::Answer>(), type_name::<smoothish::model::answer::ProgramAnswer>()),
        (
            type_name::<smoothish_semantics::prelude::MeaningError>(),
            type_name::<smoothish::model::answer::SemanticsError>(),
        ),
        (type_name::<smoothish_trace::prelude::Compiled>(), type_name::<smoothish::trace::compiled::CompiledProgram>()),
        (type_name::<smoothish_theory::prelude::Texts>(), type_name::<smoothish::theory::texts::TheoryTexts>()),
        (type_name::<smoothish::session::Raster>(), type_name::<smoothish::session::PlotPlane>()),
        (type_name::<smoothish::session::Envelope>(), type_name::<smoothish::session::PlotEnvelopes>()),
        (type_name::<smoothish::session::Density>(), type_name::<smoothish::session::PlotDensity>()),
        (type_name::<smoothish::session::Pieces>(), type_name::<smoothish::session::ListPieces>()),
        (type_name::<smoothish::session::Sweep>(), type_name::<smoothish::session::RunTape>()),
        (type_name::<smoothish::session::Goal>(), type_name::<smoothish::session::AccuracyGoal>()),
    ];
    for (before, today) in same {
        assert_eq!(before, today);
    }
}

/// A bound by the name of before lets the methods of the trait be called.
#[test]
fn bounds_of_before_are_those_of_today() {
    fn kind(error: &dyn smoothish_number::prelude::Failure) -> smoothish::failure::ErrorKind {
        error.kind()
    }
    fn name<S: smoothish_semantics::prelude::Meaning + ?Sized>(semantics: &S) -> &str {
        semantics.name()
    }
    let error = smoothish::session::Session::new().enclose("1 +", 1e-3).expect_err("no program");
    assert_eq!(kind(&error), smoothish::failure::ErrorKind::InvalidInput);
    let presheaf = smoothish::meaning::semantics_named("presheaf").expect("the usual one");
    assert_eq!(name(presheaf), "presheaf");
}
