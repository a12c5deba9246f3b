"""Traces, sweeps and pieces."""

import math
import pickle
from fractions import Fraction as F

import numpy
import pytest
import smoothish

RELU = "\\x => if x > 0 then x else 0"
# x is taken down to less than 1, one at a time
WALK = "let rec f (x : Real) : Real = if x < 1 then x else f (x - 1) in f"


def test_a_trace_is_what_a_program_is_at_a_point():
    answer = smoothish.trace(RELU, at=2)
    trace = answer.value
    assert (trace.value.lo, trace.value.hi) == (2, 2)
    (guard,) = trace.guards
    assert (guard.predicate, guard.holds, guard.position) == (">", True, "question:1:10")
    assert "x" in trace.text and "if" not in trace.text and trace.type == "Real -> Real"
    # it stays that for x > 0, and no further
    (box,) = trace.valid
    assert 2 in box and 0 < box.lo < 1 and box.hi == math.inf and 0 not in box
    assert trace.size >= 1 and trace.steps > 0 and trace.reduction is None and trace.further == 0
    assert str(answer) == trace.text and answer.reached and answer.elapsed > 0
    assert pickle.loads(pickle.dumps(answer)) == answer
    (guard,) = smoothish.trace(RELU, at=-2).value.guards
    assert guard.holds is False and 0 in smoothish.trace(RELU, at="-2").value.value


def test_a_program_without_a_point_is_traced():
    trace = smoothish.trace("deriv (\\x => x * x) 3").value
    assert 6 in trace.value and trace.valid is None and trace.guards == ()


@pytest.mark.parametrize("at", [0.5, F(1, 2), "1/2", numpy.float32(0.5), "2^(-1)"])
def test_a_point_is_exact(at):
    assert "1/4" in smoothish.trace("\\x => x * x", at).value.value
    assert "1/4" in smoothish.sweep("\\x => x * x", at).value


def test_a_point_has_several_numbers():
    trace = smoothish.trace("\\(x, y) => if x < y then (x * y, y) else (0, 0)", at=(2, "7/2")).value
    assert [7 in trace.value[0], "7/2" in trace.value[1], len(trace.valid)] == [True, True, 2]
    assert 2 in trace.valid[0] and "7/2" in trace.valid[1] and not trace.valid[0].overlaps(trace.valid[1])


def test_the_reverse_of_a_trace_is_its_transposed_derivative():
    for literal in (False, True):
        back = smoothish.trace("\\x => x * x * x", at=2, reverse=True, literal=literal).value
        assert 8 in back.value and back.type.startswith("Real -> ")
        # 3x², which is 12 at 2
        slope = smoothish.eval(f"({back.text}) 2")
        assert 12 in slope, back.text
    pairs = smoothish.trace("\\x => (x, x * x)", at=2, reverse=True).value
    # w + 2xv
    assert pairs.type == "Real -> (Real^2) -> Real" and 43 in smoothish.eval(f"({pairs.text}) 4 (3, 5)")


def test_a_trace_shows_its_rules():
    trace = smoothish.trace(RELU, at=2, steps=True).value
    assert len(trace.reduction) + trace.further > 0
    step = trace.reduction[0]
    assert step.rule and step.redex and step.level >= 0 and step.rule in str(step)


def test_a_sweep_has_rows_of_derivatives():
    found = smoothish.sweep("\\(x, y) => (x * y, max x y)", at=(3, 4), reverse=True)
    assert 12 in found.value[0] and 4 in found.value[1] and found.reached
    assert [[part.mid for part in row] for row in found.rows] == [[4, 3], [0, 1]]
    assert pickle.loads(pickle.dumps(found)) == found
    plain = smoothish.sweep("\\x => sin x", at=1)
    assert plain.rows == () and plain.value.width < 1e-6 and plain.reached
    # cos 1
    (row,) = smoothish.sweep("\\x => sin x", at=1, reverse=True).rows
    assert abs(row.mid - F(math.cos(1))) < 1e-6


def test_a_sweep_in_doubles_is_of_floats():
    found = smoothish.sweep("\\x => x * x", at=3, reverse=True, doubles=True)
    assert (found.value, found.rows) == (9.0, (6.0,)) and isinstance(found.value, float)
    assert found.errors == (0.0, (0.0,)) and found.reached
    assert smoothish.sweep("\\x => x", at=1).errors is None


def test_the_errors_of_doubles_have_a_bound():
    # ten times 0.1 is 1, and its sum in doubles 1 - 2**-53
    found = smoothish.sweep("\\x => x + x + x + x + x + x + x + x + x + x", at="0.1", reverse=True, doubles=True)
    (error, slopes) = found.errors
    assert found.value == 1 - 2**-53 and 2**-53 <= error <= 8 * 2**-53
    assert found.rows == (10.0,) and slopes == (0.0,)


def test_pieces_of_relu():
    answer = smoothish.pieces(RELU, -1, 1)
    left, right = answer.value.pieces
    assert left.maps == ("0", "0") and right.maps == ("x", "1")
    assert left.region == ((-1, 0, (True, True)),) and right.region == ((0, 1, (False, True)),)
    assert (left.guards, right.guards) == (("x <= 0",), ("x > 0",)) and left.undefined is right.undefined is None
    assert answer.value.rest == () and answer.reached
    assert pickle.loads(pickle.dumps(answer)) == answer


def test_pieces_have_derivatives_and_exact_ends():
    (only,) = smoothish.pieces("\\x => x^3", "-1/3", "0.1", deriv=3).value.pieces
    assert only.maps[3] == "6" and only.region == ((F(-1, 3), F(1, 10), (True, True)),)
    # x² = 2 is at no fraction
    pieces = smoothish.pieces("\\x => if x^2 < 2 then 1 else 0", 0, 2, deriv=0).value.pieces
    root = pieces[0].region[0].hi
    assert pieces[0].maps == ("1",) and isinstance(root, smoothish.Interval) and root.lo**2 < 2 < root.hi**2


