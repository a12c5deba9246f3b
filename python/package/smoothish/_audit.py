"""Is a gradient right?"""

from __future__ import annotations

import math
from fractions import Fraction
from typing import TYPE_CHECKING, Any, NamedTuple

from ._smoothish import Audited

if TYPE_CHECKING:
    from collections.abc import Callable

    from ._smoothish import Exact, Interval


class Report(NamedTuple):
    """What is proven about a claim that a number is a derivative.

    `verdict` is NOT_DEFINED, ONE_SIDED, NOT_CONTINUOUS, NOT_LIPSCHITZ, CERTIFIED_IN, CERTIFIED_OUT or UNKNOWN, and `reason` says it in words.
    A claim that is out has a `cause`: nan, kink, rounding or rule. `limits` are those of the derivative from the left and from the right,
    `set` is Clarke's, where they are known; `borders` are the places on whose border the point lies.

    Of a whole gradient `set` has an interval for each coordinate, whose product contains Clarke's set; `claim` and `point` have as many
    numbers, and there are no limits and no borders.
    """

    verdict: str
    reason: str
    cause: str | None
    limits: tuple[Interval | None, Interval | None]
    set: Interval | tuple[Interval, ...] | None
    borders: tuple[str, ...]
    claim: Exact | tuple[Exact, ...]
    point: Exact | tuple[Exact, ...]
    notes: tuple[str, ...] = ()

    @property
    def right(self) -> bool | None:
        """Whether the claim is right: True, False, or None where neither is proven, or there is no derivative."""
        return {"CERTIFIED_IN": True, "CERTIFIED_OUT": False}.get(self.verdict)


class GradientError(AssertionError):
    """A gradient is not shown to be right; `report` says what is known."""

    def __init__(self, report: Report) -> None:
        super().__init__(
            f"{report.verdict} {report.claim} at {report.point}: {report.reason}; the derivative is {report.set}"
        )
        self.report = report

    def __reduce__(self) -> tuple[Any, ...]:
        return GradientError, (self.report,)


class Subject:
    """A function at a point and what is claimed to be its gradient there, read or traced once, to be judged along many directions.

    It can be pickled, whatever the function is, and judged where JAX is not installed. The arguments are those of `audit`.

    >>> subject = smoothish.Subject('\\\\x => abs x', 0, 0.5)
    >>> subject.audit().verdict
    'CERTIFIED_IN'
    """

    def __init__(self, f: str | Callable[[Any], Any], x: Any, grad: Any = None, *, dtype: str | None = None) -> None:
        self._made: Audited
        self._places: dict[int, str] | None = None
        self.notes: tuple[str, ...] = ()
        if isinstance(f, str):
            if grad is None:
                message = "a program is no function of JAX: say which number claims to be its derivative, as grad="
                raise TypeError(message)
            self._made = Audited(f, True)
            self.point: tuple[Any, ...] = (x,)
            self.grad: tuple[Any, ...] = (_claim(grad),)
            self.dtype = dtype or str(getattr(grad, "dtype", "float64"))
        else:
            self._trace(f, x, grad, dtype)

    def _trace(self, f: Any, x: Any, grad: Any, dtype: str | None) -> None:
        import jax

        from ._forms import Steps
        from ._jax import Translation

        leaves, tree = jax.tree_util.tree_flatten(x)
        arrays = [jax.numpy.asarray(leaf) for leaf in leaves]
        here = jax.tree_util.tree_unflatten(tree, arrays)
        translation = Translation(arrays, stops=False)
        translation.arrays.audits = True
        self.point = tuple(translation.point)
        if not self.point:
            raise ValueError("x has no coordinates: there is nothing to differentiate by")
        self.grad = tuple(_numbers(jax.grad(f)(here) if grad is None else grad))
        if len(self.grad) != len(self.point):
            raise ValueError(f"a gradient of {len(self.grad)} numbers, where x has {len(self.point)}")
        closed = jax.make_jaxpr(lambda *parts: f(jax.tree_util.tree_unflatten(tree, parts)))(*arrays)
        outputs = translation.outputs(closed)
        if len(outputs) != 1:
            raise ValueError(f"a gradient is that of one number, not of {len(outputs)}")
        steps = Steps(translation.graph, outputs[0])
        places: dict[int, str] = {}
        self._places = {}
        for number, node in enumerate(steps.nodes):
            origin = translation.graph.origins[node]
            if id(origin) not in places:
                places[id(origin)] = translation.place(origin)
            self._places[number] = places[id(origin)]
        self._made = Audited(steps.text(), False)
        self.notes = tuple(translation.notes)
        self.dtype = dtype or str(arrays[0].dtype)

    def audit(self, direction: Any = None, *, ulps: int = 1024, timeout: float | None = 20.0) -> Report:
        """What is proven of the claim; of several coordinates, of the derivative along a direction, or of the whole gradient."""
        if direction is not None and self._places is None:
            raise TypeError("a direction is for functions of several numbers; a program has one")
        if direction is None and len(self.grad) > 1:
            return self._whole(ulps, timeout)
        numbers = None if direction is None else _numbers(direction)
        if numbers is not None and not all(map(math.isfinite, numbers)):
            raise ValueError("a direction is made of finite numbers")
        along = None if numbers is None else [Fraction(value) for value in numbers]
        if along is not None and len(along) != len(self.grad):
            raise ValueError(f"a direction of {len(along)} numbers, where x has {len(self.grad)}")
        claim: Any = self.grad[0]
        # a sum is rounded as its terms are, however small it is
        terms = Fraction(0)
        if along is not None:
            pairs = [pair for pair in zip(self.grad, along, strict=True) if pair[1] != 0]
            finite = all(math.isfinite(value) for value, _ in pairs)
            terms = sum((abs(Fraction(value) * weight) for value, weight in pairs), Fraction(0)) if finite else terms
            claim = sum((Fraction(value) * weight for value, weight in pairs), Fraction(0)) if finite else math.nan
        found = self._made.audited(self.point, along, claim, terms, self.dtype, ulps, timeout)
        verdict, reason, cause, limits, whole, places, numbers = found
        borders = [f"{line}:{column}" for line, column in places]
        if self._places is not None:
            borders += dict.fromkeys(self._places[number] for number in numbers)
        shown = claim if along is None or not math.isfinite(claim) else float(claim)
        point: Any = self.point[0] if along is None else Fraction(0)
        return Report(verdict, reason, cause, tuple(limits), whole, tuple(borders), shown, point, self.notes)

    def _whole(self, ulps: int, timeout: float | None) -> Report:
        verdict, reason, cause, found = self._made.gradient(self.point, self.grad, self.dtype, ulps, timeout)
        whole = None if found is None else tuple(found)
        return Report(verdict, reason, cause, (None, None), whole, (), self.grad, self.point, self.notes)


