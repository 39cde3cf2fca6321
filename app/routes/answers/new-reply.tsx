import { data, href, Link, redirect } from "react-router";
import { ReplyForm } from "#app/answers/reply-form.tsx";
import { errorWords } from "#app/lib/error-words.ts";
import { pageMeta } from "#app/lib/page-meta.ts";
import {
  act,
  announce,
  fieldsOf,
  load,
  nullWhenGone,
  page,
  referringConsultation,
  requireViewer,
  withCode,
} from "#app/lib/page-request.server.ts";
import { UnsentPage } from "#app/parts/unsent.tsx";
import { EmptyState } from "#app/ui/empty-state.tsx";
import { BackIcon } from "#app/ui/more-icons.tsx";
import type { Route } from "./+types/new-reply.ts";

export const meta: Route.MetaFunction = () => pageMeta("Comentar");

export const loader = (args: Route.LoaderArgs) =>
  load(args, async (here) => {
    const { id } = args.params;
    const me = requireViewer(args);
    // Checks that the answer still exists.
    if (!(await nullWhenGone(here, here.api.replies.list({ id })))) return null;
    const mayReply = me.user_type !== "psychologist";
    return data({ id, mayReply }, mayReply ? undefined : { status: 403 });
  });

export const action = async (args: Route.ActionArgs) => {
  const { content, key } = fieldsOf(args);
  const { isDocument } = page(args);
  const back = referringConsultation(args);
  const result = await act(args, async (here) => {
    const made = await here.api.answers
      .reply({ id: args.params.id, content: content ?? "", key })
      .catch((error: unknown) => {
        throw withCode(error, { gone: "gone_meanwhile" });
      });
    if (isDocument) {
      announce(here, "answer_sent");
      // Redirects to the page with the form, which shows the new reply. If it is unknown, redirects to the page that
      // starts with the answer.
      const { consultation_id } = await here.api.replies.own({ id: made.id });
      const address = back ?? `${href("/consulta/:id", { id: consultation_id })}?respuesta=${args.params.id}`;
      throw redirect(`${address}#comentario-${made.id}`);
    }
    return { done: true };
  });
  return "done" in result ? result : { ...result, data: { ...result.data, content, back } };
};

/** Page with the reply form. Without JavaScript it shows a failed reply with its text. */
export default function NewReply({ loaderData, actionData }: Route.ComponentProps) {
  const failed = actionData && "refused" in actionData ? actionData : undefined;
  if (!loaderData) return <UnsentPage refused={failed} text={failed?.content ?? ""} />;
  const { id, mayReply } = loaderData;
  return (
    <main id="contenido" className="page">
      <div className="thread section">
        <Link className="icon-link" to={failed?.back ?? "/"}>
          <BackIcon size="s" />
          Volver
        </Link>
        <h1 className="title-xl">Comentar</h1>
        <div className={mayReply ? "panel thread__part" : "thread__part"}>
          {mayReply ? (
            <ReplyForm answerId={id} refused={failed} value={failed?.content} />
          ) : (
            <EmptyState title={errorWords("psychologists_cannot_reply").description} />
          )}
        </div>
      </div>
    </main>
  );
}
