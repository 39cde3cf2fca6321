import { createServer, type IncomingHttpHeaders } from "node:http";
import type { AddressInfo } from "node:net";
import { TIMEOUT_FACTOR } from "../full-run.ts";
import type { Contract } from "./openapi/contract.ts";

export type FakeRequest = {
  method: string;
  path: string;
  query: URLSearchParams;
  headers: IncomingHttpHeaders;
  body: string;
};
export type FakeAnswer = { status: number; body?: unknown; headers?: Record<string, string> };

type Fault = {
  call: RegExp;
  /** Time of the fault: before the call is handled, or between that and the response. */
  on: "receiving" | "answering";
  what: "hang" | "cut" | FakeAnswer | (() => Promise<void> | void);
  times: number;
};

/**
 * Starts a provider's HTTP server on a free local port. Text bodies are pages, all others are JSON.
 *
 * Responds 599 with the violations if a request or a response violates the vendor's API description. Responses of
 * injected faults are not checked.
 */
export async function startFakeServer(
  contract: Contract,
  answer: (request: FakeRequest) => FakeAnswer | Promise<FakeAnswer>,
) {
  let faults: Fault[] = [];
  const hanging = new Set<() => void>();
  const calls: string[] = [];
  const requests: FakeRequest[] = [];

  const server = createServer(async (incoming, outgoing) => {
    const url = new URL(incoming.url ?? "/", "http://fake");
    const chunks: Buffer[] = [];
    for await (const chunk of incoming) chunks.push(chunk as Buffer);
    const { method = "GET", headers } = incoming;
    // MercadoPago accepts a path with or without a trailing slash.
    const path = url.pathname.replace(/(.)\/$/, "$1");
    const request = { method, path, query: url.searchParams, headers, body: Buffer.concat(chunks).toString("utf8") };
    const call = `${method} ${path}`;
    calls.push(call);
    requests.push(request);

    /** Applies a fault. @returns true if it has ended the call */
    const failed = async (on: Fault["on"]): Promise<boolean> => {
      const fault = faults.find((each) => each.on === on && each.times > 0 && each.call.test(call));
      if (!fault) return false;
      fault.times--;
      if (fault.what === "hang") {
        hanging.add(() => outgoing.destroy());
        return true;
      }
      if (fault.what === "cut") {
        outgoing.destroy();
        return true;
      }
      if (typeof fault.what === "function") {
        await fault.what();
        return false;
      }
      write(fault.what);
      return true;
    };
    const write = ({ status, body, headers = {} }: FakeAnswer) => {
      const isPage = typeof body === "string";
      outgoing.writeHead(status, {
        ...(body === undefined ? {} : { "content-type": isPage ? "text/html; charset=utf-8" : "application/json" }),
        ...headers,
      });
      outgoing.end(body === undefined || isPage ? body : JSON.stringify(body));
    };
    try {
      if (await failed("receiving")) {
        contract.check(request, null);
        return;
      }
      const answered = await answer(request);
      const violations = contract.check(request, answered);
      if (await failed("answering")) return;
      write(violations.length ? { status: 599, body: { violations } } : answered);
    } catch (error) {
      contract.violations.push(`${call}: ${error}`);
      write({ status: 500, body: { name: "INTERNAL_SERVER_ERROR", message: String(error) } });
    }
  });
  await new Promise<void>((ready) => server.listen(0, "127.0.0.1", ready));

  /** Removes all faults and cuts the hanging calls. */
  const clearFaults = () => {
    faults = [];
    for (const cut of hanging) cut();
    hanging.clear();
  };
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    contract,
    /** All calls so far, such as "POST /v1/oauth2/token". */
    calls,
    requests,
    injectFault(call: RegExp, on: Fault["on"], what: Fault["what"], times = 1) {
      faults.push({ call, on, what, times });
    },
    clearFaults,
    /** @throws Error if a request or a response violated the vendor's API description */
    async close() {
      clearFaults();
      server.closeAllConnections();
      await new Promise((done) => server.close(done));
      if (contract.violations.length)
        throw new Error(
          `Violations of the API description that openapi/deviations.ts does not list:\n${contract.violations.join("\n")}`,
        );
    },
  };
}

/** Posts a webhook event. @returns the status, or 0 without a response */
export async function postWebhook(url: string, body: string, headers: Record<string, string>): Promise<number> {
  try {
    const answer = await fetch(url, {
      method: "POST",
      headers: { "content-type": "application/json", ...headers },
      body,
      signal: AbortSignal.timeout(22_000 * TIMEOUT_FACTOR),
    });
    await answer.arrayBuffer();
    return answer.status;
  } catch {
    return 0;
  }
}

/** Returns an item of a provider's state. @throws Error if it does not exist */
export function known<Key, Value>(map: Map<Key, Value>, key: Key): Value {
  const found = map.get(key);
  if (!found) throw new Error(`The fake does not have ${key}.`);
  return found;
}

const escapes: Record<string, string> = { "&": "&amp;", "<": "&lt;", ">": "&gt;", '"': "&quot;", "'": "&#39;" };
export const html = (text: unknown) => String(text ?? "").replace(/[&<>"']/g, (sign) => escapes[sign]!);

export const fakePage = (provider: string, color: string, title: string, content: string): string => `<!doctype html>
<html lang="es"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width, initial-scale=1">
<title>${html(title)} · ${provider} (de prueba)</title>
<style>
*{box-sizing:border-box}body{margin:0;font:16px/1.5 system-ui,sans-serif;color:#1d2430;background:#f3f5f8}
header{background:${color};color:#fff;padding:1rem 1.25rem;font-weight:700;font-size:1.15rem}header small{font-weight:400;opacity:.9}
main{max-width:30rem;margin:1.5rem auto;padding:1.5rem 1.25rem;background:#fff;border-radius:12px;box-shadow:0 1px 3px #0002}
@media(max-width:32rem){main{margin:0;border-radius:0;box-shadow:none;min-height:calc(100vh - 4rem)}}
h1{font-size:1.25rem;margin:0 0 .25rem}p{margin:.25rem 0 1rem;color:#4a5568}.sum{font-size:1.9rem;font-weight:700;color:#1d2430}
form{display:grid;gap:.6rem}button,.button{font:inherit;font-weight:600;min-height:44px;padding:.55rem 1rem;border:1px solid #c3cad5;border-radius:999px;background:#fff;color:#1d2430;cursor:pointer}
button.first{background:${color};border-color:${color};color:#fff}button:focus-visible{outline:3px solid #1d2430;outline-offset:2px}
table{width:100%;border-collapse:collapse;font-size:.9rem}td,th{padding:.4rem .3rem;text-align:left;border-bottom:1px solid #e3e7ed;vertical-align:top}td form{display:inline-flex;margin:0 .3rem .3rem 0}td button{min-height:32px;padding:.2rem .7rem;font-size:.85rem}
main.wide{max-width:64rem}code{overflow-wrap:anywhere}
</style></head><body><header>${provider} <small>· imitación local, sin dinero</small></header>${content}</body></html>`;
