import { redirect } from "react-router";
import { formFields, getPageContext, refererPath, requireViewer, runAction } from "#app/lib/page-request.server.ts";
import type { Vote } from "#shared/votes.ts";
import type { Route } from "./+types/answer-vote.ts";

/** Sets the viewer's vote on an answer. Without JavaScript it redirects back, and visitors to sign-in. */
export async function action(args: Route.ActionArgs) {
  const { isDocument } = getPageContext(args);
  const { id } = args.params;
  const back = refererPath(args);
  if (isDocument) requireViewer(args, back ? `${back}#votar-respuesta-${id}` : "/");
  const vote = formFields(args).vote as Vote;
  return runAction(args, async ({ api }) => {
    const counted = await api.answers.vote({ id, vote });
    if (isDocument) throw redirect(back ? `${back}#respuesta-${id}` : "/");
    return counted;
  });
}

export const loader = () => redirect("/");
