//! Categories, functors and transformations with one rule wrong: the laws refute each.

use super::support::random_map;
use smoothish::category::{Arrow, Cartesian, Category, Functor, Names, NaturalTransformation, Setoid};
use smoothish::law::category as law;
use smoothish::random::Random;
use smoothish::smooth::dimension::Object;
use smoothish::smooth::graph::{Binary, Unary};
use smoothish::smooth::map::category::IdentityFunctor;
use smoothish::smooth::map::error::MapError;
use smoothish::smooth::map::{Ad, Map, Trial};
use smoothish::verdict::Verdict;
use typenum::{Bit, U0, U1, U2, UInt, UTerm, Unsigned};

/// Smoothish maps, with a rule replaced.
enum Wrong<const RULE: u8> {}

/// Nothing is replaced.
const NOTHING: u8 = 0;
const IDENTITY_NEGATES: u8 = 1;
const COMPOSITES_ARE_DOUBLED: u8 = 2;
const COMPOSITION_RECTIFIES: u8 = 3;
const PAIRS_FORGET: u8 = 4;
const FIRST_NEGATES: u8 = 5;
const SECOND_IS_SHIFTED: u8 = 6;

fn double<A, B>(f: &Map<A, B>) -> Map<A, B> {
    f.binary(Binary::Add, f)
}

fn zero<A, B>(f: &Map<A, B>) -> Map<A, B> {
    f.binary(Binary::Subtract, f)
}

impl<const RULE: u8> Names<Wrong<RULE>> for UTerm {
    fn object() -> Object {
        <Self as Names<Ad>>::object()
    }
}

impl<U: Unsigned, B: Bit, const RULE: u8> Names<Wrong<RULE>> for UInt<U, B> {
    fn object() -> Object {
        <Self as Names<Ad>>::object()
    }
}

impl<A: Names<Wrong<RULE>>, B: Names<Wrong<RULE>>, const RULE: u8> Names<Wrong<RULE>> for (A, B) {
    fn object() -> Object {
        Object::Product(Box::new(A::object()), Box::new(B::object()))
    }
}

/// The identity on an object that only the wrong category knows by its type.
fn select<A, B>(inputs: usize, components: std::ops::Range<usize>) -> Map<A, B> {
    use smoothish::smooth::graph::{Graph, Variable};
    let variables: Vec<Variable> = (0..inputs).map(|_| Variable::fresh()).collect();
    let graphs: Vec<Graph> = components.map(|i| Graph::variable(variables[i])).collect();
    Map::of_parts(&variables, &graphs)
}

fn size<const RULE: u8, A: Names<Wrong<RULE>>>() -> usize {
    A::object().size()
}
