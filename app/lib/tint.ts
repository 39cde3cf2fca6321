/** The number of one of the eight card colours. */
export type Tint = 1 | 2 | 3 | 4 | 5 | 6 | 7 | 8;

/** One of the eight card colours: the sum of the id's characters (specification, section 2). */
export const tintOf = (id: string): Tint =>
  (([...id].reduce((sum, character) => sum + character.charCodeAt(0), 0) % 8) + 1) as Tint;
