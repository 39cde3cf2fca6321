import type { Context } from "../context.ts";
import { deleteExpired } from "./store.ts";

/** Deletes expired registrations and mailed links. */
export const deleteExpiredLinks = ({ db, now }: Context): Promise<void> => deleteExpired(db, now());
