/** Before the key of every draft. They live only in this tab: nothing personal stays on a shared device once it is closed. */
const PREFIX = "draft:";
const OWNER = "draft-owner";

/** Key of the draft of a new consultation. */
export const CONSULTATION_DRAFT = "consultation";
/** Key of the draft that a visitor writes. It belongs to no user until one signs in within this tab. */
export const VISITOR_DRAFT = "visitor";

/** What was typed into a form, by the names of its fields; checkboxes as true or false. */
export type DraftValues = Record<string, string | boolean | undefined>;

const drafts = () => Object.keys(sessionStorage).filter((key) => key.startsWith(PREFIX));

/** Keeps what is typed into a form, in place of what was kept before. */
export const keepDraft = (key: string, values: DraftValues) =>
  sessionStorage.setItem(PREFIX + key, JSON.stringify(values));

/** What is kept for a form, or null. */
export function readDraft(key: string): DraftValues | null {
  const kept = sessionStorage.getItem(PREFIX + key);
  return kept === null ? null : JSON.parse(kept);
}

/** The drafts whose keys begin like this. */
export const draftsUnder = (beginning: string): DraftValues[] =>
  drafts()
    .filter((key) => key.startsWith(PREFIX + beginning))
    .map((key) => JSON.parse(sessionStorage.getItem(key)!));

/** Forgets one draft, once what it held was sent. */
export const forgetDraft = (key: string) => sessionStorage.removeItem(PREFIX + key);

/** Forgets every draft of this tab. */
export function clearDrafts(): void {
  for (const key of drafts()) sessionStorage.removeItem(key);
}

/**
 * Gives the drafts to the signed-in user, a visitor's too. Deletes those of another user.
 *
 * A lost session deletes nothing.
 */
export function claimDrafts(viewerId: string): void {
  const owner = sessionStorage.getItem(OWNER);
  const written = readDraft(VISITOR_DRAFT);
  if (owner !== null && owner !== viewerId) clearDrafts();
  sessionStorage.setItem(OWNER, viewerId);
  if (!written) return;
  keepDraft(CONSULTATION_DRAFT, written);
  forgetDraft(VISITOR_DRAFT);
}
