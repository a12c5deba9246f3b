"""Is a gradient of torch right? Needs torch.

>>> import torch
>>> from smoothish.torch import check_grad
>>> x = torch.tensor([0.5, -1.0, 3.0])
>>> check_grad(lambda x: torch.softmax(x, 0)[0], x).verdict
'CERTIFIED_IN'

| name | for |
|---|---|
| `audit` | a Report of what is proven about a gradient |
| `check_grad` | tests of functions, with the arguments of `torch.autograd.gradcheck` |
| `check_module` | tests of modules: the gradient by their parameters |
| `check_jacobian` | tests of functions of which the value is a tensor |
"""

from __future__ import annotations

import time
from typing import TYPE_CHECKING, Any, Literal

try:
    import torch
except ImportError:
    raise ImportError("smoothish.torch reads functions of torch, which is not installed: pip install torch") from None

from ._audit import checked, is_accepted, time_left
from ._torch import Arguments, TorchSubject, Traced, hessian_numbers, numbers

if TYPE_CHECKING:
    from collections.abc import Callable

    from ._audit import Report

    Accept = Literal["program", "sums", "ulps", "rounded"]

__all__ = ["audit", "check_grad", "check_jacobian", "check_module"]


def audit(
    f: Callable[..., Any],
    x: Any,
    grad: Any = None,
    *,
    direction: Any = None,
    dtype: str | None = None,
    ulps: int | None = None,
    timeout: float | None = 20.0,
    atol: float | None = None,
    rtol: float | None = None,
    stop_gradient: Literal["identity", "constant"] = "identity",
    order: Literal[1, 2] = 1,
) -> Report:
    """Whether the gradient of a function of torch is right: a Report of what is proven about it.

    `f` takes tensors and answers a tensor with one number. `x` is the tensor that it takes, or the tuple of all its arguments; by those
    tensors of floats is differentiated that require a gradient, or by all of them where none does. Others are constant, as are tensors of
    whole numbers. `grad` is the tensor, or the tuple of tensors, that claims to be the gradient; where nothing is said, it is what
    `torch.autograd.grad` answers. `direction` has the shapes of `grad`, and asks about the derivative along it.

    The function is traced at `x`, and read as a map of real numbers: nothing is rounded, constants are the exact numbers of their types,
    and a rule of `torch.autograd.Function` is left out. What is detached, or computed under `no_grad`, is a part of the function; with
    `stop_gradient="constant"` it is the constant that it is at `x`. Random numbers are those of the trace. The other arguments are those of
    `smoothish.audit`, and so are the verdicts: what computes the claim is traced as well, so that a rule is told from rounding.

    With `order=2` the claim is a Hessian: rows of numbers, a tensor, or blocks as `torch.autograd.functional.hessian` answers; and what torch
    answers where nothing is said. It is compared with the derivative of the gradient that is derived here.

    Raises UnsupportedError for what has no meaning here, with the operation and its place in the program; ValueError for a value of several
    numbers, shapes that do not fit and points that are not finite; LimitError where the function is not read within `timeout` seconds.

    >>> import torch
    >>> from smoothish.torch import audit
    >>> x = torch.tensor([1.0, -2.0])
    >>> audit(lambda x: x.abs().sum(), x).verdict
    'CERTIFIED_IN'
    >>> report = audit(lambda x: torch.relu(x) - torch.relu(-x), torch.tensor(0.0))
    >>> report.verdict, report.cause, report.claim
    ('CERTIFIED_OUT', 'kink', 0.0)
    """
    start = time.monotonic()
    subject = _subject(f, Arguments.of(x), grad, dtype, stop_gradient, timeout, order=order)
    return subject.audit(direction, ulps=ulps, timeout=time_left(timeout, start), atol=atol, rtol=rtol)


