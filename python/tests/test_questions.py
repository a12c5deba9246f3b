"""Answers with their notes, and what is wrong at the door: limits, signals, threads, arguments."""

import math
import pickle
import re
import signal
import subprocess
import sys
import threading
import time
from fractions import Fraction

import numpy
import pytest
import smoothish

# A question that runs for as long as it may.
ENDLESS = "integral01 (\\x => integral01 (\\y => integral01 (\\z => abs (sin (97 * x * y * z) - x * y))))"
# Another one, about a program that samples.
ENDLESS_MODEL = "do { x <- sample (uniformOn 0 1); y <- sample (uniformOn 0 1); z <- sample (uniformOn 0 1); return (abs (sin (97 * x * y * z) - x * y)) }"

LINE = "\\t => sample (normal t 1)"


def test_an_answer_has_notes():
    answer = smoothish.ask("firstRoot (\\x => x - 1/2)", "1e-9")
    assert (answer.value.lo, answer.value.hi) == (0, 0)
    assert answer.type == "Real" and answer.reached and answer.stopped is None and answer.undefined is None
    (note,) = answer.notes
    assert "negative at 0" in note.text and str(note) == note.text
    assert (note.kind, note.position) == ("remark", "question:1:1")
    assert 0 < answer.elapsed < 60
    assert smoothish.eval("firstRoot (\\x => x - 1/2)", "1e-9") == answer.value
    again = pickle.loads(pickle.dumps(answer))
    assert again == answer and again.notes == answer.notes


def test_an_answer_is_shown_with_its_notes():
    answer = smoothish.ask("firstRoot (\\x => x - 1/2)")
    assert repr(answer) == "<Answer <Interval 0>, 1 note>"
    assert str(answer).startswith("0\nnote: firstRoot")
    assert repr(smoothish.ask("1/2")) == "<Answer <Interval 0.5>>"


def test_an_answer_says_why_it_is_wide():
    kink = smoothish.ask("deriv abs 0", eps="1e-3")
    assert not kink.reached and [note.id for note in kink.notes] == ["set"]
    assert "the tolerance of 1e-3 was not reached" in kink.notes[0].text
    assert "the tolerance of 0.001 " in smoothish.ask("deriv abs 0", eps=0.001).notes[0].text
    cut = smoothish.ask(ENDLESS, "1e-40", timeout=0.2)
    assert cut.stopped == "time" and not cut.reached and any("0.2 s" in note.text for note in cut.notes)


def test_an_answer_says_why_there_is_no_number():
    answer = smoothish.ask("1 + 1/(2 - 2.0)", timeout=10)
    assert not answer.reached and not answer.value.defined
    assert answer.undefined.position == "question:1:5" and answer.undefined.cause in ("boundary", "domain")
    assert str(answer.undefined) in answer.notes[-1].text


def test_advice_names_arguments_and_not_options():
    zero = smoothish.ask("sin pi", digits=12)
    assert any("give a width by eps=" in note.text for note in zero.notes)
    with pytest.raises(smoothish.EvaluationError, match=r"give the parameter by at=T"):
        smoothish.expect(LINE, "\\x => x")
    # the sum of (4/3)^n / 2^(n + 1), of which paths are left
    walk = "let rec walk (n : Nat) : P Nat = do { b <- sample (bernoulli 0.5); if b then return n else do { score (4/3); walk (n + 1) } } in walk 0"
    mass = smoothish.evidence(walk, timeout=5)
    assert "3/2" in mass.value and not mass.reached and mass.value.hi == math.inf
    assert any("weight_at_most=M assumes the bound M" in note.text for note in mass.notes)
    with pytest.raises(smoothish.UnsupportedError, match="try model='partial', or model='pap', or model='clarke', or model='float'"):
        smoothish.ask("let rec f (x : Real) : Real = if x < 1 then x else f (x - 1) in f 5.5")
    with pytest.raises(smoothish.EvaluationError, match="`evidence` or `expect` for its normalising constant"):
        smoothish.ask("sample (normal 0 1)")


