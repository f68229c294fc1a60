// People: the name that is asked for once, what others do and are about to play.

import { find, findAll, make } from "./dom.js";
import { planned } from "./row.js";
import { say } from "./shown.js";

const form = find("#ask");
const tab = [...crypto.getRandomValues(new Uint8Array(9))].map((byte) => byte.toString(36)).join("");
const own = new Set();          // keys of the changes that this page has sent
const address = form.getAttribute("action");
const MOST_SHOWN = 3;
const LONG_ENOUGH = 60_000;
let known = Number(form.elements.version.value);

export const sent = (once) => own.add(once);

// Names, the archive and the like are sent without leaving the page; the stream of events then
// begins again under the new name.
export function sendFormsHere(begin) {
  document.addEventListener("submit", async (event) => {
    const { target, submitter } = event;
    if (target.dataset.here === undefined) return;
    event.preventDefault();
    const body = new URLSearchParams(new FormData(target, submitter));
    const answer = await fetch(target.action, { method: "POST", body, headers: { Accept: "application/json" } }).catch(() => null);
    if (answer?.ok === false) say((await answer.json()).detail);
    if (!answer?.ok) return;
    find("details.menu[open]")?.removeAttribute("open");
    const name = body.getAll("nickname").at(-1);
    if (name === undefined) return;
    find("#nickname").value = name.trim();
    find("#arrive")?.remove();
    begin();
  });
}

// Sentences on what others did: seen where a row is gone, and always heard.
export function tellNews(news) {
  for (const [version, html] of news) {
    if (version <= known) continue;
    known = version;
    const said = make("template"), place = find("#news");
    said.innerHTML = html;
    const line = said.content.firstElementChild;
    for (const one of line.dataset.restored.split(" ")) find(`button[value="${one}"]`, place)?.closest("p").remove();
    if (own.has(line.dataset.once)) continue;
    place.append(line);
    for (const old of findAll(".taken", place).slice(0, -MOST_SHOWN)) old.remove();
    setTimeout(() => line.remove(), LONG_ENOUGH);
  }
}

find("#news").addEventListener("click", ({ target }) => {
  if (target.closest("button")) setTimeout(() => target.closest("p").remove());
});

export function hideOwnPlan() {
  for (const plan of findAll("#plans .plan")) plan.hidden = plan.dataset.tab === tab;
}

// What stands on the tiles or in the line, or waits for its clue, is shown to the others a moment later.
let told = "", later;

addEventListener("pagehide", () => {
  if (told) navigator.sendBeacon(`${address}/plan`, new URLSearchParams({ guess: "", tab }));
});

export function plan() {
  later ??= setTimeout(() => {
    later = undefined;
    const text = form.elements.line.value.trim();
    const typed = text.startsWith("/") || text.includes("\n") ? "" : text.split(/\s/)[0];
    const guess = form.elements.standing.value || planned() || typed;
    if (guess === told) return;
    told = guess;
    const body = new URLSearchParams({ guess: guess.slice(0, 200), tab });
    fetch(`${address}/plan`, { method: "POST", body }).catch(() => null);
  }, 700);
}
