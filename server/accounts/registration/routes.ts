import { AppError } from "#shared/errors.ts";
import { rateLimit } from "../../sessions/guards.ts";
import { accepted, api } from "../../sessions/operations.ts";
import { refreshSession } from "../refresh-session.ts";
import { confirmRegistration, pendingConfirmation, resendConfirmation, signUp } from "./commands.ts";
import { presentPendingConfirmation } from "./present.ts";

const { accounts } = api;

export const registrationRoutes = {
  signUp: accounts.signUp.use(rateLimit("mail_request")).handler(async ({ context: { request }, input }) => {
    await signUp(request, input);
    return accepted;
  }),

  resendConfirmation: accounts.resendConfirmation
    .use(rateLimit("mail_request"))
    .handler(async ({ context: { request }, input }) => {
      await resendConfirmation(request, input.email);
      return accepted;
    }),

  pendingConfirmation: accounts.pendingConfirmation.handler(async ({ context: { request }, input }) =>
    presentPendingConfirmation(await pendingConfirmation(request, input.token)),
  ),

  confirm: accounts.confirm.handler(async ({ context: { request }, input }) => {
    const { returnTo } = await confirmRegistration(request, input);
    const { user } = await refreshSession(request);
    if (!user) throw new AppError("sign_in_required");
    return { viewer: user, return_to: returnTo };
  }),
};
