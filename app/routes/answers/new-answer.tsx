import { data, href, Link, redirect } from "react-router";
import { ProfessionalBox } from "#app/answers/professional-box.tsx";
import type { TemplateResponse } from "#app/answers/templates.tsx";
import { UnsentPage } from "#app/components/unsent.tsx";
import { errorMessage } from "#app/lib/error-messages.ts";
import { pageMeta } from "#app/lib/page-meta.ts";
import {
  formFields,
  getPageContext,
  nullIfDeleted,
  nullOnError,
  requireViewer,
  runAction,
  runLoader,
  setFlash,
  withErrorCode,
} from "#app/lib/page-request.server.ts";
import { EmptyState } from "#app/ui/empty-state.tsx";
import { BackIcon } from "#app/ui/more-icons.tsx";
import { PlainText } from "#app/ui/plain-text.tsx";
import { AppError } from "#shared/errors.ts";
import { tintOf } from "#shared/tint.ts";
import type { Route } from "./+types/new-answer.ts";

export const meta: Route.MetaFunction = () => pageMeta("Responder como Profesional");

export const loader = (args: Route.LoaderArgs) =>
  runLoader(args, async (ctx) => {
    requireViewer(args);
    const detail = await nullIfDeleted(ctx, ctx.api.consultations.get({ id: args.params.id }));
    if (!detail) return null;
    const { consultation, viewer: own } = detail;
    return data({ consultation, answering: own.answering }, own.answering ? undefined : { status: 403 });
  });

export const action = async (args: Route.ActionArgs) => {
  const { content = "", key, insert, save } = formFields(args);
  const { isDocument } = getPageContext(args);
  const result = await runAction(args, async (ctx): Promise<TemplateResponse> => {
    if (save) {
      await ctx.api.answers.saveTemplate({ content });
      return { done: true };
    }
    if (insert) {
      const chosen = (await ctx.api.answers.templates({})).find(({ id }) => id === insert);
      if (!chosen) throw new AppError("not_found");
      return { done: true, inserted: chosen.content };
    }
    const psychologist = ctx.viewer()?.user_type === "psychologist";
    const before = isDocument && psychologist ? await nullOnError(ctx, ctx.api.psychologists.panel({})) : null;
    await ctx.api.answers.create({ id: args.params.id, content, key }).catch((error: unknown) => {
      throw withErrorCode(error, { gone: "consultation_deleted" });
    });
    if (isDocument) {
      setFlash(
        ctx,
        before?.state === "free" && before.free_answers_left === 1 ? "last_free_answer_sent" : "answer_sent",
      );
      throw redirect(href("/consulta/:id", { id: args.params.id }));
    }
    return { done: true };
  });
  if (!("done" in result)) return { ...result, data: { ...result.data, content } };
  return isDocument ? { ...result, content: [content, result.inserted].filter(Boolean).join("\n\n") } : result;
};

/** Page with the answer form, used from the feed and without JavaScript. */
export default function NewAnswer({ loaderData, actionData }: Route.ComponentProps) {
  const content = actionData && "content" in actionData ? actionData.content : undefined;
  if (!loaderData) return <UnsentPage actionError={actionData} text={content ?? ""} />;
  const { consultation, answering } = loaderData;
  const { id, title, country, category, author_label } = consultation;
  const refusal = errorMessage("psychologist_required");
  return (
    <main id="contenido" className="page">
      <div className="thread section">
        <Link className="icon-link" to={href("/consulta/:id", { id: consultation.id })}>
          <BackIcon size="s" />
          Volver a la consulta
        </Link>
        <div className={`question tint-${tintOf(id)} thread__part`}>
          <p className="meta">
            {category && <span className="category">{category}</span>}
            <span>{country}</span>
            <span>{author_label}</span>
          </p>
          <h1>{title}</h1>
          <PlainText text={consultation.content} />
        </div>
        <div className="thread__part">
          {answering ? (
            <ProfessionalBox consultationId={id} answering={answering} actionError={actionData} value={content} />
          ) : (
            <EmptyState title={refusal.description} />
          )}
        </div>
      </div>
    </main>
  );
}
