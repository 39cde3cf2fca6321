import { toIsoDay } from "#shared/time.ts";
import type { Context } from "../context.ts";
import { KNOWN_DEVICES, LIFETIMES } from "./rules.ts";
import { deleteExpired } from "./store.ts";

export async function deleteExpiredSessions({ db, now }: Context): Promise<void> {
  const at = now();
  const devicesSince = toIsoDay(new Date(at.getTime() - KNOWN_DEVICES.lifetime));
  await deleteExpired(db, at, new Date(at.getTime() - LIFETIMES.sessionIdle), devicesSince);
}
