import { data, Form, redirect } from "react-router";
import { Consequences, DecisionPage, Facts, Ways } from "#app/admin/decision-page.tsx";
import { loadDecision } from "#app/admin/decision-request.server.ts";
import { PROBLEMS, REASONS } from "#app/admin/payments/matter-words.ts";
import { tieFollows } from "#app/admin/payments/tie-words.ts";
import { tabAddress } from "#app/admin/tabs.ts";
import { pageMeta } from "#app/lib/page-meta.ts";
import { act, announce, fieldsOf, refusedForm } from "#app/lib/page-request.server.ts";
import { useSubmitting } from "#app/lib/submitting.ts";
import { EmailInput } from "#app/parts/email-input.tsx";
import { RefusalMessage } from "#app/parts/refusal-message.tsx";
import { useRefusalToast } from "#app/parts/refusal-toast.ts";
import { Button } from "#app/ui/button.tsx";
import { NookCard } from "#app/ui/nook.tsx";
import { Panel } from "#app/ui/panel.tsx";
import { AppError } from "#shared/errors.ts";
import type { TieView } from "#shared/payments.ts";
import { amountWords, PLAN_NAMES, PROVIDER_NAMES } from "#shared/plans.ts";
import type { Route } from "./+types/tie-payment.ts";

const TITLE = "Vincular un pago";
const LIST = tabAddress("membresias");

export const meta: Route.MetaFunction = () => pageMeta(TITLE);

export const loader = (args: Route.LoaderArgs) =>
  loadDecision(args, async ({ api }) => {
    const { problems } = await api.payments.read({});
    const problem = problems.find(({ id, can }) => id === args.params.id && can.tie);
    if (!problem) throw new AppError("not_found");
    return { problem };
  });

/** Shows the consequences first, then assigns the payment. The form is posted, so that the email is not in the URL. */
export async function action(args: Route.ActionArgs) {
  const { id } = args.params;
  const { intent, email = "", version = "" } = fieldsOf(args);
  const result = await act(args, async (here) => {
    if (intent !== "tie") return { tie: await here.api.payments.offerTie({ id, email }) };
    await here.api.payments.tie({ id, email, version });
    announce(here, "payment_tied");
    throw redirect(LIST);
  });
  return "tie" in result ? data({ tie: result.tie, email, at: 0 }) : refusedForm(args, result, { email });
}

export default function TiePayment({ loaderData, actionData }: Route.ComponentProps) {
  const refused = useRefusalToast(actionData);
  const { kind, reason, provider, external_id } = loaderData.problem;
  const tie = actionData && "tie" in actionData ? actionData.tie : null;
  return (
    <DecisionPage title={TITLE} back={{ to: LIST, label: "Membresías" }}>
      <NookCard>
        <RefusalMessage result={actionData} />
        <Facts
          facts={[
            { term: "Asunto", value: PROBLEMS[kind].title + (reason ? `: ${REASONS[reason]}` : "") },
            { term: PROVIDER_NAMES[provider], value: external_id },
          ]}
        />
      </NookCard>
      {tie ? <Confirm tie={tie} /> : <AskWhose email={actionData?.email} error={refused?.fields?.email} />}
    </DecisionPage>
  );
}

function AskWhose({ email, error }: { email: string | undefined; error: string | undefined }) {
  const busy = useSubmitting({ intent: "ask" });
  return (
    <Panel title="¿De quién es este pago?" className="nook__card">
      <Form noValidate method="post" preventScrollReset className="decision__form">
        <input type="hidden" name="intent" value="ask" />
        <EmailInput
          label="Correo del psicólogo"
          autoComplete="off"
          defaultValue={email}
          error={error}
          hint="El de su cuenta aquí; el de quien pagó puede ser otro."
        />
        <Ways cancel={LIST}>
          <Button type="submit" variant="soft" busy={busy} busyText="Leyendo el servicio…">
            Ver qué pasaría
          </Button>
        </Ways>
      </Form>
    </Panel>
  );
}

function Confirm({ tie }: { tie: TieView }) {
  const busy = useSubmitting({ intent: "tie" });
  const { psychologist, plan_type, amount, currency, version } = tie;
  return (
    <Panel title={`Vincularlo a ${psychologist.full_name}`} className="nook__card">
      <Facts
        facts={[
          { term: "Correo", value: psychologist.email },
          { term: "Plan", value: `${PLAN_NAMES[plan_type]}, ${amountWords(amount, currency)} ${currency}` },
        ]}
      />
      <Consequences lines={tieFollows(tie)} />
      <Form noValidate method="post" preventScrollReset className="decision__form">
        <input type="hidden" name="intent" value="tie" />
        <input type="hidden" name="email" value={psychologist.email} />
        <input type="hidden" name="version" value={version} />
        <Ways cancel={LIST}>
          <Button type="submit" busy={busy} busyText="Vinculando…">
            Vincular el pago
          </Button>
        </Ways>
      </Form>
    </Panel>
  );
}
