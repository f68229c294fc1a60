// The home page: boards of this device, games by name, a new board.

import { boards, find, findAll, keepBoards, make, sendJson } from "./main.js";

const known = find("#known"), root = document.body.dataset.root, form = find("#new");
const filter = find("#game"), kinds = findAll("#games section");

function list() {
  const here = boards().filter(({ path }) => path.startsWith(`${root}/b/`)).slice(0, 8);
  find("ul", known).replaceChildren(...here.map(({ path, name, game }) => {
    const item = make("li"), link = make("a", name, "", { href: path });
    const state = make("small", game), title = `Forget ${name} on this device`;
    const onclick = () => {
      keepBoards(boards().filter((board) => board.path !== path));
      list();
    };
    const away = make("button", "\u00d7", "", { type: "button", title, ariaLabel: title, onclick });
    link.append(state);
    item.append(link, away);
    tellState(path, state);
    return item;
  }));
  known.hidden = !here.length;
}
list();

// How far the game of a board is, and who is there.
async function tellState(path, place) {
  const answer = await fetch(`${root}/api/v1/boards/${path.split("/").at(-1)}`).catch(() => null);
  if (!answer?.ok) return;
  const { rows, people, status, won } = await answer.json(), count = rows.length;
  const how = won ? "solved" : `${count} ${count === 1 ? "row" : "rows"}`;
  const said = [how, status !== "open" && status, people.length && `here: ${people.join(", ")}`];
  place.textContent = [place.textContent, ...said.filter(Boolean)].join(" \u00b7 ");
}

function narrow() {
  const wanted = filter.value.trim().toLowerCase();
  for (const kind of kinds) {
    const items = findAll("li", kind);
    for (const item of items) {
      item.hidden = !(item.textContent + find("button", item).value).toLowerCase().includes(wanted);
    }
    kind.hidden = items.every((item) => item.hidden);
  }
  find("#no-game").hidden = /^\d+x\d+$/.test(wanted) || kinds.some((kind) => !kind.hidden);
}
filter.addEventListener("input", narrow);

// A file of one's own is put into its field.
find("#file").addEventListener("change", async ({ target }) => {
  find("#text").value = await target.files[0].text();
  target.value = "";
});

form.addEventListener("submit", async (event) => {
  event.preventDefault();
  const sent = Object.fromEntries(new FormData(form, event.submitter)), error = find("#error");
  if (sent.game.trim()) sent.file = "";
  const answer = await sendJson("POST", `${root}/api/v1/boards`, sent);
  const told = await answer?.json().catch(() => null) ?? { detail: "the server cannot be reached" };
  if (answer?.ok) location.href = `${root}/b/${told.board}`;
  error.textContent = told.detail ?? "";
  error.hidden = !told.detail;
  error.scrollIntoView({ block: "nearest" });
});
