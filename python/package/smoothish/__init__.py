"""Certified values and derivatives: every answer is an interval that certainly contains the true number.

>>> import smoothish
>>> smoothish.eval('deriv (\\\\c => integral01 (\\\\x => max 0 (x - c))) 0.6', eps='1e-9')
<Interval [-0.40000000001, -0.39999999999]>
>>> f = smoothish.compile('\\\\x y => x * sin x + max x y')
>>> f.gradient([3.0, 4.0]).hi.round(6).tolist()
[-2.828857, 1.0]

| name | for |
|---|---|
| `eval`, `compile`, `plot` | programs of the language λ_S, as texts |
| `Session` | the same, with definitions |
| `Function` | values, Jacobians, gradients, at points and on NumPy arrays |
| `Interval`, `Batch`, `Variant` | answers |
| `Real` | a number that is asked again and again |
| `from_jax` | functions of JAX |
| `audit`, `check_grad`, `Subject` | is a gradient right? |
| `map` | many questions, on all cores or many machines |
| `SmoothishError` and its kinds | what can go wrong |
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from ._audit import GradientError, Report, Subject, audit, check_grad
from ._errors import (
    ContradictionError,
    EvaluationError,
    FormatError,
    LimitError,
    ProgramError,
    SmoothishError,
    UnsupportedError,
)
from ._map import map  # noqa: A004
from ._smoothish import Function, Interval, Plot, Real, Session
from ._values import Batch, Variant

if TYPE_CHECKING:
    from ._jax import from_jax

__version__ = "0.2.0"

__all__ = [
    "Batch",
    "ContradictionError",
    "EvaluationError",
    "FormatError",
    "Function",
    "GradientError",
    "Interval",
    "LimitError",
    "Plot",
    "ProgramError",
    "Real",
    "Report",
    "Session",
    "SmoothishError",
    "Subject",
    "UnsupportedError",
    "Variant",
    "audit",
    "check_grad",
    "compile",
    "eval",
    "from_jax",
    "map",
    "plot",
]

_session = Session()

eval = _session.eval  # noqa: A001
compile = _session.compile  # noqa: A001
plot = _session.plot


def __getattr__(name: str) -> object:
    # NumPy is loaded when it is used
    if name == "from_jax":
        from ._jax import from_jax

        return from_jax
    raise AttributeError(f"module 'smoothish' has no attribute {name!r}")
