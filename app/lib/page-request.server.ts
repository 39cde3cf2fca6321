import { STATUS_CODES } from "node:http";
import type { ContractRouterClient } from "@orpc/contract";
import { createContext, data, type RouterContextProvider, redirect, redirectDocument, replace } from "react-router";
import type { CookieJar } from "#server/sessions/cookies.ts";
import type { contract } from "#shared/contract.ts";
import { AppError, ERRORS, type ErrorBody, type ErrorCode } from "#shared/errors.ts";
import type { ViewerView } from "#shared/sign-in.ts";
import { type DisplayError, type FailureWords, isGenericError, type MessageText } from "./client-error-messages.ts";
import { errorMessage } from "./error-messages.ts";
import type { FlashKey } from "./flash-messages.ts";
import { offersQuickExit } from "./pages-with-quick-exit.ts";
import { encodePath } from "./sign-in-path.ts";

export type PageContext = {
  api: ContractRouterClient<typeof contract>;
  /** The signed-in user. After an action that signs in or out, the new state. */
  viewer(): ViewerView | null;
  sessionEndsAt(): string | null;
  now: Date;
  /** The submitted form, already parsed. Null for GET. */
  form: FormData | null;
  cookies: Omit<CookieJar, "outgoing">;
  ensureDeviceCookie(): void;
  publicUrl: string;
  donationUrl: string | null;
  demo: boolean;
  showsMails: boolean;
  /** True if the server sends mails. Otherwise the demo only stores them. */
  sendsMail: boolean;
  /** True if the browser requests a whole document: JavaScript is off or still loading. */
  isDocument: boolean;
  /** CSP nonce of the document that may load PayPal's script. */
  scriptNonce: string | null;
  openApi(): Promise<object>;
  structuredData: object[];
  /** Receives the rendered document. Node would copy the body of a `Response` several times. */
  takeDocument(html: Buffer<ArrayBuffer>): void;
  failureWords(pattern: string): FailureWords;
  /** Converts any error to an `AppError`. Logs unexpected ones. */
  asAppError(error: unknown): AppError;
};

export const pageContext = createContext<PageContext>();

export type RouteArgs = { context: Readonly<RouterContextProvider>; pattern: string; request: Request; url: URL };

export const getPageContext = ({ context }: Pick<RouteArgs, "context">): PageContext => context.get(pageContext);

/**
 * Adds the message to an error, so that the browser needs no catalogue.
 * @param inBrowser true if a script shows it
 * @param words the page's own message
 */
export const withMessage = (error: ErrorBody, inBrowser = false, words?: MessageText): DisplayError => ({
  ...error,
  words: words ?? errorMessage(error.code, error.details, inBrowser),
});

const genericMessage = (error: ErrorBody, failed: FailureWords = {}, ...keys: string[]): MessageText | undefined =>
  isGenericError(error) ? keys.map((key) => failed[key]).find(Boolean) : undefined;

/** Returns errors as data with their status, because React Router strips thrown errors in production. */
export async function runAction<Result>(
  args: RouteArgs,
  work: (page: PageContext) => Promise<Result>,
  failed?: FailureWords,
  intent = "act",
) {
  const ctx = getPageContext(args);
  try {
    return await work(ctx);
  } catch (error) {
    if (error instanceof Response) throw error;
    const known = ctx.asAppError(error);
    const words = failed?.[known.code] ?? genericMessage(known, failed, intent, "*");
    const actionError = withMessage(known.body, !ctx.isDocument, words);
    return data({ actionError }, { status: ERRORS[known.code] });
  }
}

/** The first value of a repeated field counts. */
export function formFields(form: FormData | null): Record<string, string> {
  const fields: Record<string, string> = {};
  for (const [name, value] of form ?? [])
    if (typeof value === "string" && !Object.hasOwn(fields, name)) fields[name] = value;
  return fields;
}

function textIn(form: FormData | null): string {
  const { title, content, comment, bio, reason } = formFields(form);
  return [title, content, comment, bio, reason].filter(Boolean).join("\n\n");
}

