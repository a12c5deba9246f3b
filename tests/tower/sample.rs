//! Deterministic random numbers, vectors, maps and graphs.

use super::support::{Map, Num, map, number};
use smoothish::number::{Function, Rational};
use smoothish::smooth::graph::{Binary, Graph, Unary, Variable};
use smoothish::smooth::tower::{Tower, elementary, kink, primitive};

/// SplitMix64.
pub struct Random(u64);

impl Random {
    pub fn new(seed: u64) -> Self {
        Self(seed)
    }

    pub fn bits(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9e3779b97f4a7c15);
        let z = (self.0 ^ (self.0 >> 30)).wrapping_mul(0xbf58476d1ce4e5b9);
        let z = (z ^ (z >> 27)).wrapping_mul(0x94d049bb133111eb);
        z ^ (z >> 31)
    }

    pub fn below(&mut self, n: usize) -> usize {
        (self.bits() % n as u64) as usize
    }

    pub fn one_in(&mut self, n: usize) -> bool {
        self.below(n) == 0
    }

    pub fn choose<T: Clone>(&mut self, from: &[T]) -> T {
        from[self.below(from.len())].clone()
    }

    /// A dyadic between -2 and 2, half of them an integer, where kinks and edges lie.
    pub fn dyadic(&mut self) -> Rational {
        if self.one_in(2) {
            Rational::from(self.below(3) as i64 - 1)
        } else {
            Rational::from((self.below(65) as i64 - 32, 16))
        }
    }

    pub fn point(&mut self, n: usize) -> Vec<Rational> {
        let first = self.dyadic();
        // equal coordinates put max(x, y) on its kink
        (0..n).map(|_| if self.one_in(3) { first.clone() } else { self.dyadic() }).collect()
    }

    pub fn direction(&mut self, n: usize) -> Vec<Rational> {
        (0..n).map(|_| Rational::from(self.below(7) as i64 - 3)).collect()
    }

    /// A dyadic that is no integer.
    pub fn odd_dyadic(&mut self) -> Num {
        number(2 * self.below(64) as i64 - 63, 32)
    }
}

/// A random map ℝⁿ ⇝ ℝᵐ made of a few primitives, smooth everywhere.
pub fn smooth_map(random: &mut Random, inputs: usize, outputs: usize) -> Map {
    (0..outputs).fold(Tower::terminal(inputs), |tuple, _| map(tuple.pair(&smooth_function(random, inputs))))
}

fn smooth_function(random: &mut Random, inputs: usize) -> Map {
    let any = |random: &mut Random| {
        let index = random.below(inputs);
        Tower::linear(&smoothish::smooth::tower::Linear::select(inputs, [index]))
    };
    let mut f = any(random);
    for _ in 0..1 + random.below(3) {
        let g = any(random);
        f = match random.below(7) {
            0 => map(map(f.pair(&g)).then(&primitive::product())),
            1 => map(map(f.pair(&g)).then(&primitive::sum())),
            2 => map(map(f.pair(&g)).then(&primitive::difference())),
            3 => map(f.then(&elementary::function(Function::Sin))),
            4 => map(f.then(&elementary::function(Function::Atan))),
            5 => map(f.then(&primitive::power(2, 1))),
            _ => map(f.then(&elementary::function(Function::Cos))),
        };
    }
    f
}

/// A random map with kinks.
pub fn kinked_map(random: &mut Random, inputs: usize, outputs: usize) -> Map {
    let piece = |random: &mut Random| {
        let (f, g) = (smooth_function(random, inputs), smooth_function(random, inputs));
        match random.below(4) {
            0 => map(map(f.pair(&g)).then(&kink::maximum())),
            1 => map(map(f.pair(&g)).then(&kink::minimum())),
            2 => map(f.then(&kink::relu())),
            _ => map(f.then(&kink::absolute())),
        }
    };
    (0..outputs).fold(Tower::terminal(inputs), |tuple, _| map(tuple.pair(&piece(random))))
}

/// Random graphs with shared nodes.
pub struct Graphs {
    /// How many derivative nodes may be nested.
    pub derivatives: usize,
    /// Whether there are kinks and functions that are not defined everywhere.
    pub edges: bool,
}

impl Graphs {
    /// A graph of `operations` operations on the variables.
    pub fn draw(&self, random: &mut Random, variables: &[Variable], operations: usize) -> Graph {
        let mut pool: Vec<_> = variables.iter().map(|v| Graph::variable(*v)).collect();
        for _ in 0..operations {
            let next = self.operation(random, &pool);
            pool.push(next);
        }
        pool.swap_remove(pool.len() - 1)
    }

