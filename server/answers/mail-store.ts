import { sql } from "kysely";
import type { Db } from "../database/handles.ts";
import { consentWithdrawn } from "../sessions/store.ts";

/**
 * Claims the mail about new answers to a consultation. A retry of the same mail claims it again.
 * @returns undefined if the author does not want it, has no new answers, or got another mail about them
 */
export const claimAnswerMail = (db: Db, consultationId: string, mailId: string) =>
  db
    .updateTable("consultations")
    .set({ answer_mail_id: mailId })
    .where("id", "=", consultationId)
    .where("notify_on_answer", "=", true)
    .where((column) => column("answers_received", ">", column.ref("answers_listed")))
    .where((either) => either.or([either("answer_mail_id", "is", null), either("answer_mail_id", "=", mailId)]))
    .returning("id")
    .executeTakeFirst();

/** Releases the claim of a mail that could not be sent. */
export const releaseAnswerMail = (db: Db, consultationId: string, mailId: string) =>
  db
    .updateTable("consultations")
    .set({ answer_mail_id: null })
    .where("id", "=", consultationId)
    .where("answer_mail_id", "=", mailId)
    .execute();

/**
 * Returns the author's mailbox for the mail about new answers.
 * @returns undefined if the author deleted the account, withdrew a consent, unsubscribed, or has seen the answers
 */
export const answerMailbox = (db: Db, consultationId: string, mailId: string) =>
  db
    .selectFrom("consultations")
    .innerJoin("profiles", "profiles.id", "consultations.user_id")
    .leftJoin("mail_preferences", "mail_preferences.profile_id", "profiles.id")
    .select(["profiles.id", "profiles.email"])
    .where("consultations.id", "=", consultationId)
    .where("answer_mail_id", "=", mailId)
    .where("notify_on_answer", "=", true)
    .where((column) => column("answers_received", ">", column.ref("answers_listed")))
    .where(sql<boolean>`coalesce(mail_preferences.answers, true)`)
    .where(sql<boolean>`not ${consentWithdrawn}`)
    .executeTakeFirst();
