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

describe("a form", () => {
  const messages = () => app.sql("select message from contact_messages");
  const urlencoded = (message: string) => [
    "application/x-www-form-urlencoded",
    `name=Lucia&email=lucia@example.com&message=${message}`,
  ];
  const multipart = (message: string, more = "") => [
    "multipart/form-data; boundary=xyz",
    `${[`name"\r\n\r\nLucia`, `email"\r\n\r\nlucia@example.com`, `message"\r\n\r\n${message}`]
      .map((part) => `--xyz\r\nContent-Disposition: form-data; name="${part}\r\n`)
      .join("")}${more}--xyz--\r\n`,
  ];
  /** Sends the characters of a body to the contact page, each as one byte. */
  async function send([type, body]: string[]) {
    const headers = { origin: app.url, "content-type": type!, cookie: user.cookie };
    const got = await rawRequest(app, "/contacto", headers, "POST", Buffer.from(body!, "latin1"));
    return { status: got.status, text: got.body.toString() };
  }

  test.each([
    ...["%ff", "\xff", "%00", "%07", "%EF%BF%BF"].map((bytes) => urlencoded(`Un mensaje ${bytes} de prueba`)),
    multipart("Un mensaje \xff de prueba"),
  ])(
    "shows an error at a text that is not UTF-8 or unreadable, and repeats the other fields: %s %j",
    async (...form) => {
      const before = await messages();
      const got = await send(form);
      expect(got.status).toBe(422);
      for (const part of ['id="message-error"', 'value="Lucia"', 'value="lucia@example.com"'])
        expect(got.text).toContain(part);
      expect(got.text).toMatch(/Un mensaje [^<]* de prueba/);
      expect(await messages()).toEqual(before);
    },
  );

  test("accepts several parts with a percent sign and a binary file", async () => {
    const file = `--xyz\r\nContent-Disposition: form-data; name="f"; filename="a"\r\n\r\n\xff\xfe\x80\r\n`;
    const message = "Un mensaje de prueba al 100 %";
    expect((await send(multipart(message, file))).status).toBeLessThan(400);
    expect(await messages()).toContainEqual({ message });
  });
});
