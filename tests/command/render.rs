//! Pictures of the plane: every pixel against exact arithmetic, and the command.

use smoothish::number::budget::Budget;
use smoothish::number::{Rational, decimal};
use smoothish::plot::PlotError;
use smoothish::plot::figure::{FigureShape, LETTER_WIDTH};
use smoothish::plot::plane::figure::{Palette, PixelAppearance, figure_with_axes};
use smoothish::plot::plane::{LevelSide, PictureRequest, PictureSubject, Pixel, PixelState, PlanePicture, plot_plane};
use smoothish::session::Session;
use std::process::{Command, Output};
use std::sync::{Arc, LazyLock};
use std::time::{Duration, Instant};

static SESSION: LazyLock<Session> = LazyLock::new(Session::new);

fn q(text: &str) -> Rational {
    decimal::parse(text).unwrap()
}

/// A square around 0, of half the side 1.5, at a level or of values.
fn request(columns: u32, subject: PictureSubject) -> PictureRequest {
    let side = || [q("-1.5"), q("1.5")];
    PictureRequest { x: side(), y: side(), columns, rows: columns, subject, thread_count: None, title: None }
}

fn level(text: &str) -> PictureSubject {
    PictureSubject::Level(q(text))
}

fn values() -> PictureSubject {
    PictureSubject::Values([None, None])
}

fn asked(source: &str, request: &PictureRequest, budget: &Arc<Budget>) -> Result<PlanePicture, PlotError> {
    request.check_limits()?;
    plot_plane(&SESSION.infer_surface(source)?, source, request, budget)
}

fn drawn(source: &str, request: &PictureRequest) -> PlanePicture {
    asked(source, request, &Arc::new(Budget::with_time_limit(Duration::from_secs(100)))).unwrap()
}

/// The pixels, each with its exact sides.
fn pixels(picture: &PlanePicture) -> Vec<([[Rational; 2]; 2], Pixel)> {
    let [x, y] = picture.request.pixel_borders();
    let (columns, rows) = (x.len() - 1, y.len() - 1);
    let at = |number: usize| {
        let (i, j) = (number % columns, rows - 1 - number / columns);
        [[x[i].clone(), x[i + 1].clone()], [y[j].clone(), y[j + 1].clone()]]
    };
    picture.pixels.iter().enumerate().map(|(number, pixel)| (at(number), *pixel)).collect()
}

/// The least and the greatest square of a number between two.
fn squares([a, b]: &[Rational; 2]) -> [Rational; 2] {
    let [p, q] = [a, b].map(|x| Rational::from(x * x));
    let least = if *a <= 0 && *b >= 0 { Rational::new() } else { p.clone().min(q.clone()) };
    [least, p.max(q)]
}

/// The range of x² + y² over a rectangle.
fn distances([x, y]: &[[Rational; 2]; 2]) -> [Rational; 2] {
    let ([a, b], [c, d]) = (squares(x), squares(y));
    [a + c, b + d]
}

#[test]
fn a_pixel_of_the_disc_lies_where_it_is_said_to_lie() {
    for columns in [1, 7, 30, 61] {
        let picture = drawn(r"\x y => x^2 + y^2", &request(columns, level("1")));
        for (on, pixel) in pixels(&picture) {
            let [least, most] = distances(&on);
            let truth = match () {
                () if least > 1 => LevelSide::Inside,
                () if most < 1 => LevelSide::Outside,
                () if least < 1 && most > 1 => LevelSide::Border,
                () => LevelSide::Undecided,
            };
            assert!(
                pixel.side == truth || pixel.side == LevelSide::Undecided,
                "{on:?} is {truth:?}, not {:?}",
                pixel.side
            );
            // what only touches the circle is never decided, all else is
            assert_eq!(pixel.settled, truth != LevelSide::Undecided, "{on:?}: {truth:?}");
        }
        // outside of the disc, in a square of area 9
        let [low, high] = picture.area_bounds().unwrap();
        assert!(low <= 9.0 - std::f64::consts::PI && high >= 9.0 - std::f64::consts::PI, "{low} {high}");
        assert!(columns < 60 || high - low < 0.5);
    }
}

