import { describe, expect, test } from "vitest";
import { accountSteps, confirmationFromOtherBrowser, psychologistRegistration, signIn } from "#test/accounts.ts";
import { registration, uniqueEmail } from "#test/people.ts";
import { setUpTestAppWithMailbox } from "#test/suite-setup.ts";

const { app, mailbox } = setUpTestAppWithMailbox();

const { openBrowser, register, profilesOf } = accountSteps(app, mailbox);

describe("email registered by an attacker", () => {
  const ATTACKER = "la llave del atacante";
  const VICTIM = "la llave de la víctima";
  const as = (password: string) => ({ password, confirm_password: password });

  test("refuses the attacker's sign-in, registered before and after the owner", async () => {
    const email = uniqueEmail();
    const [attacker, victim] = [openBrowser(), openBrowser()];
    const attack = () => register(attacker, registration(email, { full_name: "Otra Persona", ...as(ATTACKER) }));
    const before = await attack();
    const victimToken = await register(victim, registration(email, as(VICTIM)));
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
    const hostile = { full_name: "Visita mi sitio", bio: "Una biografía hostil", ...as(ATTACKER) };
    const token = await register(
      attacker,
      psychologistRegistration(email, { return_to: "/auth/recuperar", ...hostile }),
    );
    // The browser has a registration of its own for the email.
    const victim = openBrowser();
    await register(victim, registration(email, as(VICTIM)));

    // The page without JavaScript has a button with another URL for the other user type.
    const page = await victim.page(`/auth/confirmar?token=${token}`);
    expect(page.status).toBe(200);
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
    const fields = Object.fromEntries(
      Object.entries({ ...confirmationFromOtherBrowser(VICTIM), token, full_name: "La Dueña" }).map(([name, value]) => [
        name,
        value === true ? "on" : `${value}`,
      ]),
    );
    const refused = await victim.form(asUser, { ...fields, ...as("contraseña123") });
    expect(refused.status).toBe(422);
    expect(refused.text).toContain('value="La Dueña"');
    expect(refused.text).not.toContain("contraseña123");
    const sent = await victim.form(asUser, fields);
    expect([sent.status, sent.headers.get("location")]).toEqual([302, "/"]);

    expect(await profilesOf(email)).toMatchObject([{ full_name: "La Dueña", user_type: "user" }]);
    expect(
      await app.sql("select from psychologist_profiles join profiles using (id) where email = $1", [email]),
    ).toEqual([]);
    expect(await victim.viewer()).toMatchObject({ email, full_name: "La Dueña" });
    // The attacker must not learn that an account exists now.
    expect((await signIn(attacker, email, ATTACKER)).body.code).toBe("email_not_confirmed");
    expect((await signIn(openBrowser(), email, ATTACKER)).body.code).toBe("invalid_credentials");
    expect((await signIn(openBrowser(), email, VICTIM)).status).toBe(200);
    expect((await attacker.call("POST", "/accounts", { token })).status).toBe(410);
    expect(await attacker.viewer()).toBeNull();
  });

  test("requires all fields again if the attacker's browser opens the owner's link", async () => {
    const email = uniqueEmail();
    const attacker = openBrowser();
    await register(attacker, registration(email, as(ATTACKER)));
    const victimToken = await register(openBrowser(), registration(email, as(VICTIM)));
    expect((await attacker.call("POST", "/accounts", { token: victimToken })).status).toBe(422);
    expect(await profilesOf(email)).toEqual([]);
  });
});