def test_models_are_asked_by_their_names():
    assert smoothish.eval("if 0 == 0.0 then 1 else 2", model="pap") in (1, smoothish.Interval(1, 1))
    answer = smoothish.ask("sqrt 2", model="float")
    # by IEEE 754: what is rounded correctly
    assert answer.value == math.sqrt(2) and isinstance(answer.value, float)
    assert [note.id for note in answer.notes] == ["floating-point"] and not answer.reached
    with pytest.raises(ValueError, match="there is no model `papp`") as caught:
        smoothish.ask("1", model="papp")
    assert caught.value.help == "did you mean `pap`?" and isinstance(caught.value, smoothish.ArgumentError)


def test_a_session_has_what_was_defined():
    session = smoothish.Session(["let half x = x / 2", "let walk = \\t => do { x <- sample (normal t 1); return (half x) }"])
    assert "1/2" in session.ask("half 1").value
    assert "3/2" in session.expect("walk", "\\x => x", 3).value
    with pytest.raises(smoothish.ProgramError):
        smoothish.expect("walk", "\\x => x", 3)


def test_values_without_numbers():
    with pytest.raises(smoothish.NoNumberError, match="apply it to an argument") as caught:
        smoothish.eval("sin")
    assert isinstance(caught.value, TypeError) and isinstance(caught.value, smoothish.EvaluationError)
    assert caught.value.id == "no-number"


def test_a_plot_has_notes():
    picture = smoothish.plot("\\x => sqrt x", -1, 1, columns=4)
    (note,) = picture.notes
    assert (note.id, note.kind) == ("undefined", "outcome") and "2 of 4 columns: x in [-1, 0]" in note.text
    assert not picture.reached and picture.stopped is None and picture.elapsed > 0
    assert smoothish.plot("\\x => x", 0, 1, columns=4).notes == ()
    assert smoothish.plot("\\x => " + ENDLESS.replace("97", "x"), 0, 50, timeout=0.2).stopped == "time"


def test_errors_of_several_texts_have_places():
    with pytest.raises(smoothish.ProgramError) as caught:
        smoothish.expect("sample (normal 0 1)", "\\x => x + sin tt")
    error = caught.value
    assert (error.expected, error.found) == ("Real", "Bool")
    assert error.position == "function:1:15" and error.source == "\\x => x + sin tt" and error.span == (14, 16)
    with pytest.raises(smoothish.ProgramError) as caught:
        smoothish.expect("sample (norml 0 1)", "\\x => x")
    assert caught.value.position == "model:1:9" and "Normal" in caught.value.help
    again = pickle.loads(pickle.dumps(caught.value))
    assert (again.position, again.help, str(again)) == ("model:1:9", caught.value.help, str(caught.value))
    with pytest.raises(smoothish.EvaluationError) as caught:
        smoothish.Session(["let cut = cutRoot (\\x => x)"]).ask("cut + 1")
    assert caught.value.position == "definition:1:11" and caught.value.source == "let cut = cutRoot (\\x => x)"
    with pytest.raises(smoothish.ProgramError) as caught:
        smoothish.pushforward("exp", "sample (normal 0 1)", "1 +")
    assert caught.value.position.startswith("point:")


# --- limits


def test_a_timeout_of_zero_answers_with_what_is_known():
    begun = time.monotonic()
    answer = smoothish.ask(ENDLESS, "1e-40", timeout=0)
    assert not answer.reached and answer.stopped == "time"
    # of a program that was not yet run nothing is known
    with pytest.raises(smoothish.LimitError, match="its time was up"):
        smoothish.expect(ENDLESS_MODEL, "\\x => x", timeout=0)
    mean = smoothish.expect(ENDLESS_MODEL, "\\x => x", eps="1e-40", timeout=0.2)
    assert not mean.reached and mean.stopped == "time" and not mean.value.reached
    assert time.monotonic() - begun < 5


