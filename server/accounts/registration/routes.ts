import { AppError } from "#shared/errors.ts";
import type { PendingConfirmationView } from "#shared/registration.ts";
import { rateLimit } from "../../sessions/guards.ts";
import { api } from "../../sessions/operations.ts";
import { refreshSession } from "../refresh-session.ts";
import { confirmRegistration, pendingConfirmation, resendConfirmation, signUp } from "./commands.ts";
import type { NewRegistration, PendingRegistration } from "./store.ts";

/** Maps a registration to the view of its link. Adds the fields to correct if another browser opened it. */
function presentPendingConfirmation({
  waiting,
  sameBrowser,
}: {
  waiting: PendingRegistration;
  sameBrowser: boolean;
}): PendingConfirmationView {
  const details = waiting.details as NewRegistration["details"];
  return {
    email: waiting.email,
    full_name: waiting.full_name,
    same_browser: sameBrowser,
    registration: sameBrowser
      ? null
      : {
          user_type: waiting.user_type as NewRegistration["user_type"],
          license_number: details.license_number ?? null,
          specialty: details.specialty ?? null,
          country: details.country ?? null,
          bio: details.bio ?? null,
          phone: details.phone ?? null,
          whatsapp: details.whatsapp ?? null,
        },
  };
}

const { accounts } = api;

export const registrationRoutes = {
  signUp: accounts.signUp
    .use(rateLimit("mail_request"))
    .handler(({ context: { request }, input }) => signUp(request, input)),

  resendConfirmation: accounts.resendConfirmation
    .use(rateLimit("mail_request"))
    .handler(({ context: { request }, input }) => resendConfirmation(request, input.email)),

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
