import type { ReactNode } from "react";
import { Link } from "react-router";
import { ButtonLink } from "#app/ui/button.tsx";
import { CenteredPage } from "#app/ui/centered-page.tsx";
import { TextArea } from "#app/ui/field.tsx";
import { BackIcon } from "#app/ui/more-icons.tsx";
import { LIMITS } from "#shared/limits.ts";
import "./decision-page.css";

export function DecisionPage({
  title,
  back,
  children,
}: {
  title: string;
  back: { to: string; label: string };
  children: ReactNode;
}) {
  return (
    <CenteredPage
      title={title}
      wide
      before={
        <Link className="icon-link" to={back.to}>
          <BackIcon size="s" />
          {back.label}
        </Link>
      }
    >
      {children}
    </CenteredPage>
  );
}

type Fact = { term: string; value: ReactNode; look?: "is-full-width" | "is-full-width is-text" };

export const Facts = ({ facts }: { facts: readonly Fact[] }) => (
  <dl className="decision__facts">
    {facts.map(({ term, value, look }) => (
      <div key={term} className={look}>
        <dt>{term}</dt>
        <dd className={look}>{value}</dd>
      </div>
    ))}
  </dl>
);

/** Consequences of a decision, shown before the administrator confirms it. */
export const Consequences = ({ lines }: { lines: readonly string[] }) => (
  <ul className="decision__consequences">
    {lines.map((line) => (
      <li key={line}>{line}</li>
    ))}
  </ul>
);

/** Reason of a decision. @param read text that says who will read it */
export const ReasonField = ({ value, error, read }: { value?: string; error?: string; read: string }) => (
  <TextArea
    label="Motivo"
    name="reason"
    rows={3}
    required
    minLength={LIMITS.adminReason.min}
    maxLength={LIMITS.adminReason.max}
    defaultValue={value}
    error={error}
    hint={read}
  />
);

/** Buttons that confirm or cancel the decision. */
export const DecisionActions = ({ cancel, children }: { cancel: string; children: ReactNode }) => (
  <div className="decision__actions">
    {children}
    <ButtonLink to={cancel} variant="quiet">
      No hacer nada
    </ButtonLink>
  </div>
);
