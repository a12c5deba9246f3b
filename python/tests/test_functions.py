"""Functions: at points, on arrays, their derivatives, as bytes."""

import fractions
import json
import pickle
import random

import numpy
import pytest
import smoothish

F = fractions.Fraction
BOTH = "\\x y => (x * sin x + max x y, x / y)"


def inside(batch, truth):
    """Whether arrays of ends are around numbers that are known, and close."""
    return bool(((batch.lo <= truth) & (truth <= batch.hi) & (batch.hi - batch.lo < 1e-12)).all())


def test_points():
    f = smoothish.compile(BOTH)
    assert (f.inputs, f.outputs) == (2, 2) and f.source == BOTH and f.nodes == 7
    value, quotient = f(1.0, 2.0)
    # by mpmath: sin 1 + 2
    assert "2.841470984807896506652502321630" in value and F(1, 2) in quotient
    assert f((1, 2)) == f([1.0, 2.0]) == f(numpy.array([1, 2])) == (value, quotient)
    assert not f(1.0, 0.0)[1].defined
    with pytest.raises(ValueError, match="2 coordinates, not 1"):
        f(1.0)
    with pytest.raises(ValueError, match="no float64"):
        f(F(1, 3), 2)
    with pytest.raises(ValueError, match="real number"):
        f(float("nan"), 1.0)
    with pytest.raises(TypeError, match="found complex"):
        f(1j, 1.0)
    exact = f.at((F(1, 3), "0.1"), "1e-25")
    assert F(10, 3) in exact[1] and exact[1].width <= F(1, 10**25)
    assert smoothish.compile("\\x => x^2").at("1/3", digits=10).digits == "0.111111111111…"


def test_arrays():
    f, one = smoothish.compile(BOTH), smoothish.compile("\\x => exp x")
    points = numpy.random.default_rng(1).uniform(0.5, 2, (1000, 2))
    batch = f.batch(points)
    x, y = points.T
    assert batch.lo.shape == (1000, 2) and batch.defined.all()
    assert inside(batch, numpy.stack([x * numpy.sin(x) + numpy.maximum(x, y), x / y], axis=1))
    assert f(points).lo.tolist() == batch.lo.tolist()
    for index in [0, 999]:
        found = f(*points[index])
        assert [(float(e.lo), float(e.hi)) for e in found] == list(zip(batch.lo[index], batch.hi[index]))
    assert one.batch([0, 1]).lo.shape == (2,) and one(numpy.array([0.0, 1.0])).hi.shape == (2,)
    assert one.batch(numpy.zeros((3, 1))).lo.shape == (3,)
    assert f.batch(numpy.float32([[0.1, 1]])).lo[0, 1] == f.batch([[float(numpy.float32(0.1)), 1.0]]).lo[0, 1]
    assert f.batch(numpy.zeros((0, 2))).lo.shape == (0, 2)
    # not in a row, of any layout
    assert f.batch(numpy.asfortranarray(points)).lo.tolist() == batch.lo.tolist()


def test_arrays_that_are_none():
    f = smoothish.compile(BOTH)
    for wrong, error in [
        (numpy.zeros((2, 3)), ValueError),
        (numpy.zeros((2, 2, 2)), ValueError),
        (numpy.zeros((2, 2), complex), TypeError),
        (numpy.zeros((2, 2), numpy.longdouble), TypeError),
        ([["a", "b"]], TypeError),
        ([[F(1, 3), 1]], TypeError),
        ([[2**53 + 1, 1]], ValueError),
    ]:
        with pytest.raises(error):
            f.batch(wrong)
    with pytest.raises(ValueError, match="point 1: coordinate 0"):
        f.batch([[1.0, 1.0], [numpy.inf, 1.0]])


