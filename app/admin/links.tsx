import { href, Link } from "react-router";

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
