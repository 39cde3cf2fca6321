import { dayOf } from "#shared/time.ts";
import { allowMail } from "../accounts/allowance.ts";
import {
  addressTakenMail,
  confirmEmailChangeMail,
  confirmRegistrationMail,
  emailChangedMail,
  newAddressTakenMail,
  passwordChangedMail,
  recoverPasswordMail,
  signInPausedMail,
} from "../accounts/mails.ts";
import {
  deleteExpired,
  deleteRecovery,
  deviceLinkById,
  emailChangeById,
  profileByEmail,
  profileById,
  recoveryById,
  registrationById,
  unsubscribeLinkOf,
} from "../accounts/store.ts";
import { approvedMail, rejectedMail } from "../admin/mails.ts";
import { isInForce, undoWindow, verificationBy } from "../admin/rules.ts";
import { deleteRemovalsBefore, verificationOf } from "../admin/store.ts";
import { answerCameMail } from "../answers/mails.ts";
import { answerMailbox, claimAnswerMail, releaseAnswerMail } from "../answers/store.ts";
import type { Context } from "../context.ts";
import { MAIL_PACE, type MailJob } from "../jobs.ts";
import { receiptMail } from "../memberships/mails.ts";
import { receiptData } from "../memberships/settlement/store.ts";
import { accountDeletedMail } from "../own-data/mails.ts";
import { FAREWELL_LIFETIME } from "../own-data/rules.ts";
import { deleteFarewell, deleteFarewellsBefore, farewellById } from "../own-data/store.ts";
import { deleteVisitMarksBefore } from "../psychologists/store.ts";
import { factorChangedMail } from "../second-factor/mails.ts";
import { KNOWN_DEVICES, LIFETIMES } from "../sessions/rules.ts";
import { hashToken, linkToken, newUnsubscribeLink, sameBytes } from "../tokens.ts";
import { type MailContent, renderMail } from "./layout.tsx";
import { insertKeptMail, reserveMailSlot } from "./store.ts";

type Addressed = { to: { name: string; address: string }; content: MailContent };

/** Links in mails use the configured origin, never a request's. */
const link = (context: Context, path: string) => new URL(path, context.config.publicUrl).href;

/** Composes the mail of a job, or null when its subject is gone meanwhile. */
async function composeMail(context: Context, job: MailJob): Promise<Addressed | null> {
  const { db, config, now } = context;
  const addressed = (person: { full_name: string; email: string }, content: MailContent): Addressed => ({
    to: { name: person.full_name, address: person.email },
    content,
  });
  switch (job.kind) {
    case "confirm_registration": {
      const waiting = await registrationById(db, job.registration_id, now());
      if (!waiting) return null;
      const owner = await profileByEmail(db, waiting.email);
      const token = linkToken(config.secret, "confirm", waiting.id);
      // An invalidated registration has another token: its link would not work.
      if (!owner && !sameBytes(waiting.token_hash, hashToken(token))) return null;
      const id = job.mail_id ?? waiting.id;
      if (!(await allowMail(context, { id, kind: "registration", rowId: waiting.id, email: waiting.email })))
        return null;
      if (owner) return addressed(owner, addressTakenMail(owner, link(context, "/auth")));
      return {
        to: { name: "", address: waiting.email },
        content: confirmRegistrationMail(link(context, `/auth/confirmar?token=${token}`)),
      };
    }
    case "recover_password": {
      const wish = await recoveryById(db, job.recovery_id, now());
      if (!wish) return null;
      const owner = await profileByEmail(db, wish.email);
      const mail = { id: wish.id, kind: "recovery", rowId: wish.id, email: wish.email } as const;
      if (!owner || !(await allowMail(context, mail))) {
        await deleteRecovery(db, wish.id);
        return null;
      }
      return addressed(
        owner,
        recoverPasswordMail(
          owner,
          link(context, `/auth/nueva-contrasena?token=${linkToken(config.secret, "recover", wish.id)}`),
        ),
      );
    }
    case "sign_in_paused": {
      const wish = await deviceLinkById(db, job.link_id, now());
      const owner = wish && (await profileByEmail(db, wish.email));
      if (!owner) return null;
      const token = linkToken(config.secret, "known_device", wish.id);
      return addressed(owner, signInPausedMail(owner, link(context, `/auth/navegador?token=${token}`)));
    }
    case "password_changed": {
      const owner = await profileById(db, job.profile_id);
      return owner ? addressed(owner, passwordChangedMail(owner, link(context, "/auth/recuperar"))) : null;
    }
    case "confirm_email_change": {
      const change = await emailChangeById(db, job.change_id, now());
      if (!change || change.confirmed_at) return null;
      const id = job.mail_id ?? change.id;
      const { account_id: accountId, new_email } = change;
      if (!(await allowMail(context, { id, kind: "email_change", rowId: change.id, email: new_email, accountId })))
        return null;
      const owner = await profileByEmail(db, change.new_email);
      if (owner) return addressed(owner, newAddressTakenMail(owner, link(context, "/auth")));
      const token = linkToken(config.secret, "change_email", change.id);
      // Without the account's name: the mailbox may not be the user's until its link is used.
      return {
        to: { name: "", address: change.new_email },
        content: confirmEmailChangeMail(link(context, `/cuenta/correo?token=${token}`)),
      };
    }
    case "email_changed": {
      const change = await emailChangeById(db, job.change_id, now());
      if (!change?.confirmed_at) return null;
      const token = linkToken(config.secret, "undo_email", change.id);
      return {
        to: { name: change.full_name, address: change.old_email },
        content: emailChangedMail(change, link(context, `/cuenta/correo?token=${token}`)),
      };
    }
    case "second_factor_changed": {
      const owner = await profileById(db, job.profile_id);
      return owner ? addressed(owner, factorChangedMail(owner, job.change, link(context, "/cuenta"))) : null;
    }
    case "account_deleted": {
      const farewell = await farewellById(db, job.farewell_id);
      if (!farewell) return null;
      return { to: { name: "", address: farewell.email }, content: accountDeletedMail(link(context, "/contacto")) };
    }
    case "membership_receipt": {
      const facts = await receiptData(db, job.payment_id);
      return facts ? addressed(facts, receiptMail(facts, link(context, "/planes"))) : null;
    }
    case "answer_came": {
      if (!(await claimAnswerMail(db, job.consultation_id, job.mail_id))) return null;
      const owner = await answerMailbox(db, job.consultation_id, job.mail_id);
      const linkId = owner && (await unsubscribeLinkOf(db, owner.id, newUnsubscribeLink(config.secret)));
      if (!linkId) {
        await releaseAnswerMail(db, job.consultation_id, job.mail_id);
        return null;
      }
      return {
        to: { name: "", address: owner.email },
        content: answerCameMail(
          link(context, "/perfil"),
          link(context, `/baja/${linkToken(config.secret, "unsubscribe", linkId)}`),
        ),
      };
    }
    case "psychologist_approved":
    case "psychologist_rejected": {
      const owner = await profileById(db, job.psychologist_id);
      if (!owner) return null;
      const row = job.decided_at && (await verificationOf(db, job.psychologist_id));
      // A later decision was made, or the checked data changed.
      if (row && !isInForce(verificationBy(job.kind, new Date(job.decided_at!))!, row)) return null;
      return addressed(
        owner,
        job.kind === "psychologist_approved"
          ? approvedMail(owner, link(context, "/"))
          : rejectedMail(owner, job.reason, {
              profileUrl: link(context, "/perfil"),
              contactUrl: link(context, "/contacto"),
            }),
      );
    }
  }
}

