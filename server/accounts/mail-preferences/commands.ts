import { AppError } from "#shared/errors.ts";
import type { Context } from "../../context.ts";
import { hashToken } from "../../tokens.ts";
import { disableMails } from "./store.ts";

/**
 * Unsubscribes from mails about answers and from digests by a mailed link. Idempotent.
 * @throws AppError link_expired
 */
export async function unsubscribe({ db }: Context, token: string): Promise<void> {
  if (!(await disableMails(db, hashToken(token)))) throw new AppError("link_expired");
}
