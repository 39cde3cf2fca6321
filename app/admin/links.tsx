import { href, Link } from "react-router";

/** Returns the `mailto:` URL of an email. Its local part may contain characters that end a URL's path. */
export const mailHref = (email: string) => `mailto:${encodeURIComponent(email).replace("%40", "@")}`;

export const MailLink = ({ email }: { email: string }) => (
  <a className="tap-link" href={mailHref(email)}>
    {email}
  </a>
);

interface GoldLinkProps {
  of: { id: string; full_name: string };
  children: string;
}

export const GoldLink = ({ of: { id, full_name }, children }: GoldLinkProps) => (
  <Link className="tap-link" to={href("/admin/psicologo/:id/gold", { id })}>
    {children}
    <span className="visually-hidden">: {full_name}</span>
  </Link>
);
