/** Requests that a cached page may answer, its key, and the changes that affect it (docs/decisions/0006). */
import type { IncomingMessage } from "node:http";
import { CATEGORIES } from "#shared/categories.ts";
import { COUNTRIES } from "#shared/countries.ts";
import { isUuid, UUID_PATTERN } from "#shared/ids.ts";
import { openCookieJar } from "../sessions/cookies.ts";

/** Path of the image for sharing a page: the page's kind and id. */
export const SHARE_IMAGE_PATH = new RegExp(`^/imagen/(consulta|psicologo)/(${UUID_PATTERN})\\.png$`);
/** Pages of a topic or a country. */
const TOPIC = /^\/(temas|paises)\/[a-z-]{1,40}(\.data)?$/;

/** Pages that are equal for all visitors, with the values of their parameters. */
const ROUTES: { path: RegExp; parameters: Record<string, readonly string[]> }[] = [
  {
    path: /^\/(_\.data)?$/,
    parameters: {
      vista: ["ranking"],
      pais: COUNTRIES,
      categoria: CATEGORIES,
      orden: ["recientes", "antiguas", "votadas", "respondidas", "pendientes"],
    },
  },
  {
    path: new RegExp(`^/consulta/${UUID_PATTERN}(\\.data)?$`),
    parameters: { orden: ["recientes", "antiguas", "votadas"] },
  },
  { path: new RegExp(`^/psicologo/${UUID_PATTERN}(\\.data)?$`), parameters: {} },
  { path: /^\/ayuda(\.data)?$/, parameters: { pais: COUNTRIES } },
  { path: /^\/(home|temas|terms|privacy|sin-conexion)(\.data)?$/, parameters: {} },
  { path: TOPIC, parameters: {} },
];

/** Cookies that make a page private, over http and https. Our other cookies are `theme`, `device` and `wrote`. */
const OWN_COOKIES = ["sid", "notice", "challenge", "registration", "check_mail"].flatMap((name) => [
  name,
  `__Host-${name}`,
]);

export type PageKey = { path: string; theme: "light" | "dark" | "system" };

/**
 * @returns path and parameters in a fixed order; null for an unknown page, or for a parameter that is unknown, repeated
 * or invalid
 */
function canonicalPath(url: string): string | null {
  const at = url.indexOf("?");
  const path = at < 0 ? url : url.slice(0, at);
  const route = ROUTES.find((one) => one.path.test(path));
  if (!route) return null;
  if (at < 0) return path;
  const parameters = [...new URLSearchParams(url.slice(at + 1))].sort(([a], [b]) => (a < b ? -1 : 1));
  const isKnown = parameters.every(
    ([name, value], place) =>
      name !== parameters[place - 1]?.[0] &&
      Object.hasOwn(route.parameters, name) &&
      route.parameters[name]!.includes(value),
  );
  return isKnown && parameters.length ? `${path}?${new URLSearchParams(parameters)}` : null;
}

/** @returns the theme of a visitor, or null if the page may be private */
function visitorTheme(header: string | undefined): PageKey["theme"] | null {
  const cookies = openCookieJar(header ?? null, false);
  if (OWN_COOKIES.some((name) => cookies.plain(name) !== undefined)) return null;
  const theme = cookies.plain("theme");
  return theme === "light" || theme === "dark" ? theme : "system";
}

/** @returns the key of the page for a request, or null if the framework must respond */
export function pageKeyOf({ method, url = "", headers }: IncomingMessage): PageKey | null {
  if (method !== "GET" && method !== "HEAD") return null;
  if (headers["content-length"] !== undefined || headers["transfer-encoding"] !== undefined) return null;
  const [image] = SHARE_IMAGE_PATH.exec(url.split("?", 1)[0]!) ?? [];
  // The same for all users and parameters, so that a sender cannot cause many renders of it.
  if (image) return { path: image, theme: "system" };
  const theme = visitorTheme(headers.cookie);
  const path = theme && canonicalPath(url);
  return path ? { path, theme } : null;
}

/** Tag of the pages with a list of consultations. */
const LISTS = "lists";
const LIST_PATHS = /^\/(_\.data)?(\?|$)/;

/** Tags of a page: the changes that affect it. */
export type PageTags = {
  /** Ids of all items on the page. After an edit or deletion of one, the page may not be sent any more. */
  items: Set<string>;
  /** Tags of changes after which the page may be sent for a short time. */
  counts: Set<string>;
};

const CARD = "card:";

/** True if a page depends on the counts with a tag. "card:id" affects all pages that show this psychologist. */
export const hasCounts = ({ items, counts }: PageTags, tag: string): boolean =>
  counts.has(tag) || (tag.startsWith(CARD) && items.has(tag.slice(CARD.length)));

export const subjectOf = (tag: string): string => (tag.startsWith(CARD) ? tag.slice(CARD.length) : tag);

function addIds(value: unknown, items: Set<string>): void {
  if (typeof value === "string") {
    if (value.length === 36 && isUuid(value)) items.add(value);
  } else if (value && typeof value === "object") for (const part of Object.values(value)) addIds(part, items);
}

/** Returns an interceptor of the API's client that adds the tags of all data that a page loads. */
export function collectTags(path: string, { items, counts }: PageTags) {
  if (LIST_PATHS.test(path) || TOPIC.test(path)) counts.add(LISTS);
  const subject = /^\/(?:consulta|psicologo)\/([^/.?]+)/.exec(path)?.[1];
  if (subject) counts.add(subject);
  return async <Result>({ next }: { next: () => PromiseLike<Result> }): Promise<Result> => {
    const result = await next();
    addIds(result, items);
    return result;
  };
}
