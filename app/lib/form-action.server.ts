import { data } from "react-router";
import { AppError } from "#shared/errors.ts";
import { getActionError } from "./client-error-messages.ts";
import type { FlashKey } from "./flash-messages.ts";
import {
  boundaryError,
  formFields,
  getPageContext,
  type PageContext,
  type RouteArgs,
  redirectHidingHistory,
  runAction,
  setFlash,
} from "./page-request.server.ts";

/** Arguments of an action. Each route reads only the parameters of its path. */
type ActionArgs = RouteArgs & { params: Readonly<Record<"id" | "token", string>> };

export type Submission = PageContext & {
  args: ActionArgs;
  fields: Readonly<Record<string, string>>;
  /** Input of an operation: these fields, by default all except intent and current password, and further values. */
  input<Input>(...parts: (string | object)[]): Input;
  confirmed<Result>(change: () => Promise<Result>): Promise<Result>;
  /** Redirects after a completed action, with a toast on the next page. @param about id of the toast's subject */
  leave(to: string, notice?: FlashKey, about?: string): Response;
};

/** Fields that a failed form does not return: secrets, and values that the reloaded page replaces. */
const NOT_RETURNED = /password|^(?:code|token|version|key)$/;
export const typedIn = (fields: Readonly<Record<string, string>>) =>
  Object.fromEntries(Object.entries(fields).filter(([name]) => !NOT_RETURNED.test(name)));

/** Confirms the password. Its error belongs to `current_password`, because a form may contain another password field. */
async function reauthenticate({ api }: PageContext, password: string): Promise<void> {
  try {
    await api.accounts.reauthenticate({ password });
  } catch (error) {
    const { code, fields } = (error as { data?: Partial<AppError> }).data?.body ?? {};
    if (code !== "invalid_input" || !fields?.password) throw error;
    throw new AppError("invalid_input", { fields: { current_password: fields.password } });
  }
}

function readSubmission(args: ActionArgs): Submission {
  const ctx = getPageContext(args);
  const fields = formFields(ctx.form);
  const { intent: _, current_password, ...values } = fields;
  return {
    ...ctx,
    args,
    fields,
    input: <Input>(...parts: (string | object)[]) => {
      const names = parts.filter((part) => typeof part === "string");
      const picked = names.length ? Object.fromEntries(names.map((name) => [name, fields[name]])) : values;
      return Object.assign({}, picked, ...parts.filter((part) => typeof part === "object")) as Input;
    },
    confirmed: async (change) => {
      if (current_password !== undefined) await reauthenticate(ctx, current_password);
      return change();
    },
    leave(to, notice, about) {
      if (notice) setFlash(ctx, notice, about);
      return redirectHidingHistory(args, to);
    },
  };
}

type Handler = (submission: Submission) => Promise<object>;
type Handlers = Handler | Readonly<Record<string, Handler>>;
type Returned<Of> = Of extends (form: Submission) => Promise<infer Result> ? Result : never;
type ResultOf<Of> = Of extends Handler ? Returned<Of> : { [Intent in keyof Of]: Returned<Of[Intent]> }[keyof Of];

/** @param handlers one function, or one per `intent` or name of a pressed button; "act" is the form without either */
export const formAction =
  <const Of extends Handlers>(handlers: Of) =>
  async (args: RouteArgs & { params: object }) => {
    const submission = readSubmission(args as ActionArgs);
    const byIntent = typeof handlers === "function" ? null : (handlers as Readonly<Record<string, Handler>>);
    const { fields } = submission;
    const intent = fields.intent ?? Object.keys(byIntent ?? {}).find((name) => name in fields) ?? "act";
    const result = await runAction(
      args,
      async () => {
        const handle = byIntent ? Object.hasOwn(byIntent, intent) && byIntent[intent] : (handlers as Handler);
        if (!handle) throw new AppError("malformed_request");
        return (await handle(submission)) as ResultOf<Of>;
      },
      submission.failureWords(args.pattern),
      intent,
    );
    if (!("init" in result && "actionError" in (result.data as object))) return result as ResultOf<Of>;
    const { data: refused, init } = result;
    const failed = { ...refused, intent, typed: typedIn(fields), at: submission.now.getTime() };
    return data(failed, init ?? undefined);
  };

/** For a route without a page. @throws data with the error and its status if the browser requests a document */
export const pagelessAction = <Result extends object>(handler: (submission: Submission) => Promise<Result>) => {
  const action = formAction(handler);
  return async (args: Parameters<typeof action>[0]) => {
    const result = await action(args);
    const refused = "init" in result ? getActionError(result.data) : null;
    if (refused && getPageContext(args).isDocument) throw boundaryError(refused);
    return result;
  };
};
