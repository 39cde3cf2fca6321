import { rateLimit, requireSignIn } from "../../sessions/guards.ts";
import { api } from "../../sessions/operations.ts";
import { presentSession } from "../../sessions/present.ts";
import { refreshSession } from "../refresh-session.ts";
import {
  applyDeviceLink,
  endSession,
  pendingDeviceLink,
  reauthenticate,
  renewSession,
  signIn,
  signOut,
} from "./commands.ts";

const { accounts } = api;

export const signInRoutes = {
  session: accounts.session.handler(({ context: { request, now } }) => presentSession(request.session, now())),

  renewSession: accounts.renewSession
    .use(requireSignIn())
    .use(rateLimit("session"))
    .handler(async ({ context: { request, session } }) => {
      await renewSession(request, session);
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

  endSession: accounts.endSession.use(requireSignIn()).handler(async ({ context: { request, session }, input }) => {
    await endSession(request, session, input.id);
    if (input.id === session.id) request.session = null;
  }),

  deviceLink: accounts.deviceLink.handler(({ context: { request }, input }) => pendingDeviceLink(request, input.token)),

  applyDeviceLink: accounts.applyDeviceLink.handler(({ context: { request }, input }) =>
    applyDeviceLink(request, input.token),
  ),
};
