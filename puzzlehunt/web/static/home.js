// The home page: boards of this device, games by name, a game of one's own with its errors.

import { find, findAll } from "./dom.js";
import { boards, keepBoards } from "./offline.js";

const known = find("#known"), root = document.body.dataset.root;

function list() {
  const items = boards().filter(({ path }) => path.startsWith(`${root}/b/`)).map((board) => {
    const item = document.createElement("li"), link = document.createElement("a");
    const game = document.createElement("small"), away = document.createElement("button");
    Object.assign(link, { href: board.path, textContent: board.name });
    game.textContent = ` ${board.game} `;
    Object.assign(away, { type: "button", textContent: "\u00d7", title: `Forget ${board.name} on this device` });
    away.ariaLabel = away.title;
    away.addEventListener("click", () => {
      keepBoards(boards().filter(({ path }) => path !== board.path));
      list();
    });
    item.append(link, game, away);
    return item;
  });
  find("ul", known).replaceChildren(...items);
  known.hidden = !items.length;
}
list();

const filter = find("#game"), games = find("#games"), all = find("#all-games");
all.hidden = false;
all.addEventListener("click", () => {
  const is = games.classList.toggle("all");
  all.ariaExpanded = String(is);
  all.textContent = is ? "Fewer games" : "All games";
});

function narrow() {
  const wanted = filter.value.trim().toLowerCase();
  games.classList.toggle("searching", wanted);
  for (const kind of findAll("section", games)) {
    const items = findAll("li", kind);
    for (const item of items) item.hidden = !item.textContent.toLowerCase().includes(wanted);
    kind.hidden = items.every((item) => item.hidden);
  }
  find("#no-game").hidden = /^\d+x\d+$/.test(wanted) || findAll("section", games).some((kind) => !kind.hidden);
}
filter.addEventListener("input", narrow);
narrow();

// A game of one's own is checked while it is written: what it means, or its first error.

const text = find("#text"), meaning = find("#meaning");
let later;

async function check() {
  const body = new URLSearchParams({ text: text.value });
  meaning.hidden = !text.value.trim();
  if (meaning.hidden) return;
  const answer = await fetch(`${root}/check`, { method: "POST", body }).then((one) => one.json()).catch(() => null);
  if (!answer || body.get("text") !== text.value) return;
  if (answer.text && answer.text !== text.value) text.value = answer.text;     // a sheet of words
  const problem = answer.problem ?? answer.detail;
  const lines = problem ? [answer.line ? `Line ${answer.line}: ${problem}` : problem] : answer.meaning;
  if (answer.line) lines.push(text.value.split("\n")[answer.line - 1]?.trim() ?? "");
  meaning.classList.toggle("error", Boolean(problem));
  meaning.replaceChildren(...lines.filter(Boolean).map((said) => {
    const line = document.createElement("p");
    line.textContent = said;
    return line;
  }));
}

text.addEventListener("input", () => { clearTimeout(later); later = setTimeout(check, 400); });

const own = find("#own");
for (const name of ["dragenter", "dragover", "dragleave", "drop"]) {
  own.addEventListener(name, async (event) => {
    event.preventDefault();
    own.classList.toggle("dropping", name === "dragenter" || name === "dragover");
    const dropped = name === "drop" && event.dataTransfer.files[0];
    if (name !== "drop") return;
    text.value = dropped ? await dropped.text() : event.dataTransfer.getData("text");
    check();
  });
}
find("#file").addEventListener("change", async ({ target }) => {
  if (!target.files[0]) return;
  text.value = await target.files[0].text();
  target.value = "";
  check();
});
check();
