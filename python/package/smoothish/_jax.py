"""Functions of JAX as Functions: what a jaxpr says, as real numbers."""

from __future__ import annotations

import itertools
import re
import time
from fractions import Fraction
from typing import TYPE_CHECKING, Any, Literal

import numpy

from ._elements import COMPARISONS, Guard, Real, Unsupported
from ._equations import OWN, JaxArrays, concrete
from ._errors import LimitError, UnsupportedError
from ._forms import Special
from ._forms import function as written
from ._graph import FORMATS, MOST_NODES, MOST_OPERANDS, Graph, TooLarge, TooLong, format_of
from ._linear import MOST_ROWS
from ._point import AroundPoint, AtPoint
from ._values import unmasked

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from ._smoothish import Function

# Iterations of loops, all in all.
MOST_STEPS = 100_000
# Rounds of loops that are decided by conditions on x, and how narrowly these are enclosed.
MOST_DECISIONS = 1_000
DECIDED = "1e-12"
# Coordinates of a point that a note spells out.
MOST_SHOWN = 8

TOO_LARGE = f"the function has more than {MOST_NODES} operations and constants, or these have more than {MOST_OPERANDS} operands"

CALLS = {
    "jit", "pjit", "closed_call", "core_call", "call", "remat", "remat2", "checkpoint",
    "custom_jvp_call", "custom_vjp_call", "custom_vjp_call_jaxpr", "custom_lin",
}  # fmt: skip
BODIES = ("jaxpr", "call_jaxpr", "fun_jaxpr")


def from_jax(
    f: Callable[[Any], Any], x: Any, *, stop_gradient: Literal["identity", "constant"] = "identity"
) -> Function:
    """The Function that a function of JAX is, as a map of real numbers, traced at x.

    `x` and the value are arrays or trees of arrays; the coordinates of the Function are their entries, one after another. Types and
    shapes are those that JAX finds, and what depends on no argument is what it is at the trace: constants are the exact numbers of
    their types, `float32` included, and operations on them are those of real numbers. So nothing is rounded.

    A comparison is a choice that is undefined on its border. A custom rule is left out: what is translated is the function that it is
    for. `stop_gradient` is the identity, or `'constant'`: its value at `x`. What was done is listed in the `notes` of the Function.

    A `while` loop whose length depends on `x` has as many rounds as at `x`, and the Function no value where it has others.
    What has no meaning here, such as a callback or an index that depends on `x` by rounding, is an UnsupportedError that names it, with its place.

    >>> import jax.numpy as jnp
    >>> f = smoothish.from_jax(lambda x: jnp.sum(jnp.where(x > 0, jnp.sqrt(x), 0.0)), jnp.ones(2, 'float32'))
    >>> f.gradient([4.0, -1.0]).lo.round(6).tolist()
    [0.25, 0.0]
    >>> f.notes
    ('x is traced at (1, 1), float32',)
    """
    if stop_gradient not in ("identity", "constant"):
        raise ValueError(f"stop_gradient is 'identity' or 'constant', not {stop_gradient!r}")
    import jax

    leaves, tree = jax.tree_util.tree_flatten(x)
    unmasked(leaves)
    arrays = [jax.numpy.asarray(leaf) for leaf in leaves]
    closed = jax.make_jaxpr(lambda *parts: f(jax.tree_util.tree_unflatten(tree, parts)))(*arrays)
    translation = Translation(arrays, stop_gradient == "constant", leaves)
    outputs = translation.outputs(closed)
    name, notes = getattr(f, "__name__", None), list(translation.notes)
    try:
        return written(translation.graph, len(translation.point), outputs, name, notes)
    except Special as special:
        raise UnsupportedError(f"the value rests on the constant {special}, which is no real number") from None


