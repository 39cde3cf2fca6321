import { withoutAccents } from "./accents.ts";
import { eachKey, skeleton } from "./confusables.ts";
import { PRODUCT_NAME } from "./product.ts";
import type { UserType } from "./user-types.ts";

/**
 * Invisible characters that change the visible text: in an emoji or a flag, a variant of a letter, joining in Arabic
 * and Indian scripts.
 */
export const JOINED =
  /(?<=\p{Extended_Pictographic}[\ufe0f\p{Emoji_Modifier}]?)\u200d(?=\p{Extended_Pictographic})|(?<=\p{Emoji})[\ufe0e\ufe0f]|\u{1f3f4}[\u{e0020}-\u{e007e}]{1,8}\u{e007f}|(?<=\p{Script=Han})[\u{e0100}-\u{e01ef}]|(?<=[\p{scx=Arabic}\p{scx=Devanagari}\p{scx=Bengali}\p{scx=Kannada}\p{scx=Malayalam}\p{scx=Sinhala}\p{scx=Tamil}\p{scx=Telugu}])[\u200c\u200d](?=\p{L})/gu;

const WORDS = {
  invisible: "El nombre tiene caracteres que no podemos mostrar. Bórralo y escríbelo de nuevo.",
  address:
    "El nombre no puede llevar la dirección de un sitio ni un correo. Si es una abreviatura, deja un espacio después del punto.",
  badge: "El nombre no puede llevar marcas de verificación: quítalas.",
  reserved: "Ese nombre podría confundir a otras personas. Elige otro; puede ser un apodo o tus iniciales.",
  scripts: "Escribe el nombre con letras de un solo alfabeto.",
  profession:
    "El nombre no puede decir que eres psicólogo, psicóloga u otro profesional de la salud. Escribe solo cómo te llamas.",
  medicine:
    "Aquí se verifica la matrícula de psicología. Quita la otra profesión del nombre; puedes contarla en tu biografía.",
};

/** Control characters, direction marks and other invisible ones, and more combining marks than any language uses. */
const UNSHOWABLE = /[\p{Cc}\p{Cf}\p{Co}\p{Cn}\p{DI}]|\p{M}{4,}/u;
const CHECK_MARKS = /[✓✔☑✅🗸🗹⍻√🮱]/u;

/** UTS 39, "highly restrictive": one script, or the scripts of Chinese, Japanese and Korean with Latin. */
const SCRIPTS = [
  ["Latin", "Han", "Hiragana", "Katakana"],
  ["Latin", "Han", "Bopomofo"],
  ["Latin", "Han", "Hangul"],
  // The other scripts in everyday use (UAX 31, table 5).
  ..."Arabic Armenian Bengali Cyrillic Devanagari Ethiopic Georgian Greek Gujarati Gurmukhi Hebrew Kannada Khmer Lao Malayalam Myanmar Oriya Sinhala Tamil Telugu Thaana Thai Tibetan"
    .split(" ")
    .map((script) => [script]),
].map(
  (scripts) =>
    new RegExp(`^[\\p{scx=Common}\\p{scx=Inherited}${scripts.map((one) => `\\p{scx=${one}}`).join("")}]*$`, "u"),
);

/** Top-level domains: common ones, that of linktr.ee, and those of the product's countries. Names rarely contain them. */
const SITES =
  "com net org info me co io app link lat tv ly gg ee shop online site store web club xyz ar mx es cl pe ve py uy ec pa";
const SITE = new RegExp(
  `[\\p{L}\\p{M}\\p{N}-]\\.(?:xn--|(?:${SITES.replaceAll(" ", "|")})(?![\\p{L}\\p{M}\\p{N}-]))`,
  "iu",
);

/** True for "divan.com", "wa.me/34", "www.". */
function hasAddress(name: string): boolean {
  const plain = name.normalize("NFKC").replace(/[。．｡․]/gu, ".");
  return /:\/\/|https?:|(?<![\p{L}\p{N}])www\d*\.|(?<!\d)\d{1,3}(\.\d{1,3}){3}(?!\d)/iu.test(plain) || SITE.test(plain);
}

