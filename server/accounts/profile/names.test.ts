import { describe, expect, test } from "vitest";
import type { Answer, TestUser } from "#test/app.ts";
import { registration, uniqueEmail } from "#test/people.ts";
import { setUpTestApp } from "#test/suite-setup.ts";
import { consultationBody } from "#test/threads.ts";

const app = setUpTestApp();

const registrationOf = (full_name: string, more: Record<string, unknown> = {}) =>
  registration(uniqueEmail(), { full_name, ...more });
const asPsychologist = { user_type: "psychologist", license_number: "MP 7788" };
const consultation = (author_name: string) => consultationBody({ is_anonymous: false, author_name });
const PROFESSIONAL = { license_number: "MP 1234", specialty: "Psicología Clínica" };

/** A psychologist with a photo, which saving a profile requires. */
async function psychologist(name: string): Promise<TestUser> {
  const person = await app.person({ type: "psychologist", name });
  await app.sql("update profiles set avatar_url = '/avatars/a.webp' where id = $1", [person.id]);
  return person;
}
const isVerified = async ({ id }: TestUser) =>
  (
    await app.sql<{ verified: boolean }>(
      "select verified_at is not null as verified from psychologist_profiles where id = $1",
      [id],
    )
  )[0]!.verified;

const REFUSED: [string, RegExp][] = [
  ["Equipo Diván", /confundir/],
  ["Ana \u202eanA", /invisibles/],
];

describe("a misleading name", () => {
  test.each(REFUSED)("responds 422 to %j in every operation that stores a name", async (name, words) => {
    const user = await app.person();
    const professional = await psychologist("Paula Rivarola");
    const answers: [string, Answer<{ fields: Record<string, string> }>][] = [
      ["full_name", await app.call("POST", "/registrations", registrationOf(name))],
      ["full_name", await app.call("POST", "/registrations", registrationOf(name, asPsychologist))],
      ["full_name", await app.call("PUT", "/profile", { full_name: name }, user)],
      ["full_name", await app.call("PUT", "/profile", { full_name: name, ...PROFESSIONAL }, professional)],
      ["author_name", await app.call("POST", "/consultations", consultation(name), user)],
      [
        "name",
        await app.call("POST", "/contact", {
          name,
          email: "rosa@correo.example",
          message: "Una pregunta para ustedes.",
        }),
      ],
    ];
    for (const [field, answer] of answers) {
      expect(answer.status, answer.text).toBe(422);
      expect(answer.body.fields).toEqual({ [field]: expect.stringMatching(words) });
    }
    expect(await isVerified(professional)).toBe(true);
  });

  test("responds 422 if the display name of a published consultation changes to it", async () => {
    const user = await app.person();
    const { body } = await app.call("POST", "/consultations", consultation("Lucía"), user);
    const { title, content, country } = consultation("");
    const edit = (author_name: string) =>
      app.call(
        "PATCH",
        `/consultations/${body.id}`,
        { title, content, country, is_anonymous: false, author_name },
        user,
      );
    for (const [name, words] of [...REFUSED, ["Psicóloga Lucía", /profesional de la salud/] as const]) {
      const answer = await edit(name);
      expect(answer.status, answer.text).toBe(422);
      expect(answer.body.fields).toEqual({ author_name: expect.stringMatching(words) });
    }
    expect((await edit("Lucía Paz")).status).toBe(200);
  });
});

describe("a profession in a name", () => {
  test("requires a psychologist's account", async () => {
    for (const name of ["Psic. Ana Ruiz", "Ana Ruiz, psicóloga"]) {
      const refused = await app.call("POST", "/registrations", registrationOf(name));
      expect(refused.body.fields).toEqual({ full_name: expect.stringMatching(/profesional de la salud/) });
      expect((await app.call("POST", "/registrations", registrationOf(name, asPsychologist))).status).toBe(202);
    }
    const user = await app.person();
    expect((await app.call("PUT", "/profile", { full_name: "Terapeuta Ana" }, user)).status).toBe(422);
    expect((await app.call("POST", "/consultations", consultation("Terapeuta Ana"), user)).status).toBe(422);
    const psychiatrist = await app.call("POST", "/registrations", registrationOf("Psiquiatra Ana", asPsychologist));
    expect(psychiatrist.body.fields).toEqual({ full_name: expect.stringMatching(/matrícula de psicología/) });
  });

  test("allows degrees or abbreviations in every user's name", async () => {
    for (const name of ["Dra.Ana", "Lic. Ana Ruiz", "Ma.José", "J.R. Pérez", "山田さくら"])
      expect((await app.call("POST", "/registrations", registrationOf(name))).status, name).toBe(202);
  });
});

describe("a name stored before the rules", () => {
  test("stays when other fields of the profile change", async () => {
    const person = await psychologist("Equipo divan.com");
    const bio = "Atiendo desde 2010.";
    const saved = await app.call("PUT", "/profile", { full_name: "Equipo divan.com", ...PROFESSIONAL, bio }, person);
    expect(saved).toMatchObject({ status: 200, body: { profile: { full_name: "Equipo divan.com" } } });
    expect((await app.call("PUT", "/profile", { full_name: "Equipo divan.net", ...PROFESSIONAL }, person)).status).toBe(
      422,
    );
  });

  test("stays on a consultation whose text changes", async () => {
    const user = await app.person();
    const { body } = await app.call("POST", "/consultations", consultation("Lucía"), user);
    await app.sql("update consultations set author_name = 'Soporte' where id = $1", [body.id]);
    const edited = await app.call(
      "PATCH",
      `/consultations/${body.id}`,
      { ...consultation("Soporte"), title: "Otra pregunta de prueba" },
      user,
    );
    expect(edited.status, edited.text).toBe(200);
  });
});

describe("consultation title", () => {
  const ask = async (title: string) =>
    app.call("POST", "/consultations", { ...consultation("Lucía"), title }, await app.person());

  test.each(["Mi familia 👨‍👩‍👧‍👦 y yo", "می‌خواهم بدانم"])(
    "stores emoji or other scripts unchanged: %s",
    async (title) => {
      const answer = await ask(title);
      expect(answer.status, answer.text).toBe(201);
      expect(await app.sql("select title from consultations where id = $1", [answer.body.id])).toEqual([{ title }]);
    },
  );
});
