import { type ReactNode, useId } from "react";
import { classNames } from "./class-names.ts";

interface PanelProps {
  tone?: "plain" | "deep" | "gold";
  title?: ReactNode;
  level?: 2 | 3;
  label?: string;
  id?: string;
  hidden?: boolean;
  className?: string;
  children?: ReactNode;
}

export function Panel({ tone = "plain", title, level = 2, label, id, hidden, className, children }: PanelProps) {
  const titleId = useId();
  const Heading = level === 2 ? "h2" : "h3";
  return (
    <section
      id={id}
      hidden={hidden}
      className={classNames("panel", tone !== "plain" && `panel--${tone}`, className)}
      aria-labelledby={title ? titleId : undefined}
      aria-label={title ? undefined : label}
    >
      {title && <Heading id={titleId}>{title}</Heading>}
      {children}
    </section>
  );
}

type FiguresProps = { items: readonly (readonly [term: string, value: ReactNode])[]; className?: string };

export const Figures = ({ items, className = "figures" }: FiguresProps) => (
  <dl className={className}>
    {items.map(([term, value]) => (
      <div key={term}>
        <dt>{term}</dt>
        <dd>{value}</dd>
      </div>
    ))}
  </dl>
);
