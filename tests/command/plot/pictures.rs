//! Pictures: SVG that is well-formed XML, PNG that decodes, and shapes that contain the graph.

use super::support::{plotted, q, request};
use smoothish::number::Enclosure;
use smoothish::number::budget::{Budget, BudgetObserver};
use smoothish::parallel::available_threads;
use smoothish::plot::figure::{Anchor, Figure, FigureShape, Paint, Texture};
use smoothish::plot::plane::{PictureRequest, PictureSubject, plot_plane};
use smoothish::plot::png::PngPage;
use smoothish::plot::{CertifiedPlot, PlotRequest, png, svg};
use smoothish::syntax::library::Library;
use std::f64::consts::PI;
use std::sync::{Arc, Mutex};

fn figure(plot: &CertifiedPlot) -> Figure {
    Figure::new(plot, 400, 300)
}

fn textures(figure: &Figure) -> Vec<Texture> {
    let texture = |s: &FigureShape| if let FigureShape::Textured(_, texture) = s { Some(*texture) } else { None };
    figure.shapes.iter().filter_map(texture).collect()
}

/// The texts of an SVG document that an XML parser reads.
fn texts(document: &str) -> Vec<String> {
    let document = roxmltree::Document::parse(document).expect("well-formed XML");
    assert_eq!(document.root_element().tag_name().name(), "svg");
    let texts = document.descendants().filter(|n| n.has_tag_name(("http://www.w3.org/2000/svg", "text")));
    texts.map(|n| n.text().unwrap_or("").to_owned()).collect()
}

#[test]
fn an_svg_is_well_formed_whatever_the_source() {
    let source = "\\x => x ! a <script>&amp;\"'\u{7}\u{fffe} ∀𝔅 ]]>";
    let texts = texts(&svg::render_svg(&figure(&plotted(source, &request("0", "1", 10, &[0, 1])))));
    assert!(texts[0].starts_with("\\x => x ! a <script>&amp;\"'"), "{texts:?}");
    for label in ["f", "f′", "0", "0.5", "1"] {
        assert!(texts.iter().any(|t| t == label), "{label}: {texts:?}");
    }
}

#[test]
fn a_long_source_is_cut() {
    let source = format!(r"\x => {}", vec!["x"; 400].join(" + "));
    let texts = texts(&svg::render_svg(&figure(&plotted(&source, &request("0", "1", 4, &[0])))));
    assert!(texts[0].ends_with('…') && texts[0].chars().count() < 60, "{}", texts[0]);
}

#[test]
fn a_png_decodes_and_shows_the_envelope() {
    let plot = plotted(r"\x => sin x", &request("-3", "3", 300, &[0]));
    let bytes = png::render_png(&figure(&plot)).unwrap();
    let mut reader = ::png::Decoder::new(std::io::Cursor::new(bytes)).read_info().unwrap();
    let mut pixels = vec![0; reader.output_buffer_size().unwrap()];
    let info = reader.next_frame(&mut pixels).unwrap();
    assert_eq!((info.width, info.height, pixels.len()), (400, 300, 400 * 300 * 3));
    let blue = pixels.chunks(3).filter(|p| p[2] > 150 && p[0] < 100).count();
    assert!((350..4000).contains(&blue), "{blue} pixels of the envelope");
}

