import crypto from "node:crypto";
import { syncBuiltinESMExports } from "node:module";

type Derivation = typeof crypto.argon2;
/** One for the process, also when test files that share it load this module anew. */
type State = { quick: boolean; count: number };
const PLACE = Symbol.for("divan.test.passwords");
type Patched = Derivation & { [PLACE]?: State };

/**
 * Hashing a password takes 30 ms of a core on purpose, and a run of all tests hashes thousands. Here the same algorithm
 * runs in one pass with little memory, whatever the parameters in the hash.
 */
function patched(derive: Derivation): State {
  const state: State = { quick: true, count: 0 };
  crypto.argon2 = Object.assign(
    ((algorithm, parameters, done) => {
      state.count++;
      return derive(algorithm, state.quick ? { ...parameters, passes: 1, memory: 8 } : parameters, done);
    }) as Derivation,
    { [PLACE]: state },
  );
  syncBuiltinESMExports();
  return state;
}
const state = (crypto.argon2 as Patched)[PLACE] ?? patched(crypto.argon2);

/** For files that measure time, compare with other programs, or depend on what happens during a comparison. */
export function hashPasswordsAsInProduction(slow = true): void {
  state.quick = !slow;
}

/** How many keys this process has derived so far. */
export const derivations = (): number => state.count;
