import { describe, expect, test } from "vitest";
import type { Answer, TestApp, TestUser } from "#test/app.ts";
import { registration, uniqueEmail } from "#test/people.ts";
import { setUpTestApp } from "#test/suite-setup.ts";
import { ask, consultationBody } from "#test/threads.ts";

const app = setUpTestApp();

const GOOD = {
  full_name: "Lic. Paula Rivarola",
  specialty: "Neuropsicología",
  country: "Chile",
  license_number: "MP 1234",
  bio: "Trabajo con duelo.\r\n\r\n\r\n\r\nDesde Rosario.",
  phone: "00 54 (341) 555-0147",
  whatsapp: "+54 9 341 555 0147",
  website: "rivarola.example.org",
};

/** A psychologist with the photo that saving requires. */
async function withPhoto(options: Parameters<TestApp["person"]>[0] = {}): Promise<TestUser> {
  const person = await app.person({ type: "psychologist", name: GOOD.full_name, country: "Chile", ...options });
  await app.sql("update profiles set avatar_url = $2 where id = $1", [
    person.id,
    `/avatars/${person.id}-${person.id}.webp`,
  ]);
  return person;
}
const save = (person: TestUser | null, changes: Record<string, unknown> = {}) =>
  app.call("PUT", "/profile", { ...GOOD, ...changes }, person);
const stateOf = async (person: TestUser) =>
  (
    await app.sql<{ is_verified: boolean; rejected_at: Date | null; license_number: string }>(
      "select is_verified, rejected_at, license_number from psychologist_profiles where id = $1",
      [person.id],
    )
  )[0]!;

describe("own profile", () => {
  test("contains no psychologist fields for a user", async () => {
    const user = await app.person({ name: "Óscar Mejía" });
    const { body } = await app.call("GET", "/profile", undefined, user);
    expect(body).toEqual({
      id: user.id,
      full_name: "Óscar Mejía",
      email: user.email,
      avatar_url: null,
      user_type: "user",
      psychologist: null,
    });
    expect((await app.call("PUT", "/profile", { full_name: "Óscar M." }, user)).status).toBe(200);
    expect((await app.call("GET", "/session", undefined, user)).body.user.full_name).toBe("Óscar M.");
    const refused = await app.call("PUT", "/profile", { full_name: "Óscar", bio: "Hola" }, user);
    expect([refused.status, Object.keys(refused.body.fields)]).toEqual([422, ["bio"]]);
  });

  test("saves all fields of a psychologist's profile, then shows them on the public profile", async () => {
    const person = await withPhoto();
    const saved = await save(person);
    expect(saved.status).toBe(200);
    expect(saved.body.verification_asked).toBe(false);
    expect(saved.body.profile.psychologist).toEqual({
      specialty: "Neuropsicología",
      country: "Chile",
      license_number: "MP 1234",
      bio: "Trabajo con duelo.\n\nDesde Rosario.",
      phone: "+54 341 555 0147",
      whatsapp: "+54 9 341 555 0147",
      website: "https://rivarola.example.org/",
      is_verified: true,
      was_rejected: false,
      subscription_active: false,
      subscription_id: null,
      free_responses_used: 0,
      max_free_responses: 3,
      created_at: expect.stringMatching(/^\d{4}-.*Z$/),
    });
    const shown = await app.call("GET", `/psychologists/${person.id}`);
    expect(shown.body).toMatchObject({ bio: "Trabajo con duelo.\n\nDesde Rosario.", specialty: "Neuropsicología" });
    expect(shown.text).not.toContain(person.email);
    // Fields that a request omits or leaves empty are cleared.
    const { full_name, license_number, country } = GOOD;
    const empty = { full_name, license_number, country, phone: " ", website: "", specialty: "" };
    expect((await app.call("PUT", "/profile", empty, person)).status).toBe(200);
    expect((await app.call("GET", "/profile", undefined, person)).body.psychologist).toMatchObject({
      specialty: null,
      bio: null,
      phone: null,
      whatsapp: null,
      website: null,
    });
  });

  test("stores a licence of Argentina as MP or MN with its number without new verification", async () => {
    const person = await withPhoto({ country: "Argentina" });
    const licence = async (license_number: string) =>
      (await save(person, { country: "Argentina", license_number })).body;
    expect(await licence("mp. 1234")).toMatchObject({
      profile: { psychologist: { license_number: "MP 1234", is_verified: true } },
      verification_asked: false,
    });
    // A licence stored before the form had a register is the same licence.
    await app.sql("update psychologist_profiles set license_number = '1234' where id = $1", [person.id]);
    expect((await licence("1234")).verification_asked).toBe(false);
    expect((await stateOf(person)).license_number).toBe("MP 1234");
    expect((await licence("Matrícula Nacional 1234")).verification_asked).toBe(true);
    expect((await stateOf(person)).license_number).toBe("MN 1234");
  });

  test("responds 422 photo_required for a psychologist without a photo", async () => {
    const person = await app.person({ type: "psychologist" });
    const refused = await save(person, { license_number: "MP 9999" });
    expect([refused.status, refused.body.code]).toEqual([422, "photo_required"]);
    expect((await stateOf(person)).license_number).toBe("MP 1234");
    const page = await app.form("/perfil", { ...GOOD, bio: "Un texto que no se pierde" }, person);
    expect(page.status).toBe(422);
    expect(page.text).toContain("Un texto que no se pierde");
  });

  test("refuses wrong values together, each with a message at its field", async () => {
    const person = await withPhoto();
    for (const wrong of [
      {
        full_name: "A",
        specialty: "Astrología",
        country: "Atlántida",
        bio: "a".repeat(1501),
        phone: "no es un número",
        website: "javascript:alert(1)",
      },
      { license_number: "", phone: "+598 9423 1234 5678 9012" },
    ]) {
      const refused = await save(person, wrong);
      expect([refused.status, Object.keys(refused.body.fields).sort()]).toEqual([422, Object.keys(wrong).sort()]);
    }
    expect((await app.call("GET", "/profile", undefined, person)).body.psychologist.bio).toBeNull();
  });
});

