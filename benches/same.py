"""Whether a refactoring changed nothing: the answers of two builds, compared byte for byte.

    cargo build --release && cp target/release/smoothish before             # then the change, and
    cargo build --release
    python3 benches/same.py before target/release/smoothish                 # a quarter of an hour, on two idle cores
    python3 benches/same.py before target/release/smoothish --sample 0.05   # a minute, for a look
    python3 benches/same.py before target/release/smoothish --only book,laws

Compared are the output, the error stream, the exit status and the files that are written. The parts:

| part | what is asked |
|---|---|
| corpus | each program of `crates/laws/corpus`: `eval`, also as JSON and to 30 digits, `agree`, `fmt` |
| book | each command of the README and of the book, but for campaigns; the help of each command |
| laws | `check` by theory, `theorem`, `mutants` one by one, `fuzz` |
| campaigns | 2000 programs of `campaign`, 2000 with `--borders`, 2000 with `--models`, and of `adequacy` |
| python | with `--python`: values, Jacobians and 200 audits, asked of two interpreters that have the package |
| instructions | with `--instructions`: the counts of `instructions.py`; none may grow by more than a hundredth and 10,000 |

Times and peaks of memory are masked, and nothing else. An answer that the clock cut short in OLD depends on the machine: it is counted, not
compared. Where answers differ OLD is asked again, alone; if it differs from itself, that is told instead, as `unsteady`. The status is 1 where
something differs, 2 where the question is wrong.
"""

import argparse
import collections
import concurrent.futures
import difflib
import functools
import hashlib
import json
import os
import pathlib
import random
import re
import shlex
import shutil
import subprocess
import sys
import tempfile
import time

import instructions

THIS = pathlib.Path(__file__).resolve()
ROOT = THIS.parent.parent
SHORT, LONG, ENDED = 20, 600, 1200  # seconds: for a program of the corpus, for a law, and until a command is ended
AGAIN = 3  # how often OLD is asked again
SHOWN, LINES = 50, 8  # how many differences are shown, and of each how many lines
ALLOWED, NOISE = 1.01, 10_000  # by how much a count may grow, and how many instructions depend on where memory lies

# What is asked: arguments, input, the files that it presupposes, and after how many seconds its answer is one of the clock.
Command = collections.namedtuple("Command", "words input files limit", defaults=("", (), ENDED))
# What is answered, and whether the clock may have cut it short, which is not compared.
Answer = collections.namedtuple("Answer", "status out err files is_cut")

TIMES = [
    (r'"(ms|seconds|slowest_ms|peak_kib)":[-+.e\d]+', r'"\1":0'),
    (r"(?m)^(    \S.*  width \S+, )[\d.]+ (µs|ms|s)$", r"\1TIME"),
    (r"(?m)^(\d+ of \d+ intervals contain the true value; )[\d.]+ (µs|ms|s) ", r"\1TIME "),
]
# the column of times is as wide as the longest time
TABLE = r"(?m)^model .* time +verdict\n(?:.+\n)*"
CELL = r"  (\d+ µs|\d+\.\d m?s|time) +"
CUT = r'within [\d.]+ s\b|[\d.]+ s were not enough|within 1 GB of memory|1 GB of memory was not enough|was up after \d+ steps|"cut":[1-9]'


def masked(text):
    for pattern, instead in TIMES:
        text = re.sub(pattern, instead, text)
    return re.sub(TABLE, lambda table: re.sub(CELL, "  TIME  ", table[0]), text)


