import { request } from "node:http";
import { describe, expect, test } from "vitest";
import type { ErrorBody } from "#shared/errors.ts";
import { LIMITS } from "#shared/limits.ts";
import type { Answer } from "./app.ts";
import { expectRefusal, NOT_UTF8, setUpHostileInputApp, validInput, writes } from "./hostile-input.ts";
import { rawRequest } from "./raw-request.ts";

const { app, user, pathOf } = setUpHostileInputApp();

// One function reads the bodies of all operations.
describe("the body of an operation", () => {
  const operation = writes.find(({ name }) => name === "consultations.create")!;
  const send = (body: BodyInit | null, type: string | null = "application/json") =>
    app.page(`/api${pathOf(operation)}`, user, {
      method: operation.method,
      body,
      headers: type === null ? {} : { "content-type": type },
      ...(body instanceof ReadableStream ? { duplex: "half" } : {}),
    } as RequestInit) as Promise<unknown> as Promise<Answer<ErrorBody>>;
  const stream = (...parts: string[]) =>
    new ReadableStream({
      start(controller) {
        for (const part of parts) controller.enqueue(new TextEncoder().encode(part));
        controller.close();
      },
    });
  const padded = (bytes: number) => `{"nope":"${"a".repeat(bytes - 11)}"}`;
  /** Expects that a body gets further than its reader, which does not know the input. */
  const expectRead = async (body: BodyInit, about: string) =>
    expect(expectRefusal(await send(body), about).code, about).toBe("invalid_input");

  test("accepts 65,536 bytes; more get payload_too_large", async () => {
    expect(LIMITS.bodyBytes).toBe(65_536);
    await expectRead(padded(65_536), "full");
    await expectRead(stream('{"nope":"', ..."a".repeat(1_000), '"}'), "small chunks");
    const chunks = Array.from({ length: 64 }, () => "a".repeat(1_024));
    for (const body of [padded(65_537), padded(1_000_000), stream('{"nope":"', ...chunks, '"}')])
      expect(expectRefusal(await send(body), "long")).toEqual({ code: "payload_too_large" });
  });

  test("gets unsupported_media_type with another content type", async () => {
    const json = JSON.stringify(validInput(operation));
    const types = "text/plain;charset=UTF-8 application/x-www-form-urlencoded multipart/form-data;boundary=x text/json";
    for (const type of [...`${types} application/jsonp application/json-patch+json nonsense `.split(" "), null]) {
      const body = type === null ? new Blob([json]) : json;
      expect(expectRefusal(await send(body, type), type)).toEqual({ code: "unsupported_media_type" });
    }
  });

  test("counts as an empty object if it is empty, with any content type", async () => {
    const whole = await send("{}");
    for (const [body, type] of [
      [null, null],
      [stream(), null],
      [new Blob([]), null],
      ["", "application/json"],
      ["", "text/plain"],
      ["", "application/x-www-form-urlencoded"],
    ] as [BodyInit | null, string | null][]) {
      const got = await send(body, type);
      expect({ type, status: got.status, body: got.body }).toEqual({ type, status: whole.status, body: whole.body });
    }
  });

  test("gets malformed_request if it is not UTF-8 or not JSON", async () => {
    const json = Buffer.from(JSON.stringify({ ...validInput(operation), nope: "@" }));
    const at = json.lastIndexOf("@");
    const invalid = NOT_UTF8.map((bytes) =>
      Buffer.concat([json.subarray(0, at), Buffer.from(bytes), json.subarray(at + 1)]),
    );
    const broken = ["{", "{]", '{"a":1}}', "nul", "'a'", "NaN", '{"a":"\n"}', "{}{}", "\u0000", "<xml/>"];
    for (const body of [...invalid, Buffer.from([0xff, 0xfe, 0x7b, 0x00]), ...broken])
      expect(expectRefusal(await send(body), String(body))).toEqual({ code: "malformed_request" });
    // A replacement character itself is valid.
    await expectRead(json.toString().replace("@", "\ufffd"), "typed");
  });

  test("gets invalid_input with the field __proto__", async () => {
    await expectRead(`{"__proto__":{"is_admin":true},${JSON.stringify(validInput(operation)).slice(1)}`, "__proto__");
  });

  test("gets an error below 500 if it is JSON but not an object", async () => {
    for (const body of [
      "[]",
      "[1,2]",
      '"text"',
      "1",
      "true",
      "null",
      `${"[".repeat(30_000)}${"]".repeat(30_000)}`,
      `{"a":${'{"a":'.repeat(10_000)}1${"}".repeat(10_000)}}`,
    ])
      expectRefusal(await send(body), body.slice(0, 20));
  });
});

