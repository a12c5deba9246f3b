"""A fixture for pytest: `def test_loss(check_grad): check_grad(loss, x)`."""

from __future__ import annotations

from collections import Counter
from typing import TYPE_CHECKING, Any

import pytest

from ._audit import GradientError, Report
from ._audit import check_grad as checked

if TYPE_CHECKING:
    from collections.abc import Callable

COUNTS = pytest.StashKey[Counter[str]]()


def pytest_addoption(parser: pytest.Parser) -> None:
    """What a gradient is of which nothing is proven, and one that rounding has moved."""
    parser.getgroup("smoothish").addoption(
        "--gradients-unknown",
        choices=["fail", "skip", "pass"],
        default="fail",
        help="what a test is whose gradient is neither shown to be right nor to be wrong (default: fail)",
    )


    parser.getgroup("smoothish").addoption(
        "--gradients-rounded",
        choices=["fail", "skip", "pass"],
        default="fail",
        help="what a test is whose gradient is as near as rounding lets right rules come, and no nearer (default: fail)",
    )


def pytest_configure(config: pytest.Config) -> None:
    config.stash[COUNTS] = Counter()


@pytest.fixture
def check_grad(request: pytest.FixtureRequest) -> Callable[..., Report]:
    """`smoothish.check_grad`: a test fails whose gradient is not shown to be right; `--gradients-unknown` and
    `--gradients-rounded` say what is undecided, or rounded."""

    def check(f: Any, x: Any, grad: Any = None, **options: Any) -> Report:
        __tracebackhide__ = True
        counts = request.config.stash[COUNTS]
        try:
            report = checked(f, x, grad, **options)
        except GradientError as error:
            counts[error.report.verdict] += 1
            option = {"UNKNOWN": "gradients_unknown", "ROUNDED": "gradients_rounded"}.get(error.report.verdict)
            asked = request.config.getoption(option) if option else "fail"
            if asked == "fail":
                raise
            if asked == "skip":
                pytest.skip(str(error))
            return error.report
        counts[report.verdict] += 1
        return report

    return check


def pytest_terminal_summary(terminalreporter: Any, config: pytest.Config) -> None:
    """How many gradients were judged, and how."""
    counts = config.stash[COUNTS]
    if counts:
        said = ", ".join(f"{count} {verdict}" for verdict, count in sorted(counts.items()))
        terminalreporter.write_line(f"gradients: {said}")
