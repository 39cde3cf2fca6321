import type { PageContext } from "#app/lib/page-request.server.ts";
import { safeRedirect } from "#shared/safe-redirect.ts";
import { HOUR_SECONDS } from "#shared/time.ts";

const NAME = "check_mail";

type CheckMail = { email: string | null; returnTo: string };

export function readCheckMailCookie({ cookies }: PageContext): CheckMail {
  const stored = new URLSearchParams(cookies.get(NAME));
  return { email: stored.get("email") || null, returnTo: safeRedirect(stored.get("return_to")) };
}

export const setCheckMailCookie = ({ cookies }: PageContext, { email, returnTo }: CheckMail): void =>
  cookies.set(NAME, `${new URLSearchParams({ email: email ?? "", return_to: returnTo })}`, { maxAge: HOUR_SECONDS });

export const clearCheckMailCookie = ({ cookies }: PageContext): void => cookies.clear(NAME);
