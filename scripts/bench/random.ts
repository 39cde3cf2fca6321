/** Seeded random generator: every run sends the same requests. */
export type Random = () => number;

/** Mulberry32: numbers in [0, 1). */
export function sequence(seed: number): Random {
  let state = seed;
  return () => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
}

export const pick = <Item>(items: readonly Item[], random: Random): Item => items[Math.floor(random() * items.length)]!;

/** Returns a rank in [0, count) with a probability that falls as 1 / (rank + 1). */
export const zipfRank = (count: number, random: Random): number => Math.floor(count ** random()) - 1;
