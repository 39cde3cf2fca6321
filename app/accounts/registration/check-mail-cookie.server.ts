import type { PageContext } from "#app/lib/page-request.server.ts";
import { safeRedirect } from "#shared/safe-redirect.ts";
import { HOUR_SECONDS } from "#shared/time.ts";

const NAME = "check_mail";

type CheckMail = { email: string | null; returnTo: string };

export function readCheckMailCookie({ cookies }: PageContext): CheckMail {
  try {
    const [email, path]: unknown[] = JSON.parse(decodeURIComponent(cookies.get(NAME) ?? "[]"));
    return {
      email: typeof email === "string" ? email : null,
      returnTo: safeRedirect(typeof path === "string" ? path : null),
    };
  } catch {
    return { email: null, returnTo: "/" };
  }
}

export const setCheckMailCookie = ({ cookies }: PageContext, { email, returnTo }: CheckMail): void =>
  cookies.set(NAME, encodeURIComponent(JSON.stringify([email, returnTo])), { maxAge: HOUR_SECONDS });

export const clearCheckMailCookie = ({ cookies }: PageContext): void => cookies.clear(NAME);
