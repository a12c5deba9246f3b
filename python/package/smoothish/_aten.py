"""What operations of ATen do with arrays. An operation that only moves elements is carried out by torch, on their places.

Each rule is registered under the name of an operation, and reads its arguments by their names in the schema of torch. Operations
without a rule are decomposed by torch, as far as it knows how.
"""

from __future__ import annotations

import itertools
import math
from fractions import Fraction
from typing import TYPE_CHECKING, Any

import numpy
import torch

from ._arrays import MOST_ELEMENTS, Arrays
from ._elements import Choice, Guard, Real, Unsupported
from ._graph import SIGNS
from ._linear import with_signs

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Sequence

    from ._graph import Graph


# Operations that only move elements, and which of their arguments have these.
MOVES: dict[str, tuple[str, ...]] = {
    **dict.fromkeys([
        "view", "_unsafe_view", "reshape", "_reshape_alias", "view_copy", "permute", "permute_copy", "transpose", "t", "expand",
        "expand_copy", "squeeze", "squeeze_copy", "unsqueeze", "unsqueeze_copy", "slice", "slice_copy", "select", "select_copy",
        "split", "split_with_sizes", "split_with_sizes_copy", "unsafe_split", "unbind", "unbind_copy", "flip", "roll", "repeat",
        "index", "_unsafe_index", "index_select", "gather", "take", "diagonal", "diagonal_copy", "unfold", "unfold_copy", "tril",
        "triu", "as_strided", "as_strided_copy", "im2col", "pixel_shuffle", "pixel_unshuffle", "channel_shuffle", "masked_select",
        "reflection_pad1d", "reflection_pad2d", "reflection_pad3d", "replication_pad1d", "replication_pad2d", "replication_pad3d",
        "upsample_nearest1d", "upsample_nearest2d", "upsample_nearest3d", "constant_pad_nd", "rot90", "diag_embed", "movedim",
        "broadcast_in_dim", "split_dim", "collapse_view", "rev", "collapse",
    ], ("self", "a")),
    "cat": ("tensors",), "stack": ("tensors",), "embedding": ("weight",),
    "select_scatter": ("self", "src"), "slice_scatter": ("self", "src"), "diagonal_scatter": ("self", "src"),
    "as_strided_scatter": ("self", "src"), "index_copy": ("self", "source"), "masked_scatter": ("self", "source"),
}  # fmt: skip
# Operations that take elements from places, and the argument that says which.
TAKEN = {"gather": "index", "index": "indices", "_unsafe_index": "indices", "index_select": "index", "take": "index"}
IDENTITIES = {
    "alias", "alias_copy", "detach", "resolve_conj", "resolve_neg", "clone", "lift", "lift_fresh", "lift_fresh_copy", "contiguous", "positive", "_local_scalar_dense",
}  # fmt: skip
MIRRORED = {"lt": "gt", "gt": "lt", "le": "ge", "ge": "le", "eq": "eq", "ne": "ne"}
# What is made without looking at the values of its arguments.
MAKERS = {
    "full_like", "zeros_like", "ones_like", "new_zeros", "new_ones", "new_full", "full", "zeros", "ones", "eye", "arange", "linspace",
    "scalar_tensor", "sym_size", "sym_numel", "tril_indices", "triu_indices",
}  # fmt: skip
# What is made without values: a use of it is a use of a NaN.
EMPTY = {"empty", "empty_like", "new_empty", "empty_strided", "new_empty_strided", "empty_permuted"}

UNARY = {
    "neg": "neg", "_neg_view": "neg", "abs": "abs", "sign": "sign", "sgn": "sign", "exp": "exp", "log": "log", "sin": "sin", "cos": "cos", "tan": "tan",
    "asin": "asin", "acos": "acos", "atan": "atan", "sinh": "sinh", "cosh": "cosh", "tanh": "tanh", "asinh": "asinh",
    "acosh": "acosh", "atanh": "atanh", "sqrt": "sqrt", "erf": "erf", "erfc": "erfc", "expm1": "expm1", "log1p": "log1p",
    "lgamma": "lgamma", "digamma": "digamma", "square": "square", "rsqrt": "rsqrt", "exp2": "exp2", "sigmoid": "logistic",
    "floor": "floor", "ceil": "ceil", "bitwise_not": "not",
}  # fmt: skip
BINARY = {
    "mul": "mul", "maximum": "max", "minimum": "min", "fmax": "max", "fmin": "min", "atan2": "atan2", "fmod": "rem",
    "bitwise_and": "and", "bitwise_or": "or", "bitwise_xor": "xor",
}  # fmt: skip
# In these a number beside a tensor of a short format is rounded to float32; in all others to the format.
KEEPS_SINGLE = {"mul", "div", "true_divide", "floor_divide", "addcmul", "addcdiv", "lerp", "threshold", "threshold_backward"}
COMPARED = {"eq", "ne", "lt", "le", "gt", "ge"}
FOLDED = {"sum": "reduce_sum", "prod": "reduce_prod", "amax": "reduce_max", "amin": "reduce_min", "any": "reduce_or", "all": "reduce_and"}

# Why operations have no rule.
UNREAD = {"linalg_matrix_exp": "the exponential of a matrix is no finite number of steps"}

RULES: dict[str, Callable[[TorchArrays, Call], Any]] = {}


class Call:
    """An operation of a graph, with its arguments by their names."""

    def __init__(self, node: Any, arguments: Sequence[Any], options: dict[str, Any]) -> None:
        self.node = node
        self.target = node.target
        self.name: str = node.target._schema.name.split("::")[1]
        self.arguments, self.options = arguments, options
        self.values: dict[str, Any] = {}
        for index, argument in enumerate(node.target._schema.arguments):
            if index < len(arguments):
                self.values[argument.name] = arguments[index]
            elif argument.name in options:
                self.values[argument.name] = options[argument.name]
            elif argument.has_default_value():
                self.values[argument.name] = argument.default_value

    def __getitem__(self, name: str) -> Any:
        return self.values[name]

    def get(self, name: str, default: Any = None) -> Any:
        value = self.values.get(name, default)
        return default if value is None else value

    @property
    def first(self) -> Any:
        return next(iter(self.values.values()))

    @property
    def found(self) -> Any:
        """What torch says of the value: its type and shape, or those of several."""
        return self.node.meta.get("val")

    @property
    def dtype(self) -> torch.dtype:
        found = self.found
        return (found[0] if isinstance(found, (tuple, list)) else found).dtype

    def dtype_of(self, name: str) -> torch.dtype | None:
        """The type of an argument, as torch says it; that of a number of Python is not known."""
        return getattr(self._said_of(name), "dtype", None)

    def common_type(self, *names: str) -> torch.dtype:
        """The type in which torch computes with arguments: a number, or a tensor without axes, has no part in it beside a tensor with axes."""
        said = {name: self._said_of(name) for name in names}
        return torch.result_type(*(found if isinstance(found, torch.Tensor) else self.values[name] for name, found in said.items()))

    def is_row_major(self, name: str) -> bool:
        """Whether an argument lies in memory row by row."""
        said = self._said_of(name)
        return not isinstance(said, torch.Tensor) or said.is_contiguous()

    def _said_of(self, name: str) -> Any:
        names = [argument.name for argument in self.target._schema.arguments]
        position = names.index(name)
        node = self.node.args[position] if position < len(self.node.args) else self.node.kwargs.get(name)
        return getattr(node, "meta", {}).get("val")

    def type_of(self, name: str) -> Any:
        """The type that an argument has in the schema."""
        return next(argument.type for argument in self.target._schema.arguments if argument.name == name)

    @property
    def has_complex(self) -> bool:
        """Whether complex numbers go in or come out."""
        found = [*leaves(self.found), *(part.meta.get("val") for part in self.node.all_input_nodes)]
        return any(isinstance(value, torch.Tensor) and value.is_complex() for value in found)

    def is_used(self, index: int) -> bool:
        """Whether one of several values is used."""
        return any(len(user.args) < 2 or (user.args[1] == index and user.users) for user in self.node.users)


def rule(*names: str) -> Callable[[Any], Any]:
    def register(function: Any) -> Any:
        RULES.update(dict.fromkeys(names, function))
        return function

    return register


def is_elements(value: Any) -> bool:
    return isinstance(value, numpy.ndarray)


def leaves(value: Any) -> list[Any]:
    """The arrays, tensors and numbers of a tree of lists."""
    if isinstance(value, (list, tuple)):
        return [leaf for part in value for leaf in leaves(part)]
    return [value]


def replaced(value: Any, by: Callable[[Any], Any]) -> Any:
    if isinstance(value, (list, tuple)):
        return [replaced(part, by) for part in value]
    return by(value)


def numbers_of(tensor: torch.Tensor) -> numpy.ndarray:
    """The numbers of a tensor exactly: of a type of low precision as float64."""
    tensor = tensor.detach()
    if tensor.is_complex():
        return tensor.to(torch.complex128).resolve_conj().numpy(force=True)
    return (tensor.double() if tensor.is_floating_point() else tensor).numpy(force=True)


def axes_of(dim: Any, ndim: int) -> tuple[int, ...]:
    """Which axes a reduction is along: all where nothing is said."""
    if dim is None or (isinstance(dim, (list, tuple)) and not dim):
        return tuple(range(ndim))
    return tuple(sorted({axis % ndim for axis in ([dim] if isinstance(dim, int) else dim)})) if ndim else ()