def ask(program, command):
    """What a program answers, in a folder that holds what the command presupposes and nothing else."""
    with tempfile.TemporaryDirectory() as folder:
        folder = pathlib.Path(folder)
        (folder / "pictures").mkdir()
        for name, text in command.files:
            (folder / name).write_text(text, encoding="utf-8")
        # messages name the program; an interpreter finds its packages by its own path
        name = program if command.words[:1] == (str(THIS),) else "smoothish"
        clean = {"PATH": os.environ["PATH"], "HOME": str(folder), "NO_COLOR": "1", "LC_ALL": "C.UTF-8"}
        start = time.monotonic()
        try:
            setting = {"executable": program, "cwd": folder, "env": clean, "capture_output": True, "timeout": ENDED}
            run = subprocess.run([name, *command.words], input=command.input.encode(), **setting)
            status, streams = run.returncode, [run.stdout, run.stderr]
        except subprocess.TimeoutExpired:
            status, streams = "not ended", [b"", b""]
        seconds = time.monotonic() - start
        written = [path for path in sorted(folder.rglob("*")) if path.is_file()]
        files = {str(path.relative_to(folder)): hashlib.sha256(path.read_bytes()).hexdigest() for path in written}
    out, err = (masked(stream.decode(errors="surrogateescape")) for stream in streams)
    return Answer(status, out, err, files, seconds > 0.9 * command.limit or bool(re.search(CUT, out + err)))


def is_same(before, after):
    return before[:4] == after[:4]


def fate(old, new, command):
    """`equal`, `cut` or `differs`, and both answers."""
    before = ask(old, command)
    if before.is_cut:
        return "cut", before, None
    after = ask(new, command)
    return "equal" if is_same(before, after) else "differs", before, after


def fate_alone(old, new, command, before, after):
    """The fate of a command whose answers differ, when nothing else runs."""
    if not all(is_same(before, ask(old, command)) for _ in range(AGAIN)):
        return "unsteady"
    # what was cut short because the machine was busy
    return "equal" if after.is_cut and is_same(before, ask(new, command)) else "differs"


def shown(text):
    return "".join(letter if letter.isprintable() else ascii(letter)[1:-1] for letter in text)[:200]


def difference(before, after):
    """In what two answers differ, in a few lines."""
    if before.status != after.status:
        yield f"exit status {before.status}, now {after.status}"
    for old, new in [(before.out, after.out), (before.err, after.err)]:
        lines = list(difflib.unified_diff(old.splitlines(True), new.splitlines(True), n=0))[2:]
        lines = [line for line in lines if not line.startswith("@@")][:LINES]
        # of long lines that begin alike, from where they differ
        skip = max(1, len(os.path.commonprefix([line[1:] for line in lines])) - 60) if len(lines) > 1 else 1
        yield from (line[0] + "…" * (skip > 1) + line[skip:] for line in lines)
    for name in sorted(before.files.keys() | after.files.keys()):
        if before.files.get(name) != after.files.get(name):
            yield f"the file {name} differs"


# ---- what is asked


def programs(name):
    return (ROOT / f"crates/laws/corpus/{name}.txt").read_bytes().decode().rstrip("\n").split("\n----\n")


def corpus(_):
    for program in [program for name in ["book", "claims", "malformed"] for program in programs(name)]:
        for options in ["eval", "eval --json", "eval --digits 30", "agree --json"]:
            # a program may begin with `-`; what no argument can hold is asked as the input
            words = ["-"] if "\0" in program else ["--", program]
            yield Command((*options.split(), f"--timeout={SHORT}", *words), program, limit=SHORT)
        yield Command(("fmt", "-"), f"theory Same\n\nlet same = {program}\n")


def blocks(text):
    """The fenced blocks of a chapter: tag and lines, as `tests/house/book.rs` reads them."""
    return [(tag.strip(), inside.splitlines()) for tag, inside in re.findall(r"(?ms)^ *```([^\n]*)\n(.*?)^ *```$", text)]


def questions(tag, lines):
    """The questions of a block, each with its tolerance: a line behind a prompt, and those that continue it."""
    if tag not in ("smoothish", "agree", "session", "shell", "console"):
        return []
    prompt = r"()\$ (?:smoothish|cargo run --) " if tag in ("shell", "console") else r"((?:eps|rel|digits)=\S*?)?> "
    found, goes_on = [], None
    for line in lines:
        if begun := re.match(prompt, line):
            found.append([begun[1], line[begun.end() :]])
            goes_on = "| ".rjust(begun.end() if tag == "session" else 0)
        elif goes_on and line.startswith(goes_on):
            found[-1][1] += "\n" + line[len(goes_on) :]
        else:
            goes_on = None
    return found


