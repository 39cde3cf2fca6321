import { afterAll, beforeAll, expect, test } from "vitest";
import { openTestApp, type TestApp } from "#test/app.ts";
import { FOR_VISITORS, operations } from "#test/operations.ts";

let app: TestApp;
beforeAll(async () => {
  app = await openTestApp();
});
afterAll(() => app.close());

test("responds with errors of a body to a visitor only if visitors may send it", async () => {
  const checked: string[] = [];
  for (const { name, method, path } of operations) {
    const { body } = await app.call(
      method,
      path.replaceAll(/\{[^}]+\}/g, "1"),
      method === "GET" ? undefined : { x: 1 },
    );
    if ((body as { code?: string })?.code === "invalid_input") checked.push(name);
  }
  expect(checked).toEqual(FOR_VISITORS);
});
