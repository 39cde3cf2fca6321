import { redirect } from "react-router";
import { ErrorPage } from "#app/layout/error-page.tsx";
import { type FailureHandle, failure } from "#app/lib/client-error-messages.ts";
import { pagelessAction } from "#app/lib/form-action.server.ts";
import { refererPath, requireViewer } from "#app/lib/page-request.server.ts";
import { patchItem } from "#app/lib/paged-list.ts";
import type { AnswerView } from "#shared/answers.ts";
import type { Route } from "./+types/answer-vote.ts";

export const handle: FailureHandle = { failed: { act: failure("No se pudo registrar tu voto") } };

/** Sets the viewer's vote on an answer. Without JavaScript it redirects back, and visitors to sign-in. */
export const action = pagelessAction(async ({ api, args, input, isDocument }) => {
  const { id } = args.params;
  const back = refererPath(args);
  if (isDocument) requireViewer(args, back ? `${back}#votar-respuesta-${id}` : "/");
  const counted = await api.answers.vote(input("vote", { id }));
  return isDocument ? redirect(back ? `${back}#respuesta-${id}` : "/") : counted;
}, handle.failed);

/** Updates the added answers, which loaders do not reload. The voter may have left before the response arrives. */
export async function clientAction({ params, serverAction }: Route.ClientActionArgs) {
  const counted = await serverAction();
  if ("upvotes" in counted) {
    const { vote, ...counts } = counted;
    patchItem<AnswerView>(params.id, ({ viewer }) => ({ ...counts, viewer: { ...viewer, vote } }));
  }
  return counted;
}

export const loader = () => redirect("/");

export const ErrorBoundary = ErrorPage;
