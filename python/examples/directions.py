"""Audits the gradient of a trained network's loss along ten thousand directions, by threads or by workers of Dask.

    pip install smoothish jax 'dask[distributed]'
    python python/examples/directions.py --workers 2
    python python/examples/directions.py --dask --workers 2

The network has ReLUs, and one data point lies on a kink of one of them. What is printed last, a digest of all answers, is the same
whoever works on them.
"""

import argparse
import hashlib
import os
import time
from collections import Counter

os.environ.update(JAX_PLATFORMS="cpu")

import numpy
import smoothish


def trained(width=6, points=12, steps=300):
    """A loss, as a function of all weights, and weights that make it small."""
    import jax
    import jax.numpy as jnp

    random = numpy.random.default_rng(11)
    inputs = random.uniform(-1, 1, (points, 2)).astype("float32")
    targets = (inputs[:, 0] * inputs[:, 1] > 0).astype("float32")
    sizes = [(2, width), (width,), (width,)]

    def split(w):
        parts, first = [], 0
        for size in sizes:
            count = int(numpy.prod(size))
            parts.append(w[first : first + count].reshape(size))
            first += count
        return parts

    def loss(w):
        a, b, c = split(w)
        hidden = jax.nn.relu(inputs @ a + b)
        return jnp.mean((jnp.tanh(hidden @ c) - targets) ** 2)

    w = jnp.asarray(random.normal(size=sum(int(numpy.prod(size)) for size in sizes)), "float32")
    step = jax.jit(jax.grad(loss))
    for _ in range(steps):
        w = w - 0.3 * step(w)
    # the first point on the kink of the first unit: b such that its sum is 0, exactly
    a = numpy.asarray(split(w)[0], dtype="float64")
    a = numpy.round(a * 64) / 64
    inputs[0] = numpy.round(inputs[0] * 64) / 64
    on_kink = -(inputs[0].astype("float64") @ a[:, 0])
    w = w.at[: a.size].set(jnp.asarray(a.ravel(), "float32")).at[a.size].set(numpy.float32(on_kink))
    return loss, w


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--directions", type=int, default=10_000)
    parser.add_argument("--workers", type=int, default=os.cpu_count())
    parser.add_argument("--dask", action="store_true", help="by workers of Dask, each a process, in place of threads")
    options = parser.parse_args()
    loss, weights = trained()
    subject = smoothish.Subject(loss, weights)
    directions = list(numpy.random.default_rng(2).normal(size=(options.directions, len(subject.grad))))
    client = None
    if options.dask:
        from dask.distributed import Client

        client = Client(n_workers=options.workers, threads_per_worker=1, dashboard_address=None)
    begun = time.perf_counter()
    reports = smoothish.map(
        subject.audit, directions, workers=options.workers, executor=client and client.get_executor(), batch=250, progress=True
    )
    seconds = time.perf_counter() - begun
    if client is not None:
        client.close()
    print(dict(Counter(report.verdict for report in reports)), "of", len(reports), "directions,", len(subject.grad), "weights")
    print(f"{seconds:.1f} s, {1e3 * seconds / len(reports):.2f} ms each, {options.workers} workers")
    print(hashlib.sha256(repr([(r.verdict, r.set and (r.set.lo, r.set.hi)) for r in reports]).encode()).hexdigest()[:16])


if __name__ == "__main__":
    main()
