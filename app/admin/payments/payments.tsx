import type { ReactNode } from "react";
import { type FetcherWithComponents, href, Link, useFetcher } from "react-router";
import { GoldLink } from "#app/admin/gold/gold-link.tsx";
import { ListHeader } from "#app/admin/list-header.tsx";
import { useActionErrorToast } from "#app/components/action-error-toast.ts";
import type { DisplayError } from "#app/lib/client-error-messages.ts";
import { formatDate } from "#app/lib/dates.ts";
import { browserErrorMessage } from "#app/lib/error-messages.ts";
import { pluralize } from "#app/lib/numbers.ts";
import { Badge } from "#app/ui/badge.tsx";
import { Button, ButtonLink } from "#app/ui/button.tsx";
import { ErrorState, Retry } from "#app/ui/error-state.tsx";
import { FormMessage } from "#app/ui/form-message.tsx";
import { CheckIcon } from "#app/ui/icon.tsx";
import { RepeatIcon } from "#app/ui/more-icons.tsx";
import { RelativeTime } from "#app/ui/relative-time.tsx";
import type { PaymentsView } from "#shared/payments.ts";
import { formatAmount, PAYMENT_PAGES, PROVIDER_NAMES } from "#shared/plans.ts";
import { type Cancellation, ENDED_BY, PROBLEMS, type Problem, REASONS } from "./problem-text.ts";
import "#app/admin/decision-buttons.css";
import "#app/admin/row.css";
import "./payments.css";

/** Payment problems and unconfirmed cancellations. `payments` is null if loading failed. */
export function Payments({ payments, now }: { payments: PaymentsView | null; now: string }) {
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
          <ProblemCard key={problem.id} problem={problem} now={now} />
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
          <CancellationCard key={cancellation.id} cancellation={cancellation} now={now} />
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
      <div className="admin-list">{children}</div>
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

/** The payment of a problem: how much, when, what was given back, and its page at the provider. */
function Paid({ problem: { payment, provider, external_id } }: { problem: Problem }) {
  if (!payment) return null;
  const { amount, currency, refunded_amount, paid_at } = payment;
  const page = PAYMENT_PAGES[provider]?.(external_id);
  return (
    <p className="problem__who">
      <span>
        {formatAmount(amount, currency)} {currency}, pagado el {formatDate(paid_at)}
        {refunded_amount !== null &&
          refunded_amount > 0 &&
          `; devuelto: ${formatAmount(refunded_amount, currency)} ${currency}`}
      </span>
      {page && (
        <a href={page} target="_blank" rel="noreferrer">
          Ver el pago en {PROVIDER_NAMES[provider]}
        </a>
      )}
    </p>
  );
}

/** Psychologist of a payment. Null if the account is deleted or the owner is unknown. */
function PaymentOwner({ psychologist }: { psychologist: Problem["psychologist"] }) {
  if (!psychologist) return null;
  const { id, full_name, email } = psychologist;
  return (
    <p className="problem__who">
      <Link to={href("/psicologo/:id", { id })}>{full_name}</Link>
      <a href={`mailto:${encodeURIComponent(email)}`}>{email}</a>
      <GoldLink of={psychologist}>Ver su Gold</GoldLink>
    </p>
  );
}

/** Button that reads the payment at its provider now. */
function RefreshButton({
  fetcher,
  action,
  about,
}: {
  fetcher: FetcherWithComponents<unknown>;
  action: string;
  about: string;
}) {
  return (
    <fetcher.Form method="post" action={action}>
      <Button
        type="submit"
        variant="soft"
        small
        icon={<RepeatIcon size="s" />}
        busy={fetcher.state !== "idle"}
        busyText="Leyendo…"
      >
        Leer ahora<span className="visually-hidden">: {about}</span>
      </Button>
    </fetcher.Form>
  );
}

function Refused({ actionError }: { actionError: DisplayError | null }) {
  const words = actionError && !actionError.told && browserErrorMessage(actionError);
  return words && <FormMessage title={words.title}>{words.description}</FormMessage>;
}

function ProblemCard({ problem, now }: { problem: Problem; now: string }) {
  const { id, version, kind, reason, provider, external_id, psychologist, created_at, can } = problem;
  const [handling, reading] = [useFetcher(), useFetcher()];
  const [notHandled, notRead] = [useActionErrorToast(handling.data), useActionErrorToast(reading.data)];
  const { title, todo } = PROBLEMS[kind];
  const heading = `problem-${id}`;
  return (
    <article className="admin-row has-wide-text problem" aria-labelledby={heading}>
      <Refused actionError={notHandled ?? notRead} />
      <div className="admin-row__person without-avatar">
        <div>
          <h3 id={heading}>
            {title}
            {reason && <span className="text-muted">: {REASONS[reason]}</span>}
          </h3>
          <p className="admin-row__details">
            <RelativeTime datetime={created_at} now={now} />
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
        <RefreshButton fetcher={reading} action={href("/admin/pago/:id/leer", { id })} about={title} />
        <handling.Form method="post" action={href("/admin/pago/:id", { id })}>
          <input type="hidden" name="version" value={version} />
          <Button
            type="submit"
            variant="quiet"
            small
            icon={<CheckIcon size="s" />}
            busy={handling.state !== "idle"}
            busyText="Guardando…"
          >
            Marcar como atendido<span className="visually-hidden">: {title}</span>
          </Button>
        </handling.Form>
      </div>
    </article>
  );
}

function CancellationCard({ cancellation, now }: { cancellation: Cancellation; now: string }) {
  const { id, provider, external_subscription_id, ended_by, psychologist, requested_at, tries, tried_at } =
    cancellation;
  const reading = useFetcher();
  const notRead = useActionErrorToast(reading.data);
  const heading = `cancellation-${id}`;
  const about = external_subscription_id;
  return (
    <article className="admin-row has-wide-text problem" aria-labelledby={heading}>
      <Refused actionError={notRead} />
      <div className="admin-row__person without-avatar">
        <div>
          <h3 id={heading}>{ENDED_BY[ended_by]}</h3>
          <p className="admin-row__badges">
            <Badge tone="wait">Sin confirmar</Badge>
          </p>
          <PaymentOwner psychologist={psychologist} />
          <ProviderReference provider={provider} id={external_subscription_id} />
          <p className="admin-row__details">
            <span>
              Desde <RelativeTime datetime={requested_at} now={now} />
            </span>
            <span>
              {pluralize(tries, "intento", "intentos")}
              {tried_at && (
                <>
                  , el último <RelativeTime datetime={tried_at} now={now} />
                </>
              )}
            </span>
          </p>
        </div>
      </div>
      <div className="decision-buttons problem__actions">
        <RefreshButton fetcher={reading} action={href("/admin/cancelacion/:id/leer", { id })} about={about} />
        <ButtonLink to={href("/admin/cancelacion/:id/cerrar", { id })} variant="quiet" small>
          Dejar de intentarlo<span className="visually-hidden">: {about}</span>
        </ButtonLink>
      </div>
    </article>
  );
}