test.each([
  ["/api/contact", "application/json"],
  ["/contacto", "application/x-www-form-urlencoded"],
])("%s responds 413 to an endless body as soon as it is too long, and closes the connection", async (path, type) => {
  const headers = { origin: app.url, "content-type": type, "transfer-encoding": "chunked" };
  const got = await new Promise((done, fail) => {
    const sending = request(app.url + path, { method: "POST", headers }, (answer) => {
      done([answer.statusCode, answer.headers.connection]);
      sending.destroy();
    });
    sending.on("error", fail);
    sending.write("a".repeat(LIMITS.bodyBytes + 1));
  });
  expect(got).toEqual([413, "close"]);
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

  /** Sends a body to the contact page without changes. */
  async function bare(type: string, body: Uint8Array) {
    const headers = { origin: app.url, "content-type": type, cookie: user.cookie };
    const got = await rawRequest(app, "/contacto", headers, "POST", body);
    return { status: got.status, text: got.body.toString() };
  }
  const escapes = (bytes: readonly number[]) => bytes.map((byte) => `%${byte.toString(16)}`).join("");

  test("shows an error at the field and keeps the other fields", async () => {
    const before = await messages();
    for (const bytes of NOT_UTF8) {
      const escaped = encoded("Un mensaje | de prueba").replace("%7C", escapes(bytes));
      const [head, tail] = encoded("Un mensaje | de prueba").split("%7C") as [string, string];
      const between = (...parts: string[]) =>
        Buffer.concat([Buffer.from(parts[0]!), Buffer.from(bytes), Buffer.from(parts[1]!)]);
      for (const [type, body] of [
        [URLENCODED, Buffer.from(escaped)],
        [URLENCODED, between(head, tail)],
        [MULTIPART, parted(between("Un mensaje ", " de prueba"))],
      ] as const) {
        const got = await bare(type, body);
        expect(got.status).toBe(422);
        expect(got.text).toContain('id="message-error"');
        expect(got.text).toContain(`value="${fields.name}"`);
        expect(got.text).toContain(`value="${fields.email}"`);
        expect(got.text).toMatch(/Un mensaje [^<]* de prueba/);
      }
    }
    expect(await messages()).toEqual(before);
  });

  test("accepts a multipart form with a percent sign and a binary file", async () => {
    const file = `--xyz\r\nContent-Disposition: form-data; name="f"; filename="a"\r\n\r\n\xff\xfe\x80\r\n`;
    const text = "Un mensaje de prueba al 100 %";
    const body = parted(Buffer.from(text), file);
    const got = await bare(MULTIPART, body);
    expect(got.status).toBeLessThan(400);
    expect(await messages()).toContainEqual({ message: text });
  });

  test.each(["%00", "%07", "%EF%BF%BF"])("shows an error at the field if its text contains %s", async (character) => {
    const before = await messages();
    const body = Buffer.from(encoded("Un mensaje | de prueba").replace("%7C", character));
    const got = await bare(URLENCODED, body);
    expect([character, got.status]).toEqual([character, 422]);
    expect(got.text).toContain('id="message-error"');
    expect(await messages()).toEqual(before);
  });
});
