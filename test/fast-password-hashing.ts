import crypto from "node:crypto";
import { syncBuiltinESMExports } from "node:module";

type Derivation = typeof crypto.argon2;
/** State of the process, shared even if test files load this module again. */
type State = { quick: boolean; count: number };
const PLACE = Symbol.for("divan.test.passwords");
type Patched = Derivation & { [PLACE]?: State };

/**
 * Makes the password hash cheap, because a run of all tests hashes thousands. The real one takes 30 ms of a core.
 *
 * Uses the same algorithm with one pass and little memory, and ignores the parameters in the hash.
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

/**
 * Restores the real hash. For test files that measure time, compare with other programs, or act during a comparison.
 */
export function hashPasswordsAsInProduction(slow = true): void {
  state.quick = !slow;
}

export const derivations = (): number => state.count;