def book(old):
    for path in [*sorted((ROOT / "book/src").glob("*.md")), ROOT / "README.md"]:
        held = blocks(path.read_text(encoding="utf-8"))
        files = tuple((tag[7:], "\n".join(lines) + "\n") for tag, lines in held if tag.startswith("theory "))
        for tag, (goal, source) in [(tag, question) for tag, lines in held for question in questions(tag, lines)]:
            if tag in ("smoothish", "agree"):
                command = "agree" if tag == "agree" else "eval"
                yield Command((command, *([f"--{goal}"] if goal else []), "--", source), files=files)
            elif tag != "session" and source.split()[0] not in ("campaign", "adequacy", "fuzz"):
                yield Command(tuple(shlex.split(source)), files=files)
        # a chapter is one session
        inputs = [source for tag, lines in held if tag == "session" for _, source in questions(tag, lines)]
        if inputs:
            yield Command(("repl",), "\n".join(inputs) + "\n", files)
    told = subprocess.run([old, "--help"], capture_output=True, text=True, check=True).stdout
    for name in re.findall(r"(?m)^  (?!help)([a-z]+)  ", told):
        yield from (Command((name, "--help")), Command(("man", name)))
    yield from (Command(tuple(words.split())) for words in ["--help", "doc", "features --json", "completions bash"])


def listed(old, *words):
    lines = subprocess.run([old, *words, "--json"], capture_output=True, text=True, check=True).stdout.splitlines()
    return [name for line in lines for key, name in json.loads(line).items() if key in ("theorem", "mutant")]


def laws(old):
    for words in ["mutants --list", "mutants --macro --list", "theorem"]:
        yield Command(tuple(words.split()))
    for path in sorted((ROOT / "theories").glob("*.theory")):
        text = path.read_text(encoding="utf-8")
        theory = re.search(r"(?m)^theory (\w+)", text)[1]
        yield Command(("check", theory, f"--timeout={LONG}"), limit=LONG)
        yield Command(("check", theory, f"--timeout={LONG}", "--seed=1", "--json"), limit=LONG)
        yield Command(("fmt", "-"), text)
    for theorem in listed(old, "theorem"):
        yield from (Command(("theorem", theorem, *options)) for options in [(), ("--seed=1", "--json")])
    for mutant in listed(old, "mutants", "--list"):
        yield Command(("mutants", "--mutant", mutant, "--verbose", f"--timeout={LONG}"), limit=LONG)
        yield Command(("mutants", "--mutant", mutant, "--json", f"--timeout={LONG}"), limit=LONG)
    for mutant in listed(old, "mutants", "--macro", "--list"):
        yield Command(("mutants", "--macro", "--mutant", mutant, "--seeds=2", "--json"))
    for target, first in [(target, first) for target in ["parse", "check"] for first in range(0, 20_000, 1000)]:
        yield Command(("fuzz", "--target", target, f"--from={first}", "--executions=1000", "--json"))


def campaigns(_):
    # one by one or few at a time: of what the clock cuts little else is lost; a question of --models has four seconds
    for step, limit, words in [(1, ENDED, "--millis=3000"), (1, 4, "--models"), (20, ENDED, "--borders")]:
        for first in range(0, 2000, step):
            yield Command(("campaign", "--seed=1", f"--from={first}", f"--programs={step}", words, "--json"), limit=limit)
        yield Command(("campaign", "--seed=1", "--programs=20", words))
    for seed, over in [(seed, over) for seed in range(1, 11) for over in ["rationals", "reals"]]:
        yield from (Command(("adequacy", f"--seed={seed}", "--programs=200", "--over", over, *json)) for json in [(), ("--json",)])


