//! Plots of functions in pieces, and the command that makes them.

use super::support::{SESSION, q};
use crate::cli::{run, run_interrupted};
use smoothish::meaning::pap::DefaultPiecewiseHooks;
use smoothish::meaning::pap::replay::{ExplorationOptions, MAX_RUN_STEPS};
use smoothish::number::budget::Budget;
use smoothish::plot::pieces::{PieceMark, plot_pieces};
use smoothish::plot::{CertifiedPlot, ColumnValues, PlotRequest};
use smoothish::syntax::ty::Ty;
use std::fs;
use std::path::PathBuf;
use std::sync::Arc;
use std::time::{Duration, Instant};

const CANTOR: &str =
    "let rec cantor x = if x <= 1/3 then cantor (3 * x) else if x >= 2/3 then cantor (3 * x - 2) else 0 in cantor";

fn plotted(text: &str, from: &str, to: &str, limit: usize, orders: &[u32]) -> CertifiedPlot {
    let term = SESSION.infer_at(text, &Ty::function(Ty::real(), Ty::real())).unwrap();
    let budget = Arc::new(Budget::with_time_limit(Duration::from_secs(100)));
    let rules = Arc::new(DefaultPiecewiseHooks);
    let unfolding = ExplorationOptions {
        hooks: rules,
        unfolding_limit: None,
        limit,
        max_steps: MAX_RUN_STEPS,
        budget: budget.clone(),
    };
    let pap = unfolding.explore_interval(&term, &q(from), &q(to)).unwrap().pap;
    let request = PlotRequest { columns: 60, rows: 100, orders: orders.to_vec(), ..PlotRequest::new(q(from), q(to)) };
    plot_pieces(&pap, text, &request, &budget).unwrap()
}

/// Each value of x ↦ x for x < 1, x² beyond, and of its slope lies in the column that holds it; the jump of the slope is not joined.
#[test]
fn values_lie_in_the_columns_of_their_pieces() {
    let plot = plotted(r"\x => if x < 1 then x else x^2", "0", "2", 9, &[0, 1]);
    for (envelope, below, beyond) in
        [(&plot.envelopes[0], ["1/2", "1/2"], ["3/2", "9/4"]), (&plot.envelopes[1], ["1/2", "1"], ["3/2", "3"])]
    {
        for [x, y] in [below, beyond] {
            let range = envelope.column_at(&q(x)).unwrap().enclosure().unwrap();
            assert!(range.contains(&q(y)), "{x}: {range}");
        }
        assert!(envelope.columns.iter().all(|column| column.settled));
        assert_eq!(envelope.columns.first().unwrap().x[0], q("0"));
        assert_eq!(envelope.columns.last().unwrap().x[1], q("2"));
        assert!(envelope.columns.windows(2).all(|pair| pair[0].x[1] == pair[1].x[0]));
        assert!(envelope.marks.contains(&PieceMark::Border(q("1"))));
    }
    // 1 on the left of 1 and 2 on the right: no column has both, but for their common end
    let slopes = &plot.envelopes[1];
    assert!(
        slopes
            .columns
            .iter()
            .all(|c| !(c.enclosure().unwrap().contains(&q("1")) && c.enclosure().unwrap().contains(&q("2"))))
    );
    let ends = slopes.marks.iter().filter_map(|mark| match mark {
        PieceMark::End { x, y, belongs } if *x == q("1") => Some((y.contains(&q("1")), y.contains(&q("2")), *belongs)),
        _ => None,
    });
    assert_eq!(ends.collect::<Vec<_>>(), [(true, false, false), (false, true, true)]);
}

/// What was not unfolded is unknown, what has no value undefined, and a point has a mark.
#[test]
fn what_is_not_there_is_not_drawn() {
    let plot = plotted(CANTOR, "0", "1", 1, &[0]);
    let envelope = &plot.envelopes[0];
    assert_eq!(envelope.column_at(&q("1/6")).unwrap().values, ColumnValues::Unknown);
    assert!(envelope.column_at(&q("1/2")).unwrap().enclosure().unwrap().contains(&q("0")));
    let plot = plotted("sqrt", "-1", "1", 9, &[0]);
    assert_eq!(plot.envelopes[0].column_at(&q("-1/2")).unwrap().values, ColumnValues::Undefined);
    let point = plotted(r"\x => if x == 0 then 5 else x", "-1", "1", 9, &[0, 1]);
    let is_point = |mark: &PieceMark, value: &str| matches!(mark, PieceMark::End { x, y, belongs: true } if *x == q("0") && y.contains(&q(value)));
    assert!(point.envelopes[0].marks.iter().any(|mark| is_point(mark, "5")));
    assert!(point.envelopes[1].marks.iter().any(|mark| is_point(mark, "0")));
    assert!(point.envelopes[0].window.high >= q("5"));
}

