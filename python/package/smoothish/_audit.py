"""Is a gradient right?"""

from __future__ import annotations

import math
import sys
import time
from dataclasses import dataclass
from fractions import Fraction
from typing import TYPE_CHECKING, Any, Literal, NamedTuple

import numpy

from ._display import report_html
from ._errors import LimitError, UnsupportedError
from ._smoothish import Audited, Function
from ._values import unmasked

if TYPE_CHECKING:
    from collections.abc import Callable

    from ._smoothish import Exact, Interval


class Report(NamedTuple):
    """What is proven about a claim that a number is a derivative.

    `verdict` is NOT_DEFINED, ONE_SIDED, NOT_CONTINUOUS, NOT_LIPSCHITZ, CERTIFIED_IN, CERTIFIED_OUT, ROUNDED or UNKNOWN, and `reason` says it
    in words. `limits` are those of the derivative from the left and from the right, `set` is Clarke's, where they are known; `borders` are
    the places on whose border the point lies.

    A claim that is out has a `cause`: nan, kink, rule (the program that computed it is wrong over the real numbers), stop_gradient (it is
    the derivative with the stopped values constant) or unexplained. A claim is ROUNDED that is not as near as its unit allows, and as near
    as rounding lets a program come whose rules are right: `digits` of it are right, and the cause is rounding, or dtype where the program
    goes through a coarser type than that of the claim.

    `level` is the widest allowance that the claim needs: ulps; sums (the rounding of a sweep with exact values, where terms cancel); or
    program (the rounding of the program itself). `allowed` is how far rounding may move each coordinate, beside its units, where that was
    asked. `rules` is what is shown of the program that computed the claim, with exact real numbers: right, refuted or unknown; None without
    one, and along a direction.

    Of a whole gradient `set` has an interval for each coordinate, whose product contains Clarke's set; `claim` and `point` have as many
    numbers, and there are no limits. `coordinate` is one that is out, as `paths` name them. Of a Hessian `set` and `claim` have its rows,
    one after the other.
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
    level: str | None = None
    rules: str | None = None
    digits: int | None = None
    allowed: tuple[float, ...] | None = None
    coordinate: str | None = None
    paths: tuple[str, ...] = ()

    @property
    def right(self) -> bool | None:
        """Whether the claim is right: True, False, or None where neither is proven, where it is ROUNDED, or there is no derivative."""
        return {"CERTIFIED_IN": True, "CERTIFIED_OUT": False}.get(self.verdict)

    def _repr_html_(self) -> str:
        return report_html(self)


class GradientError(AssertionError):
    """A gradient is not shown to be right; `report` says what is known."""

    def __init__(self, report: Report) -> None:
        reason = report.reason
        if report.right and report.rules == "refuted":
            reason = "its numbers are right, and over the real numbers its program is not that of the derivative"
        elif report.right:
            reason = f"it is right by the rounding of its {report.level}, which is not accepted"
        if isinstance(report.claim, tuple) and len(report.claim) > MOST_WRITTEN:
            told = f"{report.verdict}, a gradient of {len(report.claim)} numbers: {reason}"
        else:
            told = f"{report.verdict} {report.claim} at {report.point}: {reason}; the derivative is {report.set}"
        super().__init__("\n".join([told, *_worst_coordinates(report), *(f"note: {note}" for note in report.notes)]))
        self.report = report

    def __reduce__(self) -> tuple[Any, ...]:
        return GradientError, (self.report,)


MOST_WRITTEN = 8
"""The numbers of a gradient that a GradientError writes. A choice: some lines."""


def _worst_coordinates(report: Report) -> list[str]:
    """The coordinates of a gradient that are off by the most, as many times as is allowed where that is known."""
    if not isinstance(report.claim, tuple) or not isinstance(report.set, tuple) or len(report.claim) < 2:
        return []
    found = []
    for place, (claim, known) in enumerate(zip(report.claim, report.set, strict=True)):
        if known.lo is None or known.hi is None:
            continue
        lo, hi = Fraction(known.lo), Fraction(known.hi)
        off = math.inf if not _is_finite(claim) else max(lo - Fraction(claim), Fraction(claim) - hi)
        if off > 0:
            size = max(abs(lo), abs(hi), *((Fraction(report.allowed[place]),) if report.allowed else ()))
            found.append((off / size if size else math.inf, place, off))
    found.sort(key=lambda one: (-one[0], one[1]))
    lines = []
    for _, place, off in found[:MOST_WRITTEN]:
        name = report.paths[place] if report.paths else str(place + 1)
        lines.append(f"  coordinate {name}: {report.claim[place]} is off by {float(off):.2g}; the derivative is {report.set[place]}")
    if len(found) > MOST_WRITTEN:
        lines.append(f"  and {len(found) - MOST_WRITTEN} coordinates more are off")
    return lines


@dataclass
class Traces:
    """What JAX says of a function and of its gradient, and whether that computes the claims; of one point alone, or shared by several."""

    own: bool = False
    computes: bool = True
    function: Any = None
    gradient: Any = None


class Subject:
    """A function at a point and what is claimed to be its gradient there, read or traced once, to be judged along many directions.

    It can be pickled, whatever the function is, and judged where JAX is not installed. The arguments are those of `audit`; `timeout` is for
    reading the function.

    >>> subject = smoothish.Subject('\\\\x => abs x', 0, 0.5)
    >>> subject.audit().verdict
    'CERTIFIED_IN'
    """

    order: int = 1
    paths: tuple[str, ...] = ()
    _value: float | Callable[[], float] | None = None

    def value(self) -> float | None:
        """What the program itself answers at the point, computed when it is asked for. None for a program of the language, which has no other."""
        if callable(self._value):
            self._value = self._value()
        return self._value

    def __getstate__(self) -> dict[str, Any]:
        # the function stays where it is
        self.value()
        return self.__dict__

    def __init__(
        self,
        f: str | Callable[[Any], Any],
        x: Any,
        grad: Any = None,
        *,
        dtype: str | None = None,
        timeout: float | None = 60.0,
        argnums: int | tuple[int, ...] | None = None,
        stop_gradient: Literal["identity", "constant"] = "identity",
        order: Literal[1, 2] = 1,
    ) -> None:
        if order not in (1, 2):
            raise ValueError(f"order is 1, or 2 for a second derivative or a Hessian; not {order!r}")
        self.order = int(order)
        if stop_gradient not in ("identity", "constant"):
            raise ValueError(f"stop_gradient is 'identity' or 'constant', not {stop_gradient!r}")
        self._made: Audited
        self._places: dict[int, str] | None = None
        self.notes: tuple[str, ...] = ()
        if dtype is not None and not isinstance(dtype, str):
            raise TypeError(f"dtype: expected the name of a type, as 'float32', found {type(dtype).__name__}")
        if isinstance(f, (str, Function)):
            if argnums is not None:
                raise TypeError("argnums is for functions of JAX: of a program, the gradient is that by all arguments")
            if grad is None:
                message = "a program is no function of JAX: say which number claims to be its derivative, as grad="
                raise TypeError(message)
            self.point: tuple[Any, ...] = _coordinates(x)
            self.grad: tuple[Any, ...] = tuple(map(_claim, _coordinates(grad) if order == 1 else _rows(grad)))
            count = len(self.point)
            if not isinstance(f, str) and f.inputs != count:
                raise ValueError(f"a point of {_count(count)}, where the function has {f.inputs} arguments")
            if len(self.grad) != count**order or count == 0:
                what = "gradient" if order == 1 else "Hessian"
                raise ValueError(f"a {what} of {_count(len(self.grad))}, where the point has {_count(count)}")
            if not isinstance(f, str):
                self._made = Audited.function(f)
            elif f.lstrip().startswith("{"):
                self._made = Audited.straight_line(f)
            else:
                self._made = Audited.program(f, count, [])
            self.dtype = dtype or _coarsest(x, grad)
            self.shapes: tuple[tuple[int, ...], ...] = ((),) * count
        elif callable(f):
            if argnums is not None:
                f, x = _by_arguments(f, x, argnums)
            self._trace(f, x, grad, dtype, timeout, stop_gradient == "constant")
        else:
            kind = type(f).__name__
            raise TypeError(f"f: expected a program, as a text or a Function of compile, or a function of JAX, found {kind}")

    @classmethod
    def _sharing(cls, traces: Traces, f: Any, x: Any, grad: Any, dtype: str | None, timeout: float | None, stops: bool) -> Subject:
        """A function of JAX at one of several points of the same shapes and types, of which there is one trace."""
        subject = cls.__new__(cls)
        subject._places, subject.notes = None, ()
        subject._trace(f, x, grad, dtype, timeout, stops, traces)
        return subject

    def _trace(
        self, f: Any, x: Any, grad: Any, dtype: str | None, timeout: float | None, stops: bool, traces: Traces | None = None
    ) -> None:
        try:
            import jax
        except ImportError:
            raise ImportError(
                "a function of Python is read by JAX, which is not installed: pip install jax; or give a program of the language, as "
                "'\\x y => x * y' or as smoothish.compile(…)"
            ) from None

        from ._forms import Steps
        from ._jax import Translation, same

        named, tree = jax.tree_util.tree_flatten_with_path(x)
        unmasked([leaf for _, leaf in named])
        every = [jax.numpy.asarray(leaf) for _, leaf in named]
        # whole numbers are no variables: they stay what they are
        moving = [place for place, array in enumerate(every) if array.dtype.kind not in "iub"]
        leaves, arrays = ([part[place] for place in moving] for part in ([leaf for _, leaf in named], every))

        def of_floats(*floats: Any) -> Any:
            parts = list(every)
            for place, part in zip(moving, floats, strict=True):
                parts[place] = part
            return f(jax.tree_util.tree_unflatten(tree, parts))

        def gradients(*floats: Any) -> Any:
            return jax.grad(of_floats, argnums=tuple(range(len(floats))))(*floats)

        def hessian(*floats: Any) -> list[Any]:
            blocks = jax.hessian(of_floats, argnums=tuple(range(len(floats))))(*floats)
            return _joined_rows([numpy.asarray(block) for row in blocks for block in row], self.shapes)

        if len(moving) < len(every) and not moving:
            raise ValueError("x has whole numbers alone: there is nothing to differentiate by")

        start = time.monotonic()

        def translated(closed: Any, stops: bool = False, rounds: bool = False) -> tuple[Translation, list[int]]:
            # no more than half of what is left, as there is more to do
            left = time_left(timeout, start)
            half = None if left is None else left / 2
            translation = Translation(arrays, stops=stops, given=leaves, timeout=half, rounds=rounds)
            translation.arrays.audits, translation.arrays.order = True, self.order
            return translation, translation.outputs(closed)

        translation = Translation(arrays, stops=stops, given=leaves, timeout=timeout)
        translation.arrays.audits, translation.arrays.order = True, self.order
        self.point = tuple(translation.point)
        if not self.point:
            raise ValueError("x has no coordinates: there is nothing to differentiate by")
        self.shapes = tuple(array.shape for array in arrays)
        self.paths = tuple(
            _path(jax.tree_util.keystr(named[place][0]), index)
            for place, array in zip(moving, arrays, strict=True)
            for index in numpy.ndindex(array.shape)
        )
        kinds = sorted({str(array.dtype) for array in arrays})
        if dtype is None and len(kinds) > 1:
            raise ValueError(f"x has numbers of {' and '.join(kinds)}: say by which the claim is judged, as dtype=")

        def traced() -> Any:
            # a function of its own each time: JAX keeps the trace of one that it knows
            return jax.make_jaxpr(lambda *floats: of_floats(*floats))(*arrays)

        traces = traces or Traces(own=True)
        is_first = traces.function is None
        if is_first:
            traces.function = traced()
        closed = traces.function
        if self.order == 1:
            self.grad = tuple(_numbers(gradients(*arrays) if grad is None else grad, "gradient", self.shapes))
        else:
            self.grad = tuple(map(_claim, hessian(*arrays) if grad is None else _hessian_rows(grad, self.shapes)))
        if is_first and not same(closed, traced()):
            raise UnsupportedError(
                "traced twice, the function is not the same: it draws from a generator, counts its calls or reads what changes; what JAX "
                "differentiated cannot be known"
            )
        outputs = translation.outputs(closed)
        if len(outputs) != 1:
            raise ValueError(f"a gradient is that of one number, not of {len(outputs)}")
        steps = Steps(translation.graph, outputs)
        places: dict[int, str] = {}
        self._places = {}
        for number, node in enumerate(steps.nodes):
            origin = translation.graph.origins[node]
            if id(origin) not in places:
                places[id(origin)] = translation.place(origin)
            self._places[number] = places[id(origin)]
        notes = dict.fromkeys(translation.notes)
        rules: str | None = None
        stopped: str | None = None
        if (grad is None or not traces.own) and self.order == 1 and traces.computes:
            # what computed the claim, over the real numbers and as it rounds
            try:
                if traces.gradient is None:
                    traces.gradient = jax.make_jaxpr(gradients)(*arrays)
                computed, values = translated(traces.gradient, rounds=True)
                rules = Steps(computed.graph, values).text(computed.place)
            except (UnsupportedError, LimitError) as error:
                notes[f"the program of the gradient is not followed: {error}"] = None
        if translation.has_stops and not stops and self.order == 1:
            held, values = translated(closed, stops=True)
            stopped = Steps(held.graph, values).text()
        self._made = Audited.straight_line(steps.text(), rules, stopped)
        self._value = lambda: float(numpy.asarray(of_floats(*arrays), dtype=float).ravel()[0])
        self.notes = tuple(notes)
        self.dtype = dtype or kinds[0]

    def audit(
        self,
        direction: Any = None,
        *,
        ulps: int | None = None,
        timeout: float | None = 20.0,
        atol: float | None = None,
        rtol: float | None = None,
    ) -> Report:
        """What is proven of the claim; of several coordinates, of the derivative along a direction, or of the whole gradient."""
        along = None
        if direction is not None:
            if self.order == 2:
                raise ValueError("a direction is for derivatives of first order")
            if self._places is None:
                raise TypeError(
                    "a direction is for functions of JAX; of a program, ask about it on the line, as '\\t => f (1 + t) (2 - t)' at 0"
                )
            numbers = _numbers(direction, "direction", self.shapes)
            if not all(map(_is_finite, numbers)):
                raise ValueError("a direction is made of finite numbers")
            along = [Fraction(value) for value in numbers]
        found = self._made.audited(self.point, along, self.grad, self.dtype, ulps, timeout, atol, rtol, self.order)
        verdict, reason, cause, limits, known, places, steps, judged, beyond = found
        if verdict == "NOT_DEFINED" and (value := self.value()) is not None and math.isfinite(value):
            # 1/∞, and the greater of -∞ and a number, are numbers in floating-point arithmetic
            verdict = "UNKNOWN"
            reason = f"not decided: the program has the value {value:.6g} there, by way of an infinity or a NaN, and over the real numbers {reason}"
        level, rules, digits, allowances, place = beyond
        allowed = None if allowances is None else tuple(map(float, allowances))
        names = self.paths
        if self.order == 2:
            # of a Hessian a row and a column
            each = names or tuple(str(index + 1) for index in range(len(self.point)))
            names = tuple(f"{row}, {column}" for row in each for column in each)
        coordinate = None if place is None else names[place] if names else str(place + 1)
        if coordinate is not None:
            reason += f" (coordinate {coordinate})"
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
        return Report(
            verdict, reason, cause, tuple(limits), whole, tuple(borders), claim, point, self.notes, level, rules, digits, allowed,
            coordinate, names if along is None and len(self.grad) > 1 else (),
        )  # fmt: skip


def _by_arguments(f: Any, x: Any, argnums: int | tuple[int, ...]) -> tuple[Any, Any]:
    """A function of the arguments that are differentiated by, and these: the others are what they are."""
    if not isinstance(x, tuple):
        raise TypeError("with argnums, x is a tuple of all arguments of the function")
    places = (argnums,) if isinstance(argnums, int) else tuple(argnums)
    for place in places:
        if not isinstance(place, int) or not -len(x) <= place < len(x):
            raise ValueError(f"argnums: {place!r}, where there are {len(x)} arguments")
    places = tuple(place % len(x) for place in places)
    if len(set(places)) < len(places) or not places:
        raise ValueError(f"argnums: {argnums!r} does not name each argument once")

    def of_these(part: Any) -> Any:
        arguments = list(x)
        for place, value in zip(places, (part,) if isinstance(argnums, int) else part, strict=True):
            arguments[place] = value
        return f(*arguments)

    return of_these, x[places[0]] if isinstance(argnums, int) else tuple(x[place] for place in places)


def _path(name: str, index: tuple[int, ...]) -> str:
    """What a coordinate is called: the path of its array, and its place there. One of a single array is counted from 1, as elsewhere."""
    if not name and len(index) <= 1:
        return str(index[0] + 1 if index else 1)
    return name + (f"[{', '.join(map(str, index))}]" if index else "")


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


def _rows(grad: Any) -> tuple[Any, ...]:
    """The numbers of a Hessian of a program, row by row: of one number, of rows, or of numbers in a row."""
    if isinstance(grad, (list, tuple)):
        return tuple(part for row in grad for part in (_coordinates(row) if isinstance(row, (list, tuple)) or hasattr(row, "ndim") else (row,)))
    unmasked(grad)
    return tuple(numpy.ravel(grad).tolist()) if hasattr(grad, "ndim") else (grad,)


def _joined_rows(blocks: list[Any], shapes: tuple[tuple[int, ...], ...]) -> list[Any]:
    """The numbers of a Hessian, row by row, from its blocks: one for each two arrays."""
    sizes = [math.prod(shape) for shape in shapes]
    rows = []
    for place, size in enumerate(sizes):
        parts = blocks[place * len(sizes) : (place + 1) * len(sizes)]
        joined = numpy.concatenate([numpy.asarray(part, dtype=object).reshape(size, other) for part, other in zip(parts, sizes, strict=True)], 1)
        rows += joined.ravel().tolist()
    return rows


def _hessian_rows(grad: Any, shapes: tuple[tuple[int, ...], ...]) -> list[Any]:
    """The numbers of what claims to be a Hessian: what `jax.hessian` answers, or its rows."""
    count = sum(map(math.prod, shapes))
    if isinstance(grad, (list, tuple)) and all(isinstance(part, (list, tuple, int, float, Fraction)) for part in grad):
        rows = list(_rows(grad))
    else:
        import jax

        blocks = [numpy.asarray(leaf) for leaf in jax.tree_util.tree_leaves(grad)]
        wanted = [one + other for one in shapes for other in shapes]
        if [block.shape for block in blocks] == wanted:
            return _joined_rows(blocks, shapes)
        rows = [value for block in blocks for value in block.ravel().tolist()]
    if len(rows) != count * count:
        raise ValueError(f"a Hessian of {_count(len(rows))}, where x has {_count(count)}")
    return rows


def _coarsest(*values: Any) -> str:
    """The coarsest type of floats among these numbers, sequences and arrays; float64 where none says its type."""
    parts = [part for value in values for part in (value if isinstance(value, (list, tuple)) else (value,))]
    kinds = {str(part.dtype) for part in parts if hasattr(part, "dtype")}
    return next((kind for kind in COARSEST if kind in kinds), "float64")


def _numbers(tree: Any, what: str, shapes: tuple[tuple[int, ...], ...]) -> list[Any]:
    """The numbers of a tree of arrays, of JAX where that is what it is, of these shapes; or of a list of as many numbers."""
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
    atol: float | None = None,
    rtol: float | None = None,
    argnums: int | tuple[int, ...] | None = None,
    stop_gradient: Literal["identity", "constant"] = "identity",
    order: Literal[1, 2] = 1,
) -> Report:
    """Whether a gradient is right: a Report of what is proven about it.

    `f` is a program, as a text or as a Function of `compile`, of one real argument or of several, or a list of steps as JSON, and then `grad` is the number that claims
    to be its derivative at `x`, or as many numbers as there are arguments; or it is a function of JAX, and then `grad` is what `jax.grad`
    answers, where nothing else is said; or of torch, where `x` is a tensor or a tuple with tensors, as for `smoothish.torch.audit`.

    Of a function of several numbers the whole gradient is judged, or
    along a `direction` the derivative, which is decided more often: `grad` is still the whole gradient. `x` is what it is in its type, and each
    number of the claim may be off by `ulps` units in the last place of `dtype`, which is that of `x`, and for a program the coarsest of the
    types of `x` and `grad`: where nothing is said, by 1024 of float64 and of float32, 8 of float16 and
    4 of bfloat16. A unit is 2^(1-p) times the derivative by this coordinate, or times the least normal number, with the p bits of the type:
    one to two steps between its numbers there. Beside that an absolute error of `atol`
    is allowed, and an error of `rtol` relative to the derivative, if it is more than the units are.

    What `jax.grad` answers is computed by a program that JAX can trace. It is judged over the real numbers, which shows whether a rule is
    wrong, and as it rounds: a claim that is no nearer than its own program comes, by rules that are right, is ROUNDED. With `argnums` the
    function has several arguments, `x` is the tuple of them, and the gradient is that by those. Whole numbers are constant. `stop_gradient`
    is the identity, so that a gradient that it changes is out; or it is 'constant', as `jax.grad` takes it.

    With `order=2` the claim is a second derivative, or a Hessian by rows, or what `jax.hessian` answers, where nothing else is said. It is
    compared with the derivative of the gradient that is derived here, not by the rules of JAX.

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
    if _has_tensors(x):
        from .torch import audit as audit_torch

        if argnums is not None:
            raise TypeError("argnums is for functions of JAX: of torch, those tensors vary that require a gradient")
        options: dict[str, Any] = {"dtype": dtype, "ulps": ulps, "timeout": timeout, "atol": atol, "rtol": rtol, "order": order}
        return audit_torch(f, x, grad, direction=direction, stop_gradient=stop_gradient, **options)
    start = time.monotonic()
    subject = Subject(f, x, grad, dtype=dtype, timeout=timeout, argnums=argnums, stop_gradient=stop_gradient, order=order)
    return subject.audit(direction, ulps=ulps, timeout=time_left(timeout, start), atol=atol, rtol=rtol)