@pytest.mark.parametrize("seconds", [-1, -1e-9, math.nan, math.inf, -math.inf, 1e300])
def test_a_timeout_that_is_none_is_refused(seconds):
    for ask in (
        lambda: smoothish.ask("1", timeout=seconds),
        lambda: smoothish.expect("sample (normal 0 1)", "\\x => x", timeout=seconds),
        lambda: smoothish.evidence("sample (normal 0 1)", timeout=seconds),
        lambda: smoothish.pushforward("exp", "sample (normal 0 1)", 1, timeout=seconds),
        lambda: smoothish.estimators(LINE, "\\x => x", 0, timeout=seconds),
        lambda: smoothish.density("sample (normal 0 1)", 0, 1, timeout=seconds),
    ):
        with pytest.raises(ValueError, match="a timeout is a number of seconds, 0 or more; found"):
            ask()


def test_long_timeouts_are_as_none():
    assert 2 in smoothish.ask("1 + 1.0", timeout=None).value
    assert 2 in smoothish.ask("1 + 1.0", timeout=1e18).value


# --- arguments


def test_what_is_no_number_is_told():
    mean = "sample (normal 0 1)", "\\x => x"
    for name in ("eps", "rel", "weight_at_most"):
        for wrong in (math.nan, math.inf):
            with pytest.raises(ValueError, match=f"{name}: expected a real number, found (nan|inf)"):
                smoothish.expect(*mean, **{name: wrong})
        with pytest.raises(ValueError, match=f"{name}: .*not a decimal"):
            smoothish.expect(*mean, **{name: "little"})
        with pytest.raises(TypeError, match=f"{name}: expected a real number .*, found list"):
            smoothish.expect(*mean, **{name: [1]})
        with pytest.raises(ValueError, match=f"{name} must be greater than 0"):
            smoothish.expect(*mean, **{name: 0})
    with pytest.raises(ValueError, match="at: expected a real number, found nan"):
        smoothish.expect(LINE, "\\x => x", at=math.nan)
    with pytest.raises(ValueError, match="at: .*not a decimal"):
        smoothish.estimators(LINE, "\\x => x", "zero")
    with pytest.raises(TypeError, match="at: expected a real number .*, found NoneType"):
        smoothish.estimators(LINE, "\\x => x", None)
    with pytest.raises(TypeError, match="expected a number of seconds, or None for no limit; found str"):
        smoothish.ask("1", timeout="5")
    with pytest.raises(TypeError, match="digits: expected a whole number, found str"):
        smoothish.expect(*mean, digits="12")
    with pytest.raises(TypeError, match="deriv: expected a whole number, found float"):
        smoothish.expect(LINE, "\\x => x", 0, 1.0)
    with pytest.raises(ValueError, match="lo: expected a real number, found nan"):
        smoothish.plot("\\x => x", math.nan, 1)
    with pytest.raises(ValueError, match="point: expected a real number, found nan"):
        smoothish.pushforward("exp", "sample (normal 0 1)", math.nan)


@pytest.mark.parametrize("text", [42, None, b"1", ["1"]])
def test_a_program_is_a_text(text):
    for ask in (
        lambda: smoothish.ask(text),
        lambda: smoothish.eval(text),
        lambda: smoothish.expect(text, "\\x => x"),
        lambda: smoothish.expect("sample (normal 0 1)", text),
        lambda: smoothish.evidence(text),
        lambda: smoothish.density(text, 0, 1),
    ):
        with pytest.raises(TypeError, match="'?str'?"):
            ask()


def test_a_model_of_another_type_is_told_its_type():
    wrong = re.escape("expected a program that samples, of type P A, Real -> P A or Real * Real -> P A, found one of type Real")
    for ask in (
        lambda: smoothish.expect("sqrt 2", "\\x => x"),
        lambda: smoothish.evidence("sqrt 2"),
        lambda: smoothish.pushforward("exp", "sqrt 2", 1),
        lambda: smoothish.density("sqrt 2", 0, 1),
        lambda: smoothish.estimators("sqrt 2", "\\x => x", 0),
    ):
        with pytest.raises(smoothish.EvaluationError, match=wrong):
            ask()
    with pytest.raises(smoothish.ProgramError) as caught:
        smoothish.expect("sample (bernoulli 0.5)", "\\x => x")
    assert {caught.value.expected, caught.value.found} == {"Real", "Bool"}
    with pytest.raises(smoothish.EvaluationError, match="gives real numbers, of type P Real, and this one gives Bool"):
        smoothish.density("sample (bernoulli 0.5)", 0, 1)


