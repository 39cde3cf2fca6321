import { describe, expect, test } from "vitest";
import { CONSENT_VERSION, CONSENTS_OF } from "#shared/consents.ts";
import { MINUTE } from "#shared/time.ts";
import { accountSteps, PSYCHOLOGIST_FIELDS, psychologistRegistration, signIn } from "#test/accounts.ts";
import { linkIn } from "#test/mailbox.ts";
import { PASSWORD, registration, uniqueEmail } from "#test/people.ts";
import { setUpTestAppWithMailbox } from "#test/suite-setup.ts";

const { app, mailbox } = setUpTestAppWithMailbox();

const { openBrowser, mailsTo, newestToken, register, owner, profilesOf } = accountSteps(app, mailbox);

describe("POST /registrations", () => {
  test("stores only a pending registration until the user confirms", async () => {
    const email = uniqueEmail();
    const token = await register(openBrowser(), registration(email));
    expect(token).toMatch(/^[\w-]{43}$/);
    expect(await profilesOf(email)).toEqual([]);
    const [waiting] = await app.sql("select * from pending_registrations where email = $1", [email]);
    expect(waiting).toMatchObject({ full_name: "Rosa Luna Prado", user_type: "user" });
  });

  test("creates a user's account after one tap in the same browser", async () => {
    const email = uniqueEmail();
    const at = new Date("2027-02-03T04:05:06.789Z");
    app.setNow(at);
    const browser = openBrowser();
    const token = await register(browser, registration(email, { return_to: "/nueva-consulta" }));
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

  test("normalises the spelling of an email", async () => {
    const email = uniqueEmail();
    const browser = openBrowser();
    await browser.call("POST", "/registrations", registration(`  ${email.toUpperCase()} `));
    const token = await newestToken(email);
    expect((await browser.call("POST", "/accounts", { token })).body.viewer.email).toBe(email);
  });

  test("creates an account, a profile and an unverified psychologist profile", async () => {
    const email = uniqueEmail();
    const browser = openBrowser();
    const token = await register(browser, psychologistRegistration(email));
    const answer = await browser.call("POST", "/accounts", { token });
    expect(answer.body.viewer).toMatchObject({
      user_type: "psychologist",
      is_verified: false,
      has_gold: false,
    });
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

  test("stores a licence of Argentina as MP or MN with its number and requires the number", async () => {
    const email = uniqueEmail();
    const browser = openBrowser();
    const argentine = (license_number: string) =>
      psychologistRegistration(email, { country: "Argentina", license_number });
    expect(await browser.call("POST", "/registrations", argentine("M.P."))).toMatchObject({
      status: 422,
      body: { fields: { license_number: expect.stringContaining("número") } },
    });
    await browser.call("POST", "/accounts", { token: await register(browser, argentine("m.n. 5512")) });
    expect(
      await app.sql("select license_number from profiles join psychologist_profiles using (id) where email = $1", [
        email,
      ]),
    ).toEqual([{ license_number: "MN 5512" }]);
  });

  test("requires only the licence of a psychologist", async () => {
    const email = uniqueEmail();
    const browser = openBrowser();
    const empty = { specialty: "", country: "", bio: " ", phone: "", whatsapp: undefined };
    await browser.call("POST", "/accounts", { token: await register(browser, psychologistRegistration(email, empty)) });
    const [row] = await app.sql("select * from profiles join psychologist_profiles using (id) where email = $1", [
      email,
    ]);
    expect(row).toMatchObject({ license_number: "MP 7788", specialty: null, country: null, bio: null, phone: null });
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
    const fields = Object.fromEntries(
      Object.entries(registration(email)).map(([name, value]) => [name, value === true ? "on" : String(value)]),
    );
    const sentForm = await browser.form("/auth", { ...fields, intent: "sign_up", return_to: "/ayuda" });
    expect(sentForm).toMatchObject({ status: 302 });
    expect(sentForm.headers.get("location")).toBe("/auth/revisa-tu-correo");
    const link = linkIn((await mailsTo(email))[0]!);
    for (let opened = 0; opened < 3; opened++) {
      const page = await browser.page(link.pathname + link.search);
      expect(page.status).toBe(200);
      expect(page.text).not.toContain('type="password"');
      // The URL contains the token: no other site may read it.
      expect(page.headers.get("referrer-policy")).toMatch(/^(no-referrer|same-origin)$/);
      expect(page.headers.get("cache-control")).not.toContain("public");
      expect(browser.jar.has("sid")).toBe(false);
    }
    expect(await profilesOf(email)).toEqual([]);
    const confirmed = await browser.form("/auth/confirmar", { token: link.searchParams.get("token")! });
    expect(confirmed.status).toBe(302);
    expect(confirmed.headers.get("location")).toBe("/ayuda");
    expect(await browser.viewer()).toMatchObject({ email });
    const other = await openBrowser().page(link.pathname + link.search);
    expect(other.status).toBe(410);
  });

  test.each<[string, Record<string, unknown>, string]>([
    ["without being 18 or older", { adult_or_guardian: false }, "adult_or_guardian"],
    ["without the consent for health data", { health_data: undefined }, "health_data"],
    ["without the consent for other countries", { transfer_abroad: "no" }, "transfer_abroad"],
    ["with two different passwords", { confirm_password: `${PASSWORD}.` }, "confirm_password"],
    ["with a password of 9 characters", { password: "123 4 567", confirm_password: "123 4 567" }, "password"],
    [
      "with a password of 129 characters",
      { password: `ab3${"xyz".repeat(42)}`, confirm_password: `ab3${"xyz".repeat(42)}` },
      "password",
    ],
    ["with a common password", { password: "contraseña123", confirm_password: "contraseña123" }, "password"],
    ["with the name as password", { password: "RosaLunaPrado", confirm_password: "RosaLunaPrado" }, "password"],
    ["with an address without domain", { email: "rosa@correo" }, "email"],
    ["with two addresses", { email: "rosa@correo.example,otra@correo.example" }, "email"],
    ["with a name of one letter", { full_name: "R" }, "full_name"],
    ["with a name of 81 letters", { full_name: "R".repeat(81) }, "full_name"],
    ["with an invisible name", { full_name: "\u3164\u2800\u3164" }, "full_name"],
    ["with a name that turns its direction", { full_name: "Rosa\u202eLuna" }, "full_name"],
    ["as something else", { user_type: "admin" }, "user_type"],
  ])("responds 422 to a user %s", async (_name, wrong, field) => {
    const email = uniqueEmail();
    const answer = await app.call("POST", "/registrations", registration(email, wrong));
    expect(answer).toMatchObject({ status: 422, body: { code: "invalid_input" } });
    expect(Object.keys(answer.body.fields)).toEqual([field]);
    expect(answer.headers.getSetCookie()).toEqual([]);
    expect(await app.sql("select from pending_registrations where email = $1", [email])).toEqual([]);
  });

  test.each<[string, Record<string, unknown>, string]>([
    ["without licence", { license_number: " " }, "license_number"],
    ["without the consent for professional data", { professional_data: undefined }, "professional_data"],
    ["with an unknown specialty", { specialty: "Astrología" }, "specialty"],
    ["with an unknown country", { country: "Atlántida" }, "country"],
    ["with a telephone number of letters", { phone: "llámame" }, "phone"],
    ["with 1,501 characters of biography", { bio: "b".repeat(1501) }, "bio"],
  ])("responds 422 to a psychologist %s", async (_name, wrong, field) => {
    const answer = await app.call("POST", "/registrations", psychologistRegistration(uniqueEmail(), wrong));
    expect(answer).toMatchObject({ status: 422, body: { code: "invalid_input" } });
    expect(Object.keys(answer.body.fields)).toEqual([field]);
  });

  test("reports all errors together when registering or confirming in another browser", async () => {
    const email = uniqueEmail();
    const wrong = {
      license_number: "",
      password: "corta",
      confirm_password: "larga",
      specialty: "Astrología",
      country: "Atlántida",
      professional_data: undefined,
    };
    const given = psychologistRegistration(email, wrong);
    const fields = ["confirm_password", "country", "license_number", "password", "professional_data", "specialty"];
    const refused = await app.call("POST", "/registrations", { ...given, email: "sin arroba" });
    expect(Object.keys(refused.body.fields).toSorted()).toEqual([...fields, "email"].toSorted());
    const token = await register(openBrowser(), psychologistRegistration(email));
    const { email: _, ...anew } = given;
    const elsewhere = await openBrowser().call("POST", "/accounts", { token, ...anew, full_name: undefined });
    expect(Object.keys(elsewhere.body.fields).toSorted()).toEqual([...fields, "full_name"].toSorted());
  });

  test.each([
    ["https://evil.example", "/"],
    ["/consulta/7", "/consulta/7"],
  ])("maps the return path %s to %s", async (return_to, expected) => {
    const browser = openBrowser();
    const token = await register(browser, registration(uniqueEmail(), { return_to }));
    expect((await browser.call("POST", "/accounts", { token })).body.return_to).toBe(expected);
  });

  test("notifies the owner by mail if the email already has an account", async () => {
    const victim = await owner("la contraseña de antes");
    const answer = await openBrowser().call("POST", "/registrations", registration(victim.email.toUpperCase()));
    expect(answer.status).toBe(202);
    const mails = await mailsTo(victim.email);
    expect(mails.map((mail) => mail.subject)).toEqual(["Ya tienes una cuenta en Diván"]);
    expect(mails[0]!.text).not.toContain("token=");
    expect(mails[0]!.text).toContain(victim.full_name);
    expect(mails[0]!.text).not.toContain("Rosa");
    expect((await signIn(openBrowser(), victim.email, "la contraseña de antes")).status).toBe(200);
    expect((await signIn(openBrowser(), victim.email, PASSWORD)).status).not.toBe(200);
  });
});
