"use strict";
// Without this script the pages work by forms alone. With it, a board follows what others do, lines
// are sent without leaving the page, and what is typed is kept until the server has answered it.

const find = (selector, within = document) => within.querySelector(selector);
const findAll = (selector, within = document) => [...within.querySelectorAll(selector)];

// All pages.

for (const button of findAll("[data-copy]")) button.hidden = false;

document.addEventListener("click", (event) => {
  const button = event.target.closest("[data-copy]");
  if (button) copy(button);
  for (const menu of findAll("details.menu[open]")) {
    if (!menu.contains(event.target)) menu.open = false;
  }
});

document.addEventListener("keydown", (event) => {
  const menu = event.key === "Escape" && find("details.menu[open]");
  if (menu) {
    menu.open = false;
    find("summary", menu).focus();
  }
});

document.addEventListener("toggle", ({ target }) => {
  if (target.open) find(".choices", target)?.scrollIntoView({ block: "nearest" });
}, true);

async function copy(button) {
  const source = button.dataset.copy ? find("#" + button.dataset.copy) : find("pre", button.parentElement);
  const text = source.value ?? source.textContent;
  try {
    await navigator.clipboard.writeText(text);
  } catch {
    // Off this machine a browser gives the clipboard to https alone: select it for the hand.
    if (source.select) source.select();
    else getSelection().selectAllChildren(source);
    if (!document.execCommand("copy")) return;
  }
  button.textContent = "Copied";
  setTimeout(() => { button.textContent = "Copy"; }, 1500);
}

const filter = find("[data-filter]");
if (filter) {
  const narrow = () => {
    const wanted = filter.value.trim().toLowerCase();
    const items = findAll("li", find("#" + filter.dataset.filter));
    for (const item of items) item.hidden = !item.textContent.toLowerCase().includes(wanted);
    find("#no-game").hidden = /^\d+x\d+$/.test(wanted) || items.some((item) => !item.hidden);
  };
  filter.addEventListener("input", narrow);
  narrow();
}

// What a link brings in its fragment outlasts the page of the password.
const password = find("#password");
if (password) password.form.action += location.hash;

// A board.

const form = find("#ask");
if (form) startBoard();

