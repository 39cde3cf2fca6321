import type { ReactNode } from "react";
import { type FetcherWithComponents, href, Link, useFetcher } from "react-router";
import { ActionForm, FormError, SubmitButton, useForm } from "#app/components/action-form.tsx";
import { formatDate, pluralize } from "#app/lib/format.ts";
import { Badge } from "#app/ui/badge.tsx";
import { ButtonLink } from "#app/ui/button.tsx";
import { ErrorState, Retry } from "#app/ui/empty-state.tsx";
import { CheckIcon, RepeatIcon } from "#app/ui/icon.tsx";
import { RelativeTime } from "#app/ui/relative-time.tsx";
import type { PaymentsView } from "#shared/payments.ts";
import { formatAmount, PAYMENT_PAGES, PROVIDER_NAMES } from "#shared/plans.ts";
import { GoldLink, MailLink } from "./links.tsx";
import { ListHeader } from "./list-header.tsx";
import { type Cancellation, ENDED_BY, PROBLEMS, type Problem, REASONS } from "./problem-text.ts";
import { type FailedDecision, VersionConflict } from "./use-decisions.tsx";

/** Payment problems and unconfirmed cancellations. `payments` is null if loading failed. */
export function Payments({
  payments,
  failedOf,
}: {
  payments: PaymentsView | null;
  failedOf(id: string): FailedDecision | null;
}) {
  if (!payments) return <ErrorState title="No se pudieron cargar los pagos" action={<Retry />} />;
  const { problems, cancellations } = payments;
  return (
    <>
      <List
        id="payment-problems"
        title="Pagos por revisar"
        lede={
          problems.length
            ? `${pluralize(problems.length, "asunto espera", "asuntos esperan")}. Gold no depende de marcarlos; lo que haya que devolver se devuelve en el servicio de pago.`
            : "Nada que revisar: cada pago tiene dueño y coincide con su plan."
        }
      >
        {problems.map((problem) => (
          <ProblemCard key={problem.id} problem={problem} failed={failedOf(problem.id)} />
        ))}
      </List>
      <List
        id="cancellations"
        title="Cancelaciones sin confirmar"
        lede={
          cancellations.length
            ? "Ya terminaron aquí. Se le repite al servicio de pago hasta que lo confirme; si no lo hace, cancélalas allí y deja de intentarlo aquí."
            : "Todas las cancelaciones están confirmadas."
        }
      >
        {cancellations.map((cancellation) => (
          <CancellationCard key={cancellation.id} cancellation={cancellation} />
        ))}
      </List>
    </>
  );
}

function List({ id, title, lede, children }: { id: string; title: string; lede: string; children: ReactNode }) {
  return (
    <section aria-labelledby={id}>
      <ListHeader id={id} title={title}>
        {lede}
      </ListHeader>
      <div className="rows admin-list">{children}</div>
    </section>
  );
}

function ProviderReference({ provider, id }: { provider: Problem["provider"]; id: string }) {
  return (
    <p className="faint">
      {PROVIDER_NAMES[provider]}, <span className="tabular-nums">{id}</span>
    </p>
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

function RefreshButton({
  fetcher,
  intent,
  id,
  about,
}: {
  fetcher: FetcherWithComponents<unknown>;
  intent: "read" | "read_cancellation";
  id: string;
  about: string;
}) {
  return (
    <ActionForm fetcher={fetcher} fields={{ intent, id }}>
      <SubmitButton variant="soft" small icon={<RepeatIcon size="s" />} busyText="Leyendo…">
        Leer ahora<span className="visually-hidden">: {about}</span>
      </SubmitButton>
    </ActionForm>
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
          <ProviderReference provider={provider} id={external_id} />
        </div>
      </div>
      <div className="decision-buttons problem__actions">
        {can.tie && (
          <ButtonLink to={href("/admin/pago/:id/vincular", { id })} small>
            Vincular<span className="visually-hidden"> a un psicólogo: {title}</span>
          </ButtonLink>
        )}
        <RefreshButton fetcher={reading} intent="read" id={id} about={title} />
        <ActionForm fetcher={handling} fields={{ intent: "handle", id, version }}>
          <SubmitButton variant="quiet" small icon={<CheckIcon size="s" />} busyText="Guardando…">
            Marcar como atendido<span className="visually-hidden">: {title}</span>
          </SubmitButton>
        </ActionForm>
      </div>
    </article>
  );
}

function CancellationCard({ cancellation }: { cancellation: Cancellation }) {
  const { id, provider, external_subscription_id, ended_by, psychologist, requested_at, tries, tried_at } =
    cancellation;
  const reading = useFetcher();
  const heading = `cancellation-${id}`;
  return (
    <article className="rows admin-row has-wide-text problem" aria-labelledby={heading}>
      <FormError form={useForm(reading.data, { toast: true })} />
      <div className="admin-row__person without-avatar">
        <div>
          <h3 id={heading} className="title-s">
            {ENDED_BY[ended_by]}
          </h3>
          <p className="admin-row__badges">
            <Badge tone="wait">Sin confirmar</Badge>
          </p>
          <PaymentOwner psychologist={psychologist} />
          <ProviderReference provider={provider} id={external_subscription_id} />
          <p className="text-muted small admin-row__details">
            <span>
              Desde <RelativeTime datetime={requested_at} />
            </span>
            <span>
              {pluralize(tries, "intento", "intentos")}
              {tried_at && (
                <>
                  , el último <RelativeTime datetime={tried_at} />
                </>
              )}
            </span>
          </p>
        </div>
      </div>
      <div className="decision-buttons problem__actions">
        <RefreshButton fetcher={reading} intent="read_cancellation" id={id} about={external_subscription_id} />
        <ButtonLink to={href("/admin/cancelacion/:id/cerrar", { id })} variant="quiet" small>
          Dejar de intentarlo<span className="visually-hidden">: {external_subscription_id}</span>
        </ButtonLink>
      </div>
    </article>
  );
}
