//! The enclosure property, over dense exact samples.

use super::support::{ask, faults, plotted, q, request};
use rug::Float;
use smoothish::number::Rational;
use smoothish::plot::{ColumnValues, Envelope, PlotColumn};

/// A program, the ends, and how many columns may be without an enclosure, for the orders 0, 1, ….
type Row<'a> = (&'a str, &'a str, &'a str, &'a [u32]);

/// A program, how many columns it is drawn in between −1 and 1, and its kinks, each with the number of columns that hold it.
type Kinks<'a> = (&'a str, u32, &'a [(&'a str, u32)]);

/// Samples of a column, between its ends.
const PARTS: u32 = 6;

fn undefined(envelope: &Envelope) -> u32 {
    envelope.columns.iter().filter(|c| c.enclosure().is_none()).count() as u32
}

#[track_caller]
fn holds((source, from, to, missing): Row, columns: u32) {
    let orders: Vec<u32> = (0..missing.len() as u32).collect();
    let plot = plotted(source, &request(from, to, columns, &orders));
    for (envelope, missing) in plot.envelopes.iter().zip(missing) {
        let value = |x: &Rational| ask(&format!("nthDeriv {} ({source}) ({x})", envelope.order));
        let faults = faults(envelope, PARTS, value);
        assert!(faults.is_empty(), "{source}, derivative {}:\n{}", envelope.order, faults.join("\n"));
        assert_eq!(undefined(envelope), *missing, "{source}, derivative {}", envelope.order);
        let high: Vec<_> = envelope.columns.iter().filter(|c| c.enclosure().is_some() && !c.settled).collect();
        assert!(high.is_empty(), "{source}, derivative {}: {high:?}", envelope.order);
    }
}

#[test]
fn elementary_functions_lie_in_their_envelopes() {
    for row in [
        (r"\x => x^3 - x", "-2", "2", &[0, 0, 0, 0][..]),
        (r"\x => sin (3*x) * exp (-x)", "0", "3", &[0, 0, 0]),
        (r"\x => x * x - x * (x - 1) - x", "0", "10", &[0, 0]),
        (r"\x => 1 / (x*x - x + 1)", "-1", "2", &[0, 0, 0]),
        (r"\x => atan (50 * x)", "-1", "1", &[0, 0]),
        (r"\x => x", "1/3", "2/3", &[0, 0]),
        (r"\x => 2", "-1", "1", &[0, 0]),
    ] {
        holds(row, 29);
    }
}

#[test]
fn kinks_lie_in_their_envelopes() {
    for row in [
        (r"\x => abs x", "-1", "1", &[0, 0][..]),
        (r"\x => abs x", "-1", "2", &[0, 0]),
        (r"\x => max (x^2) (1 - x)", "-2", "2", &[0, 0]),
        (r"\x => abs (abs (abs x - 1) - 1/3)", "-2", "2", &[0, 0]),
        (r"\x => min x (x^2) + relu (x - 1/2)", "-1", "1.5", &[0, 0]),
        (r"\x => x * abs x", "-1", "1.1", &[0, 0]),
        (r"deriv (\x => x * abs x)", "-1", "1.1", &[0, 1]),
        (r"deriv abs", "-1", "2", &[0, 1]),
    ] {
        holds(row, 29);
    }
}

#[test]
fn a_function_is_not_drawn_where_it_is_not_defined() {
    for row in [
        (r"\x => 1/x", "-1", "2", &[1, 1][..]),
        (r"\x => 1/x", "-1", "1", &[1, 1]),
        (r"\x => sqrt x", "-1", "1", &[15, 15]),
        (r"\x => sqrt x", "0", "1", &[0, 1]),
        (r"\x => log (x^2 - 1/9)", "-1", "1", &[11, 11]),
        (r"\x => tan x", "-2", "2", &[2, 2]),
        (r"\x => x * sin (1/x)", "-1", "2", &[1, 1]),
    ] {
        holds(row, 29);
    }
}

#[test]
fn functions_with_engines_lie_in_their_envelopes() {
    for row in [
        (r"\c => integral01 (\x => max 0 (x - c))", "-1/2", "3/2", &[0, 0][..]),
        (r"\c => integral01 (\x => exp (c * x))", "-1", "1", &[0, 0]),
        (r"\c => max01 (\x => x * (c - x))", "-1", "3", &[0, 0]),
        (r"\c => firstRoot (\x => c - x - x^2)", "1/4", "3/2", &[0, 0]),
        (r"\c => cutRoot (\x => c - x - x^3)", "-2", "2", &[0, 0]),
    ] {
        holds(row, 8);
    }
}

#[test]
fn nested_derivatives_lie_in_their_envelopes() {
    for row in [
        (r"nthDeriv 3 (\x => exp (sin x))", "-2", "2", &[0, 0][..]),
        (r"\x => deriv (\y => y^2 * deriv (\z => sin (x * z)) y) x", "-1", "1", &[0, 0]),
        (r"\x => deriv (\y => max (x * y) (y^2)) 1", "0", "3", &[0, 1]),
    ] {
        holds(row, 20);
    }
}

/// An envelope that is a little too low anywhere is found out.
#[test]
fn a_value_outside_is_a_fault() {
    let source = r"\x => sin (3*x)";
    let value = |x: &Rational| ask(&format!("({source}) ({x})"));
    let good = plotted(source, &request("0", "3", 30, &[0])).envelopes.remove(0);
    assert!(faults(&good, PARTS, value).is_empty());
    let mut bad = good.clone();
    bad.columns[7].values = good.columns[8].values.clone();
    assert!(faults(&bad, PARTS, value).len() >= PARTS as usize - 1);
    let elsewhere = |x: &Rational| ask(&format!("({source}) ({x}) + 1e-3"));
    assert!(!faults(&good, PARTS, elsewhere).is_empty());
    let nowhere = |_: &Rational| ask("1/0");
    assert_eq!(faults(&good, PARTS, nowhere).len(), 30 * (PARTS as usize + 1));
}

