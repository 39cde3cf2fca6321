import { data, Form, isRouteErrorResponse, useNavigation, useRouteError } from "react-router";
import { act, announce, fieldsOf, load, page, redirect } from "#app/lib/api.server.ts";
import { errorWords } from "#app/lib/error-messages.ts";
import { count, counted } from "#app/lib/numbers.ts";
import { useRefusalToast } from "#app/lib/refusal.ts";
import { Avatar } from "#app/ui/avatar.tsx";
import { Badge } from "#app/ui/badge.tsx";
import { Button, ButtonLink } from "#app/ui/button.tsx";
import { EmptyArmchair } from "#app/ui/drawings.tsx";
import { EmptyState, ErrorState } from "#app/ui/empty-state.tsx";
import { TextArea } from "#app/ui/field.tsx";
import { FormMessage } from "#app/ui/form-message.tsx";
import { CheckIcon } from "#app/ui/icon.tsx";
import { RelativeTime } from "#app/ui/relative-time.tsx";
import { PlainText } from "#app/ui/text.tsx";
import type { ErrorBody } from "#shared/errors.ts";
import { LIMITS } from "#shared/limits.ts";
import type { Country } from "#shared/lists.ts";
import type { AdminSummaryView, PendingPsychologistView, UndeliveredMailView } from "#shared/moderation.ts";
import { PRODUCT_NAME } from "#shared/product.ts";
import type { Route } from "./+types/admin.ts";

const codeOf = (error: unknown) =>
  (isRouteErrorResponse(error) ? (error.data as ErrorBody | undefined)?.code : undefined) ?? "unexpected";
/** Somebody signed out and somebody who is not the administrator read the same words. */
const isDenied = (error: unknown) => ["sign_in_required", "admin_only"].includes(codeOf(error));

export const meta: Route.MetaFunction = ({ error }) => [
  {
    title: `${error ? errorWords(isDenied(error) ? "admin_only" : codeOf(error)).title : "Panel de Administración"} · ${PRODUCT_NAME}`,
  },
  { name: "robots", content: "noindex" },
];

export const loader = (args: Route.LoaderArgs) =>
  load(args, async ({ api, now, failed }) => {
    // First, alone: it refuses whoever is not the administrator. A list that fails afterwards leaves the rest of the page standing.
    const summary = await api.admin.summary({});
    const orNull = <List,>(list: Promise<List>) =>
      list.catch((error: unknown) => {
        failed(error);
        return null;
      });
    const [pending, mails] = await Promise.all([
      orNull(api.admin.pendingPsychologists({})),
      orNull(api.admin.undeliveredMails({})),
    ]);
    return { summary, pending, mails, now: now.toISOString() };
  });

export async function action(args: Route.ActionArgs) {
  const { decision, id = "", reason = "" } = await fieldsOf(args.request);
  const answer = await act(args, async (here) => {
    const { admin } = here.api;
    if (decision === "approve") {
      await admin.approve({ id });
      announce(here, "psychologist_approved");
    } else if (decision === "reject") {
      await admin.reject({ id, reason });
      announce(here, "psychologist_rejected");
    } else {
      await admin.retryMail({ id });
      announce(here, "mail_retried");
    }
    throw redirect("/admin");
  });
  return data(
    { ...answer.data, id, reason, verification: decision !== "retry", at: page(args).now.getTime() },
    answer.init ?? undefined,
  );
}

export default function Admin({ loaderData: { summary, pending, mails, now }, actionData }: Route.ComponentProps) {
  const refused = useRefusalToast(actionData);
  return (
    <main id="contenido" className="page section stack [--gap:2rem]">
      <h1 className="h-xl">Panel de Administración</h1>
      {refused && <Refused key={actionData?.at} refused={refused} verification={actionData?.verification ?? false} />}
      <Summary numbers={summary} />
      <section aria-labelledby="pending">
        <h2 id="pending" className="h-l">
          Psicólogos pendientes
        </h2>
        <p className="soft mt-[.25rem]">
          Quien se registró primero aparece primero. Al aprobar o rechazar, la persona recibe un correo.
        </p>
        <div className="mt-[1.25rem] grid gap-[1rem]">
          {pending === null && (
            <ErrorState title="No se pudieron cargar los psicólogos pendientes" action={<Retry />} />
          )}
          {pending?.length === 0 && (
            <EmptyState title="Nadie espera verificación.">
              Cuando alguien se registre con su matrícula, aparecerá aquí.
            </EmptyState>
          )}
          {pending?.map((psychologist) => (
            <Applicant
              key={psychologist.id}
              psychologist={psychologist}
              now={now}
              refused={
                actionData?.id === psychologist.id
                  ? { reason: actionData.reason, error: refused?.fields?.reason }
                  : null
              }
            />
          ))}
        </div>
      </section>
      <section aria-labelledby="mails">
        <h2 id="mails" className="h-l">
          Correos sin entregar
        </h2>
        <div className="mt-[1.25rem] grid gap-[1rem]">
          {mails === null && <ErrorState title="No se pudieron cargar los correos" action={<Retry />} />}
          {mails?.length === 0 && <p className="soft">Todos los correos salieron.</p>}
          {mails?.map((mail) => (
            <Mail key={mail.id} mail={mail} now={now} />
          ))}
        </div>
      </section>
    </main>
  );
}