describe("verification", () => {
  test("becomes necessary again when the licence changes", async () => {
    const person = await withPhoto();
    const change = { license_number: "MP 4321" };
    const saved = await save(person, change);
    expect(saved.body.verification_asked).toBe(true);
    expect(await stateOf(person)).toMatchObject({ is_verified: false, rejected_at: null });
    const consultation = await ask(app, await app.person());
    const answer = await app.call("POST", `/consultations/${consultation}/answers`, { content: "Hola" }, person);
    expect(answer.body.code).toBe("account_not_verified");
    // The second save changes no verified field.
    expect((await save(person, change)).body.verification_asked).toBe(false);
  });

  test("lists the fields changed since the last check for a psychologist who was verified before", async () => {
    const [before, never] = [await withPhoto(), await withPhoto({ verified: false })];
    for (const person of [before, never]) {
      await save(person, { full_name: "Lic. Paula Rivas" });
      await save(person, { full_name: "Lic. Paula Rivas", license_number: "MP 99" });
      await save(person, { full_name: "Lic. Paula Riva", license_number: "MP 99" });
    }
    const admin = await app.admin();
    const waiting = (await app.call("GET", "/admin/psychologists/pending", undefined, admin)).body.items;
    const changedOf = (person: TestUser) => waiting.find(({ id }: TestUser) => id === person.id).changed_since_check;
    expect(changedOf(before)).toEqual(["full_name", "license_number"]);
    expect(changedOf(never)).toBeNull();
    expect((await app.page("/admin", admin)).text).toContain("cambió su nombre y su matrícula");
  });

  test("becomes pending again when a rejected psychologist corrects a verified field", async () => {
    const person = await withPhoto({ verified: false });
    await app.sql("update psychologist_profiles set rejected_at = now() where id = $1", [person.id]);
    await save(person, { bio: "Otra" });
    expect((await stateOf(person)).rejected_at).not.toBeNull();
    expect((await app.page("/perfil", person)).text).toContain("Corrige tu nombre, tu país o tu número de matrícula");
    // Nobody reviews the account until then.
    for (const path of ["/", "/perfil", "/planes"])
      expect((await app.page(path, person)).text).not.toMatch(/En revisión|Todavía estamos revisando/);
    expect((await app.page("/", person)).text).toContain("No hemos podido verificar tu matrícula");
    expect((await save(person, { license_number: "MP 77" })).body.verification_asked).toBe(false);
    expect((await stateOf(person)).rejected_at).toBeNull();
    expect((await app.page("/perfil", person)).text).not.toContain("Corrige tu nombre");
    expect((await app.page("/", person)).text).toContain("En revisión");
  });

  test("becomes necessary once for 20 concurrent changes of the licence", async () => {
    const person = await withPhoto();
    const got = await Promise.all(
      Array.from({ length: 20 }, (_, at) => save(person, { license_number: at % 2 ? "MP 1234" : `MP 55${at}` })),
    );
    expect(got.map(({ status }) => status)).toEqual(Array(20).fill(200));
    expect((await stateOf(person)).is_verified).toBe(false);
    expect(got.filter(({ body }) => body.verification_asked)).toHaveLength(1);
  });
});

