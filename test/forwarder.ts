/** A TCP forwarder in front of a database. It can stop forwarding, like a network that loses every packet. */
import { connect, createServer, type Socket } from "node:net";

export type Forwarder = Awaited<ReturnType<typeof startForwarder>>;

export async function startForwarder(databaseUrl: string) {
  const target = new URL(databaseUrl);
  const pairs = new Set<[Socket, Socket]>();
  let silent = false;
  const passOnEnd = (pair: [Socket, Socket]) => {
    if (silent || !pair.some((one) => one.destroyed)) return;
    for (const one of pair) one.end();
    if (pair.every((one) => one.destroyed)) pairs.delete(pair);
  };
  const server = createServer((client) => {
    const database = connect(Number(target.port), target.hostname);
    const pair: [Socket, Socket] = [client, database];
    pairs.add(pair);
    for (const [from, to] of [pair, pair.toReversed()] as [Socket, Socket][]) {
      from.on("error", () => {});
      from.on("data", (chunk) => to.write(chunk));
      from.on("close", () => passOnEnd(pair));
      if (silent) from.pause();
    }
  });
  await new Promise<void>((listening) => server.listen(0, "127.0.0.1", listening));
  const url = new URL(databaseUrl);
  url.hostname = "127.0.0.1";
  url.port = String((server.address() as { port: number }).port);
  return {
    url: url.href,
    /** Stops forwarding data and ends of connections. Still accepts new connections, which are silent too. */
    fallSilent() {
      silent = true;
      for (const one of [...pairs].flat()) one.pause();
    },
    /**
     * Resumes forwarding, held data included. Every second older connection remains silent, as after a lost NAT table.
     */
    speak() {
      silent = false;
      for (const [number, pair] of [...pairs].entries()) {
        for (const one of pair) {
          if (number % 2 === 0) one.removeAllListeners("data");
          one.resume();
        }
        passOnEnd(pair);
      }
    },
    async close() {
      const closed = new Promise((done) => server.close(done));
      for (const one of [...pairs].flat()) one.destroy();
      await closed;
    },
  };
}
