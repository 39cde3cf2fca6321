import {
  addressTakenMail,
  confirmEmailChangeMail,
  confirmRegistrationMail,
  emailChangedMail,
  newAddressTakenMail,
  passwordChangedMail,
  recoverPasswordMail,
} from "../accounts/mails.ts";
import { LIFETIMES } from "../accounts/rules.ts";
import {
  deleteExpired,
  emailChangeById,
  profileByEmail,
  profileById,
  recoveryById,
  registrationById,
} from "../accounts/store.ts";
import { linkToken } from "../accounts/tokens.ts";
import type { Context } from "../context.ts";
import type { MailJob } from "../jobs.ts";
import { receiptMail } from "../memberships/mails.ts";
import { receiptFacts } from "../memberships/store.ts";
import { approvedMail, rejectedMail } from "../moderation/mails.ts";
import { accountDeletedMail } from "../own-data/mails.ts";
import { FAREWELL_LIFETIME } from "../own-data/rules.ts";
import { deleteFarewell, deleteFarewellsBefore, farewellById } from "../own-data/store.ts";
import { dayOf } from "../psychologists/rules.ts";
import { deleteMarksBefore } from "../psychologists/store.ts";
import { factorChangedMail } from "../second-factor/mails.ts";
import { type MailContent, renderMail } from "./mail-layout.tsx";
import { keepMail } from "./store.ts";

type Addressed = { to: { name: string; address: string }; content: MailContent };

/** Addresses in mails come from configuration, never from a request. */
const link = (context: Context, path: string) => new URL(path, context.config.publicUrl).href;

/** Writes the mail of a job, or nothing when what it was about is gone meanwhile. */
async function write(context: Context, job: MailJob): Promise<Addressed | null> {
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
      if (owner) return addressed(owner, addressTakenMail(owner, link(context, "/auth")));
      return addressed(
        waiting,
        confirmRegistrationMail(
          waiting,
          link(context, `/auth/confirmar?token=${linkToken(config.secret, "confirm", waiting.id)}`),
        ),
      );
    }
    case "recover_password": {
      const wish = await recoveryById(db, job.recovery_id, now());
      const owner = wish && (await profileByEmail(db, wish.email));
      if (!owner) return null;
      return addressed(
        owner,
        recoverPasswordMail(
          owner,
          link(context, `/auth/nueva-contrasena?token=${linkToken(config.secret, "recover", wish.id)}`),
        ),
      );
    }
    case "password_changed": {
      const owner = await profileById(db, job.profile_id);
      return owner ? addressed(owner, passwordChangedMail(owner, link(context, "/auth/recuperar"))) : null;
    }
    case "confirm_email_change": {
      const change = await emailChangeById(db, job.change_id, now());
      if (!change || change.confirmed_at) return null;
      const owner = await profileByEmail(db, change.new_email);
      if (owner) return addressed(owner, newAddressTakenMail(owner, link(context, "/auth")));
      const token = linkToken(config.secret, "change_email", change.id);
      // The name is the account's own; whose mailbox this is will only be known when its link is used.
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
      const facts = await receiptFacts(db, job.payment_id);
      return facts ? addressed(facts, receiptMail(facts, link(context, "/planes"))) : null;
    }
    case "psychologist_approved":
    case "psychologist_rejected": {
      const owner = await profileById(db, job.psychologist_id);
      if (!owner) return null;
      return addressed(
        owner,
        job.kind === "psychologist_approved"
          ? approvedMail(owner, link(context, "/"))
          : rejectedMail(owner, job.reason),
      );
    }
  }
}

/** Sends a mail, or keeps it where there is no SMTP (the demo). Throws when it could not be handed over. */
export async function sendMail(context: Context, job: MailJob): Promise<void> {
  const mail = await write(context, job);
  if (!mail) return;
  const rendered = renderMail(mail.content, context.config.publicUrl.origin);
  if (context.mailer) await context.mailer.send({ to: mail.to, ...rendered });
  else await keepMail(context.db, { recipient: mail.to.address, ...rendered, created_at: context.now() });
  if (job.kind === "account_deleted") await deleteFarewell(context.db, job.farewell_id);
  context.log.info({ event: "mail_sent", kind: job.kind });
}

/** Removes what has run out: registrations, recovery links, sessions, counters of limits, marks of profile visitors. */
export async function housekeeping(context: Context): Promise<void> {
  const now = context.now();
  await deleteExpired(context.db, now, new Date(now.getTime() - LIFETIMES.sessionIdle));
  // Whatever became of the mail: nobody tries to send it any longer.
  await deleteFarewellsBefore(context.db, new Date(now.getTime() - FAREWELL_LIFETIME));
  // A day more than needed: clocks of nodes differ.
  await deleteMarksBefore(context.db, dayOf(new Date(now.getTime() - 24 * 3600_000)));
}
