import { href, redirect } from "react-router";
import { DeletePage } from "#app/components/edit-and-delete.tsx";
import { pageMeta } from "#app/lib/page-meta.ts";
import {
  deleteEvenIfRemoved,
  formFields,
  requireViewer,
  runAction,
  runLoader,
  setFlash,
} from "#app/lib/page-request.server.ts";
import { AppError } from "#shared/errors.ts";
import type { Route } from "./+types/delete-consultation.ts";

export const meta: Route.MetaFunction = () => pageMeta("Eliminar consulta");

export const loader = (args: Route.LoaderArgs) =>
  runLoader(args, async ({ api }) => {
    const { id } = args.params;
    requireViewer(args);
    const { consultation, viewer: own } = await api.consultations.get({ id });
    if (!own.can.delete && !own.can.remove) throw new AppError("consultation_not_found");
    return {
      id,
      title: consultation.title,
      version: own.removal_version ?? undefined,
      kind: own.can.delete ? ("consultation" as const) : ("removal" as const),
    };
  });

/**
 * Deletes the user's own consultation, or removes another user's as administrator. Only a removal may restore the
 * author's weekly limit.
 */
export const action = (args: Route.ActionArgs) =>
  runAction(args, async (ctx) => {
    const { id } = args.params;
    const { version = "" } = formFields(args);
    const remove = () => ctx.api.consultations.delete({ id });
    const { can } = (await deleteEvenIfRemoved(ctx.api.consultations.get({ id }), remove)).viewer;
    if (can.remove) {
      await ctx.api.admin.deleteConsultation({ id, version });
      setFlash(ctx, "removed_from_page");
    } else {
      await remove();
      setFlash(ctx, "consultation_deleted");
    }
    throw redirect("/");
  });

export default function DeleteConsultation({ loaderData, actionData }: Route.ComponentProps) {
  return (
    <DeletePage
      kind={loaderData.kind}
      back={href("/consulta/:id", { id: loaderData.id })}
      quote={loaderData.title}
      version={loaderData.version}
      actionError={actionData}
    />
  );
}
