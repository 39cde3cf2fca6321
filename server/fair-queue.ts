import { performance } from "node:perf_hooks";
import { AppError } from "#shared/errors.ts";
import { PROCESSES, shareOf } from "./processes.ts";

/**
 * Sender of a request, from the widest to the narrowest key. Senders behind one IP share its turns and take turns
 * within it.
 */
export type Sender = readonly [string, ...string[]];
type QueuedRequest = { sender: Sender; start(): void; reject(): void };

/** Round-robin queue: one request of each sender, then the next of each; the same among the parts of a sender. */
export class RoundRobin {
  /** In the order of their next turn. */
  readonly #parts = new Map<string, RoundRobin>();
  readonly #own: QueuedRequest[] = [];
  size = 0;

  add(waiting: QueuedRequest, depth = 0): void {
    this.size++;
    const key = waiting.sender[depth];
    if (key === undefined) {
      this.#own.push(waiting);
      return;
    }
    const part = this.#parts.get(key) ?? new RoundRobin();
    this.#parts.set(key, part);
    part.add(waiting, depth + 1);
  }

  next(): QueuedRequest | undefined {
    const [first] = this.#parts;
    if (!first) return this.#take(0);
    const [key, part] = first;
    this.size--;
    this.#parts.delete(key);
    const waiting = part.next();
    if (part.size) this.#parts.set(key, part);
    return waiting;
  }

  remove(waiting: QueuedRequest, depth = 0): boolean {
    const key = waiting.sender[depth];
    if (key === undefined) return this.#take(this.#own.indexOf(waiting)) !== undefined;
    const part = this.#parts.get(key);
    if (!part?.remove(waiting, depth + 1)) return false;
    this.size--;
    if (!part.size) this.#parts.delete(key);
    return true;
  }

  newestOfLargest(): QueuedRequest | undefined {
    let most: RoundRobin | undefined;
    for (const part of this.#parts.values()) if (part.size > (most?.size ?? 0)) most = part;
    return most ? most.newestOfLargest() : this.#own.at(-1);
  }

  #take(at: number): QueuedRequest | undefined {
    const [waiting] = at < 0 ? [] : this.#own.splice(at, 1);
    if (waiting) this.size--;
    return waiting;
  }
}

export type FairQueueOptions = {
  /** Largest number of requests that run at once while the thread is busy. */
  concurrency: number;
  /** Largest number of queued requests in all processes of a node, which limits the memory of the queues. */
  queueLimit: number;
  /** Interval in which one urgent request of a sender may skip the queue of a node. */
  urgentIntervalMs: number;
  retryAfterSeconds: number;
};

/**
 * Interval in which the thread's utilisation is measured while requests are queued, in milliseconds, and the
 * utilisation above which it counts as busy.
 */
const IDLE_CHECK_MS = 25;
const IDLE_UTILIZATION = 0.5;

/**
 * Creates a fair queue for the single thread: senders take turns, and a few requests run at once.
 *
 * Running work may wait for a database or a payment provider. While the thread is idle, the queue starts more work.
 * @returns functions that run work in its turn
 * @throws AppError server_busy if the client disconnected, or for the newest request of the sender with the most if the queue
 * is full
 */
export function fairQueue({ concurrency, queueLimit, urgentIntervalMs, retryAfterSeconds }: FairQueueOptions) {
  const turns = new RoundRobin();
  /** Senders with urgent work within the last interval. */
  const hadUrgent = new Set<string>();
  let running = 0;
  let idleTimer: NodeJS.Timeout | undefined;
  let seen = performance.eventLoopUtilization();

  const startNext = () => {
    const next = turns.next();
    if (!next) return;
    running++;
    // After pending I/O: a page that never awaits renders in one go, and 50 of them in a row would delay every database
    // response.
    setImmediate(next.start);
  };
  const startNextIfIdle = () => {
    if (!turns.size) {
      clearInterval(idleTimer);
      idleTimer = undefined;
      return;
    }
    const now = performance.eventLoopUtilization();
    if (performance.eventLoopUtilization(now, seen).utilization < IDLE_UTILIZATION) startNext();
    seen = now;
  };

  const waitForTurn = (sender: Sender, signal: AbortSignal | null) =>
    new Promise<void>((go, fail) => {
      const leave = () => {
        if (turns.remove(waiting)) waiting.reject();
      };
      const settled = (settle: () => void) => () => {
        signal?.removeEventListener("abort", leave);
        settle();
      };
      const busy = () => fail(new AppError("server_busy", { details: { retry_after_seconds: retryAfterSeconds } }));
      const waiting: QueuedRequest = { sender, start: settled(go), reject: settled(busy) };
      turns.add(waiting);
      if (signal?.aborted) leave();
      else signal?.addEventListener("abort", leave, { once: true });
      if (turns.size > shareOf(queueLimit)) {
        const last = turns.newestOfLargest()!;
        turns.remove(last);
        last.reject();
      }
      if (running < concurrency) startNext();
      if (idleTimer || !turns.size) return;
      seen = performance.eventLoopUtilization();
      idleTimer = setInterval(startNextIfIdle, IDLE_CHECK_MS).unref();
    });

  async function run<Result>(sender: Sender, signal: AbortSignal | null, work: () => Promise<Result>) {
    await waitForTurn(sender, signal);
    try {
      return await work();
    } finally {
      running--;
      if (running < concurrency) startNext();
    }
  }

  /** Runs work at once, before the queue. A sender's second urgent request within the interval waits in the queue. */
  async function runUrgent<Result>(sender: Sender, signal: AbortSignal | null, work: () => Promise<Result>) {
    const [who] = sender;
    if (hadUrgent.has(who)) return run(sender, signal, work);
    hadUrgent.add(who);
    setTimeout(() => hadUrgent.delete(who), urgentIntervalMs * PROCESSES).unref();
    await new Promise((go) => setImmediate(go));
    return work();
  }

  return { run, runUrgent };
}
