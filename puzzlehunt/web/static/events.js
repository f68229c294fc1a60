// Following the others by server-sent events, and coming back after a loss of the connection.

import { form, show } from "./shown.js";
import { pump, setOnline } from "./queue.js";

let events;

export function follow() {
  events?.close();
  events = new EventSource(form.dataset.events);
  events.addEventListener("open", () => { setOnline(true); pump(); });
  events.addEventListener("state", (event) => show(JSON.parse(event.data)));
  events.addEventListener("error", () => {
    setOnline(false);
    if (events.readyState === EventSource.CLOSED) setTimeout(follow, 3000);
  });
}

addEventListener("online", () => {
  if (events.readyState === EventSource.OPEN) setOnline(true);
  pump();
});
addEventListener("offline", () => setOnline(false));