const Retry = () => (
  <a className="btn btn--soft btn--s" href="/admin">
    Reintentar
  </a>
);

function Refused({ refused, verification }: { refused: ErrorBody; verification: boolean }) {
  const { title, description } = errorWords(refused.code, refused.facts);
  const onServer = refused.code === "unexpected" || refused.code === "unavailable";
  return (
    <FormMessage title={title}>
      {verification && onServer && <p>No se pudo actualizar el estado de verificación.</p>}
      <p>{description}</p>
    </FormMessage>
  );
}

function Summary({ numbers }: { numbers: AdminSummaryView }) {
  const stats: [string, number][] = [
    ["Total de psicólogos", numbers.psychologists],
    ["Pendientes", numbers.pending],
    ["Verificados", numbers.verified],
    ["Total de consultas", numbers.consultations],
  ];
  return (
    <ul className="panel stats" aria-label="Resumen">
      {stats.map(([label, value]) => (
        <li key={label} className="stat">
          <b>{count(value)}</b> <span>{label}</span>
        </li>
      ))}
    </ul>
  );
}

/** Whether the form with this decision about this row is on its way. */
function useDeciding(id: string) {
  const { state, formData, formMethod } = useNavigation();
  return (decision: string) =>
    state !== "idle" && formMethod === "POST" && formData?.get("id") === id && formData.get("decision") === decision;
}

/** Public registers where a licence can be looked up. */
const REGISTERS: Record<Country, { name: string; url: string }> = {
  Argentina: { name: "REFEPS (SISA); las matrículas provinciales, en cada colegio", url: "https://sisa.msal.gov.ar/" },
  México: { name: "Registro Nacional de Profesionistas (SEP)", url: "https://cedulaprofesional.sep.gob.mx/" },
  España: { name: "Consejo General de la Psicología y el colegio territorial", url: "https://www.cop.es/" },
  Colombia: { name: "COLPSIC y ReTHUS", url: "https://www.colpsic.org.co/" },
  Chile: { name: "Registro de Prestadores de la Superintendencia de Salud", url: "https://rnpi.superdesalud.gob.cl/" },
  Perú: { name: "Colegio de Psicólogos del Perú: colegiado y habilitado", url: "https://cpsp.pe/" },
  Venezuela: { name: "Federación de Psicólogos de Venezuela", url: "https://fpv.org.ve/" },
  Paraguay: { name: "Control de Profesiones del MSPBS", url: "https://www.mspbs.gov.py/" },
  Uruguay: {
    name: "Ministerio de Salud Pública: pide la constancia digital del título",
    url: "https://www.gub.uy/tramites/",
  },
  Ecuador: {
    name: "SENESCYT (título) y ACESS (habilitación)",
    url: "https://www.senescyt.gob.ec/consulta-titulos-web/",
  },
  Panamá: { name: "Consejo Técnico de Salud (MINSA)", url: "https://www.minsa.gob.pa/" },
};

