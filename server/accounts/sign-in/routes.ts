import { AppError } from "#shared/errors.ts";
import { rateLimit, requireSignIn } from "../../sessions/guards.ts";
import { api } from "../../sessions/operations.ts";
import { presentSession } from "../../sessions/present.ts";
import { clearSessionCookie } from "../../sessions/session.ts";
import { deleteOwnSession, touchSession } from "../../sessions/store.ts";
import { linkByToken } from "../mailed-link-store.ts";
import { refreshSession } from "../refresh-session.ts";
import { applyDeviceLink, reauthenticate, signIn, signOut } from "./commands.ts";

const { accounts } = api;

export const signInRoutes = {
  session: accounts.session.handler(({ context: { request, now } }) => presentSession(request.session, now())),

  renewSession: accounts.renewSession
    .use(requireSignIn())
    .use(rateLimit("session"))
    .handler(async ({ context: { request, session, db, now } }) => {
      await touchSession(db, session.id, now());
      return refreshSession(request);
    }),

  signIn: accounts.signIn.handler(async ({ context: { request, now }, input }) => {
    const second_factor_required = await signIn(request, input);
    const session = second_factor_required ? presentSession(null, now()) : await refreshSession(request);
    return { ...session, second_factor_required };
  }),

  reauthenticate: accounts.reauthenticate
    .use(requireSignIn())
    .handler(async ({ context: { request, session }, input }) => {
      await reauthenticate(request, session, input.password);
      return refreshSession(request);
    }),

  signOut: accounts.signOut.handler(async ({ context: { request }, input }) => {
    // Signing out is idempotent.
    if (request.session) await signOut(request, request.session, input);
    if (input.scope !== "others") request.session = null;
  }),

  endSession: accounts.endSession.use(requireSignIn()).handler(async ({ context: { request, session, db }, input }) => {
    // Also for another user's session.
    if (!(await deleteOwnSession(db, session.viewer.id, input.id))) throw new AppError("not_found");
    if (input.id !== session.id) return;
    clearSessionCookie(request.cookies);
    request.session = null;
  }),

  // Does not use the link.
  deviceLink: accounts.deviceLink.handler(async ({ context: { db, now }, input }) => {
    if (!(await linkByToken(db, "known_device", input.token, now()))) throw new AppError("link_expired");
  }),

  applyDeviceLink: accounts.applyDeviceLink.handler(({ context: { request }, input }) =>
    applyDeviceLink(request, input.token),
  ),
};