    fn pick(&self, random: &mut Random, pool: &[Graph]) -> Graph {
        match random.below(6) {
            0 => Graph::rational(random.dyadic()),
            1 | 2 => random.choose(pool),
            _ => pool[pool.len() - 1 - random.below(pool.len().min(2))].clone(),
        }
    }

    fn operation(&self, random: &mut Random, pool: &[Graph]) -> Graph {
        let a = self.pick(random, pool);
        let b = self.pick(random, pool);
        let one = Graph::integer(1);
        let positive = |a: &Graph| Graph::binary(Binary::Add, &one, &Graph::binary(Binary::Multiply, a, a));
        if self.derivatives > 0 && random.one_in(4) {
            return self.derivative(random, pool, a, b);
        }
        match random.below(if self.edges { 20 } else { 12 }) {
            0 => Graph::binary(Binary::Add, &a, &b),
            1 => Graph::binary(Binary::Subtract, &a, &b),
            2 | 3 => Graph::binary(Binary::Multiply, &a, &b),
            4 => Graph::binary(Binary::Divide, &a, &positive(&b)),
            5 => Graph::unary(Unary::Negate, &a),
            6 => power(&a, 2 + random.below(3) as i64, 1),
            7 => power(&positive(&a), random.choose(&[-1, 1, 3]), 2),
            8 | 9 => {
                let total =
                    [Function::Sin, Function::Cos, Function::Atan, Function::Tanh, Function::Asinh, Function::Exp];
                Graph::function(random.choose(&total), &a)
            }
            10 => Graph::function(random.choose(&[Function::Log, Function::Sqrt, Function::Cbrt]), &positive(&a)),
            11 => {
                Graph::function(random.choose(&[Function::Sinh, Function::Cosh]), &Graph::function(Function::Sin, &a))
            }
            12 | 13 => Graph::binary(Binary::Maximum, &a, &b),
            14 => Graph::binary(Binary::Minimum, &a, &b),
            15 => Graph::unary(Unary::Abs, &a),
            16 => Graph::unary(Unary::Signum, &a),
            17 => Graph::binary(Binary::Divide, &a, &b),
            18 => {
                let exponents = [(1, 2), (3, 2), (1, 3), (2, 3), (5, 3), (-1, 3), (-1, 1), (-2, 1), (4, 3), (7, 2)];
                let (p, q) = random.choose(&exponents);
                power(&a, p, q)
            }
            _ => {
                use Function::{Acos, Acosh, Asin, Atanh, Cbrt, Log, Sqrt, Tan};
                Graph::function(random.choose(&[Acos, Acosh, Asin, Atanh, Cbrt, Log, Sqrt, Tan]), &a)
            }
        }
    }

    fn derivative(&self, random: &mut Random, pool: &[Graph], at: Graph, along: Graph) -> Graph {
        let bound = Variable::fresh();
        let mut inner: Vec<_> = if random.one_in(2) { Vec::new() } else { vec![random.choose(pool)] };
        inner.push(Graph::variable(bound));
        let graphs = Self { derivatives: self.derivatives - 1, edges: self.edges };
        for _ in 0..1 + random.below(3) {
            let next = graphs.operation(random, &inner);
            inner.push(next);
        }
        let along = if random.one_in(2) { along } else { Graph::integer(1) };
        Graph::derivative(vec![bound], inner.swap_remove(inner.len() - 1), vec![at], vec![along])
    }
}

fn power(a: &Graph, p: i64, q: i64) -> Graph {
    Graph::power(a, &Rational::from((p, q))).unwrap()
}

/// A graph as a formula, for messages.
pub fn formula(g: &Graph) -> String {
    use smoothish::smooth::graph::Operation;
    let list = |gs: &[Graph]| gs.iter().map(formula).collect::<Vec<_>>().join(", ");
    match g.operation() {
        Operation::Variable(v) => format!("{v:?}"),
        Operation::Rational(q) => format!("{q}"),
        Operation::Pi => "π".into(),
        Operation::Euler => "e".into(),
        Operation::Unary(f, a) => format!("{f:?}({})", formula(a)),
        Operation::Binary(f, a, b) => format!("{f:?}({}, {})", formula(a), formula(b)),
        Operation::Power(a, e) => format!("({})^({}/{})", formula(a), e.numerator, e.denominator),
        Operation::Primitive(p, xs) => format!("{p:?}({})", list(xs)),
        Operation::Derivative(d) => {
            format!("D[{:?}. {}]({})·({})", d.variables, formula(&d.body), list(&d.at), list(&d.along))
        }
        Operation::Second(p, v, body, _) => format!("{p:?}({v:?}. {})", formula(body)),
    }
}