class TorchArrays(Arrays):
    """Operations of ATen on arrays."""

    def __init__(self, graph: Graph) -> None:
        super().__init__(graph)
        self.audits = True
        # what the function converts of constants; such numbers are data of its derivative as well
        self.conversions: set[tuple[Any, ...]] = set()

    # Arguments.

    def elements(self, value: Any, dtype: torch.dtype | None = None) -> numpy.ndarray:
        """The array of an argument. A number of Python, or a tensor without axes, is rounded to the type that torch computes with."""
        if is_elements(value):
            return value
        is_rounded = dtype is not None and dtype.is_floating_point
        if isinstance(value, torch.Tensor):
            is_rounded = is_rounded and value.dim() == 0 and value.is_floating_point()
            return self.lifted(numbers_of(value.to(dtype) if is_rounded else value))
        if isinstance(value, float) and is_rounded:
            value = torch.tensor(value, dtype=dtype).item()
        element = Real(self.graph.number(value)) if isinstance(value, float) else value
        return self.shaped([element], ())

    def reals(self, value: Any, dtype: torch.dtype | None = None) -> numpy.ndarray:
        """The array of an argument, of real numbers all of it."""
        return self.vectorised(lambda x: Real(self.node(x)), self.elements(value, dtype))

    def operands(self, call: Call, *values: Any) -> list[numpy.ndarray]:
        """Arguments that torch promotes to the type of the value before it computes."""
        dtype = call.dtype
        if dtype in (torch.float16, torch.bfloat16) and call.name in KEEPS_SINGLE:
            dtype = torch.float32
        return [self.reals(x, dtype) if dtype.is_floating_point else self.elements(x) for x in values]

    def truths(self, value: Any) -> numpy.ndarray:
        """The array of an argument as conditions: a number holds where it is not 0."""
        return self.vectorised(lambda x: self.converted(numpy.dtype(bool), x, False), self.elements(value))

    def each(self, name: str, *arrays: numpy.ndarray, **params: Any) -> numpy.ndarray:
        return self.vectorised(lambda *parts: self.element(name, params, parts), *arrays)

    def constant(self, q: Fraction | int) -> Real:
        return Real(self.graph.constant(q))

    def divided(self, array: numpy.ndarray, count: Fraction | int) -> numpy.ndarray:
        return self.vectorised(lambda x: self.real("div", {}, (x, self.constant(count))), array)

    def along(self, name: str, array: numpy.ndarray, dim: Any, keepdim: bool) -> numpy.ndarray:
        """A reduction, by its name in JAX."""
        axes = axes_of(dim, array.ndim)
        found = self.reduced(name, {"axes": axes}, array)
        return self.kept(found, array, axes) if keepdim else found

    def kept(self, found: numpy.ndarray, array: numpy.ndarray, axes: Sequence[int]) -> numpy.ndarray:
        return found.reshape([1 if axis in axes else size for axis, size in enumerate(array.shape)])

    def count(self, array: numpy.ndarray, dim: Any) -> int:
        return math.prod(array.shape[axis] for axis in axes_of(dim, array.ndim))

    def in_ones(self, array: numpy.ndarray) -> numpy.ndarray:
        """Values of one function of a library, though they are written as several operations."""
        return self.vectorised(lambda x: Real(self.in_one(x.node)), array)

    # Comparisons.

    def compare(self, name: str, a: Any, b: Any, is_whole: bool = False) -> Any:
        """A comparison. One with the greatest of several numbers is made of comparisons with each: that of y and max(y, z) is none with itself.

        Rules for derivatives ask which of several numbers was the greatest, and whether max(x, 0) is 0.
        """
        if not is_whole and isinstance(a, Real) and isinstance(b, Real) and a != b:
            for x, y, mirrored in ((a, b, name), (b, a, MIRRORED[name])):
                kind = self.graph.nodes[x.node][0]
                if kind in ("max", "min"):
                    parts = self.extremes_of(x.node, kind)
                    if mirrored in ("eq", "ne") and y.node not in parts:
                        continue
                    return self.compared_with_each(mirrored, kind, parts, y)
        return super().compare(name, a, b, is_whole)

    def extremes_of(self, node: int, kind: str) -> list[int]:
        """The numbers of which a node is the greatest, or the least."""
        pending, found = [node], dict[int, None]()
        while pending:
            part = pending.pop()
            if self.graph.nodes[part][0] == kind:
                pending += reversed(self.graph.nodes[part][1:])
            else:
                found[part] = None
        return list(found)

    def compared_with_each(self, name: str, kind: str, parts: list[int], y: Real) -> Any:
        """How the greatest, or the least, of some numbers compares with a number; where that is asked, it is one of these."""
        inner = ("le" if kind == "max" else "ge") if name in ("eq", "ne") else name
        is_all = name in ("eq", "ne") or (name in ("lt", "le")) == (kind == "max")
        # that a number is no greater than itself adds nothing to others that must hold too
        others = [part for part in parts if part != y.node or not is_all or inner in ("lt", "gt")]
        compare = super().compare
        found = [compare(inner, Real(part), y) for part in others]
        joined = self.folded("and" if is_all else "or", found)
        return self.discrete("not", joined) if name == "ne" else joined

    # The value of an operation.

    def apply(self, call: Call) -> Any:
        arguments = leaves(list(call.values.values()))
        has_elements = any(map(is_elements, arguments))
        name = call.name
        if name in EMPTY:
            return torch.full(_shape_of(call.found), math.nan if call.dtype.is_floating_point else 0, dtype=call.dtype)
        if name in MAKERS and not any(is_elements(x) for x in leaves(call.get("fill_value"))):
            shapeless = [torch.empty(x.shape, dtype=call.dtype) if is_elements(x) else x for x in call.arguments]
            return call.target(*shapeless, **call.options)
        if not has_elements:
            # what does not depend on x is what torch computes
            found = call.target(*call.arguments, **call.options)
            return self.typed(call, RULES[name](self, call)) if name in CONVERSIONS and self.is_rounding(found) else found
        if name in TAKEN and any(is_elements(x) for x in leaves(call[TAKEN[name]])):
            return self.typed(call, self.taken(call))
        if name in MOVES:
            return self.carried(call, MOVES[name])
        function = _complex if call.has_complex else RULES.get(name)
        if function is not None:
            return self.typed(call, function(self, call))
        known = [self.as_tensor(x, call) if is_elements(x) else x for x in arguments]
        if any(x is None for x in known):
            raise Unsupported(UNREAD.get(name, "it has no translation"))
        return call.target(*replaced(list(call.arguments), self.known_tensor(call)), **call.options)

    def is_rounding(self, found: torch.Tensor) -> bool:
        """Whether a conversion of constants is one of the derivative alone, as that of a cotangent: over the real numbers it is none."""
        if not found.is_floating_point():
            return False
        key = (found.dtype, tuple(found.shape), numbers_of(found).tobytes())
        if not self.graph.rounds:
            self.conversions.add(key)
        return self.graph.rounds and key not in self.conversions

    def known_tensor(self, call: Call) -> Callable[[Any], Any]:
        return lambda x: self.as_tensor(x, call) if is_elements(x) else x

    def as_tensor(self, array: numpy.ndarray, call: Call) -> torch.Tensor | None:
        """An array of known numbers as torch has it; None where it depends on x."""
        numbers = [self.known(element) for element in array.ravel()]
        if any(number is None for number in numbers):
            return None
        return torch.tensor([float(number or 0) for number in numbers], dtype=call.dtype).reshape(array.shape)

    def typed(self, call: Call, found: Any) -> Any:
        """Values whose shapes are those that torch says; whole numbers end where their type does."""
        several = isinstance(found, (tuple, list))
        expected = call.found if isinstance(call.found, (tuple, list)) else [call.found]
        values = []
        for value, fake in zip(found if several else [found], expected, strict=False):
            if is_elements(value) and isinstance(fake, torch.Tensor):
                shape = _shape(fake)
                if shape is not None and value.shape != shape:
                    raise Unsupported(f"a value of the shape {value.shape}, where torch has {shape}")
                if not fake.dtype.is_floating_point and not fake.dtype.is_complex:
                    value = self.discretes(value, fake.dtype)
            values.append(value)
        return values if several else values[0]

    def discretes(self, array: numpy.ndarray, dtype: torch.dtype) -> Any:
        """Whole numbers, which end where their type does, or truth values: a tensor, where they are known."""
        if dtype != torch.bool:
            array = self.vectorised(lambda x: self.wrapped(_numpy_type(dtype), x), array)
        elements = list(array.ravel())
        if all(isinstance(element, (bool, int, numpy.bool_, numpy.integer)) for element in elements):
            return torch.tensor([int(element) for element in elements], dtype=dtype).reshape(array.shape)
        return array

    # Places.

    def carried(self, call: Call, has: Iterable[str]) -> Any:
        """What only moves elements: done by torch itself, to their places, counted from 1. What it fills with zeros has the place 0."""
        has_names, values = set(has), dict(call.values)
        filling = 0.0
        if call.name == "constant_pad_nd":
            filling, values["value"] = call.get("value", 0.0), 0
        dtype = call.dtype
        arrays: list[numpy.ndarray] = []
        places: list[int] = []
        slots: dict[str, Any] = {}

        def slot(name: str, value: Any) -> Any:
            is_moved = name in has_names and (is_elements(value) or isinstance(value, torch.Tensor))
            if not is_moved and not is_elements(value):
                return lambda _: value
            position = len(arrays)
            if is_moved:
                places.append(position)
                arrays.append(self.elements(value))
            else:
                if any(isinstance(element, Guard) for element in value.ravel()):
                    raise Unsupported("a mask that depends on x says which elements are taken")
                arrays.append(value)
                if str(call.type_of(name)) != "Tensor" and not value.ndim:
                    return lambda operands: int(operands[position])
            return lambda operands: _operand(operands[position], is_moved)

        for name, value in values.items():
            slots[name] = replaced(value, lambda leaf, name=name: slot(name, leaf))
        several: list[bool] = []

        def move(operands: list[numpy.ndarray]) -> list[numpy.ndarray]:
            filled = {name: replaced(value, lambda leaf: leaf(operands)) for name, value in slots.items()}
            found = call.target(**filled)
            several.append(isinstance(found, (tuple, list)))
            return [value.numpy().astype(numpy.int64) - 1 for value in (found if several[-1] else [found])]

        moved = self.moved(
            f"aten.{call.name}", move, arrays, places, lambda: self.elements(filling, dtype).item() if dtype != torch.bool else False
        )
        return self.typed(call, moved if several[-1] else moved[0])

    def taken(self, call: Call) -> numpy.ndarray:
        """What is taken from places that depend on conditions: each element by the cases of its own place."""
        array, dim = self.elements(call["self"]), call.get("dim", 0)
        index = call[TAKEN[call.name]]
        if call.name in ("index", "_unsafe_index"):
            given = [(i, part) for i, part in enumerate(index) if part is not None]
            if len(given) != 1:
                raise Unsupported("several indices of which one depends on x")
            dim, index = given[0]
        if any(isinstance(element, Guard) for element in index.ravel()):
            raise Unsupported("a mask that depends on x says which elements are taken")
        if call.name == "take":
            array, dim = array.reshape(-1), 0
        dim = dim % max(1, array.ndim)
        if call.name == "gather":
            rows = [(index[at], [(*at[:dim], i, *at[dim + 1 :]) for i in range(array.shape[dim])]) for at in numpy.ndindex(index.shape)]
            shape = index.shape
        else:
            # the place of an index stands where its axis stood
            shape = (*array.shape[:dim], *index.shape, *array.shape[dim + 1 :])
            before, inside = dim, dim + index.ndim
            rows = [
                (index[at[before:inside]], [(*at[:before], i, *at[inside:]) for i in range(array.shape[dim])]) for at in numpy.ndindex(*shape)
            ]

        def pick(place: Any, candidates: list[Any]) -> Any:
            if isinstance(place, Choice):
                return self.select(place.guard, pick(place.then, candidates), pick(place.otherwise, candidates))
            if isinstance(place, Real):
                raise Unsupported("elements are taken from places that depend on x by rounding")
            return array[candidates[int(place)]]

        return self.shaped([pick(*row) for row in rows], shape)

    def is_mask(self, call: Call, position: int) -> bool:
        node = call.node.args[1][position]
        return node.meta["val"].dtype == torch.bool

    def landed_at(
        self, array: numpy.ndarray, where: numpy.ndarray, updates: numpy.ndarray, keeps: bool
    ) -> list[list[Any]]:
        """The elements that come together at each place of an array: its own, where it is kept, and updates."""
        found: list[list[Any]] = [[element] for element in array.ravel()]
        hit = set()
        updates = numpy.broadcast_to(updates, where.shape)
        for place, update in zip(where.ravel().tolist(), updates.ravel(), strict=True):
            if not keeps and place not in hit:
                found[place] = []
            hit.add(place)
            found[place].append(update)
        return found

    def places_of(self, array: numpy.ndarray, taken: Callable[[torch.Tensor], torch.Tensor]) -> numpy.ndarray:
        """The places of an array that an operation with these indices takes from it, which are those to which the inverse operation gives."""
        return taken(torch.arange(array.size).reshape(array.shape)).numpy()

    # Sums of products.

    def product_of(self, a: Real, b: Real) -> Any:
        """The product of two numbers; 0 where one of them is 0, as it is in a mask, and the other has a value near x."""
        for x, y in ((a, b), (b, a)):
            if self.graph.known(x.node) == 0 and self.graph.special(y.node) is None and self.fits(y.node):
                return self.constant(0)
        return self.real("mul", {}, (a, b))

    def product(self, left: numpy.ndarray, right: numpy.ndarray, batch: int = 0) -> numpy.ndarray:
        """The product of matrices, or of stacks of them."""
        over = ([left.ndim - 1], [batch])
        return self.contracted({"dimension_numbers": (over, (list(range(batch)),) * 2)}, left, right)

    def scaled(self, factor: Any, array: numpy.ndarray, dtype: torch.dtype) -> numpy.ndarray:
        return array if factor == 1 else self.each("mul", array, self.reals(factor, dtype))

    def bilinear(
        self, shape: Sequence[int], out: numpy.ndarray, left: numpy.ndarray, i: numpy.ndarray, right: numpy.ndarray, j: numpy.ndarray
    ) -> numpy.ndarray:
        """The sums of left[i]·right[j] over what has the same place `out`."""
        xs = [self.node(x) for x in self.elements(left).ravel()]
        ys = [self.node(y) for y in self.elements(right).ravel()]
        rows: list[tuple[list[int], list[int]]] = [([], []) for _ in range(math.prod(shape))]
        for place, p, q in zip(out.tolist(), i.tolist(), j.tolist(), strict=True):
            rows[place][0].append(xs[p])
            rows[place][1].append(ys[q])
        self.need_values([Real(x) for x in (*xs, *ys)])
        return self.shaped([Real(self.graph.dot(*row)) for row in rows], tuple(shape))

    # Extreme elements.

    def ordered(self, array: numpy.ndarray, dim: int, descending: bool) -> tuple[numpy.ndarray, numpy.ndarray]:
        """An array sorted along an axis, and the places from which its elements come."""
        if array.ndim == 0:
            return array, self.shaped([0], ())
        moved = numpy.moveaxis(array, dim, -1)
        rows = [
            self.exchanged([list(row), list(range(len(row)))], is_greatest_first=descending) for row in moved.reshape(-1, moved.shape[-1])
        ]
        values, places = (self.shaped([x for row in rows for x in row[k]], moved.shape) for k in range(2))
        return numpy.moveaxis(values, -1, dim), numpy.moveaxis(places, -1, dim)


