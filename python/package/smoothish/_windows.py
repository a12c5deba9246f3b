"""Which elements of arrays the windows of JAX see: those of convolutions, of `reduce_window`, and of its derivative."""

from __future__ import annotations

import itertools
from typing import TYPE_CHECKING, Any

import numpy

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence


def convolved(params: Any, left: Sequence[int], right: Sequence[int], shape: Sequence[int]) -> Iterator[list[tuple[int, int]]]:
    """For each element of a convolution, in its order, the pairs of elements of both arrays whose products are summed, by their places."""
    numbers = params["dimension_numbers"]
    inputs, outputs = right[numbers.rhs_spec[1]], right[numbers.rhs_spec[0]]
    groups, batches = params["feature_group_count"], params["batch_group_count"]
    spatial = range(2, len(shape))
    for at in numpy.ndindex(*shape):
        batch, feature = at[numbers.out_spec[0]], at[numbers.out_spec[1]]
        group = feature // (outputs // groups) if groups > 1 else 0
        first = group * inputs
        row = batch + feature // (outputs // batches) * (left[numbers.lhs_spec[0]] // batches)
        sides = []
        for k in spatial:
            size, taps = left[numbers.lhs_spec[k]], right[numbers.rhs_spec[k]]
            start = at[numbers.out_spec[k]] * params["window_strides"][k - 2] - params["padding"][k - 2][0]
            step = params["lhs_dilation"][k - 2]
            places = ((tap, start + tap * params["rhs_dilation"][k - 2]) for tap in range(taps))
            sides.append([(tap, place // step) for tap, place in places if place % step == 0 and 0 <= place // step < size])
        found = []
        for channel, *taps in itertools.product(range(inputs), *sides):
            one, other = [0] * len(left), [0] * len(right)
            one[numbers.lhs_spec[0]], one[numbers.lhs_spec[1]] = row, first + channel
            other[numbers.rhs_spec[0]], other[numbers.rhs_spec[1]] = feature, channel
            for k, (tap, place) in zip(spatial, taps, strict=True):
                one[numbers.lhs_spec[k]], other[numbers.rhs_spec[k]] = place, tap
            found.append((int(numpy.ravel_multi_index(one, left)), int(numpy.ravel_multi_index(other, right))))
        yield found


def seen(params: Any, shape: Sequence[int], outputs: Sequence[int]) -> Iterator[list[int]]:
    """For each window, in its order, the places of the elements in it; what lies in the padding is in none."""
    dilated, spread = (params.get(name) or (1,) * len(shape) for name in ("base_dilation", "window_dilation"))
    for at in numpy.ndindex(*outputs):
        sides = []
        for axis, size in enumerate(shape):
            start = at[axis] * params["window_strides"][axis] - params["padding"][axis][0]
            places = (start + tap * spread[axis] for tap in range(params["window_dimensions"][axis]))
            sides.append([place // dilated[axis] for place in places if place % dilated[axis] == 0 and 0 <= place // dilated[axis] < size])
        yield [int(numpy.ravel_multi_index(place, shape)) for place in itertools.product(*sides)]
