  // The parts of a change: [what it is, text], from front to back.
  function parts(old, cuts) {
    const all = [];
    let at = 0;
    for (const [start, end, text] of cuts) {
      all.push(["", old.slice(at, start)], ["del", old.slice(start, end)], ["ins", text]);
      at = end;
    }
    all.push(["", old.slice(at)]);
    return all.filter(([, text]) => text !== "");
  }

  // What nobody would see, or what would change the order of a line, as lop shows it on a terminal. CR LF is one line end.
  const hidden = /(?![\n\t\ufe00-\ufe0f]|\r\n)[\p{Cc}\p{Cf}\p{Cn}\p{Zl}\p{Zp}\p{Default_Ignorable_Code_Point}]/gu;
  const name = (c) => `<U+${c.codePointAt(0).toString(16).toUpperCase().padStart(4, "0")}>`;
  const visible = (text) => text.replace(hidden, name);

  // Comments, texts in quotes, numbers and the common words of programming languages: [what it is, text], from front to back.
  const words = "auto|bool|break|case|char|class|const|continue|def|default|do|double|else|enum|extern|false|float|fn|for|func|function|if|import|int|let|long|null|package|return|short|signed|sizeof|static|struct|switch|true|typedef|union|unsigned|use|var|void|while";
  const lexeme = new RegExp(`(?<c>//[^\\n]*|/\\*[^]*?\\*/)|(?<s>"(?:[^"\\\\\\n]|\\\\.)*"|'(?:[^'\\\\\\n]|\\\\.)*')|(?<n>\\b\\d[\\w.]*)|(?<k>\\b(?:${words})\\b)`, "g");
  function highlighted(text) {
    const all = [];
    let at = 0;
    for (const found of text.matchAll(lexeme)) {
      const kind = Object.keys(found.groups).find((name) => found.groups[name] !== undefined);
      all.push(["", text.slice(at, found.index)], [kind, found[0]]);
      at = found.index + found[0].length;
    }
    all.push(["", text.slice(at)]);
    return all.filter(([, part]) => part !== "");
  }

  // Puts the parts of a change into an element. Returns the first that changes.
  function append(program, shown) {
    let first = null;
    for (const [what, text] of shown) {
      const element = what === "" ? program : document.createElement(what);
      for (const [kind, part] of highlighted(text)) {
        const shown = kind === "" ? document.createTextNode(visible(part)) : document.createElement("span");
        if (kind !== "") { shown.className = kind; shown.textContent = visible(part); }
        element.append(shown);
      }
      if (what === "") continue;
      program.append(element);
      first = first || element;
    }
    return first;
  }

  // Puts a text into an element; what stands in backticks is code.
  function fill(element, text) {
    element.replaceChildren();
    text.split("`").forEach((part, index) => {
      if (index % 2 === 0) { element.append(visible(part)); return; }
      const code = document.createElement("code");
      code.textContent = visible(part);
      element.append(code);
    });
  }
  // Puts an element of a drawing into another.
  function draw(parent, name, set) {
    const element = document.createElementNS("http://www.w3.org/2000/svg", name);
    for (const key in set) element.setAttribute(key, set[key]);
    parent.append(element);
    return element;
  }
