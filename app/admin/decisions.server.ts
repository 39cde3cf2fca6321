import { retryMail } from "#app/admin/mail-desk/undelivered-mails.server.ts";
import { deleteConsultation } from "#app/admin/removal/consultations-tab.server.ts";
import { approve, checkAgain, reject } from "#app/admin/verification/approve-reject.server.ts";
import type { NoticeKey } from "#app/lib/notices.ts";
import type { PageContext } from "#app/lib/page-request.server.ts";
import { AppError } from "#shared/errors.ts";
import { undo } from "./undo.server.ts";

/** The fields of a decision's form; those that it does not have are empty. */
type DecisionForm = { id: string; version: string; reason: string };

/**
 * Does what the administrator decided.
 * @returns the toast of the next page; nothing for a decision that can be undone, which the page itself announces
 */
export type Decide = (api: PageContext["api"], form: DecisionForm) => Promise<NoticeKey | undefined>;

/** Every decision by the intent of its form. */
const DECISIONS = { approve, renew: checkAgain, reject, delete: deleteConsultation, undo, retry: retryMail };

/** What the form of a decision is called. */
export type DecisionIntent = keyof typeof DECISIONS;

/** @throws AppError "malformed_request" where no decision has this intent */
export function decisionFor(intent: string | undefined): Decide {
  if (!intent || !Object.hasOwn(DECISIONS, intent)) throw new AppError("malformed_request");
  return DECISIONS[intent as DecisionIntent];
}
