import { act, announce, fieldsOf, page, redirect } from "#app/lib/api.server.ts";
import type { Route } from "./+types/handled-message.ts";

const INBOX = "/admin?vista=mensajes";

export const loader = () => redirect(INBOX);

/** Marks a message of the contact form as handled. */
export async function action(args: Route.ActionArgs) {
  const { version = "" } = fieldsOf(args);
  const answer = await act(args, async (here) => {
    await here.api.inbox.handle({ id: args.params.id, version });
    announce(here, "message_handled");
    throw redirect(INBOX);
  });
  // Without JavaScript nothing stands here: the list shows it anew.
  const here = page(args);
  if (!here.isDocument || answer.data.refused.code !== "changed_meanwhile") return answer;
  announce(here, "changed_meanwhile");
  throw redirect(INBOX);
}