def _operand(array: numpy.ndarray, is_moved: bool) -> torch.Tensor:
    if is_moved:
        return torch.from_numpy(numpy.asarray(array + 1.0))
    if array.dtype == numpy.int32:
        array = array.astype(numpy.int64)
    return torch.from_numpy(numpy.ascontiguousarray(array))


def _shape(fake: Any) -> tuple[int, ...] | None:
    """A shape, where it is known before the values are."""
    shape = tuple(fake.shape)
    return shape if all(isinstance(size, int) for size in shape) else None


def _shape_of(fake: Any) -> tuple[int, ...]:
    """The shape that torch says, which is known before the values are."""
    shape = _shape(fake)
    if shape is None:
        raise Unsupported("its shape depends on numbers")
    return shape


def _numpy_type(dtype: torch.dtype) -> numpy.dtype:
    return torch.empty(0, dtype=dtype).numpy().dtype


# Element by element.


@rule(*UNARY)
def _unary(arrays: TorchArrays, call: Call) -> Any:
    (x,) = arrays.operands(call, call.first)
    return arrays.each(UNARY[call.name], x)


@rule(*BINARY)
def _binary(arrays: TorchArrays, call: Call) -> Any:
    x, y = arrays.operands(call, *list(call.values.values())[:2])
    name = BINARY[call.name]
    if name == "rem" and not call.dtype.is_floating_point:
        name = "whole rem"
    if name == "mul" and call.dtype.is_floating_point:
        return arrays.vectorised(arrays.product_of, x, y)
    return arrays.each(name, x, y)


@rule("add", "sub", "rsub")
def _added(arrays: TorchArrays, call: Call) -> Any:
    x, y = arrays.operands(call, call["self"], call["other"])
    alpha = call.get("alpha", 1)
    if call.name == "rsub":
        x, y = y, x
    if alpha != 1 and call.name == "rsub":
        x, y = x, arrays.each("mul", y, *arrays.operands(call, alpha))
    elif alpha != 1:
        y = arrays.each("mul", y, *arrays.operands(call, alpha))
    return arrays.each("add" if call.name == "add" else "sub", x, y)


@rule("div", "floor_divide", "true_divide")
def _quotient(arrays: TorchArrays, call: Call) -> Any:
    mode = "floor" if call.name == "floor_divide" else call.get("rounding_mode")
    if not call.dtype.is_floating_point:
        x, y = arrays.operands(call, call["self"], call["other"])
        if mode == "floor":
            raise Unsupported("whole numbers that depend on x, divided downward")
        return arrays.each("whole div", x, y)
    x, y = arrays.operands(call, call["self"], call["other"])
    found = arrays.each("div", x, y)
    if mode == "floor":
        return arrays.each("floor", found)
    return found if mode is None else _truncated(arrays, found)


def _truncated(arrays: TorchArrays, array: numpy.ndarray) -> numpy.ndarray:
    return arrays.vectorised(lambda x: Real(arrays.truncated(x.node)), array)


@rule("trunc", "frac")
def _trunc(arrays: TorchArrays, call: Call) -> Any:
    x = arrays.reals(call.first)
    whole = _truncated(arrays, x)
    return whole if call.name == "trunc" else arrays.each("sub", x, whole)


@rule("round")
def _rounded(arrays: TorchArrays, call: Call) -> Any:
    if call.get("decimals", 0) != 0:
        raise Unsupported("it rounds to decimals")
    return arrays.each("round", arrays.reals(call.first), rounding_method=1)


@rule("reciprocal")
def _reciprocal(arrays: TorchArrays, call: Call) -> Any:
    one = arrays.constant(1)
    return arrays.vectorised(lambda x: arrays.real("div", {}, (one, x)), arrays.reals(call.first))


@rule("log2", "log10")
def _logarithm(arrays: TorchArrays, call: Call) -> Any:
    base = arrays.each("log", arrays.reals(int(call.name[3:])))
    return arrays.in_ones(arrays.each("div", arrays.each("log", arrays.reals(call.first)), base))


@rule("relu", "clamp", "clamp_min", "clamp_max")
def _clamped(arrays: TorchArrays, call: Call) -> Any:
    found, dtype = arrays.operands(call, call["self"])[0], call.dtype
    low = 0 if call.name == "relu" else call.get("min")
    for name, bound in (("max", low), ("min", call.get("max"))):
        if bound is not None:
            found = arrays.each(name, found, arrays.operands(call, bound)[0] if dtype.is_floating_point else arrays.elements(bound))
    return found


@rule("remainder")
def _remainder(arrays: TorchArrays, call: Call) -> Any:
    if not call.dtype.is_floating_point:
        raise Unsupported("whole numbers that depend on x, and what is left of their division")
    x, y = arrays.operands(call, call["self"], call["other"])

    def remainder(a: Real, b: Real) -> Any:
        graph, divisor = arrays.graph, arrays.graph.known(b.node)
        if graph.special(a.node) is not None or graph.special(b.node) is not None or divisor == 0:
            quotient = arrays.real("floor", {}, (arrays.real("div", {}, (a, b)),))
            return arrays.real("sub", {}, (a, arrays.real("mul", {}, (b, quotient))))
        return Real(graph.add("mod", a.node, b.node))

    return arrays.vectorised(remainder, x, y)


@rule("hypot")
def _hypotenuse(arrays: TorchArrays, call: Call) -> Any:
    x, y = arrays.operands(call, call["self"], call["other"])
    return arrays.in_ones(arrays.each("sqrt", arrays.each("add", arrays.each("square", x), arrays.each("square", y))))


@rule("copysign")
def _with_sign(arrays: TorchArrays, call: Call) -> Any:
    size = arrays.each("abs", arrays.reals(call["self"], call.dtype))
    graph, sign = arrays.graph, call["other"]
    if not is_elements(sign):
        # of a number that is known, zeros have a sign
        signs = torch.signbit(torch.as_tensor(sign, dtype=torch.float64 if isinstance(sign, float) else None))
        return arrays.vectorised(lambda x, is_negative: arrays.real("neg", {}, (x,)) if is_negative else x, size, signs.numpy())

    def signed(x: Any, y: Any) -> Any:
        zero, node = graph.constant(0), arrays.node(y)
        unclear = graph.add("refused", "the sign of a zero that depends on x cannot be audited")
        below = graph.select(graph.add("lt", node, zero), graph.unary("negate", x.node), unclear)
        return Real(graph.select(graph.add("lt", zero, node), x.node, below))

    return arrays.vectorised(signed, size, arrays.reals(sign))


@rule("pow")
def _power(arrays: TorchArrays, call: Call) -> Any:
    base, exponent = call["self"], call["exponent"]
    if isinstance(exponent, int) and not call.dtype.is_floating_point:
        raise Unsupported("powers of whole numbers that depend on x")
    x, y = arrays.reals(base, call.dtype), arrays.reals(exponent, call.dtype)
    return arrays.vectorised(arrays.raised, x, y)


@rule("xlogy", "special_xlogy", "special_xlog1py")
def _times_logarithm(arrays: TorchArrays, call: Call) -> Any:
    x, y = arrays.operands(call, call["self"], call["other"])
    zero = arrays.constant(0)
    product = arrays.each("mul", x, arrays.each("log1p" if call.name.endswith("1py") else "log", y))
    return arrays.vectorised(lambda a, found: arrays.case(arrays.compare("eq", a, zero), found, zero), x, product)


@rule("polygamma", "special_polygamma")
def _polygamma(arrays: TorchArrays, call: Call) -> Any:
    order = call["n"]
    return arrays.vectorised(lambda x: arrays.element("polygamma", {}, (order, x)), arrays.reals(call["self"]))