def check_grad(
    f: Callable[..., Any],
    x: Any,
    grad: Any = None,
    *,
    allow_unknown: bool = False,
    accept: Accept = "program",
    **options: Any,
) -> Report:
    """For tests: the Report of `audit`, where the gradient is right; otherwise a GradientError, which is an AssertionError.

    It takes a function and its arguments as `torch.autograd.gradcheck` does, and all options of `audit`. What is not decided is an error
    too, unless it is allowed; `accept` says what is right, as in `smoothish.check_grad`.

    >>> import torch
    >>> from smoothish.torch import check_grad
    >>> x, y = torch.randn(2, 3), torch.randn(3)
    >>> check_grad(lambda x, y: torch.tanh(x @ y).sum(), (x, y)).right
    True
    """
    is_accepted(accept)
    return checked(audit(f, x, grad, **options), accept, allow_unknown)


def check_module(
    model: torch.nn.Module,
    inputs: Any,
    *,
    loss: Callable[[Any], Any] | None = None,
    grad: Any = None,
    allow_unknown: bool = False,
    accept: Accept = "program",
    **options: Any,
) -> Report:
    """For tests: the Report of the gradient of a module by its parameters, where it is right; otherwise a GradientError.

    `inputs` is the tensor that the module takes, or the tuple of all its arguments, which are constant, and so are its buffers. `loss` makes
    one number of its value. By those parameters is differentiated that require a gradient; `grad` claims to be the tuple of all derivatives
    by them, in the order of `named_parameters`. The module is left as it is.

    >>> import torch
    >>> from smoothish.torch import check_module
    >>> model = torch.nn.Sequential(torch.nn.Linear(2, 3), torch.nn.ReLU(), torch.nn.Linear(3, 1))
    >>> check_module(model, torch.randn(4, 2), loss=lambda out: (out**2).mean()).right
    True
    """
    is_accepted(accept)
    arguments, f, modules = _of_module(model, inputs, loss)
    dtype, stop_gradient = options.pop("dtype", None), options.pop("stop_gradient", "identity")
    direction, timeout, order = options.pop("direction", None), options.pop("timeout", 20.0), options.pop("order", 1)
    start = time.monotonic()
    subject = _subject(f, arguments, grad, dtype, stop_gradient, timeout, modules, order)
    return checked(subject.audit(direction, timeout=time_left(timeout, start), **options), accept, allow_unknown)


def check_jacobian(
    f: Callable[..., Any],
    x: Any,
    jacobian: Any = None,
    *,
    allow_unknown: bool = False,
    accept: Accept = "program",
    dtype: str | None = None,
    stop_gradient: Literal["identity", "constant"] = "identity",
    timeout: float | None = 20.0,
    **options: Any,
) -> tuple[Report, ...]:
    """For tests: the Reports of the gradients of all numbers of a tensor that a function answers, where they are right; otherwise a GradientError.

    `jacobian` is what `torch.autograd.functional.jacobian` answers of the tensors that vary, whose shapes are those of the value and of an
    argument, one after the other. The other arguments are those of `audit`; `timeout` is for each of the numbers.

    >>> import torch
    >>> from smoothish.torch import check_jacobian
    >>> [report.right for report in check_jacobian(lambda x: x.cumsum(0), torch.ones(3))]
    [True, True, True]
    """
    is_accepted(accept)
    _is_stop(stop_gradient)
    arguments = Arguments.of(x)
    traced = Traced(f, arguments, wants_claims=jacobian is None, stops=stop_gradient == "constant", timeout=timeout)
    shapes = [tuple(arguments.leaves[i].shape) for i in arguments.varying]
    count = len(traced.outputs)
    if jacobian is None:
        rows = [numbers(parts, "gradient", tuple(shapes)) for parts in traced.claims]
    else:
        parts = jacobian if isinstance(jacobian, (tuple, list)) else (jacobian,)
        sizes = [sum(torch.as_tensor(part).numel() for part in parts), count * sum(map(_size, shapes))]
        if len(parts) != len(shapes) or sizes[0] != sizes[1]:
            raise ValueError(f"a Jacobian of {len(parts)} tensors with {sizes[0]} numbers, where {len(shapes)} with {sizes[1]} are wanted")
        table = torch.cat([torch.as_tensor(part).detach().double().reshape(count, -1) for part in parts], 1)
        rows = table.tolist()
    reports = []
    for index, row in enumerate(rows):
        report = TorchSubject(traced, row, dtype, index).audit(timeout=timeout, **options)
        reports.append(checked(report._replace(notes=(f"number {index} of the value", *report.notes)), accept, allow_unknown))
    return tuple(reports)


