import { ActionForm, FormError, SubmitButton, useForm } from "#app/components/action-form.tsx";
import { formAction } from "#app/lib/form-action.server.ts";
import { formatDate, pluralize } from "#app/lib/format.ts";
import { pageMeta } from "#app/lib/page-meta.ts";
import { reloadAfterConflict } from "#app/lib/reload-after-conflict.ts";
import { BackLink } from "#app/ui/back-link.tsx";
import { CenteredPage, CenteredPageCard } from "#app/ui/centered-page.tsx";
import { Panel } from "#app/ui/panel.tsx";
import { AppError } from "#shared/errors.ts";
import { PROVIDER_NAMES } from "#shared/plans.ts";
import type { Route } from "./+types/close-cancellation.ts";
import { Consequences, DecisionActions, Facts, ReasonField } from "./decision-page.tsx";
import { ENDED_BY } from "./problem-text.ts";
import { loadAdminPage } from "./section.server.ts";

const TITLE = "Dejar de intentar una cancelación";
const LIST = "/admin/membresias";

export const meta: Route.MetaFunction = () => pageMeta(TITLE);

export const shouldRevalidate = reloadAfterConflict;

export const loader = (args: Route.LoaderArgs) =>
  loadAdminPage(args, async ({ api }) => {
    const { cancellations } = await api.payments.read({});
    const cancellation = cancellations.find(({ id }) => id === args.params.id);
    if (!cancellation) throw new AppError("not_found");
    return { cancellation };
  });

export const action = formAction(async ({ api, args, input, leave }) => {
  await api.payments.closeCancellation(input("version", "reason", { id: args.params.id }));
  return leave(LIST, "cancellation_closed");
});

export default function CloseCancellation({ loaderData, actionData }: Route.ComponentProps) {
  const form = useForm(actionData, { toast: true });
  const { version, provider, external_subscription_id, ended_by, psychologist, requested_at, tries } =
    loaderData.cancellation;
  const name = PROVIDER_NAMES[provider];
  return (
    <CenteredPage title={TITLE} wide before={<BackLink to={LIST}>Membresías</BackLink>}>
      <CenteredPageCard>
        <FormError form={form} />
        <Facts
          facts={[
            { term: "De", value: psychologist?.full_name ?? "Una cuenta que ya no existe" },
            { term: "Por qué terminó", value: ENDED_BY[ended_by] },
            { term: name, value: external_subscription_id },
            { term: "Se intenta desde", value: `el ${formatDate(requested_at)}, ${pluralize(tries, "vez", "veces")}` },
          ]}
        />
      </CenteredPageCard>
      <Panel title="Qué pasa si lo cierras" className="centered-page__card">
        <Consequences
          lines={[
            `Ya no se intenta cancelarla. Si ${name} la sigue cobrando, solo se verá allí y como cobro después de terminar.`,
            "Aquí no cambia nada: si la membresía terminó, no vuelve a dar Gold.",
            ...(psychologist
              ? [
                  `En su página de planes, ${psychologist.full_name} lee que ${name} no lo ha confirmado y que lo compruebe allí.`,
                ]
              : []),
          ]}
        />
        <ActionForm fields={{ version }} preventScrollReset className="stack">
          <ReasonField form={form} read="Queda en el registro; la persona no lo lee." />
          <DecisionActions cancel={LIST}>
            <SubmitButton variant="danger" busyText="Cerrando…">
              Dejar de intentarlo
            </SubmitButton>
          </DecisionActions>
        </ActionForm>
      </Panel>
    </CenteredPage>
  );
}
