import { Badge } from "#app/ui/badge.tsx";
import { ClockIcon, GoldIcon, VerifiedIcon } from "#app/ui/more-icons.tsx";

/** The psychologist's licence was checked. */
export function VerifiedBadge() {
  return (
    <Badge tone="ok" icon={<VerifiedIcon size="s" />}>
      Verificado
    </Badge>
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
