import { request } from "node:http";
import type { RouteConfigEntry } from "@react-router/dev/routes";
import { afterAll, afterEach, beforeAll, describe, expect, test } from "vitest";
import pages from "#app/routes.ts";
import { contract } from "#shared/contract.ts";
import { ERRORS, type ErrorBody } from "#shared/errors.ts";
import { LIMITS } from "#shared/limits.ts";
import { type Answer, openTestApp, type Person, type TestApp } from "./app.ts";
import { FULL_RUN } from "./full-run.ts";
import { ask, postAnswer } from "./threads.ts";

let app: TestApp;
let user: Person;
let psychologist: Person;
let admin: Person;
let consultation: string;
let answer: string;
beforeAll(async () => {
  app = await openTestApp();
  user = await app.person();
  psychologist = await app.person({ type: "psychologist", gold: "active" });
  admin = await app.admin();
  consultation = await ask(app, await app.person());
  const made = await postAnswer(app, consultation, psychologist, "Respuesta");
  answer = made.body.id;
});
afterAll(() => app.close());
// Whatever comes in, it is never a fault of ours.
afterEach(() => {
  expect(app.log.splice(0).filter((line) => JSON.parse(line).level >= 50)).toEqual([]);
});

type Schema = { safeParse(value: unknown): { success: boolean } };
type Operation = { name: string; method: string; path: string; fields: Record<string, Schema> };

/** Every operation of the contract that takes JSON, with the fields of its input. (A photo is no JSON: its own tests send it.) */
const operations: Operation[] = Object.entries(contract)
  .flatMap(([group, procedures]) =>
    Object.entries(procedures).map(([name, procedure]) => {
      const { route, inputSchema } = procedure["~orpc"];
      const fields = (inputSchema as unknown as { shape?: Record<string, Schema> } | undefined)?.shape ?? {};
      return { name: `${group}.${name}`, method: route.method ?? "GET", path: route.path ?? "/", fields };
    }),
  )
  .filter(({ path }) => path !== "/profile/photo");
const named = (list: Operation[]) => list.map((operation) => [operation.name, operation] as const);
const reads = operations.filter(({ method }) => method === "GET");
const writes = operations.filter(({ method }) => method !== "GET");
const withId = operations.filter(({ path }) => path.includes("{id}"));

/** The input beside the id, which stands in the path. */
const fieldsOf = ({ path, fields }: Operation) => Object.keys(fields).filter((name) => !path.includes(`{${name}}`));

const GOOD: Record<string, unknown> = {
  title: "Una pregunta de prueba",
  content: "Un texto de prueba con más de veinte caracteres.",
  country: "Chile",
  category: "Ansiedad",
  is_anonymous: true,
  author_name: "Lucía",
  vote: "up",
  rating: 5,
  comment: "Un comentario",
  show_name: true,
  user_type: "user",
  full_name: "Lucía Pérez",
  email: "lucia@example.com",
  password: "una clave larga y rara",
  confirm_password: "una clave larga y rara",
  specialty: "Neuropsicología",
  license_number: "MP 1234",
  bio: "Una biografía",
  phone: "+54 11 5555 5555",
  whatsapp: "+54 11 5555 5555",
  website: "https://rivarola.example",
  return_to: "/",
  adult_or_guardian: true,
  health_data: true,
  transfer_abroad: true,
  token: "no-such-token",
  code: "123456",
  nameless: "keep",
  kind: "health_data",
  scope: "this",
  sort: "recent",
  reason: "Un motivo",
  name: "Lucía Pérez",
  message: "Un mensaje de prueba.",
  plan_type: "monthly",
  event: "view_premium_plans",
  method: "paypal",
  decision: "reject",
  payer_email: "lucia@example.com",
  subscriptionId: "I-0123456789AB",
};

/** For a field that the list above does not know, or not of this kind. */
const OTHERS = ["Un texto de prueba", "view_premium_plans", "https://example.com", 5, true];

const goodValue = (name: string, schema: Schema) =>
  [GOOD[name], ...OTHERS].find((value) => value !== undefined && schema.safeParse(value).success);

const good = (operation: Operation): Record<string, unknown> =>
  Object.fromEntries(
    fieldsOf(operation).flatMap((name) =>
      name === "cursor" ? [] : [[name, goodValue(name, operation.fields[name]!)]],
    ),
  );

const pathOf = (
  { path }: Operation,
  id = path.startsWith("/answers") ? answer : path.startsWith("/psych") ? psychologist.id : consultation,
) => path.replace(/\{[^}]+\}/g, id);

/** Who asks: accounts are used signed out, so that no one is signed out on the way. */
const askers = ({ name }: Operation): (Person | null)[] =>
  name.startsWith("accounts.") ? [null] : [null, user, psychologist, admin];

let turn = 0;
/**
 * One of those who could ask. Over all operations, fields and values everyone has their turn; in the full run, each time.
 */
const inTurn = <Asker>(those: Asker[]): Asker[] => (FULL_RUN ? those : [those[turn++ % those.length]!]);

/** Some of a list, other ones each time; in the full run, all. */
const someOf = <Item>(list: Item[], share: number): Item[] => {
  if (FULL_RUN) return list;
  turn++;
  return list.filter((_, at) => (at + turn) % share === 0);
};

/** Sends a body as it is, or query parameters already encoded. */
const send = (operation: Operation, input: string, as: Person | null, headers: Record<string, string> = {}) =>
  operation.method === "GET"
    ? app.call("GET", `${pathOf(operation)}?${input}`, undefined, as, headers)
    : app.call(operation.method, pathOf(operation), input, as, headers);

const ENGLISH =
  /\b(invalid|expected|received|required|unrecognized|input|must|should|undefined|null|string|object|array|value|key|too (big|small))\b/i;

