"""Functions of Python as constants of the language, and everything that can be wrong with them."""

import subprocess
import sys
import threading
import time
from fractions import Fraction

import pytest
import smoothish


def double(lo, hi):
    return 2 * lo, 2 * hi


def session_with(spoilt):
    """A session with `doubled`, which is right on [-1, 1] and spoilt beyond 2."""

    def enclose(lo, hi):
        return spoilt(lo, hi) if hi > 2 else double(lo, hi)

    session = smoothish.Session()
    assert session.constant("doubled", enclose=enclose, slope="\\x => 2", boxes=[(-1, 1)]) == "doubled : Real -> Real"
    return session


def dawson(lo, hi):
    if lo < -2 or hi > 2:
        return None
    middle = round((lo + hi) / 2, 20)
    term = total = middle
    for k in range(1, 60):
        term = round(-2 * term * middle**2 / (2 * k + 1), 24)
        total += term
    reach = max(hi - middle, middle - lo) + Fraction(1, 10**20)
    return total - reach, total + reach


def test_dawson_has_derivatives():
    # by mpmath at 40 digits, see tests/meanings/foreign.rs
    session = smoothish.Session()
    session.constant("dawson", enclose=dawson, slope="\\x => 1 - 2 * x * dawson x", boxes=[(-1, 1)])
    for text, truth in [
        ("dawson 0.5", "0.4244363835020222959"),
        ("deriv dawson 0.5", "0.5755636164979777041"),
        ("nthDeriv 4 dawson 0.5", "9.424436383502022296"),
    ]:
        found = session.eval(text, eps="1e-12")
        assert found.reached and found.lo - Fraction(1, 10**18) <= Fraction(truth) <= found.hi + Fraction(1, 10**18), text
    answer = session.ask("deriv dawson 0.5")
    assert answer.trusted == ("dawson",) and answer.notes[0].id == "trusted"
    assert session.ask("sin 1").trusted == ()
    assert "dawson" in session.definitions[0]


def test_traces_have_constants():
    # D and D' at 1/2, as above; D(D(1/2)) and its slope D'(D(1/2)) D'(1/2) by mpmath at 40 digits
    session = smoothish.Session()
    session.constant("dawson", enclose=dawson, slope="\\x => 1 - 2 * x * dawson x", boxes=[(-1, 1)])
    for text, value, slope in [
        ("dawson", 0.4244363835020223, 0.5755636164979777),
        ("\\x => dawson (dawson x)", 0.3769540001788588, 0.3913913256477012),
        ("\\x => if dawson x < 1/2 then dawson x else x", 0.4244363835020223, 0.5755636164979777),
    ]:
        found = session.sweep(text, at="1/2", reverse=True)
        assert found.trusted == ("dawson",), text
        assert abs(found.value.mid - value) < 1e-6 and abs(found.rows[0].mid - slope) < 1e-6, text
        doubles = session.sweep(text, at=0.5, reverse=True, doubles=True)
        assert abs(doubles.value - value) < 1e-12 and abs(doubles.rows[0] - slope) < 1e-12, text
        trace = session.trace(text, at="1/2", reverse=True).value
        assert "dawson" in trace.text and "if" not in trace.text
        assert abs(session.eval(f"({trace.text}) (1/2)", eps="1e-9").mid - slope) < 1e-8, text
    session.constant("size", enclose=lambda lo, hi: (lo, hi) if lo > 0 else None, slope="\\x => signum x", boxes=[(1, 2)])
    with pytest.raises(smoothish.SmoothishError, match="traces have no meaning for `size`: its slope has a conditional"):
        session.trace("size", at=1)


@pytest.mark.parametrize(
    "spoilt, said",
    [
        (lambda lo, hi: 1 / 0, "ZeroDivisionError"),
        (lambda lo, hi: (2 * hi, 2 * lo - 1), "ends in the wrong order"),
        (lambda lo, hi: (float("nan"), hi), "nan"),
        (lambda lo, hi: (lo, hi, hi), "expected a pair"),
        (lambda lo, hi: "ab", "not a decimal"),
        (lambda lo, hi: 7, "int"),
        (lambda lo, hi: sys.exit(3), "SystemExit"),
    ],
)
def test_what_a_function_does_wrong_fails_the_question_alone(spoilt, said):
    session = session_with(spoilt)
    for text in ["doubled 3", "deriv (\\c => doubled (c * 3)) 1"]:
        with pytest.raises(smoothish.EvaluationError, match="`doubled`") as error:
            session.eval(text)
        assert said in str(error.value)
    assert session.eval("doubled 0.5").lo == 1


