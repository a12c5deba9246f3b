//! What cannot be plotted, and plots that are cut short.

use super::support::{SESSION, ask, faults, plot, plotted, q, request};
use smoothish::number::budget::Budget;
use smoothish::plot::{ColumnValues, PlotError, PlotRequest, plot_function};
use std::sync::Arc;
use std::sync::atomic::AtomicBool;
use std::time::{Duration, Instant};

#[test]
fn what_is_no_function_of_a_real_number_is_refused() {
    for (source, found) in [
        ("2", "found Real; write"),
        (r"\x y => x + y", "found Real -> Real -> Real; write"),
        (r"\(x : Real) => (x, x)", "found Real -> Real^2; write"),
        (r"\(n : Nat) => 2.5", "found Nat -> Real; write"),
        ("tangent", "found "),
    ] {
        let error = plot(source, &request("0", "1", 4, &[0])).unwrap_err().to_string();
        assert!(error.contains("expected Real -> Real") && error.contains(found), "{source}: {error}");
    }
    assert!(matches!(plot(r"\x => y", &request("0", "1", 4, &[0])), Err(PlotError::Program(_))));
    assert!(plot(r"\x => x", &request("0", "1", 4, &[0])).is_ok(), "A -> A has the instance Real -> Real");
}

#[test]
fn what_cannot_be_drawn_is_refused() {
    let base = request("0", "1", 4, &[0]);
    for (request, reason) in [
        (PlotRequest { to: q("0"), ..base.clone() }, "from 0 to 0"),
        (PlotRequest { to: q("-1/3"), ..base.clone() }, "from 0 to -1/3"),
        (PlotRequest { low: Some(q("2")), high: Some(q("1")), ..base.clone() }, "vertical"),
        (PlotRequest { columns: 0, ..base.clone() }, "columns must lie between 1 and 10000, not 0"),
        (PlotRequest { columns: 10_001, ..base.clone() }, "columns"),
        (PlotRequest { rows: 0, ..base.clone() }, "rows"),
        (
            PlotRequest { orders: vec![21], ..base.clone() },
            "the order of a derivative must lie between 0 and 20, not 21",
        ),
        (PlotRequest { orders: vec![], ..base.clone() }, "panels"),
        (PlotRequest { to: q("1e4000") * q("1e4000"), ..base.clone() }, "binary digits"),
    ] {
        let error = plot(r"\x => x", &request).unwrap_err().to_string();
        assert!(error.contains(reason), "{error}");
    }
}

#[test]
fn a_broken_promise_is_told_with_its_column() {
    let error = plot(r"\c => cutRoot (\x => x - c)", &request("0", "1", 4, &[0])).unwrap_err();
    let PlotError::Evaluation { place: Some(place), .. } = &error else { panic!("{error}") };
    assert_eq!((place.definition.is_none(), place.span.start), (true, 6));
    assert!(error.to_string().contains("for x in [0, 0.25]"), "{error}");
}

#[test]
fn a_promise_that_is_relied_on_is_told() {
    assert_eq!(plotted(r"\c => cutRoot (\x => c - x^3)", &request("1", "2", 4, &[0])).assumed.len(), 1);
    assert_eq!(plotted(r"\c => c", &request("1", "2", 4, &[0])).assumed.len(), 0);
}

/// A function that takes long everywhere.
const LONG: &str = r"\c => integral01 (\x => integral01 (\y => abs (sin (17*x) + cos (23*y) - c*exp (x*y))))";

#[test]
fn an_interrupted_plot_is_unknown() {
    let budget = Arc::new(Budget::new(u64::MAX, None, Some(Arc::new(AtomicBool::new(true)))));
    match plot_function(&SESSION.infer_curve(r"\x => x").unwrap(), r"\x => x", &request("0", "1", 7, &[0]), &budget) {
        Ok(plot) => {
            assert!(plot.exhausted);
            assert!(plot.envelopes[0].columns.iter().all(|c| c.values == ColumnValues::Unknown && !c.settled));
        }
        Err(e) => panic!("{e}"),
    }
}

/// Without a clock, two runs give the same envelopes.
#[test]
fn plots_are_deterministic() {
    let request = request("-1", "2", 40, &[0, 1]);
    let [a, b] = [0, 1].map(|_| plotted(r"\x => abs (sin (5*x)) / (x - 1/3)", &request));
    assert_eq!(a.envelopes, b.envelopes);
}

/// Tests that take more than half a second: `cargo quick` passes them over.
mod slow {
    use super::*;

    #[test]
    fn a_plot_that_runs_out_of_time_says_what_it_knows() {
        let begun = Instant::now();
        let budget = Arc::new(Budget::with_time_limit(Duration::from_secs(1)));
        let plot = plot_function(&SESSION.infer_curve(LONG).unwrap(), LONG, &request("0", "1", 300, &[0, 1]), &budget)
            .unwrap();
        assert!(begun.elapsed() < Duration::from_secs(20), "{:?}", begun.elapsed());
        assert!(plot.exhausted);
        for envelope in &plot.envelopes {
            assert_eq!(envelope.columns.len(), 300);
            assert!(envelope.columns.iter().any(|c| !c.settled));
        }
    }

    /// Work is counted, and more of it tells more: first nothing, then a first look at every column, then all that can be
    /// seen. What is told is true at every stage.
    #[test]
    fn more_work_tells_more() {
        let source = r"\c => integral01 (\x => abs (sin (9*x) - c))";
        let request = request("-1", "1", 12, &[0]);
        let with = |work| {
            let plot = plot_function(
                &SESSION.infer_curve(source).unwrap(),
                source,
                &request,
                &Arc::new(Budget::new(work, None, None)),
            )
            .unwrap();
            let envelope = &plot.envelopes[0];
            let faults = faults(envelope, 2, |c| ask(&format!("({source}) ({c})")));
            assert!(faults.is_empty(), "{work}: {faults:?}");
            let unknown = envelope.columns.iter().filter(|c| c.values == ColumnValues::Unknown).count();
            (unknown, envelope.columns.iter().filter(|c| c.settled).count(), plot.exhausted)
        };
        let stages: Vec<_> = (0..12).map(|i| with(if i == 0 { 0 } else { 100 << (2 * i) })).collect();
        assert_eq!((stages[0], stages[11]), ((12, 0, true), (0, 12, false)), "{stages:?}");
        assert!(stages.windows(2).all(|s| s[0].0 >= s[1].0), "{stages:?}");
        assert!(stages.iter().any(|s| s.0 == 0 && s.1 < 12), "all columns known, not all as low as can be: {stages:?}");
    }
}
