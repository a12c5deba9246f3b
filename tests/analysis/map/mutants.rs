//! Categories, functors and transformations with one rule wrong: the laws refute each.

use super::support::random_map;
use smoothish::category::{Arrow, Cartesian, Category, Functor, NaturalTransformation, ObjectName, Setoid};
use smoothish::law::category as law;
use smoothish::random::SplitMix64;
use smoothish::smooth::dimension::EuclideanObject;
use smoothish::smooth::graph::{Binary, Graph, Unary, Variable};
use smoothish::smooth::map::category::jets_agree;
use smoothish::smooth::map::{Ad, DynMap, MapError, MapTestConfig, coordinate_graphs, coordinate_variables};
use smoothish::verdict::Verdict;
use std::sync::Arc;
use typenum::{Bit, U0, U1, U2, U3, UInt, UTerm, Unsigned};

/// Smoothish maps with dimensions at run time, and a rule replaced.
enum Mutant<const RULE: u8> {}

const NOTHING: u8 = 0;
const IDENTITY_NEGATES: u8 = 1;
const COMPOSITES_ARE_DOUBLED: u8 = 2;
const COMPOSITION_RECTIFIES: u8 = 3;
const PAIRS_FORGET: u8 = 4;
const FIRST_NEGATES: u8 = 5;
const SECOND_IS_SHIFTED: u8 = 6;

impl<const RULE: u8> ObjectName<Mutant<RULE>> for UTerm {
    fn object() -> EuclideanObject {
        <Self as ObjectName<Ad>>::object()
    }
}

impl<U: Unsigned + std::fmt::Debug, B: Bit + std::fmt::Debug, const RULE: u8> ObjectName<Mutant<RULE>> for UInt<U, B> {
    fn object() -> EuclideanObject {
        <Self as ObjectName<Ad>>::object()
    }
}

impl<A: ObjectName<Mutant<RULE>>, B: ObjectName<Mutant<RULE>>, const RULE: u8> ObjectName<Mutant<RULE>> for (A, B) {
    fn object() -> EuclideanObject {
        EuclideanObject::Product(Box::new(A::object()), Box::new(B::object()))
    }
}

type Wires = Arc<DynMap>;

fn arrow(inputs: usize, outputs: &[Graph]) -> Wires {
    Arc::new(DynMap::of_graphs(&coordinate_variables(inputs), outputs).unwrap())
}

/// The arrow with something done to each component.
fn each(f: &Wires, change: impl Fn(&Graph) -> Graph) -> Wires {
    arrow(f.input_count(), &f.outputs().iter().map(change).collect::<Vec<_>>())
}

fn after(f: &Wires, g: &Wires) -> Wires {
    let bindings: Vec<(Variable, Graph)> =
        coordinate_variables(g.input_count()).into_iter().zip(f.outputs().iter().cloned()).collect();
    arrow(f.input_count(), &g.outputs().iter().map(|y| y.substitute(&bindings)).collect::<Vec<_>>())
}

fn double(y: &Graph) -> Graph {
    Graph::binary(Binary::Add, y, y)
}

fn negate(y: &Graph) -> Graph {
    Graph::unary(Unary::Negate, y)
}

impl<const RULE: u8> Category for Mutant<RULE> {
    type Object = EuclideanObject;
    type Hom<A: ObjectName<Self>, B: ObjectName<Self>> = Wires;

    fn identity<A: ObjectName<Self>>() -> Wires {
        let n = A::object().size();
        let id = arrow(n, &coordinate_graphs(n));
        if RULE == IDENTITY_NEGATES { each(&id, negate) } else { id }
    }

    fn then<A: ObjectName<Self>, B: ObjectName<Self>, C: ObjectName<Self>>(f: &Wires, g: &Wires) -> Wires {
        match RULE {
            COMPOSITES_ARE_DOUBLED => each(&after(f, g), double),
            COMPOSITION_RECTIFIES => after(&each(f, |y| Graph::binary(Binary::Maximum, y, &Graph::integer(0))), g),
            _ => after(f, g),
        }
    }
}

