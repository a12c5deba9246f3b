"""One function at many points: the reports are those of each point by itself."""

import multiprocessing
from concurrent.futures import ProcessPoolExecutor, ThreadPoolExecutor
from importlib.util import find_spec

import numpy
import pytest
import smoothish

IN, OUT = "CERTIFIED_IN", "CERTIFIED_OUT"


class OnlyMap:
    """An executor that has a `map` and nothing else."""

    def __init__(self):
        self.items = 0

    def map(self, function, items):
        items = list(items)
        self.items += len(items)
        return map(function, items)


class Client(OnlyMap):
    """What a client of Dask looks like."""

    def get_executor(self):
        return ThreadPoolExecutor(2)

    def submit(self, *_):
        raise AssertionError("its futures are no futures of Python")


def test_programs_at_many_points():
    points, claims = [(1, 2), (0, 0), (3, -1)], [(2.0, 1.0), (0.0, 0.0), (1.0, 3.0)]
    expected = [IN, IN, OUT]
    product = "\\(x, y) => x * y"
    own = OnlyMap()
    for executor in (None, own, Client(), ThreadPoolExecutor(2)):
        reports = smoothish.audit_many(product, points, claims, executor=executor)
        assert [report.verdict for report in reports] == expected
    assert own.items == 3
    assert [report.verdict for report in smoothish.audit_many(smoothish.compile(product), points, claims, workers=1)] == expected
    assert smoothish.audit_many(product, [], []) == []
    for arguments, kind, words in (
        ((product, points), TypeError, "as grads="),
        ((product, points, claims[:2]), ValueError, "3 points, and 2 claims"),
        ((3, points, claims), TypeError, "expected a program"),
    ):
        with pytest.raises(kind, match=words):
            smoothish.audit_many(*arguments)
    with pytest.raises(TypeError, match="something with submit or map, found int"):
        smoothish.audit_many(product, points, claims, executor=3)


@pytest.mark.skipif(find_spec("distributed") is None, reason="Dask is not installed")
def test_workers_of_dask_judge_many_points():
    from dask.distributed import Client

    points, claims = [-1, 0, 2], [-1.0, 0.5, -1.0]
    alone = smoothish.audit_many("\\x => abs x", points, claims)
    assert [report.verdict for report in alone] == [IN, IN, OUT]
    with Client(n_workers=2, threads_per_worker=1, dashboard_address=None) as client:
        for executor in (client, client.get_executor()):
            assert smoothish.audit_many("\\x => abs x", points, claims, executor=executor) == alone


@pytest.mark.skipif(find_spec("jax") is None, reason="JAX is not installed")
def test_functions_of_jax_at_many_points():
    import jax
    from jax import numpy as jnp

    traced = []

    def loss(x):
        traced.append(x)
        return jnp.sum(jax.nn.relu(x["a"]) - jax.nn.relu(-x["a"])) * x["n"]

    rows = numpy.array([[1.0, -2.0], [0.0, 3.0], [0.5, 0.25]], numpy.float32)
    points = {"a": jnp.array(rows), "n": jnp.array([2, 3, 4])}
    # relu(x) - relu(-x) is x, and JAX has 0 at 0
    own = OnlyMap()
    with ProcessPoolExecutor(2, multiprocessing.get_context("spawn")) as processes:
        for executor in (None, own, processes):
            reports = smoothish.audit_many(loss, points, executor=executor)
            assert [report.verdict for report in reports] == [IN, OUT, IN]
            assert reports[0].rules == "right" and reports[1].cause == "kink"
            assert reports[2].claim == (4.0, 4.0) and reports[2].point == (0.5, 0.25)
    # twice for the function, as one that changes is refused, once for its gradient, and once for the claims: not once more for each point
    traced.clear()
    smoothish.audit_many(loss, {"a": jnp.tile(points["a"], (4, 1)), "n": jnp.full(12, 2)})
    assert len(traced) == 4
    claims = numpy.array([[2.0, 2.0], [3.0, 3.0], [4.0, 4.001]])
    reports = smoothish.audit_many(loss, points, {"a": claims, "n": numpy.zeros(3)})
    assert [report.verdict for report in reports] == [IN, IN, OUT] and reports[0].rules is None
    # what holds at one point need not hold at another
    largest = lambda t: jnp.linalg.eigvalsh(jnp.array([[2.0, 0.0], [0.0, 1.0]]) * t)[1]
    reports = smoothish.audit_many(largest, jnp.array([1.0, 0.0, 2.0], "float32"))
    assert [report.verdict for report in reports] == [IN, "UNKNOWN", IN] and "not told apart" in reports[1].reason
    for wrong in (jnp.float32(1), {"a": jnp.ones(2), "n": jnp.ones(3)}):
        with pytest.raises(ValueError, match="one axis for the points first"):
            smoothish.audit_many(lambda x: x, wrong)
