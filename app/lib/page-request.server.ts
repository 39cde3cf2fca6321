import { STATUS_CODES } from "node:http";
import type { ContractRouterClient } from "@orpc/contract";
import { createContext, data, type RouterContextProvider, redirect, redirectDocument, replace } from "react-router";
import type { contract } from "#shared/contract.ts";
import { AppError, ERRORS, type ErrorBody, type ErrorCode } from "#shared/errors.ts";
import type { ViewerView } from "#shared/sign-in.ts";
import { errorWords } from "./error-words.ts";
import { type Attempt, failure, isUnforeseen, loading } from "./failures.ts";
import type { NoticeKey } from "./notices.ts";
import type { WordedError } from "./page-words.ts";
import { offersQuickExit } from "./quick-exit-pages.ts";
import { pathParameter } from "./sign-in-path.ts";

/** The API in process: the same operations, checks and output as over HTTP. */
type ApiClient = ContractRouterClient<typeof contract>;

/** What the server (`server/http/pages.ts`) gives every page. */
export type PageContext = {
  api: ApiClient;
  /** Who is signed in; after an action that signs in or out, the new state. */
  viewer(): ViewerView | null;
  /** When that person's session ends unless it is renewed. */
  sessionEndsAt(): string | null;
  now: Date;
  /** The form that was sent, read already; null where none was. */
  form: FormData | null;
  cookies: {
    get(name: string): string | undefined;
    plain(name: string): string | undefined;
    set(name: string, value: string, options: { maxAge: number; httpOnly?: boolean }): void;
    setPlain(name: string, value: string, maxAge: number): void;
    clear(name: string): void;
  };
  /** Gives this browser the value by which accounts may know it, unless it has one. */
  ensureDeviceCookie(): void;
  publicUrl: string;
  donationUrl: string | null;
  demo: boolean;
  /** True if /correo shows the stored mails to this request. */
  showsMails: boolean;
  /** Mails are sent; otherwise the demo keeps them. */
  sendsMail: boolean;
  /** The browser asks for a whole document: JavaScript is off or has not arrived. */
  isDocument: boolean;
  /** On the document where PayPal's button may stand: what its script shows to be let in. */
  scriptNonce: string | null;
  openApi(): Promise<object>;
  /** Receives the rendered document. In a response it would be written and read several times. */
  takeDocument(html: Buffer<ArrayBuffer>): void;
  /** Any error as one the product knows; the unknown ones are logged. */
  asAppError(error: unknown): AppError;
};

export const pageContext = createContext<PageContext>();

/** What a loader and an action are called with. */
export type PageRequest = { context: Readonly<RouterContextProvider>; pattern: string; request: Request; url: URL };

/** What the server gives the page of a loader or action. */
export const page = ({ context }: Pick<PageRequest, "context">): PageContext => context.get(pageContext);

/** What an action answers when it was refused; pages show it beside the fields and in a toast. */
type Refusal = { refused: WordedError };
type Refused = ReturnType<typeof data<Refusal>>;

const bodyOf = (error: AppError): ErrorBody => ({
  code: error.code,
  fields: error.fields,
  facts: error.facts,
  current: error.current,
});

/** An error with its words, so that the catalogue stays here. @param inBrowser a script of ours will show them */
export const withWords = (error: ErrorBody, inBrowser = false): WordedError => ({
  ...error,
  words: errorWords(error.code, error.facts, inBrowser),
});

/**
 * Does what an action asks for. A refusal becomes data with its status: errors that are thrown lose their words in
 * production. An unforeseen one gets the words of its page (`failures.ts`).
 * @param doing the form's intent, where the page's forms do several things
 */
export async function act<Result>(
  args: PageRequest,
  work: (page: PageContext) => Promise<Result>,
  doing: Attempt = "act",
): Promise<Result | Refused> {
  const here = page(args);
  try {
    return await work(here);
  } catch (error) {
    if (error instanceof Response) throw error;
    const known = here.asAppError(error);
    return data<Refusal>(
      { refused: withWords(failure(args.pattern, doing, bodyOf(known)), !here.isDocument) },
      { status: ERRORS[known.code] },
    );
  }
}

/**
 * A refused form with what its page needs to show it again. The time tells one refusal from the next, so that each is
 * announced.
 */
export const refusedForm = <Kept extends object = object>(
  args: PageRequest,
  { data: refusal, init }: Refused,
  kept: Kept = {} as Kept,
) => data({ ...refusal, ...kept, at: page(args).now.getTime() }, init ?? undefined);

/**
 * Who is signed in.
 * @param back where signing in leads; the page itself unless it is named
 * @throws Response the redirect to signing in
 */
