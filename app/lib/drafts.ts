/** Before the key of every draft. They live only in this tab: nothing personal stays on a shared device once it is closed. */
const PREFIX = "draft:";
const OWNER = "draft-owner";

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

/** The drafts belong to the signed-in user; those of another user are deleted. A lost session deletes nothing. */
export function claimDrafts(viewerId: string): void {
  const owner = sessionStorage.getItem(OWNER);
  if (owner !== null && owner !== viewerId) clearDrafts();
  sessionStorage.setItem(OWNER, viewerId);
}
