from collections.abc import Callable, Iterable, Mapping, Sequence
from decimal import Decimal
from fractions import Fraction
from typing import Any, SupportsIndex, TypeAlias, TypeVar, overload

from numpy.typing import ArrayLike, NDArray

from ._answers import Answer, EstimatorComparison, Integral, Note, Pieces, Pushforward, Sweep, Trace
from ._values import Batch

T = TypeVar("T")
U = TypeVar("U")
Exact: TypeAlias = float | Fraction | Decimal | str | SupportsIndex
"""A real number, exactly: what it says is what it is."""
Number: TypeAlias = Interval | float | Fraction | Decimal | SupportsIndex
"""What an interval is added to, or multiplied by."""
Point: TypeAlias = Exact | Sequence[Exact] | NDArray[Any]
Value: TypeAlias = Interval | float | int | bool | None | tuple[object, ...] | list[object]
"""What a program is: a float in a model of floating-point numbers alone."""

class Interval:
    def __new__(cls, lo: Exact, hi: Exact, defined: bool = True, reached: bool = True) -> Interval: ...
    @property
    def lo(self) -> Fraction | float: ...
    @property
    def hi(self) -> Fraction | float: ...
    @property
    def defined(self) -> bool: ...
    @property
    def reached(self) -> bool: ...
    @property
    def width(self) -> Fraction | float: ...
    @property
    def exact(self) -> Fraction | None: ...
    @property
    def mid(self) -> Fraction | None: ...
    @property
    def digits(self) -> str | None: ...
    @property
    def why(self) -> str | None: ...
    def __add__(self, other: Number) -> Interval: ...
    def __radd__(self, other: Number) -> Interval: ...
    def __sub__(self, other: Number) -> Interval: ...
    def __rsub__(self, other: Number) -> Interval: ...
    def __mul__(self, other: Number) -> Interval: ...
    def __rmul__(self, other: Number) -> Interval: ...
    def __truediv__(self, other: Number) -> Interval: ...
    def __rtruediv__(self, other: Number) -> Interval: ...
    def __neg__(self) -> Interval: ...
    def __pos__(self) -> Interval: ...
    def __abs__(self) -> Interval: ...
    def __float__(self) -> float: ...
    def overlaps(self, other: Interval) -> bool: ...
    def __contains__(self, x: Exact | Interval) -> bool: ...
    def __eq__(self, other: object) -> bool: ...
    def __hash__(self) -> int: ...
    def _repr_html_(self) -> str: ...
    def _repr_latex_(self) -> str: ...
    def __dask_tokenize__(self) -> object: ...

class Real:
    def __new__(cls, text: str, *, timeout: float | None = 60.0) -> Real: ...
    def refine(
        self,
        eps: Exact | None = None,
        *,
        rel: Exact | None = None,
        digits: int | None = None,
        timeout: float | None = 60.0,
    ) -> Interval: ...
    @property
    def best(self) -> Interval: ...
    @property
    def text(self) -> str: ...
    def _repr_html_(self) -> str: ...

class Function:
    @property
    def inputs(self) -> int: ...
    @property
    def outputs(self) -> int: ...
    @property
    def nodes(self) -> int: ...
    @property
    def source(self) -> str | None: ...
    @property
    def notes(self) -> tuple[str, ...]: ...
    @overload
    def __call__(self, *x: float) -> Interval | tuple[Interval, ...]: ...
    @overload
    def __call__(self, x: Point) -> Interval | tuple[Interval, ...] | Batch: ...
    def batch(self, points: ArrayLike) -> Batch: ...
    def at(
        self,
        x: Point,
        eps: Exact | None = None,
        *,
        rel: Exact | None = None,
        digits: int | None = None,
        timeout: float | None = 60.0,
    ) -> Interval | tuple[Interval, ...]: ...
    def jacobian(self, points: ArrayLike) -> Batch: ...
    def jacobian_at(
        self, x: Point, eps: Exact | None = None, *, timeout: float | None = 60.0
    ) -> tuple[tuple[Interval, ...], ...]: ...
    def gradient(self, points: ArrayLike) -> Batch: ...
    def gradient_at(
        self, x: Point, eps: Exact | None = None, *, timeout: float | None = 60.0
    ) -> tuple[Interval, ...]: ...
    def vjp(self, points: ArrayLike, cotangent: Point) -> Batch: ...
    def vjp_at(
        self, x: Point, cotangent: Point, eps: Exact | None = None, *, timeout: float | None = 60.0
    ) -> tuple[Interval, ...]: ...
    def _range(self, lo: Sequence[Exact], hi: Sequence[Exact], bits: int) -> list[Interval]: ...
    def to_bytes(self) -> bytes: ...
    @staticmethod
    def from_bytes(data: bytes, source: str | None = None, notes: Sequence[str] = ...) -> Function: ...
    def to_json(self) -> str: ...
    @staticmethod
    def from_json(text: str, source: str | None = None, notes: Sequence[str] = ...) -> Function: ...
    def __dask_tokenize__(self) -> object: ...

class Plot:
    @property
    def svg(self) -> str: ...
    @property
    def png(self) -> bytes: ...
    @property
    def orders(self) -> list[int]: ...
    @property
    def notes(self) -> tuple[Note, ...]: ...
    @property
    def reached(self) -> bool: ...
    @property
    def stopped(self) -> str | None: ...
    @property
    def elapsed(self) -> float: ...
    def columns(self, order: int = 0) -> list[tuple[Fraction, Fraction, Interval | None]]: ...
    def _repr_svg_(self) -> str: ...

