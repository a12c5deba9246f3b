"""Is a gradient right?"""

from __future__ import annotations

import math
from fractions import Fraction
from typing import TYPE_CHECKING, Any, NamedTuple

from ._display import report_html
from ._errors import UnsupportedError
from ._smoothish import Audited, Function
from ._values import unmasked

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

    def _repr_html_(self) -> str:
        return report_html(self)


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

    It can be pickled, whatever the function is, and judged where JAX is not installed. The arguments are those of `audit`; `timeout` is for
    reading the function.

    >>> subject = smoothish.Subject('\\\\x => abs x', 0, 0.5)
    >>> subject.audit().verdict
    'CERTIFIED_IN'
    """

    def __init__(
        self,
        f: str | Callable[[Any], Any],
        x: Any,
        grad: Any = None,
        *,
        dtype: str | None = None,
        timeout: float | None = 60.0,
    ) -> None:
        self._made: Audited
        self._places: dict[int, str] | None = None
        self.notes: tuple[str, ...] = ()
        if dtype is not None and not isinstance(dtype, str):
            raise TypeError(f"dtype: expected the name of a type, as 'float32', found {type(dtype).__name__}")
        if isinstance(f, (str, Function)):
            if grad is None:
                message = "a program is no function of JAX: say which number claims to be its derivative, as grad="
                raise TypeError(message)
            self.point: tuple[Any, ...] = _coordinates(x)
            self.grad: tuple[Any, ...] = tuple(map(_claim, _coordinates(grad)))
            count = len(self.point)
            if not isinstance(f, str) and f.inputs != count:
                raise ValueError(f"a point of {_count(count)}, where the function has {f.inputs} arguments")
            if len(self.grad) != count or count == 0:
                raise ValueError(f"a gradient of {_count(len(self.grad))}, where the point has {_count(count)}")
            self._made = Audited.program(f, count, []) if isinstance(f, str) else Audited.function(f)
            self.dtype = dtype or _coarsest(x, grad)
            self.shapes: tuple[tuple[int, ...], ...] = ((),) * count
        elif callable(f):
            self._trace(f, x, grad, dtype, timeout)
        else:
            kind = type(f).__name__
            raise TypeError(f"f: expected a program, as a text or a Function of compile, or a function of JAX, found {kind}")

    def _trace(self, f: Any, x: Any, grad: Any, dtype: str | None, timeout: float | None) -> None:
        try:
            import jax
        except ImportError:
            raise ImportError(
                "a function of Python is read by JAX, which is not installed: pip install jax; or give a program of the language, as "
                "'\\x y => x * y' or as smoothish.compile(…)"
            ) from None

        from ._forms import Steps
        from ._jax import Translation, same

        leaves, tree = jax.tree_util.tree_flatten(x)
        unmasked(leaves)
        arrays = [jax.numpy.asarray(leaf) for leaf in leaves]
        here = jax.tree_util.tree_unflatten(tree, arrays)
        translation = Translation(arrays, stops=False, given=leaves, timeout=timeout)
        translation.arrays.audits = True
        self.point = tuple(translation.point)
        if not self.point:
            raise ValueError("x has no coordinates: there is nothing to differentiate by")
        self.shapes = tuple(array.shape for array in arrays)
        kinds = sorted({str(array.dtype) for array in arrays})
        if dtype is None and len(kinds) > 1:
            raise ValueError(f"x has numbers of {' and '.join(kinds)}: say by which the claim is judged, as dtype=")

        def traced() -> Any:
            return jax.make_jaxpr(lambda *parts: f(jax.tree_util.tree_unflatten(tree, parts)))(*arrays)

        closed = traced()
        self.grad = tuple(_numbers(jax.grad(f)(here) if grad is None else grad, "gradient", self.shapes))
        if not same(closed, traced()):
            raise UnsupportedError(
                "traced twice, the function is not the same: it draws from a generator, counts its calls or reads what changes; what JAX "
                "differentiated cannot be known"
            )
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
        self._made = Audited.straight_line(steps.text())
        self.notes = tuple(translation.notes)
        self.dtype = dtype or kinds[0]

    def audit(self, direction: Any = None, *, ulps: int | None = None, timeout: float | None = 20.0) -> Report:
        """What is proven of the claim; of several coordinates, of the derivative along a direction, or of the whole gradient."""
        along = None
        if direction is not None:
            if self._places is None:
                raise TypeError(
                    "a direction is for functions of JAX; of a program, ask about it on the line, as '\\t => f (1 + t) (2 - t)' at 0"
                )
            numbers = _numbers(direction, "direction", self.shapes)
            if not all(map(_is_finite, numbers)):
                raise ValueError("a direction is made of finite numbers")
            along = [Fraction(value) for value in numbers]
        found = self._made.audited(self.point, along, self.grad, self.dtype, ulps, timeout)
        verdict, reason, cause, limits, known, places, steps, judged = found
        borders = [f"{line}:{column}" for line, column in places]
        if self._places is not None:
            borders += dict.fromkeys(self._places[number] for number in steps)
        claim: Any = self.grad
        point: Any = self.point
        whole: Any = None if known is None else tuple(known)
        if along is not None or len(self.grad) == 1:
            claim = self.grad[0] if along is None else _float(judged[0])
            point = self.point[0] if along is None else Fraction(0)
            whole = None if known is None else known[0]
        return Report(verdict, reason, cause, tuple(limits), whole, tuple(borders), claim, point, self.notes)


def _count(numbers: int) -> str:
    return "1 number" if numbers == 1 else f"{numbers} numbers"


COARSEST = ("bfloat16", "float16", "float32", "float64")
"""The types of numbers, the coarsest first."""


def _coordinates(x: Any) -> tuple[Any, ...]:
    """The numbers of a point or of a gradient of a program: one, or those of a sequence or an array."""
    if isinstance(x, (list, tuple)):
        return tuple(part for one in x for part in (_coordinates(one) if hasattr(one, "ndim") else (one,)))
    if not hasattr(x, "ndim"):
        return (x,)
    unmasked(x)
    if x.ndim > 1:
        raise ValueError(f"an array of the shape {tuple(x.shape)}, where a program has numbers in a row")
    return tuple(x.tolist()) if x.ndim else (x.tolist(),)


def _coarsest(*values: Any) -> str:
    """The coarsest type of floats among these numbers, sequences and arrays; float64 where none says its type."""
    parts = [part for value in values for part in (value if isinstance(value, (list, tuple)) else (value,))]
    kinds = {str(part.dtype) for part in parts if hasattr(part, "dtype")}
    return next((kind for kind in COARSEST if kind in kinds), "float64")


def _numbers(tree: Any, what: str, shapes: tuple[tuple[int, ...], ...]) -> list[Any]:
    """The numbers of a tree of arrays, of JAX where that is what it is, of these shapes; or of a list of as many numbers."""
    import numpy

    count = sum(math.prod(shape) for shape in shapes)
    if isinstance(tree, (list, tuple)) and all(isinstance(part, (int, float, Fraction, numpy.number)) for part in tree):
        if len(tree) != count:
            raise ValueError(f"a {what} of {len(tree)} numbers, where x has {count}")
        return [_claim(part) for part in tree]
    if isinstance(tree, (numpy.ndarray, int, float, complex, Fraction)):
        leaves: list[Any] = [tree]
    else:
        import jax

        leaves = jax.tree_util.tree_leaves(tree)
    found = tuple(numpy.shape(leaf) for leaf in leaves)
    if found != shapes and not count == 1 == sum(map(math.prod, found)):
        shown = [" and ".join(map(str, all_of)) or "no number" for all_of in (found, shapes)]
        raise ValueError(f"a {what} of the shape {shown[0]}, where x has {shown[1]}")
    unmasked(leaves)
    flat = [value for leaf in leaves for value in (numpy.ravel(leaf) if numpy.ndim(leaf) else [leaf])]
    return [_claim(value) for value in flat]


def audit(
    f: str | Callable[[Any], Any],
    x: Any,
    grad: Any = None,
    *,
    direction: Any = None,
    dtype: str | None = None,
    ulps: int | None = None,
    timeout: float | None = 20.0,
) -> Report:
    """Whether a gradient is right: a Report of what is proven about it.

    `f` is a program, as a text or as a Function of `compile`, of one real argument or of several, and then `grad` is the number that claims
    to be its derivative at `x`, or as many numbers as there are arguments; or it is a function of JAX, and then `grad` is what `jax.grad`
    answers, where nothing else is said. Of a function of several numbers the whole gradient is judged, or
    along a `direction` the derivative, which is decided more often: `grad` is still the whole gradient. `x` is what it is in its type, and each
    number of the claim may be off by `ulps` units in the last place of `dtype`, which is that of `x`, and for a program the coarsest of the
    types of `x` and `grad`: where nothing is said, by 1024 of float64 and of float32, 8 of float16 and
    4 of bfloat16. A unit is that of the derivative by this coordinate, or of the least normal number.

    >>> smoothish.audit('\\\\x => max x 0 + min x 0', 0, 0.0).verdict
    'CERTIFIED_OUT'
    >>> report = smoothish.audit('\\\\x => abs x', 0, 0.5)
    >>> report.verdict, report.set, report.borders
    ('CERTIFIED_IN', <Interval [-1, 1]>, ('1:7',))
    >>> smoothish.audit('\\\\x => sqrt x', -1, 0.5).verdict
    'NOT_DEFINED'
    >>> smoothish.audit(smoothish.compile('\\\\x y => x * y'), [1, 2], [2.0, 1.0]).verdict
    'CERTIFIED_IN'
    """
    return Subject(f, x, grad, dtype=dtype, timeout=timeout).audit(direction, ulps=ulps, timeout=timeout)


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
    smoothish._audit.GradientError: CERTIFIED_OUT 5.0 at 3: it is not the derivative: ...; the derivative is 6
    """
    report = audit(f, x, grad, **options)
    if report.right or (allow_unknown and report.verdict == "UNKNOWN"):
        return report
    raise GradientError(report)


def _claim(x: Any) -> Any:
    """A number that is finite exactly, or a float that is not."""
    if isinstance(x, complex) or getattr(getattr(x, "dtype", None), "kind", "") == "c":
        raise TypeError(f"a derivative is a real number, not {x!r}")
    unmasked(x)
    return float(x) if hasattr(x, "dtype") else x


def _is_finite(x: Any) -> bool:
    return not isinstance(x, float) or math.isfinite(x)


def _float(x: Fraction | float) -> Fraction | float:
    """The nearest float, where it is not too large for one."""
    try:
        return float(x)
    except OverflowError:
        return x
