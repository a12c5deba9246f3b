//! Of `cli::value`.

use smoothish::cli::value::*;

#[test]
fn values_are_written_as_the_language_writes_them() {
    let float = |value: f64| PrintableValue::Float { value, error: 0.0 };
    let variant = |argument: PrintableValue| PrintableValue::Variant("Just".into(), Some(Box::new(argument)));
    let written = |value: PrintableValue| {
        let number = |number: &PrintableValue| match number {
            PrintableValue::Float { value, .. } if !value.is_nan() => Some(value.to_string()),
            _ => None,
        };
        format_with(&value, &number)
    };
    let nothing = || PrintableValue::Variant("Nothing".into(), None);
    let list = |parts: Vec<PrintableValue>| PrintableValue::List(parts);
    for (value, expected) in [
        (variant(float(-2.5)), "Just (-2.5)"),
        (variant(variant(nothing())), "Just (Just Nothing)"),
        (variant(list(vec![])), "Just []"),
        (variant(list(vec![float(1.0)])), "Just [1]"),
        (list(vec![list(vec![float(-1.0)]), list(vec![])]), "[[-1], []]"),
        (list(vec![variant(float(1.0)), nothing()]), "[Just 1, Nothing]"),
        (variant(PrintableValue::Tuple(vec![float(1.0), nothing()])), "Just (1, Nothing)"),
    ] {
        assert_eq!(written(value).as_deref(), Some(expected));
    }
    assert_eq!(written(list(vec![float(f64::NAN)])), None);
}
