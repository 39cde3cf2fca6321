/** The page cache for visitors, on `node:http` before the framework (docs/decisions/0006). */
import { createHash } from "node:crypto";
import type { IncomingMessage, ServerResponse } from "node:http";
import { promisify } from "node:util";
import { brotliCompress, constants, gunzipSync, gzip } from "node:zlib";
import { LRUCache } from "lru-cache";
import type { Context } from "../context.ts";
import { logOutage } from "../database/faults.ts";
import { listenTo } from "../database/listening.ts";
import { acceptedEncoding, type Encoding, matches } from "./content-negotiation.ts";
import { bodyOf } from "./known-body.ts";
import { hasCounts, type PageKey, type PageTags, pageKeyOf, SHARE_IMAGE_PATH, subjectOf } from "./page-keys.ts";

/** Channel of the notifications that the triggers of the database send. */
const CHANNEL = "page_changes";
const MAX_BYTES = 64 * 2 ** 20;
const MAX_READS = 100;
/** Size of the headers of a page and of each of its tags, in bytes. */
const OVERHEAD_BYTES = { headers: 2_000, tag: 250 } as const;
/** Times in milliseconds. */
const MS = {
  /** Longest life of a page, because time changes it too: a membership ends. Browsers update the displayed times. */
  age: 300_000,
  /** Longest use of a page whose counts changed, and the time after which a render replaces it. */
  stale: 1_000,
  refresh: 500,
  /** Longest use of data from one read. */
  read: 1_000,
  heartbeat: 250,
  /** Time without a heartbeat after which the process may miss changes. */
  silence: 1_000,
} as const;

/** A window of 2^17 bytes covers a page and takes a thirtieth of the memory of the default. */
const BROTLI = { [constants.BROTLI_PARAM_QUALITY]: 5, [constants.BROTLI_PARAM_LGWIN]: 17 };
const compressBrotli = promisify(brotliCompress);
const compressGzip = promisify(gzip);
/** Form of a stored body. Images have their own compression. */
type Stored = Encoding | "identity";
const compress: Record<Stored, (body: Buffer) => Promise<Buffer>> = {
  identity: async (body) => body,
  br: (body) => compressBrotli(body, { params: BROTLI }),
  gzip: (body) => compressGzip(body, { level: 6 }),
};

/** Copies bytes to memory that nothing else shares. As a slice of Node's pool of buffers, each page would retain 64 KiB. */
const ownCopy = (bytes: Buffer) => Buffer.from(new Uint8Array(bytes).buffer);

/** Headers that describe another form of the body, or belong to one connection. */
const DROPPED = new Set(`content-encoding content-length transfer-encoding vary etag date connection`.split(" "));

type Page = {
  /** Alternating names and values. */
  headers: string[];
  etag: string;
  encoding: Stored;
  body: Buffer;
  tags: PageTags;
  /** Time of its render by the product's clock, in milliseconds. */
  renderedAt: number;
  /** Time of the first change of its counts, in milliseconds of `performance.now()`. */
  staleSince: number | null;
};
/** Each encoding is rendered separately, because almost all browsers accept the same one. */
type PageForm = PageKey & { encoding: Stored };
type Render = { page: Promise<Page | null>; dropped: Set<string>; changed: Map<string, number> };

/** Reads public data, or returns the result of an earlier call with the same key if nothing has changed since. */
export type ReadOnce = <Result>(key: string, read: () => Promise<Result>) => Promise<Result>;
export type PageCache = Awaited<ReturnType<typeof openPageCache>>;

function send(page: Page, { method, headers }: IncomingMessage, response: ServerResponse): void {
  if (matches(headers["if-none-match"], page.etag)) {
    response.writeHead(304, page.headers).end();
    return;
  }
  const isUnpacked = page.encoding !== "identity" && acceptedEncoding(headers["accept-encoding"]) === "identity";
  const body = isUnpacked ? gunzipSync(page.body) : page.body;
  const encoded = isUnpacked || page.encoding === "identity" ? [] : ["content-encoding", page.encoding];
  response.writeHead(200, [...page.headers, ...encoded, "content-length", String(body.length)]);
  response.end(method === "HEAD" ? undefined : body);
}

