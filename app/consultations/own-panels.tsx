import type { ReactNode } from "react";
import { href, Link } from "react-router";
import { GoldBadge, newAnswersText, PendingBadge, VerifiedBadge } from "#app/components/badges.tsx";
import { WayToGold } from "#app/components/way-to-gold.tsx";
import { formatCount, pluralize } from "#app/lib/format.ts";
import { withQuery } from "#app/lib/with-query.ts";
import { Badge } from "#app/ui/badge.tsx";
import { Retry } from "#app/ui/empty-state.tsx";
import { Icon } from "#app/ui/icon.tsx";
import { Figures, Panel } from "#app/ui/panel.tsx";
import { Rating } from "#app/ui/stars.tsx";
import type { WeeklyLimitView } from "#shared/consultations.ts";
import type { PsychologistPanelView } from "#shared/psychologists.ts";
import { ResetTime } from "./reset-time.tsx";

export function WeeklyPanel({ limit, children }: { limit: WeeklyLimitView; children?: ReactNode }) {
  const left = Math.max(0, limit.max_consultations - limit.used);
  return (
    <Panel title="Tu semana">
      <p className="text-muted panel__lead">
        {left > 0 ? (
          <>
            Te queda <b>{pluralize(left, "consulta", "consultas")}</b> para usar cuando la necesites.
          </>
        ) : (
          <>
            Podrás publicar otra consulta en <b>{pluralize(limit.days_until_reset, "día", "días")}</b>.
            {limit.resets_at && <ResetTime at={limit.resets_at} />}
          </>
        )}
      </p>
      <div
        className="bar"
        role="progressbar"
        aria-label="Consultas que te quedan esta semana"
        aria-valuemin={0}
        aria-valuemax={limit.max_consultations}
        aria-valuenow={left}
      >
        <i style={{ width: `${(left / limit.max_consultations) * 100}%` }} />
      </div>
      <p className="faint tabular-nums above-2">
        {limit.used} de {limit.max_consultations} usada · se renueva 7 días después de publicarla
      </p>
      {children}
    </Panel>
  );
}

const freeAnswersLeft = (left: number) =>
  `${left === 1 ? "Te queda" : "Te quedan"} ${pluralize(left, "respuesta gratuita", "respuestas gratuitas")}`;

const STATE_WORDS = {
  unlimited: "Respuestas ilimitadas",
  limit_reached: "Límite de respuestas gratuitas alcanzado",
  pending: "En revisión, 24-48 h; te avisamos por correo",
  rejected: "No hemos podido verificar tu matrícula: corrígela en tu perfil",
} as const;

export function PsychologistPanel({ panel, offer = true }: { panel: PsychologistPanelView | null; offer?: boolean }) {
  if (!panel)
    return (
      <Panel title="Tu consultorio">
        <p className="text-muted panel__lead" role="alert">
          No se pudo verificar tu estado de psicólogo
        </p>
        <Retry />
      </Panel>
    );
  return (
    <Panel title="Tu consultorio">
      <p className="row panel__lead">
        {panel.state === "pending" ? <PendingBadge /> : <VerifiedBadge />}
        {panel.state === "unlimited" && <GoldBadge />}
      </p>
      <p className="text-muted">
        {panel.was_rejected ? (
          <Link to="/perfil">{STATE_WORDS.rejected}</Link>
        ) : (
          `${panel.state === "free" ? freeAnswersLeft(panel.free_answers_left) : STATE_WORDS[panel.state]}.`
        )}
      </p>
      {offer && panel.state === "limit_reached" && (
        <WayToGold pending={panel.payment_pending} wide className="above-4" />
      )}
      <Figures
        items={[
          ["Respuestas", formatCount(panel.answers)],
          ["Votos", formatCount(panel.votes)],
          [
            "Calificación",
            panel.rating === null ? <Badge key="none">Sin reseñas</Badge> : <Rating key="mean" value={panel.rating} />,
          ],
          [
            panel.country ? `Sin responder en ${panel.country}` : "Sin responder",
            <Link key="list" to={`${withQuery("/", { pais: panel.country, orden: "pendientes" })}#consultas`}>
              {panel.unanswered_in_country >= 1000 ? "1.000+" : formatCount(panel.unanswered_in_country)}
              <span className="visually-hidden"> sin responder</span>
            </Link>,
          ],
        ]}
      />
    </Panel>
  );
}

export type NewAnswers = { count: number; to: string };

interface ViewerStatusProps {
  panel: PsychologistPanelView | null;
  last: { id: string; answers: number } | null;
  newAnswers: NewAnswers | null;
}

function statusOf({ panel, last, newAnswers }: ViewerStatusProps): [words: string, to?: string] | null {
  if (newAnswers) return [newAnswersText(newAnswers.count), newAnswers.to];
  if (last) {
    const answers = last.answers ? pluralize(last.answers, "respuesta", "respuestas") : "sin respuestas todavía";
    return [`Tu última consulta: ${answers}`, href("/consulta/:id", { id: last.id })];
  }
  if (!panel || panel.state === "unlimited") return null;
  if (panel.was_rejected) return [STATE_WORDS.rejected, "/perfil"];
  if (panel.state === "pending") return [STATE_WORDS.pending];
  if (panel.state === "free") return [freeAnswersLeft(panel.free_answers_left), "/planes"];
  return [panel.payment_pending ? "Estamos confirmando tu pago" : STATE_WORDS.limit_reached, "/planes"];
}

/** Status line above the feed. Phones show it because the sidebar is below the feed. Empty without a status. */
export function ViewerStatus(props: ViewerStatusProps) {
  const [words, to] = statusOf(props) ?? [];
  if (!words) return null;
  if (!to)
    return (
      <p className="viewer-status viewer-status--pending">
        <Icon name="clock" />
        <span>{words}</span>
      </p>
    );
  return (
    <Link className="viewer-status" to={to} reloadDocument={to === "/planes"}>
      <Icon name="talk" />
      <span>{words}</span>
      <Icon name="forward" size="s" />
    </Link>
  );
}

type OwnPanelsProps = { weekly: WeeklyLimitView | null; panel?: PsychologistPanelView | null };

export default function OwnPanels({ weekly, panel }: OwnPanelsProps) {
  return (
    <>
      {weekly && <WeeklyPanel limit={weekly} />}
      {panel !== undefined && <PsychologistPanel panel={panel} />}
    </>
  );
}
