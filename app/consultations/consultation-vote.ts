import { href, redirect } from "react-router";
import { ErrorPage } from "#app/layout/error-page.tsx";
import { type FailureHandle, failure } from "#app/lib/client-error-messages.ts";
import { pagelessAction } from "#app/lib/form-action.server.ts";
import { requireViewer } from "#app/lib/page-request.server.ts";
import { patchingAction } from "#app/lib/paged-list.ts";
import type { VoteResultView } from "#shared/votes.ts";
import type { Route } from "./+types/consultation-vote.ts";

export const handle: FailureHandle = { failed: { act: failure("No se pudo registrar tu voto") } };

/** Sets the viewer's vote on a consultation. Without JavaScript it redirects back, and visitors to sign-in. */
export const action = pagelessAction(async ({ api, args, input, isDocument }) => {
  const { id } = args.params;
  const back = href("/consulta/:id", { id });
  if (isDocument) requireViewer(args, `${back}#votar`);
  const counted = await api.consultations.vote(input("vote", { id }));
  return isDocument ? redirect(back) : counted;
});

export const clientAction = patchingAction<VoteResultView>(({ upvotes, downvotes }) => ({ upvotes, downvotes }));

export const loader = ({ params }: Route.LoaderArgs) => redirect(href("/consulta/:id", { id: params.id }));

export const ErrorBoundary = ErrorPage;