/** A refusal that the product knows: its own code, the status of that code, and words in Spanish beside fields. */
function expectRefusal(got: Answer<ErrorBody>, about: unknown): ErrorBody {
  const what = `${JSON.stringify(about)}: ${got.status} ${got.text.slice(0, 300)}`;
  expect(got.status, what).toBeGreaterThanOrEqual(400);
  expect(got.status, what).toBeLessThan(500);
  expect(got.headers.get("content-type"), what).toMatch(/^application\/json/);
  expect(ERRORS[got.body.code], what).toBe(got.status);
  expect(
    Object.keys(got.body).filter((key) => !["code", "fields", "facts", "current"].includes(key)),
    what,
  ).toEqual([]);
  for (const message of Object.values(got.body.fields ?? {})) {
    expect(message, what).toMatch(/^[¡¿A-ZÁÉÍÓÚ].*[.!?]$/s);
    expect(message, what).not.toMatch(ENGLISH);
  }
  return got.body;
}

/** Texts that no one can read or store: what they are, in JSON, and in an address. */
const UNUSABLE: [what: string, json: string, address: string][] = [
  ["NUL alone", '"\\u0000"', "%00"],
  ["NUL within", '"Un texto\\u0000 de prueba con más de veinte caracteres"', "a%00b"],
  ["a lone high surrogate", '"Un texto de prueba \\ud800 con más de veinte"', "%ED%A0%80"],
  ["a lone low surrogate", '"\\udc00Un texto de prueba con más de veinte"', "%ED%B0%80abc"],
  ["only zero-width spaces", '"\\u200b\\u200b\\u200b\\u200b\\u200b\\u200b"', "%E2%80%8B%E2%80%8B"],
  ["only Hangul fillers", '"\\u3164\\u3164\\u3164\\u3164\\u3164\\u3164"', "%E3%85%A4%E3%85%A4"],
  ["only blank Braille", '"\\u2800\\u2800\\u2800\\u2800\\u2800\\u2800"', "%E2%A0%80%E2%A0%80"],
  ["only direction marks", '"\\u202e\\u2066\\u202e\\u2066\\u202e\\u2066"', "%E2%80%AE%E2%81%A6"],
  ["a bell", '"Un texto \\u0007 de prueba con más de veinte"', "%07a"],
  ["a noncharacter", '"Un texto \\uffff de prueba con más de veinte"', "%EF%BF%BFa"],
];

/** Bytes that no text in UTF-8 holds: single ones, overlong ones, half a pair of surrogates, beyond Unicode, cut off. */
const NOT_UTF8 = [[0xff], [0x80], [0xc0, 0xaf], [0xed, 0xa0, 0x80], [0xf4, 0x90, 0x80, 0x80], [0xe2, 0x82]];

/** Sends headers and a body exactly as they are given. */
const bare = (method: string, path: string, headers: Record<string, string>, body?: Uint8Array) =>
  new Promise<{ status: number; type: string; text: string }>((done, fail) => {
    const { hostname, port } = new URL(app.url);
    const asked = request({ method, hostname, port, path, headers: { origin: app.url, ...headers } }, (response) => {
      const parts: Buffer[] = [];
      response.on("data", (part: Buffer) => parts.push(part));
      response.on("end", () =>
        done({
          status: response.statusCode!,
          type: response.headers["content-type"] ?? "",
          text: Buffer.concat(parts).toString(),
        }),
      );
    });
    asked.on("error", fail);
    if (body) asked.end(body);
    else asked.end();
  });

