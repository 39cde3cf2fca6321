import { href } from "react-router";
import { EditPage } from "#app/components/edit-and-delete.tsx";
import { UnsentPage } from "#app/components/unsent.tsx";
import { type ConsultationValues, consultationFormValues } from "#app/consultations/consultation-fields.ts";
import { ConsultationForm } from "#app/consultations/consultation-form.tsx";
import { isChecked } from "#app/lib/checkbox-field.ts";
import { pageMeta } from "#app/lib/page-meta.ts";
import {
  formFields,
  nullIfDeleted,
  redirectHidingHistory,
  requireViewer,
  runAction,
  runLoader,
  setFlash,
  withErrorCode,
} from "#app/lib/page-request.server.ts";
import { AppError } from "#shared/errors.ts";
import type { Route } from "./+types/edit-consultation.ts";

export const meta: Route.MetaFunction = () => pageMeta("Editar consulta");

export const loader = (args: Route.LoaderArgs) =>
  runLoader(args, async (ctx) => {
    const { id } = args.params;
    requireViewer(args);
    const detail = await nullIfDeleted(ctx, ctx.api.consultations.get({ id }));
    if (!detail) return null;
    const { consultation, viewer: own, noindex } = detail;
    if (!own.can.edit) throw new AppError("consultation_not_found");
    return { consultation, author_name: own.author_name, notify_on_answer: own.notify_on_answer, noindex };
  });

export const action = async (args: Route.ActionArgs) => {
  const fields = formFields(args);
  const { id } = args.params;
  const result = await runAction(args, async (ctx) => {
    if (fields.intent === "mails") {
      const wanted = isChecked(fields.notify_on_answer);
      const { consultation, viewer: own } = await ctx.api.consultations.get({ id });
      const { title, content, country, category, is_anonymous } = consultation;
      const author_name = own.author_name ?? undefined;
      const same = { title, content, country, category: category ?? undefined, is_anonymous, author_name };
      await ctx.api.consultations.edit({ id, ...same, notify_on_answer: wanted } as Parameters<
        typeof ctx.api.consultations.edit
      >[0]);
      setFlash(ctx, wanted ? "answer_mails_on" : "answer_mails_off");
      throw redirectHidingHistory(args, href("/consulta/:id", { id }));
    }
    // Forms omit unticked checkboxes, but the operation requires a value.
    const corrected = {
      ...fields,
      is_anonymous: fields.is_anonymous ?? "false",
      notify_on_answer: fields.notify_on_answer || "false",
      noindex: fields.noindex ?? "false",
      id,
    };
    await ctx.api.consultations
      .edit(corrected as Parameters<typeof ctx.api.consultations.edit>[0])
      .catch((error: unknown) => {
        throw withErrorCode(error, { gone: "parent_deleted" });
      });
    setFlash(ctx, "changes_saved");
    throw redirectHidingHistory(args, href("/consulta/:id", { id }));
  });
  return { ...result, data: { ...result.data, values: fields as ConsultationValues } };
};

/** Page that edits the user's own consultation. Without JavaScript it also shows a failed edit. */
export default function EditConsultation({ loaderData, actionData }: Route.ComponentProps) {
  if (!loaderData) {
    const { title = "", content = "" } = actionData?.values ?? {};
    return <UnsentPage actionError={actionData} text={`${title}\n\n${content}`} />;
  }
  const { consultation, noindex, ...own } = loaderData;
  return (
    <EditPage title="Editar consulta" back={href("/consulta/:id", { id: consultation.id })}>
      <ConsultationForm
        editing={consultation}
        actionError={actionData}
        values={actionData?.values ?? consultationFormValues(consultation, own, noindex)}
      />
    </EditPage>
  );
}