def package(_):
    for kind, count in [("values", len(programs("book"))), ("jacobians", len(FUNCTIONS)), ("audits", 200)]:
        yield from (Command((str(THIS), "--answer", kind, str(index))) for index in range(0, count, 10))


PARTS = {"corpus": corpus, "book": book, "laws": laws, "campaigns": campaigns, "python": package, "instructions": None}

# ---- what the package answers, in an interpreter that has it

FUNCTIONS = [
    r"\x => x^3 * exp (-x)",
    r"\x y => (x * sin x + max x y, x / y)",
    r"\x y z => (sqrt (x^2 + y^2 + z^2), atan2 y x, log (1 + x^2) * z)",
    r"\x y => (lgamma (1 + x^2), abs (x - y), if x < y then x * y else x + y)",
    r"\c => integral01 (\x => max 0 (x - c))",
    r"\c => deriv (\x => exp (c * x) / (1 + x^2)) 0.5",
    r"\c => firstRoot (\x => x^3 + x - c^2)",
    r"\c => max01 (\x => x * (c - x))",
    r"\x y => (tanh x + sigmoid y, (2 + cos x)^(1/3), min (min x y) (x * y))",
    r"\x => if x == 0 then 0 else x^2 * sin (1/x)",
]
AUDITED = [
    *(r"\x => x^2", "abs", "sqrt", "cbrt", r"\x => max x 0 + min x 0", r"\x => log (1 + exp x)", r"\x => sin x / x"),
    *(r"\x => if x > 0 then 1 else 0", r"\x => if x == 0 then 0 else x^2 * sin (1/x)", r"\x => exp (-x^2) * x"),
]


def exact(answer):
    """An answer with the ends of its intervals as they are, which are rounded where they are shown."""
    if hasattr(answer, "reached"):
        return f"[{answer.lo}, {answer.hi}] {answer.defined} {answer.reached}"
    if isinstance(answer, (tuple, list)):
        return [exact(part) for part in answer]
    return repr(answer.tolist() if hasattr(answer, "tolist") else answer)


