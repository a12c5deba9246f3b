"""Gradients of JAX at kinks of several variables, Jacobians and Hessians: sets that are derived by hand."""

import json
import pickle

import numpy
import pytest
import smoothish

jax = pytest.importorskip("jax")
jnp, nn = jax.numpy, jax.nn
jax.config.update("jax_enable_x64", True)

IN, OUT, OPEN = "CERTIFIED_IN", "CERTIFIED_OUT", "UNKNOWN"
NAN = float("nan")

KINKS = [
    # the unit disc; jax answers NaN
    (jnp.linalg.norm, [0.0, 0.0], [([0.6, 0.8], IN), ([1.0, 1.0], OUT), ([NAN, NAN], OUT), (None, OUT)]),
    # the disc with the radius 1/sqrt(3) in the plane where the sum is 0
    (
        jnp.std,
        [1.0, 1.0, 1.0],
        [([1 / 3, -1 / 6, -1 / 6], IN), ([0.5, -0.25, -0.25], OUT), ([0.1, 0.1, 0.1], OUT), (None, OUT)],
    ),
    # the simplex
    (jnp.max, [2.0] * 4, [([1.0] * 4, OUT), ([0.1, 0.2, 0.3, 0.4], IN), (None, IN)]),
    (jnp.max, [2.0, 1.0, 2.0], [([0.5, 0.1, 0.4], OUT), ([0.5, 0.0, 0.5], IN)]),
    # x + y, whose derivative by x jax takes for 0
    (lambda x: nn.relu(x[0]) - nn.relu(-x[0]) + x[1], [0.0, 1.0], [([1.0, 1.0], IN), (None, OUT)]),
    # the square
    (lambda x: jnp.abs(jnp.abs(x[0]) - jnp.abs(x[1])), [0.0, 0.0], [([1.0, 0.0], IN), ([1.1, 0.0], OUT), ([-1.0, 1.0], IN)]),
    # continuous at 0, and not near it
    (lambda x: jnp.where(x[0] > 0, x[1], 0.0), [0.0, 0.0], [([0.0, 0.0], OPEN), ([0.0, 1.0], OPEN), ([0.0, 0.5], OPEN)]),
    # {0} × [-1, 1]; between y = 0 and y = x² there is no ray
    (
        lambda x: jnp.maximum(0.0, jnp.minimum(x[1], x[0] ** 2 - x[1])),
        [0.0, 0.0],
        [([0.0, 0.5], OPEN), ([0.0, 1.5], OUT), ([0.0, 0.0], IN)],
    ),
    # the safe norm: 0 where it is 0
    (
        lambda x: jnp.where(jnp.sum(x * x) == 0, 0.0, jnp.sqrt(jnp.where(jnp.sum(x * x) == 0, 1.0, jnp.sum(x * x)))),
        [0.0, 0.0, 0.0],
        [(None, IN), ([0.0, 0.6, 0.8], IN), ([1.0, 1.0, 0.0], OUT)],
    ),
    # a hinge between classes at a tie: the gradients of 1 + z1 - z0 and 1 + z2 - z0
    (
        lambda z: jnp.max(jnp.array([0.0, 1.0 + z[1] - z[0], 1.0 + z[2] - z[0]])),
        [1.0, 2.0, 2.0],
        [([-1.0, 0.5, 0.5], IN), ([-1.0, 0.75, 0.75], OUT), ([-0.5, 0.25, 0.25], OUT)],
    ),
]


@pytest.mark.parametrize("place", range(len(KINKS)))
def test_kinks_of_several_variables(place):
    f, x, claims = KINKS[place]
    for claim, expected in claims:
        report = smoothish.audit(f, jnp.array(x), None if claim is None else jnp.array(claim), timeout=60)
        assert report.verdict == expected, (claim, report)
        finite = claim is not None and all(map(numpy.isfinite, claim))
        if expected == OUT and finite:
            # no side of a border gives these, and no mean
            assert report.cause == "unexplained", report


def test_borders_have_places():
    report = smoothish.audit(lambda x: jnp.abs(jnp.abs(x[0]) - jnp.abs(x[1])), jnp.zeros(2), [1.0, 0.0])
    assert len(report.borders) == 3 and all("test_kinks.py" in place for place in report.borders), report
    # of norms that are balls the ends are exact, and others have the digits of their type
    assert smoothish.audit(lambda x: jnp.sqrt(x @ x), jnp.zeros(2), [1.0, 0.0]).set[0] == smoothish.Interval(-1, 1)
    assert len(repr(smoothish.audit(jnp.std, jnp.ones(3), [0.0, 0.0, 0.0]).set[0])) < 60


