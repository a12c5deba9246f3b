"""What can go wrong, as exceptions."""

from __future__ import annotations

from typing import Any


class SmoothishError(Exception):
    """An error of the library, by `id` for programs, with what to try as `help`; `report` shows the place as the command line does.

    `position` is the place as `name:line:column`, `source` the text in which it is: the program, or a definition that it uses. Places are
    counted from 1, a span in characters from 0; what is not known is None.
    """

    def __init__(
        self,
        message: str,
        *,
        line: int | None = None,
        column: int | None = None,
        span: tuple[int, int] | None = None,
        source: str | None = None,
        position: str | None = None,
        id: str | None = None,
        help: str | None = None,
        report: str | None = None,
    ) -> None:
        super().__init__(message)
        self.message = message
        self.line = line
        self.column = column
        self.span = span
        self.source = source
        self.position = position
        self.id = id
        self.help = help
        self.report = report

    def __str__(self) -> str:
        return f"{self.message}\n  = help: {self.help}" if self.help else self.message

    def __reduce__(self) -> tuple[Any, ...]:
        return (_restored, (type(self), self.message, {k: v for k, v in vars(self).items() if k != "message"}))


def _restored(kind: type[SmoothishError], message: str, attributes: dict[str, Any]) -> SmoothishError:
    return kind(message, **attributes)


class ProgramError(SmoothishError, ValueError):
    """A program that is malformed or ill-typed.

    `expected` and `found` say what should stand there and what does, `help` what to try; the text of the exception shows the place.

    >>> try:
    ...     smoothish.eval('deriv (sin 0')
    ... except smoothish.ProgramError as error:
    ...     print(error.message, (error.line, error.column), error.expected)
    expected `)`, found the end (1, 13) `)`
    """

    def __init__(
        self, message: str, *, expected: str | None = None, found: str | None = None, note: str | None = None, **rest: Any
    ) -> None:
        super().__init__(message, **rest)
        self.expected = expected
        self.found = found
        self.note = note

    def __str__(self) -> str:
        return self.report or self.message


class EvaluationError(SmoothishError, ArithmeticError):
    """A question without an answer: a promise of the program is broken, or its value is of another kind."""


class NoNumberError(EvaluationError, TypeError):
    """A program whose value shows no number, as a function does: it can be applied, or compiled."""


class ArgumentError(SmoothishError, ValueError):
    """An argument of a question that is wrong: an accuracy, a place, an order, an interval of a plot, the name of a model."""


class LimitError(SmoothishError):
    """A limit of time, of steps or of depth was met before there was anything to answer."""


class UnsupportedError(SmoothishError, NotImplementedError):
    """A construct that cannot be translated or written, with its place."""


class ContradictionError(SmoothishError, AssertionError):
    """Two enclosures of one number are disjoint: what the answer rests on is wrong, or this is a bug."""


class FormatError(SmoothishError, ValueError):
    """Bytes or JSON that are no function."""
