import { request } from "node:http";
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
