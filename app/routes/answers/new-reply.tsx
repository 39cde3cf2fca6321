import { data, href, Link, redirect } from "react-router";
import { ReplyForm } from "#app/answers/reply-form.tsx";
import { UnsentPage } from "#app/components/unsent.tsx";
import { errorMessage } from "#app/lib/error-messages.ts";
import { pageMeta } from "#app/lib/page-meta.ts";
import {
  formFields,
  getPageContext,
  nullIfDeleted,
  refererPath,
  requireViewer,
  runAction,
  runLoader,
  setFlash,
  withErrorCode,
} from "#app/lib/page-request.server.ts";
import { EmptyState } from "#app/ui/empty-state.tsx";
import { BackIcon } from "#app/ui/more-icons.tsx";
import type { Route } from "./+types/new-reply.ts";

export const meta: Route.MetaFunction = () => pageMeta("Comentar");

export const loader = (args: Route.LoaderArgs) =>
  runLoader(args, async (ctx) => {
    const { id } = args.params;
    const me = requireViewer(args);
    // Checks that the answer still exists.
    if (!(await nullIfDeleted(ctx, ctx.api.replies.list({ id })))) return null;
    const mayReply = me.user_type !== "psychologist";
    return data({ id, mayReply }, mayReply ? undefined : { status: 403 });
  });

export const action = async (args: Route.ActionArgs) => {
  const { content, key } = formFields(args);
  const { isDocument } = getPageContext(args);
  const back = refererPath(args);
  const result = await runAction(args, async (ctx) => {
    const made = await ctx.api.answers
      .reply({ id: args.params.id, content: content ?? "", key })
      .catch((error: unknown) => {
        throw withErrorCode(error, { gone: "parent_deleted" });
      });
    if (isDocument) {
      setFlash(ctx, "answer_sent");
      // Redirects to the page with the form, which shows the new reply. If it is unknown, redirects to the page that
      // starts with the answer.
      const { consultation_id } = await ctx.api.replies.own({ id: made.id });
      const address = back ?? `${href("/consulta/:id", { id: consultation_id })}?respuesta=${args.params.id}`;
      throw redirect(`${address}#comentario-${made.id}`);
    }
    return { done: true };
  });
  return "done" in result ? result : { ...result, data: { ...result.data, content, back } };
};

/** Page with the reply form. Without JavaScript it shows a failed reply with its text. */
export default function NewReply({ loaderData, actionData }: Route.ComponentProps) {
  const failed = actionData && "actionError" in actionData ? actionData : undefined;
  if (!loaderData) return <UnsentPage actionError={failed} text={failed?.content ?? ""} />;
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
            <ReplyForm answerId={id} actionError={failed} value={failed?.content} />
          ) : (
            <EmptyState title={errorMessage("psychologists_cannot_reply").description} />
          )}
        </div>
      </div>
    </main>
  );
}