def test_hessians():
    # by mpmath: s(1 - s) for s = 1/(1 + e)
    f, x = (lambda x: jax.scipy.special.logsumexp(x)), jnp.array([0.0, 1.0])
    s = 0.19661193324148185
    report = smoothish.check_grad(f, x, order=2)
    assert report.right and all(slope.lo <= s <= slope.hi or slope.lo <= -s <= slope.hi for slope in report.set), report
    assert smoothish.audit(f, x, [[s, -s], [-s, s]], order=2).right
    wrong = smoothish.audit(f, x, jnp.array([[s, -s], [s, s]]), order=2)
    assert wrong.right is False and wrong.coordinate == "2, 1", wrong
    # of trees: paths of both
    pairs = smoothish.audit(lambda p: p["a"] * p["b"][0] ** 2, {"a": jnp.array(2.0), "b": jnp.array([3.0])}, order=2)
    assert pairs.right and [float(slope) for slope in pairs.set] == [0, 6, 6, 4], pairs
    assert pairs.paths[1] == "['a'], ['b'][0]", pairs.paths
    # of programs
    assert smoothish.audit("\\x => sin x", 0.5, -0.479425538604203, order=2).right
    assert smoothish.audit("\\x y => x^2 * y", [3, 5], [[10.0, 6.0], [6.0, 0.0]], order=2).right
    assert smoothish.audit("\\x y => x^2 * y", [3, 5], [10.0, 6.0, 6.0, 1.0], order=2).coordinate == "2, 2"
    # on a border nothing is said
    assert smoothish.audit(lambda x: nn.relu(x[0]) * x[1], jnp.array([0.0, 1.0]), order=2).verdict == OPEN
    # the second derivative of x³ is 6x
    with pytest.raises(smoothish.GradientError, match="coordinate 1, 1: 7.0 is off by 1"):
        smoothish.check_grad(lambda x: x[0] ** 3 + x[1], jnp.array([1.0, 1.0]), [[7.0, 0.0], [0.0, 0.0]], order=2)
    for options, words in (
        ({"order": 3}, "order is 1, or 2"),
        ({"order": 2, "grad": [1.0, 2.0, 3.0]}, "a Hessian of 3 numbers, where x has 2 numbers"),
        ({"order": 2, "direction": [1.0, 0.0]}, "first order"),
    ):
        with pytest.raises(ValueError, match=words):
            smoothish.audit(f, x, **options)


def test_jacobians():
    x = jnp.array([0.5, -1.0, 3.0])
    reports = smoothish.check_jacobian(jax.nn.softmax, x)
    assert [report.right for report in reports] == [True] * 3
    assert smoothish.check_jacobian(jax.nn.softmax, x, jax.jacobian(jax.nn.softmax)(x))[1].right
    wrong = jax.jacobian(jax.nn.softmax)(x).at[1, 2].multiply(1.01)
    with pytest.raises(smoothish.GradientError) as caught:
        smoothish.check_jacobian(jax.nn.softmax, x, wrong)
    assert "number 1 of the value" in str(caught.value) and "coordinate 3: " in str(caught.value), caught.value

    # a tree of arrays, of two arguments and a whole number
    def tree(p, n):
        return {"sum": jnp.sum(p["w"]) * n, "both": p["w"] * p["b"]}

    point = ({"w": jnp.array([1.0, 2.0]), "b": jnp.array(3.0)}, 2)
    assert all(report.right for report in smoothish.check_jacobian(tree, point, argnums=0))
    many = smoothish.check_jacobian(lambda p: tree(p, 2), point[0], jax.jacobian(lambda p: tree(p, 2))(point[0]))
    assert len(many) == 3 and all(report.right for report in many)
    for wrong, error, words in (
        ((jax.nn.softmax, x, jnp.ones((3, 2))), ValueError, r"a Jacobian of the shape \(3, 2\), where \(3, 3\) is wanted"),
        (("\\x => x", 0.0), TypeError, "expected a function of JAX"),
        ((lambda x: (), x), ValueError, "answers no number"),
    ):
        with pytest.raises(error, match=words):
            smoothish.check_jacobian(*wrong)
    with pytest.raises(ValueError, match="accept is one of"):
        smoothish.check_jacobian(jax.nn.softmax, x, accept="all")


def test_errors_name_the_worst_coordinates():
    weights = {"w": jnp.linspace(-1.0, 1.0, 12).reshape(3, 4), "b": jnp.zeros(3)}

    def loss(p):
        return jnp.sum(jnp.tanh(p["w"] @ jnp.ones(4) + p["b"]) ** 2)

    right = jax.grad(loss)(weights)
    wrong = {"w": right["w"] + jnp.arange(12.0).reshape(3, 4) / 100, "b": right["b"]}
    with pytest.raises(smoothish.GradientError) as caught:
        smoothish.check_grad(loss, weights, wrong)
    lines = str(caught.value).splitlines()
    assert "a gradient of 15 numbers" in lines[0], lines
    # eleven are off, and the first of them by the most
    assert [line.startswith("  coordinate ['w'][") for line in lines[1:9]] == [True] * 8, lines
    assert lines[9] == "  and 3 coordinates more are off", lines
    assert pickle.loads(pickle.dumps(caught.value)).report.paths[0] == "['b'][0]"
    few = smoothish.audit("\\x y => x * y", [2, 3], [3.0, 2.5])
    assert "coordinate 2: 2.5 is off by 0.5; the derivative is 2" in str(smoothish.GradientError(few))


def test_lists_of_steps_have_kinks():
    steps = [["input", 0], ["input", 1], ["dot", [0, 1], [0, 1]], ["sqrt", 2]]
    text = json.dumps({"format": "smoothish steps", "version": 2, "steps": steps})
    assert smoothish.audit(text, [0, 0], [0.6, -0.8]).right
    assert smoothish.audit(text, [0, 0], [0.7, -0.8]).cause == "unexplained"
