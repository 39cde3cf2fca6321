import { RouterContextProvider } from "react-router";
import { describe, expect, test } from "vitest";
import { AppError } from "#shared/errors.ts";
import { failure } from "./client-error-messages.ts";
import { formAction } from "./form-action.server.ts";
import { type PageContext, pageContext } from "./page-request.server.ts";

const WORDS = { save: failure("No se pudo guardar"), "*": failure("No se pudo"), gone: failure("Se ha borrado") };

/** Sends fields to an action. @returns its data and status */
async function send(
  action: ReturnType<typeof formAction>,
  fields: Record<string, string> | readonly (readonly [name: string, value: string])[],
) {
  const form = new FormData();
  for (const [name, value] of Array.isArray(fields) ? fields : Object.entries(fields)) form.append(name, value);
  const context = new RouterContextProvider();
  const asAppError = (error: unknown) => (error instanceof AppError ? error : new AppError("internal_error"));
  context.set(pageContext, {
    form,
    now: new Date(0),
    isDocument: true,
    asAppError,
    failureWords: () => WORDS,
  } as Partial<PageContext> as PageContext);
  const url = new URL("http://localhost/cuenta");
  const result = await action({ context, pattern: "cuenta", request: new Request(url), url, params: {} });
  return "init" in result ? { status: result.init?.status, data: result.data } : { status: 200, data: result };
}

const refuse = (code: ConstructorParameters<typeof AppError>[0]) => async () => {
  throw new AppError(code);
};

describe("formAction", () => {
  test("responds 400 to an unknown intent", async () => {
    const action = formAction({ save: async () => ({ done: true }) });
    expect(await send(action, { intent: "save" })).toEqual({ status: 200, data: { done: true } });
    for (const intent of ["pay", "toString"])
      expect(await send(action, { intent })).toMatchObject({
        status: 400,
        data: { intent, actionError: { code: "malformed_request" } },
      });
  });

  test("uses the name of the pressed button as the intent", async () => {
    const action = formAction({ preview: async () => ({ preview: true }), act: async () => ({ done: true }) });
    expect((await send(action, { text: "a", preview: "" })).data).toEqual({ preview: true });
    expect((await send(action, { text: "a" })).data).toEqual({ done: true });
  });

  test("reads the first value of a repeated field", async () => {
    const action = formAction(async ({ fields }) => ({ fields }));
    const { data } = await send(action, [
      ["id", "1"],
      ["id", "2"],
    ]);
    expect(data).toEqual({ fields: { id: "1" } });
  });

  test("returns the typed values without secrets", async () => {
    const action = formAction(refuse("invalid_input"));
    const fields = {
      email: "a@example.com",
      password: "x",
      current_password: "x",
      confirm_password: "x",
      code: "1",
      token: "t",
    };
    expect(await send(action, fields)).toMatchObject({ status: 422, data: { typed: { email: "a@example.com" } } });
    expect(JSON.stringify(await send(action, fields))).not.toContain("password");
  });

  test.each([
    ["internal_error", "save", "No se pudo guardar"],
    ["unavailable", "other", "No se pudo"],
    ["gone", "save", "Se ha borrado"],
    ["not_found", "save", "Puede que la dirección tenga un error o que ya no exista."],
  ] as const)("describes %s of the intent %s as %s", async (code, intent, description) => {
    const action = formAction({ save: refuse(code), other: refuse(code) });
    expect(await send(action, { intent })).toMatchObject({ data: { actionError: { code, words: { description } } } });
  });
});
