/*
 * Service worker: files of the build from the cache, pages from the network only. If a page cannot be loaded, it shows
 * the help lines. It stores no page of a user and no response of the API. Signing out clears its caches.
 */
const ASSETS = "assets";
const MAX_ASSETS = 200;
const OFFLINE = "offline";
const OFFLINE_PAGE = "/sin-conexion";
/** Age after which the stored help lines are loaded again, in milliseconds. */
const FRESH_MS = 3_600_000;

addEventListener("install", (event) => {
  skipWaiting();
  event.waitUntil(storeOfflinePage());
});

// Without it, each page would wait for the start of this worker.
addEventListener("activate", (event) => event.waitUntil(registration.navigationPreload?.enable()));

addEventListener("fetch", (event) => {
  const { request } = event;
  const { origin, pathname } = new URL(request.url);
  if (origin !== location.origin) return;
  if (request.method !== "GET") return;
  if (request.mode === "navigate") event.respondWith(fetchPage(event));
  else if (pathname.startsWith("/assets/")) event.respondWith(fetchAsset(event).catch(() => fetch(request)));
});

async function fetchAsset({ request }) {
  const cache = await caches.open(ASSETS);
  const stored = await cache.match(request);
  if (stored) return stored;
  const response = await fetch(request);
  if (response.ok) {
    await cache.put(request, response.clone());
    const oldest = (await cache.keys()).slice(0, -MAX_ASSETS);
    await Promise.all(oldest.map((old) => cache.delete(old)));
  }
  return response;
}

async function fetchPage(event) {
  try {
    const response = (await event.preloadResponse) ?? (await fetch(event.request));
    event.waitUntil(refreshOfflinePage());
    return response;
  } catch {
    return (await offlinePage(event.request)) ?? Response.error();
  }
}

/** Stores the page with the help lines without scripts, and as a visitor, so that it contains nothing of the user. */
async function storeOfflinePage() {
  const response = await fetch(OFFLINE_PAGE, { credentials: "omit", cache: "no-cache" });
  if (!response.ok) throw new Error(`${OFFLINE_PAGE} responded ${response.status}`);
  const html = (await response.text()).replace(
    /<script\b.*?<\/script>|<link (?:rel="modulepreload"|media="print")[^>]*>/gs,
    "",
  );
  const headers = ["content-type", "content-security-policy", "date"].map((name) => [name, response.headers.get(name)]);
  const cache = await caches.open(OFFLINE);
  await cache.put(OFFLINE_PAGE, new Response(html, { headers }));
  const [icons] = /\/assets\/icons-[^#"]+/.exec(html) ?? [];
  // The page is useful without them.
  if (icons) await (await caches.open(ASSETS)).add(icons).catch(() => {});
}

async function refreshOfflinePage() {
  const stored = await caches.match(OFFLINE_PAGE);
  const age = Date.now() - Date.parse(stored?.headers.get("date"));
  if (!(age < FRESH_MS)) await storeOfflinePage().catch(() => {});
}

/** Returns the country in the URL of a page, as in the id of its help lines, or undefined. */
function countryIn(url) {
  const { pathname, searchParams } = new URL(url || location.origin);
  const country = searchParams.get("pais") ?? /^\/paises\/([a-z-]+)/.exec(pathname)?.[1];
  return country
    ?.normalize("NFD")
    .replace(/[^\w-]/g, "")
    .toLowerCase();
}

/** Returns the stored page. The country of the requested page, or of the previous one, is first and open. */
async function offlinePage({ url, referrer }) {
  const stored = await caches.match(OFFLINE_PAGE);
  if (!stored) return undefined;
  const country = countryIn(url) ?? countryIn(referrer);
  const html = (await stored.text()).replace(`id="pais-${country}"`, '$& open style="order:-1"');
  return new Response(html, { headers: stored.headers });
}

/** Shows a push. All pushes have one tag, so that a later one replaces the one before. */
addEventListener("push", (event) => {
  const { title, body } = event.data.json();
  event.waitUntil(registration.showNotification(title, { body, tag: "news", icon: "/icon-192.png" }));
});

/** Opens the list of notifications in a tab of ours, or in a new one. */
addEventListener("notificationclick", (event) => {
  event.notification.close();
  event.waitUntil(
    clients.matchAll({ type: "window" }).then(async ([tab]) => {
      const shown = await tab?.navigate("/notificaciones").catch(() => null);
      return shown ? shown.focus() : clients.openWindow("/notificaciones");
    }),
  );
});
