"""Many questions, by threads of one machine or by the machines of others."""

from __future__ import annotations

import sys
from concurrent.futures import FIRST_COMPLETED, CancelledError, Executor, Future, ThreadPoolExecutor, wait
from os import cpu_count
from typing import TYPE_CHECKING, Any

from ._smoothish import Stop
from ._values import Batch, unmasked

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

# How many items travel together at most, if nothing else is said.
MOST = 500
# Batches that wait for each that runs: memory does not grow with what is asked.
AHEAD = 4
# How often Ctrl-C is looked for, in seconds: a signal that another thread of the process receives does not wake the one that waits.
EVERY = 0.05


def map(  # noqa: A001
    function: Callable[[Any], Any],
    items: Sequence[Any],
    *,
    batched: bool = False,
    executor: Executor | None = None,
    workers: int | None = None,
    batch: int | None = None,
    progress: bool | Callable[[int, int], object] | None = None,
) -> Any:
    """`[function(item) for item in items]`, in batches: the same list in the same order, whoever works on it.

    Without an `executor` it is done by threads, as many as there are cores or `workers`; an `executor` is given four batches for each of
    its `workers`. An `executor` is anything with the interface of
    `concurrent.futures`: a `ProcessPoolExecutor`, `get_reusable_executor()` of joblib's loky, or that of a client of Dask,
    `client.get_executor()`; the function and the items travel by pickle. Where `batched` is true, the function takes an array of items and
    answers a `Batch` or an array, as `f.batch` and `f.gradient` do, and one of all items is answered.

    `progress` is a function of how many items are done and how many there are; by default a line on a terminal says so.
    What the function raises is raised here, and what has not begun is not done; so too after Ctrl-C, which ends within their items what
    threads of this process compute.

    >>> f = smoothish.compile('\\\\x => x * sin x')
    >>> points = numpy.linspace(0, 1, 1001)
    >>> two, one = (smoothish.map(f.batch, points, batched=True, workers=w, batch=100) for w in (2, 1))
    >>> bool((two.lo == one.lo).all()), two.lo.shape
    (True, (1001,))
    >>> smoothish.map(len, ['a', 'bc'])
    [1, 2]
    """
    if batch is not None and batch < 1:
        raise ValueError(f"a batch has at least one item, not {batch}")
    if workers is not None and workers < 1:
        raise ValueError(f"there is at least one worker, not {workers}")
    unmasked(items, 0)
    total, hands = len(items), workers or cpu_count() or 1
    batch = batch or min(MOST, max(1, -(-total // (AHEAD * hands))))
    parts = [slice(first, min(first + batch, total)) for first in range(0, total, batch)]
    own = None if executor is not None else ThreadPoolExecutor(hands)
    pool: Executor | None = executor if executor is not None else own
    assert pool is not None
    tell = _line if progress is True or (progress is None and sys.stderr.isatty()) else progress or None
    stop, most = Stop() if own is not None else None, AHEAD * hands
    found: list[Any] = [None] * len(parts)
    running: dict[Future[Any], int] = {}
    done, following = 0, iter(range(len(parts)))
    try:
        while True:
            while len(running) < most and (index := next(following, None)) is not None:
                running[pool.submit(_part, function, items[parts[index]], batched, stop)] = index
            if not running:
                break
            for future in wait(running, timeout=EVERY, return_when=FIRST_COMPLETED).done:
                index = running.pop(future)
                found[index] = future.result()
                done += parts[index].stop - parts[index].start
                if tell is not None:
                    tell(done, total)
    except BaseException as error:
        for future in running:
            future.cancel()
        if own is not None and stop is not None:
            stop.set()
            # who presses Ctrl-C waits for nothing
            own.shutdown(wait=isinstance(error, Exception), cancel_futures=True)
        raise
    if own is not None:
        own.shutdown()
    if not batched:
        return [value for part in found for value in part]
    return _joined(found if found else [function(items)])


def _part(function: Callable[[Any], Any], items: Any, batched: bool, stop: Stop | None) -> Any:
    if not batched:
        return [_asked(function, item, stop) for item in items]
    if hasattr(items, "dtype"):
        import numpy

        # what has travelled may lie between the addresses of numbers
        items = numpy.require(items, requirements="CA")
    return _asked(function, items, stop)


def _asked(function: Callable[[Any], Any], item: Any, stop: Stop | None) -> Any:
    if stop is None:
        return function(item)
    if stop.is_set:
        raise CancelledError
    return stop.run(function, item)


def _joined(parts: list[Any]) -> Any:
    import numpy

    if isinstance(parts[0], Batch):
        return Batch(*(numpy.concatenate(column) for column in zip(*parts, strict=True)))
    return numpy.concatenate(parts)


def _line(done: int, total: int) -> None:
    end = "\n" if done == total else ""
    print(f"\r{done} of {total}", end=end, file=sys.stderr, flush=True)
