"""Values that are no single numbers, and arrays of points."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

from ._display import batch_html, value_html

if TYPE_CHECKING:
    import numpy
    from numpy.typing import ArrayLike, NDArray


class Variant(NamedTuple):
    """A value of a type with constructors.

    >>> smoothish.eval('Just 2')
    Variant(constructor='Just', argument=<Interval 2>)
    """

    constructor: str
    argument: object

    def _repr_html_(self) -> str:
        return value_html(self)


class Batch(NamedTuple):
    """Enclosures as arrays: lower ends, upper ends, and whether each number is certainly defined."""

    lo: NDArray[numpy.float64]
    hi: NDArray[numpy.float64]
    defined: NDArray[numpy.bool_]

    def first(self) -> Batch:
        """The first entry of each array."""
        return Batch(self.lo[0], self.hi[0], self.defined[0])

    def _repr_html_(self) -> str:
        return batch_html(self)


def rows(points: ArrayLike, inputs: int) -> tuple[NDArray[numpy.float64], bool]:
    """Points as rows of float64, exactly, and whether there is only one point, which was not in a row."""
    import numpy

    unmasked(points)
    array = numpy.asarray(points)
    if array.dtype.kind not in "fiub" or array.dtype.itemsize > 8:
        raise TypeError(f"expected an array of float64 or less, found {array.dtype}; `at` takes exact numbers")
    if array.dtype.kind in "iu" and array.size and max(-int(array.min()), int(array.max())) > 2**53:
        raise ValueError("an integer of the array is beyond 2**53, and may be no float64; `at` takes exact numbers")
    single = array.ndim == 0 or (array.ndim == 1 and inputs != 1)
    if inputs == 1 and array.ndim <= 1:
        array = array.reshape(-1, 1)
    elif single:
        array = array.reshape(1, -1)
    if array.ndim != 2 or array.shape[1] != inputs:
        shape = numpy.shape(points)
        raise ValueError(f"expected points of {inputs} coordinates, an array of shape (k, {inputs}), found {shape}")
    # numbers in a row, and between no addresses: by a copy where they are not
    return numpy.require(array, numpy.float64, "CA"), single


def unmasked(values: object, depth: int = 4) -> None:
    """Refuses what has masked entries, or has arrays or numbers in it that do: the number that is kept there is not meant."""
    if isinstance(values, (list, tuple)):
        for value in values if depth else ():
            unmasked(value, depth - 1)
    elif hasattr(values, "mask"):
        import numpy

        if numpy.ma.is_masked(values):
            raise ValueError("an array with masked entries has no numbers there; ask of those that are not masked")
