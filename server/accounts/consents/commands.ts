import { CONSENT_VERSION, type Consent } from "#shared/consents.ts";
import type { RequestContext } from "../../sessions/request-context.ts";
import type { Session } from "../../sessions/viewer.ts";
import { giveConsent, withdrawConsent } from "./store.ts";

/** Gives or withdraws a consent, with the time. Idempotent. */
export async function setConsent(
  request: RequestContext,
  { viewer }: Session,
  kind: Consent,
  given: boolean,
): Promise<void> {
  const { db, now } = request.context;
  if (given) await giveConsent(db, viewer.id, kind, CONSENT_VERSION, now());
  else await withdrawConsent(db, viewer.id, kind, now());
}
