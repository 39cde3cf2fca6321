import type { ReactNode } from "react";
import { href, Link } from "react-router";
import { FormError, type FormState, useForm } from "#app/components/action-form.tsx";
import { type DisplayError, resolveMessage } from "#app/lib/client-error-messages.ts";
import { ButtonLink } from "#app/ui/button.tsx";
import { FormMessage } from "#app/ui/form-message.tsx";
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

export type FailedDecision = FormState & { error: DisplayError };

export const isConflict = (failed: FailedDecision | null) => failed?.error.code === "version_conflict";

/** Shows a toast for a rejected decision. Each of the section's `rows` has its own `VersionConflict`. */
export function useDecisions(
  actionData: unknown,
  rows: readonly { id: string }[],
): { failedOf(id: string): FailedDecision | null; refusal: ReactNode } {
  const form = useForm(actionData, { toast: true });
  const { id = "" } = form.typed ?? {};
  const failed = form.error && { ...form, error: form.error };
  const onScreen = isConflict(failed) && rows.some((row) => row.id === id);
  return {
    failedOf: (row) => (row === id ? failed : null),
    refusal: onScreen ? (
      <noscript>
        <Refusal error={failed!.error} to={`#d-${id}`} />
      </noscript>
    ) : (
      failed && <Refusal key={failed.at} error={failed.error} />
    ),
  };
}

function Refusal({ error, to }: { error: DisplayError; to?: string }) {
  const { title, description } = resolveMessage(error);
  return (
    <FormMessage title={title}>
      <p>
        {description} {to && <a href={to}>Ver cómo está ahora</a>}
      </p>
    </FormMessage>
  );
}

/** Says that the row changed since it was loaded. Receives the focus. */
export const VersionConflict = ({ failed }: { failed: FailedDecision | null }) =>
  failed && isConflict(failed) && <FormError form={{ ...failed, error: { ...failed.error, told: false } }} />;
