import { retryMail } from "#app/admin/mail-desk/undelivered-mails.server.ts";
import { deleteConsultation } from "#app/admin/removal/consultations-tab.server.ts";
import { approve, checkAgain, reject } from "#app/admin/verification/approve-reject.server.ts";
import type { NoticeKey } from "#app/lib/notices.ts";
import type { PageContext } from "#app/lib/page-request.server.ts";
import { AppError } from "#shared/errors.ts";
import { undo } from "./undo.server.ts";

/** Fields of a decision's form. Missing fields are empty. */
type DecisionForm = { id: string; version: string; reason: string };

/** Executes a decision. @returns the toast of the next page, or nothing if the page itself announces the decision */
export type Decide = (api: PageContext["api"], form: DecisionForm) => Promise<NoticeKey | undefined>;

const DECISIONS = { approve, renew: checkAgain, reject, delete: deleteConsultation, undo, retry: retryMail };

export type DecisionIntent = keyof typeof DECISIONS;

/** @throws AppError malformed_request if the intent is unknown */
export function decisionFor(intent: string | undefined): Decide {
  if (!intent || !Object.hasOwn(DECISIONS, intent)) throw new AppError("malformed_request");
  return DECISIONS[intent as DecisionIntent];
}