class Translation:
    """One jaxpr on its way."""

    def __init__(
        self,
        arrays: list[Any],
        stops: bool,
        given: list[Any] | None = None,
        timeout: float | None = None,
        rounds: bool = False,
    ) -> None:
        self.arrays = JaxArrays(Graph(rounds))
        self.graph = self.arrays.graph
        if timeout is not None:
            self.graph.deadline = time.monotonic() + timeout
        self.stops = stops
        self.steps = 0
        self.decisions = 0
        # where loops have as many rounds as at x
        self.valid = self.graph.truth(True)
        self.notes: dict[str, None] = {}
        self.calls: list[tuple[str, str]] = []
        self.inputs: list[Any] = []
        self.point: list[Fraction] = []
        self.at_point = self.arrays.at_point = AtPoint(self.graph, self.point)
        self.around = AroundPoint(self.graph, self.point)
        # whether values are stopped on the way to a derivative
        self.has_stops = False
        self.arrays.fits = self.fits
        # the largest number of the types of x
        self.largest = Fraction(0)
        if sum(array.size for array in arrays) > MOST_NODES:
            raise UnsupportedError(TOO_LARGE)
        import jax

        for place, array in enumerate(arrays):
            kind = numpy.asarray(array)
            if kind.dtype.kind not in "f" and str(kind.dtype) != "bfloat16":
                raise UnsupportedError(f"x has an array of {kind.dtype}; a map has real arguments, floats all of them")
            values = numpy.asarray(kind, dtype=numpy.float64)
            largest = Fraction(float(jax.numpy.finfo(kind.dtype).max))
            self.largest = min(self.largest or largest, largest)
            before = values if given is None else numpy.asarray(given[place], dtype=numpy.float64)
            if not numpy.isfinite(values).all():
                lost = " there; enable x64, or scale it" if numpy.isfinite(before).all() else ""
                raise ValueError(f"x is no point in {kind.dtype}: a coordinate is infinite or NaN{lost}")
            first = len(self.point)
            self.point += [Fraction(float(value)) for value in values.ravel()]
            variables = [Real(self.graph.variable(index)) for index in range(first, len(self.point))]
            self.inputs.append(self.arrays.shaped(variables, kind.shape))
            if values.size <= MOST_SHOWN:
                written = ", ".join(str(q) for q in self.point[first:])
                self.note(f"x is traced at ({written}), {kind.dtype}")
            if not numpy.array_equal(before, values):
                self.note(f"JAX has rounded x to {kind.dtype}: what is judged is the point after that")

    def fits(self, node: int) -> bool:
        """Whether a node and all that it rests on are seen to have values near x, no larger than the numbers of x can be."""
        return self.around.fits(node, self.largest)

    def note(self, text: str) -> None:
        self.notes[text] = None

    def outputs(self, closed: Any) -> list[int]:
        """The nodes of the value."""
        outputs: list[int] = []
        for value, variable in zip(
            self.run(closed.jaxpr, closed.consts, self.inputs), closed.jaxpr.outvars, strict=True
        ):
            if getattr(variable.aval.dtype, "kind", "c") == "c":
                raise UnsupportedError("the value is complex")
            nodes = [self.arrays.node(element) for element in self.arrays.lifted(value).ravel()]
            elsewhere = self.graph.add("refused", "a `while` loop has other rounds there than at x")
            outputs += [self.graph.select(self.valid, node, elsewhere) for node in nodes]
        if not outputs:
            raise UnsupportedError("the function has no value")
        return outputs

    def run(self, jaxpr: Any, consts: Any, arguments: list[Any]) -> list[Any]:
        """The values of a jaxpr."""
        values: dict[Any, Any] = {}

        def read(atom: Any) -> Any:
            return concrete(atom.val) if hasattr(atom, "val") else values[atom]

        for variable, constant in zip(jaxpr.constvars, consts, strict=True):
            values[variable] = constant if isinstance(constant, numpy.ndarray) else concrete(constant)
        for variable, argument in zip(jaxpr.invars, arguments, strict=True):
            values[variable] = argument
        for equation in jaxpr.eqns:
            self.graph.origin, self.graph.dtype = equation, _format_of(equation)
            self.arrays.only_solves = equation.primitive.name == "lu" and _only_solves(jaxpr, equation)
            try:
                found = self.equation(equation, [read(atom) for atom in equation.invars])
            except Unsupported as error:
                raise UnsupportedError(f"{error} (at {self.place(equation)})") from None
            except TooLarge:
                raise UnsupportedError(f"{TOO_LARGE} (at {self.place(equation)})") from None
            except TooLong:
                message = "the time was up before the function was translated; give more of it by timeout="
                raise LimitError(f"{message} (at {self.place(equation)})") from None
            except (UnsupportedError, LimitError):
                raise
            except Exception as error:
                name = equation.primitive.name
                raise UnsupportedError(f"`{name}`: {type(error).__name__}: {error} (at {self.place(equation)})") from error
            for variable, value in zip(equation.outvars, found, strict=True):
                values[variable] = value
        return [read(atom) for atom in jaxpr.outvars]

    def place(self, equation: Any) -> str:
        """Where an equation comes from, as far as JAX knows."""
        try:
            from jax._src import source_info_util

            place = source_info_util.summarize(equation.source_info)
        except Exception:  # noqa: BLE001 - a place is worth no failure
            place = ""
        calls = list(reversed(self.calls))
        place = next((text for text in (place, *(text for _, text in calls)) if text), "a place that JAX does not tell")
        return " in ".join([place, *(f"`{call}`" for call, _ in calls)])

    def equation(self, equation: Any, arguments: list[Any]) -> list[Any]:
        """The values of an equation."""
        name, params = equation.primitive.name, equation.params
        if name in CALLS:
            return self.call(equation, arguments)
        if name == "scan":
            return self.scan(params, arguments)
        if name == "while":
            return self.loop(equation, arguments)
        if name == "cond":
            return self.choice(params, arguments)
        if name == "custom_linear_solve":
            return self.solved(params, arguments)
        if name == "stop_gradient":
            return [self.stopped(equation, arguments[0])]
        if name.startswith("debug_"):
            self.note(f"{name} is left out (at {self.place(equation)})")
            return []
        if equation.effects:
            raise Unsupported(f"`{name}` has effects")
        if name == "is_finite" and arguments[0].dtype == object:
            self.note("is_finite is true of every real number")
        if name == "reduce_precision":
            self.note("reduce_precision is the identity: nothing is rounded")
            if self.graph.rounds:
                return [self.narrowed(params, arguments[0])]
        return self.arrays.apply(equation, name, params, arguments)

    def narrowed(self, params: Any, array: Any) -> Any:
        """Numbers rounded to another format, in a program that is followed as it rounds."""
        bits = params["mantissa_bits"] + 1
        name = next((name for name, (found, _) in FORMATS.items() if found == bits), None)
        if name is None:
            raise Unsupported(f"`reduce_precision` to {bits} bits")
        self.graph.dtype = name
        return self.arrays.vectorised(lambda x: Real(self.graph.rounded(self.arrays.node(x))), array)

    def call(self, equation: Any, arguments: list[Any]) -> list[Any]:
        name, params = equation.primitive.name, equation.params
        body = next((params[key] for key in BODIES if key in params), None)
        if body is None:
            raise Unsupported(f"`{name}` has no body that is known")
        called = params.get("name") or name
        if called in OWN and is_own(called, equation, body):
            return OWN[called](self.arrays, equation, arguments)
        if name.startswith("custom"):
            self.note(f"{name}: what is translated is the function, not its rule (at {self.place(equation)})")
        self.calls.append((called, self.place(equation)))
        found = self.body(body, arguments)
        self.calls.pop()
        return found

    def solved(self, params: Any, arguments: list[Any]) -> list[Any]:
        """The solution of linear equations, of which JAX has the product of the matrix and a vector."""
        lengths, product = params["const_lengths"], params["jaxprs"].matvec
        consts, sides = arguments[: lengths.matvec], [self.arrays.lifted(side) for side in arguments[sum(lengths) :]]
        shapes, sizes = [side.shape for side in sides], [side.size for side in sides]
        if sum(sizes) > MOST_ROWS:
            raise Unsupported(f"a system of {sum(sizes)} equations; at most {MOST_ROWS} are solved")
        ends = list(itertools.accumulate(sizes))[:-1]

        def parts(flat: numpy.ndarray) -> list[numpy.ndarray]:
            return [part.reshape(shape) for part, shape in zip(numpy.split(flat, ends), shapes, strict=True)]

        columns = [self.body(product, [*consts, *parts(unit)]) for unit in numpy.eye(sum(sizes))]
        flat = [[self.arrays.node(x) for value in column for x in self.arrays.lifted(value).ravel()] for column in columns]
        matrix = [list(row) for row in zip(*flat, strict=True)]
        right = [[self.arrays.node(x)] for side in sides for x in side.ravel()]
        found = self.arrays.linear.solved(matrix, right)
        return parts(self.arrays.shaped([Real(row[0]) for row in found], (sum(sizes),)))

    def body(self, body: Any, arguments: list[Any]) -> list[Any]:
        if hasattr(body, "jaxpr"):
            return self.run(body.jaxpr, body.consts, arguments)
        return self.run(body, [], arguments)

    def step(self) -> None:
        self.graph.tick()
        self.steps += 1
        if self.steps > MOST_STEPS:
            raise Unsupported(f"loops take more than {MOST_STEPS} steps")

    def scan(self, params: Any, arguments: list[Any]) -> list[Any]:
        consts, carries = params["num_consts"], params["num_carry"]
        fixed, carry, rows = arguments[:consts], arguments[consts : consts + carries], arguments[consts + carries :]
        order = range(params["length"])
        outputs: list[list[Any]] = []
        for index in reversed(order) if params["reverse"] else order:
            self.step()
            found = self.body(params["jaxpr"], [*fixed, *carry, *(row[index, ...] for row in rows)])
            carry = found[:carries]
            outputs.append(found[carries:])
        if params["reverse"]:
            outputs.reverse()
        avals = params["jaxpr"].out_avals[carries:]
        return [*carry, *(self.arrays.stacked([row[i] for row in outputs], avals[i]) for i in range(len(avals)))]

    def loop(self, equation: Any, arguments: list[Any]) -> list[Any]:
        params = equation.params
        tested, done = params["cond_nconsts"], params["body_nconsts"]
        for_test, for_body, carry = arguments[:tested], arguments[tested : tested + done], arguments[tested + done :]
        rounds = 0
        while True:
            self.step()
            goes_on = self.body(params["cond_jaxpr"], [*for_test, *carry])[0]
            try:
                # of a batched loop some rows go on, and others stay as they are
                rows = [self.goes_on(row, [*for_test, *for_body, *carry]) for row in goes_on.ravel()]
                if not any(rows):
                    break
            except Unsupported as error:
                if not self.arrays.audits:
                    raise
                return self.refused(equation, f"{error} (at {self.place(equation)})")
            found = self.body(params["body_jaxpr"], [*for_body, *carry])
            carry = found if all(rows) else [self.of_rows(goes_on.shape, rows, *pair) for pair in zip(found, carry, strict=True)]
            rounds += 1
        if _compares_floats(params["cond_jaxpr"]):
            told = f"a `while` loop that compares floats has {rounds} rounds in real numbers"
            self.note(f"{told}; as JAX rounds them it may have others (at {self.place(equation)})")
        return carry

    def of_rows(self, shape: tuple[int, ...], rows: list[bool], array: Any, otherwise: Any) -> Any:
        """An array in some rows, another in the others."""
        where = numpy.array(rows).reshape(shape + (1,) * (array.ndim - len(shape)))
        if array.dtype != object and otherwise.dtype != object:
            return numpy.where(where, array, otherwise).astype(array.dtype)
        return numpy.where(where, self.arrays.lifted(array), self.arrays.lifted(otherwise))

    def goes_on(self, condition: Any, arrays: list[Any]) -> bool:
        """Whether a loop goes on: as it is at x. Where it is otherwise, the function has no value here. The arrays are what comes next."""
        if isinstance(condition, (bool, numpy.bool_)):
            return bool(condition)
        guard = self.arrays.guard(condition)
        self.decisions += 1
        if self.decisions > MOST_DECISIONS:
            raise Unsupported(f"a `while` loop whose length depends on x, of more than {MOST_DECISIONS} rounds")
        elements = (element for array in arrays if array.dtype == object for element in array.ravel())
        self.at_point.enclose(element.node for element in elements if isinstance(element, (Real, Guard)))
        sign = self.at_point.sign(guard) or self.sign(guard)
        self.note("a while loop has as many rounds as at x; where it has others, there is no value")
        if not self.arrays.audits:
            # an audit looks near x alone, where a condition that is strict at x stays as it is
            self.valid = self.graph.joined("both", self.valid, guard if sign > 0 else self.graph.negated(guard))
        return sign > 0

    def refused(self, equation: Any, why: str) -> list[Any]:
        """The values of what cannot be audited: who asks for them is told why, and who throws them away is not."""
        avals = [variable.aval for variable in equation.outvars]
        if any(aval.dtype.kind in "iub" for aval in avals):
            raise Unsupported(why)
        node = self.graph.add("refused", why)
        return [self.arrays.shaped([Real(node)] * aval.size, aval.shape) for aval in avals]

    def sign(self, guard: int) -> int:
        """That of a condition at x, asked from the beginning."""
        try:
            found = written(self.graph, len(self.point), [guard], None, []).at(tuple(self.point), DECIDED)
        except Special as special:
            raise Unsupported(f"a `while` loop whose condition rests on {special}") from None
        if not found.defined or found.lo <= 0 <= found.hi:
            raise Unsupported("a `while` loop whose condition has no value at x, or x is on its border, or nearly")
        return 1 if found.lo > 0 else -1

    def choice(self, params: Any, arguments: list[Any]) -> list[Any]:
        branches: dict[int, list[Any]] = {}
        last = len(params["branches"]) - 1

        def branch(index: Any) -> list[Any]:
            if isinstance(index, Real):
                raise Unsupported("a branch whose index depends on x by rounding")
            index = min(max(int(index), 0), last)
            if index not in branches:
                branches[index] = self.body(params["branches"][index], arguments[1:])
            return branches[index]

        return self.arrays.chosen(arguments[0].item(), branch)

    def stopped(self, equation: Any, array: Any) -> Any:
        if array.dtype != object:
            return array
        kept = "the constant that it is at x" if self.stops else "the identity"
        self.note(f"stop_gradient is {kept} (at {self.place(equation)})")
        self.has_stops = True
        if not self.stops:
            return array
        nodes = self.graph.at([self.arrays.node(element) for element in array.ravel()], self.point)
        return self.arrays.shaped([Real(node) for node in nodes], array.shape)


