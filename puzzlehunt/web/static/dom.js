// Elements, fragments of the page, times as they are here, and what this device keeps.

export const find = (selector, within = document) => within.querySelector(selector);
export const findAll = (selector, within = document) => [...within.querySelectorAll(selector)];

export const form = find("#ask");
export const version = () => Number(form.elements.version.value);
export const suggested = () => new FormData(form).getAll("suggested").at(-1) || "";

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

// A browser may refuse to keep anything; then it lasts as long as the page.
export const storage = (() => {
  try { return localStorage; } catch { return {}; }
})();

export const recalled = (place) => JSON.parse(storage[place] ?? "null");

export function remember(place, value) {
  try { storage[place] = JSON.stringify(value); } catch { /* full: a convenience, no more */ }
}

const keyOf = (element) => element.dataset.key || element.dataset.edit || element.value
  || element.parentElement.dataset.key || "";

// Change what is in a place: open menus stay open, and the keyboard stays where it is.
function staying(place, change) {
  const open = findAll("details[open]", place).map((menu) => menu.dataset.key);
  const focused = find(":focus", place), key = focused && keyOf(focused);
  change();
  for (const menu of open.length ? findAll("details", place) : []) {
    menu.open = open.includes(menu.dataset.key);
  }
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
const shownIn = (row) => row && find(".line, .boards, .words", row).textContent;

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
      if (!known.has(shownIn(row))) row.classList.add("new");
      if (old) old.replaceWith(row);
      else list.append(row);
    }
    if (!length) list.remove();
  });
  return true;
}

const clock = new Intl.DateTimeFormat([], { hour: "2-digit", minute: "2-digit" });

// Times as they are here; who only looks taps nothing.
export function dress(place) {
  for (const time of findAll("time[datetime]", place)) {
    const when = new Date(time.dateTime);
    const isToday = when.toDateString() === new Date().toDateString();
    time.textContent = `${isToday ? "" : `${when.toLocaleDateString()} `}${clock.format(when)}`;
  }
  for (const button of isViewer ? findAll("[form=ask]", place) : []) button.disabled = true;
}
