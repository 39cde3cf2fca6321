import { useContext, useEffect } from "react";
import {
  type createBrowserRouter,
  type DataStrategyResult,
  data,
  isRouteErrorResponse,
  matchRoutes,
  replace,
  type UIMatch,
  UNSAFE_FrameworkContext,
  useLocation,
} from "react-router";
import type { ErrorBody } from "#shared/errors.ts";
import {
  type DisplayError,
  type FailureHandle,
  isGenericError,
  type MessageText,
  say,
} from "./client-error-messages.ts";
import { forgetAddedPages } from "./paged-list.ts";

type DataRouter = Pick<ReturnType<typeof createBrowserRouter>, "routes" | "state" | "subscribe">;

/** Returns the parts that we read of the browser's router, which React Router exposes only on the window. */
export const dataRouter = (): DataRouter =>
  (window as unknown as { __reactRouterDataRouter: DataRouter }).__reactRouterDataRouter;

/** The sections of the administration are one page. */
export const samePage = (one: string, other: string): boolean =>
  one === other || /^(\/admin(\/\w+)?){2}$/.test(one + other);

type PageData = Record<string, unknown>;

let current: { pathname: string; address: string; viewerId: string | undefined } | null = null;
/** Loader data of the newest pages by URL, the newest last. Back shows them without a network. */
const loaderDataCache = new Map<string, PageData>();
const MAX_CACHED_PAGES = 10;
/** URL to return to after another list of the same page failed to load. The router renders it from the cache. */
let restoringPath: string | null = null;

/** @param viewerId a change clears the cache, so that the next user never sees it */
export function cacheLoaderData(
  { pathname, search }: Pick<Location, "pathname" | "search">,
  matches: UIMatch[],
  viewerId: string | undefined,
): void {
  const address = pathname + search;
  if (current && current.viewerId !== viewerId) {
    loaderDataCache.clear();
    forgetAddedPages();
  }
  current = { pathname, address, viewerId };
  loaderDataCache.delete(address);
  loaderDataCache.set(address, Object.fromEntries(matches.map(({ id, loaderData }) => [id, loaderData])));
  if (loaderDataCache.size > MAX_CACHED_PAGES) loaderDataCache.delete([...loaderDataCache.keys()][0]!);
}

/** Ignores rejections of aborted and lost requests of the router: the page shows the failure. */
export const ignoreAbortedRequests = () =>
  addEventListener("unhandledrejection", (event) => {
    const { reason } = event;
    // Browsers use different messages for a request without a response.
    const isLost = reason instanceof TypeError && /fetch|Load failed/.test(reason.message);
    if (reason?.name === "AbortError" || isLost || isRouteErrorResponse(reason)) event.preventDefault();
  });

let notifyStalePage: ((error: DisplayError) => void) | null = null;

/** Calls `listener` when a page fails to load and the previous one stays. */
export function onStalePage(listener: (error: DisplayError) => void): void {
  notifyStalePage = listener;
}

let missed: { address: string; error: DisplayError } | null = null;
/** The last requested list, if it failed to load. Every navigation resets it. */
export const missedList = () => missed;

/** Shows a toast if the browser is offline. @returns true if it is offline */
export function tellOffline(): boolean {
  if (navigator.onLine) return false;
  notifyStalePage?.({ code: "network_error", words: say("Sin conexión", "Lo que has escrito sigue aquí.") });
  return true;
}

export const HELP_PATH = "/ayuda";

/** Opens the stored help lines. Only a request of a whole document gets them. @returns false if none are stored */
export async function openStoredHelp(address: string): Promise<boolean> {
  const stored = await globalThis.caches?.match("/sin-conexion").catch(() => undefined);
  if (stored) location.assign(address);
  return stored !== undefined;
}

/** Pattern of the sign-out. Its action always redirects, so no page can show its error. */
const SIGN_OUT = "salir";

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return null;
  }
}

type NetworkError = { status: number; body: DisplayError };

/** @param status 503 if a proxy had no server: the request was not processed */
const unreachable = (status?: number): NetworkError => ({
  status: 503,
  body: { code: "network_error", lost: status !== 503 },
});

/** Converts a failed request to an error of the product. @returns null for a redirect or a 4xx of the router itself */
function toNetworkError(error: unknown): NetworkError | null {
  if (error instanceof Response) return null;
  if (!isRouteErrorResponse(error)) return unreachable();
  // The server responds in JSON if it fails before the page runs. A proxy may respond with anything.
  const body = typeof error.data === "string" ? parsed(error.data) : error.data;
  if (typeof (body as Partial<ErrorBody> | null)?.code === "string")
    return { status: error.status, body: body as ErrorBody };
  return error.status < 500 ? null : unreachable(error.status);
}

function pageMessage(pathname: string, ...operations: string[]): MessageText | undefined {
  const handle: FailureHandle | undefined = matchRoutes(dataRouter().routes, pathname)?.at(-1)?.route.handle;
  return operations.map((name) => handle?.failed?.[name]).find(Boolean);
}

const withPageMessage = (error: DisplayError, words: MessageText | undefined): DisplayError =>
  words && isGenericError(error) ? { ...error, words } : error;

type Results = Record<string, DataStrategyResult>;

