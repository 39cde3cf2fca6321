import { href, redirect } from "react-router";
import { act, fieldsOf, page, requireViewer } from "#app/lib/page-request.server.ts";
import type { Vote } from "#shared/votes.ts";
import type { Route } from "./+types/consultation-vote.ts";

/** Sets the viewer's vote on a consultation. Without JavaScript it redirects back, and visitors to sign-in. */
export async function action(args: Route.ActionArgs) {
  const { isDocument } = page(args);
  const { id } = args.params;
  if (isDocument) requireViewer(args, `${href("/consulta/:id", { id })}#votar`);
  const vote = fieldsOf(args).vote as Vote;
  return act(args, async ({ api }) => {
    const counted = await api.consultations.vote({ id, vote });
    if (isDocument) throw redirect(href("/consulta/:id", { id }));
    return counted;
  });
}

export const loader = ({ params }: Route.LoaderArgs) => redirect(href("/consulta/:id", { id: params.id }));