describe("every operation", () => {
  test("of the contract is walked", () => {
    expect(operations.length).toBeGreaterThan(25);
  });

  test.each(named(operations))(
    "%s refuses texts that no one can read or store, in every field",
    async (_name, operation) => {
      for (const field of fieldsOf(operation))
        for (const [what, json, address] of someOf(UNUSABLE, 6)) {
          const input =
            operation.method === "GET"
              ? `${field}=${address}`
              : JSON.stringify({ ...good(operation), [field]: "?" }).replace('"?"', () => json);
          for (const as of inTurn(askers(operation))) {
            const body = expectRefusal(await send(operation, input, as), [field, what]);
            if (body.code !== "invalid_input") continue;
            // Of two passwords that differ either may be the wrong one.
            const beside = Object.keys(body.fields ?? {}).map((name) => name.replace("confirm_password", "password"));
            expect(beside, what).toContain(field.replace("confirm_password", "password"));
          }
        }
    },
  );

  test.each(named(operations))("%s never fails on a value of another kind", async (_name, operation) => {
    const kinds: [json: string, address: string][] = [
      ["null", "{field}=null"],
      ["true", "{field}=true"],
      ["12345678901234567890", "{field}=1e999"],
      ["-0.5e-300", "{field}"],
      ["[]", "{field}[]="],
      ['["a","b"]', "{field}[]=a&{field}[]=b"],
      ["{}", "{field}[a]=b"],
      ['{"a":{"b":["c"]}}', "{field}[a][b][0]=c"],
      ['{"toString":1,"then":2,"length":3}', "{field}[toString]=1&{field}[length]=-1"],
      ['""', "{field}="],
      [`"${"á".repeat(20_000)}"`, `{field}=${"a".repeat(5_000)}`],
    ];
    for (const field of fieldsOf(operation))
      for (const [json, address] of someOf(kinds, 6)) {
        const required = !operation.fields[field]!.safeParse(undefined).success;
        const as = askers(operation).at(-1)!;
        const input =
          operation.method === "GET"
            ? address.replaceAll("{field}", field)
            : JSON.stringify({ ...good(operation), [field]: "?" }).replace('"?"', () => json);
        const got = await send(operation, input, as);
        expect(got.status, `${field} ${json.slice(0, 60)}: ${got.text.slice(0, 200)}`).toBeLessThan(500);
        if (got.status >= 400) expectRefusal(got, [field, json.slice(0, 60)]);
        // Of other kinds only a tick may be true; what is required cannot be left out in disguise.
        else if (required) expect(json, field).toMatch(/^(true|null|"")$/);
      }
  });

  test.each(named(operations))("%s refuses fields that it does not know, by their names", async (_name, operation) => {
    for (const field of someOf(["nope", "id2", "constructor", "toString", "hasOwnProperty", "valueOf"], 2))
      for (const as of inTurn(askers(operation))) {
        const input =
          operation.method === "GET" ? `${field}=1` : JSON.stringify({ ...good(operation), [field]: { a: 1 } });
        const body = expectRefusal(await send(operation, input, as), field);
        expect(body.code).toBe("invalid_input");
        expect(Object.keys(body.fields ?? {})).toEqual([field]);
      }
  });

  test.each(named(operations))(
    "%s takes no column of the database that it did not ask for",
    async (_name, operation) => {
      const columns = (
        await app.sql<{ name: string }>(
          "select distinct column_name as name from information_schema.columns where table_schema in ('public', 'visible') order by 1",
        )
      )
        .map(({ name }) => name)
        .filter((name) => !Object.hasOwn(operation.fields, name) && name !== "id");
      expect(columns.length).toBeGreaterThan(50);
      const input =
        operation.method === "GET"
          ? columns.map((name) => `${name}=1`).join("&")
          : JSON.stringify({ ...good(operation), ...Object.fromEntries(columns.map((name) => [name, true])) });
      const body = expectRefusal(await send(operation, input, askers(operation).at(-1)!), "columns");
      expect(body.code).toBe("invalid_input");
      expect(Object.keys(body.fields ?? {}).sort()).toEqual(columns.sort());
    },
  );

  test.each(named(operations))("%s is not fooled by __proto__", async (_name, operation) => {
    const inputs =
      operation.method === "GET"
        ? [
            "__proto__=1",
            "__proto__[is_admin]=true",
            "__proto__[]=1",
            "constructor[prototype][is_admin]=true",
            "a[__proto__][is_admin]=true",
          ]
        : ['{"__proto__":{"is_admin":true}', '{"__proto__":1', '{"constructor":{"prototype":{"is_admin":true}}'].map(
            (start) => {
              const rest = JSON.stringify(good(operation)).slice(1);
              return rest === "}" ? `${start}}` : `${start},${rest}`;
            },
          );
    for (const input of someOf(inputs, 2))
      for (const as of inTurn(askers(operation))) {
        const body = expectRefusal(await send(operation, input, as), input.slice(0, 60));
        expect(body.code).toBe("invalid_input");
        // Nothing else is wrong. (The name itself is one that no answer carries.)
        expect(["", "__proto__", "constructor", "a"]).toContain(Object.keys(body.fields ?? {}).join());
      }
    expect(({} as Record<string, unknown>).is_admin).toBeUndefined();
  });

  test.each(named(operations))(
    "%s refuses methods it does not have, and says which there are",
    async (_name, operation) => {
      const path = pathOf(operation);
      const shape = (one: string) => one.replace(/\{[^}]+\}/g, "{}");
      const allowed = operations
        .filter((other) => shape(other.path) === shape(operation.path))
        .map(({ method }) => method);
      const methods = ["GET", "POST", "PUT", "PATCH", "DELETE", "OPTIONS", "PROPFIND"];
      const others = methods.filter((one) => !allowed.includes(one));
      for (const method of someOf(others, 2))
        for (const as of inTurn([null, admin])) {
          const refused = await app.call(method, path, undefined, as);
          expect(expectRefusal(refused, method)).toEqual({ code: "method_not_allowed" });
          expect(new Set(refused.headers.get("allow")?.split(", "))).toEqual(new Set(allowed));
        }
    },
  );
});

describe("an id that is none", () => {
  const ids = [
    "abc",
    "1",
    "-1",
    "null",
    "undefined",
    "__proto__",
    "%00",
    "%ED%A0%80",
    "a%2Fb",
    "%27%20or%201%3D1--",
    "00000000-0000-0000-0000-00000000000g",
    "00000000-0000-4000-8000-000000000000x",
    "{00000000-0000-4000-8000-000000000000}",
    "00000000000040008000000000000000",
    "a".repeat(3000),
    "%F0%9F%99%82",
  ];

  test.each(named(withId))("is a 404 for %s", async (_name, operation) => {
    for (const id of someOf(ids, 6)) {
      const body = operation.method === "GET" ? undefined : good(operation);
      for (const as of inTurn(askers(operation))) {
        const refused = expectRefusal(await app.call(operation.method, pathOf(operation, id), body, as), id);
        expect([id, refused]).toEqual([id, { code: "not_found" }]);
      }
    }
  });

  test.each(named(withId))("is refused for %s when it is not even an address", async (_name, operation) => {
    for (const id of someOf(["%", "%zz", "%E0%A4%A", "a%"], 2)) {
      const body = operation.method === "GET" ? undefined : good(operation);
      expectRefusal(await app.call(operation.method, pathOf(operation, id), body, user), id);
    }
  });

  test.each(named(withId.filter(({ method }) => method !== "DELETE")))(
    "beside the address does not change what %s is about",
    async (_name, operation) => {
      const other = "00000000-0000-4000-8000-000000000000";
      const both = async (as: Person) =>
        operation.method === "GET"
          ? [
              await app.call("GET", pathOf(operation), undefined, as),
              await app.call("GET", `${pathOf(operation)}?id=${other}`, undefined, as),
            ]
          : [
              await app.call(operation.method, pathOf(operation), good(operation), as),
              await app.call(operation.method, pathOf(operation), { ...good(operation), id: other }, as),
            ];
      for (const as of [user, psychologist]) {
        const [plain, twice] = await both(as);
        expect([plain!.status, 422]).toContain(twice!.status);
      }
    },
  );
});

