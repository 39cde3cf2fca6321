/** Seeded random generator: every run and every compared commit get the same community. */
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

/** Returns a count that is most often 0 or 1 and rarely large. */
export const heavyTail = (mean: number, most: number, random: Random): number =>
  Math.min(most, Math.floor(mean * 0.45 * (1 - random()) ** -0.6));

/** Returns a length with the given median and the long tail of written texts. */
export const textLength = (median: number, random: Random): number =>
  median * Math.exp(0.65 * Math.sqrt(-2 * Math.log(1 - random())) * Math.cos(2 * Math.PI * random()));

export function uuid(random: Random): string {
  const hex = Array.from({ length: 4 }, () =>
    Math.floor(random() * 2 ** 32)
      .toString(16)
      .padStart(8, "0"),
  ).join("");
  return `${hex.slice(0, 8)}-${hex.slice(8, 12)}-4${hex.slice(13, 16)}-a${hex.slice(17, 20)}-${hex.slice(20)}`;
}
