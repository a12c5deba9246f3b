"""What an engineer tries first: arithmetic of intervals, floats, audits of programs of several variables, and what a notebook shows."""

import pickle
import random
from fractions import Fraction

import numpy
import pytest
import smoothish
from smoothish import Interval
from smoothish._display import value_html
from smoothish._magic import Magic, inputs, split_options

OPERATIONS = {
    "+": lambda a, b: a + b,
    "-": lambda a, b: a - b,
    "*": lambda a, b: a * b,
    "/": lambda a, b: a / b,
}


def drawn(rng: random.Random) -> tuple[Interval, list[Fraction]]:
    """An interval, and numbers in it."""
    ends = sorted(Fraction(rng.randint(-40, 40), rng.choice([1, 2, 3, 7, 10])) for _ in range(2))
    inside = [*ends, (ends[0] + ends[1]) / 2]
    return Interval(*ends), inside


def test_operations_contain_those_of_the_numbers():
    rng, undefined = random.Random(7), 0
    for _ in range(400):
        (a, of_a), (b, of_b) = drawn(rng), drawn(rng)
        for name, operation in OPERATIONS.items():
            found = operation(a, b)
            if name == "/" and 0 in b:
                assert not found.defined and not found.reached
                undefined += 1
                continue
            assert found.defined and all(operation(x, y) in found for x in of_a for y in of_b), (name, a, b, found)
            # with a number on either side
            assert all(operation(x, y) in operation(x, b) and operation(x, y) in operation(a, y) for x in of_a for y in of_b)
            # an interval is no wider than its ends make it
            if name in "+-":
                assert found.width <= a.width + b.width + Fraction(1, 10**60)
        assert all(-x in -a and abs(x) in abs(a) for x in of_a)
    assert 50 < undefined < 300


def test_exact_numbers_stay_exact():
    third = smoothish.eval("1/3")
    assert third.exact == Fraction(1, 3) and (third * 3).exact == 1 and repr(third * 3) == "<Interval 1>"
    assert (third + Fraction(1, 6)).exact == Fraction(1, 2) and (1 - third).exact == Fraction(2, 3)
    assert (third / 0).exact is None and not (third / 0).defined
    assert (smoothish.eval("sqrt 2") * 0).exact is None
    again = pickle.loads(pickle.dumps(third))
    assert again == third and again.exact == Fraction(1, 3) and repr(again) == repr(third)


def test_what_is_no_number_is_no_operand():
    number = smoothish.eval("1/3")
    for other in ("1", None, [1], object()):
        with pytest.raises(TypeError):
            number + other
    with pytest.raises(ValueError, match="real number"):
        number + float("nan")
    for two in (numpy.float64(2), numpy.float32(2), numpy.int64(2)):
        assert 2 * Fraction(1, 3) in number * two and 2 * Fraction(1, 3) in two * number
    column = numpy.array([number, number], dtype=object) + 1
    assert Fraction(4, 3) in column[0]


def test_a_float_is_one_where_the_number_is_known():
    assert float(smoothish.eval("1/3")) == 1 / 3
    assert float(smoothish.eval("sqrt 2", digits=20)) == 2**0.5
    # as narrow as was asked, and its ends are different floats
    with pytest.raises(TypeError, match=r"different floats: take \.mid"):
        float(smoothish.eval("sqrt 2", digits=5))
    # of two neighbours between 1 and 2 the middle is no end
    tiny = Fraction(1, 2**60)
    assert float(Interval(1 + tiny, 1 + 2 * tiny)) == 1.0
    with pytest.raises(TypeError, match="different floats"):
        float(Interval(1, 1 + Fraction(1, 2**52)))
    with pytest.raises(TypeError, match="1 wide, and its ends are different floats"):
        float(smoothish.eval("deriv abs 0") / 2)
    with pytest.raises(TypeError, match="not shown to be defined"):
        float(smoothish.eval("1/0"))
    with pytest.raises(TypeError, match="no bounds"):
        float(Interval(0, float("inf"), reached=True))


