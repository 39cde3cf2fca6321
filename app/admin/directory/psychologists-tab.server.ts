import type { TabRequest } from "#app/admin/tab-request.server.ts";
import { COUNTRIES } from "#shared/countries.ts";

/** Maps the Spanish query parameters to values of the API. */
const STATES = { verificados: "verified", pendientes: "pending", "por-comprobar": "due" } as const;
const GOLD = { si: "yes", no: "no" } as const;

/** Allowed values of the filters in the URL. */
export const PSYCHOLOGIST_FILTERS = { pais: COUNTRIES, estado: Object.keys(STATES), gold: Object.keys(GOLD) };

const meaning = <Words extends object>(words: Words, word: string | undefined): Words[keyof Words] | undefined =>
  word !== undefined && Object.hasOwn(words, word) ? words[word as keyof Words] : undefined;

export async function loadPsychologists({ api: { admin }, given, orNull }: TabRequest) {
  const asked = {
    state: meaning(STATES, given("estado")),
    country: COUNTRIES.find((name) => name === given("pais")),
    gold: meaning(GOLD, given("gold")),
    cursor: given("cursor"),
  };
  const [list, undoable] = await Promise.all([orNull(admin.psychologists(asked)), orNull(admin.undoable({}))]);
  return { list, undoable };
}