SPECIAL_NAMES = {
    "erfinv": "erf_inv", "special_i0e": "bessel_i0e", "special_i1e": "bessel_i1e", "i0": "bessel_i0", "special_i1": "bessel_i1",
    "igamma": "igamma", "igammac": "igammac", "special_zeta": "zeta",
}  # fmt: skip
"""Special functions, by their names in torch and in JAX."""


@rule(*SPECIAL_NAMES)
def _special(arrays: TorchArrays, call: Call) -> Any:
    parts = [arrays.reals(value, call.dtype) for value in call.values.values()]
    return arrays.each(SPECIAL_NAMES[call.name], *parts)


@rule("special_erfcx", "special_ndtri")
def _by_others(arrays: TorchArrays, call: Call) -> Any:
    """exp(x²)·erfc(x), and √2·erf⁻¹(2x - 1)."""
    x = arrays.reals(call["self"], call.dtype)
    if call.name == "special_erfcx":
        return arrays.in_ones(arrays.each("mul", arrays.each("exp", arrays.each("square", x)), arrays.each("erfc", x)))
    moved = arrays.vectorised(lambda a: arrays.real("sub", {}, (arrays.real("mul", {}, (arrays.constant(2), a)), arrays.constant(1))), x)
    root = Real(arrays.graph.power(arrays.graph.constant(2), Fraction(1, 2)))
    return arrays.vectorised(lambda a: arrays.real("mul", {}, (root, a)), arrays.each("erf_inv", moved))


def _normal_argument(arrays: TorchArrays, x: numpy.ndarray) -> numpy.ndarray:
    """x/√2, with the √2 of mathematics: the slopes that torch has are those of the exact functions."""
    root = Real(arrays.graph.power(arrays.graph.constant(Fraction(1, 2)), Fraction(1, 2)))
    return arrays.vectorised(lambda a: arrays.real("mul", {}, (a, root)), x)


@rule("gelu")
def _gelu(arrays: TorchArrays, call: Call) -> Any:
    """x·Φ(x), or its approximation by tanh, with the operations of torch."""
    if call.get("approximate", "none") == "tanh":
        x, scale, share, half, one = arrays.operands(call, call["self"], 1.4142135623730951 * 1.1283791670955126 * 0.5, 0.044715, 0.5, 1.0)
        cube = arrays.each("mul", arrays.each("mul", x, x), x)
        found = arrays.each("tanh", arrays.each("mul", scale, arrays.each("add", x, arrays.each("mul", share, cube))))
    else:
        x, half, one = arrays.operands(call, call["self"], 0.5, 1.0)
        found = arrays.each("erf", _normal_argument(arrays, x))
    return arrays.each("mul", arrays.each("mul", half, x), arrays.each("add", one, found))


@rule("special_ndtr", "special_log_ndtr")
def _normal_chance(arrays: TorchArrays, call: Call) -> Any:
    """Φ(x) = erfc(-x/√2)/2, and its logarithm."""
    x, half = arrays.operands(call, call["self"], 0.5)
    found = arrays.each("mul", half, arrays.each("erfc", arrays.each("neg", _normal_argument(arrays, x))))
    return arrays.in_ones(found if call.name == "special_ndtr" else arrays.each("log", found))


CONVERSIONS = {"_to_copy", "_to_dense", "to", "convert_element_type"}


@rule(*CONVERSIONS)
def _converted(arrays: TorchArrays, call: Call) -> Any:
    was, dtype = call.dtype_of(next(iter(call.values))), call.dtype
    if dtype.is_floating_point:
        return arrays.vectorised(lambda x: Real(arrays.graph.rounded(x.node)), arrays.reals(call.first))
    is_whole = was is None or not was.is_floating_point
    return arrays.vectorised(lambda x: arrays.converted(_numpy_type(dtype), x, is_whole), arrays.elements(call.first))


@rule(*IDENTITIES)
def _same(arrays: TorchArrays, call: Call) -> Any:
    return arrays.elements(call.first)


@rule("copy", "copy_")
def _copied(arrays: TorchArrays, call: Call) -> Any:
    # into the shape and the type of what is overwritten
    shape = numpy.shape(call["self"])
    source = arrays.elements(call["src"])
    if call.dtype.is_floating_point:
        source = arrays.vectorised(lambda x: Real(arrays.graph.rounded(arrays.node(x))), source)
    return numpy.broadcast_to(source, shape).copy()


@rule("fill")
def _filled(arrays: TorchArrays, call: Call) -> Any:
    (value,) = arrays.operands(call, call["value"])
    return numpy.broadcast_to(value, numpy.shape(call["self"])).copy()


# Conditions.


@rule(*COMPARED)
def _compared(arrays: TorchArrays, call: Call) -> Any:
    first, second = list(call.values.values())[:2]
    dtype = call.common_type(*list(call.values)[:2])
    is_float = dtype.is_floating_point
    x, y = (arrays.reals(value, dtype) if is_float else arrays.elements(value) for value in (first, second))
    return arrays.vectorised(lambda a, b: arrays.compare(call.name, a, b, not is_float), x, y)


@rule("logical_and", "logical_or", "logical_xor")
def _joined(arrays: TorchArrays, call: Call) -> Any:
    name = call.name.removeprefix("logical_")
    return arrays.each(name, arrays.truths(call["self"]), arrays.truths(call["other"]))


@rule("logical_not")
def _negated(arrays: TorchArrays, call: Call) -> Any:
    return arrays.each("not", arrays.truths(call["self"]))


@rule("isnan")
def _is_nan(arrays: TorchArrays, call: Call) -> Any:
    return arrays.vectorised(lambda x: arrays.compare("ne", x, x), arrays.reals(call["self"]))


@rule("isinf")
def _is_infinite(arrays: TorchArrays, call: Call) -> Any:
    def is_infinite(x: Any) -> bool:
        kind = arrays.graph.special(x.node)
        arrays.not_unclear(x.node)
        if kind is None:
            arrays.needs_value(x.node)
        return kind in SIGNS

    return arrays.vectorised(is_infinite, arrays.reals(call["self"]))


@rule("threshold")
def _thresholded(arrays: TorchArrays, call: Call) -> Any:
    x, bound = arrays.operands(call, call["self"], call["threshold"])
    value = arrays.reals(call["value"], call.dtype)
    return arrays.vectorised(lambda a, b, v: arrays.case(arrays.compare("le", a, b), a, v), x, bound, value)


@rule("where", "masked_fill")
def _chosen(arrays: TorchArrays, call: Call) -> Any:
    values = list(call.values.values())
    condition, then, otherwise = values if call.name == "where" else (call["mask"], call["value"], call["self"])
    then, otherwise = arrays.operands(call, then, otherwise)
    return arrays.vectorised(arrays.case, arrays.truths(condition), otherwise, then)


# Reductions.


@rule(*FOLDED)
def _reduced(arrays: TorchArrays, call: Call) -> Any:
    array = arrays.truths(call.first) if call.name in ("any", "all") else arrays.operands(call, call.first)[0]
    dim = next((call.values[name] for name in ("dim", "dims") if name in call.values), None)
    return arrays.along(FOLDED[call.name], array, dim, call.get("keepdim", False))


@rule("mean")
def _mean(arrays: TorchArrays, call: Call) -> Any:
    array, dim = arrays.reals(call["self"]), call.get("dim")
    return arrays.divided(arrays.along("reduce_sum", array, dim, call.get("keepdim", False)), arrays.count(array, dim))


def _variance(arrays: TorchArrays, call: Call) -> tuple[numpy.ndarray, numpy.ndarray]:
    """The variance and the mean."""
    values = list(call.values.values())
    array = arrays.reals(values[0])
    dim = next((call.values[name] for name in ("dim", "dims") if name in call.values), None)
    correction = call.get("correction", 1)
    if "unbiased" in call.values:
        correction = int(call["unbiased"])
    count = arrays.count(array, dim)
    mean = arrays.divided(arrays.along("reduce_sum", array, dim, True), count)
    squares = arrays.each("square", arrays.each("sub", array, mean))
    total = arrays.along("reduce_sum", squares, dim, call.get("keepdim", False))
    left = max(Fraction(0), count - Fraction(correction))
    return arrays.divided(total, left), mean if call.get("keepdim", False) else mean.reshape(total.shape)


@rule("var")
def _var(arrays: TorchArrays, call: Call) -> Any:
    return _variance(arrays, call)[0]


@rule("std")
def _std(arrays: TorchArrays, call: Call) -> Any:
    return arrays.each("sqrt", _variance(arrays, call)[0])


@rule("var_mean", "std_mean")
def _var_mean(arrays: TorchArrays, call: Call) -> Any:
    variance, mean = _variance(arrays, call)
    return [arrays.each("sqrt", variance) if call.name == "std_mean" else variance, mean]


@rule("linalg_vector_norm")
def _norm(arrays: TorchArrays, call: Call) -> Any:
    return _normed(arrays, arrays.reals(call["self"]), call["ord"], call.get("dim"), call.get("keepdim", False))


def _normed(arrays: TorchArrays, array: numpy.ndarray, order: float, dim: Any, keepdim: bool) -> numpy.ndarray:
    if order == 2:
        return arrays.each("sqrt", arrays.along("reduce_sum", arrays.each("square", array), dim, keepdim))
    sizes = arrays.each("abs", array)
    if math.isinf(order):
        return arrays.along("reduce_max" if order > 0 else "reduce_min", sizes, dim, keepdim)
    if order == 0:
        zero = arrays.constant(0)
        counted = arrays.vectorised(lambda x: Real(arrays.node(arrays.compare("ne", x, zero))), array)
        return arrays.along("reduce_sum", counted, dim, keepdim)
    if order == 1:
        return arrays.along("reduce_sum", sizes, dim, keepdim)
    power = arrays.constant(Fraction(order))
    total = arrays.along("reduce_sum", arrays.vectorised(lambda x: arrays.raised(x, power), sizes), dim, keepdim)
    return arrays.vectorised(lambda x: arrays.raised(x, arrays.constant(1 / Fraction(order))), total)


@rule("max", "min")
def _extreme(arrays: TorchArrays, call: Call) -> Any:
    name = "reduce_max" if call.name == "max" else "reduce_min"
    (array,) = arrays.operands(call, call["self"])
    if "other" in call.values:
        return arrays.each(call.name, array, *arrays.operands(call, call["other"]))
    if "dim" not in call.values:
        return arrays.along(name, array, None, False)
    dim, keepdim = call["dim"], call["keepdim"]
    places = _extreme_place(arrays, call.name, array, dim, keepdim) if call.is_used(1) else None
    return [arrays.along(name, array, dim, keepdim), places]


def _extreme_place(arrays: TorchArrays, name: str, array: numpy.ndarray, dim: Any, keepdim: bool) -> numpy.ndarray:
    if dim is None:
        flat = arrays.extreme_place(f"arg{name}", {"axes": (0,)}, array.reshape(-1))
        return flat.reshape((1,) * array.ndim) if keepdim else flat
    axes = axes_of(dim, array.ndim)
    if not axes:
        return arrays.shaped([0], ())
    found = arrays.extreme_place(f"arg{name}", {"axes": axes}, array)
    return arrays.kept(found, array, axes) if keepdim else found


