import { type DataStrategyResult, data, isRouteErrorResponse, type UIMatch } from "react-router";
import type { ErrorBody } from "#shared/errors.ts";
import { failure, isUnforeseen } from "./failures.ts";

/** The page on screen: its address, and the data of each of its routes. */
let shown: { address: string; data: Record<string, unknown> } | null = null;

/** Remembers what is on screen, so that it can stay there when asking for it again fails. */
export function rememberShown(address: string, matches: UIMatch[]): void {
  shown = { address, data: Object.fromEntries(matches.map(({ id, loaderData }) => [id, loaderData])) };
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

const UNREACHABLE = { status: 503, body: { code: "unreachable" } } as const;

/**
 * What an asked server answered, as an error of the product: its own words, or that nothing that makes sense came back.
 * Null for what is no fault: a redirect, and what the router itself refuses.
 */
function faultIn(error: unknown): { status: number; body: ErrorBody } | null {
  if (error instanceof Response) return null;
  if (!isRouteErrorResponse(error)) return UNREACHABLE;
  // Before it comes to a page the server answers in JSON; a proxy before it answers anything.
  const body = typeof error.data === "string" ? parsed(error.data) : error.data;
  if (typeof (body as Partial<ErrorBody> | null)?.code === "string")
    return { status: error.status, body: body as ErrorBody };
  return error.status < 500 ? null : UNREACHABLE;
}

type Results = Record<string, DataStrategyResult>;
type Asked = { request: Request; pattern: string };

/**
 * Runs around everything that the router asks the server for. A form that failed is refused in the words of its page, and
 * keeps what was typed; a page that could not be shown again stays as it is; a page that could not be shown says what it
 * was to show, and nobody looks signed out for that.
 */
export async function browserFaults({ request, pattern }: Asked, next: () => Promise<Results>): Promise<Results> {
  const posted = request.method === "GET" ? null : request.clone();
  const results = await next();
  if (!Object.values(results).some(({ type }) => type === "error")) return results;

  const { pathname, search } = new URL(request.url);
  const again = shown?.address === pathname + search;
  const form = posted && (await posted.formData());
  const doing = form ? String(form.get("intent") ?? form.get("decision") ?? "act") : "load";
  return Object.fromEntries(
    Object.entries(results).map(([id, result]) => {
      const fault = result.type === "error" ? faultIn(result.result) : null;
      if (!fault || WITHOUT_PAGE.has(pattern)) return [id, result];
      const { status } = fault;
      const body = failure(pattern, doing, fault.body);
      if (posted) return [id, { type: "data", result: data({ refused: body }, status) }];
      const kept = shown?.data[id];
      if (kept !== undefined && isUnforeseen(fault.body) && (again || id === "root"))
        return [id, { type: "data", result: kept }];
      return [id, { type: "error", result: { status, statusText: "", internal: false, data: body } }];
    }),
  );
}