#[test]
fn a_pixel_of_values_encloses_them_and_is_hardly_wider() {
    let picture = drawn(r"\x y => x^2 + y^2", &request(40, values()));
    assert!(picture.scale[0] < 0.1 && picture.scale[1] > 4.2, "{:?}", picture.scale);
    for (on, pixel) in pixels(&picture) {
        let [least, most] = distances(&on);
        let PixelState::Within([lo, hi]) = pixel.state else { panic!("{on:?}: {pixel:?}") };
        assert!(lo <= least && hi >= most, "{on:?}: [{lo}, {hi}] has not all of [{least}, {most}]");
        assert!(pixel.settled && hi - lo <= (most - least).to_f64() + 0.1, "{on:?}: [{lo}, {hi}]");
    }
}

#[test]
fn what_is_undefined_on_a_pixel_has_no_colour() {
    let picture = drawn(r"\x y => sqrt x + y", &request(30, values()));
    for ([x, _], pixel) in pixels(&picture) {
        // at 0 itself the root is defined
        assert_eq!(pixel.state == PixelState::Undefined, x[0] < 0, "{x:?}: {pixel:?}");
    }
}

#[test]
fn a_jump_has_no_colour() {
    let picture = drawn(r"\x y => deriv (\t => max t y) x", &request(31, values()));
    for ([x, y], pixel) in pixels(&picture) {
        let shown = PixelAppearance::of_pixel(&pixel, &picture.request.subject, picture.scale);
        let truth = match () {
            () if x[0] > y[1] => PixelAppearance::At(1.0),
            () if x[1] < y[0] => PixelAppearance::At(0.0),
            () => PixelAppearance::Wide,
        };
        assert_eq!(shown, truth, "{x:?} {y:?}");
    }
}

#[test]
fn solvers_are_asked_over_rectangles() {
    // the mean of max(0, t - x) over t is (1 - x)²/2 for x in [0, 1], and the first root of x² - t is x²
    let square = [q("0.1"), q("0.9")];
    for (source, truth) in [
        (
            r"\x y => integral01 (\t => max 0 (t - x)) + y",
            (|x, y| (1.0 - x) * (1.0 - x) / 2.0 + y) as fn(f64, f64) -> f64,
        ),
        (r"\x y => firstRoot (\t => x^2 - t) * y", |x, y| x * x * y),
        (r"\x y => max01 (\t => t * (x - t)) - y", |x, y| x * x / 4.0 - y),
    ] {
        let request = PictureRequest { x: square.clone(), y: square.clone(), ..request(12, values()) };
        let picture = drawn(source, &request);
        let all = pixels(&picture);
        let settled = all.iter().filter(|(_, pixel)| pixel.settled).count();
        assert!(settled * 10 >= all.len() * 9, "{source}: {settled} of {}", all.len());
        for ([x, y], pixel) in all {
            let PixelState::Within([lo, hi]) = pixel.state else { continue };
            for (x, y) in [(&x[0], &y[0]), (&x[1], &y[0]), (&x[0], &y[1]), (&x[1], &y[1])] {
                let value = truth(x.to_f64(), y.to_f64());
                assert!(lo - 1e-12 <= value && value <= hi + 1e-12, "{source} at {x}, {y}: {value}, [{lo}, {hi}]");
            }
        }
    }
}

#[test]
fn one_thread_finds_what_three_find() {
    for subject in [values(), level("0.5")] {
        let [one, three] = [1, 3].map(|threads| {
            drawn(
                r"\x y => sin (x * y) + abs x",
                &PictureRequest { thread_count: Some(threads), ..request(50, subject.clone()) },
            )
        });
        assert_eq!((one.pixels, one.scale), (three.pixels, three.scale));
    }
}

