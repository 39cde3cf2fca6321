import { describe, expect, test } from "vitest";
import { CONSENTS_OF } from "#shared/consents.ts";
import { DAY, HOUR } from "#shared/time.ts";
import {
  confirmationFromOtherBrowser,
  PSYCHOLOGIST_FIELDS,
  psychologistRegistration,
  setUpAccounts,
  signIn,
} from "#test/accounts.ts";
import { formFields, NEW, PASSWORD, registration, twice, uniqueEmail } from "#test/people.ts";

const { app, openBrowser, register, profilesOf } = setUpAccounts();

describe("POST /accounts", () => {
  test("requires all fields again in another browser, where only the registered email counts", async () => {
    const email = uniqueEmail();
    const token = await register(openBrowser(), psychologistRegistration(email, { return_to: "/nueva-consulta" }));
    const other = openBrowser();
    // The link may have been forwarded.
    expect((await other.page(`/auth/confirmar?token=${token}`)).text).toContain(`>${email}</b>`);
    expect((await other.call("POST", "/registrations/pending", { token })).body).toEqual({
      email,
      full_name: "Rosa Luna Prado",
      same_browser: false,
      registration: {
        user_type: "psychologist",
        ...PSYCHOLOGIST_FIELDS,
      },
    });
    expect(await other.call("POST", "/accounts", { token })).toMatchObject({
      status: 422,
      body: { code: "registration_required" },
    });
    const anew = { token, ...confirmationFromOtherBrowser(NEW, { full_name: "Rosa Prado" }) };
    const wrong: [Record<string, unknown>, string][] = [
      [twice(email), "password"],
      [{ user_type: "psychologist" }, "license_number"],
      [{ password: undefined }, "password"],
    ];
    for (const [change, field] of wrong) {
      const answer = await other.call("POST", "/accounts", { ...anew, ...change });
      expect(answer, field).toMatchObject({ status: 422, body: { fields: { [field]: expect.any(String) } } });
    }
    expect(await profilesOf(email)).toEqual([]);
    expect(other.jar.has("sid")).toBe(false);
    const at = new Date(Date.now() + HOUR);
    app.setNow(at);
    expect(await other.call("POST", "/accounts", anew)).toMatchObject({ status: 201, body: { return_to: "/" } });
    expect(await profilesOf(email)).toMatchObject([{ full_name: "Rosa Prado", user_type: "user" }]);
    // The user gave the password and the consents at the confirmation.
    const { reauthenticated_until, consents } = (await other.call("GET", "/account")).body;
    expect(reauthenticated_until).not.toBeNull();
    expect(consents.map((consent: { accepted_at: string }) => consent.accepted_at)).toEqual(
      CONSENTS_OF.user.map(() => at.toISOString()),
    );
    expect((await signIn(openBrowser(), email)).status).toBe(400);
    expect((await signIn(openBrowser(), email, NEW)).status).toBe(200);
  });

  test("needs one tap in the browser that registered; a sensitive change still requires the password", async () => {
    const email = uniqueEmail();
    const browser = openBrowser();
    const token = await register(browser, registration(email));
    // The server ignores other fields: a tap does not prove that the user knows the password.
    const answer = await browser.call("POST", "/accounts", {
      token,
      ...confirmationFromOtherBrowser(NEW, { full_name: "Otra Persona" }),
    });
    expect(answer.status).toBe(201);
    expect(await profilesOf(email)).toMatchObject([{ full_name: "Rosa Luna Prado" }]);
    expect((await browser.call("GET", "/account")).body.reauthenticated_until).toBeNull();
    const give = (password: string) => browser.call("POST", "/session/password", { password });
    expect((await give(NEW)).status).toBe(422);
    expect((await give(PASSWORD)).status).toBe(200);
  });

  test("creates one account with one session for concurrent confirmations of 3 registrations of an email", async () => {
    const email = uniqueEmail();
    const browsers = [openBrowser(), openBrowser(), openBrowser()];
    const tokens: string[] = [];
    for (const browser of browsers) tokens.push(await register(browser, psychologistRegistration(email)));
    expect(new Set(tokens).size).toBe(3);
    const answers = await Promise.all(
      [...browsers, ...browsers, ...browsers].map((browser, at) =>
        browser.call("POST", "/accounts", { token: tokens[at % 3] }),
      ),
    );
    expect(answers.map((answer) => answer.status).sort()).toEqual([201, ...Array(8).fill(410)]);
    const profiles = await profilesOf(email);
    expect(profiles).toHaveLength(1);
    expect(await app.sql("select from sessions where account_id = $1", [profiles[0]!.id])).toHaveLength(1);
  });

  test("responds 410 after 24 h", async () => {
    const start = Date.now();
    const browsers = [openBrowser(), openBrowser()];
    app.setNow(new Date(start));
    const early = await register(browsers[0]!, registration(uniqueEmail()));
    const lateAddress = uniqueEmail();
    const late = await register(browsers[1]!, registration(lateAddress));
    app.setNow(new Date(start + DAY - 1000));
    expect((await browsers[0]!.call("POST", "/accounts", { token: early })).status).toBe(201);
    app.setNow(new Date(start + DAY));
    expect(await browsers[1]!.call("POST", "/accounts", { token: late })).toMatchObject({
      status: 410,
      body: { code: "link_expired" },
    });
    expect((await signIn(openBrowser(), lateAddress)).body.code).toBe("invalid_credentials");
    expect(await profilesOf(lateAddress)).toEqual([]);
  });

  test("responds 410 if another account has taken the email", async () => {
    const [email, browser] = [uniqueEmail(), openBrowser()];
    const token = await register(browser, registration(email));
    await app.person({ email });
    expect((await browser.call("POST", "/accounts", { token })).status).toBe(410);
  });

  test("reports an unconfirmed email only to the browser that registered if the password is right", async () => {
    const email = uniqueEmail();
    const browser = openBrowser();
    await register(browser, registration(email));
    expect(await signIn(openBrowser(), email)).toMatchObject({ status: 400, body: { code: "invalid_credentials" } });
    expect(await signIn(browser, email)).toMatchObject({ status: 403, body: { code: "email_not_confirmed" } });
    expect(await signIn(browser, email, "otra contraseña larga")).toMatchObject({
      status: 400,
      body: { code: "invalid_credentials" },
    });
    // The password of the newest registration counts.
    await register(browser, registration(email, twice(NEW)));
    expect((await signIn(browser, email, NEW)).status).toBe(403);
    expect(browser.jar.has("sid")).toBe(false);
  });
});