def _only_solves(jaxpr: Any, equation: Any) -> bool:
    """Whether the values of an equation go nowhere but into solutions of systems."""
    values = set(map(id, equation.outvars))
    users = [other for other in jaxpr.eqns if any(id(variable) in values for variable in other.invars)]
    return all(other.primitive.name == "custom_linear_solve" for other in users) and not any(id(v) in values for v in jaxpr.outvars)


def is_own(name: str, equation: Any, body: Any) -> bool:
    """Whether a call is that of JAX's own function of a name, not of one that somebody calls so: whether its body is that."""
    import jax

    avals = [variable.aval for variable in equation.invars]
    if name in ("det", "slogdet"):
        if len(avals) != 1 or len(avals[0].shape) < 2 or avals[0].shape[-1] != avals[0].shape[-2]:
            return False
        function = getattr(jax.numpy.linalg, name)
    else:
        function = getattr(jax.numpy, name)
    try:
        given = (jax.ShapeDtypeStruct(aval.shape, aval.dtype, weak_type=getattr(aval, "weak_type", False)) for aval in avals)
        reference = jax.make_jaxpr(function)(*given)
    except (TypeError, ValueError):
        return False
    known = [other for other in reference.jaxpr.eqns if other.params.get("name") == name]
    return len(known) == 1 and len(reference.jaxpr.eqns) == 1 and same(known[0].params["jaxpr"], body)