describe("a body", () => {
  const send = (operation: Operation, body: BodyInit | null, type: string | null, as: Person | null = null) =>
    app.page(`/api${pathOf(operation)}`, as, {
      method: operation.method,
      body,
      headers: type === null ? {} : { "content-type": type },
      ...(body instanceof ReadableStream ? { duplex: "half" } : {}),
    } as RequestInit) as Promise<unknown> as Promise<Answer<ErrorBody>>;
  const JSON_TYPE = "application/json";
  const padded = (bytes: number) => `{"nope":"${"a".repeat(bytes - 11)}"}`;

  test.each(named(writes))("for %s may have 64 KB and not a byte more", async (_name, operation) => {
    expect(LIMITS.bodyBytes).toBe(65_536);
    expect(padded(65_536)).toHaveLength(65_536);
    for (const as of inTurn([null, user])) {
      expect(expectRefusal(await send(operation, padded(65_536), JSON_TYPE, as), "full").code).toBe("invalid_input");
      for (const size of FULL_RUN ? [65_537, 1_000_000] : [65_537])
        expect(expectRefusal(await send(operation, padded(size), JSON_TYPE, as), size)).toEqual({
          code: "payload_too_large",
        });
    }
  });

  test.each(named(writes))("for %s may not have more when its length is not told either", async (_name, operation) => {
    const chunks = (count: number) =>
      new ReadableStream({
        start(controller) {
          const encoder = new TextEncoder();
          controller.enqueue(encoder.encode('{"nope":"'));
          for (let i = 0; i < count; i++) controller.enqueue(encoder.encode("a".repeat(1024)));
          controller.enqueue(encoder.encode('"}'));
          controller.close();
        },
      });
    expect(expectRefusal(await send(operation, chunks(10), JSON_TYPE), "small").code).toBe("invalid_input");
    expect(expectRefusal(await send(operation, chunks(64), JSON_TYPE), "chunked")).toEqual({
      code: "payload_too_large",
    });
  });

  test.each([
    ["/api/contact", "application/json"],
    ["/contacto", "application/x-www-form-urlencoded"],
  ])("that does not end is refused by %s as soon as it is too long", async (path, type) => {
    const headers = { origin: app.url, "content-type": type, "transfer-encoding": "chunked" };
    const status = await new Promise<number | undefined>((done, fail) => {
      const sending = request(app.url + path, { method: "POST", headers }, (answer) => {
        done(answer.statusCode);
        sending.destroy();
      });
      sending.on("error", fail);
      sending.write("a".repeat(LIMITS.bodyBytes + 1));
    });
    expect(status).toBe(413);
  });

  test.each(named(writes))("of another type is refused by %s", async (_name, operation) => {
    const json = JSON.stringify(good(operation));
    const types = [
      "text/plain",
      "text/plain;charset=UTF-8",
      "application/x-www-form-urlencoded",
      "multipart/form-data; boundary=x",
      "application/jsonp",
      "application/json-patch+json",
      "application/jsontext",
      "text/json",
      "application/octet-stream",
      "nonsense",
      "",
      null,
    ];
    for (const type of someOf(types, 6)) {
      const body = type === null ? new Blob([json]) : json;
      expect(expectRefusal(await send(operation, body, type, user), type)).toEqual({ code: "unsupported_media_type" });
    }
  });

  test.each(named(writes))("that is empty needs no type for %s", async (_name, operation) => {
    await send(operation, "{}", JSON_TYPE); // a visit counts the first time only
    const whole = await send(operation, "{}", JSON_TYPE);
    const empty = () => new ReadableStream({ start: (controller) => controller.close() });
    const bodies: [BodyInit | null, string | null][] = [
      [null, null],
      [empty(), null],
      [new Blob([]), null],
      ["", JSON_TYPE],
      ["", "text/plain"],
      ["", "application/x-www-form-urlencoded"],
    ];
    for (const [body, type] of someOf(bodies, 3)) {
      const got = await send(operation, body, type);
      expect({ type, status: got.status, body: got.body }).toEqual({ type, status: whole.status, body: whole.body });
      expect(got.body?.code).not.toBe("unsupported_media_type");
    }
  });

  test("may be left out or be empty where something is taken back", async () => {
    const lengths: Record<string, string>[] = [{}, { "content-length": "0" }, { "transfer-encoding": "chunked" }];
    for (const length of lengths) {
      const author = await app.person();
      const id = await ask(app, author);
      const got = await bare("DELETE", `/api/consultations/${id}`, { cookie: author.cookie, ...length });
      expect({ length, status: got.status }, got.text).toEqual({ length, status: 200 });
      expect((await app.call("GET", `/consultations/${id}`)).status).toBe(410);
    }
  });

  test.each(named(writes.filter(({ fields }) => Object.keys(fields).some((field) => field !== "id"))))(
    "that is not UTF-8 is refused by %s, and nothing of it is replaced",
    async (_name, operation) => {
      const json = Buffer.from(JSON.stringify({ ...good(operation), nope: "@" }));
      const at = json.lastIndexOf("@");
      for (const bytes of someOf(NOT_UTF8, 2)) {
        const body = Buffer.concat([json.subarray(0, at), Buffer.from(bytes), json.subarray(at + 1)]);
        expect(expectRefusal(await send(operation, body, JSON_TYPE, user), bytes)).toEqual({
          code: "malformed_request",
        });
      }
      // What a replacement character looks like is a character like others.
      const typed = json.toString().replace("@", "\ufffd");
      expect(expectRefusal(await send(operation, typed, JSON_TYPE, user), "typed").code).toBe("invalid_input");
    },
  );

  test.each(named(writes))("that is broken JSON is refused by %s", async (_name, operation) => {
    const broken = [
      "{",
      "{]",
      '{"a":}',
      '{"a":1}}',
      "nul",
      "'a'",
      "undefined",
      "NaN",
      '{"a":"\n"}',
      "{}{}",
      "\u0000",
      "<xml/>",
    ];
    for (const body of someOf(broken, 3))
      expect(expectRefusal(await send(operation, body, JSON_TYPE, user), body)).toEqual({ code: "malformed_request" });
  });

  // Recording a visit needs nothing but its address and is open to everyone: whatever the body, there is nothing to refuse.
  test.each(named(writes.filter(({ name }) => name !== "psychologists.recordView")))(
    "that is JSON but no object is refused by %s, and nothing breaks",
    async (_name, operation) => {
      const bodies: (BodyInit | null)[] = [
        "[]",
        "[1,2]",
        '"text"',
        "1",
        "true",
        `${"[".repeat(30_000)}${"]".repeat(30_000)}`,
        `{"a":${'{"a":'.repeat(10_000)}1${"}".repeat(10_000)}}`,
      ];
      // Where nothing is required, nothing may be sent in any form.
      const asksNothing = fieldsOf(operation).every((name) => operation.fields[name]!.safeParse(undefined).success);
      for (const body of bodies) {
        const got = await send(operation, body, JSON_TYPE);
        expect(got.status).toBeLessThan(500);
        if (!asksNothing || got.status >= 400) expectRefusal(got, String(body).slice(0, 20));
      }
      // Bytes that are no UTF-8, and a byte order mark.
      for (const bytes of [
        [0x7b, 0x22, 0xff, 0x22, 0x3a, 0x31, 0x7d],
        [0xef, 0xbb, 0xbf, 0x7b, 0x22, 0x61, 0x22, 0x3a, 0x31, 0x7d],
        [0xff, 0xfe, 0x7b, 0x00],
      ])
        expectRefusal(await send(operation, new Uint8Array(bytes), JSON_TYPE), bytes);
      for (const body of ["null", "", null]) {
        const got = await send(operation, body, JSON_TYPE);
        expect(got.status).toBeLessThan(500);
        if (!asksNothing || got.status >= 400) expectRefusal(got, body);
      }
    },
  );
});

