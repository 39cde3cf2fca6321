import { href } from "react-router";
import { EmailInput } from "#app/components/account-fields.tsx";
import { ActionForm, FormError, fieldOf, SubmitButton, useForm } from "#app/components/action-form.tsx";
import { formAction } from "#app/lib/form-action.server.ts";
import { pageMeta } from "#app/lib/page-meta.ts";
import { BackLink } from "#app/ui/back-link.tsx";
import { CenteredPage, CenteredPageCard } from "#app/ui/centered-page.tsx";
import { Figures, Panel } from "#app/ui/panel.tsx";
import { AppError } from "#shared/errors.ts";
import { PROVIDER_NAMES } from "#shared/plans.ts";
import type { Route } from "./+types/assign-payment.ts";
import { Consequences, DecisionActions } from "./parts.tsx";
import { PROBLEMS, REASONS } from "./problem-text.ts";
import { loadAdminPage } from "./section.server.ts";

const TITLE = "Vincular un pago";
const LIST = "/admin/membresias";

export const meta: Route.MetaFunction = () => pageMeta(TITLE);

export const loader = (args: Route.LoaderArgs) =>
  loadAdminPage(args, async ({ api }) => {
    const { problems } = await api.payments.read({});
    const problem = problems.find(({ id, can }) => id === args.params.id && can.tie);
    if (!problem) throw new AppError("not_found");
    return { problem };
  });

export const action = formAction(async ({ api, args, input, leave }) => {
  const { psychologist_id } = await api.payments.tie(input("email", { id: args.params.id }));
  return leave(href("/admin/psicologo/:id/gold", { id: psychologist_id }), "payment_assigned");
});

export default function AssignPayment({ loaderData, actionData }: Route.ComponentProps) {
  const form = useForm(actionData, { toast: true });
  const { kind, reason, provider, external_id } = loaderData.problem;
  return (
    <CenteredPage title={TITLE} wide before={<BackLink to={LIST}>Membresías</BackLink>}>
      <CenteredPageCard>
        <FormError form={form} />
        <Figures
          items={[
            ["Asunto", PROBLEMS[kind].title + (reason ? `: ${REASONS[reason]}` : "")],
            [PROVIDER_NAMES[provider], external_id],
          ]}
          className="decision__facts"
        />
      </CenteredPageCard>
      <Panel title="¿De quién es este pago?" className="centered-page__card">
        <Consequences
          lines={[
            "Se lee en el servicio de pago y se vincula solo si da Gold. Si es de por vida, el plan Mensual de la persona termina y se cancela.",
            "La persona tiene Gold enseguida y recibe el recibo por correo. Los cobros siguientes también son suyos.",
          ]}
        />
        <ActionForm preventScrollReset className="stack">
          <EmailInput
            label="Correo del psicólogo"
            autoComplete="off"
            {...fieldOf(form, "email")}
            hint="El de su cuenta aquí; el de quien pagó puede ser otro."
          />
          <DecisionActions cancel={LIST}>
            <SubmitButton busyText="Leyendo el servicio…">Vincular el pago</SubmitButton>
          </DecisionActions>
        </ActionForm>
      </Panel>
    </CenteredPage>
  );
}
