import { Badge } from "#app/ui/badge.tsx";
import { ClockIcon, GoldIcon, VerifiedIcon } from "#app/ui/more-icons.tsx";

/** The psychologist's licence was checked. */
export function VerifiedBadge({ className }: { className?: string }) {
  return (
    <Badge tone="ok" icon={<VerifiedIcon size="s" />} className={className}>
      Verificado
    </Badge>
  );
}

/** The psychologist's licence is still to be checked. */
export function PendingBadge({
  label = "Pendiente de verificación",
  className,
}: {
  label?: string;
  className?: string;
}) {
  return (
    <Badge tone="wait" icon={<ClockIcon size="s" />} className={className}>
      {label}
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

/** Whether something has an answer already. */
export function AnsweredBadge({ answered, className }: { answered: boolean; className?: string }) {
  return (
    <Badge tone={answered ? "done" : "wait"} className={className}>
      {answered ? "Respondida" : "Pendiente"}
    </Badge>
  );
}
