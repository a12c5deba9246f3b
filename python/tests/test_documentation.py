"""The examples of the documentation: of the module and its classes, and of the texts about it."""

import doctest
import inspect
import pathlib
from importlib.util import find_spec

import numpy
import pytest
import smoothish

ROOT = pathlib.Path(__file__).resolve().parents[2]
TEXTS = ["README.md", "python/README.md", "book/src/from-python.md"]
FLAGS = doctest.ELLIPSIS | doctest.NORMALIZE_WHITESPACE


def documented():
    """Everything public that may have a docstring, by its name."""
    yield "smoothish", smoothish
    for name in smoothish.__all__:
        if name in ("from_jax", "check_jacobian") and find_spec("jax") is None:
            continue
        thing = getattr(smoothish, name)
        yield name, thing
        if inspect.isclass(thing):
            for member, value in vars(thing).items():
                if not member.startswith("_"):
                    yield f"{name}.{member}", value


def run(name, text):
    """How many examples a text has, each of which is as it says."""
    test = doctest.DocTestParser().get_doctest(text, {"smoothish": smoothish, "numpy": numpy}, name, name, 0)
    runner = doctest.DocTestRunner(optionflags=FLAGS)
    report = []
    runner.run(test, out=report.append)
    assert runner.failures == 0, "".join(report)
    return runner.tries


def test_examples_of_docstrings():
    tries = sum(run(name, inspect.getdoc(thing) or "") for name, thing in documented())
    assert tries > 40, tries


def test_everything_public_is_documented():
    missing = [name for name, thing in documented() if not getattr(thing, "__doc__", None)]
    assert missing == []


def python_blocks(text, tags=("python",)):
    """The fenced blocks that are a conversation with Python: of these tags."""
    lines, inside = [], False
    for line in text.splitlines():
        if line.startswith("```"):
            inside = line.removeprefix("```") in tags
            lines.append("")
        elif inside:
            lines.append(line)
    return "\n".join(lines) + "\n"


@pytest.mark.parametrize("name", TEXTS)
def test_examples_of_texts(name):
    text = (ROOT / name).read_text()
    assert run(name, python_blocks(text)) > 0


@pytest.mark.skipif(find_spec("jax") is None, reason="JAX is not installed")
def test_examples_of_texts_with_jax():
    text = (ROOT / "book/src/from-python.md").read_text()
    assert run("from-python.md", python_blocks(text, ("python", "python jax"))) > 0


@pytest.mark.skipif(find_spec("torch") is None, reason="torch is not installed")
def test_examples_about_torch():
    from smoothish import torch

    for name in ["book/src/is-my-gradient-right.md", "python/README.md"]:
        assert run(name, python_blocks((ROOT / name).read_text(), ("python torch",))) > 0
    tries = [run(f"torch.{name}", inspect.getdoc(getattr(torch, name))) for name in torch.__all__]
    assert run("torch", inspect.getdoc(torch)) > 0 and min(tries) > 0
