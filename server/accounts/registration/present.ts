import type { PendingConfirmationView } from "#shared/registration.ts";
import type { NewRegistration, PendingRegistration } from "./store.ts";

/** Maps a registration to the view of its link. Adds the fields to correct if another browser opened it. */
export function presentPendingConfirmation({
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
