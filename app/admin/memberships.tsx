import { href, Link, useFetcher } from "react-router";
import { ActionForm, FormError, SubmitButton, useForm } from "#app/components/action-form.tsx";
import { type FailureHandle, outage } from "#app/lib/client-error-messages.ts";
import { formAction } from "#app/lib/form-action.server.ts";
import { formatCount, formatDate, pluralize } from "#app/lib/format.ts";
import { reloadAfterConflict } from "#app/lib/reload-after-conflict.ts";
import { ButtonLink } from "#app/ui/button.tsx";
import { ErrorState } from "#app/ui/empty-state.tsx";
import { Icon } from "#app/ui/icon.tsx";
import { RelativeTime } from "#app/ui/relative-time.tsx";
import type { FunnelView } from "#shared/memberships.ts";
import type { PaymentsView } from "#shared/payments.ts";
import { formatAmount, PAYMENT_PAGES, PROVIDER_NAMES } from "#shared/plans.ts";
import type { Route } from "./+types/memberships.ts";
import { type FailedDecision, GoldLink, ListHeader, MailLink, useDecisions, VersionConflict } from "./parts.tsx";
import { PROBLEMS, type Problem, REASONS } from "./problem-text.ts";
import { backToSection, decide, loadSection } from "./section.server.ts";
import "./memberships.css";

export const handle: FailureHandle = { failed: { load: outage("No se pudieron cargar las membresías") } };

export const loader = (args: Route.LoaderArgs) =>
  loadSection(args, async ({ api, orNull }) => {
    const [payments, funnel] = await Promise.all([orNull(api.payments.read({})), orNull(api.funnel.read({}))]);
    return { payments, funnel };
  });

export const action = formAction({
  handle: decide("payment_problem_handled", ({ api, input }) => api.payments.handle(input("id", "version"))),
  async read(form) {
    const { outcome } = await form.api.payments.readNow(form.input("id"));
    return backToSection(form, `payment_read_${outcome}`);
  },
});

export const shouldRevalidate = reloadAfterConflict;

export default function Memberships({ loaderData: { payments, funnel }, actionData }: Route.ComponentProps) {
  const { failedOf, refusal } = useDecisions(actionData, payments?.problems ?? []);
  return (
    <>
      {refusal}
      <Payments payments={payments} failedOf={failedOf} />
      {funnel ? <Funnel funnel={funnel} /> : <ErrorState title="No se pudieron cargar las membresías" />}
    </>
  );
}

type PaymentsProps = { payments: PaymentsView | null; failedOf(id: string): FailedDecision | null };

function Payments({ payments, failedOf }: PaymentsProps) {
  if (!payments) return <ErrorState title="No se pudieron cargar los pagos" />;
  const { problems } = payments;
  return (
    <section aria-labelledby="payment-problems">
      <ListHeader id="payment-problems" title="Pagos por revisar">
        {problems.length
          ? `${pluralize(problems.length, "asunto espera", "asuntos esperan")}. Gold no depende de marcarlos; lo que haya que devolver se devuelve en el servicio de pago.`
          : "Nada que revisar: cada pago tiene dueño y coincide con su plan."}
      </ListHeader>
      <div className="rows admin-list">
        {problems.map((problem) => (
          <ProblemCard key={problem.id} problem={problem} failed={failedOf(problem.id)} />
        ))}
      </div>
    </section>
  );
}

function Paid({ problem: { payment, provider, external_id } }: { problem: Problem }) {
  if (!payment) return null;
  const { amount, currency, refunded_amount, paid_at } = payment;
  const page = PAYMENT_PAGES[provider]?.(external_id);
  return (
    <p className="row problem__who">
      <span>
        {formatAmount(amount, currency)} {currency}, pagado el {formatDate(paid_at)}
        {refunded_amount ? `; devuelto: ${formatAmount(refunded_amount, currency)} ${currency}` : null}
      </span>
      {page && (
        <a className="tap-link" href={page} target="_blank" rel="noreferrer">
          Ver el pago en {PROVIDER_NAMES[provider]}
        </a>
      )}
    </p>
  );
}