def answer(kind, first):
    import smoothish

    draw = random.Random(1)
    points = [[draw.choice([0.0, 0.5, 1.0, draw.uniform(-2, 2)]) for _ in range(3)] for _ in range(20)]
    for index in range(int(first), int(first) + 10):
        if kind == "values":
            asked = [functools.partial(smoothish.eval, program) for program in programs("book")[index : index + 1]]
        elif kind == "jacobians":
            f = smoothish.compile(FUNCTIONS[index])
            places = [point[: f.inputs] for point in points]
            asked = [functools.partial(of, places) for of in (f.batch, f.jacobian)]
            asked += [functools.partial(of, place, "1e-9") for of in (f.at, f.jacobian_at) for place in places[:8]]
        else:
            x = points[index // 10][0]
            claim = draw.choice([0.0, 1.0, 2 * x, 2 * x + 1e-9, float("nan")])
            asked = [functools.partial(smoothish.audit, AUDITED[index % 10], x, claim)]
        for number, question in enumerate(asked):
            try:
                print(kind, index, number, exact(question()))
            except smoothish.SmoothishError as error:
                print(kind, index, number, type(error).__name__, error)


# ---- the comparison


reading = functools.cache(instructions.count_reading)


def counted(old, new, row):
    """The fate of a row of `instructions.py`, and what is said of it. Without a tolerance it is to start and to read the question."""
    name, question, eps = row
    before, after = (reading(program, question) for program in (old, new))
    if eps:
        before, after = instructions.count(old, question, eps) - before, instructions.count(new, question, eps) - after
    what = "differs" if after > ALLOWED * before + NOISE else "equal"
    return what, f"{name}, {f'to {eps}' if eps else 'read'}: {before:,} instructions, now {after:,}"


def rows():
    return [(name, question, eps) for name, question, widths in instructions.QUESTIONS for eps in [None, *widths]]


def told(what, fates):
    unsteady = f", {fates['unsteady']} that OLD answers in several ways" if fates["unsteady"] else ""
    return f"{what}: {fates.total()} asked, {fates['equal']} equal, {fates['cut']} cut, not compared{unsteady}, {fates['differs']} different"


def tried(part, old, new, share, jobs):
    """Asks what is in a part, prints what differs, and returns how many have which fate."""
    asked = list(PARTS[part](old)) if PARTS[part] else rows()
    chosen = sorted(random.Random(1).sample(range(len(asked)), max(1, round(share * len(asked)))))
    asked, start, fates = [asked[index] for index in chosen], time.monotonic(), collections.Counter()
    with concurrent.futures.ThreadPoolExecutor(jobs) as pool:
        found = list(pool.map(functools.partial(fate if PARTS[part] else counted, old, new), asked))
    for command, (what, *said) in zip(asked, found):
        if PARTS[part] and what == "differs" and fates["differs"] < SHOWN:
            what = fate_alone(old, new, command, *said)
        fates[what] += 1
        if what in ("cut", "unsteady") or what == "differs" and fates[what] <= SHOWN:
            print(f"{what}: {shown(shlex.join(command.words)) if PARTS[part] else said[0]}")
        if PARTS[part] and what == "differs" and fates[what] <= SHOWN:
            print("".join(f"    {shown(line)}\n" for line in difference(*said)), end="", flush=True)
    seconds = round(time.monotonic() - start)
    print(f"{told(part, fates)}; {seconds} s", flush=True)
    return fates


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("old", metavar="OLD", help="the program as it was")
    parser.add_argument("new", metavar="NEW", help="the program as it is")
    parser.add_argument("--only", metavar="PARTS", help=f"of {','.join(PARTS)}")
    parser.add_argument("--sample", metavar="SHARE", type=float, default=1, help="a share of each part, the same each time")
    parser.add_argument("--jobs", metavar="N", type=int, default=2, help="how many commands run at once")
    parser.add_argument("--python", metavar=("OLDPY", "NEWPY"), nargs=2, help="interpreters that have the package")
    parser.add_argument("--instructions", action="store_true", help="count instructions; needs valgrind")
    options = parser.parse_args()
    without = {"python": not options.python, "instructions": not options.instructions}
    parts = options.only.split(",") if options.only else [part for part in PARTS if not without.get(part)]
    for part in parts:
        if part not in PARTS:
            parser.error(f"there is no part {part!r}; there are {', '.join(PARTS)}")
        if without.get(part):
            parser.error(f"the part {part} needs --{part}")
    if not 0 < options.sample <= 1 or options.jobs < 1:
        parser.error("--sample is above 0 and at most 1, and --jobs at least 1")
    if "instructions" in parts and not shutil.which("valgrind"):
        parser.error("valgrind is not here")
    # links are kept: an interpreter of a virtual environment is one
    builds = [os.path.abspath(path) for path in (options.old, options.new)]
    interpreters = [os.path.abspath(path) for path in options.python or ()]
    if missing := [path for path in builds + interpreters if not os.access(path, os.X_OK) or os.path.isdir(path)]:
        parser.error(f"{missing[0]} is no program")
    # builds from before exact numbers were printed plainly have an interval here
    if ask(builds[0], Command(("eval", "1/4"))).out not in ("0.25\n", "[0.25, 0.25]\n"):
        parser.error(f"{builds[0]} is no smoothish: it does not answer 1/4")
    if interpreters and subprocess.run([interpreters[0], "-c", "import smoothish"], capture_output=True).returncode:
        parser.error(f"{interpreters[0]} does not have the package")
    total = collections.Counter()
    for part in parts:
        total += tried(part, *(interpreters if part == "python" else builds), options.sample, options.jobs)
    print(told("all", total))
    return 1 if total["differs"] else 0


if __name__ == "__main__":
    sys.exit(answer(*sys.argv[2:]) if sys.argv[1:2] == ["--answer"] else main())
