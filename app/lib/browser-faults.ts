import { type DataStrategyResult, data, isRouteErrorResponse, replace, type UIMatch } from "react-router";
import type { ErrorBody } from "#shared/errors.ts";
import { failure, isUnforeseen, loading } from "./failures.ts";
import type { WordedError } from "./page-words.ts";

type PageData = Record<string, unknown>;

/** The page on screen: its address, and who was signed in. */
let current: { pathname: string; address: string; viewerId: string | undefined } | null = null;
/** What pages showed, by address, the newest last: so that Back works without a network. */
const remembered = new Map<string, PageData>();
const MAX_REMEMBERED = 10;
/** The page to return to after another list of it did not load: it is shown as it was, without asking again. */
let returningTo: string | null = null;

/**
 * Remembers what is on screen, so that it can stay there when asking for it again fails, and be shown again on going back.
 * @param viewerId who is signed in; what pages showed to one person is forgotten before the next one
 */
export function rememberShown(
  { pathname, search }: Pick<Location, "pathname" | "search">,
  matches: UIMatch[],
  viewerId: string | undefined,
): void {
  const address = pathname + search;
  if (current && current.viewerId !== viewerId) remembered.clear();
  current = { pathname, address, viewerId };
  remembered.delete(address);
  remembered.set(address, Object.fromEntries(matches.map(({ id, loaderData }) => [id, loaderData])));
  for (const oldest of remembered.keys()) {
    if (remembered.size <= MAX_REMEMBERED) break;
    remembered.delete(oldest);
  }
}

/**
 * Keeps two promises of the router from being reported as unhandled errors: the body of a request that was aborted, and
 * the failure of a request that ended before the code of its page was there. The page shows the failure.
 * @returns the function that ends it
 */
export function dropAbortedRequests(): () => void {
  const drop = (event: PromiseRejectionEvent) => {
    const { reason } = event;
    // The message of a request without a response, in each browser.
    const isLost = reason instanceof TypeError && /fetch|Load failed/.test(reason.message);
    if (reason?.name === "AbortError" || isLost || isRouteErrorResponse(reason)) event.preventDefault();
  };
  addEventListener("unhandledrejection", drop);
  return () => removeEventListener("unhandledrejection", drop);
}

type FaultListener = (error: WordedError) => void;
let tellKeptPage: FaultListener | null = null;

/** Calls `listener` when a page did not load and what was on screen stays. @returns the function that ends it */
export function onKeptPage(listener: FaultListener): () => void {
  tellKeptPage = listener;
  return () => {
    tellKeptPage = null;
  };
}

/** Address of a list that did not load while another one of its page stays on screen, and why. */
type MissedList = { address: string; error: ErrorBody };
let missed: MissedList | null = null;

/** The list that was asked for last and did not load. It changes with the place in the history. */
export const missedList = (): MissedList | null => missed;

/** Says in a toast that a press needs the network. @returns false if there is a network */
export function tellOffline(): boolean {
  if (navigator.onLine) return false;
  tellKeptPage?.({
    code: "unreachable",
    words: { title: "Sin conexión.", description: "Lo que has escrito sigue aquí." },
  });
  return true;
}

/** Actions that lead away and have no page to say anything on. */
const WITHOUT_PAGE = new Set(["salir", "tema"]);

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return null;
  }
}

type Fault = { status: number; body: WordedError };

/** @param status of a proxy, which responds 503 if it has no server to pass the request on to */
const unreachable = (status?: number): Fault => ({
  status: 503,
  body: { code: "unreachable", lost: status !== 503 },
});

/**
 * What an asked server answered, as an error of the product: its own words, or that nothing that makes sense came back.
 * Null for what is no fault: a redirect, and what the router itself refuses.
 */
