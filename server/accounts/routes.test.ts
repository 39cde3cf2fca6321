import { randomBytes, randomUUID } from "node:crypto";
import { request as httpRequest } from "node:http";
import { afterAll, beforeAll, beforeEach, describe, expect, test } from "vitest";
import { CONSENT_VERSION, CONSENTS } from "#shared/lists.ts";
import { openTestApp, type Person, type TestApp } from "#test/app.ts";
import { type Browser, openBrowser as openBrowserOf } from "#test/browser.ts";
import { expectEqualCost } from "#test/equal-cost.ts";
import { linkIn, openMailbox, tokenIn } from "#test/mailbox.ts";
import { hashPassword } from "./password.ts";

let app: TestApp;
const mailbox = openMailbox();
const { sent } = mailbox;
beforeAll(async () => {
  app = await openTestApp({ overrides: { mailer: mailbox.mailer } });
});
afterAll(() => app.close());
beforeEach(() => {
  app.setNow(null);
  sent.length = 0;
});

const MINUTE = 60_000;
const HOUR = 60 * MINUTE;
const DAY = 24 * HOUR;
const PASSWORD = "un caballo sin montura";

const freshAddress = () => `${randomUUID()}@correo.example`;

/** What a person fills in. */
const registration = (email: string, more: Record<string, unknown> = {}) => ({
  user_type: "user",
  full_name: "Rosa Luna Prado",
  email,
  password: PASSWORD,
  confirm_password: PASSWORD,
  adult_or_guardian: true,
  health_data: true,
  transfer_abroad: true,
  ...more,
});
const psychologist = (email: string, more: Record<string, unknown> = {}) =>
  registration(email, {
    user_type: "psychologist",
    license_number: "MP 7788",
    specialty: "Neuropsicología",
    country: "Uruguay",
    bio: "Atiendo desde 2010.\nTambién en línea.",
    phone: "+598 99 123 456",
    whatsapp: "+598 99 654 321",
    ...more,
  });

const openBrowser = () => openBrowserOf(app);

const deliver = () => mailbox.deliver(app);
const mailsTo = (address: string) => mailbox.to(app, address);

async function newestToken(address: string): Promise<string> {
  return tokenIn((await mailsTo(address)).findLast((mail) => mail.text.includes("?token="))!);
}

/** Registers in a browser and reads the link's token in the mail. */
async function register(browser: Browser, input: Record<string, unknown>): Promise<string> {
  const answer = await browser.call("POST", "/registrations", input);
  expect(answer.status, answer.text).toBe(202);
  return newestToken(input.email as string);
}

/** Someone with a confirmed account and a password that works. */
async function owner(password = PASSWORD, email = freshAddress()): Promise<Person> {
  const person = await app.person({ email });
  await app.sql("update accounts set password_hash = $2 where id = $1", [person.id, await hashPassword(password)]);
  return person;
}

const NEW = "una llave nueva y larga";
/** What the owner of a mailbox says of themselves when they confirm elsewhere. */
const own = (password: string, more: Record<string, unknown> = {}) => {
  const { email: _, ...person } = registration("", { password, confirm_password: password, ...more });
  return person;
};

const signIn = (browser: Browser, email: string, password = PASSWORD) =>
  browser.call("POST", "/session", { email, password });
const viewerOf = async (cookie: string) =>
  (await app.call("GET", "/session", undefined, null, { cookie })).body.user?.id ?? null;
const profilesOf = (email: string) =>
  app.sql<{ id: string; full_name: string; user_type: string }>("select * from profiles where email = $1", [email]);