describe("a form that is not UTF-8", () => {
  const messages = () => app.sql("select message from contact_messages");
  const fields = { name: "Lucía", email: "lucia@example.com", message: "Un mensaje de prueba." };
  const URLENCODED = "application/x-www-form-urlencoded";
  const encoded = (text: string) => new URLSearchParams({ ...fields, message: text }).toString();
  const MULTIPART = "multipart/form-data; boundary=xyz";
  const parted = (message: Uint8Array, more = "") =>
    Buffer.concat([
      ...Object.entries(fields).flatMap(([name, value]) => [
        Buffer.from(`--xyz\r\nContent-Disposition: form-data; name="${name}"\r\n\r\n`),
        name === "message" ? message : Buffer.from(value),
        Buffer.from("\r\n"),
      ]),
      Buffer.from(`${more}--xyz--\r\n`, "latin1"),
    ]);

  test.each(NOT_UTF8.map((bytes) => [bytes]))("is refused however it is sent: %j", async (bytes) => {
    const before = await messages();
    const escaped = bytes.map((byte) => `%${byte.toString(16)}`).join("");
    const raw = Buffer.concat([Buffer.from("message=a"), Buffer.from(bytes), Buffer.from("b&name=L")]);
    for (const [type, body] of [
      [URLENCODED, Buffer.from(encoded("|").replace("%7C", escaped))],
      [URLENCODED, Buffer.from(`${encoded("a")}&${escaped}=1`)],
      [URLENCODED, raw],
      [MULTIPART, parted(Buffer.concat([Buffer.from("Un mensaje de prueba "), Buffer.from(bytes)]))],
    ] as const)
      for (const path of ["/contacto", "/contacto.data"]) {
        const got = await bare("POST", path, { "content-type": type, cookie: user.cookie }, body);
        expect({ path, type, status: got.status }).toEqual({ path, type, status: 400 });
        expect(JSON.parse(got.text)).toMatchObject({ code: "malformed_request" });
      }
    expect(await messages()).toEqual(before);
    // A browser shows words, not JSON.
    const reader = { "content-type": URLENCODED, accept: "text/html,*/*", cookie: user.cookie };
    const page = await bare("POST", "/contacto", reader, raw);
    expect(page).toMatchObject({ status: 400, type: "text/html; charset=utf-8" });
    expect(page.text).toContain("Ha llegado incompleta o con errores.");
    expect(page.text).toContain('href="/ayuda"');
  });

  test.each([
    ["a header that names a file", 'X-Other: a; filename="b"\r\nContent-Disposition: form-data; name="message"'],
    ["a header after it that does", 'Content-Disposition: form-data; name="message"\r\nX-Other: a; filename=b'],
    ["a type that does", 'Content-Disposition: form-data; name="message"\r\nContent-Type: text/plain; filename=b'],
    [
      "two dispositions",
      'Content-Disposition: form-data; name="f"; filename="a"\r\nContent-Disposition: form-data; name="message"',
    ],
    ["an encoding of its own", 'Content-Disposition: form-data; name="message"\r\nContent-Transfer-Encoding: base64'],
  ])("is refused where a part of it has %s", async (what, head) => {
    const before = await messages();
    const words = Buffer.from("Un mensaje de prueba \xff\xfe", "latin1");
    const body = parted(Buffer.from(fields.message))
      .toString("latin1")
      .replace(`Content-Disposition: form-data; name="message"\r\n\r\n${fields.message}`, () =>
        [head, "", what === "an encoding of its own" ? words.toString("base64") : words.toString("latin1")].join(
          "\r\n",
        ),
      );
    const got = await bare("POST", "/contacto", { "content-type": MULTIPART }, Buffer.from(body, "latin1"));
    expect(got.status).toBe(400);
    expect(await messages()).toEqual(before);
  });

  test("is told apart from one that holds a replacement character, a percent sign or a file", async () => {
    const file = `--xyz\r\nContent-Disposition: form-data; name="f"; filename="a"\r\n\r\n\xff\xfe\x80\r\n`;
    const text = (what: string) => `Un mensaje de prueba \ufffd 100 % ${what}`;
    for (const [what, type, body] of [
      ["encoded", URLENCODED, Buffer.from(encoded(text("encoded")))],
      ["parted", MULTIPART, parted(Buffer.from(text("parted")))],
      ["beside a file", MULTIPART, parted(Buffer.from(text("beside a file")), file)],
    ] as const) {
      const got = await bare("POST", "/contacto", { "content-type": type, cookie: user.cookie }, body);
      expect({ what, status: got.status }, got.text.slice(0, 300)).not.toMatchObject({ status: 400 });
      expect(await messages()).toContainEqual({ message: text(what) });
    }
  });

  test.each(["%00", "%07", "%EF%BF%BF"])("or holds %s in a field says so beside it", async (character) => {
    const before = await messages();
    const body = Buffer.from(encoded("Un mensaje | de prueba").replace("%7C", character));
    const got = await bare("POST", "/contacto", { "content-type": URLENCODED, cookie: user.cookie }, body);
    expect([character, got.status]).toEqual([character, 422]);
    expect(got.text).toContain('id="message-error"');
    expect(await messages()).toEqual(before);
  });
});

