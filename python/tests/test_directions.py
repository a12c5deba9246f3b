"""Claims along directions, of lists of steps as JSON: what a subject of several numbers asks, without JAX."""

import json
import math
import pickle
from fractions import Fraction as F

import numpy
import pytest
import smoothish
from smoothish._smoothish import Audited


def steps(*listed):
    return json.dumps({"format": "smoothish steps", "version": 1, "steps": listed})


def subject(text, point, grad, dtype="float64"):
    """What is traced elsewhere and judged here."""
    made = object.__new__(smoothish.Subject)
    made.__dict__.update(
        _made=Audited.straight_line(text),
        _places={number: f"step {number}" for number in range(len(json.loads(text)["steps"]))},
        notes=("by hand",),
        point=tuple(point),
        grad=tuple(grad),
        dtype=dtype,
        shapes=((len(point),),),
    )
    return pickle.loads(pickle.dumps(made))


# √(x² + y²)
NORM = steps(["input", 0], ["input", 1], ["(*)", 0, 0], ["(*)", 1, 1], ["(+)", 2, 3], ["sqrt", 4])
# x √y
ROOT = steps(["input", 0], ["input", 1], ["sqrt", 1], ["(*)", 0, 2])
# max x y
MAX = steps(["input", 0], ["input", 1], ["max", 0, 1])
# 5x + 0y
FIVE = steps(["input", 0], ["input", 1], ["number", 5], ["number", 0], ["(*)", 0, 2], ["(*)", 1, 3], ["(+)", 4, 5])
# x/3 - z/3, and above y = 0 a cusp in which no line through 0 lies: y up to x²/2, then x² - y up to x²
CUSP = steps(
    ["input", 0], ["input", 1], ["input", 2], ["number", 0], ["number", "1/2"], ["(*)", 0, 0], ["(*)", 5, 4],
    ["(>=)", 1, 3], ["(<=)", 1, 5], ["and", 7, 8], ["(<=)", 1, 6], ["(-)", 5, 1], ["choose", 10, 1, 11],
    ["choose", 9, 12, 3], ["number", "1/3"], ["(*)", 0, 14], ["(*)", 2, 14], ["(-)", 15, 16], ["(+)", 13, 17],
)  # fmt: skip


def test_a_direction_is_judged_by_the_sum():
    norm = subject(NORM, (3.0, 4.0), (0.6, 0.8))
    report = norm.audit([1.0, 0.0])
    assert report.right and report.claim == 0.6 and report.point == 0 and "3/5" in report.set
    assert report.notes == ("by hand",)
    # 3/5·3 + 4/5·4
    report = norm.audit([3, 4])
    assert report.right and report.set.lo <= 5 <= report.set.hi and abs(report.claim - 5) < 1e-12
    report = subject(NORM, (3.0, 4.0), (0.6, 0.7)).audit([0.0, 1.0])
    assert (report.verdict, report.cause, report.claim) == ("CERTIFIED_OUT", "unexplained", 0.7) and "4/5" in report.set
    # at 0 it is 5·|t| along (3, 4)
    report = subject(NORM, (0.0, 0.0), (math.nan, math.nan)).audit([3, 4])
    assert (report.verdict, report.cause) == ("CERTIFIED_OUT", "nan") and math.isnan(report.claim)
    assert (report.set.lo, report.set.hi) == (-5, 5)


def test_terms_that_cancel_are_rounded_as_they_are():
    # the derivative along (1, -2y) is √y - 2y/(2√y) = 0, of which the terms are √y large
    for y in numpy.linspace(0.3, 0.9, 13, dtype="float32"):
        point, along = (1.0, float(y)), [1.0, -2 * float(y)]
        slopes = [float(numpy.sqrt(y)), float(numpy.float32(0.5) / numpy.sqrt(y))]
        assert subject(ROOT, point, slopes, "float32").audit(along).right, y
        wrong = [slopes[0] + 0.01, slopes[1]]
        report = subject(ROOT, point, wrong, "float32").audit(along)
        assert report.right is False and report.claim == pytest.approx(0.01, rel=1e-3), y


@pytest.mark.parametrize("large", [5e4, 1e6, 1e20])
def test_a_gradient_is_not_allowed_more_for_being_more_wrong(large):
    assert subject(FIVE, (1.0, 1.0), (large, -large), "float32").audit([1, 1]).right is False
    # nor is one whose sum is right but for what terms of this size are rounded by
    assert subject(MAX, (1.0, 1.0), (large, 1 - large + 1e-9)).audit([1, 1]).right is False


