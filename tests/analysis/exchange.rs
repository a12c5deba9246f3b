//! Maps as files: what is written is what is read, and whatever is read, there is a map or an error.

use smoothish::function::{Function, Planar};
use smoothish::law::graphs::GraphGenerator;
use smoothish::number::Rational;
use smoothish::number::budget::Budget;
use smoothish::random::SplitMix64;
use smoothish::session::Session;
use smoothish::smooth::exchange::{ExchangeError, MAGIC};
use smoothish::smooth::graph::{Binary, Graph, NodeOperation, Unary, Variable};
use smoothish::smooth::map::{DynMap, Map};
use typenum::U1;

/// Maps with every kind of node, as texts.
const PROGRAMS: &[&str] = &[
    r"\x y => x * sin x + max x y",
    r"\x => integral01 (\t => max x t) + max01 (\t => t * (x - t)) + argmax01 (\t => t * (1 - t) + x * t)",
    r"\x => cutRoot (\t => x - t^3) + firstRoot (\t => x - t)",
    r"\x y => (if x < y then sqrt x else atan2 y x, deriv (\t => exp (t * y)) x, pi + 1/3)",
    r"\x => lgamma x + digamma x + polygamma 2 x + x^(2/3) + abs x + signum x + erf x",
];

fn maps() -> Vec<DynMap> {
    let session = Session::new();
    let mut maps: Vec<_> = PROGRAMS.iter().map(|text| DynMap::clone(session.compile(text).unwrap().as_dyn())).collect();
    let mut random = SplitMix64::new(24);
    for index in 0..200 {
        let variables = [Variable::fresh(), Variable::fresh()];
        let graphs = GraphGenerator { derivative_depth: index % 3, has_kinks: index % 2 == 0 };
        let outputs: Vec<_> =
            (0..1 + index % 3).map(|_| graphs.draw_graph(&mut random, &variables, 1 + index / 10)).collect();
        maps.push(DynMap::of_graphs(&variables, &outputs).unwrap());
    }
    maps
}

#[test]
fn what_is_written_is_read() {
    for map in maps() {
        let bytes = map.to_bytes().unwrap();
        let copy = DynMap::from_bytes(&bytes).unwrap();
        assert_eq!(copy.to_string(), map.to_string());
        assert_eq!(copy.to_bytes().unwrap(), bytes, "{map}");
        let json = map.to_json().unwrap();
        let copy = DynMap::from_json(&json).unwrap();
        assert_eq!(copy.to_string(), map.to_string());
        assert_eq!(copy.to_json().unwrap(), json, "{map}");
        let shared = |map: &DynMap| Graph::all_nodes(map.outputs()).len();
        assert_eq!(shared(&copy), shared(&map), "what is shared stays shared: {map}");
    }
}

#[test]
fn a_copy_has_the_same_values() {
    let budget = || Budget::new(200_000, None, None);
    for map in maps() {
        let copy = Map::from_dyn(DynMap::from_bytes(&map.to_bytes().unwrap()).unwrap());
        let x = vec![0.75; map.input_count()];
        let [first, second] = [Map::from_dyn(map), copy].map(|map| {
            let found = map.doubles_within(&x, &budget()).unwrap();
            found.iter().map(|e| (*e.lo(), *e.hi(), e.is_defined())).collect::<Vec<_>>()
        });
        assert_eq!(first, second);
    }
}

