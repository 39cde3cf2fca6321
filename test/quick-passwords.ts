import crypto from "node:crypto";
import { syncBuiltinESMExports } from "node:module";

/**
 * Hashing a password takes 30 ms of a core on purpose, and a run of all tests hashes thousands. Here the same algorithm
 * runs in one pass with little memory, whatever the parameters in the hash.
 */
const derive = crypto.argon2;
let quick = true;
let count = 0;
crypto.argon2 = ((algorithm, parameters, done) => {
  count++;
  return derive(algorithm, quick ? { ...parameters, passes: 1, memory: 8 } : parameters, done);
}) as typeof derive;
syncBuiltinESMExports();

/** For files that measure time, compare with other programs, or depend on what happens during a comparison. */
export function hashPasswordsAsInProduction(slow = true): void {
  quick = !slow;
}

/** How many keys this process has derived so far. */
export const derivations = (): number => count;
