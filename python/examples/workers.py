"""How much faster two workers of Dask answer ten thousand questions of about a millisecond than one, and whether they say the same.

    pip install smoothish 'dask[distributed]'
    python python/examples/workers.py

Fails where two are not 1.4 times as fast as one, which takes two cores that do nothing else, or where any bit differs.
"""

import argparse
import sys
import time

import numpy
import smoothish

# d/dx of an integral with a kink that moves, as often as it takes to be a millisecond
QUESTION = "\\x y => deriv (\\c => integral01 (\\t => max 0 (sin (t + y) - c))) x"
LEAST = 1.4


class Question:
    """An enclosure at a point, so narrow that it takes a millisecond."""

    def __init__(self, eps):
        self.f, self.eps = smoothish.compile(QUESTION), eps

    def __call__(self, point):
        found = self.f.at(point, self.eps)
        return found.lo, found.hi


def narrow_enough():
    """How narrow, here."""
    for power in range(3, 60, 3):
        ask = Question(f"1e-{power}")
        start = time.perf_counter()
        for x in range(20):
            ask([0.3 + x / 100, 0.1])
        if time.perf_counter() - start >= 20e-3:
            break
    return ask


def asked(ask, points, workers):
    from dask.distributed import Client

    with Client(n_workers=workers, threads_per_worker=1, dashboard_address=None) as client:
        executor = client.get_executor()
        # the workers have read the package before they are timed
        smoothish.map(ask, points[: 4 * workers], executor=executor, workers=workers, batch=1)
        start = time.perf_counter()
        found = smoothish.map(ask, points, executor=executor, workers=workers)
        return time.perf_counter() - start, found


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--points", type=int, default=10_000)
    options = parser.parse_args()
    ask = narrow_enough()
    points = numpy.random.default_rng(3).uniform(0.2, 0.6, (options.points, 2)).tolist()
    (one, first), (two, second) = (asked(ask, points, workers) for workers in (1, 2))
    print(f"{len(points)} points within {ask.eps}: one worker {one:.1f} s ({1e3 * one / len(points):.2f} ms each), two {two:.1f} s")
    print(f"{one / two:.2f} times as fast; the answers are {'the same' if first == second else 'NOT the same'}")
    return first != second or one < LEAST * two


if __name__ == "__main__":
    sys.exit(main())
