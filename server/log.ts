import { writeSync } from "node:fs";
import { type Logger, pino } from "pino";
import type { Config } from "./config.ts";

/** Number and length of the pauses in which a log line waits for a slow reader of standard output. */
const OUTPUT_RETRY = { tries: 10, milliseconds: 10 } as const;

/**
 * Destination of log lines. Drops a line that cannot be written.
 *
 * pino's own stream ends the process if the disk of standard output is full, and retries for ever when the process
 * exits.
 */
const standardOutput = {
  write(line: string): void {
    let rest = Buffer.from(line);
    for (let tries = 0; rest.length && tries < OUTPUT_RETRY.tries; )
      try {
        rest = rest.subarray(writeSync(1, rest));
      } catch (error) {
        if ((error as NodeJS.ErrnoException).code !== "EAGAIN") return;
        tries++;
        Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, OUTPUT_RETRY.milliseconds);
      }
  },
};

// Log calls name their fields; no object is logged completely (specification, security).
export const openLog = ({ logLevel }: Pick<Config, "logLevel">): Logger =>
  pino({ level: logLevel, base: null }, standardOutput);
