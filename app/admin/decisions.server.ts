import { deleteConsultation } from "#app/admin/removal/consultations-tab.server.ts";
import { retryMail } from "#app/admin/undelivered-mails/undelivered-mails.server.ts";
import { approve, reject, renewLicenseCheck } from "#app/admin/verification/approve-reject.server.ts";
import type { FlashKey } from "#app/lib/flash-messages.ts";
import type { PageContext } from "#app/lib/page-request.server.ts";
import { AppError } from "#shared/errors.ts";
import { undo } from "./undo.server.ts";

/** Fields of a decision's form. Missing fields are empty. */
type DecisionForm = { id: string; version: string; reason: string };

/** Executes a decision. @returns the toast of the next page, or nothing if the page itself announces the decision */
export type DecisionHandler = (api: PageContext["api"], form: DecisionForm) => Promise<FlashKey | undefined>;

const DECISION_HANDLERS = {
  approve,
  renew: renewLicenseCheck,
  reject,
  delete: deleteConsultation,
  undo,
  retry: retryMail,
};

export type DecisionIntent = keyof typeof DECISION_HANDLERS;

/** @throws AppError malformed_request if the intent is unknown */
export function decisionHandler(intent: string | undefined): DecisionHandler {
  if (!intent || !Object.hasOwn(DECISION_HANDLERS, intent)) throw new AppError("malformed_request");
  return DECISION_HANDLERS[intent as DecisionIntent];
}
