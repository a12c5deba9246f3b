// Colours for the examples: programs at the prompt and theories, which highlight.js does not know by itself.
// The words are those of the lexer and of the format of theories; a test compares them, and those of `editors/`.
(function () {
  const programs = "let rec in if then else match with do tt ff";
  const theories =
    "theory extends cite about type claim within of because unreached law model refute refuted rejects sample undefined where derives";
  const language = (words) => () => ({
    keywords: { $pattern: /[A-Za-z_][\w']*/, keyword: words },
    contains: [
      // what stands before a question, and before the further lines of one
      { className: "meta", begin: /^(?:(?:eps|rel|digits)=\S+)?[>|] / },
      // what is said beside an answer
      { className: "comment", begin: /^(?:note|exit status|error|  = |  *-->).*$/ },
      { className: "comment", begin: /!(?![=!\[])/, end: /$/ },
      { className: "type", begin: /\b(?:Real|Nat|Bool|List|Maybe|Tan|P)\b/ },
      { className: "number", begin: /(?:\b|-)\d+(?:\.\d+)?(?:e[-+]?\d+)?\b/ },
    ],
  });
  const languages = { smoothish: programs, agree: programs, session: programs, theory: programs + " " + theories };
  for (const [name, words] of Object.entries(languages)) {
    hljs.registerLanguage(name, language(words));
    for (const block of document.querySelectorAll("code.language-" + name)) {
      block.classList.remove("hljs");
      hljs.highlightBlock(block);
    }
  }
})();
