import type { Db, Tx } from "../database/handles.ts";

export const lockPhoto = (tx: Tx, profileId: string) =>
  tx.selectFrom("profiles").select("avatar_url").where("id", "=", profileId).forUpdate().executeTakeFirst();

export const setPhoto = (tx: Tx, profileId: string, url: string, now: Date) =>
  tx.updateTable("profiles").set({ avatar_url: url, updated_at: now }).where("id", "=", profileId).execute();

/** True if a profile shows the photo of this path. The path begins with the profile's id. */
export async function isPhotoUsed(db: Db, profileId: string, url: string): Promise<boolean> {
  const profiles = db.selectFrom("profiles").where("id", "=", profileId).where("avatar_url", "=", url);
  return (await profiles.executeTakeFirst()) !== undefined;
}
