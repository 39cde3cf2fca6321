import type { Context } from "../context.ts";
import { deleteExpired } from "./store.ts";

/** Deletes expired registrations, mailed links and rows of the mail quota. */
export const deleteExpiredLinks = ({ db, now }: Context): Promise<void> => deleteExpired(db, now());