#[test]
fn what_cannot_be_drawn_is_refused() {
    let budget = Arc::new(Budget::with_time_limit(Duration::from_secs(10)));
    let refused = |source: &str, request: &PictureRequest| asked(source, request, &budget).unwrap_err().to_string();
    let base = request(4, values());
    for (source, reason) in [
        ("sin", "expected Real -> Real -> Real, found Real -> Real; write"),
        ("2", "found Real; write"),
        (r"\x y => (x, y)", "found"),
        (r"\x y => x < y", "found"),
        (r"\x y => z", "`z`"),
    ] {
        let error = refused(source, &base);
        assert!(error.contains(reason), "{source}: {error}");
    }
    for (request, reason) in [
        (PictureRequest { x: [q("1"), q("1")], ..base.clone() }, "horizontal"),
        (PictureRequest { y: [q("1"), q("0")], ..base.clone() }, "vertical"),
        (PictureRequest { columns: 0, ..base.clone() }, "columns"),
        (PictureRequest { rows: 10_001, ..base.clone() }, "rows"),
        (PictureRequest { columns: 5000, rows: 5000, ..base.clone() }, "pixels"),
        (PictureRequest { subject: PictureSubject::Values([Some(q("1")), Some(q("1"))]), ..base.clone() }, "colour"),
    ] {
        let error = refused(r"\x y => x", &request);
        assert!(error.contains(reason), "{error}");
    }
    let promise = asked(r"\x y => cutRoot (\t => t - x)", &base, &budget).unwrap_err();
    assert!(matches!(&promise, PlotError::Evaluation { place: Some(_), .. }), "{promise}");
    assert!(promise.to_string().contains("x in [") && promise.to_string().contains("y in ["), "{promise}");
    let kept = drawn(r"\x y => cutRoot (\t => x - t^3)", &PictureRequest { x: [q("1"), q("2")], ..base });
    assert_eq!(kept.assumed.len(), 1);
}

#[test]
fn time_ends_a_picture() {
    let long = r"\x y => integral01 (\t => integral01 (\u => abs (sin (17*t) + cos (23*u) - x*exp (t*u*y))))";
    let start = Instant::now();
    let budget = Arc::new(Budget::with_time_limit(Duration::from_millis(200)));
    let cut = asked(long, &request(100, values()), &budget).unwrap();
    assert!(start.elapsed() < Duration::from_secs(10) && cut.exhausted);
    assert!(cut.count_pixels(|pixel| pixel.state == PixelState::Unknown && !pixel.settled) > 0);
}

/// What lies beyond the scale is told apart from what lies at its end, in each palette; so is it in letters and in notes.
#[test]
fn what_is_beyond_the_scale_is_marked() {
    let ends = [q("0"), q("0.5")];
    let picture = drawn(r"\x y => x * y", &request(40, PictureSubject::Values(ends.map(Some))));
    assert_eq!(picture.scale, [0.0, 0.5]);
    for (pixel, shown) in picture
        .pixels
        .iter()
        .map(|pixel| (pixel, PixelAppearance::of_pixel(pixel, &picture.request.subject, picture.scale)))
    {
        let PixelState::Within([lo, hi]) = pixel.state else { panic!("{pixel:?}") };
        match shown {
            PixelAppearance::Above => assert!(hi > 0.5 && lo > 0.4),
            PixelAppearance::Below => assert!(lo < 0.0 && hi < 0.1),
            PixelAppearance::Wide => assert!(hi - lo > 1.0 / 16.0),
            // no farther out than half of the width that a colour may stand for
            _ => assert!(lo > -1.0 / 16.0 && hi < 0.5 + 1.0 / 16.0, "{lo} {hi} {shown:?}"),
        }
    }
    let count = |wanted: PixelAppearance| {
        picture
            .count_pixels(|pixel| PixelAppearance::of_pixel(pixel, &picture.request.subject, picture.scale) == wanted)
    };
    // two quarters are negative; xy > 1/2 on 2·(7/4 − (log 4.5)/2) of 9 units, 0.222
    assert!(
        count(PixelAppearance::Below) > 700 && (300..420).contains(&count(PixelAppearance::Above)),
        "{}",
        count(PixelAppearance::Above)
    );
    for palette in [Palette::Viridis, Palette::Grey, Palette::Signed] {
        let colours = |shown: PixelAppearance| -> Vec<_> {
            (0..16).map(|i| shown.dot_colour(palette, picture.scale, [i % 4, i / 4])).collect()
        };
        assert!(
            colours(PixelAppearance::At(1.0)) != colours(PixelAppearance::Above)
                && colours(PixelAppearance::At(0.0)) != colours(PixelAppearance::Below)
        );
    }
    let texts = smoothish::plot::svg::render_svg(&figure_with_axes(&picture, Palette::Viridis, 2));
    assert!(texts.contains(">above the scale<") && texts.contains(">below the scale<"));
    let (_, out, err) = run(&["--x", "-1", "1", "--y", "-1", "1", "--low", "0", "--high", "0.5", r"\x y => x * y"]);
    assert!(
        out.contains('^')
            && out.contains('v')
            && err.contains("above the scale on ")
            && err.contains("below the scale on ")
    );
    let (_, out, err) = run(&["--x", "-1", "1", "--y", "-1", "1", r"\x y => x * y"]);
    assert!(!out.contains('^') && !err.contains("the scale"), "{err}");
}