def test_a_place_without_a_parameter_is_told():
    with pytest.raises(smoothish.EvaluationError, match="at= is for a program of type Real -> P A, .* type P Real"):
        smoothish.expect("sample (normal 0 1)", "\\x => x", at=1)
    with pytest.raises(ValueError, match="deriv=1 is a derivative in the parameter of the program: .* at="):
        smoothish.expect("sample (normal 0 1)", "\\x => x", deriv=1)


@pytest.mark.parametrize("deriv", [9, -1, 2**32, 10**30, -(10**30), 1 << 4000])
def test_orders_have_a_range(deriv):
    for ask in (
        lambda: smoothish.expect(LINE, "\\x => x", 0, deriv),
        lambda: smoothish.evidence(LINE, at=0, deriv=deriv),
    ):
        with pytest.raises(ValueError, match="deriv is the order of a derivative, from 0 to 8, not"):
            ask()


def test_numbers_of_every_kind_are_exact():
    third = smoothish.expect(LINE, "\\x => x", "1/3", eps="1e-30").value
    assert "1/3" in third and 1 / 3 not in third
    assert 1 / 3 in smoothish.expect(LINE, "\\x => x", numpy.float64(1 / 3), eps="1e-30").value


# --- Ctrl-C and threads


@pytest.mark.skipif(sys.platform == "win32", reason="a signal is sent as on Unix")
@pytest.mark.parametrize(
    "question",
    [
        f"session.ask({ENDLESS!r}, '1e-40', timeout=None)",
        f"session.expect({ENDLESS_MODEL!r}, '\\\\x => x', eps='1e-40', timeout=None)",
        f"session.evidence('do {{ y <- ' + {ENDLESS_MODEL!r} + '; score y; return y }}', eps='1e-40', timeout=None)",
        f"session.density({ENDLESS_MODEL!r}, 0, 1, timeout=None)",
    ],
)
def test_ctrl_c_ends_a_question_and_leaves_the_session(question):
    code = f"""
import signal, threading, time
import smoothish
session = smoothish.Session(["let two = 2.0"])
# where the tests run in the background of a shell, Ctrl-C would be ignored
signal.signal(signal.SIGINT, signal.default_int_handler)
def press():
    global pressed
    pressed = time.monotonic()
    signal.raise_signal(signal.SIGINT)
threading.Timer(0.5, press).start()
try:
    {question}
    print("no interrupt")
except KeyboardInterrupt:
    took = time.monotonic() - pressed
    assert 4 in session.ask("two * two").value and 0 in session.expect("sample (normal 0 1)", "\\\\x => x").value
    print(took)
"""
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, timeout=120)
    assert done.returncode == 0, done.stderr
    assert float(done.stdout) < 1


def test_an_exception_of_a_handler_ends_a_question():
    class Alarm(Exception):
        pass

    def ring(*_):
        raise Alarm

    before = signal.signal(signal.SIGALRM, ring)
    try:
        signal.setitimer(signal.ITIMER_REAL, 0.3)
        begun = time.monotonic()
        with pytest.raises(Alarm):
            smoothish.expect(ENDLESS_MODEL, "\\x => x", eps="1e-40", timeout=None)
        assert time.monotonic() - begun < 1.5
    finally:
        signal.setitimer(signal.ITIMER_REAL, 0)
        signal.signal(signal.SIGALRM, before)


