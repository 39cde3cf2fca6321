/** Before the key of every draft. They live only in this tab: nothing personal stays on a shared device once it is closed. */
export const PREFIX = "draft:";
const OWNER = "draft-owner";

const drafts = () => Object.keys(sessionStorage).filter((key) => key.startsWith(PREFIX));

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

/** Forgets one draft, once what it held was sent. */
export const forgetDraft = (key: string) => sessionStorage.removeItem(PREFIX + key);

/** Whether something typed is kept for a form. */
export const hasDraft = (key: string) => sessionStorage.getItem(PREFIX + key) !== null;