def _numbers(tree: Any) -> list[float]:
    """The numbers of a tree of arrays, of JAX where that is what it is."""
    import numpy

    is_flat = isinstance(tree, (list, tuple)) and all(isinstance(part, (int, float, Fraction, numpy.number)) for part in tree)
    if is_flat or isinstance(tree, numpy.ndarray):
        arrays = [numpy.asarray(tree)]
    else:
        import jax

        arrays = [numpy.asarray(leaf) for leaf in jax.tree_util.tree_leaves(tree)]
    return [float(value) for array in arrays for value in array.astype(numpy.float64).ravel()]


def audit(
    f: str | Callable[[Any], Any],
    x: Any,
    grad: Any = None,
    *,
    direction: Any = None,
    dtype: str | None = None,
    ulps: int = 1024,
    timeout: float | None = 20.0,
) -> Report:
    """Whether a gradient is right: a Report of what is proven about it.

    `f` is a program of type `Real -> Real`, and then `grad` is the number that claims to be its derivative at `x`; or a function of JAX, and
    then `grad` is what `jax.grad` answers, where nothing else is said. Of a function of several numbers the whole gradient is judged, or
    along a `direction` the derivative, which is decided more often: `grad` is still the whole gradient. `x` is what it is in its type, and the claim may be off by `ulps` units in
    the last place of `dtype`, which is that of `x`.

    >>> smoothish.audit('\\\\x => max x 0 + min x 0', 0, 0.0).verdict
    'CERTIFIED_OUT'
    >>> report = smoothish.audit('\\\\x => abs x', 0, 0.5)
    >>> report.verdict, report.set, report.borders
    ('CERTIFIED_IN', <Interval [-1, 1]>, ('1:7',))
    >>> smoothish.audit('\\\\x => sqrt x', -1, 0.5).verdict
    'NOT_DEFINED'
    """
    return Subject(f, x, grad, dtype=dtype).audit(direction, ulps=ulps, timeout=timeout)


def check_grad(
    f: str | Callable[[Any], Any], x: Any, grad: Any = None, *, allow_unknown: bool = False, **options: Any
) -> Report:
    """For tests: the Report of `audit`, where the gradient is right; otherwise a GradientError, which is an AssertionError.

    What is not decided is an error too, unless it is allowed.

    >>> smoothish.check_grad('\\\\x => x^2', 3, 6.0).right
    True
    >>> smoothish.check_grad('\\\\x => x^2', 3, 5.0)
    Traceback (most recent call last):
        ...
    smoothish._audit.GradientError: CERTIFIED_OUT 5.0 at 3: it is not the derivative: ...; the derivative is [6, 6]
    """
    report = audit(f, x, grad, **options)
    if report.right or (allow_unknown and report.verdict == "UNKNOWN"):
        return report
    raise GradientError(report)


def _claim(x: Any) -> Any:
    """A number that is finite exactly, or a float that is not."""
    if hasattr(x, "dtype"):
        x = float(x)
    return x
