import { useState } from "react";
import { data, Form, isRouteErrorResponse, Link, useNavigation, useRouteError } from "react-router";
import { deletionWords } from "#app/consultations/own-words.tsx";
import { act, announce, fieldsOf, load, page, redirect } from "#app/lib/api.server.ts";
import { errorWords } from "#app/lib/error-messages.ts";
import { count, counted } from "#app/lib/numbers.ts";
import { useRefusalToast } from "#app/lib/refusal.ts";
import { Funnel } from "#app/moderation/funnel.tsx";
import { Inbox } from "#app/moderation/inbox.tsx";
import { Avatar } from "#app/ui/avatar.tsx";
import { Badge, GoldBadge, PendingBadge, VerifiedBadge } from "#app/ui/badge.tsx";
import { Button, ButtonLink } from "#app/ui/button.tsx";
import { ConfirmDialog } from "#app/ui/dialog.tsx";
import { EmptyArmchair } from "#app/ui/drawings.tsx";
import { EmptyState, ErrorState } from "#app/ui/empty-state.tsx";
import { SelectInput, TextArea, TextInput } from "#app/ui/field.tsx";
import { FormMessage } from "#app/ui/form-message.tsx";
import { CheckIcon, SearchIcon, TrashIcon } from "#app/ui/icon.tsx";
import { LoadMore } from "#app/ui/load-more.tsx";
import { RelativeTime } from "#app/ui/relative-time.tsx";
import { Rating } from "#app/ui/stars.tsx";
import { Tabs } from "#app/ui/tabs.tsx";
import { PlainText } from "#app/ui/text.tsx";
import type { ErrorBody } from "#shared/errors.ts";
import { LIMITS } from "#shared/limits.ts";
import { COUNTRIES, type Country } from "#shared/lists.ts";
import type {
  AdminConsultationsView,
  AdminConsultationView,
  AdminPsychologistsView,
  AdminPsychologistView,
  AdminSummaryView,
  OverdueHelpLineView,
  PendingPsychologistView,
  UndeliveredMailView,
} from "#shared/moderation.ts";
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

const VIEWS = ["pendientes", "consultas", "psicologos", "mensajes", "membresias"] as const;
type View = (typeof VIEWS)[number];
const VIEW_LABELS: Record<View, string> = {
  pendientes: "Pendientes",
  consultas: "Consultas",
  psicologos: "Psicólogos",
  mensajes: "Mensajes",
  membresias: "Membresías",
};
/** Words of the address, in Spanish, for the states of the API. */
const STATE_WORDS = { verificados: "verified", pendientes: "pending" } as const;
const GOLD_WORDS = { si: "yes", no: "no" } as const;
const meaning = <Words extends Record<string, string>>(
  words: Words,
  word: string | null,
): Words[keyof Words] | undefined =>
  word !== null && Object.hasOwn(words, word) ? words[word as keyof Words] : undefined;

export const loader = (args: Route.LoaderArgs) =>
  load(args, async ({ api, now, failed }) => {
    // First, alone: it refuses whoever is not the administrator. A list that fails afterwards leaves the rest of the page standing.
    const summary = await api.admin.summary({});
    const orNull = <List,>(list: Promise<List>) =>
      list.catch((error: unknown) => {
        failed(error);
        return null;
      });
    const parameters = new URL(args.request.url).searchParams;
    const view = VIEWS.find((name) => name === parameters.get("vista")) ?? "pendientes";
    const cursor = parameters.get("cursor") || undefined;
    const q = parameters.get("q") || undefined;
    const country = COUNTRIES.find((name) => name === parameters.get("pais"));
    const state = meaning(STATE_WORDS, parameters.get("estado"));
    const gold = meaning(GOLD_WORDS, parameters.get("gold"));
    const [overdue, pending, mails, consultations, psychologists, inbox, funnel] = await Promise.all([
      orNull(api.admin.overdueHelpLines({})),
      view === "pendientes" ? orNull(api.admin.pendingPsychologists({})) : null,
      view === "pendientes" ? orNull(api.admin.undeliveredMails({})) : null,
      view === "consultas" ? orNull(api.admin.consultations({ q, cursor })) : null,
      view === "psicologos" ? orNull(api.admin.psychologists({ state, country, gold, cursor })) : null,
      view === "mensajes" ? orNull(api.inbox.read({})) : null,
      view === "membresias" ? orNull(api.funnel.read({})) : null,
    ]);
    const query = Object.fromEntries(parameters);
    return {
      summary,
      view,
      query,
      overdue,
      pending,
      mails,
      consultations,
      psychologists,
      inbox,
      funnel,
      now: now.toISOString(),
    };
  });

