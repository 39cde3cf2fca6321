import { createRequire } from "node:module";
import { LIMITS } from "#shared/limits.ts";

/** Spanish words that lists of English leaks do not contain. Users add digits to them. */
const SPANISH: ReadonlySet<string> = new Set(
  `contrasena micontrasena tequieromucho teamomucho teamoteamo teamoporsiempre felicidades felicidad barcelona
  bocajuniors riverplate realmadrid chivas clubamerica atleticomadrid colocolo alianzalima estrellita princesita
  corazoncito miamorcito mariposita amormioamor diosesamor diosesfiel jesusesamor jesuscristo virgendeguadalupe
  guadalupe argentina mexico mexicolindo colombia venezuela chile peru espana uruguay paraguay ecuador panama familia
  mifamilia hola holahola holamundo adminadmin administrador psicologia psicologo`.split(/\s+/),
);

const leaked = createRequire(import.meta.url)("@zxcvbn-ts/language-common/src/passwords.json") as string[];
const LEAKED: ReadonlySet<string> = new Set(leaked.filter((password) => [...password].length >= LIMITS.password.min));

/** True for one of the most common passwords. Expects lower case without accents. */
export const isCommonPassword = (password: string): boolean =>
  LEAKED.has(password) || SPANISH.has(password.replace(/\d+$/, ""));
