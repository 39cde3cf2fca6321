/** Returns the `mailto:` URL of an email. Its local part may contain characters that end a URL's path. */
export const mailHref = (email: string) => `mailto:${encodeURIComponent(email).replace("%40", "@")}`;

export const MailLink = ({ email }: { email: string }) => <a href={mailHref(email)}>{email}</a>;
