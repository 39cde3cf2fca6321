import { expect } from "vitest";
import { hashPassword } from "#server/accounts/password.ts";
import type { TestApp, TestUser } from "./app.ts";
import { type Browser, openBrowser as openBrowserOf } from "./browser.ts";
import { type openMailbox, tokenIn } from "./mailbox.ts";
import { PASSWORD, registration, uniqueEmail } from "./people.ts";

export const PSYCHOLOGIST_FIELDS = {
  license_number: "MP 7788",
  specialty: "Neuropsicología",
  country: "Uruguay",
  bio: "Atiendo desde 2010.\nTambién en línea.",
  phone: "+598 99 123 456",
  whatsapp: "+598 99 654 321",
};

export const psychologistRegistration = (email: string, more: Record<string, unknown> = {}) =>
  registration(email, {
    user_type: "psychologist",
    ...PSYCHOLOGIST_FIELDS,
    ...more,
  });

/** Input of a confirmation in another browser than the registration's. */
export const confirmationFromOtherBrowser = (password: string, more: Record<string, unknown> = {}) => {
  const { email: _, ...person } = registration("", { password, confirm_password: password, ...more });
  return person;
};

/** Gives an account a password that can be used to sign in. */
export async function setPassword(app: TestApp, { id }: TestUser, password = PASSWORD): Promise<void> {
  await app.sql("update accounts set password_hash = $2 where id = $1", [id, await hashPassword(password)]);
}

export const signIn = (browser: Browser, email: string, password = PASSWORD) =>
  browser.call("POST", "/session", { email, password });

/** Account operations of a test application whose mails arrive in `mailbox`. */
export function accountSteps(app: TestApp, mailbox: ReturnType<typeof openMailbox>) {
  const mailsTo = (address: string) => mailbox.to(app, address);
  const newestToken = async (address: string): Promise<string> =>
    tokenIn((await mailsTo(address)).findLast((mail) => mail.text.includes("?token="))!);
  return {
    openBrowser: () => openBrowserOf(app),
    mailsTo,
    /** The token of the newest mail that has one. */
    newestToken,
    /** Registers in a browser and returns the token of the confirmation link in the mail. */
    async register(browser: Browser, input: Record<string, unknown>): Promise<string> {
      const answer = await browser.call("POST", "/registrations", input);
      expect(answer.status, answer.text).toBe(202);
      return newestToken(input.email as string);
    },
    /** Creates a user with a confirmed account and a usable password. */
    async owner(password = PASSWORD, email = uniqueEmail()): Promise<TestUser> {
      const person = await app.person({ email });
      await setPassword(app, person, password);
      return person;
    },
    viewerOf: async (cookie: string) =>
      (await app.call("GET", "/session", undefined, null, { cookie })).body.user?.id ?? null,
    profilesOf: (email: string) =>
      app.sql<{ id: string; full_name: string; user_type: string }>("select * from profiles where email = $1", [email]),
  };
}