describe("profile page", () => {
  test("shows a psychologist the state of the verification", async () => {
    const verified = await app.page("/perfil", await app.person({ type: "psychologist" }));
    expect(verified.text).toContain("Tu cuenta está verificada.");
    const pending = await app.page("/perfil", await app.person({ type: "psychologist", verified: false }));
    expect(pending.text).toContain("Pendiente de verificación");
    expect(pending.text).toContain("24-48 horas");
    expect(pending.text).toContain('href="/planes?plan=lifetime"');
    const gold = await app.page("/perfil", await app.person({ type: "psychologist", gold: "active" }));
    expect(gold.text).toContain("en cuanto llegue el primero");
    expect(gold.text).not.toContain('class="chart"');
  });

  test("saves the form without JavaScript, then shows a notice if verification is necessary again", async () => {
    const other = await app.form("/perfil", { ...GOOD, license_number: "MP 2222" }, await withPhoto());
    expect([other.status, other.headers.get("location")]).toEqual([302, "/perfil"]);
    expect(other.headers.get("set-cookie")).toContain("notice=profile_updated_pending;");
  });
});

const consultation = (author_name: string) => consultationBody({ is_anonymous: false, author_name });
const PROFESSIONAL = { license_number: "MP 1234", specialty: "Psicología Clínica" };

type Send = (name: string) => Promise<Answer>;
const register =
  (more = {}): Send =>
  (full_name) =>
    app.call("POST", "/registrations", registration(uniqueEmail(), { full_name, ...more }));
const rename =
  (person: () => Promise<TestUser>, more = {}): Send =>
  async (full_name) =>
    app.call("PUT", "/profile", { full_name, ...more }, await person());

const HEALTH = /profesional de la salud/;
const PSYCHOLOGY = /matrícula de psicología/;
/** Every operation that stores a name, with the field and the error about the name of another profession. */
const OPERATIONS: [what: string, field: string, profession: RegExp | null, send: Send][] = [
  ["a user's registration", "full_name", HEALTH, register()],
  [
    "a psychologist's registration",
    "full_name",
    PSYCHOLOGY,
    register({ user_type: "psychologist", license_number: "MP 7788" }),
  ],
  ["a user's profile", "full_name", HEALTH, rename(() => app.person())],
  ["a psychologist's profile", "full_name", PSYCHOLOGY, rename(() => withPhoto({ name: "Paula" }), PROFESSIONAL)],
  [
    "a consultation",
    "author_name",
    HEALTH,
    async (name) => app.call("POST", "/consultations", consultation(name), await app.person()),
  ],
  [
    "a corrected consultation",
    "author_name",
    HEALTH,
    async (name) => {
      const user = await app.person();
      const id = await ask(app, user, consultation("Lucía"));
      return app.call("PATCH", `/consultations/${id}`, consultation(name), user);
    },
  ],
  [
    "a message to the team",
    "name",
    null,
    (name) =>
      app.call("POST", "/contact", { name, email: "rosa@correo.example", message: "Una pregunta para ustedes." }),
  ],
];

test.each(OPERATIONS)("responds 422 to a misleading name in %s", async (_what, field, profession, send) => {
  const refused = (words: RegExp) => ({ status: 422, body: { fields: { [field]: expect.stringMatching(words) } } });
  expect(await send("Equipo Diván")).toMatchObject(refused(/confundir/));
  if (profession) expect(await send("Psiquiatra Ana")).toMatchObject(refused(profession));
  expect((await send(profession === PSYCHOLOGY ? "Psic. Ana Ruiz" : "Ana Ruiz")).status).toBeLessThan(300);
});

describe("a name stored before the rules", () => {
  test("stays when other fields of the profile change", async () => {
    const person = await withPhoto({ name: "Equipo divan.com" });
    const bio = "Atiendo desde 2010.";
    const saved = await app.call("PUT", "/profile", { full_name: "Equipo divan.com", ...PROFESSIONAL, bio }, person);
    expect(saved).toMatchObject({ status: 200, body: { profile: { full_name: "Equipo divan.com" } } });
    expect((await app.call("PUT", "/profile", { full_name: "Equipo divan.net", ...PROFESSIONAL }, person)).status).toBe(
      422,
    );
  });

  test("stays on a consultation whose text changes", async () => {
    const user = await app.person();
    const id = await ask(app, user, consultation("Lucía"));
    await app.sql("update consultations set author_name = 'Soporte' where id = $1", [id]);
    const other = { ...consultation("Soporte"), title: "Otra pregunta de prueba" };
    const edited = await app.call("PATCH", `/consultations/${id}`, other, user);
    expect(edited.status, edited.text).toBe(200);
  });
});
