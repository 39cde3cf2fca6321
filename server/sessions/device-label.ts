type Names = readonly (readonly [pattern: RegExp, name: string])[];

/** In matching order, because a user agent also contains the names of browsers that it imitates. */
const BROWSERS: Names = [
  [/\bEdg(e|A|iOS)?\//, "Edge"],
  [/\b(OPR|OPiOS)\//, "Opera"],
  [/\bSamsungBrowser\//, "Samsung Internet"],
  [/\b(Firefox|FxiOS)\//, "Firefox"],
  [/\b(Chrome|CriOS|Chromium)\//, "Chrome"],
  [/\bVersion\/[\d.]+ .*Safari\//, "Safari"],
];
const SYSTEMS: Names = [
  [/\biPhone\b/, "iPhone"],
  [/\biPad\b/, "iPad"],
  [/\bAndroid\b/, "Android"],
  [/\bCrOS\b/, "Chromebook"],
  [/\bWindows\b/, "Windows"],
  [/\bMacintosh\b/, "Mac"],
  [/\bLinux\b/, "Linux"],
];

const first = (names: Names, userAgent: string) => names.find(([pattern]) => pattern.test(userAgent))?.[1];

/**
 * Returns a label that the user recognises, such as "Firefox en Android", or null for an unknown user agent. Contains
 * no version, which would identify devices more precisely than needed.
 */
export function deviceLabel(userAgent: string): string | null {
  const browser = first(BROWSERS, userAgent);
  const system = first(SYSTEMS, userAgent);
  return [browser, system].filter(Boolean).join(" en ") || null;
}