describe("query parameters", () => {
  test.each(named(reads))("of %s that stand twice are refused", async (_name, operation) => {
    for (const field of fieldsOf(operation)) {
      const value = encodeURIComponent(String(GOOD[field] ?? "a"));
      const body = expectRefusal(await send(operation, `${field}=${value}&${field}=${value}`, user), field);
      expect(Object.keys(body.fields ?? {})).toEqual([field]);
    }
  });

  test.each(named(reads))("of %s that are no text at all are refused or ignored", async (_name, operation) => {
    for (const query of [
      "%",
      "%zz",
      "&&&",
      "=",
      "=1",
      "?",
      "a=%E0%A4%A",
      "[]=1",
      "[a]=1",
      "a]=1",
      "%00=1",
      "a=1#b",
      `${"a=1&".repeat(1000)}`,
      `a${"[b]".repeat(500)}=1`,
    ]) {
      const got = await send(operation, query, user);
      expect(got.status, query.slice(0, 40)).toBeLessThan(500);
      if (got.status >= 400) expectRefusal(got, query.slice(0, 40));
    }
  });

  test.each(["recent", "oldest", "votes", "responses"].map((sort) => [sort]))(
    "with a hostile cursor, sorted by %s, are refused beside the field",
    async (sort) => {
      const id = "0f8fad5b-d9cb-469f-a165-70867728950e";
      const key = sort === "votes" || sort === "responses" ? 1 : null;
      const encode = (value: unknown) => Buffer.from(JSON.stringify(value)).toString("base64url");
      for (const cursor of [
        "abc",
        "null",
        "%00",
        "=",
        "a".repeat(301),
        encode(null),
        encode({}),
        encode([key, "0000-01-01T00:00:00.000Z", id]),
        encode([key, "2026-02-30T00:00:00.000Z", id]),
        encode([key, "2026-01-01T24:00:00.000Z", id]),
        encode([key, "infinity", id]),
        encode([key, "2026-01-01T00:00:00.000Z", `${id}'`]),
        encode([key, "2026-01-01T00:00:00.000Z", "1"]),
        encode([key === null ? 1 : null, "2026-01-01T00:00:00.000Z", id]),
        encode([key === null ? 0 : 2 ** 31, "2026-01-01T00:00:00.000Z", id]),
        encode([key === null ? "" : 1e300, "2026-01-01T00:00:00.000Z", id]),
        encode([key === null ? [] : 0.5, "2026-01-01T00:00:00.000Z", id]),
      ]) {
        const body = expectRefusal(await app.call("GET", `/consultations?sort=${sort}&cursor=${cursor}`), cursor);
        expect(body.code).toBe("invalid_input");
        expect(Object.keys(body.fields ?? {})).toEqual(["cursor"]);
        const list = `/?orden=${{ recent: "recientes", oldest: "antiguas", votes: "votadas" }[sort] ?? "respondidas"}`;
        const page = await app.page(`${list}&cursor=${cursor}`);
        expect([page.status, page.headers.get("location")], cursor).toEqual([302, list]);
      }
      // The edges of what is well formed are answered.
      for (const at of ["0001-01-01T00:00:00.000Z", "9999-12-31T23:59:59.999Z"])
        for (const number of key === null ? [null] : [2 ** 31 - 1, -(2 ** 31) + 1, 0])
          expect((await app.call("GET", `/consultations?sort=${sort}&cursor=${encode([number, at, id])}`)).status).toBe(
            200,
          );
    },
  );
});

describe("what a list does not know in its address is left out: a list is no form", () => {
  const ID = "0f8fad5b-d9cb-469f-a165-70867728950e";
  test.each([
    ["/?pais=XX", "/", null],
    ["/?pais=XX&categoria=Duelo&orden=zzz&de=boletin", "/?categoria=Duelo&de=boletin", null],
    ["/?categoria=Nada", "/", null],
    ["/?vista=otra&pais=Chile", "/?pais=Chile", null],
    ["/?vista=ranking&pais=XX", "/?vista=ranking", null],
    ["/?pais=Chile&cursor=abc", "/?pais=Chile", null],
    [`/consulta/:consultation?orden=zzz&desde=abc`, `/consulta/:consultation?desde=abc`, null],
    [`/consulta/:consultation?orden=antiguas&desde=abc`, `/consulta/:consultation?orden=antiguas`, null],
    [`/consulta/:consultation?respuesta=${ID}&comentarios=abc`, `/consulta/:consultation?respuesta=${ID}`, null],
    ["/perfil?cursor=abc", "/perfil", "user"],
    ["/admin?vista=zzz", "/admin", "admin"],
    ["/admin?despues=abc", "/admin", "admin"],
    ["/admin?vista=consultas&q=sala&cursor=abc", "/admin?vista=consultas&q=sala", "admin"],
    ["/admin?vista=psicologos&estado=x&gold=y&pais=z", "/admin?vista=psicologos", "admin"],
    ["/admin?vista=psicologos&gold=si&cursor=abc", "/admin?vista=psicologos&gold=si", "admin"],
  ] as const)("%s leads to %s", async (path, to, as) => {
    const at = (address: string) => address.replace(":consultation", consultation);
    const who = as === "admin" ? admin : as === "user" ? user : null;
    const page = await app.page(at(path), who);
    expect([page.status, page.headers.get("location")]).toEqual([302, at(to)]);
    const [pathname, query] = at(path).split("?") as [string, string];
    const data = await app.page(`${pathname === "/" ? "/_" : pathname}.data?${query}`, who);
    expect([data.status, data.text.includes(at(to)), data.text.includes("_routes")]).toEqual([202, true, false]);
  });

  test("what cannot be searched for is said beside the field of the search", async () => {
    for (const q of ["%00", "%ff", "a".repeat(500)]) {
      const page = await app.page(`/admin?vista=consultas&q=${q}`, admin);
      expect(page.status).toBe(200);
      const field = /<input[^>]*name="q"[^>]*>/.exec(page.text)![0];
      const failed = page.text.includes("No se pudieron cargar las consultas");
      expect([field.includes('aria-invalid="true"'), failed], q.slice(0, 9)).toEqual([true, false]);
    }
  });
});

