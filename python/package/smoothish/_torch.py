"""Functions of torch as steps: what the operations of a trace say, as real numbers."""

from __future__ import annotations

import contextlib
import math
import operator
import os
import sys
import time
from dataclasses import dataclass
from fractions import Fraction
from functools import partial
from typing import TYPE_CHECKING, Any

import numpy
import torch
from torch.fx.experimental.proxy_tensor import get_proxy_mode, get_proxy_slot, make_fx
from torch.fx.traceback import annotate, preserve_node_meta
from torch.overrides import TorchFunctionMode
from torch.utils._python_dispatch import TorchDispatchMode, _disable_current_modes
from torch.utils._pytree import tree_flatten, tree_unflatten

from ._aten import KNOWN, Call, TorchArrays, is_elements, leaves, numbers_of
from ._audit import Report, Subject, _is_finite, _joined_rows
from ._elements import Pair, Real, Unsupported
from ._errors import LimitError, UnsupportedError
from ._forms import Steps
from ._graph import MOST_NODES, MOST_OPERANDS, TOO_LONG, Graph, TooLarge, TooLong, format_of
from ._point import AroundPoint, AtPoint
from ._smoothish import Audited

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Sequence

TOO_LARGE = f"the function has more than {MOST_NODES} operations and constants, or these have more than {MOST_OPERANDS} operands"
UNKNOWN_PLACE = "a place that is not known"
# How near a number that is taken out of a tensor is to what it is without rounding.
TAKEN_AS_EXACTLY = Fraction(1, 64)
# How often operations that write in place are rewritten: a decomposition may write in place as well.
MOST_PASSES = 4
# Coordinates of a point that a note spells out.
MOST_SHOWN = 8

# Random operations that only read the shape of their tensor, and write into it or make a new one.
DRAWN_INTO = {"bernoulli_", "uniform_", "normal_", "exponential_", "random_", "geometric_", "cauchy_", "log_normal_"}
DRAWN_LIKE = {"rand_like", "randn_like", "randint_like"}

OF_TORCH = os.path.dirname(torch.__file__)
HERE = os.path.dirname(__file__)
# What Python does with numbers that are taken out of tensors.
OF_PYTHON = {operator.add: "add", operator.sub: "sub", operator.mul: "mul", operator.truediv: "div", operator.neg: "neg"}
# What gives Python a number or a truth value.
TAKING = (torch.ops.aten._local_scalar_dense.default, torch.ops.aten.equal.default)
# What is called to leave a tensor out of the derivative.
DETACHING = (torch.detach, torch.Tensor.detach, torch.Tensor.detach_, torch.Tensor.data.__get__)  # type: ignore[attr-defined]


@dataclass(frozen=True)
class Origin:
    """Where a node comes from: an operation, and its place in the program."""

    operation: str
    place: str


class Draws:
    """The states of generators of random numbers, so that a trace draws what the program draws."""

    def __init__(self) -> None:
        self.state = torch.random.get_rng_state()
        self.generators: list[tuple[torch.Generator, torch.Tensor]] = []

    def rewind(self) -> None:
        torch.random.set_rng_state(self.state)
        for generator, state in self.generators:
            generator.set_state(state)

    def see(self, generator: torch.Generator | None) -> None:
        """Keeps the state of a generator before it is used for the first time."""
        if generator is not None and not any(known is generator for known, _ in self.generators):
            self.generators.append((generator, generator.get_state()))


class Stops(TorchFunctionMode):
    """Sees where a program leaves something out of the derivative: `detach`, `data` and `no_grad`; and that there is time left.

    An exception may leave what is called here; it may not leave all operations of a trace, some of which torch ends the process in.
    """

    def __init__(self, deadline: float | None, is_gradient: bool) -> None:
        super().__init__()
        self.deadline, self.is_gradient = deadline, is_gradient
        self.without_grad = not torch.is_grad_enabled()
        self.detaching = 0

    def __torch_function__(self, function: Any, types: Any, args: Any = (), kwargs: Any = None) -> Any:
        if self.deadline is not None and time.monotonic() > self.deadline:
            raise LimitError(f"{TOO_LONG} ({place_of(2, {})})")
        if function is torch._C._set_grad_enabled:
            self.without_grad = not args[0]
        if function is torch.linalg.lstsq:
            if self.is_gradient:
                raise UnsupportedError(f"torch.linalg.lstsq ({place_of(2, {})}): what torch computes for its derivative cannot be traced")
            return least_squares(*args, **(kwargs or {}))
        is_detach = function in DETACHING
        self.detaching += is_detach
        try:
            return function(*args, **(kwargs or {}))
        finally:
            self.detaching -= is_detach

    @property
    def stops(self) -> bool:
        return self.without_grad or self.detaching > 0