def test_derivatives():
    f = smoothish.compile(BOTH)
    points = numpy.random.default_rng(2).uniform(0.5, 2, (100, 2))
    x, y = points.T
    slope = numpy.sin(x) + x * numpy.cos(x)
    truth = numpy.stack(
        [numpy.stack([slope + (x > y), y > x], axis=1), numpy.stack([1 / y, -x / y**2], axis=1)], axis=1
    )
    jacobian = f.jacobian(points)
    assert jacobian.lo.shape == (100, 2, 2) and inside(jacobian, truth)
    assert inside(f.jacobian(points[0]), truth[0])
    assert inside(f.vjp(points, [1, 2]), truth[:, 0] + 2 * truth[:, 1])
    rows = f.jacobian_at((1, 1), "1e-9")
    assert (rows[0][1].lo, rows[0][1].hi, rows[0][1].reached) == (0, 1, False), "a kink stays a set"
    assert F(-1) in rows[1][1]
    sum_of_squares = smoothish.compile("\\x y => x^2 + y^2 * x")
    assert inside(sum_of_squares.gradient(points), numpy.stack([2 * x + y**2, 2 * x * y], axis=1))
    assert [F(2, 3) + 4 in e for e in sum_of_squares.gradient_at(("1/3", 2))] == [True, False]
    with pytest.raises(ValueError, match="of one number, not of 2"):
        f.gradient(points)
    with pytest.raises(ValueError, match="2 components, not 3"):
        f.vjp(points, [1, 2, 3])


def test_solvers_have_derivatives():
    # the root of x³ + x = c has the slope 1/(3 x² + 1): at c = 2 it is 1, and the slope ¼
    root = smoothish.compile("\\c => cutRoot (\\x => c - x^3 - x)")
    assert 1 in root.at(2, "1e-20") and F(1, 4) in root.gradient_at(2, "1e-12")[0]
    found = root.jacobian(2.0)
    assert found.lo.shape == (1, 1) and found.lo[0, 0] <= 0.25 <= found.hi[0, 0]


def test_copies():
    for text in [
        BOTH,
        "\\x => integral01 (\\t => max x t) + argmax01 (\\t => t * (x - t))",
        "\\x => if x < 0 then 1 else x",
    ]:
        f = smoothish.compile(text)
        for g in [
            pickle.loads(pickle.dumps(f)),
            smoothish.Function.from_bytes(f.to_bytes()),
            smoothish.Function.from_json(f.to_json()),
        ]:
            x = [0.75] * f.inputs
            assert g(x) == f(x) and g.to_bytes() == f.to_bytes()
            assert g.__dask_tokenize__() == f.__dask_tokenize__() == smoothish.compile(text).__dask_tokenize__()
    assert pickle.loads(pickle.dumps(f)).source == f.source


def test_hostile_bytes():
    files = [smoothish.compile(text).to_bytes() for text in [BOTH, "\\x => integral01 (\\t => max x t)"]]
    generator = random.Random(3)
    refused = 0
    for _ in range(3000):
        data = bytearray(generator.choice(files))
        for _ in range(generator.randint(1, 3)):
            data[generator.randrange(len(data))] = generator.randrange(256)
        try:
            smoothish.Function.from_bytes(bytes(data)).to_bytes()
        except smoothish.FormatError:
            refused += 1
    assert refused > 1000
    for wrong in [b"", b"smoothish", files[0][:-1], files[0] + b"!"]:
        with pytest.raises(smoothish.FormatError):
            smoothish.Function.from_bytes(wrong)
    graph = {"format": "smoothish", "version": 1, "inputs": 1, "nodes": [["variable", 0], ["sun", [0]]], "outputs": [1]}
    with pytest.raises(smoothish.FormatError, match="`sun`, which is not known"):
        smoothish.Function.from_json(json.dumps(graph))


