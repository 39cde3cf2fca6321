export type Tint = 1 | 2 | 3 | 4 | 5 | 6 | 7 | 8;

/** Returns the card colour of an id: the sum of its characters, modulo 8 (specification, section 2). */
export const tintOf = (id: string): Tint =>
  (([...id].reduce((sum, character) => sum + character.charCodeAt(0), 0) % 8) + 1) as Tint;
