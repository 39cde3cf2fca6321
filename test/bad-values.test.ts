import { randomUUID } from "node:crypto";
import { describe, expect, test } from "vitest";
import {
  expectRefusal,
  fieldsOf,
  operations,
  sampleOf,
  setUpHostileInputApp,
  takeTurns,
  UNSTORABLE_TEXTS,
  validInput,
  withId,
} from "./hostile-input.ts";

const { app, user, askers, pathOf, send } = setUpHostileInputApp();

/** Error of sensitive operations, which do not check the input because no caller gave the password recently. */
const SENSITIVE = "reauthentication_required";

describe("every operation", () => {
  test.each(sampleOf(operations, 3))(
    "$name refuses unreadable text in every field, naming the field",
    async (operation) => {
      for (const field of fieldsOf(operation))
        for (const [what, json, address] of sampleOf(UNSTORABLE_TEXTS, 6)) {
          const input =
            operation.method === "GET"
              ? `${field}=${address}`
              : JSON.stringify({ ...validInput(operation), [field]: "?" }).replace('"?"', () => json);
          for (const as of takeTurns(askers(operation))) {
            const body = expectRefusal(await send(operation, input, as), [field, what]);
            if (body.code !== "invalid_input") continue;
            // If two passwords differ, the error may be at either field.
            const beside = Object.keys(body.fields ?? {}).map((name) => name.replace("confirm_password", "password"));
            expect(beside, what).toContain(field.replace("confirm_password", "password"));
          }
        }
    },
  );

  test.each(sampleOf(operations, 3))(
    "$name refuses unknown fields and database columns that are not part of its input, naming them",
    async (operation) => {
      const columns = await app.sql<{ name: string }>(
        "select distinct column_name as name from information_schema.columns where table_schema in ('public', 'visible')",
      );
      expect(columns.length).toBeGreaterThan(50);
      const names = [
        ...columns.map(({ name }) => name),
        ..."nope constructor toString hasOwnProperty valueOf".split(" "),
      ];
      const unknown = names.filter((name) => !Object.hasOwn(operation.fields, name) && name !== "id");
      const input =
        operation.method === "GET"
          ? unknown.map((name) => `${name}=1`).join("&")
          : JSON.stringify({
              ...validInput(operation),
              ...Object.fromEntries(unknown.map((name) => [name, { a: 1 }])),
            });
      for (const as of takeTurns(askers(operation))) {
        const body = expectRefusal(await send(operation, input, as), "unknown fields");
        if (body.code === SENSITIVE) continue;
        expect(body.code).toBe("invalid_input");
        expect(Object.keys(body.fields ?? {}).sort()).toEqual(unknown.sort());
      }
    },
  );
});

test("an operation responds 405 to other methods with the allowed ones in the Allow header", async () => {
  const refused = await app.call("PATCH", "/session");
  expect(expectRefusal(refused, "PATCH")).toEqual({ code: "method_not_allowed" });
  expect(refused.headers.get("allow")?.split(", ").toSorted()).toEqual(["DELETE", "GET", "POST"]);
});

describe("an invalid id", () => {
  const ids = [
    ..."abc 1 -1 null undefined __proto__ %00 %ED%A0%80 a%2Fb %27%20or%201%3D1-- %F0%9F%99%82".split(" "),
    "00000000-0000-0000-0000-00000000000g",
    "00000000-0000-4000-8000-000000000000x",
    "{00000000-0000-4000-8000-000000000000}",
    "00000000000040008000000000000000",
    "a".repeat(3000),
  ];

  test.each(withId)("$name responds 404 to an invalid id", async (operation) => {
    for (const id of sampleOf(ids, 6)) {
      const body = operation.method === "GET" ? undefined : validInput(operation);
      for (const as of takeTurns(askers(operation))) {
        const refused = expectRefusal(await app.call(operation.method, pathOf(operation, id), body, as), id);
        expect([id, refused]).toEqual([id, { code: "not_found" }]);
      }
    }
    for (const id of ["%", "%E0%A4%A"])
      expectRefusal(await app.call(operation.method, pathOf(operation, id), undefined, user), id);
  });

  // These two delete or list what may be gone already.
  const REPEATABLE = ["answers.deleteTemplate", "search.related"];
  test.each(withId.filter(({ name }) => !REPEATABLE.includes(name)))(
    "$name refuses an id that names no row",
    async (operation) => {
      const body = operation.method === "GET" ? undefined : validInput(operation);
      for (const as of takeTurns(askers(operation))) {
        const refused = expectRefusal(
          await app.call(operation.method, pathOf(operation, randomUUID()), body, as),
          "id",
        );
        expect(refused.code).toMatch(/not_found$|^no_rows_updated$|^statistics_private$|_only$|^psychologist/);
      }
    },
  );
});
