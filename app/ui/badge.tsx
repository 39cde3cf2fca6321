import type { ReactNode } from "react";
import { classNames } from "./class-names.ts";
import { ClockIcon, GoldIcon, VerifiedIcon } from "./more-icons.tsx";

export type BadgeTone = "plain" | "ok" | "gold" | "wait" | "done";

export interface BadgeProps {
  tone?: BadgeTone;
  icon?: ReactNode;
  className?: string;
  children: ReactNode;
}

/** A short fact in a pill. */
export function Badge({ tone = "plain", icon, className, children }: BadgeProps) {
  return (
    <span className={classNames("badge", tone !== "plain" && `badge--${tone}`, className)}>
      {icon}
      {children}
    </span>
  );
}

/** Somebody's credentials were checked. */
export function VerifiedBadge({ className }: { className?: string }) {
  return (
    <Badge tone="ok" icon={<VerifiedIcon size="s" />} className={className}>
      Verificado
    </Badge>
  );
}

/** Somebody's credentials are still to be checked. */
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