describe("addresses under /api that are not there", () => {
  test.each([
    "",
    "/",
    "/nope",
    "//consultations",
    "/consultations/",
    "/Consultations",
    "/admin",
    "/..%2fsession",
    "/%",
    "/%00",
    "/consultations.json",
    "/.env",
    "/metrics",
  ])("%s", async (path) => {
    for (const as of [null, admin])
      expect(expectRefusal(await app.call("GET", path, undefined, as), path).code).toBe("not_found");
  });
});

describe("cookies", () => {
  const id = "0f8fad5b-d9cb-469f-a165-70867728950e";
  test.each([
    [""],
    [";"],
    [";;;=;;"],
    ["="],
    ["=value"],
    ["sid"],
    ["sid="],
    ["sid=x"],
    [`sid=${id}`],
    [`sid=${id}.`],
    [`sid=${id}.${"a".repeat(43)}`],
    [`sid=${id}.${"a".repeat(42)}é`],
    [`sid=${id}.${"a".repeat(5000)}`],
    [`sid="${id}.${"a".repeat(43)}"`],
    [`SID=${id}.${"a".repeat(43)}`],
    [`__Host-sid=${id}.${"a".repeat(43)}`],
    ["sid=%00%ff%zz"],
    ["sid=null; sid=undefined"],
    ["__proto__=1; constructor=2; toString=3"],
    ["notice=__proto__"],
    ["notice=constructor"],
    ["notice=%7B%7D"],
    ["theme=<script>alert(1)</script>"],
    ["theme=__proto__"],
    ["check_mail=%"],
    ["check_mail=%5B%5D"],
    ["check_mail=null"],
    ["check_mail=%7B%22a%22%3A1%7D"],
    [`check_mail=${encodeURIComponent('[1,{"a":2}]')}`],
    [`a=${"x".repeat(7000)}`],
    [Array.from({ length: 500 }, (_, i) => `c${i}=1`).join(";")],
    ["\u00ff\u00fe=\u0080"],
    ["a=b, c=d"],
  ])("%s", async (cookie) => {
    const as = { cookie } as Person;
    expect((await app.call("GET", "/session", undefined, as)).body.user).toBeNull();
    expect((await app.call("GET", "/weekly-limit", undefined, as)).status).toBe(401);
    expect((await app.call("GET", "/consultations", undefined, as)).status).toBe(200);
    for (const path of ["/", "/auth", "/auth/revisa-tu-correo"]) {
      const page = await app.page(path, as);
      expect([path, page.status]).toEqual([path, 200]);
      expect(page.text).not.toContain("alert(1)");
    }
  });

  test("of two sessions in one header the first counts", async () => {
    const both = { cookie: `${user.cookie}; ${psychologist.cookie}` } as Person;
    expect((await app.call("GET", "/session", undefined, both)).body.user.id).toBe(user.id);
  });
});