fn json(nodes: &str, output: usize) -> String {
    format!(r#"{{"format":"smoothish","version":1,"inputs":2,"nodes":[{nodes}],"outputs":[{output}]}}"#)
}

/// The value of records at (2, 3).
fn value(nodes: &str, output: usize) -> [f64; 2] {
    let map = Map::from_json(&json(nodes, output)).unwrap();
    let found = &map.doubles_slice(&[2.0, 3.0]).unwrap()[0];
    [*found.lo(), *found.hi()]
}

const XY: &str = r#"["variable",0],["variable",1]"#;

#[test]
fn sums_and_products_of_rows_are_additions() {
    assert_eq!(value(&format!(r#"{XY},["dot",[0,1,1],[1,1,0]]"#), 2), [21.0, 21.0]);
    assert_eq!(value(&format!(r#"{XY},["sum",[0,1,0,1,0]]"#), 2), [12.0, 12.0]);
    assert_eq!(value(&format!(r#"{XY},["sum",[]]"#), 2), [0.0, 0.0]);
    assert_eq!(value(&format!(r#"{XY},["rational","-7/2"],["select",2,0,1]"#), 3), [3.0, 3.0]);
    assert_eq!(
        value(&format!(r#"["variable",7],["multiply",0,0],{XY},["derivative",[7],1,[3],[2]]"#), 4),
        [12.0, 12.0]
    );
    let unequal = Map::from_json(&json(&format!(r#"{XY},["dot",[0,1],[1]]"#), 2));
    assert!(matches!(unequal, Err(ExchangeError::Operands { record: 2, .. })));
}

#[test]
fn every_function_has_its_name() {
    for f in Function::ALL {
        let map = Map::from_json(&json(&format!(r#"{XY},["{}",0]"#, f.name()), 2)).unwrap();
        let node = map.as_dyn().outputs()[0].operation().clone();
        assert!(matches!(node, NodeOperation::Unary(Unary::Function(g), _) if g == *f));
    }
    for f in Planar::ALL {
        let map = Map::from_json(&json(&format!(r#"{XY},["{}",0,1]"#, f.name()), 2)).unwrap();
        let node = map.as_dyn().outputs()[0].operation().clone();
        assert!(matches!(node, NodeOperation::Binary(Binary::Planar(g), ..) if g == *f));
    }
}

#[test]
fn errors_say_what_is_wrong_where() {
    let error = |nodes: &str| DynMap::from_json(&json(nodes, 0)).unwrap_err().to_string();
    assert_eq!(error(r#"["arctan2",0,1]"#), "record 0 has the operation `arctan2`, which is not known");
    assert_eq!(error(&format!(r#"{XY},["max",0]"#)), "record 2: `max` takes a node, a node");
    assert_eq!(error(&format!(r#"{XY},["sin",2]"#)), "record 2 refers to a record that does not come before it");
    assert_eq!(error(r#"["rational","0.5"]"#), "record 0 has `0.5` where a number is expected, such as -3 or 1/3");
    assert_eq!(error(r#"["rational","1/0"]"#), "record 0 has `1/0` where a number is expected, such as -3 or 1/3");
    assert!(matches!(DynMap::from_json(&json(r#"["variable",2]"#, 0)), Err(ExchangeError::Unbound)));
    let bound = json(&format!(r#"{XY},["integral01",1,0]"#), 2);
    assert!(matches!(DynMap::from_json(&bound), Err(ExchangeError::Bound { record: 2, variable: 1 })));
    assert!(matches!(DynMap::from_json(&json(XY, 2)), Err(ExchangeError::Reference { record: 2 })));
    let later = json(XY, 0).replace(r#""version":1"#, r#""version":2"#);
    assert!(matches!(DynMap::from_json(&later), Err(ExchangeError::Version { found: 2, latest: 1 })));
    assert!(matches!(DynMap::from_bytes(b""), Err(ExchangeError::Format)));
    let bytes = maps()[0].to_bytes().unwrap();
    assert!(matches!(DynMap::from_bytes(&[&bytes[..], b"!"].concat()), Err(ExchangeError::Trailing { .. })));
    for end in MAGIC.len()..bytes.len() {
        assert!(DynMap::from_bytes(&bytes[..end]).is_err(), "a part of a map is none");
    }
    let zero = Map::<U1, U1>::id();
    let direction = Map::<(U1, U1), U1>::second();
    let own = Map::fold_der(&zero.sin(), &direction);
    assert!(matches!(own.to_bytes(), Err(ExchangeError::Primitive { .. })));
}

/// Whatever is written can be read: binders that are too deep for reading are refused in writing.
#[test]
fn what_could_not_be_read_is_not_written() {
    for (depth, is_written) in [(63, true), (64, true), (65, false), (200, false)] {
        let (t, x) = (Variable::fresh(), Variable::fresh());
        let mut body = Graph::binary(Binary::Multiply, &Graph::variable(t), &Graph::variable(x));
        for _ in 0..depth {
            body = Graph::binary(Binary::Add, &Graph::integral(t, body), &Graph::variable(t));
        }
        let map = DynMap::of_graphs(&[t, x], &[body]).unwrap();
        let [bytes, json] = [
            map.to_bytes().and_then(|bytes| DynMap::from_bytes(&bytes)),
            map.to_json().and_then(|text| DynMap::from_json(&text)),
        ];
        for found in [&bytes, &json] {
            assert_eq!(found.is_ok(), is_written, "{depth}: {found:?}");
        }
        let refused = [map.to_bytes().err(), map.to_json().err()];
        assert!(refused.iter().all(|error| error.is_some() != is_written), "{depth}: {refused:?}");
    }
}

/// Bytes changed at random: most are refused, and what is read is a map that can be written.
#[test]
fn hostile_bytes_are_a_map_or_an_error() {
    let files: Vec<_> = maps().iter().map(|map| map.to_bytes().unwrap()).collect();
    let mut random = SplitMix64::new(25);
    let (mut read, mut refused) = (0, 0);
    for _ in 0..40_000 {
        let mut bytes = random.pick(&files).clone();
        for _ in 0..1 + random.next_below(4) {
            let at = random.next_below(bytes.len());
            match random.next_below(5) {
                0 => bytes[at] = random.next() as u8,
                1 => bytes[at] ^= 1 << random.next_below(8),
                2 => bytes.insert(at, random.next() as u8),
                3 => drop(bytes.remove(at)),
                _ => {
                    let other = random.pick(&files);
                    let from = random.next_below(other.len());
                    bytes.splice(at..at, other[from..(from + 8).min(other.len())].iter().copied());
                }
            }
        }
        match DynMap::from_bytes(&bytes) {
            Ok(map) => {
                let again = map.to_bytes().unwrap();
                assert_eq!(DynMap::from_bytes(&again).unwrap().to_bytes().unwrap(), again);
                read += 1;
            }
            Err(_) => refused += 1,
        }
    }
    assert!(read > 1_000 && refused > 10_000, "{read} read, {refused} refused");
}

#[test]
fn hostile_json_is_a_map_or_an_error() {
    let files: Vec<_> = maps().iter().map(|map| map.to_json().unwrap().into_bytes()).collect();
    let mut random = SplitMix64::new(26);
    let mut refused = 0;
    for _ in 0..10_000 {
        let mut bytes = random.pick(&files).clone();
        for _ in 0..1 + random.next_below(3) {
            let at = random.next_below(bytes.len());
            bytes[at] = *random.pick(b"0123456789,[]\"-/xe{}");
        }
        refused += usize::from(DynMap::from_json(&String::from_utf8_lossy(&bytes)).is_err());
    }
    assert!(refused > 1_000, "{refused} refused");
}

/// The digits of a number in base 128.
fn natural(mut n: u64) -> Vec<u8> {
    let mut digits = Vec::new();
    while n >= 0x80 {
        digits.push(n as u8 | 0x80);
        n >>= 7;
    }
    digits.push(n as u8);
    digits
}

/// A file of one input, with operations of these names, and records that are bytes already.
fn file(names: &[&str], count: u64, records: &[u8], output: u64) -> Vec<u8> {
    let mut bytes = [MAGIC, &[1, 1], &natural(names.len() as u64)].concat();
    for name in names {
        bytes.extend(natural(name.len() as u64));
        bytes.extend(name.as_bytes());
    }
    [bytes, natural(count), records.to_vec(), vec![1], natural(output)].concat()
}

/// Tests that take more than half a second: `cargo quick` passes them over.
mod slow {
    use super::*;

    #[test]
    fn what_would_fill_the_memory_is_refused() {
        // a length that nothing has
        let claimed = [MAGIC, &[1], &natural(1 << 60)[..]].concat();
        assert!(matches!(DynMap::from_bytes(&claimed), Err(ExchangeError::TooLarge { .. })));
        let claimed = file(&["pi"], 1 << 40, &[0; 9], 0);
        assert!(matches!(DynMap::from_bytes(&claimed), Err(ExchangeError::Damaged { .. })));
        // x + x + …, so deep that other traversals would take too much
        let deep = |levels: u64| {
            file(&["variable", "negate"], levels + 1, &[&[0, 0], &[1, 1].repeat(levels as usize)[..]].concat(), levels)
        };
        assert!(matches!(DynMap::from_bytes(&deep(200_000)), Err(ExchangeError::TooLarge { .. })));
        let map = DynMap::from_bytes(&deep(100_000)).unwrap();
        assert_eq!(map.to_bytes().unwrap(), deep(100_000));
        assert_eq!(*Map::from_dyn(map).doubles_slice(&[2.5]).unwrap()[0].lo(), 2.5);
        // constants of many bits, one from the other by two bytes
        let sums: Vec<u8> = (1..1 << 18).flat_map(|back| [&[2][..], &natural(back), &natural(back)].concat()).collect();
        let squares = file(
            &["rational", "multiply", "add"],
            (1 << 18) + 12,
            &[&[0, 1, 1, b'3'][..], &[1, 1, 1].repeat(12), &sums].concat(),
            0,
        );
        assert!(matches!(DynMap::from_bytes(&squares), Err(ExchangeError::TooLarge { what: "bits of constants", .. })));
        // binders within binders
        let mut nodes = r#"["variable",2]"#.to_owned();
        (0..100).for_each(|level| nodes += &format!(r#",["integral01",2,{level}]"#));
        assert!(matches!(DynMap::from_json(&json(&nodes, 100)), Err(ExchangeError::TooLarge { .. })));
        // lists within lists
        assert!(DynMap::from_json(&"[".repeat(1 << 20)).is_err());
        let long = json(&format!(r#"["rational","{}"]"#, "7".repeat(100_000)), 0);
        assert!(DynMap::from_json(&long).unwrap().outputs()[0].as_rational() > Some(&Rational::from(1)));
    }
}
