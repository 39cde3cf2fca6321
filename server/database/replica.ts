/** Public reads from a replica, or from the primary while the replica is down or late. */
import { setTimeout as pause } from "node:timers/promises";
import type { PostgresPool } from "kysely";
import type pg from "pg";
import { isTransient } from "./faults.ts";

/** Interval of checks of the replica, and timeout of one check, in milliseconds. */
const CHECK_MS = 1_000;
/** Largest delay of the replica at a check, in milliseconds. It may grow to 10 s until the end of the next check. */
const LATEST_MS = 8_000;
/** Time after a write for which its browser reads from the primary, in seconds: the largest delay of the replica. */
export const WRITER_SECONDS = 10;

const TIMED_OUT = "57014";

/** Called when the server starts or stops using the replica. */
export type ReportReplica = (event: "replica_used" | "replica_not_used", reason?: string) => void;

/**
 * Checks a replica every second and reads from it while it is usable.
 *
 * Measures its delay by positions in the primary's log. The replica's own clock cannot distinguish a quiet primary from
 * a lost one.
 * @returns a pool for single statements, which runs a statement on the primary if the replica fails it
 */
export function openReplica(replica: pg.Pool, primary: pg.Pool, report: ReportReplica): PostgresPool {
  /** Positions of the primary within the last `LATEST_MS`. */
  const positions: { at: number; position: string }[] = [];
  let usable: boolean | undefined;
  let timer: NodeJS.Timeout | undefined;
  let closed = false;

  function use(now: boolean, reason?: string): void {
    if (now !== usable && !closed) report(now ? "replica_used" : "replica_not_used", reason);
    usable = now;
  }

  async function check(): Promise<string | null> {
    const at = performance.now();
    const { rows } = await primary.query("select pg_current_wal_lsn()::text as position");
    positions.push({ at, position: rows[0].position });
    while (positions[0]!.at < at - LATEST_MS) positions.shift();
    const found = await replica.query(
      `select current_user = 'divan_public' as safe, pg_is_in_recovery() and pg_last_wal_replay_lsn() >= $1::pg_lsn as recent`,
      [positions[0]!.position],
    );
    const { safe, recent } = found.rows[0];
    if (!safe) return "DATABASE_REPLICA_URL ignores settings of connections, as a pooler does.";
    return recent ? null : "late";
  }

  async function checkAgain(): Promise<void> {
    const failure = await Promise.race([
      check().catch((error: Error) => error.message || "unreachable"),
      pause(CHECK_MS, "no response", { ref: false }),
    ]);
    use(failure === null, failure ?? undefined);
    if (!closed) timer = setTimeout(checkAgain, CHECK_MS).unref();
  }
  void checkAgain();

  const read = async (text: string, values: unknown[]) => {
    if (usable)
      try {
        return await replica.query(text, values);
      } catch (error) {
        if (!isTransient(error) || (error as { code?: string }).code === TIMED_OUT) throw error;
        use(false, (error as Error).message);
      }
    return primary.query(text, values);
  };
  return {
    options: {},
    connect: async () => ({ query: read, release() {} }) as unknown as Awaited<ReturnType<PostgresPool["connect"]>>,
    async end() {
      closed = true;
      clearTimeout(timer);
      await replica.end();
    },
  };
}