const intentsOf = (fields: FormData) =>
  fields.has("intent") ? [String(fields.get("intent"))] : [...fields.keys(), "act"];

/** A failed form shows its page's error. A failed reload, Back or list shows the cached page, still signed in. */
export async function networkErrorMiddleware(
  { request, pattern }: { request: Request; pattern: string },
  next: () => Promise<Results>,
): Promise<Results> {
  const { pathname, search, searchParams } = new URL(request.url);
  const address = pathname + search;
  const kept = cachedPageData(request, address);
  if (kept) return kept;
  const posted = request.method === "GET" ? null : request.clone();
  const { onLine } = navigator;
  if (!posted) missed = null;
  if (posted && current && pattern === SIGN_OUT && tellOffline()) restorePage(current.address);
  const results = await next();
  const failed = Object.values(results).find(({ type }) => type === "error");
  if (!failed || request.signal.aborted) return results;

  if (posted) {
    const intents = intentsOf(await posted.formData());
    const words = pageMessage(pathname, ...intents.map((intent) => `lost ${intent}`), ...intents, "*");
    const told = tellOffline();
    return mapNetworkErrors(results, pattern, words, (_, { status }, body) => ({
      type: "data",
      // An offline browser did not send the request.
      result: data({ intent: intents[0], actionError: { ...body, lost: body.lost && onLine, told } }, status),
    }));
  }
  const words = pageMessage(pathname, `load ${searchParams.get("vista")}`, "load");
  const again = current?.address === address;
  // Back changes the browser's URL before the page loads. A link or a form changes it after.
  const wentBack = !again && location.pathname + location.search === address;
  const shown = again || wentBack ? loaderDataCache.get(address) : undefined;
  const fault = toNetworkError(failed.result);
  if (isMissingHelp(pathname, fault, shown)) await openStoredHelp(address);
  if (fault && isGenericError(fault.body) && current && !again) {
    const body = withPageMessage(fault.body, words);
    const stays = !wentBack && samePage(pathname, current.pathname);
    if (stays || shown) notifyStalePage?.(body);
    if (stays) {
      missed = { address, error: body };
      restorePage(current.address);
    }
  }
  return mapNetworkErrors(results, pattern, words, (id, fault, body) => {
    // Use the newest data of the root, even if the page itself comes from the cache.
    const kept = id === "root" && current ? loaderDataCache.get(current.address)?.[id] : shown?.[id];
    if (kept !== undefined && isGenericError(fault.body)) return { type: "data", result: kept };
    return { type: "error", result: { status: fault.status, statusText: "", internal: false, data: body } };
  });
}

const isMissingHelp = (pathname: string, fault: NetworkError | null, shown: PageData | undefined) =>
  pathname === HELP_PATH && current?.pathname !== HELP_PATH && !shown && fault?.body.code === "network_error";

function cachedPageData(request: Request, address: string): Results | null {
  if (restoringPath === null) return null;
  const kept = restoringPath === address && request.method === "GET" ? loaderDataCache.get(address) : undefined;
  restoringPath = null;
  return kept ? mapValues(kept, (result) => ({ type: "data", result })) : null;
}

/** Stays on the current page by redirecting to its cached data. @throws Response the redirect */
function restorePage(address: string): never {
  restoringPath = address;
  throw replace(address + location.hash);
}

function mapNetworkErrors(
  results: Results,
  pattern: string,
  words: MessageText | undefined,
  instead: (id: string, fault: NetworkError, body: DisplayError) => DataStrategyResult,
): Results {
  return mapValues(results, (result, id) => {
    const fault = result.type === "error" ? toNetworkError(result.result) : null;
    if (!fault || pattern === SIGN_OUT) return result;
    return instead(id, fault, withPageMessage(fault.body, words));
  });
}

const mapValues = <From, To>(from: Record<string, From>, to: (value: From, key: string) => To): Record<string, To> =>
  Object.fromEntries(Object.entries(from).map(([key, value]) => [key, to(value, key)]));

/** Prefetches the code of form actions: if it fails on submit, the router reloads the page and drops the typed text. */
export function usePreloadFormRoutes(): void {
  const framework = useContext(UNSAFE_FrameworkContext);
  const { key } = useLocation();
  // biome-ignore lint/correctness/useExhaustiveDependencies: another page has other forms
  useEffect(() => {
    // Not `form.method`: a field named "method" would shadow the property.
    const prepare = (form: HTMLFormElement) => {
      if (form.getAttribute("method") !== "post") return;
      const { pathname } = new URL(form.getAttribute("action") ?? "", location.href);
      const match = matchRoutes(dataRouter().routes, pathname)?.at(-1);
      const route = match && framework?.manifest.routes[match.route.id];
      if (!route || framework.routeModules[route.id]) return;
      for (const code of [route.module, route.clientActionModule])
        if (code) import(/* @vite-ignore */ code).catch(() => {});
    };
    for (const form of document.forms) prepare(form);
    // Dialogs add their forms later.
    const enter = ({ target }: FocusEvent) => {
      const form = target instanceof Element && target.closest("form");
      if (form) prepare(form);
    };
    document.addEventListener("focusin", enter);
    return () => document.removeEventListener("focusin", enter);
  }, [key, framework]);
}