/**
 * @throws Response the redirect to sign-in
 * @throws AppError sign_in_required if the request has a text, which the redirect would lose
 */
export function requireViewer(args: RouteArgs, back = args.url.pathname): ViewerView {
  const { viewer, form } = getPageContext(args);
  const me = viewer();
  if (me) return me;
  if (textIn(form)) throw new AppError("sign_in_required");
  throw redirect(`/auth?volver=${encodePath(back)}`);
}

/** Without `statusText` the router reports "Internal Server Error". */
export const boundaryError = (error: DisplayError) =>
  data(error, { status: ERRORS[error.code], statusText: STATUS_CODES[ERRORS[error.code]] });

/** @throws data with the error, its status and the text of a refused form, so that it can be copied */
export async function runLoader<Result>(
  args: RouteArgs,
  work: (page: PageContext) => Promise<Result>,
): Promise<Result> {
  const ctx = getPageContext(args);
  try {
    return await work(ctx);
  } catch (error) {
    if (error instanceof Response) throw error;
    const known = ctx.asAppError(error);
    const tab = `load ${args.url.searchParams.get("vista")}`;
    const unsent = textIn(ctx.form);
    const failed = ctx.failureWords(args.pattern);
    const words = (unsent && failed[known.code]) || genericMessage(known, failed, tab, "load");
    throw boundaryError({ ...withMessage(known.body, false, words), unsent });
  }
}

/** Returns the error of an invalid link, which gets a separate page with its status. */
export function loadMailedLink<Result extends object>(
  args: RouteArgs,
  read: (page: PageContext, token: string) => Promise<Result>,
) {
  const token = args.url.searchParams.get("token") ?? "";
  return runAction(args, async (page) => ({ ...(await read(page, token)), token }));
}

/** Returns null instead of a generic error, for optional parts of a page. */
export const nullOnError = <Result>({ asAppError }: PageContext, asked: Promise<Result>): Promise<Result | null> =>
  asked.catch((error: unknown) => {
    if (!isGenericError(asAppError(error))) throw error;
    return null;
  });

/** Returns null if the object of a form was deleted before the form was submitted, so that the page can say so. */
export const nullIfDeleted = <Result>({ asAppError }: PageContext, asked: Promise<Result>): Promise<Result | null> =>
  asked.catch((error: unknown) => {
    if (![404, 410].includes(ERRORS[asAppError(error).code])) throw error;
    return null;
  });

/** Replaces error codes by the page's own, such as "not found" by "psychologist not found". */
export const withErrorCode = <Result>(asked: Promise<Result>, names: Partial<Record<ErrorCode, ErrorCode>>) =>
  asked.catch((error: unknown): never => {
    const name = names[(error as { code?: ErrorCode }).code ?? "internal_error"];
    throw name ? new AppError(name) : error;
  });

/** @returns null if the Referer header names none of these pages */
export function refererPath(
  args: Pick<RouteArgs, "context" | "request">,
  pages = /^\/consulta\/[\w-]+$/,
): string | null {
  const from = URL.parse(args.request.headers.get("referer") ?? "");
  const isOurs = from?.origin === getPageContext(args).publicUrl && pages.test(from.pathname);
  return isOurs ? from.pathname + from.search : null;
}

/** Shows a toast on the next page. It replaces an earlier one about the same subject. */
export const setFlash = ({ cookies }: PageContext, notice: FlashKey, about?: string) =>
  cookies.set("notice", about ? `${notice}.${about}` : notice, { maxAge: 60 });

/** Between pages with a quick exit it adds no history entry. */
export function redirectHidingHistory({ request }: Pick<RouteArgs, "request">, to: string): Response {
  const from = URL.parse(request.headers.get("referer") ?? "");
  const unseen = from !== null && offersQuickExit(from.pathname) && offersQuickExit(new URL(to, from).pathname);
  return unseen ? replace(to) : redirect(to);
}

/** Clears the site data of an ended session, so that Back shows nothing of the user. */
export const redirectClearingSiteData = (to: string): Response =>
  redirectDocument(to, { headers: { "Clear-Site-Data": '"cache", "storage"' } });