/// At twice as many points to an inch, everything is twice as large, and the file says how large a point is.
#[test]
fn a_png_has_as_many_points_to_an_inch_as_asked() {
    let plot = plotted(r"\x => sin x", &request("-3", "3", 300, &[0]));
    let read = |bytes: Vec<u8>| {
        let mut reader = ::png::Decoder::new(std::io::Cursor::new(bytes)).read_info().unwrap();
        let mut pixels = vec![0; reader.output_buffer_size().unwrap()];
        let info = reader.next_frame(&mut pixels).unwrap();
        let points = reader.info().pixel_dims.expect("the size of a point");
        let dark = pixels.chunks(3).filter(|p| p[0] < 200 && p[0] == p[1]).count();
        ([info.width, info.height], [points.xppu, points.yppu], dark)
    };
    let usual = read(png::render_png(&figure(&plot)).unwrap());
    // 96 / 0.0254, 192 / 0.0254
    assert_eq!((usual.0, usual.1), ([400, 300], [3780, 3780]));
    let fine = read(png::render_png_on(&figure(&plot), PngPage { dpi: 192, ..PngPage::default() }).unwrap());
    assert_eq!((fine.0, fine.1), ([800, 600], [7559, 7559]));
    // letters and frames, four times as many points of them
    let share = fine.2 as f64 / usual.2 as f64;
    assert!((2.5..6.0).contains(&share), "{share}: {} and {}", usual.2, fine.2);
}

/// What is drawn on black has the colours that it has on white, and the ground between them is another.
#[test]
fn a_picture_has_the_ground_that_is_asked_for() {
    let plot = plotted(r"\x => x", &request("0", "1", 100, &[0]));
    let corner_and_ink = |ground| {
        let bytes = png::render_png_on(&figure(&plot), PngPage { ground, ..PngPage::default() }).unwrap();
        let mut reader = ::png::Decoder::new(std::io::Cursor::new(bytes)).read_info().unwrap();
        let mut pixels = vec![0; reader.output_buffer_size().unwrap()];
        reader.next_frame(&mut pixels).unwrap();
        // the blue of the first envelope
        ([pixels[0], pixels[1], pixels[2]], pixels.chunks(3).filter(|p| **p == [46, 124, 201]).count())
    };
    let (light, dark) = (corner_and_ink(png::WHITE), corner_and_ink(png::BLACK));
    assert_eq!((light.0, dark.0), ([255; 3], [0; 3]));
    assert!(light.1 > 100 && light.1 == dark.1, "{light:?} {dark:?}");
}

/// Signs that the font does not have are spelled, and none becomes a question mark.
#[test]
fn signs_of_mathematics_are_spelled() {
    let shown = |title: &str| {
        let shape = FigureShape::Text([5.0, 30.0], Anchor::Start, Paint::Label, title.to_owned());
        png::render_png(&Figure { width: 400, height: 40, shapes: vec![shape] }).unwrap()
    };
    for (signs, spelled) in
        [("∫ x", "int x"), ("ℝ → ℕ", "Real -> Nat"), ("f′ f″", "f' f''"), ("x ≤ ∞", "x <= inf"), ("α₁", "alpha1")]
    {
        assert!(shown(signs) == shown(spelled), "{signs}");
    }
    for sign in "∫ℝ′∂∇√∑≤≥≠≈∞αωΩ−∘".chars() {
        assert!(shown(&sign.to_string()) != shown("?") && shown(&sign.to_string()) != shown(""), "{sign}");
    }
}

/// Every point of the graph lies in a bar, by the inverse of the map from numbers to pixels.
#[test]
fn the_graph_lies_in_the_shape() {
    let plot = plotted(r"\x => sin x", &request("-3", "3", 100, &[0]));
    let window = &plot.envelopes[0].window;
    let figure = figure(&plot);
    let bars: Vec<_> = figure
        .shapes
        .iter()
        .filter_map(|s| if let FigureShape::Bars(bars, _) = s { Some(bars) } else { None })
        .collect();
    assert_eq!((bars.len(), bars[0].len()), (1, 100));
    // the frame: the vertical lines at its sides
    let frame = figure.shapes.iter().filter_map(|s| match s {
        FigureShape::Line(a, b, Paint::Label) if a[0] == b[0] => Some([a[0], a[1].min(b[1]), a[1].max(b[1])]),
        _ => None,
    });
    let sides: Vec<_> = frame.collect();
    let [left, top, bottom] = sides.iter().copied().reduce(|a, b| if a[0] < b[0] { a } else { b }).unwrap();
    let right = sides.iter().map(|s| s[0]).fold(left, f64::max);
    let (low, height) = (window.low.to_f64(), window.height().to_f64());
    for i in 0..=6000 {
        let x = f64::from(i) / 1000.0 - 3.0;
        let [px, py] = [left + (x + 3.0) / 6.0 * (right - left), bottom - (x.sin() - low) / height * (bottom - top)];
        let near = |b: &&smoothish::plot::figure::Bar| b.left - 1e-6 <= px && px <= b.right + 1e-6;
        let mut there = bars[0].iter().filter(near).peekable();
        assert!(there.peek().is_some(), "{x}");
        assert!(there.any(|b| b.top - 1e-6 <= py && py <= b.bottom + 1e-6), "{x}");
    }
    assert!(PI > 3.0 && window.high >= 1);
}

