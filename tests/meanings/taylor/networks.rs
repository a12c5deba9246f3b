//! The examples of H §1 and §5.1, in `theories/network.theory`.

use crate::taylor::{ask, basis, derived, derived_at, floats, infer, is};
use smoothish::number::Rational;
use smoothish::syntax::ty::{Ty, TyKind};

fn numbers(ty: &Ty) -> usize {
    match ty.kind() {
        TyKind::Real => 1,
        TyKind::Tuple(parts) => parts.iter().map(numbers).sum(),
        other => panic!("{other:?}"),
    }
}

/// H1: (1) is a function of the input and of p = m(k + 1) + n(m + 1) + n + 1 parameters.
#[test]
fn networks_have_their_parameters() {
    for (program, [k, m, n]) in [("network234", [2, 3, 4]), ("network444", [4, 4, 4])] {
        let (_, ty) = infer(program);
        let TyKind::Function(domain, _) = ty.kind() else { panic!("{ty}") };
        let TyKind::Tuple(parts) = domain.kind() else { panic!("{ty}") };
        assert_eq!(numbers(&parts[0]), k);
        assert_eq!(numbers(&parts[1]), m * (k + 1) + n * (m + 1) + n + 1, "{program}");
    }
}

/// The weights of the network with k = m = n = 4, and its input.
fn weights() -> Vec<f64> {
    (0..49).map(|i| f64::from((i * 37 + 11) % 23 - 11) / 8.0).collect()
}

/// The network by plain loops: an oracle that has no functions of functions.
fn by_hand(numbers: &[f64]) -> f64 {
    let sigmoid = |z: f64| 1.0 / (1.0 + (-z).exp());
    let (input, mut rest) = numbers.split_at(4);
    let mut values = input.to_vec();
    for width in [4, 4, 1] {
        let mut next = Vec::new();
        for _ in 0..width {
            let (own, others) = rest.split_at(values.len() + 1);
            rest = others;
            let sum: f64 = own.iter().zip(&values).map(|(w, x)| w * x).sum();
            next.push(sigmoid(sum + own[values.len()]));
        }
        values = next;
    }
    values[0]
}

/// The argument of the network, with something for each of its 49 numbers.
fn argument(leaves: &[String]) -> String {
    let mut leaves = leaves.iter();
    let mut vector = |n: usize| {
        let parts: Vec<String> = (0..n).map(|_| leaves.next().expect("a leaf").clone()).collect();
        if n == 1 { parts[0].clone() } else { format!("({})", parts.join(", ")) }
    };
    let input = vector(4);
    let mut layer = || {
        let neurons: Vec<String> = (0..4).map(|_| format!("({}, {})", vector(4), vector(1))).collect();
        format!("({})", neurons.join(", "))
    };
    let (first, second) = (layer(), layer());
    let last = format!("({}, {})", vector(4), vector(1));
    format!("({input}, ({first}, ({second}, {last})))")
}

fn literal(x: f64) -> String {
    format!("({})", Rational::from_f64(x).expect("a number"))
}

/// H1: the gradient of the network (1) with k = m = n = 4 through 𝒟_(1,1) in floating-point numbers lies in the enclosures
/// of the presheaf model, parameter by parameter; and near the difference quotients of plain loops.
#[test]
fn gradient_of_a_network() {
    let numbers = weights();
    let leaves: Vec<String> = numbers.iter().map(|x| literal(*x)).collect();
    let value = ask(&format!("network444 {}", argument(&leaves))).remove(0);
    assert!((value.lo().to_f64() - by_hand(&numbers)).abs() < 1e-12);
    let network = derived("network444", &basis(1, 1)).expect("derived").format_program().expect("typed");
    for parameter in 0..49 {
        let mut varied = leaves.clone();
        varied[parameter] = "w".into();
        let certified =
            ask(&format!("deriv (\\w => network444 {}) {}", argument(&varied), leaves[parameter])).remove(0);
        let jets: Vec<String> =
            leaves.iter().enumerate().map(|(i, x)| format!("({x}, {})", u8::from(i == parameter))).collect();
        let dual = floats(&format!("({network}) {}", argument(&jets)));
        let slope = Rational::from_f64(dual[1]).expect("a number");
        assert!(certified.is_defined() && certified.contains(&slope), "{parameter}: {certified:?} {slope}");
        let step = 1e-6;
        let [up, down] = [step, -step].map(|step| {
            let mut moved = numbers.clone();
            moved[parameter] += step;
            by_hand(&moved)
        });
        assert!(((up - down) / (2.0 * step) - dual[1]).abs() < 1e-8, "{parameter}: {}", dual[1]);
    }
}

/// H26: a network on a list of inputs; nothing for an empty list, and the derivative is the sum of the derivatives.
#[test]
fn networks_on_lists() {
    let at =
        |list: &str| derived_at("batch neuron2", &basis(1, 1), &[&format!("({list}, (((3, 1), (-1, 0)), (-1, 0)))")]);
    is(&at("[]"), "(0, 0)");
    let one = |x: &str, y: &str| format!("deriv (\\w => neuron2 (({x}, {y}), ((w, -1), -1))) 3");
    let value = |x: &str, y: &str| format!("neuron2 (({x}, {y}), ((3, -1), -1))");
    is(
        &at("[((1, 0), (2, 0)), ((1/2, 0), (3, 0))]"),
        &format!("({} + {}, {} + {})", value("1", "2"), value("1/2", "3"), one("1", "2"), one("1/2", "3")),
    );
}

/// H27, E33: defaults for missing features come first, and have a derivative only where something is missing.
#[test]
fn networks_on_missing_data() {
    let (_, ty) = infer("fromMaybe2");
    assert_eq!(ty.to_string(), "Real^2 -> (Maybe Real)^2 -> Real^2");
    let data = "[(Just (1, 0), Nothing), (Just (2, 0), Just (5, 0))]";
    let at = |defaults: &str| {
        let argument = format!("({data}, ({defaults}, (((3, 0), (-1, 0)), (-1, 0))))");
        derived_at("withDefaults (batch neuron2)", &basis(1, 1), &[&argument])
    };
    is(&at("((0, 1), (2, 0))"), "(1, 0)");
    is(&at("((0, 0), (2, 1))"), "(1, 0 - 1/4)");
}
