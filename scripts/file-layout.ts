/** Classifies the repository's files for the rules about them. */

/** Splits a list into words. */
export const words = (list: string): string[] => list.trim().split(/\s+/);

export const APP_FEATURES =
  words(`accounts admin answers consultations memberships own-data psychologists reviews safety
  uploads`);

/** Folders of the server that its features use and that import no feature. */
export const FOUNDATION = words("database integrations limits sessions mail threads");

export const SERVER_FEATURES = words(`accounts admin answers consultations contact memberships own-data psychologists
  reviews safety uploads`);

/** Kinds of files that every feature of the server and every folder of the ground may have. */
export const FEATURE_FILES = words("routes commands steps rules store present queues jobs mails");

/** Subfolders of features that are too large for one folder. */
export const SUBFOLDERS: Record<string, string[]> = {
  admin: words("directory undelivered-mails removal verification"),
  accounts: words("consents email-change mail-preferences profile recovery registration second-factor sign-in"),
  memberships: words(`checkouts ending funnel grants problems reading reconciliation
    providers providers/paypal providers/mercadopago providers/test`),
};

/** Further files of a payment provider's folder; only `provider` is used outside. */
export const PROVIDER_FILES = words("provider snapshot events");

/** Returns the folder of the payment provider that contains a path, or undefined. */
export const providerFolder = (path: string): string | undefined =>
  /^server\/memberships\/providers\/[^/]+(?=\/)/.exec(path)?.[0];

/** Returns the kind in a file's name: "rules", or "entitlement-rules" if a folder has several. */
export const kindOf = (name: string): string =>
  FEATURE_FILES.find((kind) => name === kind || name.endsWith(`-${kind}`)) ?? "noun";

/** Folders of the server whose files are all of one kind. */
const KINDS_OF_FOLDERS = words("http database integrations demo");

/**
 * Returns the root, the part (a feature or layer; "" in the root itself), the subfolder of a feature ("" without one),
 * the name without endings, and for the server the kind.
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

/** Files in the root of the server. */
export const SERVER_FILES = words(
  `main primary worker processes lifetime log app audit background concurrency config context cursor fair-queue jobs
  listen openapi queues tokens versions`,
);
/** Files between the network and the features. */
export const HTTP_FILES = words(
  `static-files first-paint content-negotiation page-cache page-keys page-tags photos shell api pages errors body
  security-headers origin padding known-body internal-request request-queues page-changes`,
);