#[test]
fn what_is_not_defined_is_hatched() {
    let plot = plotted(r"\x => sqrt x", &request("-1", "1", 50, &[0]));
    assert_eq!(textures(&figure(&plot)), [Texture::Undefined; 2], "the half without a root, and the legend");
    let text = svg::render_svg(&figure(&plot));
    assert!(text.contains("url(#undefined)") && texts(&text).iter().any(|t| t == "not shown to be defined"));
    let all = plotted(r"\x => sqrt x", &request("1", "2", 50, &[0]));
    assert_eq!(textures(&figure(&all)), []);
}

#[test]
fn what_is_not_known_is_dotted() {
    let budget = Arc::new(Budget::new(0, None, None));
    let session = &super::support::SESSION;
    let plot = smoothish::plot::plot_function(
        &session.infer_curve(r"\x => sin x").unwrap(),
        r"\x => sin x",
        &request("0", "1", 9, &[0]),
        &budget,
    )
    .unwrap();
    assert_eq!(textures(&figure(&plot)), [Texture::Unknown; 2]);
}

#[test]
fn what_goes_on_is_marked_at_the_edge() {
    let plot = plotted(r"\x => x", &PlotRequest { high: Some(q("1/2")), ..request("0", "1", 10, &[0]) });
    let figure_of = figure(&plot);
    let triangles: Vec<f64> = figure_of
        .shapes
        .iter()
        .filter_map(|s| match s {
            FigureShape::Triangle(corners, _) => Some(corners[2][0]),
            _ => None,
        })
        .collect();
    let (legend, marks) = triangles.split_last().expect("there are marks");
    // the right half of the picture, which is 400 wide, has marks and no line along its edge, which would look like a plateau
    let middle = (marks[0] + marks[marks.len() - 1]) / 2.0;
    assert!(
        marks.len() > 3 && marks.iter().all(|x| *x > 200.0) && (middle - 300.0).abs() < 20.0 && *legend < 100.0,
        "{triangles:?}"
    );
    let bars =
        figure_of.shapes.iter().filter_map(|s| if let FigureShape::Bars(bars, _) = s { Some(bars) } else { None });
    let farthest = bars.flatten().map(|bar| bar.right).fold(0.0, f64::max);
    assert!(farthest < 260.0, "{farthest}");
    let whole = plotted(r"\x => x", &request("0", "1", 10, &[0]));
    assert!(!figure(&whole).shapes.iter().any(|s| matches!(s, FigureShape::Triangle(..))));
}

