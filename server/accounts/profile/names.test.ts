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

const HEALTH = /profesional de la salud/;
const PSYCHOLOGY = /matrícula de psicología/;
type Send = (name: string) => Promise<Answer>;
/** Every operation that stores a name, with the field and the error about the name of another profession. */
const OPERATIONS: Record<string, [field: string, profession: RegExp | null, send: Send]> = {
  "a user's registration": ["full_name", HEALTH, (name) => app.call("POST", "/registrations", registrationOf(name))],
  "a psychologist's registration": [
    "full_name",
    PSYCHOLOGY,
    (name) => app.call("POST", "/registrations", registrationOf(name, asPsychologist)),
  ],
  "a user's profile": [
    "full_name",
    HEALTH,
    async (full_name) => app.call("PUT", "/profile", { full_name }, await app.person()),
  ],
  "a psychologist's profile": [
    "full_name",
    PSYCHOLOGY,
    async (full_name) =>
      app.call("PUT", "/profile", { full_name, ...PROFESSIONAL }, await psychologist("Paula Rivarola")),
  ],
  "a consultation": [
    "author_name",
    HEALTH,
    async (name) => app.call("POST", "/consultations", consultation(name), await app.person()),
  ],
  "a corrected consultation": [
    "author_name",
    HEALTH,
    async (name) => {
      const user = await app.person();
      const { body } = await app.call("POST", "/consultations", consultation("Lucía"), user);
      return app.call("PATCH", `/consultations/${body.id}`, consultation(name), user);
    },
  ],
  "a message to the team": [
    "name",
    null,
    (name) =>
      app.call("POST", "/contact", { name, email: "rosa@correo.example", message: "Una pregunta para ustedes." }),
  ],
};

test.each(Object.entries(OPERATIONS))("responds 422 to a misleading name in %s", async (_what, operation) => {
  const [field, profession, send] = operation;
  const refused = (words: RegExp) => ({ status: 422, body: { fields: { [field]: expect.stringMatching(words) } } });
  expect(await send("Equipo Diván")).toMatchObject(refused(/confundir/));
  if (profession) expect(await send("Psiquiatra Ana")).toMatchObject(refused(profession));
  expect((await send(profession === PSYCHOLOGY ? "Psic. Ana Ruiz" : "Ana Ruiz")).status).toBeLessThan(300);
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