describe("email registered by an attacker", () => {
  const ATTACKER = "la llave del atacante";
  const VICTIM = "la llave de la víctima";

  test("refuses the attacker's sign-in, registered before and after the owner", async () => {
    const email = uniqueEmail();
    const [attacker, victim] = [openBrowser(), openBrowser()];
    const attack = () => register(attacker, registration(email, { full_name: "Otra Persona", ...twice(ATTACKER) }));
    const before = await attack();
    const victimToken = await register(victim, registration(email, twice(VICTIM)));
    const after = await attack();
    expect((await victim.call("POST", "/accounts", { token: victimToken })).status).toBe(201);
    expect(await profilesOf(email)).toMatchObject([{ full_name: "Rosa Luna Prado" }]);
    for (const token of [before, after])
      for (const browser of [attacker, victim, openBrowser()])
        for (const person of [{}, confirmationFromOtherBrowser(ATTACKER), confirmationFromOtherBrowser(VICTIM)])
          expect((await browser.call("POST", "/accounts", { token, ...person })).status).toBe(410);
    expect((await signIn(attacker, email, ATTACKER)).status).toBe(403);
    expect(await attacker.viewer()).toBeNull();
    expect((await signIn(openBrowser(), email, VICTIM)).status).toBe(200);
    expect(await profilesOf(email)).toHaveLength(1);
  });

  test("gives the owner who opens the attacker's link their own name, type, password", async () => {
    const email = uniqueEmail();
    const attacker = openBrowser();
    const hostile = { full_name: "Visita mi sitio", bio: "Una biografía hostil", ...twice(ATTACKER) };
    const token = await register(
      attacker,
      psychologistRegistration(email, { return_to: "/auth/recuperar", ...hostile }),
    );
    // The browser has a registration of its own for the email.
    const victim = openBrowser();
    await register(victim, registration(email, twice(VICTIM)));

    // The page without JavaScript has a button with another URL for the other user type.
    const page = await victim.page(`/auth/confirmar?token=${token}`);
    const asUser = `/auth/confirmar?token=${token}&tipo=usuario`;
    for (const part of [
      'value="Visita mi sitio"',
      'name="license_number"',
      'value="psychologist"',
      `formAction="${asUser.replace("&", "&amp;")}"`,
    ])
      expect(page.text).toContain(part);
    const other = await victim.page(asUser);
    expect(other.text).not.toContain('name="license_number"');
    expect(other.text).toContain('value="user"');
    const fields = formFields({ ...confirmationFromOtherBrowser(VICTIM), token, full_name: "La Dueña" });
    const refused = await victim.form(asUser, { ...fields, ...twice("contraseña123") });
    expect([refused.status, refused.text.includes('value="La Dueña"')]).toEqual([422, true]);
    const sent = await victim.form(asUser, fields);
    expect([sent.status, sent.headers.get("location")]).toEqual([302, "/"]);

    expect(await profilesOf(email)).toMatchObject([{ full_name: "La Dueña", user_type: "user" }]);
    expect(await victim.viewer()).toMatchObject({ email, full_name: "La Dueña" });
    // The attacker must not learn that an account exists now.
    expect((await signIn(attacker, email, ATTACKER)).body.code).toBe("email_not_confirmed");
    expect((await signIn(openBrowser(), email, ATTACKER)).body.code).toBe("invalid_credentials");
    expect((await signIn(openBrowser(), email, VICTIM)).status).toBe(200);
    expect((await attacker.call("POST", "/accounts", { token })).status).toBe(410);
    expect(await attacker.viewer()).toBeNull();
  });
});