/** Opens the page cache. It stores pages while it receives all notifications of changes. */
export async function openPageCache(
  { now, log }: Context,
  databaseUrl: string,
  fetch: (request: Request, tags: PageTags) => Promise<Response>,
) {
  /** Keys of the pages with an item or with counts. */
  const keysOf = new Map<string, Set<string>>();
  const pages = new LRUCache<string, Page>({
    maxSize: MAX_BYTES,
    sizeCalculation: ({ body, tags }) =>
      body.length + OVERHEAD_BYTES.headers + OVERHEAD_BYTES.tag * (tags.items.size + tags.counts.size),
    dispose: ({ tags }, key) => {
      for (const tag of [...tags.items, ...tags.counts]) {
        const keys = keysOf.get(tag);
        keys?.delete(key);
        if (!keys?.size) keysOf.delete(tag);
      }
    },
  });
  const reads = new LRUCache<string, Promise<unknown>>({ max: MAX_READS, ttl: MS.read });
  const shared = new Map<string, Render>();
  const running = new Set<Render>();
  const counted = { hits: 0, misses: 0, renders: 0 };

  function store(key: string, page: Page): void {
    pages.set(key, page);
    for (const tag of [...page.tags.items, ...page.tags.counts]) {
      const keys = keysOf.get(tag) ?? new Set();
      keysOf.set(tag, keys.add(key));
    }
  }

  function drop(item: string): void {
    for (const key of [...(keysOf.get(item) ?? [])]) if (pages.peek(key)!.tags.items.has(item)) pages.delete(key);
    for (const render of running) render.dropped.add(item);
    // The items of a running render are unknown. New requests start another render.
    shared.clear();
  }

  /** Limits the use of the pages with these counts. */
  function age(tag: string): void {
    const at = performance.now();
    for (const key of keysOf.get(subjectOf(tag)) ?? []) {
      const page = pages.peek(key)!;
      if (hasCounts(page.tags, tag)) page.staleSince ??= at;
    }
    for (const render of running) if (!render.changed.has(tag)) render.changed.set(tag, at);
  }

  function onChange(payload: string): void {
    reads.clear();
    for (const tag of payload.split(" "))
      if (tag.startsWith("!")) drop(tag.slice(1));
      else age(tag);
  }

  const listening = await listenTo(
    databaseUrl,
    "divan-pages",
    CHANNEL,
    {
      onNotification: onChange,
      onConnected() {
        pages.clear();
        reads.clear();
        shared.clear();
        for (const render of running) render.dropped.add("*");
      },
      onLost: (error) => logOutage(log, "database_connection_lost", error, "page cache"),
    },
    MS.heartbeat,
  );
  const hearsChanges = () => performance.now() - (listening.heardAt() ?? -Infinity) < MS.silence;

  async function render(
    { path, theme, encoding }: PageForm,
    key: string,
    { dropped, changed }: Render,
  ): Promise<Page | null> {
    counted.renders++;
    const renderedAt = now().getTime();
    const tags: PageTags = { items: new Set(), counts: new Set() };
    const headers: HeadersInit = theme === "system" ? {} : { cookie: `theme=${theme}` };
    const response = await fetch(new Request(`http://page${path}`, { headers }), tags);
    if (response.status !== 200 || response.headers.has("set-cookie")) return null;
    const body = await bodyOf(response);
    const policy = response.headers.get("content-security-policy") ?? "";
    const etag = `W/"${createHash("sha256").update(policy).update(body).digest("base64url").slice(0, 22)}"`;
    const before = pages.peek(key);
    const packed = before?.etag === etag ? before.body : ownCopy(await compress[encoding](body));
    const kept = [...response.headers].filter(([name]) => !DROPPED.has(name)).flat();
    const times = [...changed].filter(([tag]) => hasCounts(tags, tag)).map(([, at]) => at);
    const page: Page = {
      headers: [...kept, "vary", "Cookie, Accept-Encoding", "etag", etag],
      etag,
      encoding,
      body: packed,
      tags,
      renderedAt,
      staleSince: times.length ? Math.min(...times) : null,
    };
    const isGone = dropped.has("*") || [...dropped].some((item) => tags.items.has(item));
    if (!isGone && hearsChanges()) store(key, page);
    return page;
  }

  /** @returns null if the page cannot be shared */
  function renderOnce(asked: PageForm, key: string): Promise<Page | null> {
    const before = shared.get(key);
    const [changedAt = Number.POSITIVE_INFINITY] = before?.changed.values() ?? [];
    // A page that renders for long may show counts from before a change.
    if (before && performance.now() - changedAt < MS.stale) return before.page;
    const rendering = { dropped: new Set(), changed: new Map() } as unknown as Render;
    running.add(rendering);
    shared.set(key, rendering);
    rendering.page = render(asked, key, rendering)
      .catch(() => null)
      .finally(() => {
        running.delete(rendering);
        if (shared.get(key) === rendering) shared.delete(key);
      });
    return rendering.page;
  }

  function isFresh({ renderedAt, staleSince }: Page): boolean {
    const age = now().getTime() - renderedAt;
    return age >= 0 && age < MS.age && (staleSince === null || performance.now() - staleSince < MS.stale);
  }

  const readOnce: ReadOnce = (key, read) => {
    if (!hearsChanges()) return read();
    const known = reads.get(key) as ReturnType<typeof read> | undefined;
    if (known) return known;
    const result = read();
    reads.set(key, result);
    result.catch(() => reads.delete(key));
    return result;
  };

  return {
    readOnce,
    counted: counted as Readonly<typeof counted>,
    hearsChanges,
    /** Waits until this process has dropped the pages of all changes that were committed before. */
    settled: listening.settled,
    before(request: IncomingMessage, response: ServerResponse, next: () => void): void {
      const asked = hearsChanges() ? pageKeyOf(request) : null;
      if (!asked) {
        next();
        return;
      }
      const packed = acceptedEncoding(request.headers["accept-encoding"]) === "br" ? "br" : "gzip";
      const encoding = SHARE_IMAGE_PATH.test(asked.path) ? "identity" : packed;
      const form = { ...asked, encoding } as const;
      const key = `${encoding} ${asked.theme} ${asked.path}`;
      const page = pages.get(key);
      if (page && isFresh(page)) {
        counted.hits++;
        if (page.staleSince !== null && performance.now() - page.staleSince >= MS.refresh) void renderOnce(form, key);
        send(page, request, response);
        return;
      }
      counted.misses++;
      void renderOnce(form, key).then((rendered) => {
        if (response.destroyed) return;
        // Each request computes a private response or an error itself.
        if (rendered) send(rendered, request, response);
        else next();
      });
    },
    async close() {
      log.info({ event: "page_cache_closed", ...counted, pages: pages.size, bytes: pages.calculatedSize });
      await listening.close();
    },
  };
}
