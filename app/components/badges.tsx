import { href, Link } from "react-router";
import { pluralize } from "#app/lib/format.ts";
import { Badge } from "#app/ui/badge.tsx";
import { Icon } from "#app/ui/icon.tsx";

export function VerifiedBadge({ of }: { of?: { id: string; full_name: string } }) {
  const badge = (
    <Badge tone="ok" icon={<Icon name="verified" size="s" />}>
      Verificado
    </Badge>
  );
  return of ? (
    <Link
      className="badge-link"
      to={`${href("/psicologo/:id", { id: of.id })}#verificacion`}
      aria-label={`Verificado: ${of.full_name}`}
    >
      {badge}
    </Link>
  ) : (
    badge
  );
}

export const PendingBadge = () => (
  <Badge tone="wait" icon={<Icon name="clock" size="s" />}>
    Pendiente de verificación
  </Badge>
);

export const GoldBadge = ({ label = "GOLD", className }: { label?: string; className?: string }) => (
  <Badge tone="gold" icon={<Icon name="gold" size="s" />} className={className}>
    {label}
  </Badge>
);

export const AnsweredBadge = ({ answered }: { answered: boolean }) => (
  <Badge tone={answered ? "done" : "wait"}>{answered ? "Respondida" : "Pendiente"}</Badge>
);

export const newAnswersText = (count: number) => pluralize(count, "respuesta nueva", "respuestas nuevas");

export function NewAnswersBadge({ count }: { count: number }) {
  if (!count) return null;
  const number = count > 99 ? "99+" : String(count);
  return (
    <span className="new-answers-badge">
      <span aria-hidden="true">{`${number} ${count === 1 ? "nueva" : "nuevas"}`}</span>
      <span className="visually-hidden"> {newAnswersText(count)}</span>
    </span>
  );
}
