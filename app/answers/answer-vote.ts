import { redirect } from "react-router";
import { ErrorPage } from "#app/layout/error-page.tsx";
import { type FailureHandle, failure } from "#app/lib/client-error-messages.ts";
import { pagelessAction } from "#app/lib/form-action.server.ts";
import { refererPath, requireViewer } from "#app/lib/page-request.server.ts";
import { patchingAction } from "#app/lib/paged-list.ts";
import type { VoteResultView } from "#shared/votes.ts";

export const handle: FailureHandle = { failed: { act: failure("No se pudo registrar tu voto") } };

/** Sets the viewer's vote on an answer. Without JavaScript it redirects back, and visitors to sign-in. */
export const action = pagelessAction(async ({ api, args, input, isDocument }) => {
  const { id } = args.params;
  const back = refererPath(args);
  if (isDocument) requireViewer(args, back ? `${back}#votar-respuesta-${id}` : "/");
  const counted = await api.answers.vote(input("vote", { id }));
  return isDocument ? redirect(back ? `${back}#respuesta-${id}` : "/") : counted;
});

export const clientAction = patchingAction<VoteResultView>(({ vote, ...counts }) => ({ ...counts, viewer: { vote } }));

export const loader = () => redirect("/");

export const ErrorBoundary = ErrorPage;
