import { withoutAccents } from "#shared/accents.ts";
import { LIMITS } from "#shared/limits.ts";

/** Words of a person in danger or of a relative, in lower case without accents. */
const DANGER = [
  /\bsuicid/,
  /\b(matar|morir|ahorcar|cortar|golpear|lastimar|desaparecer)me\b/,
  /\bquiero (morir|desaparecer)/,
  /\bno (quiero|puedo|vale la pena) (seguir )?(vivir|viviendo|despertar)/,
  /\b(quitarme|acabar con|terminar con) (la|mi) vida\b/,
  /\bhac(er|erme|go) dano\b|\bme (corto|lastimo)\b|\bautolesi/,
  /\bme (pega|golpea|viol|amenaza|maltrata)/,
  /\b(abus[oa]|violacion|violencia|maltrato)\b/,
  /\bsobredosis\b/,
];

/** True if a search may come from a person in danger. It only adds the help lines, so it is generous. */
export const mentionsDanger = (text: string) => {
  const bare = withoutAccents(text.slice(0, LIMITS.search.characters));
  return DANGER.some((pattern) => pattern.test(bare));
};
