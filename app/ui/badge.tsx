import type { ReactNode } from "react";
import { classNames } from "./class-names.ts";

export type BadgeTone = "plain" | "ok" | "gold" | "wait" | "done";

type BadgeProps = { tone?: BadgeTone; icon?: ReactNode; className?: string; children: ReactNode };

export const Badge = ({ tone = "plain", icon, className, children }: BadgeProps) => (
  <span className={classNames("badge", tone !== "plain" && `badge--${tone}`, className)}>
    {icon}
    {children}
  </span>
);
