import { href, Link } from "react-router";
import { Badge } from "#app/ui/badge.tsx";
import { ClockIcon, GoldIcon, VerifiedIcon } from "#app/ui/more-icons.tsx";

/** The psychologist's licence was checked. @param of whose; the badge is then a link to who checked it, when and where */
export function VerifiedBadge({ of }: { of?: { id: string; full_name: string } }) {
  const badge = (
    <Badge tone="ok" icon={<VerifiedIcon size="s" />}>
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

/** The psychologist's licence is still to be checked. */
export function PendingBadge() {
  return (
    <Badge tone="wait" icon={<ClockIcon size="s" />}>
      Pendiente de verificación
    </Badge>
  );
}

/** A paid membership: "GOLD" beside a name, other words where there is room. */
export function GoldBadge({ label = "GOLD", className }: { label?: string; className?: string }) {
  return (
    <Badge tone="gold" icon={<GoldIcon size="s" />} className={className}>
      {label}
    </Badge>
  );
}

/** Whether a consultation has an answer. */
export function AnsweredBadge({ answered }: { answered: boolean }) {
  return <Badge tone={answered ? "done" : "wait"}>{answered ? "Respondida" : "Pendiente"}</Badge>;
}
