import { useEffect, useState } from "react";
import { href, useSearchParams } from "react-router";
import { type FailureHandle, failure } from "#app/lib/client-error-messages.ts";
import { CONSULTATION_DRAFT, readDraft } from "#app/lib/drafts.ts";
import { errorMessage } from "#app/lib/error-messages.ts";
import { formAction } from "#app/lib/form-action.server.ts";
import type { HelpHandle } from "#app/lib/help-path.ts";
import { pageMeta } from "#app/lib/page-meta.ts";
import { requireViewer, runLoader } from "#app/lib/page-request.server.ts";
import { ButtonLink } from "#app/ui/button.tsx";
import { EmptyState } from "#app/ui/empty-state.tsx";
import { FormMessage } from "#app/ui/form-message.tsx";
import { FormPage } from "#app/ui/form-page.tsx";
import type { Route } from "./+types/new-consultation.ts";
import { CardPreview } from "./card-preview.tsx";
import ConsultationForm, { WeeklyLimitMessage } from "./consultation-form.tsx";

export const handle = {
  helpCountry: (shown) => shown?.weekly?.country,
  failed: { act: failure("No se pudo crear la consulta") },
} satisfies HelpHandle<Route.ComponentProps["loaderData"]> & FailureHandle;

export const meta: Route.MetaFunction = () => pageMeta("Nueva Consulta");

export const loader = (args: Route.LoaderArgs) =>
  runLoader(args, async ({ api }) => {
    const { user_type } = requireViewer(args);
    if (user_type === "psychologist") return { weekly: null, helpLines: null };
    const weekly = await api.consultations.weeklyLimit({});
    const helpLines = await api.safety.helpLines({ country: weekly.country });
    return { weekly, helpLines };
  });

export const action = formAction(async ({ api, input, leave }) => {
  const { id } = await api.consultations.create(input());
  return leave(href("/consulta/:id", { id }), "consultation_created");
});

/** Tells a user who registered in another tab that the draft is in the first tab. */
function WrittenElsewhere() {
  const [parameters] = useSearchParams();
  const [elsewhere, setElsewhere] = useState(false);
  useEffect(() => setElsewhere(parameters.has("borrador") && !readDraft(CONSULTATION_DRAFT)), [parameters]);
  if (!elsewhere) return null;
  return (
    <FormMessage tone="info" title="Tu texto está en otra pestaña">
      Sigue en la pestaña donde lo escribiste: vuelve a ella para publicarlo. Si la cerraste, ya no está en ningún lado.
    </FormMessage>
  );
}

export default function NewConsultation({ loaderData: { weekly, helpLines }, actionData }: Route.ComponentProps) {
  const limitReached = weekly !== null && weekly.used >= weekly.max_consultations;
  const refusal = weekly === null ? errorMessage("psychologists_cannot_ask") : null;
  return (
    <FormPage
      title="Nueva Consulta"
      back={{ to: "/#consultas", label: "Volver a las consultas" }}
      className={weekly && !limitReached ? "new-consultation-page" : undefined}
    >
      {refusal && (
        <div className="thread__part">
          <EmptyState
            title={refusal.description}
            action={
              <ButtonLink to="/#consultas" small>
                Ver consultas para responder
              </ButtonLink>
            }
          />
        </div>
      )}
      {weekly && helpLines && (
        <div className="panel thread__part stack">
          {/* The form with a refused text stays if another tab has used the limit. */}
          {limitReached && !actionData ? (
            <WeeklyLimitMessage limit={weekly} helpLines={helpLines} />
          ) : (
            <>
              <WrittenElsewhere />
              <ConsultationForm response={actionData} values={actionData?.typed} preview={CardPreview} />
            </>
          )}
        </div>
      )}
    </FormPage>
  );
}