/** Signs that replace a letter. */
const SIGNS = eachKey({ a: "@4∀", b: "8", e: "3€∃", g: "69", i: "1!|¡∣", l: "£", o: "0", s: "5$", t: "7", y: "¥" });
/** Characters between words, without characters that can replace a letter. */
const BETWEEN = /[^\p{L}\p{N}@$!|¡∣€∃∀£¥]+/u;
/**
 * Returns only the letters, without apostrophes and modifiers. Merges letters that look equal in many typefaces: i and
 * l, rn and m.
 */
const letters = (value: string) =>
  value
    .replace(/\P{L}|[\p{Lm}Ꞌꞌ]/gu, "")
    .replaceAll("l", "i")
    .replaceAll("rn", "m");

/** Words that no name may contain: as words of a name, joined, or anywhere in it (`parts`). */
type Forbidden = { parts: RegExp; words: RegExp };
function forbidden(words: string, parts: string, between = ""): Forbidden {
  const either = (given: string) =>
    given
      .split(" ")
      .filter(Boolean)
      .map((word) => letters(skeleton(word)))
      .join("|");
  const any = `(?:${either(`${words} ${between}`)})`;
  return { parts: new RegExp(either(parts), "u"), words: new RegExp(`^${any}*(?:${either(words)})${any}*$`, "u") };
}

/** True if a name contains one of these words in any disguise. */
function says(name: string, { parts, words }: Forbidden): boolean {
  const split = skeleton(name).split(BETWEEN);
  // In "DivánUruguay" a capital begins a word.
  const humps = skeleton(name.normalize("NFKC").replace(/(?<=\p{Ll}\p{M}*)(?=\p{Lu})/gu, " ")).split(BETWEEN);
  // "A n ó n i m o" is one word.
  const joined = split
    .join(" ")
    .replace(/(?<=(?:^| )\S) (?=\S(?: |$))/gu, "")
    .split(" ");
  const candidates = [...split, ...humps, ...joined, split.join("")].flatMap((word) => [
    letters(word),
    letters([...word].map((sign) => SIGNS.get(sign) ?? sign).join("")),
  ]);
  return candidates.some((word) => words.test(word) || parts.test(word));
}

const RESERVED = forbidden(
  `${PRODUCT_NAME} equipo administración administrador administradora admin admins soporte support staff moderación moderador moderadora moderadores moderadoras verificado verificada verified anónimo anónima anonymous`,
  "anónim anonym verificad administración administrador",
  "el la los las de del y tu mi oficial official ayuda centro",
);
/** "Anónimo" in scripts in which it does not look like the Latin word. */
const ANONYMOUS_ELSEWHERE = new RegExp(
  withoutAccents(
    "аноним|анонім|безымян|ανωνυμ|匿名|佚名|無名氏|无名氏|名無し|名なし|アノニマス|익명|אנונימי|אלמוני|مجهول|غير معروف|անանուն|ანონიმ|นิรนาม",
  ),
  "u",
);

const HEALTH = forbidden(
  "doctor doctora médico médica psic psicol psiq psi ps terapista sicólogo sicóloga sicólogos sicólogas sicología siquiatra siquiatras sicoterapeuta sicoanalista",
  "psicólog psycolog psycholog psiquiatr psychiatr psicoterap psychotherap psicoanal neuropsic terapeuta therapist",
);
/** Professions that a licence of psychology does not include. */
const MEDICINE = forbidden("médico médica psiq siquiatra siquiatras", "psiquiatr psychiatr");

/** @returns the Spanish error of a name, or null (specification, section 5) */
export function nameError(name: string): string | null {
  if (UNSHOWABLE.test(name.replace(JOINED, ""))) return WORDS.invisible;
  if (CHECK_MARKS.test(name)) return WORDS.badge;
  if (hasAddress(name)) return WORDS.address;
  const plain = name.normalize("NFKC");
  if (!SCRIPTS.some((allowed) => allowed.test(plain))) return WORDS.scripts;
  const elsewhere = ANONYMOUS_ELSEWHERE.test(withoutAccents(plain.replace(/\p{DI}/gu, "")));
  return elsewhere || says(name, RESERVED) ? WORDS.reserved : null;
}

/** @returns the Spanish error of a profession in a name, or null. "Dra." and "Lic." are degrees, not professions. */
export function professionError(name: string, userType: UserType): string | null {
  if (userType === "user") return says(name, HEALTH) ? WORDS.profession : null;
  return says(name, MEDICINE) ? WORDS.medicine : null;
}
