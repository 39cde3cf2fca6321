import { href, redirect } from "react-router";
import { formFields, getPageContext, requireViewer, runAction } from "#app/lib/page-request.server.ts";
import type { Vote } from "#shared/votes.ts";
import type { Route } from "./+types/consultation-vote.ts";

/** Sets the viewer's vote on a consultation. Without JavaScript it redirects back, and visitors to sign-in. */
export async function action(args: Route.ActionArgs) {
  const { isDocument } = getPageContext(args);
  const { id } = args.params;
  if (isDocument) requireViewer(args, `${href("/consulta/:id", { id })}#votar`);
  const vote = formFields(args).vote as Vote;
  return runAction(args, async ({ api }) => {
    const counted = await api.consultations.vote({ id, vote });
    if (isDocument) throw redirect(href("/consulta/:id", { id }));
    return counted;
  });
}

export const loader = ({ params }: Route.LoaderArgs) => redirect(href("/consulta/:id", { id: params.id }));
