/** Timeout of an expectation, in milliseconds. A busy machine may use most of it. */
export const WAIT_TIMEOUT_MS = 30_000;

/**
 * Polls `look` until it finds something.
 * @param look returns undefined while there is nothing to find
 * @throws Error that names what is missing after `patienceMs`
 */
export async function waitUntilFound<Found>(
  look: () => Found | undefined | Promise<Found | undefined>,
  what: string,
  patienceMs = WAIT_TIMEOUT_MS,
): Promise<Found> {
  const deadline = performance.now() + patienceMs;
  do {
    const found = await look();
    if (found !== undefined) return found;
    await new Promise((go) => setTimeout(go, 20));
  } while (performance.now() < deadline);
  throw new Error(`Timed out after ${patienceMs / 1000} s waiting for: ${what}`);
}