fn file(name: &str) -> PathBuf {
    PathBuf::from(env!("CARGO_TARGET_TMPDIR")).join(name)
}

/// The command writes both kinds of pictures, and refuses others before it works.
#[test]
fn the_command_writes_pictures() {
    for (name, begins) in [("pieces.svg", &b"<svg "[..]), ("pieces.png", &b"\x89PNG"[..])] {
        let path = file(name);
        let made = run(&["pieces", "--from=0", "--to=1", "-o", path.to_str().unwrap(), "--limit=7", CANTOR]);
        assert_eq!(made.status, Some(3), "{made:?}");
        let bytes = fs::read(&path).unwrap();
        assert!(bytes.starts_with(begins), "{name}");
        if name == "pieces.svg" {
            let text = String::from_utf8(bytes).unwrap();
            assert!(text.contains(">f<") && text.contains(">f′<") && text.contains("url(#unknown)"));
        }
    }
    // at twice as many points to an inch, the same picture is twice as wide
    let wide = |more: &[&str], name: &str| {
        let path = file(name);
        let asked = ["pieces", "--from=0", "--to=1", "--limit=3", "-o", path.to_str().unwrap(), CANTOR];
        run(&[&asked[..], more].concat());
        u32::from_be_bytes(fs::read(&path).unwrap()[16..20].try_into().unwrap())
    };
    assert_eq!(2 * wide(&[], "usual.png"), wide(&["--dpi=192"], "fine.png"));
    let wrong = run(&["pieces", "--from=0", "--to=1", "-o", "picture.svg", "--dpi=192", CANTOR]);
    assert!(wrong.status == Some(2) && wrong.err.contains("--dpi is of PNG files"), "{wrong:?}");
    let wrong = run(&["pieces", "--from=0", "--to=1", "-o", "picture.gif", CANTOR]);
    assert!(
        wrong.status == Some(2) && wrong.err.contains("a picture is a file that ends in .svg or .png"),
        "{wrong:?}"
    );
}

/// A part on which a program never ends keeps no other from being found, and the frontier says where it stands.
#[test]
fn a_part_that_never_ends_waits_for_the_others() {
    let begun = Instant::now();
    let made = run(&["pieces", "--from=-1", "--to=2", "--limit=31", "--json", CANTOR]);
    assert!(begun.elapsed() < Duration::from_secs(30), "{:?}", begun.elapsed());
    assert_eq!(made.status, Some(3), "{made:?}");
    let json: serde_json::Value = serde_json::from_str(&made.out).unwrap();
    assert_eq!(json["pieces"].as_array().unwrap().len(), 31);
    let exact = |length: &serde_json::Value| {
        assert_eq!(length["lo"], length["hi"]);
        q(length["lo"].as_str().unwrap())
    };
    let rest = &json["frontier"][0];
    let all = json["pieces"].as_array().unwrap().iter().map(|piece| exact(&piece["length"]));
    assert_eq!(all.fold(exact(&rest["length"]), |sum, length| sum + length), q("3"));
    // of the middle thirds at least those that are longer than 1/81 are found
    assert!(exact(&rest["length"]) < q("2") + q("16/81"));
    let places: Vec<&str> = rest["at"].as_array().unwrap().iter().map(|at| at["place"].as_str().unwrap()).collect();
    // the first test, and the second
    assert!(
        !places.is_empty() && places.iter().all(|place| ["question:1:23", "question:1:60"].contains(place)),
        "{places:?}"
    );
}

/// An interrupt after the pieces are printed ends the drawing, and the picture shows what is missing.
#[test]
fn an_interrupt_ends_the_drawing() {
    let path = file("interrupted.svg");
    let asked = [
        "pieces",
        "--from=1",
        "--to=2",
        "--deriv=3",
        "-o",
        path.to_str().unwrap(),
        r"\x => lgamma (exp (sin (20 * x)))",
    ];
    let (out, err) = run_interrupted(&asked, "lgamma");
    assert!(
        out.contains("lgamma") && err == "note: the picture was not finished before it was interrupted\n",
        "{out}{err}"
    );
    assert!(fs::read_to_string(&path).unwrap().contains("url(#unknown)"));
}
