import { useRef } from "react";
import { data, href, Link } from "react-router";
import { Setting, SettingLink } from "#app/accounts/setting.tsx";
import { SignedOutPage } from "#app/accounts/signed-out-page.tsx";
import { ActionForm, type FormState, fieldOf, useForm } from "#app/components/action-form.tsx";
import { MoreItems } from "#app/components/more-items.tsx";
import { OwnConsultation } from "#app/consultations/own-consultation.tsx";
import { PsychologistPanel, WeeklyPanel } from "#app/consultations/own-panels.tsx";
import { type FailureHandle, failure } from "#app/lib/client-error-messages.ts";
import { editDraft } from "#app/lib/drafts.ts";
import { formAction } from "#app/lib/form-action.server.ts";
import { redirectOnInvalidCursor } from "#app/lib/list-parameters.server.ts";
import { pageMeta } from "#app/lib/page-meta.ts";
import { nullOnError, requireViewer, runLoader } from "#app/lib/page-request.server.ts";
import { usePagedList } from "#app/lib/paged-list.ts";
import { usePageDraft, useStoredValues } from "#app/lib/use-draft.ts";
import { MembershipSummary } from "#app/memberships/membership-summary.tsx";
import { StatisticsPanel } from "#app/psychologists/statistics.tsx";
import { Avatar } from "#app/ui/avatar.tsx";
import { Button, ButtonLink } from "#app/ui/button.tsx";
import { EmptyState, ErrorState } from "#app/ui/empty-state.tsx";
import { TextArea, TextInput } from "#app/ui/field.tsx";
import { Icon } from "#app/ui/icon.tsx";
import { Panel } from "#app/ui/panel.tsx";
import { PhotoForm } from "#app/uploads/photo-form.tsx";
import type { TemplateView } from "#shared/answers.ts";
import type { OwnConsultationView, OwnFeedView } from "#shared/consultations.ts";
import { excerpt } from "#shared/excerpt.ts";
import { LIMITS } from "#shared/limits.ts";
import type { OwnProfileView } from "#shared/own-profile.ts";
import type { PsychologistPanelView } from "#shared/psychologists.ts";
import { ProfileForm } from "./profile-form.tsx";
import "./profile.css";
import type { Route } from "./+types/profile.ts";

export const handle: FailureHandle = { failed: { "*": failure("No se pudieron guardar los cambios") } };

export const meta: Route.MetaFunction = () => pageMeta("Mi Perfil");

export const loader = (args: Route.LoaderArgs) =>
  runLoader(args, async (ctx) => {
    const { api, form, viewer } = ctx;
    const me = form ? requireViewer(args) : viewer();
    if (!me) return data(null, { status: 401 });
    const profile = await api.accounts.profile({});
    if (me.user_type === "psychologist") {
      const [panel, plans, templates, statistics] = await Promise.all([
        nullOnError(ctx, api.psychologists.panel({})),
        api.memberships.plans({}),
        api.answers.templates({}),
        me.has_gold ? nullOnError(ctx, api.psychologists.statistics({ id: me.id })) : null,
      ]);
      return { view: "psychologist" as const, profile, panel, plans, templates, statistics, hasGold: me.has_gold };
    }
    const cursor = args.url.searchParams.get("cursor") || undefined;
    const [weekly, mine] = await Promise.all([
      api.consultations.weeklyLimit({}),
      redirectOnInvalidCursor(args, api.consultations.mine({ cursor })),
    ]);
    return { view: "user" as const, profile, weekly, mine, further: cursor !== undefined };
  });

export const action = formAction({
  async act({ api, input, leave }) {
    const { verification_asked } = await api.accounts.updateProfile(input());
    return leave("/perfil", verification_asked ? "profile_updated_pending" : "profile_updated");
  },
  async save_template({ api, input, leave }) {
    await api.answers.saveTemplate(input("id", "title", "content"));
    return leave("/perfil#textos", "changes_saved");
  },
  async delete_template({ api, input, leave }) {
    await api.answers.deleteTemplate(input("id"));
    return leave("/perfil#textos", "changes_saved");
  },
});

export default function Profile({ loaderData, actionData }: Route.ComponentProps) {
  const saving = useForm(actionData, { intent: "act" });
  const { error } = useForm(actionData, { toast: true });
  if (!loaderData) return <SignedOutPage title="Mi Perfil" subject="tu perfil" path="/perfil" />;
  const { profile } = loaderData;
  const form = <ProfileForm profile={profile} form={saving} />;
  return (
    <main id="contenido" className="page own-profile">
      <div className="own-profile__head">
        <Avatar name={profile.full_name} src={profile.avatar_url} size="l" />
        <h1 className="title-xl">Mi Perfil</h1>
        {profile.psychologist ? (
          <Link className="icon-link" to={href("/psicologo/:id", { id: profile.id })}>
            <Icon name="eye" size="s" />
            Ver Perfil Público
          </Link>
        ) : (
          <p className="text-muted">{profile.full_name}. En tus consultas anónimas nadie ve este nombre.</p>
        )}
      </div>
      {loaderData.view === "psychologist" ? (
        <>
          <StateBanner profile={profile} panel={loaderData.panel} />
          <div className="split own-profile__part">
            <Panel title="Editar perfil" className="stack stack--form">
              <PhotoForm name={profile.full_name} src={profile.avatar_url} bad={error?.code === "photo_required"} />
              {form}
              <NotificationsLink />
            </Panel>
            <aside className="aside" aria-label="Tu cuenta">
              <MembershipSummary plans={loaderData.plans} hasGold={loaderData.hasGold} />
              <PsychologistPanel panel={loaderData.panel} offer={false} />
            </aside>
          </div>
          <OwnTemplates templates={loaderData.templates} response={actionData} />
          {loaderData.hasGold && (
            <div className="own-profile__part">
              {loaderData.statistics ? (
                <StatisticsPanel statistics={loaderData.statistics} />
              ) : (
                <ErrorState title="No se pudieron cargar tus estadísticas" />
              )}
            </div>
          )}
        </>
      ) : (
        <div className="split own-profile__split">
          <MyConsultations first={loaderData.mine} further={loaderData.further} />
          <aside className="aside" aria-label="Tu cuenta">
            <WeeklyPanel limit={loaderData.weekly}>
              {loaderData.weekly.used < loaderData.weekly.max_consultations ? (
                <ButtonLink to="/" wide icon={<Icon name="plus" />} className="above-4">
                  Nueva Consulta
                </ButtonLink>
              ) : (
                <Button disabled wide className="above-4">
                  Límite alcanzado
                </Button>
              )}
            </WeeklyPanel>
            <Panel title="Tus datos">
              <Setting name="Nombre completo" value={profile.full_name} open={error !== null}>
                {form}
              </Setting>
              <SettingLink name="Correo y contraseña" value={profile.email} to="/cuenta">
                Cambiar
              </SettingLink>
              <NotificationsLink />
            </Panel>
          </aside>
        </div>
      )}
    </main>
  );
}

