//! Of `cli::status`.

use smoothish::cli::status::Status::*;
use smoothish::cli::status::*;
use smoothish::number::{Context, Double, decimal};

fn status(lo: &str, hi: &str, defined: bool, eps: &str) -> Status {
    let q = |text: &str| decimal::parse(text).unwrap();
    let end = |text: &str| match text {
        "-inf" => {
            Double.neg(&Double.apply_function(smoothish::number::Function::Exp, &Double.enclose_integer(1_000_000)))
        }
        "inf" => Double.apply_function(smoothish::number::Function::Exp, &Double.enclose_integer(1_000_000)),
        text => Double.enclose_rational(&q(text)),
    };
    let mut enclosure = Double.to_enclosure(&Double.hull(&end(lo), &end(hi)));
    enclosure = enclosure.with_defined(defined);
    Status::of_enclosure(&enclosure, &q(eps).into())
}

#[test]
fn an_answer_is_judged_by_its_width() {
    assert_eq!(status("0.5", "0.5", true, "1e-9"), Reached);
    assert_eq!(status("0", "1", true, "1"), Reached);
    assert_eq!(status("0", "1", true, "0.99"), Wide);
    assert_eq!(status("0.1", "0.1", true, "1e-6"), Reached);
}

#[test]
fn the_printed_ends_decide() {
    // A double holds one tenth to 1.4e-17: inside 2e-17, but no decimal that short is.
    let q = decimal::parse("0.1").unwrap();
    let enclosure = Double.to_enclosure(&Double.enclose_rational(&q));
    let eps = decimal::parse("1.4e-17").unwrap();
    let printed = enclosure.print_decimals(&eps);
    let expected = if printed.width().is_at_most(&eps) { Reached } else { Wide };
    assert_eq!(Status::of_enclosure(&enclosure, &eps.into()), expected);
}

#[test]
fn half_lines_are_some_information_and_the_whole_line_none() {
    assert_eq!(status("1", "inf", true, "1"), Wide);
    assert_eq!(status("-inf", "1", true, "1"), Wide);
    assert_eq!(status("-inf", "inf", true, "1"), Nothing);
}

#[test]
fn what_is_not_shown_defined_is_no_information() {
    assert_eq!(status("0.5", "0.5", false, "1"), Nothing);
    assert_eq!(status("-inf", "inf", false, "1"), Nothing);
}

#[test]
fn the_worst_of_several_is_taken_in_the_documented_order() {
    let order = [Wrong, Refuted, Nothing, Wide, Reached];
    assert_eq!(order.map(Status::code), [2, 1, 4, 3, 0]);
    for (i, worse) in order.into_iter().enumerate() {
        for better in &order[i..] {
            assert_eq!(Status::worst_of([worse, *better]), worse);
            assert_eq!(Status::worst_of([*better, worse]), worse);
        }
    }
    assert_eq!(Status::worst_of([]), Reached);
}
