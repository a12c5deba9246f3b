//! Of `cli::value`.

use smoothish::cli::value::*;

#[test]
fn values_are_written_as_the_language_writes_them() {
    let float = |value: f64| Value::Float { value, error: 0.0 };
    let variant = |argument: Value| Value::Variant("Just".into(), Some(Box::new(argument)));
    let written = |value: Value| {
        let number = |number: &Value| match number {
            Value::Float { value, .. } if !value.is_nan() => Some(value.to_string()),
            _ => None,
        };
        text(&value, &number)
    };
    let nothing = || Value::Variant("Nothing".into(), None);
    let list = |parts: Vec<Value>| Value::List(parts);
    for (value, expected) in [
        (variant(float(-2.5)), "Just (-2.5)"),
        (variant(variant(nothing())), "Just (Just Nothing)"),
        (variant(list(vec![])), "Just []"),
        (variant(list(vec![float(1.0)])), "Just (1 :: [])"),
        (list(vec![list(vec![float(-1.0)]), list(vec![])]), "(-1 :: []) :: [] :: []"),
        (list(vec![variant(float(1.0)), nothing()]), "Just 1 :: Nothing :: []"),
        (variant(Value::Tuple(vec![float(1.0), nothing()])), "Just (1, Nothing)"),
    ] {
        assert_eq!(written(value).as_deref(), Some(expected));
    }
    assert_eq!(written(list(vec![float(f64::NAN)])), None);
}