def time_left(timeout: float | None, start: float) -> float | None:
    """The seconds that are left of those that a question may take, which has begun at `start`. What is no number of seconds stays what it is."""
    if not isinstance(timeout, (int, float)) or not 0 <= timeout <= LONGEST:
        return timeout
    return max(0.0, timeout - (time.monotonic() - start))


LONGEST = 10**9
"""The seconds beyond which no time is counted: some thirty years."""


def _has_tensors(x: Any) -> bool:
    """Whether a point is made of tensors of torch: it is one, or a tuple with one."""
    torch = sys.modules.get("torch")
    return torch is not None and any(isinstance(part, torch.Tensor) for part in (x if isinstance(x, tuple) else (x,)))


ACCEPTED = ("program", "sums", "ulps", "rounded")
"""What `check_grad` accepts, by name."""


def check_grad(
    f: str | Callable[[Any], Any],
    x: Any,
    grad: Any = None,
    *,
    allow_unknown: bool = False,
    accept: Literal["program", "sums", "ulps", "rounded"] = "program",
    **options: Any,
) -> Report:
    """For tests: the Report of `audit`, where the gradient is right; otherwise a GradientError, which is an AssertionError.

    What is not decided is an error too, unless it is allowed. Accepted is a claim that is off by no more than `accept`: 'ulps', units in the
    last place alone; 'sums', the rounding of sums that cancel too; 'program', the rounding of the program too, where half of the digits
    are right; or 'rounded', whatever rounding does to right rules. A gradient whose program has a wrong rule is accepted under 'ulps' only,
    where its numbers are right. Along a `direction` the program is not read, and only the numbers count, by units in the last place.

    >>> smoothish.check_grad('\\\\x => x^2', 3, 6.0).right
    True
    >>> smoothish.check_grad('\\\\x => x^2', 3, 5.0)
    Traceback (most recent call last):
        ...
    smoothish._audit.GradientError: CERTIFIED_OUT 5.0 at 3: it is not the derivative: ...; the derivative is 6
    """
    is_accepted(accept)
    return checked(audit(f, x, grad, **options), accept, allow_unknown)


