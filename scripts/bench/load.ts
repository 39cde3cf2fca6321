/** Sends requests to a server and measures the responses. */
import { Agent, request } from "node:http";
import autocannon, { type Request } from "autocannon";

export type Call = { method?: Request["method"]; path: string; headers?: Record<string, string>; body?: string };
export type Sample = { rate: number; latencies: number[]; failures: number };
export type Load = {
  connections: number;
  /** Requests of one connection: a repeated list, or a function that returns the next one. */
  calls: Call[] | (() => Call);
};

/** Servers close a connection after 1,000 requests; the generator reconnects before. */
const REQUESTS_PER_CONNECTION = 990;

const BROWSER = { "accept-encoding": "gzip, deflate, br" };

/** Header with another IP per connection, as behind a proxy, so that each is another visitor. */
export const visitorAddress = (connection: number) => ({ "x-forwarded-for": `10.1.0.${connection + 1}` });

export async function runLoad(url: string, { connections, calls }: Load, seconds: number): Promise<Sample> {
  let connection = 0;
  const latencies: number[] = [];
  const { duration, non2xx, errors } = await autocannon({
    url,
    connections,
    duration: seconds,
    sampleInt: 100,
    reconnectRate: REQUESTS_PER_CONNECTION,
    setupClient(client) {
      // The generator's own histogram counts whole milliseconds.
      client.on("response", (_status, _bytes, milliseconds) => latencies.push(milliseconds));
      const address = visitorAddress(connection++);
      const complete = (call: Call): Request => ({ ...call, headers: { ...BROWSER, ...address, ...call.headers } });
      if (typeof calls !== "function") client.setRequests(calls.map(complete));
      else client.setRequests([{ setupRequest: (defaults) => ({ ...defaults, ...complete(calls()) }) }]);
    },
  });
  return { rate: (latencies.length - non2xx) / duration, latencies, failures: non2xx + errors };
}

export type Answer = { status: number; headers: [string, string][]; body: Buffer; milliseconds: number };

const agent = new Agent({ keepAlive: true, maxSockets: 64 });

/** Sends one request. Does not decode the body of the response. */
export function send(url: string, { method = "GET", path, headers, body }: Call): Promise<Answer> {
  const begin = performance.now();
  return new Promise((done, fail) => {
    const sent = request(new URL(path, url), { method, agent, headers: { ...BROWSER, ...headers } }, (response) => {
      const chunks: Buffer[] = [];
      response.on("data", (chunk: Buffer) => chunks.push(chunk));
      response.on("error", fail);
      response.on("end", () => {
        const raw = response.rawHeaders;
        const pairs = raw.flatMap((name, at): [string, string][] => (at % 2 ? [] : [[name, raw[at + 1]!]]));
        const milliseconds = performance.now() - begin;
        done({ status: response.statusCode!, headers: pairs, body: Buffer.concat(chunks), milliseconds });
      });
    });
    sent.on("error", fail);
    sent.end(body);
  });
}

/** @param part 0.5 for the median, 0.99 for the 99th percentile */
export function percentile(values: number[], part: number): number {
  const sorted = values.toSorted((a, b) => a - b);
  return sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * part))] ?? Number.NaN;
}