def test_what_is_not_defined_says_why():
    number = smoothish.eval("1/0")
    assert number.why is not None and "`/` is outside of its domain" in number.why and number.why in repr(number)
    pair = smoothish.eval("(1, log (-1))")
    assert pair[0].why is None and "`log`" in pair[1].why
    assert pickle.loads(pickle.dumps(number)).why == number.why
    assert number.why in smoothish.eval("1/0")._repr_html_()
    assert smoothish.eval("sqrt 2").why is None


@pytest.mark.parametrize(
    "program", ["\\(x, y) => x * y", "\\x y => x * y", smoothish.compile("\\x y => x * y"), smoothish.compile("\\(x, y) => x * y")]
)
def test_gradients_of_programs_are_audited(program):
    for x, grad in (([1, 2], [2, 1]), (("1/3", 2), (2.0, Fraction(1, 3))), (numpy.array([1.0, 2.0]), numpy.array([2.0, 1.0]))):
        assert smoothish.audit(program, x, grad).verdict == "CERTIFIED_IN", (x, grad)
    report = smoothish.audit(program, [1, 2], [2, 2])
    assert report.verdict == "CERTIFIED_OUT" and "coordinate 2" in report.reason and report.right is False
    with pytest.raises(ValueError, match="a gradient of 3 numbers, where the point has 2 numbers"):
        smoothish.audit(program, [1, 2], [2, 1, 0])
    subject = pickle.loads(pickle.dumps(smoothish.Subject(program, [1, 2], [2, 1])))
    assert subject.audit().verdict == "CERTIFIED_IN"


def test_audits_know_the_definitions_of_a_session():
    session = smoothish.Session()
    session.define("let cube x = x^3")
    compiled = session.compile("\\x => cube x")
    assert smoothish.audit(compiled, 2, 12.0).verdict == "CERTIFIED_IN"
    assert smoothish.audit(compiled, 2, 11.0).verdict == "CERTIFIED_OUT"
    subject = pickle.loads(pickle.dumps(smoothish.Subject(compiled, 2, 12.0)))
    assert subject.audit().verdict == "CERTIFIED_IN"
    own = smoothish.Session()
    own.constant("own", enclose=lambda lo, hi: (lo, hi), slope="\\x => 1", boxes=[(0, 1)])
    subject = smoothish.Subject(own.compile("\\x => own x"), 2, 1.0)
    assert subject.audit().verdict in {"CERTIFIED_IN", "UNKNOWN"}
    with pytest.raises(TypeError, match="`own` is a function of Python"):
        pickle.dumps(subject)


def test_a_claim_is_judged_in_the_coarsest_type_of_its_numbers():
    # cos 0.3 rounded to float32 is no rounding of a float64
    x, claim = numpy.float32(0.3), numpy.cos(numpy.float32(0.3))
    assert isinstance(claim, numpy.float32)
    single = smoothish.compile("\\x => sin x")
    for point, grad in ((x, claim), (x, float(claim)), (float(x), claim), (numpy.array(x), numpy.array(claim)), ([x], [claim])):
        assert smoothish.audit(single, point, grad).verdict == "CERTIFIED_IN", (point, grad)
        assert smoothish.audit("\\x => sin x", point, grad, dtype="float64").verdict == "CERTIFIED_OUT"
    assert smoothish.audit(single, float(x), float(claim)).verdict == "CERTIFIED_OUT"
    product = smoothish.compile("\\x y => sin x * y")
    grad = (numpy.cos(numpy.float32(0.5)) * numpy.float32(3), numpy.sin(numpy.float32(0.5)))
    assert smoothish.audit(product, (0.5, 3.0), grad).verdict == "CERTIFIED_IN"
    assert smoothish.audit(product, numpy.array([0.5, 3.0], numpy.float32), [float(part) for part in grad]).verdict == "CERTIFIED_IN"


def test_what_cannot_be_audited_says_so():
    with pytest.raises(TypeError, match="f: expected a program, as a text or a Function of compile, or a function of JAX, found int"):
        smoothish.audit(5, 1.0, 1.0)
    with pytest.raises(TypeError, match="dtype: expected the name of a type, as 'float32', found int"):
        smoothish.audit("\\x => x", 1.0, 1.0, dtype=3)
    with pytest.raises(ValueError, match="a gradient of 1 number, where the point has 2 numbers"):
        smoothish.audit("\\x => x", (1, 2), 1)
    with pytest.raises(ValueError, match="a point of 3 numbers, where the function has 2 arguments"):
        smoothish.audit(smoothish.compile("\\x y => x * y"), (1, 2, 3), (1, 0, 0))


