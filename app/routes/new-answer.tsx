import { Link } from "react-router";
import { ProfessionalBox } from "#app/consultations/professional-box.tsx";
import { act, announce, fieldsOf, load, page, redirect } from "#app/lib/api.server.ts";
import { errorWords } from "#app/lib/error-messages.ts";
import { tintOf } from "#app/lib/tint.ts";
import { EmptyState } from "#app/ui/empty-state.tsx";
import { BackIcon } from "#app/ui/icon.tsx";
import { PlainText } from "#app/ui/text.tsx";
import { PRODUCT_NAME } from "#shared/product.ts";
import type { Route } from "./+types/new-answer.ts";

export const meta: Route.MetaFunction = () => [
  { title: `Responder como Profesional · ${PRODUCT_NAME}` },
  { name: "robots", content: "noindex" },
];

export const loader = (args: Route.LoaderArgs) =>
  load(args, async ({ api, viewer }) => {
    if (!viewer()) throw redirect(`/auth?volver=/consulta/${args.params.id}/respuesta`);
    const { consultation, viewer: own } = await api.consultations.get({ id: args.params.id });
    return { consultation, answering: own.answering };
  });

export const action = async (args: Route.ActionArgs) => {
  const { content } = fieldsOf(args);
  const { isDocument } = page(args);
  const answer = await act(args, async (here) => {
    await here.api.answers.create({ id: args.params.id, content: content ?? "" });
    if (isDocument) {
      announce(here, "answer_sent");
      throw redirect(`/consulta/${args.params.id}`);
    }
    return { done: true };
  });
  return "done" in answer ? answer : { ...answer, data: { ...answer.data, content } };
};

/** Answering on a page of its own: from a card of the feed, and without JavaScript. */
export default function NewAnswer({ loaderData: { consultation, answering }, actionData }: Route.ComponentProps) {
  const { id, title, content, country, category, author_label } = consultation;
  const refusal = errorWords("only_psychologists_answer");
  const failed = actionData && "refused" in actionData ? actionData : undefined;
  return (
    <main id="contenido" className="page">
      <div className="thread section">
        <Link className="golink" to={`/consulta/${consultation.id}`}>
          <BackIcon size="s" />
          Volver a la consulta
        </Link>
        <div className={`ask t${tintOf(id)} thread__part`}>
          <p className="meta">
            {category && <span className="cat">{category}</span>}
            <span>{country}</span>
            <span>{author_label}</span>
          </p>
          <h1>{title}</h1>
          <PlainText text={content} />
        </div>
        <div className="thread__part">
          {answering ? (
            <ProfessionalBox
              consultationId={id}
              answering={answering}
              refused={failed}
              value={(failed as { content?: string } | undefined)?.content}
            />
          ) : (
            <EmptyState title={refusal.description} />
          )}
        </div>
      </div>
    </main>
  );
}
