import { act, announce, beforeDeleting, leadOn, load, redirect } from "#app/lib/api.server.ts";
import { DeletePage } from "#app/parts/own-text.tsx";
import { PRODUCT_NAME } from "#shared/product.ts";
import type { Route } from "./+types/delete-answer.ts";

export const meta: Route.MetaFunction = () => [
  { title: `Eliminar respuesta · ${PRODUCT_NAME}` },
  { name: "robots", content: "noindex" },
];

export const loader = (args: Route.LoaderArgs) =>
  load(args, async ({ api, viewer }) => {
    const { id } = args.params;
    if (!viewer()) throw redirect(`/auth?volver=/respuesta/${id}/eliminar`);
    return api.answers.own({ id });
  });

export const action = (args: Route.ActionArgs) =>
  act(args, async (here) => {
    const { id } = args.params;
    const remove = () => here.api.answers.delete({ id });
    const { consultation_id } = await beforeDeleting(here.api.answers.own({ id }), remove);
    await remove();
    announce(here, "answer_deleted");
    throw leadOn(args, `/consulta/${consultation_id}`);
  });

export default function DeleteAnswer({ loaderData, actionData }: Route.ComponentProps) {
  return (
    <DeletePage
      kind="answer"
      back={`/consulta/${loaderData.consultation_id}?respuesta=${loaderData.id}#respuesta-${loaderData.id}`}
      quote={loaderData.content}
      refused={actionData}
    />
  );
}
