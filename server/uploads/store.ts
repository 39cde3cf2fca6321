import { type Db, queryRows, type Tx } from "../database/handles.ts";

export const lockPhoto = (tx: Tx, profileId: string) =>
  tx.selectFrom("profiles").select("avatar_url").where("id", "=", profileId).forUpdate().executeTakeFirst();

export const setPhoto = (tx: Tx, profileId: string, url: string, now: Date) =>
  tx.updateTable("profiles").set({ avatar_url: url, updated_at: now }).where("id", "=", profileId).execute();

/** True if a profile shows the photo of this path. The path begins with the profile's id. */
export const isPhotoUsed = async (db: Db, profileId: string, url: string): Promise<boolean> =>
  (await queryRows(db)`select from profiles where id = ${profileId} and avatar_url = ${url}`).length > 0;
