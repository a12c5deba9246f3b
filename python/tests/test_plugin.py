"""The fixture for pytest."""

pytest_plugins = ["pytester"]

TESTS = """
def test_right(check_grad): check_grad('\\\\x => x^2', 3, 6.0)
def test_wrong(check_grad): check_grad('\\\\x => max x 0 + min x 0', 0, 0.0)
def test_lossy(check_grad): check_grad('\\\\x => (1 - cos x) / x^2', 0.001, 46.3, dtype='float32')
def test_open(check_grad): check_grad('\\\\x => if x == 0 then 0 else x^2 * sin (1/x)', 0, 0.0)
"""


def outcomes(pytester, *options):
    pytester.makepyfile(TESTS)
    result = pytester.runpytest_subprocess(*options)
    result.stdout.fnmatch_lines(["gradients: 1 CERTIFIED_IN, 1 CERTIFIED_OUT, 1 ROUNDED, 1 UNKNOWN"])
    return result.parseoutcomes(), result.stdout.str()


def test_a_wrong_gradient_fails_with_its_reason(pytester):
    found, text = outcomes(pytester)
    assert found == {"passed": 1, "failed": 3}
    assert "CERTIFIED_OUT 0.0 at 0: it is not the derivative" in text


def test_what_is_not_decided_is_as_asked(pytester):
    assert outcomes(pytester, "--gradients-unknown=skip")[0] == {"passed": 1, "failed": 2, "skipped": 1}
    assert outcomes(pytester, "--gradients-unknown=pass")[0] == {"passed": 2, "failed": 2}
    assert outcomes(pytester, "--gradients-rounded=skip")[0] == {"passed": 1, "failed": 2, "skipped": 1}
    assert outcomes(pytester, "--gradients-rounded=pass", "--gradients-unknown=pass")[0] == {"passed": 3, "failed": 1}