describe("registering", () => {
  test("makes nothing but a registration until the link of the mail is confirmed", async () => {
    const email = freshAddress();
    const token = await register(openBrowser(), registration(email));
    expect(token).toMatch(/^[\w-]{43}$/);
    expect(await profilesOf(email)).toEqual([]);
    const [waiting] = await app.sql("select * from pending_registrations where email = $1", [email]);
    expect(waiting).toMatchObject({ full_name: "Rosa Luna Prado", user_type: "user" });
  });

  test("and confirming with one tap in the same browser makes a user's account and signs in", async () => {
    const email = freshAddress();
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
    // The moment of the consent is when it was given, not when the address was confirmed.
    for (const [place, kind] of [...CONSENTS].sort().entries())
      expect(consents[place]).toMatchObject({ kind, version: CONSENT_VERSION, accepted_at: at, withdrawn_at: null });
  });

  test("an address is the same however it is written", async () => {
    const email = freshAddress();
    const browser = openBrowser();
    await browser.call("POST", "/registrations", registration(`  ${email.toUpperCase()} `));
    const token = await newestToken(email);
    expect((await browser.call("POST", "/accounts", { token })).body.viewer.email).toBe(email);
  });

  test("as a psychologist makes account, profile and psychologist profile together, not verified", async () => {
    const email = freshAddress();
    const browser = openBrowser();
    const token = await register(browser, psychologist(email));
    const answer = await browser.call("POST", "/accounts", { token });
    expect(answer.body.viewer).toMatchObject({ user_type: "psychologist", is_verified: false, has_gold: false });
    const [row] = await app.sql(
      "select * from profiles join psychologist_profiles using (id) join accounts using (id) where email = $1",
      [email],
    );
    expect(row).toMatchObject({
      user_type: "psychologist",
      license_number: "MP 7788",
      specialty: "Neuropsicología",
      country: "Uruguay",
      bio: "Atiendo desde 2010.\nTambién en línea.",
      phone: "+598 99 123 456",
      whatsapp: "+598 99 654 321",
      is_verified: false,
      free_responses_used: 0,
      max_free_responses: 3,
      gold_until: null,
    });
  });

  test("as a psychologist of Argentina keeps MP or MN and the number, and needs a number", async () => {
    const email = freshAddress();
    const browser = openBrowser();
    const argentine = (license_number: string) => psychologist(email, { country: "Argentina", license_number });
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

  test("as a psychologist needs only the licence; what is left empty stays empty", async () => {
    const email = freshAddress();
    const browser = openBrowser();
    const empty = { specialty: "", country: "", bio: " ", phone: "", whatsapp: undefined };
    await browser.call("POST", "/accounts", { token: await register(browser, psychologist(email, empty)) });
    const [row] = await app.sql("select * from profiles join psychologist_profiles using (id) where email = $1", [
      email,
    ]);
    expect(row).toMatchObject({ license_number: "MP 7788", specialty: null, country: null, bio: null, phone: null });
  });

  test("an account whose psychologist profile cannot be made is not made either", async () => {
    const email = freshAddress();
    const browser = openBrowser();
    const token = await register(browser, psychologist(email));
    await app.sql("update pending_registrations set details = '{}' where email = $1", [email]);
    const answer = await browser.call("POST", "/accounts", { token });
    expect(answer).toMatchObject({ status: 500, body: { code: "unexpected" } });
    expect(await profilesOf(email)).toEqual([]);
    expect(await app.sql("select from pending_registrations where email = $1", [email])).toHaveLength(1);
    expect(browser.jar.has("sid")).toBe(false);
  });

  test("works with forms only, and opening the link any number of times uses nothing up", async () => {
    const email = freshAddress();
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
      // Its address holds the token: no other site may read it.
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
    ["already verified", { is_verified: true }, "is_verified"],
    ["with Gold", { gold_until: "2099-01-01" }, "gold_until"],
    ["with an id", { id: randomUUID() }, "id"],
  ])("%s is refused beside the field", async (_name, wrong, field) => {
    const email = freshAddress();
    const answer = await app.call("POST", "/registrations", registration(email, wrong));
    expect(answer).toMatchObject({ status: 422, body: { code: "invalid_input" } });
    expect(Object.keys(answer.body.fields)).toEqual([field]);
    expect(answer.headers.getSetCookie()).toEqual([]);
    expect(await app.sql("select from pending_registrations where email = $1", [email])).toEqual([]);
  });

  test.each<[string, Record<string, unknown>, string]>([
    ["without licence", { license_number: " " }, "license_number"],
    ["with an unknown specialty", { specialty: "Astrología" }, "specialty"],
    ["with an unknown country", { country: "Atlántida" }, "country"],
    ["with a telephone number of letters", { phone: "llámame" }, "phone"],
    ["with 1,501 characters of biography", { bio: "b".repeat(1501) }, "bio"],
  ])("a psychologist %s is refused beside the field", async (_name, wrong, field) => {
    const answer = await app.call("POST", "/registrations", psychologist(freshAddress(), wrong));
    expect(answer).toMatchObject({ status: 422, body: { code: "invalid_input" } });
    expect(Object.keys(answer.body.fields)).toEqual([field]);
  });

  test("all that is wrong is told at once, in the form and when confirming elsewhere", async () => {
    const email = freshAddress();
    const wrong = {
      license_number: "",
      password: "corta",
      confirm_password: "larga",
      specialty: "Astrología",
      country: "Atlántida",
      health_data: undefined,
    };
    const given = psychologist(email, wrong);
    const fields = ["confirm_password", "country", "health_data", "license_number", "password", "specialty"];
    const refused = await app.call("POST", "/registrations", { ...given, email: "sin arroba" });
    expect(Object.keys(refused.body.fields).toSorted()).toEqual([...fields, "email"].toSorted());
    const token = await register(openBrowser(), psychologist(email));
    const { email: _, ...anew } = given;
    const elsewhere = await openBrowser().call("POST", "/accounts", { token, ...anew, full_name: undefined });
    expect(Object.keys(elsewhere.body.fields).toSorted()).toEqual([...fields, "full_name"].toSorted());
  });

  test.each([
    ["//evil.example", "/"],
    ["/\\evil.example", "/"],
    ["https://evil.example", "/"],
    ["/auth/recuperar", "/"],
    ["/consulta/7", "/consulta/7"],
  ])("from %s leads on to %s", async (return_to, expected) => {
    const browser = openBrowser();
    const token = await register(browser, registration(freshAddress(), { return_to }));
    expect((await browser.call("POST", "/accounts", { token })).body.return_to).toBe(expected);
  });

  test("an address with an account changes nothing, and its owner is told by mail", async () => {
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

describe("confirming", () => {
  test("in another browser says whose address it is, since the link may have been forwarded", async () => {
    const email = freshAddress();
    const token = await register(openBrowser(), registration(email));
    expect((await openBrowser().page(`/auth/confirmar?token=${token}`)).text).toContain(`>${email}</b>`);
  });

  test("in another browser asks for everything anew, and counts nothing of the registration but its address", async () => {
    const email = freshAddress();
    const token = await register(openBrowser(), psychologist(email, { return_to: "/nueva-consulta" }));
    const other = openBrowser();
    expect((await other.call("POST", "/registrations/pending", { token })).body).toEqual({
      email,
      full_name: "Rosa Luna Prado",
      same_browser: false,
      registration: {
        user_type: "psychologist",
        license_number: "MP 7788",
        specialty: "Neuropsicología",
        country: "Uruguay",
        bio: "Atiendo desde 2010.\nTambién en línea.",
        phone: "+598 99 123 456",
        whatsapp: "+598 99 654 321",
      },
    });
    expect(await other.call("POST", "/accounts", { token })).toMatchObject({
      status: 422,
      body: { code: "registration_required" },
    });
    const anew = { token, ...own(NEW, { full_name: "Rosa Prado" }) };
    const wrong: [Record<string, unknown>, string][] = [
      [{ password: "contraseña123", confirm_password: "contraseña123" }, "password"],
      [{ password: email, confirm_password: email }, "password"],
      [{ confirm_password: "otra contraseña larga" }, "confirm_password"],
      [{ full_name: undefined }, "full_name"],
      [{ user_type: undefined }, "user_type"],
      [{ user_type: "psychologist" }, "license_number"],
      [{ health_data: undefined }, "health_data"],
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
    // The password was given just now; the consents are those given at the confirmation.
    const { fresh_until, consents } = (await other.call("GET", "/account")).body;
    expect(fresh_until).not.toBeNull();
    expect(consents.map((consent: { accepted_at: string }) => consent.accepted_at)).toEqual(
      CONSENTS.map(() => at.toISOString()),
    );
    expect((await signIn(openBrowser(), email)).status).toBe(400);
    expect((await signIn(openBrowser(), email, NEW)).status).toBe(200);
  });

  test("in the browser that registered is one tap, after which a sensitive change still asks for the password", async () => {
    const email = freshAddress();
    const browser = openBrowser();
    const token = await register(browser, registration(email));
    // Whatever is sent beside the link: who taps has not shown that they know the password.
    const answer = await browser.call("POST", "/accounts", { token, ...own(NEW, { full_name: "Otra Persona" }) });
    expect(answer.status).toBe(201);
    expect(await profilesOf(email)).toMatchObject([{ full_name: "Rosa Luna Prado" }]);
    expect((await browser.call("GET", "/account")).body.fresh_until).toBeNull();
    const change = () => browser.call("POST", "/account/email", { email: freshAddress() });
    expect(await change()).toMatchObject({ status: 403, body: { code: "reauthentication_required" } });
    const give = (password: string) => browser.call("POST", "/session/password", { password });
    expect((await give(NEW)).status).toBe(422);
    expect(await change()).toMatchObject({ status: 403 });
    expect((await give(PASSWORD)).status).toBe(200);
    expect((await change()).status).toBe(202);
  });

  test.each(["", "x", "x".repeat(43), randomBytes(32).toString("base64url")])(
    "with the made-up token %j leads nowhere",
    async (token) => {
      for (const path of ["/accounts", "/registrations/pending"])
        expect(await app.call("POST", path, { token })).toMatchObject({ status: 410, body: { code: "link_expired" } });
      expect((await app.page(`/auth/confirmar?token=${token}`)).status).toBe(410);
    },
  );

  test("works once", async () => {
    const browser = openBrowser();
    const token = await register(browser, registration(freshAddress()));
    expect((await browser.call("POST", "/accounts", { token })).status).toBe(201);
    expect(await browser.call("POST", "/accounts", { token })).toMatchObject({ status: 410 });
    const again = { token, ...own(NEW) };
    expect(await openBrowser().call("POST", "/accounts", again)).toMatchObject({
      status: 410,
      body: { code: "link_expired" },
    });
  });

  test("ten times at once makes one account and one session", async () => {
    const email = freshAddress();
    const browser = openBrowser();
    const token = await register(browser, psychologist(email));
    const answers = await Promise.all(Array.from({ length: 10 }, () => browser.call("POST", "/accounts", { token })));
    expect(answers.map((answer) => answer.status).sort()).toEqual([201, ...Array(9).fill(410)]);
    const profiles = await profilesOf(email);
    expect(profiles).toHaveLength(1);
    expect(await app.sql("select from sessions where account_id = $1", [profiles[0]!.id])).toHaveLength(1);
  });

  test("several registrations of one address at once makes one account", async () => {
    const email = freshAddress();
    const browsers = Array.from({ length: 3 }, () => openBrowser());
    const tokens: string[] = [];
    for (const browser of browsers) tokens.push(await register(browser, registration(email)));
    expect(new Set(tokens).size).toBe(3);
    const answers = await Promise.all(
      browsers.map((browser, place) => browser.call("POST", "/accounts", { token: tokens[place] })),
    );
    expect(answers.map((answer) => answer.status).sort()).toEqual([201, 410, 410]);
    expect(await profilesOf(email)).toHaveLength(1);
  });

  test("works until 24 hours have passed, and not after", async () => {
    const start = Date.now();
    const browsers = [openBrowser(), openBrowser()];
    app.setNow(new Date(start));
    const early = await register(browsers[0]!, registration(freshAddress()));
    const lateAddress = freshAddress();
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

  test("where someone else is signed in ends that session", async () => {
    const [person, browser] = [await owner(), openBrowser()];
    await signIn(browser, person.email);
    const old = `sid=${browser.jar.get("sid")}`;
    const email = freshAddress();
    const token = await register(browser, registration(email));
    expect((await browser.call("POST", "/accounts", { token })).status).toBe(201);
    expect(await browser.viewer()).toMatchObject({ email });
    expect(await viewerOf(old)).toBeNull();
  });

  test("by a mail asked for again works as by the first", async () => {
    const email = freshAddress();
    const browser = openBrowser();
    const first = await register(browser, registration(email));
    expect((await browser.call("POST", "/registrations/mail", { email })).status).toBe(202);
    const mails = await mailsTo(email);
    expect(mails).toHaveLength(2);
    expect(tokenIn(mails[1]!)).toBe(first);
    expect((await browser.call("POST", "/accounts", { token: first })).status).toBe(201);
  });

  test("who has not done it is told so in the browser that registered, with the right password and with no other", async () => {
    const email = freshAddress();
    const browser = openBrowser();
    await register(browser, registration(email));
    expect(await signIn(openBrowser(), email)).toMatchObject({ status: 400, body: { code: "invalid_credentials" } });
    expect(await signIn(browser, email)).toMatchObject({ status: 403, body: { code: "email_not_confirmed" } });
    expect(await signIn(browser, email, "otra contraseña larga")).toMatchObject({
      status: 400,
      body: { code: "invalid_credentials" },
    });
    expect(browser.jar.has("sid")).toBe(false);
  });
});

describe("an address that someone else registered first", () => {
  const ATTACKER = "la llave del atacante";
  const VICTIM = "la llave de la víctima";
  const as = (password: string) => ({ password, confirm_password: password });

  test.each(["before the owner", "after the owner", "before and after the owner"])(
    "%s is worth nothing to them",
    async (when) => {
      const email = freshAddress();
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
          for (const person of [{}, own(ATTACKER), own(VICTIM)])
            expect((await browser.call("POST", "/accounts", { token, ...person })).status).toBe(410);
      expect((await signIn(attacker, email, ATTACKER)).status).toBe(403);
      expect(await attacker.viewer()).toBeNull();
      expect((await signIn(openBrowser(), email, VICTIM)).status).toBe(200);
      expect(await profilesOf(email)).toHaveLength(1);
    },
  );

  test.each(["with none of their own", "in the browser that holds one of their own"])(
    "the owner who opens another person's link, %s, gets their own name, kind and password",
    async (when) => {
      const email = freshAddress();
      const attacker = openBrowser();
      const hostile = { full_name: "Visita mi sitio", bio: "Una biografía hostil", ...as(ATTACKER) };
      const token = await register(attacker, psychologist(email, { return_to: "/auth/recuperar", ...hostile }));
      const victim = openBrowser();
      if (when.includes("holds")) await register(victim, registration(email, as(VICTIM)));

      // As the page without JavaScript does: the kind is another address, the rest is one form.
      const page = await victim.page(`/auth/confirmar?token=${token}`);
      expect(page.status).toBe(200);
      expect(page.text).toContain('value="Visita mi sitio"');
      expect(page.text).toContain('name="license_number"');
      expect(page.text).toContain('value="psychologist"');
      const asUser = `/auth/confirmar?token=${token}&tipo=usuario`;
      expect(page.text).toContain(`href="${asUser.replace("&", "&amp;")}"`);
      const other = await victim.page(asUser);
      expect(other.text).not.toContain('name="license_number"');
      expect(other.text).toContain('value="user"');
      const fields = {
        ...Object.fromEntries(
          Object.entries(own(VICTIM)).map(([name, value]) => [name, value === true ? "on" : `${value}`]),
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
      // As if nothing had happened: the other person must not learn that there is an account now.
      expect((await signIn(attacker, email, ATTACKER)).body.code).toBe("email_not_confirmed");
      expect((await signIn(openBrowser(), email, ATTACKER)).body.code).toBe("invalid_credentials");
      expect((await signIn(openBrowser(), email, VICTIM)).status).toBe(200);
      expect((await attacker.call("POST", "/accounts", { token })).status).toBe(410);
      expect(await attacker.viewer()).toBeNull();
    },
  );

  test("each of several links shows what it stands for, and confirming one drops the others", async () => {
    const email = freshAddress();
    const tokens = [
      await register(openBrowser(), registration(email, { full_name: "Otra Persona", ...as(ATTACKER) })),
      await register(openBrowser(), psychologist(email, as(VICTIM))),
    ];
    const shown = await Promise.all(
      tokens.map(async (token) => (await app.call("POST", "/registrations/pending", { token })).body),
    );
    expect(shown.map((one) => [one.full_name, one.registration.user_type])).toEqual([
      ["Otra Persona", "user"],
      ["Rosa Luna Prado", "psychologist"],
    ]);
    const answers = await Promise.all(
      tokens.map((token) => openBrowser().call("POST", "/accounts", { token, ...own(NEW) })),
    );
    expect(answers.map(({ status }) => status).sort()).toEqual([201, 410]);
    expect(await profilesOf(email)).toHaveLength(1);
    for (const token of tokens) expect((await app.call("POST", "/registrations/pending", { token })).status).toBe(410);
  });

  test("the other person's browser is not the one that made the owner's registration", async () => {
    const email = freshAddress();
    const attacker = openBrowser();
    await register(attacker, registration(email, as(ATTACKER)));
    const victimToken = await register(openBrowser(), registration(email, as(VICTIM)));
    expect((await attacker.call("POST", "/accounts", { token: victimToken })).status).toBe(422);
    expect(await profilesOf(email)).toEqual([]);
  });

  test("a registration that waits for an address with an account never opens that account", async () => {
    const victim = await owner(VICTIM);
    const attacker = openBrowser();
    await attacker.call("POST", "/registrations", registration(victim.email, as(ATTACKER)));
    expect((await signIn(attacker, victim.email, ATTACKER)).status).not.toBe(200);
    expect(await attacker.viewer()).toBeNull();
  });
});

describe("signing in", () => {
  test("begins a session whose cookie scripts cannot read and other sites do not send", async () => {
    const person = await owner();
    const browser = openBrowser();
    const answer = await signIn(browser, person.email.toUpperCase());
    expect(answer).toMatchObject({ status: 200, body: { user: { id: person.id } } });
    expect(answer.headers.getSetCookie()).toEqual([
      expect.stringMatching(/^device=[\w-]{43}(\.[\w-]{43}){4}; Max-Age=15552000; Path=\/; SameSite=Lax; HttpOnly$/),
      expect.stringMatching(/^sid=[0-9a-f-]{36}\.[\w-]{43}; Max-Age=2592000; Path=\/; SameSite=Lax; HttpOnly$/),
    ]);
    expect(answer.headers.get("cache-control")).toBe("private, no-store");
    expect(await browser.viewer()).toMatchObject({ id: person.id });
  });

  test("takes a new session, whatever cookie was there before", async () => {
    const person = await owner();
    const browser = openBrowser();
    const preset = `${randomUUID()}.${randomBytes(32).toString("base64url")}`;
    browser.jar.set("sid", preset);
    await signIn(browser, person.email);
    const mine = browser.jar.get("sid")!;
    expect(mine.split(".")[0]).not.toBe(preset.split(".")[0]);
    expect(mine.split(".")[1]).not.toBe(preset.split(".")[1]);
    expect(await viewerOf(`sid=${preset}`)).toBeNull();
    expect(await viewerOf(`sid=${mine}`)).toBe(person.id);
  });

  test("as someone else in the same browser ends the first session", async () => {
    const [first, second] = [await owner(), await owner()];
    const browser = openBrowser();
    await signIn(browser, first.email);
    const old = `sid=${browser.jar.get("sid")}`;
    await signIn(browser, second.email);
    expect(await browser.viewer()).toMatchObject({ id: second.id });
    expect(await viewerOf(old)).toBeNull();
  });

  test("a session's id with another secret is not signed in, and ends no session", async () => {
    const [person, other] = [await owner(), await owner()];
    const [browser, stranger] = [openBrowser(), openBrowser()];
    await signIn(browser, person.email);
    await signIn(stranger, other.email);
    const [id] = browser.jar.get("sid")!.split(".");
    const [, secret] = stranger.jar.get("sid")!.split(".");
    for (const wrong of [
      `${id}.${secret}`,
      `${id}.`,
      `${id}`,
      `${id}.${"A".repeat(43)}`,
      "' or true --",
      "..",
      "a.b",
    ]) {
      const answer = await app.call("GET", "/session", undefined, null, { cookie: `sid=${wrong}` });
      expect(answer).toMatchObject({ status: 200, body: { user: null } });
    }
    expect(await browser.viewer()).toMatchObject({ id: person.id });
  });

  test("of two session cookies the first counts", async () => {
    const [first, second] = [await app.person(), await app.person()];
    expect(await viewerOf(`${first.cookie}; ${second.cookie}`)).toBe(first.id);
  });

  test("never happens by opening a link", async () => {
    const person = await owner();
    const email = freshAddress();
    const token = await register(openBrowser(), registration(email));
    await app.call("POST", "/recoveries", { email: person.email });
    const recovery = await newestToken(person.email);
    const before = await app.sql("select id from sessions");
    for (const path of [
      `/auth/confirmar?token=${token}`,
      `/auth/nueva-contrasena?token=${recovery}`,
      `/auth?email=${person.email}&password=${encodeURIComponent(PASSWORD)}`,
    ]) {
      const page = await openBrowser().page(path);
      expect(page.headers.getSetCookie().join()).not.toContain("sid=");
    }
    expect(await app.sql("select id from sessions")).toHaveLength(before.length);
  });

  test("over https the cookie is only for this host, and one without the prefix is ignored", async () => {
    const secure = await openTestApp({ environment: { PUBLIC_URL: "https://divan.example" } });
    try {
      const person = await secure.person();
      await secure.sql("update accounts set password_hash = $1", [await hashPassword(PASSWORD)]);
      const origin = { origin: "https://divan.example" };
      const answer = await secure.call("POST", "/session", { email: person.email, password: PASSWORD }, null, origin);
      expect(answer.status).toBe(200);
      const cookie = answer.headers.getSetCookie().find((line) => line.includes("sid="));
      expect(cookie).toMatch(/^__Host-sid=[^;]+; Max-Age=2592000; Path=\/; SameSite=Lax; HttpOnly; Secure$/);
      const value = /=([^;]+)/.exec(cookie!)![1];
      // The proxy that ends TLS asks in plain http: forms work all the same.
      const form = await secure.form(
        "/auth",
        { intent: "sign_in", email: person.email, password: PASSWORD },
        null,
        origin,
      );
      expect(form.status).toBe(302);
      expect(form.headers.getSetCookie().join()).toContain("__Host-sid=");
      const asked = async (header: string) =>
        (await secure.call("GET", "/session", undefined, null, { cookie: header })).body.user;
      expect(await asked(`__Host-sid=${value}`)).toMatchObject({ id: person.id });
      expect(await asked(`sid=${value}`)).toBeNull();
      expect(await asked(person.cookie)).toBeNull();
    } finally {
      await secure.close();
    }
  });
});

describe("signing out", () => {
  /** One person signed in on three devices. */
  async function threeDevices() {
    const person = await owner();
    const devices = [openBrowser(), openBrowser(), openBrowser()] as const;
    for (const device of devices) await signIn(device, person.email);
    const cookies = devices.map((device) => `sid=${device.jar.get("sid")}`);
    const alive = async () => Promise.all(cookies.map(async (cookie) => (await viewerOf(cookie)) === person.id));
    expect(await alive()).toEqual([true, true, true]);
    return { person, devices, cookies, alive };
  }

  test("of this device ends only its session, also if the cookie was copied", async () => {
    const { devices, alive } = await threeDevices();
    const answer = await devices[0].call("DELETE", "/session", { scope: "this" });
    expect(answer).toMatchObject({ status: 200, body: { done: true } });
    expect(devices[0].jar.has("sid")).toBe(false);
    expect(await alive()).toEqual([false, true, true]);
  });

  test("of the other devices leaves this one signed in", async () => {
    const { devices, alive } = await threeDevices();
    await devices[0].call("DELETE", "/session", { scope: "others" });
    expect(devices[0].jar.has("sid")).toBe(true);
    expect(await alive()).toEqual([true, false, false]);
  });

  test("of all devices ends every session, and no one else's", async () => {
    const bystander = await app.person();
    const { devices, alive, person } = await threeDevices();
    await devices[0].call("DELETE", "/session", { scope: "all" });
    expect(await alive()).toEqual([false, false, false]);
    expect(await app.sql("select from sessions where account_id = $1", [person.id])).toEqual([]);
    expect(await viewerOf(bystander.cookie)).toBe(bystander.id);
  });

  test("without saying from where means this device", async () => {
    const { devices, alive } = await threeDevices();
    await devices[1].call("DELETE", "/session", {});
    expect(await alive()).toEqual([true, false, true]);
  });

  test("twice is no error", async () => {
    const { devices } = await threeDevices();
    await devices[0].call("DELETE", "/session", {});
    expect((await devices[0].call("DELETE", "/session", {})).status).toBe(200);
    expect((await app.call("DELETE", "/session", {})).status).toBe(200);
  });

  test("by the button of the page lets the browser forget what it kept", async () => {
    const { devices, alive } = await threeDevices();
    const answer = await devices[2].form("/salir", {});
    expect(answer.status).toBe(302);
    expect(answer.headers.get("clear-site-data")).toBe('"cache", "storage"');
    expect(await alive()).toEqual([true, true, false]);
  });

  test("makes an old cookie useless for writing as well", async () => {
    const { devices, cookies } = await threeDevices();
    await devices[0].call("DELETE", "/session", {});
    const question = {
      title: "Una pregunta de prueba",
      content: "Un texto de prueba con más de veinte caracteres.",
      country: "Chile",
    };
    const answer = await app.call("POST", "/consultations", question, null, { cookie: cookies[0]! });
    expect(answer.status).toBe(401);
    expect(answer.headers.getSetCookie()).toEqual([expect.stringMatching(/^sid=; Max-Age=0/)]);
  });
});

describe("a session", () => {
  test("ends a week after the last visit", async () => {
    const start = Date.now();
    app.setNow(new Date(start));
    const [person, idle] = [await app.person(), await app.person()];
    app.setNow(new Date(start + 7 * DAY - 1000));
    expect(await viewerOf(person.cookie)).toBe(person.id);
    app.setNow(new Date(start + 7 * DAY));
    expect(await viewerOf(idle.cookie)).toBeNull();
    expect(await app.sql("select from sessions where account_id = $1", [idle.id])).toEqual([]);
    // Going back in time does not bring it back.
    app.setNow(new Date(start));
    expect(await viewerOf(idle.cookie)).toBeNull();
    // The visit a second before the week was over counted.
    app.setNow(new Date(start + 14 * DAY - 2000));
    expect(await viewerOf(person.cookie)).toBe(person.id);
  });

  test("ends 30 days after it began, however often it is used and renewed", async () => {
    const start = Date.now();
    app.setNow(new Date(start));
    const person = await app.person();
    for (let day = 5; day < 30; day += 5) {
      app.setNow(new Date(start + day * DAY));
      const answer = await app.call("POST", "/session/renewal", {}, person);
      expect(answer.body.user.id).toBe(person.id);
      const ends = new Date(answer.body.expires_at).getTime();
      expect(answer.body.expires_in).toBe((ends - start) / 1000 - day * 86_400);
      expect(ends).toBe(Math.min(start + 30 * DAY, start + (day + 7) * DAY));
    }
    app.setNow(new Date(start + 30 * DAY - 1000));
    expect(await viewerOf(person.cookie)).toBe(person.id);
    app.setNow(new Date(start + 30 * DAY));
    expect(await viewerOf(person.cookie)).toBeNull();
    expect((await app.call("POST", "/session/renewal", {}, person)).status).toBe(401);
  });

  test("of a deleted account is not signed in", async () => {
    const person = await app.person();
    await app.sql("delete from profiles where id = $1", [person.id]);
    expect(await viewerOf(person.cookie)).toBeNull();
  });

  test("without a session reveals nothing", async () => {
    expect((await app.call("GET", "/session")).body).toEqual({ user: null, expires_in: null, expires_at: null });
    expect((await app.call("POST", "/session/renewal", {})).status).toBe(401);
  });
});

describe("recovering a password", () => {
  const NEW = "una llave nueva y larga";
  const choose = (browser: Browser, token: string, password = NEW) =>
    browser.call("PUT", "/password", { token, password, confirm_password: password });
  async function recoveryToken(person: Person): Promise<string> {
    expect((await app.call("POST", "/recoveries", { email: person.email })).status).toBe(202);
    return newestToken(person.email);
  }

  test("sets the new one, ends every session and tells the owner", async () => {
    const person = await owner();
    const device = openBrowser();
    await signIn(device, person.email);
    const cookies = [person.cookie, `sid=${device.jar.get("sid")}`];
    const token = await recoveryToken(person);
    expect(await viewerOf(cookies[0]!)).toBe(person.id);
    expect(await choose(device, token)).toMatchObject({ status: 200, body: { done: true } });
    for (const cookie of cookies) expect(await viewerOf(cookie)).toBeNull();
    expect(device.jar.has("sid")).toBe(false);
    expect((await signIn(openBrowser(), person.email)).body.code).toBe("invalid_credentials");
    expect((await signIn(openBrowser(), person.email, NEW)).status).toBe(200);
    expect((await mailsTo(person.email)).map((mail) => mail.subject)).toEqual([
      "Elige una contraseña nueva en Diván",
      "Tu contraseña de Diván ha cambiado",
    ]);
  });

  test("works once, also when sent five times at once", async () => {
    const person = await owner();
    const token = await recoveryToken(person);
    const passwords = Array.from({ length: 5 }, (_, place) => `una llave nueva ${place}`);
    const answers = await Promise.all(passwords.map((password) => choose(openBrowser(), token, password)));
    expect(answers.map((answer) => answer.status).sort()).toEqual([200, 410, 410, 410, 410]);
    const winner = passwords[answers.findIndex((answer) => answer.status === 200)]!;
    expect((await signIn(openBrowser(), person.email, winner)).status).toBe(200);
    expect(await choose(openBrowser(), token)).toMatchObject({ status: 410, body: { code: "link_expired" } });
  });

  test("works until 60 minutes have passed, and not after", async () => {
    const start = Date.now();
    const [early, late] = [await owner(), await owner()];
    app.setNow(new Date(start));
    const [earlyToken, lateToken] = [await recoveryToken(early), await recoveryToken(late)];
    app.setNow(new Date(start + HOUR - 1000));
    expect((await choose(openBrowser(), earlyToken)).status).toBe(200);
    app.setNow(new Date(start + HOUR));
    expect(await choose(openBrowser(), lateToken)).toMatchObject({ status: 410, body: { code: "link_expired" } });
    expect((await signIn(openBrowser(), late.email)).status).toBe(200);
  });

  test("with a weak password is refused, and the link still works", async () => {
    const person = await owner();
    const token = await recoveryToken(person);
    for (const password of ["contraseña123", person.email, "corta"]) {
      const answer = await choose(openBrowser(), token, password);
      expect(answer).toMatchObject({ status: 422, body: { fields: { password: expect.any(String) } } });
    }
    const mismatch = { token, password: NEW, confirm_password: `${NEW}.` };
    expect((await app.call("PUT", "/password", mismatch)).body.fields).toHaveProperty("confirm_password");
    expect((await choose(openBrowser(), token)).status).toBe(200);
  });

  test("does not sign in: the new password is typed once more", async () => {
    const person = await owner();
    const browser = openBrowser();
    const token = await recoveryToken(person);
    const answer = await browser.form("/auth/nueva-contrasena", { token, password: NEW, confirm_password: NEW });
    expect(answer.status).toBe(302);
    expect(answer.headers.get("location")).toBe("/auth");
    expect(await browser.viewer()).toBeNull();
  });

  test("a confirmation link is no recovery link, nor the other way round", async () => {
    const person = await owner();
    const recovery = await recoveryToken(person);
    const email = freshAddress();
    const browser = openBrowser();
    const confirmation = await register(browser, registration(email));
    expect((await choose(openBrowser(), confirmation)).status).toBe(410);
    expect((await browser.call("POST", "/accounts", { token: recovery })).status).toBe(410);
  });

  test("of an address without account sends nothing", async () => {
    const [nobody, waiting] = [freshAddress(), freshAddress()];
    await register(openBrowser(), registration(waiting));
    for (const email of [nobody, waiting]) expect((await app.call("POST", "/recoveries", { email })).status).toBe(202);
    expect(await mailsTo(nobody)).toEqual([]);
    expect((await mailsTo(waiting)).map((mail) => mail.subject)).toEqual(["Confirma tu correo en Diván"]);
  });
});

// Long, because on a busy machine a measurement may have to be made again.
describe("whether an address has an account is told by", { timeout: 120_000 }, () => {
  /** Addresses with an account, whose password is known, and without. */
  async function addresses(pairs: number) {
    const many = () => Array.from({ length: pairs }, freshAddress);
    const [known, unknown] = [many(), many()];
    const hash = await hashPassword(PASSWORD);
    const people = await Promise.all(known.map((email) => app.person({ email })));
    await app.sql("update accounts set password_hash = $1 where id = any($2)", [hash, people.map(({ id }) => id)]);
    return { known, unknown };
  }

  test("no answer to a registration, nor the time it takes", () =>
    expectEqualCost(app, (email) => app.call("POST", "/registrations", registration(email)), addresses, {
      hashing: true,
    }));

  test("no answer to the wish for another confirmation mail, nor the time it takes", () =>
    expectEqualCost(app, (email) => app.call("POST", "/registrations/mail", { email }), addresses));

  test("no answer to a recovery, nor the time it takes", () =>
    expectEqualCost(app, (email) => app.call("POST", "/recoveries", { email }), addresses));

  test("no answer to a wrong password, nor the time it takes", () =>
    expectEqualCost(
      app,
      (email) => app.call("POST", "/session", { email, password: "otra contraseña larga" }),
      addresses,
      { hashing: true },
    ));

  /** Registers addresses in one browser. All but one are copies: each by itself would cost a password hash. */
  async function registerAll(browser: ReturnType<typeof openBrowser>, addresses: string[], password: string) {
    const one = freshAddress();
    await browser.call("POST", "/registrations", registration(one, { password, confirm_password: password }));
    await app.sql(
      `insert into pending_registrations
        select copy.* from pending_registrations one, unnest($2::text[]) address, lateral jsonb_populate_record(one,
          jsonb_build_object('id', gen_random_uuid(), 'email', address, 'token_hash', sha256(address::bytea))) copy
        where one.email = $1`,
      [one, addresses],
    );
  }

  test("no answer to signing in with a password that was registered for it before, nor the time it takes", () => {
    const browser = openBrowser();
    const password = "la llave de la curiosa";
    return expectEqualCost(
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
      { hashing: true },
    );
  });

  test("nor does the time of a wrong password reveal an unconfirmed registration", () =>
    expectEqualCost(
      app,
      (email) => app.call("POST", "/session", { email, password: "otra contraseña larga" }),
      async (pairs) => {
        const made = await addresses(pairs);
        await registerAll(openBrowser(), made.known, "la llave de otra persona");
        return made;
      },
      { hashing: true },
    ));

  test("nor do the statements for another confirmation mail reveal a registration", async () => {
    const registered = freshAddress();
    await register(openBrowser(), registration(registered));
    const [waits, none] = [[], []] as string[][];
    for (const [email, statements] of [
      [registered, waits!],
      [freshAddress(), none!],
    ] as const)
      statements.push(
        ...(await app.statementsDuring(() => app.call("POST", "/registrations/mail", { email }))).map((text) =>
          text.replace(/\s+/g, " "),
        ),
      );
    expect(waits).toEqual(none);
    expect(waits!.length).toBeGreaterThan(2);
  });

  test("no answer to who registered it before, whatever its owner does with it", async () => {
    const email = freshAddress();
    const stranger = openBrowser();
    const password = "la llave de la curiosa";
    const linkOfStranger = await register(stranger, registration(email, { password, confirm_password: password }));
    const asked = async () => (await signIn(stranger, email, password)).body.code;
    expect(await asked()).toBe("email_not_confirmed");
    const browser = openBrowser();
    await register(browser, registration(email));
    expect(await asked()).toBe("email_not_confirmed");
    // Confirmed by the other person's link, in the browser of the mailbox's owner.
    const { email: _, ...person } = registration(email);
    expect((await browser.call("POST", "/accounts", { ...person, token: linkOfStranger })).status).toBe(201);
    expect(await asked()).toBe("email_not_confirmed");
    await app.sql(
      "update sessions set password_at = now() where account_id = (select id from profiles where email = $1)",
      [email],
    );
    expect((await browser.call("DELETE", "/account", { nameless: "keep" })).status).toBe(200);
    expect(await asked()).toBe("email_not_confirmed");
    // What is kept for that says no more than that someone registered, and links that were mailed serve no one.
    expect(await app.sql("select full_name, details from pending_registrations where email = $1", [email])).toEqual(
      expect.arrayContaining([{ full_name: "", details: {} }]),
    );
    expect((await app.call("POST", "/registrations/pending", { token: linkOfStranger })).status).toBe(410);
    const before = (await mailsTo(email)).length;
    await stranger.call("POST", "/registrations/mail", { email });
    expect(await mailsTo(email)).toHaveLength(before);
  });

  test("no page that a form without JavaScript leads to", async () => {
    const person = await owner();
    const seen = [];
    for (const email of [person.email, freshAddress()]) {
      const fields = Object.fromEntries(
        Object.entries(registration(email)).map(([name, value]) => [name, value === true ? "on" : String(value)]),
      );
      const signedUp = await openBrowser().form("/auth", { ...fields, intent: "sign_up" });
      const recovery = await openBrowser().form("/auth/recuperar", { email });
      const again = await openBrowser().form("/auth/revisa-tu-correo", { email });
      const wrong = await openBrowser().form("/auth", { intent: "sign_in", email, password: "otra contraseña larga" });
      seen.push(
        [signedUp, recovery, again, wrong].map((answer) => [
          answer.status,
          answer.headers.get("location"),
          answer.headers.getSetCookie().map((cookie) => cookie.split("=")[0]),
          answer.text
            .replaceAll(email, "x")
            .replaceAll(encodeURIComponent(email), "x")
            // The moment of the answer, in milliseconds, that tells one refusal from the next.
            .replace(/\b\d{13}\b/g, "0")
            .replace(/\d{4}-\d\d-\d\dT[\d:.]+Z/g, "0"),
        ]),
      );
    }
    expect(seen[0]).toEqual(seen[1]);
  });
});

describe("secrets", () => {
  /** Every row of every table, as text. */
  async function everythingStored(): Promise<string> {
    const tables = await app.sql<{ name: string }>(
      "select format('%I.%I', table_schema, table_name) as name from information_schema.tables where table_type = 'BASE TABLE' and table_schema not in ('pg_catalog', 'information_schema')",
    );
    expect(tables.map(({ name }) => name)).toEqual(expect.arrayContaining(["public.accounts", "public.sessions"]));
    let all = "";
    for (const { name } of tables) {
      const [found] = await app.sql<{ rows: string | null }>(
        `select string_agg(kept::text, chr(10)) as rows from ${name} kept`,
      );
      all += `${name}\n${found!.rows ?? ""}\n`;
    }
    return all;
  }

  test("are in no answer and no log line, and the database holds only their hashes", async () => {
    const email = freshAddress();
    const password = `canario ${randomUUID()}`;
    const newPassword = `segundo ${randomUUID()}`;
    const bodies: string[] = [];
    const browser = openBrowser();
    const call = async (method: string, path: string, body?: unknown) => {
      const answer = await browser.call(method, path, body);
      bodies.push(answer.text);
      return answer;
    };
    app.log.length = 0;
    await call("POST", "/registrations", registration(email, { password, confirm_password: password }));
    const browserSecret = browser.jar.get("registration")!;
    const confirmation = await newestToken(email);
    const whileWaiting = await everythingStored();
    await call("POST", "/registrations/pending", { token: confirmation });
    await call("POST", "/accounts", { token: confirmation });
    const firstSecret = browser.jar.get("sid")!.split(".")[1]!;
    await call("GET", "/session");
    await call("POST", "/recoveries", { email });
    const recovery = await newestToken(email);
    const whileRecovering = await everythingStored();
    await call("PUT", "/password", { token: recovery, password: newPassword, confirm_password: newPassword });
    await call("POST", "/session", { email, password: newPassword });
    await call("POST", "/session/renewal", {});
    const secondSecret = browser.jar.get("sid")!.split(".")[1]!;
    expect((await call("GET", "/session")).body.user.email).toBe(email);
    bodies.push((await browser.page("/")).text);
    await deliver();

    const stored = whileWaiting + whileRecovering + (await everythingStored());
    expect(stored).toContain(email);
    const secrets = { password, newPassword, browserSecret, confirmation, recovery, firstSecret, secondSecret };
    for (const [name, secret] of Object.entries(secrets)) {
      expect(secret.length, name).toBeGreaterThanOrEqual(40);
      const forms = [secret, Buffer.from(secret).toString("hex"), Buffer.from(secret).toString("base64")];
      if (/^[\w-]{43}$/.test(secret)) forms.push(Buffer.from(secret, "base64url").toString("hex"));
      for (const form of forms) {
        expect(stored.includes(form), `${name} is stored`).toBe(false);
        expect(bodies.join("\n").includes(form), `${name} is in an answer`).toBe(false);
        expect(app.log.join("\n").includes(form), `${name} is in the log`).toBe(false);
      }
    }
    expect(bodies.join("\n")).not.toContain("argon2id");
    expect(app.log.join("\n")).not.toContain(email);
  });
});

describe("mails", () => {
  /** A request whose headers lie about where it was sent; a browser's fetch would not send such a Host. */
  const lying = (path: string, body: unknown, headers: Record<string, string>) =>
    new Promise<{ status: number; headers: string }>((done, fail) => {
      const url = new URL(app.url);
      const request = httpRequest(
        { host: url.hostname, port: url.port, path, method: "POST", headers: { origin: app.url, ...headers } },
        (response) => {
          response.resume();
          response.on("end", () =>
            done({ status: response.statusCode!, headers: JSON.stringify(response.rawHeaders) }),
          );
        },
      );
      request.on("error", fail);
      request.end(typeof body === "string" ? body : JSON.stringify(body));
    });

  const EVIL = "evil.example";
  test.each<Record<string, string>>([
    { host: EVIL },
    { host: `${EVIL}:443` },
    { host: `user@${EVIL}` },
    { host: `127.0.0.1@${EVIL}` },
    { "x-forwarded-host": EVIL },
    { "x-forwarded-host": EVIL, "x-forwarded-proto": "https", "x-forwarded-port": "444" },
    { "x-original-host": EVIL, "x-host": EVIL, "x-http-host-override": EVIL },
    { forwarded: `for=1.2.3.4;host=${EVIL};proto=https` },
    { "x-original-url": `https://${EVIL}/`, "x-rewrite-url": `//${EVIL}/` },
    { host: EVIL, "x-forwarded-host": EVIL, referer: `https://${EVIL}/` },
  ])("link to the configured address when a request says %j", async (headers) => {
    const person = await owner();
    const email = freshAddress();
    const json = { "content-type": "application/json", ...headers };
    const answers = [
      await lying("/api/registrations", registration(email), json),
      await lying("/api/registrations", registration(person.email), json),
      await lying("/api/recoveries", { email: person.email }, json),
      await lying("/auth/recuperar", `email=${encodeURIComponent(person.email)}`, {
        "content-type": "application/x-www-form-urlencoded",
        ...headers,
      }),
    ];
    for (const answer of answers) expect(answer.headers).not.toContain(EVIL);
    // A name that is no name is refused; whatever is taken leads to us.
    if (!headers.host?.includes("@")) expect(answers.map(({ status }) => status)).toEqual([202, 202, 202, 302]);
    await deliver();
    if (!headers.host?.includes("@")) expect(sent.length).toBeGreaterThanOrEqual(3);
    for (const mail of sent) {
      expect(mail.text + mail.html).not.toContain(EVIL);
      for (const [link] of mail.text.matchAll(/https?:\/\/\S+/g)) expect(new URL(link).origin).toBe(app.url);
    }
  });

  test("a name with markup is text in the HTML of a mail", async () => {
    const person = await owner();
    await app.sql("update profiles set full_name = $2 where id = $1", [person.id, `<img src=x onerror="a">&`]);
    await app.call("POST", "/recoveries", { email: person.email });
    const [mail] = await mailsTo(person.email);
    expect(mail!.html).not.toContain("<img");
    expect(mail!.html).toContain("&lt;img src=x onerror=&quot;a&quot;&gt;&amp;");
  });
});
