"""Is a gradient right?"""

from __future__ import annotations

import math
from fractions import Fraction
from typing import TYPE_CHECKING, Any, NamedTuple

from ._smoothish import audited

if TYPE_CHECKING:
    from collections.abc import Callable

    from ._smoothish import Exact, Interval


class Report(NamedTuple):
    """What is proven about a claim that a number is a derivative.

    `verdict` is NOT_DEFINED, ONE_SIDED, NOT_CONTINUOUS, NOT_LIPSCHITZ, CERTIFIED_IN, CERTIFIED_OUT or UNKNOWN, and `reason` says it in words.
    A claim that is out has a `cause`: nan, kink, rounding or rule. `limits` are those of the derivative from the left and from the right,
    `set` is Clarke's, where they are known; `borders` are the places on whose border the point lies.
    """

    verdict: str
    reason: str
    cause: str | None
    limits: tuple[Interval | None, Interval | None]
    set: Interval | None
    borders: tuple[str, ...]
    claim: Exact
    point: Exact
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
    then `grad` is what `jax.grad` answers, where nothing else is said. Of a function of several numbers the derivative along a
    `direction` is judged: `grad` is still the whole gradient. `x` is what it is in its type, and the claim may be off by `ulps` units in
    the last place of `dtype`, which is that of `x`.

    >>> smoothish.audit('\\\\x => max x 0 + min x 0', 0, 0.0).verdict
    'CERTIFIED_OUT'
    >>> report = smoothish.audit('\\\\x => abs x', 0, 0.5)
    >>> report.verdict, report.set, report.borders
    ('CERTIFIED_IN', <Interval [-1, 1]>, ('1:7',))
    >>> smoothish.audit('\\\\x => sqrt x', -1, 0.5).verdict
    'NOT_DEFINED'
    """
    if isinstance(f, str):
        if grad is None:
            raise TypeError("a program is no function of JAX: say which number claims to be its derivative, as grad=")
        if direction is not None:
            raise TypeError("a direction is for functions of several numbers; a program has one")
        kind = dtype or str(getattr(grad, "dtype", "float64"))
        return _report(audited(f, True, x, _claim(grad), kind, ulps, timeout), _claim(grad), x, ())
    return _of_jax(f, x, grad, direction, dtype, ulps, timeout)


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


def _report(found: Any, claim: Any, point: Any, notes: tuple[str, ...], steps: Any = None) -> Report:
    verdict, reason, cause, limits, whole, places, numbers = found
    borders = [f"{line}:{column}" for line, column in places]
    if steps is not None:
        borders += dict.fromkeys(steps(number) for number in numbers)
    return Report(verdict, reason, cause, tuple(limits), whole, tuple(borders), claim, point, notes)


def _of_jax(f: Any, x: Any, grad: Any, direction: Any, dtype: str | None, ulps: int, timeout: float | None) -> Report:
    import jax
    import numpy

    from ._elements import Unsupported
    from ._errors import UnsupportedError
    from ._forms import Steps
    from ._jax import Translation

    def numbers(tree: Any) -> list[float]:
        leaves = [numpy.asarray(leaf).astype(numpy.float64).ravel() for leaf in jax.tree_util.tree_leaves(tree)]
        return [float(value) for leaf in leaves for value in leaf]

    leaves, tree = jax.tree_util.tree_flatten(x)
    arrays = [jax.numpy.asarray(leaf) for leaf in leaves]
    here = jax.tree_util.tree_unflatten(tree, arrays)
    claimed = numbers(jax.grad(f)(here) if grad is None else grad)
    along = None if direction is None else [Fraction(value) for value in numbers(direction)]
    translation = Translation(arrays, stops=False, direction=along)
    translation.arrays.audits = True
    if len(claimed) != len(translation.point):
        raise ValueError(f"a gradient of {len(claimed)} numbers, where x has {len(translation.point)}")
    if along is None and len(claimed) != 1:
        raise ValueError("x has several coordinates: say along which direction, as direction=")
    if along is not None and len(along) != len(claimed):
        raise ValueError(f"a direction of {len(along)} numbers, where x has {len(claimed)}")
    closed = jax.make_jaxpr(lambda *parts: f(jax.tree_util.tree_unflatten(tree, parts)))(*arrays)
    outputs = translation.outputs(closed)
    if len(outputs) != 1:
        raise ValueError(f"a gradient is that of one number, not of {len(outputs)}")
    try:
        steps = Steps(translation.graph, outputs[0])
    except Unsupported as error:
        raise UnsupportedError(str(error)) from None

    def place(number: int) -> str:
        return translation.place(translation.graph.origins[steps.nodes[number]])

    weights = along or [Fraction(1)]
    asked = [value for value, weight in zip(claimed, weights, strict=True) if weight != 0]
    finite = all(math.isfinite(value) for value in asked)
    pairs = zip(claimed, weights, strict=True)
    claim: Any = (
        sum((Fraction(value) * weight for value, weight in pairs if weight != 0), Fraction(0)) if finite else math.nan
    )
    point: Any = translation.point[0] if along is None else Fraction(0)
    kind = dtype or str(arrays[0].dtype)
    found = audited(steps.text(), False, point, claim, kind, ulps, timeout)
    shown = claimed[0] if along is None else (float(claim) if finite else claim)
    return _report(found, shown, point, tuple(translation.notes), place)
