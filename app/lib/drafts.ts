/** Prefix of all draft keys. Session storage ends with the tab, so no personal text stays on a shared device. */
const PREFIX = "draft:";
const OWNER = "draft-owner";

export const CONSULTATION_DRAFT = "consultation";
/** Key of a visitor's draft. The first user who signs in within this tab receives it. */
export const VISITOR_DRAFT = "visitor";

export const editDraft = (id: string) => `edit:${id}`;

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

export const readDraft = (key: string): DraftValues | null => JSON.parse(storage()?.getItem(PREFIX + key) ?? "null");

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
 * Assigns this tab's drafts and a visitor's to the user who signed in. Deletes the drafts of another user.
 *
 * An expired session deletes nothing, so the user may have written both drafts.
 */
export function claimDrafts(viewerId: string): void {
  const owner = storage()?.getItem(OWNER) ?? null;
  const written = readDraft(VISITOR_DRAFT);
  if (owner !== null && owner !== viewerId) clearDrafts();
  storage()?.setItem(OWNER, viewerId);
  if (!written) return;
  const older = readDraft(CONSULTATION_DRAFT);
  saveDraft(CONSULTATION_DRAFT, older ? joined(older, written) : written);
  deleteDraft(VISITOR_DRAFT);
}

/** Appends a newer draft to an older one, which keeps its title. Both are anonymous if one of them is. */
function joined({ sent: _, ...older }: DraftValues, newer: DraftValues): DraftValues {
  const title = older.title || newer.title;
  const texts = [older.content, newer.title !== title && newer.title, newer.content];
  return {
    ...newer,
    ...Object.fromEntries(Object.entries(older).filter(([, value]) => value !== "")),
    title,
    content: [...new Set(texts.filter(Boolean))].join("\n\n"),
    is_anonymous: Boolean(older.is_anonymous || newer.is_anonymous),
  };
}
