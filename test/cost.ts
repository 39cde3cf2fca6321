/** Garbage collection and compilation now and then fall into a measurement. */
const TRIES = 4;

/**
 * What some work costs in milliseconds of processor time, at best: other work on the machine does not count. Measured
 * again only where it seems to cost more than it may.
 */
export function costOf(work: () => unknown, mayCost: number): number {
  let best = Number.POSITIVE_INFINITY;
  for (let tries = 0; tries < TRIES && best >= mayCost; tries++) {
    const start = process.cpuUsage();
    work();
    best = Math.min(best, process.cpuUsage(start).user / 1000);
  }
  return best;
}