/**
 * Keeps the pace of mails that anyone's request can cause. @throws Error when too many wait already: the queue retries
 * later
 */
async function waitForMailSlot({ db }: Context, kind: MailJob["kind"]): Promise<void> {
  if (!MAIL_PACE.kinds.includes(kind)) return;
  const wait = await reserveMailSlot(db, kind, MAIL_PACE);
  if (wait === null) throw new Error("Too many mails of this kind wait to leave.");
  if (wait > 0) await new Promise((go) => setTimeout(go, wait));
}

/** Sends a mail, or stores it where there is no SMTP (the demo). Throws when the mail server did not accept it. */
export async function sendMail(context: Context, job: MailJob): Promise<void> {
  const mail = await composeMail(context, job);
  if (!mail) return;
  await waitForMailSlot(context, job.kind);
  const { unsubscribe, ...rendered } = renderMail(mail.content, context.config.publicUrl.origin);
  // Checked again: a user who unsubscribed a moment ago gets none.
  if (job.kind === "answer_came" && !(await answerMailbox(context.db, job.consultation_id, job.mail_id))) {
    await releaseAnswerMail(context.db, job.consultation_id, job.mail_id);
    return;
  }
  const handOver = async () => {
    if (context.mailer) await context.mailer.send({ to: mail.to, ...rendered, ...(unsubscribe && { unsubscribe }) });
    else await insertKeptMail(context.db, { recipient: mail.to.address, ...rendered, created_at: context.now() });
  };
  if (job.kind === "answer_came")
    await handOver().catch(async () => {
      await releaseAnswerMail(context.db, job.consultation_id, job.mail_id);
      // The mail server's response stays out of the queue: it may contain the author's mailbox.
      throw new Error("The mail could not be handed over.");
    });
  else await handOver();
  if (job.kind === "account_deleted") await deleteFarewell(context.db, job.farewell_id);
  context.log.info({ event: "mail_sent", kind: job.kind });
}

/**
 * Deletes expired rows: registrations, recovery links, sessions, known devices, rate limit buckets, hashes of profile
 * visitors.
 */
export async function housekeeping(context: Context): Promise<void> {
  const now = context.now();
  const devicesSince = dayOf(new Date(now.getTime() - KNOWN_DEVICES.lifetime));
  await deleteExpired(context.db, now, new Date(now.getTime() - LIFETIMES.sessionIdle), devicesSince);
  // The queue no longer retries these mails.
  await deleteFarewellsBefore(context.db, new Date(now.getTime() - FAREWELL_LIFETIME));
  await deleteRemovalsBefore(context.db, new Date(undoWindow(now).after.getTime() - 60_000));
  // A day more than needed: clocks of nodes differ.
  await deleteVisitMarksBefore(context.db, dayOf(new Date(now.getTime() - 24 * 3600_000)));
}
