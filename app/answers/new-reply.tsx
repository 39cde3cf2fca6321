import { data, href, useNavigate } from "react-router";
import { GONE_MEANWHILE } from "#app/components/unsent.tsx";
import { type FailureHandle, failure } from "#app/lib/client-error-messages.ts";
import { errorMessage } from "#app/lib/error-messages.ts";
import { formAction } from "#app/lib/form-action.server.ts";
import { pageMeta } from "#app/lib/page-meta.ts";
import { refererPath, requireViewer, runLoader } from "#app/lib/page-request.server.ts";
import { EmptyState } from "#app/ui/empty-state.tsx";
import { FormPage } from "#app/ui/form-page.tsx";
import type { Route } from "./+types/new-reply.ts";
import { ownTextPath } from "./own-text.ts";
import { ReplyForm } from "./text-form.tsx";

export const handle: FailureHandle = {
  failed: { act: failure("No se pudo enviar la respuesta"), gone: GONE_MEANWHILE },
};

export const meta: Route.MetaFunction = () => pageMeta("Comentar");

export const loader = (args: Route.LoaderArgs) =>
  runLoader(args, async ({ api }) => {
    const { id } = args.params;
    const me = requireViewer(args);
    const { consultation_id } = await api.replies.list({ id });
    const mayReply = me.user_type !== "psychologist";
    return data(
      { id, mayReply, back: refererPath(args) ?? ownTextPath("answer", { id, consultation_id }) },
      mayReply ? undefined : { status: 403 },
    );
  });

export const action = formAction(async ({ api, args, input, isDocument, leave }) => {
  const { id } = args.params;
  const made = await api.answers.reply(input("content", "key", { id }));
  if (!isDocument) return { done: true };
  // Redirects to the page with the form, which shows the new reply. If it is unknown, redirects to the page that
  // starts with the answer.
  const { consultation_id } = await api.replies.own({ id: made.id });
  const address = refererPath(args) ?? `${href("/consulta/:id", { id: consultation_id })}?respuesta=${id}`;
  return leave(`${address}#comentario-${made.id}`, "answer_sent");
});

export default function NewReply({ loaderData, actionData }: Route.ComponentProps) {
  const navigate = useNavigate();
  const { id, mayReply, back } = loaderData;
  return (
    <FormPage title="Comentar" back={{ to: back, label: "Volver" }}>
      <div className={mayReply ? "panel thread__part" : "thread__part"}>
        {mayReply ? (
          <ReplyForm answerId={id} response={actionData} onSent={() => navigate(back, { replace: true })} />
        ) : (
          <EmptyState title={errorMessage("psychologists_cannot_reply").description} />
        )}
      </div>
    </FormPage>
  );
}
