// The examples of the book: they can be copied, and where a server answers beside the page, edited and run.
// Nothing that an answer says is read as HTML.
(function () {
  "use strict";
  const live = document.querySelector('meta[name="smoothish-live"]');
  const sessions = {};

  for (const block of document.querySelectorAll("pre.live")) {
    let example = null;
    for (const part of [...block.children]) {
      if (part.classList.contains("question")) example = prepare(block, part);
      else if (example) example.answers.append(part);
    }
    for (const made of block.querySelectorAll(".answers")) tabulate(made);
  }

  function element(tag, name, text) {
    const made = document.createElement(tag);
    if (name) made.className = name;
    if (text !== undefined) made.textContent = text;
    return made;
  }

  function button(name, label, act) {
    const made = element("button", name);
    made.type = "button";
    // Labels are content of the style sheet, so that they are not copied with the question.
    made.dataset.label = label;
    made.setAttribute("aria-label", name);
    made.addEventListener("click", act);
    return made;
  }

  function prepare(block, question) {
    const text = question.querySelector(".text");
    const example = {
      page: block.dataset.page, kind: block.dataset.kind, goal: text.dataset.goal, text, prompt: question.querySelector(".prompt"),
      original: text.textContent, answers: element("span", "answers"), run: null, name: null, started: 0,
    };
    const tools = element("span", "tools");
    question.prepend(tools);
    question.after(example.answers);
    // Browsers give pages without encryption no clipboard, but for those of this machine.
    if (navigator.clipboard) tools.append(button("copy", "copy", () => navigator.clipboard.writeText(source(text))));
    if (!live) return example;
    // The inputs of a session, in the order of the page.
    if (example.kind === "session") (sessions[example.page] ??= []).push(example);
    example.answers.setAttribute("aria-live", "polite");
    text.setAttribute("contenteditable", "plaintext-only");
    text.setAttribute("role", "textbox");
    text.setAttribute("aria-multiline", "true");
    text.setAttribute("aria-label", "question");
    text.spellcheck = false;
    example.button = button("run", "▸ run", () => (example.run ? stop(example) : run(example)));
    tools.append(example.button);
    text.addEventListener("keydown", (event) => {
      // mdBook turns pages by arrow keys, and searches by letters.
      event.stopPropagation();
      if (event.key === "Enter" && !event.shiftKey && !event.isComposing) {
        event.preventDefault();
        if (!example.run) run(example);
      } else if (event.key === "Escape") {
        text.textContent = example.original;
        text.blur();
      }
    });
    return example;
  }

  function post(path, body, signal) {
    return fetch(path, {
      method: "POST", signal, headers: { "Content-Type": "application/json", "X-Smoothish": live.content }, body: JSON.stringify(body),
    });
  }

  function answer(example, line) {
    const kind = /^(note|  = )/.test(line) ? " note" : /^(error|exit status)/.test(line) ? " error" : "";
    // A blank line of a table would have no height.
    const made = element("span", "answer" + kind, line || "\u00a0");
    example.answers.append(made);
    return made;
  }

  // The inputs of a session that stand above one.
  function above(example) {
    return example.kind === "session" ? sessions[example.page].slice(0, sessions[example.page].indexOf(example)) : [];
  }

  // The text of a question, as its lines: a browser makes elements of them where it has no plain text.
  function source(text) {
    return text.innerText.replace(/\u00a0/g, " ").replace(/\n+$/, "");
  }

  async function run(example) {
    example.run = new AbortController();
    example.name = null;
    example.started = performance.now();
    example.answers.classList.add("busy");
    const clock = setInterval(() => {
      example.button.dataset.label = "■ " + ((performance.now() - example.started) / 1000).toFixed(1) + " s";
    }, 100);
    example.button.dataset.label = "■ stop";
    example.button.setAttribute("aria-label", "stop");
    try {
      const before = above(example).map((earlier) => source(earlier.text));
      const body = { page: example.page, kind: example.kind, goal: example.goal, text: source(example.text), before };
      const reply = await post("/run", body, example.run.signal);
      if (!reply.ok) throw new Error((await reply.text()).trim());
      await read(example, reply.body.pipeThrough(new TextDecoderStream()).getReader());
    } catch (error) {
      example.answers.textContent = "";
      const gone = error instanceof TypeError;
      answer(example, error.name === "AbortError" ? "note: stopped"
        : gone ? "error: the book's server does not answer; start `smoothish book` again" : "error: " + error.message);
    }
    clearInterval(clock);
    example.run = null;
    example.answers.classList.remove("busy");
    example.button.dataset.label = "▸ run";
    example.button.setAttribute("aria-label", "run");
  }

  async function read(example, reader) {
    let rest = "";
    let isAnswered = false;
    for (;;) {
      const { done, value } = await reader.read();
      if (done) break;
      const lines = (rest + value).split("\n");
      rest = lines.pop();
      for (const line of lines) isAnswered = show(example, JSON.parse(line)) || isAnswered;
    }
    if (!isAnswered) throw new TypeError("the stream has ended");
  }

  // Shows one line of a reply. Returns true for the answer.
  function show(example, said) {
    if (said === null) return true;
    if (said.run) example.name = said.run;
    if (said.lines === undefined) {
      const best = said.best ? `[${said.best.join(", ")}]` : said.percentage === undefined ? null : `drawing ${said.percentage} %`;
      if (best) {
        example.answers.textContent = "";
        answer(example, best + " …");
      }
      return false;
    }
    example.answers.classList.remove("busy");
    example.answers.textContent = "";
    for (const line of said.lines) answer(example, line);
    for (const picture of said.pictures ?? []) pictured(example, picture);
    tabulate(example.answers);
    // A command of a session may change the accuracy, which the next prompt shows.
    const next = example.kind === "session" ? sessions[example.page][above(example).length + 1] : null;
    if (next && said.goal) next.prompt.dataset.prompt = said.goal + "> ";
    return true;
  }

  function pictured(example, picture) {
    const bytes = Uint8Array.from(atob(picture.bytes), (letter) => letter.charCodeAt(0));
    if (!picture.type.startsWith("image/")) {
      for (const line of new TextDecoder().decode(bytes).split("\n")) answer(example, line);
      return;
    }
    const image = element("img", "picture");
    image.alt = picture.name;
    // An image runs no script, whatever the file says.
    image.src = URL.createObjectURL(new Blob([bytes], { type: picture.type }));
    image.addEventListener("load", () => URL.revokeObjectURL(image.src));
    const holder = element("span", "answer");
    holder.append(image);
    example.answers.append(holder);
  }

  async function stop(example) {
    const { run, name } = example;
    if (!name) return run.abort();
    // The best answer so far comes within half a second.
    setTimeout(() => example.run === run && run.abort(), 2000);
    await post("/stop", { run: name }).catch(() => run.abort());
  }

  // Makes tables of lines in columns: a heading of two words or more, with two blanks between, and lines below that have blanks there.
  function tabulate(answers) {
    const lines = [...answers.children];
    for (let at = 0; at + 1 < lines.length; at += 1) {
      const starts = columns(lines[at]);
      if (!starts) continue;
      let end = at + 1;
      while (end < lines.length && fits(lines[end], starts)) end += 1;
      if (end === at + 1) continue;
      const table = element("table", "");
      for (let row = at; row < end; row += 1) {
        const letters = [...lines[row].textContent];
        const made = element("tr", "");
        starts.forEach((start, i) => made.append(element(row === at ? "th" : "td", "", letters.slice(start, starts[i + 1]).join("").trim())));
        table.append(made);
      }
      const holder = element("span", "answer");
      holder.append(table);
      lines[at].before(holder);
      for (let row = at; row < end; row += 1) lines[row].remove();
      at = end - 1;
    }
  }

  function columns(line) {
    if (line.className !== "answer" || line.querySelector("img")) return null;
    const text = line.textContent;
    if (!/^[a-zA-Z]/.test(text) || /[=:[\]]/.test(text)) return null;
    const starts = [...text.matchAll(/\S+(?: \S+)*/g)].map((word) => [...text.slice(0, word.index)].length);
    return starts.length > 1 && / {2}/.test(text.trim()) ? starts : null;
  }

  function fits(line, starts) {
    if (line.className !== "answer") return false;
    const letters = [...line.textContent];
    if (letters.join("").trim() === "") return false;
    return starts.slice(1).every((start) => start > letters.length || letters[start - 1] === " " || letters[start - 1] === undefined)
      && letters[0] !== " ";
  }
})();
