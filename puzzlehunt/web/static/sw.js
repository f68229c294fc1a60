// The last boards open without the server: pages come from the network, and from here if there is
// none; files with a digest in their address never change.

const KEPT = "puzzlehunt";
const MOST = { page: 12, file: 60 };

addEventListener("install", () => skipWaiting());
addEventListener("activate", (event) => event.waitUntil(clients.claim()));
addEventListener("fetch", (event) => {
  const { request } = event;
  const { pathname } = new URL(request.url);
  if (request.method !== "GET") return;
  const isPage = request.mode === "navigate" && /\/(b\/[^/]+)?$/.test(pathname);
  if (/\/static\/[0-9a-f]{12}\//.test(pathname)) event.respondWith(file(request));
  else if (isPage) event.respondWith(page(request));
});

async function file(request) {
  return await caches.match(request) ?? keep(request, await fetch(request), "file");
}

async function page(request) {
  const place = new URL(request.url);
  place.search = "";
  try {
    const response = await fetch(request);
    return request.url === place.href ? await keep(place.href, response, "page") : response;
  } catch (error) {
    const known = await caches.match(place.href);
    if (!known) throw error;
    return known;
  }
}

async function keep(place, response, kind) {
  if (!response.ok || response.redirected) return response;
  const kept = await caches.open(KEPT);
  await kept.delete(place);
  await kept.put(place, response.clone());
  const isSame = ({ url }) => url.includes("/static/") === (kind === "file");
  const same = (await kept.keys()).filter(isSame);
  for (const old of same.slice(0, -MOST[kind])) await kept.delete(old);
  return response;
}
