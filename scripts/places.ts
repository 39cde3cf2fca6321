/** Where a file of the repository lies, in the words of the rules about it. */

/** The words of a list. */
export const words = (list: string): string[] => list.trim().split(/\s+/);

/** The features of `app`. */
export const APP_FEATURES =
  words(`accounts admin answers consultations memberships notifications own-data psychologists reviews safety
  uploads`);

/** The kinds of files that every feature of the server may have. */
export const FEATURE_FILES = words("routes commands steps rules store present jobs mails");

/** Folders inside features of the server, where a feature has more than one folder can show. */
export const ROOMS: Record<string, string[]> = {
  memberships: words(`cancellation checkout funnel problems settlement sweep webhooks
    providers providers/paypal providers/mercadopago providers/test`),
};

/** The kind that the name of a file says: "rules", or "entitlement-rules" where a folder has several. */
export const kindOf = (name: string): string =>
  FEATURE_FILES.find((kind) => name === kind || name.endsWith(`-${kind}`)) ?? "noun";

/**
 * Root, part (a feature or layer; "" in the root itself), the folder inside a feature of the server ("" where there is
 * none), name without endings, and for the server the kind.
 */
export function place(path: string) {
  const [root = "", ...rest] = path.split("/");
  const part = rest.length > 1 ? rest[0]! : "";
  const room = rest.slice(1, -1).join("/");
  const name = (rest.at(-1) ?? "").split(".")[0]!;
  const kind = part === "" ? "root" : /^(outside|demo|http)$/.test(part) ? part : kindOf(name);
  return { root, part, room, name, kind };
}
