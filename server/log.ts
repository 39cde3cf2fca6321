import { writeSync } from "node:fs";
import { type Logger, pino } from "pino";
import type { Config } from "./config.ts";

/** How long a slow reader of standard output may block a log line. */
const OUTPUT_RETRY = { tries: 10, milliseconds: 10 } as const;

/**
 * The destination of log lines. What cannot be written is dropped: pino's own stream ends the process when the disk behind
 * standard output is full, and retries for ever when the process exits.
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

// Log calls name their fields; no object is logged whole (specification, security).
export const openLog = ({ logLevel }: Pick<Config, "logLevel">): Logger =>
  pino({ level: logLevel, base: null }, standardOutput);