function startBoard() {
  const line = form.elements.line;
  const example = line.placeholder;
  const shelf = `puzzlehunt ${form.getAttribute("action")} `;
  let tab = ownTab();           // the place on the shelf where this tab keeps what was typed
  let queue = [];               // lines that the server has not answered yet, the oldest first
  let isSending = false;
  let isOnline = true;
  let seen = null;              // version and suggestion when the line was begun

  // What is typed outlasts the page. Each tab has its own place, and takes over from those that are
  // gone. A line that two tabs send is said once.

  function randomText() {
    const bytes = crypto.getRandomValues(new Uint8Array(12));
    return [...bytes].map((byte) => byte.toString(16).padStart(2, "0")).join("");
  }

  function ownTab(isNew) {
    try {
      const name = (!isNew && sessionStorage.getItem("puzzlehunt tab")) || randomText();
      sessionStorage.setItem("puzzlehunt tab", name);
      return name;
    } catch {
      return randomText();
    }
  }

  function keep() {
    const standing = form.elements.standing.value;
    try {
      const isEmpty = !queue.length && !line.value && !standing;
      if (isEmpty) localStorage.removeItem(shelf + tab);
      else localStorage.setItem(shelf + tab, JSON.stringify({ queue, line: line.value, seen, standing }));
    } catch {
      // Without storage it lasts as long as the page.
    }
    tellState();
  }

  function takeOver(place) {
    try {
      const kept = JSON.parse(localStorage.getItem(place));
      if (!kept) return;
      queue.push(...kept.queue.filter((one) => queue.every((other) => other.once !== one.once)));
      if (!form.elements.standing.value) form.elements.standing.value = kept.standing;
      if (kept.line && putBack(kept.line)) seen = kept.seen;
      if (place !== shelf + tab) localStorage.removeItem(place);
    } catch {
      // It is no more than a convenience.
    }
  }

  function takeOverFromTabsThatAreGone() {
    if (!("BroadcastChannel" in window)) return;
    const page = randomText(), open = new Set();
    const channel = new BroadcastChannel(shelf);
    channel.addEventListener("message", ({ data }) => {
      if (data.page === page) return;
      if (data.isAsking) channel.postMessage({ page, tab });
      else if (data.tab === tab) tab = ownTab(true);      // a copy of that tab
      open.add(data.tab);
    });
    channel.postMessage({ page, tab, isAsking: true });
    setTimeout(() => {
      try {
        const places = Object.keys(localStorage).filter((place) => place.startsWith(shelf));
        for (const place of places) {
          const other = place.slice(shelf.length);
          if (other !== tab && !open.has(other)) takeOver(place);
        }
      } catch {
        return;
      }
      keep();
      tellTarget();
      pump();
    }, 300);
  }

  // Rows that a link brings in the fragment of its address are recorded by a click alone.

  const brought = find("#brought");

  function bring(rows, problem = "") {
    brought.elements.rows.value = rows;
    const error = find(".error", brought);
    error.textContent = problem;
    error.hidden = !problem;
    brought.hidden = false;
    brought.scrollIntoView({ block: "nearest" });
    history.replaceState(null, "", `#rows=${encodeURIComponent(rows)}`);   // outlasts the page
  }

  function readFragment() {
    const rows = new URLSearchParams(location.hash.slice(1)).get("rows");
    if (rows?.trim()) bring(rows.trimEnd());
    else if (rows !== null) say("The link brought no rows: select some on a page, then click the bookmark there.");
  }

  function putAway() {
    brought.hidden = true;
    history.replaceState(null, "", location.pathname + location.search);
  }

  brought.addEventListener("submit", (event) => {
    event.preventDefault();
    putAway();
    send(brought.elements.rows.value, "rows");
  });
  brought.addEventListener("reset", putAway);
  addEventListener("hashchange", readFragment);
  find("#bookmark").addEventListener("click", (event) => {
    event.preventDefault();
    say("Drag this link to the bookmarks bar; it works on other pages.");
  });

  // What the page shows.

  const version = () => Number(form.elements.version.value);
  const suggested = () => new FormData(form).getAll("suggested").at(-1) || "";

  const rowsShown = [];

  function tellState() {
    const waiting = queue.length ? `; ${queue.length} ${queue.length > 1 ? "lines wait" : "line waits"} to be sent` : "";
    const text = isOnline ? "" : `offline, reconnecting${waiting}`;
    const place = find("#offline");
    if (place.textContent !== text) place.textContent = text;
  }

  function tellTarget() {
    find(".jump").textContent = find("#count .line")?.textContent || "what is left";
    const standing = form.elements.standing.value;
    line.placeholder = standing ? "" : example;
    const label = find("#line-label");
    label.textContent = standing ? "Clue of " : "Guess and clue, a paste, or a /command";
    if (standing) {
      const code = document.createElement("b");
      code.className = "code long";
      code.textContent = standing;
      label.append(code);
    } else if (suggested()) {
      label.textContent = `Guess and clue, or clue of ${suggested()}`;
    }
  }

  const keyOf = (element) => element.dataset.key || element.getAttribute("data-edit") || element.value || "";

  // Put a fragment in place: open menus stay open, and the keyboard stays where it is.
  function replace(id, html) {
    const place = document.getElementById(id);
    if (!place || place.shown === html) return;
    const open = findAll("details[open]", place).map((menu) => menu.dataset.key);
    const focused = place.contains(document.activeElement) && document.activeElement !== place
      ? document.activeElement : null;
    const key = focused && (focused.matches("summary") ? focused.parentElement.dataset.key : keyOf(focused));
    const rowsBefore = id === "rows" ? new Set(findAll(".rows > li", place).map(rowText)) : null;
    const isAtEnd = place.scrollTop + place.clientHeight > place.scrollHeight - 40;
    place.innerHTML = html;
    place.shown = html;
    if (rowsBefore && isAtEnd) place.scrollTop = place.scrollHeight;
    for (const menu of findAll("details", place)) menu.open = open.includes(menu.dataset.key);
    if (focused) {
      const same = findAll("button, summary", place).find((one) =>
        (one.matches("summary") ? one.parentElement.dataset.key : keyOf(one)) === key && one.tagName === focused.tagName);
      (same || place).focus({ preventScroll: true });
    }
    dress(place);
    if (rowsBefore && rowsBefore.size) {
      for (const row of findAll(".rows > li", place)) {
        if (!rowsBefore.has(rowText(row))) row.classList.add("new");
      }
    }
  }

  const rowText = (row) => find(".said", row)?.innerText || row.innerText;

  // Times as they are here, and buttons that need this script.
  function dress(place) {
    for (const time of findAll("time[datetime]", place)) {
      const when = new Date(time.dateTime);
      const isToday = when.toDateString() === new Date().toDateString();
      const hour = when.toLocaleTimeString([], { hour: "2-digit", minute: "2-digit" });
      time.textContent = isToday ? hour : `${when.toLocaleDateString()} ${hour}`;
    }
    for (const button of findAll("[data-copy]", place)) button.hidden = false;
  }

  // What is late, since an answer to an own line overtook it, still holds: later events do not tell
  // it again. Only the rows of an older version are not shown.
  function show(answer) {
    const isLate = answer.version < version();
    const fragments = { ...answer.fragments };
    if (answer.items) {
      // Of the rows only those that changed are sent, each by its place.
      for (const [place, html] of answer.items.changed) rowsShown[place] = html;
      rowsShown.length = answer.items.length;
      fragments.rows = rowsShown.length ? `<ol class="rows">${rowsShown.join("")}</ol>` : "";
    }
    for (const [id, html] of Object.entries(fragments)) {
      if (id !== "said" && !(isLate && id === "rows")) replace(id, html);
    }
    if (isLate) return;
    // Of a version that is shown, events alone know whether its answers are complete by now.
    const isNews = answer.people || answer.version > version();
    form.elements.version.value = answer.version;
    if (isNews) {
      find("#pending").hidden = !answer.pending;
      find("#answers").setAttribute("aria-busy", String(answer.pending));
    }
    if (answer.people) {
      const people = answer.people.length ? "with " + answer.people.join(", ") : "";
      if (find("#people").textContent !== people) find("#people").textContent = people;
    }
    tellTarget();
  }

  function say(text) {
    const paragraph = document.createElement("p");
    paragraph.className = "error";
    paragraph.textContent = text;
    replace("said", paragraph.outerHTML);
  }

  // Sending lines, one after the other, each once.

  function send(text, name) {
    const isTyped = name === "line";
    const state = isTyped && seen ? seen : { version: version(), suggested: suggested() };
    queue.push({ text, name, isTyped, once: randomText(), ...state });
    seen = null;
    keep();
    pump();
  }

  async function pump() {
    if (isSending || !queue.length) return;
    isSending = true;
    try {
      while (queue.length && await sendFirst());
    } finally {
      isSending = false;
      keep();
    }
    if (queue.length) setTimeout(pump, 3000);
  }

  async function sendFirst() {
    const first = queue[0];
    const body = new URLSearchParams({
      [first.name ?? (first.isTyped ? "line" : "tapped")]: first.text,
      version: first.version,
      standing: first.standing ?? form.elements.standing.value,
      suggested: first.suggested,
      once: first.once,
    });
    first.standing = body.get("standing");
    let response;
    try {
      response = await fetch(form.getAttribute("action"), {
        method: "POST", body, headers: { Accept: "application/json" },
      });
    } catch {
      isOnline = false;
      return false;
    }
    setOnline();
    const answer = await response.json().catch(() => ({ detail: `the server answered ${response.status}` }));
    queue.shift();
    if (response.ok) take(answer, first);
    else if (first.name === "rows") bring(first.text, answer.detail);
    else {
      const isLost = first.isTyped && !putBack(first.text);
      say(answer.detail + (isLost ? ` (not taken: ${first.text})` : ""));
    }
    keep();
    return true;
  }

  function take(answer, sent) {
    form.elements.standing.value = answer.standing || "";
    show(answer);
    replace("said", answer.fragments?.said || "");
    if (answer.line && sent.isTyped) putBack(answer.line);
    tellTarget();
    find("#said").scrollTop = 0;
    // A line that waits was written after this one, and knows what it did.
    for (const other of queue) {
      const knows = other.version === sent.version && answer.version <= sent.version + 1;
      if (knows) other.version = answer.version;
    }
  }

  // Put a text back into the line, unless another one is there by now.
  function putBack(text) {
    if (line.value) return false;
    line.value = text;
    cursor = text.length;
    grow();
    return true;
  }

  function setOnline() {
    if (isOnline) return;
    isOnline = true;
    tellState();
  }

  // Typing and tapping.

  function grow() {
    line.style.height = "auto";
    line.style.height = `${line.scrollHeight + 2}px`;
  }

  let cursor = line.value.length;   // where symbols go that are tapped
  line.addEventListener("blur", () => { cursor = line.selectionStart; });

  line.addEventListener("input", () => {
    cursor = line.selectionStart;
    if (!line.value) seen = null;
    else if (!seen) seen = { version: version(), suggested: suggested() };
    grow();
    keep();
  });

  line.addEventListener("keydown", (event) => {
    if (event.key === "Enter" && !event.shiftKey && !event.isComposing) {
      event.preventDefault();
      form.requestSubmit(find("button.main", form));
    }
  });

  form.addEventListener("submit", (event) => {
    event.preventDefault();
    const button = event.submitter;
    const menu = button?.closest("details.menu");
    if (button?.dataset.edit !== undefined) {
      putInLine(button.dataset.edit);
    } else if (button?.name === "tapped" || button?.name === "change") {
      send(button.value, button.name);
    } else if (line.value.trim()) {
      const text = line.value;
      line.value = "";
      send(text, "line");
      grow();
    }
    if (menu) menu.open = false;
  });

  function putInLine(text) {
    line.value = text;
    seen = { version: version(), suggested: suggested() };
    grow();
    keep();
    line.focus();
    line.setSelectionRange(text.length, text.length);
  }

  const palette = find(".palette");
  if (palette) {
    palette.hidden = false;
    palette.addEventListener("click", (event) => {
      const key = event.target.closest("[data-insert]");
      if (key) insert(key.dataset.insert, key.dataset.kind);
      else if (event.target.closest("[data-delete]")) remove();
    });
  }

  // A symbol or mark goes where the cursor is; the blank between guess and clue comes by itself. The
  // line is not given the keyboard, which would cover half a phone.
  function insert(text, kind) {
    const { length, joiner } = palette.dataset;
    const place = Math.min(cursor, line.value.length);
    const before = line.value.slice(0, place);
    const word = before.split(/\s/).at(-1);
    const isGuess = !before.trim().includes(" ") && !before.startsWith("/") && !form.elements.standing.value;
    const symbols = joiner ? word.split(joiner).filter(Boolean) : [...word];
    let between = "";
    if (kind === "symbol" && joiner && word && !word.endsWith(joiner)) between = joiner;
    if (kind === "mark" && isGuess && symbols.length === Number(length)) between = " ";
    setLine(before + between + text, line.value.slice(place));
  }

  function remove() {
    setLine(line.value.slice(0, cursor).trimEnd().slice(0, -1), line.value.slice(cursor));
  }

  function setLine(before, after) {
    line.value = before + after;
    line.setSelectionRange(before.length, before.length);
    line.dispatchEvent(new Event("input"));
    cursor = before.length;
  }

  // Following the others.

  let events;

  function follow() {
    events = new EventSource(form.dataset.events);
    events.addEventListener("open", () => { setOnline(); pump(); });
    events.addEventListener("state", (event) => show(JSON.parse(event.data)));
    events.addEventListener("error", () => {
      isOnline = false;
      tellState();
      if (events.readyState === EventSource.CLOSED) setTimeout(follow, 3000);
    });
  }

  addEventListener("online", () => {
    if (events.readyState === EventSource.OPEN) setOnline();
    pump();
  });
  addEventListener("offline", () => { isOnline = false; tellState(); });
  for (const place of findAll(".fragment")) {
    place.shown = place.innerHTML;
    dress(place);
  }
  find("#rows").scrollTop = find("#rows").scrollHeight;
  const wasGiven = line.value;
  takeOver(shelf + tab);
  if (wasGiven) putInLine(wasGiven);
  else if (matchMedia("(hover: hover) and (min-width: 60rem)").matches) line.focus({ preventScroll: true });
  tellTarget();
  grow();
  keep();
  takeOverFromTabsThatAreGone();
  readFragment();
  pump();
  follow();
}