def least_squares(a: torch.Tensor, b: torch.Tensor, rcond: Any = None, *, driver: Any = None) -> Any:
    """The solutions of least squares, which torch cannot trace, by operations that it can: a matrix of which the rank is not full is refused."""
    is_vector = b.ndim == 1 or (b.ndim == a.ndim - 1 and b.shape == a.shape[:-1])
    sides = b[..., None] if is_vector else b
    found = torch.linalg.pinv(a) @ sides
    is_tall = a.shape[-2] > a.shape[-1]
    residuals = ((a @ found - sides) ** 2).sum(-2) if is_tall else a.new_empty(0)
    rank = torch.full(a.shape[:-2], min(a.shape[-2:]), dtype=torch.int64)
    if is_vector:
        found, residuals = found[..., 0], residuals[..., 0] if is_tall else residuals
    return torch.return_types.linalg_lstsq((found, residuals, rank, a.new_empty(0)))  # type: ignore[attr-defined]


@dataclass(frozen=True)
class Taken:
    """A number or a truth value that a program takes out of a tensor, and where: by `if`, `while`, `item`."""

    value: Any
    dtype: str
    place: str


class Takes(TorchDispatchMode):
    """Sees what a program takes out of tensors while torch runs it."""

    supports_higher_order_operators = True

    def __init__(self, draws: Draws) -> None:
        super().__init__()
        self.draws = draws
        self.found: list[Taken] = []

    def __torch_dispatch__(self, function: Any, types: Any, args: Any = (), kwargs: Any = None) -> Any:
        kwargs = kwargs or {}
        self.draws.see(kwargs.get("generator"))
        result = function(*args, **kwargs)
        if function in TAKING:
            self.found.append(Taken(result, str(args[0].dtype), place_of(2, {})))
        return result


class Watch(TorchDispatchMode):
    """Notes of each operation of a trace where it stands in the program and whether it is left out of the derivative.

    Random numbers are drawn, and what is taken out of tensors is what it was when torch ran the program.
    """

    supports_higher_order_operators = True

    def __init__(self, stops: Stops, draws: Draws, takes: list[Taken], modules: dict[int, str], is_gradient: bool) -> None:
        super().__init__()
        self.stops, self.draws, self.modules, self.is_gradient = stops, draws, modules, is_gradient
        self.takes: dict[tuple[str, str], list[Taken]] = {}
        for taken in takes:
            self.takes.setdefault((taken.place, taken.dtype), []).append(taken)
        # what was taken, and from which tensors
        self.taken: list[Taken] = []
        self.sources: list[torch.Tensor] = []
        self.refused: Exception | None = None
        self.is_random = False
        self.last = ""

    def __torch_dispatch__(self, function: Any, types: Any, args: Any = (), kwargs: Any = None) -> Any:
        kwargs = kwargs or {}
        self.last = place = place_of(2, self.modules)
        if not hasattr(function, "_schema"):
            self._refuse(UnsupportedError(f"{function} ({place}): it has no translation"))
        name = function._schema.name.removeprefix("aten::")
        if function._schema.is_mutable and not self._writes_into_the_trace(function, args, kwargs):
            why = "it writes into a tensor that the function captures; use check_module, which gives buffers as inputs, or eval()"
            self._refuse(UnsupportedError(f"aten.{name} ({place}): {why}"))
        if function in TAKING:
            return self._taken(function, place, args)
        with annotate({"place": place, "stops": self.stops.stops, "operation": f"aten.{name}"}):
            if torch.Tag.nondeterministic_seeded in function.tags and not (name == "native_dropout" and args[2] is False):
                return self._drawn(function, name, place, args, kwargs)
            return function(*args, **kwargs)

    def _refuse(self, error: Exception) -> None:
        self.refused = self.refused or error
        raise error

    def _taken(self, function: Any, place: str, args: Any) -> Any:
        source = args[0]
        found = self.takes.get((place.split(" in `")[0], str(source.dtype)), [])
        if not found:
            self._refuse(UnsupportedError(f"traced, the function takes other numbers out of tensors than when torch runs it ({place})"))
        taken = found.pop(0)
        with annotate({"place": place, "stops": False}):
            is_number = function is not torch.ops.aten.equal.default and source.dtype != torch.bool
            if is_number and self._depends_on_inputs(source):
                if self.is_gradient and source.is_floating_point():
                    # it is a constant there, whose rounding nothing bounds
                    self._refuse(UnsupportedError(f"aten.item ({place}): a number that depends on x is a constant of the program"))
                # a number that depends on x goes on in the trace
                return function(*args)
            self.taken.append(taken)
            self.sources.append((source == args[1]).all() if function is torch.ops.aten.equal.default else source.clone())
        return taken.value

    def _depends_on_inputs(self, tensor: torch.Tensor) -> bool:
        """Whether a tensor of the trace is made of an input, as far as the graph says; where it is written into, that is seen later."""
        mode = get_proxy_mode()
        slot = None if mode is None else get_proxy_slot(tensor, mode.tracer, None)
        pending, seen = [] if slot is None else [slot.proxy.node], set()
        while pending:
            node = pending.pop()
            if node.op == "placeholder":
                return True
            pending += [part for part in node.all_input_nodes if part not in seen]
            seen.update(node.all_input_nodes)
        return False

    def _writes_into_the_trace(self, function: Any, args: Any, kwargs: Any) -> bool:
        from torch._subclasses.fake_tensor import FakeTensor

        for index, argument in enumerate(function._schema.arguments):
            value = args[index] if index < len(args) else kwargs.get(argument.name)
            if argument.alias_info is not None and argument.alias_info.is_write:
                for tensor in leaves(value):
                    if isinstance(tensor, torch.Tensor) and not isinstance(tensor, FakeTensor):
                        return False
        return True

    def _drawn(self, function: Any, name: str, place: str, args: Any, kwargs: Any) -> Any:
        """Random numbers, drawn as the program draws them, as constants."""
        tensors = [x for x in leaves([*args, *kwargs.values()]) if isinstance(x, torch.Tensor)]
        likes = name in DRAWN_INTO or name in DRAWN_LIKE
        if len(tensors) != int(likes) or (likes and not tensors[0].is_contiguous()):
            self._refuse(UnsupportedError(f"aten.{name} ({place}): random numbers whose distribution depends on a tensor"))
        self.is_random = True
        with _disable_current_modes():
            if likes:
                args = (torch.empty(tensors[0].shape, dtype=tensors[0].dtype), *args[1:])
            drawn = function(*args, **kwargs)
        if name in DRAWN_INTO:
            return tensors[0].copy_(drawn)
        return torch.ops.aten.clone.default(drawn)


