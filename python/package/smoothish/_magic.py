"""`%load_ext smoothish`: questions in a notebook, in the language itself."""

from __future__ import annotations

import argparse
import re
import shlex
from typing import TYPE_CHECKING, Any, NoReturn

from ._display import is_shown, value_html
from ._errors import ArgumentError, ProgramError
from ._smoothish import Session

if TYPE_CHECKING:
    from ._answers import Answer

HELP = (
    "%smoothish [--eps E] [--rel R] [--digits N] [--model M] [--timeout S] QUESTION; in a cell, %%smoothish with options, and "
    "definitions and questions below: a line that begins with a space belongs to the one before"
)


class _Options(argparse.ArgumentParser):
    def error(self, message: str) -> NoReturn:
        raise ArgumentError(f"{message}; {HELP}")


def _options() -> _Options:
    parser = _Options(prog="%smoothish", add_help=False, allow_abbrev=False)
    for name in ("eps", "rel", "model"):
        parser.add_argument(f"--{name}")
    parser.add_argument("--digits", type=int)
    parser.add_argument("--timeout", type=float, default=60.0)
    return parser


def split_options(line: str) -> tuple[dict[str, Any], str]:
    """The options at the beginning of a line, and the rest of it."""
    end = 0
    while match := re.match(r"\s*--[a-z]+(?:=\S+|\s+\S+)?", line[end:]):
        end += match.end()
    try:
        words = shlex.split(line[:end])
    except ValueError as error:
        raise ArgumentError(f"{str(error).lower()}; {HELP}") from None
    found = vars(_options().parse_args(words))
    return {name: value for name, value in found.items() if value is not None}, line[end:].strip()


def inputs(cell: str) -> list[str]:
    """The definitions and questions of a cell. A line that begins with a space belongs to the one before; one that begins with ! says nothing."""
    found: list[str] = []
    for line in cell.splitlines():
        if not line.strip() or line.startswith("!"):
            continue
        if line[0].isspace() and found:
            found[-1] += "\n" + line
        else:
            found.append(line)
    return found


class Magic:
    """The questions of a notebook, with one session."""

    def __init__(self) -> None:
        self.session = Session()

    def enter(self, text: str, options: dict[str, Any]) -> Answer[Any] | str:
        """Keeps a definition, and says its type; or answers a question."""
        if re.match(r"(let|type)\b", text):
            try:
                self.session.type_of(text)
            except ProgramError:
                return self.session.define(text)
        return self.session.ask(text, **options)

    def __call__(self, line: str, cell: str | None = None) -> Answer[Any] | None:
        options, rest = split_options(line)
        if cell is None and not rest:
            raise ArgumentError(f"expected a question; {HELP}")
        entered = [rest] if cell is None else [*([rest] if rest else []), *inputs(cell)]
        answer: Answer[Any] | None = None
        for text in entered:
            if answer is not None:
                _show(answer)
                answer = None
            found = self.enter(text, options)
            if isinstance(found, str):
                print(found)  # noqa: T201
            else:
                answer = found
        return answer


def _show(answer: Answer[Any]) -> None:
    from IPython.display import display

    display(answer)


def load(ipython: Any) -> None:
    """Registers the magic, and how tuples and lists with enclosures in them are shown."""
    from IPython.core.magic import no_var_expand

    # in a question, braces and $ are no variables of Python
    magic = Magic()

    @no_var_expand
    def smoothish(line: str, cell: str | None = None) -> Answer[Any] | None:
        return magic(line, cell)

    smoothish.__doc__ = HELP
    ipython.register_magic_function(smoothish, "line_cell", "smoothish")
    html = ipython.display_formatter.formatters["text/html"]
    for kind in (tuple, list):
        html.for_type(kind, lambda value: value_html(value) if is_shown(value) else None)
