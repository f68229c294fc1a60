// Elements, fragments of the page, and times as they are here.

export const find = (selector, within = document) => within.querySelector(selector);
export const findAll = (selector, within = document) => [...within.querySelectorAll(selector)];

const keyOf = (element) => element.dataset.key || element.getAttribute("data-edit") || element.value || "";
const rowText = (row) => find(".said", row)?.innerText || row.innerText;

// Put a fragment in place: open menus stay open, and the keyboard stays where it is.
export function replace(id, html) {
  const place = document.getElementById(id);
  if (!place || place.shown === html) return;
  const open = findAll("details[open]", place).map((menu) => menu.dataset.key);
  const focused = place.contains(document.activeElement) && document.activeElement !== place
    ? document.activeElement : null;
  const key = focused && (focused.matches("summary") ? focused.parentElement.dataset.key : keyOf(focused));
  const rowsBefore = id === "rows" ? new Set(findAll(".rows > li", place).map(rowText)) : null;
  const isAtEnd = place.scrollTop + place.clientHeight > place.scrollHeight - 40;
  place.innerHTML = html;
  place.shown = html;
  if (rowsBefore && isAtEnd) place.scrollTop = place.scrollHeight;
  for (const menu of findAll("details", place)) menu.open = open.includes(menu.dataset.key);
  if (focused) {
    const same = findAll("button, summary", place).find((one) =>
      (one.matches("summary") ? one.parentElement.dataset.key : keyOf(one)) === key && one.tagName === focused.tagName);
    (same || place).focus({ preventScroll: true });
  }
  dress(place);
  if (rowsBefore?.size) {
    for (const row of findAll(".rows > li", place)) {
      if (!rowsBefore.has(rowText(row))) row.classList.add("new");
    }
  }
}

// Times as they are here, and buttons that need scripts.
export function dress(place) {
  for (const time of findAll("time[datetime]", place)) {
    const when = new Date(time.dateTime);
    const isToday = when.toDateString() === new Date().toDateString();
    const hour = when.toLocaleTimeString([], { hour: "2-digit", minute: "2-digit" });
    time.textContent = isToday ? hour : `${when.toLocaleDateString()} ${hour}`;
  }
  for (const button of findAll("[data-copy]", place)) button.hidden = false;
}
