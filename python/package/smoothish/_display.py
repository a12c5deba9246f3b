"""Values as a notebook shows them."""

from __future__ import annotations

from html import escape
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from ._answers import Answer
    from ._audit import Report
    from ._values import Batch

MOST_ROWS = 10
"""The rows of a Batch that are shown. A choice: what is seen without scrolling."""


MOST_PARTS = 100
"""The parts of a tuple or list that are shown. A choice: some lines."""
DEEPEST = 6
"""How deep tuples and lists are looked into. A list may be a part of itself."""


def is_shown(value: object, depth: int = DEEPEST) -> bool:
    """Whether a value has enclosures in it, so that it is shown better than by its repr."""
    if isinstance(value, (tuple, list)) and type(value) in (tuple, list):
        return depth > 0 and any(is_shown(part, depth - 1) for part in value[:MOST_PARTS])
    return _own(value) is not None


def _own(value: Any) -> str | None:
    """How a value of this package shows itself; None of others."""
    kind = type(value)
    if not kind.__module__.split(".")[0] == "smoothish" or not hasattr(kind, "_repr_html_"):
        return None
    shown = value._repr_html_()
    return shown if isinstance(shown, str) else None


def value_html(value: Any, depth: int = DEEPEST) -> str:
    """A value of a program: an interval, or a tuple, a list or a variant of values."""
    constructor = getattr(value, "constructor", None) if isinstance(value, tuple) else None
    if isinstance(constructor, str) and depth > 0:
        argument = "" if value.argument == () else f" {value_html(value.argument, depth - 1)}"
        return f"<code>{escape(constructor)}</code>{argument}"
    if type(value) not in (tuple, list) or depth == 0:
        return _own(value) or f"<code>{escape(repr(value))}</code>"
    opening, closing = "()" if isinstance(value, tuple) else "[]"
    parts = [value_html(part, depth - 1) for part in value[:MOST_PARTS]]
    if len(value) > MOST_PARTS:
        parts.append(f"&#8230; {len(value)} in all")
    return opening + ", ".join(parts) + closing


def _table(rows: list[list[str]], head: list[str] | None = None) -> str:
    def line(cells: list[str], tag: str) -> str:
        return "<tr>" + "".join(f"<{tag} style='text-align: left'>{cell}</{tag}>" for cell in cells) + "</tr>"

    above = line(head, "th") if head else ""
    return f"<table class='smoothish'>{above}{''.join(line(row, 'td') for row in rows)}</table>"


def answer_html(answer: Answer[Any]) -> str:
    """An answer: its value, and under it what is told beside it."""
    notes = "".join(f"<br><small>note: {escape(note.text)}</small>" for note in answer.notes)
    return value_html(answer.value) + notes


def report_html(report: Report) -> str:
    """What is proven about a gradient, as a table."""

    def shown(value: object) -> str:
        return value_html(value) if is_shown(value) else escape(str(value))

    rows = [["claim", shown(report.claim)], ["point", shown(report.point)], ["reason", escape(report.reason)]]
    if report.set is not None:
        rows.append(["Clarke's set", shown(report.set)])
    if any(limit is not None for limit in report.limits):
        left, right = ("not known" if limit is None else shown(limit) for limit in report.limits)
        rows.append(["from the left, from the right", f"{left}, {right}"])
    if report.borders:
        rows.append(["on the border of", escape(", ".join(report.borders))])
    rows += [["note", escape(note)] for note in report.notes]
    return _table(rows, ["verdict", escape(report.verdict)])


def batch_html(batch: Batch) -> str:
    """The first rows of arrays of enclosures, as a table."""
    import numpy

    lo, hi, defined = (numpy.atleast_1d(part) for part in batch)
    count = lo.shape[0]
    flat = [part.reshape(count, -1) for part in (lo, hi, defined)]

    def cell(low: float, high: float, is_defined: bool) -> str:
        if not is_defined:
            return "&#8869;"
        return f"<code>{low!r}</code>" if low == high else f"<code>[{low!r}, {high!r}]</code>"

    rows = [
        [str(index), *(cell(float(a), float(b), bool(c)) for a, b, c in zip(*(part[index] for part in flat)))]
        for index in range(min(count, MOST_ROWS))
    ]
    if count > MOST_ROWS:
        rows.append(["&#8230;", f"{count} in all"])
    return _table(rows)