/// In the smallest picture everything that is told is inside of it, and marks that do not fit one line have several.
#[test]
fn what_marks_mean_is_told_in_small_pictures() {
    let plot = plotted(r"\x => sqrt x", &PlotRequest { high: Some(q("1/2")), ..request("-1", "1", 10, &[0, 1]) });
    for (width, height) in [(160, 160), (240, 200), (800, 300)] {
        let figure = Figure::new(&plot, width, height);
        let told = figure.shapes.iter().filter_map(|shape| match shape {
            FigureShape::Text(at, Anchor::Start, Paint::Label, text) => Some((at, text)),
            _ => None,
        });
        let told: Vec<_> =
            told.filter(|(_, text)| text.starts_with("goes on") || text.starts_with("not shown")).collect();
        assert_eq!(told.len(), 2);
        assert_eq!(told[0].0[1] == told[1].0[1], width == 800, "on one line where there is room");
        for (at, text) in told {
            let right = at[0] + text.chars().count() as f64 * smoothish::plot::figure::LETTER_WIDTH;
            assert!(right <= f64::from(width), "{text}: {right} of {width}");
        }
    }
}

#[test]
fn a_title_stands_in_place_of_the_source() {
    let plot = plotted(r"\x => x", &PlotRequest { title: Some("the identity".into()), ..request("0", "1", 10, &[0]) });
    assert_eq!(texts(&svg::render_svg(&figure(&plot)))[0], "the identity");
    assert_eq!(plot.source, r"\x => x");
}

/// Letters stay inside the picture, and labels of one axis apart.
#[test]
fn labels_do_not_overlap() {
    for (source, from, to, orders) in [
        (r"\x => exp x", "-1e9", "1000", &[0, 1][..]),
        (r"\x => 1e-300 * x", "1.0000000000000000001", "1.0000000000000000002", &[0]),
        (r"\x => x^3", "-1e-30", "1/3", &[0, 1, 2, 3]),
        (r"\x => 2", "0", "123456", &[0]),
    ] {
        let plot = plotted(source, &request(from, to, 12, orders));
        for (width, height) in [(400, 300), (800, 500), (200, 200), (160, 160)] {
            let figure = Figure::new(&plot, width, height);
            let mut boxes = Vec::new();
            for shape in &figure.shapes {
                if let FigureShape::Text(at, anchor, _, text) = shape {
                    let long = text.chars().count() as f64 * smoothish::plot::figure::LETTER_WIDTH;
                    let left = at[0] - long * [0.0, 0.5, 1.0][*anchor as usize];
                    boxes.push((left, left + long, at[1], text));
                }
            }
            for (i, (left, right, y, text)) in boxes.iter().enumerate() {
                assert!(*y > 9.0 && *y <= f64::from(figure.height) - 2.0, "{text} of {source}");
                if width > 300 {
                    assert!(*left >= 0.0 && *right <= f64::from(width) + 1.0, "{text} of {source}: {left} {right}");
                }
                for (l, r, other_y, other) in &boxes[..i] {
                    let apart = r <= left || right <= l || (y - other_y).abs() > 10.0;
                    assert!(apart, "{text} and {other} of {source} at {width}");
                }
            }
        }
    }
}

/// Every thread of a picture of a plane is a part, the calling one too: inside of it nothing is spread over all cores again.
#[test]
fn the_threads_of_a_picture_start_no_others() {
    #[derive(Debug, Default)]
    struct SeenThreads(Mutex<Vec<usize>>);
    impl BudgetObserver for SeenThreads {
        fn on_work(&self) {}
        fn on_improvement(&self, _: &Enclosure) {}
        fn on_progress(&self, _: usize, _: usize) {
            self.0.lock().unwrap().push(available_threads());
        }
    }
    let seen = Arc::new(SeenThreads::default());
    let side = || [q("-1"), q("1")];
    let subject = PictureSubject::Level(q("0"));
    let request =
        PictureRequest { x: side(), y: side(), columns: 64, rows: 64, subject, thread_count: Some(1), title: None };
    let source = r"\x y => x - y";
    let (program, _) = Library::default().infer_expression(source).unwrap();
    plot_plane(&program, source, &request, &Arc::new(Budget::unlimited().with_observer(seen.clone()))).unwrap();
    let seen = seen.0.lock().unwrap();
    assert!(!seen.is_empty() && seen.iter().all(|threads| *threads == 1), "{seen:?}");
}
