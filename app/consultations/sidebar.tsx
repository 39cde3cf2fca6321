import { Form } from "react-router";
import { count, counted } from "#app/lib/numbers.ts";
import { OWN_WORDS } from "#app/lib/page-error.ts";
import { Badge, GoldBadge, PendingBadge, VerifiedBadge } from "#app/ui/badge.tsx";
import { Button, ButtonLink } from "#app/ui/button.tsx";
import { Cup } from "#app/ui/drawings.tsx";
import { Retry } from "#app/ui/empty-state.tsx";
import { Panel } from "#app/ui/panel.tsx";
import { Rating } from "#app/ui/stars.tsx";
import type { CommunityView, WeeklyLimitView } from "#shared/consultations.ts";
import { PRODUCT_NAME } from "#shared/product.ts";
import type { PsychologistPanelView } from "#shared/psychologists.ts";

/** The week's consultation: used or not, and when the next one is possible. */
export function WeeklyPanel({ limit }: { limit: WeeklyLimitView }) {
  const left = Math.max(0, limit.max_consultations - limit.used);
  return (
    <Panel title="Tu semana">
      <p className="soft panel__lede">
        {left > 0 ? (
          <>
            Te queda <b>{counted(left, "consulta", "consultas")}</b> para usar cuando la necesites.
          </>
        ) : (
          <>
            Podrás publicar otra consulta en <b>{counted(limit.days_until_reset, "día", "días")}</b>.
          </>
        )}
      </p>
      <div
        className="bar"
        role="progressbar"
        aria-label="Consultas usadas esta semana"
        aria-valuemin={0}
        aria-valuemax={limit.max_consultations}
        aria-valuenow={Math.min(limit.used, limit.max_consultations)}
      >
        <i style={{ width: `${Math.min(100, (limit.used / limit.max_consultations) * 100)}%` }} />
      </div>
      <p className="faint num panel__more">
        {limit.used} de {limit.max_consultations} usada · se renueva 7 días después de publicarla
      </p>
    </Panel>
  );
}

const STATE_WORDS = {
  unlimited: "Respuestas ilimitadas",
  limit_reached: "Límite de respuestas gratuitas alcanzado",
  pending: "Revisamos tu matrícula: tarda entre 24 y 48 horas",
} as const;

/** The psychologist's own numbers; null when they could not be read. */
export function PsychologistPanel({ panel }: { panel: PsychologistPanelView | null }) {
  if (!panel)
    return (
      <Panel title="Tu consultorio">
        <p className="soft panel__lede" role="alert">
          {OWN_WORDS.psychologist_state_not_read.description}
        </p>
        <Retry />
      </Panel>
    );
  return (
    <Panel title="Tu consultorio">
      <p className="row panel__lede">
        {panel.state === "pending" ? <PendingBadge /> : <VerifiedBadge />}
        {panel.state === "unlimited" && <GoldBadge />}
      </p>
      <p className="soft">
        {panel.state === "free"
          ? `Te quedan ${counted(panel.free_answers_left, "respuesta gratuita", "respuestas gratuitas")}.`
          : `${STATE_WORDS[panel.state]}.`}
      </p>
      {panel.state === "limit_reached" && (
        <ButtonLink to="/planes" reloadDocument wide className="panel__act">
          Ver la membresía Gold
        </ButtonLink>
      )}
      <dl className="figs">
        <div>
          <dt>Respuestas</dt>
          <dd>{count(panel.answers)}</dd>
        </div>
        <div>
          <dt>Votos</dt>
          <dd>{count(panel.votes)}</dd>
        </div>
        <div>
          <dt>Calificación</dt>
          <dd>{panel.rating === null ? <Badge>Sin reseñas</Badge> : <Rating value={panel.rating} />}</dd>
        </div>
        <div>
          <dt>{panel.country ? `Sin responder en ${panel.country}` : "Sin responder"}</dt>
          <dd>{panel.unanswered_in_country >= 1000 ? "1.000+" : count(panel.unanswered_in_country)}</dd>
        </div>
      </dl>
    </Panel>
  );
}

/** Numbers of the whole community. */
export function CommunityPanel({ numbers }: { numbers: CommunityView }) {
  return (
    <Panel title="La comunidad hoy">
      <dl className="figs">
        <div>
          <dt>Consultas activas</dt>
          <dd>{count(numbers.consultations)}</dd>
        </div>
        <div>
          <dt>Psicólogos registrados</dt>
          <dd>{count(numbers.psychologists)}</dd>
        </div>
        <div>
          <dt>Respuestas</dt>
          <dd>{count(numbers.answers)}</dd>
        </div>
      </dl>
    </Panel>
  );
}

/** Asks for a coffee, at an external service. */
export function DonationPanel({ url }: { url: string }) {
  return (
    <Panel label="Donación">
      <div className="donate">
        <Cup />
        <div>
          <h2 className="h-s">Invítanos un café</h2>
          <p className="faint">{PRODUCT_NAME} es gratis para quien pregunta. Las donaciones pagan el servidor.</p>
        </div>
      </div>
      <a className="btn btn--soft btn--wide panel__act" href={url} rel="noopener noreferrer">
        Invitar un café
      </a>
    </Panel>
  );
}

/**
 * Calls psychologists to register: with another account where one is signed in, since an account stays what it is.
 * @param signingOut called when somebody signs out for that; null where nobody is signed in
 */
export function PsychologistCall({ signingOut }: { signingOut: (() => void) | null }) {
  return (
    <Panel tone="deep" title="¿Eres psicólogo o psicóloga?">
      <p className="soft panel__lede">
        Responde consultas con tu matrícula verificada y deja que te conozcan por cómo escuchas.
      </p>
      {signingOut ? (
        <>
          <p className="soft panel__lede">Para responder hace falta una cuenta profesional, con otro correo.</p>
          <Form method="post" action="/salir" onSubmit={signingOut}>
            <input type="hidden" name="then" value="register_psychologist" />
            <Button type="submit" variant="lamp" wide>
              Cerrar Sesión y registrarme
            </Button>
          </Form>
        </>
      ) : (
        <ButtonLink variant="lamp" wide to="/auth?modo=registro&tipo=psicologo">
          Registrarme como profesional
        </ButtonLink>
      )}
    </Panel>
  );
}
