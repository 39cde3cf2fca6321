import { performance } from "node:perf_hooks";
import { AppError } from "#shared/errors.ts";

/** Who asks, from the widest to the narrowest: those of one address share its turns, and take turns within it. */
export type Sender = readonly [string, ...string[]];
type Waiting = { sender: Sender; go(): void; giveWay(): void };

/** Those who wait, round robin: one of each sender and then one of each again, inside a sender likewise among its parts. */
export class Turns {
  /** In the order of their next turn. */
  readonly #parts = new Map<string, Turns>();
  readonly #own: Waiting[] = [];
  size = 0;

  add(waiting: Waiting, depth = 0): void {
    this.size++;
    const key = waiting.sender[depth];
    if (key === undefined) {
      this.#own.push(waiting);
      return;
    }
    const part = this.#parts.get(key) ?? new Turns();
    this.#parts.set(key, part);
    part.add(waiting, depth + 1);
  }

  /** Takes out the one whose turn it is. */
  next(): Waiting | undefined {
    const [first] = this.#parts;
    if (!first) return this.#take(0);
    const [key, part] = first;
    this.size--;
    this.#parts.delete(key);
    const waiting = part.next();
    if (part.size) this.#parts.set(key, part);
    return waiting;
  }

  /** Takes out one who waits no longer. */
  remove(waiting: Waiting, depth = 0): boolean {
    const key = waiting.sender[depth];
    if (key === undefined) return this.#take(this.#own.indexOf(waiting)) !== undefined;
    const part = this.#parts.get(key);
    if (!part?.remove(waiting, depth + 1)) return false;
    this.size--;
    if (!part.size) this.#parts.delete(key);
    return true;
  }

  /** The one who came last of the sender who has most waiting. */
  leastEntitled(): Waiting | undefined {
    let most: Turns | undefined;
    for (const part of this.#parts.values()) if (part.size > (most?.size ?? 0)) most = part;
    return most ? most.leastEntitled() : this.#own.at(-1);
  }

  #take(at: number): Waiting | undefined {
    const [waiting] = at < 0 ? [] : this.#own.splice(at, 1);
    if (waiting) this.size--;
    return waiting;
  }
}

export type Shares = {
  /** How much is under way at once while the thread is busy. */
  atOnce: number;
  /** How many may wait in all, which bounds what waiting costs in memory. */
  mayWait: number;
  /** How often a sender's urgent work passes by those who wait. */
  urgentEveryMs: number;
  retryAfterSeconds: number;
};

/** How often the thread is looked at while some wait, and what part of that time it works when it has enough to do. */
const LOOK_MS = 25;
const ENOUGH = 0.5;

/**
 * Shares a thread among those who ask: their work is taken in turn, a few at once, however much one of them asks for.
 * What is under way may wait for something else (a database, a payment service): while the thread is idle more is let in.
 * @returns functions that run work in its turn. @throws AppError busy for one whose client hung up, and, when more wait than may,
 * for the last of whoever has most waiting
 */
export function fairShares({ atOnce, mayWait, urgentEveryMs, retryAfterSeconds }: Shares) {
  const turns = new Turns();
  /** Who had something urgent a moment ago. */
  const hadUrgent = new Set<string>();
  let running = 0;
  let looking: NodeJS.Timeout | undefined;
  let seen = performance.eventLoopUtilization();

  const letIn = () => {
    const next = turns.next();
    if (!next) return;
    running++;
    // Only after the thread has looked at what arrived: pages that wait for nothing are rendered in one go, and fifty of them
    // in a row would keep every answer of the database unread.
    setImmediate(next.go);
  };
  const look = () => {
    if (!turns.size) {
      clearInterval(looking);
      looking = undefined;
      return;
    }
    const now = performance.eventLoopUtilization();
    if (performance.eventLoopUtilization(now, seen).utilization < ENOUGH) letIn();
    seen = now;
  };

  const turnOf = (sender: Sender, signal: AbortSignal | null) =>
    new Promise<void>((go, fail) => {
      const leave = () => {
        if (turns.remove(waiting)) waiting.giveWay();
      };
      const settled = (settle: () => void) => () => {
        signal?.removeEventListener("abort", leave);
        settle();
      };
      const busy = () => fail(new AppError("busy", { facts: { retry_after_seconds: retryAfterSeconds } }));
      const waiting: Waiting = { sender, go: settled(go), giveWay: settled(busy) };
      turns.add(waiting);
      if (signal?.aborted) leave();
      else signal?.addEventListener("abort", leave, { once: true });
      if (turns.size > mayWait) {
        const last = turns.leastEntitled()!;
        turns.remove(last);
        last.giveWay();
      }
      if (running < atOnce) letIn();
      if (looking || !turns.size) return;
      seen = performance.eventLoopUtilization();
      looking = setInterval(look, LOOK_MS).unref();
    });

  /** Runs work when it is the sender's turn. */
  async function inTurn<Result>(sender: Sender, signal: AbortSignal | null, work: () => Promise<Result>) {
    await turnOf(sender, signal);
    try {
      return await work();
    } finally {
      running--;
      if (running < atOnce) letIn();
    }
  }

  /** Runs work at once, whoever else waits; what one sender has too much of in a moment takes turns like everything else. */
  async function urgently<Result>(sender: Sender, signal: AbortSignal | null, work: () => Promise<Result>) {
    const [who] = sender;
    if (hadUrgent.has(who)) return inTurn(sender, signal, work);
    hadUrgent.add(who);
    setTimeout(() => hadUrgent.delete(who), urgentEveryMs).unref();
    await new Promise((go) => setImmediate(go));
    return work();
  }

  return { inTurn, urgently };
}
