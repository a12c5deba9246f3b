"""The repository of the examples, which is laid out as a user's: its own tests pass, under the options of its recipe."""

import pathlib
import subprocess
import sys
from importlib.util import find_spec

import pytest

REPOSITORY = pathlib.Path(__file__).resolve().parents[1] / "examples/own_repository"


@pytest.mark.skipif(find_spec("jax") is None and find_spec("torch") is None, reason="neither JAX nor torch is installed")
def test_the_repository_of_the_examples(tmp_path):
    recipe = (REPOSITORY / ".github/workflows/gradients.yml").read_text()
    command = next(line.partition("run: ")[2] for line in recipe.splitlines() if "run: pytest" in line)
    options = [option.replace("gradients.xml", str(tmp_path / "gradients.xml")) for option in command.split()[1:]]
    asked = [sys.executable, "-m", "pytest", *options, "-p", "no:cacheprovider"]
    found = subprocess.run(asked, cwd=REPOSITORY, capture_output=True, text=True, check=False)
    assert found.returncode == 0, found.stdout + found.stderr
    assert (tmp_path / "gradients.xml").exists() and " failed" not in found.stdout