@rule("argmax", "argmin")
def _place(arrays: TorchArrays, call: Call) -> Any:
    return _extreme_place(arrays, call.name[3:], arrays.elements(call["self"]), call.get("dim"), call.get("keepdim", False))


@rule("cumsum", "cumprod", "logcumsumexp")
def _running(arrays: TorchArrays, call: Call) -> Any:
    (array,) = arrays.operands(call, call["self"])
    name = {"logcumsumexp": "cumlogsumexp"}.get(call.name, call.name)
    return _along_axis(array, call["dim"], lambda x, axis: arrays.running(name, {"axis": axis, "reverse": False}, x))


def _along_axis(array: numpy.ndarray, dim: int, function: Callable[[numpy.ndarray, int], numpy.ndarray]) -> numpy.ndarray:
    """A function along an axis, of which a number has one as well."""
    return function(array, dim % array.ndim) if array.ndim else function(array.reshape(1), 0).reshape(())


@rule("cummax", "cummin")
def _running_extreme(arrays: TorchArrays, call: Call) -> Any:
    array = arrays.elements(call["self"])
    values = _along_axis(array, call["dim"], lambda x, axis: arrays.running(call.name, {"axis": axis, "reverse": False}, x))
    if not call.is_used(1):
        return [values, None]

    def places(x: numpy.ndarray, axis: int) -> numpy.ndarray:
        rows, running = (numpy.moveaxis(part, axis, 0) for part in (x, values.reshape(x.shape)))
        found = [arrays.shaped([0] * rows[0].size, rows[0].shape)]
        # of equal ones torch takes the last
        name = "ge" if call.name == "cummax" else "le"
        for i in range(1, len(rows)):
            better = arrays.vectorised(lambda a, b: arrays.compare(name, a, b), rows[i], running[i - 1])
            found.append(arrays.vectorised(lambda where, old, i=i: arrays.case(where, old, i), better, found[-1]))
        return numpy.moveaxis(numpy.stack(found), 0, axis)

    return [values, _along_axis(array, call["dim"], places)]


@rule("sort", "argsort")
def _sorted(arrays: TorchArrays, call: Call) -> Any:
    values, places = arrays.ordered(arrays.elements(call["self"]), call.get("dim", -1), call.get("descending", False))
    return places if call.name == "argsort" else [values, places]


@rule("topk")
def _greatest(arrays: TorchArrays, call: Call) -> Any:
    found = arrays.ordered(arrays.elements(call["self"]), call.get("dim", -1), call.get("largest", True))
    return [numpy.take(part, range(call["k"]), axis=call.get("dim", -1)) if part.ndim else part for part in found]