impl<const RULE: u8> Cartesian for Mutant<RULE> {
    type Terminal = U0;
    type Product<A: ObjectName<Self>, B: ObjectName<Self>> = (A, B);

    fn terminal<A: ObjectName<Self>>() -> Wires {
        arrow(A::object().size(), &[])
    }

    fn pair<X: ObjectName<Self>, A: ObjectName<Self>, B: ObjectName<Self>>(f: &Wires, g: &Wires) -> Wires {
        let g = if RULE == PAIRS_FORGET { each(g, |_| Graph::integer(0)) } else { g.clone() };
        arrow(f.input_count(), &[f.outputs(), g.outputs()].concat())
    }

    fn first<A: ObjectName<Self>, B: ObjectName<Self>>() -> Wires {
        let (a, b) = (A::object().size(), B::object().size());
        let first = arrow(a + b, &coordinate_graphs(a + b)[..a]);
        if RULE == FIRST_NEGATES { each(&first, negate) } else { first }
    }

    fn second<A: ObjectName<Self>, B: ObjectName<Self>>() -> Wires {
        let (a, b) = (A::object().size(), B::object().size());
        let second = arrow(a + b, &coordinate_graphs(a + b)[a..]);
        let shift = |y: &Graph| Graph::binary(Binary::Add, y, &Graph::integer(1));
        if RULE == SECOND_IS_SHIFTED { each(&second, shift) } else { second }
    }
}

impl<const RULE: u8> Setoid for Mutant<RULE> {
    type Trial = MapTestConfig;
    type Error = MapError;

    fn agree<A: ObjectName<Self>, B: ObjectName<Self>>(
        left: &Wires,
        right: &Wires,
        trial: &MapTestConfig,
    ) -> Result<Verdict, MapError> {
        jets_agree(left, right, trial)
    }
}

fn trial() -> MapTestConfig {
    MapTestConfig { sample_points: 8, ..MapTestConfig::default() }
}

/// The laws that random smooth maps refute, by name.
fn refuted<const RULE: u8>() -> Vec<&'static str> {
    let trial = trial();
    let mut found = Vec::new();
    for seed in 0..4 {
        let mut random = SplitMix64::new(seed);
        let mut two = || random_map::<U2, 2>(&mut random, false).as_dyn().clone();
        let (a, b, c, h) = (two(), two(), two(), two());
        let f = Arrow::<Mutant<RULE>, U2, (U1, U1)>(arrow(2, &[a.outputs(), b.outputs()].concat()));
        let g = Arrow::<Mutant<RULE>, (U1, U1), U2>(arrow(2, &[b.outputs(), c.outputs()].concat()));
        let h = Arrow::<Mutant<RULE>, U2, U1>(h);
        let laws = [
            ("identity", law::identity(&f, &trial)),
            ("associativity", law::associativity(&f, &g, &h, &trial)),
            ("projections", law::product_beta(&f, &h, &trial)),
            ("surjective pairing", law::product_eta::<Mutant<RULE>, U2, U1, U1>(&f, &trial)),
            ("fusion", law::product_fusion(&g, &f, &h, &trial)),
        ];
        for (name, verdict) in laws {
            match verdict.unwrap() {
                Verdict::Refuted { left, right, .. } => {
                    assert_ne!(left, right);
                    found.push(name);
                }
                verdict => assert_eq!(verdict, Verdict::Survived, "{name}"),
            }
        }
    }
    found.sort_unstable();
    found.dedup();
    found
}

#[test]
fn wrong_categories_are_refuted() {
    assert_eq!(refuted::<NOTHING>(), [""; 0]);
    assert!(refuted::<IDENTITY_NEGATES>().contains(&"identity"));
    let doubled = refuted::<COMPOSITES_ARE_DOUBLED>();
    assert!(doubled.contains(&"identity") && doubled.contains(&"associativity"), "{doubled:?}");
    assert!(refuted::<COMPOSITION_RECTIFIES>().contains(&"identity"));
    assert!(refuted::<PAIRS_FORGET>().contains(&"projections"));
    assert!(refuted::<FIRST_NEGATES>().contains(&"surjective pairing"));
    assert!(refuted::<SECOND_IS_SHIFTED>().contains(&"projections"));
}

