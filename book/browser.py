"""Drives the live book in headless Chromium: `browser.py PROGRAM CHROMIUM`. Needs playwright.

Each check says what it expected and what it found; the exit status is 1 if any failed. `book/test` calls this file.
"""

import re
import signal
import subprocess
import sys
import time
from pathlib import Path

from playwright.sync_api import sync_playwright

program, chromium = sys.argv[1:3]
CHAPTERS = sorted(path.stem for path in (Path(__file__).parent / "src").glob("*.md") if path.stem != "SUMMARY")
# A question that works for longer than anybody waits.
LONG = (
    "min01 (\\a => min01 (\\b => min01 (\\c => min01 (\\d => min01 (\\e => "
    "(a-b)^2+(b-c)^2+sin (9*(c+d))+cos (7*e*a))))))"
)
failures = []


def check(what, found, expected):
    """Compares a value with the expected one, or asks the expected predicate."""
    holds = expected(found) if callable(expected) else found == expected
    print(("ok      " if holds else "FAILED  ") + what + ("" if holds else f": found {found!r}"), flush=True)
    if not holds:
        failures.append(what)


def children(server):
    """Returns the processes that the server has started and that still run."""
    try:
        listed = subprocess.run(["ps", "-o", "pid=,stat=", "--ppid", str(server.pid)], capture_output=True, text=True).stdout
    except FileNotFoundError:
        return []
    return [line.split()[0] for line in listed.splitlines() if "Z" not in line.split()[1]]


def nth_question(page, block):
    """Returns the text and the answers of the first question of a block, counted from 0."""
    question = page.locator("pre.live").nth(block).locator(".question").first
    return question.locator(".text"), page.locator("pre.live").nth(block).locator(".answers").first, question


def ask(page, block, text, ready, timeout=15000):
    """Edits the first question of a block, runs it by Enter, and waits until its answer has `ready` in it."""
    field, answers, question = nth_question(page, block)
    field.fill(text)
    field.press("Enter")
    page.wait_for_function(
        "([block, ready]) => { const a = document.querySelectorAll('pre.live')[block].querySelector('.answers');"
        " return !a.classList.contains('busy') && new RegExp(ready).test(a.innerText + a.innerHTML); }",
        arg=[block, ready],
        timeout=timeout,
    )
    return answers.inner_text()


def block_of(page, kind):
    """Returns the number of the first block of a kind on the page."""
    return page.evaluate(
        "kind => [...document.querySelectorAll('pre.live')].findIndex(b => b.dataset.kind === kind)", kind
    )


