"""One function, audited at many points."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Literal

import numpy

from ._audit import Report, Subject, Traces
from ._errors import LimitError, UnsupportedError
from ._map import map as map_items
from ._smoothish import Function
from ._values import unmasked

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

AT_ONCE = 256
"""The points that are read before they are judged. A choice: some hundred megabytes for a large network."""


class Judging:
    """What is asked of each subject; it can be pickled, and needs no JAX."""

    def __init__(self, options: dict[str, Any]) -> None:
        self.options = options

    def __call__(self, subject: Subject | Report) -> Report:
        return subject if isinstance(subject, Report) else subject.audit(**self.options)


def audit_many(
    f: str | Callable[[Any], Any],
    points: Any,
    grads: Any = None,
    *,
    executor: Any = None,
    workers: int | None = None,
    dtype: str | None = None,
    ulps: int | None = None,
    timeout: float | None = 20.0,
    atol: float | None = None,
    rtol: float | None = None,
    stop_gradient: Literal["identity", "constant"] = "identity",
) -> list[Report]:
    """The Reports of `audit` at many points, in their order.

    Of a function of JAX, `points` is what `jax.vmap` takes: an array, or a tree of arrays, with an axis for the points first. The function is
    traced once, and once more for other whole numbers; the claims are those of `jax.vmap(jax.grad(f))`, where no `grads` are given, which have that axis too. Of a program, points
    and `grads` are sequences.

    They are judged by threads, `workers` of them, or by an `executor`: anything with the `submit` of `concurrent.futures`, a client of Dask, or a
    pool with a `map`. Who judges needs no JAX. A point at which the function cannot be read is UNKNOWN, with the reason.

    >>> reports = smoothish.audit_many('\\\\x => abs x', [-1, 0, 2], [-1.0, 0.5, -1.0])
    >>> [report.right for report in reports]
    [True, True, False]
    """
    options = {"ulps": ulps, "timeout": timeout, "atol": atol, "rtol": rtol}
    if isinstance(f, (str, Function)):
        if grads is None:
            raise TypeError("a program is no function of JAX: say which numbers claim to be its derivatives, as grads=")
        if len(points) != len(grads):
            raise ValueError(f"{len(points)} points, and {len(grads)} claims")
        subjects: Iterator[Any] = (Subject(f, x, grad, dtype=dtype) for x, grad in zip(points, grads, strict=True))
    elif callable(f):
        if stop_gradient not in ("identity", "constant"):
            raise ValueError(f"stop_gradient is 'identity' or 'constant', not {stop_gradient!r}")
        subjects = _traced(f, points, grads, dtype, timeout, stop_gradient == "constant")
    else:
        raise TypeError(f"f: expected a program, as a text or a Function of compile, or a function of JAX, found {type(f).__name__}")
    found: list[Report] = []
    while part := [subject for subject, _ in zip(subjects, range(AT_ONCE), strict=False)]:
        found += _judged(Judging(options), part, executor, workers)
    return found


def _judged(judging: Judging, subjects: list[Any], executor: Any, workers: int | None) -> list[Report]:
    # a client of Dask has an executor, and futures of its own
    pool = executor.get_executor() if hasattr(executor, "get_executor") else executor
    if pool is None or hasattr(pool, "submit"):
        return map_items(judging, subjects, executor=pool, workers=workers, progress=False)
    if not hasattr(pool, "map"):
        raise TypeError(f"executor: expected something with submit or map, found {type(executor).__name__}")
    return list(pool.map(judging, subjects))


def _traced(f: Any, points: Any, grads: Any, dtype: str | None, timeout: float | None, stops: bool) -> Iterator[Any]:
    """The subjects of a function of JAX, or reports where there are none."""
    import jax

    leaves, tree = jax.tree_util.tree_flatten(points)
    unmasked(leaves)
    sizes = {numpy.shape(leaf)[:1] for leaf in leaves}
    if len(sizes) != 1 or () in sizes:
        raise ValueError(f"points: expected arrays with one axis for the points first, found the shapes {[numpy.shape(leaf) for leaf in leaves]}")
    arrays = [jax.numpy.asarray(leaf) for leaf in leaves]
    given = jax.tree_util.tree_unflatten(tree, arrays)
    # a trace knows whole numbers, which are constant: of points with the same ones there is one
    traces: dict[tuple[bytes, ...], Traces] = {}
    computes = grads is None
    if grads is None:
        grads = jax.vmap(jax.grad(f, allow_int=True))(given)
    claims = [
        claim for claim, array in zip(jax.tree_util.tree_leaves(grads), arrays, strict=True) if array.dtype.kind not in "iub"
    ]
    claims = [numpy.asarray(claim) for claim in claims]
    for place in range(next(iter(sizes))[0]):
        x = jax.tree_util.tree_unflatten(tree, [leaf[place] for leaf in leaves])
        grad = [claim[place] for claim in claims]
        whole = tuple(numpy.asarray(array[place]).tobytes() for array in arrays if array.dtype.kind in "iub")
        shared = traces.setdefault(whole, Traces(computes=computes))
        try:
            yield Subject._sharing(shared, f, x, grad[0] if len(grad) == 1 else grad, dtype, timeout, stops)
        except (UnsupportedError, LimitError) as error:
            if place == 0 and shared.function is None:
                raise
            yield Report("UNKNOWN", str(error), None, (None, None), None, (), tuple(grad), tuple(x) if isinstance(x, tuple) else (x,))