def place_of(depth: int, modules: dict[int, str]) -> str:
    """The innermost frame of the stack that is neither torch's nor this package's, and the innermost module, by its name where it has one."""
    frame: Any = sys._getframe(depth)
    module = ""
    while frame is not None:
        path = frame.f_code.co_filename
        if not path.startswith((OF_TORCH, HERE)) and not path.startswith("<"):
            return f"{path}:{frame.f_lineno} ({frame.f_code.co_name})" + (f" in `{module}`" if module else "")
        owner = frame.f_locals.get("self") if not module and frame.f_code.co_name == "forward" else None
        if isinstance(owner, torch.nn.Module):
            module = modules.get(id(owner)) or type(owner).__name__
        frame = frame.f_back
    return f"`{module}`" if module else UNKNOWN_PLACE


@contextlib.contextmanager
def plain_kernels() -> Iterator[None]:
    """Lets torch use operations that have a meaning here in place of kernels that do several at once."""
    from torch.nn.attention import SDPBackend, sdpa_kernel

    fast, fused = torch.backends.mha.get_fastpath_enabled(), torch._C._get_mkldnn_enabled()
    torch.backends.mha.set_fastpath_enabled(False)
    torch._C._set_mkldnn_enabled(False)
    try:
        with sdpa_kernel(SDPBackend.MATH):
            yield
    finally:
        torch.backends.mha.set_fastpath_enabled(fast)
        torch._C._set_mkldnn_enabled(fused)


def decompositions() -> dict[Any, Any]:
    """What torch knows to decompose, without what has a rule here, in place or not: torch decomposes for other types than its kernels compute with."""
    from torch._decomp import decomposition_table

    names = {operation: getattr(operation, "_schema", None) for operation in decomposition_table}
    return {
        operation: decomposition_table[operation]
        for operation, schema in names.items()
        if schema is not None and schema.name.split("::")[1].removesuffix("_") not in KNOWN
    }


def is_mutating(node: Any) -> bool:
    """Whether an operation writes in place; what is written back to an input at the end is not used."""
    schema = getattr(node.target, "_schema", None)
    return schema is not None and schema.is_mutable and not _is_epilogue(node)


def _is_epilogue(node: Any) -> bool:
    return node.target is torch.ops.aten.copy_.default and node.args[0].op == "placeholder" and not node.users


class Held(torch.fx.Interpreter):
    """Runs a graph with its constants as further arguments."""

    def __init__(self, module: Any, inputs: int) -> None:
        super().__init__(module)
        self.inputs = inputs
        self.paths = _paths(module)
        self.constants = [_attribute(module, path) for path in self.paths]
        self.given: dict[str, torch.Tensor] = {}

    def called(self, *arguments: Any) -> Any:
        self.given = dict(zip(self.paths, arguments[self.inputs :], strict=True))
        return self.run(*arguments[: self.inputs])

    def get_attr(self, target: Any, args: Any, kwargs: Any) -> Any:
        return self.given[target]


