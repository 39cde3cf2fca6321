import { act, announce, redirect } from "#app/lib/api.server.ts";
import type { Route } from "./+types/handled-message.ts";

const INBOX = "/admin?vista=mensajes";

export const loader = () => redirect(INBOX);

/** Marks a message of the contact form as handled. */
export const action = (args: Route.ActionArgs) =>
  act(args, async (here) => {
    await here.api.inbox.handle({ id: args.params.id });
    announce(here, "message_handled");
    throw redirect(INBOX);
  });
