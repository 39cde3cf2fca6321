import { Link } from "react-router";
import { act, announce, fieldsOf, leadOn, load, orGone, redirect, renamed } from "#app/lib/api.server.ts";
import { EditWordsForm } from "#app/parts/own-text.tsx";
import { UnsentPage } from "#app/shell/unsent.tsx";
import { BackIcon } from "#app/ui/more-icons.tsx";
import { PRODUCT_NAME } from "#shared/product.ts";
import type { Route } from "./+types/edit-reply.ts";

export const meta: Route.MetaFunction = () => [
  { title: `Editar comentario · ${PRODUCT_NAME}` },
  { name: "robots", content: "noindex" },
];

export const loader = (args: Route.LoaderArgs) =>
  load(args, async (here) => {
    const { id } = args.params;
    if (!here.viewer()) throw redirect(`/auth?volver=/comentario/${id}/editar`);
    return orGone(here, here.api.replies.own({ id }));
  });

export const action = async (args: Route.ActionArgs) => {
  const { content = "" } = fieldsOf(args);
  const { id } = args.params;
  const answer = await act(args, async (here) => {
    const { consultation_id } = await here.api.replies.own({ id }).catch((error: unknown) => {
      throw renamed(error, { gone: "gone_meanwhile" });
    });
    await here.api.replies.edit({ id, content });
    announce(here, "changes_saved");
    throw leadOn(args, `/consulta/${consultation_id}${here.isDocument ? `?comentario=${id}` : ""}#comentario-${id}`);
  });
  return { ...answer, data: { ...answer.data, content } };
};

/** Correcting one's own reply on a page of its own: where a refused correction lands without JavaScript, with its text. */
export default function EditReply({ loaderData, actionData }: Route.ComponentProps) {
  if (!loaderData) return <UnsentPage refused={actionData} text={actionData?.content ?? ""} />;
  const { id, content, consultation_id } = loaderData;
  return (
    <main id="contenido" className="page">
      <div className="thread section">
        <Link className="icon-link" to={`/consulta/${consultation_id}?comentario=${id}#comentario-${id}`}>
          <BackIcon size="s" />
          Volver a la consulta
        </Link>
        <h1 className="title-xl">Editar comentario</h1>
        <div className="panel thread__part">
          <EditWordsForm kind="reply" id={id} value={actionData?.content ?? content} refused={actionData} />
        </div>
      </div>
    </main>
  );
}