class Session:
    def __new__(cls, definitions: Sequence[str] = ...) -> Session: ...
    def define(self, text: str) -> str: ...
    def constant(
        self,
        name: str,
        *,
        enclose: Callable[[Fraction, Fraction], tuple[Exact, Exact] | None],
        slope: str,
        boxes: Iterable[tuple[Exact, Exact]],
        about: str = "",
        analytic: bool = False,
        timeout: float = 60.0,
    ) -> str: ...
    @property
    def definitions(self) -> list[str]: ...
    def type_of(self, text: str) -> str: ...
    def ask(
        self,
        text: str,
        eps: Exact | None = None,
        *,
        rel: Exact | None = None,
        digits: int | None = None,
        model: str | None = None,
        timeout: float | None = 60.0,
        effort: float | None = None,
        tuning: Mapping[str, int] | None = None,
    ) -> Answer[Value]: ...
    def eval(
        self,
        text: str,
        eps: Exact | None = None,
        *,
        rel: Exact | None = None,
        digits: int | None = None,
        model: str | None = None,
        timeout: float | None = 60.0,
        effort: float | None = None,
        tuning: Mapping[str, int] | None = None,
    ) -> Value: ...
    def expect(
        self,
        model: str,
        f: str,
        at: Exact | None = None,
        deriv: int | None = None,
        *,
        eps: Exact | None = None,
        rel: Exact | None = None,
        digits: int | None = None,
        weight_at_most: Exact | None = None,
        bound: str | None = None,
        timeout: float | None = 60.0,
        effort: float | None = None,
        tuning: Mapping[str, int] | None = None,
    ) -> Integral: ...
    def evidence(
        self,
        model: str,
        log: bool = False,
        at: Exact | None = None,
        deriv: int | None = None,
        *,
        eps: Exact | None = None,
        rel: Exact | None = None,
        digits: int | None = None,
        weight_at_most: Exact | None = None,
        timeout: float | None = 60.0,
        effort: float | None = None,
        tuning: Mapping[str, int] | None = None,
    ) -> Integral: ...
    def pushforward(
        self,
        map: str,
        model: str,
        point: str | Point,
        eps: Exact | None = None,
        *,
        injective: bool = False,
        assume_injective: bool = False,
        timeout: float | None = 60.0,
    ) -> Pushforward: ...
    def estimators(
        self, model: str, f: str, at: Exact, eps: Exact | None = None, *, timeout: float | None = 60.0
    ) -> EstimatorComparison: ...
    def trace(
        self,
        text: str,
        at: str | Point | None = None,
        *,
        reverse: bool = False,
        literal: bool = False,
        steps: bool = False,
        unfoldings: int | None = None,
        timeout: float | None = 60.0,
    ) -> Answer[Trace]: ...
    def sweep(
        self,
        text: str,
        at: str | Point | None = None,
        *,
        reverse: bool = False,
        doubles: bool = False,
        unfoldings: int | None = None,
        timeout: float | None = 60.0,
    ) -> Sweep: ...
    def pieces(
        self,
        text: str,
        lo: Point,
        hi: Point,
        *,
        deriv: int = 1,
        limit: int = 100,
        eps: Exact | None = None,
        timeout: float | None = 60.0,
    ) -> Answer[Pieces]: ...
    def compile(self, text: str, *, timeout: float | None = 60.0) -> Function: ...
    def real(self, text: str, *, timeout: float | None = 60.0) -> Real: ...
    def plot(
        self,
        text: str,
        lo: Exact,
        hi: Exact,
        *,
        orders: Sequence[int] = ...,
        columns: int | None = None,
        width: int = 640,
        height: int | None = None,
        timeout: float | None = 60.0,
    ) -> Plot: ...
    def density(
        self,
        model: str,
        lo: Exact,
        hi: Exact,
        *,
        columns: int | None = None,
        width: int = 640,
        height: int | None = None,
        timeout: float | None = 60.0,
    ) -> Plot: ...

class Audited:
    @staticmethod
    def program(text: str, inputs: int, definitions: Sequence[str]) -> Audited: ...
    @staticmethod
    def function(function: Function) -> Audited: ...
    @staticmethod
    def straight_line(text: str, rules: str | None = None, stopped: str | None = None) -> Audited: ...
    def audited(
        self,
        x: Sequence[Exact],
        direction: Sequence[Exact] | None,
        grad: Sequence[Exact],
        dtype: str,
        ulps: int | None,
        timeout: float | None,
        atol: Exact | None = None,
        rtol: Exact | None = None,
        order: int = 1,
    ) -> tuple[
        str,
        str,
        str | None,
        list[Interval | None],
        list[Interval] | None,
        list[tuple[int, int]],
        list[int],
        list[Fraction | float],
        tuple[str | None, str | None, int | None, list[Fraction] | None, int | None],
    ]: ...

class Stop:
    def set(self) -> None: ...
    @property
    def is_set(self) -> bool: ...
    def run(self, function: Callable[[T], U], argument: T) -> U: ...

def seconds_of_at(f: Function, x: Point, eps: Exact, count: int) -> float: ...
def seconds_of_eval(session: Session, text: str, eps: Exact, count: int) -> float: ...
