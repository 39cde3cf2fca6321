/** Documents for crawlers, feed readers and the browser's frame. They contain only public data. */
import type { Context as HonoContext } from "hono";
import { isUuid } from "#shared/ids.ts";
import { LIMITS } from "#shared/limits.ts";
import { CATEGORY_SLUGS, COUNTRY_SLUGS, nameOfSlug } from "#shared/slugs.ts";
import type { Context } from "../context.ts";
import {
  presentFeed,
  presentFixedPages,
  presentManifest,
  presentRobots,
  presentSitemapIndex,
  presentSitemapPart,
} from "../indexing/present.ts";
import { type FeedTopic, type IndexedKind, newestAnswered, sitemapPart, sitemapStarts } from "../indexing/store.ts";
import type { ReadOnce } from "./page-cache.ts";
import { limitSender } from "./sender-limits.ts";
import type { Shell, ShellEnv } from "./shell.ts";

const XML = "application/xml; charset=utf-8";
const ATOM = "application/atom+xml; charset=utf-8";

/** Reads the primary database again after each change: a deleted consultation is missing from the next response. */
export function serveIndexing(app: Shell, { config, publicDb }: Context, readOnce: ReadOnce): void {
  const { origin } = config.publicUrl;
  const send = (c: HonoContext<ShellEnv>, body: string, type: string, caching: string) =>
    c.body(body, 200, { "content-type": type, "cache-control": caching });
  const sendRead = async (c: HonoContext<ShellEnv>, type: string, key: string, read: () => Promise<string>) => {
    const body = await limitSender(c, () => readOnce(key, read));
    return send(c, body, type, "no-cache");
  };

  app.get("/robots.txt", (c) => send(c, presentRobots(origin), "text/plain; charset=utf-8", "public, max-age=3600"));
  app.get("/manifest.webmanifest", (c) =>
    send(c, JSON.stringify(presentManifest()), "application/manifest+json; charset=utf-8", "public, max-age=3600"),
  );

  app.get("/sitemap.xml", (c) =>
    sendRead(c, XML, "sitemap", async () => {
      const startsOf = (kind: IndexedKind) => sitemapStarts(publicDb, kind, LIMITS.sitemapPart);
      const [consulta, psicologo] = await Promise.all([startsOf("consulta"), startsOf("psicologo")]);
      return presentSitemapIndex(origin, { consulta, psicologo });
    }),
  );
  app.get("/sitemap-fijas.xml", (c) => send(c, presentFixedPages(origin), XML, "no-cache"));
  app.get("/:part{sitemap-(?:consulta|psicologo)\\.xml}", (c, next) => {
    const from = c.req.query("desde");
    if (!isUuid(from)) return next();
    const kind = c.req.path.includes("consulta") ? "consulta" : "psicologo";
    return sendRead(c, XML, `sitemap ${kind} ${from}`, async () =>
      presentSitemapPart(origin, kind, await sitemapPart(publicDb, kind, from, LIMITS.sitemapPart)),
    );
  });

  const sendFeed = (c: HonoContext<ShellEnv>, topic: FeedTopic) =>
    sendRead(c, ATOM, `feed ${c.req.path}`, async () =>
      presentFeed(origin, c.req.path, topic, await newestAnswered(publicDb, topic, LIMITS.feedEntries)),
    );
  app.get("/feed.xml", (c) => sendFeed(c, {}));
  app.get("/temas/:slug/feed.xml", (c, next) => {
    const category = nameOfSlug(CATEGORY_SLUGS, c.req.param("slug"));
    return category ? sendFeed(c, { category }) : next();
  });
  app.get("/paises/:slug/feed.xml", (c, next) => {
    const country = nameOfSlug(COUNTRY_SLUGS, c.req.param("slug"));
    return country ? sendFeed(c, { country }) : next();
  });
}
