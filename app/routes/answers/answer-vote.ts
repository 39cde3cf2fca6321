import { redirect } from "react-router";
import { act, fieldsOf, page, referringConsultation, requireViewer } from "#app/lib/page-request.server.ts";
import type { Vote } from "#shared/votes.ts";
import type { Route } from "./+types/answer-vote.ts";

/** Sets the viewer's vote on an answer. Without JavaScript it redirects back, and visitors to sign-in. */
export async function action(args: Route.ActionArgs) {
  const { isDocument } = page(args);
  const { id } = args.params;
  const back = referringConsultation(args);
  if (isDocument) requireViewer(args, back ? `${back}#votar-respuesta-${id}` : "/");
  const vote = fieldsOf(args).vote as Vote;
  return act(args, async ({ api }) => {
    const counted = await api.answers.vote({ id, vote });
    if (isDocument) throw redirect(back ? `${back}#respuesta-${id}` : "/");
    return counted;
  });
}

export const loader = () => redirect("/");
