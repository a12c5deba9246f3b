"""Many questions at once: the same answers, whoever works on them."""

import time
from concurrent.futures import ProcessPoolExecutor
from multiprocessing import get_context

import numpy
import pytest
import smoothish

f = smoothish.compile("\\x y => integral01 (\\t => max (t - x) (x * y - t))")
POINTS = numpy.random.default_rng(1).uniform(0, 1, (203, 2))


@pytest.mark.parametrize("wanted", ["batch", "gradient", "jacobian"])
def test_the_workers_do_not_matter(wanted):
    whole = getattr(f, wanted)(POINTS)
    for options in [{"workers": 1}, {"workers": 3}, {"workers": 2, "batch": 7}, {"batch": 1000}]:
        found = smoothish.map(getattr(f, wanted), POINTS, batched=True, **options)
        for column, expected in zip(found, whole, strict=True):
            assert column.shape == expected.shape and (column == expected).all(), options


def test_processes_have_the_same_answers():
    with ProcessPoolExecutor(2, mp_context=get_context("spawn")) as executor:
        found = smoothish.map(f.batch, POINTS, batched=True, executor=executor, batch=60)
        reports = smoothish.map(smoothish.Subject("\\x => abs x", 0, 0.5).audit, [None] * 5, executor=executor)
    assert (found.lo == f.batch(POINTS).lo).all()
    assert [report.verdict for report in reports] == ["CERTIFIED_IN"] * 5


def test_progress_order_and_ends():
    said = []
    items = list(range(100))
    late = lambda item: time.sleep(0.002 * (item % 3)) or item
    assert smoothish.map(late, items, workers=4, batch=9, progress=lambda *count: said.append(count)) == items
    assert said[-1] == (100, 100) and len(said) == 12 and said == sorted(said)
    assert smoothish.map(late, [], progress=True) == []
    assert smoothish.map(f.batch, numpy.zeros((0, 2)), batched=True).lo.shape == (0,)
    with pytest.raises(ValueError, match="at least one item"):
        smoothish.map(late, items, batch=0)


def test_an_error_ends_it():
    begun = []

    def fails(item):
        begun.append(item)
        time.sleep(0.01)
        raise KeyError(item)

    with pytest.raises(KeyError):
        smoothish.map(fails, range(10_000), workers=2, batch=1)
    assert len(begun) < 50


def test_what_has_travelled_is_aligned():
    apart = numpy.frombuffer(b"x" + POINTS.tobytes(), "u1")[1:].view("f8").reshape(POINTS.shape)
    assert not apart.flags.aligned
    assert (smoothish.map(f.batch, apart, batched=True).lo == f.batch(POINTS).lo).all()
