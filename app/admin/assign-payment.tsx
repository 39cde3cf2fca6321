import { EmailInput } from "#app/components/account-fields.tsx";
import { ActionForm, FormError, type FormState, fieldOf, SubmitButton, useForm } from "#app/components/action-form.tsx";
import { formAction } from "#app/lib/form-action.server.ts";
import { formatDate } from "#app/lib/format.ts";
import { pageMeta } from "#app/lib/page-meta.ts";
import { BackLink } from "#app/ui/back-link.tsx";
import { CenteredPage, CenteredPageCard } from "#app/ui/centered-page.tsx";
import { Panel } from "#app/ui/panel.tsx";
import { AppError } from "#shared/errors.ts";
import type { PaymentAssignmentView } from "#shared/payments.ts";
import { formatAmount, PLAN_NAMES, PROVIDER_NAMES } from "#shared/plans.ts";
import type { Route } from "./+types/assign-payment.ts";
import { Consequences, DecisionActions, Facts } from "./decision-page.tsx";
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

/** Shows the consequences first, then assigns the payment. POST keeps the email out of the URL. */
export const action = formAction({
  async ask({ api, args, input }) {
    return { tie: await api.payments.offerTie(input("email", { id: args.params.id })) };
  },
  async tie({ api, args, input, leave }) {
    await api.payments.tie(input("email", "version", { id: args.params.id }));
    return leave(LIST, "payment_assigned");
  },
});

export default function AssignPayment({ loaderData, actionData }: Route.ComponentProps) {
  const form = useForm(actionData, { toast: true });
  const { kind, reason, provider, external_id } = loaderData.problem;
  const tie = actionData && "tie" in actionData ? actionData.tie : null;
  return (
    <CenteredPage title={TITLE} wide before={<BackLink to={LIST}>Membresías</BackLink>}>
      <CenteredPageCard>
        <FormError form={form} />
        <Facts
          facts={[
            { term: "Asunto", value: PROBLEMS[kind].title + (reason ? `: ${REASONS[reason]}` : "") },
            { term: PROVIDER_NAMES[provider], value: external_id },
          ]}
        />
      </CenteredPageCard>
      {tie ? <Confirm tie={tie} /> : <PaymentOwnerForm form={form} />}
    </CenteredPage>
  );
}

function PaymentOwnerForm({ form }: { form: FormState }) {
  return (
    <Panel title="¿De quién es este pago?" className="centered-page__card">
      <ActionForm noValidate fields={{ intent: "ask" }} preventScrollReset className="stack">
        <EmailInput
          label="Correo del psicólogo"
          autoComplete="off"
          {...fieldOf(form, "email")}
          hint="El de su cuenta aquí; el de quien pagó puede ser otro."
        />
        <DecisionActions cancel={LIST}>
          <SubmitButton variant="soft" busyText="Leyendo el servicio…">
            Ver qué pasaría
          </SubmitButton>
        </DecisionActions>
      </ActionForm>
    </Panel>
  );
}

function assignmentConsequences(tie: PaymentAssignmentView): string[] {
  const { psychologist, provider, plan_type, paid_at, gold_until, renews, replaces_monthly } = tie;
  const name = PROVIDER_NAMES[provider];
  const until =
    plan_type === "lifetime"
      ? "de por vida"
      : gold_until
        ? `hasta el ${formatDate(gold_until)}`
        : "por 72 horas, hasta el primer cobro";
  return [
    `${psychologist.full_name} tiene Gold ${until}, con el plan ${PLAN_NAMES[plan_type]}${paid_at ? ` que se pagó el ${formatDate(paid_at)}` : ""}.`,
    ...(renews ? [`${name} lo sigue cobrando cada mes; la persona puede cancelarlo cuando quiera.`] : []),
    ...(plan_type === "monthly" && !renews ? [`${name} no lo cobra más.`] : []),
    ...(replaces_monthly ? ["Su plan Mensual de ahora termina y se cancela."] : []),
    "La persona recibe el recibo por correo. Las lecturas siguientes lo mantienen como suyo.",
  ];
}

function Confirm({ tie }: { tie: PaymentAssignmentView }) {
  const { psychologist, plan_type, amount, currency, version } = tie;
  return (
    <Panel title={`Vincularlo a ${psychologist.full_name}`} className="centered-page__card">
      <Facts
        facts={[
          { term: "Correo", value: psychologist.email },
          { term: "Plan", value: `${PLAN_NAMES[plan_type]}, ${formatAmount(amount, currency)} ${currency}` },
        ]}
      />
      <Consequences lines={assignmentConsequences(tie)} />
      <ActionForm
        noValidate
        fields={{ intent: "tie", email: psychologist.email, version }}
        preventScrollReset
        className="stack"
      >
        <DecisionActions cancel={LIST}>
          <SubmitButton busyText="Vinculando…">Vincular el pago</SubmitButton>
        </DecisionActions>
      </ActionForm>
    </Panel>
  );
}