function ProblemCard({ problem, failed }: { problem: Problem; failed: FailedDecision | null }) {
  const { id, version, kind, reason, provider, external_id, psychologist, created_at, can } = problem;
  const [handling, reading] = [useFetcher(), useFetcher()];
  const handled = useForm(handling.data, { toast: true });
  const read = useForm(reading.data, { toast: true });
  const { title, todo } = PROBLEMS[kind];
  const heading = `problem-${id}`;
  return (
    <article id={`d-${id}`} className="rows admin-row has-wide-text problem" aria-labelledby={heading}>
      <VersionConflict failed={failed} />
      <FormError form={handled.error ? handled : read} />
      <div className="admin-row__person without-avatar">
        <div>
          <h3 id={heading} className="title-s">
            {title}
            {reason && <span className="text-muted">: {REASONS[reason]}</span>}
          </h3>
          <p className="text-muted small admin-row__details">
            <RelativeTime datetime={created_at} />
          </p>
          <p>{todo}</p>
          <Paid problem={problem} />
          {psychologist && (
            <p className="row problem__who">
              <Link className="tap-link" to={href("/psicologo/:id", { id: psychologist.id })}>
                {psychologist.full_name}
              </Link>
              <MailLink email={psychologist.email} />
              <GoldLink of={psychologist}>Ver su Gold</GoldLink>
            </p>
          )}
          <p className="faint">
            {PROVIDER_NAMES[provider]}, <span className="tabular-nums">{external_id}</span>
          </p>
        </div>
      </div>
      <div className="decision-buttons problem__actions">
        {can.tie && (
          <ButtonLink to={href("/admin/pago/:id/vincular", { id })} small>
            Vincular<span className="visually-hidden"> a un psicólogo: {title}</span>
          </ButtonLink>
        )}
        <ActionForm fetcher={reading} fields={{ intent: "read", id }}>
          <SubmitButton variant="soft" small icon={<Icon name="repeat" size="s" />} busyText="Leyendo…">
            Leer ahora<span className="visually-hidden">: {title}</span>
          </SubmitButton>
        </ActionForm>
        <ActionForm fetcher={handling} fields={{ intent: "handle", id, version }}>
          <SubmitButton variant="quiet" small icon={<Icon name="check" size="s" />} busyText="Guardando…">
            {kind === "cancellation_unconfirmed" ? "Dejar de intentarlo" : "Marcar como atendido"}
            <span className="visually-hidden">: {title}</span>
          </SubmitButton>
        </ActionForm>
      </div>
    </article>
  );
}

const STEPS = [
  ["view_premium_plans", "Vieron los planes"],
  ["plan_selection", "Eligieron un plan"],
  ["subscription_success", "Se suscribieron"],
] as const;

function Funnel({ funnel }: { funnel: FunnelView }) {
  return (
    <section aria-labelledby="funnel">
      <ListHeader id="funnel" title="Camino a Gold">
        Se cuentan veces, no personas: no se guarda quién fue.
      </ListHeader>
      <div className="three-columns">
        {funnel.map((row) => (
          <section key={row.days} className="panel" aria-label={`Últimos ${row.days} días`}>
            <h3 className="title-s">Últimos {row.days} días</h3>
            <ul className="stack above-4">
              {STEPS.map(([name, label]) => (
                <li key={name}>
                  <p className="row row--apart funnel__step">
                    <span className="text-muted">{label}</span>
                    <b className="tabular-nums">{formatCount(row[name])}</b>
                  </p>
                  <div className="bar funnel__bar" aria-hidden="true">
                    <i style={{ width: `${share(row[name], row)}%` }} />
                  </div>
                </li>
              ))}
            </ul>
          </section>
        ))}
      </div>
    </section>
  );
}

/** Percentage of the largest step. The first step may be smaller, because nothing counts views without JavaScript. */
const share = (value: number, row: FunnelView[number]): number =>
  (value / Math.max(1, ...STEPS.map(([name]) => row[name]))) * 100;
