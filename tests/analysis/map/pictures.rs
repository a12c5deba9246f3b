//! Pictures of maps: every node once, every arrow there, well-formed files.

use super::own::lambert_w;
use smoothish::smooth::map::picture::MapPicture;
use smoothish::smooth::map::{Map, coordinates};
use typenum::{U1, U2};

/// The rectangles of an SVG, as (left, top, width, height) and the label.
fn boxes(svg: &str) -> Vec<([f64; 4], String)> {
    let document = roxmltree::Document::parse(svg).expect("well-formed");
    let number = |node: &roxmltree::Node, name| node.attribute(name).unwrap().parse::<f64>().unwrap();
    let rectangles = document.descendants().filter(|n| n.has_tag_name("rect"));
    let found = rectangles.map(|r| {
        let label = r.next_sibling_element().unwrap().text().unwrap_or_default().to_owned();
        (["x", "y", "width", "height"].map(|name| number(&r, name)), label)
    });
    found.collect()
}

#[track_caller]
fn is_laid_out(picture: &MapPicture) {
    let svg = picture.to_svg();
    let boxes = boxes(&svg);
    assert_eq!(boxes.len(), picture.len());
    let document = roxmltree::Document::parse(&svg).unwrap();
    let size = |name| document.root_element().attribute(name).unwrap().parse::<f64>().unwrap();
    for (i, ([x, y, w, h], label)) in boxes.iter().enumerate() {
        assert!(*x >= 0.0 && *y >= 0.0 && x + w <= size("width") && y + h <= size("height"), "{label} is outside");
        for ([x2, y2, w2, _], other) in &boxes[..i] {
            assert!(y != y2 || x + w <= *x2 || x2 + w2 <= *x, "{label} lies over {other}");
        }
    }
}

#[test]
fn what_is_shared_is_drawn_once() {
    let x = Map::<U1, U1>::id();
    let doubled = (0..60).fold(x.sin(), |f, _| &f + &f);
    let picture = doubled.picture();
    // x, sin, 60 sums, and the result
    assert_eq!(picture.len(), 63);
    assert_eq!(picture.to_dot().matches("->").count(), 1 + 2 * 60 + 1);
    is_laid_out(&picture);
    let order = picture.topological_order();
    assert_eq!(order.len(), 63);
}

#[test]
fn pictures_of_tuples_and_constants_are_laid_out() {
    let [x, y] = coordinates::<U2, 2>();
    let f: Map<U2, U2> = Map::tuple(&[&x / &y + 3, (&x - &y).max(&Map::pi())]).unwrap();
    is_laid_out(&f.picture());
    is_laid_out(&f.prime().picture());
    is_laid_out(&Map::<U2, typenum::U0>::terminal().picture());
    let big = (0..3).fold(&x * i64::MAX, |f, _| &f * i64::MAX * i64::MAX);
    assert!(big.picture().to_svg().len() < 10_000);
    assert!(Map::<typenum::U0, typenum::U0>::id().picture().is_empty());
}

/// Tests that take more than half a second: `cargo quick` passes them over.
mod slow {
    use super::*;

    #[test]
    fn bound_variables_and_trusted_primitives_are_marked() {
        let [c, t] = [Map::<(U1, U1), U1>::first(), Map::second()];
        let ramp = (&t - &c).relu().integral01();
        let picture = ramp.then(&lambert_w().unwrap()).derivative().picture();
        let dot = picture.to_dot();
        assert_eq!(dot.matches("style = dashed").count(), 2, "{dot}");
        assert!(dot.contains("label = \"productLog\", shape = octagon"), "{dot}");
        assert!(dot.contains("label = \"integral01\"") && dot.contains("label = \"derivative\""), "{dot}");
        is_laid_out(&picture);
        let labels: Vec<_> = boxes(&picture.to_svg()).into_iter().map(|b| b.1).collect();
        assert_eq!(labels.iter().filter(|l| l.starts_with('t')).count(), 2, "{labels:?}");
    }
}
