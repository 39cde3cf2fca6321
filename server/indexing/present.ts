import { COUNTRIES } from "#shared/countries.ts";
import { excerpt } from "#shared/excerpt.ts";
import { PRODUCT_NAME } from "#shared/product.ts";
import { CATEGORY_SLUGS, COUNTRY_SLUGS } from "#shared/slugs.ts";
import { presentConsultation } from "../consultations/present.ts";
import type { FeedTopic, IndexedKind, newestAnswered } from "./store.ts";

const ENTITIES: Record<string, string> = { "&": "&amp;", "<": "&lt;", ">": "&gt;", '"': "&quot;" };
const NOT_XML = /[^\t\n\r\u0020-\uD7FF\uE000-\uFFFD\u{10000}-\u{10FFFF}]/gu;

/** Escapes a text for XML. Removes characters that XML 1.0 cannot contain. */
const escapeXml = (text: string) => text.replace(NOT_XML, "").replace(/[&<>"]/g, (sign) => ENTITIES[sign]!);
const element = (name: string, text: string) => `<${name}>${escapeXml(text)}</${name}>`;

const DECLARATION = '<?xml version="1.0" encoding="UTF-8"?>\n';
const SITEMAP_NAMESPACE = 'xmlns="http://www.sitemaps.org/schemas/sitemap/0.9"';

const urlSet = (entries: string[]) =>
  `${DECLARATION}<urlset ${SITEMAP_NAMESPACE}>\n${entries.map((entry) => `<url>${entry}</url>\n`).join("")}</urlset>\n`;

/** Public pages that no row of the database creates. */
const FIXED_PAGES = [
  "/",
  "/home",
  "/?vista=ranking",
  "/temas",
  ...Object.values(CATEGORY_SLUGS).map((slug) => `/temas/${slug}`),
  ...Object.values(COUNTRY_SLUGS).map((slug) => `/paises/${slug}`),
  "/ayuda",
  ...COUNTRIES.map((country) => `/ayuda?${new URLSearchParams({ pais: country })}`),
  "/contacto",
  "/privacy",
  "/terms",
];

/** @param starts for each kind, the ids with which its parts begin */
export function presentSitemapIndex(origin: string, starts: Record<IndexedKind, string[]>): string {
  const parts = Object.entries(starts).flatMap(([kind, ids]) => ids.map((id) => `/sitemap-${kind}.xml?desde=${id}`));
  const entries = ["/sitemap-fijas.xml", ...parts].map(
    (path) => `<sitemap>${element("loc", origin + path)}</sitemap>\n`,
  );
  return `${DECLARATION}<sitemapindex ${SITEMAP_NAMESPACE}>\n${entries.join("")}</sitemapindex>\n`;
}

export const presentFixedPages = (origin: string) => urlSet(FIXED_PAGES.map((path) => element("loc", origin + path)));

export const presentSitemapPart = (origin: string, kind: IndexedKind, rows: { id: string; day: string }[]) =>
  urlSet(rows.map(({ id, day }) => `<loc>${origin}/${kind}/${id}</loc><lastmod>${day}</lastmod>`));

/** Returns an Atom feed of consultations (RFC 4287). Its author is the site, because most entries are anonymous. */
export function presentFeed(
  origin: string,
  path: string,
  { country, category }: FeedTopic,
  rows: Awaited<ReturnType<typeof newestAnswered>>,
): string {
  const entries = rows.map(presentConsultation).map(({ id, title, content, created_at, edited_at, ...view }) => {
    const url = `${origin}/consulta/${id}`;
    const updated = edited_at ?? created_at;
    const xml = [
      element("id", url),
      element("title", title),
      `<link href="${url}"/>`,
      element("published", created_at),
      element("updated", updated),
      element("summary", excerpt(content)),
      ...(view.category ? [`<category term="${escapeXml(view.category)}"/>`] : []),
    ].join("");
    return { updated, xml: `<entry>${xml}</entry>\n` };
  });
  // A feed must have a time, also without entries.
  const updated =
    entries
      .map((entry) => entry.updated)
      .sort()
      .at(-1) ?? "1970-01-01T00:00:00.000Z";
  const topic = category ?? country;
  const head = [
    element("id", `${origin}${path}`),
    element("title", topic ? `${PRODUCT_NAME} · ${topic}` : PRODUCT_NAME),
    element("updated", updated),
    `<author>${element("name", PRODUCT_NAME)}</author>`,
    `<link rel="self" href="${origin}${path}"/>`,
    `<link href="${origin}${path.replace(/feed\.xml$/, "").replace(/(.)\/$/, "$1")}"/>`,
  ].join("");
  const body = entries.map(({ xml }) => xml).join("");
  return `${DECLARATION}<feed xmlns="http://www.w3.org/2005/Atom" xml:lang="es">${head}\n${body}</feed>\n`;
}

export const presentManifest = () => ({
  name: PRODUCT_NAME,
  short_name: PRODUCT_NAME,
  lang: "es",
  start_url: "/",
  // In a separate window, the quick exit would leave the product open behind the neutral page.
  display: "browser",
  background_color: "#f3ece2",
  theme_color: "#f3ece2",
  icons: [
    { src: "/icon-192.png", sizes: "192x192", type: "image/png" },
    { src: "/icon-512.png", sizes: "512x512", type: "image/png" },
    { src: "/icon-maskable-512.png", sizes: "512x512", type: "image/png", purpose: "maskable" },
    { src: "/favicon.svg", sizes: "any", type: "image/svg+xml" },
  ],
});

/** Paths without public content. Their pages have `noindex` too; this saves the crawlers' requests. */
const PRIVATE_PATHS = [
  "/admin",
  "/api/",
  "/auth/",
  "/baja/",
  "/comentario/",
  "/consulta/*/",
  "/correo",
  "/cuenta",
  "/notificaciones",
  "/nueva-consulta",
  "/perfil",
  "/planes/pago/",
  "/psicologo/*/",
  "/respuesta/",
  "/*.data",
];

export const presentRobots = (origin: string) =>
  ["User-agent: *", ...PRIVATE_PATHS.map((path) => `Disallow: ${path}`), "", `Sitemap: ${origin}/sitemap.xml`, ""].join(
    "\n",
  );
