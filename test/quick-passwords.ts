import crypto from "node:crypto";
import { syncBuiltinESMExports } from "node:module";

/**
 * Deriving a key from a password takes 30 ms of a core on purpose, and a run of all tests signs in and registers thousands
 * of times. Here it is derived by the same algorithm in one pass over little memory, for hashes that say otherwise.
 */
const derive = crypto.argon2;
let quick = true;
let count = 0;
crypto.argon2 = ((algorithm, parameters, done) => {
  count++;
  return derive(algorithm, quick ? { ...parameters, passes: 1, memory: 8 } : parameters, done);
}) as typeof derive;
syncBuiltinESMExports();

/** For files that measure time, compare with other programs, or play with what happens while a password is compared. */
export function hashPasswordsAsInProduction(slow = true): void {
  quick = !slow;
}

/** How many keys this process has derived so far. */
export const derivations = (): number => count;
