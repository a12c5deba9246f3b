"""Answers, exact ends, errors, interruption, copies."""

import copy
import fractions
import math
import pickle
import subprocess
import sys
import threading
import time

import pytest
import smoothish

F = fractions.Fraction

# A question that runs for as long as it may.
ENDLESS = "integral01 (\\x => integral01 (\\y => integral01 (\\z => abs (sin (97 * x * y * z) - x * y))))"


def test_ends_are_exact():
    root = smoothish.eval("sqrt 2", eps="1e-30")
    assert root.lo**2 < 2 < root.hi**2
    assert isinstance(root.lo, F) and root.hi - root.lo == root.width <= F(1, 10**30)
    assert root.lo.denominator & (root.lo.denominator - 1) == 0, "an end is dyadic"
    half = smoothish.eval("1/2")
    assert (half.lo, half.hi, half.mid, half.width) == (F(1, 2), F(1, 2), F(1, 2), 0)


def test_accuracy_is_as_asked():
    assert smoothish.eval("1/3").width <= F(1, 10**6)
    assert smoothish.eval("1/3", 0.25).width <= F(1, 4)
    assert smoothish.eval("exp 100", rel="1e-20").reached
    assert smoothish.eval("exp 100", digits=30).digits.startswith("2.688117141816135448412625551")
    zero = smoothish.eval("sin pi", digits=12)
    assert not zero.reached and zero.defined
    for wrong in [0, -1, "-1e-3"]:
        with pytest.raises(ValueError, match="greater than 0"):
            smoothish.eval("1", wrong)
    with pytest.raises(ValueError, match="not a decimal"):
        smoothish.eval("1", "little")
    with pytest.raises(TypeError, match="not both"):
        smoothish.eval("1", rel=1, digits=2)
    with pytest.raises(ValueError, match="seconds"):
        smoothish.eval("1", timeout=-1)


def test_what_is_undefined_is_an_answer():
    nothing = smoothish.eval("1/0")
    assert (nothing.lo, nothing.hi, nothing.defined, nothing.reached) == (-math.inf, math.inf, False, False)
    assert nothing.width == math.inf and nothing.mid is None and nothing.digits is None
    assert not smoothish.compile("\\x => sqrt x")(-1.0).defined


def test_values_of_every_type():
    assert smoothish.eval("(2 < 3, 3 < 2)") == (True, False)
    assert smoothish.eval("(\\x => x < 0) 0") is None
    assert smoothish.eval("()") == ()
    assert len(smoothish.eval("[1, 2, 3]")) == 3
    assert smoothish.eval("Nothing") == smoothish.Variant("Nothing", ())


def test_intervals_are_sets():
    unit = smoothish.Interval(0, 1)
    assert 0.5 in unit and "1/3" in unit and F(9, 8) not in unit and smoothish.Interval(0.25, 0.5) in unit
    third = smoothish.Interval(F(1, 3), F(1, 3))
    assert third.lo < F(1, 3) < third.hi, "what is no dyadic number is rounded outward"
    assert unit == smoothish.Interval(0.0, 1.0) and hash(unit) == hash(smoothish.Interval(0.0, F(2, 2)))
    assert unit != smoothish.Interval(0, 1, defined=False)
    for wrong in [(1, 0), (math.nan, 1), (math.inf, math.inf)]:
        with pytest.raises(ValueError):
            smoothish.Interval(*wrong)
    assert smoothish.Interval(-math.inf, 0).lo == -math.inf


def test_numbers_without_fractions():
    huge = smoothish.eval("exp (exp 20)", digits=5)
    assert huge.reached and "e" in str(huge)
    with pytest.raises(OverflowError):
        huge.lo
    assert pickle.loads(pickle.dumps(huge)) == huge


def test_errors_have_places():
    with pytest.raises(smoothish.ProgramError) as caught:
        smoothish.eval("let π2 = 1 in\n  dervi sin 0")
    error = caught.value
    assert (error.line, error.column, error.span) == (2, 3, (16, 21))
    assert error.message == "the name `dervi` is not known here" and "deriv" in error.help
    assert "2 |   dervi sin 0" in str(error) and isinstance(error, ValueError)
    with pytest.raises(smoothish.ProgramError) as caught:
        smoothish.compile("\\x => x + sin tt")
    assert (caught.value.expected, caught.value.found) == ("Real", "Bool")
    again = pickle.loads(pickle.dumps(caught.value))
    assert (again.line, again.expected, str(again)) == (1, "Real", str(caught.value))
    with pytest.raises(smoothish.EvaluationError) as caught:
        smoothish.eval("1 + cutRoot (\\x => x)")
    assert (caught.value.line, caught.value.column) == (1, 5)
    with pytest.raises(smoothish.SmoothishError, match="vectors"):
        smoothish.compile("sqrt 2")
    with pytest.raises(smoothish.LimitError):
        smoothish.eval("(let rec f (n : Nat) : Real = f (n + 1) in f 0)", timeout=5)