def check_jacobian(
    f: Callable[[Any], Any],
    x: Any,
    jacobian: Any = None,
    *,
    allow_unknown: bool = False,
    accept: Literal["program", "sums", "ulps", "rounded"] = "program",
    **options: Any,
) -> tuple[Report, ...]:
    """For tests: the Reports of the gradients of all numbers that a function of JAX answers, where they are right; otherwise a GradientError.

    `jacobian` is what `jax.jacobian` answers, and what it does answer where nothing is said. The value may be a tree of arrays; of each of
    its numbers the gradient is judged by itself, in their order. The other arguments are those of `audit`; `timeout` is for each of them.

    >>> import jax.numpy as jnp
    >>> [report.right for report in smoothish.check_jacobian(jnp.cumsum, jnp.ones(3))]
    [True, True, True]
    """
    is_accepted(accept)
    if isinstance(f, (str, Function)) or not callable(f):
        raise TypeError(f"f: expected a function of JAX, found {type(f).__name__}")
    if _has_tensors(x):
        raise TypeError("functions of torch have a check_jacobian of their own: smoothish.torch.check_jacobian")
    import jax

    argnums = options.pop("argnums", None)
    if argnums is not None:
        f, x = _by_arguments(f, x, argnums)
    values = jax.tree_util.tree_leaves(jax.eval_shape(f, x))
    if not values:
        raise ValueError("the function answers no number")
    rows = None if jacobian is None else _jacobian_rows(jacobian, [value.shape for value in values], x)

    def number_of(leaf: int, index: tuple[int, ...]) -> Callable[[Any], Any]:
        return lambda x: jax.tree_util.tree_leaves(f(x))[leaf][index]

    reports = []
    for leaf, value in enumerate(values):
        for index in numpy.ndindex(value.shape):
            claim = None if rows is None else rows[len(reports)]
            report = audit(number_of(leaf, index), x, claim, **options)
            note = f"number {len(reports)} of the value"
            reports.append(checked(report._replace(notes=(note, *report.notes)), accept, allow_unknown))
    return tuple(reports)


