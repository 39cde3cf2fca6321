import { connect } from "node:net";
import { expect, onTestFinished, test } from "vitest";
import { closeServer, httpServer, listen } from "../listen.ts";
import { readBody, WEBHOOK } from "./body.ts";

test.each([
  ["a declared length of 1 kB", "Content-Length: 1000"],
  ["a declared length of 1 MB", "Content-Length: 1000000"],
  ["chunks", "Transfer-Encoding: chunked"],
])("readBody throws malformed_request if the client disconnects during a body with %s", async (_how, header) => {
  const read = Promise.withResolvers<unknown>();
  const server = httpServer(async (request) => {
    await readBody(request, { ...WEBHOOK, bytes: 2_000_000 }).then(read.resolve, read.resolve);
    return new Response();
  });
  onTestFinished(() => closeServer(server));
  const socket = connect(await listen(server, 0, "127.0.0.1"), "127.0.0.1");
  socket.write(`POST / HTTP/1.1\r\nHost: localhost\r\n${header}\r\n\r\n5\r\nhello\r\n`, () =>
    setTimeout(() => socket.destroy(), 100),
  );
  expect(await read.promise).toMatchObject({ code: "malformed_request" });
});