def test_pieces_of_a_disc():
    answer = smoothish.pieces("\\x y => if x * x + y * y < 1 then x * y else 0", (-1, -1), (1, 1), eps="1e-6")
    inside, outside = sorted(answer.value.pieces, key=lambda piece: piece.guards[0] != "x * x + y * y < 1")
    assert inside.maps == ("x * y", "(y, x)") and outside.maps == ("0", "(0, 0)")
    assert inside.region == () and inside.dimension == outside.dimension == (2, 2)
    assert sum(x * x for x in inside.sample) < 1 <= sum(x * x for x in outside.sample)
    # π = 3.14159265… and 4 - π = 0.85840734…
    assert inside.size.lo < F("3.1415927") and F("3.1415926") < inside.size.hi and inside.size.hi - inside.size.lo <= F(1, 10**6)
    assert outside.size.lo < F("0.8584074") and F("0.8584073") < outside.size.hi and answer.reached
    assert pickle.loads(pickle.dumps(answer)) == answer


def test_pieces_without_a_value_say_why():
    answer = smoothish.pieces("\\x => if x > 0 then sqrt (-1 - x) else x", -1, 1)
    without = [piece for piece in answer.value.pieces if piece.maps is None]
    assert without and all("sqrt" in piece.undefined for piece in without)


def test_what_was_not_unfolded_is_said():
    answer = smoothish.pieces(WALK, 0, 10, deriv=0, limit=3)
    pieces = answer.value.pieces
    assert len(pieces) == 3 and pieces[0].maps == ("x",)
    # x - n, from n on
    assert all(piece.maps[0] == f"x - {piece.region[0].lo}" for piece in pieces[1:])
    left = 10 - sum(piece.region[0].hi - piece.region[0].lo for piece in pieces)
    (rest,) = answer.value.rest
    assert (rest.why, rest.length) == ("limit", left) and not answer.reached
    assert rest.positions[0][0].startswith("question:1:") and sum(count for _, count in rest.positions) == rest.parts
    assert f"not unfolded (limit): {rest.parts} part" in str(answer)


def test_definitions_of_a_session_are_traced():
    session = smoothish.Session(["let half (x : Real) = x / 2"])
    assert "3/2" in session.trace("\\x => half x", at=3).value.value
    assert "1/2" in session.sweep("half", at=3, reverse=True).rows[0]
    assert session.pieces("half", 0, 1).value.pieces[0].maps[1] == "1/2"


def test_wrong_questions():
    for question, kind, message in [
        (lambda: smoothish.trace(RELU), smoothish.EvaluationError, "traced at a point; give one of type Real, by at="),
        (lambda: smoothish.trace("1 + 2", at=1), smoothish.EvaluationError, "^at= needs a function"),
        (lambda: smoothish.sweep("1 + 2", reverse=True), smoothish.EvaluationError, "^reverse= needs a function"),
        (lambda: smoothish.trace(RELU, at=(1, 2)), smoothish.EvaluationError, "takes Real, and the point is Real"),
        (lambda: smoothish.trace("\\x y => x + y", at=1), smoothish.EvaluationError, "make them a tuple"),
        (lambda: smoothish.trace(RELU, at=0), smoothish.SmoothishError, "`>` is at the edge"),
        (lambda: smoothish.trace(RELU, at=math.nan), ValueError, "^at: expected a real number, found nan"),
        (lambda: smoothish.trace(RELU, 1, unfoldings=-1), ValueError, "out of range: -1"),
        (lambda: smoothish.trace("\\x => y", at=1), smoothish.ProgramError, "y"),
        (lambda: smoothish.trace(RELU, at="1 +"), smoothish.ProgramError, "expected"),
        (lambda: smoothish.pieces(RELU, 1, 1), smoothish.ArgumentError, "the left end must be less"),
        (lambda: smoothish.pieces(RELU, "a", 1), ValueError, "^lo: "),
        (lambda: smoothish.pieces(RELU, 0, 1, deriv=9), smoothish.ArgumentError, "up to order 8, not 9"),
        (lambda: smoothish.pieces("\\x y => x + y", 0, 1), smoothish.EvaluationError, "takes 2 numbers, and the ends have 1"),
        (lambda: smoothish.pieces("\\x y => x + y", (0, 0), 1), smoothish.EvaluationError, "begins at 2 numbers, and ends at 1"),
        (lambda: smoothish.pieces("\\x y => x + y", (0, 1), (1, 0)), smoothish.ArgumentError, "in coordinate 2"),
        (lambda: smoothish.pieces("\\x y => x + y", (0, 0), (1, 1), eps=0), smoothish.ArgumentError, "greater than 0"),
        (lambda: smoothish.pieces("\\x y => x + y", (0, math.inf), (1, 1)), ValueError, "^lo: expected a real number, found inf"),
    ]:
        with pytest.raises(kind, match=message):
            question()
    for ask in (smoothish.trace, smoothish.sweep):
        with pytest.raises(TypeError, match="str"):
            ask(42)


def test_questions_keep_to_their_time():
    endless = "let rec f (x : Real) : Real = f (x + 1) in f"
    with pytest.raises(smoothish.LimitError):
        smoothish.trace(endless, at=0, timeout=0.1)
    answer = smoothish.pieces(WALK, 0, 10**6, limit=10**6, timeout=0.3)
    assert not answer.reached and answer.stopped == "time" and answer.value.rest