@dataclass
class Trace:
    """The graph of the operations of a function at tensors, without any that write in place.

    Its inputs are the tensors and constants, its outputs the values of the function and the tensors from which it
    takes numbers out.
    """

    module: Any
    constants: list[torch.Tensor]
    taken: list[Taken]
    is_random: bool

    @classmethod
    def of(
        cls,
        f: Callable[..., list[torch.Tensor]],
        tensors: list[torch.Tensor],
        draws: Draws,
        takes: list[Taken],
        modules: dict[int, str],
        deadline: float | None,
        is_gradient: bool = False,
    ) -> Trace:
        draws.rewind()
        stops = Stops(deadline, is_gradient)
        watch = Watch(stops, draws, takes, modules, is_gradient)

        def watched(*parts: Any) -> Any:
            with stops, watch:
                found = f(*parts)
            return [*found, *watch.sources]

        options: dict[str, Any] = {"decomposition_table": decompositions(), "tracing_mode": "fake", "_allow_non_fake_inputs": True}
        constants: list[torch.Tensor] = []
        try:
            with preserve_node_meta(), plain_kernels():
                module = make_fx(watched, **options)(*tensors)
                for _ in range(MOST_PASSES):
                    if not any(map(is_mutating, module.graph.nodes)):
                        break
                    # constants are inputs of the trace, so that what is made of them can be written into
                    held = Held(module, len(tensors) + len(constants))
                    constants += held.constants
                    given = [tensor.detach() for tensor in (*tensors, *constants)]
                    module = make_fx(torch.func.functionalize(held.called, remove="mutations"), **options)(*given)
        except (UnsupportedError, LimitError):
            raise
        except Exception as error:
            if watch.refused is not None:
                raise watch.refused from None
            message = str(error).strip().split("\n")[0] or type(error).__name__
            why = "the program decides by a number of a tensor: " if "data-dependent" in message else ""
            raise UnsupportedError(f"torch cannot trace the function ({watch.last or UNKNOWN_PLACE}): {why}{message}") from error
        # what is not used is not asked for
        module.graph.eliminate_dead_code(lambda node: node.op in ("placeholder", "output"))
        return cls(module, constants, watch.taken, watch.is_random)

    def says_the_same(self, other: Trace) -> bool:
        """Whether two traces are equal, constants included."""
        parts = [[*trace.constants, *(_attribute(trace.module, path) for path in _paths(trace.module))] for trace in (self, other)]
        return self.module.code == other.module.code and len(parts[0]) == len(parts[1]) and all(map(_is_same, *parts))


def _paths(module: Any) -> list[str]:
    """The names of the constants of a graph."""
    return list(dict.fromkeys(node.target for node in module.graph.nodes if node.op == "get_attr"))


def _is_same(a: Any, b: Any) -> bool:
    if not isinstance(a, torch.Tensor):
        return a is b or bool(a == b)
    return a.shape == b.shape and a.dtype == b.dtype and torch.equal(torch.nan_to_num(a.detach()), torch.nan_to_num(b.detach()))


