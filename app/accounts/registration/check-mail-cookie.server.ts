import type { PageContext } from "#app/lib/page-request.server.ts";
import { ownPath } from "#shared/return-path.ts";
import { HOUR_SECONDS } from "#shared/time.ts";

/** Signing up keeps this in the browser for the page that says to look in the mail. */
const NAME = "check_mail";

/** The address of the registration, null where none is known, and where the person was. */
type CheckMail = { email: string | null; returnTo: string };

/** What is kept. Where nothing is, or the cookie is not ours, no address is known. */
export function readCheckMail({ cookies }: PageContext): CheckMail {
  try {
    const [email, path]: unknown[] = JSON.parse(decodeURIComponent(cookies.get(NAME) ?? "[]"));
    return {
      email: typeof email === "string" ? email : null,
      returnTo: ownPath(typeof path === "string" ? path : null),
    };
  } catch {
    return { email: null, returnTo: "/" };
  }
}

/** Keeps it for an hour. */
export const keepCheckMail = ({ cookies }: PageContext, { email, returnTo }: CheckMail): void =>
  cookies.set(NAME, encodeURIComponent(JSON.stringify([email, returnTo])), { maxAge: HOUR_SECONDS });

export const forgetCheckMail = ({ cookies }: PageContext): void => cookies.clear(NAME);
