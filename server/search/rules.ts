import { withoutAccents } from "#shared/accents.ts";

/** Words with the same meaning, and forms of irregular verbs. */
const SYNONYMS: readonly (readonly string[])[] = [
  ["mama", "madre", "mami"],
  ["papa", "padre", "papi"],
  ["esposo", "marido"],
  ["esposa", "mujer"],
  ["celular", "movil", "telefono"],
  ["trabajo", "laboral", "empleo"],
  ["burnout", "agotamiento", "agotado", "agotada"],
  ["examen", "examenes"],
  ["celos", "celoso", "celosa"],
  ["autista", "autismo"],
  ["parto", "postparto", "posparto"],
  ["escuela", "colegio"],
  ["universidad", "facultad"],
  ["auto", "carro", "coche"],
  ["niño", "nino", "nene", "nena"],
  ["psicologo", "psicologa", "terapeuta"],
  ["suicidio", "suicidarme", "matarme"],
  ["dormir", "duermo", "duerme", "dormido"],
  ["morir", "muero", "muere", "murio", "muerte"],
  ["pensar", "pienso", "piensa"],
  ["perder", "pierdo", "pierde", "perdi"],
];

/** Endings that the stemmer only knows with an accent. */
const ACCENTS: readonly [RegExp, string][] = [
  [/([au])cion$/, "$1ción"],
  [/ia(s|n|mos)?$/, "ía$1"],
  [/io$/, "ió"],
];

/** Returns the spellings and synonyms of a word. A text matches if it contains one of them. */
export function variantsOf(word: string): string[] {
  const bare = withoutAccents(word);
  const accented = ACCENTS.map(([ending, accent]) => bare.replace(ending, accent));
  const synonyms = SYNONYMS.find((words) => words.includes(bare)) ?? [];
  return [...new Set([word, bare, ...accented, ...synonyms])];
}

/** Frequent words that say little. They count only if no other word does. */
const WEAK =
  /^(?:pued[eo]n?|puedes|poder|quier[eo]n?|quieres|querer|hago|hace|hacen|hacer|siento|siente|sentir|cosas?)$/;

export const tellingWords = (words: readonly string[]) => {
  const telling = words.filter((word) => !WEAK.test(withoutAccents(word)));
  return telling.length ? telling : words;
};

/** Splits a text into different words, at most `most`, and its first three quoted phrases. */
export function typedIn(text: string, most: number): { words: string[]; phrases: string[] } {
  const words =
    text
      .toLowerCase()
      .normalize("NFC")
      .match(/[\p{L}\p{N}\p{M}]{2,40}/gu) ?? [];
  const phrases = [...text.matchAll(/["«“]([^"«»“”]{3,})["»”]/gu)].map(([, phrase]) => phrase!).slice(0, 3);
  return { words: [...new Set(words)].slice(0, most), phrases };
}

/** Returns how words sound, so that equal sounds with other letters are equal texts. */
export const soundOf = (text: string) =>
  withoutAccents(text)
    .replace(/qu(?=[ei])|q/g, "k")
    .replace(/gu(?=[ei])/g, "g")
    .replace(/g(?=[ei])/g, "j")
    .replace(/(?<!c)h/g, "")
    .replace(/c(?=[ei])|z|x/g, "s")
    .replace(/c(?!h)/g, "k")
    .replace(/v/g, "b")
    .replace(/ll/g, "y")
    .replace(/m(?=[^aeioum])/g, "n")
    .replace(/(.)\1+/g, "$1");

const SAME_START = ["bv", "scz", "gj", "kcq", "yl"];
/** First two letters that people write as one: "kiero", "gerra", "yorar". */
const SHORTENED: readonly [RegExp, string][] = [
  [/^[kcq][ei]/, "qu"],
  [/^g[ei]/, "gu"],
  [/^y/, "ll"],
];

/** Returns the first two letters with which a word may begin that sounds like this one. */
export function startsOf(word: string): string[] {
  const bare = withoutAccents(word).replace(/[^a-z]/g, "");
  const [first = "", second = ""] = bare;
  if (!second) return [];
  const nasal = second === "m" ? [`${first}n`] : second === "n" ? [`${first}m`] : [];
  const others = SAME_START.filter((letters) => letters.includes(first)).flatMap((letters) => [...letters]);
  const whole = SHORTENED.filter(([short]) => short.test(bare)).map(([, letters]) => letters);
  const alike = [...nasal, ...others.map((letter) => letter + second), ...whole];
  const starts = [first + second, second + first, `h${first}`, ...alike];
  return [...new Set(first === "h" ? [...starts, bare.slice(1, 3)] : starts)].filter((start) => start.length === 2);
}

/** Returns the number of inserted, dropped, replaced and exchanged letters between two words. */
function distance(a: string, b: string): number {
  const rows = [Array.from({ length: b.length + 1 }, (_, j) => j)];
  for (let i = 1; i <= a.length; i++) {
    const row = [i];
    for (let j = 1; j <= b.length; j++) {
      const replaced = rows[i - 1]![j - 1]! + (a[i - 1] === b[j - 1] ? 0 : 1);
      row[j] = Math.min(replaced, rows[i - 1]![j]! + 1, row[j - 1]! + 1);
      if (i > 1 && j > 1 && a[i - 1] === b[j - 2] && a[i - 2] === b[j - 1])
        row[j] = Math.min(row[j]!, rows[i - 2]![j - 2]! + 1);
    }
    rows.push(row);
  }
  return rows[a.length]![b.length]!;
}

/**
 * Returns the known word that a mistyped one probably means: the same sound, one letter from 4 letters on, or two from
 * 8 letters on. Undefined if there is none.
 */
export function correctionOf(word: string, known: readonly string[]): string | undefined {
  const sound = soundOf(word);
  const most = word.length >= 8 ? 2 : word.length >= 4 ? 1 : 0;
  return known
    .filter((one) => one.length > 2 && Math.abs(one.length - word.length) <= 3)
    .map((one) => ({ one, far: distance(sound, soundOf(one)) }))
    .filter(({ far }) => far <= most)
    .sort((a, b) => a.far - b.far || (a.one < b.one ? -1 : 1))[0]?.one;
}