function faultIn(error: unknown): Fault | null {
  if (error instanceof Response) return null;
  if (!isRouteErrorResponse(error)) return unreachable();
  // Before it comes to a page the server answers in JSON; a proxy before it answers anything.
  const body = typeof error.data === "string" ? parsed(error.data) : error.data;
  if (typeof (body as Partial<ErrorBody> | null)?.code === "string")
    return { status: error.status, body: body as ErrorBody };
  return error.status < 500 ? null : unreachable(error.status);
}

type Results = Record<string, DataStrategyResult>;
type Asked = { request: Request; pattern: string };

/**
 * Runs around everything that the router asks the server for. A form that failed is refused in the words of its page, and
 * keeps what was typed; a page that could not be loaded again stays as it is, and so does a page of which another list
 * could not be loaded; on going back, what was shown there is shown again; any other page that could not be loaded says
 * what it was to show. None of that makes the user look signed out.
 */
export async function browserFaults({ request, pattern }: Asked, next: () => Promise<Results>): Promise<Results> {
  const { pathname, search, searchParams } = new URL(request.url);
  const address = pathname + search;
  const kept = keptForReturn(request, address);
  if (kept) return kept;
  const posted = request.method === "GET" ? null : request.clone();
  if (!posted) missed = null;
  if (posted && current && WITHOUT_PAGE.has(pattern) && tellOffline()) stayOn(current.address);
  const results = await next();
  const failed = Object.values(results).find(({ type }) => type === "error");
  if (!failed || request.signal.aborted) return results;

  if (posted) {
    const doing = String((await posted.formData()).get("intent") ?? "act");
    const told = tellOffline();
    return mapFaults(results, pattern, doing, (_, { status }, body) => ({
      type: "data",
      result: data({ refused: { ...body, told } }, status),
    }));
  }
  const doing = loading(searchParams);
  const again = current?.address === address;
  // Going back has changed the browser's address already; a link or a form changes it only once the page is there.
  const wentBack = !again && location.pathname + location.search === address;
  const shown = again || wentBack ? remembered.get(address) : undefined;
  const fault = faultIn(failed.result);
  if (fault && isUnforeseen(fault.body) && current && !again) {
    const body = failure(pattern, doing, fault.body);
    const stays = !wentBack && pathname === current.pathname;
    if (stays || shown) tellKeptPage?.(body);
    if (stays) {
      missed = { address, error: body };
      stayOn(current.address);
    }
  }
  return mapFaults(results, pattern, doing, (id, fault, body) => {
    // What stands around the pages is the newest, whatever page stands in it.
    const kept = id === "root" && current ? remembered.get(current.address)?.[id] : shown?.[id];
    if (kept !== undefined && isUnforeseen(fault.body)) return { type: "data", result: kept };
    return { type: "error", result: { status: fault.status, statusText: "", internal: false, data: body } };
  });
}

/** What was on screen, for the request that returns to it after another list of it did not load; else null. */
function keptForReturn(request: Request, address: string): Results | null {
  if (returningTo === null) return null;
  const kept = returningTo === address && request.method === "GET" ? remembered.get(address) : undefined;
  returningTo = null;
  return kept ? mapValues(kept, (result) => ({ type: "data", result })) : null;
}

/** Keeps the page on screen. Always throws: the way back. */
function stayOn(address: string): never {
  returningTo = address;
  throw replace(address + location.hash);
}

/** The results, with another one in place of each fault; `body` is the fault in the words of what was being done. */
function mapFaults(
  results: Results,
  pattern: string,
  doing: string,
  instead: (id: string, fault: Fault, body: ErrorBody) => DataStrategyResult,
): Results {
  return mapValues(results, (result, id) => {
    const fault = result.type === "error" ? faultIn(result.result) : null;
    if (!fault || WITHOUT_PAGE.has(pattern)) return result;
    return instead(id, fault, failure(pattern, doing, fault.body));
  });
}

const mapValues = <From, To>(from: Record<string, From>, to: (value: From, key: string) => To): Record<string, To> =>
  Object.fromEntries(Object.entries(from).map(([key, value]) => [key, to(value, key)]));