def test_lists_that_are_not_of_this_package_are_left_alone():
    from smoothish._display import is_shown

    class Silent:
        def _repr_html_(self):
            return None

    itself = [1]
    itself.append(itself)
    assert not is_shown(itself) and not is_shown([Silent()]) and not is_shown([smoothish.Interval])
    mixed = [smoothish.eval("1"), Silent(), smoothish.Interval, itself]
    assert is_shown(mixed) and "<code>&lt;class" in value_html(mixed)
    many = [smoothish.eval("1")] * 200_000
    assert "200000 in all" in value_html(many) and len(value_html(many)) < 20_000


def test_functions_that_are_no_programs_are_told_what_to_audit():
    stored = smoothish.Function.from_bytes(smoothish.compile("\\x => x * x").to_bytes())
    with pytest.raises(TypeError, match="audit the function of JAX itself, or the text"):
        smoothish.audit(stored, 1.0, 2.0)
    with pytest.raises(smoothish.ProgramError):
        smoothish.audit("\\x => x", [1, 2], [1, 0])


def test_answers_reports_and_batches_are_shown():
    answer = smoothish.ask("(1/3, [sqrt 2], Just 2)")
    html = answer._repr_html_()
    assert html.startswith("(<span") and "1.4142" in html and "<code>Just</code>" in html
    assert "note: " in smoothish.ask("1/0")._repr_html_() and "`/` is outside" in smoothish.ask("1/0")._repr_html_()
    report = smoothish.audit("\\x => abs x", 0, 2.0)
    assert "CERTIFIED_OUT" in report._repr_html_() and "[-1, 1]" in report._repr_html_() and "1:7" in report._repr_html_()
    batch = smoothish.compile("\\x => 1 / x").batch(numpy.arange(40.0))
    assert "40 in all" in batch._repr_html_() and "&#8869;" in batch._repr_html_()
    assert value_html((smoothish.eval("2"), "<b>")).endswith("<code>&#x27;&lt;b&gt;&#x27;</code>)")


def test_a_cell_is_definitions_and_questions():
    assert split_options("--eps 1e-12 --digits=3 \\x => -x") == ({"eps": "1e-12", "digits": 3, "timeout": 60.0}, "\\x => -x")
    assert inputs("let f x =\n  x^2\n\n! said\nderiv f 3\n") == ["let f x =\n  x^2", "deriv f 3"]
    magic = Magic()
    assert magic.enter("let f x = x^2", {}) == "f : Real -> Real"
    assert magic.enter("let y = 2 in f y", {}).value == smoothish.eval("4")
    assert str(magic("", "let g x = f x + 1\nderiv g 3").value) == "6"
    with pytest.raises(smoothish.ProgramError):
        magic("derv f 3")
    with pytest.raises(smoothish.ArgumentError, match="unrecognized arguments: --epsilon"):
        magic("--epsilon 3 f 3")
    with pytest.raises(smoothish.ArgumentError, match="expected a question.*%%smoothish"):
        magic("")
    with pytest.raises(smoothish.ArgumentError, match="no closing quotation"):
        magic("--eps '1e-3 pi")


def test_a_notebook_loads_it():
    shell_module = pytest.importorskip("IPython.core.interactiveshell")
    shell = shell_module.InteractiveShell.instance()
    assert shell.run_cell("%load_ext smoothish").success
    found = shell.run_cell("%smoothish --eps 1e-9 do { x <- sample (normal 0 1); return x }")
    assert not found.success or found.result is not None
    found = shell.run_cell("%%smoothish --eps 1e-9\nlet f x = x^2\nlet dollar = 3\nderiv f 3\nf (1/3)")
    assert found.success and found.result.value.exact == Fraction(1, 9)
    formatted, _ = shell.display_formatter.format((smoothish.eval("2"), 1))
    assert formatted["text/html"].startswith("(<span")
    plain, _ = shell.display_formatter.format((1, 2))
    assert "text/html" not in plain
