import type { ReactNode } from "react";
import { href, Link, useFetcher } from "react-router";
import { DeskHead } from "#app/admin/desk-head.tsx";
import { refusalWords } from "#app/lib/error-words.ts";
import { counted } from "#app/lib/numbers.ts";
import { useRefusalToast } from "#app/parts/refusal-toast.ts";
import { Badge } from "#app/ui/badge.tsx";
import { Button } from "#app/ui/button.tsx";
import { ErrorState, Retry } from "#app/ui/empty-state.tsx";
import { FormMessage } from "#app/ui/form-message.tsx";
import { CheckIcon } from "#app/ui/icon.tsx";
import { RelativeTime } from "#app/ui/relative-time.tsx";
import type { PaymentsView } from "#shared/memberships.ts";
import { PROVIDER_NAMES } from "#shared/plans.ts";
import "#app/admin/decide.css";
import "#app/admin/row.css";
import "./payments.css";

type Problem = PaymentsView["problems"][number];
type Cancellation = PaymentsView["cancellations"][number];

/** What happened, and what to do about it. */
const PROBLEMS: Record<Problem["kind"], { title: string; todo: string }> = {
  mismatch: {
    title: "Pago que no coincide con el plan",
    todo: "No dio Gold. Si era una suscripción, ya se pidió al servicio que la termine y la persona lo sabe por correo. Lo que se haya cobrado, devuélvelo en el servicio de pago.",
  },
  unmatched: {
    title: "Pago sin dueño conocido",
    todo: "El servicio de pago avisó de algo que no reconocemos o que no nos deja leer, o es de alguien que ya eliminó su cuenta. Búscalo allí por su número.",
  },
  paid_twice: {
    title: "Pago de más",
    todo: "Ya tenía Gold cuando pagó otra vez. Devuelve este pago en el servicio.",
  },
  partial_refund: {
    title: "Devolución parcial",
    todo: "Gold sigue. Si la devolución debía terminarlo, devuelve el resto.",
  },
  earlier_refund: {
    title: "Devolución de un mes anterior",
    todo: "Gold sigue con el pago de este mes. Revisa si era lo que querías.",
  },
  dispute: {
    title: "Pago en disputa",
    todo: "Gold sigue mientras el servicio decide. Responde allí antes de su plazo.",
  },
  reversal: {
    title: "Contracargo por aclarar",
    todo: "El servicio avisó de un contracargo que no pudimos leer con certeza. Compruébalo allí.",
  },
  paid_after_end: {
    title: "Cobro después de terminar",
    todo: "La membresía ya había terminado aquí. Devuelve el cobro y comprueba que esté cancelada allí.",
  },
  unreadable: {
    title: "Membresía que no se puede leer",
    todo: "El servicio de pago no responde o responde algo que no entendemos. Se intenta otra vez sola; Gold sigue hasta 14 días después de su fecha. Si dura más de un día, comprueba allí la suscripción.",
  },
  not_cancelled: {
    title: "Cancelación sin confirmar desde hace una semana",
    todo: "El servicio de pago no la confirma y podría seguir cobrando. Cancélala allí por su número.",
  },
};

const REASONS: Record<NonNullable<Problem["reason"]>, string> = {
  plan: "el plan es otro",
  owner: "es de otra persona",
  altered: "alguien cambió sus condiciones",
  amount: "el importe es menor",
  currency: "la moneda es otra",
};

const ENDED_BY: Record<Cancellation["ended_by"], string> = {
  person: "La canceló la persona",
  provider: "Terminó en el servicio de pago",
  refund: "Se devolvió el dinero",
  replaced: "Pasó a Lifetime",
  paid_twice: "Se pagó de más",
  admin: "La terminó el equipo",
  mismatch: "No coincidía con el plan",
};

/** What the administrator has to look at in payments; null when it could not be loaded. */
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
            ? `${counted(problems.length, "asunto espera", "asuntos esperan")}. Gold no depende de marcarlos; lo que haya que devolver se devuelve en el servicio de pago.`
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
            ? "Ya terminaron aquí. Se le repite al servicio de pago hasta que lo confirme; si no lo hace, cancélalas allí."
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
      <DeskHead id={id} title={title}>
        {lede}
      </DeskHead>
      <div className="desk-list">{children}</div>
    </section>
  );
}

function Where({ provider, id }: { provider: Problem["provider"]; id: string }) {
  return (
    <p className="faint">
      {PROVIDER_NAMES[provider]}, <span className="digits">{id}</span>
    </p>
  );
}

/** Null when the account is deleted, or the owner of the payment is unknown. */
function Who({ psychologist }: { psychologist: Problem["psychologist"] }) {
  if (!psychologist) return null;
  const { id, full_name, email } = psychologist;
  return (
    <p className="problem__who">
      <Link to={href("/psicologo/:id", { id })}>{full_name}</Link>
      <a href={`mailto:${encodeURIComponent(email)}`}>{email}</a>
    </p>
  );
}

function ProblemCard({ problem, now }: { problem: Problem; now: string }) {
  const { id, version, kind, reason, provider, external_id, psychologist, created_at } = problem;
  const fetcher = useFetcher();
  const refused = useRefusalToast(fetcher.data);
  const words = refused && refusalWords(refused);
  const { title, todo } = PROBLEMS[kind];
  const heading = `problem-${id}`;
  return (
    <article className="desk-row has-wide-text" aria-labelledby={heading}>
      {words && <FormMessage title={words.title}>{words.description}</FormMessage>}
      <div className="desk-row__who has-no-face">
        <div>
          <h3 id={heading}>
            {title}
            {reason && <span className="soft">: {REASONS[reason]}</span>}
          </h3>
          <p className="desk-row__facts">
            <RelativeTime datetime={created_at} now={now} />
          </p>
          <p>{todo}</p>
          <Who psychologist={psychologist} />
          <Where provider={provider} id={external_id} />
        </div>
      </div>
      <div className="desk-decide">
        <fetcher.Form method="post" action={href("/admin/pago/:id", { id })}>
          <input type="hidden" name="version" value={version} />
          <Button
            type="submit"
            variant="soft"
            small
            icon={<CheckIcon size="s" />}
            busy={fetcher.state !== "idle"}
            busyText="Guardando…"
          >
            Marcar como atendido<span className="visually-hidden">: {title}</span>
          </Button>
        </fetcher.Form>
      </div>
    </article>
  );
}

function CancellationCard({ cancellation, now }: { cancellation: Cancellation; now: string }) {
  const { id, provider, external_subscription_id, ended_by, psychologist, requested_at, tries, tried_at } =
    cancellation;
  const heading = `cancellation-${id}`;
  return (
    <article className="desk-row has-wide-text" aria-labelledby={heading}>
      <div className="desk-row__who has-no-face">
        <div>
          <h3 id={heading}>{ENDED_BY[ended_by]}</h3>
          <p className="desk-row__badges">
            <Badge tone="wait">Sin confirmar</Badge>
          </p>
          <Who psychologist={psychologist} />
          <Where provider={provider} id={external_subscription_id} />
          <p className="desk-row__facts">
            <span>
              Desde <RelativeTime datetime={requested_at} now={now} />
            </span>
            <span>
              {counted(tries, "intento", "intentos")}
              {tried_at && (
                <>
                  , el último <RelativeTime datetime={tried_at} now={now} />
                </>
              )}
            </span>
          </p>
        </div>
      </div>
    </article>
  );
}