class Translation:
    """One trace on its way."""

    def __init__(self, stops: bool, deadline: float | None = None, rounds: bool = False) -> None:
        self.arrays = TorchArrays(Graph(rounds))
        self.graph = self.arrays.graph
        self.graph.deadline = deadline
        self.stops = stops
        self.notes: dict[str, None] = {}
        self.point: list[Fraction] = []
        self.around = AroundPoint(self.graph, self.point)
        self.arrays.at_point = AtPoint(self.graph, self.point)
        # whether something is left out of the derivative
        self.has_stops = False
        self.arrays.fits = self.fits
        # the largest number of the types of x
        self.largest = Fraction(0)

    def fits(self, node: int) -> bool:
        """Whether a node and all that it rests on are seen to have values near x, no larger than the numbers of x can be."""
        return self.around.fits(node, self.largest)

    def note(self, text: str) -> None:
        self.notes[text] = None

    def variables(self, tensor: torch.Tensor) -> numpy.ndarray:
        """The array of the next coordinates of x, whose values at x are those of a tensor."""
        values = numbers_of(tensor)
        if not numpy.isfinite(values).all():
            raise ValueError(f"x is no point in {str(tensor.dtype)[6:]}: a coordinate is infinite or NaN")
        largest = Fraction(float(torch.finfo(tensor.dtype).max))
        self.largest = min(self.largest or largest, largest)
        first = len(self.point)
        if first + values.size > MOST_NODES:
            raise UnsupportedError(TOO_LARGE)
        self.point += [Fraction(float(value)) for value in values.ravel()]
        if values.size <= MOST_SHOWN:
            written = ", ".join(str(q) for q in self.point[first:])
            self.note(f"x is traced at ({written}), {str(tensor.dtype)[6:]}")
        return self.arrays.shaped([Real(self.graph.variable(index)) for index in range(first, len(self.point))], values.shape)

    def outputs(self, trace: Trace, arguments: Arguments) -> list[int]:
        """The nodes of the values of a trace, of which the inputs are the arguments."""
        values: dict[Any, Any] = {}
        inputs = [
            self.variables(leaf) if i in arguments.varying else leaf
            for i, leaf in enumerate(arguments.leaves)
            if isinstance(leaf, torch.Tensor)
        ]
        given = iter([*inputs, *trace.constants])
        for node in trace.module.graph.nodes:
            if node.op == "placeholder":
                values[node] = next(given)
            elif node.op == "get_attr":
                values[node] = _attribute(trace.module, node.target)
            elif node.op == "output":
                results = leaves(torch.fx.node.map_arg(node.args[0], lambda part: values[part]))
                count = len(results) - len(trace.taken)
                for source, taken in zip(results[count:], trace.taken, strict=True):
                    self.see_taken(source, taken)
                return [node for result in results[:count] for node in self.nodes(result)]
            else:
                values[node] = self.value(node, values)
        raise UnsupportedError("the function has no value")

    def see_taken(self, source: Any, taken: Taken) -> None:
        """Sees that what a program has taken out of a tensor is what it is near x: a constant, or a condition that is strict there."""
        element = self.arrays.elements(source).item()
        at_x = AtPoint(self.graph, self.point)
        if not isinstance(taken.value, bool):
            node = self.arrays.node(element)
            if any(self.graph.nodes[part][0] == "variable" for part in self.graph.needed([node])):
                raise UnsupportedError(f"a number that depends on x is taken out of a tensor that is written into ({taken.place})")
            at_x.enclose([node])
            ends = at_x.found[node]
            if ends is None or abs(sum(ends) / 2 - Fraction(taken.value)) > TAKEN_AS_EXACTLY * abs(Fraction(taken.value)):
                raise UnsupportedError(f"traced, another number is taken out of a tensor than when torch runs it ({taken.place})")
            return
        if isinstance(element, bool):
            sign = 1 if element else -1
        else:
            sign = at_x.sign(self.arrays.guard(element))
        if sign == 0:
            raise UnsupportedError(f"the program decides by a condition on whose border x lies, or nearly ({taken.place})")
        if (sign > 0) != taken.value:
            raise UnsupportedError(f"the program decides by a condition that torch, as it rounds, has found otherwise than it is ({taken.place})")
        if not isinstance(element, bool):
            self.note(f"the program decides as it does at x ({taken.place})")

    def nodes(self, result: Any) -> list[int]:
        array = self.arrays.elements(result.detach() if isinstance(result, torch.Tensor) else result)
        return [self.arrays.node(element) for element in array.ravel()]

    def value(self, node: Any, values: dict[Any, Any]) -> Any:
        """The value of an operation."""
        arguments = torch.fx.node.map_arg(node.args, lambda part: values[part])
        options = torch.fx.node.map_arg(node.kwargs, lambda part: values[part])
        notes = node.meta.get("custom", {})
        place = notes.get("place", UNKNOWN_PLACE)
        schema = getattr(node.target, "_schema", None)
        name = schema.name.replace("::", ".") if schema is not None else getattr(node.target, "__name__", str(node.target))
        self.graph.dtype = _format_of(node)
        # what the program calls, where this is a part of it
        called = notes.get("operation", name)
        self.graph.origin = Origin(called, place)
        try:
            if schema is None:
                return self.of_python(node, arguments, options)
            if _is_epilogue(node):
                return None
            value = self.arrays.apply(Call(node, arguments, options))
            if notes.get("stops") or name == "aten._local_scalar_dense":
                return self.stopped(value, place)
            return self.padded(value, arguments, place) if name == "aten.embedding" and is_elements(value) else value
        except Unsupported as error:
            raise UnsupportedError(f"{called} ({place}): {error}" + (f" ({name})" if name != called else "")) from None
        except TooLarge:
            raise UnsupportedError(f"{called} ({place}): {TOO_LARGE}") from None
        except TooLong:
            raise LimitError(f"{called} ({place}): {TOO_LONG}") from None
        except (UnsupportedError, LimitError, RecursionError, MemoryError):
            raise
        except Exception as error:
            raise UnsupportedError(f"{called} ({place}): {type(error).__name__}: {error}") from error

    def of_python(self, node: Any, arguments: Any, options: Any) -> Any:
        """What a trace does besides operations of torch: it takes parts of tuples, and computes with sizes and with numbers of tensors."""
        if node.target is not operator.getitem and any(is_elements(x) for x in leaves(arguments)):
            name = OF_PYTHON.get(node.target)
            if name is None:
                raise Unsupported("it has no translation")
            return self.arrays.each(name, *map(self.arrays.reals, arguments))
        return node.target(*arguments, **options)

    def padded(self, value: numpy.ndarray, arguments: Any, place: str) -> numpy.ndarray:
        """The rows of an embedding, of which that at its `padding_idx` is a constant: torch says so of it, whatever is stopped."""
        indices, padding = arguments[1], arguments[2] if len(arguments) > 2 else -1
        found = value.copy()
        for at in numpy.argwhere((indices == padding).numpy()) if padding >= 0 else ():
            self.note(f"the row of an embedding at its padding_idx is the constant that it is at x ({place})")
            found[tuple(at)] = self.constant_at_x(value[tuple(at)])
        return found

    def stopped(self, value: Any, place: str) -> Any:
        """What is left out of the derivative: the identity, or the constant that it is at x."""
        if isinstance(value, (list, tuple)):
            return [self.stopped(part, place) for part in value]
        if not is_elements(value) or not any(isinstance(element, (Real, Pair)) for element in value.ravel()):
            # what is whole, or a condition, has no derivative
            return value
        self.has_stops = True
        kept = "the constant that it is at x" if self.stops else "the identity"
        self.note(f"what is detached, or computed without gradients, is {kept} ({place})")
        return self.constant_at_x(value) if self.stops else value

    def constant_at_x(self, value: numpy.ndarray) -> numpy.ndarray:
        """The numbers of an array as the constants that they are at x."""
        elements = list(value.ravel())
        parts = [part for element in elements for part in _parts_of(element)]
        held = iter(self.graph.at(parts, self.point))
        kinds = (Real, Pair)
        found = [type(x)(*(next(held) for _ in _parts_of(x))) if isinstance(x, kinds) else x for x in elements]
        return self.arrays.shaped(found, value.shape)


def _parts_of(element: Any) -> tuple[int, ...]:
    """The nodes of a real or a complex number."""
    if isinstance(element, Pair):
        return element.real, element.imag
    return (element.node,) if isinstance(element, Real) else ()


