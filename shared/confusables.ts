/**
 * Letters that readers confuse with a Latin one, from Unicode's confusables (UTS 39), for the scripts that a name may
 * have. Excludes letters that NFKD converts to Latin, that only look alike with an accent, and capitals of listed ones.
 */
const LOOK_ALIKES: Record<string, string> = {
  a: "ɑαаᴀɐ",
  b: "ƄЬΒвɓƃБƀҍѣʙᴃ",
  c: "ᴄсȼҫƈ¢",
  d: "ԁɗɖƌđðᴅ",
  e: "℮ꬲеҽɇҿᴇəɛεǝє",
  f: "ꬵꞙքϜƒꜰ",
  g: "ɡցԌɠǥɢ",
  h: "һհΗнɦⱧҢħћӉӇʜ",
  i: "ıɪɩιіӏɨᵻǀǃ",
  j: "ϳјɉᴊ",
  k: "кκƙⱪҚꝀҞᴋ",
  l: "łɭƖɫƚʟןו",
  m: "ΜмϺӍɱᴍ",
  n: "ոռΝɳƞηƝɴŋп",
  o: "ᴏᴑꬽοσоჿօסøɵꝋөѳ",
  p: "ρрƥᴘ",
  q: "ԛգզʠ",
  r: "ꭇꭈᴦгɽɼɍғʀ",
  s: "ꜱƽѕՏʂ",
  t: "тτƭȾƮҬŧᴛ",
  u: "ꞟᴜꭎꭒʋυսᵾɄц",
  v: "ᴠνѵטΛʌ",
  w: "ɯᴡѡԝաωꝡ",
  x: "хҲ×χ",
  y: "ɣʏỿꭚγуүყΥƴɏұ",
  z: "ᴢΖʐƶȥ",
};

/** Maps each sign of the texts to the key of its text. */
export const eachKey = (texts: Record<string, string>) =>
  new Map(Object.entries(texts).flatMap(([key, text]) => [...text].map((sign) => [sign, key])));

const LATIN = eachKey(LOOK_ALIKES);
/** First letters of alphabets in circles, in squares and of flags, which normalisation does not change. */
const ALPHABETS = [0x1f150, 0x1f170, 0x1f1e6];

function latin(letter: string): string {
  const code = letter.codePointAt(0)!;
  const row = ALPHABETS.find((first) => code >= first && code < first + 26);
  return row === undefined ? (LATIN.get(letter) ?? letter) : String.fromCharCode(97 + code - row);
}

const withoutMarks = (value: string) => value.normalize("NFKD").replace(/[\p{M}\p{DI}]/gu, "");
const eachLatin = (value: string) => [...value].map(latin).join("");

/**
 * Returns the skeleton of a text (UTS 39): no accents, no capitals, look-alike letters as Latin ones. Only for
 * comparison: texts with the same skeleton look alike.
 */
export const skeleton = (value: string): string =>
  withoutMarks(eachLatin(eachLatin(withoutMarks(value)).toLowerCase()));