/// An end of the scale that all values lie beyond does not turn the scale round.
#[test]
fn a_scale_beyond_all_values_is_no_scale_backwards() {
    for (ends, wanted) in
        [([Some(q("1")), None], PixelAppearance::Below), ([None, Some(q("0"))], PixelAppearance::Above)]
    {
        let picture = drawn(r"\x y => 1/2 + x * y / 5", &request(20, PictureSubject::Values(ends)));
        assert!(picture.scale[0] < picture.scale[1], "{:?}", picture.scale);
        let shown = |pixel: &Pixel| PixelAppearance::of_pixel(pixel, &picture.request.subject, picture.scale);
        assert_eq!(picture.count_pixels(|pixel| shown(pixel) == wanted), 400);
    }
    let (output, _, err) = run(&["--x", "0", "1", "--y", "0", "1", "--low", "2", "--high", "1", r"\x y => x"]);
    assert_eq!(output.status.code(), Some(2), "{err}");
}

/// White is 0, wherever 0 lies on the scale, and what is as far from 0 on both sides is as far from white.
#[test]
fn signs_are_colours() {
    let signed =
        |value: f64, [low, high]: [f64; 2]| Palette::Signed.colour_at((value - low) / (high - low), [low, high]);
    for scale in [[-1.0, 1.0], [-1.0, 3.0], [-0.5, 0.25], [-1e300, 1e301]] {
        assert!(signed(0.0, scale).iter().all(|&channel| channel > 240), "{scale:?}");
        assert!(signed(scale[0], scale)[2] > signed(scale[0], scale)[0], "blue below");
        assert!(signed(scale[1], scale)[0] > signed(scale[1], scale)[2], "red above");
    }
    assert_eq!(signed(2.0, [1.0, 2.0]), signed(2.0, [-2.0, 2.0]), "a scale without 0 has the colours of one with it");
    let bent = drawn(r"\x y => x^2 - 1/4", &request(16, PictureSubject::Values([None, None])));
    let white = |p: &Pixel| matches!(PixelAppearance::of_pixel(p, &bent.request.subject, bent.scale), PixelAppearance::At(place) if Palette::Signed.colour_at(place, bent.scale).iter().all(|&c| c > 225));
    let near = bent
        .pixels
        .iter()
        .filter(|p| white(p))
        .all(|p| matches!(p.state, PixelState::Within([lo, hi]) if (lo + hi).abs() < 0.44));
    assert!(near && bent.count_pixels(white) > 0);
}

/// Letters of a strip, and of a picture that is narrower than what its colours mean, are within it and apart.
#[test]
fn letters_of_small_pictures_are_inside_and_apart() {
    for (columns, rows, subject) in [(200, 8, values()), (8, 120, values()), (12, 12, level("0.1")), (12, 12, values())]
    {
        let request = PictureRequest { columns, rows, ..request(12, subject) };
        let figure = figure_with_axes(&drawn(r"\x y => 1/(x + y)", &request), Palette::Viridis, 1);
        let mut boxes: Vec<[f64; 3]> = Vec::new();
        for shape in &figure.shapes {
            let FigureShape::Text([x, y], anchor, _, text) = shape else { continue };
            let long = text.chars().count() as f64 * LETTER_WIDTH;
            let left = x - long * [0.0, 0.5, 1.0][*anchor as usize];
            assert!(left >= -1.0 && left + long <= f64::from(figure.width) + 1.0, "{text}: {left} {long}");
            for [l, r, other] in &boxes {
                assert!(*r <= left || left + long <= *l || (y - other).abs() > 10.0, "{text} at {columns} by {rows}");
            }
            boxes.push([left, left + long, *y]);
        }
        assert!(boxes.len() > 3);
    }
}

fn run(arguments: &[&str]) -> (Output, String, String) {
    let mut command = Command::new(env!("CARGO_BIN_EXE_smoothish"));
    let output = command.arg("render").args(arguments).env("NO_COLOR", "1").env("COLUMNS", "61").output().unwrap();
    let [out, err] = [&output.stdout, &output.stderr].map(|bytes| String::from_utf8(bytes.clone()).unwrap());
    (output, out, err)
}

