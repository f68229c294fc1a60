// People: the name that is asked for once, and what others do.

import { find, parsed, randomText, recalled, remember, version } from "./dom.js";
import { follow, say } from "./shown.js";

export const tab = randomText();
export const visitor = recalled("puzzlehunt visitor") ?? randomText();
const own = new Set();          // keys of the changes that this page has sent
const news = find("#news"), LONG_ENOUGH = 6000;
let known = version();

remember("puzzlehunt visitor", visitor);
export const sent = (once) => own.add(once);

// Names, the archive and the like are sent without leaving the page; the stream of events then
// begins again under the new name.
document.addEventListener("submit", async (event) => {
  const { target, submitter } = event;
  if (target.dataset.here === undefined) return;
  event.preventDefault();
  const body = new URLSearchParams(new FormData(target, submitter));
  const headers = { Accept: "application/json" };
  const answer = await fetch(target.action, { method: "POST", body, headers }).catch(() => null);
  if (answer?.ok === false) say((await answer.json()).detail);
  if (!answer?.ok) return;
  find("details.menu[open]")?.removeAttribute("open");
  if (!body.has("nickname")) return;
  find("#nickname").value = body.getAll("nickname").at(-1).trim();
  find("#arrive")?.remove();
  follow();
});

// Sentences on what others did: one is seen, where a row is gone or another one; all are heard.
export function tellNews(lines) {
  for (const [version, html] of lines.filter(([version]) => version > known)) {
    known = version;
    const line = parsed(html);
    if (own.has(line.dataset.once)) continue;
    if (!line.matches(".added")) find("p:not(.added)", news)?.remove();
    news.append(line);
    setTimeout(() => line.remove(), LONG_ENOUGH);
  }
}
