//! Of `plot::window`.

use smoothish::number::{Context, Double, Enclosure, Magnitude, Rational, decimal};
use smoothish::plot::axis::*;

fn e(lo: &str, hi: &str) -> Enclosure {
    let end = |text: &str| Double.enclose_rational(&decimal::parse(text).unwrap());
    Double.to_enclosure(&Double.hull(&end(lo), &end(hi)))
}

#[test]
fn bounded_values_are_all_shown() {
    let spike: Vec<_> = (0..100).map(|i| if i == 50 { e("0", "1000") } else { e("0", "0.5") }).collect();
    let window = Window::around_values(&spike, Magnitude::ZERO, false, None, None);
    assert!(window.low < 0 && window.high > 1000);
    let cut = Window::around_values(&spike, Magnitude::ZERO, true, None, None);
    assert!(cut.high < 2 && cut.low <= 0, "{cut:?}");
}

#[test]
fn a_window_is_never_flat() {
    for (values, low, high) in [
        (vec![e("2", "2")], None, None),
        (vec![e("0", "0")], None, None),
        (vec![], None, None),
        (vec![Enclosure::bottom()], None, None),
        (vec![e("2", "3")], Some("5"), None),
        (vec![e("2", "3")], None, Some("-5")),
        (vec![e("2", "3")], Some("0"), Some("0.5")),
    ] {
        let [low, high] = [low, high].map(|t: Option<&str>| t.map(|t| decimal::parse(t).unwrap()));
        let window = Window::around_values(&values, Magnitude::ZERO, true, low.as_ref(), high.as_ref());
        assert!(window.low < window.high, "{window:?}");
        assert!(low.is_none_or(|l| l == window.low) && high.is_none_or(|h| h == window.high));
    }
}

#[test]
fn places_are_rounded_outward() {
    let window = Window::new(Rational::from(0), Rational::from(3)).unwrap();
    let [lo, hi] = window.position_of(&e("1", "2"));
    assert!(lo < 1.0 / 3.0 && hi > 2.0 / 3.0 && hi - lo < 0.34);
    assert_eq!(window.position_of(&Enclosure::bottom()), [-1.0, 2.0]);
    let far = Window::new(decimal::parse("1e30").unwrap(), decimal::parse("1000000000000000000000000000001").unwrap());
    let [lo, hi] = far.unwrap().position_of(&e("1e30", "1e30"));
    assert!((-1.0..=0.0).contains(&lo) && hi >= 0.0, "{lo} {hi}");
}
