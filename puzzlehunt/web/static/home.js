// The home page: boards of this device, games by name, a new board.

import { boards, find, findAll, keepBoards, make, sendJson } from "./main.js";

const known = find("#known"), root = document.body.dataset.root, form = find("#new");
const filter = find("#game"), kinds = findAll("#games section");

function list() {
  const here = boards().filter(({ path }) => path.startsWith(`${root}/b/`));
  find("ul", known).replaceChildren(...here.map(({ path, name, game }) => {
    const item = make("li"), title = `Forget ${name} on this device`;
    const onclick = () => {
      keepBoards(boards().filter((board) => board.path !== path));
      list();
    };
    const away = make("button", "\u00d7", "", { type: "button", title, ariaLabel: title, onclick });
    item.append(make("a", name, "", { href: path }), make("small", ` ${game} `), away);
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
