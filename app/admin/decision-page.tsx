import type { ReactNode } from "react";
import { Link } from "react-router";
import { ButtonLink } from "#app/ui/button.tsx";
import { TextArea } from "#app/ui/field.tsx";
import { BackIcon } from "#app/ui/more-icons.tsx";
import { Nook } from "#app/ui/nook.tsx";
import { LIMITS } from "#shared/limits.ts";
import "./decision-page.css";

/** Where a decision of the desk is taken on a page of its own. */
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
    <Nook
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
    </Nook>
  );
}

/** A fact: its term, its value, and how it is written. */
type Fact = { term: string; value: ReactNode; look?: "is-whole" | "is-whole is-text" };

/** What the decision is about. */
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

/** What will follow from a decision, before it is taken. */
export const Consequences = ({ lines }: { lines: readonly string[] }) => (
  <ul className="decision__follows">
    {lines.map((line) => (
      <li key={line}>{line}</li>
    ))}
  </ul>
);

/** Why it is decided. @param read who reads it */
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

/** The two ways out of a decision. */
export const Ways = ({ cancel, children }: { cancel: string; children: ReactNode }) => (
  <div className="decision__ways">
    {children}
    <ButtonLink to={cancel} variant="quiet">
      No hacer nada
    </ButtonLink>
  </div>
);