export function requireViewer(args: PageRequest, back = args.url.pathname): ViewerView {
  const viewer = page(args).viewer();
  if (!viewer) throw redirect(`/auth?volver=${pathParameter(back)}`);
  return viewer;
}

/**
 * Makes a sensitive change, after taking the password again where the form carries it. What is wrong with that password
 * stands beside its own field, `current_password`: the form may hold another one.
 */
export async function withPassword<Result>(
  { api }: PageContext,
  currentPassword: string | undefined,
  change: () => Promise<Result>,
): Promise<Result> {
  if (currentPassword !== undefined)
    try {
      await api.accounts.reauthenticate({ password: currentPassword });
    } catch (error) {
      const { data: refused } = error as { data?: { code?: ErrorCode; fields?: Record<string, string> } };
      if (refused?.code !== "invalid_input" || !refused.fields?.password) throw error;
      throw new AppError("invalid_input", { fields: { current_password: refused.fields.password } });
    }
  return change();
}

/** Loads what a page shows. What cannot be loaded is thrown as data for the error boundary, with its status. */
export async function load<Result>(args: PageRequest, work: (page: PageContext) => Promise<Result>): Promise<Result> {
  const here = page(args);
  try {
    return await work(here);
  } catch (error) {
    if (error instanceof Response) throw error;
    const known = here.asAppError(error);
    const doing = loading(args.url.searchParams);
    const status = ERRORS[known.code];
    // Without a text of its own the router calls every status an "Internal Server Error" in a page's data.
    throw data(withWords(failure(args.pattern, doing, bodyOf(known))), { status, statusText: STATUS_CODES[status] });
  }
}

/** For a part of a page that may be missing: null instead of an unforeseen error. */
export const orNull = <Result>({ asAppError }: PageContext, asked: Promise<Result>): Promise<Result | null> =>
  asked.catch((error: unknown) => {
    if (!isUnforeseen(asAppError(error))) throw error;
    return null;
  });

/**
 * Loads what a form is about. When that is not there any more by the time the form arrives, null instead of an error: the
 * page then gives back what was typed.
 */
export const nullWhenGone = <Result>(
  { form, asAppError }: PageContext,
  asked: Promise<Result>,
): Promise<Result | null> =>
  asked.catch((error: unknown) => {
    if (!form || ![404, 410].includes(ERRORS[asAppError(error).code])) throw error;
    return null;
  });

/** An error under the code that names it on this page: "not found" becomes "psychologist not found". Others stay as they are. */
export function withCode(error: unknown, names: Partial<Record<ErrorCode, ErrorCode>>): unknown {
  const name = names[(error as { code?: ErrorCode }).code ?? "unexpected"];
  return name ? new AppError(name) : error;
}

/** The fields of a form as an object; the ones that are named twice count once, files are left out. */
export function fieldsOf(args: PageRequest): Record<string, string> {
  const fields: Record<string, string> = {};
  for (const [name, value] of page(args).form ?? [])
    if (typeof value === "string" && !Object.hasOwn(fields, name)) fields[name] = value;
  return fields;
}

/** The address of the consultation's page that a form was sent from, without its host; null when the browser does not say. */
export function referringConsultation(args: Pick<PageRequest, "context" | "request">): string | null {
  const from = URL.parse(args.request.headers.get("referer") ?? "");
  const isOurs = from?.origin === page(args).publicUrl && /^\/consulta\/[\w-]+$/.test(from.pathname);
  return isOurs ? from.pathname + from.search : null;
}

/**
 * Reads what the viewer is about to delete. What an admin removed may come back for some seconds, when the removal is
 * undone: the viewer's own deletion is recorded all the same.
 */
export const beforeDeleting = <Found>(found: Promise<Found>, remove: () => Promise<unknown>): Promise<Found> =>
  found.catch(async (error: unknown) => {
    if ((error as { code?: ErrorCode }).code === "gone") await remove();
    throw error;
  });

/** Says something once on the next page, in a toast; works across a redirect and without JavaScript. */
export const announce = ({ cookies }: PageContext, notice: NoticeKey) => cookies.set("notice", notice, { maxAge: 60 });

/** Leads on after something was done. Among the pages with a quick exit that leaves no entry in the history. */
export function redirectOn({ request }: Pick<PageRequest, "request">, to: string): Response {
  const from = URL.parse(request.headers.get("referer") ?? "");
  const unseen = from !== null && offersQuickExit(from.pathname) && offersQuickExit(new URL(to, from).pathname);
  return unseen ? replace(to) : redirect(to);
}

/**
 * Leads on after the session of this browser ended. The next page is a whole document, and the browser forgets what it
 * kept of our pages: nothing of the person stays behind Back, neither in the page nor in its data.
 */
export const redirectAndForget = (to: string): Response =>
  redirectDocument(to, { headers: { "Clear-Site-Data": '"cache", "storage"' } });
