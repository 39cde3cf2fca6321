/**
 * Invisible characters that change the visible text: in an emoji or a flag, a variant of a letter, joining in Arabic
 * and Indian scripts.
 */
export const JOINED =
  /(?<=\p{Extended_Pictographic}[\ufe0f\p{Emoji_Modifier}]?)\u200d(?=\p{Extended_Pictographic})|(?<=\p{Emoji})[\ufe0e\ufe0f]|\u{1f3f4}[\u{e0020}-\u{e007e}]{1,8}\u{e007f}|(?<=\p{Script=Han})[\u{e0100}-\u{e01ef}]|(?<=[\p{scx=Arabic}\p{scx=Devanagari}\p{scx=Bengali}\p{scx=Kannada}\p{scx=Malayalam}\p{scx=Sinhala}\p{scx=Tamil}\p{scx=Telugu}])[\u200c\u200d](?=\p{L})/gu;