def _format_of(node: Any) -> str | None:
    """The format in which an operation computes: that of the first float among its values, or its arguments."""
    found = node.meta.get("val")
    values = [*leaves(found), *(part.meta.get("val") for part in node.all_input_nodes)]
    return format_of(str(getattr(value, "dtype", "")).removeprefix("torch.") for value in values)


def _attribute(module: Any, path: str) -> Any:
    for name in path.split("."):
        module = getattr(module, name)
    return module.detach() if isinstance(module, torch.Tensor) else module


@dataclass
class Arguments:
    """The arguments of a function of torch: which of its tensors vary, and which are constant."""

    leaves: list[Any]
    tree: Any
    varying: list[int]
    names: list[str]

    @classmethod
    def of(cls, x: Any) -> Arguments:
        """The arguments `x`: a tensor, or a tuple of tensors and of what else a function takes.

        Tensors of floats vary: those that require a gradient, or all of them where none does. All others are constant.
        """
        inputs = x if isinstance(x, tuple) else (x,)
        flat, tree = tree_flatten(inputs)
        floats = [i for i, leaf in enumerate(flat) if isinstance(leaf, torch.Tensor) and leaf.is_floating_point()]
        if any(isinstance(leaf, torch.Tensor) and leaf.is_complex() for leaf in flat):
            raise UnsupportedError("x has a tensor of complex numbers; a map has real arguments, floats all of them")
        asked = [i for i in floats if flat[i].requires_grad]
        varying = asked or floats
        if not sum(flat[i].numel() for i in varying):
            raise ValueError("x has no coordinates: there is no tensor of floats to differentiate by")
        names = _names(inputs, len(flat))
        return cls([_held(leaf) for leaf in flat], tree, varying, names)

    @property
    def dtype(self) -> str:
        """The type of the numbers that vary."""
        kinds = sorted({str(self.leaves[i].dtype).removeprefix("torch.") for i in self.varying})
        if len(kinds) > 1:
            raise ValueError(f"x has numbers of {' and '.join(kinds)}: say by which the claim is judged, as dtype=")
        return kinds[0]

    @property
    def tensors(self) -> list[torch.Tensor]:
        """New tensors as the arguments are, of which those require a gradient that vary."""
        return [
            leaf.detach().clone().requires_grad_(i in self.varying) for i, leaf in enumerate(self.leaves) if isinstance(leaf, torch.Tensor)
        ]

    def called(self, f: Callable[..., Any], tensors: Sequence[torch.Tensor]) -> Any:
        """f of the arguments, with tensors in the place of their own."""
        given = iter(tensors)
        return f(*tree_unflatten([next(given) if isinstance(leaf, torch.Tensor) else leaf for leaf in self.leaves], self.tree))

    def flattened(self, f: Callable[..., Any], *tensors: torch.Tensor) -> list[torch.Tensor]:
        """The tensors that f answers, in a row."""
        return _flat(self.called(f, held_by(tensors)))

    def coordinates(self) -> list[str]:
        """The name of each coordinate of x, as `[0][2, 1]`."""
        found = []
        for i in self.varying:
            shape = tuple(self.leaves[i].shape)
            found += [self.names[i] + (f"[{', '.join(map(str, at))}]" if at else "") for at in numpy.ndindex(shape)]
        return found


def _held(leaf: Any) -> Any:
    if not isinstance(leaf, torch.Tensor):
        return leaf
    if leaf.layout != torch.strided or leaf.is_quantized:
        raise UnsupportedError(f"x has a tensor of the layout {leaf.layout}; only those whose elements are all there are differentiated by")
    return leaf.detach().clone()


def _names(inputs: Any, count: int) -> list[str]:
    from torch.utils._pytree import keystr, tree_flatten_with_path

    paths, _ = tree_flatten_with_path(inputs)
    names = [keystr(path) for path, _ in paths]
    return [name.removeprefix("[0]") if len(inputs) == 1 else name for name in names]


def held_by(tensors: Sequence[torch.Tensor]) -> list[torch.Tensor]:
    """Copies of the tensors that require a gradient: a function may write into its arguments, which is an error for these."""
    return [tensor.clone() if tensor.requires_grad else tensor for tensor in tensors]


class Run:
    """A function as torch runs it: what it takes out of tensors, and of each number of its value the derivatives by the tensors that vary."""

    def __init__(self, f: Callable[..., Any], arguments: Arguments, draws: Draws, wants_claims: bool, order: int) -> None:
        draws.rewind()
        tensors = arguments.tensors
        by_place = iter(tensors)
        placed = {i: next(by_place) for i, leaf in enumerate(arguments.leaves) if isinstance(leaf, torch.Tensor)}
        by = [placed[i] for i in arguments.varying]
        takes = Takes(draws)
        with torch.enable_grad(), takes:
            result = arguments.called(f, held_by(tensors))
        self.takes = takes.found
        self.claims: list[list[torch.Tensor]] = []
        flat = torch.cat([value.reshape(-1) for value in _flat(result)])
        self.values: list[float] = flat.detach().double().tolist()
        for value in flat.unbind() if wants_claims else ():
            if order == 2:
                self.claims.append([hessian(value, by)])
                continue
            parts: Any = [None] * len(by)
            if value.requires_grad:
                parts = torch.autograd.grad(value, by, retain_graph=True, allow_unused=True)
            self.claims.append([torch.zeros_like(t) if part is None else part.to_dense() for t, part in zip(by, parts, strict=True)])