/// A ↦ A × A, with a wrong map of arrows.
enum Doubled<const RULE: u8> {}

type Plain = Mutant<NOTHING>;

const BOTH: u8 = 0;
const SLOPE_IS_DOUBLED: u8 = 1;
const POINT_IS_FORGOTTEN: u8 = 2;

impl<const RULE: u8> Functor for Doubled<RULE> {
    type From = Plain;
    type To = Plain;
    type On<A: ObjectName<Plain>> = (A, A);

    fn map<A: ObjectName<Plain>, B: ObjectName<Plain>>(f: &Wires) -> Wires {
        let n = f.input_count();
        let all = coordinate_graphs(2 * n);
        let at = |graphs: &[Graph], point: &[Graph]| -> Vec<Graph> {
            let bindings: Vec<_> = coordinate_variables(n).into_iter().zip(point.iter().cloned()).collect();
            graphs.iter().map(|g| g.substitute(&bindings)).collect()
        };
        let (x, v) = (&all[..n], &all[n..]);
        let point = if RULE == POINT_IS_FORGOTTEN { vec![Graph::integer(0); n] } else { x.to_vec() };
        let slope = f.outputs().iter().map(|y| {
            let slope = Graph::derivative(coordinate_variables(n), y.clone(), point.clone(), v.to_vec());
            if RULE == SLOPE_IS_DOUBLED { double(&slope) } else { slope }
        });
        arrow(2 * n, &[at(f.outputs(), x), slope.collect()].concat())
    }
}

/// `x ↦ (x, 1)`, which is no natural tangent: 1 is not linear.
enum UnitSection {}

enum Plainly {}

impl Functor for Plainly {
    type From = Plain;
    type To = Plain;
    type On<A: ObjectName<Plain>> = A;

    fn map<A: ObjectName<Plain>, B: ObjectName<Plain>>(f: &Wires) -> Wires {
        f.clone()
    }
}

impl NaturalTransformation for UnitSection {
    type Source = Plain;
    type Domain = Plainly;
    type Codomain = Doubled<BOTH>;

    fn component<A: ObjectName<Plain>>() -> Wires {
        let n = A::object().size();
        arrow(n, &[coordinate_graphs(n), vec![Graph::integer(1); n]].concat())
    }
}

#[test]
fn wrong_functors_and_transformations_are_refuted() {
    let trial = trial();
    let (mut forgotten, mut units) = (0, 0);
    for seed in 40..46 {
        let mut random = SplitMix64::new(seed);
        let mut two = || random_map::<U2, 2>(&mut random, false).as_dyn().clone();
        let f = Arrow::<Plain, U2, U2>(arrow(2, &[two().outputs(), two().outputs()].concat()));
        let g = Arrow::<Plain, U2, U1>(two());
        let composition = law::functor_composition::<Doubled<BOTH>, U2, U2, U1>(&f, &g, &trial);
        assert_eq!(composition.unwrap(), Verdict::Survived);
        let composition = law::functor_composition::<Doubled<POINT_IS_FORGOTTEN>, U2, U2, U1>(&f, &g, &trial);
        forgotten += usize::from(composition.unwrap().is_refuted());
        units += usize::from(law::naturality::<UnitSection, U2, U1>(&g, &trial).unwrap().is_refuted());
    }
    assert!(forgotten > 0 && units > 0, "{forgotten}, {units}");
    assert_eq!(law::functor_identity::<Doubled<BOTH>, U3>(&trial).unwrap(), Verdict::Survived);
    assert!(law::functor_identity::<Doubled<SLOPE_IS_DOUBLED>, U3>(&trial).unwrap().is_refuted());
}