server = subprocess.Popen([program, "book", "--no-browser"], stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True)
try:
    address = server.stdout.readline().strip()
    origin = re.match(r"http://127\.0\.0\.1:\d+", address).group(0)
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=chromium, args=["--no-sandbox"])
        context = browser.new_context(viewport={"width": 1280, "height": 900})
        context.grant_permissions(["clipboard-read", "clipboard-write"], origin=origin)
        page = context.new_page()
        outside, errors = [], []
        page.on("request", lambda request: request.url.startswith((origin, "blob:")) or outside.append(request.url))
        page.on("console", lambda message: message.type == "error" and errors.append(message.text[:300]))
        page.on("pageerror", lambda error: errors.append(str(error)))

        stranger = browser.new_context().new_page()
        check("without the address there is no page", stranger.goto(origin + "/plots.html").status, 403)

        page.goto(address)
        page.wait_for_selector("pre.live .run, .content h1")
        check("the address opens the first page", page.url, origin + "/")

        # Edit and run, on pages of five kinds.
        page.goto(origin + "/derivatives-at-kinks.html")
        block = block_of(page, "smoothish")
        check("every question can be run", page.locator(".text[contenteditable]").count(), page.locator(".question").count())
        check("an edited question is answered", ask(page, block, "deriv (\\x => max 0 (3*x)) 0", "3\\]"), lambda text: "[0, 3]" in text)
        check("an answer is text, never HTML", ask(page, block, "<img src=x onerror=alert(1)>", "error"), lambda text: text.startswith("error"))
        check("and makes no element", page.locator("pre.live .answers img").count(), 0)
        field, answers, question = nth_question(page, block)
        field.press("Escape")
        check("Escape restores the question", field.inner_text(), lambda text: "onerror" not in text)
        field.fill("let x = 2 in")
        field.press("Shift+Enter")
        field.press_sequentially("x * 21")
        check("Shift-Enter breaks the line", field.evaluate("e => e.innerText"), lambda text: text.strip() == "let x = 2 in\nx * 21")
        question.locator(".run").click()
        page.wait_for_function("b => /42/.test(document.querySelectorAll('pre.live')[b].querySelector('.answers').innerText)", arg=block)
        question.locator(".copy").click()
        check("copy takes the question alone", page.evaluate("navigator.clipboard.readText()").strip(), "let x = 2 in\nx * 21")
        selected = page.evaluate(
            "b => { const r = document.createRange(); r.selectNodeContents(document.querySelectorAll('pre.live')[b].querySelector('.question'));"
            " const s = getSelection(); s.removeAllRanges(); s.addRange(r); return s.toString(); }",
            block,
        )
        check("a selection has no prompt and no label", selected.strip(), "let x = 2 in\nx * 21")

        page.goto(origin + "/plots.html")
        block = block_of(page, "shell")
        ask(page, block, "plot '\\x => abs (sin (2*x))' --from -4 --to 4 -o picture.svg", "blob:")
        page.wait_for_function("b => document.querySelectorAll('pre.live')[b].querySelector('img.picture')?.naturalWidth > 100", arg=block)
        check("a plot is shown as a picture", page.locator("img.picture").count(), 1)
        check("a file elsewhere is not read", ask(page, block, "eval -f /etc/passwd", "passwd"), lambda text: "a page reads no files" in text)

        page.goto(origin + "/models.html")
        block = block_of(page, "agree")
        ask(page, block, "sin 1", "<table>")
        rows = page.locator("pre.live").nth(block).locator("table tr")
        check("a table is a table", rows.count(), lambda count: count > 4)
        check("with a cell for each column", rows.nth(1).locator("td").all_inner_texts(), lambda cells: cells[0] == "presheaf" and "0.8414" in cells[1])

        page.goto(origin + "/the-prompt.html")
        block = block_of(page, "session")
        ask(page, block, "let twice x = 2 * x", "twice : ")
        questions = page.locator("pre.live[data-kind=session] .question")
        following = questions.nth(1)
        following.locator(".text").fill("twice 21")
        following.locator(".run").click()
        page.wait_for_function("() => /42/.test([...document.querySelectorAll('pre.live[data-kind=session] .answers')][1].innerText)")
        check("a session knows the inputs above", page.locator("pre.live[data-kind=session] .answers").nth(1).inner_text(), lambda text: text.startswith("42"))

        page.goto(origin + "/is-my-gradient-right.html")
        block = block_of(page, "smoothish") if block_of(page, "smoothish") >= 0 else block_of(page, "shell")
        field, answers, question = nth_question(page, block)
        kind = page.locator("pre.live").nth(block).get_attribute("data-kind")
        field.fill(LONG if kind == "smoothish" else f"eval --timeout 30 '{LONG}'")
        field.press("Enter")
        page.wait_for_function("b => /…/.test(document.querySelectorAll('pre.live')[b].querySelector('.answers').innerText)", arg=block)
        check("the best answer so far is shown", answers.inner_text(), lambda text: re.match(r"\[.*\] …", text))
        check("a process answers", len(children(server)), lambda count: count >= 1)
        stopped = time.monotonic()
        question.locator(".run").click()
        page.wait_for_function("b => !document.querySelectorAll('pre.live')[b].querySelector('.answers').classList.contains('busy')", arg=block)
        check("a stopped question ends within 0.6 s", time.monotonic() - stopped, lambda seconds: seconds < 0.6)
        check("with its best answer", answers.inner_text(), lambda text: text.startswith("["))
        field.press("Enter")
        page.wait_for_timeout(400)
        running = len(children(server))
        page.goto(origin + "/plots.html")
        page.wait_for_timeout(1200)
        check("a page that is left leaves no process", (running > len(children(server)), len(children(server))), (True, 1))  # the prompt

        wide = {}
        for width in (1280, 390):
            page.set_viewport_size({"width": width, "height": 900})
            for chapter in CHAPTERS:
                page.goto(f"{origin}/{chapter}.html")
                found = page.evaluate(
                    "[...document.querySelectorAll('pre, pre > code, .live .answer, main img, .formula, p > math')].filter(e =>"
                    " !e.matches('.formula') && e.scrollWidth > e.clientWidth + 1 && e.clientWidth > 0 && getComputedStyle(e).display !== 'inline'"
                    " || e.getBoundingClientRect().right > innerWidth + 1).length"
                )
                if found:
                    wide[f"{chapter} at {width}"] = found
        check(f"no block is wider than the page, on {len(CHAPTERS)} chapters", wide, {})
        page.set_viewport_size({"width": 1280, "height": 900})

        page.goto(origin + "/the-live-book.html")
        page.wait_for_load_state("networkidle")
        check("formulas are set in their font", page.evaluate("document.fonts.check('16px \"Latin Modern Math Subset\"') && [...document.fonts].some(f => f.family.includes('Latin') && f.status === 'loaded')"), True)
        heights = page.evaluate("[...document.querySelectorAll('math')].map(m => m.getBoundingClientRect().height)")
        check("a formula on its own line is higher than one in a line", max(heights) > 1.8 * min(heights), True)
        page.goto(origin + "/derivatives-at-kinks.html")
        check("a name has its type as a title", page.locator("pre.live .name").first.get_attribute("title"), lambda title: " — " in title)
        # mdBook's own parts work under the policy: search, themes and navigation.
        page.keyboard.press("s")
        page.locator("#mdbook-searchbar").fill("Clarke")
        page.wait_for_selector("#mdbook-searchresults li a")
        check("search finds something", page.locator("#mdbook-searchresults li a").count(), lambda count: count > 2)
        page.keyboard.press("Escape")
        page.locator("#mdbook-theme-toggle").click()
        page.locator("#mdbook-theme-navy").click()
        check("a theme is taken", page.evaluate("document.documentElement.className"), lambda names: "navy" in names)
        check("no request has left the address", outside, [])
        check("the console has no error", sorted(set(errors))[:5], [])
        browser.close()
    server.send_signal(signal.SIGINT)
    check("Ctrl-C ends the server", server.wait(5), 0)
    check("and leaves no process", children(server), [])
finally:
    server.kill()
sys.exit(1 if failures else 0)
