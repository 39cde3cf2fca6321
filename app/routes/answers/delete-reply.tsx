import { act, announce, beforeDeleting, leadOn, load, redirect } from "#app/lib/api.server.ts";
import { DeletePage } from "#app/parts/own-text.tsx";
import { PRODUCT_NAME } from "#shared/product.ts";
import type { Route } from "./+types/delete-reply.ts";

export const meta: Route.MetaFunction = () => [
  { title: `Eliminar comentario · ${PRODUCT_NAME}` },
  { name: "robots", content: "noindex" },
];

export const loader = (args: Route.LoaderArgs) =>
  load(args, async ({ api, viewer }) => {
    const { id } = args.params;
    if (!viewer()) throw redirect(`/auth?volver=/comentario/${id}/eliminar`);
    return api.replies.own({ id });
  });

export const action = (args: Route.ActionArgs) =>
  act(args, async (here) => {
    const { id } = args.params;
    const remove = () => here.api.replies.delete({ id });
    const { consultation_id } = await beforeDeleting(here.api.replies.own({ id }), remove);
    await remove();
    announce(here, "reply_deleted");
    throw leadOn(args, `/consulta/${consultation_id}`);
  });

export default function DeleteReply({ loaderData, actionData }: Route.ComponentProps) {
  return (
    <DeletePage
      kind="reply"
      back={`/consulta/${loaderData.consultation_id}?comentario=${loaderData.id}#comentario-${loaderData.id}`}
      quote={loaderData.content}
      refused={actionData}
    />
  );
}
