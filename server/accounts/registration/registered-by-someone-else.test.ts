import { describe, expect, test } from "vitest";
import { accountSteps, confirmationFromOtherBrowser, psychologistRegistration, signIn } from "#test/accounts.ts";
import { registration, uniqueEmail } from "#test/people.ts";
import { setUpTestAppWithMailbox } from "#test/suite-setup.ts";

const { app, mailbox } = setUpTestAppWithMailbox();

const { openBrowser, register, owner, profilesOf } = accountSteps(app, mailbox);

const NEW = "una llave nueva y larga";

describe("email registered by an attacker", () => {
  const ATTACKER = "la llave del atacante";
  const VICTIM = "la llave de la víctima";
  const as = (password: string) => ({ password, confirm_password: password });

  test.each(["before the owner", "after the owner", "before and after the owner"])(
    "refuses the attacker's sign-in (registered %s)",
    async (when) => {
      const email = uniqueEmail();
      const attacker = openBrowser();
      const victim = openBrowser();
      const attackerTokens: string[] = [];
      const attack = async () =>
        attackerTokens.push(
          await register(attacker, registration(email, { full_name: "Otra Persona", ...as(ATTACKER) })),
        );
      if (when.includes("before")) await attack();
      const victimToken = await register(victim, registration(email, as(VICTIM)));
      if (when.includes("after")) await attack();

      expect((await victim.call("POST", "/accounts", { token: victimToken })).status).toBe(201);
      expect(await profilesOf(email)).toMatchObject([{ full_name: "Rosa Luna Prado" }]);
      for (const token of attackerTokens)
        for (const browser of [attacker, victim, openBrowser()])
          for (const person of [{}, confirmationFromOtherBrowser(ATTACKER), confirmationFromOtherBrowser(VICTIM)])
            expect((await browser.call("POST", "/accounts", { token, ...person })).status).toBe(410);
      expect((await signIn(attacker, email, ATTACKER)).status).toBe(403);
      expect(await attacker.viewer()).toBeNull();
      expect((await signIn(openBrowser(), email, VICTIM)).status).toBe(200);
      expect(await profilesOf(email)).toHaveLength(1);
    },
  );

  test.each(["with none of their own", "in the browser that holds one of their own"])(
    "gives the owner who opens the attacker's link their own name, type, password (%s)",
    async (when) => {
      const email = uniqueEmail();
      const attacker = openBrowser();
      const hostile = { full_name: "Visita mi sitio", bio: "Una biografía hostil", ...as(ATTACKER) };
      const token = await register(
        attacker,
        psychologistRegistration(email, { return_to: "/auth/recuperar", ...hostile }),
      );
      const victim = openBrowser();
      if (when.includes("holds")) await register(victim, registration(email, as(VICTIM)));

      // The page without JavaScript has a button with another URL for the other user type.
      const page = await victim.page(`/auth/confirmar?token=${token}`);
      expect(page.status).toBe(200);
      expect(page.text).toContain('value="Visita mi sitio"');
      expect(page.text).toContain('name="license_number"');
      expect(page.text).toContain('value="psychologist"');
      const asUser = `/auth/confirmar?token=${token}&tipo=usuario`;
      expect(page.text).toContain(`formAction="${asUser.replace("&", "&amp;")}"`);
      const other = await victim.page(asUser);
      expect(other.text).not.toContain('name="license_number"');
      expect(other.text).toContain('value="user"');
      const fields = {
        ...Object.fromEntries(
          Object.entries(confirmationFromOtherBrowser(VICTIM)).map(([name, value]) => [
            name,
            value === true ? "on" : `${value}`,
          ]),
        ),
        token,
        full_name: "La Dueña",
      };
      const refused = await victim.form(asUser, {
        ...fields,
        password: "contraseña123",
        confirm_password: "contraseña123",
      });
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
    },
  );

  test("shows the registration of each link until one of them is confirmed", async () => {
    const email = uniqueEmail();
    const tokens = [
      await register(openBrowser(), registration(email, { full_name: "Otra Persona", ...as(ATTACKER) })),
      await register(openBrowser(), psychologistRegistration(email, as(VICTIM))),
    ];
    const shown = await Promise.all(
      tokens.map(async (token) => (await app.call("POST", "/registrations/pending", { token })).body),
    );
    expect(shown.map((one) => [one.full_name, one.registration.user_type])).toEqual([
      ["Otra Persona", "user"],
      ["Rosa Luna Prado", "psychologist"],
    ]);
    const answers = await Promise.all(
      tokens.map((token) => openBrowser().call("POST", "/accounts", { token, ...confirmationFromOtherBrowser(NEW) })),
    );
    expect(answers.map(({ status }) => status).sort()).toEqual([201, 410]);
    expect(await profilesOf(email)).toHaveLength(1);
    for (const token of tokens) expect((await app.call("POST", "/registrations/pending", { token })).status).toBe(410);
  });

  test("requires all fields again if the attacker's browser opens the owner's link", async () => {
    const email = uniqueEmail();
    const attacker = openBrowser();
    await register(attacker, registration(email, as(ATTACKER)));
    const victimToken = await register(openBrowser(), registration(email, as(VICTIM)));
    expect((await attacker.call("POST", "/accounts", { token: victimToken })).status).toBe(422);
    expect(await profilesOf(email)).toEqual([]);
  });

  test("refuses access to an existing account by a pending registration of its email", async () => {
    const victim = await owner(VICTIM);
    const attacker = openBrowser();
    await attacker.call("POST", "/registrations", registration(victim.email, as(ATTACKER)));
    expect((await signIn(attacker, victim.email, ATTACKER)).status).not.toBe(200);
    expect(await attacker.viewer()).toBeNull();
  });
});
