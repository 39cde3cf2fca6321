import type { Context } from "../context.ts";
import { deleteExpired } from "./store.ts";

/** Deletes expired registrations and mailed links, and what is kept of mails for the allowance of their mailbox. */
export const deleteExpiredLinks = ({ db, now }: Context): Promise<void> => deleteExpired(db, now());