export async function action(args: Route.ActionArgs) {
  const { decision, id = "", reason = "" } = await fieldsOf(args.request);
  const answer = await act(args, async (here) => {
    const { admin } = here.api;
    if (decision === "delete") {
      const { credit_restored } = await admin.deleteConsultation({ id });
      announce(here, credit_restored ? "consultation_deleted_credit" : "consultation_deleted");
      throw redirect("/admin?vista=consultas");
    }
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
  return data({ ...answer.data, id, reason, decision, at: page(args).now.getTime() }, answer.init ?? undefined);
}

export default function Admin({ loaderData, actionData }: Route.ComponentProps) {
  const { summary, view, query, overdue, pending, mails, consultations, psychologists, inbox, funnel, now } =
    loaderData;
  const refused = useRefusalToast(actionData);
  return (
    <main id="contenido" className="page section stack [--gap:2rem]">
      <h1 className="h-xl">Panel de Administración</h1>
      {refused && <Refused key={actionData?.at} refused={refused} decision={actionData?.decision} />}
      <Summary numbers={summary} />
      {overdue !== null && overdue.length > 0 && <OverdueHelpLines lines={overdue} />}
      <Tabs
        label="Secciones"
        className="max-sm:flex-wrap max-sm:rounded-lg"
        items={VIEWS.map((name) => ({
          to: name === "pendientes" ? "/admin" : `/admin?vista=${name}`,
          label: VIEW_LABELS[name],
          current: name === view,
        }))}
      />
      {view === "consultas" && <Consultations list={consultations} query={query} now={now} />}
      {view === "psicologos" && <Psychologists list={psychologists} query={query} now={now} />}
      {view === "mensajes" &&
        (inbox ? (
          <Inbox inbox={inbox} now={now} />
        ) : (
          <ErrorState title="No se pudieron cargar los mensajes" action={<Retry view={view} />} />
        ))}
      {view === "membresias" &&
        (funnel ? (
          <Funnel funnel={funnel} />
        ) : (
          <ErrorState title="No se pudieron cargar las membresías" action={<Retry view={view} />} />
        ))}
      {view === "pendientes" && (
        <>
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
        </>
      )}
    </main>
  );
}

const Retry = ({ view }: { view?: View }) => (
  <a className="btn btn--soft btn--s" href={view ? `/admin?vista=${view}` : "/admin"}>
    Reintentar
  </a>
);

function Refused({ refused, decision }: { refused: ErrorBody; decision: string | undefined }) {
  const { title, description } =
    decision === "delete" ? deletionWords(refused) : errorWords(refused.code, refused.facts);
  const onServer = refused.code === "unexpected" || refused.code === "unavailable";
  return (
    <FormMessage title={title}>
      {onServer && (decision === "approve" || decision === "reject") && (
        <p>No se pudo actualizar el estado de verificación.</p>
      )}
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

/** Help lines whose numbers nobody has called for a while: they stay in view, with their date, until somebody does. */
function OverdueHelpLines({ lines }: { lines: OverdueHelpLineView[] }) {
  return (
    <details className="panel panel--clay">
      <summary className="py-[.6rem] font-semibold">
        {counted(lines.length, "línea de ayuda espera", "líneas de ayuda esperan")} una nueva comprobación
      </summary>
      <p className="mt-[.5rem]">Llama, mira la página oficial y actualiza la fecha en server/safety/help-lines.json.</p>
      <ul className="mt-[.75rem] grid list-none gap-[.5rem] p-0">
        {lines.map((line) => (
          <li key={`${line.country}-${line.name}`}>
            {line.official_url ? (
              <a href={line.official_url} target="_blank" rel="noopener noreferrer">
                {line.name}
                <span className="sr"> (se abre en otra pestaña)</span>
              </a>
            ) : (
              line.name
            )}{" "}
            · {line.country ?? "Todos los países"} · comprobada el{" "}
            <time dateTime={line.verified_on}>{line.verified_on.split("-").reverse().join("/")}</time>
          </li>
        ))}
      </ul>
    </details>
  );
}

type Query = Record<string, string>;

/** The address of this list with other parameters. */
const addressOf = (query: Query, changes: Query) => `/admin?${new URLSearchParams({ ...query, ...changes })}`;

function Consultations({ list, query, now }: { list: AdminConsultationsView | null; query: Query; now: string }) {
  const { q = "", cursor } = query;
  return (
    <section aria-labelledby="consultations">
      <h2 id="consultations" className="h-l">
        {cursor ? "Consultas anteriores" : "Consultas recientes"}
      </h2>
      <Form method="get" action="/admin" className="row mt-[1rem] items-end!" role="search" key={q}>
        <input type="hidden" name="vista" value="consultas" />
        <TextInput
          label="Buscar en título y texto"
          name="q"
          type="search"
          defaultValue={q}
          maxLength={LIMITS.adminSearch.max}
          className="grow basis-[16rem]"
        />
        <Button type="submit" variant="soft" icon={<SearchIcon size="s" />}>
          Buscar
        </Button>
      </Form>
      <div className="mt-[1.25rem] grid gap-[1rem]">
        {list === null && (
          <ErrorState title="No se pudieron cargar las consultas" action={<Retry view="consultas" />} />
        )}
        {list?.items.length === 0 && (
          <EmptyState
            title={
              q
                ? `Ninguna consulta con «${q}»${list.next_cursor ? " entre las más recientes" : ""}.`
                : "Todavía no hay consultas."
            }
            action={(q || cursor) && <Link to="/admin?vista=consultas">Ver las más recientes</Link>}
          />
        )}
        {list?.items.map((consultation) => (
          <ConsultationRow key={consultation.id} consultation={consultation} now={now} />
        ))}
        {list && (
          <LoadMore to={list.next_cursor && addressOf(query, { cursor: list.next_cursor })}>
            {list.items.length ? "Ver anteriores" : "Buscar más atrás"}
          </LoadMore>
        )}
      </div>
    </section>
  );
}

function ConsultationRow({ consultation, now }: { consultation: AdminConsultationView; now: string }) {
  const [asking, setAsking] = useState(false);
  const { id, title, content, country, category, author_label, created_at, response_count } = consultation;
  const deciding = useDeciding(id);
  return (
    <article className="panel stack [--gap:.5rem]" aria-labelledby={`c-${id}`}>
      <p className="meta">
        {category && <span className="cat">{category}</span>}
        <span>{country}</span>
        <RelativeTime datetime={created_at} now={now} />
        <span>{author_label}</span>
        <span>{counted(response_count, "respuesta", "respuestas")}</span>
      </p>
      <h3 id={`c-${id}`} className="h-s">
        <Link to={`/consulta/${id}`}>{title}</Link>
      </h3>
      <p className="line-clamp-2 max-w-[66ch]">{content}</p>
      <ButtonLink
        to={`/consulta/${id}/eliminar`}
        variant="danger"
        small
        icon={<TrashIcon size="s" />}
        onClick={(event) => {
          if (event.metaKey || event.ctrlKey) return;
          event.preventDefault();
          setAsking(true);
        }}
      >
        Eliminar<span className="sr">: {title}</span>
      </ButtonLink>
      <ConfirmDialog
        open={asking}
        onClose={() => setAsking(false)}
        title="¿Eliminar esta consulta?"
        action={
          <Form method="post" action="/admin?vista=consultas" preventScrollReset>
            <input type="hidden" name="decision" value="delete" />
            <input type="hidden" name="id" value={id} />
            <Button type="submit" variant="danger" wide busy={deciding("delete")} busyText="Eliminando…">
              Eliminar
            </Button>
          </Form>
        }
      >
        <p>
          <b>{title}</b>
        </p>
        <p className="mt-[.5rem]">
          Se borran también sus respuestas, comentarios y votos. No se puede deshacer. Si contaba en la semana de quien
          la escribió, esa persona podrá publicar otra.
        </p>
      </ConfirmDialog>
    </article>
  );
}

function Psychologists({ list, query, now }: { list: AdminPsychologistsView | null; query: Query; now: string }) {
  const { estado = "", pais = "", gold = "", cursor } = query;
  const filtered = Boolean(estado || pais || gold || cursor);
  return (
    <section aria-labelledby="psychologists">
      <h2 id="psychologists" className="h-l">
        Todos los psicólogos
      </h2>
      <Form method="get" action="/admin" className="row mt-[1rem] items-end!" key={`${estado}-${pais}-${gold}`}>
        <input type="hidden" name="vista" value="psicologos" />
        <SelectInput label="Estado" name="estado" defaultValue={estado} className="grow basis-[10rem]">
          <option value="">Todos</option>
          <option value="verificados">Verificados</option>
          <option value="pendientes">Pendientes</option>
        </SelectInput>
        <SelectInput label="País" name="pais" defaultValue={pais} className="grow basis-[10rem]">
          <option value="">Todos</option>
          {COUNTRIES.map((name) => (
            <option key={name}>{name}</option>
          ))}
        </SelectInput>
        <SelectInput label="Gold" name="gold" defaultValue={gold} className="grow basis-[10rem]">
          <option value="">Todos</option>
          <option value="si">Con Gold</option>
          <option value="no">Sin Gold</option>
        </SelectInput>
        <Button type="submit" variant="soft">
          Filtrar
        </Button>
      </Form>
      <div className="mt-[1.25rem] grid gap-[1rem]">
        {list === null && (
          <ErrorState title="No se pudieron cargar los psicólogos" action={<Retry view="psicologos" />} />
        )}
        {list?.items.length === 0 && (
          <EmptyState
            title={filtered ? "Nadie con estos filtros." : "Todavía no hay psicólogos."}
            action={filtered && <Link to="/admin?vista=psicologos">Quitar los filtros</Link>}
          />
        )}
        {list?.items.map((psychologist) => (
          <PsychologistRow key={psychologist.id} psychologist={psychologist} now={now} />
        ))}
        {list && <LoadMore to={list.next_cursor && addressOf(query, { cursor: list.next_cursor })}>Ver más</LoadMore>}
      </div>
    </section>
  );
}

function PsychologistRow({ psychologist, now }: { psychologist: AdminPsychologistView; now: string }) {
  const { id, full_name, email, license_number, specialty, country, rejected_at } = psychologist;
  return (
    <article className="panel row flex-nowrap! items-start!" aria-labelledby={`p-${id}`}>
      <Avatar name={full_name} src={psychologist.avatar_url} />
      <div className="grid min-w-0 gap-[.25rem]">
        <div className="row gap-[.5rem]!">
          <h3 id={`p-${id}`} className="h-s">
            <Link to={`/psicologo/${id}`}>{full_name}</Link>
          </h3>
          {psychologist.is_verified ? <VerifiedBadge /> : <PendingBadge />}
          {psychologist.has_gold && <GoldBadge />}
          {rejected_at && <Badge tone="wait">Rechazado</Badge>}
        </div>
        <p className="wrap-anywhere">
          <a href={`mailto:${email}`}>{email}</a>
        </p>
        <p className="soft">{[license_number, specialty, country ?? "Sin país"].filter(Boolean).join(" · ")}</p>
        <p className="faint row gap-[.75rem]!">
          {psychologist.rating !== null && (
            <Rating value={psychologist.rating} count={counted(psychologist.total_reviews, "reseña", "reseñas")} />
          )}
          <span>{counted(psychologist.total_responses, "respuesta", "respuestas")}</span>
          <span>
            Se registró <RelativeTime datetime={psychologist.created_at} now={now} />
          </span>
        </p>
      </div>
    </article>
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
  membership_receipt: "Recibo de membresía",
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
