import { AppError } from "#shared/errors.ts";
import { rateLimit } from "../../sessions/guards.ts";
import { api } from "../../sessions/operations.ts";
import { refreshSession } from "../refresh-session.ts";
import { confirmRegistration, pendingConfirmation, resendConfirmation, signUp } from "./commands.ts";

const { accounts } = api;

export const registrationRoutes = {
  signUp: accounts.signUp
    .use(rateLimit("mail_request"))
    .handler(({ context: { request }, input }) => signUp(request, input)),

  resendConfirmation: accounts.resendConfirmation
    .use(rateLimit("mail_request"))
    .handler(({ context: { request }, input }) => resendConfirmation(request, input.email)),

  pendingConfirmation: accounts.pendingConfirmation.handler(async ({ context: { request }, input }) => {
    const { waiting, sameBrowser } = await pendingConfirmation(request, input.token);
    const { email, full_name, user_type, details } = waiting;
    return {
      email,
      full_name,
      same_browser: sameBrowser,
      registration: sameBrowser ? null : { user_type, ...details },
    };
  }),

  confirm: accounts.confirm.handler(async ({ context: { request }, input }) => {
    const return_to = await confirmRegistration(request, input);
    const { user } = await refreshSession(request);
    if (!user) throw new AppError("sign_in_required");
    return { viewer: user, return_to };
  }),
};
