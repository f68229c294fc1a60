// Elements, fragments of the page, times as they are here, and what this device keeps.

export const find = (selector, within = document) => within.querySelector(selector);
export const findAll = (selector, within = document) => [...within.querySelectorAll(selector)];

export const form = find("#ask");
export const version = () => Number(form.elements.version.value);
const suggested = () => new FormData(form).getAll("suggested").at(-1) || "";
export const seenNow = () => ({ version: version(), suggested: suggested() });

// Whether a link only looks.
export const isViewer = document.body.matches(".viewer");

export function randomText() {
  const bytes = crypto.getRandomValues(new Uint8Array(12));
  return [...bytes].map((byte) => byte.toString(16).padStart(2, "0")).join("");
}

export function make(tag, text = "", kind = "") {
  return Object.assign(document.createElement(tag), { textContent: text, className: kind });
}

export function parsed(html) {
  const template = document.createElement("template");
  template.innerHTML = html;
  return template.content.firstElementChild;
}

// What the device keeps, or a tab, which keeps it when the page is loaded again. A browser may
// refuse to keep anything; then it lasts as long as the page.
function storage(name) {
  try { return window[name]; } catch { return {}; }
}
const device = storage("localStorage");
export const tab = storage("sessionStorage");
export const recalled = (place, where = device) => JSON.parse(where[place] ?? "null");
export function remember(place, value, where = device) {
  try { where[place] = JSON.stringify(value); } catch { /* full: a convenience, no more */ }
}

// The boards that were opened on this device: path, name and game, the newest first.
export const boards = () => recalled("puzzlehunt boards") ?? [];
export const keepBoards = (list) => remember("puzzlehunt boards", list.slice(0, 30));

const keyOf = (element) => element.dataset.key || element.value || element.parentElement.dataset.key;

// Change what is in a place: open menus stay open, and the keyboard stays where it is.
function staying(place, change) {
  const open = findAll("details[open]", place).map((menu) => menu.dataset.key);
  const focused = find(":focus", place), key = focused && keyOf(focused);
  change();
  for (const menu of findAll("details", place)) menu.open ||= open.includes(menu.dataset.key);
  if (focused?.isConnected === false) {
    const same = findAll(focused.tagName, place).find((one) => keyOf(one) === key);
    (same ?? place).focus({ preventScroll: true });
  }
}

export function replace(id, html) {
  const place = document.getElementById(id);
  if (!place || place.shown === html) return;
  staying(place, () => { place.innerHTML = html; });
  place.shown = html;
  dress(place);
}

// What a row shows, without the words about it.
const shownIn = (row) => find(".line, .boards, .words", row).textContent;

// Rows of a list that changed, each by its place; those that are new are shown as such. Return
// whether any is another one.
export function replaceItems(id, { length, changed }) {
  const place = document.getElementById(id), before = findAll("ol > li", place);
  if (!changed.length && length === before.length) return false;
  const known = new Set(before.map(shownIn));
  staying(place, () => {
    const list = find("ol", place) ?? place.appendChild(make("ol", "", "rows"));
    while (list.children.length > length) list.lastElementChild.remove();
    for (const [n, html] of changed) {
      const row = parsed(html), old = list.children[n];
      dress(row);
      row.classList.toggle("new", !known.has(shownIn(row)));
      if (old) old.replaceWith(row);
      else list.append(row);
    }
    if (!length) list.remove();
  });
  return true;
}

// Times as they are here; who only looks taps nothing.
export function dress(place) {
  for (const time of findAll("time[datetime]", place)) {
    const when = new Date(time.dateTime), clock = { hour: "2-digit", minute: "2-digit" };
    const isToday = when.toDateString() === new Date().toDateString();
    time.textContent = isToday ? when.toLocaleTimeString([], clock) : when.toLocaleString();
  }
  for (const button of isViewer ? findAll("[form=ask]", place) : []) button.disabled = true;
}
