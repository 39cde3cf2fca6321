/** Types of the load generator's parts that the benchmark uses; the package has none. */
declare module "autocannon" {
  import type { EventEmitter } from "node:events";

  export type Request = {
    method?: string;
    path?: string;
    headers?: Record<string, string>;
    body?: string;
    setupRequest?(request: Request): Request;
  };
  export type Result = { duration: number; non2xx: number; errors: number };
  type Options = {
    url: string;
    connections: number;
    duration: number;
    sampleInt: number;
    reconnectRate: number;
    setupClient(client: { setRequests(requests: Request[]): void }): void;
  };
  export default function autocannon(options: Options): EventEmitter & Promise<Result>;
}
