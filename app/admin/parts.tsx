import type { ReactNode } from "react";
import { href, Link } from "react-router";
import { ButtonLink } from "#app/ui/button.tsx";
import "./row.css";
import "./decision-page.css";

export const ListHeader = ({ id, title, children }: { id: string; title: string; children?: ReactNode }) => (
  <div className="admin-list-header">
    <h2 id={id} className="title-l">
      {title}
    </h2>
    {children && <p className="text-muted small">{children}</p>}
  </div>
);

/** Returns the `mailto:` URL of an email. Its local part may contain characters that end a URL's path. */
export const mailHref = (email: string) => `mailto:${encodeURIComponent(email).replace("%40", "@")}`;

export const MailLink = ({ email }: { email: string }) => (
  <a className="tap-link" href={mailHref(email)}>
    {email}
  </a>
);

export const GoldLink = ({ of, children }: { of: { id: string; full_name: string }; children: string }) => (
  <Link className="tap-link" to={href("/admin/psicologo/:id/gold", { id: of.id })}>
    {children}
    <span className="visually-hidden">: {of.full_name}</span>
  </Link>
);

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
