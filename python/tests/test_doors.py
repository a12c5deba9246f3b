"""One door: what Python is answered is what the command line prints, notes included."""

import pathlib
import subprocess

import pytest
import smoothish

ROOT = pathlib.Path(__file__).resolve().parents[2]
PROGRAM = ROOT / "target" / "debug" / "smoothish"


def printed(text):
    """What the command line answers, its notes, and its status."""
    command = [PROGRAM, "eval", "--timeout", "20", "-e", text]
    run = subprocess.run(command, capture_output=True, encoding="utf-8", check=False)
    notes = [line.removeprefix("note: ") for line in run.stderr.splitlines() if line.startswith("note: ")]
    return run.stdout.strip(), notes, run.returncode


@pytest.mark.skipif(not PROGRAM.exists(), reason="the program of the command line is not built")
@pytest.mark.parametrize("corpus", ["book", "claims", "malformed"])
def test_the_corpus_is_answered_alike(corpus):
    texts = (ROOT / "crates" / "laws" / "corpus" / f"{corpus}.txt").read_bytes().decode()
    answered = refused = 0
    for text in texts.rstrip("\n").split("\n----\n")[::4]:
        if "\0" in text or len(text) > 2000:
            continue
        out, notes, status = printed(text)
        try:
            answer = smoothish.ask(text, timeout=20)
        except (smoothish.SmoothishError, TypeError):
            assert status in (2, 4), text
            refused += 1
            continue
        if answer.stopped:
            continue
        assert answer.reached == (status == 0), text
        # options of the command line are arguments here, and are said so
        assert [str(note) for note in answer.notes if "model=" not in str(note)] == [n for n in notes if "--" not in n], text
        if isinstance(answer.value, smoothish.Interval):
            assert str(answer.value) == out, text
        answered += 1
    assert answered + refused > 5 and (answered > 5 or corpus == "malformed"), (answered, refused)