def test_masked_entries_are_refused():
    f, one = smoothish.compile("\\x y => x * sin x + max x y"), smoothish.compile("\\x => x * x")
    masked = numpy.ma.array([[1.0, 2.0]], mask=[[1, 0]])
    row = masked[0]
    for asked in [f.batch, f.gradient, f.jacobian, lambda x: f.vjp(x, 1.0), f]:
        nested = [] if asked is f else [[row], [[numpy.ma.masked, 2.0]]]
        for points in [masked, row, [row[0], 2.0], *nested]:
            with pytest.raises(ValueError, match="masked"):
                asked(points)
    for asked in [f.at, f.gradient_at, f.jacobian_at, lambda x: f.vjp_at(x, 1)]:
        with pytest.raises(ValueError, match="masked"):
            asked(row)
    with pytest.raises(ValueError, match="masked"):
        f.vjp([1.0, 2.0], numpy.ma.array([1.0], mask=[1]))
    for points in [numpy.ma.array([1.0, 2.0], mask=[0, 1]), numpy.ma.array(1.0, mask=True), numpy.ma.array(1, mask=True)]:
        with pytest.raises(ValueError, match="masked"):
            one.batch(points)
        with pytest.raises(ValueError, match="masked"):
            one(points)
    with pytest.raises(ValueError, match="masked"):
        smoothish.map(one.batch, numpy.ma.array([1.0, 2.0], mask=[0, 1]), batched=True, workers=1)
    with pytest.raises(ValueError, match="masked"):
        smoothish.audit("\\x => x^2", numpy.ma.masked, 1.0)
    with pytest.raises(ValueError, match="masked"):
        smoothish.audit("\\x => x^2", 1.0, numpy.ma.masked)
    # where nothing is masked, it is an array
    assert f.batch(numpy.ma.array([[1.0, 2.0]])).lo.tolist() == f.batch([[1.0, 2.0]]).lo.tolist()


@pytest.mark.parametrize("huge", [10**20, -(10**20), 10**1000, -1])
def test_whole_numbers_of_any_size_are_judged(huge):
    f, real = smoothish.compile("\\x => exp x"), smoothish.Real("sqrt 2")
    plot = lambda **options: smoothish.plot("\\x => x", 0, 1, **options)
    for asked in [
        lambda: f.at(1, digits=huge),
        lambda: smoothish.eval("exp 1", digits=huge),
        lambda: real.refine(digits=huge),
        lambda: plot(orders=[huge]),
        lambda: plot(columns=huge),
        lambda: plot(width=huge),
        lambda: plot(height=huge),
        lambda: smoothish.audit("\\x => x", 0, 1.0, ulps=huge) if huge > 0 else plot().columns(huge),
        lambda: plot(columns=3).columns(huge),
    ]:
        with pytest.raises((ValueError, IndexError)):
            asked()
    # a width may be as large as it likes
    assert smoothish.eval("exp 1", eps=abs(huge)).reached


def test_whole_numbers_are_named():
    with pytest.raises(ValueError, match="digits must lie between 1 and 100000, not 100000000000000000000"):
        smoothish.eval("1", digits=10**20)
    with pytest.raises(TypeError, match="whole number, found float"):
        smoothish.eval("1", digits=2.5)
    assert smoothish.eval("exp 1", digits=numpy.int64(10)).digits == smoothish.eval("exp 1", digits=10).digits
    with pytest.raises(ValueError, match="timeout"):
        smoothish.eval("1", timeout=10**400)


def test_arrays_between_addresses_are_copied():
    f = smoothish.compile("\\x => x * x")
    points = numpy.array([1.0, 2.0, 3.0])
    shifted = numpy.frombuffer(b"\0" + points.tobytes(), dtype="u1")[1:].view("f8")
    assert not shifted.flags.aligned
    assert f.batch(shifted).lo.tolist() == f.batch(points).lo.tolist()
    assert f.gradient(shifted[:, None]).lo.tolist() == f.gradient(points[:, None]).lo.tolist()
    swapped = points.astype(">f8")
    assert f.batch(swapped).lo.tolist() == f.batch(points).lo.tolist()
