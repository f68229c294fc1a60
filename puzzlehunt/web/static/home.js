// The home page: boards of this device, games by name, a game of one's own with its errors.

import { find, findAll, make } from "./dom.js";
import { boards, keepBoards } from "./offline.js";

const known = find("#known"), root = document.body.dataset.root;

function list() {
  const items = boards().filter(({ path }) => path.startsWith(`${root}/b/`)).map(({ path, name, game }) => {
    const item = make("li"), link = make("a", name), away = make("button", "\u00d7");
    link.href = path;
    Object.assign(away, { type: "button", title: `Forget ${name} on this device`, ariaLabel: `Forget ${name} on this device` });
    away.addEventListener("click", () => {
      keepBoards(boards().filter((board) => board.path !== path));
      list();
    });
    item.append(link, make("small", ` ${game} `), away);
    return item;
  });
  find("ul", known).replaceChildren(...items);
  known.hidden = !items.length;
}
list();

const filter = find("#game"), games = find("#games"), all = find("#all-games");
all.hidden = false;
all.addEventListener("click", () => {
  all.ariaExpanded = String(games.classList.toggle("all"));
  all.textContent = all.ariaExpanded === "true" ? "Fewer games" : "All games";
});

function narrow() {
  const wanted = filter.value.trim().toLowerCase(), kinds = findAll("section", games);
  games.classList.toggle("searching", wanted);
  for (const item of findAll("li", games)) item.hidden = !item.textContent.toLowerCase().includes(wanted);
  for (const kind of kinds) kind.hidden = !find("li:not([hidden])", kind);
  find("#no-game").hidden = /^\d+x\d+$/.test(wanted) || kinds.some((kind) => !kind.hidden);
}
filter.addEventListener("input", narrow);
narrow();

// A game of one's own is checked while it is written: what it means, or its first error.

const text = find("#text"), meaning = find("#meaning"), own = find("#own");
let later;

async function check() {
  const body = new URLSearchParams({ text: text.value });
  meaning.hidden = !text.value.trim();
  const answer = !meaning.hidden && await fetch(`${root}/check`, { method: "POST", body }).then((one) => one.json()).catch(() => null);
  if (!answer || body.get("text") !== text.value) return;
  text.value = answer.text ?? text.value;              // a sheet of words has become a game
  const problem = answer.problem ?? answer.detail, { line } = answer;
  const lines = problem ? [line ? `Line ${line}: ${problem}` : problem, line && text.value.split("\n")[line - 1]] : answer.meaning;
  meaning.classList.toggle("error", Boolean(problem));
  meaning.replaceChildren(...lines.filter((said) => said?.trim()).map((said) => make("p", said)));
}

async function take(file) {
  text.value = await file.text();
  check();
}

text.addEventListener("input", () => { clearTimeout(later); later = setTimeout(check, 400); });
find("#file").addEventListener("change", ({ target }) => { take(target.files[0]); target.value = ""; });
for (const name of ["dragover", "dragleave", "drop"]) {
  own.addEventListener(name, (event) => {
    event.preventDefault();
    own.classList.toggle("dropping", name === "dragover");
    if (name === "drop" && event.dataTransfer.files[0]) take(event.dataTransfer.files[0]);
  });
}
check();