def test_what_is_wrong_everywhere_is_refused_at_once():
    session = smoothish.Session()

    def refused(said, **changed):
        usual = {"enclose": double, "slope": "\\x => 2", "boxes": [(-1, 1)]}
        with pytest.raises((ValueError, TypeError), match=said):
            session.constant("doubled", **{**usual, **changed})
        assert session.definitions == []

    refused("ZeroDivisionError", enclose=lambda lo, hi: 1 / 0)
    refused("wrong order", enclose=lambda lo, hi: (2 * hi + 1, 2 * lo))
    refused("tested on \\[-1, 1\\], the derivative of `doubled`", slope="\\x => 3")
    refused("`Real -> Real`", slope="2")
    refused("no box", boxes=[])
    refused("boxes: expected", boxes=[(1, 2, 3)])
    refused("wrong order", boxes=[(1, -1)])
    refused("enclose: expected a function", enclose=3)
    with pytest.raises(ValueError, match="`sin` is a function of the language"):
        session.constant("sin", enclose=double, slope="\\x => 2", boxes=[(-1, 1)])
    session.constant("doubled", enclose=double, slope="\\x => 2", boxes=[(-1, 1)])
    with pytest.raises(ValueError, match="`doubled` is a definition of the session"):
        session.constant("doubled", enclose=double, slope="\\x => 2", boxes=[(-1, 1)])


def test_a_function_may_ask_its_own_session():
    session = smoothish.Session()

    def enclose(lo, hi):
        least, most = (session.eval(f"2 * ({end})", eps="1e-30") for end in (lo, hi))
        return least.lo, most.hi

    session.constant("doubled", enclose=enclose, slope="\\x => 2", boxes=[(-1, 1)])
    assert 3 in session.eval("doubled 1.5")


def test_two_threads_ask_one_constant():
    session = session_with(double)
    found = []

    def ask():
        found.append(session.eval("deriv (\\x => doubled (x * x)) 0.5").lo)

    threads = [threading.Thread(target=ask) for _ in range(4)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert found == [2, 2, 2, 2]


def test_a_function_that_never_returns_ends_with_the_question():
    running = threading.Event()
    ended = threading.Event()

    def never(lo, hi):
        running.set()
        try:
            while True:
                time.sleep(0.01)
        finally:
            ended.set()

    session = session_with(never)
    start = time.monotonic()
    with pytest.raises(smoothish.EvaluationError, match="`doubled`.*did not return in time"):
        session.eval("doubled 3", timeout=0.5)
    assert time.monotonic() - start < 30 and running.is_set()
    assert ended.wait(30), "the thread goes on"
    assert session.eval("doubled 0.5").lo == 1
    with pytest.raises(ValueError, match="the tests of `own` did not end within 0.5 s"):
        session.constant("own", enclose=never, slope="\\x => 2", boxes=[(-1, 1)], timeout=0.5)


INTERRUPTED = """
import _thread, signal, threading, time, smoothish
# what a shell starts in the background is deaf to it
signal.signal(signal.SIGINT, signal.default_int_handler)
def never(lo, hi):
    if hi <= 2:
        return 2 * lo, 2 * hi
    threading.Timer(0.3, _thread.interrupt_main).start()
    while True:
        time.sleep(0.01)
session = smoothish.Session()
session.constant("doubled", enclose=never, slope="\\\\x => 2", boxes=[(-1, 1)])
try:
    session.eval("doubled 3")
except KeyboardInterrupt:
    assert session.eval("doubled 0.5").lo == 1
    print("interrupted")
"""


def test_ctrl_c_ends_a_function_that_never_returns():
    # the thread of the function is still on its way when the interpreter ends, which crashed now and then
    for _ in range(5):
        ran = subprocess.run([sys.executable, "-c", INTERRUPTED], capture_output=True, text=True, timeout=120)
        assert (ran.stdout, ran.returncode) == ("interrupted\n", 0), ran.stderr