def hessian(value: torch.Tensor, by: list[torch.Tensor]) -> torch.Tensor:
    """The second derivatives of a number by tensors, row by row, as torch computes them: reverse mode of reverse mode."""

    def gradient(of: torch.Tensor, **options: Any) -> torch.Tensor:
        parts: Any = [None] * len(by)
        if of.requires_grad:
            parts = torch.autograd.grad(of, by, allow_unused=True, **options)
        return torch.cat([(torch.zeros_like(t) if part is None else part.to_dense()).reshape(-1) for t, part in zip(by, parts, strict=True)])

    return torch.stack([gradient(slope, retain_graph=True) for slope in gradient(value, create_graph=True).unbind()])


def _flat(result: Any) -> list[torch.Tensor]:
    flat, _ = tree_flatten(result)
    if not flat or not all(isinstance(part, torch.Tensor) for part in flat):
        raise ValueError(f"the function has a value of {type(result).__name__}, where tensors are wanted")
    if any(not part.is_floating_point() for part in flat):
        raise UnsupportedError(f"the function has a value of {flat[0].dtype}; a map has real values, floats all of them")
    return flat


class Traced:
    """A function of torch at a point: its nodes, and what torch claims of its derivatives."""

    def __init__(
        self,
        f: Callable[..., Any],
        arguments: Arguments,
        *,
        wants_claims: bool = True,
        stops: bool = False,
        timeout: float | None = None,
        modules: dict[int, str] | None = None,
        order: int = 1,
    ) -> None:
        self.f, self.arguments, self.modules, self.order = f, arguments, modules or {}, order
        self.draws = Draws()
        self.deadline = None if timeout is None else time.monotonic() + timeout
        try:
            run = Run(f, arguments, self.draws, wants_claims, order)
        finally:
            self.draws.rewind()
        # for each number of the value, the derivatives by the tensors that vary, or its Hessian
        self.claims, self.takes, self.values = run.claims, run.takes, run.values
        trace, again = (self.traced(partial(arguments.flattened, f)) for _ in range(2))
        if trace.is_random and not wants_claims:
            raise UnsupportedError("the function draws random numbers: of a gradient that was computed before, it is not known which")
        if not trace.says_the_same(again):
            raise UnsupportedError(
                "traced twice, the function is not the same: it draws from a generator, counts its calls or reads what changes; what "
                "torch differentiated cannot be known"
            )
        translation = Translation(stops, self.deadline)
        translation.arrays.order = order
        translation.arrays.linear.refuses_halves = True
        if trace.is_random:
            translation.note("random numbers are those of the trace; torch computed the derivative with the same")
        # the node of each number of the value
        self.outputs = translation.outputs(trace, arguments)
        self.conversions = translation.arrays.conversions
        linear = translation.arrays.linear
        self.mirrored, self.mirrors_others = list(linear.mirrored), linear.mirrors_others
        if self.mirrored or self.mirrors_others:
            translation.note(READ_AS_SYMMETRIC)
        self.graph, self.notes, self.point = translation.graph, translation.notes, translation.point
        # the nodes with what is left out of the derivative constant, where there is any and that was not asked
        self.stopped: tuple[Graph, list[int]] | None = None
        if translation.has_stops and not stops and order == 1:
            held = Translation(True, self.deadline)
            self.stopped = held.graph, held.outputs(trace, arguments)

    def traced(self, f: Callable[..., list[torch.Tensor]], is_gradient: bool = False) -> Trace:
        """The trace of a function of the arguments; generators of random numbers are left as they are."""
        try:
            return Trace.of(f, self.arguments.tensors, self.draws, self.takes, self.modules, self.deadline, is_gradient)
        finally:
            self.draws.rewind()

    def program(self, output: int) -> tuple[Translation, list[int]]:
        """What torch computes to differentiate a number of the value, as another function of the arguments."""
        def gradient(*tensors: torch.Tensor) -> list[torch.Tensor]:
            by = [tensor for tensor in tensors if tensor.requires_grad]
            values = torch.cat([value.reshape(-1) for value in self.arguments.flattened(self.f, *tensors)])
            if not values.requires_grad:
                return [torch.zeros_like(tensor) for tensor in by]
            parts = torch.autograd.grad(values[output], by, allow_unused=True)
            return [torch.zeros_like(tensor) if part is None else part.to_dense() for tensor, part in zip(by, parts, strict=True)]

        # no more than half of the time that is left, as there is more to do
        whole, now = self.deadline, time.monotonic()
        self.deadline = whole if whole is None else now + (whole - now) / 2
        try:
            translation = Translation(False, self.deadline, rounds=True)
            translation.arrays.conversions = self.conversions
            return translation, translation.outputs(self.traced(gradient, is_gradient=True), self.arguments)
        finally:
            self.deadline = whole


