import { data, Form, redirect } from "react-router";
import { ActionErrorMessage } from "#app/components/action-error-message.tsx";
import { useActionErrorToast } from "#app/components/action-error-toast.ts";
import { EmailInput } from "#app/components/email-input.tsx";
import { formatDate } from "#app/lib/dates.ts";
import { pageMeta } from "#app/lib/page-meta.ts";
import { formErrorResponse, formFields, runAction, setFlash } from "#app/lib/page-request.server.ts";
import { useSubmitting } from "#app/lib/submitting.ts";
import { Button } from "#app/ui/button.tsx";
import { CenteredPageCard } from "#app/ui/centered-page.tsx";
import { Panel } from "#app/ui/panel.tsx";
import { AppError } from "#shared/errors.ts";
import type { PaymentAssignmentView } from "#shared/payments.ts";
import { formatAmount, PLAN_NAMES, PROVIDER_NAMES } from "#shared/plans.ts";
import type { Route } from "./+types/assign-payment.ts";
import { Consequences, DecisionActions, DecisionPage, Facts } from "./decision-page.tsx";
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

/** Shows the consequences first, then assigns the payment. The form is posted, so that the email is not in the URL. */
export async function action(args: Route.ActionArgs) {
  const { id } = args.params;
  const { intent, email = "", version = "" } = formFields(args);
  const result = await runAction(args, async (ctx) => {
    if (intent !== "tie") return { tie: await ctx.api.payments.offerTie({ id, email }) };
    await ctx.api.payments.tie({ id, email, version });
    setFlash(ctx, "payment_assigned");
    throw redirect(LIST);
  });
  return "tie" in result ? data({ tie: result.tie, email, at: 0 }) : formErrorResponse(args, result, { email });
}

export default function AssignPayment({ loaderData, actionData }: Route.ComponentProps) {
  const actionError = useActionErrorToast(actionData);
  const { kind, reason, provider, external_id } = loaderData.problem;
  const tie = actionData && "tie" in actionData ? actionData.tie : null;
  return (
    <DecisionPage title={TITLE} back={{ to: LIST, label: "Membresías" }}>
      <CenteredPageCard>
        <ActionErrorMessage result={actionData} />
        <Facts
          facts={[
            { term: "Asunto", value: PROBLEMS[kind].title + (reason ? `: ${REASONS[reason]}` : "") },
            { term: PROVIDER_NAMES[provider], value: external_id },
          ]}
        />
      </CenteredPageCard>
      {tie ? <Confirm tie={tie} /> : <PaymentOwnerForm email={actionData?.email} error={actionError?.fields?.email} />}
    </DecisionPage>
  );
}

function PaymentOwnerForm({ email, error }: { email: string | undefined; error: string | undefined }) {
  const busy = useSubmitting({ intent: "ask" });
  return (
    <Panel title="¿De quién es este pago?" className="centered-page__card">
      <Form noValidate method="post" preventScrollReset className="decision__form">
        <input type="hidden" name="intent" value="ask" />
        <EmailInput
          label="Correo del psicólogo"
          autoComplete="off"
          defaultValue={email}
          error={error}
          hint="El de su cuenta aquí; el de quien pagó puede ser otro."
        />
        <DecisionActions cancel={LIST}>
          <Button type="submit" variant="soft" busy={busy} busyText="Leyendo el servicio…">
            Ver qué pasaría
          </Button>
        </DecisionActions>
      </Form>
    </Panel>
  );
}

/** Consequences of assigning a payment to a psychologist. */
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
  const busy = useSubmitting({ intent: "tie" });
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
      <Form noValidate method="post" preventScrollReset className="decision__form">
        <input type="hidden" name="intent" value="tie" />
        <input type="hidden" name="email" value={psychologist.email} />
        <input type="hidden" name="version" value={version} />
        <DecisionActions cancel={LIST}>
          <Button type="submit" busy={busy} busyText="Vinculando…">
            Vincular el pago
          </Button>
        </DecisionActions>
      </Form>
    </Panel>
  );
}
