import type { ReactNode } from "react";
import { type FormState, fieldOf } from "#app/components/action-form.tsx";
import { ButtonLink } from "#app/ui/button.tsx";
import { TextArea } from "#app/ui/field.tsx";
import { LIMITS } from "#shared/limits.ts";
import "./decision-page.css";

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
export const ReasonField = ({ form, read }: { form: FormState; read: string }) => (
  <TextArea label="Motivo" rows={3} required limit={LIMITS.adminReason} hint={read} {...fieldOf(form, "reason")} />
);

export const DecisionActions = ({ cancel, children }: { cancel: string; children: ReactNode }) => (
  <div className="row decision__actions">
    {children}
    <ButtonLink to={cancel} variant="quiet">
      No hacer nada
    </ButtonLink>
  </div>
);
