import { sql } from "kysely";
import type { Db } from "../database/handles.ts";
import { consentWithdrawn } from "../sessions/store.ts";

/**
 * Claims the mail about new answers to a consultation and returns its author. A retry of the same mail claims it again.
 * @returns undefined if the author wants no mails, withdrew a consent, deleted the account, has seen the answers, or got
 * another mail about them
 */
export const claimAnswerMail = (db: Db, consultationId: string, mailId: string) =>
  sql<{ id: string; email: string }>`
    update consultations set answer_mail_id = ${mailId}::uuid
    from profiles left join mail_preferences on profile_id = profiles.id
    where consultations.id = ${consultationId} and profiles.id = user_id and notify_on_answer
      and answers_received > answers_listed and coalesce(answer_mail_id = ${mailId}::uuid, true)
      and coalesce(answers, true) and not ${consentWithdrawn}
    returning profiles.id, email`
    .execute(db)
    .then((result) => result.rows[0]);

/** Releases the claim of a mail that could not be sent. */
export const releaseAnswerMail = (db: Db, consultationId: string, mailId: string) =>
  db
    .updateTable("consultations")
    .set({ answer_mail_id: null })
    .where("id", "=", consultationId)
    .where("answer_mail_id", "=", mailId)
    .execute();
