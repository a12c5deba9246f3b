"""What can go wrong, as exceptions."""


class SmoothishError(Exception):
    """An error of the library. Places are counted from 1, a span in characters from 0; what is not known is None."""

    def __init__(self, message, *, line=None, column=None, span=None, source=None):
        super().__init__(message)
        self.message = message
        self.line = line
        self.column = column
        self.span = span
        self.source = source

    def __reduce__(self):
        return (_restored, (type(self), self.message, {k: v for k, v in vars(self).items() if k != "message"}))


def _restored(kind, message, attributes):
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

    def __init__(self, message, *, expected=None, found=None, note=None, help=None, report=None, **place):
        super().__init__(message, **place)
        self.expected = expected
        self.found = found
        self.note = note
        self.help = help
        self.report = report

    def __str__(self):
        return self.report or self.message


class EvaluationError(SmoothishError, ArithmeticError):
    """A question without an answer: a promise of the program is broken, or its value is of another kind."""


class LimitError(SmoothishError):
    """A limit of time, of steps or of depth was met before there was anything to answer."""


class UnsupportedError(SmoothishError, NotImplementedError):
    """A construct that cannot be translated or written, with its place."""


class ContradictionError(SmoothishError, AssertionError):
    """Two enclosures of one number are disjoint: what the answer rests on is wrong, or this is a bug."""


class FormatError(SmoothishError, ValueError):
    """Bytes or JSON that are no function."""
