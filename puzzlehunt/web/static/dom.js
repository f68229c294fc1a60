// Elements, fragments of the page, and times as they are here.

export const find = (selector, within = document) => within.querySelector(selector);
export const findAll = (selector, within = document) => [...within.querySelectorAll(selector)];

const isViewer = document.body.classList.contains("viewer");

export function make(tag, text = "", kind = "") {
  const element = document.createElement(tag);
  element.textContent = text;
  element.className = kind;
  return element;
}

const keyOf = (element) => element.dataset.key || element.getAttribute("data-edit") || element.value
  || element.parentElement.dataset.key || "";

// Change what is in a place: open menus stay open, and the keyboard stays where it is.
function staying(place, change) {
  const open = findAll("details[open]", place).map((menu) => menu.dataset.key);
  const focused = place.contains(document.activeElement) && document.activeElement !== place
    ? document.activeElement : null;
  const key = focused && keyOf(focused);
  change();
  if (open.length) for (const menu of findAll("details", place)) menu.open = open.includes(menu.dataset.key);
  if (focused && !focused.isConnected) {
    const same = findAll(focused.tagName, place).find((one) => keyOf(one) === key);
    (same || place).focus({ preventScroll: true });
  }
}

export function replace(id, html) {
  const place = document.getElementById(id);
  if (!place || place.shown === html) return;
  staying(place, () => { place.innerHTML = html; });
  place.shown = html;
  dress(place);
}

// The text of a row without the mark of trouble, which comes and goes with other rows.
const told = (row) => row?.textContent.replace(find(".trouble", row)?.textContent ?? "", "");

// Rows of a list that changed, each by its place; those that are new are shown as such.
export function replaceItems(id, { length, changed }) {
  const place = document.getElementById(id);
  staying(place, () => {
    if (!length) place.replaceChildren();
    else if (!find("ol", place)) place.append(make("ol", "", "rows"));
    const list = find("ol", place);
    const before = list?.children.length;
    while (list?.children.length > length) list.lastElementChild.remove();
    for (const [n, html] of changed) {
      const template = document.createElement("template");
      template.innerHTML = html;
      const row = template.content.firstElementChild, old = list.children[n];
      dress(row);
      if (old?.outerHTML === row.outerHTML) continue;
      if (before && told(old) !== told(row)) row.classList.add("new");
      if (old) old.replaceWith(row);
      else list.append(row);
    }
  });
}

const clock = new Intl.DateTimeFormat([], { hour: "2-digit", minute: "2-digit" });

// Times as they are here, and buttons that need scripts.
export function dress(place) {
  for (const time of findAll("time[datetime]", place)) {
    const when = new Date(time.dateTime);
    const isToday = when.toDateString() === new Date().toDateString();
    time.textContent = `${isToday ? "" : `${when.toLocaleDateString()} `}${clock.format(when)}`;
  }
  for (const button of findAll("[data-copy]", place)) button.hidden = false;
  if (isViewer) for (const button of findAll("[form=ask]", place)) button.disabled = true;
}
