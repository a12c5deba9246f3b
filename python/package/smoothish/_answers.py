"""Answers of questions, with what is told beside their values."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Generic, NamedTuple, TypeVar

from ._display import answer_html

if TYPE_CHECKING:
    from fractions import Fraction

    from ._smoothish import Interval

T = TypeVar("T")


class Note(NamedTuple):
    """A sentence that is told beside an answer.

    `id` is by what programs tell notes apart, `kind` is assumption, remark or outcome, and `position` is the place that it is about, as
    `name:line:column`, or None. As a str it is its text.

    >>> smoothish.ask('sin pi/2').notes
    (Note(id='tight', kind='remark', text='sin pi/2 is (sin pi)/2; of all of it, it is sin (pi/2)', position=None),)
    """

    id: str
    kind: str
    text: str
    position: str | None

    def __str__(self) -> str:
        return self.text


class Undefined(NamedTuple):
    """Why there is no number: the cause in one word, the reason, where the operation stands, and what explains it.

    >>> print(smoothish.ask('1 + log (2 - 2.0)').undefined)
    `log` is outside of its domain, at question:1:5
    """

    cause: str
    text: str
    position: str | None
    help: str | None

    def __str__(self) -> str:
        at = f", at {self.position}" if self.position else ""
        return f"{self.text}{at}" + (f"; {self.help}" if self.help else "")


@dataclass(frozen=True, repr=False)
class Answer(Generic[T]):
    """What a question is answered: a value, and what there is to say beside it.

    | field | what it says |
    |---|---|
    | `value` | the value |
    | `type` | the type of the program, where one program is asked |
    | `reached` | whether the value is as accurate as was asked |
    | `stopped` | what cut the question short: time, work, memory or interrupt; None where nothing did |
    | `undefined` | why the first number that is not shown to be defined is not, or None |
    | `notes` | the notes, a tuple |
    | `trusted` | the constants from outside that it rests on, a tuple of names: see `Session.constant` |
    | `elapsed` | how long it took, in seconds |

    >>> answer = smoothish.ask('deriv (\\\\x => max 0 x) 0', eps='1e-9')
    >>> answer.reached, answer.stopped
    (False, None)
    >>> print(answer)
    [0, 1]
    note: the tolerance of 1e-9 was not reached: this is a set, not one number: its ends are exact
    """

    value: T
    type: str | None = field(kw_only=True)
    reached: bool = field(kw_only=True)
    stopped: str | None = field(kw_only=True)
    undefined: Undefined | None = field(kw_only=True)
    notes: tuple[Note, ...] = field(kw_only=True)
    trusted: tuple[str, ...] = field(kw_only=True, default=())
    elapsed: float = field(kw_only=True, compare=False)

    def __str__(self) -> str:
        return "\n".join([str(self.value), *(f"note: {note}" for note in self.notes)])

    def __repr__(self) -> str:
        count = len(self.notes)
        notes = f", {count} note{'s' if count > 1 else ''}" if count else ""
        return f"<{type(self).__name__} {self.value!r}{notes}>"

    def _repr_html_(self) -> str:
        return answer_html(self)


@dataclass(frozen=True, repr=False)
class Integral(Answer["Interval"]):
    """A mass or a mean: a sum over paths of a program that samples.

    | field | what it says |
    |---|---|
    | `paths` | how many paths contribute to it |
    | `open` | how many paths were not followed to an end, or not integrated |
    | `rest` | at most the probability of all these, an Interval |
    | `assumed` | what was assumed, a tuple of sentences |

    >>> smoothish.evidence('do { x <- sample (normal 0 1); score (exp x); return x }')
    <Integral <Interval [1.64872127, 1.64872128]>>
    """

    paths: int = field(kw_only=True)
    open: int = field(kw_only=True)
    rest: Interval = field(kw_only=True)
    assumed: tuple[str, ...] = field(kw_only=True)


class DensityPart(NamedTuple):
    """What of the density of an image comes from one place of a chart.

    `dimension` is that of the image, `density` the density after the map; `value` is the value that is taken to the point, None where it
    is partly forgotten; `before` is the density there, and `factor` that of the change of variables, by which it is divided.
    """

    dimension: int
    density: Interval
    value: tuple[Interval, ...] | None
    before: Interval | None
    factor: Interval | None


@dataclass(frozen=True, repr=False)
class Pushforward(Answer["dict[int, Interval]"]):
    """The density of what a map makes of a program's values, at a point: for each dimension, with respect to its Hausdorff measure.

    | field | what it says |
    |---|---|
    | `densities`, `value` | the densities by their dimensions; none where the point lies on no image |
    | `parts` | what they are made of |
    | `charts` | how many charts the support of the program has |
    | `injective` | why the map is injective on each chart, where that was proved, else None; `but_for` is what of that is left out |
    | `assumed` | what was assumed, a tuple of sentences |

    >>> segment = 'do { t <- sample (uniformOn 0 1); return (t, t) }'
    >>> smoothish.pushforward('\\\\p => p', segment, ('1/4', '1/4')).densities
    {1: <Interval [0.70710678, 0.70710679]>}
    >>> smoothish.pushforward('\\\\p => p', segment, (1, 2)).densities
    {}
    """

    parts: tuple[DensityPart, ...] = field(kw_only=True)
    charts: int = field(kw_only=True)
    injective: str | None = field(kw_only=True)
    but_for: str | None = field(kw_only=True)
    assumed: tuple[str, ...] = field(kw_only=True)

    @property
    def densities(self) -> dict[int, Interval]:
        """The densities by their dimensions."""
        return self.value


class MissedTerm(NamedTuple):
    """Something that an estimator does not see: what it is, its share of the gradient, and what is written at its place, if it has one."""

    what: str
    share: Interval
    written: str | None
    position: str | None

    def __str__(self) -> str:
        return self.what if self.written is None else f"{self.what} `{self.written}` ({self.position})"


class Estimator(NamedTuple):
    """What an estimator of a gradient is in the mean.

    `bias` is what its mean is more than the gradient, `variance` that of one sample, None for the one with boundary terms, and `misses` are
    what it does not see. One that is not `applicable` has none of these, and `why` says why.
    """

    name: str
    applicable: bool
    mean: Interval | None
    bias: Interval | None
    variance: Interval | None
    misses: tuple[MissedTerm, ...]
    why: str | None


@dataclass(frozen=True, repr=False)
class EstimatorComparison(Answer["Interval"]):
    """The gradient of a mean, and its estimators.

    | field | what it says |
    |---|---|
    | `gradient`, `value` | the gradient |
    | `estimators` | one for each estimator: reparametrisation, the score function, the first with boundary terms |
    | `paths` | how many paths contribute |

    >>> [e.name for e in smoothish.estimators('\\\\t => sample (normal t 1)', '\\\\x => x', 0).estimators]
    ['reparametrisation', 'score function', 'with boundary terms']
    """

    estimators: tuple[Estimator, ...] = field(kw_only=True)
    paths: int = field(kw_only=True)

    @property
    def gradient(self) -> Interval:
        """The gradient."""
        return self.value


class TraceGuard(NamedTuple):
    """A comparison that was decided on the way to a trace: `<` or `>`, whether it holds, and where it stands."""

    predicate: str
    holds: bool
    position: str | None


class TraceStep(NamedTuple):
    """A rule that was applied: its name, within how many evaluations, to what, in which context (None where it is trivial), and the
    trace after it, as far as it is known.

    >>> print(smoothish.trace('1 + 2', steps=True).value.reduction[-1])
    V + W ⇝ V + W: 1 + 2
    """

    rule: str
    level: int
    redex: str
    context: str | None
    trace: str

    def __str__(self) -> str:
        return f"{self.rule}: {self.redex}"


@dataclass(frozen=True)
class Trace:
    """A program without branches, loops and derivatives, which is what another program is at a point.

    | field | what it says |
    |---|---|
    | `text`, `type` | the program, and its type |
    | `value` | the value at the point: an Interval, `()`, or a pair of values |
    | `guards` | the comparisons that were decided, in their order |
    | `valid` | an Interval for each number of the point, with exact ends: in this box the comparisons are decided alike; None where none was found, or no function is traced |
    | `size` | how many nodes the trace has |
    | `steps` | how many rules were applied |
    | `reduction` | these rules, where they were asked for; `further` is how many more there are than are kept |

    >>> trace = smoothish.trace('\\\\x => if x > 1 then x^2 else 0', at=3).value
    >>> 2 in trace.valid[0], 1 in trace.valid[0]
    (True, False)
    """

    text: str
    type: str
    value: Interval | tuple[object, ...]
    guards: tuple[TraceGuard, ...]
    valid: tuple[Interval, ...] | None
    size: int
    steps: int
    reduction: tuple[TraceStep, ...] | None
    further: int

    def __str__(self) -> str:
        return self.text


@dataclass(frozen=True, repr=False)
class Sweep(Answer["Interval | float | tuple[object, ...]"]):
    """A value, and derivatives by one sweep back for each number of it.

    | field | what it says |
    |---|---|
    | `value` | the value: a number, `()`, or a pair of values; a number is an Interval, or a float where doubles were asked |
    | `rows` | for each number of the value its derivative, which has the form of the point; none where they were not asked for |
    | `errors` | where doubles were asked: the value and the rows with, in the place of each number, a bound of its error; None otherwise |

    >>> smoothish.sweep('\\\\x => (x^2, max 0 x)', at=3, reverse=True).rows
    (<Interval 6>, <Interval 1>)
    >>> smoothish.sweep('\\\\x => x + x + x', at='0.1', doubles=True).errors[0] < 1e-15
    True
    """

    rows: tuple[object, ...] = field(kw_only=True)
    errors: tuple[object, tuple[object, ...]] | None = field(kw_only=True)


class Stretch(NamedTuple):
    """The numbers between two ends, and whether the ends belong to it. An end that is no fraction lies in an Interval.

    >>> print(smoothish.pieces('\\\\x => max 0 x', '-1/3', 1).value.pieces[0].region[0])
    [-1/3, 0]
    """

    lo: Fraction | Interval
    hi: Fraction | Interval
    closed: tuple[bool, bool]

    def __str__(self) -> str:
        if self.lo == self.hi and self.closed == (True, True):
            return f"{{{self.lo}}}"
        return f"{'(['[self.closed[0]]}{self.lo}, {self.hi}{')]'[self.closed[1]]}"


class Piece(NamedTuple):
    """A piece of a function: where it is, the function and its derivatives there, and what was decided.

    Where the function has no value `maps` is None and `undefined` says why; elsewhere `undefined` is None. `sample` is a point of the
    piece, or None if none is known. `dimension` is a lower and an upper bound; the lower one is None if the piece may be empty. `size` is
    the length, or the volume, of the piece. Of a function of several variables `region` is empty: the guards say where the piece is.
    """

    region: tuple[Stretch, ...]
    maps: tuple[str, ...] | None
    undefined: str | None
    guards: tuple[str, ...]
    sample: tuple[Fraction, ...] | None
    dimension: tuple[int | None, int]
    size: Fraction | Interval

    def __str__(self) -> str:
        what = ", ".join(self.maps) if self.maps is not None else self.undefined
        where = f" where {', '.join(self.guards)}" if self.guards else ""
        on = " and ".join(map(str, self.region)) if self.region else f"volume {self.size}"
        return f"{on}: {what}{where}"


class NotUnfolded(NamedTuple):
    """Parts of an interval, or of a box, that were not unfolded.

    `why` is limit (as many pieces as were wanted, or as many paths as may be), fuel (not within its steps or its time) or undecided (not
    told on which side of a guard). There are so many `parts` of a `length`, or volume, together, and `positions` says where the program stood, each with
    how many of the parts.
    """

    why: str
    parts: int
    length: Fraction | Interval
    positions: tuple[tuple[str | None, int], ...]

    def __str__(self) -> str:
        return f"not unfolded ({self.why}): {self.parts} part{'s' if self.parts > 1 else ''} of length {self.length}"


class Pieces(NamedTuple):
    """The pieces of a function, of one variable from left to right, and what of the interval or box was not unfolded.

    >>> print(smoothish.pieces('\\\\x => if x > 0 then x^2 else x', -1, 1).value)
    [-1, 0]: x, 1 where x <= 0
    (0, 1]: x^2, 2 * x where x > 0
    """

    pieces: tuple[Piece, ...]
    rest: tuple[NotUnfolded, ...]

    def __str__(self) -> str:
        return "\n".join(map(str, [*self.pieces, *self.rest]))
