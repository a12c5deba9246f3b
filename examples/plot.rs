//! Envelopes from Rust: the numbers, a text, and a picture.
//!
//! `cargo run --example plot [picture.svg]`

use smoothish::number::Rational;
use smoothish::number::budget::Budget;
use smoothish::plot::figure::Figure;
use smoothish::plot::text::{self, TextStyle};
use smoothish::plot::{ColumnValues, PlotRequest, plot_function, svg};
use smoothish::session::Session;
use std::error::Error;
use std::sync::Arc;
use std::time::Duration;

fn main() -> Result<(), Box<dyn Error>> {
    let session = Session::new();
    let source = r"\c => max01 (\x => x * (c - x))";
    let budget = || Arc::new(Budget::with_time_limit(Duration::from_secs(10)));
    let program = session.infer_curve(source)?;
    let [from, to] = [-1, 3].map(Rational::from);

    // eight columns, as numbers
    let request = PlotRequest { columns: 8, orders: vec![0, 1], ..PlotRequest::new(from.clone(), to.clone()) };
    for envelope in plot_function(&program, source, &request, &budget())?.envelopes {
        println!("derivative {}", envelope.order);
        for column in envelope.columns {
            let [a, b] = column.x;
            match column.values {
                ColumnValues::Within(range) => println!("  on [{a}, {b}] all values lie in {range}"),
                ColumnValues::Undefined => println!("  on [{a}, {b}] not shown to be defined"),
                ColumnValues::Unknown => println!("  on [{a}, {b}] not known"),
            }
        }
    }

    // the same for a terminal
    let style = TextStyle::default();
    let plot = plot_function(&program, source, &style.plot_request(from.clone(), to.clone()), &budget())?;
    for line in text::draw_lines(&plot, style) {
        println!("{line}");
    }

    // and as a picture
    if let Some(path) = std::env::args().nth(1) {
        let request = PlotRequest { columns: 720, orders: vec![0, 1], ..PlotRequest::new(from, to) };
        let plot = plot_function(&program, source, &request, &budget())?;
        std::fs::write(path, svg::render_svg(&Figure::new(&plot, 800, 620)))?;
    }
    Ok(())
}
