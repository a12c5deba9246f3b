"""Certified values and derivatives: every answer is an interval that certainly contains the true number.

>>> import smoothish
>>> smoothish.eval('deriv (\\\\c => integral01 (\\\\x => max 0 (x - c))) 0.6', eps='1e-9')
<Interval [-0.40000000001, -0.39999999999]>
>>> f = smoothish.compile('\\\\x y => x * sin x + max x y')
>>> f.gradient([3.0, 4.0]).hi.round(6).tolist()
[-2.828857, 1.0]

| name | for |
|---|---|
| `eval`, `ask`, `compile`, `plot` | programs of the language λ_S, as texts |
| `expect`, `evidence`, `density`, `pushforward`, `estimators` | programs that sample |
| `trace`, `sweep`, `pieces` | the straight program at a point, derivatives by a tape, and programs in pieces |
| `Session` | the same, with definitions |
| `Function` | values, Jacobians, gradients, at points and on NumPy arrays |
| `Interval`, `Batch`, `Variant` | values |
| `Answer`, `Note`, `Undefined` | values with what is told beside them |
| `Integral`, `Pushforward`, `EstimatorComparison` | answers about programs that sample; of them `DensityPart`, `Estimator`, `MissedTerm` |
| `Trace`, `Sweep`, `Pieces` | answers about traces and pieces; of them `TraceGuard`, `TraceStep`, `Piece`, `Stretch`, `NotUnfolded` |
| `Real` | a number that is asked again and again |
| `from_jax` | functions of JAX |
| `audit`, `audit_many`, `check_grad`, `check_jacobian`, `Subject` | is a gradient right? |
| the module `smoothish.torch` | is a gradient of PyTorch right? |
| `map` | many questions, on all cores or many machines |
| `SmoothishError` and its kinds | what can go wrong |
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from ._answers import (
    Answer,
    DensityPart,
    Estimator,
    EstimatorComparison,
    Integral,
    MissedTerm,
    Note,
    NotUnfolded,
    Piece,
    Pieces,
    Pushforward,
    Stretch,
    Sweep,
    Trace,
    TraceGuard,
    TraceStep,
    Undefined,
)
from ._audit import GradientError, Report, Subject, audit, check_grad, check_jacobian
from ._errors import (
    ArgumentError,
    ContradictionError,
    EvaluationError,
    FormatError,
    LimitError,
    NoNumberError,
    ProgramError,
    SmoothishError,
    UnsupportedError,
)
from ._many import audit_many
from ._map import map  # noqa: A004
from ._smoothish import Function, Interval, Plot, Real, Session
from ._values import Batch, Variant

if TYPE_CHECKING:
    from ._jax import from_jax

__version__ = "0.2.0"

__all__ = [
    "Answer",
    "ArgumentError",
    "Batch",
    "ContradictionError",
    "DensityPart",
    "Estimator",
    "EstimatorComparison",
    "EvaluationError",
    "FormatError",
    "Function",
    "GradientError",
    "Integral",
    "Interval",
    "LimitError",
    "MissedTerm",
    "NoNumberError",
    "NotUnfolded",
    "Note",
    "Piece",
    "Pieces",
    "Plot",
    "ProgramError",
    "Pushforward",
    "Real",
    "Report",
    "Session",
    "SmoothishError",
    "Stretch",
    "Subject",
    "Sweep",
    "Trace",
    "TraceGuard",
    "TraceStep",
    "Undefined",
    "UnsupportedError",
    "Variant",
    "ask",
    "audit",
    "audit_many",
    "check_grad",
    "check_jacobian",
    "compile",
    "density",
    "estimators",
    "eval",
    "evidence",
    "expect",
    "from_jax",
    "map",
    "pieces",
    "plot",
    "pushforward",
    "sweep",
    "trace",
]

_session = Session()

eval = _session.eval  # noqa: A001
compile = _session.compile  # noqa: A001
ask = _session.ask
plot = _session.plot
density = _session.density
expect = _session.expect
evidence = _session.evidence
pushforward = _session.pushforward
estimators = _session.estimators
trace = _session.trace
sweep = _session.sweep
pieces = _session.pieces


def __getattr__(name: str) -> object:
    # NumPy is loaded when it is used
    if name == "from_jax":
        from ._jax import from_jax

        return from_jax
    raise AttributeError(f"module 'smoothish' has no attribute {name!r}")


def load_ipython_extension(ipython: object) -> None:
    """What `%load_ext smoothish` does in a notebook: `%smoothish QUESTION`, and `%%smoothish` for a cell of definitions and questions."""
    from ._magic import load

    load(ipython)