def test_other_threads_run_while_a_question_is_worked_on():
    beats = []
    over = threading.Event()

    def beat():
        while not over.wait(0.01):
            beats.append(time.monotonic())

    thread = threading.Thread(target=beat)
    thread.start()
    smoothish.expect(ENDLESS_MODEL, "\\x => x", eps="1e-40", timeout=1)
    over.set()
    thread.join()
    assert len(beats) > 20, "the interpreter's lock is not held"


def test_two_threads_ask_one_session():
    session = smoothish.Session(["let twice (x : Real) = 2 * x"])
    found, wrong = {}, []

    def ask(name, questions):
        try:
            found[name] = [question() for question in questions]
        except BaseException as error:  # noqa: BLE001
            wrong.append(error)

    def value(n):
        return lambda: session.ask(f"twice {n} + firstRoot (\\x => x - 1/2)", "1e-9")

    def mean(n):
        return lambda: session.expect("\\t => sample (normal (twice t) 1)", "\\x => x^2", n)

    def define(n):
        return lambda: session.define(f"let other{n} = {n}.0")

    threads = [
        threading.Thread(target=ask, args=(kind.__name__, [kind(n) for n in range(10)])) for kind in (value, mean, define)
    ]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join(60)
    assert not wrong and not any(thread.is_alive() for thread in threads)
    for n in range(10):
        assert 2 * n in found["value"][n].value and "negative at 0" in found["value"][n].notes[0].text
        # E x² = (2t)² + 1
        assert 4 * n**2 + 1 in found["mean"][n].value and found["mean"][n].reached
    assert len(session.definitions) == 11 and 9 in session.eval("other9")


def test_wrong_definitions_of_many_threads():
    session = smoothish.Session()
    refused = []

    def define():
        for _ in range(50):
            with pytest.raises(smoothish.ProgramError):
                session.define("let x = ")
            session.definitions  # noqa: B018
            refused.append(1)

    threads = [threading.Thread(target=define, daemon=True) for _ in range(4)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join(60)
    assert len(refused) == 200, "one waits for another, which waits for it"


def test_limits_of_searches():
    text = "integral01 (\\x => max 0 (sin (20*x)))"
    # three arches of 1/10 each and a part of the fourth: 3/10 + (1 - cos 20)/20
    truth = 0.3295958969093304
    few = {"panels": 2, "patient_panels": 2}
    wide = smoothish.ask(text, tuning=few)
    assert truth in wide.value and not wide.reached and wide.value.width > 1e-3
    for found in (smoothish.ask(text), smoothish.ask(text, tuning=few, effort=1000)):
        assert truth in found.value and found.reached
    assert not smoothish.eval(text, tuning=few).reached
    mean = smoothish.expect("sample (uniformOn 0 1)", "\\x => x^2", tuning={"cubature_boxes": 10**6}, effort=2)
    assert Fraction(1, 3) in mean.value
    assert "1/2" in smoothish.evidence("do { x <- sample (uniformOn 0 1); score x; return x }", tuning={}).value


@pytest.mark.parametrize(
    ("given", "error", "expected"),
    [
        ({"tuning": {"pannels": 3}}, ValueError, 'unknown key "pannels"; did you mean "panels"?'),
        ({"tuning": {"panels": 0}}, ValueError, "panels is a whole number from 1 to 1099511627776, not 0"),
        ({"tuning": {"panels": 10**60}}, ValueError, "panels is out of range"),
        ({"tuning": {"panels": "many"}}, TypeError, "panels is a whole number, not many"),
        ({"tuning": {"panels": 1.5}}, TypeError, "panels is a whole number, not 1.5"),
        ({"tuning": 3}, TypeError, "tuning is a dict of limits by their names"),
        ({"tuning": {3: 4}}, TypeError, "str"),
        ({"effort": 0.5}, ValueError, "effort is at least 1, not 0.5"),
        ({"effort": float("nan")}, ValueError, "effort is at least 1"),
    ],
)
def test_wrong_limits_of_searches(given, error, expected):
    with pytest.raises(error) as raised:
        smoothish.ask("1", **given)
    assert expected in str(raised.value)
