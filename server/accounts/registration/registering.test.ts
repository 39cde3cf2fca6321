import { describe, expect, test } from "vitest";
import { CONSENT_VERSION, CONSENTS_OF } from "#shared/consents.ts";
import { MINUTE } from "#shared/time.ts";
import { PSYCHOLOGIST_FIELDS, psychologistRegistration, setUpAccounts, signIn } from "#test/accounts.ts";
import { linkIn } from "#test/mailbox.ts";
import { formFields, PASSWORD, registration, twice, uniqueEmail } from "#test/people.ts";

const { app, mailsTo, openBrowser, register, owner, profilesOf } = setUpAccounts();

describe("POST /registrations", () => {
  test("creates a user's account after one tap in the same browser", async () => {
    const email = uniqueEmail();
    const at = new Date("2027-02-03T04:05:06.789Z");
    app.setNow(at);
    const browser = openBrowser();
    const token = await register(browser, registration(email, { return_to: "/nueva-consulta" }));
    expect(token).toMatch(/^[\w-]{43}$/);
    expect(await profilesOf(email)).toEqual([]);
    app.setNow(new Date(at.getTime() + 5 * MINUTE));
    expect((await browser.call("POST", "/registrations/pending", { token })).body).toEqual({
      email,
      full_name: "Rosa Luna Prado",
      same_browser: true,
      registration: null,
    });
    const answer = await browser.call("POST", "/accounts", { token });
    expect(answer.status).toBe(201);
    const [profile, ...more] = await profilesOf(email);
    expect(more).toEqual([]);
    expect(profile).toMatchObject({ full_name: "Rosa Luna Prado", user_type: "user", avatar_url: null });
    expect(answer.body).toMatchObject({
      viewer: { id: profile!.id, email, is_admin: false, is_verified: false, has_gold: false },
      return_to: "/nueva-consulta",
    });
    expect(await browser.viewer()).toMatchObject({ id: profile!.id });
    expect(browser.jar.has("registration")).toBe(false);
    const [account] = await app.sql("select email_verified_at from accounts where id = $1", [profile!.id]);
    expect(account!.email_verified_at).toEqual(new Date(at.getTime() + 5 * MINUTE));
    expect(await app.sql("select from psychologist_profiles where id = $1", [profile!.id])).toEqual([]);
    expect(await app.sql("select from pending_registrations where email = $1", [email])).toEqual([]);
    const consents = await app.sql("select * from consents where profile_id = $1 order by kind", [profile!.id]);
    expect(consents).toHaveLength(3);
    // The consent's time is the registration, not the confirmation.
    for (const [place, kind] of [...CONSENTS_OF.user].sort().entries())
      expect(consents[place]).toMatchObject({ kind, version: CONSENT_VERSION, accepted_at: at, withdrawn_at: null });
  });

  test("creates an account, a profile and an unverified psychologist profile", async () => {
    const email = uniqueEmail();
    const browser = openBrowser();
    const earlier = await owner();
    await signIn(browser, earlier.email);
    const more = { phone: "099 123 456", whatsapp: "099 654 321", return_to: "https://evil.example" };
    const token = await register(browser, psychologistRegistration(email, more));
    const answer = await browser.call("POST", "/accounts", { token });
    expect(answer.body.return_to).toBe("/");
    expect(await browser.viewer()).toMatchObject({ email });
    // The session of the other account in this browser ends.
    expect(await app.sql("select seen_at from sessions where account_id = $1", [earlier.id])).toHaveLength(1);
    expect(answer.body.viewer).toMatchObject({ user_type: "psychologist", is_verified: false, has_gold: false });
    const [row] = await app.sql(
      "select * from profiles join psychologist_profiles using (id) join accounts using (id) where email = $1",
      [email],
    );
    expect(row).toMatchObject({
      user_type: "psychologist",
      ...PSYCHOLOGIST_FIELDS,
      is_verified: false,
      free_responses_used: 0,
      max_free_responses: 3,
      gold_until: null,
    });
    expect(await app.sql("select kind from consents where profile_id = $1 order by kind", [row!.id])).toEqual([
      { kind: "professional_data" },
      { kind: "transfer_abroad" },
    ]);
  });

  test("requires only the licence of a psychologist, which is stored as MP or MN with its number in Argentina", async () => {
    const email = uniqueEmail();
    const browser = openBrowser();
    const empty = { specialty: "", bio: " ", phone: "", whatsapp: undefined };
    const argentine = (license_number: string) =>
      psychologistRegistration(email, { ...empty, country: "Argentina", license_number });
    expect(await browser.call("POST", "/registrations", argentine("M.P."))).toMatchObject({
      status: 422,
      body: { fields: { license_number: expect.stringContaining("número") } },
    });
    await browser.call("POST", "/accounts", { token: await register(browser, argentine("m.n. 5512")) });
    const [row] = await app.sql("select * from profiles join psychologist_profiles using (id) where email = $1", [
      email,
    ]);
    expect(row).toMatchObject({ license_number: "MN 5512", specialty: null, bio: null, phone: null });
  });

  test("creates no account if the psychologist profile cannot be created", async () => {
    const email = uniqueEmail();
    const browser = openBrowser();
    const token = await register(browser, psychologistRegistration(email));
    await app.sql("update pending_registrations set details = '{}' where email = $1", [email]);
    const answer = await browser.call("POST", "/accounts", { token });
    expect(answer).toMatchObject({ status: 500, body: { code: "internal_error" } });
    expect(await profilesOf(email)).toEqual([]);
    expect(await app.sql("select from pending_registrations where email = $1", [email])).toHaveLength(1);
    expect(browser.jar.has("sid")).toBe(false);
  });

  test("works without JavaScript even if the link was opened 3 times before", async () => {
    const email = uniqueEmail();
    const browser = openBrowser();
    const fields = formFields({ ...registration(email), intent: "sign_up", return_to: "/ayuda" });
    const sentForm = await browser.form("/auth", fields);
    expect([sentForm.status, sentForm.headers.get("location")]).toEqual([302, "/auth/revisa-tu-correo"]);
    expect(sentForm.headers.getSetCookie().join()).toMatch(/registration=[\w-]{43}; Max-Age=86400;/);
    const link = linkIn((await mailsTo(email))[0]!);
    for (let opened = 0; opened < 3; opened++)
      expect((await browser.page(link.pathname + link.search)).text).not.toContain('type="password"');
    expect(await profilesOf(email)).toEqual([]);
    const confirmed = await browser.form("/auth/confirmar", { token: link.searchParams.get("token")! });
    expect([confirmed.status, confirmed.headers.get("location")]).toEqual([302, "/ayuda"]);
    expect(await browser.viewer()).toMatchObject({ email });
    expect((await openBrowser().page(link.pathname + link.search)).status).toBe(410);
  });

  const LONG = `ab3${"xyz".repeat(42)}`;
  test.each(["123 4 567", LONG, "contraseña123", "RosaLunaPrado"])(
    "responds 422 to the password %s",
    async (password) => {
      const wrong = registration(uniqueEmail(), twice(password));
      const answer = await app.call("POST", "/registrations", wrong);
      expect([answer.status, Object.keys(answer.body.fields)]).toEqual([422, ["password"]]);
    },
  );

  const WRONG_USER = {
    user_type: "admin",
    full_name: "R".repeat(81),
    email: "rosa@correo.example,otra@correo.example",
    password: "corta",
    confirm_password: "larga",
    adult_or_guardian: false,
    health_data: undefined,
    transfer_abroad: "no",
  };
  const WRONG_PSYCHOLOGIST = {
    full_name: "\u3164\u2800\u3164",
    password: "corta",
    confirm_password: "larga",
    license_number: " ",
    specialty: "Astrología",
    country: "Atlántida",
    phone: "llámame",
    bio: "b".repeat(1501),
    professional_data: undefined,
  };

  test("reports all errors of a user together, and stores nothing", async () => {
    // The type decides which consents are required, so a wrong type is reported alone.
    const { user_type, ...wrong } = WRONG_USER;
    for (const fields of [{ user_type }, wrong]) {
      const answer = await app.call("POST", "/registrations", registration(uniqueEmail(), fields));
      expect(answer).toMatchObject({ status: 422, body: { code: "invalid_input" } });
      expect(Object.keys(answer.body.fields).sort()).toEqual(Object.keys(fields).sort());
      expect(answer.headers.getSetCookie()).toEqual([]);
    }
    expect(await app.sql("select from pending_registrations where email like '%otra@correo.example'")).toEqual([]);
  });

  test("reports all errors of a psychologist together, also when confirming in another browser", async () => {
    const wrong = psychologistRegistration(uniqueEmail(), WRONG_PSYCHOLOGIST);
    const token = await register(openBrowser(), psychologistRegistration(uniqueEmail()));
    const { email: _, ...anew } = wrong;
    for (const refused of [
      await app.call("POST", "/registrations", wrong),
      await openBrowser().call("POST", "/accounts", { token, ...anew }),
    ]) {
      expect(refused).toMatchObject({ status: 422, body: { code: "invalid_input" } });
      expect(Object.keys(refused.body.fields).sort()).toEqual(Object.keys(WRONG_PSYCHOLOGIST).sort());
    }
  });

  test("notifies the owner by mail if the email already has an account", async () => {
    const victim = await owner(uniqueEmail(), "la contraseña de antes");
    const browser = openBrowser();
    const answer = await browser.call("POST", "/registrations", registration(victim.email.toUpperCase()));
    expect(answer.status).toBe(202);
    const mails = await mailsTo(victim.email);
    expect(mails.map((mail) => mail.subject)).toEqual(["Ya tienes una cuenta en Diván"]);
    expect(mails[0]!.text).not.toContain("token=");
    expect(mails[0]!.text).toContain(victim.full_name);
    expect(mails[0]!.text).not.toContain("Rosa");
    expect((await signIn(openBrowser(), victim.email, "la contraseña de antes")).status).toBe(200);
    // The password of the pending registration does not open the account.
    for (const device of [browser, openBrowser()]) {
      expect((await signIn(device, victim.email, PASSWORD)).status).not.toBe(200);
      expect(await device.viewer()).toBeNull();
    }
  });
});
