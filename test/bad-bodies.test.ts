import { request } from "node:http";
import { describe, expect, test } from "vitest";
import type { ErrorBody } from "#shared/errors.ts";
import { LIMITS } from "#shared/limits.ts";
import type { Answer, TestUser } from "./app.ts";
import { FULL_RUN } from "./full-run.ts";
import {
  expectRefusal,
  fieldsOf,
  NOT_UTF8,
  named,
  type Operation,
  sampleOf,
  setUpHostileInputApp,
  takeTurns,
  validInput,
  writes,
} from "./hostile-input.ts";
import { ask } from "./threads.ts";

const { app, user, pathOf } = setUpHostileInputApp();

/** Sends headers and a body without changes. */
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

describe("the body of an API request", () => {
  const send = (operation: Operation, body: BodyInit | null, type: string | null, as: TestUser | null = null) =>
    app.page(`/api${pathOf(operation)}`, as, {
      method: operation.method,
      body,
      headers: type === null ? {} : { "content-type": type },
      ...(body instanceof ReadableStream ? { duplex: "half" } : {}),
    } as RequestInit) as Promise<unknown> as Promise<Answer<ErrorBody>>;
  const JSON_TYPE = "application/json";
  const padded = (bytes: number) => `{"nope":"${"a".repeat(bytes - 11)}"}`;

  test.each(named(sampleOf(writes, 6)))(
    "%s accepts a body of 65,536 bytes and responds payload_too_large to 65,537 bytes",
    async (_name, operation) => {
      expect(LIMITS.bodyBytes).toBe(65_536);
      expect(padded(65_536)).toHaveLength(65_536);
      for (const as of takeTurns([null, user])) {
        expect(expectRefusal(await send(operation, padded(65_536), JSON_TYPE, as), "full").code).not.toBe(
          "payload_too_large",
        );
        for (const size of FULL_RUN ? [65_537, 1_000_000] : [65_537])
          expect(expectRefusal(await send(operation, padded(size), JSON_TYPE, as), size)).toEqual({
            code: "payload_too_large",
          });
      }
    },
  );

  test.each(named(sampleOf(writes, 6)))(
    "%s responds payload_too_large to a chunked body of more than 65,536 bytes",
    async (_name, operation) => {
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
      expect(expectRefusal(await send(operation, chunks(10), JSON_TYPE), "small").code).not.toBe("payload_too_large");
      expect(expectRefusal(await send(operation, chunks(64), JSON_TYPE), "chunked")).toEqual({
        code: "payload_too_large",
      });
    },
  );

  test.each([
    ["/api/contact", "application/json"],
    ["/contacto", "application/x-www-form-urlencoded"],
  ])("%s responds 413 to an endless body as soon as it is too long", async (path, type) => {
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

  test.each(named(sampleOf(writes, 6)))(
    "%s responds unsupported_media_type to another content type",
    async (_name, operation) => {
      const json = JSON.stringify(validInput(operation));
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
      for (const type of sampleOf(types, 6)) {
        const body = type === null ? new Blob([json]) : json;
        expect(expectRefusal(await send(operation, body, type, user), type)).toEqual({
          code: "unsupported_media_type",
        });
      }
    },
  );

  test.each(named(sampleOf(writes, 6)))(
    "%s accepts an empty body without a content type like an empty object",
    async (_name, operation) => {
      await send(operation, "{}", JSON_TYPE); // only the first visit counts
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
      for (const [body, type] of sampleOf(bodies, 3)) {
        const got = await send(operation, body, type);
        expect({ type, status: got.status, body: got.body }).toEqual({ type, status: whole.status, body: whole.body });
        expect(got.body?.code).not.toBe("unsupported_media_type");
      }
    },
  );

  test("accepts a DELETE with an empty or missing body", async () => {
    const lengths: Record<string, string>[] = [{}, { "content-length": "0" }, { "transfer-encoding": "chunked" }];
    for (const length of lengths) {
      const author = await app.person();
      const id = await ask(app, author);
      const got = await bare("DELETE", `/api/consultations/${id}`, { cookie: author.cookie, ...length });
      expect({ length, status: got.status }, got.text).toEqual({ length, status: 200 });
      expect((await app.call("GET", `/consultations/${id}`)).status).toBe(410);
    }
  });

  test.each(named(sampleOf(writes, 6).filter(({ fields }) => Object.keys(fields).some((field) => field !== "id"))))(
    "%s responds malformed_request to a body that is not UTF-8",
    async (_name, operation) => {
      const json = Buffer.from(JSON.stringify({ ...validInput(operation), nope: "@" }));
      const at = json.lastIndexOf("@");
      for (const bytes of sampleOf(NOT_UTF8, 2)) {
        const body = Buffer.concat([json.subarray(0, at), Buffer.from(bytes), json.subarray(at + 1)]);
        expect(expectRefusal(await send(operation, body, JSON_TYPE, user), bytes)).toEqual({
          code: "malformed_request",
        });
      }
      // A replacement character itself is valid.
      const typed = json.toString().replace("@", "\ufffd");
      expect(expectRefusal(await send(operation, typed, JSON_TYPE, user), "typed").code).not.toBe("malformed_request");
    },
  );

  test.each(named(sampleOf(writes, 6)))("%s responds malformed_request to broken JSON", async (_name, operation) => {
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
    for (const body of sampleOf(broken, 3))
      expect(expectRefusal(await send(operation, body, JSON_TYPE, user), body)).toEqual({ code: "malformed_request" });
  });

  // Excludes recordView, which needs only its path and is open to all, so it refuses no body.
  test.each(named(sampleOf(writes, 6).filter(({ name }) => name !== "psychologists.recordView")))(
    "%s responds below 500 to JSON that is not an object",
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
      // An operation without required fields may accept a body in any form.
      const asksNothing = fieldsOf(operation).every((name) => operation.fields[name]!.safeParse(undefined).success);
      for (const body of bodies) {
        const got = await send(operation, body, JSON_TYPE);
        expect(got.status).toBeLessThan(500);
        if (!asksNothing || got.status >= 400) expectRefusal(got, String(body).slice(0, 20));
      }
      // Invalid UTF-8, and a byte order mark.
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

  const escapes = (bytes: readonly number[]) => bytes.map((byte) => `%${byte.toString(16)}`).join("");

  test.each(NOT_UTF8.map((bytes) => [bytes]))(
    "shows an error at the field with the bytes %j and keeps the other fields",
    async (bytes) => {
      const before = await messages();
      const escaped = encoded("Un mensaje | de prueba").replace("%7C", escapes(bytes));
      const [head, tail] = encoded("Un mensaje | de prueba").split("%7C") as [string, string];
      const between = (...parts: string[]) =>
        Buffer.concat([Buffer.from(parts[0]!), Buffer.from(bytes), Buffer.from(parts[1]!)]);
      for (const [type, body] of [
        [URLENCODED, Buffer.from(escaped)],
        [URLENCODED, between(head, tail)],
        [MULTIPART, parted(between("Un mensaje ", " de prueba"))],
      ] as const) {
        const got = await bare("POST", "/contacto", { "content-type": type, cookie: user.cookie }, body);
        expect(got.status).toBe(422);
        expect(got.text).toContain('id="message-error"');
        expect(got.text).toContain(`value="${fields.name}"`);
        expect(got.text).toContain(`value="${fields.email}"`);
        expect(got.text).toMatch(/Un mensaje [^<]* de prueba/);
      }
      expect(await messages()).toEqual(before);
    },
  );

  test("accepts a multipart form with a percent sign and a binary file", async () => {
    const file = `--xyz\r\nContent-Disposition: form-data; name="f"; filename="a"\r\n\r\n\xff\xfe\x80\r\n`;
    const text = "Un mensaje de prueba al 100 %";
    const body = parted(Buffer.from(text), file);
    const got = await bare("POST", "/contacto", { "content-type": MULTIPART, cookie: user.cookie }, body);
    expect(got.status).toBeLessThan(400);
    expect(await messages()).toContainEqual({ message: text });
  });

  test.each(["%00", "%07", "%EF%BF%BF"])("shows an error at the field if its text contains %s", async (character) => {
    const before = await messages();
    const body = Buffer.from(encoded("Un mensaje | de prueba").replace("%7C", character));
    const got = await bare("POST", "/contacto", { "content-type": URLENCODED, cookie: user.cookie }, body);
    expect([character, got.status]).toEqual([character, 422]);
    expect(got.text).toContain('id="message-error"');
    expect(await messages()).toEqual(before);
  });
});
