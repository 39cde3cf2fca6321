/** Sends requests to a server and measures the responses. */
import { once } from "node:events";
import { type IncomingMessage, request } from "node:http";
import autocannon, { type Request } from "autocannon";

export type Call = { method?: Request["method"]; path: string; headers?: Record<string, string>; body?: string };
/** The call that every connection repeats, or a function that returns its next one. */
export type Load = { connections?: number; calls: Call | (() => Call) };

/** Servers close a connection after 1,000 requests; the generator reconnects before. */
const REQUESTS_PER_CONNECTION = 990;

const BROWSER = { "accept-encoding": "gzip, deflate, br" };

/** Header with another IP per connection, as behind a proxy, so that each is another visitor. */
export const visitorAddress = (connection: number) => ({ "x-forwarded-for": `10.1.0.${connection + 1}` });

/** Puts a load on a server. The returned latencies are in milliseconds. */
export async function runLoad(url: string, { connections = 32, calls }: Load, seconds: number) {
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
      if (typeof calls !== "function") client.setRequests([complete(calls)]);
      else client.setRequests([{ setupRequest: (defaults) => ({ ...defaults, ...complete(calls()) }) }]);
    },
  });
  return { rate: (latencies.length - non2xx) / duration, latencies, failures: non2xx + errors };
}

/** Sends one request. Does not decode the body of the response. */
export async function send(url: string, { method, path, headers, body }: Call) {
  const begin = performance.now();
  const sent = request(new URL(path, url), { method, headers: { ...BROWSER, ...headers } }).end(body);
  const [response] = (await once(sent, "response")) as [IncomingMessage];
  const bytes = Buffer.concat(await Array.fromAsync<Buffer>(response));
  return {
    status: response.statusCode,
    headers: response.headers,
    body: bytes,
    milliseconds: performance.now() - begin,
  };
}

/** @param part 0.99 for the 99th percentile */
export const percentile = (values: number[], part: number): number =>
  values.toSorted((a, b) => a - b)[Math.floor((values.length - 1) * part)] ?? Number.NaN;

export function median(values: number[]): number {
  const sorted = values.toSorted((a, b) => a - b);
  const middle = (sorted.length - 1) / 2;
  return (sorted[Math.floor(middle)]! + sorted[Math.ceil(middle)]!) / 2;
}