function Applicant({
  psychologist,
  now,
  refused,
}: {
  psychologist: PendingPsychologistView;
  now: string;
  refused: { reason: string; error: string | undefined } | null;
}) {
  const deciding = useDeciding(psychologist.id);
  const { full_name, email, country, license_number, specialty, phone, whatsapp, bio } = psychologist;
  const register = country === null ? undefined : REGISTERS[country as Country];
  const facts: [string, string | null][] = [
    ["Matrícula o registro", license_number],
    ["País", country],
    ["Especialidad", specialty],
    ["Teléfono", phone],
    ["WhatsApp", whatsapp],
  ];
  const heading = `applicant-${psychologist.id}`;
  return (
    <article className="panel stack" aria-labelledby={heading}>
      <div className="row flex-nowrap! items-start!">
        <Avatar name={full_name} src={psychologist.avatar_url} size="l" />
        <div className="min-w-0">
          <h3 id={heading} className="h-s">
            {full_name}
          </h3>
          <p className="wrap-anywhere">
            <a href={`mailto:${email}`}>{email}</a>
          </p>
          <p className="faint">
            Se registró <RelativeTime datetime={psychologist.created_at} now={now} />
          </p>
        </div>
      </div>
      {psychologist.rejected_at && (
        <Badge tone="wait">
          Rechazado <RelativeTime datetime={psychologist.rejected_at} now={now} />
        </Badge>
      )}
      <dl className="grid grid-cols-2 gap-x-[1.5rem] gap-y-[.75rem] sm:grid-cols-[repeat(auto-fill,minmax(12rem,1fr))]">
        {facts.map(([term, value]) => (
          <div key={term}>
            <dt className="faint">{term}</dt>
            <dd className="wrap-anywhere">{value ?? "Sin dato"}</dd>
          </div>
        ))}
        <div className="col-span-2">
          <dt className="faint">Dónde se comprueba</dt>
          <dd>
            {register ? (
              <a href={register.url} target="_blank" rel="noopener noreferrer">
                {register.name}
                <span className="sr"> (se abre en otra pestaña)</span>
              </a>
            ) : (
              "Pregúntale su país: sin él no se sabe en qué registro buscar."
            )}
          </dd>
        </div>
      </dl>
      <div>
        <p className="faint">Biografía</p>
        {bio ? <PlainText text={bio} className="prose" /> : <p>Sin dato</p>}
      </div>
      <div className="row items-start!">
        <Form method="post">
          <input type="hidden" name="decision" value="approve" />
          <input type="hidden" name="id" value={psychologist.id} />
          <Button type="submit" small icon={<CheckIcon size="s" />} busy={deciding("approve")} busyText="Aprobando…">
            Aprobar<span className="sr"> a {full_name}</span>
          </Button>
        </Form>
        <details className="open:basis-full" open={refused !== null && refused.reason !== ""}>
          <summary className="btn btn--danger btn--s list-none [&::-webkit-details-marker]:hidden">
            Rechazar<span className="sr"> a {full_name}</span>
          </summary>
          <Form method="post" className="stack mt-[1rem] max-w-[42rem]">
            <input type="hidden" name="decision" value="reject" />
            <input type="hidden" name="id" value={psychologist.id} />
            <TextArea
              label="Motivo"
              optional
              name="reason"
              rows={3}
              maxLength={LIMITS.rejectionReason.max}
              defaultValue={refused?.reason}
              hint="Va en el correo que recibe la persona, que sigue en esta lista."
              error={refused?.error}
            />
            <Button type="submit" variant="danger" small busy={deciding("reject")} busyText="Rechazando…">
              Confirmar el rechazo
            </Button>
          </Form>
        </details>
      </div>
    </article>
  );
}

const MAIL_KINDS: Readonly<Record<string, string>> = {
  confirm_registration: "Confirmación de registro",
  recover_password: "Recuperación de contraseña",
  password_changed: "Aviso de contraseña cambiada",
  psychologist_approved: "Aprobación de psicólogo",
  psychologist_rejected: "Rechazo de psicólogo",
};

function Mail({ mail, now }: { mail: UndeliveredMailView; now: string }) {
  const deciding = useDeciding(mail.id);
  const name = MAIL_KINDS[mail.kind] ?? mail.kind;
  return (
    <article className="panel stack [--gap:.5rem]" aria-label={name}>
      <div className="row between">
        <h3 className="h-s">{name}</h3>
        <Badge tone={mail.gave_up ? "wait" : "plain"}>{mail.gave_up ? "Abandonado" : "Se reintenta solo"}</Badge>
      </div>
      <p className="faint">
        Creado <RelativeTime datetime={mail.created_at} now={now} /> · {counted(mail.attempts, "intento", "intentos")}
      </p>
      <p className="wrap-anywhere">{mail.last_error ?? "Sin detalle del error"}</p>
      <Form method="post">
        <input type="hidden" name="decision" value="retry" />
        <input type="hidden" name="id" value={mail.id} />
        <Button type="submit" variant="soft" small busy={deciding("retry")} busyText="Reintentando…">
          Reintentar<span className="sr"> el correo: {name}</span>
        </Button>
      </Form>
    </article>
  );
}

/** Whoever may not come in reads so, with the status that the loader gave. */
export function ErrorBoundary() {
  const error = useRouteError();
  const code = codeOf(error);
  const denied = isDenied(error);
  const { title, description } = errorWords(denied ? "admin_only" : code);
  return (
    <main id="contenido" className="page section">
      <div className="empty max-w-[42rem]">
        <EmptyArmchair />
        <h1 className="h-l">{title}</h1>
        <p>{description}</p>
        <div className="row">
          {code === "sign_in_required" && <ButtonLink to="/auth?volver=/admin">Iniciar Sesión</ButtonLink>}
          {!denied && <Retry />}
          <ButtonLink to="/" variant="soft">
            Volver al inicio
          </ButtonLink>
        </div>
      </div>
    </main>
  );
}