@rule("median", "kthvalue")
def _middle(arrays: TorchArrays, call: Call) -> Any:
    array = arrays.elements(call["self"])
    if call.name == "median" and "dim" not in call.values:
        values, _ = arrays.ordered(array.reshape(-1), 0, False)
        return values[(values.size - 1) // 2, ...]
    dim = call.get("dim", -1)
    values, places = arrays.ordered(array, dim, False)
    index = call["k"] - 1 if call.name == "kthvalue" else (array.shape[dim] - 1) // 2 if array.ndim else 0
    found = [numpy.take(part, [index], axis=dim) if part.ndim else part for part in (values, places)]
    return found if call.get("keepdim", False) or not array.ndim else [numpy.squeeze(part, axis=dim) for part in found]


# Products.


@rule("mm", "bmm", "mv", "dot", "vdot")
def _product(arrays: TorchArrays, call: Call) -> Any:
    left, right = (arrays.reals(value) for value in list(call.values.values())[:2])
    return arrays.product(left, right, int(call.name == "bmm"))


@rule("addmm", "baddbmm", "addmv", "addbmm")
def _added_product(arrays: TorchArrays, call: Call) -> Any:
    start, left, right = (arrays.reals(value) for value in list(call.values.values())[:3])
    dtype = call.dtype
    product = arrays.product(left, right, int("bmm" in call.name))
    if call.name == "addbmm":
        product = arrays.along("reduce_sum", product, 0, False)
    product = arrays.scaled(call.get("alpha", 1), product, dtype)
    beta = call.get("beta", 1)
    # torch does not look at what is multiplied by 0
    return product if beta == 0 else arrays.each("add", arrays.scaled(beta, start, dtype), product)


class Windows:
    """Which products a convolution adds up: triples of the places of a result, of an input and of a weight.

    A transposed convolution is the adjoint of a convolution from its result to its input, with the same weights.
    """

    def __init__(self, call: Call, x: Sequence[int], weight: Sequence[int]) -> None:
        spatial = len(weight) - 2
        stride, padding, dilation, extra = (
            (list(call[name]) * spatial)[:spatial] for name in ("stride", "padding", "dilation", "output_padding")
        )
        groups, transposed = call["groups"], call["transposed"]
        sizes = list(zip(x[2:], weight[2:], stride, padding, dilation, extra, strict=True))
        if transposed:
            ends = [(n - 1) * s - 2 * p + d * (k - 1) + e + 1 for n, k, s, p, d, e in sizes]
            self.shape = (x[0], weight[1] * groups, *ends)
            narrow, wide = tuple(x), self.shape
        else:
            ends = [(n + 2 * p - d * (k - 1) - 1) // s + 1 for n, k, s, p, d, _ in sizes]
            self.shape = (x[0], weight[0], *ends)
            narrow, wide = self.shape, tuple(x)
        per_group = weight[0] // groups
        if math.prod(narrow) * math.prod(weight[1:]) > MOST_ELEMENTS:
            raise Unsupported(f"a convolution of more than {MOST_ELEMENTS} products")
        grid = numpy.indices((narrow[0], *weight[:2], *narrow[2:], *weight[2:])).reshape(3 + 2 * spatial, -1)
        sample, output, channel = grid[:3]
        at, window = grid[3 : 3 + spatial], grid[3 + spatial :]
        where = numpy.array([at[i] * stride[i] - padding[i] + window[i] * dilation[i] for i in range(spatial)]).reshape(spatial, -1)
        inside = numpy.ones(sample.shape, bool)
        for place, size in zip(where, wide[2:], strict=True):
            inside &= (place >= 0) & (place < size)
        from_channel = output // per_group * weight[1] + channel
        narrow_places = numpy.ravel_multi_index((sample, output, *at), narrow)[inside]
        wide_places = numpy.ravel_multi_index(
            tuple(part[inside] for part in (sample, from_channel, *where)), wide
        )
        self.weights = numpy.ravel_multi_index((output, channel, *window), weight)[inside]
        self.results, self.inputs = (wide_places, narrow_places) if transposed else (narrow_places, wide_places)


@rule("convolution")
def _convolution(arrays: TorchArrays, call: Call) -> Any:
    x, weight, bias = arrays.reals(call["input"]), arrays.reals(call["weight"]), call.get("bias")
    windows = Windows(call, x.shape, weight.shape)
    found = arrays.bilinear(windows.shape, windows.results, x, windows.inputs, weight, windows.weights)
    if bias is None:
        return found
    return arrays.each("add", found, arrays.reals(bias).reshape(-1, *[1] * (found.ndim - 2)))


@rule("convolution_backward")
def _convolution_backward(arrays: TorchArrays, call: Call) -> Any:
    g, x, weight = (arrays.reals(call[name]) for name in ("grad_output", "input", "weight"))
    windows = Windows(call, x.shape, weight.shape)
    wants = call["output_mask"]
    return [
        arrays.bilinear(x.shape, windows.inputs, g, windows.results, weight, windows.weights) if wants[0] else None,
        arrays.bilinear(weight.shape, windows.weights, g, windows.results, x, windows.inputs) if wants[1] else None,
        arrays.along("reduce_sum", g, [axis for axis in range(g.ndim) if axis != 1], False) if wants[2] else None,
    ]


def _geometry(call: Call) -> tuple[int, list[int], list[int], list[int], list[int]]:
    """How many axes a pooled image has, and along each of them the size, the stride, the padding and the dilation of a window."""
    spatial = int(next(digit for digit in call.name if digit.isdigit()))
    size = call["kernel_size"]
    parts = (size, call.get("stride") or size, call.get("padding", [0]), call.get("dilation", [1]))
    whole, stride, padding, dilation = ((list(part) * spatial)[:spatial] for part in parts)
    return spatial, whole, stride, padding, dilation


def _windows(shape: Sequence[int], call: Call, outputs: Sequence[int]) -> list[list[int]]:
    """For each element of a pooled image, the places of its window."""
    spatial, size, stride, padding, dilation = _geometry(call)
    found = []
    for image in numpy.arange(math.prod(shape)).reshape(-1, *shape[-spatial:]):
        for corner in numpy.ndindex(*outputs[-spatial:]):
            window = []
            for step in numpy.ndindex(*size):
                at = [corner[i] * stride[i] - padding[i] + step[i] * dilation[i] for i in range(spatial)]
                if all(0 <= place < end for place, end in zip(at, shape[-spatial:], strict=True)):
                    window.append(int(image[tuple(at)]))
            found.append(window)
    return found


@rule("max_pool2d_with_indices", "max_pool3d_with_indices")
def _max_pool(arrays: TorchArrays, call: Call) -> Any:
    x = arrays.reals(call["self"])
    shape = _shape_of(call.found[0])
    flat = x.ravel()
    windows = _windows(x.shape, call, shape)
    image = math.prod(x.shape[-_geometry(call)[0] :])
    return _greatest_of(arrays, call, flat, windows, image, shape)


def _greatest_of(
    arrays: TorchArrays, call: Call, flat: numpy.ndarray, windows: list[list[int]], image: int, shape: tuple[int, ...]
) -> list[Any]:
    """The greatest elements of windows, and their places in an image."""
    values = arrays.shaped([arrays.folded("max", [flat[i] for i in window]) for window in windows], shape)
    if not call.is_used(1):
        return [values, None]

    def place(window: list[int]) -> Any:
        best, found = flat[window[0]], window[0] % image
        for index in window[1:]:
            better = arrays.compare("gt", flat[index], best)
            best, found = arrays.case(better, best, flat[index]), arrays.case(better, found, index % image)
        return found

    return [values, arrays.shaped([place(window) for window in windows], shape)]


@rule("max_pool2d_with_indices_backward", "max_pool3d_with_indices_backward")
def _max_pool_backward(arrays: TorchArrays, call: Call) -> Any:
    g, x, indices = arrays.reals(call["grad_output"]), call["self"], arrays.elements(call["indices"])
    shape = tuple(x.shape)
    image, windows = math.prod(shape[-_geometry(call)[0] :]), _windows(shape, call, g.shape)
    found: list[list[Any]] = [[] for _ in range(math.prod(shape))]
    zero = arrays.constant(0)
    for window, element, index in zip(windows, g.ravel(), indices.ravel(), strict=True):
        for place in window:
            is_there = arrays.compare("eq", index, place % image)
            found[place].append(arrays.case(is_there, zero, element))
    return arrays.shaped([arrays.folded("add", row) for row in found], shape)


@rule("avg_pool1d", "avg_pool2d", "avg_pool3d")
def _average_pool(arrays: TorchArrays, call: Call) -> Any:
    x = arrays.reals(call["self"])
    flat, shape = x.ravel(), _shape_of(call.found)
    windows = _windows(x.shape, call, shape)
    found = [
        arrays.real("div", {}, (arrays.folded("add", [flat[i] for i in window]), arrays.constant(count)))
        for window, count in zip(windows, _averaged(windows, x.shape, call, shape), strict=True)
    ]
    return arrays.shaped(found, shape)


@rule("avg_pool2d_backward", "avg_pool3d_backward")
def _average_pool_backward(arrays: TorchArrays, call: Call) -> Any:
    g, shape = arrays.reals(call["grad_output"]), tuple(call["self"].shape)
    found: list[list[Any]] = [[] for _ in range(math.prod(shape))]
    windows = _windows(shape, call, g.shape)
    for window, count, element in zip(windows, _averaged(windows, shape, call, g.shape), g.ravel(), strict=True):
        part = arrays.real("div", {}, (element, arrays.constant(count)))
        for place in window:
            found[place].append(part)
    return arrays.shaped([arrays.folded("add", row) for row in found], shape)


def _averaged(windows: list[list[int]], shape: Sequence[int], call: Call, outputs: Sequence[int]) -> list[int]:
    """By how much each sum of a window is divided: padding counts where nothing else is said, what lies beyond it never does."""
    divisor = call.get("divisor_override")
    if divisor is not None:
        return [divisor] * len(windows)
    if not call.get("count_include_pad", True):
        return [len(window) for window in windows]
    spatial, size, stride, padding, _ = _geometry(call)
    ends = [end + 2 * pad for end, pad in zip(shape[-spatial:], padding, strict=True)]
    counts = [
        math.prod(min(i * step + width, end) - i * step for i, step, width, end in zip(at, stride, size, ends, strict=True))
        for at in numpy.ndindex(*outputs[-spatial:])
    ]
    return counts * (len(windows) // max(1, len(counts)))


# Indices.


@rule("index_put", "_unsafe_index_put")
def _index_put(arrays: TorchArrays, call: Call) -> Any:
    array, values = arrays.operands(call, call["self"], call["values"])
    indices = call["indices"]
    masks = [x for x in indices if is_elements(x)]
    if masks:
        is_mask = len(indices) == 1 and arrays.is_mask(call, 0) and indices[0].shape == array.shape and values.size == 1
        if not is_mask or call.get("accumulate", False):
            raise Unsupported("elements are put at places that depend on x")
        return arrays.vectorised(arrays.case, arrays.truths(indices[0]), array, values.reshape(()))
    where = arrays.places_of(array, lambda places: torch.ops.aten.index.Tensor(places, list(indices)))
    found = arrays.landed_at(array, where, values, call.get("accumulate", False))
    if call.get("accumulate", False):
        return arrays.shaped([arrays.folded("add", row) for row in found], array.shape)
    return arrays.shaped([row[-1] for row in found], array.shape)


@rule("scatter", "scatter_add", "scatter_reduce")
def _scattered(arrays: TorchArrays, call: Call) -> Any:
    (array,) = arrays.operands(call, call["self"])
    index, dim = call["index"], call["dim"]
    source = call["src"] if "src" in call.values else call["value"]
    (source,) = arrays.operands(call, source)
    if is_elements(index):
        return _scattered_by_cases(arrays, call, array, index, source)
    where = arrays.places_of(array, lambda places: torch.gather(places, dim, index))
    if source.ndim:
        source = source[tuple(slice(size) for size in index.shape)]
    reduce = "sum" if call.name == "scatter_add" else call.get("reduce")
    return _combined(arrays, array, where, source, reduce, call.get("include_self", True))


def _scattered_by_cases(arrays: TorchArrays, call: Call, array: numpy.ndarray, index: numpy.ndarray, source: numpy.ndarray) -> Any:
    """Elements that are put or added at places which depend on conditions: each place asks whether it is one of them."""
    reduce = "sum" if call.name == "scatter_add" else call.get("reduce")
    if reduce not in (None, "sum", "add"):
        raise Unsupported("elements are combined at places that depend on x")
    if array.size * index.size > MOST_ELEMENTS:
        raise Unsupported(f"{index.size} elements at places that depend on x, of {array.size}")
    if not array.ndim:
        array, index, source = array.reshape(1), index.reshape(1), source.reshape(1)
    dim = call["dim"] % array.ndim
    found, zero = array.copy(), arrays.constant(0)
    source = numpy.broadcast_to(source, index.shape) if not source.ndim else source
    for at in numpy.ndindex(index.shape):
        for candidate in _cases(index[at]):
            place = (*at[:dim], candidate, *at[dim + 1 :])
            is_there = arrays.compare("eq", index[at], candidate) if not isinstance(index[at], int) else True
            if reduce is None:
                found[place] = arrays.case(is_there, found[place], source[at])
            else:
                found[place] = arrays.element("add", {}, (found[place], arrays.case(is_there, zero, source[at])))
    return found.reshape(call["self"].shape)


def _cases(index: Any) -> list[int]:
    """The whole numbers that an index may be."""
    if isinstance(index, Choice):
        return sorted({*_cases(index.then), *_cases(index.otherwise)})
    if isinstance(index, (Real, Guard)):
        raise Unsupported("a place that depends on x by rounding")
    return [int(index)]


def _combined(
    arrays: TorchArrays, array: numpy.ndarray, where: numpy.ndarray, source: numpy.ndarray, reduce: str | None, keeps: bool
) -> numpy.ndarray:
    """An array with the elements of another, put at places or combined with what is there."""
    found = arrays.landed_at(array, where, source, keeps and reduce is not None)
    if reduce is None:
        return arrays.shaped([row[-1] for row in found], array.shape)
    name = {"sum": "add", "add": "add", "prod": "mul", "multiply": "mul", "amax": "max", "amin": "min", "mean": "add"}[reduce]
    folded = [arrays.folded(name, row) for row in found]
    if reduce == "mean":
        folded = [arrays.real("div", {}, (x, arrays.constant(len(row)))) for x, row in zip(folded, found, strict=True)]
    return arrays.shaped(folded, array.shape)


@rule("index_add", "index_reduce", "index_fill")
def _index_combined(arrays: TorchArrays, call: Call) -> Any:
    (array,) = arrays.operands(call, call["self"])
    index = call["index"]
    if is_elements(index):
        raise Unsupported("elements are combined at places that depend on x")
    where = arrays.places_of(array, lambda places: torch.index_select(places, call["dim"], index))
    (source,) = arrays.operands(call, call["value"] if call.name == "index_fill" else call["source"])
    if call.get("alpha", 1) != 1:
        source = arrays.scaled(call["alpha"], source, call.dtype)
    reduce = {"index_add": "sum", "index_fill": None}.get(call.name, call.get("reduce"))
    return _combined(arrays, array, where, source, reduce, call.get("include_self", True))


@rule("native_dropout")
def _dropout(arrays: TorchArrays, call: Call) -> Any:
    if call.get("train", True) and call["p"] != 0:
        raise Unsupported("it draws random numbers inside one operation")
    x = arrays.reals(call["input"])
    return [x, torch.ones(x.shape, dtype=torch.bool)]


# Linear algebra.


def _factors(arrays: TorchArrays, array: numpy.ndarray, shape: Sequence[int]) -> tuple[numpy.ndarray, torch.Tensor]:
    """L and U in one matrix, and the rows that are exchanged, from 1, as torch has them."""
    found = [arrays.linear.lu(matrix) for matrix in arrays.matrices(array)]
    pivots = torch.tensor([[place + 1 for place in exchanged] for _, exchanged in found], dtype=torch.int32)
    return arrays.stacked_nodes([rows for rows, _ in found], shape), pivots.reshape(*shape[:-2], min(shape[-2:]))


@rule("_linalg_det", "_linalg_slogdet")
def _det(arrays: TorchArrays, call: Call) -> Any:
    a = arrays.reals(call["A"])
    found = arrays.stacked_nodes([arrays.linear.determinant(matrix) for matrix in arrays.matrices(a)], a.shape[:-2])
    values = [found] if call.name == "_linalg_det" else [arrays.each("sign", found), arrays.each("log", arrays.each("abs", found))]
    is_used = any(call.is_used(index) for index in (len(values), len(values) + 1))
    if not is_used:
        return [*values, None, None]
    # LAPACK has matrices column by column, so torch factorises the transpose of what lies row by row
    factorised = numpy.swapaxes(a, -1, -2) if call.is_row_major("A") else a
    return [*values, *_factors(arrays, factorised, a.shape)]


@rule("linalg_lu_factor_ex", "linalg_lu")
def _lu(arrays: TorchArrays, call: Call) -> Any:
    a = arrays.reals(call["A"])
    if not call.get("pivot", True):
        raise Unsupported("the factors of a matrix without pivots")
    factors, pivots = _factors(arrays, a, a.shape)
    if call.name == "linalg_lu_factor_ex":
        return [factors, pivots, torch.zeros(a.shape[:-2], dtype=torch.int32)]
    return _unpacked(arrays, factors, pivots)


def _unpacked(arrays: TorchArrays, factors: numpy.ndarray, pivots: torch.Tensor) -> list[Any]:
    """The permutation, and L and U apart: torch says where the elements go."""
    height, width = factors.shape[-2:]
    size = min(height, width)
    exchanges = torch.ops.aten.lu_unpack.default(torch.zeros(factors.shape, dtype=torch.float64), pivots)[0]
    lower, upper = numpy.array(factors[..., :size]), numpy.array(factors[..., :size, :])
    for at in numpy.ndindex(lower.shape):
        if at[-1] >= at[-2]:
            lower[at] = arrays.constant(int(at[-1] == at[-2]))
    for at in numpy.ndindex(upper.shape):
        if at[-1] < at[-2]:
            upper[at] = arrays.constant(0)
    return [arrays.elements(exchanges), lower, upper]


@rule("lu_unpack")
def _lu_unpack(arrays: TorchArrays, call: Call) -> Any:
    if is_elements(call["LU_pivots"]):
        raise Unsupported("pivots that depend on x")
    found = _unpacked(arrays, arrays.reals(call["LU_data"]), call["LU_pivots"])
    # what is not asked for is empty
    return [part if math.prod(_shape_of(fake)) else torch.empty(0) for part, fake in zip(found, call.found, strict=True)]


@rule("linalg_lu_solve")
def _lu_solved(arrays: TorchArrays, call: Call) -> Any:
    """The solutions of systems of the matrix of which there are the factors: that of P·L·U."""
    if is_elements(call["pivots"]):
        raise Unsupported("pivots that depend on x")
    exchanges, lower, upper = _unpacked(arrays, arrays.reals(call["LU"]), call["pivots"])
    b, linear = arrays.reals(call["B"]), arrays.linear
    found = []
    for p, l, u, sides in _together(arrays, b, exchanges, lower, upper):
        turns = call.get("adjoint", False) == call.get("left", True)
        sides = sides if call.get("left", True) else _transposed(sides)
        if not turns:
            sides = [[sides[[linear.one == x for x in column].index(True)][k] for k in range(len(sides[0]))] for column in zip(*p, strict=True)]
            solved = linear.solved_triangular(u, linear.solved_triangular(l, sides, lower=True, is_unit=True), lower=False)
        else:
            solved = linear.solved_triangular(_transposed(u), sides, lower=True)
            solved = linear.solved_triangular(_transposed(l), solved, lower=False, is_unit=True)
            solved = [solved[[linear.one == x for x in row].index(True)] for row in p]
        found.append(solved if call.get("left", True) else _transposed(solved))
    return arrays.stacked_nodes(found, _shape_of(call.found))


def _transposed(rows: list[list[int]]) -> list[list[int]]:
    return [list(column) for column in zip(*rows, strict=True)]


def _together(arrays: TorchArrays, sides: numpy.ndarray, *parts: numpy.ndarray) -> Iterable[tuple[Any, ...]]:
    """The matrices of several stacks and right sides of systems, one stack of all of them broadcast."""
    stacks = numpy.broadcast_shapes(sides.shape[:-2], *(part.shape[:-2] for part in parts))
    every = [numpy.broadcast_to(part, (*stacks, *part.shape[-2:])) for part in (*parts, sides)]
    return zip(*(arrays.matrices(part) for part in every), strict=True)


@rule("linalg_inv_ex")
def _inverted(arrays: TorchArrays, call: Call) -> Any:
    a = arrays.reals(call["A"])
    found = arrays.stacked_nodes([arrays.linear.inverse(matrix) for matrix in arrays.matrices(a)], a.shape)
    return [found, torch.zeros(a.shape[:-2], dtype=torch.int32)]


@rule("_linalg_solve_ex")
def _solved(arrays: TorchArrays, call: Call) -> Any:
    a, b = arrays.reals(call["A"]), arrays.reals(call["B"])
    left, shape = call.get("left", True), _shape_of(call.found[0])
    is_vector = b.ndim == 1 or (b.ndim == a.ndim - 1 and b.shape == a.shape[:-1])
    found = []
    for matrix, sides in _together(arrays, b[..., None] if is_vector else b, a):
        solved = arrays.linear.solved(matrix if left else _transposed(matrix), sides if left else _transposed(sides))
        found.append(solved if left else _transposed(solved))
    is_used = call.is_used(1) or call.is_used(2)
    factors = _factors(arrays, a, a.shape) if is_used else (None, None)
    return [arrays.stacked_nodes(found, shape), *factors, torch.zeros(a.shape[:-2], dtype=torch.int32)]


@rule("linalg_cholesky_ex", "cholesky")
def _cholesky(arrays: TorchArrays, call: Call) -> Any:
    a, upper, found = arrays.reals(call["self"]), call.get("upper", False), []
    for matrix in arrays.matrices(a):
        # torch reads one half of the matrix
        lower = arrays.linear.cholesky(_transposed(matrix) if upper else matrix)
        found.append(_transposed(lower) if upper else lower)
    value = arrays.stacked_nodes(found, a.shape)
    return value if call.name == "cholesky" else [value, torch.zeros(a.shape[:-2], dtype=torch.int32)]


@rule("cholesky_solve", "cholesky_inverse")
def _cholesky_solved(arrays: TorchArrays, call: Call) -> Any:
    factor, b = (call["self"], None) if call.name == "cholesky_inverse" else (call["input2"], call["self"])
    a, upper, linear = arrays.reals(factor), call.get("upper", False), arrays.linear
    found = []
    for matrix, sides in _together(arrays, arrays.reals(torch.eye(a.shape[-1], dtype=torch.float64) if b is None else b), a):
        lower = _transposed(matrix) if upper else matrix
        solved = linear.solved_triangular(lower, sides, lower=True)
        found.append(linear.solved_triangular(_transposed(lower), solved, lower=False))
    return arrays.stacked_nodes(found, _shape_of(call.found))


@rule("linalg_solve_triangular", "triangular_solve")
def _solved_triangular(arrays: TorchArrays, call: Call) -> Any:
    if call.name == "triangular_solve":
        a, b, left, turns, is_unit = call["A"], call["self"], True, call.get("transpose", False), call.get("unitriangular", False)
    else:
        a, b, left, turns, is_unit = call["self"], call["B"], call.get("left", True), False, call.get("unitriangular", False)
    a, b, lower = arrays.reals(a), arrays.reals(b), not call["upper"]
    # x·A = b is Aᵀ·xᵀ = bᵀ
    turns = turns == left
    found = []
    for matrix, sides in _together(arrays, b, a):
        given = sides if left else _transposed(sides)
        solved = arrays.linear.solved_triangular(_transposed(matrix) if turns else matrix, given, lower != turns, is_unit)
        found.append(solved if left else _transposed(solved))
    value = arrays.stacked_nodes(found, _shape_of(call.found[0] if call.name == "triangular_solve" else call.found))
    return [value, a] if call.name == "triangular_solve" else value


@rule("linalg_pinv")
def _pseudoinverse(arrays: TorchArrays, call: Call) -> Any:
    """(AᵀA)⁻¹Aᵀ or Aᵀ(AAᵀ)⁻¹ where the rank is full at x, and so nearby."""
    a, linear = arrays.reals(call["self"]), arrays.linear
    found = []
    for matrix in arrays.matrices(a):
        is_tall = len(matrix) >= len(matrix[0])
        rows = matrix if not is_tall else _transposed(matrix)
        square = [[arrays.graph.dot(x, y) for y in rows] for x in rows]
        solved = linear.eliminated(square, rows)[1]
        found.append(solved if is_tall else _transposed(solved))
    return arrays.stacked_nodes(found, _shape_of(call.found))


@rule("linalg_qr")
def _qr(arrays: TorchArrays, call: Call) -> Any:
    a, mode = arrays.reals(call["A"]), call.get("mode", "reduced")
    pairs = [arrays.linear.qr(matrix, mode == "complete") for matrix in arrays.matrices(a)]
    shapes = [_shape_of(part) for part in call.found]
    q = torch.zeros(shapes[0]) if mode == "r" else arrays.stacked_nodes([pair[0] for pair in pairs], shapes[0])
    return [q, arrays.stacked_nodes([pair[1] for pair in pairs], shapes[1])]


def _at_x(arrays: TorchArrays, array: numpy.ndarray, dtype: torch.dtype) -> numpy.ndarray:
    """A stack of matrices at x, nearly."""
    return arrays.numbers_at_x(array, _numpy_type(dtype)).reshape(-1, *array.shape[-2:])


@rule("_linalg_eigh")
def _eigh(arrays: TorchArrays, call: Call) -> Any:
    a, is_upper = arrays.reals(call["A"]), call.get("UPLO", "L").upper() == "U"

    def factors(matrix: numpy.ndarray) -> tuple[numpy.ndarray, ...]:
        # the signs of the vectors are those that torch has
        return tuple(map(numbers_of, call.target(torch.from_numpy(matrix).to(call.dtype), call.get("UPLO", "L"), True)))

    found = []
    for matrix, numbers in zip(arrays.matrices(a), _at_x(arrays, a, call.dtype), strict=True):
        (values, vectors), signed = with_signs(factors, numbers)
        found.append(arrays.linear.eigen(_transposed(matrix) if is_upper else matrix, values, vectors, signed))
    columns = arrays.stacked_nodes([_transposed(pair[1]) for pair in found], a.shape) if call.get("compute_v", True) else None
    return [arrays.stacked_nodes([pair[0] for pair in found], a.shape[:-1]), columns]


@rule("_linalg_svd")
def _svd(arrays: TorchArrays, call: Call) -> Any:
    a, shapes = arrays.reals(call["A"]), [_shape_of(part) for part in call.found]
    count = min(a.shape[-2:])

    def factors(matrix: numpy.ndarray) -> tuple[numpy.ndarray, ...]:
        left, values, right = map(numbers_of, call.target(torch.from_numpy(matrix).to(call.dtype), call.get("full_matrices", False), True))
        return values, numpy.concatenate([left[:, :count], right.T[:, :count]])

    found = []
    for matrix, numbers in zip(arrays.matrices(a), _at_x(arrays, a, call.dtype), strict=True):
        (values, pairs), signed = with_signs(factors, numbers)
        found.append(arrays.linear.singular(matrix, values, pairs[: a.shape[-2]], pairs[a.shape[-2] :], signed))
    singular = arrays.stacked_nodes([one[0] for one in found], shapes[1])
    if not call.get("compute_uv", True):
        return [None, singular, None]
    free = arrays.graph.add("refused", "singular vectors beyond the singular values, which are not determined")
    us = [[[*row, *[free] * (shapes[0][-1] - len(row))] for row in _transposed(u)] for _, u, _ in found]
    vs = [[*v, *[[free] * a.shape[-1]] * (shapes[2][-2] - len(v))] for _, _, v in found]
    return [arrays.stacked_nodes(us, shapes[0]), singular, arrays.stacked_nodes(vs, shapes[2])]


# Complex numbers.

COMPLEX = {
    "mul": "mul", "neg": "neg", "exp": "exp", "square": "square", "abs": "abs", "real": "real", "imag": "imag", "sgn": "sgn",
    "angle": "angle", "complex": "complex", "polar": "polar", "_conj": "conj", "_conj_physical": "conj", "conj_physical": "conj",
    "_neg_view": "neg",
}  # fmt: skip
"""Operations on complex numbers, element by element, by their names in torch and here."""
SAME = {*IDENTITIES, "copy", "_to_copy", "to", "convert_element_type"}
TRANSFORMS = {"_fft_r2c", "_fft_c2r", "_fft_c2c"}


def _complex(arrays: TorchArrays, call: Call) -> Any:
    """An operation with complex numbers, as pairs of real ones."""
    name, numbers, values = call.name, arrays.complex, list(call.values.values())

    def pairs(value: Any) -> numpy.ndarray:
        if isinstance(value, complex):
            value = torch.tensor(value, dtype=torch.complex128)
        return arrays.vectorised(numbers.pair, arrays.elements(value))

    def each(operation: str, *operands: Any, **params: Any) -> numpy.ndarray:
        return arrays.vectorised(numbers.operation(operation, params), *map(pairs, operands))

    if name in TRANSFORMS:
        return _transformed(arrays, call, pairs(values[0]))
    if name in COMPLEX:
        return each(COMPLEX[name], *values[: 2 if name in ("mul", "complex", "polar") else 1])
    if name in SAME:
        found = pairs(call["src"] if name == "copy" else values[0])
        # as a real number torch takes the real part
        return numpy.broadcast_to(found, _shape_of(call.found)).copy() if call.dtype.is_complex else each("real", found)
    if name in ("add", "sub") or (name == "div" and call.get("rounding_mode") is None):
        other = call["other"] if call.get("alpha", 1) == 1 else each("mul", call["other"], call["alpha"])
        return each(name, call["self"], other)
    if name == "reciprocal":
        return each("div", 1, call["self"])
    if name == "pow" and isinstance(call["exponent"], int):
        return each("integer_pow", call["self"], y=call["exponent"])
    if name in ("where", "masked_fill"):
        condition, then, otherwise = values if name == "where" else (call["mask"], call["value"], call["self"])
        return arrays.vectorised(arrays.case, arrays.truths(condition), pairs(otherwise), pairs(then))
    if name in ("sum", "mean"):
        found, dim = pairs(call["self"]), call.get("dim")
        total = arrays.along("reduce_sum", found, dim, call.get("keepdim", False))
        return total if name == "sum" else each("mul", total, arrays.shaped([arrays.constant(Fraction(1, arrays.count(found, dim)))], ()))
    if name == "view_as_real":
        parts = [each(part, call["self"]) for part in ("real", "imag")]
        return numpy.stack(parts, axis=-1)
    if name == "view_as_complex":
        array = arrays.reals(call["self"])
        return each("complex", array[..., 0], array[..., 1])
    raise Unsupported("complex numbers")


def _transformed(arrays: TorchArrays, call: Call, found: numpy.ndarray) -> numpy.ndarray:
    """Fourier's transform along some axes, of which real numbers have half of the last."""
    name, numbers, axes = call.name, arrays.complex, [axis % found.ndim for axis in call["dim"]]
    sign = 1 if name == "_fft_c2r" or (name == "_fft_c2c" and not call["forward"]) else -1
    counted = 1
    for axis in axes:
        is_half, moved, rows = axis == axes[-1], numpy.moveaxis(found, axis, -1), []
        for row in moved.reshape(-1, moved.shape[-1]):
            whole = numbers.whole_spectrum(list(row), call["last_dim_size"]) if name == "_fft_c2r" and is_half else list(row)
            rows.append(numbers.transformed(whole, sign))
        length = len(rows[0]) if rows else 1
        counted *= length
        kept = length // 2 + 1 if name == "_fft_r2c" and is_half and call["onesided"] else length
        found = numpy.moveaxis(arrays.shaped([x for row in rows for x in row[:kept]], (*moved.shape[:-1], kept)), -1, axis)
    if call["normalization"]:
        # by the root of the count, or by it
        scaled = numbers.scaled(found.ravel().tolist(), Fraction(1, counted), call["normalization"] == 1)
        found = arrays.shaped(scaled, found.shape)
    return arrays.vectorised(lambda x: Real(x.real), found) if name == "_fft_c2r" else found


# Others.


@rule("_trilinear")
def _trilinear(arrays: TorchArrays, call: Call) -> Any:
    parts = []
    for number in ("1", "2", "3"):
        part = arrays.reals(call[f"i{number}"])
        for axis in sorted(call[f"expand{number}"]):
            part = numpy.expand_dims(part, axis)
        parts.append(part)
    return arrays.along("reduce_sum", arrays.each("mul", arrays.each("mul", parts[0], parts[1]), parts[2]), call["sumdim"], False)


@rule("_cdist_forward", "_pdist_forward")
def _distances(arrays: TorchArrays, call: Call) -> Any:
    if call.name == "_cdist_forward":
        differences = arrays.each("sub", arrays.reals(call["x1"])[..., :, None, :], arrays.reals(call["x2"])[..., None, :, :])
    else:
        x = arrays.reals(call["self"])
        first, second = numpy.triu_indices(len(x), 1)
        differences = arrays.each("sub", x[first], x[second])
    return _normed(arrays, differences, call["p"], -1, False)


@rule("put")
def _put(arrays: TorchArrays, call: Call) -> Any:
    array, source = arrays.operands(call, call["self"], call["source"])
    if is_elements(call["index"]):
        raise Unsupported("elements are put at places that depend on x")
    where = arrays.places_of(array, lambda places: torch.take(places, call["index"]))
    return _combined(arrays, array, where, source.reshape(where.shape), "sum" if call.get("accumulate", False) else None, True)


@rule("_embedding_bag", "_embedding_bag_forward_only")
def _bags(arrays: TorchArrays, call: Call) -> Any:
    weight, indices, mode = arrays.reals(call["weight"]), call["indices"], call.get("mode", 0)
    ends = [*call["offsets"].tolist(), len(indices)]
    if call.get("include_last_offset", False):
        ends = ends[:-1]
    factors = call.get("per_sample_weights")
    factors = None if factors is None else arrays.reals(factors)
    if mode == 2 and any(call.is_used(index) for index in (1, 2, 3)):
        raise Unsupported("the places of the greatest elements of bags")
    # which element is in which bag, and how many a bag has
    told = call.target(torch.zeros(weight.shape), *call.arguments[1:], **call.options)[1:]
    rows = []
    for first, last in itertools.pairwise(ends):
        places = [(i, at) for i, at in enumerate(indices.tolist()[first:last], start=first) if at != call.get("padding_idx", -1)]
        for column in range(weight.shape[1]):
            parts = [weight[at, column] if factors is None else arrays.real("mul", {}, (factors[i], weight[at, column])) for i, at in places]
            found = arrays.folded("max" if mode == 2 and parts else "add", parts)
            rows.append(arrays.real("div", {}, (found, arrays.constant(len(parts)))) if mode == 1 and parts else found)
    return [arrays.shaped(rows, (len(ends) - 1, weight.shape[1])), *told]


@rule("_embedding_bag_backward")
def _bags_backward(arrays: TorchArrays, call: Call) -> Any:
    if call["mode"] == 2 or call.get("per_sample_weights") is not None:
        raise Unsupported("the derivative of the greatest, or of weighted, elements of bags")
    g, bags, sizes = arrays.reals(call["grad"]), call["offset2bag"].tolist(), call["bag_size"].tolist()
    found: dict[tuple[int, int], list[Any]] = {}
    for at, bag in zip(call["indices"].tolist(), bags, strict=True):
        if at != call.get("padding_idx", -1):
            for column in range(g.shape[1]):
                part = arrays.real("div", {}, (g[bag, column], arrays.constant(sizes[bag]))) if call["mode"] == 1 else g[bag, column]
                found.setdefault((at, column), []).append(part)
    shape = (call["num_weights"], g.shape[1])
    return arrays.shaped([arrays.folded("add", found.get(at, [])) for at in numpy.ndindex(shape)], shape)


@rule("adaptive_max_pool2d", "adaptive_max_pool3d")
def _adaptive_max_pool(arrays: TorchArrays, call: Call) -> Any:
    x, sizes = arrays.reals(call["self"]), call["output_size"]
    flat, ends, shape = x.ravel(), x.shape[-len(sizes) :], _shape_of(call.found[0])
    windows = []
    for image in numpy.arange(x.size).reshape(-1, *ends):
        for at in numpy.ndindex(*sizes):
            window = tuple(slice(i * end // size, -((i + 1) * end // -size)) for i, size, end in zip(at, sizes, ends, strict=True))
            windows.append([int(place) for place in image[window].ravel()])
    return _greatest_of(arrays, call, flat, windows, math.prod(ends), shape)


@rule("adaptive_max_pool2d_backward", "adaptive_max_pool3d_backward")
def _adaptive_max_pool_backward(arrays: TorchArrays, call: Call) -> Any:
    g, indices, shape = arrays.reals(call["grad_output"]), arrays.elements(call["indices"]), tuple(call["self"].shape)
    spatial = int(next(digit for digit in call.name if digit.isdigit()))
    image, outputs = math.prod(shape[-spatial:]), math.prod(g.shape[-spatial:])
    found: list[list[Any]] = [[] for _ in range(math.prod(shape))]
    zero = arrays.constant(0)
    for number, (element, index) in enumerate(zip(g.ravel(), indices.ravel(), strict=True)):
        for candidate in _cases(index):
            is_there = arrays.compare("eq", index, candidate) if isinstance(index, Choice) else True
            found[number // outputs * image + candidate].append(arrays.case(is_there, zero, element))
    return arrays.shaped([arrays.folded("add", row) for row in found], shape)


@rule(*[f"{name}_backward" for name in (
    "reflection_pad1d", "reflection_pad2d", "reflection_pad3d", "replication_pad1d", "replication_pad2d", "replication_pad3d",
    "upsample_nearest1d", "upsample_nearest2d", "upsample_nearest3d", "upsample_linear1d", "upsample_bilinear2d", "upsample_bicubic2d",
    "upsample_trilinear3d", "_upsample_nearest_exact1d", "_upsample_nearest_exact2d", "_adaptive_avg_pool2d", "_adaptive_avg_pool3d",
)])  # fmt: skip
def _adjoint(arrays: TorchArrays, call: Call) -> Any:
    """The adjoint of a linear operation, whose matrix torch computes."""
    g, values = arrays.reals(call["grad_output"]), call.values
    shape = tuple(values["input_size"] if "input_size" in values else values["self"].shape)
    count = math.prod(shape)
    if count * g.size > MOST_ELEMENTS:
        raise Unsupported(f"the adjoint of an operation from {count} numbers to {g.size}")
    rest = [value for name, value in values.items() if name not in ("grad_output", "self", "input_size")]
    if "adaptive" in call.name:
        rest = [list(g.shape[-2:] if "2d" in call.name else g.shape[-3:])]
    forward = getattr(torch.ops.aten, call.name.removesuffix("_backward")).default
    matrix = [forward(row.reshape(shape), *rest).reshape(-1) for row in torch.eye(count, dtype=torch.float64)]
    gs = [arrays.node(element) for element in g.ravel()]
    rows = []
    for row in matrix:
        places = torch.nonzero(row).reshape(-1).tolist()
        rows.append(Real(arrays.graph.dot([gs[i] for i in places], [arrays.graph.number(row[i]) for i in places])))
    return arrays.shaped(rows, shape)


@rule("softshrink_backward", "hardshrink_backward")
def _shrunk_backward(arrays: TorchArrays, call: Call) -> Any:
    g, x, bound = arrays.operands(call, *list(call.values.values())[:3])
    inside = arrays.vectorised(lambda a, b: arrays.compare("le", a, b), arrays.each("abs", x), bound)
    return arrays.vectorised(lambda where, a: arrays.case(where, a, arrays.constant(0)), inside, g)


@rule("threshold_backward")
def _threshold_backward(arrays: TorchArrays, call: Call) -> Any:
    g, x, bound = arrays.operands(call, *list(call.values.values())[:3])
    return arrays.vectorised(lambda a, b, c: arrays.case(arrays.compare("le", b, c), a, arrays.constant(0)), g, x, bound)


# What needs no decomposition.
KNOWN = {*RULES, *MOVES, *IDENTITIES, *MAKERS, *EMPTY, *TRANSFORMS}
