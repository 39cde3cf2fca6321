/** Where a file of the repository lies, in the words of the rules about it. */

/** The words of a list. */
export const words = (list: string): string[] => list.trim().split(/\s+/);

/** The features of `app`. */
export const APP_FEATURES =
  words(`accounts admin answers consultations memberships own-data psychologists reviews safety
  uploads`);

/** Folders of the server on which its features stand, and which know none of them. */
export const GROUND = words("database integrations limits sessions mail threads");

/** The features of the server. */
export const SERVER_FEATURES = words(`accounts admin answers consultations contact memberships own-data psychologists
  reviews safety uploads`);

/** The kinds of files that every feature of the server, and every folder of the ground, may have. */
export const FEATURE_FILES = words("routes commands steps rules store present queues jobs mails");

/** Folders inside features of the server, where a feature has more than one folder can show. */
export const SUBFOLDERS: Record<string, string[]> = {
  admin: words("directory mail-desk removal verification"),
  accounts: words("consents email-change mail-choices profile recovery registration second-factor sign-in"),
  memberships: words(`cancellation checkout funnel grants problems settlement sweep webhooks
    providers providers/paypal providers/mercadopago providers/test`),
};

/** What the folder of a payment provider may have besides the kinds of every feature; only `provider` is used outside. */
export const PROVIDER_FILES = words("provider client schemas signature snapshot events");

/** The folder of one payment provider, if a path lies in one. */
export const providerFolder = (path: string): string | undefined =>
  /^server\/memberships\/providers\/[^/]+(?=\/)/.exec(path)?.[0];

/** The kind that the name of a file says: "rules", or "entitlement-rules" where a folder has several. */
export const kindOf = (name: string): string =>
  FEATURE_FILES.find((kind) => name === kind || name.endsWith(`-${kind}`)) ?? "noun";

/** Folders of the server in which every file is of one kind. */
const KINDS_OF_FOLDERS = words("http database integrations demo");

/**
 * Root, part (a feature or layer; "" in the root itself), the folder inside a feature of the server ("" where there is
 * none), name without endings, and for the server the kind.
 */
export function place(path: string) {
  const [root = "", ...rest] = path.split("/");
  const part = rest.length > 1 ? rest[0]! : "";
  const subfolder = rest.slice(1, -1).join("/");
  const name = (rest.at(-1) ?? "").split(".")[0]!;
  const kind = part === "" ? "root" : KINDS_OF_FOLDERS.includes(part) ? part : kindOf(name);
  const ofProvider = kind === "noun" && providerFolder(path);
  return { root, part, subfolder, name, kind: ofProvider ? "provider" : kind };
}