/// The derivative of |x| is the whole of [-1, 1] on the column with the kink, and one number elsewhere.
#[test]
fn a_kink_is_filled() {
    let plot = plotted(r"\x => abs x", &request("-1", "1", 101, &[1]));
    for column in &plot.envelopes[0].columns {
        let range = column.enclosure().unwrap();
        let expected = match (column.x[0] <= 0, column.x[1] >= 0) {
            (true, true) => ["-1", "1"],
            (true, false) => ["-1", "-1"],
            _ => ["1", "1"],
        };
        assert_eq!([range.lo(), range.hi()], expected.map(q).each_ref(), "{:?}", column.x);
    }
    let filled = plot.envelopes[0].columns.iter().filter(|c| c.x[0] <= 0 && c.x[1] >= 0).count();
    assert_eq!(filled, 1);
}

/// A peak far narrower than a column is seen: samples would miss it.
#[test]
fn a_narrow_peak_is_not_missed() {
    let source = r"\x => 1 / (1 + (1e6 * (x - 1/3))^2)";
    let plot = plotted(source, &request("0", "1", 50, &[0]));
    let column = plot.envelopes[0].column_at(&q("1/3")).unwrap();
    let range = column.enclosure().unwrap();
    assert!(range.contains(&q("1")) && column.settled, "{range}");
    assert!(plot.envelopes[0].window.high > 1);
    let rest = plot.envelopes[0].columns.iter().filter(|c| !(c.x[0] <= q("1/3") && c.x[1] >= q("1/3")));
    assert!(rest.flat_map(|c| c.enclosure()).all(|e| *e.hi() < 0.001), "the peak is on one column only");
}

/// Ends beyond the doubles, columns below their resolution, and values beyond both.
#[test]
fn huge_and_tiny_numbers_are_exact() {
    for (source, from, to) in [
        (r"\x => x^2", "1e400", "2e400"),
        (r"\x => x^2", "-1e-400", "1e-400"),
        (r"\x => (x - 1)^2", "1", "1.00000000000000000000000000000001"),
        (r"\x => sqrt (1 + x) - 1", "0", "1e-30"),
        (r"\x => exp x", "0", "2000"),
        (r"\x => 1e-300 * x", "-1e-30", "1e-30"),
    ] {
        let plot = plotted(source, &request(from, to, 20, &[0]));
        let envelope = &plot.envelopes[0];
        for column in &envelope.columns {
            let ColumnValues::Within(range) = &column.values else { panic!("{source}: {column:?}") };
            assert!(column.settled, "{source}: {column:?}");
            for x in &column.x {
                assert!(range.overlaps(&ask(&format!("({source}) ({x})"))), "{source} at {x}");
            }
        }
        assert!(envelope.window.height() > 0);
    }
}

/// Tests that take more than half a second: `cargo quick` passes them over.
mod slow {
    use super::*;

    /// The sets that are marked are those at kinks, each held against the derivative asked at the kink; what turns sharply between them,
    /// or is known to a width only, is not marked. A kink on the border of two columns is marked in both.
    #[test]
    fn the_sets_of_kinks_are_marked_and_nothing_else() {
        let one_third = r"\x => abs (x - 1/3) + max 0 (x + 1/2) * x";
        let rows: [Kinks; 6] = [
            (r"\x => abs x", 7, &[("0", 1)]),
            (r"\x => abs x", 8, &[("0", 2)]),
            (one_third, 90, &[("1/3", 1), ("-1/2", 1)]),
            (r"\x => integral01 (\u => max 0 (x - u)) + abs (sin (4*x))", 50, &[("0", 2), ("pi/4", 1), ("-pi/4", 1)]),
            (r"\x => tanh (300*x) + abs (x - 1/7)^3", 60, &[]),
            (r"\x => exp (4*x) + sqrt (x + 2)", 60, &[]),
        ];
        for (source, columns, kinks) in rows {
            let plot = plotted(source, &request("-1", "1", columns, &[1]));
            let marked: Vec<_> = plot.envelopes[0].columns.iter().filter(|c| c.kink.is_some()).collect();
            assert_eq!(marked.len() as u32, kinks.iter().map(|kink| kink.1).sum::<u32>(), "{source}");
            for (kink, shares) in kinks {
                let [place, set] = [ask(kink), ask(&format!("deriv ({source}) ({kink})"))];
                let holds = |c: &&&PlotColumn| {
                    c.x[0].to_f64() <= place.hi().to_f64() + 1e-9 && place.lo().to_f64() <= c.x[1].to_f64() + 1e-9
                };
                let here: Vec<_> = marked.iter().filter(holds).filter_map(|c| c.kink.as_ref()).collect();
                assert_eq!(here.len() as u32, *shares, "{source} at {kink}");
                for marked in here {
                    let apart = |a: &Float, b: &Float| (a.to_f64() - b.to_f64()).abs();
                    let distance = apart(set.lo(), marked.lo()).max(apart(set.hi(), marked.hi()));
                    // a hundredth of a row of pixels
                    assert!(distance < 1e-3, "{source} at {kink}: {marked}, asked {set}");
                }
            }
        }
    }
}
