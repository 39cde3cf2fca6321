import { data, href, useNavigate } from "react-router";
import { type FailureHandle, failure, outage, say } from "#app/lib/client-error-messages.ts";
import { errorMessage } from "#app/lib/error-messages.ts";
import { formAction } from "#app/lib/form-action.server.ts";
import { pageMeta } from "#app/lib/page-meta.ts";
import { requireViewer, runLoader } from "#app/lib/page-request.server.ts";
import { EmptyState } from "#app/ui/empty-state.tsx";
import { FormPage } from "#app/ui/form-page.tsx";
import { PlainText } from "#app/ui/plain-text.tsx";
import { AppError } from "#shared/errors.ts";
import { tintOf } from "#shared/tint.ts";
import type { Route } from "./+types/new-answer.ts";
import { ProfessionalBox, type TemplateResponse } from "./professional-box.tsx";

export const handle: FailureHandle = {
  failed: {
    load: outage("No se pudo cargar la consulta"),
    act: failure("No se pudo enviar la respuesta"),
    save: failure("No se pudo guardar el texto"),
    insert: failure("No se pudo insertar el texto"),
    gone: say(
      "Esta consulta ya no existe",
      "Se ha borrado mientras escribías, así que tu respuesta no se ha publicado. Tu texto sigue aquí para que lo copies.",
    ),
  },
};

export const meta: Route.MetaFunction = () => pageMeta("Responder como Profesional");

export const loader = (args: Route.LoaderArgs) =>
  runLoader(args, async ({ api }) => {
    requireViewer(args);
    const { consultation, viewer: own } = await api.consultations.get({ id: args.params.id });
    return data({ consultation, answering: own.answering }, own.answering ? undefined : { status: 403 });
  });

export const action = formAction({
  async save({ api, fields: { content = "" } }): Promise<TemplateResponse> {
    await api.answers.saveTemplate({ content });
    return { done: true, typed: { content } };
  },
  async insert({ api, fields: { content = "", insert }, isDocument }): Promise<TemplateResponse> {
    const chosen = (await api.answers.templates({})).find((template) => template.id === insert);
    if (!chosen) throw new AppError("not_found");
    // Without JavaScript the text follows the written one.
    const both = [content, chosen.content].filter(Boolean).join("\n\n");
    return { done: true, inserted: chosen.content, typed: { content: isDocument ? both : content } };
  },
  async act({ api, args, fields: { content = "", key }, isDocument, leave }) {
    const { id } = args.params;
    const { answering } = await api.answers.create({ id, content, key });
    const wasLast = answering.state === "limit_reached";
    if (!isDocument) return { done: true, wasLast };
    return leave(href("/consulta/:id", { id }), wasLast ? "last_free_answer_sent" : "answer_sent");
  },
});

export default function NewAnswer({ loaderData, actionData }: Route.ComponentProps) {
  const navigate = useNavigate();
  const { consultation, answering } = loaderData;
  const { id, title, country, category, author_label } = consultation;
  const refusal = errorMessage("psychologist_required");
  const back = href("/consulta/:id", { id });
  return (
    <FormPage back={{ to: back, label: "Volver a la consulta" }}>
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
          <ProfessionalBox
            consultationId={id}
            answering={answering}
            response={actionData}
            onSent={() => navigate(`${back}#respuestas`, { replace: true })}
          />
        ) : (
          <EmptyState title={refusal.description} />
        )}
      </div>
    </FormPage>
  );
}
