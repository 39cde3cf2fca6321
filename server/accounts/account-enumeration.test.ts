import { describe, expect, test } from "vitest";
import { setUpAccounts, signIn } from "#test/accounts.ts";
import type { Answer } from "#test/app.ts";
import { expectEqualWork } from "#test/equal-work.ts";
import { PASSWORD, registration, twice, uniqueEmail } from "#test/people.ts";
import { hashPassword } from "./password.ts";

const { app, mailsTo, openBrowser, register } = setUpAccounts();
describe("responses that must not reveal an account", () => {
  /**
   * Emails with an account whose password is known, or with a registration that waits in another browser, and emails
   * with neither.
   */
  async function addresses(pairs: number) {
    const many = (count: number) => Array.from({ length: count }, uniqueEmail);
    const [known, waiting, unknown] = [many(Math.ceil(pairs / 2)), many(Math.floor(pairs / 2)), many(pairs)];
    const hash = await hashPassword(PASSWORD);
    const people = await Promise.all(known.map((email) => app.person({ email })));
    await app.sql("update accounts set password_hash = $1 where id = any($2)", [hash, people.map(({ id }) => id)]);
    await registerAll(openBrowser(), waiting, "la llave de otra persona");
    return { known: [...known, ...waiting], unknown };
  }
  /** Registers emails in one browser. Copies the first row in SQL, because each registration costs a password hash. */
  async function registerAll(browser: ReturnType<typeof openBrowser>, addresses: string[], password: string) {
    const one = uniqueEmail();
    await browser.call("POST", "/registrations", registration(one, twice(password)));
    await app.sql(
      `insert into pending_registrations
        select copy.* from pending_registrations one, unnest($2::text[]) address, lateral jsonb_populate_record(one,
          jsonb_build_object('id', gen_random_uuid(), 'email', address, 'token_hash', sha256(gen_random_uuid()::text::bytea))) copy
        where one.email = $1`,
      [one, addresses],
    );
  }

  test.each<[string, (email: string) => Promise<Answer>]>([
    ["a registration", (email) => app.call("POST", "/registrations", registration(email))],
    ["a repeated confirmation mail", (email) => app.call("POST", "/registrations/mail", { email })],
    ["a recovery", (email) => app.call("POST", "/recoveries", { email })],
    ["a wrong password", (email) => app.call("POST", "/session", { email, password: "otra contraseña larga" })],
  ])("needs equal work for %s with or without an account or a waiting registration", (_what, ask) =>
    expectEqualWork(app, ask, addresses),
  );

  test("needs equal work for the password of a pending registration with or without an account", () => {
    const browser = openBrowser();
    const password = "la llave de la curiosa";
    return expectEqualWork(
      app,
      async (email) => {
        const answer = await browser.call("POST", "/session", { email, password });
        expect(answer.body.code).toBe("email_not_confirmed");
        return answer;
      },
      async (pairs) => {
        const made = await addresses(pairs);
        await browser.page("/auth");
        await registerAll(browser, [...made.known, ...made.unknown], password);
        return made;
      },
    );
  });

  test("responds the same to a third party before and after the owner confirms or deletes the account", async () => {
    const email = uniqueEmail();
    const stranger = openBrowser();
    const password = "la llave de la curiosa";
    const linkOfStranger = await register(stranger, registration(email, twice(password)));
    const asked = async () => (await signIn(stranger, email, password)).body.code;
    expect(await asked()).toBe("email_not_confirmed");
    const browser = openBrowser();
    await register(browser, registration(email));
    expect(await asked()).toBe("email_not_confirmed");
    // The owner confirms with the third party's link in the owner's browser.
    const { email: _, ...person } = registration(email);
    expect((await browser.call("POST", "/accounts", { ...person, token: linkOfStranger })).status).toBe(201);
    expect(await asked()).toBe("email_not_confirmed");
    await app.sql(
      "update sessions set password_at = now() where account_id = (select id from profiles where email = $1)",
      [email],
    );
    expect((await browser.call("DELETE", "/account", { anonymous_texts: "keep" })).status).toBe(200);
    expect(await asked()).toBe("email_not_confirmed");
    // The remaining rows contain no personal data and their links are invalid.
    expect(await app.sql("select full_name, details from pending_registrations where email = $1", [email])).toEqual(
      expect.arrayContaining([{ full_name: "", details: {} }]),
    );
    expect((await app.call("POST", "/registrations/pending", { token: linkOfStranger })).status).toBe(410);
    const before = (await mailsTo(email)).length;
    await stranger.call("POST", "/registrations/mail", { email });
    expect(await mailsTo(email)).toHaveLength(before);
  });
});
