/** Where a file of the repository lies, in the words of the rules about it. */

/** The words of a list. */
export const words = (list: string): string[] => list.trim().split(/\s+/);

/** The features of `app`. */
export const APP_FEATURES =
  words(`accounts admin answers consultations memberships notifications own-data psychologists reviews safety
  uploads`);

/** The files that every feature of the server may have. */
export const FEATURE_FILES = words("routes commands rules store present jobs mails");

/** Root, part (a feature or layer; "" in the root itself), name without endings, and for the server the kind. */
export function place(path: string) {
  const [root = "", ...rest] = path.split("/");
  const part = rest.length > 1 ? rest[0]! : "";
  const name = (rest.at(-1) ?? "").split(".")[0]!;
  const kind =
    part === "" ? "root" : /^(outside|demo|http)$/.test(part) ? part : FEATURE_FILES.includes(name) ? name : "noun";
  return { root, part, name, kind };
}
