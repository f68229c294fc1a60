// The home page: boards of this device, games by name, a game of one's own with its errors.

import { boards, find, findAll, keepBoards, make } from "./dom.js";

const known = find("#known"), root = document.body.dataset.root;
const filter = find("#game"), kinds = findAll("#games section");
const text = find("#text"), meaning = find("#meaning"), own = find("#own");
let later;

function forget(path) {
  keepBoards(boards().filter((board) => board.path !== path));
  list();
}

function list() {
  const here = boards().filter(({ path }) => path.startsWith(`${root}/b/`));
  find("ul", known).replaceChildren(...here.map(({ path, name, game }) => {
    const item = make("li"), link = make("a", name), away = make("button", "\u00d7");
    link.href = path;
    away.type = "button";
    away.title = away.ariaLabel = `Forget ${name} on this device`;
    away.addEventListener("click", () => forget(path));
    item.append(link, make("small", ` ${game} `), away);
    return item;
  }));
  known.hidden = !here.length;
}
list();

function narrow() {
  const wanted = filter.value.trim().toLowerCase();
  for (const kind of kinds) {
    const items = findAll("li", kind);
    for (const item of items) item.hidden = !item.textContent.toLowerCase().includes(wanted);
    kind.hidden = items.every((item) => item.hidden);
  }
  find("#no-game").hidden = /^\d+x\d+$/.test(wanted) || kinds.some((kind) => !kind.hidden);
}
filter.addEventListener("input", narrow);
narrow();

// A game of one's own is checked while it is written: what it means, or its first error.

async function check() {
  const written = text.value, body = new URLSearchParams({ text: written });
  meaning.hidden = !written.trim();
  if (meaning.hidden) return;
  const response = await fetch(`${root}/check`, { method: "POST", body }).catch(() => null);
  const answer = await response?.json().catch(() => null);
  if (!answer || written !== text.value) return;
  text.value = answer.text ?? written;              // a sheet of words has become a game
  const { line, problem = answer.detail } = answer;
  const wrong = [line ? `Line ${line}: ${problem}` : problem, text.value.split("\n")[line - 1]];
  const said = (problem ? wrong : answer.meaning).filter((one) => one?.trim());
  meaning.classList.toggle("error", Boolean(problem));
  meaning.replaceChildren(...said.map((one) => make("p", one)));
}

async function take(file) {
  text.value = await file.text();
  check();
}

text.addEventListener("input", () => { clearTimeout(later); later = setTimeout(check, 400); });
find("#file").addEventListener("change", ({ target }) => {
  take(target.files[0]);
  target.value = "";
});
for (const name of ["dragover", "dragleave", "drop"]) {
  own.addEventListener(name, (event) => {
    event.preventDefault();
    own.classList.toggle("dropping", name === "dragover");
    if (name === "drop" && event.dataTransfer.files[0]) take(event.dataTransfer.files[0]);
  });
}
check();