def _format_of(equation: Any) -> str | None:
    """The format in which an equation computes: that of the first float among its values, or its operands."""
    return format_of(str(getattr(variable.aval, "dtype", "")) for variable in (*equation.outvars, *equation.invars))


def same(one: Any, other: Any) -> bool:
    """Whether two traces say the same."""
    texts = [re.sub("0x[0-9a-f]+", "", str(closed.jaxpr)) for closed in (one, other)]
    consts = [list(_constants(closed)) for closed in (one, other)]
    return texts[0] == texts[1] and len(consts[0]) == len(consts[1]) and all(map(_is_same, *consts))


def _constants(closed: Any) -> Iterator[Any]:
    """The constants of a trace, and of those within it."""
    yield from getattr(closed, "consts", ())
    for equation in getattr(closed, "jaxpr", closed).eqns:
        for value in equation.params.values():
            for part in value if isinstance(value, (list, tuple)) else (value,):
                if hasattr(part, "eqns") or hasattr(part, "jaxpr"):
                    yield from _constants(part)


def _is_same(a: Any, b: Any) -> bool:
    if not isinstance(getattr(a, "dtype", None), numpy.dtype):
        import jax

        if not hasattr(a, "dtype"):
            return bool(a == b)
        a, b = (jax.random.key_data(key) for key in (a, b))
    a, b = numpy.asarray(a), numpy.asarray(b)
    return a.shape == b.shape and a.dtype == b.dtype and a.tobytes() == b.tobytes()


def _compares_floats(closed: Any) -> bool:
    """Whether a condition compares numbers that JAX rounds."""
    return any(
        equation.primitive.name in COMPARISONS and getattr(equation.invars[0].aval.dtype, "kind", "i") not in "iub"
        for equation in closed.jaxpr.eqns
    ) or any(_compares_floats(body) for equation in closed.jaxpr.eqns for body in equation.params.values() if hasattr(body, "jaxpr"))
