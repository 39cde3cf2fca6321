import { AppError } from "#shared/errors.ts";
import type { PlanType } from "#shared/plans.ts";
import { consentsOf } from "../accounts/consents/store.ts";
import type { Context } from "../context.ts";
import { isActive } from "../memberships/rules.ts";
import { currentMembership } from "../memberships/store.ts";
import { limit, recentlySignedIn, signedIn } from "../sessions/guards.ts";
import { api, done } from "../sessions/operations.ts";
import { knownDevicesOf } from "../sessions/store.ts";
import { deleteAccount } from "./commands.ts";
import { presentExport } from "./present.ts";
import {
  accountOf,
  answersOf,
  answerVotesOf,
  checkoutsOf,
  consultationsOf,
  consultationVotesOf,
  countsOf,
  emailChangesOf,
  goldGrantsOf,
  membershipsOf,
  paymentsOf,
  psychologistOf,
  repliesOf,
  reviewsOf,
  sessionsWithEnd,
  visitsOf,
} from "./store.ts";

/** Reads a user's export, one list after the other, so that it does not occupy the whole pool. */
async function exportOf({ db, now }: Context, id: string) {
  const account = await accountOf(db, id);
  if (!account) throw new AppError("sign_in_required");
  return presentExport(
    {
      account,
      psychologist: await psychologistOf(db, id),
      visits: await visitsOf(db, id),
      consents: await consentsOf(db, id),
      sessions: await sessionsWithEnd(db, id),
      known_browsers: await knownDevicesOf(db, id),
      email_changes: await emailChangesOf(db, id),
      consultations: await consultationsOf(db, id),
      answers: await answersOf(db, id),
      replies: await repliesOf(db, id),
      reviews: await reviewsOf(db, id),
      consultation_votes: await consultationVotesOf(db, id),
      answer_votes: await answerVotesOf(db, id),
      memberships: await membershipsOf(db, id),
      gold_grants: await goldGrantsOf(db, id),
      payments: await paymentsOf(db, id),
      checkouts: await checkoutsOf(db, id),
    },
    now(),
  );
}

const { ownData } = api;

export const ownDataRoutes = ownData.router({
  export: ownData.export
    .use(recentlySignedIn)
    .use(limit("export"))
    .handler(({ context: { request, viewer } }) => exportOf(request.context, viewer.id)),

  closing: ownData.closing.use(signedIn()).handler(async ({ context: { viewer, db, now } }) => {
    const held = viewer.user_type === "psychologist" ? await currentMembership(db, viewer.id) : null;
    const membership = held && isActive(held, now()) ? (held.plan_type as PlanType) : null;
    return { ...(await countsOf(db, viewer.id)), membership };
  }),

  close: ownData.close
    .use(recentlySignedIn)
    .use(limit("account"))
    .handler(async ({ context: { request, session }, input }) => {
      await deleteAccount(request, session, input.nameless);
      request.session = null;
      return done;
    }),
});