#[test]
fn the_command_draws_letters() {
    let (output, out, err) = run(&["--x", "0", "1", "--y", "-1", "1", "--level", "0", r"\x y => y + 1/4"]);
    assert_eq!(output.status.code(), Some(0), "{err}");
    let lines: Vec<&str> = out.lines().collect();
    assert_eq!((lines.len(), lines[0], lines[59]), (63, &*"#".repeat(60), ""));
    assert_eq!(lines[60..], ["x from 0 to 1, y from -1 to 1", "#  above 0", "+  the border passes through"]);
    // rows are a sixtieth of 2 high, up to a thousandth: above -1/4 lie 37 whole ones
    assert!(err.starts_with("note: the area inside lies between 1.2"), "{err}");
}

/// Bounds of an area that are long are rounded outward: those of the disc to six places, against the exact ones.
#[test]
fn printed_areas_are_bounds() {
    for columns in ["7", "23", "37", "90"] {
        let plane = [
            "--x",
            "-1.1",
            "1.3",
            "--y",
            "-1.2",
            "1.1",
            "--level",
            "0",
            "--columns",
            columns,
            r"\x y => 1 - x^2 - y^2",
        ];
        let (_, _, err) = run(&plane);
        let (_, out, _) = run(&[&["--json"], &plane[..]].concat());
        let found: serde_json::Value = serde_json::from_str(&out).unwrap();
        let exact = |i: usize| smoothish::plot::axis::parse_coordinate(found["area"][i].as_str().unwrap()).unwrap();
        let note = err.lines().find(|line| line.contains("the area inside")).expect("it is told");
        let printed: Vec<Rational> = note.split(' ').filter_map(|word| decimal::parse(word).ok()).collect();
        assert!(printed.len() == 2 && printed[0] <= exact(0) && printed[1] >= exact(1), "{note}: {out:.80}");
    }
}

#[test]
fn the_command_prints_numbers() {
    let arguments = ["--x", "0", "2", "--y", "0", "1", "--columns", "4", "--level", "1", "--json", r"\(x, y) => x + y"];
    let (output, out, err) = run(&arguments);
    assert_eq!(output.status.code(), Some(3), "{err}");
    let found: serde_json::Value = serde_json::from_str(&out).unwrap();
    assert_eq!(found["x"].as_array().unwrap().len(), 5);
    assert_eq!(found["y"].as_array().unwrap().len(), 3);
    let pixels = found["pixels"].as_array().unwrap();
    assert_eq!(pixels.len(), 8);
    // the uppermost row first: x + y over [0, 0.5] × [0.5, 1] runs from 0.5 to 1.5
    assert_eq!(pixels[0], serde_json::json!([0.5, 1.5, "border", true]));
    // only its corner touches the line
    assert_eq!(pixels[4], serde_json::json!([0.0, 1.0, "undecided", false]));
    assert_eq!(found["area"], serde_json::json!(["0.75", "2"]));
    assert_eq!(found["reached"], false);
}

#[test]
fn the_command_refuses() {
    let plane = ["--x", "0", "1", "--y", "0", "1"];
    for (arguments, status, reason) in [
        (vec!["sin"], 2, "expected Real -> Real -> Real"),
        (vec![r"\x y => x", "-o", "picture.gif"], 2, ".svg or .png"),
        (vec![r"\x y => x", "-o", "nowhere/picture.png"], 2, "no folder"),
        (vec![r"\x y => x", "--columns", "4000", "-o", "picture.png"], 2, "fewer columns"),
        (vec![r"\x y => log (-1 - x^2)", "--columns", "4"], 4, "not shown to be defined on 8 of 8 pixels"),
    ] {
        let (output, _, err) = run(&[&plane[..], &arguments].concat());
        assert_eq!(output.status.code(), Some(status), "{arguments:?}: {err}");
        assert!(err.contains(reason), "{arguments:?}: {err}");
    }
    let (output, _, err) = run(&["--x", "1", "0", "--y", "0", "1", r"\x y => x"]);
    assert_eq!(output.status.code(), Some(2));
    assert!(err.contains("of --x, the first number must be less than the second"), "{err}");
}
