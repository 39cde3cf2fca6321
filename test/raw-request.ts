import { once } from "node:events";
import { type IncomingMessage, request } from "node:http";
import { connect } from "node:net";
import type { TestApp } from "./app.ts";

export type RawResponse = { status: number; headers: Record<string, string>; body: Buffer };

/** Sends a request without the headers and the decoding of `fetch`. */
export async function rawRequest(
  { url }: TestApp,
  path: string,
  headers: Record<string, string> = {},
  method = "GET",
  body?: Uint8Array,
): Promise<RawResponse> {
  const [response] = (await once(request(url + path, { method, headers }).end(body), "response")) as [IncomingMessage];
  return {
    status: response.statusCode!,
    headers: response.headers as Record<string, string>,
    body: Buffer.concat(await Array.fromAsync<Buffer>(response)),
  };
}

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