def test_sessions_keep_definitions():
    session = smoothish.Session()
    session.define("let quadrate x = x^2")
    assert session.define("let twice (f : Real -> Real) x = f (f x)") == "twice : (Real -> Real) -> Real -> Real"
    with pytest.raises(smoothish.ProgramError):
        session.define("let x = ")
    copied = pickle.loads(pickle.dumps(session))
    assert 81 in copied.eval("twice quadrate 3") and len(copied.definitions) == 2
    assert 81 in copied.compile("twice quadrate")(3.0)
    with pytest.raises(smoothish.ProgramError):
        smoothish.eval("quadrate 3")


def test_reals_learn():
    number = smoothish.Session().real("integral01 (\\x => exp (sin x))")
    assert not number.best.defined
    coarse, fine = number.refine(0.1), number.refine("1e-20")
    # by mpmath
    value = "1.631869608418051348137161723744681088397"
    assert value in coarse and value in fine and fine in coarse and number.best in fine and fine.width <= F(1, 10**20)


def test_time_is_limited():
    before = time.monotonic()
    found = smoothish.eval(ENDLESS, "1e-40", timeout=0.2)
    assert not found.reached and time.monotonic() - before < 2


def test_notebooks_see_digits_and_pictures():
    assert "<b>1.414213…</b>" in smoothish.eval("sqrt 2", "1e-5")._repr_html_()
    picture = smoothish.plot("\\x => abs x", -1, 1, orders=[0, 1], columns=50)
    assert picture._repr_svg_().startswith("<svg") and picture.png.startswith(b"\x89PNG")
    assert len(picture.columns(1)) == 50
    with pytest.raises(ValueError, match="less than"):
        smoothish.plot("\\x => x", 1, 0)
    with pytest.raises(IndexError):
        picture.columns(2)


def interrupted(statement):
    """How long after Ctrl-C a statement ends."""
    code = f"""
import signal, sys, time, threading, os
import numpy, smoothish
f = smoothish.compile("\\\\c => " + {ENDLESS!r}.replace("97", "(97 + c)"))
def press():
    global pressed
    pressed = time.monotonic()
    os.kill(os.getpid(), signal.SIGINT)
# where the tests run in the background of a shell, Ctrl-C would be ignored
signal.signal(signal.SIGINT, signal.default_int_handler)
threading.Timer(0.5, press).start()
try:
    {statement}
    print("no interrupt")
except KeyboardInterrupt:
    print(time.monotonic() - pressed)
"""
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, timeout=60)
    assert done.returncode == 0, done.stderr
    return float(done.stdout)


@pytest.mark.skipif(sys.platform == "win32", reason="a signal is sent as on Unix")
@pytest.mark.parametrize(
    "statement",
    [
        f"smoothish.eval({ENDLESS!r}, '1e-40')",
        "f.at(1, '1e-40')",
        "f.jacobian_at(1, '1e-40')",
        "f.batch(numpy.linspace(0, 1, 10**6))",
        "f.gradient(numpy.linspace(0, 1, 10**6))",
        f"smoothish.plot('\\\\x => ' + {ENDLESS!r}.replace('97', 'x'), 0, 50)",
    ],
)
def test_ctrl_c_ends_what_runs(statement):
    # 0.2 s, and what a loaded machine adds
    assert interrupted(statement) < 0.6


def test_other_threads_run_meanwhile():
    beats = []
    running = threading.Event()
    running.set()

    def beat():
        while running.is_set():
            beats.append(time.monotonic())
            time.sleep(0.01)

    thread = threading.Thread(target=beat)
    thread.start()
    smoothish.eval(ENDLESS, "1e-40", timeout=1)
    running.clear()
    thread.join()
    assert len(beats) > 20, "the interpreter's lock is not held"


def test_copies_are_equal():
    interval = smoothish.eval("pi", "1e-30")
    for copied in [pickle.loads(pickle.dumps(interval)), copy.deepcopy(interval)]:
        assert copied == interval and str(copied) == str(interval) and copied.digits == interval.digits
    nothing = smoothish.eval("1/0", rel="1e-3")
    assert pickle.loads(pickle.dumps(nothing)) == nothing
    assert interval.__dask_tokenize__() == smoothish.eval("pi", "1e-30").__dask_tokenize__()
    assert interval.__dask_tokenize__() != smoothish.eval("pi", "1e-20").__dask_tokenize__()


def test_numbers_out_of_range_are_told_the_range():
    for digits in (-5, 0, 100_001, 10**10):
        with pytest.raises(ValueError, match="between 1 and 100000"):
            smoothish.eval("1", digits=digits)
    for orders in ([-1], []):
        with pytest.raises(ValueError, match="orders"):
            smoothish.Session().plot("\\x => x", 0, 1, orders=orders)
    with pytest.raises(ValueError, match="at least one worker"):
        smoothish.map(len, ["a"], workers=0)
