import { Link } from "react-router";
import { ReplyForm } from "#app/consultations/answer-card.tsx";
import { act, announce, cameFromConsultation, fieldsOf, page, redirect } from "#app/lib/api.server.ts";
import { BackIcon } from "#app/ui/icon.tsx";
import { PRODUCT_NAME } from "#shared/product.ts";
import type { Route } from "./+types/new-reply.ts";

export const meta: Route.MetaFunction = () => [
  { title: `Responder · ${PRODUCT_NAME}` },
  { name: "robots", content: "noindex" },
];

export const loader = (args: Route.LoaderArgs) => {
  const { viewer } = page(args);
  if (!viewer()) throw redirect(`/auth?volver=/respuesta/${args.params.id}/comentario`);
  return { id: args.params.id };
};

export const action = async (args: Route.ActionArgs) => {
  const { content } = fieldsOf(args);
  const { isDocument, publicUrl } = page(args);
  const from = cameFromConsultation(args.request, publicUrl);
  const answer = await act(args, async (here) => {
    const made = await here.api.answers.reply({ id: args.params.id, content: content ?? "" });
    if (isDocument) {
      announce(here, "answer_sent");
      // Back to where it was written: there it stands under the answer. Else to the page that begins with the answer.
      const { consultation_id } = await here.api.replies.own({ id: made.id });
      const page = from ? from.pathname + from.search : `/consulta/${consultation_id}?respuesta=${args.params.id}`;
      throw redirect(`${page}#comentario-${made.id}`);
    }
    return { done: true };
  });
  return "done" in answer
    ? answer
    : { ...answer, data: { ...answer.data, content, back: from && from.pathname + from.search } };
};

/** Replying on a page of its own: where a refused reply lands without JavaScript, with its text. */
export default function NewReply({ loaderData, actionData }: Route.ComponentProps) {
  const failed =
    actionData && "refused" in actionData
      ? (actionData as unknown as { refused: unknown; content?: string; back?: string | null })
      : undefined;
  return (
    <main id="contenido" className="page">
      <div className="thread section">
        <Link className="golink" to={failed?.back ?? "/"}>
          <BackIcon size="s" />
          Volver
        </Link>
        <h1 className="h-xl">Responder</h1>
        <div className="panel thread__part">
          <ReplyForm answerId={loaderData.id} refused={failed} value={failed?.content} />
        </div>
      </div>
    </main>
  );
}
