import { href } from "react-router";
import { type ConsultationValues, valuesOf } from "#app/consultations/consultation-fields.ts";
import { ConsultationForm } from "#app/consultations/consultation-form.tsx";
import { isTicked } from "#app/lib/checkbox-field.ts";
import { pageMeta } from "#app/lib/page-meta.ts";
import {
  act,
  announce,
  fieldsOf,
  load,
  nullWhenGone,
  redirectOn,
  requireViewer,
  withCode,
} from "#app/lib/page-request.server.ts";
import { EditPage } from "#app/parts/edit-and-delete.tsx";
import { UnsentPage } from "#app/parts/unsent.tsx";
import { AppError } from "#shared/errors.ts";
import type { Route } from "./+types/edit-consultation.ts";

export const meta: Route.MetaFunction = () => pageMeta("Editar consulta");

export const loader = (args: Route.LoaderArgs) =>
  load(args, async (here) => {
    const { id } = args.params;
    requireViewer(args);
    const detail = await nullWhenGone(here, here.api.consultations.get({ id }));
    if (!detail) return null;
    const { consultation, viewer: own } = detail;
    if (!own.can.edit) throw new AppError("consultation_not_found");
    return { consultation, author_name: own.author_name, mail_answers: own.mail_answers };
  });

export const action = async (args: Route.ActionArgs) => {
  const fields = fieldsOf(args);
  const { id } = args.params;
  const result = await act(args, async (here) => {
    if (fields.intent === "mails") {
      const wanted = isTicked(fields.mail_answers);
      const { consultation, viewer: own } = await here.api.consultations.get({ id });
      const { title, content, country, category, is_anonymous } = consultation;
      const author_name = own.author_name ?? undefined;
      const same = { title, content, country, category: category ?? undefined, is_anonymous, author_name };
      await here.api.consultations.edit({ id, ...same, mail_answers: wanted } as Parameters<
        typeof here.api.consultations.edit
      >[0]);
      announce(here, wanted ? "answer_mails_on" : "answer_mails_off");
      throw redirectOn(args, href("/consulta/:id", { id }));
    }
    // Forms omit unticked checkboxes, but the operation requires a value.
    const corrected = {
      ...fields,
      is_anonymous: fields.is_anonymous ?? "false",
      mail_answers: fields.mail_answers || "false",
      id,
    };
    await here.api.consultations
      .edit(corrected as Parameters<typeof here.api.consultations.edit>[0])
      .catch((error: unknown) => {
        throw withCode(error, { gone: "gone_meanwhile" });
      });
    announce(here, "changes_saved");
    throw redirectOn(args, href("/consulta/:id", { id }));
  });
  return { ...result, data: { ...result.data, values: fields as ConsultationValues } };
};

/** Page that edits the user's own consultation. Without JavaScript it also shows a failed edit. */
export default function EditConsultation({ loaderData, actionData }: Route.ComponentProps) {
  if (!loaderData) {
    const { title = "", content = "" } = actionData?.values ?? {};
    return <UnsentPage refused={actionData} text={`${title}\n\n${content}`} />;
  }
  const { consultation, ...own } = loaderData;
  return (
    <EditPage title="Editar consulta" back={href("/consulta/:id", { id: consultation.id })}>
      <ConsultationForm
        editing={consultation}
        refused={actionData}
        values={actionData?.values ?? valuesOf(consultation, own)}
      />
    </EditPage>
  );
}
