import { request } from "node:http";
import { connect } from "node:net";
import type { TestApp } from "./app.ts";

export type RawResponse = { status: number; headers: Record<string, string>; body: Buffer };

/** Sends a request without the headers and the decoding of `fetch`. */
export const rawRequest = (
  { url }: TestApp,
  path: string,
  headers: Record<string, string> = {},
  method = "GET",
  body?: Uint8Array,
) =>
  new Promise<RawResponse>((done, fail) => {
    const sent = request(url + path, { method, headers }, (response) => {
      const chunks: Buffer[] = [];
      response.on("data", (chunk: Buffer) => chunks.push(chunk));
      response.on("end", () =>
        done({
          status: response.statusCode!,
          headers: response.headers as Record<string, string>,
          body: Buffer.concat(chunks),
        }),
      );
    });
    sent.on("error", fail);
    sent.end(body);
  });

/** Sends bytes on a new connection, which is closed after 20 s without data. @returns all bytes of the response */
export const exchange = (url: string, bytes: string) =>
  new Promise<Buffer>((done) => {
    const { hostname, port } = new URL(url);
    const chunks: Buffer[] = [];
    const socket = connect(Number(port), hostname, () => socket.write(bytes, "latin1"));
    socket.on("data", (chunk) => chunks.push(chunk)).on("error", () => {});
    socket.on("close", () => done(Buffer.concat(chunks)));
    socket.setTimeout(20_000, () => socket.destroy());
  });
