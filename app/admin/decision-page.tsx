import type { ReactNode } from "react";
import { ButtonLink } from "#app/ui/button.tsx";
import "./decision-page.css";

/** Consequences of a decision, shown before the administrator confirms it. */
export const Consequences = ({ lines }: { lines: readonly string[] }) => (
  <ul className="decision__consequences">
    {lines.map((line) => (
      <li key={line}>{line}</li>
    ))}
  </ul>
);

export const DecisionActions = ({ cancel, children }: { cancel: string; children: ReactNode }) => (
  <div className="row decision__actions">
    {children}
    <ButtonLink to={cancel} variant="quiet">
      No hacer nada
    </ButtonLink>
  </div>
);
