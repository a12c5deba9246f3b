//! Programs as maps: at points they are what the program is when it is asked there.

use smoothish::number::{Context, Double, Rational};
use smoothish::session::{Session, SessionError};

/// Programs, as they are applied at numbers, and points.
const MAPS: &[(&str, &str, &[f64])] = &[
    ("\\x => sin (x * x)", "X 0.5", &[0.5]),
    ("\\x y => x * exp y", "X 0.5 0.25", &[0.5, 0.25]),
    ("\\(x, (y, z)) w => max x (y * z) - w", "X (1, (2, 3)) 4", &[1.0, 2.0, 3.0, 4.0]),
    ("\\c => integral01 (\\x => max 0 (x - c))", "X 0.6", &[0.6]),
    ("\\a b => cutRoot (\\x => a - x - b * x^3)", "X 2 1", &[2.0, 1.0]),
    ("\\x => if x > 1 then x^2 else 3 * x", "X 2", &[2.0]),
    ("\\x => deriv (\\t => t^3 * x) x", "X 2", &[2.0]),
    ("\\() x => log x", "X () 2", &[2.0]),
];

#[test]
fn maps_are_programs_at_points() {
    let session = Session::new();
    for (program, at, point) in MAPS {
        let map = session.compile(program).unwrap();
        let found = Double.to_enclosure(&map.doubles_slice(point).unwrap()[0]);
        let asked = session.enclose(&format!("let X = {program} in {at}"), 1e-9).unwrap().enclosure;
        assert!(found.is_defined() && found.overlaps(&asked), "{program}: {found:?}, not {asked:?}");
        let slopes = map.vjp_doubles_slice(point, &[1.0]).unwrap();
        assert!(slopes.len() == point.len() && slopes.iter().all(|slope| slope.is_defined()), "{program}");
    }
    // several values, in order
    let map = session.compile("\\(x, y) => (x + y, (x * y, ()), x - y)").unwrap();
    let values = map.doubles_slice(&[5.0, 3.0]).unwrap();
    let expected = [8, 15, 2].map(Rational::from);
    assert!(values.len() == 3 && values.iter().zip(&expected).all(|(v, e)| Double.to_enclosure(v).contains(e)));
}

#[test]
fn what_is_no_map_is_refused() {
    let session = Session::new();
    for program in
        ["sqrt 2", "\\n => n + 1 : Nat", "\\f => deriv f 1", "\\x => [x, x]", "\\x => x", "\\x => Just (x + 1)"]
    {
        let error = session.compile(program).err();
        let is_refused = matches!(error, Some(SessionError::NotMap { .. } | SessionError::Program(_)));
        assert!(is_refused, "{program}: {error:?}");
    }
    let error = session.compile("\\f => deriv f 1").unwrap_err().to_string();
    assert!(error.contains("(Real -> Real) -> Real") && error.contains("vectors"), "{error}");
    assert!(session.compile("let rec f (x : Real) : Real = f (x + 1) in f").is_err());
}
