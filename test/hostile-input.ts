import { afterEach, expect } from "vitest";
import { ERRORS, type ErrorBody } from "#shared/errors.ts";
import type { Answer, TestUser } from "./app.ts";
import { FULL_RUN } from "./full-run.ts";
import { operations as allOperations, FOR_VISITORS, type Operation } from "./operations.ts";
import { registration } from "./people.ts";
import { setUpAdmin, setUpOnce, setUpTestApp } from "./suite-setup.ts";
import { ask, publishAnswer } from "./threads.ts";

/** Operations of the contract that take JSON. Excludes photo uploads, which have separate tests. */
export const operations = allOperations.filter(({ path }) => path !== "/profile/photo");
export const reads = operations.filter(({ method }) => method === "GET");
export const writes = operations.filter(({ method }) => method !== "GET");
export const withId = operations.filter(({ path }) => path.includes("{id}"));

/** Names of the input fields, without the id, which is part of the path. */
export const fieldsOf = ({ path, fields }: Operation) =>
  Object.keys(fields).filter((name) => !path.includes(`{${name}}`));

export const VALID_VALUES: Record<string, unknown> = {
  ...registration("lucia@example.com", { full_name: "Lucía Pérez" }),
  title: "Una pregunta de prueba",
  content: "Un texto de prueba con más de veinte caracteres.",
  country: "Chile",
  category: "Ansiedad",
  vote: "up",
  specialty: "Neuropsicología",
  license_number: "MP 1234",
  phone: "+54 11 5555 5555",
  whatsapp: "+54 11 5555 5555",
  return_to: "/",
  token: "no-such-token",
  code: "123456",
  anonymous_texts: "keep",
  kind: "health_data",
  scope: "this",
  sort: "recent",
  name: "Lucía Pérez",
  plan_type: "monthly",
  method: "paypal",
  decision: "reject",
  payer_email: "lucia@example.com",
  subscriptionId: "I-0123456789AB",
  last_day: "2030-01-31",
};

/** Values for a field that `VALID_VALUES` lacks, or whose value there does not fit. */
const OTHERS = ["Un texto de prueba", "view_premium_plans", "https://example.com", 5, true];

const goodValue = (name: string, schema: Operation["fields"][string]) =>
  [VALID_VALUES[name], ...OTHERS].find((value) => value !== undefined && schema.safeParse(value).success);

export function validInput(operation: Operation): Record<string, unknown> {
  const names = fieldsOf(operation).filter((name) => name !== "cursor");
  return Object.fromEntries(names.map((name) => [name, goodValue(name, operation.fields[name]!)]));
}

let turn = 0;

/** Returns one of the askers, each in turn. Returns all of them in the full run. */
export const takeTurns = <Asker>(those: Asker[]): Asker[] => (FULL_RUN ? those : [those[turn++ % those.length]!]);

/** Returns a different part of a list each time. Returns the whole list in the full run. */
export const sampleOf = <Item>(list: Item[], share: number): Item[] => {
  if (FULL_RUN) return list;
  turn++;
  return list.filter((_, at) => (at + turn) % share === 0);
};

const ENGLISH =
  /\b(invalid|expected|received|required|unrecognized|input|must|should|undefined|null|string|object|array|value|key|too (big|small))\b/i;

/** Expects a known refusal: its error code, the status of that code, and Spanish messages for fields. */
export function expectRefusal(got: Answer<ErrorBody>, about: unknown): ErrorBody {
  const what = `${JSON.stringify(about)}: ${got.status} ${got.text.slice(0, 300)}`;
  expect(got.status, what).toBeGreaterThanOrEqual(400);
  expect(got.status, what).toBeLessThan(500);
  expect(got.headers.get("content-type"), what).toMatch(/^application\/json/);
  expect(ERRORS[got.body.code], what).toBe(got.status);
  const unknown = Object.keys(got.body).filter((key) => !["code", "fields", "details", "current"].includes(key));
  expect(unknown, what).toEqual([]);
  for (const message of Object.values(got.body.fields ?? {})) {
    expect(message, what).toMatch(/^[¡¿A-ZÁÉÍÓÚ].*[.!?]$/s);
    expect(message, what).not.toMatch(ENGLISH);
  }
  return got.body;
}

/** Texts that cannot be read or stored: a description, the text in JSON, and the text in a URL. */
export const UNSTORABLE_TEXTS: [what: string, json: string, address: string][] = [
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

/** Byte sequences that are invalid in UTF-8: single, overlong, half a surrogate pair, beyond Unicode, truncated. */
export const NOT_UTF8 = [[0xff], [0x80], [0xc0, 0xaf], [0xed, 0xa0, 0x80], [0xf4, 0x90, 0x80, 0x80], [0xe2, 0x82]];

/**
 * Opens an application with accounts, a consultation and an answer. Each test fails if the application logs an error.
 */
export function setUpHostileInputApp() {
  const app = setUpTestApp();
  const user = setUpOnce(() => app.person());
  const psychologist = setUpOnce(() => app.person({ type: "psychologist", gold: "active" }));
  const admin = setUpAdmin(app);
  const thread = setUpOnce(async () => {
    const consultation = await ask(app, await app.person());
    return { consultation, answer: await publishAnswer(app, consultation, psychologist) };
  });
  afterEach(() => {
    expect(app.log.splice(0).filter((line) => JSON.parse(line).level >= 50)).toEqual([]);
  });
  const pathOf = (
    { path }: Operation,
    id = path.startsWith("/psych") ? psychologist.id : thread[path.startsWith("/answers") ? "answer" : "consultation"],
  ) => path.replace(/\{[^}]+\}/g, id);
  return {
    app,
    user,
    psychologist,
    admin,
    thread,
    /** Callers that an operation accepts. Visitors sign in and out, so that no test ends another test's session. */
    askers({ name }: Operation): (TestUser | null)[] {
      if (name.startsWith("accounts.")) return [FOR_VISITORS.includes(name) ? null : user];
      if (/^(admin|inbox|payments|gold|funnel)\./.test(name)) return [admin];
      return /^(memberships|testPayments)\./.test(name) ? [psychologist] : [user, psychologist, admin];
    },
    pathOf,
    /** Sends a raw body, or query parameters that are already encoded. */
    send: (operation: Operation, input: string, as: TestUser | null, headers: Record<string, string> = {}) =>
      operation.method === "GET"
        ? app.call("GET", `${pathOf(operation)}?${input}`, undefined, as, headers)
        : app.call(operation.method, pathOf(operation), input, as, headers),
  };
}