def _size(shape: tuple[int, ...]) -> int:
    return torch.Size(shape).numel()


def _is_stop(stop_gradient: str) -> None:
    if stop_gradient not in ("identity", "constant"):
        raise ValueError(f"stop_gradient is 'identity' or 'constant', not {stop_gradient!r}")


def _subject(
    f: Callable[..., Any],
    arguments: Arguments,
    grad: Any,
    dtype: str | None,
    stop_gradient: str,
    timeout: float | None,
    modules: dict[int, str] | None = None,
    order: int = 1,
) -> TorchSubject:
    """A function with the claim about its gradient."""
    if not callable(f):
        raise TypeError(f"f: expected a function of torch, found {type(f).__name__}")
    if dtype is not None and not isinstance(dtype, str):
        raise TypeError(f"dtype: expected the name of a type, as 'float32', found {type(dtype).__name__}")
    _is_stop(stop_gradient)
    if order not in (1, 2):
        raise ValueError(f"order is 1, or 2 for a second derivative or a Hessian; not {order!r}")
    shapes = tuple(tuple(arguments.leaves[i].shape) for i in arguments.varying)

    def claimed(tree: Any) -> list[Any]:
        return numbers(tree, "gradient", shapes) if order == 1 else hessian_numbers(tree, shapes)

    claim = None if grad is None else claimed(grad)
    dtype = dtype or arguments.dtype
    stops = stop_gradient == "constant"
    traced = Traced(f, arguments, wants_claims=grad is None, stops=stops, timeout=timeout, modules=modules, order=order)
    if len(traced.outputs) != 1:
        raise ValueError(f"a gradient is that of one number, not of {len(traced.outputs)}: use check_jacobian, or a loss")
    return TorchSubject(traced, claimed(traced.claims[0]) if claim is None else claim, dtype)


def _of_module(
    model: torch.nn.Module, inputs: Any, loss: Callable[[Any], Any] | None
) -> tuple[Arguments, Callable[..., Any], dict[int, str]]:
    """A module as a function of its parameters, with their names, and the names of its parts."""
    if not isinstance(model, torch.nn.Module):
        raise TypeError(f"model: expected a module of torch, found {type(model).__name__}")
    parameters = {name: value for name, value in model.named_parameters() if value.requires_grad}
    if not parameters:
        raise ValueError("the module has no parameter that requires a gradient")
    held = {name: value.detach() for name, value in model.named_parameters() if name not in parameters}
    buffers = {**held, **{name: value.detach() for name, value in model.named_buffers()}}
    inputs = inputs if isinstance(inputs, tuple) else (inputs,)
    arguments = Arguments.of((parameters, buffers, *_constant(inputs)))
    for index in arguments.varying:
        # the path to a parameter is [0]['name']
        arguments.names[index] = arguments.names[index][len("[0]['") : -len("']")]

    def f(parameters: dict[str, Any], buffers: dict[str, Any], *inputs: Any) -> Any:
        out = torch.func.functional_call(model, {**parameters, **buffers}, inputs)
        return out if loss is None else loss(out)

    return arguments, f, {id(part): name for name, part in model.named_modules() if name}


def _constant(inputs: Any) -> Any:
    from torch.utils._pytree import tree_map

    return tree_map(lambda leaf: leaf.detach() if isinstance(leaf, torch.Tensor) else leaf, inputs)