class TorchSubject(Subject):
    """A number that a function of torch computes, and what is claimed to be its gradient, to be judged along many directions.

    It can be pickled, and judged where torch is not installed.
    """

    def __init__(self, traced: Traced, grad: Sequence[Any], dtype: str | None, output: int = 0) -> None:
        arguments = traced.arguments
        self.order = traced.order
        steps = Steps(traced.graph, [traced.outputs[output]])
        self._places = {number: _place(traced.graph.origins[node]) for number, node in enumerate(steps.nodes)}
        notes = dict(traced.notes)
        rules: str | None = None
        stopped: str | None = None
        if traced.claims and self.order == 1:
            # what computed the claim, over the real numbers and as it rounds
            try:
                computed, values = traced.program(output)
                rules = Steps(computed.graph, values).text(_place)
            except (UnsupportedError, LimitError) as error:
                notes[f"the program of the gradient is not followed: {error}"] = None
        if traced.stopped is not None:
            graph, nodes = traced.stopped
            stopped = Steps(graph, [nodes[output]]).text()
        self._made = Audited.straight_line(steps.text(), rules, stopped)
        self._value = traced.values[output]
        self._mirrored, self._mirrors_others = traced.mirrored, traced.mirrors_others
        self.notes = tuple(notes)
        self.point = tuple(traced.point)
        self.grad = tuple(grad)
        self.paths = tuple(arguments.coordinates())
        self.dtype = dtype or arguments.dtype
        self.shapes = tuple(tuple(arguments.leaves[i].shape) for i in arguments.varying)

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
        along = None if direction is None else numbers(direction, "direction", self.shapes)
        report = super().audit(along, ulps=ulps, timeout=timeout, atol=atol, rtol=rtol)
        if report.verdict != "CERTIFIED_OUT" or report.cause == "nan" or not (self._mirrored or self._mirrors_others):
            return report
        # of a pair of entries of a symmetric matrix only the sum of both derivatives is that of a function
        claim = self.grad
        if not self._mirrors_others and self.order == 1 and all(map(_is_finite, claim)):
            mean = list(claim)
            for one, other in self._mirrored:
                mean[one] = mean[other] = (Fraction(claim[one]) + Fraction(claim[other])) / 2
            self.grad = tuple(mean)
            try:
                judged = super().audit(along, ulps=ulps, timeout=timeout, atol=atol, rtol=rtol)
            finally:
                self.grad = claim
            if judged.verdict == "CERTIFIED_OUT":
                return report
        return report._replace(verdict="UNKNOWN", cause=None, coordinate=None, reason=f"not decided: {READ_AS_SYMMETRIC}")


READ_AS_SYMMETRIC = (
    "a matrix is read as symmetric, as (A + Aᵀ)/2: what is shown of a claim is that of the sums of its two entries across the diagonal, and "
    "how much of them is each is a convention"
)


def _place(origin: Origin | None) -> str:
    return "" if origin is None else origin.place


def hessian_numbers(tree: Any, shapes: tuple[tuple[int, ...], ...]) -> list[Any]:
    """The numbers of what claims to be a Hessian, row by row: of rows of numbers, of one tensor, or of a block for each two tensors."""
    count = sum(map(math.prod, shapes))
    blocks = [torch.as_tensor(part).detach().double() for part in tree_flatten(tree)[0]]
    if [tuple(block.shape) for block in blocks] == [one + other for one in shapes for other in shapes]:
        return _joined_rows([block.numpy(force=True) for block in blocks], shapes)
    found = [value for block in blocks for value in block.reshape(-1).tolist()]
    if len(found) != count * count:
        raise ValueError(f"a Hessian of {len(found)} numbers, where x has {count}, so that it has {count * count}")
    return found


def numbers(tree: Any, what: str, shapes: tuple[tuple[int, ...], ...]) -> list[Any]:
    """The numbers of tensors of these shapes, in a row: of a tuple of them, or of one; or a list of as many numbers."""
    if isinstance(tree, (list, tuple)) and tree and all(isinstance(part, (int, float, Fraction)) for part in tree):
        if len(tree) != sum(map(math.prod, shapes)):
            raise ValueError(f"a {what} of {len(tree)} numbers, where x has {sum(map(math.prod, shapes))}")
        return list(tree)
    parts = [tree] if isinstance(tree, (torch.Tensor, numpy.ndarray, int, float)) else tree_flatten(tree)[0]
    tensors = [torch.as_tensor(part) for part in parts]
    # some zeros of torch have no numbers in memory
    tensors = [torch.zeros(tensor.shape, dtype=tensor.dtype) if tensor._is_zerotensor() else tensor for tensor in tensors]
    found = tuple(tuple(tensor.shape) for tensor in tensors)
    count = sum(map(math.prod, shapes))
    if found != shapes and not count == 1 == sum(map(math.prod, found)):
        shown = [" and ".join(map(str, all_of)) or "no number" for all_of in (found, shapes)]
        raise ValueError(f"a {what} of the shape {shown[0]}, where x has {shown[1]}")
    if any(tensor.is_complex() for tensor in tensors):
        raise TypeError(f"a {what} is made of real numbers, not of complex ones")
    return [value for tensor in tensors for value in tensor.detach().double().reshape(-1).tolist()]