describe("pages", () => {
  const flat = (entries: RouteConfigEntry[], base = ""): string[] =>
    entries.flatMap((entry) => [
      `${base}/${entry.path ?? ""}`.replace(/\/+/g, "/"),
      ...flat(entry.children ?? [], `${base}/${entry.path ?? ""}`),
    ]);
  const addresses = flat(pages as RouteConfigEntry[])
    .filter((path) => !path.includes("*"))
    .map((path) => [path] as const);
  const at = (path: string) =>
    path.replace(
      ":id",
      path.startsWith("/respuesta") ? answer : path.startsWith("/psicologo") ? psychologist.id : consultation,
    );

  test("are all walked", () => {
    expect(addresses.length).toBeGreaterThan(15);
  });

  test.each([
    ["/consulta/not-an-id", "Consulta no encontrada"],
    ["/consulta/00000000-0000-4000-8000-000000000000", "Consulta no encontrada"],
    ["/consulta/__proto__", "Consulta no encontrada"],
    ["/consulta/%00", "Consulta no encontrada"],
    ["/psicologo/not-an-id", "Psicólogo no encontrado"],
    ["/psicologo/00000000-0000-4000-8000-000000000000", "Psicólogo no encontrado"],
    ["/nada", "Página no encontrada"],
    ["/consulta", "Página no encontrada"],
    ["/nada/de/nada", "Página no encontrada"],
    ["/wp-login.php", "Página no encontrada"],
    ["/.git/config", "Página no encontrada"],
    ["/%2e%2e/%2e%2e/etc/passwd", "Página no encontrada"],
    ["/assets/nothing.js", "Página no encontrada"],
    ["/constructor", "Página no encontrada"],
    ["/favicon.png", "Página no encontrada"],
  ])("%s is a 404 that says: %s", async (path, words) => {
    for (const as of [null, user, psychologist]) {
      const page = await app.page(path, as);
      expect(page.status).toBe(404);
      expect(page.headers.get("content-type")).toBe("text/html; charset=utf-8");
      expect(page.text).toContain(`${words}</h1>`);
      expect(page.text).toMatch(new RegExp(`<title>${words} · `));
    }
  });

  test.each([
    "/%",
    "/%zz",
    "/consulta/%",
    "/consulta/%E0%A4%A",
    "/%E0%A4%A",
    "//evil.example",
    "/\\evil.example",
    "/consulta/%ED%A0%80",
    `/${"a".repeat(8000)}`,
  ])("%s is refused", async (path) => {
    const page = await app.page(path);
    expect(page.status).toBeGreaterThanOrEqual(300);
    expect(page.status).toBeLessThan(500);
    if (page.status < 400) expect(new URL(page.headers.get("location")!, app.url).origin).toBe(app.url);
  });

  test.each(addresses)("%s never fails on parameters in its address", async (path) => {
    const queries = [
      "%",
      "a=%",
      "pais=Atl%C3%A1ntida",
      "pais=%00",
      "pais=__proto__",
      "pais=a&pais=b",
      "pais[]=a",
      "categoria=%ED%A0%80",
      "orden=constructor",
      "orden=__proto__",
      "cursor=abc",
      "token=%00",
      "token=a&token=b",
      `token=${"a".repeat(500)}`,
      "volver=//evil.example",
      "volver=%00",
      "volver=/%0d%0aset-cookie:a",
      "modo=__proto__",
      "tipo=%00",
      "index",
      "_routes=nope",
      "enviado=%00",
    ];
    for (const query of someOf(queries, 6))
      for (const as of inTurn([null, user])) {
        const page = await app.page(`${at(path)}?${query}`, as);
        expect([query, page.status < 500]).toEqual([query, true]);
        const location = page.headers.get("location");
        if (location) expect(new URL(location, app.url).origin).toBe(app.url);
      }
  });

  test.each(addresses)("%s never fails on data requests of its own router", async (path) => {
    const data = path === "/" ? "/_.data" : `${at(path)}.data`;
    for (const query of [
      "",
      "?_routes=",
      "?_routes=nope",
      "?_routes=root,routes/home",
      "?_routes=__proto__",
      "?cursor=abc",
      "?pais=%00",
    ])
      for (const as of inTurn([null, user])) expect((await app.page(data + query, as)).status, query).toBeLessThan(500);
  });

  const multipart = (body: string, boundary = "x") => [body, `multipart/form-data; boundary=${boundary}`] as const;
  const urlencoded = (body: string) => [body, "application/x-www-form-urlencoded"] as const;
  const FORMS: [what: string, form: readonly [string, string]][] = [
    ["nothing", urlencoded("")],
    ["signs alone", urlencoded("&&==&&")],
    ["broken escapes", urlencoded("vote=%&content=%zz&email=%E0%A4%A")],
    [
      "NUL in every field",
      urlencoded(
        "vote=%00&content=%00&title=%00&email=%00&password=%00&token=%00&theme=%00&id=%00&intent=approve&return_to=%00",
      ),
    ],
    ["NUL in the fields of signing in", urlencoded("email=%00&password=%00&intent=sign_in&return_to=%00")],
    [
      "surrogates in every field",
      urlencoded(
        "vote=%ED%A0%80&content=%ED%A0%80&title=%ED%A0%80&email=%ED%A0%80&token=%ED%A0%80&intent=reject&id=%ED%A0%80",
      ),
    ],
    ["__proto__", urlencoded("__proto__=1&__proto__[is_admin]=true&constructor=2&toString=3&vote=up")],
    [
      "fields that no one knows",
      urlencoded("is_admin=true&user_id=1&is_verified=true&gold_until=infinity&content=Un+texto&intent=sign_up"),
    ],
    ["a thousand fields", urlencoded(Array.from({ length: 1000 }, (_, i) => `f${i}=1`).join("&"))],
    ["the same field many times", urlencoded("vote=up&vote=down&vote=none&content=a&content=b&email=a&email=b")],
    ["an id that is none", urlencoded("id=abc&intent=approve")],
    ["an address elsewhere", urlencoded("return_to=//evil.example&back=//evil.example&theme=dark")],
    ["multipart without an end", multipart('--x\r\nContent-Disposition: form-data; name="vote"\r\n\r\nup')],
    [
      "multipart with another boundary",
      multipart('--y\r\nContent-Disposition: form-data; name="vote"\r\n\r\nup\r\n--y--\r\n'),
    ],
    ["multipart without headers", multipart("--x\r\n\r\n\r\n--x--\r\n")],
    ["multipart without a name", multipart("--x\r\nContent-Disposition: form-data\r\n\r\na\r\n--x--\r\n")],
    ["an empty multipart", multipart("")],
    ["a multipart of noise", multipart("\u0000\u0001--x--x\r\n--x")],
    ["multipart without a boundary", ["--x--", "multipart/form-data"]],
    [
      "files where texts belong",
      multipart(
        '--x\r\nContent-Disposition: form-data; name="vote"; filename="a.txt"\r\nContent-Type: text/plain\r\n\r\nup\r\n--x\r\nContent-Disposition: form-data; name="content"; filename="b"\r\n\r\ntexto\r\n--x--\r\n',
      ),
    ],
  ];

  test.each(addresses)("%s never fails on a garbage form", async (path) => {
    for (const [what, [body, type]] of someOf(FORMS, 6))
      for (const as of path === "/salir"
        ? [null]
        : inTurn([null, path === "/admin" ? admin : path.endsWith("/respuesta") ? psychologist : user]))
        for (const address of [at(path), `${path === "/" ? "/_" : at(path)}.data`]) {
          const got = await app.page(address, as, { method: "POST", body, headers: { "content-type": type } });
          expect([what, got.status < 500, got.status]).toEqual([what, true, got.status]);
          expect(got.text).not.toMatch(/\n\s+at /);
          const location = got.headers.get("location");
          if (location) expect(new URL(location, app.url).origin).toBe(app.url);
        }
    expect(await app.sql("select from psychologist_profiles where gold_until = 'infinity'")).toEqual([]);
  });

  test.each(addresses)("%s refuses other methods and too much", async (path) => {
    for (const method of ["PUT", "PATCH", "DELETE", "OPTIONS", "PROPFIND"]) {
      const refused = (await app.page(at(path), user, { method })) as unknown as Answer<ErrorBody>;
      expect(expectRefusal(refused, method)).toEqual({ code: "method_not_allowed" });
      expect(refused.headers.get("allow")).toBeTruthy();
    }
    const big = await app.page(at(path), user, {
      method: "POST",
      body: `content=${"a".repeat(70_000)}`,
      headers: { "content-type": "application/x-www-form-urlencoded" },
    });
    expect(big.status).toBe(413);
    for (const type of ["application/json", "text/plain", "application/xml"]) {
      const other = await app.page(at(path), user, { method: "POST", body: "{}", headers: { "content-type": type } });
      expect(other.status).toBe(415);
    }
  });

  test("an action from another site is refused", async () => {
    for (const [path] of addresses)
      for (const headers of [
        { origin: "https://evil.example" },
        { origin: "null" },
        { "sec-fetch-site": "cross-site" },
        { "sec-fetch-site": "same-site" },
        { "sec-fetch-site": "none" },
        { origin: "" },
      ] as Record<string, string>[]) {
        const refused = await app.form(at(path), { vote: "up" }, user, headers);
        expect([path, refused.status]).toEqual([path, 403]);
      }
  });
});
