/** How long something is waited for. A machine that is busy with other things may take most of it; what never comes fails after it. */
export const PATIENCE_MS = 180_000;

/**
 * Looks again and again until something is there.
 *
 * @param look gives what is waited for, or undefined as long as it is not there
 * @throws Error that says what was waited for, after three minutes
 */
export async function eventually<Found>(
  look: () => Found | undefined | Promise<Found | undefined>,
  what: string,
): Promise<Found> {
  const deadline = performance.now() + PATIENCE_MS;
  do {
    const found = await look();
    if (found !== undefined) return found;
    await new Promise((go) => setTimeout(go, 20));
  } while (performance.now() < deadline);
  throw new Error(`Not seen: ${what}`);
}
