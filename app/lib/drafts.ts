/** Prefix of all draft keys. Session storage ends with the tab, so no personal text stays on a shared device. */
const PREFIX = "draft:";
const OWNER = "draft-owner";

export const CONSULTATION_DRAFT = "consultation";
/** Key of a visitor's draft. The first user who signs in within this tab receives it. */
export const VISITOR_DRAFT = "visitor";

/** Typed values by field name. Checkboxes are true or false. */
export type DraftValues = Record<string, string | boolean | undefined>;

/** Returns the storage of this tab, or null if the browser blocks it. Pages work without drafts. */
function storage(): Storage | null {
  try {
    return sessionStorage;
  } catch {
    return null;
  }
}

const drafts = () => Object.keys(storage() ?? {}).filter((key) => key.startsWith(PREFIX));

export const saveDraft = (key: string, values: DraftValues) => storage()?.setItem(PREFIX + key, JSON.stringify(values));

export function readDraft(key: string): DraftValues | null {
  const kept = storage()?.getItem(PREFIX + key) ?? null;
  return kept === null ? null : JSON.parse(kept);
}

/** Returns all drafts whose key has this prefix. */
export const draftsWithPrefix = (beginning: string): DraftValues[] =>
  drafts()
    .filter((key) => key.startsWith(PREFIX + beginning))
    .map((key) => JSON.parse(storage()!.getItem(key)!));

export const deleteDraft = (key: string) => storage()?.removeItem(PREFIX + key);

export function clearDrafts(): void {
  for (const key of drafts()) storage()?.removeItem(key);
}

/**
 * Assigns the drafts of this tab to the signed-in user, including a visitor's draft. Deletes the drafts of another
 * user.
 *
 * An expired session deletes nothing.
 */
export function claimDrafts(viewerId: string): void {
  const owner = storage()?.getItem(OWNER) ?? null;
  const written = readDraft(VISITOR_DRAFT);
  if (owner !== null && owner !== viewerId) clearDrafts();
  storage()?.setItem(OWNER, viewerId);
  if (!written) return;
  saveDraft(CONSULTATION_DRAFT, written);
  deleteDraft(VISITOR_DRAFT);
}