def test_a_claim_whose_terms_cancel_is_not_decided_where_the_gradient_is_not():
    third = 1 / 3
    report = subject(CUSP, (0.0, 0.0, 0.0), (third, 0.0, math.nextafter(-third, 0))).audit([1, 0, 1])
    assert report.verdict == "UNKNOWN" and "the terms of the claim cancel" in report.reason and report.cause is None
    assert 0 in report.set and report.set.width < 1e-15 and 0 < report.claim < 1e-15
    # without a difference there is nothing to allow
    assert subject(CUSP, (0.0, 0.0, 0.0), (third, 0.0, -third)).audit([1, 0, 1]).right
    # beyond what the terms are rounded by
    assert subject(CUSP, (0.0, 0.0, 0.0), (third, 0.0, -0.3)).audit([1, 0, 1]).right is False


def test_a_direction_without_a_coordinate_needs_no_claim_about_it():
    for claim in (math.nan, math.inf):
        made = subject(FIVE, (1.0, 1.0), (5.0, claim))
        assert made.audit([1, 0]).right and made.audit([1, 0]).claim == 5
        report = made.audit([1, 1])
        assert (report.verdict, report.cause) == ("CERTIFIED_OUT", "nan")


def test_a_gradient_of_one_number_has_directions():
    square = subject(steps(["input"], ["(*)", 0, 0]), (3,), (6.0,))
    assert square.audit().right and square.audit().claim == 6 and square.audit().point == 3
    # 6 times the direction
    for weight, claim in [(1, 6), (2, 12), (F(-1, 3), -2), (0, 0)]:
        report = square.audit([weight])
        assert report.right and report.claim == claim and report.point == 0, weight
    wrong = subject(steps(["input"], ["(*)", 0, 0]), (3,), (12.0,))
    assert wrong.audit([2]).right is False and wrong.audit([0]).right


def test_a_whole_gradient_is_judged_by_its_coordinates():
    report = subject(NORM, (3, 4), (0.6, 0.8)).audit()
    assert report.right and report.claim == (0.6, 0.8) and report.point == (3, 4) and report.borders == ()
    assert "3/5" in report.set[0] and "4/5" in report.set[1] and report.limits == (None, None)
    report = subject(NORM, (3, 4), (0.6, 0.7)).audit()
    assert (report.verdict, report.cause) == ("CERTIFIED_OUT", "unexplained") and report.reason.endswith("(coordinate 2)")
    # the segment from (1, 0) to (0, 1)
    assert subject(MAX, (1, 1), (0.25, 0.75)).audit().right
    assert subject(MAX, (1, 1), (0.25, 0.25)).audit().cause == "unexplained"


def test_borders_are_told_by_steps():
    report = subject(MAX, (1, 1), (1.0, 0.0)).audit([1, -1])
    # 1 + |t|
    assert report.right and (report.set.lo, report.set.hi) == (-1, 1) and report.borders == ("step 2",)
    assert [(limit.lo, limit.hi) for limit in report.limits] == [(-1, -1), (1, 1)]


def test_a_tolerance_is_that_of_its_type():
    third = steps(["input", 0], ["input", 1], ["number", "1/3"], ["(*)", 0, 2], ["(+)", 3, 1])
    claim = float(numpy.float32(1 / 3))
    assert subject(third, (0, 0), (claim, 1.0), "float32").audit([1, 0]).right
    assert subject(third, (0, 0), (claim, 1.0)).audit([1, 0]).right is False
    assert subject(third, (0, 0), (0.333, 1.0), "float32").audit([1, 0], ulps=10**5).right
    with pytest.raises(ValueError, match="0 or more; not -1"):
        subject(third, (0, 0), (claim, 1.0)).audit([1, 0], ulps=-1)


def test_large_claims_are_reported_as_they_are():
    report = subject(FIVE, (1, 1), (1e308, 1.0)).audit([1e10, 0])
    assert report.right is False and report.claim == F(1e308) * 10**10


def test_wrong_questions():
    with pytest.raises(ValueError, match="steps"):
        Audited.straight_line("{}")
    with pytest.raises(ValueError, match="finite numbers"):
        subject(NORM, (3, 4), (0.6, 0.8)).audit([1, math.nan])
    with pytest.raises(ValueError, match="direction of 1 numbers, where x has 2"):
        subject(NORM, (3, 4), (0.6, 0.8)).audit([1])
    # more variables than the point has numbers
    with pytest.raises(smoothish.ArgumentError):
        subject(NORM, (3,), (0.6,)).audit()
    with pytest.raises(TypeError, match="a direction is for functions of JAX; of a program"):
        smoothish.Subject("\\x => x", 0, 1.0).audit([1])
