import { href, Link, useFetcher } from "react-router";
import { ActionForm, FormError, SubmitButton, useForm } from "#app/components/action-form.tsx";
import { formatDate, pluralize } from "#app/lib/format.ts";
import { ButtonLink } from "#app/ui/button.tsx";
import { ErrorState } from "#app/ui/empty-state.tsx";
import { Icon } from "#app/ui/icon.tsx";
import { RelativeTime } from "#app/ui/relative-time.tsx";
import type { PaymentsView } from "#shared/payments.ts";
import { formatAmount, PAYMENT_PAGES, PROVIDER_NAMES } from "#shared/plans.ts";
import { GoldLink, MailLink } from "./links.tsx";
import { ListHeader } from "./list-header.tsx";
import { PROBLEMS, type Problem, REASONS } from "./problem-text.ts";
import { type FailedDecision, VersionConflict } from "./use-decisions.tsx";

/** Payment problems. `payments` is null if loading failed. */
export function Payments({
  payments,
  failedOf,
}: {
  payments: PaymentsView | null;
  failedOf(id: string): FailedDecision | null;
}) {
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

/** Psychologist of a payment. Null without an account or a known owner. */
function PaymentOwner({ psychologist }: { psychologist: Problem["psychologist"] }) {
  if (!psychologist) return null;
  const { id, full_name, email } = psychologist;
  return (
    <p className="row problem__who">
      <Link className="tap-link" to={href("/psicologo/:id", { id })}>
        {full_name}
      </Link>
      <MailLink email={email} />
      <GoldLink of={psychologist}>Ver su Gold</GoldLink>
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
          <PaymentOwner psychologist={psychologist} />
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