const NotificationsLink = () => (
  <SettingLink name="Avisos" value="Por correo y en tus dispositivos" to="/notificaciones#avisos">
    Cambiar
  </SettingLink>
);

type StateBannerProps = { profile: OwnProfileView; panel: PsychologistPanelView | null };

function StateBanner({ profile: { psychologist }, panel }: StateBannerProps) {
  if (!psychologist) return null;
  const { is_verified, was_rejected } = psychologist;
  return (
    <p className={`panel row own-profile__state ${is_verified ? "panel--ok" : "panel--clay"}`}>
      {is_verified ? <Icon name="verified" /> : <Icon name="clock" />}
      {is_verified ? (
        <span>
          <b>Tu cuenta está verificada.</b>{" "}
          {panel?.state === "limit_reached"
            ? `Ya usaste tus ${panel.max_free_responses} respuestas gratuitas${panel.payment_pending ? "; estamos confirmando tu pago de Gold." : ": con la Membresía Gold puedes seguir respondiendo."}`
            : panel && "Puedes responder consultas."}
        </span>
      ) : was_rejected ? (
        <span>
          <b>Pendiente de verificación.</b> No hemos podido verificar tu matrícula; te lo contamos por correo. Corrige
          tu nombre, tu país o tu número de matrícula y volveremos a revisarlos en 24-48 horas.
        </span>
      ) : (
        <span>
          <b>Pendiente de verificación.</b> Tu cuenta está en revisión: toma 24-48 horas y te avisaremos por correo
          cuando esté aprobada. Hasta entonces no puedes responder.
        </span>
      )}
    </p>
  );
}

function MyConsultations({ first, further }: { first: OwnFeedView; further: boolean }) {
  const list = usePagedList<OwnConsultationView>(
    first,
    (cursor) => `/api/profile/consultations?${new URLSearchParams({ cursor })}`,
  );
  return (
    <section aria-labelledby="mias">
      <h2 id="mias" className="title-l own-consultations__head">
        Mis Consultas
      </h2>
      {further && (
        <Link className="icon-link" to="/perfil">
          Volver a las más recientes
        </Link>
      )}
      {list.items.length === 0 ? (
        <EmptyState title="Todavía no has publicado ninguna consulta." action={<Link to="/">Ir a las consultas</Link>}>
          Cuando preguntes algo, aquí verás si ya tiene respuesta.
        </EmptyState>
      ) : (
        <div className="feed">
          {list.items.map((consultation) => (
            <OwnConsultation key={consultation.id} consultation={consultation} />
          ))}
          <MoreItems
            list={list}
            to={(cursor) => `/perfil?cursor=${cursor}`}
            failed="No se pudieron cargar las consultas"
          />
        </div>
      )}
    </section>
  );
}

function OwnTemplates({ templates, response }: { templates: TemplateView[]; response: unknown }) {
  const form = useForm(response, { main: "content" });
  return (
    <Panel id="textos" title="Mis textos" className="own-profile__part">
      <p className="text-muted panel__lead">
        Guarda lo que escribes a menudo: al responder, abre «Mis textos» y elige «Guardar lo escrito como texto». Solo
        los ves tú.
      </p>
      {templates.map((one) => (
        <OwnTemplate key={one.id} template={one} refused={form.typed?.id === one.id ? form : null} />
      ))}
    </Panel>
  );
}

function OwnTemplate({ template, refused }: { template: TemplateView; refused: FormState | null }) {
  const form = useRef<HTMLFormElement>(null);
  useStoredValues(form);
  usePageDraft(form, editDraft(template.id));
  const fields = refused ?? { typed: undefined, errors: {} };
  return (
    <Setting
      name={template.title}
      value={<span className="clamped">{excerpt(template.content)}</span>}
      open={refused !== null}
    >
      <ActionForm ref={form} fields={{ id: template.id }} className="stack" preventScrollReset>
        <TextInput label="Título" maxLength={LIMITS.templateTitle.max} {...fieldOf(fields, "title", template.title)} />
        <TextArea label="Texto" maxLength={LIMITS.answer.max} {...fieldOf(fields, "content", template.content)} />
        <div className="row">
          <Button type="submit" name="intent" value="save_template" small>
            Guardar cambios
          </Button>
          <details>
            <summary className="button button--quiet button--small">Eliminar</summary>
            <Button type="submit" name="intent" value="delete_template" variant="danger" small>
              Eliminar para siempre
            </Button>
          </details>
        </div>
      </ActionForm>
    </Setting>
  );
}