def _jacobian_rows(jacobian: Any, shapes: list[tuple[int, ...]], x: Any) -> list[Any]:
    """The claims about the numbers of a value, each a list of numbers, from what `jax.jacobian` answers."""
    import jax

    arguments = [numpy.shape(leaf) for leaf in jax.tree_util.tree_leaves(x) if jax.numpy.asarray(leaf).dtype.kind not in "iub"]
    blocks = [numpy.asarray(leaf) for leaf in jax.tree_util.tree_leaves(jacobian)]
    wanted = [shape + argument for shape in shapes for argument in arguments]
    if [block.shape for block in blocks] != wanted:
        found = [" and ".join(map(str, all_of)) or "no number" for all_of in ([block.shape for block in blocks], wanted)]
        raise ValueError(f"a Jacobian of the shape {found[0]}, where {found[1]} is wanted")
    rows = []
    for place, shape in enumerate(shapes):
        parts = blocks[place * len(arguments) : (place + 1) * len(arguments)]
        flat = [numpy.asarray(part, dtype=object).reshape(math.prod(shape), -1) for part in parts]
        rows += numpy.concatenate(flat, 1).tolist()
    return rows


def is_accepted(accept: str) -> None:
    """Refuses what is no name of what is accepted."""
    if accept not in ACCEPTED:
        raise ValueError(f"accept is one of {', '.join(ACCEPTED)}; not {accept!r}")


def checked(report: Report, accept: str, allow_unknown: bool) -> Report:
    """A report that is accepted; otherwise a GradientError."""
    levels = {"ulps": ("ulps",), "sums": ("ulps", "sums")}.get(accept, ("ulps", "sums", "program"))
    # along a direction units in the last place are all that is allowed, and no level is said
    is_right = report.right and report.level in (None, *levels) and (accept == "ulps" or report.rules != "refuted")
    if is_right or (accept == "rounded" and report.verdict == "ROUNDED") or (allow_unknown and report.verdict == "UNKNOWN"):
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
